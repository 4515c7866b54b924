"""Battlewright: reads the rules, knows the odds, plays the battle."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from battlewright.effects import EditionId, Rule, RuleKind


def understand(text: str, *, name: str = "", kind: RuleKind = "other", edition: EditionId | None = None) -> Rule:
    """The rule these words make; what was not understood is named in ``unread``. Never raises.

    >>> understand("This unit's melee attacks have [Lethal Hits].").status
    'full'
    """
    from battlewright import rulestext

    return rulestext.compile(text, name=name, kind=kind, edition=edition)
