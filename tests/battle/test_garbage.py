"""Nonsense: answers of every kind to every kind of question, and positions with parts that make no sense.

One clear line each, and nothing changes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import islice
from random import Random
from typing import Any

import pytest

from battlewright.battle.choices import VERBS
from battlewright.battle.engine import Battle
from battlewright.errors import RulesError
from conftest import sheet, unit, weapon

Start = Callable[..., Battle]
NAMES = [
    "a1",
    "b1",
    "zz",
    "a1#0",
    "a1#99",
    "b1#0",
    "a1#-1",
    "#",
    "reserves",
    "99999999999999999999",
    "-1",
    "nan",
    "1e9",
]
WAYS = ["1,2", "nan,nan", "inf,1", "1e99,2", "99999999,1", "-5,3", "20,22>21,22", "20,22", "1.2.3,4", ",", "--1,2"]
TURNS = ["", "", "@90", "@99999", "@x", "^3", "^-1", "^1e9", "@90^3"]
DOES = [
    "normal",
    "advance",
    "fall_back",
    "embark zz",
    "embark",
    "stay",
    "objective 0",
    "objective x",
    "lethal 9",
    "skies",
]
RULES = ["15.02", "15.08", "S-CRR", "S-FO", "15.05", "zz"]
WORDS = [*VERBS, "foo", ""]
PARTS: list[Any] = [
    None, True, -1, 0, 1e9, 1.5, float("nan"), "", "x", "A", "C", [], [1], {}, {"a": 1}, [[0, 0]], [[None]], "10e", -5,
    10**20, "unit\n", [1, 2, 3], ["a1"], {"A": "x"}, {"A": -3}, {"0": "Z"}, {"A": {"x": "y"}}, "fight", [[0, 0], [1, 1]],
    [["a", "b"]],
]  # fmt: skip


def units() -> list[dict[str, Any]]:
    gun = weapon("gun", A=2, abilities=["rapid fire 1"])
    return [
        unit("a1", "A", [(20, 22), (20, 23.6)], sheet(count=2, weapons=[gun, weapon("blade", "Melee")])),
        unit("a2", "A", [(24, 30)]),
        unit("b1", "B", [(28, 22), (28, 23.6)]),
        unit("b2", "B", [(25.6, 30)]),
    ]


def answer(dice: Random) -> str:
    verb, words = dice.choice(WORDS), []
    for _ in range(dice.randint(0, 3)):
        name = dice.choice(NAMES)
        match verb:
            case "move" | "place" if words:
                words.append(f"{name}:{dice.choice(WAYS)}{dice.choice(TURNS)}")
            case "declare":
                words.append(f"{name}.{dice.choice(['0', '1', '99', '-1', 'x'])}>{dice.choice(NAMES)}")
            case "put":
                words += [name, "in", dice.choice(NAMES)]
            case "do":
                words.append(dice.choice(DOES))
            case "use":
                words.append(dice.choice([*RULES, name]))
            case _:
                words.append(name)
    return " ".join([verb, *words])


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("phase", ["command", "movement", "shooting", "charge", "fight"])
def test_answers_that_make_no_sense_change_nothing(table: Start, edition: str, phase: str) -> None:
    dice = Random(f"{edition} {phase}")
    battle = table(edition, phase, units(), cp={"A": 3, "B": 3}, objectives=[[30, 22]])
    for _ in range(12):
        if battle.over:
            break
        before, lines = battle.hash(), len(battle.log)
        for text in (answer(dice) for _ in range(12)):
            told = why_not(battle, text)
            if told is not None:
                assert told.strip()
                assert "\n" not in told
                with pytest.raises(RulesError):
                    battle.play(text)
        assert (battle.hash(), len(battle.log)) == (before, lines)
        battle.play(dice.choice(list(islice(battle.legal_choices(), 8))))


def why_not(battle: Battle, text: str) -> str | None:
    """The one line against an answer, whether it was read or not."""
    try:
        reason = battle.why_not(text)
    except RulesError as error:
        return str(error)
    return None if reason is None else str(reason)


def places(plain: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every part of plain data."""
    if way:
        yield way
    for key, part in plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ():
        yield from places(part, (*way, key))


@pytest.mark.parametrize("seed", range(8))
def test_positions_that_make_no_sense_are_refused_in_words(seed: int) -> None:
    dice = Random(seed)
    whole = {
        "edition": "11e",
        "round": 2,
        "turn": "A",
        "phase": "movement",
        "units": units(),
        "cp": {"A": 1},
        "seed": 3,
    }
    refused = 0
    for _ in range(40):
        plain = deepcopy(whole)
        for way in dice.sample(list(places(plain)), dice.choice([1, 1, 2])):
            part: Any = plain
            try:
                for key in way[:-1]:
                    part = part[key]
                part[way[-1]] = deepcopy(dice.choice(PARTS))
            except (KeyError, IndexError, TypeError):
                continue  # the other change took the place away
        try:
            battle = Battle.from_position(plain)
            for _ in range(3):
                if not battle.over:
                    battle.play(dice.choice(list(islice(battle.legal_choices(), 8))))
            json.dumps(battle.position())
        except RulesError:
            refused += 1
    assert refused
