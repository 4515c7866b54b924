"""How compositional the grammar is: texts nobody wrote, made of the parts of texts that are read.

    uv run python benchmarks/recombine.py ../shared/corpus [--tries 4000] [--seed 1] [--mould NAME] [--examples 2]

Every tuned text that is read in full is split by its punctuation and small words (never by the grammar) into heads ("At
the start of …,", "While …,"), subjects, effects, tails ("if …"), selections, the parts of stratagems. The moulds below put
parts of different texts of one dialect together again. Every such text should be read in full, and should do exactly what
its parts do, under all that its parts say about when. For each mould the shares of both are printed, then what was not read
and what was read otherwise, most frequent first, each with an example: what stands on top is the next thing to mend.

The same seed tries the same texts as long as the same texts are read.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battlewright.effects import (
    All,
    Choose,
    Clause,
    Condition,
    Duration,
    During,
    Event,
    Give,
    If,
    RollDice,
    Rule,
    Select,
    Static,
    Trigger,
    Window,
)
from battlewright.rulestext import build, layout
from battlewright.rulestext.normalise import clean
from battlewright.rulestext.report import _NATIVE, HELD_OUT, entries, pattern

KINDS = frozenset(
    {"unit-ability", "enhancement", "detachment-rule", "wargear-ability", "upgrade-other", "stratagem", "core-ability"}
)
LONGEST = 1500

# ------------------------------------------------------------------------------------------------------ what it does


@dataclass(frozen=True)
class Deed:
    """One effect, and all that says when it happens."""

    does: Any
    under: frozenset[Any]


def deeds(rule: Rule) -> list[Deed]:
    """The effects of a rule without the scopes around them, which are told apart as facts."""
    return [deed for clause in rule.clauses for deed in _deeds(clause, frozenset())]


def _deeds(effect: Any, under: frozenset[Any]) -> Iterator[Deed]:
    if isinstance(effect, Clause):
        inner = under | frozenset(_facts(effect))
        for one in effect.do:
            yield from _deeds(one, inner)
    elif isinstance(effect, If):
        for one in effect.then:
            yield from _deeds(one, under | frozenset(_conditions(effect.holds)))
        for one in effect.otherwise:
            yield from _deeds(one, under | {"otherwise"})
    elif isinstance(effect, Choose):
        for option in effect.options:
            for one in option.do:
                yield from _deeds(one, under | {"chosen"})
    elif isinstance(effect, Give):
        for one in effect.do:
            yield from _deeds(one, under | {effect.who})
    elif isinstance(effect, RollDice):
        yield Deed(replace(effect, rows=()), under)
        for row in effect.rows:
            for one in row.do:
                yield from _deeds(one, under | {("row", row.low, row.high)})
    else:
        yield Deed(effect, under)


def _facts(clause: Clause) -> Iterator[Any]:
    yield from _trigger(clause.when)
    yield from _conditions(clause.holds)
    yield from clause.limits
    if clause.lasts != Duration():
        yield clause.lasts
    if clause.may:
        yield f"{clause.may} may"


def _trigger(when: Trigger) -> Iterator[Any]:
    """A trigger as facts: an event only in one phase is the event, and the phase."""
    if isinstance(when, Event) and when.during is not None:
        yield replace(when, during=None)
        yield when.during
    elif isinstance(when, Window) and (when.edge, when.unit) == ("during", "phase"):
        yield During(when.phases, when.whose, when.step)
    elif not isinstance(when, Static):
        yield when


def _conditions(holds: Condition | None) -> Iterator[Any]:
    yield from holds.of if isinstance(holds, All) else (holds,) if holds is not None else ()


def without_names(value: Any) -> Any:
    """The same, whoever it is spoken of by: "that unit" is another one under another head."""
    if isinstance(value, tuple):
        return tuple(without_names(part) for part in value)
    if isinstance(value, Select) and value.ref not in (None, "self"):
        return replace(value, ref="bound", name=None, where=None, of=None, side=None, bind=None)
    if not isinstance(value, Struct):
        return value
    return replace(value, **{name: without_names(getattr(value, name)) for name in value.__struct_fields__})


def without_subject(value: Any) -> Any:
    """An effect, whoever it happens to."""
    return replace(value, who=Select("unit")) if hasattr(value, "who") else value


# ------------------------------------------------------------------------------------------------------------- parts


@dataclass(frozen=True)
class Head:
    """Words that say when: their sort, whether what follows them speaks of attacks, what they say as facts."""

    words: str
    sort: str
    dialect: str
    source: str
    facts: frozenset[Any]


@dataclass(frozen=True)
class Body:
    """Words that say what: below which sort of head they stood, and what they did there."""

    words: str
    sort: str
    dialect: str
    source: str
    does: tuple[Any, ...]
    facts: frozenset[Any]
    alone: bool  # is it read in full without a head


@dataclass(frozen=True)
class Piece:
    """A part of a stratagem, a selection, a subject or a predicate: its words, and what it goes with."""

    words: str
    goes_with: str
    dialect: str
    source: str
    does: tuple[Any, ...] = ()


@dataclass
class Parts:
    """All there is to recombine."""

    heads: list[Head] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    tails: list[Head] = field(default_factory=list)
    subjects: list[Piece] = field(default_factory=list)
    predicates: list[Piece] = field(default_factory=list)
    selections: list[Piece] = field(default_factory=list)
    sequels: list[Piece] = field(default_factory=list)
    labelled: dict[str, list[Piece]] = field(default_factory=lambda: defaultdict(list))
    texts: list[Piece] = field(default_factory=list)


_HEADS = {
    "attack": r"Each time [^,.]*\battacks?\b[^,.]*",
    "each time": r"Each time [^,.]*",
    "window": r"(?:At the (?:start|end) of|In|During) (?:the|your|your opponent's|each|any|either|a)\b[^,.]*",
    "while": r"While [^,.]*",
    "if": r"If [^,.]*",
    "once": r"Once per [^,.]*",
    "until": r"Until [^,.]*",
    "when": r"(?:When|After) [^,.]*",
}
_BEGINS_TEXT = """
    this that those the it its you your models model ranged melee weapons select roll add subtract improve worsen each if
    until at in once while one friendly enemy all after when units they their change double re-roll for attacks
"""
_BEGINS = frozenset(_BEGINS_TEXT.split())
_TAIL = re.compile(r" (?:if|while) (?!you|they|it does|doing|so\b|targeting|resolving)[^,.]*$")
_SUBJECT = re.compile(r"([^,.]{4,70}?) (has|have|gains?|gets?|is|are|cannot|can) (.+)", re.I)
_SELECTS = re.compile(
    r"(?:.*, )?(?:you (?:can|must) )?select (one|a|another|up to \w+) "
    r"((?:[\w'’-]+ ){0,6}?(?:unit|model|objective marker|objective)s?)\b.*",
    re.I,
)
_REFERS = re.compile(
    r"\b(?:that|those|it|its|they|them|their|the selected|other|another|do(?:es|ing)? so|instead|also)\b", re.I
)
#: heads of rules about making an army or ending a battle, which enclose nothing that happens in it
_ODD = re.compile(r"can be attached|battle ends|\babilit(?:y|ies) (?:is|are) used", re.I)
_NO_SUBJECT = frozenset(
    {
        "after",
        "while",
        "when",
        "you",
        "it",
        "they",
        "that",
        "those",
        "add",
        "subtract",
        "one",
        "select",
        "roll",
        "if",
        "until",
        "each",
        "the",
    }
)
_LABELS = ("when", "target", "effect")


def harvest(folder: Path) -> Parts:
    """Split every tuned text that is read in full; each part is kept once."""
    parts = Parts()
    for entry in entries(folder):
        if entry["faction"] in HELD_OUT or entry["kind"] not in KINDS or len(entry["text"]) > LONGEST:
            continue
        rule = whole(entry["text"], entry["kind"])
        if rule.status == "full":
            _split(parts, entry, rule)
    for name, value in vars(parts).items():
        if isinstance(value, list):
            setattr(parts, name, list({(one.words, one.dialect): one for one in value}.values()))
    return parts


@cache
def whole(text: str, kind: str = "unit-ability") -> Rule:
    return build.compile(text, kind=kind)  # type: ignore[arg-type]


def _split(parts: Parts, entry: dict[str, str], rule: Rule) -> None:
    text, source = clean(entry["text"]).plain, entry["id"]
    dialect = "native" if _NATIVE.search(entry["text"]) else "older"
    does = tuple(deed.does for deed in deeds(rule))
    if entry["kind"] == "stratagem":
        found = layout.parts(text)
        if set(_LABELS) <= set(found) and "restriction" not in found:
            words = [text[found[name][0] : found[name][1]].strip() for name in _LABELS]
            for name, part in zip(_LABELS, words, strict=True):
                parts.labelled[name].append(Piece(part, words[1], dialect, source, does))
        return
    if "■" not in text:
        parts.texts.append(Piece(text, entry["kind"], dialect, source, does))
    rows = list(_sentences(text))
    for sentence in rows:
        _split_sentence(parts, sentence, dialect, source)
    if len(rows) == 2 and (found_selection := _SELECTS.fullmatch(rows[0])) and _REFERS.search(rows[1]):
        goes_with = _noun(found_selection)
        parts.selections.append(Piece(rows[0], goes_with, dialect, source, does))
        first = whole(rows[0] + ".")
        own = tuple(one for one in does if one not in [deed.does for deed in deeds(first)])
        parts.sequels.append(Piece(rows[1], goes_with, dialect, source, own))


def _noun(selects: re.Match[str]) -> str:
    """What is selected, as later words speak of it."""
    words = selects[2].lower().split()
    side = "enemy" if "enemy" in words else "friendly"
    return f"{'some' if selects[1].startswith('up') else 'one'} {side} {words[-1]}"


def _sentences(text: str) -> Iterator[str]:
    for line in layout.lines(text, 0, len(text)):
        if not line.bullets and not line.bullet and not layout.is_aside(text, line):
            start = layout.after_label(text, line)
            for row in layout.sentences(text, start, line.end):
                yield text[row[0].start : row[-1].end]


def _split_sentence(parts: Parts, sentence: str, dialect: str, source: str) -> None:
    rule = whole(sentence + ".")
    if rule.status != "full" or not rule.clauses or ":" in sentence or "(" in sentence:
        return
    found = deeds(rule)
    heads, rest = split_heads(sentence)
    does = tuple(deed.does for deed in found)
    shared = frozenset.intersection(*(deed.under for deed in found)) if found else frozenset()
    body_rule = whole(_capital(rest) + ".") if heads else rule
    alone = body_rule.status == "full"
    inner = (
        frozenset.intersection(*(deed.under for deed in deeds(body_rule)))
        if alone and deeds(body_rule)
        else frozenset()
    )
    sort = heads[-1][1] if heads else "none"
    for head, its_sort in heads:
        facts = shared - inner if alone and len(heads) == 1 else frozenset()
        if len(heads) == 1 or its_sort in ("once", "window"):
            parts.heads.append(Head(head, its_sort, dialect, source, facts))
    parts.bodies.append(Body(rest, sort, dialect, source, does, inner, alone))
    if alone and (tail := _TAIL.search(rest)) and whole(_capital(rest[: tail.start()]) + ".").status == "full":
        bare = [deed.under for deed in deeds(whole(_capital(rest[: tail.start()]) + "."))]
        if bare:
            facts = inner - frozenset.union(*bare)
            parts.tails.append(Head(tail[0].strip(), sort, dialect, source, facts))
    subject = _SUBJECT.fullmatch(rest) if alone and not _TAIL.search(rest) else None
    if subject and subject[1].split()[0].lower() not in _NO_SUBJECT:
        sort = _sort_of(subject[1])
        own = tuple(deed.does for deed in deeds(body_rule))
        parts.subjects.append(Piece(subject[1].strip(), f"{_number(subject[2])} {sort}", dialect, source, own))
        parts.predicates.append(
            Piece(f"{subject[2]} {subject[3]}", f"{_number(subject[2])} {sort}", dialect, source, own)
        )


def split_heads(sentence: str) -> tuple[list[tuple[str, str]], str]:
    """The heads of a sentence with their sorts, and what they enclose.

    >>> split_heads("Once per battle, at the start of your Fight phase, select one unit")
    ([('Once per battle', 'once'), ('at the start of your Fight phase', 'window')], 'select one unit')
    """
    heads = []
    while True:
        for sort, words in _HEADS.items():
            found = re.match(rf"({words}), (?=([\w-]+))", sentence, re.I)
            if found and found[2].lower() in _BEGINS and not _ODD.search(found[1]):
                heads.append((found[1], sort))
                sentence = sentence[found.end() :]
                break
        else:
            return heads, sentence


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _small(words: str) -> str:
    """As it is written inside a sentence; keywords keep their capitals."""
    first = words.split()[0].rstrip(",").lower()
    return words[:1].lower() + words[1:] if first in _BEGINS or first in ("once", "during") else words


# ------------------------------------------------------------------------------------------------------------ moulds


def _as_it_is(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class Trial:
    """A text made of parts, what it must do, and what must be said about when it does it."""

    text: str
    does: tuple[Any, ...]
    facts: frozenset[Any] = frozenset()
    sources: tuple[str, ...] = ()
    kind: str = "unit-ability"
    view: Callable[[Any], Any] = _as_it_is
    at_least: bool = False  # it may do more: what the other parts do


Mould = Callable[[Parts, random.Random], Trial | None]

_ATTACK = ("attack",)
#: below which heads a body stands that stood below such a head
_FITS = {
    "attack": ("attack",),
    "while": ("while", "until", "none"),
    "until": ("while", "until", "none"),
    "window": ("window", "when", "once", "each time"),
    "when": ("window", "when", "once", "each time"),
    "each time": ("window", "when", "once", "each time"),
    "once": ("window", "when", "once", "each time"),
    "if": ("if", "while", "window", "when"),
}


def _pick(rng: random.Random, rows: Sequence[Any], fits: Callable[[Any], bool]) -> Any:
    """One of those that fit; None when some hundred tries found none."""
    for _ in range(200):
        one = rng.choice(rows)
        if fits(one):
            return one
    return None


def _free(body: Body) -> bool:
    """Does it speak of nothing that only its own head names?"""
    return body.alone and not _REFERS.search(body.words)


def _acts(body: Body) -> bool:
    """Something that is done, not something that is so."""
    return body.sort in ("window", "when", "once", "each time") and body.alone


def head_and_effect(parts: Parts, rng: random.Random) -> Trial | None:
    """A head, and an effect of another text."""
    head = rng.choice(parts.heads)
    body = _pick(
        rng,
        parts.bodies,
        lambda one: (
            one.dialect == head.dialect and one.sort in _FITS[head.sort] and (one.sort == "attack" or _free(one))
        ),
    )
    if body is None or (head.sort == "attack" and _kind_of_attack(head.words) != _kind_of_attack(body.words)):
        return None
    facts = frozenset() if head.sort == "attack" else head.facts | body.facts
    text = f"{_capital(head.words)}, {_small(body.words)}."
    return Trial(text, body.does, facts, (head.source, body.source))


def _kind_of_attack(words: str) -> str:
    """What is made of a roll that one makes, and of one that is made against one."""
    return (
        "defends"
        if re.search(r"\btargets?\b|allocated|against (?:this|that)|subtract|worsen", words, re.I)
        else "attacks"
    )


_MOMENT = re.compile(r"\b(?:after|before|when|while|during|at the (?:start|end))\b")


def _says_when(head: Head) -> bool:
    """Does "once per turn after …" say its moment itself, so that no other goes with it?"""
    return _MOMENT.search(head.words) is not None


def two_heads(parts: Parts, rng: random.Random) -> Trial | None:
    """Once per battle, a moment, and an effect: each of another text."""
    first = _pick(rng, parts.heads, lambda one: one.sort == "once" and not _says_when(one))
    if first is None:
        return None
    second = _pick(rng, parts.heads, lambda one: one.sort in ("window", "when") and one.dialect == first.dialect)
    body = _pick(rng, parts.bodies, lambda one: one.dialect == first.dialect and _acts(one) and _free(one))
    if second is None or body is None:
        return None
    text = f"{_capital(first.words)}, {_small(second.words)}, {_small(body.words)}."
    return Trial(text, body.does, first.facts | second.facts | body.facts, (first.source, second.source, body.source))


def condition_inside(parts: Parts, rng: random.Random) -> Trial | None:
    """A moment, then a condition, then an effect."""
    first = _pick(rng, parts.heads, lambda one: one.sort in ("window", "each time", "when"))
    second = _pick(
        rng,
        parts.heads,
        lambda one: one.sort == "if" and one.dialect == first.dialect and not _REFERS.search(one.words),
    )
    body = _pick(rng, parts.bodies, lambda one: one.dialect == first.dialect and _acts(one) and _free(one))
    if not (first and second and body):
        return None
    text = f"{_capital(first.words)}, {_small(second.words)}, {_small(body.words)}."
    return Trial(text, body.does, first.facts | second.facts | body.facts, (first.source, second.source, body.source))


def two_effects(parts: Parts, rng: random.Random) -> Trial | None:
    """Two effects of one kind of sentence, joined by "and"."""
    first = _pick(
        rng, parts.bodies, lambda one: _free(one) and not _TAIL.search(one.words) and " until " not in one.words
    )
    second = _pick(
        rng,
        parts.bodies,
        lambda one: (
            _free(one)
            and one.dialect == first.dialect
            and (one.sort == first.sort)
            and _person(one.words) == _person(first.words)
        ),
    )
    if second is None or first.words == second.words:
        return None
    text = f"{_capital(first.words)}, and {_small(second.words)}."
    return Trial(text, first.does + second.does, frozenset(), (first.source, second.source))


def _person(words: str) -> str:
    """Is the reader told to do something, or is something said of somebody?"""
    first = words.split()[0].lower()
    return first if first in ("you", "until", "if") else "do" if first in _ORDERS else "is"


_ORDERS = ("add", "subtract", "improve", "worsen", "select", "roll", "change", "double", "re-roll")


def effects_as_bullets(parts: Parts, rng: random.Random) -> Trial | None:
    """A head whose effects stand as bullets below it."""
    head = rng.choice(parts.heads)
    rows = [
        _pick(
            rng,
            parts.bodies,
            lambda one: (
                one.dialect == head.dialect and one.sort in _FITS[head.sort] and (one.sort == "attack" or _free(one))
            ),
        )
        for _ in range(2)
    ]
    if None in rows or rows[0].words == rows[1].words:
        return None
    if head.sort == "attack" and any(_kind_of_attack(head.words) != _kind_of_attack(row.words) for row in rows):
        return None
    text = f"{_capital(head.words)}:\n" + "\n".join(f"■ {_capital(row.words)}." for row in rows)
    facts = frozenset() if head.sort == "attack" else head.facts
    return Trial(text, rows[0].does + rows[1].does, facts, (head.source, rows[0].source, rows[1].source))


def effects_to_choose(parts: Parts, rng: random.Random) -> Trial | None:
    """A moment at which one of some effects is selected."""
    head = _pick(rng, parts.heads, lambda one: one.sort == "window")
    rows = [
        _pick(
            rng,
            parts.bodies,
            lambda one: one.dialect == head.dialect and _free(one) and one.sort in ("none", "until", "while"),
        )
        for _ in range(2)
    ]
    if None in rows or rows[0].words == rows[1].words:
        return None
    header = rng.choice(("select one of the following:", "select one of the following abilities to be active:",
                         "you can select one of the following. Until the end of the turn:"))  # fmt: skip
    header = header if "Until" not in header else "you can select one of the following:"
    named = rng.random() < 0.5
    options = [
        f"■ {'Way of ' + name + ': ' if named else ''}{_capital(row.words)}."
        for row, name in zip(rows, ("Ash", "Dust"), strict=True)
    ]
    text = f"{_capital(head.words)}, {header}\n" + "\n".join(options)
    return Trial(text, rows[0].does + rows[1].does, head.facts, (head.source, rows[0].source, rows[1].source))


def effect_and_tail(parts: Parts, rng: random.Random) -> Trial | None:
    """An effect, and a condition after it that stood before another, or after one."""
    rows = [one for one in parts.heads if one.sort in ("if", "while") and not _REFERS.search(one.words)]
    tail = rng.choice([*rows, *parts.tails])
    body = _pick(
        rng,
        parts.bodies,
        lambda one: (
            one.dialect == tail.dialect and _free(one) and one.sort in _FITS["while"] and not _TAIL.search(one.words)
        ),
    )
    if body is None:
        return None
    text = f"{_capital(body.words)} {tail.words[:1].lower()}{tail.words[1:]}."
    return Trial(text, body.does, body.facts | tail.facts, (body.source, tail.source))


_LASTS = ("until the end of the turn", "until the end of the phase", "until the start of your next Command phase",
          "until the end of your next turn", "until the end of the battle")  # fmt: skip


def duration_moved(parts: Parts, rng: random.Random) -> Trial | None:
    """An effect that lasts: the duration before it or after it."""
    body = _pick(
        rng,
        parts.bodies,
        lambda one: one.sort in ("until", "while", "none") and _free(one) and " until " not in one.words,
    )
    if body is None:
        return None
    lasts = rng.choice(_LASTS)
    fact = next(iter(deeds(whole(f"{_capital(lasts)}, this unit cannot Advance."))[0].under))
    after = rng.random() < 0.5
    text = f"{_capital(body.words)} {lasts}." if after else f"{_capital(lasts)}, {_small(body.words)}."
    return Trial(text, body.does, body.facts | {fact}, (body.source,))


def other_subject(parts: Parts, rng: random.Random) -> Trial | None:
    """A predicate, and the subject of another."""
    subject = rng.choice(parts.subjects)
    predicate = _pick(
        rng, parts.predicates, lambda one: one.dialect == subject.dialect and one.goes_with == subject.goes_with
    )
    if predicate is None or _REFERS.search(predicate.words):
        return None
    text = f"{_capital(subject.words)} {predicate.words}."
    return Trial(text, predicate.does, frozenset(), (subject.source, predicate.source), view=without_subject)


def _number(verb: str) -> str:
    """One or some, as the verb says."""
    return "either" if verb.startswith("can") else "one" if verb.endswith("s") else "some"


def _sort_of(subject: str) -> str:
    found = re.search(r"(weapon|attack|model|unit)s?\b(?! in\b)", subject.lower())
    return found[1] if found and found[1] in ("weapon", "attack") else "unit"


def selection_and_sequel(parts: Parts, rng: random.Random) -> Trial | None:
    """What is selected in one text, and what happens to it in another."""
    first = rng.choice(parts.selections)
    second = _pick(rng, parts.sequels, lambda one: one.dialect == first.dialect and one.goes_with == first.goes_with)
    if second is None:
        return None
    text = f"{first.words}. {second.words}."
    return Trial(text, second.does, frozenset(), (first.source, second.source), view=without_names, at_least=True)


def selection_in_one(parts: Parts, rng: random.Random) -> Trial | None:
    """The same in one sentence."""
    trial = selection_and_sequel(parts, rng)
    if trial is None:
        return None
    first, second = trial.text.removesuffix(".").split(". ", 1)
    if re.match(r"(?:If|Each time|Roll|For|On)", second):
        return None
    return replace_trial(
        trial, f"{first}; {_small(second)}." if rng.random() < 0.3 else f"{first}, and {_small(second)}."
    )


def replace_trial(trial: Trial, text: str) -> Trial:
    return Trial(text, trial.does, trial.facts, trial.sources, trial.kind, trial.view, trial.at_least)


def stratagem(parts: Parts, rng: random.Random) -> Trial | None:
    """WHEN of one, TARGET of another, EFFECT of a third."""
    when = _pick(rng, parts.labelled["when"], lambda one: True)
    target = _pick(
        rng,
        parts.labelled["target"],
        lambda one: (
            one.dialect == when.dialect
            and not re.search(r"(?i)\b(?:that|those|was|were|just|had|selected|attacking)\b", one.words)
        ),
    )
    effect = _pick(
        rng,
        parts.labelled["effect"],
        lambda one: (
            target is not None
            and one.dialect == when.dialect
            and _target_sort(one.goes_with) == _target_sort(target.words)
            and not re.search(r"\b(?:attacker|that|the enemy|those|the attacking|instead)\b", one.words)
        ),
    )
    if not (target and effect):
        return None
    text = f"WHEN: {when.words}\nTARGET: {target.words}\nEFFECT: {effect.words}"
    view = without_names
    return Trial(text, effect.does, frozenset(), (when.source, target.source, effect.source), "stratagem", view)


def _target_sort(words: str) -> str:
    words = words.lower()
    count = "one" if words.startswith("one ") else "some"
    return (
        count + (" model" if "model" in words.split("unit")[0] else " unit") + (" two" if words.count(" one ") else "")
    )


_SWAPS = (
    ("this model", "the bearer"), ("the bearer", "this model"),
    ("the bearer's unit", "this unit"), ("this unit", "the bearer's unit"),
    ("models in this unit", "models in the bearer's unit"),
)  # fmt: skip


def other_bearer(parts: Parts, rng: random.Random) -> Trial | None:
    """The same text about "the bearer" and about "this model"."""
    before, after = rng.choice(_SWAPS)
    text = _pick(rng, parts.texts, lambda one: re.search(rf"\b{before}\b(?! only)", one.words, re.I) is not None)
    if text is None or (before == "the bearer" and re.search(r"\bthe bearer's\b|bearer is leading", text.words, re.I)):
        return None
    words = re.sub(
        rf"\b{before}\b", lambda found: _capital(after) if found[0][0].isupper() else after, text.words, flags=re.I
    )
    return Trial(words, text.does, frozenset(), (text.source,), text.goes_with)


_UNTIL = (
    r"(?<! one)(?=[,.;:]|$| (?:can|has|have|is|are|must|and|or|if|while|until|suffers?|makes?|gains?|for|from|when)\b)"
)
_ONE = r"(?:(?<=this unit )|(?<=that unit )|(?<=this model )|(?<=the bearer )|(?<=bearer's unit ))"
#: phrases that stand for one another wherever one of them stands
_PHRASES = {
    "place": rf"\b(?:wholly )?within (?:range of |\d+\" of |Engagement Range of |your )[^,.;:()]*?{_UNTIL}",
    "predicate": (
        rf"{_ONE}(?:is (?:not )?(?:within|wholly|below|battle|in|visible|engaged)|made|started|ended|arrived|remained"
        rf"|advanced|disembarked|has not|did not)\b[^,.;:()]*?{_UNTIL}"
    ),
    "edge": r"(?<=[Aa]t the )(?:start|end) of [^,.;:()]*? phase(?=,)",
    "phase": r"(?<=[Ii]n )(?:your|your opponent's|the|each|any) (?:Command|Movement|Shooting|Charge|Fight) phase(?=,)",
    "lasts": rf"\b(?:until|for) the (?:start|end|rest) of [^,.;:()]*?{_UNTIL}",
    "attack": r"\b(?:an|a melee|a ranged|a psychic) attack\b(?: that targets [^,.;:()]*?(?=,))?",
    "attacker": r"(?<=\bEach time )[^,.;:()]*?(?= makes an? (?:\w+ )?attack)",
    "attacked": r"(?<=attack targets )[^,.;:()]*?(?=,)",
    "event": (
        r"(?:(?<=this unit )|(?<=this model ))"
        r"(?:has (?:shot|fought)|ends an? [\w, ]+ move|is selected to \w+|is destroyed|is set up[^,.;:()]*)(?=,)"
    ),
    "wounds": r"\b(?:D3|D6|2D3|\d|D3\+\d|D6\+\d)(?= mortal wounds)",
    "ability": r"(?<=\bthe )\[[A-Za-z0-9 +-]+\](?= ability)",
    "stat": r"(?<= to the )(?:Attacks|Strength|Damage)(?= characteristics? of (?:melee|ranged|weapons|that))",
    "own stat": r"(?<= to the )(?:Toughness|Leadership|Objective Control|Wounds)(?= characteristics? of (?:this|models))",
    "once": r"\b[Oo]nce per (?:battle round|battle|turn|phase)\b",
    "roll": r"\b(?:Hit|Wound) roll\b",
    "rolls": r"\b(?:Advance|Charge|Advance and Charge|Advance or Charge)(?= rolls)",
    "whose": r"(?<= equipped by )[^,.;:()]*?(?= (?:have|has|gain)\b)",
    "selected": r"(?<=select one )(?:friendly|enemy) [^,.;:()]*?(?=\.)",
    "on": r"(?<=[Oo]n a )\d\+(?=[,:])",
    "gives": r"\b(?:gain|gains) \dCP\b",
    "permits": r"(?<=eligible to )[^,.;:()]*?(?= in a turn)",
    "move": r"(?<=can make a )[^,.;:()]*? move of up to [^,.;:() ]+",
    "invulnerable": r"\b[3-6]\+ invulnerable save",
    "units": r"(?<=one or more )(?:friendly|enemy) (?:[A-Z][\w'-]+ )*(?:units|models)\b",
}


def other_phrase(parts: Parts, rng: random.Random) -> Trial | None:
    """A text with one of its phrases changed for another of its sort, which stands in another text."""
    sort = rng.choice(list(_PHRASES))
    text, old = rng.choice(_phrases(parts, sort))
    new = _pick(
        rng,
        _other_phrases(parts, sort),
        lambda one: one[0].dialect == text.dialect and one[1][0].lower() != old[0].lower(),
    )
    if new is None or _REFERS.search(new[1][0]) or _REFERS.search(old[0]):
        return None
    words = _capital(new[1][0]) if old[0][0].isupper() and old.start() in (0, 1) else new[1][0]
    changed = text.words[: old.start()] + words + text.words[old.end() :]
    return Trial(changed, text.does, frozenset(), (text.source, new[0].source, sort), text.goes_with, view=type)


Phrases = list[tuple[Piece, re.Match[str]]]
_FOUND: dict[str, Phrases] = {}


def _phrases(parts: Parts, sort: str) -> Phrases:
    """Every phrase of the sort, with the text it stands in."""
    if sort not in _FOUND:
        words = re.compile(_PHRASES[sort])
        _FOUND[sort] = [(text, found) for text in parts.texts for found in words.finditer(text.words)]
    return _FOUND[sort]


def _other_phrases(parts: Parts, sort: str) -> Phrases:
    """Each phrase of the sort once, however often it stands in a text: the rare ones are tried as often."""
    return list({found[0]: (text, found) for text, found in _phrases(parts, sort)}.values())


MOULDS: dict[str, Mould] = {
    mould.__name__: mould
    for mould in (
        head_and_effect, two_heads, condition_inside, two_effects, effects_as_bullets, effects_to_choose, effect_and_tail,
        duration_moved, other_subject, selection_and_sequel, selection_in_one, stratagem, other_bearer, other_phrase,
    )
}  # fmt: skip

# ----------------------------------------------------------------------------------------------------------- verdicts


@dataclass
class Score:
    """How a mould did."""

    tries: int = 0
    full: int = 0
    same: int = 0

    def __str__(self) -> str:
        tries = self.tries or 1
        return f"{self.tries:5} tried  full {self.full / tries:6.1%}  and exactly its parts {self.same / tries:6.1%}"


@dataclass(frozen=True)
class Verdict:
    """Was it read in full, and as its parts are; what was not read, or what was read otherwise."""

    full: bool
    same: bool
    fault: str = ""


def judge(trial: Trial) -> Verdict:
    """Read a trial and compare what it does with what its parts do."""
    rule = whole(trial.text, trial.kind)
    if rule.status != "full":
        return Verdict(False, False, pattern(rule.unread[0].text) if rule.unread else "nothing")
    found = deeds(rule)
    want, got = Counter(map(trial.view, trial.does)), Counter(trial.view(deed.does) for deed in found)
    missing, more = want - got, got - want
    if missing or (more and not trial.at_least):
        return Verdict(True, False, f"does {_kinds(missing)} for {_kinds(more)}")
    ours = [deed.under for deed in found if trial.view(deed.does) in want]
    lost = [fact for fact in trial.facts if any(fact not in under for under in ours)]
    if lost:
        return Verdict(True, False, "under " + ", ".join(sorted(type(fact).__name__ for fact in lost)))
    return Verdict(True, True)


def _kinds(rows: Iterable[Any]) -> str:
    return ", ".join(sorted(type(one).__name__ for one in rows)) or "nothing"


def trials(parts: Parts, seed: int, tries: int, moulds: Iterable[str] = MOULDS) -> Iterator[tuple[str, Trial]]:
    """So many trials of each mould, the same for the same seed."""
    for name in moulds:
        rng = random.Random(f"{seed} {name}")
        made: set[str] = set()
        for _ in range(4 * tries):
            trial = MOULDS[name](parts, rng)
            if trial is not None and trial.text not in made:
                made.add(trial.text)
                yield name, trial
            if len(made) == tries:
                break


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    ask.add_argument("folder", type=Path)
    ask.add_argument("--tries", type=int, default=4000, help="of all moulds together")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--mould", choices=tuple(MOULDS))
    ask.add_argument("--top", type=int, default=40)
    ask.add_argument("--examples", type=int, default=1)
    given = ask.parse_args()
    moulds = [given.mould] if given.mould else list(MOULDS)
    parts = harvest(given.folder)
    print({name: len(value) for name, value in vars(parts).items()})
    scores: dict[str, Score] = defaultdict(Score)
    faults: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, trial in trials(parts, given.seed, given.tries // len(moulds), moulds):
        verdict = judge(trial)
        scores[name].tries += 1
        scores[name].full += verdict.full
        scores[name].same += verdict.same
        if not verdict.same:
            key = ("otherwise" if verdict.full else "unread", verdict.fault)
            faults[key] += 1
            examples[key].append(f"[{name}: {' '.join(trial.sources)}] {trial.text}")
    for name, score in scores.items():
        print(f"{name:22} {score}")
    total = Score(*(sum(getattr(score, key) for score in scores.values()) for key in ("tries", "full", "same")))
    print(f"{'all':22} {total}")
    for sort in ("unread", "otherwise"):
        print(f"\n{sort}:")
        ranked = sorted((key for key in faults if key[0] == sort), key=lambda key: (-faults[key], key))
        for key in ranked[: given.top]:
            print(f"{faults[key]:4} {key[1][:160]}")
            for text in examples[key][: given.examples]:
                print("       ", text.replace("\n", "\n          "))


if __name__ == "__main__":
    main()
