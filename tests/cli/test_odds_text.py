"""The answer for people: framed, no line longer than the terminal, every note there."""

from __future__ import annotations

import pytest

from battlewright.attack.ask import ask
from battlewright.attack.matchup import Moment
from battlewright.cli.layout import plain
from battlewright.cli.odds_text import lines_of


@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_line_is_longer_than_the_terminal_and_the_frame_closes(width: int) -> None:
    reply = ask(
        "Canis Rex", "Kasrkin + Sir Hekhtur", moment=Moment(distance=12), explain=True, advice=True, then=["melee"]
    )
    lines = [plain(line) for line in lines_of(reply, max(width, 80))]
    assert all(len(line) <= max(width, 80) for line in lines)
    assert {len(line) for line in lines} == {len(lines[0])}, "a closed frame"
    assert lines[0].startswith("╭")
    assert lines[-1].startswith("╰")


def test_every_note_and_rule_is_told() -> None:
    reply = ask("Kasrkin", "Canis Rex", rules=["Aim: This unit's attacks have +1 to hit rolls."])
    text = " ".join(" ".join(plain(line).strip("│ ") for line in lines_of(reply, 90)).split())
    assert "counted Kasrkin, Aim: +1 to hit rolls" in text
    for note in reply.notes:
        assert " ".join(note.split()) in text
    assert all(rule in text for rule in reply.cites)


def test_a_single_model_is_shown_by_its_wounds() -> None:
    text = "\n".join(plain(line) for line in lines_of(ask("Kasrkin", "Canis Rex"), 80))
    assert "damage  chance" in text
    text = "\n".join(plain(line) for line in lines_of(ask("Canis Rex", "Kasrkin"), 80))
    assert "models slain  chance" in text


def test_what_is_certain_is_not_nearly_certain() -> None:
    (first, *_) = [
        line for line in map(plain, lines_of(ask("Kasrkin", "Kasrkin"), 90)) if "or more" in line or " 0 " in line
    ][1:]
    assert "100.0 %" in first


def test_the_title_tells_every_activation() -> None:
    reply = ask("Canis Rex", "Kasrkin", then=["melee", "Sir Hekhtur"])
    (title, *_) = (plain(line) for line in lines_of(reply, 120))
    assert "Canis Rex shoots at Kasrkin, then fights it, then Sir Hekhtur shoots at it (11e)" in title


def test_what_else_a_weapon_is_stands_in_words() -> None:
    lines = [plain(line) for line in lines_of(ask("Kasrkin", "Boyz", moment=Moment(distance=12)), 90)]
    (pistol,) = (line for line in lines if "laspistol" in line)
    assert pistol.strip("│ ").endswith("D1, pistol")
