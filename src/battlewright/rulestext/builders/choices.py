"""Choices: for whom and how long the chosen one counts, and how it is spoken of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any as Anything

from msgspec.structs import replace as with_fields

from battlewright.effects import Choose, Duration, Order, Select
from battlewright.rulestext.blocks import INSTANT, STATIC, Block, Given, Item, Options, Swap, conj
from battlewright.rulestext.builders.attacks import CHOSEN, Attacks, get, weapons_of
from battlewright.rulestext.builders.gains import has_section
from battlewright.rulestext.builders.phrases import whole
from battlewright.rulestext.builders.picks import chosen_active
from battlewright.rulestext.builders.sentences import Scope, done, put
from battlewright.rulestext.context import UNIT, Context, Reject, in_option


def choice(c: Context, options: Options, who: Select | None = None, duration: Duration | None = None) -> None:
    """A choice whose options stand below: what ``who`` gets, for so long."""
    outer = c.block
    if duration is not None:
        block = c.open()
        block.lasts = duration
        with c.inside(block):
            choice(c, options, who)
        c.act_block = outer
        return
    options.who = UNIT if who is not None and who.ref is None else who
    if who is not None and who.what == "weapon":
        c.chosen_for = weapons_of(c, who)
    if who is not None and who.ref in ("self", "unit"):
        c.named_again(who)
    if who is None or who.what == "weapon" or who.ref in ("self", "unit", "you"):
        put(c, options)
        return
    given = Given(whole(who), Block(c.block))
    c.block.do.append(given)
    with c.inside(given.block):
        put(c, options)
    options.given = True
    c.act_block = outer


def may_choose(c: Context, options: Options) -> Options:
    """ "You can select one": one, or none."""
    options.up_to = True
    return options


def with_dice(c: Context, options: Options) -> Options:
    """What the dice just rolled are used for: it is chosen when they are rolled."""
    c.use(c.gate_block)
    return may_choose(c, options)


def at_random(c: Context, options: Options) -> Options:
    """Not chosen by anyone."""
    options.random = True
    return options


def chosen_for(c: Context, who: Select | None = None, duration: Duration | None = None, here: bool = False) -> None:
    """ "That one is active", "these units have the selected ability": the choice stands where it counts."""
    options, stood = c.options, c.options_block
    if options is None and c.ordered and who is not None and duration is not None:
        choice(c, Options(), who, duration)
        return
    if options is None and (c.named_choice or c.section):
        put(c, _elsewhere(c, who))
        return
    if options is None or stood is None or options not in stood.do:
        raise Reject("which one?")
    c.use(stood)
    c.pieces += 1
    if not here and (options.given or (who is None and duration is None and _lasts(c.block) == _lasts(stood))):
        return
    if options.random and options.options:
        raise Reject("chosen already")
    at = stood.do.index(options)
    stood.do.pop(at)
    c.undo.append(lambda: stood.do.insert(at, options))
    block = c.block
    if duration is not None:
        block = c.open()
        block.lasts = duration
    if who is not None and who.ref not in ("self", "unit", "you"):
        given = Given(whole(who), Block(block))
        block.do.append(given)
        block, options.given = given.block, True
        c.undo.append(lambda: setattr(options, "given", False))
    block.do.append(options)
    c.options_block = block


def _elsewhere(c: Context, who: Select | None) -> object:
    """One of those named before, or of those of a section."""
    return chosen_active(c, who) if c.named_choice or who is None else has_section(c, who)


def _lasts(block: Block) -> list[Duration]:
    return [one.lasts for one in block.chain() if one.lasts != INSTANT]


def while_chosen(c: Context) -> Scope:
    """ "While this one is active", said of an option in its own words."""
    if not in_option(c):
        raise Reject("while which one?")
    return Scope()


def weapons_chosen(c: Context, attacks: Attacks) -> Anything:
    """ "Weapons of that unit have the associated ability": each option is one, for these attacks."""
    if c.options is None:
        return get(c, attacks, CHOSEN)
    chosen_for(c)
    c.chosen_for = attacks
    return None


def while_named(c: Context) -> Scope:
    """ "While that one is active", said of a choice before its options are told: where the choice stands."""
    if c.options is None and not in_option(c):
        raise Reject("while which one?")
    return Scope()


def to_do_it(c: Context) -> Scope:
    """ "To perform an act, …": what is done for it, where the rule said of the player that one can be performed."""
    act = c.act
    if isinstance(act, Order) and act.how == "use" and act.who == Select("player", ref="you"):
        return done(c)
    return Scope()


def same_choice(c: Context) -> None:
    """ "Its effects are resolved", after it was said to be the chosen one."""
    if c.options is None or c.options_block is None or c.options_block not in c.block.chain():
        raise Reject("whose effects?")
    c.pieces += 1


def all_chosen(c: Context, both: bool) -> None:
    """ "If it is near, it gains both instead": every one of the options, in place of the one chosen."""
    items, at, stood = _chosen_from(c)
    old = items[at]
    assert isinstance(old, (Choose, Options))
    said = len(old.options)
    if old.k != 1 or (said not in (0, 2) if both else said == 1) or (not said and not both):
        raise Reject("all of which?")
    new: Item = with_fields(old, k=said) if isinstance(old, Choose) else replace(old, k=said or 2)
    scopes = [scope for scope in c.block.chain() if scope is not c.root and c.root in scope.chain()]
    if any(scope.when != STATIC or scope.may or scope.lasts != INSTANT for scope in scopes):
        raise Reject("all of them, in another scope")
    holds = conj([condition for scope in reversed(scopes) for condition in scope.holds])
    if holds is None:
        raise Reject("all of them, always?")
    c.use(stood)
    c.swap(items, at, Swap(holds, [new], old))
    c.pieces += 1


def _chosen_from(c: Context) -> tuple[list[Item], int, Block]:
    """The choice last made, where it stands."""
    if c.options is not None and c.options_block is not None and c.options in c.options_block.do:
        return c.options_block.do, c.options_block.do.index(c.options), c.options_block
    for items, at, block in reversed(c.history):
        in_an_option = any(one.option for one in block.chain())
        if not in_an_option and at < len(items) and isinstance(items[at], (Choose, Options)):
            return items, at, block
    raise Reject("all of which?")
