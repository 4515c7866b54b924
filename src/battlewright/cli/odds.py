"""``battlewright odds``: the exact odds of one unit attacking another, from a request or by name."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from battlewright.cli.greedy import GreedyCommand
from battlewright.errors import BadInput, Fault

#: Options that are about one pair of units, and the name of each.
_NOT_FOR_TABLES = {
    "--then": "then", "--rule": "rules", "--target-rule": "target_rules", "--take": "wargear", "--models": "models",
    "--target-models": "target_models", "--explain": "explain", "--advice": "advice",
}  # fmt: skip


def _a_number(context: click.Context, option: click.Parameter, value: float | None) -> float | None:
    """No bounds hold "nan" back: it is neither below nor above them."""
    if value is not None and value != value:
        raise click.BadParameter("nan is not a number.", context, option)
    return value


@click.command(cls=GreedyCommand)
@click.argument("units", nargs=-1, metavar="[ATTACKER TARGET]")
@click.option(
    "--request", "request_file", metavar="FILE", help="A request, or a list of them, as JSON; - is standard input."
)
@click.option("--against", multiple=True, metavar="TARGET", help="A table: every ATTACKER against every TARGET.")
@click.option(
    "--edition", type=click.Choice(["10e", "11e"]), help="Whose rules; needed when the units are of two editions."
)
@click.option(
    "--range", "distance", type=click.FloatRange(0, 200), callback=_a_number, help="Inches between the units."
)
@click.option("--half-range", is_flag=True, help="Within half range of every weapon.")
@click.option(
    "--with", "with_weapons", multiple=True, metavar="WEAPON", help="Only these weapons: 'plasma gun', '2 plasma gun'."
)
@click.option("--take", "wargear", multiple=True, metavar="WARGEAR", help="Taken by an option: '2 plasma gun'.")
@click.option("--models", type=click.IntRange(1, 200), help="How many models attack.")
@click.option("--target-models", type=click.IntRange(1, 200), help="How many models are attacked.")
@click.option("--stats", metavar="TEXT", help="The target's stat line: 'T 3 Sv 4+ W 1', InSv 5+, FNP 6+.")
@click.option("--melee/--ranged", "melee", default=None, help="Fight or shoot (default: shoot, if it can).")
@click.option("--cover", is_flag=True, help="The target has the benefit of cover.")
@click.option("--charged", is_flag=True, help="The attacker charged this turn.")
@click.option("--stationary", is_flag=True, help="The attacker did not move.")
@click.option("--snap", is_flag=True, help="Fire Overwatch: only unmodified sixes hit.")
@click.option("--indirect", is_flag=True, help="The target is not visible.")
@click.option(
    "--wounded", "target_wounded", type=click.IntRange(0, 99), default=0, help="Wounds one target model has lost."
)
@click.option("--attacker-wounded", type=click.IntRange(0, 99), default=0, help="Wounds one attacking model has lost.")
@click.option("--round", type=click.IntRange(1, 9), help="The battle round.")
@click.option("--turn", type=click.Choice(["attacker", "opponent"]), help="Whose turn it is.")
@click.option("--closest/--not-closest", default=None, help="The target is the closest eligible one, or is not.")
@click.option(
    "--attacker-is", multiple=True, metavar="WORDS", help="battle-shocked, 'on an own objective', a named state …"
)
@click.option("--target-is", multiple=True, metavar="WORDS", help="The same of the target.")
@click.option("--reading", "readings", multiple=True, metavar="NAME[=no]", help="An open point of the rules, read so.")
@click.option("--then", multiple=True, metavar="WHAT", help="Next activation: melee, ranged, or another unit.")
@click.option("--rule", "rules", multiple=True, metavar="TEXT", help="Words of a rule in force for the attacker.")
@click.option(
    "--target-rule", "target_rules", multiple=True, metavar="TEXT", help="Words of a rule in force for the target."
)
@click.option("--csv", "as_csv", is_flag=True, help="Print a table as CSV.")
@click.option("--explain", is_flag=True, help="What each modifier is worth.")
@click.option("--advice", is_flag=True, help="What either player could choose better.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
def command(units: tuple[str, ...], request_file: str | None, as_json: bool, as_csv: bool, **asked: Any) -> None:
    """The exact odds of ATTACKER attacking TARGET.

    A unit is a name, a datasheet page, or roster-file#Unit name. For a table: odds A B C --against X Y Z.
    """
    if request_file is not None:
        if units:
            raise BadInput("give a request or units, not both", "command line")
        _requests(request_file, as_json, asked["explain"], asked["advice"])
    elif asked["against"]:
        _table(units, as_json, as_csv, asked)
    elif as_csv:
        raise BadInput("only a table can be CSV: give --against", "--csv")
    elif len(units) == 2:
        _one(units[0], units[1], as_json, asked)
    else:
        raise BadInput(f"expected ATTACKER and TARGET, or --request FILE, got {len(units)} units", "command line")


def _requests(file: str, as_json: bool, explain: bool, advice: bool) -> None:
    from battlewright.attack.answer import answer
    from battlewright.attack.request import read_all
    from battlewright.codec import to_json

    requests, several = read_all(_data(file))
    answers = [answer(request, explain=explain, advice=advice) for request in requests]
    data = to_json(answers if several else answers[0], indent=0 if as_json else 2)
    sys.stdout.write(data.decode() + "\n")


def _data(file: str) -> bytes:
    from battlewright.attack.request import LARGEST_INPUT

    try:
        if file == "-":
            return sys.stdin.buffer.read(LARGEST_INPUT + 1)
        with Path(file).open("rb") as source:
            return source.read(LARGEST_INPUT + 1)
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror or error}", file) from None


def _moment(asked: dict[str, Any]) -> Any:
    from battlewright.attack.matchup import Moment

    return Moment(**{name: asked[name] for name in Moment.__struct_fields__ if name in asked})


def _one(attacker: str, target: str, as_json: bool, asked: dict[str, Any]) -> None:
    from battlewright.attack.ask import ask

    reply = ask(
        attacker,
        target,
        edition=asked["edition"],
        moment=_moment(asked),
        models=asked["models"],
        target_models=asked["target_models"],
        stats=asked["stats"],
        then=asked["then"],
        rules=asked["rules"],
        target_rules=asked["target_rules"],
        explain=asked["explain"],
        advice=asked["advice"],
        wargear=asked["wargear"],
    )
    if as_json:
        from battlewright.codec import to_json

        sys.stdout.write(to_json(reply).decode() + "\n")
    else:
        from battlewright.cli.odds_text import show

        show(reply)


def _table(units: tuple[str, ...], as_json: bool, as_csv: bool, asked: dict[str, Any]) -> None:
    from battlewright.attack.table import table
    from battlewright.cli.table_text import bar, show, to_csv

    if not units:
        raise BadInput("expected ATTACKERs before --against", "command line")
    unused = [option for option, name in _NOT_FOR_TABLES.items() if asked[name]]
    if unused:
        raise BadInput([Fault("not for a table", option) for option in unused])
    with bar(len(units) * len(asked["against"])) as progress:
        found = table(
            units,
            asked["against"],
            edition=asked["edition"],
            moment=_moment(asked),
            stats=asked["stats"],
            progress=progress,
        )
    if as_json:
        from battlewright.codec import to_json

        sys.stdout.write(to_json(found).decode() + "\n")
    elif as_csv:
        sys.stdout.write(to_csv(found))
    else:
        show(found)
