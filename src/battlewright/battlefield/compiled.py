"""The loops :mod:`battlewright.battlefield.fast` loads: plain Python, compiled by numba where it is installed."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from battlewright.battlefield import pairs
from battlewright.battlefield.shapes import MM, Bools, Floats


def _jit() -> Callable[[Any], Any]:
    try:
        import numba
    except ImportError:
        return lambda function: function
    made: Callable[[Any], Any] = numba.njit(cache=True, nogil=True)
    return made


jit = _jit()

# -- lines of sight between round bases ----------------------------------------------------------------------------------


def _free(
    sx: float,
    sy: float,
    high: float,
    gx: float,
    gy: float,
    radius: float,
    goal_high: float,
    discs: Floats,
    discs_on: int,
    walls: Floats,
    walls_on: int,
    lows: Floats,
    highs: Floats,
) -> bool:
    """Is some part of the goal's width, seen from the source, not taken by an obstacle in front of it?

    ``discs``: x, y, radius, bottom, top; ``walls``: x1, y1, x2, y2, bottom, top.
    """
    away = math.sqrt((gx - sx) ** 2 + (gy - sy) ** 2)
    if away <= radius:
        return True
    heading = math.atan2(gy - sy, gx - sx)
    half = math.asin(min(1.0, radius / max(away, 1e-9))) * (1 - 1e-6)
    count = 0
    for k in range(discs_on + walls_on):
        if k < discs_on:
            dx, dy = discs[k, 0] - sx, discs[k, 1] - sy
            far = math.sqrt(dx * dx + dy * dy)
            ratio = (discs[k, 2] + MM / 2) / max(far, 1e-9)
            if ratio >= 1:
                low, top_angle = -math.pi, math.pi
            else:
                angle = math.atan2(dy, dx) - heading
                angle -= 2 * math.pi * round(angle / (2 * math.pi))
                low, top_angle = angle - math.asin(ratio), angle + math.asin(ratio)
        else:
            w = k - discs_on
            ax, ay, bx, by = walls[w, 0] - sx, walls[w, 1] - sy, walls[w, 2] - sx, walls[w, 3] - sy
            one = math.atan2(ay, ax) - heading
            one -= 2 * math.pi * round(one / (2 * math.pi))
            two = math.atan2(by, bx) - heading
            two -= 2 * math.pi * round(two / (2 * math.pi))
            more_one = math.asin(min(1.0, MM / 2 / max(math.sqrt(ax * ax + ay * ay), 1e-9)))
            more_two = math.asin(min(1.0, MM / 2 / max(math.sqrt(bx * bx + by * by), 1e-9)))
            if one <= two:
                low, top_angle = one - more_one, two + more_two
            else:
                low, top_angle = two - more_two, one + more_one
            if abs(one - two) > math.pi:
                if top_angle < math.pi / 2:
                    low, top_angle = top_angle - more_one - more_two, math.pi
                else:
                    low, top_angle = -math.pi, min(one, two) + more_one + more_two
        left, right = max(low, -half), min(top_angle, half)
        if right <= left:
            continue
        theta = heading + (left + right) / 2
        ux, uy = math.cos(theta), math.sin(theta)
        if k < discs_on:
            along, aside = dx * ux + dy * uy, dx * uy - dy * ux
            chord = math.sqrt(max(discs[k, 2] ** 2 - aside * aside, 0.0))
            enter, leave = max(along - chord, 0.0), max(along + chord, 0.0)
            bottom, top = discs[k, 3], discs[k, 4]
        else:
            wx, wy = bx - ax, by - ay
            slant = ux * wy - uy * wx
            if abs(slant) < 1e-9:
                enter = min(ax * ux + ay * uy, bx * ux + by * uy)
            else:
                enter = (ax * wy - ay * wx) / slant
            leave = enter
            bottom, top = walls[w, 4], walls[w, 5]
        along, aside = (gx - sx) * ux + (gy - sy) * uy, (gx - sx) * uy - (gy - sy) * ux
        reached = max(along - math.sqrt(max(radius * radius - aside * aside, 0.0)), 0.0)
        if enter >= reached - 1e-6:
            continue
        rise = (goal_high - high) / max(reached, 1e-9)
        at_enter, at_leave = high + rise * enter, high + rise * min(leave, reached)
        if min(at_enter, at_leave) < top + MM / 2 and max(at_enter, at_leave) > bottom - MM / 2:
            lows[count], highs[count] = low, top_angle
            count += 1
    for k in range(count + 1):
        spot = -half + 1e-9 if k == 0 else highs[k - 1] + 1e-9
        if spot < -half or spot >= half:
            continue
        taken = False
        for other in range(count):
            if lows[other] < spot < highs[other]:
                taken = True
                break
        if not taken:
            return True
    return False


free = jit(_free)


def _tried(
    x: float,
    y: float,
    goal_x: float,
    goal_y: float,
    half: float,
    goal_half: float,
    high: float,
    goal_high: float,
    across: Floats,
    wanted: bool,
    discs: Floats,
    discs_on: int,
    walls: Floats,
    walls_on: int,
    lows: Floats,
    highs: Floats,
) -> bool:
    """Is there a place across the base at (x, y) from which the way to the goal is free (or not, as ``wanted``)?"""
    ahead_x, ahead_y = goal_x - x, goal_y - y
    length = max(math.sqrt(ahead_x * ahead_x + ahead_y * ahead_y), 1e-9)
    for k in range(across.shape[0]):
        off = across[k] * (half - MM / 2) / length
        found = free(
            x + ahead_y * off, y - ahead_x * off, high, goal_x, goal_y, goal_half, goal_high,
            discs, discs_on, walls, walls_on, lows, highs,
        )  # fmt: skip
        if found == wanted:
            return True
    return False


tried = jit(_tried)


def _any_line(
    at: Floats,
    to: Floats,
    half_at: Floats,
    half_to: Floats,
    high_at: Floats,
    high_to: Floats,
    across: Floats,
    discs: Floats,
    discs_on: Floats,
    walls: Floats,
    walls_on: Floats,
) -> Bools:
    """Is some line between the two bases of each pair free? From places across the one, then across the other."""
    n = at.shape[0]
    result = np.zeros(n, np.bool_)
    lows, highs = np.empty(discs.shape[1] + walls.shape[1]), np.empty(discs.shape[1] + walls.shape[1])
    for row in range(n):
        result[row] = tried(
            at[row, 0], at[row, 1], to[row, 0], to[row, 1], half_at[row], half_to[row], high_at[row], high_to[row],
            across, True, discs[row], int(discs_on[row]), walls[row], int(walls_on[row]), lows, highs,
        ) or tried(
            to[row, 0], to[row, 1], at[row, 0], at[row, 1], half_to[row], half_at[row], high_to[row], high_at[row],
            across, True, discs[row], int(discs_on[row]), walls[row], int(walls_on[row]), lows, highs,
        )  # fmt: skip
    return result


def _whole(
    at: Floats,
    to: Floats,
    half_at: Floats,
    half_to: Floats,
    foot: Floats,
    high_to: Floats,
    across: Floats,
    discs: Floats,
    discs_on: Floats,
    walls: Floats,
    walls_on: Floats,
) -> Bools:
    """Is each base ``at`` seen from base ``to`` at every place across it, down to its foot?"""
    n = at.shape[0]
    result = np.ones(n, np.bool_)
    lows, highs = np.empty(discs.shape[1] + walls.shape[1]), np.empty(discs.shape[1] + walls.shape[1])
    for row in range(n):
        result[row] = not tried(
            at[row, 0], at[row, 1], to[row, 0], to[row, 1], half_at[row], half_to[row], foot[row], high_to[row],
            across, False, discs[row], int(discs_on[row]), walls[row], int(walls_on[row]), lows, highs,
        )  # fmt: skip
    return result


# -- clearances ----------------------------------------------------------------------------------------------------------


def _together(module: ModuleType, *names: str) -> Any:
    """The last of these functions of a module, compiled, and so are those it calls: the ones before."""
    space = dict(vars(module))
    for name in names:
        space[name] = jit(FunctionType(space[name].__code__, space, name))
    return space[names[-1]]


_MEASURE = (
    "between", "to_ellipse", "upward", "to_swept", "turned", "apart",
    "reach", "ovals_apart", "inside", "to_segment", "off_hull", "hulls_apart",
    "clearance", "clearances",
)  # fmt: skip

LOOPS = {"clearances": _together(pairs, *_MEASURE), "any_line": jit(_any_line), "whole": jit(_whole)}
