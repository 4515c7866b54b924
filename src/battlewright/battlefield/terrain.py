"""Terrain: areas on the ground and the features in them, read from a position and kept as arrays of edges.

A feature is its outline raised to its height. What its kind means for sight and movement is in :data:`KINDS`, one row a
kind: the three categories of the 11th edition (13.03-13.05) and the features of the 10th (T-11.2). Inches throughout.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import msgspec
import numpy as np
from msgspec import Struct

from battlewright.battlefield.measure import GRAIN, cross, edge_points, gaps, points_to_legs
from battlewright.battlefield.shapes import HULL, INCH, OVAL, Bools, Floats, Ints, Poses

Point: TypeAlias = tuple[float, float]
FeatureKind: TypeAlias = Literal[
    "dense", "light", "exposed", "crater", "barricade", "debris", "hills", "woods", "ruins"
]


@dataclass(frozen=True, slots=True)
class KindRules:
    """What a kind of feature does. ``height``: inches when the position gives none.

    ``opaque``: its outline stops sight up to its height. ``walls``: what is higher than 2" must be climbed over;
    ``passable``: not by the models that pass through walls (INFANTRY and the like).
    ``solid``: no base may end across its outline. ``standable``: models may end on top. ``bars_end``: no base may end on it.
    """

    height: float
    opaque: bool
    walls: bool = False
    passable: bool = False
    solid: bool = False
    standable: bool = False
    bars_end: bool = False


KINDS: dict[str, KindRules] = {
    "dense": KindRules(5, opaque=True, walls=True, passable=True, solid=True, standable=True),
    "light": KindRules(1, opaque=True, standable=True),
    "exposed": KindRules(0, opaque=True),
    "crater": KindRules(0, opaque=True),
    "barricade": KindRules(1, opaque=True, walls=True, bars_end=True),
    "debris": KindRules(2, opaque=True, walls=True, bars_end=True),
    "hills": KindRules(3, opaque=True, walls=True, solid=True, standable=True),
    "woods": KindRules(5, opaque=False),
    "ruins": KindRules(5, opaque=True, walls=True, passable=True, solid=True, standable=True),
}


class Feature(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One feature of a position: its kind, outline and height. ``solid`` False: a base may end across its outline.

    ``floors``: levels models can stand on; the top when none are given.
    """

    kind: FeatureKind
    outline: tuple[Point, ...]
    height: float | None = None
    solid: bool | None = None
    floors: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if len(self.outline) < 3:
            raise ValueError("outline: three corners or more expected")
        if self.height is not None and self.height < 0:
            raise ValueError("height: not below 0")


class Area(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A terrain area of a position. ``kind`` tells a 10e area without features what it is ("ruins", "woods")."""

    area: tuple[Point, ...]
    features: tuple[Feature, ...] = ()
    kind: FeatureKind | None = None
    name: str = ""

    def __post_init__(self) -> None:
        if len(self.area) < 3:
            raise ValueError("area: three corners or more expected")

    @property
    def kinds(self) -> frozenset[str]:
        """What stands in the area.

        >>> square = ((0, 0), (4, 0), (4, 4), (0, 4))
        >>> sorted(Area(square, (Feature("light", square),)).kinds)
        ['light']
        """
        return frozenset({feature.kind for feature in self.features} | ({self.kind} if self.kind else set()))


@dataclass(frozen=True, slots=True, eq=False)
class Polygons:
    """Many polygons as one table of edges: edge e runs from ``start[e]`` to ``end[e]`` and belongs to ``owner[e]``."""

    corners: tuple[Floats, ...]
    start: Floats
    end: Floats
    owner: Ints
    box: Floats

    @classmethod
    def of(cls, outlines: list[tuple[Point, ...]]) -> Polygons:
        corners = tuple(np.array(outline, float).reshape(-1, 2) for outline in outlines)
        start = np.concatenate(corners) if corners else np.zeros((0, 2))
        end = np.concatenate([np.roll(c, -1, axis=0) for c in corners]) if corners else np.zeros((0, 2))
        owner = np.repeat(np.arange(len(corners)), [len(c) for c in corners]).astype(np.int64)
        box = np.array([[*c.min(axis=0), *c.max(axis=0)] for c in corners]).reshape(-1, 4)
        return cls(corners, start, end, owner, box)

    def __len__(self) -> int:
        return len(self.corners)

    def holds(self, points: Floats) -> Bools:
        """Which points (p, 2) lie inside which polygon, (p, g): even-odd rule."""
        x, y = points[:, :1], points[:, 1:]
        x1, y1, x2, y2 = self.start[:, 0], self.start[:, 1], self.end[:, 0], self.end[:, 1]
        rise = np.where(y2 == y1, 1.0, y2 - y1)
        crossing = ((y1 > y) != (y2 > y)) & (x < (x2 - x1) * (y - y1) / rise + x1)
        return self._any(crossing, odd=True)

    def border(self, points: Floats) -> Floats:
        """Inches from each point to the nearest edge of each polygon, (p, g)."""
        if not len(self):
            return np.zeros((len(points), 0))
        apart = points_to_legs(points, self.start, self.end).T
        return np.asarray(np.minimum.reduceat(apart, self.first, axis=1))

    @property
    def first(self) -> Ints:
        """The first edge of each polygon."""
        return np.searchsorted(self.owner, np.arange(len(self)))

    def _any(self, edges: Bools, *, odd: bool) -> Bools:
        if not len(self):
            return np.zeros((len(edges), 0), bool)
        count = np.add.reduceat(edges.astype(np.int64), self.first, axis=1)
        return np.asarray(count % 2 == 1 if odd else count > 0)

    def clearances(self, poses: Poses, near: float = np.inf) -> Floats:
        """Inches between each base and each polygon, (n, g); negative when the base is partly or wholly inside.

        Bases that are not round are looked at closely only where their enclosing circle comes within ``near``.
        """
        if not len(self) or not len(poses):
            return np.zeros((len(poses), len(self)))
        inches = poses.inches
        border = self.border(inches)
        middle = self.holds(inches)
        apart = np.where(middle, -border, border) - poses.reach[:, None]
        for rows in _alike(poses, np.asarray((apart <= near).any(axis=1))):
            points = _edges(poses.take(rows))
            flat = points.reshape(-1, 2)
            inside = self.holds(flat).reshape(len(rows), -1, len(self)).any(axis=1)
            nearest = self.border(flat).reshape(len(rows), -1, len(self)).min(axis=1)
            within = inside | middle[rows] | self._pierced(points)
            apart[rows] = np.where(within, -np.maximum(nearest, 2 * GRAIN), nearest)
        return np.asarray(apart)

    def _pierced(self, outlines: Floats) -> Bools:
        """Does a corner of a polygon lie inside these outlines, (n, points, 2)? Then no edge point need lie inside it."""
        x, y = self.start[:, 0, None], self.start[:, 1, None]
        following = np.roll(outlines, -1, axis=1)
        result = np.zeros((len(outlines), len(self.start)), bool)
        for row, (one, two) in enumerate(zip(outlines, following, strict=True)):
            x1, y1, x2, y2 = one[:, 0], one[:, 1], two[:, 0], two[:, 1]
            rise = np.where(y2 == y1, 1.0, y2 - y1)
            result[row] = (((y1 > y) != (y2 > y)) & (x < (x2 - x1) * (y - y1) / rise + x1)).sum(axis=1) % 2 == 1
        return self._any(result, odd=False)

    def touching(self, poses: Poses) -> Bools:
        """Which bases are within which polygon: some part is (11e 01.04.01)."""
        return np.asarray(self.clearances(poses, 0.0) < -GRAIN)

    def wholly(self, poses: Poses) -> Bools:
        """Which bases are wholly within which polygon."""
        if not len(self) or not len(poses):
            return np.zeros((len(poses), len(self)), bool)
        inches = poses.inches
        result = self.holds(inches) & (self.border(inches) >= poses.half.min(axis=1)[:, None] - GRAIN)
        for rows in _alike(poses, np.asarray(result.any(axis=1))):
            points = _edges(poses.take(rows))
            inside = self.holds(points.reshape(-1, 2)).reshape(len(rows), -1, len(self)).all(axis=1)
            result[rows] = inside & ~self._pierced(points)
        return np.asarray(result)


def _alike(poses: Poses, chosen: Bools) -> list[Ints]:
    """The chosen rows that are oval, and those that are hulls."""
    kinds = [np.nonzero(chosen & (poses.kind == kind))[0] for kind in (OVAL, HULL)]
    return [rows for rows in kinds if len(rows)]


def _edges(poses: Poses) -> Floats:
    """Points all along the edges of bases of one kind, (n, points, 2); corners of a hull among them."""
    if poses.kind[0] != HULL:
        return edge_points(poses, 64)
    corners = poses.outlines()
    part = (np.arange(8) / 8)[:, None]
    between = corners[:, :, None] * (1 - part) + np.roll(corners, -1, axis=1)[:, :, None] * part
    return np.asarray(between.reshape(len(poses), -1, 2))


@dataclass(frozen=True, eq=False)
class Terrain:
    """All terrain of a battlefield, ready for questions. ``Terrain.of(areas)`` from the areas of a position."""

    areas: tuple[Area, ...]

    @classmethod
    def of(cls, areas: tuple[Area, ...] | list[Area]) -> Terrain:
        """
        >>> square = ((0, 0), (4, 0), (4, 4), (0, 4))
        >>> terrain = Terrain.of([Area(square, (Feature("ruins", square, 6),))])
        >>> terrain.heights.tolist(), len(terrain.ground)
        ([6.0], 1)
        """
        return cls(tuple(areas))

    def near(self, low: Floats, high: Floats) -> Terrain:
        """Only the features that touch this box (inches), with their areas; itself when all do."""
        box = self.outlines.box
        close: Bools = np.asarray(((box[:, :2] <= high) & (box[:, 2:] >= low)).all(axis=1))
        if close.all():
            return self
        kept = self._parts.get(close.tobytes())
        if kept is None:
            kept = self._parts[close.tobytes()] = self._only(close)
        return kept

    def _only(self, features: Bools) -> Terrain:
        kept = [
            (
                area,
                tuple(f for f, stays in zip(area.features, features[self.feature_area == row], strict=True) if stays),
            )
            for row, area in enumerate(self.areas)
        ]
        return Terrain(tuple(msgspec.structs.replace(area, features=features) for area, features in kept if features))

    @cached_property
    def _parts(self) -> dict[bytes, Terrain]:
        """What :meth:`near` answered: a battle asks for few parts of its terrain, and measures each many times."""
        return {}

    @cached_property
    def features(self) -> tuple[Feature, ...]:
        return tuple(feature for area in self.areas for feature in area.features)

    @cached_property
    def ground(self) -> Polygons:
        """The outlines of the areas."""
        return Polygons.of([area.area for area in self.areas])

    @cached_property
    def outlines(self) -> Polygons:
        """The outlines of the features."""
        return Polygons.of([feature.outline for feature in self.features])

    @cached_property
    def heights(self) -> Floats:
        """Inches each feature is high."""
        return np.array([height_of(feature) for feature in self.features], float)

    @cached_property
    def feature_area(self) -> Ints:
        """The area each feature stands in."""
        return np.repeat(np.arange(len(self.areas)), [len(area.features) for area in self.areas]).astype(np.int64)

    def flags(self, name: str) -> Bools:
        """One column of :data:`KINDS` for the features: ``flags("walls")``."""
        return np.array([getattr(KINDS[feature.kind], name) for feature in self.features], bool)

    @cached_property
    def solid(self) -> Bools:
        return np.array([KINDS[f.kind].solid if f.solid is None else f.solid for f in self.features], bool)

    def areas_of(self, *kinds: str) -> Bools:
        """Which areas hold one of these kinds of feature."""
        return np.array([not area.kinds.isdisjoint(kinds) for area in self.areas], bool)

    @cached_property
    def obscuring(self) -> Bools:
        """Areas that hide what is beyond: with a light or dense feature (11e 13.10)."""
        return self.areas_of("light", "dense")

    def within_areas(self, poses: Poses) -> Bools:
        """Which models are within which area, (n, areas): any part of the base, at any level."""
        return self.ground.touching(poses)

    def level(self, poses: Poses) -> Floats:
        """Inches above the table each model stands."""
        return np.asarray(poses.z / INCH)


def over_barricade(a: Poses, b: Poses, terrain: Terrain, within: float = 2.0, beside: float = 1.0) -> Bools:
    """Which models of ``a`` and ``b`` face each other over a barricade: within 2", ``b`` within 1" of it, it between them.

    Rule: 10e T-11.4: a charge may be completed so, and both may fight so.
    """
    bars = np.array([feature.kind == "barricade" for feature in terrain.features], bool)
    result = np.zeros((len(a), len(b)), bool)
    if not bars.any() or not len(a) or not len(b):
        return result
    near = gaps(a, b, within + GRAIN) <= within + GRAIN
    for row in np.nonzero(bars)[0].tolist():
        outline = Polygons.of([terrain.features[row].outline])
        close = outline.clearances(b, beside + GRAIN)[:, 0] <= beside + GRAIN
        rows, columns = np.nonzero(near & close)
        if len(rows):
            k = len(outline.start)
            one, two = np.repeat(a.inches[rows], k, axis=0), np.repeat(b.inches[columns], k, axis=0)
            sides = np.tile(outline.start, (len(rows), 1)), np.tile(outline.end, (len(rows), 1))
            result[rows, columns] |= cross(one, two, *sides).reshape(len(rows), k).any(axis=1)
    return result


NO_TERRAIN = Terrain(())


def height_of(feature: Feature) -> float:
    """The height of a feature in inches: its own, or that of its kind."""

    return KINDS[feature.kind].height if feature.height is None else feature.height


def surfaces(feature: Feature) -> tuple[float, ...]:
    """The levels above ground a model may stand on, where its kind allows it at all.

    >>> surfaces(Feature("hills", ((0, 0), (4, 0), (4, 4)), 3)), surfaces(Feature("crater", ((0, 0), (4, 0), (4, 4))))
    ((3,), ())
    """
    if not KINDS[feature.kind].standable:
        return ()
    return feature.floors or (height_of(feature),)
