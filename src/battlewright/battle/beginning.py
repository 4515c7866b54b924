"""What a battle begins with: everybody whole and off the battlefield, and the rules both players may use.

Rules: 11e 15, 26; 10e T-13, T-15.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from battlewright.battle.orders import with_orders
from battlewright.battle.setting import Setting, points_limit
from battlewright.battle.state import M, State, U, Where
from battlewright.catalogue.core_rules import core_rules
from battlewright.catalogue.page_rules import page_rules
from battlewright.effects import Rule
from battlewright.roster import Roster


def fresh_state(setting: Setting) -> State:
    """The state before deployment: everybody whole, nobody on the battlefield."""
    state = State(len(setting.models), len(setting.units), len(setting.mission.objectives))
    for model, one in enumerate(setting.models):
        state.model[model, M.WOUNDS] = one.profile.W or 0
    for unit, definition in enumerate(setting.units):
        head = unit if definition.attached_to is None else definition.attached_to
        state.unit[unit, U.HEAD] = head
        state.unit[unit, U.WHERE] = int(Where.UNDEPLOYED)
        state.unit[head, U.START] += len(definition.models)
        if head != unit:
            state.unit[unit, U.START] = len(definition.models)
    return state


def _detached(setting: Setting, rosters: Iterable[Roster], rules: dict[str, Rule], keys: list[tuple[str, ...]]) -> None:
    """What ships of the detachments chosen: their rules and stratagems."""
    chosen = [tuple(d.name for d in roster.detachments) for roster in rosters] or list(setting.detachments)
    for player, names in enumerate(chosen):
        wanted = {name.lower() for name in names}
        for rule in page_rules(setting.edition):
            if rule.source.lower() in wanted and rule.kind in ("stratagem", "detachment-rule"):
                key = f"{'AB'[player]}:{rule.name}"
                rules.setdefault(key, rule)
                keys[player] = (*keys[player], key)


def equip(setting: Setting, rosters: Sequence[Roster]) -> Setting:
    """Core stratagems for both players, the armies' own rules, factions and detachments."""
    rules = dict(setting.rules)
    keys: list[tuple[str, ...]] = [(), ()]
    for player in (0, 1):
        for rule in core_rules(setting.edition, "stratagem"):
            key = rule.id if rule.id not in keys[player] else f"{rule.id} {rule.category.lower()}"
            rules[key] = rule
            keys[player] = (*keys[player], key)
    _detached(setting, rosters, rules, keys)
    factions = list(setting.factions)
    detachments = list(setting.detachments)
    totals = [sum(unit.points for unit in setting.units if unit.player == player) for player in (0, 1)]
    limits = [given or points_limit(total) for given, total in zip(setting.limits, totals, strict=True)]
    for player, roster in enumerate(rosters):
        limits[player] = roster.limit or limits[player]
        factions[player] = roster.faction
        detachments[player] = tuple(d.name for d in roster.detachments)
        for ability in (*roster.army_rules, *(a for d in roster.detachments for a in d.abilities)):
            key = f"{'AB'[player]}:{ability.name}"
            if ability.rule is not None:
                rules[key] = ability.rule
                keys[player] = (*(k for k in keys[player] if k != key), key)
    setting = replace(
        setting,
        rules=rules,
        army_rules=(keys[0], keys[1]),
        factions=(factions[0], factions[1]),
        detachments=(detachments[0], detachments[1]),
        limits=(limits[0], limits[1]),
    )
    return with_orders(setting)
