"""What an edition is to an attack: its numbers, its limits, and the order in which modifiers are applied.

An edition is a value. What differs between editions is a field here, or one small function a edition names;
the shared procedures read the fields and never ask which edition they serve.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from battlewright.effects import EditionId

FACES = range(1, 7)


class Resolution(Enum):
    """How the wounds of a batch reach the models."""

    ONE_BY_ONE = "each wound is allocated, saved and suffered before the next (10e T-6.3)"
    POOLED = "all saves are rolled, then applied from the lowest to the highest (11e 05.03, 05.04)"


@dataclass(frozen=True)
class Save:
    """What a model has against one attack: its saves, and what changes the roll."""

    armour: int
    invulnerable: int | None
    ap: int
    cover: bool
    modifier: int


@dataclass(frozen=True)
class Damage:
    """What changes the damage of one attack on one model."""

    add: int = 0
    halve: bool = False
    minus: int = 0


@dataclass(frozen=True)
class Hazard:
    """A hazardous test: the faces that fail, the mortal wounds of a failure, and whether they go on to a next model."""

    fails: frozenset[int]
    mortal: int
    mortal_monster: int
    spills: bool


@dataclass(frozen=True)
class Edition:
    """The numbers and functions of one edition.

    ``skill_worst``: the worst a BS or WS can become, None without a limit. ``cover_worsens_skill``: how much the
    benefit of cover worsens BS. ``stealth_is_cover`` or else a modifier to the hit roll.
    ``devastating_reduced``: the target's changes to damage apply to devastating wounds.
    ``devastating_last``: they wait until all other attacks of the unit are done, not only those of their batch.
    Of two readings of an open point a field holds the one of the digests; :data:`READINGS` names those that a game may
    choose otherwise.
    """

    id: EditionId
    resolution: Resolution
    skill_worst: int | None
    cover_worsens_skill: int
    stealth_is_cover: bool
    lethal_is_choice: bool
    snap_forbids_rerolls: bool
    torrent_hits_in_snap: bool
    cleave: bool
    devastating_reduced: bool
    devastating_last: bool
    indirect_hit_mod: int
    indirect_forbids_rerolls: bool
    indirect_blind_floor: int
    indirect_spotted_floor: int
    hazard: Hazard
    damage: Callable[[int, Damage], int]
    fails: Callable[[Save], frozenset[int]]
    rules: dict[str, str] = field(compare=False)

    def skill(self, printed: int, worse: int) -> int:
        """The BS or WS after all changes, within the limits of the edition (10e T-1.5; 11e 02.02.01)."""
        changed = max(2, printed + worse)
        return changed if self.skill_worst is None else min(self.skill_worst, changed)

    def __repr__(self) -> str:
        return f"Edition({self.id!r})"


#: Open points of the rules: field of the edition -> what it means to say yes.
READINGS: dict[str, str] = {
    "torrent_hits_in_snap": "weapons that hit automatically do so in snap shooting too (10e T-16.1 point 10; 11e 15.09)",
    "devastating_reduced": "what reduces damage reduces devastating wounds too (10e T-1.5; 11e 24.10)",
}


def capped(modifier: int) -> int:
    """A net modifier to a hit or wound roll, held to -1..+1 (10e T-1.5; 11e 02.02.01).

    >>> capped(-3), capped(1)
    (-1, 1)
    """
    return max(-1, min(1, modifier))


def wound_target(strength: int, toughness: int) -> int:
    """The D6 result needed to wound, 2 to 6, before modifiers.

    Rules: 10e T-6.2; 11e 05.02.

    >>> [wound_target(s, 4) for s in (2, 3, 4, 5, 8)]
    [6, 5, 4, 3, 2]
    """
    if strength >= 2 * toughness:
        return 2
    if 2 * strength <= toughness:
        return 6
    return 4 + (strength < toughness) - (strength > toughness)
