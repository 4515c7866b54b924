"""Opening files: what is refused, in which words, and what is read all the same."""

from __future__ import annotations

import gzip
import io
import os
import resource
import threading
import zipfile
from pathlib import Path

import pytest

from battlewright.errors import BadInput
from battlewright.formats import Source
from battlewright.formats.detect import read
from battlewright.formats.source import MB, decode, open_bytes, open_source, open_sources
from battlewright.formats.tree import number, parse_json, parse_xml, truth


def zipped(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def locked() -> bytes:
    data = bytearray(zipped({"a.ros": b"<roster/>"}))
    data[6] |= 1
    data[data.rfind(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def link() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        member = zipfile.ZipInfo("list.ros")
        member.external_attr = 0o120777 << 16
        archive.writestr(member, "/etc/passwd")
    return out.getvalue()


def nameless() -> bytes:
    data = bytearray(zipped({"a": b"<roster/>", "b.ros": b"<roster/>"}))
    directory = data.find(b"PK\x01\x02")
    data[directory + 28 : directory + 30] = b"\0\0"
    data[directory + 30 : directory + 32] = b"\x01\0"
    return bytes(data)


ROS = b'<?xml version="1.0"?><roster name="A"/>'
#: what is wrong -> (the bytes, the words that must come)
HOSTILE: dict[str, tuple[bytes, str]] = {
    "empty": (b" \n", "an empty file"),
    "zip bomb": (zipped({"a.ros": bytes(20 * MB)}), "to 1, which no list or catalogue is"),
    "large zip bomb": (zipped({"a.ros": bytes(40 * MB)}), "too large: more, at most 32 MB are read, unpacked"),
    "gzip bomb": (gzip.compress(bytes(20 * MB)), "to 1, which no list or catalogue is"),
    "gzip in gzip in gzip": (gzip.compress(gzip.compress(gzip.compress(ROS))), "packed more than twice"),
    "zip in zip in zip": (zipped({"a.zip": zipped({"b.zip": zipped({"c.ros": ROS})})}), "a zip in a zip in a zip"),
    "many members": (zipped({f"{n}.ros": ROS for n in range(2001)}), "2001 files in a zip, at most 2000 are read"),
    "a crowd of members": (zipped({f"{n:09}": b"" for n in range(25_000)}), "too many files in a zip"),
    "two lists": (zipped({"a.ros": ROS, "b.ros": ROS}), "holds 2 files, expected one"),
    "path up": (zipped({"../a.ros": ROS}), "a member that points outside the zip"),
    "path up in Windows": (zipped({"x\\..\\..\\a.ros": ROS}), "a member that points outside the zip"),
    "path from the root": (zipped({"/etc/a.ros": ROS}), "a member that points outside the zip"),
    "drive": (zipped({"C:a.ros": ROS}), "a member that points outside the zip"),
    "link": (link(), "a member that points outside the zip"),
    "no name": (nameless(), "damaged zip"),
    "password": (locked(), "locked with a password"),
    "cut off zip": (zipped({"a.ros": ROS})[:-30], "damaged zip (cut off)"),
    "cut off gzip": (gzip.compress(ROS * 9)[:-12], "damaged gzip (cut off)"),
    "damaged gzip": (gzip.compress(ROS)[:12] + b"\xff" * 9, "damaged gzip"),
    "document": (zipped({"[Content_Types].xml": b"<x/>", "a.xml": b"<x/>"}), "an Office document"),
    "image": (b"\x89PNG\r\n\x1a\n" + bytes(99), "a PNG image, not something we read"),
    "pdf": (b"%PDF-1.7\n", "a PDF document"),
    "empty zip": (zipped({}), "an empty zip"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_file_gets_one_clear_line(name: str, tmp_path: Path) -> None:
    data, words = HOSTILE[name]
    file = tmp_path / "list.ros"
    file.write_bytes(data)
    with pytest.raises(BadInput) as caught:
        open_source(file)
    assert len(caught.value.faults) == 1
    assert words in str(caught.value)
    assert str(file) in str(caught.value)


def test_damaged_member_names_the_member() -> None:
    data = bytearray(zipped({"a.ros": ROS * 9}))
    data[40] ^= 0xFF
    with pytest.raises(BadInput, match=r"damaged zip @ x\.rosz/a\.ros"):
        open_bytes(bytes(data), "x.rosz")


def test_a_hundred_megabytes_are_refused_without_reading(tmp_path: Path) -> None:
    file = tmp_path / "big.json"
    with file.open("wb") as out:
        out.truncate(100 * MB)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(BadInput, match="too large: 100 MB, at most 32 MB are read @ "):
        open_source(file)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000


def test_no_file_folder_device_and_odd_names(tmp_path: Path) -> None:
    for path, words in (
        (tmp_path / "none", "no such file"),
        (tmp_path, "a folder, expected one file"),
        (Path("/dev/null"), "not a plain file"),
        ("a\0b", "not a file name"),
    ):
        with pytest.raises(BadInput, match=words):
            open_source(path)
    with pytest.raises(BadInput, match="an empty folder"):
        list(open_sources(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_read_and_one_without_a_writer_is_no_endless_wait(tmp_path: Path) -> None:
    pipe = tmp_path / "list.txt"
    os.mkfifo(pipe)
    with pytest.raises(BadInput, match="a pipe into which nothing is written"):
        read(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("Seer (65 pts)\nWardens (80 pts)\n"))
    writer.start()
    roster = read(pipe).roster
    writer.join()
    assert roster is not None
    assert [unit.name for unit in roster.units] == ["Seer", "Wardens"]


def test_folder_leaves_links_and_hidden_files_out(tmp_path: Path) -> None:
    (tmp_path / "b.ros").write_bytes(ROS)
    (tmp_path / "a.rosz").write_bytes(zipped({"a.ros": ROS, "__MACOSX/a.ros": ROS}))
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "c.ros").write_bytes(ROS)
    (tmp_path / "out").symlink_to("/etc/passwd")
    names = [Path(source.name).relative_to(tmp_path).as_posix() for source in open_sources(tmp_path)]
    assert names == ["a.rosz/a.ros", "b.ros"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_every_encoding_gives_the_text(encoding: str) -> None:
    text = "Épée Wardens – 2x Lance, and then some more of them\n"
    found, note = decode(text.encode(encoding))
    assert found == text
    assert bool(note) == (encoding not in ("utf-8", "utf-8-sig"))


def test_text_cut_within_a_letter() -> None:
    assert decode("Épé".encode()[:-1]) == ("Ép", "the last letter is cut off")


def xml(text: str) -> object:
    return parse_xml(Source("a.ros", text.encode(), text))


def test_xml_becomes_the_json_shape() -> None:
    text = """<roster xmlns="http://example.org/x" name="A &amp; B" hidden="true"><forces><force name="F" number="2">
    <profiles><profile name="P"><characteristics><characteristic name="M">6"</characteristic>
    <characteristic name="SV"/></characteristics></profile></profiles><rules/>
    <rules><rule name="R"><description>words</description></rule></rules></force></forces></roster>"""
    profile = {"name": "P", "characteristics": [{"name": "M", "$text": '6"'}, {"name": "SV", "$text": ""}]}
    rule = {"name": "R", "description": "words"}
    force = {"name": "F", "number": 2, "profiles": [profile], "rules": [rule]}
    assert xml(text) == {"roster": {"name": "A & B", "hidden": True, "forces": [force]}}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('<!DOCTYPE r [<!ENTITY a "b">]><r>&a;</r>', "XML with a DTD or entities is not read"),
        ('<!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>', "XML with a DTD or entities is not read"),
        ("<r>&a;</r>", "not clean XML: undefined entity"),
        ("<r>" * 300, "elements nested more than 200 deep"),
        ("<r><a></r>", "not clean XML: mismatched tag"),
        ("<r>", "not clean XML: no element found"),
        ("Ash Wardens", "not clean XML: syntax error"),
        ("<r>\ud800</r>", "not clean XML"),
    ],
)
def test_hostile_xml(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        parse_xml(Source("a.ros", b"", text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 100_000, "brackets nested too deep"),
        ("[" + "[]," * 600_000, "more than 600,000 brackets"),
        ('{"a":\n 1', "not clean JSON"),
        ('{"a":\n x}', "not clean JSON: .* @ a.json line 2"),
    ],
)
def test_hostile_json(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        parse_json(Source("a.json", b"", text))


def test_numbers_and_truths_of_both_forms() -> None:
    assert [number(v) for v in ("1.5", 2, "x", None, True, "nan", "1e99")] == [1.5, 2, 0, 0, 0, 0, 0]
    assert [truth(v) for v in ("true", True, "false", None, 1)] == [True, True, False, False, False]
