"""Many whole battles: every pair of shipped armies, both kinds of players, on every terrain; nothing may stop one."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from battlewright.battle.engine import Battle
from battlewright.battle.log import record, replay
from battlewright.catalogue.armies import armies
from battlewright.players import player

LAYOUTS = (None, "ruined town", "green valley", "storage yard")


@pytest.mark.long
@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("names", [("random", "random"), ("greedy", "random"), ("greedy", "greedy")])
def test_every_pair_of_armies_plays_to_the_end(edition: str, names: tuple[str, str]) -> None:
    shipped = [army.name for army in armies() if army.edition == edition]
    for seed, pair in enumerate(combinations_with_replacement(shipped, 2)):
        battle = Battle.new(pair, edition=edition, seed=seed, layout=LAYOUTS[seed % len(LAYOUTS)], debug=True)
        players = [player(name, seed + place) for place, name in enumerate(names)]
        while not battle.over:
            assert battle.copy().hash() == battle.hash()
            battle.play(players[battle.to_choose].choose(battle))
        assert battle.state.round == 5
        assert battle.refused == 0
        assert replay(record(battle)).hash() == battle.hash()
