"""How much of the battlefield an army holds, and what stands in it."""

from __future__ import annotations

from msgspec.structs import replace

from battlewright.effects import Amount, Condition, Count, Keyword, Select
from battlewright.rulestext.blocks import conj
from battlewright.rulestext.builders.conditions import army_has
from battlewright.rulestext.context import Context, Reject


def part_of_them(c: Context, objectives: Select, share: str) -> Select:
    """Half of them, or more than half."""
    return replace(objectives, count=Count("any", Amount(ref=f"{share} of them")))


def includes_all(c: Context, sorts: tuple[Keyword, ...]) -> Condition:
    """One or more of each of these is in the army."""
    found = conj(army_has(c, sort) for sort in sorts)
    if found is None:
        raise Reject("includes what?")
    return found
