"""Questions players ask, answered on the shared positions: the parts of them that are geometry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from battlewright.battlefield import (
    ELEVENTH_MOVES,
    TENTH_MOVES,
    Area,
    ModelMove,
    MovePlan,
    Mover,
    Poses,
    Scene,
    Surroundings,
    Table,
    Terrain,
    check,
    check_set_up,
    controllers,
    cover_from,
    distances,
    engaged,
    in_contact,
    in_range,
    levels,
    markers,
)
from battlewright.datasheet import Base


class Board:
    """A position of the shared set as poses, a unit at a time."""

    def __init__(self, position: dict[str, Any]) -> None:
        self.units = {unit["id"]: unit for unit in position["units"]}
        self.terrain = Terrain.of(msgspec.convert(position.get("terrain", []), list[Area]))
        self.objectives = markers([tuple(point) for point in position.get("objectives", [])])

    def base(self, unit: str) -> list[Base]:
        entries = self.units[unit]["datasheet"]["models"]
        bases = {entry["name"]: msgspec.convert(entry["base"], Base) for entry in entries}
        return [bases[model["name"]] for model in self.units[unit]["models"]]

    def poses(self, unit: str, *at: tuple[float, float]) -> Poses:
        places = list(at) or [tuple(model["at"]) for model in self.units[unit]["models"]]
        facing = [model.get("facing", 0) for model in self.units[unit]["models"]]
        return Poses.of(self.base(unit), places, facing=facing)

    def mover(self, unit: str, inches: float, **flags: bool) -> Mover:
        return Mover.of(self.poses(unit), inches, **flags)

    def around(self, *units: str) -> Surroundings:
        from battlewright.battlefield import joined

        poses = [self.poses(unit) for unit in units]
        owner = np.repeat(np.arange(len(units)), [len(part) for part in poses]).tolist()
        return Surroundings.of((60, 44), joined(*poses), units=owner, terrain=self.terrain)


@pytest.fixture(scope="session")
def board(shared: Path):
    puzzles = json.loads((shared / "puzzles-dev.json").read_text(encoding="utf-8"))["puzzles"]
    positions = {puzzle["id"]: puzzle["position"] for puzzle in puzzles}
    return lambda name: Board(positions[name])


def ends(*at: tuple[float, float], facing: int = 0) -> MovePlan:
    return MovePlan(tuple(ModelMove(round(1000 * x), round(1000 * y), facing) for x, y in at))


def test_a_charger_that_could_engage_must(board):
    table, move = board("11e-cha-03"), ELEVENTH_MOVES.charge([0])
    mover, around = table.mover("a1", 9), table.around("b1")
    kept_back = ends((24.9, 20), (24.9, 22), (22.4, 23.4))
    found = check(kept_back, mover, around, move.passage, move.ending, move.aim)
    assert [reason.rule for reason in found] == ["11e 11.04"]
    assert found[0].detail.startswith("model 3 could")
    assert check(ends((24.9, 20), (24.9, 22), (24.9, 24)), mover, around, move.passage, move.ending, move.aim) == []


def test_only_the_front_rank_is_engaged(board):
    table = board("11e-fig-06")
    near = engaged(table.poses("a1"), table.poses("b1"), *ELEVENTH_MOVES.numbers.engagement)
    assert near.any(axis=1).tolist() == [True, True, True, False, False]


def test_turning_costs_nothing(board):
    table, move = board("11e-mov-11"), ELEVENTH_MOVES.normal()
    turned = ends((20, 31.5), facing=90)
    assert check(turned, table.mover("a1", 10, big=True), table.around("b1"), move.passage, move.ending) == []


@pytest.mark.parametrize(("name", "near"), [("11e-obj-01", [(0, 2), (0, 1)]), ("11e-seed-06", None)])
def test_objectives_in_range(board, name, near):
    table = board(name)
    friends = in_range(table.poses("a1" if near else "o1"), table.objectives)
    foes = in_range(table.poses("b1"), table.objectives)
    if near is None:
        assert not friends.any()
        assert foes.all()
        return
    assert friends[:, 0].all()
    assert foes[:, 0].all()
    level = levels(np.concatenate([friends, foes]), np.array([2, 2, 4]), np.array([0, 0, 1]))
    shocked = in_range(table.poses("b2"), table.objectives)
    assert shocked[:, 1].all()
    assert level.tolist() == [[4, 4], [0, 0]]
    assert controllers(level, np.array([0, 0]), np.array([False, True])).tolist() == [-1, 0]


def test_a_contested_marker(board):
    table = board("10e-seed-22")
    foes = in_range(table.poses("b1"), table.objectives)
    assert foes.all()
    knight = np.array([[True]])
    level = levels(np.concatenate([knight, foes]), np.array([5, *[1] * len(foes)]), np.array([0, *[1] * len(foes)]))
    assert controllers(level, np.array([-1]), np.array([False])).tolist() == [-1]


def test_one_model_in_the_open_costs_the_unit_its_cover(board):
    from battlewright.battlefield import ELEVENTH, joined

    table = board("11e-vis-01")
    poses = joined(table.poses("a1"), table.poses("b1"))
    scene = Scene(Table(poses, np.array([0, 1, 1, 1])), table.terrain, ELEVENTH.sight)
    assert scene.visible([0], [1, 2, 3]).all()
    assert not cover_from(scene, [0], [1, 2, 3], np.ones(3, bool))[0]
    assert cover_from(scene, [0], [1, 2], np.ones(2, bool))[0]


def test_the_second_rank_fights_through_base_contact(board):
    table = board("10e-fig-04")
    unit, foe = table.poses("a1"), table.poses("b1")
    near = engaged(unit, foe, *TENTH_MOVES.numbers.engagement).any(axis=1)
    touching = in_contact(unit, foe).any(axis=1)
    chained = (in_contact(unit, unit) & touching & ~np.eye(3, dtype=bool)).any(axis=1)
    assert (near | chained).tolist() == [True, True, False]


def test_a_lone_operative_is_too_far_from_one_and_near_another(board):
    table = board("10e-sho-07")
    assert distances(table.poses("a1"), table.poses("b1"))[0, 0] == pytest.approx(14.7, abs=0.05)
    assert distances(table.poses("a2"), table.poses("b1"))[0, 0] <= 12


@pytest.mark.parametrize(("name", "moves"), [("11e-tra-01", ELEVENTH_MOVES), ("10e-tra-02", TENTH_MOVES)])
def test_a_squad_leaves_a_transport_that_moved(board, name, moves):
    table, normal = board(name), moves.normal()
    drive = ends((28, 22))
    transport = table.mover("t1", 10, big=True)
    assert check(drive, transport, table.around("b1"), normal.passage, normal.ending) == []
    there = drive.end(transport.poses)
    out = table.poses("a1", (31, 21), (31, 23))
    assert check_set_up(out, Mover.of(out, 6), table.around("b1"), moves.disembark(there)) == []
    too_far = table.poses("a1", (31, 21), (33, 22))
    assert check_set_up(too_far, Mover.of(too_far, 6), table.around("b1"), moves.disembark(there))


def test_a_squad_changes_transports(board):
    table, move = board("10e-tra-03"), TENTH_MOVES.normal()
    out = table.poses("a1", (23, 21.2), (23, 22.8))
    assert check_set_up(out, Mover.of(out, 6), table.around("b1"), TENTH_MOVES.disembark(table.poses("t1"))) == []
    walk = ends((25, 21.2), (25, 22.8))
    assert check(walk, Mover.of(out, 6), table.around("b1"), move.passage, move.ending) == []
    assert distances(walk.end(out), table.poses("t2")).max() <= 3


@pytest.mark.parametrize(("name", "moves"), [("11e-sho-02", ELEVENTH_MOVES), ("10e-sho-02", TENTH_MOVES)])
def test_who_is_locked_in_combat(board, name, moves):
    table = board(name)
    reach = moves.numbers.engagement
    assert engaged(table.poses("a1"), table.poses("b1"), *reach).any()
    assert not engaged(table.poses("a1"), table.poses("b2"), *reach).any()
    assert engaged(table.poses("a2"), table.poses("b3"), *reach).any()
