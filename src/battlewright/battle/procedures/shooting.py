"""The Shooting phase: which unit shoots, how, at what.

Rules: 11e 10, 04; 10e T-5.
"""

from __future__ import annotations

from battlewright.battle.attacks import fire_passengers, hazard_weapons, spend_one_shots, targets_of
from battlewright.battle.casualties import aftermath
from battlewright.battle.choices import Choice, Declare, Do, Select, read_choice
from battlewright.battle.decisions import ChooseDo, ChooseUnit, DeclareAttacks
from battlewright.battle.events import MarkSet
from battlewright.battle.procedures.base import AGAIN, LEAVE, Next, Procedure, begin, local, procedure, unit_of
from battlewright.battle.procedures.movement import PhaseFrame
from battlewright.battle.returning import home_of, remove_again, stand_again
from battlewright.battle.state import Did
from battlewright.battle.table import Table
from battlewright.battle.windows import moment


@procedure
class Shooting(PhaseFrame):
    name = "shooting"

    def shoot_units(self, t: Table) -> Next:
        """The active player's eligible units shoot one at a time."""
        return ChooseUnit(t.state.turn, "selected", "eligible_to_shoot", "shoot")

    def selected(self, t: Table, choice: Choice) -> Next:
        if not isinstance(choice, Select):
            return None
        unit = begin(t, choice, "shoot", Did.CHOSEN_SHOOT, "shoot_unit")
        for name in ("selected_to_shoot", "selected_to_attack"):
            moment(t, name, subject=unit)
        return AGAIN


class Attacking(Procedure):
    """What shooting and fighting share: declare, resolve, and what follows."""

    def select_weapons_and_targets(self, t: Table) -> Next:
        """Every weapon that will be used, and its target (11e 04.01, 04.02; 10e T-5.2, T-8.2)."""
        unit = unit_of(t)
        if not t.alive(unit):
            return LEAVE
        only = tuple(local(t, "only", ()))
        return DeclareAttacks(t.owner(unit), "declared", "select_targets", unit, str(local(t, "way")), only)

    def declared(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, Declare)
        t.set(declared=str(choice))
        spend_one_shots(t, choice)
        t.set(hazardous=[list(w) for w in hazard_weapons(t, unit_of(t), choice)])
        fire_passengers(t, unit_of(t), choice)
        return None

    def targets_selected(self, t: Table) -> Next:
        targets = targets_of(t, _declaration(t))
        if targets:
            moment(t, "targets_selected", subject=unit_of(t), targets=targets, edge="after")
            for target in targets:
                moment(t, "targeted", subject=target, targets=(unit_of(t),), edge="after")
        return None

    def resolve_attacks(self, t: Table) -> Next:
        declaration = _declaration(t)
        if declaration.shots:
            t.push("attacks", unit=unit_of(t), way=local(t, "way"), declared=str(declaration))
        return None

    def _after(self, t: Table, flag: Did, what: str) -> Next:
        """Hazardous tests, then rules that act after the unit has attacked."""
        unit, declaration = unit_of(t), _declaration(t)
        if not local(t, "over"):
            t.set(over=True)
            if declaration.shots:
                t.mark(unit, flag)
                for name in (what, "has_attacked"):
                    moment(t, name, subject=unit, targets=targets_of(t, declaration), edge="after")
            aftermath(t)
            if local(t, "hazardous") and t.alive(unit):
                t.push("hazardous", unit=unit, weapons=local(t, "hazardous"))
            if t.state.marks.get("last stands"):
                t.push("last_stand")
            return AGAIN
        return None


def _declaration(t: Table) -> Declare:
    choice = read_choice(str(local(t, "declared", "declare")))
    assert isinstance(choice, Declare)
    return choice


@procedure
class ShootUnit(Attacking):
    """One unit shoots."""

    name = "shoot_unit"

    def choose_type(self, t: Table) -> Next:
        """The type of shooting (11e 10.04-10.07); a unit that can shoot only one way is not asked."""
        if local(t, "way"):
            return None
        unit = unit_of(t)
        names = t.setting.numbers.shooting_types
        return ChooseDo(t.owner(unit), "type_chosen", "eligible_to_shoot", "shooting_type", unit, names)

    def type_chosen(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, Do)
        t.set(way=choice.what)
        return None

    def after_shooting(self, t: Table) -> Next:
        return self._after(t, Did.SHOT, "has_shot")


@procedure
class LastStand(Attacking):
    """Destroyed models that a rule lets attack before they are removed; one unit after the other, then they are gone."""

    name = "last_stand"
    own_steps = (
        ("stand", "05.04.04"),
        ("select_weapons_and_targets", "04.01"),
        ("targets_selected", "04.03"),
        ("resolve_attacks", "05"),
        ("after", "05.04.04"),
        ("fall", "05.04.04"),
    )

    def stand(self, t: Table) -> Next:
        due = [(int(model), str(act)) for model, act in t.state.marks.get("last stands", [])]
        if not due:
            return LEAVE
        unit, act = home_of(t, t.model(due[0][0]).unit), due[0][1]
        mine = [m for m, way in due if (home_of(t, t.model(m).unit), way) == (unit, act)]
        t.emit(MarkSet("last stands", [list(one) for one in due if one[0] not in mine or one[1] != act] or None))
        stand_again(t, unit, tuple(mine))
        t.emit(MarkSet(f"last stand|{unit}", mine))
        way = "fight" if act == "fight" else "normal"
        t.set(unit=unit, models=mine, way=way, over=False, declared="declare", hazardous=[])
        return None

    def after(self, t: Table) -> Next:
        return self._after(t, Did(0), "has_fought" if local(t, "way") == "fight" else "has_shot")

    def fall(self, t: Table) -> Next:
        t.emit(MarkSet(f"last stand|{unit_of(t)}"))
        remove_again(t, unit_of(t), tuple(local(t, "models")))
        return "stand"
