"""Consolidation moves: which mode, towards what, and who decides. Rules: 11e 12.08; 10e T-8.2."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from battlewright.battle.engine import Battle
from conftest import asked, offered, sheet, unit

Start = Callable[..., Battle]
PLANE = {"keywords": ["VEHICLE", "FLY", "AIRCRAFT"], "profile": {"W": 9}}


def to_the_end_of_fighting(battle: Battle) -> None:
    """Everything is passed until a consolidation asks something."""
    for _ in range(20):
        if asked(battle) != "ChooseUnit" or "consolidate" in battle.decision.prompt(battle.table):  # type: ignore[union-attr]
            return
        battle.play("pass" if battle.why_not("pass") is None else offered(battle)[0])


def test_the_player_chooses_among_objectives_within_reach(table: Start) -> None:
    """11e 12.08: both objectives are within 3", and the farther one is as good."""
    units = [unit("a1", "A", [(30, 22)], state=["charged"]), unit("b1", "B", [(50, 40)])]
    battle = table("11e", "fight", units, objectives=[[33, 22], [26.2, 22], [40, 10]])
    to_the_end_of_fighting(battle)
    battle.play("select a1")
    assert offered(battle) == ["do objective 0", "do objective 1"]
    assert "none of" in str(battle.why_not("do objective 2"))
    battle.play("do objective 1")
    assert battle.decision is not None
    assert getattr(battle.decision, "objective", None) == 1


def wall_between(x: float) -> list[dict[str, object]]:
    """A barricade nobody may end on, between the two sides."""
    outline = [[x - 2, 0], [x + 2, 0], [x + 2, 44], [x - 2, 44]]
    return [{"area": outline, "features": [{"kind": "debris", "outline": outline, "height": 5}]}]


@pytest.mark.parametrize(("walled", "move"), [(False, "consolidate_engaging"), (True, "consolidate_objective")])
def test_an_enemy_that_cannot_be_reached_forces_nothing(table: Start, walled: bool, move: str) -> None:
    """10e T-8.2: 3.8" off, but behind what cannot be crossed: the objective is next."""
    units = [unit("a1", "A", [(20, 22)], state=["charged"]), unit("b1", "B", [(25.06, 22)])]
    terrain = wall_between(22.83) if walled else []
    battle = table("10e", "fight", units, objectives=[[17, 22]], terrain=terrain)
    for _ in range(8):
        if getattr(battle.decision, "move", "").startswith("consolidate"):
            break
        battle.play("pass" if battle.why_not("pass") is None else offered(battle)[0])
    assert getattr(battle.decision, "move", "") == move


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("flies", [True, False])
def test_aircraft_count_as_nearest_only_for_those_who_fly(table: Start, edition: str, flies: bool) -> None:
    """11e 23.02; 10e T-9.8: the squad looks past the aeroplane at the enemy behind it."""
    words = ["INFANTRY", "FLY"] if flies else ["INFANTRY"]
    units = [
        unit("a1", "A", [(20, 22)], sheet(keywords=words, profile={"W": 9}), state=["charged"]),
        unit("b1", "B", [(20, 24.5)], sheet(**PLANE)),
        unit("b2", "B", [(24.6, 22)]),
    ]
    battle = table(edition, "fight", units)
    t = battle.table
    assert t.nearest_enemy(0) == t.nearest_foe(0) if flies else t.nearest_foe(0) == (2, t.gap(0, 2))
    assert (1 in t.foes(0)) == flies
    while asked(battle) != "MoveModels":
        choices = [c for c in offered(battle) if c.startswith(("select", "targets b2"))]
        battle.play((choices or offered(battle))[0])
    nearer = "move a1 a1#0:22.500,21.500"
    reason = battle.why_not(nearer)
    assert (reason is not None and "closer" in reason.detail) == flies, reason
