"""The README's sessions run, and every command it and the help name exists."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from battlewright.cli import COMMANDS

ROOT = Path(__file__).parent.parent.parent
README = ROOT / "README.md"


def test_python_session() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 3
    assert failed == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_are_documented(name: str) -> None:
    assert f"battlewright {name}" in README.read_text(encoding="utf-8")


def test_no_command_that_is_not() -> None:
    named = set(re.findall(r"battlewright (\w+)", README.read_text(encoding="utf-8")))
    assert named - {"as"} <= set(COMMANDS)
