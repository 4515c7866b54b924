"""Rules texts come with mark-up, odd quotes, glued sentences: made plain here, and each character keeps its place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

_MARK = re.compile(
    r"&(?:amp;)*(?:#?x?[0-9A-Za-z]{1,8});|<[^<>\n]{0,200}>|\^\^|\*{2,}|(?<=\w)\*(?= \w)|(?<= )\*(?=\w)"  # also of a note
    r"|(?<=[.!])['’](?=\s*\n)"  # what is left of a pair of quotes
    r"|\r\n|(?<=\S)[ \t]{2,}(?=\S)"
    r"|[\u2010-\u2015\u2212\u00a0\u2007-\u200b\u202f’‘ʼ`´“”″„\u201a\ufeff\u00ad\r]|''"
)
_PLAIN = {
    "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2015": "-", "\u2212": "-",
    "\u00a0": " ", "\u2007": " ", "\u2009": " ", "\u202f": " ", "\u200b": "", "\ufeff": "", "\u00ad": "",
    "’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "\u201a": "'", "“": '"', "”": '"', "″": '"', "„": '"',
    "''": '"', "^^": "", "**": "", "***": "", "*": "", "\r": "\n", "\r\n": "\n",
}  # fmt: skip
_RULE_NUMBER = re.compile(r"\(\d\d\.\d\d(?:\s*,\s*\d\d\.\d\d)*\)|(?<=\])\d\d\.\d\d")


@dataclass(frozen=True)
class Text:
    """A cleaned text; character ``i`` of ``plain`` stood at ``origins[i]`` (None: nowhere moved)."""

    plain: str
    origins: tuple[int, ...] | None = None

    def origin(self, at: int) -> int:
        if self.origins is None:
            return at
        return self.origins[min(at, len(self.origins) - 1)] if self.origins else 0


def clean(text: str) -> Text:
    """Marks, entities, odd quotes, dashes and spaces made plain.

    >>> clean("the <b>bearer</b>’s&nbsp;unit").plain
    "the bearer's unit"
    """
    found = Text(text)
    for _ in range(3):
        if not _MARK.search(found.plain):
            break
        found = _once(found)
    return _without_rule_numbers(found)


def _once(text: Text) -> Text:
    out: list[str] = []
    origins: list[int] = []
    at = 0
    for mark in _MARK.finditer(text.plain):
        _copy(text, at, mark.start(), out, origins)
        new = _replacement(mark.group())
        out.append(new)
        origins.extend([text.origin(mark.start())] * len(new))
        at = mark.end()
    _copy(text, at, len(text.plain), out, origins)
    origins.append(text.origin(len(text.plain)))
    return Text("".join(out), tuple(origins))


def _copy(text: Text, start: int, end: int, out: list[str], origins: list[int]) -> None:
    out.append(text.plain[start:end])
    origins.extend(range(start, end) if text.origins is None else text.origins[start:end])


def _replacement(mark: str) -> str:
    if mark in _PLAIN:
        return _PLAIN[mark]
    if mark.startswith("**"):
        return ""
    if mark.startswith("&"):
        new = unescape(mark)
        return new if new != mark else " "
    if mark.startswith("<"):
        tag = mark.strip("</>").split(" ")[0].lower()
        return {"br": "\n", "li": "\n■ ", "p": "\n", "ul": "\n"}.get(tag, "") if not mark.startswith("</") else ""
    return " "


def _without_rule_numbers(text: Text) -> Text:
    if not _RULE_NUMBER.search(text.plain):
        return text
    return Text(_RULE_NUMBER.sub(lambda found: " " * len(found.group()), text.plain), text.origins)
