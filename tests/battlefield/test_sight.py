"""Lines of sight: hidden by terrain and models, the editions' areas, and a sampled twin.

Rules: 11e 06.01, 13.08-13.11; 10e T-5.5, T-11.2, T-11.3.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from battlewright.battlefield import ELEVENTH, NO_TERRAIN, TENTH, Area, Feature, Poses, Scene, Table, Terrain
from battlewright.battlefield.shapes import MM
from battlewright.datasheet import Base

TROOPER = Base("round", 32)


def box(x: float, y: float, width: float, depth: float) -> tuple[tuple[float, float], ...]:
    return (x, y), (x + width, y), (x + width, y + depth), (x, y + depth)


def scene(at, *, units=None, terrain=NO_TERRAIN, numbers=ELEVENTH, z=None, heights=None, bases=None, **flags) -> Scene:
    poses = Poses.of(bases or [TROOPER] * len(at), at, z=z, heights=heights)
    unit = np.arange(len(at)) if units is None else np.array(units)
    return Scene(Table(poses, unit, **flags), terrain, numbers.sight)


def wall(*shape: float, kind="dense", height: float = 5, area=None) -> Area:
    """A feature that is its own area, far enough inside it not to matter."""
    return Area(area or box(*shape), (Feature(kind, box(*shape), height),))


def test_nothing_between_nothing_hidden():
    look = scene([(0, 0), (20, 0)])
    assert look.visible([0], [1]).all()
    assert look.fully([0], [1]).all()


def test_a_high_wall_hides_and_a_low_one_covers():
    for height, seen in ((5, False), (1, True)):
        look = scene([(0, 0), (20, 0)], terrain=Terrain.of([wall(9, -5, 1, 10, kind="ruins", height=height)]))
        assert look.visible([0], [1])[0, 0] == seen
        assert not look.fully([0], [1])[0, 0]
        assert not look.clear([0], [1])[0, 0]


def test_a_wall_end_leaves_part_of_a_model_in_view():
    look = scene([(0, 0), (20, 0)], terrain=Terrain.of([wall(9, -0.3, 1, 10, kind="barricade", height=5)]))
    assert look.visible([0], [1])[0, 0]
    assert not look.fully([0], [1])[0, 0]


def test_a_gap_of_a_millimetre_is_enough_and_less_is_not():
    base = [Base("round", 32)] * 2
    for gap, seen in ((1.3, True), (0.7, False)):
        sides = [
            wall(9, gap / 2 * MM, 2, 9, kind="barricade", height=5),
            wall(9, -9 - gap / 2 * MM, 2, 9, kind="barricade", height=5),
        ]
        look = scene([(0, 0), (20, 0)], bases=base, terrain=Terrain.of(sides))
        assert look.visible([0], [1])[0, 0] == seen


def test_other_units_hide_and_own_and_target_units_do_not():
    line = [(0, 0), (20, 0), *[(10, y) for y in np.arange(-6, 6.1, 1.0)]]
    row = len(line) - 2
    assert not scene(line).visible([0], [1])[0, 0]
    assert scene(line, units=[0, 1, *[0] * row]).visible([0], [1])[0, 0]
    target = [0, 1, *[1] * row]
    assert scene(line, units=target).visible([0], [1])[0, 0]
    assert scene(line, units=target).fully([0], [1])[0, 0]
    tenth = scene(line, units=target, numbers=TENTH)
    assert not tenth.visible([0], [1])[0, 0]
    assert tenth.fully([0], [1])[0, 0]


def test_a_tall_model_is_seen_over_a_crowd_but_not_wholly():
    line = [(0, 0), (20, 0), *[(10, y) for y in np.arange(-6, 6.1, 1.0)]]
    look = scene(line, heights=[1.5, 6.0] + [1.5] * (len(line) - 2))
    assert look.visible([0], [1])[0, 0]
    assert not look.fully([0], [1])[0, 0]


def test_from_a_high_floor_over_a_wall():
    low = Terrain.of([wall(15, -5, 1, 10, kind="barricade", height=3)])
    assert not scene([(0, 0), (20, 0)], terrain=low).visible([0], [1])[0, 0]
    assert scene([(0, 0), (20, 0)], z=[9, 0], terrain=low).visible([0], [1])[0, 0]


def test_obscuring_areas_of_the_eleventh():
    """13.10: hidden beyond the area, seen into it and out of it, though its feature is small."""
    area = Area(box(8, -6, 4, 12), (Feature("light", box(9, 5, 0.5, 0.5), 1),))
    terrain = Terrain.of([area])
    look = scene([(0, 0), (20, 0), (10, 0)], terrain=terrain)
    assert look.visible([0, 2], [1, 2]).tolist() == [[False, True], [True, True]]
    assert scene([(0, 0), (20, 0)], terrain=terrain, numbers=TENTH).visible([0], [1])[0, 0]


def test_an_area_of_exposed_features_hides_nothing():
    area = Area(box(8, -6, 4, 12), (Feature("exposed", box(9, -1, 2, 2)),))
    assert scene([(0, 0), (20, 0)], terrain=Terrain.of([area])).visible([0], [1])[0, 0]


def test_ruins_of_the_tenth():
    """T-11.3: nobody sees through; into it freely; out of it only from wholly within."""
    terrain = Terrain.of([Area(box(8, -6, 4, 12), (), "ruins")])
    look = scene([(0, 0), (20, 0), (10, 3), (8.1, -3)], terrain=terrain, numbers=TENTH)
    assert not look.visible([0], [1])[0, 0]
    assert look.visible([0], [2, 3]).all()
    assert look.visible([2], [0, 1]).all()
    assert not look.visible([3], [1])[0, 0]
    high = scene([(0, 0), (20, 0), (8.1, 0)], terrain=terrain, numbers=TENTH, towering=np.array([False, False, True]))
    assert high.visible([2], [1])[0, 0]
    flyer = scene([(0, 0), (20, 0)], terrain=terrain, numbers=TENTH, aircraft=np.array([False, True]))
    assert flyer.visible([0, 1], [0, 1]).all()


def test_the_front_of_a_base_partly_in_a_ruin_sees_what_is_before_it():
    """T-11.3: only what is seen through the ruin is hidden: a line from the part outside it does not cross it."""
    terrain = Terrain.of([Area(box(8, -6, 4, 12), (), "ruins")])
    look = scene([(11.6, 0), (20, 0), (0, 0)], terrain=terrain, numbers=TENTH)
    assert look.visible([0], [1, 2]).tolist() == [[True, False]]


def test_woods_of_the_tenth_never_show_anyone_fully():
    terrain = Terrain.of([Area(box(8, -6, 4, 12), (Feature("woods", box(8, -6, 4, 12)),))])
    look = scene([(0, 0), (20, 0), (10, 3)], terrain=terrain, numbers=TENTH)
    assert look.visible([0], [1, 2]).all()
    assert not look.fully([0], [1, 2]).any()
    assert look.fully([2], [0, 1]).all()


def test_detection_hides_what_is_far():
    look = scene([(0, 0), (14, 3), (20, 0)])
    assert look.visible([0], [1, 2], detection=np.array([15.0, 15.0])).tolist() == [[True, False]]
    assert look.visible([0], [1, 2], detection=np.array([15.0, np.inf])).all()


def test_what_would_be_seen_from_elsewhere():
    look = scene([(0, 0), (20, 0)], terrain=Terrain.of([wall(9, -5, 1, 10, kind="ruins", height=5)]))
    assert not look.visible([0], [1])[0, 0]
    there = look.moved([0], Poses.of([TROOPER], [(0, 12)]))
    assert there.visible([0], [1])[0, 0]
    assert not look.visible([0], [1])[0, 0]


def test_ovals_and_hulls_hide_as_wide_as_they_stand():
    tank = Base("hull", ((0, 0), (200, 0), (200, 60), (0, 60)))
    at = [(0, 0), (20, 0), (10, 0)]
    for facing, seen in ((0, True), (90, False)):
        poses = Poses.of([TROOPER, TROOPER, tank], at, facing=[0, 0, facing], heights=[1.5, 1.5, 3])
        wide = Scene(
            Table(poses.at(poses.xy + np.array([[0, 0], [0, 0], [0, 1900]])), np.arange(3)), NO_TERRAIN, ELEVENTH.sight
        )
        assert wide.visible([0], [1])[0, 0] == seen
        assert wide.visible([0], [2])[0, 0]


PLACE = st.tuples(st.floats(4, 16), st.floats(-5, 5))


def free_line(poses: Poses, blockers: list[int], walls, wide: float, count: int) -> bool:
    """The twin: many lines from across one base to across the other, ``wide`` inches of them kept free, seen from above."""
    from shapely.geometry import LineString, Point, Polygon
    from shapely.ops import unary_union

    things = [Point(*poses.inches[row]).buffer(poses.half[row, 0], quad_segs=32) for row in blockers]
    things += [Polygon(outline) for outline in walls]
    if not things:
        return True
    whole = unary_union(things).buffer(wide / 2)
    ahead = poses.inches[1] - poses.inches[0]
    side = np.array([ahead[1], -ahead[0]]) / np.hypot(*ahead)
    across = np.linspace(-1, 1, count)
    for p in across:
        for q in across:
            start = poses.inches[0] + side * p * (poses.half[0, 0] - MM / 2)
            end = poses.inches[1] + side * q * (poses.half[1, 0] - MM / 2)
            if not LineString([start, end]).intersects(whole):
                return True
    return False


@given(st.lists(PLACE, max_size=5), st.lists(PLACE, max_size=2))
@settings(max_examples=60, deadline=None)
def test_sight_agrees_with_many_sampled_lines(models, corners):
    at = [(0.0, 0.0), (20.0, 0.0), *models]
    walls = [box(x, y, 1.0, 2.5) for x, y in corners]
    bases = [TROOPER, TROOPER, *[Base("round", 60)] * len(models)]
    terrain = Terrain.of(
        [Area(box(0, 30, 1, 1), tuple(Feature("ruins", outline, 5) for outline in walls))] if walls else []
    )
    look = scene(at, bases=bases, terrain=terrain, heights=[2.0] * len(at), numbers=ELEVENTH)
    poses = look.table.poses
    if terrain.outlines.touching(poses)[:2].any() or (np.hypot(*(poses.inches[2:] - poses.inches[1]).T) < 2).any():
        return
    seen = look.visible([0], [1])[0, 0]
    assert seen == look.visible([1], [0])[0, 0]
    others = list(range(2, len(at)))
    if free_line(poses, others, walls, 5 * MM, 25):
        assert seen
    if seen:
        assert free_line(poses, others, walls, 0.0, 65)
