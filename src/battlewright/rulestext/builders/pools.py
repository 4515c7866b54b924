"""Pools of points and dice."""

from __future__ import annotations

from typing import Any as Anything

from battlewright.effects import (
    Amount,
    Clause,
    Pool,
)
from battlewright.rulestext.blocks import Gate, Options
from battlewright.rulestext.builders.phrases import (
    row,
)
from battlewright.rulestext.builders.scopes import may
from battlewright.rulestext.builders.sentences import (
    Instead,
    Wrapped,
)
from battlewright.rulestext.context import Context, Reject


def use_pool(c: Context, name: str, n: Amount) -> None:
    """ "You can spend a point": a choice; "if you do" follows."""
    effect = may(c, Pool(name, "spend", n))
    c.put(effect)
    c.act, c.act_block = effect, c.block


def spend_to(c: Context, pool: str, n: Amount, effects: Anything) -> Clause:
    """ "You can spend a token to do that"."""
    found = row(effects)
    if any(effect is None or isinstance(effect, (Wrapped, Instead, Gate, Options)) for effect in found):
        raise Reject("spent for what?")
    return may(c, Pool(pool, "spend", n), *found)
