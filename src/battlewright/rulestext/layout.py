"""How a text is laid out: labelled parts, lines, bullets under a header, sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from battlewright.rulestext.tokens import Kind, Token, tokenise

_BULLET = re.compile(r"\s*(?:[■•▪◦►▫○●◆·*]|-(?=\s)|o(?=\s[A-Z]))\s*")
_LABEL = re.compile(r"^\s*(WHEN|TARGET|EFFECT|RESTRICTIONS?|COST)\s*:", re.I | re.M)
_ASIDE = re.compile(r"^\s*(?:designer'?s'? notes?|example|note)s?\s*:", re.I)


@dataclass
class Line:
    """A line with the bullets below it, if it is their header."""

    start: int
    end: int
    bullet: bool = False
    bullets: list[Line] = field(default_factory=list)


def parts(plain: str) -> dict[str, tuple[int, int]]:
    """The labelled parts of a stratagem: ``{"when": (start, end), …}``; empty when there are none."""
    found = list(_LABEL.finditer(plain))
    ends = [*(label.start() for label in found[1:]), len(plain)]
    return {label[1].lower().rstrip("s"): (label.end(), end) for label, end in zip(found, ends, strict=False)}


def after_label(plain: str, line: Line) -> int:
    """Where the words of a line begin, behind "Restrictions:"."""
    label = _LABEL.match(plain, line.start, line.end)
    return label.end() if label else line.start


def lines(plain: str, start: int, end: int) -> list[Line]:
    """The lines of a stretch; bullets stand below the header that ends with a colon."""
    rows: list[Line] = []
    header: Line | None = None
    for line in _lines(plain, start, end):
        if line.bullet and header is not None:
            header.bullets.append(line)
            continue
        rows.append(line)
        header = line if plain[line.start : line.end].rstrip().endswith(":") else None
    return rows


def _lines(plain: str, start: int, end: int) -> Iterator[Line]:
    at = start
    while at < end:
        stop = _line_end(plain, at, end)
        inline = plain.find(" ■ ", at + 1, stop)
        stop = stop if inline < 0 else inline
        bullet = _BULLET.match(plain, at, stop)
        begin = bullet.end() if bullet else at
        if plain[begin:stop].strip():
            yield Line(begin, stop, bullet is not None)
        at = stop + 1


def _line_end(plain: str, at: int, end: int) -> int:
    """Where the line ends; one broken in the middle of a sentence goes on."""
    start = at
    while True:
        stop = plain.find("\n", at, end)
        if stop < 0:
            return end
        before, after = plain[start:stop].rstrip(), plain[stop + 1 : end]
        if before[-1:] in ".:!" or not _goes_on(before, after):
            return stop
        at = stop + 1


def _goes_on(before: str, after: str) -> bool:
    """The line was broken in the middle of a sentence."""
    if not after.strip() or _BULLET.match(after) or _LABEL.match(after) or after.lstrip(" ")[:1] == "\n":
        return False
    return after.lstrip()[:1].islower() or before[-1:] == ";" or (len(before) > 40 and before[-1:] != ")")


def is_aside(plain: str, line: Line) -> bool:
    """A designer's note or an example: kept aside, not compiled."""
    return _ASIDE.match(plain[line.start : line.end]) is not None


def sentences(plain: str, start: int, end: int) -> list[list[Token]]:
    """The sentences of a stretch, without their full stops."""
    rows: list[list[Token]] = [[]]
    tokens = tokenise(plain, start, end)
    balanced = sum((token.word == "(") - (token.word == ")") for token in tokens) == 0
    depth = 0
    for token in tokens:
        depth += (token.word == "(") - (token.word == ")")
        if token.kind is Kind.PUNCT and token.word.startswith(".") and not (balanced and depth > 0):
            rows.append([])
        elif token.word not in _IDLE:
            rows[-1].append(token)
    rows = [row for row in map(_without_asides, rows) if any(token.kind is not Kind.PUNCT for token in row)]
    return [part for row in rows for part in _with_bracket(row)]


#: words that change nothing a rule says
_IDLE_TEXT = "still also immediately currently subsequent subsequently simply respectively"
_IDLE = frozenset(_IDLE_TEXT.split())
_ASIDES = {
    ("see",),
    ("e",),
    ("i",),
    ("in", "addition"),
    ("rounding", "down"),
    ("if", "any"),
    ("note",),
    ("roll", "separately"),
    ("chosen", "by"),
    ("all", "other"),
}


def _without_asides(row: list[Token]) -> list[Token]:
    """Without "(see …)" and "(rounding down)", which only point elsewhere or say the usual."""
    found: list[Token] = []
    inside = False
    for i, token in enumerate(row):
        after = row[i + 1].word if i + 1 < len(row) else ""
        last = row[i + 2].word if i + 2 < len(row) else ""
        inside |= token.word == "(" and ((after,) in _ASIDES or (after, last) in _ASIDES)
        if not inside:
            found.append(token)
        inside &= token.word != ")"
    return found


def _with_bracket(row: list[Token]) -> list[list[Token]]:
    """A bracket at the end that is a sentence of its own: "(if …, add 1 as well)"."""
    if row[-1].word != ")":
        return [row]
    if row[0].word == "(" and sum(token.word == "(" for token in row) == 1:
        return [[token for token in row[1:-1] if not token.word.startswith(".")]]
    start = max((i for i, token in enumerate(row) if token.word == "("), default=0)
    if not start or start + 1 >= len(row) or row[start + 1].word != "if":
        return [row]
    return [row[:start], row[start + 1 : -1]]


def cuts(tokens: Sequence[Token]) -> list[int]:
    """Where a sentence may be cut when it cannot be read whole: at separators outside brackets, and at its end."""
    found, depth = [], 0
    for i, token in enumerate(tokens):
        depth += (token.word == "(") - (token.word == ")")
        if depth <= 0 and token.word in (",", ";", ":", "and", "then"):
            found.append(i)
    return [*found, len(tokens)]
