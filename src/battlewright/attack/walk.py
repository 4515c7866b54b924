"""What both ways of resolving wounds share: rolls to chances, strikes to steps, chances of states."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import TypeAlias, TypeVar

from battlewright.attack.counts import INVISIBLE, Attack, attack_of, faces, mean_attacks
from battlewright.attack.outcome import Means
from battlewright.attack.plan import Batch, Plan, State, Strike, toughness
from battlewright.attack.space import Policy, Space, Step, kernel, losses
from battlewright.dice import Dice
from battlewright.distribution import Array, Number, Numbers, of_dice, plain

Key = TypeVar("Key", bound=Hashable)
World: TypeAlias = dict[State, Number]
"""The chance of each state."""


class Walk:
    """What both ways of resolving share."""

    def __init__(self, plan: Plan, numbers: Numbers) -> None:
        self.plan, self.numbers, self.real = plan, numbers, numbers.real
        self.groups = plan.groups
        self.means = Means(0, 0, 0)
        self.met: list[tuple[Batch, int]] = []
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
        least = 0 if self.numbers.exact else INVISIBLE
        pairs = zip(where.states, row.tolist(), strict=False)
        add_to({state: chance for state, chance in pairs if abs(chance) > least}, into)

    def waste(self, more: Number) -> None:
        if self.numbers.mark is None:
            self.wasted = self.wasted + plain(more)

    def toughness(self, state: State) -> int:
        return toughness(self.groups, state if any(state) else self.plan.start)

    def attack(self, batch: Batch) -> Attack:
        """What one attack of the batch gives before the wound rolls."""
        return attack_of(batch.hit, batch.automatic, batch.reroll, self.real)

    def count(self, batch: Batch, attack: Attack, target: int, chances: Sequence[Number], share: Number) -> None:
        """Add the mean attacks, hits and wounds of a batch that meets this Toughness with chance ``share``."""
        attacks = share * batch.count * mean_attacks(batch.attacks, self.real, batch.more)
        wounding = sum(chances)
        hits = sum(chance * (wounds + hits) for (wounds, hits), chance in attack)
        wounds = sum(chance * (wounds + hits * wounding) for (wounds, hits), chance in attack)
        self.met.append((batch, target))
        now = self.means
        self.means = Means(now.attacks + attacks, now.hits + attacks * hits, now.wounds + attacks * wounds)

    def chances(self, batch: Batch, target: int, reroll: frozenset[int] | None = None) -> list[Number]:
        """The chance of each strike from one hit that rolls to wound; ``reroll``: the faces re-rolled, else as planned."""
        wounding = batch.woundings[target]
        total: list[Number] = [0 * self.numbers.ratio(1, 1)] * len(batch.strikes)
        for strike, chance in zip(
            wounding.strikes, faces(wounding.reroll if reroll is None else reroll, self.real), strict=True
        ):
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
        inflicted = inflicted_by(strike.dice, strike.damage[place], self.real)
        return losses(self.groups[place].wounds, strike.ignores[place], inflicted, self.numbers)

    def table_by_room(self, strike: Strike, place: int) -> tuple[Array, Array]:
        """The same where the damage results re-rolled depend on the wounds the model has left."""
        wounds = self.groups[place].wounds
        table, waste = self.numbers.zeros((wounds + 1, wounds + 1)), self.numbers.zeros(wounds + 1)
        for room in range(1, wounds + 1):
            inflicted = inflicted_by(strike.dice, strike.damage[place], self.real, strike.again[place][room])
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


def add_to(part: World, world: World) -> None:
    for state, chance in part.items():
        world[state] = world.get(state, 0) + chance


def parts_of(world: World, key: Callable[[State], Key]) -> list[tuple[Key, World]]:
    """The states split by a key."""
    found: dict[Key, World] = {}
    for state, chance in world.items():
        found.setdefault(key(state), {})[state] = chance
    return list(found.items())


@lru_cache(maxsize=2048)
def inflicted_by(
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
