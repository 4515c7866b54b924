"""Acts out of their usual place, transports, and the destroyed who come back: what a stratagem's EFFECT says of them."""

from __future__ import annotations

import pytest

from battlewright.effects_words import describe, parse, words_of
from battlewright.rulestext import compile as compile_rule

STRATAGEM = (
    "WHEN: Your opponent's Shooting phase, just after an enemy unit has shot.\n"
    "TARGET: One LAMP unit from your army.\nEFFECT: "
)
ON = "just after has shot – enemy unit while it is the shooting phase of opponent · "
US = "the chosen unit “your unit”"

READ = [
    ('Your unit can make a D6" Normal move.', f'move: normal up to D6" with {US}'),
    ('Your unit makes a 4" Consolidation move.', f'must move: consolidate up to 4" with {US}'),
    ('Your unit can make a D3+2" Cinder Surge move.', f'move: surge up to D3+2" with {US} limits “cinder surge”'),
    (
        "Roll one D6. Your unit can make a Normal move of up to a number of inches equal to the result.",
        f'roll D6: (); move: normal up to 1 × roll" with {US}',
    ),
    (
        'Your unit can make a Normal move or a Fall Back move of up to 5".',
        f'choose of (option (move: normal up to 5" with {US}); option (move: fall back up to 5" with {US}))',
    ),
    (
        "Your unit can declare a charge as if it were your Charge phase, but must only target that enemy unit.",
        f"act now: charge with {US} at the attacking unit limits “only at that target”",
    ),
    (
        'Until the start of your next Command phase, each time an enemy unit ends a Normal move within 8" of your unit, '
        "your unit can shoot at it.",
        "phase to its start, the next of your, command phase · (when move ended – enemy unit kinds “normal” · if that "
        f'unit: within 8" of {US} · act now: shoot with {US} at that unit limits “only at that target”)',
    ),
    (
        "Your model can shoot before it is removed from play.",
        f"act now: shoot with {US} limits “not removed”",
    ),
    (
        "Until the end of the phase, each time a model in your unit is destroyed, do not remove it from play. That model "
        "can shoot after the attacking unit has finished making its attacks, and is then removed from play.",
        f"phase · (when destroyed – model of {US} · act now: shoot with that model limits “not removed”)",
    ),
    (
        "At the end of the phase, set your model back up on the battlefield with half of its starting number of wounds "
        "remaining, as close as possible to where it was destroyed.",
        f"(end of any phase · set up again {US} with 1 × “half W” wounds place “near where destroyed”)",
    ),
    (
        "One model in your unit regains up to 2 lost wounds. If no models in your unit have lost any wounds, one "
        "destroyed model is returned to your unit with 1 wound remaining instead.",
        f"if model of {US}, every one: not wounds lost 1–: (return 1 models of {US} with 1 wounds) else "
        f"(heal 2 of one model of {US})",
    ),
    (
        "Add a new unit identical to your destroyed unit to your army, in Strategic Reserves and at its Starting Strength.",
        "add unit “like your unit” place “strategic reserves”",
    ),
    (
        'Your unit can embark within a friendly TRANSPORT that is within 4".',
        f'move: embark with {US} to <friendly unit ((TRANSPORT and within 4" of {US}))>',
    ),
    (
        'If your unit is within 4" of a friendly TRANSPORT it is able to embark within, it can embark within it.',
        f'if {US}: within 4" of <friendly unit (TRANSPORT) as “other”> · move: embark with {US} to the chosen unit “other”',
    ),
    (
        "Your unit can disembark from its TRANSPORT even though it has made a Normal move this phase.",
        f"may “disembark” despite “normal” with {US}",
    ),
    (
        "Your unit can perform an Action this turn and is still eligible to shoot.",
        f"may “action” with {US}; may “shoot” despite “action” with {US}",
    ),
    ("Your unit is placed into Strategic Reserves.", f"reserves: enter with {US}"),
    ("Your unit can perform a Heroic Intervention.", f"act now: heroic intervention with {US}"),
]


@pytest.mark.parametrize(("text", "words"), READ)
def test_what_the_effect_says(text: str, words: str) -> None:
    rule = compile_rule(STRATAGEM + text, kind="stratagem")
    assert rule.status == "full", rule.unread
    assert "; ".join(words_of(clause) for clause in rule.clauses) in (ON + words, f"({ON}{words})")
    assert parse(describe(rule)) == rule


def test_an_act_that_has_only_a_name_is_not_read() -> None:
    assert compile_rule(STRATAGEM + "Your unit can perform a Grand Procession.", kind="stratagem").status != "full"


def test_whoever_still_fights_must_be_destroyed() -> None:
    """ "can fight after the attacking unit has finished" is said of the destroyed only where they are not removed."""
    text = "Your unit can fight after the attacking unit has finished making its attacks."
    assert compile_rule(STRATAGEM + text, kind="stratagem").status != "full"
