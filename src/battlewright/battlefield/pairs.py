"""The clearance of one pair of bases, number by number: the same sums as :mod:`battlewright.battlefield.measure` does in
arrays. Plain Python beats arrays for a few pairs; compiled by numba, where it is installed, it beats them for any number.

A base is its kind, the place of its middle, its half-axes and the cosine and sine of its facing; hulls have corners where
they stand besides. ``lines`` are three steps the distance is swept over, (0, 0) where there are fewer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from battlewright.battlefield.shapes import HULL

Point: TypeAlias = Sequence[float]
Line: TypeAlias = tuple[float, float]
Lines: TypeAlias = tuple[Line, Line, Line]

Bases: TypeAlias = tuple[
    Sequence[int], Sequence[Point], Sequence[Point], Sequence[float], Sequence[float], Sequence[Sequence[Point]]
]
"""Kinds, places, half-axes, cosines and sines of the facings, corners."""

TOUCH = 0.002
FLAT = 1e-9
NO_LINE = (0.0, 0.0)
STILL = (NO_LINE, NO_LINE, NO_LINE)
ROUNDS, ROUNDS_STILL = 12, 7
"""How often the best direction is looked for ever finer, for ovals that move and that do not."""


def between(value: float, low: float, high: float) -> float:
    """The value, or the bound it is beyond: five times as quick as ``min`` and ``max``."""
    return low if value < low else value if value < high else high


def to_ellipse(x: float, y: float, a: float, b: float) -> float:
    """From a point (x, y ≥ 0) to an ellipse along the axes, negative inside."""
    bend_x, bend_y = (a * a - b * b) / a, (b * b - a * a) / b
    tx = ty = math.sqrt(0.5)
    for _ in range(12):
        ex, ey = bend_x * (tx * tx * tx), bend_y * (ty * ty * ty)
        rx, ry, qx, qy = a * tx - ex, b * ty - ey, x - ex, y - ey
        square = qx * qx + qy * qy
        scale = math.sqrt((rx * rx + ry * ry) / (square if square > 1e-24 else 1e-24))
        ux, uy = (qx * scale + ex) / a, (qy * scale + ey) / b
        ux = 0.0 if ux < 0.0 else ux if ux < 1.0 else 1.0  # ten times as quick as min and max
        uy = 0.0 if uy < 0.0 else uy if uy < 1.0 else 1.0
        length = math.sqrt(ux * ux + uy * uy)
        length = length if length > 1e-12 else 1e-12
        ux, uy = ux / length, uy / length
        settled = abs(ux - tx) < 1e-12 and abs(uy - ty) < 1e-12
        tx, ty = ux, uy
        if settled:
            break
    dx, dy, across, along = x - a * tx, y - b * ty, x / a, y / b
    apart = math.sqrt(dx * dx + dy * dy)
    return -apart if across * across + along * along < 1 else apart


def to_swept(x: float, y: float, a: float, b: float, lines: Lines) -> float:
    """From a point to an oval along the axes (a point when ``a`` is 0), swept over all the lines span around the origin."""
    nearest, depth, still = math.inf, -math.inf, True
    lines = upward(lines[0]), upward(lines[1]), upward(lines[2])
    for i in range(3):
        edge_x, edge_y = lines[i]
        square = edge_x * edge_x + edge_y * edge_y
        if square == 0:
            continue
        still = False
        facing = -1.0 if edge_x * y - edge_y * x < 0 else 1.0
        seen_x, seen_y = x * facing, y * facing
        for j in range(3):
            if j != i:
                other_x, other_y = lines[j]
                turn = edge_x * other_y - edge_y * other_x
                part = 0.5 if turn > 0 or (turn == 0 and i < j) else -0.5
                seen_x, seen_y = seen_x - part * other_x, seen_y - part * other_y
        length = math.sqrt(square)
        normal_x, normal_y = -edge_y / length, edge_x / length
        out = normal_x * seen_x + normal_y * seen_y
        depth = out if out > depth else depth
        if a == 0:
            along = between((seen_x * edge_x + seen_y * edge_y) / square, -0.5, 0.5)
            dx, dy = seen_x - along * edge_x, seen_y - along * edge_y
            apart = math.sqrt(dx * dx + dy * dy)
        else:
            support_x, support_y = normal_x * a * a, normal_y * b * b
            high = math.sqrt(support_x * normal_x + support_y * normal_y)
            level = between(out / high, -1.0, 1.0) / high
            dx, dy = seen_x - support_x * level, seen_y - support_y * level
            along = (dx * edge_x + dy * edge_y) / square
            apart = abs(out) - high
            if abs(along) > 0.5:
                end = 0.5 if along > 0 else -0.5
                apart = to_ellipse(abs(seen_x - end * edge_x), abs(seen_y - end * edge_y), a, b)
        nearest = apart if apart < nearest else nearest
    if still:
        return math.sqrt(x * x + y * y) if a == 0 else to_ellipse(abs(x), abs(y), a, b)
    return min(nearest, depth - min(a, b)) if depth < -FLAT else nearest


def upward(line: Line) -> Line:
    return (-line[0], -line[1]) if line[0] < 0 or (line[0] == 0 and line[1] < 0) else line


def apart(x: float, y: float, a: float, b: float, c: float, s: float, lines: Lines) -> float:
    """From a point to a round or oval base around the origin, swept over the lines, which begin there."""
    if lines == STILL:
        return to_ellipse(abs(c * x + s * y), abs(c * y - s * x), a, b) if a != b else math.sqrt(x * x + y * y) - a
    for line in lines:
        x, y = x - line[0] / 2, y - line[1] / 2
    if a == b:
        return to_swept(x, y, 0.0, 0.0, lines) - a
    one, two, three = turned(lines[0], c, s), turned(lines[1], c, s), turned(lines[2], c, s)
    return to_swept(c * x + s * y, c * y - s * x, a, b, (one, two, three))


def turned(line: Line, c: float, s: float) -> Line:
    return c * line[0] + s * line[1], c * line[1] - s * line[0]


def ovals_apart(x: float, y: float, one: Sequence[float], two: Sequence[float], way: Line) -> float:
    """Two true ovals (half-axes, cosine and sine), the one ``way`` swept: the largest gap over all directions.

    A coarse look, and ever finer ones around the best.
    """
    x, y = x - way[0] / 2, y - way[1] / 2
    length = math.sqrt(x * x + y * y)
    slack = abs(one[0] - one[1]) + abs(two[0] - two[1]) + math.sqrt(way[0] * way[0] + way[1] * way[1]) / 2
    wide = math.pi if slack >= length else math.acos(1 - min(slack / length, 1.0))
    at, span, best = math.atan2(y, x), wide + 1e-9, 0.0
    for look in range((ROUNDS_STILL if way[0] == 0 and way[1] == 0 else ROUNDS) + 1):
        steps = 8 if look == 0 else 4
        best, chosen = -math.inf, at
        for k in range(-steps, steps + 1):
            theta = at + span * (k / steps)
            ux, uy = math.cos(theta), math.sin(theta)
            value = ux * x + uy * y - reach(ux, uy, one) - reach(ux, uy, two) - abs(ux * way[0] + uy * way[1]) / 2
            if value > best:
                best, chosen = value, theta
        at, span = chosen, span / steps
    return best


def reach(ux: float, uy: float, oval: Sequence[float]) -> float:
    """How far an oval reaches in a direction."""
    along, across = oval[0] * (ux * oval[2] + uy * oval[3]), oval[1] * (uy * oval[2] - ux * oval[3])
    return math.sqrt(along * along + across * across)


def inside(x: float, y: float, corners: Sequence[Point]) -> bool:
    """Is the point inside the polygon (even-odd rule)?"""
    crossings = 0
    for i in range(len(corners)):
        here, following = corners[i], corners[(i + 1) % len(corners)]
        if (here[1] > y) != (following[1] > y):
            crossings += x < (following[0] - here[0]) * (y - here[1]) / (following[1] - here[1]) + here[0]
    return crossings % 2 == 1


def to_segment(x: float, y: float, dx: float, dy: float) -> float:
    """From a point to the segment from the origin along (dx, dy)."""
    square = dx * dx + dy * dy
    part = between((x * dx + y * dy) / (square if square > 0 else 1.0), 0.0, 1.0)
    x, y = x - part * dx, y - part * dy
    return math.sqrt(x * x + y * y)


def off_hull(corners: Sequence[Point], x: float, y: float, oval: Sequence[float], way: Line) -> float:
    """From a hull to a round or oval base at (x, y) that sweeps along ``way``; negative when its middle is inside."""
    a, b, c, s = oval[0], oval[1], oval[2], oval[3]
    still = a == b and way[0] == 0 and way[1] == 0
    nearest = math.inf
    for i in range(len(corners)):
        here, following = corners[i], corners[(i + 1) % len(corners)]
        edge = here[0] - following[0], here[1] - following[1]
        if still:
            nearest = min(nearest, to_segment(x - here[0], y - here[1], -edge[0], -edge[1]))
        elif edge[0] != 0 or edge[1] != 0:
            nearest = min(nearest, apart(here[0] - x, here[1] - y, a, b, c, s, (way, edge, NO_LINE)))
    if inside(x, y, corners):
        nearest = -max(abs(nearest), 2 * TOUCH)
    return nearest - a if still else nearest


def hulls_apart(left: Sequence[Point], right: Sequence[Point], x: float, y: float, way: Line) -> float:
    """Two hulls, the left one (its middle at x, y) swept along ``way``."""
    nearest = math.inf
    for i in range(len(left)):
        here, following = left[i], left[(i + 1) % len(left)]
        one = following[0] - here[0], following[1] - here[1]
        if one[0] == 0 and one[1] == 0:
            continue
        for j in range(len(right)):
            there, beyond = right[j], right[(j + 1) % len(right)]
            two = there[0] - beyond[0], there[1] - beyond[1]
            if two[0] != 0 or two[1] != 0:
                offset_x, offset_y = there[0] - here[0], there[1] - here[1]
                nearest = min(nearest, apart(offset_x, offset_y, 0.0, 0.0, 1.0, 0.0, (one, two, way)))
    meet = inside(left[0][0], left[0][1], right) or inside(right[0][0], right[0][1], left)
    if meet or (inside(x, y, left) and inside(x, y, right)):
        return -max(abs(nearest), 2 * TOUCH)
    return nearest


def clearance(
    kind: int,
    at: Point,
    oval: Sequence[float],
    corners: Sequence[Point],
    kind_b: int,
    at_b: Point,
    oval_b: Sequence[float],
    corners_b: Sequence[Point],
    way: Line,
) -> float:
    """Of one base, swept along ``way``, and another. Each: its kind, place, half-axes with cosine and sine, corners."""
    x, y = at_b[0] - at[0], at_b[1] - at[1]
    if kind == HULL and kind_b == HULL:
        return hulls_apart(corners, corners_b, at[0], at[1], way)
    if kind == HULL:
        return off_hull(corners, at_b[0], at_b[1], oval_b, (-way[0], -way[1]))
    if kind_b == HULL:
        return off_hull(corners_b, at[0], at[1], oval, way)
    if oval[0] == oval[1]:
        return apart(x, y, oval_b[0], oval_b[1], oval_b[2], oval_b[3], (way, NO_LINE, NO_LINE)) - oval[0]
    if oval_b[0] == oval_b[1]:
        return apart(x, y, oval[0], oval[1], oval[2], oval[3], (way, NO_LINE, NO_LINE)) - oval_b[0]
    return ovals_apart(x, y, oval, oval_b, way)


def clearances(
    a: Bases, rows: Sequence[int], b: Bases, columns: Sequence[int], ways: Sequence[Point], result: list[float]
) -> None:
    """Into ``result``: the clearance of base ``rows[k]`` of ``a``, swept along way k, and base ``columns[k]`` of ``b``."""
    kinds, places, halves, cosines, sines, corners = a
    kinds_b, places_b, halves_b, cosines_b, sines_b, corners_b = b
    for k in range(len(rows)):
        i, j = rows[k], columns[k]
        at, at_b = (places[i][0], places[i][1]), (places_b[j][0], places_b[j][1])
        oval = halves[i][0], halves[i][1], cosines[i], sines[i]
        oval_b = halves_b[j][0], halves_b[j][1], cosines_b[j], sines_b[j]
        way = ways[k][0], ways[k][1]
        result[k] = clearance(kinds[i], at, oval, corners[i], kinds_b[j], at_b, oval_b, corners_b[j], way)
