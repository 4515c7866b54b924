"""Conditions at the moment of an attack: yes, no, and "the question does not say"."""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.attack.request import read
from battlewright.attack.situation import Scene, Tri
from battlewright.attack.truth import View, holds
from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Amount,
    AttackIs,
    BattleShocked,
    Compare,
    Condition,
    During,
    Engaged,
    HasState,
    Keyword,
    Leading,
    LedBy,
    Models,
    Moved,
    Not,
    OnObjective,
    Round,
    Select,
    Strength,
    Unknown,
    Within,
    Wounds,
)
from battlewright.effects import All as Both
from battlewright.effects import Any as Either

ME, UNIT, TARGET = Select("model", ref="self"), Select("unit", ref="unit"), Select("unit", ref="target")


def n(value: int) -> Amount:
    return Amount(Dice(0, 6, value))


def kw(*groups: str) -> Keyword:
    return Keyword(tuple((group,) for group in groups))


def view(owner: Any = "attacker", weapon: dict[str, Any] | None = None, **situation: Any) -> View:
    attack = {"weapons": [{"skill": 3, "S": 5} | (weapon or {})]} | situation.pop("attack", {})
    target = {"groups": [{"models": 5, "T": 4, "W": 2, "Sv": 3}], "keywords": ["INFANTRY"]} | situation.pop("unit", {})
    request = {"edition": "10e", "attack": attack, "target": target, "situation": situation}
    scene = Scene.of(read(request))
    return View(Scene(scene.edition, scene.attack, scene.target, scene.situation, {0: 5}, {0: 4}), owner, 0)


def ask(condition: Condition, owner: Any = "attacker", **situation: Any) -> Tri:
    return holds(condition, view(owner, **situation))


def me(**facts: Any) -> dict[str, Any]:
    return {"attacker": facts}


def them(**facts: Any) -> dict[str, Any]:
    return {"target": facts}


#: condition of the attacker's rule, a situation in which it holds, one in which it does not
CASES: dict[str, tuple[Condition, dict[str, Any], dict[str, Any]]] = {
    "keyword": (About(UNIT, kw("RED GUARD")), me(keywords=["Red Guard"]), me(keywords=["BLUE GUARD"])),
    "keywords in a row": (
        About(UNIT, kw("RED GUARD INFANTRY")),
        me(keywords=["RED GUARD", "INFANTRY"]),
        me(keywords=["RED GUARD"]),
    ),
    "not a keyword": (About(UNIT, Not(kw("TITANIC"))), me(keywords=["VEHICLE"]), me(keywords=["VEHICLE", "TITANIC"])),
    "charged": (About(UNIT, Moved("charge")), me(charged=True), me(charged=False)),
    "advanced": (About(UNIT, Moved("advance")), me(advanced=True), me(advanced=False)),
    "advanced, stationary": (About(UNIT, Moved("advance")), me(advanced=True), me(stationary=True)),
    "fell back": (About(UNIT, Moved("fall_back")), me(fell_back=True), me(fell_back=False)),
    "stationary": (About(UNIT, Moved("stationary")), me(stationary=True), me(stationary=False)),
    "disembarked": (About(UNIT, Moved("disembark")), me(disembarked=True), me(disembarked=False)),
    "set up": (About(UNIT, Moved("set_up")), me(set_up=True), me(set_up=False)),
    "below starting": (
        About(UNIT, Strength("below_starting")),
        me(below_starting_strength=True),
        me(models=5, starting_models=5),
    ),
    "at starting": (
        About(UNIT, Strength("at_starting")),
        me(models=5, starting_models=5),
        me(models=4, starting_models=5),
    ),
    "below half": (
        About(UNIT, Strength("below_half")),
        me(models=4, starting_models=10),
        me(models=5, starting_models=10),
    ),
    "at half or below": (
        About(UNIT, Strength("at_or_below_half")),
        me(models=5, starting_models=10),
        me(models=6, starting_models=10),
    ),
    "target below half": (
        About(TARGET, Strength("below_half")),
        them(models=2, starting_models=5),
        them(models=5, starting_models=5),
    ),
    "battle-shocked": (About(UNIT, BattleShocked()), me(battle_shocked=True), me(battle_shocked=False)),
    "target battle-shocked": (About(TARGET, BattleShocked()), them(battle_shocked=True), them(battle_shocked=False)),
    "own objective": (About(UNIT, OnObjective("own")), me(on_objective="own"), me(on_objective="contested")),
    "any objective": (About(UNIT, OnObjective()), me(on_objective="contested"), me(on_objective="none")),
    "objective not own": (About(UNIT, OnObjective("not_own")), me(on_objective="enemy"), me(on_objective="own")),
    "target on own objective": (
        About(TARGET, OnObjective("own")),
        them(on_objective="enemy"),
        them(on_objective="own"),
    ),
    "leading": (About(ME, Leading()), me(leading=True), me(leading=False)),
    "closest": (AttackIs("closest"), {"closest": True}, {"closest": False}),
    "closest within": (AttackIs("closest", 6), {"closest": True, "range_in": 6}, {"closest": True, "range_in": 7}),
    "target within": (About(TARGET, Within(n(12), ME)), {"range_in": 12}, {"range_in": 12.5}),
    "target not within": (About(TARGET, Not(Within(n(12), ME))), {"range_in": 18}, {"range_in": 6}),
    "friends near": (
        About(UNIT, Within(n(6), Select("unit", side="friendly", where=kw("RED GUARD")))),
        me(within=[[5, "friendly", ["RED GUARD"]]]),
        me(within=[[5, "friendly", ["BLUE GUARD"]], [5, "enemy", ["RED GUARD"]], [7, "friendly", ["RED GUARD"]]]),
    ),
    "round": (Round(2, 3), {"round": 2}, {"round": 4}),
    "your turn": (During(("any",), "your"), {"turn": "attacker"}, {"turn": "opponent"}),
    "fight phase": (During(("fight",)), {"phase": "fight"}, {"phase": "shooting"}),
    "state": (About(TARGET, HasState("prey")), them(states=["Prey"]), them(states=["hidden"])),
    "wounds left": (
        About(ME, Wounds(1, 4)),
        {"attack": {"attacker": {"W": 10, "wounded": 6}}},
        {"attack": {"attacker": {"W": 10, "wounded": 5}}},
    ),
    "lost wounds": (About(ME, Wounds(1, None, lost=True)), me(wounds_lost=1), me(wounds_lost=0)),
    "models": (About(TARGET, Models(5)), them(models=5), them(models=4)),
    "engaged": (About(UNIT, Engaged()), me(engaged=True), me(engaged=False)),
}

#: conditions that have an answer although nothing is said: numbers of the request, states that are not listed
ALWAYS_KNOWN = ("state", "models", "target below half", "your turn", "fight phase")


@pytest.mark.parametrize("name", CASES)
def test_a_condition_holds_and_does_not(name: str) -> None:
    condition, yes, no = CASES[name]
    assert ask(condition, **yes) is True
    assert ask(condition, **no) is False


@pytest.mark.parametrize("name", [name for name in CASES if name not in ALWAYS_KNOWN])
def test_what_is_not_said_is_not_known(name: str) -> None:
    condition = CASES[name][0]
    looked = view()
    assert holds(condition, looked) is None
    assert looked.doubts


@pytest.mark.parametrize("name", CASES)
def test_not_turns_the_answer_round(name: str) -> None:
    condition, yes, no = CASES[name]
    assert ask(Not(condition), **yes) is False
    assert ask(Not(condition), **no) is True


def test_and_or_with_the_unknown() -> None:
    unknown, yes, no = About(UNIT, BattleShocked()), AttackIs("ranged"), AttackIs("melee")
    assert [ask(Both((unknown, one))) for one in (yes, no)] == [None, False]
    assert [ask(Either((unknown, one))) for one in (yes, no)] == [True, None]


def test_objectives_are_seen_from_the_rules_owner() -> None:
    own = About(UNIT, OnObjective("own"))
    assert ask(own, "target", target={"on_objective": "own"}) is True
    assert (
        ask(About(Select("unit", ref="attacker"), OnObjective("own")), "target", attacker={"on_objective": "own"})
        is False
    )


def test_leaders_are_known_by_name() -> None:
    captain = About(UNIT, LedBy(Select("model", where=kw("CAPTAIN"))))
    assert ask(captain, **me(led_by=["Red Captain on Horse"])) is True
    assert ask(captain, **me(led_by=["Red Priest"])) is None, "his keywords are not told"
    assert ask(captain) is None
    assert ask(About(UNIT, LedBy(Select("model", where=kw("CHARACTER")))), **me(led_by=["Red Priest"])) is True


def test_strength_against_toughness() -> None:
    assert ask(Compare("attack.S", ">", "target.T")) is True
    assert ask(Compare("attack.S", "<", "target.T")) is False
    assert ask(Compare("attack.S", "<=", "5")) is True


def test_an_aura_reaches_its_bearer_and_the_enemy_met() -> None:
    near = Select("unit", side="enemy", where=Within(n(6), UNIT))
    assert ask(About(near, kw("INFANTRY")), "target", range_in=5, attacker={"keywords": ["INFANTRY"]}) is True
    assert ask(About(UNIT, Within(n(6), ME))) is True


def test_a_fight_is_close() -> None:
    assert ask(About(TARGET, Within(n(3), ME)), weapon={"melee": True}) is True
    assert ask(About(TARGET, Engaged(UNIT)), weapon={"melee": True}) is True


def test_what_was_not_read_never_holds() -> None:
    assert ask(Unknown("while the moon is full")) is None
    assert ask(Not(Unknown("while the moon is full"))) is None


@pytest.mark.parametrize(("owner", "wanted"), [("attacker", True), ("target", False)])
def test_whose_turn_depends_on_the_owner(owner: str, wanted: bool) -> None:
    assert ask(During(("shooting",), "your"), owner) is wanted
