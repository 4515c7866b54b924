"""Choices read back from their text, over their whole domain."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battlewright.battle.choices import (
    VERBS,
    Declare,
    Die,
    Do,
    MovePlan,
    Order,
    Pass,
    PickModel,
    Placement,
    Put,
    Select,
    Shot,
    Step,
    Targets,
    Use,
    read_choice,
)
from battlewright.errors import Unparsed

UNIT = st.from_regex(r"[a-z][a-z0-9_-]{0,6}", fullmatch=True)
MODEL = st.builds("{}#{}".format, UNIT, st.integers(0, 40))
SPOT = st.tuples(st.integers(-5000, 90000), st.integers(-5000, 90000))
STEP = st.builds(
    Step, MODEL, st.lists(SPOT, min_size=1, max_size=3).map(tuple), st.integers(0, 359), st.integers(0, 9000)
)
SHOT = st.builds(Shot, MODEL, st.integers(0, 9), UNIT, st.integers(0, 12))
CHOICE = st.one_of(
    st.builds(Pass),
    st.builds(Select, UNIT),
    st.builds(Do, st.from_regex(r"[a-z_]+( [a-z0-9]+)?", fullmatch=True)),
    st.builds(Put, UNIT, UNIT),
    st.builds(MovePlan, UNIT, st.lists(STEP, max_size=3).map(tuple)),
    st.builds(Placement, UNIT, st.lists(STEP, max_size=3).map(tuple)),
    st.builds(Declare, st.lists(SHOT, max_size=4).map(tuple)),
    st.builds(Targets, st.lists(UNIT, max_size=3).map(tuple)),
    st.builds(
        Use, st.from_regex(r"[A-Za-z0-9.:-]+( [A-Za-z]+)?", fullmatch=True), st.lists(UNIT, max_size=2).map(tuple)
    ),
    st.builds(Die, st.integers(0, 60)),
    st.builds(PickModel, MODEL),
    st.builds(Order, st.lists(MODEL, max_size=3).map(tuple)),
)


@given(CHOICE)
@settings(max_examples=300, deadline=None)
def test_a_choice_reads_back_from_its_text(choice: object) -> None:
    assert read_choice(str(choice)) == choice


@given(st.text(max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_other_text_is_refused_in_words(text: str) -> None:
    verb = text.split()[:1]
    if verb and verb[0] in VERBS:
        return
    with pytest.raises(Unparsed, match="expected a choice"):
        read_choice(text)


@pytest.mark.parametrize("text", ["", "   ", "move", "declare a1#0", "put a1", "die x", "model a b"])
def test_half_a_choice_is_no_choice(text: str) -> None:
    with pytest.raises(Unparsed):
        read_choice(text)
