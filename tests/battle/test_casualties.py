"""Wounds, destroyed models and what follows: attached units, demise, transports, hazards, coherency.

Rules: 11e 05.04, 06, 18.05, 19, 24; 10e T-6, T-10.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from battlewright.battle.events import Separated, UnitDestroyed
from battlewright.battle.state import U, Where
from conftest import asked, faces, offered, sheet, unit, weapon

EDITIONS = ["10e", "11e"]
CANNON = weapon("cannon", A=2, D=9, S=12, AP=-6)


def play_on(battle, *, until: str = "") -> None:
    """Pick the first model whenever one must be picked."""
    while asked(battle) == "LoseModel":
        battle.play(offered(battle)[0])
    del until


def hero(**parts) -> dict:
    return sheet("Hero", keywords=["INFANTRY", "CHARACTER"], profile={"W": 4}, **parts)


def attached(weapons: list) -> list:
    return [
        unit("a1", "A", [(20, 22)], sheet(weapons=weapons)),
        {**unit("b1", "B", [(30, 22)]), "attached": ["b2"]},
        unit("b2", "B", [(31.5, 22)], hero()),
    ]


def test_a_leader_is_hit_last_and_is_a_unit_again_in_the_10th_edition(table) -> None:
    battle = table("10e", "shooting", attached([weapon("gun", A=1, D=2, S=8, AP=-6)]), dice=[6, 6, 1])
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert battle.state.unit[2, U.HEAD] == 2
    assert battle.state.on_battlefield(2)
    assert battle.state.where(1) == Where.DESTROYED
    assert [e.unit for _, e in battle.log if isinstance(e, UnitDestroyed)] == [1]
    assert [e.unit for _, e in battle.log if isinstance(e, Separated)] == [2]
    battle.finish()


def test_an_attached_unit_stays_one_unit_in_the_11th_edition(table) -> None:
    battle = table("11e", "shooting", attached([weapon("gun", A=1, D=2, S=8, AP=-6)]), dice=[6, 6, 1])
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert battle.state.unit[2, U.HEAD] == 1
    assert battle.table.alive(1) == battle.setting.units[2].models
    assert [e for _, e in battle.log if isinstance(e, UnitDestroyed)] == []
    battle.finish()


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_destroyed_attached_unit_counts_by_its_edition(table, edition: str) -> None:
    battle = table(
        edition, "shooting", attached([CANNON]), dice=[6, 6, 6, 6, 1, 1] if edition == "11e" else [6, 6, 1, 6, 6, 1]
    )
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    play_on(battle)
    assert sorted(e.unit for _, e in battle.log if isinstance(e, UnitDestroyed)) == [1, 2]
    assert battle.state.used["lost|1|2|0"] == (1 if edition == "11e" else 2)  # 11e 19.02; 10e T-10.2
    battle.finish()


@pytest.mark.parametrize("edition", EDITIONS)
def test_deadly_demise_reaches_six_inches(table, edition: str) -> None:
    wreck = sheet("Wreck", keywords=["VEHICLE"], profile={"W": 1}, abilities=["Deadly Demise 1"])
    units = [
        unit("a1", "A", [(10, 22)], sheet(weapons=[weapon("gun", A=1, D=1, S=8, AP=-6)])),
        unit("b1", "B", [(20, 22)], wreck),
        unit("b2", "B", [(24, 22)]),
        unit("b3", "B", [(35, 22)]),
    ]
    battle = table(edition, "shooting", units, dice=[6, 6, 1, 6])
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert faces(battle, "deadly_demise") == [6]
    assert battle.state.model[1:, 4].tolist() == [0, 1, 2]
    battle.finish()


def carrier(**parts) -> dict:
    text = "This model has a transport capacity of 6 INFANTRY models."
    return sheet(
        "Carrier", keywords=["VEHICLE", "TRANSPORT"], profile={"W": 1}, base={"shape": "round", "mm": 100},
        abilities=[{"name": "Transport", "text": text}], **parts,
    )  # fmt: skip


def riders(name: str, player: str, inside: str, count: int = 2) -> dict:
    made = unit(name, player, [(0, 0)] * count, sheet(count=count), embarked_in=inside)
    for model in made["models"]:
        model["at"] = None
    return made


@pytest.mark.parametrize(("edition", "dice"), [("11e", [6, 6, 1, 3, 1]), ("10e", [6, 6, 1, 1, 4])])
def test_passengers_of_a_destroyed_transport_get_out(table, edition: str, dice: list[int]) -> None:
    units = [
        unit("a1", "A", [(10, 22)], sheet(weapons=[weapon("gun", A=1, D=1, S=8, AP=-6)])),
        unit("b1", "B", [(20, 22)], carrier()),
        riders("b2", "B", "b1"),
    ]
    battle = table(edition, "shooting", units, dice=dice)
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    play_on(battle)
    assert asked(battle) == "SetUpUnit"
    battle.play("place b2 b2#0:23.2,22 b2#1:23.2,24")
    play_on(battle)
    assert battle.state.on_battlefield(2)
    assert battle.state.shocked(2)
    assert sorted(battle.state.model[2:, 4].tolist()) == [1, 2]
    battle.finish()


def test_models_that_cannot_get_out_are_destroyed(table) -> None:
    units = [
        unit("a1", "A", [(10, 1.5)], sheet(weapons=[weapon("gun", A=1, D=1, S=8, AP=-6)])),
        unit("b1", "B", [(20, 1.5)], carrier()),
        unit("b2", "B", [(0, 0)], sheet(base={"shape": "round", "mm": 100}), embarked_in="b1"),
    ]
    battle = table("11e", "shooting", units, dice=[6, 6, 1, 3], board={"width": 60, "height": 3})
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert offered(battle) == ["pass"]
    battle.play("pass")
    assert battle.state.where(2) == Where.DESTROYED


def test_hazardous_hurts_a_bearer_in_the_10th_edition(table) -> None:
    hot = weapon("hot gun", A=1, abilities=["hazardous"])
    given = sheet(weapons=[hot], count=2, profile={"W": 4})
    units = [unit("a1", "A", [(20, 22), (20, 24)], given), unit("b1", "B", [(30, 22)])]
    battle = table("10e", "shooting", units, dice=[1, 1, 1, 5])
    battle.play("select a1")
    battle.play("declare a1#0.0>b1 a1#1.0>b1")
    assert asked(battle) == "LoseModel"
    battle.play("model a1#1")
    assert battle.state.model[:2, 4].tolist() == [4, 1]
    battle.finish()


def test_hazardous_is_a_hazard_roll_a_weapon_in_the_11th_edition(table) -> None:
    hot = weapon("hot gun", A=1, abilities=["hazardous"])
    units = [unit("a1", "A", [(20, 22), (20, 24)], sheet(weapons=[hot], count=2)), unit("b1", "B", [(30, 22)])]
    battle = table("11e", "shooting", units, dice=[1, 1, 2, 3])
    battle.play("select a1")
    battle.play("declare a1#0.0>b1 a1#1.0>b1")
    assert faces(battle, "hazard") == [2, 3]
    battle.play(offered(battle)[0])
    assert sorted(battle.state.model[:2, 4].tolist()) == [1, 2]
    battle.finish()


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_unit_out_of_coherency_loses_models_at_the_end_of_the_turn(table, edition: str) -> None:
    units = [unit("a1", "A", [(20, 22), (20, 23.6), (20, 40)]), unit("b1", "B", [(55, 5)])]
    battle = table(edition, "fight", units)
    while asked(battle) not in ("LoseModel", ""):
        battle.play(offered(battle)[0])
    if asked(battle) == "LoseModel":
        battle.play("model a1#2")
    assert [int(w) for w in battle.state.model[:3, 4]] == [2, 2, 0]


def test_splitting_attacks_between_two_enemies(table) -> None:
    sword = weapon("sword", "Melee", A=3)
    units = [
        unit("a1", "A", [(20, 22)], sheet(weapons=[sword])),
        unit("b1", "B", [(21.8, 22)]),
        unit("b2", "B", [(20, 23.8)]),
    ]
    battle = table("11e", "fight", units, dice=[1] * 30)
    while asked(battle) != "DeclareAttacks" or battle.to_choose != 0:
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    assert battle.why_not("declare a1#0.0>b1*2 a1#0.0>b2*1") is None
    assert "3 attacks in all" in str(battle.why_not("declare a1#0.0>b1*2 a1#0.0>b2*2"))
    assert "must select a melee weapon" in str(battle.why_not("declare"))
    battle.play("declare a1#0.0>b1*2 a1#0.0>b2*1")
    mine = [len(e.faces) for _, e in battle.log if getattr(e, "purpose", "") == "hit" and e.unit == 0]
    assert mine == [2, 1]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_defender_orders_groups_that_differ(table, edition: str) -> None:
    mixed = sheet(weapons=[weapon("blade", "Melee")])
    tough = {**mixed["models"][0], "name": "Champion", "profile": {**mixed["models"][0]["profile"], "W": 3}}
    mixed["models"].append(tough)
    target = unit("b1", "B", [(30, 22), (30, 24)], mixed)
    target["models"][1]["name"] = "Champion"
    gun = weapon("gun", A=1, D=1, S=8, AP=-6)
    battle = table(edition, "shooting", [unit("a1", "A", [(20, 22)], sheet(weapons=[gun])), target], dice=[6, 6, 1])
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert asked(battle) == "OrderGroups"
    assert battle.to_choose == 1
    assert offered(battle) == ["order b1#0 b1#1", "order b1#1 b1#0"]
    battle.play("order b1#1 b1#0")
    assert battle.state.model[1:, 4].tolist() == [2, 2]
    battle.finish()
