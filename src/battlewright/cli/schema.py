"""``battlewright schema NAME``: the JSON Schema of one of our forms."""

from __future__ import annotations

import importlib

import click

from battlewright.codec import schema, schema_of_lines, to_json

#: name -> module and value of the form; a record is JSON lines of several: a header, answers (texts), an ending.
FORMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "datasheet": ("battlewright.datasheet", ("Datasheet",)),
    "roster": ("battlewright.roster", ("Roster",)),
    "rule": ("battlewright.effects", ("Rule",)),
    "record": ("battlewright.battle.log", ("Header", "str", "Ending")),
    "position": ("battlewright.battle.position", ("Position",)),
    "odds-request": ("battlewright.attack.request", ("Request",)),
}


@click.command()
@click.argument("name", type=click.Choice(list(FORMS)))
def command(name: str) -> None:
    """The JSON Schema of NAME, as JSON."""
    where, values = FORMS[name]
    module = importlib.import_module(where)
    kinds = [str if value == "str" else getattr(module, value) for value in values]
    own = getattr(module, f"{name}_schema", None)
    form = own() if own else schema(kinds[0]) if len(kinds) == 1 else schema_of_lines(*kinds)
    click.echo(to_json(form, indent=2).decode())
