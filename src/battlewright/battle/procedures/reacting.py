"""A window: what must happen happens, then the players may use what fits, the active player first.

Rules: 11e 01.03.02; 10e T-1.4.
"""

from __future__ import annotations

import msgspec

from battlewright import effects as fx
from battlewright.battle.choices import Choice, Do, Select, Use
from battlewright.battle.clauses import Armed, clause_at, is_choice
from battlewright.battle.decisions import ChooseDo, PickUnit, React
from battlewright.battle.events import Reminder, RuleUsed
from battlewright.battle.execute import execute, start_part
from battlewright.battle.judge import Context, holds
from battlewright.battle.possible import picks
from battlewright.battle.procedures.base import AGAIN, LEAVE, Next, Procedure, local, procedure
from battlewright.battle.state import NOBODY
from battlewright.battle.table import Table
from battlewright.battle.windows import (
    Moment,
    find_armed,
    is_optional,
    option_keys,
    start_rule,
    use,
    uses_of,
    waiting,
)
from battlewright.effects import Rule


@procedure
class Window(Procedure):
    name = "window"
    own_steps = (("mandatory_rules", "01.03.02"), ("optional_rules", "01.03.02"))

    def mandatory_rules(self, t: Table) -> Next:
        """Each rule that is no choice acts once."""
        fired = local(t, "fired", [])
        for armed in self._sorted(t):
            if is_optional(t, armed) or armed.id in fired:
                continue
            t.set(fired=[*fired, armed.id])
            self._fire(t, armed)
            return AGAIN
        return None

    def _fire(self, t: Table, armed: Armed) -> None:
        rule = t.setting.rules[armed.key]
        if rule.status != "full" and rule.unread:
            t.emit(Reminder(armed.owner, rule.name, armed.unit, "not fully read"))
        start_rule(t, armed, _moment(t))

    def optional_rules(self, t: Table) -> Next:
        """Players may use what fits until they pass."""
        passed = local(t, "passed", [])
        for player in self._players(t):
            if player in passed or t.state.standing.get(f"{player}|react {_moment(t).name}") == "pass":
                continue
            if any(True for a in self._optional(t, player) for _ in uses_of(t, a, _moment(t))):
                return React(player, "reacted", "stratagems", dict(local(t, "moment")))
        return None

    def reacted(self, t: Table, choice: Choice) -> Next:
        player = t.state.to_choose
        if isinstance(choice, Use):
            now = _moment(t)
            armed = find_armed(t, now, player, choice)
            t.set(moment={**local(t, "moment"), "spent": [*now.spent, armed.id]})
            use(t, armed, now, choice)
        else:
            t.set(passed=[*local(t, "passed", []), player])
        return AGAIN

    def _players(self, t: Table) -> tuple[int, int]:
        first = t.state.turn if t.state.turn != NOBODY else t.state.first
        return first, 1 - first

    def _sorted(self, t: Table) -> list[Armed]:
        order = self._players(t)
        return sorted(waiting(t, _moment(t)), key=lambda a: (order.index(a.owner), a.key, a.path))

    def _optional(self, t: Table, player: int) -> list[Armed]:
        return [a for a in waiting(t, _moment(t)) if a.owner == player and is_optional(t, a)]


def _moment(t: Table) -> Moment:
    return msgspec.convert(local(t, "moment"), Moment)


@procedure
class ResolveRule(Procedure):
    """The effects of one clause, in order."""

    name = "resolve_rule"
    own_steps = (("effects", "15.01"),)

    def effects(self, t: Table) -> Next:
        key, path, at = str(local(t, "key")), list(local(t, "path")), int(local(t, "at", 0))
        rule = t.setting.rules[key]
        clause = clause_at(rule, path)
        if at >= len(clause.do):
            return None
        context = _context(t)
        if at == 0 and clause.holds is not None and holds(t, clause.holds, context.bearer, context) is not True:
            if holds(t, clause.holds, context.bearer, context) is None:
                t.emit(Reminder(context.owner, rule.name, context.bearer, "condition not understood"))
            return LEAVE
        effect = clause.do[at]
        if isinstance(effect, fx.Pick):
            return self._pick(t, effect, context, rule)
        if isinstance(effect, fx.Choose) and is_choice(effect):
            names = tuple(name for name in option_names(effect) if _is_left(t, rule, context.owner, name))
            if not names:
                t.set(at=at + 1)
                return AGAIN
            player = context.owner if effect.whose == "you" else 1 - context.owner
            return ChooseDo(player, "option_chosen", rule.id or rule.name, "option", context.bearer, names)
        t.set(at=at + 1)
        execute(t, rule, key, path, at, effect, context)
        return AGAIN

    def _pick(self, t: Table, effect: fx.Pick, context: Context, rule: Rule) -> Next:
        """Its player picks a unit; nothing to pick: the rest of the rule does nothing."""
        among = picks(t, effect, context)
        if not among:
            return LEAVE
        player = context.owner if effect.whose == "you" else 1 - context.owner
        return PickUnit(player, "picked", rule.id or rule.name, rule.name, among, effect.may)

    def option_chosen(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, Do)
        at, path = int(local(t, "at", 0)), list(local(t, "path"))
        key, owner = str(local(t, "key")), int(local(t, "owner", 0))
        rule = t.setting.rules[key]
        effect = clause_at(rule, path).do[at]
        assert isinstance(effect, fx.Choose)
        t.set(at=at + 1)
        if keys := tuple(key for _, key in option_keys(t, rule, owner, choice.what)):
            t.emit(RuleUsed(key, owner, int(local(t, "unit", NOBODY)), keys))
        start_part(t, path, at, option_names(effect).index(choice.what))
        return AGAIN

    def picked(self, t: Table, choice: Choice) -> Next:
        at = int(local(t, "at", 0))
        clause = clause_at(t.setting.rules[str(local(t, "key"))], list(local(t, "path")))
        effect = clause.do[at]
        assert isinstance(effect, fx.Pick)
        if not isinstance(choice, Select):
            return LEAVE
        bound = {**local(t, "bound", {}), effect.who.bind or "picked": t.index(choice.unit)}
        t.set(at=at + 1, bound=bound)
        return AGAIN


def _is_left(t: Table, rule: Rule, owner: int, option: str) -> bool:
    """May this option be chosen, by how often it was before?"""
    return all(t.state.used.get(key, 0) < limit.count for limit, key in option_keys(t, rule, owner, option))


def option_names(effect: fx.Choose) -> tuple[str, ...]:
    """The options by name, each name once, in lower case so that they read as choices."""
    found: list[str] = []
    for number, option in enumerate(effect.options, start=1):
        name = " ".join(option.name.lower().split()) or f"option {number}"
        found.append(f"{name} {number}" if name in found else name)
    return tuple(found)


def _context(t: Table) -> Context:
    get = t.frame.local.get
    return Context(
        int(get("owner", 0)),
        int(get("unit", NOBODY)),
        int(get("subject", NOBODY)),
        int(get("target", NOBODY)),
        int(get("subject", NOBODY)),
        bound=dict(get("bound", {})),
        outcome=str(get("outcome", "")),
    )
