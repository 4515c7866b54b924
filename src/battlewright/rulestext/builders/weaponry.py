"""Weapons and attacks as a thing: put together of their sort, their owner, their target and what is left out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any as Anything
from typing import Literal

from msgspec import structs

from battlewright.dice import Dice
from battlewright.effects import (
    Amount,
    AttackIs,
    Build,
    Condition,
    Count,
    CritOn,
    DamageTo,
    Grant,
    HasState,
    Roll,
    RollMod,
    RollSet,
    Same,
    Select,
    SetState,
)
from battlewright.rulestext.blocks import conj
from battlewright.rulestext.builders.attacks import (
    Attacks,
    AttackWords,
    attack_words,
    attacks_of,
    crit,
    get,
    per_attack,
    those_attacks,
    weapon_ability,
    with_ability,
)
from battlewright.rulestext.builders.phrases import any_of, attack_kind, negate, row
from battlewright.rulestext.builders.picks import pick
from battlewright.rulestext.builders.scopes import if_may
from battlewright.rulestext.builders.sentences import Scope
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.tokens import Token
from battlewright.rulestext.words import phrase

AttackKinds = Literal["critical_hit", "critical_wound"]


@dataclass(frozen=True)
class Sort:
    """What sort of weapon or attack: ranged or melee, and what else must hold of the weapon or of the attack."""

    kind: str | None = None
    weapon: Condition | None = None
    psychic: bool = False


@dataclass(frozen=True)
class Post:
    """What stands before or behind "weapons": whose, at whom, of what sort besides, without which."""

    owner: Select | None = None
    target: Anything = None
    sort: Sort | None = None
    but: Sort | None = None
    holds: Condition | None = None


def sort_of_kind(c: Context, kind: str) -> Sort:
    """Ranged, melee or psychic ones."""
    return Sort(psychic=True) if kind == "psychic" else Sort(kind)


def sort_with(c: Context, weapon: Condition) -> Sort:
    """Those that have an ability, or a name."""
    return Sort(weapon=weapon)


def sort_both(c: Context, first: Sort, second: Sort) -> Sort:
    """Those that are both: "ranged Psychic"."""
    if first.kind and second.kind:
        raise Reject("ranged and melee")
    return Sort(first.kind or second.kind, conj([first.weapon, second.weapon]), first.psychic or second.psychic)


def sort_condition(c: Context, sort: Sort) -> Condition:
    """The same as a condition about the weapon an attack is made with."""
    parts = [
        attack_kind(c, sort.kind) if sort.kind else None,
        sort.weapon,
        AttackIs("psychic") if sort.psychic else None,
    ]
    found = conj(parts)
    assert found is not None
    return found


def sort_having(c: Context, sort: Sort | None, ability: Token) -> Post:
    """Such weapons that have this ability."""
    having = Sort(weapon=with_ability(c, weapon_ability(ability.raw)))
    return Post(sort=having if sort is None else sort_both(c, sort, having))


def that_weapon(c: Context) -> Condition:
    """ "That weapon": the one selected, or the one spoken of, where its attacks were."""
    if any(mention.select.what == "weapon" for mention in c.mentions):
        return Same(c.that("weapon"))
    if c.weapons is None or c.weapons.weapon is None:
        raise Reject("which weapon?")
    c.use(c.weapons_block)
    return c.weapons.weapon


def weapon_of(c: Context, count: Count, sort: Sort | None, posts: tuple[Post, ...]) -> Select:
    """ "One melee weapon the bearer is equipped with (excluding …)"."""
    owners = [post.owner for post in posts if post.owner is not None]
    if len(owners) != 1 or any(post.target is not None or post.holds is not None for post in posts):
        raise Reject("whose weapon?")
    sorts = [one for one in (sort, *(post.sort for post in posts)) if one is not None]
    less = [negate(c, sort_condition(c, post.but)) for post in posts if post.but is not None]
    where = conj([*(sort_condition(c, one) for one in sorts), *less])
    return c.mention(Select("weapon", where=where, count=count, of=owners[0]))


def select_or_not(
    c: Context, can: object, count: Count, sort: Sort | None, posts: tuple[Post, ...], less: Condition
) -> Anything:
    """One weapon is selected; who has none of that sort cannot have this."""
    weapon = weapon_of(c, count, sort, (*posts, Post(but=sort_with(c, less))))
    return (*row(if_may(c, can, pick(c, weapon))), Build("forbid", weapon.of, words=("without such a weapon",)))


def changed_by(c: Context, how: str, names: tuple[str, ...]) -> Condition:
    """A weapon that was replaced or upgraded so."""
    found = tuple(HasState(f"{how} {name}") for name in names)
    return found[0] if len(found) == 1 else any_of(c, *found)


def weapon_is(c: Context, words: tuple[Token, ...]) -> SetState:
    """ "That weapon is now a Relic": it is what is spoken of from here on."""
    weapon = c.that("weapon")
    c.it, c.it_block = weapon, c.block
    return SetState(phrase(words).lower(), weapon)


def attack_words_of(c: Context, sort: Sort | None, posts: tuple[Post, ...] | None) -> AttackWords:
    """ "A ranged Psychic Attack with its lash that targets …", without who makes it."""
    if any(post.owner is not None for post in posts or ()):
        raise Reject("made by two")
    return _words(c, sort, posts or ())


def attack_on(
    c: Context, who: Select | None, sort: Sort | None, posts: tuple[Post, ...] | None, target: Select
) -> Scope:
    """Each time such an attack (by ``who``) targets these."""
    return per_attack(c, _maker(who, posts or ()), _words(c, sort, (*(posts or ()), Post(target=target))))


def owned(c: Context, owner: Select) -> Post:
    """Whose attacks these are."""
    return Post(owner=owner)


def _maker(who: Select | None, posts: tuple[Post, ...]) -> Select | None:
    """Who makes these attacks, said once."""
    makers = [*(post.owner for post in posts if post.owner is not None), *([] if who is None else [who])]
    if len(makers) > 1:
        raise Reject("made by two")
    return makers[0] if makers else None


def critical_by(
    c: Context, kind: AttackKinds, who: Select, words: AttackWords | None, target: Select | None = None
) -> Scope:
    """Each time one of the attacks they make is a critical hit, or a critical wound."""
    made = words or AttackWords()
    if target is not None:
        if made.target is not None:
            raise Reject("two targets")
        made = replace(made, target=target)
    scope = per_attack(c, who, made)
    return Scope(scope.when, [*scope.holds, AttackIs(kind)])


def critical_of(
    c: Context, kind: AttackKinds, sort: Sort | None, posts: tuple[Post, ...], target: Select | None = None
) -> Scope:
    """Each time such an attack is a critical hit, or a critical wound."""
    aimed = () if target is None else (Post(target=target),)
    scope = per_attack(c, _maker(None, posts), _words(c, sort, (*posts, *aimed)))
    return Scope(scope.when, [*scope.holds, AttackIs(kind)])


def attack_set(c: Context, lead: Post | None, sort: Sort | None, posts: tuple[Post, ...] | None) -> Attacks:
    """The attacks all these words together mean."""
    parts = (*(posts or ()), *([lead] if lead else []))
    owners = [part.owner for part in parts if part.owner is not None]
    words = _words(c, sort, parts)
    if not owners and words.target is None and words.kind in ("melee", "ranged") and words.weapon is None:
        return _of_the_same(c, words.kind)
    if len(owners) > 1 or not (owners or words.target is not None):
        raise Reject("whose attacks?")
    return attacks_of(c, owners[0] if owners else None, words)


def _of_the_same(c: Context, kind: str) -> Attacks:
    """ "Ranged weapons of models in it have A and melee weapons have B": of those whose weapons this sentence names."""
    spoken, block = c.weapons, c.weapons_block
    if spoken is None or block is None or c.root not in block.chain() or {spoken.kind, kind} != {"melee", "ranged"}:
        raise Reject("whose weapons?")
    return Attacks(structs.replace(spoken, kind=kind))


def _words(c: Context, sort: Sort | None, parts: tuple[Post, ...]) -> AttackWords:
    targets = [part.target for part in parts if part.target is not None]
    if len(targets) > 1:
        raise Reject("two targets")
    whole = sort or Sort()
    for part in parts:
        whole = sort_both(c, whole, part.sort) if part.sort else whole
    less = [negate(c, sort_condition(c, part.but)) for part in parts if part.but]
    kind = whole.kind or ("psychic" if whole.psychic else None)
    words = attack_words(c, kind, conj([whole.weapon, *less]), targets[0] if targets else None)
    more = [part.holds for part in parts if part.holds is not None]
    if whole.kind and whole.psychic:
        more.append(AttackIs("psychic"))
    return replace(words, holds=(*words.holds, *more))


def acting(c: Context, who: Select) -> Select:
    """Who attacks: what is said of the target may speak of them as "it"."""
    c.aimed_at = c.it
    c.it, c.it_block = (who if who.ref is not None else Select(who.what, ref="attacker")), c.block
    return who


def rolls_of(c: Context, attacks: Attacks, rolls: tuple[Roll, ...], n: Amount, sign: Literal[1, -1]) -> Anything:
    """Add to rolls made for these attacks, or subtract."""
    return get(c, attacks, tuple(RollMod(roll, n, sign) for roll in rolls))


def crit_by(c: Context, kind: AttackKinds, rolled: tuple[str, int]) -> Anything:
    """ "An unmodified hit roll of 5+ scores a critical hit"."""
    return crit(c, roll_of(kind), crit_on(kind, rolled).n)


def crit_on(kind: AttackKinds, rolled: tuple[str, int]) -> CritOn:
    """From which result on it is critical."""
    roll, result = rolled
    if roll != roll_of(kind):
        raise Reject("a critical hit on another roll")
    return CritOn(roll_of(kind), result)


def roll_of(kind: AttackKinds) -> Literal["hit", "wound"]:
    """The roll that makes it."""
    return "hit" if kind == "critical_hit" else "wound"


def one_less(c: Context, n: Amount) -> Amount:
    """ "Three hits instead of one" are two more."""
    if n.n.constant is None or n.n.constant < 2:
        raise Reject("how many more?")
    return Amount(Dice(0, 6, n.n.constant - 1))


def of_the_attack(c: Context, effects: Anything) -> Anything:
    """What the attack spoken of does; of additional hits, only a critical hit scores any."""
    found = row(effects)
    known = [one for block in (*c.block.chain(), c.scope_of_attack()) for one in block.holds]
    if any(isinstance(one, Grant) for one in found) and AttackIs("critical_hit") not in known:
        raise Reject("additional hits on a hit that is not critical")
    return found


def no_rolls(rolls: tuple[Roll, ...]) -> tuple[RollSet, ...]:
    """These saving throws are not made."""
    return tuple(RollSet(roll, "no_roll") for roll in rolls)


def unsaved(c: Context, attacks: Attacks | None, rolls: tuple[Roll, ...]) -> Anything:
    """ "The target cannot make saving throws" of this kind against the attack spoken of, or against these."""
    return get(c, attacks or those_attacks(c), no_rolls(rolls))


def sequence_ends(c: Context) -> DamageTo:
    """The attack does no damage of its own, where it is said which one: "if a critical wound is scored, …"."""
    attack = c.scope_of_attack()
    if not any(isinstance(one, AttackIs) for block in (*c.block.chain(), attack) for one in block.holds):
        raise Reject("which attacks end?")
    return DamageTo(0)
