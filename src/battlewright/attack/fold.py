"""Rules as data folded into the plain numbers of one attack.

:func:`apply_rules` takes an odds request and the rules of both sides, asks of every clause whether it acts on this
attack, and returns the request as it would have been written with plain numbers only. A condition the question does not
answer leaves its effect out and is listed. Rules: 10e T-1.5, T-1.6, T-1.7, T-6; 11e 02.02.01, 05, 24.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from battlewright import effects as fx
from battlewright.attack import change
from battlewright.attack.numbers import LIMITS, ORDERS, Rest, Tally, changed, target_after, weapon_after
from battlewright.attack.request import Request, RuleAnswer, RuleText
from battlewright.attack.request import read as read_request
from battlewright.attack.situation import PARTIES, Party, Scene, Tri, as_plain, both, other
from battlewright.attack.triggers import acts
from battlewright.attack.truth import View, holds, is_it, key_of, said_of
from battlewright.dice import Dice
from battlewright.effects import Clause, EditionId, Effect, Rule, RuleKind
from battlewright.effects_words import words_of


class Given(NamedTuple):
    """A rule as the question gives it: compiled, and the words of the option chosen; ``option``: its number instead.

    ``names`` the rule knows already, and which unit each stands for (None: neither of the two).
    """

    rule: Rule
    choose: str = ""
    option: int | None = None
    names: tuple[tuple[str, Party | None], ...] = ()


class Folded(NamedTuple):
    """The request without rules, an answer a rule, and what was left out because the question does not say."""

    request: Request
    answers: tuple[RuleAnswer, ...]
    assumed: tuple[str, ...]
    owners: tuple[Party, ...] = ()
    """Whose rule each answer is about, in the order of ``answers``."""


def apply_rules(request: Request) -> Folded:
    """Compile the rules texts of a request and fold them into its numbers."""

    def given(text: RuleText) -> Given:
        return Given(_compiled(text, request.edition), text.choose or "")

    sides: dict[Party, list[Given]] = {
        "attacker": [*map(given, request.rules.attacker)],
        "target": [*map(given, request.rules.target)],
    }
    folded = fold(request, sides)
    idle = [each for side in sides.values() for each in side if each.choose and not _has_options(each.rule)]
    said = (f"{each.rule.name}: has no option to choose, “{each.choose}” changes nothing" for each in idle)
    return folded._replace(assumed=tuple(dict.fromkeys([*folded.assumed, *said])))


def _has_options(rule: Rule) -> bool:
    """Is there anything to choose in a rule, at any depth?"""
    return any(isinstance(part, fx.Choose) for part in fx.parts_of(rule))


def _compiled(text: RuleText, edition: EditionId) -> Rule:
    """The text as a rule. One with WHEN and EFFECT is a stratagem: it was used on this unit."""
    from battlewright.rulestext import compile as compile_text
    from battlewright.rulestext.layout import parts
    from battlewright.rulestext.normalise import clean

    labels = parts(clean(text.text).plain)
    kind: RuleKind = "stratagem" if {"when", "effect"} <= set(labels) else "other"
    return compile_text(text.text, name=text.name, kind=kind, edition=edition)


def fold(request: Request, given: Mapping[Party, Sequence[Given]]) -> Folded:
    """Fold the rules of both sides into the request.

    Where the weapons meet different targets (a save against ranged attacks only), a weapon carries its own ``meets``.

    >>> from battlewright.attack.request import read
    >>> from battlewright.effects import Amount, Clause, PerAttack, RollMod
    >>> rule = Rule("Steady", (Clause((RollMod("hit", Amount()),), when=PerAttack()),))
    >>> question = read({"edition": "11e", "attack": {"weapons": [{"skill": 4, "S": 4}]},
    ...                  "target": {"groups": [{"models": 1, "T": 4, "W": 1, "Sv": 4}]}})
    >>> fold(question, {"attacker": [Given(rule)]}).request.attack.weapons[0].hit_mod
    1
    """
    return _folded(request, _options_taken(request, given))


def _folded(request: Request, given: Mapping[Party, Sequence[Given]]) -> Folded:
    scene = _known_numbers(Scene.of(request), given)
    tallies, notes = _tally_all(scene, given)
    plain = as_plain(request)
    plain.pop("rules", None)
    plain["attack"] = _attack_after(scene, tallies)
    plain["target"] = _meet(scene, tallies, plain["attack"]["weapons"])
    _keep_for_best(plain["attack"], plain["target"])
    assumed = dict.fromkeys(words for note in notes for words in note.assumed)
    assumed |= dict.fromkeys(words for tally in tallies for words in tally.impossible)
    answers, owners = tuple(note.answer() for note in notes), tuple(note.party for note in notes)
    return Folded(read_request(plain), answers, tuple(assumed), owners)


def _keep_for_best(attack: dict[str, Any], target: dict[str, Any]) -> None:
    """Of several weapons, what is used once is kept for the one on which it is worth most."""
    weapons = attack["weapons"]
    if len(weapons) > 1 and any(weapon.get("reroll_one") for weapon in weapons):
        attack.setdefault("reroll_one_from", "best")
    met = [target, *(weapon["meets"] for weapon in weapons if weapon.get("meets"))]
    spares = any(one.get("reroll_one_save") or any(g.get("no_damage") for g in one["groups"]) for one in met)
    if len(weapons) > 1 and spares:
        target.setdefault("spare_from", "best")


def _options_taken(request: Request, given: Mapping[Party, Sequence[Given]]) -> dict[Party, list[Given]]:
    """The rules with the option that is best for their owner, where the question does not say which is chosen."""
    rules: dict[Party, list[Given]] = {party: list(given.get(party, ())) for party in PARTIES}
    _, notes = _tally_all(_known_numbers(Scene.of(request), given), given)
    undecided = {id(note.rule): note.options for note in notes if note.options}
    for party, mine in rules.items():
        for place, one in enumerate(mine):
            trials = [one._replace(option=option) for option in range(undecided.get(id(one.rule), 0))]
            if trials:
                worths = [
                    _worth(request, {**rules, party: [*mine[:place], trial, *mine[place + 1 :]]}) for trial in trials
                ]
                best = max(worths) if party == "attacker" else min(worths)
                if any(worth != _worth(request, rules) for worth in worths):
                    mine[place] = trials[worths.index(best)]
    return rules


def _worth(request: Request, given: Mapping[Party, Sequence[Given]]) -> float:
    """What the attacker wants as large as can be, the target as small."""
    from battlewright.attack.advice import settle
    from battlewright.attack.exact import resolve
    from battlewright.attack.plan import build

    found = resolve(build(settle(_folded(request, given).request, request.aim)))
    if request.aim == "p_destroyed":
        return round(float(found.p_destroyed), 12)
    return round(float((found.damage if request.aim == "damage" else found.slain).mean), 12)


@dataclass
class Notes:
    """What is noted of one rule while it is folded in."""

    rule: Rule
    party: Party
    applied: dict[str, None] = field(default_factory=dict)
    assumed: dict[str, None] = field(default_factory=dict)
    options: int = 0

    def answer(self) -> RuleAnswer:
        unread = tuple(part.text for part in self.rule.unread)
        return RuleAnswer(self.rule.name, self.rule.status, tuple(self.applied), unread)


def _known_numbers(scene: Scene, given: Mapping[Party, Sequence[Given]]) -> Scene:
    """The scene with Strength, Toughness and cover after changes, so that rules may ask for them."""
    tallies, _ = _tally_all(scene, given)
    order = ORDERS[scene.edition]
    strength, toughness, covered = {}, {}, set()
    for number, (weapon, tally) in enumerate(zip(scene.attack["weapons"], tallies, strict=True)):
        if weapon.get("S") is not None:
            after = changed(Dice.parse(weapon["S"]), tally.stats.get("S", ()), order, LIMITS["S"])
            strength[number] = after.bonus
        target = target_after(scene.target, tally, scene.edition)
        groups = target["groups"]
        if target.get("cover"):
            covered.add(number)
        body = [group for group in groups if not group.get("character")] or groups
        toughness[number] = max(int(group["T"]) for group in body)
    alone = len(tallies) == 1 and _one_attack(_attack_after(scene, tallies)["weapons"][0])
    return replace(scene, strength=strength, toughness=toughness, covered=frozenset(covered), one_die=alone)


def _one_attack(weapon: Mapping[str, Any]) -> bool:
    """One attack, and no more dice of it: "re-roll one die" is then to re-roll any."""
    more = any(weapon.get(name) for name in ("sustained", "blast", "cleave", "rapid_fire"))
    return str(weapon.get("A", 1)) == "1" and weapon.get("count", 1) == 1 and not more


def _tally_all(scene: Scene, given: Mapping[Party, Sequence[Given]]) -> tuple[list[Tally], list[Notes]]:
    tallies = [Tally() for _ in scene.attack["weapons"]]
    answers = []
    for party in PARTIES:
        for one in _distinct(given.get(party, ())):
            notes = Notes(one.rule, party)
            for number, tally in enumerate(tallies):
                Fold(tally, notes, one).rule(View.of(scene, party, number, one.names))
            answers.append(notes)
    return tallies, answers


def _distinct(given: Iterable[Given]) -> list[Given]:
    """The same aura acts once, however many bearers stand near (10e T-1.7)."""
    seen: set[str] = set()
    kept = []
    for one in given:
        aura = "aura" in one.rule.tags
        if not (aura and one.rule.name in seen):
            kept.append(one)
        if aura:
            seen.add(one.rule.name)
    return kept


def _attack_after(scene: Scene, tallies: Sequence[Tally]) -> dict[str, Any]:
    attack = dict(scene.attack)
    rest = Rest(scene.attack, scene.target, scene.edition)
    attack["weapons"] = [
        weapon_after(weapon, tally, rest, melee=scene.melee(number))
        for number, (weapon, tally) in enumerate(zip(scene.attack["weapons"], tallies, strict=True))
    ]
    for name in ("charged", "stationary"):
        said = getattr(scene.situation.attacker, name)
        if said is not None and name not in attack:
            attack[name] = said
    return attack


def _meet(scene: Scene, tallies: Sequence[Tally], weapons: list[dict[str, Any]]) -> dict[str, Any]:
    """The target after the rules; a weapon that meets it differently carries its own."""
    targets = [target_after(scene.target, tally, scene.edition) for tally in tallies]
    common = targets[0] if all(one == targets[0] for one in targets) else dict(scene.target)
    for weapon, target in zip(weapons, targets, strict=True):
        if target != common:
            weapon["meets"] = target
    return common


# ------------------------------------------------------------------------------------------------ walking one rule


@dataclass
class Fold:
    """Walks one rule for one weapon and notes in the tally what acts."""

    tally: Tally
    notes: Notes
    given: Given

    def rule(self, view: View) -> None:
        """All clauses. Whom a stratagem targets is known: it was used on this unit, and on this enemy where it says so."""
        rule = self.given.rule
        if rule.target is not None:
            view = replace(view.binding(rule.target, view.owner), subject=None)
        if rule.also_target is not None and rule.also_target.side == "enemy":
            enemy = other(view.owner)
            if is_it(rule.also_target, enemy, view) is not False:
                view = replace(view.binding(rule.also_target, enemy), subject=None)
        for clause in rule.clauses:
            view = self.clause(clause, replace(view, doubts=[]))

    def clause(self, clause: Clause, view: View, gate: Tri = True) -> View:
        """One clause; returns the view with the names it bound."""
        used = self.given.rule.kind == "stratagem"
        met, inside = acts(clause, view, used=used)
        inside = _of_criticals(clause.holds, inside)
        for condition in () if clause.holds is None else (clause.holds,):
            met = both(met, holds(condition, inside))
        met = both(gate, met)
        inside = inside.with_leaders(clause.holds)
        if met is False or not self._wanted(clause, inside):
            return view
        inside = replace(inside, once=inside.once or bool(clause.limits or self.given.rule.limits))
        cost = _cost(clause.do, inside)
        if cost is not None or clause.may:
            inside = replace(inside, unpaid=cost)
        if cost is not None:
            met = both(met, None)
            inside.doubts.append(cost)
        after = self._effects(clause.do, inside, met)
        known = view if not met else replace(view, bound=inside.bound, states=inside.states)
        return replace(known, unpaid=after.unpaid)

    def _wanted(self, clause: Clause, view: View) -> bool:
        """Is an optional clause used? Where it helps the one who chooses."""
        if clause.may is None:
            return True
        chooser = view.owner if clause.may == "you" else other(view.owner)
        return change.helps(clause.do, view, chooser) is not False

    def _effects(self, effects: Iterable[Effect], view: View, gate: Tri) -> View:
        effects = tuple(effects)
        if view.critical and any(isinstance(effect, fx.DamageTo) for effect in effects):
            view = replace(view, ended=True)
        for effect in effects:
            view = self._effect(effect, view, gate)
        return view

    def _effect(self, effect: Effect, view: View, gate: Tri) -> View:
        match effect:
            case Clause():
                return self.clause(effect, view, gate)
            case fx.If():
                self._branch(effect, view, gate)
            case fx.Choose():
                self._choice(effect, view, gate)
            case fx.Pick(who=who):
                return self._picked(who, view)
            case fx.Give(who=who, do=do):
                for party in PARTIES:
                    self._effects(do, replace(view, owner=party), both(gate, is_it(who, party, view)))
            case fx.SetState(name=name, who=who, clear=False) if gate and self.given.rule.kind == "stratagem":
                marked = {(p, key_of(name)) for p in PARTIES if is_it(who, p, view)} if who else set()
                return replace(view, states=view.states | marked)
            case _:
                self._plain(effect, view, gate)
        return view

    def _branch(self, effect: fx.If, view: View, gate: Tri) -> None:
        """``then`` or ``otherwise``. Not knowing leaves ``then`` out; what it replaces stands as without it."""
        inside = _of_criticals(effect.holds, view)
        answer = holds(effect.holds, inside)
        if answer is None and _unread(effect.holds):
            gate = both(gate, None)
        if answer is not False:
            self._effects(effect.then, inside, both(gate, answer))
        if answer is False or (answer is None and effect.then):
            self._effects(effect.otherwise, view, gate)
        elif answer is None or inside.critical != view.critical:
            self._effects(effect.otherwise, view, None)

    def _choice(self, effect: fx.Choose, view: View, gate: Tri) -> None:
        taken = change.chosen(effect, self.given.choose, self.given.rule)
        ways = change.ways(effect)
        if taken is None and self.given.option is not None and self.given.option < len(ways):
            taken = ways[self.given.option]
            said = " and ".join(one.name or ", ".join(words_of(part) for part in one.do) for one in taken)
            best = "the best option is" if len(taken) == 1 else "the best options are"
            self.notes.assumed[f"{self.given.rule.name}: {best} taken: {said}"] = None
        if taken is None:
            if any(change.touches(option.do, view) for option in effect.options):
                if effect.whose == "you" and not effect.random and not self.given.choose:
                    self.notes.options = max(self.notes.options, len(ways))
                self.notes.assumed[f"{self.given.rule.name}: not told: which option is chosen"] = None
            return
        if len(effect.options) > 1 and not self.given.choose:
            view = replace(view, scene=replace(view.scene, one_die=False))  # of two rolls, which is known after both
        for one in taken:
            allowed = True if one.when is None else holds(one.when, view)
            self._effects(one.do, view, both(gate, allowed))

    def _picked(self, who: fx.Select, view: View) -> View:
        """What is picked: the unit of this attack that fits, since it is picked where it helps."""
        for party in (other(view.owner), view.owner):
            if is_it(who, party, view):
                return replace(view.binding(who, party), subject=view.subject)
        return view

    def _plain(self, effect: Effect, view: View, gate: Tri) -> None:
        change_of = change.of(effect, view, self.given.rule.edition)
        if change_of is None:
            return
        met = both(gate, change_of.met)
        if met:
            change_of.note(self.tally)
            self.notes.applied[words_of(effect)] = None
        elif met is None:
            self.notes.assumed.update(dict.fromkeys(change.doubt_words(self.given.rule.name, view.doubts, effect)))


def _cost(effects: Iterable[Effect], view: View) -> fx.PoolHas | None:
    """What these effects spend; None where it is nothing, or the question names it."""
    for effect in effects:
        match effect:
            case fx.Pool(name=name, change="spend", amount=amount):
                cost = fx.PoolHas(name, amount.n.constant or 1)
            case fx.Cp(amount=amount, sign=-1, whose="you"):
                cost = fx.PoolHas("CP", amount.n.constant or 1)
            case _:
                continue
        if not said_of(cost.name, view):
            return cost
    return None


def _of_criticals(condition: fx.Condition | None, view: View) -> View:
    """The view of what holds for critical hits or wounds only, where the condition says so."""
    match condition:
        case fx.AttackIs(kind="critical_hit" | "critical_wound" as kind):
            return replace(view, critical=kind)
        case fx.All(of=inner):
            for one in inner:
                view = _of_criticals(one, view)
        case fx.About(holds=one):
            return _of_criticals(one, view)
    return view


def _unread(condition: fx.Condition) -> bool:
    """Does the condition hold a part that was not read?"""
    match condition:
        case fx.Unknown():
            return True
        case fx.All(of=inner) | fx.Any(of=inner):
            return any(map(_unread, inner))
        case fx.Not(of=one) | fx.About(holds=one):
            return _unread(one)
        case _:
            return False
