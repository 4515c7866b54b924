"""Two readers of the rules of sight past terrain areas agree: the engine's, and the referee's own lines.

Rules: 11e 01.04.01, 13.10; 10e T-11.3.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from referee import Disc, is_line, is_whole
from shapely import Polygon

from battlewright.battlefield import ELEVENTH, TENTH, Area, Feature, Poses, Scene, Table, Terrain
from battlewright.datasheet import Base

FIELDS = {"10e": TENTH, "11e": ELEVENTH}
KIND = {"10e": "ruins", "11e": "dense"}
STEPS = st.integers(-60, 260)
MARGIN = 0.06


def box(x: float, y: float, width: float, depth: float) -> tuple[tuple[float, float], ...]:
    return (x, y), (x + width, y), (x + width, y + depth), (x, y + depth)


def area(edition: str, outline: tuple[tuple[float, float], ...]) -> Area:
    """An area that hides what is beyond by what it holds; the feature itself lies far off the table."""
    return Area(outline, (Feature(KIND[edition], box(500, 500, 1, 1), 5),))  # type: ignore[arg-type]


def seen(edition: str, one: Disc, other: Disc, areas: list[Area]) -> bool:
    return bool(scene(edition, one, other, areas).visible([0], [1])[0, 0])


def scene(edition: str, one: Disc, other: Disc, areas: list[Area]) -> Scene:
    bases = [Base("round", disc.radius * 2 * 25.4) for disc in (one, other)]
    table = Table(
        Poses.of(bases, [(one.x, one.y), (other.x, other.y)]),
        np.arange(2),
        np.array([one.aircraft, other.aircraft]),
        np.array([one.towering, other.towering]),
    )
    return Scene(table, Terrain.of(areas), FIELDS[edition].sight)


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_hair_of_a_base_within_an_area_is_within_it(edition: str) -> None:
    """It is seen there by both, though the area's edge stands between all but that hair and the observer."""
    area_it_is_in = area(edition, box(10, -5, 4, 10))
    one = Disc(4, 0, 0.6)
    for inside, is_seen in ((0.005, True), (-0.02, False)):
        other = Disc(14 + 0.5 - inside, 0, 0.5)
        assert is_line(edition, one, other, [area_it_is_in]) == is_seen
        assert seen(edition, one, other, [area_it_is_in]) == is_seen


@st.composite
def discs(draw: st.DrawFn) -> Disc:
    words = draw(st.sampled_from(["", "", "", "", "aircraft", "towering"]))
    x, y = draw(STEPS) / 10, draw(STEPS) / 20
    return Disc(x, y, draw(st.sampled_from([0.5, 0.63, 1.0, 1.6])), words == "aircraft", words == "towering")


@st.composite
def outlines(draw: st.DrawFn) -> tuple[tuple[float, float], ...]:
    x, y = draw(STEPS) / 10, draw(STEPS) / 20
    width, depth = draw(st.integers(3, 60)) / 10, draw(st.integers(3, 60)) / 10
    corners = box(x, y, width, depth)
    shape = draw(st.sampled_from(["box", "corner", "notch"]))
    if shape == "corner":
        return corners[:3]
    if shape == "notch":
        return (*corners[:3], (x + width / 2, y + depth / 2))
    return corners


@pytest.mark.parametrize("edition", ["10e", "11e"])
@given(one=discs(), other=discs(), shapes=st.lists(outlines(), min_size=1, max_size=5))
@settings(max_examples=150, deadline=None)
def test_engine_and_referee_see_the_same(
    edition: str, one: Disc, other: Disc, shapes: list[tuple[tuple[float, float], ...]]
) -> None:
    """What the engine sees, a line past the areas shows; what such a line shows with room to spare, the engine sees."""
    areas = [area(edition, shape) for shape in shapes]
    engine = seen(edition, one, other, areas)
    if engine:
        assert is_line(edition, one, other, areas, slack=0.005)
    else:
        assert not is_line(edition, one, other, areas, slack=-MARGIN)


@pytest.mark.parametrize("edition", ["10e", "11e"])
@given(one=discs(), other=discs(), shapes=st.lists(outlines(), min_size=1, max_size=5))
@settings(max_examples=150, deadline=None)
def test_engine_and_referee_agree_who_is_wholly_seen(
    edition: str, one: Disc, other: Disc, shapes: list[tuple[tuple[float, float], ...]]
) -> None:
    """Cover by terrain: does an area between hide some part of the side that faces the observer (13.08; T-11.1)?

    Left out: an observer on the edge of an area, where the engine judges a wall by the middle of what it hides.
    """
    if math.hypot(one.x - other.x, one.y - other.y) < one.radius + other.radius:
        return
    shapes = [s for s in shapes if not Polygon(s).boundary.intersects(one.shape)]
    areas = [area(edition, shape) for shape in shapes]
    if scene(edition, one, other, areas).clear([0], [1])[0, 0]:
        assert is_whole(edition, one, other, areas, slack=MARGIN)
    else:
        assert not is_whole(edition, one, other, areas, slack=-MARGIN)
