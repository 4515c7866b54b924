"""What a unit may do besides its turn's acts, and what is said "in addition" of it."""

from __future__ import annotations

import pytest

from battlewright.effects_words import describe, parse, words_of
from battlewright.rulestext import compile as compile_rule

HEAD = "WHEN: Your Movement phase.\nTARGET: One LAMP unit from your army.\nEFFECT: "
US = "the chosen unit “your unit”"

READ = [
    (
        'Your unit can make a Normal move of up to 5" and then shoot.',
        f'move: normal up to 5" with {US}; act now: shoot with {US}',
    ),
    (
        "Your unit can make a Normal or Advance move as if it were your Movement phase.",
        f"choose of (option (move: normal with {US}); option (move: advance with {US}))",
    ),
    ("Your unit can Fall Back and still shoot this turn.", f"may “shoot” despite “fall_back” with {US}"),
    (
        "Until the end of the turn, your unit can both shoot and declare a charge even though it arrived from Reserves "
        "this turn.",
        f"turn · may “shoot” despite “ingress” with {US}; may “charge” despite “ingress” with {US}",
    ),
    (
        "Until the end of the turn, roll one additional D6 when making Charge rolls for your unit, then discard the lowest.",
        f"turn · roll 1 more dice for charge rolls of {US}, discard lowest",
    ),
    (
        "Until the end of the phase, you do not need to take Desperate Escape tests for models in your unit.",
        f"phase · desperate escape roll: success of {US}",
    ),
    (
        "Until the end of the turn, you can re-roll Charge rolls made for your unit. In addition, each time a model in your "
        "unit makes a Charge move, it can move through models.",
        f"turn · re-roll charge rolls of {US}; (when move started – {US} kinds “charge” · moves “through models” for that "
        "model)",
    ),
    (
        "Until the end of the turn, your unit has the Stealth ability. In addition, you gain 1CP.",
        f"(turn · gain unit ability “stealth” for {US}); +1 CP",
    ),
    (
        "Select one enemy unit your unit moved over this phase. That unit suffers 2 mortal wounds.",
        "pick <one enemy unit (had attacks so: moved over since phase) as “picked”>; "
        "2 mortal wounds to the chosen unit “picked”",
    ),
    (
        "Your unit can declare a charge. If that charge is successful, until the end of the turn, your unit has the Stealth "
        "ability.",
        f"act now: charge with {US}; (if {US}: moved: charge · turn · gain unit ability “stealth” for {US})",
    ),
]


@pytest.mark.parametrize(("text", "words"), READ)
def test_what_the_effect_says(text: str, words: str) -> None:
    rule = compile_rule(HEAD + text, kind="stratagem")
    assert rule.status == "full", rule.unread
    assert "; ".join(words_of(clause) for clause in rule.clauses) == f"your movement phase · {words}"
    assert parse(describe(rule)) == rule
