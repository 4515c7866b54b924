"""A picture of the table as SVG: to scale, one user unit an inch, nothing fetched from anywhere."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from typing import TypeAlias

from battlewright.battlefield.shapes import MM, Footprint
from battlewright.battlefield.terrain import Area, Feature, Point, height_of
from battlewright.render.picture import SIDES, Field, Group, Marker, Picture, Ring, Ruler, Side, Token

Box: TypeAlias = tuple[float, float, float, float]
MARGIN = 2.2
HEAD = 3.4
PIXELS = 16
LETTER = 0.63
"""How wide a bold letter is taken to be, in parts of its size: a little more than it mostly is."""
LEVEL_SIZE = 0.62
COLOURS: dict[Side | None, tuple[str, str, str]] = {
    "A": ("#2f6db3", "#173d69", "#dce8f5"),
    "B": ("#c8502d", "#7a2a12", "#f8e2da"),
    None: ("#8a8474", "#57523f", "#efece2"),
}
GROUND = {"dense": "#b9b3a4", "ruins": "#b9b3a4", "woods": "#b5c6a0", "hills": "#cfc3a1", "crater": "#d9cdb8"}
FEATURES = {
    "dense": "#6f6a60",
    "ruins": "#6f6a60",
    "light": "#958d7c",
    "barricade": "#958d7c",
    "debris": "#a39a86",
    "exposed": "#c4b9a2",
    "crater": "#c9bca3",
    "woods": "#7f9c62",
    "hills": "#b3a47c",
}
FONT = "font-family=\"'Source Sans 3','Segoe UI','DejaVu Sans',sans-serif\""


def draw(picture: Picture) -> str:
    """The whole drawing.

    >>> text = draw(Picture(title="Open field"))
    >>> text.startswith("<svg"), "Open field" in text
    (True, True)
    """
    width, depth = picture.board
    away = [group for group in picture.groups if not group.tokens]
    foot = 1.6 + 0.9 * math.ceil(len(away) / 3) if away else 1.2
    full_width, full_depth = width + 2 * MARGIN, depth + MARGIN + HEAD + foot
    body = "\n".join(
        part
        for layer in (
            _head(picture),
            _mat(picture),
            _zones(picture),
            _terrain(picture),
            _fields(picture),
            _rings(picture),
            _objectives(picture),
            _units(picture),
            _levels(picture),
            _rulers(picture),
            _foot(picture, away),
        )
        for part in layer
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(full_width)} {_n(full_depth)}" '
        f'width="{_n(full_width * PIXELS)}" height="{_n(full_depth * PIXELS)}" {FONT} role="img" '
        f'aria-label="{escape(picture.title or picture.clock)}">\n{_defs()}\n'
        f'<rect width="100%" height="100%" fill="#faf8f3"/>\n<g transform="translate({_n(MARGIN)} {_n(HEAD)})">\n'
        f"{body}\n</g>\n</svg>\n"
    )


def _n(value: float) -> str:
    """A number to 1/1000 inch, no longer than it must be.

    >>> _n(3.0), _n(1.25984), _n(-0.0001)
    ('3', '1.26', '0')
    """
    return f"{round(value, 3) + 0.0:g}"


def _defs() -> str:
    hatch = "".join(
        f'<pattern id="zone{side}" width="0.9" height="0.9" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate({angle})"><rect width="0.9" height="0.9" fill="{COLOURS[side][2]}"/>'
        f'<line y2="0.9" stroke="{COLOURS[side][0]}" stroke-width="0.12" opacity="0.25"/></pattern>'
        for side, angle in zip(SIDES, (45, -45), strict=True)
    )
    shadow = (
        '<filter id="shade" x="-20%" y="-20%" width="140%" height="140%"><feDropShadow dx="0.05" dy="0.09" '
        'stdDeviation="0.09" flood-opacity="0.35"/></filter>'
    )
    return f"<defs>{hatch}{shadow}</defs>"


def _text(at: Point, words: str, size: float, fill: str = "#2b2a26", more: str = "") -> str:
    return f'<text x="{_n(at[0])}" y="{_n(at[1])}" font-size="{_n(size)}" fill="{fill}" {more}>{escape(words)}</text>'


def _halo(at: Point, words: str, size: float, fill: str, more: str = "") -> str:
    """Text that stays readable on anything: its outline in the colour of paper below it."""
    outline = f'stroke="#faf8f3" stroke-width="{_n(size * 0.28)}" stroke-linejoin="round" aria-hidden="true"'
    return _text(at, words, size, "#faf8f3", f"{outline} {more}") + _text(at, words, size, fill, more)


def _path(points: tuple[Point, ...]) -> str:
    return "M" + " L".join(f"{_n(x)} {_n(y)}" for x, y in points) + " Z"


# -- the table ---------------------------------------------------------------------------------------------------------


def _head(picture: Picture) -> Iterator[str]:
    width = picture.board[0]
    title = picture.title or "Battlefield"
    yield _text((0, -1.95), title, 1.15, more='font-weight="700"')
    edition = f"{picture.edition} · " if picture.edition else ""
    yield _text((0, -0.75), edition + picture.clock, 0.8, "#6a665b")
    for place, side in enumerate(SIDES):
        words = f"{picture.names[place]}   {picture.vp[place]} VP   {picture.cp[place]} CP"
        y = -1.95 + 1.05 * place
        yield f'<circle cx="{_n(width - 0.35)}" cy="{_n(y - 0.28)}" r="0.34" fill="{COLOURS[side][0]}"/>'
        yield _text((width - 1.0, y), words, 0.85, more='text-anchor="end" font-weight="600" xml:space="preserve"')


def _mat(picture: Picture) -> Iterator[str]:
    width, depth = picture.board
    yield f'<rect width="{_n(width)}" height="{_n(depth)}" fill="#efebe0" stroke="#8a8474" stroke-width="0.12"/>'
    lines = [f"M{x} 0V{_n(depth)}" for x in range(6, math.ceil(width), 6)]
    lines += [f"M0 {y}H{_n(width)}" for y in range(6, math.ceil(depth), 6)]
    yield f'<path d="{"".join(lines)}" stroke="#d8d2c1" stroke-width="0.05" fill="none"/>'
    ticks = [f"M{x} 0v{-0.5 if x % 6 == 0 else -0.22}" for x in range(math.floor(width) + 1)]
    ticks += [f"M0 {y}h{-0.5 if y % 6 == 0 else -0.22}" for y in range(math.floor(depth) + 1)]
    yield f'<path d="{"".join(ticks)}" stroke="#8a8474" stroke-width="0.06" fill="none"/>'
    for y in range(0, math.floor(depth) + 1, 6):
        yield _text((-0.7, y + 0.22), f"{y}", 0.6, "#8a8474", 'text-anchor="end"')
    for x in range(0, math.floor(width) + 1, 6):
        yield _text((x, depth + 0.85), f'{x}"', 0.6, "#8a8474", 'text-anchor="middle"')


def _zones(picture: Picture) -> Iterator[str]:
    for side, zone in zip(SIDES, picture.zones, strict=True):
        if not zone:
            continue
        colour = COLOURS[side][0]
        yield (
            f'<path d="{_path(zone)}" fill="url(#zone{side})" fill-opacity="0.75" stroke="{colour}" '
            f'stroke-width="0.1" stroke-dasharray="0.5 0.35"/>'
        )


def _terrain(picture: Picture) -> Iterator[str]:
    for area in picture.areas:
        yield _area(area)
        for feature in area.features:
            yield _feature(feature)


def _area(area: Area) -> str:
    ground = next((GROUND[kind] for kind in sorted(area.kinds) if kind in GROUND), "#d6cfbe")
    name = area.name or ", ".join(sorted(area.kinds)) or "terrain area"
    return (
        f'<path d="{_path(area.area)}" fill="{ground}" fill-opacity="0.55" stroke="#6a665b" stroke-width="0.07" '
        f'stroke-dasharray="0.3 0.2"><title>{escape(name)}</title></path>'
    )


def _feature(feature: Feature) -> str:
    colour, high = FEATURES[feature.kind], height_of(feature)
    label = f'{feature.kind}, {high:g}" high'
    x, y = _inner_point(feature.outline)
    shape = (
        f'<path d="{_path(feature.outline)}" fill="{colour}" fill-opacity="{0.85 if high > 2 else 0.6}" '
        f'stroke="#3f3c34" stroke-width="0.06"><title>{escape(label)}</title></path>'
    )
    return shape + (_halo((x, y + 0.2), f'{high:g}"', 0.55, "#3f3c34", 'text-anchor="middle"') if high > 0 else "")


def _inner_point(outline: tuple[Point, ...]) -> Point:
    """A point inside an outline, its middle where that will do."""
    from shapely.geometry import Polygon

    shape = Polygon(outline)
    inside = shape.centroid if shape.contains(shape.centroid) else shape.representative_point()
    return inside.x, inside.y


def _objectives(picture: Picture) -> Iterator[str]:
    for number, marker in enumerate(picture.objectives, 1):
        yield from _objective(marker, number, picture.areas)


def _objective(marker: Marker, number: int, areas: tuple[Area, ...]) -> Iterator[str]:
    fill, dark, pale = COLOURS[marker.control]
    x, y = marker.at
    radius = 20 * MM
    if marker.area is None:
        yield (
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius + 3)}" fill="{pale}" fill-opacity="0.35" '
            f'stroke="{fill}" stroke-width="0.1" stroke-dasharray="0.25 0.25"/>'
        )
    else:
        outline = _path(areas[marker.area].area)
        yield f'<path d="{outline}" fill="none" stroke="{fill}" stroke-width="0.22"/>'
    yield (
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{pale}" stroke="{dark if marker.secured else fill}" '
        f'stroke-width="{0.4 if marker.secured else 0.25}">'
        f"<title>Objective {number}: {_held(marker)}</title></circle>"
    )
    yield _text((x, y + 0.32), str(number), 0.9, dark, 'text-anchor="middle" font-weight="700"')


def _levels(picture: Picture) -> Iterator[str]:
    """Both levels of control on the lower rim of each objective, above everything else."""
    for (x, y), words, side in _level_words(picture):
        yield _halo((x, y), words, LEVEL_SIZE, COLOURS[side][1], 'text-anchor="middle" font-weight="600"')


def _level_words(picture: Picture) -> Iterator[tuple[Point, str, Side | None]]:
    """Where the levels of control of each objective stand, what is written there, and whose colour it has.

    The number is told again: models may stand on the marker.
    """
    for number, marker in enumerate(picture.objectives, 1):
        if marker.levels == (0, 0):
            continue
        outline = () if marker.area is None else picture.areas[marker.area].area
        rim = max((y for _, y in outline), default=marker.at[1] + 20 * MM + 3)
        words = f"objective {number}: {marker.levels[0]} to {marker.levels[1]}"
        yield (marker.at[0], min(rim + 0.2, picture.board[1] - 0.2)), words, marker.control


def _held(marker: Marker) -> str:
    who = f"held by {marker.control}" if marker.control else "contested"
    return f"{who}{', secured' if marker.secured else ''}, level of control {marker.levels[0]} to {marker.levels[1]}"


# -- the units -----------------------------------------------------------------------------------------------------------


def _units(picture: Picture) -> Iterator[str]:
    on_table = [group for group in picture.groups if group.tokens]
    taken = [_box_of(at, words, LEVEL_SIZE) for at, words, _ in _level_words(picture)]
    models = [(group.id, _around(token)) for group in on_table for token in group.tokens]
    for group in on_table:
        yield from _unit(group)
    for group in on_table:
        others = [box for owner, box in models if owner != group.id]
        yield _label(group, picture.board, taken, others)


def _box_of(at: Point, words: str, size: float) -> Box:
    """The room a line of words takes, in the middle of ``at``."""
    wide = LETTER * size * len(words)
    return at[0] - wide / 2, at[1] - size, at[0] + wide / 2, at[1] + 0.1


def _around(token: Token) -> Box:
    (x, y), reach = token.at, _reach(token)
    return x - reach, y - reach, x + reach, y + reach


def _unit(group: Group) -> Iterator[str]:
    fill = COLOURS[group.side][0]
    if len(group.tokens) > 1:
        links = "".join(f"M{_n(a[0])} {_n(a[1])}L{_n(b[0])} {_n(b[1])}" for a, b in _links(group))
        yield (
            f'<path d="{links}" stroke="{fill}" stroke-width="0.9" stroke-linecap="round" opacity="0.22" fill="none"/>'
        )
    for token in group.tokens:
        yield _token(token, group)


def _links(group: Group) -> Iterator[tuple[Point, Point]]:
    """A tree that joins the models of a unit, each to the nearest joined before."""
    joined = [group.tokens[0].at]
    left = [token.at for token in group.tokens[1:]]
    while left:
        _, here, there = min((math.dist(a, b), a, b) for a in joined for b in left)
        yield here, there
        left.remove(there)
        joined.append(there)


def _token(token: Token, group: Group) -> str:
    fill, dark, _ = COLOURS[group.side]
    x, y = token.at
    hurt = token.wounds < token.full
    title = f"{token.name} ({group.id}), {token.wounds} of {token.full} wounds"
    if token.z:
        title += f', {token.z:g}" up'
    style = f'fill="{fill}" stroke="{dark}" stroke-width="0.09" filter="url(#shade)"'
    parts = [f'<g transform="translate({_n(x)} {_n(y)})"><title>{escape(title)}</title>', _base(token, style)]
    if token.full > 1:
        size = min(0.75, 0.36 + 0.22 * _reach(token))
        colour = "#ffe9a8" if hurt else "#ffffff"
        parts.append(_text((0, size * 0.36), str(token.wounds), size, colour, 'text-anchor="middle" font-weight="700"'))
    return "".join(parts) + "</g>"


def _reach(token: Token) -> float:
    return float(Footprint.of([token.base], [0.0]).reach[0])


def _base(token: Token, style: str) -> str:
    shape = Footprint.of([token.base], [0.0])
    half = shape.half[0]
    turn = f'transform="rotate({token.facing})"'
    if token.base.shape == "round":
        return f'<circle r="{_n(half[0])}" {style}/>'
    back, tip = _n(half[0] * 0.55), _n(half[0] * 0.85)
    nose = f'<path d="M{back} -0.2L{tip} 0L{back} 0.2Z" fill="#ffffff" opacity="0.8"/>'
    if token.base.shape == "oval":
        return f'<g {turn}><ellipse rx="{_n(half[0])}" ry="{_n(half[1])}" {style}/>{nose}</g>'
    outline = _path(tuple((float(px), float(py)) for px, py in shape.corners[0]))
    return f'<g {turn}><path d="{outline}" stroke-linejoin="round" {style}/>{nose}</g>'


def _label(group: Group, board: tuple[float, float], taken: list[Box], models: list[Box]) -> str:
    """The unit's name where it covers no other name and as few models of others as can be: above or below."""
    words = group.name + (f" {len(group.tokens)}/{group.start}" if group.start > 1 else "")
    notes = _notes(group)
    size = 0.78
    state_size = 0.58
    wide = LETTER * max(size * len(words), state_size * len(", ".join(notes)))
    xs = [token.at[0] for token in group.tokens]
    ys = [token.at[1] for token in group.tokens]
    reach = max(_reach(token) for token in group.tokens)
    middle = min(max(sum(xs) / len(xs), wide / 2), board[0] - wide / 2)
    above, below = min(ys) - reach - 0.25, max(ys) + reach + 0.8
    places = [(middle, above), (middle, below)]
    places += [(middle, above - 0.85 * n) for n in (1, 2)] + [(middle, below + 0.85 * n) for n in (1, 2)]
    tall = size + (state_size if notes else 0)
    boxes = [(x - wide / 2, y - size, x + wide / 2, y + tall - size + 0.1) for x, y in places]

    def covered(place: int) -> tuple[int, int]:
        box = boxes[place]
        names = sum(_meet(box, other) for other in taken) + (box[1] < -0.2) + (box[3] > board[1] + 0.2)
        return names, sum(_meet(box, other) for other in models)

    best = min(range(len(places)), key=covered)
    (x, y), box = places[best], boxes[best]
    taken.append(box)
    dark = COLOURS[group.side][1]
    name = _halo((x, y), words, size, dark, 'text-anchor="middle" font-weight="700"')
    if not notes:
        return name
    shift = y + state_size if y > max(ys) else y - size
    return name + _halo((x, shift), ", ".join(notes), state_size, dark, 'text-anchor="middle" font-style="italic"')


def _notes(group: Group) -> list[str]:
    """What a label says below the name: what the unit did, and how high it stands."""
    high = sorted({token.z for token in group.tokens if token.z})
    return [*group.states, *([f'{" and ".join(f"{z:g}" for z in high)}" up'] if high else [])]


def _meet(one: Box, two: Box) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


# -- measuring and the rest ----------------------------------------------------------------------------------------------


def _fields(picture: Picture) -> Iterator[str]:
    """Where a model may go, row by row in strips."""
    for shown in picture.fields:
        strips = "".join(
            f"M{_n(x)} {_n(y)}h{_n(length)}v{_n(shown.step)}h{_n(-length)}z" for x, y, length in _strips(shown)
        )
        yield f'<path d="{strips}" fill="{COLOURS[shown.side][0]}" fill-opacity="0.16"><title>may move here</title></path>'


def _strips(shown: Field) -> Iterator[tuple[float, float, float]]:
    """Squares beside each other as one strip: left, top, length."""
    rows: dict[float, list[float]] = {}
    for x, y in shown.places:
        rows.setdefault(round(y, 3), []).append(round(x, 3))
    for y, xs in sorted(rows.items()):
        start = before = min(xs)
        for x in [*sorted(xs)[1:], math.inf]:
            if x - before > shown.step * 1.01:
                yield start - shown.step / 2, y - shown.step / 2, before - start + shown.step
                start = x
            before = x


def _rings(picture: Picture) -> Iterator[str]:
    for ring in picture.rings:
        for group in picture.groups:
            if group.id == ring.unit:
                yield _ring(ring, group)


def _ring(ring: Ring, group: Group) -> str:
    """The union of all reaches, drawn as one shape."""
    from shapely import affinity
    from shapely.geometry import Point as Dot
    from shapely.geometry import Polygon
    from shapely.ops import unary_union

    parts = []
    for token in group.tokens:
        shape = Footprint.of([token.base], [0.0])
        if token.base.shape == "hull":
            base = Polygon(shape.corners[0])
        else:
            base = affinity.scale(Dot(0, 0).buffer(1, quad_segs=32), *shape.half[0])
        placed = affinity.translate(affinity.rotate(base, token.facing, origin=(0, 0)), *token.at)
        parts.append(placed.buffer(ring.inches, quad_segs=24))
    whole = unary_union(parts)
    rings = [whole] if whole.geom_type == "Polygon" else list(whole.geoms)
    path = " ".join(_path(tuple(line.coords[:-1])) for shape in rings for line in (shape.exterior, *shape.interiors))
    fill = COLOURS[group.side][0]
    return (
        f'<path d="{path}" fill="{fill}" fill-opacity="0.07" stroke="{fill}" stroke-width="0.09" fill-rule="evenodd" '
        f'stroke-dasharray="0.6 0.3"><title>{ring.inches:g}" of {escape(group.name)}</title></path>'
    )


def _rulers(picture: Picture) -> Iterator[str]:
    for ruler in picture.rulers:
        yield _ruler(ruler)


def _ruler(ruler: Ruler) -> str:
    (x1, y1), (x2, y2) = ruler.start, ruler.end
    middle = (x1 + x2) / 2, (y1 + y2) / 2 - 0.3
    line = f'x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}"'
    return (
        f'<line {line} stroke="#faf8f3" stroke-width="0.3" stroke-linecap="round"/>'
        f'<line {line} stroke="#2b2a26" stroke-width="0.12" stroke-linecap="round"/>'
        + "".join(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="0.18" fill="#2b2a26"/>' for x, y in (ruler.start, ruler.end))
        + _halo(
            middle,
            f'{math.dist(ruler.start, ruler.end):.1f}"',
            0.8,
            "#2b2a26",
            'text-anchor="middle" font-weight="700"',
        )
    )


def _foot(picture: Picture, away: list[Group]) -> Iterator[str]:
    width, depth = picture.board
    yield (
        f'<path d="M{_n(width - 6)} {_n(depth + 1.25)}h6m-6 -0.2v0.4m6 -0.4v0.4m-3 -0.3v0.2" stroke="#57523f" '
        f'stroke-width="0.1" fill="none"/>'
    )
    yield _text((width - 6.3, depth + 1.45), "six inches", 0.6, "#57523f", 'text-anchor="end"')
    for place, group in enumerate(away):
        x, y = (place % 3) * width / 3.6, depth + 2.1 + 0.9 * (place // 3)
        colour = COLOURS[group.side][0]
        yield f'<circle cx="{_n(x + 0.25)}" cy="{_n(y - 0.22)}" r="0.25" fill="{colour}"/>'
        yield _text((x + 0.7, y), f"{group.name}: {group.away or 'not on the battlefield'}", 0.62, "#57523f")
