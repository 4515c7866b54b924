"""Rosters out again: a tree New Recruit and its friends read, a text shaped like the official app's, our own form.

``read`` of each gives the roster back: whole from our form, from the tree all but the datasheets, from the text what a
text list carries (:func:`plain`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import msgspec

from battlewright.datasheet import Ability, Profile, Weapon
from battlewright.errors import BadInput, Fault
from battlewright.formats.roster_own import to_own
from battlewright.roster import Detachment, ModelTaken, Roster, RosterUnit, WeaponTaken

__all__ = ["EXPORTS", "plain", "to_app_text", "to_newrecruit", "to_own"]

Tree = dict[str, Any]

_SYSTEMS: Final = {
    "10e": ("sys-352e-adc2-7639-d6a9", "Warhammer 40,000 10th Edition"),
    "11e": ("sys-352e-adc2-7639-d610", "Warhammer 40,000 11th Edition"),
}
_POINTS: Final = {"name": "pts", "typeId": "51b2-306e-1021-d207"}
_TYPES: Final = {
    "Unit": "c547-1836-d8a-ff4f",
    "Ranged Weapons": "f77d-b953-8fa4-b762",
    "Melee Weapons": "8a40-4aaa-c780-9046",
    "Abilities": "9cc3-6d83-4dd3-9b64",
}
_HEADINGS: Final = {
    "epic hero": "CHARACTERS", "character": "CHARACTERS", "battleline": "BATTLELINE",
    "dedicated transport": "DEDICATED TRANSPORTS", "allied": "ALLIED UNITS", "fortification": "FORTIFICATIONS",
}  # fmt: skip
_OTHER: Final = "OTHER DATASHEETS"


# --- the app's text ------------------------------------------------------------------------------------------------


def to_app_text(roster: Roster) -> str:
    """The list as the official app prints it. Raises :class:`BadInput` for units without points.

    >>> unit = RosterUnit("Ash Seer", "u1", (ModelTaken("Ash Seer", 1, None, (WeaponTaken("Coal rod"),)),), points=80)
    >>> print(to_app_text(Roster("Slow burn", "11e", "Emberborn", points=80, units=(unit,))))
    Slow burn (80 points)
    <BLANKLINE>
    Emberborn
    <BLANKLINE>
    OTHER DATASHEETS
    <BLANKLINE>
    Ash Seer (80 points)
      • 1x Coal rod
    """
    unknown = [
        Fault("points unknown; a text list needs them", unit.name) for unit in roster.units if unit.points is None
    ]
    if unknown:
        raise BadInput(unknown)
    lines = [*_text_head(roster), *_text_attached(roster)]
    free = [unit for unit in roster.units if not _in_block(roster, unit)]
    for heading in dict.fromkeys([*_HEADINGS.values(), _OTHER]):
        members = [unit for unit in free if _HEADINGS.get(unit.section, _OTHER) == heading]
        lines += ["", heading] if members else []
        for unit in members:
            lines += ["", *_text_unit(unit, "")]
    return "\n".join(lines)


def _text_head(roster: Roster) -> list[str]:
    lines = [f"{roster.name or 'Army'} ({roster.points if roster.points is not None else _sum(roster)} points)", ""]
    lines += [roster.faction] if roster.faction else []
    if roster.battle_size:
        lines.append(roster.battle_size + (f" ({roster.limit} points)" if roster.limit else ""))
    names = [detachment.name for detachment in roster.detachments]
    if names and roster.detachment_points is not None:
        lines.append(f"{', '.join(names)} ({roster.detachment_points} Detachment Points)")
    elif names:
        lines.append(f"Detachments: {', '.join(names)}")
    return [*lines, f"Force Dispositions: {', '.join(roster.dispositions)}"] if roster.dispositions else lines


def _sum(roster: Roster) -> int:
    return sum(unit.points or 0 for unit in roster.units)


def _in_block(roster: Roster, unit: RosterUnit) -> bool:
    return unit.attached_to is not None or any(other.attached_to == unit.id for other in roster.units if unit.id)


def _text_attached(roster: Roster) -> list[str]:
    bodies = [unit for unit in roster.units if any(other.attached_to == unit.id for other in roster.units if unit.id)]
    lines = ["", "Attached Units"] if bodies else []
    for number, body in enumerate(bodies, 1):
        leaders = [unit for unit in roster.units if unit.attached_to == body.id]
        lines += ["", f"Attached Unit {number}"]
        for unit in [*leaders, body]:
            lines += ["", *_text_unit(unit, (unit.role or "leader") if unit is not body else "bodyguard")]
    return lines


def _text_unit(unit: RosterUnit, role: str) -> list[str]:
    lines = [f"{unit.name}{' [Legends]' if unit.legends else ''} ({unit.points} points)"]
    if role:
        heading = {"character": " (Character)", "battleline": " (Battleline)", "epic hero": " (Epic Hero)"}
        lines.append(f"• Attached as: {role.capitalize()}{heading.get(unit.section, '')}")
    lines += ["  • Warlord"] if unit.warlord else []
    if len(unit.models) == 1 and unit.models[0].count == 1 and unit.models[0].name == unit.name:
        lines += _text_gear("  ", unit.models[0].weapons)
    else:
        for model in unit.models:
            lines += [f"  • {model.count}x {model.name}", *_text_gear("    ", model.weapons)]
    lines += [f"  • {item.name}" for item in unit.wargear for _ in range(item.count)]
    gifts = [unit.enhancement, *unit.more_enhancements]
    prices = [unit.enhancement_points, *[None] * len(unit.more_enhancements)]
    for gift, price in zip(gifts, prices, strict=True):
        lines += [f"  • Enhancement: {gift}" + (f" ({price} points)" if price is not None else "")] if gift else []
    return lines


def _text_gear(indent: str, weapons: Iterable[WeaponTaken]) -> list[str]:
    return [f"{indent}• {weapon.count}x {weapon.name}" for weapon in weapons]


def plain(roster: Roster) -> Roster:
    """What a text list carries of a roster: no profiles, abilities, keywords or rules; units in the text's order."""
    order = [unit for unit in roster.units if unit.attached_to is None and _in_block(roster, unit)]
    blocks = [[*(unit for unit in roster.units if unit.attached_to == body.id), body] for body in order]
    headings = list(dict.fromkeys([*_HEADINGS.values(), _OTHER]))
    free = [unit for unit in roster.units if not _in_block(roster, unit)]
    free.sort(key=lambda unit: headings.index(_HEADINGS.get(unit.section, _OTHER)))
    units = [unit for block in blocks for unit in block] + free
    ids = {unit.id: f"u{place}" for place, unit in enumerate(units, 1)}
    return msgspec.structs.replace(
        roster,
        army_rules=(),
        points=roster.points if roster.points is not None else _sum(roster),
        name=roster.name or "Army",
        detachments=tuple(_plain_detachment(roster, detachment) for detachment in roster.detachments),
        units=tuple(_plain_unit(unit, ids, in_block=_in_block(roster, unit)) for unit in units),
    )


def _plain_detachment(roster: Roster, detachment: Detachment) -> Detachment:
    only = len(roster.detachments) == 1
    return Detachment(detachment.name, roster.detachment_points if only else None)


def _plain_unit(unit: RosterUnit, ids: dict[str, str], *, in_block: bool) -> RosterUnit:
    said = {"CHARACTERS": "character", "ALLIED UNITS": "allied", "FORTIFICATIONS": "fortification"}
    heading = _HEADINGS.get(unit.section, _OTHER)
    section = said.get(heading, "other" if heading == _OTHER else unit.section)
    if in_block:
        section = unit.section if unit.section in ("character", "battleline", "epic hero") else ""
    keywords = {
        "character": ("CHARACTER",), "battleline": ("BATTLELINE",), "epic hero": ("CHARACTER", "EPIC HERO"),
        "dedicated transport": ("DEDICATED TRANSPORT", "TRANSPORT"), "fortification": ("FORTIFICATION",),
    }.get(section, ())  # fmt: skip
    lead = unit.attached_to is not None
    return RosterUnit(
        name=unit.name,
        id=ids[unit.id],
        models=tuple(ModelTaken(model.name, model.count, None, _plain_gear(model.weapons)) for model in unit.models),
        keywords=keywords,
        enhancement=unit.enhancement,
        enhancement_points=unit.enhancement_points,
        more_enhancements=unit.more_enhancements,
        wargear=_plain_gear(unit.wargear),
        warlord=unit.warlord,
        attached_to=ids[unit.attached_to] if unit.attached_to else None,
        role=((unit.role or "leader") if lead else "bodyguard") if in_block else "",
        points=unit.points,
        section=section,
        legends=unit.legends,
    )


def _plain_gear(weapons: Iterable[WeaponTaken]) -> tuple[WeaponTaken, ...]:
    return tuple(WeaponTaken(weapon.name, weapon.count) for weapon in weapons)


# --- the tree ------------------------------------------------------------------------------------------------------


def to_newrecruit(roster: Roster) -> str:
    """The list as the JSON tree that New Recruit exports, with profiles, rules and attachments."""
    system, system_name = _SYSTEMS.get(roster.edition or "", ("", "Warhammer 40,000"))
    make = _Tree()
    points = roster.points if roster.points is not None else _sum(roster)
    tree: Tree = {
        "name": roster.name,
        "generatedBy": "battlewright",
        "gameSystemId": system,
        "gameSystemName": system_name,
        "roster": {
            "name": roster.name,
            "xmlns": "http://www.battlescribe.net/schema/rosterSchema",
            "gameSystemId": system,
            "gameSystemName": system_name,
            "costs": [{**_POINTS, "value": points}],
            "costLimits": [{**_POINTS, "value": roster.limit}] if roster.limit else [],
            "forces": [make.force(roster)],
        },
    }
    return json.dumps(tree, indent=2, ensure_ascii=False)


class _Tree:
    """Builds selections; every node gets an id, because tools look them up."""

    def __init__(self) -> None:
        self.made = 0

    def node(self, name: str, kind: str = "upgrade", number: int = 1, **more: Any) -> Tree:
        self.made += 1
        filled = {key: value for key, value in more.items() if value not in (None, [], ())}
        return {"id": f"bw-{self.made:04d}", "name": name, "type": kind, "number": number, **filled}

    def force(self, roster: Roster) -> Tree:
        units = [self.unit(unit) for unit in roster.units]
        by_id = {unit.id: node["id"] for unit, node in zip(roster.units, units, strict=True)}
        for unit, node in zip(roster.units, units, strict=True):
            if unit.attached_to in by_id:
                node["associations"] = [
                    {"name": (unit.role or "leader").capitalize(), "to": by_id[unit.attached_to or ""]}
                ]
        return {
            "id": "bw-force",
            "name": "Army Roster",
            "catalogueName": roster.faction,
            "rules": [_rule(ability) for ability in roster.army_rules],
            "selections": [*self.configuration(roster), *units],
        }

    def configuration(self, roster: Roster) -> list[Tree]:
        found = []
        mark = [{"name": "Configuration", "primary": True}]
        if roster.battle_size:
            label = roster.battle_size + (f" ({roster.limit} Point limit)" if roster.limit else "")
            found.append(self.node("Battle Size", categories=mark, selections=[self.node(label)]))
        if roster.detachments:
            inside = [self.detachment(detachment) for detachment in roster.detachments]
            found.append(self.node("Detachment", categories=mark, selections=inside))
        if roster.dispositions:
            names = [self.node(name) for name in roster.dispositions]
            found.append(self.node("Force Disposition", categories=mark, selections=names))
        return found

    def detachment(self, detachment: Detachment) -> Tree:
        costs = [{"name": "Detachment Points", "value": detachment.points}] if detachment.points is not None else []
        profiles, rules = _texts(detachment.abilities)
        return self.node(detachment.name, group="Detachment", costs=costs, profiles=profiles, rules=rules)

    def unit(self, unit: RosterUnit) -> Tree:
        first = unit.models[0] if len(unit.models) == 1 else None
        alone = first is not None and first.name == unit.name
        texts = [ability for ability in unit.abilities if ability.kind != "wargear"]
        profiles, rules = _texts(texts)
        categories = [{"name": f"Faction: {name}", "primary": False} for name in unit.faction_keywords]
        section = {"other": "Other Datasheets", "allied": "Allied Units"}.get(unit.section, unit.section)
        categories += [{"name": name, "primary": name.casefold() == section} for name in unit.keywords]
        if section and section.upper() not in unit.keywords:
            categories.append({"name": section.title(), "primary": True})
        inside = [self.node("Warlord", categories=[{"name": "Warlord", "primary": False}])] if unit.warlord else []
        inside += self.gifts(unit)
        inside += [self.weapon(item) for item in unit.wargear]
        number = 1
        if alone and first is not None:
            number = first.count
            profiles = [*([_stats(first.name, first.profile)] if first.profile else []), *profiles]
            inside += [self.weapon(weapon) for weapon in first.weapons]
        else:
            inside += [self.model(model) for model in unit.models]
        inside += self.of_wargear(unit, inside)
        own = (unit.points or 0) - (unit.enhancement_points or 0)
        costs = [{**_POINTS, "value": own}] if unit.points is not None else []
        name = unit.name + (" [Legends]" if unit.legends else "")
        return self.node(
            name, "model" if alone else "unit", number, costs=costs, categories=categories, profiles=profiles,
            rules=rules, selections=inside,
        )  # fmt: skip

    def of_wargear(self, unit: RosterUnit, inside: list[Tree]) -> list[Tree]:
        """Texts of wargear go to the item of their name, else to some item of the unit; else each is a choice itself."""
        items = [node for node in _below(inside) if node["type"] == "upgrade" and node["name"] != "Warlord"]
        alone = []
        for ability in unit.abilities:
            if ability.kind != "wargear":
                continue
            named = [node for node in items if node["name"].casefold() == ability.name.casefold()]
            if node := next(iter([*named, *items]), None):
                node.setdefault("profiles", []).append(_text(ability))
            else:
                alone.append(self.node(ability.name, profiles=[_text(ability)]))
        return alone

    def gifts(self, unit: RosterUnit) -> list[Tree]:
        if unit.enhancement is None:
            return []
        costs = [{**_POINTS, "value": unit.enhancement_points}] if unit.enhancement_points is not None else []
        first = self.node(unit.enhancement, group="Enhancements", costs=costs)
        return [first, *(self.node(name, group="Enhancements") for name in unit.more_enhancements)]

    def model(self, model: ModelTaken) -> Tree:
        profiles = [_stats(model.name, model.profile)] if model.profile else []
        inside = [self.weapon(weapon) for weapon in model.weapons]
        return self.node(model.name, "model", model.count, profiles=profiles, selections=inside)

    def weapon(self, weapon: WeaponTaken) -> Tree:
        return self.node(
            weapon.name, "upgrade", weapon.count, profiles=[_weapon(profile) for profile in weapon.profiles]
        )


def _below(nodes: list[Tree]) -> Iterator[Tree]:
    for node in nodes:
        yield node
        yield from _below(node.get("selections", []))


def _texts(abilities: Iterable[Ability]) -> tuple[list[Tree], list[Tree]]:
    """Abilities as profiles, and core and faction rules as rules."""
    profiles = [_text(ability) for ability in abilities if ability.kind in ("datasheet", "special", "wargear")]
    return profiles, [_rule(ability) for ability in abilities if ability.kind in ("core", "faction")]


def _text(ability: Ability) -> Tree:
    type_name = "Other" if ability.kind == "special" else "Abilities"
    return _profile(ability.name, type_name, {"Description": ability.text})


def _rule(ability: Ability) -> Tree:
    return {"name": ability.name, "description": ability.text}


def _profile(name: str, type_name: str, cells: dict[str, str]) -> Tree:
    found = [{"name": key, "$text": value} for key, value in cells.items()]
    return {"name": name, "typeName": type_name, "typeId": _TYPES.get(type_name, ""), "characteristics": found}


def _stats(name: str, profile: Profile) -> Tree:
    move = str(profile.M_dice) if profile.M_dice is not None else None if profile.M is None else f'{profile.M}"'
    cells = {
        "M": move,
        "T": profile.T,
        "SV": _plus(profile.Sv),
        "W": profile.W,
        "LD": _plus(profile.Ld),
        "OC": profile.OC,
    }
    known = {key: str(value) for key, value in cells.items() if value is not None}
    if profile.InSv is not None:
        against = f" ({profile.InSv_against.capitalize()})" if profile.InSv_against else ""
        known["InSv"] = f"{profile.InSv}+{against}"
    return _profile(name, "Unit", known)


def _plus(value: int | None) -> str | None:
    return None if value is None else f"{value}+"


def _weapon(weapon: Weapon) -> Tree:
    title = f"➤ {weapon.name} - {weapon.profile}" if weapon.profile else weapon.name
    skill = "N/A" if weapon.skill is None else f"{weapon.skill}+"
    cells = {
        "Range": "Melee" if weapon.melee else f'{weapon.range}"', "A": str(weapon.attacks),
        "WS" if weapon.melee else "BS": skill, "S": "" if weapon.strength is None else str(weapon.strength),
        "AP": str(weapon.ap), "D": str(weapon.damage), "Keywords": ", ".join(map(str, weapon.abilities)) or "-",
    }  # fmt: skip
    return _profile(title, "Melee Weapons" if weapon.melee else "Ranged Weapons", cells)


#: name -> how to write it; what ``battlewright roster FILE --to NAME`` offers.
EXPORTS: Final[dict[str, Callable[[Roster], str]]] = {
    "own": to_own,
    "newrecruit": to_newrecruit,
    "app": to_app_text,
}
