"""Rules as data: finding one's way in their clauses, and which of them wait for what moment. Nothing here knows a battle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, get_args

from msgspec import Struct, structs

from battlewright import effects as fx
from battlewright.battle.state import NOBODY, Lasting
from battlewright.effects import Clause, Condition, Effect, Rule, Trigger

if TYPE_CHECKING:
    from battlewright.battle.setting import Setting


#: the events the procedures tell of (a test looks for each of them in the procedures)
MOMENTS = frozenset(
    {
        "selected_to_move", "selected_to_shoot", "selected_to_fight", "selected_to_attack", "targets_selected", "targeted",
        "has_shot", "has_fought", "has_attacked", "move_started", "move_ended", "charge_declared", "charge_ended", "set_up",
        "disembarked", "destroyed", "test_taken", "test_failed", "test_passed", "roll_made", "deployment_done",
        "stratagem_targeted", "mortal_wounds",
    }
)  # fmt: skip


#: the rolls of the game; a rule may also speak of one on a table of its own
_ROLLS = frozenset(get_args(fx.Roll))

#: the steps of phases the procedures tell of
STEPS = frozenset({"battle-shock", "declare battle formations", "reinforcements"})


#: of the events that come in kinds, the kinds that are told (of others a rule that names a kind never hears)
KINDS: dict[str, frozenset[str]] = {
    "move_started": frozenset({"normal", "advance", "fall_back", "charge", "pile_in", "consolidate"}),
    "move_ended": frozenset({"normal", "advance", "fall_back", "charge", "pile_in", "consolidate", "stationary"}),
    "set_up": frozenset({"disembark", "ingress", "reserves", "deep strike"}),
    "destroyed": frozenset({"melee", "ranged"}),
    "test_taken": frozenset({"battle_shock", "leadership"}),
    "test_failed": frozenset({"battle_shock", "leadership"}),
    "test_passed": frozenset({"battle_shock", "leadership"}),
}


def clause_at(rule: Rule, path: tuple[int, ...] | list[int]) -> Clause:
    """The clause a path names: the number of a clause, then places of clauses, or of effects and their parts, within it.

    A part (an option, a row, what follows an "if") is a clause that lasts as long as the one it stands in.
    """
    clause = rule.clauses[path[0]]
    rest: list[int] = list(path[1:])
    while rest:
        inner = clause.do[rest.pop(0)]
        clause = inner if isinstance(inner, Clause) else Clause(parts(inner)[rest.pop(0)], lasts=clause.lasts)
    return clause


def parts(effect: Effect) -> tuple[tuple[Effect, ...], ...]:
    """The lists of effects an effect holds: its options, rows or branches."""
    match effect:
        case fx.Choose(options=options):
            return tuple(option.do for option in options)
        case fx.RollDice(rows=rows):
            return tuple(row.do for row in rows)
        case fx.If(then=then, otherwise=otherwise):
            return then, otherwise
        case fx.Give(do=do):
            return (do,)
        case _:
            return ()


def choice_in(effect: Effect) -> fx.Choose | None:
    """The choice an effect is, or is that of an ability that is given; None when nothing is chosen."""
    if isinstance(effect, fx.Give) and len(effect.do) == 1:
        effect = effect.do[0]
    return effect if isinstance(effect, fx.Choose) and is_choice(effect) else None


def is_choice(effect: fx.Choose) -> bool:
    """One of several options, chosen by a player: what can be asked."""
    return effect.k == 1 and not effect.random and bool(effect.options)


def set_states(clause: Clause) -> set[str]:
    """The named states a clause, or a clause within it, sets."""
    return {e.name.lower() for e in all_effects(clause) if isinstance(e, fx.SetState) and not e.clear}


def asks_state(effect: object) -> set[str]:
    """The named states a part of a rule asks for, at any depth."""
    return {part.name.lower() for part in fx.parts_of(effect) if isinstance(part, fx.HasState)}


def each_clause(rule: Rule) -> Iterator[tuple[tuple[int, ...], Clause]]:
    """Every clause of a rule with its path, those within others too."""

    def within(path: tuple[int, ...], clause: Clause) -> Iterator[tuple[tuple[int, ...], Clause]]:
        yield path, clause
        for place, effect in enumerate(clause.do):
            if isinstance(effect, Clause):
                yield from within((*path, place), effect)

    for number, clause in enumerate(rule.clauses):
        yield from within((number,), clause)


def names_its_attackers(clause: Clause) -> bool:
    """Does the clause say itself whose attacks it is about, and not by who bears it?"""
    named = attackers_and_targets(clause)
    return bool(named) and not any(who.ref in ("self", "unit", "led") for who in named)


def attackers_and_targets(clause: Clause) -> list[fx.Select]:
    """The units whose attacks, or the attacks at which, a clause and those within it are about."""
    whens = [each.when for each in (clause, *all_effects(clause)) if isinstance(each, Clause)]
    named = [when for when in whens if isinstance(when, fx.PerAttack)]
    return [whole_of(who) for when in named for who in (when.attacker, when.target) if who is not None]


def auras_of(rule: Rule) -> Iterator[tuple[tuple[Condition, ...], Clause]]:
    """The clauses that are always on and change attacks by, or at, others than the bearer, with what must hold for each."""

    def within(clause: Clause, holding: tuple[Condition, ...]) -> Iterator[tuple[tuple[Condition, ...], Clause]]:
        if clause.may is not None or clause.limits:
            return
        holding = holding if clause.holds is None else (*holding, clause.holds)
        if isinstance(clause.when, fx.PerAttack):
            if _is_of_others(clause, clause.when):
                yield holding, clause
        elif isinstance(clause.when, fx.Static):
            for effect in clause.do:
                if isinstance(effect, Clause):
                    yield from within(effect, holding)

    for clause in rule.clauses:
        yield from within(clause, ())


def _is_of_others(clause: Clause, when: fx.PerAttack) -> bool:
    side = when.attacker if when.role == "attacker" else when.target
    spoken_of = (part for part in fx.parts_of(clause.do) if isinstance(part, fx.Select))
    own = any(who.ref in ("self", "unit", "led") for who in spoken_of)
    return side is not None and names_its_attackers(clause) and not own


def whole_of(who: fx.Select) -> fx.Select:
    """What a selection speaks of parts of: of the weapons of the models of a unit, the unit."""
    return who if who.of is None else whole_of(who.of)


def all_effects(clause: Clause) -> Iterator[Effect]:
    """The effects of a clause and of the clauses within it."""
    for effect in clause.do:
        yield effect
        if isinstance(effect, Clause):
            yield from all_effects(effect)


class Armed(Struct, frozen=True):
    """A clause that waits for a moment: of the rule ``key``, of ``owner``, borne by ``unit`` (-1: the army's).

    One that a rule at work set waiting stands ``within`` another and knows what names were ``bound`` to.
    """

    key: str
    clause: int
    owner: int
    unit: int = NOBODY
    within: tuple[int, ...] = ()
    bound: tuple[tuple[str, int], ...] = ()

    @property
    def id(self) -> str:
        return "|".join(map(str, (self.key, self.clause, *self.within, self.unit)))

    @property
    def path(self) -> list[int]:
        return [self.clause, *self.within]


def in_force_of(rule: Rule, effect: Lasting) -> Clause:
    """The clause an effect in force is of, with only what of it is in force."""
    clause = clause_at(rule, effect.clause)
    return clause if effect.place < 0 else structs.replace(clause, do=(clause.do[effect.place],))


def waits(clause: Clause) -> bool:
    """Does a clause act at a moment of its own, rather than as long as it lasts?"""
    return any(isinstance(trigger, fx.Event | fx.Window) for trigger in each_trigger(clause.when))


def waiting_for(rules: Mapping[str, Rule], effects: Sequence[Lasting]) -> dict[str, list[Armed]]:
    """The clauses that rules at work set waiting, by the name of their moment."""
    found: dict[str, list[Armed]] = {}
    for effect in effects:
        if effect.waits:
            armed = Armed(effect.rule, effect.clause[0], effect.owner, effect.unit, effect.clause[1:], effect.bound)
            for trigger in each_trigger(clause_at(rules[effect.rule], effect.clause).when):
                found.setdefault(moment_name(trigger), []).append(armed)
    return found


def arm(setting: Setting) -> dict[str, tuple[Armed, ...]]:
    """Every clause with a moment, by the name of the moment."""
    found: dict[str, list[Armed]] = {}
    for owner, keys in enumerate(setting.army_rules):
        for key in keys:
            _arm(found, setting.rules[key], key, owner, NOBODY)
    for unit, definition in enumerate(setting.units):
        for key in definition.rules:
            _arm(found, setting.rules[key], key, definition.player, unit)
    return {name: tuple(armed) for name, armed in found.items()}


def _arm(found: dict[str, list[Armed]], rule: Rule, key: str, owner: int, unit: int) -> None:
    for number, clause in enumerate(rule.clauses):
        for trigger in each_trigger(clause.when):
            name = moment_name(trigger)
            if name:
                found.setdefault(name, []).append(Armed(key, number, owner, unit))


def each_trigger(trigger: Trigger) -> Iterator[Trigger]:
    """The trigger, or the parts of an ``AnyOf``."""
    if isinstance(trigger, fx.AnyOf):
        for part in trigger.of:
            yield from each_trigger(part)
    else:
        yield trigger


def happens(trigger: Trigger) -> bool:
    """Does a battle ever tell of this moment?"""
    match trigger:
        case fx.Static() | fx.PerAttack():
            return True
        case fx.Event(name="stratagem_targeted"):
            return True
        case fx.Event(name="roll_made", kinds=kinds):
            return not kinds or not _ROLLS.isdisjoint(kinds)
        case fx.Event(name=name, kinds=kinds):
            told = KINDS.get(moment_name(trigger), frozenset())
            return name in MOMENTS and (not kinds or not told.isdisjoint(kinds))
        case fx.Window(unit=unit, step=step):
            return unit in ("phase", "turn", "round", "battle") and (not step or step in STEPS)
        case _:
            return False


def of_next_phase(clause: Clause) -> fx.Window | None:
    """The Movement phase that is yet to come in which alone a clause is in force; None where it names none.

    It is in force at once until that phase is over: before it nobody moves.
    """
    when = clause.when
    named = isinstance(when, fx.Window) and (when.step, when.unit, when.phases) == ("next", "phase", ("movement",))
    return when if named and isinstance(when, fx.Window) else None


def rerolls(clause: Clause) -> bool:
    """Is all it does that the roll just made is made again? Nothing else is told of rolls."""
    return bool(clause.do) and all(isinstance(effect, fx.Reroll) for effect in clause.do)


def is_of_a_roll(clause: Clause) -> bool:
    """Does a clause wait for a roll that was made?"""
    return any(moment_name(one) == "roll_made" for one in each_trigger(clause.when))


def moment_name(trigger: Trigger) -> str:
    """What the moment of a trigger is called when it is told. A unit selected for a kind of move starts that move; before
    its battle-shock roll it takes the test.
    """
    match trigger:
        case fx.Event(name="selected_to_move", kinds=kinds) if kinds:
            return "move_started"
        case fx.Event(name="roll_made", edge="before", kinds=("battle_shock",)):
            return "test_taken"
        case fx.Event(name=name):
            return name
        case fx.Window(edge=edge, unit=unit):
            return f"{edge} {unit}"
        case _:
            return ""


def always_on(rule: Rule) -> Rule | None:
    """Only the clauses that act without a moment, a choice or a limit; None when there are none."""
    kept = tuple(
        clause
        for clause in rule.clauses
        if isinstance(clause.when, fx.Static | fx.PerAttack) and clause.may is None and not clause.limits
    )
    if not kept or rule.status == "none":
        return None
    return Rule(rule.name, kept, rule.kind, rule.edition, rule.status, rule.unread, tags=rule.tags)
