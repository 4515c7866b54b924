"""Cover and hiding from terrain. Rules: 11e 13.08, 13.09, 13.11.01; 10e T-11.1, T-11.2."""

from __future__ import annotations

import numpy as np
import pytest

from battlewright.battlefield import (
    ELEVENTH,
    TENTH,
    Area,
    Feature,
    Poses,
    Scene,
    Table,
    Terrain,
    cover_from,
    covered,
    detection,
    hidden,
)
from battlewright.datasheet import Base


def box(x: float, y: float, width: float, depth: float) -> tuple[tuple[float, float], ...]:
    return (x, y), (x + width, y), (x + width, y + depth), (x, y + depth)


def scene(at, areas, numbers, units=None) -> Scene:
    poses = Poses.of([Base("round", 32)] * len(at), at)
    return Scene(Table(poses, np.array(units or range(len(at)))), Terrain.of(areas), numbers.sight)


BEHIND_WALL = [Area(box(10, -5, 1, 10), (Feature("light", box(10, -5, 1, 10), 1),))]


def test_cover_of_the_eleventh_needs_every_model():
    area = Area(box(30, 18, 6, 8), (Feature("light", box(35, 18.5, 0.8, 0.5), 1),))
    look = scene([(20, 22), (31, 22), (31, 23.6), (28.9, 21.5)], [area], ELEVENTH, [0, 1, 1, 1])
    small = np.ones(3, bool)
    assert not cover_from(look, [0], [1, 2, 3], small)[0]
    assert cover_from(look, [0], [1, 2], small[:2])[0]
    assert not cover_from(look, [0], [1, 2], ~small[:2])[0]


def test_cover_of_the_eleventh_behind_terrain_is_judged_by_attacker():
    look = scene([(0, 0), (0, 20), (20, 0)], BEHIND_WALL, ELEVENTH)
    assert cover_from(look, [0, 1], [2], np.array([False])).tolist() == [True, False]


@pytest.mark.parametrize(
    ("kind", "target", "infantry", "expected"),
    [
        ("debris", 20, False, True),
        ("barricade", 12.5, True, True),
        ("barricade", 12.5, False, False),
        ("barricade", 20, True, False),
        ("hills", 20, False, True),
        ("woods", 20, False, True),
        ("woods", 10.7, False, True),
        ("crater", 20, True, False),
    ],
)
def test_cover_of_the_tenth_by_kind(kind, target, infantry, expected):
    feature = Feature(kind, box(10, -5, 1.4, 10), 1 if kind != "crater" else 0)
    area = Area(box(10, -5, 1.4, 10), (feature,))
    attacker = (0, 0)
    look = scene([attacker, (target, 0)], [area], TENTH)
    assert covered(look, [0], [1], np.array([infantry]))[0] == expected


def test_craters_and_ruins_of_the_tenth_cover_who_is_wholly_in():
    for kind, infantry, expected in (("crater", True, True), ("crater", False, False), ("ruins", False, True)):
        look = scene([(0, 0), (20, 0)], [Area(box(17, -3, 6, 6), (), kind)], TENTH)
        assert covered(look, [0], [1], np.array([infantry]))[0] == expected


def test_one_attacker_who_does_not_see_fully_is_enough_in_the_tenth():
    area = Area(box(10, -5, 1, 10), (Feature("debris", box(10, -5, 1, 10), 1),))
    look = scene([(0, 20), (0, 0), (20, 0)], [area], TENTH)
    assert covered(look, [0, 1], [2], np.array([True]))[0]
    assert not covered(look, [0], [2], np.array([True]))[0]


def test_hidden_models_are_seen_from_near():
    area = Area(box(17, -3, 6, 6), (Feature("dense", box(22, -3, 0.5, 6), 5),))
    look = scene([(0, 0), (20, 0), (6, 9), (30, 0)], [area], ELEVENTH)
    is_hidden = hidden(look, [1], np.array([True]), np.array([True]))
    assert is_hidden[0]
    assert not hidden(look, [1], np.array([False]), np.array([True]))[0]
    assert not hidden(look, [1], np.array([True]), np.array([False]))[0]
    assert not hidden(look, [0], np.array([True]), np.array([True]))[0]
    ranges = detection(look, [0, 3], [1], is_hidden, np.array([15.0]), np.array([True]))
    assert ranges[:, 0].tolist() == [15, 12]
    assert look.visible([0, 2], [1], ranges[:1]).tolist() == [[False], [False]]
    near = scene([(6, 0), (20, 0)], [area], ELEVENTH)
    assert near.visible([0], [1], np.array([15.0]))[0, 0]


def test_no_terrain_no_cover():
    look = scene([(0, 0), (20, 0)], [], ELEVENTH)
    assert not cover_from(look, [0], [1], np.array([True]))[0]
    assert not covered(scene([(0, 0), (20, 0)], [], TENTH), [0], [1], np.array([True]))[0]
