"""What ships loads, holds together, and says the same as the real pages, both ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlewright.catalogue.lookup import EDITIONS, Shipped, check, find, search
from battlewright.datasheet import Datasheet
from battlewright.errors import BadInput
from battlewright.formats.detect import read
from battlewright.names import fold, same

SHEETS = [(name, edition) for edition in EDITIONS for name in Shipped().names(edition)]
PAGES = {
    "10e-imperial-rhino.txt": "Imperial Rhino",
    "10e-knight-magaera.txt": "Chaos Questoris Knight Magaera",
    "11e-kasrkin.txt": "Kasrkin",
    "11e-sir-hekhtur.txt": "Sir Hekhtur",
}


def test_the_sheets_of_the_pages_ship() -> None:
    assert {fold(name) for name in (*PAGES.values(), "Canis Rex")} <= {fold(name) for name, _ in SHEETS}


@pytest.mark.parametrize(("name", "edition"), SHEETS)
def test_a_sheet_that_ships_is_whole(name: str, edition: str) -> None:
    sheet = find(name, edition).datasheet  # type: ignore[arg-type]
    assert check(sheet) == []
    assert all(model.profile.missing == () for model in sheet.models)
    assert all(not ability.text for ability in sheet.abilities), "no words of others ship"
    assert sheet.keywords
    assert sheet.faction_keywords


def page(shared: Path, name: str) -> Datasheet:
    reading = read(shared / "seeds" / name)
    assert reading.faults == ()
    assert reading.unread == ()
    return reading.datasheets[0]


@pytest.mark.parametrize("file", PAGES)
def test_page_and_record_agree(shared: Path, file: str) -> None:
    """Every number of the page is in the record, and every number of the record that a page can hold is on the page."""
    printed, shipped = page(shared, file), find(PAGES[file]).datasheet
    assert printed.edition == shipped.edition
    assert printed.name == shipped.name
    assert printed.weapons == shipped.weapons
    assert printed.points == shipped.points
    assert printed.keywords == shipped.keywords
    assert printed.damaged == shipped.damaged
    assert printed.unique == shipped.unique
    assert printed.stratagems == shipped.stratagems
    assert printed.enhancements == shipped.enhancements
    assert [(model.low, model.high) for model in printed.models] == [
        (model.low, model.high) for model in shipped.models
    ]
    assert all(same(one.name, other.name) for one, other in zip(printed.models, shipped.models, strict=True))
    assert [fold(name) for name in printed.detachment_abilities] == [
        fold(name) for name in shipped.detachment_abilities
    ]
    assert printed.faction_keywords in (shipped.faction_keywords, ())


@pytest.mark.parametrize("file", PAGES)
def test_abilities_of_page_and_record_agree(shared: Path, file: str) -> None:
    printed, shipped = page(shared, file), find(PAGES[file]).datasheet
    # what one word of a weapon means is explained on the page, and is a core rule in ours
    explained = {ability.name for weapon in printed.weapons for ability in weapon.abilities}
    ours = {(fold(ability.name), ability.kind, ability.amount) for ability in shipped.abilities}
    theirs = {
        (fold(ability.name), ability.kind, ability.amount)
        for ability in printed.abilities
        if ability.name.casefold() not in explained
    }
    assert theirs == ours


@pytest.mark.parametrize("file", PAGES)
def test_options_of_page_and_record_agree(shared: Path, file: str) -> None:
    printed, shipped = page(shared, file), find(PAGES[file]).datasheet
    assert len(printed.options) == len(shipped.options)
    for one, other in zip(printed.options, shipped.options, strict=True):
        assert one.choices == other.choices
        assert (one.replaces, one.limit, one.per, one.each_limit, one.needs) == (
            other.replaces,
            other.limit,
            other.per,
            other.each_limit,
            other.needs,
        )
        assert same(one.model, other.model)


@pytest.mark.parametrize(
    "spelling",
    ["kasrkin", "KASRKIN", "Kasrkins", "sir  hekhtur", "Sir-Hekhtur", "canis réx", "Chaos Questoris Knight – Magaera"],
)
def test_names_may_be_spelt_freely(spelling: str) -> None:
    assert find(spelling).datasheet.name in ("Kasrkin", "Sir Hekhtur", "Canis Rex", "Chaos Questoris Knight Magaera")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("Kasrkn", "Kasrkin"), ("Rex", "Canis Rex"), ("knight magaera", "Magaera"), ("Hektur", "Sir Hekhtur")],
)
def test_a_near_miss_is_suggested(typed: str, meant: str) -> None:
    with pytest.raises(BadInput, match=f"did you mean .*{meant}"):
        find(typed)


def test_a_name_of_the_other_edition_is_said() -> None:
    with pytest.raises(BadInput, match="other edition"):
        find("Kasrkin", "10e")


def test_a_name_longer_than_any_file_has_is_no_name() -> None:
    with pytest.raises(BadInput, match="no datasheet of that name"):
        find("ember" * 200)


def test_search_by_keyword_and_faction() -> None:
    assert {"Sir Hekhtur", "Canis Rex"} <= {sheet.name for sheet, _ in search(keywords=["Epic Hero", "imperium"])}
    found = [sheet for sheet, _ in search(keywords=["Epic Hero", "imperium"])]
    assert all({"EPIC HERO", "IMPERIUM"} <= set(sheet.keywords) for sheet in found)
    assert "Kasrkin" in [sheet.name for sheet, _ in search(faction="Astra Militarum")]
    assert list(search(keywords=["no such keyword"])) == []
