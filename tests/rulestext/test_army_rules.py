"""Rules of armies: every text of ``army_rules.txt`` is read whole, and says what stands behind its arrows."""

from __future__ import annotations

import pytest
from written_cases import says, written

from battlewright.effects import Static
from battlewright.effects_words import describe
from battlewright.rulestext import compile


@pytest.mark.parametrize(("text", "words"), written("army_rules.txt"))
def test_what_an_army_rule_says_is_in_the_rule(text: str, words: str) -> None:
    says(compile(text, kind="detachment-rule"), words)


def test_who_bears_an_ability_is_no_other_of_its_name() -> None:
    text = (
        "Once per battle, one ASH LORD model from your army can use this ability. If it does, it regains 3 lost wounds."
    )
    borne, army = compile(text, kind="unit-ability"), compile(text, kind="detachment-rule")
    assert "of this model" in describe(borne)
    assert "pick <one friendly model (ASH LORD)" in describe(army)


def test_a_word_is_written_in_a_frame_as_in_a_text() -> None:
    for act in ("choose to Rage", "select to Rage"):
        text = f"Each time this unit is selected to fight, it can {act}. If it does, it has the Stealth ability."
        assert compile(text).status == "full"


def test_bullets_below_a_line_that_only_says_when_are_below_a_header() -> None:
    text = "Each time this unit Advances.\n- It can move through terrain features.\n- It cannot declare a charge."
    assert all(clause.when != Static() for clause in compile(text).clauses)
