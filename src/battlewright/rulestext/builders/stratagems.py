"""Stratagems: what they target, and what they do to other stratagems."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import (
    Acted,
    All,
    Amount,
    Any,
    Condition,
    Count,
    Duration,
    Event,
    HasState,
    Keyword,
    LedBy,
    Limit,
    Not,
    Permit,
    Pick,
    Select,
    Stratagem,
    StratagemIs,
    Was,
    Within,
)
from battlewright.rulestext.blocks import conj
from battlewright.rulestext.builders.phrases import (
    BOTH_TARGETS,
    FRIENDLY,
    OTHER_TARGET,
    YOUR,
    Trait,
    here,
    last_effect,
    negate,
    thing,
    those,
    whole,
    your,
)
from battlewright.rulestext.builders.scopes import rule_limit
from battlewright.rulestext.builders.sentences import Wrapped, put
from battlewright.rulestext.builders.things import both_ours
from battlewright.rulestext.context import Context, Mention, Reject, echoes
from battlewright.rulestext.tokens import Token
from battlewright.rulestext.words import phrase


def aim(c: Context, target: Select) -> Select:
    """A stratagem's TARGET: "your unit" from here on."""
    your = Select("unit", ref="bound", name="your unit")
    bound = replace(target, bind="your unit")
    for mention in c.mentions:
        if mention.select is target:
            mention.refer = your
    c.target = bound
    c.mentions.append(Mention(target, your, c.block))
    c.it, c.it_block = your, c.block
    return bound


def aim_both(c: Context, first: Select, second: Select) -> Select:
    """A stratagem with two targets: "your unit", and another."""
    if first.ref is None and first.side is None:  # "one A unit and one B unit from your army"
        done = [
            part
            for part in (second.where.of if isinstance(second.where, All) else (second.where,))
            if part and _is_done(part)
        ]
        first = replace(first, side=second.side, where=conj([first.where, *done]))
    c.also_target = replace(second, bind="your other unit", where=_near_the_first(second.where))
    c.refers(second, OTHER_TARGET)
    return first


def _is_done(condition: Condition) -> bool:
    """What units have done or not, said after both: "… that have not been selected to shoot"."""
    return isinstance(condition, Acted) or (isinstance(condition, Not) and _is_done(condition.of))


def aim_either(c: Context, first: Select, second: Select) -> Select:
    c.or_target = replace(second, bind="your unit")
    for mention in c.mentions:
        if mention.select is second:
            mention.refer = YOUR
    return first


def aim_new(c: Context, k: Keyword | None, condition: Condition) -> Select:
    """ "One of the units that …": of ours."""
    return thing(c, "unit", Count("one"), FRIENDLY, k, Trait(holds=condition))


def led_by_that(c: Context, k: Keyword | None) -> Select:
    """ "The unit that model was leading": of the model the event is about."""
    leader = c.that("model")
    return thing(c, "unit", Count("one"), FRIENDLY, k, Trait(holds=Was(LedBy(leader), "destroyed")))


def aim_more_if(c: Context, first: Select, count: Count, condition: Condition) -> Select:
    """ "… or up to two such units if they are that"."""
    return aim_either(c, first, replace(first, count=count, where=conj([first.where, condition])))


def aim_or_if(c: Context, first: Select, condition: Condition, second: Select) -> Select:
    """ "… or, if that holds, up to two others"."""
    aim_either(c, first, second)
    c.or_target = replace(second, bind="your unit", where=conj([second.where, condition]))
    return first


def _near_the_first(condition: Condition | None) -> Condition | None:
    """Of two targets within so much of each other, the second is that near to the first."""
    if isinstance(condition, All):
        return conj(_near_the_first(part) for part in condition.of)
    if isinstance(condition, Within) and condition.of == replace(YOUR, other=True):
        return replace(condition, of=YOUR)
    return condition


def near_together(c: Context, distance: Amount) -> Within:
    """ "within so much of each other": of the targets of a stratagem."""
    if c.root is not None:
        raise Reject("who are near each other?")
    return Within(distance, replace(YOUR, other=True))


def shocked_too(c: Context) -> Trait:
    """Being battle-shocked does not keep it from being the target."""
    put(c, Permit("stratagem", ("battle_shocked",), YOUR))
    return Trait()


def aim_first(c: Context, target: Select) -> Select:
    """The first of two targets: the second may be said to be near it."""
    c.refers(target, YOUR)
    c.mentions.append(Mention(target, YOUR, c.block))
    c.it, c.it_block = YOUR, c.block
    return target


def also_aim(c: Context, second: Select, *conditions: Condition) -> None:
    """ "You can also target …": a second target, if that holds."""
    if c.target is None or c.also_target is not None:
        raise Reject("a second target of what?")
    select = replace(second, where=conj([second.where, *conditions]))
    aim_both(c, c.target, second)
    count = Count("up_to", Amount()) if second.count.kind == "one" else second.count
    c.also_target = replace(select, count=count, bind="your other unit")
    c.pieces += 1


def both_targets(c: Context, every: bool = False) -> Select:
    """ "Both of those units": of a stratagem that has two targets, or aims at several; ``every`` one of them."""
    if c.also_target is not None and both_ours(c.also_target):
        found = replace(BOTH_TARGETS)
    elif any(aimed is not None and aimed.count.kind in ("n", "up_to", "any") for aimed in (c.target, c.or_target)):
        found = YOUR
    else:
        raise Reject("there is only one")
    return replace(found, count=Count("all")) if every else found


def aim_if(c: Context, target: Select, condition: Condition) -> Select:
    """A target that must be so."""
    found = replace(target, where=conj([target.where, condition]))
    for mention in c.mentions:
        if mention.select is target:
            mention.select = found
    return found


def aim_objective(c: Context, target: Select, objective: Select) -> Select:
    """A stratagem with a unit and an objective."""
    c.also_target = replace(objective, bind="picked")
    c.refers(objective, Select("objective", ref="bound", name="picked"))
    return target


def require(c: Context, condition: Condition) -> None:
    """Whoever a stratagem is used on must be so, be it one target or the other it may have instead."""
    if c.target is None:
        raise Reject("nothing is targeted")
    c.target = replace(c.target, where=conj([c.target.where, condition]))
    if c.or_target is not None:
        c.or_target = replace(c.or_target, where=conj([c.or_target.where, condition]))


def cannot_target(c: Context, u: Select) -> None:
    """A stratagem's target may not be one of these."""
    if c.target is None or u.where is None:
        raise Reject("nothing is targeted")
    require(c, Not(u.where))
    c.drop(u)
    c.pieces += 1


def cannot_target_if(c: Context, u: Select, condition: Condition) -> None:
    if c.target is None:
        raise Reject("nothing is targeted")
    require(c, negate(c, condition))
    c.pieces += 1


def cannot_target_unless(c: Context, u: Select, condition: Condition) -> None:
    """A stratagem's target may not be one of these, unless that holds of it."""
    if c.target is None or u.where is None:
        raise Reject("nothing is targeted")
    require(c, Any((condition, Not(u.where))))
    c.drop(u)
    c.pieces += 1


def battle_shocked_too(c: Context) -> None:
    """ "You can target a unit that is battle-shocked"."""
    if c.target is None:
        raise Reject("nothing is targeted")
    put(c, Permit("stratagem", ("battle_shocked",), YOUR))


def target_near(c: Context, who: Select, distance: Amount, of: Select) -> None:
    """A stratagem's target is that near something."""
    if c.target is None or whole(who) != YOUR:
        raise Reject("nothing is targeted")
    require(c, Within(distance, whole(of), wholly=True))
    c.pieces += 1


def target_away(c: Context, d: Amount) -> None:
    """A stratagem's targets are that far from the enemy."""
    if c.target is None:
        raise Reject("nothing is targeted")
    far_off = Not(Within(d, Select("unit", side="enemy", count=Count("any"))))
    require(c, far_off)
    c.pieces += 1


def target_must_not(c: Context, who: Select, place: Condition) -> None:
    """A restriction: a stratagem's target may not be there."""
    if who.ref == "bound" and _narrowed(c, who, Not(place)):
        return
    if c.target is None or whole(who) != YOUR:
        raise Reject("nothing is targeted")
    require(c, Not(place))
    c.pieces += 1


def _narrowed(c: Context, who: Select, condition: Condition) -> bool:
    """ "Those units cannot be there": of those just picked, of whom that must be true."""
    for items, at, block in reversed(c.history):
        old = items[at]
        if isinstance(old, Pick) and old.who.bind == who.name:
            c.use(block)
            c.swap(items, at, replace(old, who=replace(old.who, where=conj([old.who.where, condition]))))
            c.pieces += 1
            return True
    return False


def your_keyword(c: Context, k: Keyword) -> Select:
    """ "your INFANTRY unit": the one of two targets that fits."""
    if c.also_target is not None and echoes(c.also_target, k) and not (c.target and echoes(c.target, k)):
        return OTHER_TARGET
    if c.target is not None and not echoes(c.target, k) and not any(echoes(m.select, k) for m in c.mentions):
        return Select(
            "unit", where=HasState(k.any_of[0][0].lower())
        )  # "your Prey": a mark, not a keyword of the target
    return your(c) if c.target is not None else c.that("unit", "friendly", k)


def selected_unit(c: Context) -> Select:
    """ "The unit you selected": the target of a stratagem, or the one that was picked."""
    return your(c) if c.target is not None else those(c, "unit")


def our_keyword(c: Context, k: Keyword) -> Select:
    """ "your INFANTRY units": of the rule of an army, all of ours that fit, if none was named."""
    try:
        return your_keyword(c, k)
    except Reject:
        if not c.army_rule or c.target is not None or c.forgot:
            raise
    return c.mention(Select("unit", side="friendly", where=k))


def your_marked(c: Context, k: Keyword) -> Select:
    """ "Your Prey", where no stratagem has a target: who was marked so, in this rule or by another of ours."""
    if c.target is not None:
        return your_keyword(c, k)
    return Select("unit", where=HasState(k.any_of[0][0].lower()))


def again(c: Context) -> Stratagem | None:
    """ "… even if you have already used that stratagem": the one just spoken of."""
    last = last_effect(c)
    if not isinstance(last, Stratagem):
        raise Reject("which stratagem?")
    if last.change == "again":  # said already
        c.pieces += 1
        return None
    return Stratagem("again", which=last.which, who=last.who)


def others_again(c: Context) -> Stratagem:
    """The use of it on one unit keeps no other from it."""
    return replace(that_use(c, Stratagem("again")), who=Select("unit", side="friendly", other=True))


def that_use(c: Context, change: Stratagem) -> Stratagem:
    """ "That use costs less": of the stratagem that may be used so, or that the event is about."""
    last = last_effect(c)
    if isinstance(last, Stratagem):
        c.use(c.history[-1][2])
        return replace(change, which=last.which, who=last.who)
    events = (block.when for block in c.block.chain() if isinstance(block.when, Event))
    if c.target is None and not any(event.name.startswith("stratagem_") for event in events):
        raise Reject("which use?")
    return change


def costs_on(c: Context, target: Select) -> Stratagem:
    """What stratagems cost that are used on these: on enemies, those of the opponent."""
    return Stratagem("cost", who=whole(target), whose="opponent" if target.side == "enemy" else "you")


def costs(c: Context, use: Stratagem, sign: Anything, n: Amount) -> Stratagem:
    """So much more, or less."""
    return replace(use, amount=n, sign=sign)


def costs_just(c: Context, use: Stratagem, n: Amount) -> Stratagem:
    """Just so much."""
    return replace(use, change="set", amount=n)


def at_price(c: Context, price: Stratagem, which: StratagemIs | None, target: Select | None) -> Stratagem:
    """The stratagem, used on these, at that price."""
    return replace(price, which=which, who=None if target is None else whole(target))


def forbid_both(c: Context, span: Anything, *names: tuple[Token, ...] | None) -> Wrapped:
    """Not this one and those in the same phase."""
    which = StratagemIs(tuple(phrase(words).lower() for words in names if words))
    return Wrapped((Stratagem("forbid", which=which, who=here(c)),), lasts=Duration(span))


def rule_limits(c: Context, *limits: Limit) -> None:
    """ "Once per battle." alone: how often the rule is used."""
    for limit in limits:
        rule_limit(c, limit)


def only_if(c: Context, condition: Condition) -> None:
    """A stratagem that may only be used where that holds."""
    if c.target is None:
        raise Reject("no stratagem is used")
    c.add(c.base.holds, condition)
    c.pieces += 1


def can_only_target(c: Context, u: Select) -> None:
    """A stratagem's target must be one of these."""
    if c.target is None or u.where is None or u.ref is not None:
        raise Reject("nothing is targeted")
    require(c, u.where)
    c.drop(u)
    c.pieces += 1


def target_must(c: Context, condition: Condition) -> None:
    """ "That unit must be …": said of a stratagem's target."""
    if c.target is None:
        raise Reject("nothing is targeted")
    require(c, condition)
    c.pieces += 1


def forbid_ours(c: Context, who: Select, names: tuple[str, ...]) -> Stratagem:
    """You may not use these stratagems on it."""
    return Stratagem("forbid", which=StratagemIs(names), who=whole(who))
