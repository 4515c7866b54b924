"""Whole battles as text: every decision, answer, die and point as it was when last read in review."""

from __future__ import annotations

import sys
from itertools import zip_longest
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from playthrough import FOLDER, PLAYED, playthrough


@pytest.mark.parametrize("edition", list(PLAYED))
def test_the_battle_goes_as_it_was_read(edition: str) -> None:
    kept = (FOLDER / f"{edition}.txt").read_text(encoding="utf-8").splitlines()
    for number, (now, then) in enumerate(zip_longest(playthrough(edition), kept), start=1):
        assert now == then, f"line {number}; renew with: uv run python tests/battle/playthrough.py"
