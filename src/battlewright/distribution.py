"""Finite distributions of whole numbers from 0 upwards, and the polynomials they are.

``weights[k]`` is the chance of ``k``. Two kinds of number serve the same functions: floats (numpy's own), and
fractions (object arrays) where the caller wants no rounding at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from battlewright.dice import Dice

Array: TypeAlias = NDArray[Any]
Number: TypeAlias = float | Fraction


class Numbers(NamedTuple):
    """The kind of number a calculation uses. ``mark``: a complex number that marks each point of damage wasted, for
    the distribution of their sum (its characteristic function).

    >>> FLOAT.ratio(1, 4), EXACT.ratio(1, 4)
    (0.25, Fraction(1, 4))
    """

    exact: bool
    mark: complex | None = None

    @property
    def dtype(self) -> Any:
        """numpy's name of this kind of number."""
        return object if self.exact else float if self.mark is None else complex

    @property
    def real(self) -> Numbers:
        """The same without the mark: what chances are."""
        return self if self.mark is None else FLOAT

    def ratio(self, part: int, whole: int) -> Number:
        """``a`` out of ``b``, in this kind of number."""
        return Fraction(part, whole) if self.exact else part / whole

    def zeros(self, shape: int | tuple[int, ...]) -> Array:
        """So many zeros."""
        if not self.exact:
            return np.zeros(shape, dtype=self.dtype)
        empty: Array = np.empty(shape, dtype=object)
        empty.fill(Fraction(0))
        return empty

    def array(self, weights: Iterable[Number]) -> Array:
        """These numbers as an array."""
        return np.array(list(weights), dtype=self.dtype)


FLOAT = Numbers(exact=False)
EXACT = Numbers(exact=True)


def convolve(a: Array, b: Array) -> Array:
    """The distribution of a sum of two independent numbers: polynomials multiplied.

    >>> convolve(np.array([0.5, 0.5]), np.array([0.5, 0.5])).tolist()
    [0.25, 0.5, 0.25]
    """
    if a.dtype == object or b.dtype == object:
        return _convolve_objects(a, b)
    return np.convolve(a, b)


def _convolve_objects(a: Array, b: Array) -> Array:
    total = EXACT.zeros(len(a) + len(b) - 1)
    for place, weight in enumerate(a):
        if weight:
            total[place : place + len(b)] += weight * b
    return total


def power(base: Array, times: int) -> Array:
    """The sum of ``times`` independent copies; none at all is the number 0.

    >>> power(np.array([0.5, 0.5]), 3).tolist()
    [0.125, 0.375, 0.375, 0.125]
    """
    result: Array | None = None
    while times:
        if times & 1:
            result = base if result is None else convolve(result, base)
        times >>= 1
        if times:
            base = convolve(base, base)
    if result is not None:
        return result
    return np.array([1.0]) if base.dtype != object else EXACT.array([Fraction(1)])


@lru_cache(maxsize=512)
def of_dice(dice: Dice, numbers: Numbers = FLOAT) -> Array:
    """What the dice show, as weights from 0.

    >>> of_dice(Dice.parse("D3+1"), EXACT).tolist()[2:]
    [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]
    """
    die = numbers.zeros(dice.sides + 1)
    die[1:] = numbers.ratio(1, dice.sides)
    shift = numbers.zeros(dice.bonus + 1)
    shift[-1] = numbers.ratio(1, 1)
    return convolve(power(die, dice.count), shift)


class Distribution(Mapping[int, Number]):
    """Chances of whole numbers, read only.

    >>> two = Distribution(of_dice(Dice.parse("2D6")))
    >>> round(two[7], 6), round(two.mean, 6), round(two.at_least(11), 6)
    (0.166667, 7.0, 0.083333)
    """

    def __init__(self, weights: Array) -> None:
        self.weights = weights

    def __getitem__(self, value: int) -> Number:
        if not 0 <= value < len(self.weights):
            raise KeyError(value)
        return plain(self.weights[value])

    def __iter__(self) -> Iterator[int]:
        return (value for value, weight in enumerate(self.weights) if weight > 0)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @cached_property
    def mean(self) -> Number:
        """The average."""
        return plain(np.dot(self.weights, np.arange(len(self.weights))))

    @property
    def variance(self) -> Number:
        """The mean square of the distance from the mean.

        >>> round(Distribution(of_dice(Dice.parse("D6"))).variance, 4)
        2.9167
        """
        squares = plain(np.dot(self.weights, np.arange(len(self.weights)) ** 2))
        return squares - self.mean**2

    def at_least(self, value: int) -> Number:
        """The chance of ``value`` or more."""
        return plain(self.weights[max(0, value) :].sum()) if value < len(self.weights) else 0.0

    def quantile(self, share: float) -> int:
        """The smallest value that is not exceeded with chance ``share``.

        >>> Distribution(of_dice(Dice.parse("D6"))).quantile(0.5)
        3
        """
        total: Number = 0.0
        for value, weight in enumerate(self.weights):
            total = total + weight
            if total >= share - 1e-12:
                return value
        return len(self.weights) - 1

    def to_json(self) -> dict[str, float]:
        """The chances that are not zero, keys as text: ``{"0": 0.25, "1": 0.75}``."""
        return {str(value): weight for value, weight in enumerate(map(float, self.weights)) if weight > 0}

    def __repr__(self) -> str:
        return f"Distribution({ {value: self[value] for value in self} })"


def plain(number: Any) -> Number:
    """The number as Python's own: a float or a fraction.

    >>> plain(np.float64(0.5)), plain(Fraction(1, 3))
    (0.5, Fraction(1, 3))
    """
    return number if isinstance(number, Fraction) else float(number)
