"""What the table keeps while units stand where they stand equals what a fresh table finds, at every decision of a battle."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from battlewright.battle.engine import Battle
from battlewright.battle.moves import surroundings
from battlewright.battle.scoring import models_in_range
from battlewright.battle.sight import sees
from battlewright.battle.table import Table
from battlewright.battle.targeting import distance_to
from battlewright.effects import EditionId
from battlewright.players import player


def answers(t: Table) -> list[object]:
    """Everything that is kept by who stands where."""
    found: list[object] = []
    for unit in t.units():
        around = surroundings(t, unit)
        found += [t.poses(unit).xy.tolist(), around.poses.xy.tolist(), around.enemy_unit.tolist()]
        found += [models_in_range(t, place, unit) for place in range(len(t.setting.mission.objectives))]
    for one, other in product(t.units(0), t.units(1)):
        found += [t.gap(one, other), t.gap(other, one), distance_to(t, one, other), sees(t, one, other)]
        found += [t.models_engaged_with(one, other), t.models_engaged_with(other, one)]
    return found


@pytest.mark.parametrize(
    ("edition", "armies"), [("10e", ("Lone knight", "Strike group")), ("11e", ("Lone knight", "Kasrkin patrol"))]
)
def test_kept_answers_are_those_of_a_fresh_table(edition: EditionId, armies: tuple[str, str]) -> None:
    battle = Battle.new(armies, edition=edition, seed=4)
    players = [player("greedy", 1), player("random", 2)]
    changed, last = 0, None
    while not battle.over:
        now = answers(battle.table)
        assert now == answers(Table(battle.setting, battle.state))
        changed, last = changed + (now != last), now
        battle.play(players[battle.to_choose].choose(battle))
    assert changed > 10


def test_poses_are_the_same_object_until_a_model_moves_or_falls() -> None:
    battle = Battle.new(("Lone knight", "Kasrkin patrol"), edition="11e", seed=1)
    players = [player("greedy", 1), player("greedy", 2)]
    while battle.state.phase != "shooting":
        battle.play(players[battle.to_choose].choose(battle))
    t = battle.table
    unit = t.units(1)[0]
    before = t.poses(unit)
    t.choose(unit, "shoot")
    assert t.poses(unit) is before
    t.state.model[t.alive(unit)[0], 0] += 1
    t.choose(unit, "shoot")
    assert t.poses(unit) is not before
    assert np.abs(t.poses(unit).xy - before.xy).sum() == 1
