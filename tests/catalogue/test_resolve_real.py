"""Real lists met with real catalogues beside the checkout: everything found, nothing called wrong that is right."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from battlewright.catalogue import lookup
from battlewright.catalogue import resolve as resolving
from battlewright.catalogue.resolve import known_extras, resolve
from battlewright.datasheet import CatalogueExtras, Datasheet
from battlewright.effects import EditionId
from battlewright.formats.detect import read, read_catalogue
from battlewright.names import fold, singular
from battlewright.roster import Roster, muster


class Community:
    """The datasheets of a folder of catalogues as a shelf."""

    name = "community"

    def __init__(self, path: Path, edition: EditionId) -> None:
        found = read_catalogue(path)
        self.edition, self.more = edition, found.extras
        self.sheets = {fold(sheet.name): sheet for sheet in found.datasheets}

    @property
    def header(self) -> Community:
        return self

    def names(self, edition: EditionId) -> Iterable[str]:
        return [sheet.name for sheet in self.sheets.values()] if edition == self.edition else []

    def load(self, name: str, edition: EditionId) -> Datasheet | None:
        if edition != self.edition:
            return None
        return self.sheets.get(fold(name)) or self.sheets.get(singular(fold(name)))

    def extras(self) -> CatalogueExtras | None:
        return self.more


@pytest.fixture(scope="module")
def eleventh(shared: Path) -> Community:
    return Community(shared / "catalogues" / "11e", "11e")


@pytest.fixture
def knights(eleventh: Community, shared: Path, monkeypatch: pytest.MonkeyPatch) -> Roster:
    for module in (lookup, resolving):
        monkeypatch.setattr(module, "shelves", lambda: [eleventh])
    roster = read(shared / "rosters" / "11e_gw-app_imperial-knights.txt").roster
    assert roster is not None
    return resolve(roster).roster


def test_a_real_list_is_found_whole(knights: Roster) -> None:
    assert all(unit.datasheet is not None for unit in knights.units)
    models = [model for unit in knights.units for model in unit.models]
    assert all(model.profile is not None and not model.profile.missing for model in models)
    assert all(weapon.profiles for model in models for weapon in model.weapons)
    assert all(unit.faction_keywords for unit in knights.units)


def test_a_real_list_breaks_no_rule(knights: Roster) -> None:
    found = muster(knights, known_extras("11e"))
    assert found.problems == ()
    said = {problem.words for problem in found.not_checked}
    assert not any("datasheet" in words or "not known" in words for words in said), said


def test_the_same_list_broken(knights: Roster) -> None:
    """One fault each: no Warlord, a fourth copy, too dear, a detachment of another faction, a price of another size."""
    known = known_extras("11e")
    assert known is not None
    units = knights.units
    other = next(each for each in known.detachments if each.faction and fold(each.faction) != "imperial knights")
    changes = {
        "no model is marked as Warlord": {"units": tuple(replace(unit, warlord=False) for unit in units)},
        "taken 4 times": {"units": (*units, *(replace(units[-1], id=f"x{n}") for n in range(2)))},
        "points, Strike Force allows": {"units": (*units, replace(units[0], id="x1"))},
        "is a detachment of": {"detachments": (replace(knights.detachments[0], name=other.name),)},
    }
    for words, change in changes.items():
        found = muster(replace(knights, points=None, **change), known).problems  # type: ignore[arg-type]
        assert any(words in problem.words for problem in found), words
