"""Advice: each choice tried in full, and what modifiers are worth."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from battlewright.attack.advice import Advice, advise, measure, settle
from battlewright.attack.answer import answer
from battlewright.attack.explain import worth
from battlewright.attack.request import Request, read

BODY = {"models": 5, "T": 4, "W": 2, "Sv": 4}


def asked(edition: str, *weapons: dict[str, Any], groups: list[dict[str, Any]] | None = None, **more: Any) -> Request:
    target = {"groups": groups or [BODY]} | more.pop("target", {})
    return read({"edition": edition, "attack": {"weapons": list(weapons)}, "target": target} | more)


def about(found: tuple[Advice, ...], words: str) -> Advice:
    return next(each for each in found if words in each.about)


FACE_SETS = [faces for size in range(7) for faces in combinations(range(1, 7), size)]


@pytest.mark.parametrize("aim", ["damage", "p_destroyed"])
@pytest.mark.parametrize(
    "weapon",
    [
        {"A": 8, "skill": 3, "S": 5, "lethal": True, "devastating": True, "D": 3},
        {"A": 8, "skill": 2, "S": 3, "AP": -1, "sustained": 2},
        {"A": 8, "skill": 2, "S": 8, "AP": -1, "lethal": True, "devastating": True, "crit_wound": 2, "D": 2},
    ],
)
def test_the_best_hit_rerolls_are_the_best_of_all_sets_of_faces(aim: Any, weapon: dict[str, Any]) -> None:
    value = measure(aim)
    best = max(value(asked("10e", weapon | {"reroll_hits": list(faces)})) for faces in FACE_SETS)
    settled = settle(asked("10e", weapon | {"reroll_hits": "best"}), aim)
    assert value(settled) == pytest.approx(best)


def test_fishing_for_devastating_wounds() -> None:
    weapon = {"A": 6, "skill": 2, "S": 8, "AP": 0, "D": 3, "devastating": True, "twin_linked": True}
    strong = [{"models": 1, "T": 4, "W": 20, "Sv": 2, "InSv": 4}]
    found = advise(asked("11e", weapon, groups=strong))
    wound = about(found, "wound rolls")
    assert wound.choose == "re-roll 1, 2, 3, 4, 5"
    assert wound.gain > 0


def test_lethal_hits_are_a_choice_in_the_eleventh_edition() -> None:
    weapon = {"A": 6, "skill": 2, "S": 8, "D": 3, "lethal": True, "devastating": True, "anti": {"X": 2}}
    target = {"keywords": ["X"], "groups": [{"models": 1, "T": 4, "W": 20, "Sv": 2}]}
    lethal = about(advise(asked("11e", weapon, target=target)), "lethal")
    assert lethal.choose == "roll to wound instead"
    auto = asked("11e", weapon | {"lethal_auto": "best"}, target=target)
    assert answer(auto).damage.mean == pytest.approx(lethal.best)
    assert not any("lethal" in each.about for each in advise(asked("10e", weapon, target=target)))


def test_firing_order_is_tried_in_full() -> None:
    weak = {"name": "rifles", "A": 10, "skill": 3, "S": 4}
    strong = {"name": "cannon", "A": 2, "skill": 3, "S": 9, "AP": -3, "D": 2}
    groups = [{"models": 3, "T": 4, "W": 2, "Sv": 3, "wounded": 1}]
    one, other = asked("11e", weak, strong, groups=groups), asked("11e", strong, weak, groups=groups)
    values = [measure("slain")(one), measure("slain")(other)]
    orders = [each for each in advise(one, "slain") if each.about == "firing order"]
    assert [each.best for each in orders] == ([pytest.approx(max(values))] if values[1] > values[0] + 1e-12 else [])


def test_the_defender_puts_the_worst_forward() -> None:
    weapon = {"A": 6, "skill": 3, "S": 6, "AP": -1, "D": 3}
    groups = [
        {"name": "elite", "models": 2, "T": 4, "W": 3, "Sv": 6},
        {"name": "crowd", "models": 5, "T": 4, "W": 1, "Sv": 6},
    ]
    found = about(advise(asked("11e", weapon, groups=groups)), "order in which groups are lost")
    assert (found.player, found.choose) == ("defender", "crowd, then elite")
    assert found.gain < 0


def test_worth_is_the_difference_of_leaving_it_out() -> None:
    weapon = {"A": 12, "skill": 3, "S": 4, "sustained": 1, "hit_mod": 1}
    found = {each.what: each for each in worth(asked("10e", weapon, target={"cover": True}))}
    without = answer(asked("10e", weapon | {"sustained": 0}, target={"cover": True}))
    whole = answer(asked("10e", weapon, target={"cover": True}))
    assert found["sustained of weapon 1"].rule == "W-SUST"
    assert found["sustained of weapon 1"].damage == pytest.approx(whole.damage.mean - without.damage.mean)
    assert found["cover of the target"].damage < 0
    assert set(found) == {"sustained of weapon 1", "hit_mod of weapon 1", "cover of the target"}


def test_a_choice_left_to_us_is_told() -> None:
    found = answer(
        asked("10e", {"A": 20, "skill": 3, "S": 4, "lethal": True, "reroll_hits": "best"}, groups=[BODY | {"T": 12}])
    )
    (told,) = found.advice
    assert told.choose == "re-roll 1, 2, 3, 4, 5"
    assert found.wounds.mean == pytest.approx(7.5)
    assert told.gain > 0
