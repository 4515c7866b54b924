"""What a weapon ability lets its player choose: [LETHAL HITS] in the 11th edition, [PRECISION] in both.

Rules: 11e 24.23, 24.28; 10e W-LETHAL, W-PRECISION. And what a weapon without a Strength counts as (02.04; T-1.5).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from battlewright.battle.attacks import plan_against
from battlewright.battle.choices import Shot
from battlewright.battle.engine import Battle
from battlewright.battle.state import M
from conftest import asked, faces, offered, sheet, unit, weapon

Start = Callable[..., Battle]


def shot(table: Start, edition: str, abilities: list[str], **parts: Any) -> Battle:
    gun = weapon("gun", A=3, D=2, abilities=abilities)
    units = [unit("a1", "A", [(20, 22)], sheet(weapons=[gun])), unit("b1", "B", [(30, 22), (30, 24)])]
    battle = table(edition, "shooting", units, **parts)
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    return battle


def test_critical_hits_may_make_their_wound_roll(table: Start) -> None:
    """11e 24.23: of two critical hits one wounds by itself, the other rolls, and is a critical wound."""
    battle = shot(table, "11e", ["lethal hits", "devastating wounds"], dice=[6, 6, 3, 6, 4, 3, 4])
    assert battle.table.state.counter == 0  # nothing is rolled for good before it is decided
    assert faces(battle, "wound") == []
    assert offered(battle) == ["do lethal 2", "do lethal 1", "do lethal 0"]
    battle.play("do lethal 1")
    assert faces(battle, "wound") == [6, 4]
    assert faces(battle, "save") == [3, 4]
    battle.play(offered(battle)[0])
    assert int(battle.state.model[1:, M.WOUNDS].sum()) == 2
    battle.finish()


@pytest.mark.parametrize(
    ("edition", "abilities"), [("10e", ["lethal hits", "devastating wounds"]), ("11e", ["lethal hits"])]
)
def test_nobody_is_asked_where_there_is_nothing_to_choose(table: Start, edition: str, abilities: list[str]) -> None:
    """10e: it must wound; 11e: without more to gain from a wound roll it always does."""
    dice = [6, 1, 2, 2] if edition == "10e" else [6, 2, 2, 1]
    battle = shot(table, edition, abilities, dice=dice)
    assert faces(battle, "wound") == []
    assert faces(battle, "save") == [1]
    battle.finish()


def led(edition: str, at: tuple[float, float], **parts: Any) -> list[dict[str, Any]]:
    """A marksman, and a squad with a leader."""
    rifle = weapon("long rifle", 36, A=2, AP=-2, D=1, abilities=["precision"])
    hero = sheet("Hero", keywords=["INFANTRY", "CHARACTER"], profile={"W": 4})
    return [
        unit("a1", "A", [(20, 22)], sheet(weapons=[rifle])),
        unit("b1", "B", [(30, 22), (30, 24)], attached=["b2"]),
        unit("b2", "B", [at], hero),
    ]


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("aims", [True, False])
def test_the_attacker_decides_whether_he_is_precise(table: Start, edition: str, aims: bool) -> None:
    dice = [4, 4, 1, 4, 4, 1] if edition == "10e" else [4, 4, 4, 4, 1, 1]
    battle = table(edition, "shooting", led(edition, (32, 23)), dice=dice)
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert offered(battle) == ["model b2#0", "pass"]
    assert "sees" in str(battle.why_not("model b1#0"))
    battle.play("model b2#0" if aims else "pass")
    while asked(battle) in ("LoseModel", "OrderGroups"):
        battle.play(offered(battle)[0])
    assert battle.state.model[:, M.WOUNDS].tolist()[1:] == ([2, 2, 2] if aims else [0, 2, 4])
    battle.finish()


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_nobody_is_precise_with_what_he_does_not_see(table: Start, edition: str) -> None:
    """The leader stands behind a wall: nothing is asked, and the squad is hit."""
    outline = [[31.5, 26], [33, 26], [33, 44], [31.5, 44]]
    kind = "ruins" if edition == "10e" else "dense"
    wall = [{"area": outline, "features": [{"kind": kind, "outline": outline, "height": 9}]}]
    units = led(edition, (35, 28))
    units[1]["models"][1]["at"] = [33.9, 25]
    units[1]["models"][0]["at"] = [32, 24.4]
    units[0]["models"][0]["at"] = [8, 28]
    dice = [4, 4, 1, 4, 4, 1] if edition == "10e" else [4, 4, 4, 4, 1, 1]
    battle = table(edition, "shooting", units, terrain=wall, dice=dice)
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    while asked(battle) in ("LoseModel", "OrderGroups"):
        battle.play(offered(battle)[0])
    assert int(battle.state.model[3, M.WOUNDS]) == 4


@pytest.mark.parametrize(("edition", "strength"), [("10e", 7), ("11e", 1)])
def test_a_weapon_without_a_strength_has_what_the_rules_say(table: Start, edition: str, strength: int) -> None:
    """11e 02.04: 1; 10e T-1.5: the Toughness of its model."""
    units = [unit("a1", "A", [(20, 22)], sheet(profile={"T": 7})), unit("b1", "B", [(30, 22)])]
    battle = table(edition, "shooting", units)
    import msgspec

    models = battle.setting.models
    gun = msgspec.structs.replace(models[0].weapons[0], strength=None)
    from dataclasses import replace

    battle.table.setting = replace(battle.setting, models=(replace(models[0], weapons=(gun,)), *models[1:]))
    plan, _ = plan_against(battle.table, 0, 1, (Shot("a1#0", 0, "b1"),), "normal")
    wounds = [face for face in range(1, 7) if plan.batches[0].woundings[4].strikes[face - 1] is not None]
    assert min(wounds) == {7: 3, 1: 6}[strength]


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize(
    ("dice", "wounds"), [([2, 2, 1, 1], False), ([3, 3, 1, 1], False), ([6, 6, 6, 6, 1, 1, 1], True)]
)
def test_precision_is_asked_once_an_attack_has_wounded(
    table: Start, edition: str, dice: list[int], wounds: bool
) -> None:
    """Not before the dice: nobody decides it for attacks that miss, or that hit and do not wound."""
    battle = table(edition, "shooting", led(edition, (30, 26)), dice=[*dice, *[1] * 9])
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    assert (asked(battle) == "AimAt") == wounds


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_what_is_rolled_again_comes_before_precision(table: Start, edition: str) -> None:
    """The wound roll stands before its player decides whom it falls on; what he decides changes no die before it."""
    dice = [6, 1, 6, 6, 1, 1, 1, 1] if edition == "11e" else [6, 6, 1, 1, 1, 1, 1]
    battle = table(edition, "shooting", led(edition, (30, 26)), dice=dice, cp={"A": 1})
    battle.play("select a1")
    battle.play("declare a1#0.0>b1")
    seen = [asked(battle)]
    while asked(battle) in ("RerollRoll", "AimAt"):
        battle.play("pass")
        seen.append(asked(battle))
    assert "AimAt" in seen
    assert seen.index("AimAt") >= seen.count("RerollRoll") - 1
