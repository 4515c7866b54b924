"""How long the table's questions take: distances, lines of sight, moves planned and checked.

    uv run python benchmarks/battlefield.py [--models 140] [--fast]

Figures are milliseconds of processor time a call (median, most), so a busy machine does not spoil them.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable

import numpy as np

from battlewright.battlefield import (
    ELEVENTH,
    ELEVENTH_MOVES,
    TENTH_MOVES,
    Intent,
    Mover,
    Poses,
    Scene,
    Surroundings,
    Table,
    Terrain,
    check,
    clearances,
    fast,
    gaps,
    layout,
    plan,
    set_up,
)
from battlewright.datasheet import Base

INFANTRY, TANK = Base("round", 32), Base("oval", (120, 92))


def timed(question: Callable[[], object], times: int = 5) -> list[float]:
    found = []
    for _ in range(times):
        start = time.process_time()
        question()
        found.append(1000 * (time.process_time() - start))
    return found


def tell(what: str, figures: list[float]) -> None:
    print(f"{what:44} {np.median(figures):8.2f} {max(figures):8.2f}")


def crowd(rng: np.random.Generator, units: int) -> tuple[Poses, np.ndarray]:
    """Units of ten in blocks, anywhere on the table."""
    at, unit = [], []
    for number in range(units):
        x, y = rng.uniform([3, 3], [50, 38])
        at += [(x + 1.5 * (i % 5), y + 1.5 * (i // 5)) for i in range(10)]
        unit += [number] * 10
    return Poses.of([INFANTRY] * len(at), at), np.array(unit)


def distances(rng: np.random.Generator, models: int) -> None:
    infantry = Poses.of([INFANTRY] * models, rng.uniform(0, 44, (models, 2)).tolist())
    tanks = Poses.of([TANK] * 10, rng.uniform(0, 44, (10, 2)).tolist(), facing=rng.integers(0, 360, 10).tolist())
    tell(f"gaps of {models} x {models} round bases", timed(lambda: gaps(infantry, infantry)))
    tell(f"gaps of 10 ovals x {models} round bases", timed(lambda: gaps(tanks, infantry)))
    tell("gaps of 10 x 10 ovals", timed(lambda: gaps(tanks, tanks)))


def sight(rng: np.random.Generator, models: int, terrain: Terrain) -> None:
    poses, unit = crowd(rng, models // 10)
    scene = Scene(Table(poses, unit), terrain, ELEVENTH.sight)
    seers, seen = list(range(10)), list(range(len(poses) // 2, len(poses)))
    tell("a scene laid out", timed(lambda: Scene(scene.table, terrain, scene.sight).visible([0], [1])))
    for name in ("visible", "fully", "clear"):
        tell(
            f"{name}: 10 x {len(seen)} of {len(poses)} models",
            timed(lambda name=name: getattr(scene, name)(seers, seen)),
        )


def moves(rng: np.random.Generator, models: int, terrain: Terrain, edition: str, times: int = 25) -> None:
    kit = ELEVENTH_MOVES if edition == "11e" else TENTH_MOVES
    figures: dict[str, list[float]] = {"march": [], "check": [], "charge": [], "set up": []}
    while len(figures["march"]) < times:
        poses, unit = crowd(rng, models // 10)
        mine = poses.take(unit == 0)
        if terrain.outlines.touching(mine).any():
            continue
        apart = clearances(mine, poses).min(axis=0)
        others = (unit > 0) & (apart > 2.1)
        enemy = unit[others] >= models // 20
        around = Surroundings(
            (60, 44), poses.take(others), enemy, unit[others], np.zeros(int(others.sum()), bool), terrain
        )
        mover, normal = Mover.of(mine, 6, through_walls=True), kit.normal()
        goal = tuple(rng.uniform([5, 5], [55, 39]).tolist())
        march = Intent("toward", (goal[0], goal[1]))
        figures["march"] += timed(lambda: plan(march, mover, around, normal.passage, normal.ending), 1)  # noqa: B023
        made = plan(march, mover, around, normal.passage, normal.ending)
        if made is not None:
            figures["check"] += timed(lambda: check(made, mover, around, normal.passage, normal.ending), 1)  # noqa: B023
        near = clearances(mine, around.enemies).min(axis=0)
        target = int(around.enemy_unit[near.argmin()])
        charge, runner = kit.charge([target]), Mover.of(mine, min(12, near.min() + 2), through_walls=True)
        engage = Intent("engage")
        figures["charge"] += timed(lambda: plan(engage, runner, around, charge.passage, charge.ending, charge.aim), 1)  # noqa: B023
        figures["set up"] += timed(lambda: set_up((30, 2), mover, around, kit.deep_strike()), 1)  # noqa: B023
    for name, found in figures.items():
        tell(f"{edition}: {name} of ten models among {models}", found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=140)
    parser.add_argument("--fast", action="store_true", help="compiled loops, where numba is installed")
    asked = parser.parse_args()
    os.environ["BATTLEWRIGHT_FAST"] = "0"
    if asked.fast and fast.load() is None:
        print("numba is not installed: plain numpy")
    rng = np.random.default_rng(1)
    terrain = Terrain.of(layout("11e", "ruined town"))
    print(f"{'':44} {'median':>8} {'most':>8}  ms")
    distances(rng, 150)
    sight(rng, asked.models, terrain)
    for edition in ("11e", "10e"):
        moves(rng, asked.models, Terrain.of(layout("11e" if edition == "11e" else "10e", "ruined town")), edition)


if __name__ == "__main__":
    main()
