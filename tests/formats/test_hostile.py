"""Anything whatever through the one door: a reading or a fault in one line, never anything else.

The short runs are in every run; the minute of fuzzing in the long ones.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import time
import zipfile
from io import BytesIO
from pathlib import Path

import invented_catalogue as invented
import pytest
from invented_armies import DIALECTS, army
from test_datacards import eleventh, faction
from test_wahapedia import write as write_export

from battlewright.errors import BadInput
from battlewright.formats import Reading
from battlewright.formats.detect import read
from battlewright.formats.source import MB

PAGE = """Emberborn – Ash Wardens
RANGED WEAPONS | RANGE | A | BS | S | AP | D | |
| Cinder gun heavy | |||||||
| Cinder gun heavy | 24" | 1 | 3+ | 4 | 0 | 1 | |
MELEE WEAPONS | RANGE | A | WS | S | AP | D | |
| Hatchet | Melee | 3 | 3+ | 4 | 0 | 1 | |
WARGEAR OPTIONS
- 1 Ash Warden's cinder gun can be replaced with 1 hatchet.
ABILITIES
CORE: Scouts 6"
Banked Coals: Add 1 to the Hit roll.
UNIT COMPOSITION
- 1 Sergeant
- 4-9 Ash Wardens
| YOUR 1ST TO 2ND UNITS COST | |
| 5 models | 90 |
KEYWORDS: Infantry; Battleline
FACTION KEYWORDS:
Emberborn
STRATAGEMS
FLARE
1CP
Pyre Host – Battle Tactic
"""


def packed(name: str, data: bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return out.getvalue()


def samples() -> dict[str, bytes]:
    """An invented file in every format: file name -> bytes."""
    tree = invented.catalogue("11e")
    found = {
        "catalogue.json": json.dumps(tree).encode(),
        "catalogue.cat": invented.xml(tree).encode(),
        "catalogue.json.gz": gzip.compress(json.dumps(tree).encode(), 1),
        "catalogue.catz": packed("catalogue.cat", invented.xml(tree).encode()),
        "system.gst": invented.xml(invented.game_system("10e")).encode(),
        "cards.json": json.dumps(faction()).encode(),
        "cards11.json": json.dumps(eleventh()).encode(),
        "page.txt": PAGE.encode(),
    }
    for place, dialect in enumerate(DIALECTS):
        found[f"roster{place}.txt"] = dialect.printer(army(place, attached=dialect.attached)).encode()
    return found


def try_to_read(path: Path) -> Reading | None:
    """A reading, or None with every fault a line."""
    try:
        return read(path)
    except BadInput as error:
        faults = error.faults
    assert faults
    for fault in faults:
        assert fault.what.strip()
        assert "\n" not in str(fault)
        assert len(str(fault)) < 1000
    return None


@pytest.mark.parametrize("name", samples())
def test_every_sample_reads_as_it_is(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(samples()[name])
    assert try_to_read(tmp_path / name) is not None or name == "system.gst"


@pytest.mark.parametrize("name", samples())
def test_every_sample_cut_at_any_tenth(name: str, tmp_path: Path) -> None:
    data = samples()[name]
    for tenth in range(10):
        (tmp_path / name).write_bytes(data[: len(data) * tenth // 10])
        try_to_read(tmp_path / name)


@pytest.mark.parametrize("name", ["catalogue.json", "catalogue.cat", "cards.json", "page.txt"])
@pytest.mark.parametrize("ending", [".ros", ".csv", ".zip", ".png", ""])
def test_a_wrong_ending_does_not_matter(name: str, ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"file{ending}"
    file.write_bytes(samples()[name])
    assert read(file).datasheets


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1252"])
def test_another_encoding_does_not_matter(encoding: str, tmp_path: Path) -> None:
    for name in ("catalogue.json", "catalogue.cat", "cards.json", "page.txt"):
        (tmp_path / name).write_bytes(samples()[name].decode().encode(encoding, errors="replace"))
        assert read(tmp_path / name).datasheets
        (tmp_path / name).unlink()


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("junk.bin", os.urandom(100_000), "not a datasheet page, catalogue or roster"),
        ("deep.json", b'{"catalogue":' * 100_000, "nested too deep"),
        ("deep.json", b'{"datasheets": "rangedWeapons"' + b"[" * 200_000, "not clean JSON"),
        ("deep.cat", b"<catalogue>" + b"<a>" * 5000, "nested more than 200 deep"),
        ("cycle.cat", b"", "an empty file"),
        ("billion.ros", b'<!DOCTYPE r [<!ENTITY a "aaaa">]><roster>&a;</roster>', "DTD or entities"),
        ("text.txt", b"nothing of any use\n" * 50, "not a datasheet page, catalogue or roster"),
        ("null.json", b"null", "not a datasheet page, catalogue or roster"),
    ],
)
def test_hostile_files_through_the_door(name: str, data: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadInput, match=words) as caught:
        read(tmp_path / name)
    assert len(caught.value.faults) == 1


def test_sizes_through_the_door(tmp_path: Path) -> None:
    for name in ("junk", "big.json"):
        with (tmp_path / name).open("wb") as file:
            file.truncate((50 if name == "junk" else 100) * MB)
        with pytest.raises(BadInput, match="too large"):
            read(tmp_path / name)


def test_a_wide_tree_of_links_is_bounded(tmp_path: Path) -> None:
    """Each of 30 entries links twice to the next: two to the thirtieth parts, cut and told."""
    tree = invented.catalogue("11e")
    steps = [
        invented.entry(
            f"step {n}",
            "upgrade",
            id=f"s{n}",
            entryLinks=[{**invented.link(f"s{n + 1}", f"step {n + 1}"), "id": f"l{n}-{twice}"} for twice in (0, 1)],
        )
        for n in range(30)
    ]
    unit = invented.entry(
        "Wide", "model", id="wide", entryLinks=[invented.link("s0", "step 0")], profiles=[invented.stats("Wide")]
    )
    tree["catalogue"]["sharedSelectionEntries"] += [*steps, unit]
    tree["catalogue"]["entryLinks"].append(invented.link("wide", "Wide"))
    (tmp_path / "wide.json").write_text(json.dumps(tree), encoding="utf-8")
    reading = read(tmp_path / "wide.json")
    assert any("a unit of more than" in fault.what for fault in reading.faults)


def mutated(data: bytes, dice: random.Random) -> bytes:
    """Bytes changed, cut, doubled, swapped, replaced by what readers trip over."""
    out = bytearray(data)
    for _ in range(dice.choice([1, 1, 2, 5, 20])):
        if not out:
            break
        at = dice.randrange(len(out))
        match dice.randrange(7):
            case 0:
                out[at] = dice.randrange(256)
            case 1:
                del out[at : at + dice.randrange(1, 200)]
            case 2:
                out[at:at] = out[at : at + dice.randrange(1, 200)]
            case 3:
                out[at:at] = dice.choice(WORDS)
            case 4:
                del out[at:]
            case 5:
                end = min(len(out), at + dice.randrange(1, 40))
                out[at:end] = bytes(reversed(out[at:end]))
            case _:
                words = dice.choice(SWAPS)
                out = bytearray(bytes(out).replace(words[0], words[1], dice.choice([1, -1])))
    return bytes(out)


WORDS = [
    b"null", b"[]", b"{}", b'"', b"0", b"-1", b"1e400", b"NaN", b"\x00", b"\xff\xfe", b"|", b"&amp;", b"]]>", b"<a>",
    b"\n\n", b"\xe2\x80\x93", b"99999999999999999999", b"true", b"D6", b"<![CDATA[", b"\\ud800", b"(2000 Points)",
]  # fmt: skip
SWAPS = [
    (b'"', b"'"), (b"[", b"{"), (b":", b","), (b"1", b"999999"), (b'"name"', b'"id"'), (b'"id"', b'"targetId"'),
    (b"min", b"max"), (b"unit", b"model"), (b"selections", b"forces"), (b"\n", b" "), (b"<", b"&lt;"), (b"set", b"divide"),
    (b'": "', b'": ["'), (b"e-", b"s-"), (b"points", b"pts"), (b"|", b"||"), (b"+", b""), (b"\xe2", b"\xc3"),
]  # fmt: skip


def fuzz(folder: Path, seconds: float, seed: int, rounds: int | None = None) -> int:
    """Read changed samples until time is up; the number read. Any exception but BadInput goes through."""
    dice, count, end = random.Random(seed), 0, time.monotonic() + seconds
    base = list(samples().items())
    export = folder / "export"
    export.mkdir()
    write_export(export)
    tables = {file.name: file.read_bytes() for file in export.iterdir()}
    while time.monotonic() < end and (rounds is None or count < rounds):
        count += 1
        if dice.random() < 0.15:
            table = dice.choice(sorted(tables))
            (export / table).write_bytes(mutated(tables[table], dice))
            try_to_read(export)
            (export / table).write_bytes(tables[table])
            continue
        name, data = dice.choice(base)
        changed = mutated(data, dice)
        file = folder / f"{seed}-{count}-{name}"
        file.write_bytes(changed)
        try:
            try_to_read(file)
        except Exception as error:
            raise AssertionError(f"seed {seed}, round {count}, {name}: {error!r}") from error
        file.unlink()
    return count


def test_a_hundred_and_fifty_changed_files(tmp_path: Path) -> None:
    assert fuzz(tmp_path, 120, 11, rounds=150) == 150


@pytest.mark.long
def test_a_minute_of_changed_files(tmp_path: Path) -> None:
    """A new seed each time at home, so that new files are met; the same one where a change is judged."""
    new = random.SystemRandom().randrange(1 << 30)
    seed = int(os.environ.get("FUZZ_SEED", 20 if os.environ.get("CI") else new))
    assert fuzz(tmp_path, 60, seed) > 0
