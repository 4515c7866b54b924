"""A unit is under one order at a time, and under none while it is battle-shocked."""

from __future__ import annotations

from dataclasses import replace

from battlewright.battle.engine import Battle
from battlewright.battle.events import ShockChanged
from battlewright.dice import Dice
from battlewright.effects import Amount, Choose, Clause, Count, Duration, Limit, Option, Rule, Select, StatMod, Window
from conftest import asked, offered, unit

UNTIL = Duration("phase", edge="start", whose="your", next=True, phase="command")


def more(stat: str) -> StatMod:
    return StatMod((stat,), "add", Amount(Dice.parse(1)))  # type: ignore[arg-type]


def ordering(table) -> Battle:
    """A battle in which an officer may give two of two orders."""
    steady, quick = Option((more("T"), more("OC")), "Steady"), Option((more("M"),), "Quick")
    window = Window(("command",), "your", edge="during")
    clause = Clause((Choose((steady, quick)),), window, may="you", lasts=UNTIL, limits=(Limit("round", 2),))
    target = Select(side="friendly", count=Count("one"))
    rule = Rule("Voice: orders", (clause,), "order", target=target)
    units = [unit("a1", "A", [(20, 22)]), unit("a2", "A", [(20, 30)]), unit("b1", "B", [(50, 22)])]
    battle = table("11e", "shooting", units, turn="B")
    setting = battle.setting
    battle.setting = battle.table.setting = replace(
        setting,
        rules={**setting.rules, "a1:orders": rule},
        units=(replace(setting.units[0], rules=("a1:orders",)), *setting.units[1:]),
    )
    while not any(choice.startswith("use a1:orders") for choice in offered(battle)):
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    return battle


def give(battle: Battle, order: str, to: str) -> None:
    battle.play(next(choice for choice in offered(battle) if choice == f"use a1:orders {to}"))
    assert asked(battle) == "ChooseDo"
    battle.play(f"do {order}")


def stats(battle: Battle, model: int) -> list[int]:
    return [battle.table.rules.stat(model, name) for name in ("T", "OC", "M")]  # type: ignore[arg-type]


def test_both_effects_of_an_order_and_only_on_its_unit(table) -> None:
    battle = ordering(table)
    give(battle, "steady", "a2")
    assert stats(battle, 1) == [5, 3, 6]
    assert stats(battle, 0) == [4, 2, 6]


def test_a_second_order_replaces_the_first(table) -> None:
    battle = ordering(table)
    give(battle, "steady", "a2")
    assert len(battle.state.effects) == 2
    while not any(choice.startswith("use a1:orders") for choice in offered(battle)):
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    give(battle, "quick", "a2")
    assert stats(battle, 1) == [4, 2, 7]
    assert len(battle.state.effects) == 1


def test_a_battle_shocked_unit_is_under_no_order(table) -> None:
    battle = ordering(table)
    give(battle, "steady", "a2")
    battle.table.emit(ShockChanged(1, True))
    assert stats(battle, 1)[0] == 4
