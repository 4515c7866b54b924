"""Missions as data: zones, objectives and the lines by which victory points are scored. Inches.

Rules: 11e 26; 10e T-15.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from battlewright.battlefield.terrain import Area
from battlewright.effects import EditionId
from battlewright.errors import BadInput

Point: TypeAlias = tuple[float, float]
Kind: TypeAlias = Literal["home_a", "home_b", "central", "expansion"]


class Objective(Struct, frozen=True):
    """Where an objective stands; its kind tells homes from the rest."""

    at: Point
    kind: Kind = "expansion"


class Line(Struct, frozen=True, omit_defaults=True):
    """One scoring line. ``when``: end of the turn (``turn``), of the Command phase (``command``), of the battle.

    ``what``: per objective controlled (``each``), ``at_least`` n of them, ``more`` than the opponent, an enemy unit
    destroyed this turn (``kill``), more destroyed than lost (``more_kills``), one newly controlled (``new``).
    ``of`` narrows the objectives. ``last_turn``: the player who goes second scores it at the end of the turn in round 5.
    """

    what: Literal["each", "at_least", "more", "kill", "each_kill", "more_kills", "new"]
    vp: int
    when: Literal["turn", "command", "battle"] = "command"
    of: Literal["any", "not_home", "home", "central", "enemy_home"] = "any"
    n: int = 1
    rounds: tuple[int, int] = (2, 5)
    needs_home: bool = False
    most: int | None = None


class Mission(Struct, frozen=True):
    """``zones``: the deployment zones of the Defender (A) and the Attacker (B) as polygons.

    ``late_second``: in the last round the Command phase's lines of the player who goes second are scored at the end of
    the turn (10e T-15.3; not in the core mission, T-15.2). ``ends_with_an_army``: the battle ends when an army is
    destroyed, and that army loses (10e T-15.2).
    """

    name: str
    edition: EditionId
    objectives: tuple[Objective, ...]
    zones: tuple[tuple[Point, ...], tuple[Point, ...]]
    lines: tuple[Line, ...] = ()
    board: tuple[float, float] = (60, 44)
    rounds: int = 5
    round_cap: int | None = None
    cap: int | None = None
    terrain: tuple[Area, ...] = ()
    scoring: bool = True
    flat_markers: bool = True
    late_second: bool = True
    ends_with_an_army: bool = False


def _box(x: float, y: float, to_x: float, to_y: float) -> tuple[Point, ...]:
    return ((x, y), (to_x, y), (to_x, to_y), (x, to_y))


_DAWN = (
    Objective((30, 22), "central"),
    Objective((30, 6), "home_a"),
    Objective((30, 38), "home_b"),
    Objective((10, 22)),
    Objective((50, 22)),
)
_HAMMER = (
    Objective((30, 22), "central"),
    Objective((10, 22), "home_a"),
    Objective((50, 22), "home_b"),
    Objective((30, 6)),
    Objective((30, 38)),
)
_DAWN_ZONES = (_box(0, 0, 60, 12), _box(0, 32, 60, 44))
_HAMMER_ZONES = (_box(0, 0, 18, 44), _box(42, 0, 60, 44))

_NH4 = Line("at_least", 4, of="not_home")
#: 11e primaries that need no markers or actions (26, primary scoring), by name
PRIMARIES: dict[str, tuple[Line, ...]] = {
    "Battlefield Dominance": (
        Line("more", 2, when="turn", rounds=(1, 2)),
        Line("each", 3),
        Line("each", 2, of="not_home", needs_home=True),
    ),
    "Immovable Object": (
        Line("at_least", 3, when="turn", of="central", rounds=(1, 5)),
        Line("each", 5, of="not_home"),
    ),
    "Inescapable Dominion": (
        Line("at_least", 4, when="turn", n=3, rounds=(1, 5)),
        Line("at_least", 5, n=2),
        Line("more", 4),
        Line("at_least", 5, when="battle", of="enemy_home"),
    ),
    "Unstoppable Force": (
        Line("kill", 3, when="turn", rounds=(1, 5)),
        Line("each", 4, of="not_home"),
        Line("new", 3, when="turn", of="not_home"),
        Line("at_least", 5, when="battle", of="central"),
    ),
    "Destroyer's Wrath": (
        Line("kill", 3, when="turn", rounds=(1, 5)),
        _NH4,
        Line("more", 6),
        Line("more_kills", 4, when="turn"),
    ),
}


def _eleventh(name: str) -> Mission:
    return Mission(name, "11e", _HAMMER, _HAMMER_ZONES, PRIMARIES[name], round_cap=15, cap=45)


#: every mission we ship, by edition and name; the first of an edition is its default
MISSIONS: tuple[Mission, ...] = (
    *map(_eleventh, PRIMARIES),
    Mission("Take and Hold", "10e", _HAMMER, _HAMMER_ZONES, (Line("each", 5, most=15),), cap=50),
    Mission(
        "Only War",
        "10e",
        _DAWN,
        _DAWN_ZONES,
        (Line("each", 1, most=3),),
        flat_markers=False,
        late_second=False,
        ends_with_an_army=True,
    ),
    Mission(
        "Linchpin",
        "10e",
        _HAMMER,
        _HAMMER_ZONES,
        (Line("each", 3), Line("each", 2, of="not_home", needs_home=True)),
        round_cap=15,
        cap=50,
    ),
)


def mission(name: str | None, edition: EditionId) -> Mission:
    """A shipped mission by name (any case); the edition's first when None. Raises :class:`BadInput`.

    >>> mission(None, "10e").name
    'Take and Hold'
    """
    known = [m for m in MISSIONS if m.edition == edition]
    if name is None:
        return known[0]
    for found in known:
        if found.name.lower() == name.lower():
            return found
    raise BadInput(f"no such mission; known: {', '.join(m.name for m in known)}", f"mission {name!r}")


def open_field(
    edition: EditionId, objectives: tuple[Point, ...] = (), board: tuple[float, float] = (60, 44)
) -> Mission:
    """A bare board without scoring, for positions."""
    return Mission(
        "Open field", edition, tuple(Objective(at) for at in objectives), _HAMMER_ZONES, (), board=board, scoring=False
    )
