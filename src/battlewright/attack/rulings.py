"""The rules of both units, compiled and folded into the question: what counted, what did not, and why."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from battlewright.attack.answer import RuleAnswer
from battlewright.attack.matchup import Matchup


class Ruled(Struct, frozen=True):
    """The request as the rules leave it, an answer for each rule, and what was left out because nothing says it."""

    request: dict[str, Any]
    answers: tuple[RuleAnswer, ...] = ()
    assumed: tuple[str, ...] = ()


def rule_on(question: Matchup) -> Ruled:
    """Fold the abilities of both units into the request."""
    return Ruled(question.request)
