"""What the effects of a rule do to the battle, one function each; what none does is a reminder to the players.

Effects that change numbers while they last are not executed: they are kept as :class:`~battlewright.battle.state.Lasting`
and folded into queries by :mod:`battlewright.battle.rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from msgspec import Struct

from battlewright import effects as fx
from battlewright.battle.casualties import mortal_wounds
from battlewright.battle.events import (
    ControlChanged,
    CpChanged,
    EffectBegan,
    MarkSet,
    PoolChanged,
    Reminder,
    ShockChanged,
    WoundsRegained,
)
from battlewright.battle.judge import Context, chosen_from, holds
from battlewright.battle.scoring import models_in_range
from battlewright.battle.state import NOBODY, Did, Lasting, P
from battlewright.battle.table import Table
from battlewright.effects import Clause, Effect, Rule
from battlewright.errors import Reason

#: effects that are folded into queries while they last
FOLDED = (
    fx.RollMod, fx.Reroll, fx.CritOn, fx.IgnoreMods, fx.StatMod, fx.Grant, fx.Remove, fx.Permit, fx.Forbid,
    fx.RollSet, fx.DamageTo, fx.Targeting, fx.Clause,
)  # fmt: skip


#: a charge into the fray: enemies within 6", a roll above 6 is 6 (11e 15.11)
INTO_THE_FRAY = 6


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
        case _:
            return ()


def is_choice(effect: fx.Choose) -> bool:
    """One of several options, chosen by a player: what can be asked."""
    return effect.k == 1 and not effect.random and bool(effect.options)


def start_part(t: Table, path: list[int], place: int, part: int) -> None:
    """The effects of one part go next, with the moment and the names of the rule at work."""
    local = dict(t.frame.local)
    t.push("resolve_rule", **{**local, "path": [*path, place, part], "at": 0})


# --------------------------------------------------------------------------------------------------- can it be used
def why_not_possible(t: Table, rule: Rule, clause: Clause, target: int, context: Context) -> Reason | None:
    """Would using it do anything? A use that cannot do what it says is not offered."""
    for effect in clause.do:
        check = _POSSIBLE.get(type(effect))
        refused = check(t, effect, rule, target, context) if check else None
        if refused is not None:
            return refused
    return None


def _can_act(t: Table, effect: fx.Act, rule: Rule, target: int, context: Context) -> Reason | None:
    from battlewright.battle.targeting import possible_shots

    if effect.act in ("overwatch", "shoot"):
        way = "snap" if effect.act == "overwatch" else "normal"
        only = () if effect.towards is None else chosen_from(t, effect.towards, context)
        if effect.towards is not None and not only:
            return Reason(f"{t.setting.edition} {rule.id}", f"{rule.name}: nothing to shoot at")
        if t.is_engaged(target):
            return Reason(f"{t.setting.edition} {rule.id}", f"{t.name(target)} is engaged")
        if not any(True for _ in possible_shots(t, target, way, only)):
            return Reason(f"{t.setting.edition} {rule.id}", f"no weapon of {t.name(target)} has an eligible target")
    if effect.act in ("charge", "heroic_intervention"):
        from battlewright.battle.eligible import charge_target, may_charge

        named = effect.towards is not None or bool(effect.limits)
        named_units = _charge_only(t, effect, target, context)
        if named and not any(charge_target(t, target, e, NOBODY) is None for e in named_units):
            return Reason(f"{t.setting.edition} {rule.id}", f"{rule.name}: no enemy it may charge")
        return may_charge(t, target)
    return None


def _can_fight_next(t: Table, effect: fx.FightOrder, rule: Rule, target: int, context: Context) -> Reason | None:
    from battlewright.battle.eligible import may_fight

    return may_fight(t, target) if effect.order == "next" else None


def _can_arrive(t: Table, effect: fx.Reserves, rule: Rule, target: int, context: Context) -> Reason | None:
    if effect.how == "arrive" and t.state.round < 2:
        return t.reason("arrive", f"battle round {t.state.round}: reserves arrive from round 2")
    return None


_POSSIBLE: dict[type, Callable[[Table, Any, Rule, int, Context], Reason | None]] = {
    fx.Act: _can_act,
    fx.FightOrder: _can_fight_next,
    fx.Reserves: _can_arrive,
    fx.Pick: lambda t, effect, rule, target, context: _can_pick(t, effect, rule, target, context),
}


# -------------------------------------------------------------------------------------------------------- doing it
def execute(t: Table, rule: Rule, key: str, path: list[int], place: int, effect: Effect, context: Context) -> None:
    """Let one effect act. What nobody has taught us to do is a :class:`Reminder`."""
    clause = clause_at(rule, path)
    if isinstance(effect, FOLDED):
        _begin(t, rule, key, [*path, place] if isinstance(effect, Clause) else path, place, effect, clause, context)
        return
    if isinstance(effect, fx.If):
        answer = holds(t, effect.holds, context.bearer, context)
        if answer is not None:
            start_part(t, path, place, 0 if answer else 1)
            return
    if isinstance(effect, fx.RollDice) and not _only_mortal(effect):
        rows = _rolled_rows(t, effect, context)
        for row in reversed(rows or []):
            start_part(t, path, place, row)
        if rows is not None:
            return
    act = _DO.get(type(effect))
    if act is None or not act(t, effect, context):
        t.emit(Reminder(context.owner, rule.name, context.bearer, type(effect).__name__))


def supports(effect: Effect) -> bool:
    """Can this kind of effect be enforced?"""
    match effect:
        case fx.RollDice(per=per, dice=dice) if per is not None or dice.per is not None:
            return False
        case fx.Choose() if not is_choice(effect):
            return False
        case fx.If() | fx.RollDice() | fx.Choose():
            return all(supports(e) for part in parts(effect) for e in part)
        case fx.Move(kind=kind):
            return kind in ("normal", "any", "surge")
        case fx.Build() | fx.Transport():
            return True  # mustering and capacity see to these
        case Clause(do=do):
            return all(map(supports, do))
        case fx.Act(act=act):
            return act in ("shoot", "overwatch", "fight", "charge", "heroic_intervention")
        case _:
            return isinstance(effect, (*FOLDED, fx.Pick)) or type(effect) in _DO


def _begin(
    t: Table, rule: Rule, key: str, path: list[int], place: int, effect: Effect, clause: Clause, context: Context
) -> None:
    """An effect that lasts: on each unit it is about, until the moment its clause names."""
    lasts = effect.lasts if isinstance(effect, Clause) and effect.lasts.until != "instant" else clause.lasts
    lasts = lasts if lasts.until != "instant" else _with_its_state(clause, effect)
    until, after = _until(t, lasts, context)
    who = getattr(effect, "who", None)
    units: tuple[int, ...] = (context.target if context.target != NOBODY else context.bearer,)
    if who is not None:
        units = chosen_from(t, who, context)
    elif isinstance(effect, Clause) and (names_its_attackers(effect) or _names_its_units(effect)):
        units = (NOBODY,)  # it says itself whom it is about
    bound = tuple(sorted(context.bound.items()))
    for unit in units:
        if any(e.rule == key and e.clause == tuple(path) and e.unit == unit for e in t.state.effects):
            continue
        t.emit(EffectBegan(Lasting(key, tuple(path), context.owner, unit, until, after, bound), rule.name))
    del place


def names_its_attackers(clause: Clause) -> bool:
    """Does the clause say itself whose attacks it is about, so that it is on no unit of its own?"""
    when = clause.when
    return isinstance(when, fx.PerAttack) and any(
        who is not None and who.ref is None for who in (when.attacker, when.target)
    )


def _names_its_units(clause: Clause) -> bool:
    return bool(clause.do) and all(isinstance(e, fx.SetState) and e.who is not None for e in clause.do)


def _with_its_state(clause: Clause, effect: Effect) -> fx.Duration:
    """What hangs on a named state lasts as long as the state another part of the rule sets."""
    wanted = asks_state(effect)
    for part in clause.do:
        if isinstance(part, Clause) and part.lasts.until != "instant" and wanted & set_states(part):
            return part.lasts
    return fx.Duration()


def set_states(clause: Clause) -> set[str]:
    """The named states a clause, or a clause within it, sets."""
    return {e.name.lower() for e in all_effects(clause) if isinstance(e, fx.SetState) and not e.clear}


def asks_state(effect: object) -> set[str]:
    """The named states a part of a rule asks for, at any depth."""
    if isinstance(effect, fx.HasState):
        return {effect.name.lower()}
    if isinstance(effect, tuple):
        return set().union(*map(asks_state, effect))
    if isinstance(effect, Struct):
        return set().union(*(asks_state(getattr(effect, name)) for name in effect.__struct_fields__))
    return set()


def each_clause(rule: Rule) -> Iterator[tuple[tuple[int, ...], Clause]]:
    """Every clause of a rule with its path, those within others too."""

    def within(path: tuple[int, ...], clause: Clause) -> Iterator[tuple[tuple[int, ...], Clause]]:
        yield path, clause
        for place, effect in enumerate(clause.do):
            if isinstance(effect, Clause):
                yield from within((*path, place), effect)

    for number, clause in enumerate(rule.clauses):
        yield from within((number,), clause)


def _until(t: Table, lasts: fx.Duration, context: Context) -> tuple[str, int]:
    """(moment, whose): when an effect of this duration ends."""
    whose = {"your": context.owner, "opponent": 1 - context.owner}.get(lasts.whose, NOBODY)
    if lasts.until in ("turn", "round", "battle"):
        return lasts.until if lasts.edge == "end" else "command", whose
    if lasts.until == "phase" and lasts.phase == "command" and lasts.edge == "start":
        return "command", context.owner if whose == NOBODY else whose
    if lasts.until == "phase" and lasts.next and lasts.edge == "start":
        return "command", context.owner if whose == NOBODY else whose
    return "phase", NOBODY


def amount_of(t: Table, amount: fx.Amount | None, context: Context, purpose: str) -> int | None:
    """The number an amount comes to, rolling its dice; None when it hangs on something not understood."""
    if amount is None:
        return None
    if amount.ref is not None:
        return None
    factor = 1
    if amount.per is not None:
        return None
    count = amount.n.bonus
    if amount.n.count:
        faces = t.roll(purpose, amount.n.count, context.bearer)
        count += sum(face if amount.n.sides == 6 else (face + 1) // 2 for face in faces)
    count *= factor
    return count if amount.maximum is None else min(count, amount.maximum)


def _units(t: Table, who: fx.Select | None, context: Context) -> tuple[int, ...]:
    if who is None:
        return (context.target,) if context.target != NOBODY else (context.bearer,)
    return chosen_from(t, who, context)


def _shock(t: Table, effect: fx.ShockTest, context: Context) -> bool:
    for unit in _units(t, effect.who, context):
        match effect.how:
            case "pass":
                _pass_test(t, unit)
            case "test":
                t.push("battle_shock_roll", unit=unit)
            case "fail" if not t.state.shocked(unit):
                t.emit(ShockChanged(unit, True))
            case "clear" if t.state.shocked(unit):
                t.emit(ShockChanged(unit, False))
            case "leadership":
                return False
    return True


def _pass_test(t: Table, unit: int) -> None:
    """The battle-shock roll under way for this unit is successful without dice."""
    from battlewright.battle.events import FrameSet

    for depth in range(len(t.state.frames) - 1, -1, -1):
        frame = t.state.frames[depth]
        if frame.procedure == "battle_shock_roll" and frame.local.get("unit") == unit:
            t.emit(FrameSet(depth, frame.step, {**frame.local, "passed": True}))
            return


def _fight_order(t: Table, effect: fx.FightOrder, context: Context) -> bool:
    for unit in _units(t, effect.who, context):
        if effect.order == "next":
            t.mark(unit, Did.FIGHTS_NEXT)
        elif effect.order == "first":
            t.mark(unit, Did.FIGHTS_FIRST)
        else:
            return False
    return True


def _act(t: Table, effect: fx.Act, context: Context) -> bool:
    for unit in _units(t, effect.who, context):
        towards = list(chosen_from(t, effect.towards, context)) if effect.towards is not None else []
        match effect.act:
            case "overwatch":
                t.push("shoot_unit", unit=unit, way="snap", only=towards)
            case "shoot":
                t.push("shoot_unit", unit=unit, only=towards)
            case "fight":
                t.push("fight_unit", unit=unit)
            case "charge":
                cap = INTO_THE_FRAY if "into the fray" in effect.limits else None
                t.push("charge_unit", unit=unit, only=_charge_only(t, effect, unit, context), cap=cap)
            case "heroic_intervention":
                t.push("charge_unit", unit=unit, no_bonus=True, only=_charge_only(t, effect, unit, context))
            case _:
                return False
    return True


def _charge_only(t: Table, effect: fx.Act, unit: int, context: Context) -> list[int]:
    """The units a charge made by a rule may target: those it names, those that charged this phase, or any."""
    if effect.towards is not None:
        return list(chosen_from(t, effect.towards, context))
    if "leap to defend" in effect.limits:
        return [e for e in t.enemies(unit) if t.state.did(e, Did.CHARGED)]
    if "into the fray" in effect.limits:
        return [e for e in t.enemies(unit) if t.gap(unit, e) <= INTO_THE_FRAY]
    return []


def _mortal(t: Table, effect: fx.Mortal, context: Context) -> bool:
    for unit in _units(t, effect.who, context):
        count = amount_of(t, effect.amount, context, "mortal wounds")
        if count is None:
            return False
        mortal_wounds(t, unit, count, "ability", context.bearer)
    return True


def _heal(t: Table, effect: fx.Heal, context: Context) -> bool:
    count = amount_of(t, effect.amount, context, "wounds regained")
    if count is None:
        return False
    for unit in _units(t, effect.who, context):
        hurt = [m for m in t.alive(unit) if t.wounds(m) < t.rules.stat(m, "W")]
        if hurt:
            full = t.rules.stat(hurt[0], "W")
            left = min(full, t.wounds(hurt[0]) + count)
            t.emit(WoundsRegained(hurt[0], left - t.wounds(hurt[0]), left, "healed"))
    return True


def _cp(t: Table, effect: fx.Cp, context: Context) -> bool:
    """Beyond Core CP a player gains at most 1CP a battle round (11e 08; 10e T-3.2)."""
    count = amount_of(t, effect.amount, context, "command points")
    if count is None:
        return False
    player = context.owner if effect.whose == "you" else 1 - context.owner
    if effect.sign > 0:
        count = min(count, 1 - int(t.state.player[player, P.EXTRA_CP]))
    else:
        count = -min(count, t.cp(player))
    if count:
        t.emit(CpChanged(player, count, "ability", extra=effect.sign > 0))
    return True


def _state(t: Table, effect: fx.SetState, context: Context) -> bool:
    for unit in _units(t, effect.who, context):
        key = f"state|{unit}"
        states = list(t.state.marks.get(key, []))
        had = states.count(effect.name)
        count = 1 if effect.amount is None else amount_of(t, effect.amount, context, effect.name)
        if count is None:
            return False
        if effect.amount is None:
            left = 0 if effect.clear else 1
        else:
            left = max(had - count, 0) if effect.clear else had + count
        left = left if effect.most is None else min(left, effect.most)
        states = [state for state in states if state != effect.name] + [effect.name] * left
        t.emit(MarkSet(key, states or None))
    return True


def _control(t: Table, effect: fx.Control, context: Context) -> bool:
    """Secure every objective the unit is in range of and its player controls (11e 14.03; 10e T-12.3)."""
    if effect.how != "secure":
        return False
    unit = context.target if context.target != NOBODY else context.bearer
    for objective, holder in enumerate(t.state.control):
        if holder == context.owner and unit != NOBODY and models_in_range(t, objective, unit):
            t.emit(ControlChanged(objective, holder, t.state.levels[objective], context.owner))
    return True


def _pool(t: Table, effect: fx.Pool, context: Context) -> bool:
    count = amount_of(t, effect.amount, context, effect.name)
    if count is None:
        return False
    key = f"{context.owner}|{effect.name}"
    now = t.state.pools.get(key, 0)
    t.emit(PoolChanged(key, {"add": now + count, "spend": max(now - count, 0), "set": count}[effect.change]))
    return True


def _reserves(t: Table, effect: fx.Reserves, context: Context) -> bool:
    if effect.how != "arrive":
        return False
    for unit in _units(t, effect.who, context):
        t.push("ingress", unit=unit)
    return True


def _can_pick(t: Table, effect: fx.Pick, rule: Rule, target: int, context: Context) -> Reason | None:
    if picks(t, effect, context_on(context, target)):
        return None
    return Reason(f"{t.setting.edition} {rule.id or rule.name}", f"{rule.name}: nothing to pick")


def context_on(context: Context, target: int) -> Context:
    """The moment with a stratagem's own target put in."""
    return context if target == NOBODY else replace(context, target=target)


def picks(t: Table, effect: fx.Pick, context: Context) -> tuple[int, ...]:
    """The units that may be picked."""
    return chosen_from(t, effect.who, context)


def _rolled_rows(t: Table, effect: fx.RollDice, context: Context) -> list[int] | None:
    """The dice, and the rows they find, in order; None when the number of dice is not understood."""
    number = _how_many_dice(t, effect, context)
    if number is None:
        return None
    dice = effect.dice.n
    faces = t.roll("ability", number, context.bearer)
    results = [face if dice.sides == 6 else (face + 1) // 2 for face in faces]
    if effect.sum or number == 1:
        results = [sum(results) + (dice.bonus if dice.count else 0)]
    more = sum(_plus(t, plus, context) for plus in effect.plus)
    results = [max(value + more, 1) for value in results]
    return [
        place
        for value in results
        for place, row in enumerate(effect.rows)
        if (row.low is None or row.low <= value) and (row.high is None or value <= row.high)
    ]


def _plus(t: Table, plus: fx.RollPlus, context: Context) -> int:
    """What a roll gains (or loses) because of a condition."""
    holding = plus.when is None or holds(t, plus.when, context.bearer, context) is True
    return plus.sign * (plus.amount.n.constant or 0) if holding else 0


def _roll_dice(t: Table, effect: fx.RollDice, context: Context) -> bool:
    """Dice each of which may be some mortal wounds, rolled together."""
    number = _how_many_dice(t, effect, context)
    if number is None or not _only_mortal(effect):
        return False
    sides = effect.dice.n.sides
    faces = t.roll("ability", number, context.bearer)
    return _count_mortal(t, effect, [face if sides == 6 else (face + 1) // 2 for face in faces], context)


def _move(t: Table, effect: fx.Move, context: Context) -> bool:
    """A move a rule gives: as far as it says, else the Move of each model."""
    if effect.kind not in ("normal", "any", "surge"):
        return False
    for unit in _units(t, effect.who, context):
        distance = -1
        if effect.amount is not None:
            found = amount_of(t, effect.amount, context, "distance")
            if found is None:
                return False
            distance = found
        t.push("rule_move", unit=unit, distance=distance, kind="surge" if effect.kind == "surge" else "normal")
    return True


def _how_many_dice(t: Table, effect: fx.RollDice, context: Context) -> int | None:
    """So many as the amount says; as many as the Toughness of the unit, or the wounds left of the bearer, it refers to."""
    if effect.per is not None:
        return None
    if effect.dice.ref == "T":
        unit = context.target if context.target != NOBODY else context.bearer
        return max(t.rules.stat(m, "T") for m in t.alive(unit))
    if effect.dice.ref == "wounds left":
        return sum(t.wounds(m) for m in t.alive(context.bearer))
    return None if effect.dice.ref is not None else effect.dice.n.count or 1


def _only_mortal(effect: fx.RollDice) -> bool:
    return not effect.plus and all(isinstance(e, fx.Mortal) for row in effect.rows for e in row.do)


def _count_mortal(t: Table, effect: fx.RollDice, results: list[int], context: Context) -> bool:
    """Dice rolled together, each that fits a row some mortal wounds: together, at most what the row says."""
    for row in effect.rows:
        fitting = sum((row.low or 1) <= value <= (row.high or 6) for value in results)
        for mortal in row.do:
            assert isinstance(mortal, fx.Mortal)
            each = mortal.amount.n.constant
            if each is None:
                rolls = [amount_of(t, mortal.amount, context, "mortal wounds") for _ in range(fitting)]
                count = sum(value or 0 for value in rolls)
            else:
                count = fitting * each
            if mortal.amount.maximum is not None:
                count = min(count, mortal.amount.maximum)
            for unit in _units(t, mortal.who, context):
                mortal_wounds(t, unit, count, "ability", context.bearer)
    return True


_DO: dict[type, Callable[[Table, Any, Context], bool]] = {
    fx.ShockTest: _shock,
    fx.FightOrder: _fight_order,
    fx.Act: _act,
    fx.Mortal: _mortal,
    fx.Heal: _heal,
    fx.Cp: _cp,
    fx.SetState: _state,
    fx.Control: _control,
    fx.Pool: _pool,
    fx.Reserves: _reserves,
    fx.RollDice: _roll_dice,
    fx.Move: _move,
}


def all_effects(clause: Clause) -> Iterator[Effect]:
    """The effects of a clause and of the clauses within it."""
    for effect in clause.do:
        yield effect
        if isinstance(effect, Clause):
            yield from all_effects(effect)
