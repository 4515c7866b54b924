"""Choices: their options below, for whom and how long the chosen one counts, how often each may be chosen."""

from __future__ import annotations

import pytest

from battlewright.codec import from_json, to_json
from battlewright.effects import Choose, Give, Limit, Rule
from battlewright.effects_words import describe, parse
from battlewright.rulestext import compile as read

OPTIONS = [
    (
        "At the start of your Command phase, you can select one of the Pack Hymns listed below. Until the start of your "
        "next Command phase, that Pack Hymn is active and its effects apply to all Ash Guard units from your army.\n"
        "RED HYMN\nThis unit is eligible to shoot in a turn in which it Advanced.\n"
        "GREY HYMN\nAdd 1 to Advance rolls made for this unit.",
        "start of your command phase · phase to its start, the next of your, command phase · "
        "give to <friendly unit (ASH GUARD)>: (choose up to of (option “RED HYMN” (may “shoot” despite “advance” with the "
        "bearer's unit); option “GREY HYMN” (+1 to advance rolls of the bearer's unit)))",
    ),
    (
        "In your Command phase, you must select one of the war rites below. If you do, until the end of the turn, that "
        "war rite is active for your army.\n"
        "1 - Rite of Ash\nAsh Guard units from your army have the Stealth ability.\n"
        "2 - Rite of Iron\nThis unit has the Feel No Pain 6+ ability.",
        "your command phase · turn · choose of (option “1 - Rite of Ash” (gain unit ability “stealth” for <friendly unit "
        "(ASH GUARD)>); option “2 - Rite of Iron” (gain feel no pain 6 for the bearer's unit))",
    ),
    (
        "In your Command phase, select one of the following Powers abilities. Friendly Ash Seer units have that ability "
        "until the start of your next Command phase.\n"
        "■ Fire Mind: This unit has +2\" M.\n\n■ Glass Mind: This unit's attacks can:\n\n■ Re-roll hit rolls of 1.\n\n"
        "■ Re-roll wound rolls of 1.\n\n■ Dark Mind: This unit has +1 T.",
        "your command phase · phase to its start, the next of your, command phase · give to <friendly unit (ASH SEER)>: "
        "(choose of (option “Fire Mind” (add M 2 for the bearer's unit); option “Glass Mind” ((each attack by model of "
        "the bearer's unit · re-roll hit rolls of 1; re-roll wound rolls of 1)); option “Dark Mind” (add T 1 for the "
        "bearer's unit)))",
    ),
    (
        "Each time an Ash Guard unit from your army is selected to fight, select one of the following for that unit to "
        "gain until the end of the phase:\n■ Add 1 to the Toughness characteristic of models in this unit.\n"
        "■ This unit has the Feel No Pain 6+ ability.",
        "when selected to fight – <friendly unit (ASH GUARD)> · phase · give to that unit: (choose of (option (add T 1 "
        "for the bearer's unit); option (gain feel no pain 6 for the bearer's unit)))",
    ),
    (
        "At the start of the battle, select up to two of the Curses listed below. Until the end of the battle, those "
        "Curses are active and their effects apply to all enemy units.\n"
        "FEAR\nWorsen the Leadership characteristic of models in this unit by 1.\nDREAD\nThis unit has +1 T.",
        "start of any phase, unit battle · battle · give to enemy unit: (choose up to 2 of (option “FEAR” (worsen Ld 1 "
        "for the bearer's unit); option “DREAD” (add T 1 for the bearer's unit)))",
    ),
]


@pytest.mark.parametrize(("text", "words"), OPTIONS, ids=lambda text: text[:50])
def test_the_chosen_option_counts_for_whom_and_as_long_as_the_text_says(text: str, words: str) -> None:
    rule = read(text)
    assert rule.unread == ()
    assert describe(rule).split(": ", 1)[1] == words
    assert parse(describe(rule)) == rule == from_json(to_json(rule), Rule)


@pytest.mark.parametrize(
    "sentence",
    [
        "Each Pack Hymn can only be selected once per battle.",
        "You can only select each Pack Hymn once per battle.",
        "You cannot select the same Pack Hymn more than once per battle.",
        "You cannot select a Pack Hymn you have already selected this battle.",
        "The same Pack Hymn cannot be selected more than once.",
        "No Pack Hymn can be selected more than once per battle.",
    ],
)
def test_how_often_each_option_may_be_chosen(sentence: str) -> None:
    rule = read(f"At the start of the battle round, select one of the following Pack Hymns. {sentence}\nRED HYMN\n"
                "This unit has +1 T.\nGREY HYMN\nThis unit has +1 OC.")  # fmt: skip
    assert rule.status == "full"
    assert rule.limits == (Limit("battle", 1, "option"),)


def test_what_is_not_known_of_a_choice_holds_back_its_options() -> None:
    rule = read(
        "At the start of the battle round, select one of the following Pack Hymns. Zorblat that Hymn with vigour.\n"
        "RED HYMN\nThis unit has +1 T.\nGREY HYMN\nThis unit has +1 OC."
    )
    assert rule.status == "partial"
    assert "not understood" in describe(rule).split("choose of")[1].split("add T 1")[0]
    assert "not understood" in describe(rule).split("GREY HYMN")[1].split("add OC 1")[0]


def test_a_heading_written_otherwise_is_no_option() -> None:
    rule = read(
        "In your Command phase, select one of the following abilities to be active for Ash Guard units from your army "
        "until the start of your next Command phase.\nRED HYMN\nThis unit has +1 T.\nGREY HYMN\nThis unit has +1 OC.\n"
        "Battle Plan\nVehicle units from your army have the Stealth ability."
    )
    assert rule.status == "full"
    give = rule.clauses[0].do[0]
    assert isinstance(give, Give)
    choose = give.do[0]
    assert isinstance(choose, Choose)
    assert [option.name for option in choose.options] == ["RED HYMN", "GREY HYMN"]
    assert "stealth" in describe(rule).rsplit("GREY HYMN", 1)[1]


def test_a_choice_with_nothing_below_it_is_not_understood() -> None:
    assert read("At the start of the battle round, select one of the following Pack Hymns.").status != "full"


def test_a_name_that_ends_with_a_mark_may_end_a_sentence() -> None:
    rule = read(
        "Once per battle, you can call a Grand Hurrah! If you do, until the end of the turn, this unit has +1 T."
    )
    assert rule.status == "full"
