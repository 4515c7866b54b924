"""Phrases that every frame shares: whose attacks did it, what an attack's characteristic is, what does not add up."""

from __future__ import annotations

import pytest

from battlewright.effects_words import describe
from battlewright.rulestext import compile


def said(text: str) -> str:
    rule = compile(text)
    assert rule.status == "full", [unread.text for unread in rule.unread]
    return describe(rule).split(": ", 1)[1]


@pytest.mark.parametrize(
    "whose",
    [
        "as a result of those attacks",
        "by those attacks",
        "as the result of one or more of those attacks",
        "as a result",
    ],
)
def test_by_the_attacks_just_made(whose: str) -> None:
    lost = f"if any models in this unit were destroyed {whose}"
    rule = compile(f"Each time an enemy unit has resolved its attacks, {lost}, heal 1 wound.")
    assert "if any model of the bearer's unit: destroyed" in describe(rule)


@pytest.mark.parametrize(
    ("value", "condition"),
    [
        ("1", "attack.D = 1"),
        ("2 or more", "attack.D >= 2"),
        ("2 or less", "attack.D <= 2"),
        ("1 or 2", "either (attack.D = 1 or attack.D = 2)"),
    ],
)
def test_the_value_of_a_characteristic(value: str, condition: str) -> None:
    attack = f"an attack with a Damage characteristic of {value}"
    assert condition in said(f"Each time {attack} is allocated to this model, add 1 to the saving throw.")


def test_armour_penetration_of_some_values_becomes_none() -> None:
    text = (
        "Each time an attack with an Armour Penetration characteristic of -1 or -2 targets this unit, that attack has an"
        " Armour Penetration characteristic of 0 instead."
    )
    assert said(text).endswith("if either (attack.AP = “-1” or attack.AP = “-2”) · set AP 0 of the attack")


def test_two_characteristics_by_two_amounts() -> None:
    both = "the Strength and Armour Penetration characteristics of that attack"
    assert said(f"Each time this model makes an attack, improve {both} by 2 and 1 respectively.").endswith(
        "add S 2 of the attack; improve AP 1 of the attack"
    )


@pytest.mark.parametrize("aimed", ["that targets", "against", "targeting"])
def test_the_closest_target_however_it_is_aimed_at(aimed: str) -> None:
    closest = f'a ranged attack {aimed} the closest eligible target within 12"'
    assert "closest" in said(f"Each time this model makes {closest}, re-roll a Hit roll of 1.")


def test_what_does_not_add_up() -> None:
    alone = "(this is not cumulative with any other negative modifiers to that roll)"
    before = "At the start of your opponent's turn, select one enemy unit. Until the end of the turn, "
    assert "not cumulative" in said(f"{before}subtract 2 from Charge rolls made for that unit {alone}.")


def test_the_opponent_selects_one_of_their_units() -> None:
    before = "At the start of the battle, your opponent selects one of their units. "
    assert "by opponent" in said(
        before + "Each time this model makes an attack that targets that unit, add 1 to the Hit roll."
    )


def test_the_target_of_a_charge() -> None:
    text = "Each time this unit is selected as the target of a charge, subtract 2 from the Charge roll."
    assert said(text) == "when charge declared – enemy unit → the bearer's unit · -2 to charge rolls of that unit"
