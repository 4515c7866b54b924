"""All files of one game system, indexed by id: which catalogue holds what, and which entries stand at the top."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, cast

from battlewright.effects import EditionId
from battlewright.formats.tree import Tree, truth

_SYSTEMS: Final[dict[str, EditionId]] = {"sys-352e-adc2-7639-d6a9": "10e", "sys-352e-adc2-7639-d610": "11e"}
PTS: Final = "51b2-306e-1021-d207"


class Losses:
    """What was not understood, by kind, each with its first places: told in the loss report, never dropped silently."""

    def __init__(self) -> None:
        self.places: dict[str, list[str]] = {}
        self.counts: Counter[str] = Counter()

    def add(self, what: str, where: str) -> None:
        self.counts[what] += 1
        places = self.places.setdefault(what, [])
        if len(places) < 5 and where not in places:
            places.append(where)

    def lines(self) -> list[tuple[str, str]]:
        """(what, where) with counts, the most frequent first."""
        return [
            (f"{what} ({count} times)" if count > 1 else what, "; ".join(self.places[what]))
            for what, count in self.counts.most_common()
        ]


@dataclass
class Index:
    """The files of one game system. ``by_id`` finds any element; ``home`` the file of an element with an id."""

    catalogues: list[Tree] = field(default_factory=list)
    system: Tree | None = None
    by_id: dict[str, Tree] = field(default_factory=dict)
    core_rules: set[str] = field(default_factory=set)
    losses: Losses = field(default_factory=Losses)

    def add(self, tree: Tree, name: str) -> None:
        """Take in one parsed file (``{"catalogue": ...}`` or ``{"gameSystem": ...}``)."""
        root = cast(Tree, tree.get("catalogue") or tree.get("gameSystem"))
        root.setdefault("name", name)
        if "gameSystem" in tree:
            self.system = root
            self.core_rules |= {str(rule.get("id")) for rule in lists(root, "sharedRules", "rules")}
        else:
            self.catalogues.append(root)
        for element in _elements(root):
            first = self.by_id.setdefault(str(element["id"]), element)
            if first is not element and first.get("name") != element.get("name"):
                self.losses.add("an id used twice", f"{root['name']}: {element.get('name')}")

    @property
    def edition(self) -> EditionId | None:
        roots = [self.system] if self.system else self.catalogues[:1]
        for root in roots:
            found = str(root.get("id" if root is self.system else "gameSystemId", ""))
            if found in _SYSTEMS:
                return _SYSTEMS[found]
            name = str(root.get("name", "")).lower()
            if "11th" in name or any(cost.get("name") == "Detachment Points" for cost in lists(root, "costTypes")):
                return "11e"
            if "10th" in name:
                return "10e"
        return None

    @property
    def force(self) -> str:
        """The id of the force of matched play: the first one the game system offers."""
        forces = lists(self.system or {}, "forceEntries")
        return str(forces[0].get("id")) if forces else ""

    @cached_property
    def cost_names(self) -> dict[str, str]:
        roots = [root for root in (self.system, *self.catalogues) if root]
        return {str(cost.get("id")): str(cost.get("name")) for root in roots for cost in lists(root, "costTypes")}

    @cached_property
    def campaign(self) -> frozenset[str]:
        """The ids of everything marked as campaign content, which matched play never has."""
        found: set[str] = set()
        for element in list(self.by_id.values()):
            if "crusade" in str(element.get("comment", "")).lower():
                found |= {str(one["id"]) for one in _elements(element)}
        return frozenset(found)

    def target(self, link: Tree, where: str) -> Tree | None:
        """What a link points to; None (and a loss) when it is in a file that is not here."""
        found = self.by_id.get(str(link.get("targetId")))
        if found is None:
            self.losses.add("a link to something that is in none of these files", f"{where}: {link.get('name')}")
        return found

    def roots(self, catalogue: Tree) -> Iterator[tuple[Tree, Tree | None]]:
        """The entries a catalogue offers at its top, each with the link that brings it in (if any)."""
        name = str(catalogue.get("name"))
        for entry in lists(catalogue, "selectionEntries"):
            yield entry, None
        for link in lists(catalogue, "entryLinks"):
            if (target := self.target(link, name)) is not None:
                yield target, link

    def imported(self, catalogue: Tree) -> list[Tree]:
        """The libraries whose top entries a catalogue takes over."""
        links = lists(catalogue, "catalogueLinks")
        wanted = {str(link.get("targetId")) for link in links if truth(link.get("importRootEntries"))}
        return [one for one in self.catalogues if str(one.get("id")) in wanted and truth(one.get("library"))]

    def takers(self) -> dict[str, list[Tree]]:
        """For each top entry the catalogues it may be priced for: its own file unless that is a library, and those
        that link to it or import its library; the one that takes most of the library first."""
        home = {
            str(entry.get("id")): catalogue
            for catalogue in self.catalogues
            for entry in lists(catalogue, "sharedSelectionEntries", "selectionEntries")
        }
        users: dict[str, list[Tree]] = {}
        weight: Counter[tuple[str, str]] = Counter()
        for catalogue in self.catalogues:
            mine = str(catalogue.get("id"))
            for link in lists(catalogue, "entryLinks"):
                target = str(link.get("targetId"))
                users.setdefault(target, []).append(catalogue)
                if target in home:
                    weight[mine, str(home[target].get("id"))] += 1
        importers: dict[str, list[Tree]] = {}
        for catalogue in self.catalogues:
            for link in lists(catalogue, "catalogueLinks"):
                if truth(link.get("importRootEntries")):
                    importers.setdefault(str(link.get("targetId")), []).append(catalogue)
        found = {}
        for target, own in home.items():
            key = str(own.get("id"))
            if not truth(own.get("library")):
                found[target] = [own]
                continue
            every = [one for one in users.get(target, []) + importers.get(key, []) if one is not own]
            every.sort(key=lambda one: -weight[str(one.get("id")), key])
            found[target] = every or [own]
        return found


def lists(tree: Tree, *names: str) -> list[Tree]:
    """The dicts in the lists of these names; whatever else stands there is left out."""
    found = []
    for name in names:
        values = tree.get(name)
        if isinstance(values, list):
            found += [value for value in values if isinstance(value, dict)]
    return found


def _elements(root: Tree) -> Iterator[Tree]:
    stack: list[Any] = [root]
    while stack:
        element = stack.pop()
        if isinstance(element, dict) and isinstance(element.get("id"), str):
            yield element
        inside = element.values() if isinstance(element, dict) else element
        stack.extend(value for value in inside if isinstance(value, dict | list))
