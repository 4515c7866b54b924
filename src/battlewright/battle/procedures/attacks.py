"""The attacks of one unit: target by target, pool by pool, with the windows in which dice may be re-rolled.

The dice are those of the table, in order; a window stops the work, and the work is done again from its first die with
the answers so far, so that the state needs only those answers. Rules: 11e 04.03, 05; 10e T-5.3, T-6.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from battlewright.attack.plan import Plan
from battlewright.attack.rolled import Loss, Rolled, Rolling
from battlewright.battle import events
from battlewright.battle.attacks import orders_of, plan_against, precise_targets, targets_of
from battlewright.battle.casualties import aftermath, is_wounded, lose_wounds, mortal_wounds
from battlewright.battle.choices import Choice, Declare, Die, Do, Order, PickModel, Shot, read_choice
from battlewright.battle.decisions import AimAt, ChooseDo, LoseModel, OrderGroups, RerollRoll
from battlewright.battle.events import MarkSet
from battlewright.battle.procedures.base import AGAIN, LEAVE, Next, Procedure, local, procedure, rolled, unit_of
from battlewright.battle.state import NOBODY, M
from battlewright.battle.table import Table
from battlewright.battle.windows import reroll_source, spend_reroll
from battlewright.dice import Scripted, Seeded
from battlewright.errors import BadInput

#: rolls that may be rolled again; those of a number (attacks, damage) have no target to reach
_WINDOWS = ("attacks", "hit", "wound", "save", "damage")
_NUMBERS = ("attacks", "damage")


@procedure
class Attacks(Procedure):
    """All attacks of a declaration."""

    name = "attacks"
    own_steps = (
        ("select_target_unit", "04.03"),
        ("precision", "24.28"),
        ("allocation_order", "05.03"),
        ("attack_sequence", "05"),
        ("inflict_damage", "05.04"),
    )

    def select_target_unit(self, t: Table) -> Next:
        """One target after the other, in the order declared."""
        declaration = _declared(t)
        done = local(t, "done", [])
        if not done and t.state.marks.get(f"struck|{unit_of(t)}"):
            t.emit(MarkSet(f"struck|{unit_of(t)}"))
        left = [e for e in targets_of(t, declaration) if e not in done]
        if not left or not t.alive(unit_of(t)):
            return LEAVE
        target = left[0]
        t.set(done=[*done, target], target=target, rerolls=[], asked=0, order=None, aim=NOBODY, waived=[], among=[])
        if not t.alive(target):
            return AGAIN
        return None

    def precision(self, t: Table) -> Next:
        """Which CHARACTER models [PRECISION] may be used on; asked once such an attack wounds (24.28; W-PRECISION)."""
        unit, target = unit_of(t), int(local(t, "target"))
        among, precise = precise_targets(t, unit, target, _shots(t, target), str(local(t, "way")))
        if among:
            t.set(among=list(among), precise=list(precise))
        return None

    def allocation_order(self, t: Table) -> Next:
        """The defender orders the allocation groups, where the rules leave a choice (11e 05.03; 10e T-6.3)."""
        target = int(local(t, "target"))
        groups, orders = orders_of(t, unit_of(t), target, str(local(t, "way")))
        if len(orders) < 2:
            return None
        return OrderGroups(t.owner(target), "ordered", "allocation", target, tuple(groups), tuple(orders))

    def ordered(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, Order)
        t.set(order=[t.model_index(name) for name in choice.items])
        return None

    def attack_sequence(self, t: Table) -> Next:
        """Hit, wound and save rolls, then damage: on the plan the rules make of these attacks."""
        work, answered = _work(t), int(local(t, "asked", 0))
        if local(t, "among") and work.is_aim_due(tuple(local(t, "precise")), answered):
            unit, among = unit_of(t), tuple(local(t, "among"))
            return AimAt(t.owner(unit), "aimed", "precision", unit, int(local(t, "target")), among)
        due = work.due(answered)
        if due is not None:
            return due
        if work.short is not None:
            raise work.short
        for entry in work.told():
            t.emit(entry)
        if work.hits:
            strike(t, unit_of(t), int(local(t, "target")), "hit")
            strike_with(t, unit_of(t), int(local(t, "target")), work.hit_with)
        if work.wounds:
            strike(t, unit_of(t), int(local(t, "target")), "wounded")
        t.set(losses=[[list(work.groups[g]), wounds, mortal] for g, wounds, mortal in work.losses()])
        return None

    def aimed(self, t: Table, choice: Choice) -> Next:
        """The attacker uses [PRECISION] on that model, or not, before any save is rolled."""
        t.set(among=[], aim=t.model_index(choice.model) if isinstance(choice, PickModel) else NOBODY)
        return AGAIN

    def window_answered(self, t: Table, choice: Choice) -> Next:
        """A die is re-rolled, or the roll stands."""
        found = _work(t).open_stage(int(local(t, "asked", 0)))
        assert found is not None
        number, stage, _ = found
        if isinstance(choice, Die):
            spend_reroll(t, stage.unit, stage.purpose)
            again = [stage.places[choice.place], stage.last, int(stage.purpose in _NUMBERS)]
            t.set(rerolls=[*local(t, "rerolls", []), again])
        t.set(asked=number + 1)
        return AGAIN

    def lethal_chosen(self, t: Table, choice: Choice) -> Next:
        """So many critical hits wound automatically, the others make their wound roll (11e 24.23)."""
        assert isinstance(choice, Do)
        found = _work(t).open_lethal()
        assert found is not None
        _, batch, count = found
        t.set(waived=[*local(t, "waived"), [batch, count - int(choice.what.removeprefix("lethal "))]])
        return AGAIN

    def inflict_damage(self, t: Table) -> Next:
        """Whom the wounds fall on: a wounded model of the group first, else its controller selects (05.04; T-6.3)."""
        losses = local(t, "losses", [])
        if not losses:
            return "select_target_unit"
        models, _, _ = losses[0]
        alive = [m for m in models if t.wounds(m) > 0]
        if not alive:
            t.set(losses=losses[1:])
            return AGAIN
        begun = [m for m in alive if is_wounded(t, m)] or [m for m in alive if t.state.model[m, M.ALLOCATED]]
        target = int(local(t, "target"))
        return LoseModel(t.owner(target), "selected", "damage", target, "damage", tuple(begun or alive))

    def selected(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, PickModel)
        model = t.model_index(choice.model)
        assert model is not None
        losses = local(t, "losses")
        _, wounds, mortal = losses[0]
        t.set(losses=losses[1:])
        t.emit(events.Allocated(model))
        strike(t, unit_of(t), int(local(t, "target")), "damaged")
        if wounds >= t.wounds(model):
            strike(t, unit_of(t), int(local(t, "target")), "slain")
        lose_wounds(t, model, wounds, "mortal wounds" if mortal else "attack", unit_of(t))
        return AGAIN


def strike(t: Table, unit: int, target: int, how: str) -> None:
    """Keep whom the unit's attacks hit, wounded, damaged or cost a model, where a rule of the battle asks for it."""
    if how in t.setting.asks_of_attacks:
        struck = dict(t.state.marks.get(f"struck|{unit}", {}))
        if target not in struck.get(how, ()):
            t.emit(MarkSet(f"struck|{unit}", {**struck, how: [*struck.get(how, ()), target]}))


def strike_with(t: Table, unit: int, target: int, weapons: list[str]) -> None:
    """Keep which weapons of the unit hit whom, where a rule of the battle asks for it."""
    if "hit with" in t.setting.asks_of_attacks:
        struck = dict(t.state.marks.get(f"struck|{unit}", {}))
        hits = [*struck.get("hit with", ()), *([target, weapon] for weapon in weapons)]
        t.emit(MarkSet(f"struck|{unit}", {**struck, "hit with": hits}))


def _declared(t: Table) -> Declare:
    choice = read_choice(str(local(t, "declared")))
    assert isinstance(choice, Declare)
    return choice


def _work(t: Table) -> Work:
    """The attacks on the present target, worked out from their first die."""
    unit, target, way = unit_of(t), int(local(t, "target")), str(local(t, "way"))
    answers = [local(t, name) for name in ("declared", "rerolls", "order", "aim", "waived")]
    key = ("work", unit, target, t.state.counter, repr(answers))
    return t.cached(key, lambda: _worked(t, unit, target, way))


def _worked(t: Table, unit: int, target: int, way: str) -> Work:
    order = tuple(local(t, "order") or ())
    plan, groups = plan_against(t, unit, target, _shots(t, target), way, order, int(local(t, "aim", NOBODY)))
    rerolls = [tuple(pair) for pair in local(t, "rerolls", [])]
    return Work(t, unit, target, plan, groups, rerolls, dict(local(t, "waived", [])))


def _shots(t: Table, target: int) -> tuple[Shot, ...]:
    """What is declared at this target, by models that still live."""
    name = t.name(target)
    return tuple(shot for shot in _declared(t).shots if shot.target == name and _alive(t, shot.model))


def _alive(t: Table, name: str) -> bool:
    model = t.model_index(name)
    return model is not None and t.wounds(model) > 0


class Stage(Struct, frozen=True):
    """Dice of a batch rolled together. ``places``: where each lies in the stream of these attacks; ``last``: how many then.

    ``barred``: those re-rolled already; ``helps``: every die already helps its roller.
    """

    purpose: str
    unit: int
    places: tuple[int, ...]
    last: int
    faces: tuple[int, ...]
    barred: tuple[int, ...]
    helps: bool
    batch: int


def _helps(die: Rolled) -> bool:
    """The die reaches what its roller wants; of a number, it is as high as it can be."""
    return die.face >= (6 if die.needed is None else die.needed)


class Stream:
    """The dice of the table from the first die of these attacks; re-rolled dice lie where they were thrown.

    ``again``: (which die was re-rolled, after how many dice, whether it is part of a number). The die thrown again comes
    after the roll it belongs to; in a number it takes the other's place at once.
    """

    def __init__(self, roller: Seeded | Scripted, again: list[tuple[int, int, int]]) -> None:
        self.roller = roller
        self.again = {die: last for die, last, number in again if not number}
        self.instead = {die: last for die, last, number in again if number}
        self.ahead: list[int] = []
        self.place = 0
        self.replacing: int | None = None

    def d6(self) -> int:
        if self.replacing is not None:
            face, self.replacing = self.replacing, None
            return face
        face = self.ahead.pop(0) if self.ahead else self.roller.d6()
        self.place += 1
        if self.place - 1 in self.instead:
            self._look_ahead(self.instead[self.place - 1])
            return self.roller.d6()
        return face

    def _look_ahead(self, last: int) -> None:
        """The rest of the roll lies before the die that is thrown again."""
        while len(self.ahead) < last - self.place:
            self.ahead.append(self.roller.d6())

    def is_again(self) -> bool:
        """Is the die just thrown one that was re-rolled? Then the next one is the die thrown in its place."""
        last = self.again.get(self.place - 1)
        if last is None:
            return False
        self._look_ahead(last)
        self.replacing = self.roller.d6()
        return True

    @property
    def counter(self) -> int:
        return self.roller.used if isinstance(self.roller, Scripted) else self.roller.counter


class Work:
    """Attacks on one target, worked out: everything that was rolled, in order, and what it did."""

    def __init__(
        self,
        t: Table,
        unit: int,
        target: int,
        plan: Plan,
        groups: list[tuple[int, ...]],
        rerolls: list[tuple[int, int, int]],
        waived: dict[int, int],
    ) -> None:
        self.t, self.unit, self.target, self.plan, self.groups = t, unit, target, plan, groups
        self.waived = waived
        self.stream = Stream(t.roller(), rerolls)
        self.log: list[tuple[int, Rolled | Loss]] = []
        rolling = Rolling(plan, self.stream, again=self._again, watch=self._watch, waived=waived)
        self.hits = self.wounds = 0
        self.hit_with: list[str] = []
        self.short: BadInput | None = None
        try:
            self._roll(rolling)
        except BadInput as short:  # a script without these dice: what is asked before may change what is rolled
            self.short = short

    def _roll(self, rolling: Rolling) -> None:
        for place, batch in enumerate(self.plan.batches):
            before = rolling.hits
            if rolling.pooled or self.t.setting.script is None:
                rolling.batch(place)
            else:
                self._one_by_one(rolling, place)
            if rolling.hits > before:
                self.hit_with.append(batch.name)
        rolling.finish()
        self.hits, self.wounds = rolling.hits, rolling.wounds

    def _one_by_one(self, rolling: Rolling, place: int) -> None:
        """A dice script is read as the 10th edition rolls: one attack after the other (T-5.3).

        Seeded dice are rolled together, as its fast dice allow (T-6.10): the same chances, and fewer windows.
        """
        for _ in range(0 if rolling.over else rolling.attack_dice(place)):
            if rolling.over:
                return
            rolling.allocate(place, rolling.wound_rolls(place, rolling.hit_rolls(place, 1)))

    def _again(self, die: Rolled) -> bool:
        return self.stream.is_again()

    def _watch(self, entry: Rolled | Loss) -> None:
        self.log.append((self.stream.place, entry))

    def stages(self) -> Iterator[Stage]:
        """Every roll that is a roll of its own: consecutive dice of one purpose and batch."""
        run: list[tuple[int, Rolled]] = []
        for place, entry in [*self.log, (0, None)]:
            die = entry if isinstance(entry, Rolled) and entry.purpose in _WINDOWS else None
            if run and (die is None or (die.purpose, die.batch) != (run[0][1].purpose, run[0][1].batch)):
                yield self._stage(run)
                run = []
            if die is not None:
                run.append((place, die))

    def _stage(self, run: list[tuple[int, Rolled]]) -> Stage:
        first = run[0][1]
        return Stage(
            first.purpose,
            self.target if first.purpose == "save" else self.unit,
            tuple(place - 1 for place, _ in run),
            run[-1][0],
            tuple(die.face for _, die in run),
            tuple(n for n, (place, die) in enumerate(run) if die.first is not None or place - 1 in self.stream.instead),
            all(_helps(die) for _, die in run),
            first.batch or 0,
        )

    def open_stage(self, answered: int) -> tuple[int, Stage, str] | None:
        """The first roll from number ``answered`` on that its player can have re-rolled, and has cause to."""
        for number, stage in enumerate(self.stages()):
            if number < answered or stage.helps or len(stage.barred) == len(stage.faces):
                continue
            source = reroll_source(self.t, stage.unit, stage.purpose)
            if source is not None:
                return number, stage, source
        return None

    def open_lethal(self) -> tuple[int, int, int] | None:
        """[LETHAL HITS] to be decided: (after which roll, of which batch, how many critical hits); None when none are.

        Nobody is asked where a wound roll can do nothing that an automatic wound does not.
        """
        if not self.plan.edition.lethal_is_choice:
            return None
        crits: dict[int, int] = {}
        last: dict[int, int] = {}
        for number, stage in enumerate(self.stages()):
            if stage.purpose == "hit" and stage.batch not in self.waived and self._may_waive(stage.batch):
                hits = self.plan.batches[stage.batch].hit
                crits[stage.batch] = crits.get(stage.batch, 0) + sum(hits[face - 1].wounds > 0 for face in stage.faces)
                last[stage.batch] = number
        return next(((last[batch], batch, count) for batch, count in crits.items() if count), None)

    def _may_waive(self, batch: int) -> bool:
        woundings = self.plan.batches[batch].woundings.values()
        return any(strike for wounding in woundings for strike in wounding.strikes)

    def is_aim_due(self, precise: tuple[int, ...], answered: int) -> bool:
        """Has an attack with [PRECISION] wounded, and is nothing else to be asked of the rolls before its save?"""
        last = self._first_wounding(precise)
        lethal, window = self.open_lethal(), self.open_stage(answered)
        if last is None or (lethal is not None and lethal[0] <= last):
            return False
        return window is None or window[0] > last

    def _first_wounding(self, precise: tuple[int, ...]) -> int | None:
        """The number of the last roll, before the saves, of the first of these batches in which an attack wounds."""
        found: dict[int, int] = {}
        wounds = {batch for batch in precise if self._wounds(batch)}
        for number, stage in enumerate(self.stages()):
            if stage.purpose in ("hit", "wound") and stage.batch in wounds:
                found[stage.batch] = number
        return found[min(found)] if found else None

    def _wounds(self, batch: int) -> bool:
        """Does any attack of this batch wound, by its roll or without one?"""
        hits = self.plan.batches[batch].hit
        dice = [entry for _, entry in self.log if isinstance(entry, Rolled) and entry.batch == batch]
        struck = any(die.purpose == "wound" and die.needed is not None and die.face >= die.needed for die in dice)
        sure = sum(hits[die.face - 1].wounds > 0 for die in dice if die.purpose == "hit") - self.waived.get(batch, 0)
        return struck or sure > 0

    def due(self, answered: int) -> RerollRoll | ChooseDo | None:
        """What is to be asked next: a roll that may be rolled again, or whether critical hits wound automatically."""
        lethal, window = self.open_lethal(), self.open_stage(answered)
        if lethal is not None and (window is None or window[0] > lethal[0]):
            names = tuple(f"lethal {count}" for count in range(lethal[2], -1, -1))
            player = self.t.owner(self.unit)
            return ChooseDo(player, "lethal_chosen", "lethal_hits", "lethal_hits", self.unit, names)
        return self.window(answered)

    def window(self, answered: int) -> RerollRoll | None:
        """The window that is due."""
        found = self.open_stage(answered)
        if found is None:
            return None
        _, stage, source = found
        player = self.t.owner(stage.unit)
        return RerollRoll(
            player, "window_answered", source, stage.unit, stage.purpose, stage.faces, False, source, stage.barred
        )

    def told(self) -> Iterator[events.Event]:
        """The dice as events: those of one purpose together."""
        run: list[Rolled] = []
        for _, entry in [*self.log, (0, None)]:
            die = entry if isinstance(entry, Rolled) else None
            if run and (
                die is None or (die.purpose, die.batch, die.needed) != (run[0].purpose, run[0].batch, run[0].needed)
            ):
                yield self._event(run)
                run = []
            if die is not None:
                run.append(die)

    def _event(self, run: list[Rolled]) -> events.Rolled:
        faces = tuple(die.face for die in run)
        batch = self.plan.batches[run[0].batch or 0].name
        unit = self.target if run[0].purpose in ("save", "feel no pain") else self.unit
        return events.Rolled(run[0].purpose, faces, self.stream.counter, unit, batch, run[0].needed or 0)

    def losses(self) -> list[tuple[int, int, bool]]:
        """(group, wounds, mortal) of each model that suffered."""
        return [(e.group, e.wounds, e.mortal) for _, e in self.log if isinstance(e, Loss) and e.wounds]


def is_hazardous(t: Table, model: int) -> bool:
    """Has the model a [HAZARDOUS] weapon?"""
    return any(t.rules.weapon_has(model, weapon, "hazardous") for weapon in t.model(model).weapons)


@procedure
class Hazardous(Procedure):
    """After the attacks: a test for each [HAZARDOUS] weapon used. Rules: 11e 24.15, 06.03; 10e W-HAZ."""

    name = "hazardous"
    own_steps = (("tests", "24.15"), ("suffer", "06.02"), ("aftermath", "05.04.04"))

    def tests(self, t: Table) -> Next:
        unit, weapons = unit_of(t), local(t, "weapons")
        if t.setting.numbers.hazards_hurt_the_unit:
            t.push("hazard_rolls", unit=unit, dice=len(weapons), why="hazardous")
            return LEAVE
        faces = rolled(t, "hazard", len(weapons), unit, "W-HAZ")
        if faces is None:
            return AGAIN
        t.set(failed=sum(face == 1 for face in faces))
        return None

    def suffer(self, t: Table) -> Next:
        """10e: each failure is 3 mortal wounds on a model with such a weapon, used or not: a wounded one, else no
        CHARACTER, else a CHARACTER."""
        failed = int(local(t, "failed", 0))
        bearers = [m for m in t.alive(unit_of(t)) if is_hazardous(t, m)]
        bearers += [m for m, _ in local(t, "weapons") if t.wounds(m) > 0 and m not in bearers]
        if not failed or not bearers:
            return None
        ranks = [0 if is_wounded(t, m) else 1 + t.model(m).is_character for m in bearers]
        best = min(ranks)
        among = tuple(dict.fromkeys(m for m, rank in zip(bearers, ranks, strict=True) if rank == best))
        return LoseModel(t.owner(unit_of(t)), "bearer_chosen", "hazard", unit_of(t), "hazardous", among)

    def bearer_chosen(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, PickModel)
        model = t.model_index(choice.model)
        assert model is not None
        t.set(failed=int(local(t, "failed")) - 1)
        mortal_wounds(t, unit_of(t), 3, "hazardous", model=model)
        return AGAIN

    def aftermath(self, t: Table) -> Next:
        aftermath(t)
        return None
