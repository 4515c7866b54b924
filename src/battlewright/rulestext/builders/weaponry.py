"""Weapons and attacks as a thing: put together of their sort, their owner, their target and what is left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any as Anything

from battlewright.effects import AttackIs, Condition, Select
from battlewright.rulestext.blocks import conj
from battlewright.rulestext.builders.attacks import Attacks, attack_words, attacks_of
from battlewright.rulestext.builders.phrases import attack_kind, negate
from battlewright.rulestext.context import Context, Reject


@dataclass(frozen=True)
class Sort:
    """What sort of weapon or attack: ranged or melee, and what else must hold of the weapon or of the attack."""

    kind: str | None = None
    weapon: Condition | None = None
    psychic: bool = False


@dataclass(frozen=True)
class Post:
    """What stands before or behind "weapons": whose, at whom, of what sort besides, without which."""

    owner: Select | None = None
    target: Anything = None
    sort: Sort | None = None
    but: Sort | None = None


def sort_of_kind(c: Context, kind: str) -> Sort:
    """Ranged, melee or psychic ones."""
    return Sort(psychic=True) if kind == "psychic" else Sort(kind)


def sort_with(c: Context, weapon: Condition) -> Sort:
    """Those that have an ability, or a name."""
    return Sort(weapon=weapon)


def sort_both(c: Context, first: Sort, second: Sort) -> Sort:
    """Those that are both: "ranged Psychic"."""
    if first.kind and second.kind:
        raise Reject("ranged and melee")
    return Sort(first.kind or second.kind, conj([first.weapon, second.weapon]), first.psychic or second.psychic)


def sort_condition(c: Context, sort: Sort) -> Condition:
    """The same as a condition about the weapon an attack is made with."""
    parts = [
        attack_kind(c, sort.kind) if sort.kind else None,
        sort.weapon,
        AttackIs("psychic") if sort.psychic else None,
    ]
    found = conj(parts)
    assert found is not None
    return found


def attack_set(c: Context, lead: Post | None, sort: Sort | None, posts: tuple[Post, ...] | None) -> Attacks:
    """The attacks all these words together mean."""
    parts = [*(posts or ()), *([lead] if lead else [])]
    owners = [part.owner for part in parts if part.owner is not None]
    targets = [part.target for part in parts if part.target is not None]
    if len(owners) > 1 or len(targets) > 1 or not (owners or targets):
        raise Reject("whose attacks?")
    whole = sort or Sort()
    for part in parts:
        whole = sort_both(c, whole, part.sort) if part.sort else whole
    less = [negate(c, sort_condition(c, part.but)) for part in parts if part.but]
    kind = whole.kind or ("psychic" if whole.psychic else None)
    words = attack_words(c, kind, conj([whole.weapon, *less]), targets[0] if targets else None)
    if whole.kind and whole.psychic:
        words = type(words)(words.kind, words.weapon, words.target, (*words.holds, AttackIs("psychic")))
    return attacks_of(c, owners[0] if owners else None, words)
