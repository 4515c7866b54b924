"""A second amount or effect for some: "or 2 instead if …", "… as well", harder tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any as Anything

from msgspec.structs import replace

from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Amount,
    Clause,
    Condition,
    Grant,
    Heal,
    If,
    Keyword,
    Mortal,
    Move,
    PerAttack,
    Pool,
    ReturnModels,
    Select,
    SetState,
    ShockTest,
    Stat,
    StatMod,
)
from battlewright.rulestext.blocks import conj
from battlewright.rulestext.builders.attacks import (
    Attacks,
    get,
)
from battlewright.rulestext.builders.conditions import attack_targets
from battlewright.rulestext.builders.gains import give
from battlewright.rulestext.builders.numbers import value
from battlewright.rulestext.builders.phrases import (
    YOUR,
    negate,
    number,
    row,
    sign,
    whole,
)
from battlewright.rulestext.builders.sentences import (
    Wrapped,
    attack_open,
    replace_wrapped,
    retarget,
)
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.parse import Tree
from battlewright.rulestext.tokens import Token


def or_amount(c: Context, effects: Anything, n: Amount, condition: Condition) -> Anything:
    """ "…, or 2 instead if that holds"."""
    return tuple(_or_amount(effect, n, condition) for effect in row(effects))


def _or_amount(effect: Anything, n: Amount, condition: Condition) -> Anything:
    if isinstance(effect, Wrapped):
        return replace_wrapped(effect, tuple(_or_amount(one, n, condition) for one in effect.effects))
    if getattr(effect, "amount", None) is None:
        raise Reject("no amount to change")
    return If(condition, (replace(effect, amount=n),), (effect,))


def two_targets(c: Context, effects: Anything, first: Select, gains: Anything, second: Select) -> Anything:
    """ "… have this while targeting those, and that while targeting others"."""
    old = row(effects)
    if len(old) != 1 or not isinstance(old[0], Wrapped) or not isinstance(old[0].when, PerAttack):
        raise Reject("whose attacks?")
    attacks = Attacks(old[0].when, old[0].holds, old[0].lasts)
    return (*retarget(c, effects, first), *retarget(c, get(c, attacks, gains), second))


def or_amount_so(c: Context, e: Tree, m: Tree, k: Tree) -> Anything:
    """ "… by 1, or by 2 if that holds" of the attacks spoken of."""
    effects = c.build(e)
    amount = c.build(m)
    return or_amount(c, effects, amount, c.build(k))


def or_gains(c: Context, effects: Anything, gains: Anything, condition: Condition) -> Anything:
    """ "has one thing, or another instead if that holds": of the same kind."""
    old = row(effects)
    if len(old) != 1 or not isinstance(old[0], (Grant, StatMod)):
        raise Reject("instead of what?")
    new = give(c, old[0].who or YOUR, gains)
    if any(type(one) is not type(old[0]) for one in new):
        raise Reject("instead of another kind of thing")
    return If(condition, tuple(new), old)


def and_gains(c: Context, effects: Anything, gains: Anything, condition: Condition) -> Anything:
    """ "has one thing and, if that holds, another": the same who."""
    old = row(effects)
    if not old or not isinstance(old[-1], (Grant, StatMod)) or old[-1].who is None:
        raise Reject("who has it, too?")
    return (*old, Wrapped(row(give(c, old[-1].who, gains)), holds=(condition,)))


def or_gains_so(c: Context, e: Tree, g: Tree, k: Tree) -> Anything:
    """The same of attacks or of those who attack."""
    effects = c.build(e)
    if any(isinstance(one, Wrapped) for one in row(effects)):
        return or_attack_gain(c, e, g, k)
    return or_gains(c, effects, c.build(g), c.build(k))


def _or_gain(old: Sequence[Anything], new: Sequence[Anything], condition: Condition) -> If:
    if len(new) != 1 or len(old) != 1 or not _same_kind(new[0], old[0]):
        raise Reject("instead of another kind of thing")
    return If(condition, tuple(new), tuple(old))


def or_pool(c: Context, effects: Anything, n: Amount, pool: str, condition: Condition) -> Anything:
    """ "Gain 1 point, or 2 points if that holds": of the same pool, or the same tokens of someone."""
    old = row(effects)
    if len(old) != 1 or getattr(old[0], "name", "") != pool or not isinstance(old[0], (Pool, SetState)):
        raise Reject("instead of another thing")
    return or_amount(c, effects, n, condition)


def or_attack_gain(c: Context, e: Tree, g: Tree, k: Tree | None, target: Tree | None = None) -> Anything:
    """ "These attacks have one thing, or another if that holds (or against those)": of the same kind, and better."""
    old = row(c.build(e))
    if len(old) != 1 or not isinstance(old[0], Wrapped) or not isinstance(old[0].when, PerAttack):
        raise Reject("instead of what?")
    with attack_open(c, old[0].when):
        new = row(get(c, Attacks(), c.build(g)))
        condition = c.build(k) if target is None else attack_targets(c, c.build(target))
    return replace_wrapped(old[0], (_or_gain(old[0].effects, new, condition),))


def either_if(c: Context, effects: Anything, others: Anything, condition: Condition) -> Anything:
    """ "do this, or do that instead if …": both said of the same kind of thing."""
    old, new = row(effects), row(others)
    if any(not any(_same_kind(one, two) for two in old) for one in new):
        raise Reject("instead of another kind of thing")
    wrapped = [one for one in (*old, *new) if isinstance(one, Wrapped)]
    if not wrapped:
        return If(condition, new, old)
    if len(old) != 1 or len(new) != 1 or replace_wrapped(old[0], ()) != replace_wrapped(new[0], ()):
        raise Reject("instead of what stands in another scope")
    return replace_wrapped(old[0], (If(condition, new[0].effects, old[0].effects),))


def _same_kind(new: Anything, old: Anything) -> bool:
    """Models that come back are in the place of wounds that heal."""
    healed = isinstance(old, Heal) and isinstance(new, (Heal, ReturnModels))
    return type(new) is type(old) or healed


def more_instead(c: Context, stats: tuple[Stat, ...], n: Amount) -> Wrapped:
    """ "add 3 to the Attacks characteristic instead": of what the last change of it was about."""
    for items, at, block in reversed(c.history):
        old = items[at]
        if isinstance(old, StatMod) and old.stats == stats and old.op == "add":
            extra = value(c, n) - value(c, old.amount)
            if extra <= 0:
                break
            c.use(block)
            return Wrapped((replace(old, amount=Amount(Dice(0, 6, extra))),), block.when)
    raise Reject("'instead' of what?")


def more_too(c: Context, stats: tuple[Stat, ...], n: Amount) -> Wrapped:
    """ "add 1 to the Damage characteristic as well": of the attacks the last change was about."""
    for items, at, block in reversed(c.history):
        if isinstance(items[at], StatMod) and items[at].on == "attack":  # type: ignore[union-attr]
            c.use(block)
            return Wrapped((StatMod(stats, "add", n, "attack"),), block.when)
    raise Reject("as well as what?")


def mortal_or(c: Context, who: Select, n: Amount, m: Amount, condition: Condition) -> If:
    """So many mortal wounds, or so many for some."""
    return If(condition, (Mortal(m, whole(who)),), (Mortal(n, whole(who)),))


def move_or(c: Context, kind: Anything, who: Select, n: Amount, m: Amount, condition: Condition) -> If:
    """So far, or so far for some."""
    return If(condition, (Move(kind, m, whole(who)),), (Move(kind, n, whole(who)),))


def move_either(c: Context, who: Select, first: Move, second: Move, condition: Condition) -> If:
    """One move, or another where that holds."""
    if who == Select(who.what):
        raise Reject("any of them")
    return If(condition, (replace(second, who=whole(who)),), (replace(first, who=whole(who)),))


def add_or(
    c: Context, stats: tuple[Stat, ...], n: Amount, m: Amount, attacks: Attacks, condition: Condition
) -> Anything:
    """Add so much, or so much where that holds."""
    more = If(condition, (StatMod(stats, "add", m, "attack"),), (StatMod(stats, "add", n, "attack"),))
    return get(c, attacks, more)


def harder_test(
    c: Context, who: Select, n: Amount, condition: Condition, how: Anything, sign: Anything = -1
) -> Anything:
    """A test, harder for some: each of several by what holds of itself."""
    subject = whole(who)
    if subject.ref is None and isinstance(condition, About):
        some = replace(subject, where=conj([subject.where, condition.holds]))
        rest = replace(subject, where=conj([subject.where, negate(c, condition.holds)]))
        return ShockTest(how, some, n, sign), ShockTest(how, rest)
    return If(condition, (ShockTest(how, subject, n, sign),), (ShockTest(how, subject),))


def harder_escape(c: Context, who: Select, token: Token, condition: Condition) -> If:
    """Desperate escape tests, harder for some."""
    n = number(c, token)
    return If(
        condition,
        (ShockTest("desperate_escape", whole(who), n, sign(c, token)),),
        (ShockTest("desperate_escape", whole(who)),),
    )


def return_more(c: Context, n: Amount, keyword: Keyword | None = None) -> ReturnModels | Clause:
    """ "you can return up to D3 destroyed models instead": to the unit spoken of, as much a choice as before."""
    for items, at, _ in reversed(c.history):
        old = items[at]
        for effect in getattr(old, "do", (old,)):
            if isinstance(effect, ReturnModels):
                if keyword is not None and (effect.who is None or effect.who.where != keyword):
                    raise Reject("other models")
                more = replace(effect, amount=n)
                return replace(old, do=(more,)) if isinstance(old, Clause) and old.do == (effect,) else more
    raise Reject("returned to what?")


def those_changes(c: Context, n: Amount) -> tuple[StatMod, ...]:
    """ "Those characteristics": the ones just changed, by another amount."""
    found: list[StatMod] = []
    for items, at, block in reversed(c.history):
        old = items[at]
        if not isinstance(old, StatMod) or (found and block is not c.history[-1][2]):
            break
        found.append(replace(old, amount=n))
    if not found:
        raise Reject("which characteristics?")
    return tuple(reversed(found))
