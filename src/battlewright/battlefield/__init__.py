"""The table: bases, distances, terrain, sight and movement as functions on arrays. No rules of phases, no state.

Everything here takes :class:`Poses` (integers of 1/1000 inch) and gives arrays; edition numbers come in as values
(:mod:`battlewright.battlefield.numbers`).
"""

from battlewright.battlefield.measure import (
    clearances,
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
from battlewright.battlefield.numbers import ELEVENTH, TENTH, Coherency, FieldNumbers, Sight
from battlewright.battlefield.objectives import area_at, controllers, in_range, in_terrain_objective, levels, markers
from battlewright.battlefield.shapes import Footprint, Poses, assumed_height, joined
from battlewright.battlefield.sight import Scene, Table
from battlewright.battlefield.terrain import NO_TERRAIN, Area, Feature, Polygons, Terrain

__all__ = [
    "ELEVENTH",
    "NO_TERRAIN",
    "TENTH",
    "Area",
    "Coherency",
    "Feature",
    "FieldNumbers",
    "Footprint",
    "Polygons",
    "Poses",
    "Scene",
    "Sight",
    "Table",
    "Terrain",
    "area_at",
    "assumed_height",
    "clearances",
    "coherent",
    "controllers",
    "distances",
    "engaged",
    "gaps",
    "in_contact",
    "in_range",
    "in_terrain_objective",
    "joined",
    "levels",
    "markers",
    "overlaps",
    "strays",
    "wholly_within",
    "within",
]
