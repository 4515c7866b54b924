"""The editions we know: numbers, limits and orders that differ between them.

>>> edition("11e").skill(3, worse=1)
4
"""

from __future__ import annotations

from battlewright.editions.base import Edition, capped, wound_target
from battlewright.editions.eleventh import ELEVENTH
from battlewright.editions.tenth import TENTH
from battlewright.errors import BadInput

EDITIONS: dict[str, Edition] = {"10e": TENTH, "11e": ELEVENTH}


def edition(name: str) -> Edition:
    """The edition of that name; raises :class:`BadInput`."""
    if name not in EDITIONS:
        raise BadInput(f"edition: expected 10e or 11e, got {name!r}", "edition")
    return EDITIONS[name]


__all__ = ["EDITIONS", "ELEVENTH", "TENTH", "Edition", "capped", "edition", "wound_target"]
