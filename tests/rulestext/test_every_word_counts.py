"""What a reading must not lose: whose turn it lasts, "wholly", "other", "you can", who "it" is, where a choice is made.

Each text was once read in full with something lost or bound to the wrong one; the words beside it are the whole rule.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from battlewright.effects_words import describe
from battlewright.rulestext import compile as read

STRATAGEM = "WHEN: {when}\nTARGET: One RED GUARD unit from your army.\nEFFECT: {effect}"


def said(text: str) -> str:
    """The rule in its words, without its name."""
    rule = read(text, kind="stratagem" if text.startswith("WHEN") else "other")
    assert rule.status == "full", rule.unread
    return describe(rule).replace("“", "'").replace("”", "'").partition(": ")[2]


def effect(text: str, when: str = "Fight phase.") -> str:
    """What a stratagem does, in words."""
    return said(STRATAGEM.format(when=when, effect=text)).partition(" · ")[2]


READ = [
    (
        "In your Fight phase, select one enemy unit. That unit is not eligible to charge this turn.",
        "your fight phase · pick <one enemy unit as 'picked'>; (turn · cannot 'charge' with the chosen unit 'picked')",
    ),
    (
        "Each time a RED GUARD model from your army makes a ranged attack in a turn in which it "
        "disembarked, add 1 to the Wound roll.",
        "each ranged attack by <friendly model (RED GUARD)> · if the attacking model: moved: disembark · +1 "
        "to wound rolls",
    ),
    (
        "Each time a model in a RED GUARD unit from your army makes a ranged attack that targets a visible "
        "BEAST unit, add 1 to the Hit roll.",
        "each ranged attack by <model of <friendly unit (RED GUARD)>> on <unit ((BEAST and visible to the "
        "attacking model))> · +1 to hit rolls",
    ),
    (
        'In your Shooting phase, select one visible enemy unit within 12" of a friendly RED GUARD unit. '
        'That unit has +3" detection range.',
        'your shooting phase · pick <one enemy unit ((within 12" of <friendly unit (RED GUARD)> and visible '
        "to <friendly unit (RED GUARD)>)) as 'picked'>; add detection 3 for the chosen unit 'picked'",
    ),
    ("This unit can change advance rolls to a 6.", "you may · advance roll: value 6 of the bearer's unit"),
    (
        "Once per battle round, when a saving throw is failed for a friendly RED GUARD model, you can "
        "change the Damage characteristic of that attack to 0.",
        "once per round · when test failed – <friendly model (RED GUARD)> kinds 'save' · you may · damage becomes 0",
    ),
    (
        'While an enemy unit is within 6" of the bearer, each time it is selected to Fall Back it must take '
        "a Leadership test. If that test is failed, that unit must Remain Stationary this phase instead.",
        "when selected to move – <enemy unit (within 6\" of this model)> kinds 'fall_back' · battle-shock: "
        "leadership for that unit; (if outcome: failed · must move: stationary with that unit)",
    ),
    (
        "Add 1 to the Objective Control characteristic of INFANTRY models in this unit and add 3 to the "
        "Objective Control characteristic of VEHICLE models in it.",
        "add OC 1 for <model of the bearer's unit (INFANTRY)>; add OC 3 for <model of the bearer's unit (VEHICLE)>",
    ),
    (
        "If this model is wholly within 12\" of your opponent's deployment zone, you gain 1CP.",
        "if this model: wholly within 12\" of point 'enemy zone' · +1 CP",
    ),
    (
        "At the start of your Command phase, you can roll one D6: on a 1, this unit suffers D3 mortal "
        "wounds; on a 2+, this unit has the Stealth ability.",
        "start of your command phase · you may · roll D6: (from 1 up to 1 → (D3 mortal wounds to the "
        "bearer's unit); from 2 → (gain unit ability 'stealth' for the bearer's unit))",
    ),
    (
        "While another OFFICER model is in the same unit as this model, you can re-roll Battle-shock tests "
        "taken for that unit.",
        "if the bearer's unit: models 1– that are (OFFICER and not the same as this model) · re-roll battle "
        "shock rolls of the bearer's unit",
    ),
    (
        "While this model is attached to a unit that contains another CHARACTER model, all CHARACTER models "
        "in that unit have the Stealth ability.",
        "if this model: leading <unit (models 1– that are (CHARACTER and not the same as this model))> · "
        "gain unit ability 'stealth' for <model of the led unit (CHARACTER)>",
    ),
    (
        "When making ranged attacks with its big cannon, this model can target enemy units within "
        "Engagement Range of it (provided no other friendly units are engaged with that enemy unit).",
        "each ranged attack by this model with named 'big cannon' · if not any other friendly unit: engaged "
        "with the chosen unit 'other' · targeting: can with <enemy unit (engaged with this model) as "
        "'other'> by this model",
    ),
    (
        "In your opponent's Shooting phase, just after an enemy unit has shot, if any of those attacks "
        "targeted this model, it can use this ability. If it does, any units embarked within it can disembark.",
        "just after has shot – enemy unit while it is the shooting phase of opponent · if this model: had "
        "attacks so: "
        "targeted · you may · move: disembark with <unit (embarked within this model)>",
    ),
    (
        "You can target this model's unit with the Iron Arrival and Heroic Intervention Stratagems for 0CP.",
        "stratagem set 0 on the bearer's unit which stratagem is 'iron arrival', 'heroic intervention'",
    ),
    (
        "You can include up to three of each of the following units:\n- Red Guard (10 models)\n- Blue Guard "
        "(5 or 10 models)",
        "building: include <unit (either ((RED GUARD and models 10–10) or (BLUE GUARD and either (models "
        "5–5 or models 10–10))))>, number 3 words 'each'",
    ),
    (
        "At the start of your Command phase, select one enemy unit. Until the start of your next Command "
        "phase, that enemy unit is your Prey:\n- Each time a RED GUARD model from your army makes an attack "
        "that targets your Prey, add 1 to the Hit roll.",
        "start of your command phase · pick <one enemy unit as 'picked'>; (phase to its start, the next of "
        "your, command phase · state 'prey' on the chosen unit 'picked')\neach attack by <friendly model "
        "(RED GUARD)> on <unit (in state 'prey')> · +1 to hit rolls",
    ),
    (
        "This OFFICER can issue up to 3 Orders to:\n■ RED GUARD units\n■ BLUE GUARD units",
        "order: issue on this model by 3 given to <unit (RED GUARD/BLUE GUARD)>",
    ),
]


@pytest.mark.parametrize(("text", "words"), READ, ids=lambda text: text[:50])
def test_the_whole_sentence_is_in_the_rule(text: str, words: str) -> None:
    assert said(text) == words


BLOCKS = Path(__file__).with_suffix("").with_name("every_word_counts.txt").read_text(encoding="utf-8").split("\n\n")
PAIRS = [block.split("\n=> ") for block in BLOCKS if "\n=> " in block]


@pytest.mark.parametrize(("text", "words"), PAIRS, ids=lambda text: text[:50])
def test_the_words_beside_a_text_are_its_whole_rule(text: str, words: str) -> None:
    rule = read(text)
    assert rule.status == "full", rule.unread
    assert describe(rule).partition(": ")[2] == words.strip()


EFFECTS = [
    (
        "One RED GUARD unit embarked within your unit can disembark. When doing so, models in that unit can "
        "be set up "
        'anywhere on the battlefield wholly within 6" of your unit.',
        "move: disembark with <one unit ((RED GUARD and embarked within the chosen unit 'your unit')) as "
        "'other'>; (if outcome: done · set up with the chosen unit 'other' limits 'anywhere' where (wholly "
        'within 6" of the '
        "chosen unit 'your unit'))",
    ),
    (
        "Select one non-CHARACTER model in your unit. Until the end of the phase, your model has the "
        "CHARACTER keyword.",
        "pick <one model of the chosen unit 'your unit' (not CHARACTER) as 'picked'>; (phase · gain keyword "
        "for keywords 'CHARACTER' for the chosen model 'picked')",
    ),
    (
        "Until the end of the phase, each time a model in your unit is destroyed, if that model has not "
        "fought this phase, "
        'roll one D6, adding 1 to the result if your unit is within 12" of one or more friendly PRIEST '
        "models: on a 4+, do not remove it from play.",
        "phase · (when destroyed – model of the chosen unit 'your unit' · if that model: not done: fight · "
        "roll D6 plus (+1 if the chosen unit 'your unit': within 12\" of <any friendly model (PRIEST)>): "
        "(from 4 → (must act now: fight with that model limits 'not removed')))",
    ),
    (
        'Select one enemy unit within 6" of your unit. That enemy unit makes a battle-shock roll, with -1 to that '
        "battle-shock roll if that enemy unit is at or below half-strength.",
        "pick <one enemy unit (within 6\" of the chosen unit 'your unit') as 'picked'>; if the chosen unit "
        "'picked': at or below half strength: (battle-shock: test for the chosen unit 'picked' less by 1) "
        "else (battle-shock: test for the chosen unit 'picked')",
    ),
    (
        "Until the end of the phase, each time a model in your unit makes a Consolidation move, it can move "
        'up to 6" instead of up to 3".\nRESTRICTIONS: A unit cannot be targeted with this and the Iron Heart '
        "Stratagem in the same phase unless it has the PRIEST keyword.",
        "(phase · (when move started – the chosen unit 'your unit' kinds 'consolidate' · moves 'up to 6' "
        "for that model)); (if the chosen unit 'your unit': not PRIEST · phase · stratagem forbid on the "
        "chosen unit 'your unit' which stratagem is 'iron heart')",
    ),
    (
        "Until the end of the phase, each time a model in your unit makes an attack, add 1 to the Hit roll. "
        "If one or more enemy models are destroyed as a result of those attacks, you gain 1CP.",
        "phase · (each attack by model of the chosen unit 'your unit' · +1 to hit rolls); (just after has "
        "attacked – the chosen unit 'your unit' · if any enemy model: destroyed by the chosen unit 'your "
        "unit' · +1 CP)",
    ),
    (
        "Select the Chant of Rage or Rite of Fire Litany. Until the end of the turn, that Litany is active "
        "for your unit instead of any other Litany that is active for your army.",
        "turn · choose of (option (state 'chant of rage' on the chosen unit 'your unit'; state 'rite of "
        "fire' ends on the chosen unit 'your unit'); option (state 'rite of fire' on the chosen unit 'your "
        "unit'; state 'chant of rage' ends on the chosen unit 'your unit'))",
    ),
    (
        'One RED GUARD unit embarked within your unit makes a disembark move, then makes a surge move of up to 6".',
        "must move: disembark with <one unit ((RED GUARD and embarked within the chosen unit 'your unit')) "
        "as 'other'>; must move: surge up to 6\" with the chosen unit 'other'",
    ),
]


@pytest.mark.parametrize(("text", "words"), EFFECTS, ids=lambda text: text[:50])
def test_the_whole_effect_is_in_the_stratagem(text: str, words: str) -> None:
    assert effect(text) == words


def test_those_attacks_are_at_the_enemy_unit_not_at_who_makes_them() -> None:
    words = effect(
        "One unit embarked within your unit can disembark, and can then shoot as if it were your Shooting "
        "phase, but must target only that enemy unit when doing so.",
        "Your opponent's Shooting phase, just after an enemy unit has resolved its attacks.",
    )
    assert words.endswith(
        "act now: shoot with the chosen unit 'other' at the attacking unit limits 'only at that target'"
    )


def test_each_of_the_abilities_below_is_a_choice_of_its_own() -> None:
    words = said(
        "Each time this unit is selected to shoot, select one of the following abilities to apply to ranged "
        "weapons equipped by models in this unit until the end of the phase:\n■ [ASSAULT]\n■ [HEAVY]\n■ "
        "[RAPID FIRE 1]"
    )
    assert words.startswith("when selected to shoot – the bearer's unit · phase · choose of (")
    assert words.count("option") == 3


def test_a_choice_of_when_a_unit_fights_is_made_then() -> None:
    words = said(
        "When this unit is selected to fight, this unit's melee attacks have:\n■ [Lethal Hits].\n\n■ Or: [Lance]."
    )
    assert words.startswith("when selected to fight – the bearer's unit · choose of (option ((each melee attack")


def test_lines_below_a_scope_do_not_stand_in_one_another() -> None:
    words = said(
        "In your Shooting phase, select one enemy unit. Until the end of the phase, when this unit declares "
        "a charge:\n- Re-roll that charge roll.\n- This unit must end that charge move engaged with that enemy unit."
    )
    assert "re-roll charge rolls of the bearer's unit); (when charge declared" in words


def test_the_abilities_of_others_are_theirs() -> None:
    words = said(
        "RED GUARD units from your army have the following abilities:\nBig Wall: This unit has the Stealth "
        "ability.\nBLUE GUARD units from your army have the following abilities:\nSmall Wall: This unit has "
        "the Lone Operative ability.\nThis detachment has the WALL tag and cannot be taken with another "
        "WALL detachment."
    )
    assert words == (
        "give 'Big Wall' to <friendly unit (RED GUARD)>: (gain unit ability 'stealth' for the bearer's "
        "unit); give 'Small Wall' to <friendly unit (BLUE GUARD)>: (gain unit ability 'lone operative' for "
        "the bearer's unit); building: tag words 'wall'"
    )


def test_in_either_case_is_after_both_outcomes() -> None:
    words = said(
        "Each time a RED GUARD unit is selected to fight, it can make a Dark Deal. If it does, select one "
        "friendly BLUE unit "
        'within 6". That BLUE unit must take a Leadership test: if passed, that BLUE unit suffers 1 mortal '
        "wound; if failed, that BLUE unit suffers D3 mortal wounds. In either case, until the end of the "
        "phase, melee weapons equipped by models in your Red Guard unit have the [LETHAL HITS] ability."
    )
    assert words.endswith("; (phase · (each melee attack by model of that unit · gain weapon ability 'lethal hits')))")


def test_a_word_with_a_capital_before_a_unit_is_its_keyword() -> None:
    assert (
        said("Friendly Damned units can re-roll leadership rolls.")
        == "re-roll leadership rolls of <friendly unit (DAMNED)>"
    )


def test_one_attack_that_destroys_is_no_activation() -> None:
    rule = read(
        "Each time an attack targets a friendly RED GUARD unit, if a model in that unit is destroyed as a "
        "result of that attack, you gain 1CP."
    )
    assert rule.status == "partial"


def test_an_objective_near_one_who_was_picked_has_no_name() -> None:
    rule = read(
        "In your Command phase, select one RED GUARD unit from your army within range of an objective "
        "marker. If there are "
        "no enemy models within range of that objective marker, you gain 1CP."
    )
    assert rule.status == "partial"


def test_which_stratagem_costs_more_from_now_on_cannot_be_said() -> None:
    rule = read("After your opponent uses a Stratagem, the CP cost to use that Stratagem again is 1CP more.")
    assert rule.status != "full"


def test_less_is_never_more() -> None:
    for words in ("less than", "lower than", "less than or equal to"):
        rule = read(
            f"Each time this model makes an attack, if the Strength of that attack is {words} the Toughness of its target, "
            "add 1 to the Hit roll."
        )
        assert ">" not in describe(rule)
