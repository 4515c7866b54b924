"""The grammar of rules texts, made once from its files and the builders."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import msgspec

from battlewright import effects as vocabulary
from battlewright.rulestext import builders
from battlewright.rulestext.blocks import Options
from battlewright.rulestext.builders import phrases
from battlewright.rulestext.frames import Grammar, make_grammar, read_frames
from battlewright.rulestext.tokens import Kind
from battlewright.rulestext.words import (
    act_words,
    anti_run,
    common_noun,
    condition_words,
    deed_words,
    keyword_run,
    mark_words,
    name_run,
    quarry_words,
    sort_words,
    state_word,
    state_words,
    step_run,
    stratagem_run,
    title_word,
    weapon_run,
)

#: in this order: where two frames read the same words as the same kind, the earlier file wins; files not named here
#: come after these, by their name
GRAMMAR_FILES_TEXT = """
    sentence core restrictions choices marks triggers changes attacks grants dice reactions returns aboard aims
    moments bars powers liberties acts moves building stratagem odds named targets armies bearers numbers
    turns orders tails pools mustering spending declared datasheets joining leaving filters weaponry
    systems
"""


GRAMMAR_FILES = tuple(GRAMMAR_FILES_TEXT.split())


@cache
def grammar() -> Grammar:
    """The grammar, made once from its files."""
    folder = files("battlewright.rulestext") / "grammar"
    found = {entry.name.removesuffix(".frames") for entry in folder.iterdir() if entry.name.endswith(".frames")}
    listed = [*GRAMMAR_FILES, *sorted(found.difference(GRAMMAR_FILES))]
    frames = [
        frame
        for name in listed
        for frame in read_frames((folder / f"{name}.frames").read_text(encoding="utf-8"), f"{name}.frames")
    ]
    word = Kind.WORD | Kind.CAP
    matchers = {
        "keywords": (keyword_run, Kind.CAP),
        "names": (name_run, Kind.CAP),
        "steps": (step_run, Kind.CAP),
        "stratnames": (stratagem_run, Kind.CAP),
        "weapons": (weapon_run, word),
        "sorts": (sort_words, word),
        "states": (state_word, Kind.WORD),
        "acts": (act_words, Kind.WORD),
        "deeds": (deed_words, word | Kind.NUM),
        "plights": (condition_words, Kind.WORD),
        "marks": (mark_words, Kind.WORD),
        "quarries": (quarry_words, Kind.WORD),
        "titles": (title_word, Kind.CAP),
        "antis": (anti_run, word),
        "nouns": (common_noun, Kind.WORD),
        "statewords": (state_words, Kind.WORD),
    }
    return make_grammar(frames, _names(), matchers)


def _names() -> dict[str, Any]:
    """What the expressions of the grammar files may use: the vocabulary and the builders."""
    found: dict[str, Any] = {"row": phrases.row, "tuple": tuple, "Options": Options}
    structs = {name: value for name, value in vars(vocabulary).items() if isinstance(value, msgspec.StructMeta)}
    found.update(structs)
    for module in _builders():
        found.update((name, value) for name, value in vars(module).items() if _is_builder(name, value, module.__name__))
    return found


def _builders() -> Iterator[ModuleType]:
    """Every module of builders."""
    for module in iter_modules(builders.__path__):
        yield import_module(f"{builders.__name__}.{module.name}")


def _is_builder(name: str, value: object, module: str) -> bool:
    return name.isupper() or (not name.startswith("_") and getattr(value, "__module__", "") == module)
