"""Who sees whom: lines of sight over a table, once a declaration.

A model is its base raised to its height, a feature its outline raised to its height; the line is 1 mm wide (11e 06.01).
Along the table the question "is there a free line from this point to that base" is answered exactly, by the angles every
obstacle takes away; the point runs over nine places of either base (so a gap can be missed only if it shows from none of
them). Heights are judged on the line from top to top, for "fully visible" from the observer's top to the target's foot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from battlewright.battlefield.fast import loops
from battlewright.battlefield.measure import (
    cross,
    distances,
    edge_points,
    next_corners,
    points_to_legs,
    segments_apart,
)
from battlewright.battlefield.numbers import Sight
from battlewright.battlefield.shapes import HULL, INCH, MM, OVAL, Bools, Floats, Ints, Poses
from battlewright.battlefield.terrain import Area, Polygons, Terrain

Look: TypeAlias = Literal["visible", "fully", "clear"]
ACROSS = (0.0, -1.0, 1.0, -0.5, 0.5, -0.75, 0.75, -0.25, 0.25)
FLAT = 0.05
"""Inches: features lower than this hide nothing."""


@dataclass(frozen=True, eq=False)
class Table:
    """Every model on the battlefield: where it stands and whose it is; what some sight rules ask of it."""

    poses: Poses
    unit: Ints
    aircraft: Bools = field(default_factory=lambda: np.zeros(0, bool))
    towering: Bools = field(default_factory=lambda: np.zeros(0, bool))

    def flag(self, name: Literal["aircraft", "towering"]) -> Bools:
        """The column, all False when it was not given."""
        given: Bools = getattr(self, name)
        return given if len(given) == len(self.unit) else np.zeros(len(self.unit), bool)

    @cached_property
    def rims(self) -> Floats:
        """48 points on the edge of each base, of a hull its corners, (n, 48, 2) in inches."""
        points = edge_points(self.poses, 48)
        hulls = np.nonzero(self.poses.kind == HULL)[0]
        if len(hulls):
            corners = self.poses.take(hulls).outlines()
            points[hulls] = corners[:, np.minimum(np.arange(48), corners.shape[1] - 1)]
        return points


@dataclass(frozen=True, eq=False)
class Scene:
    """The table as one sight question after the other sees it: obstacles are laid out once.

    Rules: 11e 06.01, 13.07-13.11; 10e T-5.5, T-11.2, T-11.3.
    >>> from battlewright.battlefield import ELEVENTH, Area, Feature, Poses, Terrain
    >>> from battlewright.datasheet import Base
    >>> wall = ((9, -5), (10, -5), (10, 5), (9, 5))
    >>> table = Table(Poses.of([Base("round", 32)] * 3, [(0, 0), (20, 0), (0, 9)]), np.array([0, 1, 2]))
    >>> scene = Scene(table, Terrain.of([Area(wall, (Feature("dense", wall, 5),))]), ELEVENTH.sight)
    >>> scene.visible([0], [1, 2]).tolist()
    [[False, True]]
    """

    table: Table
    terrain: Terrain
    sight: Sight

    def moved(self, rows: Ints | list[int], poses: Poses) -> Scene:
        """The same scene with some models elsewhere: what they would see, and who would see them, from there."""
        which = np.asarray(rows, np.int64)
        xy, facing, z = self.table.poses.xy.copy(), self.table.poses.facing.copy(), self.table.poses.z.copy()
        xy[which], facing[which], z[which] = poses.xy, poses.facing, poses.z
        return Scene(replace(self.table, poses=self.table.poses.at(xy, facing, z)), self.terrain, self.sight)

    def visible(self, observers: Ints | list[int], targets: Ints | list[int], detection: Floats | None = None) -> Bools:
        """Which observers see which targets, (n, m).

        ``detection``: inches within which each target can be seen at all (11e 13.09), infinite where nothing hides it.
        """
        result = self._look(observers, targets, "visible")
        return result if detection is None else result & self.detected(observers, targets, detection)

    def detected(self, observers: Ints | list[int], targets: Ints | list[int], detection: Floats) -> Bools:
        """Which targets are within so many inches of which observers."""
        rows, columns = np.asarray(observers, np.int64), np.asarray(targets, np.int64)
        apart = distances(self.table.poses.take(rows), self.table.poses.take(columns))
        return np.asarray(apart <= detection + 1e-6)

    def fully(self, observers: Ints | list[int], targets: Ints | list[int]) -> Bools:
        """Which targets are fully visible to which observers, looking through the other models of the target's unit."""
        return self._look(observers, targets, "fully")

    def clear(
        self,
        observers: Ints | list[int],
        targets: Ints | list[int],
        kinds: Bools | None = None,
        *,
        areas: bool = True,
    ) -> Bools:
        """Which targets no terrain hides any part of (other models do not count): what cover asks (11e 13.08; T-11.1).

        ``kinds`` picks the features that count, one flag a feature; ``areas`` False: areas that stop sight do not count.
        """
        return self._look(observers, targets, "clear", kinds, areas)

    def _look(
        self,
        observers: Ints | list[int],
        targets: Ints | list[int],
        look: Look,
        kinds: Bools | None = None,
        areas: bool = True,
    ) -> Bools:
        seers, seen = np.asarray(observers, np.int64), np.asarray(targets, np.int64)
        pairs = _Pairs(np.repeat(seers, len(seen)), np.tile(seen, len(seers)))
        discs, edges = self._between(pairs, look, kinds, areas)
        result = np.ones(len(pairs.seer), bool)
        if look == "visible" and edges.any():
            result = ~self._walls.shut_off(pairs, self.table.poses, edges)
        blocked = np.nonzero((discs.any(axis=1) | edges.any(axis=1)) & result)[0]
        if len(blocked):
            obstacles = _Obstacles.of(self, discs[blocked], edges[blocked])
            result[blocked] = self._judged(pairs.take(blocked), obstacles, look)
        if look != "visible" and areas:
            result &= ~self._never_full(pairs.seen)
        return result.reshape(len(seers), len(seen))

    def _judged(self, pairs: _Pairs, obstacles: _Obstacles, look: Look) -> Bools:
        """The answer for pairs with something between them; round bases in compiled loops where there are some."""
        judge = self._any_line if look == "visible" else self._whole
        compiled = loops(len(pairs.seer) * len(ACROSS))
        if compiled is None:
            return judge(pairs, obstacles)
        kind = self.table.poses.kind
        simple = (kind[pairs.seer] == 0) & (kind[pairs.seen] == 0)
        result = np.zeros(len(pairs.seer), bool)
        rows, others = np.nonzero(simple)[0], np.nonzero(~simple)[0]
        if len(rows):
            result[rows] = self._compiled(pairs.take(rows), obstacles.take(rows), look, compiled)
        if len(others):
            result[others] = judge(pairs.take(others), obstacles.take(others))
        return result

    def _compiled(
        self, pairs: _Pairs, obstacles: _Obstacles, look: Look, compiled: dict[str, Callable[..., Any]]
    ) -> Bools:
        poses = self.table.poses
        high, foot = poses.top / INCH - MM / 2, poses.z / INCH + MM / 2
        one, two = (pairs.seer, pairs.seen) if look == "visible" else (pairs.seen, pairs.seer)
        ends = poses.inches[one], poses.inches[two], poses.half[one, 0], poses.half[two, 0]
        heights = (high if look == "visible" else foot)[one], high[two]
        loop = compiled["any_line" if look == "visible" else "whole"]
        return np.asarray(loop(*ends, *heights, np.array(ACROSS), *obstacles.tables))

    def _any_line(self, pairs: _Pairs, obstacles: _Obstacles) -> Bools:
        """Is some line free? From places across the observer and across the target, the likeliest first."""
        poses = self.table.poses
        high = poses.top / INCH - MM / 2
        result = np.zeros(len(pairs.seer), bool)
        for batch in _batches([(part, turned) for part in ACROSS for turned in (False, True)], len(result)):
            left = np.nonzero(~result)[0]
            if not len(left):
                break
            few = pairs.take(left)
            ends = {False: (few.seer, few.seen), True: (few.seen, few.seer)}
            tries = [(*ends[turned], part) for part, turned in batch]
            result[left] = self._tried(tries, high, high, obstacles.take(left)).any(axis=0)
        return result

    def _whole(self, pairs: _Pairs, obstacles: _Obstacles) -> Bools:
        """Is the target seen from side to side and down to its foot? From places across the target to the observer."""
        poses = self.table.poses
        high, foot = poses.top / INCH - MM / 2, poses.z / INCH + MM / 2
        result = np.ones(len(pairs.seer), bool)
        for batch in _batches([(part, True) for part in ACROSS], len(result)):
            left = np.nonzero(result)[0]
            if not len(left):
                break
            few = pairs.take(left)
            tries = [(few.seen, few.seer, part) for part, _ in batch]
            result[left] = self._tried(tries, foot, high, obstacles.take(left)).all(axis=0)
        return result

    def _tried(
        self, tries: list[tuple[Ints, Ints, float]], from_height: Floats, to_height: Floats, obstacles: _Obstacles
    ) -> Bools:
        """Which of these tries (a row each: from, to, place across) find a free line for which pair (a column each)."""
        source = np.concatenate([_across(self.table, one, two, part) for one, two, part in tries])
        start, goal = np.concatenate([one for one, _, _ in tries]), np.concatenate([two for _, two, _ in tries])
        every = np.tile(np.arange(len(obstacles.disc_on)), len(tries))
        line = _Line(source, from_height[start], goal, to_height[goal])
        return _free(line, self.table, obstacles.take(every)).reshape(len(tries), -1)

    # -- what stands between ------------------------------------------------------------------------------------------

    @cached_property
    def _walls(self) -> _Walls:
        return _Walls.of(self.table, self.terrain, self.sight)

    @cached_property
    def _discs(self) -> Ints:
        return np.nonzero(self.table.poses.kind == 0)[0]

    def _never_full(self, seen: Ints) -> Bools:
        """Models wholly within woods are never fully visible (10e T-11.2)."""
        return self._walls.in_woods[seen]

    def _between(self, pairs: _Pairs, look: Look, kinds: Bools | None, areas: bool) -> tuple[Bools, Bools]:
        """Which round models, and which edges of walls, are near the corridor of each pair."""
        poses, unit = self.table.poses, self.table.unit
        start, end = poses.inches[pairs.seer], poses.inches[pairs.seen]
        wide = np.maximum(poses.reach[pairs.seer], poses.reach[pairs.seen])
        if look == "clear":
            discs = np.zeros((len(wide), 0), bool)
        else:
            which = self._discs
            apart = points_to_legs(poses.inches[which], start, end)
            discs = apart < wide[:, None] + poses.half[which, 0] + 2 * MM
            discs &= unit[which] != unit[pairs.seer][:, None]
            if look == "fully" or self.sight.through_target_unit:
                discs &= unit[which] != unit[pairs.seen][:, None]
            discs &= (which != pairs.seen[:, None]) & (which != pairs.seer[:, None])
        return discs, self._walls.near(pairs, self.table, look, start, end, wide, kinds, areas, self.sight)


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    seer: Ints
    seen: Ints

    def take(self, rows: Ints) -> _Pairs:
        return _Pairs(self.seer[rows], self.seen[rows])


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """Lines from ``source`` (p, 2) at ``height`` to the bases ``goal`` at ``goal_height``, inches."""

    source: Floats
    height: Floats
    goal: Ints
    goal_height: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Walls:
    """Upright walls: edges of features, of areas that stop sight, of oval and hull models. One group an outline.

    ``skip_seer``, ``skip_seen`` (groups, models): the group does not count for lines from, or to, that model; ``under``:
    some part of that model's base is within the outline.
    """

    outlines: Polygons
    bottom: Floats
    top: Floats
    kind: NDArray[np.str_]
    feature: Ints
    unit: Ints
    skip_seer: Bools
    skip_seen: Bools
    under: Bools
    in_woods: Bools

    @classmethod
    def of(cls, table: Table, terrain: Terrain, sight: Sight) -> _Walls:
        poses = table.poses
        aircraft, towering = table.flag("aircraft"), table.flag("towering")
        parts: list[_Group] = []
        opaque = terrain.flags("opaque") & (terrain.heights > FLAT) if terrain.features else np.zeros(0, bool)
        inside = terrain.outlines.touching(poses)
        for row in np.nonzero(opaque)[0].tolist():
            high = terrain.heights[row]
            stands_in = inside[:, row] & (poses.z / INCH < high - FLAT)
            outline = terrain.features[row].outline
            parts.append(_Group(outline, 0.0, high, "feature", int(row), -1, stands_in, stands_in, inside[:, row]))
        within, wholly = terrain.ground.touching(poses), terrain.ground.wholly(poses)
        woods = np.zeros(len(poses), bool)
        for row, area in enumerate(terrain.areas):
            parts.extend(_curtains(area, sight, within[:, row], wholly[:, row], aircraft, towering))
            if sight.ruins and "woods" in area.kinds:
                woods |= wholly[:, row] & ~aircraft & ~towering
        shaped = np.nonzero(poses.kind != 0)[0]
        for row in shaped.tolist():
            one = poses.take([row])
            points = one.outlines()[0] if one.kind[0] == HULL else edge_points(one, 24)[0]
            itself = np.arange(len(poses)) == row
            outline = tuple((float(x), float(y)) for x, y in points)
            low, high = float(poses.z[row]) / INCH, float(poses.top[row]) / INCH
            parts.append(_Group(outline, low, high, "model", -1, int(table.unit[row]), itself, itself, itself))
        empty = np.zeros((0, len(poses)), bool)
        return cls(
            Polygons.of([part.outline for part in parts]),
            np.array([part.bottom for part in parts], float),
            np.array([part.top for part in parts], float),
            np.array([part.kind for part in parts], dtype="U8"),
            np.array([part.feature for part in parts], np.int64),
            np.array([part.unit for part in parts], np.int64),
            np.stack([part.skip_seer for part in parts]) if parts else empty,
            np.stack([part.skip_seen for part in parts]) if parts else empty,
            np.stack([part.under for part in parts]) if parts else empty,
            woods,
        )

    def near(
        self,
        pairs: _Pairs,
        table: Table,
        look: Look,
        start: Floats,
        end: Floats,
        wide: Floats,
        kinds: Bools | None,
        areas: bool,
        sight: Sight,
    ) -> Bools:
        """Which edges may stand between which pair, (p, edges)."""
        if not len(self.outlines):
            return np.zeros((len(wide), 0), bool)
        counts = np.ones(len(self.outlines), bool)
        if look == "visible":
            counts &= self.kind != "woods"
        if look == "clear":
            counts &= self.kind != "model"
        if kinds is not None:
            counts &= (self.kind != "feature") | np.append(kinds, False)[self.feature]
        if not areas:
            counts &= (self.kind == "feature") | (self.kind == "model")
        groups = ~(self.skip_seer[:, pairs.seer] | self.skip_seen[:, pairs.seen]).T & counts
        models = self.kind == "model"
        if models.any():
            groups &= ~(models & (self.unit == table.unit[pairs.seer][:, None]))
            if look == "fully" or sight.through_target_unit:
                groups &= ~(models & (self.unit == table.unit[pairs.seen][:, None]))
        low, high = np.minimum(start, end) - wide[:, None], np.maximum(start, end) + wide[:, None]
        box = self.outlines.box
        groups &= (box[:, 0] <= high[:, :1]) & (box[:, 2] >= low[:, :1])
        groups &= (box[:, 1] <= high[:, 1:]) & (box[:, 3] >= low[:, 1:])
        edges = groups[:, self.outlines.owner]
        rows, columns = np.nonzero(edges)
        if len(rows):
            apart = segments_apart(start[rows], end[rows], self.outlines.start[columns], self.outlines.end[columns])
            edges[rows, columns] = apart < wide[rows] + 2 * MM
        return edges

    def shut_off(self, pairs: _Pairs, poses: Poses, edges: Bools) -> Bools:
        """Which pairs one convex outline, higher than both, cuts off: both tangents of the two bases meet it.

        Whatever runs from one base to the other stays between those tangents, so it crosses what spans them; not so where
        a base reaches into the outline, whose lines may begin beyond it.
        """
        start, end = poses.inches[pairs.seer], poses.inches[pairs.seen]
        ahead = end - start
        away = np.maximum(np.sqrt((ahead * ahead).sum(axis=-1)), 1e-9)
        near, far = poses.reach[pairs.seer], poses.reach[pairs.seen]
        slant = np.sqrt(np.maximum(1 - ((near - far) / away) ** 2, 0.01))
        side = np.stack([ahead[:, 1], -ahead[:, 0]], axis=-1) / (away * slant)[:, None]
        high = np.maximum(poses.top[pairs.seer], poses.top[pairs.seen]) / INCH
        low = np.minimum(poses.z[pairs.seer], poses.z[pairs.seen]) / INCH
        rows, columns = np.nonzero(edges)
        group = self.outlines.owner[columns]
        tall = (self.top[group] >= high[rows]) & (self.bottom[group] <= low[rows]) & self._convex[group]
        tall &= ~(self.under[group, pairs.seer[rows]] | self.under[group, pairs.seen[rows]])
        rows, columns, group = rows[tall], columns[tall], group[tall]
        met = []
        for hand in (1.0, -1.0):
            one, two = start + side * near[:, None] * hand, end + side * far[:, None] * hand
            hit = cross(one[rows], two[rows], self.outlines.start[columns], self.outlines.end[columns])
            touched = np.zeros((len(start), len(self.outlines)), bool)
            touched[rows[hit], group[hit]] = True
            met.append(touched)
        return np.asarray((met[0] & met[1]).any(axis=1))

    @property
    def _convex(self) -> Bools:
        return np.array([_is_convex(corners) for corners in self.outlines.corners], bool)


def _is_convex(corners: Floats) -> bool:
    way = np.roll(corners, -1, axis=0) - corners
    turn = way[:, 0] * np.roll(way[:, 1], -1) - way[:, 1] * np.roll(way[:, 0], -1)
    return bool((turn >= -1e-9).all() or (turn <= 1e-9).all())


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    outline: tuple[tuple[float, float], ...]
    bottom: float
    top: float
    kind: str
    feature: int
    unit: int
    skip_seer: Bools
    skip_seen: Bools
    under: Bools


def _curtains(area: Area, sight: Sight, within: Bools, wholly: Bools, aircraft: Bools, towering: Bools) -> list[_Group]:
    """The area itself as an obstacle without top: obscuring (11e 13.10), ruins and woods (10e T-11.2, T-11.3)."""
    endless = 0.0, float("inf")
    kinds = area.kinds
    if sight.obscuring and kinds & {"light", "dense"}:
        return [_Group(area.area, *endless, "area", -1, -1, within, within, within)]
    if not sight.ruins:
        return []
    found = []
    if "ruins" in kinds:
        out = wholly | aircraft | (towering & within)
        found.append(_Group(area.area, *endless, "area", -1, -1, out, within | aircraft, within))
    if "woods" in kinds:
        exempt = aircraft | towering
        found.append(_Group(area.area, *endless, "woods", -1, -1, wholly | exempt, exempt, within))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Obstacles:
    """Per pair, the discs and wall edges that may be in the way; ``on`` says which places of the padded rows are used."""

    centre: Floats
    radius: Floats
    disc_bottom: Floats
    disc_top: Floats
    disc_on: Bools
    start: Floats
    end: Floats
    wall_bottom: Floats
    wall_top: Floats
    wall_on: Bools

    @classmethod
    def of(cls, scene: Scene, discs: Bools, edges: Bools) -> _Obstacles:
        poses, walls = scene.table.poses, scene._walls
        disc, disc_on = _packed(discs)
        edge, edge_on = _packed(edges)
        model = scene._discs[disc] if len(scene._discs) else disc
        group = walls.outlines.owner[edge] if len(walls.outlines) else edge
        return cls(
            poses.inches[model],
            poses.half[model, 0],
            poses.z[model] / INCH,
            poses.top[model] / INCH,
            disc_on,
            walls.outlines.start[edge] if len(walls.outlines) else np.zeros((*edge.shape, 2)),
            walls.outlines.end[edge] if len(walls.outlines) else np.zeros((*edge.shape, 2)),
            walls.bottom[group] if len(walls.outlines) else np.zeros(edge.shape),
            walls.top[group] if len(walls.outlines) else np.zeros(edge.shape),
            edge_on,
        )

    @property
    def tables(self) -> tuple[Floats, Ints, Floats, Ints]:
        """Discs and walls as tables of numbers, and how many of each a row has: what compiled loops read."""
        disc = (self.centre, self.radius[..., None], self.disc_bottom[..., None], self.disc_top[..., None])
        wall = (self.start, self.end, self.wall_bottom[..., None], self.wall_top[..., None])
        return (
            np.concatenate(disc, axis=-1),
            self.disc_on.sum(axis=1),
            np.concatenate(wall, axis=-1),
            self.wall_on.sum(axis=1),
        )

    def take(self, rows: Ints) -> _Obstacles:
        return _Obstacles(*(getattr(self, name)[rows] for name in self.__slots__))


def _packed(chosen: Bools) -> tuple[Ints, Bools]:
    """For each row the columns chosen, padded to the longest row, and which places are real."""
    count = chosen.sum(axis=1)
    wide = int(count.max(initial=0))
    on = np.arange(wide) < count[:, None]
    places = np.zeros((len(chosen), wide), np.int64)
    places[on] = np.nonzero(chosen)[1]
    return places, on


def _batches(tries: list[tuple[float, bool]], pairs: int) -> Iterator[list[tuple[float, bool]]]:
    """Tries to make at one go: many of few pairs (less overhead), few of many (most pairs are done after the first)."""
    size = max(1, 160 // max(pairs, 1))
    yield tries[:1]
    for first in range(1, len(tries), size):
        yield tries[first : first + size]


# -- one point, one base, many obstacles ------------------------------------------------------------------------------


def _free(line: _Line, table: Table, obstacles: _Obstacles) -> Bools:
    """From each source, is some part of its goal's width not taken by obstacles in front of it?"""
    with np.errstate(invalid="ignore"):
        return _untaken(line, table, obstacles)


def _untaken(line: _Line, table: Table, obstacles: _Obstacles) -> Bools:
    poses = table.poses
    centre = poses.inches[line.goal]
    ahead = centre - line.source
    away = np.sqrt((ahead * ahead).sum(axis=-1))
    heading = np.arctan2(ahead[:, 1], ahead[:, 0])
    low, high = _width(line, table, away, heading)
    disc_low, disc_high = _disc_width(line, obstacles, heading)
    wall_low, wall_high = _wall_width(line, obstacles, heading)
    lows, highs = np.concatenate([disc_low, wall_low], axis=1), np.concatenate([disc_high, wall_high], axis=1)
    middle = (np.maximum(lows, low[:, None]) + np.minimum(highs, high[:, None])) / 2
    crossing = np.minimum(highs, high[:, None]) > np.maximum(lows, low[:, None])
    enter, leave = _crossings(line, obstacles, middle + heading[:, None])
    goal_at = _reached(line, table, middle + heading[:, None], away, crossing)
    rise = (line.goal_height - line.height)[:, None] / np.maximum(goal_at, 1e-9)
    at_enter, at_leave = line.height[:, None] + rise * enter, line.height[:, None] + rise * np.minimum(leave, goal_at)
    bottom = np.concatenate([obstacles.disc_bottom, obstacles.wall_bottom], axis=1)
    top = np.concatenate([obstacles.disc_top, obstacles.wall_top], axis=1)
    in_the_way = np.minimum(at_enter, at_leave) < top + MM / 2
    in_the_way &= np.maximum(at_enter, at_leave) > bottom - MM / 2
    takes = crossing & in_the_way & (enter < goal_at - 1e-6)
    lows, highs = np.where(takes, lows, np.inf), np.where(takes, highs, -np.inf)
    tries = np.concatenate([low[:, None] + 1e-9, highs + 1e-9], axis=1)
    usable = (tries >= low[:, None]) & (tries < high[:, None])
    taken = ((lows[:, None, :] < tries[:, :, None]) & (tries[:, :, None] < highs[:, None, :])).any(axis=2)
    inside = away <= _least(poses, line.goal)
    return np.asarray((usable & ~taken).any(axis=1) | inside)


def _least(poses: Poses, rows: Ints) -> Floats:
    return np.asarray(poses.half[rows].min(axis=1))


def _width(line: _Line, table: Table, away: Floats, heading: Floats) -> tuple[Floats, Floats]:
    """The angles a goal takes up from the source, relative to the direction of its centre."""
    poses = table.poses
    half = np.arcsin(np.clip(poses.half[line.goal, 0] / np.maximum(away, 1e-9), 0, 1))
    low, high = -half, half.copy()
    shaped = np.nonzero(poses.kind[line.goal] != 0)[0]
    if len(shaped):
        points = table.rims[line.goal[shaped]]
        relative = points - line.source[shaped, None, :]
        angle = _wrapped(np.arctan2(relative[..., 1], relative[..., 0]) - heading[shaped, None])
        low[shaped], high[shaped] = angle.min(axis=1), angle.max(axis=1)
    return low * (1 - 1e-6), high * (1 - 1e-6)


def _disc_width(line: _Line, obstacles: _Obstacles, heading: Floats) -> tuple[Floats, Floats]:
    relative = obstacles.centre - line.source[:, None, :]
    away = np.sqrt((relative * relative).sum(axis=-1))
    angle = _wrapped(np.arctan2(relative[..., 1], relative[..., 0]) - heading[:, None])
    ratio = (obstacles.radius + MM / 2) / np.maximum(away, 1e-9)
    half = np.where(ratio >= 1, np.pi, np.arcsin(np.minimum(ratio, 1)))
    low, high = np.where(ratio >= 1, -np.pi, angle - half), np.where(ratio >= 1, np.pi, angle + half)
    return np.where(obstacles.disc_on, low, np.inf), np.where(obstacles.disc_on, high, -np.inf)


def _wall_width(line: _Line, obstacles: _Obstacles, heading: Floats) -> tuple[Floats, Floats]:
    angles = []
    for end in (obstacles.start, obstacles.end):
        relative = end - line.source[:, None, :]
        away = np.sqrt((relative * relative).sum(axis=-1))
        angle = _wrapped(np.arctan2(relative[..., 1], relative[..., 0]) - heading[:, None])
        angles.append((angle, np.arcsin(np.clip(MM / 2 / np.maximum(away, 1e-9), 0, 1))))
    (one, more_one), (two, more_two) = angles
    first = one <= two
    low, high = np.where(first, one - more_one, two - more_two), np.where(first, two + more_two, one + more_one)
    behind = np.abs(one - two) > np.pi
    right = behind & (high < np.pi / 2)
    low, high = (
        np.where(right, high - more_one - more_two, np.where(behind, -np.pi, low)),
        np.where(right, np.pi, np.where(behind, np.minimum(one, two) + more_one + more_two, high)),
    )
    return np.where(obstacles.wall_on, low, np.inf), np.where(obstacles.wall_on, high, -np.inf)


def _crossings(line: _Line, obstacles: _Obstacles, theta: Floats) -> tuple[Floats, Floats]:
    """How far along the direction ``theta`` each obstacle is entered and left, inches."""
    discs = obstacles.centre.shape[1]
    relative = obstacles.centre - line.source[:, None, :]
    ux, uy = np.cos(theta), np.sin(theta)
    along = relative[..., 0] * ux[:, :discs] + relative[..., 1] * uy[:, :discs]
    aside = relative[..., 0] * uy[:, :discs] - relative[..., 1] * ux[:, :discs]
    chord = np.sqrt(np.maximum(obstacles.radius**2 - aside**2, 0))
    way = obstacles.end - obstacles.start
    start = obstacles.start - line.source[:, None, :]
    wx, wy = ux[:, discs:], uy[:, discs:]
    slant = wx * way[..., 1] - wy * way[..., 0]
    parallel = np.abs(slant) < 1e-9
    wall = (start[..., 0] * way[..., 1] - start[..., 1] * way[..., 0]) / np.where(parallel, 1, slant)
    nearest = np.minimum(
        start[..., 0] * wx + start[..., 1] * wy,
        (start[..., 0] + way[..., 0]) * wx + (start[..., 1] + way[..., 1]) * wy,
    )
    wall = np.where(parallel, nearest, wall)
    enter = np.concatenate([np.maximum(along - chord, 0), wall], axis=1)
    leave = np.concatenate([np.maximum(along + chord, 0), wall], axis=1)
    return enter, leave


def _reached(line: _Line, table: Table, theta: Floats, away: Floats, asked: Bools) -> Floats:
    """How far along the direction ``theta`` the goal itself begins, inches: of what is ``asked``."""
    poses = table.poses
    relative = poses.inches[line.goal] - line.source
    ux, uy = np.cos(theta), np.sin(theta)
    along = relative[:, :1] * ux + relative[:, 1:] * uy
    aside = relative[:, :1] * uy - relative[:, 1:] * ux
    radius = poses.half[line.goal, :1]
    result = np.maximum(along - np.sqrt(np.maximum(radius**2 - aside**2, 0)), 0)
    rows, columns = np.nonzero(asked & (poses.kind[line.goal] != 0)[:, None])
    if len(rows):
        outlines = table.rims[line.goal[rows]]
        result[rows, columns] = _rays_to_outlines(
            line.source[rows], ux[rows, columns], uy[rows, columns], outlines, away[rows]
        )
    return np.asarray(result)


def _rays_to_outlines(source: Floats, ux: Floats, uy: Floats, outlines: Floats, otherwise: Floats) -> Floats:
    """Inches from each source along its ray to its outline (n, k, 2); ``otherwise`` where the ray misses it."""
    start = outlines - source[:, None]
    way = next_corners(outlines) - outlines
    sx, sy, wx, wy = start[..., 0], start[..., 1], way[..., 0], way[..., 1]
    ux, uy = ux[:, None], uy[:, None]
    slant = ux * wy - uy * wx
    flat = np.abs(slant) < 1e-12
    safe = np.where(flat, 1, slant)
    along = (sx * wy - sy * wx) / safe
    part = (sx * uy - sy * ux) / safe
    hit = ~flat & (along >= 0) & (part >= -1e-9) & (part <= 1 + 1e-9)
    nearest = np.where(hit, along, np.inf).min(axis=1)
    return np.where(np.isfinite(nearest), nearest, otherwise)


def _across(table: Table, rows: Ints, towards: Ints, part: float) -> Floats:
    """A point of each base: its middle, or ``part`` of the way to its left (−1) or right (1) side as seen from there."""
    poses = table.poses
    centre = poses.inches[rows]
    if part == 0.0:
        return centre
    ahead = poses.inches[towards] - centre
    length = np.maximum(np.sqrt((ahead * ahead).sum(axis=-1, keepdims=True)), 1e-9)
    side = np.stack([ahead[:, 1], -ahead[:, 0]], axis=-1) / length * np.sign(part)
    result = centre + side * (poses.half[rows, :1] - MM / 2) * abs(part)
    shaped = np.nonzero(poses.kind[rows] >= OVAL)[0]
    if len(shaped):
        points = table.rims[rows[shaped]]
        reach = ((points - centre[shaped, None]) * side[shaped, None]).sum(axis=-1)
        edge = points[np.arange(len(shaped)), reach.argmax(axis=1)]
        result[shaped] = centre[shaped] + (edge - centre[shaped]) * 0.98 * abs(part)
    return np.asarray(result)


def _wrapped(angle: Floats) -> Floats:
    return np.asarray(angle - 2 * np.pi * np.round(angle / (2 * np.pi)))
