"""Rules that act before the battle: as battle formations are declared, and once everything is set up.

Rules: 11e 26; 10e T-14, T-15.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from battlewright.battle.beginning import fresh_state
from battlewright.battle.engine import Battle
from battlewright.battle.log import record, replay
from battlewright.battle.reminders import is_enforced
from battlewright.battle.state import Where
from battlewright.dice import Dice
from battlewright.effects import Amount, Build, Clause, Count, Event, Grant, Pick, Reserves, Rule, Select, Setup, Window
from conftest import asked, offered, step

ARMIES = {"10e": ("Ranger post", "Strike group"), "11e": ("Kasrkin patrol", "Forge patrol")}
PICKED = Select(ref="bound", name="picked")
FORMATIONS = Window(edge="start", step="declare battle formations")


def up_to(number: int) -> Pick:
    count = Count("up_to", Amount(Dice.parse(number)))
    return Pick(Select(side="friendly", count=count, bind="picked"), may=True)


def starting(edition: str, rule: Rule) -> Battle:
    """A battle whose first player has this rule, from its very beginning."""
    battle = Battle.new(ARMIES[edition], edition=edition, seed=1)  # type: ignore[arg-type]
    setting = battle.setting
    mine = (*setting.army_rules[0], "A:test")
    made = replace(setting, rules={**setting.rules, "A:test": rule}, army_rules=(mine, setting.army_rules[1]))
    battle = Battle(made, fresh_state(made))
    battle.state_push("battle")
    battle.advance()
    return battle


def to_the_pick(battle: Battle) -> None:
    """To where the rule asks for a unit; it is used when that is a choice."""
    while asked(battle) != "PickUnit":
        use = [choice for choice in offered(battle) if choice.startswith("use A:test")]
        step(battle, use[0] if use else "pass" if asked(battle) == "PutUnit" else offered(battle)[0])


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_up_to_so_many_units_are_redeployed_or_go_into_reserves(edition: str) -> None:
    anew = Setup(limits=("strategic reserves", "any number"))
    rule = Rule("Feint", (Clause((up_to(3), Reserves("redeploy", PICKED), anew), Event("deployment_done")),))
    assert is_enforced(rule)
    battle = starting(edition, rule)
    to_the_pick(battle)
    assert battle.to_choose == 0
    first, second = offered(battle)[:2]
    step(battle, first)
    assert first not in offered(battle)
    step(battle, second)
    if asked(battle) == "PickUnit":
        step(battle, "pass")
    assert offered(battle) == ["do stay", "do redeploy", "do strategic reserves"]
    units = [battle.table.index(choice.split()[1]) for choice in (first, second)]
    before = battle.table.poses(units[0]).xy.tolist()
    step(battle, "do redeploy")
    assert asked(battle) == "SetUpUnit"
    place = next(c for c in offered(battle) if c != "pass" and _elsewhere(battle, c, units[0], before))
    step(battle, place)
    assert battle.table.poses(units[0]).xy.tolist() != before
    step(battle, "do strategic reserves")
    assert battle.state.where(units[1]) == Where.RESERVES


def _elsewhere(battle: Battle, choice: str, unit: int, before: list) -> bool:
    twin = battle.copy()
    twin.play(choice)
    return twin.table.poses(unit).xy.tolist() != before


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_units_not_yet_set_up_are_picked_and_keep_what_they_get(edition: str) -> None:
    grant = Grant("unit_ability", "scouts", Amount(Dice.parse(6)), who=PICKED)
    rule = Rule("Outriders", (Clause((up_to(2), grant), FORMATIONS),))
    assert is_enforced(rule)
    battle = starting(edition, rule)
    to_the_pick(battle)
    picked = [choice.split()[1] for choice in offered(battle)[:2]]
    for name in picked:
        step(battle, f"select {name}")
    while battle.state.round < 2:
        step(battle, "pass" if "pass" in offered(battle) else offered(battle)[0])
    units = [battle.table.index(name) for name in picked]
    core = [bool(battle.table.rules.core(u, "scouts")) for u in range(len(battle.setting.units)) if u in units]
    assert core == [True, True]


def test_who_joins_whom_is_no_matter_of_a_battle() -> None:
    joins = Rule("Retinue", (Clause((Build("join", Select(ref="unit")),), FORMATIONS),))
    assert not is_enforced(joins)


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_whole_battle_is_the_same_again(edition: str) -> None:
    battle = Battle.new(ARMIES[edition], edition=edition, seed=3)  # type: ignore[arg-type]
    while battle.state.round < 1:
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    assert replay(record(battle)).hash() == battle.hash()
