"""Texts and what they say, from a file beside the tests."""

from __future__ import annotations

from pathlib import Path

from battlewright.effects import Rule
from battlewright.effects_words import describe, parse, words_of


def written(name: str) -> list[tuple[str, str]]:
    """(text, words of its clauses), a paragraph each; lines of words begin with an arrow."""
    paragraphs = Path(__file__).with_name(name).read_text(encoding="utf-8").split("\n\n")
    found = []
    for paragraph in paragraphs:
        lines = [line for line in paragraph.strip().splitlines() if not line.startswith("#")]
        text = "\n".join(line for line in lines if not line.startswith("=> "))
        words = "\n".join(line.removeprefix("=> ") for line in lines if line.startswith("=> "))
        found += [(text, words)] if text else []
    return found


def says(rule: Rule, words: str) -> None:
    """The rule is read whole, its clauses say these words, and it reads back as itself."""
    assert rule.status == "full", rule.unread
    assert "\n".join(words_of(clause) for clause in rule.clauses) == words
    assert parse(describe(rule)) == rule
