"""Terrain layouts of the community dataset ``wh40kdc`` (11e) in the form a position has: areas, features, zones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct

from battlewright.errors import BadInput
from battlewright.formats.fortykdc import CREDIT, WORD
from battlewright.names import fold, meant

Point = tuple[float, float]
Row = dict[str, Any]

#: Outlines are traced from pictures; points nearer to the line than this (inches) are left out.
TOLERANCE: Final = 0.05
_BOARD: Final = (60.0, 44.0)
_KINDS: Final = ("dense", "light", "exposed")


class FeaturePart(Struct, frozen=True):
    """A feature of an area; its height is that of its kind, the dataset has none."""

    kind: str
    outline: tuple[Point, ...]


class AreaPart(Struct, frozen=True):
    area: tuple[Point, ...]
    features: tuple[FeaturePart, ...] = ()


class Layout(Struct, frozen=True):
    """A layout as parts of a position. ``zones``: A is the Defender's, B the Attacker's; inches from one corner."""

    id: str
    name: str
    mission: str
    terrain: tuple[AreaPart, ...]
    objectives: tuple[Point, ...]
    roles: tuple[str, ...]
    zones: dict[str, tuple[Point, ...]]
    board: tuple[float, float] = _BOARD
    edition: str = "11e"
    credit: str = CREDIT

    def position(self) -> dict[str, Any]:
        """The parts a position file takes; units are to be added."""
        terrain = [
            {
                "area": [list(point) for point in one.area],
                "features": [
                    {"kind": each.kind, "outline": [list(point) for point in each.outline]} for each in one.features
                ],
            }
            for one in self.terrain
        ]
        return {
            "edition": self.edition,
            "board": {"width": self.board[0], "height": self.board[1]},
            "terrain": terrain,
            "objectives": [list(point) for point in self.objectives],
            "zones": {player: [list(point) for point in zone] for player, zone in self.zones.items()},
            "units": [],
        }


def layouts() -> tuple[Layout, ...]:
    """All layouts of the installed dataset; raises :class:`BadInput` when the extra is not installed."""
    try:
        from wh40kdc import Dataset
        from wh40kdc.data.bundle import raw_data
    except ImportError:
        raise BadInput("the dataset is not installed: pip install battlewright[data]", WORD) from None
    dataset, raw = Dataset.embedded(), raw_data()
    patterns = {str(row.get("id")): row for row in raw["deployment_patterns"]}
    return tuple(
        _layout(row, dataset.resolve_terrain(row), patterns.get(str(row.get("deployment_pattern_id")), {}))
        for row in raw["terrain_layouts"]
    )


def layout(name: str) -> Layout:
    """The layout of that name or id; raises :class:`BadInput` with suggestions."""
    every = layouts()
    for one in every:
        if fold(name) in (fold(one.name), fold(one.id)):
            return one
    raise BadInput("no layout of that name" + meant(name, [one.name for one in every]), name)


def _layout(row: Row, pieces: list[Row], pattern: Row) -> Layout:
    objectives = list(_objectives(row, {str(one.get("id")): one for one in pieces}))
    return Layout(
        id=str(row.get("id")),
        name=str(row.get("name")),
        mission=str(row.get("mission_matchup_id") or "").replace("-", " "),
        terrain=tuple(_areas(pieces)),
        objectives=tuple(point for point, _ in objectives),
        roles=tuple(role for _, role in objectives),
        zones=dict(_zones(pattern)),
    )


def _areas(pieces: list[Row]) -> Iterable[AreaPart]:
    """Areas with the features that stand in them; a feature outside all areas is an area of its own."""
    areas = [one for one in pieces if one.get("piece_type") == "area"]
    features = [one for one in pieces if one.get("piece_type") == "feature"]
    inside: dict[str, list[FeaturePart]] = {}
    for one in features:
        outline = _outline(one)
        part = FeaturePart(_kind(one), outline)
        home = str(one.get("id")).partition("--")[0]
        known = next((str(area["id"]) for area in areas if area.get("id") == home), None) or _around(outline, areas)
        if known is None:
            yield AreaPart(outline, (part,))
        else:
            inside.setdefault(known, []).append(part)
    for area in areas:
        yield AreaPart(_outline(area), tuple(inside.get(str(area.get("id")), ())))


def _kind(piece: Row) -> str:
    kind = str(piece.get("terrain_category"))
    return kind if kind in _KINDS else "dense"


def _outline(piece: Row) -> tuple[Point, ...]:
    from shapely import Polygon

    points = [(float(one["x"]), float(one["y"])) for one in piece["vertices"]]
    plain = Polygon(points).simplify(TOLERANCE)
    shown = list(plain.exterior.coords)[:-1] if plain.geom_type == "Polygon" and not plain.is_empty else points
    return tuple((round(x, 3), round(y, 3)) for x, y in shown)


def _around(outline: tuple[Point, ...], areas: list[Row]) -> str | None:
    from shapely import Polygon

    middle = Polygon(outline).centroid
    for area in areas:
        if Polygon([(one["x"], one["y"]) for one in area["vertices"]]).contains(middle):
            return str(area["id"])
    return None


def _objectives(row: Row, placed: dict[str, Row]) -> Iterable[tuple[Point, str]]:
    """One objective a piece that is one; pieces linked to each other are one objective, in their middle."""
    groups: dict[str, list[Row]] = {}
    for piece in row.get("pieces", []):
        if piece.get("is_objective"):
            groups.setdefault(str(piece.get("link_group") or piece.get("id")), []).append(piece)
    for members in groups.values():
        points = [_middle(one, placed.get(str(one.get("id")), {})) for one in members]
        middle = [round(sum(point[axis] for point in points) / len(points), 3) for axis in (0, 1)]
        yield (middle[0], middle[1]), str(members[0].get("objective_role") or "")


def _middle(piece: Row, placed: Row) -> Point:
    """Where a piece says its objective is, or the middle of its outline."""
    from shapely import Polygon

    told = piece.get("objective")
    if isinstance(told, dict) and isinstance(told.get("position"), dict):
        return float(told["position"]["x"]), float(told["position"]["y"])
    middle = Polygon([(one["x"], one["y"]) for one in placed["vertices"]]).centroid
    return float(middle.x), float(middle.y)


def _zones(pattern: Row) -> Iterable[tuple[str, tuple[Point, ...]]]:
    for zone in pattern.get("zones", []):
        player = {"defender": "A", "attacker": "B"}.get(str(zone.get("player")))
        shape, at = zone.get("shape", {}), zone.get("position", {})
        if player is None:
            continue
        x, y = float(at.get("x", 0)), float(at.get("y", 0))
        if shape.get("type") == "rectangle":
            wide, high = float(shape["width"]), float(shape["height"])
            corners = [(0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)]
        else:
            corners = [(float(one["x"]), float(one["y"])) for one in shape.get("points", [])]
        yield player, tuple((round(x + dx, 3), round(y + dy, 3)) for dx, dy in corners)
