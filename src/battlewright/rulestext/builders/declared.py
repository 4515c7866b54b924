"""Acts that have only words of their own, states said in several words, and how often an ability may be used."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import Any, Forbid, HasState, Limit, Select
from battlewright.rulestext.builders.scopes import rule_limit
from battlewright.rulestext.builders.sentences import use_ability
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
