"""Would using a rule do anything? What it says is asked of the battle before it is offered.

Rules: 11e 15.01; 10e T-13.1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from battlewright import effects as fx
from battlewright.battle.eligible import charge_target, may_charge, may_fight
from battlewright.battle.judge import Context, chosen_from
from battlewright.battle.returning import may_return, units_of
from battlewright.battle.state import NOBODY, Did
from battlewright.battle.table import Table
from battlewright.battle.targeting import possible_shots
from battlewright.effects import Clause, Rule
from battlewright.errors import Reason

#: a charge into the fray: enemies within 6", a roll above 6 is 6 (11e 15.11)
INTO_THE_FRAY = 6


def why_not_possible(t: Table, rule: Rule, clause: Clause, target: int, context: Context) -> Reason | None:
    """Would using it do anything? A use that cannot do what it says is not offered."""
    for effect in clause.do:
        check = _POSSIBLE.get(type(effect))
        refused = check(t, effect, rule, target, context) if check else None
        if refused is not None:
            return refused
    return None


def _can_act(t: Table, effect: fx.Act, rule: Rule, target: int, context: Context) -> Reason | None:
    if effect.act in ("overwatch", "shoot"):
        way = "snap" if effect.act == "overwatch" else "normal"
        only = () if effect.towards is None else chosen_from(t, effect.towards, context)
        if effect.towards is not None and not only:
            return Reason(f"{t.setting.edition} {rule.id}", f"{rule.name}: nothing to shoot at")
        if t.is_engaged(target):
            return Reason(f"{t.setting.edition} {rule.id}", f"{t.name(target)} is engaged")
        if not any(True for _ in possible_shots(t, target, way, only)):
            return Reason(f"{t.setting.edition} {rule.id}", f"no weapon of {t.name(target)} has an eligible target")
    if effect.act in ("charge", "heroic_intervention"):
        named = effect.towards is not None or bool(effect.limits)
        named_units = charge_only(t, effect, target, context)
        if named and not any(charge_target(t, target, e, NOBODY) is None for e in named_units):
            return Reason(f"{t.setting.edition} {rule.id}", f"{rule.name}: no enemy it may charge")
        return may_charge(t, target)
    return None


def _can_fight_next(t: Table, effect: fx.FightOrder, rule: Rule, target: int, context: Context) -> Reason | None:
    return may_fight(t, target) if effect.order == "next" else None


def _can_arrive(t: Table, effect: fx.Reserves, rule: Rule, target: int, context: Context) -> Reason | None:
    if effect.how == "arrive" and t.state.round < 2 and not t.rules.arrives_early(target):
        return t.reason("arrive", f"battle round {t.state.round}: reserves arrive from round 2")
    return None


def _can_pick(t: Table, effect: fx.Pick, rule: Rule, target: int, context: Context) -> Reason | None:
    if picks(t, effect, context_on(context, target)):
        return None
    return Reason(f"{t.setting.edition} {rule.id or rule.name}", f"{rule.name}: nothing to pick")


def _can_return(t: Table, effect: fx.ReturnModels, rule: Rule, target: int, context: Context) -> Reason | None:
    if any(may_return(t, effect.who, unit) for unit in units_of(t, effect.who, context_on(context, target))):
        return None
    return t.reason("return", f"{rule.name}: no destroyed model can return")


_POSSIBLE: dict[type, Callable[[Table, Any, Rule, int, Context], Reason | None]] = {
    fx.Act: _can_act,
    fx.FightOrder: _can_fight_next,
    fx.Reserves: _can_arrive,
    fx.Pick: _can_pick,
    fx.ReturnModels: _can_return,
}


def charge_only(t: Table, effect: fx.Act, unit: int, context: Context) -> list[int]:
    """The units a charge made by a rule may target: those it names, those that charged this phase, or any."""
    if effect.towards is not None:
        return list(chosen_from(t, effect.towards, context))
    if "leap to defend" in effect.limits:
        return [e for e in t.enemies(unit) if t.state.did(e, Did.CHARGED)]
    if "into the fray" in effect.limits:
        return [e for e in t.enemies(unit) if t.gap(unit, e) <= INTO_THE_FRAY]
    return []


def context_on(context: Context, target: int) -> Context:
    """The moment with a stratagem's own target put in."""
    return context if target == NOBODY else replace(context, target=target)


def picks(t: Table, effect: fx.Pick, context: Context) -> tuple[int, ...]:
    """The units that may be picked."""
    return chosen_from(t, effect.who, context)
