"""Predicates and triggers that need more than a constructor."""

from __future__ import annotations

from itertools import pairwise
from typing import Any as Anything

from msgspec.structs import replace

from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Act,
    All,
    Amount,
    Any,
    AnyOf,
    AttackIs,
    Choose,
    Clause,
    Compare,
    Condition,
    Count,
    Duration,
    During,
    Embarked,
    Engaged,
    Event,
    Grant,
    HasState,
    If,
    IgnoreMods,
    Keyword,
    Leading,
    Limit,
    Located,
    Models,
    Mortal,
    Move,
    Moved,
    Not,
    OnObjective,
    Option,
    Order,
    PerAttack,
    Permit,
    Phase,
    Pick,
    Pool,
    Reroll,
    Reserves,
    ReturnModels,
    Revive,
    Roll,
    RollMod,
    RollPlus,
    RollSet,
    Same,
    Select,
    Setup,
    ShockTest,
    Stat,
    StatMod,
    Stratagem,
    StratagemIs,
    Targets,
    Transport,
    Trigger,
    Unknown,
    Whose,
    Window,
    Within,
)
from battlewright.rulestext.blocks import INSTANT, STATIC, Gate, conj
from battlewright.rulestext.builders.attacks import Attacks, get, stat_mod, those_attacks, those_weapons
from battlewright.rulestext.builders.phrases import (
    YOUR,
    Trait,
    about,
    any_of,
    every_of,
    here,
    known,
    negate,
    row,
    shooter,
    thing,
    whole,
    your,
)
from battlewright.rulestext.builders.sentences import Scope, Wrapped, event, put, row_of
from battlewright.rulestext.context import ME, UNIT, Context, Mention, Reject, echoes
from battlewright.rulestext.parse import Tree
from battlewright.rulestext.tokens import Token
from battlewright.rulestext.words import phrase

# -------------------------------------------------------------------------------------------------------- values


def value(c: Context, n: Amount) -> int:
    if n.n.constant is None:
        raise Reject("dice where a number is meant")
    return n.n.constant


def number_plus(c: Context, token: Token) -> Amount:
    """The 4 of "4+"."""
    return Amount(Dice.parse(token.raw))


def lower_ability(c: Context, token: Token) -> str:
    return token.raw.lower()


def keyword_text(c: Context, k: Keyword) -> str:
    return k.any_of[0][0]


def at_least(c: Context, n: Amount) -> Count:
    return Count("any", n)


# ---------------------------------------------------------------------------------------------------------- things


def this_bearer(c: Context) -> Select:
    return ME


def traits_hold(c: Context, traits: tuple[Trait, ...]) -> Condition:
    """What the adjectives say, as a condition."""
    if any(trait.side or trait.other or trait.of for trait in traits):
        raise Reject("a side where a condition is meant")
    return every_of(c, *(trait.holds for trait in traits if trait.holds is not None))


# ------------------------------------------------------------------------------------------------------ conditions


def negate_all(c: Context, condition: Condition) -> Condition:
    """Not so: of several that is not all of them."""
    if isinstance(condition, About):
        return About(condition.who, negate(c, condition.holds), condition.every)
    return negate(c, condition)


def engaged_by(c: Context, by: Select) -> Engaged:
    """Within engagement range of these; of any enemy unit is the same as engaged."""
    bare = Select(by.what, side=by.side, where=by.where, of=by.of)
    if by.ref is None and bare in (Select("unit", side="enemy"), Select("model", side="enemy")):
        return Engaged()
    return Engaged(whole(by))


def objective(c: Context, control: str | None, where: str | None) -> Condition:
    """Within range of such an objective."""
    if where == "not_own_zone":
        raise Reject("a place no objective condition names")
    return OnObjective(control or "any", where or "any")  # type: ignore[arg-type]


def moved(c: Context, kinds: tuple[str, ...], since: str | None) -> Condition:
    found = tuple(Moved(kind, since or "turn") for kind in kinds)  # type: ignore[arg-type]
    return found[0] if len(found) == 1 else Any(found)


def leading(c: Context, unit: Select | None = None) -> Leading:
    """This model leads a unit: from here on "that unit" is the led one."""
    c.leads, c.led_block = True, c.block
    led = Select("unit", ref="led")
    if unit == UNIT:
        c.mentions.append(Mention(Select("unit"), UNIT, c.block))
        return Leading(UNIT)
    if unit is None or unit.ref is not None:
        c.mentions.append(Mention(Select("unit"), led, c.block))
        return Leading()
    c.refers(unit, led)
    c.mentions[-1].block = c.block
    return Leading(None if replace_select(unit) == Select("unit") else replace_select(unit))


def replace_select(select: Select) -> Select:
    """Without how many: "a unit" is any."""
    return replace(select, count=Count())


def contains_these(c: Context, models: Select) -> Condition:
    if models.ref is not None or models.where is None:
        raise Reject("which models?")
    low = 1
    high = None
    if models.count.kind == "n" and models.count.n is not None:
        low = value(c, models.count.n)
    return Models(low, high, models.where)


def contains(c: Context, who: Select) -> Condition:
    raise Reject("contains a unit")


def stat_at_least(c: Context, stat: str, n: Amount) -> Compare:
    return Compare(f"who.{stat}", ">=", str(n.n))


def stat_at_most(c: Context, stat: str, n: Amount) -> Compare:
    return Compare(f"who.{stat}", "<=", str(n.n))


def stat_is(c: Context, stat: str, n: Amount) -> Compare:
    return Compare(f"who.{stat}", "=", str(n.n))


def compare_n(c: Context, left: str, op: Anything, n: Amount) -> Compare:
    c.scope_of_attack()
    return Compare(left, op, str(n.n))


def strength_over(c: Context, of: Select) -> Compare:
    """The attack's Strength is greater than the Toughness of its target."""
    c.scope_of_attack()
    return Compare("attack.S", ">", "target.T")


def attack_it(c: Context) -> None:
    """What "it" does that only attacks do: the attack spoken of."""
    c.scope_of_attack()


def attack_targets(c: Context, target: Select) -> Condition:
    """The attack targets these: the target is one of them."""
    c.scope_of_attack()
    if target.ref is not None:
        return Targets(target)
    c.refers(target, Select("unit", ref="target"))
    holds = target.where
    if holds is None:
        raise Reject("any target")
    return about(c, Select("unit", ref="target"), holds)


def army_has(c: Context, k: Keyword) -> Condition:
    return About(Select("army", ref="you"), Models(1, None, k))


def exists(c: Context, who: Select, n: Amount | None) -> Condition:
    if who.where is None:
        raise Reject("there always are")
    return About(Select(who.what, who.ref, who.name, who.side, None, Count("any"), who.of, None, who.other), who.where)


def while_(c: Context, condition: Condition) -> Scope:
    """ "While a friendly unit is near": the things near are what is spoken of; other conditions just hold."""
    rest: list[Condition] = []
    groups: dict[int, tuple[Mention, list[Condition]]] = {}
    for part in condition.of if isinstance(condition, All) else (condition,):
        mention = _new(c, part)
        if mention is None or not isinstance(part, About):
            rest.append(part)
        else:
            groups.setdefault(id(mention), (mention, []))[1].append(part.holds)
    pending: list[tuple[Select, Condition]] = []
    for mention, holds in groups.values():
        select = mention.select
        said = conj([About(whole(select), one) for one in holds])
        mention.refer = Select(
            select.what, None, None, select.side, conj([select.where, *holds]), Count(), select.of, None, select.other
        )
        mention.block = c.block
        c.it, c.it_block = mention.refer, c.block
        if said is not None:
            pending.append((mention.refer, said))
    return Scope(holds=rest, unless_named=tuple(pending))


def _new(c: Context, condition: Condition) -> Mention | None:
    """The thing just named that this condition is about, if it may be any of several."""
    if not isinstance(condition, About) or condition.who.ref is not None or condition.who.of is not None:
        return None
    if condition.who.count.kind == "any" or condition.who.what not in ("unit", "model"):
        return None
    return next((m for m in reversed(c.mentions) if m.select is condition.who), None)


# -------------------------------------------------------------------------------------------------------- triggers


def two_windows(c: Context, first: tuple[Phase, Whose | None, str], second: tuple[Phase, Whose | None, str]) -> Trigger:
    """ "your Shooting phase or the Fight phase"."""
    (p, w, g), (q, w2, h) = first, second
    if (w or "either") == (w2 or w or "either") and g == h:
        return Window((p, q), w or "either", g)  # type: ignore[arg-type]
    return AnyOf((Window((p,), w or "either", g), Window((q,), w2 or "either", h)))  # type: ignore[arg-type]


def in_window(c: Context, window: Trigger, events: Anything) -> Anything:
    """An event that counts only in this phase."""
    if isinstance(events, Scope):
        return Scope(in_window(c, window, events.when), events.holds, events.lasts, events.limits)
    if isinstance(events, AnyOf):
        return AnyOf(tuple(in_window(c, window, one) for one in events.of))
    if isinstance(window, AnyOf):
        return AnyOf(tuple(in_window(c, one, events) for one in window.of))
    if isinstance(events, Event) and isinstance(window, Window) and window.edge == "during":
        phases: tuple[Phase, ...] = window.phases
        during = During(phases, window.whose, window.step)
        return Event(events.name, events.subject, events.target, events.kinds, events.edge, events.first, during)
    if isinstance(window, Window) and window.edge == "during" and not isinstance(events, Event):
        return Scope(events, [During(window.phases, window.whose, window.step)])
    raise Reject("an event at the edge of a phase")


def either_event(c: Context, first: Anything, second: Anything) -> Trigger:
    """Any of two events."""
    if isinstance(first, Scope) or isinstance(second, Scope):
        a, b = _trigger(first), _trigger(second)
    else:
        a, b = first, second
    found = (*(a.of if isinstance(a, AnyOf) else (a,)), *(b.of if isinstance(b, AnyOf) else (b,)))
    return AnyOf(found)


def _trigger(events: Anything) -> Trigger:
    if isinstance(events, Scope):
        if events.holds:
            raise Reject("a condition on one of two events")
        return events.when
    found: Trigger = events
    return found


def move_ended_where(c: Context, s: Select, kinds: tuple[str, ...], where: Condition) -> Scope:
    """Ends such a move there."""
    found = event(c, "move_ended", s, kinds=kinds)
    return Scope(found, [about(c, Select(s.what, ref="subject") if s.ref is None else s, where)])


# ----------------------------------------------------------------------------------------------------------- scopes


def each_row(c: Context, low: int | None, high: int | None) -> Scope:
    """ "For each 4+": a row, done for each die."""
    return row_of(c, low, high)


def otherwise(c: Context) -> Scope:
    """Where the condition of what was said last does not hold; of dice, the results that no row named."""
    rows = [block for _, _, block in c.gate.rows] if c.gate is not None else []
    for block in c.last.chain() if c.last is not None else ():
        if block in rows:
            return row_of(c, *_left_over([(low, high) for low, high, _ in c.gate.rows] if c.gate else []))
        if block is c.base or block.when != STATIC:
            break
        condition = conj(block.holds)
        if condition is not None and not isinstance(condition, Unknown):
            return Scope(holds=[negate(c, condition)], into=block.parent)
    raise Reject("otherwise")


def _left_over(rows: list[tuple[int | None, int | None]]) -> tuple[int | None, int | None]:
    """The results below or above all rows; raises :class:`Reject` when they are on both sides or between two rows."""
    spans = sorted((low or 1, 99 if high is None else high) for low, high in rows)
    low, high = spans[0][0], spans[-1][1]
    gaps = any(after[0] > before[1] + 1 for before, after in pairwise(spans))
    if gaps or (low == 1) == (high == 99):
        raise Reject("which results are left?")
    return (high + 1, None) if low == 1 else (None, low - 1)


def just(c: Context, k: Tree) -> None:
    c.build(k)


# ---------------------------------------------------------------------------------------------------------- attacks


def two_attacks(c: Context, a: Attacks, b: Attacks) -> Attacks:
    if a.trigger is None or b.trigger is None or a.holds or b.holds:
        raise Reject("attacks of the scope, and others")
    if a.trigger == replace_kind(b.trigger, a.trigger.kind) and a.trigger.weapon is None:
        return Attacks(replace_kind(a.trigger, "any"))
    raise Reject("two kinds of attacks")


def replace_kind(trigger: Anything, kind: Anything) -> Anything:
    return replace(trigger, kind=kind)


def roll_gain(c: Context, rolls: tuple[Roll, ...], token: Token) -> tuple[RollMod, ...]:
    """+1 to hit rolls."""
    n = Amount(Dice.parse(token.raw.lstrip("+-")))
    return tuple(RollMod(roll, n, -1 if token.raw.startswith("-") else 1) for roll in rolls)


def tuple_rerolls(c: Context, rolls: tuple[Roll, ...], faces: tuple[int, ...] = ()) -> tuple[Reroll, ...]:
    return tuple(Reroll(roll, "faces" if faces else "all", faces) for roll in rolls)


def fails_on(c: Context, roll: Anything, result: tuple[int, int | None]) -> Anything:
    """Unmodified rolls up to a number fail, whatever else would let them succeed."""
    low, high = result
    if low != 1 or high is None:
        raise Reject("results in the middle fail")
    c.scope_of_attack()
    return RollSet(roll, "failure", Amount(Dice(0, 6, high)), True)


def tuple_lower(c: Context, stats: tuple[Stat, ...]) -> tuple[str, ...]:
    return tuple(stats)


# ----------------------------------------------------------------------------------------------------------- grants


def scope_attack(c: Context) -> None:
    """ "against that attack" says nothing more inside its own scope."""
    c.scope_of_attack()


def grant_ability(c: Context, named: tuple[str, Amount | None]) -> Grant:
    return Grant("unit_ability", named[0], named[1])


def grant_keyword(c: Context, k: Keyword) -> Grant:
    """Keywords by their words; several may be meant."""
    if any(len(group) > 1 for group in k.any_of):
        raise Reject("keywords in groups")
    return Grant("keyword", keywords=tuple(group[0] for group in k.any_of))


def signed_detection(c: Context, token: Token) -> StatMod:
    n = Amount(Dice.parse(token.raw.lstrip("+-")))
    return StatMod(("detection",), "subtract" if token.raw.startswith("-") else "add", n)


def give(c: Context, who: Select, gains: Anything) -> Anything:
    """``who`` gets these."""
    return tuple(_given(gain, whole(who)) for gain in row(gains))


def _given(gain: Anything, who: Select) -> Anything:
    if isinstance(gain, (Grant, StatMod, RollMod)):
        return replace(gain, who=who)
    raise Reject("no gain")


# ------------------------------------------------------------------------------------------------------- stratagems


def three_windows(c: Context, *rows: tuple[Phase, Whose | None]) -> Trigger:
    sides = {whose or "either" for _, whose in rows}
    if len(sides) == 1:
        return Window(tuple(phase for phase, _ in rows), sides.pop())
    return AnyOf(tuple(Window((phase,), whose or "either") for phase, whose in rows))


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


# ---------------------------------------------------------------------------------------------------- picks and dice


def pick(c: Context, who: Select, may: bool = False, whose: Anything = "you") -> Pick:
    if who.ref is not None:
        raise Reject("already picked")
    if who.what == "unit" and who.count.kind == "each" and isinstance(who.where, Keyword) and who.side is None:
        raise Reject("a name, not a unit")
    return Pick(who, whose, may)


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
    return Gate(dice, per, [] if plus is None else [plus], maximum=None if most is None else value(c, most))


def gate_dice(c: Context, token: Token) -> Gate:
    return Gate(Amount(Dice.parse(token.raw)), sum=True)


def roll_plus(c: Context, n: Amount, sign: Anything, holds: Condition | None = None) -> RollPlus:
    return RollPlus(n, sign, holds)


def plus(c: Context, gate: Gate, add: RollPlus) -> Gate:
    gate.plus.append(add)
    return gate


def return_models(
    c: Context, n: Amount, to: Select, k: Keyword | None, wounds: Amount | None, mods: Anything = None
) -> ReturnModels:
    """Destroyed models of a unit come back; which, where the text says."""
    where = conj([k, *(trait.holds for trait in row(mods))])
    who = to if where is None else Select("model", where=where, of=to)
    return ReturnModels(n, who, wounds)


# ------------------------------------------------------------------------------------------------------------- acts


def permits(c: Context, who: Select, acts: tuple[str, ...], despite: tuple[str, ...]) -> tuple[Permit, ...]:
    return tuple(Permit(act, tuple(despite), whole(who)) for act in acts)


def shock_mod(c: Context, n: Amount, sign: Anything) -> Anything:
    """Subtract from the test just spoken of, or from the one that is being taken."""
    for block in c.block.chain():
        if isinstance(block.when, Event) and block.when.name == "test_taken":
            return tuple(RollMod(kind, n, sign, block.when.subject) for kind in block.when.kinds)  # type: ignore[arg-type]
    last = last_effect(c)
    if not isinstance(last, ShockTest):
        raise Reject("which test?")
    if last.how == "desperate_escape":
        return RollMod("desperate_escape", n, sign, last.who)
    return RollMod("battle_shock" if last.how == "test" else "leadership", n, sign, last.who)


# ----------------------------------------------------------------------------------------- building and transports


def join_who(c: Context, k: Keyword, mods: Anything) -> Select:
    traits = tuple(trait for trait in row(mods) if trait.side is None)
    return Select("unit", side="friendly", where=conj([k, *(trait.holds for trait in traits)]))


def fits(c: Context, k: Condition | None, mods: Anything) -> Condition:
    traits: tuple[Trait, ...] = row(mods)
    if any(trait.side or trait.of or trait.other for trait in traits):
        raise Reject("a transport carries any")
    found = conj([k, *(trait.holds for trait in traits)])
    if found is None:
        raise Reject("carries what?")
    return found


def or_fits(c: Context, k: Condition, other: Condition) -> Condition:
    return any_of(c, k, other)


def carried_all(c: Context, what: tuple[Condition, ...]) -> Condition:
    return what[0] if len(what) == 1 else any_of(c, *what)


def transport(c: Context, n: Amount, what: tuple[Condition, ...]) -> Transport:
    """So many models that fit; those with "(excluding …)" carry that in what fits."""
    if len(what) != 1:
        raise Reject("several capacities")
    return Transport(value(c, n), what[0])


def instead_of_roll(c: Context) -> Scope:
    """ "Do not make the roll. Instead, …" says nothing more."""
    if not any(isinstance(items[at], RollSet) for items, at, _ in c.history[-4:]):
        raise Reject("'instead' of what?")
    if c.last is not None:
        c.use(c.last)
    return Scope()


# --------------------------------------------------------------------------------------------- stratagems, limits


def rule_limit(c: Context, limit: Limit) -> None:
    """A sentence that only says how often."""
    c.limits.append(limit)
    c.pieces += 1


def again(c: Context) -> Stratagem:
    """ "… even if you have already used that stratagem": the one just spoken of."""
    last = last_effect(c)
    if not isinstance(last, Stratagem):
        raise Reject("which stratagem?")
    return Stratagem("again", which=last.which, who=last.who)


def last_effect(c: Context) -> Anything:
    """What was done last."""
    return c.history[-1][0][c.history[-1][1]] if c.history else None


def two(c: Context) -> Amount:
    return Amount(Dice(0, 6, 2))


def no_roll(c: Context, roll: Anything, who: Select | None) -> RollSet:
    return RollSet(roll, "no_roll", who=whole(who or spoken(c)))


def spoken(c: Context) -> Select:
    """Who the clause is about, where it does not say."""
    if c.it is None:
        raise Reject("who?")
    c.use(c.it_block)
    return c.it


def rolls_set(c: Context, who: Select, rolls: tuple[Roll, ...]) -> tuple[RollSet, ...]:
    return tuple(RollSet(roll, "success", who=whole(who)) for roll in rolls)


def reroll_that(c: Context) -> Reroll:
    """The roll or test the clause is about."""
    for block in c.block.chain():
        if isinstance(block.when, Event) and block.when.name in ("test_taken", "roll_made", "test_failed"):
            return Reroll(block.when.kinds[0], who=block.when.subject)  # type: ignore[arg-type]
    last = last_effect(c)
    if isinstance(last, ShockTest):
        return Reroll("battle_shock", who=last.who)
    raise Reject("which roll?")


def may(c: Context, *effects: Anything) -> Clause:
    """A choice of ours."""
    return Clause(effects, may="you")


def placed(c: Context) -> None:
    """ "Remove it … and place it into strategic reserves": one act in two clauses."""
    last = last_effect(c)
    if isinstance(last, Clause):
        last = last.do[0]
    if not isinstance(last, Reserves) or last.how != "enter":
        raise Reject("what is placed?")


def redeploy(c: Context, who: Select | None) -> Anything:
    """Up to so many units are picked, and redeployed."""
    if who is None and not isinstance(last_effect(c), Pick):
        raise Reject("who is redeployed?")
    if who is not None:
        put(c, pick(c, who))
    return Reserves("redeploy", c.it)


def fights_on(c: Context, who: Select) -> Anything:
    """A destroyed model still fights, then it is removed."""
    last = last_effect(c)
    if not isinstance(last, Act) or "not removed" not in last.limits:
        raise Reject("who is not removed?")
    c.pieces += 1
    return None


# ------------------------------------------------------------------------------------------------- more conditions


def predicate(c: Context, adjectives: Anything, k: Keyword | None, mods: Anything) -> Condition:
    """ "is an enemy unit within range …": what such a unit would be."""
    traits: tuple[Trait, ...] = (*row(adjectives), *row(mods))
    if any(trait.of or trait.other for trait in traits):
        raise Reject("part of something")
    found = conj([k, *(trait.holds for trait in traits)])
    if found is None:
        raise Reject("any unit")
    return found


def destroyed_where(c: Context, s: Select, where: Condition) -> Scope:
    """Is destroyed there."""
    found = event(c, "destroyed", s)
    return Scope(found, [about(c, Select(s.what, ref="subject") if s.ref is None else s, where)])


def cannot_target(c: Context, u: Select) -> None:
    """A stratagem's target may not be one of these."""
    if c.target is None or u.where is None:
        raise Reject("nothing is targeted")
    c.target = replace(c.target, where=conj([c.target.where, Not(u.where)]))
    c.drop(u)
    c.pieces += 1


def cannot_target_if(c: Context, u: Select, condition: Condition) -> None:
    if c.target is None:
        raise Reject("nothing is targeted")
    c.target = replace(c.target, where=conj([c.target.where, negate(c, condition)]))
    c.pieces += 1


def up_to_words(c: Context, n: Amount) -> str:
    return f"up to {n.n}"


def marked(c: Context, words: tuple[Token, ...]) -> Select:
    """ "your Prey", "your Vendetta target": the unit that carries this mark; "your TRANSPORT": a stratagem's target."""
    if c.target is not None and echoes(c.target, Keyword(((phrase(words).upper(),),))):
        return your(c)
    return Select("unit", where=HasState(phrase(words).lower()))


def destroys(c: Context, s: Select, t: Select) -> Event:
    """ "this model destroys an enemy unit": what is said later of "it" is said of this model."""
    found = event(c, "destroyed", t, s)
    c.it, c.it_block = known(c, s), c.block
    return found


def reroll_one_of(c: Context, rolls: tuple[Roll, ...], who: Select) -> Choose:
    """ "re-roll one Hit roll, one Wound roll or one saving throw": one of them."""
    return Choose(tuple(Option((Reroll(roll, "one", who=whole(who)),)) for roll in rolls))


def weapons_but(c: Context, attacks: Attacks, weapon: Condition) -> Attacks:
    """Without such weapons."""
    if attacks.trigger is None:
        raise Reject("which weapons?")
    trigger = replace(attacks.trigger, weapon=conj([attacks.trigger.weapon, negate(c, weapon)]))
    return Attacks(trigger, attacks.holds, attacks.lasts)


def snap_attacks(c: Context) -> Scope:
    """While the stratagem (or the attacks) just spoken of is resolved: the attacks it makes."""
    for block in c.block.chain():
        if isinstance(block.when, Event) and "fire overwatch" in block.when.kinds and block.when.subject is not None:
            return Scope(PerAttack("attacker", shooter(block.when.subject), None, "ranged"), [AttackIs("snap")])
    raise Reject("which stratagem is resolved?")


def resolving(c: Context) -> Scope:
    """While the attacks just spoken of are resolved: those of a stratagem, or until the attacker is done."""
    try:
        return snap_attacks(c)
    except Reject:
        return Scope(lasts=Duration("done"))


def forbid_both(c: Context, *names: tuple[Token, ...] | None) -> Stratagem:
    """Not this one and those in the same phase."""
    return Stratagem("forbid", which=StratagemIs(tuple(phrase(words).lower() for words in names if words)), who=here(c))


def capped(c: Context, n: Amount, most: Amount) -> Amount:
    return replace(n, maximum=value(c, most))


def words_both(c: Context, first: str, second: str) -> str:
    return f"{first}, {second}"


def picked_weapon(c: Context) -> Attacks:
    """The weapon that was selected."""
    chosen = c.that("weapon")
    owner = next((m.select.of for m in reversed(c.mentions) if m.select.what == "weapon"), None)
    if owner is None:
        raise Reject("whose weapon?")
    return Attacks(PerAttack("attacker", shooter(owner), weapon=Same(chosen)))


def weapon_thing(c: Context, count: Count | None, kind: str | None, owner: Select) -> Select:
    """ "one melee weapon equipped by the bearer"."""
    where = None if kind is None else AttackIs(kind)  # type: ignore[arg-type]
    return c.mention(Select("weapon", where=where, count=count or Count(), of=owner))


def event_and(c: Context, events: Anything, condition: Condition) -> Scope:
    """The event, where that also holds."""
    if isinstance(events, Scope):
        return Scope(events.when, [*events.holds, condition], events.lasts, events.limits)
    return Scope(events, [condition])


def harder_test(c: Context, who: Select, n: Amount, condition: Condition, how: Anything) -> If:
    """A test, harder for some."""
    return If(condition, (ShockTest(how, whole(who), n, -1),), (ShockTest(how, whole(who)),))


def both_give(c: Context, gains: Anything) -> Anything:
    """The bearer, and the unit it leads."""
    return (*give(c, ME, gains), *give(c, Select("unit", ref="led"), gains))


def keeping_control(c: Context, effects: Anything) -> Anything:
    """ "instead of changing it to 0": being battle-shocked changes nothing else."""
    found = row(effects)
    return (*found, IgnoreMods(("OC",), "bad", found[0].who))


def picked_or_those(c: Context) -> Attacks:
    if any(mention.select.what == "weapon" for mention in c.mentions):
        return picked_weapon(c)
    if c.weapons is None and c.attack is not None:
        if c.block.lasts != INSTANT:
            raise Reject("a weapon changed for longer at each attack")
        return those_attacks(c)
    return those_weapons(c)


def move_or(c: Context, kind: Anything, who: Select, n: Amount, m: Amount, condition: Condition) -> If:
    """So far, or so far for some."""
    return If(condition, (Move(kind, m, whole(who)),), (Move(kind, n, whole(who)),))


def more_instead(c: Context, stats: tuple[Stat, ...], n: Amount) -> Wrapped:
    """ "add 3 to the Attacks characteristic instead": of what the last change of it was about."""
    for items, at, block in reversed(c.history):
        old = items[at]
        if isinstance(old, StatMod) and old.stats == stats and old.op == "add":
            extra = value(c, n) - value(c, old.amount)
            if extra <= 0:
                break
            c.use(block)
            return Wrapped((replace(old, amount=Amount(Dice(0, 6, extra))),), block.when)
    raise Reject("'instead' of what?")


# ------------------------------------------------------------------------------------- moves, places, objectives


def not_cumulative(c: Context, effects: Anything) -> Anything:
    """ "this is not cumulative with any other negative modifiers"."""
    found = row(effects)
    if not all(isinstance(effect, RollMod) for effect in found):
        raise Reject("what is not cumulative?")
    return tuple(replace(effect, cumulative=False) for effect in found)


def shoot_only(c: Context, who: Select, at: Select) -> Act:
    return Act("shoot", whole(who), at, ("only at that target", "if eligible"))


def objective_thing(c: Context, count: Count | None, condition: Condition | None) -> Select:
    """ "one objective marker you control"."""
    return c.mention(Select("objective", where=condition, count=count or Count()))


def in_range_of(c: Context, who: Select) -> Within:
    """An objective marker that ``who`` is within range of."""
    return Within(Amount(Dice(0, 6, 3)), whole(who))


def controlled_and(c: Context, condition: Condition) -> Condition:
    return every_of(c, OnObjective("own"), condition)


def away(c: Context, d: Amount) -> str:
    return f"more than {d.n} from enemies"


def setup(c: Context, who: Select, places: Anything) -> Setup:
    """Set up there: in words, and where conditions hold."""
    words = tuple(place for place in row(places) if isinstance(place, str))
    where = tuple(place for place in row(places) if not isinstance(place, str))
    return Setup(whole(who), words, where=where)


def except_some(c: Context, k: Keyword, x: Condition, other: Keyword) -> Condition:
    """ "KW (excluding those) or OTHER"."""
    return any_of(c, every_of(c, k, negate(c, x)), other)


def thing_where(c: Context, count: Count | None, adjectives: Anything, condition: Condition, mods: Anything) -> Select:
    return thing(c, "unit", count, (*row(adjectives), Trait(holds=condition)), None, mods)


def use_named(c: Context, who: Select, words: tuple[Token, ...]) -> None:
    """A named act that is a choice: "can make a … move", "can use its … ability"; "if it does" follows."""
    effect = Order("use", phrase(words).lower(), whole(who))
    c.put(effect)
    c.act, c.act_block = effect, c.block


def this_keyword(c: Context, k: Keyword) -> Select:
    """ "this TRANSPORT": the model whose rule this is."""
    return ME


def those_any(c: Context, k: Keyword) -> Select:
    """ "that VEHICLE": a unit or a model that was named."""
    try:
        return c.that("unit", None, k)
    except Reject:
        return c.that("model", None, k)


def mention_bearer(c: Context) -> None:
    """ "One unit with this ability": the bearer may be spoken of."""
    for who in (UNIT, ME):
        c.mentions.append(Mention(who, who, c.block))
    c.it, c.it_block = ME, c.block


def rolls_to(c: Context, who: Select, rolls: tuple[Roll, ...], token: Token) -> tuple[RollSet, ...]:
    n = Amount(Dice.parse(token.raw))
    return tuple(RollSet(roll, "value", n, who=whole(who)) for roll in rolls)


def shoot_or_fight(c: Context, who: Select) -> Choose:
    return Choose((Option((Act("shoot", whole(who)),)), Option((Act("fight", whole(who)),))))


def more_too(c: Context, stats: tuple[Stat, ...], n: Amount) -> Wrapped:
    """ "add 1 to the Damage characteristic as well": of the attacks the last change was about."""
    for items, at, block in reversed(c.history):
        if isinstance(items[at], StatMod) and items[at].on == "attack":  # type: ignore[union-attr]
            c.use(block)
            return Wrapped((StatMod(stats, "add", n, "attack"),), block.when)
    raise Reject("as well as what?")


def mortal_or(c: Context, who: Select, n: Amount, m: Amount, condition: Condition) -> If:
    """So many mortal wounds, or so many for some."""
    return If(condition, (Mortal(m, whole(who)),), (Mortal(n, whole(who)),))


def aim_both(c: Context, first: Select, second: Select) -> Select:
    """A stratagem with two targets: "your unit", and another."""
    other = Select("unit", ref="bound", name="your other unit")
    c.also_target = replace(second, bind="your other unit")
    c.refers(second, other)
    return first


def aim_either(c: Context, first: Select, second: Select) -> Select:
    c.or_target = replace(second, bind="your unit")
    for mention in c.mentions:
        if mention.select is second:
            mention.refer = YOUR
    return first


def your_keyword(c: Context, k: Keyword) -> Select:
    """ "your INFANTRY unit": the one of two targets that fits."""
    if c.also_target is not None and echoes(c.also_target, k) and not (c.target and echoes(c.target, k)):
        return Select("unit", ref="bound", name="your other unit")
    if c.target is not None and not echoes(c.target, k) and not any(echoes(m.select, k) for m in c.mentions):
        return Select(
            "unit", where=HasState(k.any_of[0][0].lower())
        )  # "your Prey": a mark, not a keyword of the target
    return your(c)


def none_there(c: Context, who: Select) -> Condition:
    """There is no such thing."""
    if who.where is None:
        raise Reject("no such thing anywhere")
    return Not(About(replace(who, where=None), who.where))


def at_least_stat(c: Context, effects: Anything, n: Amount) -> Anything:
    return tuple(replace(effect, minimum=value(c, n)) for effect in row(effects))


def add_or(
    c: Context, stats: tuple[Stat, ...], n: Amount, m: Amount, attacks: Attacks, condition: Condition
) -> Anything:
    """Add so much, or so much where that holds."""
    more = If(condition, (StatMod(stats, "add", m, "attack"),), (StatMod(stats, "add", n, "attack"),))
    return get(c, attacks, more)


def of_those(c: Context, side: str | None = None, k: Keyword | None = None) -> Select:
    """ "one or more of those units": of several that were named together."""
    for mention in reversed(c.mentions):
        if mention.select.what == "unit" and mention.refer is None and mention.select.count.kind == "any":
            if side is None or mention.select.side in (None, side):
                mention.refer = c.name(mention.select)
                c.use(mention.block)
                return mention.refer
        elif mention.refer is not None:
            break
    return c.that("unit", side, k)


def replace_where(c: Context, who: Select, condition: Condition) -> Select:
    """The target, if that holds of it."""
    found = replace(who, where=conj([who.where, condition]))
    for mention in c.mentions:
        if mention.select is who:
            mention.select = found
    return found


def use_pool(c: Context, name: str, n: Amount) -> None:
    """ "You can spend a point": a choice; "if you do" follows."""
    effect = may(c, Pool(name, "spend", n))
    c.put(effect)
    c.act, c.act_block = effect, c.block


def section(c: Context, words: tuple[Token, ...]) -> Order:
    """One of the abilities that stand elsewhere under this name."""
    c.section = phrase(words).lower()
    return Order("use", c.section)


def has_section(c: Context, who: Select) -> Grant:
    if not c.section:
        raise Reject("which ability?")
    return Grant("ability", c.section, who=whole(who))


def guarded(c: Context, who: Select, token: Token, stats: tuple[Stat, ...], kind: Anything) -> Wrapped:
    """A characteristic that is better against such attacks."""
    n = Amount(Dice.parse(token.raw.lstrip("+-")))
    op: Anything = "worsen" if token.raw.startswith("-") else "improve"
    return Wrapped(stat_mod(c, stats, op, n, who), PerAttack("target", None, whole(who), kind))


def revived_with(c: Context, who: Select, n: Amount) -> None:
    """ "This model has 3 wounds remaining", after it was set up again."""
    for items, at, block in reversed(c.history):
        old = items[at]
        if isinstance(old, Revive) and old.who == whole(who):
            c.use(block)
            c.swap(items, at, replace(old, wounds=n))
            c.pieces += 1
            return
    raise Reject("who was set up again?")


def target_away(c: Context, d: Amount) -> None:
    """A stratagem's targets are that far from the enemy."""
    if c.target is None:
        raise Reject("nothing is targeted")
    far_off = Not(Within(d, Select("unit", side="enemy", count=Count("any"))))
    c.target = replace(c.target, where=conj([c.target.where, far_off]))
    c.pieces += 1


def embarked(c: Context, within: Select) -> Condition:
    """Embarked within that one, or within any transport."""
    plain = within.ref is None and within.where in (None, Keyword((("TRANSPORT",),)))
    return Located("embarked") if plain and within.side is None else Embarked(whole(within))


def of_your_units(c: Context) -> Select:
    """A stratagem's targets, any of them."""
    if c.also_target is None and (c.target is None or c.target.count.kind != "up_to"):
        raise Reject("there is one target")
    if c.also_target is None:
        return YOUR
    return Select("unit", where=Any((Same(YOUR), Same(Select("unit", ref="bound", name="your other unit")))))


def pick_among(c: Context, what: Anything, k: Keyword | None) -> Pick:
    """One of those that were named together."""
    group = of_those(c, None, k) if what == "unit" else c.that(what, None, k)
    return Pick(c.mention(Select(what, where=Same(group), count=Count("one"))))
