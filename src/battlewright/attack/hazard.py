"""What the attacker's own hazardous weapons cost it (10e W-HAZ; 11e 06.03, 24.15)."""

from __future__ import annotations

from functools import lru_cache

from battlewright.attack.plan import Bearers, Models
from battlewright.attack.space import BY_RULE, dense, kernel, losses, space
from battlewright.attack.walk import inflicted_by
from battlewright.dice import Dice
from battlewright.distribution import Array, Distribution, Numbers
from battlewright.editions.base import Hazard


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
    table = losses(bearers.wounds, bearers.fnp, inflicted_by(Dice(0, 6, each), (each,), numbers), numbers)
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
