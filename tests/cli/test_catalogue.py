"""``battlewright catalogue``: add, list, remove, and look-ups that then find the units."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from battlewright.cli import group
from battlewright.errors import BadInput

sys.path.insert(0, str(Path(__file__).parent.parent / "formats"))
import invented_catalogue as invented


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "emberborn").mkdir()
    invented.write_json(tmp_path / "emberborn")
    return tmp_path / "emberborn"


def run(*words: str) -> Result:
    return CliRunner().invoke(group, list(words), catch_exceptions=True)


def test_add_list_find_remove(folder: Path) -> None:
    added = run("catalogue", "add", str(folder))
    assert added.exit_code == 0, added.output
    assert "added emberborn 11e (11e, battlescribe)" in added.output
    assert "     3 datasheets" in added.output
    assert "not understood:" in added.output
    assert "Lost thing" in added.output
    assert "1. emberborn 11e (11e, battlescribe, 3 datasheets)" in run("catalogue", "list").output
    assert (
        "Ash Wardens (11e, Emberborn, 90 points; emberborn 11e)"
        in run("find", "-k", "Battleline", "-f", "Emberborn").output
    )
    assert run("catalogue", "remove", "emberborn 11e").exit_code == 0
    assert "none; they would be kept in" in run("catalogue", "list").output


def test_json_only_on_standard_output(folder: Path) -> None:
    added = json.loads(run("catalogue", "add", str(folder), "--name", "mine", "--json").stdout)
    assert (added["name"], added["edition"], added["counts"]["datasheets"]) == ("mine", "11e", 3)
    assert any("Lost thing" in loss for loss in added["losses"])
    (listed,) = json.loads(run("catalogue", "list", "--json").stdout)
    assert listed["name"] == "mine"


def test_the_dataset_of_the_extra_shows_its_credit_line() -> None:
    pytest.importorskip("wh40kdc", reason="the extra [data] is not installed")
    added = run("catalogue", "add", "wh40kdc")
    assert added.exit_code == 0, added.output
    assert "Powered by 40kdc-data" in added.output
    listed = run("catalogue", "list").output
    assert "Powered by 40kdc-data" in listed
    assert "no rules text, so asked after the others" in listed


def test_a_credit_line_is_shown_wherever_the_data_is_used(tmp_path: Path) -> None:
    """Its words and address as the dataset's README asks; nothing of it where other data answers."""
    from battlewright.catalogue import store
    from battlewright.datasheet import Datasheet, ModelEntry, Profile
    from battlewright.formats.fortykdc import CREDIT

    assert "Powered by 40kdc-data" in CREDIT
    assert "https://40kdc.alpacasoft.dev" in CREDIT
    profile = Profile(M=6, T=4, Sv=3, W=2, Ld=6, OC=1)
    store.put("other data", "11e", [Datasheet("Soot Hauler", "11e", models=(ModelEntry("Soot Hauler", 1, 1, profile),))],
              credit=CREDIT)  # fmt: skip
    (tmp_path / "list.txt").write_text("Soot Hauler (90 pts)\nSoot Hauler (90 pts)\n")
    hauler = f"{tmp_path / 'list.txt'}#Soot Hauler"
    for words in (
        ("find", "soot"),
        ("reference", "Soot Hauler"),
        ("roster", str(tmp_path / "list.txt"), "--edition", "11e"),
        ("odds", "Kasrkin", "Soot Hauler", "--json"),
        ("odds", "Kasrkin", hauler, "--json"),
        ("odds", "Kasrkin", "--against", "Soot Hauler"),
        ("battle", "--armies", str(tmp_path / "list.txt"), str(tmp_path / "list.txt"), "--edition", "11e"),
    ):
        assert CREDIT in " ".join(run(*words).output.split()), words
    assert CREDIT not in run("reference", "Kasrkin").output
    assert CREDIT not in run("odds", "Kasrkin", "Canis Rex", "--json").output


def test_what_is_no_catalogue_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path, words in ((tmp_path / "none", "no such file"), (tmp_path / "empty", "an empty folder")):
        result = run("catalogue", "add", str(path))
        assert isinstance(result.exception, BadInput)
        assert words in str(result.exception)
    assert isinstance(run("catalogue", "remove", "x").exception, BadInput)
