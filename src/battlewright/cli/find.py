"""``battlewright find``: the datasheets that have all the keywords."""

from __future__ import annotations

import click

from battlewright.cli.greedy import GreedyCommand
from battlewright.codec import to_json


@click.command(cls=GreedyCommand)
@click.argument("words", nargs=-1)
@click.option("--keyword", "-k", "keywords", multiple=True, help="Keywords it must have, all of them.")
@click.option("--faction", "-f", help="A faction, or a faction keyword.")
@click.option("--edition", type=click.Choice(["10e", "11e"]), help="Only this edition.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def command(
    words: tuple[str, ...], keywords: tuple[str, ...], faction: str | None, edition: str | None, as_json: bool
) -> None:
    """Find datasheets by keyword, faction, or WORDS of their name."""
    from battlewright.catalogue.lookup import credits_of, search
    from battlewright.names import fold

    wanted = [fold(word) for word in words]
    found = [
        (sheet, shelf)
        for sheet, shelf in search(keywords=keywords, faction=faction, edition=edition)  # type: ignore[arg-type]
        if all(word in fold(sheet.name) for word in wanted)
    ]
    for line in credits_of(shelf for _, shelf in found):
        click.echo(line, err=True)
    if as_json:
        rows = [
            {
                "name": sheet.name,
                "edition": sheet.edition,
                "faction": sheet.faction,
                "keywords": sheet.keywords,
                "faction_keywords": sheet.faction_keywords,
                "points": sheet.points[0].points if sheet.points else None,
                "catalogue": shelf,
            }
            for sheet, shelf in found
        ]
        click.echo(to_json(rows, indent=2).decode())
        return
    for sheet, shelf in found:
        points = f", {sheet.points[0].points} points" if sheet.points else ""
        click.echo(f"{sheet.name} ({sheet.edition}, {sheet.faction or '?'}{points}; {shelf})")
    if not found:
        click.echo("none")
