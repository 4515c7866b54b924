"""The state of a battle: a few flat arrays of whole numbers, and a few small immutable values beside them.

Lengths are integers of 1/1000 inch (mils). ``to_choose`` is whose *decision* is due, ``turn`` whose *turn* it is: two
fields, never one. Only :func:`battlewright.battle.events.apply` changes a state.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from enum import IntEnum, IntFlag
from typing import Any, Self

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from battlewright.errors import BadInput

MIL = 1000
NOBODY = -1
Ints = NDArray[np.int32]


class M(IntEnum):
    """Columns of ``State.model``: pose, wounds left, inches moved this turn, attacks allocated this phase."""

    X = 0
    Y = 1
    Z = 2
    FACING = 3
    WOUNDS = 4
    MOVED = 5
    ALLOCATED = 6


class U(IntEnum):
    """Columns of ``State.unit``: what it is attached to (itself: nothing), where it is, what it did, …"""

    HEAD = 0
    WHERE = 1
    CARRIER = 2
    DID = 3
    SHOCKED = 4
    START = 5
    ARRIVED = 6
    VERSION = 7


class P(IntEnum):
    """Columns of ``State.player``."""

    CP = 0
    VP = 1
    PRIMARY = 2
    EXTRA_CP = 3


class Where(IntEnum):
    """Where a unit is."""

    UNDEPLOYED = 0
    BATTLEFIELD = 1
    RESERVES = 2
    EMBARKED = 3
    DESTROYED = 4


class Did(IntFlag):
    """What a unit did this turn or phase; ``PHASE`` are forgotten when the phase ends, the others with the turn."""

    ADVANCED = 1
    FELL_BACK = 2
    MOVED = 4
    STATIONARY = 8
    CHARGED = 16
    SHOT = 32
    FOUGHT = 64
    SET_UP = 128
    DISEMBARKED = 256
    EMBARKED = 512
    NO_CHARGE = 1 << 10
    NO_MOVE = 1 << 11
    FIGHTS_FIRST = 1 << 12
    SHOT_LAST_TURN = 1 << 13
    FIRED_PASSENGERS = 1 << 14
    SURGED = 1 << 15
    CHOSEN_MOVE = 1 << 16
    CHOSEN_SHOOT = 1 << 17
    CHOSEN_CHARGE = 1 << 18
    CHOSEN_FIGHT = 1 << 19
    PILED_IN = 1 << 20
    CONSOLIDATED = 1 << 21
    ENGAGED_AT_START = 1 << 22
    ELIGIBLE_TO_FIGHT = 1 << 23
    FIGHTS_NEXT = 1 << 24
    OVERRUN = 1 << 25
    EMBARKED_NOW = 1 << 26
    DISEMBARKED_NOW = 1 << 27
    TARGETED = 1 << 28


PHASE_FLAGS = ~((1 << 16) - 1)
#: the flags a position names, in the words of the rules
WORDS: dict[str, Did] = {
    "advanced": Did.ADVANCED,
    "fell back": Did.FELL_BACK,
    "moved": Did.MOVED,
    "stationary": Did.STATIONARY,
    "charged": Did.CHARGED,
    "shot": Did.SHOT | Did.CHOSEN_SHOOT,
    "fought": Did.FOUGHT | Did.CHOSEN_FIGHT,
    "set up": Did.SET_UP,
    "disembarked": Did.DISEMBARKED,
    "embarked": Did.EMBARKED,
    "cannot charge": Did.NO_CHARGE,
    "cannot move": Did.NO_MOVE,
    "fights first": Did.FIGHTS_FIRST,
    "shot last turn": Did.SHOT_LAST_TURN,
    "selected to move": Did.CHOSEN_MOVE,
    "selected to charge": Did.CHOSEN_CHARGE,
    "piled in": Did.PILED_IN,
    "consolidated": Did.CONSOLIDATED,
    "engaged at start": Did.ENGAGED_AT_START,
    "fights next": Did.FIGHTS_NEXT,
    "overrun": Did.OVERRUN,
}


class Frame(Struct, frozen=True):
    """A procedure in the middle of its work: its name, the step it stands at, and its locals (plain data)."""

    procedure: str
    step: int = 0
    local: dict[str, Any] = {}


class Lasting(Struct, frozen=True, omit_defaults=True):
    """An effect in force: clause ``clause`` of the rule ``rule`` (by key) on a unit (or a player), until it ends.

    ``until`` is the moment it ends: ``phase``, ``turn``, ``round``, ``battle``, ``done``, ``command`` (the start of the
    owner's next Command phase) with ``after``: the owner whose moment counts (-1: anyone's); or the start or end of one
    turn or phase, with its battle round and player: ``end turn|3|0``, ``start movement|2|1``. One that ``waits`` is not in
    force: it acts at each moment its own clause names until then. ``place``: only this effect of the clause (-1: all).
    """

    rule: str
    clause: tuple[int, ...]
    owner: int
    unit: int = NOBODY
    until: str = "phase"
    after: int = NOBODY
    bound: tuple[tuple[str, int], ...] = ()
    waits: bool = False
    place: int = -1


class State:
    """Everything that changes in a battle. Copy it by :meth:`copy` (arrays copied, the rest shared and immutable)."""

    __slots__ = (
        "control", "counter", "effects", "first", "frames", "gate", "levels", "marks", "model", "over", "phase",
        "player", "pools", "round", "secured", "standing", "to_choose", "turn", "unit", "used",
    )  # fmt: skip

    model: Ints
    unit: Ints
    player: Ints
    round: int
    turn: int
    to_choose: int
    first: int
    phase: str
    over: bool
    counter: int
    frames: tuple[Frame, ...]
    control: tuple[int, ...]
    levels: tuple[tuple[int, int], ...]
    secured: tuple[int, ...]
    used: Mapping[str, int]
    pools: Mapping[str, int]
    marks: Mapping[str, Any]
    standing: Mapping[str, str]
    effects: tuple[Lasting, ...]
    gate: bool

    def __init__(self, models: int, units: int, objectives: int = 0) -> None:
        put = object.__setattr__
        put(self, "gate", True)
        self.model = np.zeros((models, len(M)), np.int32)
        self.unit = np.zeros((units, len(U)), np.int32)
        self.player = np.zeros((2, len(P)), np.int32)
        self.unit[:, U.HEAD] = np.arange(units)
        self.unit[:, U.CARRIER] = NOBODY
        self.round, self.turn, self.to_choose, self.first = 0, NOBODY, NOBODY, 0
        self.phase, self.over, self.counter = "", False, 0
        self.frames = ()
        self.control = self.secured = (NOBODY,) * objectives
        self.levels = ((0, 0),) * objectives
        self.used, self.pools, self.marks, self.standing = {}, {}, {}, {}
        self.effects = ()

    def copy(self) -> Self:
        """An independent state, equal to this one."""
        new = object.__new__(type(self))
        put = object.__setattr__
        put(new, "gate", True)
        for name in _SHARED:
            put(new, name, getattr(self, name))
        for name in _ARRAYS:
            put(new, name, getattr(self, name).copy())
        if not self.gate:
            new.lock()
        return new

    def hash(self) -> str:
        """A short digest of everything: equal states, and only they, have equal digests."""
        digest = hashlib.blake2b(digest_size=12)
        for name in _ARRAYS:
            digest.update(getattr(self, name).tobytes())
        digest.update(_encode([getattr(self, name) for name in _SHARED]))
        return digest.hexdigest()

    def to_json(self) -> dict[str, Any]:
        """Plain data that :meth:`from_json` reads back."""
        plain: dict[str, Any] = {name: getattr(self, name).tolist() for name in _ARRAYS}
        plain |= {name: msgspec.to_builtins(getattr(self, name)) for name in _SHARED}
        return plain

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Self:
        """The state of :meth:`to_json`; raises :class:`BadInput`."""
        new = object.__new__(cls)
        put = object.__setattr__
        put(new, "gate", True)
        try:
            for name in _ARRAYS:
                put(new, name, np.asarray(plain[name], np.int32).reshape(len(plain[name]), -1))
            for name in _SHARED:
                put(new, name, msgspec.convert(plain[name], _TYPES.get(name, Any)))
        except (KeyError, TypeError, ValueError, msgspec.ValidationError) as error:
            raise BadInput(f"not a state: {error}", "$.state") from None
        return new

    # ------------------------------------------------------------------------------------------------ the gate
    def lock(self) -> None:
        """Debug: from now on nothing but :func:`apply` can change this state."""
        for name in _ARRAYS:
            getattr(self, name).flags.writeable = False
        object.__setattr__(self, "gate", False)

    def unlock(self) -> None:
        object.__setattr__(self, "gate", True)
        for name in _ARRAYS:
            getattr(self, name).flags.writeable = True

    def __setattr__(self, name: str, value: Any) -> None:
        if not self.gate:
            raise AttributeError(f"only apply() may change {name}")
        object.__setattr__(self, name, value)

    # ------------------------------------------------------------------------------------------------- reading
    @property
    def moment(self) -> list[int | str]:
        """Battle round, whose turn, phase: as marks keep it."""
        return [self.round, self.turn, self.phase]

    def did(self, unit: int, flags: Did) -> bool:
        """The unit did any of these."""
        return bool(int(self.unit[unit, U.DID]) & int(flags))

    def where(self, unit: int) -> Where:
        return Where(int(self.unit[unit, U.WHERE]))

    def on_battlefield(self, unit: int) -> bool:
        return int(self.unit[unit, U.WHERE]) == Where.BATTLEFIELD

    def shocked(self, unit: int) -> bool:
        return bool(self.unit[unit, U.SHOCKED])

    def uses(self, *key: object) -> int:
        """How often the thing of this key was used."""
        return self.used.get("|".join(map(str, key)), 0)


_ARRAYS = ("model", "unit", "player")
_SHARED = tuple(name for name in State.__slots__ if name not in (*_ARRAYS, "gate"))
_TYPES: dict[str, Any] = {
    "frames": tuple[Frame, ...],
    "effects": tuple[Lasting, ...],
    "control": tuple[int, ...],
    "secured": tuple[int, ...],
    "levels": tuple[tuple[int, int], ...],
    "used": dict[str, int],
    "pools": dict[str, int],
    "standing": dict[str, str],
    "marks": dict[str, Any],
    "phase": str,
    "over": bool,
    "round": int,
    "turn": int,
    "to_choose": int,
    "first": int,
    "counter": int,
}
_encode = msgspec.msgpack.Encoder(order="sorted").encode
