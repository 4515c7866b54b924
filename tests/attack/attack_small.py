"""Random requests small enough to be worked through by hand, or nearly."""

from __future__ import annotations

from random import Random
from typing import Any


def request(seed: int, *, size: int = 3, most: int = 6) -> dict[str, Any]:
    """A request with about ``size`` attacks a batch and at most ``most`` wounds in all; every ability has its turn."""
    random = Random(seed)
    while True:
        found = {
            "edition": random.choice(["10e", "11e"]),
            "attack": attack(random, size),
            "target": target(random),
        }
        if sum(largest(weapon, found["target"]) for weapon in found["attack"]["weapons"]) <= most:
            return found


def largest(weapon: dict[str, Any], target: dict[str, Any]) -> int:
    """The most wounds a batch can make, or a little more."""
    fives = sum(group["models"] for group in target["groups"]) // 5
    attacks = 3 if weapon["A"] == "D3" else weapon["A"]
    attacks += (int(weapon.get("blast", 0)) + weapon.get("cleave", 0)) * fives + weapon.get("rapid_fire", 0)
    return weapon["count"] * attacks * (1 + {0: 0, 1: 1, "D3": 3}[weapon.get("sustained", 0)])


def maybe(random: Random, chance: float, values: dict[str, list[Any]]) -> dict[str, Any]:
    return {name: random.choice(options) for name, options in values.items() if random.random() < chance}


def attack(random: Random, size: int) -> dict[str, Any]:
    weapons = [weapon(random, size) for _ in range(random.choice([1, 1, 2]))]
    more = maybe(random, 0.3, {"half_range": [True], "stationary": [True], "charged": [True], "hit_mod": [-2, -1, 1]})
    more |= maybe(random, 0.15, {"snap": [True], "wound_mod": [-1, 1], "spotter": [True]})
    if random.random() < 0.5:
        W = random.choice([1, 2, 3, 5])
        more["attacker"] = {"models": random.choice([1, 2, 4]), "W": W, "wounded": random.randrange(W)} | maybe(
            random, 0.4, {"FNP": [4, 5, 6], "monster_vehicle": [True]}
        )
    return {"weapons": weapons} | more


def weapon(random: Random, size: int) -> dict[str, Any]:
    shots = {"count": 1, "A": random.choice([1, 2, size])} if random.random() < 0.7 else {"count": 2, "A": 1}
    if random.random() < 0.15:
        shots = {"count": 1, "A": "D3"}
    basic = shots | {
        "skill": random.randint(2, 6),
        "S": random.randint(2, 10),
        "AP": random.randint(-3, 0),
        "D": random.choice([1, 1, 2, 3, "D3", "D6"]),
    }
    rare = {
        "melee": [True], "lethal": [True], "devastating": [True], "twin_linked": [True], "heavy": [True], "lance": [True],
        "ignores_cover": [True], "precision": [True], "hazardous": [True], "torrent": [True], "lethal_auto": [False],
        "sustained": [1, "D3"], "anti": [{"INFANTRY": 4}, {"INFANTRY": 2, "FLY": 3}, {"VEHICLE": 4}], "melta": [2],
        "crit_hit": [5, 4], "crit_wound": [5], "reroll_hits": ["ones", "fails", "noncrit"],
        "reroll_wounds": ["ones", "fails", "noncrit"], "hit_mod": [-1, 1], "wound_mod": [-1, 1], "skill_mod": [-1, 1, 2],
        "rapid_fire": [1], "blast": [True, 2], "cleave": [1],
    }  # fmt: skip
    ours = {"crit_ap": [1, 3], "crit_D": [3, "D3"], "indirect": [True], "reroll_damage": ["ones", "fails", "best"]}
    found = basic | maybe(random, 0.18, rare) | maybe(random, 0.08, ours)
    return found if not found.get("melee") else found | {"indirect": False}


def target(random: Random) -> dict[str, Any]:
    groups = [group(random, False) for _ in range(random.choice([1, 1, 2]))]
    if random.random() < 0.5:
        groups += [group(random, True) for _ in range(random.choice([1, 1, 2]))]
    if random.random() < 0.1:
        groups = [group(random, True)]
    random.shuffle(groups)
    return {"groups": groups, "keywords": ["INFANTRY"]} | maybe(
        random,
        0.2,
        {
            "cover": [True], "stealth": [True], "hit_mod": [-1, 1], "wound_mod": [-1, 1], "save_mod": [-1, 1, 2],
            "reroll_saves": ["ones", "fails"],
        },
    )  # fmt: skip


def group(random: Random, character: bool) -> dict[str, Any]:
    W = random.choice([1, 1, 2, 3, 4])
    basic = {
        "models": 1 if character else random.choice([1, 2, 3, 5]),
        "T": random.randint(3, 9),
        "W": W,
        "Sv": random.randint(2, 7),
    }
    if character:
        basic["character"] = True
    if random.random() < 0.3:
        basic["wounded"] = random.randrange(W)
    rare = {"InSv": [4, 5], "FNP": [4, 5, 6], "FNP_mortal": [3, 5], "minus_damage": [1], "halve_damage": [True]}
    return basic | maybe(random, 0.2, rare)
