"""Tokens that units carry: they gain and lose them, and are told by how many they have."""

from __future__ import annotations

from battlewright.effects import Amount, Select, SetState
from battlewright.rulestext.builders.phrases import whole
from battlewright.rulestext.context import Context


def tokens_for(
    c: Context, who: Select, name: str, n: Amount, most: Amount | None = None, lost: bool = False
) -> SetState:
    """A unit gains (or loses) so many tokens of a name, never having more than ``most``."""
    return SetState(name, whole(who), lost, n, None if most is None else most.n.constant)
