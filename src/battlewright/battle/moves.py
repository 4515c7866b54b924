"""Moves and set-ups of units: the battlefield's kernel asked about the state, and its answers made into events.

Rules: 11e 03, 09, 11.04, 12, 18, 20, 24; 10e T-4, T-7.2, T-8.2, T-9, T-10.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from battlewright.battle.choices import Choice, MovePlan, Placement, Step
from battlewright.battle.decisions import PREDICATES, MoveModels, Region, SetUpUnit
from battlewright.battle.events import MarkSet, Moved, Pose, SetUp
from battlewright.battle.scoring import objective_pose
from battlewright.battle.sight import terrain
from battlewright.battle.state import MIL, NOBODY, Did
from battlewright.battlefield import Poses, gaps, markers, wholly_within
from battlewright.battlefield.checking import check
from battlewright.battlefield.ending import Ending
from battlewright.battlefield.movement import ModelMove, Mover, Surroundings
from battlewright.battlefield.movement import MovePlan as FieldPlan
from battlewright.battlefield.moves import ELEVENTH_MOVES, TENTH_MOVES, EleventhMoves, Move, TenthMoves
from battlewright.battlefield.planning import Intent, check_set_up, plan
from battlewright.battlefield.planning import beside as find_place_beside
from battlewright.battlefield.planning import set_up as find_place
from battlewright.errors import Reason

if TYPE_CHECKING:
    from battlewright.battle.table import Table

_FOOT = ("INFANTRY", "BEASTS", "BEAST", "SWARM")
MOVES: dict[str, EleventhMoves | TenthMoves] = {"10e": TENTH_MOVES, "11e": ELEVENTH_MOVES}


# ---------------------------------------------------------------------------------------------------- the kernel
def mover(t: Table, unit: int, reach: tuple[int, ...], limits: tuple[str, ...] = ()) -> Mover:
    """The unit as the kernel moves it: how far each model goes and what it may pass (``mobile``: as MOBILE does)."""
    return t.cached(("mover", unit, reach, limits), lambda: _mover(t, unit, reach, limits))


def _mover(t: Table, unit: int, reach: tuple[int, ...], limits: tuple[str, ...]) -> Mover:
    return _mover_of(t, t.alive(unit), reach, limits)


def _mover_of(t: Table, models: tuple[int, ...], reach: tuple[int, ...] = (), limits: tuple[str, ...] = ()) -> Mover:
    words = [t.model(m).keywords for m in models]

    def have(*wanted: str) -> Any:
        return np.array([not w.isdisjoint(wanted) for w in words], bool)

    limit = np.array(reach if reach else (0,) * len(models), np.int64)
    return Mover(
        t.poses_of(models),
        limit,
        have(*_FOOT, "MOBILE") | ("mobile" in limits),
        have(*_FOOT, "FLY", *t.setting.numbers.upstairs),
        have("FLY"),
        have("MONSTER", "VEHICLE"),
        np.array([pivot_cost(t, m) for m in models], np.int64),
    )


def pivot_cost(t: Table, model: int) -> int:
    """What the first pivot of a move costs, mils (10e T-4.1; nothing in the 11th edition)."""
    if not t.setting.field.pivot_costs:
        return 0
    definition = t.model(model)
    if "AIRCRAFT" in t.words(model) or definition.base.shape == "round":
        return 0
    return (2 if not definition.keywords.isdisjoint(("MONSTER", "VEHICLE")) else 1) * MIL


def surroundings(t: Table, unit: int) -> Surroundings:
    """Everything on the battlefield but this unit."""
    return t.standing(t.units(), ("around", unit), lambda: _surroundings(t, unit))


def _surroundings(t: Table, unit: int) -> Surroundings:
    others = [u for u in t.units() if u != unit]
    models = [m for u in others for m in t.alive(u)]
    heads = np.array([t.head(m) for m in models], np.int64)
    enemy = np.array([t.owner(t.model(m).unit) != t.owner(unit) for m in models], bool)
    big = np.array([not t.model(m).keywords.isdisjoint(("MONSTER", "VEHICLE")) for m in models], bool)
    planes = np.array(["AIRCRAFT" in t.words(m) for m in models], bool)
    aircraft = planes if planes.any() else None
    return Surroundings(t.setting.mission.board, t.poses_of(models), enemy, heads, big, terrain(t), aircraft)


def around_of(t: Table, decision: MoveModels) -> Surroundings:
    """The surroundings of a move; a super-heavy walker is barred by TITANIC models only (11e 24.35)."""
    around = surroundings(t, decision.unit)
    strides = {"models but TITANIC"} & {what for what, _ in t.rules.passes(decision.unit, decision.move)}
    if "strides" not in decision.limits and not strides:
        return around
    others = [m for u in t.units() if u != decision.unit for m in t.alive(u)]
    return replace(around, big=np.array(["TITANIC" in t.words(m) for m in others], bool))


def move_of(t: Table, decision: MoveModels) -> Move:
    """The kind of move a decision asks for, as the kernel's data."""
    moves = MOVES[t.setting.edition]
    targets = decision.targets
    match decision.move:
        case "normal":
            move = moves.normal()
        case "advance":
            move = moves.advance()
        case "fall_back":
            desperate = t.setting.numbers.falls_back_over_enemies or "desperate" in decision.limits
            move = moves.fall_back(desperate=desperate)
        case "scout":
            move = moves.scout()
        case "charge":
            move = moves.charge(targets)
        case "surge" if isinstance(moves, EleventhMoves):
            move = moves.surge(targets[0])
        case "surge":
            move = moves.normal()
        case "pile_in":
            move = moves.pile_in(targets)
        case "consolidate_ongoing":
            move = moves.consolidate_ongoing(targets) if isinstance(moves, EleventhMoves) else moves.pile_in(targets)
        case "consolidate_engaging":
            move = moves.consolidate_engaging(targets)
        case "consolidate_objective":
            inches = None if t.setting.objective_area(decision.objective) is None else 0.0
            move = moves.consolidate_objective(objective_pose(t, decision.objective), inches)
        case other:
            raise AssertionError(f"no such move: {other}")
    if "higher" in decision.limits:
        move = move.passing(step_over=EVERY_HEIGHT)
    if "strides" in decision.limits:
        high = t.setting.numbers.strides_over or 0.0
        move = move.passing(big_through_small=True, big_friends_bar=True, through_enemies=False, step_over=high)
    move = _passing(move, t.rules.passes(decision.unit, decision.move))
    raised = raised_markers(t)
    return _flying(t, decision, move if raised is None else move.ending_where(clear_of=raised))


EVERY_HEIGHT = 999.0


def _passing(move: Move, what: frozenset[tuple[str, float]]) -> Move:
    """A move that goes through what a rule says: models and their engagement range, walls (so high)."""
    high = max((inches for name, inches in what if name == "terrain"), default=0.0)
    names = {name for name, _ in what}
    if high:
        move = move.passing(step_over=max(high, move.passage.step_over))
    if names & {"models", "models but TITANIC", "enemy models", "engagement range"}:
        move = move.passing(keep_off=0.0)
    if "enemy models" in names:
        move = move.passing(through_enemies=True)
    if "models" in names:
        move = move.passing(through_enemies=True, big_friends_bar=False)
    elif "models but TITANIC" in names:
        move = move.passing(through_enemies=False, big_through_small=True, big_friends_bar=True)
    return move


def raised_markers(t: Table) -> Poses | None:
    """Objective markers nobody may end a move on: where the mission does not make them flat (10e T-12.1)."""
    mission = t.setting.mission
    if mission.flat_markers or not mission.objectives:
        return None
    return t.standing((), ("markers",), lambda: markers([objective.at for objective in mission.objectives]))


def _flying(t: Table, decision: MoveModels, move: Move) -> Move:
    """Models that FLY: 10e over models in normal, advance, fall-back and charge moves (T-4.7); 11e when they took to
    the skies (21.03).
    """
    if decision.move not in ("normal", "advance", "fall_back", "charge"):
        return move
    if t.setting.numbers.takes_to_the_skies:
        return move.passing(flight="skies") if "skies" in decision.limits else move
    return move.passing(flight="air")


def field_plan(t: Table, unit: int, steps: tuple[Step, ...]) -> FieldPlan | Reason:
    """The steps of a choice in the kernel's order of models."""
    rows: dict[int, Step] = {}
    for step in steps:
        model = t.model_index(step.model)
        if model is None or model not in t.alive(unit):
            return t.reason("set_up", f"{step.model} is no living model of {t.name(unit)}")
        if model in rows or not step.way:
            return t.reason("set_up", f"{step.model} has not one way")
        rows[model] = step
    return FieldPlan(tuple(_model_move(rows.get(m)) for m in t.alive(unit)))


def _model_move(step: Step | None) -> ModelMove | None:
    if step is None:
        return None
    return ModelMove(*step.end, step.facing % 360, step.z, step.way[:-1])


# ---------------------------------------------------------------------------------------------------------- moves
def why_not_move(t: Table, decision: MoveModels, choice: MovePlan) -> Reason | None:
    """Is this move legal, model by model and for the unit?"""
    return t.cached(_key(decision, choice), lambda: (_why_not_move(t, decision, choice),))[0]


def _key(decision: MoveModels, choice: MovePlan) -> tuple[str, MoveModels, MovePlan]:
    return "move", decision, choice


def _why_not_move(t: Table, decision: MoveModels, choice: MovePlan) -> Reason | None:
    wanted = field_plan(t, decision.unit, choice.steps)
    if isinstance(wanted, Reason):
        return wanted
    move = move_of(t, decision)
    faults = check(
        wanted,
        mover(t, decision.unit, decision.reach, decision.limits),
        around_of(t, decision),
        move.passage,
        move.ending,
        move.aim,
    )
    return named(t, faults[0]) if faults else None


def named(t: Table, reason: Reason) -> Reason:
    """The kernel counts units by number: give them their names."""
    words = reason.detail
    if "unit " in words:
        for unit in range(len(t.setting.units) - 1, -1, -1):
            words = words.replace(f"unit {unit})", f"{t.name(unit)})").replace(f"unit {unit}", t.name(unit))
    return Reason(reason.rule, words)


def move_sketches(t: Table, decision: MoveModels) -> list[Callable[[], Choice | None]]:
    """A few good moves: to close in, or towards objectives and enemies, away from them, and to stand."""
    return [partial(planned, t, decision, intent) for intent in _intents(t, decision)]


def planned(t: Table, decision: MoveModels, intent: Intent) -> MovePlan | None:
    """A legal move that serves an intent, None when none was found."""
    key = "planned", decision, intent, t.rules.passes(decision.unit, decision.move)
    return t.standing(t.units(), key, lambda: (_planned(t, decision, intent),))[0]


def _planned(t: Table, decision: MoveModels, intent: Intent) -> MovePlan | None:
    move = move_of(t, decision)
    unit = decision.unit
    here = mover(t, unit, decision.reach, decision.limits)
    found = plan(intent, here, around_of(t, decision), move.passage, move.ending, move.aim)
    if found is None:
        return None
    choice = as_choice(t, unit, found)
    if all(len(step.way) == 1 for step in choice.steps):  # what was planned has passed every check already
        t.cached(_key(decision, choice), lambda: (None,))
    return choice


def as_choice(t: Table, unit: int, found: FieldPlan) -> MovePlan:
    steps = tuple(
        Step(t.model_name(model), (*moved.way, (moved.x, moved.y)), moved.facing, moved.z)
        for model, moved in zip(t.alive(unit), found.models, strict=True)
        if moved is not None
    )
    return MovePlan(t.name(unit), steps)


def _intents(t: Table, decision: MoveModels) -> Iterator[Intent]:
    unit = decision.unit
    if decision.move in ("charge", "surge", "pile_in", "consolidate_ongoing", "consolidate_engaging"):
        yield Intent("engage")
        return
    if decision.move == "consolidate_objective":
        yield Intent("toward", t.setting.mission.objectives[decision.objective].at)
        return
    here = t.poses(unit).inches.mean(axis=0)
    spots = [o.at for o in t.setting.mission.objectives]
    spots.sort(key=lambda at: (float(np.hypot(at[0] - here[0], at[1] - here[1])), at))
    if decision.move == "fall_back":
        nearest = t.nearest_enemy(unit)
        if nearest is not None:
            yield Intent("away", _middle(t, nearest[0]))
    for at in spots[:3]:
        yield Intent("toward", at)
    nearest = t.nearest_enemy(unit)
    if nearest is not None:
        yield Intent("toward", _middle(t, nearest[0]))
        if decision.move != "fall_back":
            yield Intent("away", _middle(t, nearest[0]))
    yield Intent("toward", (float(here[0]), float(here[1])))


def _middle(t: Table, unit: int) -> tuple[float, float]:
    x, y = t.poses(unit).inches.mean(axis=0)
    return float(x), float(y)


def make_move(t: Table, unit: int, kind: str, choice: MovePlan) -> None:
    """The models move, and each has moved so far."""
    poses, travelled, paths = [], [], []
    for step in choice.steps:
        model = t.model_index(step.model)
        assert model is not None
        x, y = (int(v) for v in t.state.model[model, :2])
        way = ((x, y), *step.way)
        length = sum(float(np.hypot(b[0] - a[0], b[1] - a[1])) for a, b in itertools.pairwise(way))
        poses.append((model, *step.end, step.z, step.facing % 360))
        travelled.append(round(length))
        paths.append(way)
    over = _moved_over(t, unit, choice) if "moved_over" in t.setting.asks_of_attacks else None
    t.emit(Moved(unit, kind, tuple(poses), tuple(travelled), tuple(paths)))
    if over is not None:
        t.emit(MarkSet(f"struck|{unit}", {"moved_over": over, "moved in": t.state.moment}))


def _moved_over(t: Table, unit: int, choice: MovePlan) -> list[int]:
    """The enemy units whose models a move passes over."""
    found = []
    for enemy in t.enemies(unit):
        foes = t.poses(enemy)
        if any(_passes_over(t, step, foes) for step in choice.steps):
            found.append(enemy)
    return found


def crossed_enemies(t: Table, choice: MovePlan) -> list[int]:
    """The models whose way passes over an enemy model (10e T-4.5)."""
    unit = t.index(choice.unit)
    assert unit is not None
    foes = surroundings(t, unit).enemies
    if not len(foes):
        return []
    models = [(t.model_index(step.model), _passes_over(t, step, foes)) for step in choice.steps]
    return [model for model, passes in models if passes and model is not None]


def _passes_over(t: Table, step: Step, foes: Poses) -> bool:
    """Does the way of a model that has not moved yet lead over one of these?"""
    model = t.model_index(step.model)
    assert model is not None
    way = [tuple(int(v) for v in t.state.model[model, :2]), *step.way]
    one = t.poses_of([model])
    return any(_sweeps_over(one, a, b, foes) for a, b in itertools.pairwise(way))


def _sweeps_over(one: Poses, start: tuple[int, ...], end: tuple[int, ...], foes: Poses) -> bool:
    from battlewright.battlefield.measure import TOUCH, swept

    here = one.at(np.array([start], np.int64))
    return bool((swept(here, np.array([end], np.int64), foes) < -TOUCH).any())


# -------------------------------------------------------------------------------------------------------- set-ups
def ending_of(t: Table, decision: SetUpUnit) -> list[Ending]:
    """The ways this unit may be set up: any of them will do."""
    unit, player = decision.unit, t.owner(decision.unit)
    moves = MOVES[t.setting.edition]
    zones = t.setting.mission.zones
    around = t.poses_of(_carrier_models(t, decision.around)) if decision.around != NOBODY else None
    match decision.how:
        case "deploy":
            found = [moves.deploy(zones[player])]
            if t.all_have(unit, "infiltrators"):
                found.append(moves.infiltrate(zones[1 - player]))
        case "ingress":
            found = [moves.ingress(zones[1 - player] if t.state.round < 3 else ())]
            if t.all_have(unit, "deep strike"):
                found.append(moves.deep_strike())
            nearer = t.rules.set_up_from(unit)
            if nearer is not None:
                found.append(replace(moves.deep_strike(), from_enemies=nearer))
            barred = tuple((t.poses(other), inches) for other, inches in t.rules.kept_off(unit))
            found = [replace(ending, off=barred) for ending in found] if barred else found
        case "disembark_combat":
            assert around is not None
            assert isinstance(moves, EleventhMoves)
            distance = t.setting.numbers.combat_disembark or 6.0
            found = [moves.disembark(around, distance, engaged_with=t.engaged_with(decision.around))]
        case "disembark_emergency":
            assert around is not None
            far = t.setting.numbers.emergency_disembark
            found = [moves.disembark(around, t.setting.numbers.disembark), moves.disembark(around, far)]
            if isinstance(moves, EleventhMoves) and not _has_place(t, unit, found):  # 18.05: engaged if it must be
                found = [moves.disembark(around, far, engaged_with=t.enemies(unit))]
        case _:
            assert around is not None
            found = [moves.disembark(around, t.setting.numbers.disembark)]
            if decision.how == "disembark_rapid" and t.state.did(t.head(t.unit(decision.around).models[0]), Did.SET_UP):
                found = _as_it_arrived(t, decision, found[0])
    raised = raised_markers(t)
    return found if raised is None else [replace(ending, clear_of=raised) for ending in found]


def _has_place(t: Table, unit: int, endings: list[Ending]) -> bool:
    """Is there a legal place for the whole unit?"""
    here, around = mover(t, unit, ()), surroundings(t, unit)
    spots = [tuple(map(float, ending.around.inches.mean(axis=0))) for ending in endings if ending.around is not None]
    return any(
        find_place((spot[0], spot[1]), here, around, ending) is not None
        for spot, ending in zip(spots, endings, strict=True)
    )


def _as_it_arrived(t: Table, decision: SetUpUnit, ending: Ending) -> list[Ending]:
    """Out of a transport that came from reserves this turn: where it could have been set up itself (11e 18.04).

    10e T-9.2: off the enemy, but not near the edge.
    """
    carrier = t.head(t.unit(decision.around).models[0])
    if not t.setting.numbers.passengers_keep_to_edge:
        return [replace(ending, from_enemies=t.setting.field.set_up_from_enemies)]
    arrived = msgspec.structs.replace(decision, unit=carrier, how="ingress", around=NOBODY)
    return [
        replace(
            ending,
            from_enemies=way.from_enemies,
            edge=way.edge,
            one_edge=way.one_edge,
            outside=way.outside,
            outside_by=way.outside_by,
        )
        for way in ending_of(t, arrived)
    ]


def _carrier_models(t: Table, carrier: int) -> tuple[int, ...]:
    """The models of a transport, even when it was just destroyed."""
    return t.alive(carrier) or t.unit(carrier).models


def why_not_placement(t: Table, decision: SetUpUnit, choice: Placement) -> Reason | None:
    """Is this set-up legal?"""
    if decision.models:
        return _why_not_back(t, decision, choice)
    unit = decision.unit
    wanted = field_plan(t, unit, choice.steps)
    if isinstance(wanted, Reason):
        return wanted
    endings = ending_of(t, decision)
    partly = decision.how == "disembark_emergency" and not _has_place(t, unit, endings)
    if len(choice.steps) != len(t.alive(unit)) and not partly:
        return t.reason("set_up", f"{len(choice.steps)} of {len(t.alive(unit))} models set up: all must be")
    faults: list[Reason] = []
    for ending in endings:
        here = mover(t, unit, ())
        faults = check_set_up(wanted.end(here.poses), here, surroundings(t, unit), ending)
        if not faults:
            return None
    return named(t, faults[0])


def placement_sketches(t: Table, decision: SetUpUnit) -> list[Callable[[], Choice | None]]:
    """A few places: near objectives and the front, or beside the transport."""
    if decision.models:
        return [partial(placed_back, t, decision, near) for near in _places_back(t, decision.unit)]
    return [partial(placed_near, t, decision, near) for near in _places_near(t, decision)]


def placed_near(t: Table, decision: SetUpUnit, near: tuple[float, float]) -> Placement | None:
    """A legal set-up with the unit as near to a point as it can be."""
    key = "placed", decision.unit, decision.how, decision.around, near
    return t.cached(key, lambda: (_placed_near(t, decision, near),))[0]


def _placed_near(t: Table, decision: SetUpUnit, near: tuple[float, float]) -> Placement | None:
    unit = decision.unit
    here = mover(t, unit, ())
    if t.setting.numbers.aircraft_least is not None and t.has(unit, "AIRCRAFT"):  # it will fly on straight ahead
        wide, deep = t.setting.mission.board
        ahead = round(np.degrees(np.arctan2(deep / 2 - near[1], wide / 2 - near[0]))) % 360
        here = here.at(here.poses.at(here.poses.xy, np.full(len(here), ahead)))
    for ending in reversed(ending_of(t, decision)):
        found = find_place(near, here, surroundings(t, unit), ending)
        if found is not None:
            steps = tuple(
                Step(t.model_name(m), ((int(xy[0]), int(xy[1])),), int(facing), int(z))
                for m, xy, facing, z in zip(t.alive(unit), found.xy, found.facing, found.z, strict=True)
            )
            return Placement(t.name(unit), steps)
    return None


# -------------------------------------------------------------------------------------------------- models that return
def _back(t: Table, unit: int) -> Ending:
    """In coherency with the unit as it stands, engaged with nobody it is not engaged with (11e 01.02.03; 10e T-9.3)."""
    rule = t.setting.rule_id("return")
    return MOVES[t.setting.edition].set_up(rule, unengaged=False, only=frozenset(t.engaged_with(unit)))


def _why_not_back(t: Table, decision: SetUpUnit, choice: Placement) -> Reason | None:
    named_models = [t.model_index(step.model) for step in choice.steps]
    if sorted(decision.models) != sorted(-1 if m is None else m for m in named_models):
        wanted = ", ".join(map(t.model_name, decision.models))
        return t.reason("set_up", f"{wanted} are set up now, each once")
    standing = t.alive(decision.unit)
    here = _mover_of(t, (*standing, *decision.models))
    steps = {t.model_index(step.model): step for step in choice.steps}
    xy, facing, z = here.poses.xy.copy(), here.poses.facing.copy(), here.poses.z.copy()
    for row, model in enumerate(decision.models, start=len(standing)):
        step = steps[model]
        xy[row], facing[row], z[row] = step.end, step.facing % 360, step.z
    rows = np.arange(len(standing), len(here))
    faults = check_set_up(
        here.poses.at(xy, facing, z), here, surroundings(t, decision.unit), _back(t, decision.unit), rows
    )
    return named(t, faults[0]) if faults else None


def placed_back(t: Table, decision: SetUpUnit, near: tuple[float, float]) -> Placement | None:
    """The models that return, each as near to a point as it can stand beside its unit; None where one cannot."""
    here = _mover_of(t, (*t.alive(decision.unit), *decision.models))
    around, ending = surroundings(t, decision.unit), _back(t, decision.unit)
    found = find_place_beside(near, here, len(t.alive(decision.unit)), around, ending)
    if found is None:
        return None
    steps = tuple(
        Step(t.model_name(m), ((int(xy[0]), int(xy[1])),), int(facing), int(z))
        for m, xy, facing, z in zip(decision.models, found.xy, found.facing, found.z, strict=True)
    )
    return Placement(t.name(decision.unit), steps)


def _places_back(t: Table, unit: int) -> Iterator[tuple[float, float]]:
    middle = t.poses(unit).inches.mean(axis=0)
    yield float(middle[0]), float(middle[1])
    for objective in t.setting.mission.objectives[:2]:
        yield objective.at


def back_where_it_fell(t: Table, unit: int, models: tuple[int, ...]) -> Poses | None:
    """As close as possible to where they fell, unengaged; None when there is no room."""
    here = _mover_of(t, models)
    spot = here.poses.inches.mean(axis=0)
    ending = MOVES[t.setting.edition].set_up(t.setting.rule_id("return"))
    return find_place((float(spot[0]), float(spot[1])), here, surroundings(t, unit), ending)


def _places_near(t: Table, decision: SetUpUnit) -> Iterator[tuple[float, float]]:
    if decision.around != NOBODY:
        models = t.poses_of(_carrier_models(t, decision.around)).inches.mean(axis=0)
        for objective in t.setting.mission.objectives[:2]:
            yield objective.at
        yield float(models[0]), float(models[1])
        return
    zone = np.array(t.setting.mission.zones[t.owner(decision.unit)], float)
    middle, (width, depth) = zone.mean(axis=0), t.setting.mission.board
    for part in (0.2, 0.5, 0.8):
        yield float(middle[0]), depth * part
    yield width / 2, depth / 2
    for objective in t.setting.mission.objectives[1:3]:
        yield objective.at


def has_placement(t: Table, unit: int, how: str, around: int) -> bool:
    """Is there any place for the unit?"""
    decision = SetUpUnit(t.owner(unit), "", "", unit, how, around)
    return any(sketch() is not None for sketch in placement_sketches(t, decision))


def poses_of_steps(t: Table, steps: tuple[Step, ...]) -> tuple[Pose, ...]:
    found = []
    for step in steps:
        model = t.model_index(step.model)
        assert model is not None
        found.append((model, *step.end, step.z, step.facing % 360))
    return tuple(found)


def set_up(t: Table, unit: int, how: str, poses: tuple[Pose, ...]) -> None:
    t.emit(SetUp(unit, how, poses))


# ------------------------------------------------------------------------------------------------------ distances
def models_within(t: Table, unit: int, carrier: int, inches: float) -> bool:
    """Is every model of a unit within so far of a transport?"""
    return bool((gaps(t.poses(unit), t.poses(carrier)).min(axis=1) <= inches + 1e-6).all())


def place_within(t: Table, model: int, poses: list[tuple[int, ...]], inches: float) -> bool:
    """Would all these (model, x, y) stand wholly within so far of a model?"""
    here = t.poses_of([p[0] for p in poses]).at(np.array([p[1:3] for p in poses], np.int64).reshape(-1, 2))
    return bool(wholly_within(here, t.poses_of([model]), inches).all())


def consolidation_objectives(t: Table, unit: int) -> tuple[int, ...]:
    """The objectives a unit may consolidate towards: any within 3" (11e 12.08), only the closest one (10e T-8.2)."""
    numbers = t.setting.numbers
    spots = range(len(t.setting.mission.objectives))
    away = {objective: float(gaps(t.poses(unit), objective_pose(t, objective)).min()) for objective in spots}
    far = numbers.consolidate if numbers.any_objective else consolidates_by(t, unit)
    limit = far + (0.0 if numbers.any_objective else t.setting.field.objective_range[0])
    near = [objective for objective in spots if away[objective] <= limit]
    if not numbers.any_objective:
        near = [objective for objective in near if away[objective] == min(away.values())]
    return tuple(near)


def consolidates_by(t: Table, unit: int) -> float:
    """How far the models of a unit go when it consolidates: 3", or what a rule says."""
    return t.rules.stride(unit, "consolidate", t.setting.numbers.consolidate)


def consolidation_mode(t: Table, unit: int) -> str | None:
    """The first mode that fits: ongoing, engaging, objective (11e 12.08; 10e T-8.2); None when none does.

    An enemy within 3" is enough in the 11th edition; in the 10th the unit must be able to end engaged with one.
    """
    foes = t.foes(unit)
    if any(e in foes for e in t.engaged_with(unit)):
        return "ongoing"
    numbers, near = t.setting.numbers, t.nearest_foe(unit)
    beyond = consolidates_by(t, unit) + t.setting.field.engagement[0]
    if near is not None and near[1] <= (beyond if numbers.engage_if_possible else numbers.consolidate):
        decision = consolidation(t, unit, "engaging", foes)
        if not numbers.engage_if_possible or planned(t, decision, Intent("engage")) is not None:
            return "engaging"
    return "objective" if consolidation_objectives(t, unit) else None


def consolidation(t: Table, unit: int, mode: str, targets: tuple[int, ...], objective: int = NOBODY) -> MoveModels:
    """The move of up to 3" of a mode, as it is asked (11e 12.08; 10e T-8.2)."""
    reach = (round(consolidates_by(t, unit) * MIL),) * len(t.alive(unit))
    return MoveModels(t.owner(unit), "moved", "consolidate", unit, f"consolidate_{mode}", reach, targets, objective)


PREDICATES.regions["move"] = Region(move_sketches, why_not_move)
PREDICATES.regions["set_up"] = Region(placement_sketches, why_not_placement)
