"""Lists typed by hand or by a tool we do not know: what looks like a unit is one, all else is shown as unread."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from battlewright.formats import Reading, Source
from battlewright.formats.roster_gw import DISPOSITIONS, LABEL, add_detachments, set_label
from battlewright.formats.rostertext import (
    ROLES,
    ArmyDraft,
    Item,
    Line,
    ModelDraft,
    UnitDraft,
    amount,
    battle_size_of,
    clean,
    count_bare,
    counted_item,
    edition_by_words,
    finish,
    flat,
    gear_item,
    glance,
    holds_counted,
    is_signed,
    lines_of,
    nest,
    section_of,
    sort_gear,
    sort_items,
    split_count,
    split_list,
    split_points,
    take_note,
    times,
)

_OPEN: Final = re.compile(r"^#*\s*(?:detachments?|détachements?)\s*:\s*$", re.IGNORECASE)
_CAPITALS: Final = re.compile(r"^[A-ZÀ-Ö][A-ZÀ-Ö' -]{1,24}:?$")
_BARE: Final = re.compile(r"^(?P<name>[^\W\d][^:,]{2,60}?)\s+(?P<points>\d{2,3})$")
#: "1. Seer": the places of a list, no number of anything.
_LISTED: Final = re.compile(r"^\s*\d{1,2}[.)]\s+(?=[^\W\d])")
_NUMBERED: Final = re.compile(
    r"^\W*\d{1,2}\s*x?\s+[A-Z]|\w\s+x\s?\d{1,2}$|\w\s*[(\[]\d{2,3}[)\]]$|\w\s*[-–—:]\s*\d{2,3}$", re.MULTILINE
)
_PRICE_ONLY: Final = re.compile(
    r"^(?P<name>[^\W\d].*?\w['’.)]?)\s*(?:[(\[](?P<inside>\d{2,3})[)\]]|[-–—:]\s*(?P<behind>\d{2,3}))$"
)
#: "90 - Ash Wardens", "90pts Ash Wardens": the price in front.
_PRICE_FIRST: Final = re.compile(
    r"^(?P<points>[3-9]\d|\d{3,4})\s*(?:pts?\b|points?\b|(?=[-–—:]))\s*[-–—:]?\s+(?P<name>[^\W\d].+)$", re.IGNORECASE
)
_FRAME: Final = re.compile(r"^[\s+=\-_*#~—─]*$")
_TITLE: Final = re.compile(r"^[=+*#\s]*(?P<name>.*?)[=+*#\s]*$")
#: "== DETACHEMENT Ash Host : Emberborn [2000pts] =="
_FORCE: Final = re.compile(
    r"^==\s*d[ée]tache?ment\s+(?P<name>.+?)\s*:\s*(?P<faction>.+?)\s*\[\s*(?P<points>\d+)\s*pts\s*\]\s*==$",
    re.IGNORECASE,
)
#: "| Characters 1 : Ash Seer [90pts]": it is attached to the unit above.
_BAR: Final = re.compile(r"^\|\s*")
#: What stands before the slot of the unit that is led, and before what follows a unit.
_BEFORE: Final = re.compile(r"^(?:unité menée?\s*:\s*|-{2,}\s*)", re.IGNORECASE)
#: "1985/2000 pts" alone on a line.
_TOTAL: Final = re.compile(r"^(\d{3,5})\s*/\s*(\d{3,5})\s*(?:pts?|points?)?\.?$", re.IGNORECASE)
_GEAR: Final = re.compile(
    r"^(?:wargear|weapons?|équipements?|équipement|gear|options?|equipment)\s*:\s*(?P<gear>.+)$", re.I
)
_TAG: Final = re.compile(r"^\[(?P<tag>[^\]]+)\]\s*(?=\S)")
_SLOT: Final = re.compile(r"^(?P<slot>[^\W\d][\w' /-]{0,40}?)\s*\d+\s*:\s*(?=\S)")
_TRAIL: Final = re.compile(r"^(?P<name>.+?)[\s:,—–-]+(?P<points>\d{2,4})\s*(?:pts?|points?)\b\.?\s*(?P<rest>.*)$", re.I)


def detects(source: Source) -> float:
    """Never sure; only taken when nothing else is, and when something has points or a count."""
    if source.text is None:
        return 0.0
    text = clean(glance(source))
    if not text.strip() or text.lstrip()[:1] in "{[<":
        return 0.0
    priced = len(re.findall(r"\b\d{2,4}\s*(?:pts?|points?)\b", text, re.IGNORECASE))
    counted = len(re.findall(r"^\W*\d{1,2}\s*x\s+\w", text, re.IGNORECASE | re.MULTILINE))
    titled = bool(priced and re.match(r"^.*\(.*points?\)", text, re.IGNORECASE))
    one = re.search(
        r"^\W*(?:\d+x )?[^\W\d].{2,60}[(\[]\d{2,4} ?(?:pts|points)[)\]]\s*$", text, re.IGNORECASE | re.MULTILINE
    )
    return 0.2 if priced > 1 else 0.15 if counted > 1 or titled else 0.1 if one or _is_short(text) else 0.0


def _is_short(text: str) -> bool:
    """A few names, one a line, some with a number: what people type into a chat."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    plain = all(len(line) < 60 and not re.search(r"[.?!;=]\s|[.?!;]$", line.lstrip("0123456789.) ")) for line in lines)
    numbers = sum(bool(_NUMBERED.search(_LISTED.sub("", line))) for line in lines)
    return plain and len(lines) <= 40 and numbers * 3 >= len(lines)


def read(source: Source) -> Reading:
    """The army of such a list, as far as it can be seen."""
    lines = [replace(line, text=_LISTED.sub("", line.text)) for line in lines_of(source, dots=True)]
    if all(line.bullet and line.indent == lines[0].indent for line in lines):
        lines = [replace(line, mark="", indent=0) for line in lines]
    army = ArmyDraft(source, "freeform", edition_by_words(source))
    section = ""
    unit: UnitDraft | None = None
    pending: list[Line] = []
    priced = any(_priced(line) is not None for line in lines[1:])
    opened = False
    for place, line in enumerate(lines):
        barred = bool(_BAR.match(line.text))
        line = replace(line, text=_BEFORE.sub("", _BAR.sub("", line.text)))
        if opened:
            opened = False
            add_detachments(army, line.text, None)
            continue
        opened = bool(_OPEN.match(line.text))
        if opened or _FRAME.match(line.raw) or is_signed(line.text):
            continue
        if _label(army, line, unit):
            continue
        if (found := _section(line)) is not None and not (line.bullet and line.indent):
            _close(unit, pending)
            section, unit = found, None
        elif place == 0 and _may_be_title(lines, priced) and _title(army, line):
            continue
        elif (started := _unit(army, line, section, priced)) is not None:
            _close(unit, pending)
            if barred and unit is not None:
                started.attached_to, started.role = unit.attached_to or unit.name, started.role or "leader"
            unit = started
        elif unit is not None and _under(unit, line):
            continue
        elif unit is not None and (line.bullet or line.indent):
            pending.append(line)
        else:
            army.not_read(line)
    _close(unit, pending)
    for unit in army.units:
        count_bare(unit.items)
        sort_items(unit, leaves_are_models=True)
    army.notes.append("no known tool's list: read as well as it could be, please check it")
    return finish(army)


def _section(line: Line) -> str | None:
    """A heading we know, or a short one in capitals ("HQ")."""
    if (known := section_of(line.text)) is not None:
        return known
    return line.text.casefold() if not line.bullet and _CAPITALS.match(line.text) else None


def _close(unit: UnitDraft | None, pending: list[Line]) -> None:
    if unit is not None:
        unit.items.extend(nest(pending))
    pending.clear()


def _may_be_title(lines: list[Line], priced: bool) -> bool:
    """Whether the first line may name the list: it is no unit with a price or a count, and in a list of bare names it
    stands apart from them."""
    first = lines[0]
    found = _priced(first)
    if found is not None:
        others = [other for line in lines[1:] if not line.indent and (other := _priced(line)) is not None]
        prices = [price for name, price, _ in others if not battle_size_of(name) and section_of(name) is None]
        return found[1] >= 400 or (len(prices) > 1 and found[1] == sum(prices))
    bare = len(lines) == 1 or lines[1].number == first.number + 1
    return not split_count(first.text)[2] and (priced or not bare)


def _title(army: ArmyDraft, line: Line) -> bool:
    name, points, _ = split_points(line.text)
    size = battle_size_of(line.text)
    if size:
        army.battle_size, army.limit = size
        return True
    if points is None and (trail := _TRAIL.match(line.text)):
        name, points = trail["name"], int(trail["points"])
    found = _TITLE.match(name)
    army.name, army.points = (found["name"] if found else name), points
    return True


def _label(army: ArmyDraft, line: Line, unit: UnitDraft | None) -> bool:
    text = line.text.lstrip("+# ").strip()
    if found := _FORCE.match(line.text):
        add_detachments(army, found["name"], None)
        army.faction, army.points = found["faction"], int(found["points"])
        return True
    if re.match(r"\+\+\s*total\b", line.text, re.IGNORECASE):
        army.points = amount(text)
        return True
    if size := battle_size_of(text):
        army.battle_size, army.limit = size[0], size[1] or army.limit
        return True
    if text.casefold() in DISPOSITIONS:
        army.dispositions.append(text)
        return True
    if unit is None and (total := _TOTAL.match(text)):
        army.points, army.limit = int(total[1]), int(total[2])
        return True
    found = LABEL.match(text)
    if not found or (unit is not None and (line.bullet or line.indent)):
        return False
    set_label(army, found["key"].casefold(), found["value"].strip())
    return True


def _priced(line: Line) -> tuple[str, int, str] | None:
    name, points, rest = split_points(line.text)
    if points is not None:
        return name, points, rest.lstrip(": ")
    if not (line.bullet or line.indent) and (front := _PRICE_FIRST.match(line.text)):
        return front["name"], int(front["points"]), ""
    found = _TRAIL.match(line.text)
    if found and found["name"].count(",") < 2:
        return found["name"], int(found["points"]), found["rest"].lstrip(": ")
    if only := _PRICE_ONLY.match(re.sub(r"^\d{1,2}\s*x?\s+", "", line.text)):
        counted = line.text[: len(line.text) - len(only[0])]
        return counted + only["name"], int(only["inside"] or only["behind"]), ""
    bare = None if line.bullet or line.indent else _BARE.match(line.text)
    return (bare["name"], int(bare["points"]), "") if bare else None


def _unit(army: ArmyDraft, line: Line, section: str, priced: bool) -> UnitDraft | None:
    """A line that starts a unit: it has points, or in a list without any a count or a plain name."""
    if line.indent > 3 and army.units:
        return None
    if take_note(UnitDraft("", line), split_points(line.text)[0]):
        return None
    found = _priced(line)
    if found is None and (priced or line.bullet or line.indent or ":" in line.text):
        return None
    if found is None and " + " in line.text:
        return _joined(army, line, section)
    if found is not None and line.bullet and army.units:
        first = army.units[0].line
        if line.indent or (found[1] < 40 and not (first.bullet and first.indent == line.indent)):
            return None
    head, points, gear = found if found else (line.text.partition(":")[0], None, line.text.partition(":")[2].strip())
    tag = _TAG.match(head)
    head = head[tag.end() :] if tag else head
    slot = _SLOT.match(head)
    head = head[slot.end() :] if slot else head
    tag = tag or _TAG.match(head)
    head = _TAG.sub("", head)
    own = section_of(tag["tag"] if tag else slot["slot"] if slot else "")
    count, name, counted = split_count(head)
    if not counted and (slot or found or not priced) and (bare := re.match(r"^(\d{1,2})\s+(?=\w)", name)):
        count, name, counted = int(bare[1]), name[bare.end() :], True
    unit = army.start(UnitDraft(name, line, points, count if counted else None, own or section))
    if tag and (role := ROLES.get(tag["tag"].casefold())):
        unit.role, unit.section = role, "character"
    gear = gear.lstrip("-–— ").strip()
    gear = gear[1:-1] if gear.startswith("(") and gear.endswith(")") else gear
    for item in sort_gear(unit, _gear(gear, line)) if gear else ():
        if item.counted and item.children and all(child.counted for child in item.children):
            unit.models.append(ModelDraft(item.name, item.count, flat(item.children)))
        else:
            unit.gear.extend(flat([item]))
    return unit


def _joined(army: ArmyDraft, line: Line, section: str) -> UnitDraft:
    """ "A + B + 20x C": an attached unit in one line, its bodyguard last. What follows belongs to its first."""
    units = []
    parts = line.text.split(" + ")
    for place, part in enumerate(parts):
        count, name, counted = split_count(part)
        unit = army.start(UnitDraft(name, line, None, count if counted else None, section, block=f"line {line.number}"))
        unit.role = "bodyguard" if place == len(parts) - 1 else "leader" if place == 0 else "support"
        units.append(unit)
    return units[0]


def _under(unit: UnitDraft, line: Line) -> bool:
    """A line that says itself what it is: gear, an enhancement, models with gear after a colon."""
    text, points, _ = split_points(line.text)
    if take_note(unit, text, points):
        return True
    if found := _GEAR.match(line.text):
        unit.gear.extend(flat(sort_gear(unit, _gear(found["gear"], line))))
        return True
    if re.match(r"^(?:models?|figurines?|composition)\s*:$", line.text, re.IGNORECASE):
        return True
    head, colon, gear = line.text.partition(":")
    count, name, counted = split_count(head)
    if colon and gear.strip() and (counted or unit.models):
        items = sort_gear(unit, _gear(gear, line))
        each = [item for item in items if not item.counted]
        unit.models.append(ModelDraft(name, count, flat([*times(each, count), *(i for i in items if i.counted)])))
        return True
    return False


def _gear(text: str, line: Line) -> list[Item]:
    parts = (re.sub(r"\s*\(0\)$", "", part) for part in split_list(text))
    items = [counted_item(part, line) if holds_counted(part) else gear_item(part, line) for part in parts]
    count_bare(items)
    return items
