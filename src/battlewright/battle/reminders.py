"""Which rules of a battle are not enforced, so that the players can see to them."""

from __future__ import annotations

from battlewright.battle.execute import all_effects, supports
from battlewright.battle.setting import Setting
from battlewright.effects import Rule


def is_enforced(rule: Rule) -> bool:
    """The whole rule was read, and every effect of it can be carried out."""
    if rule.status != "full" or rule.unread:
        return False
    return bool(rule.clauses) and all(supports(e) for clause in rule.clauses for e in all_effects(clause))


def not_enforced(setting: Setting) -> tuple[str, ...]:
    """``unit or army: rule``, for each rule that is not wholly enforced."""
    found: dict[str, None] = {}
    for unit in setting.units:
        for key in unit.rules:
            if not is_enforced(setting.rules[key]):
                found[f"{unit.name}: {setting.rules[key].name}"] = None
    for keys in setting.army_rules:
        for key in keys:
            if not is_enforced(setting.rules[key]):
                found[setting.rules[key].name] = None
    return tuple(found)
