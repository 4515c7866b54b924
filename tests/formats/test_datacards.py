"""The game-datacards form on an invented faction, in both editions' ways."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from battlewright.datasheet import Base, PointsTier
from battlewright.errors import BadInput
from battlewright.formats import Reading, Source
from battlewright.formats.detect import read


def faction(say: Any = str) -> dict[str, Any]:
    """``say`` turns a text into the edition's way of telling it."""
    gun = {
        "name": say("Cinder gun"),
        "range": '24"',
        "attacks": "2",
        "skill": "3+",
        "strength": "4",
        "ap": "-1",
        "damage": "1",
    }
    axe = {
        "name": say("Hatchet"),
        "range": "Melee",
        "attacks": "3",
        "skill": "3+",
        "strength": "4",
        "ap": "0",
        "damage": "D3",
    }
    sheet = {
        "name": say("Ash Wardens"),
        "stats": [{"name": say("Ash Warden"), "m": '6"', "t": "4", "sv": "3+", "w": "2", "ld": "6+", "oc": "2"}],
        "rangedWeapons": [{"profiles": [gun | {"keywords": ["rapid fire 1", "Anti-Monster 4+"]}]}],
        "meleeWeapons": [{"profiles": [axe | {"keywords": []}]}],
        "abilities": {
            "core": ["Deep Strike", 'Scouts 6"', "Deadly Demise D3"],
            "faction": [say("Coal Oath")],
            "other": [{"name": say("Banked Coals"), "description": say("Each **ASH** unit <k>Glows</k>.")}],
            "wargear": [{"name": say("Ember icon"), "description": say("Bright.")}],
            "invul": {"value": "5+", "info": ""},
            "damaged": {"range": "1-2 WOUNDS REMAINING", "description": say("Worse.")},
        },
        "composition": [say("1 Warden Sergeant"), say("4-9 Ash Wardens")],
        "loadout": say("Every model is equipped with: cinder gun; hatchet."),
        "wargear": [say("1 Ash Warden's cinder gun can be replaced with 1 hatchet.")],
        "points": [{"models": "5", "cost": "90"}, {"models": "10", "cost": "180"}],
        "baseSize": "32mm",
        "transport": say(""),
        "leader": say("This model can be attached to the following units:\n■ Cinder Guard\n■ Ember Hounds"),
        "keywords": ["Infantry"],
        "factions": ["Emberborn"],
    }
    rules = {
        "army": [
            {
                "name": say("Coal Oath"),
                "rules": [{"type": "text", "text": say("All.")}, {"type": "bullets", "text": "-"}],
            }
        ],
        "detachment": [
            {"detachment": say("Pyre Host"), "rules": [{"name": say("All Aflame"), "text": say("They burn.")}]}
        ],
    }
    stratagem = {
        "name": say("FLARE"),
        "cost": 1,
        "when": say("Now."),
        "effect": say("Burns."),
        "detachment": say("Pyre Host"),
    }
    return {
        "name": "Emberborn",
        "datasheets": [sheet],
        "rules": rules,
        "stratagems": [stratagem],
        "enhancements": [
            {"name": say("Ash Crown"), "cost": "25", "description": say("Shines."), "detachment": say("Pyre Host")}
        ],
    }


def eleventh() -> dict[str, Any]:
    tree = faction(lambda text: {"en": text, "de": f"({text})"})
    tree["detachments"] = [
        {"id": "p", "name": {"en": "Pyre Host"}, "detachmentPoints": 2,
         "forceDisposition": {"id": "f", "name": {"en": "Hold the line", "de": "(Hold the line)"}}}
    ]  # fmt: skip
    tree["datasheets"][0]["additionalCost"] = {"cost": 10, "afterSelections": 2}
    return tree


def given(tree: object) -> Reading:
    text = json.dumps(tree)
    return read(Source("emberborn.json", text.encode(), text))


@pytest.mark.parametrize(("tree", "edition"), [(faction(), "10e"), (eleventh(), "11e")])
def test_both_ways_of_telling(tree: dict[str, Any], edition: str) -> None:
    reading = given(tree)
    assert (reading.kind, reading.format, reading.edition) == ("catalogue", "game-datacards", edition)
    (sheet,) = reading.datasheets
    assert (sheet.name, sheet.keywords, sheet.faction_keywords, sheet.missing) == (
        "Ash Wardens",
        ("Infantry",),
        ("Emberborn",),
        (),
    )
    assert [(one.name, one.low, one.high) for one in sheet.models] == [("Warden Sergeant", 1, 1), ("Ash Warden", 4, 9)]
    assert {(one.profile.Sv, one.profile.InSv) for one in sheet.models} == {(3, 5)}
    assert sheet.models[0].base == Base("round", 32.0)
    assert sheet.models[0].wargear == ("cinder gun", "hatchet")
    assert [[str(one) for one in weapon.abilities] for weapon in sheet.weapons] == [
        ["rapid fire 1", "anti-monster 4+"],
        [],
    ]
    assert [(one.name, str(one.amount), one.kind) for one in sheet.abilities[:4]] == [
        ("Deep Strike", "None", "core"),
        ("Scouts", "6", "core"),
        ("Deadly Demise", "D3", "core"),
        ("Coal Oath", "None", "faction"),
    ]
    assert sheet.abilities[4].text == "Each ASH unit GLOWS."
    assert sheet.leads == ("Cinder Guard", "Ember Hounds")
    assert sheet.damaged == (1, 2)
    assert sheet.options[0].replaces == ("cinder gun",)


def test_prices_rise_with_further_units() -> None:
    assert given(faction()).datasheets[0].points == (PointsTier(5, 90), PointsTier(10, 180))
    assert given(eleventh()).datasheets[0].points == (
        PointsTier(5, 90, 1, 2),
        PointsTier(5, 100, 3),
        PointsTier(10, 180, 1, 2),
        PointsTier(10, 190, 3),
    )


def test_extras_and_what_the_file_lost() -> None:
    reading = given(eleventh())
    extras = reading.extras
    assert extras is not None
    (detachment,) = extras.detachments
    assert (detachment.name, detachment.points, detachment.dispositions) == ("Pyre Host", 2, ("Hold the line",))
    assert detachment.abilities[0].text == "They burn."
    assert [(one.name, one.points, one.detachments) for one in extras.enhancements] == [
        ("Ash Crown", 25, ("Pyre Host",))
    ]
    assert extras.stratagems[0].parts == (("WHEN", "Now."), ("EFFECT", "Burns."))
    assert [one.name for _, one in extras.army_rules] == ["Coal Oath"]
    assert any("Coal Oath: a part of type bullets has no content" in note for note in reading.notes)


def test_a_folder_of_factions_of_one_edition(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps(faction()), encoding="utf-8")
    (tmp_path / "two.json").write_text(json.dumps(faction()), encoding="utf-8")
    assert len(read(tmp_path).datasheets) == 2
    (tmp_path / "two.json").write_text(json.dumps(eleventh()), encoding="utf-8")
    with pytest.raises(BadInput, match="both editions"):
        read(tmp_path)


def test_a_weapon_that_cannot_be_is_told() -> None:
    tree = faction()
    tree["datasheets"][0]["rangedWeapons"][0]["profiles"][0]["attacks"] = "lots"
    reading = given(tree)
    assert reading.missing == ("Ash Wardens: weapon Cinder gun",)
    assert "lots" in str(reading.faults[0])


def test_what_a_card_does_not_show_and_lists_without_line_ends() -> None:
    """Real cards keep profiles that are switched off, and print the choices of an option in one line."""
    gun = {"range": '36"', "attacks": "3", "skill": "4+", "strength": "5", "ap": "-1", "damage": "2"}
    card = {
        "id": "x",
        "name": "Kiln Bastion",
        "source": "40k-10e",
        "cardType": "DataCard",
        "composition": ["1 Kiln Bastion"],
        "loadout": "This model is equipped with: coal bolter.",
        "wargear": ["This model can be equipped with one of the following: ◦ 1 soot mast ◦ 1 ash cannon"],
        "stats": [
            {"m": "-", "t": "13", "sv": "2+", "w": "18", "ld": "7+", "oc": "0", "name": "Kiln Bastion", "active": True},
            {"m": "6", "t": "4", "sv": "3+", "w": "1", "ld": "7+", "oc": "1", "name": "Kiln Bastion", "active": False},
        ],
        "rangedWeapons": [
            {"active": True, "profiles": [
                {"active": True, "name": "Coal bolter", "keywords": ["lethal hits: non-monster"], **gun},
                {"active": False, "name": "Dead gun", "keywords": [], **gun},
            ]},
            {"active": False, "profiles": [{"active": True, "name": "Lost gun", "keywords": [], **gun}]},
        ],
        "abilities": {"invul": {"value": "", "showInvulnerableSave": False}, "other": []},
        "points": [{"models": "1", "cost": "145", "active": True}, {"models": "1", "cost": "90", "active": False}],
        "keywords": ["Vehicle"], "factions": ["Emberborn"],
    }  # fmt: skip
    text = json.dumps({"id": "EM", "name": "Emberborn", "datasheets": [card]})
    reading = read(Source("em.json", text.encode(), text))
    (sheet,) = reading.datasheets
    assert [weapon.name for weapon in sheet.weapons] == ["Coal bolter"]
    assert (sheet.models[0].profile.T, sheet.models[0].profile.InSv) == (13, None)
    assert [tier.points for tier in sheet.points] == [145]
    assert [choice.items for choice in sheet.options[0].choices] == [(("soot mast", 1),), (("ash cannon", 1),)]
    assert [str(fault) for fault in reading.faults] == [
        "a weapon ability of its own: lethal hits: non-monster @ Kiln Bastion: Coal bolter"
    ]
