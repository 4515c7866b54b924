""" "Instead": what it replaces, also in a list, under a condition of its own, and of another kind."""

from __future__ import annotations

import pytest

from battlewright.effects_words import words_of
from battlewright.rulestext import compile as compile_rule

READ = [
    (
        "Each time this model makes a melee attack, re-roll a Wound roll of 2 if this model's unit is below its "
        "Starting Strength; if this model's unit is Below Half-strength, re-roll the Wound roll instead.",
        "each melee attack by this model · if the bearer's unit: below half strength: (re-roll wound rolls) else "
        "((if the bearer's unit: below starting strength · re-roll wound rolls of 2))",
    ),
    (
        "Each time this model makes an attack, add 3 to the Hit roll. If that attack targets a RED GUARD unit, add 3 "
        "to the Hit roll and add 2 to the Wound roll instead.",
        "each attack by this model · if the target unit: RED GUARD: (+3 to hit rolls; +2 to wound rolls) else "
        "(+3 to hit rolls)",
    ),
    (
        "Each time an attack is allocated to the bearer, subtract 3 from the Damage characteristic of that attack. If that "
        "attack was made with a Torrent weapon, change the Damage characteristic of that attack to 2 instead.",
        "each attack against us on this model · if having “torrent”: (damage becomes 2) else (subtract D 3 of the attack)",
    ),
    (
        "Each time this model makes an attack, re-roll a Hit roll of 2 and re-roll a Wound roll of 3. If that attack "
        "targets a RED GUARD unit, re-roll the Hit roll and re-roll the Wound roll instead.",
        "each attack by this model · if the target unit: RED GUARD: (re-roll hit rolls) else (re-roll hit rolls of 2); "
        "if the target unit: RED GUARD: (re-roll wound rolls) else (re-roll wound rolls of 3)",
    ),
    (
        "Each time this model makes an attack, re-roll a Hit roll of 2, or re-roll the Hit roll instead if that attack "
        "targets a RED GUARD unit.",
        "each attack by this model · if the target unit: RED GUARD: (re-roll hit rolls) else (re-roll hit rolls of 2)",
    ),
    (
        "Each time this model fights, until the end of the phase, add 3 to the Attacks characteristic of its melee weapons.",
        "when selected to fight – this model · phase · (each melee attack by this model · add A 3 of the attack)",
    ),
]


@pytest.mark.parametrize(("text", "wanted"), READ)
def test_instead_replaces_what_was_said(text: str, wanted: str) -> None:
    rule = compile_rule(text, name="x", kind="unit-ability", edition="10e")
    assert rule.status == "full"
    assert " || ".join(map(words_of, rule.clauses)) == wanted


def test_nobody_attacks_their_own_unit() -> None:
    text = (
        "At the start of your turn, select one unit from your opponent's army. Until the end of the turn, each time a "
        "model in this unit makes a ranged attack that targets that unit, add 3 to the Hit roll."
    )
    rule = compile_rule(text, name="x", kind="unit-ability", edition="10e")
    assert rule.status == "full"
    assert "each ranged attack by model of the bearer's unit on the chosen unit “picked”" in words_of(rule.clauses[0])
