"""The sessions on the pages run, and what the pages point at is there."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted((ROOT / "docs").glob("*.md"))


def test_there_are_pages() -> None:
    assert {"rules-as-data.md", "battle.md"} <= {page.name for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_sessions_run(page: Path) -> None:
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=flags, encoding="utf-8")
    assert tried > 3
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_points_at_is_there(page: Path) -> None:
    words = re.findall(r"`(battlewright(?:\.\w+)+|rulestext/[\w./]+)`", page.read_text(encoding="utf-8"))
    for word in words:
        place = ROOT / "src" / (word.replace(".", "/") if word.startswith("battlewright") else f"battlewright/{word}")
        assert place.exists() or place.with_suffix(".py").exists(), word
