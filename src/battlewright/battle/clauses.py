"""Rules as data: finding one's way in their clauses, and which of them wait for what moment. Nothing here knows a battle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from battlewright import effects as fx
from battlewright.battle.state import NOBODY
from battlewright.effects import Clause, Effect, Rule, Trigger

if TYPE_CHECKING:
    from battlewright.battle.setting import Setting


def clause_at(rule: Rule, path: tuple[int, ...] | list[int]) -> Clause:
    """The clause a path names: the number of a clause, then places of clauses, or of effects and their parts, within it.

    A part (an option, a row, what follows an "if") is a clause that lasts as long as the one it stands in.
    """
    clause = rule.clauses[path[0]]
    rest: list[int] = list(path[1:])
    while rest:
        inner = clause.do[rest.pop(0)]
        clause = inner if isinstance(inner, Clause) else Clause(parts(inner)[rest.pop(0)], lasts=clause.lasts)
    return clause


def parts(effect: Effect) -> tuple[tuple[Effect, ...], ...]:
    """The lists of effects an effect holds: its options, rows or branches."""
    match effect:
        case fx.Choose(options=options):
            return tuple(option.do for option in options)
        case fx.RollDice(rows=rows):
            return tuple(row.do for row in rows)
        case fx.If(then=then, otherwise=otherwise):
            return then, otherwise
        case _:
            return ()


def is_choice(effect: fx.Choose) -> bool:
    """One of several options, chosen by a player: what can be asked."""
    return effect.k == 1 and not effect.random and bool(effect.options)


def set_states(clause: Clause) -> set[str]:
    """The named states a clause, or a clause within it, sets."""
    return {e.name.lower() for e in all_effects(clause) if isinstance(e, fx.SetState) and not e.clear}


def asks_state(effect: object) -> set[str]:
    """The named states a part of a rule asks for, at any depth."""
    return {part.name.lower() for part in fx.parts_of(effect) if isinstance(part, fx.HasState)}


def each_clause(rule: Rule) -> Iterator[tuple[tuple[int, ...], Clause]]:
    """Every clause of a rule with its path, those within others too."""

    def within(path: tuple[int, ...], clause: Clause) -> Iterator[tuple[tuple[int, ...], Clause]]:
        yield path, clause
        for place, effect in enumerate(clause.do):
            if isinstance(effect, Clause):
                yield from within((*path, place), effect)

    for number, clause in enumerate(rule.clauses):
        yield from within((number,), clause)


def names_its_attackers(clause: Clause) -> bool:
    """Does the clause say itself whose attacks it is about, so that it is on no unit of its own?"""
    when = clause.when
    return isinstance(when, fx.PerAttack) and any(
        who is not None and who.ref is None for who in (when.attacker, when.target)
    )


def all_effects(clause: Clause) -> Iterator[Effect]:
    """The effects of a clause and of the clauses within it."""
    for effect in clause.do:
        yield effect
        if isinstance(effect, Clause):
            yield from all_effects(effect)


class Armed(Struct, frozen=True):
    """A clause that waits for a moment: of the rule ``key``, of ``owner``, borne by ``unit`` (-1: the army's)."""

    key: str
    clause: int
    owner: int
    unit: int = NOBODY

    @property
    def id(self) -> str:
        return f"{self.key}|{self.clause}|{self.unit}"


def arm(setting: Setting) -> dict[str, tuple[Armed, ...]]:
    """Every clause with a moment, by the name of the moment."""
    found: dict[str, list[Armed]] = {}
    for owner, keys in enumerate(setting.army_rules):
        for key in keys:
            _arm(found, setting.rules[key], key, owner, NOBODY)
    for unit, definition in enumerate(setting.units):
        for key in definition.rules:
            _arm(found, setting.rules[key], key, definition.player, unit)
    return {name: tuple(armed) for name, armed in found.items()}


def _arm(found: dict[str, list[Armed]], rule: Rule, key: str, owner: int, unit: int) -> None:
    for number, clause in enumerate(rule.clauses):
        for trigger in each_trigger(clause.when):
            name = _moment_name(trigger)
            if name:
                found.setdefault(name, []).append(Armed(key, number, owner, unit))


def each_trigger(trigger: Trigger) -> Iterator[Trigger]:
    """The trigger, or the parts of an ``AnyOf``."""
    if isinstance(trigger, fx.AnyOf):
        for part in trigger.of:
            yield from each_trigger(part)
    else:
        yield trigger


def _moment_name(trigger: Trigger) -> str:
    match trigger:
        case fx.Event(name=name):
            return name
        case fx.Window(edge=edge, unit=unit):
            return f"{edge} {unit}"
        case _:
            return ""


def always_on(rule: Rule) -> Rule | None:
    """Only the clauses that act without a moment, a choice or a limit; None when there are none."""
    kept = tuple(
        clause
        for clause in rule.clauses
        if isinstance(clause.when, fx.Static | fx.PerAttack) and clause.may is None and not clause.limits
    )
    if not kept or rule.status == "none":
        return None
    return Rule(rule.name, kept, rule.kind, rule.edition, rule.status, rule.unread, tags=rule.tags)
