"""A printed weapon as a line of an odds request: what its abilities mean in plain numbers.

Rules: 11e 24; 10e W-*.
"""

from __future__ import annotations

from typing import Any, Final

from battlewright.datasheet import Weapon
from battlewright.dice import Dice

FLAGS: Final = {
    "torrent": "torrent",
    "heavy": "heavy",
    "lance": "lance",
    "twin-linked": "twin_linked",
    "lethal hits": "lethal",
    "devastating wounds": "devastating",
    "ignores cover": "ignores_cover",
    "precision": "precision",
    "hazardous": "hazardous",
}
#: abilities that change no roll by themselves; rules may ask for them
OTHERS: Final = ("assault", "pistol", "close-quarters", "one shot", "extra attacks", "psychic", "indirect fire")
NUMBERS: Final = {"rapid fire": "rapid_fire", "sustained hits": "sustained", "melta": "melta", "cleave": "cleave"}


def line(
    weapon: Weapon, count: int, *, half: bool = False, far: bool = False, indirect: bool = False
) -> dict[str, Any]:
    """``count`` of a weapon as one batch. ``half``: the target is within half range; ``far``: [CONVERSION] reaches.

    A Strength that is not printed stays None: what it counts as is the asker's to say.

    >>> from battlewright.datasheet import WeaponAbility
    >>> gun = Weapon("gun", 24, Dice.parse(1), 3, 4, 0, Dice.parse(1), (WeaponAbility("rapid fire", Dice.parse(1)),))
    >>> line(gun, 5, half=True)["rapid_fire"], "rapid_fire" in line(gun, 5)
    (1, False)
    """
    found: dict[str, Any] = {
        "name": weapon.title,
        "count": count,
        "A": plain(weapon.attacks),
        "D": plain(weapon.damage),
    }
    found |= {"S": weapon.strength, "AP": weapon.ap}
    if weapon.melee:
        found["melee"] = True
    if weapon.skill is not None:
        found["skill"] = weapon.skill
    if indirect:
        found["indirect"] = True
    for ability in weapon.abilities:
        amount = 1 if ability.amount is None else plain(ability.amount)
        match ability.name:
            case "anti":
                found.setdefault("anti", {})[ability.keyword] = amount
            case "blast":
                found["blast"] = True if ability.amount is None else amount
            case "conversion" if far:
                found["crit_hit"] = 4
            case "rapid fire" | "melta" if not half:
                pass
            case name if name in FLAGS:
                found[FLAGS[name]] = True
            case name if name in NUMBERS:
                found[NUMBERS[name]] = amount
            case name if name in OTHERS:
                found.setdefault("abilities", []).append(name)
    return found


def plain(dice: Dice) -> int | str:
    """Dice as a request says them: a number, or text."""
    return dice.constant if dice.constant is not None else str(dice)
