"""A declaration becomes attack plans: one for each target, from the state and the rules that hold.

Rules: 11e 04.03, 05; 10e T-5.3, T-6.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain, islice, permutations, product
from typing import Any

import msgspec
import numpy as np

from battlewright.attack.fold import fold
from battlewright.attack.lines import line
from battlewright.attack.plan import Plan, build
from battlewright.attack.request import read
from battlewright.battle.casualties import is_wounded, protected
from battlewright.battle.choices import Declare, Shot
from battlewright.battle.events import RuleUsed
from battlewright.battle.scoring import models_in_range
from battlewright.battle.sight import covered, sees, sheltered, terrain, visible
from battlewright.battle.state import MIL, NOBODY, Did, M
from battlewright.battle.table import Table
from battlewright.battle.targeting import deck_of, distance_to
from battlewright.datasheet import Weapon

#: so many orders of allocation groups are offered at most (four groups have 24)
MOST_ORDERS = 24


def targets_of(t: Table, declaration: Declare) -> tuple[int, ...]:
    """The units a declaration attacks, in its order."""
    found = [t.index(shot.target) for shot in declaration.shots]
    return tuple(dict.fromkeys(unit for unit in found if unit is not None))


def spend_one_shots(t: Table, declaration: Declare) -> None:
    """A [ONE SHOT] weapon is used up when its target is selected (11e 24.26; 10e W-ONESHOT)."""
    for shot in declaration.shots:
        model = t.model_index(shot.model)
        assert model is not None
        if t.rules.weapon_has(model, t.model(model).weapons[shot.weapon], "one shot"):
            t.emit(RuleUsed("one shot", t.model(model).unit, keys=(f"one shot|{model}|{shot.weapon}",)))


def fire_passengers(t: Table, unit: int, declaration: Declare) -> None:
    """Whose weapons were fired from a Firing Deck cannot shoot: all aboard this turn (11e 24.14), or who fired (T-10.6)."""
    fired = {t.head(m) for s in declaration.shots if (m := t.model_index(s.model)) is not None} - {unit}
    if fired and t.setting.numbers.all_passengers_barred:
        fired = set(t.passengers(unit))
    for passenger in sorted(fired):
        t.mark(passenger, Did.FIRED_PASSENGERS)


def hazard_weapons(t: Table, unit: int, declaration: Declare) -> list[tuple[int, int]]:
    """The [HAZARDOUS] weapons used: (model, weapon), one test each (11e 24.15; 10e W-HAZ)."""
    used = dict.fromkeys((shot.model, shot.weapon) for shot in declaration.shots)
    found = []
    for name, place in used:
        model = t.model_index(name)
        assert model is not None
        if t.rules.weapon_has(model, t.model(model).weapons[place], "hazardous"):
            found.append((model if t.head(model) == unit else deck_of(t, unit), place))
    return found


# ------------------------------------------------------------------------------------------------------- groups
def groups_of(
    t: Table, target: int, order: tuple[int, ...] = (), shelter: frozenset[int] = frozenset()
) -> list[tuple[int, ...]]:
    """The allocation groups of a unit: equal models together, each protected CHARACTER alone and last.

    Those holding a model that is wounded, or that was allocated an attack, come first. ``order``: the defender's order,
    one model of each group. ``shelter``: the models with the benefit of cover, where each has it for itself (T-11.1).
    Rules: 11e 05.03; 10e T-6.3, T-10.2.
    """
    found: dict[Any, list[int]] = {}
    for model in t.alive(target):
        alone = protected(t, target, model)
        key: Any = model if alone else (profile_key(t, model), model in shelter)
        found.setdefault(key, []).append(model)
    groups = [tuple(models) for models in found.values()]
    wanted = {model: place for place, model in enumerate(order)}

    def rank(group: tuple[int, ...]) -> tuple[bool, bool, int, int]:
        place = min((wanted[m] for m in group if m in wanted), default=len(wanted))
        return *tier(t, target, group), place, t.rules.stat(group[0], "W")

    return sorted(groups, key=rank)


def tier(t: Table, target: int, group: tuple[int, ...]) -> tuple[bool, bool]:
    """What the rules say about a group's place: protected CHARACTERS last, those begun before the others."""
    begun = any(is_wounded(t, m) or bool(t.state.model[m, M.ALLOCATED]) for m in group)
    return protected(t, target, group[0]), not begun


def shelter_of(t: Table, unit: int, target: int, way: str) -> frozenset[int]:
    """The models of a target with the benefit of cover of their own against a ranged attack (10e T-11.1)."""
    return sheltered(t, unit, target) if way != "fight" else frozenset()


def orders_of(t: Table, unit: int, target: int, way: str) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """The allocation groups of a unit, and the orders of them its player may choose (places in the list)."""
    groups = groups_of(t, target, shelter=shelter_of(t, unit, target, way))
    tiers: dict[tuple[bool, bool], list[int]] = {}
    for place, group in enumerate(groups):
        tiers.setdefault(tier(t, target, group), []).append(place)
    ways = [list(islice(permutations(places), MOST_ORDERS)) for _, places in sorted(tiers.items())]
    orders = [tuple(chain.from_iterable(parts)) for parts in islice(product(*ways), MOST_ORDERS)]
    return groups, orders


def profile_key(t: Table, model: int) -> tuple[Any, ...]:
    """What makes models alike when wounds are allocated."""
    profile = t.model(model).profile
    return (
        t.rules.stat(model, "W"),
        t.rules.stat(model, "Sv"),
        profile.InSv,
        profile.InSv_against,
        t.rules.stat(model, "T"),
        t.rules.feel_no_pain(model, "normal"),
        t.model(model).is_character,
    )


# -------------------------------------------------------------------------------------------------------- plans
def plan_against(
    t: Table, unit: int, target: int, shots: tuple[Shot, ...], way: str, order: tuple[int, ...] = (), aim: int = NOBODY
) -> tuple[Plan, list[tuple[int, ...]]]:
    """The plan of these shots at a target as it stands now, and the models of each of its groups.

    ``aim``: the model [PRECISION] is used on; without one it is not used (11e 24.28; 10e W-PRECISION).
    """
    plan, groups = t.cached(
        ("plan", unit, target, shots, way, order), lambda: _plan_against(t, unit, target, shots, way, order)
    )
    aimed = next((place for place, models in enumerate(groups) if aim in models), None)
    if aimed is None:
        return replace(plan, batches=tuple(replace(batch, precision=False) for batch in plan.batches)), groups
    return replace(plan, aim=aimed), groups


def _plan_against(
    t: Table, unit: int, target: int, shots: tuple[Shot, ...], way: str, order: tuple[int, ...]
) -> tuple[Plan, list[tuple[int, ...]]]:
    groups = groups_of(t, target, order, shelter_of(t, unit, target, way))
    asked = read(request(t, unit, target, shots, way, groups))
    mine, theirs = t.rules.given(unit, target, "attacker"), t.rules.given(target, unit, "target")
    if mine or theirs:
        asked = fold(asked, {"attacker": mine, "target": theirs}).request
    return build(asked).without_once, groups  # a phase, a turn, a battle hold more than this activation


def precise_targets(
    t: Table, unit: int, target: int, shots: tuple[Shot, ...], way: str
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The models [PRECISION] may be used on, CHARACTER models an attacker sees, and the batches of attacks that have it.

    Rules: 11e 24.28; 10e W-PRECISION.
    """
    characters = [m for m in t.alive(target) if protected(t, target, m)]
    if not characters or len(t.alive(target)) == 1:
        return (), ()
    first, _ = plan_against(t, unit, target, shots, way, aim=characters[0])
    precise = tuple(place for place, batch in enumerate(first.batches) if batch.precision)
    if not precise:
        return (), ()
    seen = np.asarray(visible(t, unit, target).any(axis=0))
    return tuple(m for m, hit in zip(t.alive(target), seen.tolist(), strict=True) if hit and m in characters), precise


def request(
    t: Table, unit: int, target: int, shots: tuple[Shot, ...], way: str, groups: list[tuple[int, ...]]
) -> dict[str, Any]:
    """The question these shots ask, in the form of an odds request."""
    lines, cover = lines_of(t, unit, target, shots, way)
    attack: dict[str, Any] = {"weapons": lines, "half_range": True}
    attack["stationary"] = is_heavy(t, unit)
    attack["charged"] = t.state.did(unit, Did.CHARGED)
    attack["snap"] = way in ("snap", "overwatch")
    if any("indirect" in line for line in lines):
        attack["spotter"] = t.state.did(unit, Did.STATIONARY) and is_spotted(t, unit, target)  # 11e 10.07
    melee = way == "fight"
    aim: dict[str, Any] = {
        "groups": [group_of(t, target, group, shelter_of(t, unit, target, way), melee=melee) for group in groups],
        "keywords": sorted(t.keywords(target)),
    }
    if cover:
        aim["cover"] = True
    if not melee and t.all_have(target, "stealth"):
        aim["stealth"] = True
    return {
        "edition": t.setting.edition,
        "attack": attack,
        "target": aim,
        "situation": situation(t, unit, target, melee=melee),
    }


def is_spotted(t: Table, unit: int, target: int) -> bool:
    """Does some unit of its player see the target of a unit?"""
    return any(any(sees(t, friend, target).values()) for friend in t.units(t.owner(unit)))


def group_of(t: Table, target: int, group: tuple[int, ...], shelter: frozenset[int], *, melee: bool) -> dict[str, Any]:
    first = group[0]
    profile = t.model(first).profile
    wounds = t.rules.stat(first, "W")
    found: dict[str, Any] = {
        "name": t.model(first).name,
        "models": len(group),
        "T": t.rules.stat(first, "T"),
        "W": wounds,
        "Sv": t.rules.stat(first, "Sv"),
    }
    against = profile.InSv_against
    if profile.InSv is not None and (against is None or (against == "melee") == melee):
        found["InSv"] = profile.InSv
    normal, mortal = t.rules.feel_no_pain(first, "normal"), t.rules.feel_no_pain(first, "mortal")
    if normal is not None:
        found["FNP"] = normal
    if mortal != normal and mortal is not None:
        found["FNP_mortal"] = mortal
    if protected(t, target, first):
        found["character"] = True
    if first in shelter:
        found["cover"] = True
    lost = sum(wounds - t.wounds(m) for m in group)
    if lost:
        found["wounded"] = lost
    return found


def lines_of(t: Table, unit: int, target: int, shots: tuple[Shot, ...], way: str) -> tuple[list[dict[str, Any]], bool]:
    """Identical attacks together (11e 04.03), and whether cover counts against any of them."""
    cover = covered(t, unit, target) if way != "fight" else {}
    near = distance_to(t, unit, target)
    batches: dict[tuple[Any, ...], int] = {}
    seen = bool(visible(t, unit, target).any()) if way != "fight" else True
    for shot in shots:
        model = t.model_index(shot.model)
        assert model is not None
        weapon, strength = t.model(model).weapons[shot.weapon], t.model(model).profile.T
        model = model if t.head(model) == unit else deck_of(t, unit)
        half = not weapon.melee and near[model] <= t.rules.weapon_range(model, weapon) / 2
        far = near[model] > 12
        indirect = t.rules.weapon_has(model, weapon, "indirect fire") and (
            way == "indirect" or (t.setting.numbers.indirect_any_way and not seen)
        )
        penalty = _combat_penalty(t, unit, target, model, weapon, way) - is_damaged(t, model)
        plunging = way != "fight" and plunges(t, model, target, near[model])
        precise = t.rules.model_has(model, "precision", melee=weapon.melee)
        if weapon.strength is None:  # what none counts as (11e 02.04; 10e T-1.5: the model's Toughness)
            weapon = msgspec.structs.replace(weapon, strength=t.setting.numbers.no_strength or strength)
        key = (weapon, half, far, cover.get(model, False), indirect, penalty, shot.attacks, plunging, precise)
        batches[key] = batches.get(key, 0) + 1
    kind = t.setting.numbers.plunging.improves
    lines = [_line(*key, count=count, any_cover=any(cover.values()), plunge=kind) for key, count in batches.items()]
    return lines, any(cover.values())


def _line(
    weapon: Weapon,
    half: bool,
    far: bool,
    covered: bool,
    indirect: bool,
    penalty: int,
    attacks: int,
    plunging: bool,
    precise: bool,
    *,
    count: int,
    any_cover: bool,
    plunge: str,
) -> dict[str, Any]:
    found = line(weapon, count, half=half, far=far, indirect=indirect)
    if attacks:
        found["A"] = attacks
    if any_cover and not covered and not indirect:
        found["ignores_cover"] = True
    if penalty:
        found["hit_mod"] = penalty
    if precise:
        found["precision"] = True
    if plunging and plunge == "skill":
        found["skill_mod"] = -1
    elif plunging:
        found["AP"] = weapon.ap - 1
    return found


def plunges(t: Table, model: int, target: int, away: float) -> bool:
    """Plunging fire at a unit on the ground: from high up, or (11e) from a TOWERING model within 12" (22.05; T-11.3)."""
    numbers = t.setting.numbers
    height = numbers.plunging.height * MIL
    levels = [int(t.state.model[m, M.Z]) for m in t.alive(target)]
    grounded = max(levels) == 0 if numbers.plunging.at_all_on_the_ground else min(levels) == 0
    if not grounded or {"AIRCRAFT"} & (t.keywords(target) | t.words(model)):
        return False
    towering = "TOWERING" in t.model(model).keywords and away <= numbers.plunging.towering_within
    return (int(t.state.model[model, M.Z]) >= height and _may_plunge(t, model)) or towering


def _may_plunge(t: Table, model: int) -> bool:
    """11e: from any section of terrain (22.05); 10e: by a model wholly within a ruin (T-11.3)."""
    if not t.setting.numbers.plunging.from_ruins_only:
        return True
    ground = terrain(t)
    return bool(ground.areas) and bool((ground.ground.wholly(t.poses_of([model])) & ground.areas_of("ruins")).any())


def _combat_penalty(t: Table, unit: int, target: int, model: int, weapon: Weapon, way: str) -> int:
    """-1 to hit with anything but pistols from or into combat (11e 10.06, 17.03; 10e T-5.4)."""
    if way == "fight":
        return 0
    close = t.rules.weapon_has(model, weapon, "pistol") or t.rules.weapon_has(model, weapon, "close-quarters")
    own = t.is_engaged(unit)
    if close and (t.setting.numbers.pistols_unhindered or (own and unit in t.engaged_with(target))):
        return 0
    heavy = t.has(unit, "MONSTER", "VEHICLE")
    return -1 if (own and heavy) or (t.engaged_with(target) and t.has(target, "MONSTER", "VEHICLE")) else 0


def is_damaged(t: Table, model: int) -> bool:
    """Damaged X: with so many wounds left or fewer a model hits worse (11e 24.39)."""
    amount = t.rules.core(t.model(model).unit, "damaged")
    return not isinstance(amount, bool) and t.wounds(model) <= amount.bonus


def is_heavy(t: Table, unit: int) -> bool:
    """May the unit claim [HEAVY]? 11e 24.16: unengaged, not set up, no model moved over 3"; 10e: stationary."""
    if t.state.turn != t.owner(unit):
        return False
    if t.setting.numbers.heavy_move is not None:
        moved = max((int(t.state.model[m, M.MOVED]) for m in t.alive(unit)), default=0)
        return (
            not t.is_engaged(unit)
            and not t.state.did(unit, Did.SET_UP | Did.DISEMBARKED)
            and moved <= t.setting.numbers.heavy_move * MIL
        )
    return t.state.did(unit, Did.STATIONARY)


# ------------------------------------------------------------------------------------------------------ situation
def situation(t: Table, unit: int, target: int, *, melee: bool) -> dict[str, Any]:
    """Everything rules may ask about this attack, from the state: nothing is left unsaid."""
    nearest = t.nearest_enemy(unit)
    return {
        "attack_type": "melee" if melee else "ranged",
        "range_in": math.floor(t.gap(unit, target) * 1000) / 1000,
        "round": t.state.round,
        "turn": "attacker" if t.state.turn == t.owner(unit) else "opponent",
        "phase": t.state.phase or None,
        "closest": nearest is not None and t.gap(unit, target) <= nearest[1] + 1e-9,
        "attacker": side(t, unit),
        "target": side(t, target),
    }


def side(t: Table, unit: int) -> dict[str, Any]:
    """What is true of one unit now."""
    did = t.state.did
    now, start = t.strength(unit)
    full = start if start > 1 else t.rules.stat(t.alive(unit)[0], "W")
    lost = sum(t.rules.stat(m, "W") - t.wounds(m) for m in t.alive(unit))
    return {
        "keywords": sorted(t.keywords(unit)),
        "faction": t.setting.factions[t.owner(unit)] or None,
        "models": len(t.alive(unit)),
        "starting_models": int(start),
        "wounds_lost": lost,
        "below_starting_strength": now < full,
        "below_half_strength": 2 * now < full,
        "battle_shocked": t.state.shocked(unit),
        "engaged": t.is_engaged(unit),
        "on_objective": on_objective(t, unit),
        "leading": len(t.parts(unit)) > 1,
        "led_by": [t.unit(p).name for p in t.parts(unit) if t.unit(p).attached_to is not None],
        "charged": did(unit, Did.CHARGED),
        "advanced": did(unit, Did.ADVANCED),
        "fell_back": did(unit, Did.FELL_BACK),
        "stationary": did(unit, Did.STATIONARY),
        "disembarked": did(unit, Did.DISEMBARKED),
        "set_up": did(unit, Did.SET_UP),
        "within": near_units(t, unit),
        "states": t.rules.states(unit),
    }


def on_objective(t: Table, unit: int) -> str:
    for objective, holder in enumerate(t.state.control):
        if models_in_range(t, objective, unit):
            return "contested" if holder < 0 else "own" if holder == t.owner(unit) else "enemy"
    return "none"


def near_units(t: Table, unit: int) -> list[list[Any]]:
    """The units near a unit, with their distance, side and keywords."""
    found = []
    for other in t.units():
        if other != unit and t.alive(other):
            whose = "friendly" if t.owner(other) == t.owner(unit) else "enemy"
            found.append([round(t.gap(unit, other), 3), whose, sorted(t.keywords(other))])
    return found


__all__ = ["groups_of", "hazard_weapons", "plan_against", "request", "spend_one_shots", "targets_of"]
