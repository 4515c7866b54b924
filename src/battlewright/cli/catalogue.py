"""``battlewright catalogue``: add, list and remove catalogues of the user's own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from battlewright.codec import to_json

if TYPE_CHECKING:
    from battlewright.catalogue.store import Header
    from battlewright.formats.detect import Progress


@click.group()
def command() -> None:
    """Add, list or remove catalogues of your own.

    They are kept in your data folder and asked before what ships: the one added last first, those without rules
    text after those with.
    """


@command.command()
@click.argument("path")
@click.option("--name", help="What to call it; the default is the name of the file or folder and the edition.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def add(path: str, name: str | None, as_json: bool) -> None:
    """Add a file, a folder or a zip: BattleScribe, New Recruit, Wahapedia, game-datacards; or the word wh40kdc."""
    from battlewright.catalogue import store
    from battlewright.errors import BadInput
    from battlewright.formats.detect import read_catalogue

    with _bar() as progress:
        reading = read_catalogue(path, progress)
    if reading.edition is None:
        raise BadInput("the edition could not be told", path)
    stem = Path(path).resolve().name.split(".")[0] or reading.format
    header = store.put(
        name or (stem if reading.edition in stem else f"{stem} {reading.edition}"),
        reading.edition,
        reading.datasheets,
        reading.extras,
        format=reading.format,
        source=path,
        credit=reading.credit,
        losses=[*map(str, reading.faults), *(f"missing: {one}" for one in reading.missing)],
    )
    if as_json:
        click.echo(to_json(as_dict(header) | {"notes": reading.notes}, indent=2).decode())
        return
    click.echo(f"added {header.name} ({header.edition}, {header.format})")
    for what, count in header.counts:
        click.echo(f"  {count:6} {what}")
    for note in reading.notes:
        click.echo(f"note: {note}")
    if header.losses:
        click.echo("not understood:")
        for loss in header.losses:
            click.echo(f"  {loss}")
    if header.credit:
        click.echo(header.credit)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def list_(as_json: bool) -> None:
    """List your catalogues in the order they are asked."""
    from battlewright.catalogue import store

    found, damaged = store.headers(), store.damaged()
    if as_json:
        rows: list[dict[str, Any]] = [as_dict(header) for header in found]
        click.echo(to_json(rows + [{"name": name, "damaged": True} for name in damaged], indent=2).decode())
        return
    for place, header in enumerate(found, 1):
        number = dict(header.counts).get("datasheets", 0)
        last = "; no rules text, so asked after the others" if header.bare else ""
        about = f"{header.edition}, {header.format}, {number} datasheets{last}"
        click.echo(f"{place}. {header.name} ({about}) from {header.source}")
        if header.credit:
            click.echo(f"   {header.credit}")
    for name in damaged:
        click.echo(f"damaged: {name} (remove it and add it again)")
    if not found and not damaged:
        click.echo(f"none; they would be kept in {store.folder()}")


@command.command()
@click.argument("name")
def remove(name: str) -> None:
    """Remove one of your catalogues by its name."""
    from battlewright.catalogue import store

    store.remove(name)
    click.echo(f"removed {name}")


@command.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def layouts(name: str | None, as_json: bool) -> None:
    """List the terrain layouts of the dataset of the extra [data], or print one as the parts of a position file."""
    from battlewright.formats.fortykdc import CREDIT
    from battlewright.formats.fortykdc_layouts import layout
    from battlewright.formats.fortykdc_layouts import layouts as every

    if name is not None:
        click.echo(to_json(layout(name).position(), indent=2).decode())
        click.echo(CREDIT, err=True)
        return
    found = every()
    if as_json:
        rows = [{"name": one.name, "mission": one.mission, "areas": len(one.terrain)} for one in found]
        click.echo(to_json({"layouts": rows, "credit": CREDIT}, indent=2).decode())
        return
    for one in found:
        click.echo(f"{one.name} ({one.mission or 'any mission'}, {len(one.terrain)} areas)")
    click.echo(CREDIT)


def as_dict(header: Header) -> dict[str, Any]:
    """What a stored catalogue is, for programs."""
    return {
        "name": header.name,
        "edition": header.edition,
        "format": header.format,
        "source": header.source,
        "credit": header.credit,
        "counts": dict(header.counts),
        "losses": list(header.losses),
    }


@contextmanager
def _bar() -> Iterator[Progress]:
    """A progress bar on standard error; silent where nobody looks."""
    if not sys.stderr.isatty():
        yield lambda what, done, of: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description:40.40}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)
        yield lambda what, done, of: bar.update(task, description=what, completed=done, total=of or None)
