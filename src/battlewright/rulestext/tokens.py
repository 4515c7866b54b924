"""A rules text as tokens: words, dice, distances, thresholds, signed numbers, [weapon abilities], punctuation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntFlag


class Kind(IntFlag):
    """What a token may stand for; a capitalised word is both a word and part of a name."""

    WORD = 1
    NUM = 2
    DICE = 4
    DIST = 8  # 6", D6", 2D6"
    PLUS = 16  # 4+
    SIGNED = 32  # +1, -1
    SDIST = 64  # +2"
    RANGE = 128  # 2-5
    WA = 256  # [LETHAL HITS]
    CAP = 512  # may be part of a keyword or name
    PUNCT = 1024
    NUMW = 2048  # one, two, three …


@dataclass(frozen=True, slots=True)
class Token:
    """``word`` is what literals of the grammar are compared with; ``start``/``end`` index the cleaned text."""

    word: str
    raw: str
    kind: Kind
    start: int
    end: int
    glued: bool = False


NUMBER_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "twelve": 12, "twenty": 20,
}  # fmt: skip

#: keywords of the game itself, known in any capitals
CORE_KEYWORDS_TEXT = """
    squad infantry vehicle monster beast swarm mounted character battleline fly aircraft titanic towering transport
    psyker fortification walker grenades smoke warlord dedicated drone jump epic hero artillery cavalry
"""
CORE_KEYWORDS = frozenset(CORE_KEYWORDS_TEXT.split())

_SPLIT = {
    "fall-back": ("fall", "back"), "pile-in": ("pile", "in"), "cannot": ("cannot",), "can't": ("cannot",),
    "reroll": ("re-roll",), "rerolls": ("re-rolls",), "re-rolled": ("re-rolled",), "battleshock": ("battle-shock",),
    "battleshocked": ("battle-shocked",), "armor": ("armour",), "markers": ("markers",), "don't": ("do", "not"),
    "doesn't": ("does", "not"), "isn't": ("is", "not"), "aren't": ("are", "not"), "can,": ("can",),
    "re-rolling": ("re-rolling",), "half-range": ("half", "range"), "starting-strength": ("starting", "strength"),
    "below-half": ("below", "half"), "mdel": ("model",), "stength": ("strength",), "lf": ("if",),
    "battle-round": ("battle", "round"), "whilst": ("while",), "may": ("can",), "nearest": ("closest",),
    "opposing": ("enemy",), "receives": ("suffers",),
    "stratagem's": ("stratagem", "'s"), "strategem": ("stratagem",), "fight-back": ("fight", "back"),
    "abiity": ("ability",), "umodified": ("unmodified",), "unmodifed": ("unmodified",), "chare": ("charge",),
    "delcare": ("declare",), "reserve": ("reserves",), "till": ("until",), "kewyord": ("keyword",),
    "choose": ("select",), "choosing": ("selecting",), "nominate": ("select",), "nominates": ("selects",),
    "nominated": ("selected",), "nominating": ("selecting",), "designate": ("select",), "designates": ("selects",),
    "designated": ("selected",),
}  # fmt: skip


def spelled(word: str) -> tuple[str, ...]:
    """The words by which a text's word is known: one of several spellings of it, or its parts.

    >>> spelled("nearest"), spelled("pile-in")
    (('closest',), ('pile', 'in'))
    """
    return _SPLIT.get(word, (word,))


_TOKEN = re.compile(
    r"""
    (?P<wa>\[[^\[\]\n]{2,60}\])
  | (?P<dice>\d{0,2}D[36](?:"?\s?\+\s?\d+)?)(?P<dq>"|\ ?inch(?:es)?\b)?(?:(?![A-Za-z])|(?=[CRVX]P\b))
  | (?P<range>\d+\s?-\s?\d+)(?!["+\dA-Za-z])
  | (?P<plus>\d+\+)(?!\d)
  | (?<![\w)\]])(?P<sign>[+-]\s?(?:\d{0,2}D[36](?!\w)|\d+))(?P<sq>"|\ ?inch(?:es)?\b)?
  | (?P<num>\d+)(?P<q>"|\ ?inch(?:es)?\b)?
  | (?P<word>'?[A-Za-zÀ-ÿ][\wÀ-ÿ]*(?:['-][A-Za-zÀ-ÿ][\wÀ-ÿ]*)*'?)
  | (?P<punct>\.{2,}|[^\s\w])
    """,
    re.VERBOSE,
)


def tokenise(plain: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of a cleaned text.

    >>> [t.word for t in tokenise('The bearer\\'s unit has +2" M and D6+1 wounds.')]
    ['the', 'bearer', "'s", 'unit', 'has', '+2"', 'm', 'and', 'd6+1', 'wounds', '.']
    """
    tokens: list[Token] = []
    at = start
    for found in _TOKEN.finditer(plain, start, len(plain) if end is None else end):
        glued = found.start() == at and bool(tokens)
        tokens.extend(_tokens(found, glued))
        at = found.end()
    return _keywords_in_small_letters(_slips(tokens))


def _slips(tokens: list[Token]) -> list[Token]:
    """ "Unit the end of the turn", "one a 3+": a slip of the pen, where the words can mean nothing else.

    "That" says nothing in "provided that it is engaged"; in "provided that unit is engaged" it says which unit. Nor does
    "Crusade" in "your Crusade army".
    """
    for i in range(len(tokens) - 2):
        first, second, third = tokens[i : i + 3]
        if first.word == "unit" and second.word == "the" and third.word in ("start", "end"):
            tokens[i] = replace(first, word="until", kind=Kind.WORD)
        elif first.word == "one" and second.word == "a" and third.kind & (Kind.PLUS | Kind.RANGE):
            tokens[i] = replace(first, word="on", kind=Kind.WORD)
        elif first.word == "select" and second.word == "on" and third.word in ("enemy", "friendly", "additional"):
            tokens[i + 1] = replace(second, word="one", kind=Kind.WORD | Kind.NUMW)
        elif first.word in ("is", "are") and second.word == "select" and third.word == "to":
            tokens[i + 1] = replace(second, word="selected", kind=Kind.WORD)
        elif first.word == "rather" and second.word == "than":
            tokens[i : i + 2] = [replace(first, word="instead"), replace(second, word="of")]
        elif first.word == "under" and second.word == "you" and third.word == "control":
            tokens[i + 1] = replace(second, word="your", kind=Kind.WORD)
    for i in reversed(range(len(tokens) - 2)):
        first, second, third = tokens[i : i + 3]
        added = first.word == "add" and second.kind & Kind.NUM and third.word == "the"
        if added or (
            first.word == "allocated" and second.word in ("the", "this") and third.word in ("bearer", "model")
        ):
            at = i + 2 if added else i + 1
            tokens.insert(at, Token("to", "to", Kind.WORD, tokens[at - 1].end, tokens[at - 1].end))
    return [token for i, token in enumerate(tokens) if not _says_nothing(tokens, i)]


def _says_nothing(tokens: list[Token], i: int) -> bool:
    """ "That" of "provided that it is engaged", "Crusade" of "your Crusade army": in a battle, that is your army."""
    if not i or i + 1 >= len(tokens):
        return False
    before, word, after = (token.word for token in tokens[i - 1 : i + 2])
    if word == "you":  # "and you must subtract 1" says no more than "and subtract 1"
        later = tokens[i + 2].word if after == "must" and i + 2 < len(tokens) else after
        return later in _IMPERATIVES and before in _JOINTS
    if word == "must":
        return after in _IMPERATIVES and before == "you" and i > 1 and tokens[i - 2].word in _JOINTS
    if word == "that":
        return before == "provided" and after in _NO_NOUNS
    return word == "crusade" and after in ("army", "armies")


_IMPERATIVES = frozenset(("add", "subtract", "improve", "worsen", "halve", "double"))
_JOINTS = frozenset((",", "and", "then", ";", ":", "."))

#: what may follow "provided that" and begins a clause of its own
_NO_NOUNS = frozenset(
    """this it the no all each every these those they you there at one your a an both any models units neither none
    if while your""".split()  # noqa: SIM905
)


_BEFORE_KEYWORDS = ("friendly", "/")
_AFTER_KEYWORDS = ("unit", "units", "model", "models", "/")
_ADJECTIVES = frozenset(("unengaged", "engaged", "attached", "visible", "other", "destroyed", "hidden", "enemy"))


def _keywords_in_small_letters(tokens: list[Token]) -> list[Token]:
    """ "friendly red guard unit", "Bikes/red guard infantry unit": words there are keywords in any capitals."""
    for i, token in enumerate(tokens):
        if token.word not in _BEFORE_KEYWORDS:
            continue
        end = i + 1
        while end < len(tokens) and tokens[end].kind & Kind.WORD and tokens[end].word not in _AFTER_KEYWORDS:
            end += 1
        words = tokens[i + 1 : end]
        if not words or len(words) > 4 or end >= len(tokens) or any(word.word in _ADJECTIVES for word in words):
            continue
        if tokens[end].word in _AFTER_KEYWORDS:
            marked = [replace(word, kind=word.kind | Kind.CAP) for word in words]
            tokens[i + 1 : end] = marked
    return tokens


def _tokens(found: re.Match[str], glued: bool) -> Iterator[Token]:
    start, end, raw = found.start(), found.end(), found.group()
    kind = found.lastgroup
    if found["word"]:
        yield from _words(raw, start, glued)
    elif found["wa"]:
        yield Token(raw.lower(), raw[1:-1].strip(), Kind.WA, start, end, glued)
    elif found["dice"]:
        clean = found["dice"].replace(" ", "").replace('"', "")
        inches = '"' if '"' in raw or found["dq"] else ""  # D6+1", or D6"+1, or D6 inches
        yield Token(clean.lower() + inches, clean, Kind.DIST if inches else Kind.DICE, start, end, glued)
    elif found["range"]:
        yield Token(raw.replace(" ", ""), raw.replace(" ", ""), Kind.RANGE, start, end, glued)
    elif found["plus"]:
        yield Token(raw, raw[:-1], Kind.PLUS, start, end, glued)
    elif found["sign"]:
        clean = found["sign"].replace(" ", "")
        inches, form = ('"', Kind.SDIST) if found["sq"] else ("", Kind.SIGNED)
        yield Token(clean + inches, clean, form, start, end, glued)
    elif found["num"]:
        distance = found["q"] is not None
        form = Kind.DIST if distance else Kind.NUM
        yield Token(found["num"] + ('"' if distance else ""), found["num"], form, start, end, glued)
    else:
        assert kind is not None
        yield Token(raw, raw, Kind.PUNCT, start, end, glued)


def _words(raw: str, start: int, glued: bool) -> Iterator[Token]:
    end = start + len(raw)
    stem, tail = raw, ""
    if raw[-2:].lower() == "'s" and len(raw) > 2:
        stem, tail = raw[:-2], raw[-2:]
    elif raw.endswith("'"):
        stem, tail = raw[:-1], "'"
    low = stem.lower()
    if low.startswith("non-") and len(low) > 4:
        yield Token("non", stem[:3], Kind.WORD, start, start + 3, glued)
        yield from _words(raw[4:], start + 4, True)
        return
    for word in spelled(low):
        yield Token(word, stem, _word_kind(stem, word), start, end - len(tail), glued)
        glued = True
    if tail:
        yield Token("'s" if tail != "'" or low.endswith("s") else "'", tail, Kind.PUNCT, end - len(tail), end, True)


def _word_kind(raw: str, low: str) -> Kind:
    kind = Kind.WORD
    if low in NUMBER_WORDS:
        kind |= Kind.NUMW
    letter = raw.lstrip("'")[:1]
    if letter.isupper() or low in CORE_KEYWORDS or low.removesuffix("s") in CORE_KEYWORDS:
        kind |= Kind.CAP
    return kind
