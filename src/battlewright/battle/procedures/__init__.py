"""The procedures of a battle, one module a phase or sequence; importing this registers them all."""

from battlewright.battle.procedures import (
    attacks,
    casualties,
    charge,
    command,
    fight,
    game,
    movement,
    reacting,
    returning,
    rolling,
    shooting,
)

__all__ = [
    "attacks", "casualties", "charge", "command", "fight", "game", "movement", "reacting", "returning", "rolling",
    "shooting",
]  # fmt: skip
