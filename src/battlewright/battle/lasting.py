"""Effects that last: when they end."""

from __future__ import annotations

from battlewright.battle.events import EffectsEnded
from battlewright.battle.state import NOBODY
from battlewright.battle.table import Table


def end_orders(t: Table, unit: int) -> None:
    """An order replaces the one the unit is under."""
    rules = t.setting.rules
    over = tuple(n for n, e in enumerate(t.state.effects) if e.unit == unit and rules[e.rule].kind == "order")
    if over:
        t.emit(EffectsEnded(over))


def end_effects(t: Table, until: str, player: int = NOBODY) -> None:
    """End the effects that last until this moment (of this player, when it is one player's)."""
    over = tuple(
        place
        for place, effect in enumerate(t.state.effects)
        if effect.until == until and (effect.after == NOBODY or player == NOBODY or effect.after == player)
    )
    if over:
        t.emit(EffectsEnded(over))
