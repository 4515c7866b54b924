"""The quick ways of measuring equal the plain ones: bounded, kept, one by one, all at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battlewright.battlefield import Poses, clearances, closest, gaps, pairs
from battlewright.battlefield.checking import ring
from battlewright.battlefield.measure import (
    _bases,
    boxes,
    edge_points,
    few_clearances,
    many_clearances,
    pair_clearances,
    swept,
)
from battlewright.battlefield.movement import Surroundings
from battlewright.battlefield.shapes import HULL, ROUND
from battlewright.battlefield.sight import _rays_to_outlines
from battlewright.datasheet import Base

BASES = [
    Base("round", 32),
    Base("round", 60),
    Base("oval", (120, 92)),
    Base("oval", (75, 42)),
    Base("hull", ((0, 0), (150, 0), (150, 60), (60, 90), (0, 60))),
    Base("hull", ((0, 0), (180, 0), (180, 90), (0, 90))),
]


@st.composite
def crowds(draw: st.DrawFn, most: int = 8) -> Poses:
    count = draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    bases = [BASES[k] for k in rng.integers(0, len(BASES), count)]
    wide = draw(st.sampled_from([4.0, 12.0, 40.0]))
    at = [(float(x), float(y)) for x, y in rng.uniform(2, 2 + wide, (count, 2))]
    return Poses.of(bases, at, facing=rng.integers(0, 360, count).tolist())


@given(crowds(), crowds(), st.floats(0, 15))
@settings(max_examples=40, deadline=None)
def test_bounded_clearances_are_exact_within_the_bound(a: Poses, b: Poses, near: float) -> None:
    plain, bounded = clearances(a, b), clearances(a, b, near)
    within = plain <= near
    assert (np.asarray(bounded <= near) == within).all()
    np.testing.assert_allclose(bounded[within], plain[within], atol=1e-9)
    assert (bounded[~within] <= plain[~within] + 1e-9).all()


@given(crowds(), crowds())
@settings(max_examples=40, deadline=None)
def test_all_at_once_is_one_by_one(a: Poses, b: Poses) -> None:
    one_by_one = [[clearances(a.take([i]), b.take([j]))[0, 0] for j in range(len(b))] for i in range(len(a))]
    np.testing.assert_allclose(clearances(a, b), one_by_one, atol=1e-9)


@given(crowds(), crowds())
@settings(max_examples=40, deadline=None)
def test_what_is_kept_follows_the_poses(a: Poses, enemies: Poses) -> None:
    around = Surroundings.of((60, 44), enemies)
    np.testing.assert_array_equal(around.off_enemies(a), clearances(a, enemies))
    a.xy[0] += 700
    np.testing.assert_array_equal(around.off_enemies(a), clearances(a, enemies))
    a.facing[0] = (a.facing[0] + 90) % 360
    np.testing.assert_array_equal(around.off_enemies(a), clearances(a, enemies))
    np.testing.assert_array_equal(around.off_enemies(a.take([0])), clearances(a.take([0]), enemies))


@given(crowds(6), crowds(6), st.integers(0, 2**31), st.sampled_from([0.0, 0.5, 1.0]))
@settings(max_examples=100, deadline=None)
def test_pairs_one_by_one_are_those_in_arrays(a: Poses, b: Poses, seed: int, moving: float) -> None:
    rng = np.random.default_rng(seed)
    rows, columns = (part.reshape(-1) for part in np.mgrid[0 : len(a), 0 : len(b)])
    shaped = (a.kind[rows] != ROUND) | (b.kind[columns] != ROUND)  # two round bases are measured by formula
    rows, columns = rows[shaped], columns[shaped]
    ways = rng.uniform(-6, 6, (len(rows), 2)) * (rng.random((len(rows), 1)) < moving)
    plain = few_clearances(a, rows.tolist(), b, columns.tolist(), ways.tolist())
    np.testing.assert_allclose(plain, many_clearances(a.take(rows), b.take(columns), ways), rtol=0, atol=1e-9)
    np.testing.assert_allclose(pair_clearances(a, rows, b, columns, ways), plain, rtol=0, atol=1e-9)
    in_a_loop = [0.0] * len(rows)
    pairs.clearances(_bases(a), rows, _bases(b), columns, ways, in_a_loop)
    np.testing.assert_allclose(in_a_loop, plain, rtol=0, atol=1e-12)


@given(crowds(), crowds())
@settings(max_examples=60, deadline=None)
def test_the_closest_two_are_those_of_all_pairs(a: Poses, b: Poses) -> None:
    assert closest(a, b) == pytest.approx(float(gaps(a, b).min()), abs=1e-9)


@given(crowds(1), crowds(3), st.sampled_from([0.0, 0.25, 0.5, 1.5]))
@settings(max_examples=40, deadline=None)
def test_places_around_a_base_are_as_far_off_as_asked(model: Poses, foes: Poses, depth: float) -> None:
    spots = ring(model, foes, np.array([depth]), 60.0, Surroundings.of((60, 44), foes))
    apart = clearances(spots, foes).reshape(len(foes), -1, len(foes))
    for foe in range(len(foes)):
        np.testing.assert_allclose(apart[foe, :, foe], depth + 0.001, atol=0.0015)


@given(crowds())
@settings(max_examples=40, deadline=None)
def test_boxes_are_the_bounds_of_the_outlines(a: Poses) -> None:
    low, high = boxes(a)
    for row in range(len(a)):
        one = a.take([row])
        points = one.outlines()[0] if one.kind[0] == HULL else edge_points(one, 5760)[0]
        np.testing.assert_allclose(low[row], points.min(axis=0), atol=2e-6)
        np.testing.assert_allclose(high[row], points.max(axis=0), atol=2e-6)


@given(crowds(4), crowds(4), st.integers(0, 2**31))
@settings(max_examples=40, deadline=None)
def test_bounded_sweeps_are_exact_within_the_bound(a: Poses, b: Poses, seed: int) -> None:
    to = a.xy + np.random.default_rng(seed).integers(-6000, 6000, a.xy.shape)
    plain, bounded = swept(a, to, b), swept(a, to, b, 1.0)
    within = plain <= 1.0
    assert (np.asarray(bounded <= 1.0) == within).all()
    np.testing.assert_allclose(bounded[within], plain[within], atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_rays_meet_outlines_where_shapely_says(seed: int) -> None:
    from shapely.geometry import LineString, Point, Polygon

    rng = np.random.default_rng(seed)
    bases = [BASES[2 + k % 4] for k in range(4)]
    poses = Poses.of(bases, rng.uniform(10, 20, (4, 2)).tolist(), facing=rng.integers(0, 360, 4).tolist())
    outlines = [
        p.outlines()[0] if p.kind[0] == HULL else edge_points(p, 48)[0] for p in (poses.take([k]) for k in range(4))
    ]
    rows = np.array([outline[np.minimum(np.arange(48), len(outline) - 1)] for outline in outlines])
    source = rng.uniform(0, 8, (4, 2))
    angle = rng.uniform(0, np.pi / 2, (4, 12))
    which = np.repeat(np.arange(4), 12)
    ways = np.cos(angle).reshape(-1), np.sin(angle).reshape(-1)
    found = _rays_to_outlines(source[which], *ways, rows[which], np.full(48, 99.0)).reshape(4, 12)
    for i in range(4):
        shape = Polygon(rows[i]).buffer(0)
        for k in range(12):
            ray = LineString([source[i], source[i] + 60 * np.array([np.cos(angle[i, k]), np.sin(angle[i, k])])])
            hit = ray.intersection(shape.exterior)
            expected = 99.0 if hit.is_empty else Point(source[i]).distance(hit)
            assert found[i, k] == pytest.approx(expected, abs=1e-6)
