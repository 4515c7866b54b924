"""The user's catalogues as shelves of the look-up, the one added last first."""

from __future__ import annotations

from battlewright.catalogue.lookup import Shelf
from battlewright.catalogue.store import Stored, headers


def shelves() -> list[Shelf]:
    """One shelf for each stored catalogue."""
    return [Stored(header) for header in headers()]
