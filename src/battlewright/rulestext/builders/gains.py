"""What someone or someone's attacks get: abilities, keywords, characteristics."""

from __future__ import annotations

from typing import Any as Anything

from msgspec.structs import replace

from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Amount,
    AttackIs,
    Clause,
    Condition,
    Duration,
    FightOrder,
    Grant,
    If,
    IgnoreMods,
    Keyword,
    Not,
    Order,
    PerAttack,
    Remove,
    RollMod,
    Select,
    Stat,
    StatMod,
)
from battlewright.rulestext.blocks import INSTANT, conj
from battlewright.rulestext.builders.attacks import (
    CHOSEN,
    WEAPON_STATS,
    Attacks,
    choose_ability,
    get,
    stat_mod,
    those_attacks,
    those_weapons,
    weapons_of,
)
from battlewright.rulestext.builders.phrases import (
    here,
    it,
    negate,
    row,
    whole,
)
from battlewright.rulestext.builders.sentences import (
    Wrapped,
    as_clause,
)
from battlewright.rulestext.context import ME, Context, Reject
from battlewright.rulestext.tokens import Token
from battlewright.rulestext.words import phrase


def grant_ability(c: Context, named: tuple[str, Amount | None]) -> Grant:
    return Grant("unit_ability", named[0], named[1])


def grant_against(c: Context, named: tuple[str, Amount | None], against: Condition) -> Grant:
    """An ability against some attacks only."""
    return replace(grant_ability(c, named), against=against)


def taken_away(c: Context, who: Select, gains: Anything) -> tuple[Remove, ...]:
    """What these no longer have, of what they may be given."""
    found = []
    for one in row(gains):
        plain = isinstance(one, Grant) and one.what in ("unit_ability", "feel_no_pain", "cover")
        if not plain or one.against is not None:
            raise Reject("taken away?")
        found.append(Remove(one.what, one.name or "", whole(who)))
    return tuple(found)


def grant_keyword(c: Context, k: Keyword) -> Grant:
    """Keywords by their words; several may be meant."""
    if any(len(group) > 1 for group in k.any_of):
        raise Reject("keywords in groups")
    return Grant("keyword", keywords=tuple(group[0] for group in k.any_of))


def that_keyword(c: Context) -> Keyword:
    """ "If it already has that keyword": the one just said to be gained."""
    done = (items[at] for items, at, _ in reversed(c.history))
    gained = next((one for one in done if isinstance(one, Grant) and one.what == "keyword"), None)
    if gained is None:
        raise Reject("which keyword?")
    return Keyword((gained.keywords,))


def had(c: Context, condition: Condition) -> Condition:
    """What someone has already is not what was just given."""
    given = [items[at] for items, at, _ in c.history]
    words = {word for one in given if isinstance(one, Grant) for word in one.keywords}
    if isinstance(condition, Keyword) and any(words.intersection(group) for group in condition.any_of):
        raise Reject("had before it was given")
    return condition


def signed_detection(c: Context, token: Token) -> StatMod:
    n = Amount(Dice.parse(token.raw.lstrip("+-")))
    return StatMod(("detection",), "subtract" if token.raw.startswith("-") else "add", n)


def give(c: Context, who: Select, gains: Anything) -> Anything:
    """``who`` gets these; what a weapon gets, its attacks have."""
    if who.what == "weapon":
        return get(c, weapons_of(c, who), gains)
    weapons = c.weapons is not None and c.pronoun is not None and whole(who) == whole(c.pronoun)
    if weapons and all(isinstance(gain, StatMod) and set(gain.stats) <= WEAPON_STATS for gain in row(gains)):
        return get(
            c, those_weapons(c), gains
        )  # "they have +1 D": of what was said to have something, only weapons have it
    return tuple(_given(gain, whole(who)) for gain in row(gains))


def give_row(c: Context, gains: Anything) -> Anything:
    """ "M +3": what whoever the row is chosen for gets; characteristics of weapons are those of their attacks."""
    options = c.option_of
    if options is not None and not options.given and options.who is None:
        raise Reject("whose row?")
    who = here(c) if options is None or options.given or options.who is None else options.who
    return tuple(get(c, weapons_of(c, who), one) if _of_weapons(one) else _given(one, who) for one in row(gains))


def _of_weapons(gain: Anything) -> bool:
    return isinstance(gain, StatMod) and set(gain.stats) <= WEAPON_STATS


def _given(gain: Anything, who: Select) -> Anything:
    if isinstance(gain, Grant) and (gain.what, gain.name) == ("ability", "fights last"):
        return FightOrder("last", who)
    if isinstance(gain, (Grant, StatMod, RollMod)):
        return replace(gain, who=who)
    raise Reject("no gain")


def either_gain(c: Context, who: Select, gains: Anything, better: Anything, condition: Condition) -> If:
    """ "has this (or that instead if …)"."""
    return If(condition, row(give(c, who, better)), row(give(c, who, gains)))


def both_give(c: Context, gains: Anything) -> Anything:
    """The bearer, and the unit it leads."""
    return (*give(c, ME, gains), *give(c, Select("unit", ref="led"), gains))


def guarded(c: Context, who: Select, token: Token, stats: tuple[Stat, ...], kind: Anything) -> Wrapped:
    """A characteristic that is better against such attacks."""
    n = Amount(Dice.parse(token.raw.lstrip("+-")))
    op: Anything = "worsen" if token.raw.startswith("-") else "improve"
    return Wrapped(stat_mod(c, stats, op, n, who), PerAttack("target", None, whole(who), kind))


_OF_UNITS = ("stealth", "deep strike", "lone operative", "infiltrators", "fights first", "smoke", "hover")


def bracket_ability(c: Context, token: Token) -> Grant:
    """An ability of units, set in brackets like those of weapons."""
    if token.raw.lower() not in _OF_UNITS:
        raise Reject("an ability of weapons")
    return Grant("unit_ability", token.raw.lower())


def weapons_choice(c: Context, who: Select, duration: Duration | None, abilities: Anything) -> Anything:
    """ "Select one of the following abilities for its weapons to have"."""
    choose_ability(c, *abilities)
    found = row(get(c, weapons_of(c, who), CHOSEN))
    return found if duration is None else Wrapped(found, lasts=duration)


def two_attacks(c: Context, a: Attacks, b: Attacks) -> Attacks:
    if a.trigger is None or b.trigger is None or a.holds or b.holds:
        raise Reject("attacks of the scope, and others")
    if a.trigger == replace_kind(b.trigger, a.trigger.kind) and a.trigger.weapon is None:
        return Attacks(replace_kind(a.trigger, "any"))
    raise Reject("two kinds of attacks")


def replace_kind(trigger: Anything, kind: Anything) -> Anything:
    return replace(trigger, kind=kind)


def scope_attack(c: Context) -> None:
    """ "against that attack" says nothing more inside its own scope."""
    c.scope_of_attack()


def no_cover(c: Context, who: Select, against: Condition | None) -> Anything:
    """Without cover against the attack spoken of, or against such attacks."""
    if against is None:
        return Remove("cover", who=whole(who))
    kind: Anything = against.kind if isinstance(against, AttackIs) else ""
    if kind not in ("ranged", "melee"):
        raise Reject("no cover against what?")
    return Wrapped((Remove("cover", who=whole(who)),), PerAttack("attacker", None, whole(who), kind))


def weapons_but(c: Context, attacks: Attacks, weapon: Condition) -> Attacks:
    """Without such weapons."""
    if attacks.trigger is None:
        raise Reject("which weapons?")
    trigger = replace(attacks.trigger, weapon=conj([attacks.trigger.weapon, negate(c, weapon)]))
    return Attacks(trigger, attacks.holds, attacks.lasts)


def picked_weapon(c: Context) -> Attacks:
    """The weapon that was selected."""
    return weapons_of(c, c.that("weapon"))


def picked_or_those(c: Context) -> Attacks:
    if any(mention.select.what == "weapon" for mention in c.mentions):
        return picked_weapon(c)
    attack = c.attack.when if c.attack is not None and c.attack in c.block.chain() else None
    if isinstance(attack, PerAttack) and c.weapons is not None and attack.weapon == c.weapons.weapon is not None:
        return those_attacks(c)
    if c.weapons is None and c.attack is not None:
        if c.block.lasts != INSTANT:
            raise Reject("a weapon changed for longer at each attack")
        return those_attacks(c)
    return those_weapons(c)


def may_have(c: Context, attacks: Attacks, gains: Anything) -> Clause:
    """ "You can choose for those attacks to have this"."""
    found = [one if isinstance(one, Wrapped) else Wrapped((one,)) for one in row(get(c, attacks, gains))]
    return Clause(tuple(map(as_clause, found)), may="you")


def those_of_kind(c: Context, kind: Anything) -> Attacks:
    """ "Those melee weapons": the weapons spoken of, which are all of that kind."""
    found = picked_or_those(c)
    trigger = found.trigger or (c.attack.when if c.attack is not None else None)
    if not isinstance(trigger, PerAttack) or trigger.kind != kind:
        raise Reject("which weapons?")
    return found


def get_or_give(c: Context, gains: Anything) -> Anything:
    """ "… and has this": the attacks spoken of, or who is spoken of where it is nothing an attack has."""
    unlike = any(isinstance(gain, StatMod) and not set(gain.stats) <= WEAPON_STATS for gain in row(gains))
    if unlike or (c.attack is None and c.activation is None):
        return give(c, it(c), gains)
    return get(c, those_attacks(c), gains)


def keeping_control(c: Context, effects: Anything) -> Anything:
    """ "instead of changing it to 0": being battle-shocked changes nothing else."""
    found = row(effects)
    return (*found, IgnoreMods(("OC",), "bad", found[0].who))


def has_section(c: Context, who: Select) -> Grant:
    if not c.section:
        raise Reject("which ability?")
    return Grant("ability", c.section, who=whole(who))


def section(c: Context, words: tuple[Token, ...], n: Amount | None = None) -> Order:
    """One (or so many) of the abilities that stand elsewhere under this name."""
    c.section = phrase(words).lower()
    return Order("use", c.section, amount=n)


def but_not(c: Context, effects: Anything, condition: Condition) -> Anything:
    """ "have that (excluding those)": not all of whom the sentence spoke."""
    found = row(effects)
    if any(getattr(effect, "who", None) is None or effect.who.ref is not None for effect in found):
        raise Reject("excluding whom?")
    return tuple(replace(one, who=replace(one.who, where=conj([one.who.where, Not(condition)]))) for one in found)


def while_there(c: Context, effects: Anything, place: Condition) -> Anything:
    """ "units have that while within terrain": those that are there."""
    found = row(effects)
    if any(getattr(effect, "who", None) is None for effect in found):
        raise Reject("who is there?")
    return tuple(_there(effect, place) for effect in found)


def _there(effect: Anything, place: Condition) -> Anything:
    if effect.who.ref is not None:
        return Wrapped((effect,), holds=(About(effect.who, place),))
    return replace(effect, who=replace(effect.who, where=conj([effect.who.where, place])))
