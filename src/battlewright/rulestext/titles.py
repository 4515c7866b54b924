"""What the name of a rule, or of something to choose from, says besides the name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from battlewright import effects as vocabulary
from battlewright.dice import Dice
from battlewright.effects import Amount, Condition, Limit, Outcome
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.language import grammar
from battlewright.rulestext.normalise import clean
from battlewright.rulestext.parse import Parser
from battlewright.rulestext.tokens import tokenise


@dataclass
class Title:
    """What the name of a rule says besides the name."""

    name: str
    limits: tuple[Limit, ...] = ()
    tags: tuple[str, ...] = ()


_BRACKET = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]\s*")


def read_title(name: str) -> Title:
    """Limits and tags in the name: "Roar (Aura, Psychic)", "Boom (Once per battle, per unit)".

    >>> read_title("Boom (Aura)").tags
    ('aura',)
    """
    limits: list[Limit] = []
    tags: list[str] = []
    for bracket in _BRACKET.findall(clean(name).plain):
        found = read_limits(bracket)
        limits.extend(found)
        if not found:
            tags.extend(word.strip().lower() for word in bracket.split(",") if word.strip())
    return Title(name, tuple(limits), tuple(tags))


@dataclass
class Price:
    """What the name of an option says besides the name: what it costs, and what the dice must show."""

    name: str
    cost: Amount | None = None
    shown: tuple[Condition, ...] = ()


_PRICE = re.compile(
    r"\s*(?:[(\[]|-\s)\s*(\d{1,2})\s*(?:[A-Z][\w']*\s+){0,3}(?:points?|tokens?|dice|pts)?\s*[)\]]?\s*$", re.I
)
_PRICE_FIRST = re.compile(r"\s*(\d{1,2}) (?:[A-Z][\w']*\s+){0,3}(?:points?|tokens?|dice|pts)\s*[-:]\s*", re.I)


_PRICE_ALONE = re.compile(
    r"\s*(?:spend|cost|for)? ?(\d{1,2}) (?:[A-Z][\w']*\s+){0,3}(?:points?|tokens?|dice|pts)\s*$", re.I
)
_SHOWN = re.compile(r"\s*(?:[(\[]|-\s)\s*((?:any )?(?:double|triple|pair)s?\b[\w+ ]*)[)\]]?\s*$", re.I)
_SHOWN_ALONE = re.compile(r"\s*((?:any )?(?:double|triple|pair)s?\b[\w+ ]*)", re.I)
_SAME_DICE = re.compile(r"(any )?(double|triple|pair)s?(?: (?:of )?((\d)\+|6s?))?$", re.I)


def read_price(name: str) -> Price:
    """The cost, or the dice, in the name of an option.

    >>> read_price("Rite of Ash (2 points)").cost.n.constant
    2
    >>> read_price("Red Path - Triple 3+").shown
    (Outcome(of='triple', low=3),)
    """
    plain = clean(name).plain
    if found := _SHOWN.search(plain) or _SHOWN_ALONE.fullmatch(plain):
        same = [_SAME_DICE.match(part.strip()) for part in found[1].split(" or ")]
        shown = tuple(
            Outcome("triple" if one[2].lower() == "triple" else "double", int(one[4] or (6 if one[3] else 1)))
            for one in same
            if one is not None
        )
        if len(shown) == len(same):
            return Price(plain[: found.start()], shown=shown if len(shown) == 1 else (vocabulary.Any(shown),))
    if found := _PRICE_ALONE.match(plain):
        return Price(plain, Amount(Dice(0, 6, int(found[1]))))
    if found := _PRICE_FIRST.match(plain):
        return Price(plain[found.end() :], Amount(Dice(0, 6, int(found[1]))))
    if found := _PRICE.search(plain):
        return Price(plain[: found.start()], Amount(Dice(0, 6, int(found[1]))))
    return Price(name)


def read_limits(text: str) -> tuple[Limit, ...]:
    """Limits, where these words are nothing else; () otherwise."""
    tokens = tokenise(clean(text).plain)
    tree = Parser(grammar(), tokens).whole("limit", 0, len(tokens)) if tokens else None
    if tree is None:
        return ()
    try:
        found: tuple[Limit, ...] = Context(grammar()).build(tree)
    except Reject:
        return ()
    return found
