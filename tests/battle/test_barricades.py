"""Fighting over a barricade. Rule: 10e T-11.4."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from battlewright.battle.engine import Battle
from conftest import unit

BAR = [[24, 10], [24.6, 10], [24.6, 34], [24, 34]]
LEFT, RIGHT = 24 - 0.25 - 16 / 25.4, 24.6 + 0.2 + 16 / 25.4


@pytest.mark.parametrize(("edition", "kind", "fights"), [("10e", "barricade", True), ("10e", "debris", False)])
def test_models_fight_over_a_barricade(table: Callable[..., Battle], edition: str, kind: str, fights: bool) -> None:
    wall = {"area": BAR, "features": [{"kind": kind, "outline": BAR, "height": 1}]}
    units = [unit("a1", "A", [(LEFT, 22)]), unit("b1", "B", [(RIGHT, 22)])]
    battle = table(edition, "fight", units, terrain=[wall])
    t = battle.table
    assert not t.is_engaged(0)
    assert t.in_combat_with(0) == ((1,) if fights else ())
    assert (battle.state.phase == "fight") == fights
    while battle.state.phase == "fight":
        battle.play(next(iter(battle.legal_choices())))
    assert any(getattr(event, "purpose", "") == "hit" for _, event in battle.log) == fights


def test_behind_it_and_too_far_is_no_combat(table: Callable[..., Battle]) -> None:
    wall = {"area": BAR, "features": [{"kind": "barricade", "outline": BAR, "height": 1}]}
    units = [unit("a1", "A", [(LEFT - 1, 22)]), unit("b1", "B", [(RIGHT, 22)])]
    assert table("10e", "fight", units, terrain=[wall]).table.in_combat_with(0) == ()
