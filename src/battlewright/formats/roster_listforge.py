"""ListForge's text: one title line, headings with a colon, gear and models by indentation; attached units together.

Its JSON and its share links are trees and are read by ``roster_tree``.
"""

from __future__ import annotations

import re
from typing import Final

from battlewright.formats import Reading, Source
from battlewright.formats.roster_gw import DISPOSITIONS, add_detachments, add_dispositions
from battlewright.formats.rostertext import (
    ArmyDraft,
    Line,
    UnitDraft,
    battle_size_of,
    edition_by_words,
    finish,
    glance,
    is_signed,
    lines_of,
    nest,
    section_of,
    sort_items,
    split_points,
)

_HEADING: Final = re.compile(r"^[^\W\d][\w' /-]*:$")
_ATTACHED: Final = "attached units"
_LABEL: Final = re.compile(r"^(?P<key>faction|detachments?|battle size|force dispositions?)\s*:\s*(?P<value>.+)$", re.I)


def detects(source: Source) -> float:
    """How sure we are: a title with faction and detachment, and headings that end in a colon."""
    if source.text is None:
        return 0.0
    lines = [line.strip() for line in glance(source).splitlines() if line.strip()]
    if not lines:
        return 0.0
    title = bool(re.match(r"^.+ - .+ - .+\(\s*[\d,. ]+\s*(?:points|pts)\s*\)$", lines[0], re.IGNORECASE))
    headings = sum(bool(_HEADING.match(line) and section_of(line)) for line in lines)
    units = sum(bool(re.match(r"^\w.*\(\d[\d,]* pts\)$", line)) for line in lines)
    signed = any("list forge" in line.casefold() or "listforge" in line.casefold() for line in lines[-3:])
    if not (headings and units):
        return 0.0
    return 0.95 if title or signed else 0.7


def read(source: Source) -> Reading:
    """The army of such a list."""
    lines = lines_of(source)
    army = ArmyDraft(source, "listforge-text", edition_by_words(source))
    section, block, unit = "", "", None
    pending: list[Line] = []
    for place, line in enumerate(lines):
        name, points, rest = split_points(line.text)
        if place == 0 and points is not None:
            _title(army, name, points)
        elif not line.bullet and (found := _section(line)) is not None:
            _close(unit, pending)
            section, block, unit = found, "", None
        elif section == _ATTACHED and points is not None and not (line.bullet or line.indent) and " + " in name:
            _close(unit, pending)
            block, unit = f"line {line.number}", None
        elif not line.bullet and (line.indent < 2 or block) and points is not None:
            _close(unit, pending)
            unit = army.start(UnitDraft(f"{name} {rest}".strip(), line, points, section=section, block=block))
        elif unit is not None and (line.bullet or line.indent):
            pending.append(line)
        elif not (_label(army, line.text) or is_signed(line.text)):
            army.not_read(line)
    _close(unit, pending)
    _attach(army)
    for unit in army.units:
        sort_items(unit, leaves_are_models=False)
    return finish(army)


def _attach(army: ArmyDraft) -> None:
    """Units under one head ("A + B (200 pts)") are an attached unit, its bodyguard last."""
    for block in dict.fromkeys(unit.block for unit in army.units if unit.block):
        *leading, guard = [unit for unit in army.units if unit.block == block]
        guard.role, guard.section = "bodyguard", ""
        for unit in leading:
            unit.role, unit.section = "leader", "character"


def _close(unit: UnitDraft | None, pending: list[Line]) -> None:
    if unit is not None:
        unit.items.extend(nest(pending))
    pending.clear()


def _section(line: Line) -> str | None:
    if not _HEADING.match(line.text):
        return None
    return section_of(line.text) or line.text.rstrip(":").casefold()


def _title(army: ArmyDraft, names: str, points: int) -> None:
    """``name - faction - [disposition -] detachments``; a name may hold dashes, the others do not."""
    parts = [part.strip() for part in names.split(" - ")]
    army.points = points
    if len(parts) >= 3:
        add_detachments(army, parts.pop(), None)
    if len(parts) >= 3 and all(part.strip().casefold() in DISPOSITIONS for part in parts[-1].split(",")):
        add_dispositions(army, parts.pop())
    if len(parts) >= 2:
        army.faction = parts.pop()
    army.name = " - ".join(parts)


def _label(army: ArmyDraft, text: str) -> bool:
    if size := battle_size_of(text):
        army.battle_size, army.limit = size[0], size[1] or army.limit
        return True
    found = _LABEL.match(text)
    if not found:
        return False
    key, value = found["key"].casefold(), found["value"]
    if key.startswith("detachment"):
        army.detachments.clear()
        add_detachments(army, value, None)
    elif key.startswith("force"):
        add_dispositions(army, value)
    elif key == "battle size":
        army.battle_size, army.limit = battle_size_of(value) or (value, army.limit)
    else:
        army.faction = value
    return True
