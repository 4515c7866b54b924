"""Core rules of both editions that are effects (stratagems first), as records in our vocabulary."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from battlewright.codec import from_json
from battlewright.effects import EditionId, Rule, RuleKind

HERE: Final = Path(__file__).parent


@cache
def core_rules(edition: EditionId, kind: RuleKind | None = None) -> tuple[Rule, ...]:
    """The core rules that ship for an edition, of a kind or all.

    >>> [rule.name for rule in core_rules("11e", "stratagem")][:2]
    ['Command Re-roll', 'Insane Bravery']
    """
    rules: list[Rule] = []
    for path in sorted((HERE / edition / "rules").glob("*.json")):
        rules += from_json(path.read_bytes(), tuple[Rule, ...], where=path.name)
    return tuple(rule for rule in rules if kind in (None, rule.kind))
