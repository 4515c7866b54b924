"""What happens in a battle, as frozen values, and the one gate through which a state changes: :func:`apply`.

An event says what *became* of the state (a result, not an intention), so a log of events can be applied again without
dice and without rules. Quiet events move the procedures along and are left out of the log for people.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct

from battlewright.battle.state import MIL, NOBODY, PHASE_FLAGS, Did, Frame, Lasting, M, P, State, U, Where

Pose: TypeAlias = tuple[int, int, int, int, int]  # model, x, y, z, facing (mils, 1/1000 degree)


class Happened(Struct, frozen=True, omit_defaults=True, tag=True):
    """What every event is."""


class Quiet(Happened, frozen=True):
    """Events that only move the procedures along."""


# ------------------------------------------------------------------------------------------------- procedures
class FramePushed(Quiet, frozen=True):
    frame: Frame


class FramePopped(Quiet, frozen=True):
    pass


class FrameSet(Quiet, frozen=True):
    """The frame at ``depth`` now stands at ``step`` with these locals."""

    depth: int
    step: int
    local: dict[str, Any]


class Asked(Quiet, frozen=True):
    """A decision is due from ``player`` (-1: none)."""

    player: int


class StandingSet(Happened, frozen=True):
    """A standing answer: ``player`` answers ``key`` by ``answer`` unasked ("": ask again)."""

    player: int
    key: str
    answer: str = ""


# ------------------------------------------------------------------------------------------------------ clock
class RoundBegan(Happened, frozen=True):
    round: int


class TurnBegan(Happened, frozen=True):
    player: int


class TurnEnded(Happened, frozen=True):
    player: int


class PhaseBegan(Happened, frozen=True):
    phase: str


class PhaseEnded(Happened, frozen=True):
    phase: str


class FirstTurn(Happened, frozen=True):
    """Who takes the first turn of every round."""

    player: int


class BattleEnded(Happened, frozen=True):
    winner: int
    vp: tuple[int, int]
    why: str = ""


# ------------------------------------------------------------------------------------------------------- dice
class Rolled(Happened, frozen=True):
    """Dice: what for, their faces, and the counter of the dice after them."""

    purpose: str
    faces: tuple[int, ...]
    counter: int
    unit: int = NOBODY
    rule: str = ""
    needs: int = 0


# ------------------------------------------------------------------------------------------------------ units
class Chosen(Happened, frozen=True):
    """A unit was selected to act."""

    unit: int
    act: str


class Marked(Happened, frozen=True):
    """What a unit did: flags set and cleared."""

    unit: int
    on: int = 0
    off: int = 0


class Moved(Happened, frozen=True):
    """Models of a unit moved: end poses, and the inches (mils) each of them travelled."""

    unit: int
    kind: str
    poses: tuple[Pose, ...]
    travelled: tuple[int, ...] = ()
    paths: tuple[tuple[tuple[int, int], ...], ...] = ()


class SetUp(Happened, frozen=True):
    """A unit came onto the battlefield."""

    unit: int
    how: str
    poses: tuple[Pose, ...]


class LeftBattlefield(Happened, frozen=True):
    """A unit went into reserves, or into a transport (``carrier``)."""

    unit: int
    to: int
    carrier: int = NOBODY


class WoundsLost(Happened, frozen=True):
    """A model lost wounds (``left`` remain)."""

    model: int
    lost: int
    left: int
    why: str = ""


class WoundsRegained(Happened, frozen=True):
    model: int
    regained: int
    left: int
    why: str = ""


class Returned(Happened, frozen=True):
    """Destroyed models came back, with so many wounds each: those of ``units``, in the unit ``unit``.

    ``start``: its Starting Strength where that changed (0: it did not). ``why``: for good, or only until they have acted.
    """

    unit: int
    units: tuple[int, ...]
    poses: tuple[Pose, ...]
    wounds: tuple[int, ...]
    start: int = 0
    why: str = "returned"


class Allocated(Happened, frozen=True):
    """An attack was allocated to a model (10e T-6.3)."""

    model: int


class ModelDestroyed(Happened, frozen=True):
    model: int
    by: int = NOBODY
    why: str = ""


class UnitDestroyed(Happened, frozen=True):
    unit: int
    by: int = NOBODY
    why: str = ""


class Separated(Happened, frozen=True):
    """A part of an attached unit is a unit of its own again."""

    unit: int
    start: int


class ShockChanged(Happened, frozen=True):
    unit: int
    shocked: bool


# ------------------------------------------------------------------------------------------ players and rules
class CpChanged(Happened, frozen=True):
    player: int
    by: int
    why: str
    extra: bool = False


class VpScored(Happened, frozen=True):
    player: int
    by: int
    why: str
    primary: bool = True


class ControlChanged(Happened, frozen=True):
    """Who controls an objective now, and both players' levels of control."""

    objective: int
    player: int
    levels: tuple[int, int]
    secured: int = NOBODY


class StratagemUsed(Happened, frozen=True):
    player: int
    rule: str
    name: str
    cost: int
    units: tuple[int, ...] = ()
    keys: tuple[str, ...] = ()


class RuleUsed(Happened, frozen=True):
    """A rule was used: its keys count up (limits)."""

    rule: str
    player: int
    unit: int = NOBODY
    keys: tuple[str, ...] = ()


class EffectBegan(Happened, frozen=True):
    effect: Lasting
    name: str = ""


class EffectsEnded(Happened, frozen=True):
    """These effects ended (by their places in ``state.effects``)."""

    places: tuple[int, ...]


class PoolChanged(Happened, frozen=True):
    name: str
    to: int


class MarkSet(Happened, frozen=True):
    """A named mark of the battle changed (None: gone)."""

    name: str
    value: Any = None


class Reminder(Happened, frozen=True):
    """A rule that is not enforced, at the moment it would matter: the players see to it."""

    player: int
    name: str
    unit: int = NOBODY
    why: str = ""


class Told(Happened, frozen=True):
    """Something worth a line of the log that changes nothing."""

    text: str
    unit: int = NOBODY
    rule: str = ""


Event: TypeAlias = (
    FramePushed | FramePopped | FrameSet | Asked | StandingSet | RoundBegan | TurnBegan | TurnEnded | PhaseBegan
    | PhaseEnded | FirstTurn | BattleEnded | Rolled | Chosen | Marked | Moved | SetUp | LeftBattlefield | WoundsLost
    | WoundsRegained | Returned | Allocated | ModelDestroyed | UnitDestroyed | Separated | ShockChanged | CpChanged
    | VpScored | ControlChanged | StratagemUsed | RuleUsed | EffectBegan | EffectsEnded | PoolChanged | MarkSet | Reminder
    | Told
)  # fmt: skip


def apply(state: State, event: Event) -> None:
    """Change ``state`` by ``event``. The only door: nothing else in the package writes to a state."""
    locked = not state.gate
    if locked:
        state.unlock()
    try:
        _APPLY[type(event)](state, event)
    finally:
        if locked:
            state.lock()


def _pushed(state: State, event: FramePushed) -> None:
    state.frames = (*state.frames, event.frame)


def _popped(state: State, event: FramePopped) -> None:
    state.frames = state.frames[:-1]


def _frame_set(state: State, event: FrameSet) -> None:
    frames = list(state.frames)
    frames[event.depth] = Frame(frames[event.depth].procedure, event.step, event.local)
    state.frames = tuple(frames)


def _asked(state: State, event: Asked) -> None:
    state.to_choose = event.player


def _standing(state: State, event: StandingSet) -> None:
    state.standing = _with(state.standing, f"{event.player}|{event.key}", event.answer or None)


def _round_began(state: State, event: RoundBegan) -> None:
    state.round = event.round
    state.player[:, P.EXTRA_CP] = 0


def _turn_began(state: State, event: TurnBegan) -> None:
    state.turn = event.player
    state.model[:, M.MOVED] = 0


def _turn_ended(state: State, event: TurnEnded) -> None:
    did = state.unit[:, U.DID]
    shot = (did & int(Did.SHOT)) != 0
    did[:] = 0
    did[shot] = int(Did.SHOT_LAST_TURN)


def _phase_began(state: State, event: PhaseBegan) -> None:
    state.phase = event.phase


def _phase_ended(state: State, event: PhaseEnded) -> None:
    state.unit[:, U.DID] &= np.int32(~PHASE_FLAGS & 0x7FFFFFFF)
    state.model[:, M.ALLOCATED] = 0
    state.phase = ""


def _first_turn(state: State, event: FirstTurn) -> None:
    state.first = event.player


def _battle_ended(state: State, event: BattleEnded) -> None:
    state.over, state.to_choose, state.turn = True, NOBODY, NOBODY
    state.marks = _with(state.marks, "winner", event.winner)


def _rolled(state: State, event: Rolled) -> None:
    state.counter = event.counter


def _marked(state: State, event: Marked) -> None:
    did = int(state.unit[event.unit, U.DID])
    state.unit[event.unit, U.DID] = (did | event.on) & ~event.off


def _pose(state: State, unit: int, poses: tuple[Pose, ...]) -> None:
    for model, x, y, z, facing in poses:
        state.model[model, :4] = (x, y, z, facing)
    state.unit[unit, U.VERSION] += 1


def _moved(state: State, event: Moved) -> None:
    _pose(state, event.unit, event.poses)
    for (model, *_), inches in zip(event.poses, event.travelled, strict=False):
        state.model[model, M.MOVED] += inches


def _set_up(state: State, event: SetUp) -> None:
    _pose(state, event.unit, event.poses)
    parts = state.unit[:, U.HEAD] == event.unit
    parts &= state.unit[:, U.WHERE] != Where.DESTROYED
    state.unit[parts, U.WHERE] = int(Where.BATTLEFIELD)
    state.unit[parts, U.CARRIER] = NOBODY
    state.unit[parts, U.ARRIVED] = state.round


def _left(state: State, event: LeftBattlefield) -> None:
    parts = (state.unit[:, U.HEAD] == event.unit) & (state.unit[:, U.WHERE] != Where.DESTROYED)
    state.unit[parts, U.WHERE] = event.to
    state.unit[parts, U.CARRIER] = event.carrier
    state.unit[event.unit, U.VERSION] += 1
    if state.round:  # a unit that was on the battlefield did arrive (11e 20.03; 10e T-9.3)
        state.unit[parts, U.ARRIVED] = state.round


def _wounds(state: State, event: WoundsLost | WoundsRegained) -> None:
    state.model[event.model, M.WOUNDS] = event.left


def _returned(state: State, event: Returned) -> None:
    _pose(state, event.unit, event.poses)
    for (model, *_), wounds in zip(event.poses, event.wounds, strict=True):
        state.model[model, [M.WOUNDS, M.MOVED, M.ALLOCATED]] = wounds, 0, 0
    parts = list(event.units)
    state.unit[parts, U.HEAD] = event.unit
    state.unit[parts, U.WHERE] = int(Where.BATTLEFIELD)
    if event.start:
        state.unit[event.unit, U.START] = event.start


def _allocated(state: State, event: Allocated) -> None:
    state.model[event.model, M.ALLOCATED] = 1


def _model_destroyed(state: State, event: ModelDestroyed) -> None:
    state.model[event.model, M.WOUNDS] = 0


def _unit_destroyed(state: State, event: UnitDestroyed) -> None:
    state.unit[event.unit, U.WHERE] = int(Where.DESTROYED)
    state.unit[event.unit, U.CARRIER] = NOBODY
    state.unit[event.unit, U.VERSION] += 1


def _separated(state: State, event: Separated) -> None:
    head = int(state.unit[event.unit, U.HEAD])
    state.unit[event.unit, U.HEAD] = event.unit
    state.unit[event.unit, U.START] = event.start
    for column in (U.DID, U.SHOCKED, U.ARRIVED):
        state.unit[event.unit, column] = state.unit[head, column]
    state.unit[event.unit, U.VERSION] += 1


def _shock(state: State, event: ShockChanged) -> None:
    state.unit[event.unit, U.SHOCKED] = int(event.shocked)


def _cp(state: State, event: CpChanged) -> None:
    state.player[event.player, P.CP] += event.by
    if event.extra:
        state.player[event.player, P.EXTRA_CP] += event.by


def _vp(state: State, event: VpScored) -> None:
    state.player[event.player, P.VP] += event.by
    if event.primary:
        state.player[event.player, P.PRIMARY] += event.by


def _control(state: State, event: ControlChanged) -> None:
    state.control = _at(state.control, event.objective, event.player)
    state.levels = _at(state.levels, event.objective, event.levels)
    state.secured = _at(state.secured, event.objective, event.secured)


def _stratagem(state: State, event: StratagemUsed) -> None:
    state.player[event.player, P.CP] -= event.cost
    _count(state, event.keys)


def _rule_used(state: State, event: RuleUsed) -> None:
    _count(state, event.keys)


def _count(state: State, keys: tuple[str, ...]) -> None:
    state.used = {**state.used, **{key: state.used.get(key, 0) + 1 for key in keys}}


def _effect_began(state: State, event: EffectBegan) -> None:
    state.effects = (*state.effects, event.effect)


def _effects_ended(state: State, event: EffectsEnded) -> None:
    state.effects = tuple(e for place, e in enumerate(state.effects) if place not in event.places)


def _pool(state: State, event: PoolChanged) -> None:
    state.pools = {**state.pools, event.name: event.to}


def _mark(state: State, event: MarkSet) -> None:
    state.marks = _with(state.marks, event.name, event.value)


def _nothing(state: State, event: Happened) -> None:
    pass


def _with(table: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    new = dict(table)
    if value is None:
        new.pop(key, None)
    else:
        new[key] = value
    return new


def _at(row: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*row[:place], value, *row[place + 1 :])


_APPLY: dict[type, Callable[[State, Any], None]] = {
    FramePushed: _pushed,
    FramePopped: _popped,
    FrameSet: _frame_set,
    Asked: _asked,
    StandingSet: _standing,
    RoundBegan: _round_began,
    TurnBegan: _turn_began,
    TurnEnded: _turn_ended,
    PhaseBegan: _phase_began,
    PhaseEnded: _phase_ended,
    FirstTurn: _first_turn,
    BattleEnded: _battle_ended,
    Rolled: _rolled,
    Chosen: _nothing,
    Marked: _marked,
    Moved: _moved,
    SetUp: _set_up,
    LeftBattlefield: _left,
    WoundsLost: _wounds,
    WoundsRegained: _wounds,
    Returned: _returned,
    Allocated: _allocated,
    ModelDestroyed: _model_destroyed,
    UnitDestroyed: _unit_destroyed,
    Separated: _separated,
    ShockChanged: _shock,
    CpChanged: _cp,
    VpScored: _vp,
    ControlChanged: _control,
    StratagemUsed: _stratagem,
    RuleUsed: _rule_used,
    EffectBegan: _effect_began,
    EffectsEnded: _effects_ended,
    PoolChanged: _pool,
    MarkSet: _mark,
    Reminder: _nothing,
    Told: _nothing,
}


def mils(inches: float) -> int:
    """Inches in the state's unit, 1/1000 inch."""
    return round(inches * MIL)
