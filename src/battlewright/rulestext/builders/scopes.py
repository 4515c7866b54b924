"""What a sentence stands under, where it speaks of what was said before: while, otherwise, for each result, when done."""

from __future__ import annotations

from itertools import pairwise
from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import (
    About,
    Act,
    All,
    AttackIs,
    Clause,
    Condition,
    Count,
    Duration,
    Event,
    FightOrder,
    Limit,
    Move,
    PerAttack,
    Pick,
    Reserves,
    RollSet,
    Select,
    ShockTest,
    Stratagem,
    Unknown,
)
from battlewright.rulestext.blocks import STATIC, Options, conj
from battlewright.rulestext.builders.phrases import (
    last_effect,
    negate,
    row,
    shooter,
    whole,
)
from battlewright.rulestext.builders.sentences import (
    Scope,
    Wrapped,
    as_clause,
    doing_so,
    done,
    row_of,
)
from battlewright.rulestext.context import Context, Mention, Reject
from battlewright.rulestext.parse import Tree


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


def each_row(c: Context, low: int | None, high: int | None) -> Scope:
    """ "For each 4+": a row, done for each die."""
    return row_of(c, low, high)


def otherwise(c: Context) -> Scope:
    """Where the condition of what was said last does not hold; of dice, the results that no row named."""
    rows = [block for _, _, block in c.gate.rows] if c.gate is not None else []
    for block in c.last.chain() if c.last is not None else ():
        if block in rows:
            return row_of(c, *_left_over([(low, high) for low, high, _ in c.gate.rows] if c.gate else []))
        if block is not c.base and isinstance(block.when, PerAttack) and not (block.holds or block.limits or block.may):
            continue  # "if A, this unit's attacks have this": A is around it
        if block is c.base or block.when != STATIC:
            break
        condition = conj(block.holds)
        if condition is not None and not isinstance(condition, Unknown):
            return Scope(holds=[negate(c, condition)], into=block.parent, other_than=block)
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


def snap_attacks(c: Context) -> Scope:
    """While the stratagem (or the attacks) just spoken of is resolved: the attacks it makes."""
    for block in c.block.chain():
        if isinstance(block.when, Event) and "fire overwatch" in block.when.kinds and block.when.subject is not None:
            return Scope(PerAttack("attacker", shooter(block.when.subject), None, "ranged"), [AttackIs("snap")])
    raise Reject("which stratagem is resolved?")


def resolving_stratagem(c: Context) -> Scope:
    """While that stratagem is resolved: the attacks it makes, or when it is used on that unit."""
    return stratagem_used(c) or snap_attacks(c)


def stratagem_used(c: Context) -> Scope | None:
    """When the stratagem that was just spoken of is used on that unit; not one whose attacks a rule speaks of."""
    last = last_effect(c)
    if not isinstance(last, Stratagem) or last.which is None or not last.which.names or last.who is None:
        return None
    if "fire overwatch" in last.which.names:
        return None
    return Scope(Event("stratagem_targeted", last.who, kinds=last.which.names))


def resolving(c: Context) -> Scope:
    """While the attacks just spoken of are resolved: of an act, of a stratagem, or until the attacker is done."""
    act = last_effect(c)
    if isinstance(act, Act) and act is c.act:
        return doing_so(c)
    try:
        return snap_attacks(c)
    except Reject:
        return Scope(lasts=Duration("done"))


def either_way(c: Context) -> Scope:
    """ "In either case": whatever came of the test or the roll."""
    option = next((block for block in c.last.chain() if block.option), None) if c.last is not None else None
    into = c.test_block or c.gate_block if option is None else option.parent
    if into is None:
        return Scope()
    c.last = into
    choice = next((item for item in into.do if isinstance(item, Options)), None)
    if option is not None and choice is not None:
        c.act, c.act_block = choice, into
    return Scope(into=into)


def afterwards(c: Context) -> Scope:
    """A sentence that begins with "Then": where the test or the roll before it stood, whatever came of that."""
    first = c.root is not None and c.block.parent is c.root and not c.root.do
    return either_way(c) if first else Scope()


def instead_of_roll(c: Context) -> Scope:
    """ "Do not make the roll. Instead, …" says nothing more."""
    if not any(isinstance(items[at], RollSet) for items, at, _ in c.history[-4:]):
        raise Reject("'instead' of what?")
    if c.last is not None:
        c.use(c.last)
    return Scope()


def when_done(c: Context) -> Scope:
    """ "When it does": what was optional, or what will happen later."""
    if c.act is None and isinstance(last_effect(c), (Reserves, Move, ShockTest, FightOrder)):
        return doing_so(c)
    return done(c)


def rule_limit(c: Context, limit: Limit) -> None:
    """A sentence that only says how often."""
    c.limits.append(limit)
    c.pieces += 1


def may(c: Context, *effects: Anything) -> Clause:
    """A choice of ours."""
    return Clause(effects, may="you")


def ours_can(c: Context, who: Select) -> bool:
    """ "This model can …": a choice of ours."""
    if who.ref not in ("self", "unit", "led") and who.name != "your unit":
        raise Reject("whose choice?")
    return True


def if_may(c: Context, can: object, effects: Anything) -> Anything:
    """What "you can" stands before is a choice: to pick someone, or to do all of it."""
    found = row(effects)
    if can is None:
        return effects
    found = tuple(as_clause(effect) if isinstance(effect, Wrapped) else effect for effect in found)
    if any(isinstance(effect, Pick) for effect in found):
        return tuple(replace(effect, may=True) if isinstance(effect, Pick) else effect for effect in found)
    return may(c, *found)
