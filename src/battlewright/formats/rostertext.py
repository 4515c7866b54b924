"""What all text rosters share: clean numbered lines, counts and points, lists of gear, and the army they add up to.

A dialect's reader walks the lines and fills an :class:`ArmyDraft`; :func:`finish` turns that into a
:class:`~battlewright.formats.Reading`. A line that no rule of the dialect wants goes to ``unread`` with its number.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec

from battlewright.datasheet import UnreadLine
from battlewright.effects import EditionId
from battlewright.errors import BadInput, Fault
from battlewright.formats import Reading, Source
from battlewright.names import fold
from battlewright.roster import Detachment, ModelTaken, Roster, RosterUnit, WeaponTaken

#: The most lines a list may have; real ones stay below 600.
LINES: Final = 20_000
#: The longest line read; real ones stay below 1,200 letters.
LETTERS: Final = 4_000
#: The most models or weapons one line may count; a slip of the finger is no army.
COUNT: Final = 500

_BULLETS: Final = "•■▪◦►●‣⁃*-–·○"
_NUMBER: Final = r"\d{1,3}(?:[,.   '’]\d{3})+|\d+"
POINTS: Final = re.compile(
    rf"\s*[(\[]\s*(?P<points>[+]?(?:{_NUMBER}))\s*(?:pts?|points?|punkte?|punti|puntos?)\b\.?[^)\]]*[)\]]",
    re.IGNORECASE,
)
_COUNT: Final = re.compile(r"^(\d{1,4})\s*[x×]\s+(?=\S)", re.IGNORECASE)
_COUNT_BEHIND: Final = re.compile(r"(?<=\w)\s*(?:\(\s*[x×]\s*(\d{1,3})\s*\)|\s[x×]\s*(\d{1,3}))\s*$", re.IGNORECASE)
_LEGENDS: Final = re.compile(r"\s*[\[(]\s*(?:legends?|légendes?)\s*[\])]", re.IGNORECASE)

#: The line a tool signs its lists with, in any language; where it leads to is no signature.
SIGNATURE: Final = re.compile(
    r"^(?:e[xs]port\w*\s+(?:with|from|avec|depuis|mit|aus|con|desde|da)\b|(?:created|generated) (?:with|by)\b|"
    r"end of roster\b)",
    re.IGNORECASE,
)
#: The version of the app in its signature.
APP_VERSION: Final = re.compile(
    r"(?:^\W*e[xs]port\w*\s[^\n]{0,60}?|app[- ]version\s*:\s*)\bv(\d+)\.\d", re.IGNORECASE | re.MULTILINE
)

#: "Old Smoke" Wardens, or Wardens "Old Smoke": a name that its owner gave to the unit.
_CALLED: Final = re.compile(r'^(?:"(?P<first>[^"]+)"\s+(?P<after>[^"]+)|(?P<before>[^"]+)\s"(?P<last>[^"]+)")$')

#: headings of every dialect and language -> our word for the section
SECTIONS: Final[dict[str, str]] = {
    "epic hero": "epic hero", "epic heroes": "epic hero", "héros épique": "epic hero", "héros épiques": "epic hero",
    "character": "character", "characters": "character", "personnage": "character", "personnages": "character",
    "battleline": "battleline", "ligne": "battleline", "lignes": "battleline", "troupes de ligne": "battleline",
    "dedicated transport": "dedicated transport", "dedicated transports": "dedicated transport",
    "transport assigné": "dedicated transport", "transports assignés": "dedicated transport",
    "transport attitré": "dedicated transport", "transports attitrés": "dedicated transport",
    "other datasheets": "other", "other datasheet": "other", "other": "other", "autres fiches techniques": "other",
    "autres fiches": "other", "autres datasheets": "other", "other units": "other",
    "allied units": "allied", "allied unit": "allied", "allies": "allied", "unités alliées": "allied",
    "fortification": "fortification", "fortifications": "fortification",
    "infantry": "infantry", "infanterie": "infantry", "vehicle": "vehicle", "vehicles": "vehicle",
    "véhicule": "vehicle", "véhicules": "vehicle", "monster": "monster", "monsters": "monster",
    "monstre": "monster", "monstres": "monster", "mounted": "mounted", "beast": "beast", "beasts": "beast",
    "bête": "beast", "bêtes": "beast", "swarm": "swarm", "swarms": "swarm", "nuée": "swarm", "nuées": "swarm",
    "drone": "drone", "drones": "drone", "unit": "other", "titanic": "titanic", "walker": "vehicle",
    "aircraft": "aircraft", "transport": "transport", "lords of war": "other", "monté": "mounted", "montés": "mounted",
    "charaktermodelle": "character", "charaktermodell": "character", "charaktere": "character", "kampflinie": "battleline",
    "angeschlossene transporter": "dedicated transport", "andere datenblätter": "other", "verbündete einheiten": "allied",
    "personajes": "character", "personaje": "character", "línea de batalla": "battleline",
    "transportes asignados": "dedicated transport", "transportes dedicados": "dedicated transport",
    "otras hojas de datos": "other", "unidades aliadas": "allied", "personaggi": "character", "personaggio": "character",
    "linea di battaglia": "battleline", "trasporti dedicati": "dedicated transport", "altre schede tecniche": "other",
    "unità alleate": "allied",
}  # fmt: skip

#: sections that say a keyword of their units
_SECTION_KEYWORDS: Final[dict[str, tuple[str, ...]]] = {
    "epic hero": ("CHARACTER", "EPIC HERO"), "character": ("CHARACTER",), "battleline": ("BATTLELINE",),
    "dedicated transport": ("DEDICATED TRANSPORT", "TRANSPORT"), "fortification": ("FORTIFICATION",),
    "infantry": ("INFANTRY",), "vehicle": ("VEHICLE",), "monster": ("MONSTER",), "mounted": ("MOUNTED",),
    "beast": ("BEAST",), "swarm": ("SWARM",), "titanic": ("TITANIC",), "aircraft": ("AIRCRAFT",),
}  # fmt: skip

#: names of battle sizes in every language -> ours
BATTLE_SIZES: Final[dict[str, str]] = {
    "combat patrol": "Combat Patrol", "patrouille": "Combat Patrol", "incursion": "Incursion",
    "strike force": "Strike Force", "force de frappe": "Strike Force", "onslaught": "Onslaught",
    "offensive": "Onslaught", "assaut": "Onslaught",
}  # fmt: skip
#: The size a list means by its points, when it has a name for it in a language we have no words of.
_SIZE_BY_LIMIT: Final = {500: "Combat Patrol", 1000: "Incursion", 2000: "Strike Force", 3000: "Onslaught"}
_BATTLE_SIZE: Final = re.compile(
    rf"^(?:\d\.\s*)?(?P<name>{'|'.join(BATTLE_SIZES)})\b\s*"
    rf"(?:[(\[]\s*(?P<limit>{_NUMBER})\s*(?:pts?|points?)\b[^)\]]*[)\]])?\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank: its number from 1, how far it is indented, the bullet that stood before its text."""

    number: int
    indent: int
    mark: str
    text: str
    raw: str

    @property
    def bullet(self) -> bool:
        return bool(self.mark)

    @property
    def depth(self) -> int:
        """Nesting by indentation; a hollow bullet is deeper than a full one where all indentation was lost."""
        return 2 * (self.indent if self.mark else self.indent - 2) + (self.mark in "◦○" and self.mark != "")

    @property
    def unread(self) -> UnreadLine:
        return UnreadLine(self.number, self.raw.strip())


@dataclass(slots=True)
class Item:
    """One thing named under a unit: ``count`` of ``name``; ``counted`` when the source wrote the number."""

    name: str
    count: int = 1
    counted: bool = False
    points: int | None = None
    line: Line | None = None
    children: list[Item] = field(default_factory=list)


@dataclass(slots=True)
class ModelDraft:
    """``count`` models of a name and what they carry together."""

    name: str
    count: int
    gear: list[Item] = field(default_factory=list)


@dataclass(slots=True)
class UnitDraft:
    """A unit while its lines are read."""

    name: str
    line: Line
    points: int | None = None
    count: int | None = None
    section: str = ""
    reference: str = ""
    models: list[ModelDraft] = field(default_factory=list)
    gear: list[Item] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    enhancements: list[tuple[str, int | None]] = field(default_factory=list)
    warlord: bool = False
    legends: bool = False
    block: str = ""
    role: str = ""
    attached_to: str = ""
    keywords: list[str] = field(default_factory=list)
    upgraded: list[str] = field(default_factory=list)
    upgrade: bool = False


@dataclass(slots=True)
class ArmyDraft:
    """An army while its lines are read."""

    source: Source
    format: str
    edition: EditionId | None = None
    name: str = ""
    faction: str = ""
    detachments: list[Detachment] = field(default_factory=list)
    detachment_points: int | None = None
    header_enhancements: list[str] = field(default_factory=list)
    dispositions: list[str] = field(default_factory=list)
    battle_size: str = ""
    limit: int | None = None
    points: int | None = None
    units: list[UnitDraft] = field(default_factory=list)
    unread: list[UnreadLine] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def start(self, unit: UnitDraft) -> UnitDraft:
        """Begin a unit; a name marked as Legends loses the mark and keeps the fact, a name of its own in quotes is told."""
        if called := _CALLED.match(unit.name):
            unit.name = (called["before"] or called["after"]).strip()
            self.notes.append(f"{unit.name} is called {(called['last'] or called['first'])!r}")
        if _LEGENDS.search(unit.name):
            unit.name, unit.legends = _LEGENDS.sub("", unit.name).strip(), True
        self.units.append(unit)
        return unit

    def not_read(self, line: Line) -> None:
        self.unread.append(line.unread)


# --- lines ---------------------------------------------------------------------------------------------------------


def clean(text: str) -> str:
    """One form for spaces, hyphens and quotes, so that names of two exports are equal.

    >>> clean("T’au\\u00a0flamer \\u2011 “x”")
    'T\\'au flamer - "x"'
    """
    if "&" in text and ";" in text:
        text = html.unescape(text)
    text = re.sub(r"[​‌‍﻿⁠]", "", text)
    text = re.sub(r"[^\S\n\t]", " ", text)
    text = re.sub(r"[‐‑−]", "-", text)
    text = re.sub(r"[‘’ʼ`´]", "'", text)
    return re.sub(r"[“”„]", '"', text)


def lines_of(source: Source, *, dots: bool = False) -> list[Line]:
    """The lines that are not blank, cleaned. Raises :class:`BadInput` when there is no text or far too much.

    Several bullets in one line are a line each; points alone on a line belong to the name above. ``dots``: a full stop is
    a bullet too.
    """
    if source.text is None:
        raise BadInput("not text (binary data)", source.name)
    raw = source.text.splitlines()
    longest = max(map(len, raw), default=0)
    if longest > LETTERS:
        raise BadInput(f"a line of {longest:,} letters; at most {LETTERS:,} make a line of a list", source.name)
    if len(raw) > LINES:
        raise BadInput(f"{len(raw):,} lines, at most {LINES:,} make a list", source.name)
    found: list[Line] = []
    for number, text in enumerate(raw, 1):
        for part in _bullets_apart(re.sub(r"^(\s*)\.(?=\s)", r"\1•", text) if dots else text):
            line = _line(number, part)
            if line is None:
                continue
            above = found[-1] if found else None
            if _ONLY_POINTS.fullmatch(line.text) and above and not above.bullet and split_points(above.text)[1] is None:
                found[-1] = replace(
                    above, text=f"{above.text} {line.text}", raw=f"{above.raw.rstrip()} {line.raw.strip()}"
                )
            else:
                found.append(line)
    return found


_ONLY_POINTS: Final = re.compile(rf"[(\[]\s*(?:{_NUMBER})\s*(?:pts?|points?)\s*[)\]]", re.IGNORECASE)


def _bullets_apart(raw: str) -> list[str]:
    """ "• 1x rod • 2x blade" as two lines."""
    found = re.match(r"\s*(?=[•◦] )", raw)
    if not found or not re.search(r"\S\s+[•◦]\s", raw):
        return [raw]
    parts = re.split(r"\s+(?=[•◦]\s)", raw[found.end() :])
    return [found[0] + part for part in parts]


def glance(source: Source) -> str:
    """The start of a text with its lines cut short: enough to tell a dialect, and quick whatever the file is."""
    text = (source.text or "")[:200_000]
    return "\n".join(line[:300].replace("**", "") for line in text.splitlines()[:3000])


def _line(number: int, raw: str) -> Line | None:
    text = clean(raw).expandtabs(4).rstrip()
    body = text.lstrip()
    indent = len(text) - len(body)
    mark = _mark(body, indent)
    if mark:
        body = body[1:].lstrip(" \ufe0e\ufe0f")
        mark = "" if mark not in _BULLETS and section_of(body) else mark
    body = re.sub(r"\*\*|__|~~", "", body).strip()
    return Line(number, indent, mark, body, raw[:400]) if re.search(r"\w|^[+&]", body) else None


def _mark(body: str, indent: int) -> str:
    """The bullet before a text: one of the usual ones, a picture (an arrow, a coloured square), below a unit a plus."""
    if not re.match(r"\S[\ufe0e\ufe0f]? ", body):
        return ""
    picture = unicodedata.category(body[0]) == "So" or "\u2190" <= body[0] <= "\u21ff"
    return body[0] if body[0] in _BULLETS or picture or (indent and body[0] == "+") else ""


def amount(text: str) -> int:
    """Points as written: with commas, spaces, apostrophes or none.

    >>> [amount(text) for text in ("2,000", "2 000", "2000", "+15", "1.985", "2000 points - 59 models")]
    [2000, 2000, 2000, 15, 1985, 2000]
    """
    found = re.search(_NUMBER, text)
    return int(re.sub(r"\D", "", found[0])[:9]) if found else 0


def split_points(text: str) -> tuple[str, int | None, str]:
    """The text before the points, the points, and what follows them.

    >>> split_points("Ash Wardens (2,115 pts): gear"), split_points("Ash Wardens")
    (('Ash Wardens', 2115, ': gear'), ('Ash Wardens', None, ''))
    """
    found = None
    for found in POINTS.finditer(text):
        if text[found.end() :].strip()[:1] in ("", ":"):
            break
    if found is None:
        return text.strip(), None, ""
    return text[: found.start()].strip(), amount(found["points"]), text[found.end() :].strip()


def split_count(text: str) -> tuple[int, str, bool]:
    """The number before "x" (or behind it, at the end), the rest, and whether there was one.

    >>> split_count("9x Warden"), split_count("Warden"), split_count("2 x Warden"), split_count("Coal rod (x3)")
    ((9, 'Warden', True), (1, 'Warden', False), (2, 'Warden', True), (3, 'Coal rod', True))
    """
    found = _COUNT.match(text)
    if found and 0 < int(found[1]) <= COUNT:
        return int(found[1]), text[found.end() :].strip(), True
    behind = _COUNT_BEHIND.search(text)
    if behind and 0 < int(behind[1] or behind[2]) <= COUNT:
        return int(behind[1] or behind[2]), text[: behind.start()].strip(), True
    return 1, text.strip(), False


def section_of(text: str) -> str | None:
    """Our word for a heading, or None when it is none.

    >>> section_of("OTHER DATASHEETS"), section_of("## Epic Hero [195 pts]"), section_of("Personnages :"), section_of("X")
    ('other', 'epic hero', 'character', None)
    """
    name = split_points(text.lstrip("#").strip())[0].strip(" :+=-─━═—–|").casefold()
    return SECTIONS.get(name)


def battle_size_of(text: str) -> tuple[str, int | None] | None:
    """Name and limit of a battle size line.

    >>> battle_size_of("Strike Force (2,000 Points)"), battle_size_of("2. Strike Force (2000 Point limit)")
    (('Strike Force', 2000), ('Strike Force', 2000))
    """
    found = _BATTLE_SIZE.match(text.strip())
    if not found:
        return None
    return BATTLE_SIZES[found["name"].casefold()], amount(found["limit"]) if found["limit"] else None


def is_signed(text: str) -> bool:
    """A tool's signature, or the address of a list.

    >>> is_signed("Exported with App Version: v1.2.3 (4)"), is_signed("https://x.test/a"), is_signed("Exporter (90 pts)")
    (True, True, False)
    """
    return bool(SIGNATURE.match(text)) or re.match(r"(?:https?://|url\s*:)", text, re.IGNORECASE) is not None


# --- gear written in one line --------------------------------------------------------------------------------------


def split_list(text: str) -> list[str]:
    """Parts at commas that stand outside brackets.

    >>> split_list("Blade, 2x Drone (Gun, Shield), Relic [+15 pts]")
    ['Blade', '2x Drone (Gun, Shield)', 'Relic [+15 pts]']
    """
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        if letter in "([":
            depth += 1
        elif letter in ")]":
            depth = max(0, depth - 1)
        elif letter == "," and not depth:
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def gear_item(text: str, line: Line) -> Item:
    """``2x Drone (Pod)`` as an item with its child; points in brackets belong to it, words "… upgrade" are dropped."""
    count, name, counted = split_count(text)
    name, points, rest = split_points(name)
    name = (name + " " + rest).strip() if rest else name
    item = Item(name, count, counted, points, line)
    found = re.match(r"^(?P<name>[^()]+?)\s*\((?P<inner>.+)\)$", name)
    if found and (children := _inner(found["inner"], count, line)) is not None:
        item.name, item.children = found["name"].strip(), children
    return item


def _inner(text: str, count: int, line: Line) -> list[Item] | None:
    """What stands in brackets after an item: its own gear (a child an item), a remark, or part of the name (None)."""
    if re.search(r"\bupgrade$", text, re.IGNORECASE) and "," not in text:
        return None if text.casefold() == "upgrade" else []
    if text.casefold() in ("ranged", "melee", "psychic", "aura", "psychic, aura", "legends", "bearer", "upgrade"):
        return None
    children = [gear_item(part, line) for part in split_list(text)]
    for child in children:
        child.count *= count
    return children


def flat(items: Iterable[Item]) -> list[Item]:
    """Items and what they hold, one level: a drone and its gun are both things the model has."""
    found: list[Item] = []
    for item in items:
        found.append(replace(item, children=[]))
        found.extend(flat(item.children))
    return found


def times(items: Iterable[Item], count: int) -> list[Item]:
    """The same gear for ``count`` models."""
    return [
        Item(item.name, item.count * count, item.counted, item.points, item.line, times(item.children, count))
        for item in items
    ]


def holds_counted(text: str) -> bool:
    """Whether a text names something with a number and, in brackets, counted things it has."""
    _, name, counted = split_count(text)
    held = _HOLDING.match(name) if counted else None
    return held is not None and all(split_count(part)[2] for part in split_list(held["inner"]))


def count_bare(items: Iterable[Item]) -> None:
    """ "9 Wardens" where a list writes its numbers without the x."""
    for item in items:
        if not item.counted and (bare := re.match(r"^(\d{1,2})\s+(?=[^\W\d])", item.name)):
            item.count, item.name, item.counted = int(bare[1]), item.name[bare.end() :], True
        count_bare(item.children)


# --- what is no gear -----------------------------------------------------------------------------------------------

_WARLORD: Final = re.compile(
    r"^\(?\s*(?:warlord|seigneur de guerre|kriegsherr|señor de la guerra|signore della guerra)\b\s*\)?\s*(?:\(.*\))?$",
    re.IGNORECASE,
)
_ENHANCEMENT: Final = re.compile(
    r"^(?:enhancements?|optimisations?|améliorations?|verbesserung(?:en)?|mejoras?|potenziament[oi]|upgrades?|e)\s*:\s*(.+)$",
    re.IGNORECASE,
)
_ATTACHED: Final = re.compile(
    r"^(?:attached as|attachée? en tant que)\s*:\s*(?P<role>[^(]+?)\s*(?:\((?P<keyword>[^)]*)\))?$", re.IGNORECASE
)
ROLES: Final = {
    "leader": "leader", "meneur": "leader", "support": "support", "soutien": "support", "bodyguard": "bodyguard",
    "gardes du corps": "bodyguard", "garde du corps": "bodyguard",
}  # fmt: skip
_LEADING: Final = re.compile(
    r"^(?P<how>leading|attached to|joined to|leads)\s*:?\s+(?P<name>.+?)(?:\[\d+\])?$", re.IGNORECASE
)
_LED_BY: Final = re.compile(r"^(?:leader|support|led by|attached leader|attached)\s*:\s+(?P<name>.+)$", re.IGNORECASE)
_REMARK: Final = re.compile(r"^\w[\w' -]* character$", re.IGNORECASE)


def take_note(unit: UnitDraft, text: str, points: int | None = None) -> bool:
    """Read what a line under a unit says that is no gear: warlord, enhancement, attachment. True when it was such."""
    if _WARLORD.match(text):
        unit.warlord = True
    elif found := _ENHANCEMENT.match(text):
        name, own, _ = split_points(found[1])
        if bare := re.search(r"\s*\((\d{1,3})\)$", name):
            name, own = name[: bare.start()], int(bare[1])
        unit.enhancements.append((enhancement_name(name), own if own is not None else points))
        unit.upgrade = unit.upgrade or bool(_UPGRADE.search(name))
    elif found := _ATTACHED.match(text):
        role = found["role"].strip().casefold()
        unit.role = ROLES.get(role, role)
        if (section := section_of(found["keyword"] or "")) is not None:
            unit.section = unit.section or section
    elif (found := _LEADING.match(text)) and not unit.attached_to:
        unit.attached_to, unit.role = found["name"].strip(), "leader"
    elif _LED_BY.match(text):
        unit.role = unit.role or "bodyguard"
    else:
        return False
    return True


_UPGRADE: Final = re.compile(r"\(\s*(?:upgrade|amélioration)\s*\)", re.IGNORECASE)


def enhancement_name(text: str) -> str:
    """Without the kind some exports put behind it.

    >>> enhancement_name("Banked Coals (Upgrade)"), enhancement_name("Pyre (Psychic)")
    ('Banked Coals', 'Pyre (Psychic)')
    """
    return re.sub(r"\s*\((?:upgrade|enhancement|amélioration)\)$", "", text.strip(), flags=re.IGNORECASE)


def _makes_a_character(unit: UnitDraft, text: str) -> bool:
    """ "Some Detachment Character": a mark that gives a unit the CHARACTER keyword."""
    if not _REMARK.match(text):
        return False
    unit.keywords.extend([] if "CHARACTER" in unit.keywords else ["CHARACTER"])
    return True


def sort_gear(unit: UnitDraft, items: Iterable[Item]) -> list[Item]:
    """The items that are gear; warlord, enhancements with their price, and remarks go to the unit."""
    gear: list[Item] = []
    for item in items:
        if take_note(unit, item.name, item.points) or _makes_a_character(unit, item.name):
            gear.extend(sort_gear(unit, item.children))
            continue
        if item.points is not None and not item.counted and not item.children:
            unit.enhancements.append((enhancement_name(item.name), item.points))
        else:
            gear.append(item)
    return gear


# --- items in a tree of bullets ------------------------------------------------------------------------------------


def nest(lines: Iterable[Line]) -> list[Item]:
    """Bullets by indentation as a tree. A line without a bullet continues the list of the bullet above it; a line of
    several counted things is each of them."""
    top: list[Item] = []
    stack: list[tuple[int, Item]] = []
    bullets: list[Line] = []
    for line in lines:
        depth = line.depth
        if line.bullet:
            bullets.append(line)
        elif continued := next((each for each in reversed(bullets) if each.indent < line.indent), None):
            depth = continued.depth
        while stack and stack[-1][0] >= depth:
            stack.pop()
        items = _items(line)
        (stack[-1][1].children if stack else top).extend(items)
        stack.append((depth, items[-1]))
    return top


_HOLDING: Final = re.compile(r"^(?P<name>[^()]+?)\s*\((?P<inner>.+)\)$")


def _items(line: Line) -> list[Item]:
    parts = split_list(line.text)
    if any(split_count(part)[2] for part in parts[1:]):
        return [counted_item(part, line) for part in parts]
    name, points, rest = split_points(line.text)
    return [counted_item((name + " " + rest).strip() if rest else name, line, points)]


def counted_item(text: str, line: Line, points: int | None = None) -> Item:
    """ "9x Warden", or with all it has behind it: "9x Warden (9x rod, 18x blade)", told for one or for all of them."""
    count, name, counted = split_count(text)
    item = Item(name, count, counted, points, line)
    held = _HOLDING.match(name) if counted else None
    parts = [split_count(part) for part in split_list(held["inner"])] if held else []
    if held and parts and all(each for _, _, each in parts):
        together = all(number % count == 0 for number, _, _ in parts)
        item.name = held["name"]
        item.children = [Item(one, number * (1 if together else count), True, None, line) for number, one, _ in parts]
    return item


def sort_items(unit: UnitDraft, *, leaves_are_models: bool) -> None:
    """Turn the tree of a unit into models and gear.

    What holds gear is a model, unless it is a bundle named after its own gear; a bundle gives its content on. Beside
    models, a counted leaf is a model without gear where the dialect counts everything (``leaves_are_models``). A hero
    with gear of his own beside models of other names is a model too: those are his companions.
    """
    items = _unbundle(sort_gear(unit, _notes_below(unit, unit.items)))
    holders = [item for item in items if item.children]
    if holders and not leaves_are_models and _has_companions(unit, items):
        own = Item(unit.name, children=[item for item in items if not item.children])
        items = [own, *holders]
    for item in items:
        if item.children or (leaves_are_models and holders and item.counted):
            unit.models.append(ModelDraft(item.name, item.count, sort_gear(unit, flat(item.children))))
        else:
            unit.gear.append(item)


_GROUP: Final = re.compile(r"\b(?:squad|team|band|group|cadre|crew|pack|mob|court|retinue|unit)s?\b", re.IGNORECASE)


def _has_companions(unit: UnitDraft, items: list[Item]) -> bool:
    """Whether the gear that no model holds is that of the unit's own namesake."""
    alone = unit.section in ("epic hero", "character") and not _GROUP.search(unit.name)
    kinds = {fold(item.name) for item in items if item.children}
    own = sum(not item.children for item in items)
    return alone and fold(unit.name) not in kinds and (own > 1 or (own == 1 and len(kinds) == 1))


def _notes_below(unit: UnitDraft, items: list[Item]) -> list[Item]:
    for item in items:
        item.children = [
            child for child in _notes_below(unit, item.children) if child.children or not take_note(unit, child.name)
        ]
    return items


def _unbundle(items: Iterable[Item]) -> list[Item]:
    found: list[Item] = []
    for item in items:
        if item.children and (_is_bundle(item) or any(child.children for child in item.children)):
            nested = any(child.children for child in item.children) and not _is_bundle(item)
            if nested and not _holds_models(item):
                found.append(item)
                continue
            found.extend(_unbundle(item.children))
        else:
            found.append(item)
    return found


def _is_bundle(item: Item) -> bool:
    """ "2 shard cannons" over "2x Shard cannon", "Shard cannon and claw": an option named after what it gives."""
    own = item.name.casefold()
    number = re.match(r"\d+\s+", own)
    own = own[number.end() :] if number else own
    rests = [own[len(child.name) :] for child in item.children if own.startswith(child.name.casefold())]
    return not item.counted and any(number or re.match(r"s?\s*(?:and\b|&|,|/|\+)", rest) for rest in rests)


def _holds_models(item: Item) -> bool:
    """Whether what an item holds are models (all hold gear) and not gear with parts of its own."""
    return all(child.children for child in item.children) or bool(re.match(r"^\w{1,2}\s*:", item.name))


# --- the army ------------------------------------------------------------------------------------------------------


def finish(army: ArmyDraft) -> Reading:
    """The reading of a finished draft: units with ids, attachments resolved, totals compared."""
    if not army.units:
        raise BadInput("no unit found in this list", army.source.name)
    ids = _ids(army.units)
    bodyguards = {unit.block: ids[place] for place, unit in enumerate(army.units) if unit.block and _guards(unit)}
    units = tuple(
        _unit(unit, ids[place], _attached(army, ids, place, bodyguards)) for place, unit in enumerate(army.units)
    )
    stated = [unit.points for unit in units]
    total = sum(filter(None, stated))
    if army.battle_size and army.battle_size not in BATTLE_SIZES.values():
        army.battle_size = _SIZE_BY_LIMIT.get(army.limit or 0, army.battle_size)
    if army.points is not None and None not in stated and total != army.points:
        army.notes.append(f"the units add up to {total} points, the list states {army.points}")
    roster = Roster(
        name=army.name,
        edition=army.edition,
        faction=army.faction,
        detachments=tuple(army.detachments),
        detachment_points=army.detachment_points,
        dispositions=tuple(army.dispositions),
        battle_size=army.battle_size,
        limit=army.limit,
        points=army.points,
        units=units,
    )
    return Reading(
        kind="roster",
        format=army.format,
        edition=army.edition,
        faults=tuple(army.faults),
        unread=tuple(army.unread),
        missing=() if army.edition else ("edition",),
        roster=roster,
        notes=tuple(army.notes),
    )


def _ids(units: list[UnitDraft]) -> list[str]:
    return [f"u{place}" for place in range(1, len(units) + 1)]


def _guards(unit: UnitDraft) -> bool:
    return unit.role == "bodyguard"


def _attached(army: ArmyDraft, ids: list[str], place: int, bodyguards: dict[str, str]) -> str | None:
    unit = army.units[place]
    if unit.block and not _guards(unit):
        return bodyguards.get(unit.block)
    if not unit.attached_to or unit.role == "bodyguard":
        return None
    wanted = unit.attached_to.casefold()
    taken = {other.attached_to for other in army.units[:place] if other.attached_to in ids}
    for other, candidate in zip(army.units, ids, strict=True):
        if other is not unit and other.name.casefold() == wanted and candidate not in taken:
            unit.attached_to = candidate
            return candidate
    army.notes.append(f"{unit.name}: attached to {unit.attached_to}, which is not in the list")
    return None


def _unit(unit: UnitDraft, name: str, attached_to: str | None) -> RosterUnit:
    keywords = list(unit.keywords)
    for keyword in _SECTION_KEYWORDS.get(unit.section, ()):
        if keyword not in keywords:
            keywords.append(keyword)
    enhancement, points = unit.enhancements[0] if unit.enhancements else (None, None)
    models = unit.models
    gear = flat(unit.gear)
    if not models or (len(models) == 1 and models[0].count == 1):
        models = models or [ModelDraft(unit.name, unit.count or 1)]
        if len(models) == 1:
            models[0].gear, gear = [*models[0].gear, *gear], []
    return RosterUnit(
        name=unit.name, id=name, models=equal_models(_model(model) for model in models), wargear=_weapons(gear),
        keywords=tuple(keywords), enhancement=enhancement, enhancement_points=points,
        more_enhancements=tuple(other for other, _ in unit.enhancements[1:]),
        upgrade=unit.upgrade and bool(unit.enhancements),
        warlord=unit.warlord, attached_to=attached_to, role=unit.role, points=unit.points, section=unit.section,
        legends=unit.legends,
    )  # fmt: skip


def equal_models(models: Iterable[ModelTaken]) -> tuple[ModelTaken, ...]:
    """Models of one name that each carry the same become one entry, in the order met.

    >>> one = ModelTaken("Warden", 1, weapons=(WeaponTaken("Lance", 1),))
    >>> [(model.count, model.weapons[0].count) for model in equal_models([one, one])]
    [(2, 2)]
    """
    found: list[ModelTaken] = []
    for model in models:
        for place, other in enumerate(found):
            if _alike(other, model):
                weapons = tuple(
                    msgspec.structs.replace(mine, count=mine.count + theirs.count)
                    for mine, theirs in zip(other.weapons, model.weapons, strict=True)
                )
                found[place] = msgspec.structs.replace(other, count=other.count + model.count, weapons=weapons)
                break
        else:
            found.append(model)
    return tuple(found)


def _alike(one: ModelTaken, other: ModelTaken) -> bool:
    same = (one.name, one.profile) == (other.name, other.profile) and len(one.weapons) == len(other.weapons)
    return same and all(
        (mine.name, mine.profiles, mine.count * other.count) == (theirs.name, theirs.profiles, theirs.count * one.count)
        for mine, theirs in zip(one.weapons, other.weapons, strict=True)
    )


def _model(model: ModelDraft) -> ModelTaken:
    return ModelTaken(name=model.name, count=model.count, weapons=_weapons(model.gear))


def _weapons(items: Iterable[Item]) -> tuple[WeaponTaken, ...]:
    """Each name once, in the order met, with its number in all."""
    counts: dict[str, int] = {}
    for item in items:
        counts[item.name] = counts.get(item.name, 0) + item.count
    return tuple(WeaponTaken(name, count) for name, count in counts.items())


# --- the edition ---------------------------------------------------------------------------------------------------


def edition_by_words(source: Source) -> EditionId | None:
    """What a list says of its edition: the app's version, detachment points, dispositions, or the word itself."""
    text = clean(source.text or "")
    if version := APP_VERSION.search(text):
        return "10e" if version[1] == "1" else "11e"
    eleventh = (
        r"detachment points?\)|points? de détachement\)",
        r"^\W*force dispositions?\s*:", r"^\W*dispositions? des forces?\s*:", r"^\W*attached as\s*:",
        r"\b11(?:e|th)\b[ -]*(?:edition)?", r"^attached units?\s*\d*$",
    )  # fmt: skip
    if any(re.search(pattern, text, re.IGNORECASE | re.MULTILINE) for pattern in eleventh):
        return "11e"
    if re.search(r"\b10(?:e\b|th\b)[ -]*(?:edition)?", text, re.IGNORECASE):
        return "10e"
    return edition_by_name(source.name)


def edition_by_name(name: str) -> EditionId | None:
    """An edition written in a file's name.

    >>> edition_by_name("lists/11e_orks.txt"), edition_by_name("my 10th list.txt"), edition_by_name("list.txt")
    ('11e', '10e', None)
    """
    found = re.search(r"(?<![0-9a-z])(10|11)(?:e|th|ed)(?![a-z])", name.rpartition("/")[2], re.IGNORECASE)
    if not found:
        return None
    return "11e" if found[1] == "11" else "10e"
