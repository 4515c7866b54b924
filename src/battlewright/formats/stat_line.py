"""Stat lines as community files print them: cells by name ("M", "SV", "InSv" …) into a :class:`Profile`.

Rules: 11e 02.01; 10e T-2.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, Literal

import msgspec

from battlewright.datasheet import Ability, Profile
from battlewright.dice import Dice
from battlewright.errors import Unparsed

_CELLS: Final = {"m": "M", "t": "T", "sv": "Sv", "save": "Sv", "w": "W", "ld": "Ld", "oc": "OC"}
_RANGES: Final = {"M": (0, 99), "T": (1, 30), "Sv": (2, 7), "W": (1, 200), "Ld": (2, 12), "OC": (0, 99)}
_INVULNERABLE: Final = re.compile(
    r"(?<![\w+])([2-6])\s*\+\s*\*?(?:\)|\s|$|\.|,|\binvulnerable)|invulnerable save of ([2-6])\+", re.IGNORECASE
)

#: The name of an ability that tells an invulnerable save.
SAVE_NAME: Final = re.compile(r"^\W*invulnerable save\b", re.IGNORECASE)
_SAVE_ONLY: Final = re.compile(
    r"^(?:(?:this|the|models?|in|unit|bearer|each|all|every) ?)*(?:has|have) an? \d\+ invulnerable save"
    r"(?: against (?:ranged|melee) attacks)?\.?$|^\d\+$",
    re.IGNORECASE,
)


def read_profile(cells: Mapping[str, str]) -> tuple[Profile, tuple[str, ...]]:
    """The stat line, and the cells that could not be read ("W: many").

    >>> profile, unread = read_profile({"M": '6"', "T": "4", "SV": "3+", "W": "2", "LD": "6+", "OC": "2", "InSv": "5+*"})
    >>> profile.M, profile.Sv, profile.InSv, unread
    (6, 3, 5, ())
    >>> read_profile({"M": "D6", "T": "-", "OC": "-", "W": "many"})[1]
    ('W: many',)
    """
    found: dict[str, int | Dice] = {}
    unread = []
    for name, text in cells.items():
        cell = _CELLS.get(name.strip().casefold())
        plain = str(text).strip()
        if name.strip().casefold() in ("insv", "inv", "invuln", "inv. sv"):
            continue
        try:
            if cell is None:
                unread.append(f"{name}: {plain}")
            elif cell == "M" and re.search(r"[dD]", plain):
                found["M_dice"] = Dice.parse(plain.strip('"″” '))
            elif (number := _number(cell, plain)) is not None:
                found[cell] = number
        except Unparsed:
            unread.append(f"{name}: {plain}")
    profile = Profile(**found)  # type: ignore[arg-type]
    for name, text in cells.items():
        if name.strip().casefold() in ("insv", "inv", "invuln", "inv. sv"):
            profile = with_invulnerable(profile, str(text))
    return profile, tuple(unread)


def _number(cell: str, text: str) -> int | None:
    """A cell's number; "-" is 0 for M and OC, and no value elsewhere."""
    if text in ("-", "–", "—", "", "N/A", "n/a"):
        return 0 if cell in ("M", "OC") and text else None
    found = re.fullmatch(r"(\d{1,3})\s*\+?(?:[\"″”']{0,2}|\+)\+?\*?", text)
    low, high = _RANGES[cell]
    if not found or not low <= int(found[1]) <= high:
        raise Unparsed(text, (0, len(text)), f"{cell} from {low} to {high}")
    return int(found[1])


def with_invulnerable(profile: Profile, text: str) -> Profile:
    """The profile with the invulnerable save a text states ("4+", "This model has a 4+ invulnerable save.").

    "against ranged attacks" and "(Ranged)" narrow it. A text without one changes nothing.

    >>> save = with_invulnerable(Profile(), "Models have a 5+ invulnerable save against ranged attacks.")
    >>> save.InSv, save.InSv_against
    (5, 'ranged')
    """
    found = _INVULNERABLE.search(text + " ")
    if not found:
        return profile
    value = int(found[1] or found[2])
    return msgspec.structs.replace(profile, InSv=value, InSv_against=_against(text))


def _against(text: str) -> Literal["ranged", "melee"] | None:
    if re.search(r"against ranged|\(ranged\)|ranged attacks? only|ranged only", text, re.IGNORECASE):
        return "ranged"
    if re.search(r"against melee|\(melee\)|melee attacks? only|melee only", text, re.IGNORECASE):
        return "melee"
    return None


def is_told(ability: Ability, lines: Iterable[Profile]) -> bool:
    """An ability that says no more than the invulnerable save of a stat line.

    >>> is_told(Ability("Invulnerable Save", "4+"), [Profile(InSv=4)]), is_told(Ability("Stoke", "4+"), [Profile(InSv=4)])
    (True, False)
    """
    if not SAVE_NAME.match(ability.name) or ability.kind == "wargear" or not _SAVE_ONLY.match(ability.text):
        return False
    told = with_invulnerable(Profile(), ability.text)
    return any((line.InSv, line.InSv_against) == (told.InSv, told.InSv_against) for line in lines)
