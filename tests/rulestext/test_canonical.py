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
    Strength,
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


RED_NEAR = Select("unit", side="friendly", where=Both((kw(("RED GUARD",)), Within(n(6), ME))))
PREY = Select("unit", ref="bound", name="picked")

EXAMPLES: dict[str, tuple[Clause, ...]] = {
    # attacks: both dialects give the same clause
    "Each time a model in this unit makes a ranged attack, add 1 to the Hit roll.": (ranged(RollMod("hit", n(1))),),
    "This unit's ranged attacks have +1 to hit rolls.": (ranged(RollMod("hit", n(1))),),
    "Each time this model makes a melee attack that targets a MONSTER or VEHICLE unit, you can re-roll the Wound roll.": (
        Clause(
            when=PerAttack(attacker=ME, target=Select("unit", where=kw(("MONSTER",), ("VEHICLE",))), kind="melee"),
            do=(Reroll("wound"),),
        ),
    ),
    "Each time this model makes an attack, re-roll a Hit roll of 1. If the target of that attack is below half-strength, "
    "you can re-roll the Hit roll instead.": (
        Clause(
            when=PerAttack(attacker=ME),
            do=(
                If(
                    About(TARGET, Strength("below_half")),
                    then=(Reroll("hit"),),
                    otherwise=(Reroll("hit", "faces", (1,)),),
                ),
            ),
        ),
    ),
    "Each time an attack targets this unit, if the Strength characteristic of that attack is greater than the Toughness "
    "characteristic of this unit, subtract 1 from the Wound roll.": (
        Clause(
            when=PerAttack(role="target", target=UNIT),
            holds=Compare("attack.S", ">", "target.T"),
            do=(RollMod("wound", n(1), -1),),
        ),
    ),
    "Attacks that target this unit have -1 AP.": (
        Clause(when=PerAttack(role="target", target=UNIT), do=(StatMod(("AP",), "worsen", n(1), "attack"),)),
    ),
    "Each time an attack is allocated to this model, subtract 1 from the Damage characteristic of that attack.": (
        Clause(when=PerAttack(role="target", target=ME), do=(StatMod(("D",), "subtract", n(1), "attack"),)),
    ),
    "Each time an attack is allocated to this model, change the Damage characteristic of that attack to 1.": (
        Clause(when=PerAttack(role="target", target=ME), do=(DamageTo(1),)),
    ),
    # weapons are the attacks made with them
    "Melee weapons equipped by models in this unit have the [LETHAL HITS] and [SUSTAINED HITS 1] abilities.": (
        Clause(
            when=PerAttack(attacker=OURS, kind="melee"),
            do=(Grant("weapon_ability", "lethal hits"), Grant("weapon_ability", "sustained hits", n(1))),
        ),
    ),
    "This unit's melee attacks have [Lethal Hits] and [Sustained Hits 1].": (
        Clause(
            when=PerAttack(attacker=OURS, kind="melee"),
            do=(Grant("weapon_ability", "lethal hits"), Grant("weapon_ability", "sustained hits", n(1))),
        ),
    ),
    "Add 1 to the Attacks and Strength characteristics of melee weapons equipped by the bearer.": (
        Clause(when=PerAttack(attacker=ME, kind="melee"), do=(StatMod(("A", "S"), "add", n(1), "attack"),)),
    ),
    "Each time this model makes an attack with a ranged weapon, an unmodified Hit roll of 5+ scores a Critical Hit.": (
        Clause(when=PerAttack(attacker=ME, kind="ranged"), do=(CritOn("hit", 5),)),
    ),
    # models and units: models in a unit are that unit
    'Add 2" to the Move characteristic of models in this unit.': (
        Clause(do=(StatMod(("M",), "add", n(2), who=UNIT),)),
    ),
    'This unit has +2" M.': (Clause(do=(StatMod(("M",), "add", n(2), who=UNIT),)),),
    "Models in this unit have a 5+ invulnerable save against ranged attacks.": (
        Clause(do=(Grant("invulnerable", amount=n(5), against=AttackIs("ranged"), who=UNIT),)),
    ),
    "While this model is leading a unit, models in that unit have the Feel No Pain 5+ ability.": (
        Clause(holds=About(ME, Leading()), do=(Grant("feel_no_pain", amount=n(5), who=LED),)),
    ),
    "While this model is leading a unit, each time a model in that unit makes an attack, add 1 to the Wound roll.": (
        Clause(
            when=PerAttack(attacker=Select("model", of=LED)),
            holds=About(ME, Leading()),
            do=(RollMod("wound", n(1)),),
        ),
    ),
    # auras: the things near are selected
    'While a friendly RED GUARD unit is within 6" of this model, add 1 to the Objective Control characteristic of models '
    "in that unit.": (Clause(do=(StatMod(("OC",), "add", n(1), who=RED_NEAR),)),),
    "Friendly RED GUARD units' attacks have [Ignores Cover].": (
        Clause(
            when=PerAttack(attacker=Select("model", of=Select("unit", side="friendly", where=kw(("RED GUARD",))))),
            do=(Grant("weapon_ability", "ignores cover"),),
        ),
    ),
    # scopes: trigger, then the picked, then the duration, then what happens each time
    'At the start of your Shooting phase, select one enemy unit within 12" of and visible to this model. Until the end of '
    "the phase, each time a friendly RED GUARD model makes an attack that targets that unit, add 1 to the Hit roll.": (
        Clause(
            when=Window(("shooting",), "your", "start"),
            do=(
                Pick(
                    Select(
                        "unit",
                        side="enemy",
                        where=Both((Within(n(12), ME), Visible(ME))),
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
                            do=(RollMod("hit", n(1)),),
                        ),
                    ),
                ),
            ),
        ),
    ),
    "Once per battle, when this unit is selected to shoot, it can use this ability. If it does, until the end of the "
    "phase, add 1 to the Strength characteristic of ranged weapons equipped by models in this unit.": (
        Clause(
            when=Event("selected_to_shoot", subject=UNIT),
            may="you",
            limits=(Limit("battle"),),
            lasts=PHASE,
            do=(ranged(StatMod(("S",), "add", n(1), "attack")),),
        ),
    ),
    "Each time this unit ends a Charge move, select one enemy unit within Engagement Range of it and roll one D6: on a "
    "2-5, that enemy unit suffers D3 mortal wounds; on a 6, that enemy unit suffers 3 mortal wounds.": (
        Clause(
            when=Event("move_ended", subject=UNIT, kinds=("charge",)),
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
                    (Row((Mortal(n("D3"), PREY),), 2, 5), Row((Mortal(n(3), PREY),), 6, 6)),
                ),
            ),
        ),
    ),
    "This unit is eligible to shoot and declare a charge in a turn in which it Fell Back.": (
        Clause(do=(Permit("shoot", ("fall_back",), UNIT), Permit("charge", ("fall_back",), UNIT))),
    ),
    "If this unit made a Charge move this turn, add 1 to the Attacks characteristic of its melee weapons.": (
        Clause(
            when=PerAttack(attacker=OURS, kind="melee"),
            holds=About(UNIT, Moved("charge")),
            do=(StatMod(("A",), "add", n(1), "attack"),),
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
        "WHEN: Your opponent's Shooting phase, just after an enemy unit has selected its targets.\n"
        "TARGET: One RED GUARD unit from your army that was selected as the target of one or more of the attacking unit's "
        "attacks.\n"
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
