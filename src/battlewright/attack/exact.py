"""The exact outcome of a plan: every distribution, no sampling.

Both editions roll hits and wounds alike; they differ in how wounds reach models. One by one (10e) a wound is one step
on the states of the target, and devastating wounds wait for the end of the activation. Pooled (11e) the dice of a batch
are sorted: the dice of the lowest face are one kind of step, those of the next another, and so on, then come the mortal
wounds of the batch. Either way a batch is *so many steps of each kind*, and the number of each kind is known exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np

from battlewright.attack.counts import NEGLIGIBLE, Kinds, attack_of, counts, faces, good_size, per_weapon
from battlewright.attack.plan import Batch, Bearers, Models, Plan, State, Strike, toughness
from battlewright.attack.space import (
    BY_RULE,
    CHARACTER_FIRST,
    Policy,
    Space,
    Step,
    chosen,
    dense,
    fixed,
    kernel,
    losses,
    space,
)  # fmt: skip
from battlewright.dice import Dice
from battlewright.distribution import FLOAT, Array, Distribution, Number, Numbers, convolve, of_dice, power
from battlewright.editions.base import Hazard, Resolution
from battlewright.errors import BadInput

Key = TypeVar("Key", bound=Hashable)
#: The largest array an activation may need (400 MB).
MOST_NUMBERS = 50_000_000


@dataclass(frozen=True)
class Means:
    """Mean numbers of the rolls of an activation: attack dice, hits, and wounds of every kind."""

    attacks: Number
    hits: Number
    wounds: Number


@dataclass(frozen=True)
class Outcome:
    """What becomes of a target. ``chances[i]`` is the chance of ``after[i]``, the wounds left in each group."""

    plan: Plan
    after: tuple[State, ...]
    chances: Array
    wasted: Number
    means: Means
    attacker: Distribution
    attacker_slain: Distribution

    @cached_property
    def left(self) -> Array:
        """Wounds left: a row a state, a column a group."""
        return np.array(self.after, dtype=int)

    @cached_property
    def models(self) -> Array:
        """Models left, likewise."""
        models: Array = -(-self.left // np.array([group.wounds for group in self.plan.groups]))
        return models

    @cached_property
    def damage(self) -> Distribution:
        """Wounds really lost by the target."""
        lost = sum(self.plan.start) - self.left.sum(axis=1)
        return self._gathered(lost, sum(self.plan.start))

    @cached_property
    def slain(self) -> Distribution:
        """Models of the target destroyed."""
        models = self._models_before
        return self._gathered(sum(models) - self.models.sum(axis=1), sum(models))

    def slain_of(self, place: int) -> Distribution:
        """Models of one group destroyed."""
        before = self._models_before[place]
        return self._gathered(before - self.models[:, place], before)

    @property
    def slain_by_group(self) -> list[Number]:
        """Mean number of models destroyed in each group."""
        return [
            before - _plain(np.dot(self.chances, self.models[:, place]))
            for place, before in enumerate(self._models_before)
        ]

    @property
    def p_destroyed(self) -> Number:
        """The chance that nobody is left."""
        return _plain(self.chances[~self.left.any(axis=1)].sum())

    @property
    def p_character_slain(self) -> Number:
        """The chance that at least one character group is wiped out."""
        lost = [
            (self.left[:, place] == 0)
            for place, group in enumerate(self.plan.groups)
            if group.character and self.plan.start[place]
        ]
        return _plain(self.chances[np.logical_or.reduce(lost)].sum()) if lost else 0.0

    @property
    def states(self) -> dict[State, Number]:
        """The chance of each state of the target afterwards: where a next activation begins."""
        return {state: chance for state, chance in zip(self.after, self.chances, strict=True) if chance > 0}

    @property
    def _models_before(self) -> list[int]:
        return [-(-left // group.wounds) for left, group in zip(self.plan.start, self.plan.groups, strict=True)]

    def _gathered(self, values: Array, most: int) -> Distribution:
        if self.chances.dtype != object:
            return Distribution(np.bincount(values, weights=self.chances, minlength=most + 1))
        weights = np.array([0 * self.chances[0]] * (most + 1), dtype=object)
        np.add.at(weights, values, self.chances)
        return Distribution(weights)


def resolve(plan: Plan, *, numbers: Numbers = FLOAT, starts: Mapping[State, Number] | None = None) -> Outcome:
    """The outcome of one activation, exactly; ``numbers=EXACT`` counts in fractions.

    ``starts``: the chances of the states it begins in, else the plan's own start.
    """
    begin = dict(starts) if starts else {plan.start: numbers.ratio(1, 1)}
    walk: _Walk = (_Pooled if plan.edition.resolution is Resolution.POOLED else _OneByOne)(plan, numbers)
    chances = walk.activation(begin)
    wounds_lost, slain = bearers_losses(plan.bearers, plan.edition.hazard, plan.tests, numbers.real)
    return Outcome(plan, tuple(chances), numbers.array(chances.values()), walk.wasted, walk.means, wounds_lost, slain)


World: TypeAlias = dict[State, Number]
"""The chance of each state."""


def hits(plan: Plan, numbers: Numbers = FLOAT) -> Distribution:
    """How many hits the activation scores, extra hits included, were there always somebody to hit.

    >>> from battlewright.attack.plan import build
    >>> from battlewright.attack.request import read
    >>> plan = build(read({"edition": "10e", "attack": {"weapons": [{"A": 2, "skill": 4, "S": 4}]},
    ...                    "target": {"groups": [{"models": 2, "T": 4, "W": 1, "Sv": 4}]}}))
    >>> hits(plan).to_json()
    {'0': 0.25, '1': 0.5, '2': 0.25}
    """
    sure = (numbers.ratio(0, 1), numbers.ratio(1, 1))
    return _summed(plan, lambda batch: (sure, sure), numbers)


def wounds(plan: Plan, numbers: Numbers = FLOAT) -> Distribution | None:
    """How many wounds it makes, likewise; None where the Toughness met depends on who has been slain before."""
    walk: _Walk = (_Pooled if plan.edition.resolution is Resolution.POOLED else _OneByOne)(plan, numbers)
    walk.activation({plan.start: numbers.ratio(1, 1)})
    if any(len(targets) > 1 for targets in walk.met.values()):
        return None

    def kinds(batch: Batch) -> tuple[Kinds, Kinds]:
        (target,) = walk.met[batch]
        wound = sum(walk.chances(batch, target))
        return (1 - wound, wound), (numbers.ratio(0, 1), numbers.ratio(1, 1))

    return _summed(plan, kinds, numbers)


def _summed(plan: Plan, kinds: Callable[[Batch], tuple[Kinds, Kinds]], numbers: Numbers) -> Distribution:
    total = numbers.array([numbers.ratio(1, 1)])
    for batch in plan.batches:
        attack = attack_of(batch.hit, batch.automatic, batch.reroll, numbers)
        rolled, automatic = kinds(batch)
        total = convolve(total, counts(batch, attack, rolled, automatic, numbers))
    return Distribution(total)


def wasted(plan: Plan) -> Distribution:
    """How much damage is left over on destroyed models: its distribution, from its characteristic function.

    >>> from battlewright.attack.plan import build
    >>> from battlewright.attack.request import read
    >>> sure = {"A": 1, "torrent": True, "S": 8, "D": "D3", "crit_wound": 2}
    >>> plan = build(read({"edition": "10e", "attack": {"weapons": [sure]},
    ...                    "target": {"groups": [{"models": 2, "T": 4, "W": 2, "Sv": 7}]}}))
    >>> [round(float(chance), 6) for chance in wasted(plan).weights[:3]]
    [0.722222, 0.277778, 0.0]
    """
    models = [-(-left // group.wounds) for left, group in zip(plan.start, plan.groups, strict=True)]
    deepest = max(max(values) for batch in plan.batches for strike in batch.strikes for values in strike.damage)
    size = good_size(1 + sum(models) * max(0, deepest - 1))
    marks = np.exp(-2j * np.pi * np.arange(size // 2 + 1) / size)
    sums = [resolve(plan, numbers=Numbers(exact=False, mark=complex(mark))).chances.sum() for mark in marks]
    return Distribution(np.maximum(np.fft.irfft(sums, n=size), 0.0))


class _Walk:
    """What both ways of resolving share."""

    def __init__(self, plan: Plan, numbers: Numbers) -> None:
        self.plan, self.numbers, self.real = plan, numbers, numbers.real
        self.groups = plan.groups
        self.means = Means(0, 0, 0)
        self.met: dict[Batch, set[int]] = {}
        self.wasted: Number = 0

    def activation(self, world: World) -> World:
        raise NotImplementedError

    def vector(self, where: Space, world: World) -> Array:
        """The chances as a row for the matrices of a space; the last place gathers the damage wasted."""
        row = self.numbers.zeros(where.size + 1)
        for state, chance in world.items():
            row[where.index[state]] = chance
        return row

    def world(self, where: Space, row: Array, into: World) -> None:
        """Add a row to a world, and its waste to ours."""
        self.waste(row[-1])
        least = 0 if self.numbers.exact else NEGLIGIBLE
        pairs = zip(where.states, row.tolist(), strict=False)
        _add({state: chance for state, chance in pairs if abs(chance) > least}, into)

    def waste(self, more: Number) -> None:
        if self.numbers.mark is None:
            self.wasted = self.wasted + _plain(more)

    def toughness(self, state: State) -> int:
        return toughness(self.groups, state if any(state) else self.plan.start)

    def count(self, batch: Batch, target: int, share: Number) -> None:
        """Add the mean attacks, hits and wounds of a batch that meets this Toughness with chance ``share``."""
        attack = attack_of(batch.hit, batch.automatic, batch.reroll, self.real)
        attacks = share * batch.count * Distribution(per_weapon(batch.attacks, self.real)).mean
        wounding = sum(self.chances(batch, target))
        hits = sum(chance * (wounds + hits) for (wounds, hits), chance in attack)
        wounds = sum(chance * (wounds + hits * wounding) for (wounds, hits), chance in attack)
        self.met.setdefault(batch, set()).add(target)
        now = self.means
        self.means = Means(now.attacks + attacks, now.hits + attacks * hits, now.wounds + attacks * wounds)

    def chances(self, batch: Batch, target: int) -> list[Number]:
        """The chance of each strike from one hit that rolls to wound."""
        wounding = batch.woundings[target]
        total: list[Number] = [0 * self.numbers.ratio(1, 1)] * len(batch.strikes)
        for strike, chance in zip(wounding.strikes, faces(wounding.reroll, self.real), strict=True):
            if strike is not None:
                total[strike] = total[strike] + chance
        return total

    def step(self, where: Space, policy: Policy, strike: Strike, fails: tuple[bool, ...] | None = None) -> Step:
        """One wound of this strike; ``fails``: for each group whether the save fails, else it does by its own chance."""
        tables = tuple(self.table(strike, place) for place in range(len(self.groups)))
        return kernel(where, policy, tables, self.unsaved(strike, fails), self.numbers)

    def table(self, strike: Strike, place: int) -> tuple[Array, Array]:
        if strike.again:
            return self.table_by_room(strike, place)
        inflicted = _inflicted(strike.dice, strike.damage[place], self.real)
        return losses(self.groups[place].wounds, strike.ignores[place], inflicted, self.numbers)

    def table_by_room(self, strike: Strike, place: int) -> tuple[Array, Array]:
        """The same where the damage results re-rolled depend on the wounds the model has left."""
        wounds = self.groups[place].wounds
        table, waste = self.numbers.zeros((wounds + 1, wounds + 1)), self.numbers.zeros(wounds + 1)
        for room in range(1, wounds + 1):
            inflicted = _inflicted(strike.dice, strike.damage[place], self.real, strike.again[place][room])
            rows, left = losses(wounds, strike.ignores[place], inflicted, self.numbers)
            table[room], waste[room] = rows[room], left[room]
        return table, waste

    def unsaved(self, strike: Strike, fails: tuple[bool, ...] | None) -> tuple[Number, ...]:
        one = self.numbers.ratio(1, 1)
        if strike.mortal:
            return (one,) * len(self.groups)
        if fails is not None:
            return tuple(one if failed else 0 * one for failed in fails)
        return tuple(map(self.failing, strike.fails, strike.reroll))

    def failing(self, fails: frozenset[int], reroll: frozenset[int]) -> Number:
        chances = faces(reroll, self.real)
        return sum((chances[face - 1] for face in fails), 0 * self.numbers.ratio(1, 1))


class _OneByOne(_Walk):
    """10e: wound by wound; the wounds of each batch are alike, and devastating ones are kept for the end.

    While walking, the state of the world is an array: one axis for each kind of devastating wound still to come, and
    last the states of the target.
    """

    def activation(self, world: World) -> World:
        after: World = {}
        for target, part in _parts(world, self.toughness):
            self.attacks(part, target, after)
        return after

    def attacks(self, part: World, target: int, after: World) -> None:
        """All batches, from states that agree in the Toughness fixed for the activation (10e T-6.4)."""
        policies = {CHARACTER_FIRST if batch.precision else BY_RULE for batch in self.plan.batches}
        where = self.where = space(self.groups, tuple(part), tuple(sorted(policies)))
        waiting: list[tuple[Policy, Strike]] = []
        share = sum(part.values())
        world = self.vector(where, part)
        for batch in self.plan.batches:
            self.count(batch, target, share)
            policy = CHARACTER_FIRST if batch.precision else BY_RULE
            if any(strike.mortal for strike in batch.strikes):
                world = self.devastating(batch, target, policy, world, waiting)
            elif len(batch.strikes) > 1:
                world = self.mixed(batch, target, policy, world)
            else:
                (wound,) = self.chances(batch, target)
                number = self.number(batch, (1 - wound, wound), (0, 1))
                world = _taken(world, self.step(self.where, policy, batch.strikes[0]), number)
        for policy, strike in waiting:
            world = _repeated(world, self.step(where, policy, strike))
        self.world(where, world, after)

    def number(self, batch: Batch, rolled: Kinds, automatic: Kinds) -> Array:
        attack = attack_of(batch.hit, batch.automatic, batch.reroll, self.real)
        return counts(batch, attack, rolled, automatic, self.real)

    def devastating(
        self, batch: Batch, target: int, policy: Policy, world: Array, waiting: list[tuple[Policy, Strike]]
    ) -> Array:
        """Normal wounds now; the devastating ones become a new axis, or are added to the last when of its kind."""
        normal, mortal = self.chances(batch, target)
        number = self.number(batch, (1 - normal - mortal, normal, mortal), (0, 1, 0))
        step = self.step(self.where, policy, batch.strikes[0])
        if world.size * max(number.shape) > MOST_NUMBERS:
            raise BadInput("expected fewer kinds of devastating wounds at once", "$.attack.weapons")
        steps = np.stack(list(_powers(world, step, number.shape[0])))
        after = np.tensordot(number.T, steps, axes=1)
        key = (policy, batch.strikes[1])
        if waiting and waiting[-1] == key:
            return _added(after, len(waiting) - 1)
        waiting.append(key)
        return np.moveaxis(after, 0, -2)

    def mixed(self, batch: Batch, target: int, policy: Policy, world: Array) -> Array:
        """Wounds of two kinds, in the order in which the attacks happen to make them."""
        steps = [dense(self.step(self.where, policy, strike)) for strike in batch.strikes]
        chances = self.chances(batch, target)
        rest = 1 - sum(chances)
        roll = sum((chance * step for chance, step in zip(chances, steps, strict=True)), rest * self.identity)
        one = self.numbers.zeros(roll.shape)
        for (wounds, hits), chance in attack_of(batch.hit, batch.automatic, batch.reroll, self.real):
            one = one + chance * _matrix_power(steps[0], wounds, self.identity) @ _matrix_power(
                roll, hits, self.identity
            )
        return _taken(world, one, power(per_weapon(batch.attacks, self.real), batch.count))

    @property
    def identity(self) -> Array:
        size = self.where.size + 1
        whole = self.numbers.zeros((size, size))
        whole[np.arange(size), np.arange(size)] = self.numbers.ratio(1, 1)
        return whole


class _Pooled(_Walk):
    """11e: the save dice of a batch from the lowest to the highest, then its mortal wounds.

    Toughness, allocation order and re-rolled saves depend on the state a batch begins in, so the states are handled in
    parts that agree in them.
    """

    def activation(self, world: World) -> World:
        for batch in self.plan.batches:
            after: World = {}
            for key, part in _parts(world, self.key(batch)):
                self.count(batch, key.toughness, sum(part.values()))
                if key.living:
                    self.pool(batch, part, key, after)
                else:
                    _add(part, after)
            world = after
        return world

    def key(self, batch: Batch) -> Callable[[State], Begin]:
        """What a pool begun in a state depends on."""
        rerolled = any(any(strike.reroll) for strike in batch.strikes)
        known = _begins(self.groups, batch.precision, rerolled)

        def begin(state: State) -> Begin:
            if state not in known:
                known[state] = self.begin(state, batch.precision, rerolled)
            return known[state]

        return begin

    def begin(self, state: State, precision: bool, rerolled: bool) -> Begin:
        order = fixed(self.groups, state, precision)
        first = next((group for group in order[1] if state[group]), 0) if rerolled else 0
        living = any(state)
        return Begin(self.toughness(state), order, chosen(self.groups, state, precision), first, living)

    def pool(self, batch: Batch, part: World, begin: Begin, after: World) -> None:
        """One batch from the states of a part: a pool of save dice, then a second one of the wounds whose profile the
        wound roll changed (11e 05.03.02), or else the mortal wounds."""
        strike, *others = batch.strikes
        chance, *others_chances = self.chances(batch, begin.toughness)
        mortal = bool(others) and others[0].mortal
        where = space(self.groups, tuple(part), (begin.order, begin.mortal) if mortal else (begin.order,))
        classes = self.classes(strike, begin.first, _living(part))
        hurting = sum((share for share, _ in classes), self.zero)
        number = self.number(batch, (chance * hurting, *others_chances), (hurting, *(self.zero for _ in others)))
        rows = self.assembled(where, begin.order, strike, classes, self.vector(where, part), len(number))
        row = np.tensordot(number.T, rows, axes=1)
        if mortal:
            row = _repeated(row, self.step(where, begin.mortal, others[0]))
        elif others:
            self.second_pool(batch, where, row, after)
            return
        self.world(where, row, after)

    @property
    def zero(self) -> Number:
        return self.numbers.ratio(0, 1)

    def number(self, batch: Batch, rolled: tuple[Number, ...], automatic: tuple[Number, ...]) -> Array:
        """How many wounds of each kind, those left out that can do nothing."""
        attack = attack_of(batch.hit, batch.automatic, batch.reroll, self.real)
        kinds = [(1 - sum(chances), *chances) for chances in (rolled, automatic)]
        return counts(batch, attack, kinds[0], kinds[1], self.real)

    def assembled(
        self, where: Space, order: Policy, strike: Strike, classes: Sequence[Class], row: Array, most: int
    ) -> Array:
        """The row after a pool of 0, 1, 2 … dice of these classes: put together class by class, the lowest faces last
        to be divided from the rest but first to act."""
        rows = self.numbers.zeros((most, len(row)))
        rows[0] = row
        if not classes:
            return rows
        (known, fails), *others = classes
        rows = np.stack(list(_powers(row, self.step(where, order, strike, fails), most)))
        for share, fails in others:
            known = known + share
            rows = _divided(rows, self.step(where, order, strike, fails), share / known)
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
                hidden = _thinned(hidden, self.step(local, begin.order, strike, fails), share / left)
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


#: The chance of the faces of a save die, and for each group whether they fail.
Class: TypeAlias = tuple[Number, tuple[bool, ...]]


def _living(part: World) -> tuple[bool, ...]:
    """The groups that live in any state of the part."""
    return tuple(map(any, zip(*part, strict=True)))


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
    """What is known already about pools begun in the states of these groups."""
    return {}


def _add(part: World, world: World) -> None:
    for state, chance in part.items():
        world[state] = world.get(state, 0) + chance


def _parts(world: World, key: Callable[[State], Key]) -> list[tuple[Key, World]]:
    """The states split by a key."""
    found: dict[Key, World] = {}
    for state, chance in world.items():
        found.setdefault(key(state), {})[state] = chance
    return list(found.items())


def _powers(world: Array, step: Step, times: int) -> Iterator[Array]:
    """The world after 0, 1, 2 … steps."""
    for time in range(times):
        if time:
            world = world @ step
        yield world


def _taken(world: Array, step: Step, number: Array) -> Array:
    """The world after a number of steps of which the distribution is known."""
    total: Array = number[0] * world
    for chance in number[1:]:
        world = world @ step
        total = total + chance * world
    return total


def _repeated(world: Array, step: Step) -> Array:
    """The first axis counts how many steps are still to be taken: take them."""
    total: Array = world[-1]
    for before in world[-2::-1]:
        total = total @ step + before
    return total


def _divided(rows: Array, step: Step, share: Number) -> Array:
    """``rows[n]`` is what ``n`` dice lead to; now each die is, with chance ``share``, one of the kind of this step, which
    acts after the others."""
    total = np.zeros_like(rows)
    others = np.arange(len(rows))
    weights = _powers_of(1 - share, len(rows))
    for taken in range(len(rows)):
        total[taken:] += weights[: len(rows), np.newaxis] * rows
        if weights.max() < NEGLIGIBLE:
            break
        rows = rows[:-1] @ step
        weights = weights[: len(rows)] * share * (others[: len(rows)] + taken + 1) / (taken + 1)
    return total


def _powers_of(share: Number, times: int) -> Array:
    """1, share, share² …"""
    return np.array([share**time for time in range(times)], dtype=object if isinstance(share, Fraction) else float)


def _thinned(world: Array, step: Step, share: Number) -> Array:
    """Each of the dice counted by the first axis is, with chance ``share``, one of the kind of this step."""
    total = np.zeros_like(world)
    rest = np.arange(len(world))
    weights = _powers_of(1 - share, len(world))
    for taken in range(len(world)):
        total[: len(world)] += weights[: len(world), np.newaxis] * world
        if weights.max() < NEGLIGIBLE:
            break
        world = world[1:] @ step
        weights = weights[: len(world)] * share * (rest[: len(world)] + taken + 1) / (taken + 1)
    return total


def _added(after: Array, axis: int) -> Array:
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


def _matrix_power(step: Array, times: int, identity: Array) -> Array:
    for _ in range(times):
        identity = identity @ step
    return identity


@lru_cache(maxsize=2048)
def _inflicted(
    dice: Dice, damage: tuple[int, ...], numbers: Numbers, rerolled: frozenset[int] = frozenset()
) -> tuple[Number, ...]:
    """The distribution of the damage of a strike, from what each result of its dice does."""
    weights: list[Number] = [0 * numbers.ratio(1, 1)] * (max(damage) + 1)
    rolled = of_dice(dice, numbers)
    again = sum((rolled[result] for result in rerolled), 0 * numbers.ratio(1, 1))
    for result, value in enumerate(damage, start=dice.low):
        kept = 0 if result in rerolled else 1
        weights[value] = weights[value] + rolled[result] * (kept + again)
    return tuple(weights)


def bearers_losses(
    bearers: Bearers | None, hazard: Hazard, tests: int, numbers: Numbers
) -> tuple[Distribution, Distribution]:
    """Wounds lost and models slain by the attacker's own hazardous tests (10e W-HAZ; 11e 06.03, 24.15)."""
    one = numbers.array([numbers.ratio(1, 1)])
    if bearers is None or not tests:
        return Distribution(one), Distribution(one)
    lost = _bearers_lost(bearers, hazard, tests, numbers)
    slain = numbers.zeros(bearers.models + 1)
    full = bearers.models * bearers.wounds
    for wounds, chance in enumerate(lost):
        left = full - bearers.wounded - wounds
        slain[bearers.models - -(-left // bearers.wounds)] += chance
    return Distribution(lost), Distribution(slain)


@lru_cache(maxsize=256)
def _bearers_lost(bearers: Bearers, hazard: Hazard, tests: int, numbers: Numbers) -> Array:
    unit = (Models("", bearers.models, bearers.wounds, 1, False),)
    start = bearers.models * bearers.wounds - bearers.wounded
    where = space(unit, ((start,),), (BY_RULE,))
    chance = numbers.ratio(len(hazard.fails), 6)
    each = 1 if hazard.spills else bearers.mortal
    table = losses(bearers.wounds, bearers.fnp, _inflicted(Dice(0, 6, each), (each,), numbers), numbers)
    step = kernel(where, BY_RULE, (table,), (numbers.ratio(1, 1),), numbers)
    failure = step = dense(step)
    for _ in range(bearers.mortal - 1 if hazard.spills else 0):
        failure = failure @ step
    vector = numbers.zeros(where.size + 1)
    vector[where.index[(start,)]] = numbers.ratio(1, 1)
    for _ in range(tests):
        vector = (1 - chance) * vector + chance * (vector @ failure)
    lost = numbers.zeros(start + 1)
    for state, weight in zip(where.states, vector, strict=False):
        lost[start - state[0]] += weight
    return lost


def _plain(number: object) -> Number:
    return number if not isinstance(number, np.generic | int) else float(number)  # type: ignore[return-value]


__all__ = ["Means", "Outcome", "bearers_losses", "resolve"]
