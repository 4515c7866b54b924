"""Acts that have only words of their own, states said in several words, and how often an ability may be used."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import Any, Count, Forbid, HasState, Keyword, Limit, Pick, Select
from battlewright.rulestext.blocks import Block
from battlewright.rulestext.builders.scopes import rule_limit
from battlewright.rulestext.builders.sentences import put, use_ability, use_ability_when
from battlewright.rulestext.builders.things import mention_bearer
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.tokens import Token
from battlewright.rulestext.words import phrase


def declared(c: Context) -> None:
    """ "It can unleash the beast within. If it does, …": what it does is said next, the words here are only its name."""
    if not c.answered:
        raise Reject("an act that nothing says more of")
    use_ability(c)


def plight(c: Context, words: tuple[Token, ...]) -> str:
    """A state by its words, without articles: the same wherever it is spoken of."""
    return " ".join(token.word for token in words if token.word not in ("a", "an", "the"))


def for_each_of(c: Context, limit: Limit, things: Select) -> tuple[Limit, ...]:
    """ "Once per battle for each token this unit has"."""
    return (replace(limit, of=things),)


def shared_limit(c: Context, limit: Limit, *names: tuple[Token, ...]) -> Forbid:
    """ "Each model can only be selected for this ability or the other ability once per turn"."""
    rule_limit(c, limit)
    taken = [HasState("selected for " + phrase(words).lower()) for words in names]
    what: Anything = limit.each
    return Forbid(
        "be selected for this ability", Select(what, where=taken[0] if len(taken) == 1 else Any(tuple(taken)))
    )


def one_of_ours(c: Context, k: Keyword) -> Select | None:
    """ "One GUARD model from your army": the bearer by its keyword; in a rule that nobody bears, one of those."""
    if not c.army_rule:
        mention_bearer(c, k)
        return None
    return c.mention(Select("model", side="friendly", where=k, count=Count("one")))


def one_uses(c: Context, one: Select | None, events: Anything = None) -> None:
    """It is picked when the ability is used, if nobody bears the rule."""
    if events is None:
        use_ability(c)
    else:
        use_ability_when(c, events)
    if one is not None and isinstance(c.act, Block):
        use = c.act
        with c.inside(use):
            put(c, Pick(one))
        c.act, c.act_block = use, use
