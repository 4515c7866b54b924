"""Which rules hold, and what they make of a number: every characteristic, roll and permission is asked here.

A fold is queried, never stored: the state keeps *which* effects are in force, not the numbers they changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from battlewright.dice import Dice

if TYPE_CHECKING:
    from battlewright.battle.table import Table

StatName = Literal["M", "T", "Sv", "W", "Ld", "OC"]


class Rules:
    """The queries of one table."""

    __slots__ = ("table",)

    def __init__(self, table: Table) -> None:
        self.table = table

    def core(self, unit: int, ability: str) -> Dice | bool:
        """The core ability of this name: its number (or True), False when the unit has none."""
        core = self.table.setting.units[unit].core
        if ability not in core:
            return False
        amount = core[ability]
        return True if amount is None else amount

    def stat(self, model: int, name: StatName) -> int:
        """A model's characteristic after every modifier that holds."""
        value = getattr(self.table.setting.models[model].profile, name)
        if name == "OC" and self.table.state.shocked(self.table.head(model)):
            return 0
        return int(value or 0)

    def leadership(self, unit: int) -> int:
        """The best Leadership in a unit (11e 01.06; 10e T-2.3)."""
        return min(self.stat(m, "Ld") for m in self.table.alive(unit))

    def granted_keywords(self, unit: int) -> frozenset[str]:
        return frozenset()

    def roll_bonus(self, roll: str, unit: int) -> int:
        """The sum of modifiers to a roll made for a unit (advance, charge, battle_shock …)."""
        return 0

    def permits(self, act: str, unit: int, despite: str) -> bool:
        """A rule lets the unit act despite what would forbid it."""
        return False

    def forbids(self, act: str, unit: int) -> str | None:
        """The name of a rule that forbids the unit to act."""
        return None
