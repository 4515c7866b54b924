"""Shooting while engaged, what comes of passing through something, rolls and saves replaced."""

from __future__ import annotations

from typing import Any as Anything
from typing import get_args

from msgspec.structs import replace

from battlewright.effects import (
    About,
    Amount,
    Choose,
    Compare,
    Condition,
    During,
    Effect,
    Engaged,
    Grant,
    Limit,
    Option,
    Permit,
    Roll,
    RollSet,
    Select,
    StatMod,
    Targeting,
)
from battlewright.rulestext.blocks import INSTANT, conj
from battlewright.rulestext.builders.attacks import stat_mod
from battlewright.rulestext.builders.bearers import ceiling
from battlewright.rulestext.builders.numbers import number_plus
from battlewright.rulestext.builders.phrases import it, last_effect, row, whole
from battlewright.rulestext.builders.second_amounts import those_changes
from battlewright.rulestext.builders.sentences import Scope, Wrapped, as_clause, replace_wrapped
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.tokens import Token


def engaged_only(c: Context, effects: Anything, target: Select) -> Anything:
    """ "… but it can only target such units": while it shoots engaged."""
    found = row(effects)
    permit = found[-1]
    if not isinstance(permit, Permit) or permit.act != "shoot" or "engaged" not in permit.despite or permit.who is None:
        raise Reject("who can only target them?")
    only = Targeting("must", who=whole(target), by=permit.who, act="attack")
    return (*found, Wrapped((only,), holds=(About(permit.who, Engaged()),)))


def despite_friends(c: Context, who: Select, target: Select) -> Targeting:
    """May shoot at those with whom friends are engaged."""
    friends = Engaged(Select("unit", side="friendly", other=True))
    return Targeting("can", who=replace(whole(target), where=conj([target.where, friends])), by=whole(who))


def in_such_a_case(c: Context) -> Scope:
    """ "In such circumstances": under the condition of what was said last."""
    if c.last is None or not c.last.holds:
        raise Reject("in which case?")
    return Scope(into=c.last)


def once_in(c: Context, phase: Anything) -> Scope:
    """ "Once per Fight phase"."""
    return Scope(holds=[During((phase,))], limits=(Limit("phase"),))


def halved_rolls(c: Context, rolls: tuple[Roll, ...], who: Select | None) -> tuple[RollSet, ...]:
    """Half of what was rolled counts."""
    whose = whole(it(c) if who is None else who)
    return tuple(RollSet(roll, "value", Amount(ref="half roll"), who=whose) for roll in rolls)


def better_fnp(c: Context, n: Amount, against: Condition | None) -> Grant:
    """ "This is improved to Feel No Pain 4+ against mortal wounds": of whom it was said."""
    for items, at, block in reversed(c.history):
        if isinstance(items[at], Grant):
            c.use(block if block.lasts == INSTANT else None)
            return better_of(c, items[at], n, against)
    raise Reject("which ability?")


def better_of(c: Context, effects: Anything, n: Amount, against: Condition | None) -> Grant:
    """The ability just said to be given, with another number against these."""
    old = row(effects)[-1]
    if not isinstance(old, Grant) or old.what != "feel_no_pain" or against is None:
        raise Reject("which ability?")
    return replace(old, amount=n, against=against)


def better_insv(c: Context, who: Select, n: Amount, most: Token | None) -> Anything:
    """An invulnerable save made better, but no better than that."""
    better = stat_mod(c, ("InSv",), "improve", n, who)
    return better if most is None else ceiling(c, better, number_plus(c, most))


def better_that_save(c: Context, n: Amount, most: Token | None) -> Anything:
    """ "If it already has an invulnerable save, improve it by 1"."""
    holds = (condition for block in c.block.chain() for condition in block.holds)
    has = Compare("who.InSv", "<=", "6")
    who = next((one.who for one in holds if isinstance(one, About) and one.holds == has), None)
    given = (items[at] for items, at, _ in c.history)
    if who is None or any(isinstance(one, Grant) and one.what == "invulnerable" and one.who == who for one in given):
        raise Reject("which save?")  # it would be one that this rule gives
    return better_insv(c, who, n, most)


def better_it(c: Context, n: Amount) -> Anything:
    """ "Improve it by 2 instead": the characteristic just changed, else that save."""
    return those_changes(c, n) if isinstance(last_effect(c), StatMod) else better_that_save(c, n, None)


def one_of_both(c: Context, first: Anything, second: Anything) -> Choose:
    """ "Choose one: this, or that": attacks that get something are a scope of their own."""
    options = []
    for effects in (first, second):
        found = tuple(_plain(effect) for effect in row(effects))
        if not found or not all(isinstance(effect, get_args(Effect)) for effect in found):
            raise Reject("not a plain choice")
        options.append(Option(found))
    return Choose(tuple(options))


def _plain(effect: Anything) -> Anything:
    if not isinstance(effect, Wrapped):
        return effect
    return as_clause(replace_wrapped(effect, tuple(map(_plain, effect.effects))))
