"""Which attacks are meant, and which of those chosen before."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from battlewright.effects import (
    About,
    Amount,
    AttackIs,
    Compare,
    Condition,
    HasState,
    Not,
    PerAttack,
    Roll,
    RollMod,
    Select,
    Within,
)
from battlewright.rulestext.builders.attacks import Attacks, AttackWords, attacks_at, per_attack
from battlewright.rulestext.builders.conditions import strength_to
from battlewright.rulestext.builders.phrases import attack_kind, every_of, lower
from battlewright.rulestext.builders.sentences import Scope, Wrapped
from battlewright.rulestext.context import UNIT, Context, Mention, Reject
from battlewright.rulestext.tokens import Token


def over_toughness(c: Context, op: Any, of: Select | None) -> Compare:
    """Attacks whose Strength is greater (or so) than a Toughness: that of those they meet, or our own, whoever that is."""
    ours = of is not None and of.ref in ("self", "unit")
    return Compare("attack.S", op, "self.T" if ours else "target.T")


def against_toughness(c: Context, op: Any, of: Select | None) -> Compare:
    """The Strength of the attack spoken of, against the Toughness it meets."""
    return Compare("attack.S", op, "target.T") if of is None else strength_to(c, op, of)


def at_those(qualifier: Condition | None, target: Select | None) -> Condition | None:
    """What holds of attacks at these: "this unit's Toughness" is the one they meet only where this unit is the target."""
    if not isinstance(qualifier, Compare) or qualifier.right != "self.T":
        return qualifier
    if target is None or target.ref not in ("self", "unit"):
        raise Reject("whose Toughness?")
    return Compare(qualifier.left, qualifier.op, "target.T")


def attacks_so(c: Context, kind: str | None, target: Select, qualifier: Condition | None) -> Attacks:
    """Attacks of this kind, of which this holds, that target these."""
    return attacks_that(attacks_at(c, kind, target), at_those(qualifier, target))


def attacks_that(attacks: Attacks, qualifier: Condition | None) -> Attacks:
    """Those of the attacks of which this holds."""
    found = at_those(qualifier, None)
    return attacks if found is None else replace(attacks, holds=(*attacks.holds, found))


def from_afar(c: Context, distance: Amount) -> Condition:
    """An attack made from farther away than this."""
    return About(Select("unit", ref="attacker"), Not(Within(distance, Select("unit", ref="target"))))


def saves_against(
    c: Context, rolls: tuple[Roll, ...], n: Amount, sign: Any, who: Select | None, against: Condition
) -> Wrapped:
    """Saving throws made for these, against some attacks only."""
    if who is None or any(roll not in ("save", "armour_save", "invulnerable_save") for roll in rolls):
        raise Reject("which saving throws?")
    kind = against.kind if isinstance(against, AttackIs) and against.kind in ("ranged", "melee") else None
    trigger = PerAttack("target", target=who, kind=kind or "any")
    changes = tuple(RollMod(roll, n, sign) for roll in rolls)
    return Wrapped(changes, trigger, holds=() if kind else (against,))


def models_than(c: Context, op: Any, than: Select) -> Compare:
    """A target of fewer models than those who attack it, or of more; ``op`` is said of the attackers."""
    if than.ref not in ("self", "unit", "led"):
        raise Reject("fewer models than whom?")
    return Compare("attacker.models", op, "target.models")


def of_kind(c: Context, kind: str | None, qualifier: Condition) -> Condition:
    """Such attacks of this kind."""
    qualifier = at_those(qualifier, UNIT) or qualifier
    return qualifier if kind is None else every_of(c, attack_kind(c, kind), qualifier)


def targeted_so(c: Context, kind: str | None, target: Select, qualifier: Condition | None) -> Scope:
    """ "This unit is targeted by a ranged attack": each time such an attack targets it."""
    scope = per_attack(c, None, AttackWords(kind, None, target))
    if (found := at_those(qualifier, target)) is not None:
        scope.holds.append(found)
    return scope


def saved(c: Context) -> tuple[Roll, ...]:
    """ "A result of 1", where a roll is spoken of: of that roll."""
    block = c.scope_of_attack()
    kinds = getattr(block.when, "kinds", ())
    if isinstance(block.when, PerAttack) or "save" not in kinds:
        raise Reject("a result of which roll?")
    return ("save",)


def bears_mark(c: Context, words: tuple[Token, ...]) -> Select:
    """ "Your prey": whoever carries that mark, set by this rule or by another of its name."""
    select = Select("unit", where=HasState(lower(c, words)))
    c.mentions.append(Mention(select, None, c.block))
    return select
