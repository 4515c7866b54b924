"""The closed vocabulary of rules as data: what a rule is made of. No behaviour here.

A :class:`Rule` is a list of clauses. One :class:`Clause` says *when* it acts, *if* what holds, who *may* decide, how long
it *lasts* and what it *does*; a clause among the effects is a nested scope ("until the end of the phase, each time …").
Conditions are one union: inside a :class:`Select` they speak about the thing selected, at the level of a clause they are
wrapped in :class:`About` to say whom they speak about. Ids of game rules are cited by the records that use this.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct, field

from battlewright.dice import Dice

EditionId: TypeAlias = Literal["10e", "11e"]
Status: TypeAlias = Literal["full", "partial", "none"]
Side: TypeAlias = Literal["friendly", "enemy"]
Whose: TypeAlias = Literal["your", "opponent", "either"]
Phase: TypeAlias = Literal["command", "movement", "shooting", "charge", "fight", "any"]
Stat: TypeAlias = Literal[
    "M", "T", "Sv", "InSv", "W", "Ld", "OC", "A", "BS", "WS", "S", "AP", "D", "Range", "detection"
]  # fmt: skip
Roll: TypeAlias = Literal[
    "hit", "wound", "save", "damage", "attacks", "advance", "charge", "battle_shock", "leadership", "hazard",
    "desperate_escape", "feel_no_pain", "reserves", "deadly_demise", "psychic", "roll_off", "any",
    "armour_save", "invulnerable_save", "out_of_action", "move",
]  # fmt: skip
#: ("move": how far one moves.)
#: Characteristics of which less is better (11e 02.01; 10e T-2.0).
LOW_IS_GOOD: frozenset[str] = frozenset({"AP", "BS", "WS", "Sv", "InSv", "Ld"})

#: What units and players have in a campaign and no battle keeps, by how its name ends: "blood scribes battle trait".
OF_A_CAMPAIGN: tuple[str, ...] = (
    "xp", "rp", "supply limit", "crusade points", "marked for greatness", "crusade relic", "battle honour", "battle trait",
    "battle scar", "weapon modification", " rank", "rank or better", "order of battle",
)  # fmt: skip


class Base(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What every value of the vocabulary is: frozen, compared by value, small in JSON."""


class Tagged(Base, frozen=True, tag_field="is", tag=str.lower):
    """A member of one of the unions below; in JSON ``{"is": "rollmod", …}``."""


# ---------------------------------------------------------------------------------------------------------- amounts


def _one() -> Dice:
    return Dice(0, 6, 1)


class Amount(Base, frozen=True):
    """A number a rule speaks of: ``n`` (dice or a constant), times the number of ``per`` (each ``every`` of them),
    or the value of ``ref`` ("roll": the die just rolled, "T": the subject's Toughness, "wounds left" …), at most
    ``maximum``.
    """

    n: Dice = field(default_factory=_one)
    per: Select | None = None
    every: int = 1
    ref: str | None = None
    maximum: int | None = None


class Count(Base, frozen=True):
    """How many are selected: ``one``, ``up_to`` n, exactly ``n``, ``each``/``all`` of them, ``any`` (one, or n, or more)."""

    kind: Literal["one", "up_to", "n", "each", "all", "any"] = "each"
    n: Amount | None = None


class Select(Base, frozen=True):
    """Things a rule speaks of.

    ``ref`` says where to start: ``self`` (the bearer's own model or the unit whose rule it is, as ``what`` says),
    ``unit`` (the bearer's unit), ``led`` (the unit the bearer leads), ``target`` and ``attacker`` (of the attack or the
    event), ``subject`` (of the event), ``bound`` (picked before, by ``name``), ``you``/``opponent`` (players); None: any
    that fits. ``of`` is the whole these are parts of (models *of* a unit, weapons *of* a model), ``where`` a condition
    about each, ``bind`` the name later clauses use, ``other`` one that is not the bearer.
    """

    what: Literal[
        "unit", "model", "weapon", "attack", "objective", "terrain", "stratagem", "army", "player", "die", "point",
        "marker", "ability", "roll", "test", "card",
    ] = "unit"  # fmt: skip
    ref: Literal["self", "unit", "led", "target", "attacker", "subject", "bound", "you", "opponent"] | None = None
    name: str | None = None
    side: Side | None = None
    where: Condition | None = None
    count: Count = Count()
    of: Select | None = None
    bind: str | None = None
    other: bool = False


# ------------------------------------------------------------------------------------------------------- conditions


class All(Tagged, frozen=True):
    """Every one of them holds."""

    of: tuple[Condition, ...]


class Any(Tagged, frozen=True):
    """At least one of them holds."""

    of: tuple[Condition, ...]


class Not(Tagged, frozen=True):
    """``of`` does not hold."""

    of: Condition


class About(Tagged, frozen=True):
    """``holds`` is true of ``who`` (of any of them, or of ``every`` one)."""

    who: Select
    holds: Condition
    every: bool = False


class Keyword(Tagged, frozen=True):
    """Has all the keywords of one of the groups. Keywords, faction keywords, unit and model names, upper case.

    A text does not say where one keyword ends and the next begins, so a phrase of a group may be several keywords in a
    row; ``fits`` cuts it.

    >>> Keyword((("RED GUARD INFANTRY",), ("VEHICLE",))).fits({"RED GUARD", "INFANTRY", "GRENADES"})
    True
    >>> Keyword((("RED GUARD", "VEHICLE"),)).fits({"RED GUARD", "INFANTRY"})
    False
    """

    any_of: tuple[tuple[str, ...], ...]

    def fits(self, have: Collection[str]) -> bool:
        """Does something with these keywords (and names), in any capitals, fit?"""
        return _fit(self.any_of, frozenset(have))


@lru_cache(maxsize=8192)
def _fit(any_of: tuple[tuple[str, ...], ...], have: frozenset[str]) -> bool:
    known = {_plain(word) for word in have}
    return any(all(_made_of(_plain(phrase), known) for phrase in group) for group in any_of)


def _plain(phrase: str) -> str:
    return without_accents(phrase).upper().replace("’", "'").replace("-", " ")


def without_accents(words: str) -> str:
    """Letters without what stands over or under them: a name is written with or without.

    >>> without_accents("Kâhl Über")
    'Kahl Uber'
    """
    if words.isascii():
        return words
    return "".join(letter for letter in unicodedata.normalize("NFKD", words) if not unicodedata.combining(letter))


def _made_of(phrase: str, known: set[str]) -> bool:
    """The phrase is a row of known keywords (a plural is as good)."""
    if phrase in known or phrase.removesuffix("S") in known or phrase + "S" in known:
        return True
    words = phrase.split()
    cuts = ((" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words)))
    return any(_made_of(head, known) and _made_of(tail, known) for head, tail in cuts)


class Within(Tagged, frozen=True):
    """At most ``distance`` inches from ``of``."""

    distance: Amount
    of: Select
    wholly: bool = False


class Visible(Tagged, frozen=True):
    """It is visible to ``to``. Rules: 11e 06.01; 10e T-5.5."""

    to: Select


class Engaged(Tagged, frozen=True):
    """Within engagement range of ``by`` (any enemy unit when None). Rules: 11e 03.04; 10e T-1.9."""

    by: Select | None = None


class Moved(Tagged, frozen=True):
    """Made such a move, or stood still, ``since`` the start of this turn (or phase …); moved more than ``over`` inches."""

    kind: Literal[
        "charge", "advance", "fall_back", "normal", "stationary", "disembark", "embark", "set_up", "ingress", "surge",
        "scout", "any",
    ]  # fmt: skip
    since: Literal["turn", "phase", "previous_turn", "round", "battle"] = "turn"
    over: Amount | None = None


class Strength(Tagged, frozen=True):
    """How a unit stands against its Starting Strength and Half-strength."""

    level: Literal["below_starting", "at_starting", "below_half", "at_half", "at_or_below_half"]


class Models(Tagged, frozen=True):
    """Holds from ``low`` to ``high`` models (that fit ``where``)."""

    low: int = 0
    high: int | None = None
    where: Condition | None = None


class Wounds(Tagged, frozen=True):
    """Has ``low`` to ``high`` wounds ``remaining``, or has ``lost`` as many."""

    low: int = 0
    high: int | None = None
    lost: bool = False


class BattleShocked(Tagged, frozen=True):
    """The unit is battle-shocked."""


class OnObjective(Tagged, frozen=True):
    """Within range of an objective that ``control`` says: ``own`` is the rule's player's."""

    control: Literal["any", "own", "enemy", "contested", "not_own", "not_enemy"] = "any"
    where: Literal["any", "own_zone", "enemy_zone", "no_mans_land", "not_own_zone"] = "any"
    name: str = ""


class HasState(Tagged, frozen=True):
    """Carries a named state, mark or token (``prey``, ``suppressed``), lower case: from ``low`` to ``high`` of them."""

    name: str
    low: int = 1
    high: int | None = None


class HasAbility(Tagged, frozen=True):
    """Has a unit or weapon ability of this name, lower case."""

    name: str


class HasWeapon(Tagged, frozen=True):
    """Is equipped with a weapon or wargear of this name, lower case: with ``low`` of them or more."""

    name: str
    low: int = 1


class Named(Tagged, frozen=True):
    """Is the weapon, wargear or ability of this name, lower case."""

    name: str


class Unknown(Tagged, frozen=True):
    """A condition or trigger that was not read; it never holds. ``words`` are the text's."""

    words: str = ""


class Leading(Tagged, frozen=True):
    """Is leading ``who`` (any unit)."""

    who: Select | None = None


class LedBy(Tagged, frozen=True):
    """A model that fits ``who`` leads it."""

    who: Select | None = None


class Acted(Tagged, frozen=True):
    """Has been selected to, or has done, ``act`` ``since`` then."""

    act: Literal["shoot", "fight", "move", "charge", "attack", "declare_charge", "surge"]
    since: Literal["phase", "turn", "round", "battle", "previous_turn"] = "phase"


class HasDestroyed(Tagged, frozen=True):
    """Has destroyed such a thing ``since`` then."""

    what: Select
    since: Literal["now", "phase", "turn", "round", "battle", "previous_turn"] = "phase"


class Was(Tagged, frozen=True):
    """The condition held ``at`` that earlier moment."""

    of: Condition
    at: Literal["phase_start", "turn_start", "battle_start", "destroyed"] = "phase_start"


class Used(Tagged, frozen=True):
    """Has used the named ability, or done the named thing ("made a … move"), lower case, ``since`` then."""

    name: str
    since: Literal["phase", "turn", "round", "battle", "previous_turn"] = "phase"


class Eligible(Tagged, frozen=True):
    """The unit may do the act now, by all rules; a charge may be ``against`` someone."""

    act: Literal["shoot", "fight", "move", "charge", "advance", "fall_back"]
    against: Select | None = None


class Located(Tagged, frozen=True):
    """Where it is: on the battlefield, off it, in a zone, in terrain."""

    where: Literal[
        "battlefield", "reserves", "strategic_reserves", "embarked", "own_zone", "enemy_zone", "no_mans_land",
        "terrain", "cover",
    ]  # fmt: skip


class NearEdge(Tagged, frozen=True):
    """Within ``distance`` of a battlefield edge: any, or whose."""

    distance: Amount
    whose: Whose = "either"
    wholly: bool = False


class Embarked(Tagged, frozen=True):
    """Is embarked ``within`` this (any transport when None)."""

    within: Select | None = None


class Destroyed(Tagged, frozen=True):
    """Was destroyed, ``by`` these, ``since`` then."""

    by: Select | None = None
    since: Literal["now", "phase", "turn", "round", "battle", "previous_turn"] = "now"


class AttackIs(Tagged, frozen=True):
    """An attack (or weapon) of this kind: melee, ranged, psychic, critical …"""

    kind: Literal[
        "melee", "ranged", "psychic", "mortal", "half_range", "closest", "hit", "snap", "indirect", "critical_hit",
        "critical_wound",
    ]  # fmt: skip
    distance: int | None = None


class Targets(Tagged, frozen=True):
    """An attack or act that targets ``who``."""

    who: Select


class HitBy(Tagged, frozen=True):
    """Was hit (or wounded, or lost wounds) by the attacks of ``by`` this activation, or ``since`` then."""

    by: Select | None = None
    how: Literal["targeted", "hit", "wounded", "damaged", "slain", "moved_over", "charged"] = "hit"
    weapon: Condition | None = None
    since: Literal["phase", "turn", "round", "battle", "previous_turn"] | None = None


class Compare(Tagged, frozen=True):
    """``left op right``, each ``who.stat``: ``attack.S > target.T``, ``target.wounds < 3``."""

    left: str
    op: Literal["<", "<=", "=", ">=", ">"]
    right: str


class Same(Tagged, frozen=True):
    """Is this very thing."""

    who: Select


class IsWarlord(Tagged, frozen=True):
    """The model is its army's Warlord."""


class Round(Tagged, frozen=True):
    """The battle round is from ``low`` to ``high``."""

    low: int = 1
    high: int | None = None


class During(Tagged, frozen=True):
    """It is this phase (this ``step`` of it), in whose turn."""

    phases: tuple[Phase, ...] = ("any",)
    whose: Whose = "either"
    step: str | None = None


class Active(Tagged, frozen=True):
    """A rule, aura, doctrine or mode of this name is active for ``who``."""

    name: str
    who: Select | None = None


class ArmyIs(Tagged, frozen=True):
    """Your army's faction, or one of its detachments."""

    faction: str | None = None
    detachment: str | None = None


class PoolHas(Tagged, frozen=True):
    """The pool of that name has from ``low`` to ``high`` (None: no bound)."""

    name: str
    low: int = 1
    high: int | None = None


class Outcome(Tagged, frozen=True):
    """The last test, roll or act came out so; a double or triple of dice that show ``low`` or more."""

    of: Literal["passed", "failed", "done", "not_done", "critical", "double", "triple", "destroyed"]
    low: int = 1


class StratagemIs(Tagged, frozen=True):
    """The stratagem spoken of: name, category, cost."""

    names: tuple[str, ...] = ()
    category: str | None = None
    source: str | None = None


Condition: TypeAlias = (
    All | Any | Not | About | Keyword | Within | Visible | Engaged | Moved | Strength | Models | Wounds | BattleShocked
    | OnObjective | HasState | HasAbility | HasWeapon | Leading | LedBy | Acted | Eligible | Located | Destroyed
    | AttackIs | Targets | HitBy | Compare | Same | IsWarlord | Round | During | Active | ArmyIs | PoolHas | Outcome
    | StratagemIs | Named | Unknown | NearEdge | Used | HasDestroyed | Was | Embarked
)  # fmt: skip


# --------------------------------------------------------------------------------------------------------- triggers


class Static(Tagged, frozen=True):
    """Always."""


class Window(Tagged, frozen=True):
    """A stretch of the turn: the ``edge`` of the phases (or of the turn, round, battle; or a step) of whose turn."""

    phases: tuple[Phase, ...] = ("any",)
    whose: Whose = "either"
    edge: Literal["start", "during", "end"] = "during"
    unit: Literal["phase", "turn", "round", "battle"] = "phase"
    step: str | None = None
    round: Round | None = None


EventName: TypeAlias = Literal[
    "selected_to_move", "selected_to_shoot", "selected_to_fight", "selected_to_charge", "selected_to_attack",
    "targets_selected", "targeted", "has_shot", "has_fought", "has_attacked", "move_started", "move_ended",
    "charge_declared", "charge_ended", "set_up", "disembarked", "embarked", "destroyed", "lost_wound",
    "test_taken", "test_failed", "test_passed", "roll_made", "stratagem_targeted", "stratagem_used", "ability_used",
    "battle_formations", "deployment_done", "declare_formations", "first_round", "army_mustered", "attack_allocated",
    "mortal_wounds", "objective_taken", "healed", "revived", "advance_rolled", "order_issued", "used",
]  # fmt: skip


class Event(Tagged, frozen=True):
    """Something happens to or through ``subject`` (towards ``target``); ``edge``: before it, as it happens, just after.

    ``kinds`` narrows (kinds of move, roll names, …); ``first`` only the first time, ``during`` only then.
    """

    name: EventName
    subject: Select | None = None
    target: Select | None = None
    kinds: tuple[str, ...] = ()
    edge: Literal["before", "when", "after"] = "when"
    first: bool = False
    during: During | None = None


class PerAttack(Tagged, frozen=True):
    """Each attack made by ``attacker`` against ``target``; the rule's owner is on the side ``role`` says.

    ``weapon`` is a condition about the weapon: its name (:class:`Named`) or an ability it has.
    """

    role: Literal["attacker", "target"] = "attacker"
    attacker: Select | None = None
    target: Select | None = None
    kind: Literal["any", "melee", "ranged"] = "any"
    weapon: Condition | None = None


class AnyOf(Tagged, frozen=True):
    """Any of several triggers."""

    of: tuple[Trigger, ...]


Trigger: TypeAlias = Static | Window | Event | PerAttack | AnyOf


class Duration(Base, frozen=True):
    """How long: ``until`` the end (or start) of the phase, turn … ``whose``, ``next`` or this one; or ``instant``,
    the ``attack``, until the attacker is ``done``, the ``battle``, ``while`` a condition holds, until ``spent``.
    """

    until: Literal["instant", "attack", "done", "move", "phase", "turn", "round", "battle", "while", "spent"] = (
        "instant"
    )
    edge: Literal["start", "end"] = "end"
    whose: Whose = "either"
    next: bool = False
    phase: Phase | None = None
    holds: Condition | None = None


# ---------------------------------------------------------------------------------------------------------- effects


class RollMod(Tagged, frozen=True):
    """Add ``amount`` to a roll (subtract when ``sign`` is -1); not ``cumulative``: the worst of its kind counts."""

    roll: Roll
    amount: Amount
    sign: Literal[1, -1] = 1
    who: Select | None = None
    cumulative: bool = True


class Reroll(Tagged, frozen=True):
    """Re-roll a roll: every (``all``), failed ones, results of ``faces``, or ``one`` die. ``may``: a choice."""

    roll: Roll
    which: Literal["all", "failed", "faces", "one"] = "all"
    faces: tuple[int, ...] = ()
    may: bool = True
    who: Select | None = None


class RollSet(Tagged, frozen=True):
    """A roll or test succeeds or fails by itself, or counts as ``value`` (an unmodified one when ``unmodified``).

    With ``failure`` a ``value`` is a bound: unmodified results of so much or less fail, others as usual.
    """

    roll: Roll
    to: Literal["success", "failure", "value", "no_roll"]
    value: Amount | None = None
    unmodified: bool = False
    who: Select | None = None


class MoreDice(Tagged, frozen=True):
    """Roll ``extra`` dice more for a roll and discard as many: the ``lowest``, the ``highest``, ``any`` or ``none``."""

    roll: Roll
    extra: int = 1
    discard: Literal["lowest", "highest", "any", "none"] = "lowest"
    may: bool = True
    who: Select | None = None


class CritOn(Tagged, frozen=True):
    """Unmodified rolls of ``n`` or more are critical (11e 05.01; 10e T-6.1); ``hits`` instead: are what hits at all."""

    roll: Literal["hit", "wound"]
    n: int
    hits: bool = False


class IgnoreMods(Tagged, frozen=True):
    """Any or all modifiers to these may be ignored (``only`` bad ones when the text says so)."""

    of: tuple[str, ...]
    only: Literal["any", "bad"] = "any"
    who: Select | None = None


class StatMod(Tagged, frozen=True):
    """Change characteristics. ``improve``/``worsen`` follow the characteristic's own direction; ``set`` replaces."""

    stats: tuple[Stat, ...]
    op: Literal["add", "subtract", "improve", "worsen", "set", "multiply", "halve"]
    amount: Amount
    on: Literal["model", "weapon", "attack"] = "model"
    who: Select | None = None
    maximum: int | None = None
    minimum: int | None = None


class Grant(Tagged, frozen=True):
    """Give an ability (core or named, lower case, with its parameter), an invulnerable save, cover, a keyword."""

    what: Literal["weapon_ability", "unit_ability", "keyword", "invulnerable", "feel_no_pain", "cover", "ability"]
    name: str = ""
    amount: Amount | None = None
    keywords: tuple[str, ...] = ()
    against: Condition | None = None
    who: Select | None = None


class Remove(Tagged, frozen=True):
    """Take such a thing away, or deny it."""

    what: Literal["weapon_ability", "unit_ability", "keyword", "invulnerable", "feel_no_pain", "cover", "ability"]
    name: str = ""
    who: Select | None = None


class Mortal(Tagged, frozen=True):
    """``who`` suffers mortal wounds (11e 06.02; 10e T-6.8)."""

    amount: Amount
    who: Select | None = None


class Heal(Tagged, frozen=True):
    """``who`` regains lost wounds."""

    amount: Amount
    who: Select | None = None


class ReturnModels(Tagged, frozen=True):
    """Destroyed models of ``who`` come back, with ``wounds`` (full when None)."""

    amount: Amount
    who: Select | None = None
    wounds: Amount | None = None


class Revive(Tagged, frozen=True):
    """A destroyed model or unit is set up again, with ``wounds`` remaining."""

    who: Select | None = None
    wounds: Amount | None = None
    place: str = ""


class Destroy(Tagged, frozen=True):
    """``who`` is destroyed."""

    who: Select | None = None


class AddUnit(Tagged, frozen=True):
    """A new unit joins the army."""

    unit: str
    models: Amount | None = None
    place: str = ""


class DamageTo(Tagged, frozen=True):
    """The damage of an attack becomes ``n`` (0: it is ignored)."""

    n: int = 0
    who: Select | None = None


class Move(Tagged, frozen=True):
    """``who`` makes a move of a kind, up to ``amount`` inches (its M when None), with ``limits``.

    ``towards`` is what it moves to: the transport it embarks within.
    """

    kind: Literal[
        "normal", "advance", "fall_back", "charge", "pile_in", "consolidate", "surge", "scout", "ingress", "embark",
        "disembark", "stationary", "any",
    ]  # fmt: skip
    amount: Amount | None = None
    who: Select | None = None
    limits: tuple[str, ...] = ()
    may: bool = True
    towards: Select | None = None


class MoveRule(Tagged, frozen=True):
    """How ``who`` moves: ``through`` models or terrain, ``over``, ignoring ``vertical`` distance, as if flying …

    The move ends ``towards`` someone, or ``where`` that holds.
    """

    how: str
    who: Select | None = None
    kinds: tuple[str, ...] = ()
    what: tuple[str, ...] = ()
    towards: Select | None = None
    where: Condition | None = None


class Permit(Tagged, frozen=True):
    """``who`` may ``act`` (towards ``towards``) ``despite`` what would forbid it (advance, fall_back, shoot, engaged …)."""

    act: str
    despite: tuple[str, ...] = ()
    who: Select | None = None
    limits: Condition | None = None
    towards: Select | None = None


class Forbid(Tagged, frozen=True):
    """``who`` cannot ``act`` (towards ``towards``) (unless ``unless``)."""

    act: str
    who: Select | None = None
    towards: Select | None = None
    unless: Condition | None = None


class Act(Tagged, frozen=True):
    """``who`` shoots, fights, charges … now, out of its usual place, towards ``towards``, with ``limits``."""

    act: Literal[
        "shoot", "fight", "charge", "move", "action", "overwatch", "heroic_intervention", "pile_in", "consolidate"
    ]
    who: Select | None = None
    towards: Select | None = None
    limits: tuple[str, ...] = ()
    may: bool = True


class FightOrder(Tagged, frozen=True):
    """``who`` fights first, last, or next. Rules: 11e 12; 10e T-8.1."""

    order: Literal["first", "last", "next"]
    who: Select | None = None


class Cp(Tagged, frozen=True):
    """A player gains (or, negative sign, loses) command points."""

    amount: Amount
    sign: Literal[1, -1] = 1
    whose: Literal["you", "opponent"] = "you"


class Stratagem(Tagged, frozen=True):
    """Stratagems change: ``cost`` by ``amount``, ``set`` to it, may be used ``again``, are ``forbid``den."""

    change: Literal["cost", "set", "again", "forbid"]
    amount: Amount | None = None
    sign: Literal[1, -1] = 1
    which: StratagemIs | None = None
    who: Select | None = None
    whose: Literal["you", "opponent"] = "you"


class Pool(Tagged, frozen=True):
    """A named pool of points or dice: add, spend, set."""

    name: str
    change: Literal["add", "spend", "set"]
    amount: Amount


class SetState(Tagged, frozen=True):
    """``who`` gets (or loses, ``clear``) a named state, mark or token.

    ``amount`` of them, where they count (None: it has it or not; cleared, all of them), never more than ``most``.
    """

    name: str
    who: Select | None = None
    clear: bool = False
    amount: Amount | None = None
    most: int | None = None


class Control(Tagged, frozen=True):
    """Objectives: ``secure`` (remains yours, 11e 14.03), ``deny``, ``gain``."""

    how: Literal["secure", "deny", "gain", "lose"]
    who: Select | None = None


class ShockTest(Tagged, frozen=True):
    """``who`` takes a battle-shock test (with ``mod``) or another, or is, or stops being, battle-shocked."""

    how: Literal["test", "pass", "fail", "clear", "leadership", "desperate_escape", "out_of_action"]
    who: Select | None = None
    mod: Amount | None = None
    sign: Literal[1, -1] = 1


class Reserves(Tagged, frozen=True):
    """``who`` goes into (strategic) reserves, arrives, or may arrive so."""

    how: Literal["enter", "arrive", "may_start", "must_start", "early", "redeploy", "remove"]
    who: Select | None = None
    strategic: bool = True
    place: tuple[str, ...] = ()


class Setup(Tagged, frozen=True):
    """How ``who`` is set up: in the closed words of ``limits``, at places of which ``where`` holds."""

    who: Select | None = None
    limits: tuple[str, ...] = ()
    kind: str = ""
    where: tuple[Condition, ...] = ()


class Transport(Tagged, frozen=True):
    """Capacity for models that fit ``fits`` but not ``bars``; ``room`` is the room one that fits takes."""

    capacity: int = 0
    fits: Condition | None = None
    bars: Condition | None = None
    room: tuple[TransportRoom, ...] = ()


class TransportRoom(Base, frozen=True):
    """What ``fits`` this takes so many ``spaces`` of a transport."""

    fits: Condition
    spaces: int


class Targeting(Tagged, frozen=True):
    """Who may be chosen as target: ``cannot``, ``only_within`` n inches, ``must``; ``of`` what act.

    ``closest_only``: not unless it is the closest eligible target, or within the distance where one is said.
    """

    how: Literal["cannot", "only_within", "must", "can", "closest_only"]
    distance: Amount | None = None
    who: Select | None = None
    by: Select | None = None
    act: Literal["shoot", "charge", "stratagem", "attack", "ability"] = "shoot"


class Order(Tagged, frozen=True):
    """Orders and named abilities: issue, use (``free``: without paying), use again, change one; it ``counts`` as ``to``."""

    how: Literal["issue", "use", "again", "replace", "cannot", "range", "count", "free", "counts"]
    name: str = ""
    who: Select | None = None
    amount: Amount | None = None
    to: Select | None = None


class Build(Tagged, frozen=True):
    """Army building: who may be included, attach to what, take what, how many."""

    how: Literal["bearer", "attach", "include", "forbid", "warlord", "limit", "tag", "join", "require", "split"]
    who: Select | None = None
    what: Condition | None = None
    amount: int | None = None
    words: tuple[str, ...] = ()


class RollDice(Tagged, frozen=True):
    """Roll ``dice`` (once, or one for each ``per``), add ``plus`` where it holds; each result finds its row."""

    dice: Amount
    rows: tuple[Row, ...]
    per: Select | None = None
    plus: tuple[RollPlus, ...] = ()
    sum: bool = False
    maximum: int | None = None


class Row(Base, frozen=True):
    """Results from ``low`` to ``high`` (None: no bound) do this."""

    do: tuple[Effect, ...]
    low: int | None = None
    high: int | None = None


class RollPlus(Base, frozen=True):
    """What is added to a roll of a table (``sign`` -1: taken off), where ``when`` holds."""

    amount: Amount
    sign: Literal[1, -1] = 1
    when: Condition | None = None


class Choose(Tagged, frozen=True):
    """Choose ``k`` (or up to) of the options, or ``or_random`` of them at random; ``bind`` is what "the selected one"
    later means.
    """

    options: tuple[Option, ...]
    k: int = 1
    up_to: bool = False
    whose: Literal["you", "opponent"] = "you"
    bind: str | None = None
    random: bool = False
    or_random: int = 0


class Option(Base, frozen=True):
    """One of the options of a :class:`Choose`: what it does, its name, and when it may be chosen."""

    do: tuple[Effect, ...]
    name: str = ""
    when: Condition | None = None


class If(Tagged, frozen=True):
    """``then`` while the condition holds, else ``otherwise``: also what "instead" compiles to."""

    holds: Condition
    then: tuple[Effect, ...]
    otherwise: tuple[Effect, ...] = ()


class Pick(Tagged, frozen=True):
    """Select something (``who.bind`` names it) for the effects that follow."""

    who: Select
    whose: Literal["you", "opponent"] = "you"
    may: bool = False


class Give(Tagged, frozen=True):
    """``who`` has the ability ``name`` for as long as this holds; in ``do``, "this model" and "this unit" are theirs."""

    who: Select
    do: tuple[Effect, ...]
    name: str = ""


class Procedure(Tagged, frozen=True):
    """A small game of its own the vocabulary cannot say: a registered procedure, counted by ``coverage``."""

    name: str
    amount: Amount | None = None


class Clause(Tagged, frozen=True):
    """While the trigger ``when`` and the condition ``holds`` are met: ``do``; ``may``: whose choice it is; ``lasts``.

    As an effect of another clause it is a nested scope.
    """

    do: tuple[Effect, ...]
    when: Trigger = Static()
    holds: Condition | None = None
    may: Literal["you", "opponent"] | None = None
    lasts: Duration = Duration()
    limits: tuple[Limit, ...] = ()
    name: str = ""


Effect: TypeAlias = (
    RollMod | Reroll | RollSet | MoreDice | CritOn | IgnoreMods | StatMod | Grant | Remove | Mortal | Heal | ReturnModels
    | Revive | Destroy | AddUnit | DamageTo | Move | MoveRule | Permit | Forbid | Act | FightOrder | Cp | Stratagem | Pool
    | SetState | Control | ShockTest | Reserves | Setup | Transport | Targeting | Order | Build | RollDice | Choose | If
    | Pick | Give | Procedure | Clause
)  # fmt: skip


# ------------------------------------------------------------------------------------------------------------ rules


class Limit(Base, frozen=True):
    """At most ``count`` times ``per`` battle, round … (for each unit, army, model, option of a choice …).

    With ``of`` the count is for each of these: "once per battle for each token this unit has"; a stretch of a ``campaign``,
    which is several battles, has a ``name``.
    """

    per: Literal["battle", "round", "turn", "phase", "command_phase", "campaign"]
    count: int = 1
    each: Literal["unit", "army", "model", "option", "objective", "self"] = "self"
    of: Select | None = None
    name: str = ""


class Unread(Base, frozen=True):
    """A clause that was not understood: its words, and where they stand in the text (characters)."""

    text: str
    start: int = 0
    end: int = 0


RuleKind: TypeAlias = Literal[
    "unit-ability", "wargear-ability", "upgrade-other", "core-ability", "damaged", "transport", "weapon-ability",
    "unit-rule", "enhancement", "detachment-rule", "stratagem", "faction-rule", "core-rule", "crusade", "order",
    "other",
]  # fmt: skip


class Rule(Base, frozen=True):
    """One rule: a stratagem, an ability, an enhancement … as clauses, with what was not read.

    ``cost`` (command points) and ``target`` are a stratagem's, with a second target that it also or instead takes
    (``also_target``, ``or_target``); ``bearer`` says who may have an enhancement or upgrade;
    ``id`` is the game's own or the digest's (``15.08``, ``T-6.2``).
    """

    name: str
    clauses: tuple[Clause, ...] = ()
    kind: RuleKind = "other"
    edition: EditionId | None = None
    status: Status = "full"
    unread: tuple[Unread, ...] = ()
    limits: tuple[Limit, ...] = ()
    tags: tuple[str, ...] = ()
    bearer: Condition | None = None
    target: Select | None = None
    also_target: Select | None = None
    or_target: Select | None = None
    cost: int | None = None
    category: str = ""
    source: str = ""
    id: str = ""


def parts_of(value: object) -> Iterator[Struct]:
    """A value of the vocabulary, or a row of them, and all that is within it, from the outside in.

    >>> [type(part).__name__ for part in parts_of(Not(HasState("prey")))]
    ['Not', 'HasState']
    """
    if isinstance(value, tuple):
        for part in value:
            yield from parts_of(part)
    elif isinstance(value, Struct):
        yield value
        for name in value.__struct_fields__:
            yield from parts_of(getattr(value, name))
