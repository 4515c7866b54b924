"""Moving: which way a base can go, how far that is, and what a person's plan of a move is checked for.

A move is straight lines of each model's base (11e 03.01; 10e T-4.1): its length is that of the lines and of every climb up
and down (11e 13.06; 10e T-4.6). What may be passed through is a :class:`Passage`; where the unit may end an
:class:`~battlewright.battlefield.ending.Ending`. Both are numbers and flags that editions and moves fill in.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np
from msgspec import Struct

from battlewright.battlefield.measure import TOUCH, boxes, clearances, points_to_legs, segments_apart, separation, swept
from battlewright.battlefield.shapes import HULL, INCH, TURN, Bools, Floats, Ints, Poses
from battlewright.battlefield.terrain import NO_TERRAIN, Polygons, Terrain

T = TypeVar("T")
STEP_OVER = 2.0
"""Inches: what is no higher is moved over freely (11e 13.06; 10e T-4.6)."""
ROUNDING = 0.002
"""Inches a way may be too long because its points are whole 1/1000 inch."""


class ModelMove(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Where one model ends: ``x``, ``y``, ``z`` and way-points in 1/1000 inch, ``facing`` in degrees.

    Without way-points the shortest legal way is taken.
    """

    x: int
    y: int
    facing: int = 0
    z: int = 0
    way: tuple[tuple[int, int], ...] = ()


class MovePlan(Struct, frozen=True, forbid_unknown_fields=True):
    """One move of a unit: a :class:`ModelMove` for each model in the unit's order, None for a model that does not move.

    >>> MovePlan((ModelMove(20000, 31500, 90), None)).moved
    (0,)
    """

    models: tuple[ModelMove | None, ...]

    @property
    def moved(self) -> tuple[int, ...]:
        """The models that move."""
        return tuple(row for row, model in enumerate(self.models) if model is not None)

    def end(self, start: Poses) -> Poses:
        """The poses after the move."""
        xy, facing, z = start.xy.copy(), start.facing.copy(), start.z.copy()
        for row in self.moved:
            model = self.models[row]
            assert model is not None
            xy[row], facing[row], z[row] = (model.x, model.y), model.facing % 360, model.z
        return start.at(xy, facing, z)

    @classmethod
    def between(cls, start: Poses, end: Poses) -> MovePlan:
        """The plan that brings ``start`` to ``end``, without way-points."""
        still = (start.xy == end.xy).all(axis=1) & (start.facing == end.facing) & (start.z == end.z)
        rows = zip(end.xy.tolist(), end.facing.tolist(), end.z.tolist(), still.tolist(), strict=True)
        return cls(tuple(None if stays else ModelMove(x, y, facing, z) for (x, y), facing, z, stays in rows))


@dataclass(frozen=True, eq=False)
class Mover:
    """The unit that moves: its models and, for each, how far it may go (1/1000 inch) and what it is.

    ``through_walls``: passes through dense features or ruins (INFANTRY and the like); ``upstairs``: may end above the
    ground; ``flies``: moves as FLY allows now; ``big``: MONSTER or VEHICLE; ``pivot``: what its first turn costs.
    """

    poses: Poses
    limit: Ints
    through_walls: Bools
    upstairs: Bools
    flies: Bools
    big: Bools
    pivot: Ints

    @classmethod
    def of(
        cls,
        poses: Poses,
        inches: float,
        *,
        through_walls: bool = False,
        upstairs: bool = False,
        flies: bool = False,
        big: bool = False,
        pivot: float = 0,
    ) -> Mover:
        """All models alike; distances in inches."""
        n = len(poses)
        return cls(
            poses,
            np.full(n, round(inches * INCH), np.int64),
            np.full(n, through_walls),
            np.full(n, upstairs),
            np.full(n, flies),
            np.full(n, big),
            np.full(n, round(pivot * INCH), np.int64),
        )

    def __len__(self) -> int:
        return len(self.poses)

    def at(self, poses: Poses) -> Mover:
        """The same models elsewhere."""
        return Mover(poses, self.limit, self.through_walls, self.upstairs, self.flies, self.big, self.pivot)

    def limited(self, part: float) -> Mover:
        """The same models with only a part of their distance."""
        if part == 1:
            return self
        limit = np.floor(self.limit * part).astype(np.int64)
        return Mover(self.poses, limit, self.through_walls, self.upstairs, self.flies, self.big, self.pivot)


@dataclass(frozen=True, eq=False)
class Surroundings:
    """Everything on the battlefield but the unit that moves: other models (whose, of which unit, how big) and terrain.

    ``aircraft``: models anyone moves through (11e 23.02; 10e T-9.8); none when left out.
    """

    board: tuple[float, float]
    poses: Poses
    enemy: Bools
    unit: Ints
    big: Bools
    terrain: Terrain = NO_TERRAIN
    aircraft: Bools | None = None

    @classmethod
    def of(
        cls,
        board: tuple[float, float],
        enemies: Poses,
        *,
        units: list[int] | None = None,
        terrain: Terrain = NO_TERRAIN,
    ) -> Surroundings:
        """Only enemies: what many tests and puzzles need."""
        n = len(enemies)
        unit = np.zeros(n, np.int64) if units is None else np.array(units, np.int64)
        return cls(board, enemies, np.ones(n, bool), unit, np.zeros(n, bool), terrain)

    def near(self, low: Floats, high: Floats, models: float, ground: float) -> Surroundings:
        """Only what may matter around a box (inches): models within ``models`` of it, terrain within ``ground``."""
        return self.kept(
            ("near", low.tobytes(), high.tobytes(), models, ground), lambda: self._near(low, high, models, ground)
        )

    def _near(self, low: Floats, high: Floats, models: float, ground: float) -> Surroundings:
        x, reach = self.poses.inches, self.poses.reach[:, None]
        close: Bools = np.asarray(((x + reach >= low - models) & (x - reach <= high + models)).all(axis=1))
        terrain = self.terrain.near(low - ground, high + ground)
        if close.all() and terrain is self.terrain:
            return self
        return Surroundings(
            self.board,
            self.poses.take(close),
            self.enemy[close],
            self.unit[close],
            self.big[close],
            terrain,
            None if self.aircraft is None else self.aircraft[close],
        )

    def ways(self, mover: Mover, row: int, passage: Passage) -> Ways:
        """The ways of one model here, kept as long as the same mover asks."""
        known = self._ways.get(row)
        if known is None or known.mover is not mover or known.passage is not passage:
            known = self._ways[row] = Ways(mover, row, self, passage)
        return known

    @cached_property
    def _ways(self) -> dict[int, Ways]:
        return {}

    def off_enemies(self, poses: Poses, units: frozenset[int] = frozenset(), near: float = np.inf) -> Floats:
        """Clearance of each of these poses from each enemy model, (n, enemies); the same poses are measured once.

        Of ``units`` only where some are named; infinite of the others. ``near`` as in :func:`clearances`.
        """
        return self.kept(("enemies", units, near, *told(poses)), lambda: self._off_enemies(poses, units, near))

    def _off_enemies(self, poses: Poses, units: frozenset[int], near: float) -> Floats:
        counted = self.of_units(units)
        if counted.all():
            return clearances(poses, self.enemies, near)
        result = np.full((len(poses), len(self.enemies)), np.inf)
        result[:, counted] = clearances(poses, self.enemies.take(counted), near)
        return result

    def of_units(self, units: frozenset[int]) -> Bools:
        """Which enemy models are of these units; every one where none is named."""
        return self.kept(("of", units), lambda: np.isin(self.enemy_unit, list(units)) | (not units))

    def straight(self, mover: Mover, end: Poses, passage: Passage) -> Floats:
        """:func:`straight_lengths` here; the same end of the same mover is measured once."""
        key = "straight", mover, passage, *told(end)
        return self.kept(key, lambda: straight_lengths(mover, end, self, passage))

    def kept(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """``make()``, measured once here."""
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = make()
        return known

    @cached_property
    def _known(self) -> dict[tuple[object, ...], Any]:
        return {}

    @cached_property
    def enemies(self) -> Poses:
        return self.poses.take(self.enemy)

    @cached_property
    def enemy_unit(self) -> Ints:
        return self.unit[self.enemy]


def told(poses: Poses) -> tuple[object, ...]:
    """What tells these poses from all others: bases and places."""
    places = (part.tobytes() for part in (poses.xy, poses.facing, poses.z, poses.footprint.rows))
    return poses.footprint.bases, *places


@dataclass(frozen=True, slots=True)
class Passage:
    """What a move may pass through. ``rule`` is cited when it is too long or the way is barred.

    ``keep_off``: inches of enemy models it may not even pass within, unless of ``targets`` (10e T-4.4); 0 for none.
    ``big_friends_bar``: a MONSTER or VEHICLE does not pass a friendly one (10e T-4.1; 11e 17.01). ``big_through_small``:
    it passes enemies that are neither (11e 17.01). ``step_over``: inches a wall may be high that is walked through.
    ``flight``: how a FLY model goes: "skies" over everything without counting heights (11e 21.03), "air" over everything,
    measured through the air (10e T-4.7).
    """

    rule: str
    keep_off: float = 0.0
    targets: frozenset[int] = frozenset()
    through_enemies: bool = False
    big_friends_bar: bool = False
    big_through_small: bool = False
    step_over: float = STEP_OVER
    flight: Literal["none", "skies", "air"] = "none"


@dataclass(frozen=True, eq=False)
class Ways:
    """The ways of one model of the unit: lengths of the shortest to any number of places, and the way itself.

    Found on a graph of the corners of what is in the way; bases that are not round keep their facing and need the room
    of their enclosing circle on a bent way (a straight one is exact).
    """

    mover: Mover
    row: int
    around: Surroundings
    passage: Passage
    facing: int | None = None

    @cached_property
    def model(self) -> Poses:
        """The model, turned as it will travel."""
        one = self.mover.poses.take([self.row])
        return one if self.facing is None else one.at(one.xy, np.array([self.facing], np.int64))

    @cached_property
    def start(self) -> Floats:
        return np.asarray(self.model.inches[0])

    @cached_property
    def bars(self) -> tuple[Poses, Floats]:
        """The models that bar the way, and how far each must be kept off."""
        around = self.around
        off = keep_offs(self.mover, np.array([self.row]), around, self.passage)[0]
        limit = self.mover.limit[self.row] / INCH
        gap = np.sqrt(((around.poses.inches - self.start) ** 2).sum(axis=-1)) - around.poses.reach - self.model.reach[0]
        bars = gap < limit + off + 0.1
        return around.poses.take(bars), off[bars]

    @cached_property
    def _climbs(self) -> tuple[Polygons, Floats]:
        """The features this model must climb over, and how high they are."""
        terrain = self.around.terrain
        walls = climbs(self.mover, np.array([self.row]), terrain, self.passage)[0]
        box, reach = terrain.outlines.box, self.mover.limit[self.row] / INCH + self.model.reach[0]
        walls &= ((box[:, :2] <= self.start + reach) & (box[:, 2:] >= self.start - reach)).all(axis=1)
        rows = np.nonzero(walls)[0]
        if len(rows) == len(walls):
            return terrain.outlines, terrain.heights
        return Polygons.of([terrain.features[row].outline for row in rows.tolist()]), terrain.heights[rows]

    def legs(self, start: Floats, end: Floats, start_z: Floats, end_z: Floats, *, exact: bool = False) -> Floats:
        """Inches of each straight leg (k, 2) to (k, 2), climbs counted; infinite where it is barred.

        ``exact`` sweeps the real shape of the base; otherwise its enclosing circle.
        """
        way = end - start
        length: Floats = np.sqrt((way * way).sum(axis=-1))
        cost = length + self._climbing(start, end, start_z, end_z, length, exact=exact)
        cost[~self._on_board(end, exact=exact)] = np.inf
        cost[self._barred(start, end, start_z, exact=exact)] = np.inf
        return cost

    def _on_board(self, place: Floats, *, exact: bool) -> Bools:
        if exact:
            low, high = (edge[0] - self.start for edge in boxes(self.model))
        else:
            low, high = -self.model.reach[0], self.model.reach[0]
        board = np.array(self.around.board)
        return np.asarray(((place + low >= -TOUCH) & (place + high <= board + TOUCH)).all(axis=-1))

    def _barred(self, start: Floats, end: Floats, level: Floats, *, exact: bool) -> Bools:
        bars, off = self.bars
        if not len(bars):
            return np.zeros(len(start), bool)
        if (exact and not self.model.all_round) or not bars.all_round:
            moving = self.model.take(np.zeros(len(start), np.int64)).at(np.rint(start * INCH).astype(np.int64))
            apart = swept(moving, np.rint(end * INCH).astype(np.int64), bars, float(off.max(initial=0.0)))
        else:
            apart = points_to_legs(bars.inches, start, end) - bars.half[:, 0] - self.model.reach[0]
        return _too_near(apart, off[None, :], bars, level)

    def _climbing(
        self, start: Floats, end: Floats, start_z: Floats, end_z: Floats, length: Floats, *, exact: bool
    ) -> Floats:
        outlines, heights = self._climbs
        flies = bool(self.mover.flies[self.row])
        if flies and self.passage.flight == "skies":
            return np.zeros(len(start))
        if flies and self.passage.flight == "air":
            return self._through_air(start, end, start_z, end_z, length)
        if not len(outlines):
            return np.asarray(np.abs(start_z - end_z))
        apart = legs_to_polygons(self.model, start, end, outlines) if exact else _leg_gaps(start, end, outlines)
        crossed = apart < (-TOUCH if exact else self.model.reach[0] - TOUCH)
        return _climbed(crossed, heights, start_z, end_z)

    def _through_air(self, start: Floats, end: Floats, start_z: Floats, end_z: Floats, length: Floats) -> Floats:
        """How much longer than the flat leg the way through the air is: over all that is higher than 2"."""
        terrain = self.around.terrain
        crossed = _leg_gaps(start, end, terrain.outlines) < self.model.half[0].min() - TOUCH
        high = np.where(crossed & (terrain.heights > STEP_OVER), terrain.heights, 0).max(axis=1, initial=0)
        peak = np.maximum(high, np.maximum(start_z, end_z))
        straight = np.sqrt(length**2 + (start_z - end_z) ** 2)
        bent = np.sqrt((length / 2) ** 2 + (peak - start_z) ** 2) + np.sqrt((length / 2) ** 2 + (peak - end_z) ** 2)
        return np.asarray(np.where(peak > np.maximum(start_z, end_z), bent, straight) - length)

    # -- the graph of corners -----------------------------------------------------------------------------------------

    @cached_property
    def _corners(self) -> Floats:
        """Places a shortest way may bend at: around the models that bar it and the corners of walls."""
        bars, off = self.bars
        reach = self.model.reach[0]
        spots = [self.start[None, :]]
        sides = 12
        turn = np.arange(sides) * (2 * np.pi / sides)
        ring = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
        if len(bars):
            radius = (bars.reach + off + reach) / np.cos(np.pi / sides) + 2 * TOUCH
            spots.append((bars.inches[:, None, :] + ring * radius[:, None, None]).reshape(-1, 2))
        outlines, _ = self._climbs
        off_walls = self.model.reach[0] + 2 * TOUCH
        spots.extend(_off_corners(corners, off_walls) for corners in outlines.corners)
        places = np.concatenate(spots)
        free = self._on_board(places, exact=False)
        if len(bars):
            apart = np.sqrt(((places[:, None] - bars.inches) ** 2).sum(axis=-1)) - bars.reach - reach
            free &= ~(apart < off - TOUCH).any(axis=1)
        within = ((places - self.start) ** 2).sum(axis=-1) <= (self.mover.limit[self.row] / INCH) ** 2
        free &= within
        free[0] = True
        return np.asarray(places[free])

    @cached_property
    def _tree(self) -> tuple[Floats, Ints]:
        """Shortest way from the start to every corner: its length, and the corner before."""
        corners = self._corners
        n = len(corners)
        ground = np.zeros(n)
        far, before = np.full(n, np.inf), np.full(n, -1, np.int64)
        far[0] = 0.0
        done = np.zeros(n, bool)
        queue = [(0.0, 0)]
        limit = self.mover.limit[self.row] / INCH + ROUNDING
        while queue:
            length, here = heapq.heappop(queue)
            if done[here] or length > limit:
                continue
            done[here] = True
            left = np.nonzero(~done)[0]
            if not len(left):
                break
            level = np.full(len(left), self.model.z[0] / INCH if here == 0 else 0.0)
            from_here = np.broadcast_to(corners[here], (len(left), 2))
            total = length + self.legs(from_here, corners[left], level, ground[left])
            better = np.nonzero(total < far[left] - 1e-12)[0]
            far[left[better]], before[left[better]] = total[better], here
            for spot in better.tolist():
                heapq.heappush(queue, (float(total[spot]), int(left[spot])))
        return far, before

    def lengths(self, places: Floats, levels: Floats | None = None, *, bent: bool = True) -> Floats:
        """Inches of the shortest legal way to each place (k, 2); infinite where there is none within the limit.

        ``bent`` False: only straight ways (much quicker).
        """
        result, _ = self._reached(places, levels, bent)
        return result

    def _reached(self, places: Floats, levels: Floats | None = None, bent: bool = True) -> tuple[Floats, Ints]:
        level = np.zeros(len(places)) if levels is None else levels
        start = np.broadcast_to(self.start, (len(places), 2))
        first = np.full(len(places), self.model.z[0] / INCH)
        best = self.legs(start, places, first, level, exact=True)
        last = np.zeros(len(places), np.int64)
        limit = self.mover.limit[self.row] / INCH + ROUNDING
        flat = np.sqrt(((places - self.start) ** 2).sum(axis=-1))
        hard = np.nonzero((best > flat + 1e-6) & (flat <= limit) & self._on_board(places, exact=True))[0]
        if len(hard) and bent:
            far, _ = self._tree
            useful = np.nonzero(np.isfinite(far) & (np.arange(len(far)) > 0))[0]
            useful = useful[np.argsort(far[useful], kind="stable")]
            for corner in useful.tolist():
                beeline = far[corner] + np.sqrt(((places[hard] - self._corners[corner]) ** 2).sum(axis=-1))
                rows = hard[(beeline < best[hard]) & (beeline <= limit)]
                if not len(rows):
                    continue
                from_corner = np.broadcast_to(self._corners[corner], (len(rows), 2))
                total = far[corner] + self.legs(from_corner, places[rows], np.zeros(len(rows)), level[rows], exact=True)
                better = total < best[rows] - 1e-12
                best[rows[better]], last[rows[better]] = total[better], corner
        best[best > limit] = np.inf
        return best, last

    def way(self, x: int, y: int, z: int = 0) -> tuple[float, list[tuple[int, int]]] | None:
        """Length (inches) and way-points (1/1000 inch, the end left out) of the shortest legal way, or None."""
        length, last = self._reached(np.array([[x, y]]) / INCH, np.array([z / INCH]))
        if not np.isfinite(length[0]):
            return None
        points: list[tuple[int, int]] = []
        corner = int(last[0])
        if corner:
            _, before = self._tree
            while corner > 0:
                px, py = np.rint(self._corners[corner] * INCH).astype(np.int64).tolist()
                points.append((px, py))
                corner = int(before[corner])
        return float(length[0]), points[::-1]

    def along(self, points: list[tuple[int, int]], z: int) -> Floats:
        """Inches of each leg of a given way from the start through ``points`` to the last of them, at level ``z`` there."""
        stops = np.concatenate([self.start[None, :], np.array(points, float) / INCH])
        levels = np.zeros(len(stops))
        levels[0], levels[-1] = self.model.z[0] / INCH, z / INCH
        return self.legs(stops[:-1], stops[1:], levels[:-1], levels[1:], exact=True)


def keep_offs(mover: Mover, rows: Ints, around: Surroundings, passage: Passage) -> Floats:
    """How far each of these models must keep off each other model on its way, (k, others) inches; −inf: not at all."""
    over = mover.flies[rows, None] & (passage.flight != "none")
    big = mover.big[rows, None]
    bars = np.zeros((len(rows), len(around.unit)), bool)
    if not passage.through_enemies:
        bars |= around.enemy & (around.big | ~(big & passage.big_through_small))
    if passage.big_friends_bar:
        bars |= ~around.enemy & around.big & big
    off = np.where(bars, 0.0, -np.inf)
    if passage.keep_off:
        off = np.where(around.enemy & ~np.isin(around.unit, list(passage.targets)), passage.keep_off, off)
    if around.aircraft is not None:
        over = over | around.aircraft
    return np.where(over, -np.inf, off)


def climbs(mover: Mover, rows: Ints, terrain: Terrain, passage: Passage) -> Bools:
    """Which features each of these models must climb over on its way, (k, features)."""
    if not terrain.features:
        return np.zeros((len(rows), 0), bool)
    walls = terrain.flags("walls") & (terrain.heights > passage.step_over)
    free = mover.through_walls[rows, None] & terrain.flags("passable")
    over = mover.flies[rows, None] & (passage.flight == "skies")
    return np.asarray(walls & ~free & ~over)


def straight_lengths(mover: Mover, end: Poses, around: Surroundings, passage: Passage) -> Floats:
    """Inches of the straight way of every model of the unit to its pose in ``end``, at one go; infinite where barred.

    The models keep their facing.
    """
    rows = np.arange(len(mover))
    start = mover.poses
    begin_z, end_z = start.z / INCH, end.z / INCH
    if mover.flies.any() and passage.flight != "none":
        found = [
            around.ways(mover, row, passage).legs(
                start.inches[row : row + 1],
                end.inches[row : row + 1],
                begin_z[row : row + 1],
                end_z[row : row + 1],
                exact=True,
            )[0]
            for row in rows.tolist()
        ]
        return np.array(found)
    lengths: Floats = np.sqrt(((end.inches - start.inches) ** 2).sum(axis=-1))
    if len(around.poses):
        off = keep_offs(mover, rows, around, passage)
        lengths[_too_near(swept(start, end.xy, around.poses, passage.keep_off), off, around.poses, begin_z)] = np.inf
    must = climbs(mover, rows, around.terrain, passage)
    if not must.any():
        return np.asarray(lengths + np.abs(begin_z - end_z))
    outlines = around.terrain.outlines
    if start.all_round:
        apart = _leg_gaps(start.inches, end.inches, outlines) - start.half[:, :1]
    else:
        legs = [(start.take([row]), start.inches[row : row + 1], end.inches[row : row + 1]) for row in rows.tolist()]
        apart = np.concatenate([legs_to_polygons(*leg, outlines) for leg in legs])
    return np.asarray(lengths + _climbed((apart < -TOUCH) & must, around.terrain.heights, begin_z, end_z))


def _too_near(apart: Floats, off: Floats, bars: Poses, level: Floats) -> Bools:
    """Which ways come too near a model that bars them; one more than 5" higher or lower does not."""
    near = apart < off - TOUCH
    if not bars.on_ground or level.any():
        near &= np.abs(bars.z / INCH - level[:, None]) <= 5
    return np.asarray(near.any(axis=1))


def _climbed(crossed: Bools, heights: Floats, start_z: Floats, end_z: Floats) -> Floats:
    """Inches of climbing: up and down each feature passed over, unless the way starts or ends on its top."""
    over = crossed & (start_z[:, None] < heights - 0.05) & (end_z[:, None] < heights - 0.05)
    up_and_down = (2 * heights * over).sum(axis=1)
    return np.asarray(up_and_down + np.where(up_and_down > 0, start_z + end_z, np.abs(start_z - end_z)))


def turning_free(model: Poses, facing: int, others: Poses, room: Floats) -> bool:
    """Can the model turn in place to ``facing``, one way round or the other, without touching ``others``?"""
    if model.all_round or not len(others):
        return True
    near = np.sqrt(((others.inches - model.inches) ** 2).sum(axis=-1)) - others.reach - model.reach[0] < room
    if not near.any():
        return True
    begin, end = int(model.facing[0]) % 360, facing % 360
    for span in ((end - begin) % 360, (end - begin) % 360 - 360):
        steps = np.rint(begin + np.linspace(0, span, max(2, abs(span) // 5 + 2))).astype(np.int64) % 360
        poses = model.take(np.zeros(len(steps), np.int64))
        if not (clearances(poses.at(poses.xy, steps), others.take(near)) < room[near] - TOUCH).any():
            return True
    return False


def _leg_gaps(start: Floats, end: Floats, outlines: Polygons) -> Floats:
    """Inches between the line of each leg and each polygon, (k, g); negative when it starts inside."""
    k, e = len(start), len(outlines.start)
    if not e:
        return np.zeros((k, 0))
    one, two = np.repeat(start, e, axis=0), np.repeat(end, e, axis=0)
    apart = segments_apart(one, two, np.tile(outlines.start, (k, 1)), np.tile(outlines.end, (k, 1))).reshape(k, e)
    nearest = np.minimum.reduceat(apart, outlines.first, axis=1)
    return np.where(outlines.holds(start), -1.0 - nearest, nearest)


def legs_to_polygons(model: Poses, start: Floats, end: Floats, outlines: Polygons) -> Floats:
    """Clearance between one base, swept along each leg, and each polygon, (k, g); negative where it passes over."""
    k, e = len(start), len(outlines.start)
    if not e:
        return np.zeros((k, 0))
    if model.all_round:
        return np.asarray(_leg_gaps(start, end, outlines) - model.half[0, 0])
    way, edge = np.repeat(end - start, e, axis=0), np.tile(outlines.end - outlines.start, (k, 1))
    offset = np.tile(outlines.start, (k, 1)) - np.repeat(start, e, axis=0)
    if model.kind[0] != HULL:
        half, angle = np.repeat(model.half, k * e, axis=0), np.full(k * e, TURN[model.facing[0] % 360])
        apart = separation(offset, [(half, angle)], [way, -edge]).reshape(k, e)
    else:
        corners = model.outlines()[0] - model.inches[0]
        sides = np.roll(corners, -1, axis=0) - corners
        apart = np.stack(
            [
                separation(offset - corner, [], [way, -edge, np.broadcast_to(side, way.shape)]).reshape(k, e)
                for corner, side in zip(corners, sides, strict=True)
                if np.abs(side).sum() > 0
            ]
        ).min(axis=0)
    nearest = np.minimum.reduceat(apart, outlines.first, axis=1)
    return np.where(outlines.holds(start), -np.maximum(np.abs(nearest), 2 * TOUCH), nearest)


def _off_corners(corners: Floats, off: float) -> Floats:
    """Places just off each corner of a polygon, ``off`` inches away: along both edges and along the corner's middle."""
    before, after = corners - np.roll(corners, 1, axis=0), np.roll(corners, -1, axis=0) - corners
    area = float((corners[:, 0] * np.roll(corners[:, 1], -1) - corners[:, 1] * np.roll(corners[:, 0], -1)).sum())
    hand = 1.0 if area > 0 else -1.0

    def outward(way: Floats) -> Floats:
        length = np.maximum(np.sqrt((way * way).sum(axis=-1, keepdims=True)), 1e-9)
        return np.asarray(np.stack([way[:, 1], -way[:, 0]], axis=-1) / length * hand)

    one, two = outward(before), outward(after)
    middle = one + two
    length = np.maximum(np.sqrt((middle * middle).sum(axis=-1, keepdims=True)), 1e-9)
    bend = np.clip((one * two).sum(axis=-1, keepdims=True), -1, 1)
    reach = off / np.maximum(np.sqrt((1 + np.sqrt((1 + bend) / 2)) / 2), 0.3)
    first = one + middle / length
    second = two + middle / length
    spots = []
    for way in (first, second):
        size = np.maximum(np.sqrt((way * way).sum(axis=-1, keepdims=True)), 1e-9)
        spots.append(corners + way / size * reach)
    return np.concatenate(spots)
