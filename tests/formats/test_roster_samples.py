"""The ten real lists beside the checkout: counts taken by hand or by plain pattern from the files themselves."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from battlewright.formats.detect import read
from battlewright.roster import Roster

#: file -> format, edition, units, models, weapons and wargear, points, enhancements, warlord
SAMPLES = {
    "10e_battlescribe_ultramarines.rosz": ("battlescribe", "10e", 10, 22, 58, 810, [], "Primaris Captain"),
    "10e_gw-app_space-wolves.txt": (
        "gw-app", "10e", 14, 41, 121, 1985, ["Portents of Wisdom", "Fury of the Storm"], "Logan Grimnar on Stormrider",
    ),
    "10e_newrecruit-markdown_tau-empire.txt": (
        "newrecruit-markdown", "10e", 18, 65, 241, 1985,
        ["Plasma Accelerator Rifle", "Fusion Blades", "Thermoneutronic Projector"], "Commander Shadowsun",
    ),
    "11e_gw-app_imperial-knights.txt": ("gw-app", "11e", 7, 7, 22, 1995, ["Pennant of Silvered Fury"], "Knight Warden"),
    "11e_gw-app_world-eaters.txt": (
        "gw-app", "11e", 16, 56, 117, 1975, ["Battle-lust", "Berzerker Glaive", "Favoured of Khorne"],
        "Daemon Prince of Khorne",
    ),
    "11e_listforge-json_grey-knights.json": (
        "listforge-json", "11e", 3, 12, 16, 585, ["Pyresoul (Psychic)"], "Grand Master in Nemesis Dreadknight",
    ),
    "11e_newrecruit-gw_tau-empire.txt": (
        "newrecruit-gw", "11e", 18, 68, 260, 2000,
        ["Prototype Weapon System", "Starflare Ignition System", "Negation Emitters", "Negation Emitters"],
        "Commander Farsight",
    ),
    "11e_newrecruit-json_chaos-knights.json": (
        "newrecruit-json", "11e", 4, 6, 13, 485, ["Preyslayer's Mantle"], "War Dog Executioner",
    ),
    "11e_newrecruit-wtc-compact_chaos-knights.txt": (
        "newrecruit-wtc-compact", "11e", 4, 6, 13, 485, ["Preyslayer's Mantle"], "War Dog Executioner",
    ),
    "11e_warorgan_astra-militarum.txt": (
        "warorgan", "11e", 19, 92, 234, 2000, ["Grand strategist"], "Militarum Tempestus Command Squad",
    ),
}  # fmt: skip


def roster(shared: Path, name: str) -> Roster:
    found = read(shared / "rosters" / name).roster
    assert found is not None
    return found


@pytest.mark.parametrize("name", SAMPLES)
def test_sample(name: str, shared: Path) -> None:
    form, edition, units, models, weapons, points, gifts, warlord = SAMPLES[name]
    reading = read(shared / "rosters" / name)
    found = reading.roster
    assert found is not None
    assert (reading.format, reading.edition, len(found.units)) == (form, edition, units)
    assert sum(model.count for unit in found.units for model in unit.models) == models
    assert sum(weapon.count for unit in found.units for model in unit.models for weapon in model.weapons) == weapons
    assert found.points == points == sum(unit.points or 0 for unit in found.units)
    assert [unit.enhancement for unit in found.units if unit.enhancement] == gifts
    assert [unit.name for unit in found.units if unit.warlord] == [warlord]
    assert reading.unread == reading.faults == ()
    assert not any(unit.wargear or unit.more_enhancements for unit in found.units)


@pytest.mark.parametrize("name", [name for name in SAMPLES if "gw" in name])
def test_every_count_of_a_bulleted_list_is_kept(name: str, shared: Path) -> None:
    """The numbers before "x" in the file, and the bare things, are the models and weapons read."""
    text = (shared / "rosters" / name).read_text(encoding="utf-8")
    body = text.partition("CHARACTER")[2] if "+++" in text else text
    written = Counter[str]()
    for number, thing in re.findall(r"(?m)(?:^|, |[•◦] )\s*(\d+)x ([^,\n]+)", body):
        written[thing.strip().replace("’", "'")] += int(number)
    found = Counter[str]()
    for unit in roster(shared, name).units:
        for model in unit.models:
            if model.name != unit.name or len(unit.models) > 1 or model.count > 1:
                found[model.name] += model.count
            for weapon in model.weapons:
                found[weapon.name] += weapon.count
    bare = {thing for thing in found if re.search(rf"(?m)(?:• |, ){re.escape(thing)}(?:,|$)", body.replace("’", "'"))}
    assert {thing: number for thing, number in found.items() if thing not in bare} == {
        thing: number for thing, number in written.items() if thing not in bare
    }


def test_one_army_two_dialects(shared: Path) -> None:
    """The same list came as a tree and as text: units, weapons, points and enhancement are the same."""
    tree = roster(shared, "11e_newrecruit-json_chaos-knights.json")
    text = roster(shared, "11e_newrecruit-wtc-compact_chaos-knights.txt")
    assert (tree.name, tree.faction, tree.points, tree.limit) == (text.name, text.faction, text.points, text.limit)
    for one, other in zip(tree.units, text.units, strict=True):
        assert (one.name, one.points, one.enhancement, one.enhancement_points, one.warlord) == (
            other.name, other.points, other.enhancement, other.enhancement_points, other.warlord,
        )  # fmt: skip
        assert sorted((weapon.name, weapon.count) for weapon in one.models[0].weapons) == sorted(
            (weapon.name, weapon.count) for weapon in other.models[0].weapons
        )


def test_attached_units_of_the_app(shared: Path) -> None:
    found = roster(shared, "11e_gw-app_world-eaters.txt")
    by_id = {unit.id: unit for unit in found.units}
    pairs = [(unit.name, by_id[unit.attached_to].name) for unit in found.units if unit.attached_to]
    assert pairs == [
        ("Slaughterbound", "Exalted Eightbound"),
        ("Khârn the Betrayer", "Khorne Berzerkers"),
        ("Master of Executions", "Khorne Berzerkers"),
    ]
    assert (found.detachment_points, found.dispositions, found.battle_size) == (3, ("Purge the Foe",), "Strike Force")


def test_the_tree_is_rich(shared: Path) -> None:
    """Stat lines, weapon profiles, keywords and texts all come along."""
    found = roster(shared, "10e_battlescribe_ultramarines.rosz")
    models = [model for unit in found.units for model in unit.models]
    assert all(model.profile is not None and not model.profile.missing for model in models)
    assert all(weapon.profiles for model in models for weapon in model.weapons)
    impulsor = next(unit for unit in found.units if unit.name == "Impulsor")
    assert [len(weapon.profiles) for weapon in impulsor.models[0].weapons] == [1, 1, 3, 1]
    captain = next(unit for unit in found.units if unit.name == "Primaris Captain")
    assert captain.models[0].profile is not None
    assert captain.models[0].profile.InSv == 4
    assert {"CHARACTER", "INFANTRY", "CAPTAIN"} <= set(captain.keywords)
    assert captain.faction_keywords == ("ADEPTUS ASTARTES",)
    texts = [ability for unit in found.units for ability in unit.abilities]
    assert len(texts) > 30
    assert all(ability.text for ability in texts if ability.name not in ("Leader", "Oath of Moment"))
    assert [ability.name for ability in found.detachments[0].abilities] == ["Combat Doctrines"]
    assert (found.battle_size, found.limit) == ("Incursion", 1000)
