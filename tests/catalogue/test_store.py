"""The user's own catalogues: stored by offset, asked before what ships, the latest first; damaged files say so."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlewright.catalogue import store
from battlewright.catalogue.lookup import find, search
from battlewright.catalogue.resolve import resolve
from battlewright.datasheet import Ability, Base, CatalogueExtras, Datasheet, Detachment, ModelEntry, Profile
from battlewright.errors import BadInput
from battlewright.roster import ModelTaken, Roster, RosterUnit


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def sheet(name: str = "Ash Wardens", toughness: int = 4, **more: object) -> Datasheet:
    model = ModelEntry(name, profile=Profile(6, toughness, 3, 2, 6, 2))
    given: dict[str, object] = {"edition": "11e", "faction": "Emberborn", "keywords": ("Infantry",)}
    return Datasheet(name, models=(model,), **(given | more))  # type: ignore[arg-type]


def test_what_is_put_is_found() -> None:
    header = store.put("mine", "11e", [sheet(), sheet("Ember Lord", 5)], format="test")
    assert dict(header.counts)["datasheets"] == 2
    found = find("ash warden")
    assert (found.shelf, found.datasheet) == ("mine", sheet())
    assert find("EMBER LORDS", "11e").datasheet.models[0].profile.T == 5
    assert [one.name for one, _ in search(faction="Emberborn")] == ["Ash Wardens", "Ember Lord"]


def test_another_edition_has_none_of_it() -> None:
    store.put("mine", "11e", [sheet()])
    with pytest.raises(BadInput, match="other edition"):
        find("Ash Wardens", "10e")


def test_the_latest_is_asked_first_and_comes_before_what_ships() -> None:
    store.put("old", "11e", [sheet(toughness=4), sheet("Kasrkin", 9)])
    store.put("new", "11e", [sheet(toughness=7)])
    assert [header.name for header in store.headers()] == ["new", "old"]
    assert find("Ash Wardens").datasheet.models[0].profile.T == 7
    assert find("Kasrkin").shelf == "old"
    store.put("old", "11e", [sheet(toughness=5)])
    assert find("Ash Wardens").datasheet.models[0].profile.T == 5
    assert find("Kasrkin").shelf == "shipped"


def test_a_catalogue_without_rules_text_is_asked_after_those_with() -> None:
    text = Ability("Banked Coals", "Glows.")
    store.put("texts", "11e", [sheet(abilities=(text,))])
    store.put("bare", "11e", [sheet(toughness=9, abilities=(Ability("Banked Coals"),)), sheet("Ember Lord")])
    assert [header.name for header in store.headers()] == ["texts", "bare"]
    assert find("Ash Wardens").datasheet.abilities == (text,)
    assert find("Ember Lord").shelf == "bare"
    store.put("bare too", "11e", [sheet("Kasrkin", abilities=(Ability("Banked Coals"),))])
    assert find("Kasrkin").shelf == "shipped"


def test_one_name_in_two_factions() -> None:
    store.put(
        "mine",
        "11e",
        [sheet("Land Cart"), sheet("Land Cart", 9, faction="Ashen Host"), sheet("Land Cart", 2, legends=True)],
    )
    assert find("Land Cart").datasheet.faction == "Emberborn"
    assert find("Land Cart (Ashen Host)").datasheet.models[0].profile.T == 9
    assert find("Ashen Host Land Cart").datasheet.models[0].profile.T == 9


def test_extras_come_back() -> None:
    extras = CatalogueExtras((Detachment("Pyre Host", points=2),))
    header = store.put("mine", "11e", [sheet()], extras)
    assert store.Stored(header).extras() == extras


def test_remove() -> None:
    store.put("Mine 11e", "11e", [sheet()])
    with pytest.raises(BadInput, match="there is: Mine 11e"):
        store.remove("yours")
    store.remove("mine 11E")
    assert store.headers() == []
    with pytest.raises(BadInput, match="none is stored"):
        store.remove("mine 11e")


def test_a_damaged_file_is_told_and_can_be_removed(folder: Path) -> None:
    store.put("good", "11e", [sheet()])
    (store.folder() / "bad.catalogue").write_bytes(b"something else")
    (store.folder() / "cut.catalogue").write_bytes((store.folder() / "good.catalogue").read_bytes()[:60])
    assert [header.name for header in store.headers()] == ["good"]
    assert store.damaged() == ["bad", "cut"]
    store.remove("bad")
    assert store.damaged() == ["cut"]
    assert find("Ash Wardens").shelf == "good"


def test_an_empty_catalogue_is_refused() -> None:
    with pytest.raises(BadInput, match="nothing to add"):
        store.put("mine", "11e", [])


def test_a_name_is_never_a_path(folder: Path) -> None:
    header = store.put("../../outside/mine", "11e", [sheet()])
    assert [file.parent for file in folder.rglob("*.catalogue")] == [store.folder()]
    store.remove(header.name)


def test_a_folder_that_cannot_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "file"))
    with pytest.raises(BadInput, match="cannot be written"):
        store.put("mine", "11e", [sheet()])
    assert store.headers() == []


def test_a_base_size_of_the_other_edition_at_last() -> None:
    model = ModelEntry("Ash Wardens", profile=Profile(6, 4, 3, 2, 6, 2), base=Base("round", 32))
    store.put("bases", "11e", [Datasheet("Ash Wardens", "11e", models=(model,))])
    store.put("mine", "10e", [sheet(edition="10e")])
    roster = Roster(edition="10e", units=(RosterUnit("Ash Wardens", models=(ModelTaken("Ash Wardens"),)),))
    found = resolve(roster)
    assert any(note == "Ash Wardens: base size from the catalogue bases of the 11e" for note in found.notes)
    assert not any("base size" in one for one in found.missing)


@pytest.mark.parametrize("chosen", ["/data/mine", "", "  ", None])
def test_the_folder_is_the_one_of_the_platform(chosen: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    import platformdirs

    if chosen is None:
        monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_DATA_HOME", chosen)
    assert store.folder() == platformdirs.user_data_path("battlewright", appauthor=False) / "catalogues"
