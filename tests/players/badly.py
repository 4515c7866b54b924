"""Players that misbehave."""

from __future__ import annotations

from typing import Any

from battlewright.battle.choices import Choice, Do
from battlewright.battle.engine import Battle


class Crashing:
    name = "crashing"

    def choose(self, battle: Battle) -> Choice:
        raise ZeroDivisionError("thinking about nothing")


class Cheating:
    name = "cheating"

    def choose(self, battle: Battle) -> Choice:
        return Do("win at once")


class Idle:
    name = "idle"

    def choose(self, battle: Battle) -> Any:
        return None


class Late:
    """Takes its time on a clock of its own, so that no test waits."""

    name = "late"

    def __init__(self) -> None:
        self.now = 0.0

    def choose(self, battle: Battle) -> Choice:
        self.now += 60
        return next(iter(battle.legal_choices()))

    def clock(self) -> float:
        return self.now


class Meddling:
    """Changes the battle it is shown."""

    name = "meddling"

    def choose(self, battle: Battle) -> Choice:
        battle.state.player[0, 0] += 5
        return next(iter(battle.legal_choices()))
