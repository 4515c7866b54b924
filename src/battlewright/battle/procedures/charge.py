"""The Charge phase and one charge.

Rules: 11e 11, 11.04; 10e T-7. The 11th edition rolls first and names its targets after; the 10th the other way round:
the order of the steps is the edition's list.
"""

from __future__ import annotations

from battlewright.battle.choices import Choice, Do, MovePlan, Select, Targets
from battlewright.battle.decisions import ChooseTargets, ChooseUnit, MoveModels
from battlewright.battle.events import Told
from battlewright.battle.moves import make_move
from battlewright.battle.procedures.base import AGAIN, LEAVE, Next, Procedure, begin, local, procedure, rolled, unit_of
from battlewright.battle.procedures.movement import PhaseFrame, ask_skies, skies_cost
from battlewright.battle.state import MIL, NOBODY, Did
from battlewright.battle.table import Table
from battlewright.battle.windows import moment


@procedure
class Charge(PhaseFrame):
    name = "charge"

    def charge_units(self, t: Table) -> Next:
        """The active player's eligible units charge one at a time."""
        return ChooseUnit(t.state.turn, "selected", "eligible_to_charge", "charge")

    def selected(self, t: Table, choice: Choice) -> Next:
        if not isinstance(choice, Select):
            return None
        begin(t, choice, "charge", Did.CHOSEN_CHARGE, "charge_unit")
        return AGAIN


@procedure
class ChargeUnit(Procedure):
    """One charge, from its declaration to the end of the move."""

    name = "charge_unit"

    def declare(self, t: Table) -> Next:
        """The unit declares a charge; in the 10th edition its declaration includes the targets."""
        if local(t, "declared") or t.setting.numbers.targets_before_roll:
            return None
        t.set(declared=True)
        moment(t, "charge_declared", subject=unit_of(t))
        return AGAIN

    def take_to_the_skies(self, t: Table) -> Next:
        """Units that FLY may, before the roll (21.03)."""
        return ask_skies(t, unit_of(t)) if t.alive(unit_of(t)) else LEAVE

    def skies_chosen(self, t: Table, choice: Choice) -> Next:
        t.set(skies=choice == Do("skies"))
        return None

    def charge_roll(self, t: Table) -> Next:
        """2D6: the maximum distance (11e 11.02, capped at 12"; 10e T-7.2)."""
        unit = unit_of(t)
        if not t.alive(unit):
            return LEAVE
        faces = rolled(t, "charge", 2, unit, t.setting.numbers.rules["charge_roll"], whole=True)
        if faces is None:
            return AGAIN
        total = max(sum(faces) + t.rules.roll_bonus("charge", unit), 1)
        cap = local(t, "cap") or t.setting.numbers.charge_cap
        capped = total if cap is None else min(total, cap)
        less = skies_cost(t, unit, bool(local(t, "skies"))) // MIL
        t.set(distance=max(capped - less, 0))
        return None

    def charge_targets(self, t: Table) -> Next:
        """One or more enemy units within 12"; after the roll also within its distance."""
        unit = unit_of(t)
        if not t.alive(unit):
            return LEAVE
        reach = NOBODY if t.setting.numbers.targets_before_roll else int(local(t, "distance")) * MIL
        only = tuple(local(t, "only", ()))
        return ChooseTargets(t.owner(unit), "targets_chosen", "charge_move", unit, "charge", reach, only=only)

    def targets_chosen(self, t: Table, choice: Choice) -> Next:
        if not isinstance(choice, Targets):
            t.emit(Told("no charge", unit_of(t)))
            return LEAVE
        t.set(targets=[t.index(name) for name in choice.units])
        return None

    def overwatch_at_declaration(self, t: Table) -> Next:
        """10e: just after the declaration rules may answer it, Fire Overwatch among them."""
        moment(t, "charge_declared", subject=unit_of(t), targets=tuple(local(t, "targets")))
        return None

    def charge_move(self, t: Table) -> Next:
        """The move itself; if it cannot end as it must, no model moves (11e 11.04; 10e T-7.2)."""
        unit = unit_of(t)
        targets = tuple(e for e in local(t, "targets", []) if t.alive(e))
        if not t.alive(unit) or not targets:
            return LEAVE
        if not local(t, "started"):
            t.set(started=True)
            moment(t, "move_started", subject=unit, targets=targets, kinds=("charge",))
            return AGAIN
        reach = int(local(t, "distance")) * MIL
        limits = ("skies",) if local(t, "skies") else ()
        far = (reach,) * len(t.alive(unit))
        return MoveModels(t.owner(unit), "charged", "charge_move", unit, "charge", far, targets, limits=limits)

    def charged(self, t: Table, choice: Choice) -> Next:
        unit = unit_of(t)
        if not isinstance(choice, MovePlan):
            t.emit(Told("the charge fails", unit, t.setting.rule_id("charge_move")))
            return LEAVE
        make_move(t, unit, "charge", choice)
        barred = local(t, "no_bonus") or t.rules.forbids("charge bonus", unit)
        t.mark(unit, Did.CHARGED | (0 if barred else Did.FIGHTS_FIRST))
        if "overwatch_at_end" not in self.step_names(t):
            self.overwatch_at_end(t)
        return None

    def overwatch_at_end(self, t: Table) -> Next:
        """Just after the move rules may answer it (10e: Fire Overwatch, Heroic Intervention, Tank Shock)."""
        unit, targets = unit_of(t), tuple(local(t, "targets"))
        moment(t, "charge_ended", subject=unit, targets=targets, edge="after")
        moment(t, "move_ended", subject=unit, targets=targets, edge="after", kinds=("charge",))
        return None
