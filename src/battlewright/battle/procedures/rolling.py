"""A roll of one or more D6 for a unit: the dice, then the windows in which they may be re-rolled.

Rules: 11e 01.05, 15.02; 10e T-1.3, S-CRR.
"""

from __future__ import annotations

from battlewright.battle.choices import Choice, Die
from battlewright.battle.decisions import RerollRoll
from battlewright.battle.procedures.base import Next, Procedure, local, procedure, unit_of
from battlewright.battle.table import Table
from battlewright.battle.windows import reroll_source, spend_reroll


@procedure
class Roll(Procedure):
    """Tells the procedure below its faces, as ``roll <purpose>``."""

    name = "roll"
    own_steps = (("roll", "01.05"), ("reroll", "01.05.02"), ("tell", "01.05"))

    def roll(self, t: Table) -> Next:
        t.set(faces=list(t.roll(local(t, "purpose"), local(t, "dice"), unit_of(t), local(t, "rule", ""))))
        return None

    def reroll(self, t: Table) -> Next:
        unit, purpose = unit_of(t), local(t, "purpose")
        source = reroll_source(t, unit, purpose)
        if source is None:
            return None
        faces = tuple(local(t, "faces"))
        return RerollRoll(
            t.owner(unit), "rerolled", source, unit, purpose, faces, bool(local(t, "whole")) or len(faces) == 1, source
        )

    def rerolled(self, t: Table, choice: Choice) -> Next:
        if not isinstance(choice, Die):
            return None
        unit, purpose, faces = unit_of(t), local(t, "purpose"), list(local(t, "faces"))
        spend_reroll(t, unit, purpose)
        if local(t, "whole"):
            faces = list(t.roll(f"{purpose} re-roll", len(faces), unit, "reroll"))
        else:
            faces[choice.place] = t.roll(f"{purpose} re-roll", 1, unit, "reroll")[0]
        t.set(faces=faces)
        return None

    def tell(self, t: Table) -> Next:
        t.tell(**{f"roll {local(t, 'purpose')}": local(t, "faces")})
        return None
