"""The user's own catalogues: one file each in the user's data folder, read by offset so that a look-up is quick.

A file is a header (JSON: what it is, and where each datasheet lies) and the datasheets behind it. Nothing of it is ever
part of what ships. The order: the catalogue added last is asked first; those without rules text after those with.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct

from battlewright.codec import from_json, to_json
from battlewright.datasheet import CatalogueExtras, Datasheet
from battlewright.effects import EditionId
from battlewright.errors import BadInput
from battlewright.names import fold, singular

_MAGIC: Final = b"battlewright catalogue 1\n"
_SUFFIX: Final = ".catalogue"
_HEADER: Final = 32 << 20


class Header(Struct, frozen=True, omit_defaults=True):
    """What a stored catalogue is. ``bare``: hardly any of its abilities has a text.

    ``places``: folded name -> (offset, length) behind the header.
    """

    name: str
    edition: EditionId
    format: str
    added: int
    source: str = ""
    credit: str = ""
    counts: tuple[tuple[str, int], ...] = ()
    losses: tuple[str, ...] = ()
    bare: bool = False
    names: tuple[str, ...] = ()
    places: dict[str, tuple[int, int]] = {}
    extras: tuple[int, int] = (0, 0)


def folder() -> Path:
    """Where the user's catalogues lie (the platform's data folder; ``XDG_DATA_HOME`` moves it)."""
    return _data_path() / "catalogues"


def _data_path() -> Path:
    """What ``platformdirs.user_data_path`` says; on plain Linux without loading it, which takes longer than a look-up."""
    if sys.platform == "linux" and "ANDROID_DATA" not in os.environ:
        chosen = os.environ.get("XDG_DATA_HOME", "").strip()
        return Path(chosen or os.path.expanduser("~/.local/share")) / "battlewright"
    import platformdirs

    return platformdirs.user_data_path("battlewright", appauthor=False)


def put(
    name: str,
    edition: EditionId,
    datasheets: Iterable[Datasheet],
    extras: CatalogueExtras | None = None,
    *,
    format: str = "",
    source: str = "",
    credit: str = "",
    losses: Iterable[str] = (),
) -> Header:
    """Store a catalogue under ``name``, replacing one of that name; it is asked first from now on."""
    sheets = list(datasheets)
    if not sheets:
        raise BadInput("no datasheet in it: nothing to add", name)
    bodies = [to_json(sheet) for sheet in sheets]
    tail = to_json(extras or CatalogueExtras())
    offsets, offset = [], 0
    for body in bodies:
        offsets.append((offset, len(body)))
        offset += len(body)
    names, places = _places(sheets, offsets)
    header = Header(
        name=clean_name(name),
        edition=edition,
        format=format,
        added=time.time_ns(),
        source=source,
        credit=credit,
        counts=tuple(counts(sheets, extras).items()),
        losses=tuple(losses)[:200],
        bare=_is_bare(sheets),
        names=names,
        places=places,
        extras=(offset, len(tail)),
    )
    _write(folder() / f"{header.name}{_SUFFIX}", header, [*bodies, tail])
    return header


def counts(sheets: Iterable[Datasheet], extras: CatalogueExtras | None = None) -> dict[str, int]:
    """How many there are of each kind of thing: the figures in which a silent loss shows."""
    found = list(sheets)
    more = extras or CatalogueExtras()
    return {
        "datasheets": len(found),
        "legends": sum(sheet.legends for sheet in found),
        "models": sum(len(sheet.models) for sheet in found),
        "stat lines": sum(not model.profile.missing for sheet in found for model in sheet.models),
        "invulnerable saves": sum(any(model.profile.InSv for model in sheet.models) for sheet in found),
        "weapons": sum(len(sheet.weapons) for sheet in found),
        "abilities": sum(len(sheet.abilities) for sheet in found),
        "wargear options": sum(len(sheet.options) for sheet in found),
        "with points": sum(bool(sheet.points) for sheet in found),
        "with keywords": sum(bool(sheet.keywords) for sheet in found),
        "with a leader list": sum(bool(sheet.leads) for sheet in found),
        "with a transport capacity": sum(bool(sheet.transport_text or sheet.transport) for sheet in found),
        "with a damaged bracket": sum(sheet.damaged is not None for sheet in found),
        "base sizes": sum(model.base is not None for sheet in found for model in sheet.models),
        "detachments": len(more.detachments),
        "enhancements": len(more.enhancements),
        "army rules": len(more.army_rules),
        "stratagems": len(more.stratagems),
    }


def _is_bare(sheets: list[Datasheet]) -> bool:
    abilities = [ability for sheet in sheets for ability in sheet.abilities if ability.kind != "core"]
    return 10 * sum(bool(ability.text) for ability in abilities) < len(abilities)


def clean_name(name: str) -> str:
    """A name that is safe as a file name.

    >>> clean_name("../My list: 10e"), clean_name("...")
    ('My list 10e', 'catalogue')
    """
    kept = re.sub(r"[^\w ().,'+-]+", " ", name).strip(" .")
    return re.sub(r"\s+", " ", kept)[:80] or "catalogue"


def headers() -> list[Header]:
    """All stored catalogues, in the order they are asked; damaged ones are left out (see :func:`damaged`)."""
    found = []
    for path in _files():
        try:
            state = path.stat()
            found.append(_known(path, state.st_mtime_ns, state.st_size))
        except (BadInput, OSError):
            continue
    return sorted(found, key=lambda header: (header.bare, -header.added))


@lru_cache(maxsize=64)
def _known(path: Path, changed: int, size: int) -> Header:
    """The header of a file as it was at that time: read once as long as it does not change."""
    with path.open("rb") as file:
        return _header(file, path)


def damaged() -> list[str]:
    """The names of stored files that cannot be read: remove and add them again."""
    good = {header.name for header in headers()}
    return [path.name.removesuffix(_SUFFIX) for path in _files() if path.name.removesuffix(_SUFFIX) not in good]


def remove(name: str) -> None:
    """Remove a stored catalogue; raises :class:`BadInput` with the names there are when it is none of them."""
    for path in _files():
        if fold(path.name.removesuffix(_SUFFIX)) == fold(name):
            path.unlink()
            return
    known = ", ".join(header.name for header in headers()) or "none is stored"
    raise BadInput(f"no catalogue of that name; there is: {known}", name)


class Stored:
    """A stored catalogue as a shelf of :mod:`battlewright.catalogue.lookup`."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.name = header.name
        self.bare = header.bare
        self.credit = header.credit
        self._start: int | None = None

    def names(self, edition: EditionId) -> Iterable[str]:
        return self.header.names if edition == self.header.edition else ()

    def load(self, name: str, edition: EditionId) -> Datasheet | None:
        if edition != self.header.edition:
            return None
        for form in (fold(name), singular(fold(name)), f"{fold(name)}s"):
            if place := self.header.places.get(form):
                return from_json(self._at(place), Datasheet, where=self.name)
        return None

    def extras(self) -> CatalogueExtras:
        """Its detachments, enhancements, army rules and stratagems."""
        return from_json(self._at(self.header.extras), CatalogueExtras, where=self.name)

    def _at(self, place: tuple[int, int]) -> bytes:
        path = folder() / f"{self.name}{_SUFFIX}"
        try:
            with path.open("rb") as file:
                if self._start is None:
                    self._start = _body(file, path)
                file.seek(self._start + place[0])
                return file.read(place[1])
        except OSError as error:
            raise BadInput(f"cannot be read ({error.strerror})", str(path)) from None


def _places(
    sheets: list[Datasheet], offsets: list[tuple[int, int]]
) -> tuple[tuple[str, ...], dict[str, tuple[int, int]]]:
    """Names as listed, and where each spelling leads: several of one name are told apart by their faction."""
    places: dict[str, tuple[int, int]] = {}
    names = []
    order = sorted(range(len(sheets)), key=lambda at: sheets[at].legends)
    for at in order:
        sheet, plain = sheets[at], fold(sheets[at].name)
        taken = plain in places
        names.append(f"{sheet.name} ({sheet.faction})" if taken and sheet.faction else sheet.name)
        for form in (plain, fold(f"{sheet.name} {sheet.faction}"), fold(f"{sheet.faction} {sheet.name}")):
            places.setdefault(form, offsets[at])
            places.setdefault(singular(form), offsets[at])
    return tuple(names), places


def _files() -> list[Path]:
    try:
        return sorted(folder().glob(f"*{_SUFFIX}"))
    except OSError:
        return []


def _body(file: BinaryIO, path: Path) -> int:
    """Where the datasheets begin; the file is left at its header."""
    start = file.read(len(_MAGIC) + 8)
    size = int.from_bytes(start[len(_MAGIC) :], "big")
    if not start.startswith(_MAGIC) or len(start) < len(_MAGIC) + 8 or size > _HEADER:
        raise BadInput("damaged, or of another version: remove it and add it again", str(path))
    return len(start) + size


def _header(file: BinaryIO, path: Path) -> Header:
    size = _body(file, path) - len(_MAGIC) - 8
    return from_json(file.read(size), Header, where=path.name)


def _write(path: Path, header: Header, bodies: list[bytes]) -> None:
    import tempfile  # only here: a look-up does without it, and it is slow to load

    data = to_json(header)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".adding-")
        with os.fdopen(handle, "wb") as file:
            file.write(_MAGIC + len(data).to_bytes(8, "big") + data)
            file.writelines(bodies)
        Path(temporary).replace(path)
    except OSError as error:
        raise BadInput(f"cannot be written ({error.strerror})", str(path.parent)) from None
