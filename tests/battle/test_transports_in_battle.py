"""Firing Deck, and getting out of a transport that has just arrived. Rules: 11e 24.14, 18.04; 10e T-10.6, T-9.2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from battlewright.battle.engine import Battle
from battlewright.battle.state import Did
from conftest import asked, faces, offered, sheet, unit, weapon

Start = Callable[..., Battle]
GUN = weapon("gun", 24, A=1, BS="5+")
CARRY = {"name": "Transport", "text": "This model has a transport capacity of 12 INFANTRY models."}


def truck(deck: int, **parts: Any) -> dict[str, Any]:
    given = {"keywords": ["VEHICLE", "TRANSPORT"], "profile": {"W": 10, "T": 8}, **parts}
    return sheet("Test Truck", abilities=[{"name": f"Firing Deck {deck}", "text": ""}, CARRY], weapons=[GUN], **given)


def loaded(deck: int = 2, **state: Any) -> list[dict[str, Any]]:
    shells = weapon("one shell", 36, abilities=["one shot"])
    crew = sheet("Crew", count=3, weapons=[weapon("rifle", 24, A=1), shells])
    return [
        unit("t1", "A", [(20, 22)], truck(deck), **state),
        unit("p1", "A", [(0, 0)] * 3, crew, embarked_in="t1"),
        unit("b1", "B", [(35, 22), (35, 24), (35, 26)]),
    ]


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_passengers_fire_from_the_deck(table: Start, edition: str) -> None:
    """One weapon each, at most two of them, from where the transport stands, with their own skill."""
    battle = table(edition, "shooting", loaded(), dice=[4, 3, 1, 4, 1] if edition == "10e" else [4, 3, 4, 1, 1, 1])
    battle.play("select t1")
    assert "declare t1#0.0>b1 p1#0.0>b1 p1#1.0>b1" in offered(battle)
    for wrong, why in (
        ("declare p1#0.0>b1 p1#1.0>b1 p1#2.0>b1", "3 passengers fire from t1, at most 2"),
        ("declare p1#0.1>b1", "[ONE SHOT]"),
        ("declare p1#0.0>b1 p1#0.0>b1", "one weapon"),
    ):
        reason = battle.why_not(wrong)
        assert reason is not None
        assert why in reason.detail, reason
        assert reason.rule == {"10e": "10e T-10.6", "11e": "11e 24.14"}[edition]
    battle.play("declare t1#0.0>b1 p1#0.0>b1 p1#1.0>b1")
    assert sorted(faces(battle, "hit")) == [3, 4, 4]
    needs = {e.needs for _, e in battle.log if getattr(e, "purpose", "") == "hit"}  # type: ignore[union-attr]
    assert needs == {5, 3}
    assert battle.state.did(1, Did.FIRED_PASSENGERS) or battle.state.phase != "shooting"


@pytest.mark.parametrize(("edition", "barred"), [("10e", False), ("11e", True)])
def test_who_rides_along_cannot_shoot_after_the_deck_fired(table: Start, edition: str, barred: bool) -> None:
    """11e 24.14: nobody aboard shoots this turn; 10e T-10.6: those whose weapons were fired."""
    units = loaded()
    units.insert(2, unit("p2", "A", [(0, 0)], sheet("Rider"), embarked_in="t1"))
    units.append(unit("a9", "A", [(18, 30)]))
    battle = table(edition, "shooting", units)
    battle.play("select t1")
    battle.play("declare p1#0.0>b1")
    assert battle.state.phase == "shooting"
    while asked(battle) == "LoseModel":
        battle.play(offered(battle)[0])
    assert battle.state.did(1, Did.FIRED_PASSENGERS)
    assert battle.state.did(2, Did.FIRED_PASSENGERS) == barred


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_who_was_selected_already_does_not_fire(table: Start, edition: str) -> None:
    units = loaded()
    units[1]["state"] = ["shot"]
    battle = table(edition, "shooting", units)
    battle.play("select t1")
    assert battle.why_not("declare p1#0.0>b1") is not None
    assert battle.why_not("declare t1#0.0>b1") is None
    assert battle.not_enforced() == ()


def test_only_assault_weapons_fire_when_the_transport_advanced(table: Start) -> None:
    """11e 10.05: the deck's weapons are the transport's own for these attacks."""
    units = loaded(state=["advanced"])
    dash = weapon("carbine", 18, A=1, abilities=["assault"])
    units[1]["datasheet"] = sheet("Crew", count=3, weapons=[weapon("rifle", 24, A=1), dash])
    battle = table("11e", "shooting", units)
    battle.play("select t1")
    assert battle.why_not("declare p1#0.1>b1") is None
    assert "ASSAULT" in str(battle.why_not("declare p1#0.0>b1"))


@pytest.mark.parametrize(("edition", "off"), [("10e", 9), ("11e", 8)])
def test_who_gets_out_of_what_has_just_arrived_keeps_its_distance(table: Start, edition: str, off: int) -> None:
    """11e 18.04: as far off as the transport itself; 10e T-9.2: more than 9" from enemies."""
    units = loaded()
    units[0] |= {"reserves": True, "state": ["set up", "moved", "selected to move"]}
    units[0]["models"][0]["at"] = [20, 3]
    units[0]["reserves"] = False
    units[2]["models"] = [{"name": "Test Squad", "at": [20 + off + 1.5, 3]}]
    units.append(unit("a9", "A", [(50, 40)]))
    battle = table(edition, "movement", units)
    battle.play("select p1")
    assert asked(battle) == "SetUpUnit"
    near = "place p1 p1#0:22.4,3 p1#1:22.4,4.5 p1#2:22.4,1.5"
    reason = battle.why_not(near)
    assert reason is not None
    assert "from the enemy" in reason.detail
    assert battle.why_not("place p1 p1#0:17.6,3 p1#1:17.6,4.5 p1#2:17.6,1.5") is None
