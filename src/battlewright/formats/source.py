"""Opening anything a person may bring, safely: one file, a gzip, a zip, a folder, standard input.

Nothing is ever unpacked to disk. Every size is bounded before memory is taken; what is refused is refused with one
:class:`~battlewright.errors.BadInput` line that says what and where.
"""

from __future__ import annotations

import io
import os
import re
import stat
import struct
import sys
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, TypeVar

from battlewright.errors import BadInput, Fault
from battlewright.formats import Source

T = TypeVar("T")
MB: Final = 1 << 20
#: The most one document may hold, unpacked.
LIMIT: Final = 32 * MB
#: The most a folder or an archive may hold in all, unpacked.
TOTAL: Final = 384 * MB
#: The most files in a folder or an archive.
MEMBERS: Final = 2000
#: How long a pipe may stay without anyone who writes into it, in seconds.
PIPE_S: Final = 1.0
#: Text packs ten to thirty times; a thousand times is a bomb.
RATIO: Final = 200
_DIRECTORY_BYTES: Final = 1 * MB

_MAGIC: Final = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF", "a PDF document (save it as text first)"),
    (b"\xd0\xcf\x11\xe0", "an Office document (save it as text first)"),
    (b"7z\xbc\xaf", "a 7z archive (only zip and gz are read)"),
    (b"Rar!", "a RAR archive (only zip and gz are read)"),
    (b"BZh", "a bz2 archive (only zip and gz are read)"),
    (b"\xfd7zXZ", "an xz archive (only zip and gz are read)"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive (only zip and gz are read)"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"SQLite format 3", "a database"),
)
_OFFICE: Final = ("[Content_Types].xml", "mimetype")
_NOISE: Final = re.compile(r"(^|/)(__MACOSX/|\.|Thumbs\.db$|desktop\.ini$)")
_CONTROL: Final = bytes(set(range(32)) - {9, 10, 11, 12, 13, 27}) + b"\x7f"


def open_source(path: str | Path, *, limit: int = LIMIT) -> Source:
    """The one document at ``path`` ("-": standard input), unpacked from gzip or a one-member zip; at most ``limit`` bytes.

    ``text`` is None for binary data of no known kind. Raises :class:`BadInput` for what is missing, too large, packed
    suspiciously, damaged, or holds several documents.

    >>> open_source("no-such-list.txt")
    Traceback (most recent call last):
    ...
    battlewright.errors.BadInput: no such file @ no-such-list.txt
    """
    where = str(path)
    if where != "-" and Path(path).is_dir():
        raise BadInput("a folder, expected one file", where)
    return open_bytes(_read_file(path, limit), where, limit=limit)


def open_bytes(data: bytes, name: str, *, limit: int = LIMIT) -> Source:
    """The same for bytes already in memory (an upload); ``name`` is for the faults.

    >>> open_bytes(b"\\xef\\xbb\\xbfAsh Wardens", "list.txt").text
    'Ash Wardens'
    """
    found = list(_unpack(data, name, limit, depth=0))
    if len(found) != 1:
        raise BadInput(f"holds {len(found)} files, expected one", name)
    return found[0]


def open_sources(
    path: str | Path,
    *,
    limit: int = LIMIT,
    only: re.Pattern[str] | None = None,
    faults: list[Fault] | None = None,
) -> Iterator[Source]:
    """Every document at ``path``, one at a time: a file, a gzip, a zip of any number, or a folder of these.

    In the order of the names; ``only`` files whose name it finds (or a zip by any name). Raises :class:`BadInput` like
    :func:`open_source`; with ``faults`` a file that cannot be opened is noted there and the next one is tried. Sizes are
    bounded for all together.
    """
    total = 0
    for file in files_at(path):
        alone = file == Path(path)
        if only and not alone and not only.search(file.name):
            continue
        try:
            for source in _unpack(_read_file(file, max(limit, TOTAL // 4)), str(file), limit, depth=0, only=only):
                total += len(source.data)
                if total > TOTAL:
                    raise BadInput(f"more than {TOTAL // MB} MB in all", str(path))
                yield source
        except BadInput as error:
            if faults is None or alone or total > TOTAL:
                raise
            faults += error.faults


def holds_many(path: str | Path) -> bool:
    """Whether ``path`` is a folder, or a zip of several files (a damaged one is not)."""
    try:
        if Path(path).is_dir():
            return True
        if not Path(path).is_file():
            return False
        with Path(path).open("rb") as file:
            if file.read(4) != b"PK\x03\x04":
                return False
        data = _read_file(path, TOTAL // 4)
        _check_directory(data, str(path))
        with _guarded(lambda: zipfile.ZipFile(io.BytesIO(data)), str(path)) as archive:
            return len(_members(archive, str(path))) > 1
    except (OSError, ValueError, BadInput):
        return False


def member_names(path: str | Path) -> list[str]:
    """The names of the files in a folder or zip, nothing of them unpacked; raises :class:`BadInput`."""
    if Path(path).is_dir():
        return [str(file) for file in files_at(path)]
    data = _read_file(path, TOTAL // 4)
    if not data.startswith(b"PK\x03\x04"):
        return [str(path)]
    _check_directory(data, str(path))
    with _guarded(lambda: zipfile.ZipFile(io.BytesIO(data)), str(path)) as archive:
        return [one.filename for one in _members(archive, str(path))]


def files_at(path: str | Path) -> list[Path]:
    """The files that ``path`` names: itself, or every plain file below a folder, hidden ones and links left out."""
    root = Path(path)
    try:
        if not root.is_dir():
            return [root]
        found = []
        for file in root.rglob("*"):
            inside = file.relative_to(root).as_posix()
            if not _NOISE.search(inside) and not file.is_symlink() and file.is_file():
                found.append(file)
            if len(found) > MEMBERS:
                raise BadInput(f"more than {MEMBERS} files", str(path))
    except (OSError, ValueError) as error:
        raise BadInput(_os_fault(error), str(path)) from None
    if not found:
        raise BadInput("an empty folder", str(path))
    return sorted(found)


def decode(data: bytes) -> tuple[str | None, str]:
    """The text of ``data`` and a note when it was not plain UTF-8; None when it is no text at all.

    >>> decode("Épée".encode("latin-1")), decode("Épée".encode("utf-16"))[0], decode(bytes(9))[0]
    (('Épée', 'read as Windows-1252, not UTF-8'), 'Épée', None)
    """
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32")):
        if data.startswith(mark):
            return _decoded(data, "utf-8-sig" if encoding == "utf-8" else encoding)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _decoded(data, "utf-16")
    if guess := _wide(data):
        return _decoded(data, guess)
    if _binary(data):
        return None, ""
    try:
        return data.decode("utf-8"), ""
    except UnicodeDecodeError as error:
        if error.start >= len(data) - 3 and error.reason == "unexpected end of data":
            return data[: error.start].decode("utf-8"), "the last letter is cut off"
        return data.decode("cp1252", errors="replace"), "read as Windows-1252, not UTF-8"


# --- reading -----------------------------------------------------------------------------------------------------


def _read_file(path: str | Path, limit: int) -> bytes:
    where = str(path)
    try:
        if where == "-":
            return _bounded(sys.stdin.buffer, limit, where)
        state = Path(path).stat()
        if stat.S_ISFIFO(state.st_mode):
            return _read_pipe(where, limit)
        if not stat.S_ISREG(state.st_mode):
            raise BadInput("not a plain file", where)
        if state.st_size > limit:
            raise BadInput(_too_large(state.st_size, limit), where)
        with Path(path).open("rb") as file:
            return _bounded(file, limit, where)
    except (OSError, ValueError) as error:
        raise BadInput(_os_fault(error), where) from None


def _read_pipe(where: str, limit: int) -> bytes:
    """What a named pipe holds (``<(command)`` of a shell). One into which nobody writes is a fault, no endless wait."""
    handle = os.open(where, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        patience = time.monotonic() + PIPE_S
        while True:
            try:
                if first := os.read(handle, 1):
                    break
            except BlockingIOError:  # somebody has it open and will write
                first = b""
                break
            if time.monotonic() > patience:
                raise BadInput("a pipe into which nothing is written", where)
            time.sleep(0.02)
        os.set_blocking(handle, True)
        return first + _bounded(file, limit - len(first), where)


def _bounded(file: BinaryIO, limit: int, where: str) -> bytes:
    data = file.read(limit + 1)
    if len(data) > limit:
        raise BadInput(_too_large(None, limit), where)
    return data


def _too_large(size: int | None, limit: int) -> str:
    have = f"{size / MB:.0f} MB" if size else "more"
    return f"too large: {have}, at most {limit / MB:.3g} MB are read"


def _os_fault(error: Exception) -> str:
    match error:
        case FileNotFoundError():
            return "no such file"
        case PermissionError():
            return "may not be read (permission)"
        case OSError():
            return f"cannot be read ({error.strerror or 'system fault'})"
        case _:
            return "not a file name"


def _unpack(data: bytes, name: str, limit: int, depth: int, only: re.Pattern[str] | None = None) -> Iterator[Source]:
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        if depth > 1:
            raise BadInput("a zip in a zip in a zip", name)
        yield from _unzip(data, name, limit, depth, only)
    elif data.startswith(b"\x1f\x8b"):
        if depth > 1:
            raise BadInput("packed more than twice", name)
        yield from _unpack(_gunzip(data, name, limit), name, limit, depth + 1)
    else:
        yield _source(data, name, limit)


def _source(data: bytes, name: str, limit: int) -> Source:
    if len(data) > limit:
        raise BadInput(_too_large(len(data), limit), name)
    if not data.strip():
        raise BadInput("an empty file", name)
    for magic, what in _MAGIC:
        if data.startswith(magic) and (len(magic) > 2 or _binary(data)):
            raise BadInput(f"{what}, not something we read", name)
    text, note = decode(data)
    return Source(name, data, text, (note,) if note else ())


def _gunzip(data: bytes, name: str, limit: int) -> bytes:
    out = io.BytesIO()
    rest = data
    try:
        while rest.startswith(b"\x1f\x8b"):
            inflate = zlib.decompressobj(wbits=31)
            out.write(inflate.decompress(rest, limit + 1 - out.tell()))
            _check_packing(out.tell(), len(data), limit, name)
            if not inflate.eof:
                raise BadInput("damaged gzip (cut off)", name)
            rest = inflate.unused_data
    except zlib.error:
        raise BadInput("damaged gzip", name) from None
    return out.getvalue()


def _check_packing(size: int, packed: int, limit: int, name: str) -> None:
    if size > limit:
        raise BadInput(_too_large(None, limit) + ", unpacked", name)
    if size > MB and size > RATIO * max(packed, 1):
        raise BadInput(f"packed {size // max(packed, 1)} to 1, which no list or catalogue is", name)


# --- zip ---------------------------------------------------------------------------------------------------------


def _unzip(data: bytes, name: str, limit: int, depth: int, only: re.Pattern[str] | None) -> Iterator[Source]:
    _check_directory(data, name)
    total = 0
    with _guarded(lambda: zipfile.ZipFile(io.BytesIO(data)), name) as archive:
        members = _members(archive, name)
        if any(member.filename in _OFFICE for member in members):
            raise BadInput("an Office document (save it as text first)", name)
        if not members:
            raise BadInput("an empty zip", name)
        if len(members) > MEMBERS:
            raise BadInput(f"{len(members)} files in a zip, at most {MEMBERS} are read", name)
        if only and len(members) > 1:
            members = [member for member in members if only.search(member.filename)]
        for member in sorted(members, key=lambda member: member.filename):
            where = f"{name}/{member.filename}"
            content = _member(archive, member, where, limit)
            total += len(content)
            if total > TOTAL:
                raise BadInput(f"more than {TOTAL // MB} MB in all, unpacked", name)
            if content.strip():
                yield from _unpack(content, where, limit, depth + 1)


def _members(archive: zipfile.ZipFile, name: str) -> list[zipfile.ZipInfo]:
    """The files of a zip, none of them with a name that plays tricks; what systems leave beside them is left out."""
    for member in archive.infolist():
        _check_name(member, name)
    files = [member for member in archive.infolist() if not member.filename.endswith("/")]
    return [member for member in files if not _NOISE.search(member.filename)]


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, where: str, limit: int) -> bytes:
    if member.flag_bits & 1:
        raise BadInput("locked with a password", where)
    _check_packing(member.file_size, member.compress_size, limit, where)

    def read() -> bytes:
        with archive.open(member) as file:
            return file.read(limit + 1)

    content = _guarded(read, where)
    _check_packing(len(content), member.compress_size, limit, where)
    return content


def _guarded(action: Callable[[], T], where: str) -> T:
    try:
        return action()
    except NotImplementedError:
        raise BadInput("packed in a way that is not read", where) from None
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, struct.error, KeyError):
        raise BadInput("damaged zip", where) from None


def _check_directory(data: bytes, name: str) -> None:
    """Bound the list of members before the library builds it (an object a member)."""
    end = data.rfind(b"PK\x05\x06", max(0, len(data) - 65_557))
    if end < 0 or end + 22 > len(data):
        raise BadInput("damaged zip (cut off)", name)
    count, size = struct.unpack_from("<HI", data, end + 10)
    if data[max(0, end - 20) : end].startswith(b"PK\x06\x07") or count == 0xFFFF or size > _DIRECTORY_BYTES:
        raise BadInput(f"too many files in a zip, at most {MEMBERS} are read", name)


def _check_name(member: zipfile.ZipInfo, name: str) -> None:
    path = member.filename
    if not path:
        raise BadInput("damaged zip (a member without a name)", name)
    parts = PurePosixPath(path.replace("\\", "/"))
    tricky = parts.is_absolute() or ".." in parts.parts or re.match(r"[A-Za-z]:", path) or not path.isprintable()
    if tricky or stat.S_ISLNK(member.external_attr >> 16):
        raise BadInput("a member that points outside the zip", f"{name}/{path!a}")


# --- text --------------------------------------------------------------------------------------------------------


def _decoded(data: bytes, encoding: str) -> tuple[str | None, str]:
    note = "" if encoding.startswith("utf-8") else f"read as {encoding.upper()}, not UTF-8"
    try:
        return data.decode(encoding).lstrip("\ufeff"), note
    except UnicodeDecodeError:
        text = data.decode(encoding, errors="replace").lstrip("\ufeff")
        return (text, f"not clean {encoding.removesuffix('-sig').upper()}") if text.count("\ufffd") < 20 else (None, "")


def _wide(data: bytes) -> str:
    """UTF-16 without a mark: text of the west has a NUL in every other byte."""
    head = data[:4096]
    if len(head) < 8:
        return ""
    even, odd = head[::2].count(0) * 2 / len(head), head[1::2].count(0) * 2 / len(head)
    if even < 0.02 and odd > 0.8:
        return "utf-16-le"
    return "utf-16-be" if odd < 0.02 and even > 0.8 else ""


def _binary(data: bytes) -> bool:
    head = data[: 64 * 1024]
    if 0 in data[:MB]:
        return True
    return len(head) - len(head.translate(None, _CONTROL)) > len(head) // 100
