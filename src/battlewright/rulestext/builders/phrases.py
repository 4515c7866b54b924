"""Things and conditions: noun phrases, predicates, places, amounts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any as Anything
from typing import Literal

from msgspec import structs

from battlewright.dice import Dice
from battlewright.effects import (
    About,
    All,
    Amount,
    Any,
    AttackIs,
    Condition,
    Count,
    Embarked,
    Engaged,
    HasAbility,
    HasState,
    HasWeapon,
    Keyword,
    Leading,
    LedBy,
    Located,
    Named,
    NearEdge,
    Not,
    OnObjective,
    PerAttack,
    Same,
    Select,
    SetState,
    Visible,
    Within,
    parts_of,
)
from battlewright.rulestext.abilities import WEAPON_ABILITIES
from battlewright.rulestext.blocks import INSTANT, STATIC, Block, conj
from battlewright.rulestext.context import ME, UNIT, Context, Mention, Poison, Reject
from battlewright.rulestext.tokens import CORE_KEYWORDS, NUMBER_WORDS, Token
from battlewright.rulestext.words import phrase

YOUR = Select("unit", ref="bound", name="your unit")
OTHER_TARGET = Select("unit", ref="bound", name="your other unit")
BOTH_TARGETS = Select("unit", side="friendly", where=Any((Same(YOUR), Same(OTHER_TARGET))))
ATTACK = Select("attack")

# ---------------------------------------------------------------------------------------------- what was done before


def last_effect(c: Context) -> Anything:
    """What was done last."""
    return c.history[-1][0][c.history[-1][1]] if c.history else None


def change_last(c: Context, fits: Callable[[Anything], bool], change: Callable[[Anything], Anything]) -> bool:
    """Change the last effect that fits, where it stands; False where none does."""
    for items, at, block in reversed(c.history):
        if at < len(items) and fits(old := items[at]):
            c.use(block)
            c.swap(items, at, change(old))
            c.pieces += 1
            return True
    return False


# ------------------------------------------------------------------------------------------------------- amounts


def number(c: Context, token: Token) -> Amount:
    """A printed number, dice or distance."""
    if token.word in NUMBER_WORDS:
        return Amount(Dice(0, 6, NUMBER_WORDS[token.word]))
    return Amount(Dice.parse(token.raw.lstrip("+-")))


def plain(c: Context, token: Token) -> int:
    """A printed number that is no dice."""
    value = int(token.raw) if token.raw.isdigit() else number(c, token).n.constant
    if value is None:
        raise Reject("dice where a number is meant")
    return value


def sign(c: Context, token: Token) -> Literal[1, -1]:
    return -1 if token.raw.startswith("-") else 1


def span(c: Context, token: Token) -> tuple[int, int]:
    """A printed range of results: 2-5."""
    low, high = token.raw.split("-")
    return int(low), int(high)


def scaled(c: Context, n: Amount, per: Select, every: Amount | None = None, most: int | None = None) -> Amount:
    """``n`` for each of these (for every so many)."""
    step = 1 if every is None else every.n.constant or 1
    if per.count.kind == "n" and per.count.n is not None:  # "for each 5 models"
        step, per = per.count.n.n.constant or 1, structs.replace(per, count=Count())
    return replace_amount(n, per=per, every=step, maximum=most)


def replace_amount(n: Amount, **changes: Anything) -> Amount:
    values = {"n": n.n, "per": n.per, "every": n.every, "ref": n.ref, "maximum": n.maximum}
    return Amount(**{**values, **changes})


# -------------------------------------------------------------------------------------------------------- things


@dataclass(frozen=True)
class Trait:
    """What a word about a thing says: whose side, whose part, or what must hold of it."""

    side: Literal["friendly", "enemy"] | None = None
    other: bool = False
    of: Select | None = None
    holds: Condition | None = None
    holding: bool = False  #: controls such an objective: its side does
    in_reach: bool = False  #: "within Engagement Range": of ours, where it is an enemy's, else of enemies


FRIENDLY = Trait(side="friendly")
ENEMY = Trait(side="enemy")
OTHER = Trait(other=True)
IN_REACH = Trait(in_reach=True)


def holding(c: Context, where: Condition) -> Trait:
    """ "That control an objective"."""
    if not isinstance(where, OnObjective) or where.control != "any":
        raise Reject("who holds it?")
    return Trait(holds=where, holding=True)


def is_(c: Context, condition: Condition) -> Trait:
    return Trait(holds=condition)


def but(c: Context, condition: Condition) -> Trait:
    """Not one of which this holds."""
    return Trait(holds=negate(c, condition))


def part_of(c: Context, whole: Select) -> Trait:
    return Trait(of=whole)


def both(c: Context, first: Anything, second: Anything) -> tuple[Anything, ...]:
    """Two rows as one; None is an empty row."""
    return (*row(first), *row(second))


def row(value: Anything) -> tuple[Anything, ...]:
    return () if value is None else value if isinstance(value, tuple) else (value,)


def keyword(c: Context, words: tuple[Token, ...]) -> Keyword:
    """One keyword, as a phrase in capitals; a plural of the game's own keywords in the singular."""
    text = phrase(words).upper()
    head, _, last = text.rpartition(" ")
    if last.endswith("S") and last.removesuffix("S").lower() in CORE_KEYWORDS:
        text = f"{head} {last.removesuffix('S')}".strip()
    return Keyword(((text,),))


def or_keyword(c: Context, first: Keyword, second: Keyword) -> Keyword:
    return Keyword(first.any_of + second.any_of)


def and_keyword(c: Context, first: Keyword, second: Keyword) -> Keyword:
    """Has both."""
    return Keyword(tuple(a + b for a in first.any_of for b in second.any_of))


def thing(
    c: Context,
    what: Anything,
    count: Count | None = None,
    adjectives: Anything = None,
    keywords: Keyword | None = None,
    mods: Anything = None,
    new: bool = True,
) -> Select:
    """Something newly named: "one other friendly KW unit within 6 of this model"."""
    traits: tuple[Trait, ...] = (*row(adjectives), *row(mods))
    sides = {trait.side for trait in traits if trait.side}
    if len(sides) > 1:
        raise Reject("friendly and enemy")
    wholes = [trait.of for trait in traits if trait.of]
    if len(wholes) > 1:
        raise Reject("part of two things")
    reach = Engaged(here(c)) if "enemy" in sides else Engaged()
    holder: Literal["own", "enemy"] = "enemy" if "enemy" in sides else "own"
    holds = [reach if trait.in_reach else _held(trait, holder) for trait in traits]
    select = Select(
        what,
        side=next(iter(sides), None),
        where=conj([_state_of(c, keywords), *_seen_from(c, holds)]),
        count=count or Count(),
        of=wholes[0] if wholes else None,
        other=any(trait.other for trait in traits),
    )
    if select.of is not None and select.of.ref == "bound" and select.of in parts_of(select.where):
        select = structs.replace(select, of=another_unit(c, select.of))
    if select.of is not None and select.of.ref is not None:
        c.named_again(select.of)
    return c.mention(select) if new else select


def _held(trait: Trait, holder: Literal["own", "enemy"]) -> Condition | None:
    """ "That control an objective": one that their side holds."""
    return (
        structs.replace(trait.holds, control=holder)
        if isinstance(trait.holds, OnObjective) and trait.holding
        else trait.holds
    )


def another_unit(c: Context, this: Select) -> Select:
    """ "Each model in that unit that is engaged with that enemy unit": the unit spoken of before that one."""
    for mention in reversed(c.mentions):
        if isinstance(mention, Poison):
            break
        refer = mention.refer or mention.select
        if mention.select.what == "unit" and refer.ref is not None and refer != this and mention.select.side != "enemy":
            return refer
    raise Reject("engaged with itself")


def _seen_from(c: Context, holds: list[Condition | None]) -> list[Condition | None]:
    """ "A visible unit within 12 inches of a friendly one": visible to that one."""
    near = next((one.of for one in holds if isinstance(one, Within) and one.of.ref is None and one.of.side), None)
    return [Visible(near) if near is not None and one == Visible(here(c)) else one for one in holds]


def _state_of(c: Context, keywords: Keyword | None) -> Condition | None:
    """ "A Marked unit", where the rule marked someone so: what looks like a keyword is a state."""
    words = {phrase.lower() for group in (keywords.any_of if keywords else ()) for phrase in group}
    done = (items[at] for items, at, _ in c.history if at < len(items))
    set_here = {effect.name for effect in done if isinstance(effect, SetState)}
    return HasState(words.pop()) if len(words) == 1 and words <= set_here else keywords


def up_to(c: Context, n: Amount) -> Count:
    return Count("up_to", n)


def exactly(c: Context, n: Amount) -> Count:
    return Count("one") if n == Amount() else Count("n", n)


def unit_of(c: Context, owner: Select) -> Select:
    """The unit something belongs to: a model's unit."""
    if owner in (ME, UNIT):
        return UNIT
    if owner.what == "unit" and owner.ref == "bound":
        return owner
    if owner.what == "unit":
        raise Reject("the unit of a unit")
    if owner.ref in ("target", "attacker", "subject", "led"):
        return Select("unit", ref=owner.ref)
    if owner.of is not None and owner.of.what == "unit":
        return owner.of
    return Select("unit", of=owner)


def the_unit(c: Context) -> Select:
    """ "The unit": the last one named, else the one whose rule it is."""
    if c.target is not None:
        raise Reject("which unit?")
    return c.that("unit") if any(mention.select.what == "unit" for mention in c.mentions) else UNIT


def those(c: Context, what: str, side: str | None = None, kw: Keyword | None = None) -> Select:
    try:
        return c.that(what, side, kw)
    except Reject:
        if what == "unit" and side != "enemy" and kw is None and _is_of_model(c):
            its = Select("unit", ref="subject")
            c.mentions.append(Mention(its, its, c.mentions[-1].block))
            return its
        if what != "model" or c.target is None or side == "enemy":
            raise
        return Select("model", of=YOUR)  # a stratagem that targets one model speaks of it as its unit's


def those_models(c: Context) -> Select:
    """ "Those models": also where only their unit was named."""
    try:
        found = those(c, "model")
        if found.ref == "self":
            raise Reject("one model is not those")
        return found
    except Reject:
        if c.target is not None or c.it is None or c.it.what != "unit" or c.it.ref not in ("unit", "led"):
            raise
        return Select("model", of=c.it)


def _is_of_model(c: Context) -> bool:
    """No unit was named, but a model to which something happens: "that unit" is its unit."""
    named = [mention for mention in c.mentions if not isinstance(mention, Poison)]
    only = bool(named) and len(named) == len(c.mentions) and all(mention.select.what != "unit" for mention in named)
    return only and named[-1].refer == Select("model", ref="subject")


def your(c: Context, what: str = "unit") -> Select:
    """A stratagem's "your unit"; outside of stratagems there is none."""
    if c.target is None:
        acting = [mention for mention in c.mentions if mention.refer and mention.refer.ref in ("subject", "unit")]
        return acting[-1].refer or c.that(what) if _picked_last(c) and acting else c.that(what)
    c.yours_in = c.root
    if what == "unit":
        return YOUR
    picked = (mention.refer for mention in reversed(c.mentions) if _is_of(mention.select, YOUR) and mention.refer)
    return next((model for model in picked if model.ref == "bound"), Select("model", of=YOUR))


def _is_of(select: Select, unit: Select) -> bool:
    """One model of that unit."""
    return select.what == "model" and select.of == unit and select.count.kind == "one"


def _picked_last(c: Context) -> bool:
    """Was the thing named last picked, so that it is not the one the rule is about?"""
    last = next((mention.refer for mention in reversed(c.mentions) if mention.select.what == "unit"), None)
    return last is not None and last.ref == "bound" and (last.name or "").startswith("picked")


def _only_ours(c: Context) -> Select | None:
    """ "If no enemy units are near this unit, it …": this unit, where no other one thing was named."""
    named = [mention.refer or mention.select for mention in c.mentions]
    others = [one for one in named if one != UNIT and (one.ref is not None or one.count.kind == "one")]
    return UNIT if c.says_this_unit and not others and not c.forgot else None


def it(c: Context) -> Select:
    c.it = c.it or _only_ours(c)
    if c.it is None:
        raise Reject("nothing 'it' could be")
    c.use(_where_bound(c.it, c.it_block))
    if c.it.ref is None and c.it.count.kind == "one":
        c.it = _one_named(c, c.it)
    c.pronoun = c.it
    return c.it


def it_alone(c: Context) -> Select:
    """ "If one or more models were destroyed, it can move": "it" is not several."""
    if c.it is not None and c.it.ref is None and c.it.count.kind == "any":
        if c.it_before is None:
            raise Reject("'it' is not several")
        c.it = c.it_before
    return it(c)


def them(c: Context) -> Select:
    """ "If one or more units are near it, they can move": those that are near, not any others, and so not read."""
    if c.it is not None and c.it.ref is None and c.it.count.kind == "any":
        raise Reject("which of them?")
    return it(c)


def _one_named(c: Context, one: Select) -> Select:
    """ "One unit can disembark, and can then shoot": that one, and not any other."""
    mention = next((mention for mention in reversed(c.mentions) if mention.select is one), None)
    if mention is None:
        return one
    if mention.refer is None:
        mention.refer = c.name(one)
    return mention.refer


def unit_spoken_of(c: Context) -> Select:
    """ "The models in it": of the unit spoken of, also where the last thing said was about some of its models."""
    found = it(c)
    if found.what != "model":
        return found
    if found.of is not None and found.of.what == "unit":
        return found.of
    if found.ref in ("self", "target", "attacker", "subject", "led"):
        return unit_of(c, found)
    raise Reject("in which unit?")


def _where_bound(who: Select, block: Block | None) -> Block | None:
    """Who attacks, or a stratagem's unit, is the same outside of the "if" in which it was spoken of last."""
    if who.ref not in ("attacker", "target") and who.name != "your unit":
        return block
    while block is not None and block.holds and (block.when, block.lasts, block.may) == (STATIC, INSTANT, None):
        block = block.parent
    return block


def this_unit(c: Context) -> Select:
    """The unit whose rule it is, called "this unit"; in a stratagem, its target."""
    if c.target is not None and c.given is None:
        return YOUR
    c.says_this_unit = True
    return UNIT


def subject(c: Context, who: Select) -> Select:
    """``who`` is what the clause is about: the next "it"."""
    c.it_before = c.it
    c.it, c.it_block = known(c, who), c.block
    if who.ref is not None and not (c.mentions and c.mentions[-1].refer == who):
        c.named_again(who)
    return who


def known(c: Context, who: Select) -> Select:
    """How later words speak of something named now."""
    return next((m.refer for m in reversed(c.mentions) if m.select is who and m.refer), who)


def attack_target(c: Context) -> Select:
    """The target of the attack spoken of, or of the weapon whose target was selected."""
    found = Select("unit", ref="target")
    if c.attack is None and any(mention.refer == found for mention in c.mentions):
        return c.that("unit", "enemy")
    c.scope_of_attack()
    return found


def attacker(c: Context, what: Anything = "unit") -> Select:
    return Select(what, ref="attacker")


def led(c: Context) -> Select:
    if not c.leads:
        raise Reject("no unit is led")
    return Select("unit", ref="led")


def here(c: Context) -> Select:
    """Whose rule this is, where the text does not say."""
    return UNIT if c.target is None else YOUR


def whole(select: Select) -> Select:
    """Models of a unit that all get something are that unit."""
    plain_models = select.what == "model" and select.ref is None and select.where is None and not select.other
    if plain_models and select.of is not None and select.of.what == "unit" and select.count in (Count(), Count("all")):
        return select.of
    return select


def who(c: Context, select: Select | None) -> Select | None:
    return None if select is None else whole(select)


def shooter(select: Select) -> Select:
    """Who attacks is always a model: a unit's attacks are those of its models."""
    return select if select.what == "model" else Select("model", of=select)


# ---------------------------------------------------------------------------------------------------- conditions


def negate(c: Context, condition: Condition) -> Condition:
    return condition.of if isinstance(condition, Not) else Not(condition)


def every_of(c: Context, *conditions: Condition) -> Condition:
    found = conj(conditions)
    assert found is not None
    return found


def any_of(c: Context, *conditions: Condition) -> Condition:
    flat: list[Condition] = []
    for condition in conditions:
        flat.extend(condition.of if isinstance(condition, Any) else (condition,))
    if all(isinstance(condition, Keyword) for condition in flat):
        return Keyword(
            tuple(group for condition in flat if isinstance(condition, Keyword) for group in condition.any_of)
        )
    return Any(tuple(flat))


def about(c: Context, select: Select, condition: Condition, every: bool = False) -> Condition:
    """The condition holds of something; what is said of attacks stands bare."""
    bare = condition.of if isinstance(condition, Not) else condition
    if select.what == "attack" or isinstance(bare, AttackIs):
        if isinstance(bare, AttackIs) and bare.kind == "closest" and not _is_target(c, select):
            raise Reject("the closest, whoever is attacked")
        return condition
    _spoken_of(c, select)
    condition = _of_another(c, select, condition)
    if isinstance(condition, Within) and condition.of.ref is not None and select.ref is None:
        c.it_before = condition.of  # who several stand near is "it" after them
    if isinstance(condition, HasWeapon) and condition.low > 1:  # "those weapons" are these
        c.weapons, c.weapons_block = (
            PerAttack("attacker", shooter(whole(select)), weapon=Named(condition.name)),
            c.block,
        )
    if isinstance(condition, All):
        parts = [about(c, select, part, every) for part in condition.of]
        return every_of(c, *(parts if select.ref or every else _of_one(parts)))
    if isinstance(condition, Leading) and condition.who is not None and condition.who.ref is not None:
        if select.ref is not None:
            return About(select, Leading())
        c.it = condition.who  # "if a CHARACTER is leading your unit, it …": your unit
        return _led(condition.who, select)
    if select.ref == "target" and c.army_rule and isinstance(condition, Within) and condition.of == UNIT:
        condition = Within(condition.distance, Select("model", ref="attacker"), condition.wholly)
    if select.ref == "attacker" and isinstance(condition, Within) and condition.of == here(c):
        condition = Within(condition.distance, Select("unit", ref="target"), condition.wholly)
    if select.ref == "attacker" and isinstance(condition, Not) and isinstance(condition.of, Within):
        inner = about(c, select, condition.of)
        return About(whole(select), Not(inner.holds if isinstance(inner, About) else inner), every)
    return About(whole(select), condition, every)


def _led(unit: Select, leader: Select) -> About:
    """ "A CHARACTER is leading that unit": a model is."""
    who = whole(leader)
    return About(unit, LedBy(structs.replace(who, what="model") if who.what == "unit" else who))


def _is_target(c: Context, select: Select) -> bool:
    """Is it the attack that is spoken of, or its target?"""
    attack = c.attack.when.target if c.attack is not None and isinstance(c.attack.when, PerAttack) else None
    return select.what == "attack" or select.ref == "target" or (attack is not None and whole(select) == attack)


def _of_one(parts: list[Condition]) -> list[Condition]:
    """What holds of something that is any that fits holds of one and the same."""
    found: dict[Select, list[Condition]] = {}
    for part in parts:
        if isinstance(part, About) and not part.every:
            found.setdefault(part.who, []).append(part.holds)
    rest = [part for part in parts if not isinstance(part, About) or part.every]
    return [*(About(who, conj(holds) or All(())) for who, holds in found.items()), *rest]


def _spoken_of(c: Context, select: Select) -> None:
    """ "While a unit is near another unit, that unit …" is the one the sentence speaks of, not who stands near it."""
    own = next((mention for mention in c.mentions if mention.select is select), None)
    if own is not None and select.ref is None:
        c.mentions.remove(own)
        c.mentions.append(own)


def about_every(c: Context, unit: Select, condition: Condition) -> Condition:
    """The condition holds of each model of the unit."""
    if isinstance(condition, All):
        return every_of(c, *(about_every(c, unit, part) for part in condition.of))
    bare = condition.of if isinstance(condition, Not) else condition
    if not isinstance(bare, (Within, NearEdge, Located, Visible)):
        return about(c, unit, condition)  # what is said of each model is said of the unit
    return About(Select("model", of=unit), condition, every=True)


def _of_another(c: Context, who: Select, condition: Condition) -> Condition:
    """ "It" in what is said of a subject is not the subject: it is what "it" meant before."""
    if isinstance(condition, Not):
        return Not(_of_another(c, who, condition.of))
    field = {Within: "of", Engaged: "by", Visible: "to", Embarked: "within"}.get(type(condition))
    if field is None or getattr(condition, field) not in (whole(who), known(c, who)):
        return condition
    if c.it_before is None or c.it_before == getattr(condition, field):
        raise Reject("near itself")
    return structs.replace(condition, **{field: c.it_before})


def near(c: Context, distance: Amount, of: Select, wholly: bool = False) -> Within:
    return Within(distance, whole(of), wholly)


def far(c: Context, distance: Amount, of: Select) -> Not:
    return Not(Within(distance, whole(of)))


def near_and_visible(c: Context, distance: Amount, of: Select) -> Condition:
    return every_of(c, Within(distance, whole(of)), Visible(whole(of)))


def named(c: Context, words: tuple[Token, ...]) -> Named | HasAbility:
    """Of this name; "profile" behind it, and how a dash is set, are no part of it. "Torrent weapons" have that ability."""
    text = phrase(words).lower().removesuffix(" profile")
    whole, text = text, text.removesuffix(" weapons").removesuffix(" weapon")
    if text in WEAPON_ABILITIES and text != whole:
        return HasAbility(text)
    if (
        text.removesuffix("s") in WEAPON_ABILITIES and text.endswith("s") and text not in WEAPON_ABILITIES
    ):  # "its Pistols"
        return HasAbility(text.removesuffix("s"))
    return Named(re.sub(r" -(?=\S)", " - ", text))


def lower(c: Context, words: tuple[Token, ...]) -> str:
    return phrase(words).lower()


def armed_with(c: Context, words: tuple[Token, ...], n: Token | None = None) -> HasWeapon:
    """ "Equipped with a long gun", "with 2 grinding saws": so many of them, by the name of one."""
    if n is None or plain(c, n) == 1:
        return HasWeapon(lower(c, words))
    if words[-1].word == "weapons":
        raise Reject("weapons without a name")
    return HasWeapon(lower(c, words).removesuffix("s"), plain(c, n))


def state(c: Context, words: tuple[Token, ...]) -> HasState:
    return HasState(phrase(words).lower())


def attack_kind(c: Context, kind: Anything, distance: Amount | None = None) -> AttackIs:
    return AttackIs(kind, None if distance is None else distance.n.constant)
