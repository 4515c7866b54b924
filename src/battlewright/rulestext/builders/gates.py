"""A die that decides an effect said before or after it: "… on a 4+", "on a D6 roll of 2+, …"."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import Count, Select
from battlewright.rulestext.blocks import Block, Gate
from battlewright.rulestext.builders.phrases import plain, row
from battlewright.rulestext.builders.picks import gate
from battlewright.rulestext.builders.sentences import Scope, put, row_of
from battlewright.rulestext.context import Context
from battlewright.rulestext.parse import Tree
from battlewright.rulestext.tokens import Token


def on_a_roll(c: Context, e: Tree, n: Token) -> Gate:
    """ "… on a 4+": an effect that a D6 decides; for each of those whom it is about, if they are several."""
    block = Block(c.block)
    with c.inside(block):
        effects = row(c.build(e))
        each = {effect.who for effect in effects if _about_each(effect)}
        die = gate(c, per=each.pop()) if len(each) == 1 and all(map(_about_each, effects)) else gate(c)
        for effect in effects:
            put(c, effect if die.per is None else replace(effect, who=c.it))
    die.rows.append((plain(c, n), None, block))
    return die


def _about_each(effect: Anything) -> bool:
    """Is this done to each of several?"""
    who = getattr(effect, "who", None)
    if not isinstance(who, Select) or who.ref is not None or who.of is not None:
        return False
    return who.count == Count() and (who.side is not None or who.where is not None)


def on_rolling(c: Context, low: int) -> Scope:
    """ "On a D6 roll of 2+, …": the dice are rolled, and the row begins."""
    with c.inside(c.block.parent or c.block):  # the row stands in the scope this adverb opens, the dice before it
        put(c, gate(c))
    return row_of(c, low, None)
