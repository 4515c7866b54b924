"""``battlewright read FILE``: what a file gave, and everything that was not read."""

from __future__ import annotations

from typing import Any

import click

from battlewright.codec import to_builtins, to_json
from battlewright.formats import Reading
from battlewright.roster import published


@click.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
@click.pass_context
def command(ctx: click.Context, file: str, as_json: bool) -> None:
    """Read a datasheet page, a catalogue or a roster, and say what was not read.

    FILE is a file, a folder, or - for standard input. Exit status 2 when the input is at fault.
    """
    from battlewright.formats.detect import read

    reading = read(file)
    if as_json:
        click.echo(to_json(as_dict(reading), indent=2).decode())
    else:
        from battlewright.cli.read_text import show

        show(reading)
    for fault in reading.faults:
        click.echo(str(fault), err=True)
    if reading.faults and (reading.kind == "datasheet" or not (reading.datasheets or reading.roster)):
        ctx.exit(2)


def as_dict(reading: Reading) -> dict[str, Any]:
    """The published form of a reading: every part present, faults as ``what @ where``."""
    from battlewright.rulestext.rosters import compile_roster

    plain = to_builtins(reading)
    return {
        "kind": reading.kind,
        "format": reading.format,
        "edition": reading.edition,
        "faults": [str(fault) for fault in reading.faults],
        "unread": plain["unread"],
        "missing": list(reading.missing),
        "notes": list(reading.notes),
        "datasheets": plain["datasheets"],
        "roster": published(compile_roster(reading.roster)) if reading.roster else None,
        "extras": plain["extras"],
    }
