"""What rules of a campaign say of battles, and other rules in the same words: ``in_battle.txt``."""

from __future__ import annotations

import pytest
from written_cases import written

from battlewright.effects_words import describe, parse, words_of
from battlewright.rulestext import compile as compile_rule


@pytest.mark.parametrize(("text", "words"), written("in_battle.txt"))
def test_what_it_says_is_in_the_rule(text: str, words: str) -> None:
    rule = compile_rule(text)
    assert rule.status == "full", rule.unread
    assert "\n".join(words_of(clause) for clause in rule.clauses) == words
    assert parse(describe(rule)) == rule
