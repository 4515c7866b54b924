"""``battlewright roster``: the published form, the text for people, other forms, and bad input in one line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from battlewright.catalogue.resolve import Resolved
from battlewright.cli import main
from battlewright.cli.roster_text import missing_lines
from battlewright.roster import Roster

LIST = """Slow burn (205 points)

Emberborn
Strike Force (2000 points)
Kiln Guard (3 Detachment Points)
Force Dispositions: Purge the Foe

CHARACTERS

Ash Seer (95 points)
  • Warlord
  • 1x Coal rod
  • Enhancement: Crown of Soot

OTHER DATASHEETS

Cinder Hulk (110 points)
  • 2x Kiln cannon
what is this?
"""


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *args: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["battlewright", *args])
    try:
        main()
    except SystemExit as stop:
        return (stop.code if isinstance(stop.code, int) else 1, *capsys.readouterr())
    return (0, *capsys.readouterr())


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "list.txt"
    file.write_text(LIST, encoding="utf-8")
    return str(file)


def test_json(path: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    status, out, err = run(capsys, monkeypatch, "roster", path, "--json")
    found = json.loads(out)
    assert (status, err) == (0, "")
    assert (found["legal"], found["points"], found["problems"]) == (True, 205, [])
    assert [unit["name"] for unit in found["units"]] == ["Ash Seer", "Cinder Hulk"]
    assert (found["units"][0]["enhancement"], found["units"][0]["warlord"]) == ("Crown of Soot", True)
    assert all({"rule", "words", "where"} == set(problem) for problem in found["not_checked"])
    assert found["not_checked"]
    assert any("datasheet of Ash Seer" in said for said in found["missing"])


def test_a_fault_has_its_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "list.txt"
    file.write_text(LIST.replace("110", "2110"), encoding="utf-8")
    found = json.loads(run(capsys, monkeypatch, "roster", str(file), "--json")[1])
    assert not found["legal"]
    said = {(problem["rule"], problem["words"]) for problem in found["problems"]}
    assert ("11e 25.03", "2205 points, Strike Force allows 2000") in said
    assert ("11e 25.01", "the units cost 2205 points, the list states 205") in said


def test_what_is_missing_is_told_a_kind_a_line_with_the_way_to_give_it() -> None:
    said = ("base size of Ash Seer", "base size of Hulk", "datasheet of Moth: none", "datasheet of Lord of Ash: none")
    assert missing_lines(Resolved(Roster(edition="11e"), missing=said)) == [
        "base size of Ash Seer, Hulk",
        "datasheet of Moth, Lord of Ash: none",
        "add a catalogue of the 11e that has them (battlewright catalogue add PATH)",
    ]
    assert missing_lines(Resolved(Roster(), missing=("edition",))) == ["edition"]


def test_for_people(path: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    status, out, _ = run(capsys, monkeypatch, "roster", path)
    assert status == 0
    for words in (
        "Slow burn",
        "205 points of 2000",
        "Cinder Hulk",
        "2 Kiln cannon",
        "Crown of Soot",
        "Not checked",
        "25.04",
    ):
        assert words in out


def test_read_for_people(path: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    status, out, _ = run(capsys, monkeypatch, "read", path)
    assert status == 0
    for words in (
        "roster, gw-app, edition 11e",
        "205 points of 2000",
        "Cinder Hulk",
        "2 Kiln cannon",
        "not read, line",
    ):
        assert words in out


@pytest.mark.parametrize("form", ["own", "newrecruit", "app"])
def test_other_forms_read_back(
    form: str, path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written = run(capsys, monkeypatch, "roster", path, "--to", form)[1]
    again = tmp_path / "again"
    again.write_text(written, encoding="utf-8")
    one, other = (json.loads(run(capsys, monkeypatch, "roster", file, "--json")[1]) for file in (path, str(again)))
    assert [(unit["name"], unit["points"], unit["models"]) for unit in one["units"]] == [
        (unit["name"], unit["points"], unit["models"]) for unit in other["units"]
    ]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("list.txt", b"hello", "not a datasheet page, catalogue or roster"),
        ("list.json", b'{"roster": {"forces": [', "not clean JSON"),
        ("list.json", b'{"roster": {"forces": [{"selections": []}]}}', "no unit found"),
        ("list.ros", b"<roster><forces>", "not clean XML"),
        ("list.ros", b'<!DOCTYPE roster [<!ENTITY a "b">]><roster>&a;</roster>', "DTD"),
        ("list.rosz", b"PK\x03\x04 no zip", "damaged zip"),
        ("list.txt", b"\x00\x01\x02\x03" * 40, "not a datasheet page"),
        ("list.txt", b"https://x.test/#/listforge/AAAAAAAAAAAAAAAAAAAAAAAA", "listforge"),
    ],
)
def test_bad_input_is_one_clear_line(
    name: str,
    content: bytes,
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    status, out, err = run(capsys, monkeypatch, "roster", str(file))
    assert (status, out) == (2, "")
    assert len(err.strip().splitlines()) == 1
    assert words in err or "listforge" in words
    assert "Traceback" not in err


def test_an_edition_that_is_not_stated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Checked by the newest rules, and that is said; --edition chooses."""
    file = tmp_path / "list.txt"
    file.write_text("1x Ash Seer (95 pts)\n10x Wardens (180 pts)\n", encoding="utf-8")
    found = json.loads(run(capsys, monkeypatch, "roster", str(file), "--json")[1])
    assert found["edition"] is None
    assert found["not_checked"][0]["rule"] == "edition"
    assert {problem["rule"][:3] for problem in found["problems"]} == {"11e"}
    tenth = json.loads(run(capsys, monkeypatch, "roster", str(file), "--edition", "10e", "--json")[1])
    assert {problem["rule"][:3] for problem in tenth["problems"]} == {"10e"}
