"""What a core rule defines: what is known as what; a definition does nothing, what speaks of it later does."""

from __future__ import annotations

from msgspec.structs import replace

from battlewright.effects import Condition, Forbid, HasAbility, PerAttack, Select
from battlewright.rulestext.blocks import conj
from battlewright.rulestext.builders.numbers import lower_ability
from battlewright.rulestext.builders.phrases import negate, whole
from battlewright.rulestext.context import ME, Context
from battlewright.rulestext.tokens import Token


def said(c: Context) -> None:
    """A sentence that only gives something its name."""
    c.pieces += 1


def known_weapons(c: Context, token: Token) -> None:
    """ "Weapons with that are known as such weapons": from here on "such a weapon" is one of them."""
    c.pieces += 1
    c.weapons = PerAttack(weapon=HasAbility(lower_ability(c, token).removesuffix(" x")))
    c.weapons_block = c.base


def unseen(c: Context, who: Select, by: Select, near: Condition) -> Forbid:
    """ "Is not visible to them unless they are near"."""
    return Forbid("be visible", whole(who), replace(whole(by), where=conj([by.where, negate(c, near)])))


def the_bearer(c: Context) -> Select:
    """Who has the rule; of a rule about weapons that nobody has for himself, who attacks with one."""
    return Select("model", ref="attacker") if c.army_rule and c.attack is not None else ME
