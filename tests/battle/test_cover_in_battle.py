"""The benefit of cover as attacks are made. Rules: 11e 13.08; 10e T-11.1, T-11.3."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from battlewright.battle.engine import Battle
from conftest import offered, sheet, unit, weapon

WOOD = [[30, 18], [36, 18], [36, 26], [30, 26]]
PIERCING = weapon("lance", 30, A=3, S=8, AP=-2, D=2)


def shot_at(table: Callable[..., Battle], at: list[tuple[float, float]], dice: list[int]) -> Battle:
    """Three shots at a squad at these places beside and in a wood."""
    units: list[dict[str, Any]] = [
        unit("a1", "A", [(18, 22)], sheet(weapons=[PIERCING], profile={"W": 3})),
        unit("b1", "B", at),
    ]
    wood = {"area": WOOD, "features": [{"kind": "woods", "outline": WOOD, "height": 5}]}
    battle = table("10e", "shooting", units, terrain=[wood], dice=dice)
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    return battle


def saves(battle: Battle) -> list[tuple[int, tuple[int, ...]]]:
    return [(e.needs, e.faces) for _, e in battle.log if getattr(e, "purpose", "") == "save"]  # type: ignore[union-attr]


def test_each_model_has_cover_for_itself_in_the_tenth(table: Callable[..., Battle]) -> None:
    """The one in the wood saves on 4+, the one before it on 5+; which of them is first is the defender's choice."""
    battle = shot_at(table, [(33, 22), (28.5, 22)], [4, 4, 3, 4, 4, 5, 4, 4, 4])
    assert battle.decision is not None
    assert battle.decision.kind == "OrderGroups"
    battle.play("order b1#0 b1#1")
    assert saves(battle) == [(4, (3,)), (5, (5,)), (5, (4,))]


@pytest.mark.parametrize(("at", "needs"), [([(33, 22), (33, 20)], 4), ([(28, 22), (28, 20)], 5)])
def test_all_or_none_are_one_group(table: Callable[..., Battle], at: list[tuple[float, float]], needs: int) -> None:
    battle = shot_at(table, at, [4, 4, 6, 4, 4, 6, 4, 4, 6])
    assert {wanted for wanted, _ in saves(battle)} == {needs}
    assert "order" not in " ".join(offered(battle))
