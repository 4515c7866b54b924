"""``battlewright schema NAME``: the JSON Schema of one of our forms."""

from __future__ import annotations

import importlib

import click

from battlewright.codec import schema, to_json

#: name -> module and value of the form.
FORMS: dict[str, tuple[str, str]] = {
    "datasheet": ("battlewright.datasheet", "Datasheet"),
    "roster": ("battlewright.roster", "Roster"),
    "rule": ("battlewright.effects", "Rule"),
    "record": ("battlewright.battle.log", "Record"),
    "position": ("battlewright.battle.position", "Position"),
    "odds-request": ("battlewright.attack.request", "Request"),
}


@click.command()
@click.argument("name", type=click.Choice(list(FORMS)))
def command(name: str) -> None:
    """The JSON Schema of NAME, as JSON."""
    from battlewright.errors import BadInput

    module, value = FORMS[name]
    try:
        form = getattr(importlib.import_module(module), value)
    except (ModuleNotFoundError, AttributeError):
        raise BadInput("this form has no schema in this version", name) from None
    click.echo(to_json(schema(form), indent=2).decode())
