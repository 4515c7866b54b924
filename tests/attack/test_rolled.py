"""``rolled`` and ``exact`` read the same plan and share no arithmetic: their means agree within four standard errors."""

from __future__ import annotations

from math import sqrt

import pytest
from attack_small import request

from battlewright.attack.exact import bearers_losses, resolve
from battlewright.attack.plan import Plan, build
from battlewright.attack.request import read
from battlewright.attack.rolled import Loss, Rolled, hazardous
from battlewright.attack.rolled import resolve as roll
from battlewright.dice import Scripted, Seeded
from battlewright.distribution import FLOAT, Distribution


def agree(name: str, values: list[int], exact: Distribution, seed: int) -> None:
    """Four standard errors, and a little for chances that never came up."""
    error = sqrt(max(0.0, float(exact.variance)) / len(values))
    assert abs(sum(values) / len(values) - float(exact.mean)) <= 4 * error + 10 / len(values), (name, seed)


def sampled(plan: Plan, seed: int, times: int) -> None:
    exact = resolve(plan)
    results = [roll(plan, Seeded(seed, stream)) for stream in range(times)]
    agree("damage", [sum(plan.start) - sum(result.state) for result in results], exact.damage, seed)
    slain = [sum(loss.destroyed for loss in result.losses) for result in results]
    agree("slain", slain, exact.slain, seed)
    destroyed = [int(not any(result.state)) for result in results]
    p = float(exact.p_destroyed)
    assert abs(sum(destroyed) / times - p) <= 4 * sqrt(p * max(0.0, 1 - p) / times) + 10 / times, seed


@pytest.mark.parametrize("start", range(0, 200, 25))
def test_rolled_agrees_with_exact(start: int) -> None:
    for seed in range(start, start + 25):
        sampled(build(read(request(seed, size=12, most=120))), seed, 300)


@pytest.mark.long
@pytest.mark.parametrize("start", range(10_000, 10_400, 50))
def test_rolled_agrees_with_exact_often(start: int) -> None:
    for seed in range(start, start + 50):
        sampled(build(read(request(seed, size=20, most=300))), seed, 4000)


def test_hazardous_agrees_with_exact() -> None:
    for seed in range(60):
        plan = build(read(request(seed, most=30)))
        wounds, slain = bearers_losses(plan.bearers, plan.edition.hazard, plan.tests, FLOAT)
        results = [hazardous(plan, Seeded(seed, stream)) for stream in range(300)]
        agree("wounds", [result.wounds for result in results], wounds, seed)
        agree("slain", [result.slain for result in results], slain, seed)


def two_shots(edition: str, **more: object) -> Plan:
    weapon = {"A": 2, "skill": 3, "S": 4, "D": 2} | more
    group = {"models": 2, "T": 4, "W": 3, "Sv": 3}
    return build(read({"edition": edition, "attack": {"weapons": [weapon]}, "target": {"groups": [group]}}))


def test_every_die_is_told() -> None:
    dice = Scripted([3, 4, 5, 6, 2, 1])
    result = roll(two_shots("11e"), dice)
    dice.finish()
    assert [die.purpose for die in result.dice] == ["hit", "hit", "wound", "wound", "save", "save"]
    assert [die.needed for die in result.dice] == [3, 3, 4, 4, 3, 3]
    assert result.state == (3,)
    assert result.losses == (Loss(0, 0, 2), Loss(0, 0, 1, destroyed=True, wasted=1))


def test_a_die_is_rerolled_at_most_once() -> None:
    asked: list[Rolled] = []

    def again(die: Rolled) -> bool:
        asked.append(die)
        return die.face == 1

    dice = Scripted([1, 2, 1, 4, 3])
    result = roll(two_shots("10e", reroll_hits="ones"), dice, again=again)
    dice.finish()
    hits = [die for die in result.dice if die.purpose == "hit"]
    assert [(die.first, die.face) for die in hits] == [(1, 2), (1, 4)]
    assert all(die.first is None for die in asked)


def test_attacks_left_over_are_lost() -> None:
    guns = [{"A": 1, "skill": 2, "S": 8, "AP": -6}] * 2
    group = {"models": 1, "T": 4, "W": 1, "Sv": 6}
    plan = build(read({"edition": "11e", "attack": {"weapons": guns}, "target": {"groups": [group]}}))
    result = roll(plan, Scripted([2, 2, 6]))
    assert result.state == (0,)
