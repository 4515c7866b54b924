"""What becomes of a target: the chance of each state it is left in, and what follows from that."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from battlewright.attack.plan import Plan, State
from battlewright.distribution import Array, Distribution, Number, plain


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
        left = map(plain, self.chances @ self.models)
        return [before - models for before, models in zip(self._models_before, left, strict=True)]

    @property
    def p_destroyed(self) -> Number:
        """The chance that nobody is left."""
        nobody = (0,) * len(self.plan.groups)
        return plain(self.chances[self.after.index(nobody)]) if nobody in self.after else 0.0

    @property
    def p_character_slain(self) -> Number:
        """The chance that at least one character group is wiped out."""
        lost = [
            (self.left[:, place] == 0)
            for place, group in enumerate(self.plan.groups)
            if group.character and self.plan.start[place]
        ]
        return plain(self.chances[np.logical_or.reduce(lost)].sum()) if lost else 0.0

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
