"""What rules of armies say of their own workings: after attacks and moves, weapons that have an ability already, marks."""

from __future__ import annotations

import pytest

from battlewright.codec import from_json, to_json
from battlewright.effects import Rule
from battlewright.effects_words import describe, parse
from battlewright.rulestext import compile as read

WHOLE = [
    (
        "Each time a model in an Ash Guard unit makes an attack, if your Saga is completed, add 1 to the Wound roll.",
        "each attack by <model of <unit (ASH GUARD)>> · if your army: in state “saga completed” · +1 to wound rolls",
    ),
    (
        "Each time a model in your army's Chosen Few unit makes an attack, you can re-roll the Wound roll.",
        "each attack by <model of <unit (in state “chosen few”)>> · re-roll wound rolls",
    ),
    (
        "The first time in each player's turn that an Ash Guard unit from your army destroys an enemy unit, after "
        "resolving all of its attacks, that Ash Guard unit becomes your army's Chosen Few, replacing the old one.",
        "once per turn · when destroyed – enemy unit → <friendly unit (ASH GUARD)>, the first time · (just after has "
        "attacked – the target unit · state “chosen few” ends on <unit (in state “chosen few”)>; state “chosen few” on the "
        "target unit)",
    ),
    (
        "Each time an Ash Guard unit from your army shoots or fights, after all of those attacks have been resolved, add "
        "1 to your Trophy tally for each enemy unit destroyed by those attacks.",
        "when selected to attack – <friendly unit (ASH GUARD)> · (just after has attacked – that unit · pool “trophy”: "
        "add 1 for each <enemy unit (destroyed)>)",
    ),
    (
        "Melee weapons equipped by Ash Guard models have the [LANCE] ability. If such a weapon already has this ability, "
        "each time an attack is made with such a weapon, add 1 to the Hit roll.",
        "each melee attack by <model (ASH GUARD)> · gain weapon ability “lance” | each melee attack by <model (ASH "
        "GUARD)> with having “lance” · +1 to hit rolls",
    ),
    (
        "Ash Guard units from your army gain the Entrenched keyword while all of the following are true:\n- No model in "
        'that unit has moved more than 3" this turn.\n- That unit is below Half-strength.',
        'gain keyword for keywords “ENTRENCHED” for <friendly unit ((ASH GUARD and not moved: any more than 3" and below '
        "half strength))>",
    ),
    (
        "Once per phase for each Ash Guard unit from your army, you can re-roll one Hit roll made for a model in that "
        "unit.",
        "once per phase for unit · re-roll hit rolls one die of <friendly unit (ASH GUARD)>",
    ),
    (
        "When selecting a Hunting Band for the Ash Lord Detachment rule, you can select a Hunting Band you have already "
        "selected this battle.",
        "when ability used kinds “hunting band” · may “select hunting band again” with your player",
    ),
    (
        "Each time an Ash Guard unit is selected to make a Normal move or declare a charge (excluding units that arrived "
        'from Reserves this turn), it can make a Wild Vow. If it does, add 2" to the Move characteristic of models in '
        "that unit until the end of the phase.",
        "either (when selected to move – <unit (ASH GUARD)> kinds “normal” or when selected to charge – <unit (ASH "
        "GUARD)>) · if that unit: not moved: ingress · order: use “wild vow” on that unit; (if outcome: done · phase · "
        "add M 2 for that unit)",
    ),
    (
        "In your turn, Ash Guard units from your army are eligible to do one of the following:\n"
        "- Shoot in a turn in which they Fell Back.\n"
        "- Declare a charge in a turn in which it started to perform an Action.",
        "your any phase, unit turn · choose of (option (may “shoot” despite “fall_back” with <friendly unit (ASH "
        "GUARD)>); option (may “charge” despite “action” with <friendly unit (ASH GUARD)>))",
    ),
    (
        "Friendly Ash Guard have:\n- This unit's ranged attacks have [ASSAULT].\n- This unit has Stealth.",
        "give to <friendly unit (ASH GUARD)>: ((each ranged attack by model of the bearer's unit · gain weapon ability "
        "“assault”); gain unit ability “stealth” for the bearer's unit)",
    ),
    (
        "Friendly Ash Guard units have:\n- Battleline.\n- +1 OC.\n- When a friendly Ember unit is selected to shoot, that "
        "unit's ranged attacks have +1 to hit rolls.",
        "gain keyword for keywords “BATTLELINE” for <friendly unit (ASH GUARD)>; add OC 1 for <friendly unit (ASH "
        "GUARD)> | when selected to shoot – <friendly unit (EMBER)> · (each ranged attack by model of that unit · +1 to "
        "hit rolls)",
    ),
    (
        "Friendly Ash Guard units have the following ability:\nRiposte: This unit has Stealth.\nRestrictions: Your army "
        "can include Ember units.",
        "give “Riposte” to <friendly unit (ASH GUARD)>: (gain unit ability “stealth” for the bearer's unit); building: "
        "include <unit (EMBER)>",
    ),
    (
        "Each time this unit Advances, until the end of the phase:\n- Each time a model in this unit makes a ranged "
        "attack, add 1 to the Hit roll.\n- Add 2 to the Attacks characteristic of melee weapons equipped by models in "
        "this unit.",
        "when move started – the bearer's unit kinds “advance” · phase · (each ranged attack by model of the bearer's unit "
        "· +1 to hit rolls); (each melee attack by model of the bearer's unit · add A 2 of the attack)",
    ),
    (
        "Each time an Ash Guard unit from your army is selected to shoot, you can select one other friendly Ash Guard "
        "unit. Until the end of the turn, models in the attacking unit can ignore models in that friendly unit when "
        "determining visibility.",
        "when selected to shoot – <friendly unit (ASH GUARD)> · may pick <one other friendly unit (ASH GUARD) as "
        "“picked”>; (turn · may “see through” with the attacking unit towards the chosen unit “picked”)",
    ),
    (
        "A Void Roar! counts as a Roar! for any datasheet abilities.",
        "order: counts “void roar!” given to ability “roar!”",
    ),
]


@pytest.mark.parametrize(("text", "words"), WHOLE)
def test_it_is_read_whole(text: str, words: str) -> None:
    rule = read(text)
    assert rule.status == "full", rule.unread
    said = describe(rule).split(": ", 1)[1].replace("\n", " | ")
    assert said == words
    assert parse(describe(rule)) == rule
    assert from_json(to_json(rule), Rule) == rule


@pytest.mark.parametrize(
    "text",
    [
        "Shoot in a turn in which it Advanced.",
        "If such a weapon already has that ability, add 1 to the Wound roll.",
        "After it has moved, add 1 to the Wound roll.",
        "When making that Advance move, this unit can move through models.",
    ],
)
def test_what_speaks_of_nothing_is_not_read(text: str) -> None:
    assert read(text).status != "full"
