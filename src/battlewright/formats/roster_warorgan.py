"""WarOrgan's text: points in square brackets, models as sentences ("9 Wardens with a, b and c")."""

from __future__ import annotations

import re
from typing import Final

from battlewright.formats import Reading, Source
from battlewright.formats.roster_gw import add_detachments, add_dispositions
from battlewright.formats.rostertext import (
    ArmyDraft,
    Item,
    Line,
    ModelDraft,
    UnitDraft,
    battle_size_of,
    edition_by_words,
    finish,
    glance,
    lines_of,
    section_of,
    sort_gear,
    split_list,
    split_points,
    take_note,
    times,
)

_MODELS: Final = re.compile(r"^(?P<count>\d{1,3})\s+(?P<name>.+?)\s+with\s+(?P<gear>.+)$")
_PLAIN: Final = re.compile(r"^(?P<count>\d{1,3})\s+(?P<name>[A-Z].*)$")
_LABEL: Final = re.compile(r"^(?P<key>battle size|detachments?|force dispositions?|faction)\s*:\s*(?P<value>.*)$", re.I)
_SIGNED: Final = re.compile(r"^created with warorgan", re.IGNORECASE)


def detects(source: Source) -> float:
    """How sure we are: the signature, or sentences of models under units with points in square brackets."""
    if source.text is None:
        return 0.0
    text = glance(source)
    if re.search(r"^created with warorgan", text, re.IGNORECASE | re.MULTILINE):
        return 0.98
    units = len(re.findall(r"^\S.*\[\s*[\d,. ]+\s*points\s*\]\s*$", text, re.IGNORECASE | re.MULTILINE))
    labelled = re.search(r"^(?:Battle Size|Detachments?)\s*:", text, re.IGNORECASE | re.MULTILINE)
    return 0.85 if units > 1 and labelled else 0.6 if units > 2 else 0.0


def read(source: Source) -> Reading:
    """The army of such a list."""
    lines = lines_of(source)
    army = ArmyDraft(source, "warorgan", edition_by_words(source))
    section, unit = "", None
    for line in lines:
        name, points, rest = split_points(line.text)
        if _SIGNED.match(line.text):
            unit = None
        elif line.number == lines[0].number and points is not None and not line.bullet:
            army.name, army.points = name, points
        elif not line.bullet and points is not None and not rest and not _label(army, line.text):
            unit = army.start(UnitDraft(name, line, points, section=section))
        elif line.bullet and unit is not None:
            _under(unit, line)
        elif not _header(army, line, unit):
            if (found := section_of(line.text)) is not None:
                section, unit = found, None
            else:
                army.not_read(line)
    if army.edition is None and len(army.detachments) > 1:
        army.edition = "11e"
    return finish(army)


def _header(army: ArmyDraft, line: Line, unit: UnitDraft | None) -> bool:
    if _label(army, line.text):
        return True
    if unit is None and not army.units and not army.faction and section_of(line.text) is None:
        army.faction = line.text
        return True
    return False


def _label(army: ArmyDraft, text: str) -> bool:
    found = _LABEL.match(text)
    if not found:
        return False
    key, value = found["key"].casefold(), found["value"]
    if key == "battle size":
        army.battle_size, army.limit = battle_size_of(value) or (value, army.limit)
    elif key.startswith("detachment"):
        add_detachments(army, value, None)
    elif key.startswith("force"):
        add_dispositions(army, value)
    else:
        army.faction = value
    return True


def _under(unit: UnitDraft, line: Line) -> None:
    """A bullet: a mark, models with their gear, models alone, or the gear of the one model."""
    if take_note(unit, line.text):
        return
    if (found := _MODELS.match(line.text)) and not _starts_with_gear(found):
        count = int(found["count"])
        gear = sort_gear(unit, _items(found["gear"], line))
        unit.models.append(ModelDraft(found["name"], count, times(gear, count)))
    elif "," not in line.text and " and " not in line.text and (found := _PLAIN.match(line.text)) and unit.models:
        unit.models.append(ModelDraft(found["name"], int(found["count"])))
    else:
        unit.gear.extend(sort_gear(unit, _items(line.text, line)))


def _starts_with_gear(found: re.Match[str]) -> bool:
    """A list of gear may hold "with" in a name; the models of a sentence come before the first comma."""
    return "," in found["name"]


def _items(text: str, line: Line) -> list[Item]:
    parts = [piece for part in split_list(text) for piece in re.split(r"\s+and\s+", part)]
    return [_item(part, line) for part in parts if part]


def _item(text: str, line: Line) -> Item:
    name, points, _ = split_points(text)
    found = re.match(r"^(\d{1,2})\s+(?=\D)", name)
    if not found:
        return Item(name, points=points, line=line)
    return Item(singular(name[found.end() :]), int(found[1]), True, points, line)


def singular(name: str) -> str:
    """The tool writes several of a weapon in the plural.

    >>> singular("Cinder pistols"), singular("Storm glass"), singular("Boarding axes")
    ('Cinder pistol', 'Storm glass', 'Boarding axe')
    """
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name
