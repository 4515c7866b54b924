"""Rules that ship from pages, played: what they force, forbid, let through and answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from battlewright import effects as fx
from battlewright.battle.engine import Battle
from battlewright.battle.events import StratagemUsed
from battlewright.battle.judge import Context, holds
from battlewright.battle.moves import move_of
from battlewright.battle.state import Lasting
from battlewright.catalogue.page_rules import page_rules
from battlewright.effects import Clause, Rule
from conftest import asked, faces, offered, sheet, unit, weapon

Start = Callable[..., Battle]


def knight(words: tuple[str, ...] = ("WAR DOG",), **parts: Any) -> dict[str, Any]:
    keywords = ["VEHICLE", "WALKER", "CHAOS KNIGHTS", *words]
    return sheet("Engine", keywords=keywords, profile={"M": 10, "W": 12, "T": 10}, **parts)


def test_who_is_made_to_test_in_the_step_tests_once(table: Start) -> None:
    """10e: below starting strength and near the enemy's engines b1 tests, and not again for being below half."""
    units = [
        unit("a1", "A", [(20, 22)], sheet(count=5)),
        unit("a2", "A", [(20, 40)], sheet(count=5)),
        unit("b1", "B", [(26, 22)], knight()),
    ]
    battle = table("10e", "command", units, detachments={"B": "Traitoris Lance"}, factions={"B": "CHAOS KNIGHTS"})
    while battle.state.phase == "command":
        battle.play("pass")
    shocks = [e.unit for _, e in battle.log if getattr(e, "purpose", "") == "battle_shock"]  # type: ignore[union-attr]
    assert sorted(shocks) == [0, 1]
    assert not any("Forged" in rule for rule in battle.not_enforced())


@pytest.mark.parametrize("used", [True, False])
def test_engines_walk_through_what_stands_in_their_way(table: Start, used: bool) -> None:
    units = [
        unit("a1", "A", [(20, 22)], knight()),
        unit("a2", "A", [(5, 5)]),
        unit("b1", "B", [(24, 22)], sheet(keywords=["VEHICLE"], profile={"W": 12})),
        unit("b9", "B", [(55, 40)]),
    ]
    detachment = {"detachments": {"A": "Traitoris Lance"}, "factions": {"A": "CHAOS KNIGHTS"}}
    battle = table("10e", "movement", units, cp={"A": 1}, **detachment)
    if used:
        battle.play(next(choice for choice in offered(battle) if choice.startswith("use") and "Shade" in choice))
        assert [e.name for _, e in battle.log if isinstance(e, StratagemUsed)] == ["Knights of Shade"]
    battle.play("select a1")
    battle.play("do normal")
    assert (battle.why_not("move a1 a1#0:20.1,22>28.5,22") is None) == used
    move = move_of(battle.table, battle.decision)  # type: ignore[arg-type]
    assert (move.passage.step_over > 100) == used


def test_a_rule_in_force_forbids_a_stratagem(table: Start) -> None:
    """Whoever is under fire cannot answer with the stratagem the rule names; the others can."""
    gun = weapon("gun", A=2)
    units = [
        unit("a1", "A", [(20, 22)]),
        unit("b1", "B", [(32, 22)], sheet(weapons=[gun])),
        unit("b2", "B", [(32, 30)], sheet(weapons=[gun])),
    ]
    battle = table("11e", "movement", units, cp={"B": 1})
    picked = fx.Select(ref="bound", name="picked")
    effect = fx.Stratagem("forbid", which=fx.StratagemIs(names=("fire overwatch",)), who=picked, whose="opponent")
    rule = Rule("Kept Down", (Clause((effect,), lasts=fx.Duration("turn")),), status="full")
    setting = replace(battle.setting, rules={**battle.setting.rules, "A:Kept Down": rule})
    battle.setting = battle.table.setting = setting
    battle.state.unlock()
    battle.state.effects = (Lasting("A:Kept Down", (0,), 0, 1, "turn", bound=(("picked", 1),)),)
    battle.play("select a1")
    battle.play("do stationary")
    uses = [choice for choice in offered(battle) if choice.startswith("use 15.08")]
    assert uses == ["use 15.08 b2"]


def test_mortal_wounds_may_be_answered(table: Start) -> None:
    """11e: before they are suffered a rule may give Feel No Pain against them."""
    blast = weapon("bomb", abilities=["devastating wounds"])
    bombs = sheet(weapons=[blast], keywords=["INFANTRY", "GRENADES"])
    big = sheet("Engine", keywords=["VEHICLE", "IMPERIAL KNIGHTS"], profile={"W": 12})
    units = [unit("a1", "A", [(20, 22)], bombs), unit("b1", "B", [(26, 22)], big)]
    battle = table(
        "11e",
        "shooting",
        units,
        cp={"A": 1, "B": 1},
        dice=[4, 4, 1, 1, 1, 1, 5, 4],
        detachments={"B": "Questor Forgepact"},
        factions={"B": "IMPERIAL KNIGHTS"},
    )
    battle.play("use 15.05 a1")
    if asked(battle) == "PickUnit":
        battle.play("select b1")
    assert battle.to_choose == 1
    battle.play(next(choice for choice in offered(battle) if choice.startswith("use")))
    assert faces(battle, "feel_no_pain") == [5, 4]
    assert battle.state.model[1, 4] == 11


def test_a_charge_may_be_possible_at_one_and_not_at_another(table: Start) -> None:
    """10e T-7.2: only units within 12" can be charged; who may declare a charge is asked of one of them."""
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(28, 22)]), unit("b2", "B", [(50, 22)])]
    battle = table("10e", "charge", units)
    against = fx.Eligible("charge", fx.Select(ref="bound", name="picked"))
    found = [holds(battle.table, against, 0, Context(0, 0).binding("picked", other)) for other in (1, 2)]
    assert found == [True, False]


#: entries of the digest that are left to the players: games of an army's own, and what happens before the battle
LEFT = {
    *(1, 2, 3, 11, 12, 20, 21, 22, 23, 25, 27, 31, 32, 36, 42, 45, 53, 59, 62, 70, 71, 78, 80),
}


def test_every_shipped_page_rule_says_whether_it_is_played() -> None:
    """Those that are left to the players stand in the result's list; no others are."""
    from battlewright.battle.reminders import is_enforced

    shipped = [*page_rules("10e"), *page_rules("11e")]
    left = {rule.id for rule in shipped if not is_enforced(rule)}
    assert left == {f"seed {place}" for place in LEFT}
