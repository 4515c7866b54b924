"""Orders, units that join, tests that are harder for some, what happens when the battle ends."""

from __future__ import annotations

from battlewright.effects import (
    Amount,
    Clause,
    Condition,
    Destroy,
    Forbid,
    If,
    Located,
    Not,
    Select,
    ShockTest,
    Window,
)
from battlewright.rulestext.builders.phrases import about, whole
from battlewright.rulestext.context import Context


def both_names(c: Context, first: str, rest: str) -> str:
    """Several names in a row, as one text."""
    return f"{first}, {rest}"


def only_orders(c: Context, who: Select, names: str) -> Forbid:
    """No orders but these."""
    return Forbid(f"issue orders other than {names}", whole(who))


def test_or(c: Context, who: Select, how: str, n: Amount, m: Amount, condition: Condition) -> If:
    """A test, and how much harder it is for some."""
    subject = whole(who)
    return If(condition, (ShockTest(how, subject, m, -1),), (ShockTest(how, subject, n, -1),))  # type: ignore[arg-type]


def off_at_end(c: Context, who: Select) -> Clause:
    """Who is not on the battlefield when the battle ends is destroyed."""
    away = about(c, who, Not(Located("battlefield")))
    return Clause((Destroy(whole(who)),), Window(("any",), "either", "end", "battle"), holds=away)


def just_named(c: Context) -> Select:
    """ "They": the units named last."""
    return c.that("unit")
