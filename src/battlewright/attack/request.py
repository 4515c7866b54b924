"""The odds request: one question as plain JSON, read with *all* its faults (``what @ path``).

The form is the lowest one: plain numbers. People name units or pages; both end in the same :class:`Request`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from battlewright.dice import Dice
from battlewright.editions.base import READINGS
from battlewright.effects import EditionId, Status
from battlewright.errors import BadInput, Fault, Unparsed

Reroll: TypeAlias = str | tuple[int, ...]
NONE, ONE = Dice(0, 6, 0), Dice(0, 6, 1)
LARGEST_INPUT = 16_000_000
MOST_HITS, MOST_WOUNDS, MOST_STATES, MOST_GROUPS = 6000, 3000, 100_000, 12


def _one() -> Dice:
    return ONE


def _none() -> Dice:
    return NONE


class Line(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One batch: ``count`` weapons that make identical attacks. Fields as in the request form.

    ``reroll_hits`` and ``reroll_wounds`` also take a list of faces, or "best": the faces worth re-rolling are found.
    ``indirect``: the target is not visible to the bearers (10e W-INDIRECT; 11e 10.07).
    ``crit_ap``: a critical wound improves AP by so much (11e 05.03.02); ``crit_D``: it has this Damage instead. ``name`` is
    for the reader only.
    ``reroll_damage``: "fails" re-rolls results below the mean, "best" those that take fewer of the wounds a model has
    left than a roll does on average. ``reroll_attacks``: dice for the number of attacks below their mean are re-rolled.
    ``hit_fails``, ``wound_fails``: unmodified rolls up to this one always fail.
    ``snap_on``: in snap shooting it hits on this unmodified roll or more.
    ``reroll_one``: the activation's one re-roll of these rolls ("hit", "wound", "damage") may be used on this weapon's dice.
    ``crit_mortal``: mortal wounds a critical wound inflicts besides; ``crit_mortal_most``: no more than these in all.
    ``meets``: the target as this weapon meets it, where that differs (a save against ranged attacks only); the same
    groups in the same order.
    ``abilities``: those it has besides, that change no roll by themselves and that rules may ask for (psychic, pistol …).
    """

    name: str = ""
    count: int = 1
    melee: bool = False
    A: Dice = msgspec.field(default_factory=_one)
    D: Dice = msgspec.field(default_factory=_one)
    skill: int | None = None
    S: int
    AP: int = 0
    rapid_fire: Dice = msgspec.field(default_factory=_none)
    blast: int | bool = 0
    cleave: int = 0
    torrent: bool = False
    heavy: bool = False
    lance: bool = False
    twin_linked: bool = False
    lethal: bool = False
    devastating: bool = False
    ignores_cover: bool = False
    precision: bool = False
    hazardous: bool = False
    indirect: bool = False
    lethal_auto: bool | Literal["best"] = True
    sustained: Dice = msgspec.field(default_factory=_none)
    anti: dict[str, int] = msgspec.field(default_factory=dict)
    melta: int = 0
    crit_hit: int = 6
    crit_wound: int = 6
    crit_ap: int = 0
    crit_D: Dice | None = None
    reroll_hits: Reroll = "none"
    reroll_wounds: Reroll = "none"
    hit_mod: int = 0
    wound_mod: int = 0
    skill_mod: int = 0
    reroll_damage: Literal["none", "ones", "fails", "best"] = "none"
    reroll_attacks: bool = False
    hit_fails: int = 0
    wound_fails: int = 0
    snap_on: int = 6
    reroll_one: tuple[str, ...] = ()
    crit_mortal: Dice = msgspec.field(default_factory=_none)
    crit_mortal_most: int | None = None
    meets: Target | None = None
    abilities: tuple[str, ...] = ()


class Attacker(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The attacking unit as the one who suffers from its own hazardous weapons."""

    models: int = 1
    W: int = 1
    wounded: int = 0
    FNP: int | None = None
    monster_vehicle: bool = False


class Attack(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One activation: the batches in firing order, and what is true of the attacking unit.

    ``reroll_one_from``: a weapon's ``reroll_one`` is kept for this weapon of the list and those after it; "best" finds
    the place. There it is used on the first die that fails, or on the first Damage that takes less than a roll on average.
    """

    weapons: tuple[Line, ...]
    half_range: bool = False
    stationary: bool = False
    charged: bool = False
    snap: bool = False
    spotter: bool = False
    hit_mod: int = 0
    wound_mod: int = 0
    reroll_one_from: int | Literal["best"] = 0
    attacker: Attacker | None = None


class Group(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Models of a target that are alike, in the order the defender wants to lose them.

    ``no_damage``: once in the activation an attack against one of them does no damage: the first one that is "allocated",
    or the first one that is not saved ("unsaved").
    """

    name: str = ""
    models: int
    T: int
    W: int
    Sv: int
    InSv: int | None = None
    FNP: int | None = None
    FNP_mortal: int | None = None
    character: bool = False
    wounded: int = 0
    minus_damage: int = 0
    halve_damage: bool = False
    cover: bool = False
    no_damage: Literal["", "allocated", "unsaved"] = ""


class Target(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The unit attacked.

    ``reroll_one_save``: one save that fails is re-rolled, the first (11e: the lowest of a pool, if all the wounds of the
    weapon have one profile). It and ``no_damage`` of the
    groups are kept for the weapon ``spare_from`` of the list and those after it; "best" finds the place.
    """

    groups: tuple[Group, ...]
    keywords: tuple[str, ...] = ()
    cover: bool = False
    stealth: bool = False
    hit_mod: int = 0
    wound_mod: int = 0
    save_mod: int = 0
    reroll_saves: Literal["none", "ones", "fails"] = "none"
    reroll_one_save: bool = False
    spare_from: int | Literal["best"] = 0


class RuleText(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The words of one rule, as printed, and the words of the option chosen."""

    name: str = ""
    text: str
    choose: str | None = None


class RuleTexts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The rules of both sides."""

    attacker: tuple[RuleText, ...] = ()
    target: tuple[RuleText, ...] = ()


class RuleAnswer(Struct, frozen=True):
    """What became of one rule text: how much was read, what it did, which clauses were not read."""

    name: str
    status: Status = "none"
    applied: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


class Side(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is true of one side now. None: not said, so not assumed."""

    keywords: tuple[str, ...] = ()
    faction: str | None = None
    models: int | None = None
    starting_models: int | None = None
    wounds_lost: int | None = None
    below_starting_strength: bool | None = None
    below_half_strength: bool | None = None
    battle_shocked: bool | None = None
    engaged: bool | None = None
    on_objective: Literal["none", "own", "enemy", "contested"] | None = None
    leading: bool | None = None
    led_by: tuple[str, ...] = ()
    charged: bool | None = None
    advanced: bool | None = None
    fell_back: bool | None = None
    stationary: bool | None = None
    disembarked: bool | None = None
    set_up: bool | None = None
    within: tuple[tuple[float, str, tuple[str, ...]], ...] = ()
    states: tuple[str, ...] = ()


class Situation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is true at this moment."""

    attack_type: Literal["ranged", "melee"] | None = None
    range_in: float | None = None
    round: int | None = None
    turn: Literal["attacker", "opponent"] | None = None
    phase: str | None = None
    closest: bool | None = None
    visible: bool = True
    attacker: Side = Side()
    target: Side = Side()


class Request(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One attack on one target. ``then``: more activations against what is left of it.

    ``aim``: what a choice left to us ("best") is to make as large as can be. ``readings``: open points of the rules
    decided otherwise than by default (:data:`battlewright.editions.base.READINGS`).
    """

    edition: EditionId
    attack: Attack
    target: Target
    rules: RuleTexts = RuleTexts()
    situation: Situation = Situation()
    then: tuple[Attack, ...] = ()
    aim: Literal["damage", "slain", "p_destroyed"] = "damage"
    readings: dict[str, bool] = msgspec.field(default_factory=dict)


Check: TypeAlias = Callable[[Any, str, list[Fault]], Any]
WRONG = object()


def _wrong(expected: str, value: object, path: str, faults: list[Fault]) -> object:
    name = path.rpartition(".")[2]
    faults.append(Fault(f"{name}: expected {expected}, got {_shown(value)}", path))
    return WRONG


def _shown(value: object) -> str:
    try:
        text = msgspec.json.encode(value).decode()
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _whole(low: int, high: int, *, none: bool = False) -> Check:
    def check(value: Any, path: str, faults: list[Fault]) -> Any:
        if value is None and none:
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            return _wrong(f"{low}..{high}", value, path, faults)
        return value

    return check


def _flag(value: Any, path: str, faults: list[Fault]) -> Any:
    return value if isinstance(value, bool) else _wrong("true or false", value, path, faults)


def _known_flag(value: Any, path: str, faults: list[Fault]) -> Any:
    return None if value is None else _flag(value, path, faults)


def _lethal_auto(value: Any, path: str, faults: list[Fault]) -> Any:
    return value if value == "best" or isinstance(value, bool) else _wrong('true, false or "best"', value, path, faults)


def _from_weapon(value: Any, path: str, faults: list[Fault]) -> Any:
    return value if value == "best" else _whole(0, 999)(value, path, faults)


def _number(value: Any, path: str, faults: list[Fault]) -> Any:
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1000
    return value if good else _wrong("inches, 0..1000", value, path, faults)


def _dice(value: Any, path: str, faults: list[Fault]) -> Any:
    try:
        dice = Dice.parse(value if isinstance(value, int | str) else f"{value!r}")
    except Unparsed:
        return _wrong("dice such as D6, 2D3+1 or 4", value, path, faults)
    return dice if dice.high <= 200 else _wrong("dice of at most 200", value, path, faults)


def _more(value: Any, path: str, faults: list[Fault]) -> Any:
    """[BLAST] is true, [BLAST X] a number."""
    return int(value) if isinstance(value, bool) else _whole(0, 20)(value, path, faults)


def _text(value: Any, path: str, faults: list[Fault]) -> Any:
    return value if isinstance(value, str) else _wrong("text", value, path, faults)


def _words(value: Any, path: str, faults: list[Fault]) -> Any:
    return None if value is None else _text(value, path, faults)


def _one_of(*names: str | None) -> Check:
    def check(value: Any, path: str, faults: list[Fault]) -> Any:
        shown = ", ".join("null" if name is None else name for name in names)
        return value if value in names else _wrong(f"one of {shown}", value, path, faults)

    return check


def _reroll(value: Any, path: str, faults: list[Fault]) -> Any:
    if isinstance(value, list):
        faces = _list(_whole(1, 6))(value, path, faults)
        return tuple(sorted(set(faces)))
    return _one_of("none", "ones", "fails", "noncrit", "best")(value, path, faults)


def _anti(value: Any, path: str, faults: list[Fault]) -> Any:
    if not isinstance(value, dict):
        return _wrong("keywords with numbers", value, path, faults)
    return {str(name).upper(): _whole(2, 6)(roll, f"{path}.{name}", faults) for name, roll in value.items()}


def _list(check: Check, *, least: int = 0) -> Check:
    def read(value: Any, path: str, faults: list[Fault]) -> Any:
        if not isinstance(value, list) or len(value) < least or len(value) > 1000:
            size = f" of at least {least}" if least else ""
            _wrong(f"a list{size}", value, path, faults)
            return ()
        return tuple(check(entry, f"{path}[{place}]", faults) for place, entry in enumerate(value))

    return read


def _near(value: Any, path: str, faults: list[Fault]) -> Any:
    if not isinstance(value, list) or len(value) != 3:
        return _wrong("[inches, side, [keywords]]", value, path, faults)
    return (
        _number(value[0], f"{path}[0]", faults),
        _one_of("friendly", "enemy")(value[1], f"{path}[1]", faults),
        _list(_text)(value[2], f"{path}[2]", faults),
    )


def _struct(kind: Callable[..., Any], fields: Mapping[str, Check], *required: str) -> Check:
    def read(value: Any, path: str, faults: list[Fault]) -> Any:
        if not isinstance(value, dict):
            return _wrong("an object", value, path, faults)
        before = len(faults)
        faults += [Fault(f"{name}: unknown field", f"{path}.{name}") for name in value if name not in fields]
        faults += [Fault(f"{name}: required", f"{path}.{name}") for name in required if name not in value]
        read = {name: fields[name](value[name], f"{path}.{name}", faults) for name in value if name in fields}
        return kind(**read) if len(faults) == before else WRONG

    return read


MODIFIER, FLAG = _whole(-20, 20), _flag
LINE: dict[str, Check] = {
    "name": _text, "count": _whole(0, 1000), "melee": FLAG, "A": _dice, "D": _dice, "skill": _whole(2, 6, none=True),
    "S": _whole(1, 100), "AP": _whole(-10, 0), "rapid_fire": _dice, "blast": _more, "cleave": _more, "torrent": FLAG,
    "heavy": FLAG, "lance": FLAG, "twin_linked": FLAG, "lethal": FLAG, "devastating": FLAG, "ignores_cover": FLAG,
    "precision": FLAG, "hazardous": FLAG, "indirect": FLAG, "lethal_auto": _lethal_auto, "sustained": _dice, "anti": _anti,
    "melta": _whole(0, 20), "crit_hit": _whole(2, 6), "crit_wound": _whole(2, 6), "crit_ap": _whole(0, 10),
    "crit_D": lambda value, path, faults: None if value is None else _dice(value, path, faults),
    "reroll_hits": _reroll, "reroll_wounds": _reroll, "hit_mod": MODIFIER, "wound_mod": MODIFIER, "skill_mod": MODIFIER,
    "reroll_damage": _one_of("none", "ones", "fails", "best"),
    "reroll_attacks": FLAG, "hit_fails": _whole(0, 6), "wound_fails": _whole(0, 6),
    "abilities": lambda value, path, faults: _list(_text)(value, path, faults),
    "snap_on": _whole(2, 6), "crit_mortal": _dice, "crit_mortal_most": _whole(0, 1000, none=True),
    "reroll_one": lambda value, path, faults: _list(_one_of("hit", "wound", "damage"))(value, path, faults),
    "meets": lambda value, path, faults: _met(value, path, faults),
}  # fmt: skip
ATTACKER: dict[str, Check] = {
    "models": _whole(1, 1000), "W": _whole(1, 1000), "wounded": _whole(0, 999), "FNP": _whole(2, 6, none=True),
    "monster_vehicle": FLAG,
}  # fmt: skip
GROUP: dict[str, Check] = {
    "name": _text, "models": _whole(1, 1000), "T": _whole(1, 100), "W": _whole(1, 1000), "Sv": _whole(2, 7),
    "InSv": _whole(2, 7, none=True), "FNP": _whole(2, 7, none=True), "FNP_mortal": _whole(2, 7, none=True),
    "character": FLAG, "wounded": _whole(0, 999), "minus_damage": _whole(0, 20), "halve_damage": FLAG, "cover": FLAG,
    "no_damage": _one_of("", "allocated", "unsaved"),
}  # fmt: skip
SIDE: dict[str, Check] = {
    "keywords": _list(_text), "faction": _words, "models": _whole(0, 1000, none=True),
    "starting_models": _whole(0, 1000, none=True), "wounds_lost": _whole(0, 10000, none=True),
    "on_objective": _one_of("none", "own", "enemy", "contested", None), "led_by": _list(_text), "within": _list(_near),
    "states": _list(_text),
} | dict.fromkeys(
    ("below_starting_strength", "below_half_strength", "battle_shocked", "engaged", "leading", "charged", "advanced",
     "fell_back", "stationary", "disembarked", "set_up"), _known_flag,
)  # fmt: skip
RULE = _struct(RuleText, {"name": _text, "text": _text, "choose": _words}, "text")


def _line(value: Any, path: str, faults: list[Fault]) -> Any:
    line = _struct(Line, LINE, "S")(value, path, faults)
    if isinstance(value, dict) and value.get("skill") is None and value.get("torrent") is not True:
        faults.append(Fault("skill: required unless torrent", f"{path}.skill"))
    return line


def _wounded(read: Check) -> Check:
    def check(value: Any, path: str, faults: list[Fault]) -> Any:
        found = read(value, path, faults)
        if found is not WRONG and found.wounded >= found.W:
            faults.append(Fault(f"wounded: expected less than W ({found.W}), got {found.wounded}", f"{path}.wounded"))
        return found

    return check


_BEARERS: Check = _wounded(_struct(Attacker, ATTACKER))


def _attacker(value: Any, path: str, faults: list[Fault]) -> Any:
    return None if value is None else _BEARERS(value, path, faults)


_ATTACK = _struct(
    Attack,
    {
        "weapons": _list(_line, least=1), "half_range": FLAG, "stationary": FLAG, "charged": FLAG, "snap": FLAG,
        "spotter": FLAG, "hit_mod": MODIFIER, "wound_mod": MODIFIER, "reroll_one_from": _from_weapon,
        "attacker": _attacker,
    },
    "weapons",
)  # fmt: skip
_TARGET = _struct(
    Target,
    {
        "groups": _list(_wounded(_struct(Group, GROUP, "models", "T", "W", "Sv")), least=1), "keywords": _list(_text),
        "cover": FLAG, "stealth": FLAG, "hit_mod": MODIFIER, "wound_mod": MODIFIER, "save_mod": MODIFIER,
        "reroll_saves": _one_of("none", "ones", "fails"), "reroll_one_save": FLAG, "spare_from": _from_weapon,
    },
    "groups",
)  # fmt: skip


def _met(value: Any, path: str, faults: list[Fault]) -> Any:
    return None if value is None else _TARGET(value, path, faults)


_SITUATION = _struct(
    Situation,
    {
        "attack_type": _one_of("ranged", "melee", None), "range_in": lambda v, p, f: None if v is None else _number(v, p, f),
        "round": _whole(0, 20, none=True), "turn": _one_of("attacker", "opponent", None), "phase": _words,
        "closest": _known_flag, "visible": FLAG, "attacker": _struct(Side, SIDE), "target": _struct(Side, SIDE),
    },
)  # fmt: skip
_REQUEST = _struct(
    Request,
    {
        "edition": _one_of("10e", "11e"), "attack": _ATTACK, "target": _TARGET,
        "rules": _struct(RuleTexts, {"attacker": _list(RULE), "target": _list(RULE)}), "situation": _SITUATION,
        "then": _list(_ATTACK), "aim": _one_of("damage", "slain", "p_destroyed"),
        "readings": _struct(dict, dict.fromkeys(READINGS, FLAG)),
    },
    "edition", "attack", "target",
)  # fmt: skip


def read(value: object, path: str = "$") -> Request:
    """A request from plain dicts and lists; raises :class:`BadInput` with every fault.

    >>> read({"edition": "11e", "attack": {"weapons": [{"skill": 9, "S": 4, "A": "D7+"}]}, "target": {"groups": []}})
    Traceback (most recent call last):
    battlewright.errors.BadInput: skill: expected 2..6, got 9 @ $.attack.weapons[0].skill
    A: expected dice such as D6, 2D3+1 or 4, got "D7+" @ $.attack.weapons[0].A
    groups: expected a list of at least 1, got [] @ $.target.groups
    """
    faults: list[Fault] = []
    request = _REQUEST(value, path, faults)
    if not faults:
        faults += _too_much(request, path)
    if faults:
        raise BadInput(faults)
    assert isinstance(request, Request)
    return request


def _too_much(request: Request, path: str) -> list[Fault]:
    """What no battle holds, and would take the memory of the machine."""
    fives = sum(group.models for group in request.target.groups) // 5
    faults = []
    for place, attack in enumerate((request.attack, *request.then)):
        where = f"{path}.attack" if not place else f"{path}.then[{place - 1}]"
        for number, line in enumerate(attack.weapons):
            each = line.A.high + line.rapid_fire.high + (line.blast + line.cleave) * fives
            if line.count * each * (1 + line.sustained.high) > MOST_HITS:
                faults.append(Fault(f"count: expected at most {MOST_HITS} hits", f"{where}.weapons[{number}].count"))
    wounds = sum(group.models * group.W for group in request.target.groups)
    characters = sum(group.W * group.models for group in request.target.groups if group.character)
    if wounds > MOST_WOUNDS or wounds * characters > MOST_STATES or len(request.target.groups) > MOST_GROUPS:
        faults.append(Fault(f"groups: expected at most {MOST_WOUNDS} wounds", f"{path}.target.groups"))
    return faults


def read_all(data: bytes | str) -> tuple[list[Request], bool]:
    """The requests of a JSON text, and whether it was a list; raises :class:`BadInput` with every fault of all."""
    if len(data) > LARGEST_INPUT:
        raise BadInput(f"larger than {LARGEST_INPUT // 1_000_000} MB", "$")
    bare = data.removeprefix(b"\xef\xbb\xbf") if isinstance(data, bytes) else data.removeprefix("\ufeff")
    try:
        value = msgspec.json.decode(bare)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadInput(f"no JSON: {str(error).lower()}", "$") from None
    if not isinstance(value, list):
        return [read(value)], False
    requests: list[Request] = []
    faults: list[Fault] = []
    for place, entry in enumerate(value):
        try:
            requests.append(read(entry, f"$[{place}]"))
        except BadInput as error:
            faults += error.faults
    if faults:
        raise BadInput(faults)
    return requests, True
