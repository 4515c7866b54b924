"""Unit against unit: the question a person asks, written as an odds request, and its answer with all that was assumed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

from msgspec import Struct

from battlewright.attack.arms import Armoury, Shot, has, is_melee
from battlewright.attack.lines import FLAGS, NUMBERS, OTHERS, line
from battlewright.attack.units import Kind, Unit
from battlewright.attack.worn import worn
from battlewright.catalogue.lookup import way_to_add
from battlewright.datasheet import Weapon
from battlewright.effects import EditionId
from battlewright.errors import BadInput
from battlewright.names import suggested


class Moment(Struct, frozen=True, kw_only=True):
    """What is true when the attack is made. ``distance`` in inches; None: in range of every weapon, not in half range.

    ``attacker_is`` and ``target_is``: more that is true of either (:data:`FACTS`, ``on an own objective``, a named state).
    ``readings``: open points of the rules read otherwise (``name``, ``name=no``).
    """

    distance: float | None = None
    half_range: bool = False
    melee: bool | None = None
    cover: bool = False
    charged: bool = False
    stationary: bool = False
    snap: bool = False
    indirect: bool = False
    attacker_wounded: int = 0
    target_wounded: int = 0
    with_weapons: tuple[str, ...] = ()
    turn: str | None = None
    round: int | None = None
    closest: bool | None = None
    attacker_is: tuple[str, ...] = ()
    target_is: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()


#: What may be said of a unit with ``--attacker-is`` and ``--target-is``; anything else is taken as a named state.
FACTS: Final = (
    "battle-shocked", "engaged", "below half-strength", "below starting strength", "leading", "charged", "advanced",
    "fell back", "stationary", "disembarked", "set up",
)  # fmt: skip


class Matchup(Struct, frozen=True):
    """A question ready to be answered: the request, the weapons in it, and what was chosen or assumed on the way."""

    attacker: Unit
    target: Unit
    edition: EditionId
    moment: Moment
    melee: bool
    shots: tuple[Shot, ...]
    request: dict[str, Any]
    notes: tuple[str, ...]


def edition_of(units: Iterable[Unit], wanted: EditionId | None) -> EditionId:
    """The edition whose rules are used; units of two editions need it said.

    Raises :class:`BadInput`.
    """
    found = {unit.edition for unit in units}
    if wanted is not None:
        return wanted
    if len(found) > 1:
        told = ", ".join(f"{unit.name} {unit.edition}" for unit in units)
        raise BadInput(f"units of two editions ({told}): say whose rules with --edition", "--edition")
    return found.pop()


def matchup(
    attacker: Unit, target: Unit, moment: Moment, edition: EditionId, judge: Callable[[dict[str, Any]], float]
) -> Matchup:
    """Choose the weapons, and write the question; ``judge`` gives the mean damage of a request (to choose profiles).

    Raises :class:`BadInput` for weapons nobody has, a target without stat line, no weapon in range.
    """
    attacker, target = worn(attacker), worn(target)
    named = moment.with_weapons
    melee = is_melee(attacker, named, charged=moment.charged) if moment.melee is None else moment.melee
    asked = _Asked(attacker, target, _target(target, moment, melee=melee), moment, edition, melee)
    armoury = Armoury(attacker, melee, lambda shots: judge(asked.request(tuple(shots))), moment.distance)
    shots = armoury.chosen(named)
    if not shots:
        raise BadInput(_no_weapon(moment, melee=melee), attacker.name)
    notes = [*attacker.notes, *target.notes, *_foreign((attacker, target), edition), *armoury.notes]
    notes += [*_named_states(moment), *_silent(shots, moment), *_out_of_reach(attacker, target, moment, melee=melee)]
    return Matchup(attacker, target, edition, moment, melee, shots, asked.request(shots), tuple(dict.fromkeys(notes)))


def _out_of_reach(attacker: Unit, target: Unit, moment: Moment, *, melee: bool) -> list[str]:
    """Rules that would forbid the attack as asked. The odds are still told; that it may not happen is told too."""
    if melee:
        return []
    notes = []
    lone = next((ability for ability in target.abilities if ability.name.casefold() == "lone operative"), None)
    if lone is not None and target.models == 1:
        reach = lone.amount.constant if lone.amount is not None and lone.amount.constant else 12
        if moment.distance is None or moment.distance > reach:
            notes.append(f'{target.name}: Lone Operative, no target from beyond {reach}" (11e 24.24; 10e T-5.6)')
    if moment.snap and moment.distance is not None and moment.distance > 24:
        notes.append('snap shooting reaches no farther than 24" (11e 15.09; 10e S-FO)')
    if moment.snap and attacker.has("TITANIC"):
        notes.append(f"{attacker.name} is TITANIC: never the target of Fire Overwatch (11e 15.08; 10e S-FO)")
    return notes


def _foreign(units: Iterable[Unit], edition: EditionId) -> list[str]:
    return [
        f"{unit.name} is a {unit.edition} datasheet, used here by the rules of {edition}"
        for unit in units
        if unit.edition != edition
    ]


def _no_weapon(moment: Moment, *, melee: bool) -> str:
    if melee:
        return "it has no melee weapon"
    return "it has no ranged weapon" + (f' that reaches {moment.distance:g}"' if moment.distance is not None else "")


# ------------------------------------------------------------------------------------------------------ the request


class _Asked(NamedTuple):
    """All of a question but the weapons."""

    attacker: Unit
    target: Unit
    aim: dict[str, Any]
    moment: Moment
    edition: EditionId
    melee: bool

    def request(self, shots: tuple[Shot, ...]) -> dict[str, Any]:
        """The odds request of these shots; rapid fire and melta only of weapons in half range."""
        moment = self.moment
        halves = [_is_half(shot.weapon, moment) for shot in shots]
        attack: dict[str, Any] = {
            "weapons": [_line(shot, half=half, moment=moment) for shot, half in zip(shots, halves, strict=True)]
        }
        if sufferer := _sufferer(self.attacker, moment):
            attack["attacker"] = sufferer
        flags = {
            "half_range": any(halves),
            "stationary": moment.stationary,
            "charged": moment.charged,
            "snap": moment.snap,
        }
        attack |= {name: True for name, holds in flags.items() if holds}
        situation = _situation(self.attacker, self.target, moment, melee=self.melee)
        request = {"edition": self.edition, "attack": attack, "target": self.aim, "situation": situation}
        return request | ({"readings": _readings(moment.readings)} if moment.readings else {})


def _readings(words: Iterable[str]) -> dict[str, bool]:
    """``name``, ``name=yes`` or ``name=no`` for each open point."""
    found = {}
    for each in words:
        name, _, value = each.partition("=")
        found[name.strip().replace("-", "_")] = value.strip().casefold() not in ("no", "false", "0")
    return found


def _is_half(weapon: Weapon, moment: Moment) -> bool:
    if weapon.melee:
        return False
    return moment.half_range or (moment.distance is not None and moment.distance <= weapon.range / 2)


def _line(shot: Shot, *, half: bool, moment: Moment) -> dict[str, Any]:
    far = moment.distance is not None and moment.distance > 12
    indirect = moment.indirect and has(shot.weapon, "indirect fire")
    return line(shot.weapon, shot.count, half=half, far=far, indirect=indirect)


def _sufferer(attacker: Unit, moment: Moment) -> dict[str, Any]:
    """The attacking unit as the one its own hazardous weapons hurt; nothing where its Wounds are not known."""
    wounds = _wounds(attacker)
    if wounds is None:
        return {}
    found = {
        "models": attacker.models,
        "W": wounds,
        "wounded": min(moment.attacker_wounded, wounds - 1),
        "FNP": _core_number(attacker, "feel no pain"),
        "monster_vehicle": attacker.has("MONSTER") or attacker.has("VEHICLE"),
    }
    return {name: value for name, value in found.items() if value}


def _wounds(unit: Unit) -> int | None:
    """The Wounds most models of the unit have."""
    wounds = [kind.profile.W for kind in unit.kinds for _ in range(kind.count) if kind.profile.W is not None]
    return max(set(wounds), key=wounds.count) if wounds else None


def _target(target: Unit, moment: Moment, *, melee: bool) -> dict[str, Any]:
    """The target's allocation groups: equal models together, characters last. Rules: 11e 05.03; 10e T-6.4."""
    missing = sorted(
        {name for kind in target.kinds for name in ("T", "Sv", "W") if getattr(kind.profile, name) is None}
    )
    if missing:
        way = f'give --stats "T 4 Sv 3+ W 2 …", or {way_to_add(target.edition)}'
        raise BadInput(f"its {', '.join(missing)} is not known: {way}", target.name)
    attached = target.models > 1
    groups = [
        _group(kind, target, character=attached and _is_character(kind, target), melee=melee) for kind in target.kinds
    ]
    merged = list[dict[str, Any]]()
    for group in groups:
        twin = next(
            (each for each in merged if {**each, "models": 0} == {**group, "models": 0} and not group.get("character")),
            None,
        )
        if twin:
            twin["models"] += group["models"]
        else:
            merged.append(group)
    merged.sort(key=lambda group: bool(group.get("character")))
    if moment.target_wounded:
        merged[0]["wounded"] = moment.target_wounded
    aim: dict[str, Any] = {"groups": merged, "keywords": [*target.keywords, *target.faction_keywords]}
    if moment.cover:
        aim["cover"] = True
    if any(ability.kind == "core" and ability.name.casefold() == "stealth" for ability in target.abilities):
        aim["stealth"] = True
    return aim


def _is_character(kind: Kind, target: Unit) -> bool:
    return "CHARACTER" in kind.keywords or (len(target.kinds) == 1 and "CHARACTER" in target.keywords)


def _group(kind: Kind, target: Unit, *, character: bool, melee: bool) -> dict[str, Any]:
    profile = kind.profile
    group: dict[str, Any] = {"models": kind.count, "T": profile.T, "W": profile.W, "Sv": profile.Sv}
    against = profile.InSv_against
    if profile.InSv is not None and (against is None or (against == "melee") == melee):
        group["InSv"] = profile.InSv
    fnp = target.fnp or _core_number(target, "feel no pain")
    if fnp is not None:
        group["FNP"] = fnp
    if character:
        group["character"] = True
    return group


def _core_number(unit: Unit, name: str) -> int | None:
    amounts = [
        ability.amount for ability in unit.abilities if ability.kind == "core" and ability.name.casefold() == name
    ]
    return next((amount.constant for amount in amounts if amount is not None), None)


def _situation(attacker: Unit, target: Unit, moment: Moment, *, melee: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "attack_type": "melee" if melee else "ranged",
        "attacker": _side(attacker, moment.attacker_wounded, moment.attacker_is),
        "target": _side(target, moment.target_wounded, moment.target_is),
    }
    if moment.distance is not None and not melee:
        found["range_in"] = moment.distance
    found["attacker"] |= {key: True for key in ("charged", "stationary") if getattr(moment, key)}
    for key in ("turn", "round", "closest"):
        if getattr(moment, key) is not None:
            found[key] = getattr(moment, key)
    return found


def _side(unit: Unit, wounds_lost: int, said: Iterable[str]) -> dict[str, Any]:
    """A side at full strength, but for the wounds lost by one model. Rules: 11e 01.02.01; 10e T-1.8."""
    side: dict[str, Any] = {"models": unit.models, "starting_models": unit.models, "wounds_lost": wounds_lost}
    wounds = _wounds(unit)
    if unit.models > 1 or not wounds_lost:
        side |= {"below_starting_strength": False, "below_half_strength": False}
    elif wounds is not None:
        side["below_half_strength"] = 2 * (wounds - wounds_lost) < wounds
    if unit.keywords:
        side["keywords"] = [*unit.keywords, *unit.faction_keywords]
    if unit.faction_keywords:
        side["faction"] = unit.faction_keywords[0]
    for words in said:
        _say(side, " ".join(words.casefold().replace("_", " ").split()))
    return side


def _say(side: dict[str, Any], words: str) -> None:
    """Put one more fact into a side of the situation.

    >>> side = {}
    >>> for words in ("battle-shocked", "on an enemy objective", "marked"): _say(side, words)
    >>> side
    {'battle_shocked': True, 'on_objective': 'enemy', 'states': ['marked']}
    """
    negative = words.startswith("not ")
    plain = words.removeprefix("not ")
    if plain in FACTS:
        side[plain.replace(" ", "_").replace("-", "_")] = not negative
    elif found := re.fullmatch(r"on (?:an? )?(own|enemy|contested) objective", plain):
        side["on_objective"] = found[1]
    elif plain in ("on no objective", "on an objective") and (negative or "no" in plain.split()):
        side["on_objective"] = "none"
    else:
        side.setdefault("states", []).append(words)


def _named_states(moment: Moment) -> list[str]:
    """States we know only by the name given: a slip of the pen would change nothing and be missed."""
    notes = []
    for said in (*moment.attacker_is, *moment.target_is):
        side: dict[str, Any] = {}
        _say(side, " ".join(said.casefold().replace("_", " ").split()))
        for words in side.get("states", ()):
            close = get_close_matches(words.removeprefix("not "), FACTS, 1, 0.75)
            notes.append(f"“{words}” counts only for a rule that names it{suggested(close)}")
    return notes


def _silent(shots: tuple[Shot, ...], moment: Moment) -> list[str]:
    """What bears on the question and changes no number of it, so that nobody misses it."""
    notes = []
    names = {ability.name for shot in shots for ability in shot.weapon.abilities}
    if moment.distance is None and not moment.half_range and names & {"rapid fire", "melta"}:
        notes.append("distance not given: in range, not in half range (give --range)")
    if "conversion" in names and moment.distance is None:
        notes.append("[CONVERSION] not counted: give --range")
    if "heavy" in names and not moment.stationary:
        notes.append("[HEAVY] not counted: the attacker has moved (give --stationary)")
    if "lance" in names and not moment.charged:
        notes.append("[LANCE] not counted: no charge (give --charged)")
    if "one shot" in names:
        notes.append("[ONE SHOT]: once a battle")
    if "indirect fire" in names and not moment.indirect:
        notes.append("[INDIRECT FIRE]: the target is taken as visible (else give --indirect)")
    unknown = names - set(FLAGS) - set(NUMBERS) - set(OTHERS) - {"anti", "blast", "conversion"}
    return notes + [f"[{name.upper()}] not counted: not an ability we know" for name in sorted(unknown)]
