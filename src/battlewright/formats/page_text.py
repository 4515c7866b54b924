"""The lines of a datasheet page: cleaned, numbered, and the signs by which its parts are known."""

from __future__ import annotations

import html
import re
from typing import Final

from msgspec import Struct

_SAME: Final = str.maketrans(
    {
        "\u2010": "-", "\u2011": "-", "\u2212": "-", "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u3000": " ",
        "\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u201c": '"', "\u201d": '"', "\u2033": '"', "\u2032": "'",
        "\u200b": None, "\u200c": None, "\u200d": None, "\u2060": None, "\ufeff": None, "\u00ad": None, "\u2014": "–",
    }
)  # fmt: skip
_BULLET: Final = re.compile(r"^[\s]*[•■▪◦●►▸‣·*-]\s+(?=\S)")

#: A list whose lines lost the break between them: ``- 1 Sergeant- 9 Troopers``.
_GLUED_BULLET: Final = re.compile(r"(?<=[a-z])(?=[-•■] ?\d+(?:[-–]\d+)? [A-Z])")

#: Headings of the sheet part, as the page prints them (any case).
HEADINGS: Final = {
    "ranged weapons": "ranged",
    "melee weapons": "melee",
    "wargear options": "options",
    "abilities": "abilities",
    "wargear abilities": "wargear",
    "unit composition": "composition",
    "invulnerable save": "invulnerable",
    "transport": "transport",
    "leader": "leader",
    "support": "leader",
    "led by": "led",
    "faction keywords": "faction",
    "stratagems": "stratagems",
    "detachment ability": "detachments",
    "detachment abilities": "detachments",
    "enhancements": "enhancements",
}
DAMAGED: Final = re.compile(r"DAMAGED\s*:?\s*(\d+)\s*(?:[-–]\s*(\d+))?\s+WOUNDS?\s+REMAINING\s*:?", re.I)
INDEX: Final = re.compile(r"The [A-Z0-9' ,/and-]{0,120}keywords? (?:is|are) used in the following\b.*:?$")
KEYWORDS: Final = re.compile(r"(?:KEYWORDS?|Keywords?)\s*(?:[–-]\s*([^:]+?))?\s*:\s*(.*)")
COST: Final = re.compile(r"(\d{1,2})\s?CP")
NUMBERED: Final = re.compile(
    r"(?:(\[?[A-Z][A-Z0-9' /-]{0,60}[A-Z]\]?)\s?(\[?\d\d\.\d\d(?:\.\d\d)?\]?)(?: / \[?[A-Z][A-Z ]{1,60}\]?\s?\d\d\.\d\d)?"
    r"|(\d\d\.\d\d(?:\.\d\d)?)\s+([A-Z][^.:]{2,80}))"
)
_ROLES: Final = re.compile(
    r"(?:(?:Infantry|Monster|Mounted|Vehicle|Epic|Hero|Heroes|Characters?|Battleline|Dedicated|Transports?|Titanic|Swarms?"
    r"|Beasts?|Aircraft|Fortifications?|Other|Artillery|Walkers?|Cavalry|Allied|Units?)(?:\s|$))+"
)


class Line(Struct, frozen=True):
    """One line of a page that is not empty: its number in the file, from 1, and its clean text."""

    number: int
    text: str

    @property
    def cells(self) -> list[str]:
        """The cells of a table row, empty ones at the ends left out."""
        return [cell.strip() for cell in self.text.strip().strip("|").split("|")]

    @property
    def is_bullet(self) -> bool:
        return self.text.startswith("- ")

    @property
    def is_caps(self) -> bool:
        """A title in capitals: at least three letters, none of them small."""
        letters = [letter for letter in self.text if letter.isalpha()]
        return len(letters) >= 3 and not any(letter.islower() for letter in letters) and len(self.text) <= 80


def clean(text: str) -> str:
    """Straight quotes, plain spaces and hyphens, one kind of bullet; the dash of titles stays a dash.

    >>> clean("  • 4–9 Warden’s\u00a0kin")
    "- 4–9 Warden's kin"
    """
    if "&" in text:
        text = html.unescape(html.unescape(text))
    text = re.sub(r"</?(?:b|i|k|em|strong|span)[^>]*>|\^\^|\*\*+", "", text.translate(_SAME))
    footnote = re.match(r"^\s*\*+\s", text)
    if not footnote and (bullet := _BULLET.match(text)):
        text = "- " + text[bullet.end() :]
    return " ".join(text.split())


def lines_of(text: str) -> list[Line]:
    """Every line with words in it, cleaned, with its number. Tabs part the cells of a table."""
    found = []
    for number, raw in enumerate(text.splitlines(), 1):
        if "\t" in raw.strip() and "|" not in raw:
            raw = raw.strip().replace("\t", " | ")
        found += [Line(number, words) for part in _GLUED_BULLET.split(raw) if (words := clean(part))]
    return found


def heading(text: str) -> str | None:
    """The state a heading of the sheet part opens, or None.

    >>> heading("UNIT COMPOSITION"), heading("| MELEE WEAPONS | RANGE | A | WS | S | AP | D | |"), heading("Ember lance")
    ('composition', 'melee', None)
    """
    first, *cells = [cell.strip() for cell in text.strip().strip("|").split("|")]
    word = first.rstrip(": ").casefold()
    if word in ("ranged weapons", "melee weapons"):
        return HEADINGS[word] if not cells or cells[0].casefold() in ("range", "") else None
    return HEADINGS.get(word) if not any(cells) else None


def is_glossary(text: str) -> bool:
    """A line that only the boxes after the sheet have: a keyword index, a lost table, a numbered rule.

    >>> is_glossary("The FLY keyword is used in the following datasheets:"), is_glossary("| ||||||"), is_glossary("Rage: go")
    (True, True, False)
    """
    if not text.strip("| "):
        return True
    return bool(INDEX.match(text) or NUMBERED.fullmatch(text)) or text in ("FAQ", "Errata", "SEE ALSO", "Army List")


def is_role(text: str) -> bool:
    """A heading of a keyword index (``Infantry Character``), which says nothing."""
    return bool(_ROLES.fullmatch(text))


def is_prose(text: str) -> bool:
    """A sentence, not a title."""
    return len(text) > 70 or text.endswith((".", ".'", '."', ";", ","))
