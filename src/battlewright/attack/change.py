"""One effect as a change of plain numbers: whom it reaches, what it notes in the tally, whom it helps."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import msgspec

from battlewright import effects as fx
from battlewright.attack.numbers import Change, Kin, Op, Tally, better, printed
from battlewright.attack.situation import Party, Tri, both, plain
from battlewright.attack.truth import WEAPON_FIELDS, View, holds, is_it, number
from battlewright.dice import Dice
from battlewright.effects import Condition, Effect, Rule, Select
from battlewright.effects_words import words_of

#: characteristics whose printed number falls when they improve
FALLING = ("AP", "BS", "WS", "Sv", "InSv")
ATTACK_STATS = ("A", "S", "D", "AP", "BS", "WS")
UNIT_STATS = ("T", "Sv", "InSv", "W")
DEFENCES = ("stealth", "benefit of cover", "feel no pain", "invulnerable save")
CORE_ROLLS = ("hit", "wound", "save")
#: weapon abilities that do nothing but on such a critical: to have one then is to have it
ON_CRITICALS = {"critical_hit": ("lethal hits", "sustained hits"), "critical_wound": ("devastating wounds",)}


class Noted(NamedTuple):
    """A change: does it reach this attack, what it notes, and which side it is good for."""

    met: Tri
    note: Callable[[Tally], None]
    good_for: Party


def of(effect: Effect, view: View, edition: str | None = None) -> Noted | None:
    """The change an effect makes to this attack; None when it touches no attack."""
    if view.critical:
        return _on_criticals(effect, view, edition)
    match effect:
        case fx.RollMod(roll="any") | fx.Reroll(roll="any") if view.rolled:
            return _that_roll(effect, view, edition)
        case fx.RollMod():
            return _roll_mod(effect, view)
        case fx.Reroll():
            return _reroll(effect, view)
        case fx.StatMod():
            return _stat_mod(effect, view)
        case fx.Grant():
            return _grant(effect, view)
        case fx.Remove():
            return _remove(effect, view)
        case fx.CritOn():
            return _crit_on(effect, view)
        case fx.IgnoreMods():
            return _ignore(effect, view)
        case fx.RollSet(roll="hit", to="success", who=who):
            return Noted(_attacks(who, view), lambda tally: tally.abilities.update(torrent=True), "attacker")
        case fx.RollSet(roll="hit" | "wound", to="failure"):
            return _fails(effect, view)
        case fx.RollSet(roll="invulnerable_save" | "save" as roll, to="no_roll"):
            return Noted(True if view.per_attack else None, lambda tally: _no_save(tally, roll), "attacker")
        case fx.DamageTo():
            return _damage_to(effect, view)
        case fx.Forbid(act=act) if act.startswith("re-roll "):
            return _never_rerolled(effect, view)
        case _:
            return None


def _on_criticals(effect: Effect, view: View, edition: str | None) -> Noted | None:
    """What only criticals do: AP and Damage of critical wounds, and abilities that act on these criticals anyway."""
    whole = of(effect, replace(view, critical=""), edition)
    match effect:
        case fx.Grant(what="weapon_ability", name=name) if name in ON_CRITICALS[view.critical]:
            return whole
        case fx.StatMod(stats=stats) if whole and view.critical == "critical_wound" and set(stats) <= {"AP", "D"}:
            return whole._replace(note=lambda tally: _note_critical(effect, view, tally))
        case fx.Mortal():
            return _mortal_besides(effect, view)
    return None if whole is None else whole._replace(met=both(whole.met, None))


def _mortal_besides(effect: fx.Mortal, view: View) -> Noted:
    """Mortal wounds a critical wound inflicts on the target in addition to what the attack does."""
    amount, most = effect.amount.n, effect.amount.maximum
    plain_number = effect.amount.per is None and effect.amount.ref is None
    besides = view.critical == "critical_wound" and view.per_attack and not view.ended
    counted = True if besides and plain_number and not view.once else None
    reach = both(_attacks(None, view), is_it(effect.who, "target", view), counted)
    return Noted(reach, lambda tally: tally.besides.append((amount, most)), "attacker")


def _note_critical(effect: fx.StatMod, view: View, tally: Tally) -> None:
    n = number(effect.amount, view)
    amount = effect.amount.n if n is None else Dice(0, 6, n)
    for stat in effect.stats:
        step = _step(stat, effect.op, amount)
        tally.critical.setdefault(stat, []).append(Change(*step, view.owner, *_limits(stat, effect)))


# --------------------------------------------------------------------------------------------------------- reach


def _attacks(who: Select | None, view: View) -> Tri:
    """Do these attacks come from ``who`` (from the clause's own unit when None)?"""
    if who is None or who.ref in ("you", "opponent"):
        return True if view.per_attack else (view.subject or view.owner) == "attacker"
    return is_it(who, "attacker", view)


def _unit(who: Select | None, view: View) -> Tri:
    """Is the target's unit what ``who`` speaks of?"""
    if who is None:
        if view.per_attack:
            return view.owner == "target"
        return (view.subject or view.owner) == "target"
    if who.what in ("attack", "weapon"):
        return both(view.owner == "target", True if view.per_attack else None)
    return is_it(who, "target", view)


def _kin(who: Select | None, view: View) -> Kin | None:
    """Which models of the target ``who`` speaks of, where a character leads it: the bearer is the character."""
    mixed = len({bool(group.get("character")) for group in view.scene.target["groups"]}) == 2
    if who is not None and who.ref == "bound" and who.name in view.leaders:
        return "character"
    if who is None or who.what != "model" or not mixed:
        return None
    if who.ref == "self" or _is_kind(who.where, "CHARACTER"):
        return "character"
    return "bodyguard" if _is_kind(who.where, "BODYGUARD") else None


def _is_kind(where: Condition | None, keyword: str) -> bool:
    parts = where.of if isinstance(where, fx.All) else (where,)
    return any(isinstance(part, fx.Keyword) and all(keyword in group for group in part.any_of) for part in parts)


# --------------------------------------------------------------------------------------------------------- rolls


def _roll_mod(effect: fx.RollMod, view: View) -> Noted | None:
    n = number(effect.amount, view)
    signed = (n or 0) * effect.sign
    if effect.roll in ("save", "armour_save"):
        plain = effect.roll == "save" or not any(group.get("InSv") for group in view.scene.target["groups"])
        reach = both(_unit(effect.who, view), None if n is None or not plain else True)
        return Noted(reach, lambda t: t.modify("save", signed, view.owner), _better(signed, "target"))
    if effect.roll == "invulnerable_save":
        step = Change(*_step("InSv", "add" if effect.sign > 0 else "subtract", Dice(0, 6, n or 0)), view.owner)
        reach = both(_unit(effect.who, view), n == 1 or None)
        return Noted(reach, lambda t: t.stats.setdefault("InSv", []).append(step), _better(signed, "target"))
    if effect.roll in ("hit", "wound"):
        reach = both(_attacks(effect.who, view), None if n is None else True)
        return Noted(reach, lambda t: t.modify(effect.roll, signed, view.owner), _better(signed, "attacker"))
    return None


def _that_roll(effect: fx.RollMod | fx.Reroll, view: View, edition: str | None) -> Noted | None:
    """What happens to "that roll", of the kinds of roll the clause is about."""
    if len(view.rolled) > 1:
        return Noted(None, lambda tally: None, view.owner)
    return of(msgspec.structs.replace(effect, roll=view.rolled[0]), view, edition)


def _fails(effect: fx.RollSet, view: View) -> Noted:
    """Unmodified rolls up to a number always fail."""
    n = number(effect.value)

    def note(tally: Tally) -> None:
        tally.fails[effect.roll] = max(n or 0, tally.fails.get(effect.roll, 0))

    reach = _attacks(effect.who, view)
    return Noted(both(reach, True if n is not None and effect.unmodified else None), note, "target")


def _no_save(tally: Tally, roll: str) -> None:
    """No invulnerable saves, or no saves at all, can be made against the attack."""
    tally.unit_lost.add("InSv")
    if roll == "save":
        tally.change("Sv", "set", Dice(0, 6, 7), "attacker")


def _better(signed: int, party: Party) -> Party:
    return party if signed >= 0 else ("target" if party == "attacker" else "attacker")


def _reroll(effect: fx.Reroll, view: View) -> Noted | None:
    if effect.roll not in (*CORE_ROLLS, "damage", "attacks"):
        return None
    reach = _unit(effect.who, view) if effect.roll == "save" else _attacks(effect.who, view)
    how = {"all": "fails", "failed": "fails"}.get(effect.which)
    if effect.which == "faces" and effect.faces == (1,):
        how = "ones"
    if effect.which == "one" and effect.roll in ("hit", "wound") and view.scene.one_die:
        how = "fails"
    elif effect.which == "one" and effect.roll != "attacks":
        return _reroll_one(effect, view, reach)
    known = how == "fails" if effect.roll == "attacks" else how is not None
    good: Party = "target" if effect.roll == "save" else "attacker"
    return Noted(both(reach, True if known else None), lambda t: t.reroll(effect.roll, how or "none"), good)


def _reroll_one(effect: fx.Reroll, view: View, reach: Tri) -> Noted:
    """One of all the rolls of an activation; a save of the bearer alone is not told apart from those of its unit."""
    if effect.roll == "save":
        alone = _kin(view.attacked if effect.who is None else effect.who, view) is not None
        return Noted(both(reach, None if alone else True), lambda t: t.unit.update(reroll_one_save=True), "target")
    return Noted(reach, lambda t: t.once.append(effect.roll), "attacker")


def _never_rerolled(effect: fx.Forbid, view: View) -> Noted | None:
    """Rolls of the attack that cannot be re-rolled."""
    roll = effect.act.removeprefix("re-roll ")
    barred = ("hit", "wound", "damage") if roll == "attack" else (roll,)
    if not set(barred) <= {*CORE_ROLLS, "damage"}:
        return None
    who = None if effect.who is not None and effect.who.what == "player" else effect.who
    reach = _unit(who, view) if roll == "save" and who is not None else _attacks(who, view)
    return Noted(reach, lambda tally: tally.barred.update(barred), "attacker" if roll == "save" else "target")


def _crit_on(effect: fx.CritOn, view: View) -> Noted:
    def note(tally: Tally) -> None:
        if effect.hits:
            tally.hits_on = min(effect.n, tally.hits_on or 6)
        else:
            key = f"crit_{effect.roll}"
            tally.abilities[key] = min(effect.n, tally.abilities.get(key, 6))

    return Noted(_attacks(None, view), note, "attacker")


# ----------------------------------------------------------------------------------------------- characteristics


def _stat_mod(effect: fx.StatMod, view: View) -> Noted | None:
    mine = [stat for stat in effect.stats if stat in ATTACK_STATS]
    theirs = [stat for stat in effect.stats if stat in UNIT_STATS]
    if not mine and not theirs:
        return None
    n = number(effect.amount, view)
    amount = effect.amount.n if effect.amount.per is None and effect.amount.ref is None else None
    amount = Dice(0, 6, n) if n is not None else amount
    reach = _attacks(effect.who, view) if mine else _unit(effect.who, view)
    if effect.who is None and effect.on == "model" and theirs and view.per_attack:
        reach = view.owner == "target"
    whole = amount is not None and (amount.constant is not None or set(effect.stats) <= {"A", "D"})
    met = both(reach, True if whole else None)

    kin = _kin(view.attacked if effect.who is None else effect.who, view)

    def note(tally: Tally) -> None:
        assert amount is not None
        for stat in (*mine, *theirs):
            of_some = kin if stat in theirs or (stat == "D" and view.owner == "target") else None
            _note_stat(tally.of(of_some), stat, effect, amount, view.owner)

    worse = effect.op in ("subtract", "worsen", "halve")
    side: Party = "attacker" if mine else "target"
    return Noted(met, note, _better(-1 if worse else 1, side))


def _damage_to(effect: fx.DamageTo, view: View) -> Noted:
    """The damage of each attack becomes a number; that of one attack (once per …) only where it is 0."""
    if effect.n == 0 and view.once and view.owner == "target":
        kin = _kin(view.attacked if effect.who is None else effect.who, view)
        when = "unsaved" if view.unsaved else "allocated"
        return Noted(_unit(effect.who, view), lambda t: t.of(kin).unit.update(no_damage=when), "target")
    counted = True if effect.n and not view.once else None
    good: Party = "target" if view.owner == "target" else "attacker"
    reach = both(_unit(effect.who, view) if view.owner == "target" else _attacks(effect.who, view), counted)
    return Noted(reach, lambda tally: tally.change("D", "set", Dice(0, 6, effect.n), view.owner), good)


def _note_stat(tally: Tally, stat: str, effect: fx.StatMod, amount: Dice, by: Party) -> None:
    op = effect.op
    if stat == "D" and by == "target" and op in ("subtract", "worsen"):
        tally.unit["minus_damage"] = tally.unit.get("minus_damage", 0) + amount.bonus
    elif stat == "D" and by == "target" and op == "halve":
        tally.unit["halve_damage"] = True
    else:
        floor, ceiling = _limits(stat, effect)
        tally.change(stat, *_step(stat, op, amount), by, floor, ceiling)


def _limits(stat: str, effect: fx.StatMod) -> tuple[int | None, int | None]:
    """The lowest and the highest value a change may lead to, in the value's own numbers: AP is counted downwards."""
    if stat == "AP":
        return (
            None if effect.maximum is None else -abs(effect.maximum),
            None if effect.minimum is None else -abs(effect.minimum),
        )
    if stat in FALLING:
        limit = effect.maximum if effect.maximum is not None else effect.minimum
        return (limit, None) if effect.op in ("add", "improve") else (None, limit)
    return effect.minimum, effect.maximum


def _step(stat: str, op: str, amount: Dice) -> tuple[Op, Dice]:
    """The operation in the value's own numbers: improving AP or a "3+" subtracts."""
    match op:
        case "set":
            return "set", Dice(0, 6, -amount.bonus) if stat == "AP" else amount
        case "multiply":
            return "multiply", amount
        case "halve":
            return "divide", Dice(0, 6, 2)
        case "add" | "improve":
            return ("subtract" if stat in FALLING else "add"), amount
        case _:
            return ("add" if stat in FALLING else "subtract"), amount


# ------------------------------------------------------------------------------------------- abilities and saves


def _grant(effect: fx.Grant, view: View) -> Noted | None:
    against = True if effect.against is None else holds(effect.against, view, "attacker")
    match effect.what:
        case "weapon_ability":
            return _weapon_ability(effect, view, against)
        case "invulnerable":
            return _save(effect, view, "InSv", against)
        case "feel_no_pain":
            return _feel_no_pain(effect, view)
        case "cover":
            return Noted(both(_unit(effect.who, view), against), lambda t: t.unit.update(cover=True), "target")
        case "unit_ability" | "ability" if effect.name in DEFENCES:
            return _unit_ability(effect, view, against)
        case _:
            return None


def _unit_ability(effect: fx.Grant, view: View, against: Tri) -> Noted:
    if effect.name == "feel no pain":
        return _feel_no_pain(effect, view)
    if effect.name == "invulnerable save":
        return _save(effect, view, "InSv", against)
    key = "stealth" if effect.name == "stealth" else "cover"
    return Noted(both(_unit(effect.who, view), against), lambda t: t.unit.update({key: True}), "target")


def _save(effect: fx.Grant, view: View, key: str, against: Tri) -> Noted:
    n = number(effect.amount, view)

    def note(tally: Tally) -> None:
        assert n is not None
        unit = tally.of(_kin(effect.who, view)).unit
        unit[key] = min(n, unit.get(key, 7))

    return Noted(both(_unit(effect.who, view), against, None if n is None else True), note, "target")


def _feel_no_pain(effect: fx.Grant, view: View) -> Noted:
    """FNP against everything, against mortal wounds only, or against attacks that fit."""
    if effect.against is not None and "mortal" in str(effect.against).lower():
        return _save(effect, view, "FNP_mortal", True)
    against = True if effect.against is None else holds(effect.against, view, "attacker")
    return _save(effect, view, "FNP", against)


def _weapon_ability(effect: fx.Grant, view: View, against: Tri) -> Noted | None:
    name = effect.name.lower().replace("-", " ")
    keywords = effect.keywords
    if name.startswith("anti ") and not keywords:
        name, keywords = "anti", (name[5:].upper(),)
    key = WEAPON_FIELDS.get(name)
    if key is None:
        return None
    reach = both(_attacks(effect.who, view), against)
    if key != "anti" and keywords:
        reach = both(reach, holds(fx.Keyword(tuple((one,) for one in keywords)), view, "target"))
    if key in ("anti", "sustained", "rapid_fire", "cleave", "melta") and effect.amount is None:
        reach = both(reach, None)
    amount = effect.amount.n if effect.amount else None

    def note(tally: Tally) -> None:
        if key == "anti":
            for keyword in keywords:
                tally.anti[plain(keyword)] = min(amount.bonus if amount else 7, tally.anti.get(plain(keyword), 7))
        else:
            tally.abilities[key] = better(
                tally.abilities.get(key), (1 if key == "blast" else True) if amount is None else printed(amount)
            )

    return Noted(reach, note, "target" if key == "hazardous" else "attacker")


def _remove(effect: fx.Remove, view: View) -> Noted | None:
    name = effect.name.lower().replace("-", " ")
    if effect.what == "cover" or name in ("benefit of cover", "cover"):
        target = True if effect.who is None and view.per_attack else _unit(effect.who, view)
        return Noted(target, lambda t: t.abilities.update(ignores_cover=True), "attacker")
    if effect.what == "weapon_ability" and name in WEAPON_FIELDS:
        return Noted(_attacks(effect.who, view), lambda t: t.lost.add(WEAPON_FIELDS[name]), "target")
    key = {"stealth": "stealth", "feel no pain": "FNP", "invulnerable save": "InSv"}.get(name)
    key = {"invulnerable": "InSv", "feel_no_pain": "FNP"}.get(effect.what, key)
    if key is None:
        return None
    return Noted(_unit(effect.who, view), lambda t: t.unit_lost.add(key), "attacker")


#: what a text may call the things whose modifiers are ignored
MODIFIED = {
    "hit roll": "hit",
    "wound roll": "wound",
    "ballistic skill": "BS",
    "weapon skill": "WS",
    "strength": "S",
    "armour penetration": "AP",
    "attacks": "A",
    "damage": "D",
    "saving throw": "save",
    "toughness": "T",
}
EVERYTHING = ("any", "all", "characteristics", "characteristic", "rolls")


def _ignore(effect: fx.IgnoreMods, view: View) -> Noted:
    names = [MODIFIED.get(name.lower(), name) for name in effect.of]
    if any(name.lower() in EVERYTHING for name in effect.of):
        names += ["BS", "WS", "S", "AP", "A", "D", "hit", "wound"]
    who: Party = "attacker" if _attacks(effect.who, view) and view.owner == "attacker" else "target"

    def note(tally: Tally) -> None:
        tally.ignored.extend((name, who, effect.only == "bad") for name in names)

    reach = _attacks(effect.who, view) if view.owner == "attacker" else _unit(effect.who, view)
    return Noted(reach, note, view.owner)


# ------------------------------------------------------------------------------------------- choices and use


def parts(effects: Iterable[Effect]) -> Iterable[Effect]:
    """The effects and all inside them, nested scopes opened."""
    for effect in effects:
        match effect:
            case fx.Clause(do=do) | fx.Give(do=do):
                yield from parts(do)
            case fx.If(then=then, otherwise=otherwise):
                yield from parts((*then, *otherwise))
            case fx.Choose(options=options):
                for option in options:
                    yield from parts(option.do)
            case _:
                yield effect


def helps(effects: Iterable[Effect], view: View, chooser: Party) -> Tri:
    """Do these effects help the one who may choose them? None when they touch no attack."""
    found = [change for change in (of(part, view) for part in parts(effects)) if change is not None]
    if not found:
        return None
    return any(change.good_for == chooser for change in found)


def touches(effects: Iterable[Effect], view: View) -> bool:
    """Does any of these effects change an attack?"""
    return any(of(part, view) is not None for part in parts(effects))


#: more ways of choosing than this are not all tried
MOST_WAYS = 30


def ways(effect: fx.Choose) -> list[tuple[fx.Option, ...]]:
    """The options that may be chosen together; none where there are too many ways."""
    if effect.k < 1 or math.comb(len(effect.options), effect.k) > MOST_WAYS:
        return []
    return list(combinations(effect.options, effect.k))


def chosen(effect: fx.Choose, choose: str, rule: Rule) -> tuple[fx.Option, ...] | None:
    """The options whose names or words are the ones chosen ("this", "this and that"); None when that cannot be told."""
    if not choose:
        return effect.options if len(effect.options) == 1 else None
    whole = _named(effect, choose)
    if effect.k == 1:
        return None if whole is None else (whole,)
    named = [_named(effect, part) for part in _AND.split(choose) if part.strip()]
    if None in named or len(named) > effect.k:
        return None if whole is None else (whole,)
    return tuple(dict.fromkeys(one for one in named if one is not None))


_AND = re.compile(r"\s*(?:,|;|/|&|\+(?!\d)|\band\b)\s*")


def _named(effect: fx.Choose, choose: str) -> fx.Option | None:
    """The one option that these words are most like: by its name, else by what it says and the others do not."""
    wanted = _tokens(choose)
    named = [option for option in effect.options if option.name and _tokens(option.name) == wanted]
    if len(named) == 1:
        return named[0]
    owned = [_words_in(option) for option in effect.options]
    common = frozenset.intersection(*owned) if len(owned) > 1 else frozenset()
    scores = [(_likeness(own - common, wanted - common), place) for place, own in enumerate(owned)]
    best = max(scores, key=lambda score: (score[0], -score[1]), default=(0.0, 0))
    alone = sum(score[0] == best[0] for score in scores) == 1
    return effect.options[best[1]] if best[0] > 0 and alone else None


def _likeness(own: frozenset[str], wanted: frozenset[str]) -> float:
    return len(wanted & own) / max(len(wanted | own), 1)


def _words_in(option: fx.Option) -> frozenset[str]:
    """The words of an option: its name, what it does as we say it, and the whole names of what is short there."""
    changed = {stat for part in fx.parts_of(option.do) if isinstance(part, fx.StatMod) for stat in part.stats}
    said = [option.name, *(words_of(part) for part in option.do), *(STATS.get(stat, "") for stat in changed)]
    return _tokens(" ".join(said)) - _tokens("attack by model each melee ranged")


#: characteristics as a text names them
STATS = {stat: words for words, stat in MODIFIED.items()} | {
    "A": "attacks characteristic", "Sv": "save", "W": "wounds", "M": "move", "Ld": "leadership", "OC": "objective control",
    "Range": "range",
}  # fmt: skip


def _tokens(words: str) -> frozenset[str]:
    kept = "".join(c if c.isalnum() else " " for c in words.lower())
    return frozenset(kept.split())


def doubt_words(name: str, doubts: Iterable[Condition], effect: Effect) -> list[str]:
    """What was left out of a rule and why."""
    told = [f"{name}: not told: {words_of(doubt)}" for doubt in doubts]
    return told or [f"{name}: not counted: {words_of(effect)}"]
