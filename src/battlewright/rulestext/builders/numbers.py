"""How much and how many: amounts, their bounds, distances in words."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.dice import Dice
from battlewright.effects import (
    Amount,
    Count,
    If,
    Keyword,
    Mortal,
    Stat,
    StatMod,
)
from battlewright.rulestext.builders.phrases import (
    change_last,
    last_effect,
    row,
)
from battlewright.rulestext.builders.sentences import (
    Wrapped,
    replace_wrapped,
)
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.tokens import Token


def value(c: Context, n: Amount) -> int:
    if n.n.constant is None:
        raise Reject("dice where a number is meant")
    return n.n.constant


def one_more(c: Context, n: Amount) -> Amount:
    """ "More than one" is two or more."""
    return Amount(Dice(0, 6, value(c, n) + 1))


def number_plus(c: Context, token: Token) -> Amount:
    """The 4 of "4+"."""
    return Amount(Dice.parse(token.raw))


def at_least(c: Context, n: Amount) -> Count:
    return Count("any", None if n.n.constant == 1 else n)


def two(c: Context) -> Amount:
    return Amount(Dice(0, 6, 2))


def three(c: Context) -> Amount:
    return Amount(Dice(0, 6, 3))


def capped(c: Context, n: Amount, most: Amount) -> Amount:
    return replace(n, maximum=value(c, most))


def up_to_words(c: Context, n: Amount) -> str:
    return f"up to {n.n}"


def away(c: Context, d: Amount) -> str:
    return f"more than {d.n} from enemies"


def at_least_stat(c: Context, effects: Anything, n: Amount) -> Anything:
    return tuple(replace(effect, minimum=value(c, n)) for effect in row(effects))


def bounded(c: Context, effects: Anything, least: Amount | None, most: Amount | None) -> Anything:
    """Changes of characteristics, with how far they may go."""
    return tuple(_bounded(c, effect, least, most) for effect in row(effects))


def _bounded(c: Context, effect: Anything, least: Amount | None, most: Amount | None) -> Anything:
    if isinstance(effect, Wrapped):
        return replace_wrapped(effect, tuple(_bounded(c, one, least, most) for one in effect.effects))
    if not isinstance(effect, StatMod):
        raise Reject("what is bounded?")
    return replace(
        effect,
        minimum=effect.minimum if least is None else value(c, least),
        maximum=effect.maximum if most is None else value(c, most),
    )


def capped_effect(c: Context, effects: Anything, most: Amount) -> Anything:
    """So many mortal wounds at most."""
    return tuple(_capped_mortal(c, effect, most) for effect in row(effects))


def _capped_mortal(c: Context, effect: Anything, most: Amount) -> Anything:
    if isinstance(effect, Wrapped):
        return replace_wrapped(effect, tuple(_capped_mortal(c, one, most) for one in effect.effects))
    if isinstance(effect, If) and not effect.otherwise:
        return replace(effect, then=tuple(_capped_mortal(c, one, most) for one in effect.then))
    if not isinstance(effect, Mortal):
        raise Reject("what has a maximum?")
    return replace(effect, amount=replace(effect.amount, maximum=value(c, most)))


def floor_of(c: Context, stats: tuple[Stat, ...], n: Amount) -> None:
    """ "This cannot reduce that below 1": of the change just made."""
    least = value(c, n)
    if not change_last(
        c,
        lambda old: isinstance(old, StatMod) and bool(set(stats) & set(old.stats)),
        lambda old: replace(old, minimum=least),
    ):
        raise Reject("what was reduced?")


def floor_of_last(c: Context, n: Amount) -> None:
    """ "This cannot reduce it below 1": of the one change just made."""
    last = last_effect(c)
    if not isinstance(last, StatMod) or last.op not in ("subtract", "halve", "worsen"):
        raise Reject("what was reduced?")
    floor_of(c, last.stats, n)


def words_both(c: Context, first: str, second: str) -> str:
    return f"{first}, {second}"


def lower_ability(c: Context, token: Token) -> str:
    return token.raw.lower()


def keyword_text(c: Context, k: Keyword) -> str:
    return k.any_of[0][0]
