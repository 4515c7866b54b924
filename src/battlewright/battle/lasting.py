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


PHASES = ("command", "movement", "shooting", "charge", "fight")


def next_turn(t: Table, player: int, *, this_one: bool = False) -> tuple[int, int]:
    """(battle round, player) of the player's next turn; the present one where ``this_one`` is allowed and it is his."""
    now = t.state.turn == player and t.state.round > 0
    still_to_come = t.state.round > 0 and t.state.turn != player and player != t.state.first
    return t.state.round + (0 if still_to_come or (now and this_one) else 1), player


def moment_of_next(t: Table, edge: str, phase: str, player: int) -> str:
    """The name of the start or end of the player's next phase of this kind, as :attr:`Lasting.until` has it."""
    later = t.state.phase in PHASES and PHASES.index(t.state.phase) < PHASES.index(phase)
    round_of_it, _ = next_turn(t, player, this_one=later)
    return f"{edge} {phase}|{round_of_it}|{player}"


def end_effects(t: Table, until: str, player: int = NOBODY) -> None:
    """End the effects that last until this moment (of this player, when it is one player's)."""
    over = tuple(
        place
        for place, effect in enumerate(t.state.effects)
        if effect.until == until and (effect.after == NOBODY or player == NOBODY or effect.after == player)
    )
    if over:
        t.emit(EffectsEnded(over))
