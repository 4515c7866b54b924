"""11e: the saves of a batch are rolled together and applied from the lowest to the highest (05.03, 05.04)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np

from battlewright.attack.counts import Attack, Kinds, counts, faces
from battlewright.attack.plan import Batch, Models, State, Strike
from battlewright.attack.space import Policy, Space, Step, chosen, fixed, space
from battlewright.attack.steps import divided, powers, repeated, thinned
from battlewright.attack.walk import Walk, World, add_to, parts_of
from battlewright.distribution import Array, Number

#: The chance of the faces of a save die, and for each group whether they fail.
Class: TypeAlias = tuple[Number, tuple[bool, ...]]


class Begin(NamedTuple):
    """What a pool of saves depends on in the state it begins in: Toughness, allocation order of normal damage and of
    mortal wounds, the group current at first (where saves are re-rolled), and whether anybody lives."""

    toughness: int
    order: Policy
    mortal: Policy
    first: int
    living: bool


@lru_cache(maxsize=256)
def _begins(groups: tuple[Models, ...], precision: bool, rerolled: bool) -> dict[State, Begin]:
    """What is known already about pools begun in the states of these groups in which somebody lives."""
    return {}


class Pooled(Walk):
    """11e: the save dice of a batch from the lowest to the highest, then its mortal wounds.

    Toughness, allocation order and re-rolled saves depend on the state a batch begins in, so the states are handled in
    parts that agree in them.
    """

    def activation(self, world: World) -> World:
        for batch in self.plan.batches:
            after: World = {}
            attack = self.attack(batch)
            for key, part in parts_of(world, self.key(batch)):
                chances = self.chances(batch, key.toughness)
                self.count(batch, attack, key.toughness, chances, sum(part.values()))
                if key.living:
                    self.pool(batch, attack, chances, part, key, after)
                else:
                    add_to(part, after)
            world = after
        return world

    def key(self, batch: Batch) -> Callable[[State], Begin]:
        """What a pool begun in a state depends on."""
        rerolled = any(any(strike.reroll) for strike in batch.strikes)
        known = _begins(self.groups, batch.precision, rerolled)

        def begin(state: State) -> Begin:
            if not any(state):
                return self.begin(state, batch.precision, rerolled)
            if state not in known:
                known[state] = self.begin(state, batch.precision, rerolled)
            return known[state]

        return begin

    def begin(self, state: State, precision: bool, rerolled: bool) -> Begin:
        order = fixed(self.groups, state, precision)
        first = next((group for group in order[1] if state[group]), 0) if rerolled else 0
        living = any(state)
        return Begin(self.toughness(state), order, chosen(self.groups, state, precision), first, living)

    def pool(
        self, batch: Batch, attack: Attack, chances: Sequence[Number], part: World, begin: Begin, after: World
    ) -> None:
        """One batch from the states of a part: a pool of save dice, then a second one of the wounds whose profile the
        wound roll changed (11e 05.03.02), or else the mortal wounds."""
        strike, *others = batch.strikes
        chance, *others_chances = chances
        mortal = bool(others) and others[0].mortal
        where = space(self.groups, tuple(part), (begin.order, begin.mortal) if mortal else (begin.order,))
        classes = self.classes(strike, begin.first, living_in(part))
        hurting = sum((share for share, _ in classes), self.zero)
        rolled, automatic = (chance * hurting, *others_chances), (hurting, *(self.zero for _ in others))
        number = counts(batch, attack, self.kinds(rolled), self.kinds(automatic), self.real)
        steps = [(share, self.step(where, begin.order, strike, fails)) for share, fails in classes]
        rows = self.assembled(self.vector(where, part), steps, len(number))
        row = np.tensordot(number.T, rows, axes=1)
        if mortal:
            row = repeated(row, self.step(where, begin.mortal, others[0]))
        elif others:
            self.second_pool(batch, where, row, after)
            return
        self.world(where, row, after)

    @property
    def zero(self) -> Number:
        return self.numbers.ratio(0, 1)

    def kinds(self, chances: tuple[Number, ...]) -> Kinds:
        """With the chance of none first: wounds that can do nothing are none."""
        return (max(self.zero, 1 - sum(chances)), *chances)

    def assembled(self, row: Array, classes: Sequence[tuple[Number, Step]], most: int) -> Array:
        """The row after a pool of 0, 1, 2 … dice of these classes (chance and step): put together class by class, the
        lowest faces last to be divided from the rest but first to act."""
        rows = self.numbers.zeros((most, len(row)))
        rows[0] = row
        if not classes:
            return rows
        (known, step), *others = classes
        rows = np.array(list(powers(row, step, most)))
        for share, step in others:
            known = known + share
            rows = divided(rows, step, share / known)
        return rows

    def second_pool(self, batch: Batch, where: Space, rows: Array, after: World) -> None:
        """A pool of the second strike: ``rows`` by the number of its dice, in the states the first pool has left."""
        strike = batch.strikes[1]
        self.waste(rows[:, -1].sum())
        key = self.key(batch)
        parts: dict[tuple[Begin, tuple[bool, ...]], dict[State, Array]] = {}
        for state, column in zip(where.states, rows.T, strict=False):
            if any(column):
                parts.setdefault((key(state), tuple(map(bool, state))), {})[state] = column
        for (begin, living), part in parts.items():
            local = space(self.groups, tuple(part), (begin.order,) if begin.living else ())
            hidden = self.numbers.zeros((len(rows), local.size + 1))
            for state, column in part.items():
                hidden[:, local.index[state]] = column
            left = self.numbers.ratio(1, 1)
            for share, fails in self.classes(strike, begin.first, living):
                hidden = thinned(hidden, self.step(local, begin.order, strike, fails), share / left)
                left = left - share
            self.world(local, hidden.sum(axis=0), after)

    def classes(self, strike: Strike, first: int, living: tuple[bool, ...]) -> list[Class]:
        """The faces of a save die that act alike, lowest first, without those that save everybody."""
        found: list[Class] = []
        for face, chance in enumerate(faces(strike.reroll[first], self.real), start=1):
            fails = tuple(alive and face in faces_ for alive, faces_ in zip(living, strike.fails, strict=True))
            if not any(fails):
                continue
            if found and found[-1][1] == fails:
                found[-1] = (found[-1][0] + chance, fails)
            else:
                found.append((chance, fails))
        return found


def living_in(part: World) -> tuple[bool, ...]:
    """The groups that live in any state of the part."""
    return tuple(map(any, zip(*part, strict=True)))
