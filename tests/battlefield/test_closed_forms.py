"""Round bases beside ovals and hulls are measured in closed form; the search over directions is the slow twin."""

import numpy as np
import pytest

from battlewright.battlefield import Poses, gaps
from battlewright.battlefield.measure import clearances, separation
from battlewright.battlefield.shapes import COS, SIN
from battlewright.datasheet import Base

HULL = Base("hull", ((0, 0), (125, 0), (125, 80), (0, 80)))
SHAPES = [Base("oval", (170, 109)), Base("oval", (75, 42)), HULL]


@pytest.mark.parametrize("base", SHAPES)
def test_a_round_base_beside_another_shape_agrees_with_the_search(base: Base) -> None:
    rng = np.random.default_rng(7)
    n = 200
    at = [tuple(p) for p in rng.uniform(10, 34, (n, 2)).round(3)]
    shape = Poses.of([base], [(22, 22)], facing=[37])
    discs = Poses.of([Base("round", 32)] * n, at)
    fast = clearances(shape, discs)[0]
    assert np.allclose(fast, slow(shape, discs), atol=2e-5)
    assert np.allclose(clearances(discs, shape)[:, 0], fast)
    assert (gaps(shape, discs)[0] >= 0).all()


def slow(shape: Poses, discs: Poses) -> np.ndarray:
    n = len(discs)
    angle = np.full(n, np.radians(int(shape.facing[0])))
    if shape.kind[0] != 2:
        ovals = [(np.repeat(shape.half, n, axis=0), angle), (discs.half, np.zeros(n))]
        return separation(discs.inches - shape.inches, ovals, [])
    corners = shape.outlines()[0]
    found = np.full(n, np.inf)
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        edge = np.broadcast_to(end - start, (n, 2))
        apart = separation(discs.inches - start, [(discs.half, np.zeros(n))], [edge])
        found = np.minimum(found, apart)
    inside = inside_box(shape, discs.inches)
    return np.where(inside, -(distance_inside(shape, discs.inches)) - discs.half[:, 0], found)


def local(shape: Poses, points: np.ndarray) -> np.ndarray:
    c, s = COS[shape.facing[0]], SIN[shape.facing[0]]
    x, y = (points - shape.inches).T
    return np.stack([c * x + s * y, c * y - s * x], axis=-1)


def inside_box(shape: Poses, points: np.ndarray) -> np.ndarray:
    return (np.abs(local(shape, points)) < shape.half[0]).all(axis=1)


def distance_inside(shape: Poses, points: np.ndarray) -> np.ndarray:
    return (shape.half[0] - np.abs(local(shape, points))).min(axis=1)
