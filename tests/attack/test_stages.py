"""The distributions of the stages that the answer gives as means only: hits, wounds, damage wasted, models a group."""

from __future__ import annotations

from collections import Counter

import pytest
from attack_oracle import Oracle
from attack_small import request

from battlewright.attack.exact import hits, resolve, wasted, wounds
from battlewright.attack.plan import build
from battlewright.attack.request import read


@pytest.mark.parametrize("start", range(600, 700, 25))
def test_stages_against_every_roll(start: int) -> None:
    for seed in range(start, start + 25):
        asked = request(seed, most=4)
        plan, oracle = build(read(asked)), Oracle(asked)
        final = oracle.run_tenth() if oracle.tenth else oracle.run_eleventh()
        assert hits(plan).mean == pytest.approx(float(oracle.hits), abs=1e-9), asked
        made = wounds(plan)
        assert made is None or made.mean == pytest.approx(float(oracle.wounds), abs=1e-9), asked
        right: Counter[int] = Counter()
        for (_, lost), chance in final.items():
            right[int(lost)] += chance  # type: ignore[assignment]
        found = wasted(plan)
        assert sum(found.values()) == pytest.approx(1.0)
        for value in range(len(found.weights)):
            assert float(found.weights[value]) == pytest.approx(float(right[value]), abs=1e-9), (value, asked)
        outcome = resolve(plan)
        for place in range(len(plan.groups)):
            assert outcome.slain_of(place).mean == pytest.approx(float(outcome.slain_by_group[place]), abs=1e-9)
