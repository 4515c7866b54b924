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
    those_weapons,
)
from battlewright.rulestext.builders.bearers import how_many
from battlewright.rulestext.builders.numbers import capped
from battlewright.rulestext.builders.phrases import it, row
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


def of_theirs(c: Context, stats: tuple[Stat, ...]) -> Characteristics:
    """ "Their Attacks": of the weapons the sentence speaks of, or else of those spoken of."""
    spoken = c.weapons is not None and c.weapons_block is not None and c.root in c.weapons_block.chain()
    if spoken and WEAPON_STATS.issuperset(stats):
        return Characteristics(stats, those_weapons(c))
    return Characteristics(stats, None, it(c))


def of_the_next(
    c: Context, stats: tuple[Stat, ...], later: tuple[tuple[Characteristics, Amount], ...]
) -> Characteristics:
    """ "1 to the Attacks and 2 to the Strength of its weapons": of the same."""
    owned = later[0][0]
    if owned.attacks is None and c.attack is not None:
        raise Reject("of the attack, or of these?")
    return Characteristics(stats, owned.attacks, owned.who)


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


def worth_of(c: Context, what: Characteristics) -> Amount:
    """As much as a characteristic of someone spoken of is."""
    who = what.who
    if who is None or len(what.stats) != 1:
        raise Reject("which number?")
    known = {"self": "this model", "unit": "this unit", "bound": who.name}
    name = known.get(who.ref or "", who.ref)
    if name is None:
        raise Reject("whose characteristic?")
    return Amount(ref=f"{name}.{what.stats[0]}")


def number_of(c: Context, things: Select | None) -> Amount:
    """As many as there are of these, or as battle rounds have begun."""
    return Amount(ref="battle round") if things is None else how_many(c, things)


def most_of(c: Context, n: Amount, most: Amount | None) -> Amount:
    """So many, to a maximum."""
    return n if most is None else capped(c, n, most)
