"""How much is understood: of the texts the grammar grew with, and of four factions nobody looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlewright.effects import Unread
from battlewright.rulestext.build import told_once
from battlewright.rulestext.report import HELD_OUT, Report, entries, lines, measure, pattern

#: no number may fall below these: full texts and clauses read, in percent
FLOORS = {
    "tuned": (88, 93),
    "held out": (63.5, 80),
    "tuned, attacks": (90.5, 94),
    "held out, attacks": (73.5, 84),
}


def percents(report: Report, group: str) -> tuple[float, float]:
    score = report.scores[group]
    texts = score.full + score.partial + score.none
    return 100 * score.full / texts, 100 * score.read / (score.read + score.unread)


def test_a_sample_is_understood_as_before(shared: Path) -> None:
    """Every seventh text; the whole corpus is measured by the long test."""
    report = measure(entry for i, entry in enumerate(entries(shared / "corpus")) if i % 7 == 0)
    for group, (full, clauses) in FLOORS.items():
        measured = percents(report, group)
        print(f"{group}: full {measured[0]:.1f} %, clauses {measured[1]:.1f} %")
        assert measured[0] >= full - 5, group
        assert measured[1] >= clauses - 5, group
    assert not report.faults


@pytest.mark.long
def test_the_corpus_is_understood_as_before(shared: Path) -> None:
    report = measure(entries(shared / "corpus"))
    print("\n".join(lines(report, 20)))
    for group, (full, clauses) in FLOORS.items():
        measured = percents(report, group)
        assert measured[0] >= full, group
        assert measured[1] >= clauses, group
    assert not report.faults


def test_the_unread_of_held_out_factions_is_never_listed() -> None:
    faction = next(iter(HELD_OUT))
    entry = {"kind": "unit-ability", "faction": faction, "edition": "10e", "name": "X", "text": "Juggle three eggs."}
    report = measure([entry])
    assert report.scores["held out"].none == 1
    assert not report.patterns


def test_patterns_of_unread_clauses_fold_names_and_numbers() -> None:
    assert pattern("Juggle 3 Red Eggs") == pattern("Juggle 12 BLUE BALLS") == "juggle n kw"


def test_unread_rows_of_capitals_take_no_time() -> None:
    """A row of names is matched a word at a time: so many words, so many steps."""
    text = "Juggle: " + ", ".join(["3 RED EGGS"] * 400) + "; and then bow"
    assert told_once(text, [Unread(text[:20], 0, 20), Unread(text[20:], 20, len(text))])
