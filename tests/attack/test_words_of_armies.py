"""Words of invented armies, each beside the plain numbers they must lead to.

A case is a rule, what is true when the attack is made, and what changes in the question: ``w`` of the weapon, ``g`` of
the groups, ``t`` of the target. Where nothing is to change, the condition does not hold or the words touch no attack.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from battlewright.attack.fold import apply_rules
from battlewright.attack.request import Request, read

GUN: dict[str, Any] = {"count": 5, "A": 2, "skill": 4, "S": 5, "AP": -1, "D": 2}
BLADE: dict[str, Any] = {**GUN, "melee": True}
Said = Mapping[str, Any]
MIXED = [
    {"models": 5, "T": 4, "W": 2, "Sv": 4},
    {"models": 1, "T": 4, "W": 5, "Sv": 3, "InSv": 5, "character": True},
]


@dataclass(frozen=True, eq=False)
class Case:
    """``side``: whose rule it is; ``me``/``them``: what is true of the attacker and the target; ``at``: of the moment."""

    side: str
    text: str
    w: Said = field(default_factory=dict)
    g: Said = field(default_factory=dict)
    t: Said = field(default_factory=dict)
    me: Said = field(default_factory=dict)
    them: Said = field(default_factory=dict)
    at: Said = field(default_factory=dict)
    gun: Said = field(default_factory=dict)
    group: Said = field(default_factory=dict)
    target: Said = field(default_factory=dict)
    melee: bool = False
    edition: str = "10e"
    choose: str = ""
    attack: Said = field(default_factory=dict)

    def question(self) -> dict[str, Any]:
        weapon = {**(BLADE if self.melee else GUN), **self.gun}
        group = {"models": 10, "T": 4, "W": 3, "Sv": 3, **self.group}
        phase = "fight" if self.melee else "shooting"
        moment = {"phase": phase, "turn": "attacker", **({"range_in": 1} if self.melee else {}), **self.at}
        sides = {"attacker": {"keywords": ["TIN LEGION", "INFANTRY"], **self.me}, "target": self.them}
        return {
            "edition": self.edition,
            "attack": {"weapons": [weapon], **self.attack},
            "target": {"groups": [group], "keywords": ["INFANTRY"], **self.target},
            "situation": {**moment, **sides},
        }


def A(text: str, **more: Any) -> Case:
    return Case("attacker", text, **more)


def T(text: str, **more: Any) -> Case:
    return Case("target", text, **more)


def changed(case: Case) -> tuple[Request, Request]:
    """The question with its rule folded in, and as it should be."""
    asked = case.question()
    rule = {"name": "a rule", "text": case.text, **({"choose": case.choose} if case.choose else {})}
    wanted = copy.deepcopy(asked)
    wanted["attack"]["weapons"][0].update(case.w)
    wanted["target"].update(case.t)
    for group in wanted["target"]["groups"]:
        group.update(case.g)
    return apply_rules(read({**asked, "rules": {case.side: [rule]}})).request, read(wanted)


STANCES = (
    "Each time this unit is selected to fight, select one War Stance for it to assume. Until the end of the phase, that "
    "stance is active for it.\n■ Hammer: Melee weapons equipped by models in this unit have the [LETHAL HITS] ability.\n"
    "■ Storm: Melee weapons equipped by models in this unit have the [SUSTAINED HITS 1] ability."
)
GIFTS = (
    "At the start of the first battle round, select one of the Gifts below. That Gift is active for your army until the "
    "end of the battle.\nTeeth: Each time a TIN LEGION model from your army makes an attack that targets an INFANTRY "
    "unit, that attack has the [SUSTAINED HITS 1] ability.\nClaws: Each time a TIN LEGION model from your army makes an "
    "attack that targets a VEHICLE unit, that attack has the [LETHAL HITS] ability."
)
DRAUGHTS = (
    "At the start of the battle, select one of the following draughts. Until the end of the battle, that draught’s "
    "effects apply to this unit.\n■ Ox: Add 1 to the Strength characteristic of melee weapons equipped by models in this "
    "unit.\n■ Oak: Add 1 to the Toughness characteristic of models in this unit."
)
BOONS = (
    "At the start of each battle round, select two of the Boons below. Until the end of the battle round, they are active "
    "for your army.\n■ Fury: Each time a TIN LEGION model makes a melee attack, that attack has the [SUSTAINED HITS 1] "
    "ability.\n■ Edge: Each time a TIN LEGION model makes a melee attack, that attack has the [LETHAL HITS] ability.\n"
    "■ Strength of Ten: Add 1 to the Strength characteristic of melee weapons equipped by TIN LEGION models from your "
    "army.\n■ Haste: You can re-roll Charge rolls made for TIN LEGION units from your army."
)
LANDED = (
    "If this unit disembarked from a Transport this turn, this unit’s ranged attacks can re-roll hit rolls. Otherwise, this "
    "unit’s ranged attacks can re-roll hit rolls of 1."
)
VOLLEY = 'This unit’s ranged attacks have:\n■ [Lethal Hits].\n■ If the target is within 12", +1 AP.'
ONE = (
    "When this unit is selected to shoot, select one:\n■ This unit’s ranged attacks have [Lethal Hits].\n"
    "■ This unit’s ranged attacks have [Sustained Hits 1]."
)
NEARER = (
    "Each time a model in this unit makes an attack, improve the Armour Penetration characteristic of that attack by 1. If "
    'the target is within 6", improve it by 2 instead.'
)
TRAINING = (
    "Each time this unit is selected to fight, select one of the following to apply to it until the end of the phase:\n■ "
    "Add 1 to the Attacks characteristic of melee weapons equipped by models in this unit.\n■ Add 1 to the Strength "
    "characteristic of melee weapons equipped by models in this unit."
)
LED = "While a CHARACTER model is leading a unit from your army, each time a TIN LEGION model in that unit makes an attack, "
STRONG = "have -1 to wound rolls if the S of that attack is greater than the T of this unit."
EITHER = (
    "Each time a model in this unit makes an attack, if the target is a VEHICLE, that attack has the [LETHAL HITS] "
    "ability; otherwise, it has the [SUSTAINED HITS 1] ability."
)
SPEND = (
    "When this unit is selected to shoot, you can spend 1 Thorn token. If you do, until the end of the phase, weapons "
    "equipped by models in this unit have the [LETHAL HITS] ability."
)
IF_SPENT = (
    "When this unit is selected to shoot, if you spend 1 Thorn token, weapons equipped by models in this unit have the "
    "[LETHAL HITS] ability until the end of the phase."
)
MANY_ATTACK = (
    "Each time an attack targets this unit, if the attacker's unit contains 10 or more models, worsen its AP by 1."
)
CLOSEST_TO = (
    "Each time an attack targets this unit, if this unit is the closest eligible target to the attacking unit, "
    "subtract 1 from the Hit roll."
)
AND_WHILE = (
    "Models in this unit have a 5+ invulnerable save and, while this unit is Battle-shocked, a 4+ invulnerable save "
    "instead."
)
ON_FIVES = "Each time this model makes an attack, on an unmodified Hit roll of 5+, that attack scores a Critical Hit."
ONE_EACH = (
    "Each time this unit is selected to shoot, you can re-roll one Hit roll and one Wound roll made for this unit."
)
OR_INSTEAD = (
    "Weapons equipped by models in this unit have the [SUSTAINED HITS 1] ability, or the [SUSTAINED HITS 2] ability "
    "instead if that unit is Battle-shocked."
)
CLOSE_OR_NEAR = (
    'Each time a model in this unit makes an attack that targets the closest eligible target or a unit within 12", '
    "re-roll a Hit roll of 1."
)
TOGETHER = (
    'WHEN: Your Shooting phase.\nTARGET: One TIN LEGION unit from your army, and one enemy unit within 12" of it.\n'
    "EFFECT: Until the end of the phase, each time a model in your unit makes an attack that targets that enemy unit, add "
    "1 to the Wound roll."
)
PREY = (
    "At the start of the first battle round, select one enemy unit. Each time this model makes an attack that targets "
)

CASES = [
    # who leads, and who is led
    A(LED + "add 1 to the Hit roll.", w={"hit_mod": 1}, me={"led_by": ["Captain"]}),
    A(LED + "add 1 to the Hit roll.", w={"hit_mod": 1}, me={"leading": True}),
    A(LED + "add 1 to the Hit roll."),
    T("While this unit is led, models in it have the Feel No Pain 5+ ability.", g={"FNP": 5}, them={"led_by": ["Duke"]}),
    T("While this unit contains one or more SEERS models, models in this unit have the Feel No Pain 5+ ability.",
      g={"FNP": 5}, target={"keywords": ["SEERS", "INFANTRY"]}),
    T("While this unit contains one or more SEERS models, models in this unit have the Feel No Pain 5+ ability."),
    # what is chosen
    A(STANCES, w={"lethal": True}, melee=True, choose="Hammer"),
    A(STANCES, choose="Hammer"),
    A(GIFTS, w={"sustained": 1}, choose="Teeth", at={"round": 4}),
    A(GIFTS, w={"sustained": 1}, choose="Teeth"),
    A(GIFTS, choose="Claws"),
    A(DRAUGHTS, w={"S": 6}, melee=True, choose="Ox"),
    T(DRAUGHTS, g={"T": 5}, choose="Oak"),
    A("Each time this unit is selected to shoot, select one of the following: until the end of the phase, ranged weapons "
      "equipped by models in this unit have that ability:\n■ [SUSTAINED HITS 2]\n■ [ANTI-INFANTRY 3+]",
      w={"anti": {"INFANTRY": 3}}, choose="[ANTI-INFANTRY 3+]"),
    A(PREY + "that unit, you can re-roll the Hit roll.", w={"reroll_hits": "fails"}),
    A(BOONS, w={"lethal": True, "sustained": 1}, melee=True, choose="Edge and Fury"),
    A(BOONS, w={"lethal": True}, melee=True, choose="Edge and Haste"),
    A(BOONS, w={"lethal": True, "S": 6}, melee=True, gun={"S": 5}, group={"T": 5}, choose="Edge, Strength of Ten"),
    A(TRAINING, w={"A": 3}, melee=True, choose="Add 1 to the Attacks characteristic"),
    A(TRAINING, w={"S": 6}, melee=True, choose="Add 1 to the Strength characteristic of melee weapons"),
    # Strength above Toughness, and other values of the attack
    T("Attacks that target this unit " + STRONG, w={"wound_mod": -1}, edition="11e"),
    T("Attacks that target this unit " + STRONG, gun={"S": 4}, edition="11e"),
    T("Attacks with S greater than this unit’s T that target this unit have -1 to wound rolls.", w={"wound_mod": -1}),
    A("This unit’s attacks that target a unit with T greater than that attack’s S have +1 to wound rolls.",
      w={"wound_mod": 1}, group={"T": 6}, edition="11e"),
    A("This unit’s attacks that target a unit with T greater than that attack’s S have +1 to wound rolls.", edition="11e"),
    T("Each time an attack is allocated to a model in this unit, if the Damage characteristic of that attack is greater "
      "than 1, subtract 1 from it.", gun={"D": 1}),
    T("Attacks allocated to models in this unit have -1 D.", g={"minus_damage": 1}, edition="11e"),
    T("Ranged attacks allocated to models in this unit have -1 D.", melee=True, edition="11e"),
    T('Ranged attacks that target this unit from more than 18" away have -1 to hit rolls.', w={"hit_mod": -1},
      at={"range_in": 20}, edition="11e"),
    T('Ranged attacks that target this unit from more than 18" away have -1 to hit rolls.', at={"range_in": 18},
      edition="11e"),
    A("This unit’s attacks with S less than the target’s T have +1 to wound rolls.", w={"wound_mod": 1}, group={"T": 6},
      edition="11e"),
    T("Each time a ranged attack made with a Strength characteristic of 5 or less targets this unit, subtract 1 from the "
      "Wound roll.", w={"wound_mod": -1}),
    T("Each time a ranged attack made with a Strength characteristic of 5 or less targets this unit, subtract 1 from the "
      "Wound roll.", gun={"S": 6}),
    T("Add 1 to armour saving throws made for models in this unit against attacks with an Armour Penetration "
      "characteristic of 0.", t={"save_mod": 1}, gun={"AP": 0}),
    T("Add 1 to armour saving throws made for models in this unit against attacks with an Armour Penetration "
      "characteristic of 0."),
    A("Each time a model in this unit makes an attack that targets a unit that contains fewer models than this unit, "
      "re-roll a Wound roll of 1.", w={"reroll_wounds": "ones"}, me={"models": 11}),
    A("Each time a model in this unit makes an attack that targets a unit that contains fewer models than this unit, "
      "re-roll a Wound roll of 1.", me={"models": 10}),
    # rolls that nobody may roll again
    T("Each time an attack targets this unit, you cannot re-roll the Hit roll or the Wound roll.",
      w={"reroll_hits": "none", "reroll_wounds": "none", "twin_linked": False},
      gun={"reroll_hits": "fails", "reroll_wounds": "ones", "twin_linked": True}),
    T("Attacks that target this unit cannot re-roll wound rolls.", w={"reroll_wounds": "none"},
      gun={"reroll_wounds": "fails", "reroll_hits": "ones"}, edition="11e"),
    # either, or
    A(EITHER, w={"sustained": 1}),
    A(EITHER, w={"lethal": True}, target={"keywords": ["VEHICLE"]}),
    T("Models in this unit have a 5+ invulnerable save. Each time a ranged attack targets this unit, if it Advanced this "
      "turn, models in it have a 4+ invulnerable save instead.", g={"InSv": 4}, them={"advanced": True}),
    T("Models in this unit have a 5+ invulnerable save. Each time a ranged attack targets this unit, if it Advanced this "
      "turn, models in it have a 4+ invulnerable save instead.", g={"InSv": 5}, them={"advanced": False}),
    A(LANDED, w={"reroll_hits": "fails"}, me={"disembarked": True}, edition="11e"),
    A(LANDED, w={"reroll_hits": "ones"}, me={"disembarked": False}, edition="11e"),
    T("Until the end of the phase, this unit has Feel No Pain 5+ (or Feel No Pain 4+ instead if this unit is below "
      "half-strength).", g={"FNP": 4}, them={"below_half_strength": True}, edition="11e"),
    A(VOLLEY, w={"lethal": True, "AP": -2}, at={"range_in": 10}, edition="11e"),
    A(VOLLEY, w={"lethal": True}, at={"range_in": 14}, edition="11e"),
    A(ONE, w={"sustained": 1}, choose="[Sustained Hits 1]", edition="11e"),
    A(NEARER, w={"AP": -3}, at={"range_in": 6}),
    A(NEARER, w={"AP": -2}, at={"range_in": 7}),
    A("Ranged weapons equipped by models in this unit have the [TORRENT] ability and have an Armour Penetration "
      "characteristic of -2.", w={"torrent": True, "AP": -2}),
    A("Each time a model in this unit makes a ranged attack that targets a unit at half range or less, add 1 to the Wound "
      "roll.", w={"wound_mod": 1}, attack={"half_range": True}),
    T("While this unit is led by a Uber Chief model, it has the Feel No Pain 5+ ability.", g={"FNP": 5},
      them={"led_by": ["Über Chief"]}),
    A('This unit’s attacks have [Sustained Hits 1], or [Sustained Hits 2] when targeting a unit within 12".',
      w={"sustained": 2}, at={"range_in": 12}),
    A('This unit’s attacks have [Sustained Hits 1], or [Sustained Hits 2] when targeting a unit within 12".',
      w={"sustained": 1}, at={"range_in": 13}),
    T("Models in this unit have the Feel No Pain 6+ ability, or the Feel No Pain 5+ ability while this unit is Below "
      "Half-strength.", g={"FNP": 5}, them={"below_half_strength": True}),
    A("Each time this model makes an attack, if the target is a VEHICLE, you can re-roll the Wound roll; if not, re-roll a "
      "Hit roll of 1.", w={"reroll_hits": "ones"}),
    # moments before the attack
    A("In your Movement phase, when this model Remains Stationary, until the end of the turn, each time this model makes "
      "a ranged attack, add 1 to the Hit roll.", w={"hit_mod": 1}, me={"stationary": True}, attack={"stationary": True}),
    A("In your Movement phase, when this model Remains Stationary, until the end of the turn, each time this model makes "
      "a ranged attack, add 1 to the Hit roll.", me={"stationary": False}, attack={"stationary": False}),
    A("Each time this unit is selected to shoot, until the end of the phase, you can re-roll Hit rolls.",
      w={"reroll_hits": "fails"}),
    A("Each time this unit is selected to fight, until the end of the phase, Critical Hits are scored on unmodified Hit "
      "rolls of 5+.", w={"crit_hit": 5}, melee=True),
    A("Each time this unit is selected to fight, until the end of the phase, Critical Hits are scored on unmodified Hit "
      "rolls of 5+."),
    A("If this unit made an ingress move this turn, this unit’s ranged attacks have +1 to hit rolls.", w={"hit_mod": 1},
      me={"set_up": True}, edition="11e"),
    # saves and wounds
    T("Each time an armour saving throw is made for a model in this unit, add 1 to the result.", t={"save_mod": 1}),
    T("Each time an invulnerable saving throw is made for a model in this unit, you can re-roll a saving throw of 1.",
      t={"reroll_saves": "ones"}, group={"InSv": 4}),
    T("Each time an invulnerable saving throw is made for a model in this unit, you can re-roll a saving throw of 1."),
    T("Once per battle, just after a mortal wound is allocated to a model in this unit, this unit can use this ability. If "
      "it does, until the end of the phase, models in this unit have the Feel No Pain 4+ ability against mortal wounds.",
      g={"FNP_mortal": 4}, gun={"devastating": True}),
    T("Each time a ranged attack targets this unit, if it has the Benefit of Cover, that attack has -1 D.",
      g={"minus_damage": 1}, target={"cover": True}),
    T("Each time a ranged attack targets this unit, if it has the Benefit of Cover, that attack has -1 D."),
    A("Your opponent’s units cannot have the benefit of cover against this unit’s attacks.", w={"ignores_cover": True},
      target={"cover": True}, edition="11e"),
    T("Each time a saving throw is made for a model in this unit, add 1 to that roll.", t={"save_mod": 1}),
    T("Each time an invulnerable saving throw is made for a model in this unit, add 1 to that roll. Models in this unit "
      "have a 5+ invulnerable save.", g={"InSv": 4}),
    T("Add 1 to invulnerable saving throws made for models in this unit.", g={"InSv": 4}, group={"InSv": 5}),
    # what criticals have anyway, one die of one attack, an enemy that is targeted too
    A("Each time a model in this unit makes an attack, on a Critical Wound, that attack has the [DEVASTATING WOUNDS] "
      "ability.", w={"devastating": True}),
    A("Each time a model in this unit makes an attack, a Critical Hit is scored on a 5+.", w={"crit_hit": 5}),
    A(ONE_EACH, w={"reroll_hits": "fails", "reroll_wounds": "fails"}, gun={"count": 1, "A": 1}),
    A("Critical hits for this unit's attacks are scored on unmodified hit rolls of 5+.", w={"crit_hit": 5}),
    A(ON_FIVES, w={"crit_hit": 5}),
    T("This unit has Stealth and the benefit of cover against ranged attacks.", t={"stealth": True, "cover": True}),
    T("This unit has Stealth against melee attacks."),
    T("Attacks that target this unit have -1 D, to a minimum of 1, until the end of the phase.", g={"minus_damage": 1}),
    A("This unit's attacks that target a unit with a Toughness characteristic of 9 or more have +1 to wound rolls."),
    A(SPEND),
    A(SPEND, w={"lethal": True}, me={"states": ["thorn token"]}),
    A(IF_SPENT),
    A(IF_SPENT, w={"lethal": True}, me={"states": ["thorn token"]}),
    T(MANY_ATTACK, w={"AP": 0}, me={"models": 10}),
    T(MANY_ATTACK, me={"models": 9}),
    T(CLOSEST_TO, w={"hit_mod": -1}, at={"closest": True}),
    T(CLOSEST_TO, at={"closest": False}),
    T(AND_WHILE, g={"InSv": 4}, them={"battle_shocked": True}),
    T(AND_WHILE, g={"InSv": 5}, them={"battle_shocked": False}),
    A(ONE_EACH, w={"reroll_one": ["hit", "wound"]}, gun={"count": 1, "A": 2}),
    A(ONE_EACH, w={"reroll_one": ["hit", "wound"]}, gun={"count": 1, "A": 1, "sustained": 1}),
    A(ONE_EACH.replace("and one", "or one"), w={"reroll_one": ["hit"]}, gun={"count": 1, "A": 1}),
    A(TOGETHER, w={"wound_mod": 1}, at={"range_in": 10}),
    A(TOGETHER, at={"range_in": 18}),
    # some of the attacks spoken of
    A("This unit’s ranged attacks have +1 S and, if they target a VEHICLE unit, +1 AP.", w={"S": 6, "AP": -2},
      target={"keywords": ["VEHICLE"]}, edition="11e"),
    A("This unit’s ranged attacks have +1 S and, if they target a VEHICLE unit, +1 AP.", w={"S": 6}, edition="11e"),
    A("This unit’s ranged attacks have +2\" range and +1 S. If they target a VEHICLE unit, they have [Lethal Hits].",
      w={"S": 6, "lethal": True}, target={"keywords": ["VEHICLE"]}, edition="11e"),
    A("While this model has 4 wounds remaining or fewer, this model’s attacks have -1 to hit rolls.", w={"hit_mod": -1},
      attack={"attacker": {"models": 1, "W": 10, "wounded": 7}}, me={"wounds_lost": 7}, edition="11e"),
    A("Friendly TIN LEGION units’ attacks that target a MARKED unit have [Sustained Hits 1]. If that unit is within range "
      "of an objective, they have [Lethal Hits] as well.", w={"sustained": 1, "lethal": True}, edition="11e",
      target={"keywords": ["MARKED"]}, them={"on_objective": "own"}),
    A(OR_INSTEAD, w={"sustained": 2}, me={"battle_shocked": True}),
    A(OR_INSTEAD, w={"sustained": 1}, me={"battle_shocked": False}),
    A(CLOSE_OR_NEAR, w={"reroll_hits": "ones"}, at={"closest": False, "range_in": 10}),
    A(CLOSE_OR_NEAR, w={"reroll_hits": "ones"}, at={"closest": True, "range_in": 20}),
    A(CLOSE_OR_NEAR, at={"closest": False, "range_in": 20}),
    A("Each time a model in this unit makes an attack with a Psychic weapon or a melee weapon, re-roll a Wound roll of 1.",
      w={"reroll_wounds": "ones"}, melee=True),
    A("Triple the Attacks characteristic of the bearer’s melee weapons.", w={"A": 6}, melee=True),
    # what else a weapon is
    A("Melee weapons equipped by the bearer (excluding EXTRA ATTACKS weapons) have the [DEVASTATING WOUNDS] ability.",
      w={"devastating": True}, melee=True),
    A("Melee weapons equipped by the bearer (excluding EXTRA ATTACKS weapons) have the [DEVASTATING WOUNDS] ability.",
      melee=True, gun={"abilities": ["extra attacks"]}),
    A("Add 2 to the Attacks characteristic of the bearer’s Pistols."),
    A("Add 2 to the Attacks characteristic of the bearer’s Pistols.", w={"A": 4}, gun={"abilities": ["pistol"]}),
    T("Models in this unit have the Feel No Pain 4+ ability against Psychic Attacks.", g={"FNP": 4},
      gun={"abilities": ["psychic"]}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.text[:60])
def test_the_words_lead_to_the_numbers(case: Case) -> None:
    got, wanted = changed(case)
    assert (got.attack, got.target) == (wanted.attack, wanted.target)


def test_cover_given_by_one_rule_counts_for_another() -> None:
    sheltered = "Each time a ranged attack targets this unit, if it has the Benefit of Cover, that attack has -1 D."
    asked = T("").question()
    rules = [{"name": "a", "text": sheltered}, {"name": "b", "text": "This unit has the benefit of cover."}]
    got = apply_rules(read({**asked, "rules": {"target": rules}})).request
    assert got.target.cover
    assert got.target.groups[0].minus_damage == 1


@pytest.mark.parametrize(
    ("text", "bodyguards", "hero"),
    [
        ("CHARACTER models in this unit have the Feel No Pain 4+ ability.", {}, {"FNP": 4}),
        ("The bearer has a 4+ invulnerable save.", {}, {"InSv": 4}),
        ("Models in the bearer’s unit have a 4+ invulnerable save.", {"InSv": 4}, {"InSv": 4}),
        ("Each time an attack is allocated to this model, halve the Damage characteristic of that attack.", {},
         {"halve_damage": True}),
        ("Bodyguard models in this unit have the Feel No Pain 5+ ability.", {"FNP": 5}, {}),
        ("While a CHARACTER model is leading this unit, that model has the Feel No Pain 4+ ability.", {}, {"FNP": 4}),
        ("Add 1 to the Wounds characteristic of the bearer.", {}, {"W": 6}),
    ],
)  # fmt: skip
def test_what_only_some_models_of_a_led_unit_have(text: str, bodyguards: dict[str, Any], hero: dict[str, Any]) -> None:
    groups = [{**MIXED[0], **bodyguards}, {**MIXED[1], **hero}]
    case = T(text, target={"groups": MIXED}, them={"led_by": ["Hero"]})
    got, wanted = changed(replace(case, t={"groups": groups}))
    assert got.target == wanted.target
