"""``battlewright position FILE``: a moment of a battle set up, and what may be chosen there."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from battlewright.cli.drawing import map_of, svg_option, write_svg
from battlewright.errors import BadInput

if TYPE_CHECKING:
    from battlewright.battle.engine import Battle

#: endless decisions list so many of their candidates
MOST = 200


@click.command()
@click.argument("file")
@click.option("--choices", is_flag=True, help="The decision due, and the legal choices as text.")
@click.option("--map", "as_map", is_flag=True, help="Print the table as a map of letters.")
@svg_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def command(file: str, choices: bool, as_map: bool, svg_file: str | None, as_json: bool) -> None:
    """Set up a moment of a battle; list the legal choices. FILE is a position, or - for standard input."""
    from battlewright.battle.engine import Battle
    from battlewright.codec import to_json

    battle = Battle.from_position(_text(file))
    answer: dict[str, Any] = {"position": battle.position(), "hash": battle.hash()}
    answer["rules_not_enforced"] = list(battle.not_enforced())
    answer["notes"] = list(battle.setting.notes)
    if choices:
        answer |= asked(battle)
    write_svg(battle, svg_file)
    if as_map and not as_json:
        click.echo(map_of(battle))
    click.echo(to_json(answer, indent=2).decode() if as_json else told(battle, answer))


def _text(file: str) -> str:
    if file == "-":
        return str(sys.stdin.read())
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise BadInput(f"cannot be read: {error}", file) from None


def asked(battle: Battle) -> dict[str, Any]:
    """The decision due and its legal choices as text."""
    decision = battle.decision
    if decision is None:
        return {"decision": None, "choices": []}
    return {
        "decision": {
            "kind": decision.kind,
            "player": battle.table.who(decision.player),
            "rule": f"{battle.setting.edition} {battle.setting.numbers.rules.get(decision.rule, decision.rule)}",
            "prompt": decision.prompt(battle.table),
            "region": decision.region,
        },
        "choices": [str(choice) for choice in islice(battle.legal_choices(), MOST)],
    }


def told(battle: Battle, answer: dict[str, Any]) -> str:
    """The position for people: a line a unit, then the decision."""
    t = battle.table
    state = battle.state
    lines = [f"{battle.setting.edition}, round {state.round}, {state.phase} phase of {t.who(state.turn)}"]
    for unit in t.units():
        x, y = t.poses(unit).inches.mean(axis=0)
        lines.append(
            f"{t.name(unit):>6} {t.who(t.owner(unit))} {t.unit(unit).name}: {len(t.alive(unit))} at ({x:.1f}, {y:.1f})"
        )
    if answer.get("decision"):
        lines += [answer["decision"]["prompt"], *answer["choices"]]
    return "\n".join([*lines, *answer["notes"]])
