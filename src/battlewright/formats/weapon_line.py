"""Weapons as people print them: the abilities behind a name (in brackets, bare, or as a list), and a row of numbers.

The abilities are a closed list, read from the right, longest match first. Rules: 11e 24; 10e T-6.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from battlewright.datasheet import Weapon, WeaponAbility
from battlewright.dice import Dice
from battlewright.errors import Unparsed

Use = Literal["any", "ranged", "melee"]
#: name -> (does it take a number: no, may, must; which weapons can have it)
ABILITIES: Final[dict[str, tuple[Literal["no", "may", "must"], Use]]] = {
    "anti": ("must", "any"),
    "assault": ("no", "ranged"),
    "blast": ("may", "ranged"),
    "cleave": ("must", "melee"),
    "close-quarters": ("no", "ranged"),
    "conversion": ("no", "ranged"),
    "devastating wounds": ("no", "any"),
    "extra attacks": ("no", "melee"),
    "hazardous": ("no", "any"),
    "heavy": ("no", "ranged"),
    "ignores cover": ("no", "ranged"),
    "indirect fire": ("no", "ranged"),
    "lance": ("no", "melee"),
    "lethal hits": ("no", "any"),
    "melta": ("must", "ranged"),
    "one shot": ("no", "any"),
    "pistol": ("no", "ranged"),
    "precision": ("no", "any"),
    "psychic": ("no", "any"),
    "rapid fire": ("must", "ranged"),
    "sustained hits": ("must", "any"),
    "torrent": ("no", "ranged"),
    "twin-linked": ("no", "any"),
}
_DICE: Final = r"\d{0,2}[dD][36](?:\+\d+)?|\d{1,2}"
_ANTI: Final = re.compile(r"anti[- ]([a-z][a-z '&/-]*?)\s*\(?(\d)\+\)?", re.I)
_NAMES: Final = "|".join(
    sorted((name.replace(" ", r"\s+").replace("-", r"[- ]?") for name in ABILITIES if name != "anti"), key=len)[::-1]
)
_ABILITY: Final = re.compile(rf"({_NAMES})(?:[\s-]+({_DICE}))?", re.I)
_TAIL: Final = re.compile(rf"(?:^|\s|,)(?:({_NAMES})(?:\s+({_DICE}))?|{_ANTI.pattern})$", re.I)


def read_ability(text: str) -> WeaponAbility:
    """One ability, however it is spelt; raises :class:`Unparsed` for what is not in the closed list.

    >>> str(read_ability("Anti-Vehicle 4+")), str(read_ability("RAPID FIRE D6+3")), str(read_ability("twin linked"))
    ('anti-vehicle 4+', 'rapid fire D6+3', 'twin-linked')
    >>> read_ability("rapid fire")
    Traceback (most recent call last):
    battlewright.errors.Unparsed: expected rapid fire with a number or dice, got 'rapid fire'
    """
    clean = " ".join(text.strip().strip("[].").split())
    if anti := _ANTI.fullmatch(clean):
        return WeaponAbility("anti", _threshold(anti[2]), anti[1].strip().upper())
    found = _ABILITY.fullmatch(clean)
    if not found:
        raise Unparsed(text, (0, len(text)), "a weapon ability")
    return _ability(found[1], found[2], text)


def read_abilities(text: str) -> tuple[tuple[WeaponAbility, ...], tuple[str, ...]]:
    """A comma list, and the parts of it that are no ability we know. ``-`` and nothing are none.

    >>> known, unknown = read_abilities("Heavy, Sustained Hits 1, overcharge")
    >>> list(map(str, known)), unknown
    (['heavy', 'sustained hits 1'], ('overcharge',))
    """
    known, unknown = [], []
    for part in re.split(r"[,;]", text.strip().strip("[]")):
        if not part.strip(" -–*"):
            continue
        try:
            known.append(read_ability(part))
        except Unparsed:
            unknown.append(part.strip().strip("[]"))
    return tuple(known), tuple(unknown)


def split_bare(
    text: str,
    *,
    melee: bool = False,
    names: frozenset[str] = frozenset(),
    own: frozenset[str] = frozenset(),
) -> tuple[str, tuple[WeaponAbility, ...]]:
    """A name with its abilities bare behind it, read from the right. ``names`` (lower case) are weapons known elsewhere.

    At least one word stays the name; an ability is taken once, and only by weapons that can have it. ``own`` (lower
    case) are abilities explained elsewhere on the page: they end the name too.

    >>> name, abilities = split_bare("Ember pistol – loosed hazardous rapid fire 1 PISTOL")
    >>> name, list(map(str, abilities))
    ('Ember pistol – loosed', ['hazardous', 'rapid fire 1', 'pistol'])
    >>> split_bare("Warden's pistol pistol")[0], split_bare("Dawn lance", names=frozenset({"dawn lance"}))[0]
    ("Warden's pistol", 'Dawn lance')
    """
    rest, found = _without(text.strip(), own), list[WeaponAbility]()
    while (tail := _TAIL.search(rest)) and rest[: tail.start()].strip(" ,–-"):
        if not found and _is_known(rest, names):
            break
        ability = _tail_ability(tail, rest)
        use = ABILITIES[ability.name][1] if ability else "any"
        if ability is None or any(ability.name == other.name != "anti" for other in found):
            break
        if use == ("ranged" if melee else "melee"):
            break
        found.insert(0, ability)
        rest = _without(rest[: tail.start()].rstrip(" ,"), own)
        if _is_known(rest, names):
            break
    return rest, tuple(found)


def _without(text: str, own: frozenset[str]) -> str:
    """The text without an explained ability at its end, where a name is left."""
    for name in own:
        before = text[: -len(name)].rstrip(" ,")
        if text.casefold().endswith(f" {name}") and before and not before.endswith(("–", "-")):
            return before
    return text


def split_brackets(text: str) -> tuple[str, tuple[WeaponAbility, ...], tuple[str, ...]]:
    """A name with its abilities in brackets: the name, the abilities, and what in the brackets is none we know.

    >>> split_brackets("Ash thrower [IGNORES COVER, TORRENT]")[0]
    'Ash thrower'
    """
    inside = ", ".join(re.findall(r"\[([^\]]*)\]?", text))
    name = re.sub(r"\s*\[[^\]]*\]?", "", text).strip()
    known, unknown = read_abilities(inside)
    return name, known, unknown


def split_profile(name: str) -> tuple[str, str]:
    """Weapon and profile of a printed name.

    >>> split_profile("Sunder gun – held"), split_profile("➤ Sunder gun - loosed"), split_profile("Arc-gun")
    (('Sunder gun', 'held'), ('Sunder gun', 'loosed'), ('Arc-gun', ''))
    >>> split_profile("➤ Sunder gun- loosed"), split_profile("➤ Arc-gun -held")
    (('Sunder gun', 'loosed'), ('Arc-gun', 'held'))
    """
    listed = name.strip().startswith("➤")
    dash = r"\s*[–—-]\s+|\s+[–—-]\s*" if listed else r"\s+[–—-]\s+"
    weapon, _, profile = re.sub(dash, " – ", name.strip().lstrip("➤ ")).partition(" – ")
    return weapon.strip(), profile.strip()


def read_numbers(cells: list[str], *, melee: bool) -> dict[str, object]:
    """Range, A, BS or WS, S, AP, D of a row, as the arguments of :class:`Weapon`; raises :class:`Unparsed`.

    >>> read_numbers(['24"', "D6", "3+", "4", "-1", "1"], melee=False)["ap"]
    -1
    """
    reach, attacks, skill, strength, ap, damage = (cell.strip().strip("*") for cell in cells)
    automatic = skill.upper() in ("N/A", "-", "–")
    return {
        "range": 0 if melee else _number(reach, r'(\d{1,3})["”″\']{0,2}', 'a range such as 24" or Melee', 1, 999),
        "attacks": Dice.parse(attacks),
        "skill": None if automatic else _number(skill, r"(\d{1,2})\+?", "a skill, 2+ to 6+ or N/A", 2, 6),
        "strength": _number(strength, r"(\d{1,2})", "a strength, 1 to 99", 1, 99),
        "ap": -_number(ap, r"[-−–]?(\d{1,2})", "an AP, 0 to -9", 0, 9),
        "damage": Dice.parse(damage),
    }


def read_weapon(name: str, cells: list[str], abilities: tuple[WeaponAbility, ...], *, melee: bool) -> Weapon:
    """A weapon of its printed name (without abilities) and six cells; raises :class:`Unparsed`."""
    weapon, profile = split_profile(name)
    return Weapon(name=weapon, profile=profile, abilities=abilities, **read_numbers(cells, melee=melee))  # type: ignore[arg-type]


def _tail_ability(tail: re.Match[str], text: str) -> WeaponAbility | None:
    if tail[3]:
        return WeaponAbility("anti", _threshold(tail[4]), tail[3].strip().upper())
    try:
        return _ability(tail[1], tail[2], text)
    except Unparsed:
        return None


def _ability(name: str, amount: str | None, text: str) -> WeaponAbility:
    name = " ".join(name.lower().split())
    name = {"twin linked": "twin-linked", "twinlinked": "twin-linked"}.get(name, name)
    name = {"close quarters": "close-quarters", "closequarters": "close-quarters"}.get(name, name)
    takes = ABILITIES[name][0]
    if takes == "must" and amount is None:
        raise Unparsed(text, (0, len(text)), f"{name} with a number or dice")
    if takes == "no" and amount is not None:
        raise Unparsed(text, (0, len(text)), f"{name} without a number")
    return WeaponAbility(name, None if amount is None else Dice.parse(amount))


def _threshold(text: str) -> Dice:
    return Dice.parse(_number(text, r"(\d)", "a roll of 2+ to 6+", 2, 6))


def _number(text: str, pattern: str, expected: str, low: int, high: int) -> int:
    found = re.fullmatch(pattern, text)
    if not found or not low <= int(found[1]) <= high:
        raise Unparsed(text, (0, len(text)), expected)
    return int(found[1])


def _is_known(text: str, names: frozenset[str]) -> bool:
    """A whole name without a profile that the page speaks of elsewhere."""
    name, profile = split_profile(text)
    return not profile and name.lower() in names
