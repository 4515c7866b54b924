"""Options that take every word up to the next option: ``--against X Y Z``."""

from __future__ import annotations

from typing import Final

import click

#: The options of all commands that do so.
GREEDY: Final = ("--against", "--keyword", "-k")


class GreedyCommand(click.Command):
    """A command some of whose options take several words at once.

    >>> spread(["A", "--against", "X", "Y", "--json"])
    ['A', '--against', 'X', '--against', 'Y', '--json']
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, spread(args))


def spread(args: list[str]) -> list[str]:
    """The arguments with each greedy option before every one of its words."""
    found, taking, empty = list[str](), "", False
    for word in args:
        if word.startswith("--") or word in ("-h", "-k", "-f"):
            found += [taking] if taking and empty else []
            taking, empty = (word if word in GREEDY else ""), True
            found += [] if taking else [word]
        else:
            found += [taking, word] if taking else [word]
            empty = False
    return [*found, taking] if taking and empty else found
