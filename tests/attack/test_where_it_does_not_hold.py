"""Rules met, each in the odds: where all it asks for holds its numbers change, and where one thing does not, none does.

A question is made for each rule from its own conditions: what would make each of them true, and what false. Rules that ask
for something a question cannot say are left out.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from battlewright import effects as fx
from battlewright.attack.fold import Given, fold
from battlewright.attack.request import read
from battlewright.rulestext import compile as compile_text
from battlewright.rulestext.report import HELD_OUT, entries

Question = dict[str, Any]
Party = str


class Fact(NamedTuple):
    """Something a rule asks for; ``make`` lets it hold in a question, or not."""

    words: str
    make: Callable[[Question, bool], None]


class Unsaid(Exception):
    """A question cannot say this."""


MOVED = {
    "charge": "charged", "advance": "advanced", "fall_back": "fell_back", "stationary": "stationary",
    "disembark": "disembarked", "set_up": "set_up",
}  # fmt: skip
PLAIN_ABILITIES = frozenset(
    (
        "lethal hits",
        "sustained hits",
        "devastating wounds",
        "ignores cover",
        "twin-linked",
        "lance",
        "precision",
        "anti",
    )
)


def question() -> Question:
    """A middling attack at a middling unit, of whom nothing else is said."""
    weapon = {"name": "stick", "A": 4, "skill": 4, "S": 8, "AP": -1, "D": "D6"}
    return {
        "edition": "10e",
        "attack": {"weapons": [weapon], "charged": True, "attacker": {"models": 5, "W": 3}},
        "target": {"groups": [{"models": 5, "T": 4, "W": 3, "Sv": 3}], "keywords": ["PLAIN"]},
        "situation": {
            "phase": "shooting",
            "turn": "attacker",
            "attacker": {"keywords": ["PLAIN"]},
            "target": {"keywords": ["PLAIN"]},
        },
    }


def side(party: Party, name: str, yes: Any, no: Any) -> Callable[[Question, bool], None]:
    return lambda asked, holds: asked["situation"][party].__setitem__(name, yes if holds else no)


def moment(name: str, yes: Any, no: Any) -> Callable[[Question, bool], None]:
    return lambda asked, holds: asked["situation"].__setitem__(name, yes if holds else no)


def keywords(party: Party, group: tuple[str, ...]) -> Callable[[Question, bool], None]:
    def make(asked: Question, holds: bool) -> None:
        have = asked["situation"][party]["keywords"]
        if holds:
            have.extend(word for phrase in group for word in (phrase, phrase.upper()) if word not in have)

    return make


def opposite(fact: Fact) -> Fact:
    return Fact(f"not {fact.words}", lambda asked, holds: fact.make(asked, not holds))


def facts(condition: fx.Condition | None, party: Party, owner: Party) -> Iterator[Fact]:
    """What must be so of this party; raises :class:`Unsaid`."""
    match condition:
        case None:
            return
        case fx.All(of=parts):
            for part in parts:
                yield from facts(part, party, owner)
        case fx.Not(of=inner):
            found = list(facts(inner, party, owner))
            if len(found) != 1:
                raise Unsaid("not all of these")
            yield opposite(found[0])
        case fx.About(who=who, holds=inner, every=False):
            yield from facts(inner, party_of(who, owner), owner)
        case fx.Keyword(any_of=groups):
            yield Fact(f"{party}: {groups}", keywords(party, groups[0]))
        case fx.Strength(level="below_half"):
            yield Fact(f"{party} below half", side(party, "below_half_strength", True, False))
        case fx.Strength(level="below_starting"):
            yield Fact(f"{party} below starting", side(party, "below_starting_strength", True, False))
        case fx.BattleShocked():
            yield Fact(f"{party} shocked", side(party, "battle_shocked", True, False))
        case fx.Engaged(by=None):
            yield Fact(f"{party} engaged", side(party, "engaged", True, False))
        case fx.HasState(name=name, low=1, high=None) if name != "this ability":
            yield Fact(f"{party} is {name}", side(party, "states", [name], []))
        case fx.Moved(kind=kind, since="turn") if kind in MOVED:
            yield Fact(f"{party} {kind}", side(party, MOVED[kind], True, False))
        case fx.OnObjective(control="any", where="any", name=""):
            yield Fact(f"{party} on an objective", side(party, "on_objective", "own", "none"))
        case fx.OnObjective(control="own", where="any", name="") if party == owner:
            yield Fact(f"{party} on an objective of its own", side(party, "on_objective", "own", "none"))
        case fx.Leading(who=None):
            yield Fact(f"{party} leads", side(party, "leading", True, False))
        case fx.AttackIs(kind="closest", distance=None):
            yield Fact("closest", moment("closest", True, False))
        case fx.AttackIs(kind="half_range"):
            yield Fact("half range", lambda asked, holds: asked["attack"].__setitem__("half_range", holds))
        case fx.AttackIs(kind="melee" | "ranged" as kind):
            yield kind_of(kind)
        case fx.Within(distance=fx.Amount(n=n, per=None, ref=None), of=of) if (
            n.constant and party_of(of, owner) != party
        ):
            yield Fact(f"within {n}", moment("range_in", n.constant - 0.5, n.constant + 4))
        case fx.Compare(left="attack.S", op=">", right="target.T"):
            yield Fact("S > T", lambda asked, holds: asked["target"]["groups"][0].__setitem__("T", 4 if holds else 10))
        case _:
            raise Unsaid(str(condition))


def kind_of(kind: str) -> Fact:
    other = {"melee": "ranged", "ranged": "melee"}[kind]
    return Fact(kind, moment("attack_type", kind, other))


def party_of(who: fx.Select, owner: Party) -> Party:
    if who.ref in ("attacker", "target"):
        return who.ref
    if who.ref in ("self", "unit", "led") or who.name == "your unit":
        return owner
    if who.what == "model" and who.of is not None and who.where is None:
        return party_of(who.of, owner)
    raise Unsaid(f"who is {who}")


def of_select(select: fx.Select | None, party: Party, owner: Party) -> Iterator[Fact]:
    """What makes a party of an attack one of these."""
    if select is None:
        return
    if select.ref is not None or select.name is not None:
        if party_of(select, owner) != party:
            raise Unsaid("another party")
        yield from facts(select.where, party, owner)
        return
    if select.other or select.count.kind not in ("each", "one", "any", "all"):
        raise Unsaid("how many")
    if isinstance(select.where, fx.Not) and select.of is not None:
        raise Unsaid("which of its models")
    yield from facts(select.where, party, owner)
    yield from of_select(select.of, party, owner)


def asks_for(clause: fx.Clause) -> tuple[Party, list[Fact]]:
    """Whose rule it is, and all it asks for before it acts on an attack."""
    when = clause.when
    assert isinstance(when, fx.PerAttack)
    whose = when.attacker.of or when.attacker if when.attacker is not None else None
    owner = "target" if whose is not None and whose.side == "enemy" else when.role
    found = [kind_of(when.kind)] if when.kind != "any" else []
    if isinstance(when.weapon, fx.Named):
        name = when.weapon.name
        found.append(
            Fact(name, lambda asked, holds: asked["attack"]["weapons"][0].update(name=name if holds else "stick"))
        )
    elif when.weapon is not None:
        raise Unsaid("which weapon")
    found += of_select(when.attacker, "attacker", owner)
    found += of_select(when.target, "target", owner)
    found += facts(clause.holds, owner, owner)
    return owner, found


def shows(effect: fx.Effect) -> bool:
    """Does this effect change a number of every attack?"""
    match effect:
        case fx.RollMod(roll="hit" | "wound", who=None) | fx.Reroll(roll="hit" | "wound" | "damage", who=None):
            return True
        case fx.StatMod(stats=stats, on="attack"):
            return bool({"S", "AP", "D", "A"} & set(stats))
        case fx.Grant(what="weapon_ability", name=name, against=None):
            return name in PLAIN_ABILITIES
        case fx.CritOn():
            return True
    return False


def rules_met(shared: Path) -> Iterator[tuple[str, fx.Rule, fx.Clause, Party, list[Fact]]]:
    """Rules of one clause about attacks, of factions that may be looked at, with what they ask for."""
    texts = {one["text"]: one for one in entries(shared / "corpus") if one["faction"] not in HELD_OUT}
    for one in texts.values():
        if "attack" not in one["text"] and "weapons" not in one["text"]:
            continue
        rule = compile_text(one["text"], name=one["name"], kind=one["kind"])  # type: ignore[arg-type]
        clause = rule.clauses[0] if len(rule.clauses) == 1 else None
        if rule.status != "full" or clause is None or not isinstance(clause.when, fx.PerAttack):
            continue
        if clause.limits or rule.limits or clause.may or not any(shows(effect) for effect in clause.do):
            continue
        try:
            owner, found = asks_for(clause)
        except Unsaid:
            continue
        if found:
            yield one["id"], rule, clause, owner, found


def folded(asked: Question, rule: fx.Rule, owner: Party) -> tuple[Any, Any]:
    """The numbers without the rule, and with it."""
    request = read(asked)
    without: dict[Any, list[Given]] = {"attacker": [], "target": []}
    return fold(request, without).request, fold(request, {**without, owner: [Given(rule)]}).request


def judged(ident: str, rule: fx.Rule, owner: Party, found: list[Fact]) -> list[str]:
    """What is wrong: nothing changes where all holds, or something where one thing does not."""

    def asked(but: int | None) -> Question:
        made = copy.deepcopy(question())
        for number, fact in sorted(enumerate(found), key=lambda pair: pair[0] == but):
            fact.make(made, number != but)
        return made

    before, after = folded(asked(None), rule, owner)
    wrong = [f"{ident}: nothing changes where it holds"] if before == after else []
    for number, fact in enumerate(found):
        before, after = folded(asked(number), rule, owner)
        if before != after:
            wrong.append(f"{ident}: acts though not “{fact.words}”")
    return wrong


def test_rules_met_act_where_they_hold_and_nowhere_else(shared: Path) -> None:
    rules = list(rules_met(shared))
    assert len(rules) >= 200
    wrong = [fault for ident, rule, _, owner, found in rules for fault in judged(ident, rule, owner, found)]
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        'Each time a model in this unit makes a ranged attack that targets a RED GUARD unit within 12", '
        "add 1 to the Hit roll.",
        "Each time this model makes a melee attack, if it made a Charge move this turn, re-roll a Wound roll of 1.",
        "Each time an attack targets this unit, if this unit is within range of an objective marker you control and the "
        "Strength characteristic of that attack is greater than the Toughness characteristic of this unit, subtract 1 "
        "from the Wound roll.",
        "While this model is leading a unit, each time a model in that unit makes an attack that targets a unit that is "
        "not below its Starting Strength, that attack has the [LETHAL HITS] ability.",
    ],
    ids=lambda text: text[:40],
)
def test_invented_rules_too(text: str) -> None:
    rule = compile_text(text)
    owner, found = asks_for(rule.clauses[0])
    assert len(found) >= 2
    assert judged("invented", rule, owner, found) == []
