"""What rules of a campaign say of battles, and other rules in the same words: ``in_battle.txt``."""

from __future__ import annotations

import pytest
from written_cases import says, written

from battlewright.rulestext import compile as compile_rule


@pytest.mark.parametrize(("text", "words"), written("in_battle.txt"))
def test_what_it_says_is_in_the_rule(text: str, words: str) -> None:
    says(compile_rule(text), words)
