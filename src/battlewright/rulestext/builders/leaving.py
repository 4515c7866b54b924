"""Destroyed and back again: Deadly Demise, models and units that return, removing and setting up elsewhere."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import (
    About,
    All,
    Amount,
    Condition,
    Destroyed,
    Event,
    Named,
    PerAttack,
    ReturnModels,
    Revive,
    Same,
    Select,
)
from battlewright.rulestext.blocks import Block, conj
from battlewright.rulestext.builders.acts import setup
from battlewright.rulestext.builders.phrases import whole
from battlewright.rulestext.builders.sentences import Scope, event
from battlewright.rulestext.context import Context, Reject


def weapon_name(c: Context, weapon: Condition) -> str:
    """By what the moment at which someone shoots or destroys with a weapon is told from others."""
    if weapon == Same(Select("weapon", ref="self")):
        return "this weapon"
    if not isinstance(weapon, Named):
        raise Reject("with which weapon?")
    return weapon.name


def weapon_destroys(c: Context, weapon: Condition, owner: Select | None, target: Select) -> Event:
    """An attack made with this weapon destroys someone."""
    return event(c, "destroyed", target, owner, (weapon_name(c, weapon),))


def set_back(c: Context, who: Select, places: Anything, wounds: Amount | None = None) -> Anything:
    """Set up again: back from the dead where its death is spoken of, else elsewhere."""
    if who.what == "marker" or not any(_of_death(block) for block in c.block.chain()):
        if wounds is not None:
            raise Reject("wounds of one that was not destroyed")
        return setup(c, who, places)
    found = setup(c, who, places)
    revived = Revive(whole(who), wounds, ", ".join(found.limits))
    return (revived, replace(found, limits=())) if found.where else revived


def _of_death(block: Block) -> bool:
    """Is this scope about someone who was destroyed?"""
    event_of = isinstance(block.when, Event) and block.when.name == "destroyed"
    return event_of or any(isinstance(one, About) and isinstance(one.holds, Destroyed) for one in block.holds)


def return_that(c: Context, who: Select, to: Select, wounds: Amount | None) -> ReturnModels:
    """The model just spoken of comes back to its unit; or so many destroyed ones, which fit what is said of them."""
    if who.ref is not None:
        return ReturnModels(Amount(), whole(to), wounds)
    parts = who.where.of if isinstance(who.where, All) else (who.where,)
    if Destroyed() not in parts or who.of is not None or who.side is not None:
        raise Reject("which model?")
    c.drop(who)
    fits = conj([part for part in parts if part != Destroyed()])
    back = whole(to) if fits is None else Select("model", where=fits, of=whole(to))
    return ReturnModels(who.count.n or Amount(), back, wounds)


def on_unmodified(c: Context, roll: Anything, n: str) -> Scope:
    """ "On an unmodified saving throw of 6": when such a roll is made for who is attacked."""
    for block in c.block.chain():
        if isinstance(block.when, PerAttack) and roll is None:
            raise Reject("which roll of the attack?")
        if isinstance(block.when, PerAttack) and block.when.target is not None:
            return Scope(Event("roll_made", block.when.target, kinds=(roll, f"unmodified {n}")))
        if isinstance(block.when, PerAttack) and block.when.attacker is not None and roll in ("hit", "wound"):
            return Scope(Event("roll_made", block.when.attacker, kinds=(roll, f"unmodified {n}")))
        if (
            isinstance(block.when, Event)
            and block.when.name == "roll_made"
            and block.when.kinds[:1] == (roll or block.when.kinds[0],)
        ):
            return Scope(Event("roll_made", block.when.subject, kinds=(block.when.kinds[0], f"unmodified {n}")))
    raise Reject("whose roll?")
