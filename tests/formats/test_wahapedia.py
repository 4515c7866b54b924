"""The Wahapedia form on an invented export: columns by name, bars at the end, mark-up, mangled copies."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from battlewright.datasheet import Base, Datasheet, PointsTier
from battlewright.errors import BadInput
from battlewright.formats import Reading
from battlewright.formats.detect import read

BOM = "\ufeff"
KEYWORD = '<span class="kwb">ASH</span> <span class="kwb">WARDENS</span>'
FILES = {
    "Factions": ("id|name|link", ["EM|Emberborn|x"]),
    "Source": ("id|name|type|edition|version|errata_date|errata_link", ["1|Book of Coals|Codex|10|1|x|x"]),
    "Datasheets": (
        "id|name|faction_id|source_id|legend|role|loadout|transport|virtual|leader_head|leader_footer|"
        "damaged_w|damaged_description|link",
        [
            "000000001|Ash Wardens|EM|1|old|Battleline|"
            "<b>Every model is equipped with:</b> cinder gun; 2 hatchets.||false|||||x",
            "000000002|Ember Lord|EM|1||Character|<b>This model is equipped with:</b> ember blade.|"
            "This model has a transport capacity of 6.|false|||1-4|Worse then.|x",
            "000000003|Shadow of a sheet|EM|1||Other|||true|||||x",
        ],
    ),
    "Datasheets_models": (
        "datasheet_id|line|name|M|T|Sv|inv_sv|inv_sv_descr|W|Ld|OC|base_size|base_size_descr",
        [
            '000000001|1|Ash Warden|6"|4|3+|-||2|6+|2|32mm|',
            '000000002|1|Ember Lord|6"|5|2+|4|against ranged attacks only|6|6+|1|60 x 35mm|',
        ],
    ),
    "Datasheets_unit_composition": (
        "datasheet_id|line|description",
        ["000000001|1|1 Warden Sergeant", "000000001|2|4-9 Ash Wardens", "000000002|1|1 Ember Lord – EPIC HERO"],
    ),
    "Datasheets_models_cost": (
        "datasheet_id|line|description|cost",
        ["000000001|1|5 models|90", "000000001|2|10 models|180", "000000002|1|1 model|75"],
    ),
    "Datasheets_wargear": (
        "datasheet_id|line|line_in_wargear|dice|name|description|range|type|A|BS_WS|S|AP|D",
        [
            '000000001|1|1||Cinder gun|<a href="x">rapid fire 1</a>, <a href="x">heavy</a>|24|Ranged|2|3|4|-1|1',
            "000000001|2|1||Hatchet||Melee|Melee|3|3|4|0|1",
            "000000001|3|1||Ash thrower|torrent|12|Ranged|D6|N/A|4|0|1",
            "000000002|1|1||Ember blade – sweep|anti-infantry 4+|Melee|Melee|6|2|5|-2|1",
        ],
    ),
    "Datasheets_options": (
        "datasheet_id|line|button|description",
        ["000000001|1|*|1 Ash Warden's cinder gun can be replaced with 1 ash thrower."],
    ),
    "Datasheets_abilities": (
        "datasheet_id|line|ability_id|model|name|description|type|parameter",
        [
            "000000001|1|000000009||||Core|6\"",
            f"000000001|2|||Banked Coals|Each {KEYWORD} unit&nbsp;glows.<br><br><ul><li>Twice.</li></ul>|Datasheet|",
            "000000002|1|||Rite|It sings.|Special (в скобках)|",
        ],
    ),
    "Abilities": (
        "id|name|legend|faction_id|description",
        ["000000009|Scouts|||Goes first.", "000000010|Coal Oath||EM|All."],
    ),
    "Datasheets_keywords": (
        "datasheet_id|keyword|model|is_faction_keyword",
        ["000000001|Infantry||false", "000000001|Emberborn||true", "000000002|Epic Hero||false"],
    ),
    "Datasheets_leader": ("leader_id|attached_id", ["000000002|000000001"]),
    "Stratagems": (
        "faction_id|name|id|type|cp_cost|legend|turn|phase|detachment|detachment_id|description",
        [
            "EM|FLARE|s1|Pyre Host – Battle Tactic|1||Your turn|Shooting|Pyre Host|d1|"
            "<b>WHEN:</b> Now.<br><b>TARGET:</b> One.<br><b>EFFECT:</b> Burns."
        ],
    ),
    "Datasheets_stratagems": ("datasheet_id|stratagem_id", ["000000001|s1"]),
    "Enhancements": (
        "faction_id|id|name|cost|detachment|detachment_id|legend|description",
        ["EM|e1|Ash Crown|25|Pyre Host|d1||Shines."],
    ),
    "Datasheets_enhancements": ("datasheet_id|enhancement_id", ["000000002|e1"]),
    "Detachment_abilities": ("id|faction_id|name|legend|description|detachment", ["a1|EM|All Aflame||They burn.|Pyre Host"]),
    "Last_update": ("last_update", ["2025-11-30 00:00:00"]),
}  # fmt: skip


def write(folder: Path, **changed: str) -> Path:
    for name, (header, rows) in FILES.items():
        text = BOM + "".join(f"{line}|\n" for line in (header, *rows))
        (folder / f"{name}.csv").write_text(changed.get(name, text), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    return read(write(tmp_path_factory.mktemp("export")))


@pytest.fixture(scope="module")
def wardens(reading: Reading) -> Datasheet:
    return reading.datasheets[0]


def test_sheets_that_are_real(reading: Reading) -> None:
    assert [sheet.name for sheet in reading.datasheets] == ["Ash Wardens", "Ember Lord"]
    assert (reading.format, reading.edition, reading.faults, reading.missing) == ("wahapedia", "10e", (), ())


def test_models_saves_and_bases(reading: Reading, wardens: Datasheet) -> None:
    assert [(one.name, one.low, one.high) for one in wardens.models] == [
        ("Warden Sergeant", 1, 1),
        ("Ash Warden", 4, 9),
    ]
    assert {one.profile.T for one in wardens.models} == {4}
    assert wardens.models[1].base == Base("round", 32.0)
    assert wardens.models[1].wargear == ("cinder gun", "hatchet", "hatchet")
    lord = reading.datasheets[1].models[0]
    assert (lord.profile.InSv, lord.profile.InSv_against) == (4, "ranged")
    assert lord.base == Base("oval", (60.0, 35.0))


def test_weapons_prices_options(wardens: Datasheet) -> None:
    weapons = {one.name: one for one in wardens.weapons}
    assert [str(one) for one in weapons["Cinder gun"].abilities] == ["rapid fire 1", "heavy"]
    assert weapons["Hatchet"].melee
    assert weapons["Ash thrower"].skill is None
    assert wardens.points == (PointsTier(5, 90), PointsTier(10, 180))
    (option,) = wardens.options
    assert (option.limit, option.replaces, option.choices[0].items) == (1, ("cinder gun",), (("ash thrower", 1),))


def test_abilities_keywords_leader(reading: Reading, wardens: Datasheet) -> None:
    scouts, coals = wardens.abilities
    assert (scouts.name, scouts.kind, str(scouts.amount), scouts.text) == ("Scouts", "core", "6", "Goes first.")
    assert coals.text == "Each ASH WARDENS unit glows.\n■ Twice."
    assert (wardens.keywords, wardens.faction_keywords, wardens.faction) == (("Infantry",), ("Emberborn",), "Emberborn")
    lord = reading.datasheets[1]
    assert lord.leads == ("Ash Wardens",)
    assert lord.damaged == (1, 4)
    assert lord.unique
    assert lord.transport_text == "This model has a transport capacity of 6."
    assert [one.kind for one in lord.abilities] == ["special", "datasheet"]


def test_stratagems_enhancements_detachments(reading: Reading, wardens: Datasheet) -> None:
    assert [(one.name, one.cost) for one in wardens.stratagems] == [("FLARE", 1)]
    extras = reading.extras
    assert extras is not None
    assert extras.stratagems[0].parts == (("WHEN", "Now."), ("TARGET", "One."), ("EFFECT", "Burns."))
    assert [(one.name, one.abilities[0].name) for one in extras.detachments] == [("Pyre Host", "All Aflame")]
    assert [(one.name, one.points) for one in extras.enhancements] == [("Ash Crown", 25)]
    assert extras.army_rules[0][1].name == "Coal Oath"


def test_a_zip_reads_the_same(tmp_path: Path, reading: Reading) -> None:
    (tmp_path / "in").mkdir()
    write(tmp_path / "in")
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        for file in (tmp_path / "in").iterdir():
            archive.write(file, f"export/{file.name}")
    assert read(tmp_path / "export.zip").datasheets == reading.datasheets


def test_columns_may_come_in_another_order(tmp_path: Path, reading: Reading) -> None:
    rows = [("5 models", "000000001", "90"), ("10 models", "000000001", "180"), ("1 model", "000000002", "75")]
    header = "description|datasheet_id|cost|\n"
    text = header + "".join("|".join(row) + "|\n" for row in rows)
    assert read(write(tmp_path, Datasheets_models_cost=text)).datasheets == reading.datasheets


def test_a_mangled_copy_is_mended_and_told(tmp_path: Path, reading: Reading) -> None:
    header, rows = FILES["Datasheets_wargear"]
    lines = [f"{line}|".replace(", ", '"| ') for line in (header, *rows)]
    mangled = "".join(f'"{line}"\n' if place else f'"{line[:-1]}|"\n' for place, line in enumerate(lines))
    found = read(write(tmp_path, Datasheets_wargear=mangled))
    assert any("mangled by a spreadsheet" in note for note in found.notes)
    assert found.datasheets[0].weapons == reading.datasheets[0].weapons


def test_a_row_with_too_few_columns_is_a_fault(tmp_path: Path) -> None:
    found = read(write(tmp_path, Datasheets_leader="leader_id|attached_id|\n000000002\n"))
    assert [str(one) for one in found.faults] == [
        f"0 columns, expected 2 @ {tmp_path / 'Datasheets_leader.csv'} line 2"
    ]


def test_an_unreadable_option_and_weapon_are_told(tmp_path: Path) -> None:
    option = "datasheet_id|line|button|description|\n000000001|1|*|Something else entirely.|\n"
    weapon = f"{FILES['Datasheets_wargear'][0]}|\n000000001|1|1||Odd gun||24|Ranged|many|3|4|-1|1|\n"
    found = read(write(tmp_path, Datasheets_options=option, Datasheets_wargear=weapon))
    assert "Ash Wardens: option not read: Something else entirely." in found.missing
    assert "Ash Wardens: weapon Odd gun" in found.missing
    assert any("many" in str(one) for one in found.faults)


def test_without_the_datasheets_there_is_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="missing or empty"):
        read(write(tmp_path, Datasheets="id|name|\n"))
    with pytest.raises(BadInput, match="no column 'name'"):
        read(write(tmp_path, Datasheets="id|title|\n1|x|\n"))
