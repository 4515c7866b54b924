"""Players: the shipped ones play whole battles; the badly behaved ones cannot stop one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from badly import Cheating, Crashing, Idle, Late, Meddling

from battlewright.battle.engine import Battle
from battlewright.errors import BadInput
from battlewright.players import player
from battlewright.players.match import Match


def small(edition: str = "10e", seed: int = 1, *, debug: bool = False) -> Battle:
    name = "Ranger post" if edition == "10e" else "Kasrkin patrol"
    return Battle.new((name, name), edition=edition, seed=seed, debug=debug)


@pytest.mark.parametrize(("bad", "kind"), [(Crashing(), "crash"), (Cheating(), "illegal"), (Idle(), "idle")])
def test_a_badly_behaved_player_is_answered_for_and_replaced(bad, kind: str) -> None:
    match = Match(small(), [bad, player("random")], most=3)
    battle = match.play()
    assert battle.over
    assert [fault.kind for fault in match.faults] == [kind] * 3
    assert {fault.player for fault in match.faults} == {0}
    assert match.faults[0].words


def test_a_late_answer_does_not_count() -> None:
    late = Late()
    match = Match(small(), [late, player("random")], thinking_s=30, most=2, clock=late.clock)
    match.play()
    assert [fault.kind for fault in match.faults] == ["late", "late"]
    assert "30 s allowed" in match.faults[0].words


def test_a_player_that_changes_the_battle_is_found_out() -> None:
    with pytest.raises(AssertionError, match="changed the battle"):
        Match(small(), [Meddling(), Meddling()]).play()
    match = Match(small(debug=True), [Meddling(), player("random")], most=1)
    match.answer()
    assert match.faults[0].kind == "crash"


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_greedy_beats_random(edition: str) -> None:
    points = [0, 0]
    for seed in range(3):
        battle = Match(small(edition, seed), [player("greedy"), player("random", seed)]).play()
        points = [a + b for a, b in zip(points, battle.vp, strict=True)]
    assert points[0] > points[1]


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_the_same_seed_gives_the_same_battle(name: str) -> None:
    first = Match(small(seed=4), [player(name, 1), player(name, 2)]).play()
    again = Match(small(seed=4), [player(name, 1), player(name, 2)]).play()
    assert first.hash() == again.hash()
    assert first.played == again.played


def test_an_unknown_player_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(BadInput, match="greedy, random"):
        player("grandmaster")
