"""So many steps of a kind: what a number of wounds does to the chances of the states, when that number is a distribution.

A row holds the chances of the states and, last, the damage wasted so far; axes before it count wounds still to come.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt

import numpy as np

from battlewright.attack.counts import NEGLIGIBLE
from battlewright.attack.space import Step
from battlewright.distribution import Array, Number

#: From so many steps on they are taken in blocks: as many at once as there are blocks.
BLOCKS_FROM = 12


def powers(world: Array, step: Step, times: int) -> Iterator[Array]:
    """The world after 0, 1, 2 … steps."""
    for time in range(times):
        if time:
            world = world @ step
        yield world


def taken(world: Array, step: Step, number: Array) -> Array:
    """The world after a number of steps of which the distribution is known."""
    if len(number) < BLOCKS_FROM or not isinstance(step, np.ndarray) or step.dtype == object:
        return repeated(np.multiply.outer(number, world), step)
    side = isqrt(len(number) - 1) + 1
    rows = np.zeros(side * side, dtype=number.dtype)
    rows[: len(number)] = number
    block = np.array(list(powers(world, step, side)))
    return repeated(np.tensordot(rows.reshape(side, side), block, axes=1), np.linalg.matrix_power(step, side))


def repeated(world: Array, step: Step) -> Array:
    """The first axis counts how many steps are still to be taken: take them."""
    total: Array = world[-1]
    for before in world[-2::-1]:
        total = total @ step + before
    return total


def divided(rows: Array, step: Step, share: Number) -> Array:
    """``rows[n]`` is what ``n`` dice lead to; now each die is, with chance ``share``, one of the kind of this step, which
    acts after the others."""
    total = np.zeros_like(rows)
    others = np.arange(len(rows))
    weights = shares_of(1 - share, len(rows))
    for taken in range(len(rows)):
        total[taken:] += weights[: len(rows), np.newaxis] * rows
        if weights.max() < NEGLIGIBLE:
            break
        rows = rows[:-1] @ step
        weights = weights[: len(rows)] * share * (others[: len(rows)] + taken + 1) / (taken + 1)
    return total


def shares_of(share: Number, times: int) -> Array:
    """1, share, share² …"""
    return np.array([share**time for time in range(times)], dtype=object if isinstance(share, Fraction) else float)


def thinned(world: Array, step: Step, share: Number) -> Array:
    """Each of the dice counted by the first axis is, with chance ``share``, one of the kind of this step."""
    total = np.zeros_like(world)
    rest = np.arange(len(world))
    weights = shares_of(max(0 * share, 1 - share), len(world))
    for taken in range(len(world)):
        total[: len(world)] += weights[: len(world), np.newaxis] * world
        if weights.max() < NEGLIGIBLE:
            break
        world = world[1:] @ step
        weights = weights[: len(world)] * share * (rest[: len(world)] + taken + 1) / (taken + 1)
    return total


def added(after: Array, axis: int) -> Array:
    """Fold the first axis (new wounds of a kind) into the axis that already counts wounds of that kind."""
    new, known = after.shape[0], after.shape[axis + 1]
    shape = list(after.shape[1:])
    shape[axis] = new + known - 1
    total = np.zeros(shape, dtype=after.dtype)
    for count in range(new):
        view = [slice(None)] * len(shape)
        view[axis] = slice(count, count + known)
        total[tuple(view)] += after[count]
    return total


def matrix_power(step: Array, times: int, identity: Array) -> Array:
    for _ in range(times):
        identity = identity @ step
    return identity
