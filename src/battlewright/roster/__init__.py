"""An army: units chosen, attached, enhanced. Readers in ``formats`` make it; battles and odds use it.

Rules: 11e 21-24 (mustering); 10e T-12.
"""

from __future__ import annotations

from msgspec import Struct

from battlewright.datasheet import Ability, Datasheet, Profile, Weapon
from battlewright.effects import EditionId


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
    them, enhancement included; ``more_enhancements`` what stands beside the one allowed.
    """

    name: str
    id: str = ""
    models: tuple[ModelTaken, ...] = ()
    keywords: tuple[str, ...] = ()
    faction_keywords: tuple[str, ...] = ()
    abilities: tuple[Ability, ...] = ()
    enhancement: str | None = None
    enhancement_points: int | None = None
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
    name: str
    points: int | None = None
    abilities: tuple[Ability, ...] = ()


class Roster(Part, frozen=True):
    """One player's army. ``points`` is the total the source states (None: none stated), never our sum."""

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


class Problem(Part, frozen=True):
    """A fault of a list: the rule broken, in words, where."""

    rule: str
    words: str
    where: str
