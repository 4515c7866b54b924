"""Text as people paste it: quoted in a chat, fenced as code, shifted, with words around it, two lists in one file.

What is around a list is not dropped: it comes back as unread lines with their numbers, and lines keep their numbers.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from battlewright.datasheet import UnreadLine
from battlewright.formats import Source
from battlewright.formats.rostertext import LETTERS, LINES, SIGNATURE, battle_size_of, clean, split_points

_QUOTE: Final = re.compile(r"^[ \t]{0,3}(?:>[ \t]?)+")
_FENCE: Final = re.compile(r"^\s*(?:>\s*)*(?:```|~~~)[\w-]*\s*$")
_BULLET: Final = re.compile(r"^\s*[•■▪◦►●‣⁃*·○-]\s")
_HEADER: Final = re.compile(r"^\+ FACTION KEYWORD\s*:|^#*\s*\+\+ army roster \+\+", re.IGNORECASE)
_TITLE: Final = re.compile(r"-\s*\[\s*[\d,. ]+\s*pts?\]\s*$", re.IGNORECASE)
_OTHER_POINTS: Final = re.compile(r"detachment points?\)|points? de détachement\)|point limit\)|^\+", re.IGNORECASE)


class Pasted(Struct, frozen=True):
    """The text that is meant, and what stood around it."""

    source: Source
    aside: tuple[UnreadLine, ...] = ()
    notes: tuple[str, ...] = ()


def unwrapped(source: Source) -> Pasted:
    """Without quote marks, code fences and a common indentation; what stood outside of them is set aside.

    >>> found = unwrapped(Source("a", b"", "Max wrote:\\n> Ash Host (90 points)\\n> Wardens (90 points)"))
    >>> found.source.text, found.aside[0].text
    ('\\nAsh Host (90 points)\\nWardens (90 points)', 'Max wrote:')
    """
    text = source.text
    if text is None or text.lstrip()[:1] in ("{", "[", "<") or "|" in text[:200]:
        return Pasted(source)
    lines = text.splitlines()
    if len(lines) > LINES or max(map(len, lines), default=0) > LETTERS:
        return Pasted(source)
    lines = [re.sub(r"[^\S\n\t]", " ", line) for line in lines]
    aside: list[UnreadLine] = []
    lines = _unfenced(_unquoted(lines, aside), aside)
    shift = min((len(line) - len(line.lstrip(" \t")) for line in lines if line.strip()), default=0)
    found = "\n".join(line[shift:] for line in lines)
    return Pasted(replace(source, text=found), tuple(aside)) if found != text else Pasted(source)


def _unquoted(lines: list[str], aside: list[UnreadLine]) -> list[str]:
    filled = sum(bool(line.strip()) for line in lines)
    quoted = sum(bool(_QUOTE.match(line)) for line in lines if line.strip())
    if quoted < 2 or quoted * 2 < filled:
        return lines
    return [_QUOTE.sub("", line) if _QUOTE.match(line) else _away(line, at, aside) for at, line in enumerate(lines, 1)]


def _unfenced(lines: list[str], aside: list[UnreadLine]) -> list[str]:
    fences = [place for place, line in enumerate(lines) if _FENCE.match(line)]
    if not fences:
        return lines
    ends = [*fences[1:], len(lines)]
    first, last = max(
        zip(fences, ends, strict=True), key=lambda pair: sum(bool(x.strip()) for x in lines[slice(*pair)])
    )
    inside = sum(bool(line.strip()) for line in lines[first + 1 : last])
    if inside * 2 < sum(bool(line.strip()) for line in lines) - len(fences):
        return ["" if _FENCE.match(line) else line for line in lines]
    return [
        line if first < place < last else "" if _FENCE.match(line) else _away(line, place + 1, aside)
        for place, line in enumerate(lines)
    ]


def _away(line: str, number: int, aside: list[UnreadLine]) -> str:
    if line.strip():
        aside.append(UnreadLine(number, line.strip()[:400]))
    return ""


def one_list(source: Source) -> Pasted:
    """The first list of a text, without the words before its title. A second list is not read, and said."""
    lines = (source.text or "").splitlines()
    if len(lines) > LINES or max(map(len, lines), default=0) > LETTERS:
        return Pasted(source)
    aside: list[UnreadLine] = []
    notes: tuple[str, ...] = ()
    priced = {place: points for place, line in enumerate(lines) if (points := _points(line)) is not None}
    if (second := _second(lines, priced)) is not None:
        notes = (
            f"a second list begins in line {second + 1}: only the first is read, give the other a file of its own",
        )
        lines = [_away(line, place + 1, aside) if place >= second else line for place, line in enumerate(lines)]
        priced = {place: points for place, points in priced.items() if place < second}
    if (title := _title(lines, priced)) is not None:
        lines = [_away(line, place + 1, aside) if place < title else line for place, line in enumerate(lines)]
    return Pasted(replace(source, text="\n".join(lines)), tuple(aside), notes) if aside else Pasted(source)


def _points(line: str) -> int | None:
    """Points of a unit or of a title; not those of a battle size or of detachments."""
    if _BULLET.match(line) or line[:1] in " \t" or _OTHER_POINTS.search(line) or battle_size_of(clean(line)):
        return None
    _, points, rest = split_points(clean(line).replace("**", ""))
    return points if points is not None and not rest else None


def _title(lines: list[str], priced: dict[int, int]) -> int | None:
    """The line of the title, when something stands before it: its points are about those of the units below it."""
    first = next(iter(priced), None)
    if first is None or not any(line.strip() for line in lines[:first]) or any(map(_headed, lines)):
        return None
    if any(line.lstrip("#> ").startswith("+") for line in lines[:first]):  # a list's own header, between plus signs
        return None
    total, units = priced[first], [points for place, points in priced.items() if place > first]
    near = 10 if len(units) > 5 else 50  # what one part in so many may be off: with few units that happens by chance
    fits = len(units) > 2 and total >= 400 and total > max(units) and abs(total - sum(units)) * near <= sum(units)
    return first if fits else None


def _headed(line: str) -> bool:
    return bool(_HEADER.match(line.strip()))


def _second(lines: list[str], priced: dict[int, int]) -> int | None:
    """Where a second list begins: another header, a title behind a signature, another title that is a total."""
    headers = [place for place, line in enumerate(lines) if _headed(line)]
    if len(headers) > 1:
        return _start_of_header(lines, *headers[:2])
    for place, line in enumerate(lines):
        if SIGNATURE.match(line.strip()) and sum(other > place for other in priced) > 1:
            return place + 1
    places = [] if headers else list(priced)
    for at in range(3, len(places) - 2):
        before, after = ([priced[place] for place in part] for part in (places[1:at], places[at + 1 :]))
        if priced[places[0]] == sum(before) and priced[places[at]] == sum(after):
            return places[at]
    return None


def _start_of_header(lines: list[str], first: int, second: int) -> int:
    """The frame or the title above a header belongs to it."""
    place = second
    while place - 1 > first and lines[place - 1].strip()[:1] == "+":
        place -= 1
    above = next((at for at in range(place - 1, max(first, place - 4), -1) if lines[at].strip()), None)
    return above if above is not None and _TITLE.search(lines[above]) else place
