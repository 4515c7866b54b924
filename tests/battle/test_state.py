"""The state: copies, digests, JSON, and the one gate."""

import numpy as np
import pytest

from battlewright.battle.engine import Battle
from battlewright.battle.events import CpChanged, MarkSet, Moved, apply
from battlewright.battle.state import Did, M, P, State
from battlewright.errors import BadInput
from battlewright.players import player


def small() -> State:
    state = State(3, 2, 1)
    state.model[:, M.WOUNDS] = 2
    return state


def test_a_copy_is_equal_and_independent() -> None:
    state = small()
    other = state.copy()
    assert other.hash() == state.hash()
    apply(other, CpChanged(0, 1, "test"))
    apply(other, MarkSet("oath", "b1"))
    assert other.hash() != state.hash()
    assert state.player[0, P.CP] == 0
    assert "oath" not in state.marks


def test_each_part_of_the_state_counts_in_its_digest() -> None:
    state = small()
    digests = {state.hash()}
    for name in State.__slots__:
        if name == "gate":
            continue
        other = state.copy()
        value = getattr(other, name)
        if isinstance(value, np.ndarray):
            value[0, 0] += 1
        elif isinstance(value, dict):
            setattr(other, name, {"x": 1})
        elif isinstance(value, tuple):
            setattr(other, name, (*value, ()))
        elif isinstance(value, str):
            setattr(other, name, "x")
        else:
            setattr(other, name, not value if isinstance(value, bool) else value + 1)
        digests.add(other.hash())
    assert len(digests) == len(State.__slots__)


def test_json_gives_back_the_same_state() -> None:
    battle = Battle.new(("Ranger post", "Ranger post"), edition="10e", seed=3)
    chooser = player("random", 3)
    for _ in range(30):
        battle.play(chooser.choose(battle))
    assert State.from_json(battle.state.to_json()).hash() == battle.hash()


def test_what_is_no_state_is_refused() -> None:
    with pytest.raises(BadInput, match="not a state"):
        State.from_json({"model": [[1]]})


def test_a_locked_state_changes_only_through_apply() -> None:
    state = small()
    state.lock()
    with pytest.raises(AttributeError, match="only apply"):
        state.round = 3
    with pytest.raises(ValueError, match="read-only"):
        state.model[0, 0] = 1
    apply(state, Moved(0, "normal", ((0, 5, 6, 0, 90),), (7,)))
    assert state.model[0, :4].tolist() == [5, 6, 0, 90]
    assert state.model[0, M.MOVED] == 7
    with pytest.raises(ValueError, match="read-only"):
        state.copy().model[0, 0] = 1


def test_a_failed_event_leaves_the_state_locked() -> None:
    state = small()
    state.lock()
    with pytest.raises(IndexError):
        apply(state, Moved(0, "normal", ((99, 5, 6, 0, 90),)))
    with pytest.raises(AttributeError):
        state.round = 3


def test_flags_of_the_phase_and_of_the_turn_are_apart() -> None:
    from battlewright.battle.state import PHASE_FLAGS

    phase = Did.CHOSEN_MOVE | Did.CHOSEN_FIGHT | Did.TARGETED
    turn = Did.ADVANCED | Did.CHARGED | Did.SHOT | Did.NO_CHARGE
    assert int(phase) & PHASE_FLAGS == int(phase)
    assert int(turn) & PHASE_FLAGS == 0
