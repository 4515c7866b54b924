"""Rolls: modified, re-rolled, set, failed; tests."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Amount,
    AnyOf,
    Choose,
    Condition,
    Count,
    Event,
    Forbid,
    MoreDice,
    Not,
    Option,
    Outcome,
    Reroll,
    Roll,
    RollMod,
    RollSet,
    Select,
    ShockTest,
    Used,
)
from battlewright.rulestext.blocks import INSTANT, STATIC, Block, Swap, conj
from battlewright.rulestext.builders.attacks import rolls_made
from battlewright.rulestext.builders.phrases import (
    YOUR,
    last_effect,
    negate,
    number,
    row,
    sign,
    whole,
)
from battlewright.rulestext.builders.sentences import Scope, put
from battlewright.rulestext.builders.things import spoken
from battlewright.rulestext.context import ME, UNIT, Context, Reject
from battlewright.rulestext.tokens import Token


def roll_gain(c: Context, rolls: tuple[Roll, ...], token: Token) -> tuple[RollMod, ...]:
    """+1 to hit rolls."""
    n = Amount(Dice.parse(token.raw.lstrip("+-")))
    return roll_of_attacks(c, rolls, n, -1 if token.raw.startswith("-") else 1)


def roll_of_attacks(c: Context, rolls: tuple[Roll, ...], n: Amount, sign: Anything) -> tuple[RollMod, ...]:
    """A modifier to rolls of attacks spoken of as a thing."""
    return tuple(RollMod(roll, n, sign) for roll in rolls)


def tuple_rerolls(c: Context, rolls: tuple[Roll, ...], faces: tuple[int, ...] = ()) -> tuple[Reroll, ...]:
    return tuple(Reroll(roll, "faces" if faces else "all", faces) for roll in rolls)


def fails_on(c: Context, roll: Anything, result: tuple[int, int | None]) -> Anything:
    """Unmodified rolls up to a number fail, whatever else would let them succeed."""
    low, high = result
    if low != 1 or high is None:
        raise Reject("results in the middle fail")
    c.scope_of_attack()
    return RollSet(roll, "failure", Amount(Dice(0, 6, high)), True)


def shock_mod(c: Context, n: Amount, sign: Anything) -> Anything:
    """Subtract from the test just spoken of, or from the one that is being taken."""
    for block in c.block.chain():
        if isinstance(block.when, Event) and block.when.name == "test_taken":
            return tuple(RollMod(roll, n, sign, block.when.subject) for roll in rolls_made(block.when))
    last = last_effect(c)
    if not isinstance(last, ShockTest):
        raise Reject("which test?")
    if last.how == "desperate_escape":
        return RollMod("desperate_escape", n, sign, last.who)
    items, at, block = c.history[-1]
    conditions: list[Condition] = []
    for scope in c.block.chain():
        if scope is block or scope is c.root:
            break
        if scope.when != STATIC or scope.lasts != INSTANT or scope.may:
            return RollMod("battle_shock" if last.how == "test" else "leadership", n, sign, last.who)
        conditions.extend(one for one in scope.holds if one != Outcome("done"))
    c.use(block)
    holds, harder = conj(conditions), replace(last, mod=n, sign=sign)
    c.swap(items, at, harder if holds is None else _harder_if(c, block, holds, harder, last))
    c.pieces += 1
    return None


def _harder_if(c: Context, block: Block, holds: Condition, harder: ShockTest, plain: ShockTest) -> Block | Swap:
    """A test that is harder under a condition; of several who take it, for those of whom it holds."""
    who = plain.who
    of_us = isinstance(holds, About) and holds.who in (YOUR, UNIT, ME)
    if who is None or who.ref is not None or of_us:
        return Swap(holds, [harder], plain)
    names = [word for select, word in c.binds if select == who]
    if not isinstance(holds, About) or not names or holds.who.name not in names:
        raise Reject("a test of several")
    c.binds = [(select, word) for select, word in c.binds if select != who]
    some = replace(who, where=conj([who.where, holds.holds]))
    rest = replace(who, where=conj([who.where, negate(c, holds.holds)]))
    return Block(block, do=[replace(harder, who=some), replace(plain, who=rest)])


def no_roll(c: Context, roll: Anything, who: Select | None) -> RollSet:
    return RollSet(roll, "no_roll", who=whole(who or spoken(c)))


def rolls_set(c: Context, who: Select, rolls: tuple[Roll, ...]) -> tuple[RollSet, ...]:
    return tuple(RollSet(roll, "success", who=whole(who)) for roll in rolls)


def rolls_to(c: Context, who: Select, rolls: tuple[Roll, ...], token: Token) -> tuple[RollSet, ...]:
    n = Amount(Dice.parse(token.raw))
    return tuple(RollSet(roll, "value", n, who=whole(who)) for roll in rolls)


def reroll_that(c: Context) -> Reroll | tuple[Reroll, ...]:
    """The roll or test the clause is about, whichever it is."""
    for block in c.block.chain():
        if isinstance(block.when, Event) and block.when.name in ("test_taken", "roll_made", "test_failed"):
            return tuple(Reroll(roll, who=block.when.subject) for roll in rolls_made(block.when))
        if isinstance(block.when, Event) and block.when.name == "used":
            return Reroll("any", who=block.when.subject)
    last = last_effect(c)
    if isinstance(last, ShockTest):
        return Reroll("battle_shock", who=last.who)
    raise Reject("which roll?")


def reroll_one_of(c: Context, rolls: tuple[Roll, ...], who: Select | None) -> Choose:
    """ "re-roll one Hit roll, one Wound roll or one saving throw": one of them."""
    return Choose(tuple(Option((Reroll(roll, "one", who=who and whole(who)),)) for roll in rolls))


def not_cumulative(c: Context, effects: Anything) -> Anything:
    """ "this is not cumulative with any other negative modifiers"."""
    found = row(effects)
    if not all(isinstance(effect, RollMod) for effect in found):
        raise Reject("what is not cumulative?")
    return tuple(replace(effect, cumulative=False) for effect in found)


def passes_instead(c: Context, who: Select) -> ShockTest:
    """ "is treated as having passed that test instead"."""
    return ShockTest("pass", whole(who))


def never_rerolled(c: Context, rolls: tuple[Roll, ...], who: Select | None = None) -> tuple[Forbid, ...]:
    """These rolls cannot be re-rolled."""
    return tuple(Forbid(f"re-roll {roll}", who and whole(who)) for roll in rolls)


def more_than_usual(roll: str, dice: int | None, extra: int | None) -> int:
    """How many dice more than such a roll has, of so many in all."""
    usual = 2 if roll in ("charge", "battle_shock", "leadership") else 1
    more = extra if extra is not None else (dice or 0) - usual
    if more < 1:
        raise Reject("no more dice than usual")
    return more


def rerolled_with(c: Context, token: Token) -> tuple[Anything, ...]:
    """ "Re-roll that test with +1 to the roll"."""
    again = row(reroll_that(c))
    return (*again, *(RollMod(one.roll, number(c, token), sign(c, token), one.who) for one in again))


def must_reroll(rolls: tuple[Reroll, ...]) -> tuple[Reroll, ...]:
    """Rolls that are made again, whether their player likes it or not."""
    return tuple(replace(one, may=False) for one in rolls)


def not_rolled(c: Context, effects: Anything, roll: Anything) -> Anything:
    """ "Add 6 inches to its Move instead of making an Advance roll"."""
    return (RollSet(roll, "no_roll", who=whole(spoken(c))), *row(effects))


def no_advance_roll(c: Context, who: Select | None) -> Scope:
    """ "Instead of making an Advance roll, …": none is made."""
    put(c, RollSet("advance", "no_roll", who=whole(who or spoken(c))))
    return Scope()


def must_roll(dice: tuple[MoreDice, ...]) -> tuple[MoreDice, ...]:
    """Dice that are rolled whether their player likes it or not."""
    return tuple(replace(one, may=False) for one in dice)


def passes_that(c: Context) -> tuple[RollSet, ...]:
    """ "That roll is successful": the one the clause is about, whichever of several it is."""
    here = c.block.chain()
    for block in (*here, *c.base.chain()):
        when = block.when
        if isinstance(when, Event) and when.name in ("roll_made", "test_taken") and when.kinds:
            rolls: Anything = when.kinds
            ours = c.target is not None and block not in here  # the moment at which the stratagem is used
            who = YOUR if ours else Select("unit", ref="subject")
            return tuple(RollSet(roll, "success", who=who) for roll in rolls)
    raise Reject("which roll?")


def more_dice(c: Context, discard: Anything, extra: int | None = None, dice: int | None = None) -> tuple[MoreDice, ...]:
    """ "Roll one additional D6 and discard the lowest": of the rolls that are due then; or so many dice in all."""
    trigger = next((block.when for block in c.block.chain() if isinstance(block.when, (Event, AnyOf))), None)
    events = trigger.of if isinstance(trigger, AnyOf) else (trigger,)
    due = [(roll, event.subject) for event in events if isinstance(event, Event) for roll in _due(event)]
    if not due or not all(isinstance(event, Event) and _due(event) for event in events):
        raise Reject("more dice for which roll?")
    return tuple(MoreDice(roll, more_than_usual(roll, dice, extra), discard, who=subject) for roll, subject in due)


def _due(event: Event) -> tuple[Anything, ...]:
    """The rolls that are made as this happens."""
    if event.name in ("roll_made", "test_taken"):
        return event.kinds
    if event.name in ("move_started", "selected_to_move") and event.kinds == ("advance",):
        return event.kinds
    return ("charge",) if event.name == "charge_declared" and event.target is None else ()


def tested(c: Context, outcome: Anything) -> Select:
    """ "Units that failed that test": of several that have just taken one."""
    rows = [(items[at], block) for items, at, block in c.history if at < len(items)]
    test = next(((one, block) for one, block in reversed(rows) if isinstance(one, ShockTest)), None)
    if test is None or test[0].how != "test" or test[0].who is None or test[0].who.ref is not None:
        raise Reject("which test?")
    c.use(test[1])
    failed = Used("failed battle-shock test", "phase")
    where = conj([test[0].who.where, failed if outcome == "failed" else Not(failed)])
    return c.mention(replace(test[0].who, where=where, count=Count()))
