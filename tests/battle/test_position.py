"""Positions: the words of a unit's state, and what is refused."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battlewright.battle.engine import Battle
from battlewright.battle.position import PHASES, did_of, words_of
from battlewright.battle.state import Did
from battlewright.errors import BadInput
from battlewright.players import player
from conftest import sheet, unit, weapon

FLAGS = st.sets(st.sampled_from(list(Did))).map(lambda flags: sum(int(flag) for flag in flags))


@given(FLAGS, st.sampled_from(PHASES))
@settings(max_examples=300, deadline=None)
def test_what_a_unit_did_reads_back_from_its_words(did: int, phase: str) -> None:
    assert did_of(tuple(words_of(did, phase)), phase) == did


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_position_round_trips_at_any_decision(edition: str) -> None:
    names = ("Strike group", "Ranger post") if edition == "10e" else ("Forge patrol", "Kasrkin patrol")
    battle = Battle.new(names, edition=edition, seed=9)
    chooser, dice = player("random", 9), Random(2)
    while not battle.over:
        if dice.random() < 0.12:
            again = Battle.from_position(battle.position())
            assert again.position() == battle.position()
            assert again.decision == battle.decision
        battle.play(chooser.choose(battle))


def test_a_position_keeps_the_terrain_it_was_played_on() -> None:
    battle = Battle.new(("Ranger post", "Ranger post"), edition="10e", seed=2, layout="ruined town")
    again = Battle.from_position(battle.position())
    assert again.setting.mission == battle.setting.mission
    assert again.position() == battle.position()


@pytest.mark.parametrize(
    "model",
    [
        {"at": [1e9, 0]},
        {"at": [1, 2], "wounds": -1},
        {"at": [1, 2], "facing": 10**7},
        {"at": [1, 2], "weapons": ["no such"]},
    ],
)
def test_numbers_no_table_has_are_refused(model: dict) -> None:
    unit = {"id": "k1", "player": "A", "datasheet": "Kasrkin", "models": [{"name": "Kasrkin Trooper", **model}]}
    with pytest.raises(BadInput):
        Battle.from_position({"edition": "11e", "units": [unit]})


def test_a_number_no_table_has_is_a_fault(table) -> None:
    squad = sheet(weapons=[weapon("gun")])
    for part in (squad["models"][0], squad["models"][0]["weapons"][0]):
        part["count"], kept = 10**20, part["count"]
        with pytest.raises(BadInput, match="count: expected"):
            table("11e", "command", [unit("a1", "A", [(20, 22)], squad)])
        part["count"] = kept


def test_a_unit_is_under_what_its_state_names(table) -> None:
    """A stratagem or an order that lasts, by its name; what is not known is told. It prints and reads the same."""
    squad = sheet(keywords=["INFANTRY", "SMOKE"])
    units = [
        unit("a1", "A", [(20, 22)], sheet(weapons=[weapon("gun")]), state=["Take Aim!"], used=["Lost Relic", "gun"]),
        unit("b1", "B", [(30, 22)], squad, state=["smokescreen"]),
    ]
    battle = table("11e", "shooting", units, dice=[2, 3, 1])
    assert battle.setting.notes == ("a1: nothing called 'Lost Relic' is here to have been used",)
    assert battle.table.rules.has_cover(1)
    again = Battle.from_position(battle.position())
    assert again.hash() == battle.hash()
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert {e.needs for _, e in battle.log if getattr(e, "purpose", "") == "hit"} == {3}


def test_wargear_is_worn_by_its_bearers_alone() -> None:
    slab = {"name": "Slab", "text": "The bearer has a Wounds characteristic of 4.", "kind": "wargear"}
    wardens = {
        "name": "Wardens", "edition": "11e", "abilities": [slab], "keywords": ["INFANTRY"],
        "models": [{"name": "Warden", "low": 1, "high": 5, "profile": {"M": 6, "T": 4, "Sv": 3, "W": 2, "Ld": 6, "OC": 1},
                    "base": {"shape": "round", "mm": 32}}],
    }  # fmt: skip
    models = [{"name": "Warden", "at": [1 + 2 * x, 9], "weapons": ["Slab"] if x else []} for x in range(3)]
    unit = {"id": "w1", "player": "A", "datasheet": wardens, "models": models}
    battle = Battle.from_position({"edition": "11e", "units": [unit]})
    assert [model.profile.W for model in battle.setting.models] == [2, 4, 4]
    assert [battle.table.rules.stat(model, "W") for model in range(3)] == [2, 4, 4]
    assert Battle.from_position(battle.position()).position() == battle.position()
