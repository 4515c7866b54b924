"""Sentences: adverbs that open scopes, effects that stand in them, and the links between sentences."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any as Anything

from msgspec import Struct
from msgspec.structs import replace

from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Act,
    All,
    Amount,
    AnyOf,
    Build,
    Choose,
    Clause,
    Condition,
    Control,
    Count,
    Cp,
    CritOn,
    DamageTo,
    Destroy,
    Duration,
    Engaged,
    Event,
    Forbid,
    Grant,
    HasAbility,
    Heal,
    HitBy,
    If,
    IgnoreMods,
    Limit,
    Mortal,
    Move,
    MoveRule,
    Outcome,
    PerAttack,
    Permit,
    Pick,
    Pool,
    Remove,
    Reroll,
    ReturnModels,
    RollMod,
    Select,
    SetState,
    Setup,
    ShockTest,
    StatMod,
    Strength,
    Targeting,
    Trigger,
    Unknown,
    Window,
    parts_of,
)
from battlewright.rulestext.blocks import INSTANT, STATIC, Block, Gate, Given, Item, Options, Swap, conj, exchanged
from battlewright.rulestext.builders.phrases import BOTH_TARGETS, YOUR, known, last_effect, negate, row, scaled, whole
from battlewright.rulestext.context import ME, UNIT, Context, Mention, Reject
from battlewright.rulestext.parse import Tree

# -------------------------------------------------------------------------------------------------------- adverbs


@dataclass
class Scope:
    """What an adverb says about the clause it opens."""

    when: Trigger = STATIC
    holds: list[Condition] = field(default_factory=list)
    lasts: Duration = INSTANT
    limits: tuple[Limit, ...] = ()
    may: bool = False
    attack: bool = False
    into: Block | None = None
    name: str = ""
    addition: bool = False  # "in addition": for as long as what was said before
    other_than: Block | None = None  # "otherwise": what would be done if its condition did hold
    unless_named: tuple[tuple[Select, Condition], ...] = ()  # conditions that hold where these are not spoken of


@dataclass(frozen=True)
class Wrapped:
    """Effects that stand in a scope of their own: a trailing duration, "this unit's attacks have …"."""

    effects: tuple[Anything, ...]
    when: Trigger = STATIC
    holds: tuple[Condition, ...] = ()
    lasts: Duration = INSTANT
    limits: tuple[Limit, ...] = ()


@dataclass(frozen=True)
class Instead:
    """Effects that replace the last ones of their kind."""

    effects: tuple[Anything, ...]
    holds: tuple[Condition, ...] = ()


def adverb_first(c: Context, a: Tree, k: Tree) -> None:
    """An adverb and all it encloses; "if it moved this turn, …" says when it moved, not how long what follows lasts."""
    first = k.parts[0] if k.names[:1] == ("a",) else None
    if a.end == k.start and isinstance(first, Tree) and _kinds_of(c, first) == ["thisspan"]:
        raise Reject("a span that belongs to what stands before it")
    attack, here = c.attack, c.block
    block, scope = open_scope(c, a)
    with c.inside(block):
        c.build(k)
    block.holds.extend(condition for select, condition in scope.unless_named if not _named_in(block, select))
    if scope.addition or (isinstance(block.when, PerAttack) and here is c.root and _goes_on(c)):
        _last_as_long(c, block)
    if attack is not None and isinstance(block.when, PerAttack) and c.root in attack.chain():
        c.attack = attack


def _kinds_of(c: Context, tree: Tree) -> list[str]:
    """What its parts are."""
    return [c.grammar.frames[part.frame].kind for part in tree.parts if isinstance(part, Tree)]


def _named_in(block: Block, select: Select) -> bool:
    """Is this spoken of in here? Whom an attack targets is an enemy without being called so."""
    return speaks_of(block, select) or (select.where is not None and speaks_of(block, replace(select, side=None)))


def _goes_on(c: Context) -> bool:
    """Does the sentence speak of what was bound in the scope that the one before it stood in?"""
    return c.parent is not None and c.before is not None and c.parent in c.before.chain()


def _last_as_long(c: Context, block: Block) -> None:
    """What is said "in addition" lasts as long as what was said before it, if it is of the kind that lasts."""
    scopes = c.before.chain() if c.before is not None else []
    before = next((one for one in scopes if one.lasts not in (INSTANT, Duration("done"))), None)
    if before is not None and c.before is not c.base and _is_lasting(block):
        c.use(before)


def _is_lasting(block: Block) -> bool:
    """Does everything in here last, for a time the text does not name?"""
    if block.lasts != INSTANT or block.may is not None:
        return False
    kinds = (RollMod, Reroll, StatMod, Grant, Permit, Forbid, MoveRule, IgnoreMods, CritOn, Remove)
    return all(_is_lasting(item) if isinstance(item, Block) else isinstance(item, kinds) for item in block.do)


def out_of_roll(own: Block, parent: Block, base: Block) -> Block:
    """ "While an enemy unit is near, each time it takes a test, this. In addition, that": what lasts does not wait for the
    test; it is said of those whose test it is.
    """
    rolls = (block for block in parent.chain() if isinstance(block.when, Event) and block.when.name in _ROLLS)
    roll = next(rolls, None)
    if roll is None or roll.parent is None or base not in roll.parent.chain() or roll.may is not None:
        return parent
    if not own.do or not _is_lasting(own) or any(isinstance(one, (Event, Window)) for one in _triggers(own)):
        return parent
    subject = roll.when.subject if isinstance(roll.when, Event) else None
    if subject is not None and subject.ref is None:
        _spoken_as(own, Select(subject.what, ref="subject"), subject)
    return roll.parent


_ROLLS = ("test_taken", "roll_made")


def _triggers(block: Block) -> list[Trigger]:
    return [block.when, *(one for item in block.do if isinstance(item, Block) for one in _triggers(item))]


def _spoken_as(block: Block, old: Select, new: Select) -> None:
    """Everything in here that is said of one is said of another."""
    block.when = exchanged(block.when, old, new)
    block.holds = [exchanged(one, old, new) for one in block.holds]
    for at, item in enumerate(block.do):
        if isinstance(item, Block):
            _spoken_as(item, old, new)
        else:
            block.do[at] = exchanged(item, old, new)


def speaks_of(part: Anything, select: Select) -> bool:
    """Does anything in here speak of this?"""
    if part == select:
        return True
    if isinstance(part, (list, tuple)):
        return any(speaks_of(one, select) for one in part)
    if isinstance(part, Struct):
        return any(speaks_of(getattr(part, name), select) for name in part.__struct_fields__)
    if isinstance(part, (Block, Gate, Options, Swap)):
        return any(speaks_of(value, select) for name, value in vars(part).items() if name != "parent")
    return False


def open_scope(c: Context, a: Tree) -> tuple[Block, Scope]:
    """The scope an adverb opens, and what the adverb says."""
    here, before = c.block, c.parent
    block = Block(here)
    with c.inside(block):
        scope: Scope = c.build(a)
    c.pieces += 1
    if here is c.root and before is None and _each_time_anew(c, scope.when):
        c.parent = None
    joined = _is_edge(scope.when) or (isinstance(scope.when, Event) and scope.when.edge == "when")
    if joined and _is_edge(here.when) and len(here.do) == 1 and here.parent is not None:
        raise Reject("one moment within another")
    if scope.into is c.supposed:  # which is around it already
        scope.into = None
    into, holds = (scope.into, _around_it(c, scope)) if scope.into is not None else _outside_attack(c, scope)
    if into is None:
        here.do.append(block)
    else:
        block.parent = into
        c.add(into.do, block)
    block.when, block.holds, block.lasts = scope.when, [*holds, *scope.holds], scope.lasts
    block.limits, block.name, block.opened = list(scope.limits), scope.name, _first_words(c, a)
    block.may = "you" if scope.may else None
    if isinstance(scope.when, PerAttack) or is_save(scope.when):
        c.attack = block
    elif isinstance(scope.when, Event) and scope.when.name == "targets_selected" and here is c.root:
        c.attack = None
    return block, scope


def _each_time_anew(c: Context, trigger: Trigger) -> bool:
    """ "Each time this model attacks those, this. Each time it attacks others, that": not within each of those attacks."""
    around = c.parent is not None and isinstance(c.parent.when, PerAttack)
    anew = isinstance(trigger, PerAttack) or (isinstance(trigger, Event) and trigger.edge == "when")
    return around and anew and c.it is not None and c.it.ref in ("self", "unit")


def _is_edge(trigger: Trigger) -> bool:
    """Is this the start or the end of something, a moment and no stretch of time?"""
    return isinstance(trigger, Window) and trigger.edge != "during"


def _around_it(c: Context, scope: Scope) -> list[Condition]:
    """What the sentence said before "when doing so" encloses what follows, too; but not the other result of the same
    test or roll: "if it is passed, this; if it is failed, that".
    """
    around: list[Block] = []
    inside = scope.into.chain() if scope.into is not None else []
    rows = [block for _, _, block in c.gate.rows] if c.gate is not None else []
    for block in c.block.chain():
        if block is c.root or block in inside:
            break
        if block is scope.other_than:
            continue
        other_result = _of_a_test(scope.holds) and _of_a_test(block.holds)
        around = [] if other_result or block in rows else [*around, block]
    if any(block.when != STATIC or block.may for block in around):
        raise Reject("doing so, each time?")
    if scope.lasts == INSTANT:
        scope.lasts = next((block.lasts for block in around if block.lasts != INSTANT), INSTANT)
    scope.limits = (*(limit for block in reversed(around) for limit in block.limits), *scope.limits)
    return [condition for block in reversed(around) for condition in block.holds]


def _of_a_test(holds: list[Condition]) -> bool:
    return any(isinstance(condition, Outcome) for condition in holds)


def _outside_attack(c: Context, scope: Scope) -> tuple[Block | None, list[Condition]]:
    """ "Add 1 to the damage of that attack and, until the end of the phase, …": what lasts is not of one attack; where it
    stands, and the conditions it stands under.
    """
    attack = next((one for one in c.parent.chain() if isinstance(one.when, PerAttack)), None) if c.parent else None
    if scope.lasts == INSTANT or attack is None or attack.parent is None or c.base not in attack.parent.chain():
        return None, []
    holds = [condition for one in c.block.chain() for condition in one.holds]
    of_attack = any(isinstance(part, Select) and part.ref in ("target", "attacker") for part in parts_of(tuple(holds)))
    return (None, []) if of_attack else (attack.parent, holds)


def is_save(trigger: Trigger) -> bool:
    """A saving throw is made against an attack: it may be spoken of."""
    saves = isinstance(trigger, Event) and any(kind.endswith("save") for kind in trigger.kinds)
    return saves or (isinstance(trigger, Event) and trigger.name == "attack_allocated")


APART = "apart"


def effects_then(c: Context, e: Tree, k: Tree | None = None, sep: Tree | None = None) -> None:
    """An effect, and what the sentence says after it."""
    before = c.act
    act = c.build(e)
    for effect in row(act):
        put(c, effect)
    if k is None:
        return
    beside = _beside(c, k, sep is not None and c.build(sep) == APART)
    if beside is not None:
        with c.inside(beside):
            c.build(k)
    elif isinstance(c.act, Block) and c.act is not before and not c.act.do:  # "can use this ability: …"
        with c.inside(c.act):
            c.build(k)
    else:
        c.build(k)


def _beside(c: Context, k: Tree, apart: bool) -> Block | None:
    """ "If A, this; if B, that": the second "if" stands beside the first, in this scope; None where nothing does."""
    adverb = k.parts[0] if k.names[:1] == ("a",) else None
    if not isinstance(adverb, Tree):
        return None
    words = _first_words(c, adverb)
    for block in c.block.chain():
        if block is c.root or block is c.base:
            return None
        if words & block.opened and (apart or isinstance(block.when, PerAttack)):
            return block.parent
    return None


def _first_words(c: Context, adverb: Tree) -> frozenset[str]:
    """With what such an adverb begins: "(if|provided) …" with "if" and "provided"."""
    pattern = c.grammar.frames[adverb.frame].pattern
    first = pattern[: pattern.index(")")] if pattern.startswith("(") else pattern.split()[0]
    words = {word.split()[0] for word in first.strip("(?").split("|")}
    return frozenset(words | {"battle round"} if "battle round" in pattern else words)


def put(c: Context, effect: Anything) -> None:
    """Do this here."""
    effect, c.pronoun = _allowed_after(c, _ours_if_it(c, effect)), None
    if isinstance(effect, MoveRule) and Engaged(effect.who) in parts_of(effect.where):
        raise Reject("engaged with itself")
    if isinstance(effect, Wrapped):
        _put_wrapped(c, effect)
    elif isinstance(effect, Instead):
        _put_instead(c, effect)
    elif isinstance(effect, Gate):
        c.gate, c.gate_block = effect, c.block
        c.put(effect)
    elif isinstance(effect, Pick):
        _put_pick(c, effect)
    elif isinstance(effect, Options):
        c.options, c.options_block = effect, c.block
        c.put(effect)
        c.act, c.act_block = effect, c.block
    elif effect is not None:
        if (outside := _not_of_the_attack(c, effect)) is not None:
            with c.inside(outside):
                c.put(effect)
            return
        if isinstance(effect, _AT_ONCE):  # on those at the objective that was picked: when it was
            c.use(c.objective_block)
            _after_what_happened(c)
        c.put(effect)
        if isinstance(effect, ShockTest) or (isinstance(effect, If) and isinstance(effect.then[0], ShockTest)):
            c.test_block = c.block
        if getattr(effect, "may", False) or getattr(effect, "change", "") == "again" or _joins(effect):
            c.act, c.act_block = effect, c.block


def _allowed_after(c: Context, effect: Anything) -> Anything:
    """ "Each time it Falls Back, it can still shoot": in its Shooting phase, in spite of that."""
    if not isinstance(effect, Act) or effect.act not in ("shoot", "charge") or not effect.may or effect.limits:
        return effect
    event = next((block.when for block in c.block.chain() if isinstance(block.when, Event)), None)
    moving = event is not None and event.edge == "when" and event.name in ("selected_to_move", "move_started")
    if event is None or not moving or not event.kinds or not set(event.kinds) <= {"advance", "fall_back"}:
        return effect
    return effect if effect.towards is not None else Permit(effect.act, event.kinds, effect.who)


def _not_of_the_attack(c: Context, effect: Anything) -> Block | None:
    """ "Each time it attacks, subtract 1 from the Hit roll, and this model has a Move of 6 inches": where that stands; None
    for what may be of the attack.
    """
    if not isinstance(effect, StatMod) or effect.on != "model" or not {"M", "OC", "W"}.issuperset(effect.stats):
        return None
    attack = next((one for one in c.block.chain() if isinstance(one.when, PerAttack)), None)
    ours = effect.who is not None and effect.who.ref in ("self", "unit", "led")
    same_sentence = attack is not None and attack.lasts == INSTANT and c.root in attack.chain()
    return attack.parent if attack is not None and ours and same_sentence else None


#: what happens once, and lasts no time
_AT_ONCE = (ShockTest, Mortal, Heal, ReturnModels, Destroy, Control, Cp, Move, Act, SetState)


def _after_what_happened(c: Context) -> None:
    """ "That unit must take a test", a sentence of its own that says no more of when: after what was said before it."""
    said = [block for block in c.block.chain() if c.root in block.chain()]
    always = all((block.when, block.may) == (STATIC, None) for block in said)
    if always and c.root in said and c.parent is None and c.last is not None:
        c.use(_happening(c, c.last))


def _ours_if_it(c: Context, effect: Anything) -> Anything:
    """ "When an enemy unit ends a move near this unit, it can …": a rule lets its own units act, never the enemy's."""
    event = next((block.when for block in c.block.chain() if isinstance(block.when, Event)), None)
    if _acts_though_destroyed(effect, event):
        assert event is not None
        if isinstance(effect, Heal):
            raise Reject("one who is destroyed regains no wounds")
        return replace(effect, who=event.target)
    if not isinstance(effect, (Move, Act, Permit)) or c.pronoun is None or effect.who != whole(c.pronoun):
        return effect
    if effect.who.ref != "subject" or event is None or event.subject is None or event.subject.side != "enemy":
        return effect
    ours = ours_spoken_of(c)
    if ours is None:
        raise Reject("'it' would be an enemy")
    return replace(effect, who=ours)


def _acts_though_destroyed(effect: Anything, event: Event | None) -> bool:
    """ "Each time this unit destroys an enemy unit, that unit can move": not the one destroyed."""
    if not isinstance(effect, (Move, Act, Permit, Heal)) or event is None or event.name != "destroyed":
        return False
    destroyed = effect.who is not None and effect.who.ref == "subject"
    enemy = event.subject is not None and event.subject.side == "enemy"
    return destroyed and enemy and event.target is not None and event.target.ref is not None


def ours_spoken_of(c: Context) -> Select | None:
    """One of our own that the scopes now open speak of, as they began."""
    events = [block.when for block in c.block.chain() if isinstance(block.when, Event)]
    said = parts_of((*events, *(part for block in c.block.chain() for part in block.holds)))
    ours = (part for part in said if isinstance(part, Select) and part in (ME, UNIT, YOUR))
    return next(ours, YOUR if c.target is not None else None)


def _joins(effect: Anything) -> bool:
    """Joining a unit, being set up somewhere, what a permission is about are optional: "if it does" may follow."""
    targets = isinstance(effect, Targeting) and effect.how == "can"
    return targets or isinstance(effect, (Permit, Setup)) or (isinstance(effect, Build) and effect.how == "join")


def _put_wrapped(c: Context, wrapped: Wrapped) -> None:
    if not wrapped.effects and (wrapped.when != STATIC or wrapped.holds or wrapped.limits):
        raise Reject("when nothing is done")
    alone = c.block is c.root and not c.root.do and c.parent is None and c.last is not None
    if alone and wrapped.lasts.until in ("phase", "turn") and wrapped.when == STATIC and c.last is not None:
        c.use(_happening(c, c.last))  # "It cannot charge this turn": after what it did
    block = c.open()
    block.when, block.holds, block.lasts = wrapped.when, list(wrapped.holds), wrapped.lasts
    block.limits = list(wrapped.limits)
    with c.inside(block):
        for effect in wrapped.effects:
            put(c, effect)


def _put_pick(c: Context, effect: Pick) -> None:
    """What is picked gets a name, by which the rule speaks of it from here on."""
    c.picks += 1
    name = "picked" if c.picks == 1 else f"picked {c.picks}"
    select = effect.who
    bound = Select(select.what, ref="bound", name=name, side=None)
    c.refers(select, bound)
    for mention in c.mentions:
        if mention.select is select:
            mention.block = c.block
    _at_the_end_of_moves(c, select.where)
    final = replace(select, bind=name)
    pick = Pick(final, effect.whose, effect.may)
    c.put(pick)
    c.it, c.it_block = bound, c.block
    if pick.may:
        c.act, c.act_block = pick, c.block


def _at_the_end_of_moves(c: Context, where: Condition | None) -> None:
    """Who was moved over is known when the move has ended; who was hit, when those attacks were made."""
    parts = where.of if isinstance(where, All) else (where,)
    if any(isinstance(part, HitBy) and part.by is None and part.how in ("hit", "wounded", "damaged") for part in parts):
        _after_the_attacks(c)
    if not any(isinstance(part, HitBy) and part.how == "moved_over" for part in parts):
        return
    for block in c.block.chain():
        if isinstance(block.when, Event) and block.when.name == "move_started":
            before, block.when = block.when, replace(block.when, name="move_ended")
            c.undo.append(partial(setattr, block, "when", before))


def _after_the_attacks(c: Context) -> None:
    """ "Each time this unit shoots, select one enemy unit hit by those attacks": when it has shot."""
    block = next((one for one in c.block.chain() if isinstance(one.when, (Event, AnyOf))), None)
    if block is not None and isinstance(block.when, Event) and block.when.name in _HAS_DONE:
        before = block.when
        block.when = replace(before, name=_HAS_DONE[before.name], edge="after")
        c.undo.append(partial(setattr, block, "when", before))


_HAS_DONE: dict[str, Anything] = {"selected_to_shoot": "has_shot", "selected_to_fight": "has_fought"}


def _put_instead(c: Context, instead: Instead) -> None:
    """Replace the last effect of the same kind, under the conditions of this sentence."""
    if (plain := _weapons_instead(c, instead)) is not None:
        instead = plain
    new = tuple(_as_move_rule(c, one) for one in instead.effects)
    if not new:
        raise Reject("nothing instead")
    between = _choice_between(c, new[0])
    if between is None and (_put_more(c, new) or _put_row(c, instead)):
        return
    places = {(id(found[0]), found[1]) for found in (last_like(c, one) for one in new) if found is not None}
    if len(new) > 1 and len(places) == len(new):
        for one in new:
            _put_instead(c, Instead((one,), instead.holds))
        return
    found = between or last_like(c, new[0])
    if found is None:
        raise Reject("'instead' of what?")
    if len(new) == 1 and _put_for_some(c, new[0], found, instead.holds):
        return
    if isinstance(new[0], Wrapped):
        new = (Clause(new[0].effects, new[0].when),)
    items, at, block = _around(c, *found)
    conditions: list[Condition] = list(instead.holds)
    for scope in c.block.chain():
        if scope is block or scope is c.root:
            break
        if narrower := _narrower(scope.when, block.when):
            conditions.append(narrower)
        elif scope.when == block.when and not scope.may and scope.lasts == INSTANT:
            pass  # the same attacks, spoken of again
        elif scope.when != STATIC or scope.lasts not in (INSTANT, *(one.lasts for one in block.chain())) or scope.may:
            if len(new) == 1 and _counts_before(new[0], found[0][found[1]]):
                put(c, new[0])
                return
            raise Reject("'instead' in another scope")
        conditions.extend(scope.holds)
    holds = conj(conditions)
    if holds is None:
        raise Reject("'instead' without a condition")
    if _never_both(conditions, block):
        put(c, Wrapped(new, block.when, lasts=block.lasts))
        return
    if isinstance(new[0], Pick) and isinstance(items[at], Pick):
        new = (_same_name(c, new[0], items[at], block),)
    c.use(block)
    c.swap(items, at, Swap(holds, list(_as_optional(new, items[at])), items[at]))
    c.pieces += 1


def _counts_before(new: Anything, old: Anything) -> bool:
    """Of two such abilities only the better one counts (11e 24.02; 10e T-1.6): is it the new one? Then both may stand."""
    if isinstance(old, Block) and len(old.do) == 1:
        old = old.do[0]
    if not isinstance(new, Grant) or not isinstance(old, Grant) or (new.what, new.name) != (old.what, old.name):
        return False
    first, then = (one.amount.n.constant if one.amount is not None else None for one in (old, new))
    if first is None or then is None or new.against != old.against:
        return False
    return then < first if new.what in ("invulnerable", "feel_no_pain") else then > first


def _never_both(conditions: list[Condition], block: Block) -> bool:
    """ "At its Starting Strength, this; Below Half-strength, that instead": where the one holds, the other does not."""
    strengths = {
        one.holds.level: one.who for one in conditions if isinstance(one, About) and isinstance(one.holds, Strength)
    }
    before = [one for outer in block.chain() for one in outer.holds if isinstance(one, About)]
    return any(
        isinstance(one.holds, Strength)
        and ("at_starting" in strengths) != (one.holds.level == "at_starting")
        and one.who in strengths.values()
        for one in before
    )


def _same_name(c: Context, new: Pick, old: Anything, block: Block) -> Pick:
    """Whichever of the two is picked, later words mean it by one name."""
    name = old.who.bind
    bound = Select(new.who.what, ref="bound", name=name)
    for mention in c.mentions:
        if mention.select is new.who:
            mention.refer, mention.block = bound, block
    c.it, c.it_block = bound, block
    return Pick(replace(new.who, bind=name), new.whose, new.may)


def _as_optional(new: tuple[Anything, ...], old: Item) -> tuple[Anything, ...]:
    """What replaces something optional is as optional."""
    if isinstance(old, Clause) and old.may and not any(isinstance(one, Clause) for one in new):
        return (replace(old, do=new),)
    return new


def _as_move_rule(c: Context, new: Anything) -> Anything:
    """ "It can move up to 6 inches instead", of how far it moves each time: no move of its own."""
    found = next((one for items, at, _ in reversed(c.history) if isinstance(one := items[at], (Move, MoveRule))), None)
    if not isinstance(new, Move) or new.kind != "any" or not isinstance(found, MoveRule) or new.amount is None:
        return new
    return replace(found, how=f"up to {new.amount.n}") if found.how.startswith("up to ") else new


def _put_for_some(
    c: Context, new: Anything, found: tuple[list[Item], int, Block], holds: tuple[Condition, ...]
) -> bool:
    """ "All of them have this; while one is there, it has that instead": those that are there do not have the old one."""
    items, at, _ = found
    old: Anything = items[at]
    some, every = getattr(new, "who", None), getattr(old, "who", None)
    if not isinstance(some, Select) or not isinstance(every, Select) or some.ref or every.ref or some.of or every.of:
        return False
    more = [part for part in _parts(some.where) if part not in _parts(every.where)]
    if not more or some.side != every.side or any(part not in _parts(some.where) for part in _parts(every.where)):
        return False
    scopes = [scope for scope in c.block.chain() if scope is not c.root and c.root in scope.chain()]
    said = [*holds, *(condition for scope in scopes for condition in scope.holds)]
    if any(scope.when != STATIC or scope.lasts != INSTANT or scope.may for scope in scopes):
        return False
    if not all(isinstance(one, About) and one.who.ref is None and one.holds in _parts(some.where) for one in said):
        return False
    narrower = conj(more)
    assert narrower is not None
    rest = replace(every, where=conj([every.where, negate(c, narrower)]))
    c.swap(items, at, replace(old, who=rest))
    put(c, new)
    return True


def _parts(condition: Condition | None) -> tuple[Condition, ...]:
    return condition.of if isinstance(condition, All) else () if condition is None else (condition,)


def _put_row(c: Context, instead: Instead) -> bool:
    """ "On a 2+, this; on a 6, that instead": of the row named first, the results named now are taken away."""
    if c.gate is None or instead.holds or not c.gate.rows:
        return False
    rows = c.gate.rows
    low, high, block = rows[-1]
    wider = next((i for i, (first, last, _) in enumerate(rows[:-1]) if _within((low, high), (first, last))), None)
    if block in c.block.chain() and wider is None and len(rows) > 1 and all(_apart(rows[-1], one) for one in rows[:-1]):
        for effect in instead.effects:  # other results already do other things
            put(c, _like_before(c, effect))
        return True
    if block not in c.block.chain() or low is None or wider is None:
        return False
    first, last, old = rows[wider]
    rest: list[tuple[int | None, int | None, Block]] = []
    if first is None or first < low:
        rest.append((first, low - 1, old))
    if high is not None and high != last and not (last is None and high == 6 and not c.gate.plus and not c.gate.sum):
        rest.append((high + 1, last, old))
    before = list(rows)
    rows[wider : wider + 1] = rest
    c.undo.append(lambda: rows.__setitem__(slice(None), before))
    for effect in instead.effects:
        put(c, effect)
    return True


def _like_before(c: Context, effect: Anything) -> Anything:
    """What is done on another result, for the same attacks and as long as the last of its kind."""
    found = last_like(c, effect)
    if found is None or found[2] in c.block.chain():
        return effect
    block = found[2]
    lasts = next((one.lasts for one in block.chain() if one.lasts != INSTANT), INSTANT)
    inner = Wrapped((effect,), block.when, tuple(block.holds))
    return inner if lasts == INSTANT else Wrapped((inner,), lasts=lasts)


def _apart(row: tuple[int | None, int | None, Block], other: tuple[int | None, int | None, Block]) -> bool:
    """Have the two no result in common?"""
    (a, b), (first, last) = row[:2], other[:2]
    return (b is not None and first is not None and b < first) or (last is not None and a is not None and last < a)


def _within(inner: tuple[int | None, int | None], outer: tuple[int | None, int | None]) -> bool:
    """Are these results some of those, and not all?"""
    (low, high), (first, last) = inner, outer
    above = first is None or (low is not None and first <= low)
    below = last is None or (high is not None and high <= last)
    return above and below and inner != outer


def _weapons_instead(c: Context, instead: Instead) -> Instead | None:
    """ "Those weapons have [B] instead": in the place of the ability they were just said to have."""
    wrapped = instead.effects[0] if len(instead.effects) == 1 else None
    if not isinstance(wrapped, Wrapped) or not all(isinstance(effect, Grant) for effect in wrapped.effects):
        return None
    found = last_like(c, wrapped.effects[0])
    if found is None or wrapped.lasts != INSTANT or wrapped.limits:
        return None
    narrower = _narrower(wrapped.when, found[2].when)
    if found[2].when != wrapped.when and narrower is None:
        return None
    return Instead(wrapped.effects, (*instead.holds, *wrapped.holds, *(() if narrower is None else (narrower,))))


def last_like(c: Context, new: Anything) -> tuple[list[Item], int, Block] | None:
    """The last effect of the same kind."""
    return next((one for one in reversed(c.history) if _replaces(new, one[0][one[1]])), None)


def _choice_between(c: Context, new: Anything) -> tuple[list[Item], int, Block] | None:
    """The choice made last between abilities of the same attacks: "they have both instead"."""
    items, at, _ = found = c.history[-1] if c.history else ([], 0, c.base)
    last = items[at] if items else None
    if not isinstance(new, Wrapped) or not isinstance(last, Choose) or new.holds or new.limits or new.lasts != INSTANT:
        return None
    clauses = [effect for option in last.options for effect in option.do]
    same = all(isinstance(one, Clause) and one == Clause(one.do, new.when) for one in clauses)
    return found if same and all(isinstance(effect, Grant) for effect in new.effects) else None


def _around(c: Context, items: list[Item], at: int, block: Block) -> tuple[list[Item], int, Block]:
    """What was said under a condition of its own is replaced with that condition: "if A, this; if B, that instead"."""
    outer = block.parent
    alone = block.when == STATIC and block.lasts == INSTANT and len(block.do) == 1 and not (block.may or block.limits)
    if not alone or outer is None or block is c.base or block in c.block.chain() or outer not in c.block.chain():
        return items, at, block
    place = next((i for i, one in enumerate(outer.do) if one is block), None)
    return (items, at, block) if place is None else (outer.do, place, outer)


def _narrower(new: Trigger, old: Trigger) -> Condition | None:
    """The new "each time" is the old one against other targets: what must hold of the target."""
    if not isinstance(new, PerAttack) or not isinstance(old, PerAttack) or new.target is None:
        return None
    if replace(new, target=None) != replace(old, target=None) or new.target.where is None:
        return None
    return About(Select("unit", ref="target"), new.target.where)


def _put_more(c: Context, new: tuple[Anything, ...]) -> bool:
    """In another scope, "add 2 instead" of 1 is 1 more: modifiers add up."""
    if len(new) != 1 or not isinstance(new[0], Wrapped):
        return False
    more = []
    for effect in new[0].effects:
        found = _same_change(c, effect, new[0].when)
        if found is None:
            raise Reject("'instead' of what?")
        old, block = found
        c.use(block.parent)
        n, m = effect.amount.n.constant, old.amount.n.constant
        if not n or not m or n <= m or effect.amount.per or old.amount.per:
            raise Reject("'instead' of another kind of amount")
        more.append(replace(effect, amount=Amount(Dice(0, 6, n - m))))
    put(c, replace_wrapped(new[0], tuple(more)))
    return True


def as_clause(wrapped: Wrapped) -> Clause:
    """What stands in a scope of its own, as the clause it is among other effects."""
    return Clause(wrapped.effects, wrapped.when, conj(wrapped.holds), None, wrapped.lasts, wrapped.limits)


def replace_wrapped(wrapped: Wrapped, effects: tuple[Anything, ...]) -> Wrapped:
    return Wrapped(effects, wrapped.when, wrapped.holds, wrapped.lasts, wrapped.limits)


def _same_change(c: Context, effect: Anything, when: Trigger) -> Anything:
    if not isinstance(effect, StatMod):
        return None
    for items, at, block in reversed(c.history):
        old = items[at]
        if isinstance(old, StatMod) and (old.stats, old.op, block.when) == (effect.stats, effect.op, when):
            return old, block
    return None


def scaled_effect(c: Context, effects: Anything, per: Select, every: Amount | None, most: Amount | None) -> Anything:
    """An effect "for each …": so many times; or, where it speaks of "that one", what each of them gets."""
    spoken = known(c, per)
    found = row(effects)
    if per.what == "objective" and all(effect == Control("secure") for effect in found):  # "that one is secured"
        return tuple(replace(effect, who=per) for effect in found)
    if spoken.ref == "bound" and found and all(_speaks_of(effect, spoken) for effect in found):
        if every is not None or most is not None:
            raise Reject("what each gets is not counted")
        return tuple(replace(effect, who=exchanged(effect.who, spoken, per)) for effect in found)
    return tuple(_scaled(c, effect, per, every, most) for effect in found)


def _speaks_of(effect: Anything, spoken: Select) -> bool:
    """Is it done to that one, or to a part of it?"""
    who = getattr(effect, "who", None)
    return isinstance(who, Select) and (who == spoken or who.of == spoken)


def _scaled(c: Context, effect: Anything, per: Select, every: Amount | None, most: Amount | None) -> Anything:
    if isinstance(effect, Wrapped):
        return replace_wrapped(effect, tuple(_scaled(c, inner, per, every, most) for inner in effect.effects))
    if isinstance(effect, Build) and effect.how == "include" and per.where is not None and not effect.words:
        return replace(effect, what=per.where, amount=effect.amount or 1, words=("for each",))
    if isinstance(effect, Clause) and effect == Clause(effect.do, may=effect.may):
        return replace(effect, do=tuple(_scaled(c, inner, per, every, most) for inner in effect.do))
    if isinstance(effect, Gate) and effect.per is None and every is None and per.ref is None:
        return _for_each_die(c, effect, per)
    amount = getattr(effect, "amount", None)
    if not isinstance(amount, Amount):
        raise Reject("no amount to scale")
    maximum = None if most is None else most.n.constant
    return replace(effect, amount=scaled(c, amount, per, every, maximum))


def _for_each_die(c: Context, gate: Gate, per: Select) -> Gate:
    """ "For each enemy unit near it, roll one D6"."""
    each = Select(per.what, ref="bound", name="each")
    c.refers(per, each)
    c.it, c.it_block = each, c.block
    gate.per = replace(per, count=Count(), bind="each")
    return gate


def retarget(c: Context, effects: Anything, target: Select) -> Anything:
    """What attacks get "while targeting" these."""
    found = []
    for effect in row(effects):
        if not isinstance(effect, Wrapped) or not isinstance(effect.when, PerAttack) or effect.when.target:
            raise Reject("targeting with what?")
        select = target if target.ref is not None else bare_target(c, target)
        found.append(Wrapped(effect.effects, replace(effect.when, target=select), effect.holds, effect.lasts))
        c.weapons = replace(effect.when, target=select)  # what "they" have further, they have against these
    return tuple(found)


def bare_target(c: Context, target: Select) -> Select:
    c.refers(target, Select("unit", ref="target"))
    return replace(target, side=None, count=Count())


def following(c: Context, who: Select) -> None:
    """ "has the following ability": the lines below, while this scope lasts."""
    if who.ref in ("self", "unit"):
        c.follow = c.open()
    else:
        given = Given(whole(who), Block(c.block))
        c.block.do.append(given)
        c.follow, c.given = given.block, given
    c.follower = who
    c.pieces += 1


def _replaces(new: Anything, old: Item) -> bool:
    if isinstance(new, Wrapped):
        return False
    if (
        isinstance(new, Clause)
        and new == Clause(new.do, may="you")
        and len(new.do) == 1
        and not isinstance(old, Clause)
    ):
        return _replaces(new.do[0], old)
    if isinstance(new, DamageTo) and isinstance(old, StatMod):
        return old.stats == ("D",)
    if isinstance(new, ReturnModels) and isinstance(old, Heal):
        return True
    if (
        isinstance(old, Clause)
        and old == Clause(old.do, may="you")
        and len(old.do) == 1
        and not isinstance(new, Clause)
    ):
        return isinstance(new, (ReturnModels, Heal)) and _replaces(new, old.do[0])
    if type(new) is not type(old):
        return False
    if isinstance(new, Move):
        return True
    if isinstance(new, Clause) and isinstance(old, Clause):
        return len(new.do) == len(old.do) == 1 and new.when == old.when and _replaces(new.do[0], old.do[0])
    return all(getattr(new, key, None) == getattr(old, key, None) for key in ("roll", "stats", "what", "kind"))


# ------------------------------------------------------------------------------------------------ kinds of adverb


def when(c: Context, trigger: Anything) -> Scope:
    """A trigger opens a scope; an event phrase may bring conditions of its own."""
    if isinstance(trigger, Scope):
        inner: Anything = trigger.when
        if isinstance(inner, Scope):
            return together(c, trigger, replace_when(trigger, inner))
        return trigger
    return Scope(when=trigger)


def replace_when(outer: Scope, inner: Scope) -> Scope:
    """A scope whose trigger was a scope itself: the inner trigger, and its conditions."""
    outer.when = STATIC
    return inner


def holds(c: Context, condition: Condition) -> Scope:
    return Scope(holds=[condition])


def lasts(c: Context, duration: Duration) -> Scope:
    """A sentence that begins with how long it lasts goes on with what was said before."""
    root = c.root
    first = root is not None and c.block.parent is root and not root.do
    if first and c.forgot:
        raise Reject("how long what was not read lasts")
    if root is not None and c.block.parent is root and not root.do and c.last is not None and c.base not in (c.last,):
        c.use(c.last)
    return Scope(lasts=duration)


def limited(c: Context, *limits: Limit) -> Scope:
    return Scope(limits=limits)


def at_that_end(c: Context, window: Window) -> Scope:
    """ "At the end of the phase", first in a sentence: of the phase in which what was said before happened."""
    first = c.root is not None and c.block.parent is c.root and not c.root.do
    if first and c.last is not None and (around := _happening(c, c.last)) is not None:
        c.use(around)
    return Scope(window)


def _happening(c: Context, last: Block) -> Block | None:
    """The scope of what happened or was chosen, around what was said last of it; None where nothing was."""
    rows = [block for _, _, block in c.gate.rows] if c.gate is not None else []
    inside = last.chain()[: last.chain().index(c.base)] if c.base in last.chain() else []
    found: Block | None = None
    for block in inside:
        if found is None and block.lasts == INSTANT and not isinstance(block.when, PerAttack) and block not in rows:
            found = block
        if block.lasts != INSTANT or block in rows:
            found = None
    happens = any(block.may is not None or isinstance(block.when, (Event, Window, AnyOf)) for block in inside)
    return found if happens else None


def together(c: Context, first: Scope, second: Scope) -> Scope:
    """Two adverbs as one: "once per battle, in your Shooting phase"."""
    return Scope(
        second.when if first.when == STATIC else first.when,
        first.holds + second.holds,
        second.lasts if first.lasts == INSTANT else first.lasts,
        first.limits + second.limits,
        first.may or second.may,
    )


def done(c: Context, negative: bool = False) -> Scope:
    """ "If it does": what was optional was done."""
    if c.act is None and _passes(c) and not negative:
        return Scope(holds=[Outcome("done")], into=c.last)
    if c.act is None:
        raise Reject("nothing was optional")
    if isinstance(c.act, Block):
        if negative and c.act is not c.supposed:
            raise Reject("the ability was not used")
        return Scope(into=c.act)
    if isinstance(c.act, (Pick, Options)) and not negative:
        declined = isinstance(c.act, Options) and c.act.up_to and bool(c.act.options)
        return Scope(holds=[Outcome("done")] if declined else [], into=c.act_block)
    return Scope(holds=[Outcome("not_done" if negative else "done")], into=c.act_block)


def _passes(c: Context) -> bool:
    """Was the last thing said that someone can move through something, or that something is spent?"""
    last = last_effect(c)
    if isinstance(last, Pool):
        return last.change == "spend"
    return isinstance(last, MoveRule) and last.how.startswith(("through", "over"))


def doing_so(c: Context) -> Scope:
    """ "When doing so": what was done last, whether optional or not."""
    if c.act is not None:
        return done(c)
    if c.last is None:
        raise Reject("doing what?")
    return Scope(into=c.last)


def outcome(c: Context, of: Anything) -> Scope:
    """ "If that test is failed": of the last test or roll."""
    if c.last is None:
        raise Reject("no test was taken")
    return Scope(holds=[Outcome(of)], into=c.test_block or c.last)


def row_of(c: Context, low: int | None, high: int | None) -> Scope:
    """ "On a 4+": a row of the dice just rolled."""
    if c.gate is None and c.supposed is not None:
        return unread(c, "the result of the roll")
    if c.gate is None:
        raise Reject("no dice were rolled")
    block = Block(c.gate_block)
    c.add(c.gate.rows, (low, high, block))
    return Scope(into=block)


def unread(c: Context, words: str) -> Scope:
    """A condition that was not read never holds."""
    return Scope(holds=[Unknown(words)])


def use_ability(c: Context) -> None:
    """ "It can use this ability": what follows is a choice of our own."""
    subjects = [block.when.subject for block in c.block.chain() if isinstance(block.when, Event)]
    theirs = any(subject is not None and subject.side == "enemy" for subject in subjects)
    if theirs and c.it is not None and c.it.ref in ("subject", "attacker") and (ours := ours_spoken_of(c)) is not None:
        c.it, c.it_block = ours, c.block
    block = c.open()
    block.may = "you"
    c.act, c.act_block = block, c.block
    c.pieces += 1


def instead(c: Context, effects: Anything, *conditions: Condition) -> Instead:
    return Instead(row(effects), conditions)


def use_ability_when(c: Context, events: Anything) -> None:
    """ "One model with this ability can use it when …"."""
    scope = when(c, events)
    block = c.open()
    block.when, block.holds, block.may = scope.when, list(scope.holds), "you"
    c.act, c.act_block = block, c.block
    c.pieces += 1


def later(c: Context, effects: Anything, window: Trigger) -> Wrapped:
    """An effect "at the end of the phase"."""
    return Wrapped(row(effects), when=window)


def for_time(c: Context, effects: Anything, duration: Duration) -> Wrapped:
    """An effect with its duration after it; what was put already ("is selected to be so") lasts so long."""
    if effects is None and c.history:
        items, at, _ = c.history[-1]
        state = items[at]
        if isinstance(state, SetState):
            c.swap(items, at, Clause((state,), lasts=duration))
    return Wrapped(row(effects), lasts=duration)


def under(c: Context, effects: Anything, condition: Condition) -> Anything:
    """An effect with its condition after it: of those who get it, it says which; dice are added to if it holds."""
    plus = c.gate.plus if c.gate is not None and effects is None else []
    just_added = bool(plus and c.undo) and getattr(c.undo[-1], "__self__", None) is plus
    if just_added and plus[-1].when is None:
        c.undo.pop()
        added = plus.pop()
        c.add(plus, replace(added, when=condition))
        return ()
    parts = condition.of if isinstance(condition, All) else (condition,)
    who = parts[0].who if isinstance(parts[0], About) else None
    if who is not None and all(isinstance(part, About) and part.who == who for part in parts):
        who = next((select for select, word in c.binds if who == Select(who.what, ref="bound", name=word)), who)
        if who.ref is None:
            holds = [part.holds for part in parts if isinstance(part, About)]
            narrower = replace(who, where=conj([who.where, *holds]))
            found = tuple(_narrow(effect, who, narrower) for effect in row(effects))
            if None not in found:
                return found
    return Wrapped(row(effects), holds=(condition,))


def in_turn(c: Context, effects: Anything, condition: Condition) -> Anything:
    """An effect in a turn in which something was done; what is permitted in spite of it is said by frames of its own."""
    if any(isinstance(effect, Permit) for effect in row(effects)):
        raise Reject("permitted in spite of what?")
    return under(c, effects, condition)


def under_attack(c: Context, e: Tree, k: Tree) -> Anything:
    """An effect with its condition after it, which may speak of the attacks that get the effect: "if it targets …"."""
    effects = c.build(e)
    if isinstance(effects, Gate) and effects.plus:
        raise Reject("what is added to the dice is added if that holds")
    attack = next((one for one in row(effects) if isinstance(one, Wrapped) and isinstance(one.when, PerAttack)), None)
    if attack is None:
        return under(c, effects, c.build(k))
    with attack_open(c, attack.when):
        return under(c, effects, c.build(k))


@contextmanager
def attack_open(c: Context, attack: Trigger) -> Iterator[None]:
    """What stands behind an effect of attacks may speak of them."""
    outer, c.attack = c.attack, Block(c.block, attack)
    try:
        yield
    finally:
        c.attack = outer


def _narrow(effect: Anything, who: Select, narrower: Select) -> Anything:
    return replace(effect, who=narrower) if getattr(effect, "who", None) == who else None


def limited_effects(c: Context, effects: Anything, *limits: Limit) -> Wrapped:
    return Wrapped(row(effects), limits=limits)


def once_then(c: Context, effects: Anything) -> Wrapped:
    """However many have the rule, once at that time of a turn; how often something happens does not matter there."""
    if not any(isinstance(block.when, Window) for block in c.block.chain()):
        raise Reject("how often?")
    return Wrapped(row(effects), limits=(Limit("phase", 1, "army"),))


def unless(c: Context, effects: Anything, condition: Condition) -> Anything:
    """An effect with what lifts it after it: of those who get it, it says which do not."""
    whom = [getattr(effect, "who", None) for effect in row(effects)]
    parts = condition.of if isinstance(condition, All) else ()
    if any(isinstance(one, About) and isinstance(one.holds, HasAbility) and one.who in whom for one in parts):
        raise Reject("that is had as well: no condition")
    if isinstance(condition, About):
        return under(c, effects, replace(condition, holds=negate(c, condition.holds)))
    return Wrapped(row(effects), holds=(negate(c, condition),))


# ------------------------------------------------------------------------------------------------------- triggers


def event(
    c: Context,
    name: Anything,
    subject: Select | None = None,
    target: Select | None = None,
    kinds: tuple[str, ...] = (),
    edge: Anything = "when",
) -> Event:
    """Something happens to ``subject``; from here on it is spoken of as the subject of the event."""
    if name == "targeted":
        _mention_attacker(c, subject)
    if subject is not None:
        _bind(c, subject, "attacker" if name in _ATTACKS and subject.side == "enemy" else "subject")
    if target is not None:
        _bind(c, target, "target")
    if name in _ACTIVATIONS and subject is not None:
        c.activation, c.activation_block = _spoken(c, subject), c.block
    final = None if subject is None else whole(subject) if name in _OF_UNITS else subject
    for select in (subject, target):
        if select is not None and select.ref is not None:
            c.mentions.append(Mention(select, select, c.block))
    if name in ("disembarked", "embarked") and subject is not None:  # "that unit" is who was aboard, not the transport
        c.mentions.sort(key=lambda mention: mention.select is subject)
    about = target if name == "order_issued" and subject is None else subject
    c.it, c.it_block = (None if about is None else known(c, about)), c.block
    return Event(name, final, None if target is None else whole(target), kinds, edge)


def _mention_attacker(c: Context, target: Select | None) -> None:
    """Who attacks may be spoken of; but "that unit", said next, is the target."""
    named = next((i for i, mention in enumerate(c.mentions) if mention.select is target), len(c.mentions))
    attacker = Mention(Select("unit", side="enemy"), Select("unit", ref="attacker"), c.block)
    c.mentions = [*c.mentions[:named], attacker, *c.mentions[named:]]


_ATTACKS = ("targets_selected", "has_shot", "has_fought", "has_attacked")
_OF_UNITS = (
    "move_started",
    "move_ended",
    "selected_to_move",
    "charge_declared",
    "test_taken",
    "test_failed",
    "roll_made",
)
_ACTIVATIONS = (
    "selected_to_shoot", "selected_to_fight", "selected_to_attack", "has_shot", "has_fought", "has_attacked",
    "targets_selected",
)  # fmt: skip


def _bind(c: Context, select: Select, ref: Anything) -> None:
    if select.ref is None:
        if select == BOTH_TARGETS:  # either of them, not the last one named
            c.mentions.append(Mention(select, None, c.block))
        c.refers(select, Select(select.what, ref=ref))
        known_as = any(mention.select is select for mention in c.mentions)
        if not known_as and select.of is None:  # "it", spoken of as one of those said before
            c.mentions.append(Mention(select, Select(select.what, ref=ref), c.block))
        if select.of is not None and select.of.ref is None:
            c.refers(select.of, Select(select.of.what, ref=ref))


def _spoken(c: Context, select: Select) -> Select:
    return known(c, select) if select.ref is None else select


def at_edge(
    c: Context, trigger: Anything, edge: Anything = None, first: bool = False, during: Anything = None
) -> Anything:
    """The event, seen from before or after it, only the first time, only in such a phase."""
    if isinstance(trigger, Scope):
        changed = at_edge(c, trigger.when, edge, first, during)
        return Scope(changed, trigger.holds, trigger.lasts, trigger.limits)
    if isinstance(trigger, AnyOf) and not first:
        if _starts_or_ends(trigger):
            edge = None
        return AnyOf(tuple(at_edge(c, one, edge, first, during) for one in trigger.of))
    if not isinstance(trigger, Event):
        if first:
            raise Reject("only the first of these attacks")
        return trigger
    ended = edge == "after" and trigger.name == "move_started"  # "just after it falls back": when it has done so
    return Event(
        "move_ended" if ended else trigger.name, trigger.subject, trigger.target, trigger.kinds, edge or trigger.edge,
        first or trigger.first, during or trigger.during,
    )  # fmt: skip


def _starts_or_ends(trigger: AnyOf) -> bool:
    """The start of a move, and its end: told apart already."""
    moves = [one for one in trigger.of if isinstance(one, Event)]
    ends = [replace(one, name="move_started", edge="when") for one in moves if one.name == "move_ended"]
    return any(one in ends for one in moves)


def per(c: Context, n: Amount) -> Amount:
    return n


def scoped(c: Context, trigger: Trigger, *conditions: Condition) -> Scope:
    return Scope(when=trigger, holds=[condition for condition in conditions if condition is not None])
