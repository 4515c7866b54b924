"""Does a condition hold, and what does a selection speak of, in the state as it is? Yes, no, or None: not understood.

The attack's own conditions (what a weapon is, half range …) are answered by :mod:`battlewright.attack.truth`; here stand
those about units, players and the moment. A condition that is not understood never counts as met.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from battlewright import effects as fx
from battlewright.attack.truth import weapon_named
from battlewright.battle import eligible
from battlewright.battle.scoring import models_in_range
from battlewright.battle.sight import visible
from battlewright.battle.state import NOBODY, Did, U, Where
from battlewright.battlefield import Polygons
from battlewright.battlefield.ending import edge_distance
from battlewright.battlefield.measure import GRAIN, boxes, wholly_within
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
    """Is the model what a condition says? What hangs on any other than :func:`is_told_of_a_model` is true of none."""
    return is_told_of_a_model(where) and _is_such(t, where, model)


def _is_such(t: Table, where: Condition | None, model: int) -> bool:
    match where:
        case fx.Keyword():
            return where.fits(t.words(model))
        case fx.IsWarlord():
            return "WARLORD" in t.words(model)
        case fx.HasWeapon(name=name, low=low):
            return _carried(t, name, model) >= low
        case fx.HasAbility(name=name):
            part = t.model(model).unit
            return bool(t.rules.core(part, name.lower())) or _is_printed(t, part, name)
        case fx.Not(of=of):
            return not _is_such(t, of, model)
        case fx.All(of=parts):
            return all(_is_such(t, part, model) for part in parts)
        case fx.Any(of=parts):
            return any(_is_such(t, part, model) for part in parts)
        case _:
            return True


def is_told_of_a_model(where: Condition | None) -> bool:
    """Can :func:`is_such` tell: by keywords, by what the model carries, by its abilities?"""
    match where:
        case None | fx.Keyword() | fx.HasWeapon() | fx.HasAbility() | fx.IsWarlord():
            return True
        case fx.Not(of=of):
            return is_told_of_a_model(of)
        case fx.All(of=parts) | fx.Any(of=parts):
            return all(map(is_told_of_a_model, parts))
        case _:
            return False


def _carried(t: Table, name: str, model: int) -> int:
    """How many weapons, or pieces of wargear, of this name a model carries."""
    definition = t.model(model)
    weapons = {(w.name, w.profile): 0 for w in definition.weapons if w.name.lower() == name.lower()}
    first = next(iter(weapons), None)
    profiles = sum((w.name, w.profile) == first for w in definition.weapons)
    return profiles + sum(item.lower() == name.lower() for item in definition.wargear)


def _is_printed(t: Table, part: int, name: str) -> bool:
    return any(ability.name.lower() == name.lower() for ability in t.unit(part).abilities)


def called(name: str | None, units: Sequence[int]) -> dict[str, int]:
    """Several units under one name: the first by the name itself, the others by those of :func:`others_of`."""
    return dict(zip((name, *others_of(name)), units, strict=False)) if name else {}


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
    how = _ANSWERS.get(type(condition))
    if how is None or (how.of_a_unit and unit == NOBODY) or not is_understood(condition):
        return None
    return how.answer(t, condition, unit, context)


def named_by(t: Table, condition: Condition | None, unit: int, context: Context) -> dict[str, int]:
    """The units a condition that holds gives a name to: "within 6" of one or more enemy units … those units"."""
    if condition is None or not gives_names(condition):
        return {}
    match condition:
        case fx.All(of=parts) | fx.Any(of=parts):
            return {name: other for part in parts for name, other in named_by(t, part, unit, context).items()}
        case fx.About(who=who, holds=what):
            known = referred(who, context)
            units = t.units() if known is None else (known,)
            those = [u for u in units if fits(t, who, u, context) is True and holds(t, what, u, context) is True]
            within = named_by(t, what, known, context) if known is not None and known != NOBODY else {}
            return {**within, **called(who.bind, those)}
        case fx.Within(of=who) | fx.Engaged(by=fx.Select() as who) | fx.Visible(to=who):
            alone = Select(ref="bound", name="it")
            near = [u for u in t.units() if u != unit and fits(t, who, u, context) is True]
            those = [u for u in near if holds(t, _of_one(condition, alone), unit, context.binding("it", u)) is True]
            return called(who.bind, those)
        case _:
            return {}


def _of_one(condition: fx.Within | fx.Engaged | fx.Visible, one: Select) -> Condition:
    """The condition, of this one only."""
    if isinstance(condition, fx.Within):
        return fx.Within(condition.distance, one, condition.wholly)
    return fx.Engaged(one) if isinstance(condition, fx.Engaged) else fx.Visible(one)


@lru_cache(maxsize=8192)
def gives_names(condition: Condition) -> bool:
    """Is something within it given a name that may be spoken of later?"""
    return any(isinstance(part, Select) and part.bind for part in fx.parts_of(condition))


def can_pay(t: Table, clause: fx.Clause, owner: int) -> bool:
    """Is there as much in the owner's pools as the clause spends?"""
    spent = (one for one in clause.do if isinstance(one, fx.Pool) and one.change == "spend" and one.amount.ref is None)
    return all((one.amount.n.constant or 0) <= t.state.pools.get(f"{owner}|{one.name}", 0) for one in spent)


def _about(t: Table, condition: fx.About, unit: int, context: Context) -> Tri:
    known = referred(condition.who, context)
    if known is not None:
        return holds(t, condition.holds, known, context) if known != NOBODY else None
    units = [u for u in t.units() if fits(t, condition.who, u, context) is True]
    answers = [holds(t, condition.holds, other, context) for other in units]
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


def _during(t: Table, condition: fx.During, unit: int, context: Context) -> Tri:
    if condition.whose != "either" and (t.state.turn == context.owner) != (condition.whose == "your"):
        return False
    return "any" in condition.phases or t.state.phase in condition.phases


def _army(t: Table, condition: fx.ArmyIs, unit: int, context: Context) -> Tri:
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
    "any": Did.MOVED | Did.ADVANCED | Did.FELL_BACK | Did.CHARGED,
}
_ACTED = {
    "shoot": Did.CHOSEN_SHOOT,
    "fight": Did.CHOSEN_FIGHT,
    "move": Did.CHOSEN_MOVE,
    "charge": Did.CHOSEN_CHARGE,
    "declare_charge": Did.CHOSEN_CHARGE,
    "surge": Did.SURGED,
    "attack": Did.CHOSEN_SHOOT | Did.CHOSEN_FIGHT,
}


def _keyword(t: Table, condition: fx.Keyword, unit: int, context: Context) -> Tri:
    return condition.fits(t.keywords(unit)) or _is_in_state(t, condition, unit)


def _is_in_state(t: Table, condition: fx.Keyword, unit: int) -> bool:
    """A phrase that is no row of keywords may name a state the unit carries."""
    states = t.rules.states(unit)
    return bool(states) and condition.fits((*t.keywords(unit), *states))


def _within(t: Table, condition: fx.Within, unit: int, context: Context) -> Tri:
    """Is it at most so far from one of them; or every model of it wholly so near to one or another?"""
    reach, of = condition.distance.n.constant or 0, condition.of
    if not t.state.on_battlefield(unit):
        return False
    known = referred(of, context)
    others = (known,) if known is not None else t.units()
    near = [o for o in others if o != NOBODY and t.state.on_battlefield(o) and t.alive(o)]
    if condition.wholly:
        return _is_wholly_within(t, [o for o in near if fits(t, of, o, context) is True], unit, reach)
    return any_of(fits(t, of, o, context) for o in near if o == unit or t.gap(unit, o) <= reach)


def _is_wholly_within(t: Table, others: Sequence[int], unit: int, reach: float) -> bool:
    models = [model for other in others for model in t.alive(other)]
    return bool(models) and bool(wholly_within(t.poses(unit), t.poses_of(models), reach).any(axis=1).all())


def _engaged(t: Table, condition: fx.Engaged, unit: int, context: Context) -> Tri:
    met = t.engaged_with(unit)
    return bool(met) if condition.by is None else any_of(fits(t, condition.by, e, context) for e in met)


def _visible(t: Table, condition: fx.Visible, unit: int, context: Context) -> Tri:
    seers = chosen_from(t, condition.to, context)
    return any(bool(visible(t, seer, unit).any()) for seer in seers if t.state.on_battlefield(seer))


def _moved(t: Table, condition: fx.Moved, unit: int, context: Context) -> Tri:
    return t.state.did(unit, _MOVED[condition.kind])


def _acted(t: Table, condition: fx.Acted, unit: int, context: Context) -> Tri:
    return t.state.did(unit, _ACTED[condition.act])


def _strength(t: Table, condition: fx.Strength, unit: int, context: Context) -> Tri:
    now, start = t.strength(unit)
    return {
        "below_starting": now < start,
        "at_starting": now == start,
        "below_half": 2 * now < start,
        "at_half": 2 * now == start,
        "at_or_below_half": 2 * now <= start,
    }[condition.level]


def _models(t: Table, condition: fx.Models, unit: int, context: Context) -> Tri:
    count = sum(is_such(t, condition.where, model) for model in t.alive(unit))
    return condition.low <= count and (condition.high is None or count <= condition.high)


def _wounds(t: Table, condition: fx.Wounds, unit: int, context: Context) -> Tri:
    if len(t.alive(unit)) != 1:
        return None
    model = t.alive(unit)[0]
    number = t.setting.models[model].profile.W or 0
    value = number - t.wounds(model) if condition.lost else t.wounds(model)
    return condition.low <= value and (condition.high is None or value <= condition.high)


def _on_objective(t: Table, condition: fx.OnObjective, unit: int, context: Context) -> Tri:
    for objective, holder in enumerate(t.state.control):
        mine = holder == context.owner
        matches = {
            "any": True,
            "own": mine,
            "enemy": holder == 1 - context.owner,
            "contested": holder == NOBODY,
            "not_own": not mine,
            "not_enemy": holder != 1 - context.owner,
        }[condition.control] and _is_there(t, condition.where, objective, context)
        if matches and t.state.on_battlefield(unit) and models_in_range(t, objective, unit):
            return True
    return False


def _is_there(t: Table, where: str, objective: int, context: Context) -> bool:
    """Is the objective in such a zone?"""
    if where == "any":
        return True
    at = t.setting.mission.objectives[objective].at
    zones = [t.setting.mission.zones[player] for player in (context.owner, 1 - context.owner)]
    own, enemy = (bool(Polygons.of([zone]).holds(np.array([at]))[0, 0]) if zone else False for zone in zones)
    return {"own_zone": own, "enemy_zone": enemy, "no_mans_land": not own and not enemy, "not_own_zone": not own}[where]


def _has_state(t: Table, condition: fx.HasState, unit: int, context: Context) -> Tri:
    carried = t.rules.states(unit).count(condition.name.lower())
    return condition.low <= carried and (condition.high is None or carried <= condition.high)


def _has_ability(t: Table, condition: fx.HasAbility, unit: int, context: Context) -> Tri:
    wanted = condition.name.lower()
    return any(t.rules.core(part, wanted) or _is_printed(t, part, wanted) for part in t.parts(unit))


def _has_weapon(t: Table, condition: fx.HasWeapon, unit: int, context: Context) -> Tri:
    return any(is_such(t, condition, model) for model in t.alive(unit))


def _is_warlord(t: Table, condition: fx.IsWarlord, unit: int, context: Context) -> Tri:
    return any(is_such(t, condition, model) for model in t.alive(unit))


def _leads(t: Table, condition: fx.Leading | fx.LedBy, unit: int, context: Context) -> Tri:
    """Does a unit lead, or is it led; with a model of such a kind among those who are led, or who lead?"""
    parts, leaders = t.parts(unit), isinstance(condition, fx.LedBy)
    others = [part for part in parts if (t.unit(part).attached_to is not None) == leaders]
    where = None if condition.who is None else condition.who.where
    return len(parts) > 1 and any(
        t.wounds(m) > 0 and is_such(t, where, m) for part in others for m in t.unit(part).models
    )


def _targets(t: Table, condition: fx.Targets, unit: int, context: Context) -> Tri:
    """Are such units among the targets of what the moment is about?"""
    return any_of(fits(t, condition.who, other, context) for other in context.targets)


def _was(t: Table, condition: fx.Was, unit: int, context: Context) -> Tri:
    """Did it hold then? A position that begins in the middle of a phase, or of a turn, begins that too."""
    kept: Sequence[int] | None = t.state.marks.get(was_key(t, condition, context.owner))
    return holds(t, condition.of, unit, context) if kept is None else unit in kept


def was_key(t: Table, condition: fx.Was, owner: int) -> str:
    """The mark under which is kept of which units it held."""
    return f"was|{t.setting.asks_of_before.index(condition)}|{owner}"


def _shocked(t: Table, condition: fx.BattleShocked, unit: int, context: Context) -> Tri:
    return t.state.shocked(unit)


def _same(t: Table, condition: fx.Same, unit: int, context: Context) -> Tri:
    return fits(t, condition.who, unit, context)


def _destroyed(t: Table, condition: fx.Destroyed, unit: int, context: Context) -> Tri:
    return not t.alive(unit)


def _has_destroyed(t: Table, condition: fx.HasDestroyed, unit: int, context: Context) -> Tri:
    """Did the unit destroy the one a reference names, or since then such a unit of the army of the other player?"""
    what, since = condition.what, condition.since
    known = referred(what, context)
    if known is not None:
        return known != NOBODY and t.state.marks.get(f"destroyed by|{known}") == unit
    side = None if what.side is None else context.owner if what.side == "friendly" else 1 - context.owner
    fallen = [u for u in range(len(t.setting.units)) if side in (None, t.owner(u))]
    return any(_destroyed_by(t, u, unit, since) and _was_such(t, what.where, u) for u in fallen)


def _is_kill(what: Select, since: str) -> bool:
    """Does a selection speak of destroyed units, by their keywords at most, since a moment that is kept?"""
    plain = what.of is None and what.name is None and what.ref is None and not what.other
    return plain and what.what == "unit" and is_told_of_a_model(what.where) and since in _SINCE


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


def _hit_by(t: Table, condition: fx.HitBy, unit: int, context: Context) -> Tri:
    """Was the unit struck so by the attacks of whom the moment is about?"""
    how = condition.how
    if how == "targeted":
        return unit in context.targets
    if isinstance(condition.weapon, fx.Named):
        name, hits = condition.weapon.name, _struck(t, "hit with", context)
        return any(hit == unit and weapon_named(name, weapon) for hit, weapon in hits)
    this_phase = condition.since is None or _struck(t, "moved in", context) == t.state.moment
    return this_phase and unit in _struck(t, how, context)


def _near_edge(t: Table, condition: fx.NearEdge, unit: int, context: Context) -> Tri:
    """Is some model within so many inches of a battlefield edge; or the whole unit wholly within?"""
    if not t.state.on_battlefield(unit) or not t.alive(unit):
        return False
    inches, board = condition.distance.n.constant or 0, np.array(t.setting.mission.board)
    if condition.wholly:
        return bool((edge_distance(t.poses(unit), t.setting.mission.board) <= inches + GRAIN).all())
    low, high = boxes(t.poses(unit))
    return bool(min(low.min(), (board - high).min()) <= inches + GRAIN)


def is_number(amount: fx.Amount) -> bool:
    """Is an amount a plain number?"""
    return amount.n.constant is not None and amount.per is None and amount.ref is None


_MAY = {"shoot": eligible.may_shoot, "fight": eligible.may_fight, "charge": eligible.may_charge}


def _eligible(t: Table, condition: fx.Eligible, unit: int, context: Context) -> Tri:
    if condition.against is not None:
        return _may_charge_at(t, unit, condition.against, context)
    return _MAY[condition.act](t, unit) is None


def _may_charge_at(t: Table, unit: int, whom: fx.Select, context: Context) -> Tri:
    """Could it declare a charge that has one of these as its target?"""
    if eligible.may_charge(t, unit) is not None:
        return False
    near = [other for other in t.enemies(unit) if eligible.charge_target(t, unit, other, NOBODY) is None]
    return any_of(fits(t, whom, other, context) for other in near)


_PLACES = {
    "battlefield": Where.BATTLEFIELD,
    "reserves": Where.RESERVES,
    "strategic_reserves": Where.RESERVES,
    "embarked": Where.EMBARKED,
}


def _located(t: Table, condition: fx.Located, unit: int, context: Context) -> Tri:
    return t.state.where(unit) == _PLACES[condition.where]


def _embarked(t: Table, condition: fx.Embarked, unit: int, context: Context) -> Tri:
    if t.state.where(unit) != Where.EMBARKED:
        return False
    carrier = int(t.state.unit[unit, U.CARRIER])
    return fits(t, condition.within, int(t.state.unit[carrier, U.HEAD]), context)


def _round(t: Table, condition: fx.Round, unit: int, context: Context) -> Tri:
    return condition.low <= t.state.round and (condition.high is None or t.state.round <= condition.high)


def _outcome(t: Table, condition: fx.Outcome, unit: int, context: Context) -> Tri:
    return context.outcome == condition.of if context.outcome else None


# ---------------------------------------------------------------------------------------------------- what is understood
@lru_cache(maxsize=8192)
def is_understood(condition: Condition | None) -> bool:
    """Can :func:`holds` ever answer? A rule that hangs on anything else never acts, and is left to the players."""
    match condition:
        case None:
            return True
        case fx.All(of=parts) | fx.Any(of=parts):
            return all(map(is_understood, parts))
        case fx.Not(of=of):
            return is_understood(of)
        case _:
            how = _ANSWERS.get(type(condition))
            return how is not None and how.known(condition)


def names_units(who: Select) -> bool:
    """Are the units a selection speaks of ever found?"""
    of = who.of is None or names_units(who.of)
    return of and who.what in ("unit", "model", "army", "weapon", "attack") and is_understood(who.where)


def _is_named(who: Select | None) -> bool:
    return who is None or names_units(who)


def _is_near(condition: fx.Within) -> bool:
    of = condition.of
    return is_number(condition.distance) and of.what in ("unit", "model") and names_units(of)


def _is_leader(who: Select | None) -> bool:
    """Anybody, or those of a kind, whatever unit they are of."""
    return who is None or (who.ref is None and who.of is None and is_told_of_a_model(who.where))


def _is_strike(condition: fx.HitBy) -> bool:
    how, weapon, since = condition.how, condition.weapon, condition.since
    if condition.by is not None or how not in ("targeted", "hit", "wounded", "damaged", "slain", "moved_over"):
        return False
    with_it = weapon is None or (how == "hit" and isinstance(weapon, fx.Named))
    return with_it if since is None else (how, weapon, since) == ("moved_over", None, "phase")


def _is_of_before(condition: fx.Was) -> bool:
    """What is kept of every unit when a phase, or a turn, begins: it speaks of nobody the moment names."""
    spoken_of = (part for part in fx.parts_of(condition.of) if isinstance(part, Select))
    return (
        condition.at in ("phase_start", "turn_start")
        and is_understood(condition.of)
        and not any(who.ref not in (None, "you", "opponent") for who in spoken_of)
    )


def _is_act(condition: fx.Eligible) -> bool:
    if condition.against is not None:
        return condition.act == "charge" and names_units(condition.against)
    return condition.act in _MAY


@dataclass(frozen=True)
class Answer:
    """How a kind of condition is answered, and of which of that kind it can be; ``of_a_unit``: of nobody it is not."""

    answer: Callable[[Table, Any, int, Context], Tri]
    known: Callable[[Any], bool] = lambda condition: True
    of_a_unit: bool = True


_ANSWERS: dict[type, Answer] = {
    fx.About: Answer(_about, lambda c: names_units(c.who) and is_understood(c.holds), of_a_unit=False),
    fx.Round: Answer(_round, of_a_unit=False),
    fx.Outcome: Answer(_outcome, of_a_unit=False),
    fx.During: Answer(_during, of_a_unit=False),
    fx.ArmyIs: Answer(_army, of_a_unit=False),
    fx.Keyword: Answer(_keyword),
    fx.Within: Answer(_within, _is_near),
    fx.Engaged: Answer(_engaged, lambda c: _is_named(c.by)),
    fx.Visible: Answer(_visible, lambda c: _is_named(c.to)),
    fx.Moved: Answer(_moved, lambda c: c.since in ("turn", "phase") and c.over is None and c.kind in _MOVED),
    fx.Acted: Answer(_acted, lambda c: c.since in ("turn", "phase") and c.act in _ACTED),
    fx.Strength: Answer(_strength),
    fx.Models: Answer(_models, lambda c: is_told_of_a_model(c.where)),
    fx.Wounds: Answer(_wounds),
    fx.BattleShocked: Answer(_shocked),
    fx.OnObjective: Answer(_on_objective, lambda c: not c.name),
    fx.HasState: Answer(_has_state, lambda c: not c.name.endswith(fx.OF_A_CAMPAIGN)),
    fx.HasAbility: Answer(_has_ability),
    fx.HasWeapon: Answer(_has_weapon),
    fx.IsWarlord: Answer(_is_warlord),
    fx.Leading: Answer(_leads, lambda c: _is_leader(c.who)),
    fx.LedBy: Answer(_leads, lambda c: _is_leader(c.who)),
    fx.Eligible: Answer(_eligible, _is_act),
    fx.Located: Answer(_located, lambda c: c.where in _PLACES),
    fx.Embarked: Answer(_embarked, lambda c: _is_named(c.within)),
    fx.HitBy: Answer(_hit_by, _is_strike),
    fx.Targets: Answer(_targets, lambda c: names_units(c.who)),
    fx.Was: Answer(_was, _is_of_before),
    fx.NearEdge: Answer(_near_edge, lambda c: c.whose == "either" and is_number(c.distance)),
    fx.Destroyed: Answer(_destroyed, lambda c: c.by is None and c.since == "now"),
    fx.HasDestroyed: Answer(_has_destroyed, lambda c: c.what.ref is not None or _is_kill(c.what, c.since)),
    fx.Same: Answer(_same, lambda c: _is_named(c.who)),
}
