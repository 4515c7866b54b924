"""Distances between bases: by formula, against a sampled twin, and what must hold of any of them.

Rules: 11e 01.04, 03.03, 03.04; 10e T-1.2, T-4.2, T-4.3.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battlewright.battlefield import (
    ELEVENTH,
    TENTH,
    Poses,
    clearances,
    coherent,
    distances,
    engaged,
    gaps,
    joined,
    overlaps,
    strays,
    wholly_within,
)
from battlewright.battlefield.measure import edge_points, pair_clearances, swept
from battlewright.datasheet import Base

ROUND32, OVAL, HULL = (
    Base("round", 32),
    Base("oval", (120, 92)),
    Base("hull", ((0, 0), (150, 0), (150, 60), (60, 90), (0, 60))),
)
BASES = st.sampled_from(
    [Base("round", 25), ROUND32, Base("round", 60), OVAL, Base("oval", (60, 35)), Base("oval", (170, 40)), HULL]
)
PLACES = st.tuples(st.floats(0, 12), st.floats(0, 12))
MODELS = st.tuples(BASES, PLACES, st.integers(0, 359))


def poses(*models: tuple[Base, tuple[float, float], int]) -> Poses:
    bases, at, facing = zip(*models, strict=True)
    return Poses.of(bases, at, facing=facing)


def sampled(a: Poses, b: Poses, count: int = 720) -> float:
    """The twin: the nearest two of many edge points of two bases."""
    left, right = edge_points(a, count)[0], edge_points(b, count)[0]
    return float(np.sqrt(((left[:, None] - right[None]) ** 2).sum(axis=-1)).min())


@given(MODELS, MODELS)
@settings(max_examples=150, deadline=None)
def test_gaps_agree_with_a_sampled_twin(one, two):
    a, b = poses(one), poses(two)
    apart = clearances(a, b)[0, 0]
    if apart > 0:
        assert apart <= sampled(a, b) + 1e-4
        assert sampled(a, b) - apart < 0.05
    elif apart < -0.05:
        assert gaps(a, b)[0, 0] == 0.0


@given(MODELS, MODELS)
@settings(max_examples=100, deadline=None)
def test_gaps_are_symmetric(one, two):
    a, b = poses(one), poses(two)
    assert gaps(a, b)[0, 0] == pytest.approx(gaps(b, a)[0, 0], abs=1e-5)


@given(MODELS, MODELS, st.integers(0, 359))
@settings(max_examples=100, deadline=None)
def test_turning_the_table_changes_no_gap(one, two, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def turned(model):
        base, (x, y), facing = model
        return base, (c * x - s * y, s * x + c * y), (facing + degrees) % 360

    still, moved = clearances(poses(one), poses(two))[0, 0], clearances(poses(turned(one)), poses(turned(two)))[0, 0]
    if still > 0.01:
        assert moved == pytest.approx(still, abs=0.004)


@given(MODELS, MODELS, MODELS)
@settings(max_examples=100, deadline=None)
def test_a_way_round_a_third_base_is_never_shorter(one, two, three):
    a, b, c = poses(one), poses(two), poses(three)
    across = 2 * b.reach[0]
    assert gaps(a, c)[0, 0] <= gaps(a, b)[0, 0] + across + gaps(b, c)[0, 0] + 1e-6


@given(MODELS, MODELS)
@settings(max_examples=150, deadline=None)
def test_a_gap_is_zero_exactly_when_bases_meet(one, two):
    from shapely.geometry import Polygon

    a, b = poses(one), poses(two)
    shapes = []
    for pose in (a, b):
        points = pose.outlines()[0] if pose.kind[0] == 2 else edge_points(pose, 720)[0]
        shapes.append(Polygon(points).buffer(0))
    apart = shapes[0].distance(shapes[1])
    assert gaps(a, b)[0, 0] == pytest.approx(apart, abs=1e-3)
    if shapes[0].intersection(shapes[1]).area > 1e-3:
        assert gaps(a, b)[0, 0] == 0.0
        assert overlaps(a, b)[0, 0]


SHAPED = {
    "hull": [
        HULL,
        Base("hull", ((0, 0), (180, 0), (180, 10), (0, 10))),
        Base("hull", ((0, 0), (100, 0), (100, 100), (0, 100))),
    ],
    "oval": [OVAL, Base("oval", (170, 109)), Base("oval", (60, 35))],
    "round": [ROUND32, Base("round", 100)],
}


@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize(("one", "two"), [("hull", "hull"), ("hull", "oval"), ("oval", "hull"), ("round", "hull")])
def test_turned_bases_agree_with_polygons(one, two, moving):
    """Swept or not: hulls to rounding, curved bases to the grain of a polygon of 2048 sides (4e-6 inch)."""
    from shapely import affinity, union
    from shapely.geometry import Polygon

    rng = np.random.default_rng(4)
    count = 250

    def some(kind: str) -> Poses:
        bases = [SHAPED[kind][k] for k in rng.integers(0, len(SHAPED[kind]), count)]
        turned = rng.choice([0, 0, 90, 180, *range(360)], count).tolist()
        return Poses.of(bases, rng.uniform(0, 7, (count, 2)).tolist(), facing=turned)

    def polygon(poses: Poses, row: int) -> Polygon:
        hull = poses.kind[row] == 2
        return Polygon(poses.outlines()[row] if hull else edge_points(poses.take([row]), 2048)[0])

    a, b = some(one), some(two)
    way = rng.uniform(-4, 4, (count, 2)) * moving
    apart = np.maximum(pair_clearances(a, np.arange(count), b, np.arange(count), way), 0)
    for row in range(count):
        start = polygon(a, row)
        swept_over = union(start, affinity.translate(start, *way[row])).convex_hull
        allowed = 1e-9 if one == two == "hull" else 5e-6
        assert apart[row] == pytest.approx(swept_over.distance(polygon(b, row)), abs=allowed)


def test_hulls_side_by_side_do_not_touch():
    """Long sides along one another and a hair apart: the direction in which they are apart is a narrow one."""
    plank = Base("hull", ((0, 0), (180, 0), (180, 10), (0, 10)))
    for hair in (0.003, 0.016, 0.1):
        for facing in range(0, 180, 7):
            c, s = math.cos(math.radians(facing)), math.sin(math.radians(facing))
            across = 10 / 25.4 + hair
            for along in (0.0, 1.3, 6.0):
                at = (20 + along * c - across * s, 20 + along * s + across * c)
                two = Poses.of([plank] * 2, [(20, 20), at], facing=[facing, facing])
                assert gaps(two, two)[0, 1] == pytest.approx(hair, abs=0.001)


def test_round_bases_are_exact():
    a = Poses.of([ROUND32, ROUND32], [(0, 0), (10, 0)])
    assert gaps(a, a)[0, 1] == pytest.approx(10 - 32 / 25.4, abs=1e-14)


def test_mixed_bases_in_one_table():
    many = poses((ROUND32, (0, 0), 0), (OVAL, (8, 0), 0), (HULL, (16, 3), 30), (OVAL, (8, 8), 90))
    table = gaps(many, many)
    for row in range(4):
        for column in range(4):
            if row != column:
                alone = gaps(many.take([row]), many.take([column]))[0, 0]
                assert table[row, column] == pytest.approx(alone, abs=1e-9)
    assert table[0, 1] == pytest.approx(8 - 16 / 25.4 - 60 / 25.4, abs=1e-9)


def test_joined_tables_keep_every_model():
    a, b = poses((ROUND32, (0, 0), 0)), poses((HULL, (9, 0), 0))
    assert gaps(joined(a, b), joined(a, b))[0, 1] == pytest.approx(gaps(a, b)[0, 0])


def test_a_hull_turns_about_the_centre_of_its_rectangle():
    hull = Base("hull", ((0, 0), (254, 0), (254, 127), (0, 127)))
    tank = Poses.of([hull], [(20, 20)])
    assert tank.outlines()[0].mean(axis=0) == pytest.approx([20, 20])
    trooper = Poses.of([Base("round", 25.4)], [(26, 20)])
    assert gaps(tank, trooper)[0, 0] == pytest.approx(0.5)
    assert gaps(tank.at(tank.xy, np.array([90])), trooper)[0, 0] == pytest.approx(3.0)


def test_levels_count_in_distances_but_not_in_gaps():
    a, b = Poses.of([ROUND32], [(0, 0)]), Poses.of([ROUND32], [(3 + 32 / 25.4, 0)], z=[4])
    assert gaps(a, b)[0, 0] == pytest.approx(3, abs=1e-3)
    assert distances(a, b)[0, 0] == pytest.approx(5, abs=1e-3)


def test_engagement_numbers_of_both_editions():
    a, b = Poses.of([ROUND32], [(0, 0)]), Poses.of([ROUND32], [(1.5 + 32 / 25.4, 0)])
    assert engaged(a, b, *ELEVENTH.engagement)[0, 0]
    assert not engaged(a, b, *TENTH.engagement)[0, 0]
    high = b.at(b.xy, z=np.array([5001]))
    assert not engaged(a, high, *ELEVENTH.engagement)[0, 0]


def line(count: int, step: float) -> Poses:
    return Poses.of([Base("round", 25.4)] * count, [(step * i, 0) for i in range(count)])


def test_coherency_needs_a_mate_within_two_inches():
    assert coherent(line(2, 3.0), ELEVENTH.coherency)
    assert not coherent(line(2, 3.01), ELEVENTH.coherency)


def test_coherency_of_the_eleventh_reaches_nine_inches():
    assert coherent(line(6, 2.0), ELEVENTH.coherency)
    assert not coherent(line(7, 2.0), ELEVENTH.coherency)
    assert strays(line(7, 2.0), ELEVENTH.coherency).tolist() == [True] + [False] * 5 + [True]


def test_coherency_of_the_tenth_asks_two_mates_from_seven_models_on():
    assert coherent(line(6, 3.0), TENTH.coherency)
    assert strays(line(7, 3.0), TENTH.coherency).tolist() == [True] + [False] * 5 + [True]
    assert coherent(line(7, 1.5), TENTH.coherency)


def test_two_clusters_are_coherent_in_the_eleventh_only():
    two = Poses.of([Base("round", 25.4)] * 4, [(0, 0), (1.5, 0), (6, 0), (7.5, 0)])
    assert coherent(two, ELEVENTH.coherency)
    assert strays(two, TENTH.coherency).tolist() == [False, False, True, True]


def test_wholly_within_measures_the_far_side():
    objective = Poses.of([Base("round", 40)], [(0, 0)])
    edge = 20 / 25.4 + 3 - 16 / 25.4
    assert wholly_within(Poses.of([ROUND32], [(edge - 0.001, 0)]), objective, 3)[0, 0]
    assert not wholly_within(Poses.of([ROUND32], [(edge + 0.01, 0)]), objective, 3)[0, 0]


@given(PLACES, MODELS)
@settings(max_examples=60, deadline=None)
def test_the_far_side_of_a_round_base(at, other):
    from battlewright.battlefield.measure import _points_to_bases

    round_one, b = poses((ROUND32, at, 0)), poses(other)
    farthest = _points_to_bases(edge_points(round_one, 720)[0], b).max()
    inches = float(farthest)
    assert not wholly_within(round_one, b, inches - 0.02)[0, 0]
    assert wholly_within(round_one, b, inches + 0.02)[0, 0]


@given(MODELS, PLACES, MODELS)
@settings(max_examples=60, deadline=None)
def test_a_sweep_is_the_nearest_of_many_stops(one, to, two):
    a, b = poses(one), poses(two)
    end = np.rint(np.array([to]) * 1000).astype(np.int64)
    stops = np.rint(a.xy + (end - a.xy) * np.linspace(0, 1, 201)[:, None]).astype(np.int64)
    nearest = clearances(a.take([0] * 201).at(stops), b).min()
    way = swept(a, end, b)[0, 0]
    if nearest > 0.1:
        assert way == pytest.approx(nearest, abs=0.05)
    else:
        assert way < 0.16
