"""An army: units chosen, attached, enhanced. Readers in ``formats`` make it; battles and odds use it.

Rules: 11e 25 (mustering), 19; 10e T-14, T-10.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

from battlewright.codec import schema, to_builtins, to_json
from battlewright.datasheet import Ability, Datasheet, Profile, Weapon
from battlewright.effects import EditionId

if TYPE_CHECKING:
    from battlewright.datasheet import CatalogueExtras


class Part(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What every value of this module is: frozen, compared by value, small in JSON."""


class WeaponTaken(Part, frozen=True):
    """``count`` of a weapon (or wargear) over the models of the entry; ``profiles`` None until known."""

    name: str
    count: int = 1
    profiles: tuple[Weapon, ...] = ()


class ModelTaken(Part, frozen=True):
    """``count`` equal models of a unit and all they carry together."""

    name: str
    count: int = 1
    profile: Profile | None = None
    weapons: tuple[WeaponTaken, ...] = ()


class RosterUnit(Part, frozen=True):
    """A unit of the army. ``attached_to`` is the ``id`` of its bodyguard unit; ``role`` how it is attached.

    ``wargear`` is what the source gives to the unit without saying which model has it; ``points`` as the source states
    them, enhancement included; ``more_enhancements`` what stands beside the one allowed; ``upgrade``: the
    enhancement is one of those that units without CHARACTER may take (11e).
    """

    name: str
    id: str = ""
    models: tuple[ModelTaken, ...] = ()
    keywords: tuple[str, ...] = ()
    faction_keywords: tuple[str, ...] = ()
    abilities: tuple[Ability, ...] = ()
    enhancement: str | None = None
    enhancement_points: int | None = None
    upgrade: bool = False
    more_enhancements: tuple[str, ...] = ()
    wargear: tuple[WeaponTaken, ...] = ()
    warlord: bool = False
    attached_to: str | None = None
    role: str = ""
    points: int | None = None
    section: str = ""
    datasheet: Datasheet | None = None
    legends: bool = False


class Detachment(Part, frozen=True):
    """A detachment chosen for the army: its detachment points (11e) and what it gives."""

    name: str
    points: int | None = None
    abilities: tuple[Ability, ...] = ()


class Roster(Part, frozen=True):
    """One player's army. ``points`` is the total the source states (None: none stated), never our sum.

    ``credits`` are lines to be shown wherever the army is used, for data that was filled in.
    """

    name: str = ""
    edition: EditionId | None = None
    faction: str = ""
    detachments: tuple[Detachment, ...] = ()
    detachment_points: int | None = None
    dispositions: tuple[str, ...] = ()
    battle_size: str = ""
    limit: int | None = None
    points: int | None = None
    units: tuple[RosterUnit, ...] = ()
    army_rules: tuple[Ability, ...] = ()
    credits: tuple[str, ...] = ()


class Problem(Part, frozen=True):
    """A fault of a list: the rule broken, in words, where."""

    rule: str
    words: str
    where: str

    def __str__(self) -> str:
        return f"{self.words} ({self.rule}) @ {self.where}" if self.where else f"{self.words} ({self.rule})"


class Mustered(Part, frozen=True):
    """The faults of a list, and the rules that could not be checked for lack of data, each with what is missing."""

    problems: tuple[Problem, ...] = ()
    not_checked: tuple[Problem, ...] = ()

    @property
    def legal(self) -> bool:
        """No fault was found; what could not be checked is listed, not assumed."""
        return not self.problems


def muster(roster: Roster, known: CatalogueExtras | None = None) -> Mustered:
    """Check a list against the mustering rules of its edition; ``known`` are detachments and enhancements of a catalogue.

    Rules: 11e 25, 19.01, 02.06, 02.07; 10e T-14.1, T-10.1. Raises :class:`~battlewright.errors.BadInput` when the list
    does not say its edition.

    >>> seer = RosterUnit("Ash Seer", "u1", keywords=("CHARACTER",), faction_keywords=("EMBERBORN",), points=1100)
    >>> army = Roster(edition="11e", faction="Emberborn", battle_size="Incursion", units=(seer,))
    >>> for problem in muster(army).problems:
    ...     print(problem)
    no detachment (11e 25.04)
    1100 points, Incursion allows 1000 (11e 25.03)
    no model is marked as Warlord (11e 25.04)
    """
    from battlewright.roster.mustering import muster

    return muster(roster, known)


def problems(roster: Roster, known: CatalogueExtras | None = None) -> tuple[Problem, ...]:
    """All faults of a list, each with its rule and place."""
    return muster(roster, known).problems


def published(roster: Roster) -> dict[str, Any]:
    """The roster as plain data with every part present, and the first profile of each weapon beside all of them."""
    found = {**_DEFAULTS[Roster], **to_builtins(roster)}
    found["detachments"] = [{**_DEFAULTS[Detachment], **each} for each in found["detachments"]]
    found["units"] = [_published_unit(unit) for unit in found["units"]]
    plain: dict[str, Any] = msgspec.json.decode(to_json(found))
    return plain


def roster_schema() -> dict[str, Any]:
    """The JSON Schema of a roster as published: each weapon may have its first profile beside all of them.

    >>> sorted(roster_schema()["$defs"]["WeaponTaken"]["properties"])
    ['count', 'name', 'profile', 'profiles']
    """
    form = schema(Roster)
    first = {"anyOf": [{"$ref": "#/$defs/Weapon"}, {"type": "null"}], "description": "The first of the profiles."}
    form["$defs"]["WeaponTaken"]["properties"]["profile"] = first
    return form


def _published_unit(unit: dict[str, Any]) -> dict[str, Any]:
    full = {**_DEFAULTS[RosterUnit], **unit}
    full["models"] = [{**_DEFAULTS[ModelTaken], **model} for model in full["models"]]
    for holder in full["models"]:
        holder["weapons"] = [_published_weapon(weapon) for weapon in holder["weapons"]]
        holder["profile"] = holder["profile"] and {**_DEFAULTS[Profile], **holder["profile"]}
    full["wargear"] = [_published_weapon(weapon) for weapon in full["wargear"]]
    full["abilities"] = [
        {"name": "", "text": "", "kind": "datasheet", "status": "none", **each} for each in full["abilities"]
    ]
    return full


def _published_weapon(weapon: dict[str, Any]) -> dict[str, Any]:
    full = {**_DEFAULTS[WeaponTaken], **weapon}
    return {**full, "profile": full["profiles"][0] if full["profiles"] else None}


def _defaults(kind: type[Part] | type[Profile]) -> dict[str, Any]:
    plain = {field.name: field.default for field in msgspec.structs.fields(kind)}
    return {
        name: None if value is msgspec.NODEFAULT else list(value) if value == () else value
        for name, value in plain.items()
    }


_DEFAULTS: Final = {
    kind: _defaults(kind) for kind in (Roster, Detachment, RosterUnit, ModelTaken, WeaponTaken, Profile)
}
