"""A position: one moment of a battle as plain data, to and from a :class:`Battle`.

What a hand-written position leaves out has sensible defaults. What :func:`position_of` writes has everything, so that it
reads back to the same battle at the same decision: parts below the phase go into ``frames``, counts into ``uses``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from battlewright import effects as fx
from battlewright.battle.beginning import equip
from battlewright.battle.clauses import asks_state, each_clause, set_states
from battlewright.battle.mission import Mission, Objective, open_field
from battlewright.battle.mission import mission as mission_named
from battlewright.battle.setting import (
    PLAYERS,
    ModelDef,
    Setting,
    UnitDef,
    assumed_base,
    capacity,
    core_abilities,
    in_use,
)
from battlewright.battle.state import MIL, NOBODY, WORDS, Did, Frame, Lasting, M, P, State, U, Where
from battlewright.battlefield.terrain import Area
from battlewright.catalogue.page_rules import page_rules
from battlewright.codec import convert, to_builtins
from battlewright.datasheet import Ability, Base, Datasheet, ModelEntry, Profile, Weapon, WeaponAbility
from battlewright.dice import Dice
from battlewright.effects import EditionId, Rule
from battlewright.errors import BadInput, Fault, Unparsed
from battlewright.names import same
from battlewright.roster.bearers import borne, own_changes, without_own

if TYPE_CHECKING:
    from battlewright.battle.engine import Battle

PHASES = ("command", "movement", "shooting", "charge", "fight")
#: core abilities of units by name; anything else needs a text to be enforced
CORE = (
    "deep strike", "scouts", "infiltrators", "lone operative", "stealth", "feel no pain", "deadly demise",
    "fights first", "firing deck", "leader", "support", "hover", "super-heavy walker",
)  # fmt: skip


class Loose(Struct, frozen=True, omit_defaults=True):
    """What the parts of a position are: unknown fields are other people's notes and are left alone."""


class PositionModel(Loose, frozen=True):
    """``at`` None: off the battlefield. ``moved``: inches this turn."""

    name: str
    at: tuple[float, float] | None = None
    z: float = 0
    facing: int = 0
    wounds: int | None = None
    weapons: tuple[str, ...] | None = None
    base: Base | None = None
    moved: float = 0
    allocated: bool = False


class PositionUnit(Loose, frozen=True):
    """A unit; ``datasheet`` a name in the catalogues, or the datasheet itself."""

    id: str
    player: str
    datasheet: str | dict[str, Any]
    models: tuple[PositionModel, ...] = ()
    attached: tuple[str, ...] = ()
    embarked_in: str | None = None
    reserves: bool = False
    state: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    start: int | None = None
    arrived: int | None = None
    points: int = 0


class Board(Loose, frozen=True):
    width: float = 60
    height: float = 44


class Position(Loose, frozen=True):
    """A moment of a battle, as ``interfaces`` publishes it."""

    edition: EditionId
    units: tuple[PositionUnit, ...]
    round: int = 1
    turn: str = "A"
    first: str = "A"
    phase: str = "command"
    cp: dict[str, int] = {}
    vp: dict[str, int] = {}
    board: Board = Board()
    mission: str | None = None
    terrain: tuple[Area, ...] = ()
    objectives: tuple[tuple[float, float], ...] = ()
    factions: dict[str, str | None] = {}
    detachments: dict[str, str | None] = {}
    zones: dict[str, tuple[tuple[float, float], ...]] = {}
    markers: tuple[dict[str, Any], ...] = ()
    pools: dict[str, dict[str, int]] = {}
    named: dict[str, dict[str, str]] = {}
    secured: dict[str, str] = {}
    controlled: dict[str, str] = {}
    dice: tuple[int, ...] | None = None
    seed: int = 0
    frames: tuple[Frame, ...] = ()
    effects: tuple[Lasting, ...] = ()
    uses: dict[str, int] = {}
    marks: dict[str, Any] = {}
    standing: dict[str, str] = {}
    counter: int = 0
    extra_cp: dict[str, int] = {}
    limits: dict[str, int] = {}
    score: dict[str, int] = {}


# ------------------------------------------------------------------------------------------------------- reading
def read_position(plain: Mapping[str, Any]) -> tuple[Setting, State]:
    """The setting and state of a position. Raises :class:`BadInput` with all its faults."""
    position = convert(dict(plain), Position)
    faults = list(_faults(position))
    if faults:
        raise BadInput(faults)
    setting = _setting(position)
    state = _state(position, setting)
    return replace(
        setting, notes=(*setting.notes, *_idle_states(setting, state, [unit.used for unit in position.units]))
    ), state


def _idle_states(setting: Setting, state: State, used: list[tuple[str, ...]]) -> list[str]:
    """What units are said to have (states, things used) that no rule of this battle asks for: it has no effect."""
    asked = asks_state(tuple(setting.rules.values()))
    return [
        f"{definition.id}: no rule in this battle asks for the state {name!r}, it has no effect"
        for unit, definition in enumerate(setting.units)
        for name in state.marks.get(f"state|{unit}", ())
        if name not in asked and not any(True for _ in _in_force_by_name(setting, name, definition.player))
    ] + [
        f"{definition.id}: nothing called {name!r} is here to have been used"
        for definition, given in zip(setting.units, used, strict=True)
        for name in given
        if not _is_known(setting, definition, name)
    ]


def _is_known(setting: Setting, unit: UnitDef, name: str) -> bool:
    weapons = {weapon.name.lower() for model in unit.models for weapon in setting.models[model].weapons}
    return name.lower() in weapons | {rule.name.lower() for rule in setting.rules.values()}


def _faults(position: Position) -> list[Fault]:
    found = []
    ids = [unit.id for unit in position.units]
    if position.phase not in PHASES:
        found.append(Fault(f"phase: expected one of {', '.join(PHASES)}, got {position.phase!r}", "$.phase"))
    for name, letter in (("turn", position.turn), ("first", position.first)):
        if letter not in PLAYERS:
            found.append(Fault(f"{name}: expected A or B, got {letter!r}", f"$.{name}"))
    for place, unit in enumerate(position.units):
        where = f"$.units[{place}]"
        if unit.player not in PLAYERS:
            found.append(Fault(f"player: expected A or B, got {unit.player!r}", f"{where}.player"))
        if ids.count(unit.id) > 1 or not unit.id or "#" in unit.id or " " in unit.id:
            found.append(Fault(f"id: expected a name of its own without # or spaces, got {unit.id!r}", f"{where}.id"))
        if unit.embarked_in is not None and unit.embarked_in not in ids:
            found.append(Fault(f"embarked_in: no unit {unit.embarked_in!r}", f"{where}.embarked_in"))
        found += [
            Fault(f"attached: no unit {other!r}", f"{where}.attached") for other in unit.attached if other not in ids
        ]
        found += _out_of_bounds(unit, where)
    for name, numbers in (
        ("cp", position.cp),
        ("vp", position.vp),
        ("score", position.score),
        ("limits", position.limits),
    ):
        found += [
            Fault(f"{name}: expected 0..9999, got {n}", f"$.{name}") for n in numbers.values() if not 0 <= n <= 9999
        ]
    if not 0 <= position.round <= 99 or not 0 <= position.counter <= 2**62:
        found.append(Fault(f"round: expected 1..99, got {position.round}", "$.round"))
    if not (1 <= position.board.width <= 1000 and 1 <= position.board.height <= 1000):
        found.append(Fault("board: expected 1..1000 inches", "$.board"))
    if position.dice is not None:
        found += [
            Fault(f"dice: expected 1..6, got {face!r}", f"$.dice[{place}]")
            for place, face in enumerate(position.dice)
            if face not in range(1, 7)
        ]
    return found


FAR = 1000


def _out_of_bounds(unit: PositionUnit, where: str) -> list[Fault]:
    """Numbers of a unit no table has."""
    found = []
    for place, model in enumerate(unit.models):
        lengths = (*(model.at or ()), model.z, model.moved)
        if not all(-FAR <= length <= FAR for length in lengths):
            found.append(Fault(f"at, z, moved: expected -{FAR}..{FAR} inches", f"{where}.models[{place}]"))
        if not -FAR <= model.facing <= FAR or not 0 <= (model.wounds or 0) <= FAR:
            found.append(Fault("facing in degrees, wounds 0..1000", f"{where}.models[{place}]"))
    if not 0 <= (unit.start or 0) <= FAR or not 0 <= (unit.arrived or 0) <= 99 or not 0 <= unit.points <= 99999:
        found.append(Fault("start, arrived, points: not below 0, not so many", where))
    return found


def _setting(position: Position) -> Setting:
    models: list[ModelDef] = []
    units: list[UnitDef] = []
    rules: dict[str, Rule] = {}
    notes: list[str] = []
    faults: list[Fault] = []
    heads = {other: place for place, unit in enumerate(position.units) for other in unit.attached}
    for place, unit in enumerate(position.units):
        where = f"$.units[{place}]"
        try:
            sheet = sheet_of(unit.datasheet, position.edition, f"{where}.datasheet")
            faction = position.factions.get(unit.player) or ""
            sheet = msgspec.structs.replace(sheet, abilities=in_use(sheet.abilities, _carried(unit, sheet)))
            sheet, keys = _compiled(sheet, unit.id, rules, faction)
            made = _worn(_models(unit, sheet, place, where, notes), sheet, unit.id, rules)
        except BadInput as error:
            faults += error.faults
            continue
        span = tuple(range(len(models), len(models) + len(made)))
        models += made
        units.append(_unit(unit, sheet, span, keys, heads.get(unit.id)))
    if faults:
        raise BadInput(faults)
    said = {word.lower() for unit in position.units for word in unit.state}
    rules |= {f"order:{o.name}": o for o in page_rules(position.edition, "order") if o.name.lower() in said}
    setting = Setting(
        position.edition,
        tuple(models),
        tuple(units),
        _mission(position),
        position.seed,
        position.dice,
        rules,
        notes=tuple(dict.fromkeys(notes)),
        sheets=tuple(unit.datasheet for unit in position.units),
    )
    factions = [position.factions.get(p) or _faction_of(position, units, p) for p in PLAYERS]
    detachments = [(d,) if (d := position.detachments.get(p)) else () for p in PLAYERS]
    setting = replace(
        setting,
        factions=(factions[0], factions[1]),
        detachments=(detachments[0], detachments[1]),
        limits=(position.limits.get("A", 0), position.limits.get("B", 0)),
    )
    return equip(setting, ())


def _faction_of(position: Position, units: list[UnitDef], player: str) -> str:
    """Nothing said: the faction keyword of the player's first unit that has one."""
    for unit in units:
        if PLAYERS[unit.player] == player and unit.datasheet and unit.datasheet.faction_keywords:
            return unit.datasheet.faction_keywords[0]
    return ""


def _carried(unit: PositionUnit, sheet: Datasheet) -> set[str]:
    """The names of all its models carry, by default what the datasheet gives them."""
    found: set[str] = set()
    for model in unit.models:
        entry = _entry(sheet, model.name)
        default = entry.wargear if entry is not None else ()
        found |= {name.lower() for name in (default if model.weapons is None else model.weapons)}
    return found


def _mission(position: Position) -> Mission:
    if position.mission and position.mission != "Open field":
        return _laid_out(position, mission_named(position.mission, position.edition))
    board = (position.board.width, position.board.height)
    bare = open_field(position.edition, position.objectives, board)
    zones = tuple(position.zones.get(p) or bare.zones[place] for place, p in enumerate(PLAYERS))
    return msgspec.structs.replace(bare, terrain=position.terrain, zones=zones)


def _laid_out(position: Position, mission: Mission) -> Mission:
    """A mission by name, with the terrain, zones and objectives of the position where it gives them."""
    zones = tuple(position.zones.get(p) or mission.zones[place] for place, p in enumerate(PLAYERS))
    objectives = mission.objectives
    if position.objectives:
        kinds = [o.kind for o in objectives] + ["expansion"] * len(position.objectives)
        objectives = tuple(Objective(at, kind) for at, kind in zip(position.objectives, kinds, strict=False))
    terrain = position.terrain or mission.terrain
    return msgspec.structs.replace(mission, terrain=terrain, zones=zones, objectives=objectives)


def _unit(
    unit: PositionUnit, sheet: Datasheet, span: tuple[int, ...], keys: tuple[str, ...], head: int | None
) -> UnitDef:
    words = (*sheet.keywords, *sheet.faction_keywords, sheet.name)
    return UnitDef(
        unit.id,
        sheet.name,
        PLAYERS.index(unit.player),
        span,
        frozenset(word.upper() for word in words),
        sheet.abilities,
        keys,
        core_abilities(sheet.abilities),
        unit.points,
        head,
        capacity(sheet),
        unit.start or max(sum(entry.low for entry in sheet.models), len(span)),
        sheet,
        sheet.damaged,
    )


def _models(unit: PositionUnit, sheet: Datasheet, place: int, where: str, notes: list[str]) -> list[ModelDef]:
    keywords = frozenset(word.upper() for word in (*sheet.keywords, *sheet.faction_keywords, sheet.name))
    made, faults = [], []
    for number, model in enumerate(unit.models):
        entry = _entry(sheet, model.name)
        if entry is None:
            faults.append(Fault(f"{sheet.name} has no model {model.name!r}", f"{where}.models[{number}].name"))
            continue
        if entry.profile.missing:
            faults.append(Fault(f"{', '.join(entry.profile.missing)} not known", f"{where}.datasheet"))
        base = model.base or entry.base
        if base is None:
            base = assumed_base(keywords)
            notes.append(f"{sheet.name}: base size not known, {base.mm} mm taken")
        weapons, wargear = [], []
        for name in entry.wargear if model.weapons is None else model.weapons:
            profiles = [w for w in sheet.weapons if w.name.lower() == name.lower()]
            if not profiles and any(a.name.lower() == name.lower() for a in sheet.abilities):
                wargear.append(name)
                continue
            if not profiles and model.weapons is not None:
                faults.append(Fault(f"{sheet.name} has no weapon {name!r}", f"{where}.models[{number}].weapons"))
            weapons += profiles
        own = keywords | {word.upper() for word in (*entry.keywords, model.name)}
        made.append(ModelDef(model.name, place, entry.profile, base, entry.height, tuple(weapons), own, tuple(wargear)))
    if not unit.models:
        faults.append(Fault("models: one or more expected", f"{where}.models"))
    if faults:
        raise BadInput(faults)
    return made


def _worn(models: list[ModelDef], sheet: Datasheet, unit: str, rules: dict[str, Rule]) -> list[ModelDef]:
    """The models with the stat lines their own wargear makes, which then leaves the rules of the unit."""
    for ability in sheet.abilities:
        changes = own_changes(ability.rule) if ability.kind == "wargear" else ()
        if ability.rule is None or not changes:
            continue
        rules[f"{unit}:{ability.name}"] = without_own(ability.rule)
        models = [
            replace(model, profile=borne(model.profile, changes))
            if any(same(item, ability.name) for item in model.wargear)
            else model
            for model in models
        ]
    return models


def _entry(sheet: Datasheet, name: str) -> ModelEntry | None:
    named = [entry for entry in sheet.models if entry.name.lower() == name.lower()]
    return named[0] if named else sheet.models[0] if len(sheet.models) == 1 else None


def _compiled(sheet: Datasheet, unit: str, rules: dict[str, Rule], faction: str) -> tuple[Datasheet, tuple[str, ...]]:
    """The datasheet with its texts as rules: abilities, transport. Core abilities are known by name."""
    from battlewright.rulestext.rosters import compile_ability

    abilities = []
    transport = sheet.transport
    keys = []
    for ability in sheet.abilities:
        if "transport capacity" in ability.text.lower():
            from battlewright.rulestext import compile as compile_text

            transport = compile_text(ability.text, name=ability.name, kind="transport", edition=sheet.edition)
            continue
        made = compile_ability(ability, sheet.edition, faction)
        abilities.append(made)
        if made.kind != "core":
            key = f"{unit}:{made.name}"
            rules[key] = made.rule or Rule(made.name, edition=sheet.edition, status=made.status)
            keys.append(key)
    return msgspec.structs.replace(sheet, abilities=tuple(abilities), transport=transport), tuple(keys)


# --------------------------------------------------------------------------------------------------- datasheets
def sheet_of(given: str | Mapping[str, Any], edition: EditionId, where: str) -> Datasheet:
    """A datasheet by name, in our own form, or in the short form of positions (``Sv: "3+"``, weapons within models)."""
    if isinstance(given, str):
        from battlewright.catalogue.lookup import find

        return find(given, edition).datasheet
    try:
        return _sheet_of(dict(given), edition, where)
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        raise BadInput(f"not a datasheet: {error}", where) from None


def _sheet_of(plain: dict[str, Any], edition: EditionId, where: str) -> Datasheet:
    if any("weapons" in model for model in plain.get("models", ()) if isinstance(model, Mapping)):
        return _short_sheet(plain, edition, where)
    plain.setdefault("edition", edition)
    return convert(plain, Datasheet, where=where)


def _short_sheet(plain: Mapping[str, Any], edition: EditionId, where: str) -> Datasheet:
    faults: list[Fault] = []
    weapons: dict[tuple[str, str], Weapon] = {}
    models = []
    for place, model in enumerate(plain["models"]):
        here = f"{where}.models[{place}]"
        try:
            models.append(_short_model(model, weapons, here))
        except BadInput as error:
            faults += error.faults
    if faults:
        raise BadInput(faults)
    return Datasheet(
        name=str(plain.get("name", "unnamed")),
        edition=edition,
        models=tuple(models),
        weapons=tuple(weapons.values()),
        abilities=tuple(_short_ability(a) for a in plain.get("abilities", ())),
        keywords=_words(plain, "keywords", where),
        faction_keywords=_words(plain, "faction_keywords", where),
        leads=_words(plain, "leads", where),
        damaged=tuple(plain["damaged"]) if plain.get("damaged") else None,
    )


def _short_model(model: Mapping[str, Any], weapons: dict[tuple[str, str], Weapon], where: str) -> ModelEntry:
    profile = {key: _number(value) for key, value in model.get("profile", {}).items()}
    carried = []
    for place, weapon in enumerate(model.get("weapons", ())):
        made = _short_weapon(weapon, f"{where}.weapons[{place}]")
        weapons[made.name, made.profile] = made
        carried += [made.name] * _count(weapon, f"{where}.weapons[{place}]")
    base = model.get("base")
    return ModelEntry(
        str(model.get("name", "model")),
        low=_count(model, where),
        profile=convert(profile, Profile, where=f"{where}.profile"),
        base=None if base is None else convert(base, Base, where=f"{where}.base"),
        wargear=tuple(dict.fromkeys(carried)),
        keywords=_words(model, "keywords", where),
        height=model.get("height"),
    )


def _count(plain: Mapping[str, Any], where: str) -> int:
    """How many, 1 where nothing is said."""
    count = int(plain.get("count", 1))
    if not 0 <= count <= FAR:
        raise BadInput(f"count: expected 0..{FAR}, got {count}", where)
    return count


def _words(plain: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    return convert(plain.get(name) or (), tuple[str, ...], where=f"{where}.{name}")


def _number(value: Any) -> Any:
    """``"3+"`` is 3, ``6"`` is 6, ``"-"`` is 0."""
    if not isinstance(value, str):
        return value
    clean = value.strip().rstrip('+"”*')
    return 0 if clean in ("-", "") else int(clean) if clean.lstrip("-").isdigit() else value


def _short_weapon(weapon: Mapping[str, Any], where: str) -> Weapon:
    """``{"name", "count", "profile": {"range", "A", "BS" or "WS", "S", "AP", "D", "abilities"}}``."""
    profile = weapon.get("profile", weapon)
    name, _, variant = str(weapon.get("name", "weapon")).partition(" – ")
    reach = profile.get("range", "Melee")
    skill = _number(profile.get("BS", profile.get("WS", profile.get("skill"))))
    try:
        return Weapon(
            name,
            0 if str(reach).lower() == "melee" else int(_number(reach)),
            Dice.parse(profile.get("A", 1)),
            None if skill in (None, 0, "N/A") else int(skill),
            int(_number(profile.get("S", 1))),
            int(_number(profile.get("AP", 0))),
            Dice.parse(profile.get("D", 1)),
            tuple(_weapon_ability(a) for a in profile.get("abilities", ())),
            variant,
        )
    except (Unparsed, ValueError, TypeError) as error:
        raise BadInput(f"not a weapon profile: {error}", where) from None


def _weapon_ability(given: Any) -> WeaponAbility:
    from battlewright.formats.weapon_line import read_ability

    return read_ability(given) if isinstance(given, str) else convert(given, WeaponAbility)


def _short_ability(given: Any) -> Ability:
    plain = {"name": given} if isinstance(given, str) else dict(given)
    name = str(plain.get("name", ""))
    core = next((c for c in CORE if name.lower().startswith(c)), None)
    if core or re.fullmatch(r"damaged \d+", name.lower()):
        return Ability(name, kind="core", status="full")
    return convert({"kind": "datasheet", **plain}, Ability)


# --------------------------------------------------------------------------------------------------------- state
def _state(position: Position, setting: Setting) -> State:
    state = State(len(setting.models), len(setting.units), len(setting.mission.objectives))
    state.round, state.turn = position.round, PLAYERS.index(position.turn)
    state.first, state.phase = PLAYERS.index(position.first), position.phase
    state.counter = position.counter
    for place, unit in enumerate(position.units):
        _place_unit(state, setting, place, unit, position.phase)
    _stand_together(state, setting, position.marks.get("separate", ()))
    for place, letter in enumerate(PLAYERS):
        state.player[place, P.CP] = position.cp.get(letter, 0)
        state.player[place, P.VP] = position.vp.get(letter, 0)
        state.player[place, P.PRIMARY] = position.score.get(letter, position.vp.get(letter, 0))
        state.player[place, P.EXTRA_CP] = position.extra_cp.get(letter, 0)
    state.control = _holders(position.controlled, len(setting.mission.objectives))
    state.secured = _holders(position.secured, len(setting.mission.objectives))
    state.control = tuple(c if c != NOBODY else s for c, s in zip(state.control, state.secured, strict=True))
    state.pools = {f"{PLAYERS.index(p)}|{n}": v for p, pools in position.pools.items() for n, v in pools.items()}
    state.used = {**_used(position, setting), **position.uses}
    state.marks = {**_marks(position), **position.marks}
    state.standing, state.effects = dict(position.standing), position.effects
    state.effects += tuple(_of_states(setting, state))
    state.frames = position.frames or _frames(position, setting)
    return state


def _place_unit(state: State, setting: Setting, place: int, unit: PositionUnit, phase: str) -> None:
    row = state.unit[place]
    definition = setting.units[place]
    head = place if definition.attached_to is None else definition.attached_to
    where = Where.BATTLEFIELD
    if unit.embarked_in is not None:
        where = Where.EMBARKED
        row[U.CARRIER] = setting.names[unit.embarked_in]
    elif all(model.wounds == 0 for model in unit.models):
        where = Where.DESTROYED
    elif "undeployed" in unit.state:
        where = Where.UNDEPLOYED
    elif unit.reserves or all(model.at is None for model in unit.models):
        where = Where.RESERVES
    row[U.HEAD], row[U.WHERE] = head, int(where)
    row[U.ARRIVED] = unit.arrived if unit.arrived is not None else int(where == Where.BATTLEFIELD)
    row[U.SHOCKED] = int("battle-shocked" in unit.state)
    row[U.DID] = did_of(unit.state, phase)
    state.unit[head, U.START] += definition.start
    if head != place:
        row[U.START] = definition.start
    for model, at in zip(definition.models, unit.models, strict=True):
        x, y = at.at or (0.0, 0.0)
        wounds = setting.models[model].profile.W or 1
        values = (round(x * MIL), round(y * MIL), round(at.z * MIL), at.facing % 360)
        state.model[model, :4] = values
        state.model[model, M.WOUNDS] = wounds if at.wounds is None else at.wounds
        state.model[model, M.MOVED] = round(at.moved * MIL)
        state.model[model, M.ALLOCATED] = int(at.allocated)


def _stand_together(state: State, setting: Setting, due: Collection[int]) -> None:
    """The parts of an attached unit of which some have fallen: still one unit (11e 19.01.01), or each its own (10e T-10.2).

    ``due``: the fallen parts that will separate when the attacks under way are over.
    """
    for head in {d.attached_to for d in setting.units if d.attached_to is not None}:
        parts = [u for u in range(len(setting.units)) if int(state.unit[u, U.HEAD]) == head]
        living = [u for u in parts if state.model[list(setting.units[u].models), M.WOUNDS].any()]
        if not living or len(living) == len(parts):
            continue
        if not setting.numbers.parts_are_units or not set(parts).isdisjoint(due):
            state.unit[parts, U.WHERE] = state.unit[living[0], U.WHERE]
        elif head not in living or len(living) == 1:
            for part in living:
                state.unit[part, U.HEAD], state.unit[part, U.START] = part, setting.units[part].start


def did_of(words: tuple[str, ...], phase: str) -> int:
    """The flags the words of a unit's state mean; in its own phase "shot" also means it was selected, and so on."""
    did = Did(0)
    for word in words:
        did |= FLAGS.get(word.lower(), Did(0))
    if did & Did.SHOT and phase == "shooting" and "may still shoot" not in words:
        did |= Did.CHOSEN_SHOOT
    if did & Did.FOUGHT and phase == "fight" and "may still fight" not in words:
        did |= Did.CHOSEN_FIGHT
    moved = Did.MOVED | Did.ADVANCED | Did.FELL_BACK | Did.STATIONARY
    if did & moved and phase == "movement" and "may still move" not in words:
        did |= Did.CHOSEN_MOVE
    if did & Did.CHARGED and "no charge bonus" not in words:
        did |= Did.FIGHTS_FIRST
    return int(did)


def words_of(did: int, phase: str) -> list[str]:
    """The words that :func:`did_of` reads back to these flags."""
    words = [word for word, flag in FLAGS.items() if did & int(flag)]
    if did & Did.CHARGED and not did & Did.FIGHTS_FIRST:
        words.append("no charge bonus")
    moved = Did.MOVED | Did.ADVANCED | Did.FELL_BACK | Did.STATIONARY
    if did & int(moved) and phase == "movement" and not did & Did.CHOSEN_MOVE:
        words.append("may still move")
    if did & Did.SHOT and phase == "shooting" and not did & Did.CHOSEN_SHOOT:
        words.append("may still shoot")
    if did & Did.FOUGHT and phase == "fight" and not did & Did.CHOSEN_FIGHT:
        words.append("may still fight")
    assert did_of(tuple(words), phase) == did, (words, did)
    return words


FLAGS: dict[str, Did] = {
    **{word: flag for word, flag in WORDS.items() if word not in ("shot", "fought")},
    "shot": Did.SHOT,
    "fought": Did.FOUGHT,
}
FLAGS |= {
    flag.name.lower().replace("_", " "): flag for flag in Did if flag.name is not None and flag not in FLAGS.values()
}


def _holders(given: Mapping[str, str], count: int) -> tuple[int, ...]:
    return tuple(PLAYERS.index(given[str(o)]) if str(o) in given else NOBODY for o in range(count))


def _used(position: Position, setting: Setting) -> dict[str, int]:
    """What the units' ``used`` names: one-shot weapons, and rules with a limit a battle."""
    found: dict[str, int] = {}
    for place, unit in enumerate(position.units):
        for name in unit.used:
            for model in setting.units[place].models:
                for number, weapon in enumerate(setting.models[model].weapons):
                    if weapon.name.lower() == name.lower():
                        found[f"one shot|{model}|{number}"] = 1
            player = setting.units[place].player
            for rule in setting.rules.values():
                if rule.name.lower() == name.lower():
                    for whose in (place, NOBODY):
                        found[f"limit|{player}|{whose}|{rule.name}|battle|"] = 1
    return found


def _marks(position: Position) -> dict[str, Any]:
    marks: dict[str, Any] = {}
    for place, unit in enumerate(position.units):
        known = {
            *FLAGS,
            "battle-shocked",
            "undeployed",
            "no charge bonus",
            "may still move",
            "may still shoot",
            "may still fight",
            "hovering",
        }
        states = [word.lower() for word in unit.state if word.lower() not in known]
        if states:
            marks[f"state|{place}"] = states
        if "hovering" in map(str.lower, unit.state):
            marks[f"hover|{place}"] = True
    if position.markers:
        marks["markers"] = [dict(marker) for marker in position.markers]
    for player, named in position.named.items():
        for name, value in named.items():
            marks[f"named|{player}|{name}"] = value
    return marks


def _of_states(setting: Setting, state: State) -> Iterator[Lasting]:
    """What follows from the named states the units carry: the parts of the rules that set them which ask for them."""
    for unit, definition in enumerate(setting.units):
        for name in state.marks.get(f"state|{unit}", ()):
            for owner, key, path in _asking(setting, name, definition.player):
                if not any((e.rule, e.clause, e.owner) == (key, path, owner) for e in state.effects):
                    yield Lasting(key, path, owner, until="battle")
            for key, until in _in_force_by_name(setting, name, definition.player):
                if not any((e.rule, e.unit) == (key, unit) for e in state.effects):
                    yield Lasting(
                        key, (0,), definition.player, unit, until, definition.player if until == "command" else -1
                    )


def _in_force_by_name(setting: Setting, name: str, player: int) -> Iterator[tuple[str, str]]:
    """A stratagem or order of this name that lasts: its key, and until when. A unit said to have it is under it."""
    for key, rule in setting.rules.items():
        lasts = rule.clauses[0].lasts if rule.clauses else fx.Duration()
        mine = key in setting.army_rules[player] or rule.kind == "order"
        if rule.name.lower() == name and mine and (rule.kind == "order" or lasts.until != "instant"):
            later = rule.kind == "order" or (lasts.edge == "start" and lasts.next)
            yield key, "command" if later else lasts.until if lasts.until in ("turn", "round", "battle") else "phase"


def _asking(setting: Setting, name: str, player: int) -> Iterator[tuple[int, str, tuple[int, ...]]]:
    """(owner, rule, clause) of what asks for a named state of a player's unit, in rules that set it themselves."""
    for owner, keys in enumerate(setting.army_rules):
        for key in keys:
            clauses = list(each_clause(setting.rules[key]))
            setters = [e for _, c in clauses for e in c.do if isinstance(e, fx.SetState) and e.name.lower() == name]
            if any((e.who is not None and e.who.side == "enemy") == (owner != player) for e in setters):
                for path, clause in clauses:
                    if len(path) > 1 and name in asks_state(clause) and name not in set_states(clause):
                        yield owner, key, path


def _frames(position: Position, setting: Setting) -> tuple[Frame, ...]:
    """The procedures as they stand at the start of the phase."""
    steps = {key: [name for name, _ in value] for key, value in setting.numbers.steps.items()}
    second = position.turn != position.first
    return (
        Frame("battle", steps["battle"].index("battle_rounds")),
        Frame("battle_round", steps["battle_round"].index("second_turn" if second else "first_turn") + 1),
        Frame("turn", steps["turn"].index(f"{position.phase}_phase"), {"player": PLAYERS.index(position.turn)}),
        Frame(position.phase),
    )


# ------------------------------------------------------------------------------------------------------- writing
def position_of(battle: Battle) -> dict[str, Any]:
    """The battle as a position: plain data that reads back to the same state and decision."""
    setting, state = battle.setting, battle.state
    mission = setting.mission
    plain: dict[str, Any] = {
        "edition": setting.edition,
        "round": state.round,
        "turn": PLAYERS[state.turn] if state.turn != NOBODY else "A",
        "first": PLAYERS[state.first],
        "phase": state.phase or "command",
        "cp": {p: int(state.player[i, P.CP]) for i, p in enumerate(PLAYERS)},
        "vp": {p: int(state.player[i, P.VP]) for i, p in enumerate(PLAYERS)},
        "score": {p: int(state.player[i, P.PRIMARY]) for i, p in enumerate(PLAYERS)},
        "extra_cp": {p: int(state.player[i, P.EXTRA_CP]) for i, p in enumerate(PLAYERS)},
        "board": {"width": mission.board[0], "height": mission.board[1]},
        "mission": mission.name,
        "terrain": to_builtins(mission.terrain),
        "objectives": [list(o.at) for o in mission.objectives],
        "units": [_unit_plain(battle, unit) for unit in range(len(setting.units))],
        "factions": dict(zip(PLAYERS, setting.factions, strict=True)),
        "limits": dict(zip(PLAYERS, setting.limits, strict=True)),
        "detachments": {p: d[0] if d else None for p, d in zip(PLAYERS, setting.detachments, strict=True)},
        "zones": {p: [list(xy) for xy in z] for p, z in zip(PLAYERS, mission.zones, strict=True)},
        "markers": state.marks.get("markers", []),
        "pools": _pools(state),
        "secured": {str(o): PLAYERS[s] for o, s in enumerate(state.secured) if s != NOBODY},
        "controlled": {str(o): PLAYERS[c] for o, c in enumerate(state.control) if c != NOBODY},
        "seed": setting.seed,
        "counter": state.counter,
        "frames": to_builtins(state.frames),
        "effects": to_builtins(state.effects),
        "uses": dict(state.used),
        "marks": {k: v for k, v in state.marks.items() if k != "markers"},
        "standing": dict(state.standing),
    }
    if setting.script is not None:
        plain["dice"] = list(setting.script)
    return plain


def _pools(state: State) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for key, value in state.pools.items():
        player, _, name = key.partition("|")
        if player in ("0", "1"):
            found.setdefault(PLAYERS[int(player)], {})[name] = value
    return found


def _unit_plain(battle: Battle, unit: int) -> dict[str, Any]:
    setting, state = battle.setting, battle.state
    definition = setting.units[unit]
    where = state.where(unit)
    carrier = int(state.unit[unit, U.CARRIER])
    words = words_of(int(state.unit[unit, U.DID]), state.phase or "command")
    if state.shocked(unit):
        words.append("battle-shocked")
    if where == Where.UNDEPLOYED:
        words.append("undeployed")
    sheet: Any = setting.sheets[unit] if setting.sheets else to_builtins(definition.datasheet)
    return {
        "id": definition.id,
        "player": PLAYERS[definition.player],
        "datasheet": sheet,
        "models": [_model_plain(battle, m, where) for m in definition.models],
        "attached": [setting.units[u].id for u in range(len(setting.units)) if setting.units[u].attached_to == unit],
        "embarked_in": setting.units[carrier].id if where == Where.EMBARKED and carrier >= 0 else None,
        "reserves": where == Where.RESERVES,
        "state": words + list(state.marks.get(f"state|{unit}", [])),
        "used": [],
        "start": definition.start,
        "arrived": int(state.unit[unit, U.ARRIVED]),
        "points": definition.points,
    }


def _model_plain(battle: Battle, model: int, where: Where) -> dict[str, Any]:
    definition, row = battle.setting.models[model], battle.state.model[model]
    on = where in (Where.BATTLEFIELD, Where.DESTROYED)
    plain: dict[str, Any] = {
        "name": definition.name,
        "at": [int(row[M.X]) / MIL, int(row[M.Y]) / MIL] if on else None,
        "z": int(row[M.Z]) / MIL,
        "facing": int(row[M.FACING]),
        "wounds": int(row[M.WOUNDS]),
        "weapons": [*dict.fromkeys(w.name for w in definition.weapons), *definition.wargear],
        "base": to_builtins(definition.base),
    }
    if row[M.MOVED]:
        plain["moved"] = int(row[M.MOVED]) / MIL
    if row[M.ALLOCATED]:
        plain["allocated"] = True
    return plain
