"""The real sample catalogues: counts of every kind, the words of the raw files, and a second source.

The numbers are facts about the samples; a smaller one is a silent loss.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from battlewright.catalogue.store import counts
from battlewright.datasheet import Datasheet
from battlewright.formats import Reading, battlescribe
from battlewright.formats.markup import plain
from battlewright.formats.source import open_sources
from battlewright.formats.weapon_line import split_profile
from battlewright.names import fold

COUNTS = {
    "10e": {
        "datasheets": 630,
        "legends": 207,
        "models": 814,
        "stat lines": 813,
        "invulnerable saves": 264,
        "weapons": 4055,
        "abilities": 2813,
        "wargear options": 1281,
        "with points": 624,
        "with keywords": 629,
        "with a leader list": 159,
        "with a transport capacity": 70,
        "with a damaged bracket": 171,
        "base sizes": 0,
        "detachments": 99,
        "enhancements": 394,
        "army rules": 13,
        "stratagems": 0,
    },
    "11e": {
        "datasheets": 285,
        "legends": 76,
        "models": 364,
        "stat lines": 363,
        "invulnerable saves": 187,
        "weapons": 1637,
        "abilities": 1376,
        "wargear options": 440,
        "with points": 279,
        "with keywords": 284,
        "with a leader list": 72,
        "with a transport capacity": 34,
        "with a damaged bracket": 77,
        "base sizes": 0,
        "detachments": 43,
        "enhancements": 145,
        "army rules": 9,
        "stratagems": 0,
    },
}


@pytest.fixture(scope="module", params=["10e", "11e"])
def edition(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def reading(edition: str, shared: Path) -> Reading:
    return battlescribe.read_folder(shared / "catalogues" / edition)


def test_counts_by_kind(edition: str, reading: Reading) -> None:
    assert counts(reading.datasheets, reading.extras) == COUNTS[edition]


def test_changes_by_wargear(edition: str, reading: Reading) -> None:
    """Stat lines, weapons and abilities that an item changes: all are kept, but what other units of the army choose."""
    found = [change for one in reading.datasheets for change in one.changes]
    kinds = [sum(getattr(change, kind) is not None for change in found) for kind in ("profile", "weapon", "ability")]
    assert (sum(bool(one.changes) for one in reading.datasheets), *kinds) == {
        "10e": (26, 14, 17, 47),
        "11e": (10, 1, 4, 18),
    }[edition]
    assert sum(kinds) == len(found)
    assert all(change.least > 0 for change in found)
    lost = [fault for fault in reading.faults if fault.what.startswith("a change of")]
    assert [fault.what for fault in lost] == {
        "10e": [],
        "11e": ["a change of a line by what others of the army choose (2 times)"],
    }[edition]
    for one in reading.datasheets:
        titles = {weapon.title for weapon in one.weapons} | {model.name for model in one.models}
        titles |= {ability.name for ability in one.abilities}
        assert {change.of for change in one.changes} <= titles, one.name


def test_every_unit_is_whole(reading: Reading) -> None:
    """Stats, keywords, composition for every unit; weapons and points for all but buildings and reference cards."""
    lacking = {
        "stat line": [one.name for one in reading.datasheets if any(model.profile.missing for model in one.models)],
        "models": [one.name for one in reading.datasheets if not one.models],
        "numbers": [one.name for one in reading.datasheets for m in one.models if m.high is None or m.high < m.low],
        "keywords": [one.name for one in reading.datasheets if not one.keywords],
    }
    assert {name: len(found) for name, found in lacking.items()} == {
        "stat line": 1,
        "models": 0,
        "numbers": 0,
        "keywords": 1,
    }
    assert lacking["stat line"] == lacking["keywords"], "one piece of terrain in both editions has neither"
    for one in reading.datasheets:
        if not one.points:
            assert one.role in ("Fortification", "Reference"), one.name
        if not one.weapons:
            assert one.role in (
                "Fortification",
                "Vehicle",
                "Dedicated Transport",
                "Allied Units",
                "Allies: Unaligned Forces",
            ), one.name


def test_wargear_and_options_name_things_that_are_there(reading: Reading) -> None:
    """Everything carried or replaced is a weapon or an ability of its datasheet, and every weapon can be had."""
    strange, unreachable, bare = [], [], []
    for sheet in reading.datasheets:
        known = {fold(one.name) for one in (*sheet.weapons, *sheet.abilities)}
        carried = {fold(item) for model in sheet.models for item in model.wargear}
        offered = {fold(item) for one in sheet.options for choice in one.choices for item, _ in choice.items}
        strange += [(sheet.name, item) for item in carried - known]
        strange += [(sheet.name, item) for one in sheet.options for item in one.replaces if fold(item) not in known]
        unreachable += [sheet.name for weapon in sheet.weapons if fold(weapon.name) not in carried | offered]
        bare += [model.name for model in sheet.models if sheet.weapons and not model.wargear]
    assert strange == []
    assert len(unreachable) <= 1
    assert len(bare) == 3, "buildings with optional weapons"


def raw_profiles(folder: Path, kinds: tuple[str, ...]) -> set[str]:
    """The names of the profiles of these types by a plain search in the files, without any of the reader."""
    found: set[str] = set()
    for source in open_sources(folder):
        text = source.text or ""
        if text.lstrip().startswith("<"):
            pairs = re.findall(r'<profile name="([^"]*)"[^>]*? typeName="([^"]*)"', text)
        else:
            pairs = [
                (one["name"], one["typeName"])
                for one in every_dict(json.loads(text))
                if "typeName" in one and "characteristics" in one
            ]
        found |= {html.unescape(name) for name, kind in pairs if kind in kinds}
    return found


def every_dict(value: object) -> list[dict[str, str]]:
    stack, found = [value], []
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            found.append(one)
            stack.extend(one.values())
        elif isinstance(one, list):
            stack.extend(one)
    return found


def test_every_weapon_of_the_raw_files_is_in_a_datasheet(edition: str, reading: Reading, shared: Path) -> None:
    """But those of campaign content, of units in files that are not here, and one without a range."""
    raw = raw_profiles(shared / "catalogues" / edition, ("Ranged Weapons", "Melee Weapons"))
    wanted = {fold(" ".join(split_profile(plain(name)))) for name in raw}
    have = {fold(f"{weapon.name} {weapon.profile}") for sheet in reading.datasheets for weapon in sheet.weapons}
    assert len(wanted - have) == {"10e": 19, "11e": 14}[edition], sorted(wanted - have)
    assert len(wanted & have) == {"10e": 1034, "11e": 642}[edition]


def test_every_transport_of_the_raw_files_has_its_capacity(edition: str, reading: Reading, shared: Path) -> None:
    raw = raw_profiles(shared / "catalogues" / edition, ("Transport",))
    texts = [sheet for sheet in reading.datasheets if sheet.transport_text]
    assert len(texts) >= len(raw) - 3 > 25
    assert all(re.search(r"\d", sheet.transport_text) for sheet in texts)


def test_every_invulnerable_save_of_the_raw_files(edition: str, reading: Reading, shared: Path) -> None:
    """Every unit whose own abilities are called so has it in a stat line."""
    bare = [
        sheet.name
        for sheet in reading.datasheets
        if any(fold(one.name).startswith("invulnerable save") and one.kind != "wargear" for one in sheet.abilities)
        and not any(model.profile.InSv for model in sheet.models)
    ]
    assert bare == []


def test_four_enhancements_a_detachment(edition: str, reading: Reading) -> None:
    """10e: every detachment with enhancements has four (one has six in the files): a lost one would show."""
    extras = reading.extras
    assert extras is not None
    numbers: dict[str, int] = {}
    for one in extras.enhancements:
        for name in one.detachments:
            numbers[name] = numbers.get(name, 0) + 1
        assert one.text
    assert sum(one.points is None for one in extras.enhancements) == {"10e": 0, "11e": 2}[edition]
    if edition == "10e":
        assert sorted(number for number in numbers.values() if number != 4) == [6]
        assert {one.name for one in extras.detachments} >= set(numbers)
    assert all(one.abilities for one in extras.detachments)
    assert all(bool(one.dispositions) == (one.points is not None) == (edition == "11e") for one in extras.detachments)


@pytest.fixture(scope="module")
def pairs(shared: Path) -> list[tuple[Datasheet, Datasheet]]:
    """Datasheets of the 11e samples beside those of the community dataset."""
    pytest.importorskip("wh40kdc", reason="the extra [data] is not installed")
    from battlewright.formats.fortykdc import read_installed

    others: dict[str, list[Datasheet]] = {}
    for sheet in read_installed().datasheets:
        others.setdefault(fold(sheet.name), []).append(sheet)
    found = []
    for sheet in battlescribe.read_folder(shared / "catalogues" / "11e").datasheets:
        twins = others.get(fold(sheet.name), [])
        same = [one for one in twins if set(one.faction_keywords) & set(sheet.faction_keywords)] or twins
        if same and not sheet.legends:
            found.append((sheet, same[0]))
    return found


def stat_lines(sheet: Datasheet) -> set[tuple[int | None, ...]]:
    lines = [model.profile for model in sheet.models if not model.profile.missing]
    return {(one.T, one.Sv, one.W, one.Ld, one.OC) for one in lines}


def test_a_second_source_agrees(pairs: list[tuple[Datasheet, Datasheet]]) -> None:
    """The two sources are of different dates: most must agree, and what one has the other must have."""
    assert len(pairs) >= 170
    share = len(pairs)
    assert sum(bool(stat_lines(one) & stat_lines(other)) for one, other in pairs) >= 0.93 * share
    assert sum(bool(one.transport_text) == bool(other.transport_text) for one, other in pairs) == share
    assert sum(bool(one.leads) == bool(other.leads) for one, other in pairs) >= 0.99 * share
    saves = [
        {model.profile.InSv for model in one.models}
        >= {model.profile.InSv for model in other.models if model.profile.InSv}
        for one, other in pairs
    ]
    assert sum(saves) >= 0.97 * share
    sizes = [sum(m.low for m in one.models) == sum(m.low for m in other.models) for one, other in pairs]
    assert sum(sizes) >= 0.97 * share


def test_a_second_source_agrees_on_weapons(pairs: list[tuple[Datasheet, Datasheet]]) -> None:
    def rows(sheet: Datasheet) -> dict[str, set[tuple[object, ...]]]:
        found: dict[str, set[tuple[object, ...]]] = {}
        for one in sheet.weapons:
            row = (one.range, one.attacks, one.skill, one.strength, one.ap, one.damage, frozenset(one.abilities))
            found.setdefault(fold(one.title), set()).add(row)
        return found

    both = agree = 0
    for one, other in pairs:
        mine, theirs = rows(one), rows(other)
        for name in mine.keys() & theirs.keys():
            both += 1
            agree += bool(mine[name] & theirs[name])
    assert both >= 750
    assert agree >= 0.92 * both


def test_a_second_source_agrees_on_core_abilities(pairs: list[tuple[Datasheet, Datasheet]]) -> None:
    """The dataset leaves many out; what it has must be here, and far more of the rest must be sure than not."""

    def core(sheet: Datasheet) -> set[tuple[str, str]]:
        left_out = ("leader", "support", "super heavy walker")
        found = {(fold(one.name), str(one.amount)) for one in sheet.abilities if one.kind == "core"}
        return {one for one in found if one[0] not in left_out}

    agree = sum(len(core(one) & core(other)) for one, other in pairs)
    lost = [(one.name, name) for one, other in pairs for name in core(other) - core(one)]
    more = [(one.name, name) for one, other in pairs for name in core(one) - core(other)]
    assert agree >= 145
    assert len(lost) <= 3, lost
    assert len(more) <= 40, more
