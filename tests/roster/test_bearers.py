"""What a model's own wargear makes of its stat line: of its bearers, once, and of nobody else."""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.datasheet import Ability, Profile
from battlewright.roster import ModelTaken, RosterUnit, WeaponTaken
from battlewright.roster.bearers import as_borne, borne, is_spent, own_changes, without_own
from battlewright.rulestext import compile as compile_text
from battlewright.rulestext.rosters import compile_ability

LINE = Profile(6, 4, 3, 2, 6, 1)


def worded(name: str, text: str, kind: Any = "wargear") -> Ability:
    return compile_ability(Ability(name, text, kind), "11e")


SLAB = worded("Slab", "The bearer has a Wounds characteristic of 4.")
BUCKLER = worded("Buckler", "The bearer has a 4+ invulnerable save.")


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("The bearer has a Wounds characteristic of 4.", {"W": 4}),
        ("Add 1 to the bearer's Wounds characteristic.", {"W": 3}),
        ("The bearer has a 4+ invulnerable save.", {"InSv": 4}),
        ("Add 2\" to this model's Move characteristic.", {"M": 8}),
        ("Add 1 to the Objective Control characteristic of models in the bearer's unit.", {}),
        ("While the bearer is on the battlefield, models in the bearer's unit have a 5+ invulnerable save.", {}),
        ("Once per battle, the bearer has a 4+ invulnerable save until the end of the phase.", {}),
        ("The bearer has a 4+ invulnerable save against ranged attacks.", {}),
    ],
)
def test_only_what_always_holds_for_the_bearer_alone_is_of_its_stat_line(text: str, changed: dict[str, int]) -> None:
    rule = compile_text(text, name="Slab", kind="wargear-ability", edition="11e")
    line = borne(LINE, own_changes(rule))
    names = Profile.__struct_fields__
    assert {name: getattr(line, name) for name in names if getattr(line, name) != getattr(LINE, name)} == changed
    assert (without_own(rule).clauses == ()) == bool(changed)


def test_a_better_save_is_kept_and_what_replaces_comes_before_what_adds() -> None:
    assert borne(Profile(InSv=3), own_changes(BUCKLER.rule)).InSv == 3
    added = own_changes(worded("x", "Add 1 to the bearer's Wounds characteristic.").rule)
    assert borne(LINE, (*added, *own_changes(SLAB.rule))).W == 5


def test_models_of_a_unit_are_parted_by_their_shields() -> None:
    gear = (WeaponTaken("maul", 3), WeaponTaken("Slab", 1), WeaponTaken("Buckler", 2))
    unit = RosterUnit("Wardens", "u1", (ModelTaken("Warden", 3, LINE, gear),), abilities=(SLAB, BUCKLER))
    found, notes = as_borne(unit)
    assert [(m.count, m.profile.W, m.profile.InSv) for m in found.models if m.profile] == [(1, 4, None), (2, 2, 4)]
    assert all(map(is_spent, found.abilities))
    assert notes == ("Wardens: Slab: W 4 for Warden", "Wardens: Buckler: InSv 4 for Warden")
    assert as_borne(found) == (found, ())


def test_wargear_that_nobody_carries_changes_nobody() -> None:
    unit = RosterUnit("Wardens", "u1", (ModelTaken("Warden", 3, LINE),), abilities=(SLAB,))
    assert as_borne(unit) == (unit, ())


def test_an_ability_of_a_leader_is_not_of_those_he_leads() -> None:
    hide = worded("Thick hide", "This model has a 4+ invulnerable save.", "datasheet")
    alone = RosterUnit("Lord", "u1", (ModelTaken("Lord", 1, LINE),), abilities=(hide,))
    assert as_borne(alone) == (alone, ()), "alone it may stand in the rule, where the answer tells of it"
    led = RosterUnit("Lord", "u1", (ModelTaken("Lord", 1, LINE),), abilities=(hide,), attached_to="u2")
    found, _ = as_borne(led)
    assert found.models[0].profile is not None
    assert found.models[0].profile.InSv == 4
    assert is_spent(found.abilities[0])
