"""What the rules of mustering ask of a list: its battle size, the keywords of its units, what is attached to what.

A rule yields :class:`Problem` for what is wrong and :class:`NotChecked` for what it could not see. It never guesses: a
unit of which no keywords are known breaks no rule about keywords, it is listed.

Rules: 11e 25, 19.01, 24.22, 24.34, 02.06, 02.07; 10e T-14.1, T-10.1, T-2.0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from battlewright.names import fold, same
from battlewright.roster import Problem, Roster, RosterUnit

if TYPE_CHECKING:
    from battlewright.datasheet import CatalogueExtras


#: keyword -> the sections of a list in which no unit has it (lists sort a unit under the first that fits)
_SAYS_NO = {
    "CHARACTER": ("battleline", "dedicated transport", "other", "infantry", "vehicle", "monster", "mounted", "beast"),
    "EPIC HERO": ("battleline", "dedicated transport", "other", "infantry", "vehicle", "monster", "mounted", "beast"),
    "BATTLELINE": ("character", "epic hero", "dedicated transport", "other", "infantry", "vehicle", "monster"),
    "DEDICATED TRANSPORT": ("character", "epic hero", "battleline", "other", "infantry", "vehicle", "monster"),
}


@dataclass(frozen=True)
class NotChecked:
    """A rule that could not be checked, and what is missing for it."""

    rule: str
    words: str
    where: str = ""


Finding = Problem | NotChecked


@dataclass(frozen=True)
class BattleSize:
    """What an army of a size may hold: points, detachment points, enhancements, units of one datasheet."""

    name: str
    points: int
    detachment_points: int | None
    enhancements: int
    copies: int


@dataclass(frozen=True)
class Rules:
    """Numbers and rule ids of an edition, and the rules to check in the order of the rulebook."""

    sizes: tuple[BattleSize, ...]
    ids: dict[str, str]
    checks: tuple[Check, ...] = field(repr=False, default=())


@dataclass
class Army:
    """A list under the rules of its edition, with the questions rules ask of it."""

    roster: Roster
    rules: Rules
    known: CatalogueExtras | None = None
    supports_must_attach: bool = True

    def problem(self, what: str, words: str, where: RosterUnit | str = "") -> Problem:
        """Note a fault of the list."""
        return Problem(self.rules.ids[what], words, self.place(where))

    def unseen(self, what: str, words: str, where: RosterUnit | str = "") -> NotChecked:
        """Note a rule that could not be checked, and why."""
        return NotChecked(self.rules.ids[what], words, self.place(where))

    def place(self, where: RosterUnit | str) -> str:
        """The unit's name, with its number where there are several of that name."""
        if isinstance(where, str):
            return where
        twins = [unit for unit in self.roster.units if unit.name == where.name]
        if len(twins) < 2:
            return where.name
        return f"{where.name} (the {ordinal(next(n for n, unit in enumerate(twins, 1) if unit is where))})"

    @cached_property
    def size(self) -> BattleSize | None:
        """The battle size: as stated, by the stated limit, or the smallest that holds the points."""
        for size in self.rules.sizes:
            if same(size.name, self.roster.battle_size):
                return size
        if self.roster.battle_size:
            return None
        points = self.roster.limit or self.points
        return next((size for size in self.rules.sizes if points <= size.points), self.rules.sizes[-1])

    @cached_property
    def points(self) -> int:
        """What the units cost together."""
        return sum(unit.points or 0 for unit in self.roster.units)

    @cached_property
    def characters(self) -> list[RosterUnit]:
        """The units that are CHARACTERS."""
        return [unit for unit in self.roster.units if self.has(unit, "CHARACTER")]

    def keywords(self, unit: RosterUnit) -> set[str]:
        """The keywords of a unit."""
        sheet = unit.datasheet
        more = (*sheet.keywords, *sheet.faction_keywords) if sheet else ()
        return {fold(word) for word in (*unit.keywords, *unit.faction_keywords, *more)}

    def has(self, unit: RosterUnit, keyword: str) -> bool | None:
        """Whether a unit has a keyword; None when its keywords are not known and no section says so."""
        if fold(keyword) in self.keywords(unit):
            return True
        if unit.datasheet is not None or unit.faction_keywords:
            return False
        return False if unit.section in _SAYS_NO.get(keyword, ()) else None

    def group(self, unit: RosterUnit) -> list[RosterUnit]:
        """The attached unit that a unit is part of, itself included."""
        body = unit.attached_to or unit.id
        return [
            other for other in self.roster.units if other is unit or (body and body in (other.id, other.attached_to))
        ]


Check = Callable[[Army], Iterator[Finding]]


def texts_of(unit: RosterUnit) -> list[str]:
    """The words of a unit's own rules, as far as a list or a catalogue brought them."""
    sheet = unit.datasheet
    abilities = (*unit.abilities, *(sheet.abilities if sheet else ()))
    boxes = [box.text or " ".join(words for _, words in box.parts) for box in (sheet.boxes if sheet else ())]
    return [text for text in (*(ability.text for ability in abilities), *boxes) if text]


def says(unit: RosterUnit, words: re.Pattern[str]) -> bool:
    """Whether one of the unit's own rules says so."""
    return any(words.search(text) for text in texts_of(unit))


def ordinal(number: int) -> str:
    """
    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 22)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd']
    """
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def joined(words: Iterable[str]) -> str:
    """
    >>> joined(["a", "b", "c"]), joined(["a"])
    ('a, b and c', 'a')
    """
    *first, last = list(words)
    return f"{', '.join(first)} and {last}" if first else last
