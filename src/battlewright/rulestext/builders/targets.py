"""Stratagems and the rules of armies: their targets, second amounts, and what only they say."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import (
    About,
    Act,
    Amount,
    Any,
    Build,
    Choose,
    Clause,
    Condition,
    Count,
    Duration,
    Grant,
    If,
    Keyword,
    Mortal,
    Move,
    Not,
    Option,
    Permit,
    Pick,
    Pool,
    Reserves,
    ReturnModels,
    Same,
    Select,
    SetState,
    ShockTest,
    Stat,
    StatMod,
    Within,
)
from battlewright.rulestext.blocks import Gate, Options, conj
from battlewright.rulestext.builders.attacks import CHOSEN, choose_ability, get, weapons_of
from battlewright.rulestext.builders.more import aim_both, give, last_effect, may, pick, value
from battlewright.rulestext.builders.phrases import YOUR, any_of, number, row, sign, whole
from battlewright.rulestext.builders.sentences import Instead, Scope, Wrapped, doing_so, done, put, replace_wrapped
from battlewright.rulestext.context import Context, Mention, Poison, Reject
from battlewright.rulestext.tokens import Token
from battlewright.rulestext.words import phrase

OTHER_TARGET = Select("unit", ref="bound", name="your other unit")

# --------------------------------------------------------------------------------------------------------- targets


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
    c.also_target = replace(select, bind="your other unit")
    c.pieces += 1


def both_targets(c: Context) -> Select:
    """ "Both of those units": of a stratagem that has two."""
    if c.also_target is not None:
        return Select("unit", where=Any((Same(YOUR), Same(OTHER_TARGET))))
    if c.target is None or c.target.count.kind not in ("n", "up_to", "any"):
        raise Reject("there is only one")
    return YOUR


def aim_if(c: Context, target: Select, condition: Condition) -> Select:
    """A target that must be so."""
    found = replace(target, where=conj([target.where, condition]))
    for mention in c.mentions:
        if mention.select is target:
            mention.select = found
    return found


def cannot_target_unless(c: Context, u: Select, condition: Condition) -> None:
    """A stratagem's target may not be one of these, unless that holds of it."""
    if c.target is None or u.where is None:
        raise Reject("nothing is targeted")
    c.target = replace(c.target, where=conj([c.target.where, Any((condition, Not(u.where)))]))
    c.drop(u)
    c.pieces += 1


def battle_shocked_too(c: Context) -> None:
    """ "You can target a unit that is battle-shocked"."""
    if c.target is None:
        raise Reject("nothing is targeted")
    c.pieces += 1


# ------------------------------------------------------------------------------------------------- second amounts


def or_amount(c: Context, effects: Anything, n: Amount, condition: Condition) -> Anything:
    """ "…, or 2 instead if that holds"."""
    return tuple(_or_amount(effect, n, condition) for effect in row(effects))


def _or_amount(effect: Anything, n: Amount, condition: Condition) -> Anything:
    if isinstance(effect, Wrapped):
        return replace_wrapped(effect, tuple(_or_amount(one, n, condition) for one in effect.effects))
    if getattr(effect, "amount", None) is None:
        raise Reject("no amount to change")
    return If(condition, (replace(effect, amount=n),), (effect,))


def or_gains(c: Context, effects: Anything, gains: Anything, condition: Condition) -> Anything:
    """ "has one thing, or another instead if that holds": of the same kind."""
    old = row(effects)
    if len(old) != 1 or not isinstance(old[0], (Grant, StatMod)):
        raise Reject("instead of what?")
    new = give(c, old[0].who or YOUR, gains)
    if any(type(one) is not type(old[0]) for one in new):
        raise Reject("instead of another kind of thing")
    return If(condition, tuple(new), old)


def capped_effect(c: Context, effects: Anything, most: Amount) -> Anything:
    """So many mortal wounds at most."""
    found = row(effects)
    if not all(isinstance(effect, Mortal) for effect in found):
        raise Reject("what has a maximum?")
    return tuple(replace(one, amount=replace(one.amount, maximum=value(c, most))) for one in found)


def return_more(c: Context, n: Amount) -> ReturnModels:
    """ "you can return up to D3 destroyed models instead": to the unit spoken of."""
    for items, at, _ in reversed(c.history):
        old = items[at]
        for effect in getattr(old, "do", (old,)):
            if isinstance(effect, ReturnModels):
                return replace(effect, amount=n)
    raise Reject("returned to what?")


# ------------------------------------------------------------------------------------------------------------- acts


def two_moves(c: Context, who: Select, first: Move, second: Move) -> Choose:
    """One of two moves."""
    return Choose((Option((replace(first, who=whole(who)),)), Option((replace(second, who=whole(who)),))))


def both_permits(c: Context, who: Select, acts: tuple[str, ...], despite: tuple[str, ...]) -> Choose:
    """ "eligible to either shoot or declare a charge": one of them."""
    return Choose(tuple(Option((Permit(act, tuple(despite), whole(who)),)) for act in acts))


def only_at(c: Context, target: Select) -> None:
    """ "It must target only that unit": of the attacks just allowed."""
    last = last_effect(c)
    if isinstance(last, Choose):
        acts = [effect for option in last.options for effect in option.do]
        if acts and all(isinstance(act, Act) for act in acts):
            items, at, block = c.history[-1]
            c.use(block)
            new = tuple(Option(tuple(_at(act, target) for act in option.do)) for option in last.options)
            c.swap(items, at, Choose(new))
            c.pieces += 1
            return
    if not isinstance(last, Act) or last.act not in ("shoot", "fight"):
        raise Reject("who targets?")
    items, at, block = c.history[-1]
    c.use(block)
    c.swap(items, at, _at(last, target))
    c.pieces += 1


def _at(act: Anything, target: Select) -> Act:
    found: Act = replace(act, towards=target, limits=(*act.limits, "only at that target"))
    return found


def if_eligible(c: Context) -> None:
    """ "and only if that unit is an eligible target": of the attacks just allowed."""
    last = last_effect(c)
    acts = [last] if isinstance(last, Act) else []
    if isinstance(last, Choose):
        acts = [effect for option in last.options for effect in option.do if isinstance(effect, Act)]
    if not acts or any(act.towards is None for act in acts):
        raise Reject("what is eligible?")
    c.pieces += 1


def passes_instead(c: Context, who: Select) -> ShockTest:
    """ "is treated as having passed that test instead"."""
    return ShockTest("pass", whole(who))


def arrives(c: Context, who: Select) -> Reserves:
    return Reserves("arrive", whole(who), place=("next movement phase",))


def shoots_at(c: Context, who: Select, target: Select, *limits: str) -> Act:
    return Act("shoot", whole(who), target, ("only at that target", *limits))


def attacker_near(c: Context, distance: Amount, further: bool = False) -> Condition:
    """How far the attacker is from the target of the attack."""
    c.scope_of_attack()
    near = Within(distance, Select("unit", ref="target"))
    return About(Select("unit", ref="attacker"), Not(near) if further else near)


def when_done(c: Context) -> Scope:
    """ "When it does": what was optional, or what will happen later."""
    if c.act is None and isinstance(last_effect(c), (Reserves, Move, ShockTest)):
        return doing_so(c)
    return done(c)


def counted(c: Context, who: Select) -> Select:
    return replace(who, count=Count())


def harder_escape(c: Context, who: Select, token: Token, condition: Condition) -> If:
    """Desperate escape tests, harder for some."""
    n = number(c, token)
    return If(
        condition,
        (ShockTest("desperate_escape", whole(who), n, sign(c, token)),),
        (ShockTest("desperate_escape", whole(who)),),
    )


def target_near(c: Context, who: Select, distance: Amount, of: Select) -> None:
    """A stratagem's target is that near something."""
    if c.target is None or whole(who) != YOUR:
        raise Reject("nothing is targeted")
    c.target = replace(c.target, where=conj([c.target.where, Within(distance, whole(of), wholly=True)]))
    c.pieces += 1


def floor_of(c: Context, stats: tuple[Stat, ...], n: Amount) -> None:
    """ "This cannot reduce that below 1": of the change just made."""
    for items, at, block in reversed(c.history):
        old = items[at]
        if isinstance(old, StatMod) and set(stats) & set(old.stats):
            c.use(block)
            c.swap(items, at, replace(old, minimum=value(c, n)))
            c.pieces += 1
            return
    raise Reject("what was reduced?")


def other_unit(c: Context) -> Select:
    """ "A friendly model makes an attack that targets that unit": not the unit of the attacker, just named."""
    for mention in reversed(c.mentions):
        if isinstance(mention, Poison):
            break
        if mention.select.what == "unit":
            if mention.block is c.block and mention.select.ref is None and mention.select.side == "friendly":
                return c.that("unit", "enemy")
            break
    return c.that("unit")


def either_if(c: Context, effects: Anything, others: Anything, condition: Condition) -> Anything:
    """ "do this, or do that instead if …": both said of the same kind of thing."""
    old, new = row(effects), row(others)
    if any(type(one) not in [type(two) for two in old] for one in new):
        raise Reject("instead of another kind of thing")
    wrapped = [one for one in (*old, *new) if isinstance(one, Wrapped)]
    if not wrapped:
        return If(condition, new, old)
    if len(old) != 1 or len(new) != 1 or replace_wrapped(old[0], ()) != replace_wrapped(new[0], ()):
        raise Reject("instead of what stands in another scope")
    return replace_wrapped(old[0], (If(condition, new[0].effects, old[0].effects),))


def bounded(c: Context, effects: Anything, least: Amount | None, most: Amount | None) -> Anything:
    """Changes of characteristics, with how far they may go."""
    return tuple(_bounded(c, effect, least, most) for effect in row(effects))


def _bounded(c: Context, effect: Anything, least: Amount | None, most: Amount | None) -> Anything:
    if isinstance(effect, Wrapped):
        return replace_wrapped(effect, tuple(_bounded(c, one, least, most) for one in effect.effects))
    if not isinstance(effect, StatMod):
        raise Reject("what is bounded?")
    return replace(
        effect,
        minimum=effect.minimum if least is None else value(c, least),
        maximum=effect.maximum if most is None else value(c, most),
    )


def choose_named(c: Context, *names: tuple[Token, ...]) -> None:
    """ "Select the A, B or C": one of these is what "that …" means."""
    c.named_choice = tuple(phrase(words).lower() for words in names)
    c.pieces += 1


def chosen_active(c: Context, who: Select | None) -> Choose | Grant:
    """ "That one is active for your unit": one of those named before, or of those that stand elsewhere."""
    if not c.named_choice and c.section:
        return Grant("ability", c.section, who=who and whole(who))
    if not c.named_choice:
        raise Reject("which one?")
    return Choose(tuple(Option((SetState(name, None if who is None else whole(who)),)) for name in c.named_choice))


# ---------------------------------------------------------------------------------------------------------- armies


def either_thing(c: Context, first: Select, second: Select) -> Select:
    """ "A battle-shocked unit or a unit below half-strength": any of both."""
    if first.where is None or second.where is None or first.ref is not None or second.ref is not None:
        raise Reject("any unit")
    c.drop(first)
    c.drop(second)
    return c.mention(replace(first, where=any_of(c, first.where, second.where)))


def but_not(c: Context, effects: Anything, condition: Condition) -> Anything:
    """ "have that (excluding those)": not all of whom the sentence spoke."""
    found = row(effects)
    if any(getattr(effect, "who", None) is None or effect.who.ref is not None for effect in found):
        raise Reject("excluding whom?")
    return tuple(replace(one, who=replace(one.who, where=conj([one.who.where, Not(condition)]))) for one in found)


def pick_to_gain(c: Context, who: Select, k: Keyword) -> None:
    """Pick some, which get a keyword."""
    put(c, pick(c, who, True))
    put(c, Grant("keyword", keywords=(k.any_of[0][0],), who=c.it))


def pick_as(c: Context, who: Select, words: tuple[Token, ...]) -> None:
    """Pick one, which is called that."""
    put(c, pick(c, who))
    put(c, SetState(phrase(words).lower(), c.it))


def move_either(c: Context, who: Select, first: Move, second: Move, condition: Condition) -> If:
    """One move, or another where that holds."""
    if who == Select(who.what):
        raise Reject("any of them")
    return If(condition, (replace(second, who=whole(who)),), (replace(first, who=whole(who)),))


def weapons_choice(c: Context, who: Select, duration: Duration | None, abilities: Anything) -> Anything:
    """ "Select one of the following abilities for its weapons to have"."""
    choose_ability(c, *abilities)
    found = row(get(c, weapons_of(c, who), CHOSEN))
    return found if duration is None else Wrapped(found, lasts=duration)


def one_of(c: Context, first: Anything, second: Anything) -> Choose:
    """ "It heals, or a model is returned": one of both."""
    options = (row(first), row(second))
    for effect in (*options[0], *options[1]):
        if effect is None or isinstance(effect, (Wrapped, Instead, Pick, Gate, Options, If)):
            raise Reject("not a plain choice")
    return Choose((Option(options[0]), Option(options[1])))


_OF_UNITS = ("stealth", "deep strike", "lone operative", "infiltrators", "fights first", "smoke", "hover")


def bracket_ability(c: Context, token: Token) -> Grant:
    """An ability of units, set in brackets like those of weapons."""
    if token.raw.lower() not in _OF_UNITS:
        raise Reject("an ability of weapons")
    return Grant("unit_ability", token.raw.lower())


def while_there(c: Context, effects: Anything, place: Condition) -> Anything:
    """ "units have that while within terrain": those that are there."""
    found = row(effects)
    if any(getattr(effect, "who", None) is None for effect in found):
        raise Reject("who is there?")
    return tuple(_there(effect, place) for effect in found)


def _there(effect: Anything, place: Condition) -> Anything:
    if effect.who.ref is not None:
        return Wrapped((effect,), holds=(About(effect.who, place),))
    return replace(effect, who=replace(effect.who, where=conj([effect.who.where, place])))


def spend_to(c: Context, pool: str, n: Amount, effects: Anything) -> Clause:
    """ "You can spend a token to do that"."""
    found = row(effects)
    if any(effect is None or isinstance(effect, (Wrapped, Instead, Gate, Options)) for effect in found):
        raise Reject("spent for what?")
    return may(c, Pool(pool, "spend", n), *found)


def by_battle_size(c: Context, who: Select) -> Build:
    """How many depends on the size of the battle; the rows stand below."""
    c.drop(who)
    return Build("limit", words=("by battle size",))


def pick_some(c: Context, who: Select) -> Pick:
    """ "Select a number of units": as many as the battle's size allows."""
    some = replace(who, count=Count("any"))
    for mention in c.mentions:
        if mention.select is who:
            mention.select = some
    return pick(c, some)


def target_must_not(c: Context, who: Select, place: Condition) -> None:
    """A restriction: a stratagem's target may not be there."""
    if c.target is None or whole(who) != YOUR:
        raise Reject("nothing is targeted")
    c.target = replace(c.target, where=conj([c.target.where, Not(place)]))
    c.pieces += 1


def aim_objective(c: Context, target: Select, objective: Select) -> Select:
    """A stratagem with a unit and an objective."""
    c.also_target = replace(objective, bind="picked")
    c.refers(objective, Select("objective", ref="bound", name="picked"))
    return target


def those_changes(c: Context, n: Amount) -> tuple[StatMod, ...]:
    """ "Those characteristics": the ones just changed, by another amount."""
    found: list[StatMod] = []
    for items, at, block in reversed(c.history):
        old = items[at]
        if not isinstance(old, StatMod) or (found and block is not c.history[-1][2]):
            break
        found.append(replace(old, amount=n))
    if not found:
        raise Reject("which characteristics?")
    return tuple(reversed(found))
