"""What stands on the table: bases as arrays, and where they stand.

A :class:`Footprint` table holds what never changes about each model (shape, size, height); :class:`Poses` adds where each
stands now. Positions, levels and heights are integers of 1/1000 inch, facings whole degrees counter-clockwise from +x;
sizes and distances are inches. A hull stands on the centre of its smallest enclosing rectangle (10e T-4.1; 11e 17.02).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from battlewright.datasheet import Base

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]

ROUND, OVAL, HULL = 0, 1, 2
KINDS = {"round": ROUND, "oval": OVAL, "hull": HULL}
INCH = 1000
MM = 1 / 25.4
TURN = np.radians(np.arange(360))
COS, SIN = np.cos(TURN), np.sin(TURN)
COS[[90, 270]] = 0.0
SIN[[0, 180]] = 0.0
TURNED = list(zip(COS.tolist(), SIN.tolist(), strict=True))
ASSUMED_HEIGHTS = ((25, 1.2), (32, 1.5), (40, 2.0), (50, 2.4), (60, 2.8), (90, 3.5), (130, 5.0))


def assumed_height(base: Base) -> float:
    """Inches a model on this base is taken to stand when its datasheet does not say; grows with the base.

    No rulebook prints heights; callers that use this should show that it is assumed.

    >>> assumed_height(Base("round", 32)), assumed_height(Base("oval", (170, 109)))
    (1.5, 6.0)
    """
    size = max(2 * _circumscribed(base) / MM, 1)
    return next((height for mm, height in ASSUMED_HEIGHTS if size <= mm + 0.5), 6.0)


Listed: TypeAlias = tuple[int, tuple[float, float], tuple[tuple[float, float], ...]]
"""One base in plain numbers: its kind, half-axes, and corners where it is a hull."""


@dataclass(frozen=True, slots=True, eq=False)
class Bases:
    """What never changes about some models. Columns as :class:`Footprint` tells them."""

    kind: NDArray[np.int8]
    half: Floats
    reach: Floats
    tall: Ints
    corners: Floats
    inner: Floats
    listed: dict[int, Listed] = field(default_factory=dict)
    """Rows in plain numbers, those that were asked for."""


class Footprint:
    """The bases of n models: rows of a table, of which only what is asked for is looked up.

    ``half``: half-axes in inches; ``reach``: radius of the circle around; ``tall``: 1/1000 inch. ``corners`` (n, k, 2) are
    hull corners in inches at facing 0, the last repeated to fill up; k is 0 without hulls. ``inner``: radius of a circle
    within, around the place: minus infinity for a hull, which may bend around it.
    """

    def __init__(self, bases: Bases, rows: Ints) -> None:
        self.bases = bases
        self.rows = rows

    @classmethod
    def of(cls, bases: Sequence[Base], heights: Sequence[float | None] | None = None) -> Footprint:
        """The table of these bases; ``heights`` in inches, None where the datasheet is silent."""
        heights = heights if heights is not None else [None] * len(bases)
        tall = [round(INCH * (assumed_height(b) if h is None else h)) for b, h in zip(bases, heights, strict=True)]
        outlines = [_outline(base) for base in bases]
        most = max((len(outline) for outline in outlines), default=0)
        corners = np.zeros((len(bases), most, 2))
        for row, outline in enumerate(outlines):
            if len(outline):
                corners[row] = outline[np.minimum(np.arange(most), len(outline) - 1)]
        return cls.whole(
            np.array([KINDS[base.shape] for base in bases], np.int8),
            np.array([_half(base) for base in bases], float).reshape(-1, 2),
            np.array([_circumscribed(base) for base in bases], float),
            np.array(tall, np.int64),
            corners,
        )

    @classmethod
    def whole(cls, kind: NDArray[np.int8], half: Floats, reach: Floats, tall: Ints, corners: Floats) -> Footprint:
        """Every row of a new table."""
        inner = np.where(kind == HULL, -np.inf, half.min(axis=1, initial=np.inf))
        return cls(Bases(kind, half, reach, tall, corners, inner), np.arange(len(kind)))

    def take(self, rows: Ints | slice) -> Footprint:
        return Footprint(self.bases, self.rows[rows])

    @cached_property
    def kind(self) -> NDArray[np.int8]:
        return self.bases.kind[self.rows]

    @cached_property
    def half(self) -> Floats:
        return self.bases.half.take(self.rows, axis=0)  # quicker than an index

    @cached_property
    def reach(self) -> Floats:
        return self.bases.reach[self.rows]

    @cached_property
    def tall(self) -> Ints:
        return self.bases.tall[self.rows]

    @cached_property
    def corners(self) -> Floats:
        return self.bases.corners.take(self.rows, axis=0)

    @cached_property
    def inner(self) -> Floats:
        return self.bases.inner[self.rows]

    @cached_property
    def all_round(self) -> bool:
        return not np.count_nonzero(self.kind)

    def listed(self, place: int) -> Listed:
        """One base in plain numbers."""
        row, known = int(self.rows[place]), self.bases.listed
        if row not in known:
            kind, (half, other) = int(self.bases.kind[row]), self.bases.half[row].tolist()
            corners = self.bases.corners[row].tolist() if kind == HULL else []
            known[row] = kind, (half, other), tuple((x, y) for x, y in corners)
        return known[row]


@dataclass(frozen=True, slots=True, eq=False)
class Poses:
    """Where n models stand: ``xy`` (n, 2) and ``z`` in 1/1000 inch, ``facing`` in degrees, and what they stand on."""

    xy: Ints
    facing: Ints
    z: Ints
    footprint: Footprint

    @classmethod
    def of(
        cls,
        bases: Sequence[Base],
        at: Sequence[tuple[float, float]],
        *,
        facing: Sequence[int] | None = None,
        z: Sequence[float] | None = None,
        heights: Sequence[float | None] | None = None,
    ) -> Poses:
        """Models by hand: bases, places and levels in inches.

        >>> Poses.of([Base("round", 32)], [(20, 22.5)]).xy
        array([[20000, 22500]])
        """
        n = len(bases)
        level = np.zeros(n) if z is None else np.asarray(z, float)
        return cls(
            np.rint(np.asarray(at, float).reshape(n, 2) * INCH).astype(np.int64),
            np.zeros(n, np.int64) if facing is None else np.asarray(facing, np.int64) % 360,
            np.rint(level * INCH).astype(np.int64),
            Footprint.of(bases, heights),
        )

    def __len__(self) -> int:
        return len(self.xy)

    @property
    def kind(self) -> NDArray[np.int8]:
        return self.footprint.kind

    @property
    def half(self) -> Floats:
        return self.footprint.half

    @property
    def reach(self) -> Floats:
        return self.footprint.reach

    @property
    def inner(self) -> Floats:
        return self.footprint.inner

    @property
    def inches(self) -> Floats:
        """The places in inches."""
        return self.xy / INCH

    @property
    def all_round(self) -> bool:
        return self.footprint.all_round

    @property
    def on_ground(self) -> bool:
        """Does no model stand higher than the table?"""
        return not np.count_nonzero(self.z)

    @property
    def top(self) -> Ints:
        """The highest part of each model, 1/1000 inch above the table."""
        return self.z + self.footprint.tall

    def take(self, rows: Ints | Bools | slice | list[int]) -> Poses:
        """The models of these rows, in that order."""
        chosen = rows if isinstance(rows, slice) else _numbers(rows)
        return Poses(self.xy[chosen], self.facing[chosen], self.z[chosen], self.footprint.take(chosen))

    def at(self, xy: Ints, facing: Ints | None = None, z: Ints | None = None) -> Poses:
        """The same models elsewhere."""
        return Poses(xy, self.facing if facing is None else facing, self.z if z is None else z, self.footprint)

    def outlines(self) -> Floats:
        """The hull corners where the models stand, (n, k, 2) in inches; rows that are no hull are meaningless."""
        c, s = COS[self.facing % 360][:, None], SIN[self.facing % 360][:, None]
        x, y = self.footprint.corners[..., 0], self.footprint.corners[..., 1]
        at = self.inches
        result = np.empty(self.footprint.corners.shape)
        result[..., 0] = c * x - s * y + at[:, :1]
        result[..., 1] = s * x + c * y + at[:, 1:]
        return result


def _numbers(rows: Ints | Bools | list[int]) -> Ints:
    """Rows by number, whether they are listed or marked."""
    chosen = np.asarray(rows)
    return chosen.nonzero()[0] if chosen.dtype == bool else chosen.astype(np.int64, copy=False)


def joined(*parts: Poses) -> Poses:
    """All these models in one table, in order."""
    most = max((part.footprint.corners.shape[1] for part in parts), default=0)
    return Poses(
        np.concatenate([part.xy for part in parts]),
        np.concatenate([part.facing for part in parts]),
        np.concatenate([part.z for part in parts]),
        Footprint.whole(
            np.concatenate([part.footprint.kind for part in parts]),
            np.concatenate([part.footprint.half for part in parts]),
            np.concatenate([part.footprint.reach for part in parts]),
            np.concatenate([part.footprint.tall for part in parts]),
            np.concatenate([_padded(part.footprint.corners, most) for part in parts]),
        ),
    )


def _padded(corners: Floats, most: int) -> Floats:
    n, k, _ = corners.shape
    if k == most:
        return corners
    return corners[:, np.minimum(np.arange(most), k - 1)] if k else np.zeros((n, most, 2))


def _half(base: Base) -> tuple[float, float]:
    if base.shape == "hull":
        width, depth = np.ptp(_outline(base), axis=0) / 2
        return float(width), float(depth)
    mm = base.mm if isinstance(base.mm, tuple) else (base.mm, base.mm)
    return float(mm[0]) / 2 * MM, float(mm[1]) / 2 * MM  # type: ignore[arg-type]


def _circumscribed(base: Base) -> float:
    if base.shape == "hull":
        return float(np.sqrt((_outline(base) ** 2).sum(axis=1)).max())
    return max(_half(base))


def _outline(base: Base) -> Floats:
    """The corners of a hull in inches around the centre of its smallest enclosing rectangle."""
    if base.shape != "hull" or not isinstance(base.mm, tuple):
        return np.zeros((0, 2))
    corners = np.array(base.mm, float) * MM
    edges = np.roll(corners, -1, axis=0) - corners
    best = None
    for angle in np.arctan2(edges[:, 1], edges[:, 0]):
        c, s = np.cos(angle), np.sin(angle)
        along = corners @ np.array([[c, -s], [s, c]])
        low, high = along.min(axis=0), along.max(axis=0)
        area = float(np.prod(high - low))
        if best is None or area < best[0] - 1e-12:
            best = area, np.array([[c, -s], [s, c]]) @ ((low + high) / 2)
    assert best is not None
    return np.asarray(corners - best[1])
