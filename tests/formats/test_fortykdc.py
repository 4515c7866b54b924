"""The community dataset: its bundle as datasheets, its layouts as positions; damaged bundles never break the reader."""

from __future__ import annotations

import json
from typing import Any

import pytest

from battlewright.datasheet import Base, PointsTier
from battlewright.errors import BadInput
from battlewright.formats import Source
from battlewright.formats.detect import read
from battlewright.formats.fortykdc import CREDIT


def bundle() -> dict[str, Any]:
    """An invented bundle of one unit."""
    stats = {"A": "D6", "BS": None, "S": 5, "AP": 1, "D": 2}
    anti = {"keyword_id": "anti", "parameters": {"target_keyword": "Monster", "threshold": 4}}
    gun = {"name": "Cinder gun", "range": 24, "stats": stats, "keywords": [{"keyword_id": "twin-linked"}, anti]}
    profile = {
        "name": "Ash Warden",
        "M": 6,
        "T": 4,
        "Sv": 3,
        "W": 2,
        "Ld": 6,
        "OC": 2,
        "invuln_sv": None,
        "invuln_sv_ranged": 5,
    }
    models = [
        {"name": "Sergeant", "min": 1, "max": 1, "profile_name": "Ash Warden", "default_weapon_ids": ["gun"]},
        {"name": "Ash Warden", "min": 4, "max": 9, "base_size_mm": {"shape": "oval", "length": 35, "width": 60}},
    ]
    unit = {
        "id": "ash-wardens",
        "name": "Ash Wardens",
        "faction_id": "em",
        "faction_keywords": ["Emberborn"],
        "keywords": ["Infantry"],
        "profiles": [profile],
        "points": [
            {"models": 5, "cost": 90, "unit_count_min": 1, "unit_count_max": 2},
            {"models": 6, "models_max": 10, "cost": 170, "unit_count_min": 3, "unit_count_max": None},
        ],
        "wargear_costs": [{"item_id": "gun", "cost": 5}],
        "base_size_mm": {"shape": "round", "diameter": 32},
        "weapon_ids": ["gun", "lost"],
        "ability_ids": ["scouts-6", "banked-coals"],
        "transport_capacity": {"capacity": 6, "exclusion_keywords": ["Jump Pack"]},
    }
    option = {
        "unit_id": "ash-wardens",
        "replaces": ["gun"],
        "replacement": ["axe"],
        "model_constraint": {"per_n_models": 5},
    }
    return {
        "factions": [{"id": "em", "name": "Emberborn"}],
        "units": [unit, {"id": "patrol", "name": "Patrol", "game_modes": ["combat-patrol"]}],
        "weapons": [{"id": "gun", "faction_id": "em", "name": "Cinder gun", "profiles": [gun]}],
        "wargear": [{"id": "axe", "name": "Axe"}],
        "unit_compositions": [{"unit_id": "ash-wardens", "models": models}],
        "abilities": [{"ability_id": "scouts-6", "name": 'Scouts 6"', "ability_type": "core", "faction_id": "em"}],
        "wargear_options": [option],
        "leader_attachments": [{"leader_id": "ash-wardens", "eligible_bodyguard_ids": ["patrol"]}],
        "detachments": [
            {
                "id": "p",
                "name": "Pyre Host",
                "faction_id": "em",
                "detachment_points": 2,
                "force_dispositions": ["hold-it"],
            }
        ],
        "enhancements": [{"id": "c", "name": "Ash Crown", "cost": 25, "detachment_id": "p"}],
        "stratagems": [{"name": "FLARE", "cp_cost": 1, "detachment_id": "p"}],
    }


def given(tree: object) -> Any:
    text = json.dumps(tree)
    return read(Source("bundle.json", text.encode(), text))


def test_a_bundle() -> None:
    reading = given(bundle())
    assert (reading.format, reading.edition, reading.credit) == ("wh40kdc", "11e", CREDIT)
    (sheet,) = reading.datasheets
    assert (sheet.name, sheet.faction, sheet.keywords) == ("Ash Wardens", "Emberborn", ("Infantry",))
    sergeant, warden = sheet.models
    assert (sergeant.low, sergeant.high, sergeant.base, sergeant.wargear) == (
        1,
        1,
        Base("round", 32.0),
        ("Cinder gun",),
    )
    assert (warden.low, warden.high, warden.base) == (4, 9, Base("oval", (60.0, 35.0)))
    assert {(one.profile.T, one.profile.InSv, one.profile.InSv_against) for one in sheet.models} == {(4, 5, "ranged")}
    (gun,) = sheet.weapons
    assert (gun.skill, gun.ap, str(gun.attacks)) == (None, -1, "D6")
    assert [str(one) for one in gun.abilities] == ["twin-linked", "anti-monster 4+"]
    assert sheet.points == (PointsTier(5, 90, 1, 2), PointsTier(10, 170, 3), PointsTier(1, 5, extra="Cinder gun"))
    assert [(one.name, str(one.amount), one.kind) for one in sheet.abilities] == [
        ("Scouts", "6", "core"),
        ("Banked Coals", "None", "datasheet"),
    ]
    (option,) = sheet.options
    assert (option.limit, option.per, option.choices[0].items) == (1, 5, (("Axe", 1),))
    assert sheet.leads == ("Patrol",)
    assert sheet.transport_text == "capacity 6; not Jump Pack"
    assert "no weapon lost @ Ash Wardens" in [str(fault) for fault in reading.faults]
    assert "rules text" in sheet.missing


def test_extras_of_a_bundle() -> None:
    extras = given(bundle()).extras
    assert [(one.name, one.points, one.dispositions) for one in extras.detachments] == [("Pyre Host", 2, ("hold it",))]
    assert [(one.name, one.points, one.detachments) for one in extras.enhancements] == [
        ("Ash Crown", 25, ("Pyre Host",))
    ]
    assert [(one.title, one.cost, one.source) for one in extras.stratagems] == [("FLARE", 1, "Pyre Host")]


@pytest.mark.parametrize("part", sorted(bundle()))
@pytest.mark.parametrize("broken", [None, [], {}, "x", [None], [[]], [{}], [{"id": 1, "name": 2, "unit_id": []}]])
def test_a_broken_part_never_breaks_the_reader(part: str, broken: object) -> None:
    try:
        reading = given(bundle() | {part: broken})
    except BadInput:
        return
    assert reading.kind == "catalogue"


def test_layouts_are_positions() -> None:
    pytest.importorskip("wh40kdc", reason="the extra [data] is not installed")
    from battlewright.formats.fortykdc_layouts import layout, layouts

    found = layouts()
    assert len(found) >= 40
    for one in found:
        assert one.terrain
        assert len(one.objectives) in (5, 6)
        assert set(one.zones) == {"A", "B"}
        points = [point for area in one.terrain for point in area.area]
        points += [point for zone in one.zones.values() for point in zone]
        assert all(-1 <= x <= 61 and -1 <= y <= 45 for x, y in points)
        assert all(len(area.area) <= 120 for area in one.terrain)
    assert layout(found[0].id) == found[0]
    with pytest.raises(BadInput, match="no layout of that name"):
        layout("nowhere at all")
