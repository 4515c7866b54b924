"""Where a unit may end a move or be set up, and why not.

Each condition of a place is written once, as the places that meet it and the :class:`Reason` for one that does not; plans
are made from the first, refusals from the second. Rules: 11e 03.01-03.04, 11.04, 12.03, 12.08, 13.06, 20.04; 10e T-4, T-7.2,
T-8.2, T-9, T-11.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from battlewright.battlefield.measure import (
    GRAIN,
    TOUCH,
    boxes,
    clearances,
    coherent,
    drops,
    edge_points,
    gaps,
    overlaps,
    strays,
    wholly_within,
)
from battlewright.battlefield.movement import STEP_OVER, Mover, Passage, Surroundings, Ways
from battlewright.battlefield.numbers import Coherency
from battlewright.battlefield.objectives import in_range
from battlewright.battlefield.shapes import INCH, Bools, Floats, Ints, Poses
from battlewright.battlefield.terrain import Point, Polygons, over_barricade, surfaces
from battlewright.errors import Reason

Units: TypeAlias = frozenset[int]
Condition: TypeAlias = tuple[Bools, Callable[[int], Reason]]


@dataclass(frozen=True, slots=True, eq=False)
class Ending:
    """Where models may stand when the move is over. Distances in inches; rule ids are cited by refusals.

    ``unengaged``: with no enemy; ``only``: engaged with no other unit than these; ``all_of``: with every one of these;
    ``some``: with at least one. ``from_enemies``: more than so far (horizontally) from every enemy; ``off``: from these.
    ``zone``: wholly within; ``outside``: no model within, or more than ``outside_by`` off; ``edge``: wholly within so far of
    the battlefield's edges (``one_edge``: of a single one). ``over_barricades``: so far apart over a barricade counts as
    engaged (10e T-11.4). ``clear_of``: no base on these (10e T-12.1). ``around``: wholly within ``around_in`` of these.
    ``near_objective``: the unit is in range of this marker.
    """

    rule: str
    coherency: Coherency
    engagement: tuple[float, float]
    engagement_rule: str
    move_rule: str
    terrain_rule: str
    unengaged: bool = False
    only: Units | None = None
    all_of: Units = frozenset()
    some: bool = False
    from_enemies: float = 0.0
    zone: tuple[Point, ...] = ()
    outside: tuple[Point, ...] = ()
    outside_by: float = 0.0
    edge: float | None = None
    one_edge: bool = False
    around: Poses | None = None
    around_in: float = 3.0
    over_barricades: float = 0.0
    clear_of: Poses | None = None
    off: tuple[tuple[Poses, float], ...] = ()
    near_objective: Poses | None = None
    objective_range: tuple[float, float] = (3, 5)


@dataclass(frozen=True, slots=True, eq=False)
class Aim:
    """What each model must strive for on its way: the "while moving" conditions of charges, pile-ins, consolidations.

    ``targets``: the enemy units that count, every one when empty.
    ``closer``: a model that moves ends closer to any target, to its closest target unit, to its nearest enemy model or to
    the objective. ``tiers``: every bound model that can end within so many inches of a target must (0: base contact);
    ``everyone``: unmoved models are bound too. ``rooted``: models in base contact with an enemy do not move. ``keep``: no
    model loses an engagement it had with a unit.
    """

    rule: str = ""
    closer: Literal["", "target", "closest", "model", "objective"] = ""
    targets: Units = frozenset()
    tiers: tuple[float, ...] = ()
    everyone: bool = False
    rooted: bool = False
    keep: bool = False
    objective: Poses | None = None


NO_AIM = Aim()


@dataclass(frozen=True, slots=True, eq=False)
class Moving:
    """A unit about to move: who, among what, and what binds its way, its end and each model on it."""

    mover: Mover
    around: Surroundings
    passage: Passage
    ending: Ending
    aim: Aim = NO_AIM

    def ways(self, row: int) -> Ways:
        """The ways of one of its models."""
        return self.around.ways(self.mover, row, self.passage)

    def off_goals(self, poses: Poses) -> Floats:
        """Clearance of each of these poses from each of :func:`strived_for`, infinite from what is no target."""
        if self.aim.objective is None:
            return self.around.off_enemies(poses, self.aim.targets)
        return clearances(poses, self.aim.objective)


def conditions(poses: Poses, who: Ints, mover: Mover, around: Surroundings, ending: Ending) -> Iterator[Condition]:
    """Each condition on single models: which of ``poses`` meet it, and the reason for one that does not.

    ``who`` says which model of the mover each pose is (for its keywords).
    """
    for group in CONDITIONS:
        yield from group(poses, who, mover, around, ending)


def allowed(poses: Poses, who: Ints, mover: Mover, around: Surroundings, ending: Ending) -> Bools:
    """Which of these poses meet every condition on single models; the cheap ones are asked first, of those that are left."""
    left = np.arange(len(poses))
    for group in CONDITIONS:
        some = poses if len(left) == len(poses) else poses.take(left)
        met = np.ones(len(left), bool)
        for holds, _ in group(some, who[left], mover, around, ending):
            met &= holds
        left = left[met]
        if not len(left):
            break
    result = np.zeros(len(poses), bool)
    result[left] = True
    return result


def refusals(poses: Poses, mover: Mover, around: Surroundings, ending: Ending, rows: Ints) -> list[Reason]:
    """Every broken condition of these models, the models of the unit among themselves included."""
    found: list[Reason] = []
    some = poses.take(rows)
    for met, reason in conditions(some, rows, mover, around, ending):
        found.extend(reason(int(row)) for row in np.nonzero(~met)[0])
    inside = overlaps(some, poses)
    inside[np.arange(len(rows)), rows] = False
    for one, other in zip(*np.nonzero(inside), strict=True):
        if rows[one] < other or other not in rows:
            found.append(Reason(ending.move_rule, f"model {rows[one] + 1} ends on model {other + 1} of its own unit"))
    return found


def unit_refusals(end: Poses, around: Surroundings, ending: Ending) -> list[Reason]:
    """What the unit as a whole breaks: coherency, whom it must and must not be engaged with, its objective."""
    found = []
    if not coherent(end, ending.coherency):
        out = ", ".join(str(row + 1) for row in np.nonzero(strays(end, ending.coherency))[0])
        found.append(Reason(ending.coherency.rule, f"out of coherency: model {out}"))
    touched = engaged_units(end, around, ending)
    missing = sorted(ending.all_of - touched)
    if missing:
        found.append(Reason(ending.rule, f"not engaged with every target (unit {', '.join(map(str, missing))})"))
    if ending.some and not touched:
        found.append(Reason(ending.rule, "not engaged with any enemy unit"))
    extra = sorted(touched - ending.only) if ending.only is not None else []
    if extra:
        found.append(Reason(ending.rule, f"engaged with a unit that is no target (unit {', '.join(map(str, extra))})"))
    if ending.near_objective is not None and not in_range(end, ending.near_objective, *ending.objective_range).any():
        found.append(Reason(ending.rule, f'not within {ending.objective_range[0]:g}" of the objective'))
    return found


def engaged_units(end: Poses, around: Surroundings, ending: Ending) -> set[int]:
    """The enemy units that models standing so would be engaged with."""
    near = _near_enemies(end, around, ending)
    return {int(unit) for unit in around.enemy_unit[near.any(axis=0)]}


def _near_enemies(poses: Poses, around: Surroundings, ending: Ending) -> Bools:
    if not len(around.enemies):
        return np.zeros((len(poses), 0), bool)
    across, up = ending.engagement
    near = around.off_enemies(poses, near=across + GRAIN) <= across + GRAIN
    near &= drops(poses, around.enemies) <= up + GRAIN
    if ending.over_barricades:
        near |= over_barricade(poses, around.enemies, around.terrain, ending.over_barricades)
    return np.asarray(near)


def on_board(poses: Poses, around: Surroundings, ending: Ending) -> Condition:
    """No base crosses the battlefield edge."""
    inches = poses.inches
    low, high = boxes(poses)
    met = np.asarray(((low >= -TOUCH) & (high <= np.array(around.board) + TOUCH)).all(axis=1))

    def reason(row: int) -> Reason:
        x, y = inches[row]
        return Reason(ending.move_rule, f"a base at ({x:.2f}, {y:.2f}) crosses the battlefield edge")

    return met, reason


def _clear_of_models(poses: Poses, around: Surroundings, ending: Ending) -> Condition:
    on = overlaps(poses, around.poses)

    def reason(row: int) -> Reason:
        x, y = poses.inches[row]
        whose = "an enemy" if around.enemy[on[row]].any() else "a friendly"
        return Reason(ending.move_rule, f"({x:.2f}, {y:.2f}) is on {whose} model")

    return np.asarray(~on.any(axis=1)), reason


def _on_terrain(poses: Poses, who: Ints, mover: Mover, around: Surroundings, ending: Ending) -> Iterator[Condition]:
    terrain = around.terrain
    if not terrain.features:
        if not poses.on_ground:
            yield poses.z == 0, lambda row: Reason(ending.terrain_rule, f'no surface {poses.z[row] / INCH:g}" up')
        return
    clear = terrain.outlines.clearances(poses, 0.0)
    touches = clear < -TOUCH
    low = (poses.z / INCH)[:, None] < terrain.heights - 0.05
    yield _no_end_here(poses, touches & terrain.flags("bars_end"), "no model may end on this feature", ending)
    passes = mover.through_walls[who][:, None] & terrain.flags("passable")
    high = terrain.flags("walls") & (terrain.heights > STEP_OVER)
    yield _no_end_here(poses, touches & low & high & ~passes, "ends inside terrain it cannot enter", ending)
    if (touches & low & terrain.solid).any():
        wholly = terrain.outlines.wholly(poses)
        yield _no_end_here(poses, touches & low & terrain.solid & ~wholly, "ends partway through a wall", ending)
    if not poses.on_ground:
        yield _standing(poses, who, mover, around, ending)


def _no_end_here(poses: Poses, bad: Bools, what: str, ending: Ending) -> Condition:
    def reason(row: int) -> Reason:
        x, y = poses.inches[row]
        return Reason(ending.terrain_rule, f"({x:.2f}, {y:.2f}): {what}")

    return np.asarray(~bad.any(axis=1)), reason


def _standing(poses: Poses, who: Ints, mover: Mover, around: Surroundings, ending: Ending) -> Condition:
    """Above the ground only on a surface, wholly, by those who may (11e 13.06; 10e T-11.2, T-11.3)."""
    terrain = around.terrain
    level = poses.z / INCH
    wholly = terrain.outlines.wholly(poses)
    floor = np.zeros(wholly.shape, bool)
    for column, feature in enumerate(terrain.features):
        for height in surfaces(feature):
            floor[:, column] |= np.abs(level - height) < 0.01
    freely = np.array([feature.kind == "hills" for feature in terrain.features])
    met = np.asarray((level == 0) | (wholly & floor & (freely | mover.upstairs[who][:, None])).any(axis=1))

    def reason(row: int) -> Reason:
        if not mover.upstairs[who[row]]:
            return Reason(ending.terrain_rule, "this model may only end on the ground")
        return Reason(ending.terrain_rule, f'its base is not wholly on a surface {level[row]:g}" up')

    return met, reason


def off_enemies(poses: Poses, around: Surroundings, ending: Ending) -> Iterator[Condition]:
    """What a model must keep off: engagement, units that are no targets, a distance from every enemy."""
    if not len(around.enemies):
        return
    horizontal, vertical = ending.engagement
    flat = gaps(poses, around.enemies, max(horizontal, ending.from_enemies) + GRAIN)
    near = (flat <= horizontal + GRAIN) & (drops(poses, around.enemies) <= vertical + GRAIN)
    if ending.unengaged:
        yield (
            np.asarray(~near.any(axis=1)),
            lambda row: Reason(
                ending.engagement_rule,
                f'{flat[row][near[row]].min():.2f}" from an enemy model, engagement range {horizontal:g}"',
            ),
        )
    if ending.only is not None:
        other = near & ~(around.of_units(ending.only) if ending.only else np.False_)
        yield (
            np.asarray(~other.any(axis=1)),
            lambda row: Reason(ending.rule, f'{flat[row][other[row]].min():.2f}" from a unit that is no target'),
        )
    if ending.from_enemies:
        nearest = flat.min(axis=1)
        yield (
            np.asarray(nearest > ending.from_enemies + GRAIN),
            lambda row: Reason(
                ending.rule, f'{nearest[row]:.2f}" from the enemy, more than {ending.from_enemies:g}" needed'
            ),
        )


def _in_place(poses: Poses, around: Surroundings, ending: Ending) -> Iterator[Condition]:
    def told(what: str) -> Callable[[int], Reason]:
        return lambda row: Reason(ending.rule, f"({poses.inches[row, 0]:.2f}, {poses.inches[row, 1]:.2f}) {what}")

    if ending.zone:
        yield np.asarray(Polygons.of([ending.zone]).wholly(poses)[:, 0]), told("is not wholly within the zone")
    if ending.outside:
        apart = Polygons.of([ending.outside]).clearances(poses, ending.outside_by + GRAIN)[:, 0]
        if ending.outside_by:
            yield (
                apart > ending.outside_by + GRAIN,
                told(f'is not more than {ending.outside_by:g}" from the enemy zone'),
            )
        else:
            yield np.asarray(apart >= -GRAIN), told("is within the zone it must keep out of")
    if ending.clear_of is not None:
        yield np.asarray(~overlaps(poses, ending.clear_of).any(axis=1)), told("is on an objective marker")
    for models, inches in ending.off:
        far = (gaps(poses, models, inches + GRAIN) > inches + GRAIN).all(axis=1)
        yield np.asarray(far), told(f'is within {inches:g}" of models that bar it')
    if ending.edge is not None:
        yield (
            np.asarray(edge_distance(poses, around.board, ending.one_edge) <= ending.edge + GRAIN),
            told(f'is not wholly within {ending.edge:g}" of a battlefield edge'),
        )
    if ending.around is not None:
        yield (
            np.asarray(wholly_within(poses, ending.around, ending.around_in).any(axis=1)),
            told(f'is not wholly within {ending.around_in:g}"'),
        )


def edge_distance(poses: Poses, board: tuple[float, float], one_edge: bool = True) -> Floats:
    """How deep a base reaches into the battlefield, inches: its farthest part from the nearest edge.

    ``one_edge`` False: each part from whichever edge is nearest to it (11e 20.04).
    """
    points = edge_points(poses)
    width, depth = board
    from_each = np.stack([points[..., 0], width - points[..., 0], points[..., 1], depth - points[..., 1]], axis=-1)
    if one_edge:
        return np.asarray(from_each.max(axis=1).min(axis=-1))
    return np.asarray(from_each.min(axis=-1).max(axis=1))


Group: TypeAlias = Callable[[Poses, Ints, Mover, Surroundings, Ending], Iterator[Condition]]
CONDITIONS: tuple[Group, ...] = (
    lambda poses, _who, _mover, around, ending: iter((on_board(poses, around, ending),)),
    lambda poses, _who, _mover, around, ending: _in_place(poses, around, ending),
    lambda poses, _who, _mover, around, ending: iter((_clear_of_models(poses, around, ending),)),
    lambda poses, _who, _mover, around, ending: off_enemies(poses, around, ending),
    _on_terrain,
)
"""The conditions on single models, cheap ones first."""


# -- what each model strives for ---------------------------------------------------------------------------------------


def closer(before: Floats, after: Floats, around: Surroundings, aim: Aim) -> Bools:
    """Which models end closer to what ``aim`` names than they began, by their :func:`off_goals` before and after.

    ``before`` may be of one model, ``after`` of many places for it.
    """
    n = len(after)
    if not aim.closer:
        return np.ones(n, bool)
    before, after = np.maximum(before, 0.0), np.maximum(after, 0.0)
    if aim.closer == "objective":
        return np.asarray(((after < before - GRAIN) | (after <= max(aim.tiers, default=0) + TOUCH)).any(axis=1))
    if aim.closer == "model":
        counted = np.where(around.of_units(aim.targets), before, np.inf)
        return np.asarray(after[np.arange(n), counted.argmin(axis=1)] < counted.min(axis=1) - GRAIN)
    units = sorted(aim.targets)
    if not units:
        return np.zeros(n, bool)
    of_each = [around.enemy_unit == unit for unit in units]
    was = np.array([before[:, of_unit].min(axis=1, initial=np.inf) for of_unit in of_each])
    now = np.array([after[:, of_unit].min(axis=1, initial=np.inf) for of_unit in of_each])
    if aim.closer == "target":
        return np.asarray((now < was - GRAIN).any(axis=0))
    return np.asarray(now[was.argmin(axis=0), np.arange(n)] < was.min(axis=0) - GRAIN)


def strived_for(around: Surroundings, aim: Aim) -> Poses:
    """What the tiers of an aim are measured to: the enemy models, or the objective."""
    return around.enemies if aim.objective is None else aim.objective


def striven(start: Poses, around: Surroundings, aim: Aim) -> Bools:
    """Which of :func:`strived_for` each model of the unit strives to reach, (n, enemies)."""
    if aim.objective is not None:
        return np.ones((len(start), len(aim.objective)), bool)
    enemies, targets = around.enemy_unit, around.of_units(aim.targets)
    result = np.tile(targets, (len(start), 1))
    if aim.closer == "closest" and len(enemies) and targets.any():
        before = np.where(targets, np.maximum(around.off_enemies(start, aim.targets), 0.0), np.inf)
        result &= enemies == enemies[before.argmin(axis=1)][:, None]
    return result


def lost_engagements(start: Poses, end: Poses, around: Surroundings, ending: Ending) -> list[tuple[int, int]]:
    """(model, enemy unit) pairs that were engaged at the start and no longer are."""
    before, after = _near_enemies(start, around, ending), _near_enemies(end, around, ending)
    lost: list[tuple[int, int]] = []
    for unit in sorted({int(unit) for unit in around.enemy_unit}):
        theirs = around.enemy_unit == unit
        gone = before[:, theirs].any(axis=1) & ~after[:, theirs].any(axis=1)
        lost.extend((int(row), unit) for row in np.nonzero(gone)[0])
    return lost


def rooted(start: Poses, around: Surroundings) -> Bools:
    """Models in base contact with an enemy model."""
    if not len(around.enemies):
        return np.zeros(len(start), bool)
    touching = (around.off_enemies(start, near=TOUCH) <= TOUCH) & (drops(start, around.enemies) <= 5)
    return np.asarray(touching.any(axis=1))


def reached(end: Poses, move: Moving, wanted: Bools, tier: float) -> Bools:
    """Which models end within ``tier`` inches (0: in base contact) of something they strive for (``wanted``)."""
    near = move.off_goals(end) <= (tier + GRAIN if tier else TOUCH)
    level = drops(end, strived_for(move.around, move.aim)) <= move.ending.engagement[1] + GRAIN
    return np.asarray((near & wanted & level).any(axis=1))
