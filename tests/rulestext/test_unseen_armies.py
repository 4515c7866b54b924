"""Texts of armies nobody tuned to: those of ``unseen_armies.txt`` are read whole, and say what stands behind the arrow."""

from __future__ import annotations

import pytest
from written_cases import says, written

from battlewright.rulestext import compile


@pytest.mark.parametrize(("text", "words"), written("unseen_armies.txt"))
def test_what_the_text_says_is_in_the_rule(text: str, words: str) -> None:
    says(compile(text), words)
