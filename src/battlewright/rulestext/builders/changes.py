"""Characteristics that change: of attacks and weapons, or of models, whatever the verb."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any as Anything

from battlewright.effects import Amount, Select, Stat
from battlewright.rulestext.builders.attacks import (
    WEAPON_STATS,
    Attacks,
    attack_stat,
    damage_to,
    stat_mod,
    those_attacks,
)
from battlewright.rulestext.builders.phrases import row
from battlewright.rulestext.context import Context, Reject


@dataclass(frozen=True)
class Characteristics:
    """Which characteristics, and whose: of these attacks, or of someone."""

    stats: tuple[Stat, ...]
    attacks: Attacks | None = None
    who: Select | None = None


def of_attacks(c: Context, stats: tuple[Stat, ...], attacks: Attacks) -> Characteristics:
    """ "The Strength characteristic of that attack", "that attack's Strength"."""
    return Characteristics(stats, attacks)


def of_models(c: Context, stats: tuple[Stat, ...], who: Select) -> Characteristics:
    """ "The Toughness characteristic of models in this unit", "its Toughness"."""
    return Characteristics(stats, None, who)


def of_this_attack(c: Context, stats: tuple[Stat, ...]) -> Characteristics:
    """ "The Strength characteristic", where an attack is spoken of: that attack's."""
    if not set(stats) <= WEAPON_STATS:
        raise Reject("whose characteristic?")
    c.scope_of_attack()
    return Characteristics(stats, those_attacks(c))


def changed(c: Context, what: Characteristics, op: Anything, n: Amount) -> Anything:
    """The change of these characteristics."""
    if what.attacks is not None:
        if op == "set" and what == Characteristics(("D",), Attacks()) and n.n.constant is not None and not n.per:
            return damage_to(c, n.n.constant)
        return attack_stat(c, what.stats, op, n, what.attacks)
    return stat_mod(c, what.stats, op, n, what.who)


def changed_each(c: Context, changes: tuple[tuple[Characteristics, Amount], ...], op: Anything) -> Anything:
    """Several changes, each by an amount of its own: "improve its Leadership by 1 and its Wounds by 2"."""
    found: list[Anything] = []
    weapons: Attacks | None = None
    for what, n in changes:
        its = what.attacks is None and weapons is not None and set(what.stats) <= WEAPON_STATS
        weapons = weapons if its else what.attacks  # "this weapon's Strength by 1 and its Damage by 2"
        found += row(changed(c, Characteristics(what.stats, weapons) if its else what, op, n))
    return tuple(found)
