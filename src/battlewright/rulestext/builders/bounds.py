"""Exceptions and bounds: all but some, tests one may take, dice added up and put aside."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import (
    Amount,
    Condition,
    Engaged,
    Event,
    IgnoreMods,
    Keyword,
    Not,
    PerAttack,
    Permit,
    Select,
    ShockTest,
    Targeting,
    Trigger,
)
from battlewright.rulestext.blocks import conj
from battlewright.rulestext.builders.attacks import attack_words, attacks_of, get
from battlewright.rulestext.builders.phrases import about, negate, row, whole
from battlewright.rulestext.builders.sentences import Scope, Wrapped, event, replace_wrapped
from battlewright.rulestext.builders.windows import either_event, event_and
from battlewright.rulestext.context import Context, Mention, Reject


def all_but(c: Context, effects: Anything, condition: Condition) -> Anything:
    """What all of these get, but those of whom this holds."""
    return tuple(_but(c, effect, condition) for effect in row(effects))


def _but(c: Context, effect: Anything, condition: Condition) -> Anything:
    if isinstance(effect, Wrapped) and isinstance(effect.when, PerAttack):
        attack = effect.when
        if attack.attacker is None or attack.role != "attacker":
            raise Reject("excluding whom?")
        trigger = replace(attack, attacker=_without(c, attack.attacker, condition))
        return replace_trigger(effect, trigger)
    if isinstance(effect, Wrapped) and effect.effects:
        return replace_wrapped(effect, tuple(_but(c, one, condition) for one in effect.effects))
    if not isinstance(getattr(effect, "who", None), Select):
        raise Reject("excluding whom?")
    return replace(effect, who=_without(c, effect.who, condition))


def replace_trigger(wrapped: Wrapped, trigger: Trigger) -> Wrapped:
    return Wrapped(wrapped.effects, trigger, wrapped.holds, wrapped.lasts, wrapped.limits)


def _without(c: Context, who: Select, condition: Condition) -> Select:
    if who.ref is not None:
        raise Reject("but one of one")
    return replace(who, where=conj([who.where, negate(c, condition)]))


def may_test(c: Context, who: Select, how: Anything) -> None:
    """A test that is a choice; "if that test is passed" follows."""
    block = c.open()
    block.may = "you"
    c.act, c.act_block, c.test_block = block, c.block, block
    with c.inside(block):
        c.put(ShockTest(how, whole(who)))


def added_up(c: Context) -> None:
    """ "Roll two D6 and add them together"."""
    if c.gate is None or c.gate.rows:
        raise Reject("which dice?")
    dice = c.gate.dice.n
    if dice.count < 2 and c.gate.per is None:
        raise Reject("one die is no sum")
    c.gate.sum = True
    c.pieces += 1


def put_aside(c: Context) -> None:
    """ "Set them aside": what they are for is said next."""
    if c.gate is None or c.gate.rows:
        raise Reject("which dice?")
    c.pieces += 1


def set_up_or_ends(c: Context, who: Select, kinds: tuple[str, ...], where: Condition) -> Scope:
    """Is set up, or ends such a move, there."""
    placed: Event = event(c, "set_up", who)
    ended = event(c, "move_ended", who, kinds=kinds)
    spoken = Select(who.what, ref="subject") if who.ref is None else who
    return event_and(c, either_event(c, placed, ended), about(c, spoken, where))


def str_of(c: Context, n: Amount) -> str:
    """A number as a word of an act."""
    return str(n.n)


def those_with(c: Context, k: Keyword | None, having: Condition) -> Scope:
    """ "If every model in a unit has this ability": what follows is said of such units."""
    who = Select("unit", where=conj([k, having]))
    c.mentions.append(Mention(who, who, c.block))
    c.it, c.it_block = who, c.block
    return Scope()


def shoot_engaged(c: Context, who: Select, blast: bool | None) -> tuple[Targeting | Permit, ...]:
    """May shoot at who is engaged with it and with no other friend, with blast weapons too where the text says so."""
    ours = whole(who)
    alone = Not(Engaged(Select("unit", side="friendly", other=True)))
    target = Targeting("can", who=Select("unit", side="enemy", where=conj([Engaged(ours), alone])), by=ours)
    return (target, Permit("use blast weapons", ("engaged",), ours)) if blast else (target,)


def no_penalty(c: Context, who: Select, but: Condition | None) -> Anything:
    """The hit rolls of who shoots while engaged are not worse, but those of such weapons."""
    ignored = IgnoreMods(("hit penalty of engaged shooters",), "bad", whole(who))
    if but is None:
        return ignored
    words = attack_words(c, "ranged", negate(c, but), None)
    return get(c, attacks_of(c, who, words), replace(ignored, who=None))
