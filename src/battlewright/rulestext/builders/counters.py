"""Tokens that units carry: they gain and lose them, and are told by how many they have."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec.structs import replace

from battlewright.effects import About, Amount, Clause, Event, Grant, HasState, Mortal, Same, Select, SetState, Setup
from battlewright.rulestext.blocks import Block, Given, Options
from battlewright.rulestext.builders.phrases import here, it, whole
from battlewright.rulestext.builders.scopes import if_may, may
from battlewright.rulestext.builders.sentences import Scope, when
from battlewright.rulestext.context import UNIT, Context, Mention, Reject

MARKER = Select("marker", name="marker")


def tokens_for(
    c: Context, who: Select, name: str, n: Amount, most: Amount | None = None, lost: bool = False
) -> SetState:
    """A unit gains (or loses) so many tokens of a name, never having more than ``most``."""
    return SetState(name, whole(who), lost, n, None if most is None else most.n.constant)


def takes_tokens(c: Context, can: object, who: Select, name: str, n: Amount) -> None:
    """ "You can remove one token from it. If you do, …": an act that may be answered."""
    effect: SetState | Clause = tokens_for(c, who, name, n, None, True)
    if can is not None:
        effect = may(c, effect)
    c.put(effect)
    c.act, c.act_block = effect, c.block


def takes_tokens_when(c: Context, events: Any, who: Select, name: str, n: Amount) -> None:
    """ "You can remove one token from it when …"."""
    scope = when(c, events)
    block = c.open()
    block.when, block.holds = scope.when, list(scope.holds)
    with c.inside(block):
        takes_tokens(c, True, who, name, n)


def marker_on(c: Context, point: Select) -> Setup:
    """A marker is placed on the point that was selected."""
    c.mentions.append(Mention(MARKER, MARKER, c.block))
    return Setup(MARKER, where=(Same(point),))


def marker_somewhere(c: Context, can: object) -> Any:
    """A marker is placed anywhere."""
    c.mentions.append(Mention(MARKER, MARKER, c.block))
    return if_may(c, can, Setup(MARKER, ("anywhere",)))


def after_rolling(c: Context, effect: Mortal) -> Mortal:
    """ "The target then suffers 3 mortal wounds": where the dice before it were rolled, whatever they showed."""
    if c.gate is not None:
        c.use(c.gate_block)
    return effect


def unit_choice(c: Context, can: object, grants: tuple[Grant, ...]) -> Options:
    """ "Select either the A or B ability": what the rule's unit then has."""
    if len(grants) < 2:
        raise Reject("nothing to choose from")
    options = Options(up_to=can is not None)
    for grant in grants:
        block = Block(c.block, option=True)
        block.do.append(replace(grant, who=here(c)))
        options.options.append(("", block))
    return options


def targets_chosen(c: Context) -> Scope:
    """ "After selecting targets": when the one spoken of has selected them."""
    return Scope(Event("targets_selected", it(c), edge="after"))


def by_level(c: Context, who: Select, name: str) -> None:
    """What these get for the level they have: the rows stand below."""
    block = c.open()
    given = Given(whole(who), Block(block))
    block.do.append(given)
    c.table, c.pieces = (partial(_has_level, name), given.block), c.pieces + 1


def _has_level(name: str, low: int, high: int | None) -> About:
    return About(UNIT, HasState(name, low, high))
