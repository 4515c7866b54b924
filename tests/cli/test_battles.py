"""The commands that play: battle, replay, position."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from battlewright.cli import group
from battlewright.errors import BadInput

ARMIES = ["--armies", "Ranger post", "Ranger post", "--edition", "10e", "--players", "random", "random"]


def run(*words: str, stdin: str | None = None) -> str:
    result = CliRunner().invoke(group, list(words), input=stdin, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_battle_tells_who_won_and_what_was_not_enforced() -> None:
    told = json.loads(run("battle", *ARMIES, "--seed", "3", "--json"))
    assert set(told) >= {
        "winner", "vp", "rounds", "decisions", "windows", "events", "seconds", "refused", "hash", "rules_not_enforced",
    }  # fmt: skip
    assert told["rounds"] == 5
    assert told["refused"] == 0
    assert any("Doctrina Imperatives" in name for name in told["rules_not_enforced"])
    again = json.loads(run("battle", *ARMIES, "--seed", "3", "--json"))
    assert again["hash"] == told["hash"]
    assert json.loads(run("battle", *ARMIES, "--seed", "4", "--json"))["hash"] != told["hash"]


def test_a_record_replays_to_the_same_end_and_to_any_moment(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    told = json.loads(run("battle", *ARMIES, "--seed", "5", "--record", str(record), "--json"))
    again = json.loads(run("replay", str(record), "--json"))
    assert again["hash"] == told["hash"]
    assert again["vp"] == told["vp"]
    part = json.loads(run("replay", str(record), "--until", "10", "--json"))
    assert part["decisions"] == 10
    assert part["winner"] is None


def test_the_event_log_is_json_lines_with_causes(tmp_path: Path) -> None:
    events = tmp_path / "events.jsonl"
    run("battle", *ARMIES, "--seed", "5", "--events", str(events))
    lines = [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()]
    dice = [line for line in lines if line["event"]["type"] == "Rolled"]
    assert dice
    assert all(line["event"]["purpose"] and line["event"]["faces"] for line in dice)
    assert any(line["cause"].startswith("shoot_unit.") for line in lines)


def test_the_shipped_armies_are_listed_and_all_play() -> None:
    rows = json.loads(run("battle", "--list-armies", "--json"))
    assert {row["edition"] for row in rows} == {"10e", "11e"}
    assert all(row["points"] and row["units"] for row in rows)


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["battle"], "two armies expected @ --armies"),
        (["battle", "--armies", "Ranger past", "Ranger post"], "did you mean"),
        (["battle", "--armies", "Ranger post", "Ranger post", "--mission", "Chess"], "no such mission"),
        (
            ["battle", "--armies", "Ranger post", "Ranger post", "--players", "random", "oracle"],
            "no player of that name",
        ),
        (["replay", "/no/such/file"], "cannot be read"),
        (["position", "/no/such/file"], "cannot be read"),
    ],
)
def test_what_is_wrong_with_a_question_is_told(words: list[str], what: str) -> None:
    with pytest.raises(BadInput, match=what):
        CliRunner().invoke(group, words, catch_exceptions=False)


BARE = {
    "edition": "11e",
    "units": [{"id": "k1", "player": "A", "datasheet": "Kasrkin", "models": [{"name": "Kasrkin Trooper"}]}],
}


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"phase": "tea"}, "phase: expected one of"),
        ({"turn": "C"}, "turn: expected A or B"),
        ({"dice": [6, 7]}, r"dice: expected 1..6, got 7 @ \$.dice\[1\]"),
        ({"units": [{"id": "k1", "player": "A", "datasheet": "Nobody"}]}, "no datasheet of that name"),
        ({"units": [{"id": "k 1", "player": "Z", "datasheet": "Kasrkin"}]}, "player: expected A or B"),
        ({"edition": "12e"}, "edition"),
        ({"units": 7}, "units"),
    ],
)
def test_a_faulty_position_is_refused_with_its_faults(change: dict, what: str) -> None:
    with pytest.raises(BadInput, match=what):
        CliRunner().invoke(group, ["position", "-"], input=json.dumps(BARE | change), catch_exceptions=False)


def test_a_position_prints_its_state_and_its_choices(tmp_path: Path) -> None:
    place = {"name": "Kasrkin Trooper", "at": [20, 22]}
    position = {
        "edition": "11e",
        "phase": "movement",
        "units": [
            {"id": "k1", "player": "A", "datasheet": "Kasrkin", "models": [place]},
            {"id": "b1", "player": "B", "datasheet": "Boyz", "models": [{"name": "Boy", "at": [40, 22]}]},
        ],
    }
    told = json.loads(run("position", "-", "--choices", "--json", stdin=json.dumps(position)))
    assert told["decision"]["kind"] == "ChooseUnit"
    assert told["decision"]["player"] == "A"
    assert told["choices"] == ["pass", "select k1"]
    again = json.loads(run("position", "-", "--choices", "--json", stdin=json.dumps(told["position"])))
    assert again["position"] == told["position"]
    assert again["hash"] == told["hash"]


def test_bad_input_from_outside_is_one_line_and_status_2(tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    file.write_text("{", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "battlewright", "position", str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_an_army_of_which_nothing_is_known_is_one_line(tmp_path: Path) -> None:
    """One line names all units without a stat line, and what to do; two armies are told in one go."""
    mine, yours = tmp_path / "mine.txt", tmp_path / "yours.txt"
    for path, name in ((mine, "Soot Hulk"), (yours, "Ash Piper")):
        path.write_text(f"{name} (90 pts)\n{name} (90 pts)\nKiln Mender (80 pts)\n")
    result = CliRunner().invoke(group, ["battle", "--armies", str(mine), str(yours), "--edition", "11e"])
    assert isinstance(result.exception, BadInput)
    assert [str(fault) for fault in result.exception.faults] == [
        f"stat lines not known of {name}, Kiln Mender: add a catalogue of the 11e that has them "
        f"(battlewright catalogue add PATH) @ {path}"
        for path, name in ((mine, "Soot Hulk"), (yours, "Ash Piper"))
    ]


@pytest.mark.parametrize(
    ("armies", "edition", "words"),
    [
        (("Kasrkin patrol", "Strike group"), None, "Kasrkin patrol is of the 11e, Strike group of the 10e"),
        (("Green tide", "Strike group"), "11e", "no shipped army of that name in 11e"),
        (("Green tide", "Green tied"), None, "did you mean Green tide?"),
    ],
)
def test_armies_that_do_not_meet(armies: tuple[str, str], edition: str | None, words: str) -> None:
    more = ["--edition", edition] if edition else []
    result = CliRunner().invoke(group, ["battle", "--armies", *armies, *more])
    assert isinstance(result.exception, BadInput)
    assert words in str(result.exception)


def test_the_newest_edition_that_both_armies_have() -> None:
    from battlewright.battle.armies import two_armies

    rosters, edition = two_armies(["Green tide", "Strike group"])
    assert (edition, [roster.edition for roster in rosters]) == ("10e", ["10e", "10e"])
    assert two_armies(["Green tide", "Lone knight"])[1] == "11e"
