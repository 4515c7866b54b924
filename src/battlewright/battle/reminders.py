"""Which rules of a battle are not enforced, so that the players can see to them."""

from __future__ import annotations

from battlewright import effects as fx
from battlewright.battle.clauses import all_effects, each_trigger, happens, is_of_a_roll, parts, rerolls, waits
from battlewright.battle.events import Reminder
from battlewright.battle.execute import supports
from battlewright.battle.judge import is_understood, names_units
from battlewright.battle.setting import Setting
from battlewright.battle.table import Table
from battlewright.effects import Clause, Rule


def is_enforced(rule: Rule) -> bool:
    """The whole rule was read, and every effect of it can be carried out."""
    if rule.status != "full" or rule.unread or not rule.clauses:
        return False
    if not all(map(names_units, filter(None, (rule.target, rule.also_target, rule.or_target)))):
        return False
    return all(_clause_is(clause) for clause in rule.clauses)


def _clause_is(clause: Clause) -> bool:
    if not all(supports(e) for e in all_effects(clause)):
        return False
    if is_of_a_roll(clause) and not rerolls(clause):
        return False
    if waits(clause) and any(isinstance(e, fx.Build) for e in all_effects(clause)):
        return False  # what units join others is settled when the army is mustered
    if not waits(clause) and any(isinstance(e, fx.Give) for e in all_effects(clause)):
        return False  # given as long as something holds: nobody watches for that
    return all(happens(trigger) for trigger in each_trigger(clause.when)) and _hangs_on_known(clause)


def _hangs_on_known(clause: Clause) -> bool:
    """Is everything understood that must hold before the clause, or one within it, acts? (Attacks judge their own.)"""
    if isinstance(clause.when, fx.PerAttack):
        return True
    events = [trigger for trigger in each_trigger(clause.when) if isinstance(trigger, fx.Event)]
    named = [who for event in events for who in (event.subject, event.target) if who is not None]
    named += [effect.who for effect in clause.do if isinstance(effect, fx.Pick)]
    named += [effect.who for effect in clause.do if isinstance(effect, fx.Give)]
    within = [effect for effect in clause.do if isinstance(effect, Clause)]
    within += [Clause(part) for effect in clause.do for part in parts(effect)]
    asked = [clause.holds, *(effect.holds for effect in clause.do if isinstance(effect, fx.If))]
    asked += [option.when for effect in clause.do if isinstance(effect, fx.Choose) for option in effect.options]
    return all(map(names_units, named)) and all(map(is_understood, asked)) and all(map(_hangs_on_known, within))


def unplayed_core(setting: Setting) -> tuple[str, ...]:
    """Core abilities that are another edition's: a battle of this one cannot play them."""
    return () if setting.numbers.strides_over is not None else ("super-heavy walker",)


def remind(t: Table) -> None:
    """At the start of the battle the players are reminded of every rule they must see to themselves."""
    for unit, definition in enumerate(t.setting.units):
        for key in definition.rules:
            if not is_enforced(t.setting.rules[key]):
                t.emit(Reminder(definition.player, t.setting.rules[key].name, unit, t.setting.rules[key].status))
        for name in definition.core:
            if name in unplayed_core(t.setting):
                t.emit(Reminder(definition.player, name, unit, "core ability not played"))
    for player, keys in enumerate(t.setting.army_rules):
        for key in keys:
            if not is_enforced(t.setting.rules[key]):
                t.emit(Reminder(player, t.setting.rules[key].name, why=t.setting.rules[key].status))


def not_enforced(setting: Setting) -> tuple[str, ...]:
    """``unit, army or mission: rule``, for each rule that is not wholly enforced."""
    found: dict[str, None] = {}
    for unit in setting.units:
        for key in unit.rules:
            if not is_enforced(setting.rules[key]):
                found[f"{unit.name}: {setting.rules[key].name}"] = None
        found |= {f"{unit.name}: {name}": None for name in unit.core if name in unplayed_core(setting)}
    for keys in setting.army_rules:
        for key in keys:
            if not is_enforced(setting.rules[key]):
                found[setting.rules[key].name] = None
    if setting.mission.scoring:  # 11e 26; 10e T-15.3, T-15.6: the primary mission is scored, secondary ones are not
        found[f"{setting.mission.name}: secondary missions"] = None
    return tuple(found)
