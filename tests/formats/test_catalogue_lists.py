"""Random lists of every faction of the sample catalogues, printed as each tool does, come back: counted, list by list."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from catalogue_lists import DIALECTS, Army, Shelf, army, meant, plain

from battlewright.formats import Source
from battlewright.formats.detect import read
from battlewright.formats.export import EXPORTS
from battlewright.roster import Roster, RosterUnit

#: Which editions a dialect is for; the others print both.
ONLY = {"app 10e": "10e", "app 11e": "11e", "app mobile": "11e", "app French": "11e"}
#: What each must reach, in hundredths; WarOrgan's sentences do not say which "and" belongs to a name.
SHARE = {"WarOrgan": 98}


@dataclass
class Score:
    right: int = 0
    of: int = 0

    def add(self, good: bool) -> None:
        self.right += good
        self.of += 1

    def reaches(self, share: int) -> bool:
        return self.of > 0 and self.right * 100 >= share * self.of


@cache
def shelf(folder: Path) -> Shelf:
    return Shelf(folder)


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_lists_of_every_faction_come_back(dialect: str, edition: str, shared: Path) -> None:
    if ONLY.get(dialect, edition) != edition:
        pytest.skip("no list of this edition in this dialect")
    scores = {part: Score() for part in ("units", "models", "weapons", "enhancements", "warlords")}
    here = shelf(shared / "catalogues" / edition)
    for place, faction in enumerate(here.armies):
        meant_army = army(here, faction, 300 + place)
        compare(meant_army, DIALECTS[dialect](meant_army), dialect, scores)
    share = SHARE.get(dialect, 99)
    low = {part: (score.right, score.of) for part, score in scores.items() if score.of and not score.reaches(share)}
    assert low == {}


def compare(meant_army: Army, text: str, dialect: str, scores: dict[str, Score]) -> None:
    reading = read(Source("list.txt", text.encode(), text))
    roster = reading.roster
    assert roster is not None
    assert reading.unread == ()
    assert sum(unit.points or 0 for unit in roster.units) == meant_army.points
    assert roster.points in (meant_army.points, None)
    left = list(roster.units)
    for unit in meant_army.units:
        holds = meant(unit)
        named = [one for one in left if plain(one.name) == plain(unit.name) and one.points == unit.points]
        found = next((one for one in named if counts(one) == holds["models"]), named[0] if named else None)
        scores["units"].add(found is not None)
        if found is None:
            continue
        left.remove(found)
        if dialect == "NR short":
            scores["models"].add(sum(counts(found).values()) == sum(holds["models"].values()))
            continue
        for name, number in holds["models"].items():
            scores["models"].add(counts(found)[name] == number)
        weapons = gear(found)
        whole = Counter[str]()
        for items in weapons.values():
            whole.update(items)
        loose = holds["weapons"].get("", {})
        for model, items in holds["weapons"].items():
            for name, number in items.items():
                total = sum(each.get(name, 0) for each in holds["weapons"].values())
                own = weapons.get(model, Counter[str]())[name] == number
                scores["weapons"].add(own or (name in loose and whole[name] == total))
        scores["enhancements"].add(found.enhancement == (unit.gift[0] if unit.gift else None))
        scores["warlords"].add(found.warlord == unit.warlord)
    assert not left


def counts(unit: RosterUnit) -> Counter[str]:
    found = Counter[str]()
    for model in unit.models:
        found[plain(model.name)] += model.count
    return found


def gear(unit: RosterUnit) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {"": Counter()}
    for weapon in unit.wargear:
        found[""][plain(weapon.name)] += weapon.count
    for model in unit.models:
        for weapon in model.weapons:
            found.setdefault(plain(model.name), Counter())[plain(weapon.name)] += weapon.count
    return found


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("form", ["own", "newrecruit", "app"])
def test_lists_of_every_faction_go_out_and_come_back(form: str, edition: str, shared: Path) -> None:
    here = shelf(shared / "catalogues" / edition)
    for place, faction in enumerate(here.armies):
        text = DIALECTS["NR JSON"](army(here, faction, 900 + place))
        roster = read(Source("list.json", text.encode(), text)).roster
        assert roster is not None
        out = EXPORTS[form](roster)
        back = read(Source("list.txt", out.encode(), out)).roster
        assert back is not None
        assert held(back) == held(roster)


def held(roster: Roster) -> list[tuple[object, ...]]:
    names = {unit.id: unit.name for unit in roster.units}
    return sorted(
        (
            (unit.name, unit.points, sorted(counts(unit).items()), sorted((key, sorted(found.items())) for key, found in
             gear(unit).items()), unit.enhancement, unit.warlord, names.get(unit.attached_to or ""))
            for unit in roster.units
        ),
        key=repr,
    )  # fmt: skip
