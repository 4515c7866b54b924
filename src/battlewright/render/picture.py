"""What a drawing shows: plain values, in inches, taken from a battle or put together by hand.

The table is seen from above, x to the right and y down, as positions give them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from battlewright.battlefield.terrain import Area, Point
from battlewright.datasheet import Base

Side: TypeAlias = Literal["A", "B"]
SIDES: tuple[Side, Side] = ("A", "B")


@dataclass(frozen=True, slots=True)
class Token:
    """One model on the table: ``wounds`` left of ``full``; ``z`` inches up."""

    name: str
    at: Point
    base: Base
    facing: int = 0
    wounds: int = 1
    full: int = 1
    z: float = 0.0


@dataclass(frozen=True, slots=True)
class Group:
    """One unit: its models on the table, how many it started with, what it did ("advanced"), where it is when not there."""

    id: str
    name: str
    side: Side
    tokens: tuple[Token, ...] = ()
    start: int = 0
    states: tuple[str, ...] = ()
    away: str = ""


@dataclass(frozen=True, slots=True)
class Marker:
    """An objective: who controls it, both levels of control, whether it is secured; ``area``: it is a terrain area."""

    at: Point
    control: Side | None = None
    levels: tuple[int, int] = (0, 0)
    secured: bool = False
    area: int | None = None


@dataclass(frozen=True, slots=True)
class Ruler:
    """A measuring aid: a line between two points, with its length."""

    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class Ring:
    """A measuring aid: everything within so many inches of a unit's models."""

    unit: str
    inches: float


@dataclass(frozen=True, slots=True)
class Field:
    """A measuring aid: places a model may move to (as ``reach`` gives them), each the middle of a square ``step`` wide."""

    side: Side
    places: tuple[Point, ...]
    step: float = 0.5


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything one drawing shows."""

    board: tuple[float, float] = (60, 44)
    title: str = ""
    edition: str = ""
    round: int = 0
    turn: Side | None = None
    phase: str = ""
    cp: tuple[int, int] = (0, 0)
    vp: tuple[int, int] = (0, 0)
    names: tuple[str, str] = ("A", "B")
    areas: tuple[Area, ...] = ()
    zones: tuple[tuple[Point, ...], tuple[Point, ...]] = ((), ())
    objectives: tuple[Marker, ...] = ()
    groups: tuple[Group, ...] = ()
    rulers: tuple[Ruler, ...] = ()
    rings: tuple[Ring, ...] = ()
    fields: tuple[Field, ...] = ()

    @property
    def clock(self) -> str:
        """Round, whose turn, and phase, in words.

        >>> Picture(round=2, turn="A", phase="shooting").clock
        'Round 2 · A · Shooting phase'
        """
        parts = [f"Round {self.round}" if self.round else "Before the battle"]
        if self.turn:
            parts.append(self.names[SIDES.index(self.turn)])
        if self.phase:
            parts.append(f"{self.phase.capitalize()} phase")
        return " · ".join(parts)
