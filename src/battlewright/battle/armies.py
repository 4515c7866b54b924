"""Armies by name or file: a shipped one, or a roster in any format we read; two of one edition for a battle."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from battlewright.catalogue.armies import armies as shipped_armies
from battlewright.catalogue.armies import shipped
from battlewright.catalogue.lookup import way_to_add
from battlewright.effects import EditionId
from battlewright.errors import BadInput, Fault
from battlewright.names import same
from battlewright.roster import Roster

#: The most names a fault lists.
_NAMED: Final = 6


def army(name: str, edition: EditionId | None = None) -> Roster:
    """The roster a name means: a file when there is one of that name, else a shipped army. Raises :class:`BadInput`,
    with one line that names all units whose stat line neither the list nor a catalogue knows."""
    if Path(name).exists():
        from battlewright.formats.detect import read
        from battlewright.rulestext.rosters import prepared

        reading = read(name)
        if reading.roster is None:
            raise BadInput(reading.faults or f"a {reading.kind}, no roster", name)
        roster = prepared(reading.roster, edition).roster
        if lost := _without_stats(roster):
            raise BadInput(lost, name)
        return roster
    return shipped(name, edition)


def two_armies(armies: Sequence[Roster | str], edition: EditionId | None = None) -> tuple[list[Roster], EditionId]:
    """The rosters of a battle and its edition: the one asked for, else the newest that both armies have.

    >>> [roster.edition for roster in two_armies(["Green tide", "Strike group"])[0]]
    ['10e', '10e']
    >>> two_armies(["Kasrkin patrol", "Strike group"])
    Traceback (most recent call last):
    battlewright.errors.BadInput: armies of two editions: Kasrkin patrol is of the 11e, Strike group of the 10e @ armies
    """
    if len(armies) != 2:
        raise BadInput(f"two armies expected, got {len(armies)}", "armies")
    chosen = edition or _shared_edition(armies)
    faults: list[Fault] = []
    rosters: list[Roster] = []
    for each in armies:
        try:
            rosters.append(army(each, chosen) if isinstance(each, str) else each)
        except BadInput as error:
            faults += error.faults
    if faults:
        raise BadInput(tuple(dict.fromkeys(faults)))
    found = [roster.edition or chosen or "11e" for roster in rosters]
    if len({*found, *([edition] if edition else [])}) > 1:
        names = [each if isinstance(each, str) else each.name or "an army" for each in armies]
        told = f"{names[0]} is of the {found[0]}, {names[1]} of the {found[1]}"
        raise BadInput(
            f"armies of two editions: {told}" if found[0] != found[1] else f"{told}, not {edition}", "armies"
        )
    return rosters, found[0]


def _shared_edition(armies: Sequence[Roster | str]) -> EditionId | None:
    """The newest edition in which there are both, where a name stands for several; None when files say it themselves."""
    have = [_editions(each) for each in armies]
    return next((each for each in have[0] if each in have[1]), None)


def _editions(each: Roster | str) -> list[EditionId]:
    if isinstance(each, Roster):
        return [each.edition] if each.edition else ["11e", "10e"]
    if Path(each).is_file():
        from battlewright.catalogue.resolve import likely_edition
        from battlewright.formats.detect import read

        roster = read(each).roster
        stated = (roster.edition or likely_edition(roster)) if roster is not None else None
        return [stated] if stated else ["11e", "10e"]
    return [army.edition for army in shipped_armies() if same(army.name, each)]


def _without_stats(roster: Roster) -> str:
    names = [
        unit.name
        for unit in roster.units
        if any(model.profile is None or model.profile.missing for model in unit.models)
    ]
    names = list(dict.fromkeys(names))
    if not names:
        return ""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"stat lines not known of {', '.join(names[:_NAMED])}{more}: {way_to_add(roster.edition, 'them')}"
