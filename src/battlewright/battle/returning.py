"""Destroyed models that come back: which of a unit's may, with how many wounds, and where they then belong.

Rules: 11e 01.02.03; 10e T-9.7.
"""

from __future__ import annotations

from battlewright.battle.events import ModelDestroyed, Returned, UnitDestroyed
from battlewright.battle.judge import Context, chosen_from, is_such
from battlewright.battle.state import NOBODY, U, Where
from battlewright.battle.table import Table
from battlewright.effects import Select


def units_of(t: Table, who: Select | None, context: Context) -> tuple[int, ...]:
    """The units on the battlefield that models return to."""
    units = chosen_from(t, who if who is None or who.what == "unit" else who.of, context)
    return tuple(unit for unit in units if t.state.on_battlefield(unit) and t.alive(unit))


def may_return(t: Table, who: Select | None, unit: int) -> tuple[int, ...]:
    """The destroyed models of a unit that a rule speaks of; of a unit that is led, not its leaders."""
    led = who is not None and "led" in (who.ref, who.of.ref if who.of is not None else None)
    where = who.where if who is not None and who.what == "model" else None
    return tuple(
        model
        for part in t.parts(unit)
        if not (led and t.unit(part).attached_to is not None)
        for model in t.unit(part).models
        if t.wounds(model) <= 0 and is_such(t, where, model)
    )


def come_back(t: Table, unit: int, poses: tuple[tuple[int, int, int, int, int], ...], wounds: int) -> None:
    """Models return to a unit, with so many wounds each (0: all they have); who led it leads it again."""
    full = [int(t.setting.models[pose[0]].profile.W or 1) for pose in poses]
    each = tuple(most if wounds <= 0 else min(wounds, most) for most in full)
    units = tuple(dict.fromkeys(t.model(pose[0]).unit for pose in poses))
    before = sum(len(t.unit(part).models) for part in t.parts(unit))
    new = [part for part in units if part not in t.parts(unit) or t.state.where(part) == Where.DESTROYED]
    start = max(int(t.state.unit[unit, U.START]), before) if new and t.alive(unit) else 0
    t.emit(Returned(unit, units, poses, each, start))


def home_of(t: Table, part: int) -> int:
    """The unit a destroyed part would return to: the one it was of while some of it lives, else itself."""
    head = int(t.state.unit[part, U.HEAD])
    return head if head != part and t.alive(head) and t.state.on_battlefield(head) else part


def alone_in(t: Table, part: int) -> int:
    """The one model a unit consists of; NOBODY when there are more."""
    models = t.unit(part).models
    return models[0] if len(models) == 1 else NOBODY


def stand_again(t: Table, unit: int, models: tuple[int, ...]) -> None:
    """Destroyed models stand where they fell, to act before they are removed."""
    at = t.state.model[:, :4].tolist()
    poses = tuple((m, int(at[m][0]), int(at[m][1]), int(at[m][2]), int(at[m][3])) for m in models)
    units = tuple(dict.fromkeys(t.model(m).unit for m in models))
    t.emit(Returned(unit, units, poses, (1,) * len(models), why="not yet removed"))


def remove_again(t: Table, unit: int, models: tuple[int, ...]) -> None:
    """They are removed at last; nothing more is triggered by it, and nobody counts them again."""
    for model in models:
        if t.wounds(model) > 0:
            t.emit(ModelDestroyed(model, NOBODY, "removed"))
    if not t.alive(unit):
        for part in t.parts(unit):
            if t.state.where(part) != Where.DESTROYED:
                t.emit(UnitDestroyed(part, NOBODY, "removed"))
