"""The table: bases, distances, terrain, sight and movement as functions on arrays. No rules of phases, no state.

Everything here takes :class:`Poses` (integers of 1/1000 inch) and gives arrays; edition numbers come in as values
(:mod:`battlewright.battlefield.numbers`).
"""

from battlewright.battlefield.checking import check
from battlewright.battlefield.cover import cover_from, covered, detection, hidden
from battlewright.battlefield.ending import NO_AIM, Aim, Ending
from battlewright.battlefield.layouts import layout, layouts
from battlewright.battlefield.measure import (
    clearances,
    closest,
    coherent,
    distances,
    engaged,
    gaps,
    in_contact,
    overlaps,
    strays,
    wholly_within,
    within,
)
from battlewright.battlefield.movement import ModelMove, MovePlan, Mover, Passage, Surroundings, Ways
from battlewright.battlefield.moves import ELEVENTH_MOVES, TENTH_MOVES, Move
from battlewright.battlefield.numbers import ELEVENTH, TENTH, Coherency, FieldNumbers, Sight
from battlewright.battlefield.objectives import (
    area_at,
    area_pose,
    controllers,
    in_range,
    in_terrain_objective,
    levels,
    markers,
)
from battlewright.battlefield.planning import Intent, check_set_up, plan, reach, set_up, with_ways
from battlewright.battlefield.shapes import Footprint, Poses, assumed_height, joined
from battlewright.battlefield.sight import Scene, Table
from battlewright.battlefield.terrain import NO_TERRAIN, Area, Feature, Polygons, Terrain, over_barricade

__all__ = [
    "ELEVENTH",
    "ELEVENTH_MOVES",
    "NO_AIM",
    "NO_TERRAIN",
    "TENTH",
    "TENTH_MOVES",
    "Aim",
    "Area",
    "Coherency",
    "Ending",
    "Feature",
    "FieldNumbers",
    "Footprint",
    "Intent",
    "ModelMove",
    "Move",
    "MovePlan",
    "Mover",
    "Passage",
    "Polygons",
    "Poses",
    "Scene",
    "Sight",
    "Surroundings",
    "Table",
    "Terrain",
    "Ways",
    "area_at",
    "area_pose",
    "assumed_height",
    "check",
    "check_set_up",
    "clearances",
    "closest",
    "coherent",
    "controllers",
    "cover_from",
    "covered",
    "detection",
    "distances",
    "engaged",
    "gaps",
    "hidden",
    "in_contact",
    "in_range",
    "in_terrain_objective",
    "joined",
    "layout",
    "layouts",
    "levels",
    "markers",
    "over_barricade",
    "overlaps",
    "plan",
    "reach",
    "set_up",
    "strays",
    "wholly_within",
    "with_ways",
    "within",
]
