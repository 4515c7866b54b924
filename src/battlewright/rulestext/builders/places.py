"""Objectives put together of who controls them and where they lie."""

from __future__ import annotations

from battlewright.effects import Condition
from battlewright.rulestext.builders.conditions import objective
from battlewright.rulestext.context import Context, Reject

#: who controls it, or where it lies
Said = tuple[str | None, str | None]


def objective_of(c: Context, noun: tuple[Said, ...], posts: tuple[Said, ...] | None) -> Condition:
    """Within range of an objective of which all this is said."""
    said = [*noun, *(posts or ())]
    control = [one for one, _ in said if one]
    where = [one for _, one in said if one]
    if len(control) > 1 or len(where) > 1:
        raise Reject("an objective of two kinds")
    return objective(c, control[0] if control else None, where[0] if where else None)
