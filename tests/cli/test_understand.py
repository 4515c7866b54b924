"""``battlewright understand``: single texts, JSON Lines, faults."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from battlewright.cli.understand import command
from battlewright.errors import BadInput

LINES = [
    {
        "id": "a",
        "edition": "10e",
        "kind": "unit-ability",
        "name": "Aim",
        "text": "Each time this model makes an attack, add 1 to the Hit roll.",
    },
    {"id": "b", "edition": "11e", "kind": "other", "name": "Juggle (Aura)", "text": "Juggle three eggs."},
]


def run(*arguments: str, text: str = "") -> list[str]:
    result = CliRunner().invoke(command, list(arguments), input=text, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output.splitlines()


def test_json_lines_give_a_line_each() -> None:
    rows = [json.loads(line) for line in run("-", "--json", text="\n".join(map(json.dumps, LINES)))]
    assert [(row["id"], row["status"], row["families"]) for row in rows] == [
        ("a", "full", ["roll_mod"]),
        ("b", "none", []),
    ]
    assert rows[1]["unread"] == ["Juggle three eggs"]
    assert rows[0]["rule"]["name"] == "Aim"


def test_a_single_text_and_what_was_not_understood(tmp_path: Path) -> None:
    file = tmp_path / "rule.txt"
    file.write_text("This unit has the Stealth ability. Juggle three eggs.", encoding="utf-8")
    assert run(str(file)) == ["text: partial; grant", "  not understood: Juggle three eggs"]
    assert run(str(file), "--explain")[-1].startswith("This unit has")


def test_what_may_be_read_otherwise_is_said(tmp_path: Path) -> None:
    file = tmp_path / "rule.txt"
    text = 'Roll one D6 for each enemy unit within 9" of one or more models with this ability: on a 3+, you gain 1CP.'
    file.write_text(text, encoding="utf-8")
    *_, whole, other = run(str(file), "--explain")
    assert whole == text
    assert other.startswith("  also readable as: roll D6 for <enemy unit ((having “this ability” and")
    assert other.endswith('(“within 9" of one or more models with this ability”)')


def test_every_broken_line_is_a_fault() -> None:
    with pytest.raises(BadInput) as fault:
        CliRunner().invoke(command, ["-", "--json"], input='{"text": 1}\n{"id": "x"}\n', catch_exceptions=False)
    assert len(fault.value.faults) == 2


def test_a_missing_file_is_a_fault() -> None:
    with pytest.raises(BadInput):
        CliRunner().invoke(command, ["/nowhere/at/all"], catch_exceptions=False)


def test_commands_that_read_no_text_load_no_grammar() -> None:
    code = "import sys, battlewright, battlewright.cli, battlewright.cli.understand, battlewright.rulestext; "
    code += "assert not any(name.startswith('battlewright.rulestext.') for name in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
