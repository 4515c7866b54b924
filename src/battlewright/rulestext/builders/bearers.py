"""What bearers, wargear and weapons get: bounds, first times, results that fail, choices in one line."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Amount,
    AttackIs,
    Choose,
    Clause,
    Condition,
    Duration,
    Embarked,
    Event,
    Grant,
    If,
    Keyword,
    Limit,
    Models,
    Mortal,
    Not,
    Option,
    PerAttack,
    Reroll,
    Roll,
    RollSet,
    Same,
    Select,
    Stat,
    StatMod,
    Targeting,
    Window,
)
from battlewright.effects import Any as Either
from battlewright.rulestext.blocks import STATIC, Block, conj
from battlewright.rulestext.builders.attacks import (
    Attacks,
    attack_words,
    attacks_of,
    get,
    reroll,
    those_attacks,
    weapons_of,
)
from battlewright.rulestext.builders.building import transport
from battlewright.rulestext.builders.conditions import traits_hold
from battlewright.rulestext.builders.numbers import value
from battlewright.rulestext.builders.odds import such_attacks
from battlewright.rulestext.builders.phrases import about, every_of, it, lower, negate, row, shooter, whole
from battlewright.rulestext.builders.rolls import fails_on, reroll_one_of
from battlewright.rulestext.builders.sentences import Scope, Wrapped, at_edge, replace_wrapped, together, when
from battlewright.rulestext.builders.windows import destroys
from battlewright.rulestext.context import ME, UNIT, Context, Mention, Reject
from battlewright.rulestext.parse import Tree
from battlewright.rulestext.tokens import Token

# ------------------------------------------------------------------------------------------------------- numbers


def floor(c: Context, effects: Anything, n: Amount) -> Anything:
    """ "to a minimum of 1": of what a characteristic becomes."""
    return _bounded(effects, minimum=value(c, n))


def ceiling(c: Context, effects: Anything, n: Amount) -> Anything:
    """ "to a maximum of 3": of what a characteristic becomes, or of how much is suffered."""
    return _bounded(effects, maximum=value(c, n))


def _bounded(effects: Anything, **bounds: int) -> Anything:
    return tuple(_bound(effect, bounds) for effect in row(effects))


def _bound(effect: Anything, bounds: dict[str, int]) -> Anything:
    if isinstance(effect, Wrapped):
        return replace_wrapped(effect, _bounded(effect.effects, **bounds))
    if isinstance(effect, StatMod):
        return replace(effect, **bounds)
    if isinstance(effect, Mortal) and "maximum" in bounds:
        return replace(effect, amount=replace(effect.amount, maximum=bounds["maximum"]))
    raise Reject("what has such a bound?")


def how_many(c: Context, things: Select, n: Amount | None = None) -> Amount:
    """ "the number of enemy models near": one for each; of models in a unit, for each of them and not of the unit."""
    counted = things if things.what == "model" and things.of is not None else whole(things)
    return Amount(Dice(0, 6, 1), per=counted)


# --------------------------------------------------------------------------------------------------- first times


def only_span(c: Context, limits: tuple[Limit, ...]) -> Anything:
    """ "Once per turn, the first time …": the first time each turn."""
    if limits != (Limit(limits[0].per),):
        raise Reject("the first time of several")
    return limits[0].per


def first_time(c: Context, events: Anything, span: Anything = None) -> Scope:
    """The first time something happens (in each phase, turn …)."""
    trigger = events.when if isinstance(events, Scope) else events
    limits = (Limit(span or "battle"),)
    if isinstance(trigger, PerAttack):
        return together(c, when(c, events), Scope(limits=limits))
    found = when(c, at_edge(c, events, None, True))
    return together(c, found, Scope(limits=limits)) if span is not None else found


# ------------------------------------------------------------------------------------------------ rolls that fail


def fails_up_to(c: Context, roll: Roll, n: int) -> Anything:
    """ "1, 2 or 3" fails."""
    return fails_on(c, roll, (1, n))


def fails_of(c: Context, attacks: Attacks, roll: Roll, token: Token) -> Anything:
    """Attacks spoken of as a thing fail on "1-3"."""
    low, high = token.raw.split("-")
    if low != "1":
        raise Reject("results in the middle fail")
    return get(c, attacks, (RollSet(roll, "failure", Amount(Dice(0, 6, int(high))), True),))


# ---------------------------------------------------------------------------------------------------- re-rolls


def reroll_number(c: Context) -> Anything:
    """The dice for the number of attacks: of the attack spoken of, or of the activation."""
    if c.attack is None and c.activation is not None:
        return _in_activation(c, (Reroll("attacks"),))
    c.scope_of_attack()
    return (Reroll("attacks"),)


def reroll_each_one(c: Context, rolls: tuple[Roll, ...], who: Select | None = None) -> Anything:
    """One die of each of these rolls: of the attacks of the activation just spoken of, or made for someone."""
    found = tuple(Reroll(roll, "one", who=None if who is None else whole(who)) for roll in rolls)
    if who is not None:
        return found
    if c.attack is not None:
        c.scope_of_attack()
        return found
    return _in_activation(c, found)


def reroll_only_one(c: Context, rolls: tuple[Roll, ...]) -> Anything:
    """One die, of one of these rolls."""
    choose = Choose(tuple(Option((Reroll(roll, "one"),)) for roll in rolls))
    if c.attack is not None:
        c.use(c.attack)
        return choose
    return _in_activation(c, (choose,))


def _in_activation(c: Context, effects: tuple[Anything, ...]) -> Wrapped:
    if c.activation is None:
        raise Reject("whose rolls?")
    c.use(c.activation_block)
    return Wrapped(effects, PerAttack("attacker", shooter(c.activation)), lasts=Duration("done"))


# ------------------------------------------------------------------------------------------------ choices, gains


def choose_gain(c: Context, attacks: Attacks, duration: Duration | None, gains: tuple[Anything, ...]) -> Anything:
    """One of these abilities, for all those attacks alike; chosen in one sentence."""
    if attacks.trigger is None or attacks.holds or len(gains) < 2:
        raise Reject("whose weapons?")
    found = Choose(tuple(Option((Clause(row(gain), attacks.trigger),)) for gain in gains))
    return found if duration is None else Wrapped((found,), lasts=duration)


def models_gain(c: Context, who: Select, gains: Anything) -> Anything:
    """Models that have weapon abilities: their weapons have them."""
    return get(c, weapons_of(c, who), gains)


def it_gains(c: Context, gains: Anything) -> Anything:
    """ "It has [X]": an attack, where one is spoken of and nothing but its target could be meant."""
    if c.attack is not None and (c.it is None or c.it.ref == "target"):
        return get(c, those_attacks(c), gains)
    return models_gain(c, it(c), gains)


def such_critical(c: Context, kind: Anything, target: Select | None = None) -> Scope:
    """An attack with such a weapon scores a critical hit."""
    scope = such_attacks(c, target)
    return Scope(scope.when, [*scope.holds, AttackIs(kind)])


def stat_to(c: Context, stats: tuple[Stat, ...], token: Token) -> StatMod:
    """ "a 2+ Save characteristic"."""
    return StatMod(stats, "set", Amount(Dice.parse(token.raw)))


# ------------------------------------------------------------------------------------------------------- bearers


def bearer_but(c: Context, k: Condition, x: Condition) -> Condition:
    """These, without those."""
    return every_of(c, k, negate(c, x))


def bearer_and(c: Context, k: Keyword, mods: Anything) -> Condition:
    return every_of(c, k, traits_hold(c, mods))


def deadly_demise_on(c: Context, n: int, who: Select | None = None) -> RollSet:
    """Deadly Demise inflicts its mortal wounds on these rolls already."""
    return RollSet("deadly_demise", "success", Amount(Dice(0, 6, n)), who=whole(who or ME))


# ------------------------------------------------------------------------------------------ second readings of a clause


def in_or_aboard(c: Context, who: Select, condition: Condition, transport: Keyword | None = None) -> Condition:
    """This unit, "or any TRANSPORT it is embarked within"."""
    within = Select("model", where=conj([transport, condition]))
    return Either((about(c, who, condition), About(whole(who), Embarked(within))))


def set_one_of(c: Context, rolls: tuple[Roll, ...], token: Token, who: Select | None, unmodified: bool) -> Anything:
    """ "Change one Hit roll or one saving throw made for it to a 6": one of them."""
    options = tuple(
        RollSet(roll, "value", Amount(Dice.parse(token.raw)), unmodified, who and whole(who)) for roll in rolls
    )
    if len(options) == 1:
        return options[0]
    return Choose(tuple(Option((one,)) for one in options))


def reroll_one_die(c: Context, rolls: tuple[Roll, ...], who: Select | None) -> Anything:
    """ "Re-roll one Hit roll or Wound roll": one die, of one of these where there are several."""
    if len(rolls) == 1:
        return reroll(c, rolls, "one", who=who)
    return reroll_only_one(c, rolls) if who is None else reroll_one_of(c, rolls, who)


def can_target(c: Context, who: Select, target: Select, there: Condition | None = None) -> Targeting:
    """Whom one may target, even if ``there``: with a charge, where one is declared, else with ranged attacks."""
    target = replace(target, where=conj([target.where, there]))
    events = (block.when for block in c.block.chain() if isinstance(block.when, Event))
    charges = any(event.name in ("charge_declared", "selected_to_charge") for event in events)
    return Targeting("can", who=target, by=whole(who), act="charge" if charges else "shoot")


def gain_or(c: Context, attacks: Attacks, first: Anything, k: Condition, second: Anything, j: Condition) -> Anything:
    """These abilities if so, or those if that."""
    if not all(isinstance(one, Grant) for one in (*row(first), *row(second))):
        raise Reject("not abilities")
    return get(c, attacks, If(j, row(second), (If(k, row(first)),)))


def either_capacity(
    c: Context, n: Amount, what: tuple[Condition, ...], m: Amount, other: tuple[Condition, ...]
) -> Choose:
    """So many of these, or so many of those."""
    return Choose((Option((transport(c, n, what),)), Option((transport(c, m, other),))))


def when_event(c: Context, effects: Anything, events: Anything, edge: Anything = None) -> Anything:
    """An effect, and behind it when it comes."""
    scope = when(c, at_edge(c, events, edge) if edge else events)
    found = row(effects)
    if any(isinstance(one, Wrapped) and one.when != STATIC for one in found):
        raise Reject("an effect with a time of its own")
    return Wrapped(found, scope.when, tuple(scope.holds), scope.lasts, scope.limits)


def each_time_behind(c: Context, e: Tree, v: Tree) -> Anything:
    """ "Subtract 1 from the Hit roll each time it attacks": the attacks are spoken of before they are named."""
    saved = c.save()
    scope = when(c, c.build(v))
    if not isinstance(scope.when, PerAttack) or c.attack is not None:
        c.restore(saved)
        effects = c.build(e)
        return when_event(c, effects, c.build(v))
    c.attack = Block(c.block, scope.when)
    effects = row(c.build(e))
    c.attack = None
    return when_event(c, effects, scope)


def in_time(c: Context, effects: Anything, window: Window) -> Anything:
    """An effect, and behind it the phase it comes in."""
    found: Wrapped = when_event(c, effects, window)
    return found


def no_demise_roll(c: Context, who: Select) -> RollSet:
    """Deadly Demise is not rolled for; what happens instead is said next."""
    return RollSet("deadly_demise", "no_roll", who=whole(who))


def both_limit(c: Context, limits: tuple[Limit, ...], events: Anything, edge: Anything = None) -> Scope:
    """ "Once per turn after …": how often, and when."""
    return together(c, Scope(limits=limits), when(c, at_edge(c, events, edge) if edge else events))


def owner(c: Context, who: Select) -> Select:
    """ "This unit's …": what "it" is, where nothing was spoken of yet."""
    if c.it is None:
        c.it, c.it_block = who, c.block
    return who


def same_unit(c: Context, k: Keyword) -> Condition:
    """Another such model is in this one's unit: "that unit" from here on."""
    c.mentions.append(Mention(UNIT, UNIT, c.block))
    some = Select("model", where=k, of=UNIT)
    c.mentions.append(Mention(some, some, c.block))
    return About(UNIT, Models(1, None, conj([k, Not(Same(ME))])))


def destroys_so(c: Context, who: Select, what: Select, kind: str) -> Event:
    """Destroys something with a melee attack."""
    return replace(destroys(c, who, what), kinds=(kind,))


_MADE = ("has_shot", "has_fought", "has_attacked")


def after_attacks(c: Context) -> Scope:
    """After the attacks of the activation just spoken of; where they have been made already, that is now."""
    if c.activation is None:
        raise Reject("whose attacks?")
    if any(isinstance(block.when, Event) and block.when.name in _MADE for block in c.block.chain()):
        return Scope()
    c.use(c.activation_block)
    return Scope(Event("has_attacked", c.activation, edge="after"))


def friendly_attacks(c: Context, k: Keyword | None, kind: str | None, target: Select) -> Attacks:
    """Attacks of friendly models at these."""
    who = Select("model", side="friendly", where=k)
    return attacks_of(c, who, attack_words(c, kind, None, target))


def twice(c: Context, n: Amount, effect: Anything) -> tuple[Anything, ...]:
    """The same so many times."""
    return (effect,) * value(c, n)


def two_words(c: Context, name: tuple[Token, ...], value: tuple[Token, ...]) -> str:
    """A level or mode by the name of what has it, and its own."""
    return f"{lower(c, name)} {lower(c, value)}"


def reroll_either(c: Context, rolls: tuple[Roll, ...]) -> Choose:
    """One or the other of these rolls of the attack spoken of."""
    c.scope_of_attack()
    return Choose(tuple(Option((Reroll(roll),)) for roll in rolls))


def option_gain(c: Context, attacks: Attacks, gains: Anything) -> Anything:
    """ "… have that ability", completed by an item of the list: one of the options, never all."""
    if c.options is None or not c.options.options or c.base is not c.options.options[-1][1]:
        raise Reject("an ability of a list on its own")
    return get(c, attacks, gains)
