"""The table: a setting, its state, and everything a rule asks of them. Rules read here and change by ``emit`` only."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import numpy as np

from battlewright.battle.events import (
    Chosen,
    Event,
    FramePopped,
    FramePushed,
    FrameSet,
    Marked,
    Quiet,
    Reminder,
    Rolled,
    Told,
    apply,
)
from battlewright.battle.rules import Rules
from battlewright.battle.setting import PLAYERS, ModelDef, Setting, UnitDef
from battlewright.battle.state import MIL, NOBODY, Did, Frame, M, P, State, U, Where
from battlewright.battlefield import Poses, closest, engaged, over_barricade
from battlewright.dice import Scripted, Seeded
from battlewright.errors import Reason

T = TypeVar("T")


class Table:
    """One moment of a battle, as rules see it. ``log`` takes (cause, event) pairs of the events people read."""

    __slots__ = ("_cache", "_depth", "_standing", "_stood", "changes", "log", "rules", "setting", "state")

    def __init__(self, setting: Setting, state: State, log: list[tuple[str, Event]] | None = None) -> None:
        self.setting, self.state = setting, state
        self.log: list[tuple[str, Event]] = [] if log is None else log
        self.changes = 0
        self._depth = 0
        self._cache: dict[Any, Any] = {}
        self._stood: dict[int, tuple[tuple[int, ...], bytes, Poses]] = {}
        self._standing: dict[Any, tuple[list[Poses], Any]] = {}
        self.rules = Rules(self)

    # ------------------------------------------------------------------------------------------------- changing
    def emit(self, event: Event) -> None:
        """Let it happen: the one way from rules to the state."""
        apply(self.state, event)
        self.changes += 1
        if not isinstance(event, Quiet):
            self.log.append((self.cause, event))
            if not isinstance(event, Rolled | Reminder | Told):  # no answer below depends on these
                self._cache.clear()

    @property
    def cause(self) -> str:
        """The step now at work and its rule id: ``charge_unit.charge_roll 11.02``."""
        if self._depth >= len(self.state.frames):
            return ""
        frame = self.state.frames[self._depth]
        steps = self.setting.numbers.steps.get(frame.procedure, ())
        if frame.step < len(steps):
            return f"{frame.procedure}.{steps[frame.step][0]} {steps[frame.step][1]}"
        return frame.procedure

    def at_depth(self, depth: int) -> None:
        """The frame whose step is at work (its index on the stack)."""
        self._depth = depth

    @property
    def depth(self) -> int:
        return self._depth

    def push(self, procedure: str, **local: Any) -> None:
        """Another procedure goes first; the one at work is resumed below it."""
        self.emit(FramePushed(Frame(procedure, 0, local)))

    def pop(self) -> None:
        self.emit(FramePopped())

    def set(self, **local: Any) -> None:
        """Put locals into the frame at work."""
        self._set(self._depth, local)

    def tell(self, **local: Any) -> None:
        """Put locals into the frame below the one at work: what a procedure answers to the one that called it."""
        self._set(self._depth - 1, local)

    def answer(self, outcome: str) -> None:
        """Tell the rule that called for a test or an act how it came out."""
        if self._depth and self.state.frames[self._depth - 1].procedure == "resolve_rule":
            self.tell(outcome=outcome)

    def _set(self, depth: int, local: dict[str, Any]) -> None:
        frame = self.state.frames[depth]
        self.emit(FrameSet(depth, frame.step, {**frame.local, **local}))

    @property
    def frame(self) -> Frame:
        return self.state.frames[self._depth]

    def mark(self, unit: int, on: Did | int = 0, off: Did | int = 0) -> None:
        self.emit(Marked(unit, int(on), int(off)))

    def choose(self, unit: int, act: str, flags: Did | int = 0) -> None:
        self.emit(Chosen(unit, act))
        if flags:
            self.mark(unit, flags)

    def roll(self, purpose: str, count: int, unit: int = NOBODY, rule: str = "", needs: int = 0) -> tuple[int, ...]:
        """So many D6, each of them seen in the log with what it was for."""
        roller = self.roller()
        faces = tuple(roller.d6() for _ in range(count))
        counter = roller.used if isinstance(roller, Scripted) else roller.counter
        self.emit(Rolled(purpose, faces, counter, unit, rule, needs))
        return faces

    def roller(self) -> Seeded | Scripted:
        """The dice as they now lie: asking changes nothing; a ``Rolled`` event says how many were used."""
        if self.setting.script is not None:
            return Scripted(self.setting.script, self.state.counter)
        return Seeded(self.setting.seed, 0, self.state.counter)

    # -------------------------------------------------------------------------------------------------- reading
    def cached(self, key: Any, make: Callable[[], T]) -> T:
        """``make()``, kept until something happens."""
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = make()
        return found

    def standing(self, units: tuple[int, ...], key: Any, make: Callable[[], T]) -> T:
        """``make()``, kept as long as the living models of these units stand where they stand."""
        here = self.cached(("here", units), lambda: [self.poses(unit) for unit in units])
        known = self._standing.get(key)
        if known is None or len(known[0]) != len(here) or any(map(operator.is_not, known[0], here)):
            known = self._standing[key] = here, make()
        return known[1]

    def reason(self, what: str, detail: str) -> Reason:
        return Reason(self.setting.rule_id(what), detail)

    def unit(self, unit: int) -> UnitDef:
        return self.setting.units[unit]

    def model(self, model: int) -> ModelDef:
        return self.setting.models[model]

    def name(self, unit: int) -> str:
        return self.setting.units[unit].id

    def index(self, name: str) -> int | None:
        """The unit of this id, None when there is none."""
        return self.setting.names.get(name)

    def model_name(self, model: int) -> str:
        unit = self.setting.units[self.setting.models[model].unit]
        return f"{unit.id}#{model - unit.models[0]}"

    def model_index(self, name: str) -> int | None:
        """The model called ``k1#3``, None when there is none."""
        unit, _, place = name.rpartition("#")
        found = self.setting.names.get(unit)
        if found is None or not place.isdigit() or int(place) >= len(self.setting.units[found].models):
            return None
        return self.setting.units[found].models[int(place)]

    def owner(self, unit: int) -> int:
        return self.setting.units[unit].player

    def head(self, model: int) -> int:
        """The unit a model belongs to now (the attached unit when it is in one)."""
        return int(self.state.unit[self.setting.models[model].unit, U.HEAD])

    def parts(self, unit: int) -> tuple[int, ...]:
        """The units an attached unit is made of; itself alone when it is not attached."""
        return self.cached("parts", self._parts).get(unit, ())

    def _parts(self) -> dict[int, tuple[int, ...]]:
        found: dict[int, tuple[int, ...]] = {}
        for unit, head in enumerate(self.state.unit[:, U.HEAD].tolist()):
            found[head] = (*found.get(head, ()), unit)
        return found

    def alive(self, unit: int) -> tuple[int, ...]:
        """The living models of a unit."""
        return self.cached(("alive", unit), lambda: self._alive(unit))

    def _alive(self, unit: int) -> tuple[int, ...]:
        wounds: list[int] = self.cached("wounds", self.state.model[:, M.WOUNDS].tolist)
        return tuple(m for part in self.parts(unit) for m in self.setting.units[part].models if wounds[m] > 0)

    def units(self, player: int | None = None, where: Where = Where.BATTLEFIELD) -> tuple[int, ...]:
        """The units (attached ones count once) that are there, of a player or of both."""
        return self.cached(("units", player, where), lambda: tuple(self._units(player, where)))

    def _units(self, player: int | None, where: Where) -> Iterator[int]:
        heads, places = self.state.unit[:, (U.HEAD, U.WHERE)].T.tolist()
        for unit, definition in enumerate(self.setting.units):
            if heads[unit] == unit and places[unit] == where and player in (None, definition.player):
                yield unit

    def passengers(self, carrier: int) -> tuple[int, ...]:
        """The units embarked in a transport."""
        aboard = self.units(self.owner(carrier), Where.EMBARKED)
        return tuple(u for u in aboard if int(self.state.unit[u, U.CARRIER]) == carrier)

    def enemies(self, unit: int) -> tuple[int, ...]:
        return self.units(1 - self.owner(unit))

    def keywords(self, unit: int) -> frozenset[str]:
        """The keywords of a unit: those of its living models and its parts (11e 02.05.01; 10e T-1.1)."""
        return self.cached(("words", unit), lambda: self._keywords(unit))

    def _keywords(self, unit: int) -> frozenset[str]:
        words = frozenset[str]().union(*(self.words(m) for m in self.alive(unit)))
        given, taken = self.rules.granted_keywords(unit)
        return (words | given) - taken

    def words(self, model: int) -> frozenset[str]:
        """The keywords of a model; one that hovers is no AIRCRAFT (10e T-9.8)."""
        words = self.setting.models[model].keywords
        return words - {"AIRCRAFT"} if "AIRCRAFT" in words and self.hovers(self.head(model)) else words

    def hovers(self, unit: int) -> bool:
        """Did its player choose Hover for the unit before the battle (10e T-9.8)?"""
        return f"hover|{unit}" in self.state.marks

    def has(self, unit: int, *words: str) -> bool:
        """The unit has any of the keywords."""
        return not self.keywords(unit).isdisjoint(words)

    def all_have(self, unit: int, ability: str) -> bool:
        """Every living model's datasheet has this core ability."""
        return bool(self.alive(unit)) and all(self.rules.core(self.model(m).unit, ability) for m in self.alive(unit))

    def wounds(self, model: int) -> int:
        return int(self.state.model[model, M.WOUNDS])

    def points(self, unit: int) -> int:
        """What a unit costs, the units attached to it included."""
        return sum(self.setting.units[part].points for part in self.parts(unit))

    def cp(self, player: int) -> int:
        return int(self.state.player[player, P.CP])

    def strength(self, unit: int) -> tuple[int, int]:
        """(now, at the start): models, or the wounds of a unit of one (11e 01.02.01; 10e T-2.1)."""
        start = int(self.state.unit[unit, U.START])
        alive = self.alive(unit)
        if start == 1:
            if not alive:
                return 0, 1
            return self.wounds(alive[0]), int(self.rules.stat(alive[0], "W"))
        return len(alive), start

    # ------------------------------------------------------------------------------------------------- geometry
    def poses_of(self, models: Iterable[int]) -> Poses:
        """Where these models stand."""
        rows = np.fromiter(models, np.int64)
        at = self.state.model[rows].astype(np.int64)
        return Poses(at[:, :2], at[:, M.FACING], at[:, M.Z], self.setting.footprint.take(rows))

    def poses(self, unit: int) -> Poses:
        """Where the living models of a unit stand: the same object until one of them moves or falls."""
        return self.cached(("poses", unit), lambda: self._poses(unit))

    def _poses(self, unit: int) -> Poses:
        alive = self.alive(unit)
        places = self.state.model[np.array(alive, np.int64), :4].tobytes()
        known = self._stood.get(unit)
        if known is None or known[:2] != (alive, places):
            known = self._stood[unit] = alive, places, self.poses_of(alive)
        return known[2]

    def gap(self, unit: int, other: int) -> float:
        """Inches between the closest models of two units; a unit of which nobody lives is infinitely far."""
        pair = (unit, other) if unit < other else (other, unit)
        return self.standing(pair, ("gap", *pair), lambda: closest(self.poses(pair[0]), self.poses(pair[1])))

    def engaged_with(self, unit: int) -> tuple[int, ...]:
        """The enemy units a unit is engaged with (11e 03.04; 10e T-4.3)."""
        return self.cached(("engaged", unit), lambda: self._engaged_with(unit))

    def _engaged_with(self, unit: int) -> tuple[int, ...]:
        if not self.state.on_battlefield(unit) or not self.alive(unit):
            return ()
        return tuple(e for e in self.enemies(unit) if any(self._engaged(unit, e)))

    def _engaged(self, unit: int, other: int) -> list[bool]:
        """Which living models of a unit are within engagement range of another."""
        return self.standing((unit, other), ("engaged", unit, other), lambda: self._near_enough(unit, other))

    def _near_enough(self, unit: int, other: int) -> list[bool]:
        near = engaged(self.poses(unit), self.poses(other), *self.setting.field.engagement)
        return [bool(hit) for hit in np.asarray(near.any(axis=1))]

    def in_combat_with(self, unit: int) -> tuple[int, ...]:
        """The enemy units it may fight: engaged with it, or (10e T-11.4) within 2" on the other side of a barricade."""
        return self.cached(("combat", unit), lambda: self._in_combat_with(unit))

    def _in_combat_with(self, unit: int) -> tuple[int, ...]:
        met, reach = self.engaged_with(unit), self.setting.field.barricade_reach
        if not reach or not self.setting.terrain.areas or not self.state.on_battlefield(unit):
            return met
        near = [e for e in self.enemies(unit) if e not in met and self.gap(unit, e) <= reach]
        return met + tuple(e for e in near if self.over_barricade(unit, e))

    def over_barricade(self, unit: int, other: int) -> tuple[int, ...]:
        """The models of a unit that face another over a barricade (10e T-11.4)."""
        reach = self.setting.field.barricade_reach
        if not reach or not self.setting.terrain.areas:
            return ()
        faced = over_barricade(self.poses(unit), self.poses(other), self.setting.terrain, reach, reach)
        hits = np.asarray(faced.any(axis=1))
        return tuple(m for m, hit in zip(self.alive(unit), hits.tolist(), strict=True) if hit)

    def is_engaged(self, unit: int) -> bool:
        return bool(self.engaged_with(unit))

    def models_engaged_with(self, unit: int, other: int) -> tuple[int, ...]:
        """The models of a unit within engagement range of another unit."""
        return tuple(m for m, hit in zip(self.alive(unit), self._engaged(unit, other), strict=True) if hit)

    def foes(self, unit: int) -> tuple[int, ...]:
        """The enemies that count when the closest is asked: AIRCRAFT only for units that FLY (11e 23.02; 10e T-9.8)."""
        enemies = self.enemies(unit)
        if self.has(unit, "FLY"):
            return enemies
        return tuple(e for e in enemies if not self.has(e, "AIRCRAFT"))

    def nearest_foe(self, unit: int) -> tuple[int, float] | None:
        """The closest of :meth:`foes` and its distance."""
        return min(((e, self.gap(unit, e)) for e in self.foes(unit)), key=lambda pair: (pair[1], pair[0]), default=None)

    def nearest_enemy(self, unit: int) -> tuple[int, float] | None:
        """The closest enemy unit and its distance."""
        found = [(self.gap(unit, e), e) for e in self.enemies(unit)]
        if not found:
            return None
        distance, enemy = min(found)
        return enemy, distance

    def who(self, player: int) -> str:
        return PLAYERS[player]

    def inches(self, mils: float) -> str:
        """A length for people: ``18.4"``."""
        return f'{mils / MIL:.1f}"'

    def gap_to_point(self, unit: int, at: tuple[float, float]) -> float:
        """Inches from a point of the table to the nearest model of a unit."""
        return self.standing((unit,), ("to point", unit, at), lambda: self._gap_to_point(unit, at))

    def _gap_to_point(self, unit: int, at: tuple[float, float]) -> float:
        poses = self.poses(unit)
        apart = np.sqrt(((poses.inches - np.asarray(at)) ** 2).sum(axis=-1)) - poses.reach
        return float(max(apart.min(), 0.0))
