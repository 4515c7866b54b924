"""What rules make of ranges, take from units, and heal; and what they say of rolls that nobody tells of."""

from __future__ import annotations

import pytest

from battlewright.battle.reminders import is_enforced
from battlewright.dice import Dice
from battlewright.effects import (
    Amount,
    BattleShocked,
    Clause,
    Condition,
    Cp,
    EditionId,
    Event,
    Grant,
    Heal,
    IgnoreMods,
    PerAttack,
    Remove,
    Reroll,
    Rule,
    Select,
    StatMod,
    Window,
)
from conftest import asked, offered, sheet, unit, weapon, with_unit_rule

ME = Select(ref="unit")
MINE = Select("model", of=ME)


def number(n: int) -> Amount:
    return Amount(Dice.parse(n))


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize(("only_if", "reaches"), [(None, True), (BattleShocked(), False)])
def test_a_longer_range_reaches_farther(table, edition: EditionId, only_if: Condition | None, reaches: bool) -> None:
    """A 12" gun with 6" more at 17"; not where the condition fails, and not the blade."""
    longer = Clause(
        (StatMod(("Range",), "add", number(6), "attack"),), PerAttack(attacker=MINE, kind="ranged"), only_if
    )
    rule = Rule("Long eyes", (longer,))
    assert is_enforced(rule)
    units = [unit("a1", "A", [(20, 22)], sheet(weapons=[weapon("gun", 12), weapon("blade", "Melee")])),
             unit("a2", "A", [(28, 22)]), unit("b1", "B", [(38.2, 22)])]  # fmt: skip
    battle = with_unit_rule(table(edition, "shooting", units), rule)
    assert (battle.table.rules.weapon_range(0, battle.table.model(0).weapons[0]) == 18) is reaches
    assert battle.table.rules.weapon_range(0, battle.table.model(0).weapons[1]) == 0


@pytest.mark.parametrize(("only_if", "kept"), [(None, False), (BattleShocked(), True)])
def test_an_ability_and_a_keyword_are_taken(table, only_if: Condition | None, kept: bool) -> None:
    sly = sheet(keywords=["INFANTRY", "SMOKE"], abilities=[{"name": "Lone Operative", "kind": "core"}])
    battle = table("10e", "shooting", [unit("a1", "A", [(20, 22)], sly), unit("b1", "B", [(38, 22)])])
    rule = Rule("Seen", (Clause((Remove("unit_ability", "lone operative", ME),), holds=only_if),))
    assert is_enforced(rule)
    battle = with_unit_rule(battle, rule)
    assert bool(battle.table.rules.core(0, "lone operative")) is kept
    assert not is_enforced(Rule("Lost", (Clause((Remove("ability", "fancy footwork", ME),)),)))
    bare = Rule("Bare", (Clause((Remove("keyword", "SMOKE", ME), Grant("keyword", keywords=("PILOT",), who=ME))),))
    battle = with_unit_rule(
        table("10e", "shooting", [unit("a1", "A", [(20, 22)], sly), unit("b1", "B", [(38, 22)])]), bare
    ).copy()
    assert {"SMOKE", "PILOT"} & battle.table.keywords(0) == {"PILOT"}


def test_modifiers_of_any_kind_may_be_ignored(table) -> None:
    slow = StatMod(("M",), "subtract", number(2), who=ME)
    for of, left in ((("characteristics", "rolls"), 6), (("hit",), 4)):
        rule = Rule("Firm", (Clause((slow, IgnoreMods(of, who=ME))),))
        battle = table("10e", "movement", [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(38, 22)])])
        assert with_unit_rule(battle, rule).table.rules.stat(0, "M") == left


@pytest.mark.parametrize(("edition", "wounds"), [("11e", [0, 1, 2, 2]), ("10e", [0, 0, 2, 2])])
def test_a_unit_that_heals_revives_its_models_now(table, edition: EditionId, wounds: list[int]) -> None:
    """Two wounds healed: the wounded model has one back, and a destroyed one returns with one (11e 02.02.04)."""
    rule = Rule("Mend", (Clause((Heal(number(2), ME),), Event("selected_to_shoot", ME)),))
    assert is_enforced(rule)
    units = [
        unit("a1", "A", [(20, 22), (22, 22), (24, 22), (26, 22)], wounds=[2, 1, 0, 0]),
        unit("b1", "B", [(34, 22)]),
    ]
    battle = with_unit_rule(table(edition, "shooting", units), rule)
    battle.play("select a1")
    while asked(battle) == "SetUpUnit":
        battle.play(offered(battle)[0])
    assert sorted(battle.state.model[:4, 4].tolist()) == wounds


def test_nothing_but_a_re_roll_is_told_of_a_roll() -> None:
    made = Event("roll_made", ME, kinds=("save",), edge="after")
    assert is_enforced(Rule("Again", (Clause((Reroll("save", "one"),), made),)))
    assert not is_enforced(Rule("Gain", (Clause((Cp(number(1)),), made),)))
    inner = Clause((Clause((Cp(number(1)),), made),), Window(("fight",)))
    assert not is_enforced(Rule("Inner", (inner,)))
