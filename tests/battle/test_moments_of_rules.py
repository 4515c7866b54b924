"""Rules act at the moments they name: re-rolls they give, rolls they replace, what a clause within another waits for."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest
from msgspec.structs import replace as replace_in

from battlewright.battle import windows
from battlewright.battle.clauses import happens
from battlewright.battle.eligible import may_arrive
from battlewright.battle.engine import Battle
from battlewright.battle.events import CpChanged, LeftBattlefield, StratagemUsed
from battlewright.battle.judge import is_understood
from battlewright.battle.reminders import is_enforced
from battlewright.battle.sight import visible
from battlewright.battle.state import Lasting, State, Where
from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Active,
    All,
    Amount,
    BattleShocked,
    Clause,
    Count,
    Cp,
    Duration,
    Engaged,
    Event,
    Heal,
    HitBy,
    Mortal,
    MoveRule,
    NearEdge,
    Not,
    Permit,
    Pick,
    Reserves,
    RollDice,
    RollSet,
    Row,
    Rule,
    Select,
    Strength,
    Used,
    Window,
)
from conftest import asked, faces, offered, sheet, unit, weapon, with_unit_rule

PHASE = Duration("phase")
GUN, SWORD = weapon("gun", A=3), weapon("sword", "Melee", A=1)


def having(text: str, name: str = "Test Rule", **parts: object) -> dict:
    return sheet(weapons=[GUN, SWORD], abilities=[{"name": name, "text": text}], **parts)


def to(battle: Battle, kind: str, player: int = 0) -> None:
    """Pass until this is asked of the player."""
    while not battle.over and (asked(battle), battle.to_choose) != (kind, player):
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])


def pass_windows(battle: Battle) -> None:
    while asked(battle) == "React":
        battle.play("pass")


def played(battle: Battle, choice: str) -> None:
    """The choice leads to the same state in a copy, which is independent; and the state is read back from its data."""
    twin, before = battle.copy(), battle.state.hash()
    twin.play(choice)
    assert battle.state.hash() == before
    battle.play(choice)
    assert twin.state.hash() == battle.state.hash() == State.from_json(battle.state.to_json()).hash()


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_charge_roll_is_rolled_again_for_nothing_and_once(table, edition: str) -> None:
    text = "You can re-roll Charge rolls made for this unit."
    units = [unit("a1", "A", [(20, 22)], having(text)), unit("b1", "B", [(29, 22)])]
    battle = table(edition, "charge", units, dice=[1, 1, 6, 6] + [1] * 20, cp={"A": 2})
    battle.play("select a1")
    if edition == "10e":
        battle.play("targets b1")
    assert asked(battle) == "RerollRoll"
    assert offered(battle) == ["pass", "die 0"]
    battle.play("die 0")
    assert faces(battle, "charge re-roll") == [6, 6]
    assert asked(battle) != "RerollRoll"
    assert int(battle.state.player[0, 0]) == 2
    assert battle.not_enforced() == ()


def test_who_keeps_a_free_re_roll_may_still_pay_for_one(table) -> None:
    text = "You can re-roll Advance rolls made for this unit."
    units = [unit("a1", "A", [(20, 22)], having(text)), unit("b1", "B", [(50, 22)])]
    battle = table("11e", "movement", units, dice=[1, 5], cp={"A": 2})
    battle.play("select a1")
    battle.play("do advance")
    assert asked(battle) == "RerollRoll"
    battle.play("pass")
    assert asked(battle) == "RerollRoll"
    battle.play("die 0")
    assert int(battle.state.player[0, 0]) == 1


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_battle_shock_roll_is_rolled_again(table, edition: str) -> None:
    text = "You can re-roll Battle-shock tests taken for this unit."
    given = having(text, count=5)
    units = [unit("a1", "A", [(20, 22), (21.5, 22)], given), unit("b1", "B", [(50, 22)])]
    battle = table(edition, "command", units, dice=[1, 1, 6, 6] + [1] * 9)
    to(battle, "RerollRoll")
    battle.play("die 0")
    assert faces(battle, "battle_shock re-roll") == [6, 6]
    assert not battle.state.shocked(0)


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_an_advance_without_a_roll(table, edition: str) -> None:
    text = (
        'Each time this unit Advances, do not make an Advance roll for it. Instead, until the end of the phase, add 6" to '
        "the Move characteristic of models in this unit."
    )
    units = [unit("a1", "A", [(10, 22)], having(text)), unit("b1", "B", [(50, 22)])]
    battle = table(edition, "movement", units, dice=[])
    battle.play("select a1")
    battle.play("do advance")
    assert battle.why_not("move a1 a1#0:22,22") is None
    assert battle.why_not("move a1 a1#0:22.5,22") is not None
    battle.play("move a1 a1#0:22,22")
    assert faces(battle, "advance") == []


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_back_into_reserves_at_the_end_of_a_turn_and_out_again(table, edition: str) -> None:
    text = (
        "At the end of your opponent's turn, if this unit is not within Engagement Range of any enemy units, you can remove "
        "it from the battlefield and place it into Strategic Reserves."
    )
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(40, 22)], having(text)), unit("b2", "B", [(50, 30)])]
    battle = table(edition, "fight", units)
    to(battle, "React", 1)
    played(battle, "use b1:Test_Rule b1")
    assert int(battle.state.unit[1, 1]) == Where.RESERVES
    assert "select b1" in arrivals(battle)


def arrivals(battle: Battle) -> list[str]:
    """What the second player may select in his Movement phase."""
    while battle.state.phase != "movement":
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    found = []
    while battle.state.phase == "movement":
        found += offered(battle)
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    return found


def test_a_roll_for_each_unit_near(table) -> None:
    text = (
        'At the start of your Shooting phase, roll one D6 for each enemy unit within 6" of this model: on a 4+, that unit '
        "suffers 1 mortal wound."
    )
    units = [unit("a1", "A", [(20, 22)], having(text)), *(unit(f"b{n}", "B", [(20 + 3.5 * n, 22)]) for n in (1, 2, 3))]
    battle = table("10e", "shooting", units, dice=[4, 3] + [1] * 20)
    assert faces(battle, "ability") == [4, 3]
    assert battle.state.model[:, 4].tolist() == [2, 1, 2, 2]
    assert battle.not_enforced() == ()


def test_dice_for_each_model_engaged(table) -> None:
    picked, mine = Select(ref="bound", name="picked"), Select(ref="unit")
    pick = Pick(Select(side="enemy", where=Engaged(mine), count=Count("one"), bind="picked"))
    each = Select("model", where=Engaged(picked), of=mine, bind="each")
    roll = RollDice(Amount(Dice.parse("D6")), (Row((Mortal(Amount(Dice.parse(1)), picked),), low=4),), each)
    rule = Rule("Test Rule", (Clause((pick, roll), Event("move_ended", mine, kinds=("charge",))),))
    assert is_enforced(rule)
    given = having("", count=3)
    far = unit("a1", "A", [(20, 21), (20, 22.5), (20, 24)], given)
    foe = unit("b1", "B", [(25, 22)], sheet(profile={"W": 5}))
    battle = table("11e", "charge", [far, foe], dice=[6, 6, 4, 4] + [1] * 9)
    battle.setting = battle.table.setting = replace(
        battle.setting, rules={**battle.setting.rules, "a1:Test Rule": rule}
    )
    battle.play("select a1")
    battle.play("targets b1")
    battle.play("move a1 a1#0:23.5,21 a1#1:23.5,22.5 a1#2:23.6,23.77")
    if asked(battle) == "PickUnit":
        battle.play("select b1")
    assert len(faces(battle, "ability")) == len(battle.table.models_engaged_with(0, 1))


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_clause_within_another_waits_for_its_own_moment(table, edition: str) -> None:
    """What a rule does "each time …" until the end of the phase is done at each of those moments, and not after it."""
    inner = Clause(
        (Cp(Amount(Dice.parse(1))),),
        Event("move_ended", Select(side="friendly"), kinds=("normal",), edge="after"),
    )
    rule = Rule("Roll Call", (Clause((inner,), Window(("movement",), "your", edge="start"), lasts=PHASE),))
    units = [unit("a1", "A", [(20, 22)]), unit("a2", "A", [(20, 30)]), unit("b1", "B", [(40, 22)])]
    battle = with_army_rule(table(edition, "shooting", units, turn="B"), rule)
    assert "Roll Call" not in battle.not_enforced()
    while battle.state.phase != "movement":
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    assert [e.waits for e in battle.state.effects] == [True]
    before = int(battle.state.player[0, 0])
    for name, y in (("a1", 22), ("a2", 30)):
        for choice in (f"select {name}", "do normal"):
            pass_windows(battle)
            battle.play(choice)
        pass_windows(battle)
        battle.play(f"move {name} {name}#0:21,{y}")
    assert int(battle.state.player[0, 0]) == before + 1  # no more than one extra CP a battle round
    assert len([e for _, e in battle.log if isinstance(e, CpChanged) and e.extra]) == 1
    to(battle, "ChooseUnit", 0)
    battle.play("pass")
    assert battle.state.effects == ()


def with_army_rule(battle: Battle, rule: Rule) -> Battle:
    """The battle in which the first player's army has this rule too."""
    setting = battle.setting
    battle.setting = battle.table.setting = replace(
        setting,
        rules={**setting.rules, "A:test": rule},
        army_rules=((*setting.army_rules[0], "A:test"), setting.army_rules[1]),
    )
    return battle


def test_what_a_condition_adds_is_done_at_once(table) -> None:
    """A clause within another that does something at once is no change that lasts."""
    hurt = About(Select(ref="bound", name="picked"), Strength("below_starting"))
    more = Clause((Heal(Amount(Dice.parse(1)), Select(ref="bound", name="picked")),), holds=hurt)
    pick = Pick(Select(side="friendly", count=Count("one"), bind="picked"))
    rule = Rule("Rest", (Clause((pick, more), Window(("movement",), "your", edge="start")),))
    units = [unit("a1", "A", [(20, 22)], wounds=[1]), unit("b1", "B", [(50, 22)])]
    battle = with_army_rule(table("11e", "shooting", units, turn="B"), rule)
    while battle.state.phase != "movement" or asked(battle) == "PickUnit":
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    assert int(battle.state.model[0, 4]) == 2
    assert battle.state.effects == ()


def test_two_effects_of_one_rule_are_each_on_whom_they_name(table) -> None:
    """One is on the unit itself, the other on the unit picked: neither has what the other has."""
    text = (
        "At the start of your Shooting phase, select one enemy unit visible to this unit. Until the end of the phase, "
        "subtract 1 from the Toughness characteristic of models in that unit and add 1 to the Toughness characteristic of "
        "models in this unit."
    )
    units = [unit("a1", "A", [(20, 22)], having(text)), unit("b1", "B", [(30, 22)]), unit("b2", "B", [(30, 26)])]
    battle = table("10e", "shooting", units)
    while asked(battle) in ("PickUnit", "React"):
        battle.play("select b1" if "select b1" in offered(battle) else offered(battle)[-1])
    assert [battle.table.rules.stat(model, "T") for model in range(3)] == [5, 3, 4]


def test_a_stratagem_once_more_on_a_unit_whose_rule_allows_it(table) -> None:
    text = (
        "You can target this unit with the Smokescreen Stratagem for 0CP, and can do so even if you have already used that "
        "Stratagem on a different unit this phase."
    )
    smoke = ["INFANTRY", "SMOKE"]
    units = [
        unit("a1", "A", [(20, 22)]),
        unit("b1", "B", [(30, 22)], sheet(keywords=smoke)),
        unit("b2", "B", [(30, 26)], having(text, keywords=smoke)),
        unit("b3", "B", [(30, 30)], sheet(keywords=smoke)),
    ]
    battle = table("10e", "shooting", units, cp={"B": 3})
    battle.table.emit(StratagemUsed(1, "S-SM", "Smokescreen", 1, (1,), ("stratagem|1|Smokescreen|2|0|shooting",)))
    rule = next(rule for rule in battle.setting.rules.values() if rule.name == "Smokescreen")
    assert [battle.table.rules.may_repeat(rule, 1, place) for place in range(4)] == [False, False, True, False]
    assert battle.table.rules.stratagem_cost(rule, 1, 2) == 0


@pytest.mark.parametrize("edition", ["11e"])
def test_a_longer_detection_range_shows_who_hides(table, edition: str) -> None:
    text = (
        'In your Movement phase, you can select one enemy unit within 20" of this unit. That unit has +3" detection range '
        "until the end of the turn."
    )
    area = {"area": [[36, 20], [40, 20], [40, 24], [36, 24]], "features": [feature("light", 37, 21)]}
    units = [unit("a1", "A", [(20, 22)], having(text)), unit("b1", "B", [(36.8, 22)])]
    battle = table(edition, "movement", units, terrain=[area])
    assert not visible(battle.table, 0, 1).any()
    use = next(choice for choice in offered(battle) if choice.startswith("use"))
    battle.play(use)
    if asked(battle) == "PickUnit":
        battle.play("select b1")
    assert visible(battle.table, 0, 1).all()


def feature(kind: str, x: float, y: float) -> dict:
    return {"kind": kind, "outline": [[x, y], [x + 0.5, y], [x + 0.5, y + 0.5], [x, y + 0.5]], "height": 1}


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_rule_of_one_stratagem_hears_of_no_other(table, edition: str) -> None:
    """A trigger that names a kind is told of that kind only; a kind nobody tells of is a reminder."""
    named = Event("stratagem_targeted", Select(side="friendly"), kinds=("smokescreen",))
    rule = Rule("Echo", (Clause((Cp(Amount(Dice.parse(1))),), named),))
    battle = with_army_rule(table(edition, "shooting", [unit("a1", "A", [(9, 9)]), unit("b1", "B", [(30, 9)])]), rule)
    heard = [
        windows.moment(battle.table, "stratagem_targeted", 0, kinds=(n, "own")) for n in ("grenade", "smokescreen")
    ]
    assert heard == [False, True]
    assert not happens(Event("destroyed", kinds=("great cannon",)))
    assert happens(Event("destroyed", kinds=("melee",)))
    assert happens(Event("selected_to_move", kinds=("fall_back",), edge="after"))


def test_leave_to_charge_given_as_a_fall_back_starts(table) -> None:
    move = Event("selected_to_move", Select(ref="unit"), kinds=("fall_back",), edge="after")
    rule = Rule("Away", (Clause((Permit("shoot", ("fall_back",)),), move, lasts=Duration("turn")),))
    assert is_enforced(rule)
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(21.8, 22)])]
    battle = table("10e", "movement", units)
    setting = battle.setting
    battle.setting = battle.table.setting = replace(
        setting,
        rules={**setting.rules, "a1:Away": rule},
        units=(replace(setting.units[0], rules=("a1:Away",)), *setting.units[1:]),
    )
    battle.play("select a1")
    battle.play("do fall_back")
    battle.play(offered(battle)[0])
    assert battle.table.rules.permits("shoot", 0, "fall_back")


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_some_arrive_in_the_first_round(table, edition: str) -> None:
    early = Rule("Early", (Clause((Reserves("early", Select(ref="unit")),)),))
    assert is_enforced(early)
    units = [unit("a1", "A", [(20, 22)]), unit("a2", "A", [(20, 30)]), unit("b1", "B", [(50, 22)])]
    for rules in ((), (early,)):
        battle = table(edition, "movement", units, round=1)
        for rule in rules:
            with_unit_rule(battle, rule, 1)
        battle.table.emit(LeftBattlefield(1, int(Where.RESERVES)))
        assert (may_arrive(battle.table, 1) is None) == bool(rules)


def test_a_walk_through_walls_so_high_and_through_enemies(table) -> None:
    """What a rule lets a unit move through, in either way of saying it; what is no more than usual changes nothing."""
    wall = [[24, 10], [25, 10], [25, 34], [24, 34]]
    area = [{"area": wall, "features": [{"kind": "debris", "outline": wall, "height": 4}]}]
    for how, what, over, beyond in (
        ("through models, terrain", ('terrain: up to 4"',), True, True),
        ("through terrain", (), True, False),
        ("through enemy models", (), False, True),
        ("end unengaged", (), False, False),
    ):
        rule = Rule("Way", (Clause((MoveRule(how, Select(ref="unit"), what=what),)),))
        assert is_enforced(rule)
        given = sheet(profile={"M": 10}, keywords=["VEHICLE"])
        foe = unit("b1", "B", [(20, 27)], sheet(keywords=["MONSTER"]))
        battle = with_unit_rule(table("10e", "movement", [unit("a1", "A", [(20, 22)], given), foe], terrain=area), rule)
        battle.play("select a1")
        battle.play("do normal")
        assert (battle.why_not("move a1 a1#0:27,22") is None) == over, how
        assert (battle.why_not("move a1 a1#0:20,23>20,30.5") is None) == beyond, how


@pytest.mark.parametrize(("to", "dice"), [("success", 0), ("failure", 0), (None, 1)])
def test_a_demise_that_is_settled_needs_no_die(table, to: str | None, dice: int) -> None:
    settled = () if to is None else (RollSet("deadly_demise", to, who=Select(ref="unit")),)  # type: ignore[arg-type]
    boom = sheet(profile={"W": 1}, abilities=["Deadly Demise 1"])
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(24, 22)], boom), unit("b2", "B", [(26, 22)])]
    battle = with_army_rule(table("11e", "shooting", units, dice=[6] * 4 + [1] * 2 + [6] * 9), Rule("None", ()))
    waiting = Lasting("own", (0,), 1, 1, "turn", place=0)
    battle = with_unit_rule(battle, Rule("Boom", (Clause(settled or (Cp(Amount()),)),)), 1)
    battle.state.unlock()
    battle.state.effects = (waiting,) if settled else ()
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert len(faces(battle, "deadly_demise")) == dice
    assert int(battle.state.model[2, 4]) == (2 if to == "failure" else 1)


def test_leave_to_charge_after_leaving_a_transport_that_moved(table) -> None:
    move = Event("disembarked", Select(), Select("model", ref="self"))
    rule = Rule(
        "Ramp", (Clause((Permit("charge", ("that move",), Select(ref="subject")),), move, lasts=Duration("turn")),)
    )
    assert is_enforced(rule)
    battle = with_unit_rule(table("10e", "movement", [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(28, 22)])]), rule)
    t = battle.table
    assert windows.moment(t, "disembarked", 0, targets=(0,), edge="after", kinds=("disembark",))
    assert not windows.moment(t, "disembarked", 0, targets=(1,), edge="after", kinds=("disembark",))


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_what_a_clause_within_a_rule_says_one_may_is_asked(table, answer: str) -> None:
    inner = Clause((Heal(Amount(Dice.parse(1)), Select(ref="bound", name="picked")),), may="you")
    pick = Pick(Select(side="friendly", count=Count("one"), bind="picked"))
    rule = Rule("Rest", (Clause((pick, inner), Window(("movement",), "your", edge="start")),))
    units = [unit("a1", "A", [(20, 22)], wounds=[1]), unit("b1", "B", [(50, 22)])]
    battle = with_army_rule(table("11e", "shooting", units, turn="B"), rule)
    while offered(battle) != ["do yes", "do no"]:
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    played(battle, f"do {answer}")
    assert int(battle.state.model[0, 4]) == (2 if answer == "yes" else 1)


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize(("how", "dice", "hurt"), [("hit", [3, 1], 2), ("hit", [2, 2], 3), ("damaged", [3, 1], 3)])
def test_only_whom_the_attacks_struck_is_picked_after_them(
    table, edition: str, how: str, dice: list[int], hurt: int
) -> None:
    """Of two enemies the one that was hit; one that was missed, or hit and not damaged, is not what the rule asks for."""
    pick = Pick(Select(side="enemy", where=HitBy(how=how), count=Count("one"), bind="picked"))  # type: ignore[arg-type]
    blast = Mortal(Amount(Dice.parse(1)), Select(ref="bound", name="picked"))
    rule = Rule("Mark", (Clause((pick, blast), Event("has_shot", Select(ref="unit"), edge="after")),))
    gun = weapon("gun", A=1, BS="3+")
    tough = sheet(profile={"W": 3})
    units = [
        unit("a1", "A", [(20, 22)], sheet(weapons=[gun])),
        *(unit(f"b{n}", "B", [(30, 20 + 4 * n)], tough) for n in (1, 2)),
    ]
    battle = with_unit_rule(table(edition, "shooting", units, dice=[*dice, *[1] * 9]), rule)
    battle.play("select a1")
    played(battle, "declare a1#0.0>b2")
    while asked(battle) == "PickUnit":
        assert offered(battle) == ["select b2"]
        battle.play("select b2")
    assert [int(w) for w in battle.state.model[1:, 4]] == [3, hurt]


@pytest.mark.parametrize("since", [None, "phase"])
def test_whom_a_move_passed_over_is_known_after_it(table, since: Literal["phase"] | None) -> None:
    over = Select(side="enemy", where=HitBy(how="moved_over", since=since), count=Count("one"), bind="picked")
    blast = Mortal(Amount(Dice.parse(1)), Select(ref="bound", name="picked"))
    rule = Rule("Bombs", (Clause((Pick(over), blast), Event("move_ended", Select(ref="unit"), kinds=("normal",))),))
    flyer = sheet(keywords=["VEHICLE", "FLY"], profile={"M": 14})
    units = [unit("a1", "A", [(20, 22)], flyer), unit("b1", "B", [(25, 22)]), unit("b2", "B", [(25, 30)])]
    battle = with_unit_rule(table("10e", "movement", units), rule)
    battle.play("select a1")
    battle.play("do normal")
    battle.play("move a1 a1#0:31,22")
    while asked(battle) == "PickUnit":
        battle.play(offered(battle)[0])
    assert battle.state.model[1:, 4].tolist() == [1, 2]
    assert is_enforced(rule)


def test_a_rule_that_hangs_on_what_nobody_understands_is_left_to_the_players() -> None:
    """A condition that is never answered keeps the rule from acting: that is told, at any depth."""
    lines = Clause((Cp(Amount(Dice.parse(1))),), Window(("command",), "your"))
    assert is_enforced(Rule("Plain", (lines,)))
    me = Select(ref="unit")
    for never in (
        Used("a power", "turn"),
        Not(NearEdge(Amount(Dice.parse(6)), "opponent")),
        About(me, All((BattleShocked(), Active("doctrine")))),
    ):
        assert not is_understood(never)
        assert not is_enforced(Rule("Held", (replace_in(lines, holds=About(me, never)),)))
        pick = Pick(Select(side="enemy", where=never, bind="picked"))
        assert not is_enforced(Rule("Picked", (replace_in(lines, do=(pick, *lines.do)),)))
        assert not is_enforced(Rule("Within", (replace_in(lines, do=(replace_in(lines, holds=About(me, never)),)),)))
        assert not is_enforced(Rule("Aimed", (lines,), target=Select(side="friendly", where=never)))


@pytest.mark.parametrize(("tokens", "asks"), [(0, False), (1, False), (2, True)])
def test_what_a_pool_cannot_pay_for_is_not_offered(table, tokens: int, asks: bool) -> None:
    text = "Each time this unit is selected to move, you can spend 2 Soot tokens to gain 1CP."
    units = [unit("a1", "A", [(20, 22)], having(text)), unit("b1", "B", [(50, 22)])]
    battle = table("11e", "movement", units, pools={"A": {"soot": tokens}})
    battle.play("select a1")
    assert (asked(battle) == "React") is asks
    if asks:
        battle.play(offered(battle)[1])
        assert battle.state.pools["0|soot"] == 0
