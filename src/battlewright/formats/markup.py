"""The mark-up community sources put into texts and numbers, taken out; keywords keep their capitals as their mark."""

from __future__ import annotations

import html
import re
from typing import Final

_KEYWORD: Final = re.compile(r"(?:\*\*\^\^|\^\^\*\*|\^\^)([^*^]{1,200}?)(?:\^\^\*\*|\*\*\^\^|\^\^)")
_KEYWORD_TAG: Final = re.compile(r'<span class="kwb[^"]*">(.*?)</span>|<k>(.*?)</k>', re.S | re.I)
_SPECIAL: Final = re.compile(r"[^ -~]|[&<^*]")
_SPACES: Final = dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u200a\u202f"), " ")
_NOTHING: Final = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"), None)
_DASHES: Final = {ord("\u2010"): "-", ord("\u2011"): "-"}
_QUOTES: Final = {ord("’"): "'", ord("‘"): "'", ord("“"): '"', ord("”"): '"'}


def plain(text: str) -> str:
    """The words of a text: entities resolved, tags and stars gone, marked keywords in capitals, one kind of space.

    >>> plain("Each **^^Ash Walker^^** unit&amp;nbsp;has <b>it</b>.<br>■ One<li>Two</li>")
    'Each ASH WALKER unit has it.\\n■ One\\n■ Two'
    """
    if not _SPECIAL.search(text):
        return " ".join(text.split())
    for _ in range(3):
        text, before = html.unescape(text), text
        if text == before:
            break
    text = text.translate(_SPACES | _NOTHING | _DASHES | _QUOTES).replace("\r\n", "\n").replace("\r", "\n")
    text = _KEYWORD_TAG.sub(lambda found: _capitals(found[1] or found[2] or ""), text)
    text = _KEYWORD.sub(lambda found: _capitals(found[1]), text)
    text = re.sub(r"<br\s*/?>|</p>|</li>|</tr>", "\n", text, flags=re.I)
    text = re.sub(r"<li[^>]*>", "\n■ ", text, flags=re.I)
    text = re.sub(r"</t[dh]>", " | ", text, flags=re.I)
    text = re.sub(r"</?[a-zA-Z][^<>]{0,2000}>", "", text)
    text = re.sub(r"\*{2,3}|\^\^", "", text)
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return "\n".join(line for line in lines if line).strip()


def _capitals(text: str) -> str:
    return re.sub(r"[a-zà-ÿ]+", lambda found: found[0].upper(), text)
