"""What a unit may do besides: one of several moves, more dice for a roll."""

from __future__ import annotations

from typing import Any as Anything

from battlewright.effects import Amount, Choose, MoreDice, Move, Option, Select
from battlewright.rulestext.builders.phrases import whole
from battlewright.rulestext.builders.rolls import more_than_usual
from battlewright.rulestext.context import Context


def moves_any(c: Context, who: Select, kinds: tuple[Anything, ...], n: Amount | None = None) -> Move | Choose:
    """A move of one of these kinds."""
    moves = tuple(Move(kind, n, whole(who)) for kind in kinds)
    return moves[0] if len(moves) == 1 else Choose(tuple(Option((move,)) for move in moves))


def dice_for(
    c: Context, rolls: tuple[Anything, ...], who: Select, discard: Anything, dice: int | None, extra: int | None = None
) -> tuple[MoreDice, ...]:
    """So many dice for rolls of that kind, and what is discarded."""
    return tuple(MoreDice(roll, more_than_usual(roll, dice, extra), discard, who=whole(who)) for roll in rolls)
