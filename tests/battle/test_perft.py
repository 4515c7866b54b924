"""The counts of choices are what they were; a mismatch prints the counts a choice."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from battlewright.battle.engine import Battle
from perft import FOLDER, by_choice, scenarios

KEPT = dict(line.split(": ") for line in (FOLDER / "small.txt").read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("name", list(KEPT))
def test_the_ways_to_go_on_are_counted(name: str) -> None:
    counts = by_choice(Battle.from_position(scenarios()[name]), 3)
    assert counts.total() == int(KEPT[name]), dict(counts)
