"""``battlewright battle``: a whole battle between two players of the computer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from battlewright.cli.drawing import report_option, svg_option, write_report, write_svg
from battlewright.errors import BadInput

if TYPE_CHECKING:
    from battlewright.battle.engine import Battle


@click.command()
@click.option("--armies", nargs=2, metavar="A B", help="Two rosters (files), or names of armies that ship.")
@click.option("--mission", "mission_name", help="The mission by name; the edition's first otherwise.")
@click.option("--layout", help="Terrain by name: ruined town, green valley, storage yard; the mission's otherwise.")
@click.option("--edition", type=click.Choice(["10e", "11e"]), help="The edition; that of the armies otherwise.")
@click.option("--players", nargs=2, default=("greedy", "greedy"), show_default=True, help="Who plays A and B.")
@click.option("--seed", type=int, default=0, show_default=True, help="The dice: the same seed, the same battle.")
@click.option("--record", "record_file", type=click.Path(dir_okay=False), help="Write the input log to this file.")
@click.option("--events", "events_file", type=click.Path(dir_okay=False), help="Write the event log to this file.")
@svg_option
@report_option
@click.option("--list-armies", is_flag=True, help="List the armies that ship, and stop.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def command(
    armies: tuple[str, str] | None,
    mission_name: str | None,
    layout: str | None,
    edition: Any,
    players: tuple[str, str],
    seed: int,
    record_file: str | None,
    events_file: str | None,
    svg_file: str | None,
    report_file: str | None,
    list_armies: bool,
    as_json: bool,
) -> None:
    """Play a whole battle and tell who won."""
    from battlewright.codec import to_json

    if list_armies:
        rows = army_rows()
        click.echo(to_json(rows, indent=2).decode() if as_json else _army_table(rows))
        return
    if armies is None:
        raise BadInput("two armies expected", "--armies")
    battle, seconds = _played(armies, mission_name, edition, players, seed, layout)
    if record_file:
        _write_record(battle, record_file)
    if events_file:
        _write_events(battle, events_file)
    write_svg(battle, svg_file)
    write_report(battle, report_file)
    result = outcome(battle, seconds)
    click.echo(to_json(result, indent=2).decode() if as_json else told(battle, result))


def _played(
    armies: tuple[str, str],
    mission_name: str | None,
    edition: Any,
    players: tuple[str, str],
    seed: int,
    layout: str | None,
) -> tuple[Battle, float]:
    from time import perf_counter

    from battlewright.battle.engine import Battle
    from battlewright.players import play_out, player

    both = [player(name, 2 * seed + place) for place, name in enumerate(players)]
    start = perf_counter()
    battle = play_out(Battle.new(armies, mission_name, edition, seed, layout=layout), both)
    return battle, perf_counter() - start


def _write_record(battle: Battle, path: str) -> None:
    from battlewright.battle.log import record

    Path(path).write_bytes(record(battle))


def _write_events(battle: Battle, path: str) -> None:
    from battlewright.battle.log import event_lines

    Path(path).write_bytes(b"\n".join(event_lines(battle)) + b"\n")


def outcome(battle: Battle, seconds: float) -> dict[str, Any]:
    """The published result of a battle."""
    winner = battle.winner
    return {
        "edition": battle.setting.edition,
        "mission": battle.setting.mission.name,
        "winner": None if winner is None else "draw" if winner < 0 else "AB"[winner],
        "vp": list(battle.vp),
        "rounds": battle.state.round,
        "decisions": len(battle.played),
        "windows": battle.windows,
        "events": len(battle.log),
        "seconds": round(seconds, 3),
        "refused": battle.refused,
        "hash": battle.hash(),
        "rules_not_enforced": list(battle.not_enforced()),
        "notes": list(dict.fromkeys(battle.setting.notes)),
    }


def told(battle: Battle, result: dict[str, Any]) -> str:
    """The result for people."""
    names = [
        roster.name or roster.faction or letter for roster, letter in zip(battle.setting.rosters, "AB", strict=True)
    ]
    lines = [
        f"{result['mission']} ({result['edition']}): {names[0]} {result['vp'][0]} - {result['vp'][1]} {names[1]}",
        f"{'a draw' if result['winner'] == 'draw' else 'winner ' + str(result['winner'])} after round {result['rounds']},"
        f" {result['decisions']} decisions, {result['windows']} windows, {result['seconds']:.2f} s",
    ]
    if result["rules_not_enforced"]:
        lines.append("not enforced (remind each other): " + "; ".join(result["rules_not_enforced"]))
    return "\n".join([*lines, *result["notes"]])


def army_rows() -> list[dict[str, Any]]:
    """The armies that ship."""
    from battlewright.catalogue.armies import armies

    return [
        {
            "name": army.name,
            "edition": army.edition,
            "points": army.points,
            "units": [unit.datasheet for unit in army.units],
        }
        for army in armies()
    ]


def _army_table(rows: list[dict[str, Any]]) -> str:
    return "\n".join(f"{r['edition']}  {r['points']:>4}  {r['name']}: {', '.join(r['units'])}" for r in rows)
