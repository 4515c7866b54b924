"""How long a table of 30 attackers against 30 targets takes: ``python benchmarks/table.py [SIZE]``."""

from __future__ import annotations

import sys
import time

from battlewright.attack.table import table
from battlewright.attack.units import Kind, Unit
from battlewright.datasheet import Profile, Weapon
from battlewright.dice import Dice
from battlewright.formats.weapon_line import read_abilities

ABILITIES = [
    "",
    "rapid fire 1",
    "sustained hits 1",
    "lethal hits",
    "twin-linked",
    "devastating wounds",
    "blast",
    "heavy",
]


def unit(number: int) -> Unit:
    """One of many unlike units: 1 to 10 models, one or two weapons."""
    size = (1, 3, 5, 10)[number % 4]
    abilities, _ = read_abilities(ABILITIES[number % len(ABILITIES)])
    guns = tuple(
        Weapon(
            name=f"gun {number}.{place}",
            range=24,
            attacks=Dice.parse((1, 2, "D6", 4)[(number + place) % 4]),
            skill=2 + number % 4,
            strength=4 + (number * 3 + place) % 9,
            ap=-(number % 4),
            damage=Dice.parse((1, 2, "D3", "D6+1")[(number // 3 + place) % 4]),
            abilities=abilities,
        )
        for place in range(1 + number % 2)
    )
    profile = Profile(M=6, T=3 + number % 10, Sv=2 + number % 5, W=(1, 2, 3, 12)[(number + 1) % 4], Ld=7, OC=1)
    kind = Kind(f"model {number}", size, profile, tuple((gun.name, size) for gun in guns))
    return Unit(f"unit {number}", "11e", (kind,), guns, keywords=("INFANTRY",), points=50 + number * 7)


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    units = [unit(number) for number in range(size)]
    table(units[:1], units[:1])
    start = time.perf_counter()
    found = table(units, units)
    seconds = time.perf_counter() - start
    print(f"{size} x {size} table: {seconds:.2f} s, {1e3 * seconds / len(found.cells):.2f} ms a cell")


if __name__ == "__main__":
    main()
