"""The exact walks of a plan in which something is used only once, or critical wounds inflict mortal wounds besides.

What is left of the re-rolls of one hit and one wound roll is told apart world by world (:mod:`.tokens`); what depends on
the model that is hit (one Damage roll, one save of 10e, one attack without damage) is a part of the state: a row of
chances is several rows side by side, one for each set of what is left, and a wound moves chances between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np

from battlewright.attack.counts import Attack, attack_of, faces, per_weapon
from battlewright.attack.one_by_one import MOST_NUMBERS, OneByOne
from battlewright.attack.outcome import Means
from battlewright.attack.plan import NEVER, NOTHING, Batch, Extra, Once, Plan, State, Strike
from battlewright.attack.pooled import Begin, Pooled, living_in
from battlewright.attack.space import BY_RULE, CHARACTER_FIRST, Policy, Space, Step, kernel, losses, space
from battlewright.attack.steps import added, powers, repeated, thinned
from battlewright.attack.tokens import Terms, WoundRoll, added_by_left, faces_missed, grown, split, wounds_missed
from battlewright.attack.walk import Walk, World, add_to, parts_of
from battlewright.distribution import Array, Number, Numbers, of_dice, power
from battlewright.errors import BadInput

#: the damage of a wound -> chance, by what was used
Damages: TypeAlias = dict[Once, list[Number]]
#: what is left, and how many mortal wounds in addition have been inflicted where they are limited
Left: TypeAlias = tuple[Once, int]


class Blocks:
    """A step on rows that are several side by side: ``parts`` say from which to which, and by what step."""

    __array_ufunc__ = None

    def __init__(self, rows: int, parts: Sequence[tuple[int, int, Step]]) -> None:
        self.rows, self.parts = rows, parts

    def __rmatmul__(self, world: Array) -> Array:
        sides = world.reshape(*world.shape[:-1], self.rows, world.shape[-1] // self.rows)
        total = np.zeros_like(sides)
        for before, after, step in self.parts:
            total[..., after, :] += sides[..., before, :] @ step
        return total.reshape(world.shape)


class Sparing(Walk):
    """What both walks share: rows side by side, and a wound on them."""

    #: what is used when a wound is resolved, model by model
    by_model: Once = frozenset({"damage", "spare"})

    def __init__(self, plan: Plan, numbers: Numbers) -> None:
        super().__init__(plan, numbers)
        mine = sorted(plan.once & self.by_model)
        self.sides = [frozenset(some) for size in range(len(mine) + 1) for some in combinations(mine, size)]
        self.side = {some: place for place, some in enumerate(self.sides)}

    # ------------------------------------------------------------------------------------------------------- rows

    def row(self, where: Space, worlds: Mapping[Once, World]) -> Array:
        """The chances of the states as one row, by what is left of what is used model by model."""
        rows = [self.vector(where, worlds.get(some, {})) for some in self.sides]
        whole: Array = np.concatenate(rows)
        return whole

    def unrow(self, where: Space, row: Array) -> dict[Once, World]:
        """The same back; the waste is told."""
        found: dict[Once, World] = {}
        for some, part in zip(self.sides, row.reshape(len(self.sides), -1), strict=True):
            self.world(where, part, found.setdefault(some, {}))
        return found

    def wound(
        self, where: Space, policy: Policy, batch: Batch, strike: Strike, fails: tuple[bool, ...] | None = None
    ) -> Step:
        """One wound of this strike on such rows; ``fails``: for each group whether the save fails, if that is known."""
        one = (self.numbers.ratio(1, 1),) * len(self.groups)
        parts = []
        for left in self.sides:
            by_use = self.tables(strike, left & batch.once, fails)
            for used, tables in by_use.items():
                step = kernel(where, policy, tables, one, self.numbers, stay=0 if used else 1)
                parts.append((self.side[left], self.side[left - used], step))
        return parts[0][2] if len(self.sides) == 1 else Blocks(len(self.sides), parts)

    def tables(
        self, strike: Strike, usable: Once, fails: tuple[bool, ...] | None
    ) -> dict[Once, tuple[tuple[Array, Array], ...]]:
        """The losses of each group, by what is used of what may be."""
        found: dict[Once, list[tuple[Array, Array]]] = {NEVER: []}
        for place, group in enumerate(self.groups):
            blank = [self.numbers.zeros((group.wounds + 1,) * 2), self.numbers.zeros(group.wounds + 1)]
            mine: dict[Once, list[Array]] = {}
            for room in range(1, group.wounds + 1):
                failed = None if fails is None else fails[place]
                for used, damages in self.damages(strike, place, room, usable, failed).items():
                    table, waste = losses(group.wounds, strike.ignores[place], tuple(damages), self.numbers)
                    into = mine.setdefault(used, [part.copy() for part in blank])
                    into[0][room], into[1][room] = table[room], waste[room]
            for used in {*found, *mine}:
                rows = found.setdefault(used, [self.nothing(before) for before in range(place)])
                table, waste = mine.get(used, blank)
                rows.append((table, waste))
        return {used: tuple(rows) for used, rows in found.items()}

    def nothing(self, place: int) -> tuple[Array, Array]:
        """A table of no chance at all."""
        size = self.groups[place].wounds + 1
        return self.numbers.zeros((size, size)), self.numbers.zeros(size)

    def damages(self, strike: Strike, place: int, room: int, usable: Once, failed: bool | None) -> Damages:
        """What a wound inflicts on a model with so many wounds left, by what is used of what may be.

        The save re-roll comes before "no damage", and that before the Damage roll, which is not made then.
        """
        found: Damages = {}
        one, size = self.numbers.real.ratio(1, 1), max(strike.damage[place]) + 1

        def put(used: Once, damage: int, chance: Number) -> None:
            if chance:
                weights = found.setdefault(used, [0 * one] * size)
                weights[damage] = weights[damage] + chance

        spared = strike.spared[place] if strike.spared and "spare" in usable else ""
        if spared == "allocated" and failed is None:
            put(frozenset({"spare"}), 0, one)
            return found
        for used, chance in self.saves(strike, place, usable, failed, put).items():
            if spared:
                put(used | {"spare"}, 0, chance)
                continue
            again = strike.again[place][room] if strike.again else NOTHING
            once = strike.once[place][room] if strike.once and "damage" in usable else NOTHING
            rolled = of_dice(strike.dice, self.numbers.real)
            for result, value in enumerate(strike.damage[place], start=strike.dice.low):
                if result in again or result in once:
                    then = used | {"damage"} if result in once else used
                    for second, other in enumerate(strike.damage[place], start=strike.dice.low):
                        put(then, other, chance * rolled[result] * rolled[second])
                else:
                    put(used, value, chance * rolled[result])
        return found

    def saves(self, strike: Strike, place: int, usable: Once, failed: bool | None, put: object) -> dict[Once, Number]:
        """The chance that the wound is not saved, by what is used; what is saved is put where it does no damage."""
        assert callable(put)
        one = self.numbers.real.ratio(1, 1)
        if strike.mortal or failed is not None:
            whole = one if strike.mortal or failed else 0 * one
            put(NEVER, 0, one - whole)
            return {NEVER: whole}
        fails, reroll = strike.fails[place], strike.reroll[place]
        failing = sum((faces(reroll, self.numbers.real)[face - 1] for face in fails), 0 * one)
        again = self.numbers.real.ratio(len(fails - reroll) if "save" in usable else 0, 6)
        twice = self.numbers.real.ratio(len(fails), 6)
        put(NEVER, 0, one - failing)
        put(frozenset({"save"}), 0, again * (1 - twice))
        return {NEVER: failing - again, frozenset({"save"}): again * twice}

    # ------------------------------------------------------------------------------------------------------ rolls

    def wound_terms(self, batch: Batch, target: int) -> tuple[dict[tuple[int, bool], Number], ...]:
        """The chances of each (strike, with mortal wounds besides?) of a wound roll: with its re-rolls, and a fresh one."""
        wounding = batch.woundings[target]
        found = []
        for reroll in (wounding.reroll, NOTHING):
            chances: dict[tuple[int, bool], Number] = {}
            for face, chance in enumerate(faces(reroll, self.real), start=1):
                strike = wounding.strikes[face - 1]
                if strike is not None:
                    key = (strike, batch.extra is not None and face in wounding.criticals)
                    chances[key] = chances.get(key, 0) + chance
            found.append(chances)
        return tuple(found)

    def more(
        self, batch: Batch, target: int, before: Once, parts: Iterable[tuple[Once, Number]], share: Number
    ) -> None:
        """Add to the means what the re-rolls of one die add: ``parts`` are the chances of what is left after the batch."""
        used: dict[str, Number] = {}
        for left, chance in parts:
            for name in before - left:
                used[name] = used.get(name, 0) + chance * share
        attack = attack_of(batch.hit, batch.automatic, NOTHING, self.real)
        first, fresh = (sum(chances.values()) for chances in self.wound_terms(batch, target))
        hits = used.get("hit", 0) * sum(chance * (wounds + hits) for (wounds, hits), chance in attack)
        wounds = used.get("hit", 0) * sum(chance * (wounds + hits * first) for (wounds, hits), chance in attack)
        wounds += used.get("wound", 0) * fresh
        now = self.means
        self.means = Means(now.attacks, now.hits + hits, now.wounds + wounds)

    def besides(self, extra: Extra, criticals: int) -> list[Array]:
        """How many mortal wounds so many critical wounds inflict in addition."""
        each = of_dice(extra.number, self.real)
        return [clipped(power(each, number), extra.most) for number in range(criticals)]


def clipped(weights: Array, most: int | None) -> Array:
    """No more than ``most``, along the first axis."""
    if most is None or len(weights) <= most + 1:
        return weights
    kept = weights[: most + 1].copy()
    kept[most] += weights[most + 1 :].sum(axis=0)
    return kept


def terms(axes: int, chances: Mapping[tuple[int, ...], Number], one: Number) -> Terms:
    """All kinds of wound a roll may make, and what is left: none."""
    rest = max(0 * one, one - sum(chances.values()))
    return (((0,) * axes, rest), *sorted(chances.items()))


# ---------------------------------------------------------------------------------------------------------------- 10e


class OneByOneSparing(Sparing, OneByOne):
    """10e. The first axis of a world counts the mortal wounds in addition, those after it devastating wounds."""

    by_model = frozenset({"damage", "save", "spare"})

    def attacks(self, part: World, target: int, after: World) -> None:
        batches = self.plan.batches
        policies = {CHARACTER_FIRST if batch.precision else BY_RULE for batch in batches}
        extras = [batch for batch in batches if batch.extra]
        precise = bool(extras) and all(batch.precision for batch in extras)
        policies |= {CHARACTER_FIRST if precise else BY_RULE} if extras else set()
        where = self.where = space(self.groups, tuple(part), tuple(sorted(policies)))
        share = sum(part.values())
        waiting: list[tuple[Policy, Batch]] = []
        chances: dict[Once, Number] = {self.plan.once - self.by_model: share}
        worlds = {left: self.row(where, {self.sides[-1]: part})[np.newaxis] for left in chances}
        for batch in batches:
            attack = self.attack(batch)
            self.count(batch, attack, target, self.chances(batch, target), share)
            policy = CHARACTER_FIRST if batch.precision else BY_RULE
            worlds, chances = self.one_batch(batch, target, policy, worlds, chances, waiting)
        world = worlds.popitem()[1]
        for other in worlds.values():
            world = grown(world, other)
        if extras:
            assert extras[0].extra is not None
            mortal = self.wound(where, CHARACTER_FIRST if precise else BY_RULE, extras[0], extras[0].extra.strike)
            world = repeated(world, mortal)
        else:
            world = world[0]
        for policy, batch in waiting:
            world = repeated(world, self.wound(where, policy, batch, batch.strikes[1]))
        for found in self.unrow(where, world).values():
            add_to(found, after)

    def one_batch(
        self,
        batch: Batch,
        target: int,
        policy: Policy,
        worlds: dict[Once, Array],
        chances: dict[Once, Number],
        waiting: list[tuple[Policy, Batch]],
    ) -> tuple[dict[Once, Array], dict[Once, Number]]:
        """What each world becomes, by what is left; and the chance of each."""
        mortal = any(strike.mortal for strike in batch.strikes)
        mixed = len(batch.strikes) > 1 and not mortal
        axes = 2 if mortal or batch.extra else 1
        first, fresh = (self.kinds_of(found, axes, mixed=mixed) for found in self.wound_terms(batch, target))
        roll = WoundRoll(
            axes,
            first,
            wounds_missed(batch, target, self.real),
            fresh,
            (((1,) + (0,) * (axes - 1), self.real.ratio(1, 1)),),
        )
        known = bool(waiting) and same_strike(waiting[-1], policy, batch) if mortal else False
        parts, shares = [], dict[Once, Number]()
        for left, world in worlds.items():
            numbers = split(batch, roll, left, self.real)
            self.more(batch, target, left, [(now, number.sum()) for now, number in numbers.items()], chances[left])
            for now, number in numbers.items():
                shares[now] = shares.get(now, 0) + number.sum() * chances[left]
                if not mixed:
                    struck = self.struck(batch, number, world, policy)
                    if mortal:
                        struck = added(struck, len(waiting)) if known else np.moveaxis(struck, 0, -2)
                    parts.append((now, struck))
        if mixed:
            return self.in_order(batch, target, policy, worlds), shares
        if mortal and not known:
            waiting.append((policy, batch))
        return added_by_left(parts), shares

    def kinds_of(self, chances: Mapping[tuple[int, bool], Number], axes: int, *, mixed: bool) -> Terms:
        """Wounds at once along the first axis, critical ones that wait or do more along the second."""
        kinds: dict[tuple[int, ...], Number] = {}
        for (strike, extra), chance in chances.items():
            waits = strike > 0 and not mixed
            key = (0 if waits else 1, 1 if waits or extra else 0)[:axes]
            kinds[key] = kinds.get(key, 0) + chance
        return terms(axes, kinds, self.real.ratio(1, 1))

    def struck(self, batch: Batch, number: Array, world: Array, policy: Policy) -> Array:
        """The normal wounds now; mortal wounds in addition along the first axis; devastating ones before it."""
        if world.size * number.size > MOST_NUMBERS * 4:
            raise BadInput("expected fewer kinds of mortal wounds at once", "$.attack.weapons")
        step = self.wound(self.where, policy, batch, batch.strikes[0])
        steps = np.array(list(powers(world, step, len(number))))
        after: Array = np.tensordot(number.T, steps, axes=1)
        if batch.extra is None:
            return after
        found = [
            clipped(added(np.multiply.outer(many, each), 0), batch.extra.most)
            for many, each in zip(self.besides(batch.extra, len(after)), after, strict=True)
        ]
        if not any(strike.mortal for strike in batch.strikes):
            whole = found[0]
            for each in found[1:]:
                whole = grown(whole, each)
            return whole
        deepest = max(map(len, found))
        shape = (len(found), deepest, *found[0].shape[1:])
        waits = np.zeros(shape, dtype=found[0].dtype)
        for place, each in enumerate(found):
            waits[place, : len(each)] = each
        return waits

    def in_order(self, batch: Batch, target: int, policy: Policy, worlds: dict[Once, Array]) -> dict[Once, Array]:
        """Wounds of two kinds, attack after attack as they come."""
        steps = [self.wound(self.where, policy, batch, strike) for strike in batch.strikes]
        first, fresh = (
            {strike: chance for (strike, _), chance in found.items()} for found in self.wound_terms(batch, target)
        )
        attack, again = self.attack(batch), attack_of(batch.hit, batch.automatic, NOTHING, self.real)
        missed, failed = faces_missed(batch, self.real), wounds_missed(batch, target, self.real)

        def rolled(world: Array, chances: Mapping[int, Number], without: Number) -> Array:
            total = world * (1 - sum(chances.values()) - without)
            return sum((world @ steps[strike] * chance for strike, chance in chances.items()), total)

        def wound(now: dict[Once, Array]) -> dict[Once, Array]:
            parts = []
            for left, world in now.items():
                usable = "wound" in left & batch.once
                parts.append((left, rolled(world, first, failed if usable else 0)))
                if usable:
                    parts.append((left - {"wound"}, rolled(world, fresh, 0) * failed))
            return added_by_left(parts)

        def attacked(left: Once, world: Array, of: Attack, without: Number) -> list[tuple[Once, Array]]:
            found: list[tuple[Once, Array]] = []
            for (wounds, hits), chance in of:
                now = {left: world * (chance - without if (wounds, hits) == (0, 0) else chance)}
                for _ in range(wounds):
                    now = {key: each @ steps[0] for key, each in now.items()}
                for _ in range(hits):
                    now = wound(now)
                found += now.items()
            return found

        def one(now: dict[Once, Array]) -> dict[Once, Array]:
            parts = []
            for left, world in now.items():
                usable = "hit" in left & batch.once and bool(missed)
                parts += attacked(left, world, attack, missed if usable else 0)
                if usable:
                    parts += attacked(left - {"hit"}, world * missed, again, 0)
            return added_by_left(parts)

        number = power(per_weapon(batch.attacks, self.real, batch.more), batch.count)
        total = {left: world * number[-1] for left, world in worlds.items()}
        for chance in number[-2::-1]:
            total = added_by_left([*one(total).items(), *((left, world * chance) for left, world in worlds.items())])
        return total


def same_strike(waiting: tuple[Policy, Batch], policy: Policy, batch: Batch) -> bool:
    """Do devastating wounds of this batch do what those do that wait already?"""
    known, before = waiting
    return known == policy and before.strikes[1] == batch.strikes[1] and before.once == batch.once


# ---------------------------------------------------------------------------------------------------------------- 11e


class Kind(NamedTuple):
    """Faces of a save die that act alike: their chance, whom they fail, whether the one re-roll may be used on them, and
    the chance of one more die to show such a face (told once of those that fail the same)."""

    chance: Number
    fails: tuple[bool, ...]
    eligible: bool
    fresh: Number


class PooledSparing(Sparing, Pooled):
    """11e. Worlds are told apart by what is left, and by the mortal wounds in addition where they are limited."""

    def activation(self, world: World) -> World:
        worlds: dict[Left, World] = {(self.plan.once, 0): world}
        for batch in self.plan.batches:
            after: dict[Left, World] = {}
            apart: dict[Left, dict[Once, World]] = {}
            for (left, done), part in worlds.items():
                apart.setdefault((left - self.by_model, done), {})[left & self.by_model] = part
            for (left, done), sides in apart.items():
                self.parts(batch, left, done, sides, after)
            worlds = after
        total: World = {}
        for part in worlds.values():
            add_to(part, total)
        return total

    def parts(self, batch: Batch, left: Once, done: int, sides: dict[Once, World], after: dict[Left, World]) -> None:
        """One batch, for each part of the states that agree in how it begins."""
        key = self.key(batch)
        begun: dict[Begin, dict[Once, World]] = {}
        for some, world in sides.items():
            for begin, part in parts_of(world, key):
                begun.setdefault(begin, {})[some] = part
        for begin, rows in begun.items():
            share = sum(sum(part.values()) for part in rows.values())
            target = begin.toughness
            self.count(batch, self.attack(batch), target, self.chances(batch, target), share)
            if begin.living:
                self.sparing_pool(batch, begin, left, done, rows, share, after)
                continue
            for some, part in rows.items():
                add_to(part, after.setdefault((left | some, done), {}))

    def sparing_pool(
        self,
        batch: Batch,
        begin: Begin,
        left: Once,
        done: int,
        rows: dict[Once, World],
        share: Number,
        after: dict[Left, World],
    ) -> None:
        """The saves of a batch, then the mortal wounds in addition, then the devastating ones; or else a second pool."""
        mortal = any(strike.mortal for strike in batch.strikes)
        second = len(batch.strikes) > 1 and not mortal
        states = tuple(dict.fromkeys(state for part in rows.values() for state in part))
        living = living_in(dict.fromkeys(states, 0))
        policies = (begin.order, begin.mortal) if mortal or batch.extra else (begin.order,)
        where = space(self.groups, states, policies)
        strike = batch.strikes[0]
        kinds = self.kinds_of_saves(strike, begin.first, living)
        saved = "save" in left & batch.once and not second and any(kind.eligible for kind in kinds)
        roll = self.pool_roll(batch, begin.toughness, kinds if saved else [self.any_of(kinds)])
        numbers = split(batch, roll, left, self.real)
        self.more(batch, begin.toughness, left, [(now, number.sum()) for now, number in numbers.items()], share)
        row = self.row(where, rows)
        steps = [self.wound(where, begin.order, batch, strike, kind.fails) for kind in kinds]
        most = max(len(number) for number in numbers.values())
        classes = [] if saved else [(kind.chance, step) for kind, step in zip(kinds, steps, strict=True)]
        whole = self.assembled(row, classes, most)
        for now, number in numbers.items():
            for then, found in self.saved(number, kinds, now) if saved else [(now, number)]:
                each = self.by_class(found, row, steps) if saved else np.tensordot(found.T, whole[: len(found)], axes=1)
                if second:
                    self.second_pool_of(batch, where, each, then, done, after)
                else:
                    self.mortal_wounds(batch, where, begin, each, then, done, after)

    def any_of(self, kinds: Sequence[Kind]) -> Kind:
        """All dice that can hurt, as one kind."""
        none = self.real.ratio(0, 1)
        return Kind(sum((kind.chance for kind in kinds), none), (), False, none)

    def pool_roll(self, batch: Batch, target: int, kinds: Sequence[Kind]) -> WoundRoll:
        """What a hit puts into the pool: an axis for each kind of save die, one for critical wounds or second strikes."""
        more = len(batch.strikes) > 1 or batch.extra is not None
        axes = len(kinds) + more
        one = self.real.ratio(1, 1)

        def unit(*places: int) -> tuple[int, ...]:
            return tuple(int(place in places) for place in range(axes))

        def of(chances: Mapping[tuple[int, bool], Number]) -> Terms:
            found: dict[tuple[int, ...], Number] = {}
            for (strike, extra), chance in chances.items():
                last = (axes - 1,) if strike or extra else ()
                if strike:
                    found[unit(*last)] = found.get(unit(*last), 0) + chance
                    continue
                rest = chance
                for place, kind in enumerate(kinds):
                    key = unit(place, *last)
                    found[key] = found.get(key, 0) + chance * kind.chance
                    rest = rest - chance * kind.chance
                if last:
                    found[unit(*last)] = found.get(unit(*last), 0) + max(0 * one, rest)
            return terms(axes, found, one)

        first, fresh = (of(chances) for chances in self.wound_terms(batch, target))
        return WoundRoll(axes, first, wounds_missed(batch, target, self.real), fresh, of({(0, False): one}))

    def kinds_of_saves(self, strike: Strike, first: int, living: tuple[bool, ...]) -> list[Kind]:
        """The faces of a save die that act alike, lowest first, without those that save everybody."""
        reroll, found = strike.reroll[first], list[Kind]()
        patterns: dict[tuple[bool, ...], list[int]] = {}
        for face in range(1, 7):
            fails = tuple(alive and face in faces_ for alive, faces_ in zip(living, strike.fails, strict=True))
            if any(fails):
                patterns.setdefault(fails, []).append(face)
        for fails, alike in patterns.items():
            kept = [face for face in alike if face not in reroll]
            can = [face for face in kept if face in strike.fails[first]]
            spent = self.real.ratio(len(alike) * len(reroll) + 6 * (len(kept) - len(can)), 36)
            fresh = self.real.ratio(len(alike), 6)
            if can:
                found.append(Kind(self.real.ratio(len(can), 6), fails, True, fresh))
            if spent:
                found.append(Kind(spent, fails, False, 0 * fresh if can else fresh))
        return found

    def saved(self, number: Array, kinds: Sequence[Kind], left: Once) -> list[tuple[Once, Array]]:
        """The pools in which no die fails, and the others with the lowest that fails rolled again."""
        shape = tuple(size + (place < len(kinds)) for place, size in enumerate(number.shape))
        used, rest = np.zeros(shape, dtype=number.dtype), number
        fresh: list[tuple[int | None, Number]] = [(place, kind.fresh) for place, kind in enumerate(kinds) if kind.fresh]
        fresh.append((None, 1 - sum(chance for _, chance in fresh)))
        for place in (place for place, kind in enumerate(kinds) if kind.eligible):
            before = (slice(None),) * place
            fewer, rest = rest[(*before, slice(1, None))], rest[(*before, slice(1))]
            for at, chance in fresh:
                into = [slice(size) for size in fewer.shape]
                if at is not None:
                    into[at] = slice(1, fewer.shape[at] + 1)
                used[tuple(into)] += fewer * chance
        return [(left, rest), (left - {"save"}, used)]

    def by_class(self, number: Array, row: Array, steps: Sequence[Step]) -> Array:
        """The row after so many dice of each kind (the first axes of ``number``), the lowest first."""
        first = np.array(list(powers(row, steps[0], len(number))))
        rows: Array = np.tensordot(np.moveaxis(number, 0, -1), first, axes=1)
        for step in steps[1:]:
            rows = repeated(rows, step)
        return rows

    def mortal_wounds(
        self, batch: Batch, where: Space, begin: Begin, rows: Array, left: Once, done: int, after: dict[Left, World]
    ) -> None:
        """After the normal damage of a pool: mortal wounds in addition, then devastating ones."""
        mortal = any(strike.mortal for strike in batch.strikes)
        worlds = [(done, rows)]
        if batch.extra is not None:
            worlds = self.in_addition(batch, batch.extra, where, begin, rows, done)
        for now, each in worlds:
            row = each
            if mortal:
                row = repeated(each, self.wound(where, begin.mortal, batch, batch.strikes[1]))
            self.store(where, row, left, now, after)

    def in_addition(
        self, batch: Batch, extra: Extra, where: Space, begin: Begin, rows: Array, done: int
    ) -> list[tuple[int, Array]]:
        """The rows after the mortal wounds in addition (the first axis counts critical wounds), by their number where it
        is limited."""
        room = None if extra.most is None else max(0, extra.most - done)
        many = [clipped(each, room) for each in self.besides(extra, len(rows))]
        table = np.zeros((max(map(len, many)), len(rows)), dtype=many[0].dtype)
        for place, each in enumerate(many):
            table[: len(each), place] = each
        step = self.wound(where, begin.mortal, batch, extra.strike)
        if any(strike.mortal for strike in batch.strikes):
            inflicted = table[:, :, np.newaxis] * rows[np.newaxis]
        else:
            inflicted = np.tensordot(table, rows, axes=1)
        if room is None:
            return [(done, repeated(inflicted, step))]
        found = []
        for number, each in enumerate(inflicted):
            after = each
            for _ in range(number):
                after = after @ step
            found.append((done + number, after))
        return found

    def second_pool_of(
        self, batch: Batch, where: Space, rows: Array, left: Once, done: int, after: dict[Left, World]
    ) -> None:
        """A pool of the second strike: ``rows`` by the number of its dice, in the states the first pool has left."""
        strike, key = batch.strikes[1], self.key(batch)
        apart = rows.reshape(len(rows), len(self.sides), -1)
        self.waste(apart[:, :, -1].sum())
        parts: dict[tuple[Begin, tuple[bool, ...]], dict[State, Array]] = {}
        for place, state in enumerate(where.states):
            if apart[:, :, place].any():
                parts.setdefault((key(state), tuple(map(bool, state))), {})[state] = apart[:, :, place]
        for (begin, living), part in parts.items():
            local = space(self.groups, tuple(part), (begin.order,) if begin.living else ())
            hidden = self.numbers.zeros((len(rows), len(self.sides), local.size + 1))
            for state, columns in part.items():
                hidden[:, :, local.index[state]] = columns
            hidden = hidden.reshape(len(rows), -1)
            rest = self.numbers.ratio(1, 1)
            for kind in self.kinds_of_saves(strike, begin.first, living):
                step = self.wound(local, begin.order, batch, strike, kind.fails)
                hidden = thinned(hidden, step, kind.chance / rest)
                rest = rest - kind.chance
            self.store(local, hidden.sum(axis=0), left, done, after)

    def store(self, where: Space, row: Array, left: Once, done: int, after: dict[Left, World]) -> None:
        for some, world in self.unrow(where, row).items():
            add_to(world, after.setdefault((left | some, done), {}))
