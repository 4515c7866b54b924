"""10e: each wound is allocated, saved and suffered before the next (T-6.3 to T-6.8, T-6.11)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from battlewright.attack.counts import Attack, counts, per_weapon
from battlewright.attack.plan import Batch, Strike
from battlewright.attack.space import BY_RULE, CHARACTER_FIRST, Policy, dense, space
from battlewright.attack.steps import added, matrix_power, powers, repeated, taken
from battlewright.attack.walk import Walk, World, parts_of
from battlewright.distribution import Array, Number, power
from battlewright.errors import BadInput

#: The largest array an activation may need (400 MB).
MOST_NUMBERS = 50_000_000


class OneByOne(Walk):
    """10e: wound by wound; the wounds of each batch are alike, and devastating ones are kept for the end.

    While walking, the state of the world is an array: one axis for each kind of devastating wound still to come, and
    last the states of the target.
    """

    def activation(self, world: World) -> World:
        after: World = {}
        for target, part in parts_of(world, self.toughness):
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
            attack, chances = self.attack(batch), self.chances(batch, target)
            self.count(batch, attack, target, chances, share)
            policy = CHARACTER_FIRST if batch.precision else BY_RULE
            if any(strike.mortal for strike in batch.strikes):
                world = self.devastating(batch, attack, chances, policy, world, waiting)
            elif len(batch.strikes) > 1:
                world = self.mixed(batch, attack, chances, policy, world)
            else:
                (wound,) = chances
                number = counts(batch, attack, (max(0 * wound, 1 - wound), wound), (0, 1), self.real)
                world = taken(world, self.step(self.where, policy, batch.strikes[0]), number)
        for policy, strike in waiting:
            world = repeated(world, self.step(where, policy, strike))
        self.world(where, world, after)

    def devastating(
        self,
        batch: Batch,
        attack: Attack,
        chances: Sequence[Number],
        policy: Policy,
        world: Array,
        waiting: list[tuple[Policy, Strike]],
    ) -> Array:
        """Normal wounds now; the devastating ones become a new axis, or are added to the last when of its kind."""
        normal, mortal = chances
        kinds = (max(0 * normal, 1 - normal - mortal), normal, mortal)
        number = counts(batch, attack, kinds, (0, 1, 0), self.real)
        step = self.step(self.where, policy, batch.strikes[0])
        if world.size * max(number.shape) > MOST_NUMBERS:
            raise BadInput("expected fewer kinds of devastating wounds at once", "$.attack.weapons")
        steps = np.array(list(powers(world, step, number.shape[0])))
        after = np.tensordot(number.T, steps, axes=1)
        key = (policy, batch.strikes[1])
        if waiting and waiting[-1] == key:
            return added(after, len(waiting) - 1)
        waiting.append(key)
        return np.moveaxis(after, 0, -2)

    def mixed(self, batch: Batch, attack: Attack, chances: Sequence[Number], policy: Policy, world: Array) -> Array:
        """Wounds of two kinds, in the order in which the attacks happen to make them."""
        steps = [dense(self.step(self.where, policy, strike)) for strike in batch.strikes]
        rest = 1 - sum(chances)
        roll = sum((chance * step for chance, step in zip(chances, steps, strict=True)), rest * self.identity)
        one = self.numbers.zeros(roll.shape)
        for (wounds, hits), chance in attack:
            one = one + chance * matrix_power(steps[0], wounds, self.identity) @ matrix_power(roll, hits, self.identity)
        return taken(world, one, power(per_weapon(batch.attacks, self.real, batch.more), batch.count))

    @property
    def identity(self) -> Array:
        size = self.where.size + 1
        whole = self.numbers.zeros((size, size))
        whole[np.arange(size), np.arange(size)] = self.numbers.ratio(1, 1)
        return whole
