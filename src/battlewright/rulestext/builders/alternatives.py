"""What may be done in the place of what was said, chosen besides it, or chosen from two characteristics."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Act,
    Amount,
    AnyOf,
    Choose,
    Clause,
    Condition,
    Count,
    Destroyed,
    Duration,
    Event,
    Grant,
    HasDestroyed,
    HasState,
    If,
    Move,
    OnObjective,
    Option,
    Outcome,
    Permit,
    Pick,
    Remove,
    Reroll,
    Reserves,
    Revive,
    Roll,
    RollPlus,
    Same,
    Select,
    SetState,
    Stat,
    Targeting,
    Window,
    parts_of,
)
from battlewright.rulestext.blocks import INSTANT, STATIC, Block, Gate, Options, conj, freeze
from battlewright.rulestext.builders.acts import aimed_at, only_at
from battlewright.rulestext.builders.attacks import Attacks, attack_stat
from battlewright.rulestext.builders.conditions import controlled_and, in_range_of, leading
from battlewright.rulestext.builders.numbers import number_plus
from battlewright.rulestext.builders.phrases import (
    YOUR,
    any_of,
    change_last,
    here,
    last_effect,
    lower,
    negate,
    plain,
    row,
    those,
    whole,
)
from battlewright.rulestext.builders.picks import pick
from battlewright.rulestext.builders.scopes import while_
from battlewright.rulestext.builders.sentences import Scope, Wrapped, done, instead, last_like, row_of, when
from battlewright.rulestext.builders.stratagems import aim, both_targets
from battlewright.rulestext.builders.things import objective_thing
from battlewright.rulestext.builders.windows import in_window
from battlewright.rulestext.context import ME, Context, Mention, Reject
from battlewright.rulestext.parse import Tree
from battlewright.rulestext.tokens import Token


def _other_way(c: Context) -> Block:
    """A choice: all that was said so far, or what is said now."""
    base, said = c.base, c.base.do
    if c.forgot or not said or c.root is None:
        raise Reject("instead of what?")
    options = Options()
    first, second = Block(base, option=True, do=said), Block(base, option=True)
    options.options = [("", first), ("", second)]
    base.do = [options]
    blocks = [item for item in said if isinstance(item, Block)]
    for block in blocks:
        block.parent = first

    def back() -> None:
        base.do = said
        for block in blocks:
            block.parent = base

    c.undo.append(back)
    return second


def act_or_move(c: Context, who: Select, act: tuple[Anything, Select | None], move: Move) -> Choose:
    """ "It can either shoot or make a move"."""
    name, target = act
    limits = () if target is None else ("only at that target",)
    acts = Act(name, whole(who), None if target is None else aimed_at(c, who, target), limits)
    return Choose((Option((acts,)), Option((replace(move, who=whole(who)),))))


def not_both(c: Context, permits: tuple[Permit, ...]) -> Choose:
    """ "It can shoot and declare a charge, but not both"."""
    return Choose(tuple(Option((one,)) for one in permits))


def when_so(c: Context, effects: Anything) -> Wrapped:
    """ "… when doing so": if what was allowed before is done."""
    if c.act is None or c.act_block is None:
        raise Reject("when doing what?")
    c.use(c.act_block)
    return Wrapped(row(effects), holds=(Outcome("done"),))


def may_instead(c: Context) -> None:
    """ "You can instead do this; if you do, …": what follows is in the place of what was said."""
    c.act = c.act_block = _other_way(c)
    c.pieces += 1


def alternatively(c: Context, k: Tree) -> None:
    """ "Alternatively, …": in the place of what was said."""
    second = _other_way(c)
    c.build(k)
    picked = {part.bind for part in parts_of(freeze(_first(second).do)) if isinstance(part, Select)}
    spoken = {part.name for part in parts_of(freeze(c.block.do)) if isinstance(part, Select) and part.ref == "bound"}
    if (picked & spoken) - {None}:
        raise Reject("picked in the other way")
    c.parent = second


def _first(second: Block) -> Block:
    """What the second way is in the place of."""
    assert second.parent is not None
    options = second.parent.do[0]
    assert isinstance(options, Options)
    return options.options[0][1]


def may_push(c: Context, words: tuple[Token, ...]) -> Wrapped:
    """ "You can choose to push it": whether it was done is told apart for as long as the phase lasts."""
    return Wrapped((Clause((SetState(lower(c, words), here(c)),), may="you"),), lasts=Duration("phase"))


def pushed(c: Context, words: tuple[Token, ...]) -> Condition:
    """ "If you chose to push it"."""
    name = lower(c, words)
    done = (part for items, at, _ in c.history if at < len(items) for part in getattr(items[at], "do", ()))
    if not any(isinstance(effect, SetState) and effect.name == name for effect in done):
        raise Reject("what was chosen?")
    return About(here(c), HasState(name))


def choose_stat(c: Context, stats: tuple[Stat, ...], attacks: Attacks) -> None:
    """ "Select the Strength or Attacks characteristic of its melee weapons"."""
    c.choice, c.choice_block, c.chosen_for = stats, None if c.block is c.root else c.block, attacks
    c.pieces += 1


def chosen_stat(c: Context, op: Anything, n: Amount) -> Choose:
    """ "Add 1 to the selected characteristic": to one of those chosen from."""
    if not c.choice or not all(isinstance(stat, str) for stat in c.choice) or not isinstance(c.chosen_for, Attacks):
        raise Reject("which characteristic?")
    c.use(c.choice_block)
    found = [row(attack_stat(c, (stat,), op, n, c.chosen_for)) for stat in c.choice]
    if any(not isinstance(one, Wrapped) for each in found for one in each):
        raise Reject("of which attacks?")
    return Choose(tuple(Option(tuple(Clause(one.effects, one.when) for one in each)) for each in found))


def pick_objective_there(c: Context) -> Pick:
    """ "Select one of those objective markers": of those a stratagem's target is within range of."""
    where = c.target.where if c.target is not None else None
    parts = getattr(where, "of", (where,))
    there = [part for part in parts if isinstance(part, OnObjective)]
    if len(there) != 1 or there[0].name or there[0].where != "any":
        raise Reject("which objectives?")
    near = in_range_of(c, YOUR)
    condition = controlled_and(c, near) if there[0].control == "own" else near
    return pick(c, objective_thing(c, Count("one"), condition))


def only_target(c: Context, who: Select, target: Select) -> Targeting | None:
    """Attacks may be aimed at these only: those just allowed, else any."""
    if isinstance(last_effect(c), (Act, Choose)):
        only_at(c, target)
        return None
    return Targeting("must", who=target, by=whole(who), act="attack")


def more_results(c: Context, low: int, n: Amount) -> Gate:
    """ "One mortal wound for each 4+": the dice just rolled, with another result that counts."""
    if c.gate is None or len(c.gate.rows) != 1 or c.gate.rows[0][1] is not None:
        raise Reject("which dice?")
    old = c.gate
    if [getattr(effect, "amount", None) for effect in old.rows[0][2].do] != [n]:
        raise Reject("another amount")
    return Gate(old.dice, old.per, list(old.plus), old.sum, old.maximum, [(low, None, old.rows[0][2])])


def nearer_target(c: Context, who: Select, n: Amount, condition: Condition, m: Amount) -> If:
    """Can be targeted only from so near, or from nearer where that holds."""
    far, near = (Targeting("only_within", distance, whole(who)) for distance in (n, m))
    return If(condition, (near,), (far,))


def if_of_kind(c: Context, some: Condition, must: Condition) -> Condition:
    """ "You can only select a VEHICLE if it is a WALKER"."""
    return any_of(c, negate(c, some), must)


def aim_when(c: Context, target: Select, trigger: Anything) -> Select:
    """ "One such unit, just before it piles in": the moment is told with the target."""
    found = aim(c, target)
    block = c.block
    before = block.when
    moment = in_window(c, before, trigger)
    if isinstance(moment, Scope):
        raise Reject("a moment with conditions")
    block.when = moment
    c.undo.append(lambda: setattr(block, "when", before))
    return found


def for_each_aimed(c: Context, mods: Anything) -> Scope:
    """ "For each of those units that is there": what follows is of those only."""
    group = both_targets(c)
    if mods is None:
        c.it, c.it_block = group, c.block
        return Scope()
    where = conj([Same(group), *(trait.holds for trait in row(mods))])
    c.it, c.it_block = Select("unit", where=where), c.block
    return Scope()


def such_attack(c: Context) -> Scope:
    """ "When making such an attack": of the attacks spoken of."""
    c.scope_of_attack()
    return Scope()


def done_and(c: Context, condition: Condition) -> Scope:
    """ "If it does so and that holds"."""
    scope = done(c)
    scope.holds.append(condition)
    return scope


def both_instead(c: Context, first: Anything, second: Anything) -> Anything:
    """ "This and that instead": both in the place of what was said, or only the second where the first is new."""
    effects = (*row(first), *row(second))
    return instead(c, effects) if all(last_like(c, effect) for effect in effects) else (*row(first), instead(c, second))


def better_pain(c: Context, effects: Anything, token: Token, against: Condition) -> Anything:
    """ "Feel No Pain 6+, which is improved to 5+ against mortal wounds"."""
    found = row(effects)
    if len(found) != 1 or not isinstance(found[0], Grant) or found[0].what != "feel_no_pain":
        raise Reject("what is improved?")
    return (*found, replace(found[0], amount=number_plus(c, token), against=against))


def destroyer_of(c: Context, who: Select) -> Select:
    """ "The enemy unit that just destroyed your unit": however long that is ago."""
    return Select("unit", side="enemy", where=HasDestroyed(whole(who), "battle"))


def while_so_called(c: Context, words: tuple[Token, ...]) -> Scope:
    """ "While an objective marker is Ringed and under your control": that marker is spoken of."""
    name = lower(c, words)
    marker = Select("objective", where=HasState(name))
    called = Select("objective", name=name, where=HasState(name))
    c.mentions.append(Mention(marker, called, None))
    c.it, c.it_block = called, None
    return Scope(holds=[About(called, OnObjective("own"))])


def while_called(c: Context, words: tuple[Token, ...]) -> Scope:
    """ "While an objective marker is Ringed", whoever controls it."""
    name = lower(c, words)
    called = Select("objective", name=name, where=HasState(name))
    c.mentions.append(Mention(Select("objective", where=HasState(name)), called, None))
    c.it, c.it_block = called, None
    return Scope(holds=[About(Select("objective", name=name), HasState(name))])


def objective_meant(c: Context) -> Select:
    return c.that("objective")


def may_not(reroll: Reroll) -> Reroll:
    """A roll that is made again, whether its player likes it or not."""
    return replace(reroll, may=False)


def set_in_reserves(c: Context, who: Select) -> Revive | Reserves:
    """Set up in reserves: again, where its death is spoken of; else it goes there."""
    deaths = [one.when for one in (*c.block.chain(), *c.base.chain()) if isinstance(one.when, Event)]
    died = c.target is not None and any(isinstance(part, Destroyed) for part in parts_of(c.target.where))
    if died or any(event.name == "destroyed" for event in deaths):
        return Revive(whole(who), None, "strategic reserves")
    return Reserves("enter", whole(who))


def rerolls_of(c: Context, rolls: tuple[Roll, ...], token: Token | None) -> tuple[Reroll, ...]:
    """ "Can re-roll hit rolls of 1", of attacks."""
    faces = () if token is None else (plain(c, token),)
    return tuple(Reroll(roll, "faces" if faces else "all", faces) for roll in rolls)


def destroyed_one(c: Context) -> Select:
    """ "The destroyed unit": the one the event is about, whoever was named after it."""
    for block in (*c.block.chain(), *c.base.chain()):
        events = block.when.of if isinstance(block.when, AnyOf) else (block.when,)
        if any(isinstance(event, Event) and event.name == "destroyed" for event in events):
            return Select("unit", ref="subject")
    return those(c, "unit")


def row_or(c: Context, n: int, m: int, condition: Condition) -> Scope:
    """ "On a 4+ (or 3+ if that holds)": the only row of the dice, whose rolls are changed by what lies between the two."""
    if c.gate is None or c.gate.rows:
        raise Reject("other results are told, too")
    scope = row_of(c, n, None)
    c.add(c.gate.plus, RollPlus(Amount(Dice(0, 6, abs(n - m))), 1 if m < n else -1, condition))
    return scope


def while_leading(c: Context) -> Scope:
    """ "While leading a unit": the bearer."""
    if c.army_rule or c.target is not None:
        raise Reject("who leads?")
    return while_(c, About(ME, leading(c)))


def just_had(c: Context) -> tuple[str]:
    """ "That ability": the one of units that was given last."""
    last = last_effect(c)
    if not isinstance(last, Grant) or last.what != "unit_ability":
        raise Reject("which ability?")
    return (last.name,)


def in_its_place(c: Context, effects: Anything, old: str) -> Anything:
    """An ability had in the place of another, or of the same with another number."""
    found = row(effects)
    if len(found) != 1 or not isinstance(found[0], Grant) or found[0].what != "unit_ability":
        raise Reject("what is had in its place?")
    return found if found[0].name == old else (Remove("unit_ability", old, found[0].who), *found)


def not_done_then(c: Context) -> None:
    """ "If that holds, it cannot make that move": the move just allowed is made only where it does not hold."""
    held: list[Condition] = []
    for block in c.block.chain():
        if block is c.root:
            break
        if block.when != STATIC or block.lasts != INSTANT:
            raise Reject("not at what time?")
        held += block.holds
    condition = conj(held)
    if condition is None:
        raise Reject("never?")
    not_done_if(c, condition)


def not_done_if(c: Context, condition: Condition) -> None:
    """The move just allowed is made only where this does not hold."""
    if not change_last(c, lambda old: isinstance(old, Move), lambda old: Clause((old,), holds=negate(c, condition))):
        raise Reject("which move?")


def weapons_lose(c: Context, abilities: Anything) -> tuple[Remove, ...]:
    """Attacks without the abilities they may have had."""
    return tuple(Remove("weapon_ability", one.name) for one in row(abilities))


def at_that_time(c: Context, window: Window, condition: Condition) -> Scope:
    """ "If it starts your Command phase there": at that moment, if it is so."""
    scope = when(c, window)
    scope.holds.append(condition)
    return scope


def only_one(c: Context) -> None:
    """ "It cannot do both": of the acts just offered, which are a choice."""
    if not isinstance(last_effect(c), Choose):
        raise Reject("both what?")
    c.pieces += 1
