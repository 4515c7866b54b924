"""A super-heavy walker steps over models and low walls, and may push through the rest at a risk. Rule: 11e 24.35."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from battlewright.battle.engine import Battle
from battlewright.catalogue.page_rules import page_rules
from conftest import asked, faces, offered, sheet, unit

Start = Callable[..., Battle]


def walker() -> dict[str, Any]:
    abilities = [{"name": "Super-heavy Walker", "text": ""}]
    return sheet("Walker", keywords=["VEHICLE", "WALKER"], abilities=abilities, profile={"M": 10, "W": 12})


def wall(height: float) -> list[dict[str, Any]]:
    outline = [[24, 10], [25, 10], [25, 34], [24, 34]]
    return [{"area": outline, "features": [{"kind": "dense", "outline": outline, "height": height}]}]


def ordered(table: Start, *more: dict[str, Any], way: str = "stride", **parts: Any) -> Battle:
    units = [unit("a1", "A", [(20, 22)], walker()), unit("b9", "B", [(55, 40)]), *more]
    battle = table("11e", "movement", units, **parts)
    battle.play("select a1")
    battle.play("do normal")
    if asked(battle) == "ChooseDo":
        assert offered(battle) == ["do stride", "do mobile"]
        battle.play(f"do {way}")
    return battle


@pytest.mark.parametrize(("words", "passes"), [(["VEHICLE"], True), (["VEHICLE", "TITANIC"], False)])
def test_only_titanic_models_bar_it(table: Start, words: list[str], passes: bool) -> None:
    tank = unit("b1", "B", [(24, 22)], sheet(keywords=words, profile={"W": 12}))
    battle = ordered(table, tank)
    reason = battle.why_not("move a1 a1#0:20.1,22>28.5,22")
    assert (reason is None) == passes, reason


@pytest.mark.parametrize(("height", "way", "passes"), [(4, "stride", True), (6, "stride", False), (6, "mobile", True)])
def test_low_walls_are_walked_through_and_the_rest_as_mobile(table: Start, height: int, way: str, passes: bool) -> None:
    battle = ordered(table, terrain=wall(height), way=way)
    reason = battle.why_not("move a1 a1#0:28.5,22")
    assert (reason is None) == passes, reason


@pytest.mark.parametrize(("face", "shocked"), [(1, True), (2, False)])
def test_being_mobile_is_a_risk(table: Start, face: int, shocked: bool) -> None:
    units = [unit("a2", "A", [(10, 10)])]
    battle = ordered(table, *units, terrain=wall(6), way="mobile", dice=[face])
    battle.play("move a1 a1#0:28.5,22")
    assert faces(battle, "super-heavy walker") == [face]
    assert battle.state.shocked(0) == shocked
    assert battle.not_enforced() == ()


@pytest.mark.parametrize(("face", "shocked"), [(1, True), (2, False)])
def test_the_tenths_walker_goes_through_higher_terrain_at_a_risk(table: Start, face: int, shocked: bool) -> None:
    """10e: the rule as it ships: through low sections freely; through higher ones when its player says so, with a roll."""
    rule = next(rule for rule in page_rules("10e") if rule.name == "Super-heavy Walker")
    given = sheet("Walker", keywords=["VEHICLE", "WALKER"], profile={"M": 10, "W": 12})
    units = [unit("a1", "A", [(20, 22)], given), unit("b9", "B", [(55, 40)])]
    battle = table("10e", "movement", units, terrain=wall(6), dice=[face])
    setting = battle.setting
    battle.setting = battle.table.setting = replace(
        setting,
        rules={**setting.rules, "walk": rule},
        units=(replace(setting.units[0], rules=("walk",)), *setting.units[1:]),
    )
    low = battle.copy()
    for game, way in ((low, "stride"), (battle, "higher terrain")):
        game.play("select a1")
        game.play("do normal")
        assert offered(game) == ["do stride", "do higher terrain"]
        game.play(f"do {way}")
    assert low.why_not("move a1 a1#0:28.5,22") is not None
    battle.play("move a1 a1#0:28.5,22")
    assert faces(battle, "ability") == [face]
    assert battle.state.shocked(0) == shocked
    assert battle.table.rules.states(0) == []
