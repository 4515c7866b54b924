"""The ``odds``, ``read``, ``find`` and ``schema`` commands from outside; bad input is one line a fault and status 2."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from battlewright.cli import main
from battlewright.cli.schema import FORMS

PAGE = """Emberborn – Ash Wardens
RANGED WEAPONS | RANGE | A | BS | S | AP | D | |
| Cinder gun [rapid fire 1] | |||||||
| Cinder gun [rapid fire 1] | 24" | 1 | 3+ | 4 | -1 | 1 | |
UNIT COMPOSITION
- 5 Ash Wardens
Every Ash Warden is equipped with: cinder gun.
KEYWORDS: INFANTRY, ASH WARDENS
"""


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The installed command, in this process."""

    def call(*args: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["battlewright", *args])
        status = 0
        try:
            main()
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else 1
        return Done(status, *capsys.readouterr())

    return call


def outside(*args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The same as a process of its own."""
    return subprocess.run([sys.executable, "-m", "battlewright", *args], input=stdin, capture_output=True, check=False)


def test_names_give_an_answer_for_people() -> None:
    done = outside("odds", "kasrkin", "canis rex", "--range", "12")
    text = done.stdout.decode()
    assert done.returncode == 0
    assert done.stderr == b""
    for words in ("Kasrkin", "Canis Rex", "Hot-shot lasgun", "unit destroyed", "█", "05.01"):
        assert words in text


def test_json_is_json_only(run: Run) -> None:
    done = run("odds", "Kasrkin", "Canis Rex", "--json")
    answer = json.loads(done.stdout)
    assert answer["edition"] == "11e"
    assert answer["attacker"]["name"] == "Kasrkin"
    assert sum(answer["damage_dist"].values()) == pytest.approx(1)
    assert {"rules", "cites", "assumed", "notes", "p_destroyed"} <= set(answer)


def test_a_table_takes_every_word_after_against(run: Run) -> None:
    done = run("odds", "Kasrkin", "Canis Rex", "--against", "Kasrkin", "Sir Hekhtur", "--half-range", "--json")
    found = json.loads(done.stdout)
    assert found["attackers"] == ["Kasrkin", "Canis Rex"]
    assert found["targets"] == ["Kasrkin", "Sir Hekhtur"]
    assert len(found["cells"]) == 4


def test_find_and_schema(run: Run) -> None:
    found = json.loads(run("find", "--keyword", "vehicle", "--edition", "10e", "--json").stdout)
    assert {"Imperial Rhino", "Chaos Questoris Knight Magaera"} <= {row["name"] for row in found}
    assert all("vehicle" in map(str.casefold, row["keywords"]) for row in found)
    both = json.loads(run("find", "--keyword", "vehicle", "titanic", "--edition", "10e", "--json").stdout)
    assert {row["name"] for row in both} == {"Chaos Questoris Knight Magaera"}
    for name in FORMS:
        assert "$defs" in json.loads(run("schema", name).stdout)
    schema = json.loads(run("schema", "datasheet").stdout)
    assert "strength" in schema["$defs"]["Weapon"]["properties"]


def test_read_prints_the_published_form(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "page.txt"
    file.write_text(PAGE, encoding="utf-8")
    done = run("read", str(file), "--json")
    reading = json.loads(done.stdout)
    assert done.returncode == 0
    assert set(reading) >= {"kind", "format", "edition", "faults", "unread", "missing", "notes", "datasheets", "roster"}
    assert reading["datasheets"][0]["weapons"][0]["abilities"] == [{"name": "rapid fire", "amount": 1}]
    assert outside("read", "-", "--json", stdin=PAGE.encode()).returncode == 0


FILES = {
    "ability.txt": PAGE.replace("rapid fire 1", "frobnicate 2").encode(),
    "skill.txt": PAGE.replace("| 3+ |", "| 9+ |").encode(),
    "dice.txt": PAGE.replace('24" | 1 |', '24" | D7+ |').encode(),
    "cut.txt": PAGE[: PAGE.index("| 3+ |")].encode(),
    "binary.txt": bytes(range(256)) * 40,
    "empty.txt": b"",
    "words.txt": b"nothing of the kind",
    "large.txt": b"x" * 50_000_000,
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_at_fault_is_one_line_and_status_2(run: Run, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(FILES[name])
    for args in (("odds", str(file), "Kasrkin"), ("odds", "Kasrkin", str(file)), ("read", str(file))):
        done = run(*args)
        lines = done.stderr.strip().splitlines()
        assert done.returncode == 2, args
        assert len(lines) == 1, lines
        assert name in lines[0]
        if args[0] == "odds":
            assert done.stdout == ""


def test_a_page_in_another_encoding_is_read(run: Run, tmp_path: Path) -> None:
    for encoding in ("utf-16", "cp1252", "utf-8-sig"):
        file = tmp_path / f"{encoding}.txt"
        file.write_bytes(PAGE.replace("Ash", "Äsh").encode(encoding))
        reading = json.loads(run("read", str(file), "--json").stdout)
        assert reading["datasheets"][0]["name"] == "Äsh Wardens"


@pytest.mark.parametrize(
    "args",
    [
        ("odds",),
        ("odds", "Kasrkin"),
        ("odds", "Kasrkin", "Canis Rex", "Sir Hekhtur"),
        ("odds", "Kasrkin", "nobody at all"),
        ("odds", "Kasrkin", "Imperial Rhino"),
        ("odds", "Kasrkin", "Canis Rex", "--range", "far"),
        ("odds", "Kasrkin", "Canis Rex", "--with", "spoon"),
        ("odds", "Kasrkin", "Canis Rex", "--stats", "T 4"),
        ("odds", "Kasrkin", "Canis Rex", "--edition", "9e"),
        ("odds", "Kasrkin", "no/such/file.txt"),
        ("odds", "--against", "Kasrkin"),
        ("odds", "Kasrkin", "--then", "melee", "--explain", "--against", "Kasrkin"),
        ("odds", "Kasrkin", "Canis Rex", "--csv"),
        ("odds", "--request", "no-such-file.json"),
        ("read", "no-such-file.txt"),
        ("schema", "nothing"),
        ("schema",),
        ("odds", "", "Kasrkin"),
        ("odds", "#", "Kasrkin"),
        ("odds", "Kasr\nkin", "Kasrkin"),
        ("odds", "Kasrkin" * 1000, "Kasrkin"),
        ("odds", "Kasrkin", "Canis Rex", "--then", ""),
        ("odds", "Kasrkin", "Canis Rex", "--range", "nan"),
        ("odds", "Kasrkin", "Canis Rex", "--melee", "--range", "nan"),
        ("reference", ""),
        ("reference", "Kasrkin" * 1000),
        ("read", "Kasrkin" * 1000),
    ],
)
def test_a_question_at_fault_is_told_and_nothing_else(run: Run, args: tuple[str, ...]) -> None:
    done = run(*args)
    lines = done.stderr.strip().splitlines()
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert lines
    assert all("Traceback" not in line and " @ " in line for line in lines), lines


def test_a_request_at_fault_names_every_fault() -> None:
    request = {
        "edition": "11e",
        "attack": {"weapons": [{"skill": 9, "S": 4, "A": "D7+", "frobnicate": 1}]},
        "target": {"groups": []},
    }
    done = outside("odds", "--request", "-", "--json", stdin=json.dumps(request).encode())
    assert done.returncode == 2
    assert done.stdout == b""
    assert len(done.stderr.decode().strip().splitlines()) == 4


def test_explain_and_advice_are_shown(run: Run) -> None:
    text = run("odds", "Canis Rex", "Kasrkin", "--range", "12", "--cover", "--explain", "--advice").stdout
    assert "what it is worth" in text
    assert "cover of the target (13.08)" in text
    answer = json.loads(run("odds", "Canis Rex", "Kasrkin", "--cover", "--explain", "--json").stdout)
    assert min(each["damage"] for each in answer["worth"]) < 0, "cover costs the attacker damage"
