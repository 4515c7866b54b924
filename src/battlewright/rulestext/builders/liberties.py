"""What a unit may do besides: one of several moves, more dice for a roll."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import Amount, Choose, Duration, Event, MoreDice, Move, Option, Permit, Select, SetState
from battlewright.rulestext.builders.alternatives import when_so
from battlewright.rulestext.builders.phrases import whole
from battlewright.rulestext.builders.rolls import more_than_usual
from battlewright.rulestext.builders.sentences import Instead, for_time
from battlewright.rulestext.context import Context, Reject


def moves_any(c: Context, who: Select, kinds: tuple[Anything, ...], n: Amount | None = None) -> Move | Choose:
    """A move of one of these kinds."""
    moves = tuple(Move(kind, n, whole(who)) for kind in kinds)
    return moves[0] if len(moves) == 1 else Choose(tuple(Option((move,)) for move in moves))


def dice_for(
    c: Context, rolls: tuple[Anything, ...], who: Select, discard: Anything, dice: int | None, extra: int | None = None
) -> tuple[MoreDice, ...]:
    """So many dice for rolls of that kind, and what is discarded."""
    return tuple(MoreDice(roll, more_than_usual(roll, dice, extra), discard, who=whole(who)) for roll in rolls)


def longer_move(c: Context, n: Amount) -> Instead:
    """ "That move can be up to 9 inches instead": the move just allowed."""
    for items, at, _ in reversed(c.history):
        if at < len(items) and isinstance(move := items[at], Move):
            return Instead((replace(move, amount=n),))
    raise Reject("which move?")


def still_hidden(c: Context, who: Select, duration: Duration | None) -> Anything:
    """ "It is hidden, even if it shot": and shooting does not end that."""
    effects = (SetState("hidden", whole(who)), Permit("hidden", ("shoot",), whole(who)))
    return effects if duration is None else for_time(c, effects, duration)


def while_moving(c: Context, effects: Anything) -> Anything:
    """ "… when making such a move": if what was allowed before is done, or as long as what was said last goes on."""
    if c.act is not None and c.act_block is not None:
        return when_so(c, effects)
    moving = any(isinstance(block.when, Event) and block.when.name.startswith("move_") for block in c.block.chain())
    if c.last is None and not moving:
        raise Reject("which move?")
    if not moving:
        c.use(c.last)
    return effects
