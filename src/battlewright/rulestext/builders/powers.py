"""What has a name in a faction's rules."""

from __future__ import annotations

from battlewright.effects import Amount, Condition, HasState, Select, Within
from battlewright.rulestext.builders.phrases import whole
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.tokens import CORE_KEYWORDS, Token
from battlewright.rulestext.words import phrase


def one(c: Context) -> Amount:
    return Amount()


def near_by_name(c: Context, words: tuple[Token, ...], of: Select) -> Condition:
    """ "within Ember Range of the bearer": as near as that range says."""
    name = phrase(words).lower()
    if name.endswith((" range", " aura")) and not name.startswith("engagement"):
        return Within(Amount(ref=name), whole(of))
    return HasState("within " + name)


def range_name(c: Context, words: tuple[Token, ...]) -> str:
    """A distance that has a name of its own: "Ember Range"; Engagement Range is the game's."""
    name = phrase(words).lower()
    if not name.endswith((" range", " aura")) or name.startswith("engagement"):
        raise Reject("no range of that name")
    return name


def zone(c: Context, words: tuple[Token, ...]) -> HasState:
    """ "Within the Storm": what lies over the battlefield by that name; nobody is within a transport so."""
    if any(token.word.removesuffix("s") in CORE_KEYWORDS for token in words):
        raise Reject("no zone")
    return HasState("within " + phrase(words).lower())
