"""``battlewright reference``: a datasheet at a glance, with the stratagems that can touch it."""

from __future__ import annotations

from pathlib import Path

import click
from msgspec.structs import replace

from battlewright.catalogue.reference import Reference
from battlewright.codec import to_json
from battlewright.datasheet import Ability, Datasheet
from battlewright.effects import EditionId


@click.command()
@click.argument("name")
@click.option("--edition", type=click.Choice(["10e", "11e"]), help="Which edition's datasheet.")
@click.option("--army", metavar="FACTION", help="The faction of the army it fights in.")
@click.option("--detachment", metavar="NAME", help="Only this detachment's stratagems, and the core ones.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def command(name: str, edition: EditionId | None, army: str | None, detachment: str | None, as_json: bool) -> None:
    """Profiles, weapons, abilities, prices of NAME (a datasheet's name, or a page), and its stratagems."""
    from battlewright.catalogue.reference import reference
    from battlewright.rulestext.of_page import page_stratagems

    sheet = _read_through(_sheet(name, edition))
    found = reference(sheet, army=army, detachment=detachment, compiled=page_stratagems(sheet))
    if as_json:
        click.echo(to_json(found, indent=2).decode())
    else:
        _show(found, sheet)


def _read_through(sheet: Datasheet) -> Datasheet:
    """The sheet with its abilities' words as rules, where only the words are at hand: how much of them is understood."""
    from battlewright.rulestext import compile as compile_text

    def read(ability: Ability) -> Ability:
        if ability.rule is not None or not ability.text or ability.kind == "core":
            return ability
        rule = compile_text(ability.text, name=ability.name, kind="other", edition=sheet.edition)
        return replace(ability, rule=rule, status=rule.status)

    return replace(sheet, abilities=tuple(map(read, sheet.abilities)))


def _sheet(name: str, edition: EditionId | None) -> Datasheet:
    from battlewright.attack.units import take
    from battlewright.catalogue.lookup import credits_of, find

    if not Path(name.partition("#")[0]).exists():
        found = find(name, edition)
        for line in credits_of([found.shelf]):
            click.echo(line, err=True)
        return found.datasheet
    sheet = take(name, edition).sheet
    assert sheet is not None
    return sheet


def _show(found: Reference, sheet: Datasheet) -> None:
    from battlewright.cli.read_text import sheet_text

    click.echo(sheet_text(sheet))
    for each in found.touching:
        cost = f"{each.cost}CP " if each.cost is not None else ""
        click.echo(f"  stratagem: {each.name} ({cost}{each.source}{', ' + each.category if each.category else ''})")
    for words in found.excluded:
        click.echo(f"  never: {words}")
    for words in found.missing:
        click.echo(f"  missing: {words}")
