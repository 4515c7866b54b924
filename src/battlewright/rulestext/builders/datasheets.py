"""What abilities of units say and no family of its own holds."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.dice import Dice
from battlewright.effects import About, Amount, Event, HitBy, RollMod, Select, Setup
from battlewright.rulestext.blocks import Gate
from battlewright.rulestext.builders.attacks import AttackWords, per_attack
from battlewright.rulestext.builders.acts import setup
from battlewright.rulestext.builders.phrases import whole
from battlewright.rulestext.builders.sentences import Scope, Wrapped, event
from battlewright.rulestext.context import ME, UNIT, Context, Mention, Reject


def targets_with(c: Context, who: Select, weapon: str, edge: Anything) -> Event:
    """Targets of one weapon are selected: "the target unit" is spoken of from here on."""
    found = event(c, "targets_selected", who, None, (weapon,) if weapon else (), edge)
    c.mentions.append(Mention(Select("unit", side="enemy"), Select("unit", ref="target"), c.block))
    return found


def shot_at(c: Context, who: Select, target: Select, name: Anything) -> Scope:
    """Someone has shot at these."""
    return Scope(event(c, name, who), [About(whole(target), HitBy(None, "targeted"))])


def charge_minus(c: Context, who: Select, target: Select, n: Anything) -> Wrapped:
    """Those that charge these subtract from the roll."""
    found = event(c, "charge_declared", who, target)
    return Wrapped((RollMod("charge", n, -1, Select("unit", ref="subject")),), found)


def set_up_with(c: Context, who: Select, ability: str, places: Anything) -> Setup:
    """Set up by an ability, at such places."""
    return replace(setup(c, who, places), kind=ability)


def gate_of_wounds(c: Context, who: Select) -> Gate:
    """One die for each wound it has left."""
    if who not in (ME, UNIT):
        raise Reject("whose wounds?")
    return Gate(Amount(Dice(1, 6, 0), ref="wounds left"))


def shooting_scope(c: Context, words: AttackWords) -> Scope:
    """ "When making ranged attacks with this weapon": those attacks."""
    return per_attack(c, ME, words)
