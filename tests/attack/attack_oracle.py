"""A slow twin of the whole odds room, written from the rules digests: every roll of a small attack, in fractions.

It reads the request form (plain dicts), keeps every model by itself, and shares nothing with the package.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction as F
from typing import Any

Dist = dict[Any, F]
SIXTH = F(1, 6)
KINDS = ("normal", "sharp", "devastating")


def spread(text: Any) -> Dist:
    """Dice text to a distribution, by adding one die after another."""
    found = re.fullmatch(r"(?:(\d*)D([36]))?\+?(\d+)?", str(text))
    assert found, text
    number = int(found[1] or 1) if found[2] else 0
    total: Dist = {int(found[3] or 0): F(1)}
    for _ in range(number):
        total = bind(total, lambda value: {value + face: F(1, int(found[2])) for face in range(1, int(found[2]) + 1)})
    return total


def bind(dist: Dist, then: Callable[[Any], Dist]) -> Dist:
    total: Dist = defaultdict(F)
    for value, chance in dist.items():
        for result, share in then(value).items():
            total[result] += chance * share
    return dict(total)


def die(again: Callable[[int], bool]) -> Dist:
    """The unmodified face after at most one re-roll."""
    total: Dist = defaultdict(F)
    for face in range(1, 7):
        if again(face):
            for second in range(1, 7):
                total[second] += SIXTH * SIXTH
        else:
            total[face] += SIXTH
    return dict(total)


def clamp(value: int) -> int:
    return max(-1, min(1, value))


class Oracle:
    """One request, worked through step by step."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.tenth = request["edition"] == "10e"
        self.attack, self.target = request["attack"], request["target"]
        self.groups = self.target["groups"]
        self.before = tuple(self.fresh(group) for group in self.groups)
        self.attacks = self.hits = self.wounds = F(0)

    @staticmethod
    def fresh(group: dict[str, Any]) -> tuple[int, ...]:
        models = [group["W"]] * group["models"]
        models[0] -= group.get("wounded", 0)
        return tuple(models)

    # --- rolls -------------------------------------------------------------------------------------------------

    def covered(self, weapon: dict[str, Any]) -> bool:
        if weapon.get("melee") or weapon.get("ignores_cover"):
            return False
        if weapon.get("indirect"):
            return True
        return bool(self.target.get("cover") or (not self.tenth and self.target.get("stealth")))

    def one_attack(self, weapon: dict[str, Any]) -> Dist:
        """(wounds without a roll, hits) of one attack."""
        if weapon.get("torrent"):
            return {(0, 1): F(1)}
        snap = self.attack.get("snap")
        seen = self.attack.get("spotter") and self.attack.get("stationary")
        blind = 3 if self.tenth or seen else 5
        modifier = weapon.get("hit_mod", 0) + self.attack.get("hit_mod", 0) + self.target.get("hit_mod", 0)
        modifier += bool(weapon.get("heavy") and self.attack.get("stationary"))
        modifier -= bool(self.tenth and weapon.get("indirect"))
        modifier -= bool(self.tenth and self.target.get("stealth") and not weapon.get("melee"))
        skill = weapon["skill"] + weapon.get("skill_mod", 0) + (0 if self.tenth else self.covered(weapon))
        skill = max(2, skill) if self.tenth else max(2, min(6, skill))

        def hit(face: int) -> bool:
            if face == 1 or (snap and face != 6) or (weapon.get("indirect") and face <= blind):
                return False
            return critical(face) or face + clamp(modifier) >= skill

        def critical(face: int) -> bool:
            if weapon.get("indirect") and face <= blind:
                return False
            return face != 1 and face >= weapon.get("crit_hit", 6) and not (snap and face != 6)

        policy = weapon.get("reroll_hits", "none")
        if (snap or weapon.get("indirect")) and not self.tenth:
            policy = "none"
        again = {
            "none": lambda face: False,
            "ones": lambda face: face == 1,
            "fails": lambda face: not hit(face),
            "noncrit": lambda face: not critical(face),
        }[policy]
        lethal = weapon.get("lethal") and (self.tenth or weapon.get("lethal_auto", True))

        def result(face: int) -> Dist:
            if not hit(face):
                return {(0, 0): F(1)}
            if not critical(face):
                return {(0, 1): F(1)}
            first = (1, 0) if lethal else (0, 1)
            extra = spread(weapon.get("sustained", 0))
            return {(first[0], first[1] + more): chance for more, chance in extra.items()}

        return bind(die(again), result)

    def one_wound(self, weapon: dict[str, Any], toughness: int) -> Dist:
        """ "none", "normal" or "devastating" of one hit."""
        strength = weapon["S"]
        if strength >= 2 * toughness:
            needed = 2
        elif strength > toughness:
            needed = 3
        elif strength == toughness:
            needed = 4
        elif 2 * strength <= toughness:
            needed = 6
        else:
            needed = 5
        threshold = weapon.get("crit_wound", 6)
        for keyword, roll in weapon.get("anti", {}).items():
            if keyword in self.target.get("keywords", []):
                threshold = min(threshold, roll)
        modifier = weapon.get("wound_mod", 0) + self.attack.get("wound_mod", 0) + self.target.get("wound_mod", 0)
        modifier += bool(weapon.get("lance") and self.attack.get("charged"))

        def wound(face: int) -> bool:
            return face != 1 and (critical(face) or face + clamp(modifier) >= needed)

        def critical(face: int) -> bool:
            return face != 1 and face >= threshold

        policy = weapon.get("reroll_wounds", "none")
        if weapon.get("twin_linked") and policy in ("none", "ones"):
            policy = "fails"
        again = {
            "none": lambda face: False,
            "ones": lambda face: face == 1,
            "fails": lambda face: not wound(face),
            "noncrit": lambda face: not critical(face),
        }[policy]

        def result(face: int) -> Dist:
            if not wound(face):
                return {"none": F(1)}
            if critical(face) and weapon.get("devastating"):
                return {"devastating": F(1)}
            sharp = weapon.get("crit_ap") or weapon.get("crit_D") not in (None, weapon.get("D", 1))
            return {"sharp" if critical(face) and sharp else "normal": F(1)}

        return bind(die(again), result)

    def number_of_attacks(self, weapon: dict[str, Any]) -> Dist:
        fives = sum(len(models) for models in self.before) // 5
        extra = int(weapon.get("blast", 0)) * fives
        if not self.tenth and weapon.get("melee"):
            extra += weapon.get("cleave", 0) * fives
        total: Dist = {0: F(1)}
        for _ in range(weapon.get("count", 1)):
            parts = [spread(weapon.get("A", 1)), {extra: F(1)}]
            if self.attack.get("half_range"):
                parts.append(spread(weapon.get("rapid_fire", 0)))
            for part in parts:
                total = bind(total, lambda n, part=part: {n + more: chance for more, chance in part.items()})
        return total

    def count(self, weapon: dict[str, Any], toughness: int, share: F) -> None:
        attacks = share * mean(self.number_of_attacks(weapon))
        one = self.one_attack(weapon)
        wounding = 1 - self.one_wound(weapon, toughness).get("none", F(0))
        self.attacks += attacks
        self.hits += attacks * sum(chance * (auto + hits) for (auto, hits), chance in one.items())
        self.wounds += attacks * sum(chance * (auto + hits * wounding) for (auto, hits), chance in one.items())

    # --- who takes it ------------------------------------------------------------------------------------------

    def toughness(self, state: tuple[tuple[int, ...], ...]) -> int:
        living = [group for group, models in zip(self.groups, state, strict=True) if models]
        bodies = [group["T"] for group in living if not group.get("character")]
        return max(bodies or [group["T"] for group in living])

    def ranking(self, state: tuple[tuple[int, ...], ...]) -> list[int]:
        kinds: list[list[int]] = [[], [], [], []]
        for place, models in enumerate(state):
            if models:
                hurt = any(left < self.groups[place]["W"] for left in models)
                kinds[2 * bool(self.groups[place].get("character")) + (not hurt)].append(place)
        return [place for kind in kinds for place in kind]

    def picked(self, state: tuple[tuple[int, ...], ...]) -> int | None:
        characters = [place for place in self.ranking(state) if self.groups[place].get("character")]
        return characters[0] if characters else None

    # --- damage ------------------------------------------------------------------------------------------------

    def damages(self, weapon: dict[str, Any], group: dict[str, Any], mortal: bool) -> Dist:
        melta = weapon.get("melta", 0) if self.attack.get("half_range") else 0
        reduced = self.tenth or not mortal
        half = bool(group.get("halve_damage")) and reduced
        minus = group.get("minus_damage", 0) if reduced else 0

        def final(rolled: int) -> Dist:
            value = F(rolled)
            if rolled + melta == 0:
                return {0: F(1)}
            if self.tenth:
                value = (value / 2 if half else value) + melta
            else:
                value = (value + melta) / 2 if half else value + melta
            value -= minus
            return {max(1, -(-value.numerator // value.denominator)): F(1)}

        return bind(spread(weapon.get("D", 1)), final)

    def hurt(self, state: Any, place: int, damage: int, mortal: bool) -> Dist:
        """One model of the group takes the damage point by point: (state, wasted)."""
        group = self.groups[place]
        ignore = group.get("FNP")
        if mortal and group.get("FNP_mortal") is not None:
            ignore = group["FNP_mortal"]
        models = list(state[place])
        victim = min(range(len(models)), key=lambda index: models[index])
        live: Dist = {(models[victim], 0): F(1)}
        for _ in range(damage):

            def point(now: tuple[int, int]) -> Dist:
                left, wasted = now
                if not left:
                    return {(0, wasted + 1): F(1)}
                if ignore is None:
                    return {(left - 1, wasted): F(1)}
                kept = F(7 - ignore, 6)
                return {(left, wasted): kept, (left - 1, wasted): 1 - kept}

            live = bind(live, point)

        def after(now: tuple[int, int]) -> Dist:
            rest = models[:victim] + ([now[0]] if now[0] else []) + models[victim + 1 :]
            return {((*state[:place], tuple(rest), *state[place + 1 :]), now[1]): F(1)}

        return bind(live, after)

    def strike(self, weapon: dict[str, Any], state: Any, place: int, mortal: bool) -> Dist:
        damages = self.damages(weapon, self.groups[place], mortal)
        policy, left = weapon.get("reroll_damage", "none"), min(state[place])
        if policy != "none" and "D" in str(weapon["D"]):
            rolled = self.damages_by_roll(weapon, self.groups[place], mortal)
            average = sum(chance * min(damage, left) for _, damage, chance in rolled)
            again = [
                {
                    "ones": roll == min(spread(weapon["D"])) and not str(weapon["D"]).startswith("2"),
                    "fails": roll < mean(spread(weapon["D"])),
                    "best": min(damage, left) < average,
                }[policy]
                for roll, damage, _ in rolled
            ]
            total: Dist = defaultdict(F)
            for (_, damage, chance), once_more in zip(rolled, again, strict=True):
                for value, share in damages.items() if once_more else [(damage, F(1))]:
                    total[value] += chance * share
            damages = total
        return bind(damages, lambda d: self.hurt(state, place, d, mortal))

    def damages_by_roll(self, weapon: dict[str, Any], group: dict[str, Any], mortal: bool) -> list[tuple[int, int, F]]:
        """(what the dice show, the damage it does, its chance)."""
        found = []
        for roll, chance in spread(weapon["D"]).items():
            (damage,) = self.damages(weapon | {"D": roll}, group, mortal)
            found.append((roll, damage, chance))
        return found

    def save_fails(self, weapon: dict[str, Any], place: int, face: int) -> bool:
        group, ap, modifier = self.groups[place], weapon.get("AP", 0), self.target.get("save_mod", 0)
        if face == 1:
            return True
        if self.tenth:
            covered = self.covered(weapon) and not (ap == 0 and group["Sv"] <= 3)
            armour = face + min(1, ap + modifier + covered) >= group["Sv"]
            return not (armour or (group.get("InSv") is not None and face + min(1, modifier) >= group["InSv"]))
        result = max(1, face + modifier)
        return not (result + ap >= group["Sv"] or (group.get("InSv") is not None and result >= group["InSv"]))

    @staticmethod
    def sharpened(weapon: dict[str, Any]) -> dict[str, Any]:
        """The weapon of a critical wound that improves AP or Damage."""
        ap, damage = weapon.get("AP", 0) - weapon.get("crit_ap", 0), weapon.get("crit_D") or weapon.get("D", 1)
        return weapon | {"AP": ap, "D": damage}

    def save_die(self, weapon: dict[str, Any], place: int) -> Dist:
        again = {
            "none": lambda face: False,
            "ones": lambda face: face == 1,
            "fails": lambda face: self.save_fails(weapon, place, face),
        }[self.target.get("reroll_saves", "none")]
        return die(again)

    # --- the two ways ------------------------------------------------------------------------------------------

    def run(self) -> dict[str, Any]:
        final = self.run_tenth() if self.tenth else self.run_eleventh()
        return self.told(final)

    def run_tenth(self) -> Dist:
        """(state, wasted, waiting) after every single attack; waiting: devastating wounds by batch."""
        toughness = self.toughness(self.before)
        world: Dist = {(self.before, F(0), ()): F(1)}
        for place, weapon in enumerate(self.attack["weapons"]):
            self.count(weapon, toughness, F(1))
            one, wound = self.one_attack(weapon), self.one_wound(weapon, toughness)
            number = self.number_of_attacks(weapon)
            total: Dist = defaultdict(F)
            for attacks in range(max(number) + 1):
                for key, chance in world.items():
                    total[key] += number.get(attacks, F(0)) * chance
                world = self.one_more(world, weapon, place, one, wound)
            world = dict(total)
        for place, weapon in enumerate(self.attack["weapons"]):
            while any(place in waiting for _, _, waiting in world):
                world = self.devastate(world, weapon, place)
        result: Dist = defaultdict(F)
        for (state, wasted, _), chance in world.items():
            result[state, wasted] += chance
        return dict(result)

    def one_more(self, world: Dist, weapon: dict[str, Any], place: int, one: Dist, wound: Dist) -> Dist:
        def normal(now: Any, *, sharp: bool = False) -> Dist:
            state, wasted, waiting = now
            gun = self.sharpened(weapon) if sharp else weapon
            if not any(state):
                return {now: F(1)}
            group = self.ranking(state)[0]
            if weapon.get("precision") and (character := self.picked(state)) is not None:
                group = character
            total: Dist = defaultdict(F)
            for face, chance in self.save_die(gun, group).items():
                if not self.save_fails(gun, group, face):
                    total[now] += chance
                    continue
                for (after, lost), share in self.strike(gun, state, group, False).items():
                    total[after, wasted + lost, waiting] += chance * share
            return dict(total)

        def rolled(now: Any) -> Dist:
            total: Dist = defaultdict(F)
            for kind, chance in wound.items():
                if kind == "none":
                    total[now] += chance
                elif kind == "devastating":
                    total[now[0], now[1], (*now[2], place)] += chance
                else:
                    for after, share in normal(now, sharp=kind == "sharp").items():
                        total[after] += chance * share
            return dict(total)

        def attack(now: Any) -> Dist:
            total: Dist = defaultdict(F)
            for (auto, hits), chance in one.items():
                inner: Dist = {now: F(1)}
                for _ in range(auto):
                    inner = bind(inner, normal)
                for _ in range(hits):
                    inner = bind(inner, rolled)
                for after, share in inner.items():
                    total[after] += chance * share
            return dict(total)

        return bind(world, attack)

    def devastate(self, world: Dist, printed: dict[str, Any], place: int) -> Dist:
        weapon = self.sharpened(printed)

        def one(now: Any) -> Dist:
            state, wasted, waiting = now
            if place not in waiting:
                return {now: F(1)}
            index = waiting.index(place)
            rest = waiting[:index] + waiting[index + 1 :]
            if not any(state):
                return {(state, wasted, rest): F(1)}
            group = self.ranking(state)[0]
            if weapon.get("precision") and (character := self.picked(state)) is not None:
                group = character
            return {
                (after, wasted + lost, rest): chance
                for (after, lost), chance in self.strike(weapon, state, group, True).items()
            }

        return bind(world, one)

    def run_eleventh(self) -> Dist:
        world: Dist = {(self.before, F(0)): F(1)}
        for weapon in self.attack["weapons"]:
            for (state, _), chance in world.items():
                self.count(weapon, self.toughness(state if any(state) else self.before), chance)
            world = bind(world, lambda now, weapon=weapon: self.pool(weapon, now))
        return world

    def pool(self, weapon: dict[str, Any], now: Any) -> Dist:
        state, wasted = now
        if not any(state):
            return {now: F(1)}
        one, wound = self.one_attack(weapon), self.one_wound(weapon, self.toughness(state))
        made: Dist = {(0, 0, 0): F(1)}
        total: Dist = defaultdict(F)
        number = self.number_of_attacks(weapon)

        def attack(counts: tuple[int, int, int]) -> Dist:
            def add(hit: tuple[int, int]) -> Dist:
                inner: Dist = {(counts[0] + hit[0], counts[1], counts[2]): F(1)}
                for _ in range(hit[1]):
                    inner = bind(
                        inner,
                        lambda c: {
                            tuple(n + (kind == name) for n, name in zip(c, KINDS, strict=True)): chance
                            for kind, chance in wound.items()
                        },
                    )
                return inner

            return bind(one, add)

        for attacks in range(max(number) + 1):
            for counts, chance in made.items():
                total[counts] += number.get(attacks, F(0)) * chance
            made = bind(made, attack)
        return bind(dict(total), lambda counts: self.resolve(weapon, state, wasted, *counts))

    def resolve(self, weapon: dict[str, Any], state: Any, wasted: F, normal: int, sharp: int, devastating: int) -> Dist:
        chosen = self.picked(state) if weapon.get("precision") else None
        world: Dist = {(state, wasted): F(1)}
        for gun, number in [(weapon, normal)] + ([(self.sharpened(weapon), sharp)] if sharp else []):
            world = bind(world, lambda now, gun=gun, number=number: self.sub_pool(gun, now, number))
        for _ in range(devastating):
            world = bind(world, lambda now: self.one_mortal(self.sharpened(weapon), now, chosen))
        return world

    def sub_pool(self, weapon: dict[str, Any], now: Any, number: int) -> Dist:
        state, _ = now
        if not any(state) or not number:
            return {now: F(1)}
        sequence = self.ranking(state)
        chosen = self.picked(state) if weapon.get("precision") else None
        if chosen is not None:
            sequence = [chosen] + [place for place in sequence if place != chosen]
        pools: Dist = {(): F(1)}
        saves = self.save_die(weapon, sequence[0])
        for _ in range(number):
            pools = bind(pools, lambda dice: {tuple(sorted((*dice, face))): chance for face, chance in saves.items()})

        def apply(dice: tuple[int, ...]) -> Dist:
            inner: Dist = {now: F(1)}
            for face in dice:
                inner = bind(inner, lambda then, face=face: self.one_save(weapon, then, sequence, face))
            return inner

        return bind(pools, apply)

    def one_save(self, weapon: dict[str, Any], now: Any, sequence: list[int], face: int) -> Dist:
        state, wasted = now
        alive = [place for place in sequence if state[place]]
        if not alive or not self.save_fails(weapon, alive[0], face):
            return {now: F(1)}
        return {(after, wasted + lost): c for (after, lost), c in self.strike(weapon, state, alive[0], False).items()}

    def one_mortal(self, weapon: dict[str, Any], now: Any, chosen: int | None) -> Dist:
        state, wasted = now
        if not any(state):
            return {now: F(1)}
        place = chosen if chosen is not None and state[chosen] else self.ranking(state)[0]
        return {(after, wasted + lost): c for (after, lost), c in self.strike(weapon, state, place, True).items()}

    # --- the attacker and the answer -----------------------------------------------------------------------------

    def hazard(self) -> Dist:
        """The models of the attacker left after its own tests."""
        unit = self.attack.get("attacker")
        tests = sum(weapon.get("count", 1) for weapon in self.attack["weapons"] if weapon.get("hazardous"))
        if unit is None:
            return {(): F(1)}
        models = [unit.get("W", 1)] * unit.get("models", 1)
        models[0] -= unit.get("wounded", 0)
        amount = 3 if self.tenth or unit.get("monster_vehicle") else 1
        failing = F(1, 6) if self.tenth else F(2, 6)
        ignore = unit.get("FNP")
        kept = F(0) if ignore is None else F(7 - ignore, 6)

        def lose_one(now: tuple[int, ...]) -> Dist:
            if not now:
                return {now: F(1)}
            rest = sorted(now)
            less = tuple(sorted([left for left in [rest[0] - 1, *rest[1:]] if left]))
            result: Dist = defaultdict(F)
            result[tuple(rest)] += kept
            result[less] += 1 - kept
            return dict(result)

        def lose_on_one_model(now: tuple[int, ...]) -> Dist:
            if not now:
                return {now: F(1)}
            rest = sorted(now)
            live: Dist = {rest[0]: F(1)}
            for _ in range(amount):
                live = bind(live, lambda left: {left: kept, left - 1: 1 - kept} if left else {0: F(1)})
            return bind(live, lambda left: {tuple(sorted(([left] if left else []) + rest[1:])): F(1)})

        world: Dist = {tuple(sorted(models)): F(1)}
        for _ in range(tests):
            failed = world
            if self.tenth:
                failed = bind(failed, lose_on_one_model)
            else:
                for _ in range(amount):
                    failed = bind(failed, lose_one)
            total: Dist = defaultdict(F)
            for key, chance in world.items():
                total[key] += (1 - failing) * chance
            for key, chance in failed.items():
                total[key] += failing * chance
            world = dict(total)
        return world

    def told(self, final: Dist) -> dict[str, Any]:
        damage: Dist = defaultdict(F)
        slain: Dist = defaultdict(F)
        groups = [F(0)] * len(self.groups)
        destroyed = character = wasted = F(0)
        places = [place for place, group in enumerate(self.groups) if group.get("character")]
        for (state, lost), chance in final.items():
            damage[sum(map(sum, self.before)) - sum(map(sum, state))] += chance
            gone = [len(b) - len(a) for b, a in zip(self.before, state, strict=True)]
            slain[sum(gone)] += chance
            groups = [total + chance * less for total, less in zip(groups, gone, strict=True)]
            destroyed += chance * (not any(state))
            character += chance * any(not state[place] for place in places)
            wasted += chance * lost
        unit = self.attack.get("attacker") or {"models": 0}
        full = unit.get("models", 1) * unit.get("W", 1) - unit.get("wounded", 0)
        left = self.hazard()
        own_wounds = sum(chance * (full - sum(models)) for models, chance in left.items())
        own_slain = sum(chance * (unit.get("models", 1) - len(models)) for models, chance in left.items())
        return {
            "attacks": self.attacks,
            "hits": self.hits,
            "wounds": self.wounds,
            "damage": mean(damage),
            "slain": mean(slain),
            "damage_dist": dict(damage),
            "slain_dist": dict(slain),
            "p_destroyed": destroyed,
            "p_character_slain": character,
            "slain_by_group": groups,
            "attacker_wounds": own_wounds if self.attack.get("attacker") else F(0),
            "attacker_slain": own_slain if self.attack.get("attacker") else F(0),
            "wasted": wasted,
        }


def mean(dist: Dist) -> F:
    return sum((value * chance for value, chance in dist.items()), F(0))
