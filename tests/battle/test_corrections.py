"""Rules the referee, or a strict reading beside the rules, found wrongly applied once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from battlewright.battle.casualties import destroy_unit
from battlewright.battle.eligible import may_start_in
from battlewright.battle.engine import Battle, fresh_state
from battlewright.battle.events import Chosen, Marked, Moved
from battlewright.battle.mission import mission
from battlewright.battle.scoring import score
from battlewright.battle.state import Did, Where
from battlewright.battle.table import Table
from battlewright.battle.targeting import fighters
from battlewright.editions.battle import battle_rules
from conftest import asked, faces, offered, sheet, unit, weapon

Start = Callable[..., Battle]


def test_who_falls_to_a_desperate_escape_goes_nowhere(table: Start) -> None:
    """10e T-4.5: the way was chosen for three, one is lost to the tests: two fall back."""
    units = [
        unit("a1", "A", [(20, 20), (20, 21.7), (20, 23.4)], state=["battle-shocked"]),
        unit("b1", "B", [(22, 21.7)]),
    ]
    battle = table("10e", "movement", units, dice=[1, 6, 6])
    battle.play("select a1")
    battle.play("do fall_back")
    battle.play("move a1 a1#0:16,20 a1#1:16,21.7 a1#2:16,23.4")
    assert asked(battle) == "LoseModel"
    battle.play("model a1#2")
    moved = next(e for _, e in battle.log if isinstance(e, Moved))
    assert [pose[0] for pose in moved.poses] == [0, 1]
    assert battle.state.model[2, 0] == 20000
    battle.finish()


def test_a_way_that_the_losses_broke_is_chosen_again(table: Start) -> None:
    """10e T-4.2, T-4.5: without the model in the middle the other two would end out of coherency."""
    units = [
        unit("a1", "A", [(20, 20), (20, 22.3), (20, 24.6)], state=["battle-shocked"]),
        unit("b1", "B", [(22, 22.3)]),
    ]
    battle = table("10e", "movement", units, dice=[1, 6, 6])
    battle.play("select a1")
    battle.play("do fall_back")
    battle.play("move a1 a1#0:16,20 a1#1:16,22.3 a1#2:16,24.6")
    battle.play("model a1#1")
    assert asked(battle) == "MoveModels"
    assert battle.why_not("move a1 a1#0:16,20 a1#2:16,24.6") is not None
    assert battle.why_not("move a1 a1#0:16,22 a1#2:16,24") is None


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_unit_whose_engaged_model_falls_to_its_escape_still_falls_back(table: Start, edition: str) -> None:
    """11e 09.07; 10e T-4.5: it was eligible when it was selected; a move of the kind it chose is made."""
    squad = sheet(profile={"W": 1}, count=2)
    units = [
        unit("a1", "A", [(20, 22), (20, 23.8)], squad, state=["battle-shocked"]),
        unit("b1", "B", [(20, 20)] if edition == "10e" else [(20, 19.2)]),
    ]
    battle = table(edition, "movement", units, dice=[1, 6])
    battle.play("select a1")
    battle.play("do fall_back")
    if edition == "10e":
        battle.play("move a1 a1#0:20,27 a1#1:20,28.6")
    battle.play("model a1#0")
    assert not battle.table.is_engaged(0)
    if edition == "11e":
        battle.play("move a1 a1#1:20,28.6")
    assert any(isinstance(e, Marked) and e.on == Did.FELL_BACK for _, e in battle.log)


def test_each_step_of_the_fight_begins_with_the_player_whose_turn_it_is_not(table: Start) -> None:
    """10e T-8.1: B had the last Fights First fight, and selects first among the rest all the same."""
    blade = weapon("blade", "Melee", A=1)
    plain: dict[str, Any] = {"weapons": [blade], "profile": {"W": 9}}
    swift = sheet(abilities=[{"name": "Fights First", "text": "Fights First"}], **plain)
    units = [
        unit("a1", "A", [(10, 10)], sheet(**plain)),
        unit("b1", "B", [(11.7, 10)], swift),
        unit("a2", "A", [(30, 30)], sheet(**plain)),
        unit("b2", "B", [(31.7, 30)], sheet(**plain)),
    ]
    battle = table("10e", "fight", units)
    while battle.state.phase == "fight":
        choices = [c for c in offered(battle) if c.startswith(("select", "declare"))]
        battle.play((choices or offered(battle))[0])
    order = [battle.table.name(e.unit) for _, e in battle.log if isinstance(e, Chosen) and e.act == "fight"]
    assert order[:2] == ["b1", "b2"]


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_unit_that_fits_is_deployed(edition: str) -> None:
    """Reserves are declared before; deployment itself puts nobody there (11e 20.01, 26.8; 10e T-9.2, T-15.1)."""
    armies = {"10e": ("Ranger post", "Strike group"), "11e": ("Kasrkin patrol", "Forge patrol")}[edition]
    battle = Battle.new(armies, edition=edition, seed=1)  # type: ignore[arg-type]
    while asked(battle) != "SetUpUnit":
        battle.play("pass" if asked(battle) == "PutUnit" else offered(battle)[0])
    reason = battle.why_not("pass")
    assert reason is not None
    assert reason.rule.startswith(edition)


def test_linchpin_gives_at_most_fifteen_a_turn() -> None:
    """10e T-15.5: the home marker and four others are worth 23, and 15 are scored."""
    battle = Battle.new(("Ranger post", "Strike group"), edition="10e", seed=1, mission=mission("Linchpin", "10e"))
    battle.state.round, battle.state.control = 2, (0,) * 5
    score(battle.table, "command", 0)
    assert battle.vp[0] == 15


@pytest.mark.parametrize(("name", "due"), [("Only War", (3, 0)), ("Take and Hold", (0, 15))])
def test_only_mission_packs_let_the_second_player_score_late(name: str, due: tuple[int, int]) -> None:
    """10e T-15.2 has the Command phase in every round; T-15.3 the end of the turn in the last."""
    battle = Battle.new(("Ranger post", "Strike group"), edition="10e", seed=1, mission=mission(name, "10e"))
    battle.state.first, battle.state.round, battle.state.control = 0, 5, (1,) * len(battle.state.control)
    got = []
    for when in ("command", "turn"):
        before = battle.vp[1]
        score(battle.table, when, 1)
        got.append(battle.vp[1] - before)
    assert tuple(got) == due


def test_a_charge_that_goes_nowhere_has_no_target(table: Start) -> None:
    """11e 11.04, 21.03: a 2 less 2 for the skies reaches nobody 5 inches away."""
    flier = sheet(keywords=["INFANTRY", "FLY"])
    battle = table("11e", "charge", [unit("a1", "A", [(20, 20)], flier), unit("b1", "B", [(27, 20)])], dice=[1, 1])
    battle.play("select a1")
    battle.play("do skies")
    assert faces(battle, "charge") == [1, 1]
    assert asked(battle) != "ChooseTargets"


def test_flames_are_not_fired_at_what_nobody_sees(table: Start) -> None:
    """10e W-INDIRECT: a [TORRENT] weapon cannot be fired indirectly."""
    wall = [[24, 0], [26, 0], [26, 44], [24, 44]]
    ruin = {"area": wall, "features": [{"kind": "ruins", "outline": wall, "height": 6}]}
    abilities = [{"name": "indirect fire"}, {"name": "torrent"}]
    for kept, targets in ((abilities, False), (abilities[:1], True)):
        lobbed = weapon("mortar", 36, abilities=[ability["name"] for ability in kept])
        units = [unit("a1", "A", [(18, 22)], sheet(weapons=[lobbed])), unit("b1", "B", [(32, 22)])]
        battle = table("10e", "shooting", units, terrain=[ruin])
        assert (battle.state.phase == "shooting") == targets


def test_the_core_mission_ends_with_an_army() -> None:
    """10e T-15.2: a destroyed army loses, whatever was scored; other missions are played to the end."""
    for name, over in (("Only War", True), ("Take and Hold", False)):
        battle = Battle.new(("Ranger post", "Strike group"), edition="10e", seed=1, mission=mission(name, "10e"))
        while battle.state.round < 1 or battle.state.phase != "movement":
            battle.play(offered(battle)[-1])
        turn = battle.state.turn
        battle.state.player[1 - turn, 1] = 9
        for place, definition in enumerate(battle.setting.units):
            if definition.player != turn:
                destroy_unit(battle.table, place, "test")
        for _ in range(40):
            if battle.over or battle.state.round > 1:
                break
            battle.play("pass" if battle.why_not("pass") is None else offered(battle)[0])
        assert battle.over == over
        assert battle.winner == (turn if over else None)


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_only_models_that_fly_fight_aircraft(table: Start, edition: str) -> None:
    """11e 23.04; 10e T-9.8."""
    plane = sheet(keywords=["VEHICLE", "FLY", "AIRCRAFT"], profile={"W": 9})
    for words, fight in ((["INFANTRY", "FLY"], True), (["INFANTRY"], False)):
        squad = sheet(keywords=words, profile={"W": 9})
        units = [unit("a1", "A", [(20, 20)], squad), unit("b1", "B", [(21.9, 20)], plane)]
        battle = table(edition, "fight", units)
        assert bool(fighters(battle.table, 0, 1)) == fight


def test_control_is_determined_before_what_else_happens_at_the_end_of_a_turn() -> None:
    """11e 14.02.01; in the 10th edition after it (T-3.1)."""
    names = {e: [name for name, _ in battle_rules(e).steps["end_of_turn"]] for e in ("10e", "11e")}  # type: ignore[arg-type]
    assert names["11e"][0] == "determine_control"
    assert names["10e"].index("determine_control") > names["10e"].index("coherency")


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_fights_have_a_moment_after_targets_are_selected(edition: str) -> None:
    """11e 04.02; 10e T-5.2, T-8.2: rules that answer being targeted may answer blows as well as shots."""
    steps = battle_rules(edition).steps["fight_unit"]  # type: ignore[arg-type]
    names = [name for name, _ in steps]
    assert names.index("targets_selected") == names.index("select_weapons_and_targets") + 1


def test_who_sets_up_a_titanic_unit_skips_the_next_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """11e 26; 10e T-15.3: A, then B twice, then A."""
    has = Table.has
    monkeypatch.setattr(Table, "has", lambda t, u, *words: (u == 0 and "TITANIC" in words) or has(t, u, *words))
    battle = Battle.new(("Ranger post", "Strike group"), edition="10e", seed=1)
    order = []
    while not battle.state.first and battle.state.round == 0 and len(order) < 4:
        if asked(battle) == "SetUpUnit":
            order.append("AB"[battle.to_choose])
        battle.play("pass" if asked(battle) == "PutUnit" else offered(battle)[0])
    assert "".join(order) == "ABBA"


def test_at_most_half_the_units_start_in_reserves() -> None:
    """10e T-9.3: half the units, however few points they are."""
    battle = Battle.new(("Ranger post", "Strike group"), edition="10e", seed=1)
    units = tuple(replace(u, points=500 if u.id == "b4" else 1) for u in battle.setting.units)
    battle = Battle(replace(battle.setting, units=units), fresh_state(battle.setting))
    battle.state_push("battle")
    battle.advance()
    battle.play("pass")
    assert battle.to_choose == 1
    first, second = [t for t in map(battle.table.name, battle.table.units(1, Where.UNDEPLOYED)) if t != "b4"]
    battle.play(f"put {first} in reserves")
    assert asked(battle) != "PutUnit"
    reason = may_start_in(battle.table, battle.setting.names[second], "reserves")
    assert reason is not None
    assert (reason.rule, reason.detail) == ("10e T-9.3", "2 of 3 units in reserves, at most half")


@pytest.mark.parametrize(("mode", "stationary"), [("ordered_retreat", True), ("desperate_escape", False)])
def test_a_fall_back_that_is_given_up_did_not_happen(table: Start, mode: str, stationary: bool) -> None:
    """11e 03.01, 09.07: nobody fell back and nobody is tested; what the hazard rolls cost is gone all the same."""
    units = [
        unit("a1", "A", [(20, 20), (20, 21.7)], sheet(profile={"W": 1}, count=2)),
        unit("b1", "B", [(22, 21.7)]),
        unit("a2", "A", [(5, 5)]),
    ]
    battle = table("11e", "movement", units, dice=[1, 6] if mode == "desperate_escape" else [])
    battle.play("select a1")
    battle.play("do fall_back")
    battle.play(f"do {mode}")
    if asked(battle) == "LoseModel":
        battle.play("model a1#0")
    battle.play("pass")
    assert battle.state.phase == "movement"
    assert not battle.state.did(0, Did.FELL_BACK)
    assert battle.state.did(0, Did.STATIONARY) == stationary
    assert faces(battle, "battle_shock") == []
    assert "already selected" in str(battle.why_not("select a1"))


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_what_of_a_mission_is_not_played_is_told(edition: str) -> None:
    armies = {"10e": ("Ranger post", "Strike group"), "11e": ("Kasrkin patrol", "Forge patrol")}[edition]
    battle = Battle.new(armies, edition=edition, seed=1)  # type: ignore[arg-type]
    assert f"{battle.setting.mission.name}: secondary missions" in battle.not_enforced()
