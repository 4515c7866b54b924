"""Dice notation, and dice that come in through one door.

``Dice`` is what a page prints (``D6+2``); a ``Roller`` gives die results. Three rollers: :class:`Seeded` from
(seed, stream, counter) so that any die can be had again, :class:`Scripted` from a list for tests and positions, and
whatever else has ``d6()``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import ClassVar, Protocol, final

from battlewright.errors import BadInput, Unparsed


@final
class Dice:
    """``count`` dice of ``sides`` (3 or 6) plus ``bonus``; a plain number is no dice and a bonus. Frozen, hashable.

    Rules: 11e 01.05; 10e T-1.3.

    >>> Dice.parse("2D3+1")
    Dice('2D3+1')
    >>> Dice.parse("D6").low, Dice.parse("D6").high, Dice.parse(4).mean
    (1, 6, 4.0)
    """

    __slots__ = ("_hash", "bonus", "count", "sides")
    PATTERN: ClassVar[str] = r"^(?:(\d{0,3})[dD]([36])(?:\+(\d{1,3}))?|(\d{1,3}))$"
    _READ: ClassVar[re.Pattern[str]] = re.compile(PATTERN)

    count: int
    sides: int
    bonus: int
    _hash: int

    def __init__(self, count: int, sides: int, bonus: int = 0) -> None:
        put = object.__setattr__
        put(self, "count", count)
        put(self, "sides", sides if count else 6)
        put(self, "bonus", bonus)
        put(self, "_hash", hash((self.count, self.sides, bonus)))

    @classmethod
    def parse(cls, text: str | int | Dice) -> Dice:
        """Read printed dice; raises :class:`Unparsed`.

        >>> Dice.parse("D7+")
        Traceback (most recent call last):
        battlewright.errors.Unparsed: expected dice such as D6, 2D3+1 or 4, got 'D7+'
        """
        if isinstance(text, Dice):
            return text
        clean = str(text).replace(" ", "")
        found = None if isinstance(text, bool) else cls._READ.match(clean)
        if not found:
            raise Unparsed(str(text), (0, len(str(text))), "dice such as D6, 2D3+1 or 4")
        count, sides, bonus, constant = found.groups()
        if constant is not None:
            return cls(0, 6, int(constant))
        return cls(int(count or 1), int(sides), int(bonus or 0))

    @property
    def constant(self) -> int | None:
        """The number, when there is nothing to roll."""
        return None if self.count else self.bonus

    @property
    def low(self) -> int:
        """The least it can show."""
        return self.count + self.bonus

    @property
    def high(self) -> int:
        """The most it can show."""
        return self.count * self.sides + self.bonus

    @property
    def mean(self) -> float:
        """Its average.

        >>> Dice.parse("2D6+1").mean
        8.0
        """
        return self.count * (self.sides + 1) / 2 + self.bonus

    def roll(self, roller: Roller) -> int:
        """One result, a die at a time. A D3 is a D6 halved, rounded up."""
        return self.bonus + sum(roller.d6() if self.sides == 6 else (roller.d6() + 1) // 2 for _ in range(self.count))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("Dice are frozen")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dice):
            return NotImplemented
        return (self.count, self.sides, self.bonus) == (other.count, other.sides, other.bonus)

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        if not self.count:
            return str(self.bonus)
        return f"{self.count if self.count > 1 else ''}D{self.sides}" + (f"+{self.bonus}" if self.bonus else "")

    def __repr__(self) -> str:
        return f"Dice({str(self)!r})"

    def __reduce__(self) -> tuple[type[Dice], tuple[int, int, int]]:
        return Dice, (self.count, self.sides, self.bonus)


class Roller(Protocol):
    """Where die results come from."""

    def d6(self) -> int:
        """The next die, 1 to 6."""


class Seeded:
    """Dice from (seed, stream, counter): the n-th die of a stream is a pure function of the three.

    Splitmix64 over the counter, with rejection, so every face is equally likely and a copy needs two integers.

    >>> a, b = Seeded(7), Seeded(7)
    >>> [a.d6() for _ in range(5)] == [b.d6() for _ in range(5)]
    True
    """

    __slots__ = ("_base", "counter", "seed", "stream")
    _MASK = (1 << 64) - 1

    def __init__(self, seed: int, stream: int = 0, counter: int = 0) -> None:
        self.seed, self.stream, self.counter = seed, stream, counter
        self._base = self._mix(self._mix(seed & self._MASK) ^ (stream & self._MASK))

    @classmethod
    def _mix(cls, x: int) -> int:
        x = (x + 0x9E3779B97F4A7C15) & cls._MASK
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & cls._MASK
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & cls._MASK
        return x ^ (x >> 31)

    def d6(self) -> int:
        """The next die, 1 to 6."""
        while True:
            value = self._mix((self._base + self.counter) & self._MASK) >> 61
            self.counter += 1
            if value < 6:
                return value + 1

    def copy(self) -> Seeded:
        """The same dice from here on, independent of these."""
        return Seeded(self.seed, self.stream, self.counter)


class Scripted:
    """Dice from a list; asking for more than it holds is a fault, and so is :meth:`finish` with some left.

    >>> dice = Scripted([6, 1]); dice.d6(), dice.d6()
    (6, 1)
    """

    __slots__ = ("faces", "used")

    def __init__(self, faces: Iterable[int], used: int = 0) -> None:
        self.faces, self.used = tuple(faces), used
        for place, face in enumerate(self.faces):
            if face not in range(1, 7):
                raise BadInput(f"dice: expected 1..6, got {face!r}", f"$.dice[{place}]")

    def d6(self) -> int:
        """The next die of the script. Raises :class:`BadInput` when it is used up."""
        if self.used >= len(self.faces):
            raise BadInput(f"dice script used up after {self.used} dice", f"$.dice[{self.used}]")
        self.used += 1
        return self.faces[self.used - 1]

    def finish(self) -> None:
        """Raises :class:`BadInput` when dice are left."""
        if self.used < len(self.faces):
            raise BadInput(f"{len(self.faces) - self.used} dice of the script unused", f"$.dice[{self.used}]")

    def copy(self) -> Scripted:
        """The same script at the same place, independent of this one."""
        return Scripted(self.faces, self.used)
