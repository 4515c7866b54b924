"""``exact`` against every roll worked through by hand (``oracle.py``), on random small attacks of both editions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from attack_oracle import Oracle
from attack_small import request

from battlewright.attack import space
from battlewright.attack.answer import answer
from battlewright.attack.exact import resolve
from battlewright.attack.plan import build
from battlewright.attack.request import read
from battlewright.distribution import EXACT

MEANS = ("attacks", "hits", "wounds", "damage", "slain", "attacker_wounds", "attacker_slain", "wasted")


def compare(asked: dict[str, Any]) -> None:
    found, right = answer(read(asked)), Oracle(asked).run()
    for name in MEANS:
        assert getattr(found, name).mean == pytest.approx(float(right[name]), abs=1e-9), (name, asked)
    for name in ("p_destroyed", "p_character_slain"):
        assert getattr(found, name) == pytest.approx(float(right[name]), abs=1e-9), (name, asked)
    assert found.slain_by_group == pytest.approx([float(mean) for mean in right["slain_by_group"]], abs=1e-9), asked
    for name in ("damage_dist", "slain_dist"):
        dist, wanted = getattr(found, name), {str(value): chance for value, chance in right[name].items()}
        for value in dist.keys() | wanted.keys():
            assert dist.get(value, 0.0) == pytest.approx(float(wanted.get(value, 0)), abs=1e-9), (name, value, asked)


@pytest.mark.parametrize("start", range(0, 300, 30))
def test_small_attacks(start: int) -> None:
    for seed in range(start, start + 30):
        compare(request(seed, most=4))


@pytest.mark.parametrize("start", range(420, 540, 30))
def test_sparse_steps(start: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The way taken where a target has very many states."""
    monkeypatch.setattr(space, "DENSE_UP_TO", 1)
    for seed in range(start, start + 30):
        compare(request(seed, most=4))


@pytest.mark.long
@pytest.mark.parametrize("start", range(1000, 3000, 100))
def test_many_small_attacks(start: int) -> None:
    for seed in range(start, start + 100):
        compare(request(seed, size=4, most=6))


@pytest.mark.parametrize("seed", range(5000, 5012))
def test_fractions(seed: int) -> None:
    asked = request(seed, most=4)
    found, right = resolve(build(read(asked)), numbers=EXACT), Oracle(asked).run()
    assert found.p_destroyed == right["p_destroyed"]
    assert found.damage.mean == right["damage"]
    assert found.wasted == right["wasted"]
    assert all(isinstance(chance, Fraction) for chance in found.slain.values())
    assert dict(found.slain) == {value: chance for value, chance in right["slain_dist"].items() if chance}
