"""Abilities that a rule gives to units: one chosen of several, for whom, and once or for each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battlewright.battle.attacks import plan_against
from battlewright.battle.choices import Shot
from battlewright.battle.engine import Battle
from battlewright.battle.reminders import is_enforced
from battlewright.battle.state import State
from battlewright.dice import Dice
from battlewright.effects import (
    Active,
    Amount,
    Choose,
    Clause,
    Cp,
    Duration,
    Event,
    Give,
    Keyword,
    Option,
    PerAttack,
    RollMod,
    Rule,
    Select,
    StatMod,
    Window,
)
from conftest import asked, offered, sheet, unit, weapon, with_unit_rule

ME, BATTLE, ONE = Select(ref="unit"), Duration("battle"), Amount(Dice.parse(1))
START = Window(("any",), unit="round", edge="start")
FASTER = StatMod(("M",), "add", Amount(Dice.parse(2)), on="model", who=ME)
SHARPER = Clause((RollMod("hit", ONE),), PerAttack(attacker=Select("model", of=ME)))
ELVES = Select(side="friendly", where=Keyword((("ELF",),)))


def vows(*options: Option, who: Select = ELVES, up_to: bool = False) -> Rule:
    return Rule("Vows", (Clause((Give(who, (Choose(options, up_to=up_to),)),), START, lasts=BATTLE),))


def with_army_rule(battle: Battle, rule: Rule) -> Battle:
    """The battle in which the first player's army has this rule too."""
    setting = battle.setting
    army_rules = ((*setting.army_rules[0], "A:own"), *setting.army_rules[1:])
    rules = {**setting.rules, "A:own": rule}
    battle.setting = battle.table.setting = replace(setting, rules=rules, army_rules=army_rules)
    return battle


def elves(name: str, at: tuple[float, float], *words: str) -> dict:
    return unit(name, "A", [at], sheet(weapons=[weapon("gun")], keywords=["INFANTRY", *words]))


def _hits(battle: Battle, name: str) -> int:
    """The faces of a die with which the unit's gun hits the enemy."""
    t, shot = battle.table, Shot(f"{name}#0", 0, "b1")
    unit = t.index(name)
    assert unit is not None
    plan, _ = plan_against(t, unit, 3, (shot,), "normal")
    return sum(hit.hits > 0 for hit in plan.batches[0].hit)


def chosen(table, rule: Rule, choice: str, **more: object) -> Battle:  # type: ignore[no-untyped-def]
    """The battle once the next round began and the choice was made."""
    assert is_enforced(rule)
    units = [
        elves("a1", (20, 22), "ELF"),
        elves("a2", (20, 30), "ELF"),
        elves("a3", (20, 38)),
        unit("b1", "B", [(50, 22)]),
    ]
    battle = with_army_rule(table("11e", "fight", units, turn="B", **more), rule)
    while "do " + choice not in offered(battle):
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    twin = battle.copy()
    battle.play("do " + choice)
    twin.play("do " + choice)
    assert twin.state.hash() == battle.state.hash() == State.from_json(battle.state.to_json()).hash()
    return battle


@pytest.mark.parametrize(("choice", "moves", "modified"), [("haste", 2, 0), ("aim", 0, 1)])
def test_the_option_chosen_is_given_to_every_unit_that_fits(table, choice: str, moves: int, modified: int) -> None:
    rule = vows(Option((FASTER,), "Haste"), Option((SHARPER,), "Aim"))
    battle = chosen(table, rule, choice)
    t = battle.table
    assert [t.rules.stat(model, "M") - t.model(model).profile.M for model in range(4)] == [moves, moves, 0, 0]
    hits = [_hits(battle, name) for name in ("a1", "a2", "a3")]
    assert hits == [4 + modified, 4 + modified, 4]
    assert battle.not_enforced() == ()


def test_what_does_not_speak_of_who_has_it_is_set_once(table) -> None:
    """Two units have it; the command point comes once for a unit that is selected."""
    scout = Clause((Cp(ONE),), Event("selected_to_move", ELVES))
    battle = chosen(table, vows(Option((scout,), "Scouts"), Option((FASTER,), "Haste")), "scouts", cp={"A": 0})
    assert sum(effect.waits for effect in battle.state.effects) == 1


def test_of_up_to_one_option_none_may_be_chosen(table) -> None:
    battle = chosen(table, vows(Option((FASTER,), "Haste"), Option((SHARPER,), "Aim"), up_to=True), "none of them")
    assert battle.state.effects == () or list(battle.state.effects) == []


def test_an_option_is_offered_while_its_condition_holds(table) -> None:
    orc = Keyword((("ORC",),))
    rule = Rule(
        "Boon",
        (
            Clause(
                (Choose((Option((FASTER,), "Haste"), Option((FASTER,), "Rage", orc), Option((FASTER,), "Joy"))),),
                Event("selected_to_move", ME),
                lasts=Duration("phase"),
            ),
        ),
    )
    battle = table("11e", "movement", [elves("a1", (20, 22), "ELF"), unit("b1", "B", [(50, 22)])])
    with_unit_rule(battle, rule)
    battle.play("select a1")
    while asked(battle) == "React":
        battle.play(offered(battle)[-1])
    assert offered(battle) == ["do haste", "do joy"]


def test_what_of_a_given_ability_is_not_understood_is_left_to_the_players() -> None:
    known = Option((FASTER,), "Haste")
    assert is_enforced(vows(known, Option((SHARPER,), "Aim")))
    assert not is_enforced(vows(known, Option((SHARPER,), "Aim", Active("doctrine"))))
    held = Clause((FASTER,), holds=Active("doctrine"))
    assert not is_enforced(vows(known, Option((held,), "Aim")))
    assert not is_enforced(vows(known, who=Select(side="friendly", where=Active("doctrine"))))
    assert not is_enforced(Rule("Always", (Clause((Give(ELVES, (FASTER,)),)),)))
