"""Destroyed models return to their units, and models are set up again where they fell.

Rules: 11e 01.02.03; 10e T-9.7.
"""

from __future__ import annotations

from battlewright.battle.choices import Choice, PickModel, Placement
from battlewright.battle.decisions import LoseModel, SetUpUnit
from battlewright.battle.moves import back_where_it_fell, placement_sketches, poses_of_steps
from battlewright.battle.procedures.base import AGAIN, LEAVE, Next, Procedure, local, procedure, unit_of
from battlewright.battle.returning import come_back, home_of
from battlewright.battle.table import Table


@procedure
class ReturnModels(Procedure):
    """So many destroyed models of a unit come back to it."""

    name = "return_models"
    own_steps = (("choose", "01.02.03"), ("place", "01.02.03"))

    def choose(self, t: Table) -> Next:
        """Its player chooses which, where they are not alike."""
        chosen, among = list(local(t, "chosen", [])), list(local(t, "among"))
        left, due = [m for m in among if m not in chosen], int(local(t, "count")) - len(chosen)
        if due <= 0 or not left:
            return None
        kinds = {(t.model(m).name, t.model(m).weapons) for m in left}
        if len(kinds) == 1 or len(left) <= due:
            t.set(chosen=[*chosen, *left[:due]])
            return AGAIN
        return LoseModel(t.owner(unit_of(t)), "picked", "return", unit_of(t), "returns", tuple(left))

    def picked(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, PickModel)
        t.set(chosen=[*local(t, "chosen", []), t.model_index(choice.model)])
        return AGAIN

    def place(self, t: Table) -> Next:
        """Beside their unit; those for whom there is no room do not return."""
        unit, chosen = unit_of(t), tuple(local(t, "chosen", ()))
        if not chosen or not t.alive(unit) or not t.state.on_battlefield(unit):
            return LEAVE
        decision = SetUpUnit(t.owner(unit), "placed", "return", unit, "return", may_pass=True, models=chosen)
        if not any(sketch() is not None for sketch in placement_sketches(t, decision)):
            t.set(chosen=list(chosen[:-1]))
            return AGAIN
        return decision

    def placed(self, t: Table, choice: Choice) -> Next:
        if isinstance(choice, Placement):
            come_back(t, unit_of(t), poses_of_steps(t, choice.steps), int(local(t, "wounds")))
        return LEAVE


@procedure
class Revive(Procedure):
    """A model is set up again, as close as possible to where it was destroyed; who led a unit returns to it."""

    name = "revive"
    own_steps = (("set_up", "01.02.03"),)

    def set_up(self, t: Table) -> Next:
        part, model, wounds = unit_of(t), int(local(t, "model")), int(local(t, "wounds"))
        if t.wounds(model) > 0:
            return LEAVE
        home = home_of(t, part)
        if home != part:
            t.push("return_models", unit=home, among=[model], count=1, wounds=wounds)
            return LEAVE
        here = back_where_it_fell(t, part, (model,))
        if here is not None:
            (x, y), z, facing = here.xy[0], here.z[0], here.facing[0]
            come_back(t, part, ((model, int(x), int(y), int(z), int(facing)),), wounds)
        return LEAVE
