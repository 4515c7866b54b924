"""How many wounds of each kind a batch of attacks makes: the generating functions of hits and wounds.

An attack is a polynomial in the kinds of wound; a weapon makes A of them, a batch has so many weapons. One kind is
multiplied out directly; several at once by a Fourier transform (floats) or term by term (fractions).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

import numpy as np

from battlewright.attack.plan import Batch, Hit
from battlewright.dice import Dice
from battlewright.distribution import EXACT, FLOAT, Array, Distribution, Number, Numbers, convolve, of_dice, power

#: The chances of the kinds of wound a hit makes, the first that of none.
Kinds: TypeAlias = tuple[Number, ...]
#: (wounds without a roll, hits that roll to wound) of one attack -> chance
Attack: TypeAlias = tuple[tuple[tuple[int, int], Number], ...]

#: A tail of this weight is cut off long tables; a state of that chance is not followed further.
NEGLIGIBLE, INVISIBLE = 1e-19, 1e-30
LONG = 400
SMALL = 4096


@lru_cache(maxsize=256)
def faces(reroll: frozenset[int], numbers: Numbers) -> tuple[Number, ...]:
    """The chance of each final face of a die some of whose faces are rolled again once.

    >>> faces(frozenset({1}), EXACT)[:2]
    (Fraction(1, 36), Fraction(7, 36))
    """
    again = len(reroll)
    return tuple(numbers.ratio(again + (0 if face in reroll else 6), 36) for face in range(1, 7))


@lru_cache(maxsize=4096)
def attack_of(hits: tuple[Hit, ...], automatic: Hit | None, reroll: frozenset[int], numbers: Numbers) -> Attack:
    """What one attack gives before the wound rolls."""
    results: dict[tuple[int, int], Number] = {}
    rolls = zip(hits, faces(reroll, numbers), strict=True)
    for hit, chance in [(automatic, numbers.ratio(1, 1))] if automatic else rolls:
        for extra, share in enumerate(of_dice(hit.extra, numbers)):
            if share:
                key = (hit.wounds, hit.hits + extra)
                results[key] = results.get(key, 0) + chance * share
    return tuple(sorted(results.items()))


@lru_cache(maxsize=1024)
def per_weapon(dice: tuple[Dice, ...], numbers: Numbers, more: bool = False) -> Array:
    """The distribution of the number of attacks of one weapon; ``more``: results below the mean are rolled again.

    >>> [str(chance) for chance in per_weapon((Dice.parse("D3"),), EXACT, True)]
    ['0', '1/9', '4/9', '4/9']
    """
    total = numbers.array([numbers.ratio(1, 1)])
    for part in dice:
        rolled = of_dice(part, numbers)
        total = convolve(total, _improved(part, rolled) if more else rolled)
    return total


@lru_cache(maxsize=1024)
def mean_attacks(dice: tuple[Dice, ...], numbers: Numbers, more: bool = False) -> Number:
    """Its average."""
    return Distribution(per_weapon(dice, numbers, more)).mean


def _improved(dice: Dice, rolled: Array) -> Array:
    """The results of dice whose results below the mean are rolled again once."""
    kept = np.arange(len(rolled)) >= dice.mean
    again = rolled[~kept].sum()
    improved: Array = rolled * kept + rolled * again
    return improved


def counts(batch: Batch, attack: Attack, rolled: Kinds, automatic: Kinds, numbers: Numbers) -> Array:
    """The joint distribution of the wounds of each kind that the whole batch makes; an axis a kind."""
    return _counts(batch.count, batch.attacks, batch.more, attack, rolled, automatic, numbers)


@lru_cache(maxsize=1024)
def _counts(
    weapons: int,
    dice: tuple[Dice, ...],
    more: bool,
    attack: Attack,
    rolled: Kinds,
    automatic: Kinds,
    numbers: Numbers,
) -> Array:
    attacks = per_weapon(dice, numbers, more)
    kinds = len(rolled) - 1
    if kinds == 0:
        return numbers.array([numbers.ratio(1, 1)])
    if kinds == 1:
        return _trimmed(power(_composed(attacks, _one_kind(attack, rolled, automatic, numbers), numbers), weapons))
    if numbers.exact:
        return _by_terms(weapons, attacks, attack, rolled, automatic)
    return _by_transform(weapons, dice, more, attack, rolled, automatic)


def _one_kind(attack: Attack, rolled: Kinds, automatic: Kinds, numbers: Numbers) -> Array:
    """The polynomial of one attack when there is one kind of wound."""
    total = numbers.zeros(1 + max(wounds + hits for (wounds, hits), _ in attack))
    for (wounds, hits), chance in attack:
        term = convolve(power(numbers.array(automatic), wounds), power(numbers.array(rolled), hits))
        total[: len(term)] += chance * term
    return total


def _composed(attacks: Array, one: Array, numbers: Numbers) -> Array:
    """The polynomial of a weapon: ``attacks`` is the distribution of how often ``one`` happens."""
    chances = np.flatnonzero(attacks)
    if len(chances) == 1:
        return power(one, int(chances[0]))
    total = numbers.zeros(1)
    for chance in attacks[::-1]:
        total = convolve(total, one)
        total[0] += chance
    return total[: 1 + (len(attacks) - 1) * (len(one) - 1)]


def _most(weapons: int, attacks: Array, attack: Attack) -> int:
    return weapons * (len(attacks) - 1) * max(wounds + hits for (wounds, hits), _ in attack)


def _by_transform(
    weapons: int, dice: tuple[Dice, ...], more: bool, attack: Attack, rolled: Kinds, automatic: Kinds
) -> Array:
    """Evaluate the polynomial at roots of unity in every kind, and transform back."""
    attacks = per_weapon(dice, FLOAT, more)
    sizes = _sizes(weapons, dice, more, attack, rolled, automatic)
    roots = [np.exp(-2j * np.pi * np.arange(size) / size) for size in sizes]
    roots[-1] = roots[-1][: sizes[-1] // 2 + 1]
    grids = np.ix_(*roots)

    def at(kinds: Kinds) -> Array:
        total: Array = np.asarray(kinds[0], dtype=complex)
        for chance, grid in zip(kinds[1:], grids, strict=True):
            total = total + chance * grid
        return total

    with_roll, without = at(rolled), at(automatic)
    one: Array = np.zeros(tuple(map(len, roots)), dtype=complex)
    for (wounds, hits), chance in attack:
        one = one + chance * without**wounds * with_roll**hits
    least = int(np.flatnonzero(attacks)[0])
    whole: Array = np.zeros((), dtype=complex)
    for chance in attacks[: least - 1 if least else None : -1]:
        whole = whole * one + chance
    whole = whole * one**least if least else whole
    result = np.fft.irfftn(whole**weapons, s=sizes, axes=range(len(sizes)))
    return np.maximum(result, 0.0)


@lru_cache(maxsize=1024)
def _sizes(
    weapons: int, dice: tuple[Dice, ...], more: bool, attack: Attack, rolled: Kinds, automatic: Kinds
) -> tuple[int, ...]:
    """How far each axis must reach: everywhere when that is little, else as far as anything can be seen."""
    attacks = per_weapon(dice, FLOAT, more)
    kinds = len(rolled) - 1
    full = _most(weapons, attacks, attack) + 1
    if full**kinds <= SMALL:
        return (full,) * kinds
    sizes = []
    for kind in range(1, kinds + 1):
        only = _one_kind(attack, (1 - rolled[kind], rolled[kind]), (1 - automatic[kind], automatic[kind]), FLOAT)
        marginal = power(_composed(attacks, only, FLOAT), weapons)
        tails = np.cumsum(marginal[::-1])[::-1]
        sizes.append(int(np.count_nonzero(tails > NEGLIGIBLE)) + 1)
    return tuple(good_size(min(full, size)) for size in sizes)


def good_size(size: int) -> int:
    """The next size that a Fourier transform likes: no prime factor above 5."""
    while True:
        rest = size
        for prime in (2, 3, 5):
            while rest % prime == 0:
                rest //= prime
        if rest == 1:
            return size
        size += 1


def _trimmed(weights: Array) -> Array:
    """Without the tail that a float next to 1 cannot see; fractions keep theirs."""
    if weights.dtype == object or len(weights) <= LONG:
        return weights
    tails = np.cumsum(weights[::-1])[::-1]
    return weights[: max(1, int(np.count_nonzero(tails > NEGLIGIBLE)))]


Terms: TypeAlias = dict[tuple[int, ...], Number]


def _by_terms(weapons: int, attacks: Array, attack: Attack, rolled: Kinds, automatic: Kinds) -> Array:
    """The same, a term at a time, without rounding."""
    one = _sum(
        (chance, _product(_raised(_terms(automatic), w), _raised(_terms(rolled), h))) for (w, h), chance in attack
    )
    weapon: Terms = {}
    for chance in attacks[::-1]:
        weapon = _product(weapon, one)
        weapon = _sum([(1, weapon), (chance, _raised(one, 0))])
    total = _raised(weapon, weapons)
    full = 1 + max(map(max, total))
    result = EXACT.zeros((full,) * (len(rolled) - 1))
    for key, chance in total.items():
        result[key] = chance
    return result


def _terms(kinds: Kinds) -> Terms:
    size = len(kinds) - 1
    return {
        tuple(int(place == kind) for place in range(1, size + 1)): chance for kind, chance in enumerate(kinds) if chance
    }


def _sum(parts: object) -> Terms:
    total: Terms = {}
    for chance, terms in parts:  # type: ignore[attr-defined]
        if chance:
            for key, weight in terms.items():
                total[key] = total.get(key, 0) + chance * weight
    return total


def _product(a: Terms, b: Terms) -> Terms:
    total: Terms = {}
    for left, weight in a.items():
        for right, other in b.items():
            key = tuple(map(sum, zip(left, right, strict=True)))
            total[key] = total.get(key, 0) + weight * other
    return total


def _raised(terms: Terms, times: int) -> Terms:
    size = len(next(iter(terms)))
    result: Terms = {(0,) * size: 1}
    for _ in range(times):
        result = _product(result, terms)
    return result
