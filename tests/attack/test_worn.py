"""Stat lines as wargear makes them, in odds: of those who carry it, however it was taken."""

from __future__ import annotations

from battlewright.attack.equip import equip
from battlewright.attack.units import Kind, Unit, from_sheet
from battlewright.attack.worn import worn
from battlewright.datasheet import Ability, Choice, Datasheet, ModelEntry, Profile, WargearOption, Weapon
from battlewright.dice import Dice

ONE = Dice.parse(1)
LINE = Profile(6, 4, 3, 2, 6, 1)
SLAB = Ability("Slab", "The bearer has a Wounds characteristic of 4.", "wargear")
SHEET = Datasheet(
    "Wardens", "11e",
    models=(ModelEntry("Warden", 3, 6, LINE, wargear=("rod", "maul")),),
    weapons=(Weapon("rod", 12, ONE, 3, 4, 0, ONE), Weapon("maul", 0, ONE, 3, 4, 0, ONE)),
    options=(WargearOption((Choice((("Slab", 1),)),), replaces=("rod",)),),
    abilities=(SLAB,),
)  # fmt: skip


def lines(unit: Unit) -> list[tuple[int, int | None, dict[str, int]]]:
    return [(kind.count, kind.profile.W, dict(kind.weapons)) for kind in worn(unit).kinds]


def test_gear_taken_by_some_models_is_worn_by_these() -> None:
    assert lines(equip(from_sheet(SHEET), ["Slab"])) == [(1, 4, {"maul": 1}), (2, 2, {"rod": 2, "maul": 2})]
    assert lines(equip(from_sheet(SHEET), ["3 Slab"])) == [(3, 4, {"maul": 3})]
    assert lines(from_sheet(SHEET)) == [(3, 2, {"rod": 3, "maul": 3})]


def test_worn_twice_is_worn_once() -> None:
    slab = Ability("Slab", "Add 1 to the bearer's Wounds characteristic.", "wargear")
    unit = Unit("Wardens", "11e", (Kind("Warden", 1, LINE, wargear=("Slab",)),), abilities=(slab,))
    assert worn(worn(unit)).kinds[0].profile.W == 3
    assert worn(worn(unit)).notes == ("Wardens: Slab: W 3 for Warden",)
