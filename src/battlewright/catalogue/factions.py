"""The factions of the game, and the keyword of each where it is not simply the faction's name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from battlewright.names import fold


@cache
def _keywords() -> dict[str, str]:
    return msgspec.json.decode((Path(__file__).parent / "factions.json").read_bytes(), type=dict[str, str])


def faction_keyword(faction: str) -> str:
    """The faction keyword of a faction's name, in capitals; "" of no name.

    >>> faction_keyword("Space Marines"), faction_keyword("Chaos Knights"), faction_keyword("")
    ('ADEPTUS ASTARTES', 'CHAOS KNIGHTS', '')
    """
    return _keywords().get(fold(faction), " ".join(faction.upper().split()))
