"""Terrain layouts of our own for a 60" x 44" battlefield, the same for both players: each is half drawn, half turned about.

Rules: 11e 13.01-13.05, 14.01; 10e T-11.2. ``layout("11e", "ruined town")`` gives the areas of a position.
"""

from __future__ import annotations

from collections.abc import Callable

from battlewright.battlefield.terrain import Area, Feature, FeatureKind, Point
from battlewright.effects import EditionId
from battlewright.errors import BadInput

WIDTH, DEPTH = 60.0, 44.0
Half = tuple[tuple[str, tuple[float, float, float, float]], ...]

#: name -> (what stands there, (x, y, width, depth)) of the half that is drawn, the middle piece last where there is one
HALVES: dict[str, Half] = {
    "ruined town": (
        ("ruin", (7, 5, 8, 6)),
        ("ruin", (5, 30, 8, 6)),
        ("ruin", (19, 10, 9, 6)),
        ("barrier", (15, 23, 5, 1)),
        ("rubble", (21, 37, 6, 4)),
        ("court", (25.5, 18.5, 9, 7)),
    ),
    "green valley": (
        ("wood", (8, 8, 7, 6)),
        ("hill", (6, 27, 8, 6)),
        ("wood", (22, 28, 7, 6)),
        ("barrier", (19, 12, 1, 6)),
        ("rubble", (25, 3, 6, 4)),
        ("rubble", (27, 20, 6, 4)),
    ),
    "storage yard": (
        ("container", (9, 7, 6, 2.5)),
        ("container", (12, 33, 2.5, 6)),
        ("barrier", (18, 17, 1, 5)),
        ("container", (22, 8, 2.5, 6)),
        ("ruin", (19, 26, 8, 6)),
        ("debris", (28, 20, 4, 4)),
    ),
}


def layouts() -> tuple[str, ...]:
    """The names of the layouts.

    >>> layouts()
    ('ruined town', 'green valley', 'storage yard')
    """
    return tuple(HALVES)


def layout(edition: EditionId, name: str) -> tuple[Area, ...]:
    """The areas of a layout with the kinds of the edition. Raises :class:`BadInput` for a name that is none.

    >>> len(layout("11e", "ruined town")), sorted(layout("10e", "ruined town")[0].kinds)
    (11, ['ruins'])
    """
    half = HALVES.get(name.lower())
    if half is None:
        raise BadInput(f"no such layout; known: {', '.join(HALVES)}", f"layout {name!r}")
    made = [_piece(edition, what, box) for what, box in half]
    middle = made[-1]
    turned = [_turned(area) for area in made if not _in_the_middle(area)]
    return (*made[:-1], *turned, middle) if _in_the_middle(middle) else (*made, *turned)


def _in_the_middle(area: Area) -> bool:
    x = sum(point[0] for point in area.area) / len(area.area)
    y = sum(point[1] for point in area.area) / len(area.area)
    return abs(x - WIDTH / 2) < 0.01 and abs(y - DEPTH / 2) < 0.01


def _turned(area: Area) -> Area:
    """The same area on the other side: the table turned half way round."""

    def across(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((WIDTH - x, DEPTH - y) for x, y in points)

    features = tuple(Feature(f.kind, across(f.outline), f.height, f.solid, f.floors) for f in area.features)
    return Area(across(area.area), features, area.kind, area.name)


def _box(x: float, y: float, width: float, depth: float) -> tuple[Point, ...]:
    return (x, y), (x + width, y), (x + width, y + depth), (x, y + depth)


def _piece(edition: EditionId, what: str, box: tuple[float, float, float, float]) -> Area:
    return PIECES[what](edition, *box)


def _kind(edition: EditionId, tenth: FeatureKind, eleventh: FeatureKind) -> FeatureKind:
    return tenth if edition == "10e" else eleventh


def _ruin(edition: EditionId, x: float, y: float, width: float, depth: float) -> Area:
    """Two walls in a corner of the footprint, a low one opposite."""
    wall = _kind(edition, "ruins", "dense")
    low = _kind(edition, "ruins", "light")
    features = (
        Feature(wall, _box(x + 0.5, y + 0.5, width - 1.5, 0.4), 5),
        Feature(wall, _box(x + 0.5, y + 0.9, 0.4, depth - 2), 5),
        Feature(low, _box(x + width - 3.5, y + depth - 0.9, 3, 0.4), 1),
    )
    return Area(_box(x, y, width, depth), features, name="ruin")


def _court(edition: EditionId, x: float, y: float, width: float, depth: float) -> Area:
    """Two walls on opposite sides, the same from both of them."""
    wall = _kind(edition, "ruins", "dense")
    walls = ((x + 0.5, y + 0.5), (x + 3.5, y + depth - 0.9))
    features = tuple(Feature(wall, _box(left, top, width - 4, 0.4), 5) for left, top in walls)
    return Area(_box(x, y, width, depth), features, name="ruin")


def _wood(edition: EditionId, x: float, y: float, width: float, depth: float) -> Area:
    kind = _kind(edition, "woods", "light")
    high = 5.0 if edition == "10e" else 1.0
    feature = Feature(kind, _box(x + 0.5, y + 0.5, width - 1, depth - 1), high)
    return Area(_box(x, y, width, depth), (feature,), name="wood")


def _hill(edition: EditionId, x: float, y: float, width: float, depth: float) -> Area:
    kind = _kind(edition, "hills", "light")
    high = 3.0 if edition == "10e" else 2.0
    return Area(
        _box(x, y, width, depth), (Feature(kind, _box(x + 0.5, y + 0.5, width - 1, depth - 1), high),), name="hill"
    )


def _container(edition: EditionId, x: float, y: float, width: float, depth: float) -> Area:
    kind = _kind(edition, "hills", "dense")
    return Area(_box(x, y, width, depth), (Feature(kind, _box(x, y, width, depth), 3),), name="container")


def _barrier(edition: EditionId, x: float, y: float, width: float, depth: float) -> Area:
    kind = _kind(edition, "barricade", "light")
    return Area(_box(x, y, width, depth), (Feature(kind, _box(x, y, width, depth), 1),), name="barricade")


def _debris(edition: EditionId, x: float, y: float, width: float, depth: float) -> Area:
    kind = _kind(edition, "debris", "light")
    return Area(_box(x, y, width, depth), (Feature(kind, _box(x + 1, y + 1, width - 2, depth - 2), 2),), name="statue")


def _rubble(edition: EditionId, x: float, y: float, width: float, depth: float) -> Area:
    kind = _kind(edition, "crater", "exposed")
    return Area(_box(x, y, width, depth), (Feature(kind, _box(x, y, width, depth), 0),), name="crater")


PIECES: dict[str, Callable[[EditionId, float, float, float, float], Area]] = {
    "ruin": _ruin,
    "court": _court,
    "wood": _wood,
    "hill": _hill,
    "container": _container,
    "barrier": _barrier,
    "debris": _debris,
    "rubble": _rubble,
}
