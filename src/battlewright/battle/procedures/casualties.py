"""Mortal wounds, models lost by choice, and what destroyed models leave behind.

Rules: 11e 05.04.04, 06.02, 18.05, 24.08, 24.12; 10e T-4.2, T-6.7 to T-6.9, T-10.2, T-10.7.
"""

from __future__ import annotations

from typing import Literal

from battlewright.battle.casualties import (
    aftermath,
    destroy_model,
    lose_wounds,
    mortal_targets,
    mortal_wounds,
    passengers,
    separate,
)
from battlewright.battle.choices import Choice, PickModel, Placement
from battlewright.battle.decisions import LoseModel, SetUpUnit
from battlewright.battle.events import LeftBattlefield, MarkSet, ShockChanged
from battlewright.battle.moves import has_placement, place_within, poses_of_steps, set_up
from battlewright.battle.procedures.base import AGAIN, LEAVE, Next, Procedure, local, procedure, unit_of
from battlewright.battle.scoring import determine_control, score
from battlewright.battle.state import NOBODY, Did, Where
from battlewright.battle.table import Table
from battlewright.battle.windows import moment
from battlewright.battlefield import coherent, gaps, strays
from battlewright.dice import Dice


@procedure
class MortalWounds(Procedure):
    """One at a time: its controller selects a model as the rule allows; Feel No Pain for each (11e 06.02; 10e T-6.8)."""

    name = "mortal_wounds"
    own_steps = (("before", "06.02"), ("select_model", "06.02"), ("lose_wound", "06.02"))

    def before(self, t: Table) -> Next:
        """Rules may answer mortal wounds just before they are suffered."""
        if not local(t, "answered") and t.alive(unit_of(t)):
            t.set(answered=True)
            moment(t, "mortal_wounds", subject=unit_of(t))
            return AGAIN
        return None

    def select_model(self, t: Table) -> Next:
        unit, fixed = unit_of(t), int(local(t, "model", NOBODY))
        if local(t, "count") <= 0 or not t.alive(unit):
            return LEAVE
        if fixed != NOBODY:
            if t.wounds(fixed) <= 0:
                return LEAVE
            t.set(chosen=fixed)
            return None
        among = mortal_targets(t, unit)
        return LoseModel(t.owner(unit), "selected", "mortal", unit, "mortal wound", among)

    def selected(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, PickModel)
        t.set(chosen=t.model_index(choice.model))
        return None

    def lose_wound(self, t: Table) -> Next:
        """A model that is chosen takes wounds until it falls or none are left: it must be chosen again anyway."""
        model, left = int(local(t, "chosen")), int(local(t, "count"))
        while left and t.wounds(model) > 0:
            left -= 1
            if not ignored(t, model, "mortal"):
                lose_wounds(t, model, 1, str(local(t, "why")), int(local(t, "by", NOBODY)))
        t.set(count=left)
        return "select_model" if left else None


def ignored(t: Table, model: int, kind: Literal["normal", "mortal"]) -> bool:
    """Feel No Pain: a D6 for the wound about to be lost (11e 24.12; 10e T-6.7)."""
    needs = t.rules.feel_no_pain(model, kind)
    return needs is not None and t.roll("feel_no_pain", 1, t.head(model), "feel no pain", needs)[0] >= needs


@procedure
class LoseModels(Procedure):
    """So many models of a unit are destroyed, its controller choosing which. Rules: 11e 05.04; 10e T-4.5."""

    name = "lose_models"
    own_steps = (("choose", "05.04"), ("aftermath", "05.04.04"))

    def choose(self, t: Table) -> Next:
        unit = unit_of(t)
        if local(t, "count") <= 0 or not t.alive(unit):
            return None
        if local(t, "count") >= len(t.alive(unit)):
            for model in t.alive(unit):
                destroy_model(t, model, str(local(t, "why")))
            return "aftermath"
        return LoseModel(t.owner(unit), "chosen", "destroyed", unit, str(local(t, "why")), t.alive(unit))

    def chosen(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, PickModel)
        model = t.model_index(choice.model)
        assert model is not None
        destroy_model(t, model, str(local(t, "why")))
        t.set(count=int(local(t, "count")) - 1)
        return AGAIN

    def aftermath(self, t: Table) -> Next:
        aftermath(t)
        return None


@procedure
class Aftermath(Procedure):
    """What waits until attacks are resolved: passengers get out, Deadly Demise, attached units separate."""

    name = "aftermath"

    def _mine(self, t: Table) -> list[int]:
        """The models this is about: those that had fallen when it began; others wait for the next."""
        if local(t, "models") is None:
            t.set(models=list(t.state.marks.get("fallen", [])))
        return list(local(t, "models"))

    def emergency_disembarks(self, t: Table) -> Next:
        for model in self._mine(t):
            for unit in passengers(t, t.model(model).unit):
                t.push("emergency_disembark", unit=unit, model=model)
                return AGAIN
        return None

    def deadly_demise(self, t: Table) -> Next:
        """D6; on a 6 every unit within 6" suffers mortal wounds (11e 24.08; 10e T-6.9)."""
        done = list(local(t, "exploded", []))
        left = [m for m in self._mine(t) if m not in done and t.rules.core(t.model(m).unit, "deadly demise")]
        if not left:
            return None
        t.set(exploded=[*done, left[0]])
        t.push("deadly_demise", model=left[0], unit=t.head(left[0]))
        return AGAIN

    def separate(self, t: Table) -> Next:
        """The parts of attached units separate; what fell meanwhile has its own aftermath."""
        mine = self._mine(t)
        for part in t.state.marks.get("separate", []):
            separate(t, part)
        t.emit(MarkSet("separate"))
        later = [m for m in t.state.marks.get("fallen", []) if m not in mine]
        t.emit(MarkSet("fallen", later or None))
        if later:
            t.push("aftermath")
        return None


@procedure
class DeadlyDemise(Procedure):
    name = "deadly_demise"
    own_steps = (("roll", "24.08"), ("suffer", "24.08"))

    def roll(self, t: Table) -> Next:
        model = int(local(t, "model"))
        settled = t.rules.settled("deadly_demise", t.head(model))
        if settled == "failure" or (
            settled is None and t.roll("deadly_demise", 1, t.model(model).unit, "deadly demise", 6)[0] < 6
        ):
            return LEAVE
        here = t.poses_of([model])
        near = [u for u in t.units() if t.alive(u) and float(gaps(t.poses(u), here).min()) <= 6]
        t.set(near=near)
        return None

    def suffer(self, t: Table) -> Next:
        near = local(t, "near")
        if not near:
            return None
        t.set(near=near[1:])
        part = t.model(int(local(t, "model"))).unit
        amount = t.rules.core(part, "deadly demise")
        wounds = Dice(0, 6, 1) if isinstance(amount, bool) else amount
        count = wounds.bonus
        if wounds.count:
            faces = t.roll("deadly_demise wounds", wounds.count, near[0], "deadly demise")
            count += sum(face if wounds.sides == 6 else (face + 1) // 2 for face in faces)
        mortal_wounds(t, near[0], count, "Deadly Demise", part)
        return AGAIN


@procedure
class EmergencyDisembark(Procedure):
    """The transport of a unit was destroyed. Rules: 11e 18.05; 10e T-10.7."""

    name = "emergency_disembark"

    def hazard_rolls(self, t: Table) -> Next:
        t.push("hazard_rolls", unit=unit_of(t), dice=len(t.alive(unit_of(t))), why="emergency disembark")
        return None

    def set_up(self, t: Table) -> Next:
        unit, model = unit_of(t), int(local(t, "model"))
        if not t.alive(unit):
            return LEAVE
        carrier = t.model(model).unit
        fits = has_placement(t, unit, "disembark_emergency", carrier)
        return SetUpUnit(t.owner(unit), "placed", "disembark", unit, "disembark_emergency", carrier, may_pass=not fits)

    def placed(self, t: Table, choice: Choice) -> Next:
        """Models that are not set up are destroyed."""
        unit, model = unit_of(t), int(local(t, "model"))
        if isinstance(choice, Placement):
            poses = poses_of_steps(t, choice.steps)
            set_out = {pose[0] for pose in poses}
            t.set(close=place_within(t, model, [p[:3] for p in poses], t.setting.numbers.disembark))
            set_up(t, unit, "emergency disembark", poses)
        else:
            set_out = set()
        for lost in t.alive(unit):
            if lost not in set_out:
                destroy_model(t, lost, "no room to disembark", silent=True)
        return None if t.alive(unit) else LEAVE

    def mortal_wounds(self, t: Table) -> Next:
        """10e: D6 a model, each 1 (1-3 when it had to be set up beyond 3") is a mortal wound."""
        unit = unit_of(t)
        fails = 1 if local(t, "close", True) else 3
        faces = t.roll("destroyed transport", len(t.alive(unit)), unit, "T-10.7", fails + 1)
        mortal_wounds(t, unit, sum(face <= fails for face in faces), "destroyed transport")
        return None

    def after_moving(self, t: Table) -> Next:
        unit = unit_of(t)
        if t.alive(unit):
            t.mark(unit, Did.DISEMBARKED | Did.MOVED | Did.NO_CHARGE)
            if not t.state.shocked(unit):
                t.emit(ShockChanged(unit, True))
        return None


@procedure
class EndOfTurn(Procedure):
    """End-of-turn rules, coherency, control, score, in that order."""

    name = "end_of_turn"

    def end_of_turn_rules(self, t: Table) -> Next:
        if local(t, "asked"):
            return None
        t.set(asked=True)
        moment(t, "end", unit="turn")
        return AGAIN

    def aircraft_leave(self, t: Table) -> Next:
        """AIRCRAFT go back to reserves at the end of their opponent's turn (23.02)."""
        for unit in t.units(1 - t.state.turn):
            if t.has(unit, "AIRCRAFT"):
                t.emit(LeftBattlefield(unit, int(Where.RESERVES)))
        return None

    def coherency(self, t: Table) -> Next:
        """Units out of coherency lose models of their controller's choice until they are in it (11e 03.03; 10e T-4.2)."""
        numbers = t.setting.field.coherency
        for player in (t.state.turn, 1 - t.state.turn):
            for unit in t.units(player):
                poses = t.poses(unit)
                if len(poses) > 1 and not coherent(poses, numbers):
                    apart = strays(poses, numbers)
                    among = tuple(m for m, stray in zip(t.alive(unit), apart, strict=True) if stray) or t.alive(unit)
                    return LoseModel(player, "removed", "coherency", unit, "out of coherency", among)
        return None

    def removed(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, PickModel)
        model = t.model_index(choice.model)
        assert model is not None
        destroy_model(t, model, "out of coherency", silent=True)
        return AGAIN

    def determine_control(self, t: Table) -> Next:
        determine_control(t)
        return None

    def score(self, t: Table) -> Next:
        score(t, "turn", t.state.turn)
        return None
