"""Abilities of units: every text of ``unit_abilities.txt`` is read whole, and says what stands behind its arrow."""

from __future__ import annotations

import pytest
from written_cases import says, written

from battlewright.rulestext import compile


@pytest.mark.parametrize(("text", "words"), written("unit_abilities.txt"))
def test_what_an_ability_says_is_in_the_rule(text: str, words: str) -> None:
    says(compile(text), words)


@pytest.mark.parametrize(
    "text",
    [
        "In your Shooting phase, the bearer can light its flare.",  # nothing says what comes of it
        "Once per battle, this unit can make a great leap towards that objective. If it does, you gain 1CP.",
        "While that wave lasts, the unit being rolled for suffers 1 mortal wound.",  # no dice are rolled for anyone
    ],
)
def test_an_act_that_may_mean_more_is_not_read(text: str) -> None:
    assert compile(text).status != "full"


@pytest.mark.parametrize(
    "text",
    ['While a friendly GUARD unit is within 6" of this model, it suffers 1 mortal wound.', "Each model is destroyed."],
)
def test_what_is_done_at_once_is_done_at_some_time(text: str) -> None:
    assert compile(text, kind="unit-ability").status == "partial"
    assert compile(f"At the end of your turn: {text}", kind="unit-ability").status == "full"
