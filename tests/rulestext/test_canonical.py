"""The canonical forms: what the readers of a Rule may rely on. See the docstring of ``rulestext.build``."""

from __future__ import annotations

import pytest

from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Amount,
    AttackIs,
    Clause,
    Compare,
    Count,
    CritOn,
    DamageTo,
    Duration,
    During,
    Effect,
    Engaged,
    Event,
    Grant,
    If,
    Keyword,
    Leading,
    Limit,
    Mortal,
    Moved,
    PerAttack,
    Permit,
    Pick,
    Reroll,
    RollDice,
    RollMod,
    Row,
    Select,
    StatMod,
    Visible,
    Window,
    Within,
)
from battlewright.effects import All as Both
from battlewright.rulestext import compile as read

ME = Select("model", ref="self")
UNIT = Select("unit", ref="unit")
OURS = Select("model", of=UNIT)
LED = Select("unit", ref="led")
TARGET = Select("unit", ref="target")
PHASE = Duration("phase")


def n(value: int | str) -> Amount:
    return Amount(Dice.parse(value))


def kw(*groups: tuple[str, ...]) -> Keyword:
    return Keyword(groups)


def ranged(*do: Effect, holds: About | None = None) -> Clause:
    return Clause(when=PerAttack(attacker=OURS, kind="ranged"), holds=holds, do=do)


RED_NEAR = Select("unit", side="friendly", where=Both((kw(("RED GUARD",)), Within(n(5), ME))))
PREY = Select("unit", ref="bound", name="picked")

EXAMPLES: dict[str, tuple[Clause, ...]] = {
    # attacks: both dialects give the same clause
    "Each time a model in this unit makes a ranged attack, add 3 to the Hit roll.": (ranged(RollMod("hit", n(3))),),
    "This unit's ranged attacks have +3 to hit rolls.": (ranged(RollMod("hit", n(3))),),
    "Each time this model makes a melee attack that targets a RED GUARD or BLUE GUARD unit, re-roll the Wound roll.": (
        Clause(
            when=PerAttack(attacker=ME, target=Select("unit", where=kw(("RED GUARD",), ("BLUE GUARD",))), kind="melee"),
            do=(Reroll("wound"),),
        ),
    ),
    "Each time this model makes an attack, re-roll a Hit roll of 2. If the target of that attack is a RED GUARD unit, "
    "you can re-roll the Hit roll instead.": (
        Clause(
            when=PerAttack(attacker=ME),
            do=(
                If(
                    About(TARGET, kw(("RED GUARD",))),
                    then=(Reroll("hit"),),
                    otherwise=(Reroll("hit", "faces", (2,)),),
                ),
            ),
        ),
    ),
    "Each time an attack targets this unit, if the Strength characteristic of that attack is less than the Toughness "
    "characteristic of this unit, subtract 3 from the Wound roll.": (
        Clause(
            when=PerAttack(role="target", target=UNIT),
            holds=Compare("attack.S", "<", "target.T"),
            do=(RollMod("wound", n(3), -1),),
        ),
    ),
    "Attacks that target this unit have -1 AP.": (
        Clause(when=PerAttack(role="target", target=UNIT), do=(StatMod(("AP",), "worsen", n(1), "attack"),)),
    ),
    "Each time an attack is allocated to this model, subtract 3 from the Damage characteristic of that attack.": (
        Clause(when=PerAttack(role="target", target=ME), do=(StatMod(("D",), "subtract", n(3), "attack"),)),
    ),
    "Each time an attack is allocated to this model, change the Damage characteristic of that attack to 1.": (
        Clause(when=PerAttack(role="target", target=ME), do=(DamageTo(1),)),
    ),
    # weapons are the attacks made with them
    "Melee weapons equipped by models in this unit have the [LANCE] and [SUSTAINED HITS 3] abilities.": (
        Clause(
            when=PerAttack(attacker=OURS, kind="melee"),
            do=(Grant("weapon_ability", "lance"), Grant("weapon_ability", "sustained hits", n(3))),
        ),
    ),
    "This unit's melee attacks have [Lance] and [Sustained Hits 3].": (
        Clause(
            when=PerAttack(attacker=OURS, kind="melee"),
            do=(Grant("weapon_ability", "lance"), Grant("weapon_ability", "sustained hits", n(3))),
        ),
    ),
    "Add 3 to the Attacks and Strength characteristics of melee weapons equipped by the bearer.": (
        Clause(when=PerAttack(attacker=ME, kind="melee"), do=(StatMod(("A", "S"), "add", n(3), "attack"),)),
    ),
    "Each time this model makes an attack with a ranged weapon, an unmodified Hit roll of 5+ scores a Critical Hit.": (
        Clause(when=PerAttack(attacker=ME, kind="ranged"), do=(CritOn("hit", 5),)),
    ),
    # models and units: models in a unit are that unit
    'Add 2" to the Move characteristic of models in this unit.': (
        Clause(do=(StatMod(("M",), "add", n(2), who=UNIT),)),
    ),
    'This unit has +2" M.': (Clause(do=(StatMod(("M",), "add", n(2), who=UNIT),)),),
    "Models in this unit have a 2+ invulnerable save against ranged attacks.": (
        Clause(do=(Grant("invulnerable", amount=n(2), against=AttackIs("ranged"), who=UNIT),)),
    ),
    "While this model is leading a unit, that unit has Feel No Pain 3+.": (
        Clause(holds=About(ME, Leading()), do=(Grant("feel_no_pain", amount=n(3), who=LED),)),
    ),
    "While this model is leading a unit, each time a RED GUARD model in that unit makes an attack, add 3 to the Wound "
    "roll.": (
        Clause(
            when=PerAttack(attacker=Select("model", where=kw(("RED GUARD",)), of=LED)),
            holds=About(ME, Leading()),
            do=(RollMod("wound", n(3)),),
        ),
    ),
    # auras: the things near are selected
    'While a friendly RED GUARD unit is within 5" of this model, add 3 to the Objective Control characteristic of models '
    "in that unit.": (Clause(do=(StatMod(("OC",), "add", n(3), who=RED_NEAR),)),),
    "Friendly RED GUARD units' attacks have [Ignores Cover].": (
        Clause(
            when=PerAttack(attacker=Select("model", of=Select("unit", side="friendly", where=kw(("RED GUARD",))))),
            do=(Grant("weapon_ability", "ignores cover"),),
        ),
    ),
    # scopes: trigger, then the picked, then the duration, then what happens each time
    'At the start of your Charge phase, select one enemy unit within 7" of and visible to this model. Until the end of '
    "the phase, each time a friendly RED GUARD model makes an attack that targets that unit, add 3 to the Hit roll.": (
        Clause(
            when=Window(("charge",), "your", "start"),
            do=(
                Pick(
                    Select(
                        "unit",
                        side="enemy",
                        where=Both((Within(n(7), ME), Visible(ME))),
                        count=Count("one"),
                        bind="picked",
                    )
                ),
                Clause(
                    lasts=PHASE,
                    do=(
                        Clause(
                            when=PerAttack(
                                attacker=Select("model", side="friendly", where=kw(("RED GUARD",))), target=PREY
                            ),
                            do=(RollMod("hit", n(3)),),
                        ),
                    ),
                ),
            ),
        ),
    ),
    "Once per turn, when this unit is selected to shoot, it can use this ability. If it does, until the end of the "
    "phase, this unit's ranged attacks have +3 S.": (
        Clause(
            when=Event("selected_to_shoot", subject=UNIT),
            may="you",
            limits=(Limit("turn"),),
            lasts=PHASE,
            do=(ranged(StatMod(("S",), "add", n(3), "attack")),),
        ),
    ),
    "Each time this unit ends an Advance move, select one enemy unit within Engagement Range of it and roll one D6: on a "
    "3-4, that enemy unit suffers D6 mortal wounds; on a 5+, that enemy unit suffers 7 mortal wounds.": (
        Clause(
            when=Event("move_ended", subject=UNIT, kinds=("advance",)),
            do=(
                Pick(
                    Select(
                        "unit",
                        side="enemy",
                        where=Engaged(UNIT),
                        count=Count("one"),
                        bind="picked",
                    )
                ),
                RollDice(
                    n("D6"),
                    (Row((Mortal(n("D6"), PREY),), 3, 4), Row((Mortal(n(7), PREY),), 5)),
                ),
            ),
        ),
    ),
    "This unit can shoot and declare a charge in a turn in which it Fell Back.": (
        Clause(do=(Permit("shoot", ("fall_back",), UNIT), Permit("charge", ("fall_back",), UNIT))),
    ),
    "If this unit made a Charge move this turn, add 3 to the Attacks characteristic of its melee weapons.": (
        Clause(
            when=PerAttack(attacker=OURS, kind="melee"),
            holds=About(UNIT, Moved("charge")),
            do=(StatMod(("A",), "add", n(3), "attack"),),
        ),
    ),
}


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: text[:48])
def test_text_gives_the_canonical_clauses(text: str) -> None:
    rule = read(text)
    assert rule.unread == ()
    assert rule.clauses == EXAMPLES[text]
    assert rule.status == "full"


YOUR = Select("unit", ref="bound", name="your unit")


def test_a_stratagem_is_one_clause_about_its_target() -> None:
    rule = read(
        "WHEN: Your opponent's Shooting phase, just after an enemy unit selects its targets.\n"
        "TARGET: One RED GUARD unit from your army that was selected as the target of one or more of those attacks.\n"
        "EFFECT: Until the end of the phase, models in your unit have the Stealth ability.",
        kind="stratagem",
    )
    assert rule.unread == ()
    assert rule.target is not None
    assert (rule.target.bind, rule.target.side, rule.target.count) == ("your unit", "friendly", Count("one"))
    assert rule.clauses == (
        Clause(
            when=Event(
                "targets_selected",
                subject=Select("unit", side="enemy"),
                edge="after",
                during=During(("shooting",), "opponent"),
            ),
            lasts=PHASE,
            do=(Grant("unit_ability", "stealth", who=YOUR),),
        ),
    )
