"""Broken rosters: cut, twisted, doubled, nested, full of noise. Each is read or refused in one clear line; none crashes."""

from __future__ import annotations

import base64
import gzip
import io
import json
import random
import time
import zipfile
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from invented_armies import DIALECTS, army

from battlewright.codec import to_json
from battlewright.errors import BadInput
from battlewright.formats import Reading, Source
from battlewright.formats.detect import read
from battlewright.formats.export import EXPORTS
from battlewright.formats.source import open_bytes
from battlewright.roster import muster, published
from battlewright.rulestext.rosters import prepared

KEYS = [
    "roster", "forces", "selections", "name", "number", "type", "costs", "value", "categories", "primary", "profiles",
    "characteristics", "$text", "typeName", "rules", "description", "group", "gameSystemId", "costLimits", "units",
    "models", "weapons", "count", "associations", "to", "id", "points",
]  # fmt: skip
WORDS = ["unit", "model", "upgrade", "pts", "Unit", "Ranged Weapons", "Abilities", "Warlord", "Detachment", "Battle Size",
         "Faction: Emberborn", "Configuration", "Enhancements", "3+", "D6", '24"', "", "\ud7ff", "x" * 300]  # fmt: skip


NOISE = [b"(", b")", b"[", b":", b"x ", b"\n", b"99999999", b"-", b"\xe2\x80\xa2 "]


def samples() -> list[bytes]:
    """Lists of every kind, invented: texts, trees, our own form, packed ones, a share link."""
    texts = [dialect.printer(army(seed)).encode() for seed, dialect in enumerate(DIALECTS)]
    roster = read(Source("list.txt", texts[1], texts[1].decode())).roster
    assert roster is not None
    trees = [EXPORTS[form](roster).encode() for form in ("own", "newrecruit")]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("list.ros", xml_of(json.loads(trees[1])["roster"]))
    link = b"https://x.test/#/listforge/" + base64.urlsafe_b64encode(gzip.compress(trees[1]))
    return [*texts, *trees, xml_of(json.loads(trees[1])["roster"]).encode(), packed.getvalue(), link]


def xml_of(roster: dict[str, Any]) -> str:
    """The tree as BattleScribe writes it."""
    from xml.sax.saxutils import escape, quoteattr

    def element(tag: str, node: dict[str, Any]) -> str:
        own = "".join(f" {key}={quoteattr(said(value))}" for key, value in node.items() if plain(key, value))
        inside = "".join(
            f"<{key}>" + "".join(element(singular(key), kid) for kid in value) + f"</{key}>"
            for key, value in node.items()
            if isinstance(value, list)
        )
        inside += f"<description>{escape(node['description'])}</description>" if "description" in node else ""
        return f"<{tag}{own}>{inside}{escape(node.get('$text', ''))}</{tag}>"

    def said(value: object) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    def plain(key: str, value: object) -> bool:
        return not isinstance(value, list) and key not in ("$text", "description", "xmlns")

    def singular(key: str) -> str:
        return key[:-3] + "y" if key.endswith("ies") else key[:-1]

    return '<?xml version="1.0"?>' + element("roster", roster)


SAMPLES = samples()


def try_to_read(data: bytes, name: str = "list.txt") -> Reading | BadInput:
    """What a person gets: a reading, or the one line."""
    try:
        found: Reading | BadInput = read(open_bytes(data, name))
    except BadInput as error:
        found = error
    if isinstance(found, BadInput):
        assert all(fault.what and "\n" not in str(fault) and len(str(fault)) < 600 for fault in found.faults)
    else:
        to_json(found)
    return found


def broken(data: bytes, seed: int) -> bytes:
    """One to four wounds: cut, drop, double, noise, other letters, a piece of another list, reversed."""
    dice = random.Random(seed)
    for _ in range(dice.randint(1, 4)):
        at, end = sorted(dice.randrange(len(data) + 1) for _ in range(2))
        data = wounded(data, at, min(end, at + dice.choice([1, 4, 40, 4000])), dice) or b"x"
    return data


def wounded(data: bytes, at: int, end: int, dice: random.Random) -> bytes:
    before, inside, after = data[:at], data[at:end], data[end:]
    noise = bytes(dice.randrange(256) for _ in range(dice.randint(1, 8)))
    return dice.choice(
        [
            before,
            before + after,
            before + inside + inside + after,
            before + noise + inside + after,
            before + dice.choice(NOISE) + inside + after,
            before + dice.choice(SAMPLES)[:200] + inside + after,
            before + inside[::-1] + after,
        ]
    )


def test_the_samples_are_read_unbroken() -> None:
    for data in SAMPLES:
        found = try_to_read(data)
        assert isinstance(found, Reading), found
        assert found.roster is not None


def test_xml_and_json_are_one_tree() -> None:
    tree, xml, packed, link = SAMPLES[-4], SAMPLES[-3], SAMPLES[-2], SAMPLES[-1]
    found = [try_to_read(data) for data in (tree, xml, packed, link)]
    rosters = [reading.roster for reading in found if isinstance(reading, Reading)]
    assert len(rosters) == 4
    assert rosters[0] == rosters[1] == rosters[2] == rosters[3]


def test_a_share_link_instead_of_a_file() -> None:
    assert read(SAMPLES[-1].decode()).format == "listforge-link"
    with pytest.raises(BadInput, match="share link"):
        read("https://x.test/#/listforge/AAAA" + "B" * 40)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(SAMPLES) - 1), st.integers(0, 10**9))
def test_broken_bytes(place: int, seed: int) -> None:
    try_to_read(broken(SAMPLES[place], seed))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.floats(allow_nan=False) | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=40,
)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, len(SAMPLES) - 1), st.integers(0, 10**9))
def test_what_is_read_of_broken_lists_can_be_filled_and_checked(place: int, seed: int) -> None:
    found = try_to_read(broken(SAMPLES[place], seed))
    if isinstance(found, Reading) and found.roster is not None:
        ready = prepared(found.roster).roster
        if ready.edition is not None:
            muster(ready)
        to_json(published(ready))


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(json_values, json_values)
def test_wrong_trees(force: Any, unit: Any) -> None:
    """Right keys with wrong values, at every level of a tree and of our own form."""
    good = {"name": "Ash Seer", "type": "model", "number": 1, "selections": [unit] if isinstance(unit, dict) else unit}
    for value in (
        {"roster": {"forces": force, "selections": []}},
        {"roster": {"forces": [{"selections": [good, unit]}]}},
        {"roster": {"forces": [{"selections": [{**good, **unit}]}]}} if isinstance(unit, dict) else {"roster": unit},
        {"units": force},
        {"name": unit, "units": [{"name": "Ash Seer", "models": force}]},
    ):
        try_to_read(json.dumps(value).encode(), "list.json")


LINES = """
Slow burn (2000 points)
CHARACTERS
Attached Unit 1
• Attached as: Leader (Character)
  • Warlord
Ash Seer (95 points)
10x Wardens (180 pts)
• 9x Warden
    5 with Coal rod, 2x Hook
& Crown (on Char1: X)
+ FACTION KEYWORD: Cinders - Emberborn
+ ENHANCEMENT: Crown (on Char1: Ash Seer)
+++++++
# ++ Army Roster ++ [5 pts]
## Character [95 pts]
Wardens [80 pts]:
\t• 9 Warden with a, b and c
Enhancement: Crown (+15 pts)
Infantry:
Created with WarOrgan (https://warorgan.com)
Exported with App Version: v1.2
(((
5 with
999x Warden
•\x20
Attached to Wardens
Detachments: A, B
Leader: Nobody
• 1x
0x Nothing (5 pts)
Battle Size: X
"""
lines = st.lists(st.sampled_from(LINES.strip().split("\n")), max_size=25)


@settings(max_examples=150, deadline=None)
@given(lines)
def test_shuffled_lines(chosen: list[str]) -> None:
    found = try_to_read("\n".join(chosen).encode() or b"x")
    if isinstance(found, Reading) and found.roster is not None:
        ids = {unit.id for unit in found.roster.units}
        assert all(unit.attached_to is None or unit.attached_to in ids for unit in found.roster.units)
        assert all(unit.name for unit in found.roster.units)


NESTED = b'{"name":"a","type":"unit","selections":['


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b'{"roster": {"forces": [{"selections": [' * 300, "deep.json"),
        (b'{"selections": [' * 5000 + b"]}" * 5000, "deep.json"),
        (b'{"roster":{"forces":[{"selections":[' + NESTED * 400 + b"]}" * 400 + b"]}]}}", "nested.json"),
        (b"<roster>" + b"<forces>" * 5000, "deep.ros"),
        (b'{"roster":{"forces":[{"selections":[{"type":"model","name":"a","number":1e300}]}]}}', "huge.json"),
        (b"10x Wardens (180 pts)\n" * 30_000, "long.txt"),
        (b"(" * 100_000, "brackets.txt"),
        (b"Ash Seer (95 points)" + b" (95 points)" * 20_000, "points.txt"),
        (b"1x " * 50_000 + b"Warden (5 pts)", "counts.txt"),
        (b"https://x.test/#/listforge/" + base64.urlsafe_b64encode(gzip.compress(b" " * 40_000_000)), "bomb.txt"),
        (b"Wardens (5 pts): " + b"(a, " * 20_000, "open.txt"),
        (b"Slow - " * 20_000 + b"x (5 points)\nInfantry:\nA (5 pts)", "dashes.txt"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_nasty_files_end_soon(data: bytes, name: str) -> None:
    """Bounded work: a generous minute says "not exponential", not how fast."""
    started = time.monotonic()
    try_to_read(data, name)
    assert time.monotonic() - started < 60


@pytest.mark.long
def test_a_minute_of_broken_bytes() -> None:
    started, seed = time.monotonic(), 0
    while time.monotonic() - started < 60:
        seed += 1
        try_to_read(
            broken(SAMPLES[seed % len(SAMPLES)], seed),
            random.Random(seed).choice(["a.txt", "a.ros", "a.rosz", "a.json"]),
        )
