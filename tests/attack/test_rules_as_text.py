"""Rules as words, in both dialects and on both sides: each changes the odds exactly where its condition holds.

Every effect is tried with every condition: where the condition holds the numbers change, where it does not and where the
question does not say they do not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from battlewright.attack.answer import answer
from battlewright.attack.ask import ask
from battlewright.attack.fold import Folded, apply_rules
from battlewright.attack.request import Request, read
from battlewright.dice import Dice
from battlewright.errors import BadInput

FIVE = Dice.parse(5)


class Effect(NamedTuple):
    """An effect in the two dialects (of one attack; of "this unit's attacks"), and the fields of the weapon it changes."""

    tenth: str
    eleventh: str
    change: dict[str, Any]


class Condition(NamedTuple):
    """A condition in the two dialects: what stands after the attack, what stands before; where it holds, where not.

    Not known: nothing is said.
    """

    tenth: tuple[str, str]
    eleventh: tuple[str, str]
    yes: dict[str, Any]
    no: dict[str, Any]
    known: bool = False


EFFECTS: dict[str, Effect] = {
    "hit": Effect("add 1 to the Hit roll", "have +1 to hit rolls", {"hit_mod": 1}),
    "wound": Effect("add 1 to the Wound roll", "have +1 to wound rolls", {"wound_mod": 1}),
    "AP": Effect("improve the Armour Penetration characteristic of that attack by 1", "have +1 AP", {"AP": -2}),
    "S": Effect("add 2 to the Strength characteristic of that attack", "have +2 S", {"S": 6}),
    "D": Effect("add 1 to the Damage characteristic of that attack", "have +1 D", {"D": Dice.parse(3)}),
    "re-roll hits of 1": Effect("re-roll a Hit roll of 1", "can re-roll hit rolls of 1", {"reroll_hits": "ones"}),
    "re-roll hits": Effect("you can re-roll the Hit roll", "can re-roll hit rolls", {"reroll_hits": "fails"}),
    "re-roll wounds of 1": Effect(
        "re-roll a Wound roll of 1", "can re-roll wound rolls of 1", {"reroll_wounds": "ones"}
    ),
    "re-roll wounds": Effect("you can re-roll the Wound roll", "can re-roll wound rolls", {"reroll_wounds": "fails"}),
    "re-roll damage": Effect("you can re-roll the Damage roll", "can re-roll damage rolls", {"reroll_damage": "fails"}),
    "lethal": Effect("that attack has the [LETHAL HITS] ability", "have [Lethal Hits]", {"lethal": True}),
    "sustained": Effect(
        "that attack has the [SUSTAINED HITS 1] ability", "have [Sustained Hits 1]", {"sustained": Dice.parse(1)}
    ),
    "devastating": Effect(
        "that attack has the [DEVASTATING WOUNDS] ability", "have [Devastating Wounds]", {"devastating": True}
    ),
    "anti": Effect(
        "that attack has the [ANTI-INFANTRY 4+] ability", "have [Anti-Infantry 4+]", {"anti": {"INFANTRY": 4}}
    ),
    "precision": Effect("that attack has the [PRECISION] ability", "have [Precision]", {"precision": True}),
    "ignores cover": Effect(
        "that attack has the [IGNORES COVER] ability", "have [Ignores Cover]", {"ignores_cover": True}
    ),
    "critical hits": Effect(
        "an unmodified Hit roll of 5+ scores a Critical Hit",
        "score critical hits on unmodified hit rolls of 5+",
        {"crit_hit": 5},
    ),
    "two": Effect(
        "add 1 to the Hit roll and add 1 to the Wound roll",
        "have +1 to hit rolls and +1 to wound rolls",
        {"hit_mod": 1, "wound_mod": 1},
    ),
}

CONDITIONS: dict[str, Condition] = {
    "none": Condition(("", ""), ("", ""), {}, {"attack": {"other": True}}, True),
    "keyword": Condition(
        (" that targets a MONSTER or VEHICLE unit", ""),
        (" that target a Monster/Vehicle unit", ""),
        {"target": {"keywords": ["VEHICLE"]}},
        {"target": {"keywords": ["SWARM"]}},
        True,
    ),
    "no keyword": Condition(
        (" that targets a unit (excluding VEHICLE units)", ""),
        (" that target a non-Vehicle unit", ""),
        {"target": {"keywords": ["SWARM"]}},
        {"target": {"keywords": ["VEHICLE"]}},
        True,
    ),
    "below half": Condition(
        (" that targets a unit that is Below Half-strength", ""),
        (" that target a unit that is below half-strength", ""),
        {"target": {"below_half_strength": True}},
        {"target": {"below_half_strength": False}},
        True,
    ),
    "battle-shocked": Condition(
        (" that targets a Battle-shocked unit", ""),
        (" that target a battle-shocked unit", ""),
        {"target": {"battle_shocked": True}},
        {"target": {"battle_shocked": False}},
    ),
    "objective": Condition(
        (" that targets a unit within range of an objective marker", ""),
        (" that target a unit within range of an objective", ""),
        {"target": {"on_objective": "contested"}},
        {"target": {"on_objective": "none"}},
    ),
    "own objective": Condition(
        (" that targets a unit within range of an objective marker you control", ""),
        (" that target a unit within range of an objective you control", ""),
        {"target": {"on_objective": "enemy"}},
        {"target": {"on_objective": "own"}},
    ),
    "range": Condition(
        (' that targets a unit within 12"', ""),
        (' that target a unit within 12" of this unit', ""),
        {"range_in": 12},
        {"range_in": 13},
    ),
    "closest": Condition(
        (" that targets the closest eligible target", ""),
        (" that target the closest eligible target", ""),
        {"closest": True},
        {"closest": False},
    ),
    "charged": Condition(
        ("", "if this unit made a Charge move this turn, "),
        ("", "If this unit made a charge move this turn, "),
        {"attacker": {"charged": True}},
        {"attacker": {"charged": False}},
    ),
    "stationary": Condition(
        ("", "if this unit Remained Stationary this turn, "),
        ("", "If this unit remained stationary this turn, "),
        {"attacker": {"stationary": True}},
        {"attacker": {"stationary": False}},
    ),
    "advanced": Condition(
        ("", "if this unit Advanced this turn, "),
        ("", "If this unit made an advance move this turn, "),
        {"attacker": {"advanced": True}},
        {"attacker": {"advanced": False}},
    ),
    "disembarked": Condition(
        ("", "if this unit disembarked from a Transport this turn, "),
        ("", "If this unit disembarked from a Transport this turn, "),
        {"attacker": {"disembarked": True}},
        {"attacker": {"disembarked": False}},
    ),
    "below starting": Condition(
        ("", "if this unit is below its Starting Strength, "),
        ("", "If this unit is below starting strength, "),
        {"attacker": {"models": 4, "starting_models": 5}},
        {"attacker": {"models": 5, "starting_models": 5}},
    ),
    "shocked itself": Condition(
        ("", "if this unit is not Battle-shocked, "),
        ("", "If this unit is not battle-shocked, "),
        {"attacker": {"battle_shocked": False}},
        {"attacker": {"battle_shocked": True}},
    ),
    "near friends": Condition(
        ("", 'if this unit is within 6" of one or more friendly RED GUARD units, '),
        ("", 'If this unit is within 6" of one or more friendly Red Guard units, '),
        {"attacker": {"within": [[4, "friendly", ["RED GUARD"]]]}},
        {"attacker": {"within": [[4, "enemy", ["RED GUARD"]]]}},
    ),
}


def question(situation: dict[str, Any]) -> dict[str, Any]:
    weapon = {"A": 4, "skill": 4, "S": 4, "AP": -1, "D": 2}
    moment = {name: value for name, value in situation.items() if name != "attack"}
    return {
        "edition": "10e",
        "attack": {"weapons": [weapon]},
        "target": {"groups": [{"models": 5, "T": 4, "W": 3, "Sv": 3}], "keywords": ["INFANTRY"]},
        "situation": {"phase": "shooting", "turn": "attacker", **moment},
    }


def asked(text: str, situation: dict[str, Any], owner: str = "attacker") -> tuple[Request, Folded]:
    request = read({**question(situation), "rules": {owner: [{"name": "a rule", "text": text}]}})
    return read(question(situation)), apply_rules(request)


def changes(before: Request, folded: Folded) -> dict[str, Any]:
    old, new = before.attack.weapons[0], folded.request.attack.weapons[0]
    return {name: getattr(new, name) for name in new.__struct_fields__ if getattr(new, name) != getattr(old, name)}


def tenth(effect: Effect, condition: Condition) -> str:
    after, before = condition.tenth
    return f"Each time a model in this unit makes an attack{after}, {before}{effect.tenth}."


def eleventh(effect: Effect, condition: Condition) -> str:
    after, before = condition.eleventh
    words = f"this unit’s attacks{after} {effect.eleventh}."
    return before + words if before else words[0].upper() + words[1:]


PAIRS = [(effect, condition) for condition in CONDITIONS for effect in EFFECTS]


@pytest.mark.parametrize("dialect", [tenth, eleventh], ids=["10e-style", "11e-native"])
@pytest.mark.parametrize(("effect", "condition"), PAIRS)
def test_it_acts_where_its_condition_holds(effect: str, condition: str, dialect: Any) -> None:
    what, where = EFFECTS[effect], CONDITIONS[condition]
    text = dialect(what, where)
    assert changes(*asked(text, where.yes)) == what.change, text
    if condition != "none":
        assert changes(*asked(text, where.no)) == {}, text
    if not where.known:
        before, folded = asked(text, {})
        assert changes(before, folded) == {}, text
        assert folded.assumed, text


@pytest.mark.parametrize("dialect", [tenth, eleventh], ids=["10e-style", "11e-native"])
@pytest.mark.parametrize("effect", EFFECTS)
def test_it_does_nothing_on_the_other_side(effect: str, dialect: Any) -> None:
    text = dialect(EFFECTS[effect], CONDITIONS["none"])
    assert changes(*asked(text, {}, "target")) == {}, text


#: what attacks against a unit lose, in both dialects, and the fields that change (of the weapon, of the group)
DEFENCES: dict[str, tuple[str, str, dict[str, Any], dict[str, Any]]] = {
    "hit": ("subtract 1 from the Hit roll", "have -1 to hit rolls", {"hit_mod": -1}, {}),
    "wound": ("subtract 1 from the Wound roll", "have -1 to wound rolls", {"wound_mod": -1}, {}),
    "AP": ("worsen the Armour Penetration characteristic of that attack by 1", "have -1 AP", {"AP": 0}, {}),
    "D": ("subtract 1 from the Damage characteristic of that attack", "have -1 D", {}, {"minus_damage": 1}),
    "half D": ("halve the Damage characteristic of that attack", "have halved D", {}, {"halve_damage": True}),
}


@pytest.mark.parametrize("name", DEFENCES)
@pytest.mark.parametrize("dialect", [0, 1], ids=["10e-style", "11e-native"])
def test_attacks_against_this_unit(name: str, dialect: int) -> None:
    if (name, dialect) == ("half D", 1):
        pytest.skip("no native words for it")
    *words, weapon, group = DEFENCES[name]
    whole = (f"Each time a{{}} attack targets this unit, {words[0]}.", f"{{}}ttacks that target this unit {words[1]}.")
    text = whole[dialect]
    kinds = [("n", " ranged", " melee"), ("A", "Ranged a", "Melee a")][dialect]
    for kind, acts in zip(kinds, (True, True, False), strict=True):
        before, folded = asked(text.format(kind), {}, "target")
        assert changes(before, folded) == (weapon if acts else {}), text.format(kind)
        old, new = before.target.groups[0], folded.request.target.groups[0]
        got = {name: getattr(new, name) for name in new.__struct_fields__ if getattr(new, name) != getattr(old, name)}
        assert got == (group if acts else {})
        assert changes(*asked(text.format(kind), {})) == {}


#: what a unit has: words in both dialects, and the group's or target's fields
HAS: dict[str, tuple[str, str, dict[str, Any], dict[str, Any]]] = {
    "InSv": ("Models in this unit have a 5+ invulnerable save", "This unit has 5+ InSv", {"InSv": 5}, {}),
    "InSv ranged": (
        "Models in this unit have a 5+ invulnerable save against ranged attacks",
        "This unit has 5+ InSv against ranged attacks",
        {"InSv": 5},
        {},
    ),
    "InSv melee": (
        "Models in this unit have a 5+ invulnerable save against melee attacks",
        "This unit has 5+ InSv against melee attacks",
        {},
        {},
    ),
    "FNP": ("Models in this unit have the Feel No Pain 5+ ability", "This unit has Feel No Pain 5+", {"FNP": 5}, {}),
    "FNP mortal": (
        "Models in this unit have the Feel No Pain 4+ ability against mortal wounds",
        "This unit has Feel No Pain 4+ against mortal wounds",
        {"FNP_mortal": 4},
        {},
    ),
    "FNP psychic": (
        "Models in this unit have the Feel No Pain 4+ ability against Psychic Attacks",
        "This unit has Feel No Pain 4+ against psychic attacks",
        {},
        {},
    ),
    "T": ("Add 1 to the Toughness characteristic of models in this unit", "This unit has +1 T", {"T": 5}, {}),
    "Sv": ("Improve the Save characteristic of models in this unit by 1", "This unit has +1 Sv", {"Sv": 2}, {}),
    "W": ("Add 1 to the Wounds characteristic of models in this unit", "This unit has +1 W", {"W": 4}, {}),
    "cover": (
        "Models in this unit have the Benefit of Cover",
        "This unit has the benefit of cover",
        {},
        {"cover": True},
    ),
    "stealth": ("Models in this unit have the Stealth ability", "This unit has Stealth", {}, {"stealth": True}),
    "deep strike": ("Models in this unit have the Deep Strike ability", "This unit has Deep Strike", {}, {}),
}


@pytest.mark.parametrize("name", HAS)
@pytest.mark.parametrize("dialect", [0, 1], ids=["10e-style", "11e-native"])
def test_what_this_unit_has(name: str, dialect: int) -> None:
    *words, group, target = HAS[name]
    before, folded = asked(words[dialect] + ".", {}, "target")
    old, new = before.target, folded.request.target
    first = {name: getattr(new.groups[0], name) for name in new.groups[0].__struct_fields__}
    assert {name: value for name, value in first.items() if value != getattr(old.groups[0], name)} == group
    rest = {name: getattr(new, name) for name in new.__struct_fields__ if name != "groups"}
    assert {name: value for name, value in rest.items() if value != getattr(old, name)} == target
    assert asked(words[dialect] + ".", {})[1].request == before


def test_a_choice_where_nothing_is_to_choose_is_told() -> None:
    text = "Each time a model in this unit makes an attack, add 1 to the Hit roll."
    rules = {"attacker": [{"name": "Aim", "text": text, "choose": "the second one"}]}
    request = {
        "edition": "11e",
        "attack": {"weapons": [{"skill": 4, "S": 4}]},
        "target": {"groups": [{"models": 1, "T": 4, "W": 1, "Sv": 4}]},
        "rules": rules,
    }
    assert answer(read(request)).assumed == ("Aim: has no option to choose, “the second one” changes nothing",)


def test_a_rule_without_words_is_refused() -> None:
    with pytest.raises(BadInput, match="expected the words of a rule, got none @ rule 2"):
        ask("Kasrkin", "Canis Rex", rules=["add 1 to the Hit roll", "  "])
