"""A builder that is handed what it was not made for is a fault of ours: noted, unread, and never a traceback."""

from __future__ import annotations

import ast

import pytest

from battlewright.rulestext import build
from battlewright.rulestext.frames import steps_of
from battlewright.rulestext.language import grammar


def test_a_re_roll_of_one_of_several_rolls_may_be_for_it() -> None:
    text = (
        "Each time this model is selected to shoot, you can re-roll one Hit roll, one Wound roll or one Damage roll made"
        " for it."
    )
    rule, reading = build.read(text)
    assert rule.status == "full"
    assert reading is not None
    assert not reading.context.faults


def test_a_builder_that_fails_leaves_the_words_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    language = grammar()
    monkeypatch.setattr(type(language), "builder", lambda self, frame: lambda c, **values: values["nothing"])
    rule, reading = build.read("Each time this model makes an attack, add 1 to the Hit roll.")
    assert rule.status == "none"
    assert rule.unread
    assert reading is not None
    assert reading.context.faults


#: kinds of parts that always change what a rule means
_TELLING = {"conds", "vps", "adjps", "places", "amount", "dist", "window", "limit"}


def test_what_tells_something_is_used() -> None:
    language = grammar()
    lost = []
    for frame, pattern in zip(language.frames, language.patterns, strict=True):
        used = {node.id for node in ast.walk(ast.parse(frame.expression, mode="eval")) if isinstance(node, ast.Name)}
        if frame.expression in ("None", "said(c)") or "instead of" in frame.pattern:  # other words for what was said
            continue
        lost += [
            (frame.where, frame.pattern)
            for form, kind, name in steps_of(pattern)
            if form == "nt" and kind in _TELLING and name not in used
        ]
    assert not lost
