"""Destroyed models that return to their units, and models set up again where they fell.

Rules: 11e 01.02.03; 10e T-9.7.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from battlewright.battle.casualties import destroy_model
from battlewright.battle.engine import Battle
from battlewright.battle.events import Returned
from battlewright.battle.state import Where
from battlewright.dice import Dice
from battlewright.effects import Amount, Clause, Event, Revive, RollDice, Row, Rule, Select, Window
from conftest import asked, offered, sheet, step, unit, weapon

EDITIONS = ["10e", "11e"]
RETURN = (
    "At the start of your Command phase, you can return 2 destroyed models (excluding Character models) to this unit."
)
PLACE = "near where destroyed, unengaged"
ME = Select("model", ref="self")
RISES = Row((Revive(ME, Amount(Dice.parse(3)), PLACE),), low=2)
LATER = Clause((RollDice(Amount(Dice.parse("D6")), (RISES,)),), Window(edge="end"))
REVIVE = Rule("Test Rule", (Clause((LATER,), Event("destroyed", ME, first=True)),))
LINE = [(20, 20 + 1.6 * n) for n in range(4)]


def having(text: str, **parts: object) -> dict:
    return sheet(abilities=[{"name": "Test Rule", "text": text}], **parts)


def rising(battle: Battle, unit: int) -> Battle:
    """The battle in which a unit has the rule that lets it rise."""
    setting = battle.setting
    units = [replace(u, rules=("rise",)) if place == unit else u for place, u in enumerate(setting.units)]
    made = replace(setting, rules={**setting.rules, "rise": REVIVE}, units=tuple(units))
    battle.setting = battle.table.setting = made
    return battle


def on(battle: Battle, kind: str) -> None:
    """Pass until this is asked."""
    while not battle.over and asked(battle) != kind:
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])


def returns(battle: Battle) -> list[Returned]:
    return [e for _, e in battle.log if isinstance(e, Returned)]


@pytest.mark.parametrize("edition", EDITIONS)
def test_models_return_beside_their_unit_whole_and_no_more_than_there_were(table, edition: str) -> None:
    units = [unit("a1", "A", LINE, having(RETURN, count=4)), unit("b1", "B", [(50, 22)])]
    battle = table(edition, "fight", units, turn="B")
    for model in (1, 2, 3):
        destroy_model(battle.table, model, "a test", silent=True)
    assert battle.not_enforced() == ()
    on(battle, "React")
    step(battle, "use a1:Test_Rule a1")
    assert asked(battle) == "SetUpUnit"
    near = next(iter(battle.legal_choices()))
    for bad, why in (("place a1 a1#1:20,22", "a1#1, a1#2"), ("place a1 a1#1:20,22 a1#2:40,22", "coherency")):
        assert why in str(battle.why_not(bad))
    assert "own unit" in str(battle.why_not("place a1 a1#1:20,22 a1#2:20,20"))
    step(battle, str(near))
    assert battle.state.model[:4, 4].tolist() == [2, 2, 2, 0]
    assert [(e.unit, e.wounds) for e in returns(battle)] == [(0, (2, 2))]


@pytest.mark.parametrize("edition", EDITIONS)
def test_nobody_is_asked_when_nobody_fell(table, edition: str) -> None:
    units = [unit("a1", "A", LINE, having(RETURN, count=4)), unit("b1", "B", [(50, 22)])]
    battle = table(edition, "fight", units, turn="B")
    while battle.state.turn != 0 or battle.state.phase != "movement":
        assert "use a1:Test_Rule a1" not in offered(battle)
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])


@pytest.mark.parametrize("edition", EDITIONS)
def test_who_returns_may_be_engaged_only_with_whom_its_unit_is(table, edition: str) -> None:
    enemies = [unit("b1", "B", [(22, 20)]), unit("b2", "B", [(20, 25.2)])]
    battle = table(
        edition, "movement", [unit("a1", "A", LINE, having(RETURN, count=4)), *enemies], turn="B", dice=[1] * 90
    )
    for model in (2, 3):
        destroy_model(battle.table, model, "a test", silent=True)
    on(battle, "React")
    while "use a1:Test_Rule a1" not in offered(battle):
        battle.play("pass")
        on(battle, "React")
    battle.play("use a1:Test_Rule a1")
    assert battle.table.engaged_with(0) == (1,)
    assert battle.why_not("place a1 a1#2:18.5,20 a1#3:18.5,21.6") is None
    assert "no target" in str(battle.why_not("place a1 a1#2:18.5,20 a1#3:20,23.2"))


def killed(table, edition: str, die: int, **more: object) -> Battle:
    """A hero who is shot dead in the first player's Shooting phase."""
    gun = weapon("cannon", A=1, S=16, AP=-6, D=9)
    hero = sheet(keywords=["INFANTRY", "CHARACTER"], profile={"W": 5})
    units = [
        unit("a1", "A", [(20, 22)], sheet(weapons=[gun])),
        unit("b1", "B", [(40, 22)], hero),
        unit("b2", "B", [(50, 30)]),
        *more.pop("others", []),  # type: ignore[misc]
    ]
    battle = rising(table(edition, "shooting", units, dice=[6, 6, 1, die] + [1] * 30, **more), 1)
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    return battle


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("die", "left"), [(2, 3), (1, 0)])
def test_a_model_rises_where_it_fell_at_the_end_of_the_phase(table, edition: str, die: int, left: int) -> None:
    battle = killed(table, edition, die)
    assert battle.not_enforced() == ()
    while battle.state.phase == "shooting":
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    assert int(battle.state.model[1, 4]) == left
    if left:
        assert battle.state.model[1, :2].tolist() == [40000, 22000]
        assert int(battle.state.unit[1, 1]) == Where.BATTLEFIELD
        assert 1 in battle.table.units(1)
    else:
        assert int(battle.state.unit[1, 1]) == Where.DESTROYED


def test_only_the_first_time(table) -> None:
    battle = killed(table, "11e", 6)
    while battle.state.phase == "shooting":
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    destroy_model(battle.table, 1, "a test")
    assert not any(frame.procedure == "window" for frame in battle.state.frames)
    assert not any(effect.waits for effect in battle.state.effects)


def test_a_leader_who_rises_leads_its_unit_again(table) -> None:
    """11e: it is set up beside the unit it was of, which hears of its death as no other's rules do."""
    hero = sheet(keywords=["INFANTRY", "CHARACTER"], profile={"W": 5})
    squad = unit("b1", "B", [(40, 20), (40, 21.6)], attached=["b2"])
    gun = weapon("cannon", A=1, S=16, AP=-6, D=9, abilities=["precision"])
    shooter = unit("a1", "A", [(20, 22)], sheet(weapons=[gun]))
    units = [shooter, squad, unit("b2", "B", [(40, 23.2)], hero), unit("b3", "B", [(50, 40)])]
    battle = rising(table("11e", "shooting", units, dice=[6] * 30), 2)
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    while asked(battle) != "SetUpUnit":
        battle.play(next(choice for choice in offered(battle) if "b2#0" in choice or asked(battle) != "AimAt"))
    assert asked(battle) == "SetUpUnit"
    step(battle, str(next(iter(battle.legal_choices()))))
    assert battle.table.alive(1) == (1, 2, 3)
    assert battle.table.strength(1) == (3, 3)
