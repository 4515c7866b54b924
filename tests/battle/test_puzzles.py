"""Questions players asked, as positions: what must be offered, refused and rolled. Positions are read, never copied."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from battlewright.battle.choices import Choice
from battlewright.battle.engine import Battle
from battlewright.battle.events import ControlChanged
from battlewright.battle.state import Did, M


class Puzzles:
    """The positions by name; ``start`` sets one up, with parts changed."""

    def __init__(self, shared: Path) -> None:
        plain = json.loads((shared / "puzzles-dev.json").read_text(encoding="utf-8"))
        self.known = {puzzle["id"]: puzzle for puzzle in plain["puzzles"]}

    def start(self, name: str, **changes: Any) -> Battle:
        position = deepcopy(self.known[name]["position"])
        position.update(changes)
        return Battle.from_position(position, debug=True)


@pytest.fixture(scope="module")
def puzzles(shared: Path) -> Puzzles:
    return Puzzles(shared)


def offered(battle: Battle) -> list[str]:
    return [str(choice) for choice in battle.legal_choices()]


def play(battle: Battle, *choices: str | Choice) -> None:
    for choice in choices:
        battle.play(choice)


def refused(battle: Battle, choice: str) -> str:
    reason = battle.why_not(choice)
    assert reason is not None, choice
    return str(reason)


def faces(battle: Battle, purpose: str) -> list[int]:
    return [face for _, e in battle.log if getattr(e, "purpose", "") == purpose for face in e.faces]  # type: ignore[union-attr]


def wounds(battle: Battle, unit: str) -> list[int]:
    place = battle.setting.names[unit]
    return [int(battle.state.model[m, M.WOUNDS]) for m in battle.setting.units[place].models]


def shocked(battle: Battle, unit: str) -> bool:
    return battle.state.shocked(battle.setting.names[unit])


def test_a_unit_at_half_strength_tests_in_the_11th_edition(puzzles: Puzzles) -> None:
    battle = puzzles.start("11e-bs-01")
    play(battle, "pass")
    assert faces(battle, "battle_shock") == [3, 3]
    assert shocked(battle, "a1")
    battle.finish()


def test_a_unit_at_half_strength_does_not_test_in_the_10th_edition(puzzles: Puzzles) -> None:
    battle = puzzles.start("10e-bs-01")
    assert battle.state.phase == "movement"
    assert faces(battle, "battle_shock") == []
    assert not shocked(battle, "a1")


def test_every_model_that_can_engage_in_a_charge_must(puzzles: Puzzles) -> None:
    battle = puzzles.start("11e-cha-03")
    play(battle, "select a1")
    assert faces(battle, "charge") == [4, 5]
    play(battle, "targets b1")
    assert "so it must" in refused(battle, "move a1 a1#0:24.9,20 a1#1:24.9,22 a1#2:22.4,23.4")
    assert "11.04" in refused(battle, "move a1 a1#0:24.9,20 a1#1:24.9,22 a1#2:22.4,23.4")
    play(battle, "move a1 a1#0:24.9,20 a1#1:24.9,22 a1#2:24.9,24")
    assert battle.state.did(0, Did.CHARGED)
    battle.finish()


def test_only_engaged_models_fight_in_the_11th_edition(puzzles: Puzzles) -> None:
    battle = puzzles.start("11e-fig-06")
    while battle.decision is not None and battle.decision.kind != "DeclareAttacks":
        play(battle, "pass" if "pass" in offered(battle) else offered(battle)[0])
    all_five = "declare " + " ".join(f"a1#{n}.1>b1" for n in range(5))
    assert "a1#3 is not engaged with b1" in refused(battle, all_five)
    assert any(choice.count(">") == 3 for choice in offered(battle))


def test_the_second_rank_fights_by_contact_in_the_10th_edition(puzzles: Puzzles) -> None:
    battle = puzzles.start("10e-fig-04")
    play(battle, "pass")
    assert battle.decision is not None
    assert battle.decision.kind == "DeclareAttacks"
    assert battle.why_not("declare a1#0.1>b1 a1#1.1>b1") is None
    assert "a1#2 is not engaged" in refused(battle, "declare a1#0.1>b1 a1#1.1>b1 a1#2.1>b1")


def test_rotation_is_free_in_the_11th_edition(puzzles: Puzzles) -> None:
    battle = puzzles.start("11e-mov-11")
    play(battle, "select a1", "do normal", "move a1 a1#0:20,31.5@90")
    assert battle.state.model[0, :2].tolist() == [20000, 31500]


def test_ties_and_secured_objectives(puzzles: Puzzles) -> None:
    battle = puzzles.start("11e-obj-01", controlled={"0": "A", "1": "A"}, secured={"1": "A"})
    play(battle, "pass")
    assert battle.state.levels[0] == (4, 4)
    assert battle.state.control == (-1, 0)


def test_sticky_markers_in_the_10th_edition(puzzles: Puzzles) -> None:
    battle = puzzles.start("10e-obj-02", controlled={"0": "A"}, secured={"0": "A"})
    play(battle, "pass")
    changes = [(cause, e) for cause, e in battle.log if isinstance(e, ControlChanged)]
    cause, change = changes[0]
    assert cause.startswith("command.")
    assert (change.player, change.levels) == (1, (0, 2))


@pytest.mark.parametrize(("name", "way"), [("11e-sho-02", "close_quarters"), ("10e-sho-02", "pistol")])
def test_pistols_in_combat(puzzles: Puzzles, name: str, way: str) -> None:
    battle = puzzles.start(name)
    assert offered(battle) == ["pass", "select a1"]
    refused(battle, "select a2")
    play(battle, "select a1")
    assert battle.decision is not None
    assert getattr(battle.decision, "way", "") == way
    assert "declare a1#0.1>b1" in offered(battle)
    assert "PISTOL" in refused(battle, "declare a1#0.0>b1")
    refused(battle, "declare a1#0.1>b2")


def test_insane_bravery_and_no_reroll_of_battle_shock(puzzles: Puzzles) -> None:
    battle = puzzles.start("11e-str-04")
    assert [int(cp) for cp in battle.state.player[:, 0]] == [2, 2]
    play(battle, "select a2")
    assert offered(battle) == ["pass", "use 15.04 a1"]
    play(battle, "pass")
    assert battle.state.phase == "movement"
    assert shocked(battle, "a1")
    assert shocked(battle, "a2")
    assert battle.windows == 1
    battle.finish()


def test_insane_bravery_once_a_battle_in_the_10th_edition(puzzles: Puzzles) -> None:
    battle = puzzles.start("10e-str-07")
    play(battle, "select a1", "use S-IB a1")
    assert not shocked(battle, "a1")
    assert faces(battle, "battle_shock") == [2, 2]
    assert shocked(battle, "a2")
    battle.finish()


def test_disembark_after_the_transport_moved(puzzles: Puzzles) -> None:
    battle = puzzles.start("11e-tra-01")
    play(battle, "select t1", "do normal", "move t1 t1#0:28,22")
    play(battle, "select a1", "place a1 a1#0:31,21 a1#1:31,23")
    assert battle.state.phase == "shooting"
    assert "select a1" in offered(battle)
    play(battle, "pass")
    assert battle.state.phase != "charge" or "select a1" not in offered(battle)


def test_disembark_after_the_transport_moved_in_the_10th_edition(puzzles: Puzzles) -> None:
    battle = puzzles.start("10e-tra-02")
    play(battle, "select t1", "do normal", "move t1 t1#0:28,22")
    play(battle, "select a1", "place a1 a1#0:31,21 a1#1:31,23")
    assert battle.state.phase == "shooting"
    assert "select a1" in offered(battle)


def test_no_hopping_from_one_transport_into_another(puzzles: Puzzles) -> None:
    battle = puzzles.start("10e-tra-03")
    play(battle, "select a1", "place a1 a1#0:23,21.2 a1#1:23,22.8")
    play(battle, "do normal", "move a1 a1#0:25,21.2 a1#1:25,22.8")
    assert battle.decision is not None
    assert battle.decision.kind == "ChooseUnit"
    assert battle.state.on_battlefield(battle.setting.names["a1"])


def test_one_model_in_the_open_loses_the_cover_of_all(puzzles: Puzzles) -> None:
    battle = puzzles.start("11e-vis-01")
    play(battle, "select a1", "declare a1#0.0>b1")
    hit = next(e for _, e in battle.log if getattr(e, "purpose", "") == "hit")
    assert hit.needs == 3  # type: ignore[union-attr]
    assert faces(battle, "wound") == [1]
    battle.finish()


def test_devastating_wounds_do_not_spill(puzzles: Puzzles) -> None:
    battle = puzzles.start("11e-wnd-03")
    play(battle, "select a1", "declare a1#0.0>b1")
    while battle.decision is not None and battle.decision.kind == "LoseModel":
        play(battle, offered(battle)[0])
    assert sorted(wounds(battle, "b1")) == [0, 0, 0, 2]
    battle.finish()


def test_a_lone_operative_is_measured_from_the_attacking_model(puzzles: Puzzles) -> None:
    battle = puzzles.start("10e-sho-07")
    assert offered(battle) == ["pass", "select a2"]


def test_leftover_attacks_are_lost_and_one_shot_weapons_used_up(puzzles: Puzzles) -> None:
    battle = puzzles.start("10e-sho-08")
    play(battle, "select a1", "declare a1#0.0>b1 a1#0.1>b1")
    assert wounds(battle, "b1") == [0]
    assert wounds(battle, "b2") == [2]
    assert battle.state.uses("one shot", 0, 1) == 1
    battle.finish()


def test_sustained_hits_give_three_wound_rolls_for_one_critical(puzzles: Puzzles) -> None:
    battle = puzzles.start("10e-seed-23", dice=[6, *[1] * 11, 1, 1, 1])
    play(battle, "select kn", "declare kn#0.0>b1")
    assert faces(battle, "wound") == [1, 1, 1]
    assert wounds(battle, "b1") == [2]
    battle.finish()


def test_grenades_leave_the_unit_free_to_shoot(puzzles: Puzzles) -> None:
    battle = puzzles.start("10e-str-06")
    refused(battle, "use S-GR a2")
    play(battle, "use S-GR a1")
    assert faces(battle, "ability") == [4, 4, 6, 1, 2, 3]
    while battle.decision is not None and battle.decision.kind == "LoseModel":
        play(battle, offered(battle)[0])
    assert sorted(wounds(battle, "b1")) == [0, 1, 2]
    play(battle, "select a1", "declare a1#0.0>b1")
    battle.finish()


def test_a_damaged_knight_controls_less(puzzles: Puzzles) -> None:
    battle = puzzles.start("10e-seed-22")
    play(battle, "pass")
    assert battle.state.levels[0] == (5, 5)
    assert battle.state.control == (-1,)


def test_a_repair_at_the_end_of_the_command_phase(puzzles: Puzzles) -> None:
    battle = puzzles.start("10e-seed-24")
    while battle.state.phase == "command":
        play(battle, next(c for c in offered(battle) if c != "pass"))
    assert wounds(battle, "kn") == [22]
    battle.finish()


def test_a_unit_is_repaired_once_a_phase(puzzles: Puzzles) -> None:
    battle = puzzles.start("11e-seed-21")
    while battle.state.phase == "command":
        play(battle, next(c for c in offered(battle) if c != "pass"))
    assert wounds(battle, "n1") == [18]
    battle.finish()


def test_a_detachments_rule_heals_and_protects(puzzles: Puzzles) -> None:
    position = puzzles.known["11e-seed-20"]["position"]
    battle = puzzles.start("11e-seed-20", dice=position["dice"])
    assert wounds(battle, "n1") == [position["units"][0]["models"][0]["wounds"] + 1]
    assert battle.table.rules.feel_no_pain(0, "normal") == 6


def test_a_named_state_does_what_the_rule_that_sets_it_says(puzzles: Puzzles) -> None:
    """The Marked unit is hit by critical hits that wound, the other is not; the position prints and reads the same."""
    battle = puzzles.start("10e-seed-14")
    again = Battle.from_position(battle.position())
    assert again.hash() == battle.hash()
    assert again.setting.notes == battle.setting.notes == ()
    play(battle, "select d1", "declare d1#0.0>b1")
    assert faces(battle, "wound") == []
    assert wounds(battle, "b1") == [1]
    battle.finish()
    battle = puzzles.start("10e-seed-14", dice=[6, 1])
    play(battle, "select d1", "declare d1#0.0>b2")
    assert faces(battle, "wound") == [1]


def test_a_state_nothing_asks_for_is_told(puzzles: Puzzles) -> None:
    battle = puzzles.start("10e-sho-07")
    assert battle.setting.notes == ()
    units = deepcopy(puzzles.known["10e-sho-07"]["position"]["units"])
    units[0]["state"] = ["Bewildered", "advanced"]
    battle = puzzles.start("10e-sho-07", units=units)
    assert battle.setting.notes == ("a1: no rule in this battle asks for the state 'bewildered', it has no effect",)


def test_an_order_raises_control_in_the_same_phase(puzzles: Puzzles) -> None:
    """The officer orders those near him; they hold the objective at the end of the phase, three with 2 against five."""
    battle = puzzles.start("11e-seed-06")
    while battle.state.phase == "command" and not any(c.startswith("use") and "orders" in c for c in offered(battle)):
        play(battle, "pass")
    uses = [c for c in offered(battle) if c.startswith("use") and "orders" in c]
    assert [choice.rpartition(" ")[2] for choice in uses] == ["k1", "o1"]
    play(battle, uses[0])
    assert len(offered(battle)) == 6
    play(battle, "do duty and honour!")
    assert [battle.table.rules.stat(m, "OC") for m in battle.table.alive(0)] == [2, 2, 2]
    assert battle.table.rules.leadership(0) == 6
    while battle.state.phase == "command":
        assert not any(c.startswith("use") and "orders" in c for c in offered(battle))
        play(battle, "pass")
    assert battle.state.levels[0] == (6, 5)
    assert battle.state.control == (0,)
    battle.finish()
