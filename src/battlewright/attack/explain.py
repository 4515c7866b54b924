"""Which rules an answer rests on, by their ids."""

from __future__ import annotations

from collections.abc import Iterator

from battlewright.attack.request import NONE, Line, Request
from battlewright.editions import edition as edition_of


def cites(request: Request) -> tuple[str, ...]:
    """The ids of the rules that counted, in the order of the attack sequence.

    >>> from battlewright.attack.request import read
    >>> weapon = {"skill": 3, "S": 4, "lethal": True}
    >>> cites(read({"edition": "11e", "attack": {"weapons": [weapon]},
    ...             "target": {"groups": [{"models": 1, "T": 4, "W": 2, "Sv": 3}]}}))
    ('05.01', '24.23', '05.02', '05.02.01', '05.03', '05.04')
    """
    rules = edition_of(request.edition).rules
    found: dict[str, None] = {}
    for name in (name for line in request.attack.weapons for name in _used(request, line)):
        if name in rules:
            found[rules[name]] = None
    return tuple(found)


def _used(request: Request, line: Line) -> Iterator[str]:
    """The names of the rules one weapon meets."""
    attack, target = request.attack, request.target
    fives = sum(group.models for group in target.groups) >= 5
    yes = {
        "rapid fire": line.rapid_fire != NONE and attack.half_range,
        "blast": line.blast and fives,
        "cleave": line.cleave and line.melee and fives,
        "torrent": line.torrent,
        "hit": not line.torrent,
        "snap": attack.snap,
        "indirect fire": line.indirect,
        "heavy": line.heavy and attack.stationary,
        "stealth": target.stealth and not line.melee,
        "cover": (target.cover or line.indirect) and not line.melee and not line.ignores_cover,
        "ignores cover": line.ignores_cover and (target.cover or target.stealth),
        "modifiers": line.hit_mod or line.wound_mod or line.skill_mod or attack.hit_mod or attack.wound_mod
        or target.hit_mod or target.wound_mod or target.save_mod,
        "re-roll": line.reroll_hits != "none" or line.reroll_wounds != "none" or target.reroll_saves != "none",
        "sustained hits": line.sustained != NONE and not line.torrent,
        "lethal hits": line.lethal and not line.torrent,
        "wound": True,
        "toughness": True,
        "lance": line.lance and attack.charged,
        "twin-linked": line.twin_linked,
        "anti": {name.upper() for name in line.anti} & {name.upper() for name in target.keywords},
        "allocate": True,
        "attached": any(group.character for group in target.groups),
        "precision": line.precision and any(group.character for group in target.groups),
        "save": True,
        "damage": True,
        "melta": line.melta and attack.half_range,
        "devastating wounds": line.devastating,
        "feel no pain": any(group.FNP or group.FNP_mortal for group in target.groups),
        "hazardous": line.hazardous,
    }  # fmt: skip
    return (name for name, holds in yes.items() if holds)
