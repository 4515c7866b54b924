"""Measuring: how far apart bases are, and what follows from that (within, engaged, coherent).

Distances run between the closest parts of two bases, in inches (11e 01.04; 10e T-1.2). Two round bases are exact by formula.
Oval and hull bases: the distance of two convex shapes is the largest gap between them over all directions, found to better
than 1/100000 inch. Positions are whole 1/1000 inch, so contact can only be met to that grain: :data:`TOUCH`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from battlewright.battlefield import pairs
from battlewright.battlefield.fast import loops
from battlewright.battlefield.numbers import Coherency
from battlewright.battlefield.shapes import COS, HULL, INCH, OVAL, ROUND, SIN, TURNED, Bools, Floats, Ints, Poses

TOUCH = pairs.TOUCH
"""Inches: bases this near are in base contact, and an overlap this small is only the grain of the positions."""
GRAIN = 1e-6
FLAT = pairs.FLAT
"""Inches: segments that span no more than this across span a line, not a polygon."""


def clearances(a: Poses, b: Poses, near: float = np.inf) -> Floats:
    """Like :func:`gaps`, but negative where bases overlap (how deep, roughly): what the overlap tests need.

    Oval and hull bases whose enclosing circles are more than ``near`` inches apart are not looked at closer: their
    distance is given as that of the circles, which is less than the true one but more than ``near``.
    """
    dx, dy = a.xy[:, :1] - b.xy[:, 0], a.xy[:, 1:] - b.xy[:, 1]
    result: Floats = np.sqrt(dx * dx + dy * dy) / INCH - a.reach[:, None] - b.reach
    if a.all_round and b.all_round:
        return result
    close = (a.kind[:, None] != ROUND) | (b.kind != ROUND)
    if near < np.inf:
        close &= result <= near
    rows, columns = close.nonzero()
    if len(rows):
        result[rows, columns] = pair_clearances(a, rows, b, columns)
    return result


def gaps(a: Poses, b: Poses, near: float = np.inf) -> Floats:
    """Horizontal inches between the closest parts of each base of ``a`` and each of ``b``, (n, m); 0 when touching.

    ``near`` as in :func:`clearances`.

    Rules: 11e 01.04; 10e T-1.2.
    >>> from battlewright.datasheet import Base
    >>> two = Poses.of([Base("round", 25.4)] * 2, [(10, 10), (14, 13)])
    >>> gaps(two, two).tolist()
    [[0.0, 4.0], [4.0, 0.0]]
    """
    return np.asarray(np.maximum(clearances(a, b, near), 0.0))


def closest(a: Poses, b: Poses) -> float:
    """Horizontal inches between the closest two bases; infinite where there are none.

    >>> from battlewright.datasheet import Base
    >>> two = Poses.of([Base("round", 25.4)] * 2, [(10, 10), (14, 13)])
    >>> closest(two, two.take([1])), closest(two.take([0]), two.take([1])), closest(two, two.take([]))
    (0.0, 4.0, inf)
    """
    x, y = a.xy[:, :1] - b.xy[:, 0], a.xy[:, 1:] - b.xy[:, 1]
    middles = np.sqrt(x * x + y * y) / INCH
    within_a, within_b = np.maximum(a.inner, -a.reach), np.maximum(b.inner, -b.reach)  # a hull may lie beside its place
    at_most = (middles - within_a[:, None] - within_b).min(initial=np.inf)
    return float(gaps(a, b, max(float(at_most), 0.0)).min(initial=np.inf))


def drops(a: Poses, b: Poses) -> Floats:
    """Vertical inches between each model of ``a`` and of ``b``: between bases, or any part of a hull.

    >>> from battlewright.datasheet import Base
    >>> low, high = (Poses.of([Base("round", 25.4)], [(10, 10)], z=[z]) for z in (0, 3))
    >>> drops(low, high).tolist()
    [[3.0]]
    """
    if a.on_ground and b.on_ground:
        return np.zeros((len(a), len(b)))
    low_a, low_b = a.z[:, None], b.z[None, :]
    high_a = low_a + np.where(a.kind == HULL, a.footprint.tall, 0)[:, None]
    high_b = low_b + np.where(b.kind == HULL, b.footprint.tall, 0)[None, :]
    return np.asarray(np.maximum(np.maximum(low_a - high_b, low_b - high_a), 0) / INCH)


def distances(a: Poses, b: Poses, near: float = np.inf) -> Floats:
    """Inches between the closest parts, levels included: what "within X" without "horizontally" measures.

    ``near`` as in :func:`clearances`.
    """
    flat = gaps(a, b, near)
    if a.on_ground and b.on_ground:
        return flat
    up = drops(a, b)
    return np.asarray(np.sqrt(flat * flat + up * up))


def within(a: Poses, b: Poses, inches: float) -> Bools:
    """Which models of ``a`` are within ``inches`` of which of ``b``: some part of the base is (11e 01.04.01; T-1.2)."""
    return np.asarray(distances(a, b, inches + GRAIN) <= inches + GRAIN)


def wholly_within(a: Poses, b: Poses, inches: float) -> Bools:
    """Which models of ``a`` are wholly within ``inches`` of which of ``b``: every part of the base is.

    The farthest part of a base is looked for on its edge (round: exact; oval: 64 points of it; hull:
    its corners).
    Rules: 11e 01.04.01; 10e T-1.2.
    >>> from battlewright.datasheet import Base
    >>> tank, trooper = Poses.of([Base("round", 50.8)], [(0, 0)]), Poses.of([Base("round", 25.4)], [(3.5, 0)])
    >>> bool(wholly_within(trooper, tank, 3.0)[0, 0]), bool(wholly_within(trooper, tank, 2.9)[0, 0])
    (True, False)
    """
    flat = _farthest(a, b)
    up = drops(a, b)
    return np.asarray(np.sqrt(flat * flat + up * up) <= inches + GRAIN)


def overlaps(a: Poses, b: Poses, *, level: float = 0.5) -> Bools:
    """Which bases stand on which: more than the grain of positions, and on levels less than ``level`` inches apart."""
    if not len(a) or not len(b):
        return np.zeros((len(a), len(b)), bool)
    return np.asarray((clearances(a, b, 0.0) < -TOUCH) & (drops(a, b) < level))


def engaged(a: Poses, b: Poses, horizontal: float, vertical: float) -> Bools:
    """Which models are in each other's engagement range. Rules: 11e 03.04 (2" and 5"); 10e T-4.3 (1" and 5").

    >>> from battlewright.datasheet import Base
    >>> a, b = Poses.of([Base("round", 25.4)], [(0, 0)]), Poses.of([Base("round", 25.4)], [(2.9, 0)])
    >>> bool(engaged(a, b, 2, 5)[0, 0]), bool(engaged(a, b, 1, 5)[0, 0])
    (True, False)
    """
    return (gaps(a, b, horizontal + GRAIN) <= horizontal + GRAIN) & (drops(a, b) <= vertical + GRAIN)


def in_contact(a: Poses, b: Poses) -> Bools:
    """Which bases touch (11e 01.04.04; 10e T-8.2), to the grain of positions."""
    return (clearances(a, b, TOUCH) <= TOUCH) & (drops(a, b) <= 5)


def strays(unit: Poses, numbers: Coherency) -> Bools:
    """Which models of the unit break coherency: too few mates near, a mate too far, or outside the largest group.

    A model too far from its mates is marked, and so is the mate. Rules: 11e 03.03; 10e T-4.2.
    """
    n = len(unit)
    if n < 2:
        return np.zeros(n, bool)
    most = max(numbers.near, numbers.far or 0.0) + GRAIN
    flat, level = gaps(unit, unit, most), drops(unit, unit) <= numbers.vertical + GRAIN
    near = (flat <= numbers.near + GRAIN) & level
    np.fill_diagonal(near, False)
    needed = next(mates for least, mates in reversed(numbers.mates) if n >= least)
    out = near.sum(axis=1) < needed
    if numbers.far is not None:
        out |= ~((flat <= numbers.far + GRAIN) & level).all(axis=1)
    if numbers.single:
        out |= ~_largest_group(near)
    return np.asarray(out)


def coherent(unit: Poses, numbers: Coherency) -> bool:
    """Is the unit in coherency? :func:`strays` says who is not. Rules: 11e 03.03; 10e T-4.2.

    >>> from battlewright.battlefield.numbers import ELEVENTH
    >>> from battlewright.datasheet import Base
    >>> line = Poses.of([Base("round", 25.4)] * 3, [(0, 0), (3, 0), (6.1, 0)])
    >>> coherent(line, ELEVENTH.coherency), coherent(line.take([0, 1]), ELEVENTH.coherency)
    (False, True)
    """
    return not strays(unit, numbers).any()


def swept(a: Poses, to: Ints, b: Poses, near: float = np.inf) -> Floats:
    """Clearance of each base of ``a``, moved in a straight line to ``to`` without turning, to each of ``b``, (n, m).

    The smallest distance at any moment of the move; negative where the way goes through a base.
    ``near`` as in :func:`clearances`.
    """
    way = (to - a.xy) / INCH
    apart = points_to_legs(b.inches, a.inches, to / INCH)
    result: Floats = apart - a.reach[:, None] - b.reach
    if not (a.all_round and b.all_round):
        shaped = (a.kind[:, None] != ROUND) | (b.kind != ROUND)
        rows, columns = (shaped & (result <= near)).nonzero()
        result[rows, columns] = pair_clearances(a, rows, b, columns, way[rows])
    return result


def points_to_legs(points: Floats, start: Floats, end: Floats) -> Floats:
    """Inches from each leg (k) to each point (p): (k, p)."""
    wx, wy = (end - start)[:, 0, None], (end - start)[:, 1, None]
    x, y = points[None, :, 0] - start[:, 0, None], points[None, :, 1] - start[:, 1, None]
    along = np.clip((x * wx + y * wy) / np.maximum(wx * wx + wy * wy, 1e-18), 0, 1)
    x -= along * wx
    y -= along * wy
    return np.asarray(np.sqrt(x * x + y * y))


def _largest_group(near: Bools) -> Bools:
    """The models of the largest group linked by ``near`` (the first of equals)."""
    best = np.zeros(len(near), bool)
    left = np.ones(len(near), bool)
    while left.any():
        group = np.zeros(len(near), bool)
        group[np.argmax(left)] = True
        while True:
            grown = group | near[group].any(axis=0)
            if (grown == group).all():
                break
            group = grown
        left &= ~group
        if group.sum() > best.sum():
            best = group
    return best


def boxes(poses: Poses) -> tuple[Floats, Floats]:
    """The lowest and the highest x and y any part of each base reaches, (n, 2) each in inches."""
    inches = poses.inches
    if poses.all_round:
        return inches - poses.half[:, :1], inches + poses.half[:, :1]
    c, s = COS[poses.facing % 360], SIN[poses.facing % 360]
    x, y = poses.half[:, 0], poses.half[:, 1]
    wide = np.sqrt(np.stack([(x * c) ** 2 + (y * s) ** 2, (x * s) ** 2 + (y * c) ** 2], axis=-1))
    low, high = inches - wide, inches + wide
    hulls = np.nonzero(poses.kind == HULL)[0]
    if len(hulls):
        corners = poses.take(hulls).outlines()
        low[hulls], high[hulls] = corners.min(axis=1), corners.max(axis=1)
    return low, high


def edge_points(poses: Poses, count: int = 64) -> Floats:
    """``count`` points on the edge of each base, (n, count, 2) in inches: for ovals and circles evenly in angle."""
    angle = np.arange(count) * (2 * np.pi / count)
    x, y = poses.half[:, :1] * np.cos(angle), poses.half[:, 1:] * np.sin(angle)
    c, s = COS[poses.facing % 360][:, None], SIN[poses.facing % 360][:, None]
    points = np.stack([c * x - s * y, s * x + c * y], axis=-1) + poses.inches[:, None, :]
    hulls = np.nonzero(poses.kind == HULL)[0]
    if len(hulls):
        corners = poses.take(hulls).outlines()
        k = corners.shape[1]
        step = np.arange(count) * (k / count)
        here, part = step.astype(int), (step % 1)[None, :, None]
        points[hulls] = corners[:, here] * (1 - part) + corners[:, (here + 1) % k] * part
    return points


def _farthest(a: Poses, b: Poses) -> Floats:
    """Inches from each base of ``b`` to the farthest part of each base of ``a``.

    Of a round base that is its far side, straight away from the other.
    """
    result = np.maximum(clearances(a, b) + 2 * a.half[:, :1], 0.0)
    for row in np.nonzero(a.kind != ROUND)[0].tolist():
        one = a.take([row])
        points = edge_points(one)[0] if one.kind[0] == OVAL else one.outlines()[0]
        result[row] = _points_to_bases(points, b).max(axis=0)
    return np.asarray(result)


def _points_to_bases(points: Floats, b: Poses) -> Floats:
    """Inches from each point (p, 2) to each base, (p, m); 0 inside."""
    n, m = len(points), len(b)
    flat = np.repeat(points, m, axis=0)
    right = b.take(np.tile(np.arange(m), n))
    apart = np.sqrt(((flat - right.inches) ** 2).sum(axis=-1)) - right.half[:, 0]
    shaped = np.nonzero(right.kind != 0)[0]
    if len(shaped):
        some = right.take(shaped)
        apart[shaped] = _to_points(some, flat[shaped])
    return np.asarray(np.maximum(apart, 0.0).reshape(n, m))


# -- oval and hull pairs ----------------------------------------------------------------------------------------------


def pair_clearances(a: Poses, rows: Ints, b: Poses, columns: Ints, way: Floats | None = None) -> Floats:
    """Clearance of base ``rows[k]`` of ``a``, swept along ``way[k]``, and base ``columns[k]`` of ``b``."""
    compiled = loops(WORK * len(rows))
    if compiled is None and len(rows) <= FEW:
        return np.array(few_clearances(a, rows.tolist(), b, columns.tolist(), None if way is None else way.tolist()))
    moved = np.zeros((len(rows), 2)) if way is None else way
    if compiled is None:
        return many_clearances(a.take(rows), b.take(columns), moved)
    result = np.empty(len(rows))
    compiled["clearances"](_bases(a), rows, _bases(b), columns, np.ascontiguousarray(moved), result)
    return result


FEW, WORK = 24, 10
"""So few pairs are measured one by one sooner than in arrays; and what a pair counts for, that :func:`loops` may pay."""


def _bases(poses: Poses) -> tuple[NDArray[Any], ...]:
    """The bases as :mod:`battlewright.battlefield.pairs` takes them, in arrays."""
    facing = poses.facing % 360
    corners = poses.footprint.corners if poses.all_round else poses.outlines()
    parts = poses.kind, poses.inches, poses.half, COS[facing], SIN[facing], corners
    return tuple(map(np.ascontiguousarray, parts))


def few_clearances(
    a: Poses, rows: list[int], b: Poses, columns: list[int], ways: list[list[float]] | None = None
) -> list[float]:
    """:func:`pair_clearances` one by one."""
    left = {row: _listed(a, row) for row in set(rows)}
    right = {column: _listed(b, column) for column in set(columns)}
    if ways is None:
        return [pairs.clearance(*left[i], *right[j], pairs.NO_LINE) for i, j in zip(rows, columns, strict=True)]
    lines = ((x, y) for x, y in ways)
    return [pairs.clearance(*left[i], *right[j], line) for i, j, line in zip(rows, columns, lines, strict=True)]


def _listed(poses: Poses, row: int) -> tuple[int, pairs.Line, tuple[float, float, float, float], list[pairs.Line]]:
    """One base as :func:`battlewright.battlefield.pairs.clearance` takes it."""
    kind, (half, other), corners = poses.footprint.listed(row)
    x, y = poses.xy[row].tolist()
    x, y = x / INCH, y / INCH
    c, s = TURNED[poses.facing[row] % 360]
    placed = [(c * along - s * across + x, s * along + c * across + y) for along, across in corners]
    return kind, (x, y), (half, other, c, s), placed


def many_clearances(a: Poses, b: Poses, moved: Floats) -> Floats:
    """:func:`pair_clearances` in arrays, whatever their number."""
    hulls = 2 * (a.kind == HULL) + (b.kind == HULL)
    return _by_group(hulls, lambda which, rows: _PAIRS[which](a.take(rows), b.take(rows), moved[rows]))


Rows: TypeAlias = Ints | slice


def _by_group(group: NDArray[Any], measured: Callable[[int, Rows], Floats]) -> Floats:
    """``measured`` of the rows of each group, put together; of all rows as they lie where there is one group only."""
    groups = set(group.tolist())
    if len(groups) == 1:
        return measured(groups.pop(), slice(None))
    result = np.empty(len(group))
    for which in groups:
        rows = np.nonzero(group == which)[0]
        result[rows] = measured(which, rows)
    return result


def _oval_to_oval(left: Poses, right: Poses, way: Floats) -> Floats:
    if not way.any() and ((left.kind == ROUND) | (right.kind == ROUND)).all():
        return _by_group(right.kind != ROUND, lambda turned, rows: _oval_to_round(left, right, rows, bool(turned)))
    return separation(right.inches - left.inches, [(left.half, _angle(left)), (right.half, _angle(right))], [way])


def _oval_to_round(left: Poses, right: Poses, rows: Rows, turned: bool) -> Floats:
    """Clearance of pairs of which one is round: that on the right, or on the left when ``turned``."""
    ovals, discs = (right, left) if turned else (left, right)
    return _to_points(ovals.take(rows), discs.inches[rows]) - discs.half[rows, 0]


def _hull_to_oval(left: Poses, right: Poses, way: Floats) -> Floats:
    return _off_hulls(left, right, -way)


def _oval_to_hull(left: Poses, right: Poses, way: Floats) -> Floats:
    return _off_hulls(right, left, way)


def _angle(poses: Poses) -> Floats:
    return np.radians(poses.facing % 360)


def _off_hulls(hulls: Poses, bases: Poses, way: Floats) -> Floats:
    """Clearance from each hull to a round or oval base that sweeps along ``way``."""

    def measured(still: int, rows: Rows) -> Floats:
        some, others = hulls.take(rows), bases.take(rows)
        if still:
            return _to_points(some, others.inches) - others.half[:, 0]
        return _hull_to_swept(some, others.inches, others.half, _angle(others), [way[rows]])

    return _by_group((bases.half[:, 0] == bases.half[:, 1]) & ~way.any(axis=1), measured)


def _hull_to_swept(hulls: Poses, centre: Floats, half: Floats, angle: Floats, segments: list[Floats]) -> Floats:
    """From each hull to an ellipse at ``centre`` that sweeps along ``segments``."""
    corners = hulls.outlines()
    edges = next_corners(corners) - corners
    n, k, _ = corners.shape
    spread = np.repeat(np.arange(n), k)
    apart = separation(
        corners.reshape(-1, 2) - centre[spread],
        [(half[spread], angle[spread])],
        [s[spread] for s in segments] + [-edges.reshape(-1, 2)],
    ).reshape(n, k)
    apart[(np.abs(edges).sum(axis=-1) == 0)] = np.inf
    nearest = apart.min(axis=1)
    return np.asarray(np.where(_inside(centre, corners), -np.maximum(np.abs(nearest), 2 * TOUCH), nearest))


def _to_points(shape: Poses, points: Floats) -> Floats:
    """From each base to a point, negative inside: the closed form for a round base that does not move."""
    return _by_group(
        shape.kind == HULL,
        lambda hull, rows: (_hulls_to_points if hull else _ovals_to_points)(shape.take(rows), points[rows]),
    )


def _ovals_to_points(ovals: Poses, points: Floats) -> Floats:
    c, s = COS[ovals.facing % 360], SIN[ovals.facing % 360]
    x, y = (points - ovals.inches).T
    return _to_ellipses(np.abs(c * x + s * y), np.abs(c * y - s * x), ovals.half)


def _hulls_to_points(hulls: Poses, points: Floats) -> Floats:
    corners = hulls.outlines()
    edges = next_corners(corners) - corners
    square = (edges * edges).sum(axis=-1)
    offset = points[:, None, :] - corners
    along = np.clip((offset * edges).sum(axis=-1) / np.where(square > 0, square, 1), 0, 1)
    rest = offset - along[..., None] * edges
    nearest = np.sqrt((rest * rest).sum(axis=-1)).min(axis=1)
    return np.asarray(np.where(_inside(points, corners), -np.maximum(nearest, 2 * TOUCH), nearest))


def _to_ellipses(x: Floats, y: Floats, half: Floats) -> Floats:
    """From a point (x, y ≥ 0) to an ellipse along the axes: its foot is found on ever better circles of curvature."""
    at, axes = np.stack([x, y]), half.T
    bend = (axes * axes - (axes * axes)[::-1]) / axes
    foot = np.full(at.shape, np.sqrt(0.5))
    for _ in range(12):
        centre = bend * (foot * foot * foot)
        to_edge, to_point = axes * foot - centre, at - centre
        scale = np.sqrt(_square(to_edge) / np.maximum(_square(to_point), 1e-24))
        better = np.minimum(np.maximum((to_point * scale + centre) / axes, 0.0), 1.0)
        better = better / np.maximum(np.sqrt(_square(better)), 1e-12)
        settled = np.abs(better - foot).max(initial=0.0) < 1e-12
        foot = better
        if settled:
            break
    apart = np.sqrt(_square(at - axes * foot))
    return np.asarray(np.where(_square(at / axes) < 1, -apart, apart))


def _square(v: Floats) -> Floats:
    """The squared lengths of vectors given as a row of x and a row of y."""
    squares = v * v
    return np.asarray(squares[0] + squares[1])


def _hull_to_hull(a: Poses, b: Poses, way: Floats) -> Floats:
    left, right = a.outlines(), b.outlines()
    edge_l, edge_r = next_corners(left) - left, next_corners(right) - right
    n, k, m = len(a), left.shape[1], right.shape[1]
    offset = (right[:, None, :, :] - left[:, :, None, :]).reshape(-1, 2)
    one = np.broadcast_to(edge_l[:, :, None, :], (n, k, m, 2)).reshape(-1, 2)
    two = np.broadcast_to(-edge_r[:, None, :, :], (n, k, m, 2)).reshape(-1, 2)
    segments = [one, two] if not way.any() else [one, two, np.repeat(way, k * m, axis=0)]
    apart = separation(offset, [], segments).reshape(n, k, m)
    apart[np.broadcast_to((np.abs(edge_l).sum(-1) == 0)[:, :, None], apart.shape)] = np.inf
    apart[np.broadcast_to((np.abs(edge_r).sum(-1) == 0)[:, None, :], apart.shape)] = np.inf
    nearest = apart.min(axis=(1, 2))
    inside = _inside(left[:, 0], right) | _inside(right[:, 0], left)
    inside |= _inside(a.inches, left) & _inside(a.inches, right)
    return np.asarray(np.where(inside, -np.maximum(np.abs(nearest), 2 * TOUCH), nearest))


_PAIRS = (_oval_to_oval, _oval_to_hull, _hull_to_oval, _hull_to_hull)
"""By whether the left base is a hull (2) and whether the right one is (1)."""


def next_corners(corners: Floats) -> Floats:
    """The corner after each corner, (n, k, 2)."""
    return corners[:, [*range(1, corners.shape[1]), 0]]


def _inside(points: Floats, polygons: Floats) -> Bools:
    """Is point i inside polygon i (even-odd rule; corners repeated at the end do no harm)?"""
    x, y = points[:, :1], points[:, 1:]
    following = next_corners(polygons)
    x1, y1, x2, y2 = polygons[..., 0], polygons[..., 1], following[..., 0], following[..., 1]
    straddles = (y1 > y) != (y2 > y)
    rise = np.where(y2 == y1, 1.0, y2 - y1)
    crossing = straddles & (x < (x2 - x1) * (y - y1) / rise + x1)
    return np.asarray(crossing.sum(axis=1) % 2 == 1)


FIRST_LOOK, NEXT_LOOK = np.linspace(-1.0, 1.0, 17), np.linspace(-1.0, 1.0, 9)


def separation(offset: Floats, ovals: list[tuple[Floats, Floats]], segments: list[Floats]) -> Floats:
    """Distance of two convex shapes, one pair a row; negative (the depth of the overlap, roughly) where they meet.

    The shapes are sums of ellipses (half-axes, angle) around the two anchors ``offset`` apart, and of segments: a part of
    the first shape as it stands, of the second with its sign turned. With one true oval or none in a row the distance is
    found in closed form (to rounding: better than 1e-9 inch); with more it is looked for (see :func:`_searched`).
    """
    centred = offset.astype(float)
    for segment in segments:
        centred = centred - segment / 2
    long = [half[:, 0] != half[:, 1] for half, _ in ovals]
    true_ovals = sum((one.astype(np.int64) for one in long), np.zeros(len(centred), np.int64))
    lines = [np.asarray(segment, float) for segment in segments]

    def measured(count: int, rows: Rows) -> Floats:
        some = [(half[rows], angle[rows]) for half, angle in ovals]
        return (_closed if count < 2 else _searched)(centred[rows], some, [line[rows] for line in lines])

    return _by_group(true_ovals, measured)


def _closed(centred: Floats, ovals: list[tuple[Floats, Floats]], segments: list[Floats]) -> Floats:
    """:func:`separation` where no row has more than one oval that is not round."""
    n = len(centred)
    disc, half, angle = np.zeros(n), np.zeros((n, 2)), np.zeros(n)
    for axes, turned in ovals:
        true_oval = axes[:, 0] != axes[:, 1]
        disc += np.where(true_oval, 0.0, axes[:, 0])
        half[true_oval], angle[true_oval] = axes[true_oval], turned[true_oval]
    if not half.any():
        return _to_swept_point(centred, segments) - disc
    c, s = np.cos(angle), np.sin(angle)

    def turn(v: Floats) -> Floats:
        return np.stack([c * v[:, 0] + s * v[:, 1], c * v[:, 1] - s * v[:, 0]], axis=-1)

    if not any(segment.any() for segment in segments):
        x, y = np.abs(turn(centred)).T
        return _to_ellipses(x, y, half) - disc
    return _to_swept_oval(turn(centred), half, [turn(segment) for segment in segments]) - disc


def _facing_edges(centred: Floats, segments: list[Floats]) -> Iterator[tuple[Floats, Floats, Floats, Floats, Floats]]:
    """The edges, turned to the point, of the polygon the segments span around the origin.

    For each segment: the segment, the place of the point seen from the middle of the edge, the edge's unit normal (zero
    for a segment without length), how far out the point is along it, and the edge's squared length.
    """
    upward = [np.where((s[:, :1] < 0) | ((s[:, :1] == 0) & (s[:, 1:] < 0)), -s, s) for s in segments]
    for i, edge in enumerate(upward):
        x, y = edge[:, 0], edge[:, 1]
        square = x * x + y * y
        facing = np.where(x * centred[:, 1] - y * centred[:, 0] < 0, -1.0, 1.0)
        seen = centred * facing[:, None]
        for j, other in enumerate(upward):
            if j != i:
                turn = x * other[:, 1] - y * other[:, 0]
                sign = np.where((turn > 0) | ((turn == 0) & (i < j)), 0.5, -0.5)
                seen = seen - sign[:, None] * other
        length = np.sqrt(np.where(square > 0, square, 1.0))
        normal = np.stack([-y / length, x / length], axis=-1)
        yield edge, seen, normal, normal[:, 0] * seen[:, 0] + normal[:, 1] * seen[:, 1], square


def _to_swept_point(centred: Floats, segments: list[Floats]) -> Floats:
    """From points to the polygon the segments span around the origin; negative inside."""
    nearest, depth = np.full(len(centred), np.inf), np.full(len(centred), -np.inf)
    for edge, seen, _, out, square in _facing_edges(centred, segments):
        along = (seen[:, 0] * edge[:, 0] + seen[:, 1] * edge[:, 1]) / np.where(square > 0, square, 1.0)
        along = np.minimum(np.maximum(along, -0.5), 0.5)
        x, y = seen[:, 0] - along * edge[:, 0], seen[:, 1] - along * edge[:, 1]
        nearest = np.minimum(nearest, x * x + y * y)
        depth = np.maximum(depth, np.where(square > 0, out, -np.inf))
    if not segments:
        return np.asarray(np.sqrt((centred * centred).sum(axis=-1)))
    return np.where((depth < -FLAT) & np.isfinite(depth), depth, np.sqrt(nearest))


def _to_swept_oval(centred: Floats, half: Floats, segments: list[Floats]) -> Floats:
    """From points to an oval along the axes, swept over all the segments span around the origin; negative inside.

    The part of an edge nearest the oval is where the oval's own normal is the edge's, or the end that way.
    """
    nearest, depth = np.full(len(centred), np.inf), np.full(len(centred), -np.inf)
    for edge, seen, normal, out, square in _facing_edges(centred, segments):
        support = normal * half * half
        high = np.sqrt((support * normal).sum(axis=-1))
        level = np.clip(out / np.where(high > 0, high, 1.0), -1.0, 1.0) / np.where(high > 0, high, 1.0)
        x, y = seen[:, 0] - support[:, 0] * level, seen[:, 1] - support[:, 1] * level
        along = (x * edge[:, 0] + y * edge[:, 1]) / np.where(square > 0, square, 1.0)
        apart = np.abs(out) - high
        ends = np.nonzero((np.abs(along) > 0.5) | (square == 0))[0]
        if len(ends):
            end = np.abs(seen[ends] - (np.sign(along[ends]) * 0.5)[:, None] * edge[ends])
            apart[ends] = _to_ellipses(end[:, 0], end[:, 1], half[ends])
        nearest = np.minimum(nearest, apart)
        depth = np.maximum(depth, np.where(square > 0, out, -np.inf))
    return np.where((depth < -FLAT) & np.isfinite(depth), np.minimum(nearest, depth - half.min(axis=1)), nearest)


def _searched(centred: Floats, ovals: list[tuple[Floats, Floats]], segments: list[Floats]) -> Floats:
    """:func:`separation` for any shapes.

    In a direction u the gap is u·offset less what both shapes reach; that is concave in u, so a coarse look and ever
    finer ones around the best find the largest.
    """
    length = np.sqrt((centred * centred).sum(axis=-1))
    slack = sum((np.abs(half[:, 0] - half[:, 1]) for half, _ in ovals), np.zeros(len(centred)))
    slack = sum((np.sqrt((s * s).sum(axis=-1)) / 2 for s in segments), slack)
    ratio = np.clip(slack / np.where(length > 0, length, 1), 0, 1)
    wide = np.where(slack >= length, np.pi, np.arccos(1 - ratio)) + 1e-9
    ahead = np.arctan2(centred[:, 1], centred[:, 0])

    rounds = pairs.ROUNDS if any(s.any() for s in segments) else pairs.ROUNDS_STILL

    def gap(theta: Floats) -> Floats:
        shape = (-1,) + (1,) * (theta.ndim - 1)
        ux, uy = np.cos(theta), np.sin(theta)
        value = ux * centred[:, 0].reshape(shape) + uy * centred[:, 1].reshape(shape)
        for half, angle in ovals:
            turned = theta - angle.reshape(shape)
            value -= np.hypot(half[:, 0].reshape(shape) * np.cos(turned), half[:, 1].reshape(shape) * np.sin(turned))
        for s in segments:
            value -= np.abs(ux * s[:, 0].reshape(shape) + uy * s[:, 1].reshape(shape)) / 2
        return np.asarray(value)

    rows = np.arange(len(centred))
    middle, reach, best = ahead, wide, np.empty(0)
    for look in (FIRST_LOOK, *([NEXT_LOOK] * rounds)):
        thetas = middle[:, None] + reach[:, None] * look
        values = gap(thetas)
        chosen = values.argmax(axis=1)
        middle, best = thetas[rows, chosen], values[rows, chosen]
        reach = reach * (look[1] - look[0])
    return np.asarray(best)


def cross(a: Floats, b: Floats, c: Floats, d: Floats) -> Bools:
    """Do segment ab and segment cd cross, row by row?"""

    def turn(o: Floats, p: Floats, q: Floats) -> Floats:
        return np.asarray((p[:, 0] - o[:, 0]) * (q[:, 1] - o[:, 1]) - (p[:, 1] - o[:, 1]) * (q[:, 0] - o[:, 0]))

    return np.asarray((turn(a, b, c) * turn(a, b, d) < 0) & (turn(c, d, a) * turn(c, d, b) < 0))


def segments_apart(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Inches between segment ab and segment cd, row by row; 0 where they cross."""

    def point(p: Floats, s: Floats, e: Floats) -> Floats:
        wx, wy, x, y = e[:, 0] - s[:, 0], e[:, 1] - s[:, 1], p[:, 0] - s[:, 0], p[:, 1] - s[:, 1]
        along = np.clip((x * wx + y * wy) / np.maximum(wx * wx + wy * wy, 1e-18), 0, 1)
        x, y = x - along * wx, y - along * wy
        return np.asarray(np.sqrt(x * x + y * y))

    apart = np.minimum(np.minimum(point(a, c, d), point(b, c, d)), np.minimum(point(c, a, b), point(d, a, b)))
    return np.where(cross(a, b, c, d), 0.0, apart)
