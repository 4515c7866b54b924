"""The judge of ambiguities: where another reading of the words makes another rule, it is listed; such texts stay few."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlewright.rulestext import build
from battlewright.rulestext.frames import Grammar, make_grammar, read_frames
from battlewright.rulestext.parse import Parser
from battlewright.rulestext.readings import readings, trees
from battlewright.rulestext.report import HELD_OUT, entries
from battlewright.rulestext.tokens import tokenise

#: of the texts read in full, the share that may have another reading which makes another rule
MOST_AMBIGUOUS = 0.17


@pytest.mark.parametrize(
    "text",
    [
        "This unit is eligible to shoot in a turn in which it Advanced.",
        "If this unit is within Engagement Range of one or more enemy units, you gain 1CP.",
        "In your Shooting phase, each time this model has shot, you gain 1CP.",
        "Each time a friendly unit ends a Normal move, that unit can make a Normal move.",
        "Add 1 to the Attacks characteristic of this model's weapons.",
        "If this unit made a Charge move this turn, you gain 1CP.",
        "This model cannot be selected as your WARLORD.",
        "In the Declare Battle Formations step, you gain 1CP.",
        "Roll one D6, adding 1 to the result if this unit is Battle-shocked: on a 4+, you gain 1CP.",
    ],
)
def test_plain_words_have_one_meaning(text: str) -> None:
    assert build.compile(text).status == "full"
    assert readings(text) == []


def small(text: str) -> Grammar:
    return make_grammar(list(read_frames(text, "own.frames")), {}, {})


def test_every_tree_is_found() -> None:
    grammar = small("all:\n  {a:part} {b:part} => 1\npart:\n  a => 1\n  a a => 2\n")
    parser = Parser(grammar, tokenise("a a a"))
    whole = parser.whole("all", 0, 3)
    assert whole is not None
    assert len(list(trees(parser, whole))) == 2


def share(shared: Path, step: int) -> float:
    texts = {one["text"]: one for one in entries(shared / "corpus") if one["faction"] not in HELD_OUT}
    full = ambiguous = 0
    for one in list(texts.values())[::step]:
        if build.compile(one["text"], name=one["name"], kind=one["kind"]).status == "full":  # type: ignore[arg-type]
            full += 1
            ambiguous += bool(readings(one["text"], name=one["name"], kind=one["kind"]))  # type: ignore[arg-type]
    assert full > 20
    return ambiguous / full


def test_few_texts_have_two_meanings(shared: Path) -> None:
    assert share(shared, 61) <= MOST_AMBIGUOUS


@pytest.mark.long
def test_few_texts_of_all_have_two_meanings(shared: Path) -> None:
    assert share(shared, 5) <= MOST_AMBIGUOUS
