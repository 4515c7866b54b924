"""Which rules an answer rests on, by their ids, and what each modifier of the question is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields, replace

from battlewright.attack.exact import resolve
from battlewright.attack.plan import build
from battlewright.attack.request import NONE, Line, Request
from battlewright.editions import edition as edition_of

Kind = TypeVar("Kind", bound=Struct)


def cites(request: Request) -> tuple[str, ...]:
    """The ids of the rules that counted, in the order of the attack sequence.

    >>> from battlewright.attack.request import read
    >>> weapon = {"skill": 3, "S": 4, "lethal": True}
    >>> cites(read({"edition": "11e", "attack": {"weapons": [weapon]},
    ...             "target": {"groups": [{"models": 1, "T": 4, "W": 2, "Sv": 3}]}}))
    ('05.01', '24.23', '05.02', '05.02.01', '05.03', '05.04')
    """
    rules = edition_of(request.edition).rules
    found: dict[str, None] = {}
    for name in (name for line in request.attack.weapons for name in _used(request, line)):
        if name in rules:
            found[rules[name]] = None
    return tuple(found)


def _used(request: Request, line: Line) -> Iterator[str]:
    """The names of the rules one weapon meets."""
    attack, target = request.attack, request.target
    fives = sum(group.models for group in target.groups) >= 5
    yes = {
        "rapid fire": line.rapid_fire != NONE and attack.half_range,
        "blast": line.blast and fives,
        "cleave": line.cleave and line.melee and fives,
        "torrent": line.torrent,
        "hit": not line.torrent,
        "snap": attack.snap,
        "indirect fire": line.indirect,
        "heavy": line.heavy and attack.stationary,
        "stealth": target.stealth and not line.melee,
        "cover": (target.cover or line.indirect) and not line.melee and not line.ignores_cover,
        "ignores cover": line.ignores_cover and (target.cover or target.stealth),
        "modifiers": line.hit_mod or line.wound_mod or line.skill_mod or attack.hit_mod or attack.wound_mod
        or target.hit_mod or target.wound_mod or target.save_mod,
        "re-roll": line.reroll_hits != "none" or line.reroll_wounds != "none" or target.reroll_saves != "none",
        "sustained hits": line.sustained != NONE and not line.torrent,
        "lethal hits": line.lethal and not line.torrent,
        "wound": True,
        "toughness": True,
        "lance": line.lance and attack.charged,
        "twin-linked": line.twin_linked,
        "anti": {name.upper() for name in line.anti} & {name.upper() for name in target.keywords},
        "allocate": True,
        "attached": any(group.character for group in target.groups),
        "precision": line.precision and any(group.character for group in target.groups),
        "save": True,
        "damage": True,
        "melta": line.melta and attack.half_range,
        "devastating wounds": line.devastating,
        "feel no pain": any(group.FNP or group.FNP_mortal for group in target.groups),
        "hazardous": line.hazardous,
    }  # fmt: skip
    return (name for name, holds in yes.items() if holds)


class Worth(Struct, frozen=True):
    """What one rule or modifier adds in mean damage and in the chance to destroy: with it minus without it."""

    rule: str
    what: str
    damage: float
    p_destroyed: float


def worth(request: Request) -> tuple[Worth, ...]:
    """What each ability and modifier of the request is worth, by leaving it out, in the order they are written.

    >>> from battlewright.attack.request import read
    >>> gun = {"A": 6, "skill": 3, "S": 4, "lethal": True}
    >>> asked = read({"edition": "10e", "attack": {"weapons": [gun]},
    ...               "target": {"groups": [{"models": 9, "T": 4, "W": 1, "Sv": 7}]}})
    >>> [(each.rule, each.what, round(each.damage, 6)) for each in worth(asked)]
    [('W-LETHAL', 'lethal of weapon 1', 0.5)]
    """
    rules = edition_of(request.edition).rules
    whole = resolve(build(request))
    found = []
    for rule, what, without in _left_out(request):
        less = resolve(build(without))
        damage = float(whole.damage.mean) - float(less.damage.mean)
        destroyed = float(whole.p_destroyed) - float(less.p_destroyed)
        found.append(Worth(rules.get(rule, ""), what, damage, destroyed))
    return tuple(found)


#: field of a weapon, the rule it is of
OF_LINES = {
    "rapid_fire": "rapid fire", "blast": "blast", "cleave": "cleave", "torrent": "torrent", "heavy": "heavy",
    "lance": "lance", "twin_linked": "twin-linked", "lethal": "lethal hits", "devastating": "devastating wounds",
    "ignores_cover": "ignores cover", "precision": "precision", "indirect": "indirect fire", "sustained": "sustained hits",
    "anti": "anti", "melta": "melta", "crit_hit": "hit", "crit_wound": "wound", "crit_ap": "modifiers",
    "crit_D": "modifiers",
    "reroll_hits": "re-roll", "reroll_wounds": "re-roll", "hit_mod": "modifiers", "wound_mod": "modifiers",
    "skill_mod": "modifiers", "reroll_attacks": "re-roll", "hit_fails": "hit", "wound_fails": "wound",
}  # fmt: skip
OF_ATTACKS = {"snap": "snap", "hit_mod": "modifiers", "wound_mod": "modifiers"}
OF_TARGETS = {
    "cover": "cover", "stealth": "stealth", "hit_mod": "modifiers", "wound_mod": "modifiers", "save_mod": "modifiers",
    "reroll_saves": "re-roll",
}  # fmt: skip
OF_GROUPS = {
    "InSv": "save", "FNP": "feel no pain", "FNP_mortal": "feel no pain", "minus_damage": "damage", "halve_damage": "damage",
}  # fmt: skip


def _left_out(request: Request) -> Iterator[tuple[str, str, Request]]:
    """(rule, words, the request without it) for everything that could be left out."""
    attack, target = request.attack, request.target
    for place, line in enumerate(attack.weapons):
        for name, rule, without in _without(line, OF_LINES):
            if name == "torrent" and line.skill is None:
                continue
            weapons = (*attack.weapons[:place], without, *attack.weapons[place + 1 :])
            what = f"{name} of {line.name or f'weapon {place + 1}'}"
            yield rule, what, replace(request, attack=replace(attack, weapons=weapons))
    for name, rule, without_it in _without(attack, OF_ATTACKS):
        yield rule, f"{name} of the attack", replace(request, attack=without_it)
    for name, rule, less in _without(target, OF_TARGETS):
        yield rule, f"{name} of the target", replace(request, target=less)
    for place, group in enumerate(target.groups):
        for name, rule, weaker in _without(group, OF_GROUPS):
            groups = (*target.groups[:place], weaker, *target.groups[place + 1 :])
            what = f"{name} of {group.name or f'group {place + 1}'}"
            yield rule, what, replace(request, target=replace(target, groups=groups))


def _without(value: Kind, names: Mapping[str, str]) -> Iterator[tuple[str, str, Kind]]:
    """The value with one field after the other set back to its default, where it is not there already."""
    defaults = {each.name: each for each in fields(value)}
    for name, rule in names.items():
        info = defaults[name]
        default = info.default if info.default is not NODEFAULT else info.default_factory()
        if getattr(value, name) != default:
            yield name, rule, replace(value, **{name: default})
