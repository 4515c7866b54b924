"""Counts of choices: how many ways a position can go on, so many answers deep. Renewed by running this file."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from battlewright.battle.engine import Battle
from conftest import sheet, unit, weapon

FOLDER = Path(__file__).parent.parent / "perft"
GUN, SWORD = weapon("gun"), weapon("sword", "Melee")


def scenarios() -> dict[str, dict]:
    """Positions with few units, each about one part of the turn."""
    squads = [
        unit("a1", "A", [(20, 22), (20, 24)]),
        unit("a2", "A", [(20, 30)], sheet(weapons=[weapon("pistol", 12, abilities=["pistol"]), SWORD])),
        unit("b1", "B", [(30, 22), (30, 24)]),
        unit("b2", "B", [(24, 31)]),
    ]
    near = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(21.8, 22)]), unit("b2", "B", [(20, 23.8)])]
    found = {}
    for edition in ("10e", "11e"):
        for phase in ("movement", "shooting", "charge"):
            found[f"{edition} {phase}"] = {"edition": edition, "phase": phase, "units": squads, "round": 2, "seed": 3}
        found[f"{edition} fight"] = {"edition": edition, "phase": "fight", "units": near, "round": 2, "seed": 3}
    return found


def count(battle: Battle, depth: int) -> int:
    """The number of ways to answer ``depth`` times; of endless decisions only the first three candidates."""
    return sum(by_choice(battle, depth).values())


def by_choice(battle: Battle, depth: int) -> Counter[str]:
    """The same, by first answer."""
    found: Counter[str] = Counter()
    if battle.over:
        return found
    assert battle.decision is not None
    most = 3 if battle.decision.region else None
    for choice in islice(battle.legal_choices(), most):
        if depth == 1:
            found[str(choice)] = 1
            continue
        after = battle.copy()
        after.play(choice)
        found[str(choice)] = count(after, depth - 1)
    return found


def lines(depth: int = 3) -> list[str]:
    return [f"{name}: {count(Battle.from_position(position), depth)}" for name, position in scenarios().items()]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "small.txt").write_text("\n".join(lines()) + "\n", encoding="utf-8")
