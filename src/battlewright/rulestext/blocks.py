"""A rule while it is being read: clauses that still grow, and how they become final."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

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
    Count,
    Destroy,
    Duration,
    During,
    Effect,
    Event,
    EventName,
    Give,
    Grant,
    HasAbility,
    HasState,
    Heal,
    If,
    Keyword,
    Limit,
    Mortal,
    Option,
    Outcome,
    PerAttack,
    Pick,
    Remove,
    ReturnModels,
    RollDice,
    RollPlus,
    RollSet,
    Row,
    Select,
    SetState,
    Static,
    Trigger,
    Window,
    parts_of,
)
from battlewright.rulestext.abilities import UNIT_ABILITIES

BATTLE_SIZES = ("combat patrol", "incursion", "strike force", "onslaught")
INSTANT = Duration()
#: the first kind of an event whose rolls stand in a list below
LISTED = "listed"
STATIC = Static()
#: what happens once
AT_ONCE = (Destroy, Heal, Mortal, ReturnModels)


@dataclass(eq=False)
class Block:
    """A clause that grows. ``do`` holds effects and further blocks, in the order of the text."""

    parent: Block | None = None
    when: Trigger = STATIC
    holds: list[Condition] = field(default_factory=list)
    may: Literal["you", "opponent"] | None = None
    lasts: Duration = INSTANT
    limits: list[Limit] = field(default_factory=list)
    name: str = ""
    option: bool = False  # one of the things to choose from
    opened: frozenset[str] = frozenset()  # the words that may begin the adverb which opened it
    do: list[Item] = field(default_factory=list)

    @property
    def depth(self) -> int:
        return 0 if self.parent is None else self.parent.depth + 1

    def chain(self) -> list[Block]:
        """This block and those around it, inside out."""
        return [self, *(self.parent.chain() if self.parent else [])]


@dataclass(eq=False)
class Gate:
    """Dice being rolled; rows are added as the text names results."""

    dice: Amount
    per: Select | None = None
    plus: list[RollPlus] = field(default_factory=list)
    sum: bool = False
    maximum: int | None = None
    rows: list[tuple[int | None, int | None, Block]] = field(default_factory=list)


@dataclass(eq=False)
class Options:
    """A choice being read; options are added a bullet at a time."""

    k: int = 1
    up_to: bool = False
    whose: Literal["you", "opponent"] = "you"
    bind: str | None = None
    random: bool = False
    or_random: int = 0
    options: list[tuple[str, Block]] = field(default_factory=list)
    who: Select | None = None  # whom the chosen one is for
    given: bool = False  # the choice stands in what someone is given
    pool: str = ""  # what is spent on each of the options, every one a clause of its own
    cost: Amount | None = None  # what each costs that does not say it


@dataclass(eq=False)
class Given:
    """An ability someone is given, as its words are read."""

    who: Select
    block: Block
    name: str = ""


@dataclass(eq=False)
class Swap:
    """An effect that a later "instead" replaces under a condition."""

    holds: Condition
    new: list[Item]
    old: Item


Item: TypeAlias = Effect | Block | Gate | Options | Given | Swap


def _parts_changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same with everything right within it changed."""
    if isinstance(value, tuple):
        return tuple(map(change, value))
    if not isinstance(value, Struct):
        return value
    before = {name: getattr(value, name) for name in value.__struct_fields__}
    after = {name: change(part) for name, part in before.items() if isinstance(part, (tuple, Struct))}
    changes = {name: part for name, part in after.items() if part != before[name]}
    return replace(value, **changes) if changes else value


def named(value: Any, binds: Sequence[tuple[Select, str]]) -> Any:
    """The same with a name for what later words speak of; what was named is found where it stands."""
    found = _parts_changed(value, lambda part: named(part, binds))
    word = next((word for select, word in binds if select == value), None)
    return found if word is None else replace(found, bind=word)


def exchanged(value: Any, old: Select, new: Select) -> Any:
    """The same, said of another."""
    return new if value == old else _parts_changed(value, lambda part: exchanged(part, old, new))


#: what may be said of a deed that was done
_DONE_WORDS = (" fulfilled", " achieved", " completed")


def deeds_named(value: Any) -> Any:
    """The same, where a deed that is done is called so in one of several words: "is completed", "you fulfil it"."""
    states = {part.name for part in parts_of(value) if isinstance(part, SetState)}
    return _as_done(value, states) if any(name.endswith(_DONE_WORDS) for name in states) else value


def _as_done(value: Any, states: set[str]) -> Any:
    if isinstance(value, HasState) and value.name.endswith(_DONE_WORDS) and value.name not in states:
        deed = value.name.rpartition(" ")[0]
        known = next((deed + word for word in _DONE_WORDS if deed + word in states), value.name)
        return replace(value, name=known)
    return _parts_changed(value, lambda part: _as_done(part, states))


def states_named(value: Any) -> Any:
    """The same, where what is written as a keyword is a state the rule itself speaks of as one: "is Reborn"."""
    states = {part.name for part in parts_of(value) if isinstance(part, (SetState, HasState))}
    return _as_states(value, states) if states else value


def _as_states(value: Any, states: set[str]) -> Any:
    if isinstance(value, Keyword) and len(value.any_of) == 1 and len(value.any_of[0]) == 1:
        name = value.any_of[0][0].lower()
        return HasState(name) if name in states else value
    return _parts_changed(value, lambda part: _as_states(part, states))


def abilities_named(value: Any) -> Any:
    """The same, where what is written as a keyword is the name of an ability of the core rules: "Lone Operative units"."""
    ability = _ability_written(value)
    if isinstance(value, Keyword) and ability:
        return HasAbility(ability)
    if isinstance(value, (Grant, Remove)) and ability:
        return replace(
            value, what="unit_ability", name=ability, **({"keywords": ()} if isinstance(value, Grant) else {})
        )
    return _parts_changed(value, abilities_named)


def _ability_written(value: Any) -> str:
    """The ability that is written here as a keyword; empty when none is."""
    words: list[str] = []
    if isinstance(value, Keyword) and len(value.any_of) == 1:
        words = list(value.any_of[0])
    elif isinstance(value, Grant) and value.what == "keyword":
        words = list(value.keywords)
    elif isinstance(value, Remove) and value.what == "keyword":
        words = [value.name]
    return words[0].lower() if len(words) == 1 and words[0].lower() in UNIT_ABILITIES else ""


def unbound(value: Any) -> set[str]:
    """Names by which the rule speaks of something that nothing in it has been given."""
    selects = [part for part in parts_of(value) if isinstance(part, Select)]
    given = {select.bind for select in selects}
    return {select.name or "" for select in selects if select.ref == "bound" and select.name not in given}


def listed(value: Any) -> Any:
    """The same; of rolls that stood in a list, the list is all that is said."""
    if isinstance(value, Event) and value.kinds[:1] == (LISTED,) and len(value.kinds) > 1:
        return replace(value, kinds=value.kinds[1:])
    return _parts_changed(value, listed)


def theirs(value: Any, subject: Select | None = None) -> Any:
    """The same rule of an army: in a choice made when something happens to a unit, "this unit" is that unit."""
    if isinstance(value, tuple):
        return tuple(theirs(part, subject) for part in value)
    if isinstance(value, Give) or not isinstance(value, Struct):
        return value
    if isinstance(value, Clause):
        events = value.when.of if isinstance(value.when, AnyOf) else (value.when,)
        named = all(isinstance(one, Event) and one.subject is not None and one.subject.ref is None for one in events)
        do = theirs(value.do, Select("unit", ref="subject") if named else subject)
        return replace(value, do=_of_subject(do) if named and all(_is_ours(one) for one in events) else do)
    if isinstance(value, Choose) and subject is not None and _of_bearer(value):
        return Give(subject, (value,))
    if isinstance(value, (If, RollDice)):
        names = ("then", "otherwise") if isinstance(value, If) else ("rows",)
        return replace(value, **{name: theirs(getattr(value, name), subject) for name in names})
    return replace(value, do=theirs(value.do, subject)) if isinstance(value, Row) else value


def _is_ours(event: Any) -> bool:
    return bool(event.subject.side == "friendly")


def _of_subject(value: Any) -> Any:
    """What an army's rule says of "this unit" when something happens to one, it says of that one."""
    if isinstance(value, Give):
        return value
    if value == Select("unit", ref="unit"):
        return Select("unit", ref="subject")
    return _parts_changed(value, _of_subject)


def _of_bearer(value: Any) -> bool:
    return any(isinstance(part, Select) and part.ref in ("self", "unit") for part in parts_of(value))


def idle(value: Any) -> bool:
    """Is there a choice in the rule with nothing to choose from, something one may do of which no word says what, a
    roll of which no result does anything, or a number by the battle's size, and no sizes?
    """
    parts = list(parts_of(value))
    by_size = any(isinstance(part, Amount) and part.ref == "battle size" for part in parts)
    builds = [part for part in parts if isinstance(part, Build)]
    by_size |= any(part.words == ("by battle size",) for part in builds)
    rows = any(part.how == "limit" and part.words and part.words[0] in BATTLE_SIZES for part in builds)
    unlisted = any(isinstance(part, Event) and part.kinds == (LISTED,) for part in parts)
    if not any(_uses_dice(part) for part in parts):
        unlisted |= any(isinstance(part, RollDice) and not part.rows for part in parts)
    return unlisted or (by_size and not rows) or any(_says_nothing_to_do(part) for part in parts)


def _uses_dice(part: Any) -> bool:
    """Does it speak of what dice came to: the roll itself, what they show, a die that was kept?"""
    shown = isinstance(part, Outcome) and part.of in ("double", "triple")
    kept = isinstance(part, RollSet) and part.value is not None and part.value.ref is not None
    return shown or kept or (isinstance(part, Amount) and part.ref == "roll")


def timeless(clauses: Iterable[Clause]) -> bool:
    """Is something done at once, and nothing says when?"""
    once = (*AT_ONCE, Act, RollDice)
    return any(
        isinstance(clause.when, Static) and any(isinstance(effect, once) for effect in clause.do) for clause in clauses
    )


def _says_nothing_to_do(part: Any) -> bool:
    return (isinstance(part, Choose) and not part.options) or (
        isinstance(part, Clause) and part.may is not None and not part.do
    )


def waiting(block: Block) -> Block | None:
    """The innermost scope of a sentence, where an event opened it and nothing is done in it yet."""
    inner, happens = block, False
    while len(inner.do) == 1 and isinstance(inner.do[0], Block):
        inner = inner.do[0]
        happens |= isinstance(inner.when, Event)
    return inner if (happens or inner.may) and inner is not block and not inner.do else None


def conj(conditions: Iterable[Condition | None]) -> Condition | None:
    """All of these as one condition: flat, without repeats, in the canonical order."""
    flat: list[Condition] = []
    for condition in conditions:
        parts = condition.of if isinstance(condition, All) else (condition,) if condition is not None else ()
        flat.extend(part for part in parts if part not in flat)
    flat.sort(key=_rank)
    return None if not flat else flat[0] if len(flat) == 1 else All(tuple(flat))


_ORDER = (
    "Keyword", "Named", "HasAbility", "HasWeapon", "Not", "Any", "Within", "Visible", "Engaged", "Strength", "Moved",
    "Acted", "HitBy", "About",
)  # fmt: skip
_RANKS = {name: i for i, name in enumerate(_ORDER)}


def _rank(condition: Condition) -> tuple[int, str]:
    return _RANKS.get(type(condition).__name__, len(_ORDER)), repr(condition)


def freeze(items: Sequence[Item]) -> tuple[Effect, ...]:
    """The final effects; neighbours that say the same about when become one clause."""
    found: list[Effect] = []
    for item in items:
        for effect in _frozen(item):
            last = found[-1] if found else None
            if isinstance(effect, Clause) and isinstance(last, Clause) and _joins(last, effect):
                found[-1] = _with(last, last.do + effect.do)
            else:
                found.append(effect)
    return tuple(found)


def as_clauses(effects: Iterable[Effect]) -> tuple[Clause, ...]:
    """Effects at the top of a rule, as clauses: what always holds in a row is one."""
    found: list[Clause] = []
    for effect in effects:
        clause = effect if isinstance(effect, Clause) else Clause((effect,))
        if found and _joins(found[-1], clause):
            found[-1] = _with(clause, found[-1].do + clause.do)
        else:
            found.append(clause)
    return tuple(found)


def _frozen(item: Item) -> tuple[Effect, ...]:
    if isinstance(item, Block):
        return _frozen_block(item)
    if isinstance(item, Gate):
        rows = tuple(_rows(item))
        return (RollDice(item.dice, rows, item.per, tuple(item.plus), item.sum, item.maximum),)
    if isinstance(item, Options):
        if item.pool:
            found = tuple(effect for _, block in item.options for effect in _frozen_block(block))
            return (Give(item.who, found),) if item.who is not None and _of_bearer(found) else found
        options = tuple(Option(freeze(block.do), name, conj(block.holds)) for name, block in item.options)
        return (Choose(options, item.k, item.up_to, item.whose, item.bind, item.random, item.or_random),)
    if isinstance(item, Given):
        return (Give(item.who, freeze(item.block.do), item.name),)
    if isinstance(item, Swap):
        return (If(item.holds, freeze(item.new), _frozen(item.old)),)
    return (item,)


def _rows(gate: Gate) -> Iterator[Row]:
    """The rows; two that name the same results are one."""
    results = dict.fromkeys((low, high) for low, high, _ in gate.rows)
    for low, high in results:
        items = [item for a, b, block in gate.rows if (a, b) == (low, high) for item in block.do]
        yield Row(freeze(items), low, high)


def _frozen_block(block: Block) -> tuple[Effect, ...]:
    do = freeze(block.do)
    if not do and block.may is None:
        return ()
    clause = Clause(do, block.when, conj(block.holds), block.may, block.lasts, tuple(block.limits), block.name)
    inner = do[0] if len(do) == 1 else None
    if isinstance(inner, Clause) and (merged := _merged(clause, inner)):
        return (_of_those_spoken_of(merged),)
    if _says_nothing(clause):
        return do
    return (_of_those_spoken_of(clause),)


def _of_those_spoken_of(clause: Clause) -> Clause:
    """What must hold of those a clause is about holds of each of them: "while a unit is near, if that unit has charged"."""
    parts = clause.holds.of if isinstance(clause.holds, All) else (clause.holds,)
    about = [part for part in parts if isinstance(part, About)]
    roles = _roles(clause.when)
    if any(part.who in roles for part in about):
        now = [replace(part, who=roles.get(part.who, part.who)) if isinstance(part, About) else part for part in parts]
        return replace(clause, holds=conj(now))
    whom = getattr(clause.do[0], "who", None) if clause.do and isinstance(clause.when, (Static, Window)) else None
    mine = [part.holds for part in about if part.who == whom]
    if (
        whom is None
        or not mine
        or not _any_that_fits(whom)
        or any(getattr(one, "who", None) != whom for one in clause.do)
    ):
        return clause
    narrower = replace(whom, where=conj([whom.where, *mine]))
    rest = [part for part in parts if not (isinstance(part, About) and part.who == whom)]
    return replace(clause, do=tuple(replace(one, who=narrower) for one in clause.do), holds=conj(rest))


def _roles(when: Trigger) -> dict[Select, Select]:
    """How those a trigger names are spoken of."""
    named: list[tuple[Select | None, Literal["subject", "target", "attacker"]]] = []
    if isinstance(when, Event):
        named = [(when.subject, "subject"), (when.target, "target")]
    elif isinstance(when, PerAttack):
        unit = when.attacker.of if when.attacker is not None else None
        named = [(when.attacker, "attacker"), (unit, "attacker"), (when.target, "target")]
    return {one: Select(one.what, ref=ref) for one, ref in named if one is not None and _any_that_fits(one)}


def _any_that_fits(select: Select) -> bool:
    """Newly named, each one of them, by what holds of it."""
    newly = select.ref is None and select.bind is None and select.of is None
    return newly and select.where is not None and select.count == Count()


def _says_nothing(clause: Clause) -> bool:
    return clause == Clause(clause.do)


def _merged(outer: Clause, inner: Clause) -> Clause | None:
    """One clause for a scope that holds nothing but another, where the two mean the same as one."""
    if not isinstance(inner.when, Static) and not isinstance(outer.when, Static):
        return _activation(outer, inner) or _in_phase(outer, inner)
    if outer.lasts != INSTANT and not (_says_nothing(inner)):
        return None
    if outer.may and (inner.may or inner.holds or not isinstance(inner.when, Static)):
        return None
    if not isinstance(outer.when, Static) and inner.holds is not None and inner.lasts != INSTANT and outer.may:
        return None
    return Clause(
        inner.do,
        inner.when if isinstance(outer.when, Static) else outer.when,
        conj((outer.holds, inner.holds)),
        outer.may or inner.may,
        inner.lasts if outer.lasts == INSTANT else outer.lasts,
        outer.limits + tuple(limit for limit in inner.limits if limit not in outer.limits),
        outer.name or inner.name,
    )


_DONE: dict[str, EventName] = {
    "selected_to_shoot": "has_shot",
    "selected_to_fight": "has_fought",
    "selected_to_attack": "has_attacked",
}


def _activation(outer: Clause, inner: Clause) -> Clause | None:
    """ "Each time it shoots, if …, after it has resolved those attacks": what happens when it has done so."""
    first, second = outer.when, inner.when
    if not isinstance(first, Event) or not isinstance(second, Event) or first.kinds or first.first or outer.may:
        return None
    name = _DONE.get(first.name)
    if name is None or second.name not in (name, "has_attacked") or second.edge != "after":
        return None
    if second.subject != first.subject or outer.lasts != INSTANT:
        return None
    return Clause(
        inner.do,
        replace(second, name=name, during=second.during or first.during),
        conj((outer.holds, inner.holds)),
        inner.may,
        inner.lasts,
        outer.limits + tuple(limit for limit in inner.limits if limit not in outer.limits),
        outer.name or inner.name,
    )


def _in_phase(outer: Clause, inner: Clause) -> Clause | None:
    """ "In your Shooting phase, each time it happens": the event, only then."""
    window, event = outer.when, inner.when
    if not isinstance(window, Window) or not isinstance(event, Event) or event.during is not None:
        return None
    if (window.edge, window.unit, window.round) != ("during", "phase", None) or outer.may or outer.lasts != INSTANT:
        return None
    when = replace(event, during=During(window.phases, window.whose, window.step))
    limits = outer.limits + tuple(limit for limit in inner.limits if limit not in outer.limits)
    holds = conj((outer.holds, inner.holds))
    return Clause(inner.do, when, holds, inner.may, inner.lasts, limits, outer.name or inner.name)


def _joins(first: Clause, second: Clause) -> bool:
    """Two clauses that differ only in what they do, and hold nothing that binds."""
    if first.limits or first.may or any(isinstance(effect, (Pick, RollDice, Choose)) for effect in first.do):
        return False
    return _with(first, ()) == _with(second, ())


def _with(clause: Clause, do: tuple[Effect, ...]) -> Clause:
    return Clause(do, clause.when, clause.holds, clause.may, clause.lasts, clause.limits, clause.name)
