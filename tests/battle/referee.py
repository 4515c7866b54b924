"""A strict reader of the rules beside a battle: it sees every event, keeps its own books and measures for itself.

Nothing of the engine's judgement is used: places, wounds and what happened come from the events, numbers from the
datasheets, distances from its own arithmetic (the shipped armies stand on round bases). Rules: both editions, as cited.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import shapely

from battlewright.battle import events as ev
from battlewright.battle.choices import Choice, Declare
from battlewright.battle.engine import Battle
from battlewright.battle.state import M, P, U, Where
from battlewright.battle.table import Table
from battlewright.battlefield import Area

ENGAGED = {"10e": 1.0, "11e": 2.0}
OFF_ENEMIES = {"10e": 9.0, "11e": 8.0}
PHASES = ("command", "movement", "shooting", "charge", "fight")
SLACK = 0.011
CHANGING = (ev.Moved, ev.SetUp, ev.ModelDestroyed, ev.ShockChanged, ev.EffectBegan, ev.LeftBattlefield)
FREE = ("normal", "advance", "fall_back", "scout")


HIDING = {"10e": {"ruins"}, "11e": {"light", "dense"}}


@dataclass(frozen=True)
class Disc:
    """A round base on the table, inches."""

    x: float
    y: float
    radius: float
    aircraft: bool = False
    towering: bool = False

    def spots(self, count: int) -> list[tuple[float, float]]:
        turns = [2 * math.pi * n / count for n in range(count)]
        around = [(self.x + self.radius * math.cos(a), self.y + self.radius * math.sin(a)) for a in turns]
        return [*around, (self.x, self.y)]

    @property
    def shape(self) -> Any:
        return shapely.Point(self.x, self.y).buffer(self.radius, quad_segs=64)


def is_line(edition: str, one: Disc, other: Disc, areas: list[Area], slack: float = 0.01) -> bool:
    """Does a line run past every area that hides what is beyond it? Coarse first, then finer.

    ``slack`` inches are given the players wherever they help: areas are smaller when they hide, larger when one stands in
    them. Below 0 the other way round.
    """
    walls = hiding(edition, one, other, areas, slack)
    return any(not crossed(walls, one.spots(count), other.spots(count)).all() for count in (8, 48))


def is_whole(edition: str, one: Disc, other: Disc, areas: list[Area], slack: float = 0.01) -> bool:
    """Is every part of the other's near side seen from some part of the one?"""
    walls = hiding(edition, one, other, areas, slack)
    ahead = math.atan2(one.y - other.y, one.x - other.x)
    turns = [ahead + math.pi / 2 * n / 24 for n in range(-23, 24)]
    near = [(other.x + other.radius * math.cos(a), other.y + other.radius * math.sin(a)) for a in turns]
    return bool((~crossed(walls, one.spots(48), near)).any(axis=0).all())


def hiding(edition: str, one: Disc, other: Disc, areas: list[Area], slack: float) -> Any:
    """The areas that hide the other from the one, as one shape."""
    shapes = [shapely.Polygon(area.area) for area in areas]
    walls = [s.buffer(-slack) for s in shapes if not is_free_of(edition, one, other, s.buffer(slack))]
    return shapely.unary_union(walls)


def crossed(walls: Any, here: list[tuple[float, float]], there: list[tuple[float, float]]) -> Any:
    """Which lines from here to there meet the walls, (here, there)."""
    shapely.prepare(walls)
    lines = shapely.linestrings([(a, b) for a in here for b in there])
    return shapely.intersects(walls, lines).reshape(len(here), len(there))


def is_free_of(edition: str, one: Disc, other: Disc, area: Any) -> bool:
    """Does the area hide neither of the two from ``one``? 13.10: one of them is within. T-11.3: the other is within, or one
    sees out of it: wholly within, or TOWERING and within; AIRCRAFT are always seen and always see."""
    if edition == "11e":
        return bool(area.intersects(one.shape) or area.intersects(other.shape))
    sees_out = area.covers(one.shape) or (one.towering and area.intersects(one.shape))
    return bool(sees_out or area.intersects(other.shape) or one.aircraft or other.aircraft)


class Foul(AssertionError):
    """A rule was broken."""


class Referee:
    """``watch`` a battle, then let it be played: every event is judged as it happens, every answer before it is taken."""

    def __init__(self, battle: Battle) -> None:
        self.t: Table = battle.table
        self.setting, self.edition = battle.setting, battle.setting.edition
        self.tenth = self.edition == "10e"
        self.wounds = [int(w) for w in battle.state.model[:, M.WOUNDS]]
        self.cp, self.vp = [0, 0], [0, 0]
        self.done: Counter[tuple[Any, ...]] = Counter()
        self.did: dict[int, set[str]] = defaultdict(set)
        self.turns: list[tuple[int, int]] = []
        self.phases: list[str] = []
        self.counter = self.faces = 0
        self.last: dict[str, tuple[int, ...]] = {}
        self.shock_roll: tuple[int, int, int] | None = None
        self.tested: set[int] = set()
        self.points: Counter[tuple[int, str]] = Counter()
        self.round_vp: Counter[tuple[int, int]] = Counter()
        self.fights: list[int] = []
        self.fight_ready: set[int] = set()
        self.tier = self.late = False
        self.judged: Counter[str] = Counter()
        self.met_when_chosen: dict[int, bool] = {}

    # ------------------------------------------------------------------------------------------------- measuring
    @property
    def state(self) -> Any:
        return self.t.state

    def at(self, model: int) -> tuple[float, float, float]:
        x, y, z = (int(v) / 1000 for v in self.state.model[model, :3])
        return x, y, z

    def radius(self, model: int) -> float:
        base = self.setting.models[model].base
        assert base.shape == "round"
        assert isinstance(base.mm, float | int)
        return base.mm / 25.4 / 2

    def apart(self, one: int, other: int) -> float:
        """Inches between two bases, flat."""
        (ax, ay, _), (bx, by, _) = self.at(one), self.at(other)
        return math.hypot(ax - bx, ay - by) - self.radius(one) - self.radius(other)

    def near(self, one: int, other: int, reach: float) -> bool:
        return self.apart(one, other) <= reach + 1e-6 and abs(self.at(one)[2] - self.at(other)[2]) <= 5

    def head(self, model: int) -> int:
        return int(self.state.unit[self.setting.models[model].unit, U.HEAD])

    def owner(self, unit: int) -> int:
        return self.setting.units[unit].player

    def models(self, unit: int) -> list[int]:
        """The living models of a unit, its attached ones included."""
        return [m for m, w in enumerate(self.wounds) if w > 0 and self.head(m) == unit]

    def units(self, player: int | None = None) -> list[int]:
        found = []
        for unit, definition in enumerate(self.setting.units):
            mine = player in (None, definition.player) and int(self.state.unit[unit, U.HEAD]) == unit
            if mine and int(self.state.unit[unit, U.WHERE]) == Where.BATTLEFIELD and self.models(unit):
                found.append(unit)
        return found

    def enemies(self, unit: int) -> list[int]:
        return self.units(1 - self.owner(unit))

    def gap(self, unit: int, other: int) -> float:
        return min(self.apart(a, b) for a in self.models(unit) for b in self.models(other))

    def engaged_with(self, unit: int) -> set[int]:
        reach = ENGAGED[self.edition]
        mine = self.models(unit)
        return {e for e in self.enemies(unit) if any(self.near(a, b, reach) for a in mine for b in self.models(e))}

    def words(self, unit: int) -> set[str]:
        return set().union(*(self.setting.models[m].keywords for m in self.models(unit)))

    def rule(self, holds: bool, rule: str, what: str) -> None:
        self.judged[rule] += 1
        if not holds:
            raise Foul(f"{self.edition} {rule}: {what} (round {self.state.round}, {self.state.phase})")

    # ------------------------------------------------------------------------------------------------- the answers
    def answer(self, battle: Battle, choice: Choice) -> None:
        """Before an answer is taken: is its giver the one asked, and are declared targets what the rules allow?"""
        decision = battle.decision
        assert decision is not None
        self.rule(battle.to_choose == decision.player, "01.03", "another player is asked")
        unit = getattr(decision, "unit", -1)
        if decision.kind in ("MoveModels", "SetUpUnit", "DeclareAttacks", "LoseModel"):
            self.rule(decision.player == self.owner(unit), "01.03", f"{decision.kind} asked of the wrong player")
        if decision.kind == "ChooseUnit" and getattr(decision, "act", "") in ("move", "shoot", "charge", "arrive"):
            self.rule(decision.player == self.state.turn, "07.02", "not the active player's selection")
        if isinstance(choice, Declare) and getattr(decision, "way", "") != "fight":
            self.shots(unit, str(getattr(decision, "way", "")), choice)
        elif isinstance(choice, Declare):
            self.blows(unit, choice)

    def shots(self, unit: int, way: str, choice: Declare) -> None:
        """04.02, 10.04-10.07, 15.09; T-5.1, T-5.2, T-5.4, W-ASSAULT, W-PISTOL, W-BLAST."""
        combat = self.engaged_with(unit)
        used: Counter[tuple[str, int]] = Counter()
        for shot in choice.shots:
            model, target = self.t.model_index(shot.model), self.t.index(shot.target)
            assert model is not None
            assert target is not None
            weapon = self.setting.models[model].weapons[shot.weapon]
            has = {str(ability.name).lower().replace(" fire", "") for ability in weapon.abilities}
            self.rule(self.wounds[model] > 0 and not weapon.melee, "04.01", "no living model with a ranged weapon")
            used[shot.model, shot.weapon] += 1
            self.rule(used[shot.model, shot.weapon] == 1, "04.02", "a ranged weapon with two targets")
            away = min(self.apart(model, m) for m in self.models(target))
            self.rule(away <= (weapon.range or 0) + SLACK, "04.02", f"{weapon.name} at {away:.2f}")
            heavy = bool(self.words(unit) & {"MONSTER", "VEHICLE"})
            close = bool(has & {"pistol", "close-quarters"})
            if combat:
                self.rule(heavy or close, "10.06", f"{weapon.name} in combat")
                self.rule(heavy or target in combat, "10.06", "a target outside the combat")
                self.rule(way not in ("snap", "overwatch"), "15.08", "snap shooting in combat")
            others = self.engaged_with(target)
            self.rule(not (others and "blast" in has), "W-BLAST", "[BLAST] into combat")
            big = bool(self.words(target) & {"MONSTER", "VEHICLE"})
            self.rule(not others or big or target in combat, "04.02", "a target in combat")
            if "advance" in self.did[unit]:
                self.rule("assault" in has, "10.05", f"{weapon.name} after an advance")
            if way in ("snap", "overwatch"):
                self.rule(self.gap(unit, target) <= 24 + SLACK, "15.09", "beyond 24 inches")
            if "indirect" not in has:
                self.rule(self.line(model, target), "06.01", f"{shot.model} cannot see {shot.target}")
        if way in ("snap", "overwatch"):
            self.rule(len({shot.target for shot in choice.shots}) <= 1, "15.09", "two targets")

    def line(self, model: int, target: int) -> bool:
        """Is there a line past every area in the way (13.10; T-11.3)?"""
        areas = [a for a in self.setting.mission.terrain if a.kinds & HIDING[self.edition]]
        one = self.disc(model)
        return any(is_line(self.edition, one, self.disc(seen), areas) for seen in self.models(target))

    def disc(self, model: int) -> Disc:
        words = self.setting.models[model].keywords
        x, y, _ = self.at(model)
        return Disc(x, y, self.radius(model), "AIRCRAFT" in words, "TOWERING" in words)

    def blows(self, unit: int, choice: Declare) -> None:
        """04.02, 12.05: 11e only models engaged with the target; 10e those or their neighbours (T-8.2)."""
        reach = ENGAGED[self.edition]
        mine = self.models(unit)
        for shot in choice.shots:
            model, target = self.t.model_index(shot.model), self.t.index(shot.target)
            assert model is not None
            assert target is not None
            self.rule(self.setting.models[model].weapons[shot.weapon].melee, "04.01", "no melee weapon")
            direct = any(self.near(model, m, reach) for m in self.models(target))
            behind = self.tenth and any(
                self.apart(model, friend) <= 0.003 and self.apart(friend, m) <= 0.003
                for friend in mine
                for m in self.models(target)
            )
            over = self.tenth and any(self.apart(model, m) <= 2 + SLACK for m in self.models(target)) and self.bars()
            self.rule(direct or behind or over, "12.05", f"{shot.model} is too far from {shot.target} to fight")

    def bars(self) -> bool:
        """Are there barricades to fight over (T-11.4)?"""
        return any("barricade" in area.kinds for area in self.setting.mission.terrain)

    # -------------------------------------------------------------------------------------------------- the events
    def see(self, event: Any, before: Any) -> None:
        """An event has happened; ``before`` is a copy of the state it found."""
        windows = [f.local["moment"]["name"] for f in self.state.frames if f.procedure == "window"]
        self.late |= "end" in windows and isinstance(event, CHANGING)
        judge = getattr(self, f"on_{type(event).__name__}", None)
        if judge is not None:
            judge(event, before)
        self.books()

    def books(self) -> None:
        """CP, VP and wounds are what the events add up to, and none is below nothing."""
        state = self.state
        self.rule(self.wounds == [int(w) for w in state.model[:, M.WOUNDS]], "05.04", "wounds changed unseen")
        self.rule(min(self.wounds, default=0) >= 0, "05.04", "wounds below nothing")
        self.rule(self.cp == [int(c) for c in state.player[:, P.CP]], "08.02", "CP changed unseen")
        self.rule(min(self.cp) >= 0, "15.01", "CP below nothing")
        self.rule(self.vp == [int(v) for v in state.player[:, P.VP]], "26", "VP changed unseen")

    def on_RoundBegan(self, event: ev.RoundBegan, before: Any) -> None:
        self.rule(event.round == before.round + 1 <= 5, "07", "rounds out of order")

    def on_TurnBegan(self, event: ev.TurnBegan, before: Any) -> None:
        self.turns.append((self.state.round, event.player))
        mine = [p for r, p in self.turns if r == self.state.round]
        self.rule(mine == [self.state.first, 1 - self.state.first][: len(mine)], "07.02", "turns out of order")
        self.did.clear()
        self.phases = []

    def on_TurnEnded(self, event: ev.TurnEnded, before: Any) -> None:
        self.rule(tuple(self.phases) == PHASES, "07.02", f"phases {self.phases}")
        for unit in self.units():
            self.rule(self.coherent(self.models(unit)), "03.03", f"{self.t.name(unit)} out of coherency at turn's end")
        self.scored("turn", event.player)

    def on_PhaseBegan(self, event: ev.PhaseBegan, before: Any) -> None:
        self.phases.append(event.phase)
        self.done.clear()
        self.tested.clear()
        self.late = False
        self.fights = []
        self.fight_ready = {u for u in self.units() if self.engaged_with(u)} if event.phase == "fight" else set()

    def on_PhaseEnded(self, event: ev.PhaseEnded, before: Any) -> None:
        if event.phase == "command":
            self.all_tested()
            self.scored("command", before.turn)
        if event.phase == "fight":
            for unit in self.units():
                owed = (self.engaged_with(unit) or "charge" in self.did[unit]) and not self.done["fight", unit]
                late = not self.tenth  # 11e: whoever is engaged only by a consolidation may have had no fight
                self.rule(not owed or late, "T-8.1", f"{self.t.name(unit)} was not selected to fight")
        if not self.late:  # what happened in a window at the end of the phase came after control was determined
            self.levels()

    def levels(self) -> None:
        """14.02; T-12.2, T-12.3: the sum of OC in range, and who controls."""
        for place, objective in enumerate(self.setting.mission.objectives):
            if self.setting.objective_area(place) is not None:
                continue
            level = [0, 0]
            for unit in self.units():
                if not self.state.shocked(unit):
                    level[self.owner(unit)] += sum(self.oc(m) for m in self.models(unit) if self.by(m, objective.at))
            self.rule(tuple(level) == tuple(self.state.levels[place]), "14.02", f"objective {place}: {level}")
            held = -1 if level[0] == level[1] else int(level[1] > level[0])
            if self.state.secured[place] < 0:
                self.rule(self.state.control[place] == held, "14.02", f"objective {place} is controlled by {held}")

    def oc(self, model: int) -> int:
        """As printed, unless a rule in force changes it."""
        return int(self.t.rules.stat(model, "OC")) if self.state.effects else self.setting.models[model].profile.OC or 0

    def by(self, model: int, at: tuple[float, float]) -> bool:
        x, y, z = self.at(model)
        gap = math.hypot(x - at[0], y - at[1]) - self.radius(model) - 20 / 25.4
        return gap <= 3 + 1e-6 and abs(z) <= 5

    # ------------------------------------------------------------------------------------------------------- dice
    def on_Rolled(self, event: ev.Rolled, before: Any) -> None:
        self.rule(bool(event.purpose) and all(1 <= face <= 6 for face in event.faces), "01.05", f"{event}")
        self.faces += len(event.faces)
        self.rule(event.counter >= max(self.counter, self.faces), "01.05", "dice nobody rolled")
        self.counter = event.counter
        self.last[event.purpose] = event.faces
        if event.purpose == "battle_shock":
            self.shock_roll = (event.unit, sum(event.faces), self.leadership(event.unit))
            self.tested.add(event.unit)
            self.rule(len(event.faces) == 2, "01.07", "a battle-shock roll is 2D6")
            self.rule(event.needs == self.leadership(event.unit), "01.06", f"Leadership {event.needs}")

    def leadership(self, unit: int) -> int:
        values = [self.setting.models[m].profile.Ld or 0 for m in self.models(unit)]
        return int(self.t.rules.leadership(unit)) if self.state.effects else min(values)

    def weak(self, unit: int) -> bool:
        """08.03: battle-shocked, at or below half; T-3.2: below half."""
        start = int(self.state.unit[unit, U.START])
        mine = self.models(unit)
        now, full = len(mine), start
        if start == 1 and mine:
            now, full = self.wounds[mine[0]], self.setting.models[mine[0]].profile.W or 0
        return 2 * now < full or (not self.tenth and (2 * now == full or self.state.shocked(unit)))

    def all_tested(self) -> None:
        for unit in self.units(self.state.turn):
            excused = any(e[0] == "passed" and e[1] == unit for e in self.done)
            owed = self.weak(unit) and unit not in self.tested and not excused
            self.rule(not owed, "08.03", f"{self.t.name(unit)} took no battle-shock roll")

    def on_Told(self, event: ev.Told, before: Any) -> None:
        if event.text.startswith("battle-shock passed"):
            self.done["passed", event.unit] += 1

    def on_ShockChanged(self, event: ev.ShockChanged, before: Any) -> None:
        roll = self.shock_roll
        frames = {frame.procedure for frame in self.state.frames}
        if event.shocked:
            failed = roll is not None and roll[0] == event.unit and roll[1] < roll[2]
            out = frames & {"disembark", "emergency_disembark", "resolve_rule"}
            self.rule(failed or bool(out), "01.07", f"battle-shocked without a failed roll: {roll}")
        elif self.tenth:
            begins = self.state.phase == "command" and self.owner(event.unit) == self.state.turn and not self.tested
            self.rule(begins or "resolve_rule" in frames, "T-2.3", "battle-shock ends at the next own Command phase")
        else:
            passed = roll is not None and roll[0] == event.unit and roll[1] >= roll[2]
            self.rule(passed or bool(frames & {"resolve_rule"}), "01.07", "battle-shock ended without a passed roll")

    # ---------------------------------------------------------------------------------------------------- choosing
    def on_Chosen(self, event: ev.Chosen, before: Any) -> None:
        unit = event.unit
        acts = ("move", "shoot", "charge", "fight", "pile_in", "consolidate")
        if event.act in acts:
            self.done[event.act, unit] += 1
            self.rule(self.done[event.act, unit] == 1, "09.02", f"{self.t.name(unit)} selected twice to {event.act}")
        if event.act == "move":
            self.met_when_chosen[unit] = bool(self.engaged_with(unit))
        if event.act in ("move", "shoot", "charge"):
            self.rule(self.state.phase == PHASES[1 + acts.index(event.act)], "07.02", f"{event.act} out of phase")
            self.rule(self.owner(unit) == self.state.turn, "07.02", f"the opponent's unit selected to {event.act}")
        if event.act == "shoot":
            self.rule("fall_back" not in self.did[unit], "10.02", "shoots after falling back")
        if event.act == "charge":
            self.rule(not self.did[unit] & {"advance", "fall_back", "disembark"}, "11.02", f"{self.did[unit]}")
            self.rule(not self.engaged_with(unit), "11.02", "an engaged unit charges")
            self.rule(min(self.gap(unit, e) for e in self.enemies(unit)) <= 12 + SLACK, "11.02", "no enemy within 12")
        if event.act == "fight":
            self.fight_order(unit)

    def ready(self, unit: int) -> bool:
        met = bool(self.engaged_with(unit)) or "charge" in self.did[unit]
        return not self.done["fight", unit] and (met or (not self.tenth and unit in self.fight_ready))

    def fight_order(self, unit: int) -> None:
        """12.04: turn player first; T-8.1: the other. Fights First before the rest, players alternating."""
        frames = {frame.procedure for frame in self.state.frames}
        self.done["fight", unit] -= 1
        ready = {u for u in self.units() if self.ready(u)}
        self.done["fight", unit] += 1
        if not self.bars():
            self.rule(unit in ready, "12.04", f"{self.t.name(unit)} is not eligible to fight")
        if "consolidate" in frames or self.bars():
            return
        first = {u for u in ready if "charge" in self.did[u] or self.t.all_have(u, "fights first")}
        used = any("counter" in str(key).lower() for key in self.done)
        self.rule(unit in first or not first or used, "12.04", "Fights First fight first")
        player, tier = self.owner(unit), bool(first)
        rivals = {u for u in (first or ready) if self.owner(u) != player}
        if self.fights and self.fights[-1] == player and not used and not self.new_step(tier):
            self.rule(not rivals, "12.04", "players alternate")
        if not self.fights or self.new_step(tier):
            lead = 1 - self.state.turn if self.tenth else self.state.turn
            self.rule(player == lead or not rivals or used, "12.04", f"player {lead} selects first")
        self.fights.append(player)
        self.tier = tier

    def new_step(self, tier: bool) -> bool:
        """10e: each of the two steps begins anew with the player whose turn it is not (T-8.1)."""
        return self.tenth and bool(self.fights) and self.tier and not tier

    # ------------------------------------------------------------------------------------------------------- moves
    def on_Moved(self, event: ev.Moved, before: Any) -> None:
        unit, kind = event.unit, event.kind
        mine, reach = self.models(unit), ENGAGED[self.edition]
        name = f"{self.t.name(unit)} {kind}"
        self.rule(all(pose[0] in mine for pose in event.poses), "03.01", f"{name}: no living model of the unit")
        for (model, x, y, z, _), way in zip(event.poses, event.paths, strict=True):
            start = tuple(int(v) for v in before.model[model, :2])
            self.rule(way[0] == start and way[-1] == (x, y), "03.01", f"{name}: its way does not join the places")
            far = sum(math.dist(a, b) for a, b in pairwise(way)) / 1000
            climb = abs(z - int(before.model[model, M.Z])) / 1000
            most = self.allowed(unit, model, kind)
            self.rule(max(far, climb) <= most + SLACK, "03.01", f"{name}: {far:.2f} of {most}")
            if kind != "fall_back":
                self.path(unit, model, way, kind)
        self.standing(unit, name)
        met = self.engaged_with(unit)
        if kind in FREE:
            self.rule(not met, "09.05", f"{name} ends engaged")
        if kind in ("charge", "pile_in"):
            over = self.tenth and self.bars()
            self.rule(bool(met) or over, "11.04", f"{name} ends engaged with nobody")
        self.kind_of_move(unit, kind, met, before, reach)
        self.did[unit].add(kind)

    def kind_of_move(self, unit: int, kind: str, met: set[int], before: Any, reach: float) -> None:
        was = self.was_engaged(unit, before)
        if kind in ("normal", "advance", "charge", "scout"):
            self.rule(not was, "09.05", f"an engaged unit makes a {kind} move")
        if kind == "fall_back":
            # eligible when it was selected: the models lost to its escape may be those that were engaged
            self.rule(was or self.met_when_chosen[unit], "09.07", "an unengaged unit falls back")
        if kind in ("normal", "advance", "fall_back"):
            self.rule(not self.did[unit] & {"normal", "advance", "fall_back"}, "09.02", "a unit moves twice")
        if kind in ("pile_in", "consolidate"):
            self.rule(self.state.phase == "fight", "12", f"{kind} outside the Fight phase")
        if kind == "charge":
            frame = next(f for f in reversed(self.state.frames) if f.procedure == "charge_unit")
            targets = {e for e in frame.local.get("targets", ()) if self.models(e)}
            over = self.tenth and self.bars()
            self.rule(met <= targets, "11.04", "charged a unit that is no target")
            self.rule(targets <= met or over, "11.04", "not engaged with every target of the charge")

    def was_engaged(self, unit: int, before: Any) -> bool:
        """Were any two opposing models in range before this move?"""
        reach = ENGAGED[self.edition] * 1000
        for mine in self.models(unit):
            for enemy in self.enemies(unit):
                for foe in self.models(enemy):
                    a, b = before.model[mine, :3].tolist(), before.model[foe, :3].tolist()
                    flat = math.dist(a[:2], b[:2]) - 1000 * (self.radius(mine) + self.radius(foe))
                    if flat <= reach and abs(a[2] - b[2]) <= 5000:
                        return True
        return False

    def allowed(self, unit: int, model: int, kind: str) -> float:
        """M; M + the advance roll; the charge roll, at most 12" in 11e; 3"; the Scouts distance."""
        printed = self.setting.models[model].profile.M or 0
        moves = max(printed, int(self.t.rules.stat(model, "M"))) if self.state.effects else printed
        match kind:
            case "advance":
                roll = self.last.get("advance", (0,))[0]
                return moves + max(roll, self.last.get("advance re-roll", (0,))[0])
            case "charge":
                rolls = [sum(self.last.get(name, ())) for name in ("charge", "charge re-roll")]
                return max(rolls) if self.tenth else min(max(rolls), 12)
            case "pile_in" | "consolidate":
                return 3
            case "scout":
                return float(getattr(self.t.rules.core(self.setting.models[model].unit, "scouts"), "bonus", 0))
            case _:
                return moves

    def path(self, unit: int, model: int, way: Any, kind: str) -> None:
        """No base passes over an enemy base on the ground (03.01; T-4.1), but as 17.01 and FLY allow."""
        words = self.setting.models[model].keywords
        if "FLY" in words or self.at(model)[2]:
            return
        line = shapely.LineString([(x / 1000, y / 1000) for x, y in way] if len(way) > 1 else [way[0], way[0]])
        for enemy in self.enemies(unit):
            for foe in self.models(enemy):
                small = not self.setting.models[foe].keywords & {"MONSTER", "VEHICLE"}
                free = not self.tenth and small and words & {"MONSTER", "VEHICLE"} and kind in ("normal", "advance")
                x, y, z = self.at(foe)
                if free or z:
                    continue
                room = line.distance(shapely.Point(x, y)) - self.radius(model) - self.radius(foe)
                off = 1.0 if self.tenth and kind in ("normal", "advance") else 0.0
                self.rule(room >= off - 0.01, "03.01", f"{self.t.model_name(model)} passes {room:.2f} from an enemy")

    def standing(self, unit: int, name: str) -> None:
        """On the board, on no other model, in coherency."""
        width, depth = self.setting.mission.board
        mine = self.models(unit)
        every = [m for u in self.units() for m in self.models(u)]
        for model in mine:
            x, y, z = self.at(model)
            r = self.radius(model) - 0.003
            self.rule(r <= x <= width - r and r <= y <= depth - r, "03.01", f"{name}: off the board")
            for other in every:
                apart = other == model or abs(z - self.at(other)[2]) > 0.5 or self.apart(model, other) >= -0.003
                self.rule(apart, "03.01", f"{name}: {self.t.model_name(model)} on {self.t.model_name(other)}")
        self.rule(self.coherent(mine), "03.03", f"{name}: out of coherency")

    def coherent(self, mine: list[int]) -> bool:
        """03.03: a mate within 2", all within 9"; T-4.2: one (seven and more: two) within 2", one group."""
        if len(mine) < 2:
            return True
        near: dict[int, set[int]] = {m: set() for m in mine}
        for a, b in combinations(mine, 2):
            if self.near(a, b, 2 + SLACK):
                near[a].add(b)
                near[b].add(a)
            elif not self.tenth and not self.near(a, b, 9 + SLACK):
                return False
        if any(len(mates) < (2 if self.tenth and len(mine) > 6 else 1) for mates in near.values()):
            return False
        group, new = {mine[0]}, {mine[0]}
        while new:
            new = set().union(*(near[m] for m in new)) - group
            group |= new
        return not self.tenth or len(group) == len(mine)

    def on_SetUp(self, event: ev.SetUp, before: Any) -> None:
        unit, name = event.unit, f"{self.t.name(event.unit)} set up ({event.how})"
        self.standing(unit, name)
        mine = self.models(unit)
        if "disembark" not in event.how:
            self.rule(not self.engaged_with(unit), "03.02", f"{name} engaged")
        if event.how == "ingress":
            self.rule(self.state.round >= 2, "20.03", f"{name} before round 2")
            off = min((self.apart(a, b) for e in self.enemies(unit) for a in mine for b in self.models(e)), default=99)
            self.rule(off > OFF_ENEMIES[self.edition], "20.04", f"{name} {off:.2f} from the enemy")
            if not self.t.all_have(unit, "deep strike"):
                self.rule(all(self.edge(m) <= 6 + SLACK for m in mine), "20.04", f"{name} far from the edge")
        if event.how == "deploy" and not self.t.all_have(unit, "infiltrators"):
            zone = shapely.Polygon(self.setting.mission.zones[self.owner(unit)]).buffer(0.01)
            for m in mine:
                self.rule(zone.contains(shapely.Point(self.at(m)[:2]).buffer(self.radius(m))), "26", name)
        if event.how == "disembark":
            self.did[unit].add("out")

    def edge(self, model: int) -> float:
        (x, y, _), (width, depth) = self.at(model), self.setting.mission.board
        return min(x, y, width - x, depth - y) + self.radius(model)

    # ----------------------------------------------------------------------------------------------------- wounds
    def on_Allocated(self, event: ev.Allocated, before: Any) -> None:
        self.rule(self.wounds[event.model] > 0, "05.03", "an attack allocated to a destroyed model")

    def on_WoundsLost(self, event: ev.WoundsLost, before: Any) -> None:
        model, had = event.model, self.wounds[event.model]
        self.rule(event.lost > 0 and event.left == had - event.lost >= 0, "05.04", f"{event}")
        if event.why == "attack":
            self.rightly(model)
        self.wounds[model] = event.left

    def rightly(self, model: int) -> None:
        """A wounded model takes the damage before whole ones like it; CHARACTERS last (05.03, 05.04; T-6.3, T-10.2)."""
        mine = self.setting.models[model]
        for other in self.models(self.head(model)):
            its = self.setting.models[other]
            alike = (its.profile.W, its.profile.Sv, its.is_character) == (
                mine.profile.W,
                mine.profile.Sv,
                mine.is_character,
            )
            hurt = self.wounds[other] < (its.profile.W or 0)
            whole = self.wounds[model] == (mine.profile.W or 0)
            if alike and not mine.is_character and other != model:
                self.rule(not (hurt and whole), "05.04", f"{self.t.model_name(other)} is wounded already")

    def on_WoundsRegained(self, event: ev.WoundsRegained, before: Any) -> None:
        had, full = self.wounds[event.model], self.setting.models[event.model].profile.W or 0
        self.rule(event.left == had + event.regained <= full, "02.02.04", f"{event}")
        self.rule(had > 0 or any(f.procedure == "resolve_rule" for f in self.state.frames), "01.02.03", "comes back")
        self.wounds[event.model] = event.left

    def on_Returned(self, event: ev.Returned, before: Any) -> None:
        """Only destroyed models return, in coherency, with no more wounds than they have (01.02.03; T-9.7)."""
        for (model, *_), wounds in zip(event.poses, event.wounds, strict=True):
            self.rule(self.wounds[model] == 0, "01.02.03", "a living model returns")
            self.rule(0 < wounds <= (self.setting.models[model].profile.W or 0), "01.02.03", f"{wounds} wounds")
            self.wounds[model] = wounds
        if event.why == "returned":
            self.standing(event.unit, f"{self.t.name(event.unit)} with models that returned")

    def on_ModelDestroyed(self, event: ev.ModelDestroyed, before: Any) -> None:
        had = int(before.model[event.model, M.WOUNDS])
        self.rule(had > 0 or self.done["dead", event.model] == 0, "05.04.04", "destroyed twice")
        self.done["dead", event.model] += 1
        self.wounds[event.model] = 0

    def on_UnitDestroyed(self, event: ev.UnitDestroyed, before: Any) -> None:
        models = self.setting.units[event.unit].models
        self.rule(not any(self.wounds[m] for m in models), "05.04.04", f"{event.unit} destroyed with living models")

    # ----------------------------------------------------------------------------------------------- CP, VP, stratagems
    def on_CpChanged(self, event: ev.CpChanged, before: Any) -> None:
        self.cp[event.player] += event.by
        if event.why == "Core CP":
            self.done["core", event.player] += 1
            self.rule(event.by == 1 and self.done["core", event.player] == 1, "08.02", "one Core CP a Command phase")
            self.rule(self.state.phase == "command", "08.02", "Core CP outside the Command phase")
        if event.extra:
            self.rule(int(self.state.player[event.player, P.EXTRA_CP]) <= 1, "26", "a second extra CP this round")

    def on_StratagemUsed(self, event: ev.StratagemUsed, before: Any) -> None:
        self.cp[event.player] -= event.cost
        key = ("stratagem", event.player, event.name)
        self.done[key] += 1
        self.rule(self.done[key] == 1, "15.01", f"{event.name} twice in a phase")
        self.rule(0 <= event.cost <= 3, "15.01", f"{event.name} cost {event.cost}")
        for unit in event.units:
            if self.owner(unit) != event.player:
                continue
            self.rule(not before.shocked(unit), "01.07", f"{event.name} on a battle-shocked unit")
            self.done["target", unit] += 1
            self.rule(self.tenth or self.done["target", unit] == 1, "15.01", "a second stratagem on one unit")

    def on_VpScored(self, event: ev.VpScored, before: Any) -> None:
        self.vp[event.player] += event.by
        self.rule(event.by > 0, "26", "points taken away")
        moment = event.why.rpartition(", ")[2]
        self.points[event.player, moment] += event.by

    def scored(self, when: str, player: int) -> None:
        """The two default missions, by the referee's own arithmetic, at the end of a Command phase and of a turn."""
        got = self.points.pop((player, when), 0)
        self.rule((1 - player, when) not in self.points, "26", "the other player scored")
        mission, rounds = self.setting.mission, self.state.round
        held = [o for o, c in zip(mission.objectives, self.state.control, strict=True) if c == player]
        theirs = sum(c == 1 - player for c in self.state.control)
        home = ("home_a", "home_b")[player]
        late = rounds == 5 and (player != self.state.first or not self.tenth)
        primary = rounds >= 2 and (when == "turn") == late
        if mission.name == "Take and Hold" and self.tenth:
            due = min(5 * len(held), 15) if primary else 0
        elif mission.name == "Battlefield Dominance":
            due = 2 if when == "turn" and rounds <= 2 and len(held) > theirs else 0
            if primary:
                due += 3 * len(held)
                due += 2 * sum(o.kind != home for o in held) * any(o.kind == home for o in held)
            due = min(due, 15 - self.round_vp[player, rounds], 45 - (self.vp[player] - got))
        else:
            return
        if self.tenth:
            due = min(due, 50 - (self.vp[player] - got))
        self.round_vp[player, rounds] += got
        self.rule(got == due, "26", f"{mission.name}, {when}: {got} scored, {due} due")

    def on_BattleEnded(self, event: ev.BattleEnded, before: Any) -> None:
        self.rule(before.round == 5 and len(self.turns) == 10, "07", f"over after {len(self.turns)} turns")
        self.rule(tuple(self.vp) == tuple(event.vp), "26", "the result is not what was scored")
        won = -1 if self.vp[0] == self.vp[1] else int(self.vp[1] > self.vp[0])
        self.rule(event.winner == won, "26", "the wrong winner")
