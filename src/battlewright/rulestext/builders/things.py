"""Who and what is meant, where more than a noun phrase is needed: marks, some of those named, weapons, objectives."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import (
    AttackIs,
    Condition,
    Count,
    HasState,
    Keyword,
    Select,
)
from battlewright.rulestext.blocks import conj
from battlewright.rulestext.builders.phrases import (
    BOTH_TARGETS,
    OTHER_TARGET,
    YOUR,
    Trait,
    any_of,
    attack_target,
    every_of,
    negate,
    row,
    thing,
    those,
    unit_of,
    your,
)
from battlewright.rulestext.context import ME, UNIT, Context, Mention, Poison, Reject, echoes
from battlewright.rulestext.tokens import Token
from battlewright.rulestext.words import phrase


def this_bearer(c: Context) -> Select:
    return ME


def this_keyword(c: Context, k: Keyword) -> Select:
    """ "this TRANSPORT": the model whose rule this is."""
    return ME


def those_any(c: Context, k: Keyword) -> Select:
    """ "that VEHICLE": a unit or a model that was named."""
    try:
        return c.that("unit", None, k)
    except Reject:
        return c.that("model", None, k)


def mention_bearer(c: Context, k: Keyword | None = None, who: Select = ME) -> None:
    """ "One unit with this ability": the bearer may be spoken of, by its keyword too; how often is of the whole army."""
    of_the_army(c)
    for one in (UNIT, ME):
        c.mentions.append(Mention(one, one, c.block))
    if k is not None:
        c.mentions.append(Mention(replace(ME, where=k), ME, c.block))
    c.it, c.it_block = who, c.block


def of_the_army(c: Context) -> None:
    """ "Once per turn, one model with this ability": of the whole army, not of each."""
    block = next((one for one in c.block.chain() if one.limits), None)
    if block is not None:
        before, block.limits = block.limits, [replace(limit, each="army") for limit in block.limits]
        c.undo.append(lambda: setattr(block, "limits", before))


def objective_thing(c: Context, count: Count | None, *said: Condition | None) -> Select:
    """ "one objective marker you control"."""
    return c.mention(Select("objective", where=conj(said), count=count or Count()))


def weapon_thing(c: Context, count: Count | None, kind: str | None, owner: Select) -> Select:
    """ "one melee weapon equipped by the bearer"."""
    return weapon_where(c, count or Count(), None if kind is None else AttackIs(kind), owner)  # type: ignore[arg-type]


def weapon_where(c: Context, count: Count, where: Condition | None, owner: Select) -> Select:
    """ "One of its blast weapons"."""
    return c.mention(Select("weapon", where=where, count=count, of=owner))


def thing_where(c: Context, count: Count | None, adjectives: Anything, condition: Condition, mods: Anything) -> Select:
    return thing(c, "unit", count, (*row(adjectives), Trait(holds=condition)), None, mods)


def except_some(c: Context, k: Keyword, x: Condition, other: Keyword) -> Condition:
    """ "KW (excluding those) or OTHER"."""
    return any_of(c, every_of(c, k, negate(c, x)), other)


def of_those(c: Context, side: str | None = None, k: Keyword | None = None) -> Select:
    """ "one or more of those units": of several that were named together."""
    if side is None and k is None and (aimed := both_aimed(c)) is not None:
        return aimed
    for mention in reversed(c.mentions):
        if isinstance(mention, Poison):
            raise Reject("may mean something unread")
        if (
            mention.select.what != "unit"
            or (side and mention.select.side not in (None, side))
            or _is_one(mention.select)
        ):
            continue
        if k is not None and not echoes(mention.select, k):
            continue
        if mention.refer is None:
            mention.refer = c.name(mention.select)
        c.use(mention.block)
        c.among = mention.refer
        return mention.refer
    return c.that("unit", side, k)


def those_targeted(c: Context) -> Select:
    """ "Each time an enemy unit makes an attack that targets one of those units": those named before this sentence."""
    said = c.mentions
    c.mentions = [one for one in said if one.block is None or c.root is None or c.root not in one.block.chain()]
    try:
        found = of_those(c)
    except Reject:
        c.mentions = said
        return of_those(c)
    c.mentions = [*said, *(one for one in c.mentions if one not in said)]
    return found


def targeted_unit(c: Context) -> Select:
    """ "The targeted unit": a stratagem's, or the one that the attack spoken of targets."""
    attack = c.target is None and c.attack is not None and c.attack in c.block.chain()
    return attack_target(c) if attack else your(c)


def one_of_those(c: Context) -> Select:
    """ "One of those units", of several that were picked."""
    found = of_those(c)
    picked = found.ref == "bound" and (found.name or "").startswith("picked")
    return replace(found, count=Count("one")) if picked else found


def both_aimed(c: Context) -> Select | None:
    """Both targets of a stratagem that has two, where no others were named after them."""
    if c.also_target is None or not both_ours(c.also_target):
        return None
    for mention in reversed(c.mentions):
        if isinstance(mention, Poison):
            return None
        if mention.refer in (YOUR, OTHER_TARGET) or mention.select == BOTH_TARGETS:
            return replace(BOTH_TARGETS)
        if mention.select.what == "unit" and not _is_one(mention.select) and mention.select.ref is None:
            return None
    return None


def both_ours(second: Select) -> bool:
    """Is the second target of a stratagem a unit of ours, too?"""
    return second.what == "unit" and second.side != "enemy"


def those_units(c: Context) -> Select:
    """ "Those units": both targets of a stratagem, or those named last."""
    found = both_aimed(c) or those(c, "unit")
    if found.ref in ("unit", "led"):
        raise Reject("one unit is not those")
    return found


def _is_one(select: Select) -> bool:
    """Is it one unit, of which nobody says "those"?"""
    return select.count.kind == "one" or select.ref in ("self", "unit", "led")


def bodyguard_of(c: Context, who: Select) -> Select:
    """The unit a leader leads, without the leader."""
    return Select("unit", ref="led") if who in (ME, UNIT) else unit_of(c, who)


def your_model(c: Context, words: tuple[Token, ...]) -> Select:
    """ "Your GRENADES model": the one just selected in the stratagem's unit."""
    k = Keyword(((phrase(words).upper(),),))
    for mention in reversed(c.mentions):
        if mention.select.what == "model" and mention.select.of == YOUR and echoes(mention.select, k):
            if mention.refer is None:
                mention.refer = Select("model", ref="bound", name="picked" if not c.picks else f"picked {c.picks + 1}")
            return mention.refer
    return marked(c, words)


def marked(c: Context, words: tuple[Token, ...]) -> Select:
    """ "your Prey", "your Vendetta target": the unit that carries this mark; "your TRANSPORT": a stratagem's target."""
    name = phrase(words).upper()
    if name in ("DEPLOYMENT ZONE", "ARMY", "ARMY FACTION"):
        raise Reject("no unit")
    if c.target is not None and any(echoes(c.target, Keyword(((one,),))) for one in (name, name.removesuffix("S"))):
        return your(c)
    return Select("unit", where=HasState(phrase(words).lower()))


def replace_where(c: Context, who: Select, condition: Condition) -> Select:
    """The target, if that holds of it."""
    found = replace(who, where=conj([who.where, condition]))
    for mention in c.mentions:
        if mention.select is who:
            mention.select = found
    return found


def replace_select(select: Select) -> Select:
    """Without how many: "a unit" is any."""
    return replace(select, count=Count())


def other_unit(c: Context) -> Select:
    """ "A friendly model makes an attack that targets that unit": not the unit of the attacker, just named."""
    for mention in reversed(c.mentions):
        if isinstance(mention, Poison):
            break
        if mention.select.what == "unit":
            if mention.block is c.block and mention.select.ref is None and mention.select.side == "friendly":
                return c.that("unit", "enemy", said=False)
            break
    return c.that("unit")


def either_thing(c: Context, first: Select, second: Select) -> Select:
    """ "A battle-shocked unit or a unit below half-strength": any of both."""
    if first.where is None or second.where is None or first.ref is not None or second.ref is not None:
        raise Reject("any unit")
    c.drop(first)
    c.drop(second)
    return c.mention(replace(first, where=any_of(c, first.where, second.where)))


def counted(c: Context, who: Select) -> Select:
    return replace(who, count=Count())


def spoken(c: Context) -> Select:
    """Who the clause is about, where it does not say."""
    if c.it is None:
        raise Reject("who?")
    c.use(c.it_block)
    return c.it
