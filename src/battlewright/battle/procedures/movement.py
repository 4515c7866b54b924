"""The Movement phase: which unit moves, how, and what follows from it.

Rules: 11e 09, 18, 20; 10e T-3.3, T-4, T-9, T-10.
"""

from __future__ import annotations

import math
from typing import ClassVar

from battlewright.battle.casualties import aftermath, mortal_wounds
from battlewright.battle.choices import Choice, Do, MovePlan, Placement, Select, read_choice
from battlewright.battle.clauses import asks_state
from battlewright.battle.decisions import ChooseDo, ChooseUnit, MoveModels, SetUpUnit
from battlewright.battle.eligible import carriers_for, disembark_mode, must_fly, scouting_units
from battlewright.battle.events import LeftBattlefield, MarkSet, ShockChanged, Told
from battlewright.battle.moves import crossed_enemies, make_move, poses_of_steps, set_up
from battlewright.battle.procedures.base import AGAIN, LEAVE, Next, Procedure, begin, local, procedure, rolled, unit_of
from battlewright.battle.scoring import determine_control
from battlewright.battle.state import MIL, Did, U, Where
from battlewright.battle.table import Table
from battlewright.battle.windows import moment
from battlewright.dice import Dice

_MOVES = ("stationary", "normal", "advance", "fall_back")


class PhaseFrame(Procedure):
    """What every phase has: its start and its end."""

    def start_of_phase(self, t: Table) -> Next:
        moment(t, "start", unit="phase")
        return None

    def end_of_phase(self, t: Table) -> Next:
        """Control of objectives is determined before any other rule of the end of the phase (11e 14.02; 10e T-12.3)."""
        if not local(t, "controlled"):
            determine_control(t)
            t.set(controlled=True)
            moment(t, "end", unit="phase")
            return AGAIN
        return None


@procedure
class Movement(PhaseFrame):
    name = "movement"

    def move_units(self, t: Table) -> Next:
        """The active player's units move one at a time; a unit that is not selected remains stationary."""
        where = [Where.BATTLEFIELD, Where.EMBARKED]
        if "reinforcements" not in self.step_names(t):
            where.append(Where.RESERVES)
            if not local(t, "reinforcing"):
                return self._tell_of_reinforcements(t)
        places = tuple(map(int, where))
        free = not must_fly(t, t.state.turn)
        return ChooseUnit(t.state.turn, "selected", "eligible_to_move", "move", may_pass=free, where=places)

    def _tell_of_reinforcements(self, t: Table) -> Next:
        """The step in which reserves arrive begins: the 11th edition's Move Units step (09.02.03)."""
        t.set(reinforcing=True)
        moment(t, "start", unit="phase", step="reinforcements")
        return AGAIN

    def selected(self, t: Table, choice: Choice) -> Next:
        if not isinstance(choice, Select):
            for still in t.units(t.state.turn):
                if not t.state.did(still, Did.CHOSEN_MOVE | Did.MOVED | Did.ADVANCED | Did.FELL_BACK):
                    t.mark(still, Did.CHOSEN_MOVE | Did.STATIONARY)
            return None
        selected = t.index(choice.unit)
        assert selected is not None
        step = {Where.EMBARKED: "disembark", Where.RESERVES: "ingress"}.get(t.state.where(selected), "move_unit")
        unit = begin(t, choice, "move", Did.CHOSEN_MOVE, step)
        if step == "move_unit":
            moment(t, "selected_to_move", subject=unit)
        return AGAIN

    def reinforcements(self, t: Table) -> Next:
        """10e: units in Reserves are set up one at a time, after all moves (T-3.3)."""
        if not local(t, "reinforcing"):
            return self._tell_of_reinforcements(t)
        where = (int(Where.RESERVES),)
        return ChooseUnit(t.state.turn, "arriving", "arrive", "arrive", where=where)

    def arriving(self, t: Table, choice: Choice) -> Next:
        if not isinstance(choice, Select):
            return None
        begin(t, choice, "arrive", Did.CHOSEN_MOVE, "ingress")
        return AGAIN


@procedure
class MoveUnit(Procedure):
    """One unit, from the choice of the type of move to its end."""

    name = "move_unit"

    def choose_move(self, t: Table) -> Next:
        if not t.alive(unit_of(t)):
            return LEAVE
        names = tuple(local(t, "only") or _MOVES)
        return ChooseDo(t.owner(unit_of(t)), "move_chosen", "eligible_to_move", "move_type", unit_of(t), names)

    def move_chosen(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, Do)
        unit = unit_of(t)
        if choice.what == "stationary":
            t.mark(unit, Did.STATIONARY)
            moment(t, "move_ended", subject=unit, edge="after", kinds=("stationary",))
            return LEAVE
        t.set(kind=choice.what)
        if "overwatch_at_start" not in self.step_names(t):
            self.overwatch_at_start(t)
        return None

    def held(self, t: Table) -> Next:
        """Rules that answered the choice may have it remain stationary instead."""
        if not t.rules.must_stand(unit_of(t)):
            return None
        t.mark(unit_of(t), Did.STATIONARY)
        return LEAVE

    def choose_mode(self, t: Table) -> Next:
        """A fall-back is an ordered retreat or a desperate escape (09.07)."""
        if local(t, "kind") != "fall_back":
            return None
        names = ("ordered_retreat", "desperate_escape")
        return ChooseDo(t.owner(unit_of(t)), "mode_chosen", "09.07", "fall_back_mode", unit_of(t), names)

    def mode_chosen(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, Do)
        t.set(mode=choice.what)
        return None

    def take_to_the_skies(self, t: Table) -> Next:
        """Units that FLY may, before any roll: 2" less, over models and terrain (21.03)."""
        return ask_skies(t, unit_of(t))

    def skies_chosen(self, t: Table, choice: Choice) -> Next:
        t.set(skies=choice == Do("skies"))
        return None

    def super_heavy_walker(self, t: Table) -> Next:
        """It walks over what is not TITANIC, and may be MOBILE for this move, at a risk (24.35)."""
        if HIGHER in asked_states(t, unit_of(t)) and t.setting.terrain.areas:
            ways = ("stride", "higher terrain")
            return ChooseDo(t.owner(unit_of(t)), "stride_chosen", "T-4.1", "super_heavy_walker", unit_of(t), ways)
        if not t.all_have(unit_of(t), "super-heavy walker"):
            return None
        names = ("stride", "mobile") if t.setting.terrain.areas else ("stride",)
        return ChooseDo(t.owner(unit_of(t)), "stride_chosen", "24.35", "super_heavy_walker", unit_of(t), names)

    def stride_chosen(self, t: Table, choice: Choice) -> Next:
        if HIGHER in asked_states(t, unit_of(t)):
            if choice == Do("higher terrain"):
                t.set(strides=["higher"])
                t.emit(MarkSet(f"state|{unit_of(t)}", [*t.state.marks.get(f"state|{unit_of(t)}", []), HIGHER]))
            return None
        t.set(strides=["strides", "mobile"] if choice == Do("mobile") else ["strides"])
        return None

    def settle(self, t: Table) -> Next:
        """The rules that act on a walk through higher terrain have acted."""
        if local(t, "strides"):
            left = [name for name in t.state.marks.get(f"state|{unit_of(t)}", []) if name != HIGHER]
            t.emit(MarkSet(f"state|{unit_of(t)}", left or None))
        return None

    def before_moving(self, t: Table) -> Next:
        """Desperate escape: one hazard roll per model first (09.07)."""
        if local(t, "mode") == "desperate_escape":
            t.push("hazard_rolls", unit=unit_of(t), dice=len(t.alive(unit_of(t))), why="desperate escape")
        return None

    def overwatch_at_start(self, t: Table) -> Next:
        """As the move starts rules may answer it (10e: Fire Overwatch), after those of the move itself."""
        for edge in ("before", "when"):
            moment(t, "move_started", subject=unit_of(t), edge=edge, kinds=(str(local(t, "kind")),))
        return None

    def advance_roll(self, t: Table) -> Next:
        """Roll one D6 and add it to Move; seen before any model moves (11e 09.06; 10e T-4.4)."""
        unit = unit_of(t)
        if local(t, "kind") != "advance" or not t.alive(unit):
            return None
        if t.rules.no_roll("advance", unit):
            t.mark(unit, Did.ADVANCED)
            return None
        faces = rolled(t, "advance", 1, unit, t.setting.numbers.move("advance").rule)
        if faces is None:
            return AGAIN
        t.set(extra=max(faces[0] + t.rules.roll_bonus("advance", unit), 1))
        t.mark(unit, Did.ADVANCED)
        return None

    def choose_path(self, t: Table) -> Next:
        """10e: the way is chosen before Desperate Escape tests, which depend on it (T-4.5)."""
        decision = self._ask(t, "path_chosen")
        return decision

    def path_chosen(self, t: Table, choice: Choice) -> Next:
        t.set(plan=str(choice))
        return None

    def _ask(self, t: Table, then: str) -> Next:
        unit, kind = unit_of(t), str(local(t, "kind"))
        if not t.alive(unit):
            return LEAVE
        if t.has(unit, "AIRCRAFT"):
            far = (round(math.hypot(*t.setting.mission.board) * MIL),) * len(t.alive(unit))
            return MoveModels(t.owner(unit), then, "aircraft", unit, "aircraft", far)
        extra = int(local(t, "extra", 0)) * MIL - skies_cost(t, unit, bool(local(t, "skies")))
        reach = tuple(max(t.rules.stat(m, "M") * MIL + extra, 0) for m in t.alive(unit))
        limits = ("skies",) if local(t, "skies") else ()
        if local(t, "mode") == "desperate_escape":
            limits = (*limits, "desperate")
        limits = (*limits, *local(t, "strides", ()))
        return MoveModels(t.owner(unit), then, t.setting.numbers.move(kind).rule, unit, kind, reach, limits=limits)

    def desperate_escape(self, t: Table) -> Next:
        """10e: a test for each model that moves over an enemy; for every model of a Battle-shocked unit (T-4.5)."""
        unit = unit_of(t)
        plan = read_choice(local(t, "plan", "pass"))
        if local(t, "kind") != "fall_back" or not isinstance(plan, MovePlan):
            return None
        if t.state.shocked(unit):
            models = list(t.alive(unit))
        else:
            exempt = ("TITANIC", "FLY")
            crossing = crossed_enemies(t, plan)
            models = [m for m in crossing if t.model(m).keywords.isdisjoint(exempt)]
        if models:
            t.push("desperate_escape", unit=unit, dice=len(models))
        return None

    def move_models(self, t: Table) -> Next:
        plan = read_choice(local(t, "plan", "pass"))
        if local(t, "plan") is None or not self._still_legal(t, plan):
            return self._ask(t, "moved")
        return self.moved(t, self._of_the_living(t, plan))

    def _of_the_living(self, t: Table, plan: Choice) -> Choice:
        """Models lost to Desperate Escape tests go nowhere."""
        if not isinstance(plan, MovePlan):
            return plan
        alive = {t.model_name(m) for m in t.alive(unit_of(t))}
        return MovePlan(plan.unit, tuple(step for step in plan.steps if step.model in alive))

    def _still_legal(self, t: Table, plan: Choice) -> bool:
        """10e: the way chosen before Desperate Escape tests, without those lost to them; else it is chosen again."""
        left = self._of_the_living(t, plan)
        asked = self._ask(t, "moved")
        return left == plan or not isinstance(asked, MoveModels) or asked.why_not(t, left) is None

    def moved(self, t: Table, choice: Choice) -> Next:
        unit, kind = unit_of(t), str(local(t, "kind"))
        if not t.alive(unit):
            return LEAVE
        if isinstance(choice, MovePlan):
            make_move(t, unit, kind, choice)
        elif kind == "fall_back":
            return self._undone(t, unit)
        elif t.has(unit, "AIRCRAFT"):
            t.emit(LeftBattlefield(unit, int(Where.RESERVES)))  # over the edge: it comes back in a later turn (T-9.8)
            return LEAVE
        t.mark(unit, Did.FELL_BACK if kind == "fall_back" else Did.MOVED if kind == "normal" else 0)
        if "overwatch_at_end" not in self.step_names(t):
            self.overwatch_at_end(t)
        return None

    def _undone(self, t: Table, unit: int) -> Next:
        """No end is legal, or none was wanted: the whole move does not happen (11e 03.01; 10e T-4.4).

        A unit that was given nothing else remains stationary (09.02); one whose escape cost it dice was given that.
        """
        t.emit(Told("the fall back does not happen", unit, t.setting.rule_id("set_up")))
        if local(t, "mode") != "desperate_escape":
            t.mark(unit, Did.STATIONARY)
        return LEAVE

    def after_moving(self, t: Table) -> Next:
        """After a desperate escape: a battle-shock roll, unless already shocked (09.07); what being MOBILE risks (24.35)."""
        unit = unit_of(t)
        stumbles = "mobile" in local(t, "strides", ()) and t.roll("super-heavy walker", 1, unit, "24.35", 2)[0] == 1
        if stumbles and not t.state.shocked(unit):
            t.emit(ShockChanged(unit, True))
        if local(t, "mode") == "desperate_escape" and t.alive(unit) and not t.state.shocked(unit):
            t.push("battle_shock_roll", unit=unit)
        return None

    def overwatch_at_end(self, t: Table) -> Next:
        """Just after the move rules may answer it (10e: Fire Overwatch)."""
        moment(t, "move_ended", subject=unit_of(t), edge="after", kinds=(str(local(t, "kind")),))
        return None

    def embark(self, t: Table) -> Next:
        """After a normal, advance or fall-back move a unit within 3" may embark (11e 18.02; 10e T-10.4)."""
        unit = unit_of(t)
        carriers = carriers_for(t, unit)
        if not carriers:
            return None
        names = ("stay", *(f"embark {t.name(c)}" for c in carriers))
        return ChooseDo(t.owner(unit), "embarked", "embark", "embark", unit, names)

    def embarked(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, Do)
        if choice.what != "stay":
            carrier = t.index(choice.what.removeprefix("embark "))
            assert carrier is not None
            t.mark(unit_of(t), Did.EMBARKED | Did.EMBARKED_NOW)
            t.emit(LeftBattlefield(unit_of(t), int(Where.EMBARKED), carrier))
        return None


#: what a rule calls a move through terrain it lets a unit walk through at a risk (10e, super-heavy walkers)
HIGHER = "moved through higher terrain"


def asked_states(t: Table, unit: int) -> set[str]:
    """The named states a unit's own rules ask for."""
    return {name for part in t.parts(unit) for key in t.unit(part).rules for name in asks_state(t.setting.rules[key])}


SKIES_COST = 2 * MIL


def ask_skies(t: Table, unit: int) -> Next:
    """A unit with models that FLY may take to the skies; nobody else is asked."""
    if not any("FLY" in t.model(m).keywords for m in t.alive(unit)):
        return None
    return ChooseDo(t.owner(unit), "skies_chosen", "21.03", "take_to_the_skies", unit, ("ground", "skies"))


def skies_cost(t: Table, unit: int, skies: bool) -> int:
    """What taking to the skies costs of the distance, mils; nothing with Hover (24.17)."""
    return SKIES_COST if skies and not t.all_have(unit, "hover") else 0


@procedure
class HazardRolls(Procedure):
    """11e 06.03: D6 each, 1-2 fails: 1 mortal wound, 3 when every model of the unit is MONSTER or VEHICLE."""

    name = "hazard_rolls"
    own_steps = (("roll", "06.03"), ("suffer", "06.02"), ("aftermath", "05.04.04"))

    def roll(self, t: Table) -> Next:
        unit, dice = unit_of(t), int(local(t, "dice"))
        if not t.alive(unit) or not dice:
            return LEAVE
        faces = rolled(t, "hazard", dice, unit, "06.03")
        if faces is None:
            return AGAIN
        heavy = all(not t.model(m).keywords.isdisjoint(("MONSTER", "VEHICLE")) for m in t.alive(unit))
        fails = sum(face <= t.setting.numbers.desperate_fails for face in faces)
        t.set(mortal=fails * (3 if heavy else 1))
        return None

    def suffer(self, t: Table) -> Next:
        if local(t, "mortal"):
            mortal_wounds(t, unit_of(t), int(local(t, "mortal")), str(local(t, "why", "hazard roll")))
        return None

    def aftermath(self, t: Table) -> Next:
        aftermath(t)
        return None


@procedure
class DesperateEscape(Procedure):
    """10e T-4.5: D6 for each model, on 1-2 one model of the unit, chosen by its controller, is destroyed."""

    name = "desperate_escape"
    own_steps = (("tests", "T-4.5"), ("lose_models", "T-4.5"))

    def tests(self, t: Table) -> Next:
        if t.rules.settled("desperate_escape", unit_of(t)) == "success":
            return LEAVE
        faces = rolled(t, "desperate_escape", int(local(t, "dice")), unit_of(t), "T-4.5")
        if faces is None:
            return AGAIN
        plus = t.rules.roll_bonus("desperate_escape", unit_of(t))
        t.set(lost=sum(face + plus <= t.setting.numbers.desperate_fails for face in faces))
        return None

    def lose_models(self, t: Table) -> Next:
        if local(t, "lost"):
            t.push("lose_models", unit=unit_of(t), count=int(local(t, "lost")), why="desperate escape")
        return None


class Coming(Procedure):
    """A unit comes onto the battlefield: what getting out of a transport and arriving from reserves share."""

    flags: ClassVar[Did]
    moments: ClassVar[tuple[str, ...]] = ("set_up",)

    def placed(self, t: Table, choice: Choice) -> Next:
        unit = unit_of(t)
        if not isinstance(choice, Placement):
            return LEAVE
        set_up(t, unit, self.name, poses_of_steps(t, choice.steps))
        t.mark(unit, self.flags)
        if "overwatch_at_end" not in self.step_names(t):
            self.overwatch_at_end(t)
        return None

    def overwatch_at_end(self, t: Table) -> Next:
        """Just after the unit was set up rules may answer it (10e: Fire Overwatch)."""
        for name in self.moments:
            targets = (int(local(t, "carrier")),) if name == "disembarked" else ()
            moment(t, name, subject=unit_of(t), targets=targets, edge="after", kinds=self.kinds(t))
        return None

    def kinds(self, t: Table) -> tuple[str, ...]:
        """How the unit comes, in the words rules use."""
        if self.name != "ingress":
            return (self.name,)
        return (
            (self.name, "reserves", "deep strike") if t.all_have(unit_of(t), "deep strike") else (self.name, "reserves")
        )


@procedure
class Disembark(Coming):
    """Rules: 11e 18.04; 10e T-10.5."""

    name = "disembark"
    flags = Did.DISEMBARKED | Did.DISEMBARKED_NOW
    moments = ("disembarked", "set_up")

    def choose_mode(self, t: Table) -> Next:
        """The first mode that fits is the mode (18.04)."""
        t.set(mode=disembark_mode(t, unit_of(t)))
        return None

    def before_moving(self, t: Table) -> Next:
        if local(t, "mode") == "combat":
            t.push("hazard_rolls", unit=unit_of(t), dice=len(t.alive(unit_of(t))), why="combat disembark")
        return None

    def set_up(self, t: Table) -> Next:
        unit = unit_of(t)
        if not t.alive(unit):
            return LEAVE
        carrier = int(t.state.unit[unit, U.CARRIER])
        mode = local(t, "mode") or disembark_mode(t, unit)
        t_set = {"carrier": carrier, "mode": mode}
        if local(t, "carrier") is None:
            t.set(**t_set)
            return AGAIN
        return SetUpUnit(t.owner(unit), "placed", "disembark", unit, f"disembark_{mode}", carrier, may_pass=True)

    def after_moving(self, t: Table) -> Next:
        unit, mode = unit_of(t), local(t, "mode")
        if mode == "tactical":
            t.mark(unit, Did.CHOSEN_MOVE)
            t.push("move_unit", unit=unit, only=["normal", "advance"])
            return None
        t.mark(unit, Did.MOVED | Did.NO_CHARGE | Did.CHOSEN_MOVE)
        if mode == "combat" and not t.state.shocked(unit):
            t.emit(ShockChanged(unit, True))
        return None


@procedure
class Ingress(Coming):
    """A unit arrives from reserves. Rules: 11e 20.04; 10e T-9.2."""

    name = "ingress"
    flags = Did.SET_UP | Did.MOVED

    def set_up(self, t: Table) -> Next:
        unit = unit_of(t)
        if not local(t, "told"):
            t.set(told=True)
            moment(t, "set_up", subject=unit, kinds=self.kinds(t), step="place")
            return AGAIN
        return SetUpUnit(t.owner(unit), "placed", "ingress", unit, "ingress", may_pass=True)

    def after_moving(self, t: Table) -> Next:
        t.mark(unit_of(t), Did.CHOSEN_MOVE)
        return None


@procedure
class ScoutMove(Procedure):
    """A scout move, or from reserves a set-up in the deployment zone. Rules: 11e 24.31, 24.32; 10e T-9.6."""

    name = "scout_move"
    own_steps = (("set_up", "24.31"), ("move_models", "24.32"))

    def set_up(self, t: Table) -> Next:
        unit = unit_of(t)
        if t.state.where(unit) != Where.RESERVES:
            return None
        return SetUpUnit(t.owner(unit), "placed", "scouts", unit, "deploy", may_pass=True)

    def placed(self, t: Table, choice: Choice) -> Next:
        if isinstance(choice, Placement):
            set_up(t, unit_of(t), "scouts", poses_of_steps(t, choice.steps))
        return LEAVE

    def move_models(self, t: Table) -> Next:
        unit = unit_of(t)
        reach = scout_distance(t, unit) * MIL
        return MoveModels(t.owner(unit), "moved", "scouts", unit, "scout", (reach,) * len(t.alive(unit)))

    def moved(self, t: Table, choice: Choice) -> Next:
        if isinstance(choice, MovePlan):
            make_move(t, unit_of(t), "scout", choice)
        return None


@procedure
class RuleMove(Procedure):
    """A move a rule gives out of the usual place: a normal move, or a surge (11e 21.02)."""

    name = "rule_move"
    own_steps = (("move_models", "03.01"),)

    def move_models(self, t: Table) -> Next:
        unit, kind = unit_of(t), str(local(t, "kind"))
        nearest = t.nearest_foe(unit) if t.alive(unit) and t.state.on_battlefield(unit) else None
        if nearest is None or (kind == "normal" and t.is_engaged(unit)):
            return LEAVE
        if kind == "surge" and (t.is_engaged(unit) or t.state.shocked(unit) or t.state.did(unit, Did.SURGED)):
            return LEAVE
        distance = int(local(t, "distance"))
        models = t.alive(unit)
        reach = tuple((t.rules.stat(m, "M") if distance < 0 else distance) * MIL for m in models)
        targets = (nearest[0],) if kind == "surge" else ()
        rule = t.setting.numbers.move("normal").rule
        return MoveModels(t.owner(unit), "moved", rule, unit, kind, reach, targets)

    def moved(self, t: Table, choice: Choice) -> Next:
        unit, kind = unit_of(t), str(local(t, "kind"))
        if isinstance(choice, MovePlan):
            make_move(t, unit, kind, choice)
            t.mark(unit, Did.SURGED if kind == "surge" else Did.MOVED)
        t.answer("done" if isinstance(choice, MovePlan) else "not done")
        return None


def scout_distance(t: Table, unit: int) -> int:
    """The Scouts distance of a unit: the lowest of its models', or of those aboard it (11e 24.02, 24.31; 10e T-9.6)."""
    amounts = [t.rules.core(t.model(m).unit, "scouts") for u in scouting_units(t, unit) for m in t.alive(u)]
    return min(a.bonus if isinstance(a, Dice) else 6 for a in amounts)
