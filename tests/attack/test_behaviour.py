"""The worked behaviour cases whole: the words of the rules must lead to the exact numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from battlewright.attack.answer import answer
from battlewright.attack.request import read


@pytest.fixture(scope="module")
def cases(shared: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((shared / "behaviour-dev.json").read_text(encoding="utf-8"))["cases"]
    return found


def test_words_lead_to_the_exact_numbers(cases: list[dict[str, Any]]) -> None:
    wrong = []
    for case in cases:
        found = answer(read(case["request"]))
        got = {"damage": found.damage.mean, "slain": found.slain.mean, "p_destroyed": found.p_destroyed}
        if any(got[name] != pytest.approx(case["exact"][name], abs=1e-5) for name in got):
            wrong.append(f"{case['id']} {case['features']}: {got}")
    assert wrong == []


def test_a_rule_on_the_wrong_side_or_unread_changes_nothing(cases: list[dict[str, Any]]) -> None:
    for case in cases[:10]:
        request = {
            **case["request"],
            "rules": {"attacker": [{"name": "x", "text": "The moon is made of green cheese."}]},
        }
        found = answer(read(request))
        assert found.rules[0].status == "none"
        assert found.damage.mean == pytest.approx(case["without_rules"]["damage"], abs=1e-5)
