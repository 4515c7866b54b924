"""What abilities of units say and no family of its own holds."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.dice import Dice
from battlewright.effects import About, AddUnit, Amount, Event, HitBy, Keyword, Permit, RollMod, Select, Setup
from battlewright.rulestext.blocks import Gate
from battlewright.rulestext.builders.acts import setup
from battlewright.rulestext.builders.attacks import AttackWords, per_attack
from battlewright.rulestext.builders.numbers import keyword_text
from battlewright.rulestext.builders.phrases import row, whole
from battlewright.rulestext.builders.sentences import Scope, Wrapped, event
from battlewright.rulestext.context import ME, UNIT, Context, Mention, Reject
from battlewright.rulestext.tokens import Token


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


def dice_in(c: Context, token: Token) -> int:
    """The 3 of "3D6"."""
    return Dice.parse(token.raw).count


def new_unit(c: Context, k: Keyword, models: Amount | None, places: Anything) -> tuple[AddUnit, Setup]:
    """A new unit, and where it is set up."""
    spots = row(places)
    words = tuple(place for place in spots if isinstance(place, str))
    where = tuple(place for place in spots if not isinstance(place, str))
    return AddUnit(keyword_text(c, k), models), Setup(None, words, "new unit", where)


def against_attack(c: Context, effects: Anything) -> Anything:
    """So it is for the attack spoken of."""
    c.scope_of_attack()
    return effects


def disembarked_permit(c: Context, who: Select, transport: Select, acts: tuple[str, ...]) -> Wrapped:
    """Those that disembark may still do that."""
    found = event(c, "disembarked", who, transport)
    return Wrapped(tuple(Permit(act, ("disembark",), Select("unit", ref="subject")) for act in acts), found)
