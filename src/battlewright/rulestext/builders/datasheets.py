"""What abilities of units say and no family of its own holds."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.dice import Dice
from battlewright.effects import (
    About,
    AddUnit,
    Amount,
    Compare,
    Condition,
    Event,
    Grant,
    HitBy,
    Keyword,
    Permit,
    Pick,
    RollMod,
    Select,
    Setup,
    Stat,
)
from battlewright.rulestext.blocks import INSTANT, Block, Gate, conj
from battlewright.rulestext.builders.acts import setup
from battlewright.rulestext.builders.attacks import Attacks, AttackWords, get, per_attack, stat_of_attack
from battlewright.rulestext.builders.conditions import negate_all
from battlewright.rulestext.builders.gains import give, picked_weapon
from battlewright.rulestext.builders.numbers import keyword_text
from battlewright.rulestext.builders.phrases import negate, row, whole
from battlewright.rulestext.builders.picks import pick
from battlewright.rulestext.builders.sentences import Scope, Wrapped, event, put, row_of, use_ability
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


def new_of_kind(c: Context, k: Keyword, models: Amount | None) -> AddUnit:
    """A new unit, set up as the rule says next."""
    return AddUnit(keyword_text(c, k), models)


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


# ------------------------------------------------------------------------------------------ short forms, and what follows


def option_gains(c: Context, gains: Anything) -> Anything:
    """A bare ability in a list of options: for whom the chosen one is."""
    if c.option_of is None or c.option_of.who is None:
        raise Reject("an ability on its own")
    return give(c, c.option_of.who, gains)


def better_save(c: Context, token: Token, against: Condition | None) -> Grant:
    """ "This invulnerable save is improved to 4+": of whom it was said."""
    for items, at, block in reversed(c.history):
        old = items[at]
        if isinstance(old, Grant) and old.what == "invulnerable":
            c.use(block if block.lasts == INSTANT else None)
            return replace(old, amount=Amount(Dice.parse(token.raw)), against=against or old.against)
    raise Reject("which save?")


def weapon_gains(c: Context, weapon: Select, gains: Anything) -> Anything:
    """One weapon is picked, and gets something."""
    put(c, pick(c, weapon))
    return get(c, picked_weapon(c), gains)


def psychic_roll(c: Context, who: Select) -> None:
    """A psychic roll is optional; "if you do" its results follow."""
    use_ability(c)
    assert isinstance(c.act, Block)
    gate = Gate(Amount(Dice(1, 6, 0)))
    c.act.do.append(gate)
    c.gate, c.gate_block = gate, c.act
    c.it, c.it_block = whole(who), c.block


def in_move(c: Context, effects: Anything, kinds: tuple[str, ...]) -> Wrapped:
    """It is so while someone makes such a move."""
    found = row(effects)
    who = getattr(found[0], "who", None) if len(found) == 1 else None
    if who is None or isinstance(found[0], Wrapped):
        raise Reject("who moves?")
    if who.ref is not None:
        return Wrapped(found, Event("move_started", who, None, kinds))
    return Wrapped((replace(found[0], who=Select(who.what, ref="subject")),), Event("move_started", who, None, kinds))


# ------------------------------------------------------------------------------------------ whom an ability may not touch


def not_for(c: Context, condition: Condition) -> None:
    """ "This ability does not affect such units": whoever was picked is none of them."""
    for items, at, _ in reversed(c.history):
        old = items[at]
        if isinstance(old, Pick):
            narrower = replace(old.who, where=conj([old.who.where, negate(c, condition)]))
            c.swap(items, at, replace(old, who=narrower))
            c.pieces += 1
            return
    raise Reject("who is affected?")


def never_used_if(c: Context, condition: Condition) -> None:
    """ "It cannot use this ability while battle-shocked": of the ability just spoken of."""
    block = c.act if isinstance(c.act, Block) else None
    if block is None:
        raise Reject("which ability?")
    c.add(block.holds, negate_all(c, condition))
    c.pieces += 1


def rolled_against(c: Context, op: Anything, who: Select, stat: Stat) -> Scope:
    """ "If the result is greater than that unit's Leadership": of the dice just rolled."""
    scope = row_of(c, None, None)
    name = who.name if who.ref == "bound" else who.ref
    if name is None:
        raise Reject("whose characteristic?")
    return Scope(holds=[Compare("roll", op, f"{name}.{stat}")], into=scope.into)


def with_stat(c: Context, attacks: Attacks, stat: str, n: Amount) -> Attacks:
    """Attacks with such a characteristic."""
    return Attacks(attacks.trigger, (*attacks.holds, stat_of_attack(c, stat, "=", n)), attacks.lasts, attacks.more)


def instead_of_moving(c: Context, who: Select | None) -> Scope:
    """ "Instead of making a move with it": when it would be selected to move."""
    return Scope(event(c, "selected_to_move", who or c.it or (UNIT if c.says_this_unit else ME)))
