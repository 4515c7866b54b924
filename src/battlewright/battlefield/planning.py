"""Making a legal move: the formation a unit ends in, for bots, for suggestions to people, and for set-up.

Every plan made here passes :func:`~battlewright.battlefield.checking.check`; where none is found the answer is None.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import msgspec
import numpy as np

from battlewright.battlefield.checking import (
    FAR,
    bounds,
    check,
    could_be_nearer,
    depths,
    legal_ends,
    nearest_first,
    on_bent_ways,
    ring,
)
from battlewright.battlefield.ending import (
    NO_AIM,
    Aim,
    Ending,
    Moving,
    allowed,
    refusals,
    rooted,
    strived_for,
    striven,
    unit_refusals,
)
from battlewright.battlefield.measure import GRAIN, coherent, drops, gaps, overlaps
from battlewright.battlefield.movement import ROUNDING, MovePlan, Mover, Passage, Surroundings, Ways
from battlewright.battlefield.shapes import INCH, Bools, Floats, Ints, Poses
from battlewright.battlefield.terrain import Point
from battlewright.errors import Reason

TURNS = 24
DETOUR = 0.5
"""Inches nearer to the goal a bent way must bring before it is looked for."""
PARTS = (1.0, 0.7, 0.4, 0.15)


@dataclass(frozen=True, slots=True)
class Intent:
    """What a move is for. ``toward`` and ``away``: a point of the table in inches; ``engage``: the targets of the aim.

    A move whose models must strive for something (a charge, a consolidation) always does, whatever the kind.
    """

    kind: Literal["toward", "away", "engage"]
    point: Point = (0.0, 0.0)


def plan(
    intent: Intent, mover: Mover, around: Surroundings, passage: Passage, ending: Ending, aim: Aim = NO_AIM
) -> MovePlan | None:
    """A legal move of the unit that serves the intent as well as was found; None when not even staying is legal.

    >>> from battlewright.battlefield.moves import ELEVENTH_MOVES
    >>> from battlewright.datasheet import Base
    >>> trooper = Mover.of(Poses.of([Base("round", 32)], [(20, 22)]), 6)
    >>> enemy = Surroundings.of((60, 44), Poses.of([Base("round", 32)], [(40, 22)]))
    >>> normal = ELEVENTH_MOVES.normal()
    >>> plan(Intent("toward", (40, 22)), trooper, enemy, normal.passage, normal.ending).models[0].x
    26000
    """
    around = around.near(*bounds(mover), FAR, 1.0)
    move = Moving(mover, around, passage, ending, aim)
    strives = aim.closer != "" or bool(aim.tiers)
    if intent.kind == "engage" or strives:
        closing = _engage(move)
        return None if closing is None else with_ways(closing, mover, around, passage)
    for part in PARTS:
        found = _march(intent, replace(move, mover=mover.limited(part)))
        if found is not None:
            return with_ways(found, mover, around, passage)
    still = MovePlan((None,) * len(mover))
    return None if check(still, mover, around, passage, ending, aim) else still


def with_ways(found: MovePlan, mover: Mover, around: Surroundings, passage: Passage) -> MovePlan:
    """The same plan with the way-points of the shortest way, for models that name none and cannot go straight."""
    end = found.end(mover.poses)
    straight = around.straight(mover, end, passage) <= mover.limit / INCH + ROUNDING
    models = list(found.models)
    for row in found.moved:
        model = models[row]
        assert model is not None
        if straight[row] or model.way:
            continue
        way = around.ways(mover, row, passage).way(model.x, model.y, model.z)
        if way is not None:
            models[row] = msgspec.structs.replace(model, way=tuple(way[1]))
    return MovePlan(tuple(models))


# -- marching ----------------------------------------------------------------------------------------------------------


def _march(intent: Intent, move: Moving) -> MovePlan | None:
    goal = _goal(intent, move.mover, move.around)
    start = move.mover.poses
    shift = goal - start.inches.mean(axis=0)
    length = float(np.hypot(*shift))
    step = min(length, move.mover.limit.min() / INCH)
    if length > GRAIN:
        xy = start.xy + np.trunc(shift / length * step * INCH).astype(np.int64)
        if _stands(start.at(xy), move):
            return MovePlan.between(start, start.at(xy))
    return _one_by_one(goal, move)


def _goal(intent: Intent, mover: Mover, around: Surroundings) -> Floats:
    middle = mover.poses.inches.mean(axis=0)
    point = np.array(intent.point, float)
    if intent.kind == "toward":
        return point
    away = middle - point
    length = max(float(np.hypot(*away)), 1e-6)
    board = np.array(around.board)
    return np.asarray(np.clip(middle + away / length * mover.limit.max() / INCH, 1, board - 1))


def _stands(end: Poses, move: Moving) -> bool:
    """May every model go straight there, and the unit stand so?"""
    if not (move.around.straight(move.mover, end, move.passage) <= move.mover.limit / INCH + GRAIN).all():
        return False
    if not allowed(end, np.arange(len(end)), move.mover, move.around, move.ending).all():
        return False
    return not unit_refusals(end, move.around, move.ending) and not overlaps_itself(end)


def overlaps_itself(end: Poses) -> bool:
    """Do models of the unit stand on each other?"""
    on = overlaps(end, end)
    np.fill_diagonal(on, False)
    return bool(on.any())


def _one_by_one(goal: Floats, move: Moving) -> MovePlan | None:
    """Models go one after the other, the foremost first, each as near to its place in the formation as it can."""
    start = move.mover.poses
    own = goal + (start.inches - start.inches.mean(axis=0))
    order = np.argsort(((start.inches - goal) ** 2).sum(axis=-1), kind="stable")
    end, placed = _copy(start), np.zeros(len(start), bool)
    for row in order.tolist():
        spot = _best_spot(row, own[row], end, placed, move)
        if spot is None:
            return None
        end.xy[row] = spot.xy[0]
        placed[row] = True
    if unit_refusals(end, move.around, move.ending) or overlaps_itself(end):
        return None
    result = MovePlan.between(start, end)
    return None if refusals(end, move.mover, move.around, move.ending, np.array(result.moved, np.int64)) else result


def _best_spot(row: int, goal: Floats, end: Poses, placed: Bools, move: Moving) -> Poses | None:
    """The legal place of one model nearest to its goal, in coherency with the models placed so far."""
    model = move.mover.poses.take([row])
    spots = _places(model, goal, move.mover.limit[row] / INCH)
    ways = move.ways(row)
    mates = end.take(placed)
    for chunk in range(0, len(spots), 32):
        some = spots.take(np.arange(chunk, min(chunk + 32, len(spots))))
        ok = allowed(some, np.full(len(some), row), move.mover, move.around, move.ending)
        ok &= _keeps_up(some, mates, move.ending, len(end)) & ~overlaps(some, mates).any(axis=1)
        if not ok.any():
            continue
        some = some.take(ok)
        straight = np.isfinite(ways.lengths(some.inches, some.z / INCH, bent=False))
        short = np.sqrt(((some.inches - goal) ** 2).sum(axis=-1))
        if straight.any() and short[straight][0] < short[0] + DETOUR:
            return some.take([int(straight.argmax())])
        good = np.isfinite(ways.lengths(some.inches, some.z / INCH))
        if good.any():
            return some.take([int(good.argmax())])
    return None


def _places(model: Poses, goal: Floats, limit: float) -> Poses:
    """Places all around within the limit, the place itself and the goal among them, nearest to the goal first."""
    ahead = goal - model.inches[0]
    length = float(np.hypot(*ahead))
    turn = np.arctan2(ahead[1], ahead[0]) + np.arange(TURNS) * (2 * np.pi / TURNS)
    ring_at = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    parts = np.array([1.0, 0.8, 0.6, 0.4, 0.2]) * max(limit - 0.001, 0)
    spots = (model.inches[0] + ring_at[None] * parts[:, None, None]).reshape(-1, 2)
    own = model.inches[0] + (ahead / max(length, 1e-9)) * min(length, max(limit - 0.001, 0))
    spots = np.concatenate([own[None], spots, model.inches])
    order = np.argsort(((spots - goal) ** 2).sum(axis=-1), kind="stable")
    xy = np.rint(spots[order] * INCH).astype(np.int64)
    level = np.where((xy == model.xy).all(axis=1), model.z[0], 0)
    return model.take(np.zeros(len(xy), np.int64)).at(xy, z=level)


def _keeps_up(spots: Poses, mates: Poses, ending: Ending, size: int) -> Bools:
    """Which spots are in coherency with the models placed so far (the first is free)."""
    if not len(mates):
        return np.ones(len(spots), bool)
    numbers = ending.coherency
    flat, level = gaps(spots, mates), drops(spots, mates) <= numbers.vertical + GRAIN
    needed = next((m for least, m in reversed(numbers.mates) if size >= least), 0)
    near = ((flat <= numbers.near + GRAIN) & level).sum(axis=1) >= min(needed, len(mates))
    if numbers.far is not None:
        near &= ((flat <= numbers.far + GRAIN) & level).all(axis=1)
    return np.asarray(near)


def _copy(poses: Poses) -> Poses:
    return poses.at(poses.xy.copy(), poses.facing.copy(), poses.z.copy())


# -- closing in --------------------------------------------------------------------------------------------------------


def _engage(move: Moving) -> MovePlan | None:
    """Charge, pile in, consolidate: models reach what they strive for, nearest first, until none could do better."""
    start = move.mover.poses
    if not len(strived_for(move.around, move.aim)) or not len(start):
        return None
    wanted = striven(start, move.around, move.aim)
    apart = np.where(wanted, move.off_goals(start), np.inf).min(axis=1)
    order = np.argsort(apart, kind="stable")
    for attempt in (order, order[::-1])[: len(order)]:
        end = _closed_in(attempt, move, wanted)
        if end is None:
            continue
        result = MovePlan.between(start, end)
        untiered = replace(move.aim, tiers=())
        if not check(result, move.mover, move.around, move.passage, move.ending, untiered):
            return result
    return None


def _closed_in(order: Ints, move: Moving, wanted: Bools) -> Poses | None:
    start = move.mover.poses
    end, placed = _copy(start), np.zeros(len(start), bool)
    stuck = rooted(start, move.around) if move.aim.rooted else np.zeros(len(start), bool)
    missing = sorted(move.ending.all_of)
    for row in order.tolist():
        placed[row] = True
        if stuck[row]:
            continue
        goals = wanted[row].copy()
        if missing:
            only = goals & (move.around.enemy_unit == _nearest_unit(start, row, missing, move.around))
            goals = only if only.any() else goals
        spot = _closing_spot(row, end, placed, move, goals)
        if spot is None and (goals != wanted[row]).any():
            spot = _closing_spot(row, end, placed, move, wanted[row])
        if spot is None and overlaps(end.take([row]), end.take(placed))[0].sum() > 1:
            return None  # it stays, and a mate has been placed where it stands
        if spot is not None:
            end.xy[row], end.z[row] = spot.xy[0], spot.z[0]
            if missing:
                touched = gaps(spot, move.around.enemies)[0] <= move.ending.engagement[0] + GRAIN
                missing = [unit for unit in missing if unit not in set(move.around.enemy_unit[touched].tolist())]
    for _ in range(3 * len(start) + 3):
        moved = np.nonzero((end.xy != start.xy).any(axis=1))[0]
        better = could_be_nearer(start, end, moved, move, first=True)
        if not better:
            return end
        for row, (_, place) in better.items():
            end.xy[row], end.z[row] = place.xy[0], place.z[0]
    return None


def _nearest_unit(start: Poses, row: int, units: list[int], around: Surroundings) -> int:
    apart = np.maximum(around.off_enemies(start)[row], 0.0)
    return min(units, key=lambda unit: float(apart[around.enemy_unit == unit].min(initial=np.inf)))


def _closing_spot(row: int, end: Poses, placed: Bools, move: Moving, goals: Bools) -> Poses | None:
    """The best legal place of one model: in contact, else in the tiers, else as near as it can come."""
    model = move.mover.poses.take([row])
    foes = strived_for(move.around, move.aim).take(goals)
    if not len(foes):
        return None
    others = end.take(placed | (np.arange(len(end)) == row))
    mine = int((placed[:row]).sum())
    limit = move.mover.limit[row] / INCH
    apart = move.off_goals(move.mover.poses)[row, goals]
    for spots in _closing_candidates(model, foes, apart, limit, move):
        for place in _legal_among(row, mine, spots, others, move):
            return place
    return None


def _closing_candidates(model: Poses, foes: Poses, apart: Floats, limit: float, move: Moving) -> Iterator[Poses]:
    if move.aim.objective is not None:
        for tier in move.aim.tiers or (move.ending.objective_range[0],):
            yield ring(model, foes, depths(tier, move.aim), limit, move.around)
        yield _places(model, foes.inches[int(apart.argmin())], limit)
        return
    reach = apart <= limit + GRAIN
    if reach.any():
        yield ring(model, foes.take(reach), np.array([0.0]), limit, move.around)
    reach = apart <= limit + 1
    if reach.any():
        yield ring(model, foes.take(reach), np.array([0.25, 0.5, 0.997]), limit, move.around)
    engaging = move.ending.engagement[0]
    reach = apart <= limit + engaging
    if reach.any() and engaging > 1:
        yield ring(model, foes.take(reach), np.array([1.5, engaging - 0.003]), limit, move.around)
    nearest = foes.inches[int(apart.argmin())]
    yield _places(model, nearest, limit)


def _legal_among(row: int, mine: int, spots: Poses, others: Poses, move: Moving) -> Iterator[Poses]:
    """Like :func:`legal_places`, among the models placed so far (``others``, this model at ``mine``) and in coherency."""
    mates = others.take(np.arange(len(others)) != mine)
    for some in nearest_first(row, spots, mates, move):
        keeps = _keeps_up(some, mates, move.ending, len(move.mover))
        if keeps.any():
            straight, bent = legal_ends(row, some.take(keeps), mates, move)
            yield from straight
            yield from on_bent_ways(row, bent, move)


# -- setting up --------------------------------------------------------------------------------------------------------


def set_up(near: Point, mover: Mover, around: Surroundings, ending: Ending, tries: int = 60) -> Poses | None:
    """A legal place for a unit that is set up, its first model as near to ``near`` (inches) as can be; None if none found.

    Rules: 11e 03.02, 18.04, 20.04; 10e T-4.2, T-9, T-10.5.
    """
    if ending.around is not None:
        return _packed(near, mover, around, ending)
    tried: list[Floats] = []
    for spot in _free_spots(near, mover, around, ending):
        place = spot.inches[0]
        if any(((place - other) ** 2).sum() < 1.0 for other in tried):
            continue
        end = _gathered(spot, mover, around, ending)
        if end is not None:
            return end
        tried.append(place)
        if len(tried) >= tries:
            break
    return None


def beside(near: Point, mover: Mover, standing: int, around: Surroundings, ending: Ending) -> Poses | None:
    """Places for the models after the first ``standing`` ones, which stay: each beside its unit, as near to a point as
    it can. None when one finds no place.
    """
    end, turns = mover.poses, np.arange(24) * np.pi / 12
    around_it = np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    for row in range(standing, len(mover)):
        mates = end.take(np.arange(row))
        rings = (mates.reach + mover.poses.reach[row])[:, None] + np.array([0.02, 0.4, 1.0])
        net = (mates.inches[:, None, None] + rings[..., None, None] * around_it).reshape(-1, 2)
        net = net[np.argsort(((net - np.array(near)) ** 2).sum(axis=-1), kind="stable")]
        spots = _alike(mover, row, np.rint(net * INCH).astype(np.int64))
        free = _settable(spots, row, mover, around, ending) & ~overlaps(spots, mates).any(axis=1)
        free &= _keeps_up(spots, mates, ending, row + 1)
        if not free.any():
            return None
        xy, z = end.xy.copy(), end.z.copy()
        xy[row], z[row] = spots.xy[int(free.argmax())], 0
        end = end.at(xy, z=z)
    rows = np.arange(standing, len(mover))
    return None if check_set_up(end, mover, around, ending, rows) else end.take(rows)


def check_set_up(
    end: Poses, mover: Mover, around: Surroundings, ending: Ending, rows: Ints | None = None
) -> list[Reason]:
    """Every reason against setting the unit up so (only these ``rows`` of it are); none when it is legal."""
    rows = np.arange(len(end)) if rows is None else rows
    return refusals(end, mover, around, ending, rows) + unit_refusals(end, around, ending)


def _free_spots(near: Point, mover: Mover, around: Surroundings, ending: Ending) -> Iterator[Poses]:
    """Places of a fine net the first model may be set up at, nearest to ``near`` first."""
    if ending.around is not None:
        low = ending.around.inches.min(axis=0) - ending.around.reach.max() - ending.around_in
        high = ending.around.inches.max(axis=0) + ending.around.reach.max() + ending.around_in
        step = 0.25
    else:
        low, high, step = np.zeros(2), np.array(around.board), 0.5
    if ending.zone:
        corners = np.array(ending.zone)
        low, high = np.maximum(low, corners.min(axis=0)), np.minimum(high, corners.max(axis=0))
    x, y = np.arange(low[0], high[0] + 1e-9, step), np.arange(low[1], high[1] + 1e-9, step)
    net = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    net = np.concatenate([[near], net[np.argsort(((net - np.array(near)) ** 2).sum(axis=-1), kind="stable")]])
    for chunk in range(0, len(net), 32):
        spots = _alike(mover, 0, np.rint(net[chunk : chunk + 32] * INCH).astype(np.int64))
        for spot in np.nonzero(_settable(spots, 0, mover, around, ending))[0].tolist():
            yield spots.take([spot])


def _alike(mover: Mover, row: int, xy: Ints) -> Poses:
    """One model of the unit at many places on the ground."""
    rows = np.full(len(xy), row)
    return mover.poses.take(rows).at(xy, z=np.zeros(len(xy), np.int64))


PACKED_STEP = 0.3


def _packed(near: Point, mover: Mover, around: Surroundings, ending: Ending) -> Poses | None:
    """A unit set up close around something, on a fine net: the largest bases first, each as near to the first as it can."""
    assert ending.around is not None
    start = mover.poses
    wide = ending.around.reach.max() + ending.around_in
    low, high = ending.around.inches.min(axis=0) - wide, ending.around.inches.max(axis=0) + wide
    x, y = (np.arange(a, b, PACKED_STEP) for a, b in zip(low, high, strict=True))
    net = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    xy = np.rint(net[np.argsort(((net - np.array(near)) ** 2).sum(axis=-1), kind="stable")] * INCH).astype(np.int64)
    end = start.at(start.xy.copy(), start.facing.copy(), np.zeros(len(start), np.int64))
    free: dict[tuple[float, ...], Poses] = {}
    placed: list[int] = []
    for row in np.argsort(-start.reach, kind="stable").tolist():
        kind = (float(start.kind[row]), *start.half[row].tolist(), float(mover.through_walls[row]))
        if kind not in free:
            spots = _alike(mover, row, xy)
            free[kind] = spots.take(np.nonzero(_settable(spots, row, mover, around, ending))[0])
        spots = free[kind]
        ok = np.ones(len(spots), bool)
        if placed:
            mates = end.take(placed)
            ok = ~overlaps(spots, mates).any(axis=1) & _keeps_up(spots, mates, ending, len(start))
        if not ok.any():
            return None
        chosen = np.nonzero(ok)[0]
        away = ((spots.inches[chosen] - end.inches[placed[0]]) ** 2).sum(axis=-1) if placed else np.arange(len(chosen))
        end.xy[row] = spots.xy[chosen[int(np.argmin(away))]]
        placed.append(row)
    return None if unit_refusals(end, around, ending) else end


def _settable(spots: Poses, row: int, mover: Mover, around: Surroundings, ending: Ending) -> Bools:
    """Which places one model may be set up at, its mates aside."""
    low, high = spots.inches.min(axis=0) - spots.reach.max(), spots.inches.max(axis=0) + spots.reach.max()
    near = around.near(low, high, max(ending.from_enemies, ending.engagement[0]) + 0.1, 0.1)
    return allowed(spots, np.full(len(spots), row), mover, near, ending)


def _gathered(first: Poses, mover: Mover, around: Surroundings, ending: Ending) -> Poses | None:
    """The whole unit around its first model, each as near to it as bases allow, in coherency."""
    start = mover.poses
    n = len(start)
    end = start.at(start.xy.copy(), start.facing.copy(), np.zeros(n, np.int64))
    end.xy[0] = first.xy[0]
    if n > 1:
        gap = 2 * float(start.reach.max()) + 0.1
        a, b = np.meshgrid(np.arange(-8, 9), np.arange(-8, 9))
        net = np.stack([(a + b / 2) * gap, b * gap * np.sqrt(3) / 2], axis=-1).reshape(-1, 2)
        net = net[np.argsort((net**2).sum(axis=-1), kind="stable")][1 : 8 * n + 12]
        xy = first.xy[0] + np.rint(net * INCH).astype(np.int64)
        free: dict[tuple[float, ...], Bools] = {}
        for row in range(1, n):
            kind = (float(start.kind[row]), *start.half[row].tolist(), float(mover.through_walls[row]))
            spots = _alike(mover, row, xy)
            if kind not in free:
                free[kind] = _settable(spots, row, mover, around, ending)
            mates = end.take(np.arange(row))
            open_to = np.nonzero(free[kind])[0]
            spots = spots.take(open_to)
            ok = ~overlaps(spots, mates).any(axis=1) & _keeps_up(spots, mates, ending, n)
            if not ok.any():
                return None
            end.xy[row] = spots.xy[int(ok.argmax())]
    return end if coherent(end, ending.coherency) and not unit_refusals(end, around, ending) else None


# -- where one model could go --------------------------------------------------------------------------------------------


def reach(
    row: int,
    mover: Mover,
    around: Surroundings,
    passage: Passage,
    ending: Ending,
    step: float = 0.5,
    level: float = 0.0,
) -> tuple[Floats, Floats]:
    """The field a person may move one model to: places (k, 2) on a net ``step`` inches fine, and the way's length to each.

    Every place is one the model may end at, ``level`` inches up (a floor, a roof); what its mates must do for the unit to
    stay together is not asked.
    """
    model = mover.poses.take([row])
    limit = mover.limit[row] / INCH
    steps = np.arange(-np.ceil(limit / step), np.ceil(limit / step) + 1) * step
    net = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    net = net[(net**2).sum(axis=-1) <= limit**2 + GRAIN]
    xy = model.xy[0] + np.rint(net * INCH).astype(np.int64)
    spots = model.take(np.zeros(len(xy), np.int64)).at(xy, z=np.full(len(xy), round(level * INCH)))
    spots = spots.take(allowed(spots, np.full(len(xy), row), mover, around, ending))
    lengths = Ways(mover, row, around, passage).lengths(spots.inches, spots.z / INCH)
    good = np.isfinite(lengths)
    return spots.inches[good], lengths[good]
