"""Layouts: fair to both players, on the table, playable."""

from __future__ import annotations

import numpy as np
import pytest

from battlewright.battlefield import (
    ELEVENTH_MOVES,
    TENTH_MOVES,
    Mover,
    Poses,
    Surroundings,
    Terrain,
    check_set_up,
    layout,
    layouts,
    set_up,
)
from battlewright.battlefield.layouts import DEPTH, WIDTH
from battlewright.datasheet import Base
from battlewright.errors import BadInput

EDITIONS = [("10e", TENTH_MOVES), ("11e", ELEVENTH_MOVES)]
every = pytest.mark.parametrize(("edition", "moves"), EDITIONS, ids=["10e", "11e"])


@every
@pytest.mark.parametrize("name", layouts())
def test_a_layout_is_the_same_from_both_sides(edition, moves, name):
    from shapely.affinity import rotate
    from shapely.geometry import Polygon
    from shapely.ops import unary_union

    areas = layout(edition, name)
    ground = unary_union([Polygon(area.area) for area in areas])
    assert ground.symmetric_difference(rotate(ground, 180, origin=(WIDTH / 2, DEPTH / 2))).area < 1e-6
    assert ground.bounds[0] >= 0
    assert ground.bounds[1] >= 0
    assert ground.bounds[2] <= WIDTH
    assert ground.bounds[3] <= DEPTH
    assert ground.area == pytest.approx(sum(Polygon(area.area).area for area in areas)), "areas overlap"
    for area in areas:
        for feature in area.features:
            assert Polygon(area.area).buffer(1e-9).contains(Polygon(feature.outline))


@every
@pytest.mark.parametrize("name", layouts())
def test_big_and_small_units_find_room_everywhere(edition, moves, name):
    terrain = Terrain.of(layout(edition, name))
    for base, count in ((Base("round", 32), 10), (Base("oval", (170, 109)), 1)):
        start = Poses.of([base] * count, [(0, 0)] * count)
        mover = Mover.of(start, 6, through_walls=count > 1, upstairs=count > 1)
        around = Surroundings.of((60, 44), Poses.of([Base("round", 32)], [(59, 43)]), terrain=terrain)
        for zone in (((0, 0), (18, 0), (18, 44), (0, 44)), ((0, 0), (60, 0), (60, 12), (0, 12))):
            end = set_up((9, 9), mover, around, moves.deploy(zone))
            assert end is not None
            assert check_set_up(end, mover, around, moves.deploy(zone)) == []


def test_the_kinds_are_those_of_the_edition():
    kinds = {
        edition: {kind for name in layouts() for area in layout(edition, name) for kind in area.kinds}
        for edition, _ in EDITIONS
    }
    assert kinds["11e"] == {"dense", "light", "exposed"}
    assert kinds["10e"] == {"ruins", "woods", "hills", "barricade", "debris", "crater"}


def test_an_unknown_layout_is_a_fault():
    with pytest.raises(BadInput, match="known: ruined town"):
        layout("11e", "moon")


def test_every_table_square_has_its_mirror_height():
    for name in layouts():
        terrain = Terrain.of(layout("11e", name))
        points = np.random.default_rng(1).uniform([0, 0], [WIDTH, DEPTH], (5000, 2))
        one = terrain.outlines.holds(points)
        two = terrain.outlines.holds(np.array([WIDTH, DEPTH]) - points)
        assert ((one * terrain.heights).max(axis=1) == (two * terrain.heights).max(axis=1)).all()
