"""The grammar files follow their notation; what does not is told with its place."""

from __future__ import annotations

import re
from collections import Counter
from importlib import import_module
from inspect import getmembers, isfunction
from pkgutil import iter_modules

import pytest

from battlewright import effects
from battlewright.rulestext import builders, frames, layout
from battlewright.rulestext.build import grammar
from battlewright.rulestext.frames import BadGrammar, Grammar, make_grammar, read_frames
from battlewright.rulestext.parse import Parser
from battlewright.rulestext.tokens import tokenise


def made(text: str) -> Grammar:
    return make_grammar(list(read_frames(text, "own.frames")), {"pair": lambda *parts: parts}, {})


def test_every_frame_of_the_grammar_is_sound() -> None:
    grammar().check()


def test_a_builder_has_one_meaning_over_all_modules() -> None:
    names: Counter[str] = Counter()
    for module in iter_modules(builders.__path__):
        where = f"{builders.__name__}.{module.name}"
        found = getmembers(import_module(where), isfunction)
        names.update(name for name, value in found if not name.startswith("_") and value.__module__ == where)
    assert len(names) > 200
    assert [name for name, times in names.items() if times > 1 or hasattr(effects, name)] == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("  a => 1", "a frame before any kind"),
        ("effect:\n  a b", "no '=>'"),
        ("effect:\n  (a b => 1", "a bracket is not closed"),
        ("effect:\n  a) b => 1", "unbalanced brackets"),
        ("effect:\n  a? => 1", "may not be empty"),
        ("effect:\n  a {n:nothing} => n", "no kind, token or matcher 'nothing'"),
        ("effect:\n  a => unknown", "unknown name 'unknown'"),
        ("effect:\n  a => pair.__class__", "private"),
        ("effect:\n  a => [x for x in c]", "not allowed"),
        ("effect:\n  a => __builtins__", "unknown name"),
        ("effect:\n  a => pair(", "own.frames:2"),
    ],
)
def test_a_bad_frame_is_told_with_its_place(text: str, told: str) -> None:
    with pytest.raises(BadGrammar, match=r"own\.frames:") as found:
        made(text).check()
    assert told in str(found.value)


def test_options_are_tried_in_every_row_and_the_earlier_frame_wins() -> None:
    small = made("effect:\n  a b? (c|d e)[s] => 1\n  a {n:tail} => 2\ntail:\n  b c => 3\n")
    tokens = tokenise("a b c")
    tree = Parser(small, tokens).whole("effect", 0, 3)
    assert tree is not None
    assert small.frames[tree.frame].expression == "1"
    for words, ends in {"a c": 2, "a d e": 3, "a b d es": 4, "a cs": 2}.items():
        tokens = tokenise(words)
        assert Parser(small, tokens).whole("effect", 0, ends) is not None, words
    assert Parser(small, tokenise("a b d")).all("effect", 0) == []


def test_no_frame_stands_twice() -> None:
    """The earlier of two would win and the later never be read; what a part is called makes no other frame."""
    stands: dict[tuple[str, str], list[str]] = {}
    for frame in grammar().frames:
        bare = re.sub(r"\{\w+:", "{", frame.pattern)
        stands.setdefault((frame.kind, " ".join(bare.split())), []).append(frame.where)
    assert {pattern: where for pattern, where in stands.items() if len(where) > 1} == {}


def test_no_frame_needs_a_word_that_sentences_leave_out() -> None:
    """ "still", "also": they are dropped before a sentence is parsed, so a frame that needs one reads nothing."""

    def needed(group: frames._Group) -> set[str]:
        found = []
        for option in group.options:
            words: set[str] = set()
            for item in option:
                if isinstance(item, tuple):
                    words |= {item[1]} if item[0] == "lit" and item[1] in layout._IDLE else set()
                elif not item.optional:
                    words |= needed(item)
            found.append(words)
        return set.intersection(*found) if found else set()

    whole = grammar()
    pairs = zip(whole.frames, whole.patterns, strict=True)
    assert [(frame.where, frame.pattern) for frame, pattern in pairs if needed(pattern)] == []
