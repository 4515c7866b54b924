"""A table of odds for the terminal, and as CSV; a progress bar on standard error while it is made."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from battlewright.attack.table import Cell, Table

if TYPE_CHECKING:
    from rich.table import Table as Grid

#: Fewer cells than these are done before a bar could be read.
_WORTH_A_BAR = 200


@contextmanager
def bar(cells: int) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on standard error, for long tables on a terminal; else None."""
    if cells < _WORTH_A_BAR or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("attacks", total=cells)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def to_csv(table: Table) -> str:
    """One line a pair, with a header."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = Cell.__struct_fields__
    writer.writerow(names)
    for cell in table.cells:
        writer.writerow([_number(getattr(cell, name)) for name in names])
    return out.getvalue()


def _number(value: object) -> object:
    return f"{value:.6g}" if isinstance(value, float) else "" if value is None else value


def show(table: Table) -> None:
    """The matrix for people: slain, damage, chance to destroy, points slain per 100 points; a list where it is too wide."""
    from rich.console import Console
    from rich.markup import escape

    console = Console(highlight=False, emoji=False)
    wide = 14 + sum(max(len(name) + 3, 16) for name in table.targets) > console.width
    console.print(_list(table) if wide else _matrix(table))
    for note in table.notes:
        console.print(f"note  {escape(note)}", style="dim")


def _matrix(table: Table) -> Grid:
    from rich.markup import escape
    from rich.table import Table as Grid

    grid = Grid(title=f"odds, {table.edition}", caption="slain · damage / destroyed / points slain per 100 points")
    grid.add_column("attacker")
    for name in table.targets:
        grid.add_column(escape(name), justify="right")
    best = _best(table)
    for name, cells in table.rows():
        grid.add_row(escape(name), *(_cell(cell, best=cell in best) for cell in cells), end_section=True)
    return grid


def _list(table: Table) -> Grid:
    """One line a pair, for more targets than the terminal is wide."""
    from rich.markup import escape
    from rich.table import Table as Grid

    grid = Grid(title=f"odds, {table.edition}", box=None, header_style="dim")
    grid.add_column("attacker")
    grid.add_column("target")
    for name in ("slain", "damage", "destroyed", "per 100 points"):
        grid.add_column(name, justify="right")
    best = _best(table)
    for cell in table.cells:
        slain, rest, points = _cell(cell, best=cell in best).split("\n")
        numbers = slain.split(" · ")
        grid.add_row(escape(cell.attacker), escape(cell.target), *numbers, rest, points)
    return grid


def _best(table: Table) -> list[Cell]:
    """In each column the attacker that slays most points for its own."""
    found = []
    for place in range(len(table.targets)):
        column = [cell for cell in table.cells[place :: len(table.targets)] if cell.points_per_100 is not None]
        if len(column) > 1:
            found.append(max(column, key=lambda cell: cell.points_per_100 or 0.0))
    return found


def _cell(cell: Cell, *, best: bool) -> str:
    points = "–" if cell.points_per_100 is None else f"{cell.points_per_100:.0f}"
    points = f"[bold green]{points}[/]" if best else points
    return f"{cell.slain:.2f} · {cell.damage:.2f}\n{100 * cell.p_destroyed:.1f} %\n{points}"
