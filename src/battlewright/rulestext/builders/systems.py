"""What the rules of armies say of their own workings: marks, states, named acts, tests first, rounds by number."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import (
    About,
    Amount,
    Any,
    AnyOf,
    Compare,
    Condition,
    Count,
    Event,
    Forbid,
    Grant,
    HasAbility,
    HasState,
    HitBy,
    Keyword,
    Limit,
    Located,
    MoveRule,
    Not,
    OnObjective,
    Order,
    Outcome,
    Permit,
    Procedure,
    Round,
    Select,
    SetState,
    Setup,
    Side,
    Targeting,
    Was,
    Window,
    Within,
    parts_of,
)
from battlewright.rulestext.blocks import Block, Options, conj
from battlewright.rulestext.builders.acts import permits, setup
from battlewright.rulestext.builders.attacks import from_attacker, those_weapons
from battlewright.rulestext.builders.conditions import engaged_by
from battlewright.rulestext.builders.gains import picked_weapon
from battlewright.rulestext.builders.numbers import value
from battlewright.rulestext.builders.phrases import about, any_of, it, keyword, last_effect, lower, negate, whole
from battlewright.rulestext.builders.scopes import may
from battlewright.rulestext.builders.sentences import Scope, Wrapped, bare_target, doing_so, row_of
from battlewright.rulestext.builders.windows import event_and
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.tokens import Token
from battlewright.rulestext.words import NOT_KEYWORDS, phrase

ARMY = Select("army", ref="you")

# ---------------------------------------------------------------------------------------------- rounds by number


def in_rounds(c: Context, numbers: tuple[int, ...], edge: Anything = "start") -> Anything:
    """The start of the first, third and fifth battle rounds."""
    found = tuple(Window(("any",), "either", edge, "round", round=Round(n, n)) for n in numbers)
    return found[0] if len(found) == 1 else AnyOf(found)


def rounds(c: Context, numbers: tuple[int, ...]) -> Condition:
    """It is one of these battle rounds."""
    low, high = min(numbers), max(numbers)
    if len(numbers) == high - low + 1:
        return Round(low, high)
    return Any(tuple(Round(n, n) for n in numbers))


def so_often(c: Context, window: Window, n: int) -> Scope:
    """ "At the start of up to three of your Command phases"."""
    return Scope(when=window, limits=(Limit("battle", n),))


# --------------------------------------------------------------------------------------------------------- marks


def mark_objective(c: Context, words: tuple[Token, ...], mine: bool = True) -> SetState:
    """ "That objective marker is your loot objective"."""
    return SetState(phrase(words).lower(), c.that("objective"))


def on_marked(c: Context, words: tuple[Token, ...]) -> OnObjective:
    return OnObjective(name=phrase(words).lower())


def marked_as(c: Context, who: Select, words: tuple[Token, ...]) -> SetState:
    """ "That enemy unit is your quarry": from here on "your quarry" is known."""
    name = phrase(words).lower()
    c.marks = [*c.marks, name]
    return SetState(name, whole(who))


def states_of(c: Context, who: Select, words: tuple[Token, ...], clear: bool = False) -> SetState:
    return SetState(phrase(words).lower(), whole(who), clear)


# ---------------------------------------------------------------------------------------------- whom it cannot target


def engaged_before(c: Context, who: Select, at: Anything = "turn_start") -> Condition:
    """ "… it was within Engagement Range of at the start of the turn"."""
    return Was(engaged_by(c, whole(who)), at)


def targeted_before(c: Context) -> HitBy:
    """ "… that was the target of another unit's attack"."""
    return HitBy(Select("unit", other=True), "targeted")


def cannot_be_target(c: Context, by: Select, who: Select) -> Targeting:
    """ "This unit cannot target such a unit"."""
    if who.where is None and who.ref is None:
        raise Reject("cannot target anyone")
    return Targeting("cannot", None, whole(who), whole(by), "attack")


# ------------------------------------------------------------------------------------------------------ named acts


def use_own(c: Context, who: Select, words: tuple[Token, ...]) -> None:
    """ "It can invoke its contract": an act that has only a name; "if it does" follows."""
    effect = Order("use", phrase(words).lower(), whole(who))
    c.put(effect)
    c.act, c.act_block = effect, c.block


def own_act(c: Context, who: Select, words: tuple[Token, ...]) -> None:
    """ "It can Salvage": an act with a name and no verb; "if it does" must follow."""
    if not c.answered or words[0].word in NOT_KEYWORDS:
        raise Reject("can do what?")
    use_own(c, who, words)


def starts_as(c: Context, who: Select, words: tuple[Token, ...]) -> Wrapped:
    """ "Can start the battle Hidden": it is chosen which of them do."""
    change = SetState(lower(c, words), replace(whole(who), count=Count("any")))
    return Wrapped((may(c, change),), Window(("any",), "either", "start", "battle"))


def spoken_of(c: Context, who: Select) -> Scope:
    """ "Once a unit has stopped being so, it cannot be so again": of any of them."""
    c.it, c.it_block = whole(who), c.block
    return Scope()


def some_have(c: Context, sort: Condition | None, name: str) -> None:
    """Of whom the rule goes on to speak: "such a unit" is one that has this."""
    c.mention(Select("unit", side="friendly", where=conj([sort, HasAbility(name)])))
    c.pieces += 1


def each_that_does(c: Context) -> Select:
    """ "Each one that does": of those who may do what was just named."""
    if not isinstance(c.act, Order) or c.act.who is None:
        raise Reject("does what?")
    c.use(c.act_block)
    who = c.act.who
    if who.ref is not None:
        return who
    for mention in reversed(c.mentions):
        if mention.select == who or whole(mention.select) == who:
            mention.refer = mention.refer or c.name(mention.select)
            return mention.refer
    raise Reject("who does?")


def below(c: Context) -> None:
    """ "The following rules apply": the lines below stand in this scope."""
    c.below, c.pieces = c.open(), c.pieces + 1


def and_or(c: Context, first: Condition, second: Condition) -> Condition:
    """ "and/or": one of them is enough."""
    return any_of(c, first, second)


def token_limit(c: Context, who: Select, n: Amount, name: str) -> Forbid:
    """How many tokens one of these can carry."""
    return Forbid(f"have more than {value(c, n)} {name}", whole(who))


def marker(c: Context, words: tuple[Token, ...], count: Count | None = None, side: Side | None = None) -> Select:
    """A marker of a name that a rule puts on the battlefield."""
    return c.mention(Select("marker", name=phrase(words).lower(), side=side, count=count or Count()))


def controls(c: Context, count: Count, where: Anything = None, control: Anything = "own") -> About:
    """So many objective markers are controlled, there."""
    if count.kind not in ("any", "n", "one", "each"):
        raise Reject("how many?")
    some = count if count.kind == "any" else Count("any", count.n)
    return About(Select("objective", count=some), OnObjective(control, where or "any"))


# --------------------------------------------------------------------------------- after the attacks, moves, choices


def making_move(c: Context) -> Scope:
    """ "When making that move": the move an event of this rule spoke of."""
    c.use(_of_move(c))
    return Scope()


def once_moved(c: Context) -> Scope:
    """ "After it has moved": the move an event of this rule spoke of has ended, or any that may pass through something."""
    last = last_effect(c)
    block = _move_spoken_of(c)
    if block is None and isinstance(last, MoveRule):
        return Scope(Event("move_ended", last.who, kinds=last.kinds, edge="after"))
    block = _of_move(c)
    c.use(block)
    if isinstance(block.when, Event) and block.when.name == "move_started":
        return Scope(replace(block.when, name="move_ended", edge="after"))
    return Scope()


def passing_so(c: Context, kinds: tuple[str, ...]) -> Scope:
    """ "If doing so when making such a move": one of the moves in which something may be passed through."""
    block, last = _of_move(c), last_effect(c)
    moved = block.when
    if not isinstance(last, MoveRule) or not isinstance(moved, Event) or not set(kinds) <= set(moved.kinds):
        raise Reject("doing what?")
    c.it, c.it_block = last.who, c.block
    return Scope(replace(moved, kinds=kinds), [Outcome("done")])


def passing_each_time(c: Context) -> Scope:
    """ "Each time it does so": when a move ends in which something was passed through, else what was optional."""
    if not isinstance(last_effect(c), MoveRule):
        return doing_so(c)
    scope = once_moved(c)
    return Scope(scope.when, [*scope.holds, Outcome("done")])


def _of_move(c: Context) -> Block:
    """The scope of the move last spoken of."""
    block = _move_spoken_of(c)
    if block is None:
        raise Reject("which move?")
    return block


def _move_spoken_of(c: Context) -> Block | None:
    """The same, or None; not one of the moves of which only a part was spoken of ("if doing so when falling back")."""
    blocks: list[Block] = [*c.block.chain(), *(c.last.chain() if c.last is not None else ())]
    moves = ("move_started", "move_ended", "selected_to_move")
    found = next((block for block in blocks if isinstance(block.when, Event) and block.when.name in moves), None)
    if found is None or Outcome("done") not in found.holds:
        return found
    before = (one for _, _, block in reversed(c.history) for one in block.chain() if Outcome("done") not in one.holds)
    return next((block for block in before if isinstance(block.when, Event) and block.when.name in moves), found)


def already_has(c: Context) -> Scope:
    """ "If such a weapon already has that ability": those of the weapons just spoken of that have it themselves."""
    done = [items[at] for items, at, _ in c.history]
    given = next((effect for effect in reversed(done) if isinstance(effect, Grant)), None)
    if given is None or given.what != "weapon_ability" or c.weapons is None:
        raise Reject("which ability?")
    weapons = those_weapons(c).trigger
    assert weapons is not None
    c.weapons = replace(weapons, weapon=conj([weapons.weapon, HasAbility(given.name)]))
    return Scope()


def attack_of_those(c: Context, kind: Anything, target: Select | None) -> Scope:
    """Each attack with the weapons just spoken of (at such a target)."""
    selected = any(mention.select.what == "weapon" for mention in c.mentions)
    trigger = (picked_weapon(c) if selected else those_weapons(c)).trigger
    assert trigger is not None
    if kind is not None and trigger.kind not in ("any", kind):
        raise Reject("attacks of another kind")
    if target is not None:
        near = from_attacker(c, bare_target(c, target)) if target.ref is None else target
        trigger = replace(trigger, target=near)
    return Scope(when=replace(trigger, kind=kind or trigger.kind))


def attack_with_it(c: Context, kind: Anything, target: Select | None) -> Scope:
    """Each attack with the weapon that was selected."""
    if all(mention.select.what != "weapon" for mention in c.mentions):
        raise Reject("with what?")
    return attack_of_those(c, kind, target)


def event_but(c: Context, events: Anything, condition: Condition) -> Scope:
    """The event, but not where this holds of whom it happens to."""
    trigger: Anything = events.when if isinstance(events, Scope) else events
    subjects = {getattr(one, "subject", None) for one in (trigger.of if isinstance(trigger, AnyOf) else (trigger,))}
    if len(subjects) != 1 or None in subjects or c.it is None:
        raise Reject("who is left out?")
    return event_and(c, events, about(c, c.it, negate(c, condition)))


def once_for_each(c: Context, span: Anything, who: Select) -> tuple[Limit, ...]:
    """ "Once per phase for each of your units": "that unit", said next, is any of them."""
    c.refers(who, replace(who, count=Count()))
    return (Limit(span, 1, "unit"),)


def permits_below(c: Context, who: Select) -> Options:
    """ "Is eligible to do one of the following": the lines below say what and in spite of what."""
    return Options(who=whole(who))


def permits_so(c: Context, act: str, despite: tuple[str, ...]) -> tuple[Permit, ...]:
    """One of those lines."""
    if c.option_of is None or c.option_of.who is None:
        raise Reject("who may?")
    return permits(c, c.option_of.who, (act,), despite)


def two_part_name(c: Context, first: tuple[Token, ...], second: tuple[Token, ...] | None) -> str:
    """The name of a book, and what it is about."""
    return lower(c, first) if second is None else f"{lower(c, first)}: {lower(c, second)}"


def marked_unit(c: Context, words: tuple[Token, ...]) -> Select:
    """ "Your army's Chosen unit": the one that carries this mark."""
    return c.mention(Select("unit", where=HasState(phrase(words).lower())))


def group_keyword(c: Context, words: tuple[Token, ...]) -> Keyword:
    """ "The Ash Hounds Clan": its keyword is the name without the sort of group it is."""
    if len(words) < 2:
        raise Reject("which group?")
    return keyword(c, words[:-1])


# ------------------------------------------------------------------------------------------------------- roll-offs


def rolls_off(c: Context) -> Procedure:
    """Both players roll a die; who rolls higher, the next sentences speak of."""
    return Procedure("roll-off")


def rolled_off(c: Context, name: str) -> Scope:
    """ "If you win": of the roll-off just spoken of."""
    rolled = (block for items, _, block in reversed(c.history) if Procedure("roll-off") in items)
    into = next(rolled, None)
    if into is None:
        raise Reject("which roll-off?")
    return Scope(holds=[About(Select("player", ref="you"), HasState(name))], into=into)


# ------------------------------------------------------------------------------------------------ wagers and counts


def may_do(c: Context, words: tuple[Token, ...]) -> None:
    """ "You can make a wager": an act of the player's that has only a name."""
    effect = may(c, Order("use", lower(c, words), Select("player", ref="you")))
    c.put(effect)
    c.act, c.act_block = effect, c.block


def names_number(c: Context, low: int, high: int) -> Order:
    """A number the player names, with which the dice rolled next are compared."""
    c.named_number = True
    return Order("use", f"choose a number from {low} to {high}", Select("player", ref="you"))


def against_number(c: Context, op: Anything) -> Scope:
    """ "If the result is greater than the number chosen"."""
    if not c.named_number:
        raise Reject("which number?")
    scope = row_of(c, None, None)
    return Scope(holds=[Compare("roll", op, "chosen number")], into=scope.into)


def counts_up(c: Context, what: Select) -> None:
    """How many there are: what comes of the number, the next words say."""
    if what.ref is not None or what.what == "player":
        raise Reject("count whom?")
    c.counted, c.counted_block, c.pieces = what, c.block, c.pieces + 1


def so_many_counted(c: Context, n: Amount) -> About:
    """ "If that number is three or more"."""
    if c.counted is None:
        raise Reject("how many of what?")
    c.use(c.counted_block)
    some = replace(c.counted, count=Count("any", n), bind=None)
    return About(some, OnObjective() if some.what == "objective" else Located("battlefield"))


def which_are(c: Context, words: tuple[Token, ...]) -> None:
    """ "Select which of these are Hidden", where it was said that they can be."""
    name = lower(c, words)
    said = (part for items, at, _ in c.history for part in parts_of(tuple(items)[at : at + 1]))
    if not any(isinstance(part, SetState) and part.name == name for part in said):
        raise Reject("which can be?")
    c.pieces += 1


def loses_its(c: Context) -> SetState:
    """ "Its tokens are lost": those just spoken of."""
    carried = [part for block in c.block.chain() for part in parts_of((block.when, *block.holds))]
    names = [part.name for part in carried if isinstance(part, HasState)]
    if not names:
        raise Reject("which tokens?")
    return SetState(names[0], it(c), True)


# ------------------------------------------------------------------------------------------------------- markers


def more_places(c: Context, places: Anything) -> None:
    """ "Each must be placed there": of the markers just set up."""
    last = last_effect(c)
    if not isinstance(last, Setup) or last.who is None or last.who.what != "marker":
        raise Reject("what is placed?")
    found = setup(c, last.who, places)
    items, at, _ = c.history[-1]
    limits = tuple(dict.fromkeys((*last.limits, *found.limits)))
    c.swap(items, at, replace(last, limits=limits, where=(*last.where, *found.where)))
    c.pieces += 1


def away_from(c: Context, n: Amount, of: Select) -> Condition:
    """Not so near to one of these."""
    return Not(Within(n, of))


def selected_one(c: Context, act: str) -> Select:
    """ "The unit you selected to shoot": the one the event is about, whoever was named after it."""
    if any(isinstance(block.when, Event) and block.when.name == act for block in (*c.block.chain(), *c.base.chain())):
        return Select("unit", ref="subject")
    before = [block for _, _, one in reversed(c.history) for block in one.chain()]
    block = next((one for one in before if isinstance(one.when, Event) and one.when.name == act), None)
    if block is None:
        raise Reject("who was selected?")
    c.use(block)
    return Select("unit", ref="subject")
