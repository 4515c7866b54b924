"""Which format is it? ``read`` tries every reader's ``detects`` and lets the surest one read."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Final

from msgspec.structs import replace

from battlewright.errors import BadInput
from battlewright.formats import Reading, Source

#: Modules of this package with ``detects(source) -> float`` and ``read(source) -> Reading``; on a tie the first wins.
READERS: list[str] = [
    "battlescribe",
    "fortykdc",
    "datacards",
    "wahapedia",
    "page",
    "sheet_own",
    "roster_own",
    "roster_tree",
    "roster_gw",
    "roster_newrecruit",
    "roster_listforge",
    "roster_warorgan",
    "roster_freeform",
]

#: Those that read a list written as text.
TEXT_ROSTERS: Final = frozenset(READERS[READERS.index("roster_gw") :])

#: What is being read, how many are done, how many there are (0: not known).
Progress = Callable[[str, int, int], None]

#: Modules of this package with ``detects_folder(path) -> float`` and ``read_folder(path, progress) -> Reading``, for a
#: folder or a zip of several files.
FOLDER_READERS: list[str] = ["battlescribe", "wahapedia", "datacards"]


def read(source: str | Path | Source) -> Reading:
    """Read a datasheet page, a catalogue or a roster: a path, ``-`` for standard input, or bytes already opened.

    A share link that holds a whole list is read as it is; nothing is fetched.
    Raises :class:`BadInput` when the input cannot be opened or no reader knows it.

    >>> read(Source("note.txt", b"nothing of ours", "nothing of ours"))
    Traceback (most recent call last):
    battlewright.errors.BadInput: not a datasheet page, catalogue or roster in a format we know @ note.txt
    """
    if isinstance(source, str) and "://" in source and "listforge/" in source:
        source = Source("share link", source.encode(), source)
    if not isinstance(source, Source):
        if _holds_many(Path(source)):
            return _read_folder(Path(source))
        source = _open(source)
    return _read_text(source)


def _read_text(source: Source) -> Reading:
    """Read an opened source; what was pasted around a list comes back as unread, in the order of the lines."""
    from battlewright.formats.pasted import Pasted, one_list, unwrapped

    whole = unwrapped(source)
    reader = _surest(whole.source)
    name = reader.__name__.rpartition(".")[2]
    one = one_list(whole.source) if name in TEXT_ROSTERS else Pasted(whole.source)
    reading = reader.read(one.source)
    assert isinstance(reading, Reading)
    aside = (*whole.aside, *one.aside)
    if not aside:
        return reading
    unread = tuple(sorted((*reading.unread, *aside), key=lambda each: each.line))
    return replace(reading, unread=unread, notes=(*one.notes, *reading.notes))


def _surest(source: Source) -> ModuleType:
    """The reader that knows the source best. One that refuses it (too large …) is passed over, and speaks if none knows."""
    surest, how_sure, refusal = None, 0.0, None
    for reader in _readers(READERS):
        try:
            sure = reader.detects(source)
        except BadInput as error:
            refusal = refusal or error
            continue
        if sure > how_sure:
            surest, how_sure = reader, sure
        if how_sure >= 1.0:
            break
    if surest is None:
        raise refusal or BadInput("not a datasheet page, catalogue or roster in a format we know", source.name)
    return surest


def read_catalogue(path: str | Path, progress: Progress | None = None) -> Reading:
    """A catalogue for the user's store: a file, a folder or a zip; raises :class:`BadInput` for anything else."""
    if str(path) == "wh40kdc" and not Path(path).exists():
        from battlewright.formats.fortykdc import read_installed

        return read_installed()
    if _holds_many(Path(path)):
        return _read_folder(Path(path), progress)
    reading = read(path)
    if reading.kind != "catalogue":
        raise BadInput(f"a {reading.kind} ({reading.format}), expected a catalogue", str(path))
    return reading


def _open(path: str | Path) -> Source:
    from battlewright.formats.source import open_source

    return open_source(path)


def _holds_many(path: Path) -> bool:
    """A folder, or a zip of several files."""
    from battlewright.formats.source import holds_many

    return holds_many(path)


def _readers(names: list[str]) -> list[ModuleType]:
    return [importlib.import_module(f"battlewright.formats.{name}") for name in names]


def _read_folder(path: Path, progress: Progress | None = None) -> Reading:
    readers = [(reader.detects_folder(path), place, reader) for place, reader in enumerate(_readers(FOLDER_READERS))]
    best = max(readers, key=lambda found: (found[0], -found[1]), default=None)
    if best is None or not best[0]:
        raise BadInput("a folder without a catalogue in a format we know", str(path))
    reading = best[2].read_folder(path, progress)
    assert isinstance(reading, Reading)
    return reading
