"""What a battle keeps because a rule asks for it: which weapon hit whom, who lost models, who destroyed whom, and where."""

from __future__ import annotations

import pytest

from battlewright.battle.engine import Battle
from battlewright.battle.judge import Context, holds, is_understood
from battlewright.battle.reminders import is_enforced
from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Amount,
    Clause,
    Count,
    Destroy,
    Event,
    HasDestroyed,
    HitBy,
    Keyword,
    Mortal,
    Named,
    NearEdge,
    Pick,
    RollSet,
    Rule,
    Select,
    Window,
)
from conftest import asked, offered, sheet, unit, weapon, with_unit_rule

ME, ONE = Select(ref="unit"), Amount(Dice.parse(1))
BLAST = Mortal(ONE, Select(ref="bound", name="picked"))
TOUGH = sheet(profile={"W": 3})


def with_rule(battle: Battle, rule: Rule) -> Battle:
    """The battle in which the first unit has this rule alone."""
    assert is_enforced(rule)
    return with_unit_rule(battle, rule)


def pass_to_the_end(battle: Battle) -> list[list[str]]:
    """Take the first answer to everything until another player's turn; what was offered to pick among."""
    picked, turn = [], battle.state.turn
    while not battle.over and battle.state.turn == turn:
        if asked(battle) == "PickUnit":
            picked.append(offered(battle))
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    return picked


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("name", ["big gun", "small gun"])
def test_only_whom_the_named_weapon_hit_is_picked(table, edition: str, name: str) -> None:
    """Of two enemies each hit by another weapon. Rules: 11e 04; 10e T-5."""
    where = HitBy(how="hit", weapon=Named(name))
    pick = Pick(Select(side="enemy", where=where, count=Count("one"), bind="picked"))
    rule = Rule("Mark", (Clause((pick, BLAST), Event("has_shot", ME, edge="after")),))
    guns = sheet(weapons=[weapon("big gun", A=1, BS="3+"), weapon("small gun", A=1, BS="3+")])
    units = [unit("a1", "A", [(20, 22)], guns), *(unit(f"b{n}", "B", [(30, 20 + 4 * n)], TOUGH) for n in (1, 2))]
    battle = with_rule(table(edition, "shooting", units, dice=[6, 1, 6, 1, *[1] * 9]), rule)
    battle.play("select a1")
    battle.play("declare a1#0.0>b1 a1#0.1>b2")
    hit = "b1" if name == "big gun" else "b2"
    while asked(battle) == "PickUnit":
        assert offered(battle) == [f"select {hit}"]
        battle.play(offered(battle)[0])
    assert [int(w) for w in battle.state.model[1:, 4]] == [2 if hit == "b1" else 3, 2 if hit == "b2" else 3]


@pytest.mark.parametrize(("wounds", "loses"), [(1, True), (2, False)])
def test_who_lost_a_model_is_not_who_lost_a_wound(table, wounds: int, loses: bool) -> None:
    where = HitBy(how="slain")
    pick = Pick(Select(side="enemy", where=where, count=Count("one"), bind="picked"))
    rule = Rule("Mark", (Clause((pick, BLAST), Event("has_shot", ME, edge="after")),))
    target = sheet(profile={"W": 2})
    units = [
        unit("a1", "A", [(20, 22)], sheet(weapons=[weapon("gun", A=1, BS="3+", D=1)])),
        unit("b1", "B", [(30, 22), (30, 24)], target, wounds=[wounds, 2]),
    ]
    battle = with_rule(table("11e", "shooting", units, dice=[6, 6, 1, *[1] * 9]), rule)
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    while asked(battle) in ("LoseModel", "PickUnit") and (battle.table.wounds(1), battle.table.wounds(2)) != (0, 1):
        battle.play(offered(battle)[0])
    assert sorted(int(w) for w in battle.state.model[1:, 4]) == ([0, 1] if loses else [1, 2])


def test_whom_a_unit_destroyed_is_kept_as_long_as_it_is_asked_for(table) -> None:
    """This phase, this turn, this battle: by the keywords of what fell. Rules: 11e 05.04; 10e T-6.6."""
    asks = {
        since: HasDestroyed(Select(side="enemy"), since)  # type: ignore[arg-type]
        for since in ("phase", "turn", "battle")
    }
    of_kind = {word: HasDestroyed(Select(side="enemy", where=Keyword(((word,),))), "battle") for word in ("ELF", "ORC")}
    assert not is_understood(HasDestroyed(Select(side="enemy", where=NearEdge(ONE)), "phase"))
    assert not is_understood(HasDestroyed(Select(side="enemy"), "now"))
    rule = Rule("Proud", (Clause((BLAST,), Window(("fight",), edge="end"), About(ME, asks["phase"])),))
    units = [
        unit("a1", "A", [(20, 22)], sheet(weapons=[weapon("gun", A=1, BS="3+")])),
        unit("a2", "A", [(40, 40)], sheet(weapons=[weapon("gun", A=1, BS="3+")])),
        unit("b1", "B", [(30, 22)], sheet(keywords=["INFANTRY", "ELF"], profile={"W": 1})),
        unit("b2", "B", [(55, 40)]),
    ]
    battle = with_rule(table("11e", "shooting", units, dice=[6, 6, 1, *[1] * 40]), rule)

    def answers(unit: int = 0) -> dict[str, object]:
        return {since: holds(battle.table, ask, unit, Context(0, unit)) for since, ask in asks.items()}

    assert answers() == {"phase": False, "turn": False, "battle": False}
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert not battle.table.alive(2)
    assert answers() == {"phase": True, "turn": True, "battle": True}
    assert answers(1) == {"phase": False, "turn": False, "battle": False}
    assert [holds(battle.table, ask, 0, Context(0, 0)) for ask in of_kind.values()] == [True, False]
    while battle.state.phase == "shooting":
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    if not battle.over:
        assert answers() == {"phase": False, "turn": battle.state.turn == 0, "battle": True}


@pytest.mark.parametrize(("at", "wholly", "expected"), [
    ((3, 22), False, True), ((3, 22), True, True), ((5.8, 22), False, True), ((5.8, 22), True, False),
    ((20, 22), False, False), ((57, 22), False, True), ((20, 41), True, True),
])  # fmt: skip
def test_within_so_much_of_an_edge_and_wholly_so(table, at, wholly: bool, expected: bool) -> None:
    battle = table("10e", "movement", [unit("a1", "A", [at]), unit("b1", "B", [(30, 30)])])
    ask = NearEdge(Amount(Dice.parse(6)), wholly=wholly)
    assert is_understood(ask)
    assert holds(battle.table, ask, 0, Context(0, 0)) is expected


@pytest.mark.parametrize("passed", [False, True])
def test_a_desperate_escape_test_may_be_passed_without_dice(table, passed: bool) -> None:
    """10e T-4.5: each model that moves over an enemy is tested, unless a rule says it passes."""
    rule = Rule("Slip", (Clause((RollSet("desperate_escape", "success"),)),))
    units = [unit("a1", "A", [(20, 22)], state=["battle-shocked"]), unit("b1", "B", [(21.8, 22)])]
    battle = table("10e", "movement", units, dice=[1] * 9)
    if passed:
        with_rule(battle, rule)
    battle.play("select a1")
    battle.play("do fall_back")
    battle.play("move a1 a1#0:15,22")
    while battle.table.alive(0) and asked(battle) == "LoseModel":
        battle.play(offered(battle)[0])
    assert bool(battle.table.alive(0)) is passed


@pytest.mark.parametrize(("who", "left"), [
    (Select("model", count=Count("one"), of=Select(ref="unit")), 2),
    (Select("model", count=Count("n", Amount(Dice.parse(2))), of=Select(ref="unit")), 1),
    (Select(ref="unit"), 0),
])  # fmt: skip
def test_a_rule_destroys_models_its_player_chooses_or_a_whole_unit(table, who: Select, left: int) -> None:
    """Rules: 11e 05.04; 10e T-6.6."""
    rule = Rule("Toll", (Clause((Destroy(who),), Event("selected_to_move", ME)),))
    units = [unit("a1", "A", [(20, 22), (22, 22), (24, 22)]), unit("a2", "A", [(20, 30)]), unit("b1", "B", [(50, 22)])]
    battle = with_rule(table("11e", "movement", units), rule)
    battle.play("select a1")
    while asked(battle) == "LoseModel":
        battle.play(offered(battle)[0])
    assert len(battle.table.alive(0)) == left


def test_who_is_destroyed_must_be_known() -> None:
    for who in (None, Select("model", ref="self"), Select("model", count=Count("up_to", ONE), of=Select(ref="unit"))):
        assert not is_enforced(Rule("Toll", (Clause((Destroy(who),), Event("selected_to_move", ME)),)))
