"""Pools of points, dice and tokens: what fills and empties them, what they buy, tables of how many there are."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any as Anything
from typing import Literal

from msgspec.structs import replace as replace_fields

from battlewright.dice import Dice
from battlewright.effects import (
    Amount,
    Choose,
    Clause,
    Condition,
    Duration,
    Forbid,
    Keyword,
    Option,
    Pool,
    PoolHas,
    Roll,
    RollSet,
    Round,
    Select,
    SetState,
    Window,
    parts_of,
)
from battlewright.rulestext.blocks import Block, Gate, Given, Options
from battlewright.rulestext.builders.bearers import when_event
from battlewright.rulestext.builders.counters import tokens_for
from battlewright.rulestext.builders.numbers import value
from battlewright.rulestext.builders.phrases import row, whole
from battlewright.rulestext.builders.scopes import may
from battlewright.rulestext.builders.sentences import Instead, Wrapped, event, put, scaled_effect
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.tokens import Token
from battlewright.rulestext.words import phrase

#: points and dice of the game itself, which no rule of an army keeps
_OF_THE_GAME_TEXT = "command victory attack attacks hit wound save damage charge mission detachment crusade"
_OF_THE_GAME = frozenset(_OF_THE_GAME_TEXT.split())
#: points a text also calls by two letters
_SHORT = {"requisition": "rp", "experience": "xp"}
NONE = Amount(Dice(0, 6, 0))


def own_pool(c: Context, words: tuple[Token, ...]) -> str:
    """A pool called by plain words: "pain tokens"."""
    if words[-1].word in _OF_THE_GAME:
        raise Reject("points of the game itself")
    name = phrase(words).lower()
    return c.short.get(name) or _SHORT.get(name, name)


def pool_short(c: Context, words: tuple[Token, ...], short: Keyword) -> str:
    """ "Honour points (HP)": from here on known by the short name, too."""
    name = own_pool(c, words)
    c.short = {**c.short, short.any_of[0][0].lower(): name}
    return name


def as_chosen(c: Context, most: Amount) -> Amount:
    """ "Up to 3 points": as many as one likes, at most so many."""
    return Amount(ref="chosen", maximum=value(c, most))


def emptied(c: Context, name: str) -> Pool:
    return Pool(name, "set", NONE)


def starts_with(c: Context, name: str, n: Amount, change: Literal["add", "set"] = "set") -> Wrapped:
    """What is in the pool when the battle begins; or what is added to it then."""
    return Wrapped((Pool(name, change, n),), Window(("any",), "either", "start", "battle"))


def at_most(c: Context, name: str, n: Amount) -> Forbid:
    """How many the pool can hold."""
    return Forbid(f"have more than {value(c, n)} {name}", Select("player", ref="you"))


def substitute(
    c: Context, name: str, n: Amount, who: Select | None = None, rolls: tuple[Roll, ...] = ("any",)
) -> Clause:
    """A die of the pool in place of the roll that is due, if it is one of these."""
    if n != Amount():
        raise Reject("several for one roll")
    who = None if who is None else whole(who)
    sets = tuple(RollSet(roll, "value", Amount(ref=name), who=who) for roll in rolls)
    chosen = sets[0] if len(sets) == 1 else Choose(tuple(Option((one,)) for one in sets))
    return may(c, Pool(name, "spend", n), chosen)


def in_place_of(c: Context, name: str, rolls: tuple[Roll, ...], who: Select) -> Clause:
    """ "Those dice can be used in place of any Hit roll made for these": each time one is made."""
    return Clause((substitute(c, name, Amount()),), when=event(c, "roll_made", who, kinds=rolls))


def rolled_pool(c: Context, name: str) -> Pool:
    """ "Roll four D6: these are your Fate dice": as many as were rolled."""
    gate = c.gate
    if gate is None or gate.rows or gate.per is not None or c.gate_block is None:
        raise Reject("which dice?")
    block = c.gate_block
    at = next((i for i, item in enumerate(block.do) if item is gate), None)
    if at is None:
        raise Reject("which dice?")
    c.use(block)
    del block.do[at]
    c.undo.append(lambda: block.do.insert(at, gate))
    c.gate = None
    return Pool(name, "set", Amount(ref=gate.dice.ref) if gate.dice.ref else Amount(Dice(0, 6, gate.dice.n.count)))


def dice_pool(c: Context, name: str) -> None:
    """ "Each time you gain one, roll a D6": the dice of the pool have the values rolled."""
    c.pieces += 1


def has(c: Context, name: str, low: Amount | None = None, high: Amount | None = None) -> PoolHas:
    return PoolHas(name, 0 if low is None else value(c, low), None if high is None else value(c, high))


def more_than(c: Context, name: str, n: Amount) -> PoolHas:
    return PoolHas(name, value(c, n) + 1)


def table(c: Context, who: Select, name: str) -> None:
    """What these get for what is in the pool, or in a battle round: the rows stand below."""
    block = c.open()
    if who.ref not in ("self", "unit", "you"):
        given = Given(whole(who), Block(block))
        block.do.append(given)
        block = given.block
    c.table, c.pieces = (Round if name == "battle round" else partial(PoolHas, name), block), c.pieces + 1


def by_table(c: Context, gate: Gate) -> Gate:
    """Dice whose results stand in rows below."""
    if gate.rows:
        raise Reject("the results are known")
    c.by_rows = True
    return gate


def use_pool(c: Context, name: str, n: Amount) -> None:
    """ "You can spend a point": a choice; "if you do" follows."""
    effect = may(c, Pool(name, "spend", n))
    c.discarded = name if n.ref == "chosen" else c.discarded
    c.put(effect)
    c.act, c.act_block = effect, c.block


def spend_to(c: Context, pool: str, n: Amount, effects: Anything) -> Clause:
    """ "You can spend a token to do that"."""
    found = row(effects)
    if any(effect is None or isinstance(effect, (Wrapped, Instead, Gate, Options)) for effect in found):
        raise Reject("spent for what?")
    return may(c, Pool(pool, "spend", n), *found)


def for_tokens(
    c: Context, effects: Anything, tokens: tuple[str, Select], every: Amount | None = None, most: Amount | None = None
) -> Anything:
    """An effect for each token that someone carries, or for every so many."""
    name, who = tokens
    if who.ref is None and any(getattr(effect, "who", None) == whole(who) for effect in row(effects)):
        raise Reject("each counts its own")
    return scaled_effect(c, effects, Select("marker", name=name, of=whole(who)), every, most)


def by_table_for(c: Context, gate: Gate, duration: Duration | None = None) -> Gate | None:
    """Dice whose results stand in rows below, for so long."""
    by_table(c, gate)
    if duration is None:
        return gate
    block = c.open()
    block.lasts = duration
    with c.inside(block):
        put(c, gate)
    return None


def begins_with(c: Context, who: Select, name: str, n: Amount) -> Wrapped:
    """The tokens each of these carries when the battle begins."""
    return Wrapped((tokens_for(c, who, name, n),), Window(("any",), "either", "start", "battle"))


def known_pool(c: Context, words: tuple[Token, ...]) -> str:
    """ "Your Favour": a pool by its bare name, where the rule has spoken of it."""
    name = phrase(words).lower()
    said = (part for items, at, _ in c.history for part in parts_of(tuple(items)[at : at + 1]))
    if not any(isinstance(part, Pool) and part.name == name for part in said):
        raise Reject("which pool?")
    return name


def table_of(c: Context, name: str) -> None:
    """ "While it is": the rows below say how much, and what holds then."""
    c.table, c.pieces = (partial(PoolHas, name), c.open()), c.pieces + 1


def gains_more(c: Context, gain: Anything, events: Anything, more: Amount, condition: Condition) -> Anything:
    """ "One each time it happens, and one more if this holds"."""
    first = when_event(c, gain, events)
    if not isinstance(gain, Pool) or not isinstance(first, Wrapped):
        raise Reject("more of what?")
    return first, replace(first, effects=(replace_fields(gain, amount=more),), holds=(*first.holds, condition))


def raises(c: Context, pool: str, n: Amount, state: str, who: Select) -> Clause:
    """ "You can spend a token to empower it"."""
    c.raised = {**c.raised, pool: state}
    return may(c, Pool(pool, "spend", n), SetState(state, whole(who)))


def raised_by(c: Context, words: tuple[Token, ...]) -> str:
    """ "Empowered by Ash": the state that tokens of that name were said to bring, or one called so."""
    name = phrase(words).lower()
    return c.raised.get(name, name)
