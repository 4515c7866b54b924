"""The small armies that ship, as rosters: enough to play a battle on a fresh machine.

An army is a JSON file: its name, edition, faction, and units by datasheet name; models and weapons are the datasheet's own.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from battlewright.catalogue.lookup import EDITIONS, find
from battlewright.codec import from_json
from battlewright.datasheet import Datasheet, ModelEntry
from battlewright.effects import EditionId
from battlewright.errors import BadInput
from battlewright.names import meant, same
from battlewright.roster import ModelTaken, Roster, RosterUnit, WeaponTaken

HERE: Final = Path(__file__).parent / "armies"


class ArmyUnit(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A unit of a shipped army; ``models`` by name where not the fewest the datasheet allows."""

    datasheet: str
    points: int
    id: str = ""
    models: dict[str, int] = {}
    attached_to: str | None = None
    warlord: bool = False


class Army(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A shipped army as its file says it."""

    name: str
    edition: EditionId
    faction: str
    points: int
    units: tuple[ArmyUnit, ...]


@cache
def armies() -> tuple[Army, ...]:
    """All armies that ship.

    >>> {army.edition for army in armies()} == {"10e", "11e"}
    True
    """
    files = [path for edition in EDITIONS for path in sorted((HERE / edition).glob("*.json"))]
    return tuple(from_json(path.read_bytes(), Army, where=path.name) for path in files)


def shipped(name: str, edition: EditionId | None = None) -> Roster:
    """The shipped army of that name as a roster; without ``edition`` the newest. Raises :class:`BadInput`.

    >>> shipped("green tide", "10e").units[0].name
    'Boyz'
    """
    fitting = [army for army in armies() if edition in (None, army.edition)]
    for army in fitting:
        if same(army.name, name):
            return _roster(army)
    names = [army.name for army in fitting]
    hint = meant(name, names) or f"; known: {', '.join(names)}"
    raise BadInput(f"no shipped army of that name{f' in {edition}' if edition else ''}{hint}", name)


def _roster(army: Army) -> Roster:
    units = tuple(_unit(unit, army) for unit in army.units)
    return Roster(
        name=army.name, edition=army.edition, faction=army.faction, points=army.points, limit=500, units=units
    )


def _unit(unit: ArmyUnit, army: Army) -> RosterUnit:
    sheet = find(unit.datasheet, army.edition).datasheet
    return RosterUnit(
        name=sheet.name,
        id=unit.id,
        models=tuple(_taken(entry, sheet, unit) for entry in sheet.models if unit.models.get(entry.name, entry.low)),
        keywords=sheet.keywords,
        faction_keywords=sheet.faction_keywords,
        abilities=sheet.abilities,
        attached_to=unit.attached_to,
        warlord=unit.warlord,
        points=unit.points,
        datasheet=sheet,
    )


def _taken(entry: ModelEntry, sheet: Datasheet, unit: ArmyUnit) -> ModelTaken:
    count = unit.models.get(entry.name, entry.low)
    weapons = []
    for item in entry.wargear:
        profiles = tuple(weapon for weapon in sheet.weapons if same(weapon.name, item))
        weapons.append(WeaponTaken(item, count, profiles))
    return ModelTaken(entry.name, count, entry.profile, tuple(weapons))
