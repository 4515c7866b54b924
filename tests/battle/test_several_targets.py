"""Stratagems used on several units, on one of two kinds, and rules that speak of units their own conditions name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec.structs import replace as with_parts

from battlewright.battle.engine import Battle
from battlewright.battle.events import LeftBattlefield
from battlewright.battle.reminders import is_enforced
from battlewright.battle.state import Where
from battlewright.effects import Rule
from battlewright.rulestext.build import read
from conftest import asked, faces, offered, sheet, unit, weapon, with_unit_rule

ELVES = sheet("Elves", keywords=["INFANTRY", "ELVES"])
MAGES = sheet("Mages", keywords=["INFANTRY", "MAGE"])


def stratagem(text: str) -> Rule:
    rule, _ = read(text, name="Ruse", kind="stratagem", edition="10e")
    assert is_enforced(rule), text
    return with_parts(rule, cost=1, id="RUSE")


def knowing(battle: Battle, rule: Rule) -> Battle:
    """The battle in which player A has this stratagem besides."""
    setting = battle.setting
    keys = ((*setting.army_rules[0], "A:ruse"), setting.army_rules[1])
    battle.setting = battle.table.setting = replace(setting, rules={**setting.rules, "A:ruse": rule}, army_rules=keys)
    return battle


def uses(battle: Battle) -> list[str]:
    return [c.removeprefix("use A:ruse ") for c in offered(battle) if c.startswith("use A:ruse")]


HEX = """WHEN: Your Shooting phase.
TARGET: One ELVES unit from your army and one enemy unit within 12" of it.
EFFECT: That enemy unit must take a Battle-shock test."""


def test_a_stratagem_is_used_on_a_friend_and_an_enemy_near_him(table) -> None:
    """Only the enemy within 12" can be the second target, and it alone takes the test; the other kinds are refused."""
    units = [
        unit("a1", "A", [(20, 22)], ELVES), unit("a2", "A", [(20, 26)]), unit("b1", "B", [(30, 22)]),
        unit("b2", "B", [(42, 22)]),
    ]  # fmt: skip
    battle = knowing(table("10e", "shooting", units, cp={"A": 2, "B": 0}, dice=[1, 1]), stratagem(HEX))
    assert uses(battle) == ["a1 b1"]
    for wrong in ("a1", "a1 b2", "a2 b1", "b1 a1"):
        assert battle.why_not(f"use A:ruse {wrong}") is not None
    battle.play("use A:ruse a1 b1")
    assert faces(battle, "battle_shock") == [1, 1]
    assert [battle.state.shocked(battle.setting.names[name]) for name in ("a1", "b1", "b2")] == [False, True, False]


GONE = """WHEN: Your Shooting phase.
TARGET: Up to two ELVES units from your army, or one MAGE unit from your army.
EFFECT: Remove those units from the battlefield and place them into Strategic Reserves."""


@pytest.mark.parametrize("chosen", ["a1", "a1 a2", "a3"])
def test_up_to_two_of_a_kind_or_one_of_another(table, chosen: str) -> None:
    units = [
        unit("a1", "A", [(20, 22)], ELVES), unit("a2", "A", [(20, 26)], ELVES), unit("a3", "A", [(20, 30)], MAGES),
        unit("b1", "B", [(40, 22)]), unit("a4", "A", [(20, 36)]),
    ]  # fmt: skip
    battle = knowing(table("10e", "shooting", units, cp={"A": 2, "B": 0}), stratagem(GONE))
    assert uses(battle) == ["a1", "a2", "a1 a2", "a3"]
    assert battle.why_not("use A:ruse a1 a3") is not None
    battle.play(f"use A:ruse {chosen}")
    left = [e.unit for e in battle.events() if isinstance(e, LeftBattlefield) and e.to == Where.RESERVES]
    assert sorted(map(battle.table.name, left)) == chosen.split()


def test_nobody_shocked_is_a_second_target(table) -> None:
    units = [
        unit("a1", "A", [(20, 22)], ELVES), unit("a2", "A", [(20, 26)], ELVES, state=["battle-shocked"]),
        unit("b1", "B", [(40, 22)]),
    ]  # fmt: skip
    battle = knowing(table("10e", "shooting", units, cp={"A": 2, "B": 0}), stratagem(GONE))
    assert uses(battle) == ["a1"]


RUSH = """WHEN: Your Charge phase.
TARGET: One friendly ELVES unit within 6" of one or more enemy units.
EFFECT: Your unit now declares a charge that only targets one or more of those units, and you resolve that charge."""


def test_those_enemies_are_the_ones_the_target_is_near(table) -> None:
    """Of two enemies within 12" one is within 6": only it is charged; who is near nobody cannot be chosen."""
    units = [
        unit("a1", "A", [(20, 22)], ELVES), unit("a2", "A", [(5, 40)], ELVES), unit("b1", "B", [(26, 22)]),
        unit("b2", "B", [(20, 32)]),
    ]  # fmt: skip
    battle = knowing(table("11e", "charge", units, cp={"A": 1, "B": 0}, dice=[6, 6]), stratagem(RUSH))
    assert uses(battle) == ["a1"]
    battle.play("use A:ruse a1")
    assert asked(battle) == "ChooseTargets"
    assert battle.why_not("targets b1") is None
    assert battle.why_not("targets b2") is not None


GRIND = (
    "In your Shooting phase, after this unit has shot, if one or more of those attacks made with its big gun scored a hit "
    "against an enemy INFANTRY unit, that unit must take a Battle-shock test."
)


@pytest.mark.parametrize(("words", "tested"), [("INFANTRY", True), ("BEASTS", False)])
def test_that_unit_is_the_one_the_condition_is_about(table, words: str, tested: bool) -> None:
    rule, _ = read(GRIND, name="Own", kind="unit-ability", edition="10e")
    assert is_enforced(rule)
    gun = sheet(weapons=[weapon("big gun", A=1)])
    foe = sheet(keywords=[words])
    units = [unit("a1", "A", [(20, 22)], gun), unit("b1", "B", [(30, 22)], foe), unit("b2", "B", [(30, 30)])]
    battle = table("10e", "shooting", units, cp={"A": 0, "B": 0}, dice=[4, 1, 1, 1] if tested else [4, 1])
    battle = with_unit_rule(battle, rule)
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert faces(battle, "battle_shock") == ([1, 1] if tested else [])
    assert battle.state.shocked(battle.setting.names["b1"]) is tested
    assert not battle.state.shocked(battle.setting.names["b2"])
