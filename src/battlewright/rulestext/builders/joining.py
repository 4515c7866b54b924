"""Units that join, split, or are carried: what counts as what, and how much room it takes."""

from __future__ import annotations

from typing import Any as Anything

from battlewright.effects import (
    Amount,
    Build,
    Choose,
    Condition,
    Count,
    Keyword,
    Not,
    Option,
    Permit,
    Same,
    Select,
    Transport,
    TransportRoom,
    Within,
)
from battlewright.rulestext.blocks import conj
from battlewright.rulestext.builders.building import transport
from battlewright.rulestext.builders.numbers import keyword_text, value
from battlewright.rulestext.builders.phrases import any_of, whole
from battlewright.rulestext.builders.sentences import put
from battlewright.rulestext.context import Context, Reject


def joins(c: Context, who: Select, to: Select | Condition, must: bool = False, only: Keyword | None = None) -> Anything:
    """A unit joins another; ``only`` one such may have joined it."""
    where = to.where if isinstance(to, Select) else to
    if where is None:
        raise Reject("joins whom?")
    effects: tuple[Anything, ...] = (Build("join", whole(who), where, words=("must",) if must else ()),)
    if only is not None:
        effects += (Build("limit", what=only, amount=1, words=("joined to a unit",)),)
    for one in effects[:-1]:
        put(c, one)
    return effects[-1]


def split(c: Context, who: Select, how: int | str | Condition | None) -> Build:
    """Into two units: of so many models each, each of its own models, or as equal as may be."""
    words = ("two units", how) if isinstance(how, str) else ("two units",)
    what = None if how is None or isinstance(how, (int, str)) else how
    return Build("split", whole(who), what, how if isinstance(how, int) else None, words)


def counts_as(c: Context, who: Select, as_what: Keyword) -> Permit:
    """For embarking, it is one of these."""
    return Permit("embark", ("counts as " + keyword_text(c, as_what),), whole(who))


def embarks_as(c: Context, who: Select, within: Select, as_what: Keyword | None) -> Permit:
    """It may embark within such a transport, as if it were one of these."""
    words = () if as_what is None else ("counts as " + keyword_text(c, as_what),)
    return Permit("embark", words or ("such a transport",), whole(who), within.where)


def room_of(c: Context, who: Select, n: Amount) -> Transport:
    """So much room one of these takes."""
    fits = Same(whole(who)) if who.ref is not None else who.where
    if fits is None:
        raise Reject("the room of what?")
    return Transport(room=(TransportRoom(fits, value(c, n)),))


def room_of_these(c: Context, fits: Condition, n: Amount) -> Transport:
    """So much room each one takes of those a transport can carry."""
    return Transport(room=(TransportRoom(fits, value(c, n)),))


def but_carried(c: Context, k: Keyword, excluded: Condition) -> Condition:
    """These, but not such."""
    return conj([k, Not(excluded)])  # type: ignore[return-value]


def instead_carries(c: Context, n: Amount, what: Condition) -> None:
    """Instead of what it carries otherwise, so many of these."""
    for items, at, block in c.history:
        old = items[at]
        if isinstance(old, Transport) and old.capacity:
            c.use(block)
            new = Choose((Option((old,)), Option((transport(c, n, (what,)),))))
            c.swap(items, at, new)
            c.pieces += 1
            return None
    raise Reject("instead of what?")


def two_capacities(c: Context, n: Amount, what: Anything, m: Amount, other: Anything) -> Anything:
    """So many of these, and so many of those."""
    return (transport(c, n, what), transport(c, m, other))


def and_others(c: Context, first: Select, others: Select) -> Select:
    """ "The target unit and each other unit within 3 inches of it": one group."""
    if first.ref is None or others.ref is not None or not others.other:
        raise Reject("which others?")
    rest = others.where
    near = isinstance(rest, Within) and rest.of == whole(first) and others.side is None
    where = rest if near else any_of(c, Same(whole(first)), *([rest] if rest is not None else []))
    found = Select(others.what, where=where, side=others.side, count=Count())
    c.drop(others)
    return c.mention(found)


def cannot_attach(c: Context, who: Select, to: Select) -> Build:
    """It may not lead such a unit."""
    if to.where is None:
        raise Reject("to no unit")
    return Build("forbid", whole(who), to.where, words=("attach",))
