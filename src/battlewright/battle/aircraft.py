"""AIRCRAFT that fly over the table: straight ahead, far, and off it again.

Rules: 10e T-9.8. In the 11th edition they only arrive and leave (23): nothing here is asked of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from battlewright.battle.choices import Choice, MovePlan, Step
from battlewright.battle.decisions import PREDICATES, MoveModels, Region
from battlewright.battle.moves import MOVES, field_plan, mover, named, raised_markers, surroundings
from battlewright.battle.state import MIL, M
from battlewright.battlefield.planning import check_set_up
from battlewright.errors import Reason

if TYPE_CHECKING:
    from battlewright.battle.table import Table

#: the widest turn at the end of a flight, degrees
TURN = 90
#: how far off the straight line a model may end, mils: its place is whole 1/1000 inch
ROUNDING = 2.0


def why_not_flight(t: Table, decision: MoveModels, choice: MovePlan) -> Reason | None:
    """Is this flight legal: every model straight ahead, at least 20", one turn of up to 90 degrees, and room to end?"""
    unit, least = decision.unit, t.setting.numbers.aircraft_least or 0.0
    wanted = field_plan(t, unit, choice.steps)
    if isinstance(wanted, Reason):
        return wanted
    if len(choice.steps) != len(t.alive(unit)):
        return t.reason("aircraft", f"every model of {t.name(unit)} flies on")
    for step in choice.steps:
        model = t.model_index(step.model)
        assert model is not None
        ahead, aside, turn = _flown(t, model, step)
        if len(step.way) > 1 or aside > ROUNDING or ahead < 0:
            return t.reason("aircraft", f"{step.model} flies straight ahead, facing {t.state.model[model, M.FACING]}")
        if ahead < least * MIL - ROUNDING:
            return t.reason("aircraft", f'{step.model} flies {t.inches(ahead)}, at least {least:g}" needed')
        if turn > TURN:
            return t.reason("aircraft", f"{step.model} turns {turn} degrees, at most {TURN}")
    here = mover(t, unit, ())
    ending = MOVES[t.setting.edition].set_up("10e T-9.8", clear_of=raised_markers(t))
    faults = check_set_up(wanted.end(here.poses), here, surroundings(t, unit), ending)
    return named(t, faults[0]) if faults else None


def _flown(t: Table, model: int, step: Step) -> tuple[float, float, int]:
    """Mils ahead, mils aside, degrees turned."""
    x, y = (int(v) for v in t.state.model[model, :2])
    facing = int(t.state.model[model, M.FACING])
    angle = math.radians(facing)
    dx, dy = step.end[0] - x, step.end[1] - y
    ahead = dx * math.cos(angle) + dy * math.sin(angle)
    aside = abs(dy * math.cos(angle) - dx * math.sin(angle))
    turn = abs((step.facing - facing + 180) % 360 - 180)
    return ahead, aside, turn


def flight_sketches(t: Table, decision: MoveModels) -> list[Callable[[], Choice | None]]:
    """The shortest flights that are legal, with a turn to either side or none."""
    return [partial(_first_legal, t, decision, turn) for turn in (0, TURN, -TURN, TURN // 2, -TURN // 2)]


def _first_legal(t: Table, decision: MoveModels, turn: int) -> MovePlan | None:
    for plan in _flights(t, decision.unit, turn):
        if why_not_flight(t, decision, plan) is None:
            return plan
    return None


def _flights(t: Table, unit: int, turn: int) -> Iterator[MovePlan]:
    least = t.setting.numbers.aircraft_least or 0.0
    for inches in np.arange(least, math.hypot(*t.setting.mission.board), 1.0):
        steps = []
        for model in t.alive(unit):
            x, y, facing = (int(t.state.model[model, column]) for column in (M.X, M.Y, M.FACING))
            angle, far = math.radians(facing), float(inches) * MIL
            end = (round(x + far * math.cos(angle)), round(y + far * math.sin(angle)))
            steps.append(Step(t.model_name(model), (end,), (facing + turn) % 360))
        yield MovePlan(t.name(unit), tuple(steps))


PREDICATES.regions["aircraft"] = Region(flight_sketches, why_not_flight)
