"""The same plan with real dice, one die at a time: what battles use. It shares no arithmetic with ``exact``.

:func:`resolve` rolls a whole activation. :class:`Rolling` is the same in steps, for a caller that wants to stop between
them: ``attack_dice``, ``hit_rolls``, ``wound_rolls``, ``allocate``, or ``batch`` for all four. Everything
that happens is told in order: a :class:`Rolled` for each die, a :class:`Loss` for each model that suffers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from battlewright.attack.plan import MISS, NOTHING, Batch, Hit, Plan, State, Strike, first_character, order, toughness
from battlewright.dice import Dice, Roller
from battlewright.editions.base import Resolution


class Rolled(Struct, frozen=True, omit_defaults=True):
    """One die. ``needed``: the lowest unmodified face that helps its roller, None where there is none.

    ``first``: the face before a re-roll. ``batch``: which batch of the plan, ``group`` which group of the target.
    """

    purpose: str
    face: int
    needed: int | None = None
    first: int | None = None
    batch: int | None = None
    group: int | None = None


class Loss(Struct, frozen=True, omit_defaults=True):
    """A model of a group loses wounds; ``wasted``: damage left over when it was destroyed already.

    The model is the wounded one of the group, or else any.
    """

    batch: int
    group: int
    wounds: int
    destroyed: bool = False
    mortal: bool = False
    wasted: int = 0


class Result(Struct, frozen=True):
    """What became of an activation: the wounds left in each group, and everything that happened, in order."""

    state: State
    log: tuple[Rolled | Loss, ...]
    attacks: int
    hits: int
    wounds: int

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The models that lost wounds, in order."""
        return tuple(entry for entry in self.log if isinstance(entry, Loss))

    @property
    def dice(self) -> tuple[Rolled, ...]:
        """The dice that were rolled, in order."""
        return tuple(entry for entry in self.log if isinstance(entry, Rolled))

    @property
    def wasted(self) -> int:
        """The damage beyond what the models had left."""
        return sum(loss.wasted for loss in self.losses)


class Wound(Struct, frozen=True):
    """A wound waiting to be allocated: the batch it is of, and the strike it deals."""

    batch: int
    strike: int


#: Asked once after each die of the attacker or the defender that was not re-rolled: roll it again?
Again: TypeAlias = Callable[[Rolled], bool]
#: Told of everything as it happens.
Watch: TypeAlias = Callable[[Rolled | Loss], None]


def resolve(
    plan: Plan,
    dice: Roller,
    *,
    state: State | None = None,
    again: Again | None = None,
    watch: Watch | None = None,
) -> Result:
    """Roll one activation against what is left of the target (``state``, else the plan's start).

    >>> from battlewright.attack.plan import build
    >>> from battlewright.attack.request import read
    >>> from battlewright.dice import Scripted
    >>> plan = build(read({"edition": "11e", "attack": {"weapons": [{"A": 2, "skill": 3, "S": 4, "D": 2}]},
    ...                    "target": {"groups": [{"models": 2, "T": 4, "W": 2, "Sv": 3}]}}))
    >>> result = resolve(plan, Scripted([3, 2, 5, 1]))          # two hit rolls, a wound roll, a save roll
    >>> result.state, result.losses[0].destroyed
    ((2,), True)
    """
    rolling = Rolling(plan, dice, state=state, again=again, watch=watch)
    for place in range(len(plan.batches)):
        rolling.batch(place)
    rolling.finish()
    return rolling.result()


class Rolling:
    """An activation under way. Change nothing from outside but ``state``, between batches.

    ``left``: what can be used once and has not been. ``waived``: how many critical hits of a batch make their wound roll
    all the same (11e 24.23: [LETHAL HITS] may be used).
    """

    def __init__(
        self,
        plan: Plan,
        dice: Roller,
        *,
        state: State | None = None,
        again: Again | None = None,
        watch: Watch | None = None,
        waived: Mapping[int, int] | None = None,
    ) -> None:
        self.plan, self.dice = plan, dice
        self.waived = waived or {}
        self.state = list(plan.start if state is None else state)
        self.again, self.watch = again, watch
        self.log: list[Rolled | Loss] = []
        self.waiting: list[Wound] = []
        self.left = set(plan.once)
        self.besides = self.inflicted = 0
        self.toughness = toughness(plan.groups, tuple(self.state))
        self.attacks = self.hits = self.wounds = 0

    @property
    def pooled(self) -> bool:
        return self.plan.edition.resolution is Resolution.POOLED

    @property
    def over(self) -> bool:
        """Nobody of the target is left; attacks still to come are lost."""
        return not any(self.state)

    def batch(self, place: int) -> None:
        """All of one batch: attack dice, hit rolls, wound rolls, and what the wounds do."""
        if self.over:
            return
        hits = self.hit_rolls(place, self.attack_dice(place))
        self.allocate(place, self.wound_rolls(place, hits))

    def finish(self) -> None:
        """Mortal wounds in addition, then the devastating wounds that waited for all other attacks (10e T-6.11)."""
        extras = [place for place, batch in enumerate(self.plan.batches) if batch.extra]
        precise = all(self.plan.batches[place].precision for place in extras)
        for _ in range(self.besides):
            if not self.over:
                self._in_addition(extras[0], self._next_model(precise))
        self.besides = 0
        for wound in self.waiting:
            if not self.over:
                self._suffer(wound, self._one_by_one(self.plan.batches[wound.batch]))
        self.waiting.clear()

    def result(self) -> Result:
        """What has come of it so far."""
        return Result(tuple(self.state), tuple(self.log), self.attacks, self.hits, self.wounds)

    def attack_dice(self, place: int) -> int:
        """How many attacks the batch makes (11e 04.03; 10e T-5.3)."""
        batch = self.plan.batches[place]
        number = sum(self._number(part, place, batch.more) for _ in range(batch.count) for part in batch.attacks)
        self.attacks += number
        return number

    def _number(self, part: Dice, place: int, more: bool) -> int:
        number = part.roll(_Told(self, "attacks", place))
        return part.roll(_Told(self, "attacks", place)) if more and number < part.mean else number

    def hit_rolls(self, place: int, attacks: int) -> list[Hit]:
        """One hit roll an attack; what each gives, extra hits included (11e 05.01; 10e T-6.1)."""
        batch = self.plan.batches[place]
        missed = frozenset(face for face in range(1, 7) if batch.hit[face - 1] == MISS)
        needed = _least(set(range(1, 7)) - missed)
        found = []
        for _ in range(attacks):
            hit = batch.automatic
            if hit is None:
                hit = batch.hit[self._roll("hit", batch.reroll, needed, place, once=missed) - 1]
            extra = hit.extra.roll(_Told(self, "sustained hits", place))
            found.append(Hit(hit.hits + extra, hit.wounds))
        lethal = [number for number, hit in enumerate(found) if hit.wounds]
        for number in lethal[: self.waived.get(place, 0)]:
            found[number] = Hit(found[number].hits + found[number].wounds)
        self.hits += sum(hit.hits + hit.wounds for hit in found)
        return found

    def wound_rolls(self, place: int, hits: Sequence[Hit]) -> list[Wound]:
        """One wound roll a hit, in the order of the attacks; wounds without a roll among them (11e 05.02; 10e T-6.2)."""
        batch = self.plan.batches[place]
        if self.pooled:
            self.toughness = toughness(self.plan.groups, tuple(self.state))
        wounding = batch.woundings[self.toughness]
        failed = frozenset(face for face in range(1, 7) if wounding.strikes[face - 1] is None)
        needed = _least(set(range(1, 7)) - failed)
        found = []
        for hit in hits:
            found += [Wound(place, 0)] * hit.wounds
            for _ in range(hit.hits):
                face = self._roll("wound", wounding.reroll, needed, place, once=failed)
                strike = wounding.strikes[face - 1]
                if strike is not None:
                    found.append(Wound(place, strike))
                if face in wounding.criticals and batch.extra is not None:
                    self.besides += batch.extra.number.roll(_Told(self, "mortal wounds", place))
        if batch.extra is not None and batch.extra.most is not None:
            self.besides = min(self.besides, batch.extra.most - self.inflicted)
        self.wounds += len(found)
        return found

    def allocate(self, place: int, wounds: Sequence[Wound]) -> None:
        """What the wounds do: in a pool (11e 05.03, 05.04) or one after the other (10e T-6.3)."""
        batch = self.plan.batches[place]
        if self.pooled:
            self._pool(place, wounds)
            return
        for wound in wounds:
            if batch.strikes[wound.strike].mortal:
                self.waiting.append(wound)
            elif not self.over:
                self._save(wound, self._one_by_one(batch))

    def _one_by_one(self, batch: Batch) -> int:
        """The group that takes the next wound; with [PRECISION] the attacker takes a character whenever he can."""
        return self._next_model(batch.precision)

    def _next_model(self, precise: bool) -> int:
        state = tuple(self.state)
        character = first_character(self.plan.groups, state, self.plan.aim) if precise else None
        return order(self.plan.groups, state)[0] if character is None else character

    def _save(self, wound: Wound, group: int) -> None:
        strike = self._strike(wound)
        fails = strike.fails[group]
        if strike.spared and strike.spared[group] == "allocated" and self._spared(wound, group):
            return
        needed = _least(face for face in range(1, 7) if face not in fails)
        face = self._roll("save", strike.reroll[group], needed, wound.batch, group, once=fails)
        if face in fails and not self._spared(wound, group):
            self._suffer(wound, group)

    def _spared(self, wound: Wound, group: int) -> bool:
        """Is the damage of this attack 0, once in the activation?"""
        strike = self._strike(wound)
        if not strike.spared or not strike.spared[group] or not self._use("spare", wound.batch):
            return False
        self._tell(Loss(wound.batch, group, 0))
        return True

    def _use(self, name: str, batch: int) -> bool:
        """Use what can be used once, where it is left and may be used on this batch."""
        if name not in self.left or name not in self.plan.batches[batch].once:
            return False
        self.left.discard(name)
        return True

    def _pool(self, place: int, wounds: Sequence[Wound]) -> None:
        """Save rolls from the lowest to the highest, each checked against the group current then; then mortal wounds."""
        batch = self.plan.batches[place]
        chosen = first_character(self.plan.groups, tuple(self.state), self.plan.aim) if batch.precision else None
        for number, strike in enumerate(batch.strikes):
            if not strike.mortal:
                same = [wound for wound in wounds if wound.strike == number]
                self._pool_of(same, strike, self._sequence(batch))

        def first() -> int:
            living = chosen is not None and self.state[chosen]
            return chosen if living and chosen is not None else order(self.plan.groups, tuple(self.state))[0]

        for _ in range(self.besides):
            if not self.over:
                self._in_addition(place, first())
        self.inflicted += self.besides if batch.extra is not None and batch.extra.most is not None else 0
        self.besides = 0
        for wound in wounds:
            if self._strike(wound).mortal and not self.over:
                self._suffer(wound, first())

    def _pool_of(self, wounds: Sequence[Wound], strike: Strike, sequence: Sequence[int]) -> None:
        if not wounds or self.over:
            return
        first = self._current(sequence)
        needed = _least(face for face in range(1, 7) if face not in strike.fails[first])
        rolls = sorted(self._saves(wounds, strike, needed, first))
        for face in rolls:
            if self.over:
                return
            group = self._current(sequence)
            if face in strike.fails[group] and not self._spared(wounds[0], group):
                self._suffer(wounds[0], group)

    def _saves(self, wounds: Sequence[Wound], strike: Strike, needed: int | None, first: int) -> list[int]:
        """The save dice of a pool; the re-roll of one save is used on the lowest that fails and was not re-rolled."""
        rolls, open_ = [], []
        for wound in wounds:
            face = self._roll("save", strike.reroll[first], needed, wound.batch, first)
            last = self.log[-1]
            if isinstance(last, Rolled) and last.first is None and face in strike.fails[first]:
                open_.append(face)
            rolls.append(face)
        if open_ and not self._second_strike(wounds[0]) and self._use("save", wounds[0].batch):
            lowest = min(open_)
            rolls.remove(lowest)
            rolled = Rolled("save", self.dice.d6(), needed, lowest, wounds[0].batch, first)
            self._tell(rolled)
            rolls.append(rolled.face)
        return rolls

    def _second_strike(self, wound: Wound) -> bool:
        """Are there two pools of saves in this batch? Then the re-roll of one save is kept for another."""
        strikes = self.plan.batches[wound.batch].strikes
        return len(strikes) > 1 and not strikes[1].mortal

    def _sequence(self, batch: Batch) -> list[int]:
        """The allocation order; with [PRECISION] a character first."""
        state = tuple(self.state)
        chosen = first_character(self.plan.groups, state, self.plan.aim) if batch.precision else None
        return sorted(order(self.plan.groups, state), key=lambda group: group != chosen)

    def _current(self, sequence: Sequence[int]) -> int:
        return next(group for group in sequence if self.state[group])

    def _strike(self, wound: Wound) -> Strike:
        return self.plan.batches[wound.batch].strikes[wound.strike]

    def _suffer(self, wound: Wound, place: int) -> None:
        """Damage to one model of the group; a die of Feel No Pain for each wound (11e 05.04, 24.12; 10e T-6.6, T-6.7)."""
        self._strike_at(self._strike(wound), wound.batch, place)

    def _in_addition(self, batch: int, place: int) -> None:
        """One mortal wound besides the damage of the attacks."""
        extra = self.plan.batches[batch].extra
        assert extra is not None
        self._strike_at(extra.strike, batch, place)

    def _strike_at(self, strike: Strike, batch: int, place: int) -> None:
        group = self.plan.groups[place]
        rolled = strike.dice.roll(_Told(self, "damage", batch))
        room = self.state[place] % group.wounds or group.wounds
        if (strike.again and rolled in strike.again[place][room]) or (
            strike.once and rolled in strike.once[place][room] and self._use("damage", batch)
        ):
            rolled = strike.dice.roll(_Told(self, "damage", batch))
        damage = strike.damage[place][rolled - strike.dice.low]
        ignores = strike.ignores[place]
        lost = points = 0
        while points < damage and lost < room:
            points += 1
            if ignores is None or self._roll("feel no pain", frozenset(), ignores, batch, place) < ignores:
                lost += 1
        self.state[place] -= lost
        self._tell(Loss(batch, place, lost, lost == room, strike.mortal, damage - points))

    def _roll(
        self,
        purpose: str,
        reroll: frozenset[int],
        needed: int | None,
        batch: int,
        group: int | None = None,
        once: frozenset[int] = NOTHING,
    ) -> int:
        """A die; ``once``: the faces on which the one re-roll of such a roll is used."""
        face, first = self.dice.d6(), None
        if face in reroll or (face in once and self._use(purpose, batch)):
            face, first = self.dice.d6(), face
        rolled = Rolled(purpose, face, needed, first, batch, group)
        if first is None and self.again is not None and self.again(rolled):
            rolled = Rolled(purpose, self.dice.d6(), needed, face, batch, group)
        self._tell(rolled)
        return rolled.face

    def _tell(self, entry: Rolled | Loss) -> None:
        self.log.append(entry)
        if self.watch is not None:
            self.watch(entry)


class _Told:
    """Dice for a number (attacks, damage), each of them told."""

    def __init__(self, rolling: Rolling, purpose: str, batch: int) -> None:
        self.rolling, self.purpose, self.batch = rolling, purpose, batch

    def d6(self) -> int:
        face = self.rolling.dice.d6()
        self.rolling._tell(Rolled(self.purpose, face, batch=self.batch))
        return face


class Hazardous(Struct, frozen=True):
    """The attacker's own losses: wounds lost, models slain, and the dice."""

    wounds: int
    slain: int
    log: tuple[Rolled, ...]


def hazardous(plan: Plan, dice: Roller) -> Hazardous:
    """The hazardous tests after an activation (10e W-HAZ; 11e 06.03, 24.15)."""
    bearers = plan.bearers
    if bearers is None:
        return Hazardous(0, 0, ())
    hazard, log = plan.edition.hazard, []
    left = full = bearers.models * bearers.wounds - bearers.wounded
    failed = 0
    for _ in range(plan.tests):
        face = dice.d6()
        log.append(Rolled("hazardous", face, max(hazard.fails) + 1))
        failed += face in hazard.fails
    for _ in range(failed):
        room = left % bearers.wounds or bearers.wounds
        for _ in range(bearers.mortal):
            if not left or (room == 0 and not hazard.spills):
                break
            face = 0
            if bearers.fnp is not None:
                face = dice.d6()
                log.append(Rolled("feel no pain", face, bearers.fnp))
            if bearers.fnp is None or face < bearers.fnp:
                left, room = left - 1, room - 1
    return Hazardous(full - left, bearers.models - -(-left // bearers.wounds), tuple(log))


def _least(faces: Iterable[int]) -> int | None:
    return min(faces, default=None)
