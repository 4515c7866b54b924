"""Army building: lists of units, how many of them, what they gain and lose."""

from __future__ import annotations

from msgspec.structs import replace

from battlewright.effects import (
    Amount,
    Any,
    Build,
    Choose,
    Condition,
    Count,
    Grant,
    HasState,
    Keyword,
    Models,
    Option,
    Pick,
    Remove,
    Select,
)
from battlewright.rulestext.blocks import conj
from battlewright.rulestext.builders.gains import give, grant_keyword
from battlewright.rulestext.builders.numbers import value
from battlewright.rulestext.builders.phrases import Trait, change_last, last_effect, row, whole
from battlewright.rulestext.builders.picks import pick
from battlewright.rulestext.builders.sentences import put
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.tokens import Token
from battlewright.rulestext.words import phrase


def sizes(c: Context, *counts: int) -> Condition:
    """A unit of so many models, or so many."""
    found = tuple(Models(n, n) for n in counts)
    return found[0] if len(found) == 1 else Any(found)


def listed(c: Context, names: Condition, mods: object = None, what: str = "unit") -> Select:
    """Those of a list, as far as what the header says of them goes."""
    traits: tuple[Trait, ...] = row(mods)
    if any(trait.of or trait.other or trait.side == "enemy" for trait in traits):
        raise Reject("a list of others")
    where = conj([names, *(trait.holds for trait in traits)])
    return Select("model" if what == "model" else "unit", where=where)


def include(
    c: Context, names: Condition, n: Amount | None = None, each: bool = False, bound: str | None = None
) -> Build:
    """How many of a list an army may have, of all of them or of each."""
    words = (*(("each",) if each else ()), *(() if bound is None else (bound,)))
    units = c.mention(listed(c, names))
    return Build("include", units, amount=None if n is None else value(c, n), words=words)


def drawn_in(c: Context, names: Condition, faction: Keyword) -> Build:
    """Units of others, which become of this faction."""
    return replaced_words(c, include(c, names), "any faction", f"become {faction.any_of[0][0].lower()}")


def replaced_words(c: Context, build: Build, *words: str) -> Build:
    return replace(build, words=words)


def one_sort(c: Context, first: tuple[Amount, Select], second: tuple[Amount, Select], any_faction: bool) -> Choose:
    """So many of these, or so many of those."""
    words = ("any faction",) if any_faction else ()
    options = tuple(Option((Build("include", whole(u), None, value(c, n), words),)) for n, u in (first, second))
    c.it, c.it_block = Select("model", where=_either(first[1], second[1])), c.block
    return Choose(options)


def just_included(c: Context) -> Select:
    """ "These models": those of whom it was just said that an army can include them."""
    last = last_effect(c)
    who = last.who if isinstance(last, Build) and last.how == "include" else None
    if isinstance(last, Choose):
        who = c.it
    if who is None:
        raise Reject("none of which?")
    return whole(who)


def _either(first: Select, second: Select) -> Condition | None:
    kinds = [one.where for one in (first, second) if isinstance(one.where, Keyword)]
    return Keyword(tuple(group for kind in kinds for group in kind.any_of)) if len(kinds) == 2 else None


def lose_rule(c: Context, who: Select, name: str) -> Remove:
    return Remove("ability", name, whole(who))


def replaced_with(c: Context, name: str) -> Grant:
    """ "… and it is replaced with that": for those who lost something."""
    for items, at, _ in reversed(c.history[-1:]):
        old = items[at]
        if isinstance(old, Remove) and old.who is not None:
            return Grant("ability", name, who=old.who)
    raise Reject("what is replaced?")


def listed_gain(c: Context, of: Select, units: tuple[Select, ...], k: Keyword, drawn: str = "") -> object:
    """Of these, those of a list gain a keyword (if they are ``drawn`` from there)."""
    origin = HasState(f"drawn from the {drawn}") if drawn else None
    gains: list[object] = []
    for one in units:
        who = Select("unit", side="friendly", where=conj([of.where, one.where, origin]))
        gains.extend(give(c, who, grant_keyword(c, k)))
    return tuple(gains)


def dashed(c: Context, token: Token) -> int:
    """ "Incursion - 2": the dash is no sign."""
    if not token.raw.startswith("-"):
        raise Reject("a change")
    return int(token.raw[1:])


#: the value of an amount that the rows of a table give for each size of battle
BY_SIZE = "battle size"


def by_battle_size(c: Context, who: Select) -> Build | None:
    """How many depends on the size of the battle; the rows stand below."""
    c.drop(who)
    return sized(c)


def sized(c: Context) -> Build | None:
    """The same; of those who were picked, so many are."""
    some = Count("up_to", Amount(ref=BY_SIZE))
    picked = change_last(
        c,
        lambda old: isinstance(old, Pick) and old.who.count == Count("any"),
        lambda old: replace(old, who=replace(old.who, count=some)),
    )
    return None if picked else Build("limit", words=("by battle size",))


def pick_some(c: Context, who: Select, may: bool = False, by_size: bool = False) -> Pick:
    """ "Select a number of units": as many as the battle's size allows."""
    some = replace(who, count=Count("up_to", Amount(ref=BY_SIZE)) if by_size else Count("any"))
    for mention in c.mentions:
        if mention.select is who:
            mention.select = some
    return pick(c, some, may)


def size_row(c: Context, size: str, n: int) -> Build:
    """A row of the table: so many in a battle of that size."""
    return Build("limit", amount=n, words=(size,))


def cost_row(c: Context, models: int | None, n: int, pool: str, k: Keyword | None = None) -> Build:
    """ "10 models = 4 Ember points", below the name of a unit."""
    named = k or (Keyword(((c.heading.upper(),),)) if c.heading else None)
    if named is None:
        raise Reject("which unit?")
    size = None if models is None else Models(models, models)
    return Build("limit", Select("unit", where=named), size, n, (f"costs {pool}",))


def costs_below(c: Context, pool: str) -> None:
    """What each unit costs, the rows below say."""
    c.costing, c.pieces = pool, c.pieces + 1


def costs_row(c: Context, models: int | None, n: int, pool: str | None, k: Keyword) -> Build:
    """One of those rows."""
    if not c.costing or (pool and pool != c.costing):
        raise Reject("costs what?")
    return cost_row(c, models, n, c.costing, k)


def numbered_name(c: Context, number: Token, end: str, words: tuple[Token, ...]) -> str:
    """ "1st Lance": a name that begins with a number."""
    return f"{number.raw}{end} {phrase(words).lower()}"


def upgrades(c: Context, who: Select, words: tuple[Token, ...] | None) -> None:
    """Some are picked when the army is mustered, and have what the upgrade is called."""
    chosen = pick(c, who, True)
    put(c, chosen)
    if words is not None and c.it is not None:
        put(c, Grant("ability", phrase(words).lower(), who=whole(c.it)))
