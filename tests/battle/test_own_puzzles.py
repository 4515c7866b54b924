"""Questions players ask, worked by hand from the rules first; positions in the form of a position file, scripted dice."""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.battle.engine import Battle
from battlewright.battle.events import StratagemUsed
from battlewright.battle.state import Did, M
from conftest import asked, faces, offered, sheet, unit, weapon

SWORD = weapon("sword", "Melee", A=1, WS="3+")
GUN = weapon("gun", A=1)


def refused(battle: Battle, choice: str) -> str:
    reason = battle.why_not(choice)
    assert reason is not None, choice
    return str(reason)


def play(battle: Battle, *choices: str) -> None:
    for choice in choices:
        battle.play(choice)


def until(battle: Battle, kind: str, **wanted: Any) -> None:
    """Pass, or take what comes first, until such a decision is due."""
    for _ in range(60):
        decision = battle.decision
        if decision is None:
            break
        if decision.kind == kind and all(getattr(decision, name) == value for name, value in wanted.items()):
            return
        answers = offered(battle)
        battle.play("pass" if "pass" in answers else answers[0])
    raise AssertionError(f"{kind} was not asked")


def settle(battle: Battle) -> None:
    """Whom wounds fall on is chosen, the first of them."""
    while asked(battle) in ("LoseModel", "OrderGroups"):
        battle.play(offered(battle)[0])


def wounds(battle: Battle, name: str) -> list[int]:
    return [int(battle.state.model[m, M.WOUNDS]) for m in battle.setting.units[battle.setting.names[name]].models]


def did(battle: Battle, name: str, flag: Did) -> bool:
    return battle.state.did(battle.setting.names[name], flag)


def shocked(battle: Battle, name: str) -> bool:
    return battle.state.shocked(battle.setting.names[name])


def used(battle: Battle) -> list[str]:
    return [e.name for e in battle.events() if isinstance(e, StratagemUsed)]


# ---------------------------------------------------------------------------------------------------------- charge
def test_a_charge_names_whom_the_roll_reaches(table) -> None:
    """I rolled 5: may I charge the unit 5.7" off, since I would end within 2" of it? No: within the roll (11e 11.04)."""
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(26, 22)]), unit("b2", "B", [(20, 29)])]
    battle = table("11e", "charge", units, dice=[2, 3, 6, 6])
    play(battle, "select a1")
    assert faces(battle, "charge") == [2, 3]
    refused(battle, "targets b2")
    assert battle.why_not("targets b1") is None  # 6 - 1.26 = 4.74"


@pytest.mark.parametrize(("roll", "makes"), [([4, 4], True), ([3, 4], False)])
def test_a_charge_of_nine_inches_needs_eight(table, roll: list[int], makes: bool) -> None:
    """My enemy is 8.9" off; what must I roll? 8: base to base within 1" is enough (10e T-7.2)."""
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(30.16, 22)])]
    battle = table("10e", "charge", units, dice=roll)
    play(battle, "select a1", "targets b1")
    if makes:
        play(battle, "move a1 a1#0:28,22")
    assert did(battle, "a1", Did.CHARGED) is makes


def test_a_charge_at_two_that_reaches_one_fails(table) -> None:
    """I declared two targets and reach only one: does the charge succeed against that one? No (10e T-7.2)."""
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(25, 22)]), unit("b2", "B", [(20, 32)])]
    battle = table("10e", "charge", units, dice=[3, 3])
    play(battle, "select a1", "targets b1 b2")
    assert not did(battle, "a1", Did.CHARGED)
    assert battle.state.model[0, :2].tolist() == [20000, 22000]


def test_a_charge_keeps_off_whom_it_did_not_declare(table) -> None:
    """Another enemy stands beside my target: may I end within an inch of it? No (10e T-7.2)."""
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(26, 22)]), unit("b2", "B", [(26, 24.5)])]
    battle = table("10e", "charge", units, dice=[4, 4, 1, 1])
    play(battle, "select a1", "targets b1")
    refused(battle, "move a1 a1#0:24.74,23")
    assert battle.why_not("move a1 a1#0:24.74,22") is None


# ------------------------------------------------------------------------------------------------------ coherency
def test_nine_inches_are_the_most_a_unit_spans(table) -> None:
    """Six models in a line, each 2" from the next: in coherency? Not in the 11th edition: 9" overall (11e 03.03)."""
    line = [(10 + 3 * n, 22) for n in range(5)]
    far = " ".join(f"a1#{n}:{10 + 3.2 * n:.1f},24" for n in range(5))
    near = " ".join(f"a1#{n}:{10 + 2.5 * n:.1f},24" for n in range(5))
    for edition, legal in (("11e", False), ("10e", True)):
        battle = table(edition, "movement", [unit("a1", "A", line), unit("b1", "B", [(50, 40)])])
        play(battle, "select a1", "do normal")
        assert (battle.why_not(f"move a1 {far}") is None) is legal
        assert battle.why_not(f"move a1 {near}") is None


def test_seven_models_need_two_mates_each(table) -> None:
    """Seven models in a row, 1.5" apart: legal? Not in the 10th edition: the ends have one mate (T-4.2)."""
    rows = [(10 + 1.4 * n, 22) for n in range(7)]
    battle = table("10e", "movement", [unit("a1", "A", rows), unit("b1", "B", [(50, 40)])])
    play(battle, "select a1", "do normal")
    apart = " ".join(f"a1#{n}:{6 + 2.76 * n:.2f},24" for n in range(7))
    assert "coherency" in refused(battle, f"move a1 {apart}")
    bent = " ".join(f"a1#{n}:{11 + 2.76 * (n // 2):.2f},{24 + 1.5 * (n % 2)}" for n in range(7))
    assert battle.why_not(f"move a1 {bent}") is None


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_who_is_out_of_coherency_at_the_end_of_the_turn_is_removed(table, edition: str) -> None:
    """Shooting killed the middle of my unit: when do I lose models? At the end of every turn (11e 03.03; 10e T-4.2)."""
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(30, 20), (30, 22), (30, 30)])]
    battle = table(edition, "fight", units)
    while battle.state.turn == 0:
        play(battle, "pass" if "pass" in offered(battle) else offered(battle)[0])
    assert wounds(battle, "b1") == [2, 2, 0]


# ---------------------------------------------------------------------------------------------- cover and visibility
WOOD = {"area": [[28, 18], [34, 18], [34, 26], [28, 26]], "features": [
    {"kind": "woods", "outline": [[28, 18], [34, 18], [34, 26], [28, 26]], "height": 5}]}  # fmt: skip
RUIN = {"area": [[28, 18], [34, 18], [34, 26], [28, 26]], "features": [
    {"kind": "ruins", "outline": [[28, 18], [34, 18], [34, 26], [28, 26]], "height": 5}]}  # fmt: skip


@pytest.mark.parametrize(
    ("sv", "ap", "needs"), [("3+", 0, 3), ("3+", -1, 3), ("4+", 0, 3), ("4+", -1, 4), ("2+", 0, 2)]
)
def test_cover_is_no_use_to_good_armour_against_ap_0(table, sv: str, ap: int, needs: int) -> None:
    """Marines in a wood, shot at with AP 0: 2+? No, only against AP -1 cover helps 3+ armour (10e T-11.1)."""
    target = sheet(profile={"Sv": sv})
    units = [
        unit("a1", "A", [(10, 22)], sheet(weapons=[weapon("gun", A=1, AP=ap)])),
        unit("b1", "B", [(31, 22)], target),
    ]
    battle = table("10e", "shooting", units, terrain=[WOOD], dice=[4, 5, 6])
    play(battle, "select a1", "declare a1#0.0>b1")
    save = next(e for e in battle.events() if getattr(e, "purpose", "") == "save")
    assert save.needs == needs  # type: ignore[union-attr]


def test_nobody_sees_through_a_ruin(table) -> None:
    """My enemy stands behind a ruin, another in it: whom do I see? Into it, not through it (10e T-11.3)."""
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(40, 22)]), unit("b2", "B", [(31, 22)])]
    battle = table("10e", "shooting", units, terrain=[RUIN])
    play(battle, "select a1")
    refused(battle, "declare a1#0.0>b1")
    assert battle.why_not("declare a1#0.0>b2") is None


DENSE = {"area": [[28, 18], [34, 18], [34, 26], [28, 26]], "features": [
    {"kind": "light", "outline": [[30, 20], [30.5, 20], [30.5, 24], [30, 24]], "height": 1}]}  # fmt: skip


def test_who_is_hidden_is_seen_from_fifteen_inches(table) -> None:
    """Infantry in an area that has not shot: may I shoot it from 20"? No; from 14.7" yes (11e 13.09)."""
    units = [unit("a1", "A", [(10, 23)]), unit("a2", "A", [(16.1, 25)]), unit("b1", "B", [(32, 23)])]
    battle = table("11e", "shooting", units, terrain=[DENSE])
    assert offered(battle) == ["pass", "select a2"]
    units[2]["state"] = ["shot last turn"]
    battle = table("11e", "shooting", units, terrain=[DENSE])
    assert "select a1" in offered(battle)


def test_stealth_and_cover_count_once(table) -> None:
    """My Stealth unit stands in terrain: -2 to hit it? No: cover counts once, BS 3+ becomes 4+ (11e 13.08, 24.33)."""
    sneaky = sheet(abilities=[{"name": "Stealth", "kind": "core"}])
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(29, 22)], sneaky)]
    battle = table("11e", "shooting", units, terrain=[DENSE], dice=[4, 3, 1])
    play(battle, "select a1", "declare a1#0.0>b1")
    hit = next(e for e in battle.events() if getattr(e, "purpose", "") == "hit")
    assert hit.needs == 4  # type: ignore[union-attr]


# --------------------------------------------------------------------------------------- engagement, fall back, escape
def test_an_inch_and_a_half_is_engaged_now(table) -> None:
    """My unit is 1.5" from the enemy: may it make a normal move? In the 10th edition only (11e 03.04; 10e T-4.3)."""
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(22.76, 22)])]
    battle = table("11e", "movement", units)
    play(battle, "select a1")
    assert sorted(offered(battle)) == ["do fall_back", "do stationary"]
    battle = table("10e", "movement", units)
    play(battle, "select a1")
    assert sorted(offered(battle)) == ["do advance", "do normal", "do stationary"]


def test_only_models_that_cross_an_enemy_risk_escaping(table) -> None:
    """Two of my three models walk over the enemy: how many tests? Two; a 2 costs a model I choose (10e T-4.5)."""
    units = [unit("a1", "A", [(20, 22), (20, 20), (20, 24)]), unit("b1", "B", [(18.2, 22), (18.2, 20)])]
    battle = table("10e", "movement", units, dice=[2, 3])
    play(battle, "select a1", "do fall_back", "move a1 a1#0:15.5,22 a1#1:15.5,20.1 a1#2:17.4,24.5")
    assert faces(battle, "desperate_escape") == [2, 3]
    assert asked(battle) == "LoseModel"
    assert len(offered(battle)) == 3


def test_a_shocked_unit_tests_for_every_model_that_falls_back(table) -> None:
    """Shocked, and walking straight away from the enemy: tests? One for each model (10e T-4.5, T-2.3)."""
    units = [unit("a1", "A", [(20, 22), (20, 20)], state=["battle-shocked"]), unit("b1", "B", [(18.2, 22)])]
    battle = table("10e", "movement", [*units, unit("a2", "A", [(40, 5)])], dice=[3, 3])
    play(battle, "select a1", "do fall_back", "move a1 a1#0:25,22 a1#1:25,20")
    assert faces(battle, "desperate_escape") == [3, 3]
    assert did(battle, "a1", Did.FELL_BACK)


def test_a_shocked_unit_escapes_desperately(table) -> None:
    """May a battle-shocked unit retreat in order? No: a hazard roll each model first, 1-2 hurts (11e 09.07, 06.03)."""
    units = [unit("a1", "A", [(20, 22), (20, 20)], state=["battle-shocked"]), unit("b1", "B", [(18.2, 22)])]
    battle = table("11e", "movement", units, dice=[2, 5])
    play(battle, "select a1", "do fall_back")
    settle(battle)
    assert faces(battle, "hazard") == [2, 5]
    assert sorted(wounds(battle, "a1")) == [1, 2]
    play(battle, "move a1 a1#0:24,22 a1#1:24,20")
    assert shocked(battle, "a1")
    assert faces(battle, "battle_shock") == []


# ---------------------------------------------------------------------------------------------------------- fights
def test_the_turn_player_fights_first_among_chargers(table) -> None:
    """Both of us have Fights First: who selects first? The turn player (11e 12.04); the other one (10e T-8.1)."""
    for edition, first in (("11e", 0), ("10e", 1)):
        units = [
            unit("a1", "A", [(20, 22)], state=["charged", "fights first"]), unit("b1", "B", [(21.5, 22)]),
            unit("a2", "A", [(20, 32)]), unit("b2", "B", [(21.5, 32)], state=["fights first"]),
        ]  # fmt: skip
        battle = table(edition, "fight", units)
        until(battle, "DeclareAttacks")
        assert battle.to_choose == first


def test_counter_offensive_comes_before_the_next_charger(table) -> None:
    """Two enemies charged, the first has fought: may I hit back before the second fights? For 2CP (10e S-CO)."""
    units = [
        unit("a1", "A", [(20, 22)], state=["charged", "fights first"]), unit("b1", "B", [(21.5, 22)]),
        unit("a2", "A", [(20, 32)], state=["charged", "fights first"]), unit("b2", "B", [(21.5, 32)]),
    ]  # fmt: skip
    battle = table("10e", "fight", units, cp={"A": 0, "B": 2})
    play(battle, "select a1")
    until(battle, "React")
    assert battle.to_choose == 1
    play(battle, "use S-CO b2")
    until(battle, "DeclareAttacks")
    assert battle.to_choose == 1
    assert battle.decision.unit == battle.setting.names["b2"]  # type: ignore[union-attr]
    assert battle.table.cp(1) == 0


def test_counteroffensive_is_of_the_opponents_phase(table) -> None:
    """It is my own turn: may I use Counteroffensive after the enemy fought? No (11e 15.12)."""
    units = [
        unit("a1", "A", [(20, 22)]), unit("b1", "B", [(21.5, 22)]),
        unit("a2", "A", [(20, 32)]), unit("b2", "B", [(21.5, 32)]),
    ]  # fmt: skip
    battle = table("11e", "fight", units, cp={"A": 4, "B": 4})
    users = set()
    while battle.state.phase == "fight" and not battle.over:
        if asked(battle) == "React":
            users |= {(battle.to_choose, c.split()[1]) for c in offered(battle) if c.startswith("use")}
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    assert (1, "15.12") in users
    assert (0, "15.12") not in users


def test_a_consolidation_may_bring_in_who_then_fights(table) -> None:
    """My unit consolidates into a fresh enemy: does that enemy strike? It fights this phase (11e 12.08; 10e T-8.1)."""
    axe = sheet(weapons=[weapon("axe", "Melee", A=6, WS="2+", S=10, AP=-6, D=3)])
    for edition in ("10e", "11e"):
        units = [
            unit("a1", "A", [(20, 22)], axe, state=["charged", "fights first"]),
            unit("b1", "B", [(21.5, 22)]), unit("b2", "B", [(24, 22)]),
        ]  # fmt: skip
        battle = table(edition, "fight", units, seed=5)
        fought = []
        while battle.state.phase == "fight" and not battle.over:
            if asked(battle) == "DeclareAttacks":
                fought.append(battle.decision.unit)  # type: ignore[union-attr]
            answers = [c for c in offered(battle) if c != "pass" or asked(battle) == "React"]
            battle.play(answers[0])
        assert fought == [0, 2], edition


def test_pile_ins_of_the_whole_army_come_first(table) -> None:
    """When do I pile in? The turn player's units, then the opponent's, before anybody fights (11e 12.02)."""
    units = [
        unit("a1", "A", [(20, 22)]), unit("b1", "B", [(22.5, 22)]),
        unit("a2", "A", [(20, 32)]), unit("b2", "B", [(22.5, 32)]),
    ]  # fmt: skip
    battle = table("11e", "fight", units)
    order = []
    while asked(battle) != "DeclareAttacks":
        if asked(battle) == "ChooseUnit":
            order.append((battle.to_choose, battle.decision.act))  # type: ignore[union-attr]
        battle.play(next((c for c in offered(battle) if c.startswith("select")), offered(battle)[0]))
    acts = [act for _, act in order]
    assert acts == sorted(acts, key=lambda act: act != "pile_in")
    assert [player for player, act in order if act == "pile_in"] == sorted(p for p, act in order if act == "pile_in")


# ------------------------------------------------------------------------------------------------ overwatch, reserves
def test_overwatch_hits_on_sixes_whatever_the_skill(table) -> None:
    """My BS 2+ unit fires at a unit that starts to move: 5s hit? Only 6s; (10e S-FO)."""
    sharp = sheet(weapons=[weapon("gun", A=3, BS="2+")])
    units = [unit("a1", "A", [(20, 22)]), unit("a2", "A", [(20, 30)]), unit("b1", "B", [(30, 22)], sharp)]
    battle = table("10e", "movement", units, cp={"A": 0, "B": 1}, dice=[5, 5, 6, 1])
    play(battle, "select a1", "do normal")
    assert asked(battle) == "React"
    play(battle, next(c for c in offered(battle) if c.startswith("use S-FO")), "declare b1#0.0>a1")
    assert faces(battle, "hit") == [5, 5, 6]
    assert faces(battle, "wound") == [1]
    assert used(battle) == ["Fire Overwatch"]


def test_torrent_in_overwatch_hits_by_itself(table) -> None:
    """Do my flamers need a 6 in overwatch? They do not roll to hit (10e W-TORRENT, S-FO; 11e 15.09, 24.37)."""
    flame = sheet(weapons=[weapon("flamer", 12, A=2, abilities=["TORRENT"])])
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(27, 22)], flame)]
    battle = table("10e", "movement", units, cp={"A": 0, "B": 1}, dice=[1, 1])
    play(battle, "select a1", "do normal")
    play(battle, next(c for c in offered(battle) if c.startswith("use S-FO")), "declare b1#0.0>a1")
    assert faces(battle, "hit") == []
    assert faces(battle, "wound") == [1, 1]


def test_overwatch_waits_for_the_end_of_the_movement_phase(table) -> None:
    """When do I fire overwatch now? At the end of the opponent's Movement phase, up to 24" (11e 15.08)."""
    units = [unit("a1", "A", [(20, 22)]), unit("a2", "A", [(50, 22)]), unit("b1", "B", [(30, 22)])]
    battle = table("11e", "movement", units, cp={"A": 0, "B": 1})
    play(battle, "select a1", "do normal")
    assert asked(battle) == "MoveModels"
    play(battle, "move a1 a1#0:20,24", "pass")
    assert (asked(battle), battle.to_choose, battle.state.phase) == ("React", 1, "movement")
    play(battle, "use 15.08 b1")
    assert battle.why_not("declare b1#0.0>a1") is None
    assert battle.why_not("declare b1#0.0>a2") is None


def away(name: str, player: str, given: dict[str, Any] | None = None) -> dict[str, Any]:
    made = unit(name, player, [(0, 0)], given, reserves=True)
    made["models"][0].pop("at")
    return made


@pytest.mark.parametrize(("edition", "near", "far"), [("10e", 9.0, 9.2), ("11e", 8.0, 8.2)])
def test_reserves_arrive_off_the_enemy_and_near_an_edge(table, edition: str, near: float, far: float) -> None:
    """How near to the enemy may reserves arrive? More than 9", or now 8"; wholly within 6" of an edge (20.04; T-9.2)."""
    units = [away("a1", "A"), unit("b1", "B", [(30, 5)])]
    battle = table(edition, "movement", units, round=3)
    play(battle, "select a1")
    base = 32 / 25.4
    refused(battle, f"place a1 a1#0:{30 + base + near - 0.01:.3f},5")
    assert battle.why_not(f"place a1 a1#0:{30 + base + far:.3f},5") is None
    assert "edge" in refused(battle, "place a1 a1#0:50,5.5")


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize(("round", "legal"), [(2, False), (3, True)])
def test_the_enemy_zone_is_closed_until_round_three(table, edition: str, round: int, legal: bool) -> None:
    zones = {"A": [[0, 0], [10, 0], [10, 44], [0, 44]], "B": [[50, 0], [60, 0], [60, 44], [50, 44]]}
    battle = table(edition, "movement", [away("a1", "A"), unit("b1", "B", [(30, 22)])], round=round, zones=zones)
    play(battle, "select a1")
    assert (battle.why_not("place a1 a1#0:57,22") is None) is legal


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_who_drops_in_may_charge_but_not_move(table, edition: str) -> None:
    """Deep Strike at 9.1": may the unit move? shoot? charge? Not move; the others yes (11e 20.04, 24.09; 10e T-9.1)."""
    diver = sheet(abilities=[{"name": "Deep Strike", "kind": "core"}])
    battle = table(
        edition, "movement", [away("a1", "A", diver), unit("b1", "B", [(40, 22)]), unit("a2", "A", [(5, 5)])]
    )
    if edition == "10e":
        play(battle, "pass")
    play(battle, "select a1", "place a1 a1#0:29,22")
    if edition == "11e":
        refused(battle, "select a1")
    while battle.state.phase == "movement":
        play(battle, "pass")
    assert "select a1" in offered(battle)
    while battle.state.phase == "shooting":
        play(battle, "pass")
    assert "select a1" in offered(battle)


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_no_rapid_ingress_in_the_first_round(table, edition: str) -> None:
    """May I use Rapid Ingress in round 1? No; in round 2 yes (11e 15.07; 10e S-RI)."""
    for round, legal in ((1, False), (2, True)):
        units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(50, 22)]), away("b2", "B")]
        battle = table(edition, "movement", units, round=round, cp={"A": 0, "B": 1})
        play(battle, "pass")
        while (battle.state.phase, battle.state.turn) == ("movement", 0) and asked(battle) != "React":
            play(battle, "pass")
        now = (asked(battle), battle.state.turn, battle.state.round) == ("React", 0, round)
        rule = "use S-RI b2" if edition == "10e" else "use 15.07 b2"
        assert (now and rule in offered(battle)) is legal


# ---------------------------------------------------------------------------------------------------- battle-shock, CP
@pytest.mark.parametrize(("edition", "left", "tests"), [
    ("10e", 2, False), ("10e", 1, True), ("11e", 2, True), ("11e", 3, False),
])  # fmt: skip
def test_one_model_is_at_half_by_its_wounds(table, edition: str, left: int, tests: bool) -> None:
    """My lone walker has 2 of 4 wounds left: a test? Only in the 11th edition: at half (01.02.01, 08.03; T-2.1)."""
    walker = sheet(profile={"W": 4})
    units = [unit("a1", "A", [(20, 22)], walker, wounds=[left]), unit("b1", "B", [(50, 22)])]
    battle = table(edition, "command", units, dice=[6, 6])
    if asked(battle) == "React":  # Insane Bravery
        play(battle, "pass")
    assert (faces(battle, "battle_shock") == [6, 6]) is tests


def test_shock_lasts_until_the_next_command_phase_or_a_roll(table) -> None:
    """When does my unit recover? At the start of my Command phase (10e T-2.3); when it passes a roll there (11e 01.07)."""
    for edition, after in (("10e", False), ("11e", True)):
        units = [unit("a1", "A", [(20, 22)], state=["battle-shocked"]), unit("b1", "B", [(50, 22)])]
        battle = table(edition, "command", units, dice=[1, 1])
        assert shocked(battle, "a1") is after
        assert bool(faces(battle, "battle_shock")) is after


def test_one_unit_one_stratagem_a_phase(table) -> None:
    """I re-rolled a charge of my unit: may I still use another stratagem on it? Not in the 11th edition (15.01)."""
    tank = sheet(keywords=["VEHICLE"], profile={"T": 6}, base={"shape": "round", "mm": 32})
    for edition, offers in (("10e", True), ("11e", False)):
        units = [unit("a1", "A", [(20, 22)], tank), unit("b1", "B", [(28, 22)])]
        battle = table(edition, "charge", units, cp={"A": 3, "B": 0}, dice=[1, 1, 5, 5, 1, 1, 1, 1, 1, 1])
        play(battle, "select a1")
        if edition == "10e":
            play(battle, "targets b1")
        assert asked(battle) == "RerollRoll"
        play(battle, "die 0")
        assert [*faces(battle, "charge"), *faces(battle, "charge re-roll")] == [1, 1, 5, 5]
        if edition == "11e":
            play(battle, "targets b1")
        play(battle, offered(battle)[0])
        assert (asked(battle) == "React") is offers


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_both_players_gain_a_command_point(table, edition: str) -> None:
    """It is my Command phase: who gains CP? Both of us (11e 08.02; 10e T-3.2)."""
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(50, 22)])]
    battle = table(edition, "command", units, cp={"A": 0, "B": 3})
    assert [battle.table.cp(0), battle.table.cp(1)] == [1, 4]


# ------------------------------------------------------------------------------------------------- heroic intervention
def test_an_intervention_answers_the_charger_alone_and_without_the_bonus(table) -> None:
    """My unit intervenes 5" from the charger: whom may it charge, does it fight first? That enemy; no (10e S-HI)."""
    units = [
        unit("a1", "A", [(20, 22)]), unit("b1", "B", [(26, 22)]), unit("b2", "B", [(22, 27)]), unit("a2", "A", [(22, 32)]),
    ]  # fmt: skip
    battle = table("10e", "charge", units, cp={"A": 0, "B": 1}, dice=[3, 3, 4, 4])
    play(battle, "select a1", "targets b1", "pass", "move a1 a1#0:24.74,22")
    assert asked(battle) == "React"
    assert offered(battle) == ["pass", "use S-HI b2"]
    play(battle, "use S-HI b2")
    if asked(battle) == "ChooseTargets":
        assert "targets a1" in offered(battle)
        refused(battle, "targets a2")
        play(battle, "targets a1")
    play(battle, next(c for c in offered(battle) if c != "pass"))
    assert did(battle, "b2", Did.CHARGED)
    assert not did(battle, "b2", Did.FIGHTS_FIRST)


def test_into_the_fray_costs_one_more(table) -> None:
    """An enemy that did not charge stands 5" off: may I intervene? For 2CP, into the fray (11e 15.11)."""
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(26, 22)]), unit("a2", "A", [(50, 30)])]
    for cp, legal in ((1, False), (2, True)):
        battle = table("11e", "charge", units, cp={"A": 0, "B": cp}, dice=[6, 4])
        play(battle, "pass")
        uses = [c for c in offered(battle) if c.startswith("use 15.11")] if asked(battle) == "React" else []
        assert bool(uses) is legal
        if legal:
            play(battle, uses[0])
            play(battle, "targets a1")
            assert battle.table.cp(1) == 0
            assert max(battle.decision.reach) == 6000  # type: ignore[union-attr]


# --------------------------------------------------------------------------------------------------------- transports
TRUCK = sheet(
    "Truck", keywords=["VEHICLE", "TRANSPORT"], profile={"T": 8, "W": 10, "M": 10}, base={"shape": "round", "mm": 60},
    abilities=[{"name": "Transport", "text": "This model has a transport capacity of 6 INFANTRY models."}],
)  # fmt: skip


def aboard(count: int, **parts: Any) -> dict[str, Any]:
    made = unit("a1", "A", [(0, 0)] * count, embarked_in="t", **parts)
    for model in made["models"]:
        model.pop("at")
    return made


def test_passengers_of_a_wreck_roll_for_each_model(table) -> None:
    """My transport is destroyed with three aboard: what happens? D6 each, a 1 is a mortal wound; shocked (10e T-10.7)."""
    frail = {
        **TRUCK,
        "models": [{**TRUCK["models"][0], "profile": {**TRUCK["models"][0]["profile"], "Sv": "7+", "T": 1}}],
    }
    gun = sheet(weapons=[weapon("gun", A=1, S=9, AP=-5, D=10, BS="2+")])
    units = [unit("t", "A", [(30, 22)], frail), aboard(3), unit("b1", "B", [(20, 22)], gun)]
    battle = table("10e", "shooting", units, turn="B", dice=[4, 4, 1, 1, 4, 4])
    play(battle, "select b1", "declare b1#0.0>t")
    play(battle, offered(battle)[0])
    settle(battle)
    assert faces(battle, "destroyed transport") == [1, 4, 4]
    assert sorted(wounds(battle, "a1")) == [1, 2, 2]
    assert shocked(battle, "a1")


def test_who_gets_out_of_a_transport_that_stood_moves_and_charges(table) -> None:
    """My squad gets out before its transport moved: may it walk, and charge? Both (11e 18.04; 10e T-10.5)."""
    for edition in ("10e", "11e"):
        units = [unit("t", "A", [(20, 22)], TRUCK), aboard(2), unit("b1", "B", [(38, 22)])]
        battle = table(edition, "movement", units)
        play(battle, "select a1", "place a1 a1#0:23,21 a1#1:23,23", "do normal", "move a1 a1#0:29,21 a1#1:29,23")
        while battle.state.phase in ("movement", "shooting"):
            play(battle, "pass")
        assert "select a1" in offered(battle), edition


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_transport_carries_so_many(table, edition: str) -> None:
    """Five aboard a transport of six: may two more embark? No; one may (11e 18.01, 18.02; 10e T-10.3, T-10.4)."""
    for count, legal in ((2, False), (1, True)):
        squad = unit("a2", "A", [(24, 20 + 2 * n) for n in range(count)])
        battle = table(
            edition, "movement", [unit("t", "A", [(20, 22)], TRUCK), aboard(5), squad, unit("b1", "B", [(50, 22)])]
        )
        play(battle, "select a2", "do normal", "pass")
        assert ("do embark t" in offered(battle)) is legal


# --------------------------------------------------------------------------------------------- allocation and wounds
def test_saves_are_taken_from_the_lowest(table) -> None:
    """Three wounds, saves of 6, 2 and 3: which model falls? The wounded one, at the lowest save (11e 05.03, 05.04)."""
    squad = sheet(count=2)
    gun = sheet(weapons=[weapon("gun", A=3, D=2, AP=0, BS="2+")])
    units = [unit("a1", "A", [(20, 22)], gun), unit("b1", "B", [(30, 22), (32, 22)], squad, wounds=[2, 1])]
    battle = table("11e", "shooting", units, dice=[4, 4, 4, 4, 4, 4, 6, 2, 3])
    play(battle, "select a1", "declare a1#0.0>b1")
    settle(battle)
    assert wounds(battle, "b1") == [2, 0]


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_the_wounded_model_takes_the_next_wound(table, edition: str) -> None:
    """May I spread two wounds over two models? No: who lost wounds goes on (11e 05.04; 10e T-6.3)."""
    units = [unit("a1", "A", [(20, 22)], sheet(weapons=[weapon("gun", A=2)])), unit("b1", "B", [(30, 22), (32, 22)])]
    battle = table(edition, "shooting", units, dice=[4, 4, 4, 4, 1, 1] if edition == "11e" else [4, 4, 1, 4, 4, 1])
    play(battle, "select a1", "declare a1#0.0>b1", "model b1#1")
    settle(battle)
    assert wounds(battle, "b1") == [2, 0]


def test_nobody_shoots_the_leader_while_his_guard_lives(table) -> None:
    """My leader is wounded: do wounds go to him? Never while a guard lives (10e T-10.2; 11e 05.03)."""
    hero = sheet("Hero", keywords=["INFANTRY", "CHARACTER"], profile={"W": 4})
    for edition, dice in (("10e", [4, 4, 1, 4, 4, 1]), ("11e", [4, 4, 4, 4, 1, 1])):
        units = [
            unit("a1", "A", [(20, 22)], sheet(weapons=[weapon("gun", A=2)])),
            unit("b1", "B", [(30, 22), (32, 22)], attached=["h"]), unit("h", "B", [(31, 24)], hero, wounds=[1]),
        ]  # fmt: skip
        battle = table(edition, "shooting", units, dice=dice)
        play(battle, "select a1", "declare a1#0.0>b1")
        settle(battle)
        assert wounds(battle, "h") == [1]
        assert sorted(wounds(battle, "b1")) == [0, 2]


def test_mortal_wounds_spill_over(table) -> None:
    """Three mortal wounds on models of 2 wounds: are any lost? No, the third goes on to the next (10e T-6.8; 11e 06.02)."""
    bomb = sheet(keywords=["INFANTRY", "GRENADES"])
    for edition, use in (("10e", "use S-GR a1"), ("11e", "use 15.05 a1")):
        units = [unit("a1", "A", [(20, 22)], bomb), unit("b1", "B", [(26, 22), (28, 22)])]
        battle = table(edition, "shooting", units, cp={"A": 1, "B": 0}, dice=[4, 5, 6, 1, 2, 3])
        play(battle, use)
        if asked(battle) == "PickUnit":
            play(battle, "select b1")
        settle(battle)
        assert sorted(wounds(battle, "b1")) == [0, 1]


# ---------------------------------------------------------------------------------------------------------- hazardous
def test_a_hazardous_one_hurts_its_bearer(table) -> None:
    """My sergeant's plasma overheats: what do I lose? Three mortal wounds on a bearer, the rest lost (10e W-HAZ)."""
    hot = {"name": "Squad", "models": [
        {"name": "Trooper", "count": 2, "profile": {"M": 6, "T": 4, "Sv": "3+", "W": 2, "Ld": "6+", "OC": 2},
         "base": {"shape": "round", "mm": 32}, "weapons": [weapon("plasma", A=1, abilities=["HAZARDOUS"])]},
    ], "keywords": ["INFANTRY"], "faction_keywords": [], "abilities": []}  # fmt: skip
    units = [unit("a1", "A", [(20, 22), (20, 24)], hot), unit("b1", "B", [(30, 22)])]
    battle = table("10e", "shooting", units, dice=[1, 1])
    play(battle, "select a1", "declare a1#0.0>b1")
    settle(battle)
    assert faces(battle, "hazard") == [1]
    assert sorted(wounds(battle, "a1")) == [0, 2]
    battle = table("11e", "shooting", units, dice=[1, 2])
    play(battle, "select a1", "declare a1#0.0>b1")
    settle(battle)
    assert faces(battle, "hazard") == [2]
    assert sorted(wounds(battle, "a1")) == [1, 2]


# --------------------------------------------------------------------------------------------------- shooting, weapons
@pytest.mark.parametrize(("edition", "ability", "models", "dice"), [
    ("10e", "BLAST", 11, 3), ("11e", "BLAST", 9, 2), ("11e", "BLAST 2", 12, 5),
])  # fmt: skip
def test_blast_counts_by_fives(table, edition: str, ability: str, models: int, dice: int) -> None:
    """[BLAST] at 11 models: how many attacks? One more for each full five (10e W-BLAST; 11e 24.05)."""
    mortar = sheet(weapons=[weapon("mortar", A=1, abilities=[ability])])
    horde = unit("b1", "B", [(30 + 2 * (n % 4), 20 + 2 * (n // 4)) for n in range(models)])
    battle = table(edition, "shooting", [unit("a1", "A", [(20, 22)], mortar), horde], dice=[1] * dice)
    play(battle, "select a1", "declare a1#0.0>b1")
    assert len(faces(battle, "hit")) == dice


def test_nobody_blasts_into_a_combat_even_his_own(table) -> None:
    """My tank is engaged: may it fire its blast gun at whom it fights? No; its other gun at -1 (10e T-5.4; 11e 10.06)."""
    tank = sheet(keywords=["VEHICLE"], weapons=[weapon("mortar", abilities=["BLAST"]), weapon("gun", A=1, BS="3+")])
    for edition in ("10e", "11e"):
        units = [unit("a1", "A", [(20, 22)], tank), unit("b1", "B", [(21.8, 22)])]
        battle = table(edition, "shooting", units, dice=[3])
        play(battle, "select a1")
        assert "BLAST" in refused(battle, "declare a1#0.0>b1")
        play(battle, "declare a1#0.1>b1")
        hit = next(e for e in battle.events() if getattr(e, "purpose", "") == "hit")
        assert (hit.needs, faces(battle, "wound")) == (4, [])  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("edition", "face", "hits"), [("10e", 3, False), ("10e", 5, True), ("11e", 5, False), ("11e", 6, True)]
)
def test_indirect_fire_seldom_hits_what_it_does_not_see(table, edition: str, face: int, hits: bool) -> None:
    """My mortar fires over a ruin: what hits? 10e: -1, never on 1-3; 11e: only a 6 without a spotter (W-INDIRECT; 10.07)."""
    mortar = sheet(weapons=[weapon("mortar", 48, A=1, BS="2+", abilities=["INDIRECT FIRE"])])
    ruin = RUIN if edition == "10e" else {**RUIN, "features": [{**RUIN["features"][0], "kind": "dense"}]}
    units = [unit("a1", "A", [(20, 22)], mortar), unit("b1", "B", [(40, 22)])]
    battle = table(edition, "shooting", units, terrain=[ruin], dice=[face, *([1] if hits else [])])
    play(battle, "select a1", "declare a1#0.0>b1")
    assert (faces(battle, "wound") == [1]) is hits


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_half_range_is_half_range(table, edition: str) -> None:
    """[RAPID FIRE 1] at exactly 12": two shots? Yes, within half range (10e W-RAPID; 11e 24.30)."""
    rifle = sheet(weapons=[weapon("rifle", 24, A=1, abilities=["RAPID FIRE 1"])])
    for at, shots in ((33.259, 2), (33.3, 1)):
        units = [unit("a1", "A", [(20, 22)], rifle), unit("b1", "B", [(at, 22)])]
        battle = table(edition, "shooting", units, dice=[1] * shots)
        play(battle, "select a1", "declare a1#0.0>b1")
        assert len(faces(battle, "hit")) == shots


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_after_an_advance_only_assault_weapons_fire(table, edition: str) -> None:
    """My unit advanced with an [ASSAULT] gun and a heavy one: what fires? The first alone (10e W-ASSAULT; 11e 10.05)."""
    armed = sheet(weapons=[weapon("carbine", abilities=["ASSAULT"]), weapon("cannon")])
    battle = table(
        edition, "shooting", [unit("a1", "A", [(20, 22)], armed, state=["advanced"]), unit("b1", "B", [(30, 22)])]
    )
    play(battle, "select a1")
    assert battle.why_not("declare a1#0.0>b1") is None
    assert "ASSAULT" in refused(battle, "declare a1#0.1>b1")


# ---------------------------------------------------------------------------------------------------------- stratagems
def test_tank_shock_rolls_its_toughness(table) -> None:
    """My T 8 tank charged home: what does ramming do? T dice: 5+ hurts them; 11e: each 1 hurts me (S-TS; 15.06)."""
    tank = sheet(keywords=["VEHICLE"], profile={"T": 8, "W": 12})
    for edition, use in (("10e", "use S-TS a1"), ("11e", "use 15.06 a1")):
        units = [unit("a1", "A", [(20, 22)], tank), unit("b1", "B", [(26, 22), (28, 22), (27, 24), (29, 24)])]
        battle = table(edition, "charge", units, cp={"A": 1, "B": 0}, dice=[6, 6, 5, 5, 5, 1, 1, 2, 3, 4])
        play(battle, "select a1")
        if asked(battle) == "RerollRoll":
            play(battle, "pass")
        play(battle, "targets b1")
        if asked(battle) == "RerollRoll":
            play(battle, "pass")
        play(battle, offered(battle)[0], use)
        while asked(battle) in ("PickUnit", "LoseModel"):
            play(battle, offered(battle)[0])
        assert sum(wounds(battle, "b1")) == 5
        assert wounds(battle, "a1") == [12 if edition == "10e" else 10]


def test_going_to_ground_gives_six_plus_and_cover(table) -> None:
    """My infantry is targeted: what does going to ground do? 6+ invulnerable and cover, this phase (10e S-GTG)."""
    soft = sheet(profile={"Sv": "5+"})
    units = [unit("a1", "A", [(20, 22)], sheet(weapons=[weapon("gun", A=1, AP=-4)])), unit("b1", "B", [(30, 22)], soft)]
    battle = table("10e", "shooting", units, cp={"A": 0, "B": 1}, dice=[4, 4, 6])
    play(battle, "select a1", "declare a1#0.0>b1")
    play(battle, "use S-GTG b1")
    settle(battle)
    assert wounds(battle, "b1") == [2]


def test_smoke_is_cover_and_stealth(table) -> None:
    """My SMOKE unit is targeted: what does Smokescreen give? Cover and Stealth: -1 to hit, +1 to save (10e S-SM)."""
    smoky = sheet(keywords=["INFANTRY", "SMOKE"], profile={"Sv": "4+"})
    units = [unit("a1", "A", [(20, 22)], sheet(weapons=[GUN])), unit("b1", "B", [(30, 22)], smoky)]
    battle = table("10e", "shooting", units, cp={"A": 0, "B": 1}, dice=[4, 4, 3])
    play(battle, "select a1", "declare a1#0.0>b1", "use S-SM b1")
    needs = {e.purpose: e.needs for e in battle.events() if getattr(e, "purpose", "") in ("hit", "save")}  # type: ignore[union-attr]
    assert needs == {"hit": 4, "save": 3}


# ------------------------------------------------------------------------------------------------------- more of each
def test_the_player_chooses_who_tests_first(table) -> None:
    """Two units must test: in which order? Their player says (11e 08.03; 10e T-3.2)."""
    for edition in ("10e", "11e"):
        units = [
            unit("a1", "A", [(20, 22)], sheet(count=3), start=3), unit("a2", "A", [(20, 30)], sheet(count=3), start=3),
            unit("b1", "B", [(50, 22)]),
        ]  # fmt: skip
        battle = table(edition, "command", units, cp={"A": 0, "B": 0}, dice=[6, 6, 1, 1])
        play(battle, "select a2")
        while not battle.out_of_dice and battle.state.phase == "command":
            play(battle, "pass" if "pass" in offered(battle) else offered(battle)[0])
        assert (shocked(battle, "a1"), shocked(battle, "a2")) == (True, False), edition


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_combat_hides_who_is_in_it_but_not_a_tank(table, edition: str) -> None:
    """My friend fights them: may I shoot them? Only a VEHICLE, at -1 (10e T-5.2, T-5.4; 11e 04.02, 17.03)."""
    for words, legal in ((["INFANTRY"], False), (["VEHICLE"], True)):
        foe = sheet(keywords=words)
        units = [
            unit("a1", "A", [(10, 22)], sheet(weapons=[GUN])), unit("a2", "A", [(20, 24)]),
            unit("b1", "B", [(21, 22.5)], foe), unit("b2", "B", [(40, 40)]),
        ]  # fmt: skip
        battle = table(edition, "shooting", units, dice=[3])
        if not legal:
            assert battle.state.phase != "shooting"
            continue
        play(battle, "select a1", "declare a1#0.0>b1")
        assert (faces(battle, "hit"), faces(battle, "wound")) == ([3], [])


@pytest.mark.parametrize(("edition", "through"), [("10e", False), ("11e", True)])
def test_who_walks_past_an_enemy(table, edition: str, through: bool) -> None:
    """May I walk within an inch of an enemy and on? Not in the 10th edition (T-4.4); now I may (11e 03.01)."""
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(23, 23.8)])]
    battle = table(edition, "movement", units)
    play(battle, "select a1", "do normal")
    assert (battle.why_not("move a1 a1#0:26,22") is None) is through


def test_a_tank_drives_through_infantry_now(table) -> None:
    """May my tank drive through enemy infantry? Now it may, not through a tank (11e 17.01); not in the 10th (T-4.1)."""
    tank = sheet(keywords=["VEHICLE"], profile={"M": 11})
    for edition, words, legal in (("11e", "INFANTRY", True), ("11e", "VEHICLE", False), ("10e", "INFANTRY", False)):
        units = [unit("a1", "A", [(20, 22)], tank), unit("b1", "B", [(25, 22)], sheet(keywords=[words]))]
        battle = table(edition, "movement", units)
        play(battle, "select a1", "do normal")
        assert (battle.why_not("move a1 a1#0:31,22") is None) is legal, (edition, words)


def test_tanks_do_not_pass_each_other(table) -> None:
    """May my tank drive through my own tank? No, in neither edition (10e T-4.1; 11e 17.01)."""
    tank = sheet(keywords=["VEHICLE"], profile={"M": 11})
    for edition in ("10e", "11e"):
        units = [unit("a1", "A", [(20, 22)], tank), unit("a2", "A", [(25, 22)], tank), unit("b1", "B", [(50, 40)])]
        battle = table(edition, "movement", units)
        play(battle, "select a1", "do normal")
        assert battle.why_not("move a1 a1#0:31,22") is not None


def test_flyers_over_the_enemy_take_no_test(table) -> None:
    """My jump troops fall back over the enemy: tests? They FLY: none (10e T-4.5)."""
    jump = sheet(keywords=["INFANTRY", "FLY"], profile={"M": 12})
    units = [unit("a1", "A", [(20, 22)], jump), unit("b1", "B", [(18.2, 22)]), unit("a2", "A", [(40, 5)])]
    battle = table("10e", "movement", units, dice=[])
    play(battle, "select a1", "do fall_back", "move a1 a1#0:14,22")
    assert did(battle, "a1", Did.FELL_BACK)


def test_skies_cost_two_inches(table) -> None:
    """My unit flies over a ruin: how far? M less 2" (11e 21.03)."""
    jump = sheet(keywords=["INFANTRY", "FLY"], profile={"M": 12})
    battle = table("11e", "movement", [unit("a1", "A", [(20, 22)], jump), unit("b1", "B", [(25, 22)])])
    play(battle, "select a1", "do normal", "do skies")
    assert max(battle.decision.reach) == 10000  # type: ignore[union-attr]
    assert battle.why_not("move a1 a1#0:30,22") is None


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_no_titan_and_nobody_shocked_fires_overwatch(table, edition: str) -> None:
    """May my TITANIC walker, or my shocked squad, fire overwatch? Neither (10e S-FO, T-2.3; 11e 15.08, 01.07)."""
    titan = sheet(keywords=["VEHICLE", "TITANIC"])
    for foe in (unit("b1", "B", [(30, 22)], titan), unit("b1", "B", [(30, 22)], state=["battle-shocked"])):
        battle = table(edition, "movement", [unit("a1", "A", [(20, 22)]), foe], cp={"A": 0, "B": 3})
        play(battle, "select a1", "do normal")
        assert asked(battle) == "MoveModels"
        play(battle, "pass")
        while battle.state.phase == "movement" and battle.state.turn == 0:
            assert asked(battle) != "React"
            play(battle, "pass")


def test_who_is_in_reserves_tests_in_the_eleventh(table) -> None:
    """My unit at half strength waits in reserves: does it test? In the 11th edition (01.02.04); not in the 10th (T-3.2)."""
    for edition, tests in (("10e", False), ("11e", True)):
        waiting = {**away("a1", "A", sheet(count=4)), "start": 4}
        battle = table(edition, "command", [waiting, unit("b1", "B", [(50, 22)])], cp={"A": 0, "B": 0}, dice=[6, 6])
        if asked(battle) == "React":
            play(battle, "pass")
        assert (faces(battle, "battle_shock") == [6, 6]) is tests


@pytest.mark.parametrize(("edition", "words", "legal"), [
    ("10e", ["VEHICLE"], False), ("10e", ["VEHICLE", "WALKER"], True), ("11e", ["VEHICLE"], False),
    ("11e", ["VEHICLE", "CHARACTER"], True),
])  # fmt: skip
def test_few_vehicles_intervene(table, edition: str, words: list[str], legal: bool) -> None:
    """May my tank intervene heroically? A WALKER may; in the 11th edition a CHARACTER too (S-HI; 15.11)."""
    tank = sheet(keywords=words)
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(26, 22)]), unit("b2", "B", [(24, 26)], tank)]
    battle = table(edition, "charge", units, cp={"A": 0, "B": 3}, dice=[5, 5, 6, 6])
    play(battle, "select a1")
    while asked(battle) != "MoveModels":
        play(battle, "targets b1" if asked(battle) == "ChooseTargets" else "pass")
    play(battle, offered(battle)[0])
    uses: list[str] = []
    while battle.state.phase == "charge":
        uses += [c for c in offered(battle) if c.startswith(("use S-HI b2", "use 15.11"))]
        play(battle, "pass")
    assert any(c.endswith("b2") for c in uses) is legal


def test_objectives_nobody_stands_on_stay_with_nobody(table) -> None:
    """I held an objective and left: do I still hold it? Not unless it is secured (11e 14.02; 10e T-12.3)."""
    for edition in ("10e", "11e"):
        units = [unit("a1", "A", [(10, 10)]), unit("b1", "B", [(50, 22)])]
        battle = table(edition, "movement", units, objectives=[[30, 22]], controlled={"0": "A"})
        play(battle, "pass")
        assert battle.state.control == (-1,)


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_three_inches_from_the_marker_are_in_range(table, edition: str) -> None:
    """How near must I be? Within 3" of the marker's edge (11e 14.01.01; 10e T-12.2)."""
    for gap, holds in ((3.0, True), (3.02, False)):
        at = 30 + (20 + 16) / 25.4 + gap
        battle = table(
            edition, "movement", [unit("a1", "A", [(at, 22)]), unit("b1", "B", [(50, 5)])], objectives=[[30, 22]]
        )
        play(battle, "pass")
        assert (battle.state.control == (0,)) is holds


def test_reserves_are_lost_after_the_third_round(table) -> None:
    """My reserves never arrived: when are they lost? At the end of round 3 (11e 20.03; 10e T-9.3)."""
    for edition in ("10e", "11e"):
        units = [unit("a1", "A", [(5, 5)]), away("a2", "A"), unit("b1", "B", [(55, 40)])]
        battle = table(edition, "fight", units, round=3, turn="B")
        while battle.state.round == 3:
            play(battle, "pass" if "pass" in offered(battle) else offered(battle)[0])
        assert wounds(battle, "a2") == [0]


def test_precision_takes_the_leader(table) -> None:
    """My sniper wounds a led squad: may I hit the leader? With [PRECISION], if I see him (W-PRECISION; 24.28)."""
    hero = sheet("Hero", keywords=["INFANTRY", "CHARACTER"], profile={"W": 4})
    for edition in ("10e", "11e"):
        units = [
            unit("a1", "A", [(20, 22)], sheet(weapons=[weapon("rifle", A=1, abilities=["PRECISION"])])),
            unit("b1", "B", [(30, 22), (32, 22)], attached=["h"]), unit("h", "B", [(31, 24)], hero),
        ]  # fmt: skip
        battle = table(edition, "shooting", units, dice=[4, 4, 1])
        play(battle, "select a1", "declare a1#0.0>b1")
        assert asked(battle) == "AimAt"
        play(battle, "model h#0")
        settle(battle)
        assert wounds(battle, "h") == [3]


def test_a_led_unit_has_the_toughness_of_its_bodyguards(table) -> None:
    """My T 3 squad is led by a T 5 hero: what wounds it? Its own T 3 (10e T-6.4; 11e 05.02.01)."""
    hero = sheet("Hero", keywords=["INFANTRY", "CHARACTER"], profile={"T": 5})
    for edition in ("10e", "11e"):
        units = [
            unit("a1", "A", [(20, 22)], sheet(weapons=[GUN])),
            unit("b1", "B", [(30, 22), (32, 22)], sheet(count=2, profile={"T": 3}), attached=["h"]),
            unit("h", "B", [(31, 24)], hero),
        ]  # fmt: skip
        battle = table(edition, "shooting", units, dice=[4, 2])
        play(battle, "select a1", "declare a1#0.0>b1")
        wound = next(e for e in battle.events() if getattr(e, "purpose", "") == "wound")
        assert wound.needs == 3  # type: ignore[union-attr]


def test_the_unread_six_of_lethal_hits_is_a_choice_now(table) -> None:
    """[LETHAL HITS]: must a 6 wound by itself? In the 10th edition; in the 11th I may roll (W-LETHAL; 24.23)."""
    both = sheet(weapons=[weapon("gun", A=1, abilities=["LETHAL HITS", "DEVASTATING WOUNDS"])])
    units = [unit("a1", "A", [(20, 22)], both), unit("b1", "B", [(30, 22)])]
    battle = table("10e", "shooting", units, dice=[6, 4])
    play(battle, "select a1", "declare a1#0.0>b1")
    assert (faces(battle, "hit"), faces(battle, "wound"), faces(battle, "save")) == ([6], [], [4])
    battle = table("11e", "shooting", units, dice=[6, 6])
    play(battle, "select a1", "declare a1#0.0>b1", "do lethal 0")
    settle(battle)
    assert (faces(battle, "wound"), wounds(battle, "b1")) == ([6], [1])


def test_demise_strikes_all_within_six_inches(table) -> None:
    """My tank explodes: whom does it hurt, and when do its passengers get out? 6" on a 6; 11e: they get out first."""
    bomb = sheet("Tank", keywords=["VEHICLE"], profile={"W": 1, "Sv": "7+"}, abilities=[
        {"name": "Deadly Demise 1", "kind": "core"}])  # fmt: skip
    for edition in ("10e", "11e"):
        units = [
            unit("a1", "A", [(30, 40)], sheet(weapons=[weapon("gun", A=1, BS="2+", S=9, AP=-6)])),
            unit("b1", "B", [(30, 22)], bomb), unit("b2", "B", [(36, 22)]), unit("b3", "B", [(38, 22)]),
        ]  # fmt: skip
        battle = table(edition, "shooting", units, dice=[4, 4, 1, 6])
        play(battle, "select a1", "declare a1#0.0>b1")
        settle(battle)
        assert [wounds(battle, name) for name in ("b1", "b2", "b3")] == [[0], [1], [2]], edition


def test_an_overrun_pulls_a_unit_into_a_new_fight(table) -> None:
    """I charged, my target is dead before I fight: what now? An overrun: a pile-in, then I fight (11e 12.06)."""
    axe = sheet(weapons=[weapon("axe", "Melee", A=6, WS="2+", S=10, AP=-6, D=3)])
    units = [
        unit("a1", "A", [(20, 22)], axe, state=["charged", "fights first"]),
        unit("a2", "A", [(23.2, 22)], axe, state=["charged", "fights first"]),
        unit("b1", "B", [(21.6, 22)]), unit("b2", "B", [(21.6, 26.5)]),
    ]  # fmt: skip
    battle = table("11e", "fight", units, seed=2)
    fought = []
    while battle.state.phase == "fight" and not battle.over:
        if asked(battle) == "DeclareAttacks":
            fought.append(battle.table.name(battle.decision.unit))  # type: ignore[union-attr]
        answers = [c for c in offered(battle) if c != "pass" or asked(battle) in ("React", "RerollRoll")]
        battle.play(answers[0])
    assert fought[:2] in (["a1", "a2"], ["a2", "a1"])
    assert wounds(battle, "b2") == [0] or "b2" in fought


# ------------------------------------------------------------------------------------------------ stratagems once more
def test_overwatch_is_once_a_turn_in_the_tenth(table) -> None:
    """I fired overwatch as they moved: may I fire again as they charge? Once a turn (10e S-FO)."""
    units = [unit("a1", "A", [(20, 22)]), unit("a2", "A", [(40, 30)]), unit("b1", "B", [(30, 22)])]
    battle = table("10e", "movement", units, cp={"A": 0, "B": 9}, seed=4)
    play(battle, "select a1", "do normal", "use S-FO b1")
    while asked(battle) != "MoveModels":
        play(battle, "pass" if "pass" in offered(battle) else offered(battle)[0])
    play(battle, "pass", "pass")
    uses = []
    while battle.state.turn == 0 and not battle.over:
        uses += [c for c in offered(battle) if c.startswith("use S-FO")]
        play(battle, "pass" if "pass" in offered(battle) and asked(battle) != "ChooseUnit" else offered(battle)[-1])
    assert not uses


def test_overwatch_greets_who_drops_in_and_who_charges(table) -> None:
    """They arrive, or declare a charge: may I fire overwatch? Both times (10e S-FO)."""
    battle = table(
        "10e", "movement", [away("a1", "A"), unit("a2", "A", [(5, 40)]), unit("b1", "B", [(30, 20)])], cp={"B": 1}
    )
    play(battle, "pass", "select a1", "place a1 a1#0:30,5")
    assert (asked(battle), offered(battle)[1]) == ("React", "use S-FO b1")
    battle = table("10e", "charge", [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(28, 22)])], cp={"B": 1})
    play(battle, "select a1", "targets b1")
    assert (asked(battle), offered(battle)[1]) == ("React", "use S-FO b1")


def test_a_stratagem_is_used_once_a_phase_and_paid(table) -> None:
    """Two of my units throw grenades in one phase? The stratagem is used once a phase (T-13.1; 15.01)."""
    bomb = sheet(keywords=["INFANTRY", "GRENADES"])
    for edition, use in (("10e", "use S-GR"), ("11e", "use 15.05")):
        units = [unit("a1", "A", [(20, 20)], bomb), unit("a2", "A", [(20, 24)], bomb), unit("b1", "B", [(26, 22)])]
        battle = table(edition, "shooting", units, cp={"A": 0, "B": 0})
        assert "costs 1CP" in refused(battle, f"{use} a1")
        battle = table(edition, "shooting", units, cp={"A": 2, "B": 0}, dice=[1] * 6)
        play(battle, f"{use} a1")
        if asked(battle) == "PickUnit":
            play(battle, "select b1")
        assert "already used this phase" in refused(battle, f"{use} a2")
        assert "select a1" in offered(battle)


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_nothing_is_re_rolled_for_a_shocked_unit(table, edition: str) -> None:
    """My shocked unit rolls 2 for its charge: may I re-roll? No stratagem touches it (10e T-2.3; 11e 01.07)."""
    units = [unit("a1", "A", [(20, 22)], state=["battle-shocked"]), unit("b1", "B", [(24, 22)])]
    battle = table(edition, "charge", units, cp={"A": 2, "B": 0}, dice=[1, 2])
    play(battle, "select a1")
    if edition == "10e":
        play(battle, "targets b1")
    assert asked(battle) != "RerollRoll"


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_save_may_be_re_rolled_but_no_feel_no_pain(table, edition: str) -> None:
    """My save fails: re-roll? For 1CP. My Feel No Pain too? Never (10e S-CRR; 11e 15.02)."""
    tough = sheet(abilities=[{"name": "Feel No Pain 5+", "kind": "core"}])
    units = [unit("a1", "A", [(20, 22)], sheet(weapons=[GUN])), unit("b1", "B", [(30, 22)], tough)]
    battle = table(edition, "shooting", units, cp={"A": 0, "B": 2}, dice=[4, 4, 1, 1, 4])
    play(battle, "select a1", "declare a1#0.0>b1")
    if asked(battle) == "React":  # Go to Ground
        play(battle, "pass")
    assert (asked(battle), battle.to_choose, getattr(battle.decision, "roll", "")) == ("RerollRoll", 1, "save")
    play(battle, "die 0")
    settle(battle)
    assert wounds(battle, "b1") == [1]
    assert faces(battle, "feel no pain") == [4]


# ------------------------------------------------------------------------------------------------- weapons once more
def test_melta_burns_within_half_range(table) -> None:
    """[MELTA 2], D 1, at half range: damage 3 (W-MELTA; 24.25)."""
    melta = sheet(weapons=[weapon("melta", 12, A=1, D=1, S=9, AP=-4, abilities=["MELTA 2"])])
    for edition in ("10e", "11e"):
        for at, left in ((27, 1), (28, 3)):
            units = [unit("a1", "A", [(20, 22)], melta), unit("b1", "B", [(at, 22)], sheet(profile={"W": 4}))]
            battle = table(edition, "shooting", units, dice=[4, 4, 1])
            play(battle, "select a1", "declare a1#0.0>b1")
            settle(battle)
            assert wounds(battle, "b1") == [left]


@pytest.mark.parametrize(("edition", "state", "moved", "needs"), [
    ("10e", ["stationary"], 0, 2), ("10e", ["moved"], 1, 3), ("11e", ["moved"], 3, 2), ("11e", ["moved"], 3.1, 3),
    ("11e", ["set up"], 0, 3),
])  # fmt: skip
def test_heavy_weapons_want_a_steady_hand(table, edition: str, state: list[str], moved: float, needs: int) -> None:
    """My [HEAVY] gun moved 3": +1 to hit? In the 11th edition; in the 10th only who stood still (W-HEAVY; 24.16)."""
    gun = sheet(weapons=[weapon("gun", A=1, BS="3+", abilities=["HEAVY"])])
    mine = unit("a1", "A", [(20, 22)], gun, state=state)
    mine["models"][0]["moved"] = moved
    battle = table(edition, "shooting", [mine, unit("b1", "B", [(30, 22)])], dice=[1])
    play(battle, "select a1", "declare a1#0.0>b1")
    hit = next(e for e in battle.events() if getattr(e, "purpose", "") == "hit")
    assert 7 - sum(_hits(battle, edition, mine, face) for face in range(1, 7)) == needs, hit


def _hits(battle: Battle, edition: str, mine: dict[str, Any], face: int) -> bool:
    """Does this face hit, in the same position?"""
    position = {
        "edition": edition,
        "round": 2,
        "turn": "A",
        "phase": "shooting",
        "units": [mine, unit("b1", "B", [(30, 22)])],
    }
    again = Battle.from_position({**position, "dice": [face, 1]})
    again.play("select a1")
    again.play("declare a1#0.0>b1")
    return bool(faces(again, "wound"))


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_lancer_wounds_better_on_the_charge(table, edition: str) -> None:
    """[LANCE], S 4 against T 4 after a charge: 3+ (W-LANCE; 24.21)."""
    spear = sheet(weapons=[weapon("spear", "Melee", A=1, abilities=["LANCE"])])
    for state, needs in ((["charged", "fights first"], 3), ([], 4)):
        units = [unit("a1", "A", [(20, 22)], spear, state=state), unit("b1", "B", [(21.5, 22)], sheet(weapons=[GUN]))]
        battle = table(edition, "fight", units, cp={"A": 0, "B": 0}, dice=[4, 3, 1] if needs == 3 else [4, 3])
        while asked(battle) != "DeclareAttacks":
            play(battle, "pass" if "pass" in offered(battle) else offered(battle)[0])
        play(battle, "declare a1#0.0>b1")
        settle(battle)
        assert (wounds(battle, "b1") == [1]) is (needs == 3)


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_extra_attacks_come_with_one_other_weapon(table, edition: str) -> None:
    """My beast has a tail with [EXTRA ATTACKS]: claws and tail? Both (10e W-EXTRA; 11e 24.11)."""
    tail = weapon("tail", "Melee", abilities=["EXTRA ATTACKS"])
    beast = sheet(weapons=[weapon("claws", "Melee"), weapon("jaws", "Melee"), tail])
    units = [unit("a1", "A", [(20, 22)], beast), unit("b1", "B", [(21.5, 22)])]
    battle = table(edition, "fight", units, cp={"A": 0, "B": 0}, turn="A" if edition == "11e" else "B")
    while asked(battle) != "DeclareAttacks":
        play(battle, "pass" if "pass" in offered(battle) else offered(battle)[0])
    assert battle.why_not("declare a1#0.0>b1 a1#0.2>b1") is None
    refused(battle, "declare a1#0.0>b1 a1#0.1>b1 a1#0.2>b1")
    refused(battle, "declare a1#0.0>b1")


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_pistols_or_the_rest(table, edition: str) -> None:
    """Nobody is near: may my trooper fire pistol and rifle? One or the other (W-PISTOL; 24.07)."""
    both = sheet(weapons=[weapon("rifle"), weapon("pistol", 12, abilities=["PISTOL"])])
    battle = table(edition, "shooting", [unit("a1", "A", [(20, 22)], both), unit("b1", "B", [(30, 22)])])
    play(battle, "select a1")
    assert battle.why_not("declare a1#0.0>b1") is None
    assert battle.why_not("declare a1#0.1>b1") is None
    refused(battle, "declare a1#0.0>b1 a1#0.1>b1")


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_an_engaged_tank_shoots_whom_it_likes_at_minus_one(table, edition: str) -> None:
    """My tank is in combat: may it shoot somebody else? Yes, at -1 (10e T-5.4; 11e 10.06)."""
    tank = sheet(keywords=["VEHICLE"], weapons=[weapon("gun", A=1, BS="3+")])
    units = [unit("a1", "A", [(20, 22)], tank), unit("b1", "B", [(20, 23.8)]), unit("b2", "B", [(32, 22)])]
    battle = table(edition, "shooting", units, dice=[3])
    play(battle, "select a1", "declare a1#0.0>b2")
    assert (faces(battle, "hit"), faces(battle, "wound")) == ([3], [])


def test_cover_and_a_penalty_add_up_now(table) -> None:
    """Cover and -1 to hit: BS 3+ needs 5+ in the 11th edition: cover changes the skill (13.08, 02.02.01)."""
    tank = sheet(keywords=["VEHICLE"], weapons=[weapon("gun", A=1, BS="3+")])
    units = [unit("a1", "A", [(20, 22)], tank), unit("b1", "B", [(20, 23.8)]), unit("b2", "B", [(30, 22)])]
    battle = table("11e", "shooting", units, terrain=[DENSE], dice=[4])
    play(battle, "select a1", "declare a1#0.0>b2")
    assert (faces(battle, "hit"), faces(battle, "wound")) == ([4], [])


def test_excess_damage_is_lost(table) -> None:
    """Damage 3 on models of 2 wounds: two failed saves, two models, nothing more (10e T-6.6; 11e 05.04)."""
    for edition, dice in (("10e", [4, 4, 1, 4, 4, 1]), ("11e", [4, 4, 4, 4, 1, 1])):
        gun = sheet(weapons=[weapon("gun", A=2, D=3)])
        units = [unit("a1", "A", [(20, 22)], gun), unit("b1", "B", [(30, 22), (32, 22), (34, 22)])]
        battle = table(edition, "shooting", units, dice=dice)
        play(battle, "select a1", "declare a1#0.0>b1")
        settle(battle)
        assert sorted(wounds(battle, "b1")) == [0, 0, 2]


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_armour_or_the_invulnerable_save(table, edition: str) -> None:
    """AP -5 against 3+ and a 4+ invulnerable save: a 4 saves (10e T-6.5; 11e 05.04)."""
    holy = sheet(profile={"Sv": "3+", "InSv": "4+"})
    units = [unit("a1", "A", [(20, 22)], sheet(weapons=[weapon("gun", A=1, AP=-5)])), unit("b1", "B", [(30, 22)], holy)]
    for save, left in ((4, 2), (3, 1)):
        battle = table(edition, "shooting", units, dice=[4, 4, save])
        play(battle, "select a1", "declare a1#0.0>b1")
        settle(battle)
        assert wounds(battle, "b1") == [left]


# ------------------------------------------------------------------------------------------- moves and fights once more
@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_who_fell_back_neither_shoots_nor_charges(table, edition: str) -> None:
    """My unit fell back: may it shoot, or charge? Neither (10e T-4.4; 11e 09.07)."""
    units = [unit("a1", "A", [(20, 22)], state=["fell back"]), unit("a2", "A", [(20, 30)]), unit("b1", "B", [(28, 22)])]
    for phase in ("shooting", "charge"):
        battle = table(edition, phase, units)
        assert "fell back" in refused(battle, "select a1")
        assert "select a2" in offered(battle)


def test_who_may_fight_must(table) -> None:
    """May I leave my engaged unit out of the fight? Not while it is eligible (10e T-8.1; 11e 12.04)."""
    for edition in ("10e", "11e"):
        units = [
            unit("a1", "A", [(20, 22)]), unit("b1", "B", [(21.5, 22)]), unit("a2", "A", [(20, 32)]),
            unit("b2", "B", [(21.5, 32)]),
        ]  # fmt: skip
        battle = table(edition, "fight", units, cp={"A": 0, "B": 0})
        while not (asked(battle) == "ChooseUnit" and battle.decision.act == "fight"):  # type: ignore[union-attr]
            play(battle, "pass")
        refused(battle, "pass")


def test_a_pile_in_goes_nearer_and_stays_in_contact(table) -> None:
    """May I pile in away from the enemy? No: closer; who touches an enemy stays (11e 12.03)."""
    units = [unit("a1", "A", [(20, 22), (20, 24)]), unit("b1", "B", [(21.26, 22)])]
    battle = table("11e", "fight", units, cp={"A": 0, "B": 0})
    play(battle, "select a1")
    refused(battle, "move a1 a1#0:20,21.9")
    refused(battle, "move a1 a1#1:19,24.3")
    assert battle.why_not("move a1 a1#1:20.8,23.4") is None


def test_with_no_enemy_near_a_unit_consolidates_to_the_objective(table) -> None:
    """My enemy is dead, an objective lies 4" off: may I move there? Up to 3", if I get into range of it (10e T-8.2)."""
    axe = sheet(weapons=[weapon("axe", "Melee", A=6, WS="2+", S=10, AP=-6, D=3)])
    units = [unit("a1", "A", [(20, 22)], axe, state=["charged", "fights first"]), unit("b1", "B", [(20, 23.5)]),
             unit("b2", "B", [(50, 5)])]  # fmt: skip
    battle = table("10e", "fight", units, objectives=[[26.5, 22]], seed=3)
    while battle.state.phase == "fight" and not (
        asked(battle) == "MoveModels" and "consolidate" in battle.decision.move
    ):  # type: ignore[union-attr]
        play(battle, next(c for c in offered(battle) if c != "pass" or asked(battle) in ("React", "RerollRoll")))
    assert battle.decision.move == "consolidate_objective"  # type: ignore[union-attr]
    assert "not within" in refused(battle, "move a1 a1#0:20.5,22.2") or "closer" in refused(
        battle, "move a1 a1#0:20.5,22.2"
    )


def test_a_leader_without_his_guard(table) -> None:
    """My bodyguards are dead, the leader whole: below half strength? 10e: a unit of his own; 11e: one unit (T-10.2; 19)."""
    hero = sheet("Hero", keywords=["INFANTRY", "CHARACTER"], profile={"W": 4})
    for edition, tests in (("10e", False), ("11e", True)):
        gone = unit("a1", "A", [(20, 22), (22, 22)], attached=["h"], wounds=[0, 0])
        units = [gone, unit("h", "A", [(21, 24)], hero), unit("b1", "B", [(50, 22)])]
        battle = table(edition, "command", units, cp={"A": 0, "B": 0}, dice=[6, 6])
        if asked(battle) == "React":
            play(battle, "pass")
        assert (faces(battle, "battle_shock") == [6, 6]) is tests, edition


def test_nobody_leaves_a_transport_that_advanced(table) -> None:
    """My transport advanced: may they get out? No (10e T-10.5; 11e 18.04)."""
    for edition in ("10e", "11e"):
        units = [
            unit("t", "A", [(20, 22)], TRUCK, state=["advanced"]), aboard(2), unit("a2", "A", [(5, 5)]),
            unit("b1", "B", [(50, 22)]),
        ]  # fmt: skip
        battle = table(edition, "movement", units)
        assert "advanced" in refused(battle, "select a1")


def test_getting_out_into_a_combat(table) -> None:
    """My transport is surrounded: may they get out? 11e: a combat disembark: hazards first, shocked after (18.04)."""
    ring = [(20 + 2.9 * dx, 22 + 2.9 * dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (0.7, 0.7), (-0.7, 0.7),
                                                        (0.7, -0.7), (-0.7, -0.7))]  # fmt: skip
    units = [unit("t", "A", [(20, 22)], TRUCK), aboard(1), unit("b1", "B", ring)]
    battle = table("11e", "movement", units, dice=[5])
    play(battle, "select a1")
    assert faces(battle, "hazard") == [5]
    assert battle.decision.how == "disembark_combat"  # type: ignore[union-attr]
    play(battle, offered(battle)[0])
    assert shocked(battle, "a1")
    battle = table("10e", "movement", units)
    play(battle, "select a1")
    assert offered(battle) == ["pass"]


def test_indirect_with_a_spotter_hits_on_fours(table) -> None:
    """My mortar stood still and a friend sees the target: what hits? 4+ (11e 10.07)."""
    mortar = sheet(weapons=[weapon("mortar", 48, A=1, BS="2+", abilities=["INDIRECT FIRE"])])
    wall = {**RUIN, "features": [{**RUIN["features"][0], "kind": "dense"}]}
    for face, state, hits in ((4, ["stationary"], True), (3, ["stationary"], False), (4, ["moved"], False)):
        units = [
            unit("a1", "A", [(20, 22)], mortar, state=state), unit("a2", "A", [(45, 30)]),
            unit("b1", "B", [(40, 22)], state=["shot last turn"]),
        ]  # fmt: skip
        battle = table("11e", "shooting", units, terrain=[wall], dice=[face, *([1] if hits else [])])
        play(battle, "select a1", "declare a1#0.0>b1")
        assert (faces(battle, "wound") == [1]) is hits


def test_who_is_obscured_and_who_is_inside(table) -> None:
    """They stand behind an area with walls: do I see them? Not through it; who stands in it I see (11e 13.10)."""
    area = {**DENSE, "features": [{**DENSE["features"][0], "height": 1}]}
    units = [
        unit("a1", "A", [(24, 22.2)]), unit("b1", "B", [(38, 22)], state=["shot last turn"]),
        unit("b2", "B", [(31, 19)], state=["shot last turn"]),
    ]  # fmt: skip
    battle = table("11e", "shooting", units, terrain=[area])
    play(battle, "select a1")
    assert "sees no model" in refused(battle, "declare a1#0.0>b1")
    assert battle.why_not("declare a1#0.0>b2") is None


def test_a_lone_operative_joins_and_is_seen(table) -> None:
    """My Lone Operative leads a squad: may they shoot it from 20"? Then they may (10e T-5.6; 11e 24.24)."""
    alone = sheet("Spy", keywords=["INFANTRY", "CHARACTER"], abilities=[{"name": "Lone Operative", "kind": "core"}])
    for edition in ("10e", "11e"):
        for joined in (True, False):
            squad = unit("b1", "B", [(34, 22), (34, 24)], attached=["s"] if joined else [])
            squad = (
                squad
                if joined
                else {**squad, "models": [{**m, "at": [m["at"][0] + 20, m["at"][1]]} for m in squad["models"]]}
            )
            units = [unit("a1", "A", [(14, 22)]), squad, unit("s", "B", [(32, 22)], alone)]
            battle = table(edition, "shooting", units)
            assert (battle.state.phase == "shooting" and "select a1" in offered(battle)) is joined, edition


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("fallen", ["guard", "leader"])
def test_what_is_left_of_a_led_unit_reads_back(table, edition: str, fallen: str) -> None:
    """A position printed after the guard, or the leader, fell is the same battle (10e T-10.2; 11e 19.01.01)."""
    hero = sheet("Hero", keywords=["INFANTRY", "CHARACTER"], profile={"W": 2})
    gun = sheet(weapons=[weapon("gun", A=1, D=2, S=10, AP=-6, BS="2+", abilities=["PRECISION"])])
    units = [
        unit("b1", "B", [(30, 22)], attached=["h"]), unit("h", "B", [(31, 24)], hero), unit("a1", "A", [(20, 22)], gun),
        unit("a2", "A", [(20, 30)]), unit("b2", "B", [(50, 40)]),
    ]  # fmt: skip
    battle = table(edition, "shooting", units, cp={"A": 0, "B": 0}, seed=1)
    play(battle, "select a1", "declare a1#0.0>b1")
    while asked(battle) in ("LoseModel", "OrderGroups", "AimAt"):
        play(battle, "model h#0" if asked(battle) == "AimAt" and fallen == "leader" else offered(battle)[-1])
    assert [wounds(battle, name) for name in ("b1", "h")] == ([[0], [2]] if fallen == "guard" else [[2], [0]])
    again = Battle.from_position(battle.position())
    assert [str(c) for c in again.legal_choices()] == offered(battle)
    assert [again.table.parts(u) for u in range(5)] == [battle.table.parts(u) for u in range(5)]
    assert again.state.unit[:, :7].tolist() == battle.state.unit[:, :7].tolist()
