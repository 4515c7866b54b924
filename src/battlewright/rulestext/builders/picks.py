"""What is selected, chosen or rolled for."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Amount,
    Choose,
    Condition,
    Count,
    Grant,
    HasState,
    If,
    Keyword,
    Mortal,
    Option,
    Pick,
    RollPlus,
    Same,
    Select,
    SetState,
)
from battlewright.rulestext.blocks import Gate, Options
from battlewright.rulestext.builders.numbers import value
from battlewright.rulestext.builders.phrases import (
    last_effect,
    row,
    scaled,
    whole,
)
from battlewright.rulestext.builders.sentences import (
    Instead,
    Wrapped,
    put,
)
from battlewright.rulestext.builders.things import of_those
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.tokens import Token
from battlewright.rulestext.words import phrase


def pick(c: Context, who: Select, may: bool = False, whose: Anything = "you") -> Pick:
    if who.ref is not None and who is c.among:
        side = next((mention.select.side for mention in reversed(c.mentions) if mention.refer == who), None)
        return Pick(c.mention(Select(who.what, side=side, where=Same(who), count=Count("one"))), whose, may)
    if who.ref is not None:
        raise Reject("already picked")
    if who is c.among:  # "one of those it moved over"
        who = c.mention(replace(who))
    if who.what == "unit" and who.count.kind == "each" and isinstance(who.where, Keyword) and who.side is None:
        raise Reject("a name, not a unit")
    return Pick(who, whose, may)


def pick_among(c: Context, what: Anything, k: Keyword | None) -> Pick:
    """One of those that were named together."""
    group = of_those(c, None, k) if what == "unit" else c.that(what, None, k)
    return Pick(c.mention(Select(what, where=Same(group), count=Count("one"))))


def pick_to_gain(c: Context, who: Select, k: Keyword) -> None:
    """Pick some, which get a keyword."""
    put(c, pick(c, who, True))
    put(c, Grant("keyword", keywords=(k.any_of[0][0],), who=c.it))


def pick_as(c: Context, who: Select, words: tuple[Token, ...], may: bool = False) -> None:
    """Pick one, which is called that."""
    put(c, pick(c, who, may))
    put(c, SetState(phrase(words).lower().removesuffix(" target"), c.it))


def replaces_old(c: Context, who: Select, name: str) -> tuple[SetState, SetState]:
    """One of an army is called that: who was before is no longer."""
    return SetState(name, Select("unit", where=HasState(name)), clear=True), SetState(name, whole(who))


def choose_named(c: Context, *names: tuple[Token, ...]) -> None:
    """ "Select the A, B or C": one of these is what "that …" means."""
    c.named_choice = tuple(phrase(words).lower() for words in names)
    c.pieces += 1


def chosen_active(c: Context, who: Select | None, sort: tuple[Token, ...] = (), alone: bool = False) -> Choose | Grant:
    """ "That one is active for your unit": one of those named before, or of those that stand elsewhere; ``alone``: the
    others are not.
    """
    if not c.named_choice and c.section and not alone:
        return Grant("ability", c.section, who=who and whole(who))
    if not c.named_choice:
        raise Reject("which one?")
    unit = None if who is None else whole(who)
    said = " " + phrase(sort).lower()
    names = [name.removesuffix(said) for name in c.named_choice]
    others = {name: [SetState(other, unit, clear=True) for other in names if alone and other != name] for name in names}
    return Choose(tuple(Option((SetState(name, unit), *others[name])) for name in names))


def one_of(c: Context, first: Anything, second: Anything) -> Choose:
    """ "It heals, or a model is returned": one of both."""
    options = (row(first), row(second))
    for effect in (*options[0], *options[1]):
        if effect is None or isinstance(effect, (Wrapped, Instead, Pick, Gate, Options, If)):
            raise Reject("not a plain choice")
    return Choose((Option(options[0]), Option(options[1])))


def gate(
    c: Context,
    n: Amount | None = None,
    per: Select | None = None,
    plus: RollPlus | None = None,
    most: Amount | None = None,
) -> Gate:
    """Dice to roll; each result finds its row."""
    dice = Amount(Dice(1 if n is None else value(c, n), 6, 0))
    if per is not None and per.ref is None:
        c.refers(per, Select(per.what, ref="bound", name="each"))
        per = replace(per, count=Count(), bind="each")
        c.it, c.it_block = Select(per.what, ref="bound", name="each"), c.block
    elif per is not None:
        c.named_again(per)  # "that unit" is the one rolled for
        c.it, c.it_block = per, c.block
    return Gate(dice, per, [] if plus is None else [plus], maximum=None if most is None else value(c, most))


def may_roll(c: Context, dice: Gate) -> None:
    """ "You can roll one D6": the roll, and all it brings, is a choice."""
    block = c.open()
    block.may = "you"
    with c.inside(block):
        put(c, dice)
    c.act, c.act_block = block, c.block


def mortal_again(c: Context, n: Amount) -> Mortal:
    """ "On a 6, 3 mortal wounds": to who suffers on another result."""
    last = last_effect(c)
    if c.gate is None or not isinstance(last, Mortal):
        raise Reject("who suffers?")
    return Mortal(n, last.who)


def gate_of(c: Context, n: Amount, most: Amount | None = None) -> Gate:
    """As many dice as that."""
    return Gate(n, maximum=None if most is None else value(c, most))


def gate_dice(c: Context, token: Token) -> Gate:
    if token.raw == "D6":
        raise Reject
    return Gate(Amount(Dice.parse(token.raw)), sum=True)


def roll_plus(c: Context, n: Amount, sign: Anything, holds: Condition | None = None) -> RollPlus:
    return RollPlus(n, sign, holds)


def roll_plus_each(c: Context, n: Amount, who: Select) -> RollPlus:
    """ "Adding 1 for each model in it": so often; of those for whom the dice are rolled, "adding 2 for each unit within 3
    inches" says which of the rolls.
    """
    each = c.it if c.it is not None and c.it.name == "each" else None
    rolled = next((one.select for one in reversed(c.mentions) if each is not None and one.refer == each), None)
    if each is None or rolled is None or who.where is None or (who.what, who.side) != (rolled.what, rolled.side):
        return roll_plus(c, scaled(c, n, who), 1)
    c.drop(who)
    return roll_plus(c, n, 1, About(each, who.where))


def plus(c: Context, gate: Gate, add: RollPlus) -> Gate:
    gate.plus.append(add)
    return gate
