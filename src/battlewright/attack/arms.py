"""Which weapons of a unit attack: all of the default equipment, or those named; one profile of each, the better one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from battlewright.attack.units import Kind, Unit
from battlewright.catalogue.lookup import way_to_add
from battlewright.datasheet import Weapon
from battlewright.errors import BadInput, Fault
from battlewright.names import meant, same


class Shot(Struct, frozen=True):
    """``count`` of one weapon profile that attack, and which kind of model they belong to ("" for several)."""

    weapon: Weapon
    count: int
    by: str = ""


class Carried(NamedTuple):
    """All profiles of one weapon, how many there are of it, and who carries it."""

    profiles: tuple[Weapon, ...]
    number: int
    by: str

    def is_a(self, *abilities: str) -> bool:
        return has(self.profiles[0], *abilities)


#: How good shots are: the mean damage they do alone.
Worth = Callable[[Iterable[Shot]], float]


@dataclass
class Armoury:
    """The choice of weapons of one attack; ``notes`` says what was chosen and left out, and why."""

    unit: Unit
    melee: bool
    worth: Worth
    distance: float | None = None
    notes: list[str] = field(default_factory=list)

    def chosen(self, named: tuple[str, ...]) -> tuple[Shot, ...]:
        """The shots of the weapons named (``2 plasma gun``, ``plasma gun – supercharge``), or of all.

        Raises :class:`BadInput` for a weapon the unit does not have, or a unit of which no weapon is known.
        """
        return self._named(named) if named else self._all()

    # ------------------------------------------------------------------------------------------------------ all

    def _all(self) -> tuple[Shot, ...]:
        if not self.unit.weapons:
            way = way_to_add(self.unit.edition)
            raise BadInput(f"no weapon profiles of it are known: {way}, or give its page", self.unit.name)
        if not any(kind.weapons for kind in self.unit.kinds):
            raise BadInput("what its models carry is not known: give --with WEAPON", self.unit.name)
        return merged([shot for kind in self.unit.kinds for shot in self._of(kind)])

    def _of(self, kind: Kind) -> list[Shot]:
        carried = [Carried(self._usable(name, kind), count, kind.name) for name, count in kind.weapons]
        usable = [row for row in carried if row.profiles]
        return self._fight(usable) if self.melee else self._shoot(kind, self._reaching(usable))

    def _usable(self, name: str, kind: Kind | None) -> tuple[Weapon, ...]:
        """The profiles of a weapon that can attack so: some weapons have ranged and melee ones; of some S is rolled."""
        profiles = [weapon for weapon in self.unit.profiles(name, kind) if weapon.melee == self.melee]
        self.notes += [
            f"{weapon.title}: its Strength is not a number, left out" for weapon in profiles if not weapon.strength
        ]
        return tuple(weapon for weapon in profiles if weapon.strength)

    def _shoot(self, kind: Kind, carried: list[Carried]) -> list[Shot]:
        """All ranged weapons; a model that is no MONSTER or VEHICLE fires pistols or others. Rules: 11e 24.07; 10e T-6."""
        others = [row for row in carried if not row.is_a("pistol", "close-quarters")]
        if others and not (self.unit.has("MONSTER") or self.unit.has("VEHICLE")):
            kept = [row.profiles[0].name for row in carried if row not in others]
            self.notes += [f"{kind.name}: {name} not fired beside other weapons" for name in kept]
            carried = others
        return [self._best_profile(row) for row in carried]

    def _fight(self, carried: list[Carried]) -> list[Shot]:
        """The best melee weapon of each model, and those with [EXTRA ATTACKS] beside it."""
        extra = [self._best_profile(row) for row in carried if row.is_a("extra attacks")]
        main = [self._best_profile(row) for row in carried if not row.is_a("extra attacks")]
        if len(main) > 1:
            main.sort(key=lambda shot: self.worth([shot]), reverse=True)
            self.notes.append(f"{main[0].by}: fights with {main[0].weapon.title}, the better of {len(main)}")
        return [*main[:1], *extra]

    def _reaching(self, carried: list[Carried]) -> list[Carried]:
        if self.distance is None:
            return carried
        found = []
        for row in carried:
            near_enough = tuple(weapon for weapon in row.profiles if weapon.range >= self.distance)
            self.notes += [
                f'{weapon.title}: range {weapon.range}", not in range at {self.distance:g}"'
                for weapon in row.profiles
                if weapon not in near_enough
            ]
            if near_enough:
                found.append(row._replace(profiles=near_enough))
        return found

    def _best_profile(self, row: Carried) -> Shot:
        """The profile that does most damage. Rules: 11e 04.02; 10e T-6.1 (one profile is selected)."""
        if len(row.profiles) == 1:
            return Shot(row.profiles[0], row.number, row.by)
        values = [(self.worth([Shot(weapon, row.number, row.by)]), weapon) for weapon in row.profiles]
        value, best = max(values, key=lambda pair: pair[0])
        rest = ", ".join(f"{weapon.profile} {other:.2f}" for other, weapon in values if weapon is not best)
        self.notes.append(f"{best.name}: profile {best.profile} taken ({value:.2f} damage; {rest})")
        return Shot(best, row.number, row.by)

    # ---------------------------------------------------------------------------------------------------- named

    def _named(self, named: tuple[str, ...]) -> tuple[Shot, ...]:
        rows, faults = list[Carried](), list[Fault]()
        for text in named:
            count, name = counted(text)
            found = self._carried(name)
            if not found and self.unit.profiles(name):
                faults.append(Fault("ranged and melee weapons do not attack together", f"--with {text}"))
            elif not found:
                faults.append(Fault(self._unknown(name), f"--with {text}"))
            else:
                rows += found if count is None else [found[0]._replace(number=count)]
        if faults:
            raise BadInput(faults)
        return merged([self._best_profile(row) for row in (rows if self.melee else self._reaching(rows))])

    def _carried(self, name: str) -> list[Carried]:
        """A weapon as each kind of model carries it; one of it where nobody does."""
        found = [
            Carried(profiles, number, kind.name)
            for kind in self.unit.kinds
            for item, number in kind.weapons
            if (profiles := self._usable(name, kind)) and same(item, profiles[0].name)
        ]
        profiles = self._usable(name, None)
        if found or not profiles:
            return found
        if not any(kind.weapons for kind in self.unit.kinds):
            self.notes.append(f"{self.unit.name}: equipment not known; {profiles[0].name}, one each model")
            return [Carried(profiles, self.unit.models, "")]
        self.notes.append(f"{profiles[0].name}: not in the default equipment (one, where no number is given)")
        return [Carried(profiles, 1, "")]

    def _unknown(self, name: str) -> str:
        return "no weapon of that name" + meant(name, dict.fromkeys(weapon.name for weapon in self.unit.weapons))


def is_melee(unit: Unit, named: tuple[str, ...], *, charged: bool) -> bool:
    """Whether a unit fights rather than shoots, where it was not said: by the weapons named, a charge, or what it has."""
    if named:
        profiles = [weapon for text in named for weapon in unit.profiles(counted(text)[1])]
        return bool(profiles) and all(weapon.melee for weapon in profiles)
    carried = [weapon for kind in unit.kinds for name, _ in kind.weapons for weapon in unit.profiles(name, kind)]
    return charged or (bool(carried) and all(weapon.melee for weapon in carried))


def counted(text: str) -> tuple[int | None, str]:
    """``2x plasma gun`` or ``plasma gun`` as a number and a name.

    >>> counted("2x plasma gun"), counted("Plasma gun – supercharge")
    ((2, 'plasma gun'), (None, 'Plasma gun – supercharge'))
    """
    first, _, rest = text.strip().partition(" ")
    number = first.rstrip("xX×")
    if number.isdigit() and len(number) <= 4 and rest:
        return int(number), rest.strip()
    return None, text.strip()


def merged(shots: list[Shot]) -> tuple[Shot, ...]:
    """Equal weapons as one batch. Rules: 11e 04.03."""
    found = dict[Weapon, Shot]()
    for shot in shots:
        known = found.get(shot.weapon)
        found[shot.weapon] = replace(known, count=known.count + shot.count, by="") if known else shot
    return tuple(found.values())


def has(weapon: Weapon, *names: str) -> bool:
    return any(ability.name in names for ability in weapon.abilities)
