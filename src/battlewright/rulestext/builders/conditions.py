"""Conditions: what holds of someone, of an attack, of an army."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Amount,
    Any,
    AttackIs,
    Compare,
    Condition,
    Count,
    Destroyed,
    Embarked,
    Engaged,
    Event,
    HasDestroyed,
    HitBy,
    Keyword,
    Leading,
    Located,
    Models,
    Moved,
    Not,
    OnObjective,
    PerAttack,
    Pick,
    Same,
    Select,
    Stat,
    Targets,
    Within,
)
from battlewright.rulestext.blocks import Block, conj
from battlewright.rulestext.builders.numbers import value
from battlewright.rulestext.builders.phrases import (
    Trait,
    about,
    any_of,
    every_of,
    negate,
    row,
    shooter,
    whole,
)
from battlewright.rulestext.builders.sentences import Scope
from battlewright.rulestext.builders.things import replace_select
from battlewright.rulestext.context import ME, UNIT, Context, Mention, Reject


def traits_hold(c: Context, traits: tuple[Trait, ...]) -> Condition:
    """What the adjectives say, as a condition."""
    if any(trait.side or trait.other or trait.of for trait in traits):
        raise Reject("a side where a condition is meant")
    return every_of(c, *(trait.holds for trait in traits if trait.holds is not None))


def negate_all(c: Context, condition: Condition) -> Condition:
    """Not so: of several that is not all of them."""
    if isinstance(condition, About):
        return About(condition.who, negate(c, condition.holds), condition.every)
    return negate(c, condition)


def in_a_row(c: Context, first: Condition, rest: Condition) -> Condition:
    """ "A, B or C" is one of them, "A, B and C" all."""
    return any_of(c, first, rest) if _ends_with_or(rest) else every_of(c, first, rest)


def _ends_with_or(rest: Condition) -> bool:
    return isinstance(rest, Any) or (isinstance(rest, Keyword) and len(rest.any_of) > 1)


def none_in_a_row(c: Context, first: Condition, rest: Condition) -> Condition:
    """ "Not A, B or C" is none of them."""
    if isinstance(rest, Any):
        return every_of(c, *(negate(c, part) for part in (first, *rest.of)))
    if _ends_with_or(rest):
        return every_of(c, negate(c, first), negate(c, rest))
    return every_of(c, negate_all(c, first), rest)


def engaged_by(c: Context, by: Select) -> Engaged:
    """Within engagement range of these; of any enemy unit is the same as engaged."""
    bare = Select(by.what, side=by.side, where=by.where, of=by.of)
    if by.ref is None and by.count.n is None and bare in (Select("unit", side="enemy"), Select("model", side="enemy")):
        c.drop(by)  # of any: nothing says which
        return Engaged()
    return Engaged(whole(by))


def objective(c: Context, control: str | None, where: str | None) -> Condition:
    """Within range of such an objective."""
    return OnObjective(control or "any", where or "any")  # type: ignore[arg-type]


def controlling(c: Context, who: Select, where: Condition) -> Condition:
    """Within range of such an objective that is held by the side ``who`` is on."""
    ours = who.side == "friendly" or who.ref in ("self", "unit", "led") or (who.ref, who.name) == ("bound", "your unit")
    if not isinstance(where, OnObjective) or where.control != "any" or not (ours or who.side == "enemy"):
        raise Reject("who holds it?")
    return replace(where, control="own" if ours else "enemy")


def that_objective(c: Context) -> Condition:
    """Within range of the objective marker that was selected."""
    named = [one for one in c.mentions if one.select.what == "objective" and one.refer is not None]
    if not named and any(isinstance(items[at], Pick) for items, at, _ in c.history):
        raise Reject("which objective?")
    if not named:
        return OnObjective(name="picked")
    c.objective_block = named[-1].block
    assert named[-1].refer is not None
    return OnObjective(name=named[-1].refer.name or "picked")


def at_it(c: Context) -> Condition:
    """Within range of the objective marker that "it" is."""
    if c.it is None or c.it.what != "objective":
        raise Reject("within range of what?")
    if c.it.ref is None and c.it.name is not None:
        return OnObjective(name=c.it.name)
    return that_objective(c)


def selected_objective(c: Context) -> None:
    """ "That objective marker": where it was selected."""
    named = [one for one in c.mentions if one.select.what == "objective" and one.refer is not None]
    if named:
        c.use(named[-1].block)


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
        other = unit is not None and unit.ref in ("bound", "subject", "target")
        c.mentions.append(Mention(Select("unit"), unit if other else led, c.block))
        return Leading(unit if other else None)
    c.refers(unit, led)
    c.mentions[-1].block = c.block
    return Leading(None if replace_select(unit) == Select("unit") else replace_select(unit))


def contains_these(c: Context, models: Select) -> Condition:
    """It holds such models: one or more, so many, or that many at least."""
    number = models.count.n
    if models.ref is not None or (models.where is None and number is None) or models.count.kind == "up_to":
        raise Reject("which models?")
    low = 1 if number is None else value(c, number)
    return Models(low, None, conj([models.where, Not(Same(ME))]) if models.other else models.where)


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


def strength_to(c: Context, op: Anything, of: Select) -> Compare:
    """The attack's Strength against the Toughness of its target, which ``of`` must be."""
    attack = c.scope_of_attack().when
    target = attack.target if isinstance(attack, PerAttack) else None
    own = isinstance(attack, PerAttack) and attack.role == "attacker" and of.ref in ("self", "unit")
    whose = (None, whole(of), of)
    part = target is not None and target.of is not None and target.of in whose  # a model of that very unit
    if of.ref != "target" and ((target not in whose and not part) or (own and target is None)):
        raise Reject("whose Toughness?")
    return Compare("attack.S", op, "target.T")


def of_attack(c: Context, who: Select, condition: Condition) -> Condition:
    """What is said of an attack, or of who makes it: of nobody else."""
    attack = c.attack.when if c.attack is not None else None
    makes = isinstance(attack, PerAttack) and attack.attacker in (who, shooter(whole(who)))
    if who.what != "attack" and not makes and (c.attack is None or who.ref != "attacker"):
        raise Reject("no attack does that")
    return condition


def destroyed_with(c: Context, by: Select, what: Select, kind: Anything, since: Anything) -> Condition:
    """These have destroyed such a thing, with attacks of this kind."""
    return about(c, by, has_slain(c, what, kind, since))


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
    return About(
        Select(who.what, who.ref, who.name, who.side, None, Count("any", n), who.of, None, who.other), who.where
    )


def predicate(c: Context, adjectives: Anything, k: Keyword | None, mods: Anything) -> Condition:
    """ "is an enemy unit within range …": what such a unit would be."""
    traits: tuple[Trait, ...] = (*row(adjectives), *row(mods))
    if any(trait.of or trait.other for trait in traits):
        raise Reject("part of something")
    found = conj([k, *(trait.holds for trait in traits)])
    if found is None:
        raise Reject("any unit")
    return found


def has_slain(c: Context, what: Select, kind: str | None, since: Anything = None) -> HasDestroyed:
    """Has destroyed such a thing, with attacks of that kind where one is said."""
    slain = None if kind is None else HitBy(None, "slain", AttackIs(kind))  # type: ignore[arg-type]
    return HasDestroyed(replace(what, where=conj([what.where, slain])), since or "phase")


def were_slain(c: Context, who: Select, kind: str, since: Anything) -> Condition:
    """Some of these were destroyed by attacks of that kind."""
    slain = HitBy(None, "slain", AttackIs(kind))  # type: ignore[arg-type]
    return about(c, replace(who, where=conj([who.where, slain])), Destroyed(None, since or "now"))


def in_range_of(c: Context, who: Select) -> Within:
    """An objective marker that ``who`` is within range of."""
    return Within(Amount(Dice(0, 6, 3)), whole(who))


def controlled_and(c: Context, condition: Condition) -> Condition:
    return every_of(c, OnObjective("own"), condition)


def none_there(c: Context, who: Select) -> Condition:
    """There is no such thing."""
    if who.where is None:
        raise Reject("no such thing anywhere")
    return Not(About(replace(who, where=None), who.where))


def by_others(c: Context, who: Select) -> Select | None:
    """Whose attacks: of the unit attacking now, those spoken of, which need no name."""
    return None if who.ref == "attacker" else who


def struck_so(c: Context, how: Anything, by: HitBy) -> HitBy:
    """Struck in that way by those attacks."""
    return replace(by, how=how)


def destroyed_so(c: Context) -> Destroyed:
    """Destroyed by the attacks spoken of, which have been made: what is to come is known when it has happened."""
    if _to_come(c) is not None:
        raise Reject("those attacks have yet to be made")
    return Destroyed()


_MADE = ("has_shot", "has_fought", "has_attacked", "destroyed")


def _to_come(c: Context) -> Block | None:
    """The scope of the attacks spoken of, if they are still to be made."""
    places = [place for place in (c.attack, c.block, c.last) if place is not None] if c.attack is not None else []
    blocks = [block for place in places for block in place.chain()]
    return None if any(isinstance(one.when, Event) and one.when.name in _MADE for one in blocks) else c.attack


def if_destroyed(c: Context) -> Scope:
    """ "If enemy models are destroyed as a result of those attacks": known when the attacks have been made."""
    models, attack = Select("model", side="enemy", count=Count("any")), _to_come(c)
    if attack is None:
        return Scope(holds=[About(models, Destroyed())])
    attacker = attack.when.attacker if isinstance(attack.when, PerAttack) else None
    unit = attacker.of if attacker is not None and attacker.of is not None else attacker
    if unit is None or attack.parent is None:
        raise Reject("whose attacks?")
    return Scope(Event("has_attacked", unit, edge="after"), [About(models, Destroyed(unit))], into=attack.parent)


def embarked(c: Context, within: Select) -> Condition:
    """Embarked within that one, or within any transport."""
    if within is c.it and within.ref is None:
        if c.it_before is None or c.it_before.ref is None:
            raise Reject("embarked within itself")
        within = c.it_before
    plain = within.ref is None and within.of is None and within.where in (None, Keyword((("TRANSPORT",),)))
    return Located("embarked") if plain and within.side is None else Embarked(whole(within))


def starts_aboard(c: Context, within: Select) -> Condition:
    """Embarked within that one as the battle begins; who is aboard stays the unit the text speaks of."""
    if (own := next((mention for mention in c.mentions if mention.select is within), None)) is not None:
        c.mentions.remove(own)
        c.mentions.insert(0, own)
    return Embarked(whole(within))


def attacker_near(c: Context, distance: Amount, further: bool = False) -> Condition:
    """How far the attacker is from the target of the attack."""
    c.scope_of_attack()
    near = Within(distance, Select("unit", ref="target"))
    return About(Select("unit", ref="attacker"), Not(near) if further else near)


def tuple_lower(c: Context, stats: tuple[Stat, ...]) -> tuple[str, ...]:
    return tuple(stats)
