"""Compiled loops and plain numpy agree (where numba is installed)."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from battlewright.battlefield import ELEVENTH, TENTH, Area, Feature, Poses, Scene, Table, Terrain, clearances, fast
from battlewright.battlefield.measure import swept
from battlewright.datasheet import Base

needs_numba = pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="numba is not installed")
HULL = Base("hull", ((0, 0), (150, 0), (150, 60), (60, 90), (0, 60)))


@pytest.fixture
def plain_and_fast():
    def both(question):
        fast.unload()
        plain = question()
        assert fast.load() is not None
        try:
            return plain, question()
        finally:
            fast.unload()

    yield both
    fast.unload()


def crowd(seed: int, count: int) -> Poses:
    rng = np.random.default_rng(seed)
    kinds = [Base("round", 32), Base("round", 60), Base("oval", (120, 92)), Base("oval", (75, 42)), HULL]
    bases = [kinds[i] for i in rng.choice(5, count, p=[0.6, 0.1, 0.1, 0.1, 0.1])]
    return Poses.of(bases, rng.uniform(2, 42, (count, 2)).tolist(), facing=rng.integers(0, 360, count).tolist())


@needs_numba
def test_distances_agree(plain_and_fast):
    poses = crowd(1, 40)
    plain, compiled = plain_and_fast(lambda: clearances(poses, poses))
    np.testing.assert_allclose(plain, compiled, atol=1e-9)


@needs_numba
def test_sweeps_agree(plain_and_fast):
    poses, to = crowd(2, 20), crowd(3, 20)
    plain, compiled = plain_and_fast(lambda: swept(poses, to.xy, to))
    np.testing.assert_allclose(plain, compiled, atol=1e-9)


@needs_numba
@pytest.mark.parametrize("numbers", [ELEVENTH, TENTH], ids=["11e", "10e"])
@pytest.mark.parametrize("seed", range(6))
def test_lines_of_sight_agree(plain_and_fast, numbers, seed):
    rng = np.random.default_rng(seed)
    poses = crowd(seed, 60)
    areas = []
    for x, y in rng.uniform(3, 38, (6, 2)):
        wall = ((x, y), (x + 4, y), (x + 4, y + 0.5), (x, y + 0.5))
        areas.append(
            Area(((x - 1, y - 1), (x + 5, y - 1), (x + 5, y + 2), (x - 1, y + 2)), (Feature("ruins", wall, 4),))
        )
    scene = Scene(Table(poses, np.arange(60) // 5), Terrain.of(areas), numbers.sight)
    rows, columns = list(range(20)), list(range(20, 60))
    for question in (scene.visible, scene.fully, scene.clear):
        plain, compiled = plain_and_fast(lambda question=question: question(rows, columns))
        assert (plain == compiled).all()
        assert 0 < plain.mean() < 1


def test_the_loops_agree_even_uncompiled():
    """The same functions run as plain Python where numba is missing: slow, but the sums can be compared anywhere."""
    from battlewright.battlefield.compiled import LOOPS

    poses = crowd(5, 8)
    fast.unload()
    plain = clearances(poses, poses)
    fast._state.update(loops=LOOPS)
    try:
        np.testing.assert_allclose(plain, clearances(poses, poses), atol=1e-9)
    finally:
        fast.unload()


def test_without_numba_numpy_goes_on(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "numba", None)
    fast.unload()
    assert fast.load() is None
    assert fast.loops(10**9) is None
    fast.unload()


def test_little_work_loads_nothing(monkeypatch):
    monkeypatch.delenv("BATTLEWRIGHT_FAST", raising=False)
    fast.unload()
    assert fast.loops(10) is None
    monkeypatch.setenv("BATTLEWRIGHT_FAST", "0")
    assert fast.loops(10**9) is None
    fast.unload()
