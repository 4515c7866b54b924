"""Our own form of a roster: JSON of :class:`~battlewright.roster.Roster`, alone, in a wrapper, or as ``read`` prints it."""

from __future__ import annotations

import re
from typing import Any, Final

from battlewright.codec import convert, to_json
from battlewright.errors import BadInput
from battlewright.formats import Reading, Source
from battlewright.roster import Roster

#: What stands under "format" in a file of ours.
FORMAT: Final = "battlewright-roster"


def to_own(roster: Roster) -> str:
    """The roster as a file of ours: everything it holds, and nothing else.

    >>> from battlewright.formats.detect import read
    >>> text = to_own(Roster(name="Slow burn", points=1000))
    >>> read(Source("slow-burn.json", text.encode(), text)).roster
    Roster(name='Slow burn', ..., points=1000, ...)
    """
    return to_json({"format": FORMAT, "version": 1, "roster": roster}, indent=2).decode()


def detects(source: Source) -> float:
    """How sure we are: our name in the wrapper, or an object with units and no forces."""
    if source.text is None:
        return 0.0
    text = source.text.lstrip("\ufeff \n\r\t")
    if not text.startswith("{") or '"forces"' in text:
        return 0.0
    if re.match(r'\{\s*"format"\s*:\s*"' + FORMAT, text):
        return 0.995
    if re.match(r'\{\s*"kind"\s*:\s*"roster"', text) and '"roster"' in text:
        return 0.99
    bare = re.match(r'\{\s*"(?:name|units|edition|faction)"', text) and '"units"' in text
    return 0.6 if bare else 0.0


def read(source: Source) -> Reading:
    """The roster of such a file. Raises :class:`BadInput` with the path of every fault."""
    from battlewright.formats.tree import parse_json

    value = parse_json(source)
    if not isinstance(value, dict):
        raise BadInput("not a roster: expected an object", source.name)
    own = value.get("roster", value)
    if not isinstance(own, dict):
        raise BadInput("roster: expected an object", source.name)
    version = value.get("version", 1)
    if value.get("format") == FORMAT and version != 1:
        raise BadInput(f"version {version!r} of our form is newer than this program reads", source.name)
    roster = convert(_without_first_profiles(own), Roster, where=source.name)
    _check_ids(roster, source.name)
    return Reading("roster", FORMAT, roster.edition, missing=() if roster.edition else ("edition",), roster=roster)


def _without_first_profiles(own: dict[str, Any]) -> dict[str, Any]:
    """``read`` prints the first profile of each weapon beside all of them; here they are read once."""
    for unit in own.get("units", ()) if isinstance(own.get("units"), list) else ():
        models = unit.get("models") if isinstance(unit, dict) else None
        holders = [*models, unit] if isinstance(models, list) else []
        for holder in holders:
            for key in ("weapons", "wargear"):
                items = holder.get(key) if isinstance(holder, dict) else None
                for weapon in items if isinstance(items, list) else ():
                    if isinstance(weapon, dict) and "profiles" in weapon:
                        weapon.pop("profile", None)
    return own


def _check_ids(roster: Roster, where: str) -> None:
    ids = [unit.id for unit in roster.units if unit.id]
    if len(ids) != len(set(ids)):
        raise BadInput("two units with the same id", where)
    for place, unit in enumerate(roster.units):
        if unit.attached_to is not None and unit.attached_to not in ids:
            raise BadInput(f"attached to {unit.attached_to!r}, which is no id of a unit", f"{where} $.units[{place}]")
