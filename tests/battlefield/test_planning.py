"""Plans pass their own check: marching, charging, piling in, setting up, at random and in worked positions.

Rules: 11e 03, 09, 11.04, 12.03, 12.08, 18.04, 20.04; 10e T-4, T-7.2, T-8.2, T-9.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battlewright.battlefield import (
    ELEVENTH,
    ELEVENTH_MOVES,
    TENTH_MOVES,
    Area,
    Feature,
    Intent,
    ModelMove,
    MovePlan,
    Mover,
    Poses,
    Surroundings,
    Terrain,
    area_pose,
    check,
    check_set_up,
    clearances,
    coherent,
    gaps,
    in_contact,
    markers,
    plan,
    set_up,
)
from battlewright.battlefield.checking import check_way
from battlewright.battlefield.measure import swept
from battlewright.datasheet import Base

TROOPER, TANK = Base("round", 32), Base("oval", (120, 92))
BOARD = (60, 44)
EDITIONS = pytest.mark.parametrize("moves", [ELEVENTH_MOVES, TENTH_MOVES], ids=["11e", "10e"])


def box(x: float, y: float, width: float, depth: float) -> tuple[tuple[float, float], ...]:
    return (x, y), (x + width, y), (x + width, y + depth), (x, y + depth)


def block(count: int, x: float, y: float, base: Base = TROOPER, step: float = 1.5) -> Poses:
    return Poses.of([base] * count, [(x + step * (i % 2), y + step * (i // 2)) for i in range(count)])


def legal(found, mover, around, move) -> bool:
    return found is not None and not check(found, mover, around, move.passage, move.ending, move.aim)


@EDITIONS
def test_a_march_in_the_open_keeps_the_formation(moves):
    mover = Mover.of(block(10, 10, 10), 6)
    around = Surroundings.of(BOARD, block(5, 40, 30))
    move = moves.normal()
    found = plan(Intent("toward", (40, 12)), mover, around, move.passage, move.ending)
    assert legal(found, mover, around, move)
    assert (found.end(mover.poses).xy - mover.poses.xy)[:, 0].min() > 5900


@EDITIONS
def test_a_march_at_the_enemy_stops_short_of_it(moves):
    mover = Mover.of(block(6, 10, 10), 6)
    around = Surroundings.of(BOARD, block(5, 18, 10))
    move = moves.normal()
    found = plan(Intent("toward", (18, 11)), mover, around, move.passage, move.ending)
    assert legal(found, mover, around, move)
    assert gaps(found.end(mover.poses), around.enemies).min() > move.ending.engagement[0]


def test_a_bent_way_is_told_by_its_way_points():
    mover = Mover.of(Poses.of([TROOPER], [(20, 20)]), 12)
    wall = [(24, y) for y in np.arange(17.5, 24, 1.3)]
    around = Surroundings.of(BOARD, Poses.of([TROOPER] * len(wall), wall))
    move = ELEVENTH_MOVES.fall_back()
    found = plan(Intent("toward", (29, 20)), mover, around, move.passage, move.ending)
    assert legal(found, mover, around, move)
    assert found.models[0].x > 26000
    assert found.models[0].way


@EDITIONS
def test_a_charge_touches_its_target(moves):
    mover = Mover.of(block(5, 20, 20), 8)
    around = Surroundings.of(BOARD, block(5, 27, 20))
    move = moves.charge([0])
    found = plan(Intent("engage"), mover, around, move.passage, move.ending, move.aim)
    assert legal(found, mover, around, move)
    assert in_contact(found.end(mover.poses), around.enemies).any()


@EDITIONS
def test_a_charge_too_short_is_no_move(moves):
    mover = Mover.of(block(5, 20, 20), 3)
    around = Surroundings.of(BOARD, block(5, 30, 20))
    move = moves.charge([0])
    assert plan(Intent("engage"), mover, around, move.passage, move.ending, move.aim) is None


@EDITIONS
def test_a_charge_engages_every_target(moves):
    mover = Mover.of(Poses.of([TROOPER] * 4, [(20, 20), (20, 21.5), (20, 23), (20, 24.5)]), 9)
    foes = Poses.of([TROOPER] * 4, [(26, 18), (26, 19.5), (26, 25.5), (26, 27)])
    around = Surroundings.of(BOARD, foes, units=[3, 3, 4, 4])
    move = moves.charge([3, 4])
    found = plan(Intent("engage"), mover, around, move.passage, move.ending, move.aim)
    assert legal(found, mover, around, move)


def test_a_charge_keeps_off_other_units():
    mover = Mover.of(Poses.of([TROOPER], [(20, 20)]), 9)
    foes = Poses.of([TROOPER, TROOPER], [(26, 20), (26, 23)])
    around = Surroundings.of(BOARD, foes, units=[3, 4])
    move = ELEVENTH_MOVES.charge([3])
    found = plan(Intent("engage"), mover, around, move.passage, move.ending, move.aim)
    assert legal(found, mover, around, move)
    assert gaps(found.end(mover.poses), foes)[0, 1] > 2


@EDITIONS
def test_pile_in_brings_everyone_who_can_nearer(moves):
    mover = Mover.of(Poses.of([TROOPER] * 3, [(20, 20), (18.6, 20), (18.6, 21.5)]), 3)
    around = Surroundings.of(BOARD, Poses.of([Base("round", 60)], [(22, 20)]), units=[7])
    move = moves.pile_in([7])
    found = plan(Intent("engage"), mover, around, move.passage, move.ending, move.aim)
    assert legal(found, mover, around, move)
    after = gaps(found.end(mover.poses), around.enemies)
    before = gaps(mover.poses, around.enemies)
    assert (after[list(found.moved)] < before[list(found.moved)]).all()
    assert len(found.moved) >= 2


def test_models_in_contact_stay_in_a_pile_in():
    apart = (16 + 30) / 25.4
    mover = Mover.of(Poses.of([TROOPER, TROOPER], [(22 - apart, 20), (19, 21.4)]), 3)
    around = Surroundings.of(BOARD, Poses.of([Base("round", 60)], [(22, 20)]), units=[7])
    move = ELEVENTH_MOVES.pile_in([7])
    pushed = MovePlan((ModelMove(20200, 20500), None))
    found = check(pushed, mover, around, move.passage, move.ending, move.aim)
    assert any(reason.rule == "11e 12.03" and "base contact" in reason.detail for reason in found)


def test_consolidating_to_an_objective():
    mover = Mover.of(block(3, 20, 20), 3)
    around = Surroundings.of(BOARD, Poses.of([TROOPER], [(50, 40)]), units=[7])
    move = ELEVENTH_MOVES.consolidate_objective(markers([(27, 20)]))
    found = plan(Intent("engage"), mover, around, move.passage, move.ending, move.aim)
    assert legal(found, mover, around, move)
    assert gaps(found.end(mover.poses), markers([(27, 20)])).min() <= 3


def test_consolidating_into_a_terrain_objective():
    terrain = Terrain.of([Area(box(24, 18, 6, 5))])
    mover = Mover.of(Poses.of([TROOPER] * 3, [(20.5, 20), (20.5, 21.5), (19, 20.7)]), 3)
    around = Surroundings.of(BOARD, Poses.of([TROOPER], [(50, 40)]), units=[7], terrain=terrain)
    move = ELEVENTH_MOVES.consolidate_objective(area_pose(terrain, 0), inches=0)
    found = plan(Intent("engage"), mover, around, move.passage, move.ending, move.aim)
    assert legal(found, mover, around, move)
    assert (terrain.ground.clearances(found.end(mover.poses))[:2, 0] <= 0.003).all()
    far = MovePlan((ModelMove(21000, 20000), None, None))
    assert any(
        "not within" in reason.detail for reason in check(far, mover, around, move.passage, move.ending, move.aim)
    )


def test_a_model_that_could_have_engaged_must():
    """11.04: the third model stays back although it could come within 1" of the target."""
    mover = Mover.of(Poses.of([TROOPER] * 3, [(20, 20), (20, 22), (20, 24)]), 9)
    around = Surroundings.of(BOARD, Poses.of([TROOPER] * 3, [(26.5, 20), (26.5, 22), (26.5, 24)]), units=[1, 1, 1])
    move = ELEVENTH_MOVES.charge([1])

    def ends(*at):
        made = MovePlan(tuple(ModelMove(round(1000 * x), round(1000 * y)) for x, y in at))
        return check(made, mover, around, move.passage, move.ending, move.aim)

    back = ends((24.9, 20), (24.9, 22), (22.4, 23.4))
    assert [reason.rule for reason in back] == ["11e 11.04"]
    assert 'model 3 could end within 1"' in back[0].detail
    assert ends((24.9, 20), (24.9, 22), (24.9, 24)) == []


@EDITIONS
def test_falling_back_gets_away(moves):
    mover = Mover.of(block(5, 20, 20), 6)
    around = Surroundings.of(BOARD, Poses.of([TROOPER] * 3, [(22.9, 20), (22.9, 21.5), (22.9, 23)]))
    move = moves.fall_back()
    found = plan(Intent("away", (23, 21)), mover, around, move.passage, move.ending)
    assert legal(found, mover, around, move)
    assert gaps(found.end(mover.poses), around.enemies).min() > 4


@EDITIONS
def test_setting_up_in_a_zone(moves):
    mover = Mover.of(block(10, 0, 0), 6)
    around = Surroundings.of(BOARD, block(5, 40, 30))
    ending = moves.deploy(box(0, 0, 12, 44))
    end = set_up((6, 20), mover, around, ending)
    assert end is not None
    assert check_set_up(end, mover, around, ending) == []
    assert (end.inches[:, 0] < 12).all()


@EDITIONS
def test_arriving_from_reserves_keeps_its_distance(moves):
    mover = Mover.of(block(5, 0, 0), 6)
    around = Surroundings.of(BOARD, block(20, 25, 15))
    for ending in (moves.deep_strike(), moves.ingress()):
        end = set_up((28, 20), mover, around, ending)
        assert end is not None
        assert check_set_up(end, mover, around, ending) == []
        assert gaps(end, around.enemies).min() > moves.numbers.set_up_from_enemies


def test_disembarking_around_a_transport():
    transport = Poses.of([Base("round", 100)], [(28, 22)])
    around = Surroundings(BOARD, transport, np.array([False]), np.array([1]), np.array([True]))
    mover = Mover.of(block(10, 0, 0), 6)
    ending = ELEVENTH_MOVES.disembark(transport)
    end = set_up((31, 22), mover, around, ending)
    assert end is not None
    assert check_set_up(end, mover, around, ending) == []
    far = end.at(end.xy + np.array([4000, 0]))
    assert {reason.rule for reason in check_set_up(far, mover, around, ending)} == {"11e 18.04"}


def test_no_room_to_set_up_is_none():
    mover = Mover.of(block(10, 0, 0), 6)
    assert (
        set_up((1, 1), mover, Surroundings.of(BOARD, block(2, 40, 40)), ELEVENTH_MOVES.deploy(box(0, 0, 3, 3))) is None
    )


PLACE = st.tuples(st.floats(14, 34), st.floats(10, 30))
WALLS = [
    Area(outline, (Feature("dense", outline, height),))
    for outline, height in ((box(20, 14, 6, 1), 5), (box(30, 18, 1, 6), 3))
]


@st.composite
def battles(draw):
    count = draw(st.integers(1, 7))
    base = draw(st.sampled_from([TROOPER, TROOPER, Base("round", 60), TANK]))
    step = 2 * max(Poses.of([base], [(0, 0)]).reach) + 0.3
    unit = block(count, draw(st.floats(12, 20)), draw(st.floats(12, 20)), base, step)
    foes, units = [], []
    for place in draw(st.lists(PLACE, min_size=1, max_size=9)):
        one = Poses.of([TROOPER], [place])
        if clearances(one, unit).min() > 2.2 and all(np.hypot(place[0] - x, place[1] - y) > 1.3 for x, y in foes):
            foes.append(place)
            units.append(len(foes) % 2)
    walls = draw(st.booleans())
    terrain = Terrain.of(WALLS if walls else [])
    if terrain.features and (terrain.outlines.touching(unit).any()):
        terrain = Terrain.of([])
    around = Surroundings.of(BOARD, Poses.of([TROOPER] * len(foes), foes), units=units, terrain=terrain)
    return Mover.of(unit, draw(st.floats(2, 12)), through_walls=draw(st.booleans()), big=base == TANK), around


@EDITIONS
@given(battles(), PLACE)
@settings(max_examples=40, deadline=None)
def test_every_march_passes_its_check(moves, battle, point):
    mover, around = battle
    if not coherent(mover.poses, moves.numbers.coherency):
        return
    move = moves.normal()
    found = plan(Intent("toward", point), mover, around, move.passage, move.ending)
    assert found is not None
    assert check(found, mover, around, move.passage, move.ending) == []


@EDITIONS
@given(battles(), st.sampled_from([{0}, {1}, {0, 1}]))
@settings(max_examples=40, deadline=None)
def test_every_charge_passes_its_check(moves, battle, targets):
    mover, around = battle
    move = moves.charge(targets)
    found = plan(Intent("engage"), mover, around, move.passage, move.ending, move.aim)
    if found is not None:
        assert check(found, mover, around, move.passage, move.ending, move.aim) == []


@given(battles(), PLACE)
@settings(max_examples=60, deadline=None)
def test_no_way_crosses_an_enemy_base(battle, point):
    from battlewright.battlefield import Ways

    mover, around = battle
    passage = ELEVENTH_MOVES.fall_back().passage
    found = Ways(mover, 0, around, passage).way(round(point[0] * 1000), round(point[1] * 1000))
    if found is None or not len(around.enemies):
        return
    length, way = found
    assert length <= mover.limit[0] / 1000 + 0.01
    here = mover.poses.take([0])
    for stop in [*way, (round(point[0] * 1000), round(point[1] * 1000))]:
        assert swept(here, np.array([stop]), around.enemies).min() > -0.003
        here = here.at(np.array([stop]))
    made = MovePlan((ModelMove(*stop, int(here.facing[0]), 0, tuple(way)), *[None] * (len(mover) - 1)))
    assert check_way(made, 0, mover, around, passage) == []


def test_a_charge_is_completed_over_a_barricade():
    """T-11.4: no room to come within 1", but within 2" of an enemy on the other side."""
    bar = Area(box(24, 10, 0.6, 24), (Feature("barricade", box(24, 10, 0.6, 24), 1),))
    foe = Poses.of([TROOPER], [(24.6 + 0.2 + 16 / 25.4, 20)])
    around = Surroundings.of(BOARD, foe, units=[3], terrain=Terrain.of([bar]))
    mover = Mover.of(Poses.of([TROOPER], [(19, 20)]), 5)
    move = TENTH_MOVES.charge([3])
    here = MovePlan((ModelMove(round(1000 * (24 - 0.25 - 16 / 25.4)), 20000),))
    assert gaps(here.end(mover.poses), foe)[0, 0] > 1
    assert check(here, mover, around, move.passage, move.ending, move.aim) == []
    open_ground = Surroundings.of(BOARD, foe, units=[3])
    assert check(here, mover, open_ground, move.passage, move.ending, move.aim)


def test_no_base_ends_on_a_raised_marker():
    move = TENTH_MOVES.normal().ending_where(clear_of=markers([(24, 20)]))
    mover = Mover.of(Poses.of([TROOPER], [(20, 20)]), 6)
    around = Surroundings.of(BOARD, Poses.of([TROOPER], [(50, 20)]))
    on = check(MovePlan((ModelMove(24500, 20000),)), mover, around, move.passage, move.ending)
    assert [reason.detail for reason in on] == ["(24.50, 20.00) is on an objective marker"]
    assert check(MovePlan((ModelMove(25900, 20000),)), mover, around, move.passage, move.ending) == []


def test_coherency_is_the_editions_own():
    assert ELEVENTH.coherency.far == 9
