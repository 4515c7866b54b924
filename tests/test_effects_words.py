"""Rules as our own words: what is written reads back to the same value, over the whole vocabulary."""

from __future__ import annotations

import gzip
import json
import types
import typing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from battlewright import effects as fx
from battlewright.codec import from_json, to_json
from battlewright.dice import Dice
from battlewright.effects_words import TEMPLATES, describe, parse, read_words, words_of
from battlewright.errors import Unparsed
from battlewright.rulestext import build

STRUCTS = [
    one
    for one in vars(fx).values()
    if isinstance(one, type) and issubclass(one, msgspec.Struct) and one not in (msgspec.Struct, fx.Base, fx.Tagged)
]
TEXTS = st.text(alphabet="ab CD”“\\'’,;:()[]<>–·\n1+ ", max_size=8)
DICE = st.builds(Dice, st.integers(0, 3), st.sampled_from([3, 6]), st.integers(0, 9))


def values(hint: Any, depth: int) -> st.SearchStrategy[Any]:
    """Any value of a field's type; below the depth only what needs no further struct, where it can be."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        plain = [one for one in inner if not is_struct(one)]
        structs = [one for one in inner if is_struct(one)]
        if depth <= 0 and (plain or fx.BattleShocked in structs or fx.IsWarlord in structs):
            structs = [one for one in structs if one in (fx.BattleShocked, fx.Static, fx.Destroy)] if not plain else []
        elif depth <= 0:
            structs = [one for one in structs if one in (fx.Static, fx.Destroy)] or structs
        return st.one_of([values(one, depth) for one in (*plain, *structs)])
    if origin is tuple:
        return st.lists(values(inner[0], depth), max_size=0 if depth <= 0 and is_struct(inner[0]) else 2).map(tuple)
    if origin is typing.Literal:
        return st.sampled_from(inner)
    simple: dict[Any, st.SearchStrategy[Any]] = {
        str: TEXTS,
        int: st.integers(-3, 99),
        bool: st.booleans(),
        Dice: DICE,
        type(None): st.none(),
    }
    return simple[hint] if hint in simple else structs_of(hint, depth - 1)


def is_struct(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, msgspec.Struct)


def structs_of(kind: Any, depth: int) -> st.SearchStrategy[Any]:
    hints = typing.get_type_hints(kind)
    fields = msgspec.structs.fields(kind)
    needed = {one.name: values(hints[one.name], depth) for one in fields if one.required}
    free = {one.name: st.deferred(lambda one=one: values(hints[one.name], depth)) for one in fields if not one.required}
    return st.fixed_dictionaries(needed, optional=free if depth > -2 else {}).map(lambda parts: kind(**parts))


@pytest.mark.parametrize("kind", STRUCTS, ids=lambda kind: kind.__name__)
def test_every_type_reads_back(kind: Any) -> None:
    @settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(structs_of(kind, 1))
    def reads_back(value: Any) -> None:
        words = words_of(value)
        assert read_words(words, kind) == value, words

    reads_back()


def test_templates_are_of_the_vocabulary() -> None:
    assert {one.__name__ for one in TEMPLATES} <= {one.__name__ for one in STRUCTS}


def test_what_is_no_rule_is_refused_with_the_place() -> None:
    rule = fx.Rule("Steady", (fx.Clause((fx.RollMod("hit", fx.Amount()),)),))
    words = describe(rule)
    assert parse(words) == rule
    with pytest.raises(Unparsed) as error:
        parse(words.replace("to hit", "to hitt"))
    assert error.value.span[0] >= words.index("to hit")


def test_what_is_not_in_the_vocabulary_has_no_words() -> None:
    wrong = fx.RollMod("luck", fx.Amount())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'luck' is not in the vocabulary"):
        words_of(wrong)


def test_no_reading_makes_what_is_not_in_the_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Each time this model makes an attack, add 1 to the Hit roll."
    assert build.compile(text).status == "full"
    for wrong in (fx.RollMod("luck", fx.Amount()), None):  # type: ignore[arg-type]
        clause = fx.Clause((wrong,))  # type: ignore[arg-type]
        monkeypatch.setattr(build, "as_clauses", lambda effects, clause=clause: (clause,))
        rule = build.compile(text)
        assert (rule.status, rule.clauses, rule.unread[0].text) == ("none", (), text)


def compiled(shared: Path, step: int) -> list[fx.Rule]:
    from battlewright.rulestext import compile as compile_text

    with gzip.open(shared / "corpus" / "rules-text-dev.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file][::step]
    return [compile_text(row["text"], name=row["name"], kind=row["kind"], edition=row["edition"]) for row in rows]


def check_all(rules: list[fx.Rule]) -> None:
    for rule in rules:
        words = describe(rule)
        assert parse(words) == rule, words
        assert from_json(to_json(rule), fx.Rule) == rule


def test_compiled_rules_read_back(shared: Path) -> None:
    check_all(compiled(shared, 17))


@pytest.mark.long
def test_every_compiled_rule_reads_back(shared: Path) -> None:
    check_all(compiled(shared, 1))
