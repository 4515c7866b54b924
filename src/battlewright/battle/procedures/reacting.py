"""A window: what must happen happens, then the players may use what fits, the active player first.

Rules: 11e 01.03.02; 10e T-1.4.
"""

from __future__ import annotations

import msgspec

from battlewright import effects as fx
from battlewright.battle.choices import Choice, Do, Select, Use
from battlewright.battle.clauses import Armed, choice_in, clause_at
from battlewright.battle.decisions import ChooseDo, PickUnit, React
from battlewright.battle.events import Reminder, RuleUsed
from battlewright.battle.execute import execute, start_given, start_part
from battlewright.battle.judge import Context, gives_names, holds, named_by, others_of
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
        if at == 0 and clause.holds is not None and local(t, "named") != path and gives_names(clause.holds):
            t.set(named=path, bound={**context.bound, **named_by(t, clause.holds, context.bearer, context)})
            return AGAIN
        if at == 0 and len(path) > 1 and clause.may is not None and local(t, "agreed") != path:
            player = context.owner if clause.may == "you" else 1 - context.owner
            return ChooseDo(player, "may_answered", rule.id or rule.name, "option", context.bearer, ("yes", "no"))
        effect = clause.do[at]
        if isinstance(effect, fx.Pick):
            return self._pick(t, effect, context, rule)
        choice = choice_in(effect)
        if choice is not None:
            names = _offered(t, rule, choice, context)
            if not names:
                t.set(at=at + 1)
                return AGAIN
            player = context.owner if choice.whose == "you" else 1 - context.owner
            return ChooseDo(player, "option_chosen", rule.id or rule.name, "option", context.bearer, names)
        t.set(at=at + 1)
        execute(t, rule, key, path, at, effect, context)
        return AGAIN

    def _pick(self, t: Table, effect: fx.Pick, context: Context, rule: Rule) -> Next:
        """Its player picks a unit; nothing to pick: the rest of the rule does nothing."""
        name, most = effect.who.bind or "picked", how_many(effect.who.count)
        done = sum(1 for key in (name, *others_of(name)) if key in context.bound) if local(t, "picking") else 0
        among = tuple(u for u in picks(t, effect, context) if not done or u not in context.bound.values())
        if not among and not done:
            return LEAVE
        if not among or done >= most:
            t.set(at=int(local(t, "at", 0)) + 1, picking=False)
            return AGAIN
        player = context.owner if effect.whose == "you" else 1 - context.owner
        optional = effect.may or (effect.who.count.kind != "n" and done > 0)
        return PickUnit(player, "picked", rule.id or rule.name, rule.name, among, optional)

    def option_chosen(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, Do)
        at, path = int(local(t, "at", 0)), list(local(t, "path"))
        key, owner = str(local(t, "key")), int(local(t, "owner", 0))
        rule = t.setting.rules[key]
        effect = clause_at(rule, path).do[at]
        among = choice_in(effect)
        assert among is not None
        t.set(at=at + 1)
        if choice.what == NONE:
            return AGAIN
        if keys := tuple(key for _, key in option_keys(t, rule, owner, choice.what)):
            t.emit(RuleUsed(key, owner, int(local(t, "unit", NOBODY)), keys))
        option = option_names(among).index(choice.what)
        if isinstance(effect, fx.Give):
            start_given(t, path, at, (0, option), _context(t))
        else:
            start_part(t, path, at, option)
        return AGAIN

    def picked(self, t: Table, choice: Choice) -> Next:
        at = int(local(t, "at", 0))
        clause = clause_at(t.setting.rules[str(local(t, "key"))], list(local(t, "path")))
        effect = clause.do[at]
        assert isinstance(effect, fx.Pick)
        name, bound = effect.who.bind or "picked", dict(local(t, "bound", {}))
        if not isinstance(choice, Select):
            if not local(t, "picking"):
                return LEAVE
            t.set(at=at + 1, picking=False)
            return AGAIN
        if how_many(effect.who.count) < 2:
            t.set(at=at + 1, bound={**bound, name: t.index(choice.unit)})
            return AGAIN
        if not local(t, "picking"):
            bound = {key: unit for key, unit in bound.items() if key not in (name, *others_of(name))}
        free = next(key for key in (name, *others_of(name)) if key not in bound)
        t.set(picking=True, bound={**bound, free: t.index(choice.unit)})
        return AGAIN

    def may_answered(self, t: Table, choice: Choice) -> Next:
        """Its player does, or does not do, what a clause within the rule says he may."""
        if choice != Do("yes"):
            return LEAVE
        t.set(agreed=list(local(t, "path")))
        return AGAIN


def how_many(count: fx.Count) -> int:
    """How many units a pick may name."""
    number = None if count.n is None or count.n.ref is not None else count.n.n.constant
    return number or 1


NONE = "none of them"


def _offered(t: Table, rule: Rule, choice: fx.Choose, context: Context) -> tuple[str, ...]:
    """The options that may be chosen now, by name; none of them too, where up to one is chosen."""
    named = zip(option_names(choice), choice.options, strict=True)
    may = [name for name, option in named if holds(t, option.when, context.bearer, context) is True]
    left = tuple(name for name in may if _is_left(t, rule, context.owner, name))
    return (*left, NONE) if left and choice.up_to else left


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
        tuple(get("targets", ())),
        bound=dict(get("bound", {})),
        outcome=str(get("outcome", "")),
    )
