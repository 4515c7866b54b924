"""Whole battles on every layout: walls, hills and woods stop nobody from playing by the rules."""

from __future__ import annotations

import pytest

from battlewright.battle.engine import Battle
from battlewright.battlefield import layouts
from battlewright.catalogue.armies import armies
from battlewright.players import play_out, player


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("name", layouts())
def test_a_battle_is_played_on_a_layout(edition, name):
    names = [army.name for army in armies() if army.edition == edition]
    pair = names[len(name) % len(names)], names[(len(name) + 1) % len(names)]
    battle = play_out(Battle.new(pair, None, edition, 5, layout=name), [player("random", 1), player("greedy", 2)])
    assert battle.over
    assert battle.refused == 0
    terrain = battle.setting.terrain
    assert len(terrain.areas) == len(battle.setting.mission.terrain) > 5
    for unit in battle.table.units():
        poses = battle.table.poses(unit)
        hills = terrain.flags("solid") & (terrain.heights > 2)
        on_ground = poses.take(poses.z == 0)
        straddled = (terrain.outlines.clearances(on_ground) < -0.01)[:, hills] & ~terrain.outlines.wholly(on_ground)[
            :, hills
        ]
        assert not straddled.any()
