"""A player that takes what looks best now: objectives, the shots with the most damage, the charges that can win.

It looks one step ahead only and judges by cheap means, so that a whole battle takes a second.
"""

from __future__ import annotations

from itertools import islice
from random import Random

import numpy as np

from battlewright.battle.casualties import passengers
from battlewright.battle.choices import (
    Choice,
    Declare,
    Die,
    Do,
    MovePlan,
    Order,
    Pass,
    PickModel,
    Placement,
    Put,
    Select,
    Targets,
    Use,
)
from battlewright.battle.decisions import (
    AimAt,
    ChooseDo,
    ChooseTargets,
    ChooseUnit,
    Decision,
    DeclareAttacks,
    LoseModel,
    MoveModels,
    RerollRoll,
    SetUpUnit,
)
from battlewright.battle.engine import Battle
from battlewright.battle.moves import planned
from battlewright.battle.state import MIL, NOBODY
from battlewright.battle.table import Table
from battlewright.battlefield import Intent
from battlewright.datasheet import Weapon


class GreedyPlayer:
    """Best by a simple value of each choice; equal ones by the order offered."""

    name = "greedy"

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(seed)

    def choose(self, battle: Battle) -> Choice:
        decision = battle.decision
        assert decision is not None
        t = battle.table
        match decision:
            case MoveModels():
                return self._move(t, decision)
            case SetUpUnit():
                return next(iter(battle.legal_choices()))
            case DeclareAttacks():
                return max(battle.legal_choices(), key=lambda c: declared_value(t, decision, c))
            case RerollRoll():
                return self._reroll(decision)
            case LoseModel():
                return max(battle.legal_choices(), key=lambda c: loss_value(t, decision, c))
            case AimAt():
                return next(iter(battle.legal_choices()))
        return max(islice(battle.legal_choices(), 200), key=lambda c: value(t, decision, c))

    def _move(self, t: Table, decision: MoveModels) -> Choice:
        """Where the unit wants to be, by the kind of move."""
        for intent in intents(t, decision):
            choice = planned(t, decision, intent)
            if choice is not None and decision.why_not(t, choice) is None:
                return choice
        return Pass()

    def _reroll(self, decision: RerollRoll) -> Choice:
        """The worst die, when it is bad enough to be worth the point."""
        if decision.whole and sum(decision.faces) < 7:
            return Die(0)
        if decision.roll in ("hit", "wound", "attacks"):
            return Pass()
        worst = min(range(len(decision.faces)), key=lambda place: decision.faces[place])
        if not decision.whole and decision.faces[worst] <= 2 and worst not in decision.barred:
            return Die(worst)
        return Pass()


def value(t: Table, decision: Decision, choice: Choice) -> float:
    """How good a choice of the small kinds looks."""
    match choice:
        case Select(unit=name):
            return 1.0 + unit_value(t, decision, name)
        case Do(what=what):
            return _way_value(t, decision, what)
        case Targets(units=units):
            return charge_value(t, decision, units)
        case Put(unit=name, into=into):
            return _boards(t, name, into)
        case Use(rule=rule):
            return 0.5 if t.setting.rules[rule].name not in ("Command Re-roll",) else -1.0
        case Pass() | Die() | PickModel() | Order() | MovePlan() | Placement() | Declare():
            return 0.0


def _boards(t: Table, name: str, into: str) -> float:
    """Somebody must start in a dedicated transport, or it is lost; nobody else boards, nobody stays in reserves."""
    carrier, unit = t.index(into), t.index(name)
    if carrier is None or unit is None or not t.has(carrier, "DEDICATED TRANSPORT") or passengers(t, carrier):
        return -1.0
    return 1.0 + (1.0 if brawls(t, unit) else 0.0)


def unit_value(t: Table, decision: Decision, name: str) -> float:
    """Which unit first: the strongest; a charge only when it can be made and won."""
    unit = t.index(name)
    assert unit is not None
    strength = sum(t.wounds(m) for m in t.alive(unit)) / 100
    if isinstance(decision, ChooseUnit) and decision.act == "charge":
        nearest = t.nearest_enemy(unit)
        if nearest is None:
            return -2.0
        odds = 1.0 if nearest[1] < 7 else 0.4 if nearest[1] < 9 else 0.1
        gain = melee_value(t, unit, nearest[0]) - 0.5 * melee_value(t, nearest[0], unit)
        return odds + strength if gain > 0 and odds > 0.3 else -2.0
    return strength


def _way_value(t: Table, decision: Decision, what: str) -> float:
    """Normal moves before advances, unless the unit is far from everything; retreat when losing."""
    assert isinstance(decision, ChooseDo)
    unit = decision.unit
    match what:
        case "normal":
            return 2.0 if wants_to_move(t, unit) else 0.5
        case "stationary":
            return 1.0
        case "advance":
            near = t.nearest_enemy(unit)
            far = near is None or near[1] > 20
            return 3.0 if far and objective_gap(t, unit) > t.rules.stat(t.alive(unit)[0], "M") else 0.0
        case "fall_back":
            foes = t.engaged_with(unit)
            losing = sum(melee_value(t, e, unit) for e in foes) > 2 * sum(melee_value(t, unit, e) for e in foes)
            return 1.5 if losing else 0.2
        case "embark":
            return -1.0
        case _:
            return 1.0 if not what.startswith("embark") else -1.0


def wants_to_move(t: Table, unit: int) -> bool:
    """A unit that holds an objective stays; so does one that shoots best from afar."""
    return objective_gap(t, unit) > 0.5


def objective_gap(t: Table, unit: int) -> float:
    """Inches to the objective this unit goes for."""
    goal = wanted_objective(t, unit)
    if goal == NOBODY:
        return 0.0
    here = t.poses(unit).inches
    at = np.array(t.setting.mission.objectives[goal].at)
    return max(float(np.sqrt(((here - at) ** 2).sum(axis=-1)).min()) - 2.5, 0.0)


def wanted_objective(t: Table, unit: int) -> int:
    """The nearest objective that is not ours already with another unit on it."""
    here = t.poses(unit).inches.mean(axis=0)
    found = []
    for number, objective in enumerate(t.setting.mission.objectives):
        away = float(np.hypot(objective.at[0] - here[0], objective.at[1] - here[1]))
        ours = t.state.control[number] == t.owner(unit)
        held = sum(t.gap_to_point(u, objective.at) < 3 for u in t.units(t.owner(unit)) if u != unit)
        found.append((away + (12 if ours and held else 0) + 10 * held, number))
    return min(found, default=(0.0, NOBODY))[1]


def intents(t: Table, decision: MoveModels) -> list[Intent]:
    """What a move is for, best first."""
    unit = decision.unit
    if decision.move in ("charge", "pile_in") or decision.move.startswith("consolidate"):
        if decision.objective != NOBODY:
            return [Intent("toward", t.setting.mission.objectives[decision.objective].at)]
        return [Intent("engage")]
    found = []
    goal = wanted_objective(t, unit)
    near = t.nearest_enemy(unit)
    if decision.move == "fall_back" and near is not None:
        x, y = t.poses(near[0]).inches.mean(axis=0)
        found.append(Intent("away", (float(x), float(y))))
    if goal != NOBODY:
        found.append(Intent("toward", t.setting.mission.objectives[goal].at))
    if near is not None and brawls(t, unit):
        x, y = t.poses(near[0]).inches.mean(axis=0)
        found.insert(0 if near[1] < 18 else len(found), Intent("toward", (float(x), float(y))))
    return found


def brawls(t: Table, unit: int) -> bool:
    """Is the unit better hand to hand than at range?"""
    melee = ranged = 0.0
    for model in t.alive(unit):
        melee += max((weapon_value(w) for w in t.model(model).weapons if w.melee), default=0)
        ranged += sum(weapon_value(w) for w in t.model(model).weapons if not w.melee and w.range >= 18)
    return melee > 1.5 * ranged


# ------------------------------------------------------------------------------------------------------- fighting
def weapon_value(weapon: Weapon, toughness: int = 4, save: int = 4, invulnerable: int | None = None) -> float:
    """Mean damage of one use against such a model, without special rules."""
    hit = 1.0 if weapon.skill is None else (7 - weapon.skill) / 6
    strength = weapon.strength or 1
    wound = (
        5 / 6
        if strength >= 2 * toughness
        else 4 / 6
        if strength > toughness
        else 3 / 6
        if strength == toughness
        else 1 / 6
        if 2 * strength <= toughness
        else 2 / 6
    )
    needs = min(save - weapon.ap, invulnerable or 7)
    fails = 1 - max(0, min(5, 7 - needs)) / 6
    return weapon.attacks.mean * hit * wound * fails * weapon.damage.mean


def against(t: Table, weapon: Weapon, target: int) -> float:
    """Mean wounds a weapon takes from a unit."""
    model = t.alive(target)[0]
    profile = t.model(model).profile
    raw = weapon_value(weapon, profile.T or 4, profile.Sv or 4, profile.InSv)
    wasted = weapon.damage.mean - min(weapon.damage.mean, profile.W or 1)
    return raw * (1 - wasted / max(weapon.damage.mean, 1))


def melee_value(t: Table, unit: int, target: int) -> float:
    """Mean wounds a unit takes from another hand to hand, all of it fighting, in parts of what the target has."""
    if not t.alive(unit) or not t.alive(target):
        return 0.0
    total = sum(max((against(t, w, target) for w in t.model(m).weapons if w.melee), default=0.0) for m in t.alive(unit))
    return min(total / max(sum(t.wounds(m) for m in t.alive(target)), 1), 1.0)


def declared_value(t: Table, decision: DeclareAttacks, choice: Choice) -> float:
    """The wounds a declaration takes, more for what it may destroy."""
    if not isinstance(choice, Declare):
        return -1.0
    taken: dict[str, float] = {}
    for shot in choice.shots:
        model, target = t.model_index(shot.model), t.index(shot.target)
        assert model is not None
        assert target is not None
        weapon = t.model(model).weapons[shot.weapon]
        taken[shot.target] = taken.get(shot.target, 0.0) + against(t, weapon, target)
    total = 0.0
    for name, wounds in taken.items():
        target = t.index(name)
        assert target is not None
        left = sum(t.wounds(m) for m in t.alive(target))
        total += min(wounds, left) + (2.0 if wounds >= left else 0.0)
    return total


def charge_value(t: Table, decision: Decision, units: tuple[str, ...]) -> float:
    """One target that can be reached and beaten is better than several."""
    if not isinstance(decision, ChooseTargets):
        return 0.0
    targets = [u for u in map(t.index, units) if u is not None]
    if decision.purpose != "charge":
        return 1.0 / len(targets)
    gain = sum(melee_value(t, decision.unit, e) for e in targets) - 0.4 * sum(
        melee_value(t, e, decision.unit) for e in targets
    )
    far = max(t.gap(decision.unit, e) for e in targets)
    reach = decision.reach / MIL if decision.reach else 8.0
    return gain / len(targets) if far <= reach else -1.0


def loss_value(t: Table, decision: LoseModel, choice: Choice) -> float:
    """Lose first what fights worst and stands farthest from the objective."""
    assert isinstance(choice, PickModel)
    model = t.model_index(choice.model)
    assert model is not None
    return -sum(weapon_value(w) for w in t.model(model).weapons) - (5.0 if t.model(model).is_character else 0.0)
