"""Units as people name them: a datasheet by name, a page, ``roster-file#Unit name``; with what is known and what is not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from battlewright.catalogue.lookup import Found, credits_of, find
from battlewright.datasheet import Ability, Datasheet, ModelEntry, Profile, Weapon
from battlewright.effects import EditionId
from battlewright.errors import BadInput, Fault
from battlewright.formats import Reading
from battlewright.names import fold, meant, same
from battlewright.roster import ModelTaken, Roster, RosterUnit

if TYPE_CHECKING:
    from battlewright.catalogue.resolve import Resolved


class Kind(Struct, frozen=True):
    """``count`` equal models: their stat line, and the weapons they carry together (name, number).

    ``own`` are the weapon profiles of these models, where they differ from others of the same name in the unit.
    """

    name: str
    count: int
    profile: Profile = Profile()
    weapons: tuple[tuple[str, int], ...] = ()
    keywords: tuple[str, ...] = ()
    wargear: tuple[str, ...] = ()
    own: tuple[Weapon, ...] = ()


class Unit(Struct, frozen=True):
    """One side of a question. ``weapons`` are all profiles known, ``notes`` what was taken from where or assumed."""

    name: str
    edition: EditionId
    kinds: tuple[Kind, ...]
    weapons: tuple[Weapon, ...] = ()
    keywords: tuple[str, ...] = ()
    faction_keywords: tuple[str, ...] = ()
    abilities: tuple[Ability, ...] = ()
    damaged: tuple[int, int] | None = None
    points: int | None = None
    sheet: Datasheet | None = None
    notes: tuple[str, ...] = ()
    fnp: int | None = None

    @property
    def models(self) -> int:
        return sum(kind.count for kind in self.kinds)

    def has(self, keyword: str) -> bool:
        return any(same(keyword, word) for word in (*self.keywords, *self.faction_keywords))

    def profiles(self, weapon: str, kind: Kind | None = None) -> tuple[Weapon, ...]:
        """The profiles of a weapon of this name (as these models have it), or the one profile of a full name."""
        known = (kind.own if kind is not None else ()) or self.weapons
        whole = tuple(each for each in known if same(each.name, weapon))
        return whole or tuple(each for each in known if same(each.title, weapon))


_STAT: Final = re.compile(r"\b(M|T|SV|W|LD|OC|INSV|INV|FNP)\s*[:=]?\s*(\d{1,2})\s*[\"+]{0,2}(?=[\s,;]|$)", re.I)
_NAMES: Final = {"M": "M", "T": "T", "SV": "Sv", "W": "W", "LD": "Ld", "OC": "OC", "INSV": "InSv", "INV": "InSv"}


def read_stats(text: str) -> tuple[Profile, int | None]:
    """A stat line as a person types it, and a Feel No Pain; raises :class:`BadInput` for what is none.

    >>> read_stats("T 3 Sv 4+ W 1 InSv 5+ FNP 6+")
    (Profile(M=None, T=3, Sv=4, W=1, Ld=None, OC=None, InSv=5, InSv_against=None, M_dice=None), 6)
    """
    found = {name.upper(): int(value) for name, value in _STAT.findall(text)}
    left = _STAT.sub("", text).strip(" ,;")
    faults = [Fault(f"not a characteristic: {left[:40]!r}", "--stats")] if left else []
    faults += [
        Fault(f"{name}: expected {low}..{high}, got {found[name]}", "--stats")
        for name, low, high in (("T", 1, 30), ("SV", 2, 7), ("W", 1, 99), ("INSV", 2, 6), ("INV", 2, 6), ("FNP", 2, 6))
        if name in found and not low <= found[name] <= high
    ]
    faults += [Fault(f"{name} is missing", "--stats") for name in ("T", "SV", "W") if name not in found]
    if faults:
        raise BadInput(faults)
    stats = {_NAMES[name]: value for name, value in found.items() if name != "FNP"}
    return Profile(**stats), found.get("FNP")  # type: ignore[arg-type]


def take(text: str, edition: EditionId | None = None, *, models: int | None = None, stats: str | None = None) -> Unit:
    """The unit that ``text`` names: ``FILE#Name`` of a roster or catalogue, a page FILE, or a name of the catalogue.

    ``Bodyguard + Leader`` is an attached unit (the part that leads comes after), as is a roster unit that is led.
    ``stats`` gives the stat line where there is none, or replaces it. Raises :class:`BadInput`.

    >>> take("kasrkin").models, take("Canis Rex").points
    (10, 415)
    """
    profile, fnp = read_stats(stats) if stats else (None, None)
    file, mark, name = text.rpartition("#")
    parts = [part.strip() for part in text.split("+")]
    if len(parts) > 1 and all(parts) and not Path(file or text).exists():
        unit = attached([take(part, edition, models=None if place else models) for place, part in enumerate(parts)])
    elif mark and file and Path(file).exists():
        unit = _from_file(file, name.strip(), edition, models)
    elif Path(text).is_file() or text == "-":
        unit = _from_file(text, "", edition, models)
    elif _looks_like_a_path(text):
        raise BadInput("no such file", text)
    else:
        unit = _from_name(text, edition, models, optional=profile is not None)
    if profile is not None:
        kinds = tuple(replace(kind, profile=profile) for kind in unit.kinds)
        unit = replace(unit, kinds=kinds, fnp=fnp, notes=(*unit.notes, f"{unit.name}: stat line as given"))
    return unit


def attached(units: list[Unit]) -> Unit:
    """Bodyguard and leaders as one unit: every rule and weapon of each. Rules: 11e 24.22; 10e T-10.2.

    Raises :class:`BadInput` for units of two editions.
    """
    first, *others = units
    if any(unit.edition != first.edition for unit in others):
        raise BadInput("an attached unit of two editions", " + ".join(unit.name for unit in units))
    prices = [unit.points for unit in units]
    return replace(
        first,
        name=" + ".join(unit.name for unit in units),
        kinds=tuple(
            replace(kind, keywords=kind.keywords or unit.keywords, own=kind.own or unit.weapons)
            for unit in units
            for kind in unit.kinds
        ),
        weapons=tuple(dict.fromkeys(weapon for unit in units for weapon in unit.weapons)),
        keywords=tuple(dict.fromkeys(word for unit in units for word in unit.keywords)),
        faction_keywords=tuple(dict.fromkeys(word for unit in units for word in unit.faction_keywords)),
        abilities=tuple(dict.fromkeys(ability for unit in units for ability in unit.abilities)),
        points=None if None in prices else sum(price for price in prices if price is not None),
        notes=tuple(dict.fromkeys(note for unit in units for note in unit.notes)),
    )


def _looks_like_a_path(text: str) -> bool:
    return (
        "/" in text
        or "\\" in text
        or re.search(r"\.(?:txt|json|rosz?|html?|cat|csv|xml)(?:#|$)", text, re.I) is not None
    )


def _from_name(name: str, edition: EditionId | None, models: int | None, *, optional: bool) -> Unit:
    try:
        found = _find(name, edition)
    except BadInput:
        if not optional:
            raise
        return Unit(name, edition or "11e", (Kind(name, models or 1),), notes=(f"{name}: known by --stats only",))
    unit = from_sheet(found.datasheet, models)
    return replace(unit, notes=(*unit.notes, *credits_of([found.shelf])))


def _find(name: str, edition: EditionId | None) -> Found:
    """The datasheet of that edition; where there is none, that of the other."""
    try:
        return find(name, edition)
    except BadInput:
        if edition is None:
            raise
        return find(name)


def _from_file(file: str, name: str, edition: EditionId | None, models: int | None) -> Unit:
    from battlewright.formats.detect import read

    reading = read(file)
    if reading.roster is not None:
        return _from_roster(reading, reading.roster, file, name, edition, models)
    sheets = [sheet for sheet in reading.datasheets if not name or same(sheet.name, name)]
    if not sheets:
        raise BadInput(
            "no such datasheet in the file" + meant(name, [sheet.name for sheet in reading.datasheets]),
            f"{file}#{name}",
        )
    if len(sheets) > 1:
        raise BadInput(f"{len(sheets)} datasheets in the file: say which, FILE#Name", file)
    if reading.faults:
        raise BadInput(reading.faults)
    if not sheets[0].weapons and not sheets[0].models:
        raise BadInput("neither weapons nor models could be read", file)
    return from_page(sheets[0], file, models)


def from_page(sheet: Datasheet, file: str, models: int | None) -> Unit:
    """A page's datasheet; what it lost is taken from the catalogue by name where that has it, and said."""
    notes = []
    try:
        known = find(sheet.name, sheet.edition) if sheet.name else None
    except BadInput:
        known = None
    if known is not None:
        sheet, filled = _filled(sheet, known.datasheet)
        notes += [f"{sheet.name}: {what} from the catalogue (not on the page)" for what in filled]
        notes += credits_of([known.shelf]) if filled else ()
    unit = from_sheet(sheet if sheet.name else replace(sheet, name=Path(file).stem), models)
    return replace(unit, notes=(*notes, *unit.notes))


def _filled(sheet: Datasheet, known: Datasheet) -> tuple[Datasheet, list[str]]:
    """The page with stat lines and equipment of the same unit of the catalogue, and what was filled in."""
    filled = []
    models = sheet.models or known.models
    if all(model.profile.missing for model in models):
        filled.append("stat line")
        models = tuple(replace(model, profile=_twin(model, known).profile) for model in models)
    if not any(model.wargear for model in models) or (len(models) > 1 and not all(model.wargear for model in models)):
        filled.append("equipment")
        models = tuple(replace(model, wargear=model.wargear or _twin(model, known).wargear) for model in models)
    if not sheet.faction_keywords and known.faction_keywords:
        filled.append("faction keyword")
    keywords = sheet.faction_keywords or known.faction_keywords
    return replace(sheet, models=models, faction_keywords=keywords), filled


def _twin(model: ModelEntry, known: Datasheet) -> ModelEntry:
    return next((other for other in known.models if same(other.name, model.name)), known.models[0])


def from_sheet(sheet: Datasheet, models: int | None = None) -> Unit:
    """A unit in its smallest size, or of ``models`` models, with its default equipment."""
    notes: list[str] = []
    entries = _of_its_own(sheet, notes)
    if not entries:
        size = models or min((tier.models for tier in sheet.points), default=1)
        entries = (ModelEntry(sheet.name, low=size, high=size),)
        notes.append(f"{sheet.name}: unit composition not known, taken as {size} equal models")
    counts = _counts(sheet.name, entries, models)
    kinds = []
    for entry, count in zip(entries, counts, strict=True):
        items = entry.wargear or _implied(sheet, entries, notes)
        weapons = [item for item in items if any(same(item, weapon.name) for weapon in sheet.weapons)]
        carried = {item: weapons.count(item) * count for item in weapons}
        if count:
            other = tuple(item for item in items if item not in carried)
            kinds.append(Kind(entry.name, count, entry.profile, tuple(carried.items()), entry.keywords, other))
    return Unit(
        name=sheet.name,
        edition=sheet.edition,
        kinds=tuple(kinds),
        weapons=sheet.weapons,
        keywords=sheet.keywords,
        faction_keywords=sheet.faction_keywords,
        abilities=sheet.abilities,
        damaged=sheet.damaged,
        points=_points(sheet, sum(counts)),
        sheet=sheet,
        notes=tuple(notes),
    )


def _of_its_own(sheet: Datasheet, notes: list[str]) -> tuple[ModelEntry, ...]:
    """The models of a sheet, without a named hero who has a datasheet of his own (he enters later, by its rule)."""
    if not sheet.unique or len(sheet.models) < 2:
        return sheet.models
    kept = []
    for entry in sheet.models:
        try:
            own = find(entry.name, sheet.edition).datasheet
        except BadInput:
            own = None
        if own is None or not own.unique or same(own.name, sheet.name):
            kept.append(entry)
        else:
            notes.append(f"{sheet.name}: {own.name} left out, who has a datasheet of his own")
    return tuple(kept)


def _implied(sheet: Datasheet, entries: tuple[ModelEntry, ...], notes: list[str]) -> tuple[str, ...]:
    """A lone model whose equipment is not known carries every weapon that no option gives; of more nothing is guessed."""
    if len(entries) > 1 or entries[0].low > 1:
        return ()
    optional = [item for option in sheet.options for choice in option.choices for item, _ in choice.items]
    names = dict.fromkeys(weapon.name for weapon in sheet.weapons)
    given = tuple(name for name in names if not any(same(name, item) for item in optional))
    if given:
        notes.append(f"{sheet.name}: default equipment not known, taken as every weapon that no option gives")
    return given


def _counts(name: str, entries: tuple[ModelEntry, ...], models: int | None) -> list[int]:
    counts = [entry.low for entry in entries]
    if not sum(counts):
        counts[0] = 1
    if models is None:
        return counts
    highest = [entry.high if entry.high is not None else max(entry.low, models) for entry in entries]
    if not sum(counts) <= models <= sum(highest):
        raise BadInput(f"{models} models: the unit has {sum(counts)} to {sum(highest)}", name)
    for place, high in sorted(enumerate(highest), key=lambda pair: counts[pair[0]] - pair[1]):
        counts[place] += min(high - counts[place], models - sum(counts))
    return counts


def _points(sheet: Datasheet, models: int) -> int | None:
    fitting = [tier for tier in sheet.points if tier.first == 1 and not tier.extra and tier.models >= models]
    return min(fitting, key=lambda tier: tier.models).points if fitting else None


# ----------------------------------------------------------------------------------------------------------- rosters


def _from_roster(
    reading: Reading, roster: Roster, file: str, name: str, edition: EditionId | None, models: int | None
) -> Unit:
    if not name:
        names = ", ".join(dict.fromkeys(unit.name for unit in roster.units))
        raise BadInput(f"a roster: say which unit, {file}#Unit name ({names[:300]})", file)
    taken = [unit for unit in roster.units if same(unit.name, name) or fold(unit.id) == fold(name)]
    if not taken:
        raise BadInput(
            "no such unit in the roster" + meant(name, [unit.name for unit in roster.units]), f"{file}#{name}"
        )
    if models is not None:
        raise BadInput("the roster says how many models the unit has", "--models")
    from battlewright.rulestext.rosters import prepared

    leaders = [unit for unit in roster.units if taken[0].id and unit.attached_to == taken[0].id]
    resolved = prepared(replace(roster, units=(taken[0], *leaders)), reading.edition or edition)
    rules = resolved.roster.edition or edition or "11e"
    found = [from_roster_unit(unit, rules) for unit in resolved.roster.units]
    unit = _in_its_army(attached(found) if leaders else found[0], resolved)
    others = [other.id for other in taken[1:] if same(other.name, taken[0].name)]
    chosen = (
        [f"{len(taken)} units of that name in the list, the first is taken (else: {file}#{others[0]})"]
        if others
        else []
    )
    return replace(unit, notes=tuple(dict.fromkeys((*chosen, *unit.notes, *resolved.notes))))


def _in_its_army(unit: Unit, resolved: Resolved) -> Unit:
    """The unit with the rules of its army's detachments; what is known by name only is told as not counted."""
    rules = [replace(each, kind="faction") for one in resolved.roster.detachments for each in one.abilities]
    more = [each for each in rules if not any(same(each.name, known.name) for known in unit.abilities)]
    lost = [f"{said} not known, so not counted" for said in resolved.missing if said.startswith("rule of ")]
    return replace(unit, abilities=(*unit.abilities, *more), notes=(*unit.notes, *lost))


def from_roster_unit(taken: RosterUnit, edition: EditionId) -> Unit:
    """A unit of a list: the models and weapons chosen; stat lines and profiles of the list, else of the catalogue."""
    notes: list[str] = []
    sheet = taken.datasheet
    if sheet is None:
        try:
            found = find(taken.name, edition)
            sheet = found.datasheet
            notes += [f"{taken.name}: profiles from the catalogue (not in the list)", *credits_of([found.shelf])]
        except BadInput:
            sheet = None
    weapons = [profile for model in taken.models for weapon in model.weapons for profile in weapon.profiles]
    weapons += [
        weapon for weapon in (sheet.weapons if sheet else ()) if not any(same(weapon.name, w.name) for w in weapons)
    ]
    kinds = tuple(_kind(model, sheet, weapons) for model in taken.models)
    if not kinds and sheet is not None:
        return replace(
            from_sheet(sheet),
            points=taken.points,
            notes=(*notes, f"{taken.name}: models not in the list, default taken"),
        )
    return Unit(
        name=taken.name,
        edition=edition,
        kinds=kinds,
        weapons=tuple(dict.fromkeys(weapons)),
        keywords=taken.keywords or (sheet.keywords if sheet else ()),
        faction_keywords=taken.faction_keywords or (sheet.faction_keywords if sheet else ()),
        abilities=taken.abilities or (sheet.abilities if sheet else ()),
        damaged=sheet.damaged if sheet else None,
        points=taken.points,
        sheet=sheet,
        notes=(*notes, *_unknown(taken, sheet, kinds)),
    )


def _unknown(taken: RosterUnit, sheet: Datasheet | None, kinds: tuple[Kind, ...]) -> list[str]:
    """What of the list cannot be counted, because neither it nor the catalogue says what it is."""
    if sheet is None and not taken.abilities and not any(kind.weapons for kind in kinds):
        return [f"{taken.name}: no datasheet at hand, so none of its weapons and abilities is counted"]
    known = [ability.name for ability in (*taken.abilities, *(sheet.abilities if sheet else ()))]
    items = dict.fromkeys(item for kind in kinds for item in kind.wargear)
    lost = [item for item in items if not any(same(item, name) for name in known)]
    return [f"{taken.name}: no profile or ability at hand, so not counted: {', '.join(lost)}"] if lost else []


def _kind(model: ModelTaken, sheet: Datasheet | None, weapons: list[Weapon]) -> Kind:
    entry = next((entry for entry in (sheet.models if sheet else ()) if same(entry.name, model.name)), None)
    if entry is None and sheet is not None and sheet.models and len({each.profile for each in sheet.models}) == 1:
        entry = sheet.models[0]
    carried = tuple(
        (item.name, item.count) for item in model.weapons if item.profiles or _is_weapon(item.name, weapons)
    )
    if not carried and entry is not None and not model.weapons:
        carried = tuple((item, model.count) for item in entry.wargear)
    profile = model.profile or (entry.profile if entry else Profile())
    other = tuple(item.name for item in model.weapons if item.name not in dict(carried))
    own = tuple(dict.fromkeys(weapon for item in model.weapons for weapon in item.profiles))
    known = all(any(same(name, weapon.name) or same(name, weapon.title) for weapon in own) for name, _ in carried)
    return Kind(model.name, model.count, profile, carried, entry.keywords if entry else (), other, own if known else ())


def _is_weapon(name: str, weapons: list[Weapon]) -> bool:
    return any(same(name, weapon.name) or same(name, weapon.title) for weapon in weapons)
