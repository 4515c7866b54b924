"""Forms met where a rule changes the odds of an attack: marks, weapons spoken of before, choices for attacks."""

from __future__ import annotations

import re
from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import Any as Either
from battlewright.effects import (
    AttackIs,
    Condition,
    CritOn,
    Duration,
    Grant,
    HasState,
    If,
    PerAttack,
    Pick,
    Select,
    SetState,
)
from battlewright.rulestext.blocks import Options
from battlewright.rulestext.builders.attacks import Attacks, from_attacker, get, those_weapons
from battlewright.rulestext.builders.gains import give
from battlewright.rulestext.builders.phrases import it, lower, row
from battlewright.rulestext.builders.scopes import snap_attacks
from battlewright.rulestext.builders.sentences import (
    Scope,
    Wrapped,
    bare_target,
    put,
    replace_wrapped,
    use_ability_when,
)
from battlewright.rulestext.builders.tails import they_get
from battlewright.rulestext.builders.things import of_the_army, this_bearer
from battlewright.rulestext.context import Context, Mention, Reject, in_option
from battlewright.rulestext.tokens import Token


def resolved_hits(c: Context, n: int) -> Wrapped:
    """What hits while the stratagem just spoken of is resolved."""
    scope = snap_attacks(c)
    return Wrapped((CritOn("hit", n, hits=True),), scope.when, tuple(scope.holds) or (AttackIs("snap"),))


def mark_out(c: Context, who: Select, words: tuple[Token, ...]) -> tuple[Anything, ...]:
    """Someone is picked to be "its prey": the mark is remembered by its word."""
    name = lower(c, words)
    c.marks.append(name)
    return (
        Pick(who),
        SetState(name, Select("unit", ref="bound", name="picked" if not c.picks else f"picked {c.picks + 1}")),
    )


def the_mark(c: Context, words: tuple[Token, ...]) -> Select:
    """ "Its prey": whoever carries the mark set before."""
    name = lower(c, words)
    if name not in c.marks:
        raise Reject("no such mark was set")
    select = Select("unit", where=HasState(name))
    c.mentions.append(Mention(select, None, c.block))
    return select


def such_attacks(c: Context, target: Anything = None) -> Scope:
    """An attack with one of the weapons last spoken of."""
    if c.weapons is None:
        raise Reject("which weapons?")
    c.use(c.weapons_block)
    trigger: PerAttack = c.weapons
    if isinstance(target, Select):
        trigger = replace(trigger, target=bare_target(c, from_attacker(c, target)))
    elif target is not None:
        raise Reject("targets of another kind")
    return Scope(when=trigger)


def they_have(c: Context, gains: Anything) -> Anything:
    """What "they" have besides: those of the attacks spoken of that are meant here, or whoever else "they" are."""
    here = next((block.when for block in c.block.chain() if isinstance(block.when, PerAttack)), None)
    if here is not None and c.weapons is not None and here == replace(c.weapons, target=here.target):
        return get(c, Attacks(), gains)
    if not all(isinstance(one, Grant) and one.what == "weapon_ability" for one in row(gains)):
        return give(c, it(c), gains)
    if c.weapons is not None and c.it is not None and c.it.ref == "target":
        return get(c, those_weapons(c), gains)  # no unit has the abilities of weapons: it is what is aimed at it
    return they_get(c, gains)


def either_ability(c: Context, first: Anything, second: Anything, condition: Condition) -> If:
    """These abilities, or those instead if so."""
    return If(condition, row(second), row(first))


def more_on(c: Context, gains: Anything) -> Anything:
    """A bare "+1 AP" behind "if they target …": of those attacks."""
    here = next((block.when for block in c.block.chain() if isinstance(block.when, PerAttack)), None)
    if here is None or here.target is None or c.weapons is None or here != replace(c.weapons, target=here.target):
        raise Reject("of what?")
    return get(c, Attacks(), gains)


def choice_for(c: Context, attacks: Attacks, duration: Duration | None = None) -> None:
    """Abilities below, one of which these attacks get, for so long."""
    c.chosen_for = attacks
    block = c.open() if duration is not None else c.block
    if duration is not None:
        block.lasts = duration
    with c.inside(block):
        put(c, Options())


def chosen_gain(c: Context, gains: Anything) -> Anything:
    """A bare ability: an option for the attacks spoken of where the choice was made."""
    if c.chosen_for is None or not in_option(c):
        raise Reject("an ability on its own")
    return get(c, c.chosen_for, gains)


def against_either(c: Context, first: Condition, second: Condition) -> Condition:
    """Against these attacks and those; mortal wounds are named last, in whatever order the text has them."""
    parts = (*_either(first), *_either(second))
    return Either(tuple(sorted(parts, key=lambda part: part == AttackIs("mortal"))))


def _either(condition: Condition) -> tuple[Condition, ...]:
    return condition.of if isinstance(condition, Either) else (condition,)


_CORE = frozenset(("stealth", "deep strike", "lone operative", "infiltrators", "fights first", "hover", "smoke"))


def named_gains(c: Context, words: tuple[Token, ...]) -> tuple[Grant, ...]:
    """ "The Benefit of Cover and the Stealth ability": each by its own kind."""
    parts = re.split(r",? and (?:the )?|, ", lower(c, words))
    if not {"benefit of cover", *_CORE} & set(parts):
        return (Grant("ability", lower(c, words)),)
    return tuple(map(_gain, parts))


def _gain(name: str) -> Grant:
    if name == "benefit of cover":
        return Grant("cover")
    return Grant("unit_ability" if name in _CORE else "ability", name)


def or_instead(c: Context, effects: Anything, others: Anything, condition: Condition) -> Anything:
    """This, or that instead if so."""
    old, new = row(effects), row(others)
    wrapped = [one for one in (*old, *new) if isinstance(one, Wrapped)]
    if not wrapped:
        return If(condition, new, old)
    if len(wrapped) != len(old) + len(new) or any(one.when != wrapped[0].when or one.holds for one in wrapped):
        raise Reject("'instead' of another kind")
    inner = If(condition, tuple(e for one in new for e in one.effects), tuple(e for one in old for e in one.effects))
    return replace_wrapped(wrapped[0], (inner,))


def it_or_bearer(c: Context) -> Select:
    """Whom "it" means after a change of the bearer's own characteristic."""
    if c.it is None:
        return this_bearer(c)
    c.use(c.it_block)
    return c.it


def army_use(c: Context, events: Anything) -> None:
    """ "Once per turn, one model with this ability can use it": of the whole army, not of each."""
    of_the_army(c)
    use_ability_when(c, events)


def such_attacks_by(c: Context, who: Anything) -> Scope:
    """An attack that one of those who have these weapons makes with one of them."""
    scope = such_attacks(c)
    if not isinstance(scope.when, PerAttack) or scope.when.attacker != who:
        raise Reject("whose weapons?")
    return scope
