"""The 11th edition: saves in a pool, cover worsens BS, devastating wounds after their batch."""

from __future__ import annotations

from battlewright.editions.base import FACES, Damage, Edition, Hazard, Resolution, Save


def damage(rolled: int, change: Damage) -> int:
    """Add, then divide, then subtract; fractions up; at least 1. A damage of 0 that nothing adds to stays 0 (02.02.01).

    >>> damage(5, Damage(add=2, halve=True, minus=1))
    3
    """
    if rolled + change.add <= 0:
        return 0
    value = rolled + change.add
    return max(1, -int(-((value / 2 if change.halve else value) - change.minus) // 1))


def fails(save: Save) -> frozenset[int]:
    """The unmodified faces that damage a model: 1, or neither InSv nor (result + AP) against Sv holds (05.04).

    >>> sorted(fails(Save(3, 5, -3, cover=False, modifier=0)))
    [1, 2, 3, 4]
    """

    def saved(face: int) -> bool:
        result = max(1, face + save.modifier)
        return (save.invulnerable is not None and result >= save.invulnerable) or result + save.ap >= save.armour

    return frozenset(face for face in FACES if face == 1 or not saved(face))


ELEVENTH = Edition(
    id="11e",
    resolution=Resolution.POOLED,
    skill_worst=6,
    cover_worsens_skill=1,
    stealth_is_cover=True,
    lethal_is_choice=True,
    snap_forbids_rerolls=True,
    torrent_hits_in_snap=True,
    cleave=True,
    devastating_reduced=False,
    devastating_last=False,
    indirect_hit_mod=0,
    indirect_forbids_rerolls=True,
    indirect_blind_floor=6,
    indirect_spotted_floor=4,
    hazard=Hazard(fails=frozenset({1, 2}), mortal=1, mortal_monster=3, spills=True),
    damage=damage,
    fails=fails,
    rules={
        "hit": "05.01", "wound": "05.02", "allocate": "05.03", "toughness": "05.02.01", "save": "05.03", "damage": "05.04",
        "feel no pain": "24.12", "mortal wounds": "06.02", "order": "04.03", "modifiers": "02.02.01", "re-roll": "01.05.02",
        "attached": "19.02", "cover": "13.08", "stealth": "24.33", "snap": "15.09",
        "rapid fire": "24.30", "torrent": "24.37", "ignores cover": "24.18", "twin-linked": "24.38",
        "lethal hits": "24.23", "lance": "24.21", "indirect fire": "10.07", "precision": "24.28",
        "blast": "24.05", "cleave": "24.06", "melta": "24.25", "heavy": "24.16", "hazardous": "24.15",
        "devastating wounds": "24.10", "sustained hits": "24.36", "anti": "24.03",
    },
)  # fmt: skip
