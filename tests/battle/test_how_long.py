"""How long what a rule does lasts: each stretch a text may name, and when it is over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battlewright.battle.engine import Battle
from battlewright.battle.reminders import is_enforced
from battlewright.battle.state import Did
from battlewright.dice import Dice
from battlewright.effects import (
    Amount,
    Clause,
    Duration,
    EditionId,
    Effect,
    Event,
    Forbid,
    Move,
    Rule,
    Select,
    StatMod,
    Window,
)
from battlewright.rulestext.build import read
from conftest import offered, unit, with_unit_rule

ME = Select(ref="unit")
FASTER = StatMod(("M",), "add", Amount(Dice.parse(3)), who=ME)
OURS, THEIRS = 0, 1

#: what is said when the unit of player A is selected to move in his turn of round 2, and the moments at which it holds
SAID: list[tuple[Duration, list[tuple[int, int, str]], list[tuple[int, int, str]]]] = [
    (Duration("turn", whose="opponent", next=True), [(2, THEIRS, "shooting")], [(3, OURS, "movement")]),
    (Duration("turn", whose="your", next=True), [(2, THEIRS, "shooting"), (3, OURS, "shooting")], [(3, THEIRS, "movement")]),
    (Duration("phase", "start", "your", True, "movement"), [(2, THEIRS, "shooting")], [(3, OURS, "movement")]),
    (Duration("phase", "start", "your", True, "shooting"), [(2, OURS, "movement")], [(2, OURS, "shooting")]),
    (Duration("phase", "end", "your", True, "movement"), [(3, OURS, "movement")], [(3, OURS, "shooting")]),
    (Duration("phase", "end", "opponent", True, "shooting"), [(2, THEIRS, "shooting")], [(2, THEIRS, "charge")]),
    (Duration("round", "start", "either", True), [(2, THEIRS, "shooting")], [(3, OURS, "movement")]),
    (Duration("turn"), [(2, OURS, "shooting")], [(2, THEIRS, "movement")]),
    (Duration("phase"), [(2, OURS, "movement")], [(2, OURS, "shooting")]),
]  # fmt: skip


def to(battle: Battle, round: int, turn: int, phase: str) -> None:
    """Pass until this moment has come."""
    for _ in range(200):
        if (battle.state.round, battle.state.turn, battle.state.phase) == (round, turn, phase):
            return
        answers = offered(battle)
        battle.play(next((c for c in ("pass", "do stationary") if c in answers), answers[-1]))
    raise AssertionError(f"{round}, {turn}, {phase} never came")


@pytest.mark.parametrize(("lasts", "during", "over"), SAID, ids=lambda one: str(one)[:60])
def test_it_holds_until_then_and_no_longer(table, lasts: Duration, during: list, over: list) -> None:
    rule = Rule("Haste", (Clause((FASTER,), Event("selected_to_move", ME), lasts=lasts),))
    units = [
        unit("a1", "A", [(20, 22)]), unit("a2", "A", [(20, 30)]), unit("b1", "B", [(24, 22)]), unit("b2", "B", [(24, 30)]),
    ]  # fmt: skip
    battle = with_unit_rule(table("10e", "movement", units, cp={"A": 0, "B": 0}), rule)
    battle.play("select a1")
    assert battle.table.rules.stat(0, "M") == 9
    setting = battle.setting
    units_without = tuple(replace(u, rules=()) for u in setting.units)
    battle.setting = battle.table.setting = replace(setting, units=units_without)  # nothing begins it anew
    for moment in during:
        to(battle, *moment)
        assert battle.table.rules.stat(0, "M") == 9, moment
    for moment in over:
        to(battle, *moment)
        assert battle.table.rules.stat(0, "M") == 6, moment


STAND = (
    'While an enemy unit is within 6" of this model, each time that unit is selected to Fall Back, it must take a '
    "Leadership test. If that test is failed, that unit must Remain Stationary this phase instead."
)


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize(("roll", "falls"), [([1, 1], False), ([6, 6], True)])
def test_who_fails_the_test_does_not_fall_back(table, edition: EditionId, roll: list[int], falls: bool) -> None:
    rule, _ = read(STAND, name="Own", kind="unit-ability", edition=edition)
    assert is_enforced(rule)
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(21.5, 22)]), unit("a2", "A", [(5, 5)])]
    battle = with_unit_rule(table(edition, "movement", units, cp={"A": 0, "B": 0}, dice=roll), rule, 1)
    battle.play("select a1")
    battle.play("do fall_back")
    assert battle.state.did(0, Did.STATIONARY) is not falls
    if falls:
        if edition == "11e":
            battle.play("do ordered_retreat")
        battle.play("move a1 a1#0:15,22")
        assert battle.state.did(0, Did.FELL_BACK)


@pytest.mark.parametrize(("kind", "left"), [
    (Move("stationary", who=Select(side="enemy"), may=False), ["do stationary"]),
    (Forbid("advance", Select(side="enemy")), ["do normal", "do stationary"]),
])  # fmt: skip
def test_in_their_next_movement_phase_they_do_not(table, kind: Effect, left: list[str]) -> None:
    """Said in player A's turn of all enemies: it binds player B in his next Movement phase, and not in the one after."""
    coming = Clause((kind,), Window(("movement",), "opponent", step="next"))
    rule = Rule("Net", (Clause((coming,), Event("selected_to_move", ME)),))
    assert is_enforced(rule)
    units = [unit("a1", "A", [(10, 22)]), unit("b1", "B", [(50, 22)]), unit("b2", "B", [(50, 30)])]
    battle = with_unit_rule(table("10e", "movement", units, cp={"A": 0, "B": 0}), rule)
    battle.play("select a1")
    bare = tuple(replace(u, rules=()) for u in battle.setting.units)
    battle.setting = battle.table.setting = replace(battle.setting, units=bare)
    for round, offers in ((2, left), (3, ["do advance", "do normal", "do stationary"])):
        to(battle, round, THEIRS, "movement")
        battle.play("select b1")
        if len(offers) > 1:
            assert sorted(offered(battle)) == offers
        else:
            assert battle.state.did(1, Did.STATIONARY)
