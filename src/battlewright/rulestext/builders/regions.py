"""How much of the battlefield an army holds, and what stands in it."""

from __future__ import annotations

from typing import Any as Anything
from typing import Literal

from msgspec.structs import replace

from battlewright.effects import (
    About,
    Amount,
    Condition,
    Count,
    Keyword,
    OnObjective,
    Select,
    SetState,
    Visible,
    Window,
)
from battlewright.rulestext.blocks import conj
from battlewright.rulestext.builders.conditions import army_has, in_range_of
from battlewright.rulestext.builders.phrases import about, known
from battlewright.rulestext.builders.sentences import Wrapped, when
from battlewright.rulestext.context import Context, Mention, Reject


def part_of_them(c: Context, objectives: Select, share: str) -> Select:
    """Half of them, or more than half."""
    return replace(objectives, count=Count("any", Amount(ref=f"{share} of them")))


def includes_all(c: Context, sorts: tuple[Keyword, ...]) -> Condition:
    """One or more of each of these is in the army."""
    found = conj(army_has(c, sort) for sort in sorts)
    if found is None:
        raise Reject("includes what?")
    return found


def at_ours(c: Context, who: Select) -> Condition:
    """It is within range of an objective marker of ours; "that objective marker" is one it is in range of."""
    held = OnObjective("own")
    marker = Select("objective", where=conj([held, in_range_of(c, known(c, who))]))
    c.mentions.append(Mention(Select("objective", where=held), marker, None))
    return about(c, who, held)


def visible_to_both(c: Context) -> Condition:
    """ "Visible to both units": to the two last named."""
    named = [one.refer for one in reversed(c.mentions) if one.select.what == "unit" and one.refer is not None]
    both = list(dict.fromkeys(named))[:2]
    if len(both) < 2:
        raise Reject("which two?")
    found = conj(Visible(one) for one in both)
    assert found is not None
    return found


def fulfilled_when(c: Context, name: str, events: Anything) -> Wrapped:
    """What is done for good when something happens."""
    scope = when(c, events)
    return Wrapped((SetState(name, Select("army", ref="you")),), scope.when, tuple(scope.holds))


_IN_ZONE: dict[str, Literal["own_zone", "enemy_zone", "no_mans_land"]] = {
    "own zone": "own_zone",
    "enemy zone": "enemy_zone",
    "no man's land": "no_mans_land",
}


def zone_held(c: Context, zone: Select, state: str, share: str) -> Wrapped:
    """ "Your opponent's deployment zone is within it if you control half of the objective markers within it"."""
    where = _IN_ZONE.get(zone.name or "")
    if where is None:
        raise Reject("which part of the battlefield?")
    there = Select("objective", where=OnObjective("any", where))
    return Wrapped((SetState(state, zone),), holds=(About(part_of_them(c, there, share), OnObjective("own")),))


def unit_or(c: Context, model: Select) -> Select:
    """ "A unit or model from your army with this ability": a roll is made for the unit, whichever of the two is named."""
    if model.what != "model" or model.of is not None:
        raise Reject("which units?")
    return c.mention(replace(model, what="unit"))


def fulfilled_at(c: Context, name: str, window: Window, condition: Condition) -> Wrapped:
    """What is done for good when something holds at a moment."""
    return Wrapped((SetState(name, Select("army", ref="you")),), window, (condition,))


def replaced_count(c: Context, who: Select) -> Select:
    """Any of them."""
    return replace(who, count=Count("any"))
