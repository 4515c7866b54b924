"""Plunging fire from high terrain. Rules: 11e 22.05; 10e T-11.3."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from battlewright.battle.engine import Battle
from conftest import sheet, unit

ROOF = [[10, 18], [18, 18], [18, 26], [10, 26]]


def battle_from(table: Callable[..., Battle], edition: str, kind: str, level: float, dice: list[int]) -> Battle:
    """One rifle at the edge of a roof (or below it) against a vehicle in the open; it has shot."""
    units: list[dict[str, Any]] = [
        unit("a1", "A", [(17.3, 22)]),
        unit("b1", "B", [(30, 22)], sheet(keywords=["VEHICLE"])),
    ]
    units[0]["models"][0]["z"] = level
    roof = {"area": ROOF, "features": [{"kind": kind, "outline": ROOF, "height": 6}]}
    battle = table(edition, "shooting", units, terrain=[roof], dice=dice)
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    return battle


def needed(battle: Battle, purpose: str) -> int:
    return next(e.needs for _, e in battle.log if getattr(e, "purpose", "") == purpose)  # type: ignore[union-attr]


@pytest.mark.parametrize(("level", "needs", "dice"), [(6, 2, [2, 1, 1]), (0, 3, [2, 1])])
def test_shooting_down_hits_better_in_the_eleventh(
    table: Callable[..., Battle], level: float, needs: int, dice: list[int]
) -> None:
    battle = battle_from(table, "11e", "dense", level, dice)
    assert needed(battle, "hit") == needs
    battle.finish()


@pytest.mark.parametrize(("kind", "level", "needs"), [("ruins", 6, 4), ("ruins", 0, 3), ("hills", 6, 3)])
def test_shooting_down_from_a_ruin_pierces_better_in_the_tenth(
    table: Callable[..., Battle], kind: str, level: float, needs: int
) -> None:
    battle = battle_from(table, "10e", kind, level, [4, 4, 6, 1])
    assert needed(battle, "save") == needs
    battle.finish()
