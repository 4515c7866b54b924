"""One suite for every edition and player: what must hold at every decision of any battle."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from battlewright.battle.choices import (
    Declare,
    Do,
    MovePlan,
    Pass,
    PickModel,
    Put,
    Select,
    Shot,
    Step,
    Targets,
    Use,
    read_choice,
)
from battlewright.battle.engine import Battle
from battlewright.battle.events import apply
from battlewright.battle.log import record, replay
from battlewright.errors import BadInput, IllegalChoice
from battlewright.players import player

ARMIES = {"10e": ("Ranger post", "Strike group"), "11e": ("Kasrkin patrol", "Forge patrol")}
NONSENSE = (
    Pass(),
    Select("a1"),
    Select("zz"),
    Do("normal"),
    Do("fly away"),
    Put("a1"),
    MovePlan("a1", (Step("a1#0", ((-5000, 1000),)),)),
    MovePlan("a1", (Step("a1#0", ((30000, 22000),)),)),
    Declare((Shot("a1#0", 0, "b1"),)),
    Declare((Shot("a1#0", 99, "b1"), Shot("zz#1", 0, "b9"))),
    Targets(("b1",)),
    Targets(()),
    Use("15.08", ("a1",)),
    Use("no such rule"),
    PickModel("b1#0"),
)


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("names", [("random", "random"), ("greedy", "random")])
def test_every_decision_of_a_battle_keeps_the_contract(edition: str, names: tuple[str, str]) -> None:
    battle = Battle.new(ARMIES[edition], edition=edition, seed=5, debug=True)
    players = [player(name, 11 + place) for place, name in enumerate(names)]
    dice = Random(3)
    seen = 0
    while not battle.over:
        seen += 1
        assert battle.decision is not None
        assert battle.decision.player == battle.to_choose
        assert battle.copy().hash() == battle.hash()
        if seen % 5 == 0:
            offered_applies(battle, dice)
        if seen % 3 == 0:
            the_rest_is_refused(battle)
        battle.play(players[battle.to_choose].choose(battle))
    assert battle.state.round == 5
    assert battle.winner in (-1, 0, 1)
    assert replay(record(battle)).hash() == battle.hash()


def offered_applies(battle: Battle, dice: Random) -> None:
    """Whatever is offered is legal, reads back from its text, and applies to a copy without touching the battle."""
    before = battle.hash()
    offered = list(islice(battle.legal_choices(), 30))
    assert offered
    for choice in dice.sample(offered, min(3, len(offered))):
        assert read_choice(str(choice)) == choice
        assert battle.why_not(choice) is None
        assert choice in battle.legal_choices()
        other = battle.copy()
        other.play(choice)
        assert other.played[-1] == str(choice)
    assert battle.hash() == before


def the_rest_is_refused(battle: Battle) -> None:
    """Nonsense is refused with a rule and a reason, and nothing changes; or it is legal and would be taken."""
    before, lines = battle.hash(), len(battle.log)
    for choice in NONSENSE:
        reason = battle.why_not(choice)
        if reason is None:
            continue
        assert reason.rule
        assert reason.detail
        with pytest.raises(IllegalChoice):
            battle.play(choice)
    assert battle.hash() == before
    assert len(battle.log) == lines


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_events_alone_make_the_state(edition: str) -> None:
    """Every change is an event: applied to a copy of the first state they give the last one."""
    battle = Battle.new(ARMIES[edition], edition=edition, seed=2)
    events = []
    start = battle.state.copy()
    emit = type(battle.table).emit

    def noted(table: object, event: object) -> None:
        events.append(event)
        emit(battle.table, event)  # type: ignore[arg-type]

    chooser = player("random", 4)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(battle.table), "emit", noted)
        for _ in range(60):
            battle.play(chooser.choose(battle))
    for event in events:
        apply(start, event)
    assert start.hash() == battle.hash()


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_undo_goes_back_to_where_each_answer_was_given(edition: str) -> None:
    battle = Battle.new(ARMIES[edition], edition=edition, seed=8)
    chooser = player("random", 8)
    before = []
    for _ in range(40):
        before.append((battle.hash(), len(battle.log)))
        battle.play(chooser.choose(battle))
    while before:
        taken = battle.undo()
        assert (battle.hash(), len(battle.log)) == before.pop()
        assert battle.why_not(taken) is None
    with pytest.raises(IllegalChoice):
        battle.undo()


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_position_reads_back_to_the_same_battle_and_plays_on_the_same(edition: str) -> None:
    battle = Battle.new(ARMIES[edition], edition=edition, seed=4)
    chooser = player("random", 4)
    while battle.state.round < 2 or battle.state.phase != "shooting":
        battle.play(chooser.choose(battle))
    again = Battle.from_position(battle.position())
    assert again.position() == battle.position()
    assert list(again.legal_choices()) == list(battle.legal_choices())
    choice = next(iter(battle.legal_choices()))
    battle.play(choice)
    again.play(choice)
    assert again.state.counter == battle.state.counter
    assert again.vp == battle.vp


def test_a_record_that_diverges_says_where() -> None:
    battle = Battle.new(ARMIES["11e"], edition="11e", seed=1)
    chooser = player("random", 1)
    for _ in range(12):
        battle.play(chooser.choose(battle))
    lines = record(battle).split(b"\n")
    lines[5] = b'"select zz"'
    with pytest.raises(BadInput, match="line 6"):
        replay(b"\n".join(lines))


def test_a_standing_answer_is_not_asked_again_and_can_be_taken_back() -> None:
    battle = Battle.new(ARMIES["11e"], edition="11e", seed=3)
    chooser = player("random", 3)
    keys: list[tuple[int, str]] = []
    while not battle.over:
        assert battle.decision is not None
        if battle.decision.key:
            asked = (battle.to_choose, battle.decision.key)
            assert asked not in keys
            keys.append(asked)
            battle.standing(battle.decision.key, "pass")
            continue
        battle.play(chooser.choose(battle))
    assert keys
    assert replay(record(battle)).hash() == battle.hash()
