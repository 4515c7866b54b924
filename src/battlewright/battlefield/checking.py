"""Checking a person's plan of a move: every rule it breaks, with the numbers.

The question "could this model have ended nearer?" (11e 11.04, 12.03; 10e T-7.2, T-8.2) is answered by looking at places all
around the models it strives for; a place found is a place it can legally end at, with everyone else as planned.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from battlewright.battlefield.ending import (
    NO_AIM,
    Aim,
    Ending,
    Moving,
    allowed,
    closer,
    lost_engagements,
    off_enemies,
    on_board,
    reached,
    refusals,
    rooted,
    strived_for,
    striven,
    unit_refusals,
)
from battlewright.battlefield.measure import GRAIN, overlaps, pair_clearances, points_to_legs
from battlewright.battlefield.movement import (
    ROUNDING,
    ModelMove,
    MovePlan,
    Mover,
    Passage,
    Surroundings,
    Ways,
    told,
    turning_free,
)
from battlewright.battlefield.shapes import INCH, Bools, Floats, Ints, Poses
from battlewright.errors import Reason

FAR = 13.0
"""Inches: models farther from anywhere the unit can get to touch no condition of a move."""
TOO_DEEP = 0.01
"""Inches: circles within bases that overlap so far are no grain of the positions."""
INEXACT = 0.0007
"""Inches: how wrong a distance is between places that are whole 1/1000 inch."""
ANGLES = np.arange(24) * (2 * np.pi / 24)


def check(
    plan: MovePlan, mover: Mover, around: Surroundings, passage: Passage, ending: Ending, aim: Aim = NO_AIM
) -> list[Reason]:
    """Every reason against the plan, none when it is legal: ways, ends, the unit as a whole, what models must strive for.

    >>> from battlewright.battlefield.moves import ELEVENTH_MOVES
    >>> from battlewright.datasheet import Base
    >>> trooper = Mover.of(Poses.of([Base("round", 32)], [(20, 22)]), 6)
    >>> enemy = Surroundings.of((60, 44), Poses.of([Base("round", 32)], [(40, 22)]))
    >>> normal = ELEVENTH_MOVES.normal()
    >>> plan = MovePlan((ModelMove(27200, 22000),))
    >>> [str(reason) for reason in check(plan, trooper, enemy, normal.passage, normal.ending)]
    ['model 1 moved 7.2", maximum 6" (11e 09.05)']
    """
    if len(plan.models) != len(mover):
        return [Reason(ending.move_rule, f"the plan is for {len(plan.models)} models, the unit has {len(mover)}")]
    start, end = mover.poses, plan.end(mover.poses)
    moved = np.array(plan.moved, np.int64)
    around = around.near(*bounds(mover, end), FAR, 1.0)
    on_table, _ = on_board(end, around, ending)
    simple = _straight(plan, end, mover, around, passage)
    asked = [row for row in plan.moved if on_table[row] and not simple[row]]
    found = [reason for row in asked for reason in check_way(plan, row, mover, around, passage)]
    found += refusals(end, mover, around, ending, moved)
    found += unit_refusals(end, around, ending)
    if ending.unengaged or ending.only is not None or ending.from_enemies:
        found += _unmoved(end, moved, mover, around, ending)
    return found + _strivings(start, end, moved, Moving(mover, around, passage, ending, aim))


def _straight(plan: MovePlan, end: Poses, mover: Mover, around: Surroundings, passage: Passage) -> Bools:
    """Which models simply go straight there without turning: most of them, and quick to see."""
    start = mover.poses
    plain = (end.facing == start.facing % 360) & np.array(
        [model is None or not model.way for model in plan.models], bool
    )
    if not plain.any():
        return np.asarray(plain)
    within = around.straight(mover, end, passage) <= mover.limit / INCH + ROUNDING
    return np.asarray(plain & within)


def bounds(mover: Mover, end: Poses | None = None) -> tuple[Floats, Floats]:
    """The box (inches) no model of the unit can leave with its move."""
    poses = mover.poses
    room = (poses.reach + mover.limit / INCH)[:, None]
    low, high = (poses.inches - room).min(axis=0), (poses.inches + room).max(axis=0)
    if end is None:
        return low, high
    return np.minimum(low, end.inches.min(axis=0)), np.maximum(high, end.inches.max(axis=0))


def check_way(plan: MovePlan, row: int, mover: Mover, around: Surroundings, passage: Passage) -> list[Reason]:
    """What is wrong with one model's way: too long, barred, or no room to turn."""
    model = plan.models[row]
    assert model is not None
    turns = model.facing % 360 != mover.poses.facing[row] % 360
    one = mover.poses.take([row])
    limit = mover.limit[row] / INCH - (mover.pivot[row] / INCH if turns else 0)
    best: float | None = None
    for facing in (model.facing % 360, None) if turns and not one.all_round else (None,):
        ways = around.ways(mover, row, passage) if facing is None else Ways(mover, row, around, passage, facing)
        if facing is not None and not _turns(ways, one, model.facing):
            continue
        length = _length(ways, model)
        if facing is None and turns and length is not None:
            there = one.at(np.array([[model.x, model.y]]))
            length = length if _turns(ways, there, model.facing) else None
        if length is not None:
            best = length if best is None else min(best, length)
    if best is not None and best <= limit + ROUNDING:
        return []
    return [_way_reason(best, limit, one, model, row, passage, turns, int(mover.pivot[row]))]


def _turns(ways: Ways, model: Poses, facing: int) -> bool:
    bars, off = ways.bars
    return turning_free(model, facing, bars, off)


def _length(ways: Ways, model: ModelMove) -> float | None:
    """Inches of the way given, or of the shortest; None when it is barred."""
    points = [*model.way, (model.x, model.y)]
    if not model.way:
        found = ways.way(model.x, model.y, model.z)
        if found is not None:
            return found[0]
    total = float(ways.along(points, model.z).sum())
    return total if np.isfinite(total) else None


def _way_reason(
    best: float | None, limit: float, one: Poses, model: ModelMove, row: int, passage: Passage, turns: bool, pivot: int
) -> Reason:
    straight = float(np.hypot(model.x - one.xy[0, 0], model.y - one.xy[0, 1])) / INCH
    cost = " after its pivot" if turns and pivot else ""
    if best is not None:
        return Reason(passage.rule, f'model {row + 1} moved {best:.4g}", maximum {limit:.4g}"{cost}')
    if straight > limit + ROUNDING:
        return Reason(passage.rule, f'model {row + 1} moved at least {straight:.4g}", maximum {limit:.4g}"{cost}')
    return Reason(passage.rule, f'model {row + 1} has no way there within {limit:.4g}" around what bars it')


def _unmoved(end: Poses, moved: Ints, mover: Mover, around: Surroundings, ending: Ending) -> list[Reason]:
    """Models that stay are bound by what the whole unit must keep off."""
    stays = np.ones(len(end), bool)
    stays[moved] = False
    found: list[Reason] = []
    for met, reason in off_enemies(end.take(stays), around, ending):
        found.extend(reason(int(row)) for row in np.nonzero(~met)[0])
    return found


def _strivings(start: Poses, end: Poses, moved: Ints, move: Moving) -> list[Reason]:
    found = []
    if move.aim.rooted:
        stuck = rooted(start, move.around)
        found += [
            Reason(move.aim.rule, f"model {row + 1} is in base contact and does not move")
            for row in moved
            if stuck[row]
        ]
    if move.aim.closer:
        nearer = closer(move.off_goals(start), move.off_goals(end), move.around, move.aim)
        what = {"target": "a target", "closest": "its closest target", "model": "the nearest enemy model"}
        found += [
            Reason(
                move.aim.rule, f"model {row + 1} does not end closer to {what.get(move.aim.closer, 'the objective')}"
            )
            for row in moved
            if not nearer[row]
        ]
    if move.aim.keep:
        found += [
            Reason(move.aim.rule, f"model {row + 1} is no longer engaged with unit {unit}")
            for row, unit in lost_engagements(start, end, move.around, move.ending)
        ]
    if found:
        return found
    better = could_be_nearer(start, end, moved, move)
    for row, (tier, place) in better.items():
        x, y = place.inches[0]
        how = f'within {tier:g}"' if tier else "in base contact"
        found.append(
            Reason(move.aim.rule, f"model {row + 1} could end {how}, for instance at ({x:.2f}, {y:.2f}), so it must")
        )
    return found


def could_be_nearer(
    start: Poses, end: Poses, moved: Ints, move: Moving, *, first: bool = False
) -> dict[int, tuple[float, Poses]]:
    """Models that miss a tier they could have reached: the tier, and a pose that reaches it."""
    result: dict[int, tuple[float, Poses]] = {}
    if not move.aim.tiers or not len(strived_for(move.around, move.aim)):
        return result
    wanted = striven(start, move.around, move.aim)
    bound = np.arange(len(start)) if move.aim.everyone else moved
    if move.aim.rooted:
        bound = bound[~rooted(start, move.around)[bound]]
    for tier in move.aim.tiers:
        there = reached(end, move, wanted, tier)
        for row in bound[~there[bound]].tolist():
            if row in result:
                continue
            place = nearer_place(row, end, move, wanted[row], tier)
            if place is not None:
                result[row] = tier, place
                if first:
                    return result
    return result


def nearer_place(row: int, end: Poses, move: Moving, wanted: Bools, tier: float) -> Poses | None:
    """A legal end for one model within ``tier`` of an enemy it strives for, the others as they stand; None if none."""
    model = move.mover.poses.take([row])
    foes = strived_for(move.around, move.aim).take(wanted)
    if not len(foes):
        return None
    limit = move.mover.limit[row] / INCH
    close = move.off_goals(move.mover.poses)[row, wanted] <= limit + tier + GRAIN
    if not close.any():
        return None
    spots = ring(model, foes.take(close), depths(tier, move.aim), limit, move.around)
    mates = end.take(np.arange(len(end)) != row)
    for place in legal_places(row, spots, mates, move):
        others = end.at(end.xy.copy(), end.facing.copy(), end.z.copy())
        others.xy[row], others.facing[row], others.z[row] = place.xy[0], place.facing[0], place.z[0]
        if unit_refusals(others, move.around, move.ending):
            continue
        if move.aim.keep and lost_engagements(move.mover.poses, others, move.around, move.ending):
            continue
        return place
    return None


def legal_places(row: int, spots: Poses, mates: Poses, move: Moving) -> Iterator[Poses]:
    """Those of ``spots`` this model may end at, its ``mates`` standing where they do; straight ways first, nearest first."""
    late: list[Poses] = []
    for some in nearest_first(row, spots, mates, move):
        straight, bent = legal_ends(row, some, mates, move)
        yield from straight
        late.append(bent)
    for some in late:
        yield from on_bent_ways(row, some, move)


def legal_ends(row: int, spots: Poses, mates: Poses, move: Moving) -> tuple[Iterator[Poses], Poses]:
    """Where this model may stand: the places with a straight way, nearest first; and those that need another."""
    ok = allowed(spots, np.full(len(spots), row), move.mover, move.around, move.ending)
    if len(mates) and ok.any():
        ok[ok] = ~overlaps(spots.take(ok), mates).any(axis=1)
    if move.aim.closer and ok.any():
        ok[ok] = closer(move.off_goals(move.mover.poses)[[row]], move.off_goals(spots.take(ok)), move.around, move.aim)
    some = spots.take(ok)
    if not len(some):
        return iter(()), some
    lengths = move.ways(row).lengths(some.inches, some.z / INCH, bent=False)
    straight = np.isfinite(lengths)
    order = np.argsort(lengths, kind="stable")[: int(straight.sum())]
    return (some.take([spot]) for spot in order.tolist()), some.take(~straight)


def on_bent_ways(row: int, spots: Poses, move: Moving) -> Iterator[Poses]:
    """Those of the places a way around what bars it leads to."""
    if len(spots):
        lengths = move.ways(row).lengths(spots.inches, spots.z / INCH)
        for spot in np.nonzero(np.isfinite(lengths))[0].tolist():
            yield spots.take([spot])


def nearest_first(row: int, spots: Poses, mates: Poses, move: Moving, chunk: int = 40) -> Iterator[Poses]:
    """The spots within the model's distance, those nearest to it first, some at a time; what is plainly barred left out."""
    flat = np.sqrt(((spots.inches - move.mover.poses.inches[row]) ** 2).sum(axis=-1))
    order = np.argsort(flat, kind="stable")
    order = order[: int((flat <= move.mover.limit[row] / INCH + ROUNDING).sum())]
    hopeful = _hopeful(row, spots.take(order), mates, move)
    for first in range(0, len(order), chunk):
        some = order[first : first + chunk][hopeful[first : first + chunk]]
        if len(some):
            yield spots.take(some)


def _hopeful(row: int, spots: Poses, mates: Poses, move: Moving) -> Bools:
    """Which spots are not ruled out by the circles in and around the bases: by who stands there, by what is striven for."""
    flat = spots.on_ground and mates.on_ground and move.around.poses.on_ground
    apart = _between(spots, move.around.poses)
    result = np.ones(len(spots), bool)
    if flat:
        for others, off in ((move.around.poses, apart), (mates, _between(spots, mates))):
            result &= (off >= spots.inner[:, None] + others.inner - TOO_DEEP).all(axis=1)
    if move.aim.closer and move.aim.objective is None:
        foes = move.around.enemies
        least = apart[:, move.around.enemy] - spots.reach[:, None] - foes.reach
        result &= closer(move.off_goals(move.mover.poses)[[row]], least, move.around, move.aim)
    return result


def _between(a: Poses, b: Poses) -> Floats:
    """Inches between the middles of the bases."""
    one, two = a.inches, b.inches
    x, y = one[:, :1] - two[:, 0], one[:, 1:] - two[:, 1]
    return np.asarray(np.sqrt(x * x + y * y))


def depths(tier: float, aim: Aim) -> Floats:
    """How far off the ring of places to try: in contact (an area: a little inside), and at steps up to the tier."""
    if not tier:
        return np.array([0.0 if aim.objective is None else -0.05])
    return np.append(np.arange(0, tier - 0.3, 0.5), tier - 0.003)


def ring(model: Poses, foes: Poses, depths: Floats, limit: float, around: Surroundings) -> Poses:
    """Poses of one model all around each of ``foes``, each depth inches off, on the model's own level or theirs.

    Beside bases that are not round those farther than ``limit`` inches from where the model stands are left out.
    """
    key = "ring", *told(model), *told(foes), depths.tobytes(), limit
    return around.kept(key, lambda: _ring(model, foes, depths, limit))


def _ring(model: Poses, foes: Poses, depths: Floats, limit: float) -> Poses:
    towards = model.inches[0] - foes.inches
    first = np.arctan2(towards[:, 1], towards[:, 0])
    angles = first[:, None] + np.append(ANGLES, [0.06, -0.06])
    k = angles.shape[1] * len(depths)
    direction = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    which = np.repeat(np.arange(len(foes)), k)
    ray = np.repeat(direction.reshape(-1, 2), len(depths), axis=0)
    off = np.tile(depths, len(foes) * angles.shape[1]) + 0.001
    far = foes.half[which, 0] + model.half[0, 0] + off
    if not (model.all_round and foes.all_round):
        least = np.maximum(foes.inner, 0.0)[which] + max(model.inner[0], 0.0) + off
        most = foes.reach[which] + model.reach[0] + off
        ends = (foes.inches[which] + ray * far[:, None] for far in (least, most))
        near = points_to_legs(model.inches, *ends)[:, 0] <= limit + 0.1
        which, ray = which[near], ray[near]
        far = _slide_in(model, foes, which, ray, off[near])
    xy = np.rint((foes.inches[which] + ray * far[:, None]) * INCH).astype(np.int64)
    return model.take(np.zeros(len(xy), np.int64)).at(xy)


def _slide_in(model: Poses, foes: Poses, which: Ints, ray: Floats, off: Floats) -> Floats:
    """How far along each ray from the centre of its foe the model stands ``off`` away from it, to the grain of positions.

    Along a ray the clearance grows ever quicker, at most an inch an inch: from far out, the slope between two places leads
    to a third that is nearer and not too near.
    """
    many, left = model.take(np.zeros(len(which), np.int64)), np.arange(len(which))
    centre, far = foes.inches[which], foes.reach[which] + model.reach[0] + off
    slope, before, too_far = np.ones(len(which)), far + 1.0, np.zeros(len(which))
    for look in range(10):
        there = np.rint((centre[left] + ray[left] * far[left, None]) * INCH).astype(np.int64)
        over = pair_clearances(many.take(left).at(there), np.arange(len(left)), foes, which[left]) - off[left]
        if look:
            step = before[left] - far[left]
            apart = np.abs(step) > 0.02
            slope[left[apart]] = np.clip((too_far[left] - over)[apart] / step[apart], 0.05, 1.0)
        before[left], too_far[left] = far[left], over
        more = np.abs(over) > INEXACT
        left = left[more]
        if not len(left):
            break
        far[left] -= over[more] / slope[left]
    return np.asarray(far)
