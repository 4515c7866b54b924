"""Texts nobody wrote, made of the parts of texts that are read: a seeded slice of ``benchmarks/recombine.py``."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "recombine.py"

#: of the texts of each mould: how many percent at least are read in full, and do exactly what their parts do
FLOORS = {
    "head_and_effect": (90, 82),
    "two_heads": (90, 90),
    "condition_inside": (92, 92),
    "effects_to_choose": (95, 95),
    "selection_and_sequel": (92, 90),
    "stratagem": (92, 82),
    "other_bearer": (90, 88),
    "other_phrase": (88, 82),
}
TRIES = 60


@pytest.fixture(scope="module")
def recombine() -> ModuleType:
    spec = spec_from_file_location("recombine", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["recombine"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
def test_parts_put_together_again_are_read(recombine: ModuleType, shared: Path) -> None:
    parts = recombine.harvest(shared / "corpus")
    verdicts: dict[str, list[tuple[bool, bool]]] = {}
    for name, trial in recombine.trials(parts, 7, TRIES, FLOORS):
        verdict = recombine.judge(trial)
        verdicts.setdefault(name, []).append((verdict.full, verdict.same))
        if not verdict.same:
            print(name, verdict.fault, trial.text)
    for name, (full, same) in FLOORS.items():
        rows = verdicts[name]
        assert 100 * sum(row[0] for row in rows) >= full * len(rows), name
        assert 100 * sum(row[1] for row in rows) >= same * len(rows), name


def test_a_sentence_is_split_by_its_words(recombine: ModuleType) -> None:
    heads, rest = recombine.split_heads("Once per turn, when it is set up, if it is hidden, roll one D6")
    assert [sort for _, sort in heads] == ["once", "when", "if"]
    assert rest == "roll one D6"


def test_what_is_done_is_told_from_when(recombine: ModuleType) -> None:
    rule = recombine.whole("In your Shooting phase, this unit has the Stealth ability.")
    (deed,) = recombine.deeds(rule)
    assert type(deed.does).__name__ == "Grant"
    assert [type(fact).__name__ for fact in deed.under] == ["During"]
