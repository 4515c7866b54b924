"""What never changes in one battle: the armies as definitions, the board, the mission, the edition, the dice."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from battlewright.battle.clauses import Armed, always_on, arm, auras_of
from battlewright.battlefield import ELEVENTH, TENTH, FieldNumbers, Footprint, Terrain, area_at
from battlewright.datasheet import Ability, Base, Datasheet, Profile, Weapon
from battlewright.dice import Dice
from battlewright.editions.battle import BattleRules, battle_rules
from battlewright.effects import Clause, Condition, EditionId, HasDestroyed, HitBy, Remove, Rule, Was, parts_of
from battlewright.errors import BadInput, Fault
from battlewright.roster import ModelTaken, Roster, RosterUnit

if TYPE_CHECKING:
    from battlewright.battle.mission import Mission

PLAYERS = ("A", "B")
FIELD_NUMBERS: dict[str, FieldNumbers] = {"10e": TENTH, "11e": ELEVENTH}


@dataclass(frozen=True, slots=True, eq=False)
class ModelDef:
    """One model: its stat line, base, and every weapon profile it carries (two of a weapon stand twice)."""

    name: str
    unit: int
    profile: Profile
    base: Base
    height: float | None
    weapons: tuple[Weapon, ...]
    keywords: frozenset[str]
    wargear: tuple[str, ...] = ()

    @property
    def is_character(self) -> bool:
        return "CHARACTER" in self.keywords


@dataclass(frozen=True, slots=True, eq=False)
class UnitDef:
    """One unit as mustered. ``rules`` are keys into :attr:`Setting.rules`; ``core`` its core abilities with their number."""

    id: str
    name: str
    player: int
    models: tuple[int, ...]
    keywords: frozenset[str]
    abilities: tuple[Ability, ...] = ()
    rules: tuple[str, ...] = ()
    core: Mapping[str, Dice | None] = field(default_factory=dict)
    points: int = 0
    attached_to: int | None = None
    capacity: int = 0
    start: int = 0
    datasheet: Datasheet | None = None
    damaged: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False)
class Setting:
    """A battle's fixed part. ``script``: the dice to come, None for seeded ones; ``limits``: both armies' points limits."""

    edition: EditionId
    models: tuple[ModelDef, ...]
    units: tuple[UnitDef, ...]
    mission: Mission
    seed: int = 0
    script: tuple[int, ...] | None = None
    rules: Mapping[str, Rule] = field(default_factory=dict)
    army_rules: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    factions: tuple[str, str] = ("", "")
    detachments: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    notes: tuple[str, ...] = ()
    rosters: tuple[Roster, ...] = ()
    sheets: tuple[Any, ...] = ()
    limits: tuple[int, int] = (0, 0)

    @property
    def numbers(self) -> BattleRules:
        return battle_rules(self.edition)

    @property
    def field(self) -> FieldNumbers:
        return FIELD_NUMBERS[self.edition]

    @cached_property
    def names(self) -> Mapping[str, int]:
        """Unit id -> its index."""
        return {unit.id: place for place, unit in enumerate(self.units)}

    @cached_property
    def terrain(self) -> Terrain:
        return Terrain.of(self.mission.terrain)

    @cached_property
    def _areas(self) -> tuple[int | None, ...]:
        if not self.numbers.terrain_objectives or not self.mission.terrain:
            return (None,) * len(self.mission.objectives)
        return tuple(area_at(self.terrain, objective.at) for objective in self.mission.objectives)

    def objective_area(self, objective: int) -> int | None:
        """The terrain area that is this objective (11e 14.01), None when it is a marker."""
        return self._areas[objective]

    @cached_property
    def footprint(self) -> Footprint:
        return Footprint.of([m.base for m in self.models], [m.height for m in self.models])

    @cached_property
    def has_rules(self) -> bool:
        """Has any unit or army a rule that could act without a moment?"""
        keys = [key for unit in self.units for key in unit.rules]
        keys += [k for side in self.army_rules for k in side if self.rules[k].kind != "stratagem"]
        return any(always_on(self.rules[key]) is not None for key in keys)

    @cached_property
    def armed(self) -> Mapping[str, tuple[Armed, ...]]:
        """Every clause that waits for a moment, by the moment's name."""
        return arm(self)

    @cached_property
    def asks_of_attacks(self) -> frozenset[str]:
        """What rules ask about units that were attacked, or moved over: hit, hit with (what weapon), wounded, damaged …"""
        asked = [part for rule in self.rules.values() for part in parts_of(rule.clauses) if isinstance(part, HitBy)]
        return frozenset(part.how if part.weapon is None else f"{part.how} with" for part in asked)

    @cached_property
    def takes_abilities(self) -> bool:
        """Does a rule take an ability from a unit?"""
        parts = (part for rule in self.rules.values() for part in parts_of(rule.clauses))
        return any(isinstance(part, Remove) and part.what in ("unit_ability", "ability") for part in parts)

    @cached_property
    def asks_of_before(self) -> tuple[Was, ...]:
        """What rules ask of how units were when a phase, or a turn, began."""
        asked = (part for rule in self.rules.values() for part in parts_of((rule.target, rule.clauses)))
        return tuple(dict.fromkeys(part for part in asked if isinstance(part, Was)))

    @cached_property
    def auras(self) -> tuple[tuple[int, Rule, tuple[Condition, ...], Clause], ...]:
        """What rules of units say of the attacks of others: whose, what must hold, and the clause."""
        borne = [(unit, self.rules[key]) for unit, definition in enumerate(self.units) for key in definition.rules]
        return tuple((unit, rule, *found) for unit, rule in borne for found in auras_of(rule))

    @cached_property
    def asks_of_losses(self) -> bool:
        """Does a rule ask when a unit destroyed another?"""
        parts = (part for rule in self.rules.values() for part in parts_of(rule.clauses))
        return any(isinstance(part, HasDestroyed) for part in parts)

    def rule_id(self, what: str) -> str:
        """The id a reason cites, with its edition: ``11e 04.02``."""
        return f"{self.edition} {self.numbers.rules.get(what, what)}"


def points_limit(points: int) -> int:
    """The limit of the smallest battle size an army of so many points fits in (11e 25.03; 10e T-14.1).

    >>> points_limit(480), points_limit(1500)
    (1000, 2000)
    """
    return next((size for size in (1000, 2000, 3000) if points <= size), points)


# -------------------------------------------------------------------------------------------------- from rosters
Mustered: TypeAlias = tuple[tuple[ModelDef, ...], tuple[UnitDef, ...], dict[str, Rule], list[str]]


def muster(
    rosters: Sequence[Roster], edition: EditionId
) -> tuple[tuple[ModelDef, ...], tuple[UnitDef, ...], dict[str, Rule], list[str]]:
    """The models, units, rules and notes of two armies. Raises :class:`BadInput` with every fault of both."""
    models: list[ModelDef] = []
    units: list[UnitDef] = []
    rules: dict[str, Rule] = {}
    faults: list[Fault] = []
    notes: list[str] = []
    for player, roster in enumerate(rosters):
        first = len(units)
        notes += roster.credits
        for place, taken in enumerate(roster.units):
            where = f"army {PLAYERS[player]}, {taken.name}"
            unit = len(units)
            try:
                made = _models(taken, unit, where, notes)
            except BadInput as error:
                faults += error.faults
                continue
            span = tuple(range(len(models), len(models) + len(made)))
            models += made
            carried = {weapon.name.lower() for entry in taken.models for weapon in entry.weapons}
            abilities = in_use(taken.abilities, carried)
            keys = _rules(abilities, f"{PLAYERS[player]}{place + 1}", edition, rules)
            units.append(_unit(taken, player, f"{PLAYERS[player].lower()}{place + 1}", span, keys))
        _attach(roster, units, first, faults, PLAYERS[player])
    if faults:
        raise BadInput(faults)
    return tuple(models), tuple(units), rules, notes


def _unit(taken: RosterUnit, player: int, name: str, span: tuple[int, ...], keys: tuple[str, ...]) -> UnitDef:
    sheet = taken.datasheet
    words = (*taken.keywords, *taken.faction_keywords, taken.name)
    return UnitDef(
        id=name,
        name=taken.name,
        player=player,
        models=span,
        keywords=frozenset(word.upper() for word in words),
        abilities=taken.abilities,
        rules=keys,
        core=core_abilities(taken.abilities),
        points=taken.points or 0,
        capacity=capacity(sheet),
        start=len(span),
        datasheet=sheet,
        damaged=sheet.damaged if sheet else None,
    )


def in_use(abilities: Sequence[Ability], carried: Collection[str]) -> tuple[Ability, ...]:
    """The abilities a unit has: those of wargear only when a model carries it (11e 22.04; 10e T-2.0)."""
    return tuple(a for a in abilities if a.kind != "wargear" or a.name.lower() in carried)


def core_abilities(abilities: Sequence[Ability]) -> dict[str, Dice | None]:
    """Core abilities by name in lower case, with their number: ``{"scouts": Dice('6')}``."""
    found: dict[str, Dice | None] = {}
    for ability in abilities:
        if ability.kind == "core":
            name, amount = split_amount(ability.name)
            found[name] = ability.amount or amount
    return found


def split_amount(name: str) -> tuple[str, Dice | None]:
    """An ability's name and number: ``Scouts 6"`` -> (scouts, 6); ``Feel No Pain 5+``; ``Deadly Demise D3``.

    >>> split_amount('Deadly Demise D3')
    ('deadly demise', Dice('D3'))
    """
    words = name.lower().replace('"', "").replace("”", "").replace("+", " +").split()
    if len(words) > 1 and words[-1] == "+":
        words.pop()
    if len(words) > 1 and (
        words[-1].isdigit() or (words[-1].lstrip("0123456789")[:1] == "d" and words[-1][-1].isdigit())
    ):
        return " ".join(words[:-1]), Dice.parse(words[-1])
    return " ".join(words), None


def capacity(sheet: Datasheet | None) -> int:
    if sheet is None or sheet.transport is None:
        return 0
    from battlewright.effects import Transport

    return max((e.capacity for c in sheet.transport.clauses for e in c.do if isinstance(e, Transport)), default=0)


def _models(taken: RosterUnit, unit: int, where: str, notes: list[str]) -> list[ModelDef]:
    made: list[ModelDef] = []
    faults: list[Fault] = []
    keywords = frozenset(word.upper() for word in (*taken.keywords, *taken.faction_keywords, taken.name))
    if taken.warlord and "CHARACTER" in keywords:  # who is the Warlord has that keyword (11e 25.04; 10e T-14.1)
        keywords |= {"WARLORD"}
    for entry in taken.models:
        profile = entry.profile or _profile(taken, entry)
        if profile is None or profile.missing:
            lost = ", ".join(profile.missing) if profile else "stat line"
            faults.append(Fault(f"{lost} not known", f"{where}, {entry.name}"))
            continue
        base, height = base_of(taken.datasheet, entry.name, keywords)
        if base is None:
            base = assumed_base(keywords)
            notes.append(f"{taken.name}: base size not known, {base.mm} mm taken")
        if any(not w.profiles and _is_weapon(taken, w.name) for w in entry.weapons):
            notes.append(f"{taken.name}: a weapon of {entry.name} has no profile")
        made += [
            ModelDef(
                entry.name, unit, profile, base, height, weapons, keywords | {entry.name.upper()}, wargear_of(entry)
            )
            for weapons in share_out(entry)
        ]
    if faults:
        raise BadInput(faults)
    if not made:
        raise BadInput("unit has no models", where)
    return made


def wargear_of(entry: ModelTaken) -> tuple[str, ...]:
    """What an entry carries that is no weapon."""
    return tuple(item.name for item in entry.weapons if not item.profiles)


def _is_weapon(taken: RosterUnit, name: str) -> bool:
    return bool(taken.datasheet) and any(w.name.lower() == name.lower() for w in taken.datasheet.weapons)  # type: ignore[union-attr]


def share_out(entry: ModelTaken) -> list[tuple[Weapon, ...]]:
    """The weapons of an entry, model by model: what all carry goes to all, the rest to those with the fewest."""
    carried: list[list[Weapon]] = [[] for _ in range(entry.count)]
    for taken in sorted(entry.weapons, key=lambda w: -w.count):
        each, rest = divmod(taken.count, max(entry.count, 1))
        for weapons in carried:
            weapons += taken.profiles * each
        for weapons in sorted(carried, key=len)[:rest]:
            weapons += taken.profiles
    return [tuple(weapons) for weapons in carried]


def _profile(taken: RosterUnit, entry: ModelTaken) -> Profile | None:
    sheet = taken.datasheet
    if sheet is None or not sheet.models:
        return None
    named = [m.profile for m in sheet.models if m.name.lower() == entry.name.lower()]
    return named[0] if named else sheet.models[0].profile


def base_of(sheet: Datasheet | None, name: str, keywords: frozenset[str]) -> tuple[Base | None, float | None]:
    """The base and height a datasheet gives a model of this name."""
    if sheet is None or not sheet.models:
        return None, None
    named = [m for m in sheet.models if m.name.lower() == name.lower()] or list(sheet.models)
    bases = [m for m in named if m.base is not None] or named
    return bases[0].base, bases[0].height


def assumed_base(keywords: frozenset[str]) -> Base:
    """The base taken when no source says: always noted in the result."""
    if "TITANIC" in keywords:
        return Base("oval", (170, 109))
    if keywords & {"VEHICLE", "MONSTER"}:
        return Base("round", 100)
    if keywords & {"MOUNTED", "BIKER"}:
        return Base("oval", (75, 42))
    return Base("round", 32)


def _rules(abilities: Sequence[Ability], prefix: str, edition: EditionId, rules: dict[str, Rule]) -> tuple[str, ...]:
    keys = []
    for ability in abilities:
        if ability.rule is None and ability.kind == "core":
            continue
        key = f"{prefix}:{ability.name}"
        rules[key] = ability.rule or Rule(ability.name, edition=edition, status=ability.status)
        keys.append(key)
    return tuple(keys)


def _attach(roster: Roster, units: list[UnitDef], first: int, faults: list[Fault], letter: str) -> None:
    ids = {taken.id: first + place for place, taken in enumerate(roster.units) if taken.id}
    if len(units) - first != len(roster.units):
        return
    for place, taken in enumerate(roster.units):
        if taken.attached_to is None:
            continue
        if taken.attached_to not in ids:
            faults.append(
                Fault(f"attached to {taken.attached_to!r}, which is not in the army", f"army {letter}, {taken.name}")
            )
            continue
        units[first + place] = replace(units[first + place], attached_to=ids[taken.attached_to])
