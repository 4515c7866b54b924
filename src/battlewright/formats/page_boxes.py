"""The boxes after the sheet part of a page: stratagems, abilities, moves, detachment rules, enhancements, FAQ, errata.

They come in no useful order, glued to each other, with parts printed twice and tables lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

from battlewright.datasheet import RuleBox
from battlewright.formats.page_text import COST, INDEX, NUMBERED, Line, is_prose, is_role
from battlewright.formats.weapon_line import ABILITIES

BoxKind = Literal["stratagem", "ability", "move", "shooting", "detachment-rule", "enhancement", "rule", "faq", "errata"]
LABELS: Final = (
    "WHEN", "TARGET", "EFFECT", "RESTRICTIONS", "ELIGIBLE IF", "MAXIMUM DISTANCE", "SET-UP DISTANCE", "BEFORE MOVING",
    "WHILE MOVING", "AFTER MOVING", "BEFORE SHOOTING", "WHILE SHOOTING", "AFTER SHOOTING",
)  # fmt: skip
_LABEL: Final = re.compile(rf"^({'|'.join(LABELS)}):\s*(.*)$")
_ENDS: Final = r"(?<=[.)\]'\":!])"
#: Where a line must be cut: two lines that lost the break between them.
_GLUE: Final = (
    re.compile(rf"{_ENDS}(?=(?:{'|'.join(LABELS)}):)"),
    re.compile(rf"{_ENDS}(?=The [A-Z0-9' ,/and-]{{0,120}}keywords? (?:is|are) used in the following)"),
    re.compile(rf"{_ENDS}(?=(?:FAQ|Errata|SEE ALSO|EXAMPLE)$)"),
    re.compile(r"(?<=[a-z.)\]'\":!])(?=\[?[A-Z][A-Z0-9' /-]{1,60}[A-Z]\]?\s?\d\d\.\d\d)"),
    re.compile(r"(?<=[.)'\"])(?<!\d\.)(?=\d\d\.\d\d(?:\.\d\d)? [A-Z])"),
    re.compile(r"(?<=[a-z)\]][.])(?=[A-Z][\w'-]*(?: [\w'(-]+\)?){0,5}$)"),
    re.compile(r"(?<=[a-z\].:!)])(?=- )"),
)
_LOUD: Final = re.compile(r"(?<=[a-z.)'!])(?=[A-Z][A-Z0-9' !,-]{3,60}$)")
_DETACHMENT: Final = re.compile(r"^(?!.*[.:;])(.{3,70}?) Detachment$")
_GAME_WORDS: Final = re.compile(
    r"[A-Z]{3,}|\d|\b(?:phase|model|models|unit from|units from|this unit|each time|you can|roll|Stratagem|objective marker|"
    r"select|until the|abilit(?:y|ies)|weapons? equipped)\b"
)
#: Lines that open a list of links whose words are lost: an index of keywords, cross-references, offers.
_NOISE: Final = re.compile(
    rf"{INDEX.pattern}|Army List$|Datasheets collated|SEE ALSO$|Alternative models by "
    r"|Before selecting targets for this weapon|\(?See also|You can (?:buy|find) "
)
_REFERENCE: Final = re.compile(r"^- .*\d\d\.\d\d(?:\.\d\d)?$")
_MODEL_ONLY: Final = re.compile(r"^(?:.{0,60} )?(?:models?|units?)(?: \([^)]*\))? only\b", re.I)


class Box(Struct):
    """A box while it is being gathered."""

    title: str
    kind: BoxKind
    lines: list[Line]
    number: str = ""
    cost: int | None = None
    source: str = ""


def read_boxes(lines: list[Line], faction: str = "") -> tuple[tuple[RuleBox, ...], tuple[str, ...]]:
    """The boxes of the page's rest, equal ones once, and what they lost (``table: Wound Roll``).

    ``faction`` is the keyword of the page's army, put back where the page has a hole.
    """
    lines = [Line(line.number, mend(line.text, faction)) for line in lines]
    boxes, missing = dict[RuleBox, None](), list[str]()
    for box in _gather(_cut(lines)):
        missing += [f"table: {box.title}".removesuffix(": ") for line in box.lines if not line.text.strip("| ")][:1]
        done = _finish(box)
        if done.text or done.parts or done.cost is not None:
            boxes.setdefault(done)
    return tuple(boxes), tuple(dict.fromkeys(missing))


#: Holes where a faction keyword was: what stands before it, what after.
_HOLES: Final = (
    (re.compile(r"(Army Faction is(?: not)?) (?=,)"), r"\1 {}"),
    (re.compile(r"\b([Aa]n) (?=(?:model|unit)s?\b)"), r"\1 {} "),
    (re.compile(r"^(?=models? only\b)"), "{} "),
    (re.compile(r"^(?=units from your army\b)"), "{} "),
)


def mend(text: str, faction: str) -> str:
    """The text with the army's keyword put back where a hole is visible; where none is, the text stays as it is.

    >>> mend("If your Army Faction is , each time an model from your army moves", "EMBERBORN")
    'If your Army Faction is EMBERBORN, each time an EMBERBORN model from your army moves'
    >>> mend("each time an model", r"A\\U")
    'each time an A\\\\U model'
    """
    literal = faction.replace("\\", r"\\")
    for hole, filled in _HOLES if faction else ():
        text = hole.sub(filled.format(literal), text)
    return text


def _cut(lines: list[Line]) -> list[Line]:
    """Cut glued lines, and the title glued in front of a stratagem's cost."""
    found = list[Line]()
    for line in lines:
        parts = [line.text]
        for glue in _GLUE:
            parts = [piece for part in parts for piece in glue.split(part)]
        if COST.fullmatch(line.text) and found and not found[-1].is_caps:
            last = found.pop()
            found += [Line(last.number, piece) for piece in _LOUD.split(last.text, maxsplit=1)]
        found += [Line(line.number, part.strip()) for part in parts if part.strip()]
    return found


def _gather(lines: list[Line]) -> Iterator[Box]:
    box = Box("", "rule", [])
    in_index = False
    place = 0
    while place < len(lines):
        line = lines[place]
        in_index = bool(_NOISE.match(line.text)) or (
            in_index and (is_role(line.text) or bool(_REFERENCE.match(line.text)))
        )
        if in_index:
            place += 1
            continue
        opened = _open(lines, place, box)
        if opened is None:
            box.lines.append(line)
            place += 1
            continue
        yield box
        box, used = opened
        place += used
    yield box


def _open(lines: list[Line], place: int, before: Box) -> tuple[Box, int] | None:
    """A box that starts at this line, and how many lines its head takes."""
    text = lines[place].text
    after = lines[place + 1].text if place + 1 < len(lines) else ""
    then = lines[place + 2].text if place + 2 < len(lines) else ""
    number = NUMBERED.fullmatch(text)
    title = (number[1] or number[4]).strip("[] ") if number else text
    paragraph = (number[2] or number[3]).strip("[]") if number else ""
    if (cost := COST.fullmatch(after)) and not text.startswith(("-", "+", "|")):
        source = then.removesuffix("Stratagem").strip(" –") if then.endswith("Stratagem") else ""
        used = 3 if source else 2
        return Box(title, "stratagem", [], paragraph, int(cost[1]), source), used
    if text == "FAQ" or (text.startswith("| Q:") and before.kind != "faq"):
        return Box(before.title, "faq", [], before.number), int(text == "FAQ")
    if text == "Errata":
        return Box(after, "errata", []), 2
    if number:
        return Box(title, _numbered_kind(text, title), [], paragraph), 1
    if found := _DETACHMENT.match(text):
        return Box("", "enhancement" if _is_enhancement(lines, place) else "detachment-rule", [], source=found[1]), 1
    if (found := _DETACHMENT.match(after)) and not is_prose(text) and not lines[place].is_bullet:
        return Box(title, "detachment-rule", [], source=found[1]), 2
    if _is_title(lines[place], after, before):
        return Box(title, "ability" if title.casefold() in ABILITIES else "rule", []), 1
    return None


def _is_title(line: Line, after: str, before: Box) -> bool:
    text = line.text
    if line.is_bullet or "|" in text or is_prose(text) or _LABEL.match(text) or not after:
        return False
    if text.endswith(":") or not re.match(r"(?:\d{1,2}\. )?[A-Z0-9\[]", text) or re.match(r"\+?\d+\s?CP$", text):
        return False
    sentence = is_prose(after) or (after.endswith(":") and len(after) > 30)
    twice = after.casefold() == text.casefold()
    if before.kind == "stratagem" and not (sentence or twice or line.is_caps):
        return False
    return sentence or twice or after.startswith("- ")


def _is_enhancement(lines: list[Line], place: int) -> bool:
    return any(_MODEL_ONLY.match(line.text) for line in lines[place + 1 : place + 3])


def _numbered_kind(text: str, title: str) -> BoxKind:
    if title.endswith(" MOVE"):
        return "move"
    if title.endswith(" SHOOTING"):
        return "shooting"
    return "ability" if text[:1] != text[:1].lower() or text.startswith("[") else "rule"


def _finish(box: Box) -> RuleBox:
    lines = [line for line in box.lines if line.text.strip("| ")]
    if box.kind == "faq":
        return RuleBox(title=box.title, kind="faq", number=box.number, parts=_questions(lines))
    if box.kind == "errata":
        texts = [line.text.strip("'") for line in lines if line.text.casefold() != "change to:"]
        return RuleBox(title=box.title, kind="errata", text="\n".join(dict.fromkeys(texts)))
    of_army = box.kind == "rule" and any("If your Army Faction is" in line.text for line in lines[1:])
    may_have_flavour = of_army or box.kind in ("detachment-rule", "enhancement", "stratagem", "ability")
    if may_have_flavour and len(lines) > 1 and _is_flavour(lines[0].text):
        lines = lines[1:]
    parts, rest = _labelled(lines)
    kind = "move" if box.kind == "rule" and any(label == "ELIGIBLE IF" for label, _ in parts) else box.kind
    text = "" if box.kind == "stratagem" and parts else "\n".join(dict.fromkeys(rest))
    return RuleBox(box.title, kind, box.number, box.cost, box.source, parts, text)


def _is_flavour(text: str) -> bool:
    return not _LABEL.match(text) and not text.startswith("- ") and not _GAME_WORDS.search(text)


def _questions(lines: list[Line]) -> tuple[tuple[str, str], ...]:
    found = []
    for line in lines:
        cells = [cell for cell in line.cells if cell]
        if cells and cells[0] in ("Q:", "A:"):
            found.append((cells[0][0], " ".join(cells[1:])))
        elif cells:
            found.append(("A", " ".join(cells)))
    return tuple(found)


def _labelled(lines: list[Line]) -> tuple[tuple[tuple[str, str], ...], list[str]]:
    """The named parts (printed twice: the second copy counts), and the lines before them."""
    parts = dict[str, list[str]]()
    first = dict[str, list[str]]()
    rest = list[str]()
    label = ""
    for line in lines:
        if found := _LABEL.match(line.text):
            label = found[1]
            if label in parts:
                first[label] = parts[label]
            parts[label] = [found[2]] if found[2] else []
        elif label:
            parts[label].append(line.text)
        else:
            rest.append(line.text)
    for label, copy in first.items():
        _put_back(parts, label, [line for line in copy[1:] if line not in parts[label]])
    return tuple((name, "\n".join(dict.fromkeys(words))) for name, words in parts.items()), rest


def _put_back(parts: dict[str, list[str]], label: str, bullets: list[str]) -> None:
    """Lines under the first copy that the second lacks belong to the part that ends in a colon, else to their own."""
    open_ended = [words for words in parts.values() if len(words) == 1 and words[0].endswith(":")]
    (open_ended[0] if open_ended else parts[label]).extend(bullets)
