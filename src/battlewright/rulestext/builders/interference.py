"""What stands between a rule and its effect: stratagems used so, ranges of the ability spoken of, dice rolled later."""

from __future__ import annotations

from msgspec.structs import replace

from battlewright.effects import About, Amount, Forbid, HasAbility, Order, Revive, Select, Window
from battlewright.rulestext.blocks import Gate
from battlewright.rulestext.builders.phrases import it, last_effect, whole
from battlewright.rulestext.builders.reactions import forbid_move
from battlewright.rulestext.builders.scopes import stratagem_used
from battlewright.rulestext.builders.sentences import Instead, Scope, Wrapped, doing_so, event, put
from battlewright.rulestext.context import Context, Reject


def used_so(c: Context) -> Scope:
    """ "Each time you do so": when that stratagem is used on that unit, else what was optional."""
    return stratagem_used(c) or doing_so(c)


def next_set_up(c: Context, who: Select, how: tuple[str, ...] | None) -> Scope:
    """ "When you next set it up": only the first time after what was said before."""
    return Scope(replace(event(c, "set_up", who, kinds=how or ()), first=True))


def forbid_moves(c: Context, who: Select, kinds: tuple[str, ...]) -> tuple[Forbid, ...]:
    """No moves of these kinds."""
    return tuple(forbid_move(c, who, kind) for kind in kinds)


def that_range(c: Context, distance: Amount) -> Order:
    """ "Increase the range of that ability": the one someone has, by the condition this stands under."""
    holds = (condition for block in c.block.chain() for condition in block.holds)
    found = next((one for one in holds if isinstance(one, About) and isinstance(one.holds, HasAbility)), None)
    if found is None or not isinstance(found.holds, HasAbility):
        raise Reject("which ability?")
    return Order("range", found.holds.name, found.who, distance)


def revived_instead(c: Context, wounds: Amount | None) -> Instead:
    """ "It is instead returned with its full wounds": of who was to come back with fewer."""
    last = last_effect(c)
    if not isinstance(last, Revive):
        raise Reject("who comes back?")
    return Instead((replace(last, wounds=wounds),))


def roll_at_end(c: Context, gate: Gate, alone: bool) -> None:
    """ "You can roll one D6 at the end of the phase": a choice made now, and where ``alone``, in place of other rules."""
    who: Select = whole(it(c))
    block = c.open()
    block.may = "you"
    with c.inside(block):
        if alone:
            put(c, Forbid("use other rules for its destruction", who))
        put(c, Wrapped((gate,), Window(("any",), "either", "end")))
    c.act, c.act_block = block, c.block
