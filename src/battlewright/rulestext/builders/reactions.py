"""Acts out of their usual place: moves of a printed or rolled length, and what acts may be aimed at."""

from __future__ import annotations

from typing import Any as Anything

from battlewright.effects import Act, Amount, Forbid, Move, Order, Select
from battlewright.rulestext.builders.acts import aimed_at
from battlewright.rulestext.builders.phrases import whole
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.tokens import Token
from battlewright.rulestext.words import phrase


def sized_move(
    c: Context, who: Select, kind: tuple[Anything, tuple[str, ...]], n: Amount | None, may: bool = True
) -> Move:
    """A move of that kind and length; a surge move may have a name of its own."""
    return Move(kind[0], n, whole(who), kind[1], may)


def surge_name(c: Context, words: tuple[Token, ...]) -> tuple[str, tuple[str, ...]]:
    """A surge move that has a name of its own."""
    name = phrase(words).lower()
    if not name.endswith(" surge"):
        raise Reject("a move of what kind?")
    return "surge", (name,)


def rolled_move(c: Context, who: Select) -> Move:
    """How far the move goes, of which was said before that it may be made: that was no other move."""
    move = Move("surge", Amount(ref="roll"), whole(who))
    for items, at, _ in reversed(c.history):
        if items[at] is c.act and items[at] == Move("surge", None, whole(who)):
            c.swap(items, at, Order("use", "surge", whole(who)))
            break
    return move


def rolled(c: Context) -> Amount:
    """As many inches as the dice just rolled say."""
    if c.gate is None:
        raise Reject("no dice were rolled")
    gate = c.gate
    if gate.rows or gate.plus or gate.per is not None:
        raise Reject("which result?")
    for items, at, block in reversed(c.history):
        if items[at] is gate:
            c.use(block)
            break
    return Amount(ref="roll")


def forbid_move(c: Context, who: Select, kind: str) -> Forbid:
    """May not make such a move."""
    if kind in ("normal", "advance", "fall_back", "charge"):
        return Forbid(kind, whole(who))
    return Forbid(f"make a {kind.replace('_', ' ')} move", whole(who))


def charges_at(c: Context, who: Select, target: Select, may: bool = True) -> Act:
    """A charge that may only target these."""
    return Act("charge", whole(who), aimed_at(c, who, target), ("only at that target",), may)


def fights_at(c: Context, who: Select, target: Select) -> Act:
    """A fight in which only these are attacked."""
    return Act("fight", whole(who), aimed_at(c, who, target), ("only at that target",))
