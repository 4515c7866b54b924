"""The states a target can be in during an activation, and how one wound moves it from state to state.

A state is the wounds left in each group. Wounds are taken by one *current* group at a time, so a policy (who is
current in which state) makes the states a graph with one way down from each; a strike is a matrix on that graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb
from typing import Any, TypeAlias

import numpy as np

from battlewright.attack.plan import Models, State, first_character, order
from battlewright.distribution import Array, Number, Numbers

#: Who takes the next wound: always by the rules' order (()), or the groups in this fixed order; ``first``: a living
#: character before everybody, ``chosen``: this one group before everybody, then the rules' order.
Policy: TypeAlias = tuple[str, tuple[int, ...]]

BY_RULE: Policy = ("rule", ())
CHARACTER_FIRST: Policy = ("character", ())


def fixed(groups: tuple[Models, ...], state: State, precision: bool) -> Policy:
    """The allocation order a pool of saves keeps (11e 05.03): dead groups first, where they do no harm."""
    living = order(groups, state)
    chosen = first_character(groups, state) if precision else None
    if chosen is not None:
        living = [chosen, *(place for place in living if place != chosen)]
    dead = tuple(place for place, left in enumerate(state) if not left)
    return "fixed", dead + tuple(living)


def chosen(groups: tuple[Models, ...], state: State, precision: bool) -> Policy:
    """The order of the mortal wounds of a batch: with [PRECISION] the chosen character first (11e 24.28.01)."""
    character = first_character(groups, state) if precision else None
    return BY_RULE if character is None else ("chosen", (character,))


def current(groups: tuple[Models, ...], state: State, policy: Policy) -> int | None:
    """The group that takes the next wound; None when nobody is left."""
    kind, places = policy
    if kind == "fixed":
        return next((place for place in places if state[place]), None)
    if kind == "character" and (character := first_character(groups, state)) is not None:
        return character
    if kind == "chosen" and state[places[0]]:
        return places[0]
    return next(iter(order(groups, state)), None)


@dataclass(frozen=True)
class Lane:
    """A policy on all states, flattened: for each possible loss, from which state to which, and which table entry.

    ``cells``: positions in the flattened matrix; ``group``, ``room``, ``loss``: the group hit, the wounds left on its
    current model, and the wounds lost, for each cell; ``living``: states with somebody to hit and their (group, room).
    """

    cells: Array
    group: Array
    room: Array
    loss: Array
    living: Array
    living_group: Array
    living_room: Array
    dead: Array

    @cached_property
    def by_column(self) -> Array:
        """The places of ``columns`` in the order of columns."""
        return np.argsort(self.columns, kind="stable")

    @cached_property
    def starts(self) -> Array:
        """Where each column begins in that order."""
        return np.searchsorted(self.columns[self.by_column], np.arange(self.width))

    @property
    def width(self) -> int:
        return len(self.living) + len(self.dead) + 1

    @cached_property
    def rows(self) -> Array:
        """The row of every entry that can be other than 0: losses, waste, the destroyed, the waste itself."""
        last = self.width - 1
        return np.concatenate([self.cells // self.width, self.living, self.dead, [last]])

    @cached_property
    def columns(self) -> Array:
        last = self.width - 1
        return np.concatenate([self.cells % self.width, np.full(len(self.living), last), self.dead, [last]])

    @cached_property
    def places(self) -> Array:
        """The same entries as positions in the flattened matrix."""
        places: Array = self.rows * self.width + self.columns
        return places

    def sources(self, groups: int, side: int) -> Array:
        """Where each of these entries is found: in the losses of each group (``side`` squared), then their wastes
        (``side``), then a one."""
        if (groups, side) not in self._sources:
            losses = (self.group * side + self.room) * side + self.loss
            wastes = groups * side * side + self.living_group * side + self.living_room
            ones = np.full(len(self.dead) + 1, groups * side * (side + 1))
            self._sources[groups, side] = np.concatenate([losses, wastes, ones])
        return self._sources[groups, side]

    @cached_property
    def _sources(self) -> dict[tuple[int, int], Array]:
        return {}


class Space:
    """All states that can be reached from ``starts`` where the next wound is taken by one of the policies, numbered."""

    def __init__(self, groups: tuple[Models, ...], starts: Iterable[State], policies: tuple[Policy, ...]) -> None:
        self.groups = groups
        self.states = self._reach(list(starts), policies)
        self.index = {state: place for place, state in enumerate(self.states)}
        self.size = len(self.states)
        self._lanes: dict[Policy, Lane] = {}

    def _reach(self, todo: list[State], policies: tuple[Policy, ...]) -> list[State]:
        seen: dict[State, None] = {}
        while todo:
            state = todo.pop()
            if state in seen:
                continue
            seen[state] = None
            if any(state):
                todo += {self._next(state, policy) for policy in policies}
        return sorted(seen, reverse=True)

    def _next(self, state: State, policy: Policy) -> State:
        place = current(self.groups, state, policy)
        assert place is not None
        return (*state[:place], state[place] - 1, *state[place + 1 :])

    def lane(self, policy: Policy) -> Lane:
        if policy not in self._lanes:
            self._lanes[policy] = self._lane(policy)
        return self._lanes[policy]

    def _lane(self, policy: Policy) -> Lane:
        cells, hit, rooms, losses, living, dead = [], [], [], [], [], []
        width = self.size + 1
        for row, state in enumerate(self.states):
            place = current(self.groups, state, policy)
            if place is None:
                dead.append(row)
                continue
            room = (state[place] - 1) % self.groups[place].wounds + 1
            living.append((row, place, room))
            for loss in range(room + 1):
                column = self.index.get((*state[:place], state[place] - loss, *state[place + 1 :]))
                if column is None:
                    break
                cells.append(row * width + column)
                hit.append(place)
                rooms.append(room)
                losses.append(loss)
        alive = np.array(living, dtype=int).reshape(-1, 3)
        return Lane(
            np.array(cells, dtype=int), np.array(hit, dtype=int), np.array(rooms, dtype=int), np.array(losses, dtype=int),
            alive[:, 0], alive[:, 1], alive[:, 2], np.array(dead, dtype=int),
        )  # fmt: skip


@lru_cache(maxsize=512)
def space(groups: tuple[Models, ...], starts: tuple[State, ...], policies: tuple[Policy, ...]) -> Space:
    """The space, kept for the next question about the same target."""
    return Space(groups, starts, policies)


@lru_cache(maxsize=4096)
def losses(wounds: int, fnp: int | None, damage: tuple[Number, ...], numbers: Numbers) -> tuple[Array, Array]:
    """What one unsaved attack does to a model: ``table[room][lost]``, and the mean damage left over ``waste[room]``.

    ``damage[d]`` is the chance that it inflicts ``d``; ``room`` the wounds the model has left. Feel No Pain is a die for
    each wound that would be lost, and none after the model is destroyed.

    >>> from battlewright.distribution import FLOAT
    >>> table, waste = losses(2, None, (0.0, 0.5, 0.0, 0.5), FLOAT)
    >>> table[2].tolist(), float(waste[2])
    ([0.0, 0.5, 0.5], 0.5)
    """
    keep = numbers.ratio(0 if fnp is None else 7 - fnp, 6)
    lose = 1 - keep
    table, waste = numbers.zeros((wounds + 1, wounds + 1)), numbers.zeros(wounds + 1)
    for inflicted, chance in enumerate(damage):
        if not chance:
            continue
        lost = [comb(inflicted, k) * lose**k * keep ** (inflicted - k) for k in range(min(inflicted, wounds) + 1)]
        for room in range(1, wounds + 1):
            below = lost[:room]
            table[room, : len(below)] += chance * np.array(below, dtype=numbers.dtype)
            if inflicted >= room:
                table[room, room] += chance * _killed(inflicted, room, lose, keep, numbers.mark, 1 - sum(below))
                waste[room] += chance * _left_over(inflicted, room, lose, keep)
    return table, waste


def _killed(inflicted: int, room: int, lose: Number, keep: Number, mark: complex | None, chance: Number) -> Any:
    """The chance that the model is destroyed; with a mark, each point of damage left over multiplies by it."""
    if mark is None:
        return chance
    last = (comb(points - 1, room - 1) * lose**room * keep ** (points - room) for points in range(room, inflicted + 1))
    return sum(share * mark ** (inflicted - points) for points, share in enumerate(last, start=room))


def _left_over(inflicted: int, room: int, lose: Number, keep: Number) -> Number:
    """The mean number of points of damage that find the model destroyed already."""
    if not keep:
        return inflicted - room
    total: Number = 0
    for points in range(room, inflicted):
        total += 1 - sum(comb(points, k) * lose**k * keep ** (points - k) for k in range(room))
    return total


class Sparse:
    """A matrix of which few entries are not 0, for the right side of ``@``."""

    __array_ufunc__ = None

    def __init__(self, lane: Lane, values: Array) -> None:
        self.lane, self.values = lane, values
        self._rows, self._sorted = lane.rows[lane.by_column], values[lane.by_column]

    def __rmatmul__(self, world: Array) -> Array:
        moved: Array = np.add.reduceat(world[..., self._rows] * self._sorted, self.lane.starts, axis=-1)
        return moved

    def dense(self) -> Array:
        """The same, written out."""
        whole = np.zeros((self.lane.width, self.lane.width), dtype=self.values.dtype)
        whole[self.lane.rows, self.lane.columns] = self.values
        return whole


Step: TypeAlias = Any
"""A matrix, dense or sparse: what ``@`` takes on its right."""

DENSE_UP_TO = 80


def dense(step: Step) -> Array:
    return step.dense() if isinstance(step, Sparse) else np.asarray(step)


def kernel(
    where: Space,
    policy: Policy,
    tables: tuple[tuple[Array, Array], ...],
    unsaved: tuple[Number, ...],
    numbers: Numbers,
    stay: int = 1,
) -> Step:
    """The matrix of one wound: from each state to each, and (last column) the damage wasted on the way.

    ``tables`` and ``unsaved``: for each group its :func:`losses` and the chance that the save fails. ``stay``: 0 where the
    destroyed and what is wasted already are counted elsewhere.
    """
    lane = where.lane(policy)
    groups, side = len(tables), max(len(waste) for _, waste in tables)
    entries = numbers.zeros(groups * side * (side + 1) + 1)
    entries[-1] = numbers.ratio(stay, 1)
    loss = entries[: groups * side * side].reshape(groups, side, side)
    wasted = entries[groups * side * side : -1].reshape(groups, side)
    for place, ((table, waste), chance) in enumerate(zip(tables, unsaved, strict=True)):
        if chance:
            loss[place, : len(waste), : len(waste)] = chance * table
            wasted[place, : len(waste)] = chance * waste
        loss[place, :, 0] += 1 - chance
    values = entries[lane.sources(groups, side)]
    if where.size > DENSE_UP_TO:
        return Sparse(lane, values)
    flat = numbers.zeros(lane.width * lane.width)
    flat[lane.places] = values
    return flat.reshape(lane.width, lane.width)
