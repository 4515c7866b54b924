"""How a text is laid out: labelled parts, lines, bullets under a header, sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from battlewright.rulestext.tokens import Kind, Token, tokenise

_BULLET = re.compile(
    r"\s*(?:[■•▪◦►▫○●◆□·*](?:\s*[■•▪□](?=\s))?|--?(?=\s)|o(?=\s[A-Z])|\d{1,2}[.)](?=\s+(?:\S+\s+){5}))\s*"
)
_LABEL = re.compile(r"^\s*(WHEN|TARGET|EFFECT|RESTRICTIONS?|COST)\s*:", re.I | re.M)
_ASIDE = re.compile(r"^\s*(?:designer'?s'? notes?|example|note)s?\s*:", re.I)
#: the number of an option, or the results of a roll it belongs to
NUMBER = r"(?:(?:\d{1,2}(?:-\d{1,2})?\+?|N/A)(?:\s*[-.):|]\s*|\s+))"
_SMALL = "any|no|of|the|and|to|a|an|in|no|for|with|on|at|from|by|&|-"
_TITLED = r"['\"]?[A-Z][\w'-]*['\"]?[,!?]?"
_HEADING = re.compile(rf"{NUMBER}?{_TITLED}(?: (?:{_TITLED}|{_SMALL}))*(?: \([\w+, ]+\)| - \d{{1,2}} [\w ]+)?:?")
#: a row of a table: the results, or how many there are
ROW = re.compile(
    r"\s*(?:(?:On a|On|Level|Stage|Rank|Tier) )?(\d{1,2})(?:\s*-\s*(\d{1,2})|(\+| or more))?(?:[.)]? [A-Za-z' ]{1,30}?)?"
    r"\s*(?:[:|]|-(?=\s))\s+",
    re.I,
)
#: "all of the following are true", in words
ALL_TRUE = re.compile(
    r"(either or both|all|both|each|any|either|one or more|at least one) of the following (?:conditions )?"
    r"(?:(?:are|is) (?:true|met|satisfied)|(?:apply|applies)(?: to (?:it|that unit|this unit|the attacking unit))?)(?: |$)"
)
#: "each time one of the following occurs", in words
OCCURS = re.compile(
    r"(?:each time|whenever|when|once|if|as soon as) ((?:one|any|either)(?: or more)? of the following"
    r"(?: events| things| conditions)? (?:occurs?|happens?|take place|takes place|is met|are met))(?= |$)"
)
#: a number that stands with each line of a list: "increase it by the number shown"
SHOWN = re.compile(
    r"(?:an? |the )(?:number|amount)(?: of (?P<what>(?:\S+ ){1,3}?))? ?(?:shown|listed|stated|given)(?: below)?(?= |$)"
)
#: the head of such a table
_TABLE_HEAD = re.compile(
    r"\s*(?:(?:D6|2D6|D3)\b[\w |]{0,30}|Battle Size [-|:][\w ]{0,40}|[a-z][a-z ]{2,30} ?[-|:] [a-z ]{2,30}"
    r"(?:points|tokens|dice|range|value|cost)(?: gained| earned)?)$",
    re.I,
)
#: "Name: …", where the name is not the beginning of a sentence
NAMED = re.compile(
    rf"\s*(?!(?:If|While|When|Whenever|Until|Each|This|That|Those|Models|Weapons|Units|Friendly|Or|And|Then)\b)"
    rf"((?:\d{{1,2}} (?:[A-Z]\w+ ){{0,2}}(?:points?|tokens?|dice) - )?{NUMBER}?['\"]?[A-Z][^.:\n]{{1,60}}?)\s*:(?=\s)"
)
#: "Name. This …": the same, with a full stop
TITLED = re.compile(rf"\s*({NUMBER}?{_TITLED}(?: (?:{_TITLED}|{_SMALL})){{0,5}})\.\s+(?=[A-Z])")
#: "Name Select one …|", "Name M +3 |": a row of a table whose first cell is a name
CELL = re.compile(
    rf"\s*({_TITLED}(?: (?:{_TITLED}|{_SMALL}))*?) "
    r"((?:(?:Select|Until|Each|While|Add|Roll|When) [a-z]|[A-Z]{1,2} [+-]\d)[^|]*)\|\s*$"
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
#: "Battle round 2: …", "Third battle round onwards - …": what holds then
ROUND = re.compile(
    rf"\s*(?:battle rounds? ([1-5])(?:\s*-\s*([1-5])|(\+| onwards?| and onwards?| or later))?"
    rf"|(?:the )?({'|'.join(_ORDINALS)}) battle round( onwards?| and onwards?| or later)?)\s*(?:[:|]|[-–](?=\s))\s*",
    re.I,
)
#: what has to be done (1), or what is had for it (2)
OATH = re.compile(
    r"\s*(?:(condition|requirement|deed|quest|goal|task|trial|challenge)|(reward|boon|bonus|quality|benefit|prize|blessing))"
    r"\s*:\s*",
    re.I,
)
#: an ability whose words follow in the same line
_GIVEN = re.compile(
    r"\b(?:the following|ha(?:s|ve) this|gains? this) (?:ability|abilities):(?= *[^\s[])"
    r"|\bone of the following(?: [a-z]+){0,3}:(?=[A-Z])"  # the line was lost
)


@dataclass
class Line:
    """A line with the bullets below it, if it is their header."""

    start: int
    end: int
    mark: str = ""  # of a bullet
    own_end: int = 0  # where its own words end, before those of the bullets below it
    bullets: list[Line] = field(default_factory=list)

    @property
    def bullet(self) -> bool:
        return bool(self.mark)


def parts(plain: str, start: int = 0, end: int | None = None) -> dict[str, tuple[int, int]]:
    """The labelled parts of a stratagem: ``{"when": (start, end), …}``; empty when there are none."""
    last = len(plain) if end is None else end
    found = list(_LABEL.finditer(plain, start, last))
    ends = [*(label.start() for label in found[1:]), last]
    return {label[1].lower().rstrip("s"): (label.end(), end) for label, end in zip(found, ends, strict=False)}


def is_labelled(plain: str) -> bool:
    """Is the whole text one set of labelled parts, as a stratagem is?"""
    found = list(_LABEL.finditer(plain))
    labels = [label[1].lower() for label in found]
    return "effect" in labels and len(set(labels)) == len(labels) and not plain[: found[0].start()].strip()


def labelled(plain: str, line: Line) -> str:
    """The label a line begins with: "when", "effect" …; empty without one."""
    label = _LABEL.match(plain, line.start, line.end)
    return label[1].lower() if label else ""


def after_label(plain: str, line: Line) -> int:
    """Where the words of a line begin, behind "Restrictions:"."""
    label = _LABEL.match(plain, line.start, line.end)
    return label.end() if label else line.start


def lines(plain: str, start: int, end: int) -> list[Line]:
    """The lines of a stretch; bullets stand below the header that ends with a colon."""
    rows: list[Line] = []
    header: Line | None = None
    for line in _lines(plain, start, end):
        if line.bullet and header is not None and not (_beside(plain, header, line) or _after(header, line)):
            last = header.bullets[-1] if header.bullets else None
            if last is not None and _below(plain, last, line):
                last.bullets.append(line)
                last.end = line.end
            else:
                header.bullets.append(line)
            header.end = line.end
            continue
        rows.append(line)
        header = line if _is_header(plain, line) else None
    return rows


def _is_header(plain: str, line: Line) -> bool:
    text = plain[line.start : line.end].rstrip()
    return text.endswith(":") or (text.endswith("one of the following") and len(text) > 30)


def _beside(plain: str, header: Line, line: Line) -> bool:
    """Two bullets with a name each: one is not below the other."""
    return header.mark == line.mark and all(NAMED.match(plain, one.start, one.end) for one in (header, line))


def _after(header: Line, line: Line) -> bool:
    """A bullet like the header, which has bullets of another kind below it: it comes after the header."""
    return header.mark == line.mark and bool(header.bullets) and header.bullets[0].mark != line.mark


def _below(plain: str, header: Line, line: Line) -> bool:
    """A bullet below another, which ends with a colon: by its mark, or as the only ones without a name."""
    if not (header.bullets or _is_header(plain, header)):
        return False
    if line.mark != header.mark:
        return True
    return bool(NAMED.match(plain, header.start, header.end)) and not NAMED.match(plain, line.start, line.end)


def _lines(plain: str, start: int, end: int) -> Iterator[Line]:
    at = start
    while at < end:
        stop = _line_end(plain, at, end)
        inline = plain.find(" ■ ", at + 1, stop)
        stop = stop if inline < 0 else inline
        if given := _GIVEN.search(plain, at, stop):
            stop = given.end()
        bullet = _BULLET.match(plain, at, stop)
        begin = bullet.end() if bullet else at
        if plain[begin:stop].strip():
            mark = bullet.group().strip() if bullet else ""
            yield Line(begin, stop, "1." if mark[:1].isdigit() else mark, stop)
        at = stop + (plain[stop : stop + 1].isspace() or not given)


def numbered(plain: str, line: Line) -> int:
    """Where the line begins, with the number that was read as its bullet."""
    number = _LAST_NUMBER.search(plain, 0, line.start) if line.mark == "1." else None
    return number.start() if number else line.start


def after_number(plain: str, line: Line) -> int:
    """Where the words of a line begin, behind the number of an option."""
    number = _OPTION_NUMBER.match(plain, line.start, line.end)
    return number.end() if number else line.start


_OF_ALL = re.compile(
    r"\s*(?:(?:once|if|when) all\b|the same\b|no (?:[A-Za-z]+ ){1,3}can\b|each (?!time|of (?:these|those|its|your))"
    r"(?:[A-Za-z]+ ){1,4}(?:can|lasts)\b|you (?:cannot|can only) (?:select|choose|use)\b"
    r"|a (?:unit|model) can(?:not| only)\b)",
    re.I,
)


def of_all_options(plain: str, line: Line) -> bool:
    """A line below the last of the things to choose from that speaks of all of them: "The same one cannot be …"."""
    return not line.bullet and not line.bullets and bool(_OF_ALL.match(plain, line.start, line.end))


_LOWER = re.compile(r"As (?:for )?(?:Level|Stage|Rank|Tier|the) ?\w{0,8},? (?:and|plus|but|as well as) ", re.I)
_CUMULATIVE = re.compile(r"(?<!not )\bcumulative\b|\bAs (?:for )?(?:Level|Stage|Rank|Tier) \d")


def are_cumulative(plain: str) -> bool:
    """Does who has enough for a row of a table have what the rows above it say, too?"""
    return bool(_CUMULATIVE.search(plain))


def after_lower(plain: str, start: int, end: int) -> int:
    """Where the words of a row begin that says that those of the row above it count, too: "As Level 1, and …"."""
    found = _LOWER.match(plain, start, end)
    return found.end() if found else start


def without_number(name: str) -> str:
    """A name without the number before it."""
    return _OPTION_NUMBER.sub("", name, count=1) if _OPTION_NUMBER.match(name) else name


def _line_end(plain: str, at: int, end: int) -> int:
    """Where the line ends; one broken in the middle of a sentence goes on."""
    start = at
    while True:
        stop = plain.find("\n", at, end)
        if stop < 0:
            return end
        before, after = plain[start:stop].rstrip(), plain[stop + 1 : end]
        if before[-1:] in ".:!|" or not _goes_on(before, after):
            return stop
        at = stop + 1


def _goes_on(before: str, after: str) -> bool:
    """The line was broken in the middle of a sentence."""
    if not after.strip() or _BULLET.match(after) or _LABEL.match(after) or after.lstrip(" ")[:1] == "\n":
        return False
    if _ROW_NUMBER.search(before):
        return False
    begun = is_heading(after.lstrip().partition("\n")[0].strip()) or _NEW_LINE.match(after)
    if begun and before.split()[-1].lower() not in _UNFINISHED:
        return False
    return after.lstrip()[:1].islower() or before[-1:] == ";" or (len(before) > 40 and before[-1:] != ")")


_ROW_NUMBER = re.compile(r"[:|=] ?\+?\d{1,2}$")
_OPTION_NUMBER = re.compile(NUMBER)
_LAST_NUMBER = re.compile(r"\d{1,2}[.)]\s*\Z")

#: a row of a table with its name, a note
_NEW_LINE = re.compile(
    r"\s*(?:[A-Z]\w*(?: [A-Z]\w*)?: \d|(?:Note that|If|Each time|While|When|Whenever|Until|Once|At the|In your|You can)\b)"
)

#: words no line ends with unless it was broken
_UNFINISHED_TEXT = """
    of the a an and or to in for from with on by that your its their any one this each every is are has have friendly enemy
"""
_UNFINISHED = frozenset(_UNFINISHED_TEXT.split())


def is_heading(text: str) -> bool:
    """A line that is only a name: "Rite of Ash", "2 - Dread Call (Aura)", "ASH VOW"."""
    return len(text.split()) <= 9 and _HEADING.fullmatch(text) is not None


def style(heading: str) -> str:
    """How a heading is written: with a number, in capitals, or as a title."""
    if re.match(NUMBER, heading):
        return "number"
    return "capitals" if heading.split(" (")[0].isupper() else "title"


def is_aside(plain: str, line: Line) -> bool:
    """A designer's note, an example, the head of a table of results: kept aside, not compiled."""
    text = plain[line.start : line.end]
    return bool(_ASIDE.match(text) or _TABLE_HEAD.match(text))


_ELSEWHERE = re.compile(
    r"keep (?:a )?(?:track|tally|note|record|count) of\b|"
    r"for example\b|see the [\w' -]{1,60} step\b|refer to .* for (?:more|further|full)\b"
    r"|each [\w' -]{2,60} datasheets? (?:will )?(?:specif|state|show|list)\w*\b"
    r"|(?:you must |then )?(?:make a )?note (?:this |it |them )?(?:of |down )?(?:on your (?:army )?roster|which|the)\b"
    r"|(?:this|these|the|full|all) [\w' ]{0,40}(?:is|are|can be) (?:described|explained|detailed|listed|found) (?:in full )?"
    r"(?:in|on) (?:the|page|codex|your|that)\b"
)


def only_points_elsewhere(tokens: Sequence[Token]) -> bool:
    """A sentence that gives an example, or only says where a rule stands."""
    return _ELSEWHERE.match(" ".join(token.word for token in tokens)) is not None


def ends_that_time(tokens: Sequence[Token]) -> bool:
    """ "At the end of the phase, …": of the one in which what was told before it happened."""
    said = tuple(token.word for token in tokens[:6])
    return said[:4] == ("at", "the", "end", "of") and said[4:6] in _THAT_TIME


_THAT_TIME = frozenset((which, span) for which in ("the", "that", "this") for span in ("phase", "turn"))


def sentences(plain: str, start: int, end: int) -> list[list[Token]]:
    """The sentences of a stretch, without their full stops."""
    rows: list[list[Token]] = [[]]
    tokens = tokenise(plain, start, end)
    balanced = sum((token.word == "(") - (token.word == ")") for token in tokens) == 0
    depth = 0
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        depth += (token.word == "(") - (token.word == ")")
        if token.kind is Kind.PUNCT and _ends(token, after) and not (balanced and depth > 0):
            rows.append([])
        elif token.word not in _IDLE and not _says_nothing(rows[-1], token, after):
            rows[-1].append(token)
    rows = [row for row in map(_without_asides, rows) if any(token.kind is not Kind.PUNCT for token in row)]
    return [part for row in rows for part in _with_bracket(row)]


def _says_nothing(before: list[Token], token: Token, after: Token | None) -> bool:
    """ "Can then", "those units each gain": a word that changes nothing here."""
    last = before[-1].word if before else ""
    if token.word == "then":
        return last == "can"
    of_them = last in ("units", "models", "those", "players") and after is not None and after.word in _EACH_DO
    return token.word == "each" and of_them


_EACH_DO = frozenset(("gain", "gains", "have", "has", "lose", "loses", "suffer", "suffers", "take", "must", "can"))


def _ends(token: Token, after: Token | None) -> bool:
    """A full stop; or the mark at the end of a name that ends the sentence."""
    if token.word != "!":
        return token.word.startswith(".")
    return after is not None and after.raw[:1].isupper() and not after.raw.isupper() and after.word in _BEGINNERS


#: words a sentence begins with, and hardly a name goes on with
_BEGINNERS_TEXT = """
    if until each while when whenever at once after before this that those you your models units add subtract then select
    roll during instead otherwise
"""
_BEGINNERS = frozenset(_BEGINNERS_TEXT.split())

#: words that change nothing a rule says
_IDLE_TEXT = "still also immediately currently subsequent subsequently simply secretly"
_IDLE = frozenset((*_IDLE_TEXT.split(), '"'))
_ASIDES = {
    ("see",),
    ("e",),
    ("i",),
    ("in", "addition"),
    ("rounding", "down"),
    ("if", "any"),
    ("if", "possible"),
    ("if", "able"),
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


def as_name(row: list[Token]) -> list[Token]:
    """An item of a list of units is a name, however it is set; marks behind it and what it includes are no part of it."""
    bracket = next((i for i, token in enumerate(row) if token.word == "(" and i + 1 < len(row)), len(row))
    if bracket < len(row) and row[bracket + 1].word != "including":
        return row
    words = [token for token in row[:bracket] if token.word not in ("*", "'", '"')]
    small = ("with", "of", "the", "and", "or", "in", "on", "for", "to", "a", "an", "de")
    return [replace(t, kind=t.kind | Kind.CAP) if t.kind & Kind.WORD and t.word not in small else t for t in words]


def cuts(tokens: Sequence[Token]) -> list[int]:
    """Where a sentence may be cut when it cannot be read whole: at separators outside brackets, and at its end."""
    found, depth = [], 0
    for i, token in enumerate(tokens):
        depth += (token.word == "(") - (token.word == ")")
        if depth <= 0 and token.word in (",", ";", ":", "and", "then"):
            found.append(i)
    return [*found, len(tokens)]


_PREDICATES = frozenset(
    """is are has have had can cannot must does do gains gain suffers suffer loses lose counts count takes take makes make
    ignores ignore becomes become regains regain recovers recover heals heal""".split()  # noqa: SIM905
)


def with_subjects(tokens: list[Token]) -> Iterator[list[Token]]:
    """The sentence with "it" before every predicate that has no subject of its own after "and" or "but"; then before
    one of them at a time.

    >>> row = tokenise("Your unit has Stealth and cannot charge")
    >>> [" ".join(token.word for token in whole) for whole in with_subjects(row)]
    ['your unit has stealth and it cannot charge']
    """
    bare = [
        i
        for i in range(1, len(tokens))
        if tokens[i].word in _PREDICATES and tokens[i - 1].word in ("and", "but", "then")
    ]
    for places in [bare, *([place] for place in bare if len(bare) > 1)]:
        if places:
            yield [one for i, token in enumerate(tokens) for one in ((_it(token), token) if i in places else (token,))]


def _it(before: Token) -> Token:
    return Token("it", "it", Kind.WORD, before.start, before.start)


def round_line(plain: str, line: Line) -> tuple[int, int | None, int] | None:
    """The battle rounds a line is about, and where its words begin; None for any other line.

    >>> round_line("Battle round 4+: Winter.", Line(0, 24))
    (4, None, 17)
    """
    found = ROUND.match(plain, line.start, line.end)
    if found is None:
        return None
    low = int(found[1]) if found[1] else _ORDINALS.index(found[4].lower()) + 1
    onwards = found[3] or found[5]
    return low, int(found[2]) if found[2] else None if onwards else low, found.end()
