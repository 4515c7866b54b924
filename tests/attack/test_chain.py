"""Activations one after the other: where nothing depends on the models left, two are one with both weapons."""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.attack.answer import answer
from battlewright.attack.request import read

TARGET = {
    "groups": [
        {"models": 5, "T": 4, "W": 2, "Sv": 4},
        {"models": 1, "T": 4, "W": 4, "Sv": 2, "InSv": 4, "character": True},
    ]
}
GUNS = {"skill": 3, "S": 4, "count": 5, "A": 2, "AP": -1, "D": 2}
BLADES = {"skill": 3, "S": 4, "count": 3, "A": 3, "AP": -2, "D": "D3", "melee": True}


def ask(edition: str, first: list[dict[str, Any]], *later: list[dict[str, Any]], target: Any = TARGET) -> Any:
    then = [{"weapons": weapons} for weapons in later]
    return answer(read({"edition": edition, "attack": {"weapons": first}, "then": then, "target": target}))


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_two_activations_are_one_with_both_weapons(edition: str) -> None:
    apart, together = ask(edition, [GUNS], [BLADES]), ask(edition, [GUNS, BLADES])
    assert apart.damage_dist == pytest.approx(together.damage_dist, abs=1e-12)
    assert apart.slain_dist == pytest.approx(together.slain_dist, abs=1e-12)
    assert apart.wasted.mean == pytest.approx(together.wasted.mean)
    assert apart.p_character_slain == pytest.approx(together.p_character_slain)


def test_blast_counts_the_models_left() -> None:
    """10e: a sure first activation leaves 5 of 10 models; the blast weapon then adds 1 attack, not 2."""
    target = {"groups": [{"models": 10, "T": 1, "W": 1, "Sv": 7}]}
    sure = {"torrent": True, "S": 8, "count": 5, "AP": -6}
    bomb = {"skill": 2, "S": 8, "A": 1, "blast": True}
    weapons = [{**sure, "crit_wound": 2, "reroll_wounds": "fails"}]
    found = ask("10e", weapons, [bomb], target=target)
    first = ask("10e", weapons, target=target)
    alive = {10 - int(slain): share for slain, share in first.slain_dist.items()}
    expected = first.attacks.mean + sum(share * (1 + models // 5) for models, share in alive.items() if models)
    assert found.attacks.mean == pytest.approx(expected)


def test_a_destroyed_unit_is_not_attacked_again() -> None:
    weak = {"groups": [{"models": 1, "T": 1, "W": 1, "Sv": 7}]}
    found = ask("10e", [{**GUNS, "S": 8}], [GUNS], target=weak)
    alive = 1 - ask("10e", [{**GUNS, "S": 8}], target=weak).p_destroyed
    assert found.attacks.mean == pytest.approx(10 + 10 * alive)


def test_toughness_is_that_of_the_models_left_when_an_activation_begins() -> None:
    """10e T-6.4: fixed for one activation, but the next finds the character alone."""
    target = {
        "groups": [{"models": 1, "T": 1, "W": 1, "Sv": 7}, {"models": 1, "T": 8, "W": 9, "Sv": 7, "character": True}]
    }
    sure = {"torrent": True, "S": 2, "AP": -6, "reroll_wounds": "fails", "crit_wound": 2}
    gun = {"torrent": True, "S": 8, "A": 6}
    found = ask("10e", [sure], [gun], target=target)
    bodyguard_dead = 35 / 36
    assert found.wounds.mean == pytest.approx(35 / 36 + 6 * (bodyguard_dead / 2 + (1 - bodyguard_dead) * 5 / 6))
