"""Objective markers and areas in moves. Rules: 10e T-12.1; 11e 12.08, 14.01."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from battlewright.battle.engine import Battle
from battlewright.battle.scoring import models_in_range, objective_pose
from battlewright.battlefield import gaps
from conftest import unit


def test_nobody_ends_on_a_raised_marker(table: Callable[..., Battle]) -> None:
    units = [unit("a1", "A", [(26, 22)]), unit("b1", "B", [(50, 40)])]
    for mission, refused in (("Only War", True), ("Take and Hold", False)):
        battle = table("10e", "movement", units, mission=mission)
        for choice in ("select a1", "do normal"):
            if battle.why_not(choice) is None:
                battle.play(choice)
        reason = battle.why_not("move a1 a1#0:29.5,22")
        assert (reason is not None) == refused
        if reason is not None:
            assert "objective marker" in reason.detail
        assert battle.why_not("move a1 a1#0:27.5,22") is None


def test_a_terrain_objective_is_measured_to_its_area(table: Callable[..., Battle]) -> None:
    wall = {"kind": "light", "outline": [[30, 25], [31, 25], [31, 25.5], [30, 25.5]], "height": 1}
    area = {"area": [[26, 18], [34, 18], [34, 26], [26, 26]], "features": [wall]}
    units = [unit("a1", "A", [(25.6, 22)]), unit("b1", "B", [(24.0, 22)])]
    battle = table("11e", "movement", units, terrain=[area], objectives=[[30, 22]])
    t = battle.table
    assert models_in_range(t, 0, 0)
    assert not models_in_range(t, 0, 1)
    np.testing.assert_allclose(gaps(t.poses(1), objective_pose(t, 0)), [[2 - 16 / 25.4]], atol=1e-6)
