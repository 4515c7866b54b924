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


def told_units(text: str) -> list[tuple[object, ...]]:
    """Name, points, models with their weapons, enhancement, warlord, what it is attached to."""
    reading = read_text(text)
    assert reading.roster is not None
    assert reading.unread == ()
    return [
        (
            unit.name,
            unit.points,
            " / ".join(
                f"{model.count} {model.name}: {', '.join(f'{item.count} {item.name}' for item in model.weapons)}"
                for model in unit.models
            ),
            unit.enhancement or "",
            unit.warlord,
            unit.attached_to,
        )
        for unit in reading.roster.units
    ]


def test_a_tournament_header_that_lost_its_plus_signs() -> None:
    text = (
        "++++++++++++++++++++++\nPLAYER NAME : Max\nFACTION KEYWORD: Cinders - Emberborn\nDETACHMENT USED : Kiln Guard\n"
        "FORCE DISPOSITION: Priority Assets\nTOTAL ARMY POINTS: 200pts\nWARLORD: Char1: Ash Seer\n"
        "ENHANCEMENT: Banked Coals (on Char1: Ash Seer)\n++++++++++++++++++++++\n\n"
        "Char1: 1x Ash Seer (100 pts): Coal rod\n10x Ember Riders (100 pts)\n• 10x Rider: 9 with Lance\n  1 with Kiln gun\n"
    )
    assert told_units(text) == [
        ("Ash Seer", 100, "1 Ash Seer: 1 Coal rod", "Banked Coals", True, None),
        ("Ember Riders", 100, "9 Rider: 9 Lance / 1 Rider: 1 Kiln gun", "", False, None),
    ]
    roster = read_text(text).roster
    assert roster is not None
    assert (roster.faction, [one.name for one in roster.detachments]) == ("Emberborn", ["Kiln Guard"])
    assert (roster.dispositions, roster.points) == (("Priority Assets",), 200)


def test_points_on_a_line_of_their_own_and_bullets_in_one_line() -> None:
    head = "+ FACTION KEYWORD: Emberborn\n++++++++++\n"
    text = f"{head}Ash Seer (90 pts)\n• 1x Coal rod\n1x Ash Hulk\n(100 pts)\n• 1x Gun • 2x Fist\n"
    assert told_units(text) == [
        ("Ash Seer", 90, "1 Ash Seer: 1 Coal rod", "", False, None),
        ("Ash Hulk", 100, "1 Ash Hulk: 1 Gun, 2 Fist", "", False, None),
    ]


def test_the_coded_form_of_an_older_list_builder() -> None:
    """Slot and number before the unit, free gear, enhancements behind dashes, a bar before what is attached."""
    text = (
        "== DETACHEMENT Braises : Emberborn [335pts] ==\n"
        "Personnages 1 : [Meneur] Voyant [135pts] Souffle (0), Grande hache (0)\n--- Optimisations : Gueule (15)\n"
        "( Seigneur de Guerre )\nLigne 1 : 10 Gardes [110pts] 10 Lame (0), 10 Pistolet (0)\n"
        "|   Personnages 2 : [Meneur] Seigneur [90pts] Marteau (0)\n|   --- Optimisations : Lien (30)\n"
        "++ Total: [335pts] ++\n"
    )
    assert told_units(text) == [
        ("Voyant", 135, "1 Voyant: 1 Souffle, 1 Grande hache", "Gueule", True, None),
        ("Gardes", 110, "10 Gardes: 10 Lame, 10 Pistolet", "", False, None),
        ("Seigneur", 90, "1 Seigneur: 1 Marteau", "Lien", False, "u2"),
    ]
    roster = read_text(text).roster
    assert roster is not None
    assert (roster.faction, roster.points) == ("Emberborn", 335)


def test_full_stops_for_bullets_and_units_on_bullets() -> None:
    squad = "Kiln Wardens (160 pts)\n. 1x Champion\n    . 1x Blade\n. 9x Warden\n    . 9x Rod\n"
    assert told_units(f"{squad}Ash Hulk 75 pts\n. 1x Fist\n") == [
        ("Kiln Wardens", 160, "1 Champion: 1 Blade / 9 Warden: 9 Rod", "", False, None),
        ("Ash Hulk", 75, "1 Ash Hulk: 1 Fist", "", False, None),
    ]
    text = (
        "Joueur: Max\nFaction: Emberborn\nCHARACTERS\n• 1x Ash Seer (95 pts)\n  1x Coal rod, 1x Pistol\n"
        "  Leading Wardens[1]\n• 10x Wardens (120 pts)\n"
    )
    assert told_units(text) == [
        ("Ash Seer", 95, "1 Ash Seer: 1 Coal rod, 1 Pistol", "", False, "u2"),
        ("Wardens", 120, "10 Wardens: ", "", False, None),
    ]


def test_sections_with_points_and_models_without_numbers() -> None:
    text = (
        "Ashes (300 pts)\n\n## Battleline (200 pts)\nWardens (200 pts)\n  • 4x Warden: Rifle\n  • Serjeant: Rifle, Hook\n\n"
        "## Vehicle (100 pts)\nAsh Hulk (100 pts)\n  • Cannon, 2x Fist\n"
    )
    assert told_units(text) == [
        ("Wardens", 200, "4 Warden: 4 Rifle / 1 Serjeant: 1 Rifle, 1 Hook", "", False, None),
        ("Ash Hulk", 100, "1 Ash Hulk: 1 Cannon, 2 Fist", "", False, None),
    ]


@pytest.mark.parametrize("said", ["Prendre et Tenir", "prendre et tenir", "Einnehmen und Halten", "Ocupar y mantener"])
def test_dispositions_of_other_languages(said: str) -> None:
    for line in (f"Dispositions des Forces : {said}", said):
        head = (
            f"Ashes (200 points)\n\nEmberborn\nStrike Force (2000 points)\nKiln Guard (3 Detachment Points)\n{line}\n"
        )
        roster = read_text(
            f"{head}\nCHARACTERS\n\nAsh Seer (100 points)\n  • 1x Rod\n\nAsh Hulk (100 points)\n  • 1x Fist\n"
        )
        assert roster.roster is not None
        assert (roster.roster.dispositions, roster.roster.faction) == (("Take and Hold",), "Emberborn")


def test_a_price_behind_a_dash_and_a_bracket() -> None:
    text = "**Emberborn**\n\nAsh Seer (w/ Banked Coals) – 95\nAsh Lord – 80\n10 Kiln Wardens – 100\n"
    reading = read_text(text)
    assert reading.roster is not None
    assert [(unit.name, unit.points) for unit in reading.roster.units] == [
        ("Ash Seer (w/ Banked Coals)", 95), ("Ash Lord", 80), ("Kiln Wardens", 100),
    ]  # fmt: skip
