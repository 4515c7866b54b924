"""Getting into transports and out of them."""

from __future__ import annotations

from battlewright.effects import Keyword, Select
from battlewright.rulestext.context import Context, Poison, Reject


def transports(c: Context) -> Keyword:
    """The keyword of what carries units."""
    return Keyword((("TRANSPORT",),))


def other_it(c: Context) -> Select:
    """ "It can embark within it": the second is what was named last and does not itself embark."""
    for mention in reversed(c.mentions):
        if isinstance(mention, Poison):
            break
        spoken = mention.refer or mention.select
        if mention.select.what in ("unit", "model") and spoken != c.it and mention.select.ref is None:
            mention.refer = mention.refer or c.name(mention.select)
            c.use(mention.block)
            return mention.refer
    raise Reject("into what?")
