"""The abilities of weapons and units that the core rules name: their spelling and their parameters."""

from __future__ import annotations

import re

from battlewright.dice import Dice
from battlewright.effects import Amount, Grant

#: abilities by which weapons are called: "Torrent weapons" have it
WEAPON_ABILITIES = frozenset(
    ("assault", "blast", "devastating wounds", "extra attacks", "hazardous", "heavy", "ignores cover", "indirect fire",
     "lance", "lethal hits", "melta", "one shot", "pistol", "precision", "psychic", "rapid fire", "sustained hits",
     "torrent", "twin-linked")
)  # fmt: skip
#: abilities of units that are also written as if they were keywords: "Lone Operative units"
UNIT_ABILITIES = frozenset(
    ("deep strike", "fights first", "infiltrators", "lone operative", "stealth", "feel no pain", "hover", "leader", "scouts",
     "deadly demise", "firing deck")
)  # fmt: skip
_ANTI = re.compile(r"anti-?\s*(?P<kw>[\w' -]+?)\s*(?P<n>[2-6])\+$", re.I)
_VALUED = re.compile(r"(?P<name>[a-z][a-z' -]*?)\s+(?P<n>\d{0,2}d[36](?:\+\d+)?|\d+)\+?$", re.I)
_NAME = re.compile(r"[a-z][a-z' -]*$", re.I)


def read_abilities(text: str) -> tuple[Grant, ...]:
    """The weapon abilities of a bracket; () when it is none.

    >>> [(g.name, g.keywords, g.amount and str(g.amount.n)) for g in read_abilities("ANTI-VEHICLE 4+, Rapid Fire D3")]
    [('anti', ('VEHICLE',), '4'), ('rapid fire', (), 'D3')]
    """
    found = tuple(_ability(part.strip().strip("[]")) for part in re.split(r"[,;]|\]\s*\[", text))
    return () if None in found else found  # type: ignore[return-value]


def _ability(text: str) -> Grant | None:
    if anti := _ANTI.match(text):
        return Grant("weapon_ability", "anti", Amount(Dice.parse(anti["n"])), (anti["kw"].strip().upper(),))
    if valued := _VALUED.match(text):
        return Grant("weapon_ability", valued["name"].lower(), Amount(Dice.parse(valued["n"].upper())))
    return Grant("weapon_ability", text.lower()) if _NAME.match(text) else None
