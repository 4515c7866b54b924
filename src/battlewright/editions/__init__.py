"""The editions we know: numbers, limits and orders that differ between them.

>>> edition("11e").skill(3, worse=1)
4
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from battlewright.editions.base import READINGS, Edition, capped, wound_target
from battlewright.editions.eleventh import ELEVENTH
from battlewright.editions.tenth import TENTH
from battlewright.errors import BadInput, Fault

EDITIONS: dict[str, Edition] = {"10e": TENTH, "11e": ELEVENTH}


def edition(name: str, readings: Mapping[str, bool] | None = None) -> Edition:
    """The edition of that name; ``readings`` chooses the other side of an open point. Raises :class:`BadInput`.

    >>> edition("11e", {"torrent_hits_in_snap": False}).torrent_hits_in_snap
    False
    """
    if name not in EDITIONS:
        raise BadInput(f"edition: expected 10e or 11e, got {name!r}", "edition")
    unknown = sorted(set(readings or ()) - READINGS.keys())
    if unknown:
        raise BadInput(
            [Fault(f"{each}: expected one of {', '.join(READINGS)}", f"readings.{each}") for each in unknown]
        )
    changes: dict[str, Any] = dict(readings or {})
    return replace(EDITIONS[name], **changes) if changes else EDITIONS[name]


__all__ = ["EDITIONS", "ELEVENTH", "TENTH", "Edition", "capped", "edition", "wound_target"]
