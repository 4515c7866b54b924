"""An army by name or file: a shipped one, or a roster in any format we read."""

from __future__ import annotations

from pathlib import Path

from battlewright.catalogue.armies import shipped
from battlewright.effects import EditionId
from battlewright.errors import BadInput
from battlewright.roster import Roster


def army(name: str, edition: EditionId | None = None) -> Roster:
    """The roster a name means: a file when there is one of that name, else a shipped army. Raises :class:`BadInput`."""
    if Path(name).is_file():
        from battlewright.formats.detect import read
        from battlewright.rulestext.rosters import prepared

        reading = read(name)
        if reading.roster is None:
            raise BadInput(reading.faults or f"a {reading.kind}, no roster", name)
        return prepared(reading.roster, edition).roster
    return shipped(name, edition)
