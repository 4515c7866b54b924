"""Moments at which rules may act: which of them fit, whether they can be used, and what using one costs.

A moment opens a window only when something usable (or something that must happen) is there. Rules are data: stratagems
and abilities are records whose triggers are matched against the moment. Rules: 11e 01.03.02, 15.01; 10e T-1.4, T-13.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace as replace_in
from itertools import combinations
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from battlewright import effects as fx
from battlewright.battle.choices import Use
from battlewright.battle.clauses import Armed, clause_at, each_trigger, moment_name, rerolls, waiting_for
from battlewright.battle.decisions import PREDICATES, React, RerollRoll
from battlewright.battle.events import RuleUsed, StratagemUsed
from battlewright.battle.judge import Context, called, can_pay, fits, holds, is_such, named_by
from battlewright.battle.lasting import end_orders
from battlewright.battle.possible import context_on, why_not_possible
from battlewright.battle.state import NOBODY, Did, Where
from battlewright.battle.table import Table
from battlewright.effects import Clause, Rule, Trigger
from battlewright.errors import Reason


class Moment(Struct, frozen=True, omit_defaults=True):
    """What happens now: the name of the event (or ``start``, ``during``, ``end`` of a ``unit`` of time), and of whom.

    ``spent`` are the clauses already used at it: what is triggered once is used once. ``step``: that of the phase; or
    "part", of a part of an attached unit that goes on, which its own rules hear of and no others; or "model", of a single
    ``model``, which only rules hear of that let it act before it is removed; or "place", of a unit about to be set up,
    which only those hear of that say where.
    """

    name: str
    subject: int = NOBODY
    targets: tuple[int, ...] = ()
    edge: str = "when"
    kinds: tuple[str, ...] = ()
    unit: str = ""
    spent: tuple[str, ...] = ()
    step: str = ""
    model: int = NOBODY


# --------------------------------------------------------------------------------------------------------- opening
def moment(
    t: Table,
    name: str,
    subject: int = NOBODY,
    *,
    targets: tuple[int, ...] = (),
    edge: str = "when",
    kinds: tuple[str, ...] = (),
    unit: str = "",
    step: str = "",
    model: int = NOBODY,
) -> bool:
    """Open a window when something waits for this moment; True when one was pushed."""
    now = Moment(name, subject, targets, edge, kinds, unit, step=step, model=model)
    if not any(True for _ in waiting(t, now)):
        return False
    t.push("window", moment=plain(now))
    return True


def waiting(t: Table, now: Moment) -> Iterator[Armed]:
    """The clauses whose trigger fits this moment and that can act: mandatory ones, and uses that are legal."""
    for armed in armed_for(t, now):
        _, clause = _rule(t, armed)
        if not triggered(t, armed, clause, now):
            continue
        if is_optional(t, armed):
            if any(True for _ in uses_of(t, armed, now)):
                yield armed
        elif can_fire(t, armed, now):
            yield armed


def armed_for(t: Table, now: Moment) -> Iterator[Armed]:
    """The clauses that wait for moments of this name: those of rules, and those that rules at work set waiting."""
    name = f"{now.name} {now.unit}" if now.unit else now.name
    yield from t.setting.armed.get(name, ())
    yield from t.cached("waiting", lambda: waiting_for(t.setting.rules, t.state.effects)).get(name, ())


def _rule(t: Table, armed: Armed) -> tuple[Rule, Clause]:
    rule = t.setting.rules[armed.key]
    return rule, clause_at(rule, armed.path)


def is_optional(t: Table, armed: Armed) -> bool:
    """A stratagem, or a clause that says its player may."""
    rule, clause = _rule(t, armed)
    if rule.kind == "stratagem" and not armed.within:
        return True
    return clause.may is not None or any(getattr(e, "may", False) is True for e in clause.do)


def triggered(t: Table, armed: Armed, clause: Clause, now: Moment) -> bool:
    """Does the moment fit the clause's trigger?"""
    if is_once(clause) and t.state.used.get(once_key(armed), 0):
        return False
    if not can_pay(t, clause, armed.owner):
        return False
    context = context_of(t, armed, now)
    return any(_fits_moment(t, trigger, armed, now, context) for trigger in each_trigger(clause.when))


def context_of(t: Table, armed: Armed, now: Moment) -> Context:
    bearer = NOBODY if armed.unit == NOBODY else int(t.state.unit[armed.unit, 0])
    bound = dict(armed.bound)
    subject = now.subject if now.subject != NOBODY else bound.get("subject", NOBODY)
    target = now.targets[0] if now.targets else bound.get("target", NOBODY)
    if now.model != NOBODY:
        bound["model"] = now.model
    context = Context(armed.owner, bearer, subject, target, subject, now.targets, bound)
    _, clause = _rule(t, armed)
    for trigger in each_trigger(clause.when):
        if isinstance(trigger, fx.Event) and moment_name(trigger) == now.name and trigger.subject is not None:
            context = context.binding(trigger.subject.bind, now.subject)
    return context


def _fits_moment(t: Table, trigger: Trigger, armed: Armed, now: Moment, context: Context) -> bool:
    match trigger:
        case fx.Event():
            return _fits_event(t, trigger, armed, now, context)
        case fx.Window():
            return _fits_window(t, trigger, armed, now)
        case _:
            return False


def _fits_event(t: Table, trigger: fx.Event, armed: Armed, now: Moment, context: Context) -> bool:
    if moment_name(trigger) != now.name or (trigger.edge == "before") != (now.edge == "before"):
        return False
    if trigger.kinds and not set(trigger.kinds) & set(now.kinds):
        return False
    if (now.step == "model") != (trigger.name == "destroyed" and lets_act(_rule(t, armed)[1])):
        return False
    if (now.step == "place") != (trigger.name == "set_up" and places(_rule(t, armed)[1])):
        return False
    if now.step == "model":
        return _fits_model(t, trigger, armed, now, context)
    if trigger.during is not None and holds(t, trigger.during, now.subject, context) is not True:
        return False
    itself = trigger.subject is not None and trigger.subject.ref == "self" and now.subject == armed.unit
    if now.step == "part" and not itself:
        return False
    if trigger.subject is not None and not itself and fits(t, trigger.subject, now.subject, context) is not True:
        return False
    return trigger.target is None or any(fits(t, trigger.target, e, context) is True for e in now.targets)


def _fits_model(t: Table, trigger: fx.Event, armed: Armed, now: Moment, context: Context) -> bool:
    """Is the destroyed model one the trigger speaks of: the bearer itself, or such a model of such a unit?"""
    who = trigger.subject
    if who is None or (who.side is not None and (t.owner(now.subject) == armed.owner) != (who.side == "friendly")):
        return False
    if trigger.during is not None and holds(t, trigger.during, now.subject, context) is not True:
        return False
    if who.ref == "self":
        return t.model(now.model).unit == armed.unit
    if who.ref is not None and fits(t, replace(who, what="unit", where=None), now.subject, context) is not True:
        return False
    return fits(t, who.of, now.subject, context) is True and is_such(t, who.where, now.model)


def lets_act(clause: Clause) -> bool:
    """Does a clause let a destroyed model act before it is removed?"""
    return any(isinstance(part, fx.Act) and "not removed" in part.limits for part in fx.parts_of(clause.do))


def places(clause: Clause) -> bool:
    """Does a clause say where a unit that is set up may stand? It acts before that is chosen."""
    return any(isinstance(effect, fx.Setup) for effect in clause.do)


def _fits_window(t: Table, trigger: fx.Window, armed: Armed, now: Moment) -> bool:
    if trigger.edge != now.name or (now.unit and trigger.unit != now.unit) or (trigger.step or "") != now.step:
        return False
    if trigger.whose != "either" and (t.state.turn == armed.owner) != (trigger.whose == "your"):
        return False
    if trigger.round is not None and holds(t, trigger.round, NOBODY, Context(armed.owner)) is not True:
        return False
    return "any" in trigger.phases or t.state.phase in trigger.phases or trigger.unit != "phase"


def is_once(clause: Clause) -> bool:
    """Does the rule act only the first time its moment comes?"""
    return any(isinstance(trigger, fx.Event) and trigger.first for trigger in each_trigger(clause.when))


def once_key(armed: Armed) -> str:
    return f"first|{armed.owner}|{armed.id}"


def can_fire(t: Table, armed: Armed, now: Moment) -> bool:
    """May a clause that is not a choice act? Its bearer lives and its condition holds (a reminder needs neither known)."""
    _, clause = _rule(t, armed)
    fell = bool(armed.within) or (now.name == "destroyed" and now.subject == armed.unit)
    fell = fell or (now.model != NOBODY and t.model(now.model).unit == armed.unit)
    if armed.unit != NOBODY and not fell and not any(t.wounds(m) > 0 for m in t.unit(armed.unit).models):
        return False
    return holds(t, clause.holds, context_of(t, armed, now).bearer, context_of(t, armed, now)) is not False


# ----------------------------------------------------------------------------------------------------------- using
def uses_of(t: Table, armed: Armed, now: Moment) -> Iterator[Use]:
    """The legal uses of one clause now."""
    rule, _ = _rule(t, armed)
    if _why_never(t, armed, now) is not None:
        return
    for units in _targets_for(t, armed, rule, now):
        use = Use(armed.key, tuple(map(t.name, units)))
        if _why_not_on(t, armed, now, use) is None:
            yield use


def _targets_for(t: Table, armed: Armed, rule: Rule, now: Moment) -> Iterator[tuple[int, ...]]:
    """Which units a rule may be used on: a stratagem's TARGET, a bearer's own unit."""
    if rule.target is None or armed.within:
        yield () if armed.unit == NOBODY else (int(t.state.unit[armed.unit, 0]),)
        return
    if is_of_several(rule):
        yield from _several(t, rule, context_of(t, armed, now))
        return
    where = Where.RESERVES if _wants_reserves(rule) else Where.BATTLEFIELD
    if "Destroyed(" in repr(rule.target):
        yield from ((unit,) for unit, definition in enumerate(t.setting.units) if definition.player == armed.owner)
        return
    for unit in t.units(None, where):
        if t.alive(unit):
            yield (unit,)


def _wants_reserves(rule: Rule) -> bool:
    return "reserves" in repr(rule.target)


def is_of_several(rule: Rule) -> bool:
    """May a stratagem be used on several units, or on one of two kinds?"""
    kinds = rule.also_target is not None or rule.or_target is not None
    return kinds or (rule.target is not None and how_many(rule.target.count) != (1, 1))


def how_many(count: fx.Count) -> tuple[int, int]:
    """The fewest and the most units a target speaks of."""
    number = 1 if count.n is None else count.n.n.constant or 1
    return {"n": (number, number), "up_to": (1, number), "any": (number, MOST_TARGETS)}.get(count.kind, (1, 1))


#: of "one or more units" so many are offered together
MOST_TARGETS = 3


def _several(t: Table, rule: Rule, context: Context) -> Iterator[tuple[int, ...]]:
    """The units such a stratagem may be used on, those of its second target last."""
    also = rule.also_target
    for which in filter(None, (rule.target, rule.or_target)):
        there = t.units(None, Where.RESERVES if "reserves" in repr(which) else Where.BATTLEFIELD)
        mine = [unit for unit in there if t.alive(unit) and fits(t, which, unit, context) is True]
        least, most = how_many(which.count)
        for first in (some for n in range(least, most + 1) for some in combinations(mine, n)):
            if also is None:
                yield first
                continue
            known = replace_in(context, bound={**context.bound, **called(which.bind, first)})
            others = [u for u in t.units() if u not in first and t.alive(u) and fits(t, also, u, known) is True]
            fewest = 0 if also.count.kind == "up_to" else how_many(also.count)[0]
            for n in range(fewest, how_many(also.count)[1] + 1):
                yield from ((*first, *second) for second in combinations(others, n))


def names_of_targets(t: Table, rule: Rule, units: tuple[int, ...], context: Context) -> dict[str, int] | None:
    """The names by which a stratagem's targets go in its text, None when these are not what it can be used on."""
    also = rule.also_target
    for which in filter(None, (rule.target, rule.or_target)):
        least, most = how_many(which.count)
        for n in range(least, min(most, len(units)) + 1):
            names = called(which.bind, units[:n])
            if not all(fits(t, which, unit, context) is True for unit in units[:n]):
                continue
            if also is None:
                if n == len(units):
                    return names
                continue
            known = replace_in(context, bound={**context.bound, **names})
            fewest = 0 if also.count.kind == "up_to" else how_many(also.count)[0]
            right = fewest <= len(units) - n <= how_many(also.count)[1]
            if right and all(fits(t, also, unit, known) is True for unit in units[n:]):
                return names | called(also.bind, units[n:])
    return None


def why_not_armed(t: Table, armed: Armed, now: Moment, use: Use) -> Reason | None:
    """Can this be used so, at this moment?"""
    return _why_never(t, armed, now) or _why_not_on(t, armed, now, use)


def _why_never(t: Table, armed: Armed, now: Moment) -> Reason | None:
    """What stands against it at this moment, whatever it would be used on."""
    rule, clause = _rule(t, armed)
    cite = Reason(f"{t.setting.edition} {rule.id or rule.name}", "")
    if not clause.do:
        return Reason(cite.rule, f"{rule.name}: what it does was not understood")
    if not triggered(t, armed, clause, now):
        return Reason(cite.rule, f"{rule.name}: not at this moment")
    if armed.id in now.spent:
        return Reason(cite.rule, f"{rule.name} was already used at this moment")
    return None


def _why_not_on(t: Table, armed: Armed, now: Moment, use: Use) -> Reason | None:
    """What stands against the units it would be used on."""
    rule, clause = _rule(t, armed)
    cite = Reason(f"{t.setting.edition} {rule.id or rule.name}", "")
    units = tuple(unit for name in use.units if (unit := t.index(name)) is not None)
    if len(units) != len(use.units) or (rule.target is not None and not armed.within and not units):
        return Reason(cite.rule, f"{rule.name} is used on one unit")
    context = context_of(t, armed, now)
    target = units[0] if units else NOBODY
    refused = None if armed.within else _why_not_pay(t, armed, rule, target)
    for unit in units[1:]:
        refused = refused or _why_not_touch(t, armed, unit)
    if refused is not None:
        return refused
    if rule.target is not None and not armed.within:
        names = names_of_targets(t, rule, units, context)
        if names is None:
            return Reason(cite.rule, f"{', '.join(use.units)}: not what {rule.name} can be used on")
        context = replace_in(context, bound={**context.bound, **names})
        context = replace_in(context, bound={**context.bound, **named_by(t, rule.target.where, target, context)})
    if clause.holds is not None and holds(t, clause.holds, target, context) is not True:
        return Reason(cite.rule, f"the condition of {rule.name} is not met")
    return why_not_possible(t, rule, clause, target, context_on(context, target))


def _why_not_pay(t: Table, armed: Armed, rule: Rule, target: int) -> Reason | None:
    """Limits, command points, battle-shock, one stratagem a unit (11e 15.01, 01.07; 10e T-13.1, T-2.3)."""
    for limit, key in limit_keys(t, rule, armed, target):
        if t.state.used.get(key, 0) >= limit.count:
            return Reason(f"{t.setting.edition} {rule.id or rule.name}", f"{rule.name}: {limit.count} per {limit.per}")
    if rule.kind != "stratagem":
        return None
    if t.rules.stratagem_forbidden(rule, armed.owner, target):
        return t.reason("stratagems", f"a rule in force forbids {rule.name} here")
    cost = t.rules.stratagem_cost(rule, armed.owner, target)
    if t.cp(armed.owner) < cost:
        return t.reason("stratagems", f"{rule.name} costs {cost}CP, {t.cp(armed.owner)}CP left")
    if t.state.used.get(phase_key(t, armed.owner, rule), 0) and not t.rules.may_repeat(rule, armed.owner, target):
        return t.reason("stratagems", f"{rule.name} was already used this phase")
    return _why_not_touch(t, armed, target)


def _why_not_touch(t: Table, armed: Armed, unit: int) -> Reason | None:
    """Why its player cannot use a stratagem on this unit of his."""
    if unit != NOBODY and t.owner(unit) == armed.owner:
        if t.state.shocked(unit) and not t.rules.permits("stratagem", unit, "battle_shocked"):
            return t.reason("shocked", f"{t.name(unit)} is battle-shocked")
        if t.setting.numbers.one_stratagem_a_unit and t.state.did(unit, Did.TARGETED):
            return t.reason("stratagems", f"{t.name(unit)} was already the target of a stratagem this phase")
    return None


def phase_key(t: Table, player: int, rule: Rule) -> str:
    return f"stratagem|{player}|{rule.name}|{t.state.round}|{t.state.turn}|{t.state.phase}"


def limit_keys(t: Table, rule: Rule, armed: Armed, target: int) -> Iterator[tuple[fx.Limit, str]]:
    """Each limit of a rule and the key it is counted under; those of its options are counted as they are chosen."""
    clause = clause_at(rule, armed.path)
    for limit in (*rule.limits, *clause.limits, *_implied(rule, clause)):
        if limit.each != "option":
            whose = target if limit.each == "unit" else armed.unit
            yield limit, f"limit|{armed.owner}|{whose}|{rule.name}|{limit.per}|{_stretch(t, limit)}"


def _implied(rule: Rule, clause: Clause) -> tuple[fx.Limit, ...]:
    """What may be done "in a phase", no limit being said and nothing paid, is done once in it."""
    at_any_time = any(isinstance(w, fx.Window) and w.edge == "during" for w in each_trigger(clause.when))
    said = rule.limits or clause.limits or rule.kind in ("stratagem", "order")
    pays = any(isinstance(effect, fx.Pool) for effect in fx.parts_of(clause.do))
    return (fx.Limit("phase"),) if at_any_time and not said and not pays else ()


def option_keys(t: Table, rule: Rule, owner: int, option: str) -> Iterator[tuple[fx.Limit, str]]:
    """Each limit of a rule's options, and the key under which this one is counted."""
    for limit in rule.limits:
        if limit.each == "option":
            yield limit, f"option|{owner}|{option}|{rule.name}|{limit.per}|{_stretch(t, limit)}"


def _stretch(t: Table, limit: fx.Limit) -> str:
    """The battle, round, turn or phase it is now."""
    return {
        "battle": "",
        "campaign": "",  # of which a battle is a part
        "round": f"{t.state.round}",
        "turn": f"{t.state.round}|{t.state.turn}",
        "phase": f"{t.state.round}|{t.state.turn}|{t.state.phase}",
        "command_phase": f"{t.state.round}|{t.state.turn}",
    }[limit.per]


def use(t: Table, armed: Armed, now: Moment, choice: Use) -> None:
    """Pay, count, and resolve."""
    rule, _ = _rule(t, armed)
    targets = tuple(u for u in (t.index(name) for name in choice.units) if u is not None)
    target = targets[0] if targets else NOBODY
    keys = tuple(key for _, key in limit_keys(t, rule, armed, target))
    if rule.kind == "stratagem" and not armed.within:
        cost = t.rules.stratagem_cost(rule, armed.owner, target)
        keys = (*keys, phase_key(t, armed.owner, rule))
        t.emit(StratagemUsed(armed.owner, armed.key, rule.name, cost, targets, keys))
        for unit in targets:
            t.mark(unit, Did.TARGETED)
        start_rule(t, armed, now, target, targets)
        for unit in targets:
            whose = "own" if armed.owner == t.owner(unit) else "opponent"
            moment(t, "stratagem_targeted", unit, kinds=(rule.name.lower(), whose))
        return
    t.emit(RuleUsed(armed.key, armed.owner, armed.unit, keys))
    if rule.kind == "order":
        end_orders(t, target)
    start_rule(t, armed, now, target)


def start_rule(t: Table, armed: Armed, now: Moment, target: int = NOBODY, targets: tuple[int, ...] = ()) -> None:
    """Resolve the effects of a clause, one after the other."""
    bearer = int(t.state.unit[armed.unit, 0]) if armed.unit != NOBODY else target
    context = context_of(t, armed, now)
    rule, clause = _rule(t, armed)
    bound = dict(context.bound)
    if armed.unit != NOBODY and not armed.within:
        bound["part"] = armed.unit
    if is_once(clause):
        t.emit(RuleUsed(armed.key, armed.owner, armed.unit, (once_key(armed),)))
    if rule.target is not None and not armed.within:
        bound |= names_of_targets(t, rule, targets or (target,), context) or called(rule.target.bind, (target,))
        bound |= named_by(t, rule.target.where, target, replace_in(context, bound=bound))
    for trigger in each_trigger(clause.when):
        if isinstance(trigger, fx.Event) and trigger.subject is not None and not armed.within:
            bound |= named_by(t, trigger.subject.where, context.subject, replace_in(context, bound=bound))
    t.push(
        "resolve_rule",
        key=armed.key,
        path=armed.path,
        owner=armed.owner,
        unit=bearer,
        subject=context.subject,
        target=target if target != NOBODY else context.target,
        targets=list(context.targets),
        bound=bound,
        at=0,
    )


# --------------------------------------------------------------------------------------------- what decisions ask
def moment_of(decision: React) -> Moment:
    """The moment a window was opened for, from the decision's own data."""
    return msgspec.convert(dict(decision.moment), Moment)


def uses(t: Table, decision: React) -> Iterator[Use]:
    """Every legal use in this window by the player asked."""
    now = moment_of(decision)
    for armed in optional(t, now, decision.player):
        yield from uses_of(t, armed, now)


def optional(t: Table, now: Moment, player: int) -> Iterator[Armed]:
    """The player's clauses that may be used at this moment."""
    for armed in armed_for(t, now):
        _, clause = _rule(t, armed)
        if armed.owner == player and is_optional(t, armed) and triggered(t, armed, clause, now):
            yield armed


def why_not_use(t: Table, decision: React, choice: Use) -> Reason | None:
    return why_not_use_now(t, moment_of(decision), decision.player, choice)


def why_not_use_now(t: Table, now: Moment, player: int, choice: Use) -> Reason | None:
    """Why this cannot be used at this moment; the first reason when several clauses of the rule were tried."""
    first: Reason | None = None
    for armed in candidates(t, now, player, choice.rule):
        refused = why_not_armed(t, armed, now, choice)
        if refused is None:
            return None
        first = first or refused
    return first or t.reason("stratagems", f"{t.who(player)} has no rule {choice.rule} to use at this moment")


def candidates(t: Table, now: Moment, player: int, key: str) -> Iterator[Armed]:
    """The clauses of this rule that wait for such a moment."""
    return (a for a in armed_for(t, now) if a.key == key and a.owner == player)


def find_armed(t: Table, now: Moment, player: int, choice: Use) -> Armed:
    """The clause a legal use uses."""
    return next(a for a in candidates(t, now, player, choice.rule) if why_not_armed(t, a, now, choice) is None)


DURING = Moment("during", unit="phase")

# -------------------------------------------------------------------------------------------------------- re-rolls


#: the source of a re-roll that costs nothing
FREE = "a rule in force"


def free_reroll(t: Table, unit: int, roll: str) -> bool:
    """Does a rule in force let this roll for the unit be re-rolled, and was its player not set against it?"""
    return t.state.standing.get(f"{t.owner(unit)}|reroll {roll}") != "pass" and bool(t.rules.rerolls(roll, unit))


def reroll_source(t: Table, unit: int, roll: str) -> str | None:
    """The key of a stratagem that lets this roll just made for the unit be re-rolled; None when none can be used."""
    now = Moment("roll_made", unit, (), "after", (roll,))
    player = t.owner(unit)
    if t.state.standing.get(f"{player}|reroll {roll}") == "pass":
        return None
    for armed in t.setting.armed.get("roll_made", ()):
        if (
            armed.owner == player
            and rerolls(_rule(t, armed)[1])
            and why_not_armed(t, armed, now, Use(armed.key, (t.name(unit),))) is None
        ):
            return armed.key
    return None


def spend_reroll(t: Table, unit: int, roll: str) -> None:
    """Pay for the re-roll: the stratagem is used, its effect is the die thrown again."""
    key = reroll_source(t, unit, roll)
    assert key is not None
    player = t.owner(unit)
    rule = t.setting.rules[key]
    cost = t.rules.stratagem_cost(rule, player, unit)
    t.emit(StratagemUsed(player, key, rule.name, cost, (unit,), (phase_key(t, player, rule),)))
    t.mark(unit, Did.TARGETED)


def why_not_reroll(t: Table, decision: RerollRoll) -> Reason | None:
    if decision.source == FREE:
        return None
    if reroll_source(t, decision.unit, decision.roll) is None:
        return t.reason("reroll", "nothing lets this roll be re-rolled")
    return None


def plain(now: Moment) -> dict[str, Any]:
    """The moment as a frame keeps it."""
    values = {f: getattr(now, f) for f in now.__struct_fields__}
    return {f: list(v) if isinstance(v, tuple) else v for f, v in values.items()}


def _uses_during(t: Table, player: int) -> Iterator[Use]:
    for armed in optional(t, DURING, player):
        yield from uses_of(t, armed, DURING)


def _why_not_during(t: Table, player: int, choice: Use) -> Reason | None:
    return why_not_use_now(t, DURING, player, choice)


PREDICATES.uses_during, PREDICATES.why_not_during = _uses_during, _why_not_during
PREDICATES.uses, PREDICATES.why_not_use, PREDICATES.why_not_reroll = uses, why_not_use, why_not_reroll
