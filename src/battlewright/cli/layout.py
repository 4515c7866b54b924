"""Text for a terminal without a library: lines of styled pieces, columns, a frame. Starting stays quick."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

#: A piece of text and its style ("" for plain), and a line of them.
Piece: TypeAlias = tuple[str, str]
Line: TypeAlias = list[Piece]

_CODES: Final = {"bold": "1", "dim": "2", "cyan": "36", "green": "1;32"}


def width_of(line: Line) -> int:
    return sum(len(text) for text, _ in line)


def columns(rows: Sequence[Sequence[Piece]], right: Iterable[int] = (), gap: int = 2) -> list[Line]:
    """Rows as lines, each column as wide as its widest cell; columns numbered in ``right`` end flush.

    >>> [plain(line) for line in columns([[("a", ""), ("1", "")], [("bcd", ""), ("10", "")]], right=[1])]
    ['a     1', 'bcd  10']
    """
    widths = [
        max(len(row[place][0]) for row in rows if place < len(row)) for place in range(max(map(len, rows), default=0))
    ]
    return [_spread(row, widths, frozenset(right), gap) for row in rows]


def _spread(row: Sequence[Piece], widths: Sequence[int], right: frozenset[int], gap: int) -> Line:
    line = Line()
    for place, (text, style) in enumerate(row):
        pad = " " * (widths[place] - len(text))
        last = place == len(row) - 1
        line += [(pad, ""), (text, style)] if place in right else [(text, style), ("" if last else pad, "")]
        line.append(("" if last else " " * gap, ""))
    return [piece for piece in line if piece[0]]


def listing(items: Iterable[tuple[str, str]], width: int) -> list[Line]:
    """Labelled words, wrapped; a label is written once for the items that share it.

    >>> [plain(line) for line in listing([("note", "one two three"), ("note", "four")], 14)]
    ['note  one two', '      three', '      four']
    """
    found, last = list[Line](), ""
    pairs = list(items)
    room = max((len(label) for label, _ in pairs), default=0)
    for label, words in pairs:
        for number, part in enumerate(textwrap.wrap(words, max(20 if width > 40 else 8, width - room - 2)) or [""]):
            shown = label if number == 0 and label != last else ""
            found.append([(shown.ljust(room + 2), "dim"), (part, "")])
        last = label
    return found


def frame(title: Line, lines: Sequence[Line], width: int) -> list[Line]:
    """Lines in a frame with a title, as wide as they need and no wider than ``width``."""
    inside = max(width_of(title) + 4, *(width_of(line) for line in lines), 20)
    inside = min(inside, width - 4)
    left = (inside + 2 - width_of(title) - 2) // 2
    right = inside + 2 - width_of(title) - 2 - left
    top = [("╭" + "─" * left + " ", "dim"), *title, (" " + "─" * right + "╮", "dim")]
    body = [[("│ ", "dim"), *line, (" " * (inside - width_of(line)) + " │", "dim")] for line in lines]
    return [top, *body, [("╰" + "─" * (inside + 2) + "╯", "dim")]]


def plain(line: Line) -> str:
    return "".join(text for text, _ in line)


def show(lines: Iterable[Line]) -> None:
    """Print lines: with colours on a terminal that has not asked for none."""
    colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    sys.stdout.write("\n".join(_styled(line) if colours else plain(line) for line in lines) + "\n")


def terminal_width(most: int = 100) -> int:
    return max(40, min(most, shutil.get_terminal_size((80, 24)).columns))


def _styled(line: Line) -> str:
    return "".join(f"\x1b[{_CODES[style]}m{text}\x1b[0m" if style else text for text, style in line)
