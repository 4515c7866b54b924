"""Rules that say how far a unit goes when it piles in or consolidates, and where units may be set up."""

from __future__ import annotations

import pytest

from battlewright.battle.engine import Battle
from battlewright.battle.events import CpChanged
from battlewright.battle.reminders import is_enforced
from battlewright.dice import Dice
from battlewright.effects import Amount, Clause, Cp, EditionId, Rule, Window
from battlewright.rulestext.build import read
from conftest import asked, offered, sheet, unit, weapon, with_unit_rule

LONG = 'Each time this unit Consolidates, models in this unit can move up to 6" instead of up to 3".'
MORE = 'Each time this unit Piles In or Consolidates, models in it can move an additional 3".'
AXE = weapon("axe", "Melee", A=6, WS="2+", S=8, AP=-6, D=2)
FRAIL = sheet(profile={"T": 1, "Sv": "7+", "W": 1})


def rule_of(text: str, edition: EditionId = "10e") -> Rule:
    rule, _ = read(text, name="Own", kind="unit-ability", edition=edition)
    assert is_enforced(rule), text
    return rule


@pytest.mark.parametrize(("text", "far"), [("", False), (LONG, True), (MORE, True)])
def test_a_rule_lets_models_consolidate_farther(table, text: str, far: bool) -> None:
    """One enemy falls, the next stands 4.7" off: only with 6" the unit gets to it. Rule: 10e T-8.2."""
    strong = sheet(weapons=[AXE], abilities=[{"name": "Own", "text": text}] if text else [])
    units = [
        unit("a1", "A", [(20, 22)], strong, state=["charged"]), unit("b1", "B", [(22, 22)], FRAIL),
        unit("b2", "B", [(27, 22)]),
    ]  # fmt: skip
    battle = table("10e", "fight", units, seed=3)
    assert not text or rule_of(text)
    moves = []
    while not battle.over and battle.state.turn == 0:
        if asked(battle) == "MoveModels" and battle.decision.unit == 0:  # type: ignore[union-attr]
            moves.append((battle.decision.move, max(battle.decision.reach)))  # type: ignore[union-attr]
        battle.play(offered(battle)[0])
    assert (("consolidate_engaging", 6000) in moves) is far
    assert [reach for move, reach in moves if move == "pile_in"] == [6000 if text == MORE else 3000]


ROOM = 'Enemy units that are set up on the battlefield from Reserves cannot be set up within 12" of this unit.'
DROP = (
    "In your Movement phase, when this unit is set up on the battlefield using the Deep Strike ability, it can perform a "
    'steep fall. If it does, this unit can be set up anywhere on the battlefield that is more than 6" horizontally away '
    "from all enemy units, but until the end of the turn, it is not eligible to declare a charge."
)
DIVER = sheet(abilities=[{"name": "Deep Strike", "kind": "core"}])


def arriving(table, edition: EditionId, rule: Rule | None, place: int = 0) -> Battle:
    units = [unit("a1", "A", [(0, 0)], DIVER, reserves=True), unit("b1", "B", [(40, 22)])]
    units[0]["models"][0].pop("at")
    battle = table(edition, "movement", units)
    return battle if rule is None else with_unit_rule(battle, rule, place)


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_reserves_keep_off_whom_a_rule_says(table, edition: EditionId) -> None:
    """Ten inches from the enemy is far enough, but not where he keeps them 12" off. Rules: 11e 24.09; 10e T-9.4."""
    for rule, legal in ((None, True), (rule_of(ROOM, edition), False)):
        battle = arriving(table, edition, rule, 1)
        battle.play("select a1")
        assert (battle.why_not("place a1 a1#0:29,22") is None) is legal
        assert battle.why_not("place a1 a1#0:26,22") is None
        if not legal:
            assert "bar it" in str(battle.why_not("place a1 a1#0:29,22"))


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("used", [True, False])
def test_a_rule_lets_a_unit_drop_nearer_and_forbids_its_charge(table, edition: EditionId, used: bool) -> None:
    """It may use that as it arrives: at 7" from the enemy, and then not charge; else it stands where others do."""
    rule = rule_of(DROP, edition)
    battle = arriving(table, edition, rule)
    battle.play("select a1")
    if asked(battle) == "React":
        battle.play(offered(battle)[1] if used else "pass")
    else:
        assert used, "it was not asked"
    assert (battle.why_not("place a1 a1#0:31.5,22") is None) is used
    battle.play("place a1 a1#0:31.5,22" if used else "place a1 a1#0:29,22")
    while battle.state.phase != "charge" and battle.state.turn == 0:
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    assert (battle.state.phase == "charge" and "select a1" in offered(battle)) is not used


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize(("turn", "gained"), [("B", 1), ("A", 0)])
def test_the_step_in_which_reserves_arrive_is_a_moment(table, edition: EditionId, turn: str, gained: int) -> None:
    """At its start, in the opponent's turn and not in one's own. Rules: 11e 09.02; 10e T-3.3."""
    start = Window(whose="opponent", edge="start", step="reinforcements")
    rule = Rule("Own", (Clause((Cp(Amount(Dice.parse(1))),), start),))
    assert is_enforced(rule)
    units = [unit("a1", "A", [(20, 22)]), unit("b1", "B", [(40, 22)])]
    before = "B" if turn == "A" else "A"
    battle = with_unit_rule(table(edition, "shooting", units, turn=before, first=before, cp={"A": 1, "B": 1}), rule)
    while battle.state.turn == "AB".index(before) or battle.state.phase in ("", "command", "movement"):
        battle.play("pass" if "pass" in offered(battle) else offered(battle)[0])
    assert sum(isinstance(e, CpChanged) and e.why == "ability" for e in battle.events()) == gained
