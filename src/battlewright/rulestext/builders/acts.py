"""What units do or have done to them: moving, shooting, fighting, arriving, coming back."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.effects import (
    Act,
    AddUnit,
    Amount,
    Choose,
    Clause,
    Condition,
    Embarked,
    Event,
    Forbid,
    Keyword,
    Move,
    MoveRule,
    Option,
    Order,
    Outcome,
    Permit,
    Pick,
    Reserves,
    ReturnModels,
    Revive,
    Select,
    Setup,
    Targeting,
    Within,
)
from battlewright.rulestext.blocks import STATIC, conj
from battlewright.rulestext.builders.phrases import change_last, known, last_effect, row, whole
from battlewright.rulestext.builders.picks import pick
from battlewright.rulestext.builders.scopes import may
from battlewright.rulestext.builders.sentences import Wrapped, put
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.tokens import Token
from battlewright.rulestext.words import phrase


def aimed_at(c: Context, who: Select, target: Select) -> Select:
    """What our unit shoots or charges at is an enemy: "it" is not the unit that acts."""
    return c.that("unit", "enemy") if whole(target) in (whole(who), known(c, who)) else whole(target)


def permits(c: Context, who: Select, acts: tuple[str, ...], despite: tuple[str, ...]) -> tuple[Permit, ...]:
    return tuple(Permit(act, tuple(despite), whole(who)) for act in acts)


def permits_after_move(c: Context, who: Select, acts: tuple[str, ...]) -> tuple[Permit, ...]:
    """ "Each time it Falls Back, it can shoot and charge that turn": in spite of that move."""
    for block in (*c.block.chain(), *c.base.chain()):
        when = block.when
        if isinstance(when, Event) and when.name in ("move_started", "move_ended", "selected_to_move"):
            if set(when.kinds) <= {"advance", "fall_back"} and when.kinds:
                return permits(c, who, acts, ("that move",))
            break
    raise Reject("in spite of what?")


def both_permits(c: Context, who: Select, acts: tuple[str, ...], despite: tuple[str, ...]) -> Choose:
    """ "eligible to either shoot or declare a charge": one of them."""
    return Choose(tuple(Option((Permit(act, tuple(despite), whole(who)),)) for act in acts))


def shoot_only(c: Context, who: Select, at: Select) -> Act | Targeting:
    return shoots_at(c, who, at, "if eligible")


def shoots_at(c: Context, who: Select, target: Select, *limits: str) -> Act | Targeting:
    """Shoots at that target; where nothing says when, such targets are only allowed."""
    scopes = [*c.block.chain(), *(c.parent.chain() if c.parent is not None else []), *c.base.chain()]
    if all(block.when == STATIC and block.may is None for block in scopes) and target.ref is None and not limits:
        return Targeting("can", who=aimed_at(c, who, target), by=whole(who))
    return Act("shoot", whole(who), aimed_at(c, who, target), ("only at that target", *limits))


def only_at(c: Context, target: Select) -> None:
    """ "It must target only that unit": of the attacks just allowed."""
    last = last_effect(c)
    if isinstance(last, Choose):
        acts = [effect for option in last.options for effect in option.do]
        if acts and all(isinstance(act, Act) for act in acts):
            items, at, block = c.history[-1]
            c.use(block)
            new = tuple(Option(tuple(_at(act, target) for act in option.do)) for option in last.options)
            c.swap(items, at, Choose(new))
            c.pieces += 1
            return
    if not isinstance(last, Act) or last.act not in ("shoot", "fight"):
        raise Reject("who targets?")
    items, at, block = c.history[-1]
    c.use(block)
    c.swap(items, at, _at(last, target))
    c.pieces += 1


def _at(act: Anything, target: Select) -> Act:
    found: Act = replace(act, towards=target, limits=(*act.limits, "only at that target"))
    return found


def who_stays(c: Context, who: Select) -> Select:
    """ "Do not remove it from play": the destroyed one, whoever was spoken of since."""
    for block in c.block.chain():
        if isinstance(block.when, Event) and block.when.name == "destroyed" and block.when.subject is not None:
            return Select(block.when.subject.what, ref="subject")
    return whole(who)


def if_eligible(c: Context) -> None:
    """ "and only if that unit is an eligible target": of the attacks just allowed."""
    last = last_effect(c)
    acts = [last] if isinstance(last, Act) else []
    if isinstance(last, Choose):
        acts = [effect for option in last.options for effect in option.do if isinstance(effect, Act)]
    if not acts or any(act.towards is None for act in acts):
        raise Reject("what is eligible?")
    c.pieces += 1


def shoot_or_fight(c: Context, who: Select) -> Choose:
    return Choose((Option((Act("shoot", whole(who)),)), Option((Act("fight", whole(who)),))))


def two_moves(c: Context, who: Select, first: Move, second: Move) -> Choose:
    """One of two moves."""
    return Choose((Option((replace(first, who=whole(who)),)), Option((replace(second, who=whole(who)),))))


def setup(c: Context, who: Select, places: Anything) -> Setup:
    """Set up there: in words, and where conditions hold."""
    words = tuple(place for place in row(places) if isinstance(place, str))
    where = tuple(_not_near_itself(who, place) for place in row(places) if not isinstance(place, str))
    return Setup(whole(who), tuple(dict.fromkeys(words)), where=where)


def _not_near_itself(who: Select, place: Condition) -> Condition:
    """Those embarked within it, "set up within 6 inches of it": of what they were embarked within."""
    if not isinstance(place, Within) or place.of != whole(who):
        return place
    if not isinstance(who.where, Embarked) or who.where.within is None:
        raise Reject("near itself")
    return replace(place, of=who.where.within)


def tested_again(c: Context, who: Select) -> Select:
    """Who takes another test: the one that took the one spoken of."""
    tests = ("test_taken", "test_passed", "test_failed")
    around = [block.when for block in (*c.block.chain(), *c.base.chain())]
    tested = any(isinstance(when, Event) and when.name in tests for when in around)
    if tested and whole(who) != Select("unit", ref="subject"):
        raise Reject("another test, of one who took none")
    return whole(who)


def set_up_this_way(c: Context) -> Select:
    """ "A unit set up this way": the one that was just said to be set up."""
    for items, at, block in reversed(c.history):
        if at < len(items) and isinstance(there := items[at], (Setup, Revive)) and there.who is not None:
            c.use(block)
            return there.who
    raise Reject("set up in what way?")


def set_up_again(c: Context, who: Select, places: Anything) -> Anything:
    """Taken from the battlefield and set up there, if one wants that; of several that may be, one is picked."""
    if who.ref is None and who.count.kind == "one":
        put(c, pick(c, who, True))
        who = c.it or who
        return Reserves("enter", whole(who), False), setup(c, who, places)
    return may(c, Reserves("enter", whole(who), False), setup(c, who, places))


def placed(c: Context) -> None:
    """ "Remove it … and place it into strategic reserves": one act in two clauses."""
    last = last_effect(c)
    added = last.do[-1] if isinstance(last, Clause) and last.do else last
    if isinstance(added, AddUnit) and not added.place:
        unit = replace(added, place="strategic reserves")
        c.swap(*c.history[-1][:2], replace(last, do=(*last.do[:-1], unit)) if isinstance(last, Clause) else unit)
        return
    removed = last.do[0] if isinstance(last, Clause) else last
    if not isinstance(removed, Reserves) or removed.how != "enter":
        raise Reject("what is placed?")
    items, at, _ = c.history[-1]
    there = replace(removed, strategic=True)
    c.swap(items, at, replace(last, do=(there,)) if isinstance(last, Clause) else there)


def set_again(c: Context, there: Anything) -> Anything:
    """ "You can remove it … and set it up again": one choice in two clauses."""
    last = last_effect(c)
    removed = last.do[-1] if isinstance(last, Clause) and last.may else None
    if not isinstance(there, Setup) or not isinstance(removed, Reserves):
        return there
    items, at, block = c.history[-1]
    if removed.how != "enter" or removed.who != there.who or block is not c.block:  # someone else, another time
        return there
    c.swap(items, at, replace(last, do=(*last.do, there)))
    return None


def redeploy(c: Context, who: Select | None) -> Anything:
    """Up to so many units are picked, and redeployed."""
    if who is None and not isinstance(last_effect(c), Pick):
        raise Reject("who is redeployed?")
    if who is not None and who.ref is not None:
        return may(c, Reserves("redeploy", whole(who)))
    if who is not None:
        put(c, pick(c, who))
    return Reserves("redeploy", c.it)


def arrives(c: Context, who: Select) -> Reserves | Wrapped:
    """Who was placed in reserves arrives later; where that was a choice, if it was made."""
    arriving, last = Reserves("arrive", whole(who), place=("next movement phase",)), last_effect(c)
    chosen = isinstance(last, Clause) and last.may is not None
    return Wrapped((arriving,), holds=(Outcome("done"),)) if chosen else arriving


def use_named(c: Context, who: Select, words: tuple[Token, ...]) -> None:
    """A named act that is a choice: "can make a … move", "can use its … ability"; "if it does" follows."""
    use_power(c, who, phrase(words).lower())


def use_power(c: Context, who: Select, name: str) -> None:
    effect = Order("use", name, whole(who))
    c.put(effect)
    c.act, c.act_block = effect, c.block


def return_models(
    c: Context, n: Amount, to: Select, k: Keyword | None, wounds: Amount | None, mods: Anything = None
) -> ReturnModels:
    """Destroyed models of a unit come back; which, where the text says."""
    if to.what == "model" and to.ref == "bound":
        raise Reject("models come back to a unit")
    if to.what == "model" and to.of is not None and to.ref is None:
        to = to.of
    where = conj([k, *(trait.holds for trait in row(mods))])
    who = to if where is None else Select("model", where=where, of=to)
    return ReturnModels(n, who, wounds)


def revived_with(c: Context, who: Select, n: Amount) -> None:
    """ "This model has 3 wounds remaining", after it was set up again."""
    back = whole(who)
    if not change_last(c, lambda old: isinstance(old, Revive) and old.who == back, lambda old: replace(old, wounds=n)):
        raise Reject("who was set up again?")


def end_engaged(c: Context, who: Select, by: Select) -> MoveRule:
    """A move that must end engaged with someone."""
    if whole(by) == whole(who):
        raise Reject("engaged with itself")
    return MoveRule("end engaged", whole(who), towards=whole(by))


def bar(c: Context, who: Select, barred: tuple[Forbid | Targeting, ...]) -> tuple[Forbid | Targeting, ...]:
    """What these cannot do, one effect each."""
    return tuple(replace(one, who=whole(who)) for one in barred)


def only_targets(c: Context, who: Select, target: Select) -> Targeting:
    """ "Your models can only target that unit"; of the enemy, it would be said when."""
    if who.side == "enemy" and target.ref is not None:
        raise Reject("only that one, or that one only so")
    return Targeting("must", who=target, by=whole(who), act="attack")
