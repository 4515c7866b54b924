"""Building an army: who may join or embark, what a transport carries, the size of the battle."""

from __future__ import annotations

from typing import Any as Anything

from battlewright.effects import (
    Amount,
    Condition,
    Keyword,
    Select,
    Transport,
)
from battlewright.rulestext.blocks import conj
from battlewright.rulestext.builders.numbers import value
from battlewright.rulestext.builders.phrases import (
    Trait,
    any_of,
    row,
)
from battlewright.rulestext.context import Context, Reject


def join_who(c: Context, k: Keyword, mods: Anything) -> Select:
    traits = tuple(trait for trait in row(mods) if trait.side is None)
    return Select("unit", side="friendly", where=conj([k, *(trait.holds for trait in traits)]))


def fits(c: Context, k: Condition | None, mods: Anything) -> Condition:
    traits: tuple[Trait, ...] = row(mods)
    if any(trait.side or trait.of or trait.other for trait in traits):
        raise Reject("a transport carries any")
    found = conj([k, *(trait.holds for trait in traits)])
    if found is None:
        raise Reject("carries what?")
    return found


def or_fits(c: Context, k: Condition, other: Condition) -> Condition:
    return any_of(c, k, other)


def carried_all(c: Context, what: tuple[Condition, ...]) -> Condition:
    return what[0] if len(what) == 1 else any_of(c, *what)


def transport(c: Context, n: Amount, what: tuple[Condition, ...]) -> Transport:
    """So many models that fit; those with "(excluding …)" carry that in what fits."""
    if len(what) != 1:
        raise Reject("several capacities")
    return Transport(value(c, n), what[0])
