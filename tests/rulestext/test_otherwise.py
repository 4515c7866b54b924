""" "Otherwise": the results of the dice that no row named, or a condition that does not hold; never without one."""

from __future__ import annotations

import pytest

from battlewright.effects import Cp, RollDice, Unknown
from battlewright.effects_words import words_of
from battlewright.rulestext import compile as compile_rule

DICE = [
    ("on a 5+, you gain 3CP; otherwise, you gain 2CP.", "from 5 → (+3 CP); up to 4 → (+2 CP)"),
    ("on a 5+, you gain 3CP. Otherwise, you gain 2CP.", "from 5 → (+3 CP); up to 4 → (+2 CP)"),
    ("on a 1, you lose 1CP. Otherwise, you gain 2CP.", "from 1 up to 1 → (-1 CP); from 2 → (+2 CP)"),
    (
        "on a 1, you lose 1CP; on a 2-4, you gain 2CP. Otherwise, you gain 3CP.",
        "from 1 up to 1 → (-1 CP); from 2 up to 4 → (+2 CP); from 5 → (+3 CP)",
    ),
]


@pytest.mark.parametrize(("rows", "wanted"), DICE)
def test_of_dice_it_is_what_no_row_named(rows: str, wanted: str) -> None:
    rule = compile_rule(f"In your Command phase, roll one D6: {rows}", name="x", edition="10e")
    assert rule.status == "full"
    (clause,) = rule.clauses
    (dice,) = clause.do
    assert isinstance(dice, RollDice)
    assert words_of(dice) == f"roll D6: ({wanted})"


def test_results_on_both_sides_are_not_guessed() -> None:
    text = "In your Command phase, roll one D6. On a 3-4, you gain 2CP. Otherwise, you gain 3CP."
    rule = compile_rule(text, name="x", edition="10e")
    assert rule.status == "partial"
    inner = rule.clauses[-1]
    assert isinstance(inner.holds, Unknown), "what hangs on it never holds"
    assert isinstance(inner.do[0], Cp)
