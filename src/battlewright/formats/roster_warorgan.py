"""WarOrgan's text: points in square brackets, models as sentences ("9 Wardens with a, b and c")."""

from __future__ import annotations

import re
from collections.abc import Iterable
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

_MODELS: Final = re.compile(r"^(?P<count>\d{1,3})\s+(?P<name>[^,]+)\s+with\s+(?P<gear>.+)$")
_VARIANT: Final = re.compile(r"^(?P<count>\d{1,3})\s+(?P<name>[^,]+ w/ .+?)\s+with\s+(?P<gear>.+)$")
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
    lexicon = Lexicon(line for line in lines if line.bullet)
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
            _under(unit, line, lexicon)
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


def _under(unit: UnitDraft, line: Line, lexicon: Lexicon) -> None:
    """A bullet: a mark, models with their gear, models alone, or the gear of the one model."""
    if take_note(unit, line.text):
        return
    if found := _models_with(line.text) or _one_with(line.text, unit.name):
        count = int(found["count"] or 1)
        gear = sort_gear(unit, lexicon.items(found["gear"], line))
        unit.models.append(ModelDraft(found["name"], count, times(gear, count)))
    elif "," not in line.text and " and " not in line.text and (found := _PLAIN.match(line.text)) and unit.models:
        unit.models.append(ModelDraft(found["name"], int(found["count"])))
    else:
        unit.gear.extend(sort_gear(unit, lexicon.items(line.text, line)))


def _models_with(text: str) -> re.Match[str] | None:
    """ "9 Wardens with a, b and c". A model's name may hold "with"; it stands before the first comma.

    The variants of community catalogues ("Warden w/ hook, and claw") may hold commas and "and" too.
    """
    found = _VARIANT.match(text) or _MODELS.match(text)
    plain = found is not None and "," not in found["name"] and " and " not in found["name"]
    return found if found and (plain or " w/ " in found["name"]) else None


def _one_with(text: str, name: str) -> re.Match[str] | None:
    """ "Ash Walker with a, b and c" under the unit Ash Walker: its one model, not counted."""
    return re.match(rf"(?P<count>)(?P<name>{re.escape(name)})\s+with\s+(?P<gear>.+)$", text)


class Lexicon:
    """Which words behind "and" are things of their own.

    The tool writes an option that gives two things as one item, its first letter large and the rest small ("Coal rod and
    soot banner"), like a weapon whose own name holds "and" ("Horns and hooves"). It is two things when one of them is
    written alone elsewhere in the list, or when the first goes together with several others.
    """

    def __init__(self, lines: Iterable[Line]) -> None:
        self.alone: set[str] = set()
        self.uncounted: set[str] = set()
        partners: dict[str, set[tuple[str, ...]]] = {}
        for line in lines:
            found = _models_with(line.text)
            for first, *rest in _groups(found["gear"] if found else line.text):
                if rest:
                    partners.setdefault(_plain(first), set()).add(tuple(rest))
                else:
                    self.alone.add(_plain(first))
                    self.uncounted.add(first.casefold())
        self.alone |= {first for first, others in partners.items() if len(others) > 1}

    def items(self, text: str, line: Line) -> list[Item]:
        """The things a sentence lists."""
        found = []
        for group in _groups(text):
            apart = len(group) == 1 or any(_plain(piece) in self.alone for piece in group)
            found += [self.item(piece, line) for piece in (group if apart else [" and ".join(group)])]
        return found

    def item(self, text: str, line: Line) -> Item:
        name, points, _ = split_points(text)
        found = re.match(r"^(\d{1,2})\s+(?=\D)", name)
        if not found:
            return Item(name, points=points, line=line)
        name = name[found.end() :]
        one = name if name.casefold() in self.uncounted else singular(name)
        return Item(one, int(found[1]), True, points, line)


def _groups(text: str) -> list[list[str]]:
    """The items of a sentence, each with the small-written pieces that follow it behind "and".

    >>> _groups("2 Hooks, Coal rod and soot banner, Horns and hooves and Claw")
    [['2 Hooks'], ['Coal rod', 'soot banner'], ['Horns', 'hooves'], ['Claw']]
    """
    groups: list[list[str]] = []
    for part in split_list(text):
        for place, piece in enumerate(re.split(r"\s+and\s+", part)):
            small = piece[:1].islower() and split_points(piece)[1] is None
            if place and small and not groups[-1][0][:1].islower():
                groups[-1].append(piece)
            elif piece:
                groups.append([piece])
    return groups


def _plain(piece: str) -> str:
    return re.sub(r"^\d{1,2}\s+", "", split_points(piece)[0]).casefold()


def singular(name: str) -> str:
    """The tool writes several of a weapon in the plural.

    >>> singular("Cinder pistols"), singular("Storm glass"), singular("Boarding axes")
    ('Cinder pistol', 'Storm glass', 'Boarding axe')
    """
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name
