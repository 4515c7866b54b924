"""Abilities written as texts act in a battle: folded into queries, offered at their moment, limited, ended, reminded of."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from battlewright.battle import windows
from battlewright.battle.events import EffectBegan, Reminder
from battlewright.battle.reminders import not_enforced
from battlewright.effects import Clause, Rule, Window
from conftest import asked, faces, offered, sheet, unit, weapon

GUN, SWORD = weapon("gun", A=3), weapon("sword", "Melee", A=1)


def having(text: str, name: str = "Test Rule", **parts: object) -> dict:
    return sheet(weapons=[GUN, SWORD], abilities=[{"name": name, "text": text}], **parts)


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_reroll_of_ones_is_in_the_plan(table, edition: str) -> None:
    text = "Each time this unit makes an attack, re-roll a Hit roll of 1."
    units = [unit("a1", "A", [(20, 22)], having(text)), unit("b1", "B", [(30, 22)])]
    battle = table(edition, "shooting", units, dice=[1, 2, 2, 2])
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert faces(battle, "hit") == [2, 2, 2]
    assert battle.not_enforced() == ()
    battle.finish()


def test_leave_to_shoot_after_falling_back(table) -> None:
    text = "This unit can shoot in a turn in which it Fell Back."
    units = [
        unit("a1", "A", [(20, 22)], having(text), state=["fell back"]),
        unit("a2", "A", [(20, 30)], state=["fell back"]),
        unit("b1", "B", [(30, 22)]),
    ]
    battle = table("10e", "shooting", units)
    assert offered(battle) == ["pass", "select a1"]
    assert "fell back" in str(battle.why_not("select a2"))


def test_an_aura_changes_what_a_friend_controls(table) -> None:
    text = (
        'While a friendly unit is within 5" of this model, '
        "add 1 to the Objective Control characteristic of models in that unit."
    )
    units = [
        unit("a1", "A", [(20, 22)], having(text, "Banner (Aura)")),
        unit("a2", "A", [(24, 22)]),
        unit("a3", "A", [(40, 22)]),
        unit("b1", "B", [(55, 40)]),
    ]
    battle = table("11e", "movement", units)
    rules = battle.table.rules
    assert [rules.stat(model, "OC") for model in range(4)] == [3, 3, 2, 2]


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_an_ability_used_once_a_battle_lasts_for_its_phase(table, edition: str) -> None:
    text = (
        "Once per turn, at the start of the Fight phase, this unit can use this ability. If it does, until the end of the "
        "phase, this unit's melee attacks have +2 A."
    )
    units = [unit("a1", "A", [(20, 22)], having(text)), unit("b1", "B", [(21.9, 22)])]
    battle = table(edition, "fight", units, dice=[1] * 8)
    assert asked(battle) == "React"
    assert offered(battle) == ["pass", "use a1:Test_Rule a1"]
    battle.play("use a1:Test_Rule a1")
    assert [e.name for _, e in battle.log if isinstance(e, EffectBegan)] == ["Test Rule"]
    while asked(battle) != "DeclareAttacks" or battle.to_choose != 0:
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    battle.play("declare a1#0.1>b1")
    dice = [e for _, e in battle.log if getattr(e, "purpose", "") == "hit" and e.unit == 0]
    assert [len(e.faces) for e in dice] == [3]


def test_a_rule_that_was_not_read_is_named_and_does_nothing(table) -> None:
    units = [
        unit("a1", "A", [(20, 22)], having("The stars whisper backwards to this model.", "Riddle")),
        unit("b1", "B", [(30, 22)]),
    ]
    battle = table("11e", "shooting", units)
    assert battle.not_enforced() == ("Test Squad: Riddle",)


def test_wounds_regained_at_the_start_of_the_command_phase(table) -> None:
    text = "At the start of your Command phase, this model regains 1 lost wound."
    units = [unit("a1", "A", [(20, 22)], having(text), wounds=[1]), unit("b1", "B", [(50, 22)])]
    battle = table("11e", "command", units)
    assert int(battle.state.model[0, 4]) == 2


def test_a_move_in_answer_to_a_move(table) -> None:
    text = 'Each time an enemy unit ends a Normal move within 8" of this unit, this unit can make a Normal move of up to 7".'
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(32, 22)], having(text))]
    battle = table("11e", "movement", units)
    battle.play("select a1")
    battle.play("do normal")
    battle.play("move a1 a1#0:25,22")
    assert battle.to_choose == 1
    assert offered(battle) == ["pass", "use b1:Test_Rule b1"]
    battle.play("use b1:Test_Rule b1")
    battle.play("move b1 b1#0:38,22")
    assert battle.state.model[1, :2].tolist() == [38000, 22000]


def test_what_cannot_be_enforced_is_a_reminder_at_its_moment(table) -> None:
    text = "At the start of your Shooting phase, this unit gains one fate card."
    units = [unit("a1", "A", [(20, 22)], having(text)), unit("b1", "B", [(30, 22)])]
    battle = table("11e", "shooting", units)
    assert "Test Squad: Test Rule" in battle.not_enforced()
    assert all(isinstance(e, Reminder) is False or e.name == "Test Rule" for _, e in battle.log)


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_feel_no_pain_is_rolled_a_wound_at_a_time(table, edition: str) -> None:
    hard = sheet(profile={"W": 5}, abilities=["Feel No Pain 5+"])
    gun = weapon("lance", A=1, D=3, S=8, AP=-4)
    units = [unit("a1", "A", [(20, 22)], sheet(weapons=[gun])), unit("b1", "B", [(30, 22)], hard)]
    battle = table(edition, "shooting", units, dice=[6, 6, 1, 5, 4, 1])
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert int(battle.state.model[1, 4]) == 3
    battle.finish()


def test_what_is_triggered_once_is_used_once(table) -> None:
    """An answer without a limit of its own is offered once a trigger, else a battle would never end."""
    text = 'In your Shooting phase, after this unit has shot, it can make a Normal move of up to 7".'
    units = [unit("a1", "A", [(20, 22)], having(text)), unit("b1", "B", [(30, 22)])]
    battle = table("10e", "shooting", units, dice=[1, 1, 1])
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    (answer,) = [choice for choice in offered(battle) if choice.startswith("use")]
    battle.play(answer)
    while asked(battle) == "MoveModels":
        battle.play(next(choice for choice in offered(battle) if choice != "pass"))
    assert answer not in offered(battle)
    assert battle.why_not(answer) is not None


def test_tokens_a_unit_gains_are_counted_up_to_their_maximum(table) -> None:
    text = "At the start of your Command phase, this unit gains two Grudge tokens (to a maximum of 3)."
    more = "While this unit has 3 or more Grudge tokens, add 2 to the Objective Control characteristic of its models."
    given = sheet(
        weapons=[GUN, SWORD], abilities=[{"name": "Grudge", "text": text}, {"name": "Old Grudge", "text": more}]
    )
    for carried, tokens, control in ((0, 2, 2), (2, 3, 4)):
        units = [unit("a1", "A", [(20, 22)], given, state=["grudge"] * carried), unit("b1", "B", [(50, 22)])]
        battle = table("11e", "command", units)
        assert battle.table.rules.states(0) == ["grudge"] * tokens
        assert battle.table.rules.stat(0, "OC") == control


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_an_option_that_may_be_chosen_once_is_offered_once(table, edition: str) -> None:
    text = (
        "At the start of your Shooting phase, select one of the following. Each option can only be selected once per "
        "battle.\n■ Steady: Until the end of the phase, this unit has the Stealth ability.\n"
        "■ Swift: Until the end of the phase, add 1 to the Toughness characteristic of models in this unit.\n"
        "■ Sure: Until the end of the phase, this unit has the Smoke ability."
    )
    units = [unit("a1", "A", [(20, 22)], having(text)), unit("b1", "B", [(55, 40)])]
    battle = table(edition, "shooting", units)
    seen = []
    for _ in range(400):
        if battle.over or len(seen) == 2:
            break
        if asked(battle) == "ChooseDo" and any("swift" in choice for choice in offered(battle)):
            seen.append(offered(battle))
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    assert seen == [["do steady", "do swift", "do sure"], ["do swift", "do sure"]]


def test_an_option_nothing_was_understood_of_is_not_offered(table) -> None:
    """A stratagem or ability whose words gave no effect stands in the list of what is not enforced, and is not sold."""
    battle = table("11e", "shooting", [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(30, 22)])], cp={"A": 3})
    blank = Rule("Blank", (Clause((), Window(edge="during"), may="you"),), status="partial")
    assert not any("Blank" in str(choice) for choice in battle.legal_choices())
    setting = replace(
        battle.setting,
        rules={**battle.setting.rules, "A:Blank": blank},
        army_rules=((*battle.setting.army_rules[0], "A:Blank"), battle.setting.army_rules[1]),
    )
    battle.table.setting = setting
    assert any(armed.key == "A:Blank" for armed in setting.armed["during phase"])
    assert list(windows.optional(battle.table, windows.DURING, 0))
    assert not any("Blank" in str(choice) for choice in battle.decision.options(battle.table))
    assert "not understood" in str(battle.decision.why_not(battle.table, windows.Use("A:Blank")))
    assert "Blank" in not_enforced(setting)
