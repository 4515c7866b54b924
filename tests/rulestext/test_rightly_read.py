"""Who, when, how long and how far, as the text says it: every text of ``rightly.txt`` says what stands behind its arrow.

Each stands for a kind of text that was once read with something else in its place, or with a word of it lost.
"""

from __future__ import annotations

import pytest
from written_cases import says, written

from battlewright.effects_words import words_of
from battlewright.rulestext import compile


@pytest.mark.parametrize(("text", "words"), written("rightly.txt"))
def test_what_it_says_and_nothing_else(text: str, words: str) -> None:
    says(compile(text), words)


@pytest.mark.parametrize(
    "text",
    [
        # the closest of all, whoever is attacked
        "Each time an enemy model makes an attack, if this unit is the closest eligible target, add 1 to the Hit roll.",
        # in place of another move: that one is not made
        "This unit can make a Normal move instead of making a Charge move.",
        # whose Toughness it is compared with is nobody the attack is made at
        "Each time this model makes an attack, if the Strength of that attack is less than the Toughness of this unit, add "
        "1 to the Hit roll.",
        "This unit can perform a Heroic Intervention for 0CP.",
        # whose side holds it
        "Each time this model makes an attack that targets a unit, if that unit is controlling an objective, add 1 to the "
        "Hit roll.",
        # it has what was just given in any case
        "This unit gains the SMOKE keyword. If it already has the SMOKE keyword, you gain 1CP.",
        # who is near is not who it is near
        'While this unit is within 6" of one or more friendly SPY units, those units have the Stealth ability.',
        "If an enemy unit takes a Battle-shock test as a result of the Fear And Dread rule, subtract 1 from that test.",
        # another characteristic than Strength
        "Each time this model makes an attack, if that attack's Attacks characteristic is greater than the target's "
        "Toughness characteristic, add 1 to the Wound roll.",
        # how much is spent, how many dice, how little it costs
        "Each time you spend 2CP on a Stratagem, you gain 1CP.",
        "Each time you spend 2CP, you gain 1CP.",
        "In your Shooting phase, roll six D6. You can re-roll up to two of those dice. For each 4+, you gain 1CP.",
        "Each time your opponent targets a unit with a Stratagem, increase the cost of that Stratagem by 1CP (to a "
        "minimum of 2CP).",
        # the start of another phase than this one
        'In your Charge phase, if this unit started your Movement phase within 6" of an enemy unit, add 1 to Charge rolls '
        "made for it.",
        # as often as it happens, or once a phase
        "Each time an enemy unit is destroyed, you gain 1CP (regardless of how many models have this ability).",
        # those that are near, not all of them
        'In your Command phase, if one or more friendly GOBLIN models are within 6" of this unit, they have the Stealth '
        "ability.",
        # other models than those before
        "In your Command phase, you can return up to 3 destroyed SQUIRE models to this unit. If this model is on an "
        "objective marker, return up to 5 destroyed PAGE models instead.",
    ],
)
def test_what_cannot_be_said_is_not_read(text: str) -> None:
    assert compile(text).status != "full"


def test_an_army_measures_from_who_attacks() -> None:
    text = (
        "Each time a model in a HUNT unit from your army makes a ranged attack, add 1 to the Strength characteristic "
        'of that attack. If the target is within 6", add 1 to the Hit roll.'
    )
    said = [words_of(clause) for clause in compile(text, kind="detachment-rule").clauses]
    assert said[0].endswith('(if the target unit: within 6" of the attacking model · +1 to hit rolls)')
