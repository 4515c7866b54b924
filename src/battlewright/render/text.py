"""A picture of the table as plain text: a map of one character to an inch across and two down, and the units in a list."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase

from battlewright.battlefield.terrain import Point, Polygons, height_of
from battlewright.render.picture import SIDES, Group, Picture

ACROSS, DOWN = 1.0, 2.0
KEYS = {"A": ascii_uppercase, "B": ascii_lowercase}


def draw(picture: Picture) -> str:
    """The map, what its letters mean, and the units. Player A's units are capitals, player B's small letters.

    >>> from battlewright.datasheet import Base
    >>> from battlewright.render.picture import Group, Marker, Token
    >>> guard = Group("a1", "Guard", "A", (Token("Guard", (1.5, 1), Base("round", 32)),), start=1)
    >>> print(draw(Picture(board=(6, 4), groups=(guard,), objectives=(Marker((4.5, 3)),))))
    Before the battle | A 0 VP 0 CP | B 0 VP 0 CP
    +------+
    |.A....|
    |....1.|
    +------+
    objective 1 at 4.5, 3: contested 0:0
    A  A a1 Guard 1/1
    """
    return "\n".join([_heading(picture), *_map(picture), *_objectives(picture), *_units(picture)])


def _heading(picture: Picture) -> str:
    score = [f"{name} {vp} VP {cp} CP" for name, vp, cp in zip(picture.names, picture.vp, picture.cp, strict=True)]
    return " | ".join(filter(None, [picture.title, picture.clock, *score]))


def letters(picture: Picture) -> dict[str, str]:
    """The letter of each unit on the table, by its id."""
    found = {}
    for side in SIDES:
        mine = [group for group in picture.groups if group.side == side and group.tokens]
        found.update({group.id: KEYS[side][place % 26] for place, group in enumerate(mine)})
    return found


def _map(picture: Picture) -> list[str]:
    columns, rows = round(picture.board[0] / ACROSS), round(picture.board[1] / DOWN)
    cells = [["."] * columns for _ in range(rows)]

    def put(at: Point, sign: str) -> None:
        column, row = int(at[0] / ACROSS), int(at[1] / DOWN)
        if 0 <= column < columns and 0 <= row < rows:
            cells[row][column] = sign

    _put_terrain(picture, cells)
    for number, marker in enumerate(picture.objectives, 1):
        put(marker.at, str(number % 10))
    keys = letters(picture)
    for group in picture.groups:
        for token in group.tokens:
            put(token.at, keys[group.id])
    border = "+" + "-" * columns + "+"
    return [border, *("|" + "".join(row) + "|" for row in cells), border]


def _put_terrain(picture: Picture, cells: list[list[str]]) -> None:
    """``:`` for an area, ``#`` for what is higher than 2", ``=`` for lower features."""
    import numpy as np

    rows, columns = len(cells), len(cells[0]) if cells else 0
    features = [feature for area in picture.areas for feature in area.features]
    if not picture.areas:
        return
    across, down = np.meshgrid((np.arange(columns) + 0.5) * ACROSS, (np.arange(rows) + 0.5) * DOWN)
    middles = np.stack([across.ravel(), down.ravel()], axis=-1)
    layers = [(Polygons.of([area.area]), ":") for area in picture.areas]
    layers += [(Polygons.of([f.outline]), "#" if height_of(f) > 2 else "=") for f in features]
    for outline, sign in layers:
        near = outline.holds(middles)[:, 0] | ((sign != ":") & (outline.border(middles)[:, 0] < 0.5))
        for spot in np.nonzero(near)[0].tolist():
            cells[spot // columns][spot % columns] = sign


def _objectives(picture: Picture) -> list[str]:
    lines = []
    for number, marker in enumerate(picture.objectives, 1):
        held = f"held by {marker.control}" + (" (secured)" if marker.secured else "") if marker.control else "contested"
        x, y = marker.at
        lines.append(f"objective {number} at {x:g}, {y:g}: {held} {marker.levels[0]}:{marker.levels[1]}")
    return lines


def _units(picture: Picture) -> list[str]:
    keys = letters(picture)
    return [_unit(group, keys.get(group.id, " ")) for group in picture.groups]


def _unit(group: Group, key: str) -> str:
    if not group.tokens:
        return f"{key}  {group.side} {group.id} {group.name} {group.away or 'not on the battlefield'}"
    wounds = [token.wounds for token in group.tokens if token.full > 1]
    parts = [f"{key}  {group.side} {group.id} {group.name} {len(group.tokens)}/{max(group.start, len(group.tokens))}"]
    if wounds:
        parts.append("wounds " + " ".join(map(str, wounds)))
    if group.states:
        parts.append(", ".join(group.states))
    return "; ".join(parts)
