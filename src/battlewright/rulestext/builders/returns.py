"""What the destroyed still do, and how they come back."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import Act, AddUnit, Choose, Clause, Move, Option, RollSet, Select
from battlewright.rulestext.builders.phrases import YOUR, row, whole
from battlewright.rulestext.builders.scopes import last_effect
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
    places = [part for part in tails if isinstance(part, str)]
    if len(like) != 1 or len(places) > 1 or (whole(like[0]) != YOUR and like[0].ref != "subject"):
        raise Reject("a new unit like which?")
    unit = "like your unit" if like[0].ref != "subject" else "like the destroyed unit"
    return AddUnit(unit, place=places[0] if places else "")


def automatically(c: Context) -> None:
    """ "Mortal wounds are automatically inflicted": what the roll not made would have done."""
    last = last_effect(c)
    if not isinstance(last, RollSet) or last.roll != "deadly_demise":
        raise Reject("inflicted by what?")
    c.pieces += 1
