"""Objectives: range and control in both editions. Rules: 11e 14; 10e T-12."""

from __future__ import annotations

import numpy as np

from battlewright.battlefield import (
    Area,
    Feature,
    Poses,
    Terrain,
    area_at,
    controllers,
    in_range,
    in_terrain_objective,
    levels,
    markers,
)
from battlewright.datasheet import Base

TROOPER = Base("round", 32)
SQUARE = ((10, 10), (16, 10), (16, 16), (10, 16))


def test_range_is_three_inches_flat_and_five_up():
    edge = 30 + 20 / 25.4 + 3 + 16 / 25.4
    at = [(edge - 0.001, 22), (edge + 0.01, 22), (31, 22), (31, 22)]
    troopers = Poses.of([TROOPER] * 4, at, z=[0, 0, 5, 5.1])
    assert in_range(troopers, markers([(30, 22)]))[:, 0].tolist() == [True, False, True, False]


def test_level_of_control_and_ties():
    near = np.array([[True, False], [True, True], [True, True]])
    level = levels(near, np.array([2, 1, 3]), np.array([0, 0, 1]))
    assert level.tolist() == [[3, 3], [1, 3]]
    assert controllers(level, np.array([0, -1]), np.array([False, False])).tolist() == [-1, 1]


def test_a_secured_objective_is_lost_only_to_a_greater_level():
    secured, holder = np.array([True]), np.array([0])
    for level, now in (([0, 0], 0), ([2, 2], 0), ([0, 1], 1), ([3, 1], 0)):
        assert controllers(np.array([level]), holder, secured).tolist() == [now]


def test_terrain_objectives_are_their_area():
    terrain = Terrain.of([Area(SQUARE, (Feature("light", SQUARE, 1),))])
    assert area_at(terrain, (12, 12)) == 0
    assert area_at(terrain, (20, 12)) is None
    troopers = Poses.of([TROOPER] * 2, [(9.5, 12), (9.3, 12)])
    assert in_terrain_objective(troopers, terrain, [0])[:, 0].tolist() == [True, False]


def test_bases_within_and_wholly_within_an_area():
    terrain = Terrain.of([Area(SQUARE)])
    oval = Base("oval", (120, 92))
    poses = Poses.of([TROOPER, TROOPER, oval, oval], [(12, 12), (16, 12), (13, 13), (8, 13)], facing=[0, 0, 45, 0])
    assert terrain.ground.touching(poses)[:, 0].tolist() == [True, True, True, True]
    assert terrain.ground.wholly(poses)[:, 0].tolist() == [True, False, True, False]
