"""The benefit of cover, and who is hidden: what terrain does for a target of ranged attacks.

Both editions ask for each model; what cover is worth, and that other rules give it too, is the attack's business.
"""

from __future__ import annotations

import numpy as np

from battlewright.battlefield.measure import GRAIN
from battlewright.battlefield.shapes import Bools, Floats, Ints, Poses
from battlewright.battlefield.sight import Scene
from battlewright.battlefield.terrain import Polygons


def cover_from(scene: Scene, attackers: Ints | list[int], target: Ints | list[int], small: Bools) -> Bools:
    """Against which attacking model the target unit has the benefit of cover from terrain, (attackers,). Rule: 11e 13.08.

    Every model of the unit must be ``small`` (INFANTRY, BEASTS or SWARM, one flag a target model) within a terrain area, or
    not be fully visible to that attacker because of terrain between.

    >>> from battlewright.battlefield import ELEVENTH, Area, Poses, Table, Terrain
    >>> from battlewright.datasheet import Base
    >>> area = Area(((30, 18), (36, 18), (36, 26), (30, 26)))
    >>> table = Table(Poses.of([Base("round", 32)] * 3, [(20, 22), (31, 22), (28.9, 21.5)]), np.array([0, 1, 1]))
    >>> scene = Scene(table, Terrain.of([area]), ELEVENTH.sight)
    >>> bool(cover_from(scene, [0], [1], np.array([True]))[0]), bool(cover_from(scene, [0], [1, 2], np.array([True] * 2))[0])
    (True, False)
    """
    inside = small & _within_area(scene, target)
    if inside.all():
        return np.ones(len(attackers), bool)
    if not scene.terrain.areas:
        return np.zeros(len(attackers), bool)
    rest = np.asarray(target, np.int64)[~inside]
    return np.asarray((~scene.clear(attackers, rest)).all(axis=1))


def covered(scene: Scene, attackers: Ints | list[int], target: Ints | list[int], infantry: Bools) -> Bools:
    """Which models of the target have the benefit of cover from terrain against this attacking unit.

    A feature gives it to a model that some attacking model does not see fully because of it; craters to INFANTRY wholly on
    them, woods and ruins to models wholly within, barricades only to INFANTRY wholly within 3" of them.
    Rules: 10e T-11.1, T-11.2.
    """
    terrain = scene.terrain
    models = scene.table.poses.take(np.asarray(target, np.int64))
    if not terrain.areas:
        return np.zeros(len(models), bool)
    wholly = terrain.ground.wholly(models)
    result = (wholly & terrain.areas_of("woods", "ruins")).any(axis=1)
    result |= infantry & (wholly & terrain.areas_of("crater")).any(axis=1)
    bars = np.array([feature.kind == "barricade" for feature in terrain.features], bool)
    result |= ~scene.clear(attackers, target, ~bars).all(axis=0)
    near = infantry & _wholly_near(models, terrain.outlines, bars, 3.0)
    if near.any():
        result |= near & ~scene.clear(attackers, target, bars, areas=False).all(axis=0)
    return np.asarray(result)


def _wholly_near(models: Poses, outlines: Polygons, chosen: Bools, inches: float) -> Bools:
    """Models wholly within so far of one of the chosen features: the far side of their base, by its enclosing circle."""
    apart = outlines.clearances(models)[:, chosen] + 2 * models.reach[:, None]
    return np.asarray((apart <= inches + GRAIN).any(axis=1))


def _within_area(scene: Scene, target: Ints | list[int]) -> Bools:
    models = scene.table.poses.take(np.asarray(target, np.int64))
    return np.asarray(scene.terrain.within_areas(models).any(axis=1))


def hidden(scene: Scene, models: Ints | list[int], small: Bools, quiet: Bools) -> Bools:
    """Which models are hidden: ``small`` ones within an area with a light or dense feature, whose unit was ``quiet``
    (no ranged attack this turn or the last). Rule: 11e 13.09.
    """
    poses = scene.table.poses.take(np.asarray(models, np.int64))
    within = scene.terrain.within_areas(poses) & scene.terrain.obscuring
    return np.asarray(small & quiet & within.any(axis=1))


def detection(
    scene: Scene, observers: Ints | list[int], models: Ints | list[int], is_hidden: Bools, ranges: Floats, quiet: Bools
) -> Floats:
    """Inches at which each observer sees each model at all, (observers, models): infinite for those not hidden.

    ``ranges``: each model's detection range (15 unless changed); 3" less for a hidden one that a solid feature between
    keeps from being fully visible and whose unit was ``quiet`` (gone to ground). Rules: 11e 13.09, 13.11.01.
    """
    shape = len(observers), len(models)
    if not is_hidden.any():
        return np.full(shape, np.inf)
    result = np.broadcast_to(np.where(is_hidden, ranges, np.inf), shape).copy()
    solid = np.array([feature.kind == "dense" for feature in scene.terrain.features], bool) & scene.terrain.solid
    if solid.any():
        barred = ~scene.clear(observers, models, solid, areas=False)
        result -= np.where(is_hidden & quiet & barred, 3.0, 0.0)
    return result
