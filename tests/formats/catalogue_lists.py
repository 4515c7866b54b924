"""Lists as the tools print them, chosen at random from any folder of community catalogues.

Nothing of the package is used here: the catalogues are opened with the standard library, a list is a tree of choices the
way the list builders keep it, and every printer writes that tree the way its tool does. What a list holds (``meant``) is
read off the tree, so a reader can be measured against it.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from app_text import ENGLISH, FRENCH, Head, Row, eleventh

Node = dict[str, Any]
LISTS = (
    "selectionEntries", "selectionEntryGroups", "entryLinks", "profiles", "rules", "infoLinks", "categoryLinks", "costs",
    "constraints", "modifiers", "sharedSelectionEntries", "sharedSelectionEntryGroups", "sharedProfiles", "catalogueLinks",
    "characteristics",
)  # fmt: skip
WEAPON = ("Ranged Weapons", "Melee Weapons")
OUTSIDE = re.compile(
    r"crusade|battle (?:honour|trait|scar)|weapon modification|relic|experience|warlord|order of battle", re.IGNORECASE
)


# --- catalogues ----------------------------------------------------------------------------------------------------


def opened(path: Path) -> Node:
    """A catalogue file as a plain tree, XML or JSON, packed or not."""
    data = path.read_bytes()
    if data[:2] == b"PK":
        with zipfile.ZipFile(path) as archive:
            data = archive.read(archive.namelist()[0])
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    if data.lstrip()[:1] == b"{":
        found: Node = json.loads(data)
        return found.get("catalogue") or found["gameSystem"]
    return from_xml(ElementTree.fromstring(data))


def from_xml(element: ElementTree.Element) -> Node:
    node: Node = dict(element.attrib)
    for kid in element:
        name = kid.tag.rpartition("}")[2]
        if name in LISTS:
            node[name] = [from_xml(each) for each in kid]
        elif kid.text and not len(kid):
            node[name] = kid.text
    if element.text and element.text.strip() and not len(element):
        node["$text"] = element.text.strip()
    return node


@dataclass
class Faction:
    name: str
    units: list[Node]
    detachments: list[str]
    gifts: list[tuple[str, int]]


class Shelf:
    """All catalogues of a folder, their nodes by id."""

    def __init__(self, folder: Path) -> None:
        self.files = [opened(path) for path in sorted(folder.iterdir()) if path.is_file()]
        self.nodes: dict[str, Node] = {}
        for file in self.files:
            for node in walk(file):
                if "id" in node:
                    self.nodes[node["id"]] = node
        self.armies = self.factions()

    def linked(self, node: Node) -> Node | None:
        return self.nodes.get(node.get("targetId", ""))

    def factions(self) -> list[Faction]:
        found = []
        for file in self.files:
            if str(file.get("library")).lower() == "true" or "Library" in file["name"] or "gameSystemId" not in file:
                continue
            units = [entry for entry in self.roots(file) if self.is_unit(entry)]
            if len(units) > 5:
                found.append(Faction(file["name"], units, self.detachments(file), self.gifts(file)))
        return found

    def roots(self, file: Node, depth: int = 0) -> Iterator[Node]:
        for link in file.get("entryLinks", []):
            target = self.linked(link)
            if target is not None and not hidden(link) and not hidden(target):
                yield target
        yield from (entry for entry in file.get("selectionEntries", []) if not hidden(entry))

    def is_unit(self, entry: Node) -> bool:
        names = [link.get("name", "") for link in entry.get("categoryLinks", [])]
        return entry.get("type") in ("unit", "model") and any(name.startswith("Faction:") for name in names)

    def named(self, file: Node, pattern: str) -> Iterator[Node]:
        for node in walk(file):
            if (
                node.get("name")
                and re.fullmatch(pattern, str(node["name"]))
                and ("selectionEntries" in node or "selectionEntryGroups" in node or "entryLinks" in node)
            ):
                yield node

    def detachments(self, file: Node) -> list[str]:
        names = [
            kid["name"]
            for node in self.named(file, "Detachments?(?: Choice)?")
            for kid in node.get("selectionEntries", [])
        ]
        inner = [
            kid["name"]
            for node in self.named(file, "Detachments?(?: Choice)?")
            for group in node.get("selectionEntryGroups", [])
            for kid in group.get("selectionEntries", [])
        ]
        return list(dict.fromkeys(names + inner)) or ["Combined Host"]

    def gifts(self, file: Node) -> list[tuple[str, int]]:
        found = []
        for group in self.named(file, ".*Enhancements"):
            for entry in group.get("selectionEntries", []):
                points = cost(entry)
                if points:
                    found.append((entry["name"], points))
        return found or [("Old Banner", 15)]


def walk(node: Node) -> Iterator[Node]:
    stack = [node]
    while stack:
        each = stack.pop()
        yield each
        for value in each.values():
            if isinstance(value, list):
                stack.extend(kid for kid in value if isinstance(kid, dict))


def hidden(node: Node) -> bool:
    return str(node.get("hidden")).lower() == "true"


def cost(node: Node) -> int:
    return next((int(float(one["value"])) for one in node.get("costs", []) if one.get("name", "").strip() == "pts"), 0)


# --- a list --------------------------------------------------------------------------------------------------------


@dataclass
class Taken:
    """A choice: ``kind`` is unit, model, gear; ``number`` the total of its branch; ``each`` what one of its holder has."""

    name: str
    kind: str
    number: int = 1
    each: int = 1
    weapon: bool = False
    kids: list[Taken] = field(default_factory=list)
    node: Node | None = None


@dataclass
class Unit:
    tree: Taken
    points: int
    section: str
    gift: tuple[str, int] | None = None
    warlord: bool = False
    block: int = 0
    role: str = ""

    @property
    def name(self) -> str:
        return self.tree.name

    @property
    def models(self) -> list[Taken]:
        nested = models_below(self.tree)
        return nested if self.tree.kind == "unit" and nested else [self.own, *nested]

    @property
    def own(self) -> Taken:
        """The one model that is the unit itself."""
        kids = [kid for kid in self.tree.kids if kid.kind != "model"]
        return Taken(self.tree.name, "model", 1, 1, False, kids)

    @property
    def loose(self) -> list[Taken]:
        """Gear of a squad that no model of it holds."""
        if self.tree.kind != "unit" or not models_below(self.tree):
            return []
        return [kid for kid in self.tree.kids if kid.kind == "gear" and not models_below(kid)]

    @property
    def size(self) -> int:
        return sum(model.number for model in self.models)

    @property
    def single(self) -> bool:
        return len(self.models) == 1 and self.size == 1 and self.models[0].name == self.name


@dataclass
class Army:
    title: str
    faction: str
    catalogue: str
    detachments: list[str]
    limit: int
    units: list[Unit]

    @property
    def points(self) -> int:
        return sum(unit.points for unit in self.units)

    @property
    def size(self) -> str:
        return {1000: "Incursion", 2000: "Strike Force"}[self.limit]


def models_below(taken: Taken) -> list[Taken]:
    """The models of a branch, also those that stand behind a choice of their number."""
    found = []
    for kid in taken.kids:
        found += [kid] if kid.kind == "model" else models_below(kid)
    return found


SECTIONS = ["Epic Hero", "Character", "Battleline", "Dedicated Transport", "Infantry", "Mounted", "Vehicle", "Other"]


class Chooser:
    """Random choices within the limits the catalogue states for one parent; what limits the whole army is left out."""

    def __init__(self, shelf: Shelf, dice: random.Random) -> None:
        self.shelf, self.dice = shelf, dice

    def army(self, faction: Faction, allies: list[Node]) -> Army:
        dice = self.dice
        limit = dice.choice([1000, 2000])
        entries = [dice.choice(faction.units) for _ in range(dice.randint(5, 14))]
        units = [self.unit(entry) for entry in entries]
        units += [self.unit(dice.choice(allies)) for _ in range(dice.randint(0, 2)) if allies]
        gifts = dice.sample(faction.gifts, min(len(faction.gifts), 4))
        characters = [unit for unit in units if unit.section in ("Epic Hero", "Character")]
        for unit in characters:
            if unit.section == "Character" and gifts and dice.random() < 0.5:
                unit.gift = gifts.pop()
                unit.points += unit.gift[1]
        if characters:
            dice.choice(characters).warlord = True
        squads = [unit for unit in units if unit.section in ("Battleline", "Infantry")]
        for block, (leader, squad) in enumerate(zip(characters, dice.sample(squads, len(squads)), strict=False), 1):
            if dice.random() < 0.6:
                leader.block = squad.block = block
                leader.role, squad.role = dice.choice(["Leader", "Leader", "Support"]), "Bodyguard"
        units.sort(key=lambda one: (one.block == 0, one.block, one.role == "Bodyguard", SECTIONS.index(one.section)))
        names = dice.sample(faction.detachments, min(len(faction.detachments), dice.randint(1, 2)))
        title = dice.choice(["Sunday list", "RTT v2 (final)", "don't lose!", "Café night", "A - B - C", "2k test"])
        return Army(title, faction.name.split(" - ")[-1], faction.name, names, limit, units)

    def unit(self, entry: Node) -> Unit:
        tree = Taken(entry["name"], "unit" if entry["type"] == "unit" else "model", node=entry)
        self.fill(tree, entry, 1, set())
        names = [link.get("name", "") for link in entry.get("categoryLinks", [])]
        section = next((name for name in SECTIONS if name in names), "Other")
        return Unit(tree, max(5, cost(entry)) if cost(entry) else 5 * self.dice.randint(8, 60), section)

    def fill(self, holder: Taken, entry: Node, count: int, seen: set[str]) -> None:
        """The choices below an entry, for ``count`` of it."""
        for member in self.members(entry):
            low, high = bounds(member)
            if member["kind"] == "group":
                self.group(holder, member, count, seen)
            else:
                picked = self.number(low, high, 0.15)
                self.take(holder, member["target"], picked, count, seen)

    def group(self, holder: Taken, member: Node, count: int, seen: set[str]) -> None:
        low, high = bounds(member)
        options = [one for one in self.members(member["target"]) if one["target"]["id"] not in seen]
        picked: Counter[int] = Counter()
        for place, option in enumerate(options):
            picked[place] = bounds(option)[0] if option["kind"] != "group" else 0
        wanted = self.number(low, high, 0.4)
        for _ in range(30):
            free = [p for p, o in enumerate(options) if o["kind"] != "group" and picked[p] < bounds(o)[1]]
            if sum(picked.values()) >= wanted or not free:
                break
            picked[self.dice.choice(free)] += 1
        for place, option in enumerate(options):
            if option["kind"] == "group":
                self.group(holder, option, count, seen)
            elif picked[place]:
                self.take(holder, option["target"], picked[place], count, seen)

    def number(self, low: int, high: int, more: float) -> int:
        high = min(high, 10)
        return low if high <= low or (low and self.dice.random() > more) else self.dice.randint(low, high)

    def take(self, holder: Taken, entry: Node, each: int, count: int, seen: set[str]) -> None:
        if each <= 0 or entry["id"] in seen or len(seen) > 12:
            return
        kind = "model" if entry.get("type") in ("model", "unit") else "gear"
        if kind == "model":
            left = each * count
            while left:
                part = left if self.dice.random() < 0.6 else self.dice.randint(1, left)
                self.add(holder, entry, kind, part, part, seen)
                left -= part
        else:
            self.add(holder, entry, kind, each, each * count, seen)

    def add(self, holder: Taken, entry: Node, kind: str, each: int, number: int, seen: set[str]) -> None:
        weapon = any(one.get("typeName") in WEAPON for one in self.profiles(entry))
        taken = Taken(entry["name"].strip(), kind, number, each, weapon, node=entry)
        holder.kids.append(taken)
        self.fill(taken, entry, number, seen | {entry["id"]})

    def profiles(self, entry: Node) -> list[Node]:
        own = list(entry.get("profiles", []))
        return own + [target for link in entry.get("infoLinks", []) if (target := self.shelf.linked(link))]

    def members(self, entry: Node) -> list[Node]:
        """What an entry or a group holds: each with its limits, links followed."""
        found = []
        for name, kind in (("selectionEntries", "entry"), ("selectionEntryGroups", "group"), ("entryLinks", "")):
            for kid in entry.get(name, []):
                target = kid if kind else self.shelf.linked(kid)
                if target is None or hidden(kid) or hidden(target) or OUTSIDE.search(kid.get("name", "")):
                    continue
                if "Enhancements" in kid.get("name", "") or cost(kid) or (cost(target) and not kind):
                    continue
                own = kind or ("entry" if kid.get("type") == "selectionEntry" else "group")
                limits = [*kid.get("constraints", []), *(target.get("constraints", []) if target is not kid else [])]
                found.append({"kind": own, "target": target, "constraints": limits})
        return found


def bounds(member: Node) -> tuple[int, int]:
    """How many at least and at most under one parent."""
    low, high = 0, 99 if member["kind"] == "group" else 1
    stated = False
    for one in member["constraints"]:
        if one.get("field") != "selections" or one.get("scope") != "parent":
            continue
        value = int(float(one["value"]))
        if one["type"] == "min":
            low = max(low, value)
        elif value >= 0:
            high = min(high, value) if stated else value
            stated = True
    return low, max(low, high)


def army(shelf: Shelf, faction: Faction, seed: int) -> Army:
    """A random list of a faction; the same seed gives the same one."""
    dice = random.Random(seed)
    others = [unit for other in shelf.armies if other.name != faction.name for unit in other.units]
    return Chooser(shelf, dice).army(faction, others)


# --- what a list holds ---------------------------------------------------------------------------------------------


def is_bundle(taken: Taken) -> bool:
    """A choice that only groups others has no name a reader must know."""
    return bool(taken.kids) and not taken.weapon


def gear(taken: Taken) -> list[Taken]:
    """All gear below a model, in the order of the tree, models within left out."""
    found = []
    for kid in taken.kids:
        if kid.kind != "model":
            found += [kid, *gear(kid)]
    return found


def plain(name: str) -> str:
    name = re.sub(r"\s*\[Legends\]", "", name.replace("\u00a0", " ").replace("\u2011", "-"))
    return " ".join(re.sub("[‘’`´]", "'", name).split()).casefold()


def meant(unit: Unit) -> dict[str, Any]:
    """Models by name, weapons by model, and the gear that is no weapon (which a reader may or may not name)."""
    models: Counter[str] = Counter()
    weapons: dict[str, Counter[str]] = {}
    other: Counter[str] = Counter()
    for model in unit.models:
        models[plain(model.name)] += model.number
        for item in gear(model):
            if item.weapon:
                weapons.setdefault(plain(model.name), Counter())[plain(item.name)] += item.number
            else:
                other[plain(item.name)] += item.number
    for item in unit.loose:
        for one in [item, *gear(item)]:
            (weapons.setdefault("", Counter()) if one.weapon else other)[plain(one.name)] += one.number
    return {"models": models, "weapons": weapons, "other": other}


# --- printers ------------------------------------------------------------------------------------------------------


def titled(army: Army, word: str, comma: str = "") -> str:
    return f"{army.title} ({thousands(army.points, comma)} {word})"


def thousands(points: int, mark: str) -> str:
    return f"{points:,}".replace(",", mark)


def merged(models: list[Taken]) -> list[tuple[str, int, list[tuple[str, int]]]]:
    """Models of one name together and the gear they carry in all, names in order, as the official app counts."""
    found: dict[str, tuple[int, Counter[str]]] = {}
    for model in models:
        number, have = found.get(model.name, (0, Counter[str]()))
        for item in gear(model):
            if not is_bundle(item):
                have[item.name] += item.number
        found[model.name] = (number + model.number, have)
    return [(name, number, sorted(have.items())) for name, (number, have) in found.items()]


APP_SECTIONS = {
    "Epic Hero": "CHARACTERS", "Character": "CHARACTERS", "Battleline": "BATTLELINE",
    "Dedicated Transport": "DEDICATED TRANSPORTS",
}  # fmt: skip


def sections(army: Army, names: dict[str, str], rest: str) -> list[tuple[str, list[Unit]]]:
    found: dict[str, list[Unit]] = {}
    for section in SECTIONS:
        for unit in army.units:
            if unit.section == section:
                found.setdefault(names.get(section, rest), []).append(unit)
    return list(found.items())


def app_tenth(army: Army) -> str:
    lines = [titled(army, "Points", ","), "", army.faction, army.detachments[0]]
    lines += [f"{army.size} ({thousands(army.limit, ',')} Points)", ""]
    for heading, units in sections(army, APP_SECTIONS, "OTHER DATASHEETS"):
        lines += [heading, ""]
        for unit in units:
            lines += [f"{unit.name} ({unit.points} Points)", *app_body(unit, "Enhancements", "     ◦ "), ""]
    return "\n".join([*lines, "Exported with App Version: v1.46.2 (1), Data Version: v732"])


def app_body(unit: Unit, word: str, inner: str) -> list[str]:
    """Marks, then models with what they carry; a lone model's gear stands alone. Squad gear goes to the largest group."""
    lines = ["  • Warlord"] if unit.warlord and unit.single else []
    if unit.single:
        lines += [f"  • {number}x {name}" for _, _, have in merged(unit.models) for name, number in have]
    else:
        lines = []
        for place, (name, number, have) in enumerate(merged(with_loose(unit))):
            lines.append(f"  • {number}x {name}")
            lines += ["     • Warlord"] if unit.warlord and not place else []
            lines += [f"{inner}{count}x {item}" for item, count in have]
    return [*lines, f"  • {word}: {unit.gift[0]}"] if unit.gift else lines


def with_loose(unit: Unit) -> list[Taken]:
    """The models with the gear of the squad given to one of the largest group."""
    if not unit.loose:
        return unit.models
    most = max(unit.models, key=lambda model: model.number)
    one = scaled(most, 1)
    one.kids += unit.loose
    rest = [scaled(most, most.number - 1)] if most.number > 1 else []
    return [new for model in unit.models for new in ([*rest, one] if model is most else [model])]


def app_eleventh(army: Army, say: dict[str, str] = ENGLISH) -> str:
    head = Head(army.title, army.points, army.faction, army.size, army.limit, army.detachments, "Purge the Foe")
    found = sections(army, APP_SECTIONS, "OTHER DATASHEETS")
    headings = {id(unit): heading for heading, units in found for unit in units}
    rows = [
        Row(
            unit.name,
            unit.points,
            headings[id(unit)],
            merged(unit.models if unit.single else with_loose(unit)),
            unit.single,
            unit.warlord,
            unit.gift[0] if unit.gift else "",
            unit.block,
            unit.role,
        )
        for unit in sorted(army.units, key=lambda one: list(headings).index(id(one)))
    ]
    return eleventh(head, rows, (heading for heading, _ in found), say)


def app_french(army: Army) -> str:
    return app_eleventh(army, FRENCH)


def app_mobile(army: Army) -> str:
    """The app on a telephone, 11th edition: capitals, hollow bullets, a bullet a line."""
    lines = [titled(army, "Points", ","), "", army.faction, f"{' and '.join(army.detachments)} (3 Detachment Points)"]
    lines += ["Take and Hold", f"{army.size} ({thousands(army.limit, ',')} Points)", ""]
    blocks = sorted({unit.block for unit in army.units} - {0})
    lines += ["ATTACHED UNITS", ""] if blocks else []
    for block in blocks:
        lines += [f"Attached unit {block}", ""]
        for unit in army.units:
            if unit.block == block:
                kind = "Character" if unit.role != "Bodyguard" else "Battleline" if unit.section == "Battleline" else ""
                lines += [f"{unit.name} ({unit.points} Points)", f"  • Attached as: {unit.role} ({kind})"]
                lines += [*app_body(unit, "Enhancements", "     ◦ "), ""]
    for heading, units in sections(army, APP_SECTIONS, "OTHER DATASHEETS"):
        free = [unit for unit in units if not unit.block]
        lines += [heading, ""] if free else []
        for unit in free:
            lines += [f"{unit.name} ({unit.points} Points)", *app_body(unit, "Enhancements", "     ◦ "), ""]
    return "\n".join([*lines, "Exported with App Version: v2.1.0 (3), Data Version: v895"])


def tournament(army: Army) -> tuple[list[str], dict[int, str]]:
    names, number = dict[int, str](), 0
    for place, unit in enumerate(army.units):
        if unit.section in ("Epic Hero", "Character"):
            number += 1
            names[place] = f"Char{number}"
    lines = ["+" * 47, f"+ FACTION KEYWORD: {army.catalogue}"]
    lines += [f"+ DETACHMENT: {', '.join(army.detachments)} (Some Rule)", f"+ TOTAL ARMY POINTS: {army.points}pts", "+"]
    lines += [f"+ WARLORD: {names[place]}: {unit.name}" for place, unit in enumerate(army.units) if unit.warlord]
    gifts = [f"{unit.gift[0]} (on {names[place]}: {unit.name})" for place, unit in enumerate(army.units) if unit.gift]
    lines += [("& " if place else "+ ENHANCEMENT: ") + gift for place, gift in enumerate(gifts)]
    lines += [f"+ NUMBER OF UNITS: {len(army.units)}"]
    lines += ["+ SECONDARY: - Bring It Down: (4x2) + (7x4) - Assassination: 6 Characters", "+" * 47, ""]
    return lines, names


def counted(name: str, number: int) -> str:
    return f"{number}x {name}" if number > 1 else name


def loadout(model: Taken) -> str:
    """What one model of a group has, in the order of the tree."""
    have: Counter[str] = Counter()
    for item in gear(model):
        if not is_bundle(item):
            have[item.name] += item.number // model.number or 1
    return ", ".join(counted(name, number) for name, number in have.items())


def groups(models: list[Taken]) -> list[tuple[str, int, list[Taken]]]:
    """Models of one name, equal ones counted together."""
    found: dict[str, list[Taken]] = {}
    for model in models:
        same = found.setdefault(model.name, [])
        twin = next((other for other in same if loadout(other) == loadout(model)), None)
        if twin is None:
            same.append(model)
        else:
            same[same.index(twin)] = scaled(twin, twin.number + model.number)
    return [(name, sum(model.number for model in same), same) for name, same in found.items()]


def scaled(model: Taken, number: int) -> Taken:
    kids = [scaled(kid, kid.number * number // model.number) for kid in model.kids]
    return Taken(model.name, model.kind, number, model.each, model.weapon, kids, model.node)


def wtc_compact(army: Army) -> str:
    lines, names = tournament(army)
    for place, unit in enumerate(army.units):
        head = f"{names[place]}: " if place in names else ""
        head += f"{unit.size}x {unit.name} ({unit.points} pts)"
        gift = [f"Enhancement: {unit.gift[0]} (+{unit.gift[1]} pts)"] if unit.gift else []
        if unit.single:
            mark = "Warlord, " if unit.warlord else ""
            have = mark + loadout(unit.models[0])
            lines += [f"{head}: {have}" if have else head, *gift, ""]
            continue
        top = ["Warlord"] if unit.warlord else []
        top += [
            counted(item.name, item.number) for one in unit.loose for item in [one, *gear(one)] if not is_bundle(item)
        ]
        lines += [head + (f": {', '.join(top)}" if top else ""), *gift]
        for name, number, same in groups(unit.models):
            if len(same) > 1:
                lines += [f"• {number}x {name}", *(f"    {each.number} with {loadout(each)}" for each in same)]
            elif not loadout(same[0]):
                lines.append(f"• {number}x {name}")
            else:
                lines.append(f"• {number}x {name}: " + (f"{number} with " if number > 1 else "") + loadout(same[0]))
        lines.append("")
    return "\n".join(lines)


def wtc_full(army: Army) -> str:
    lines, names = tournament(army)
    place_of = {id(unit): place for place, unit in enumerate(army.units)}
    headings = {"Epic Hero": "CHARACTER", "Character": "CHARACTER", "Battleline": "BATTLELINE",
                "Dedicated Transport": "DEDICATED TRANSPORT"}  # fmt: skip
    for heading, units in sections(army, headings, "OTHER DATASHEETS"):
        lines += [heading, ""]
        for unit in units:
            reference = names.get(place_of[id(unit)])
            lines.append((f"{reference}: " if reference else "") + f"{unit.size}x {unit.name} ({unit.points} pts)")
            if unit.single:
                mark = "Warlord, " if unit.warlord else ""
                lines += [f"1 with {mark}{loadout(unit.models[0])}"] if mark or loadout(unit.models[0]) else []
            else:
                lines += ["  • Warlord"] if unit.warlord else []
                for name, number, same in groups(with_loose(unit)):
                    lines += [f"• {number}x {name}"]
                    lines += [f"    {each.number} with {loadout(each)}" for each in same if loadout(each)]
            lines += [f"Enhancement: {unit.gift[0]} (+{unit.gift[1]} pts)"] if unit.gift else []
            lines.append("")
    return "\n".join(lines)


def newrecruit_app_like(army: Army) -> str:
    lines, _ = tournament(army)
    headings = {"Epic Hero": "CHARACTER", "Character": "CHARACTER", "Battleline": "BATTLELINE",
                "Dedicated Transport": "DEDICATED TRANSPORT"}  # fmt: skip
    for heading, units in sections(army, headings, "OTHER DATASHEETS"):
        lines += [heading, ""]
        for unit in units:
            lines.append(f"{unit.name} ({unit.points} pts)")
            if unit.single:
                lines += bullets("", unit.models[0])
                lines += ["• Warlord"] if unit.warlord else []
                lines += [f"• {unit.gift[0]} (+{unit.gift[1]} pts)"] if unit.gift else []
            else:
                for name, number, same in groups(with_loose(unit)):
                    whole = Taken(name, "model", number, 1, False, [kid for each in same for kid in each.kids])
                    lines += [f"• {number}x {name}", *bullets("    ", whole)]
                lines += ["  • Warlord"] if unit.warlord else []
                lines += [f"  • {unit.gift[0]} (+{unit.gift[1]} pts)"] if unit.gift else []
            lines.append("")
    return "\n".join([*lines, "Created with newrecruit.eu v35.66"])


def bullets(indent: str, model: Taken) -> list[str]:
    """Weapons a bullet each with their number, other gear on one line."""
    weapons, other = Counter[str](), Counter[str]()
    for item in gear(model):
        if not is_bundle(item):
            (weapons if item.weapon else other)[item.name] += item.number
    lines = [f"{indent}• {number}x {name}" for name, number in weapons.items()]
    rest = ", ".join(counted(name, number) for name, number in other.items())
    return [*lines, f"{indent}• {rest}"] if rest else lines


def markdown(army: Army) -> str:
    lines = [f"{army.catalogue} - {army.title.replace(' - ', ' ')} - [{army.points} pts]", ""]
    lines += [f"# ++ Army Roster ++ [{army.points} pts]", "## Configuration"]
    lines += [
        f"Battle Size: {army.size} ({army.limit} Point limit)",
        *(f"Detachment: {one}" for one in army.detachments),
    ]
    lines += ["Show/Hide Options", ""]
    for heading, units in sections(army, {one: one for one in SECTIONS}, "Other"):
        lines.append(f"## {heading} [{sum(unit.points for unit in units)} pts]")
        for unit in units:
            have = ["Warlord"] if unit.warlord else []
            have += [f"{unit.gift[0]} [{unit.gift[1]} pts]"] if unit.gift else []
            if unit.single:
                have += [within(kid, 1) for kid in unit.models[0].kids if kid.kind != "model"]
                lines.append(f"{unit.name} [{unit.points} pts]: {', '.join(have)}")
                continue
            have += [within(kid, 1) for kid in unit.loose]
            lines.append(f"{unit.name} [{unit.points} pts]: {', '.join(have)}".rstrip())
            for model in unit.models:
                items = ", ".join(within(kid, model.number) for kid in model.kids if kid.kind != "model")
                lines.append(f"• {model.number}x {model.name}" + (f": {items}" if items else ""))
        lines.append("")
    return "\n".join(lines)


def within(item: Taken, holders: int) -> str:
    """An item with what it holds in brackets."""
    inner = ", ".join(within(kid, item.number) for kid in item.kids if kid.kind != "model")
    return counted(item.name, max(1, item.number // holders)) + (f" ({inner})" if inner else "")


def listforge(army: Army) -> str:
    title = army.title.replace(" - ", " ")
    lines = [f"{title} - {army.faction} - {', '.join(army.detachments)} ({army.points} Points)", "", ""]
    blocks = sorted({unit.block for unit in army.units} - {0})
    lines += ["Attached Units:"] if blocks else []
    for block in blocks:
        pair = [unit for unit in army.units if unit.block == block]
        lines.append(f"{' + '.join(unit.name for unit in pair)} ({sum(unit.points for unit in pair)} pts)")
        for unit in pair:
            lines += [f"  {line}" for line in listforge_unit(unit)]
        lines.append("")
    for heading, units in sections(army, {one: one for one in SECTIONS}, "Other"):
        free = [unit for unit in units if not unit.block]
        lines += [f"{heading}:"] if free else []
        for unit in free:
            lines += [*listforge_unit(unit), ""]
        lines.append("")
    return "\n".join(lines)


def listforge_unit(unit: Unit) -> list[str]:
    lines = [f"{unit.name} ({unit.points} pts)", *(["  • Warlord"] if unit.warlord else [])]
    lines += [f"  • E: {unit.gift[0]}"] if unit.gift else []
    if unit.single:
        return lines + [
            f"  • {counted(item.name, item.number)}" for item in gear(unit.models[0]) if not is_bundle(item)
        ]
    loose = [one for kid in unit.loose for one in [kid, *gear(kid)]]
    nested = [model for model in unit.models if model.name != unit.name or unit.tree.kind == "unit"]
    if len(nested) < len(unit.models):
        loose += gear(unit.own)
    lines += [f"  • {counted(item.name, item.number)}" for item in loose if not is_bundle(item)]
    for model in nested:
        lines.append(f"  • {counted(model.name, model.number)}")
        lines += [f"    • {counted(item.name, item.number)}" for item in gear(model) if not is_bundle(item)]
    return lines


def warorgan(army: Army) -> str:
    lines = [f"{army.title} [{army.points} points]", army.faction]
    lines += [
        f"Battle Size: {army.size} ({army.limit} point limit)",
        "",
        f"Detachments: {', '.join(army.detachments)}",
        "",
    ]
    for unit in army.units:
        lines += [f"{unit.name} [{unit.points} points]", *(["\t• Warlord"] if unit.warlord else [])]
        gift = [f"{unit.gift[0]} [+{unit.gift[1]} points]"] if unit.gift else []
        if unit.single:
            lines.append(f"\t• {sentence([*spoken(unit.models[0]), *gift])}")
        else:
            for model in with_loose(unit):
                have = spoken(model) + gift
                gift = []
                lines.append(f"\t• {model.number} {model.name}" + (f" with {sentence(have)}" if have else ""))
        lines.append("")
    return "\n".join([*lines, "Created with WarOrgan (https://warorgan.com)"])


def spoken(model: Taken) -> list[str]:
    have: Counter[str] = Counter()
    for item in gear(model):
        if not is_bundle(item):
            have[item.name] += max(1, item.number // model.number)
    found = []
    for name, number in sorted(have.items()):
        said = re.sub(r"(?<= and )[A-Z](?=[a-z])", lambda letter: letter[0].lower(), name[0].upper() + name[1:])
        found.append(f"{number} {said}{'' if name.endswith('s') else 's'}" if number > 1 else said)
    return found


def sentence(parts: list[str]) -> str:
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1] if parts else "") if part)


def short(army: Army) -> str:
    return "\n".join(f"{unit.size}x {unit.name} ({unit.points}pts)" for unit in army.units)


def tree_json(army: Army, *, profiles: bool = True) -> str:
    """The tree as New Recruit writes it; ListForge writes the same without profiles."""
    number = iter(range(10**6))

    def node(taken: Taken, extra: list[Node], points: int, section: str = "") -> Node:
        entry = taken.node or {}
        own = [one for one in entry.get("profiles", []) if one.get("typeName") in (*WEAPON, "Unit", "Abilities")]
        categories = [{"name": link.get("name"), "primary": link.get("primary") in (True, "true")}
                      for link in entry.get("categoryLinks", [])]  # fmt: skip
        if not profiles and taken.weapon:
            categories.append({"name": "Ranged Weapon", "primary": False})
        return {
            "id": f"s{next(number)}", "name": taken.name, "number": taken.number, "categories": categories,
            "type": {"unit": "unit", "model": "model", "gear": "upgrade"}[taken.kind],
            "costs": [{"name": "pts", "value": points}] if points else [],
            "profiles": [{key: one.get(key) for key in ("name", "typeName", "characteristics")} for one in own if profiles],
            "selections": [node(kid, [], 0) for kid in taken.kids] + extra,
        }  # fmt: skip

    def top(unit: Unit) -> Node:
        extra: list[Node] = []
        if unit.warlord:
            extra.append({"id": f"s{next(number)}", "name": "Warlord", "number": 1, "type": "upgrade"})
        if unit.gift:
            extra.append({"id": f"s{next(number)}", "name": unit.gift[0], "number": 1, "type": "upgrade",
                          "group": f"Enhancements::{army.detachments[0]} Enhancements",
                          "costs": [{"name": "pts", "value": unit.gift[1]}]})  # fmt: skip
        return node(unit.tree, extra, unit.points - (unit.gift[1] if unit.gift else 0))

    configuration = [
        {"name": "Battle Size", "type": "upgrade", "number": 1, "categories": [{"name": "Configuration", "primary": True}],
         "selections": [{"name": f"{army.size} ({army.limit} Point limit)", "type": "upgrade", "number": 1}]},
        {"name": "Detachment", "type": "upgrade", "number": 1, "categories": [{"name": "Configuration", "primary": True}],
         "selections": [{"name": one, "type": "upgrade", "number": 1} for one in army.detachments]},
    ]  # fmt: skip
    force = {"catalogueName": army.catalogue, "selections": [*configuration, *(top(unit) for unit in army.units)]}
    roster = {"name": army.title, "gameSystemName": "Warhammer 40,000", "costs": [{"name": "pts", "value": army.points}],
              "costLimits": [{"name": "pts", "value": army.limit}], "forces": [force]}  # fmt: skip
    return json.dumps({"roster": roster, "generatedBy": "https://newrecruit.eu" if profiles else "List Forge"})


def stripped_json(army: Army) -> str:
    return tree_json(army, profiles=False)


DIALECTS: dict[str, Callable[[Army], str]] = {
    "app 10e": app_tenth, "app 11e": app_eleventh, "app mobile": app_mobile, "app French": app_french,
    "WTC compact": wtc_compact, "WTC full": wtc_full, "NR app-like": newrecruit_app_like, "markdown": markdown,
    "ListForge text": listforge, "WarOrgan": warorgan, "NR short": short, "NR JSON": tree_json,
    "ListForge JSON": stripped_json,
}  # fmt: skip
