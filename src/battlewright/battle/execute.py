"""What the effects of a rule do to the battle, one function each; what none does is a reminder to the players.

Effects that change numbers while they last are not executed: they are kept as :class:`~battlewright.battle.state.Lasting`
and folded into queries by :mod:`battlewright.battle.rules`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from battlewright import effects as fx
from battlewright.battle.asked import is_asked, is_plain
from battlewright.battle.casualties import mortal_wounds
from battlewright.battle.clauses import (
    asks_state,
    attackers_and_targets,
    choice_in,
    clause_at,
    each_trigger,
    happens,
    is_choice,
    is_of_a_roll,
    names_its_attackers,
    of_next_phase,
    parts,
    set_states,
    waits,
)
from battlewright.battle.events import (
    ControlChanged,
    CpChanged,
    EffectBegan,
    FrameSet,
    LeftBattlefield,
    MarkSet,
    PoolChanged,
    Reminder,
    ShockChanged,
    WoundsRegained,
)
from battlewright.battle.judge import (
    Context,
    all_referred,
    can_pay,
    chosen_from,
    fits,
    holds,
    is_told_of_a_model,
    referred,
)
from battlewright.battle.lasting import moment_of_next, next_turn
from battlewright.battle.possible import INTO_THE_FRAY, charge_only
from battlewright.battle.returning import alone_in, may_return, units_of
from battlewright.battle.rules import anywhere_from, is_of_each_move, off_whom, passages, stands, strides
from battlewright.battle.scoring import models_in_range
from battlewright.battle.state import NOBODY, Did, Lasting, P, Where
from battlewright.battle.table import Table
from battlewright.effects import Clause, Effect, Rule

#: effects that are folded into queries while they last
FOLDED = (
    fx.RollMod, fx.Reroll, fx.CritOn, fx.IgnoreMods, fx.StatMod, fx.Grant, fx.Remove, fx.Permit, fx.Forbid,
    fx.RollSet, fx.DamageTo, fx.Targeting, fx.Clause, fx.MoveRule, fx.Stratagem, fx.Setup,
)  # fmt: skip


def start_part(t: Table, path: list[int], place: int, part: int) -> None:
    """The effects of one part go next, with the moment and the names of the rule at work."""
    local = dict(t.frame.local)
    t.push("resolve_rule", **{**local, "path": [*path, place, part], "at": 0})


def start_given(t: Table, path: list[int], place: int, within: tuple[int, ...], context: Context) -> None:
    """An ability that is given acts for each unit that has it now; what does not speak of those who have it, once."""
    clause = clause_at(t.setting.rules[str(t.frame.local["key"])], path)
    effect = clause.do[place]
    assert isinstance(effect, fx.Give)
    given = [*path, place, 0, *within]
    part = clause_at(t.setting.rules[str(t.frame.local["key"])], given)
    units = _receivers(t, effect.who, context) if speaks_of_its_bearer(part) else (NOBODY,)
    for unit in reversed(units):
        t.push("resolve_rule", **{**dict(t.frame.local), "path": given, "at": 0, "unit": unit, "target": NOBODY})


def _receivers(t: Table, who: fx.Select, context: Context) -> tuple[int, ...]:
    """The units an ability is given to: by their keywords wherever they are, else those on the battlefield."""
    if who.ref is not None or who.of is not None or not is_told_of_a_model(who.where):
        return chosen_from(t, who, context)
    places = (Where.BATTLEFIELD, Where.RESERVES, Where.EMBARKED, Where.UNDEPLOYED)
    units = (unit for place in places for unit in t.units(None, place))
    return tuple(unit for unit in units if t.alive(unit) and fits(t, who, unit, context) is True)


def speaks_of_its_bearer(clause: Clause) -> bool:
    """Is some unit or model of a clause told by who bears it?"""
    named = [part for part in fx.parts_of(clause.do) if isinstance(part, fx.Select)]
    return not named or any(who.ref in ("self", "unit", "led") for who in named)


def start_clause(t: Table, path: list[int], place: int) -> None:
    """The effects of a clause that stands among others go next."""
    t.push("resolve_rule", **{**dict(t.frame.local), "path": [*path, place], "at": 0})


def is_of_redeploying(effect: fx.Setup) -> bool:
    """Does it only say that those redeployed may go into Strategic Reserves?"""
    words = {"any number in strategic reserves", "strategic reserves", "any number"}
    return "strategic reserves" in " ".join(effect.limits) and set(effect.limits) <= words and not effect.where


def acts_now(clause: Clause) -> bool:
    """Does a clause within another do something at once, rather than change what is asked while it lasts?"""
    return isinstance(clause.when, fx.Static) and any(
        acts_now(e) if isinstance(e, Clause) else not isinstance(e, (*FOLDED, fx.SetState)) for e in clause.do
    )


# -------------------------------------------------------------------------------------------------------- doing it
def execute(t: Table, rule: Rule, key: str, path: list[int], place: int, effect: Effect, context: Context) -> None:
    """Let one effect act. What nobody has taught us to do is a :class:`Reminder`."""
    clause = clause_at(rule, path)
    if isinstance(effect, Clause) and of_next_phase(effect) is not None:
        _begin(t, rule, key, [*path, place], place, effect, clause, context)
        return
    if isinstance(effect, Clause) and waits(effect):
        _set_waiting(t, rule, key, [*path, place], effect, clause, context)
        return
    if isinstance(effect, fx.Reserves) and effect.how == "redeploy":
        anew = any("strategic reserves" in " ".join(e.limits) for e in clause.do if isinstance(e, fx.Setup))
        for unit in reversed(_units(t, effect.who, context)):
            t.push("redeploy", unit=unit, reserves=anew)
        return
    if isinstance(effect, fx.Setup) and is_of_redeploying(effect):
        return
    if isinstance(effect, Clause) and (acts_now(effect) or effect.may is not None):
        if can_pay(t, effect, context.owner):
            start_clause(t, path, place)
        return
    if isinstance(effect, fx.MoveRule) and strides(effect) is not None and is_of_each_move(clause):
        return  # how far each such move goes is asked before it begins
    if (
        (isinstance(effect, FOLDED) and not _is_unplaced(effect))
        or stands(effect)
        or (isinstance(effect, fx.Reserves) and effect.how == "early")
    ):
        _begin(t, rule, key, [*path, place] if isinstance(effect, Clause) else path, place, effect, clause, context)
        return
    if isinstance(effect, fx.Give) and supports(effect):
        start_given(t, path, place, (), context)
        return
    if isinstance(effect, fx.If):
        answer = holds(t, effect.holds, context.bearer, context)
        if answer is not None:
            start_part(t, path, place, 0 if answer else 1)
            return
    if isinstance(effect, fx.RollDice) and effect.per is not None and effect.per.what == "unit":
        _roll_for_each(t, effect, path, place, context)
        return
    if isinstance(effect, fx.RollDice) and not _only_mortal(effect):
        rows = _rolled_rows(t, effect, context)
        for row in reversed(rows or []):
            start_part(t, path, place, row)
        if rows is not None:
            return
    act = _DO.get(type(effect))
    if act is None or _is_of_campaign(effect) or not act(t, effect, context):
        t.emit(Reminder(context.owner, rule.name, context.bearer, type(effect).__name__))


def _is_unplaced(effect: Effect) -> bool:
    """Does it say something of where a unit is set up that nobody asks for?"""
    return isinstance(effect, fx.Setup) and anywhere_from(effect) is None


def _is_of_campaign(effect: Effect) -> bool:
    """Does it change what only a campaign keeps?"""
    if isinstance(effect, fx.ShockTest):
        return effect.how == "out_of_action"
    return isinstance(effect, (fx.Pool, fx.SetState)) and effect.name.endswith(fx.OF_A_CAMPAIGN)


def supports(effect: Effect) -> bool:
    """Can this kind of effect be enforced?"""
    match effect:
        case fx.RollDice() if not _dice_are_known(effect):
            return False
        case fx.Choose() if not is_choice(effect):
            return False
        case fx.Give(do=do) if choice_in(effect) is None and any(isinstance(part, fx.Choose) for part in do):
            return False
        case fx.If() | fx.RollDice() | fx.Choose() | fx.Give():
            return all(supports(e) for part in parts(effect) for e in part)
        case fx.Move(kind="stationary", may=may):
            return not may
        case fx.Move(kind=kind, amount=amount):
            return kind in ("normal", "any", "surge") and is_plain(amount)
        case fx.Pool() | fx.SetState() | fx.ShockTest() if _is_of_campaign(effect):
            return False
        case fx.Mortal(amount=amount) | fx.Heal(amount=amount) | fx.Cp(amount=amount) | fx.Pool(amount=amount):
            return is_plain(amount)
        case fx.ReturnModels(amount=amount, who=who, wounds=wounds):
            told = who is None or who.what != "model" or is_told_of_a_model(who.where)
            return told and is_plain(amount) and is_plain(wounds)
        case fx.Revive(wounds=wounds, place=place):
            return is_plain(wounds) and "near where destroyed" in place
        case fx.Forbid(act="set_up"):
            return off_whom(effect) is not None
        case fx.MoveRule():
            return effect.where is None and (passages(effect) is not None or strides(effect) is not None)
        case fx.Destroy(who=who):
            return who is not None and _names_the_fallen(who)
        case fx.Order(how="issue"):
            return True  # a choice of its player's Command phase (orders)
        case fx.Stratagem(which=fx.StratagemIs(category="requisition")):
            return False
        case fx.Stratagem(change=change):
            return change in ("cost", "set", "forbid", "again")
        case fx.Build() | fx.Transport():
            return True  # mustering and capacity see to these
        case Clause(do=do) if of_next_phase(effect) is not None:
            return all(supports(e) and (stands(e) or isinstance(e, (fx.Forbid, fx.StatMod))) for e in do)
        case Clause() if is_of_a_roll(effect):
            return False
        case Clause(do=do, when=when):
            return all(map(happens, each_trigger(when))) and all(map(supports, do))
        case fx.Act(act=act):
            return act in ("shoot", "overwatch", "fight", "charge", "heroic_intervention")
        case fx.Reserves(how=how):
            return how in ("arrive", "enter", "early", "redeploy")
        case fx.Setup():
            return is_of_redeploying(effect) or anywhere_from(effect) is not None
        case fx.Control(how=how, who=who):
            return how == "secure" and who is None
        case fx.FightOrder(order=order):
            return order in ("next", "first")
        case _:
            return is_asked(effect) if isinstance(effect, (*FOLDED, fx.Pick)) else type(effect) in _DO


def _dice_are_known(effect: fx.RollDice) -> bool:
    """Is it understood for what, and how often, dice are rolled?"""
    per = effect.per
    if effect.dice.per is not None or per is None:
        return effect.dice.per is None
    return per.what == "unit" or (per.what == "model" and (per.where is None or isinstance(per.where, fx.Engaged)))


def _begin(
    t: Table, rule: Rule, key: str, path: list[int], place: int, effect: Effect, clause: Clause, context: Context
) -> None:
    """An effect that lasts: on each unit it is about, until the moment its clause names."""
    lasts = effect.lasts if isinstance(effect, Clause) and effect.lasts.until != "instant" else clause.lasts
    lasts = lasts if lasts.until != "instant" else _with_its_state(clause, effect)
    coming = of_next_phase(effect) if isinstance(effect, Clause) else None
    if coming is not None:
        lasts = fx.Duration("phase", whose=coming.whose, next=True, phase=coming.phases[0])
    until, after = _until(t, lasts, context)
    who = getattr(effect, "who", None)
    units: tuple[int, ...] = (context.target if context.target != NOBODY else context.bearer,)
    if who is not None:
        units = chosen_from(t, who, context)
    elif isinstance(effect, Clause) and names_its_attackers(effect):
        units = _own_of(t, attackers_and_targets(effect), context) or (NOBODY,)
    elif isinstance(effect, Clause) and _names_its_units(effect):
        units = (NOBODY,)  # it says itself whom it is about
    only = -1 if isinstance(effect, Clause) else place
    for unit in units:
        same = (e for e in t.state.effects if (e.rule, e.clause, e.unit, e.place) == (key, tuple(path), unit, only))
        if any(not e.waits for e in same):
            continue
        began = Lasting(key, tuple(path), context.owner, unit, until, after, _known(context), place=only)
        t.emit(EffectBegan(began, rule.name))


def _own_of(t: Table, named: list[fx.Select], context: Context) -> tuple[int, ...]:
    """The units of the rule's player among those that names stand for."""
    known = [all_referred(who, context) or () for who in named if who.ref in ("bound", "subject")]
    units = dict.fromkeys(unit for several in known for unit in several)
    return tuple(unit for unit in units if unit != NOBODY and t.owner(unit) == context.owner)


def _known(context: Context) -> tuple[tuple[str, int], ...]:
    """The names a rule at work knows units by, those of its moment among them."""
    moment = {"bearer": context.bearer, "subject": context.subject, "target": context.target}
    return tuple(sorted((name, unit) for name, unit in {**moment, **context.bound}.items() if unit != NOBODY))


def _set_waiting(
    t: Table, rule: Rule, key: str, path: list[int], effect: Clause, clause: Clause, context: Context
) -> None:
    """A clause with a moment of its own waits for it, until the moment itself, or as long as the rule lasts."""
    lasts = effect.lasts if effect.lasts.until != "instant" else clause.lasts
    until, after = _until(t, lasts, context)
    edges = [(w.edge, w.unit) for w in each_trigger(effect.when) if isinstance(w, fx.Window)]
    if lasts.until == "instant" and edges and edges[0] in (("end", "turn"), ("end", "round"), ("end", "battle")):
        until = edges[0][1]
    began = Lasting(key, tuple(path), context.owner, context.bearer, until, after, _known(context), True)
    t.emit(EffectBegan(began, rule.name))


def _names_its_units(clause: Clause) -> bool:
    return bool(clause.do) and all(isinstance(e, fx.SetState) and e.who is not None for e in clause.do)


def _with_its_state(clause: Clause, effect: Effect) -> fx.Duration:
    """What hangs on a named state lasts as long as the state another part of the rule sets."""
    wanted = asks_state(effect)
    for part in clause.do:
        if isinstance(part, Clause) and part.lasts.until != "instant" and wanted & set_states(part):
            return part.lasts
    return fx.Duration()


def _until(t: Table, lasts: fx.Duration, context: Context) -> tuple[str, int]:
    """(moment, whose): when an effect of this duration ends."""
    if t.state.round == 0 and lasts.until == "instant":
        return "battle", NOBODY  # what is settled before the battle holds in it
    whose = {"your": context.owner, "opponent": 1 - context.owner}.get(lasts.whose, NOBODY)
    if lasts.next and lasts.until == "turn" and lasts.edge == "end":
        player = 1 - max(t.state.turn, 0) if whose == NOBODY else whose
        return "|".join(("end turn", *map(str, next_turn(t, player)))), NOBODY
    if lasts.next and lasts.until == "phase" and lasts.phase not in (None, "command", "any"):
        assert lasts.phase is not None
        return moment_of_next(t, lasts.edge, lasts.phase, context.owner if whose == NOBODY else whose), NOBODY
    if lasts.until == "round":
        return "round", NOBODY  # it ends as the next one begins
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
    plus = 0 if effect.mod is None else amount_of(t, effect.mod, context, "modifier")
    if plus is None or (effect.how == "desperate_escape" and not t.setting.numbers.falls_back_over_enemies):
        return False
    plus *= effect.sign
    for unit in _units(t, effect.who, context):
        match effect.how:
            case "pass":
                _pass_test(t, unit)
            case "test":
                t.push("battle_shock_roll", unit=unit, plus=plus)
            case "leadership":
                t.push("leadership_test", unit=unit, plus=plus)
            case "desperate_escape":
                t.push("desperate_escape", unit=unit, dice=len(t.alive(unit)))
            case "fail" if not t.state.shocked(unit):
                t.emit(ShockChanged(unit, True))
            case "clear" if t.state.shocked(unit):
                t.emit(ShockChanged(unit, False))
    return True


def _pass_test(t: Table, unit: int) -> None:
    """The battle-shock roll under way for this unit is successful without dice."""
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
    if "not removed" in effect.limits:
        return _last_stand(t, effect, context)
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
                t.push("charge_unit", unit=unit, only=charge_only(t, effect, unit, context), cap=cap)
            case "heroic_intervention":
                t.push("charge_unit", unit=unit, no_bonus=True, only=charge_only(t, effect, unit, context))
            case _:
                return False
    return True


def _last_stand(t: Table, effect: fx.Act, context: Context) -> bool:
    """A destroyed model acts before it is removed: when the attacks under way are over, else now."""
    model = context.bound.get("model", NOBODY)
    if model == NOBODY or effect.act not in ("fight", "shoot"):
        return False
    due = [list(one) for one in t.state.marks.get("last stands", [])]
    t.emit(MarkSet("last stands", [*due, [model, effect.act]]))
    if not any(frame.procedure == "attacks" for frame in t.state.frames):
        t.push("last_stand")
    return True


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
        if t.setting.numbers.heals_units and effect.who is not None and effect.who.what == "unit":
            _heal_unit(t, unit, count)
            continue
        hurt = [m for m in t.alive(unit) if t.wounds(m) < t.rules.stat(m, "W")]
        if hurt:
            full = t.rules.stat(hurt[0], "W")
            left = min(full, t.wounds(hurt[0]) + count)
            t.emit(WoundsRegained(hurt[0], left - t.wounds(hurt[0]), left, "healed"))
    return True


def _heal_unit(t: Table, unit: int, count: int) -> None:
    """One wound at a time: of a wounded model, else a destroyed one that is no CHARACTER returns with one (11e 02.02.04)."""
    for model in sorted(t.alive(unit), key=lambda m: t.rules.stat(m, "W") - t.wounds(m), reverse=True):
        healed = min(count, t.rules.stat(model, "W") - t.wounds(model))
        if healed:
            t.emit(WoundsRegained(model, healed, t.wounds(model) + healed, "healed"))
            count -= healed
    among = [m for m in may_return(t, None, unit) if not t.model(m).is_character]
    full = t.rules.stat(among[0], "W") if among else 1
    back, rest = divmod(count, full)
    if rest and back < len(among):
        t.push("return_models", unit=unit, among=[among.pop()], count=1, wounds=rest)
    if back and among:
        t.push("return_models", unit=unit, among=among, count=min(back, len(among)), wounds=0)


def _return(t: Table, effect: fx.ReturnModels, context: Context) -> bool:
    """Destroyed models come back to their units, full of wounds unless it says otherwise."""
    wounds = 0 if effect.wounds is None else amount_of(t, effect.wounds, context, "wounds")
    if wounds is None:
        return False
    for unit in units_of(t, effect.who, context):
        among = may_return(t, effect.who, unit)
        count = amount_of(t, effect.amount, context, "models returned") if among else 0
        if count is None:
            return False
        if count:
            t.push("return_models", unit=unit, among=list(among), count=count, wounds=wounds)
    return True


def _revive(t: Table, effect: fx.Revive, context: Context) -> bool:
    """A destroyed model is set up again; of a unit of several nobody says which."""
    wounds = 0 if effect.wounds is None else amount_of(t, effect.wounds, context, "wounds")
    who = effect.who
    named = NOBODY if who is None else referred(who, context)
    part = context.bound.get("part", NOBODY) if who is None or who.ref == "self" else named
    if wounds is None or part is None or part == NOBODY or alone_in(t, part) == NOBODY:
        return False
    t.push("revive", unit=part, model=alone_in(t, part), wounds=wounds)
    return True


def _destroy(t: Table, effect: fx.Destroy, context: Context) -> bool:
    """This model, or the units named, are destroyed; of the models of a unit so many, as its player chooses."""
    who = effect.who
    if who is None or not _names_the_fallen(who):
        return False
    if who.what == "model" and who.of is not None:
        count = 1 if who.count.n is None else amount_of(t, who.count.n, context, "models destroyed")
        for unit in chosen_from(t, who.of, context):
            t.push("lose_models", unit=unit, count=count, why="ability")
        return count is not None
    for unit in chosen_from(t, who, context):
        if who.what == "unit" or len(t.alive(unit)) == 1:
            t.push("lose_models", unit=unit, count=len(t.alive(unit)), why="ability")
    return True


def _names_the_fallen(who: fx.Select) -> bool:
    """Is it known who is destroyed: a unit, so many models of one, or a model that is a unit?"""
    if who.what == "model" and who.of is not None:
        several = who.count.n is None or (is_plain(who.count.n) and who.count.kind == "n")
        return who.of.what == "unit" and who.where is None and who.count.kind in ("one", "n") and several
    return who.ref is not None and who.what == "unit"


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
    if effect.how != "secure" or effect.who is not None:
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
    if effect.how not in ("arrive", "enter"):
        return False
    for unit in _units(t, effect.who, context):
        if effect.how == "arrive":
            t.push("ingress", unit=unit)
        elif t.state.on_battlefield(unit) and t.alive(unit):
            t.emit(LeftBattlefield(unit, int(Where.RESERVES)))
    return True


def _rolled_rows(t: Table, effect: fx.RollDice, context: Context) -> list[int] | None:
    """The dice, and the rows they find, in order; None when the number of dice is not understood."""
    number = _how_many_dice(t, effect, context)
    if number is None:
        return None
    return _rows_of(effect, _results(t, effect, number, context))


def _results(t: Table, effect: fx.RollDice, number: int, context: Context) -> list[int]:
    """So many dice of an effect as results: their sum where it says so, with what is added to each."""
    dice = effect.dice.n
    faces = t.roll("ability", number, context.bearer)
    results = [face if dice.sides == 6 else (face + 1) // 2 for face in faces]
    if effect.sum or number == 1:
        results = [sum(results) + (dice.bonus if dice.count else 0)]
    more = sum(_plus(t, plus, context) for plus in effect.plus)
    return [max(value + more, 1) for value in results]


def _rows_of(effect: fx.RollDice, results: list[int]) -> list[int]:
    """The rows that results find, in order."""
    return [
        place
        for value in results
        for place, row in enumerate(effect.rows)
        if (row.low is None or row.low <= value) and (row.high is None or value <= row.high)
    ]


def _roll_for_each(t: Table, effect: fx.RollDice, path: list[int], place: int, context: Context) -> None:
    """A roll for each unit that fits, which its rows then speak of."""
    assert effect.per is not None
    local, name, due = dict(t.frame.local), effect.per.bind or "each", []
    for unit in chosen_from(t, effect.per, context):
        about = context.binding(name, unit)
        rows = _rows_of(effect, _results(t, effect, effect.dice.n.count or 1, about))
        due += [{**local, "path": [*path, place, row], "at": 0, "bound": dict(about.bound)} for row in rows]
    for part in reversed(due):
        t.push("resolve_rule", **part)


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
        return _how_many_models(t, effect.per, context)
    whose, _, stat = (effect.dice.ref or "").rpartition(".")
    if stat == "T":
        aimed = context.target if context.target != NOBODY else context.bearer
        unit = context.bearer if whose.startswith("this ") else context.bound.get(whose, aimed)
        return max(t.rules.stat(m, "T") for m in t.alive(unit))
    if effect.dice.ref == "wounds left":
        return sum(t.wounds(m) for m in t.alive(context.bearer))
    return None if effect.dice.ref is not None else effect.dice.n.count or 1


def _how_many_models(t: Table, per: fx.Select, context: Context) -> int | None:
    """The living models a roll is made for: those of a unit, of it those engaged with another; None: not understood."""
    units = () if per.of is None else chosen_from(t, per.of, context)
    models = {model for unit in units for model in t.alive(unit)}
    match per.where:
        case None:
            return len(models)
        case fx.Engaged(by=by):
            foes = [e for unit in units for e in (t.engaged_with(unit) if by is None else chosen_from(t, by, context))]
            return len({m for unit in units for e in foes for m in t.models_engaged_with(unit, e)} & models)
        case _:
            return None


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
    fx.ReturnModels: _return,
    fx.Revive: _revive,
    fx.Destroy: _destroy,
    fx.Cp: _cp,
    fx.SetState: _state,
    fx.Control: _control,
    fx.Pool: _pool,
    fx.Reserves: _reserves,
    fx.RollDice: _roll_dice,
    fx.Move: _move,
}
