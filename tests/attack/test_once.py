"""What is used once in an activation, and mortal wounds besides: against every die, and against dice that are rolled.

Rules: 10e T-1.3, T-6, T-6.8, T-6.11; 11e 01.05.02, 05.01 to 05.04, 06.02.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from battlewright.attack.exact import hits, resolve, wasted, wounds
from battlewright.attack.plan import Plan, build
from battlewright.attack.request import read
from battlewright.attack.rolled import resolve as roll
from battlewright.dice import Dice
from battlewright.distribution import EXACT

Dist = dict[Any, Fraction]
SIXTH = Fraction(1, 6)
NEEDED = 4


def plan(edition: str, weapon: dict[str, Any], group: dict[str, Any], **target: Any) -> Plan:
    weapons = weapon if isinstance(weapon, list) else [weapon]
    attack = {"weapons": [{"skill": 4, "S": 4} | one for one in weapons]}
    groups = [{"models": 2, "T": 4, "W": 2, "Sv": 4} | one for one in (group if isinstance(group, list) else [group])]
    return build(read({"edition": edition, "attack": attack, "target": {"groups": groups} | target}))


# ------------------------------------------------------------------------------------------------- every die, by hand


def bind(dist: Dist, then: Callable[[Any], Dist]) -> Dist:
    total: Dist = defaultdict(Fraction)
    for value, chance in dist.items():
        for result, share in then(value).items():
            total[result] += chance * share
    return total


def one_roll(left: frozenset[str], name: str, good: Callable[[int], bool]) -> Dist:
    """(face, what is left) of a die that may be the one re-rolled."""
    total: Dist = defaultdict(Fraction)
    for face in range(1, 7):
        if good(face) or name not in left:
            total[face, left] += SIXTH
            continue
        for second in range(1, 7):
            total[second, left - {name}] += SIXTH * SIXTH
    return total


def by_hand(attacks: int, left: frozenset[str], damage: str, models: int, W: int, spared: str = "") -> Dist:
    """The wounds left of a unit of equal models after so many attacks that hit, wound and are saved on 4+ each (10e)."""
    dice = Dice.parse(damage)
    results = list(range(dice.low, dice.high + 1))

    def suffer(now: tuple[int, frozenset[str]]) -> Dist:
        state, left = now
        room = state % W or W
        mean = Fraction(sum(min(result, room) for result in results), len(results))
        total: Dist = defaultdict(Fraction)
        for result in results:
            if "damage" in left and min(result, room) < mean:
                for second in results:
                    key = (state - min(second, room), left - {"damage"})
                    total[key] += Fraction(1, len(results) ** 2)
            else:
                total[state - min(result, room), left] += Fraction(1, len(results))
        return total

    def allocated(now: tuple[int, frozenset[str]]) -> Dist:
        state, left = now
        if not state:
            return {now: Fraction(1)}
        if spared == "allocated" and "spare" in left:
            return {(state, left - {"spare"}): Fraction(1)}
        return bind(one_roll(left, "save", lambda face: face >= NEEDED), lambda saved: after_save(state, *saved))

    def after_save(state: int, face: int, left: frozenset[str]) -> Dist:
        if face >= NEEDED:
            return {(state, left): Fraction(1)}
        if spared and "spare" in left:
            return {(state, left - {"spare"}): Fraction(1)}
        return suffer((state, left))

    def one(now: tuple[int, frozenset[str]]) -> Dist:
        state, left = now

        def after_hit(hit: tuple[int, frozenset[str]]) -> Dist:
            if hit[0] < NEEDED:
                return {(state, hit[1]): Fraction(1)}
            return bind(one_roll(hit[1], "wound", lambda face: face >= NEEDED), after_wound)

        def after_wound(wound: tuple[int, frozenset[str]]) -> Dist:
            return allocated((state, wound[1])) if wound[0] >= NEEDED else {(state, wound[1]): Fraction(1)}

        return bind(one_roll(left, "hit", lambda face: face >= NEEDED), after_hit)

    world: Dist = {(models * W, left): Fraction(1)}
    for _ in range(attacks):
        world = bind(world, one)
    total: Dist = defaultdict(Fraction)
    for (state, _), chance in world.items():
        total[state] += chance
    return total


def states(found: Any) -> Dist:
    return {state[0]: chance for state, chance in found.states.items()}


@pytest.mark.parametrize("names", [("hit",), ("wound",), ("hit", "wound"), ("damage",), ("hit", "wound", "damage")])
@pytest.mark.parametrize("save", [False, True])
@pytest.mark.parametrize("spared", ["", "allocated", "unsaved"])
def test_tenth_by_hand(names: tuple[str, ...], save: bool, spared: str) -> None:
    left = {*names, *(["save"] if save else []), *(["spare"] if spared else [])}
    wanted = by_hand(3, frozenset(left), "D3", 2, 2, spared)
    weapon = {"A": 3, "D": "D3", "reroll_one": list(names)}
    found = resolve(plan("10e", weapon, {"no_damage": spared}, reroll_one_save=save), numbers=EXACT)
    assert states(found) == {state: chance for state, chance in wanted.items() if chance}


def test_eleventh_by_hand_where_the_order_is_free() -> None:
    """All dice of a step are rolled before those of the next; equal dice make that no difference."""
    wanted = by_hand(4, frozenset({"hit", "wound", "save"}), "1", 3, 1)
    weapon = {"A": 4, "reroll_one": ["hit", "wound"]}
    found = resolve(plan("11e", weapon, {"models": 3, "W": 1}, reroll_one_save=True), numbers=EXACT)
    assert states(found) == {state: chance for state, chance in wanted.items() if chance}


def test_mortal_wounds_besides_by_hand() -> None:
    """Three sure hits: sixes wound and do one more, no more than two in all; two wounds of damage at most are saved."""
    total: Dist = defaultdict(Fraction)
    for faces in product(range(1, 7), repeat=3):
        wound, critical = sum(face >= NEEDED for face in faces), min(2, faces.count(6))
        for saves in product((0, 1), repeat=wound):
            total[max(0, 5 - sum(saves) - critical)] += Fraction(1, 6**3 * 2**wound)
    weapon = {"A": 3, "torrent": True, "crit_mortal": 1, "crit_mortal_most": 2}
    for edition in ("10e", "11e"):
        assert states(resolve(plan(edition, weapon, {"models": 5, "W": 1}), numbers=EXACT)) == dict(total)


# ------------------------------------------------------------------------------------------- every way the dice may fall


class Tree:
    """Dice that show every row of faces, one after the other."""

    def __init__(self) -> None:
        self.path: list[int] = []
        self.place = 0

    def d6(self) -> int:
        if self.place == len(self.path):
            self.path.append(1)
        self.place += 1
        return self.path[self.place - 1]

    def __iter__(self) -> Iterator[Fraction]:
        while True:
            self.place = 0
            yield SIXTH
            while self.path and self.path[-1] == 6:
                self.path.pop()
            if not self.path:
                return
            self.path[-1] += 1


def every_way(given: Plan) -> Dist:
    total: Dist = defaultdict(Fraction)
    tree = Tree()
    for _ in tree:
        state = roll(given, tree).state
        total[state] += SIXTH ** len(tree.path)
    return total


SMALL: list[tuple[Any, Any, dict[str, Any]]] = [
    ({"A": 2, "S": 8, "reroll_one": ["hit"], "devastating": True, "crit_wound": 2}, {}, {}),
    ({"A": 2, "torrent": True, "reroll_one": ["wound"], "AP": -1}, {"W": 1}, {}),
    (
        {"A": 2, "torrent": True, "crit_wound": 2, "devastating": True, "D": "D3", "reroll_one": ["damage"]},
        {"models": 1, "W": 4},
        {},
    ),
    ({"A": 2, "torrent": True, "S": 12}, {"W": 1, "no_damage": "unsaved"}, {}),
    (
        {"A": 2, "torrent": True, "S": 12, "AP": -1},
        [{"models": 1, "W": 1, "Sv": 3}, {"models": 1, "W": 1, "Sv": 5}],
        {"reroll_one_save": True},
    ),
    ({"A": 2, "torrent": True, "S": 12}, {"W": 1, "Sv": 5}, {"reroll_one_save": True, "reroll_saves": "ones"}),
    ({"A": 2, "torrent": True, "S": 5, "crit_ap": 2, "reroll_one": ["wound"]}, {"W": 1}, {}),
    ({"A": 2, "torrent": True, "S": 5, "crit_mortal": "D3", "crit_mortal_most": 4, "devastating": True}, {"Sv": 6}, {}),
    (
        [{"torrent": True, "S": 8, "reroll_one": ["wound"]}, {"torrent": True, "S": 3, "reroll_one": ["wound"]}],
        {"W": 1},
        {},
    ),
    (
        {"A": 2, "torrent": True, "S": 12},
        [{"models": 1, "W": 1}, {"models": 1, "W": 2, "character": True, "no_damage": "unsaved"}],
        {},
    ),
]


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("case", range(len(SMALL)))
def test_every_way_the_dice_may_fall(edition: str, case: int) -> None:
    weapon, group, target = SMALL[case]
    given = plan(edition, weapon, group, **target)
    wanted = every_way(given)
    found = resolve(given, numbers=EXACT)
    assert found.states == dict(wanted)
    assert resolve(given).damage.mean == pytest.approx(float(found.damage.mean), abs=1e-12)


# -------------------------------------------------------------------------------------------------------- rolled dice


class Rolls:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def d6(self) -> int:
        return self.random.randint(1, 6)


MANY = [
    (
        {"A": "D3", "count": 3, "D": "D6", "reroll_one": ["hit", "wound", "damage"], "sustained": 1},
        {"models": 3, "W": 4, "no_damage": "unsaved"},
        {"reroll_one_save": True},
    ),
    (
        [
            {
                "A": 4,
                "lethal": True,
                "devastating": True,
                "D": "D3",
                "crit_mortal": 1,
                "crit_mortal_most": 3,
                "reroll_one": ["hit", "damage"],
            },
            {"A": 4, "AP": -2, "crit_mortal": 2, "reroll_one": ["hit", "wound"]},
        ],
        [{"models": 4, "FNP_mortal": 5}, {"models": 1, "W": 4, "Sv": 2, "character": True, "no_damage": "allocated"}],
        {"reroll_one_save": True, "spare_from": 1},
    ),
    (
        {"A": 6, "crit_ap": 2, "reroll_one": ["hit", "wound"], "reroll_hits": "ones", "precision": True},
        [{"models": 3}, {"models": 1, "W": 3, "character": True}],
        {"reroll_saves": "ones"},
    ),
]


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("case", range(len(MANY)))
def test_rolled_dice_agree(edition: str, case: int) -> None:
    weapon, group, target = MANY[case]
    given = plan(edition, weapon, group, **target)
    found = resolve(given)
    results = [roll(given, Rolls(seed)) for seed in range(1500)]
    lost = [sum(given.start) - sum(result.state) for result in results]
    deviation = float(sum(k * k * p for k, p in found.damage.items()) - found.damage.mean**2) ** 0.5
    assert abs(sum(lost) / len(lost) - found.damage.mean) < 4 * deviation / len(lost) ** 0.5
    for name in ("hits", "wounds"):
        mean = sum(getattr(result, name) for result in results) / len(results)
        assert mean == pytest.approx(float(getattr(found.means, name)), rel=0.05)
    assert wasted(given).mean == pytest.approx(float(found.wasted), abs=1e-6)


def test_distributions_of_hits_and_wounds_know_of_it() -> None:
    given = plan("10e", {"A": 2, "reroll_one": ["hit", "wound"]}, {})
    assert hits(given, EXACT).mean == resolve(given, numbers=EXACT).means.hits
    found = wounds(given, EXACT)
    assert found is not None
    assert found.mean == resolve(given, numbers=EXACT).means.wounds


def test_a_die_is_rerolled_once() -> None:
    """Where every miss is re-rolled already, one more re-roll is of no use."""
    with_it = plan("10e", {"A": 4, "reroll_hits": "fails", "reroll_one": ["hit"]}, {})
    without = plan("10e", {"A": 4, "reroll_hits": "fails"}, {})
    assert resolve(with_it).damage.mean == pytest.approx(resolve(without).damage.mean, abs=1e-12)


def test_a_plan_that_uses_nothing_once_walks_as_before() -> None:
    assert plan("11e", {"A": 4, "reroll_hits": "fails"}, {}).plain
    assert not plan("11e", {"A": 4, "reroll_one": ["hit"]}, {}).plain
