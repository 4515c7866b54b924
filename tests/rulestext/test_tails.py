"""What stands behind an effect or comes after it: each wording says the same as the plain one, and what it is about."""

from __future__ import annotations

import pytest

from battlewright.effects_words import words_of
from battlewright.rulestext import compile as compile_rule

READ = [
    (
        "You gain 2CP at the start of each of your Command phases if this model is on the battlefield.",
        "start of your command phase · if this model: located: battlefield · +2 CP",
    ),
    (
        "Add 2 to the Attacks characteristic of this model's melee weapons. While this model is within 9\" of one or more "
        "enemy units, add 3 instead.",
        'each melee attack by this model · if this model: within 9" of any enemy unit: (add A 3 of the attack) else '
        "(add A 2 of the attack)",
    ),
    (
        'Each time your opponent targets a unit within 9" of this model with a Stratagem, increase its cost by 2CP.',
        'when stratagem targeted – <unit (within 9" of this model)> kinds “opponent” · stratagem cost 2',
    ),
    (
        "Each time an enemy unit Falls Back while within Engagement Range of this unit, roll one D6 for each model in "
        "that unit: on a 1-3, it is destroyed.",
        "when move started – enemy unit kinds “fall_back” · if that unit: engaged with the bearer's unit · roll D6 for "
        "<model of that unit as “each”>: (from 1 up to 3 → (destroy the chosen model “each”))",
    ),
    (
        "At the start of the Fight phase, select one enemy unit within Engagement Range of this model. Until the end of "
        "the phase, that enemy unit's weapons have their Attacks characteristic worsened by 2.",
        "start of fight phase · pick <one enemy unit (engaged with this model) as “picked”>; (phase · (each attack by "
        "model of the chosen unit “picked” · subtract A 2 of the attack))",
    ),
    (
        "Models in this unit have a Feel No Pain 3+ while this unit is Below Half-strength.",
        "if the bearer's unit: below half strength · gain feel no pain 3 for the bearer's unit",
    ),
    (
        "Each time an attack targets this unit, if that attack has a Strength of 9 or more, subtract 2 from the Wound roll.",
        "each attack against us on the bearer's unit · if attack.S >= 9 · -2 to wound rolls",
    ),
    (
        "Each time you use a Stratagem on this unit, roll one D6: on a 3+, you gain 2CP.",
        "when stratagem targeted – the bearer's unit · roll D6: (from 3 → (+2 CP))",
    ),
]


@pytest.mark.parametrize(("text", "wanted"), READ)
def test_what_stands_behind_an_effect_is_in_the_rule(text: str, wanted: str) -> None:
    rule = compile_rule(text, name="x", kind="unit-ability", edition="10e")
    assert rule.status == "full", rule.unread
    assert " || ".join(map(words_of, rule.clauses)) == wanted


def test_a_modifier_that_does_not_add_up() -> None:
    text = "Each time an enemy unit declares a charge, subtract 3 from the Charge roll made for it."
    more = " This is not cumulative with any other negative modifiers to Charge rolls."
    rule = compile_rule(text + more, name="x", edition="10e")
    assert rule.status == "full"
    assert "not cumulative" in words_of(rule.clauses[0])


def test_where_nothing_was_said_before_it_is_not_understood() -> None:
    for text in (
        "Each time such a test is failed, you gain 2CP.",
        "When it is set up this way, you gain 2CP.",
        "Add 2 instead.",
    ):
        assert compile_rule(text, name="x", edition="10e").status != "full"


MORE = [
    (
        "This unit's attacks ignore cover if the target is within 9\".",
        "each attack by model of the bearer's unit · if the target unit: within 9\" of the bearer's unit · gain "
        "weapon ability “ignores cover”",
    ),
    (
        "Once per battle, in your Shooting phase, this unit can use this ability. If it does, until the end of the phase, "
        "its ranged attacks have [LANCE].",
        "once per battle · your shooting phase · you may · phase · (each ranged attack by model of the bearer's unit · gain "
        "weapon ability “lance”)",
    ),
    (
        "Each time an invulnerable saving throw is made for this model, add 2 to that saving throw.",
        "when roll made – this model kinds “invulnerable_save” · +2 to save rolls",
    ),
    (
        'Add 9" to the Range characteristic of ranged weapons equipped by models in this unit while it is led by a RED '
        "GUARD model.",
        "each ranged attack by model of the bearer's unit · if the bearer's unit: led by <model (RED GUARD)> · add Range 9 "
        "of the attack",
    ),
    (
        "Each time a melee attack targets this unit, if the attacking unit did not make a Charge move this turn, subtract "
        "2 from the Wound roll.",
        "each melee attack against us on the bearer's unit · if the attacking unit: not moved: charge · -2 to wound rolls",
    ),
    (
        "When this unit charges, until the end of the turn, its melee attacks have +2 AP and +3 D.",
        "when move ended – the bearer's unit kinds “charge” · turn · (each melee attack by model of the bearer's unit · "
        "improve AP 2 of the attack; add D 3 of the attack)",
    ),
    (
        "Each time this model is targeted with an attack, if that attack has an Armour Penetration characteristic of -1 or "
        "-2, it has an Armour Penetration characteristic of 0 instead.",
        "each attack against us on this model · if either (attack.AP = “-1” or attack.AP = “-2”) · set AP 0 of the attack",
    ),
]


@pytest.mark.parametrize(("text", "wanted"), MORE)
def test_conditions_behind_may_speak_of_the_attacks(text: str, wanted: str) -> None:
    rule = compile_rule(text, name="x", kind="unit-ability", edition="10e")
    assert rule.status == "full", rule.unread
    assert " || ".join(map(words_of, rule.clauses)) == wanted


WHOSE = [
    (
        "Select one enemy unit visible to this unit. Until the end of the phase, ranged weapons equipped by models in this "
        "unit have the [LANCE] ability while targeting that enemy unit, and, if that enemy unit is a VEHICLE, they also "
        "have the [PRECISION] ability.",
        "each ranged attack by model of the bearer's unit on the chosen unit “picked” · if the chosen unit “picked”: "
        "VEHICLE · gain weapon ability “precision”",
    ),
    (
        'At the start of the Fight phase, select one enemy unit within 9" of this model. That unit must take a Battle-shock '
        "test; if this unit is a RED GUARD unit, subtract 2 from the result.",
        "if the bearer's unit: RED GUARD: (battle-shock: test for the chosen unit “picked” less by 2)",
    ),
    (
        'While an enemy unit is within 9" of this unit, each time that enemy unit takes a Leadership test, subtract 2 from '
        "the result.",
        "-2 to leadership rolls of <enemy unit (within 9\" of the bearer's unit)>",
    ),
]


@pytest.mark.parametrize(("text", "part"), WHOSE)
def test_they_and_the_result_are_those_just_spoken_of(text: str, part: str) -> None:
    rule = compile_rule(text, name="x", kind="unit-ability", edition="10e")
    assert rule.status == "full", rule.unread
    assert part in " || ".join(map(words_of, rule.clauses))


DECIDED = [
    (
        "At the end of the Fight phase, if this unit is on an objective marker you control, you gain 2CP on a 3+.",
        "end of fight phase · if the bearer's unit: on an objective of control own · roll D6: (from 3 → (+2 CP))",
    ),
    (
        "Each time this unit ends a Charge move, one enemy unit within Engagement Range of it suffers D3+2 mortal wounds on "
        "a D6 roll of 3+.",
        "when move ended – the bearer's unit kinds “charge” · roll D6: (from 3 → (D3+2 mortal wounds to <one enemy unit "
        "(engaged with the bearer's unit)>))",
    ),
    (
        "Each time this model fights, after resolving its attacks, roll one D6: on a 3+, it regains 2 lost wounds.",
        "just after has fought – this model · roll D6: (from 3 → (heal 2 of this model))",
    ),
]


@pytest.mark.parametrize(("text", "wanted"), DECIDED)
def test_a_die_decides_and_attacks_come_first(text: str, wanted: str) -> None:
    rule = compile_rule(text, name="x", kind="unit-ability", edition="10e")
    assert rule.status == "full", rule.unread
    assert " || ".join(map(words_of, rule.clauses)) == wanted
