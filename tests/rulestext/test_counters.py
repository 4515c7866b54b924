"""Tokens that units carry: gained, lost, counted, and asked for by how many there are."""

from __future__ import annotations

import pytest

from battlewright.attack.answer import answer
from battlewright.attack.request import read
from battlewright.effects_words import words_of
from battlewright.rulestext import compile as compile_rule

READ = [
    ("This unit gains 1 Grudge token.", "state “grudge” counting 1 on the bearer's unit"),
    ("This unit gains two Grudge tokens, to a maximum of 3.", "state “grudge” counting 2 up to 3 on the bearer's unit"),
    ("Place one Grudge token next to this unit.", "state “grudge” counting 1 on the bearer's unit"),
    ("Remove 1 Grudge token from this unit.", "state “grudge” ends counting 1 on the bearer's unit"),
    ("This unit loses all of its Grudge tokens.", "state “grudge” ends on the bearer's unit"),
]


@pytest.mark.parametrize(("text", "wanted"), READ)
def test_they_are_the_units_own(text: str, wanted: str) -> None:
    rule = compile_rule(text, name="x", edition="10e")
    assert rule.status == "full", rule.unread
    assert words_of(rule.clauses[0]) == wanted


@pytest.mark.parametrize(
    ("asked", "carried", "counts"),
    [
        ("one or more", 0, False),
        ("one or more", 1, True),
        ("2 or more", 1, False),
        ("2 or more", 2, True),
        ("2", 3, False),
    ],
)
def test_attacks_ask_how_many_the_target_has(asked: str, carried: int, counts: bool) -> None:
    target = f"a unit with {asked} Grudge tokens"
    text = f"Each time a model in this unit makes an attack that targets {target}, add 1 to the Hit roll."
    assert hits(text, ["grudge token"] * carried) == pytest.approx(4 if counts else 3)


@pytest.mark.parametrize(("states", "counts"), [(["grudging"], True), (["hidden"], False)])
def test_a_word_in_capitals_may_be_a_state(states: list[str], counts: bool) -> None:
    text = "Each time a model in this unit makes an attack that targets a Grudging unit, add 1 to the Hit roll."
    assert hits(text, states) == pytest.approx(4 if counts else 3)


def hits(text: str, states: list[str]) -> float:
    request = {
        "edition": "10e",
        "attack": {"weapons": [{"A": 6, "skill": 4, "S": 4}]},
        "target": {"groups": [{"models": 9, "T": 4, "W": 1, "Sv": 7}]},
        "rules": {"attacker": [{"name": "Grudge", "text": text}]},
        "situation": {"target": {"states": states, "keywords": ["INFANTRY"]}},
    }
    return float(answer(read(request)).hits.mean)
