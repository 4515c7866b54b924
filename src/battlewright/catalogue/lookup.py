"""Look-up of datasheets by name, keyword, faction, over shelves in a stated order.

A shelf holds datasheets and can list its names without reading them. The order: the catalogues the user added (the latest
first), then what ships with Battlewright, then the user's catalogues without rules text. The first shelf that has a name
gives the datasheet; the answer says which.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from battlewright.codec import from_json
from battlewright.datasheet import Datasheet
from battlewright.effects import EditionId
from battlewright.errors import BadInput, Fault
from battlewright.names import fold, near, same, singular, slug, suggested

EDITIONS: Final[tuple[EditionId, ...]] = ("11e", "10e")
HERE: Final = Path(__file__).parent
#: The longest name looked for among files: real ones stay below 60 letters, and no file has a longer one.
LONGEST: Final = 120


class Shelf(Protocol):
    """A place that holds datasheets."""

    @property
    def name(self) -> str:
        """What to call it in answers: ``shipped``, or the name the user gave."""

    def names(self, edition: EditionId) -> Iterable[str]:
        """The names of its datasheets of an edition, without reading them."""

    def load(self, name: str, edition: EditionId) -> Datasheet | None:
        """The datasheet of that name, however it is spelt; None when it has none."""


class Found(Struct, frozen=True):
    """A datasheet, the shelf it came from, and the other editions that have one of that name."""

    datasheet: Datasheet
    shelf: str
    other_editions: tuple[EditionId, ...] = ()


class Shipped:
    """The datasheets that ship: one JSON file each, named by its folded name."""

    name = "shipped"

    def names(self, edition: EditionId) -> Iterable[str]:
        return [path.stem.replace("-", " ") for path in sorted((HERE / edition / "datasheets").glob("*.json"))]

    def load(self, name: str, edition: EditionId) -> Datasheet | None:
        for form in dict.fromkeys((slug(name), slug(singular(fold(name))))):
            path = HERE / edition / "datasheets" / f"{form}.json"
            if form and len(form) <= LONGEST and path.is_file():
                return _read(path)
        return None


@cache
def _read(path: Path) -> Datasheet:
    return from_json(path.read_bytes(), Datasheet, where=path.name)


def shelves() -> list[Shelf]:
    """All shelves, in the order they are asked."""
    found: list[Shelf] = []
    if importlib.util.find_spec("battlewright.catalogue.user") is not None:
        found += importlib.import_module("battlewright.catalogue.user").shelves()
    bare = [shelf for shelf in found if getattr(shelf, "bare", False)]
    return [*(shelf for shelf in found if shelf not in bare), Shipped(), *bare]


def find(name: str, edition: EditionId | None = None) -> Found:
    """The datasheet of that name; without ``edition`` the newest that has it.

    Raises :class:`BadInput` with suggestions when there is none.

    >>> find("KASRKIN").datasheet.edition, find("canis-rex").datasheet.name
    ('11e', 'Canis Rex')
    >>> find("Kasrkn")
    Traceback (most recent call last):
    battlewright.errors.BadInput: no datasheet of that name; did you mean Kasrkin? @ Kasrkn
    """
    found = [hit for each in ((edition,) if edition else EDITIONS) if (hit := _first(name, each))]
    if not found:
        raise BadInput(_unknown(name, edition), name)
    sheet, shelf = found[0]
    return Found(sheet, shelf, tuple(other.edition for other, _ in found[1:]))


def way_to_add(edition: EditionId | None, what: str = "it") -> str:
    """What a person can do about a unit that no catalogue in use has.

    >>> way_to_add("11e")
    'add a catalogue of the 11e that has it (battlewright catalogue add PATH)'
    """
    return f"add a catalogue of the {edition or 'edition'} that has {what} (battlewright catalogue add PATH)"


def credits_of(names: Iterable[str]) -> tuple[str, ...]:
    """The credit lines that the shelves of these names ask to be shown wherever their data is used.

    >>> credits_of(["shipped"])
    ()
    """
    wanted = set(names)
    lines = (getattr(shelf, "credit", "") for shelf in shelves() if shelf.name in wanted)
    return tuple(dict.fromkeys(line for line in lines if line))


def _first(name: str, edition: EditionId) -> tuple[Datasheet, str] | None:
    for shelf in shelves():
        if sheet := shelf.load(name, edition):
            return sheet, shelf.name
    return None


def _unknown(name: str, edition: EditionId | None) -> str:
    wanted = (edition,) if edition else EDITIONS
    names = [known for each in wanted for shelf in shelves() for known in shelf.names(each)]
    close = [_printed(known, wanted) for known in near(name, names)]
    in_edition = f" in {edition}" if edition else ""
    if edition and any(_first(name, other) for other in EDITIONS if other != edition):
        return f"no datasheet of that name{in_edition} (there is one of the other edition)"
    return f"no datasheet of that name{in_edition}{suggested(close)}"


def _printed(name: str, editions: Iterable[EditionId]) -> str:
    return next((hit[0].name for edition in editions if (hit := _first(name, edition))), name)


def search(
    *, keywords: Iterable[str] = (), faction: str | None = None, edition: EditionId | None = None
) -> Iterator[tuple[Datasheet, str]]:
    """Every datasheet that has all the keywords (of the unit, of a model, of its faction) and is of the faction.

    >>> [sheet.name for sheet, _ in search(keywords=["titanic"], faction="chaos knights", edition="10e")]
    ['Chaos Questoris Knight Magaera']
    """
    wanted = [fold(word) for word in keywords]
    for each in (edition,) if edition else EDITIONS:
        seen = set[str]()
        for shelf in shelves():
            for name in shelf.names(each):
                sheet = None if fold(name) in seen else shelf.load(name, each)
                seen.add(fold(name))
                if (
                    sheet
                    and all(word in _keywords(sheet) for word in wanted)
                    and (faction is None or _of(sheet, faction))
                ):
                    yield sheet, shelf.name


def _keywords(sheet: Datasheet) -> set[str]:
    words = {fold(word) for word in (*sheet.keywords, *sheet.faction_keywords)}
    return words | {fold(word) for model in sheet.models for word in model.keywords}


def _of(sheet: Datasheet, faction: str) -> bool:
    return any(same(faction, known) for known in (sheet.faction, *sheet.faction_keywords))


def check(sheet: Datasheet) -> list[Fault]:
    """What is wrong in a datasheet that should be whole: wargear no weapon or ability has, options of what nobody carries.

    >>> check(find("Kasrkin").datasheet)
    []
    """
    weapons = {fold(weapon.name) for weapon in sheet.weapons}
    abilities = {fold(ability.name) for ability in sheet.abilities}
    faults = []
    for place, model in enumerate(sheet.models):
        faults += [
            Fault(f"{item}: no weapon of that name", f"$.models[{place}].wargear")
            for item in model.wargear
            if fold(item) not in weapons | abilities
        ]
        if model.high is not None and model.high < model.low:
            faults.append(Fault(f"at most {model.high}, at least {model.low} models", f"$.models[{place}]"))
    for place, option in enumerate(sheet.options):
        items = [item for choice in option.choices for item, _ in choice.items] + [*option.replaces, *option.needs]
        faults += [
            Fault(f"{item}: no weapon or ability of that name", f"$.options[{place}]")
            for item in items
            if fold(item) not in weapons | abilities
        ]
        if option.model and not any(same(option.model, model.name) for model in sheet.models):
            faults.append(Fault(f"{option.model}: no model of that name", f"$.options[{place}].model"))
    return faults
