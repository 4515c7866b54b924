"""Players: anything that answers decisions. ``player(name, seed)`` makes one by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from battlewright.errors import BadInput

if TYPE_CHECKING:
    from battlewright.battle.engine import Battle
    from battlewright.players.base import Player


def player(name: str, seed: int = 0) -> Player:
    """A shipped player by name. Raises :class:`BadInput` with the names there are."""
    makers = _makers()
    if name not in makers:
        raise BadInput(f"no player of that name; known: {', '.join(makers)}", name)
    return makers[name](seed)


def _makers() -> dict[str, Callable[[int], Player]]:
    from battlewright.players.greedy import GreedyPlayer
    from battlewright.players.random import RandomPlayer

    return {"greedy": GreedyPlayer, "random": RandomPlayer}


def play_out(battle: Battle, players: Sequence[Player]) -> Battle:
    """Let two players play a battle to its end; returns it."""
    while not battle.over:
        battle.play(players[battle.to_choose].choose(battle))
    return battle
