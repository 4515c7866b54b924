"""What the destroyed still do, and how they come back."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import (
    About,
    Act,
    AddUnit,
    Amount,
    Choose,
    Clause,
    Count,
    Destroy,
    Destroyed,
    Event,
    Move,
    Option,
    Order,
    ReturnModels,
    RollSet,
    Select,
    Setup,
    Wounds,
    parts_of,
)
from battlewright.rulestext.blocks import Gate
from battlewright.rulestext.builders.phrases import YOUR, change_last, last_effect, row, whole, your
from battlewright.rulestext.builders.sentences import Scope
from battlewright.rulestext.context import Context, Reject

_LAST = ("not removed",)


def last_act(c: Context, who: Select, acts: tuple[Anything, ...], removed: bool = True) -> Anything:
    """Who was destroyed still shoots or fights, and is removed after that; "do not remove it" may stand before, and
    must where the sentence does not say that it is ``removed``.
    """
    last = last_effect(c)
    if isinstance(last, Act) and last.limits == _LAST:
        items, at, block = c.history[-1]
        c.use(block)
        c.swap(items, at, _one_of(tuple(replace(last, act=act, may=True) for act in acts)))
        c.pieces += 1
        return None
    if not removed:
        raise Reject("who is not removed?")
    return _one_of(tuple(Act(act, whole(who), None, _LAST) for act in acts))


def _one_of(acts: tuple[Act, ...]) -> Act | Choose:
    return acts[0] if len(acts) == 1 else Choose(tuple(Option((act,)) for act in acts))


def before_removal(c: Context, effects: Anything) -> Anything:
    """ "… before it is removed from play": what comes of its death, and is no act of its own."""
    if any(isinstance(effect, (Act, Clause, Move)) for effect in row(effects)):
        raise Reject("an act of one who is not removed")
    return effects


def add_unit(c: Context, tails: tuple[Anything, ...]) -> AddUnit:
    """A new unit like the stratagem's, in reserves, with all its models."""
    like = [part for part in tails if isinstance(part, Select)]
    size = next((part for part in tails if isinstance(part, Amount)), None)
    places = [part for part in tails if isinstance(part, str)]
    if len(like) != 1 or len(places) > 1 or (whole(like[0]) != YOUR and not _was_destroyed(c, like[0])):
        raise Reject("a new unit like which?")
    unit = "like your unit" if whole(like[0]) == YOUR else "like the destroyed unit"
    return AddUnit(unit, size, places[0] if places else "")


def destroyed_or_yours(c: Context) -> Select:
    """ "Identical to that unit": the one that was destroyed, where the rule tells of that; else the stratagem's."""
    blocks = [*c.block.chain(), *c.base.chain()]
    if any(isinstance(block.when, Event) and block.when.name == "destroyed" for block in blocks):
        return Select("unit", ref="subject")
    return your(c)


def _was_destroyed(c: Context, who: Select) -> bool:
    """Is it the one that something happened to, or one of those that were destroyed?"""
    named = (one.select for one in c.mentions if one.refer == who)
    return who.ref == "subject" or any(isinstance(part, Destroyed) for one in named for part in parts_of(one.where))


def destroyed_this_way(c: Context) -> Destroyed:
    """ "For each model destroyed this way": by what was just said."""
    if not any(isinstance(part, Destroy) for part in parts_of((last_effect(c),))):
        raise Reject("destroyed in what way?")
    return Destroyed()


def wounded_in(c: Context, unit: Select) -> About:
    """One or more models of the unit have lost wounds; "those models", said next, are they."""
    lost = Wounds(1, None, True)
    c.mention(Select("model", of=unit, where=lost), Select("model", of=unit, where=lost))
    return About(Select("model", of=unit, count=Count("any")), lost)


def back_with(c: Context, wounds: Amount | None) -> None:
    """ "Set that model up with 1 wound remaining", of the one that was just said to come back."""
    if not change_last(
        c,
        lambda old: isinstance(old, ReturnModels) and old.wounds is None,
        lambda old: replace(old, wounds=wounds),
    ):
        raise Reject("who comes back?")


def for_each_wound(c: Context) -> Scope:
    """ "For each wound rolled", where a unit reanimates so many: each time it gets one of them."""
    for block in [*c.block.chain(), *(c.last.chain() if c.last is not None else [])]:
        event = block.when
        if isinstance(event, Event) and event.name == "used" and event.kinds == ("reanimate",) and event.subject:
            unit = Select("unit", ref="subject")
            if c.gate is not None and not c.gate.rows:
                _as_often(c, c.gate, Order("use", "reanimate one wound", unit, c.gate.dice))
            return Scope(Event("used", unit, kinds=("reanimate one wound",)), into=block)
    raise Reject("each wound of what?")


def _as_often(c: Context, gate: Gate, order: Order) -> None:
    """Dice that say how often it is done."""
    change_last(c, lambda old: old is gate, lambda old: order)


def never_engaged(c: Context) -> Setup:
    """Models that come back are set up as such models are: engaged only where their unit is."""
    last = last_effect(c)
    if not isinstance(last, ReturnModels):
        raise Reject("who comes back?")
    c.use(c.history[-1][2])
    return Setup(last.who, ("engaged only with whom its unit is engaged",))


def automatically(c: Context) -> None:
    """ "Mortal wounds are automatically inflicted": what the roll not made would have done."""
    last = last_effect(c)
    if not isinstance(last, RollSet) or last.roll != "deadly_demise":
        raise Reject("inflicted by what?")
    items, at, _ = c.history[-1]
    c.swap(items, at, replace(last, to="success"))
    c.pieces += 1
