"""What the rules of armies say of their own workings: marks, states, named acts, tests first, rounds by number."""

from __future__ import annotations

from typing import Any as Anything

from battlewright.effects import (
    About,
    Amount,
    Any,
    AnyOf,
    Condition,
    Count,
    Forbid,
    HitBy,
    Limit,
    OnObjective,
    Order,
    Round,
    Select,
    SetState,
    Side,
    Targeting,
    Was,
    Window,
)
from battlewright.rulestext.builders.conditions import engaged_by
from battlewright.rulestext.builders.numbers import value
from battlewright.rulestext.builders.phrases import any_of, whole
from battlewright.rulestext.builders.sentences import Scope
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.tokens import Token
from battlewright.rulestext.words import phrase

ARMY = Select("army", ref="you")

# ---------------------------------------------------------------------------------------------- rounds by number


def in_rounds(c: Context, numbers: tuple[int, ...], edge: Anything = "start") -> Anything:
    """The start of the first, third and fifth battle rounds."""
    found = tuple(Window(("any",), "either", edge, "round", round=Round(n, n)) for n in numbers)
    return found[0] if len(found) == 1 else AnyOf(found)


def rounds(c: Context, numbers: tuple[int, ...]) -> Condition:
    """It is one of these battle rounds."""
    low, high = min(numbers), max(numbers)
    if len(numbers) == high - low + 1:
        return Round(low, high)
    return Any(tuple(Round(n, n) for n in numbers))


def so_often(c: Context, window: Window, n: int) -> Scope:
    """ "At the start of up to three of your Command phases"."""
    return Scope(when=window, limits=(Limit("battle", n),))


# --------------------------------------------------------------------------------------------------------- marks


def mark_objective(c: Context, words: tuple[Token, ...], mine: bool = True) -> SetState:
    """ "That objective marker is your loot objective"."""
    return SetState(phrase(words).lower(), c.that("objective"))


def on_marked(c: Context, words: tuple[Token, ...]) -> OnObjective:
    return OnObjective(name=phrase(words).lower())


def marked_as(c: Context, who: Select, words: tuple[Token, ...]) -> SetState:
    """ "That enemy unit is your quarry": from here on "your quarry" is known."""
    name = phrase(words).lower()
    c.marks = [*c.marks, name]
    return SetState(name, whole(who))


def states_of(c: Context, who: Select, words: tuple[Token, ...], clear: bool = False) -> SetState:
    return SetState(phrase(words).lower(), whole(who), clear)


# ---------------------------------------------------------------------------------------------- whom it cannot target


def engaged_before(c: Context, who: Select, at: Anything = "turn_start") -> Condition:
    """ "… it was within Engagement Range of at the start of the turn"."""
    return Was(engaged_by(c, whole(who)), at)


def targeted_before(c: Context) -> HitBy:
    """ "… that was the target of another unit's attack"."""
    return HitBy(Select("unit", other=True), "targeted")


def cannot_be_target(c: Context, by: Select, who: Select) -> Targeting:
    """ "This unit cannot target such a unit"."""
    if who.where is None and who.ref is None:
        raise Reject("cannot target anyone")
    return Targeting("cannot", None, whole(who), whole(by), "attack")


# ------------------------------------------------------------------------------------------------------ named acts


def use_own(c: Context, who: Select, words: tuple[Token, ...]) -> None:
    """ "It can invoke its contract": an act that has only a name; "if it does" follows."""
    effect = Order("use", phrase(words).lower(), whole(who))
    c.put(effect)
    c.act, c.act_block = effect, c.block


def each_that_does(c: Context) -> Select:
    """ "Each one that does": of those who may do what was just named."""
    if not isinstance(c.act, Order) or c.act.who is None:
        raise Reject("does what?")
    c.use(c.act_block)
    who = c.act.who
    if who.ref is not None:
        return who
    for mention in reversed(c.mentions):
        if mention.select == who or whole(mention.select) == who:
            mention.refer = mention.refer or c.name(mention.select)
            return mention.refer
    raise Reject("who does?")


def below(c: Context) -> None:
    """ "The following rules apply": the lines below stand in this scope."""
    c.below, c.pieces = c.block, c.pieces + 1


def and_or(c: Context, first: Condition, second: Condition) -> Condition:
    """ "and/or": one of them is enough."""
    return any_of(c, first, second)


def token_limit(c: Context, who: Select, n: Amount, name: str) -> Forbid:
    """How many tokens one of these can carry."""
    return Forbid(f"have more than {value(c, n)} {name}", whole(who))


def marker(c: Context, words: tuple[Token, ...], count: Count | None = None, side: Side | None = None) -> Select:
    """A marker of a name that a rule puts on the battlefield."""
    return c.mention(Select("marker", name=phrase(words).lower(), side=side, count=count or Count()))


def controls(c: Context, count: Count, where: Anything = None, control: Anything = "own") -> About:
    """So many objective markers are controlled, there."""
    if count.kind not in ("any", "n", "one", "each"):
        raise Reject("how many?")
    some = count if count.kind == "any" else Count("any", count.n)
    return About(Select("objective", count=some), OnObjective(control, where or "any"))
