"""Wargear that costs extra counts into the price of a unit, each time it is taken."""

from __future__ import annotations

from battlewright.datasheet import Datasheet, ModelEntry, PointsTier, Profile
from battlewright.roster import ModelTaken, Roster, RosterUnit, WeaponTaken, problems

PROFILE = Profile(6, 4, 3, 2, 6, 2)
SHEET = Datasheet(
    "Ash Wardens",
    "11e",
    faction="Emberborn",
    models=(ModelEntry("Ash Warden", 5, 10, PROFILE),),
    keywords=("Infantry",),
    faction_keywords=("Emberborn",),
    points=(
        PointsTier(5, 90),
        PointsTier(10, 180),
        PointsTier(1, 5, extra="Arc gun"),
        PointsTier(1, 7, extra="Axe and Horn"),
    ),
)


def unit(place: int, points: int, *weapons: WeaponTaken) -> RosterUnit:
    models = (ModelTaken("Ash Warden", 5, PROFILE, weapons),)
    return RosterUnit("Ash Wardens", f"u{place}", models, ("Infantry",), ("Emberborn",), points=points, datasheet=SHEET)


def told(*units: RosterUnit) -> list[str]:
    roster = Roster(edition="11e", faction="Emberborn", units=units)
    return [found.words for found in problems(roster) if "costs" in found.words or " cost " in found.words]


def test_each_arc_gun_costs_five() -> None:
    plain = [unit(place, 90) for place in range(5)]
    assert told(*plain, unit(9, 100, WeaponTaken("Arc gun", 2))) == []
    assert told(*plain, unit(9, 90, WeaponTaken("Arc gun", 2))) != []


def test_items_that_come_together_cost_once() -> None:
    plain = [unit(place, 90) for place in range(5)]
    both = (WeaponTaken("Axe"), WeaponTaken("Horn"))
    assert told(*plain, unit(9, 97, *both)) == []
    assert told(*plain, unit(9, 90, WeaponTaken("Axe"))) == []
