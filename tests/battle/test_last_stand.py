"""Destroyed models that fight or shoot once more before they are removed.

Rules: 11e 05.04.04; 10e T-8.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from battlewright.battle.engine import Battle
from battlewright.battle.events import ModelDestroyed, Returned, UnitDestroyed
from battlewright.battle.reminders import is_enforced
from battlewright.battle.state import Where
from battlewright.dice import Dice
from battlewright.effects import About, Act, Acted, Amount, Clause, Event, Not, RollDice, Row, Rule, Select
from conftest import asked, faces, offered, sheet, step, unit, weapon

EDITIONS = ["10e", "11e"]
MODEL = Select("model", ref="subject")
AXE = weapon("axe", "Melee", A=2, S=8, AP=-6, D=3, WS="2+")
SWORD = weapon("sword", "Melee", A=3, S=8, AP=-6, D=1, WS="2+")


def rule(act: str, *kinds: str) -> Rule:
    again = Act(act, MODEL, limits=("not removed",), may=False)  # type: ignore[arg-type]
    roll = RollDice(Amount(Dice.parse("D6")), (Row((again,), low=4),))
    fresh = About(MODEL, Not(Acted("fight", "phase")))
    mine = Select("model", of=Select(ref="unit"))
    return Rule("Last Stand", (Clause((roll,), Event("destroyed", mine, kinds=kinds), fresh),))


def with_rule(battle: Battle, made: Rule, place: int = 1) -> Battle:
    setting = battle.setting
    units = [replace(u, rules=("last",)) if n == place else u for n, u in enumerate(setting.units)]
    battle.setting = battle.table.setting = replace(setting, rules={**setting.rules, "last": made}, units=tuple(units))
    return battle


def fight(table, edition: str, die: int, victims: int = 2) -> Battle:
    """A unit is struck; the die decides for the model that falls, whose three blows each wound."""
    # 11e: the dice of a kind together; 10e: a script is read one attack after the other
    struck, blows = ([6, 1, 6, 1], [6] * 6 + [1] * 3) if edition == "11e" else ([6, 6, 1, 1], [6, 6, 1] * 3)
    dice = [*(struck[:3] if edition == "10e" and victims == 1 else struck), die, *blows]
    units = [
        unit("a1", "A", [(20, 22)], sheet(weapons=[AXE], profile={"W": 5})),
        unit("b1", "B", [(21.5, 22 + 1.3 * n) for n in range(victims)], sheet(weapons=[SWORD], count=victims)),
        unit("b2", "B", [(50, 40)]),
    ]
    turn = {"10e": "B", "11e": "A"}[edition]  # A's unit fights first
    battle = with_rule(table(edition, "fight", units, dice=dice + [1] * 30, turn=turn), rule("fight", "melee"))
    return on(battle, 0)


def on(battle: Battle, player: int) -> Battle:
    """To where this player declares attacks."""
    while (asked(battle), battle.to_choose) != ("DeclareAttacks", player):
        choices = [c for c in offered(battle) if c not in ("pass", "do overrun")]
        step(battle, "pass" if asked(battle) == "MoveModels" or not choices else choices[0])
    return battle


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_model_struck_down_fights_alone_and_is_removed(table, edition: str) -> None:
    """One of two models falls to the first blow and strikes back; its mate does not."""
    assert is_enforced(rule("fight", "melee"))
    battle = fight(table, edition, 4)
    step(battle, "declare a1#0.0>b1")
    on(battle, 1)
    standing = [e for _, e in battle.log if isinstance(e, Returned)]
    assert [(e.unit, len(e.poses), e.why) for e in standing] == [(1, 1, "not yet removed")]
    fallen = standing[0].poses[0][0]
    other = next(m for m in (1, 2) if m != fallen)
    assert battle.why_not(f"declare b1#{other - 1}.0>a1") is not None
    step(battle, f"declare b1#{fallen - 1}.0>a1")
    assert int(battle.state.model[0, 4]) == 2
    assert int(battle.state.model[fallen, 4]) == 0
    assert int(battle.state.model[other, 4]) == 2
    assert [e.why for _, e in battle.log if isinstance(e, ModelDestroyed)] == ["attack", "removed"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_unit_of_one_stands_until_it_has_fought_and_counts_once(table, edition: str) -> None:
    battle = fight(table, edition, 4, victims=1)
    step(battle, "declare a1#0.0>b1")
    on(battle, 1)
    step(battle, "declare b1#0.0>a1")
    assert int(battle.state.model[0, 4]) == 2
    assert int(battle.state.unit[1, 1]) == Where.DESTROYED
    assert [count for key, count in battle.state.used.items() if key.startswith("lost|1")] == [1]
    assert [e.why for _, e in battle.log if isinstance(e, UnitDestroyed)] == ["attack", "removed"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_on_a_low_roll_it_just_falls(table, edition: str) -> None:
    battle = fight(table, edition, 3)
    step(battle, "declare a1#0.0>b1")
    if asked(battle) == "LoseModel":
        step(battle, offered(battle)[0])
    assert not any(isinstance(e, Returned) for _, e in battle.log)
    assert faces(battle, "ability") == [3]


@pytest.mark.parametrize("edition", EDITIONS)
def test_melee_rules_do_not_hear_of_shots(table, edition: str) -> None:
    """What a rule says of melee attacks is not done for a model that was shot; one about any attack shoots back."""
    gun = weapon("gun", A=1, S=8, AP=-6, D=3)
    for kinds, again in ((("melee",), False), ((), True)):
        units = [
            unit("a1", "A", [(20, 22)], sheet(weapons=[gun], profile={"W": 5})),
            unit("b1", "B", [(30, 22), (30, 23.5)], sheet(weapons=[gun], count=2)),
        ]
        battle = with_rule(
            table(edition, "shooting", units, dice=[6, 6, 1, 4, 6, 6, 1] + [1] * 9), rule("shoot", *kinds)
        )
        battle.play("select a1")
        step(battle, "declare a1#0.0>b1")
        step(battle, "lose b1#0" if "lose b1#0" in offered(battle) else offered(battle)[0])
        if again:
            assert (asked(battle), battle.to_choose) == ("DeclareAttacks", 1)
            step(battle, next(c for c in offered(battle) if c != "declare"))
            assert int(battle.state.model[0, 4]) == 2
        assert any(isinstance(e, Returned) for _, e in battle.log) == again
