"""What touches an attack, in any of its wordings: ``attack_words.txt``, as in ``test_unit_abilities``."""

from __future__ import annotations

import pytest
from written_cases import says, written

from battlewright.rulestext import compile


@pytest.mark.parametrize(("text", "words"), written("attack_words.txt"))
def test_what_it_says_is_in_the_rule(text: str, words: str) -> None:
    says(compile(text), words)


@pytest.mark.parametrize(
    "text",
    [
        # one result alone is not that result or more
        "Each time this model makes an attack, an unmodified Hit roll of 5 scores a Critical Hit.",
        # a hit roll makes no critical wound
        "Each time this model makes an attack, an unmodified Hit roll of 5+ scores a Critical Wound.",
        # only critical hits score more than one
        "Each time this model makes an attack, that attack scores 1 additional hit.",
        # nothing was rolled
        "This unit suffers that many mortal wounds.",
        # of which attacks is that said?
        "Each time this model makes an attack, the target suffers 1 mortal wound and the attack sequence ends.",
        # which roll of the attack?
        "Each time this model makes an attack, on an unmodified 6, the target suffers 1 mortal wound.",
    ],
)
def test_what_cannot_be_said_is_not_read(text: str) -> None:
    assert compile(text).status != "full"
