"""Tables: every attacker against every target, with what each does for its points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from battlewright.attack.ask import PLAIN, judge, reply
from battlewright.attack.matchup import Moment, edition_of, matchup
from battlewright.attack.units import Unit, take
from battlewright.effects import EditionId
from battlewright.errors import BadInput, Fault


class Cell(Struct, frozen=True):
    """One attacker against one target. ``points_per_100``: points slain for each 100 points of the attacker."""

    attacker: str
    target: str
    attacks: float
    hits: float
    wounds: float
    damage: float
    slain: float
    p_destroyed: float
    points_per_100: float | None
    weapons: str


class Table(Struct, frozen=True):
    """The matrix, row by row, with everything that was assumed."""

    edition: EditionId
    attackers: tuple[str, ...]
    targets: tuple[str, ...]
    cells: tuple[Cell, ...]
    notes: tuple[str, ...] = ()

    def rows(self) -> Iterator[tuple[str, tuple[Cell, ...]]]:
        """Each attacker with its cells, in the order of the targets."""
        width = len(self.targets)
        for place, name in enumerate(self.attackers):
            yield name, self.cells[place * width : (place + 1) * width]


def table(
    attackers: Sequence[str | Unit],
    targets: Sequence[str | Unit],
    *,
    edition: EditionId | None = None,
    moment: Moment = PLAIN,
    stats: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Table:
    """Every attacker against every target; ``progress`` is told (cells done, cells in all).

    Raises :class:`BadInput` with the faults of all units.

    >>> found = table(["Kasrkin", "Canis Rex"], ["Kasrkin"])
    >>> [(name, round(cells[0].slain, 2)) for name, cells in found.rows()]
    [('Kasrkin', 2.22), ('Canis Rex', 6.54)]
    """
    sides, faults = (list[Unit](), list[Unit]()), list[Fault]()
    for side, units, line in zip(sides, (attackers, targets), (None, stats), strict=True):
        for unit in units:
            try:
                side.append(take(unit, edition, stats=line) if isinstance(unit, str) else unit)
            except BadInput as error:
                faults += error.faults
    if faults:
        raise BadInput(dict.fromkeys(faults))
    rules = edition_of([*sides[0], *sides[1]], edition)
    cells, notes = [], dict[str, None]()
    for attacker in sides[0]:
        for target in sides[1]:
            try:
                cell, said = _cell(attacker, target, moment, rules)
            except BadInput as error:
                faults += error.faults
                continue
            cells.append(cell)
            notes |= dict.fromkeys(said)
            if progress:
                progress(len(cells), len(sides[0]) * len(sides[1]))
    if faults:
        raise BadInput(dict.fromkeys(faults))
    attacking, attacked = (tuple(unit.name for unit in side) for side in sides)
    return Table(rules, attacking, attacked, tuple(cells), tuple(notes))


def _cell(attacker: Unit, target: Unit, moment: Moment, edition: EditionId) -> tuple[Cell, tuple[str, ...]]:
    question = matchup(attacker, target, moment, edition, judge)
    found = reply(question)
    weapons = "; ".join(f"{shot.count} {shot.weapon.title}" for shot in question.shots)
    means = (found.attacks.mean, found.hits.mean, found.wounds.mean, found.damage.mean, found.slain.mean)
    cell = Cell(attacker.name, target.name, *means, found.p_destroyed, found.per_100_points, weapons)
    return cell, (*found.notes, *found.assumed)
