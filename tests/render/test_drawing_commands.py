"""The commands draw and tell: ``position --svg --map``, ``battle --svg --report``."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree

from click.testing import CliRunner

from battlewright.cli import group

GUARD = {
    "name": "Guard",
    "models": [{"name": "Guard", "count": 1, "profile": {"M": 6, "T": 3, "Sv": "5+", "W": 1, "Ld": "7+", "OC": 2},
                "base": {"shape": "round", "mm": 25}, "weapons": []}],
    "keywords": ["INFANTRY"], "faction_keywords": [], "abilities": [],
}  # fmt: skip
POSITION = {
    "edition": "11e",
    "units": [
        {"id": "a1", "player": "A", "datasheet": GUARD, "models": [{"name": "Guard", "at": [20, 22]}]},
        {"id": "b1", "player": "B", "datasheet": GUARD, "models": [{"name": "Guard", "at": [40, 22]}]},
    ],
    "objectives": [[30, 22]],
}


def run(*words: str):
    return CliRunner().invoke(group, list(words), catch_exceptions=False)


def test_a_position_is_drawn(tmp_path):
    file, drawing = tmp_path / "moment.json", tmp_path / "moment.svg"
    file.write_text(json.dumps(POSITION), encoding="utf-8")
    done = run("position", str(file), "--svg", str(drawing), "--map")
    assert done.exit_code == 0
    table = [line for line in done.output.splitlines() if line.startswith("|")]
    assert table[11][21] == "A"
    assert table[11][41] == "a"
    titles = [node.text for node in ElementTree.parse(drawing).iter("{http://www.w3.org/2000/svg}title")]
    assert any("Guard (a1)" in title for title in titles)


def test_a_battle_is_drawn_and_told(tmp_path):
    drawing, told, plain = tmp_path / "end.svg", tmp_path / "battle.md", tmp_path / "battle.txt"
    armies = ("Lone knight", "Lone knight")
    record = tmp_path / "record.jsonl"
    done = run("battle", "--armies", *armies, "--edition", "11e", "--players", "random", "random",
               "--svg", str(drawing), "--report", str(told), "--record", str(record))  # fmt: skip
    assert done.exit_code == 0
    ElementTree.parse(drawing)
    assert told.read_text(encoding="utf-8").startswith("# ")
    assert run("replay", str(record), "--report", str(plain)).exit_code == 0
    assert "BATTLE ROUND 1" in plain.read_text(encoding="utf-8")


def test_a_file_that_cannot_be_written_is_a_fault(tmp_path):
    file = tmp_path / "moment.json"
    file.write_text(json.dumps(POSITION), encoding="utf-8")
    done = CliRunner().invoke(group, ["position", str(file), "--svg", str(tmp_path / "no" / "such.svg")])
    assert "cannot be written" in str(done.exception)


def test_a_battle_on_terrain(tmp_path):
    drawing = tmp_path / "end.svg"
    done = run("battle", "--armies", "Lone knight", "Lone knight", "--edition", "10e", "--layout", "green valley",
               "--players", "random", "random", "--svg", str(drawing))  # fmt: skip
    assert done.exit_code == 0
    titles = [node.text for node in ElementTree.parse(drawing).iter("{http://www.w3.org/2000/svg}title")]
    assert titles.count("wood") == 4
