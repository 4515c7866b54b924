"""Community catalogues in the form of BattleScribe and New Recruit: XML (.gst, .cat, zipped) and JSON (.json, .json.gz).

All files of one game system are read together: a unit may stand in one file, its weapons in a second, the core rules
in a third. What cannot be resolved or understood is listed in the faults of the reading.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from battlewright.datasheet import Datasheet
from battlewright.errors import BadInput, Fault
from battlewright.formats import Reading, Source
from battlewright.formats.battlescribe.index import Index, lists
from battlewright.formats.tree import Tree, parse_json, parse_xml
from battlewright.names import fold, singular

_HEAD: Final = re.compile(r"<(?:catalogue|gameSystem)\b|^\s*\{\s*\"(?:catalogue|gameSystem)\"\s*:")
_NAMES: Final = re.compile(r"\.(?:gst|cat|gstz|catz|json|json\.gz)$", re.I)

Progress = Callable[[str, int, int], None]


def detects(source: Source) -> float:
    """How sure that this is one file of a catalogue: the first element says it.

    >>> detects(Source("a.cat", b"", '<?xml version="1.0"?><catalogue id="x"/>')), detects(Source("a", b"", "{}"))
    (1.0, 0.0)
    """
    return 1.0 if source.text is not None and _HEAD.search(source.text[:2000]) else 0.0


def detects_folder(path: Path) -> float:
    """A folder or zip with at least one catalogue."""
    from battlewright.formats.source import open_sources

    some = itertools.islice(open_sources(path, only=_NAMES, faults=[]), 60)
    return max((detects(source) for source in some), default=0.0)


def read(source: Source) -> Reading:
    """One file. Files of the same game system beside it are used to resolve its links, but not read themselves."""
    return read_sources([source], beside=_siblings(source))


def read_folder(path: Path, progress: Progress | None = None) -> Reading:
    """A folder or zip: every catalogue in it; one game system only. Raises :class:`BadInput`."""
    from battlewright.formats.source import open_sources

    faults: list[Fault] = []
    sources = open_sources(path, only=_NAMES, faults=faults)
    reading = read_sources(sources, where=str(path), progress=progress)
    return replace(reading, faults=(*faults, *reading.faults))


def read_sources(
    sources: Iterable[Source], *, beside: Iterable[Source] = (), where: str = "", progress: Progress | None = None
) -> Reading:
    """Catalogue files together; those ``beside`` only resolve links. Other files are noted and left out."""
    index, notes = Index(), list[str]()
    wanted: set[str] = set()
    names, broken = [], list[Fault]()
    for source in sources:
        names.append(source.name)
        if not detects(source):
            notes.append(f"not a catalogue: {source.name}")
            continue
        try:
            wanted.add(_take(index, source))
        except BadInput as error:
            if not where:
                raise
            broken += error.faults
            continue
        notes += [f"{source.name}: {note}" for note in source.notes]
    for source in beside:
        if detects(source):
            _take(index, source)
    place = where or (names[0] if names else "")
    systems = {str(catalogue.get("gameSystemId")) for catalogue in index.catalogues}
    systems |= {str(index.system.get("id"))} if index.system else set()
    if broken and not index.catalogues:
        raise BadInput(broken)
    if len(systems) > 1:
        raise BadInput(f"catalogues of {len(systems)} game systems; add one edition at a time", place)
    if index.edition is None:
        raise BadInput("a catalogue of a game or edition we do not know", place)
    if index.system is None:
        notes.append("the game system file (.gst) is not among the files: core rules have no text")
    reading = _reading(index, wanted, notes, progress)
    return replace(reading, faults=(*broken, *reading.faults)) if broken else reading


def parse(source: Source) -> Tree:
    """The tree of one catalogue file, XML or JSON; raises :class:`BadInput` when it is neither."""
    text = source.text or ""
    tree = parse_xml(source) if text.lstrip().startswith("<") else parse_json(source)
    root = tree.get("catalogue") or tree.get("gameSystem") if isinstance(tree, dict) else None
    if not isinstance(root, dict):
        raise BadInput("not a catalogue", source.name)
    return tree


def _take(index: Index, source: Source) -> str:
    tree = parse(source)
    index.add(tree, Path(source.name).stem)
    return str((tree.get("catalogue") or tree["gameSystem"]).get("id"))


def _siblings(source: Source) -> Iterator[Source]:
    """The other catalogue files in the folder of a file on disk; one that cannot be read is left out."""
    from battlewright.formats.source import files_at, open_source

    file = Path(source.name)
    while not file.exists() and file != file.parent:
        file = file.parent
    if not file.is_file() or file.parent == Path("."):
        folder = file.parent if file.is_file() else None
    else:
        folder = file.parent
    if folder is None:
        return
    near = [one for one in sorted(folder.iterdir()) if one.is_file() and one != file and _NAMES.search(one.name)]
    for one in near[:200]:
        try:
            yield open_source(files_at(one)[0])
        except BadInput:
            continue


def _reading(index: Index, wanted: set[str], notes: list[str], progress: Progress | None) -> Reading:
    from battlewright.formats.battlescribe.extras import extras

    edition = index.edition
    assert edition is not None
    known = _unit_names(index)
    sheets = tuple(_leading(sheet, known) for sheet in _sheets(index, wanted, progress))
    more = extras(index, wanted)
    counts = Counter({
        "datasheets": len(sheets),
        "detachments": len(more.detachments),
        "enhancements": len(more.enhancements),
        "army rules": len(more.army_rules),
    })  # fmt: skip
    notes.append(", ".join(f"{count} {name}" for name, count in counts.items()))
    return Reading(
        "catalogue",
        "battlescribe",
        edition,
        faults=tuple(Fault(what, where) for what, where in index.losses.lines()),
        missing=tuple(f"{sheet.name}: {one}" for sheet in sheets for one in sheet.missing),
        datasheets=sheets,
        notes=tuple(notes),
        extras=more,
    )


def _leading(sheet: Datasheet, known: dict[str, str]) -> Datasheet:
    """The datasheet with the units it leads by their printed names, whatever it carries."""

    def printed(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(known.get(fold(name), name) for name in names))

    changes = tuple(replace(change, leads=printed(change.leads)) for change in sheet.changes)
    return replace(sheet, leads=printed(sheet.leads), changes=changes)


def _unit_names(index: Index) -> dict[str, str]:
    """Folded names of all units of all files, as printed; texts write them in capitals or in the plural."""
    found: dict[str, str] = {}
    for catalogue in index.catalogues:
        for entry in lists(catalogue, "sharedSelectionEntries", "selectionEntries"):
            if entry.get("type") in ("unit", "model"):
                name = str(entry.get("name")).replace("[Legends]", "").strip()
                for form in (fold(name), singular(fold(name)), f"{fold(name)}s"):
                    found.setdefault(form, name)
    return found


def _sheets(index: Index, wanted: set[str], progress: Progress | None) -> Iterator[Datasheet]:
    from battlewright.formats.battlescribe.extras import factions
    from battlewright.formats.battlescribe.nodes import Resolver
    from battlewright.formats.battlescribe.sheet import datasheet

    edition = index.edition
    assert edition is not None
    names = factions(index)
    entries = _units(index, wanted)
    for count, (entry, link, catalogue) in enumerate(entries):
        name = str(entry.get("name"))
        if progress:
            progress(name, count, len(entries))
        node = Resolver(index, catalogue, name).build(entry, link)
        if node is None:
            continue
        if entry.get("type") not in ("unit", "model") and not any(
            one.kind == "Unit" for part in node.walk() for one in part.prints
        ):
            continue
        revision = f"{catalogue.get('name')} revision {catalogue.get('revision', '?')}"
        home = names.get(str(catalogue.get("id")), "")
        yield datasheet(node, edition, f"battlescribe {edition}: {revision}", index.losses, home)


def _units(index: Index, wanted: set[str]) -> list[tuple[Tree, Tree | None, Tree]]:
    """The top entries of the wanted files that may be datasheets, each once, with the catalogue it is priced for."""
    takers = index.takers()
    found: dict[str, tuple[Tree, Tree | None, Tree]] = {}
    for catalogue in (root for root in (*index.catalogues, index.system) if root is not None):
        if str(catalogue.get("id")) not in wanted:
            continue
        for entry, link in index.roots(catalogue):
            key = str(entry.get("id"))
            home = _home(index, entry, takers.get(key, [catalogue]))
            if key not in found or home is catalogue:
                found[key] = (entry, link, home)
        for library in index.imported(catalogue):
            for entry, link in index.roots(library):
                key = str(entry.get("id"))
                if key not in found and _is_only_home(index, entry, takers.get(key, [library]), catalogue):
                    found[key] = (entry, link, catalogue)
        for entry in lists(catalogue, "sharedSelectionEntries"):
            faction = any(str(one.get("name")).startswith("Faction:") for one in lists(entry, "categoryLinks"))
            key = str(entry.get("id"))
            if faction and entry.get("type") in ("unit", "model") and key not in found:
                found[key] = (entry, None, _home(index, entry, takers.get(key, [catalogue])))
    return list(found.values())


def _home(index: Index, entry: Tree, takers: list[Tree]) -> Tree:
    """The catalogue in which a unit is at home: where the fewest of its changes for guests apply."""
    return takers[0] if len(takers) == 1 else min(takers, key=lambda one: _as_guest(index, entry, one))


def _is_only_home(index: Index, entry: Tree, takers: list[Tree], catalogue: Tree) -> bool:
    """Whether a unit of a library is at home in this catalogue and in no other (units of no army are in none)."""
    others = [_as_guest(index, entry, one) for one in takers if one is not catalogue]
    return catalogue in takers and all(_as_guest(index, entry, catalogue) < other for other in others)


def _as_guest(index: Index, entry: Tree, catalogue: Tree) -> int:
    """How many changes for guests apply to a unit in an army of this catalogue."""
    from battlewright.formats.battlescribe.conditions import Place, modifiers

    ids = frozenset([str(entry.get("id"))])
    place = Place(str(catalogue.get("id")), index.force).below(ids, str(entry.get("type")))
    return sum(change.holds(place) is True for change in modifiers(entry))
