"""What an army chooses besides units: detachments with their rules, enhancements with their points, army rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from battlewright.datasheet import Ability, CatalogueExtras, Detachment, Enhancement
from battlewright.formats.battlescribe.index import PTS, Index, lists
from battlewright.formats.battlescribe.nodes import Node, Resolver, is_enhancement
from battlewright.formats.battlescribe.sheet import rule_ability
from battlewright.formats.markup import plain
from battlewright.formats.tree import Tree, truth
from battlewright.names import same

_DETACHMENT: Final = re.compile(r"^detachments?(?: choices?)?$", re.I)
_DISPOSITION: Final = "Force Disposition"
_ONLY: Final = re.compile(r"^(.{3,200}?)\s+(?:models?|units?)?\s*only\b", re.I)
_SKIP: Final = re.compile(r"\b(?:crusade|boarding)\b", re.I)


def extras(index: Index, wanted: set[str]) -> CatalogueExtras:
    """Detachments, enhancements and army rules of the wanted files and the libraries they link to."""
    titles = factions(index)
    linked = {
        str(link.get("targetId"))
        for catalogue in index.catalogues
        if str(catalogue.get("id")) in wanted
        for link in lists(catalogue, "catalogueLinks")
    }
    catalogues = [
        one
        for one in index.catalogues
        if (key := str(one.get("id"))) in wanted or (key in linked and truth(one.get("library")))
    ]
    dispositions = _dispositions(index)
    detachments: dict[tuple[str, str], Detachment] = {}
    by_id: dict[str, str] = {}
    for catalogue in catalogues:
        faction = titles.get(str(catalogue.get("id")), "")
        for node in _detachments(index, catalogue):
            one = _detachment(node, faction, index, dispositions)
            for key in node.ids:
                by_id.setdefault(key, one.name)
            detachments.setdefault((one.name, one.faction), one)
    found: dict[tuple[str, tuple[str, ...], int | None], Enhancement] = {}
    for catalogue in catalogues:
        faction = titles.get(str(catalogue.get("id")), "")
        for node, group in _enhancements(index, catalogue):
            bonus = _enhancement(node, group, faction, by_id)
            found.setdefault((bonus.name, bonus.detachments, bonus.points), bonus)
    return CatalogueExtras(tuple(detachments.values()), tuple(found.values()), _army_rules(index, catalogues, titles))


def factions(index: Index) -> dict[str, str]:
    """The faction of each catalogue by its id: the faction keyword most of its units have, its own or linked ones."""
    found = {}
    for catalogue in index.catalogues:
        own = lists(catalogue, "sharedSelectionEntries")
        linked = [index.by_id.get(str(link.get("targetId")), {}) for link in lists(catalogue, "entryLinks")]
        taken = [entry for one in index.imported(catalogue) for entry in lists(one, "sharedSelectionEntries")]
        for entries in (own, linked, taken):
            names = Counter(
                name.removeprefix("Faction:").strip()
                for entry in entries
                for link in lists(entry, "categoryLinks")
                if (name := str(link.get("name"))).startswith("Faction:")
            )
            if names:
                found[str(catalogue.get("id"))] = names.most_common(1)[0][0]
                break
    return found


def _dispositions(index: Index) -> frozenset[str]:
    """The names of the force dispositions the game system offers (11e)."""
    groups = lists(index.system or {}, "sharedSelectionEntryGroups", "selectionEntryGroups")
    return frozenset(
        str(entry.get("name"))
        for group in groups
        if group.get("name") == _DISPOSITION
        for entry in lists(group, "selectionEntries", "entryLinks")
    )


def _detachments(index: Index, catalogue: Tree) -> Iterator[Node]:
    where = str(catalogue.get("name"))
    entries = lists(catalogue, "selectionEntries", "sharedSelectionEntries", "sharedSelectionEntryGroups")
    for entry in entries:
        if not _DETACHMENT.match(str(entry.get("name", ""))):
            continue
        node = Resolver(index, None, where).build(entry)
        if node is not None:
            yield from _leaves(node)


def _leaves(node: Node) -> Iterator[Node]:
    for child in node.children:
        if child.kind == "group":
            yield from _leaves(child)
        elif child.kind == "upgrade" and not _SKIP.search(child.comment):
            yield child


def _detachment(node: Node, faction: str, index: Index, dispositions: frozenset[str]) -> Detachment:
    abilities = [rule_ability(rule) for one in node.walk() for rule in one.rules]
    abilities += [
        Ability(plain(one.name), plain(one.text), "special") for part in node.walk() for one in part.prints if one.text
    ]
    cost = next((value for key, value in node.costs.items() if index.cost_names.get(key) == "Detachment Points"), None)
    return Detachment(
        name=re.sub(r"\s*\[legends\]", "", node.name, flags=re.I),
        faction=faction,
        points=None if cost is None else int(cost),
        dispositions=tuple(name for name, _ in node.categories if name in dispositions),
        abilities=tuple(dict.fromkeys(abilities)),
        legends="[legends]" in node.name.lower(),
    )


def _enhancements(index: Index, catalogue: Tree) -> Iterator[tuple[Node, str]]:
    """Every enhancement with the name of the group it stands in."""
    where = str(catalogue.get("name"))
    for entry in lists(catalogue, "sharedSelectionEntryGroups", "selectionEntryGroups", "sharedSelectionEntries"):
        if not is_enhancement(entry, index) or _SKIP.search(str(entry.get("comment", ""))):
            continue
        node = Resolver(index, None, where, enhancements=True).build(entry)
        if node is not None:
            yield from _bonuses(node, node.name) if node.kind == "group" else [(node, "")]


def _bonuses(node: Node, group: str) -> Iterator[tuple[Node, str]]:
    for child in node.children:
        if child.kind == "group":
            yield from _bonuses(child, child.name)
        elif child.kind == "upgrade" and not _SKIP.search(child.comment):
            yield child, group


def _enhancement(node: Node, group: str, faction: str, detachments: dict[str, str]) -> Enhancement:
    text = "\n".join(
        dict.fromkeys(
            [plain(one.text) for one in node.prints] + [plain(rule.text) for rule in node.rules if not rule.core]
        )
    )
    only = _ONLY.match(text)
    limit = node.bound("max", ("force", "roster"))
    return Enhancement(
        name=plain(node.name).strip("* "),
        points=round(node.costs[PTS]) if PTS in node.costs else None,
        detachments=_belongs(node, group, detachments),
        faction=faction,
        text=text,
        only=only[1] if only else "",
        limit=1 if limit is None else limit,
    )


def _belongs(node: Node, group: str, detachments: dict[str, str]) -> tuple[str, ...]:
    """The detachments an enhancement belongs to: its group says it, or it is hidden without one of them."""
    named = re.sub(r"\s*enhancements?(?:\s*-\s*upgrades?)?$", "", group, flags=re.I).strip()
    if known := next((one for one in detachments.values() if same(one, named)), None):
        return (known,)
    found: list[str] = []
    for change in node.modifiers:
        if change.field == "hidden":
            found += [detachments[key] for key in change.asks() if key in detachments]
    return tuple(dict.fromkeys(found)) or ((named,) if named else ())


def _army_rules(index: Index, catalogues: list[Tree], titles: dict[str, str]) -> tuple[tuple[str, Ability], ...]:
    """The rules a catalogue states for a whole army, and the shared ones its units refer to; (faction, rule)."""
    linked = {str(element.get("targetId")) for element in index.by_id.values() if element.get("type") == "rule"}
    found: dict[tuple[str, str], Ability] = {}
    for catalogue in catalogues:
        faction = titles.get(str(catalogue.get("id")), str(catalogue.get("name")))
        own = lists(catalogue, "rules")
        own += [rule for rule in lists(catalogue, "sharedRules") if str(rule.get("id")) in linked]
        for rule in own:
            name, text = plain(str(rule.get("name", ""))), plain(str(rule.get("description") or ""))
            found.setdefault((faction, name), Ability(name, text, "faction"))
    return tuple((faction, ability) for (faction, _), ability in found.items())
