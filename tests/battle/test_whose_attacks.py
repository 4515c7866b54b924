"""Rules that change attacks while they last: whose, at whom, and nobody else's."""

from __future__ import annotations

import pytest

from battlewright.battle.attacks import plan_against
from battlewright.battle.choices import Shot
from battlewright.battle.engine import Battle
from battlewright.battle.reminders import is_enforced
from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Amount,
    Clause,
    Count,
    Duration,
    HasAbility,
    Pick,
    Rule,
    Select,
    StatMod,
    Strength,
    Visible,
    Window,
)
from conftest import asked, offered, sheet, unit, weapon, with_unit_rule

GUN = weapon("gun", A=2)
ME = Select(ref="unit")
WHEN = "Each time this unit is selected to shoot, "
OURS, THEIRS = ("a1>b1", "a1>b2", "a2>b1", "a3>b1"), ("b1>a1", "b1>a2", "b2>a2")


def hits(battle: Battle, attack: str) -> int:
    """With how many faces of a die the one hits the other."""
    t = battle.table
    names = attack.split(">")
    attacker, target = (t.index(name) for name in names)
    assert attacker is not None
    assert target is not None
    plan, _ = plan_against(t, attacker, target, (Shot(f"{names[0]}#0", 0, names[1]),), "normal")
    return sum(hit.hits > 0 for hit in plan.batches[0].hit)


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("until the end of the phase, each time a model in this unit makes an attack, add 1 to the Hit roll.",
         {"a1>b1": 5, "a1>b2": 5}),
        ("until the end of the phase, each time a model in this unit makes an attack that targets an Infantry unit, add 1"
         " to the Hit roll.", {"a1>b1": 5, "a1>b2": 5}),
        ("select one enemy unit. Until the end of the phase, each time a friendly unit makes an attack that targets that"
         " unit, add 1 to the Hit roll.", {"a1>b1": 5, "a2>b1": 5, "a3>b1": 5}),
        ("select one enemy unit. Until the start of your next turn, each time a model in that unit makes an attack,"
         " subtract 1 from the Hit roll.", {"b1>a1": 3, "b1>a2": 3}),
        ("select one other friendly unit. Until the end of the phase, each time a model in that unit makes an attack, add"
         " 1 to the Hit roll.", {"a2>b1": 5}),
        ("until the start of your next turn, each time an attack targets this unit, subtract 1 from the Hit roll.",
         {"b1>a1": 3}),
    ],
)  # fmt: skip
def test_only_the_attacks_a_rule_speaks_of_are_changed(table, edition: str, text: str, changed: dict[str, int]) -> None:
    """Rules: 11e 05.01; 10e T-6.1: of a unit picked, of the bearer, at a unit picked, at the bearer."""
    having = sheet(weapons=[GUN], abilities=[{"name": "Test Rule", "text": WHEN + text}])
    plain = sheet(weapons=[GUN])
    units = [unit("a1", "A", [(20, 22)], having), *(unit(f"a{n}", "A", [(20, 22 + 4 * n)], plain) for n in (2, 3))]
    units += [unit(f"b{n}", "B", [(35, 22 + 4 * n)], plain) for n in (1, 2)]
    battle = table(edition, "shooting", units, dice=[1] * 60)
    assert battle.not_enforced() == ()
    battle.play("select a1")
    while asked(battle) in ("React", "PickUnit"):
        battle.play(next(choice for choice in offered(battle) if choice != "pass"))
    assert {attack: hits(battle, attack) for attack in OURS + THEIRS} == {
        attack: changed.get(attack, 4) for attack in OURS + THEIRS
    }


AURAS = {
    "While a friendly Infantry unit is within 6\" of this model, each time a model in that unit makes an attack, add 1 to"
    " the Hit roll.": {"a1>b1": 5, "a1>b2": 5, "a2>b1": 5},
    "Each time a friendly Infantry model within 6\" of this model makes an attack, add 1 to the Hit roll.":
    {"a1>b1": 5, "a1>b2": 5, "a2>b1": 5},
    "While an enemy unit is within 16\" of this model, each time a model in that unit makes an attack, subtract 1 from the"
    " Hit roll.": {"b1>a1": 3, "b1>a2": 3},
    "While a friendly Infantry unit is within 6\" of this model, each time an attack targets that unit, subtract 1 from"
    " the Hit roll.": {"b1>a1": 3, "b1>a2": 3, "b2>a2": 3},
    "Each time a model in this unit makes an attack, add 1 to the Hit roll.": {"a1>b1": 5, "a1>b2": 5},
}  # fmt: skip


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("text", AURAS)
def test_an_aura_changes_the_attacks_of_those_within_it(table, edition: str, text: str) -> None:
    """By, and at, the units near its bearer, and no others. Rules: 11e 24; 10e T-1.7."""
    infantry = {"weapons": [GUN], "keywords": ["INFANTRY"]}
    having = sheet(abilities=[{"name": "Test Rule (Aura)", "text": text}], **infantry)
    plain = sheet(**infantry)
    units = [
        unit("a1", "A", [(20, 22)], having),
        unit("a2", "A", [(20, 26)], plain),
        unit("a3", "A", [(20, 36)], plain),
    ]
    units += [unit("b1", "B", [(35, 22)], plain), unit("b2", "B", [(40, 40)], plain)]
    battle = table(edition, "shooting", units)
    assert battle.not_enforced() == ()
    assert {attack: hits(battle, attack) for attack in OURS + THEIRS} == {
        attack: AURAS[text].get(attack, 4) for attack in OURS + THEIRS
    }


def test_a_rule_may_hang_on_what_rules_give(table) -> None:
    """What is always on may ask for an ability, for who is seen: which other rules may change."""
    asks = (HasAbility("lone operative"), Visible(Select(side="enemy")), Strength("at_starting"))
    for ask in asks:
        rule = Rule(
            "Calm", (Clause((StatMod(("M",), "add", Amount(Dice.parse(2)), on="model"),), holds=About(ME, ask)),)
        )
        assert is_enforced(rule)
        plain = sheet(weapons=[GUN])
        battle = table("11e", "movement", [unit("a1", "A", [(20, 22)], plain), unit("b1", "B", [(30, 22)], plain)])
        t = with_unit_rule(battle, rule).table
        assert t.rules.stat(0, "M") - t.model(0).profile.M == (0 if isinstance(ask, HasAbility) else 2)


def test_what_may_be_done_in_a_phase_is_done_once_in_it(table) -> None:
    """No limit is said; it could be done for ever."""
    pick = Pick(Select(side="enemy", count=Count("one"), bind="picked"), may=True)
    slow = StatMod(("M",), "subtract", Amount(Dice.parse(1)), on="model", who=Select(ref="bound", name="picked"))
    rule = Rule("Found", (Clause((pick, slow), Window(("movement",), "your", edge="during"), lasts=Duration("turn")),))
    assert is_enforced(rule)
    plain = sheet(weapons=[GUN])
    battle = table("11e", "movement", [unit("a1", "A", [(20, 22)], plain), unit("b1", "B", [(50, 22)], plain)])
    with_unit_rule(battle, rule)
    use = next(choice for choice in offered(battle) if choice.startswith("use"))
    battle.play(use)
    battle.play("select b1")
    assert battle.table.rules.stat(1, "M") == battle.table.model(1).profile.M - 1
    assert use not in offered(battle)
