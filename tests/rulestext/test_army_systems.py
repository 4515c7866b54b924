"""Systems of armies: every text of ``army_systems.txt`` is read whole, and says what stands behind its arrows."""

from __future__ import annotations

import pytest
from written_cases import says, written

from battlewright.rulestext import compile
from battlewright.rulestext.build import read_price


@pytest.mark.parametrize(("text", "words"), written("army_systems.txt"))
def test_what_a_system_says_is_in_the_rule(text: str, words: str) -> None:
    says(compile(text, kind="detachment-rule"), words)


@pytest.mark.parametrize(
    ("name", "bare", "cost", "dice"),
    [
        ("Rite of Ash (2)", "Rite of Ash", 2, 0),
        ("Rite of Ash (3 Ember points)", "Rite of Ash", 3, 0),
        ("Rite of Ash - 4 points", "Rite of Ash", 4, 0),
        ("Red Path (Double 3+)", "Red Path", None, 1),
        ("Red Path (Double 4+ or any triple)", "Red Path", None, 2),
        ("Red Path (Aura)", "Red Path (Aura)", None, 0),
    ],
)
def test_a_name_says_what_its_option_costs(name: str, bare: str, cost: int | None, dice: int) -> None:
    found = read_price(name)
    assert found.name == bare
    assert (found.cost and found.cost.n.constant) == cost
    assert len(getattr(found.shown[0], "of", found.shown) if dice > 1 else found.shown) == dice


def test_labelled_parts_within_a_rule_do_not_hide_what_stands_before_them() -> None:
    text = "Xyzzy frobnicates.\nOne Trick\nWhen: The start of the Fight phase.\nEffect: You gain 1CP."
    assert compile(text, kind="faction-rule").status == "partial"


def test_what_has_no_cost_cannot_be_bought() -> None:
    text = "You gain 2 Ember points. Ember points can be spent on the following rites.\nRite of Ash: You gain 1CP."
    assert compile(text, kind="faction-rule").status == "partial"
