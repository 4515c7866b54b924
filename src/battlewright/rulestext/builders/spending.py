"""What points and dice of a pool are spent on: what stands below with its cost, a die kept aside in place of a roll."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any as Anything
from typing import Literal

from msgspec.structs import replace

from battlewright.dice import Dice
from battlewright.effects import (
    About,
    All,
    Amount,
    Any,
    Clause,
    Condition,
    Count,
    Event,
    HasAbility,
    HasState,
    If,
    Keyword,
    Limit,
    Moved,
    Order,
    Outcome,
    PerAttack,
    Pick,
    Pool,
    PoolHas,
    Reroll,
    Reserves,
    Revive,
    Roll,
    RollSet,
    Round,
    Select,
    SetState,
    Setup,
    Side,
    parts_of,
)
from battlewright.rulestext.blocks import LISTED, Block, Gate, Options, conj
from battlewright.rulestext.builders.choices import may_choose
from battlewright.rulestext.builders.gear import by_tally, spent
from battlewright.rulestext.builders.numbers import value
from battlewright.rulestext.builders.phrases import (
    change_last,
    every_of,
    last_effect,
    lower,
    negate,
    part_of,
    plain,
    row,
    thing,
    whole,
)
from battlewright.rulestext.builders.picks import pick
from battlewright.rulestext.builders.scopes import if_may, may, rule_limit
from battlewright.rulestext.builders.sentences import Scope, Wrapped, event, put, replace_wrapped
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.tokens import CORE_KEYWORDS, Token

_OF_THE_GAME_TEXT = """
    hit wound save saving advance charge damage hazardous battle-shock leadership psychic desperate escape armour
    invulnerable deadly demise
"""
#: rolls of the game itself
_OF_THE_GAME = frozenset(_OF_THE_GAME_TEXT.split())


def last_pool(c: Context) -> str:
    """ "These tokens": those of the pool last spoken of."""
    for items, at, _ in reversed(c.history):
        found = _pool_in(items[at])
        if found:
            return found
    raise Reject("which pool?")


def _pool_in(item: object) -> str:
    if isinstance(item, Pool):
        return item.name
    inner = item.do if isinstance(item, Clause) else ()
    return next((one.name for one in inner if isinstance(one, Pool)), "")


def bought(c: Context, pool: str, who: Select | None = None, options: Options | None = None) -> None:
    """Each of the things below can be done by whoever pays for it."""
    found = options or Options()
    found.pool, found.up_to = pool, True
    found.who = _with_this_ability(c) if who is None else whole(who)
    put(c, found)


def listed_roll(c: Context, roll: Roll) -> None:
    """A roll by itself, in a list: one of those before which something can be done."""
    blocks = [one for _, _, block in reversed(c.history) for one in block.chain()]
    block = next((one for one in blocks if isinstance(one.when, Event) and one.when.name == "roll_made"), None)
    if block is None or not isinstance(block.when, Event) or not block.when.kinds or block.when.kinds[0] != LISTED:
        raise Reject("a roll for what?")
    old = block.when
    block.when = replace(old, kinds=(*old.kinds, roll))
    c.undo.append(lambda: setattr(block, "when", old))
    c.pieces += 1


def _with_this_ability(c: Context) -> Select | None:
    """Those with the rule's own ability, if it spoke of them: what is bought says "this unit" of one of them."""
    named = (one.select for one in reversed(c.mentions) if one.select.ref is None)
    found = next((one for one in named if HasAbility("this ability") in parts_of(one.where)), None)
    return None if found is None else replace(found, count=Count(), bind=None)


def each_costs(c: Context, pool: str, n: Amount) -> None:
    """What each of the things below costs, unless it says otherwise."""
    if c.options is None or c.options.options or c.options.pool not in ("", pool):
        raise Reject("what costs so much?")
    c.options.pool, c.options.cost = pool, n
    c.pieces += 1


def costs_dice(c: Context) -> None:
    """Each of the things below asks for dice that show the same; which, its name says."""
    if c.options is None or c.options.options:
        raise Reject("what asks for dice?")
    c.pieces += 1


def priced(c: Context) -> None:
    """What each of the things below costs stands with its name."""
    if c.options is None or c.options.options or not c.options.pool:
        raise Reject("what has a cost?")
    c.pieces += 1


def work_together(c: Context, who: Select) -> None:
    """What several can do together, of which the next sentences say how."""
    effect = Order("use", "work together", whole(who))
    c.put(effect)
    c.act, c.act_block = effect, c.block


def gate_by_size(c: Context) -> Gate:
    """As many dice as the rows of a table give for each size of battle."""
    return Gate(Amount(Dice(1, 6, 0), ref="battle size"))


def named_roll(c: Context, words: tuple[Token, ...]) -> None:
    """ "You make a Fate roll": how, the next sentence says."""
    if any(token.word in _OF_THE_GAME for token in words):
        raise Reject("a roll of the game itself")
    effect = Order("use", f"{lower(c, words)} roll", Select("player", ref="you"))
    c.put(effect)
    c.act, c.act_block = effect, c.block


def kept_dice(c: Context) -> None:
    """The dice just rolled are kept; what for, the rest says."""
    if c.gate is None or c.gate.rows:
        raise Reject("which dice?")
    c.pieces += 1


def value_of_pool(c: Context) -> RollSet:
    """A die of the pool in place of the roll that is due."""
    if c.act_block is None:
        raise Reject("which roll?")
    pool = last_pool(c)
    spent = next((block for items, at, block in reversed(c.history) if _pool_in(items[at]) == pool), None)
    c.use(spent if spent is not None and Outcome("done") in spent.holds else c.act_block)
    return RollSet("any", "value", Amount(ref=pool))


def after_spent(c: Context, pool: str) -> Scope:
    """ "Once one has been used": whoever spends one has one less."""
    _spent(c, pool)
    return Scope()


def removed_from_pool(c: Context) -> None:
    """What is spent is no longer there, as was said."""
    _spent(c, last_pool(c))
    c.pieces += 1


def spent_once(c: Context, pool: str) -> None:
    """ "Each time you use one, remove it from your pool"."""
    _spent(c, pool)
    c.pieces += 1


def _spent(c: Context, pool: str) -> None:
    """Raises :class:`Reject` where the rule did not say before that one is spent."""
    done = [items[at] for items, at, _ in c.history if at < len(items)]
    spends = [part for one in done for part in ((one, *one.do) if isinstance(one, Clause) else (one,))]
    if not any(isinstance(one, Pool) and one.change == "spend" and one.name == pool for one in spends):
        raise Reject("what was spent?")


def by_sort(c: Context, pool: str) -> None:
    """How many are gained depends on what it happened to: the rows below say how many for each sort; or else, as nothing
    happened to anyone, on the size of the battle.
    """
    if not any(isinstance(block.when, (Event, PerAttack)) for block in c.block.chain()):
        put(c, Pool(pool, "add", Amount(ref="battle size")))
        return
    c.priced = (pool, c.block)
    c.pieces += 1


def sort_row(c: Context, n: int, sort: Keyword | None = None) -> None:
    """A row of that table; "any other unit" is none of the sorts above it."""
    pool, into = c.priced or ("", c.base)
    if not pool or not isinstance(into.when, Event) or into.when.subject is None:
        raise Reject("so many of what?")
    c.use(into)
    others = [part.holds for one in _within(into) for part in one.holds if isinstance(part, About)]
    if sort is None and not others:
        raise Reject("other than which?")
    holds: Condition = sort if sort is not None else negate(c, others[0] if len(others) == 1 else Any(tuple(others)))
    block = c.open()
    block.holds.append(About(Select(into.when.subject.what, ref="subject"), holds))
    with c.inside(block):
        put(c, Pool(pool, "add", Amount(Dice(0, 6, n))))


def _within(block: Block) -> Iterator[Block]:
    """The scopes within this one."""
    for one in block.do:
        if isinstance(one, Block):
            yield one
            yield from _within(one)


def gained_below(c: Context) -> None:
    """What stands below is gained here; rows with a number, by how many tokens were spoken of."""
    c.below, c.pieces = c.open(), c.pieces + 1
    for block in c.below.chain():
        for condition in block.holds:
            if isinstance(condition, About) and isinstance(condition.holds, HasState):
                c.table = (partial(_so_many, condition.who, condition.holds.name), c.below)
                return
        target = block.when.target if isinstance(block.when, PerAttack) else None
        if target is not None and target.ref is None and isinstance(target.where, HasState):
            c.table = (partial(_so_many, Select("unit", ref="target"), target.where.name), c.below)
            return


def counts_unmodified(c: Context) -> None:
    """What a die of the pool shows is no result that anything was added to."""
    if not change_last(
        c,
        lambda old: isinstance(old, RollSet) and old.to == "value",
        lambda old: replace(old, unmodified=True),
    ):
        raise Reject("which rolls?")


def by_tokens_below(c: Context) -> None:
    """ "Apply the following", above rows that begin with a number of tokens."""
    gained_below(c)
    if c.table is None or c.table[1] is not c.below:
        raise Reject("by what number?")


def number_here(c: Context, n: Amount) -> Pool:
    """A bare number in the row of a battle round."""
    if not c.number or not any(isinstance(one, Round) for one in (*c.base.holds, *c.block.holds)):
        raise Reject("a number of what?")
    return Pool(c.number, "set", n)


def as_scope(c: Context, effect: Anything, scope: Scope) -> Wrapped:
    """An effect with what encloses it after it."""
    if scope != Scope(scope.when, scope.holds, limits=scope.limits):
        raise Reject("more than when and if")
    return Wrapped((effect,), scope.when, tuple(scope.holds), limits=scope.limits)


def _so_many(who: Select, name: str, low: int, high: int | None) -> About:
    """Someone has so many of these tokens."""
    return About(who, HasState(name, low, high))


def number_by_round(c: Context, name: str) -> None:
    """The rows below give a number for each battle round."""
    c.number, c.pieces = name, c.pieces + 1
    c.below = c.open()
    c.table = (Round, c.below)


def round_row(c: Context, low: int, high: int | None, n: Amount) -> Wrapped:
    """So much in these battle rounds."""
    if not c.number:
        raise Reject("a number of what?")
    return Wrapped((Pool(c.number, "set", n),), holds=(Round(low, high),))


def named_range(c: Context, name: str, rows: tuple[tuple[int, int | None, Amount], ...]) -> tuple[Wrapped, ...]:
    """ "Its range is 3 inches in the first battle round and 6 inches in the second"."""
    c.number = name
    return range_rows(c, rows)


def rounds_to(c: Context, first: Token, last: Token) -> tuple[int, int]:
    """Battle rounds "2 and 3", "3, 4 and 5": in a row."""
    low, high = plain(c, first), plain(c, last)
    if not low < high <= low + 2:
        raise Reject("battle rounds in a row")
    return low, high


def range_grows(c: Context, name: str) -> None:
    c.number, c.pieces = f"range of {name}", c.pieces + 1


def range_rows(c: Context, rows: tuple[tuple[int, int | None, Amount], ...]) -> tuple[Wrapped, ...]:
    return tuple(round_row(c, *one) for one in rows)


def costs_as_much(c: Context, pool: str, n: Amount) -> None:
    """How much of the pool is spent, of which the sentence before only said that it is."""
    for items, at, _ in reversed(c.history):
        old = items[at]
        if isinstance(old, Clause) and old.do == (Pool(pool, "spend", Amount(ref="its cost")),):
            new = replace(old, do=(Pool(pool, "spend", n),))
            c.swap(items, at, new)
            if c.act is old:
                c.act = new
            c.pieces += 1
            return
    raise Reject("what costs so much?")


def or_so_many(c: Context, effects: Anything, n: Amount, condition: Condition) -> If:
    """So many, or so many for some."""
    found = row(effects)
    if len(found) != 1 or not isinstance(getattr(found[0], "amount", None), Amount):
        raise Reject("so many of what?")
    return If(condition, (replace(found[0], amount=n),), tuple(found))


def not_at(c: Context, target: Select) -> Condition:
    """The target is another than these."""
    if target.ref is not None or target.where is None:
        raise Reject("not at whom?")
    c.drop(target)
    return About(Select("unit", ref="target"), negate(c, target.where))


def not_paid(c: Context) -> None:
    """What cannot be paid for cannot be had, as what has a cost says itself."""
    if c.options is None or not c.options.pool:
        raise Reject("what has a cost?")
    c.pieces += 1


def never_again(c: Context, options: Options) -> Options:
    """ "That you have not chosen in a previous battle round": each of them once."""
    rule_limit(c, Limit("battle", 1, "option"))
    return options


def not_set_up(c: Context) -> Scope:
    """ "If a unit cannot be set up in this way": of those just said to be set up."""
    last = last_effect(c)
    who = getattr(last, "who", None)
    if not isinstance(last, (Setup, Reserves, Revive)) or who is None:
        raise Reject("who is set up?")
    c.use(c.history[-1][2])
    c.it, c.it_block = who, c.block
    return Scope(holds=[Outcome("not_done")])


def with_below(c: Context, effects: Anything) -> Anything:
    """What follows below restricts what was said; each line says of whom it speaks."""
    c.below = c.open()
    return effects


def loses_model(c: Context, unit: Select) -> Event:
    """A model of a unit is destroyed; "it", said next, is the unit."""
    found = event(c, "destroyed", thing(c, "model", None, part_of(c, unit)))
    c.it = Select("unit", ref="subject") if unit.ref is None else unit
    return found


def all_others(c: Context, who: Select, but: Condition) -> Select:
    """Those just named, without some of them: later words mean those that are left."""
    left = replace(who, where=conj([who.where, negate(c, but)]))
    for mention in c.mentions:
        if mention.select is who:
            mention.select = left
    return left


def both_true(c: Context) -> Scope:
    """ "If both of these are true", of two conditions of which one is enough for what was said before."""
    for block in c.last.chain() if c.last is not None else ():
        either = next((one for one in block.holds if isinstance(one, Any) and len(one.of) == 2), None)
        if either is not None:
            c.use(block)
            return Scope(holds=[All(either.of)])
    raise Reject("both of which?")


def offered(c: Context, can: object, options: Options) -> Options:
    """ "You can select one": one, or none."""
    return options if can is None else may_choose(c, options)


def a_mark(c: Context, who: Select, words: tuple[Token, ...]) -> SetState:
    """ "That unit is a Worthy Foe": a mark of the rule's own, no keyword."""
    if any(token.raw.isupper() or token.word in CORE_KEYWORDS for token in words):
        raise Reject("a keyword")
    return SetState(lower(c, words), whole(who))


def spent_for_roll(c: Context, pool: str) -> tuple[Pool, RollSet]:
    """A die of the pool is used up, and its value is the result."""
    if c.act_block is None:
        raise Reject("which roll?")
    c.use(c.act_block)
    return Pool(pool, "spend", Amount()), RollSet("any", "value", Amount(ref=pool))


def lists_rolls(c: Context) -> None:
    """The rolls before which that can be done stand below."""
    blocks = [one for _, _, block in reversed(c.history) for one in block.chain()]
    block = next((one for one in blocks if isinstance(one.when, Event) and one.when.kinds == ("any",)), None)
    if block is None or not isinstance(block.when, Event):
        raise Reject("rolls for what?")
    old = block.when
    block.when = replace(old, kinds=(LISTED,))
    c.undo.append(lambda: setattr(block, "when", old))
    c.pieces += 1


def fulfil(c: Context, words: tuple[Token, ...]) -> SetState:
    """ "This Deed is completed": the oath whose condition is read, or what has that name."""
    return SetState(c.oath or f"{lower(c, words)} achieved", Select("army", ref="you"))


def by_opponent(c: Context, options: Options) -> Options:
    """It is the opponent who chooses."""
    options.whose = "opponent"
    return options


def arrived_there(c: Context, place: Condition | None) -> Condition:
    """Has arrived from reserves this turn, there."""
    return Moved("ingress") if place is None else every_of(c, Moved("ingress"), place)


def reroll_those(c: Context, which: Literal["all", "one"] = "all") -> Reroll:
    """The dice just rolled, before anything is done with them."""
    if c.gate is None or c.gate.rows:
        raise Reject("which dice?")
    c.use(c.gate_block)
    return Reroll("any", which)


def one_for_each(c: Context, side: Side, per: Select) -> Pick:
    """As many are picked as there are of these."""
    return pick(c, c.mention(Select("unit", side=side, count=Count("n", Amount(per=whole(per))))))


def elsewhere(c: Context, can: object, who: Select, words: tuple[Token, ...]) -> Anything:
    """They begin the battle in a place of the rule's own; "if you do" follows."""
    return if_may(c, can, Reserves("may_start", whole(who), False, (f"in {lower(c, words)}",)))


def replaced_where(c: Context, who: Select, words: tuple[Token, ...]) -> Select:
    """Those that are there still."""
    return replace(whole(who), where=conj([who.where, HasState(f"in {lower(c, words)}")]))


def discards(c: Context, who: Select, pool: str) -> None:
    """As many of its tokens as it likes; "for each token discarded" follows."""
    effect = may(c, SetState(pool, whole(who), True, Amount(ref="chosen")))
    c.put(effect)
    c.act, c.act_block, c.discarded = effect, c.block, pool


def for_discarded(c: Context, effects: Anything, most: Amount | None = None) -> tuple[Anything, ...]:
    """So much for each of the tokens just discarded."""
    if not c.discarded:
        return row(by_tally(c, effects, spent(c), most))
    return tuple(_for_discarded(c, one, most) for one in row(effects))


def _for_discarded(c: Context, effect: Anything, most: Amount | None) -> Anything:
    if isinstance(effect, Wrapped):
        return replace_wrapped(effect, tuple(_for_discarded(c, one, most) for one in effect.effects))
    if isinstance(effect, Pick) and effect.who.count == Count("one") and most is None:
        c.use(c.act_block)
        many = replace(effect.who, count=Count("n", Amount(ref=f"{c.discarded} discarded")))
        c.refers(effect.who, effect.who)
        return pick(c, c.mention(many), effect.may)
    amount = getattr(effect, "amount", None)
    if not isinstance(amount, Amount) or amount.ref or amount.per:
        raise Reject("so much of what?")
    maximum = None if most is None else value(c, most)
    return replace(effect, amount=replace(amount, ref=f"{c.discarded} discarded", maximum=maximum))


def short_pool(c: Context, words: tuple[Token, ...]) -> str:
    """ "7YP": a pool by the letters the rule gave it."""
    short = lower(c, words)
    if short not in c.short:
        raise Reject("points of which pool?")
    return c.short[short]


def fewer(c: Context, pool: str, n: Amount) -> PoolHas:
    return PoolHas(pool, 0, value(c, n) - 1)


def oath_kept(c: Context) -> Scope:
    """ "If it fulfils its oath": what each of those below asks for, and what is had for it, stands with it."""
    if c.options is None:
        raise Reject("which oath?")
    return Scope()


def oath_of(c: Context, words: tuple[Token, ...]) -> About:
    """ "If your army fulfils its oath": whichever of those below was chosen."""
    if c.options is None or c.options.options:
        raise Reject("which oath?")
    c.oath_kind = f"{lower(c, words)} fulfilled"
    return About(Select("army", ref="you"), HasState(c.oath_kind))


def listed_rolls(c: Context, rolls: tuple[Roll, ...]) -> None:
    """Several of those rolls in a line."""
    for roll in rolls:
        listed_roll(c, roll)
