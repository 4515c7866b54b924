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
from battlewright.battlefield.shapes import Footprint, Poses, assumed_height, joined

__all__ = [
    "ELEVENTH",
    "TENTH",
    "Coherency",
    "FieldNumbers",
    "Footprint",
    "Poses",
    "Sight",
    "assumed_height",
    "clearances",
    "coherent",
    "distances",
    "engaged",
    "gaps",
    "in_contact",
    "joined",
    "overlaps",
    "strays",
    "wholly_within",
    "within",
]
