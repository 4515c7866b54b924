"""A match: two players play a battle to its end, whatever they do. A player that fails is answered for, and it is noted.

>>> from battlewright.battle.engine import Battle
>>> from battlewright.players import player
>>> match = Match(Battle.new(("Ranger post", "Ranger post"), edition="10e", seed=1), [player("random"), player("random")])
>>> match.play().over, match.faults
(True, [])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Literal, TypeAlias

from msgspec import Struct

from battlewright.battle.choices import Choice
from battlewright.battle.engine import Battle
from battlewright.errors import IllegalChoice
from battlewright.players.base import Player

Kind: TypeAlias = Literal["crash", "illegal", "idle", "late"]


class PlayerFault(Struct, frozen=True):
    """What a player did wrong at which answer: it crashed, answered against the rules, not at all, or too late."""

    player: int
    answer: int
    kind: Kind
    words: str


class Match:
    """``thinking_s``: seconds a player has for an answer, None without limit. ``most``: faults until it is replaced."""

    def __init__(
        self,
        battle: Battle,
        players: Sequence[Player],
        *,
        thinking_s: float | None = None,
        most: int = 10,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self.battle, self.players = battle, list(players)
        self.thinking_s, self.most, self.clock = thinking_s, most, clock
        self.faults: list[PlayerFault] = []

    def play(self) -> Battle:
        """The battle, played to its end."""
        while not self.battle.over:
            self.answer()
        return self.battle

    def answer(self) -> None:
        """One answer: the player's, or the first legal one in its place."""
        player = self.battle.to_choose
        before = self.battle.hash()
        start = self.clock()
        try:
            choice = self.players[player].choose(self.battle)
        except Exception as error:
            choice = self._instead(player, "crash", f"{type(error).__name__}: {error}")
        else:
            choice = self._judged(player, choice, self.clock() - start)
        assert self.battle.hash() == before, "a player changed the battle it was shown"
        self.battle.play(choice)

    def _judged(self, player: int, choice: Choice | None, seconds: float) -> Choice:
        if self.thinking_s is not None and seconds > self.thinking_s:
            return self._instead(player, "late", f"{seconds:.2f} s, {self.thinking_s:g} s allowed")
        if choice is None:
            return self._instead(player, "idle", "no answer")
        reason = self.battle.why_not(choice)
        if reason is not None:
            return self._instead(player, "illegal", str(IllegalChoice(choice, reason)))
        return choice

    def _instead(self, player: int, kind: Kind, words: str) -> Choice:
        """Note the fault, and answer for the player; one that fails too often is replaced for good."""
        self.faults.append(PlayerFault(player, len(self.battle.played), kind, words))
        if sum(fault.player == player for fault in self.faults) == self.most:
            from battlewright.players.random import RandomPlayer

            self.players[player] = RandomPlayer(player)
        return next(iter(self.battle.legal_choices()))
