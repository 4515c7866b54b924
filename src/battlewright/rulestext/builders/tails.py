"""What stands behind an effect, or comes after it: its time and condition, a larger amount instead, what it adds up with."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import (
    Amount,
    Compare,
    Event,
    Grant,
    Pick,
    RollMod,
    Select,
    Setup,
    ShockTest,
    Stat,
    StatMod,
)
from battlewright.rulestext.blocks import STATIC
from battlewright.rulestext.builders.attacks import (
    attack_stat,
    get,
    roll_made_here,
    roll_mod,
    rolls_made,
    those_weapons,
)
from battlewright.rulestext.builders.gains import give
from battlewright.rulestext.builders.phrases import it, known, last_effect, row, whole
from battlewright.rulestext.builders.rolls import shock_mod
from battlewright.rulestext.builders.sentences import (
    Instead,
    Scope,
    Wrapped,
    doing_so,
    together,
    under,
    use_ability,
    use_ability_when,
)
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.tokens import Token


def tailed(c: Context, effects: Anything, first: Scope, second: Scope) -> Anything:
    """An effect with two adverbs behind it: "you gain 1CP at the start of your turn if this unit is engaged"."""
    scope = together(c, first, second)
    found = row(effects)
    for condition in scope.holds:
        found = row(under(c, found, condition))
    if any(isinstance(one, Wrapped) and one.when != STATIC and scope.when != STATIC for one in found):
        raise Reject("an effect with a time of its own")
    return Wrapped(found, scope.when, (), scope.lasts, scope.limits)


def amount_instead(c: Context, n: Amount, sign: int) -> Instead:
    """ "Add 2 instead": to what was last added to."""
    for items, at, _ in reversed(c.history):
        old = items[at]
        if isinstance(old, StatMod) and old.op in (("add", "improve") if sign > 0 else ("subtract", "worsen")):
            return Instead((replace(old, amount=n),))
        if isinstance(old, RollMod) and old.sign == sign:
            return Instead((replace(old, amount=n),))
    raise Reject("'instead' of what?")


def they_get(c: Context, gains: Anything) -> Anything:
    """ "They also have [X]": the weapons this sentence spoke of, else those that "they" are."""
    block = c.weapons_block
    if c.weapons is not None and block is not None and c.root in block.chain():
        return get(c, those_weapons(c), gains)
    return give(c, it(c), gains)


def result_mod(c: Context, n: Amount, sign: Anything) -> Anything:
    """ "Subtract 1 from the result": of the test just spoken of, else of the dice."""
    taken = any(isinstance(block.when, Event) and block.when.name == "test_taken" for block in c.block.chain())
    if taken or isinstance(last_effect(c), ShockTest):
        return shock_mod(c, n, sign)
    made = roll_made_here(c)
    saves = rolls_made(made) if made is not None else ()
    if made is not None and all(roll in ("save", "armour_save", "invulnerable_save") for roll in saves):
        return tuple(RollMod(roll, n, sign, made.subject and whole(made.subject)) for roll in saves)
    return roll_mod(c, ("any",), n, sign)


def use_ability_by(c: Context, who: Select, window: Anything = None) -> None:
    """ "This unit can use this ability (at that moment)": it is what "its" means in what follows."""
    if who.ref is not None:
        c.named_again(who)
    c.it, c.it_block = known(c, who), c.block
    if window is None:
        use_ability(c)
    else:
        use_ability_when(c, window)


def signed_of_attack(c: Context, stat: str, token: Token) -> Compare:
    """An attack with an AP of -1."""
    return Compare(f"attack.{stat}", "=", token.raw.replace("−", "-").removeprefix("+"))


def set_of_attack(c: Context, stats: tuple[Stat, ...], n: Amount) -> Anything:
    """ "It has an AP characteristic of 0 instead": of the attack spoken of, whatever is printed."""
    c.scope_of_attack()
    return attack_stat(c, stats, "set", n)


def not_cumulative_before(c: Context) -> None:
    """ "This is not cumulative with any other negative modifiers": of the modifier said last."""
    if not c.history:
        raise Reject("what is not cumulative?")
    items, at, block = c.history[-1]
    last = items[at]
    if not isinstance(last, RollMod):
        raise Reject("what is not cumulative?")
    c.use(block)
    c.swap(items, at, replace(last, cumulative=False))
    c.pieces += 1


def such_test(c: Context, name: Anything) -> Scope:
    """ "Such a test is failed": one of the tests a modifier was about, or of the kind just taken."""
    for items, at, _ in reversed(c.history):
        last = items[at]
        if isinstance(last, RollMod) and last.roll in ("battle_shock", "leadership", "desperate_escape", "hazard"):
            who = last.who
            kinds: tuple[str, ...] = (last.roll,)
        elif isinstance(last, ShockTest) and last.how in ("test", "leadership", "desperate_escape"):
            who, kinds = last.who, ("battle_shock" if last.how == "test" else last.how,)
        else:
            continue
        if who is None:
            break
        if who.ref is None:
            c.refers(who, Select(who.what, ref="subject"))
            c.mention(who, Select(who.what, ref="subject"))
        c.it, c.it_block = (Select(who.what, ref="subject") if who.ref is None else who), c.block
        return Scope(when=Event(name, whole(who), None, kinds))
    raise Reject("which test?")


def set_up_so(c: Context) -> Scope:
    """ "When it is set up in this way": by the setting up just spoken of, or by the ability just given."""
    if not c.history:
        raise Reject("set up how?")
    items, at, block = c.history[-1]
    last = items[at]
    if isinstance(last, Grant) and last.name in ("deep strike", "infiltrators"):
        who = last.who or Select("unit", ref="unit")
        if who.ref is None:
            c.mention(who, Select(who.what, ref="subject"))
        c.it, c.it_block = (Select("unit", ref="subject") if who.ref is None else who), c.block
        c.use(block)
        return Scope(when=Event("set_up", whole(who), None, (last.name,)))
    if isinstance(last, (Setup, Pick)) or c.act is not None:
        return doing_so(c)
    raise Reject("set up how?")
