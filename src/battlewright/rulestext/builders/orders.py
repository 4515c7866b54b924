"""Orders, units that join, tests that are harder for some, what happens when the battle ends."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import (
    About,
    Amount,
    Clause,
    Condition,
    Destroy,
    Forbid,
    If,
    Keyword,
    Located,
    MoveRule,
    Not,
    Order,
    Select,
    SetState,
    ShockTest,
    Window,
)
from battlewright.rulestext.blocks import conj, exchanged
from battlewright.rulestext.builders.phrases import about, it, lower, negate, row, whole
from battlewright.rulestext.builders.sentences import Wrapped, at_edge, when
from battlewright.rulestext.context import UNIT, Context, Reject
from battlewright.rulestext.tokens import Token


def both_names(c: Context, first: str, rest: str) -> str:
    """Several names in a row, as one text."""
    return f"{first}, {rest}"


def only_orders(c: Context, who: Select, names: str) -> Forbid:
    """No orders but these."""
    return Forbid(f"issue orders other than {names}", whole(who))


def test_or(
    c: Context, who: Select, how: str, n: Amount, m: Amount, condition: Condition
) -> tuple[ShockTest, ShockTest] | If:
    """A test, and how much harder it is for some."""
    subject, easy, hard = whole(who), (n, -1), (m, -1)
    if subject.ref is None and isinstance(condition, About):
        some = replace(subject, where=conj([subject.where, condition.holds]), bind=None)
        rest = replace(subject, where=conj([subject.where, negate(c, condition.holds)]), bind=None)
        return ShockTest(how, some, *hard), ShockTest(how, rest, *easy)  # type: ignore[arg-type]
    return If(condition, (ShockTest(how, subject, *hard),), (ShockTest(how, subject, *easy),))  # type: ignore[arg-type]


def off_at_end(c: Context, who: Select) -> Clause:
    """Who is not on the battlefield when the battle ends is destroyed."""
    away = about(c, who, Not(Located("battlefield")))
    return Clause((Destroy(whole(who)),), Window(("any",), "either", "end", "battle"), holds=away)


def just_named(c: Context) -> Select:
    """ "They": the units named last."""
    return c.that("unit")


def they(c: Context) -> Select:
    """ "They", who are units: not the one model last spoken of."""
    if c.it is None or c.it.what == "model":
        return just_named(c)
    return it(c)


# ------------------------------------------------------------------------------------------------ moving through

#: written between what may be moved through and what bounds it
_BOUND = ": "


def but_for(c: Context, some: Condition, *things: str) -> tuple[str, ...]:
    """These, but not those: the bound stands with the first of them."""
    if not isinstance(some, Keyword):
        raise Reject("which models not?")
    names = ", ".join(" ".join(group) for group in some.any_of)
    return (f"{things[0]}{_BOUND}not {names}", *things[1:])


def models_to_pass(
    c: Context, side: str | None, kw: Condition | None = None, but: Condition | None = None
) -> tuple[str, ...]:
    """Models of a side; only those with a keyword, or all but some."""
    things = f"{side} models" if side else "models"
    if but is not None:
        return but_for(c, but, things)
    if kw is None:
        return (things,)
    if not isinstance(kw, Keyword):
        raise Reject("which models?")
    return (f"{things}{_BOUND}only {', '.join(' '.join(group) for group in kw.any_of)}",)


def no_higher(c: Context, height: Amount, thing: str) -> tuple[str, ...]:
    """What is no higher than so many inches."""
    return (f'{thing}{_BOUND}up to {height.n}"',)


def higher(c: Context, height: Amount, thing: str) -> tuple[str, ...]:
    """What is higher than so many inches."""
    return (f'{thing}{_BOUND}over {height.n}"',)


def of_moves(c: Context, effects: Anything, kind: str | None) -> Anything:
    """ "… while making that charge move": how someone moves, in moves of that kind."""
    found = row(effects)
    if kind is None or not all(isinstance(one, MoveRule) and not one.kinds for one in found):
        raise Reject("in which move?")
    return tuple(replace(one, kinds=(kind,)) for one in found)


def passes(c: Context, things: tuple[str, ...], who: Select, kinds: tuple[str, ...] = ()) -> MoveRule:
    """Moves through these; ``what`` says which of them, where not all."""
    how = "through " + ", ".join(thing.partition(_BOUND)[0] for thing in things)
    return MoveRule(how, whole(who), kinds, tuple(thing for thing in things if _BOUND in thing))


def issue_then(c: Context, who: Select, name: str, window: Window, after: Condition) -> tuple[Wrapped, Wrapped]:
    """Orders are issued in one phase, and at the end of any phase in which something happened to who issues them."""
    issue = Order("issue", name, whole(who))
    end = Window(("any",), "either", "end")
    return Wrapped((issue,), window), Wrapped((issue,), end, (about(c, who, after),))


def issue_or(c: Context, who: Select, name: str, window: Window, events: Anything) -> tuple[Wrapped, Wrapped]:
    """Orders are issued in one phase, or after something happens."""
    issue = Order("issue", name, whole(who))
    scope = when(c, at_edge(c, events, "after"))
    return Wrapped((issue,), window), Wrapped((issue,), scope.when, tuple(scope.holds))


def only_they_benefit(c: Context, who: Select, words: tuple[Token, ...]) -> Forbid:
    """Others in the unit have nothing of an order."""
    if who.where is None:
        raise Reject("only who?")
    return Forbid(f"benefit from {lower(c, words)}", Select("model", where=negate(c, who.where)))


def order_to(c: Context, who: Select, n: Amount, name: str, to: Select) -> Order:
    """So many of them, each to one of these; which there are, the lines below tell."""
    c.ordered = name
    return Order("issue", name, whole(who), n, exchanged(to, UNIT, whole(who)) if c.army_rule else to)


def order_ends(c: Context, words: tuple[Token, ...]) -> SetState:
    """ "The previous one ends": for whom another is issued to."""
    return SetState(lower(c, words), it(c), True)
