"""Objectives with all that is said of them, how someone is set up, wounds that come back one by one, all of a choice."""

from __future__ import annotations

import pytest

from battlewright.effects_words import describe, parse
from battlewright.rulestext import compile as compile_rule

OURS = "on an objective of control own"

READ = [
    # objectives, whatever is said of them and in whatever order
    (
        "At the end of your Command phase, select one objective marker within range of this unit that you control. That "
        "objective marker is hallowed until the end of the battle.",
        f"pick <one objective ((within 3\" of the bearer's unit and {OURS})) as “picked”>; (battle · state “hallowed” on "
        "the chosen objective “picked”)",
    ),
    (
        "At the start of your turn, select one contested objective in No Man's Land.",
        "pick <one objective ((on an objective in no mans land and on an objective of control contested)) as “picked”>",
    ),
    (
        "At the end of your Command phase, for each objective marker you control that has one or more Lamp units from your "
        "army within range of it, that objective marker remains under your control until your opponent controls it.",
        f'control: secure of <objective ((within 3" of <any friendly unit (LAMP)> and {OURS}))>',
    ),
    # how someone is set up
    (
        "When this unit is set up from Reserves using Deep Strike, you gain 1CP.",
        "when set up – the bearer's unit kinds “deep strike” · +1 CP",
    ),
    (
        'Each time an enemy unit arrives as reinforcements within 12" of this unit, that unit suffers 1 mortal wound.',
        "when set up – enemy unit kinds “reserves” · if that unit: within 12\" of the bearer's unit",
    ),
    # how far, and in spite of what
    (
        'Each time this unit Consolidates, models in it can move up to 6" during that Consolidation move.',
        "moves “up to 6” for the bearer's unit in “consolidate”",
    ),
    (
        'In your Movement phase, this unit can make a Normal move of up to 6". If it is not within 9" of any enemy units, '
        'that move can be up to 9" instead.',
        "move: normal up to 9\" with the bearer's unit) else (move: normal up to 6\" with the bearer's unit)",
    ),
    (
        "Once per battle, this unit is hidden until the end of the turn, even if it shot this turn.",
        "turn · state “hidden” on the bearer's unit; may “hidden” despite “shoot” with the bearer's unit",
    ),
    (
        "Friendly Lamp units that remain stationary have the Stealth ability.",
        "<friendly unit ((LAMP and moved: stationary))>",
    ),
    # wounds one by one
    (
        "When a unit reanimates, roll one D3. For each wound rolled:\n"
        "- If one or more models in that unit have lost any wounds, select one of those models. That "
        "model regains 1 lost wound.\n"
        "- If no models in that unit have lost wounds, one destroyed model is returned to that unit with 1 wound remaining.",
        "order: use “reanimate one wound” on that unit by D3",
    ),
    (
        'In your Command phase, for each friendly Lamp unit within 6" of this model, one model in that '
        "unit regains 1 lost wound.",
        'heal 1 of <one model of <friendly unit ((LAMP and within 6" of this model)) as “other”>>',
    ),
    (
        "Each time this unit is selected to fight, for each enemy unit within Engagement Range of it:\n"
        "- Roll one D6: on a 4+, that enemy unit suffers 1 mortal wound.\n"
        "- That enemy unit must take a Battle-shock test.",
        "battle-shock: test for <enemy unit (engaged with the bearer's unit) as “other”>",
    ),
    (
        "At the end of your turn, roll one D6 for each destroyed model in this unit: on a 5+, that model is returned to "
        "this unit with its full wounds remaining.",
        "from 5 → (set up again the chosen model “each”)",
    ),
    # every one of a choice
    (
        "Each time this unit is selected to fight, you can select one of the following. Until the end of the phase, melee "
        "weapons equipped by models in this unit have that ability. If this unit is below Half-strength, they have both "
        "abilities instead.\n- [LANCE]\n- [LETHAL HITS]",
        "if the bearer's unit: below half strength: (choose up to 2 of (",
    ),
    (
        "At the start of your turn, select one of the following:\n- Until the end of the turn, this unit has Stealth.\n"
        "- You gain 1CP.\nIf this unit is Battle-shocked, both apply instead.",
        "if the bearer's unit: battle-shocked: (choose 2 of (",
    ),
    # who controls one
    (
        "At the end of your Command phase, if this unit controls an objective, that objective is secured.",
        f"unit: {OURS}",
    ),
    ("Enemy units that control an objective have -1 Ld.", "<enemy unit (on an objective of control enemy)>"),
    ("Friendly Lamp units that control an objective have +1 OC.", f"<friendly unit ((LAMP and {OURS}))>"),
    # aboard and out
    (
        'Any units embarked within this model can disembark this turn, and must be set up wholly within 6" of it and more '
        'than 9" from all enemy units.',
        'where (wholly within 6" of this model)',
    ),
    (
        "This model has a transport capacity of 11 LAMP models. It can transport one WICK model, which takes up the "
        "space of 3 models.",
        "room (WICK takes 3)",
    ),
    # tests, and what one does oneself
    (
        "When an enemy unit falls back while engaged with this unit, that enemy unit makes a battle-shock roll before it "
        "moves. If that roll fails, it suffers 1 mortal wound.",
        "battle-shock: test for that unit; (if outcome: failed · 1 mortal wounds to that unit)",
    ),
    (
        "At the start of your Command phase, you can destroy up to three models in this unit. For each model destroyed in "
        "this way, you gain 1 Wick token.",
        "you may · destroy <up to 3 model of the bearer's unit>",
    ),
    (
        "In your Command phase, this unit heals D3 wounds, or returns up to D3 models if it has the INFANTRY keyword.",
        "if the bearer's unit: INFANTRY: (return D3 models of the bearer's unit) else (heal D3 of the bearer's unit)",
    ),
    (
        "Each time this unit destroys an enemy unit, or an enemy unit fails a Battle-shock test, you gain 1CP.",
        "when destroyed – enemy unit → the bearer's unit or when test failed – enemy unit kinds “battle_shock”",
    ),
    # moves once more, and what is done before someone is removed
    (
        'At the end of your Movement phase, this unit can make an additional Normal move of up to 6".',
        "move: normal up to 6\" with the bearer's unit",
    ),
    (
        "When this model is destroyed, units embarked within it can make a disembark move before it is removed.",
        "move: disembark with <unit (embarked within this model)>",
    ),
    (
        "When this model is destroyed, do not roll for its Deadly Demise ability.",
        "when destroyed – this model · deadly demise roll: no roll of this model",
    ),
    # what is done, or else
    (
        "In your Command phase, one model in this unit regains up to 3 lost wounds, or if all its models have their full "
        "wounds, return one destroyed model to this unit.",
        "if model of the bearer's unit, every one: not wounds lost 1–: (return 1 models of the bearer's unit)",
    ),
    (
        'At the start of the Fight phase, each enemy unit within 6" of this model takes a Battle-shock test. That enemy '
        "unit suffers D3 mortal wounds if that test is failed.",
        "(if outcome: failed · D3 mortal wounds to the chosen unit “other”)",
    ),
    (
        "When an enemy unit engaged with this unit is selected to fall back, it must take a Desperate Escape test for every "
        "model it contains. If it is Battle-shocked, subtract 1 from each test.",
        "(if that unit: battle-shocked · -1 to desperate escape rolls of that unit)",
    ),
    # new units, and those that are not destroyed
    (
        "At the end of your Movement phase, add one new WICK unit to your army consisting of D3 models, and set it up "
        'wholly within 6" of this model.',
        'add unit “WICK” of D3 models; set up “new unit” where (wholly within 6" of this model)',
    ),
    (
        "Once per battle, when this model would be destroyed, it is not destroyed and regains D6 lost wounds instead.",
        "set up again this model with D6 wounds place “not removed”",
    ),
    (
        'Each time a unit disembarks from this Transport, that unit can be set up wholly within 9" of this Transport, '
        'instead of 3".',
        'set up with that unit where (wholly within 9" of this model)',
    ),
    (
        'At the start of the battle, select one objective marker. Each time an enemy unit ends a Charge move within 3" of '
        "that objective marker, that unit suffers 1 mortal wound.",
        'if that unit: within 3" of the chosen objective “picked”',
    ),
    # numbers of a battle round
    (
        'The Smoke Range of such units depends on the current battle round, as shown below:\nBattle round 1: 3"\n'
        'Battle rounds 2 and 3: 6"\nBattle round 4 onwards: 9"',
        "if round 2–3 · pool “smoke range”: set 6",
    ),
    (
        'This unit\'s Smoke Range is:\n- 3" in the first battle round.\n- 9" from the second battle round onwards.',
        "if round 2– · pool “smoke range”: set 9",
    ),
]


@pytest.mark.parametrize(("text", "words"), READ)
def test_what_is_read(text: str, words: str) -> None:
    rule = compile_rule(text, name="Lamp", kind="unit-ability", edition="10e")
    assert rule.unread == (), rule.unread
    assert words in describe(rule)
    assert parse(describe(rule)) == rule


@pytest.mark.parametrize(
    "text",
    [
        "For each wound rolled, one model in this unit regains 1 lost wound.",  # of what?
        "If this unit is below Half-strength, it gains both instead.",  # both of what?
        'That move can be up to 9" instead.',  # which move?
    ],
)
def test_of_nothing_said_before(text: str) -> None:
    assert compile_rule(text, name="Lamp", kind="unit-ability", edition="10e").unread
