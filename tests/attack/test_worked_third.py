"""The third worked number of the speed list: a blast at ten models and a character."""

from __future__ import annotations

import pytest

from battlewright.attack.answer import answer
from battlewright.attack.request import read


def test_blast_at_ten_and_a_character() -> None:
    """11 attacks at the most cannot reach beyond the bodies often; the mean of models slain is 3.34338."""
    gun = {
        "A": "D6+3",
        "skill": 4,
        "S": 8,
        "AP": -1,
        "D": "D3",
        "blast": True,
        "devastating": True,
        "twin_linked": True,
    }
    bodies = {"models": 10, "T": 4, "W": 1, "Sv": 4, "FNP": 6}
    captain = {"models": 1, "T": 4, "W": 4, "Sv": 3, "InSv": 4, "character": True}
    found = answer(
        read(
            {
                "edition": "10e",
                "attack": {"weapons": [gun | {"anti": {"INFANTRY": 4}}]},
                "target": {"groups": [bodies, captain], "keywords": ["INFANTRY"]},
            }
        )
    )
    assert found.slain.mean == pytest.approx(3.34338, abs=1e-5)
