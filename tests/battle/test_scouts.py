"""Scouts: from the zone, from reserves, by transport. Rules: 11e 24.31, 24.32; 10e T-9.6. And other small rules of units."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from battlewright.battle.choices import Select
from battlewright.battle.decisions import ChooseUnit, MoveModels, SetUpUnit
from battlewright.battle.engine import Battle
from battlewright.battle.state import Frame, Where
from conftest import asked, offered, sheet, unit, weapon

Start = Callable[..., Battle]
SCOUT = [{"name": 'Scouts 6"', "text": ""}]
CARRY = {"name": "Transport", "text": "This model has a transport capacity of 12 INFANTRY models."}


def before_the_battle(table: Start, edition: str, units: list[dict[str, Any]]) -> Battle:
    """The same units at the moment of their scout moves: A's zone is x below 18."""
    frames = [{"procedure": "battle", "step": 5, "local": {}}, {"procedure": "scouts", "step": 0, "local": {}}]
    return table(edition, "command", units, round=0, frames=frames)


@pytest.mark.parametrize(("edition", "may"), [("10e", True), ("11e", False)])
def test_who_stands_outside_the_zone_scouts_only_in_the_10th_edition(table: Start, edition: str, may: bool) -> None:
    units = [
        unit("a1", "A", [(25, 22)], sheet(abilities=SCOUT)),
        unit("a2", "A", [(10, 10)], sheet(abilities=SCOUT)),
        unit("b1", "B", [(55, 22)]),
    ]
    battle = before_the_battle(table, edition, units)
    assert isinstance(battle.decision, ChooseUnit)
    reason = battle.why_not(Select("a1"))
    assert (reason is None) == may
    assert battle.why_not(Select("a2")) is None
    if reason is not None:
        assert "not wholly within its deployment zone" in reason.detail


@pytest.mark.parametrize(("edition", "comes"), [("10e", False), ("11e", True)])
def test_scouts_in_reserves_are_set_up_in_the_11th_edition(table: Start, edition: str, comes: bool) -> None:
    units = [unit("a1", "A", [(0, 0)], sheet(abilities=SCOUT), reserves=True), unit("b1", "B", [(55, 22)])]
    units.append(unit("a2", "A", [(10, 10)], sheet(abilities=SCOUT)))
    battle = before_the_battle(table, edition, units)
    assert ("select a1" in offered(battle)) == comes
    if comes:
        battle.play("select a1")
        assert isinstance(battle.decision, SetUpUnit)
        assert battle.why_not("place a1 a1#0:30,22") is not None
        battle.play("place a1 a1#0:12,22")
        assert battle.state.where(0) == Where.BATTLEFIELD


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("all_scout", [True, False])
def test_a_dedicated_transport_scouts_with_those_aboard(table: Start, edition: str, all_scout: bool) -> None:
    words = ["VEHICLE", "TRANSPORT", "DEDICATED TRANSPORT"]
    truck = sheet("Truck", keywords=words, abilities=[CARRY], profile={"W": 10, "M": 12})
    units = [
        unit("t1", "A", [(10, 22)], truck),
        unit("p1", "A", [(0, 0)], sheet(abilities=SCOUT), embarked_in="t1"),
        unit("p2", "A", [(0, 0)], sheet(abilities=SCOUT if all_scout else []), embarked_in="t1"),
        unit("a2", "A", [(10, 10)], sheet(abilities=SCOUT)),
        unit("b1", "B", [(55, 22)]),
    ]
    battle = before_the_battle(table, edition, units)
    assert ("select t1" in offered(battle)) == all_scout
    if all_scout:
        battle.play("select t1")
        assert isinstance(battle.decision, MoveModels)
        assert battle.decision.reach == (6000,)


@pytest.mark.parametrize(("wounds", "needs"), [(9, 3), (8, 4)])
def test_a_damaged_model_hits_worse(table: Start, wounds: int, needs: int) -> None:
    """11e 24.39."""
    big = sheet(abilities=[{"name": "Damaged 8", "text": ""}], profile={"W": 16}, weapons=[weapon("gun")])
    units = [unit("a1", "A", [(20, 22)], big, wounds=[wounds]), unit("b1", "B", [(30, 22)])]
    battle = table("11e", "shooting", units, dice=[1, 1])
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert [e.needs for _, e in battle.log if getattr(e, "purpose", "") == "hit"] == [needs]  # type: ignore[union-attr]
    assert battle.not_enforced() == ()


def emergency(table: Start, edition: str, foes: list[tuple[float, float]]) -> Battle:
    """A transport that has just fallen, with one passenger."""
    truck = sheet("Truck", keywords=["VEHICLE", "TRANSPORT"], abilities=[CARRY], profile={"W": 10})
    units = [
        unit("t1", "A", [(20, 22)], truck),
        unit("p1", "A", [(0, 0)], sheet(), embarked_in="t1"),
        unit("b1", "B", foes, sheet(count=len(foes))),
    ]
    battle = table(edition, "shooting", units)
    frame = Frame("emergency_disembark", 0 if edition == "10e" else 1, {"unit": 1, "model": 0})
    plain = battle.position()
    plain["frames"] = [*plain["frames"], {"procedure": frame.procedure, "step": frame.step, "local": frame.local}]
    plain["units"][0]["models"][0]["wounds"] = 0
    return Battle.from_position(plain, debug=True)


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_passengers_that_find_room_must_take_it(table: Start, edition: str) -> None:
    battle = emergency(table, edition, [(50, 40)])
    assert asked(battle) == "SetUpUnit"
    assert "must be set up" in str(battle.why_not("pass"))


def test_who_finds_no_room_off_the_enemy_gets_out_engaged(table: Start) -> None:
    """11e 18.05: foes all around leave no place that is not engaged, but some that are."""
    ring = [(20 + x, 22 + y) for x in (-4.2, 0, 4.2) for y in (-4.2, 0, 4.2) if (x, y) != (0, 0)]
    far = [(20 + x, 22 + y) for x in (-7.5, -2.5, 2.5, 7.5) for y in (-7.5, 7.5)]
    far += [(20 + x, 22 + y) for x in (-7.5, 7.5) for y in (-2.5, 2.5)]
    battle = emergency(table, "11e", [*ring, *far])
    assert asked(battle) == "SetUpUnit"
    assert any(choice.startswith("place") for choice in offered(battle))
    assert battle.why_not("pass") is not None
