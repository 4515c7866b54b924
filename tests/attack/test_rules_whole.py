# ruff: noqa: E501 — a table: one case a line
"""Whole rules texts of every kind, of either side: a request with the words is the request in plain numbers.

Each case: the words, whose they are, where they hold, where they do not, and the fields they change (of the weapon, of
the target, of its group). It is asked twice: where the words hold, and where they do not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from battlewright.attack.fold import apply_rules
from battlewright.attack.request import Request, read
from battlewright.dice import Dice


class Case(NamedTuple):
    text: str
    yes: dict[str, Any]
    no: dict[str, Any]
    change: dict[str, Any]
    side: str = "attacker"
    edition: str = "10e"


GUARD = {"attacker": {"keywords": ["RED GUARD", "INFANTRY"]}}
OTHERS = {"attacker": {"keywords": ["BLUE GUARD", "VEHICLE"]}}
MINE = {"target": {"keywords": ["RED GUARD", "INFANTRY"]}}
THEIRS = {"target": {"keywords": ["BLUE GUARD"]}}
SHOOT, FIGHT = {"phase": "shooting", "turn": "attacker"}, {"phase": "fight", "turn": "attacker", "melee": True}
OFFENSIVE = (
    "WHEN: Your Shooting phase.\nTARGET: One RED GUARD unit from your army that has not been selected to shoot this phase.\n"
    "EFFECT: Until the end of the phase, "
)
NATIVE = "WHEN: Your Shooting phase, when a friendly Red Guard unit is selected to shoot.\nTARGET: That Red Guard unit.\nEFFECT: "
DEFENSIVE = (
    "WHEN: Your opponent's Shooting phase, just after an enemy unit has selected its targets.\nTARGET: One RED GUARD unit from "
    "your army selected as the target of one or more of those attacks.\nEFFECT: Until the end of the "
    "phase, "
)
NATIVE_DEFENCE = (
    "WHEN: Your opponent's Shooting phase, when an enemy unit targets a friendly Red Guard unit.\nTARGET: That Red Guard unit.\n"
    "EFFECT: "
)
TO_VEHICLES = ({"target": {"keywords": ["VEHICLE"]}}, {"target": {"keywords": ["SWARM"]}})

CASES: dict[str, Case] = {
    "stratagem, re-roll": Case(OFFENSIVE + "each time a model in your unit makes an attack that targets a VEHICLE unit, you can re-roll the Wound roll.", {**GUARD, **TO_VEHICLES[0]}, {**GUARD, **TO_VEHICLES[1]}, {"reroll_wounds": "fails"}),
    "stratagem, ability": Case(OFFENSIVE + "ranged weapons equipped by models in your unit have the [IGNORES COVER] ability.", GUARD, {**GUARD, "melee": True}, {"ignores_cover": True}),
    "native stratagem": Case(NATIVE + "Your unit's ranged attacks have [Sustained Hits 1].", GUARD, {**GUARD, "melee": True}, {"sustained": Dice.parse(1)}, edition="11e"),
    "native stratagem, list": Case(NATIVE + "Your unit's ranged attacks have:\n■ +1 AP.\n\n■ +1 to wound rolls.", GUARD, {**GUARD, "melee": True}, {"AP": -2, "wound_mod": 1}, edition="11e"),
    "defensive stratagem": Case(DEFENSIVE + "each time an attack targets your unit, subtract 1 from the Hit roll.", MINE, {}, {"hit_mod": -1}, "target"),
    "defensive stratagem, AP": Case(DEFENSIVE + "each time an attack targets your unit, worsen the Armour Penetration characteristic of that attack by 1.", MINE, {}, {"AP": 0}, "target"),
    "defensive stratagem, save": Case(DEFENSIVE + "models in your unit have a 4+ invulnerable save.", MINE, {}, {"InSv": 4}, "target"),
    "defensive stratagem, FNP": Case(DEFENSIVE + "models in your unit have the Feel No Pain 5+ ability.", MINE, {}, {"FNP": 5}, "target"),
    "native defence, cover": Case(NATIVE_DEFENCE + "Your unit has the benefit of cover.", MINE, {}, {"cover": True}, "target", "11e"),
    "native defence, D": Case(NATIVE_DEFENCE + "Attacks that target your unit have -1 D.", MINE, {}, {"minus_damage": 1}, "target", "11e"),
    "native defence, FNP": Case(NATIVE_DEFENCE + "Your unit has Feel No Pain 5+.", MINE, {}, {"FNP": 5}, "target", "11e"),
    "enhancement": Case("RED GUARD model only. Add 1 to the Attacks characteristic of the bearer's melee weapons.", {**GUARD, "melee": True}, GUARD, {"A": Dice.parse(5)}),
    "enhancement, led unit": Case("RED GUARD model only. While the bearer is leading a unit, weapons equipped by models in that unit have the [LETHAL HITS] ability.", {"attacker": {"leading": True}}, {"attacker": {"leading": False}}, {"lethal": True}),
    "native upgrade": Case("Red Guard unit only. This unit's melee attacks have +1 S.", {**GUARD, "melee": True}, GUARD, {"S": 5}, edition="11e"),
    "native upgrade, D": Case("Red Guard unit only. This unit's ranged attacks have +1 D.", GUARD, {**GUARD, "melee": True}, {"D": Dice.parse(3)}, edition="11e"),
    "detachment rule": Case("Each time a RED GUARD model from your army makes an attack, re-roll a Hit roll of 1.", GUARD, OTHERS, {"reroll_hits": "ones"}),
    "native detachment rule": Case("Friendly RED GUARD INFANTRY units' ranged attacks have [Lethal Hits].", GUARD, OTHERS, {"lethal": True}, edition="11e"),
    "detachment, charge": Case("Each time a RED GUARD unit from your army makes a Charge move, until the end of the turn, melee weapons equipped by models in that unit have the [LANCE] ability.", {"attacker": {"keywords": ["RED GUARD"], "charged": True}, **FIGHT}, {"attacker": {"keywords": ["RED GUARD"], "charged": False}, **FIGHT}, {"lance": True}),
    "leading, hit": Case("While this model is leading a unit, each time a model in that unit makes an attack, add 1 to the Hit roll.", {"attacker": {"leading": True}}, {"attacker": {"leading": False}}, {"hit_mod": 1}),
    "leading, target": Case("While this model is leading a unit, each time an attack targets that unit, subtract 1 from the Wound roll.", {"target": {"leading": True}}, {"target": {"leading": False}}, {"wound_mod": -1}, "target"),
    "brackets": Case("While this model has 1-4 wounds remaining, each time this model makes an attack, subtract 1 from the Hit roll.", {"attacker": {"wounds_lost": 7}}, {"attacker": {"wounds_lost": 3}}, {"hit_mod": -1}),
    "state": Case("Each time a model in this unit makes an attack that targets an afflicted unit, you can re-roll the Hit roll.", {"target": {"states": ["afflicted"]}}, {"target": {"states": ["hidden"]}}, {"reroll_hits": "fails"}),
    "round": Case("From the third battle round onwards, melee weapons equipped by models in this unit have the [DEVASTATING WOUNDS] ability.", {"round": 3, "melee": True}, {"round": 2, "melee": True}, {"devastating": True}),
    "half range": Case("Each time a model in this unit makes a ranged attack that targets a unit within half range, add 1 to the Strength characteristic of that attack.", {"half_range": True}, {"half_range": False}, {"S": 5}),
    "fell back": Case("If this unit Fell Back this turn, each time a model in this unit makes an attack, subtract 1 from the Hit roll.", {"attacker": {"fell_back": True}}, {"attacker": {"fell_back": False}}, {"hit_mod": -1}),
    "set up": Case("Each time this unit makes an attack, if this unit was set up on the battlefield this turn, add 1 to the Hit roll.", {"attacker": {"set_up": True}}, {"attacker": {"set_up": False}}, {"hit_mod": 1}),
    "below half, target": Case("Each time this model makes an attack that targets a unit that is Below Half-strength, add 1 to the Wound roll.", {"target": {"below_half_strength": True}}, {"target": {"below_half_strength": False}}, {"wound_mod": 1}),
    "save against D1": Case("Each time an attack with a Damage characteristic of 1 is allocated to this model, add 1 to any armour saving throw made against that attack.", {"weapon": {"D": 1}}, {"weapon": {"D": 2}}, {"save_mod": 1}, "target"),
    "shocked": Case("While this unit is Battle-shocked, each time a model in this unit makes an attack, add 1 to the Wound roll.", {"attacker": {"battle_shocked": True}}, {"attacker": {"battle_shocked": False}}, {"wound_mod": 1}),
    "own objective": Case("While this unit is within range of an objective marker you control, models in this unit have the Feel No Pain 6+ ability.", {"target": {"on_objective": "own"}}, {"target": {"on_objective": "enemy"}}, {"FNP": 6}, "target"),
    "led by": Case("While this unit is led by a RED CAPTAIN model, each time a model in this unit makes an attack, add 1 to the Wound roll.", {"attacker": {"led_by": ["Red Captain"]}}, {"attacker": {"led_by": ["Blue Sage"]}}, {"wound_mod": 1}),
    "twin-linked": Case("Ranged weapons equipped by models in this unit have the [TWIN-LINKED] ability.", {**SHOOT}, {"melee": True}, {"twin_linked": True}),
    "rapid fire": Case("Ranged weapons equipped by models in this unit have the [RAPID FIRE 1] ability.", {**SHOOT}, {"melee": True}, {"rapid_fire": Dice.parse(1)}),
    "cleave": Case("This unit's melee attacks have [Cleave 1].", {"melee": True}, {**SHOOT}, {"cleave": 1}, edition="11e"),
    "melta": Case("This unit's ranged attacks have [Melta 2].", {**SHOOT}, {"melee": True}, {"melta": 2}, edition="11e"),
    "heavy": Case("Ranged weapons equipped by models in this unit have the [HEAVY] ability.", {**SHOOT}, {"melee": True}, {"heavy": True}),
    "critical hits": Case("Each time a model in this unit makes a melee attack, a successful unmodified Hit roll of 5+ scores a Critical Hit.", {"melee": True}, {**SHOOT}, {"crit_hit": 5}),
    "save re-roll": Case("Each time a saving throw is made for a model in this unit, you can re-roll that saving throw.", {"target": {"models": 5}}, {}, {"reroll_saves": "fails"}, "target"),
    "halved damage": Case("Each time an attack is allocated to this model, halve the Damage characteristic of that attack.", {**SHOOT}, {}, {"halve_damage": True}, "target"),
    "weapon skill": Case("Improve the Weapon Skill characteristic of melee weapons equipped by models in this unit by 1.", {"melee": True}, {**SHOOT}, {"skill_mod": -1}),
    "ballistic skill set": Case("Ranged weapons equipped by models in this unit have a Ballistic Skill characteristic of 3+.", {**SHOOT}, {"melee": True}, {"skill": 3}),
    "excluded": Case("Each time a model in this unit makes an attack that targets an enemy unit (excluding MONSTERS and VEHICLES), add 1 to the Wound roll.", TO_VEHICLES[1], TO_VEHICLES[0], {"wound_mod": 1}),
    "two attack kinds": Case("Each time a ranged attack targets this unit, if the attacker is more than 12\" away, subtract 1 from the Hit roll.", {"range_in": 13}, {"range_in": 11}, {"hit_mod": -1}, "target"),
    "enemy objective": Case("Each time this unit makes an attack that targets a unit within range of an objective marker, re-roll a Wound roll of 1.", {"target": {"on_objective": "contested"}}, {"target": {"on_objective": "none"}}, {"reroll_wounds": "ones"}),
    "psychic only": Case("Models in this unit have the Feel No Pain 4+ ability against Psychic Attacks and mortal wounds.", {**SHOOT}, {}, {"FNP_mortal": 4}, "target"),
    "at full strength": Case("While this unit is at its Starting Strength, each time a model in this unit makes an attack, re-roll a Hit roll of 1.", {"attacker": {"models": 5, "starting_models": 5}}, {"attacker": {"models": 4, "starting_models": 5}}, {"reroll_hits": "ones"}),
    "re-roll or ones": Case("Each time this model makes an attack, re-roll a Wound roll of 1. If the target of that attack is within range of an objective marker, you can re-roll the Wound roll instead.", {"target": {"on_objective": "own"}}, {}, {"reroll_wounds": "fails"}),
    "aura of defence": Case('While a friendly RED GUARD unit is within 6" of this model, models in that unit have a 5+ invulnerable save.', MINE, THEIRS, {"InSv": 5}, "target"),
    "toughness": Case("While this model is leading a unit, add 1 to the Toughness characteristic of models in that unit.", {"target": {"leading": True}}, {"target": {"leading": False}}, {"T": 5}, "target"),
    "fights after a charge": Case("If this unit made a charge move this turn, this unit's melee attacks have [Devastating Wounds].", {"attacker": {"charged": True}, "melee": True}, {"attacker": {"charged": False}, "melee": True}, {"devastating": True}, edition="11e"),
    "anti": Case("Melee weapons equipped by models in this unit have the [ANTI-MONSTER 4+] ability.", {"melee": True}, {**SHOOT}, {"anti": {"MONSTER": 4}}),
}  # fmt: skip


def asked(case: Case, where: dict[str, Any], *, ruled: bool) -> Request:
    moment = {name: value for name, value in where.items() if name not in ("melee", "weapon", "half_range")}
    weapon = {"A": 4, "skill": 4, "S": 4, "AP": -1, "D": 2, "melee": bool(where.get("melee"))} | where.get("weapon", {})
    attack: dict[str, Any] = {"weapons": [weapon], "attacker": {"models": 1, "W": 10}}
    if "half_range" in where:
        attack["half_range"] = where["half_range"]
    target = {"groups": [{"models": 5, "T": 4, "W": 3, "Sv": 3}]}
    rules = {"rules": {case.side: [{"name": "a rule", "text": case.text}]}} if ruled else {}
    phase = {} if where.get("phase") else FIGHT if where.get("melee") else SHOOT
    moment = {name: value for name, value in {**phase, **moment}.items() if name != "melee"}
    return read({"edition": case.edition, "attack": attack, "target": target, "situation": moment, **rules})


def changes(case: Case, where: dict[str, Any]) -> dict[str, Any]:
    before, after = asked(case, where, ruled=False), apply_rules(asked(case, where, ruled=True)).request
    pairs: tuple[tuple[Any, Any], ...] = (
        (before.attack.weapons[0], after.attack.weapons[0]),
        (before.target, after.target),
        (before.target.groups[0], after.target.groups[0]),
    )
    return {
        name: getattr(new, name)
        for old, new in pairs
        for name in old.__struct_fields__
        if name != "groups" and getattr(old, name) != getattr(new, name)
    }


@pytest.mark.parametrize("name", CASES)
def test_the_words_are_the_plain_numbers(name: str) -> None:
    case = CASES[name]
    assert changes(case, case.yes) == case.change


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.no])
def test_where_the_words_do_not_hold_nothing_changes(name: str) -> None:
    case = CASES[name]
    assert changes(case, case.no) == {}
