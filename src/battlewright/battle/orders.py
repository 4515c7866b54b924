"""Orders: who may issue them does so in the Command phase, to a unit near him, one of those that ship under their name.

What a datasheet says (how many a battle round, to whom) is an effect; here it becomes a choice of its player.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec

from battlewright import effects as fx
from battlewright.battle.clauses import all_effects
from battlewright.battle.setting import Setting, UnitDef
from battlewright.catalogue.page_rules import page_rules
from battlewright.dice import Dice
from battlewright.effects import Clause, Rule

#: how near an officer must be, inches; and how long an order lasts
REACH = 6
LASTS = fx.Duration("phase", edge="start", whose="your", next=True, phase="command")


def with_orders(setting: Setting) -> Setting:
    """The setting in which every unit that can issue orders has them as a rule of its own."""
    rules, units = dict(setting.rules), list(setting.units)
    for place, unit in enumerate(units):
        for key, rule in _issued(setting, unit):
            rules[key] = rule
            units[place] = replace(units[place], rules=(*units[place].rules, key))
    return setting if len(rules) == len(setting.rules) else replace(setting, rules=rules, units=tuple(units))


def _issued(setting: Setting, unit: UnitDef) -> Iterator[tuple[str, Rule]]:
    """A faction's ability works in its own army only (11e 22.02)."""
    army = setting.factions[unit.player].upper()
    for key in unit.rules:
        rule = setting.rules[key]
        known = [order for order in page_rules(setting.edition, "order") if order.source.lower() == rule.name.lower()]
        issues = [e for c in rule.clauses for e in all_effects(c) if isinstance(e, fx.Order) and e.how == "issue"]
        if known and issues and army in unit.keywords:
            yield f"{key} orders", _as_choice(rule, issues[0], known)


def _as_choice(rule: Rule, issue: fx.Order, known: list[Rule]) -> Rule:
    """One of the orders for one unit near the officer that is not battle-shocked, so often a battle round."""
    near = fx.Within(fx.Amount(Dice.parse(REACH)), fx.Select(ref="self"))
    who = (near, fx.Not(fx.BattleShocked()))
    to = issue.to.where if issue.to is not None else None
    target = fx.Select(side="friendly", where=fx.All(who if to is None else (*who, to)), count=fx.Count("one"))
    options = tuple(fx.Option(tuple(map(_on_it, order.clauses[0].do)), order.name) for order in known)
    times = 1 if issue.amount is None else issue.amount.n.constant or 1
    clause = Clause(
        (fx.Choose(options),),
        fx.Window(phases=("command",), whose="your"),
        may="you",
        lasts=LASTS,
        limits=(fx.Limit(per="round", count=times),),
    )
    return Rule(f"{rule.name}: orders", (clause,), "order", rule.edition, "full", target=target)


def _on_it(effect: fx.Effect) -> fx.Effect:
    """The effect on the unit the order was issued to."""
    return msgspec.structs.replace(effect, who=None) if hasattr(effect, "who") else effect
