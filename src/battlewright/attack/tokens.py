"""How many wounds of each kind a batch makes where one of its hit rolls or one of its wound rolls may be re-rolled.

The re-roll is used on the first die that fails. Let ``f`` be the chance that a die fails and was not re-rolled already,
``a`` the polynomial of an attack, ``c`` that without such dice, ``r`` that of one fresh die. Then ``n`` attacks are
``c**n`` with the re-roll left, and ``(a**n - c**n) * r`` with the re-roll used: a die of ``f`` adds nothing by itself.
The same holds for the wound rolls, so both together are sums and products of polynomials. They are values at roots of
unity where numbers are floats, and terms where they are fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Any, TypeAlias

import numpy as np

from battlewright.attack.counts import NEGLIGIBLE, Attack, attack_of, good_size, per_weapon
from battlewright.attack.plan import MISS, NOTHING, Batch, Once
from battlewright.distribution import Array, Number, Numbers
from battlewright.errors import BadInput

#: (how far along each axis) -> chance: a polynomial in several kinds of wound
Terms: TypeAlias = tuple[tuple[tuple[int, ...], Number], ...]

#: The largest grid of several kinds of wound (130 MB).
MOST_CELLS = 8_000_000


@dataclass(frozen=True)
class WoundRoll:
    """A hit's wound roll: ``first`` with the re-rolls every die may have, ``missed`` the chance of a die on which the one
    re-roll would be used, ``fresh`` one more roll; ``automatic`` is a wound without a roll. ``axes``: kinds of wound."""

    axes: int
    first: Terms
    missed: Number
    fresh: Terms
    automatic: Terms


def split(batch: Batch, roll: WoundRoll, left: Once, numbers: Numbers) -> dict[Once, Array]:
    """The chances of so many wounds of each kind (an axis a kind), by what is then left of "hit" and "wound".

    >>> from battlewright.attack.plan import build
    >>> from battlewright.attack.request import read
    >>> from battlewright.distribution import EXACT
    >>> gun = {"A": 2, "skill": 4, "S": 4, "reroll_one": ["hit"]}
    >>> plan = build(read({"edition": "10e", "attack": {"weapons": [gun]},
    ...                    "target": {"groups": [{"models": 2, "T": 4, "W": 1, "Sv": 4}]}}))
    >>> sure = (((1,), EXACT.ratio(1, 1)),)
    >>> hits = split(plan.batches[0], WoundRoll(1, sure, EXACT.ratio(0, 1), sure, sure), frozenset({"hit"}), EXACT)
    >>> [[str(chance) for chance in weights] for weights in hits.values()]
    [['0', '0', '1/4'], ['1/8', '3/8', '1/4']]
    """
    usable = left & batch.once & {"hit", "wound"}
    missed = faces_missed(batch, numbers) if "hit" in usable else numbers.ratio(0, 1)
    attack = attack_of(batch.hit, batch.automatic, batch.reroll, numbers)
    fresh = attack_of(batch.hit, batch.automatic, NOTHING, numbers)
    ring: Any = _Exact(roll.axes) if numbers.exact else _Grid(_sizes(batch, roll, attack, fresh, numbers))
    first, again, without = ring.of(roll.first), ring.of(roll.fresh), ring.of(roll.automatic)
    dice = per_weapon(batch.attacks, numbers, batch.more)

    def one(of: Attack, wound: Any) -> Any:
        return sum((without**wounds * wound**hits * chance for (wounds, hits), chance in of), ring.of(()))

    def whole(of: Attack, wound: Any) -> Any:
        each, total = one(of, wound), ring.of(())
        for chance in dice[::-1]:
            total = total * each + ring.constant(chance)
        return total**batch.count

    def hit_level(wound: Any) -> dict[Once, Any]:
        if not missed:
            return {left: whole(attack, wound)}
        kept = whole(_less(attack, missed), wound)
        return {left: kept, left - {"hit"}: (whole(attack, wound) - kept) * one(fresh, wound)}

    found = hit_level(first)
    if "wound" in usable and roll.missed:
        kept = hit_level(first - ring.constant(roll.missed))
        used = {key - {"wound"}: (value - kept[key]) * again for key, value in found.items()}
        found = kept | used
    return {key: ring.weights(value) for key, value in found.items()}


def faces_missed(batch: Batch, numbers: Numbers) -> Number:
    """The chance that a hit roll fails and was not re-rolled."""
    if batch.automatic is not None:
        return numbers.ratio(0, 1)
    missed = [face for face in range(1, 7) if batch.hit[face - 1] == MISS and face not in batch.reroll]
    return numbers.ratio(len(missed), 6)


def wounds_missed(batch: Batch, target: int, numbers: Numbers) -> Number:
    """The chance that a wound roll against this Toughness fails and was not re-rolled."""
    wounding = batch.woundings[target]
    missed = [face for face in range(1, 7) if wounding.strikes[face - 1] is None and face not in wounding.reroll]
    return numbers.ratio(len(missed), 6)


def alone(kinds: tuple[Number, ...]) -> Terms:
    """Chances of 0, 1, 2 … wounds of one kind."""
    return tuple(((number,), chance) for number, chance in enumerate(kinds))


def _less(attack: Attack, missed: Number) -> Attack:
    """The attack without some of the dice that do nothing."""
    return tuple((key, chance - missed if key == (0, 0) else chance) for key, chance in attack)


def _most(attack: Attack) -> int:
    return max(wounds + hits for (wounds, hits), _ in attack)


@lru_cache(maxsize=512)
def _sizes(batch: Batch, roll: WoundRoll, attack: Attack, fresh: Attack, numbers: Numbers) -> tuple[int, ...]:
    """How far each axis must reach: as far as anything can be seen."""
    dice = per_weapon(batch.attacks, numbers, batch.more)
    each = max(_most(attack), _most(fresh))
    sizes = []
    for axis in range(roll.axes):
        step = max((powers[axis] for powers, _ in (*roll.first, *roll.fresh, *roll.automatic)), default=0)
        most = (batch.count * (len(dice) - 1) + 1) * each * step + step
        sizes.append(good_size(1 + (_seen(batch, roll, attack, axis, most, numbers) if most > 64 else most)))
    if prod(sizes) > MOST_CELLS:
        raise BadInput("expected fewer attacks with so many kinds of wounds", "$.attack.weapons")
    return tuple(sizes)


def _seen(batch: Batch, roll: WoundRoll, attack: Attack, axis: int, most: int, numbers: Numbers) -> int:
    """The last place of an axis that can be seen, and what one more attack could add."""
    ring = _Grid((good_size(most + 1),))
    first, without = ring.of(_along(roll.first, axis)), ring.of(_along(roll.automatic, axis))
    each = sum((without**wounds * first**hits * chance for (wounds, hits), chance in attack), ring.of(()))
    total = ring.of(())
    for chance in per_weapon(batch.attacks, numbers, batch.more)[::-1]:
        total = total * each + ring.constant(chance)
    tails = np.cumsum(ring.weights(total**batch.count)[::-1])[::-1]
    return min(most, int(np.count_nonzero(tails > max(NEGLIGIBLE, 1e-16))) + _most(attack) * 2)


def _along(terms: Terms, axis: int) -> Terms:
    return tuple(((powers[axis],), chance) for powers, chance in terms)


class _Grid:
    """Polynomials by their values at roots of unity."""

    def __init__(self, sizes: tuple[int, ...]) -> None:
        self.sizes = sizes
        roots = [np.exp(-2j * np.pi * np.arange(size) / size) for size in sizes]
        roots[-1] = roots[-1][: sizes[-1] // 2 + 1]
        self.axes = np.ix_(*roots)

    def of(self, terms: Terms) -> Array:
        total: Array = np.zeros(tuple(axis.size for axis in self.axes), dtype=complex)
        for powers, chance in terms:
            total = total + chance * prod(axis**power for axis, power in zip(self.axes, powers, strict=True) if power)
        return total

    def constant(self, chance: Number) -> Number:
        return chance

    def weights(self, values: Array) -> Array:
        found = np.fft.irfftn(values, s=self.sizes, axes=range(len(self.sizes)))
        return np.maximum(found, 0.0)


class _Poly(dict[tuple[int, ...], Number]):
    """A polynomial by its terms."""

    def __add__(self, other: Mapping[tuple[int, ...], Number]) -> _Poly:
        total = _Poly(self)
        for powers, chance in other.items():
            total[powers] = total.get(powers, 0) + chance
        return total

    def __radd__(self, other: int) -> _Poly:
        return self

    def __sub__(self, other: Mapping[tuple[int, ...], Number]) -> _Poly:
        return self + {powers: -chance for powers, chance in other.items()}

    def __mul__(self, other: Any) -> _Poly:
        total = _Poly()
        if not isinstance(other, dict):
            return _Poly({powers: chance * other for powers, chance in self.items() if other})
        for one, chance in self.items():
            for two, share in other.items():
                powers = tuple(a + b for a, b in zip(one, two, strict=True))
                total[powers] = total.get(powers, 0) + chance * share
        return total

    def __pow__(self, times: int) -> _Poly:
        total = _Poly({(0,) * len(next(iter(self), ())): 1})
        for _ in range(times):
            total = total * self
        return total


class _Exact:
    """Polynomials by their terms, in fractions."""

    def __init__(self, axes: int) -> None:
        self.axes = axes

    def of(self, terms: Terms) -> _Poly:
        total = _Poly()
        for powers, chance in terms:
            total = total + {powers: chance}
        return total

    def constant(self, chance: Number) -> _Poly:
        return _Poly({(0,) * self.axes: chance})

    def weights(self, values: _Poly) -> Array:
        there = {powers: chance for powers, chance in values.items() if chance}
        sizes = [1 + max((powers[axis] for powers in there), default=0) for axis in range(self.axes)]
        found = Numbers(exact=True).zeros(tuple(sizes))
        for powers, chance in there.items():
            found[powers] = chance
        return found


def added_by_left(parts: Iterable[tuple[Once, Array]]) -> dict[Once, Array]:
    """Arrays of several sizes added by what is left; places that are not there are 0."""
    found: dict[Once, Array] = {}
    for left, part in parts:
        found[left] = grown(found[left], part) if left in found else part
    return found


def grown(one: Array, other: Array) -> Array:
    """The sum of two arrays, as large as the larger along each axis."""
    shape = tuple(map(max, one.shape, other.shape))
    total = np.zeros(shape, dtype=np.result_type(one, other))
    for part in (one, other):
        total[tuple(slice(size) for size in part.shape)] += part
    return total
