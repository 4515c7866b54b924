"""``battlewright replay FILE``: a recorded battle played again."""

from __future__ import annotations

import click

from battlewright.cli.drawing import report_option, svg_option, write_report, write_svg


@click.command()
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--until", type=click.IntRange(0), help="Stop after so many answers.")
@svg_option
@report_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def command(file: str, until: int | None, svg_file: str | None, report_file: str | None, as_json: bool) -> None:
    """Play a record again; the first divergence is a fault."""
    from time import perf_counter

    from battlewright.battle.log import replay
    from battlewright.cli.battle import outcome, told
    from battlewright.codec import to_json

    start = perf_counter()
    battle = replay(file, until)
    result = outcome(battle, perf_counter() - start)
    write_svg(battle, svg_file)
    write_report(battle, report_file)
    click.echo(to_json(result, indent=2).decode() if as_json else told(battle, result))
