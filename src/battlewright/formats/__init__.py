"""One reader a foreign format. Each turns bytes into a :class:`Reading`; ``read`` detects which one it is.

A reader is a module with ``detects(source) -> float`` (how sure, 0 to 1) and ``read(source) -> Reading``.
"""

from __future__ import annotations

from msgspec import Struct

from battlewright.datasheet import CatalogueExtras, Datasheet, Kind, UnreadLine
from battlewright.effects import EditionId
from battlewright.errors import Fault
from battlewright.roster import Roster


class Source(Struct, frozen=True):
    """An input: its name (for faults), its bytes, and its text when it is text; notes on how it was opened."""

    name: str
    data: bytes
    text: str | None = None
    notes: tuple[str, ...] = ()


class Reading(Struct, frozen=True):
    """What a file gave, and everything it did not: nothing is dropped silently."""

    kind: Kind
    format: str
    edition: EditionId | None = None
    faults: tuple[Fault, ...] = ()
    unread: tuple[UnreadLine, ...] = ()
    missing: tuple[str, ...] = ()
    datasheets: tuple[Datasheet, ...] = ()
    roster: Roster | None = None
    notes: tuple[str, ...] = ()
    extras: CatalogueExtras | None = None
    credit: str = ""
