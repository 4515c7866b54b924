"""Community catalogues: every feature of the form on an invented catalogue, in XML and in JSON."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import invented_catalogue as invented
import pytest

from battlewright.datasheet import Ability, Datasheet, PointsTier, Profile, WargearChange
from battlewright.errors import BadInput
from battlewright.formats import Reading, Source, battlescribe
from battlewright.formats.detect import read


def reading(folder: Path) -> Reading:
    invented.write_json(folder)
    return read(folder)


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    return reading(tmp_path_factory.mktemp("json"))


@pytest.fixture(scope="module")
def sheets(given: Reading) -> dict[str, Datasheet]:
    return {sheet.name: sheet for sheet in given.datasheets}


def test_xml_and_json_give_the_same_datasheets(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "j").mkdir()
    invented.write_xml(tmp_path / "x", "10e")
    invented.write_json(tmp_path / "j", "10e")
    one, other = read(tmp_path / "x"), read(tmp_path / "j")
    assert one.edition == other.edition == "10e"
    assert one.datasheets == other.datasheets
    assert one.extras == other.extras


def test_every_unit_is_there_and_what_is_no_unit_is_not(given: Reading, sheets: dict[str, Datasheet]) -> None:
    assert (given.kind, given.format, given.edition) == ("catalogue", "battlescribe", "11e")
    assert sorted(sheets) == ["Ash Wardens", "Cinder Guard", "Ember Lord"]


def test_models_stat_lines_and_numbers(sheets: dict[str, Datasheet]) -> None:
    models = {model.name: model for model in sheets["Ash Wardens"].models}
    assert {name: (one.low, one.high) for name, one in models.items()} == {"Warden Sergeant": (1, 1), "Warden": (4, 9)}
    assert models["Warden"].profile.W == 2
    assert models["Warden Sergeant"].profile.W == 3
    assert models["Warden Sergeant"].keywords == ("Officer",)
    assert models["Warden"].wargear == ("Cinder gun",)
    assert models["Warden"].variants == ("Warden w/ cinder gun", "Warden w/ ash thrower")


def test_what_an_item_changes_of_a_stat_line_is_kept_with_the_item(
    given: Reading, sheets: dict[str, Datasheet]
) -> None:
    assert sheets["Ash Wardens"].changes == (WargearChange("Wings", "Warden Sergeant", Profile(M=12)),)
    assert not any("a change of a line" in str(fault) for fault in given.faults)


def test_what_an_item_changes_of_whom_a_leader_leads(sheets: dict[str, Datasheet]) -> None:
    """The ability as it then reads; where a file lost the ends of its lines, the bullets part the names. A stat line that
    asks for what stands beside its unit means the unit."""
    words = "This model can be attached to the following units: - CINDER GUARD - TALLOW RIDERS"
    leader = Ability("Leader", words)
    assert set(sheets["Ember Lord"].changes) == {
        WargearChange("Kiln mount", "Ember Lord", Profile(W=7), unit=True),
        WargearChange("Kiln mount", "Leader", unit=True, ability=leader, leads=("Cinder Guard", "TALLOW RIDERS")),
    }


def test_an_invulnerable_save_told_by_an_ability_is_in_the_stat_line(sheets: dict[str, Datasheet]) -> None:
    assert {(one.profile.InSv, one.profile.InSv_against) for one in sheets["Ash Wardens"].models} == {(5, None)}
    assert "Invulnerable Save" not in {ability.name for ability in sheets["Ash Wardens"].abilities}
    lord = sheets["Ember Lord"].models[0].profile
    assert (lord.InSv, lord.InSv_against, lord.W) == (4, "melee", 6)


def test_keywords_and_the_faction_are_apart(sheets: dict[str, Datasheet]) -> None:
    sheet = sheets["Ash Wardens"]
    assert (sheet.keywords, sheet.faction_keywords) == (("Infantry", "Battleline"), ("Emberborn",))
    assert (sheet.faction, sheet.role) == ("Emberborn", "Battleline")
    assert sheets["Ember Lord"].unique
    assert sheets["Ember Lord"].legends
    assert not sheet.legends


def test_prices_by_size_and_by_copy(sheets: dict[str, Datasheet]) -> None:
    assert sheets["Ash Wardens"].points == (
        PointsTier(5, 90, 1, 2),
        PointsTier(10, 180, 1, 2),
        PointsTier(5, 100, 3),
        PointsTier(10, 190, 3),
        PointsTier(1, 5, extra="Arc gun"),
    )


def test_two_ways_to_fill_a_unit(sheets: dict[str, Datasheet]) -> None:
    sheet = sheets["Cinder Guard"]
    assert [(one.name, one.low, one.high) for one in sheet.models] == [("Cinder Guard", 9, 18), ("Guard Leader", 1, 2)]
    assert sheet.points == (PointsTier(10, 60), PointsTier(20, 110))
    assert str(sheet.models[0].profile.M_dice) == "D6"
    assert sheet.models[0].profile.OC == 0


def test_weapons_and_their_abilities(sheets: dict[str, Datasheet]) -> None:
    weapons = {weapon.title: weapon for weapon in sheets["Ash Wardens"].weapons}
    assert [str(one) for one in weapons["Cinder gun"].abilities] == ["assault", "sustained hits 1"]
    assert [str(one) for one in weapons["Arc gun"].abilities] == ["anti-vehicle 4+"]
    assert (weapons["Arc gun"].skill, str(weapons["Arc gun"].attacks)) == (None, "D6")
    loosed = next(one for one in sheets["Ember Lord"].weapons if one.profile == "loosed")
    assert (loosed.name, [str(one) for one in loosed.abilities]) == (
        "Sunder gun",
        ["hazardous", "rapid fire D3", "sizzling"],
    )


def test_a_rolled_strength_is_unknown_and_named(given: Reading, sheets: dict[str, Datasheet]) -> None:
    thrower = next(one for one in sheets["Ash Wardens"].weapons if one.name == "Ash thrower")
    assert thrower.strength is None
    assert any("Ash thrower (strength 2D6)" in one for one in given.missing)


def test_options(sheets: dict[str, Datasheet]) -> None:
    options = sheets["Ash Wardens"].options
    arc = next(one for one in options if one.choices[0].items == (("Arc gun", 1),))
    assert (arc.model, arc.replaces) == ("Warden Sergeant", ("Cinder gun",))
    thrower = next(one for one in options if one.choices[0].items == (("Ash thrower", 1),))
    assert (thrower.model, thrower.replaces, thrower.limit, thrower.per) == ("Warden", ("Cinder gun",), 1, 5)
    icon = next(one for one in options if one.choices[0].items == (("Ember icon", 1),))
    assert (icon.model, icon.replaces) == ("Warden Sergeant", ())
    assert not any("War story" in str(one) for one in options)


def test_abilities_of_every_kind(sheets: dict[str, Datasheet]) -> None:
    wardens = {one.name: one for one in sheets["Ash Wardens"].abilities}
    assert (wardens["Scouts"].kind, str(wardens["Scouts"].amount)) == ("core", "6")
    assert wardens["Coal Oath"].kind == "faction"
    assert wardens["Banked Coals"].text == "While EMBER LORD leads it, this unit has it."
    assert wardens["Ember icon"].kind == "wargear"
    assert "War story" not in wardens
    lord = {one.name: one for one in sheets["Ember Lord"].abilities}
    assert (lord["Feel No Pain"].kind, str(lord["Feel No Pain"].amount)) == ("core", "5")
    assert (lord["Great Song"].kind, lord["Great Song"].text) == ("special", "Verse: First.\nChorus: Second.")


def test_rules_linked_only_because_a_text_names_them(sheets: dict[str, Datasheet]) -> None:
    """What a leader grants, what an icon explains, a rule without its number: no core abilities of the unit."""
    core = {name: {one.name for one in sheet.abilities if one.kind == "core"} for name, sheet in sheets.items()}
    assert core["Ember Lord"] == {"Feel No Pain", "Leader"}
    assert core["Ash Wardens"] == {"Scouts"}
    wings = next(one for one in sheets["Ash Wardens"].abilities if one.name == "Wings")
    assert (wings.kind, wings.text) == ("wargear", "The bearer has the Deep Strike ability.")


def test_leader_list_transport_and_damage(sheets: dict[str, Datasheet]) -> None:
    sheet = sheets["Ember Lord"]
    assert sheet.leads == ("Ash Wardens", "Cinder Guard")
    assert sheet.transport_text == "This model has a transport capacity of 6 INFANTRY models."
    assert sheet.damaged == (1, 3)


def test_detachments_enhancements_and_army_rules(given: Reading) -> None:
    extras = given.extras
    assert extras is not None
    (detachment,) = extras.detachments
    assert (detachment.name, detachment.points, detachment.dispositions) == ("Pyre Host", 2, ("Hold the line",))
    assert [(one.name, one.text) for one in detachment.abilities] == [("All Aflame", "They burn.")]
    (bonus,) = extras.enhancements
    assert (bonus.name, bonus.points, bonus.detachments, bonus.only) == ("Ash Crown", 25, ("Pyre Host",), "EMBERBORN")
    assert [(faction, rule.name) for faction, rule in extras.army_rules] == [("Emberborn", "Coal Oath")]


def test_what_was_not_understood_is_told(given: Reading) -> None:
    told = {fault.what.partition(" (")[0]: fault.where for fault in given.faults}
    assert "Loop" in told["a link that leads back to itself"]
    assert "Lost thing" in told["a link to something that is in none of these files"]
    assert "sizzling" in told["a weapon ability of its own"].lower()


def test_one_file_uses_the_files_beside_it(tmp_path: Path) -> None:
    invented.write_json(tmp_path)
    alone = read(tmp_path / "Emberborn.json")
    assert len(alone.datasheets) == 3
    assert any(
        one.kind == "core" and one.text == "Goes first." for sheet in alone.datasheets for one in sheet.abilities
    )


def test_two_games_in_one_folder_are_refused(tmp_path: Path) -> None:
    invented.write_json(tmp_path, "11e")
    invented.write_xml(tmp_path, "10e")
    with pytest.raises(BadInput, match="catalogues of 2 game systems"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('<catalogue id="a" gameSystemId="b" name="c">', "not clean XML"),
        ('{"catalogue": []}', "not a catalogue"),
        ('{"catalogue": {"id": "a", "gameSystemId": "other"}}', "a game or edition we do not know"),
        ('<!DOCTYPE x [<!ENTITY y "z">]><catalogue id="&y;"/>', "DTD or entities"),
    ],
)
def test_broken_catalogues(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        battlescribe.read(Source("nowhere/x.cat", text.encode(), text))


def test_a_zip_of_a_whole_repository(tmp_path: Path) -> None:
    """Pictures and read-me files beside the catalogues do not matter; a damaged catalogue is told, the others read."""
    (tmp_path / "in").mkdir()
    invented.write_xml(tmp_path / "in", "10e")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for file in (tmp_path / "in").iterdir():
            archive.write(file, f"repository/{file.name}")
        archive.writestr("repository/README.md", "words")
        archive.writestr("repository/logo.png", b"\x89PNG" + bytes(99))
        archive.writestr("repository/Broken.cat", "<catalogue><a>")
        archive.writestr("repository/.github/workflows/x.json", "{}")
    found = read(tmp_path / "all.zip")
    assert len(found.datasheets) == 3
    assert [fault.what for fault in found.faults if "Broken.cat" in fault.where] == ["not clean XML: no element found"]
    (tmp_path / "in" / "Cut.catz").write_bytes((tmp_path / "in" / "Invented.gstz").read_bytes()[:90])
    assert any("damaged zip" in str(fault) for fault in read(tmp_path / "in").faults)


def test_a_file_alone_says_what_it_lacks(tmp_path: Path) -> None:
    """Without the game system: core rules by their names only, a save told by the name of a link."""
    tree = invented.catalogue("11e")
    tree["catalogue"]["sharedSelectionEntries"][0]["infoLinks"].append(
        invented.link("gone", "Invulnerable Save (4+)", "profile")
    )
    tree["catalogue"]["sharedSelectionEntries"][0]["profiles"].pop()
    (tmp_path / "alone.json").write_text(json.dumps(tree), encoding="utf-8")
    found = read(tmp_path / "alone.json")
    wardens = next(sheet for sheet in found.datasheets if sheet.name == "Ash Wardens")
    assert {model.profile.InSv for model in wardens.models} == {4}
    assert [(one.kind, one.text) for one in wardens.abilities if one.name == "Scouts"] == [("core", "")]
    assert any("game system file" in note for note in found.notes)


def test_a_thin_catalogue_gives_the_units_of_its_library(tmp_path: Path) -> None:
    library = invented.catalogue("11e")
    library["catalogue"]["library"] = True
    thin = {
        "id": "cat-thin",
        "name": "Invented - Thin",
        "gameSystemId": invented.SYSTEMS["11e"],
        "catalogueLinks": [{"id": "x", "targetId": "cat-ember", "importRootEntries": True, "name": "Emberborn"}],
    }
    (tmp_path / "thin.json").write_text(json.dumps({"catalogue": thin}), encoding="utf-8")
    (tmp_path / "library.json").write_text(json.dumps(library), encoding="utf-8")
    found = read(tmp_path / "thin.json")
    assert len(found.datasheets) == 3
    assert found.extras is not None
    assert [one.name for one in found.extras.detachments] == ["Pyre Host"]
