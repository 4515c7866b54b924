"""What wargear, upgrades and abilities of units say: what a test came to, what follows a stratagem or a move."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import (
    About,
    Amount,
    Build,
    Choose,
    Compare,
    Condition,
    Count,
    Cp,
    Duration,
    Embarked,
    Event,
    Grant,
    HasState,
    Keyword,
    Limit,
    Models,
    MoreDice,
    Mortal,
    Moved,
    Not,
    Option,
    Order,
    Outcome,
    PerAttack,
    Permit,
    Pick,
    Remove,
    RollMod,
    RollSet,
    Same,
    Select,
    SetState,
    ShockTest,
    StatMod,
    Stratagem,
    StratagemIs,
    Was,
)
from battlewright.rulestext.blocks import STATIC, Block, conj
from battlewright.rulestext.builders.conditions import moved, negate_all
from battlewright.rulestext.builders.datasheets import targets_with
from battlewright.rulestext.builders.liberties import dice_for
from battlewright.rulestext.builders.numbers import value
from battlewright.rulestext.builders.phrases import (
    any_of,
    every_of,
    keyword,
    known,
    last_effect,
    number,
    plain,
    row,
    those,
    whole,
)
from battlewright.rulestext.builders.picks import pick
from battlewright.rulestext.builders.pools import use_pool
from battlewright.rulestext.builders.rolls import shock_mod
from battlewright.rulestext.builders.scopes import may, rule_limit
from battlewright.rulestext.builders.sentences import (
    Instead,
    Scope,
    Wrapped,
    event,
    put,
    replace_wrapped,
    row_of,
    scaled_effect,
    when,
)
from battlewright.rulestext.builders.stratagems import require
from battlewright.rulestext.builders.tails import use_ability_by
from battlewright.rulestext.builders.things import of_those
from battlewright.rulestext.context import ME, Context, Poison, Reject
from battlewright.rulestext.parse import Tree
from battlewright.rulestext.tokens import Token

TESTS = ("battle_shock", "leadership", "desperate_escape", "hazard")

# ------------------------------------------------------------------------------------------------- tests and rolls


def result_was(c: Context, low: int | None, high: int | None) -> Condition:
    """ "If the result of that test was 7+": what was rolled for the test just spoken of."""
    if not any(_is_test(block.when) for block in c.block.chain()) and not _test_before(c):
        raise Reject("the result of which test?")
    if low is not None and low == high:
        return Compare("roll", "=", str(low))
    bounds = [
        None if low is None else Compare("roll", ">=", str(low)),
        None if high is None else Compare("roll", "<=", str(high)),
    ]
    found = conj(bounds)
    assert found is not None
    return found


def _is_test(trigger: Anything) -> bool:
    named = isinstance(trigger, Event) and trigger.name in ("test_taken", "test_passed", "test_failed", "roll_made")
    return named or (isinstance(trigger, Event) and trigger.name == "ability_used")


def _test_before(c: Context) -> bool:
    return c.test_block is not None


def test_instead(c: Context, n: Amount, sign: int) -> Anything:
    """ "Subtract 2 from that test instead": of a test from which less is subtracted, or of each kind of test that was
    changed before.
    """
    last = last_effect(c)
    if isinstance(last, ShockTest) and last.mod is not None and last.sign == sign:
        return shock_mod(c, n, sign)
    found: list[RollMod] = []
    for items, at, _ in reversed(c.history):
        old = items[at]
        if not isinstance(old, RollMod) or old.roll not in TESTS or old.sign != sign:
            break
        found.insert(0, replace(old, amount=n))
    if not found:
        raise Reject("'instead' of what?")
    return Instead(tuple(found))


def its_test_minus(c: Context, n: Amount) -> Anything:
    """ "It must subtract 1 from its test": of the test just said to be taken, by the same."""
    last = last_effect(c)
    if not isinstance(last, ShockTest) or c.it is None or last.who != whole(c.it):
        raise Reject("whose test?")
    return shock_mod(c, n, -1)


# ---------------------------------------------------------------------------------------------------- afterwards


def after_move(c: Context, kinds: tuple[str, ...]) -> Scope:
    """ "After it ends that move": of the one who was just selected to make it."""
    for block in c.block.chain():
        begun = block.when
        if isinstance(begun, Event) and begun.name in ("selected_to_move", "move_started") and begun.kinds == kinds:
            subject = begun.subject
            if subject is not None and subject.ref is None:
                subject = Select(subject.what, ref="subject")
            return Scope(Event("move_ended", subject, None, kinds, "after"))
    raise Reject("which move?")


def after_stratagem(c: Context) -> Scope:
    """ "After resolving that stratagem": of the one spoken of, on the unit it was used on."""
    for items, at, _ in reversed(c.history):
        old = items[at]
        if isinstance(old, Stratagem) and old.which is not None and old.which.names and old.who is not None:
            return Scope(Event("stratagem_targeted", old.who, None, old.which.names, "after"))
    raise Reject("which stratagem?")


# ------------------------------------------------------------------------------------------------ which transport


def disembarked_from(c: Context, transport: Keyword | Select, since: Anything = None) -> Condition:
    """Disembarked from such a transport: none embarks and disembarks in one turn, so it began the turn in it."""
    if isinstance(transport, Select) and transport.ref is None:
        raise Reject("from which transport?")
    at: Anything = "phase_start" if since == "phase" else "turn_start"
    within = Embarked(whole(transport) if isinstance(transport, Select) else Select("unit", where=transport))
    found = conj([Moved("disembark", since or "turn"), Was(within, at)])
    assert found is not None
    return Moved("disembark", since or "turn") if _any_transport(transport) else found


def _any_transport(transport: Keyword | Select) -> bool:
    return transport == Keyword((("TRANSPORT",),))


def permits_from(c: Context, who: Select, acts: tuple[str, ...], k: Keyword) -> tuple[Permit, ...]:
    """They may act though they disembarked, if it was from such a transport."""
    limits = None if _any_transport(k) else Was(Embarked(Select("unit", where=k)), "turn_start")
    return tuple(Permit(act, ("disembark",), whole(who), limits) for act in acts)


# ---------------------------------------------------------------------------------------------- who is in the army


def in_army(c: Context, who: Select) -> Scope:
    """ "If this model is in your army": its rules are only there where it is; it is the next "it"."""
    if who.ref in ("self", "unit"):
        c.it, c.it_block = known(c, who), c.block
        return Scope()
    if who.where is None or who.side == "enemy" or who.count.n is not None:
        raise Reject("what is in the army?")
    return Scope(holds=[About(Select("army", ref="you"), Models(1, None, who.where))])


def member_of(c: Context, unit: Select, words: tuple[Token, ...]) -> Select:
    """ "This unit's Old Marksman": a model of it, by its name."""
    if unit.what == "model":
        raise Reject("a model of a model")
    return Select("model", where=keyword(c, words), of=unit)


def who_do_so(c: Context) -> Select:
    """ "Units that do so": those that disembark as was just said they may."""
    last = last_effect(c)
    if not isinstance(last, Permit) or last.act != "disembark" or last.who is None or c.block.when != STATIC:
        raise Reject("who does what?")
    within = last.who.where.within if isinstance(last.who.where, Embarked) else None
    if within is None:
        raise Reject("disembark from what?")
    c.block.when = Event("disembarked", Select("unit"), within)
    c.block.holds.append(About(within, moved(c, last.despite, None)))
    who = Select("unit", ref="subject")
    c.it, c.it_block = who, c.block
    return who


def include_for_each(c: Context, each: Select, units: Select) -> Build:
    """For each of these in the army, so many of those."""
    if each.where is None:
        raise Reject("for each of what?")
    n = value(c, units.count.n) if units.count.n is not None else 1
    return Build("include", replace(units, count=type(units.count)()), each.where, n, ("for each", "not counted"))


# ---------------------------------------------------------------------------------------------- how many of what


def tokens_of(c: Context, name: str, owner: Select) -> Select:
    """Each token of this name that one has."""
    return Select("marker", name=name, of=whole(owner))


def spent(c: Context) -> Amount:
    """ "For each point spent this way": where they were spent."""
    if c.act is not None:
        c.use(c.act_block)
    return Amount(ref="spent")


def by_tally(
    c: Context, effects: Anything, tally: Select | Amount, most: Amount | None = None, every: Amount | None = None
) -> Anything:
    """An effect so many times: once for each token, for each point spent, for every so many of them."""
    if isinstance(tally, Select):
        return scaled_effect(c, effects, tally, every, most)
    return tuple(_times(c, effect, tally, most, 1 if every is None else value(c, every)) for effect in row(effects))


def _times(c: Context, effect: Anything, tally: Amount, most: Amount | None, every: int) -> Anything:
    if isinstance(effect, Wrapped):
        return replace_wrapped(effect, tuple(_times(c, inner, tally, most, every) for inner in effect.effects))
    amount = getattr(effect, "amount", None)
    if not isinstance(amount, Amount) or amount.per is not None or amount.ref is not None:
        raise Reject("no amount to scale")
    ceiling = None if most is None else value(c, most)
    return replace(effect, amount=replace(amount, ref=tally.ref, every=every, maximum=ceiling))


def use_pool_when(c: Context, name: str, n: Amount, events: Anything) -> None:
    """ "You can spend a point when this unit shoots": a choice at that time; "if you do" follows."""
    scope = when(c, events)
    block = c.open()
    block.when, block.holds = scope.when, list(scope.holds)
    with c.inside(block):
        use_pool(c, name, n)


def use_for_each(c: Context, who: Select, tally: Select | Amount) -> None:
    """ "It can use this ability once for each token it has"."""
    if not isinstance(tally, Select):
        raise Reject("once for each of what?")
    use_ability_by(c, who)
    assert isinstance(c.act, Block)
    c.act.limits.append(Limit("battle", of=tally))


# ------------------------------------------------------------------------------------------------ doubles, more dice


def on_doubles(c: Context, which: Anything) -> Scope:
    """ "If a double is rolled": of the dice just rolled, else of the roll or test the clause is about."""
    if c.gate is not None:
        scope = row_of(c, None, None)
        return Scope(holds=[Outcome(which)], into=scope.into)
    if any(isinstance(b.when, Event) and b.when.name in ("roll_made", "test_taken") for b in c.block.chain()):
        return Scope(holds=[Outcome(which)])
    if c.test_block is not None:
        return Scope(holds=[Outcome(which)], into=c.test_block)
    raise Reject("a double of which dice?")


def dice_for_that(c: Context, who: Select, dice: int, discard: Anything) -> tuple[MoreDice, ...]:
    """ "It takes that test on 3D6"."""
    for block in c.block.chain():
        if isinstance(block.when, Event) and block.when.name in ("roll_made", "test_taken"):
            kinds: Anything = block.when.kinds
            return dice_for(c, kinds, who, discard, dice)
    last = last_effect(c)
    if isinstance(last, ShockTest) and last.how in ("test", "leadership"):
        return dice_for(c, ("battle_shock" if last.how == "test" else "leadership",), who, discard, dice)
    raise Reject("which test?")


def dice_of_that(c: Context, dice: int, discard: Anything) -> tuple[MoreDice, ...]:
    """ "That test is taken on 3D6": of who takes it, where the rule speaks of that moment."""
    for block in (*c.block.chain(), *c.base.chain()):
        taken = block.when
        if isinstance(taken, Event) and taken.name in ("roll_made", "test_taken") and taken.subject is not None:
            who = taken.subject if taken.subject.ref is not None else Select(taken.subject.what, ref="subject")
            kinds: Anything = taken.kinds
            return dice_for(c, kinds, who, discard, dice)
    last = last_effect(c)
    if not isinstance(last, ShockTest) or last.who is None:
        raise Reject("which test?")
    return dice_for_that(c, last.who, dice, discard)


# ------------------------------------------------------------------------------------------ what another ability selected


def selected_by(c: Context, k: Keyword) -> Select:
    """ "The selected VEHICLE": one picked here, or by the ability whose use this rule is about."""
    try:
        return those(c, "model", kw=k)
    except Reject:
        pass
    try:
        return those(c, "unit", kw=k)
    except Reject:
        pass
    for block in c.block.chain():
        used = block.when
        if isinstance(used, Event) and used.name == "ability_used" and used.kinds:
            return Select("model", where=conj([k, HasState(f"selected for {used.kinds[0]}")]))
    raise Reject("selected by what?")


def target_for(c: Context, who: Select, weapon: str, target: Select) -> Scope:
    """Such a target is selected for one weapon."""
    c.drop(target)
    chosen = targets_with(c, who, weapon, "when")
    if target.where is None:
        return Scope(chosen)
    return Scope(chosen, [About(Select("unit", ref="target"), target.where)])


def ranges(c: Context, names: tuple[str, ...], who: Select, more: Amount) -> tuple[Order, ...]:
    """Several abilities that reach further; the last two names stand in one where "and" joins them."""
    *first, last = names
    return tuple(Order("range", name, whole(who), more) for name in (*first, *last.rsplit(" and ", 1)))


def mark_charged(c: Context, marked: Tree, charger: Tree) -> Event:
    """ "You select your quarry as a target of that unit's charge": who charges was named before."""
    who = c.build(charger)
    attacks = c.attack.when if c.attack is not None else None
    if who.ref == "target" and isinstance(attacks, PerAttack) and attacks.attacker is not None:
        who = attacks.attacker.of or attacks.attacker  # nobody charges itself: who attacks the mark charges it
    return event(c, "charge_declared", whole(who), c.build(marked))


def uncounted_order(c: Context, who: Select) -> Permit:
    """ "This is not counted towards the number of orders it can issue": of the order just spoken of."""
    items, at, block = c.history[-1] if c.history else ([], 0, c.block)
    if not items or not isinstance(items[at], Order):
        raise Reject("which order?")
    c.use(block)
    return Permit("issue orders", ("orders already issued",), whole(who))


def choose_keyword(c: Context, who: Select, k: Keyword, duration: Duration | None) -> Anything:
    """One of these keywords, for so long."""
    if len(k.any_of) < 2:
        raise Reject("nothing to choose from")
    chosen = Choose(tuple(Option((Grant("keyword", keywords=group, who=whole(who)),)) for group in k.any_of))
    return chosen if duration is None else Wrapped((chosen,), lasts=duration)


def keyword_for_army(c: Context, k: Keyword, duration: Duration | None) -> Anything:
    """One of these keywords is chosen, and nobody gains it: the rule speaks of those who have it."""
    if len(k.any_of) < 2 or not c.army_rule:
        raise Reject("a keyword for whom?")
    c.keywords = k
    chosen = Choose(tuple(Option((SetState(_chosen(group), Select("army", ref="you")),)) for group in k.any_of))
    return chosen if duration is None else Wrapped((chosen,), lasts=duration)


def _chosen(group: tuple[str, ...]) -> str:
    return f"chosen keyword: {' '.join(group).lower()}"


def has_chosen_keyword(c: Context) -> Condition:
    """It has the keyword that was chosen for the army."""
    if c.keywords is None:
        raise Reject("which keyword?")
    army = Select("army", ref="you")
    return any_of(
        c, *(every_of(c, Keyword((group,)), About(army, HasState(_chosen(group)))) for group in c.keywords.any_of)
    )


# ------------------------------------------------------------------------------------------------ who was already selected


def targeted_with(c: Context, names: tuple[str, ...]) -> Condition:
    """One of these stratagems was used on it before."""
    return any_of(c, *(HasState(f"targeted with {name}") for name in names))


def never_after(c: Context, names: tuple[str, ...]) -> None:
    """A stratagem's target may not have been the target of one of these."""
    if c.target is None:
        raise Reject("nothing is targeted")
    require(c, Not(targeted_with(c, names)))
    c.pieces += 1


# --------------------------------------------------------------------------------------------------- picks and choices


def among(c: Context, what: Anything, k: Keyword | None, side: Anything = None) -> Select:
    """One of those that were named together."""
    group = of_those(c, side, k) if what == "unit" else c.that(what, None, k)
    return c.mention(Select(what, side=side, where=Same(group), count=Count("one")))


def two_picks(c: Context, n: Tree | Select, m: Tree | Select, y: Tree | None = None) -> Pick:
    """ "Select one of those models and one enemy unit near it"."""
    first: Select = c.build(n)
    if first.ref is not None and first is not c.among:
        raise Reject("already picked")
    put(c, pick(c, first, y is not None))
    second: Select = c.build(m)
    if second.ref is not None:
        raise Reject("already picked")
    return pick(c, second, y is not None)


def replace_count(c: Context, who: Select, count: Count) -> Select:
    """The same things, so many of them."""
    found = replace(who, count=count)
    for mention in c.mentions:
        if mention.select is who:
            mention.select = found
    return found


def as_many(c: Context, n: Amount, ref: str) -> Amount:
    """So many times what is called that."""
    return replace(n, ref=ref)


def other_ability(c: Context, gained: Anything, lost: Anything) -> tuple[Anything, ...]:
    """ "[A] instead of [B]": the one is lost, then the other gained."""
    return (*(Remove("weapon_ability", grant.name) for grant in lost), *gained)


def no_demise(c: Context) -> Scope:
    """ "Instead of rolling for its Deadly Demise, …": that is not rolled."""
    put(c, RollSet("deadly_demise", "no_roll", who=ME))
    return Scope()


# ------------------------------------------------------------------------------------------------ wordings of one's own


def no_effect(c: Context) -> None:
    """ "While the bearer is battle-shocked, this has no effect": all said before holds only where that does not."""
    against = [condition for block in c.block.chain() if block is not c.base for condition in block.holds]
    if len(against) != 1 or any(block.when != STATIC for block in c.block.chain() if block is not c.base):
        raise Reject("no effect when?")
    without = negate_all(c, against[0])
    found = [item for item in c.base.do if item not in c.block.chain()]
    if not found:
        raise Reject("what has no effect?")
    for item in found:
        if isinstance(item, Block):
            c.add(item.holds, without)
        else:
            c.swap(c.base.do, c.base.do.index(item), Block(c.base, holds=[without], do=[item]))
    c.pieces += 1


def gains_at_most(c: Context, n: Token, span: Anything) -> None:
    """No more command points a round than one use of this gives."""
    last = last_effect(c)
    if not isinstance(last, Cp) or last.amount.n.constant != plain(c, n):
        raise Reject("how often?")
    rule_limit(c, Limit(span, 1))


def borrowed(c: Context, who: Select, whose: Select, stats: Anything) -> StatMod:
    """ "They can use this model's Leadership": a characteristic becomes another's."""
    name = {"self": "this model", "unit": "this unit", "led": "led"}.get(whose.ref or "")
    if name is None or len(stats) != 1:
        raise Reject("whose characteristic?")
    return StatMod(stats, "set", Amount(ref=f"{name}.{stats[0]}"), who=whole(who))


def again_on(c: Context, who: Select) -> Stratagem:
    """ "You can use that Stratagem on it even if …": the one whose use the clause before was about."""
    for item in reversed(c.base.do):
        if isinstance(item, Block) and isinstance(item.when, Event) and item.when.name == "stratagem_targeted":
            return Stratagem("again", which=StratagemIs(item.when.kinds), who=whole(who))
    raise Reject("which stratagem?")


def rolled_result(c: Context) -> Amount:
    """The result of the dice just rolled."""
    if c.gate is None:
        raise Reject("the result of what?")
    return Amount(ref="roll")


def suffer_to(c: Context, who: Select, n: Amount) -> None:
    """ "It can suffer 1 mortal wound. If it does, …"."""
    effect = may(c, Mortal(n, whole(who)))
    c.put(effect)
    c.act, c.act_block = effect, c.block


def test_passes(c: Context) -> ShockTest:
    """ "That test is passed instead": of the one that was failed."""
    for block in (*c.block.chain(), *(c.act_block.chain() if c.act_block is not None else ())):
        taken = block.when
        if isinstance(taken, Event) and taken.name in ("test_failed", "test_taken"):
            who = taken.subject
            if who is not None and who.ref is None:
                who = Select(who.what, ref="subject")
            return ShockTest("pass", who)
    raise Reject("which test?")


def spend_cp(c: Context, n: Token, events: Anything = None) -> None:
    """ "You can spend 1CP when it is selected to shoot; if you do, …"."""
    block = c.block
    if events is not None:
        scope = when(c, events)
        block = c.open()
        block.when, block.holds = scope.when, list(scope.holds)
    with c.inside(block):
        effect = may(c, Cp(number(c, n), -1))
        c.put(effect)
        c.act, c.act_block = effect, c.block


def picked_clear(c: Context, who: Select) -> ShockTest:
    """Someone is picked, who is no longer battle-shocked."""
    put(c, pick(c, who, True))
    return ShockTest("clear", c.it)


def charged(c: Context, target: Select) -> Event:
    """It is the target of a charge: "the charging unit" is known, and "it" is the target."""
    found = event(c, "charge_declared", c.mention(Select("unit", side="enemy")), target)
    c.it, c.it_block = known(c, target), c.block
    return found


def such(c: Context, what: str) -> Select:
    """ "Such a unit": one of that kind, not the one that was the target or the subject before; else the one named."""
    for mention in reversed(c.mentions):
        if isinstance(mention, Poison):
            raise Reject("may mean something unread")
        if mention.select.what != what:
            continue
        passing = mention.refer is not None and mention.refer.ref in ("target", "attacker", "subject")
        all_of_them = mention.refer is None and mention.select.count == Count()
        if (passing or all_of_them) and mention.select.ref is None and mention.select.where is not None:
            return c.mention(replace(mention.select, count=Count(), bind=None))
        break
    if what == "unit" and not any(mention.select.what == what for mention in c.mentions):
        model = next((one.select for one in c.mentions[::-1] if _of_ours(one.select)), None)
        if model is not None:
            return c.mention(Select("unit", side=model.side, where=model.where))
    return those(c, what)


def _of_ours(select: Select) -> bool:
    """Models of the army by their keywords alone: "such a unit" is one of theirs."""
    return (select.what, select.side, select.of, select.ref) == ("model", "friendly", None, None) and isinstance(
        select.where, Keyword
    )
