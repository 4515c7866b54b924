"""Lists from the official app, 10th and 11th edition, English and French, and tools that print the same shape."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from battlewright.formats import Reading, Source
from battlewright.formats.rostertext import (
    APP_VERSION,
    ArmyDraft,
    Line,
    UnitDraft,
    amount,
    battle_size_of,
    count_bare,
    edition_by_words,
    finish,
    glance,
    is_signed,
    lines_of,
    nest,
    section_of,
    sort_items,
    split_count,
    split_points,
    take_note,
)
from battlewright.roster import Detachment

_APP: Final = re.compile(r"app[- ]version|battlebase|listhammer", re.IGNORECASE)
_DETACHMENT: Final = re.compile(
    r"^(?P<names>.+?)\s*\(\s*(?P<points>\d+)\s*(?:detachment points?|points? de détachement|DP)\s*\)$", re.IGNORECASE
)
_DISPOSITIONS: Final = re.compile(
    r"^(?:force dispositions?|dispositions? des forces?|disposition de la force)\s*:\s*(?P<names>.*)$", re.IGNORECASE
)
_BLOCKS: Final = re.compile(r"^(?:attached units?|unités? attachées?)$", re.IGNORECASE)
_BLOCK: Final = re.compile(
    r"^(?:attached unit\s*(\d+)|unité\s*(\d+)\s*attachée|unité attachée\s*(\d+))$", re.IGNORECASE
)
LABEL: Final = re.compile(
    r"^(?P<key>army|army name|list|list name|name|faction|army faction|faction used|faction keyword|"
    r"(?:army )?detachments?(?: used| rules?)?|d[ée]tachements?|battle size|format|points|total|total points|"
    r"total army points|army points|points limit|force dispositions?|dispositions?|warlord|player|player name|joueur|team|"
    r"author|date|event)\s*:\s*(?P<value>.+)$",
    re.IGNORECASE,
)
#: Dispositions in other languages.
_TRANSLATED: Final = {
    "éliminez l'adversaire": "Purge the Foe", "prendre et tenir": "Take and Hold", "einnehmen und halten": "Take and Hold",
    "ocupar y mantener": "Take and Hold", "conquista e difendi": "Take and Hold", "atouts prioritaires": "Priority Assets",
    "perturbation": "Disruption",
}  # fmt: skip
#: A heading of a language or a kind we have no word for: capitals, alone on its line.
_HEADING: Final = re.compile(r"^(?=.{4,40}$)[^\W\d_a-zà-öø-ÿ]+(?:['\s-]+[^\W\d_a-zà-öø-ÿ]+)*$")
#: The five dispositions, which some tools print on a line of their own.
DISPOSITIONS: Final = ("take and hold", "disruption", "purge the foe", "priority assets", "reconnaissance")


def detects(source: Source) -> float:
    """How sure we are that this is such a list: its signature, or its shape."""
    if source.text is None:
        return 0.0
    text = glance(source)
    if re.search(r"^\W*FACTION KEYWORD\s*:", text, re.MULTILINE) or "++ Army Roster ++" in text:
        return 0.0
    if not any(_priced(line) for line in lines_of(Source(source.name, b"", text))[1:]):
        return 0.0
    if APP_VERSION.search(text) or re.search(r"exported with battlebase|^end of roster", text, re.I | re.M):
        return 0.97
    if _DETACHMENT_LINE.search(text) or re.search(r"^\W*(?:attached as|attachée? en tant que)\s*:", text, re.I | re.M):
        return 0.9
    units = len(re.findall(r"^(?!\s*[•◦-])\S.*\(\s*[\d,. ]+\s*points\s*\)\s*$", text, re.IGNORECASE | re.MULTILINE))
    headed = re.search(r"^(?:CHARACTERS?|BATTLELINE|OTHER DATASHEETS|PERSONNAGES|EPIC HEROES)\s*$", text, re.MULTILINE)
    return 0.8 if headed and units else 0.6 if units > 1 and re.search(r"^\s*[•◦]\s*\d+x ", text, re.M) else 0.0


_DETACHMENT_LINE: Final = re.compile(r"\(\s*\d+\s*(?:detachment points?|points? de détachement)\s*\)", re.IGNORECASE)


def read(source: Source) -> Reading:
    """The army of such a list."""
    lines = lines_of(source, dots=True)
    army = ArmyDraft(source, "gw-app", edition_by_words(source))
    battlebase = any("battlebase" in line.text.casefold() for line in lines[-6:])
    army.format = "battlebase" if battlebase else "gw-app"
    body = header(army, lines)
    body_units(army, lines[body:])
    bare = not any(line.indent and split_count(line.text)[2] for line in lines[body:])
    for unit in army.units:
        if bare:
            count_bare(unit.items)
        sort_items(unit, leaves_are_models=True)
        if battlebase:
            _count_models(army, unit)
    return finish(army)


# --- header --------------------------------------------------------------------------------------------------------


def header(army: ArmyDraft, lines: Sequence[Line]) -> int:
    """Read what stands before the first section or unit; the number of lines that took."""
    bare: list[Line] = []
    first = next((place for place, line in enumerate(lines) if place and _is_heading(line)), 0)
    place = 0
    for place, line in enumerate(lines):
        if place == first > 0 or (not first and _starts_body(line, place)):
            break
        if place == 0 and (title := split_points(line.text))[1] is not None and not battle_size_of(line.text):
            army.name, army.points = title[0], title[1]
        elif place and first and _priced(line):
            name, army.limit, _ = split_points(line.text)
            army.battle_size = name
        elif not _labelled(army, line):
            bare.append(line)
    else:
        place = len(lines)
    _name_and_faction(army, bare)
    return place


def _is_heading(line: Line) -> bool:
    if line.bullet or split_points(line.text)[1] is not None:
        return False
    known = section_of(line.text) or _BLOCKS.match(line.text) or _BLOCK.match(line.text)
    return bool(known or _HEADING.match(line.text))


def _starts_body(line: Line, place: int) -> bool:
    return place > 0 and _priced(line)


def _priced(line: Line) -> bool:
    """Whether a line names a unit: it has points and is no other line with points."""
    name, points, _ = split_points(line.text)
    other = battle_size_of(line.text) or _DETACHMENT.match(line.text) or _DISPOSITIONS.match(line.text)
    return not line.bullet and points is not None and not other and not _total(name)


def _total(name: str) -> bool:
    return name.casefold().rstrip(" :") in ("total", "army total", "points")


def _labelled(army: ArmyDraft, line: Line) -> bool:
    """A header line that says itself what it is."""
    text = line.text
    if size := battle_size_of(text):
        army.battle_size, army.limit = size[0], size[1] or army.limit
    elif found := _DETACHMENT.match(text):
        add_detachments(army, found["names"], int(found["points"]))
    elif found := _DISPOSITIONS.match(text):
        add_dispositions(army, found["names"])
    elif text.casefold() in (*DISPOSITIONS, *_TRANSLATED):
        add_dispositions(army, text)
    elif found := LABEL.match(text):
        set_label(army, found["key"].casefold(), found["value"].strip())
    else:
        return False
    return True


def set_label(army: ArmyDraft, key: str, value: str) -> None:
    """What a header line with a label says of the army."""
    if key in ("points", "total", "total points", "total army points", "army points"):
        have, _, limit = value.partition("/")
        army.points, army.limit = amount(have) or army.points, amount(limit) or army.limit
    elif key == "points limit":
        army.limit = amount(value)
    elif "detachment" in key or "tachement" in key:
        add_detachments(army, value, None)
    elif key in ("battle size", "format"):
        army.battle_size, army.limit = battle_size_of(value) or (value, army.limit)
    elif "disposition" in key:
        add_dispositions(army, value)
    elif "faction" in key or (key == "army" and not army.faction):
        army.faction = value.split(" - ")[-1]
    elif key in ("army", "army name", "list", "list name", "name"):
        army.name = value
    else:
        army.notes.append(f"{key.capitalize()}: {value}")


def _name_and_faction(army: ArmyDraft, bare: list[Line]) -> None:
    """Lines without a label: super-faction, faction, and in the 10th edition the detachment as the last of them."""
    texts = [line.text for line in bare]
    if not army.name and len(texts) > 2:
        army.name = texts.pop(0)
    if not army.detachments and len(texts) > 1:
        add_detachments(army, texts.pop(), None)
    if texts and not army.faction:
        army.faction = texts.pop()
    if len(texts) == 1:
        army.notes.append(f"above the faction stands: {texts[0]}")
    else:
        army.unread.extend(line.unread for line in bare if line.text in texts)


def add_detachments(army: ArmyDraft, names: str, points: int | None) -> None:
    """One or more detachments of a line. "X and Y" is two of them when the line names no commas.

    A name may itself hold "and"; a line with several is cut at the one in the middle and a note says so.
    """
    parts = [part for part in re.split(r"\s*,\s*(?:and |et )?", names) if part]
    if len(parts) == 1 and points is not None:
        parts = _at_and(army, names)
    single = points if len(parts) == 1 else None
    army.detachments.extend(Detachment(part.strip(), single) for part in parts)
    army.detachment_points = points if points is not None else army.detachment_points


def _at_and(army: ArmyDraft, names: str) -> list[str]:
    parts = re.split(r" (?:and|et) ", names)
    if len(parts) < 3:
        return parts
    army.notes.append(f"several ways to read the detachments of: {names}")
    middle = len(parts) // 2
    return [" and ".join(parts[:middle]), " and ".join(parts[middle:])]


def add_dispositions(army: ArmyDraft, names: str) -> None:
    parts = [part.strip() for part in names.split(",")]
    army.dispositions.extend(_TRANSLATED.get(part.casefold(), part) for part in parts if part)


def is_block(line: Line) -> bool:
    """Whether a line opens the units of one attached unit ("Attached Unit 2")."""
    return bool(_BLOCK.match(line.text))


# --- units ---------------------------------------------------------------------------------------------------------


def body_units(army: ArmyDraft, lines: Sequence[Line]) -> None:
    """Sections, blocks of attached units, units and what stands under them."""
    section, block, unit = "", "", None
    pending: list[Line] = []
    flat = _lost_indentation(lines)

    def close() -> None:
        if unit is not None:
            unit.items.extend(nest(_indented(pending) if flat else pending))
        pending.clear()

    for line in lines:
        name, points, rest = split_points(line.text)
        if is_signed(line.text) or (unit is None and _APP.search(line.text)):
            close()
            unit = None
        elif not line.bullet and (found := section_of(line.text)) is not None and points is None:
            close()
            section, block, unit = found, "", None
        elif _BLOCKS.match(line.text) or (found_block := _BLOCK.match(line.text)):
            close()
            section, unit = "", None
            block = "" if _BLOCKS.match(line.text) else next(filter(None, found_block.groups()))  # type: ignore[union-attr]
        elif _priced(line) and line.indent < 2:
            close()
            unit = army.start(UnitDraft((name + " " + rest).strip(), line, points, section=section, block=block))
        elif not line.bullet and points is None and _HEADING.match(line.text):
            close()
            section, block, unit = line.text.casefold(), "", None
        elif unit is None:
            if not (_total(name) or _labelled(army, line)):
                army.not_read(line)
        elif not take_note(unit, line.text):
            if line.bullet or line.indent > 1 or split_count(line.text)[2]:
                pending.append(line)
            else:
                army.not_read(line)
    close()


def _lost_indentation(lines: Sequence[Line]) -> bool:
    """Whether a list in which only the first of some things has a bullet has lost the indentation that tells them apart."""
    bare = any(not line.bullet and split_count(line.text)[2] and not _priced(line) for line in lines)
    return bare and not any(line.indent for line in lines)


def _indented(lines: list[Line]) -> list[Line]:
    """Such a unit with its indentation put back: a model and what it has take turns, a bullet each."""
    if sum(line.bullet for line in lines) % 2:
        return [replace(line, indent=2 if line.bullet else 4) for line in lines]
    found, gear = [], True
    for line in lines:
        gear = gear if not line.bullet else not gear
        found.append(replace(line, indent=(4 if gear else 2) + (0 if line.bullet else 2)))
    return found


def _count_models(army: ArmyDraft, unit: UnitDraft) -> None:
    """This tool prints weapons without models: a squad has as many models as it has of its rarest weapon."""
    counts = [item.count for item in unit.gear if item.counted]
    if not unit.models and counts and min(counts) > 1:
        unit.count = min(counts)
        army.notes.append(f"{unit.name}: {unit.count} models, counted by their weapons")
