"""What rules hang on, asked of a battle: each condition holds of one unit and not of another, in one test."""

from __future__ import annotations

import pytest

from battlewright.battle.engine import Battle
from battlewright.battle.events import CpChanged
from battlewright.battle.judge import Context, holds, is_understood
from battlewright.battle.reminders import is_enforced
from battlewright.dice import Dice
from battlewright.effects import (
    Amount,
    Clause,
    Condition,
    Cp,
    Engaged,
    Event,
    HasAbility,
    HasWeapon,
    IsWarlord,
    Keyword,
    Leading,
    LedBy,
    Models,
    OnObjective,
    Rule,
    Same,
    Select,
    Targets,
    Was,
    Within,
)
from conftest import asked, offered, sheet, unit, weapon, with_unit_rule

ONE = Amount(Dice.parse(1))
HERO = sheet("Hero", keywords=["INFANTRY", "CHARACTER", "HERALD", "WARLORD"])
CLERK = sheet("Clerk", keywords=["INFANTRY", "CHARACTER", "CLERK"])


def true_of(battle: Battle, condition: Condition, name: str, owner: int = 0) -> bool | None:
    assert is_understood(condition)
    return holds(battle.table, condition, battle.setting.names[name], Context(owner, 0))


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_the_warlord_and_who_leads_are_known(table, edition: str) -> None:
    """Of two squads each is led by another kind of leader, one of them the Warlord. Rules: 11e 19.01, 25.04; 10e T-10.1."""
    units = [
        unit("a1", "A", [(10, 20), (12, 20)], attached=["h"]), unit("h", "A", [(11, 22)], HERO),
        unit("a2", "A", [(30, 20), (32, 20)], attached=["c"]), unit("c", "A", [(31, 22)], CLERK),
        unit("b1", "B", [(50, 22)]),
    ]  # fmt: skip
    battle = table(edition, "shooting", units)
    herald = LedBy(Select("model", where=Keyword((("HERALD",),))))
    assert [true_of(battle, herald, name) for name in ("a1", "a2", "b1")] == [True, False, False]
    assert [true_of(battle, LedBy(), name) for name in ("a1", "a2", "b1")] == [True, True, False]
    assert [true_of(battle, IsWarlord(), name) for name in ("a1", "a2", "b1")] == [True, False, False]
    squad = Leading(Select(where=Keyword((("TEST SQUAD",),))))
    assert [true_of(battle, squad, name) for name in ("a1", "b1")] == [True, False]
    assert true_of(battle, Leading(Select(where=Keyword((("BEASTS",),)))), "a1") is False


def test_models_are_told_by_what_they_carry_and_can(table) -> None:
    armed = sheet(weapons=[weapon("long gun"), weapon("blade", "Melee")], count=2)
    able = sheet(count=2, abilities=[{"name": "Cunning", "text": ""}])
    battle = table("11e", "shooting", [
        unit("a1", "A", [(10, 20), (12, 20)], armed), unit("a2", "A", [(30, 20), (32, 20)], able),
        unit("b1", "B", [(50, 22)]),
    ])  # fmt: skip
    for where, name in ((HasWeapon("long gun"), "a1"), (HasAbility("cunning"), "a2")):
        assert [true_of(battle, Models(2, None, where), each) for each in ("a1", "a2", "b1")] == [
            each == name for each in ("a1", "a2", "b1")
        ]


@pytest.mark.parametrize(("far", "inside"), [(25.0, True), (26.5, False)])
def test_wholly_within_is_asked_of_every_model(table, far: float, inside: bool) -> None:
    """Bases of 32 mm: all of the second model's is within 6" of one at 20, or a part sticks out. Rule: 11e 01.04.01."""
    battle = table("11e", "shooting", [
        unit("a1", "A", [(20, 22)]), unit("a2", "A", [(24, 22), (far, 22)]), unit("b1", "B", [(50, 22)]),
    ])  # fmt: skip
    near = Within(Amount(Dice.parse(6)), Select(ref="self"), wholly=True)
    assert true_of(battle, near, "a2") is inside
    assert true_of(battle, Within(Amount(Dice.parse(6)), Select(ref="self")), "a2") is True


def test_an_objective_is_in_a_zone_or_between(table) -> None:
    zones = {"A": [[0, 0], [20, 0], [20, 44], [0, 44]], "B": [[40, 0], [60, 0], [60, 44], [40, 44]]}
    units = [unit("a1", "A", [(10, 22)]), unit("a2", "A", [(30, 22)]), unit("b1", "B", [(50, 22)])]
    battle = table("11e", "shooting", units, zones=zones, objectives=[[10, 22], [30, 22], [50, 22]])
    where = {"own_zone": "a1", "no_mans_land": "a2", "enemy_zone": "b1"}
    for zone, name in where.items():
        for each in ("a1", "a2", "b1"):
            assert true_of(battle, OnObjective(where=zone), each) is (each == name)  # type: ignore[arg-type]


GAIN = Clause((Cp(ONE),), Event("has_shot", Select(ref="unit"), edge="after"))


@pytest.mark.parametrize(("target", "gained"), [("b1", 1), ("b2", 0)])
def test_whom_a_unit_attacked_is_known_when_it_has_shot(table, target: str, gained: int) -> None:
    beast = sheet("Beast", keywords=["BEASTS"])
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(30, 22)], beast), unit("b2", "B", [(30, 26)])]
    aimed = Targets(Select(side="enemy", where=Keyword((("BEASTS",),))))
    rule = Rule("Hunt", (Clause(GAIN.do, GAIN.when, aimed),))
    assert is_enforced(rule)
    battle = with_unit_rule(table("11e", "shooting", units, cp={"A": 0}), rule)
    battle.play("select a1")
    battle.play(f"declare a1#0.0>{target}")
    while asked(battle) == "LoseModel":
        battle.play(offered(battle)[0])
    assert battle.table.cp(0) == gained


@pytest.mark.parametrize(("start", "gained"), [(21.4, 1), (30.0, 0)])
def test_who_was_engaged_when_the_turn_began_is_kept(table, start: float, gained: int) -> None:
    """A unit that fell back was engaged when its turn began; one that walked away was not."""
    was = Was(Engaged(), "turn_start")
    assert is_understood(was)
    assert not is_understood(Was(Engaged(Select(ref="target")), "turn_start"))
    assert not is_understood(Was(Same(Select(ref="self")), "phase_start"))
    rule = Rule("Slip", (Clause((Cp(ONE),), Event("move_ended", Select(ref="unit"), edge="after"), was),))
    assert is_enforced(rule)
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(start, 22)])]
    battle = with_unit_rule(table("10e", "fight", units, turn="B", round=1, cp={"A": 0}), rule)
    while battle.state.turn == 1 or battle.state.phase in ("", "command"):
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[-1])
    battle.play("select a1")
    battle.play("do fall_back" if gained else "do normal")
    if asked(battle) == "React":
        battle.play("pass")
    battle.play("move a1 a1#0:15,22")
    if asked(battle) == "React":
        battle.play("pass")
    assert sum(isinstance(e, CpChanged) and e.why == "ability" for e in battle.events()) == gained
