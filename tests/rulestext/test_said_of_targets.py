"""Stratagems, gifts and what bearers have: every text of ``said_of_targets.txt`` says what stands behind its arrows."""

from __future__ import annotations

import pytest
from written_cases import says, written

from battlewright.effects import RuleKind
from battlewright.rulestext import compile


@pytest.mark.parametrize(("text", "words"), written("said_of_targets.txt"))
def test_what_is_said_of_targets_and_bearers_is_in_the_rule(text: str, words: str) -> None:
    kind: RuleKind = "stratagem" if text.startswith("WHEN") else "enhancement"
    says(compile(text, kind=kind), words)


def test_units_near_each_other_are_several_targets() -> None:
    text = 'Each time a unit within 6" of each other is selected to shoot, add 1 to its Hit rolls.'
    assert compile(text, kind="detachment-rule").status != "full"
