"""Wounds lost and regained, models and units destroyed, and what follows.

Rules: 11e 05.04, 06.02, 18.05, 19, 24.08, 24.12; 10e T-2.2, T-6.6 to T-6.9, T-10.2, T-10.7.
"""

from __future__ import annotations

from battlewright.battle.events import MarkSet, ModelDestroyed, RuleUsed, Separated, UnitDestroyed, WoundsLost
from battlewright.battle.state import NOBODY, M, U, Where
from battlewright.battle.table import Table
from battlewright.battle.windows import moment


def is_wounded(t: Table, model: int) -> bool:
    """The model has lost wounds."""
    return t.wounds(model) < t.rules.stat(model, "W")


def lose_wounds(t: Table, model: int, count: int, why: str, by: int = NOBODY) -> int:
    """A model loses up to ``count`` wounds (what is left over is lost); destroyed at 0. Returns the wounds lost."""
    lost = min(count, t.wounds(model))
    if lost <= 0:
        return 0
    left = t.wounds(model) - lost
    t.emit(WoundsLost(model, lost, left, why))
    if left == 0:
        destroy_model(t, model, why, by)
    return lost


def destroy_model(t: Table, model: int, why: str, by: int = NOBODY, *, silent: bool = False) -> None:
    """A model is destroyed; ``silent``: nothing is triggered by it (coherency, no room to be set up)."""
    unit = t.head(model)
    part = t.model(model).unit
    if not silent and _has_aftermath(t, model):
        fallen = list(t.state.marks.get("fallen", []))
        t.emit(MarkSet("fallen", [*fallen, model]))
    t.emit(ModelDestroyed(model, by, why))
    if not silent:
        moment(t, "destroyed", unit, targets=_whom(by), kinds=_kinds(t), step="model", model=model)
    if not t.alive(unit):
        once = not t.setting.numbers.parts_are_units  # 11e: an attached unit is one, and is destroyed once (19.02)
        for piece in t.parts(unit):
            _destroyed(t, piece, by, why, silent=silent, counts=piece == unit or not once)
    elif not any(t.wounds(m) for m in t.unit(part).models):
        if t.setting.numbers.parts_are_units:
            _split_due(t, part)
        elif not silent:
            moment(t, "destroyed", part, targets=_whom(by), edge="after", kinds=_kinds(t), step="part")


def _has_aftermath(t: Table, model: int) -> bool:
    part = t.model(model).unit
    return bool(t.rules.core(part, "deadly demise")) or bool(passengers(t, part))


def passengers(t: Table, carrier: int) -> tuple[int, ...]:
    """The units embarked in a transport."""
    return t.passengers(carrier)


def _destroyed(t: Table, unit: int, by: int, why: str, *, silent: bool = False, counts: bool = True) -> None:
    """``silent``: it triggers nothing (11e 03.03; 10e T-2.2); ``counts``: as a unit destroyed."""
    if t.state.where(unit) == Where.DESTROYED:
        return
    t.emit(UnitDestroyed(unit, by, why))
    if by != NOBODY:
        t.emit(MarkSet(f"destroyed by|{unit}", int(t.state.unit[by, U.HEAD])))
        if t.setting.asks_of_losses:
            t.emit(MarkSet(f"destroyed in|{unit}", t.state.moment))
    if not counts:
        return
    count_loss(t, unit)
    if silent:
        return
    moment(t, "destroyed", unit, targets=_whom(by), edge="after", kinds=_kinds(t))


def _whom(by: int) -> tuple[int, ...]:
    return () if by == NOBODY else (by,)


def _kinds(t: Table) -> tuple[str, ...]:
    """What sort of attacks are being made: melee or ranged; none."""
    way = next((frame.local.get("way") for frame in reversed(t.state.frames) if frame.procedure == "attacks"), None)
    return () if way is None else ("melee",) if way == "fight" else ("ranged",)


def count_loss(t: Table, unit: int) -> None:
    """Missions count units lost, turn by turn."""
    player = t.owner(unit)
    t.emit(RuleUsed("destroyed", player, unit, (f"lost|{player}|{t.state.round}|{t.state.turn}",)))


def _split_due(t: Table, part: int) -> None:
    """10e T-10.2: the last model of a part of an attached unit fell; the parts separate after the attacks."""
    due = list(t.state.marks.get("separate", []))
    if part not in due:
        t.emit(MarkSet("separate", [*due, part]))


def destroy_unit(t: Table, unit: int, why: str) -> None:
    """A whole unit is destroyed without triggering anything; those embarked in it too."""
    for passenger in passengers(t, unit):
        destroy_unit(t, passenger, why)
    for model in t.alive(unit):
        destroy_model(t, model, why, silent=True)


def mortal_targets(t: Table, unit: int) -> tuple[int, ...]:
    """The models of a unit that may take the next mortal wound (11e 06.02; 10e T-6.3, T-6.8)."""
    alive = t.alive(unit)
    plain = [m for m in alive if not protected(t, unit, m)]
    pool = plain or list(alive)
    hurt = [m for m in pool if is_wounded(t, m) or t.state.model[m, M.ALLOCATED]]
    return tuple(hurt or pool)


def protected(t: Table, unit: int, model: int) -> bool:
    """A CHARACTER that nothing may be allocated to while another model lives: 11e any, 10e only in an attached unit."""
    if not t.model(model).is_character:
        return False
    return not t.setting.numbers.parts_are_units or len(t.parts(unit)) > 1


def mortal_wounds(t: Table, unit: int, count: int, why: str, by: int = NOBODY, *, model: int = NOBODY) -> None:
    """So many mortal wounds on a unit, one at a time; on one model only when ``model`` is given (no spill)."""
    if count > 0 and t.alive(unit):
        t.push("mortal_wounds", unit=unit, count=count, why=why, by=by, model=model)


def aftermath(t: Table) -> None:
    """Resolve what waited for destroyed models, if anything did and it is not being resolved already."""
    if any(frame.procedure == "aftermath" for frame in t.state.frames):
        return
    if t.state.marks.get("fallen") or t.state.marks.get("separate"):
        t.push("aftermath")


def separate(t: Table, part: int) -> None:
    """The parts of an attached unit become units of their own (10e T-10.2)."""
    head = int(t.state.unit[part, U.HEAD])
    for piece in t.parts(head):
        alive = any(t.wounds(m) > 0 for m in t.unit(piece).models)
        if not alive:
            _destroyed(t, piece, NOBODY, "destroyed")
    left = [p for p in t.parts(head) if any(t.wounds(m) > 0 for m in t.unit(p).models)]
    dead_head = head not in left
    if dead_head or len(left) == 1:
        for piece in left:
            t.emit(Separated(piece, t.unit(piece).start))
