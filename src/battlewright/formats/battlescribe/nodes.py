"""A unit with all its links resolved: entries, groups and options as one tree of nodes.

What matched play never shows (it is hidden whatever else is chosen) is left out. Links that lead back to themselves
are cut and reported; the size of one unit is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from battlewright.formats.battlescribe.conditions import Modifier, Place, changed, modifiers
from battlewright.formats.battlescribe.index import Index, lists
from battlewright.formats.tree import Tree, number, truth

#: The most nodes one unit may have; real ones stay below 1,500.
NODES: Final = 20_000
_DEPTH: Final = 60
#: The ids of the profile types every catalogue of both editions uses; others are known by their names only.
_KINDS: Final = {
    "c547-1836-d8a-ff4f": "Unit",
    "f77d-b953-8fa4-b762": "Ranged Weapons",
    "8a40-4aaa-c780-9046": "Melee Weapons",
    "9cc3-6d83-4dd3-9b64": "Abilities",
    "74f8-5443-9d6d-1f1e": "Transport",
}


@dataclass(slots=True)
class Change:
    """A characteristic that reads otherwise once ``least`` of an item are chosen: by a model, or in the whole unit."""

    item: str
    least: int
    unit: bool
    cell: str
    text: str


@dataclass(slots=True)
class Print:
    """A profile as printed: its type, its name after modifiers, its characteristics by name (lower case)."""

    kind: str
    name: str
    cells: dict[str, str]
    changes: list[Change] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All its words: of one characteristic just the words, of several with their names."""
        if len(self.cells) == 1:
            return next(iter(self.cells.values()))
        return "\n".join(f"{name.capitalize()}: {value}" for name, value in self.cells.items() if value)


@dataclass(slots=True)
class RuleRef:
    """A rule by its name after modifiers ("Scouts 6\"" as ``name`` and ``amount``)."""

    name: str
    amount: str
    text: str
    core: bool


@dataclass(slots=True, eq=False)
class Node:
    """An entry or a group, with what its link adds. ``kind`` is unit, model, upgrade or group."""

    kind: str
    name: str
    place: Place
    ids: frozenset[str]
    default: str = ""
    amount: float | None = None
    constraints: list[Tree] = field(default_factory=list)
    modifiers: list[Modifier] = field(default_factory=list)
    categories: list[tuple[str, bool]] = field(default_factory=list)
    costs: dict[str, float] = field(default_factory=dict)
    prints: list[Print] = field(default_factory=list)
    rules: list[RuleRef] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    comment: str = ""

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in the order of the file."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def bound(self, kind: str, scopes: tuple[str, ...], place: Place | None = None) -> int | None:
        """The tightest ``min`` or ``max`` constraint on its number in one of the scopes; None without one."""
        found = None
        for constraint in self.constraints:
            if constraint.get("type") != kind or constraint.get("field") != "selections":
                continue
            scope = str(constraint.get("scope"))
            if scope not in scopes and not ("unit" in scopes and self.place.chain and scope in self.place.chain[0]):
                continue
            value = changed(
                number(constraint.get("value")), str(constraint.get("id")), self.modifiers, place or self.place
            )
            if kind == "max" and value < 0:
                continue
            if found is None or (value < found if kind == "max" else value > found):
                found = int(value)
        return found

    @property
    def is_marker(self) -> bool:
        """A choice of the army (the warlord, a campaign's upgrade, a detachment's title): nothing on the table."""
        if any(name == "Warlord" for name, _ in self.categories) or "crusade" in self.comment.lower():
            return True
        return self.kind == "upgrade" and not (self.prints or self.rules or self.children) and self.depends_on_army

    @property
    def depends_on_army(self) -> bool:
        """Whether it may be hidden by what else is in the army."""
        return any(one.field == "hidden" and one.holds(self.place) is None for one in self.modifiers)

    @property
    def is_model(self) -> bool:
        """A model, or an upgrade outside of models that has a stat line: some catalogues write models so."""
        if self.kind in ("model", "unit"):
            return True
        outside = "model" not in self.place.kinds[:-1]
        return self.kind == "upgrade" and outside and any(one.kind == "Unit" for one in self.prints)

    @property
    def has_models(self) -> bool:
        """Whether models stand below: then an upgrade is a way to fill the unit, not wargear."""
        return any(one.is_model for one in self.walk() if one is not self)

    @property
    def low(self) -> int:
        return max(0, self.bound("min", ("parent", "self")) or 0)

    @property
    def high(self) -> int | None:
        return self.bound("max", ("parent", "self"))


class Resolver:
    """Builds the tree of one top entry."""

    def __init__(self, index: Index, catalogue: Tree | None, where: str, *, enhancements: bool = False) -> None:
        self.index, self.where, self.enhancements = index, where, enhancements
        self.place = Place(str(catalogue.get("id")) if catalogue else "", index.force, loose=enhancements)
        self.left = NODES

    def build(self, entry: Tree, link: Tree | None = None) -> Node | None:
        """The node of a top entry; never hidden (what depends on the army is for the army to say)."""
        return self._node(entry, link, self.place, (), top=True)

    def _node(
        self, entry: Tree, link: Tree | None, place: Place, path: tuple[str, ...], *, top: bool = False
    ) -> Node | None:
        own = str(entry.get("id"))
        if not self._may_enter(entry, own, path, top):
            return None
        parts = [entry] if link is None else [entry, link]
        changes = modifiers(*parts)
        categories = [one for part in parts for one in lists(part, "categoryLinks")]
        linked = (str(one.get("targetId")) for one in categories)
        ids = frozenset([own, *(str(part.get("id")) for part in parts), *linked])
        here = place.below(ids, str(entry["type"]) if "type" in entry else "group")
        if not top and _hidden(parts, changes, here):
            return None
        node = _bare_node(entry, parts, changes, here)
        node.categories = self._categories(categories, changes, here)
        for part in parts:
            self._prints(part, node, here, ())
        self._children(node, parts, (*path, own))
        if top or not node.is_marker:
            return node
        if node.depends_on_army and not self.index.campaign.intersection(ids):
            self.index.losses.add("an upgrade without weapon or ability that the army decides on", node.name)
        return None

    def _may_enter(self, entry: Tree, own: str, path: tuple[str, ...], top: bool) -> bool:
        """Whether to go into an entry: not in a circle, not for ever, not into enhancements."""
        if own in path or len(path) > _DEPTH:
            self.index.losses.add("a link that leads back to itself", f"{self.where}: {entry.get('name')}")
            return False
        if not (top or self.enhancements) and is_enhancement(entry, self.index):
            return False
        self.left -= 1
        if self.left == -1:
            self.index.losses.add(f"a unit of more than {NODES:,} parts", self.where)
        return self.left >= 0

    def _children(self, node: Node, parts: list[Tree], inside: tuple[str, ...]) -> None:
        here = node.place
        for part in parts:
            for child in lists(part, "selectionEntries", "selectionEntryGroups"):
                self._append(node, self._node(child, None, here, inside))
            for child in lists(part, "entryLinks"):
                if truth(child.get("hidden")) and not lists(child, "modifiers", "modifierGroups"):
                    continue
                target = self.index.target(child, self.where)
                if target is not None:
                    self._append(node, self._node(target, child, here, inside))

    @staticmethod
    def _append(node: Node, child: Node | None) -> None:
        if child is not None:
            node.children.append(child)

    def _categories(self, found: list[Tree], changes: list[Modifier], place: Place) -> list[tuple[str, bool]]:
        named: dict[str, tuple[str, bool]] = {}
        for one in found:
            target = self.index.by_id.get(str(one.get("targetId")), {})
            name = str(target.get("name") or one.get("name", ""))
            named[str(one.get("targetId"))] = (name, truth(one.get("primary")))
        for change in changes:
            if change.field != "category" or change.raw.get("scope") or change.holds(place) is not True:
                continue
            target_id = str(change.raw.get("value"))
            name = str(self.index.by_id.get(target_id, {}).get("name", ""))
            match change.kind:
                case "add" if name:
                    named.setdefault(target_id, (name, False))
                case "set-primary" if name:
                    named = {key: (value[0], False) for key, value in named.items()}
                    named[target_id] = (name, True)
                case "remove":
                    named.pop(target_id, None)
        return [value for value in named.values() if value[0]]

    def _prints(self, part: Tree, node: Node, place: Place, path: tuple[str, ...]) -> None:
        for profile in lists(part, "profiles"):
            self._print(profile, None, node, place)
        for rule in lists(part, "rules"):
            self._rule(rule, None, node, place)
        for group in lists(part, "infoGroups"):
            if not _hidden([group], modifiers(group), place):
                self._prints(group, node, place, path)
        for link in lists(part, "infoLinks"):
            target = self.index.target(link, self.where)
            if target is None:
                if link.get("type") == "rule" and link.get("name"):
                    self._rule(link, None, node, place)
                elif link.get("type") == "profile" and link.get("name"):
                    node.prints.append(Print("Abilities", str(link.get("name")), {}))
                continue
            match link.get("type"):
                case "profile":
                    self._print(target, link, node, place)
                case "rule":
                    self._rule(target, link, node, place)
                case "infoGroup":
                    key = str(target.get("id"))
                    if key in path:
                        self.index.losses.add("a link that leads back to itself", f"{self.where}: {link.get('name')}")
                    elif not _hidden([target, link], modifiers(target, link), place):
                        self._prints(target, node, place, (*path, key))

    def _print(self, profile: Tree, link: Tree | None, node: Node, place: Place) -> None:
        parts = [profile] if link is None else [profile, link]
        changes = modifiers(*parts)
        if _hidden(parts, changes, place):
            return
        name, added = _renamed(str(profile.get("name", "")), changes, place)
        kind = _KINDS.get(str(profile.get("typeId")), str(profile.get("typeName", "")))
        found = Print(kind, f"{name} {added}".strip(), {})
        for cell in lists(profile, "characteristics"):
            self._cell(cell, changes, place, found)
        node.prints.append(found)

    def _cell(self, cell: Tree, changes: list[Modifier], place: Place, found: Print) -> None:
        """A characteristic after the changes that hold; one that asks for a single item is kept with its item."""
        name, text = str(cell.get("name", "")).strip().lower(), str(cell.get("$text") or "")
        for change in changes:
            if change.field != str(cell.get("typeId")):
                continue
            holds = change.holds(place)
            if holds is None and not self.index.campaign.intersection(change.asks()):
                asked = change.one_item(place)
                item = str(self.index.by_id.get(asked[0], {}).get("name") or "").strip() if asked else ""
                if asked and item:
                    found.changes.append(Change(item, asked[1], asked[2], name, _changed_text(text, change, place)))
                else:
                    where = f"{self.where}: {found.name}"
                    self.index.losses.add("a change of a line by what others of the army choose", where)
            if holds is True:
                text = _changed_text(text, change, place)
        found.cells[name] = text

    def _rule(self, rule: Tree, link: Tree | None, node: Node, place: Place) -> None:
        parts = [rule] if link is None else [rule, link]
        changes = modifiers(*parts)
        if _hidden(parts, changes, place):
            return
        name, added = _renamed(str(rule.get("name", "")), changes, place)
        unresolved = rule.get("type") == "rule"
        core = self.index.system is None if unresolved else str(rule.get("id")) in self.index.core_rules
        node.rules.append(RuleRef(name, added, str(rule.get("description") or ""), core))


def _bare_node(entry: Tree, parts: list[Tree], changes: list[Modifier], place: Place) -> Node:
    """A node with what stands in the entry and its link alone."""
    costs: dict[str, float] = {}
    for cost in (one for part in parts for one in lists(part, "costs")):
        key = str(cost.get("typeId"))
        costs[key] = costs.get(key, 0) + number(cost.get("value"))
    return Node(
        place.kinds[-1],
        _renamed(str(entry.get("name", "")), changes, place)[0],
        place,
        place.chain[-1],
        default=str(entry.get("defaultSelectionEntryId") or ""),
        amount=_default_amount(parts),
        constraints=[one for part in parts for one in lists(part, "constraints")],
        modifiers=changes,
        costs=costs,
        comment=" ".join(str(part.get("comment", "")) for part in parts).strip(),
    )


def is_enhancement(entry: Tree, index: Index) -> bool:
    """A group of enhancements, or one that costs one (11e counts them as a cost). These belong to the army."""
    if re.search(r"\benhancements?(?:\s*-\s*upgrades?)?$", str(entry.get("name", "")), re.I) and "type" not in entry:
        return True
    return any(
        number(cost.get("value")) > 0 and index.cost_names.get(str(cost.get("typeId"))) == "Enhancements"
        for cost in lists(entry, "costs")
    )


def _changed_text(text: str, change: Modifier, place: Place) -> str:
    value = change.raw.get("value")
    match change.kind:
        case "set":
            return str(value)
        case "append":
            join = change.raw.get("join")
            glue = " " if join is None else str(join)
            return f"{text}{glue}{value}" if text.strip(" -") else str(value)
        case "increment" | "decrement":
            digits = "".join(letter for letter in text if letter.isdigit())
            if digits and text.count(digits) == 1:
                step = number(value) * change.times(place) * (1 if change.kind == "increment" else -1)
                return text.replace(digits, str(int(int(digits) + step)))
    return text


def _renamed(name: str, changes: list[Modifier], place: Place) -> tuple[str, str]:
    """The name after the modifiers that hold, and what was appended to it."""
    added = ""
    for change in changes:
        if change.field != "name" or change.raw.get("affects") or change.holds(place) is not True:
            continue
        value = str(change.raw.get("value", ""))
        if change.kind == "set":
            name, added = value, ""
        elif change.kind == "append":
            added = f"{added} {value}".strip()
        elif change.kind == "prepend":
            name = f"{value} {name}"
    return name, added


def _hidden(parts: list[Tree], changes: list[Modifier], place: Place) -> bool:
    """Hidden whatever else is chosen. A change that may come keeps it in."""
    hidden = any(truth(part.get("hidden")) for part in parts)
    for change in changes:
        if change.field != "hidden" or change.raw.get("affects") or change.kind != "set":
            continue
        answer, value = change.holds(place), truth(change.raw.get("value"))
        if answer is True or (answer is None and not value):
            hidden = value
    return hidden


def _default_amount(parts: list[Tree]) -> float | None:
    found: Any = None
    for part in parts:
        found = part.get("defaultAmount", found)
    return None if found is None else number(found)
