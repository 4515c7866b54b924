"""The roll just made, of whatever kind; what another rule says of arriving."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import Event, Reroll, Reserves, Roll, Select
from battlewright.rulestext.builders.phrases import change_last, whole
from battlewright.rulestext.builders.rolls import reroll_that
from battlewright.rulestext.context import Context, Reject


def our_unit(c: Context) -> Select:
    """Whose roll it is: a model's, a unit's or an attack's of ours, spoken of as its unit."""
    return c.mention(Select("unit", side="friendly"))


def reroll_it(c: Context) -> Reroll | tuple[Reroll, ...]:
    """The roll a stratagem is used after, or the one the clause is about."""
    when = c.base.when
    if c.target is None or not isinstance(when, Event) or when.name not in _ROLLED or not when.kinds:
        return reroll_that(c)
    kind: Anything = when.kinds[0] if len(when.kinds) == 1 else "any"
    theirs = when.subject if when.subject is not None and when.subject.side == "enemy" else None
    return Reroll(kind, may=False, who=None if theirs is None else Select("unit", ref="subject"))


_ROLLED = ("roll_made", "test_taken", "test_failed", "test_passed")


def reroll_one(c: Context, whole: Roll | None = None) -> Reroll | None:
    """Of several dice one is rolled again; rolls of the kind ``whole`` are rolled again in full."""
    for items, at, block in reversed(c.history):
        if isinstance(old := items[at], Reroll):
            c.use(block)
            c.swap(items, at, replace(old, which="one"))
            c.pieces += 1
            return None if whole is None else Reroll(whole, may=old.may)
    raise Reject("what is rolled again?")


def reroll_distance(c: Context, who: Select) -> Reroll:
    """The dice that say how far it may move: where they are rolled."""
    c.use(c.gate_block if c.gate is not None else c.last)
    return Reroll("move", who=whole(who))


def usual_rounds(c: Context) -> None:
    """It arrives in no battle round in which it could not arrive anyway."""
    if not change_last(
        c,
        lambda old: isinstance(old, Reserves) and old.how == "arrive",
        lambda old: replace(old, place=(*old.place, "in its usual rounds")),
    ):
        raise Reject("who arrives?")
