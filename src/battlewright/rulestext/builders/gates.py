"""A die that decides an effect said before or after it: "… on a 4+", "on a D6 roll of 2+, …"."""

from __future__ import annotations

from battlewright.rulestext.blocks import Block, Gate
from battlewright.rulestext.builders.phrases import plain, row
from battlewright.rulestext.builders.picks import gate
from battlewright.rulestext.builders.sentences import Scope, put, row_of
from battlewright.rulestext.context import Context
from battlewright.rulestext.parse import Tree
from battlewright.rulestext.tokens import Token


def on_a_roll(c: Context, e: Tree, n: Token) -> Gate:
    """ "… on a 4+": an effect that a D6 decides."""
    die = gate(c)
    block = Block(c.block)
    with c.inside(block):
        for effect in row(c.build(e)):
            put(c, effect)
    die.rows.append((plain(c, n), None, block))
    return die


def on_rolling(c: Context, low: int) -> Scope:
    """ "On a D6 roll of 2+, …": the dice are rolled, and the row begins."""
    put(c, gate(c))
    return row_of(c, low, None)
