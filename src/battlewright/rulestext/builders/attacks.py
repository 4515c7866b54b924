"""Attacks: who makes them at whom, with what, and what they get."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any as Anything
from typing import Literal, get_args

from msgspec.structs import replace

from battlewright.effects import (
    LOW_IS_GOOD,
    About,
    Act,
    All,
    Amount,
    AttackIs,
    Choose,
    Clause,
    Compare,
    Condition,
    Count,
    CritOn,
    DamageTo,
    Duration,
    Event,
    Grant,
    HasAbility,
    If,
    IgnoreMods,
    Not,
    Option,
    Outcome,
    PerAttack,
    Reroll,
    Roll,
    RollMod,
    RollPlus,
    RollSet,
    Same,
    Select,
    Stat,
    StatMod,
    Visible,
    Within,
)
from battlewright.effects import Any as AnyOne
from battlewright.rulestext.blocks import INSTANT, STATIC, Block, Gate, conj
from battlewright.rulestext.builders.phrases import (
    BOTH_TARGETS,
    another_unit,
    here,
    it,
    known,
    last_effect,
    row,
    shooter,
    whole,
)
from battlewright.rulestext.builders.sentences import Scope, Wrapped, as_clause
from battlewright.rulestext.context import ME, Context, Mention, Reject, is_attack
from battlewright.rulestext.tokens import Token
from battlewright.rulestext.words import phrase

AttackKind = Literal["any", "melee", "ranged"]
OURS = ("self", "unit", "led")
WEAPON_STATS = frozenset(("A", "BS", "WS", "S", "AP", "D", "Range"))


@dataclass(frozen=True)
class Attacks:
    """Attacks spoken of as a thing; ``trigger`` None: those of the scope now open."""

    trigger: PerAttack | None = None
    holds: tuple[Condition, ...] = ()
    lasts: Duration = INSTANT
    more: tuple[PerAttack, ...] = ()


@dataclass(frozen=True)
class AttackWords:
    """ "a ranged attack with this weapon that targets …", without who makes it."""

    kind: str | None = None
    weapon: Condition | None = None
    target: Select | None = None
    holds: tuple[Condition, ...] = ()


# ------------------------------------------------------------------------------------------------- who at whom


def attack_words(c: Context, k: str | None, w: Condition | None, t: Anything) -> AttackWords:
    """``t`` is who is targeted, or a condition of the attack ("the closest eligible target")."""
    if t is None or isinstance(t, Select):
        return AttackWords(k, w, t)
    select, condition = t
    return AttackWords(k, w, select, (condition,))


def closest(c: Context, select: Select | None, d: Amount | None = None) -> tuple[Select | None, Condition]:
    """ "that targets the closest eligible …"."""
    return select, AttackIs("closest", None if d is None else d.n.constant)


def target_while(c: Context, target: Select, condition: Condition) -> tuple[Select, Condition]:
    """ "That target this unit while it is on an objective"."""
    return target, About(Select("unit", ref="target") if target.ref is None else whole(target), condition)


def closest_or(c: Context, target: Select) -> tuple[None, Condition]:
    """ "That targets the closest eligible target or such a unit"."""
    near = from_attacker(c, target).where
    if target.ref is not None or near is None:
        raise Reject("which one?")
    return None, AnyOne((AttackIs("closest"), About(Select("unit", ref="target"), near)))


def per_attack(c: Context, s: Select | None, words: AttackWords) -> Scope:
    """Each time ``s`` makes such an attack."""
    trigger, holds = _per_attack(c, s, words)
    spoken = s or words.target
    c.it, c.it_block = (None if spoken is None else known(c, spoken)), c.block
    return Scope(when=trigger, holds=list(holds))


def attacks_of(c: Context, s: Select | None, words: AttackWords) -> Attacks:
    """The attacks of ``s``: what they get, they get each time."""
    trigger, holds = _per_attack(c, s, words)
    c.weapons, c.weapons_block = trigger, c.block
    c.weapons_are = trigger, tuple(one for one in holds if isinstance(one, AttackIs))
    whose = None if s is None else s if s.ref is not None else s.of
    if (c.it is None or c.it == whose) and whose is not None and whose.ref in OURS:
        c.it, c.it_block = whose, c.block
    return Attacks(trigger, holds)


def those_weapons(c: Context) -> Attacks:
    """The weapons last spoken of."""
    if c.weapons is None:
        raise Reject("which weapons?")
    c.use(c.weapons_block)
    known, holds = c.weapons_are or (None, ())
    return Attacks(c.weapons, holds if known is c.weapons else ())


def _per_attack(c: Context, s: Select | None, words: AttackWords) -> tuple[PerAttack, tuple[Condition, ...]]:
    if s is not None and s.what == "weapon":
        s, words = owner_of(c, s), AttackWords(words.kind, conj([words.weapon, Same(s)]), words.target, words.holds)
    target = words.target
    if s is not None and s.ref is None and target == Select(s.what, ref="attacker"):  # nobody attacks itself
        if c.aimed_at is None or c.aimed_at.what != "unit":
            raise Reject("whom?")
        target = c.aimed_at
    if target is not None and target.ref == "attacker":  # who attacked before: of this attack it is no attacker
        target = replace(target, ref="subject")
    if s is not None and target is not None and target.name == "your unit" in (s.name, s.of and s.of.name):
        theirs = c.that("unit", "enemy")  # "that unit targets your unit": it is named before yours is
        s = theirs if s.name == "your unit" else replace(s, of=theirs)
    if _is_ours(target) and s is not None and (_is_ours(s) or _is_ours(s.of)):  # nobody attacks their own unit
        target = c.that("unit", "enemy")
    if s is not None and target is not None and target.ref == "bound" and target in (s, s.of):
        other = another_unit(c, target)
        s = other if s == target else replace(s, of=other)
    at_us = _is_ours(target) or (s is not None and s.side == "enemy")
    role: Literal["attacker", "target"] = "target" if at_us else "attacker"
    if s is None and target is None and words.weapon is None:
        raise Reject("whose attacks?")
    if s is not None and s.ref is None:
        _refer(c, s, "attacker")
    if target is not None and target.ref is None:
        _refer(c, target, "target")
    kind, holds, weapon = _kind(words)
    attacker = None if s is None else shooter(s)
    for select in (s, target):
        if select is not None and select.ref is not None:
            c.named_again(select)
    if role == "target" and attacker is not None:
        attacker = _unless_any(attacker, "enemy")
    elif target is not None and target.ref is None:
        target = _unless_any(target if role == "target" else from_attacker(c, target), "enemy")
    elif target is None and role == "target":
        raise Reject("which of our units is the target?")
    return PerAttack(role, attacker, target, kind, weapon), holds


def owner_of(c: Context, weapon: Select) -> Select:
    """Who is equipped with a weapon that was picked."""
    named = (mention.select for mention in reversed(c.mentions) if weapon in (mention.refer, mention.select))
    owner = next((select.of for select in named if select.of is not None), None)
    if owner is None:
        raise Reject("whose weapon?")
    return owner


def from_attacker(c: Context, target: Select) -> Select:
    """ "within 12 inches" of a target is measured from who attacks, and visible is what they see."""
    return replace(target, where=_measured(target.where, here(c)))


def _measured(condition: Condition | None, place: Select) -> Condition | None:
    if isinstance(condition, Within) and condition.of == place:
        return replace(condition, of=Select("model", ref="attacker"))
    if condition == Visible(place):
        return Visible(Select("model", ref="attacker"))
    if isinstance(condition, All):
        return conj([_measured(part, place) for part in condition.of])
    if isinstance(condition, Not):
        inner = _measured(condition.of, place)
        return condition if inner is None else Not(inner)
    return condition


def _is_ours(select: Select | None) -> bool:
    if select is None:
        return False
    if select.side:
        return select.side == "friendly"
    if select.name == "your unit" or select.ref in OURS:
        return True
    return select.of is not None and _is_ours(select.of)


def _refer(c: Context, select: Select, ref: Anything) -> None:
    if select == BOTH_TARGETS:  # either of them, not the last one named
        c.mentions.append(Mention(select, None, c.block))
    c.refers(select, Select(select.what, ref=ref))
    if select.of is not None and select.of.ref is None:
        c.refers(select.of, Select(select.of.what, ref=ref))


def _unless_any(select: Select, side: str) -> Select | None:
    """Without the side it must have anyway; None when nothing else is said."""
    of = _unless_any(select.of, side) if select.of is not None and select.of.ref is None else select.of
    bare = replace(select, side=None, count=_plain(select.count), of=of)
    return None if bare in (Select("unit"), Select("model")) else bare


def _plain(count: Count) -> Count:
    return Count() if count.kind in ("one", "any", "all") else count


def _kind(words: AttackWords) -> tuple[AttackKind, tuple[Condition, ...], Condition | None]:
    weapon = words.weapon
    kind: AttackKind = "any"
    rest = list(weapon.of) if isinstance(weapon, All) else [weapon] if weapon is not None else []
    for condition in list(rest):
        if isinstance(condition, AttackIs) and condition.kind in ("melee", "ranged"):
            kind = condition.kind
            rest.remove(condition)
    if words.kind in ("melee", "ranged"):
        kind = words.kind  # type: ignore[assignment]
    holds: tuple[Condition, ...] = (AttackIs("psychic"),) if words.kind == "psychic" else ()
    holds += words.holds
    return kind, holds, conj(rest)


def targeted(c: Context, k: str | None, t: Select, s: Select | None = None) -> Scope:
    """Each time an attack targets (or is allocated to) ``t``; ``s`` made it."""
    return per_attack(c, s, AttackWords(k, None, t))


def attacks_at(c: Context, k: str | None, t: Select) -> Attacks:
    trigger, holds = _per_attack(c, None, AttackWords(k, None, t))
    if c.it is None and t.ref in OURS:
        c.it, c.it_block = t, c.block
    return Attacks(trigger, holds)


def weapons_of(c: Context, s: Select, k: str | None = None, weapon: Condition | None = None) -> Attacks:
    """Weapons of ``s`` are the attacks made with them."""
    return attacks_of(c, s, AttackWords(k, weapon, None))


def those_attacks(c: Context, k: str | None = None) -> Attacks:
    """ "that attack", "those attacks": of the open scope, else of the activation just spoken of."""
    if c.attack is not None:
        c.use(c.attack)
        return Attacks()
    if k is None and (trigger := _targets_just_selected(c)) is not None:
        c.use(c.it_block)
        return Attacks(trigger, (), Duration("done"))
    if c.activation is None:
        return _just_allowed(c, k)
    c.use(c.activation_block)
    return Attacks(PerAttack("attacker", shooter(c.activation), None, k or "any"), (), Duration("done"))  # type: ignore[arg-type]


def weapons_or_attacks(c: Context) -> Attacks:
    """ "They" that a sentence said something of: weapons, or else the attacks spoken of."""
    return those_attacks(c) if c.weapons is None else those_weapons(c)


def _just_allowed(c: Context, k: str | None) -> Attacks:
    """Those of the shooting or fighting that was just allowed."""
    items, at, block = c.history[-1] if c.history else ([], 0, c.base)
    last = items[at] if items else None
    if not isinstance(last, Act) or last.act not in ("shoot", "fight") or last.who is None:
        raise Reject("which attacks?")
    c.use(block)
    trigger: PerAttack = _while_it_acts(c, last, ()).when  # type: ignore[assignment]
    if k is not None and k != trigger.kind:
        raise Reject("attacks of another kind")
    return Attacks(trigger, (Outcome("done"),) if last.may else (), Duration("done"))


def this_weapon(c: Context) -> Condition:
    """The weapon whose rule it is, or the one that was selected."""
    if any(mention.select.what == "weapon" for mention in c.mentions):
        return Same(c.that("weapon"))
    return Same(Select("weapon", ref="self"))


def with_ability(c: Context, ability: Anything) -> Condition:
    """Weapons that have such an ability."""
    grants = [grant for grant in row(ability) if isinstance(grant, Grant)]
    found = [HasAbility(f"{g.name} {g.amount.n}" if g.amount else g.name) for g in grants]
    return found[0] if len(found) == 1 else AnyOne(tuple(found))


# ---------------------------------------------------------------------------------------------------- what they get


def get(c: Context, attacks: Attacks, effects: Anything) -> Anything:
    """The attacks get these effects, each time."""
    if effects == CHOSEN:
        return _choice(c, attacks)
    found = tuple(_on_attack(effect) for effect in row(effects))
    if attacks.trigger is None:
        return found
    trigger = attacks.trigger
    if attacks.more:
        return tuple(Wrapped(found, each, attacks.holds, attacks.lasts) for each in (trigger, *attacks.more))
    return Wrapped(found, trigger, attacks.holds, attacks.lasts)


def may_get(c: Context, attacks: Attacks, effects: Anything) -> Clause:
    """ "Its weapons can have …": all of them, or none."""
    found = tuple(as_clause(one) if isinstance(one, Wrapped) else one for one in row(get(c, attacks, effects)))
    return Clause(found, may="you")


def attacks_too(c: Context, first: Attacks, second: Attacks) -> Attacks:
    """Those of one, and those of another."""
    if first.trigger is None or second.trigger is None or first.holds != second.holds:
        raise Reject("whose attacks?")
    return Attacks(first.trigger, first.holds, first.lasts, (second.trigger,))


def stat_of_attack(c: Context, stat: str, op: Anything, n: Amount) -> Compare:
    return Compare(f"attack.{stat}", op, str(n.n))


def stat_in(c: Context, stat: str, values: tuple[tuple[Anything, Amount | Token], ...]) -> Condition:
    """The attack's characteristic is one of these, or beyond one (of Armour Penetration it is not said which way)."""
    if stat == "AP" and values[0][0] != "=":
        raise Reject("beyond which Armour Penetration?")
    found = tuple(Compare(f"attack.{stat}", op, n.raw if isinstance(n, Token) else str(n.n)) for op, n in values)
    return found[0] if len(found) == 1 else AnyOne(found)


def by_attacker(c: Context, who: Select) -> Condition:
    """Against attacks of such models, or of those spoken of."""
    if who.ref is not None:
        return About(Select("unit", ref="attacker"), Same(whole(who)))
    if who.where is None:
        raise Reject("whose attacks?")
    return About(Select("model", ref="attacker"), who.where)


CHOSEN = "the ability chosen"


def choose_ability(c: Context, *abilities: tuple[Grant, ...]) -> None:
    """ "Select the [A] or [B] ability": what has "the selected ability" gets one of them."""
    c.choice, c.choice_block = abilities, None if c.block is c.root else c.block
    c.pieces += 1


def chosen_of(c: Context, attacks: Attacks, abilities: tuple[tuple[Grant, ...], ...]) -> Anything:
    """The attacks get one of these."""
    choose_ability(c, *abilities)
    return get(c, attacks, CHOSEN)


def chosen_where(c: Context, attacks: Attacks, target: Select, condition: Condition) -> Choose:
    """The ability chosen "while targeting these or if …": of a weapon, its bearer is who attacks."""
    attacker = Select("model", ref="attacker")
    if isinstance(condition, About) and condition.who == ME and c.target is not None:
        condition = replace(condition, who=attacker)
    if target.ref is not None or target.where is None:
        raise Reject("targeting whom?")
    c.drop(target)
    holds = AnyOne((About(Select("unit", ref="target"), target.where), condition))
    options = [option.do[0] for option in _choice(c, attacks).options]
    return Choose(tuple(Option((replace(option, holds=holds),)) for option in options if isinstance(option, Clause)))


def _choice(c: Context, attacks: Attacks) -> Choose:
    """One of the abilities chosen from, for all these attacks alike."""
    if not c.choice or attacks.trigger is None or attacks.holds:
        raise Reject("no ability was chosen")
    c.use(c.choice_block)
    return Choose(tuple(Option((Clause(grants, attacks.trigger),)) for grants in c.choice))


def _on_attack(effect: Anything) -> Anything:
    if isinstance(effect, StatMod):
        if not set(effect.stats) <= WEAPON_STATS:
            raise Reject("an attack has no such characteristic")
        return StatMod(effect.stats, effect.op, effect.amount, "attack", None, effect.maximum, effect.minimum)
    if isinstance(effect, Wrapped):
        return Wrapped(tuple(_on_attack(inner) for inner in effect.effects), effect.when, effect.holds, effect.lasts)
    return effect


def roll_mod(c: Context, rolls: tuple[Roll, ...], n: Amount, sign: Anything = 1, who: Select | None = None) -> Anything:
    """Add to or subtract from rolls: of the attack now spoken of, or made for someone."""
    if who is None and any(roll in ATTACK_ROLLS for roll in rolls):
        if _act_just_allowed(c) is None and (trigger := _targets_just_selected(c)) is not None:
            return Wrapped(tuple(RollMod(roll, n, sign) for roll in rolls), trigger, lasts=Duration("done"))
        return of_each_attack(c, tuple(RollMod(roll, n, sign) for roll in rolls))
    if who is None and rolls == ("any",) and c.gate is not None and roll_made_here(c) is None:
        return _to_dice(c, c.gate, n, sign)
    if who is None:
        who = _whose_roll(c, rolls[0])
    return tuple(RollMod(roll, n, sign, whole_of(who)) for roll in rolls)


def _act_just_allowed(c: Context) -> Act | None:
    """ "It can shoot. When doing so, …": the act that was allowed last, if no attack is spoken of."""
    act = c.act
    allowed = c.attack is None and isinstance(act, Act) and act.act in ("shoot", "fight") and act.who is not None
    return act if allowed and isinstance(act, Act) and c.act_block in c.block.chain() else None


def _targets_just_selected(c: Context) -> PerAttack | None:
    """ "Each time this model targets a VEHICLE": its attacks against that target, if no attack is spoken of."""
    events = (block.when for block in c.block.chain() if isinstance(block.when, Event))
    chosen = next((event for event in events if event.name == "targets_selected"), None)
    if c.attack is not None or chosen is None or chosen.subject is None or chosen.target is None:
        return None
    target = Select("unit", ref="target")
    if chosen.subject.side == "enemy":
        return PerAttack("target", shooter(Select("unit", ref="attacker")), target)
    return PerAttack("attacker", shooter(chosen.subject), target) if chosen.subject.ref in OURS else None


def _while_it_acts(c: Context, act: Act, effects: tuple[Anything, ...]) -> Wrapped:
    """For the attacks of an act that was allowed."""
    kind: Literal["melee", "ranged"] = "ranged" if act.act == "shoot" else "melee"
    assert act.who is not None
    return Wrapped(effects, PerAttack("attacker", shooter(act.who), None, kind), lasts=Duration("done"))


def _to_dice(c: Context, gate: Gate, n: Amount, sign: Anything) -> None:
    """ "If it is your WARLORD, add 1 to that roll": to the dice just rolled."""
    scopes: list[Block] = []
    for block in c.block.chain():
        if block is c.root:
            break
        scopes.append(block)
    if any(one.when != STATIC or one.lasts != INSTANT or one.may or one.limits for one in scopes):
        raise Reject("a roll changed later")
    holds = conj(condition for one in scopes for condition in one.holds)
    c.add(gate.plus, RollPlus(n, sign, holds))
    c.use(c.gate_block)
    c.pieces += 1


def of_each_attack(c: Context, effects: tuple[Anything, ...]) -> Anything:
    """What the attack spoken of gets; else each attack of the activation just spoken of, until its end or as is said."""
    if (act := _act_just_allowed(c)) is not None:
        return _while_it_acts(c, act, effects)
    if c.attack is not None or c.activation is None:
        c.scope_of_attack()
        return effects
    said = any(block.lasts != INSTANT for block in c.block.chain())
    c.use(c.activation_block)
    trigger = _targets_just_selected(c) or PerAttack("attacker", shooter(c.activation))
    return Wrapped(effects, trigger, lasts=INSTANT if said else Duration("done"))


ATTACK_ROLLS = ("hit", "wound", "damage", "save", "armour_save", "invulnerable_save", "attacks")


def _whose_roll(c: Context, roll: str = "") -> Select | None:
    """A roll that names no one is that of who is spoken of; a charge roll, of who declared the charge."""
    for block in c.block.chain():
        if (
            roll == "charge"
            and isinstance(block.when, Event)
            and block.when.name == "charge_declared"
            and block.when.subject
        ):
            subject = block.when.subject
            return subject if subject.ref is not None else Select(subject.what, ref="subject")
    for block in (*c.block.chain(), *c.base.chain()):
        made = block.when
        theirs = isinstance(made, Event) and made.subject is not None and made.subject.side == "enemy"
        if not isinstance(made, Event) or not theirs:
            continue
        if (made.name == "roll_made" and roll in made.kinds) or (made.name, roll) == ("charge_declared", "charge"):
            return Select("unit", ref="subject")
    if c.it is None:
        raise Reject("whose roll?")
    c.use(c.it_block)
    return c.it


def whole_of(select: Select | None) -> Select | None:
    return None if select is None else whole(select)


def reroll(
    c: Context, rolls: tuple[Roll, ...], which: Anything = "all", faces: tuple[int, ...] = (), who: Select | None = None
) -> Anything:
    if who is None and rolls == ("any",) and (made := roll_made_here(c)) is not None:
        rolls, who = rolls_made(made), made.subject
    if who is None and any(roll in ATTACK_ROLLS for roll in rolls):
        if c.attack is None and which == "one" and c.activation is not None:
            return _once_reroll(c, rolls)
        return of_each_attack(c, tuple(Reroll(roll, which, faces, True) for roll in rolls))
    if who is None and rolls != ("any",):
        who = _whose_roll(c, rolls[0])
    return tuple(Reroll(roll, which, faces, True, whole_of(who)) for roll in rolls)


def reroll_or(c: Context, rolls: tuple[Roll, ...], who: Select | None) -> Anything:
    """ "A Hit roll or a Wound roll": where that may be done so often, one of them."""
    if not any(block.limits for block in c.block.chain()):
        return reroll(c, rolls, who=who)
    return Choose(tuple(Option(row(reroll(c, (roll,), "one", who=who))) for roll in rolls))


def of_face(c: Context, token: Token | None) -> tuple[Anything, ...]:
    """ "Of 1": which results are rolled again, where not all."""
    return () if token is None else ("faces", (int(token.raw),))


def roll_made_here(c: Context) -> Event | None:
    """ "That roll", each time a roll is made: the one the scope is about."""
    for block in c.block.chain():
        if isinstance(block.when, Event) and block.when.name in ("roll_made", "test_taken") and block.when.kinds:
            return block.when
    return None


def rolls_made(made: Event) -> tuple[Roll, ...]:
    """The rolls an event is about; one on a table is no roll of the game, and any roll to it."""
    return tuple(kind if kind in get_args(Roll) else "any" for kind in made.kinds)  # type: ignore[misc]


def _once_reroll(c: Context, rolls: tuple[Roll, ...]) -> Wrapped:
    """ "Each time it is selected to shoot, you can re-roll one Hit roll": one die of that activation."""
    assert c.activation is not None
    c.use(c.activation_block)
    rerolls = tuple(Reroll(roll, "one") for roll in rolls)
    return Wrapped(rerolls, PerAttack("attacker", shooter(c.activation)), lasts=Duration("done"))


def strong_attacks(c: Context, k: str | None, t: Select) -> Attacks:
    """Attacks whose Strength is greater than the target's Toughness."""
    trigger, holds = _per_attack(c, None, AttackWords(k, None, t))
    return Attacks(trigger, (*holds, Compare("attack.S", ">", "target.T")))


def reroll_attacks(
    c: Context, attacks: Attacks, rolls: tuple[Roll, ...], which: Anything = "all", faces: tuple[int, ...] = ()
) -> Anything:
    """Re-roll rolls of attacks spoken of as a thing."""
    return get(c, attacks, tuple(Reroll(roll, which, faces) for roll in rolls))


def stat_mod(c: Context, stats: tuple[Stat, ...], op: Anything, n: Amount, who: Select | None = None) -> Anything:
    """Change characteristics; each in its canonical direction. Whose they are is the next "it"."""
    if who is not None and who.what == "weapon":
        return attack_stat(c, stats, op, n, weapons_of(c, who))
    if who is not None and who == c.pronoun and _of_that_attack(c, stats):  # "its Damage": the attack's
        if stats == ("D",) and op == "set" and n == Amount(n.n) and n.n.constant is not None:
            return damage_to(c, n.n.constant)
        return attack_stat(c, stats, op, n, Attacks())
    if who is not None:
        c.it, c.it_block = known(c, who), c.block
    found = []
    for ops, group in _directed(stats, op):
        found.append(StatMod(group, ops, n, "model", whole_of(who)))
    return tuple(found)


def _of_that_attack(c: Context, stats: tuple[Stat, ...]) -> bool:
    """Are these characteristics of the attack spoken of, where what it is made at is ours?"""
    around = (block.when for block in c.block.chain())
    against = any(isinstance(when, PerAttack) and when.role == "target" for when in around)
    return against and set(stats) <= {"A", "S", "AP", "D"}


def _directed(stats: tuple[Stat, ...], op: str) -> list[tuple[Anything, tuple[Stat, ...]]]:
    down = tuple(stat for stat in stats if stat in LOW_IS_GOOD)
    up = tuple(stat for stat in stats if stat not in LOW_IS_GOOD)
    if op in ("set", "multiply", "halve"):
        return [(op, stats)]
    good = op in ("add", "improve")
    rows: list[tuple[Anything, tuple[Stat, ...]]] = []
    if up:
        rows.append(("add" if good else "subtract", up))
    if down:
        rows.append(("improve" if good else "worsen", down))
    return rows


def signed_stat(c: Context, token: Token, n: Amount, stats: tuple[Stat, ...]) -> Anything:
    """+1 A, -1 AP."""
    return stat_mod(c, stats, "worsen" if token.raw.startswith("-") else "improve", n)


def attack_stat(
    c: Context, stats: tuple[Stat, ...], op: Anything, n: Amount, attacks: Attacks | None = None
) -> Anything:
    return get(c, attacks or those_attacks(c), stat_mod(c, stats, op, n))


def damage_to(c: Context, n: int) -> DamageTo:
    c.scope_of_attack()
    return DamageTo(n)


def crit(c: Context, roll: Anything, n: int, holds: Condition | None = None) -> Anything:
    found = of_each_attack(c, (CritOn(roll, n),))
    if holds is None:
        return found
    if isinstance(found, Wrapped):
        return Wrapped(found.effects, found.when, (holds,), found.lasts)
    return Wrapped(found, holds=(holds,))


def hits_on(c: Context, n: int) -> Anything:
    """Only such rolls hit, of the attacks spoken of."""
    return of_each_attack(c, (CritOn("hit", n, hits=True),))


def hits_on_or(c: Context, n: int, m: int, condition: Condition) -> If:
    """Hits on such unmodified rolls, on others under a condition."""
    c.scope_of_attack()
    return If(condition, (CritOn("hit", m, hits=True),), (CritOn("hit", n, hits=True),))


def snap_hits(c: Context, s: Select, n: int) -> Wrapped:
    """Snap shooting attacks hit on this unmodified roll or more."""
    attacks = attacks_of(c, s, AttackWords("ranged"))
    trigger = attacks.trigger
    assert trigger is not None
    return Wrapped((CritOn("hit", n, hits=True),), trigger, (*attacks.holds, AttackIs("snap")))


def auto(c: Context, roll: Anything, to: Anything, n: Amount | None = None, unmodified: bool = False) -> RollSet:
    c.scope_of_attack()
    return RollSet(roll, to, n, unmodified)


def ignore_mods(c: Context, of: tuple[str, ...], only: Anything = "any", who: Select | None = None) -> IgnoreMods:
    """Modifiers that may be ignored; of what no attack has, those of who is spoken of."""
    whose, c.ignored_of = who or c.ignored_of, None
    if whose is None and not _OF_NO_ATTACK.isdisjoint(of) and not any(is_attack(block) for block in c.block.chain()):
        whose = c.it or here(c)
    return IgnoreMods(of, only, whole_of(whose))


def ignored_of(c: Context, of: tuple[str, ...], who: Select | None) -> tuple[str, ...]:
    """Modifiers of someone's characteristic or roll: whose, where it is not the bearer's."""
    if who is not None and who.ref not in ("self", "unit", "attacker"):
        if c.ignored_of not in (None, who):
            raise Reject("modifiers of two")
        c.ignored_of = who
    return of


_OF_NO_ATTACK = frozenset(("M", "T", "W", "Ld", "OC", "Sv", "advance", "charge", "battle_shock", "leadership"))


def ignored_but(c: Context, of: tuple[str, ...], but: tuple[str, ...], who: Select | None = None) -> IgnoreMods:
    """Modifiers that may be ignored, with those that may not: "… (excluding modifiers to saving throws)"."""
    return ignore_mods(c, (*of, *(f"not {one}" for one in but)), "any", who)


def ignored_of_last(c: Context) -> IgnoreMods:
    """ "You can ignore any modifiers to that roll": the one being made, or the roll just spoken of."""
    if (made := roll_made_here(c)) is not None:
        return IgnoreMods(rolls_made(made), "any", made.subject)
    last = last_effect(c)
    if not isinstance(last, (RollMod, Reroll)):
        raise Reject("which roll?")
    c.use(c.history[-1][2])
    return IgnoreMods((last.roll,), "any", last.who)


def compare(c: Context, left: str, op: Anything, right: str) -> Compare:
    c.scope_of_attack()
    return Compare(left, op, right)


def ability(c: Context, token: Token) -> tuple[Grant, ...]:
    """[SUSTAINED HITS 1], [ANTI-VEHICLE 4+], [A, B]."""
    return weapon_ability(token.raw)


def anti(c: Context, words: tuple[Token, ...], token: Token) -> tuple[Grant, ...]:
    """Anti-INFANTRY 4+, without brackets."""
    return weapon_ability(f"{phrase(words)} {token.raw}")


def weapon_ability(text: str) -> tuple[Grant, ...]:
    """The abilities named in brackets; several may stand in one."""
    from battlewright.rulestext.abilities import read_abilities

    found = read_abilities(text)
    if not found:
        raise Reject(f"no weapon ability: {text}")
    return found


def made_for_it(c: Context) -> Select | None:
    """ "Made for it": for the attack spoken of (None); where no attack is, for who is spoken of."""
    return None if c.attack is not None else it(c)
