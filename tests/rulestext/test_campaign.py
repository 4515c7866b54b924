"""A campaign around battles: steps after a battle, experience, tests, purchases; and that no battle enforces them."""

from __future__ import annotations

import pytest

from battlewright.battle.reminders import is_enforced
from battlewright.codec import from_json, to_json
from battlewright.effects import Rule
from battlewright.effects_words import describe, parse
from battlewright.rulestext import compile as read

READ = [
    (
        "Add 1 to the Toughness characteristic of Gizmo models from your Crusade army.",
        "add T 1 for <friendly model (GIZMO)>",
    ),
    (
        "After each battle, in the Update Scrolls step, roll one D6: on a 1, you lose 1RP.",
        "end of any phase, unit battle, step “update scrolls” · roll D6: (from 1 up to 1 → (pool “rp”: spend 1))",
    ),
    (
        "At the end of the battle, if the bearer was in your Crusade army and you won that battle, your Crusade force "
        "gains D3 Lost Gears.",
        "end of any phase, unit battle · if (this model: the same as your army and your player: in state “victor”) · "
        "pool “lost gears”: add D3",
    ),
    (
        "At the end of a battle you won, this unit gains D3+1XP.",
        "end of any phase, unit battle · if your player: in state “victor” · state “xp” counting D3+1 on the bearer's unit",
    ),
    (
        "Each time this unit is Marked for Greatness, it gains an additional 2XP.",
        "when used – the bearer's unit kinds “marked for greatness” · state “xp” counting 2 on the bearer's unit",
    ),
    (
        "Each time this unit is Marked for Greatness, it gains 5XP instead of 3XP.",
        "when used – the bearer's unit kinds “marked for greatness” · state “xp” counting 2 on the bearer's unit",
    ),
    (
        "While you have a deficiency in Grain, Gizmo units from your Crusade army gain 2XP from Hard Fights instead of 1XP.",
        "when used – <friendly unit (GIZMO)> kinds “xp from hard fights” · if your player: in state “deficiency in "
        "grain” · state “xp” counting 1 on that unit",
    ),
    ("This unit cannot be Marked for Greatness.", "cannot “be marked for greatness” with the bearer's unit"),
    (
        "At the end of the battle, you can select one additional Gizmo unit from your army to be Marked for Greatness.",
        "end of any phase, unit battle · may pick <one other friendly unit (GIZMO) as “picked”>; state “marked for "
        "greatness” on the chosen unit “picked”",
    ),
    (
        "Each time this unit takes a Battle-shock, Leadership or Out of Action test, add 1 to that test.",
        "when test taken – the bearer's unit kinds “battle_shock”, “leadership”, “out_of_action” · +1 to battle shock "
        "rolls of the bearer's unit; +1 to leadership rolls of the bearer's unit; +1 to out of action rolls of the "
        "bearer's unit",
    ),
    (
        "At the end of the battle, you can ignore up to two failed Out of Action tests taken for Gizmo units from your "
        "Crusade army - those tests are treated as having been passed instead.",
        "2 times once per battle · end of any phase, unit battle · you may · out of action roll: success of "
        "<friendly unit (GIZMO)>",
    ),
    ("This unit fails Out of Action tests on rolls of 1-3.", "out of action roll: failure 3 of the bearer's unit"),
    (
        "Each time this model fails an Out of Action test, subtract an additional 1 from the result.",
        "when test failed – this model kinds “out_of_action” · -1 to out of action rolls of this model",
    ),
    (
        "The RP cost of the following Requisitions is increased by 1RP: Red Hats, Blue Ties.",
        "stratagem cost 1 which stratagem is “red hats”, “blue ties” of category “requisition”",
    ),
    (
        "After each battle, you can purchase one of the following Requisitions once, and when you do, reduce the cost "
        "by 1RP: Red Hats, Blue Ties.",
        "once per battle · end of any phase, unit battle, step “after the battle” · you may · stratagem cost less 1 "
        "which stratagem is “red hats”, “blue ties” of category “requisition”",
    ),
    (
        "In the Select Gifts step, if you are the Underdog, you gain 1 additional Omen point.",
        "any phase, step “select gifts” · if your player: in state “underdog” · pool “omen”: add 1",
    ),
    (
        "Each time you start a Dark Quest, you gain 1 Omen point.",
        "when used kinds “dark quest started” · pool “omen”: add 1",
    ),
]


@pytest.mark.parametrize(("text", "told"), READ)
def test_read(text: str, told: str) -> None:
    rule = read(text, name="P", kind="crusade", edition="10e")
    assert rule.status == "full", rule.unread
    assert describe(rule) == f"“P” · crusade · 10e: {told}"
    assert parse(describe(rule)) == rule
    assert from_json(to_json(rule), Rule) == rule


@pytest.mark.parametrize(
    "text",
    [text for text, _ in READ[1:] if "Battle-shock" not in text],
)
def test_no_battle_enforces_it(text: str) -> None:
    assert not is_enforced(read(text, name="P", kind="crusade", edition="10e"))
