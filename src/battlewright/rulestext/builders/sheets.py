"""What datasheets say besides: weapons that do something, who is aboard."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import (
    About,
    Amount,
    AttackIs,
    Condition,
    Count,
    Embarked,
    Grant,
    Select,
    Trigger,
    Window,
)
from battlewright.rulestext.builders.phrases import whole
from battlewright.rulestext.builders.scopes import afterwards
from battlewright.rulestext.builders.sentences import Scope
from battlewright.rulestext.builders.windows import either_event
from battlewright.rulestext.context import Context, Reject


def either_moment(c: Context, first: Anything, second: Anything) -> Trigger:
    """ "At the start of the battle, and each time an enemy unit is destroyed": at each of these moments."""
    if any(isinstance(one, Window) and one.edge == "during" for one in (first, second)):
        raise Reject("a moment in a stretch of time")
    return either_event(c, first, second)


def after_all(c: Context) -> Scope:
    """ "After resolving this ability": whatever came of the dice."""
    if c.last is None:
        raise Reject("after what?")
    return afterwards(c)


def more_hits(c: Context, n: Amount) -> Grant:
    """ "That attack scores two additional hits", of a critical hit."""
    attack = c.scope_of_attack()
    if AttackIs("critical_hit") not in [one for block in (*c.block.chain(), attack) for one in block.holds]:
        raise Reject("additional hits on a hit that is not critical")
    return Grant("weapon_ability", "sustained hits", n)


def carries(c: Context, who: Select, what: Select) -> Condition:
    """ "While this model is transporting a GUARD unit": someone like that is aboard."""
    if what.ref is not None:
        raise Reject("who is aboard?")
    return About(replace(what, count=Count("any")), Embarked(whole(who)))
