"""The exact outcome of a plan: every distribution, no sampling.

Both editions roll hits and wounds alike; they differ in how wounds reach models. One by one (10e) a wound is one step
on the states of the target, and devastating wounds wait for the end of the activation. Pooled (11e) the dice of a batch
are sorted: the dice of the lowest face are one kind of step, those of the next another, and so on, then come the mortal
wounds of the batch. Either way a batch is *so many steps of each kind*, and the number of each kind is known exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from battlewright.attack.counts import Kinds, attack_of, counts, good_size
from battlewright.attack.hazard import bearers_losses
from battlewright.attack.one_by_one import OneByOne
from battlewright.attack.outcome import Means, Outcome
from battlewright.attack.plan import NOTHING, Batch, Once, Plan, State
from battlewright.attack.pooled import Pooled
from battlewright.attack.tokens import WoundRoll, added_by_left, alone, grown, split, wounds_missed
from battlewright.attack.walk import Walk
from battlewright.distribution import FLOAT, Array, Distribution, Number, Numbers, convolve
from battlewright.editions.base import Resolution


def resolve(plan: Plan, *, numbers: Numbers = FLOAT, starts: Mapping[State, Number] | None = None) -> Outcome:
    """The outcome of one activation, exactly; ``numbers=EXACT`` counts in fractions.

    ``starts``: the chances of the states it begins in, else the plan's own start.
    """
    begin = dict(starts) if starts else {plan.start: numbers.ratio(1, 1)}
    walk = walk_of(plan, numbers)
    chances = walk.activation(begin)
    wounds_lost, slain = bearers_losses(plan.bearers, plan.edition.hazard, plan.tests, numbers.real)
    return Outcome(plan, tuple(chances), numbers.array(chances.values()), walk.wasted, walk.means, wounds_lost, slain)


def walk_of(plan: Plan, numbers: Numbers) -> Walk:
    """How the edition resolves; slower where something is used only once, or critical wounds do more."""
    pooled = plan.edition.resolution is Resolution.POOLED
    if plan.plain:
        return (Pooled if pooled else OneByOne)(plan, numbers)
    from battlewright.attack.sparing import OneByOneSparing, PooledSparing  # loaded only for plans that need it

    return (PooledSparing if pooled else OneByOneSparing)(plan, numbers)


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
    return _summed(plan, lambda batch: (sure, sure), lambda batch: numbers.ratio(0, 1), numbers)


def wounds(plan: Plan, numbers: Numbers = FLOAT) -> Distribution | None:
    """How many wounds it makes, likewise; None where the Toughness met depends on who has been slain before."""
    walk = walk_of(plan, numbers)
    walk.activation({plan.start: numbers.ratio(1, 1)})
    met: dict[Batch, set[int]] = {}
    for batch, target in walk.met:
        met.setdefault(batch, set()).add(target)
    if any(len(targets) > 1 for targets in met.values()):
        return None

    def rolled(batch: Batch) -> tuple[Kinds, Kinds]:
        (target,) = met[batch]
        found = []
        for reroll in (batch.woundings[target].reroll, NOTHING):
            wound = sum(walk.chances(batch, target, reroll))
            found.append((1 - wound, wound))
        return found[0], found[1]

    def missed(batch: Batch) -> Number:
        (target,) = met[batch]
        return wounds_missed(batch, target, numbers)

    return _summed(plan, rolled, missed, numbers)


def _summed(
    plan: Plan,
    rolled: Callable[[Batch], tuple[Kinds, Kinds]],
    missed: Callable[[Batch], Number],
    numbers: Numbers,
) -> Distribution:
    """The sum over all batches; ``rolled``: what a hit gives, with its re-rolls and afresh."""
    sure = (numbers.ratio(0, 1), numbers.ratio(1, 1))
    worlds: dict[Once, Array] = {plan.once: numbers.array([numbers.ratio(1, 1)])}
    for batch in plan.batches:
        first, fresh = rolled(batch)
        roll = WoundRoll(1, alone(first), missed(batch), alone(fresh), alone(sure))
        attack = attack_of(batch.hit, batch.automatic, batch.reroll, numbers)
        parts = []
        for left, total in worlds.items():
            if left & batch.once & {"hit", "wound"}:
                found = split(batch, roll, left, numbers)
            else:
                found = {left: counts(batch, attack, first, sure, numbers)}
            parts += [(now, convolve(total, number)) for now, number in found.items()]
        worlds = added_by_left(parts)
    whole = worlds.popitem()[1]
    for other in worlds.values():
        whole = grown(whole, other)
    return Distribution(whole)


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


__all__ = ["Means", "Outcome", "bearers_losses", "hits", "resolve", "wasted", "wounds"]
