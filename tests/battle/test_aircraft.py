"""AIRCRAFT: they start in reserves, arrive, fly and leave. Rules: 11e 23; 10e T-9.8."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from battlewright.battle.eligible import may_arrive, may_fight
from battlewright.battle.engine import Battle, fresh_state
from battlewright.battle.events import LeftBattlefield
from battlewright.battle.state import M, U, Where
from battlewright.battle.table import Table
from conftest import asked, offered, sheet, unit

Start = Callable[..., Battle]


def plane(**parts: Any) -> dict[str, Any]:
    profile = {"M": 20, "T": 8, "W": 10}
    return sheet("Test Flyer", keywords=["VEHICLE", "FLY", "AIRCRAFT"], profile=profile, **parts)


def fresh(battle: Battle) -> Table:
    """The table with nobody selected to fight."""
    battle.state.unlock()
    battle.state.unit[:, U.DID] = 0
    return Table(battle.setting, battle.state)


def until(battle: Battle, phase: str, turn: int) -> None:
    """Everything is passed until this phase of this player, or the battle is over."""
    for _ in range(200):
        if battle.over or (battle.state.phase, battle.state.turn) == (phase, turn):
            return
        battle.play("pass" if battle.why_not("pass") is None else offered(battle)[0])


def from_the_start(edition: str, *, hover: bool = False) -> Battle:
    """A battle in which one unit of A is AIRCRAFT."""
    armies = {"10e": ("Ranger post", "Strike group"), "11e": ("Kasrkin patrol", "Forge patrol")}[edition]
    setting = Battle.new(armies, edition=edition, seed=3).setting  # type: ignore[arg-type]
    first = setting.units[0]
    words = first.keywords | {"AIRCRAFT", "FLY"}
    units = (replace(first, keywords=words, core={"hover": None} if hover else {}), *setting.units[1:])
    models = tuple(replace(m, keywords=m.keywords | words) if m.unit == 0 else m for m in setting.models)
    battle = Battle(replace(setting, units=units, models=models), fresh_state(setting))
    battle.state_push("battle")
    battle.advance()
    return battle


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_they_start_in_reserves(edition: str) -> None:
    battle = from_the_start(edition)
    assert battle.state.where(0) == Where.RESERVES
    assert asked(battle) == "PutUnit"


@pytest.mark.parametrize(("choice", "where"), [("hover", Where.UNDEPLOYED), ("aircraft", Where.RESERVES)])
def test_hover_may_be_chosen_before_anything_else_in_the_10th_edition(choice: str, where: Where) -> None:
    battle = from_the_start("10e", hover=True)
    assert offered(battle) == ["do aircraft", "do hover"]
    battle.play(f"do {choice}")
    assert battle.state.where(0) == where
    assert ("AIRCRAFT" in battle.table.keywords(0)) == (choice == "aircraft")
    if choice == "hover":
        assert battle.table.rules.stat(0, "M") == 20


def test_in_the_11th_edition_they_leave_at_the_end_of_the_opponents_turn(table: Start) -> None:
    """11e 23.02: on the battlefield it cannot be moved, and goes back to reserves, from where it may come again."""
    units = [unit("a1", "A", [(20, 22)], plane()), unit("a2", "A", [(5, 5)]), unit("b1", "B", [(50, 40)])]
    battle = table("11e", "movement", units)
    assert "11e 23.02" in str(battle.why_not("select a1"))
    until(battle, "movement", 1)
    assert battle.state.where(0) == Where.BATTLEFIELD
    until(battle, "movement", 0)
    assert battle.state.where(0) == Where.RESERVES
    assert "select a1" in offered(battle)


def test_in_the_10th_edition_they_fly_far_and_straight_ahead(table: Start) -> None:
    units = [unit("a1", "A", [(10, 22)], plane()), unit("a2", "A", [(5, 5)]), unit("b1", "B", [(50, 40)])]
    battle = table("10e", "movement", units)
    assert "must be selected" in str(battle.why_not("pass"))
    battle.play("select a1")
    assert asked(battle) == "MoveModels"
    for wrong, why in (
        ("move a1 a1#0:25,22", "at least 20"),
        ("move a1 a1#0:35,23", "straight ahead"),
        ("move a1 a1#0:35,22@120", "turns 120 degrees"),
        ("move a1 a1#0:59.8,22", "edge"),
        ("move a1 a1#0:20,22>35,22", "straight ahead"),
        ("move a1", "flies on"),
    ):
        reason = battle.why_not(wrong)
        assert reason is not None, wrong
        assert why in reason.detail
    choices = offered(battle)
    assert len(choices) == 6
    assert choices[0] == "move a1 a1#0:30.000,22.000"
    battle.play("move a1 a1#0:40,22@90")
    assert battle.state.model[0, : M.FACING + 1].tolist() == [40000, 22000, 0, 90]
    assert battle.why_not("pass") is None


def test_in_the_10th_edition_who_leaves_the_table_comes_back_a_turn_later(table: Start) -> None:
    units = [unit("a1", "A", [(50, 22)], plane()), unit("a2", "A", [(5, 5)]), unit("b1", "B", [(50, 40)])]
    battle = table("10e", "movement", units)
    battle.play("select a1")
    assert offered(battle) == ["pass"]
    battle.play("pass")
    assert any(isinstance(e, LeftBattlefield) for _, e in battle.log)
    assert battle.state.where(0) == Where.RESERVES
    assert "already selected" in str(may_arrive(battle.table, 0))
    until(battle, "movement", 1)
    until(battle, "movement", 0)
    battle.play("select a2")
    battle.play("do stationary")
    assert "select a1" in offered(battle)


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_nobody_is_kept_from_moving_by_aircraft_alone(table: Start, edition: str) -> None:
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(21.9, 22)], plane()), unit("b2", "B", [(50, 40)])]
    battle = table(edition, "movement", units)
    battle.play("select a1")
    assert "do normal" in offered(battle)
    battle.play("do normal")
    assert battle.why_not("move a1 a1#0:15,22") is None


def test_aircraft_fight_only_what_flies_in_the_10th_edition(table: Start) -> None:
    for words, may in ((["INFANTRY", "FLY"], True), (["INFANTRY"], False)):
        foe = sheet(keywords=words, profile={"W": 9})
        battle = table("10e", "fight", [unit("a1", "A", [(20, 22)], plane()), unit("b1", "B", [(21.9, 22)], foe)])
        reason = may_fight(fresh(battle), 0)
        assert ("AIRCRAFT" in str(reason)) == (not may)
