"""What a copy, a hash and a position cost on a table of 144 models or more.

    uv run python benchmarks/state.py [--times 2000]

Figures are milliseconds of processor time a call (best of five runs, so a busy machine does not spoil them).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any

from battlewright.battle.engine import Battle
from battlewright.effects import EditionId
from battlewright.players import player

MODELS = 144


def crowded(edition: EditionId) -> Battle:
    """A battle with its armies doubled until 144 models or more stand on the table."""
    battle = Battle.new(("Green tide", "Green tide"), edition=edition, seed=1)
    players = [player("greedy", 1), player("greedy", 2)]
    while battle.state.round < 1 or battle.state.phase != "movement":
        battle.play(players[battle.to_choose].choose(battle))
    plain = battle.position()
    units = list(plain["units"])
    while sum(len(unit["models"]) for unit in units) < MODELS:
        units += [_again(unit, len(units)) for unit in plain["units"]]
    return Battle.from_position({**plain, "units": units})


def _again(unit: dict[str, Any], number: int) -> dict[str, Any]:
    """The same unit once more, under another id."""
    other = {**unit, "id": f"{unit['id']}x{number}"}
    for name in ("embarked_in", "attached_to"):
        if other.get(name):
            other[name] = f"{other[name]}x{number}"
    if other.get("attached"):
        other["attached"] = [f"{name}x{number}" for name in other["attached"]]
    return other


def best(what: Callable[[], object], times: int) -> float:
    """Milliseconds of one call."""
    found = []
    for _ in range(5):
        start = process_time()
        for _ in range(times):
            what()
        found.append(1000 * (process_time() - start) / times)
    return min(found)


def report(times: int) -> None:
    """The figures of both editions, printed."""
    for edition in ("10e", "11e"):
        battle = crowded(edition)
        plain = battle.position()
        print(f"{edition}: {len(battle.setting.models)} models, {len(battle.setting.units)} units; ms a call")
        print(f"  state.copy()           {best(battle.state.copy, times):8.4f}")
        print(f"  battle.copy()          {best(battle.copy, times):8.4f}")
        print(f"  battle.hash()          {best(battle.hash, times):8.4f}")
        print(f"  battle.position()      {best(battle.position, max(times // 100, 1)):8.4f}")
        print(f"  Battle.from_position() {best(partial(Battle.from_position, plain), max(times // 1000, 1)):8.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=2000)
    report(parser.parse_args().times)
