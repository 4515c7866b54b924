"""Tables: every attacker against every target, with what each does for its points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from battlewright.attack.answer import answer_all
from battlewright.attack.ask import PLAIN, judge, per_100_points
from battlewright.attack.matchup import Moment, edition_of, matchup
from battlewright.attack.rulings import rule_on
from battlewright.attack.units import Unit, take
from battlewright.catalogue.lookup import EDITIONS
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
    ours, theirs = _sides(attackers, targets, edition, stats)
    rules = edition_of([*ours, *theirs], edition)
    cells, notes, faults = list[Cell](), dict[str, None](), list[Fault]()
    for attacker in ours:
        for target in theirs:
            try:
                cell, said = _cell(attacker, target, moment, rules)
            except BadInput as error:
                faults += error.faults
                continue
            cells.append(cell)
            notes |= dict.fromkeys(said)
            if progress:
                progress(len(cells), len(ours) * len(theirs))
    if faults:
        raise BadInput(dict.fromkeys(faults))
    names = [tuple(unit.name for unit in side) for side in (ours, theirs)]
    return Table(rules, names[0], names[1], tuple(cells), tuple(notes))


def _sides(
    attackers: Sequence[str | Unit], targets: Sequence[str | Unit], edition: EditionId | None, stats: str | None
) -> tuple[list[Unit], list[Unit]]:
    """All units: of the edition asked for, else the newest that has all of them, else the newest of each."""
    newest = None
    for each in (edition, *(() if edition else EDITIONS)):
        taken = _all([*((unit, None) for unit in attackers), *((unit, stats) for unit in targets)], each)
        ours, theirs = taken[: len(attackers)], taken[len(attackers) :]
        newest = newest or (ours, theirs)
        if edition or len({unit.edition for unit in (*ours, *theirs)}) == 1:
            return ours, theirs
    assert newest is not None
    return newest


def _all(units: Sequence[tuple[str | Unit, str | None]], edition: EditionId | None) -> list[Unit]:
    """Every unit with its stat line where one is given; raises :class:`BadInput` with the faults of all."""
    taken, faults = list[Unit](), list[Fault]()
    for unit, stats in units:
        try:
            taken.append(take(unit, edition, stats=stats) if isinstance(unit, str) else unit)
        except BadInput as error:
            faults += error.faults
    if faults:
        raise BadInput(dict.fromkeys(faults))
    return taken


def _cell(attacker: Unit, target: Unit, moment: Moment, edition: EditionId) -> tuple[Cell, tuple[str, ...]]:
    question = matchup(attacker, target, moment, edition, judge)
    ruled = rule_on(question)
    found = answer_all([ruled.request])
    weapons = "; ".join(f"{shot.count} {shot.weapon.title}" for shot in question.shots)
    means = (found.attacks.mean, found.hits.mean, found.wounds.mean, found.damage.mean, found.slain.mean)
    cell = Cell(attacker.name, target.name, *means, found.p_destroyed, per_100_points(question, found), weapons)
    return cell, (*question.notes, *ruled.notes, *ruled.assumed, *found.assumed)
