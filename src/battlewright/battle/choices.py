"""Answers to decisions: frozen values with a short text that reads back to the same value.

A unit is named by its id (``k1``), a model by unit and place (``k1#3``), lengths are inches with three decimals.

>>> read_choice("select k1")
Select(unit='k1')
>>> str(read_choice("move k1 k1#0:20.500,22.000>21.000,23.000@90"))
'move k1 k1#0:20.500,22.000>21.000,23.000@90'
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from battlewright.errors import Unparsed

Spot: TypeAlias = tuple[int, int]  # x, y in 1/1000 inch


class Answer(Struct, frozen=True, tag=True):
    """What every choice is."""


class Pass(Answer, frozen=True):
    """Nothing (more) of the kind asked."""

    def __str__(self) -> str:
        return "pass"


class Select(Answer, frozen=True):
    """This unit acts now."""

    unit: str

    def __str__(self) -> str:
        return f"select {self.unit}"


class Do(Answer, frozen=True):
    """The option of this name: a type of move, a mode, a way to shoot or to fight."""

    what: str

    def __str__(self) -> str:
        return f"do {self.what}"


class Put(Answer, frozen=True):
    """A unit starts in reserves, or in a transport."""

    unit: str
    into: str = "reserves"

    def __str__(self) -> str:
        return f"put {self.unit} in {self.into}"


class Step(Struct, frozen=True):
    """The way of one model: its way-points (the last is where it ends), facing in degrees, level in 1/1000 inch."""

    model: str
    way: tuple[Spot, ...]
    facing: int = 0
    z: int = 0

    @property
    def end(self) -> Spot:
        """Where the model ends."""
        return self.way[-1]

    def __str__(self) -> str:
        way = ">".join(f"{x / 1000:.3f},{y / 1000:.3f}" for x, y in self.way)
        level = f"^{self.z / 1000:.3f}" if self.z else ""
        return f"{self.model}:{way}" + (f"@{self.facing}" if self.facing else "") + level


class MovePlan(Answer, frozen=True):
    """The models of a unit that move, each with its way; the others stay."""

    unit: str
    steps: tuple[Step, ...] = ()

    def __str__(self) -> str:
        return " ".join(("move", self.unit, *map(str, self.steps)))


class Placement(Answer, frozen=True):
    """Where the models of a unit are set up."""

    unit: str
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return " ".join(("place", self.unit, *map(str, self.steps)))


class Shot(Struct, frozen=True):
    """A model's weapon (by its place in the model's list) at a target; ``attacks``: so many of them (0: all)."""

    model: str
    weapon: int
    target: str
    attacks: int = 0

    def __str__(self) -> str:
        return f"{self.model}.{self.weapon}>{self.target}" + (f"*{self.attacks}" if self.attacks else "")


class Declare(Answer, frozen=True):
    """Every weapon that will be used, and at what: a declaration is whole (split fire is simply more targets)."""

    shots: tuple[Shot, ...] = ()

    def __str__(self) -> str:
        return " ".join(("declare", *map(str, self.shots)))


class Targets(Answer, frozen=True):
    """Units chosen as targets of a charge or a move."""

    units: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(("targets", *self.units))


class Use(Answer, frozen=True):
    """Use a stratagem or an ability (by its key) on these units."""

    rule: str
    units: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join(("use", self.rule.replace(" ", "_"), *self.units))


class Die(Answer, frozen=True):
    """Re-roll this die of the roll just made (its place, from 0)."""

    place: int

    def __str__(self) -> str:
        return f"die {self.place}"


class PickModel(Answer, frozen=True):
    """This model: to lose, to take the damage, to be the bearer."""

    model: str

    def __str__(self) -> str:
        return f"model {self.model}"


class Order(Answer, frozen=True):
    """Things in this order (allocation groups by one of their models)."""

    items: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(("order", *self.items))


Choice: TypeAlias = Pass | Select | Do | Put | MovePlan | Placement | Declare | Targets | Use | Die | PickModel | Order

_SHOT = re.compile(r"^(\S+#\d+)\.(\d+)>([^\s*]+)(?:\*(\d+))?$")
_STEP = re.compile(r"^([^\s:]+#\d+):([-\d.,>]+)(?:@(\d+))?(?:\^(-?[\d.]+))?$")


def read_choice(text: str) -> Choice:
    """The choice a text means. Raises :class:`Unparsed`.

    >>> str(read_choice("select a1"))
    'select a1'
    """
    verb, *words = text.split()[:1] + text.split()[1:] or [""]
    try:
        return _READ[verb](words)
    except (KeyError, ValueError, IndexError, TypeError, AttributeError):
        raise Unparsed(text, (0, len(text)), f"a choice ({', '.join(_READ)})") from None


def _no_words(words: list[str]) -> Choice:
    if words:
        raise ValueError
    return Pass()


def _put(words: list[str]) -> Choice:
    unit, into, place = words
    if into != "in":
        raise ValueError
    return Put(unit, place)


def _step(text: str) -> Step:
    model, way, facing, z = _STEP.match(text).groups()  # type: ignore[union-attr]
    spots = tuple(_spot(part) for part in way.split(">"))
    return Step(model, spots, int(facing or 0), round(float(z or 0) * 1000))


def _spot(text: str) -> Spot:
    x, y = text.split(",")
    return round(float(x) * 1000), round(float(y) * 1000)


def _shot(text: str) -> Shot:
    model, weapon, target, attacks = _SHOT.match(text).groups()  # type: ignore[union-attr]
    return Shot(model, int(weapon), target, int(attacks or 0))


def _one(words: list[str]) -> str:
    (word,) = words
    return word


_READ: dict[str, Callable[[list[str]], Choice]] = {
    "pass": _no_words,
    "select": lambda words: Select(_one(words)),
    "do": lambda words: Do(" ".join(words)) if words else _no_words([""]),
    "put": _put,
    "move": lambda words: MovePlan(words[0], tuple(map(_step, words[1:]))),
    "place": lambda words: Placement(words[0], tuple(map(_step, words[1:]))),
    "declare": lambda words: Declare(tuple(map(_shot, words))),
    "targets": lambda words: Targets(tuple(words)),
    "use": lambda words: Use(words[0].replace("_", " "), tuple(words[1:])),
    "die": lambda words: Die(int(_one(words))),
    "model": lambda words: PickModel(_one(words)),
    "order": lambda words: Order(tuple(words)),
}

#: the first words of choices as text
VERBS = tuple(_READ)
