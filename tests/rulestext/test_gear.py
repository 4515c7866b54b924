"""What wargear, upgrades and abilities say of tests, tokens, transports: ``gear.txt``, as in ``test_unit_abilities``."""

from __future__ import annotations

import pytest
from written_cases import says, written

from battlewright.effects_words import words_of
from battlewright.rulestext import compile as compile_rule


@pytest.mark.parametrize(("text", "words"), written("gear.txt"))
def test_what_it_says_is_in_the_rule(text: str, words: str) -> None:
    says(compile_rule(text), words)


@pytest.mark.parametrize(
    "text",
    [
        "If the result of that test was 7+, you gain 1CP.",
        "Subtract 2 from that test instead.",
        "After resolving that Stratagem, this unit can shoot.",
        'Add 2" to the Move characteristic of the selected VEHICLE model.',
        "If a double is rolled, you gain 1CP.",
        "Units that do so cannot declare a charge in the same turn.",
    ],
)
def test_words_that_refer_to_nothing_are_not_understood(text: str) -> None:
    assert compile_rule(text).status != "full"


def test_whom_another_stratagem_was_used_on_is_no_target() -> None:
    rule = compile_rule(
        "WHEN: Your Shooting phase.\nTARGET: One IRON TIDE unit from your army.\nEFFECT: Until the end of the phase, "
        "ranged weapons equipped by models in your unit have the [ASSAULT] ability.\nRESTRICTIONS: You cannot select any "
        "units that have already been targeted with either the Long Shot or Cold Fire Stratagems this phase.",
        kind="stratagem",
    )
    assert rule.status == "full", rule.unread
    assert rule.target is not None
    assert "targeted with long shot" in str(rule.target.where)
    assert "targeted with cold fire" in str(rule.target.where)
    assert "forbid" not in " ".join(map(words_of, rule.clauses))


def test_who_may_not_have_an_enhancement() -> None:
    rule = compile_rule(
        "IRON TIDE model only. This Enhancement cannot be given to an EPIC HERO. Add 1 to the Wounds characteristic of "
        "the bearer.",
        kind="enhancement",
    )
    assert rule.status == "full", rule.unread
    assert rule.bearer is not None
    assert words_of(rule.bearer) == "(IRON TIDE and not EPIC HERO)"
