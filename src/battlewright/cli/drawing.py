"""Pictures and reports that commands about battles can write beside their answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from battlewright.errors import BadInput

if TYPE_CHECKING:
    from battlewright.battle.engine import Battle

F = TypeVar("F", bound=Callable[..., Any])


def svg_option(command: F) -> F:
    return click.option("--svg", "svg_file", type=click.Path(dir_okay=False), help="Draw the table to this SVG file.")(
        command
    )


def report_option(command: F) -> F:
    words = "Write what happened to this file: Markdown, or plain text when it ends in .txt."
    return click.option("--report", "report_file", type=click.Path(dir_okay=False), help=words)(command)


def write_svg(battle: Battle, path: str | None) -> None:
    """The table as it stands; nothing when no file is named. Raises :class:`BadInput` when it cannot be written."""
    if path:
        from battlewright.render import svg
        from battlewright.render.view import picture_of

        _write(path, svg.draw(picture_of(battle.table)))


def write_report(battle: Battle, path: str | None) -> None:
    """Everything that happened so far; nothing when no file is named."""
    if path:
        from battlewright.render.report import report

        _write(path, report(battle.table, battle.log, plain=path.endswith(".txt")))


def map_of(battle: Battle) -> str:
    """The table as text."""
    from battlewright.render import text
    from battlewright.render.view import picture_of

    return text.draw(picture_of(battle.table))


def _write(path: str, words: str) -> None:
    try:
        Path(path).write_text(words, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror or error}", path) from None
