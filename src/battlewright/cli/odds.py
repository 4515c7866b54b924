"""``battlewright odds``: the exact odds of one unit attacking another."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from battlewright.errors import BadInput


@click.command()
@click.option(
    "--request", "request_file", metavar="FILE", help="A request or a list of them as JSON; - is standard input."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(request_file: str | None, as_json: bool) -> None:
    """The exact odds of one unit attacking another."""
    if request_file is None:
        raise BadInput("give --request FILE", "command line")
    _requests(request_file, as_json)


def _requests(file: str, as_json: bool) -> None:
    from battlewright.attack.answer import answer
    from battlewright.attack.request import read_all
    from battlewright.codec import to_json

    requests, several = read_all(_data(file))
    answers = [answer(request) for request in requests]
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
