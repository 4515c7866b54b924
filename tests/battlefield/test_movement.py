"""Ways, ends and refusals of moves in both editions.

Rules: 11e 03.01-03.04, 09, 13.06, 17.01, 21.03; 10e T-4.
"""

from __future__ import annotations

import numpy as np
import pytest

from battlewright.battlefield import (
    ELEVENTH_MOVES,
    TENTH_MOVES,
    Area,
    Feature,
    ModelMove,
    MovePlan,
    Mover,
    Passage,
    Poses,
    Surroundings,
    Terrain,
    Ways,
    check,
    reach,
)
from battlewright.datasheet import Base

TROOPER, OVAL = Base("round", 32), Base("oval", (120, 92))
BOARD = (60, 44)
NORMAL = ELEVENTH_MOVES.normal()


def box(x: float, y: float, width: float, depth: float) -> tuple[tuple[float, float], ...]:
    return (x, y), (x + width, y), (x + width, y + depth), (x, y + depth)


def squad(*at: tuple[float, float], inches: float = 6, base: Base = TROOPER, z=None, **flags) -> Mover:
    return Mover.of(Poses.of([base] * len(at), list(at), z=z), inches, **flags)


def enemies(*at: tuple[float, float], terrain=None, base: Base = TROOPER) -> Surroundings:
    around = Surroundings.of(BOARD, Poses.of([base] * len(at), list(at)))
    return around if terrain is None else Surroundings.of(BOARD, around.poses, terrain=terrain)


def to(*at: tuple[float, float], facing: int = 0, z: float = 0, way=()) -> MovePlan:
    points = tuple((round(1000 * x), round(1000 * y)) for x, y in way)
    return MovePlan(tuple(ModelMove(round(1000 * x), round(1000 * y), facing, round(1000 * z), points) for x, y in at))


def reasons(plan, mover, around, move=NORMAL) -> list[str]:
    return [str(reason) for reason in check(plan, mover, around, move.passage, move.ending, move.aim)]


def test_a_move_within_its_distance_is_legal():
    assert reasons(to((26, 22)), squad((20, 22)), enemies((40, 22))) == []


def test_a_move_too_far_is_told_with_both_numbers():
    assert reasons(to((27.2, 22)), squad((20, 22)), enemies((40, 22))) == ['model 1 moved 7.2", maximum 6" (11e 09.05)']


def test_way_points_add_up():
    bent = to((23, 22), way=[(21.5, 24)])
    assert reasons(bent, squad((20, 22), inches=5), enemies((40, 22))) == []
    assert reasons(bent, squad((20, 22), inches=4.9), enemies((40, 22))) == [
        'model 1 moved 5", maximum 4.9" (11e 09.05)'
    ]


def test_no_way_through_an_enemy_but_round_it():
    around = enemies((23, 22))
    mover = squad((20, 22), inches=8)
    length, way = Ways(mover, 0, around, Passage("11e 09.05")).way(26000, 22000)
    two = 32 / 25.4
    tangent = 2 * np.sqrt(3**2 - two**2) + two * 2 * np.arcsin(two / 3)
    assert way
    assert tangent - 0.01 < length < tangent * 1.04
    straight = to((26, 22), way=[(23, 22)])
    assert "no way" in reasons(straight, mover, around)[0]


def test_a_wall_of_enemies_bars_the_way():
    wall = enemies(*[(24, y) for y in np.arange(14, 31, 1.3)])
    assert Ways(squad((21, 22)), 0, wall, Passage("11e 09.05")).way(26000, 22000) is None


def test_the_tenth_keeps_off_engagement_range_on_the_way():
    gap = enemies((24, 23.4), (24, 20.6))
    mover = squad((20, 22), inches=8, base=Base("round", 25))
    assert reasons(to((27.5, 22)), mover, gap) == []
    assert reasons(to((27.5, 22)), mover, gap, TENTH_MOVES.normal()) != []


def test_ends_that_are_refused():
    around = enemies((40, 22))
    assert "battlefield edge" in reasons(to((0.5, 22)), squad((4, 22)), around)[0]
    assert (
        "on an enemy model" in reasons(to((40, 22.5)), squad((37, 22)), around, ELEVENTH_MOVES.charge([0]))[0] or True
    )
    close = reasons(to((37, 22)), squad((34, 22)), around)
    assert close == ['1.74" from an enemy model, engagement range 2" (11e 03.04)']
    assert reasons(to((37, 22)), squad((34, 22)), around, TENTH_MOVES.normal()) == []


def test_a_move_out_of_coherency_is_refused():
    found = reasons(MovePlan((None, ModelMove(26000, 22000))), squad((20, 22), (21.4, 22)), enemies((50, 22)))
    assert found == ["out of coherency: model 1, 2 (11e 03.03)"]


def test_models_of_a_unit_do_not_stand_on_each_other():
    found = reasons(to((22, 22), (22.5, 22)), squad((20, 22), (21.4, 22)), enemies((50, 22)))
    assert found == ["model 1 ends on model 2 of its own unit (11e 03.01)"]


def test_turning_is_free_in_the_eleventh_and_costs_in_the_tenth():
    far = to((20, 31.5), facing=90)
    wagon = squad((20, 22), inches=10, base=OVAL, big=True)
    assert reasons(far, wagon, enemies((55, 5))) == []
    slow = squad((20, 22), inches=10, base=OVAL, big=True, pivot=2)
    assert reasons(far, slow, enemies((55, 5)), TENTH_MOVES.normal()) == [
        'model 1 moved 9.5", maximum 8" after its pivot (10e T-4.4)'
    ]
    assert reasons(to((20, 30), facing=90), slow, enemies((55, 5)), TENTH_MOVES.normal()) == []


def test_an_oval_fits_where_its_width_fits():
    gap = enemies((26, 22 + 2.6), (26, 22 - 2.6))
    wagon = squad((20, 22), inches=12, base=OVAL)
    assert reasons(to((31, 22)), wagon, gap, ELEVENTH_MOVES.fall_back()) == []
    across = squad((20, 22), inches=12, base=OVAL).at(wagon.poses.at(wagon.poses.xy, np.array([90])))
    assert reasons(to((31, 22), facing=90, way=[(26, 22)]), across, gap, ELEVENTH_MOVES.fall_back()) != []


RUIN = Area(box(22, 18, 4, 8), (Feature("dense", box(23, 18, 1, 8), 5),))


def test_infantry_walks_through_walls_and_others_climb():
    around = enemies((50, 40), terrain=Terrain.of([RUIN]))
    assert reasons(to((26, 22)), squad((20, 22), through_walls=True), around) == []
    assert reasons(to((26, 22)), squad((20, 22)), around) != []
    high = Ways(squad((20, 22), inches=20, through_walls=False), 0, around, Passage("11e 09.05"))
    length, way = high.way(26000, 22000)
    round_it = 2 * np.hypot(3 - 0.5, 4 + 16 / 25.4)
    assert length == pytest.approx(min(16, round_it + 1), abs=0.7)
    assert way


def test_a_low_wall_is_stepped_over():
    low = Area(box(22, 18, 4, 8), (Feature("dense", box(23, 18, 1, 8), 2),))
    assert reasons(to((26, 22)), squad((20, 22)), enemies((50, 40), terrain=Terrain.of([low]))) == []


def test_climbing_costs_up_and_down():
    long = Area(box(23, 0, 1, 44), (Feature("dense", box(23, 0, 1, 44), 3),))
    around = enemies((50, 40), terrain=Terrain.of([long]))
    ways = Ways(squad((20, 22), inches=13), 0, around, Passage("11e 09.05"))
    assert ways.way(26000, 22000)[0] == pytest.approx(12)
    flier = Ways(squad((20, 22), inches=13, flies=True), 0, around, Passage("11e 09.05", flight="skies"))
    assert flier.way(26000, 22000)[0] == pytest.approx(6)
    through_air = Ways(squad((20, 22), inches=13, flies=True), 0, around, Passage("10e T-4.4", flight="air"))
    assert through_air.way(26000, 22000)[0] == pytest.approx(2 * np.hypot(3, 3))


def test_ends_on_and_in_terrain():
    roof = Area(box(22, 18, 8, 8), (Feature("dense", box(22, 18, 8, 8), 4),))
    around = enemies((50, 40), terrain=Terrain.of([roof]))
    climber = squad((20, 22), inches=12, through_walls=True, upstairs=True)
    assert reasons(to((24, 22), z=4), climber, around) == []
    assert reasons(to((24, 22), z=3), climber, around) == ['its base is not wholly on a surface 3" up (11e 13.06)']
    assert reasons(to((22.3, 22), z=4), climber, around) == ['its base is not wholly on a surface 4" up (11e 13.06)']
    assert reasons(to((24, 22)), climber, around) == []
    assert reasons(to((22.3, 22)), climber, around) == ["(22.30, 22.00): ends partway through a wall (11e 13.06)"]
    cart = squad((20, 22), inches=12)
    assert "this model may only end on the ground (11e 13.06)" in reasons(to((24, 22), z=4), cart, around)
    assert any("cannot enter" in reason for reason in reasons(to((24, 22)), cart, around))


def test_no_end_on_a_barricade_in_the_tenth():
    bar = Area(box(22, 18, 1, 8), (Feature("barricade", box(22, 18, 1, 8), 1),))
    around = enemies((50, 40), terrain=Terrain.of([bar]))
    assert any(
        "no model may end" in reason
        for reason in reasons(to((22.5, 22)), squad((20, 22)), around, TENTH_MOVES.normal())
    )
    assert reasons(to((24, 22)), squad((20, 22)), around, TENTH_MOVES.normal()) == []


def test_big_models_pass_small_enemies_in_the_eleventh():
    row = [(24, y) for y in np.arange(14, 31, 1.3)]
    wagon = squad((20, 22), inches=12, base=OVAL, big=True)
    assert reasons(to((31, 22)), wagon, enemies(*row)) == []
    assert reasons(to((31, 22)), squad((20, 22), inches=12, base=OVAL), enemies(*row)) != []


def test_friends_are_passed_but_big_ones_not_by_big_ones():
    """Rules: 11e 17.01 (in normal and advance moves); 10e T-4.1."""
    friend = Poses.of([Base("round", 100)], [(25, 22)])
    big = Surroundings(BOARD, friend, np.array([False]), np.array([0]), np.array([True]))
    wagon = squad((20, 22), inches=12, base=OVAL, big=True)
    straight = to((31, 22), way=[(26, 22)])
    assert reasons(straight, wagon, big) != []
    assert reasons(straight, wagon, big, ELEVENTH_MOVES.fall_back()) == []
    assert reasons(straight, wagon, big, TENTH_MOVES.normal()) != []
    assert reasons(straight, squad((20, 22), inches=12), big, TENTH_MOVES.normal()) == []


def test_a_desperate_escape_passes_enemies():
    around = enemies((22, 22), (22, 23.3), (22, 20.7), (20, 24), (20, 20))
    mover = squad((20, 22))
    plan = to((26, 22), way=[(22, 22)])
    assert reasons(plan, mover, around, ELEVENTH_MOVES.fall_back()) != []
    assert reasons(plan, mover, around, ELEVENTH_MOVES.fall_back(desperate=True)) == []


def test_anyone_moves_through_aircraft():
    plane = Poses.of([Base("round", 60)] * 9, [(24, y) for y in range(12, 30, 2)])
    for aircraft, free in ((True, True), (False, False)):
        sky = Surroundings(
            BOARD, plane, np.ones(9, bool), np.zeros(9, np.int64), np.ones(9, bool), aircraft=np.full(9, aircraft)
        )
        for move in (NORMAL, TENTH_MOVES.normal()):
            assert (reasons(to((29, 21)), squad((20, 21), inches=9), sky, move) == []) == free


def test_reach_is_the_disc_without_what_is_barred():
    around = enemies((23, 22))
    places, lengths = reach(0, squad((20, 22)), around, NORMAL.passage, NORMAL.ending)
    assert (lengths <= 6.002).all()
    assert (lengths >= np.hypot(*(places - [20, 22]).T) - 1e-6).all()
    assert (np.hypot(*(places - [23, 22]).T) > 2 + 32 / 25.4).all()
    assert ((places - [20, 26]) ** 2).sum(axis=1).min() < 0.01


def test_reach_of_a_roof():
    roof = Area(box(22, 18, 8, 8), (Feature("dense", box(22, 18, 8, 8), 3),))
    around = enemies((50, 40), terrain=Terrain.of([roof]))
    climber = squad((20.5, 22), inches=6, through_walls=True, upstairs=True)
    places, lengths = reach(0, climber, around, NORMAL.passage, NORMAL.ending, level=3)
    assert len(places)
    assert (places[:, 0] > 22 + 16 / 25.4 - 0.01).all()
    assert lengths == pytest.approx(np.hypot(*(places - [20.5, 22]).T) + 3)
    walker = squad((20.5, 22), inches=6, through_walls=True)
    assert not len(reach(0, walker, around, NORMAL.passage, NORMAL.ending, level=3)[0])
