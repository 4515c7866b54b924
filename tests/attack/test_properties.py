"""What must hold whatever the numbers: chances add up, better is never worse, order of equals does not matter."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from attack_small import request
from hypothesis import given, settings
from hypothesis import strategies as st

from battlewright.attack.answer import Answer, answer
from battlewright.attack.exact import resolve
from battlewright.attack.plan import build
from battlewright.attack.request import read

WEAPON = {"count": 5, "A": 2, "skill": 4, "S": 5, "AP": -1, "D": 2}
EDITIONS = ["10e", "11e"]


def ask(edition: str, weapon: dict[str, Any], group: dict[str, Any] | None = None, **target: Any) -> Answer:
    groups = [{"models": 8, "T": 5, "W": 3, "Sv": 4} | (group or {})]
    return answer(read({"edition": edition, "attack": {"weapons": [weapon]}, "target": {"groups": groups} | target}))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 100_000))
def test_chances_add_up(seed: int) -> None:
    plan = build(read(request(seed, size=20, most=200)))
    found = resolve(plan)
    assert float(found.chances.sum()) == pytest.approx(1.0)
    assert sum(found.slain.values()) == pytest.approx(1.0)
    assert sum(found.damage.values()) == pytest.approx(1.0)
    assert max(found.damage) <= sum(plan.start)
    assert float(found.slain.mean) == pytest.approx(sum(map(float, found.slain_by_group)))


def never_worse(found: list[Answer]) -> None:
    for worse, better in pairwise(found):
        assert better.damage.mean >= worse.damage.mean - 1e-12
        assert better.slain.mean >= worse.slain.mean - 1e-12
        assert better.p_destroyed >= worse.p_destroyed - 1e-12


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("skill", [6, 5, 4, 3, 2]),
        ("S", [2, 3, 5, 6, 10]),
        ("AP", [0, -1, -2, -3, -4]),
        ("D", [1, 2, 3, 4]),
        ("A", [1, 2, 3, "D3+2", 6]),
        ("hit_mod", [-1, 0, 1]),
        ("wound_mod", [-1, 0, 1]),
        ("sustained", [0, 1, "D3", 3]),
        ("reroll_hits", ["none", "ones", "fails"]),
        ("reroll_wounds", ["none", "ones", "fails"]),
        ("crit_hit", [6, 5, 4]),
        ("devastating", [False, True]),
        ("lethal", [False, True]),
    ],
)
def test_better_weapons_never_do_less(edition: str, name: str, values: list[Any]) -> None:
    never_worse([ask(edition, WEAPON | {name: value}) for value in values])


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("name", "values"),
    [("Sv", [2, 3, 4, 5, 6, 7]), ("T", [12, 9, 6, 5, 4, 2]), ("FNP", [4, 5, 6, None]), ("InSv", [3, 4, 5, 6, None])],
)
def test_weaker_models_never_lose_less(edition: str, name: str, values: list[Any]) -> None:
    never_worse([ask(edition, WEAPON, {name: value}) for value in values])


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_cap_on_modifiers(edition: str) -> None:
    one, three = ask(edition, WEAPON | {"hit_mod": 1}), ask(edition, WEAPON | {"hit_mod": 3})
    assert one == three
    cancelled = ask(edition, WEAPON | {"hit_mod": 2}, hit_mod=-2)
    assert cancelled.damage_dist == ask(edition, WEAPON).damage_dist


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_batch_may_be_split(edition: str) -> None:
    """Against models that are all alike two halves do what the whole does."""
    group = {"models": 6, "T": 5, "W": 2, "Sv": 4}
    weapons = [WEAPON | {"count": 2}, WEAPON | {"count": 3}]
    asked = {"edition": edition, "attack": {"weapons": weapons}, "target": {"groups": [group]}}
    whole = asked | {"attack": {"weapons": [WEAPON]}}
    split, together = answer(read(asked)), answer(read(whole))
    assert split.damage_dist == pytest.approx(together.damage_dist)
    assert split.wounds.mean == pytest.approx(together.wounds.mean)
    assert split.wasted.mean == pytest.approx(together.wasted.mean)
