"""A roll of one or more D6 for a unit: the dice, then the windows in which they may be re-rolled.

Rules: 11e 01.05, 15.02; 10e T-1.3, S-CRR.
"""

from __future__ import annotations

from battlewright.battle.choices import Choice, Die
from battlewright.battle.decisions import RerollRoll
from battlewright.battle.procedures.base import AGAIN, Next, Procedure, local, procedure, unit_of
from battlewright.battle.table import Table
from battlewright.battle.windows import FREE, free_reroll, reroll_source, spend_reroll


@procedure
class Roll(Procedure):
    """Tells the procedure below its faces, as ``roll <purpose>``."""

    name = "roll"
    own_steps = (("roll", "01.05"), ("reroll", "01.05.02"), ("tell", "01.05"))

    def roll(self, t: Table) -> Next:
        t.set(
            faces=list(
                t.roll(local(t, "purpose"), local(t, "dice"), unit_of(t), local(t, "rule", ""), local(t, "needs", 0))
            )
        )
        return None

    def reroll(self, t: Table) -> Next:
        """Rules in force that cost nothing first, then a stratagem; a die is never re-rolled twice (11e 01.05.02; T-1.3)."""
        unit, purpose, faces = unit_of(t), str(local(t, "purpose")), tuple(local(t, "faces"))
        whole, again = bool(local(t, "whole")) or len(faces) == 1, tuple(local(t, "again", ()))
        if (whole and again) or len(again) == len(faces):
            return None
        barred = self._barred(t, faces, again, whole=whole)
        free = not local(t, "kept") and len(barred) < len(faces) and free_reroll(t, unit, purpose)
        source = FREE if free else reroll_source(t, unit, purpose)
        if source is None:
            return None
        barred = barred if free else again
        return RerollRoll(t.owner(unit), "rerolled", source, unit, purpose, faces, whole, source, barred)

    def _barred(self, t: Table, faces: tuple[int, ...], again: tuple[int, ...], *, whole: bool) -> tuple[int, ...]:
        """The dice that rules in force do not re-roll: those re-rolled already, those of other results."""
        which = t.rules.rerolls(str(local(t, "purpose")), unit_of(t))
        if whole or any(not effect.faces for effect in which):
            return again
        due = {face for effect in which for face in effect.faces}
        return tuple(place for place, face in enumerate(faces) if place in again or face not in due)

    def rerolled(self, t: Table, choice: Choice) -> Next:
        unit, purpose, faces = unit_of(t), str(local(t, "purpose")), list(local(t, "faces"))
        free = not local(t, "kept") and free_reroll(t, unit, purpose)
        if not isinstance(choice, Die):
            if not free:
                return None
            t.set(kept=True)
            return AGAIN
        if not free:
            spend_reroll(t, unit, purpose)
        if local(t, "whole"):
            faces = list(t.roll(f"{purpose} re-roll", len(faces), unit, "reroll"))
            again = list(range(len(faces)))
        else:
            faces[choice.place] = t.roll(f"{purpose} re-roll", 1, unit, "reroll")[0]
            again = [*local(t, "again", []), choice.place]
        t.set(faces=faces, again=again)
        return AGAIN if free else None

    def tell(self, t: Table) -> Next:
        t.tell(**{f"roll {local(t, 'purpose')}": local(t, "faces")})
        return None
