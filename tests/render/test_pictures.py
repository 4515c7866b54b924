"""Drawings: well-formed, to scale, nothing left out."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree

import pytest

from battlewright.battlefield import Area, Feature
from battlewright.datasheet import Base
from battlewright.render import svg, text
from battlewright.render.picture import Field, Group, Marker, Picture, Ring, Ruler, Token

SVG = "{http://www.w3.org/2000/svg}"
SQUARE = ((10.0, 10.0), (18.0, 10.0), (18.0, 16.0), (10.0, 16.0))
WALL = ((11.0, 11.0), (17.0, 11.0), (17.0, 11.5), (11.5, 11.5), (11.5, 15.0), (11.0, 15.0))


def picture(**changes) -> Picture:
    squad = Group(
        "a1",
        "Guard & <Friends>",
        "A",
        tuple(Token("Guard", (5 + 1.5 * i, 5), Base("round", 32)) for i in range(3)),
        5,
        ("advanced",),
    )
    tank = Group("b1", "Tank", "B", (Token("Tank", (40, 20), Base("oval", (120, 92)), 90, 7, 12),), 1)
    away = Group("b2", "Scouts", "B", (), 5, (), "in reserves")
    parts = {
        "title": "A test",
        "edition": "11e",
        "round": 2,
        "turn": "A",
        "phase": "shooting",
        "vp": (4, 5),
        "areas": (Area(SQUARE, (Feature("dense", WALL, 5),)),),
        "zones": (((0, 0), (18, 0), (18, 44), (0, 44)), ()),
        "objectives": (Marker((30, 22), "A", (4, 2)), Marker((10, 30))),
        "groups": (squad, tank, away),
        "rulers": (Ruler((5, 5), (40, 20)),),
        "rings": (Ring("a1", 6),),
    }
    return Picture(**{**parts, **changes})


def test_the_drawing_is_well_formed_and_shows_everything():
    drawing = ElementTree.fromstring(svg.draw(picture()))
    titles = [title.text for title in drawing.iter(f"{SVG}title")]
    assert sum("Guard (a1)" in title for title in titles) == 3
    assert "Tank (b1), 7 of 12 wounds" in titles
    assert 'dense, 5" high' in titles
    words = [node.text for node in drawing.iter(f"{SVG}text")]
    assert "Guard & <Friends> 3/5" in words
    assert "Scouts: in reserves" in words
    assert "objective 1: 4 to 2" in words
    assert f'{math.hypot(35, 15):.1f}"' in words


def test_bases_are_to_scale():
    drawing = ElementTree.fromstring(svg.draw(picture()))
    group = next(
        node for node in drawing.iter(f"{SVG}g") if (node.get("transform") or "").startswith("translate(40 20)")
    )
    ellipse = next(group.iter(f"{SVG}ellipse"))
    assert float(ellipse.get("rx")) == pytest.approx(60 / 25.4, abs=1e-3)
    assert float(ellipse.get("ry")) == pytest.approx(46 / 25.4, abs=1e-3)
    radii = [float(node.get("r")) for node in drawing.iter(f"{SVG}circle")]
    assert sum(abs(r - 16 / 25.4) < 1e-3 for r in radii) == 3
    box = [float(part) for part in drawing.get("viewBox").split()]
    assert float(drawing.get("width")) / box[2] == pytest.approx(float(drawing.get("height")) / box[3])


def test_the_same_picture_is_drawn_the_same():
    assert svg.draw(picture()) == svg.draw(picture())


def test_an_empty_table_is_drawn():
    ElementTree.fromstring(svg.draw(Picture()))
    assert "Before the battle" in text.draw(Picture())


def test_names_do_not_cover_each_other():
    crowd = tuple(
        Group(f"a{i}", f"Crowded unit {i}", "A", (Token("One", (20 + 0.5 * i, 20), Base("round", 32)),), 1)
        for i in range(4)
    )
    drawing = ElementTree.fromstring(svg.draw(picture(groups=crowd)))
    names = {node.text: node.get("y") for node in drawing.iter(f"{SVG}text") if (node.text or "").startswith("Crowded")}
    assert len(set(names.values())) == 4


def test_long_names_side_by_side_and_levels_of_control_keep_apart():
    """A bold letter is wider than half its height: names 10 inches apart may still meet."""
    pair = tuple(
        Group(f"a{i}", "A squad with a long name", "A", (Token("One", (x, 20), Base("round", 32)),), 1)
        for i, x in enumerate((20, 30))
    )
    marker = Marker((40, 15), "B", (0, 17))
    beside = Group("b1", "Holder", "B", (Token("One", (40, 20.5), Base("round", 32)),), 1)
    drawing = ElementTree.fromstring(svg.draw(picture(groups=(*pair, beside), objectives=(marker,))))
    lines = {node.text: node for node in drawing.iter(f"{SVG}text")}
    names = [node for node in drawing.iter(f"{SVG}text") if (node.text or "").startswith("A squad")]
    assert len({node.get("y") for node in names}) == 2
    levels = lines["objective 1: 0 to 17"]
    assert float(levels.get("y", "0")) > 15 + 3
    assert abs(float(lines["Holder"].get("y", "0")) - float(levels.get("y", "0"))) > 0.6


def test_a_field_is_as_large_as_its_places():
    places = tuple((20 + 0.5 * i, 20 + 0.5 * j) for i in range(5) for j in range(3) if (i, j) != (2, 1))
    strips = list(svg._strips(Field("A", places)))
    assert sum(length * 0.5 for _, _, length in strips) == pytest.approx(len(places) * 0.25)
    drawing = ElementTree.fromstring(svg.draw(picture(fields=(Field("A", places),))))
    assert "may move here" in [title.text for title in drawing.iter(f"{SVG}title")]


def test_the_text_view_names_every_unit_once():
    drawn = text.draw(picture())
    for line in ("A  A a1 Guard & <Friends> 3/5; advanced", "a  B b1 Tank 1/1; wounds 7", "   B b2 Scouts in reserves"):
        assert line in drawn.splitlines()
    assert "objective 1 at 30, 22: held by A 4:2" in drawn
    table = [line for line in drawn.splitlines() if line.startswith("|")]
    assert {len(line) for line in table} == {62}
    assert len(table) == 22
    assert "#" in "".join(table)
