"""A list met with the catalogue: stat lines, weapon profiles, keywords and rules for the names a text list has.

What the list itself says stays as it is; what it does not say is taken from the datasheet of that name, and said from
where. A near miss is taken only when it is close and alone, and said. What is still missing is listed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Final, TypeVar

from msgspec import Struct, structs
from msgspec.structs import replace

from battlewright.catalogue.lookup import EDITIONS, credits_of, find, shelves
from battlewright.datasheet import Ability, CatalogueExtras, Datasheet, ModelEntry, Profile, WargearChange, Weapon
from battlewright.effects import EditionId
from battlewright.errors import BadInput
from battlewright.names import fold, same, singular
from battlewright.roster import Detachment, ModelTaken, Roster, RosterUnit, WeaponTaken
from battlewright.roster.bearers import parted_by
from battlewright.roster.mustering_units import entry_of, price

#: How alike (0 to 1) a misspelt name must be to be taken for a known one.
ALIKE: Final = 0.88


class Resolved(Struct, frozen=True):
    """The list with what the catalogue adds; ``notes`` say what came from where, ``missing`` what nothing had."""

    roster: Roster
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def resolve(roster: Roster, edition: EditionId | None = None) -> Resolved:
    """Fill a list from the catalogues in use. ``edition`` is for lists that do not say theirs.

    >>> unit = RosterUnit("Kasrkn", "u1", (ModelTaken("Kasrkin Trooper", 9), ModelTaken("Kasrkin Sergeant")))
    >>> found = resolve(Roster(edition="11e", units=(unit,)))
    >>> found.roster.units[0].models[0].profile.T, found.notes[0]
    (3, 'Kasrkn: taken as Kasrkin, the nearest name')
    """
    notes: list[str] = []
    stated = roster.edition or edition
    chosen = stated or likely_edition(roster)
    if stated is None and chosen is not None:
        notes.append(f"the edition is not stated; {chosen} has most of the datasheets")
    if chosen is None:
        return Resolved(roster, ("the edition is not stated and no unit is in a catalogue",), ("edition",))
    missing: list[str] = []
    sources: Counter[str] = Counter()
    extras = known_extras(chosen) or CatalogueExtras()
    detachments = _detachments(roster.detachments, chosen, notes)
    roster = replace(roster, detachments=tuple(_worded(each, roster, extras, missing) for each in detachments))
    roster = replace(
        roster, units=tuple(one for unit in roster.units for one in _one_by_one(unit, roster, chosen, notes))
    )
    units = tuple(_resolve_unit(unit, chosen, roster.faction, notes, missing, sources) for unit in roster.units)
    units = tuple(_gifted(unit, roster, extras, missing) for unit in units)
    notes += [f"{count} of {len(units)} datasheets from the catalogue {shelf}" for shelf, count in sources.items()]
    notes += credits_of(sources)
    owed = credits_of(shelf.name for shelf in shelves())
    credits = tuple(line for line in dict.fromkeys((*roster.credits, *notes)) if line in owed or line in roster.credits)
    return Resolved(
        replace(roster, edition=chosen, units=units, credits=credits),
        tuple(dict.fromkeys(notes)),
        tuple(dict.fromkeys(missing)),
    )


def _detachments(taken: tuple[Detachment, ...], edition: EditionId, notes: list[str]) -> tuple[Detachment, ...]:
    """Names that hold "and" are cut wrongly where a list joins detachments by it; the names known put that right."""
    extras = known_extras(edition)
    known = {fold(each.name): each.name for each in extras.detachments} if extras else {}
    if not known or all(fold(each.name) in known for each in taken):
        return taken
    left, found = fold(" and ".join(each.name for each in taken)), list[str]()
    for name in sorted(known, key=len, reverse=True):
        if name in left:
            found.append(name)
            left = left.replace(name, "", 1)
    if set(left.split()) - {"and"} or [known[name] for name in found] == [each.name for each in taken]:
        return taken
    whole = fold(" and ".join(each.name for each in taken))
    found.sort(key=whole.index)
    notes.append(f"detachments: {', '.join(known[name] for name in found)}, by their names in the catalogue")
    by_name = {fold(each.name): each for each in taken}
    return tuple(by_name.get(name, Detachment(known[name])) for name in found)


def _worded(taken: Detachment, roster: Roster, extras: CatalogueExtras, missing: list[str]) -> Detachment:
    """A detachment with its rules: the list's own, or those of the catalogue."""
    if taken.abilities:
        return taken
    known = [each for each in extras.detachments if same(each.name, taken.name) and each.abilities]
    mine = [each for each in known if same(each.faction, roster.faction)] or known
    if len({each.abilities for each in mine}) == 1:
        return replace(taken, abilities=mine[0].abilities)
    missing.append(f"rule of the detachment {taken.name}")
    return taken


def _gifted(unit: RosterUnit, roster: Roster, extras: CatalogueExtras, missing: list[str]) -> RosterUnit:
    """A unit with the words of its enhancements as abilities: the list's own, or those of the catalogue."""
    gifts = [name for name in (unit.enhancement, *unit.more_enhancements) if name]
    wanted = [name for name in gifts if not any(same(name, ability.name) for ability in unit.abilities)]
    chosen = [each.name for each in roster.detachments]
    for name in wanted:
        known = [each for each in extras.enhancements if same(each.name, name) and each.text]
        ours = [each for each in known if any(same(one, other) for one in each.detachments for other in chosen)]
        texts = dict.fromkeys(each.text for each in ours or known)
        if len(texts) == 1:
            ability = Ability((ours or known)[0].name, next(iter(texts)))
            unit = replace(unit, abilities=(*unit.abilities, ability))
        else:
            missing.append(f"rule of {name} ({unit.name})")
    return unit


def _one_by_one(unit: RosterUnit, roster: Roster, edition: EditionId, notes: list[str]) -> tuple[RosterUnit, ...]:
    """ "2x Slag Crawler (180)", fewer models than the datasheet has at least, or more than it has: so many units."""
    only = unit.models[0] if len(unit.models) == 1 else None
    if only is None or only.count < 2 or not same(only.name, unit.name) or unit.datasheet is not None:
        return (unit,)
    if unit.attached_to or any(other.attached_to == unit.id for other in roster.units):
        return (unit,)
    found, number = sheet_of(unit.name, edition, roster.faction), only.count
    if found is None or not found[0].models:
        return (unit,)
    sheet = found[0]
    lowest, alone = sum(entry.low for entry in sheet.models), sum(entry.high or 99 for entry in sheet.models) == 1
    shared = all(weapon.count % number == 0 for weapon in only.weapons)
    if not (alone and shared) and (number >= lowest or only.weapons):
        return (unit,)
    sizes = {tier.points: tier.models for tier in sheet.points if not tier.extra}
    points = unit.points
    if points is not None and points % number == 0 and (points // number in sizes or points not in sizes):
        points //= number
    weapons = tuple(replace(weapon, count=weapon.count // number) for weapon in only.weapons)
    models = (replace(only, count=1 if alone else sizes.get(points or 0, lowest), weapons=weapons),)
    one = replace(unit, models=models, points=points)
    others = replace(one, enhancement=None, enhancement_points=None, more_enhancements=(), warlord=False)
    notes.append(f"{unit.name}: {number} units, by the size its datasheet allows")
    return (one, *(replace(others, id=f"{unit.id}.{place}") for place in range(2, number + 1)))


def resolve_unit(
    unit: RosterUnit, edition: EditionId, faction: str = ""
) -> tuple[RosterUnit, tuple[str, ...], tuple[str, ...]]:
    """One unit filled, with notes and what is missing."""
    notes: list[str] = []
    missing: list[str] = []
    sources: Counter[str] = Counter()
    found = _resolve_unit(unit, edition, faction, notes, missing, sources)
    notes += [f"{unit.name}: from the catalogue {shelf}" for shelf in sources]
    notes += credits_of(sources)
    return found, tuple(notes), tuple(missing)


# --- which datasheet -----------------------------------------------------------------------------------------------


def likely_edition(roster: Roster) -> EditionId | None:
    """The edition in which most units have a datasheet; the newer one on a tie."""
    names = {unit.name for unit in roster.units}
    counts = {each: sum(_exactly(name, each) is not None for name in names) for each in EDITIONS}
    best = max(EDITIONS, key=lambda each: counts[each])
    return best if counts[best] else None


def _exactly(name: str, edition: EditionId) -> tuple[Datasheet, str] | None:
    for shelf in shelves():
        if (sheet := shelf.load(name, edition)) is not None:
            return sheet, shelf.name
    return None


def sheet_of(name: str, edition: EditionId, faction: str = "") -> tuple[Datasheet, str, str] | None:
    """The datasheet that a list means by a name, its shelf, and how it was found ("" when by its own name).

    Tried: the name within the faction of the list, where several factions have one; the name; without the faction some
    tools put before it; the one name that is spelt nearly alike.
    """
    if faction and (found := _exactly(f"{faction} {name}", edition)):
        return *found, ""
    if found := _exactly(name, edition):
        return *found, ""
    words, front = fold(name).split(), fold(faction).split()
    if front and words[: len(front)] == front and (found := _exactly(" ".join(words[len(front) :]), edition)):
        return *found, f"{name}: taken as {found[0].name}"
    if (close := _nearest(name, edition)) and (found := _exactly(close, edition)):
        return *found, f"{name}: taken as {found[0].name}, the nearest name"
    return None


def _nearest(name: str, edition: EditionId) -> str | None:
    known = {fold(each): each for shelf in shelves() for each in shelf.names(edition)}
    wanted = fold(name)
    scored = [(score, each) for each in known if (score := _likeness(wanted, each)) >= ALIKE]
    scored.sort(reverse=True)
    alone = len(scored) == 1 or (len(scored) > 1 and scored[0][0] > scored[1][0] + 0.03)
    return known[scored[0][1]] if scored and alone else None


def _likeness(one: str, other: str) -> float:
    if abs(len(one) - len(other)) > 3:
        return 0.0
    matcher = SequenceMatcher(None, one, other)
    return matcher.ratio() if matcher.real_quick_ratio() >= ALIKE and matcher.quick_ratio() >= ALIKE else 0.0


# --- a unit --------------------------------------------------------------------------------------------------------


def _resolve_unit(
    unit: RosterUnit, edition: EditionId, faction: str, notes: list[str], missing: list[str], sources: Counter[str]
) -> RosterUnit:
    found = (unit.datasheet, "", "") if unit.datasheet else sheet_of(unit.name, edition, faction)
    if found is None:
        return _without_sheet(unit, edition, faction, missing)
    sheet, shelf, how = found
    notes += [how] if how else []
    sheet = _with_bases(sheet, edition, notes)
    sources.update([shelf] if shelf else [])
    unit = _gifts_from_gear(unit, sheet, edition, notes)
    unit = _models_from_gear(unit, sheet, notes)
    unit = _composed(unit, sheet, notes)
    models = tuple(_model(model, unit, sheet, missing) for model in unit.models)
    told: dict[str, set[str]] = {}
    models = tuple(part for model in models for part in _parted(model, unit, sheet))
    unit = replace(unit, models=models)
    models = tuple(_as_carried(model, unit, sheet, notes, told) for model in models)
    sheet = _reworded(sheet, unit, notes)
    wargear = tuple(_weapon(item, unit, sheet, missing) for item in unit.wargear)
    points = unit.points
    if points is None and (priced := price(sheet.points, sum(model.count for model in models), 1)) is not None:
        points = priced
        notes.append(f"{unit.name}: {priced} points by the catalogue, the list states none")
    if unit.legends or sheet.legends:
        notes.append(f"{unit.name}: a Legends datasheet, which many events do not allow")
    if not sheet.models or any(entry.base is None for entry in sheet.models):
        missing.append(f"base size of {unit.name}")
    return replace(
        unit,
        models=models,
        wargear=wargear,
        keywords=_union(unit.keywords, sheet.keywords),
        faction_keywords=_union(unit.faction_keywords, sheet.faction_keywords),
        abilities=_as_told(_abilities(unit.abilities, sheet.abilities), told),
        points=points,
        datasheet=_with_list(sheet, models),
        legends=unit.legends or sheet.legends,
    )


def _with_bases(sheet: Datasheet, edition: EditionId, notes: list[str]) -> Datasheet:
    """Base sizes are in few catalogues: taken from the first other one that has this unit's, of the other edition at last:
    the model is the same."""
    if not sheet.models or all(entry.base is not None for entry in sheet.models):
        return sheet
    for each, shelf in [
        (one, shelf) for one in sorted(EDITIONS, key=lambda one: one != edition) for shelf in shelves()
    ]:
        other = shelf.load(sheet.name, each)
        bases = {fold(entry.name): entry.base for entry in other.models if entry.base is not None} if other else {}
        if not bases:
            continue
        only = next(iter(bases.values())) if len(set(bases.values())) == 1 else None
        models = tuple(replace(entry, base=entry.base or bases.get(fold(entry.name), only)) for entry in sheet.models)
        of = "" if each == edition else f" of the {each}"
        notes.append(f"{sheet.name}: base size from the catalogue {shelf.name}{of}")
        notes += credits_of([shelf.name])
        return replace(sheet, models=models)
    return sheet


def _union(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return (*one, *(word for word in other if not any(same(word, known) for known in one)))


def _abilities(one: tuple[Ability, ...], other: tuple[Ability, ...]) -> tuple[Ability, ...]:
    """The list's own, with the rule of the datasheet's where it has one, and the datasheet's others."""
    known = {fold(ability.name): ability for ability in other}
    taken = tuple(
        replace(ability, rule=twin.rule, status=twin.status, amount=ability.amount or twin.amount)
        if (twin := known.get(fold(ability.name))) is not None and ability.rule is None
        else ability
        for ability in one
    )
    names = {fold(ability.name) for ability in one}
    return (*taken, *(ability for ability in other if fold(ability.name) not in names))


def _with_list(sheet: Datasheet, models: tuple[ModelTaken, ...]) -> Datasheet:
    """The datasheet with the weapons that only the list has profiles for."""
    mine = [profile for model in models for weapon in model.weapons for profile in weapon.profiles]
    more = [
        weapon for weapon in dict.fromkeys(mine) if not any(same(weapon.title, known.title) for known in sheet.weapons)
    ]
    return replace(sheet, weapons=(*sheet.weapons, *more)) if more else sheet


def _models_from_gear(unit: RosterUnit, sheet: Datasheet, notes: list[str]) -> RosterUnit:
    """A list that lost its indentation has models among the gear: the datasheet knows which are models.

    Gear that is there for every model goes to all; of the rest the list no longer says who has it.
    """
    if len(unit.models) != 1 or unit.models[0].count != 1 or len(unit.models[0].weapons) < 2:
        return unit
    gear = unit.models[0].weapons
    entries = {item.name: entry for item in gear for entry in sheet.models if same(entry.name, item.name)}
    weapons = {fold(weapon.name) for weapon in sheet.weapons}
    taken = [item for item in gear if item.name in entries and fold(item.name) not in weapons]
    total = sum(item.count for item in taken)
    if total < 2 or (len(sheet.models) == 1 and total == 1):
        return unit
    rest = [item for item in gear if item not in taken]
    shared = [item for item in rest if item.count % total == 0]
    models = tuple(
        ModelTaken(
            each.name, each.count, None, tuple(WeaponTaken(g.name, g.count // total * each.count) for g in shared)
        )
        for each in taken
    )
    notes.append(f"{unit.name}: models told from gear by the datasheet; the list does not say who has what")
    return replace(unit, models=models, wargear=(*unit.wargear, *(item for item in rest if item not in shared)))


def _composed(unit: RosterUnit, sheet: Datasheet, notes: list[str]) -> RosterUnit:
    """A list without model lines ("10x Wardens") gets the kinds of models of the datasheet, leaders first."""
    if len(unit.models) != 1 or not same(unit.models[0].name, unit.name) or len(sheet.models) < 2:
        return unit
    only = unit.models[0]
    counts = [entry.low for entry in sheet.models]
    left = only.count - sum(counts)
    if left < 0 or only.weapons:
        return unit
    for place, entry in enumerate(sheet.models):
        more = left if entry.high is None else min(left, entry.high - entry.low)
        counts[place] += more
        left -= more
    if left:
        return unit
    notes.append(f"{unit.name}: kinds of models by the datasheet, the list only counts them")
    taken = zip(sheet.models, counts, strict=True)
    return replace(unit, models=tuple(ModelTaken(entry.name, count) for entry, count in taken if count))


def _model(model: ModelTaken, unit: RosterUnit, sheet: Datasheet, missing: list[str]) -> ModelTaken:
    entry = entry_of(sheet, model, unit)
    if entry is None and len({each.profile for each in sheet.models}) == 1:
        entry = sheet.models[0]
    profile = model.profile or (entry.profile if entry else None)
    if profile is None or profile.missing:
        missing.append(f"stat line of {model.name} ({unit.name})")
    weapons = model.weapons
    if not weapons and not unit.wargear and entry is not None and not any(other.weapons for other in unit.models):
        weapons = _default(entry, model.count)
    weapons = _rejoined(weapons, sheet)
    return replace(model, profile=profile, weapons=tuple(_weapon(item, unit, sheet, missing) for item in weapons))


def _parted(model: ModelTaken, unit: RosterUnit, sheet: Datasheet) -> tuple[ModelTaken, ...]:
    """The models of an entry, those that carry what changes their stat line apart from the others."""
    entry = entry_of(sheet, model, unit)
    parts: tuple[ModelTaken, ...] = (model,)
    for change in sheet.changes:
        if change.profile is not None and not change.unit and entry is not None and same(change.of, entry.name):
            parts = tuple(part for each in parts for part in parted_by(each, fold(change.item)))
    return parts


def _as_carried(
    model: ModelTaken, unit: RosterUnit, sheet: Datasheet, notes: list[str], told: dict[str, set[str]]
) -> ModelTaken:
    """The model with the stat line and weapons that its wargear makes of the printed ones.

    What came with the list has them already. Where the list does not say which models carry the item, nothing is changed,
    and said. ``told`` keeps, an item, the characteristics that now stand changed: its own words are not to change them too.
    """
    entry = entry_of(sheet, model, unit)
    printed = {entry.profile} if entry is not None else {each.profile for each in sheet.models}
    profile, weapons = model.profile, list(model.weapons)
    for change in sheet.changes:
        share = _share(change, model, unit)
        if 0 < share < 1:
            notes.append(f"{unit.name}: not every {model.name} has {change.item}, which changes {_told(change)}")
        if share < 1:
            continue
        named = entry is not None and same(change.of, entry.name)
        if change.profile is not None and named and profile is not None:
            if model.profile in printed:
                profile = _changed(profile, change.profile, Profile())
                notes.append(f"{unit.name}: {change.item} changes {_told(change)}")
            if _changed(profile, change.profile, Profile()) == profile:
                told.setdefault(fold(change.item), set()).update(_different(change.profile, Profile()))
        before = next((each for each in sheet.weapons if same(each.title, change.of)), None)
        if change.weapon is None or before is None:
            continue
        for place, weapon in enumerate(weapons):
            if not any(same(each.title, change.of) for each in weapon.profiles):
                continue
            profiles = tuple(
                _changed(each, change.weapon, before) if same(each.title, change.of) else each
                for each in weapon.profiles
            )
            weapons[place] = replace(weapon, profiles=profiles)
            told.setdefault(fold(change.item), set()).update(_different(change.weapon, before))
            notes.append(f"{unit.name}: {change.item} changes {_told(change)}")
    return replace(model, profile=profile, weapons=tuple(weapons))


#: How rules name the characteristics that a weapon here keeps under other names.
_IN_RULES: Final = {"attacks": ("A",), "strength": ("S",), "ap": ("AP",), "damage": ("D",), "skill": ("BS", "WS")}


def _different(then: Profile | Weapon, before: Profile | Weapon) -> set[str]:
    """The characteristics in which two lines differ, as rules name them."""
    names = [field.name for field in structs.fields(then)]
    changed = [name for name in names if getattr(then, name) != getattr(before, name)]
    return {word for name in changed for word in _IN_RULES.get(name, (name,))}


def _as_told(abilities: tuple[Ability, ...], told: dict[str, set[str]]) -> tuple[Ability, ...]:
    """The abilities, those of items whose changes stand in the lines already knowing it."""
    return tuple(
        replace(each, told=tuple(sorted(told[fold(each.name)]))) if fold(each.name) in told else each
        for each in abilities
    )


def _reworded(sheet: Datasheet, unit: RosterUnit, notes: list[str]) -> Datasheet:
    """The datasheet with the abilities that read otherwise by what the unit carries, and whom it may then lead."""
    for change in sheet.changes:
        if change.ability is None or max(_share(change, model, unit) for model in unit.models) < 1:
            continue
        plain = next((each.text for each in sheet.abilities if same(each.name, change.of)), "")
        added = tuple(name for name in change.leads if name not in sheet.leads)
        leads = (*sheet.leads, *added) if change.ability.text.startswith(plain) else change.leads
        sheet = replace(
            sheet,
            abilities=tuple(
                replace(each, text=change.ability.text, rule=None) if same(each.name, change.of) else each
                for each in sheet.abilities
            ),
            leads=leads if change.leads else sheet.leads,
        )
        notes.append(f"{unit.name}: {change.item} changes {change.of}")
    return sheet


T = TypeVar("T", Profile, Weapon)


def _changed(now: T, then: T, before: T) -> T:
    """``now`` with everything in which ``then`` differs from ``before``."""
    fields = [field.name for field in structs.fields(then)]
    new = {name: value for name in fields if (value := getattr(then, name)) != getattr(before, name)}
    return replace(now, **new)


def _told(change: WargearChange) -> str:
    if change.profile is None:
        return change.of
    cells = {field.name: getattr(change.profile, field.name) for field in structs.fields(change.profile)}
    return f"{change.of}: {', '.join(f'{name} {value}' for name, value in cells.items() if value is not None)}"


def _share(change: WargearChange, model: ModelTaken, unit: RosterUnit) -> float:
    """How large a part of the models has what the change asks for."""
    if unit.enhancement and same(unit.enhancement, change.item):
        return 1.0 if "CHARACTER" in map(str.upper, unit.keywords) or change.unit or len(unit.models) == 1 else 0.0
    own = _number_of(change.item, model.weapons)
    if change.unit and sum(each.count for each in unit.models) > 1:
        everywhere = [*(item for each in unit.models for item in each.weapons), *unit.wargear]
        return float(_number_of(change.item, everywhere) >= change.least)
    return min(1.0, own / (change.least * model.count)) if own >= change.least else 0.0


def _number_of(name: str, items: Iterable[WeaponTaken]) -> int:
    """How many of an item there are; of a bundle ("Hammer & Shield") that is named by its parts, how many whole ones."""
    have = Counter[str]()
    for item in items:
        have[fold(item.name)] += item.count
    parts = re.split(r"\s+(?:&|and)\s+", name)
    return have[fold(name)] or (min(have[fold(part)] for part in parts) if len(parts) > 1 else 0)


def _default(entry: ModelEntry, count: int) -> tuple[WeaponTaken, ...]:
    return tuple(WeaponTaken(name, number * count) for name, number in Counter(entry.wargear).items())


# --- wargear -------------------------------------------------------------------------------------------------------


def _weapon(item: WeaponTaken, unit: RosterUnit, sheet: Datasheet, missing: list[str]) -> WeaponTaken:
    """The item with its profiles; wargear that is no weapon has none, and is known by its ability."""
    if item.profiles:
        return item
    several = re.match(r"^(\d{1,2})x?\s+(.+)$", item.name)
    if several and (profiles := _profiles(several[2], sheet.weapons)):
        return WeaponTaken(profiles[0].name, item.count * int(several[1]), profiles)
    profiles = _profiles(item.name, sheet.weapons)
    if not profiles and not _is_wargear(item.name, unit, sheet):
        missing.append(f"profile of {item.name} ({unit.name})")
    return replace(item, profiles=profiles)


def _profiles(name: str, weapons: Iterable[Weapon]) -> tuple[Weapon, ...]:
    known = tuple(weapons)
    for found in (
        tuple(weapon for weapon in known if same(weapon.name, name)),
        tuple(weapon for weapon in known if same(weapon.title, name)),
        tuple(weapon for weapon in known if _likeness(singular(fold(weapon.name)), singular(fold(name))) >= ALIKE),
    ):
        if found and len({weapon.name for weapon in found}) == 1:
            return found
    return ()


def _is_wargear(name: str, unit: RosterUnit, sheet: Datasheet) -> bool:
    """Something that is no weapon: an ability of that name, an item of an option, or a name of the unit itself."""
    items = [item for option in sheet.options for choice in option.choices for item, _ in choice.items]
    items += [item for entry in sheet.models for item in entry.wargear]
    names = [ability.name for ability in (*unit.abilities, *sheet.abilities)] + items + [sheet.name, unit.name]
    return any(same(name, other) for other in names)


def _rejoined(weapons: tuple[WeaponTaken, ...], sheet: Datasheet) -> tuple[WeaponTaken, ...]:
    """Tools that write gear as a sentence cut "Hook and claw" in two; a weapon of that name puts it together."""
    found = list(weapons)
    for weapon in sheet.weapons:
        parts = re.split(r"\s+and\s+", weapon.name)
        if len(parts) != 2 or any(same(item.name, weapon.name) for item in found):
            continue
        halves = [next((item for item in found if same(item.name, part)), None) for part in parts]
        if None not in halves and not any(_profiles(part, sheet.weapons) for part in parts):
            first, second = (half for half in halves if half is not None)
            found[found.index(first)] = WeaponTaken(weapon.name, min(first.count, second.count))
            found.remove(second)
    return tuple(found)


def _gifts_from_gear(unit: RosterUnit, sheet: Datasheet, edition: EditionId, notes: list[str]) -> RosterUnit:
    """An enhancement that a list prints among the gear, without a price, is known by the lists of enhancements."""
    strange = [item for model in unit.models for item in model.weapons if not item.profiles]
    strange = [item for item in strange if not _is_wargear(item.name, unit, sheet)]
    if unit.enhancement is not None or not strange:
        return unit
    extras = known_extras(edition)
    prices = {fold(gift.name): gift.points for gift in extras.enhancements} if extras else {}
    prices |= {fold(gift.name): gift.points for gift in sheet.enhancements}
    for model in unit.models:
        for item in model.weapons:
            gift = fold(item.name)
            if item in strange and gift in prices and not _profiles(item.name, sheet.weapons):
                notes.append(f"{unit.name}: {item.name} is its enhancement")
                rest = tuple(other for other in model.weapons if other is not item)
                models = tuple(replace(each, weapons=rest) if each is model else each for each in unit.models)
                return replace(unit, models=models, enhancement=item.name, enhancement_points=prices[gift])
    return unit


# --- without a catalogue -------------------------------------------------------------------------------------------


def _without_sheet(unit: RosterUnit, edition: EditionId, faction: str, missing: list[str]) -> RosterUnit:
    """A rich list is its own datasheet; of a poor one nothing is known, and why is said."""
    if any(model.profile is not None for model in unit.models):
        missing.append(f"base size of {unit.name}")
        return replace(unit, datasheet=sheet_from_list(unit, edition, faction))
    missing.append(f"datasheet of {unit.name}: {_why(unit.name, edition)}")
    return unit


def _why(name: str, edition: EditionId) -> str:
    try:
        find(name, edition)
    except BadInput as error:
        return error.faults[0].what
    return "not found"


def sheet_from_list(unit: RosterUnit, edition: EditionId, faction: str = "") -> Datasheet:
    """The datasheet a rich list holds of a unit as chosen: these models, these weapons, these abilities.

    Bases, other sizes and other options are not in a list, so they are missing, never guessed.
    """
    profiles = [profile for model in unit.models for weapon in model.weapons for profile in weapon.profiles]
    damaged = next((found for ability in unit.abilities if (found := _damaged(ability.name))), None)
    transport = next((ability.text for ability in unit.abilities if fold(ability.name) == "transport"), "")
    return Datasheet(
        name=unit.name,
        edition=edition,
        faction=faction,
        models=tuple(_entry(model) for model in unit.models),
        weapons=tuple(dict.fromkeys(profiles)),
        abilities=unit.abilities,
        keywords=unit.keywords,
        faction_keywords=unit.faction_keywords,
        transport_text=transport,
        damaged=damaged,
        legends=unit.legends,
        missing=("base size", "unit composition", "wargear options", "points"),
        sources=(("all", "the list itself"),),
    )


def _entry(model: ModelTaken) -> ModelEntry:
    carried = tuple(weapon.name for weapon in model.weapons for _ in range(weapon.count // model.count))
    profile = model.profile
    entry = ModelEntry(model.name, low=0, high=model.count, wargear=carried)
    return replace(entry, profile=profile) if profile is not None else entry


def _damaged(name: str) -> tuple[int, int] | None:
    found = re.match(r"damaged:?\s*(\d{1,2})\s*[-–]\s*(\d{1,2})", name, re.IGNORECASE)
    return (int(found[1]), int(found[2])) if found else None


# --- what else a catalogue knows of an army --------------------------------------------------------------------------


def known_extras(edition: EditionId) -> CatalogueExtras | None:
    """Detachments and enhancements of the catalogues in use; None when no shelf has any."""
    found = [extras for shelf in shelves() if (extras := _extras(shelf, edition)) is not None]
    if not found:
        return None
    return CatalogueExtras(
        detachments=tuple(each for extras in found for each in extras.detachments),
        enhancements=tuple(each for extras in found for each in extras.enhancements),
        army_rules=tuple(each for extras in found for each in extras.army_rules),
        stratagems=tuple(each for extras in found for each in extras.stratagems),
    )


def _extras(shelf: object, edition: EditionId) -> CatalogueExtras | None:
    """What a shelf of the user holds besides datasheets; a shelf is of one edition."""
    ask = getattr(shelf, "extras", None)
    if not callable(ask) or getattr(getattr(shelf, "header", None), "edition", edition) != edition:
        return None
    extras = ask()
    return extras if isinstance(extras, CatalogueExtras) else None
