"""Rules of single factions and datasheets that ship as records in our vocabulary (``id``: its place in the seed digest)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from battlewright.codec import from_json
from battlewright.effects import EditionId, Rule, RuleKind

HERE: Final = Path(__file__).parent / "rules"


@cache
def page_rules(edition: EditionId, kind: RuleKind | None = None) -> tuple[Rule, ...]:
    """The rules of pages that ship for an edition, of a kind or all.

    >>> [rule.name for rule in page_rules("11e", "order")][:2]
    ['Move! Move! Move!', 'Fix Bayonets!']
    """
    path = HERE / f"{edition}.json"
    rules = from_json(path.read_bytes(), tuple[Rule, ...], where=path.name)
    return tuple(rule for rule in rules if kind in (None, rule.kind))
