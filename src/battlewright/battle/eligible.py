"""Who may do what now: one predicate a question, None or the reason against it. Decisions and procedures share them.

Rules: 11e 09-12, 18, 20; 10e T-3.3, T-4, T-5, T-7, T-8, T-9, T-10.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from battlewright.battle.decisions import PREDICATES
from battlewright.battle.moves import consolidation_mode, has_placement, models_within
from battlewright.battle.state import MIL, NOBODY, Did, U, Where
from battlewright.battle.targeting import any_target, stands
from battlewright.battlefield import Polygons
from battlewright.errors import Reason

if TYPE_CHECKING:
    from battlewright.battle.asked import Forbidden
    from battlewright.battle.table import Table


def _has_done(t: Table, unit: int, flag: Did, act: str, rule: str) -> Reason | None:
    if t.state.did(unit, flag):
        return t.reason(rule, f"{t.name(unit)} was already selected to {act} this phase")
    return None


# ------------------------------------------------------------------------------------------------------- movement
def may_move(t: Table, unit: int) -> Reason | None:
    """Can the unit be selected to move in the Movement phase?"""
    refused = _has_done(t, unit, Did.CHOSEN_MOVE | Did.NO_MOVE, "move", "eligible_to_move")
    if refused:
        return refused
    where = t.state.where(unit)
    if where == Where.EMBARKED:
        return may_disembark(t, unit)
    if where == Where.RESERVES:
        return may_arrive(t, unit)
    if t.has(unit, "AIRCRAFT") and t.setting.numbers.aircraft_least is None:
        return t.reason("aircraft", f"{t.name(unit)} is AIRCRAFT: it only arrives and leaves")
    return None


def must_fly(t: Table, player: int) -> tuple[int, ...]:
    """The AIRCRAFT of a player that have not moved and cannot stay where they are (10e T-9.8)."""
    if t.setting.numbers.aircraft_least is None:
        return ()
    return tuple(u for u in t.units(player) if t.has(u, "AIRCRAFT") and may_move(t, u) is None)


def may_arrive(t: Table, unit: int) -> Reason | None:
    """Can a unit in reserves arrive now? From round 2 (11e 20.03; 10e T-9.2)."""
    refused = _has_done(t, unit, Did.CHOSEN_MOVE, "arrive", "arrive")
    if refused:
        return refused
    if t.state.round < 2 and not t.rules.arrives_early(unit):
        return t.reason("arrive", f"battle round {t.state.round}: reserves arrive from round 2")
    return None


def may_disembark(t: Table, unit: int) -> Reason | None:
    """Can an embarked unit get out in the Movement phase? Rules: 11e 18.04; 10e T-10.5."""
    carrier = int(t.state.unit[unit, U.CARRIER])
    head = int(t.state.unit[carrier, U.HEAD])
    if not t.state.on_battlefield(head):
        return t.reason("disembark", f"its transport {t.name(carrier)} is not on the battlefield")
    if t.state.did(unit, Did.EMBARKED_NOW):
        return t.reason("disembark", f"{t.name(unit)} embarked this phase")
    if t.state.did(head, Did.ADVANCED | Did.FELL_BACK):
        return t.reason("disembark", f"{t.name(carrier)} advanced or fell back this turn")
    return None


def disembark_mode(t: Table, unit: int) -> str:
    """The first mode that fits (11e 18.04); 10e has rapid and tactical under other names (T-10.5)."""
    carrier = int(t.state.unit[int(t.state.unit[unit, U.CARRIER]), U.HEAD])
    if t.state.did(carrier, Did.MOVED | Did.SET_UP):
        return "rapid"
    if t.setting.numbers.combat_disembark is None:
        return "tactical"
    return "tactical" if has_placement(t, unit, "disembark_tactical", carrier) else "combat"


def may_make_move(t: Table, unit: int, kind: str) -> Reason | None:
    """Is the unit eligible for this type of move? Rules: 11e 09.04-09.07; 10e T-4.4."""
    move = t.setting.numbers.move(kind)
    if t.has(unit, "AIRCRAFT"):
        return None if kind == "normal" else t.reason("aircraft", f"{t.name(unit)} is AIRCRAFT: normal moves only")
    if kind == "stationary":
        return None
    if t.rules.stat(t.alive(unit)[0], "M") <= 0:
        return Reason(f"{t.setting.edition} {move.rule}", f"{t.name(unit)} has no Move characteristic")
    foes = [e for e in t.engaged_with(unit) if "AIRCRAFT" not in t.keywords(e)]
    if move.engaged and not t.engaged_with(unit):
        return Reason(f"{t.setting.edition} {move.rule}", f"{t.name(unit)} is not within engagement range of an enemy")
    if not move.engaged and foes:
        near = t.setting.field.engagement[0]
        detail = f'{t.name(foes[0])} is {t.gap(unit, foes[0]):.1f}" away, engagement range {near:g}"'
        return Reason(f"{t.setting.edition} {move.rule}", detail)
    forbidding = t.rules.forbids(cast("Forbidden", kind), unit)
    if forbidding:
        return Reason(f"{t.setting.edition} {move.rule}", f"{forbidding} forbids it")
    if t.rules.must_stand(unit):
        return Reason(f"{t.setting.edition} {move.rule}", "a rule in force has it remain stationary")
    return None


def fall_back_mode(t: Table, unit: int, mode: str) -> Reason | None:
    """Ordered retreat only when not battle-shocked (11e 09.07)."""
    if mode == "ordered_retreat" and t.state.shocked(unit):
        return t.reason("09.07", f"{t.name(unit)} is battle-shocked")
    return None


def carriers_for(t: Table, unit: int) -> tuple[int, ...]:
    """The transports a unit may embark in after its move."""
    return tuple(c for c in t.units(t.owner(unit)) if c != unit and may_embark_in(t, unit, c) is None)


def may_embark_in(t: Table, unit: int, carrier: int) -> Reason | None:
    """Rules: 11e 18.02; 10e T-10.4."""
    if not t.unit(carrier).capacity:
        return t.reason("embark", f"{t.name(carrier)} is no transport")
    if t.state.did(unit, Did.DISEMBARKED_NOW):
        return t.reason("embark", f"{t.name(unit)} disembarked this phase")
    if t.state.did(unit, Did.SET_UP):
        return t.reason("embark", f"{t.name(unit)} was set up this turn")
    if not t.state.did(unit, Did.MOVED | Did.ADVANCED | Did.FELL_BACK):
        return t.reason("embark", f"{t.name(unit)} made no normal, advance or fall-back move")
    if not models_within(t, unit, carrier, t.setting.numbers.disembark):
        return t.reason("embark", f'not every model of {t.name(unit)} is within {t.setting.numbers.disembark:g}" of it')
    return fits_in(t, unit, carrier)


def fits_in(t: Table, unit: int, carrier: int) -> Reason | None:
    """Is there room, and is it a unit the transport may carry? Rules: 11e 18.01; 10e T-10.3."""
    refused = t.rules.cannot_carry(carrier, unit)
    if refused:
        return t.reason("capacity", refused)
    aboard = sum(t.rules.room(carrier, m) for u in t.passengers(carrier) for m in t.alive(u))
    needs = sum(t.rules.room(carrier, m) for m in t.alive(unit))
    capacity = t.unit(carrier).capacity
    if aboard + needs > capacity:
        return t.reason("capacity", f"{t.name(carrier)} carries {capacity}: {aboard} aboard, {needs} more do not fit")
    return None


def embark_choice(t: Table, unit: int, what: str) -> Reason | None:
    if what == "stay":
        return None
    carrier = t.index(what.removeprefix("embark "))
    return t.reason("embark", "no such transport") if carrier is None else may_embark_in(t, unit, carrier)


# ------------------------------------------------------------------------------------------------- before battle
def may_deploy(t: Table, unit: int) -> Reason | None:
    return None


def may_scout(t: Table, unit: int) -> Reason | None:
    """Rules: 11e 24.31-24.32; 10e T-9.6."""
    if not scouting_units(t, unit):
        return t.reason("scouts", f"not every model of {t.name(unit)} has Scouts")
    if t.state.did(unit, Did.CHOSEN_MOVE):
        return t.reason("scouts", f"{t.name(unit)} already scouted")
    zone = t.setting.mission.zones[t.owner(unit)]
    inside = not t.state.on_battlefield(unit) or bool(Polygons.of([zone]).wholly(t.poses(unit)).all())
    if t.setting.numbers.scouts_from_zone and not inside:
        return t.reason("scouts", f"{t.name(unit)} is not wholly within its deployment zone")
    return None


def scouting_units(t: Table, unit: int) -> tuple[int, ...]:
    """Whose Scouts a unit may use: its own, or for a DEDICATED TRANSPORT that of all aboard (11e 24.31; 10e T-9.6)."""
    if t.all_have(unit, "scouts"):
        return (unit,)
    aboard = t.passengers(unit) if t.has(unit, "DEDICATED TRANSPORT") else ()
    return aboard if aboard and all(t.all_have(u, "scouts") for u in aboard) else ()


def may_start_in(t: Table, unit: int, into: str) -> Reason | None:
    """May a unit start the battle in reserves, or embarked? Rules: 11e 20.01, 18.01; 10e T-9.2 to T-9.4, T-10.3."""
    if into != "reserves":
        carrier, player = t.index(into), t.owner(unit)
        waiting = (*t.units(player, Where.UNDEPLOYED), *t.units(player, Where.RESERVES))
        if carrier is None or carrier not in waiting or carrier == unit:
            return t.reason("capacity", f"no transport {into} that is still to be set up")
        if not t.unit(carrier).capacity:
            return t.reason("capacity", f"{into} is no transport")
        return fits_in(t, unit, carrier)
    return _why_not_reserves(t, unit)


def _why_not_reserves(t: Table, unit: int) -> Reason | None:
    """The limits on what starts in reserves, passengers included. Rules: 11e 20.01; 10e T-9.2, T-9.3."""
    if t.has(unit, "FORTIFICATION"):
        return t.reason("reserves", "FORTIFICATIONS cannot start in reserves")
    numbers, player = t.setting.numbers, t.owner(unit)
    mine = [u for u, d in enumerate(t.setting.units) if d.player == player and int(t.state.unit[u, U.HEAD]) == u]
    joining = [unit, *(u for u in mine if int(t.state.unit[u, U.CARRIER]) == unit)]
    inside = [*(u for u in mine if _counts_to_reserves(t, u)), *joining]
    limit = numbers.reserves_share * t.setting.limits[player]
    counted = [u for u in inside if not (numbers.deep_strikers_apart and _is_apart(t, u))]
    points = sum(map(t.points, counted))
    if not set(joining).isdisjoint(counted) and points > limit:
        return t.reason("reserves", f"{points} points in strategic reserves, at most {limit:g}")
    if numbers.reserves_units is not None:
        if len(inside) > numbers.reserves_units * len(mine):
            return t.reason("arrive", f"{len(inside)} of {len(mine)} units in reserves, at most half")
        whole, points = sum(map(t.points, mine)), sum(map(t.points, inside))
        if points > numbers.reserves_units * whole:
            return t.reason("arrive", f"{points} of {whole} points in reserves, at most half")
    return None


def _is_apart(t: Table, unit: int) -> bool:
    """10e: AIRCRAFT do not count to the points of strategic reserves; who arrives by Deep Strike is not in them, nor are
    those aboard (T-9.2, T-9.4).
    """
    carrier = int(t.state.unit[unit, U.CARRIER])
    aboard = carrier >= 0 and _is_apart(t, int(t.state.unit[carrier, U.HEAD]))
    return aboard or t.has(unit, "AIRCRAFT") or t.all_have(unit, "deep strike")


def _counts_to_reserves(t: Table, unit: int) -> bool:
    if t.state.where(unit) == Where.RESERVES:
        return True
    carrier = int(t.state.unit[unit, U.CARRIER])
    return carrier >= 0 and t.state.where(carrier) == Where.RESERVES


# ------------------------------------------------------------------------------------------------------- shooting
def may_shoot(t: Table, unit: int) -> Reason | None:
    """Eligible to shoot, with a type of shooting and a target. Rules: 11e 10.02; 10e T-5.1."""
    refused = _has_done(t, unit, Did.CHOSEN_SHOOT, "shoot", "eligible_to_shoot")
    if refused:
        return refused
    if t.state.did(unit, Did.FELL_BACK) and not t.rules.permits("shoot", unit, "fall_back"):
        return t.reason("eligible_to_shoot", f"{t.name(unit)} fell back this turn")
    if t.state.did(unit, Did.FIRED_PASSENGERS):
        return t.reason("eligible_to_shoot", f"models of {t.name(unit)} fired from their transport")
    forbidding = t.rules.forbids("shoot", unit)
    if forbidding:
        return t.reason("eligible_to_shoot", f"{forbidding} forbids it")
    reasons = []
    for way in t.setting.numbers.shooting_types:
        refused = may_use_type(t, unit, way)
        if refused is None:
            return None
        reasons.append(refused)
    return reasons[0]


def may_use_type(t: Table, unit: int, way: str) -> Reason | None:
    """May the unit shoot this way, and has it a target for it? Rules: 11e 10.04-10.07; 10e T-5.1, T-5.4, W-*."""
    return t.cached(("type", unit, way), lambda: (_may_use_type(t, unit, way),))[0]


def _may_use_type(t: Table, unit: int, way: str) -> Reason | None:
    refused = type_open(t, unit, way)
    if refused is not None:
        return refused
    if not any_target(t, unit, way):
        return t.reason(
            "select_targets", f"no weapon of {t.name(unit)} has an eligible target ({way.replace('_', ' ')})"
        )
    return None


def type_open(t: Table, unit: int, way: str) -> Reason | None:
    """Does the unit qualify for this type of shooting, targets aside?"""
    engaged = t.is_engaged(unit)
    advanced = t.state.did(unit, Did.ADVANCED) and not t.rules.permits("shoot", unit, "advance")
    name, rule = t.name(unit), SHOOTING_RULES[way]
    cite = f"{t.setting.edition} {rule}"
    heavy = t.has(unit, "MONSTER", "VEHICLE")
    if way in ("close_quarters", "pistol", "big_guns"):
        if not engaged:
            return Reason(cite, f"{name} is not engaged")
        if advanced:
            return Reason(cite, f"{name} advanced this turn")
        if way == "big_guns" and not heavy:
            return Reason(cite, f"{name} is neither MONSTER nor VEHICLE")
        if way == "pistol" and heavy:
            return Reason(cite, f"{name} shoots with all its weapons instead")
        if way != "big_guns" and not heavy and not _carries(t, unit, "pistol", "close-quarters"):
            return Reason(cite, f"{name} has no [PISTOL] or [CLOSE-QUARTERS] weapon")
        return None
    if engaged:
        foe = t.engaged_with(unit)[0]
        return Reason(cite, f"{name} is engaged with {t.name(foe)}")
    if way == "assault":
        if not advanced:
            return Reason(cite, f"{name} did not advance")
        if not _carries(t, unit, "assault"):
            return Reason(cite, f"{name} has no [ASSAULT] weapon")
        return None
    if advanced:
        return Reason(cite, f"{name} advanced this turn")
    if way == "indirect" and not _carries(t, unit, "indirect fire"):
        return Reason(cite, f"{name} has no [INDIRECT FIRE] weapon")
    return None


SHOOTING_RULES = {
    "normal": "10.04",
    "assault": "10.05",
    "close_quarters": "10.06",
    "indirect": "10.07",
    "snap": "15.09",
    "pistol": "W-PISTOL",
    "big_guns": "T-5.4",
    "overwatch": "S-FO",
}


def _carries(t: Table, unit: int, *abilities: str) -> bool:
    return any(
        not w.melee and t.rules.weapon_has(m, w, ability)
        for m in stands(t, unit, "normal")
        for w in t.model(m).weapons
        for ability in abilities
    )


def shooting_type(t: Table, unit: int, way: str) -> Reason | None:
    return may_use_type(t, unit, way)


# --------------------------------------------------------------------------------------------------------- charge
def may_charge(t: Table, unit: int) -> Reason | None:
    """Eligible to declare a charge. Rules: 11e 11.02; 10e T-7.1."""
    refused = _has_done(t, unit, Did.CHOSEN_CHARGE, "charge", "eligible_to_charge")
    if refused:
        return refused
    name = t.name(unit)
    if "AIRCRAFT" in t.keywords(unit):
        return t.reason("eligible_to_charge", f"{name} is AIRCRAFT")
    if t.state.did(unit, Did.ADVANCED) and not t.rules.permits("charge", unit, "advance"):
        return t.reason("eligible_to_charge", f"{name} advanced this turn")
    if t.state.did(unit, Did.FELL_BACK) and not t.rules.permits("charge", unit, "fall_back"):
        return t.reason("eligible_to_charge", f"{name} fell back this turn")
    if t.state.did(unit, Did.NO_CHARGE) and not t.rules.permits("charge", unit, "that move"):
        return t.reason("eligible_to_charge", f"{name} cannot charge this turn (it disembarked)")
    if t.is_engaged(unit):
        return t.reason("eligible_to_charge", f"{name} is engaged with {t.name(t.engaged_with(unit)[0])}")
    forbidding = t.rules.forbids("charge", unit)
    if forbidding:
        return t.reason("eligible_to_charge", f"{forbidding} forbids it")
    nearest = t.nearest_enemy(unit)
    reach = t.setting.numbers.charge_within
    if nearest is None or nearest[1] > reach:
        detail = "no enemy unit" if nearest is None else f'nearest enemy {t.name(nearest[0])} {nearest[1]:.1f}" away'
        return t.reason("eligible_to_charge", f'{detail}, {reach:g}" needed')
    return None


def charge_target(t: Table, unit: int, target: int, reach: int) -> Reason | None:
    """Within 12", and (11e) within the maximum distance. Rules: 11e 11.04; 10e T-7.2."""
    gap, limit = t.gap(unit, target), t.setting.numbers.charge_within
    if gap > limit:
        return t.reason("charge_move", f'{t.name(target)} is {gap:.1f}" away, within {limit:g}" needed')
    if reach != NOBODY and gap * MIL > reach + 1:
        return t.reason("charge_move", f'{t.name(target)} is {gap:.1f}" away, charge roll {reach / MIL:g}"')
    if "AIRCRAFT" in t.keywords(target) and not t.has(unit, "FLY"):
        return t.reason("charge_move", f"{t.name(target)} is AIRCRAFT: only units that FLY may charge it")
    return None


# ---------------------------------------------------------------------------------------------------------- fight
def may_fight(t: Table, unit: int) -> Reason | None:
    """Eligible to fight. Rules: 11e 12.04; 10e T-8.1."""
    refused = _has_done(t, unit, Did.CHOSEN_FIGHT, "fight", "eligible_to_fight")
    if refused:
        return refused
    ready = Did.CHARGED | Did.ELIGIBLE_TO_FIGHT
    if t.setting.numbers.engaged_at_start_fight:
        ready |= Did.ENGAGED_AT_START
    if t.has(unit, "AIRCRAFT") and not any(t.has(e, "FLY") for e in t.in_combat_with(unit)):
        return t.reason("aircraft", f"{t.name(unit)} is AIRCRAFT and engaged with no unit that can FLY")
    if not t.in_combat_with(unit) and not t.state.did(unit, ready):
        return t.reason("eligible_to_fight", f"{t.name(unit)} is not engaged and did not charge this turn")
    return None


def may_fight_first(t: Table, unit: int) -> Reason | None:
    """Eligible to fight, with Fights First on every model. Rules: 11e 12.04, 24.13; 10e T-8.1."""
    refused = may_fight(t, unit)
    if refused:
        return refused
    if not fights_first(t, unit):
        return t.reason("eligible_to_fight", f"{t.name(unit)} has not Fights First")
    return None


def fights_first(t: Table, unit: int) -> bool:
    """It charged, was given it, or every model's datasheet has it."""
    if t.state.did(unit, Did.FIGHTS_FIRST | Did.FIGHTS_NEXT):
        return True
    return t.all_have(unit, "fights first") or t.rules.permits("fights_first", unit, "")


def may_pile_in(t: Table, unit: int) -> Reason | None:
    """Rules: 11e 12.03."""
    if t.state.did(unit, Did.PILED_IN):
        return t.reason("pile_in", f"{t.name(unit)} already piled in")
    if "AIRCRAFT" in t.keywords(unit):
        return t.reason("pile_in", f"{t.name(unit)} is AIRCRAFT")
    if t.is_engaged(unit) or t.state.did(unit, Did.CHARGED):
        return None
    return t.reason("pile_in", f"{t.name(unit)} is not engaged and did not charge this turn")


def may_consolidate(t: Table, unit: int) -> Reason | None:
    """Rules: 11e 12.08."""
    if t.state.did(unit, Did.CONSOLIDATED):
        return t.reason("consolidate", f"{t.name(unit)} already consolidated")
    if "AIRCRAFT" in t.keywords(unit):
        return t.reason("consolidate", f"{t.name(unit)} is AIRCRAFT")
    ready = Did.CHOSEN_FIGHT | Did.ENGAGED_AT_START | Did.CHARGED | Did.ELIGIBLE_TO_FIGHT
    if not t.is_engaged(unit) and not t.state.did(unit, ready):
        return t.reason("consolidate", f"{t.name(unit)} was not eligible to fight this phase")
    if consolidation_mode(t, unit) is None:
        return t.reason("consolidate", f'no enemy and no objective within {t.setting.numbers.consolidate:g}"')
    return None


def fight_type(t: Table, unit: int, way: str) -> Reason | None:
    """Normal when engaged; overrun when unengaged, or engaged only since the Fight step began (11e 12.05, 12.06)."""
    if way == "normal":
        return None if t.is_engaged(unit) else t.reason("12.05", f"{t.name(unit)} is not engaged")
    if t.is_engaged(unit) and t.state.did(unit, Did.ENGAGED_AT_START):
        return t.reason("12.06", f"{t.name(unit)} was engaged when the Fight step began")
    return None


def pile_in_target(t: Table, unit: int, target: int, reach: int) -> Reason | None:
    """An unengaged unit may pile in towards enemies within 5" (11e 12.03)."""
    if target not in t.foes(unit):
        return t.reason("aircraft", f"{t.name(target)} is AIRCRAFT and {t.name(unit)} does not FLY")
    gap, limit = t.gap(unit, target), t.setting.numbers.pile_in_within or 0.0
    return (
        None if gap <= limit else t.reason("pile_in", f'{t.name(target)} is {gap:.1f}" away, within {limit:g}" needed')
    )


def consolidation_target(t: Table, unit: int, target: int, reach: int) -> Reason | None:
    """Engaging consolidation: enemies within 3" (11e 12.08)."""
    if target not in t.foes(unit):
        return t.reason("aircraft", f"{t.name(target)} is AIRCRAFT and {t.name(unit)} does not FLY")
    gap, limit = t.gap(unit, target), t.setting.numbers.consolidate
    if gap <= limit:
        return None
    return t.reason("consolidate", f'{t.name(target)} is {gap:.1f}" away, within {limit:g}" needed')


PREDICATES.units |= {
    "move": may_move,
    "arrive": may_arrive,
    "deploy": may_deploy,
    "scout": may_scout,
    "shoot": may_shoot,
    "charge": may_charge,
    "fight": may_fight,
    "fight_first": may_fight_first,
    "pile_in": may_pile_in,
    "consolidate": may_consolidate,
}
PREDICATES.ways |= {
    "super_heavy_walker": lambda t, unit, what: None,
    "redeploy": lambda t, unit, what: None,
    "hover": lambda t, unit, what: None,
    "option": lambda t, unit, what: None,
    "lethal_hits": lambda t, unit, what: None,
    "take_to_the_skies": lambda t, unit, what: None,
    "move_type": may_make_move,
    "fall_back_mode": fall_back_mode,
    "embark": embark_choice,
    "consolidation_objective": lambda t, unit, what: None,
    "shooting_type": shooting_type,
    "fight_type": fight_type,
}
PREDICATES.targets |= {
    "charge": charge_target,
    "pile_in": pile_in_target,
    "consolidation": consolidation_target,
}
PREDICATES.start_in = may_start_in
