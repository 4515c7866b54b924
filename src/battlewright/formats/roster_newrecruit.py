"""New Recruit's texts: markdown and its older form, the tournament header with three kinds of body, the short form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from battlewright.formats import Reading, Source
from battlewright.formats.roster_gw import add_detachments, add_dispositions, body_units, is_block
from battlewright.formats.rostertext import (
    ArmyDraft,
    Item,
    Line,
    ModelDraft,
    UnitDraft,
    amount,
    battle_size_of,
    edition_by_words,
    enhancement_name,
    finish,
    flat,
    gear_item,
    glance,
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

_FRAME: Final = re.compile(r"^[+=\-_]{5,}$")
_FIELD: Final = re.compile(r"^\+\s*(?P<key>[A-Z][A-Z /]+?)\s*:\s*(?P<value>.*)$", re.IGNORECASE)
#: Fields of such a header that lost its plus signs.
_BARE_FIELD: Final = re.compile(
    r"^(?P<key>FACTION KEYWORD|FACTIONS? USED|(?:ARMY )?D[EÉ]TACHE?MENTS?(?: USED| RULES?)?|FORCE DISPOSITIONS?|"
    r"(?:TOTAL )?ARMY POINTS|POINTS LIMIT|(?:LIST|ARMY|PLAYER|TEAM) NAME|PLAYER|TEAM|BATTLE SIZE|WARLORD|ENHANCEMENTS?|"
    r"NUMBER OF UNITS|SECONDARY)\s*:\s*(?P<value>.+)$"
)
_CODED: Final = re.compile(r"^\W*[^\W\d][^\d:|]{1,30} \d{1,2} ?: .*\[\d+ ?pts\]", re.MULTILINE)
_MORE: Final = re.compile(r"^&\s*(?P<value>.+)$")
_ON: Final = re.compile(
    r"^(?P<what>.+?)\s*\(on\s+(?:(?P<reference>[A-Za-z]+\d+)\s*:\s*)?(?P<unit>.+)\)$", re.IGNORECASE
)
_REFERENCE: Final = re.compile(r"^(?P<reference>[A-Za-z]{2,12}\d{1,2})\s*:\s*(?=\S)")
_WITH: Final = re.compile(r"^(?P<count>\d{1,3})\s+with\s+(?P<gear>.+)$", re.IGNORECASE)
_TITLE: Final = re.compile(r"^(?P<names>.+?)\s+-\s+\[\s*(?P<points>[\d,. ]+)\s*pts?[^\]]*\]$", re.IGNORECASE)
_ROSTER: Final = re.compile(r"^#*\s*\+\+\s*(?:army roster|.*roster)\b.*\+\+", re.IGNORECASE)
_TOTAL: Final = re.compile(r"^\+\+\s*total\s*:.*\+\+$", re.IGNORECASE)
_PLUS: Final = re.compile(r"^\+\s+(?P<name>[^+\s].*?)\s+\+$")
_DOTS: Final = re.compile(r"^(?P<dots>(?:\.\s+)+)(?P<text>\S.*)$")
#: "Cinder Host (Slow Burn), Ash Guard (Embers)": each detachment with the name of its rule.
_RULE_BEHIND: Final = re.compile(r"\s*\([^()]*\)(?=\s*(?:,|$))")
_SUPER: Final = ("imperium", "chaos", "xenos", "aeldari", "unaligned")
#: "Kite droneTwin gun": the tool forgets what stands between an item and the item it holds.
_GLUED: Final = re.compile(r"(?<=[a-z]{2})(?=[A-Z][a-z])")
_UPGRADE: Final = re.compile(r"\s*\((?P<what>[^()]+?) upgrade\)\s*$", re.IGNORECASE)


def detects(source: Source) -> float:
    """How sure we are: the tournament header, the markdown frame, the signature, or lines of counted units."""
    if source.text is None:
        return 0.0
    text = glance(source)
    if re.search(r"^\W*FACTION KEYWORD\s*:", text, re.MULTILINE) or re.search(
        r"^#*\s*\+\+ .*Roster.* \+\+", text, re.M
    ):
        return 0.96
    if len(_CODED.findall(text)) > 1:
        return 0.0
    if re.search(r"^created with newrecruit|exported with new recruit", text, re.IGNORECASE | re.MULTILINE):
        return 0.93
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    counted = sum(bool(re.match(r"^(?:[A-Za-z]+\d+:\s*)?\d+x .+[(\[][\d,]+ ?pts[)\]]", line)) for line in lines)
    bullets = sum(bool(re.match(r"^•\s*\d+x \w", line)) for line in lines)
    return 0.75 if counted and counted * 2 > len(lines) else 0.55 if counted > 1 and bullets > 1 else 0.0


def read(source: Source) -> Reading:
    """The army of such a list."""
    lines = lines_of(source)
    army = ArmyDraft(source, "newrecruit", edition_by_words(source))
    if any(_ROSTER.match(line.text) for line in lines[:12]):
        army.format = "newrecruit-markdown"
        return _read_markdown(army, lines)
    return _read_tournament(army, lines)


# --- the tournament header -----------------------------------------------------------------------------------------


def _read_tournament(army: ArmyDraft, lines: Sequence[Line]) -> Reading:
    fields, body = _fields(army, lines)
    if any(is_block(line) for line in body):
        body_units(army, body)
        for unit in army.units:
            sort_items(unit, leaves_are_models=True)
        shapes = {"gw"}
    else:
        shapes = {_read_block(army, unit, block) for unit, block in _blocks(army, body)}
    framed = bool(fields)
    army.format = _format(framed, shapes, any(unit.section for unit in army.units))
    for key, value in fields:
        _apply(army, key, value)
    if army.edition is None and len(army.detachments) > 1:
        army.edition = "11e"
    if not army.battle_size and (size := _size_by_points(army)):
        army.battle_size = size if army.limit else ""
        army.notes.append(f"no battle size stated; {size} by its points")
    return finish(army)


def _format(framed: bool, shapes: set[str], sections: bool) -> str:
    if not framed:
        return "newrecruit-gw" if "gw" in shapes else "newrecruit-short"
    if "gw" in shapes:
        return "newrecruit-gw"
    return "newrecruit-wtc" if sections else "newrecruit-wtc-compact"


def _fields(army: ArmyDraft, lines: Sequence[Line]) -> tuple[list[tuple[str, str]], list[Line]]:
    """The ``+ KEY: value`` lines with their continuations, and all other lines."""
    fields: list[tuple[str, str]] = []
    body: list[Line] = []
    started = False
    for line in lines:
        if _FRAME.match(line.text) or line.text in ("+", "++", "-"):
            continue
        found = _FIELD.match(line.text) or (None if started else _BARE_FIELD.match(line.text))
        if found:
            fields.append((found["key"].upper(), found["value"].strip()))
        elif fields and (found := _MORE.match(line.text)):
            fields.append((fields[-1][0], found["value"].strip()))
        elif not is_signed(line.text):
            body.append(line)
            started = started or split_points(line.text)[1] is not None
    return fields, body


def _apply(army: ArmyDraft, key: str, value: str) -> None:
    key = re.sub(r"^ARMY (?=D)| (?:USED|RULES?)$", "", key).replace("DÉ", "DE").replace("DETACHEMENT", "DETACHMENT")
    match key:
        case "FACTION KEYWORD" | "FACTION" | "FACTIONS":
            army.faction = value.split(" - ")[-1].strip()
        case "DETACHMENT" | "DETACHMENTS":
            add_detachments(army, _without_rules(value), None)
        case "TOTAL ARMY POINTS" | "ARMY POINTS":
            army.points = amount(value)
        case "POINTS LIMIT":
            army.limit = amount(value)
        case "LIST NAME" | "ARMY NAME" | "NAME":
            army.name = value
        case "FORCE DISPOSITION" | "FORCE DISPOSITIONS":
            add_dispositions(army, value)
        case "BATTLE SIZE":
            army.battle_size, limit = battle_size_of(value) or (value, None)
            army.limit = limit or army.limit
        case "WARLORD":
            _mark_warlord(army, value)
        case "ENHANCEMENT" | "ENHANCEMENTS":
            _mark_enhancement(army, value)
        case "NUMBER OF UNITS":
            if amount(value) != len(army.units):
                army.notes.append(f"{len(army.units)} units read, the header counts {amount(value)}")
        case _:
            army.notes.append(f"{key.capitalize()}: {value}")


def _without_rules(value: str) -> str:
    """Detachments without the names of their rules. Where the last has two brackets, one is of its own name, and so may
    be those of the others.

    >>> _without_rules("Ash Host (Embers)"), _without_rules("Ash Host (Cold), Kiln (Hot) (Embers)")
    ('Ash Host', 'Ash Host (Cold), Kiln (Hot)')
    """
    if two := re.search(r"\)\s*(\([^()]*\))\s*$", value):
        return value[: two.start(1)].strip()
    return _RULE_BEHIND.sub("", value)


def _find(army: ArmyDraft, reference: str | None, name: str, *, free: bool) -> UnitDraft | None:
    named = [unit for unit in army.units if unit.name.casefold() == name.casefold()]
    by_reference = [unit for unit in army.units if reference and unit.reference.casefold() == reference.casefold()]
    candidates = by_reference or named
    return next(
        (unit for unit in candidates if not (free and unit.enhancements)), candidates[0] if candidates else None
    )


def _mark_warlord(army: ArmyDraft, value: str) -> None:
    if any(unit.warlord for unit in army.units) or not value.strip("—- "):
        return
    found = _REFERENCE.match(value)
    unit = _find(army, found["reference"] if found else None, value[found.end() :] if found else value, free=False)
    if unit is None:
        army.notes.append(f"the warlord {value} is not in the list")
    else:
        unit.warlord = True


def _mark_enhancement(army: ArmyDraft, value: str) -> None:
    """The header repeats what the body says; where the body does not, the header is the source."""
    for part in _several(value):
        found = _ON.match(part)
        name = enhancement_name(found["what"] if found else part)
        if not name.strip("—- "):
            continue
        told = sum(name == other for unit in army.units for other, _ in unit.enhancements)
        repeated = army.header_enhancements.count(name)
        army.header_enhancements.append(name)
        if told > repeated:
            continue
        unit = _find(army, found["reference"], found["unit"], free=True) if found else None
        if unit is None:
            army.notes.append(f"the enhancement {part} belongs to no unit of the list")
        else:
            _give(unit, name)


def _several(value: str) -> list[str]:
    return [part.strip() for part in re.split(r"(?<=\))\s*[,&]\s*", value) if part.strip()]


def _give(unit: UnitDraft, name: str) -> None:
    """An enhancement that the body lists as a plain item is moved, not doubled."""
    for gear in [unit.gear, *(model.gear for model in unit.models)]:
        for item in list(gear):
            if item.name.casefold() == name.casefold():
                gear.remove(item)
    unit.enhancements.append((name, None))


def _size_by_points(army: ArmyDraft) -> str:
    limit = army.limit or (army.points if army.points in (1000, 2000, 3000) else None)
    return {1000: "Incursion", 2000: "Strike Force", 3000: "Onslaught"}.get(limit or 0, "")


# --- units ---------------------------------------------------------------------------------------------------------


def _blocks(army: ArmyDraft, lines: Sequence[Line]) -> list[tuple[UnitDraft, list[Line]]]:
    """Each unit with the lines under it."""
    blocks: list[tuple[UnitDraft, list[Line]]] = []
    section = ""
    for line in lines:
        points = split_points(line.text)[1]
        if not line.bullet and points is None and (found := section_of(line.text)) is not None:
            section = found
        elif not line.bullet and points is not None and line.indent < 2 and not take_note(_SINK, line.text, points):
            blocks.append((_unit(army, line, section), []))
        elif blocks:
            blocks[-1][1].append(line)
        elif not _heading(army, line):
            army.not_read(line)
    return blocks


_SINK: Final = UnitDraft("", Line(0, 0, "", "", ""))


def _heading(army: ArmyDraft, line: Line) -> bool:
    if size := battle_size_of(line.text):
        army.battle_size, army.limit = size[0], size[1] or army.limit
        return True
    if not army.name and len(line.text) <= 40 and not re.search(r"[:\d]", line.text):
        army.name = line.text
        return True
    return False


def _unit(army: ArmyDraft, line: Line, section: str) -> UnitDraft:
    head, points, rest = split_points(line.text)
    found = _REFERENCE.match(head)
    count, name, counted = split_count(head[found.end() :] if found else head)
    if not counted and found and (bare := re.match(r"^(\d{1,2})\s+(?=[A-Z])", name)):
        count, name, counted = int(bare[1]), name[bare.end() :], True
    unit = army.start(UnitDraft(name, line, points, count if counted else None, section))
    unit.reference = found["reference"] if found else ""
    if unit.reference.casefold().startswith("char"):
        unit.keywords.append("CHARACTER")
    gear = rest.lstrip(": ").strip()
    if rest.startswith(":") and gear:
        _gear_of(unit, None, gear, line)
    elif rest:
        unit.name = f"{unit.name} {rest}"
    return unit


def _read_block(army: ArmyDraft, unit: UnitDraft, lines: list[Line]) -> str:
    """What stands under a unit; the shape it had."""
    rest = [line for line in lines if not _noted(unit, line)]
    if unit.count in (None, 1) and not any(_WITH.match(line.text) or _has_gear(line) for line in rest):
        loose = [line for line in rest if not (line.bullet or line.indent > 1 or split_count(line.text)[2])]
        army.unread.extend(line.unread for line in loose)
        rest = [line for line in rest if line not in loose]
        unit.items = nest(_apart(rest))
        sort_items(unit, leaves_are_models=True)
        return "gw" if rest else ""
    group: ModelDraft | None = None
    for line in rest:
        if found := _WITH.match(line.text):
            _with(unit, group, found, line)
        elif line.bullet:
            group = _model(unit, line)
        else:
            army.not_read(line)
    unit.models = [model for model in unit.models if model.count]
    return "wtc"


def _noted(unit: UnitDraft, line: Line) -> bool:
    text, points, _ = split_points(line.text)
    if points is not None and line.bullet and not take_note(_SINK, text, points) and line.text.count("+"):
        unit.enhancements.append((enhancement_name(text), points))
        return True
    return take_note(unit, text, points)


def _has_gear(line: Line) -> bool:
    return line.bullet and bool(re.match(r"^\d+\s*x\s.+?:\s*\S", line.text))


def _apart(lines: list[Line]) -> list[Line]:
    """App-like bodies put the upgrades that are no weapons on one line: a line each for the tree."""
    found: list[Line] = []
    for line, below in zip(lines, [*lines[1:], None], strict=False):
        holds = below is not None and below.bullet and below.depth > line.depth
        parts = split_list(line.text) if line.bullet and not holds else [line.text]
        found.extend(Line(line.number, line.indent, line.mark, part, line.raw) for part in parts)
    return found


def _model(unit: UnitDraft, line: Line) -> ModelDraft:
    head, _, gear = line.text.partition(":")
    name, _, rest = split_points(head)
    count, name, counted = split_count(name)
    if not counted and (bare := re.match(r"^(\d{1,2})\s+(?=\w)", name)):
        count, name = int(bare[1]), name[bare.end() :]
    model = ModelDraft(f"{name} {rest}".strip(), count)
    unit.models.append(model)
    if gear.strip():
        _gear_of(unit, model, gear.strip(), line)
    return model


def _gear_of(unit: UnitDraft, model: ModelDraft | None, text: str, line: Line) -> None:
    """Gear after a colon: "3 with a, b" is three models' gear, "a, 2x b" what they have together."""
    if found := _WITH.match(text):
        _with(unit, model, found, line)
        return
    gear = gear_of(unit, text, line)
    if model is None:
        unit.gear.extend(gear)
    else:
        model.gear.extend(gear)


def gear_of(unit: UnitDraft, text: str, line: Line) -> list[Item]:
    """A list of gear as items; marks such as the warlord go to the unit."""
    parts = [piece for part in split_list(text) for piece in _GLUED.split(part)]
    return flat(sort_gear(unit, [gear_item(part, line) for part in parts]))


def _with(unit: UnitDraft, group: ModelDraft | None, found: re.Match[str], line: Line) -> None:
    """``6 with a, b``: six models of the group, each with a and b. The group is split into its loadouts."""
    count = int(found["count"])
    gear = times(gear_of(unit, found["gear"], line), count)
    name = group.name if group else unit.name
    if group is not None and not group.gear:
        loadouts = [model for model in unit.models if model.name == name and model is not group]
        group.count = max(0, group.count - count) if loadouts or group.count > count else 0
        if group.count == 0 and not loadouts:
            group.count, group.gear = count, gear
            return
    unit.models.append(ModelDraft(name, count, gear))


# --- markdown ------------------------------------------------------------------------------------------------------


def _read_markdown(army: ArmyDraft, lines: Sequence[Line]) -> Reading:
    section, configuration = "", False
    unit: UnitDraft | None = None
    totals = any(_PLUS.match(line.text) for line in lines)
    army.format = "battlescribe-text" if totals else army.format
    for line in map(_modern, lines):
        text = line.text
        if _ROSTER.match(text) or _TOTAL.match(text):
            army.points = split_points(text)[1] or army.points
            catalogue = re.search(r"\(([^()]+)\)", split_points(text)[0])
            army.faction = catalogue[1].split(" - ")[-1] if catalogue else army.faction
        elif found := _TITLE.match(text):
            _title(army, found)
        elif text.startswith("#"):
            found_section = section_of(text)
            configuration = "configuration" in text.casefold()
            section, unit = found_section or split_points(text.lstrip("# "))[0].casefold(), None
        elif (configuration and _configuration(army, text)) or (unit is not None and _markdown_below(unit, line)):
            continue
        elif line.bullet and unit is not None:
            _markdown_model(unit, line, totals)
        elif not line.bullet and split_points(text)[1] is not None:
            unit = _markdown_unit(army, line, section)
        elif (unit is None or not take_note(unit, text)) and not is_signed(text):
            army.not_read(line)
    for unit in army.units:
        _upgraded(unit)
    return finish(army)


def _modern(line: Line) -> Line:
    """A line of the older text of the same tools in the shape of markdown: "+ Name +" heads, dots are bullets."""
    if found := _PLUS.match(line.text):
        return replace(line, text=f"## {found['name']}")
    if found := _DOTS.match(line.text):
        return replace(line, mark="•", indent=2 * found["dots"].count(".") - 2, text=found["text"])
    return line


def _title(army: ArmyDraft, found: re.Match[str]) -> None:
    names = [name.strip() for name in found["names"].split(" - ")]
    army.points = amount(found["points"])
    army.name = names.pop() if len(names) > 1 else ""
    if len(names) > 1 and names[0].casefold() in _SUPER:
        names.pop(0)
    army.faction = names[-1] if names else ""


def _configuration(army: ArmyDraft, text: str) -> bool:
    key, _, value = text.partition(":")
    key, value = key.strip().casefold(), value.strip()
    if key == "battle size":
        size = battle_size_of(value)
        army.battle_size, army.limit = size if size else (value, army.limit)
    elif key in ("detachment", "detachments", "detachment choice"):
        add_detachments(army, split_points(value)[0], None)
        if len(army.detachments) > 1 and army.edition is None:
            army.edition = "11e"
    elif key.startswith("force disposition"):
        add_dispositions(army, value)
        army.edition = army.edition or "11e"
    elif key.startswith("show/hide"):
        if value:
            army.notes.append(text)
    elif split_points(text)[1] is None:
        army.notes.append(text)
    else:
        return False
    return True


def _markdown_unit(army: ArmyDraft, line: Line, section: str) -> UnitDraft:
    head, points, rest = split_points(line.text)
    count, name, counted = split_count(head)
    unit = army.start(UnitDraft(name, line, points, count if counted else None, section))
    if gear := rest.lstrip(": ").strip():
        unit.gear.extend(_markdown_gear(unit, gear, line))
    return unit


def _markdown_below(unit: UnitDraft, line: Line) -> bool:
    """Under a model: a loadout ("6 with a, b"), or gear on a line of its own."""
    group = unit.models[-1] if unit.models else None
    if found := _WITH.match(line.text):
        _with(unit, group, found, line)
        return True
    if group is None or not line.bullet or line.indent < 2 or ":" in line.text:
        return False
    group.gear.extend(gear_of(unit, line.text, line))
    return True


def _markdown_model(unit: UnitDraft, line: Line, totals: bool) -> None:
    """Models with gear. Markdown prints what one of them has, the older text what they have together.

    A bullet that is neither counted nor followed by gear is gear itself: that of a unit of one model.
    """
    head, colon, gear = line.text.partition(":")
    name, _, rest = split_points(head)
    count, name, counted = split_count(f"{name} {rest}".strip())
    if not (colon or counted or unit.models):
        unit.gear.extend(_markdown_gear(unit, line.text, line))
        return
    items = _markdown_gear(unit, gear, line)
    if not totals and not _together(items, count):
        items = times(items, count)
    unit.models.append(ModelDraft(name, count, flat(items)))


def _markdown_gear(unit: UnitDraft, text: str, line: Line) -> list[Item]:
    items = []
    for part in split_list(text):
        found = _UPGRADE.search(part)
        item = gear_item(part[: found.start()] if found else part, line)
        if found:
            unit.upgraded.append(found["what"].strip().casefold())
        items.append(item)
    return sort_gear(unit, items)


def _together(items: list[Item], count: int) -> bool:
    """Gear is printed for one model, unless a number is that of the models themselves: then numbers are totals."""
    return count > 3 and any(item.count == count for item in items)


def _upgraded(unit: UnitDraft) -> None:
    """ "Rifle (Keen Eye upgrade)" says that the item Keen Eye of the unit is its enhancement."""
    for gear in [unit.gear, *(model.gear for model in unit.models)]:
        for item in list(gear):
            if item.name.casefold() in unit.upgraded:
                gear.remove(item)
                unit.enhancements.append((item.name, item.points))
