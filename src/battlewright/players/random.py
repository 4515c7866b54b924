"""A player that takes any legal choice: the first test of every engine."""

from __future__ import annotations

from itertools import islice
from random import Random

from battlewright.battle.choices import Choice
from battlewright.battle.engine import Battle


class RandomPlayer:
    """Any of the offered choices, evenly; of endless ones any candidate, worked out alone.

    Its own dice come from ``seed`` only, so the same battle is played again.
    """

    name = "random"

    def __init__(self, seed: int = 0, most: int = 40) -> None:
        self.random, self.most = Random(seed), most

    def choose(self, battle: Battle) -> Choice:
        decision = battle.decision
        assert decision is not None
        if decision.region:
            sketches = decision.sketches(battle.table)
            self.random.shuffle(sketches)
            for sketch in sketches:
                choice = sketch()
                if choice is not None and decision.why_not(battle.table, choice) is None:
                    return choice
        return self.random.choice(list(islice(battle.legal_choices(), self.most)))
