"""Objectives: which models are in range, and what each player's level of control is.

Rules: 11e 14; 10e T-12.
"""

from __future__ import annotations

import numpy as np

from battlewright.battlefield.measure import GRAIN, drops, gaps
from battlewright.battlefield.shapes import MM, Bools, Floats, Ints, Poses
from battlewright.battlefield.terrain import Terrain
from battlewright.datasheet import Base

MARKER = Base("round", 40)
CONTESTED = -1


def markers(at: list[tuple[float, float]], level: list[float] | None = None) -> Poses:
    """Objective markers at these points (inches): 40 mm and flat (11e 14.01.01; 10e T-12.1)."""
    return Poses.of([MARKER] * len(at), at, z=level, heights=[0.0] * len(at))


def in_range(models: Poses, objectives: Poses, horizontal: float = 3, vertical: float = 5) -> Bools:
    """Which models are in range of which marker, (n, k). Rules: 11e 14.01.01; 10e T-12.2.

    >>> trooper = Poses.of([Base("round", 32)], [(34, 22)])
    >>> in_range(trooper, markers([(30, 22), (10, 10)])).tolist()
    [[True, False]]
    """
    near = gaps(models, objectives, horizontal + GRAIN) <= horizontal + GRAIN
    return np.asarray(near & (drops(models, objectives) <= vertical + GRAIN))


def in_terrain_objective(models: Poses, terrain: Terrain, areas: Ints | list[int]) -> Bools:
    """Which models are in range of which objective that is a terrain area: within the area (11e 14.01)."""
    return terrain.within_areas(models)[:, np.asarray(areas, np.int64)]


def area_at(terrain: Terrain, point: tuple[float, float]) -> int | None:
    """The terrain area an objective point lies in (its edge counts), or None: then it is a marker (11e 14.01)."""
    place = np.array([point], float)
    found = np.nonzero(terrain.ground.holds(place)[0] | (terrain.ground.border(place)[0] <= GRAIN))[0]
    return int(found[0]) if len(found) else None


def area_pose(terrain: Terrain, area: int) -> Poses:
    """A terrain area as a flat base, so that distances to an objective run to its closest part (11e 14.01).

    >>> from battlewright.battlefield.terrain import Area
    >>> ground = Terrain.of([Area(((10, 10), (16, 10), (16, 14), (10, 14)))])
    >>> trooper = Poses.of([Base("round", 25.4)], [(20, 12)])
    >>> round(float(gaps(trooper, area_pose(ground, 0))[0, 0]), 6)
    3.5
    """
    corners = np.array(terrain.areas[area].area, float)
    base = Base("hull", tuple((float(x), float(y)) for x, y in corners / MM))
    flat = Poses.of([base], [(0.0, 0.0)], heights=[0.0])
    offset = corners[0] - flat.outlines()[0][0]
    return Poses.of([base], [(float(offset[0]), float(offset[1]))], heights=[0.0])


def levels(near: Bools, control: Ints, player: Ints, players: int = 2) -> Ints:
    """Each player's level of control at each objective, (objectives, players).

    ``near`` (models, objectives); ``control`` the models' OC now (0 for "-"); ``player`` whose they are.
    Rules: 11e 14.02; 10e T-12.2.
    """
    weights: Floats = np.where(player[:, None] == np.arange(players), control[:, None], 0).astype(float)
    return np.rint(near.T.astype(float) @ weights).astype(np.int64)


def controllers(level: Ints, holder: Ints, secured: Bools) -> Ints:
    """Who controls each objective now; :data:`CONTESTED` for nobody.

    ``holder``: who controlled it before; ``secured``: it stays with that player until another's level is greater.
    Rules: 11e 14.02, 14.03; 10e T-12.3.

    >>> level = np.array([[4, 4], [0, 0], [1, 3]])
    >>> controllers(level, np.array([0, 0, 0]), np.array([False, True, True])).tolist()
    [-1, 0, 1]
    """
    best = level.max(axis=1)
    alone = (level == best[:, None]).sum(axis=1) == 1
    winner = np.where(alone & (best > 0), level.argmax(axis=1), CONTESTED)
    kept = secured & (holder != CONTESTED)
    own = level[np.arange(len(level)), np.where(kept, holder, 0)]
    return np.where(kept & (best <= own), holder, winner)
