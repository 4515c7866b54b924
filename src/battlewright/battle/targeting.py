"""Weapons and their targets: what may attack what, and whole declarations.

Rules: 11e 04.01-04.02, 10.04-10.07, 17.03, 24; 10e T-5.2, T-5.4, T-5.6, T-8.2, W-*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from battlewright.battle.choices import Choice, Declare, Shot
from battlewright.battle.decisions import PREDICATES, DeclareAttacks
from battlewright.battle.sight import look_at, sees
from battlewright.battle.state import Did
from battlewright.battlefield import gaps, in_contact
from battlewright.datasheet import Weapon
from battlewright.errors import Reason

if TYPE_CHECKING:
    from battlewright.battle.table import Table

SNAP_RANGE = 24.0
LONE_OPERATIVE = 12.0


def distance_to(t: Table, unit: int, target: int) -> dict[int, float]:
    """Inches from each living model of a unit to the closest model of another."""
    return t.standing((unit, target), ("near", unit, target), lambda: _distance_to(t, unit, target))


def _distance_to(t: Table, unit: int, target: int) -> dict[int, float]:
    nearest = gaps(t.poses(unit), t.poses(target)).min(axis=1, initial=inf)
    return dict(zip(t.alive(unit), nearest.tolist(), strict=True))


# ---------------------------------------------------------------------------------------------------- firing deck
def stands(t: Table, unit: int, way: str) -> dict[int, int]:
    """Who may attack for a unit, and the model each attacks from: its own models, and passengers on its Firing Deck.

    Rules: 11e 24.14; 10e T-10.6: the transport's own position and state count, and its own rules. Destroyed models that a
    rule lets attack before they are removed do so alone.
    """
    return t.cached(("stands", unit, way), lambda: _stands(t, unit, way))


def _stands(t: Table, unit: int, way: str) -> dict[int, int]:
    last = t.state.marks.get(f"last stand|{unit}")
    if last is not None:
        return {m: m for m in t.alive(unit) if m in last}
    return {m: m for m in t.alive(unit)} | _deck(t, unit, way)


def _deck(t: Table, unit: int, way: str) -> dict[int, int]:
    phase = t.state.phase == "shooting" and t.state.turn == t.owner(unit)
    if way in ("fight", "snap", "overwatch") or not phase or not deck_size(t, unit):
        return {}
    at = deck_of(t, unit)
    aboard = [u for u in t.passengers(unit) if not t.state.did(u, Did.CHOSEN_SHOOT | Did.SHOT | Did.FIRED_PASSENGERS)]
    return {m: at for u in aboard for m in t.alive(u)}


def deck_of(t: Table, unit: int) -> int:
    """The model passengers of a unit fire from."""
    return next(m for m in t.alive(unit) if t.rules.core(t.model(m).unit, "firing deck"))


def deck_size(t: Table, unit: int) -> int:
    """How many passengers may fire from a unit."""
    found = [t.rules.core(part, "firing deck") for part in t.parts(unit) if any(map(t.wounds, t.unit(part).models))]
    return max((1 if value is True else value.bonus for value in found if value), default=0)


def _why_not_deck(t: Table, unit: int, shots: tuple[Shot, ...]) -> Reason | None:
    """Up to X passengers, one weapon each."""
    own = set(t.alive(unit))
    fired = Counter(shot.model for shot in shots if t.model_index(shot.model) not in own)
    most = deck_size(t, unit)
    if len(fired) > most:
        return t.reason("firing_deck", f"{len(fired)} passengers fire from {t.name(unit)}, at most {most}")
    twice = next((model for model, count in fired.items() if count > 1), None)
    return t.reason("firing_deck", f"{twice} fires one weapon from {t.name(unit)}") if twice else None


# ------------------------------------------------------------------------------------------------------- weapons
def ranged(t: Table, model: int) -> list[int]:
    """The places of a model's ranged weapons."""
    return [place for place, weapon in enumerate(t.model(model).weapons) if not weapon.melee]


def why_not_weapon(t: Table, unit: int, model: int, place: int, way: str) -> Reason | None:
    """May this weapon be used at all, in this type of attack?"""
    weapon, at = t.model(model).weapons[place], stands(t, unit, way)[model]
    if way == "fight":
        return None if weapon.melee else t.reason("select_weapons", f"{weapon.title} is no melee weapon")
    if weapon.melee:
        return t.reason("select_weapons", f"{weapon.title} is no ranged weapon")
    if t.rules.weapon_has(model, weapon, "one shot") and t.state.uses("one shot", model, place):
        return t.reason("one_shot", f"{weapon.title} was already used this battle")
    if at != model and t.rules.weapon_has(model, weapon, "one shot"):
        return t.reason("firing_deck", f"{weapon.title} is a [ONE SHOT] weapon")
    model = at
    heavy = not t.model(model).keywords.isdisjoint(("MONSTER", "VEHICLE"))
    close = t.rules.weapon_has(model, weapon, "pistol") or t.rules.weapon_has(model, weapon, "close-quarters")
    if way == "assault" and not t.rules.weapon_has(model, weapon, "assault"):
        return t.reason("select_weapons", f"{weapon.title} is no [ASSAULT] weapon and {t.name(unit)} advanced")
    if way in ("close_quarters", "pistol") and not heavy and not close:
        return t.reason("select_weapons", f"{weapon.title} is no [PISTOL] or [CLOSE-QUARTERS] weapon")
    return None


def why_not_target(t: Table, unit: int, model: int, place: int, target: int, way: str) -> Reason | None:
    """May this weapon attack that unit?"""
    if way == "fight":
        return _why_not_melee(t, unit, model, target)
    return t.cached(("aim", model, place, target, way), lambda: (_why_not_aim(t, unit, model, place, target, way),))[0]


def _why_not_aim(t: Table, unit: int, model: int, place: int, target: int, way: str) -> Reason | None:
    weapon, model = t.model(model).weapons[place], stands(t, unit, way)[model]
    away = distance_to(t, unit, target)[model]
    reach = t.rules.weapon_range(model, weapon)
    if away > reach:
        return t.reason("select_targets", f'nearest model of {t.name(target)} {away:.1f}" away, range {reach:g}"')
    return (
        _why_not_engaged(t, unit, model, weapon, target, way)
        or _why_not_protected(t, unit, model, weapon, target, away)
        or _why_not_seen(t, unit, model, weapon, target, way)
        or _why_not_snap(t, unit, target, way)
        or t.rules.why_not_target(unit, target, "shoot", away)
    )


def _why_not_snap(t: Table, unit: int, target: int, way: str) -> Reason | None:
    if way in ("snap", "overwatch") and t.gap(unit, target) > SNAP_RANGE:
        return t.reason("snap", f'{t.name(target)} is {t.gap(unit, target):.1f}" away, at most {SNAP_RANGE:g}"')
    return None


def _why_not_engaged(t: Table, unit: int, model: int, weapon: Weapon, target: int, way: str) -> Reason | None:
    """Enemies in combat may not be shot, with the exceptions (11e 04.02, 10.06, 17.03; 10e T-5.2, T-5.4)."""
    combat = t.engaged_with(target)
    own = unit in combat
    blast = t.rules.weapon_has(model, weapon, "blast")
    if combat and blast:
        return t.reason("blast", f"{t.name(target)} is engaged with {t.name(combat[0])}: no [BLAST]")
    heavy = t.has(target, "MONSTER", "VEHICLE")
    shooter_heavy = not t.model(model).keywords.isdisjoint(("MONSTER", "VEHICLE")) or way == "big_guns"
    if way in ("close_quarters", "pistol", "big_guns"):
        if own:
            return None
        if way == "pistol" or not shooter_heavy:
            return t.reason("select_targets", f"{t.name(unit)} is engaged and {t.name(target)} is not in that combat")
    if combat and not (heavy and way not in ("snap", "overwatch")):
        return t.reason("select_targets", f"{t.name(target)} is engaged with {t.name(combat[0])}")
    return None


def _why_not_protected(t: Table, unit: int, model: int, weapon: Weapon, target: int, away: float) -> Reason | None:
    """Lone Operative (11e 24.24; 10e T-5.6)."""
    if len(t.parts(target)) == 1 and t.rules.core(target, "lone operative"):
        reach = t.rules.core(target, "lone operative")
        limit = LONE_OPERATIVE if isinstance(reach, bool) else float(reach.bonus)
        if away > limit:
            detail = f'{t.name(target)} is a Lone Operative {away:.1f}" away, within {limit:g}" needed'
            return t.reason("lone_operative", detail)
    return None


def _why_not_seen(t: Table, unit: int, model: int, weapon: Weapon, target: int, way: str) -> Reason | None:
    blind = t.rules.weapon_has(model, weapon, "indirect fire") and (
        way == "indirect" or t.setting.numbers.indirect_any_way
    )
    blind &= not t.rules.weapon_has(model, weapon, "torrent")  # never fired indirectly (11e 24.37; 10e W-INDIRECT)
    if blind and way not in ("snap", "overwatch"):
        return None
    if not sees(t, unit, target).get(model, False):
        return t.reason("select_targets", f"{t.model_name(model)} sees no model of {t.name(target)}")
    return None


def _why_not_melee(t: Table, unit: int, model: int, target: int) -> Reason | None:
    """11e: engaged with the model itself; 10e: or with a friend it touches that touches an enemy (T-8.2)."""
    if model in fighters(t, unit, target):
        return None
    detail = f"{t.model_name(model)} is not engaged with {t.name(target)}"
    return t.reason("eligible_to_fight" if not t.is_engaged(unit) else "select_weapons", detail)


def fighters(t: Table, unit: int, target: int) -> frozenset[int]:
    """The models of a unit that can attack a unit in melee."""
    return t.cached(("fighters", unit, target), lambda: _fighters(t, unit, target))


def _fighters(t: Table, unit: int, target: int) -> frozenset[int]:
    if target not in t.in_combat_with(unit):
        return frozenset()
    if "AIRCRAFT" in t.keywords(unit) and not t.has(target, "FLY"):
        return frozenset()  # it fights units that FLY only (11e 23.04; 10e T-9.8)
    engaged = {*t.models_engaged_with(unit, target), *t.over_barricade(unit, target)}
    if t.setting.numbers.fights_with_chain:
        own, foe = t.poses(unit), t.poses(target)
        first = np.asarray(in_contact(own, foe).any(axis=1))
        chained = np.asarray((in_contact(own, own) & first[None, :]).any(axis=1))
        engaged |= {m for m, hit in zip(t.alive(unit), chained.tolist(), strict=True) if hit}
    if "AIRCRAFT" in t.keywords(target):  # only models that FLY attack it (11e 23.04; 10e T-9.8)
        engaged = {m for m in engaged if "FLY" in t.model(m).keywords}
    return frozenset(engaged)


def any_target(t: Table, unit: int, way: str) -> bool:
    """Has any weapon of the unit an eligible target?"""
    return any(True for _ in possible_shots(t, unit, way))


def longest(t: Table, unit: int, way: str) -> float:
    """The longest range of the weapons a unit may shoot with, those of passengers on its Firing Deck included."""
    return t.cached(("longest", unit, way), lambda: _longest(t, unit, way))


def _longest(t: Table, unit: int, way: str) -> float:
    weapons = [(at, w) for m, at in stands(t, unit, way).items() for w in t.model(m).weapons if not w.melee]
    return max((t.rules.weapon_range(at, w) for at, w in weapons), default=0.0)


def possible_shots(t: Table, unit: int, way: str, only: tuple[int, ...] = ()) -> Iterator[tuple[int, int, int]]:
    """Every (model, weapon, target) that may be chosen."""
    targets = [target for target in only if t.alive(target)] if only else list(t.enemies(unit))
    if way != "fight":
        targets = [target for target in targets if t.gap(unit, target) <= longest(t, unit, way)]
        look_at(t, unit, targets)
    for model in stands(t, unit, way):
        for place in range(len(t.model(model).weapons)):
            if why_not_weapon(t, unit, model, place, way) is None:
                for target in targets:
                    if why_not_target(t, unit, model, place, target, way) is None:
                        yield model, place, target


# -------------------------------------------------------------------------------------------------- declarations
def why_not_declare(t: Table, decision: DeclareAttacks, choice: Declare) -> Reason | None:
    """Is this whole declaration legal?"""
    unit, way = decision.unit, decision.way
    alive = stands(t, unit, way)
    for shot in choice.shots:
        model, target = t.model_index(shot.model), t.index(shot.target)
        if model is None or model not in alive:
            return t.reason("select_weapons", f"{shot.model} is no living model of {t.name(unit)}")
        if not 0 <= shot.weapon < len(t.model(model).weapons):
            return t.reason("select_weapons", f"{shot.model} has no weapon {shot.weapon}")
        if target is None or target not in t.enemies(unit):
            return t.reason("select_targets", f"no enemy unit {shot.target} on the battlefield")
        if decision.only and target not in decision.only:
            return t.reason("select_targets", f"only {', '.join(map(t.name, decision.only))} may be targeted now")
        refused = why_not_weapon(t, unit, model, shot.weapon, way) or why_not_target(
            t, unit, model, shot.weapon, target, way
        )
        if refused is not None:
            return refused
    return _why_not_deck(t, unit, choice.shots) or _why_not_together(t, decision, choice)


def _why_not_together(t: Table, decision: DeclareAttacks, choice: Declare) -> Reason | None:
    """What a model may not combine: profiles, pistols with others, several melee weapons, one weapon twice."""
    if decision.way in ("snap", "overwatch") and len({shot.target for shot in choice.shots}) > 1:
        return t.reason("snap", "one target only")
    by_model: dict[str, list[Shot]] = {}
    for shot in choice.shots:
        by_model.setdefault(shot.model, []).append(shot)
    for name, shots in by_model.items():
        model = t.model_index(name)
        assert model is not None
        refused = _why_not_model(t, decision, model, shots)
        if refused is not None:
            return refused
    return _why_not_missing(t, decision, by_model) if decision.way == "fight" else None


def _why_not_model(t: Table, decision: DeclareAttacks, model: int, shots: list[Shot]) -> Reason | None:
    weapons = t.model(model).weapons
    times = Counter(shot.weapon for shot in shots)
    used = [weapons[place] for place in times]
    name = t.model_name(model)
    if decision.way != "fight" and max(times.values()) > 1:
        return t.reason("select_targets", f"{name}: one target a weapon")
    profiles = Counter(w.name for w in used)
    carried = Counter(w.name for w in weapons if w.profile == _first_profile(weapons, w.name))
    for weapon, count in profiles.items():
        if count > carried[weapon]:
            return t.reason("select_weapons", f"{name}: {weapon} has one profile at a time")
    if decision.way == "fight":
        return _why_not_blows(t, model, shots, used)
    if t.model(model).keywords.isdisjoint(("MONSTER", "VEHICLE")):
        close = {t.rules.weapon_has(model, w, "pistol") or t.rules.weapon_has(model, w, "close-quarters") for w in used}
        if len(close) > 1:
            return t.reason("select_weapons", f"{name} shoots either its pistols or its other weapons")
    return None


def _first_profile(weapons: tuple[Weapon, ...], name: str) -> str:
    return next(w.profile for w in weapons if w.name == name)


def _why_not_blows(t: Table, model: int, shots: list[Shot], used: list[Weapon]) -> Reason | None:
    """One melee weapon and every [EXTRA ATTACKS] weapon; split attacks at least one each, no more than A."""
    name = t.model_name(model)
    main = [w for w in used if not t.rules.weapon_has(model, w, "extra attacks")]
    if len(main) > 1:
        return t.reason("select_weapons", f"{name} fights with one melee weapon")
    for place in {shot.weapon for shot in shots}:
        parts = [shot for shot in shots if shot.weapon == place]
        if len(parts) == 1 and parts[0].attacks == 0:
            continue
        attacks = t.model(model).weapons[place].attacks
        if len({shot.target for shot in parts}) < len(parts) or any(shot.attacks < 1 for shot in parts):
            return t.reason("select_targets", f"{name}: split attacks need a number for each target")
        if (attacks.constant is None and len(parts) > 1) or sum(s.attacks for s in parts) != (attacks.constant or 0):
            return t.reason("select_targets", f"{name}: {attacks} attacks in all")
    return None


def _why_not_missing(t: Table, decision: DeclareAttacks, chosen: dict[str, list[Shot]]) -> Reason | None:
    """Every model that can fight does: one melee weapon is mandatory (11e 04.01; 10e T-8.2)."""
    unit = decision.unit
    targets = decision.only or t.in_combat_with(unit)
    for model in stands(t, unit, "fight"):
        name = t.model_name(model)
        if not any(model in fighters(t, unit, target) for target in targets):
            continue
        melee = [w for w in t.model(model).weapons if w.melee]
        if melee and name not in chosen:
            return t.reason("select_weapons", f"{name} can fight and must select a melee weapon")
        places = {shot.weapon for shot in chosen.get(name, ())}
        extra = [
            place
            for place, w in enumerate(t.model(model).weapons)
            if w.melee and t.rules.weapon_has(model, w, "extra attacks") and place not in places
        ]
        titles = {t.model(model).weapons[place].name for place in places}
        if any(t.model(model).weapons[place].name not in titles for place in extra):
            return t.reason("select_weapons", f"{name} fights with its [EXTRA ATTACKS] weapons too")
    return None


def candidate_declarations(t: Table, decision: DeclareAttacks) -> Iterator[Choice]:
    """A few declarations: everything at one unit, for each of them; everything at the nearest; nothing."""
    shots = list(possible_shots(t, decision.unit, decision.way, decision.only))
    targets = list(dict.fromkeys(target for _, _, target in shots))
    targets.sort(key=lambda e: (t.gap(decision.unit, e), e))
    seen = set()
    for target in targets:
        order = [target, *(e for e in targets if e != target)]
        split = decision.way not in ("snap", "overwatch")
        choice = Declare(tuple(_best(t, decision, shots, order if split else [target])))
        if choice.shots and choice not in seen:
            seen.add(choice)
            yield choice
    yield Declare()


def _best(t: Table, decision: DeclareAttacks, shots: list[tuple[int, int, int]], order: list[int]) -> Iterator[Shot]:
    """For each model the weapons it can use together, each at the first target of ``order`` it can attack."""
    by_model: dict[int, dict[int, list[int]]] = {}
    for model, place, target in shots:
        by_model.setdefault(model, {}).setdefault(place, []).append(target)
    room, own = deck_size(t, decision.unit), set(t.alive(decision.unit))
    for model, aims in by_model.items():
        places = _together(t, decision, model, list(aims))
        if model not in own:
            places = sorted(places, key=lambda p: -worth(t.model(model).weapons[p]))[: min(room, 1)]
            room -= len(places)
        for place in places:
            aimed = next((e for e in order if e in aims[place]), None)
            if aimed is not None:
                yield Shot(t.model_name(model), place, t.name(aimed))


def _together(t: Table, decision: DeclareAttacks, model: int, places: list[int]) -> list[int]:
    """A good legal set of a model's weapons: the best profile of each, pistols only when nothing else, one blade."""
    weapons = t.model(model).weapons
    best: list[int] = []
    by_name: dict[str, list[int]] = {}
    for place in places:
        by_name.setdefault(weapons[place].name, []).append(place)
    for name, options in by_name.items():
        first = _first_profile(weapons, name)
        copies = sum(w.name == name and w.profile == first for w in weapons)
        options.sort(key=lambda p: (-worth(weapons[p]), p))
        best += options[:copies] if len({weapons[p].profile for p in options}) == 1 else options[:1]
    if decision.way == "fight":
        extra = [p for p in best if t.rules.weapon_has(model, weapons[p], "extra attacks")]
        main = [p for p in best if p not in extra]
        return sorted(sorted(main, key=lambda p: (-worth(weapons[p]), p))[:1] + extra)
    if t.model(model).keywords.isdisjoint(("MONSTER", "VEHICLE")):
        close = [p for p in best if _is_close(t, model, weapons[p])]
        rest = [p for p in best if p not in close]
        return sorted(rest or close)
    return sorted(best)


def _is_close(t: Table, model: int, weapon: Weapon) -> bool:
    return t.rules.weapon_has(model, weapon, "pistol") or t.rules.weapon_has(model, weapon, "close-quarters")


def worth(weapon: Weapon) -> float:
    """A rough worth of a profile, to order candidates only."""
    skill = (7 - (weapon.skill or 2)) / 6
    return weapon.attacks.mean * skill * weapon.damage.mean * ((weapon.strength or 1) + 2) * (3 - weapon.ap)


def _can_attack(t: Table, decision: DeclareAttacks) -> bool:
    return any(True for _ in possible_shots(t, decision.unit, decision.way, decision.only))


PREDICATES.can_attack = _can_attack
PREDICATES.declarations, PREDICATES.why_not_declare = candidate_declarations, why_not_declare
