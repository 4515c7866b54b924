"""Does a condition hold, and what does a selection speak of, in the state as it is? Yes, no, or None: not understood.

The attack's own conditions (what a weapon is, half range …) are answered by :mod:`battlewright.attack.truth`; here stand
those about units, players and the moment. A condition that is not understood never counts as met.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from battlewright import effects as fx
from battlewright.attack.truth import weapon_named
from battlewright.battle import eligible
from battlewright.battle.scoring import models_in_range
from battlewright.battle.sight import visible
from battlewright.battle.state import NOBODY, Did, U, Where
from battlewright.battlefield.ending import edge_distance
from battlewright.battlefield.measure import GRAIN, boxes
from battlewright.effects import Condition, Select

if TYPE_CHECKING:
    from battlewright.battle.table import Table

Tri = bool | None


@dataclass(frozen=True)
class Context:
    """Whose rule it is (``owner``, on ``bearer``), what the moment is about, and what names are bound to.

    ``outcome``: how the last test or act of the rule at work came out, "" when there was none. ``fixed``: whom its effects
    are about was settled when they began.
    """

    owner: int
    bearer: int = NOBODY
    subject: int = NOBODY
    target: int = NOBODY
    attacker: int = NOBODY
    targets: tuple[int, ...] = ()
    bound: Mapping[str, int] = field(default_factory=dict)
    outcome: str = ""
    fixed: bool = False

    def binding(self, name: str | None, unit: int) -> Context:
        return replace(self, bound={**self.bound, name: unit}) if name else self


def every(answers: Iterator[Tri]) -> Tri:
    """False beats unknown, unknown beats True."""
    result: Tri = True
    for answer in answers:
        if answer is False:
            return False
        if answer is None:
            result = None
    return result


def any_of(answers: Iterator[Tri]) -> Tri:
    result: Tri = False
    for answer in answers:
        if answer:
            return True
        if answer is None:
            result = None
    return result


# ------------------------------------------------------------------------------------------------------ selections
def referred(select: Select, context: Context) -> int | None:
    """The unit a reference names; None when it names none."""
    match select.ref:
        case "self" | "unit" | "led":
            return context.bearer
        case "target":
            return context.target
        case "attacker":
            return context.attacker
        case "subject":
            return context.subject
        case "bound":
            return context.bound.get(select.name or "", NOBODY)
        case _:
            return None


def others_of(name: str) -> Iterator[str]:
    """The names under which the second unit picked at once is bound, the third, …"""
    return (f"{name}#{place}" for place in range(2, 100))


def all_referred(select: Select, context: Context) -> tuple[int, ...] | None:
    """Every unit a reference names: of several picked at once, all."""
    known = referred(select, context)
    if known is None or select.ref != "bound":
        return None if known is None else (known,)
    more = itertools.takewhile(context.bound.__contains__, others_of(select.name or ""))
    return (known, *(context.bound[name] for name in more))


def fits(t: Table, select: Select | None, unit: int, context: Context) -> Tri:
    """Is this unit (or are its models) what the selection speaks of?"""
    if select is None:
        return True
    if select.what not in ("unit", "model", "army", "weapon", "attack"):
        return None
    parts: list[Tri] = []
    if select.ref in ("you", "opponent"):
        parts.append(t.owner(unit) == (context.owner if select.ref == "you" else 1 - context.owner))
    elif select.ref is not None:
        known = all_referred(select, context)
        parts.append(known is not None and unit in known)
    if select.side is not None:
        parts.append((t.owner(unit) == context.owner) == (select.side == "friendly"))
    if select.other:
        parts.append(unit != context.bearer)
    if select.of is not None and select.of.what in ("unit", "model"):
        parts.append(fits(t, select.of, unit, context))
    if select.where is not None and False not in parts:
        parts.append(holds(t, select.where, unit, context))
    return every(iter(parts))


def chosen_from(t: Table, select: Select | None, context: Context) -> tuple[int, ...]:
    """The units a selection certainly speaks of."""
    if select is None:
        return (context.bearer,) if context.bearer != NOBODY else ()
    known = all_referred(select, context)
    if known is not None:
        return tuple(unit for unit in known if unit != NOBODY)
    there = t.units() if t.state.round else (*t.units(), *t.units(None, Where.UNDEPLOYED))  # before the battle too
    return tuple(u for u in there if t.alive(u) and fits(t, select, u, context) is True)


def is_such(t: Table, where: Condition | None, model: int) -> bool:
    """Is the model what a condition about keywords says? What hangs on any other condition is understood of none."""
    return is_told_by_keywords(where) and _is_such(t, where, model)


def _is_such(t: Table, where: Condition | None, model: int) -> bool:
    match where:
        case fx.Keyword():
            return where.fits(t.words(model))
        case fx.Not(of=of):
            return not _is_such(t, of, model)
        case fx.All(of=parts):
            return all(_is_such(t, part, model) for part in parts)
        case fx.Any(of=parts):
            return any(_is_such(t, part, model) for part in parts)
        case _:
            return True


def is_told_by_keywords(where: Condition | None) -> bool:
    """Can :func:`is_such` tell?"""
    match where:
        case None | fx.Keyword():
            return True
        case fx.Not(of=of):
            return is_told_by_keywords(of)
        case fx.All(of=parts) | fx.Any(of=parts):
            return all(map(is_told_by_keywords, parts))
        case _:
            return False


# ------------------------------------------------------------------------------------------------------ conditions
def holds(t: Table, condition: Condition | None, unit: int, context: Context) -> Tri:
    """Is the condition true of the unit?"""
    match condition:
        case None:
            return True
        case fx.All(of=parts):
            return every(holds(t, part, unit, context) for part in parts)
        case fx.Any(of=parts):
            return any_of(holds(t, part, unit, context) for part in parts)
        case fx.Not(of=part):
            answer = holds(t, part, unit, context)
            return None if answer is None else not answer
        case fx.About():
            return _about(t, condition, context)
        case fx.Round(low=low, high=high):
            return low <= t.state.round and (high is None or t.state.round <= high)
        case fx.Outcome(of=of):
            return context.outcome == of if context.outcome else None
        case fx.During():
            return _during(t, condition, context)
        case fx.ArmyIs():
            return _army(t, condition, context)
    if unit == NOBODY:
        return None
    return _of_unit(t, condition, unit, context)


def can_pay(t: Table, clause: fx.Clause, owner: int) -> bool:
    """Is there as much in the owner's pools as the clause spends?"""
    spent = (one for one in clause.do if isinstance(one, fx.Pool) and one.change == "spend" and one.amount.ref is None)
    return all((one.amount.n.constant or 0) <= t.state.pools.get(f"{owner}|{one.name}", 0) for one in spent)


def _about(t: Table, condition: fx.About, context: Context) -> Tri:
    known = referred(condition.who, context)
    if known is not None:
        return holds(t, condition.holds, known, context) if known != NOBODY else None
    units = [u for u in t.units() if fits(t, condition.who, u, context) is True]
    answers = [holds(t, condition.holds, u, context) for u in units]
    if condition.who.count.n is not None:
        return _so_many(answers, condition.who)
    return every(iter(answers)) if condition.every else any_of(iter(answers))


def _so_many(answers: Sequence[Tri], who: fx.Select) -> Tri:
    """Is it true of as many as are asked for? Models are not counted here."""
    need = who.count.n.n.constant if who.count.n is not None and who.count.n.ref is None else None
    if who.what != "unit" or who.count.kind != "any" or need is None:
        return None
    yes, unknown = sum(one is True for one in answers), sum(one is None for one in answers)
    return True if yes >= need else None if yes + unknown >= need else False


def _during(t: Table, condition: fx.During, context: Context) -> Tri:
    if condition.whose != "either" and (t.state.turn == context.owner) != (condition.whose == "your"):
        return False
    return "any" in condition.phases or t.state.phase in condition.phases


def _army(t: Table, condition: fx.ArmyIs, context: Context) -> Tri:
    faction, detachments = t.setting.factions[context.owner], t.setting.detachments[context.owner]
    if condition.faction is not None and condition.faction.upper() != faction.upper():
        return False
    return condition.detachment is None or condition.detachment.lower() in {d.lower() for d in detachments}


_MOVED = {
    "charge": Did.CHARGED,
    "advance": Did.ADVANCED,
    "fall_back": Did.FELL_BACK,
    "normal": Did.MOVED,
    "stationary": Did.STATIONARY,
    "disembark": Did.DISEMBARKED,
    "embark": Did.EMBARKED,
    "set_up": Did.SET_UP,
    "ingress": Did.SET_UP,
    "surge": Did.SURGED,
}
_ACTED = {
    "shoot": Did.CHOSEN_SHOOT,
    "fight": Did.CHOSEN_FIGHT,
    "move": Did.CHOSEN_MOVE,
    "charge": Did.CHOSEN_CHARGE,
    "declare_charge": Did.CHOSEN_CHARGE,
    "surge": Did.SURGED,
}


def _of_unit(t: Table, condition: Condition, unit: int, context: Context) -> Tri:
    match condition:
        case fx.Keyword():
            return condition.fits(t.keywords(unit)) or _is_in_state(t, condition, unit)
        case fx.Within(distance=distance, of=of, wholly=False):
            return _within(t, distance, of, unit, context)
        case fx.Engaged(by=by):
            met = t.engaged_with(unit)
            return bool(met) if by is None else any_of(fits(t, by, e, context) for e in met)
        case fx.Visible(to=to):
            return _visible(t, to, unit, context)
        case fx.Moved(kind=kind, since="turn" | "phase", over=None):
            if kind == "any":
                return t.state.did(unit, Did.MOVED | Did.ADVANCED | Did.FELL_BACK | Did.CHARGED)
            return t.state.did(unit, _MOVED[kind]) if kind in _MOVED else None
        case fx.Strength(level=level):
            return _strength(t, level, unit)
        case fx.Models(low=low, high=high, where=None):
            return low <= len(t.alive(unit)) and (high is None or len(t.alive(unit)) <= high)
        case fx.Wounds(low=low, high=high, lost=lost):
            return _wounds(t, low, high, lost, unit)
        case fx.BattleShocked():
            return t.state.shocked(unit)
        case fx.OnObjective(control=control, where="any"):
            return _on_objective(t, control, unit, context)
        case fx.HasState(name=name, low=low, high=high):
            carried = t.rules.states(unit).count(name.lower())
            return low <= carried and (high is None or carried <= high)
        case fx.HasAbility(name=name):
            return _has_ability(t, unit, name)
        case fx.HasWeapon(name=name, low=low):
            return any(sum(w.name.lower() == name.lower() for w in t.model(m).weapons) >= low for m in t.alive(unit))
        case fx.Leading() | fx.LedBy(who=None):
            return len(t.parts(unit)) > 1
        case fx.Acted(act=act, since="phase" | "turn"):
            return t.state.did(unit, _ACTED[act]) if act in _ACTED else None
        case fx.Eligible(act=act, against=None):
            return _eligible(t, unit, act)
        case fx.Eligible(act="charge", against=fx.Select() as whom):
            return _may_charge_at(t, unit, whom, context)
        case fx.Located(where=where):
            return _located(t, unit, where)
        case fx.Embarked(within=within):
            return _embarked(t, within, unit, context)
        case fx.HitBy(by=None, how="targeted", since=None):
            return unit in context.targets
        case fx.HitBy(
            by=None, how="hit" | "wounded" | "damaged" | "slain" | "moved_over" as how, weapon=None, since=None
        ):
            return unit in _struck(t, how, context)
        case fx.HitBy(by=None, how="moved_over", weapon=None, since="phase"):
            return unit in _struck(t, "moved_over", context) and _struck(t, "moved in", context) == t.state.moment
        case fx.HitBy(by=None, how="hit", weapon=fx.Named(name=name), since=None):
            hits = _struck(t, "hit with", context)
            return any(hit == unit and weapon_named(name, weapon) for hit, weapon in hits)
        case fx.NearEdge(distance=distance, whose="either", wholly=wholly):
            return _near_edge(t, distance, unit, wholly=wholly)
        case fx.Models(low=low, high=high, where=where) if is_told_by_keywords(where):
            count = sum(is_such(t, where, model) for model in t.alive(unit))
            return low <= count and (high is None or count <= high)
        case fx.Destroyed(by=None, since="now"):
            return not t.alive(unit)
        case fx.HasDestroyed(what=what, since=since):
            return _has_destroyed(t, what, since, unit, context)
        case fx.Same(who=who):
            return fits(t, who, unit, context)
        case _:
            assert not is_understood(condition), f"{condition} is said to be understood, and is not"
            return None


def _is_in_state(t: Table, condition: fx.Keyword, unit: int) -> bool:
    """A phrase that is no row of keywords may name a state the unit carries."""
    states = t.rules.states(unit)
    return bool(states) and condition.fits((*t.keywords(unit), *states))


def _within(t: Table, distance: fx.Amount, of: Select, unit: int, context: Context) -> Tri:
    reach = distance.n.constant
    if reach is None or not is_number(distance) or of.what not in ("unit", "model"):
        return None
    if not t.state.on_battlefield(unit):
        return False
    known = referred(of, context)
    others = (known,) if known is not None else t.units()
    near = [o for o in others if o != NOBODY and t.state.on_battlefield(o) and t.alive(o)]
    return any_of(fits(t, of, o, context) for o in near if o == unit or t.gap(unit, o) <= reach)


def _visible(t: Table, to: Select, unit: int, context: Context) -> Tri:
    seers = chosen_from(t, to, context)
    return any(bool(visible(t, seer, unit).any()) for seer in seers if t.state.on_battlefield(seer))


def _strength(t: Table, level: str, unit: int) -> Tri:
    now, start = t.strength(unit)
    return {
        "below_starting": now < start,
        "at_starting": now == start,
        "below_half": 2 * now < start,
        "at_half": 2 * now == start,
        "at_or_below_half": 2 * now <= start,
    }.get(level)


def _wounds(t: Table, low: int, high: int | None, lost: bool, unit: int) -> Tri:
    if len(t.alive(unit)) != 1:
        return None
    model = t.alive(unit)[0]
    number = t.setting.models[model].profile.W or 0
    value = number - t.wounds(model) if lost else t.wounds(model)
    return low <= value and (high is None or value <= high)


def _on_objective(t: Table, control: str, unit: int, context: Context) -> Tri:
    for objective, holder in enumerate(t.state.control):
        mine = holder == context.owner
        matches = {
            "any": True,
            "own": mine,
            "enemy": holder == 1 - context.owner,
            "contested": holder == NOBODY,
            "not_own": not mine,
            "not_enemy": holder != 1 - context.owner,
        }[control]
        if matches and t.state.on_battlefield(unit) and models_in_range(t, objective, unit):
            return True
    return False


def _has_ability(t: Table, unit: int, name: str) -> Tri:
    wanted = name.lower()
    if any(t.rules.core(part, wanted) for part in t.parts(unit)):
        return True
    return any(a.name.lower() == wanted for part in t.parts(unit) for a in t.unit(part).abilities)


def _has_destroyed(t: Table, what: Select, since: str, unit: int, context: Context) -> Tri:
    """Did the unit destroy the one a reference names, or since then such a unit of the army of the other player?"""
    known = referred(what, context)
    if known is not None:
        return known != NOBODY and t.state.marks.get(f"destroyed by|{known}") == unit
    if not _is_kill(what, since):
        return None
    side = None if what.side is None else context.owner if what.side == "friendly" else 1 - context.owner
    fallen = [u for u in range(len(t.setting.units)) if side in (None, t.owner(u))]
    return any(_destroyed_by(t, u, unit, since) and _was_such(t, what.where, u) for u in fallen)


def _is_kill(what: Select, since: str) -> bool:
    """Does a selection speak of destroyed units, by their keywords at most, since a moment that is kept?"""
    plain = what.of is None and what.name is None and what.ref is None and not what.other
    return plain and what.what == "unit" and is_told_by_keywords(what.where) and since in _SINCE


#: how much of (round, turn, phase) must be the present one
_SINCE = {"phase": 3, "turn": 2, "round": 1, "battle": 0}


def _destroyed_by(t: Table, victim: int, unit: int, since: str) -> bool:
    if t.state.marks.get(f"destroyed by|{victim}") != unit:
        return False
    same = _SINCE[since]
    return list(t.state.marks.get(f"destroyed in|{victim}", []))[:same] == t.state.moment[:same]


def _was_such(t: Table, where: Condition | None, unit: int) -> bool:
    return any(is_such(t, where, model) for model in t.unit(unit).models)


def _struck(t: Table, how: str, context: Context) -> Sequence[Any]:
    """Whom the attacks of the unit the moment is about struck so."""
    whose = context.subject if context.subject != NOBODY else context.bearer
    struck: Mapping[str, Sequence[Any]] = t.state.marks.get(f"struck|{whose}", {})
    return struck.get(how, ())


def _near_edge(t: Table, distance: fx.Amount, unit: int, *, wholly: bool) -> Tri:
    """Is some model within so many inches of a battlefield edge; or the whole unit wholly within?"""
    if not is_number(distance):
        return None
    if not t.state.on_battlefield(unit) or not t.alive(unit):
        return False
    inches, board = distance.n.constant or 0, np.array(t.setting.mission.board)
    if wholly:
        return bool((edge_distance(t.poses(unit), t.setting.mission.board) <= inches + GRAIN).all())
    low, high = boxes(t.poses(unit))
    return bool(min(low.min(), (board - high).min()) <= inches + GRAIN)


def is_number(amount: fx.Amount) -> bool:
    """Is an amount a plain number?"""
    return amount.n.constant is not None and amount.per is None and amount.ref is None


def _eligible(t: Table, unit: int, act: str) -> Tri:
    match act:
        case "shoot":
            return eligible.may_shoot(t, unit) is None
        case "fight":
            return eligible.may_fight(t, unit) is None
        case "charge":
            return eligible.may_charge(t, unit) is None
        case _:
            return None


def _may_charge_at(t: Table, unit: int, whom: fx.Select, context: Context) -> Tri:
    """Could it declare a charge that has one of these as its target?"""
    if eligible.may_charge(t, unit) is not None:
        return False
    near = [other for other in t.enemies(unit) if eligible.charge_target(t, unit, other, NOBODY) is None]
    return any_of(fits(t, whom, other, context) for other in near)


def _located(t: Table, unit: int, where: str) -> Tri:
    place = t.state.where(unit)
    match where:
        case "battlefield":
            return place == Where.BATTLEFIELD
        case "reserves" | "strategic_reserves":
            return place == Where.RESERVES
        case "embarked":
            return place == Where.EMBARKED
        case _:
            return None


def _embarked(t: Table, within: Select | None, unit: int, context: Context) -> Tri:
    if t.state.where(unit) != Where.EMBARKED:
        return False
    carrier = int(t.state.unit[unit, U.CARRIER])
    return fits(t, within, int(t.state.unit[carrier, U.HEAD]), context)


# ---------------------------------------------------------------------------------------------------- what is understood
_PLACES = ("battlefield", "reserves", "strategic_reserves", "embarked")
_STRUCK = ("targeted", "hit", "wounded", "damaged", "slain", "moved_over")


def is_understood(condition: Condition | None) -> bool:
    """Can :func:`holds` ever answer? A rule that hangs on anything else never acts, and is left to the players."""
    match condition:
        case fx.All(of=parts) | fx.Any(of=parts):
            return all(map(is_understood, parts))
        case fx.Not(of=of):
            return is_understood(of)
        case fx.About(who=who, holds=what):
            return names_units(who) and is_understood(what)
        case fx.Within(distance=distance, of=of, wholly=wholly):
            return is_number(distance) and not wholly and of.what in ("unit", "model") and names_units(of)
        case fx.Engaged(by=who) | fx.Visible(to=who) | fx.Same(who=who):
            return who is None or names_units(who)
        case fx.Moved(kind=kind, since=since):
            return since in ("turn", "phase") and (kind == "any" or kind in _MOVED)
        case fx.Acted(act=act, since=since):
            return since in ("turn", "phase") and act in _ACTED
        case fx.Models(where=where):
            return is_told_by_keywords(where)
        case fx.OnObjective(where=where):
            return where == "any"
        case fx.LedBy(who=who) | fx.Destroyed(by=who):
            return who is None
        case fx.Eligible(act=act, against=None):
            return act in ("shoot", "fight", "charge")
        case fx.Eligible(act="charge", against=fx.Select() as whom):
            return names_units(whom)
        case fx.Located(where=where):
            return where in _PLACES
        case fx.Embarked(within=within):
            return within is None or names_units(within)
        case fx.HitBy(by=None, how="moved_over", weapon=None, since="phase"):
            return True
        case fx.HitBy(by=by, how=how, weapon=weapon, since=None):
            with_it = weapon is None or (how == "hit" and isinstance(weapon, fx.Named))
            return by is None and with_it and how in _STRUCK
        case fx.HasDestroyed(what=what, since=since):
            return what.ref is not None or _is_kill(what, since)
        case fx.NearEdge(distance=distance, whose=whose):
            return whose == "either" and is_number(distance)
        case fx.HasState(name=name):
            return not name.endswith(fx.OF_A_CAMPAIGN)
        case _:
            return condition is None or isinstance(condition, _ANSWERED)


#: conditions that are always answered
_ANSWERED = (
    fx.Round, fx.During, fx.ArmyIs, fx.Outcome, fx.Keyword, fx.Strength, fx.Wounds, fx.BattleShocked, fx.HasState,
    fx.HasAbility, fx.HasWeapon, fx.Leading,
)  # fmt: skip


def names_units(who: Select) -> bool:
    """Are the units a selection speaks of ever found?"""
    of = who.of is None or names_units(who.of)
    return of and who.what in ("unit", "model", "army", "weapon", "attack") and is_understood(who.where)
