"""Rosters as trees of selections: BattleScribe .ros and .rosz, New Recruit and ListForge JSON, ListForge share links.

The tree carries the chosen options with their profiles and rules text, so nothing has to be looked up: models come out
with stat lines, weapons with profiles, abilities with text. A number in the tree is the total of its branch.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec

from battlewright.datasheet import Ability, Profile, UnreadLine, Weapon
from battlewright.dice import Dice
from battlewright.effects import EditionId
from battlewright.errors import BadInput, Fault, Unparsed
from battlewright.formats import Reading, Source
from battlewright.formats.roster_gw import DISPOSITIONS
from battlewright.formats.rostertext import (
    COUNT,
    SECTIONS,
    battle_size_of,
    clean,
    edition_by_name,
    enhancement_name,
    equal_models,
)
from battlewright.formats.stat_line import SAVE_NAME, is_told, read_profile, with_invulnerable
from battlewright.formats.weapon_line import read_abilities, read_numbers, split_profile
from battlewright.roster import Detachment, ModelTaken, Roster, RosterUnit, WeaponTaken

Tree = dict[str, Any]
#: How deep choices may stand in choices; real lists stay below 12.
DEPTH: Final = 60
#: The most units a list may hold.
UNITS: Final = 400

_SYSTEMS: Final[dict[str, EditionId]] = {"sys-352e-adc2-7639-d6a9": "10e", "sys-352e-adc2-7639-d610": "11e"}
_LINK: Final = re.compile(r"https?://\S*?listforge/+([\w+/=-]{20,})", re.IGNORECASE)
_RANGED, _MELEE, _UNIT = "ranged weapons", "melee weapons", ("unit", "model")
_CORE: Final = (
    "deadly demise", "deep strike", "feel no pain", "fights first", "firing deck", "infiltrators", "leader",
    "lone operative", "scouts", "stealth", "hover", "support",
)  # fmt: skip
_WEAPON_RULES: Final = re.compile(
    r"^(?:anti|assault|blast|cleave|close-quarters|conversion|devastating wounds|extra attacks|hazardous|heavy|"
    r"ignores cover|indirect fire|lance|lethal hits|melta|one shot|pistol|precision|psychic|rapid fire|sustained hits|"
    r"torrent|twin[- ]linked)\b",
    re.IGNORECASE,
)
_NO_KEYWORDS: Final = frozenset(
    {"configuration", "allied units", "other datasheets", "uncategorised", "unit", "reference", "illegal units"}
)
_CONFIGURATION: Final = re.compile(
    r"^(?:battle size|detachments?(?: choice)?|show/hide options|force dispositions?|game size|order of battle|"
    r"army rules?|crusade.*|mission|configuration)$",
    re.IGNORECASE,
)


def detects(source: Source) -> float:
    """How sure we are: XML of a roster, JSON with a roster of forces, or a share link."""
    if source.text is None:
        return 0.0
    head = source.text[:4000].lstrip("\ufeff \n\r\t")
    if head.startswith("<"):
        return 0.99 if re.search(r"<roster[\s>]", head) else 0.0
    if head.startswith("{"):
        whole = source.text
        return 0.97 if '"forces"' in whole and '"selections"' in whole else 0.3 if '"roster"' in head else 0.0
    return 0.99 if _LINK.search(head) and len(head.split()) < 40 else 0.0


def read(source: Source) -> Reading:
    """The army of such a tree. Raises :class:`BadInput` for what is no clean tree or holds no unit."""
    tree, generator = _tree(source)
    army = _Army(source.name)
    roster = tree.get("roster") if isinstance(tree.get("roster"), dict) else tree
    assert isinstance(roster, dict)
    forces = list(_forces(roster, 0))
    if not forces:
        raise BadInput("a roster without forces", source.name)
    for force in forces:
        army.force(force)
    return _reading(army, roster, tree, source, generator)


# --- opening -------------------------------------------------------------------------------------------------------


def _tree(source: Source) -> tuple[Tree, str]:
    from battlewright.formats.tree import parse_json, parse_xml

    assert source.text is not None
    text = source.text.lstrip("\ufeff \n\r\t")
    if text.startswith("<"):
        return parse_xml(source), "battlescribe"
    generator = "newrecruit-json"
    if not text.startswith("{"):
        source, generator = _linked(source), "listforge-link"
    tree = parse_json(source)
    if not isinstance(tree, dict):
        raise BadInput("not a roster: expected an object", source.name)
    said = str(tree.get("generatedBy") or "").casefold()
    if generator != "listforge-link" and ("list forge" in said or "listforge" in said):
        generator = "listforge-json"
    return tree, generator


def _linked(source: Source) -> Source:
    """What a share link holds: base64 of a gzip of the JSON, opened with the same bounds as any file."""
    from battlewright.formats.source import open_bytes

    found = _LINK.search(source.text or "")
    if not found:
        raise BadInput("not a roster", source.name)
    packed = found[1].replace("+", "-").replace("/", "_").rstrip("=")
    try:
        data = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    except (binascii.Error, ValueError):
        raise BadInput("a damaged share link", source.name) from None
    return open_bytes(data, source.name)


def _kids(node: Tree, plural: str, singular: str = "") -> list[Tree]:
    """The children under a plural name, however the tool wrote them; what is no node is left out."""
    value = node.get(plural)
    if isinstance(value, dict):
        value = value.get(singular or plural[:-1], value)
    if isinstance(value, dict):
        value = [value]
    return [kid for kid in value if isinstance(kid, dict)] if isinstance(value, list) else []


def _forces(node: Tree, depth: int) -> Iterator[Tree]:
    if depth > DEPTH:
        raise BadInput("forces nested too deep", "")
    for force in _kids(node, "forces"):
        yield force
        yield from _forces(force, depth + 1)


def _text(node: Tree, key: str) -> str:
    value = node.get(key)
    if isinstance(value, dict):
        value = value.get("$text")
    return clean(value).strip() if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""


def _name(node: Tree) -> str:
    return _text(node, "name")[:200]


def _cost(node: Tree, *names: str) -> int | None:
    """The costs of that name added up; None when the node states none."""
    found = [_number(cost.get("value")) for cost in _kids(node, "costs") if _name(cost).casefold().strip() in names]
    return int(sum(found)) if found else None


def _number(value: object) -> float:
    from battlewright.formats.tree import number

    return number(value)


def _points(node: Tree, depth: int = 0) -> int:
    return (_cost(node, "pts", "points") or 0) + sum(_points(kid, depth + 1) for kid in _selections(node, depth))


def _selections(node: Tree, depth: int) -> list[Tree]:
    if depth > DEPTH:
        raise BadInput(f"choices nested more than {DEPTH} deep", _name(node))
    return _kids(node, "selections")


def _categories(node: Tree) -> list[tuple[str, bool]]:
    return [
        (_name(category), str(category.get("primary")).casefold() == "true")
        for category in _kids(node, "categories", "category")
    ]


# --- the army ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Army:
    where: str
    units: list[RosterUnit] = field(default_factory=list)
    identities: dict[str, str] = field(default_factory=dict)
    associations: list[tuple[str, str]] = field(default_factory=list)
    detachments: list[Detachment] = field(default_factory=list)
    dispositions: list[str] = field(default_factory=list)
    rules: list[Ability] = field(default_factory=list)
    battle_size: str = ""
    limit: int | None = None
    faults: list[Fault] = field(default_factory=list)
    unread: list[UnreadLine] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    catalogues: list[str] = field(default_factory=list)

    def force(self, force: Tree) -> None:
        if catalogue := _text(force, "catalogueName"):
            self.catalogues.append(catalogue)
        for rule in _rules(force, "faction"):
            if rule.name not in [other.name for other in self.rules]:
                self.rules.append(rule)
        for selection in _selections(force, 0):
            self.top(selection)

    def top(self, selection: Tree) -> None:
        """A choice at the top: configuration, or a unit."""
        categories = _categories(selection)
        kind, name = _text(selection, "type"), _name(selection)
        configuration = any(category.casefold() == "configuration" for category, _ in categories)
        if configuration or (kind not in _UNIT and _CONFIGURATION.match(name)):
            self.configure(name, selection)
        elif kind in _UNIT or any(category.casefold().startswith("faction:") for category, _ in categories):
            self.add(selection)
        else:
            inside = ", ".join(_name(kid) for kid in _selections(selection, 0))
            self.unread.append(UnreadLine(0, f"{name}: {inside}" if inside else name))

    def configure(self, name: str, selection: Tree) -> None:
        values = _selections(selection, 0)
        key = name.casefold()
        if key.startswith("battle size") or key.startswith("game size"):
            for value in values:
                size = battle_size_of(_name(value))
                self.battle_size, self.limit = size if size else (_name(value), self.limit)
        elif key.startswith("detachment"):
            for value in values or [selection]:
                self.detachment(value)
        elif key.startswith("force disposition"):
            self.dispositions.extend(_name(value) for value in values)
        elif key.startswith("show/hide"):
            return
        else:
            self.notes.append(f"{name}: {', '.join(map(_name, values)) or 'chosen'}")

    def detachment(self, value: Tree) -> None:
        abilities = [*_profiles_as_abilities(value, "special"), *_rules(value, "special")]
        points = _cost(value, "detachment points", "detachment point", "dp")
        self.detachments.append(Detachment(_name(value), points, tuple(abilities)))
        for category, _ in _categories(value):
            if category.casefold() in DISPOSITIONS and category not in self.dispositions:
                self.dispositions.append(category)

    def add(self, selection: Tree) -> None:
        if len(self.units) >= UNITS:
            raise BadInput(f"more than {UNITS} units", self.where)
        name = f"u{len(self.units) + 1}"
        unit = _Unit(self, selection)
        if custom := _text(selection, "customName"):
            self.notes.append(f"{unit.name} is called {custom[:100]!r}")
        self.identities[_text(selection, "id")] = name
        for link in _kids(selection, "associations"):
            for key in ("to", "targetId", "selectionId"):
                if isinstance(link.get(key), str):
                    self.associations.append((name, link[key]))
        self.units.append(msgspec.structs.replace(unit.taken(), id=name))

    def attach(self) -> None:
        """Attachments the tool recorded between choices: the CHARACTER of the two is the one that leads."""
        by_id = {unit.id: place for place, unit in enumerate(self.units)}
        for one, target in self.associations:
            other = self.identities.get(target)
            if other is None or other == one:
                continue
            lead, follow = (one, other) if "CHARACTER" in self.units[by_id[one]].keywords else (other, one)
            place = by_id[lead]
            self.units[place] = msgspec.structs.replace(self.units[place], attached_to=follow, role="leader")
            self.units[by_id[follow]] = msgspec.structs.replace(self.units[by_id[follow]], role="bodyguard")


def _reading(army: _Army, roster: Tree, tree: Tree, source: Source, generator: str) -> Reading:
    if not army.units:
        raise BadInput("no unit found in this roster", source.name)
    army.attach()
    points = _cost(roster, "pts", "points")
    limits = [int(_number(cost.get("value"))) for cost in _kids(roster, "costLimits") if _name(cost).strip() == "pts"]
    edition = _edition(roster, tree, source)
    total = sum(unit.points or 0 for unit in army.units)
    if points is not None and total != points:
        army.notes.append(f"the units add up to {total} points, the list states {points}")
    dp = [detachment.points for detachment in army.detachments]
    value = Roster(
        name=_name(roster) or _name(tree),
        edition=edition,
        faction=_faction(army),
        detachments=tuple(army.detachments),
        detachment_points=sum(filter(None, dp)) if dp and None not in dp else None,
        dispositions=tuple(army.dispositions),
        battle_size=army.battle_size,
        limit=army.limit or next((limit for limit in limits if limit > 0), None),
        points=points,
        units=tuple(army.units),
        army_rules=tuple(army.rules),
    )
    missing = [] if edition else ["edition"]
    missing += sorted(
        {f"stat line of {unit.name}" for unit in army.units for model in unit.models if model.profile is None}
    )
    return Reading(
        kind="roster",
        format=generator,
        edition=edition,
        faults=tuple(army.faults),
        unread=tuple(army.unread),
        missing=tuple(missing),
        roster=value,
        notes=tuple(army.notes),
    )


def _edition(roster: Tree, tree: Tree, source: Source) -> EditionId | None:
    for node in (roster, tree):
        if known := _SYSTEMS.get(_text(node, "gameSystemId")):
            return known
    said = f"{_text(roster, 'gameSystemName')} {_text(tree, 'gameSystemName')}"
    if found := re.search(r"\b(10|11)th\b", said):
        return "11e" if found[1] == "11" else "10e"
    return edition_by_name(source.name)


def _faction(army: _Army) -> str:
    """The part of the first catalogue's name that is a faction keyword of its units, or its last part."""
    parts = [part.strip() for name in army.catalogues[:1] for part in name.split(" - ")]
    held = {keyword for unit in army.units for keyword in unit.faction_keywords}
    for part in reversed(parts):
        if part.upper() in held:
            return part
    if parts:
        return parts[-1].removesuffix(" Library")
    counts = {keyword: sum(keyword in unit.faction_keywords for unit in army.units) for keyword in sorted(held)}
    return max(counts, key=lambda keyword: counts[keyword]).title() if counts else ""


# --- a unit --------------------------------------------------------------------------------------------------------


class _Unit:
    """One unit while its branch is walked."""

    def __init__(self, army: _Army, selection: Tree) -> None:
        self.army, self.selection = army, selection
        name = _name(selection)
        self.legends = bool(re.search(r"[\[(]\s*legends?\s*[\])]", name, re.IGNORECASE))
        self.name = re.sub(r"\s*[\[(]\s*legends?\s*[\])]", "", name, flags=re.IGNORECASE).strip()
        self.warlord = False
        self.enhancements: list[tuple[str, int | None]] = []
        self.keywords: list[str] = []
        self.factions: list[str] = []
        self.section = ""
        self.abilities: list[Ability] = []
        self.profiles: dict[str, Profile] = {}
        self.models: list[tuple[Tree, list[WeaponTaken]]] = []
        self.gear: list[WeaponTaken] = []
        self.saves: list[_Save] = []
        self._categories(selection, top=True)
        self._own(selection, "datasheet")
        self._walk(selection, None, 0)

    def taken(self) -> RosterUnit:
        models = [self._model(node, gear) for node, gear in self.models]
        gear = _merged(self.gear)
        own = list(_weapons_of(self.selection, 1, self._fault))
        if not models or (_text(self.selection, "type") == "model" and own):
            count = 1 if models else _count(self.selection)
            self._check_count(count)
            profile = self._profile(self.selection, self.name)
            models.insert(0, ModelTaken(self.name, count, profile, _merged([*own, *gear])))
            gear = ()
        elif len(models) == 1 and models[0].count == 1:
            models[0] = msgspec.structs.replace(models[0], weapons=_merged([*models[0].weapons, *own, *gear]))
            gear = ()
        else:
            gear = _merged([*own, *gear])
        first = self.enhancements[0] if self.enhancements else (None, None)
        return RosterUnit(
            name=self.name,
            models=equal_models(models),
            keywords=tuple(self.keywords),
            faction_keywords=tuple(self.factions),
            abilities=tuple(self._abilities(models)),
            enhancement=first[0],
            enhancement_points=first[1],
            more_enhancements=tuple(name for name, _ in self.enhancements[1:]),
            wargear=gear,
            warlord=self.warlord,
            points=_points(self.selection),
            section=self.section,
            legends=self.legends,
        )

    def _abilities(self, models: list[ModelTaken]) -> list[Ability]:
        """Each once; not the saves that stand in the stat lines. A box of a core ability's name is its text here."""
        lines = [model.profile for model in models if model.profile is not None]
        found = [each for each in _distinct(self.abilities) if not is_told(each, lines)]
        core = {each.name.casefold() for each in found if each.kind == "core"}
        words = {each.name.casefold(): each.text for each in found if each.kind == "datasheet"}
        return [
            msgspec.structs.replace(each, text=words.get(each.name.casefold(), each.text))
            if each.kind == "core"
            else each
            for each in found
            if each.kind != "datasheet" or each.name.casefold() not in core
        ]

    def _fault(self, what: str) -> None:
        self.army.faults.append(Fault(what, self.name))

    def _categories(self, node: Tree, *, top: bool) -> None:
        for name, primary in _categories(node):
            low = name.casefold()
            if top and primary:
                self.section = SECTIONS.get(low, low)
            if low.startswith("faction:"):
                faction = name.partition(":")[2].strip().upper()
                self.factions.extend([] if faction in self.factions else [faction])
            elif low not in _NO_KEYWORDS and low != "warlord" and name.upper() not in self.keywords and name:
                self.keywords.append(name.upper())

    def _own(self, node: Tree, of: Literal["datasheet", "wargear", "gift"], model: Tree | None = None) -> None:
        """Profiles and rules that stand at this node itself; ``model`` is the model they belong to, None the unit.

        An enhancement (``gift``) is nobody's wargear: its words are the unit's own.
        """
        for profile in _kids(node, "profiles"):
            if _type(profile) == "unit":
                self._stat_line(profile)
        kind: Literal["datasheet", "wargear"] = "wargear" if of == "wargear" else "datasheet"
        rules = _rules(node, "core" if of == "datasheet" else "wargear" if of == "wargear" else "special")
        for ability in [*_profiles_as_abilities(node, kind), *rules]:
            if of != "datasheet" and _WEAPON_RULES.match(ability.name) and not any(c == ability.name for c in _CORE):
                continue
            self.abilities.append(ability)
            if SAVE_NAME.match(ability.name):
                self._save(ability, node, "datasheet" if of == "datasheet" else "wargear", model)

    def _save(self, ability: Ability, node: Tree, kind: Literal["datasheet", "wargear"], model: Tree | None) -> None:
        """An invulnerable save told in words. One that only some of the models carry stays an ability of theirs."""
        alone = model is None and _text(self.selection, "type") == "model"
        if kind == "wargear" and not alone and (model is None or _count(node) < _count(model)):
            return
        words = ability.text if re.search(r"\d\+", ability.text) else f"{ability.name} {ability.text}"
        only = re.search(r"\[([^\]]+)\]", ability.name)
        self.saves.append(_Save(words, model, only[1].casefold() if only else "", kind == "wargear"))

    def _stat_line(self, profile: Tree) -> None:
        stats, unread = read_profile(_cells(profile))
        self.profiles[_name(profile)] = stats
        for cell in unread:
            self._fault(f"stat line: cannot read {cell}")

    def _walk(self, node: Tree, model: list[WeaponTaken] | None, depth: int, holder: Tree | None = None) -> None:
        """Everything below a node; ``model`` collects the gear of ``holder``, the model we are in."""
        for kid in _selections(node, depth):
            if _is_model(kid):
                gear = _weapons_of(kid, _count(kid), self._fault)
                self.models.append((kid, gear))
                self._check_count(_count(kid))
                self._categories(kid, top=False)
                self._own(kid, "datasheet", kid)
                self._walk(kid, gear, depth + 1, kid)
            else:
                self._upgrade(kid, self.gear if model is None else model, depth, holder)
                self._walk(kid, model, depth + 1, holder)

    def _upgrade(self, node: Tree, gear: list[WeaponTaken], depth: int, holder: Tree | None) -> None:
        """A choice that is no model: a mark, an enhancement, a bundle, a weapon, or other wargear."""
        name = _name(node)
        if name.casefold() == "warlord" or any(category.casefold() == "warlord" for category, _ in _categories(node)):
            self.warlord = True
            return
        if self._is_enhancement(node):
            self.enhancements.append((enhancement_name(name), _cost(node, "pts", "points")))
            self._own(node, "gift", holder)
            return
        if re.fullmatch(r"[\w' -]+ character", name, re.IGNORECASE) and not _kids(node, "profiles"):
            self.keywords.extend([] if "CHARACTER" in self.keywords else ["CHARACTER"])
            return
        self._own(node, "wargear", holder)
        weapons = _weapons_of(node, _count(node), self._fault)
        if weapons:
            gear.extend(weapons)
        elif not _is_bundle(node, depth):
            gear.append(WeaponTaken(name, _count(node)))

    def _is_enhancement(self, node: Tree) -> bool:
        group = _text(node, "group").casefold()
        if group.startswith(("enhancement", "upgrades::enhancement")) or "enhancements" in group.split("::")[-1]:
            return True
        if any(category.casefold() in ("enhancement", "enhancements") for category, _ in _categories(node)):
            return True
        if _cost(node, "enhancements", "enhancement"):
            return True
        priced = (_cost(node, "pts", "points") or 0) > 0
        alone = not _weapon_profiles(node) and not any(_text(kid, "type") in _UNIT for kid in _kids(node, "selections"))
        return priced and alone and len(_profiles_as_abilities(node, "wargear")) == 1

    def _check_count(self, count: int) -> None:
        if count > COUNT:
            raise BadInput(f"{count} models in one unit, at most {COUNT} are read", self.name)

    def _model(self, node: Tree, gear: list[WeaponTaken]) -> ModelTaken:
        name = re.sub(r"\s*\[legends?\]", "", _name(node), flags=re.IGNORECASE)
        return ModelTaken(name, _count(node), self._profile(node, name), _merged(gear))

    def _profile(self, node: Tree, name: str) -> Profile | None:
        """The stat line of a model: its own, the one of its name, or the only one of the unit."""
        own = [_name(profile) for profile in _kids(node, "profiles") if _type(profile) == "unit"]
        found = next((self.profiles[key] for key in own if key in self.profiles), None)
        found = found or self.profiles.get(name) or _by_near_name(self.profiles, name)
        if found is None and len(set(self.profiles.values())) == 1:
            found = next(iter(self.profiles.values()))
        for save in self.saves:
            if found is not None and save.fits(node, name):
                found = save.onto(found)
        return found


@dataclass(frozen=True)
class _Save:
    """An invulnerable save told by an ability: of every model of the unit, or of one model; perhaps by wargear."""

    words: str
    model: Tree | None
    only: str
    wargear: bool

    def fits(self, node: Tree, name: str) -> bool:
        return (self.model is None or self.model is node) and (not self.only or self.only in name.casefold())

    def onto(self, profile: Profile) -> Profile:
        """A printed save stays, narrowed when the words narrow the same one; wargear may give a better one."""
        told = with_invulnerable(profile, self.words)
        if told.InSv is None or profile.InSv is None:
            return told
        better = (self.wargear or self.only) and told.InSv < profile.InSv
        narrowed = told.InSv == profile.InSv and profile.InSv_against is None
        return told if better or narrowed else profile


def _by_near_name(profiles: dict[str, Profile], name: str) -> Profile | None:
    """Model names are in the singular or carry their gear; stat lines carry the plain name."""
    plain = re.sub(r"\s+(?:w/|with)\s.*$", "", name, flags=re.IGNORECASE).casefold().rstrip("s")
    for key, profile in profiles.items():
        if key.casefold().rstrip("s") == plain:
            return profile
    return None


def _is_model(node: Tree) -> bool:
    """A nested model; some catalogues make one an upgrade, then its stat line tells."""
    return _text(node, "type") in _UNIT or any(_type(profile) == "unit" for profile in _kids(node, "profiles"))


def _count(node: Tree) -> int:
    count = int(_number(node.get("number", 1)))
    return count if count > 0 else 1


def _is_bundle(node: Tree, depth: int) -> bool:
    """An option that only names what it holds ("a, b and c"), and has nothing of its own."""
    kids = [kid for kid in _selections(node, depth) if _text(kid, "type") not in _UNIT]
    models = any(_text(kid, "type") in _UNIT for kid in _selections(node, depth))
    if models:
        return not _kids(node, "profiles")
    if not kids or _kids(node, "profiles"):
        return False
    own = _name(node).casefold()
    named = any(re.sub(r"^\d+x?\s+", "", _name(kid).casefold()) in own for kid in kids)
    listed = re.search(r"[,&/]|\band\b|^(?:wargear|weapons?|options?|enhancements?)\b", own)
    return named or bool(listed)


# --- profiles ------------------------------------------------------------------------------------------------------


def _type(profile: Tree) -> str:
    return (_text(profile, "typeName") or _text(profile, "profileTypeName")).casefold()


def _cells(profile: Tree) -> dict[str, str]:
    """Name and text of the characteristics, in either form ("$text", "value")."""
    return {
        _name(cell): _text(cell, "$text") or _text(cell, "value")
        for cell in _kids(profile, "characteristics")
        if _name(cell)
    }


def _weapon_profiles(node: Tree) -> list[Tree]:
    return [profile for profile in _kids(node, "profiles") if _type(profile) in (_RANGED, _MELEE)]


def _weapons_of(node: Tree, count: int, fault: Any) -> list[WeaponTaken]:
    """The weapons that stand at a node: one a name, its profiles together."""
    found: dict[str, list[Weapon]] = {}
    unknown: dict[str, int] = {}
    for profile in _weapon_profiles(node):
        base = split_profile(_name(profile))[0]
        weapon = _weapon(profile, fault)
        found.setdefault(base, []).extend([weapon] if weapon else [])
        unknown[base] = 1
    if not found:
        return _stripped_weapon(node, count)
    if len(found) > 1:
        return [WeaponTaken(base, count, tuple(profiles)) for base, profiles in found.items()]
    base, profiles = next(iter(found.items()))
    own = _name(node)
    several = re.match(r"^(\d{1,2})x?\s+(.+)$", own)
    if _text(node, "type") in _UNIT:
        return [WeaponTaken(base, count, tuple(profiles))]
    if several and several[2].casefold().startswith(base.casefold()):
        return [WeaponTaken(base, count * int(several[1]), tuple(profiles))]
    return [WeaponTaken(own, count, tuple(profiles))]


def _stripped_weapon(node: Tree, count: int) -> list[WeaponTaken]:
    """A tree without profiles still says by category what is a weapon."""
    if any(category.casefold().endswith(" weapon") for category, _ in _categories(node)):
        return [WeaponTaken(_name(node), count)]
    return []


def _weapon(profile: Tree, fault: Any) -> Weapon | None:
    melee = _type(profile) == _MELEE
    cells = {name.casefold(): text for name, text in _cells(profile).items()}
    row = [cells.get("range", ""), cells.get("a", ""), cells.get("ws" if melee else "bs", cells.get("bs", ""))]
    row += [cells.get("s", ""), cells.get("ap", ""), cells.get("d", "")]
    name, part = split_profile(_name(profile))
    known, unknown = read_abilities(cells.get("keywords", ""))
    for word in unknown:
        fault(f"{_name(profile)}: a weapon ability we do not know: {word}")
    try:
        numbers = read_numbers(row, melee=melee)
    except Unparsed as error:
        fault(f"{_name(profile)}: {error}")
        return None
    return Weapon(name=name, profile=part, abilities=known, **numbers)  # type: ignore[arg-type]


def _profiles_as_abilities(node: Tree, kind: Literal["datasheet", "wargear", "special"]) -> list[Ability]:
    """Every profile with text: abilities, transport, damaged, orders and whatever else a catalogue invents."""
    found = []
    for profile in _kids(node, "profiles"):
        type_name = _type(profile)
        if type_name in ("unit", _RANGED, _MELEE):
            continue
        cells = _cells(profile)
        text = (
            "\n".join(cells.values())
            if len(cells) < 2
            else "\n".join(f"{key}: {value}" for key, value in cells.items())
        )
        found.append(Ability(_name(profile), text, "special" if type_name not in ("abilities", "") else kind))
    return found


def _rules(node: Tree, kind: Literal["core", "faction", "wargear", "special"]) -> list[Ability]:
    found = []
    for rule in _kids(node, "rules"):
        name, text = _name(rule), _text(rule, "description")
        low = name.casefold()
        core = any(low == core or low.startswith(core + " ") for core in _CORE)
        found.append(Ability(name, text, "core" if core else "faction" if kind == "core" else kind, _amount(name)))
    return found


def _amount(name: str) -> Dice | None:
    """The number behind a core ability: "Deadly Demise D3", 'Scouts 6"', "Feel No Pain 5+"."""
    found = re.search(r"\s(\d*[dD][36](?:\+\d+)?|\d{1,2})[\"+]*$", name)
    return Dice.parse(found[1]) if found else None


def _distinct(abilities: Iterable[Ability]) -> list[Ability]:
    found: dict[tuple[str, str], Ability] = {}
    for ability in abilities:
        found.setdefault((ability.name, ability.text), ability)
    return list(found.values())


def _merged(weapons: Iterable[WeaponTaken]) -> tuple[WeaponTaken, ...]:
    found: dict[str, WeaponTaken] = {}
    for weapon in weapons:
        if (other := found.get(weapon.name)) is not None:
            profiles = other.profiles or weapon.profiles
            found[weapon.name] = WeaponTaken(weapon.name, other.count + weapon.count, profiles)
        else:
            found[weapon.name] = weapon
    return tuple(found.values())
