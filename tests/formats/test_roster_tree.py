"""Trees of selections, shape by shape: what BattleScribe, New Recruit and ListForge write, with invented units."""

from __future__ import annotations

import json
from typing import Any

import pytest

from battlewright.errors import BadInput
from battlewright.formats import Reading, Source
from battlewright.formats.detect import read
from battlewright.roster import Roster, RosterUnit

Node = dict[str, Any]


def node(name: str, kind: str = "upgrade", number: int = 1, *inside: Node, **more: Any) -> Node:
    return {
        "id": f"id-{name}-{number}",
        "name": name,
        "type": kind,
        "number": number,
        "selections": list(inside),
        **more,
    }


def stats(name: str, **cells: str) -> Node:
    return profile(name, "Unit", **{"M": '6"', "T": "4", "SV": "3+", "W": "2", "LD": "6+", "OC": "1", **cells})


def profile(name: str, kind: str, **cells: str) -> Node:
    return {
        "name": name,
        "typeName": kind,
        "characteristics": [{"name": key, "$text": text} for key, text in cells.items()],
    }


def gun(name: str, keywords: str = "-", **cells: str) -> Node:
    row = {"Range": '24"', "A": "2", "BS": "3+", "S": "4", "AP": "-1", "D": "1", **cells}
    return profile(name, "Ranged Weapons", **row, Keywords=keywords)


def text(name: str, words: str = "Some words.") -> Node:
    return profile(name, "Abilities", Description=words)


def points(value: float, name: str = "pts") -> list[Node]:
    return [{"name": name, "value": value}]


def tree(*selections: Node, forces: list[Node] | None = None, **more: Any) -> Node:
    force = {"name": "Army Roster", "catalogueName": "Cinders - Emberborn", "selections": list(selections)}
    own = {"name": "Slow burn", "costs": points(100), "forces": forces or [force], **more}
    return {"roster": own, "gameSystemName": "Warhammer 40,000 11th Edition"}


def reading(value: Node) -> Reading:
    data = json.dumps(value)
    return read(Source("list.json", data.encode(), data))


def roster(*selections: Node, **more: Any) -> Roster:
    found = reading(tree(*selections, **more)).roster
    assert found is not None
    return found


def only(*selections: Node, **more: Any) -> RosterUnit:
    (found,) = roster(*selections, **more).units
    return found


def gear(unit: RosterUnit) -> list[tuple[str, int, list[tuple[str, int]]]]:
    return [(model.name, model.count, [(item.name, item.count) for item in model.weapons]) for model in unit.models]


def test_numbers_are_totals_of_their_branch() -> None:
    squad = node(
        "Wardens", "unit", 1,
        node("Warden", "model", 9, node("Coal rod", number=9, profiles=[gun("Coal rod")]), node("Hook", number=2)),
        node("Serjeant", "model", 1, node("Coal rod", profiles=[gun("Coal rod")])),
        profiles=[stats("Wardens")],
    )  # fmt: skip
    found = only(squad)
    assert gear(found) == [("Warden", 9, [("Coal rod", 9), ("Hook", 2)]), ("Serjeant", 1, [("Coal rod", 1)])]
    assert {model.profile for model in found.models if model.profile and model.profile.T == 4}


def test_stat_lines_of_kinds_of_models() -> None:
    """One on the unit, one on the model, or several on the unit told apart by name."""
    squad = node(
        "Wardens", "unit", 1,
        node("Warden w/ hook", "model", 4), node("Old Warden", "model", 1, profiles=[stats("Old Warden", W="4")]),
        node("Kite", "model", 1),
        profiles=[stats("Warden"), stats("Kite", W="1", SV="6+")],
    )  # fmt: skip
    found = {model.name: model.profile for model in only(squad).models}
    wounds = {name: stat.W if stat else None for name, stat in found.items()}
    assert wounds == {"Warden w/ hook": 2, "Old Warden": 4, "Kite": 1}


@pytest.mark.parametrize(
    ("profiles", "save", "against"),
    [
        ([stats("Seer", InSv="5+")], 5, None),
        ([stats("Seer", InSv="5+ (Ranged)")], 5, "ranged"),
        ([stats("Seer"), text("Invulnerable Save", "4+")], 4, None),
        ([stats("Seer"), text("Invulnerable Save (6+)", "")], 6, None),
        ([stats("Seer"), text("Invulnerable Save", "This model has a 4+ invulnerable save.")], 4, None),
        (
            [stats("Seer"), text("Invulnerable Save", "It has a 5+ invulnerable save against ranged attacks.")],
            5,
            "ranged",
        ),
        ([stats("Seer"), text("Hot Iron", "Roll a D6: on a 4+, burn.")], None, None),
    ],
)
def test_invulnerable_saves_are_never_lost(profiles: list[Node], save: int | None, against: str | None) -> None:
    found = only(node("Seer", "model", 1, profiles=profiles)).models[0].profile
    assert found is not None
    assert (found.InSv, found.InSv_against) == (save, against)


def test_invulnerable_saves_of_some() -> None:
    """Of one model, of all that carry a thing, of the one in brackets; of some of several equal models it stays theirs."""
    shield = node("Shield", "upgrade", 4, profiles=[text("Invulnerable Save", "4+")])
    few = node("Shield", "upgrade", 2, profiles=[text("Invulnerable Save", "4+")])
    squad = node(
        "Wardens", "unit", 1,
        node("Shieldbearer", "model", 4, shield), node("Warden", "model", 5, few), node("Seer", "model", 1),
        profiles=[stats("Wardens", InSv="6+"), text("Invulnerable Save [Seer]", "3+")],
    )  # fmt: skip
    found = only(squad)
    saves = {model.name: model.profile.InSv if model.profile else None for model in found.models}
    assert saves == {"Shieldbearer": 4, "Warden": 6, "Seer": 3}
    assert [ability.name for ability in found.abilities].count("Invulnerable Save") == 1


def test_weapons() -> None:
    """Several profiles, several weapons in one choice, several of one in its name, and a choice that only bundles."""
    seer = node(
        "Seer", "model", 1,
        node("Kiln gun", profiles=[gun("➤ Kiln gun - banked"), gun("➤ Kiln gun - loosed", "Hazardous, Rapid Fire 1")]),
        node("2 shard cannons", profiles=[gun("Shard cannon")]),
        node("Hook and Claw", "upgrade", 1, node("Hook", profiles=[gun("Hook")]), node("Claw", profiles=[gun("Claw")])),
        node("Kite", "upgrade", 2, node("Kite gun", number=2, profiles=[gun("Kite gun")]), profiles=[text("Kite")]),
        profiles=[stats("Seer"), gun("Fists", Range="Melee")],
    )  # fmt: skip
    found = only(seer)
    assert gear(found)[0][2] == [
        ("Fists", 1), ("Kiln gun", 1), ("Shard cannon", 2), ("Hook", 1), ("Claw", 1), ("Kite", 2), ("Kite gun", 2),
    ]  # fmt: skip
    kiln = next(item for item in found.models[0].weapons if item.name == "Kiln gun")
    assert [each.profile for each in kiln.profiles] == ["banked", "loosed"]
    assert list(map(str, kiln.profiles[1].abilities)) == ["hazardous", "rapid fire 1"]
    assert [ability.name for ability in found.abilities] == ["Kite"]


def test_a_weapon_that_cannot_be_read_is_a_fault_and_stays() -> None:
    found = reading(
        tree(node("Seer", "model", 1, node("Gun", profiles=[gun("Gun", D="lots")]), profiles=[stats("Seer")]))
    )
    assert found.roster is not None
    assert gear(found.roster.units[0])[0][2] == [("Gun", 1)]
    assert [str(fault) for fault in found.faults] == ["Gun: expected dice such as D6, 2D3+1 or 4, got 'lots' @ Seer"]


@pytest.mark.parametrize(
    "gift",
    [
        node("Crown", group="Enhancements::Kiln Guard Enhancements", costs=points(15)),
        node("Crown", group="Enhancements", costs=points(15), profiles=[text("Crown")]),
        node("Crown", costs=points(15), profiles=[text("Crown")]),
        node("Crown", costs=[*points(15), *points(1, "Enhancements")]),
        node("Enhancements", "upgrade", 1, node("Crown", group="Enhancements", costs=points(15))),
    ],
)
def test_enhancements(gift: Node) -> None:
    found = only(node("Seer", "model", 1, gift, node("Warlord"), costs=points(85), profiles=[stats("Seer")]))
    assert (found.enhancement, found.enhancement_points, found.points, found.warlord) == ("Crown", 15, 100, True)
    assert found.models[0].weapons == ()


def test_the_words_of_an_enhancement_are_the_units_own_and_a_box_of_a_core_ability_is_its_text() -> None:
    """Not wargear's: nobody carries an enhancement. What only tells the save of the stat line is told already."""
    found = only(
        node(
            "Seer", "model", 1,
            node("Crown", group="Enhancements", costs=points(15), profiles=[text("Crown", "The bearer shines.")]),
            profiles=[stats("Seer"), text("Invulnerable Save", "4+"), text("Leader", "May lead Wardens.")],
            rules=[{"name": "Leader", "description": "The core rule."}],
        )
    )  # fmt: skip
    assert [(one.name, one.text, one.kind) for one in found.abilities] == [
        ("Leader", "May lead Wardens.", "core"), ("Crown", "The bearer shines.", "datasheet"),
    ]  # fmt: skip
    assert found.models[0].profile is not None
    assert found.models[0].profile.InSv == 4


def test_configuration() -> None:
    marked, dp = [{"name": "Configuration", "primary": True}], "Detachment Points"
    found = roster(
        node("Battle Size", "upgrade", 1, node("1. Incursion (1000 Point limit)"), categories=marked),
        node(
            "Detachments", "upgrade", 1,
            node("Kiln Guard", costs=points(2, dp), categories=[{"name": "Purge the Foe"}], profiles=[text("Heat")]),
            node("Sootwing", costs=points(1, dp), rules=[{"name": "Ash", "description": "Words."}]),
        ),
        node("Show/Hide Options", "upgrade", 1, node("Legends are visible"), categories=marked),
        node("Seer", "model", 1, categories=[{"name": "Faction: Emberborn"}, {"name": "Character", "primary": "true"}]),
        costLimits=points(1000),
    )  # fmt: skip
    assert (found.battle_size, found.limit, found.faction, found.edition) == ("Incursion", 1000, "Emberborn", "11e")
    assert [(each.name, each.points, [a.name for a in each.abilities]) for each in found.detachments] == [
        ("Kiln Guard", 2, ["Heat"]), ("Sootwing", 1, ["Ash"]),
    ]  # fmt: skip
    assert (found.detachment_points, found.dispositions) == (3, ("Purge the Foe",))
    assert (found.units[0].keywords, found.units[0].faction_keywords) == (("CHARACTER",), ("EMBERBORN",))


def test_forces_of_allies_and_forces_in_forces() -> None:
    inner = {"name": "Allies", "catalogueName": "Deep - Eels", "selections": [node("Eel", "model")]}
    outer = {
        "name": "Army",
        "catalogueName": "Cinders - Emberborn",
        "selections": [node("Seer", "model")],
        "forces": [inner],
    }
    found = roster(forces=[outer])
    assert [unit.name for unit in found.units] == ["Seer", "Eel"]
    assert found.faction == "Emberborn"


def test_attachments() -> None:
    """An association of the tool; the CHARACTER of the two leads, whichever side holds it."""
    lead = node("Seer", "model", categories=[{"name": "Character"}])
    body = node("Wardens", "unit", 1, node("Warden", "model", 5))
    lead["associations"] = [{"name": "Leading", "to": body["id"]}]
    found = roster(lead, body)
    assert [(unit.role, unit.attached_to) for unit in found.units] == [("leader", "u2"), ("bodyguard", None)]
    del lead["associations"]
    body["associations"] = [{"name": "Led by", "to": lead["id"]}]
    assert [(unit.role, unit.attached_to) for unit in roster(body, lead).units] == [
        ("bodyguard", None),
        ("leader", "u1"),
    ]


def test_legends_custom_names_and_strangers() -> None:
    found = reading(
        tree(node("Old Hulk [Legends]", "model", customName="Bertha"), node("House rules", "upgrade", 1, node("Mud")))
    )
    assert found.roster is not None
    assert (found.roster.units[0].name, found.roster.units[0].legends) == ("Old Hulk", True)
    assert "Old Hulk is called 'Bertha'" in found.notes
    assert [line.text for line in found.unread] == ["House rules: Mud"]


def test_nothing_of_a_unit_is_dropped() -> None:
    """Every name below a unit is somewhere in the reading, however deep and of whatever kind."""
    deep = node("A", "upgrade", 1, node("B", "upgrade", 1, node("C", "upgrade", 1, node("D", profiles=[gun("D")]))))
    unit = node("Wardens", "unit", 1, node("Warden", "model", 3, deep), node("Banner"), profiles=[stats("Wardens")])
    said = repr(only(unit))
    assert all(f"'{name}'" in said for name in ("A", "B", "C", "D", "Banner", "Warden"))


def test_a_model_that_a_catalogue_calls_an_upgrade() -> None:
    found = only(node("Riders", "unit", 1, node("Outrider", "upgrade", 2, profiles=[stats("Outrider")])))
    assert [(model.name, model.count) for model in found.models] == [("Outrider", 2)]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"roster": {"forces": []}}, "a roster without forces"),
        ({"roster": {"forces": [{"selections": []}]}}, "no unit found"),
        (tree(node("Horde", "model", 501)), "501 models in one unit, at most 500"),
        (tree(*(node("Seer", "model") for _ in range(401))), "more than 400 units"),
    ],
)  # fmt: skip
def test_refused(value: Node, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        reading(value)
