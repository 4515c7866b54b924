"""The core stratagems: offered where they can be used and nowhere else, paid for, limited, and doing what they say.

Rules: 11e 15; 10e T-13.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from battlewright.battle.events import StratagemUsed
from battlewright.battle.sight import covered
from conftest import asked, faces, offered, sheet, unit, weapon

EDITIONS = ["10e", "11e"]


def used(battle) -> list[str]:
    return [e.name for _, e in battle.log if isinstance(e, StratagemUsed)]


# ------------------------------------------------------------------------------------------------- command re-roll
@pytest.mark.parametrize(("edition", "key"), [("10e", "S-CRR"), ("11e", "15.02")])
def test_an_advance_roll_is_rerolled_once_and_paid_for(table, edition: str, key: str) -> None:
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(50, 22)])]
    battle = table(edition, "movement", units, cp={"A": 1}, dice=[2, 5])
    battle.play("select a1")
    battle.play("do advance")
    assert asked(battle) == "RerollRoll"
    assert offered(battle) == ["pass", "die 0"]
    battle.play("die 0")
    assert battle.state.player[0, 0] == 0
    assert used(battle) == ["Command Re-roll"]
    assert "11.0" in battle.decision.prompt(battle.table)
    assert battle.state.used["stratagem|0|Command Re-roll|2|0|movement"] == 1
    battle.finish()
    del key


@pytest.mark.parametrize("edition", EDITIONS)
def test_without_command_points_nothing_is_asked(table, edition: str) -> None:
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(50, 22)])]
    battle = table(edition, "movement", units, dice=[2])
    battle.play("select a1")
    battle.play("do advance")
    assert asked(battle) == "MoveModels"


@pytest.mark.parametrize("edition", EDITIONS)
def test_both_dice_of_a_charge_are_rolled_again(table, edition: str) -> None:
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(28, 22)])]
    battle = table(edition, "charge", units, cp={"A": 1}, dice=[1, 1, 6, 5])
    battle.play("select a1")
    if edition == "10e":
        battle.play("targets b1")
    assert offered(battle) == ["pass", "die 0"]
    battle.play("die 0")
    assert faces(battle, "charge re-roll") == [6, 5]
    battle.finish()


def test_one_hit_die_of_a_pool_is_rerolled_and_lies_after_the_roll(table) -> None:
    gun = weapon("gun", A=3)
    units = [unit("a1", "A", [(20, 22)], sheet(weapons=[gun])), unit("b1", "B", [(30, 22)])]
    battle = table("11e", "shooting", units, cp={"A": 1}, dice=[1, 4, 2, 6, 5, 4, 1, 1])
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert battle.decision.faces == (1, 4, 2)
    battle.play("die 2")
    assert faces(battle, "hit") == [1, 4, 6]
    assert faces(battle, "wound") == [5, 4]
    assert faces(battle, "save") == [1, 1]
    battle.finish()


def test_in_the_11th_edition_a_unit_is_the_target_of_one_stratagem_a_phase(table) -> None:
    gun = weapon("gun", A=2)
    given = sheet(weapons=[gun], keywords=["INFANTRY", "GRENADES"])
    units = [unit("a1", "A", [(20, 22)], given), unit("b1", "B", [(27, 22)])]
    battle = table("11e", "shooting", units, cp={"A": 3}, dice=[1, 1, 1, 1, 1, 1, 1, 1])
    battle.play("use 15.05 a1")
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert asked(battle) != "RerollRoll"
    assert used(battle) == ["Explosives"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_battle_shocked_unit_is_no_target(table, edition: str) -> None:
    units = [unit("a1", "A", [(20, 22)], state=["battle-shocked"]), unit("b1", "B", [(50, 22)])]
    battle = table(edition, "movement", units, cp={"A": 2}, dice=[2])
    battle.play("select a1")
    battle.play("do advance")
    assert asked(battle) == "MoveModels"


# --------------------------------------------------------------------------------------------------- fire overwatch
def test_overwatch_comes_at_the_end_of_the_opponents_movement_in_the_11th_edition(table) -> None:
    gun = weapon("gun", A=2)
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(32, 22)], sheet(weapons=[gun]))]
    battle = table("11e", "movement", units, cp={"B": 1}, dice=[5, 6, 6, 1])
    battle.play("select a1")
    battle.play("do stationary")
    assert offered(battle) == ["pass", "use 15.08 b1"]
    assert battle.to_choose == 1
    battle.play("use 15.08 b1")
    battle.play("declare b1#0.0>a1")
    assert faces(battle, "hit") == [5, 6]
    assert faces(battle, "wound") == [6]
    battle.finish()


def test_overwatch_answers_a_move_in_the_10th_edition_once_a_turn(table) -> None:
    gun = weapon("gun", A=1)
    units = [
        unit("a1", "A", [(20, 22)]),
        unit("a2", "A", [(20, 30)]),
        unit("b1", "B", [(40, 22)], sheet(weapons=[gun])),
    ]
    battle = table("10e", "movement", units, cp={"B": 3}, dice=[2])
    battle.play("select a1")
    battle.play("do normal")
    assert offered(battle) == ["pass", "use S-FO b1"]
    battle.play("pass")
    battle.play("move a1 a1#0:24,22")
    assert offered(battle) == ["pass", "use S-FO b1"]
    battle.play("use S-FO b1")
    battle.standing("reroll hit", "pass")
    assert "declare b1#0.0>a1" in offered(battle)
    assert battle.why_not("declare b1#0.0>a2") is not None
    battle.play("declare b1#0.0>a1")
    battle.play("select a2")
    battle.play("do normal")
    assert asked(battle) == "MoveModels"


def test_an_engaged_unit_and_a_titan_do_not_fire_overwatch(table) -> None:
    titan = sheet("Giant", keywords=["VEHICLE", "TITANIC"], base={"shape": "round", "mm": 100})
    units = [
        unit("a1", "A", [(20, 22)]),
        unit("a2", "A", [(40, 22)]),
        unit("b1", "B", [(22, 22)]),
        unit("b2", "B", [(45, 30)], titan),
    ]
    battle = table("11e", "movement", units, cp={"B": 2})
    battle.play("pass")
    assert asked(battle) != "React"


# ------------------------------------------------------------------------------------------------ counter-offensive
def test_a_counteroffensive_fights_next(table) -> None:
    units = [
        unit("a1", "A", [(20, 22)]),
        unit("a2", "A", [(20, 32)]),
        unit("b1", "B", [(22, 22)]),
        unit("b2", "B", [(22, 32)]),
    ]
    blows = [1, 1]
    battle = table("11e", "fight", units, cp={"B": 2}, dice=blows * 8)
    while asked(battle) != "ChooseUnit" or battle.decision.act != "fight":
        battle.play("pass")
    battle.play("select a1")
    while asked(battle) == "DeclareAttacks":
        battle.play(offered(battle)[0])
    assert offered(battle)[0] == "pass"
    assert "use 15.12 b2" in offered(battle)
    battle.play("use 15.12 b2")
    assert battle.state.player[1, 0] == 0
    assert asked(battle) == "DeclareAttacks"
    assert battle.decision.unit == 3


# --------------------------------------------------------------------------------------------------------- others
@pytest.mark.parametrize(("edition", "key"), [("10e", "S-TS"), ("11e", "15.06")])
def test_a_charging_vehicle_crushes_with_its_toughness_in_dice(table, edition: str, key: str) -> None:
    tank = sheet("Tank", keywords=["VEHICLE"], profile={"T": 9, "W": 10})
    units = [unit("a1", "A", [(20, 22)], tank), unit("b1", "B", [(25, 22), (25, 24)])]
    battle = table(edition, "charge", units, cp={"A": 1}, dice=[5, 4, 1, 2, 3, 4, 5, 6, 5, 4, 3])
    battle.standing("reroll charge", "pass")
    battle.play("select a1")
    battle.play("targets b1")
    battle.play(offered(battle)[0])
    assert f"use {key} a1" in offered(battle)
    battle.play(f"use {key} a1")
    while asked(battle) == "LoseModel":
        battle.play(offered(battle)[0])
    assert sorted(int(w) for w in battle.state.model[1:, 4]) == [0, 1]
    assert int(battle.state.model[0, 4]) == (9 if edition == "11e" else 10)
    battle.finish()


def test_rapid_ingress_brings_a_unit_from_reserves(table) -> None:
    units = [
        unit("a1", "A", [(20, 22)]),
        {**unit("b1", "B", [(0, 0)]), "reserves": True},
        unit("b2", "B", [(50, 40)]),
    ]
    units[1]["models"][0]["at"] = None
    battle = table("11e", "movement", units, cp={"B": 1})
    battle.play("pass")
    assert "use 15.07 b1" in offered(battle)
    battle.play("use 15.07 b1")
    battle.play("place b1 b1#0:30,2")
    assert battle.state.on_battlefield(1)


def test_smoke_gives_cover_for_the_phase(table) -> None:
    smoking = sheet(keywords=["INFANTRY", "SMOKE"])
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(30, 22)], smoking)]
    battle = table("11e", "shooting", units, cp={"B": 1}, dice=[3, 3])
    assert offered(battle) == ["pass", "use 15.10 b1"]
    battle.play("use 15.10 b1")
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    hit = next(e for _, e in battle.log if getattr(e, "purpose", "") == "hit")
    assert hit.needs == 4
    assert battle.state.effects == ()


@pytest.mark.parametrize(("edition", "key"), [("10e", "S-EC"), ("11e", "15.03")])
def test_an_epic_challenge_is_the_characters_own(table, edition: str, key: str) -> None:
    hero = sheet("Hero", keywords=["INFANTRY", "CHARACTER"])
    units = [
        {**unit("a1", "A", [(20, 22)]), "attached": ["a2"]},
        unit("a2", "A", [(20, 23.5)], hero),
        {**unit("b1", "B", [(21.6, 22.7)]), "attached": ["b2"]},
        unit("b2", "B", [(23.2, 22.7)], hero),
    ]
    battle = table(edition, "fight", units, cp={"A": 1}, dice=[1] * 60)
    while f"use {key} a1" not in offered(battle):
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    battle.play(f"use {key} a1")
    rules = battle.table.rules
    assert [rules.model_has(model, "precision", melee=True) for model in (0, 1)] == [False, True]


def test_infantry_goes_to_ground_when_it_is_targeted(table) -> None:
    gun = weapon("gun", A=1, S=8, AP=-6)
    units = [
        unit("a1", "A", [(20, 22)], sheet(weapons=[gun])),
        unit("b1", "B", [(30, 22)]),
        unit("b2", "B", [(30, 30)]),
    ]
    battle = table("10e", "shooting", units, cp={"B": 1}, dice=[6, 6, 6])
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert offered(battle) == ["pass", "use S-GTG b1"]
    battle.play("use S-GTG b1")
    assert int(battle.state.model[1, 4]) == 2
    battle.finish()


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_damage_roll_and_a_number_of_attacks_may_be_rolled_again(table, edition: str) -> None:
    gun = weapon("gun", A="D3", S=8, AP=-6, D="D6")
    units = [unit("a1", "A", [(20, 22)], sheet(weapons=[gun])), unit("b1", "B", [(30, 22)], sheet(profile={"W": 9}))]
    battle = table(edition, "shooting", units, cp={"A": 1}, dice=[1, 6, 6, 1, 2, 5])
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert battle.decision.roll == "attacks"
    battle.play("pass")
    assert battle.decision.roll == "damage"
    assert battle.decision.faces == (2,)
    battle.play("die 0")
    assert int(battle.state.model[1, 4]) == 4
    battle.finish()


def test_heroic_intervention_leaps_to_defend_or_into_the_fray(table) -> None:
    units = [
        unit("a1", "A", [(20, 22)], state=["charged"]),
        unit("a2", "A", [(20, 30)]),
        unit("b1", "B", [(22.1, 22)]),
        unit("b2", "B", [(26, 26)]),
    ]
    battle = table("11e", "charge", units, cp={"B": 3}, dice=[6, 5] + [1] * 30)
    battle.play("pass")
    assert offered(battle) == ["pass", "use 15.11 b2", "use 15.11_into_the_fray b2"]
    battle.play("use 15.11_into_the_fray b2")
    assert battle.state.player[1, 0] == 1
    battle.standing("reroll charge", "pass")
    assert battle.decision.reach == 6000
    assert offered(battle) == ["targets a1", "targets a2", "targets a1 a2", "pass"]


def test_heroic_intervention_charges_the_charger_in_the_10th_edition(table) -> None:
    units = [
        unit("a1", "A", [(20, 22)]),
        unit("a2", "A", [(24, 33)]),
        unit("b1", "B", [(25, 22)]),
        unit("b2", "B", [(25, 26)]),
    ]
    battle = table("10e", "charge", units, cp={"B": 1}, dice=[4, 4, 5, 5] + [1] * 30)
    battle.play("select a1")
    battle.play("targets b1")
    assert "use S-FO b2" in offered(battle)
    while not (battle.to_choose == 1 and "use S-HI b2" in offered(battle)):
        battle.play("pass" if asked(battle) in ("React", "RerollRoll") else offered(battle)[0])
    battle.play("use S-HI b2")
    assert offered(battle) == ["targets a1", "pass"]
    battle.play("targets a1")
    battle.play(offered(battle)[0])
    assert not battle.table.setting.units[3].core
    from battlewright.battle.state import Did

    assert battle.state.did(3, Did.CHARGED)
    assert not battle.state.did(3, Did.FIGHTS_FIRST)


def test_smokescreen_covers_whoever_stands_behind(table) -> None:
    """11e 15.10: a unit the attacker does not see fully because of the models in the smoke has cover as well."""
    smoke = sheet(keywords=["INFANTRY", "SMOKE"], count=5)
    units = [
        unit("a1", "A", [(20, 22)], sheet(weapons=[weapon("gun", 36)])),
        unit("b1", "B", [(30, 19 + 1.4 * n) for n in range(5)], smoke),
        unit("b2", "B", [(34, 22)]),
        unit("b3", "B", [(30, 35)]),
    ]
    battle = table("11e", "charge", units, cp={"B": 2}, turn="B")
    t = battle.table
    assert [covered(t, 0, place)[0] for place in (1, 2, 3)] == [False, False, False]
    while "use 15.10 b1" not in offered(battle):
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    battle.play("use 15.10 b1")
    assert [covered(battle.table, 0, place)[0] for place in (1, 2, 3)] == [True, True, False]
