"""The 10th edition: wound by wound, cover helps saves, devastating wounds at the very end."""

from __future__ import annotations

from battlewright.editions.base import FACES, Damage, Edition, Hazard, Resolution, Save


def damage(rolled: int, change: Damage) -> int:
    """Divide, then add, then subtract; fractions up; at least 1. A damage of 0 that nothing adds to stays 0 (T-1.5).

    >>> damage(5, Damage(add=2, halve=True, minus=1))
    4
    """
    if rolled + change.add <= 0:
        return 0
    value = rolled / 2 if change.halve else rolled
    return max(1, -int(-(value + change.add - change.minus) // 1))


def fails(save: Save) -> frozenset[int]:
    """The unmodified faces on which the better of armour and invulnerable save fails (T-6.5, T-11.1).

    Cover adds 1 to armour saves, but not to a save of 3+ or better against AP 0; the net is at most +1.

    >>> sorted(fails(Save(4, None, -1, cover=True, modifier=0)))
    [1, 2, 3]
    >>> sorted(fails(Save(3, None, 0, cover=True, modifier=0)))
    [1, 2]
    """
    cover = save.cover and not (save.ap == 0 and save.armour <= 3)
    armour = save.armour - min(1, cover + save.modifier + save.ap)
    needed = armour if save.invulnerable is None else min(armour, save.invulnerable - min(1, save.modifier))
    return frozenset(face for face in FACES if face == 1 or face < needed)


TENTH = Edition(
    id="10e",
    resolution=Resolution.ONE_BY_ONE,
    skill_worst=None,
    cover_worsens_skill=0,
    stealth_is_cover=False,
    lethal_is_choice=False,
    snap_forbids_rerolls=False,
    torrent_hits_in_snap=True,
    cleave=False,
    devastating_reduced=True,
    devastating_last=True,
    indirect_hit_mod=-1,
    indirect_forbids_rerolls=False,
    indirect_blind_floor=4,
    indirect_spotted_floor=4,
    hazard=Hazard(fails=frozenset({1}), mortal=3, mortal_monster=3, spills=False),
    damage=damage,
    fails=fails,
    rules={
        "hit": "T-6.1", "wound": "T-6.2", "allocate": "T-6.3", "toughness": "T-6.4", "save": "T-6.5", "damage": "T-6.6",
        "feel no pain": "T-6.7", "mortal wounds": "T-6.8", "order": "T-6.11", "modifiers": "T-1.5", "re-roll": "T-1.3",
        "attached": "T-10.2", "cover": "T-11.1", "stealth": "T-5.6", "snap": "S-FO",
        "rapid fire": "W-RAPID", "torrent": "W-TORRENT", "ignores cover": "W-IGNCOV", "twin-linked": "W-TWIN",
        "lethal hits": "W-LETHAL", "lance": "W-LANCE", "indirect fire": "W-INDIRECT", "precision": "W-PRECISION",
        "blast": "W-BLAST", "melta": "W-MELTA", "heavy": "W-HEAVY", "hazardous": "W-HAZ", "devastating wounds": "W-DEV",
        "sustained hits": "W-SUST", "anti": "W-ANTI",
    },
)  # fmt: skip
