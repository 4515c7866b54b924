"""What datasheets say besides: weapons that do something, who is aboard."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import (
    About,
    Amount,
    Condition,
    Count,
    Duration,
    Embarked,
    Engaged,
    Event,
    HitBy,
    Not,
    PerAttack,
    Roll,
    RollSet,
    Select,
    Targeting,
    Trigger,
    Window,
)
from battlewright.rulestext.blocks import Gate, conj
from battlewright.rulestext.builders.conditions import engaged_by
from battlewright.rulestext.builders.numbers import value
from battlewright.rulestext.builders.phrases import about, every_of, known, last_effect, negate, row, whole
from battlewright.rulestext.builders.scopes import afterwards
from battlewright.rulestext.builders.sentences import Scope, Wrapped, event, put, replace_wrapped
from battlewright.rulestext.builders.windows import either_event, event_and
from battlewright.rulestext.context import Context, Mention, Reject


def either_moment(c: Context, first: Anything, second: Anything) -> Trigger:
    """ "At the start of the battle, and each time an enemy unit is destroyed": at each of these moments."""
    if any(isinstance(one, Window) and one.edge == "during" for one in (first, second)):
        raise Reject("a moment in a stretch of time")
    return either_event(c, first, second)


def after_all(c: Context) -> Scope:
    """ "After resolving this ability": whatever came of the dice."""
    if c.last is None:
        raise Reject("after what?")
    return afterwards(c)


def carries(c: Context, who: Select, what: Select) -> Condition:
    """ "While this model is transporting a GUARD unit": someone like that is aboard."""
    if what.ref is not None:
        raise Reject("who is aboard?")
    return About(replace(what, count=Count("any")), Embarked(whole(who)))


def moves_there(c: Context, who: Select, kinds: tuple[str, ...], where: Condition) -> Scope:
    """ "Starts or ends a move within 6 inches of this unit": there when it starts, or when it ends."""
    trigger = either_event(c, event(c, "move_started", who, kinds=kinds), event(c, "move_ended", who, kinds=kinds))
    return event_and(c, trigger, about(c, known(c, who), where))


def no_roll_of(c: Context, who: Select, rolls: tuple[Roll, ...]) -> tuple[RollSet, ...]:
    """ "Its models do not make hazard rolls"."""
    return tuple(RollSet(roll, "no_roll", who=whole(who)) for roll in rolls)


def engaged_with_no_other(c: Context, by: Select) -> Condition:
    """Engaged with these, and with none of our other units."""
    if by.ref is not None or by.where is None or by.side != "friendly":
        raise Reject("engaged with no others than whom?")
    others = Select("unit", side="friendly", where=negate(c, by.where))
    return every_of(c, engaged_by(c, by), Not(Engaged(others)))


def allowed_attack(c: Context) -> Scope:
    """ "It can be the target of ranged attacks, but each time such an attack is made, …"."""
    allowed = last_effect(c)
    if not isinstance(allowed, Targeting) or allowed.how != "can" or allowed.act != "shoot" or allowed.who is None:
        raise Reject("such an attack?")
    c.use(c.last)
    return Scope(PerAttack("attacker", None, allowed.who, "ranged"))


def rolled_for(c: Context, dice: Gate, duration: Duration) -> None:
    """ "Roll one D6 to determine which ability this model has until …": each result lasts so long."""
    block = c.open()
    block.lasts = duration
    with c.inside(block):
        put(c, dice)


def wounds_scaled(c: Context, effects: Anything, every: Amount | None) -> Anything:
    """ "For every 5 wounds it has lost"."""
    found: list[Anything] = []
    for effect in row(effects):
        if isinstance(effect, Wrapped):
            found.append(replace_wrapped(effect, row(wounds_scaled(c, effect.effects, every))))
            continue
        amount = getattr(effect, "amount", None)
        if not isinstance(amount, Amount) or amount != Amount():
            raise Reject("no amount to scale")
        found.append(replace(effect, amount=Amount(ref="wounds lost", every=1 if every is None else value(c, every))))
    return tuple(found)


def moves_over(c: Context, who: Select, over: Select) -> Event:
    """ "Each time this model moves over enemy units": when the move has ended; "one of those" is one it moved over."""
    if over.ref is not None:
        raise Reject("over whom?")
    found = event(c, "move_ended", who)
    passed = Select(over.what, side=over.side, where=conj([over.where, HitBy(None, "moved_over")]), count=Count("one"))
    c.drop(over)
    c.mentions.append(Mention(over, passed, c.block))
    c.it, c.it_block = known(c, who), c.block
    return found
