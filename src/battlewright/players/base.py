"""What a player is: asked with a view of the battle, answers with a legal choice."""

from __future__ import annotations

from typing import Protocol

from battlewright.battle.choices import Choice
from battlewright.battle.engine import Battle


class Player(Protocol):
    """Anything that chooses. It must not change the battle it is shown."""

    name: str

    def choose(self, battle: Battle) -> Choice: ...
