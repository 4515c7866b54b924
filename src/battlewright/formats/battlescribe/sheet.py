"""A resolved unit as a :class:`~battlewright.datasheet.Datasheet`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from msgspec.structs import replace

from battlewright.datasheet import Ability, Datasheet, ModelEntry, Profile, WargearChange, Weapon, WeaponAbility
from battlewright.dice import Dice
from battlewright.effects import EditionId
from battlewright.errors import Unparsed
from battlewright.formats.battlescribe.composition import (
    WEAPONS,
    Kind,
    Size,
    carried,
    every_size,
    kinds,
    options,
    ranges,
    surcharges,
    tiers,
)
from battlewright.formats.battlescribe.index import PTS, Losses
from battlewright.formats.battlescribe.nodes import Node, Print, RuleRef
from battlewright.formats.markup import plain
from battlewright.formats.stat_line import SAVE_NAME, is_told, read_profile, with_invulnerable
from battlewright.formats.weapon_line import ABILITIES, read_abilities, read_weapon
from battlewright.names import fold, same

#: List sections and other helpers of list building that are no keywords of the game.
_SECTIONS: Final = frozenset({
    "Configuration", "Reference", "Unit", "Order of Battle", "Allied Units", "Warlord", "Uncategorised", "Illegal Units",
})  # fmt: skip
_FACTION: Final = "Faction:"
_ALLIES: Final = "Allies:"
_DAMAGED: Final = re.compile(r"^damaged\W+(\d+)\s*[-–]\s*(\d+)", re.I)
_AMOUNT: Final = re.compile(r"^(.*?)[\s:]*\b(\d{1,2}|\d?D[36](?:\+\d+)?)[\"”″+]?$", re.I)
#: Core abilities that say nothing without a number.
_NUMBERED: Final = frozenset({"feel no pain", "deadly demise", "scouts", "firing deck"})
#: A sentence that gives an ability only while something holds.
_GRANTS: Final = (
    r"\b(?:While|If)\b[^.\n]*\b(?:models in that unit|that unit|this model|this unit)\s+(?:has|have|gains?)\b"
)
_WEAPON_ABILITIES: Final = frozenset(map(fold, (*ABILITIES, "anti-")))
_LEADS: Final = re.compile(r"attached to (?:one of )?the following units?[^:]*:(.*)", re.I | re.S)


def datasheet(root: Node, edition: EditionId, source: str, losses: Losses, faction: str = "") -> Datasheet:
    """The datasheet of a resolved unit; everything not understood goes to ``losses`` and, if it matters, ``missing``.

    ``faction`` is that of its catalogue, for a unit without a faction keyword.
    """
    name, legends = _name(root.name)
    found = kinds(root)
    sizes = every_size(root, found)
    factions, keywords = _keywords(root)
    weapons, lost = _weapons(root, f"{name}", losses)
    saves = _saves(root)
    models = _models(root, found, sizes, saves, keywords, losses, name)
    missing = [f"weapon {one}" for one in lost]
    missing += [f"stat line of {model.name}" for model in models if model.profile.missing]
    missing += [] if factions else ["faction keyword"]
    abilities = tuple(one for one in _abilities(root) if not is_told(one, (model.profile for model in models)))
    missing += [f"text of {one.name}" for one in abilities if not one.text and one.kind in ("datasheet", "wargear")]
    return Datasheet(
        name=name,
        edition=edition,
        faction=factions[0] if factions else faction,
        models=models,
        weapons=weapons,
        options=options(root, found, sizes),
        changes=_changes(root, found, losses),
        abilities=abilities,
        keywords=keywords,
        faction_keywords=factions,
        points=(*tiers(sizes), *surcharges(root, found)) if _priced(root) else (),
        leads=_leads(abilities),
        transport_text=_transport(root),
        damaged=_damaged(abilities),
        role=next((one for one, primary in root.categories if primary), ""),
        legends=legends,
        unique="Epic Hero" in keywords,
        missing=tuple(missing),
        sources=(("all", source),),
    )


def _priced(root: Node) -> bool:
    """Whether the catalogue gives any price for the unit: nothing is not a price of nothing."""
    return any(PTS in node.costs for node in root.walk())


def _name(printed: str) -> tuple[str, bool]:
    name = re.sub(r"\s*\[legends\]\s*", " ", printed, flags=re.I).strip()
    return name, name != printed.strip()


def _keywords(root: Node) -> tuple[tuple[str, ...], tuple[str, ...]]:
    names = [name for name, _ in root.categories]
    factions = [name.removeprefix(_FACTION).strip() for name in names if name.startswith(_FACTION)]
    abilities = {rule.name.casefold() for rule in root.rules if rule.core}
    return tuple(dict.fromkeys(factions)), _game_keywords(one for one in names if one.casefold() not in abilities)


def _game_keywords(names: Iterable[str]) -> tuple[str, ...]:
    found = [one for one in names if one not in _SECTIONS and not one.startswith((_FACTION, _ALLIES))]
    return tuple(dict.fromkeys(found))


# --- models ------------------------------------------------------------------------------------------------------


def _models(
    root: Node,
    found: list[Kind],
    sizes: list[Size],
    saves: list[Save],
    keywords: tuple[str, ...],
    losses: Losses,
    where: str,
) -> tuple[ModelEntry, ...]:
    many = ranges(root, found, sizes)
    shared = carried(root) if root.kind == "unit" else None
    models = []
    for kind in found:
        profile = Profile()
        if kind.print is None:
            losses.add("a model without a stat line", f"{where}: {kind.name}")
        else:
            profile, unread = read_profile(kind.print.cells)
            for cell in unread:
                losses.add("a characteristic that was not understood", f"{where}: {cell}")
        profile = _with_save(profile, kind, saves, root)
        low, high = many[kind.name]
        wargear = carried(kind.default.node)
        if shared and kind.default.node is not root:
            wargear = wargear + shared
        own = _game_keywords(name for spot in kind.spots for name, _ in spot.node.categories)
        models.append(
            ModelEntry(
                name=_name(kind.name)[0],
                low=low,
                high=high,
                profile=profile,
                wargear=tuple(wargear.elements()),
                keywords=tuple(one for one in own if one not in keywords) if kind.default.node is not root else (),
                variants=tuple(dict.fromkeys(spot.node.name for spot in kind.spots if spot.node.name != kind.name)),
            )
        )
    return tuple(models)


@dataclass(frozen=True)
class Save:
    """An ability called "Invulnerable Save": for every model of its holder, or for the one in brackets."""

    one: Print
    holder: Node

    @property
    def words(self) -> str:
        """The words that tell it: the text, after the name when the text gives no number."""
        text = plain(self.one.text)
        return text if re.search(r"\d\+", text) else f"{self.one.name} {text}"

    def fits(self, kind: Kind, root: Node) -> bool:
        bracket = re.search(r"\[([^\]]+)\]", self.one.name)
        if bracket and bracket[1].casefold() != root.name.casefold():
            return bracket[1].casefold() in kind.name.casefold()
        if (left_out := re.search(r"excluding (?:the )?([^)]+)\)", self.words)) and same(left_out[1], kind.name):
            return False
        return self.holder is root or any(self.holder in (spot.node, *spot.path) for spot in kind.spots)


def _saves(root: Node) -> list[Save]:
    """The abilities called "Invulnerable Save" of the unit and its models (those of wargear are wargear abilities)."""
    return [
        Save(one, node)
        for node in root.walk()
        if node.kind != "upgrade" or node is root
        for one in node.prints
        if one.kind not in (*WEAPONS, "Unit") and SAVE_NAME.match(one.name)
    ]


def _with_save(profile: Profile, kind: Kind, saves: list[Save], root: Node) -> Profile:
    """The stat line with the invulnerable save an ability tells, or with the restriction of the printed one."""
    printed = kind.print.cells.get("insv", "") if kind.print else ""
    for told in (with_invulnerable(profile, one.words) for one in saves if one.fits(kind, root)):
        if profile.InSv is None:
            return told
        if "*" in printed and told.InSv == profile.InSv:
            return told
    return profile


# --- weapons -----------------------------------------------------------------------------------------------------


def _weapons(root: Node, where: str, losses: Losses) -> tuple[tuple[Weapon, ...], tuple[str, ...]]:
    found: dict[Weapon, None] = {}
    lost: dict[str, None] = {}
    for node in root.walk():
        for one in node.prints:
            if one.kind in WEAPONS:
                try:
                    weapon = read_weapon_print(one, where, losses)
                    found[weapon] = None
                    if weapon.strength is None:
                        losses.add("a weapon whose strength is rolled", f"{where}: {one.name}")
                        lost[f"{one.name} (strength {one.cells.get('s', '')})"] = None
                except Unparsed as error:
                    losses.add("a weapon that was not understood", f"{where}: {one.name}: {error}")
                    lost[one.name] = None
    return tuple(found), tuple(lost)


def read_weapon_print(one: Print, where: str, losses: Losses) -> Weapon:
    """A weapon profile, its strength None where it is rolled; raises :class:`Unparsed` for numbers that are none."""
    melee = one.kind == "Melee Weapons"
    cells = [one.cells.get(key, "") for key in ("range", "a", "ws" if melee else "bs", "s", "ap", "d")]
    cells = [re.sub(r"(?<=\S)\s*\*+$", "", plain(cell)) for cell in cells]
    words = re.sub(r"(\banti[- ][^,\d]*\d)(?![\d+])", r"\1+", plain(one.cells.get("keywords", "")), flags=re.I)
    abilities, unknown = read_abilities(words)
    for word in unknown:
        losses.add("a weapon ability of its own", f"{where}: {one.name}: {word}")
    extra = tuple(WeaponAbility(word.lower()) for word in unknown)
    if rolled := _dice(cells[3]) if "D" in cells[3].upper() else None:
        cells[3] = str(max(1, rolled.low))
    weapon = read_weapon(plain(one.name), cells, (*abilities, *extra), melee=melee)
    return replace(weapon, strength=None) if rolled else weapon


def _changes(root: Node, found: list[Kind], losses: Losses) -> tuple[WargearChange, ...]:
    """What items change of stat lines, weapons and abilities; cells of one item and one line together."""
    models = {id(kind.print): _name(kind.name)[0] for kind in found if kind.print is not None}
    made: dict[WargearChange, None] = {}
    for node in root.walk():
        for one in node.prints:
            told: dict[tuple[str, int, bool], dict[str, str]] = {}
            for change in one.changes:
                told.setdefault((plain(change.item), change.least, change.unit), {})[change.cell] = change.text
            for asked, cells in told.items():
                try:
                    change_of = _changed(one, cells, models.get(id(one)), f"{root.name}: {one.name}", losses)
                except Unparsed:
                    losses.add("a change of a weapon that was not understood", f"{root.name}: {one.name}")
                    continue
                item, least, unit = asked
                made[replace(change_of, item=item, least=least, unit=unit)] = None
    return tuple(made)


def _changed(one: Print, cells: dict[str, str], model: str | None, where: str, losses: Losses) -> WargearChange:
    """How a printed line reads with these cells; raises :class:`Unparsed` for a weapon that is none."""
    if one.kind == "Unit":
        return WargearChange("", model or _name(one.name)[0], read_profile(cells)[0])
    then = Print(one.kind, one.name, {**one.cells, **cells})
    if one.kind in WEAPONS:
        weapon = read_weapon_print(then, where, losses)
        return WargearChange("", weapon.title, weapon=weapon)
    ability = _printed_ability(then, "datasheet")
    return WargearChange("", ability.name, ability=ability, leads=_leads((ability,)))


# --- abilities ---------------------------------------------------------------------------------------------------


def _abilities(root: Node) -> tuple[Ability, ...]:
    """The abilities of the unit and of its wargear.

    Catalogues also link rules only because a text names them: the abilities of weapons, what wargear or another ability
    grants, a rule without the number it needs. These are no abilities of the unit.
    """
    printed = _printed_abilities(root)
    texts = "\n".join(one.text for one in printed)
    found: dict[tuple[str, str], Ability] = {}
    for node in root.walk():
        if any(one.kind in WEAPONS for one in node.prints):
            continue
        for rule in node.rules:
            ability = rule_ability(rule)
            if node.kind != "upgrade" or node is root:
                if not rule.core or not _only_named(ability, texts):
                    found.setdefault((ability.name.casefold(), ""), ability)
            elif not node.prints and fold(ability.name) not in _WEAPON_ABILITIES:
                told = " ".join(filter(None, (rule.name, rule.amount)))
                printed.append(Ability(plain(node.name), f"The bearer has the {told} ability.", "wargear"))
    for ability in printed:
        key = (ability.name.casefold(), "")
        if key in found and found[key].kind == "core":
            found[key] = replace(found[key], text=ability.text)
        elif (numbered := _numbered(ability)) is not None and numbered[0].casefold() in _NUMBERED:
            found[numbered[0].casefold(), ""] = Ability(numbered[0], ability.text, "core", numbered[1])
        else:
            found.setdefault((ability.name.casefold(), ability.text), ability)
    return tuple(found.values())


def _printed_abilities(root: Node) -> list[Ability]:
    found = []
    for node in root.walk():
        for one in node.prints:
            if one.kind in (*WEAPONS, "Unit") or _is_capacity(one):
                continue
            found.append(
                _printed_ability(one, "wargear" if node.kind == "upgrade" and node is not root else "datasheet")
            )
    return found


def _printed_ability(one: Print, kind: Literal["datasheet", "wargear"]) -> Ability:
    """An ability of the unit or of its wargear; what stands in a box of another kind is special."""
    return Ability(plain(one.name), plain(one.text), kind if one.kind == "Abilities" else "special")


def _only_named(ability: Ability, texts: str) -> bool:
    """Whether a core rule is linked only because a text names it."""
    name = fold(ability.name)
    if name in _WEAPON_ABILITIES or (ability.amount is None and name in _NUMBERED):
        return True
    grants = rf"{_GRANTS}[^.\n]{{0,40}}\b{re.escape(ability.name)}\b"
    return ability.amount is None and re.search(grants, texts) is not None


def _numbered(ability: Ability) -> tuple[str, Dice] | None:
    """ "Feel No Pain 5+" as its name and its number."""
    found = _AMOUNT.match(ability.name)
    amount = _dice(found[2]) if found else None
    return (found[1], amount) if found and amount is not None else None


def rule_ability(rule: RuleRef) -> Ability:
    """A core or faction ability with its number, wherever that stands: behind the name or in it."""
    name, amount = rule.name, _dice(rule.amount)
    if amount is None and (split := _AMOUNT.match(rule.name)) and rule.core and (amount := _dice(split[2])):
        name = split[1]
    return Ability(plain(name), plain(rule.text), "core" if rule.core else "faction", amount)


def _dice(text: str) -> Dice | None:
    try:
        return Dice.parse(text.strip().strip('"”″+(), ').upper()) if text.strip() else None
    except Unparsed:
        return None


def _leads(abilities: tuple[Ability, ...]) -> tuple[str, ...]:
    """The units a Leader or Support ability names."""
    found: list[str] = []
    for ability in abilities:
        if listed := _LEADS.search(ability.text):
            found += _names(listed[1])
    return tuple(dict.fromkeys(found))


def _names(text: str) -> list[str]:
    """Names on lines with bullets, or in one line with commas; a sentence ends the list.

    What a modifier writes into an attribute has lost its line ends: there the bullets alone part the names.
    """
    found: list[str] = []
    for line in re.split(r"\n|(?=■)|(?=•)|\s(?=- [A-Z*^])", text):
        bullet = re.match(r"\s*[■•▪◦-]", line)
        clean = line.strip(" ■•▪◦-\t*.")
        if not clean:
            continue
        if bullet or (not found and "," not in clean and len(clean) < 60):
            found.append(clean)
        elif not found:
            found += [part.strip(" .") for part in re.split(r",| and ", clean.split(". ")[0]) if part.strip(" .")]
        elif len(clean) < 60 and not re.search(r"\b(?:you|this|can|must|may|unit|if)\b", clean, re.I):
            found.append(clean)
        else:
            break
    return [re.sub(r"\s*\((?:see|excluding)\b.*$", "", name, flags=re.I) for name in found]


def _transport(root: Node) -> str:
    texts = [plain(one.text) for node in root.walk() for one in node.prints if _is_capacity(one)]
    return "\n".join(dict.fromkeys(texts))


def _is_capacity(one: Print) -> bool:
    """A transport capacity; a text about being transported is an ability."""
    if one.kind != "Transport" and one.name.strip().casefold() != "transport":
        return False
    return re.search(r"\bcapacity\b", one.text, re.I) is not None


def _damaged(abilities: tuple[Ability, ...]) -> tuple[int, int] | None:
    for ability in abilities:
        if found := _DAMAGED.match(ability.name):
            return int(found[1]), int(found[2])
    return None
