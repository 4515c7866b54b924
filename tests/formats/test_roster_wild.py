"""How much of a list comes back from the forms met in the wild: units, points, models, weapons, enhancements."""

from __future__ import annotations

import pytest
from invented_armies import Army, Unit, army
from test_roster_dialects import read_text, shape_read
from wild_lists import WILD, plain

from battlewright.formats import Reading

PARTS = ("points", "models", "weapons", "gift", "warlord")


def armies() -> list[Army]:
    return [one for seed in range(1, 12) if len((one := plain(army(seed))).units) > 2]


def meant(one: Unit) -> dict[str, object]:
    models: dict[str, int] = {}
    weapons: dict[str, dict[str, int]] = {}
    for model in one.models:
        models[model.name] = model.count
        weapons[model.name] = {name: number * model.count for name, number in model.gear.items()}
    return {"points": one.points, "models": models, "weapons": weapons, "gift": one.gift, "warlord": one.warlord}


def told(value: object) -> str:
    return str(value).casefold()


def came_back(wanted: Army, reading: Reading) -> tuple[int, int]:
    """How many of the parts of all units are right, of how many; a unit too many is one wrong."""
    assert reading.roster is not None
    found = [(unit.name.casefold(), shape_read(unit)) for unit in reading.roster.units]
    right, total = 0, max(0, len(found) - len(wanted.units))
    for one in wanted.units:
        total += len(PARTS) + 1
        same = [shape for name, shape in found if name == one.name.casefold()]
        scores = [sum(told(shape[part]) == told(meant(one)[part]) for part in PARTS) for shape in same]
        right += 1 + max(scores) if scores else 0
    return right, total


@pytest.mark.parametrize("form", WILD)
def test_a_form_of_the_wild_comes_back(form: str) -> None:
    counts = [came_back(one, read_text(WILD[form](one))) for one in armies()]
    right, total = map(sum, zip(*counts, strict=True))
    assert right / total >= 0.99, f"{right} of {total}"


def test_headers_of_other_languages_and_of_packets() -> None:
    one = armies()[0]
    for form in ("German app", "Spanish app", "Italian app", "packet"):
        roster = read_text(WILD[form](one)).roster
        assert roster is not None
        assert (roster.edition, roster.points, roster.limit) == ("10e", one.points, one.limit), form
        assert (roster.faction, roster.battle_size) == (one.faction, one.size), form
        sections = {unit.section for unit in roster.units}
        assert sections <= {"character", "battleline", "dedicated transport", "other", "allied"}, form


def test_a_nickname_is_told_and_no_part_of_the_name() -> None:
    found = read_text(WILD["nicknames"](armies()[0]))
    assert sum(" is called 'Old " in note for note in found.notes) == 3


def test_a_line_of_several_counted_things_is_each_of_them() -> None:
    squad = "Ash Wardens (90 points)\n  • 3x Warden (1x rod, 2x blade)\n\n"
    found = read_text(f"Army (180 points)\n\n{squad}Ash Seer (90 points)\n  • 2x kite, 1x icon\n").roster
    assert found is not None
    assert shape_read(found.units[0])["weapons"] == {"Warden": {"rod": 3, "blade": 6}}
    assert shape_read(found.units[1])["weapons"] == {"Ash Seer": {"kite": 2, "icon": 1}}
