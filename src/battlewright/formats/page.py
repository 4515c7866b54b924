"""A datasheet page copied from a website: every line of its sheet part understood, or listed as unread.

What such pages lose (stat line, base, faction keyword, tables) is listed as missing and never made up.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from battlewright.catalogue.factions import faction_keyword
from battlewright.datasheet import (
    Ability,
    Datasheet,
    EnhancementListing,
    ModelEntry,
    PointsTier,
    Profile,
    StratagemListing,
    UnreadLine,
    Weapon,
)
from battlewright.dice import Dice
from battlewright.effects import EditionId
from battlewright.errors import BadInput, Fault, Unparsed
from battlewright.formats import Reading, Source
from battlewright.formats import page_text as sign
from battlewright.formats.page_boxes import mend, read_boxes
from battlewright.formats.page_options import is_choice, read_option
from battlewright.formats.page_text import Line, heading, is_glossary, is_prose, lines_of
from battlewright.formats.weapon_line import read_weapon, split_bare, split_brackets

#: Real pages have some 70 thousand letters.
LARGEST: Final = 2_000_000
_TABLE: Final = re.compile(r"^\s*\|?\s*(?:ranged|melee)\s+weapons\s*(?:\||\t|$)", re.I | re.M)
_RANGE: Final = re.compile(r"^(?:\d{1,3}\s?[\"”']{0,2}|melee|n/a)$", re.I)
_HEAD: Final = ("range", "a", "bs", "ws", "s", "ap", "d")
#: "This model has a 4+ invulnerable save.", "This unit has 4+ InSv": nothing but that.
_GIVES_SAVE: Final = re.compile(
    r"^(?:this model|this unit|models in this unit|every model in this unit) (?:has|have) "
    r"(?:an? ([2-6])\+ invulnerable save|([2-6])\+ InSv)(?: against (ranged|melee) attacks)?\.?$",
    re.IGNORECASE,
)
_STATS: Final = {"m": "M", "t": "T", "sv": "Sv", "w": "W", "ld": "Ld", "oc": "OC", "insv": "InSv", "inv": "InSv"}
_MODELS: Final = re.compile(r"^(\d{1,3})(?:\s*[-–]\s*(\d{1,3}))?\s+models?\b(.*)$", re.I)
_TIER: Final = re.compile(
    r"^YOUR\s+(\d+)(?:ST|ND|RD|TH)(?:\s+TO\s+(\d+)(?:ST|ND|RD|TH))?\s*(\+)?\s+UNITS?\s+COSTS?$", re.I
)
_COMPOSED: Final = re.compile(
    r"^-?\s*(\d{1,3})(?:\s*[-–]\s*(\d{1,3}))?\s*x?\s+(?!models?\b)(\S.*?)(?:\s+–\s+(EPIC HERO))?\*?$", re.I
)
_EQUIPPED: Final = re.compile(
    r"^(?:(?:every|each|the|this|all|any)\s+)?(.+?)\s+(?:is|are|comes|has)\s+equipped\s+with\s*:\s*(.+?)\.?$", re.I
)
_NAMED: Final = re.compile(r"^([A-Z0-9'\"][^:.;|]{1,70}?(?:\([^)]*\))?)\s*:\s+(\S.*)$")
_NEXT: Final = re.compile(r"(?<=[.!?)'\"])(?=[A-Z][^:.;|]{2,60}:\s+\S)")
_CORE: Final = re.compile(r"^(.*?)\s+(\d{0,2}[dD][36](?:\+\d+)?|\d{1,2})[\"+]{0,2}$")
_INVULNERABLE: Final = re.compile(
    r"^\*?\s*This (?:model|unit) has an? (\d)\+ invulnerable save against (ranged|melee) attacks", re.I
)
_HOLE: Final = re.compile(r"Army Faction is (?:not )?,|\b(?i:from|each time|while) an (?:model|unit)\b")


def detects(source: Source) -> float:
    """How sure this is a datasheet page: it has a weapon table, or a stat line and keywords.

    >>> detects(Source("a", b"", "| MELEE WEAPONS | RANGE | A | WS | S | AP | D | |"))
    0.8
    """
    text = source.text
    if text is None or text.lstrip()[:1] in ("{", "["):
        return 0.0
    if _TABLE.search(text):
        return 0.8 if re.search(r"\bRANGE\b", text, re.I) else 0.5
    return 0.5 if re.search(r"^FACTION KEYWORDS:", text, re.M) or re.search(r"^UNIT COMPOSITION$", text, re.M) else 0.0


def read(source: Source) -> Reading:
    """Read a page. Faults are numbers that cannot be (skill 9, a row cut off); all else not understood is ``unread``."""
    text = source.text or ""
    if len(text) > LARGEST:
        raise BadInput(f"too large for a datasheet page: at most {LARGEST // 1_000_000} MB of text", source.name)
    page = _Page(lines_of(text))
    page.read()
    edition = _edition(page)
    page.weapons(bracketed=_has_brackets(page) or (edition != "11e" and not _is_bare(page)))
    sheet = page.datasheet(edition or "11e")
    missing = (*(() if edition else ("edition",)), *sheet.missing)
    return Reading(
        kind="datasheet",
        format="page",
        edition=edition,
        faults=tuple(Fault(what, f"{source.name}:{line}") for what, line in page.faults),
        unread=tuple(UnreadLine(line.number, line.text) for line in page.unread),
        missing=missing,
        datasheets=(sheet,),
        notes=tuple(page.notes),
    )


class _Page:
    """One walk over the lines: a state (the part we are in) and a method for the lines of each."""

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self.unread, self.faults, self.notes = list[Line](), list[tuple[str, int]](), list[str]()
        self.name = self.page_faction = ""
        self.rows = list[tuple[bool, Line, list[str]]]()
        self.made = dict[Weapon, None]()  # in the order of the page, each once
        self.unknown = dict[str, int]()
        self.options = list[tuple[Line, list[str]]]()
        self.footnotes = list[str]()
        self.abilities = list[Ability]()
        self.models = list[tuple[str, int, int | None]]()
        self.equipment = list[tuple[str, tuple[str, ...]]]()
        self.tiers = list[PointsTier]()
        self.tier = (1, None)  # type: tuple[int, int | None]
        self.keywords, self.factions = list[str](), list[str]()
        self.model_keywords = list[tuple[str, tuple[str, ...]]]()
        self.has_keywords = self.has_faction = False
        self.stratagems, self.detachments = list[StratagemListing](), list[str]()
        self.enhancements = list[EnhancementListing]()
        self.leads, self.has_leader = list[str](), False
        self.transport, self.damaged = "", None  # type: str, tuple[int, int] | None
        self.profiles: list[tuple[str, dict[str, int | Dice]]] = [("", {})]
        self.against, self.unique = "", False
        self.boxed = list[Line]()
        self.box = ""
        self.last_sheet_line = self._last_sheet_line()

    # ---------------------------------------------------------------------------------------------------- the walk

    def read(self) -> None:
        place, state = self._title(), "stats"
        while place < len(self.lines):
            line = self.lines[place]
            used, opened = self._opens(place, state)
            if used:
                place, state = place + used, opened
                continue
            used = 0 if is_glossary(line.text) else self._take(place, state)
            if used:
                place += used
            elif place > self.last_sheet_line or (is_glossary(line.text) and place >= self.last_sheet_line):
                self.boxed = self.lines[place:]
                return
            else:
                self.unread.append(line)
                place += 1

    def _last_sheet_line(self) -> int:
        """The last line that only the sheet part can have, before the first sign of the boxes."""
        last = -1
        for place, line in enumerate(self.lines):
            if is_glossary(line.text):
                break
            if (
                heading(line.text)
                or sign.KEYWORDS.match(line.text)
                or _RANGE.match(self._cell(line, 1))
                or self._is_points(place)
            ):
                last = place
        return last

    @staticmethod
    def _cell(line: Line, place: int) -> str:
        cells = line.cells
        return cells[place] if "|" in line.text and len(cells) > place else ""

    def _text(self, place: int) -> str:
        return self.lines[place].text if 0 <= place < len(self.lines) else ""

    def _title(self) -> int:
        first = self._text(0)
        if not first or heading(first) or "|" in first or is_prose(first) or first.casefold() in _STATS:
            return 0
        faction, dash, name = first.partition(" – " if " – " in first else " - ")
        self.page_faction, self.name = (faction.strip(), name.strip()) if dash else ("", first)
        return 1

    def _opens(self, place: int, state: str) -> tuple[int, str]:
        """A heading at this line: how many lines it takes, and the state it opens."""
        line = self.lines[place]
        text = line.text
        if found := sign.DAMAGED.fullmatch(text):
            low, high = sorted((int(found[1]), int(found[2] or found[1])))
            self.damaged, self.box = (low, high), text
            return 1, "box"
        if opened := heading(text):
            if opened in ("ranged", "melee") and "|" not in text and self._text(place + 1).casefold() != "range":
                return 0, ""
            if opened == "leader" and not self._leads_follow(place + 1):
                return 0, ""
            self.has_leader = self.has_leader or opened == "leader"
            self.has_faction = self.has_faction or opened == "faction"
            self.box = text if opened == "transport" else self.box
            return 1 + (self._header_cells(place + 1) if opened in ("ranged", "melee") else 0), opened
        if found := re.match(r"FACTION KEYWORDS?\s*:\s*(\S.*)$", text, re.I):
            self.has_faction = True
            self._add_factions(found[1])
            return 1, "faction"
        if found := sign.KEYWORDS.fullmatch(text):
            self.has_keywords = True
            self._keywords(found[1], found[2], line)
            return 1, "keywords"
        if line.is_caps and self._opens_box(place, state):
            self.box = text
            return 1, "box"
        return 0, ""

    def _leads_follow(self, place: int) -> bool:
        return bool(re.search(r"can be attached to|\bcan lead\b", self._text(place)))

    def _header_cells(self, place: int) -> int:
        used = 0
        while self._text(place + used).casefold() in _HEAD:
            used += 1
        return used

    def _opens_box(self, place: int, state: str) -> bool:
        """A free box of the sheet: a title in capitals, and a sentence below it; not among the lists after the keywords."""
        text, after = self._text(place), self._text(place + 1)
        if (
            state in ("faction", "keywords", "stratagems", "detachments", "enhancements", "stats")
            or "|" in text
            or text[:1] == "-"
        ):
            return False
        if sign.COST.fullmatch(after) or re.match(r"^[\d+*\"D-]+$", text) or text.casefold() == self.name.casefold():
            return False
        return bool(after) and (is_prose(after) or after.startswith("- "))

    def _take(self, place: int, state: str) -> int:
        """Lines the state understands from here on, 0 when it does not."""
        if used := self._points(place):
            return used
        taker = getattr(self, f"_in_{state}")
        return int(taker(place))

    # --------------------------------------------------------------------------------------------------- the parts

    @property
    def stats(self) -> dict[str, int | Dice]:
        """The stat line being read: of the unit, or of the kind of model named last."""
        return self.profiles[-1][1]

    def _in_stats(self, place: int) -> int:
        line, text = self.lines[place], self._text(place)
        if self._stat(text, self._text(place + 1)):
            return 2
        if text.casefold() in ("m", self.name.casefold(), self.page_faction.casefold()):
            return 1
        if not is_prose(text) and "|" not in text and self._text(place + 1).casefold() == "m":
            self.profiles.append((text, {}))
            return 1
        if used := self._stat_table(place):
            return used
        pairs = re.findall(
            r"\b(InSv|Inv|M|T|SV|Sv|W|LD|Ld|OC)\s*:?\s*(\d{0,2}D?\d{1,2}[\"+]{0,2}|-)(?=[\s,;|]|$)", line.text
        )
        return int(len(pairs) >= 4 and all(self._stat(name, value) for name, value in pairs))

    def _stat_table(self, place: int) -> int:
        """A table of stat lines: a header row, then one row for the unit or for each kind of model."""
        names = self.lines[place].cells
        known = [name.casefold() in _STATS for name in names]
        if "|" not in self._text(place) or known.count(True) < 5 or known.count(False) > 1:
            return 0
        used = 1
        while "|" in self._text(place + used) and not heading(self._text(place + used)):
            values = self.lines[place + used].cells
            title = next((value for value, is_stat in zip(values, known, strict=False) if not is_stat), "")
            self.profiles.append((title, {}))
            read = [
                self._stat(name, value) for name, value in zip(names, values, strict=False) if name.casefold() in _STATS
            ]
            if not all(read) or len(values) < len(names):
                self.profiles.pop()
                break
            used += 1
        return used

    def _stat(self, name: str, value: str) -> bool:
        stat = _STATS.get(name.casefold().rstrip(":"))
        found = re.fullmatch(r"(\d{1,2})[\"+*]{0,3}|(\d?D[36](?:\+\d)?)\"?|([-–])", value.strip(), re.I)
        if stat is None or found is None:
            return False
        if found[1] or found[3]:
            self.stats[stat] = int(found[1] or 0)
        elif stat == "M":
            self.stats["M_dice"] = Dice.parse(found[2])
        return True

    def _in_invulnerable(self, place: int) -> int:
        text = self._text(place)
        if found := re.fullmatch(r"(\d)\+?\s*\*?", text):
            self.stats["InSv"] = int(found[1])
            return 1
        if found := _INVULNERABLE.match(text):
            self.stats.setdefault("InSv", int(found[1]))
            self.against = found[2].lower()
            return 1
        if text.startswith("*"):
            self._ability("Invulnerable Save", text.lstrip("* "), "special")
            return 1
        return 0

    def _in_ranged(self, place: int) -> int:
        return self._row(place, melee=False) or self._weapon_note(place)

    def _in_melee(self, place: int) -> int:
        return self._row(place, melee=True) or self._weapon_note(place)

    def _row(self, place: int, *, melee: bool) -> int:
        line = self.lines[place]
        if "|" in line.text:
            cells = line.cells
            filled = [cell for cell in cells if cell]
            if len(filled) == 1 and len(line.text.split("|")) > 2:
                return 1
            if len(filled) >= 2 and filled[0]:
                self.rows.append((melee, line, list(cells[:7])))
                return 1
            return 0
        if self._cell(self.lines[place + 1], 0) == line.text if place + 1 < len(self.lines) else False:
            return 1
        return self._tall_row(place, melee=melee)

    def _tall_row(self, place: int, *, melee: bool) -> int:
        """A table with one cell a line: the name (often twice), then six cells."""
        first = place
        while self._text(place + 1) == self._text(first):
            place += 1
        if not _RANGE.match(self._text(place + 1)) or _RANGE.match(self._text(first)):
            return 0
        cells = [line.text for line in self.lines[first : first + 1]]
        end = place + 1
        while end < len(self.lines) and end - place <= 6 and not heading(self._text(end)):
            cells.append(self._text(end))
            end += 1
        self.rows.append((melee, self.lines[first], cells))
        return end - first

    def _weapon_note(self, place: int) -> int:
        """One-off weapon abilities explained below the tables, and the line about profiles."""
        text = self._text(place)
        if text.startswith("Before selecting targets for this weapon"):
            return 1
        if place > self.last_sheet_line and is_prose(text) and not _NAMED.match(text):
            return 0
        if found := _NAMED.match(text):
            if len(found[1].split()) > 6 or found[2] == "":
                return 0
            self._ability(found[1], found[2], "special")
            return 1
        return 0

    def _in_options(self, place: int) -> int:
        line, text = self.lines[place], self._text(place)
        if text.lstrip("- ").rstrip(".").casefold() == "none":
            return 1
        if text.startswith("*"):
            self.footnotes.append(text.lstrip("* "))
            return 1
        body = text.removeprefix("- ")
        if self.options and is_choice(body) and self._text_open(self.options[-1][0].text):
            self.options[-1][1].append(body)
            return 1
        if line.is_bullet or re.search(r"\b(?:can|may)\b", text):
            self.options.append((Line(line.number, body), []))
            return 1
        return 0

    @staticmethod
    def _text_open(sentence: str) -> bool:
        return sentence.rstrip("* ").endswith(":")

    def _in_abilities(self, place: int) -> int:
        return self._named(place, "datasheet")

    def _in_wargear(self, place: int) -> int:
        return self._named(place, "wargear")

    def _named(self, place: int, kind: str) -> int:
        line, text = self.lines[place], self._text(place)
        if found := re.match(r"^(CORE|FACTION)\s*:\s*(.*)$", text, re.I):
            for part in re.split(r"[,;]\s*", found[2]):
                self._core(part.strip(" ."), found[1].lower())
            return 1
        if line.is_caps and not line.is_bullet:
            return 0
        pieces = _NEXT.split(text)
        if not _NAMED.match(pieces[0]) and not (self.abilities and place <= self.last_sheet_line):
            return 0
        for piece in pieces:
            found = _NAMED.match(piece)
            if found and not line.is_bullet:
                self._ability(found[1], found[2], kind)
            elif self.abilities and self.abilities[-1].kind not in ("core", "faction"):
                self._continue(piece)
            else:
                return 0
        return 1

    def _core(self, text: str, kind: str) -> None:
        if not text or text == "-":
            return
        found = _CORE.match(text)
        name, amount = (found[1], Dice.parse(found[2])) if found else (text, None)
        self.abilities.append(Ability(name=name, kind="core" if kind == "core" else "faction", amount=amount))

    def _ability(self, name: str, text: str, kind: str) -> None:
        known = {"wargear": "wargear", "special": "special"}.get(kind, "datasheet")
        self.abilities.append(Ability(name=name.strip(), text=text, kind=known))  # type: ignore[arg-type]

    def _continue(self, text: str) -> None:
        last = self.abilities[-1]
        self.abilities[-1] = Ability(name=last.name, text=f"{last.text}\n{text}".strip(), kind=last.kind)

    def _in_box(self, place: int) -> int:
        """A free box: its text is an ability named by its title; the damaged bracket and the transport are known ones."""
        text = self._text(place)
        if (
            place > self.last_sheet_line
            and self.abilities
            and self.abilities[-1].name == self.box
            and not text.startswith("- ")
        ):
            return 0
        if self.abilities and self.abilities[-1].name == self.box:
            self._continue(text)
        else:
            self._ability(self.box, text, "special")
        return 1

    def _in_transport(self, place: int) -> int:
        self.transport = f"{self.transport} {self._text(place)}".strip()
        return 1

    def _in_leader(self, place: int) -> int:
        text = self._text(place)
        if text.startswith("- "):
            self.leads.append(text[2:].strip())
            return 1
        if re.match(r"(?:You can|This model can) (?:also )?(?:be )?attach", text) and self.leads:
            self._ability("Leader", text, "special")
            return 1
        return int(self._leads_follow(place))

    def _in_led(self, place: int) -> int:
        """Who may lead the unit: said again on the leaders' own pages."""
        text = self._text(place)
        return int(text.startswith("- ") or bool(re.search(r"\bled by\b|\bcan lead\b|attached", text)))

    def _in_composition(self, place: int) -> int:
        text = self._text(place)
        if found := _EQUIPPED.match(text):
            words = [item.strip(" .") for item in re.split(r"[;,]", found[2]) if item.strip(" .")]
            self.equipment.append((found[1].strip(), tuple(item for word in words for item in _items(word))))
            return 1
        if found := _COMPOSED.match(text):
            low, high = int(found[1]), int(found[2] or found[1])
            self.models.append((found[3].strip(), low, high))
            self.unique = self.unique or bool(found[4])
            return 1
        return int(text.casefold() in ("or", "- or"))

    def _is_points(self, place: int) -> bool:
        cells = [cell for cell in self.lines[place].cells if cell]
        return bool(
            cells and (_TIER.match(cells[0]) or (len(cells) == 2 and _MODELS.match(cells[0]) and cells[1].isdigit()))
        )

    def _points(self, place: int) -> int:
        cells = [cell for cell in self.lines[place].cells if cell]
        if not cells:
            return 0
        if tier := _TIER.match(cells[0]):
            first = int(tier[1])
            self.tier = (first, int(tier[2]) if tier[2] else None if tier[3] else first)
            return 1
        found = _MODELS.match(cells[0])
        if not found:
            return 0
        price, used = (cells[1], 1) if len(cells) >= 2 else (self._text(place + 1), 2)
        amount = re.fullmatch(r"\+?(\d{1,4})(?:\s*(?:pts|points))?", price.strip())
        if not amount:
            return 0
        first, last = self.tier
        self.tiers.append(PointsTier(int(found[2] or found[1]), int(amount[1]), first, last, found[3].strip()))
        return used

    def _in_keywords(self, place: int) -> int:
        return 0

    def _keywords(self, who: str | None, text: str, line: Line) -> None:
        """A keywords line; those of single models follow the unit's, often glued to them (``…, KINELDER: CHARACTER``)."""
        for name in [*(entry[0] for entry in self.models[:20]), self.name]:
            for form in dict.fromkeys((name.upper(), _singular(name).upper())):
                text = re.sub(rf"(?<=\S)\s*(?={re.escape(form)}\s*:)", " | ", text) if form else text
        first, *others = [group.strip(" |,;") for group in text.split("|")]
        if who and who.casefold() not in ("all models", "all"):
            self.model_keywords.append((who, self._words(first)))
        else:
            others = [*self._unit_words(first), *others]
        for group in others:
            name, colon, rest = group.partition(":")
            if colon:
                self.model_keywords.append((name.strip(), self._words(rest)))
            else:
                self.unread.append(Line(line.number, group))

    def _unit_words(self, text: str) -> list[str]:
        """Take the unit's keywords; what follows from a word with a colon on is a model's, and handed back."""
        words, (before, colon, after) = self.name.upper(), text.partition(":")
        if not colon:
            self.keywords += self._words(text)
            return []
        known, _, last = before.rpartition(";" if ";" in before else ",")
        self.keywords += self._words(known)
        last = last.strip()
        if words and last.startswith(words) and last != words:
            self.keywords.append(words)
            last = last[len(words) :].strip()
        return [f"{last}:{after}"]

    @staticmethod
    def _words(text: str) -> tuple[str, ...]:
        return tuple(word.strip(" .").upper() for word in re.split(r"[;,]", text) if word.strip(" ."))

    def _in_faction(self, place: int) -> int:
        line, text = self.lines[place], self._text(place)
        words = self._words(text)
        if not line.is_caps or line.is_bullet or "|" in text or sign.COST.fullmatch(self._text(place + 1)):
            return 0
        if self.factions and not set(words) <= set(self.factions) and not self._goes_on(place):
            return 0
        self._add_factions(text)
        return 1

    def _goes_on(self, place: int) -> bool:
        """Whether a line right behind a faction keyword is one more of them: short, and no title of what stands below."""
        before, after = self._text(place - 1), self._text(place + 1)
        follows = set(self._words(before)) <= set(self.factions)
        ends = not after or heading(after) is not None or is_glossary(after) or "|" in after
        return follows and ends and len(self._text(place).split()) <= 4 and not re.search(r"\d|\[", self._text(place))

    def _add_factions(self, text: str) -> None:
        self.factions += [word for word in self._words(text) if word not in self.factions]

    def _in_stratagems(self, place: int) -> int:
        cost = sign.COST.fullmatch(self._text(place + 1))
        if not cost or any(self._text(place + ahead).startswith("WHEN:") for ahead in (2, 3, 4)):
            return 0
        source, _, category = self._text(place + 2).partition(" – ")
        code = self._text(place + 3)
        has_code = bool(re.fullmatch(r"[A-Z]{1,3}", code)) and not sign.COST.fullmatch(self._text(place + 4))
        self.stratagems.append(
            StratagemListing(
                name=_title_case(self._text(place)),
                cost=int(cost[1]),
                source=source.removesuffix(" Stratagem").strip(),
                category=category.removesuffix(" Stratagem").strip(),
                code=code if has_code else "",
            )
        )
        return 4 if has_code else 3

    def _in_detachments(self, place: int) -> int:
        text, after = self._text(place), self._text(place + 1)
        if is_prose(text) or "|" in text or text.startswith("- ") or sign.COST.fullmatch(after):
            return 0
        if self.detachments and is_prose(after) and not sign.INDEX.match(after):
            return 0
        self.detachments.append(text)
        return 1

    def _in_enhancements(self, place: int) -> int:
        price = re.fullmatch(r"(\d{1,3})(?:\s*(?:pts|points))?", self._text(place + 1))
        if not price or is_prose(self._text(place)):
            return 0
        self.enhancements.append(EnhancementListing(self._text(place), int(price[1])))
        return 2

    # ------------------------------------------------------------------------------------------------ put together

    def weapons(self, *, bracketed: bool) -> None:
        names = frozenset(self._mentioned())
        explained = frozenset(ability.name.casefold() for ability in self.abilities if ability.kind == "special")
        for melee, line, cells in self.rows:
            raw, numbers = cells[0], cells[1:]
            if len(numbers) != 6 or not all(numbers):
                self.faults.append(
                    (f"weapon row cut off: expected 6 numbers, got {len([n for n in numbers if n])}", line.number)
                )
                continue
            if bracketed or "[" in raw:
                name, abilities, unknown = split_brackets(raw)
                for word in unknown:
                    self.unknown.setdefault(word, line.number)
            else:
                name, abilities = split_bare(raw, melee=melee, names=names, own=explained)
            try:
                weapon = read_weapon(name, numbers, abilities, melee=melee and not re.match(r"\d", numbers[0]))
            except Unparsed as fault:
                self.faults.append((f"{name}: {fault}", line.number))
                continue
            self.made.setdefault(weapon)
        told = {ability.name.casefold() for ability in self.abilities}
        for word, number in self.unknown.items():
            if word.casefold() not in told:
                self.faults.append((f"unknown weapon ability {word!r}", number))

    def _mentioned(self) -> set[str]:
        said = {item.casefold() for _, items in self.equipment for item in items}
        for line, choices in self.options:
            option = read_option(line.text, choices)
            if option:
                said |= {item.casefold() for choice in option.choices for item, _ in choice.items}
                said |= {item.casefold() for item in option.replaces}
        return said

    def datasheet(self, edition: EditionId) -> Datasheet:
        army = faction_keyword(self.page_faction) or (self.factions[0] if self.factions else "")
        self.name = self.name or self._named_elsewhere()
        self._save_told_by_an_ability()
        self.notes += [
            f"keywords of {who}, who is not in the composition: {', '.join(words)}"
            for who, words in self.model_keywords
            if not any(_is_same(who, name) for name, _, _ in self.models)
        ]
        boxes, lost = read_boxes(self.boxed, army)
        abilities = [replace(ability, text=mend(ability.text, army)) for ability in self.abilities]
        if army and any(_HOLE.search(line.text) for line in self.lines):
            self.notes.append(f"{army} put back where the text has a hole")
        options = []
        for line, choices in self.options:
            note = " ".join(self.footnotes) if "*" in line.text or any("*" in choice for choice in choices) else ""
            option = read_option(line.text, choices, note)
            if option is None:
                self.unread += [line, *(Line(line.number, choice) for choice in choices)]
            else:
                options.append(option)
        enhancements = self._with_detachments([box.source for box in boxes if box.kind == "enhancement"])
        named = iter([listing.name for listing in enhancements])
        boxes = tuple(
            type(box)(next(named, ""), box.kind, box.number, box.cost, box.source, box.parts, box.text)
            if box.kind == "enhancement" and not box.title
            else box
            for box in boxes
        )
        missing = (*self._missing(), *lost)
        self.unread.sort(key=lambda line: line.number)
        return Datasheet(
            name=self.name,
            edition=edition,
            faction=self.page_faction,
            models=self._models(),
            weapons=tuple(self.made),
            options=tuple(options),
            abilities=tuple(abilities),
            keywords=tuple(dict.fromkeys(self.keywords)),
            faction_keywords=tuple(self.factions),
            points=tuple(self.tiers),
            leads=tuple(self.leads),
            transport_text=self.transport,
            damaged=self.damaged,
            stratagems=tuple(self.stratagems),
            detachment_abilities=tuple(self.detachments),
            enhancements=enhancements,
            boxes=boxes,
            unique=self.unique or "EPIC HERO" in self.keywords,
            missing=missing,
            sources=(("sheet", "page"),),
        )

    def _named_elsewhere(self) -> str:
        """The name of an untitled page: the last of its keywords, spelt as its composition does where that has it."""
        if not self.keywords:
            return ""
        last = self.keywords[-1]
        self.notes.append("the page has no title; the name is that of its last keyword")
        return next((name for name, _, _ in self.models if _is_same(name, last)), _title_case(last))

    def _save_told_by_an_ability(self) -> None:
        """An ability that gives every model an invulnerable save, and says nothing else."""
        if any("InSv" in stats for _, stats in self.profiles):
            return
        told = [found for each in self.abilities if each.kind != "wargear" and (found := _GIVES_SAVE.match(each.text))]
        if len({found[0] for found in told}) != 1:
            return
        self.against = (told[0][3] or "").lower()
        for _, stats in self.profiles:
            stats["InSv"] = int(told[0][1] or told[0][2])

    def _with_detachments(self, sources: list[str]) -> tuple[EnhancementListing, ...]:
        """The boxes of enhancements have no title, but come in the order of the list."""
        if len(sources) != len(self.enhancements):
            return tuple(self.enhancements)
        return tuple(
            EnhancementListing(listing.name, listing.points, source)
            for listing, source in zip(self.enhancements, sources, strict=True)
        )

    def _models(self) -> tuple[ModelEntry, ...]:
        known = any(stats for _, stats in self.profiles)
        models = self.models or ([(self.name, 1, None)] if known and self.name else [])
        return tuple(
            ModelEntry(
                name=name,
                low=low,
                high=high,
                profile=self._profile(name),
                wargear=self._carried(name),
                keywords=next((words for who, words in self.model_keywords if _is_same(who, name)), ()),
            )
            for name, low, high in models
        )

    def _carried(self, name: str) -> tuple[str, ...]:
        everyone = ("model", "models", "unit", "this model", "models in this unit", "model in this unit")
        own = [item for who, items in self.equipment if _is_same(who, name) for item in items]
        shared = [item for who, items in self.equipment if who.casefold() in everyone for item in items]
        again = {item.casefold() for item in own} & {item.casefold() for item in shared}
        return tuple(own if again else [*shared, *own])  # a full list of its own names again what all have

    def _profile(self, name: str) -> Profile:
        """The stat line of a kind of model: its own, else that of the unit."""
        found = [stats for _, stats in self.profiles if stats]
        own = [stats for title, stats in self.profiles if stats and title and _is_same(title, name)]
        stats = {} if not found else own[0] if own else found[0]
        against = self.against if self.against in ("ranged", "melee") else None
        return Profile(**stats, InSv_against=against)  # type: ignore[arg-type]

    def _missing(self) -> list[str]:
        stats = {name for _, line in self.profiles for name in line} | ({"M"} if "M_dice" in self.stats else set())
        lost = [name for name in ("M", "T", "Sv", "W", "Ld", "OC") if name not in stats]
        found = {
            "unit name": not self.name,
            "stat line": len(lost) == 6,
            f"stat line: {', '.join(lost)}": 0 < len(lost) < 6,
            "invulnerable save": len(lost) == 6 and "InSv" not in stats,
            "base": True,
            "weapons": not self.made,
            "abilities": not any(ability.kind != "special" for ability in self.abilities),
            "unit composition": not self.models,
            "default equipment": not self.equipment,
            "points": not self.tiers,
            "keywords": not self.keywords,
            "faction keyword": not self.factions,
            "leader list": self.has_leader and not self.leads,
        }
        holes = [f"keyword in the text, line {line.number}" for line in self.lines if _HOLE.search(line.text)]
        return [name for name, is_lost in found.items() if is_lost] + holes


def _has_brackets(page: _Page) -> bool:
    return any("[" in cells[0] for _, _, cells in page.rows)


def _edition(page: _Page) -> EditionId | None:
    """By the signs of the two layouts, each a vote; None when there is none."""
    texts = [line.text for line in page.lines]
    joined = "\n".join(texts)
    new = [
        bool(re.search(r"^\|?\s*YOUR \d+(?:ST|ND|RD|TH)\b", joined, re.M)),
        bool(re.search(r"^KEYWORDS[^:]*:[^\n]*;", joined, re.M)),
        any(sign.NUMBERED.fullmatch(text) for text in texts) or bool(re.search(r"[A-Z]\]?\d\d\.\d\d\b", joined)),
        bool(re.search(r"^(?:COUNTEROFFENSIVE|EXPLOSIVES)$", joined, re.M)),
        _is_bare(page),
    ]
    old = [
        bool(re.search(r"^KEYWORDS[^:]*:[^\n;]*,[^\n;]*$", joined, re.M)),
        bool(re.search(r"^Core – (?:Battle Tactic|Strategic Ploy|Epic Deed|Wargear)", joined, re.M)),
        bool(re.search(r"in their profile are known as", joined)),
        bool(re.search(r"^(?:TANK SHOCK|GRENADE)$", joined, re.M)),
        _has_brackets(page),
    ]
    if not any(new) and not any(old):
        return None
    return "11e" if sum(new) > sum(old) else "10e"


def _is_bare(page: _Page) -> bool:
    """Abilities stand bare behind the names: no brackets on the page, and a tail that can be nothing else."""
    if _has_brackets(page):
        return False
    return any(_has_tail(cells[0], melee=melee) for melee, _, cells in page.rows)


def _has_tail(name: str, *, melee: bool) -> bool:
    """An ability behind the name that is no usual end of a weapon's name, or its last word said twice (pistol pistol)."""
    rest, abilities = split_bare(name, melee=melee)
    twice = bool(abilities) and rest.casefold().split()[-1:] == [abilities[0].name]
    return twice or any(ability.name not in ("pistol", "lance", "torrent", "heavy") for ability in abilities)


def _items(words: str) -> list[str]:
    """One item, or so many of it: ``2 hull guns``."""
    found = re.match(r"^(\d)\s+(.+)$", words)
    if not found:
        return [words]
    count = int(found[1])
    return [_singular(found[2]) if count > 1 else found[2]] * count


def _is_same(who: str, name: str) -> bool:
    return _singular(who.casefold()) == _singular(name.casefold())


def _singular(name: str) -> str:
    if name.endswith("ies"):
        return name[:-3] + "y"
    if name.endswith("men"):
        return name[:-3] + "man"
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def _title_case(text: str) -> str:
    """COMMAND RE-ROLL as a title: Command Re-roll; small words small."""
    small = {"the", "of", "and", "for", "in", "to", "a", "an", "by", "from", "on", "with"}
    words = [word.capitalize() for word in text.split()]
    return " ".join(
        word if not place or word.casefold() not in small else word.lower() for place, word in enumerate(words)
    )
