"""A short hand for writing rules down by hand: the gold set's notation."""

from __future__ import annotations

from typing import Any

from battlewright.dice import Dice
from battlewright.effects import (
    About,
    All,
    Amount,
    AttackIs,
    Clause,
    Condition,
    Count,
    Duration,
    Effect,
    Grant,
    Keyword,
    PerAttack,
    Select,
    StatMod,
)
from battlewright.effects import Any as Either

ME = Select("model", ref="self")
UNIT = Select("unit", ref="unit")
OURS = Select("model", of=UNIT)
LED = Select("unit", ref="led")
LEDM = Select("model", of=LED)
YOUR = Select("unit", ref="bound", name="your unit")
YOURS = Select("model", of=YOUR)
TARGET = Select("unit", ref="target")
SUBJECT = Select("unit", ref="subject")
THAT = Select("unit", ref="subject", bind="your unit")
PICKED = Select("unit", ref="bound", name="picked")
ENEMY = Select("unit", side="enemy")
PHASE, TURN, BATTLE = Duration("phase"), Duration("turn"), Duration("battle")


def n(value: int | str) -> Amount:
    return Amount(Dice.parse(value))


def kw(*groups: str) -> Keyword:
    """Any of these phrases."""
    return Keyword(tuple((group,) for group in groups))


def all_(*parts: Condition) -> Condition:
    return parts[0] if len(parts) == 1 else All(parts)


def any_(*parts: Condition) -> Condition:
    return Either(parts)


def fr(*where: Condition, what: Any = "unit", **more: Any) -> Select:
    """Friendly units (models …) of which all this holds."""
    return Select(what, side="friendly", where=all_(*where) if where else None, **more)


def en(*where: Condition, what: Any = "unit", **more: Any) -> Select:
    """Enemy units of which all this holds."""
    return Select(what, side="enemy", where=all_(*where) if where else None, **more)


def un(*where: Condition, **more: Any) -> Select:
    """Units of which all this holds, of either side."""
    return Select("unit", where=all_(*where) if where else None, **more)


def models(of: Select, *where: Condition) -> Select:
    return Select("model", of=of, where=all_(*where) if where else None)


def per(attacker: Select | None, *do: Effect, kind: Any = "any", target: Any = None, **more: Any) -> Clause:
    """Each attack by these."""
    weapon = more.pop("weapon", None)
    return Clause(do, PerAttack(attacker=attacker, target=target, kind=kind, weapon=weapon), **more)


def at(target: Select | None, *do: Effect, kind: Any = "any", attacker: Any = None, **more: Any) -> Clause:
    """Each attack against these."""
    return Clause(do, PerAttack("target", attacker=attacker, target=target, kind=kind), **more)


def stat(op: Any, stats: str, amount: int | str, who: Select | None = None) -> StatMod:
    """A change of attack characteristics; of models' when ``who`` is given."""
    return StatMod(tuple(stats.split()), op, n(amount), "model" if who else "attack", who)  # type: ignore[arg-type]


def wa(name: str, amount: int | str | None = None, *keywords: str) -> Grant:
    """A weapon ability."""
    return Grant("weapon_ability", name, None if amount is None else n(amount), keywords)


def has(who: Select, condition: Condition) -> Condition:
    return About(who, condition)


def one(bind: str = "your unit", *where: Condition, side: Any = "friendly", count: Any = None, **more: Any) -> Select:
    """The one thing picked, or a stratagem's target."""
    return Select(
        "unit", side=side, where=all_(*where) if where else None, count=count or Count("one"), bind=bind, **more
    )


RANGED, MELEE = AttackIs("ranged"), AttackIs("melee")
