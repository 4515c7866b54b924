"""A list met with catalogues: names, profiles, wargear, bases, enhancements; what is missing is said."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from battlewright.catalogue import lookup
from battlewright.catalogue import resolve as resolving
from battlewright.catalogue.resolve import known_extras, resolve, resolve_unit, sheet_from_list
from battlewright.datasheet import (
    Ability,
    Base,
    CatalogueExtras,
    Choice,
    Datasheet,
    Detachment,
    Enhancement,
    EnhancementListing,
    ModelEntry,
    PointsTier,
    Profile,
    WargearChange,
    WargearOption,
    Weapon,
    WeaponAbility,
)
from battlewright.dice import Dice
from battlewright.effects import EditionId
from battlewright.names import fold, singular
from battlewright.roster import Detachment as Chosen
from battlewright.roster import ModelTaken, Roster, RosterUnit, WeaponTaken
from battlewright.rulestext.rosters import prepared

STATS = Profile(6, 4, 3, 2, 6, 1)
ONE = Dice.parse(1)


def weapon(name: str, profile: str = "") -> Weapon:
    return Weapon(name, 12, ONE, 3, 4, 0, ONE, profile=profile)


WARDENS = Datasheet(
    name="Ash Wardens", edition="11e", keywords=("INFANTRY",), faction_keywords=("EMBERBORN",),
    models=(
        ModelEntry("Warden Serjeant", 1, 1, STATS, wargear=("Coal rod",)),
        ModelEntry("Warden", 4, 9, STATS, wargear=("Coal rod",)),
    ),
    weapons=(weapon("Coal rod"), weapon("Hook and claw"), weapon("Kiln gun", "banked"), weapon("Kiln gun", "loosed")),
    options=(WargearOption((Choice((("Soot banner", 1),)),)),),
    abilities=(Ability("Stoke", "text of the catalogue"),), points=(PointsTier(5, 80), PointsTier(10, 150)),
    enhancements=(EnhancementListing("Slow Burn", 15, "Kiln Guard"),),
)  # fmt: skip
CRAWLER = Datasheet("Slag Crawler", "11e", models=(ModelEntry("Slag Crawler", 1, 1, STATS),), legends=True)
OLD = Datasheet("Tallow Rider", "10e", models=(ModelEntry("Tallow Rider", 1, 1, STATS),))


class Shelf:
    """A shelf of a few datasheets."""

    def __init__(self, name: str, *sheets: Datasheet, extras: CatalogueExtras | None = None) -> None:
        self.name, self.sheets, self.more = name, sheets, extras

    def names(self, edition: EditionId) -> Iterable[str]:
        return [sheet.name for sheet in self.sheets if sheet.edition == edition]

    def load(self, name: str, edition: EditionId) -> Datasheet | None:
        wanted = singular(fold(name))
        return next((s for s in self.sheets if s.edition == edition and singular(fold(s.name)) == wanted), None)

    def extras(self) -> CatalogueExtras | None:
        return self.more

    @property
    def header(self) -> Shelf:
        return self

    edition: EditionId = "11e"


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch) -> Shelf:
    based = Datasheet("Ash Wardens", "11e", models=(ModelEntry("Warden", base=Base("round", 32)),))
    names = ("Kiln Guard", "Ash and Bone", "Sootwing")
    extras = CatalogueExtras(detachments=tuple(Detachment(name, "Emberborn", 1) for name in names))
    mine = Shelf("mine", WARDENS, CRAWLER, OLD, extras=extras)
    for module in (lookup, resolving):
        monkeypatch.setattr(module, "shelves", lambda: [mine, Shelf("bases", based)])
    return mine


def unit(name: str = "Ash Wardens", *models: ModelTaken, **more: Any) -> RosterUnit:
    return RosterUnit(name, "u1", models or (ModelTaken("Warden", 5, weapons=(WeaponTaken("Coal rod", 5),)),), **more)


def filled(taken: RosterUnit) -> RosterUnit:
    return resolve_unit(taken, "11e", "Emberborn")[0]


def test_profiles_keywords_and_rules_come_from_the_datasheet() -> None:
    found, notes, missing = resolve_unit(unit(), "11e")
    assert found.models[0].profile == STATS
    assert found.models[0].weapons[0].profiles == (weapon("Coal rod"),)
    assert (found.keywords, found.faction_keywords) == (("INFANTRY",), ("EMBERBORN",))
    assert [ability.name for ability in found.abilities] == ["Stoke"]
    assert found.datasheet is not None
    assert "Ash Wardens: from the catalogue mine" in notes
    assert missing == ()


def test_what_the_list_says_stays() -> None:
    own = Profile(7, 5, 3, 2, 6, 1)
    better = Weapon("Coal rod", 24, ONE, 2, 5, -1, ONE)
    model = ModelTaken("Warden", 5, own, (WeaponTaken("Coal rod", 5, (better,)),))
    found = filled(
        unit("Ash Wardens", model, keywords=("FLY",), abilities=(Ability("Stoke", "of the list"),), points=99)
    )
    assert found.models[0].profile == own
    assert found.models[0].weapons[0].profiles == (better,)
    assert (found.keywords, found.points) == (("FLY", "INFANTRY"), 99)
    assert [ability.text for ability in found.abilities] == ["of the list"]


@pytest.mark.parametrize("name", ["ash warden", "Ash  Wardens", "ASH WARDENS", "Emberborn Ash Wardens", "Ash Wardems"])
def test_names_however_spelt(name: str) -> None:
    found, notes, _ = resolve_unit(unit(name), "11e", "Emberborn")
    assert found.datasheet is not None
    assert found.name == name
    assert any("taken as" in note for note in notes) is (fold(name) not in ("ash warden", "ash wardens"))


@pytest.mark.parametrize("name", ["Ash Lancers", "Wardens", "Tallow Rider", "Ash Wardens Prime"])
def test_other_names_are_not_guessed(name: str) -> None:
    found, _, missing = resolve_unit(unit(name), "11e")
    assert found.datasheet is None
    assert any(f"datasheet of {name}" in said for said in missing)


def test_the_other_edition_is_named_and_not_used() -> None:
    _, _, missing = resolve_unit(unit("Tallow Rider"), "11e")
    assert missing == (
        "datasheet of Tallow Rider: no datasheet of that name in 11e (there is one of the other edition)",
    )


def test_bases_of_another_catalogue() -> None:
    found, notes, _ = resolve_unit(unit(), "11e")
    assert found.datasheet is not None
    assert {entry.base for entry in found.datasheet.models} == {Base("round", 32)}
    assert "Ash Wardens: base size from the catalogue bases" in notes
    assert "base size of Slag Crawler" in resolve_unit(unit("Slag Crawler"), "11e")[2]


def test_legends() -> None:
    assert filled(unit("Slag Crawler")).legends


def test_a_list_without_models() -> None:
    """ "10x Wardens" alone: the serjeant and nine, with what they carry by default."""
    found, notes, _ = resolve_unit(unit("Ash Wardens", ModelTaken("Ash Wardens", 10)), "11e")
    assert [(model.name, model.count) for model in found.models] == [("Warden Serjeant", 1), ("Warden", 9)]
    assert [model.weapons[0].count for model in found.models] == [1, 9]
    assert found.points == 150
    assert any("kinds of models by the datasheet" in note for note in notes)


def test_wargear_names() -> None:
    gear = ("2 Kiln guns", "Coal Rod", "Soot banner", "Stoke", "Marble cannon")
    model = ModelTaken("Warden", 5, weapons=tuple(WeaponTaken(name) for name in gear))
    found, _, missing = resolve_unit(unit("Ash Wardens", model), "11e")
    known = {item.name: (item.count, len(item.profiles)) for item in found.models[0].weapons}
    assert known["Kiln gun"] == (2, 2)
    assert known["Coal Rod"] == (1, 1)
    assert known["Soot banner"] == known["Stoke"] == (1, 0)
    assert missing == ("profile of Marble cannon (Ash Wardens)",)


def test_a_weapon_cut_in_two_by_a_sentence() -> None:
    model = ModelTaken(
        "Warden", 5, weapons=(WeaponTaken("Hook", 2), WeaponTaken("claw", 2), WeaponTaken("Coal rod", 3))
    )
    found = filled(unit("Ash Wardens", model))
    assert [(item.name, item.count) for item in found.models[0].weapons] == [("Hook and claw", 2), ("Coal rod", 3)]


def test_an_enhancement_among_the_gear() -> None:
    model = ModelTaken("Warden", 1, weapons=(WeaponTaken("Slow Burn"), WeaponTaken("Coal rod")))
    found = filled(unit("Ash Wardens", model))
    assert (found.enhancement, found.enhancement_points) == ("Slow Burn", 15)
    assert [item.name for item in found.models[0].weapons] == ["Coal rod"]


def test_the_edition_with_most_of_the_units() -> None:
    found = resolve(Roster(units=(unit(), unit("Slag Crawler"))))
    assert found.roster.edition == "11e"
    assert any("edition is not stated" in note for note in found.notes)
    assert resolve(Roster(units=(unit("Tallow Rider"),))).roster.edition == "10e"
    nothing = resolve(Roster(units=(unit("Nobody"),)))
    assert (nothing.roster.edition, nothing.missing) == (None, ("edition",))


def test_a_rich_list_is_its_own_datasheet() -> None:
    profiles = (weapon("Pyre lance", "strike"), weapon("Pyre lance", "sweep"))
    abilities = (Ability("Damaged: 1-4 Wounds Remaining", "text"), Ability("Transport", "Twelve wardens."))
    model = ModelTaken("Pyre Hulk", 2, STATS, (WeaponTaken("Pyre lance", 4, profiles),))
    taken = RosterUnit("Pyre Hulk", "u1", (model,), ("VEHICLE",), ("EMBERBORN",), abilities, points=200)
    found, _, missing = resolve_unit(taken, "11e")
    sheet = found.datasheet
    assert sheet is not None
    assert sheet == sheet_from_list(taken, "11e")
    assert (sheet.damaged, sheet.transport_text, sheet.weapons) == ((1, 4), "Twelve wardens.", profiles)
    assert sheet.models[0].wargear == ("Pyre lance", "Pyre lance")
    assert missing == ("base size of Pyre Hulk",)


def test_detachments_of_all_shelves() -> None:
    found = known_extras("11e")
    assert found is not None
    assert [each.name for each in found.detachments] == ["Kiln Guard", "Ash and Bone", "Sootwing"]
    assert known_extras("10e") is None


@pytest.mark.parametrize(
    ("cut", "right"),
    [
        (("Ash", "Bone"), ["Ash and Bone"]),
        (("Ash and Bone", "Sootwing"), ["Ash and Bone", "Sootwing"]),
        (("Sootwing and Ash", "Bone and Kiln Guard"), ["Sootwing", "Ash and Bone", "Kiln Guard"]),
        (("Ash", "Cinder"), ["Ash", "Cinder"]),
    ],
)
def test_detachments_with_and_in_their_names(cut: tuple[str, ...], right: list[str]) -> None:
    found = resolve(Roster(edition="11e", detachments=tuple(map(Chosen, cut)), units=(unit(),))).roster
    assert [each.name for each in found.detachments] == right


def test_models_among_the_gear() -> None:
    """A list pasted without its indentation: "1x Serjeant, 4x Warden, 5x Coal rod, 1x Hook" all on one level."""
    gear = (("Warden Serjeant", 1), ("Coal rod", 5), ("Warden", 4), ("Hook and claw", 1))
    flat = ModelTaken("Ash Wardens", 1, weapons=tuple(WeaponTaken(name, count) for name, count in gear))
    found = filled(unit("Ash Wardens", flat))
    assert [(model.name, model.count, model.weapons[0].count) for model in found.models] == [
        ("Warden Serjeant", 1, 1), ("Warden", 4, 4),
    ]  # fmt: skip
    assert [(item.name, item.count) for item in found.wargear] == [("Hook and claw", 1)]


ROD = WARDENS.weapons[0]
LANCE = (WeaponAbility("lance"),)
SHIELDED = replace(
    WARDENS,
    changes=(
        WargearChange("Wings", "Warden Serjeant", Profile(M=12, Sv=2)),
        WargearChange("Slab", "Warden", Profile(W=3)),
        WargearChange("Rod & Slab", "Warden", Profile(InSv=4)),
        WargearChange("Soot banner", "Coal rod", weapon=replace(ROD, strength=6, abilities=LANCE), unit=True),
        WargearChange("Old Oath", "Warden Serjeant", Profile(OC=5)),
        WargearChange("Coal rod", "Coal rod", weapon=replace(ROD, attacks=Dice.parse(7)), least=2),
    ),
)


def squad(serjeant: dict[str, int], warden: dict[str, int], **more: Any) -> RosterUnit:
    def gear(items: dict[str, int]) -> tuple[WeaponTaken, ...]:
        return tuple(WeaponTaken(name, number) for name, number in items.items())

    models = (ModelTaken("Warden Serjeant", 1, None, gear(serjeant)), ModelTaken("Warden", 4, None, gear(warden)))
    return RosterUnit("Ash Wardens", "u1", models, datasheet=SHIELDED, **more)


def test_wargear_changes_the_stat_line_of_its_bearers() -> None:
    serjeant, warden = filled(squad({"Coal rod": 1, "Wings": 1}, {"Coal rod": 4})).models
    assert (serjeant.profile.M, serjeant.profile.Sv) == (12, 2)  # type: ignore[union-attr]
    assert warden.profile == STATS
    serjeant, warden = filled(squad({"Coal rod": 1}, {"Coal rod": 4, "Slab": 4})).models
    assert serjeant.profile == STATS
    assert warden.profile == replace(STATS, W=3)
    assert filled(squad({"Coal rod": 1}, {"Rod": 4, "Slab": 4})).models[1].profile.InSv == 4  # type: ignore[union-attr]


def test_wargear_that_only_some_carry_parts_them_from_the_others() -> None:
    found = filled(squad({"Coal rod": 1}, {"Coal rod": 4, "Slab": 2}))
    assert [(model.count, model.profile.W) for model in found.models] == [(1, 2), (2, 3), (2, 2)]  # type: ignore[union-attr]
    assert [[(item.name, item.count) for item in model.weapons] for model in found.models[1:]] == [
        [("Coal rod", 2), ("Slab", 2)], [("Coal rod", 2)],
    ]  # fmt: skip


def test_wargear_of_which_the_list_does_not_say_who_has_it_changes_nothing_and_is_said() -> None:
    _, notes, _ = resolve_unit(squad({"Coal rod": 1}, {"Rod": 2, "Slab": 4}), "11e")
    assert "Ash Wardens: not every Warden has Rod & Slab, which changes Warden: InSv 4" in notes


def test_what_wargear_changed_is_not_changed_again_by_its_own_words() -> None:
    """A shield that gives a wound is in the catalogue twice: as a change of the stat line and in words."""
    slab = Ability("Slab", "Add 1 to the bearer's Wounds characteristic.", "wargear")
    worded = replace(SHIELDED, abilities=(slab,))
    bearer = replace(squad({"Coal rod": 1}, {"Coal rod": 4, "Slab": 4}), datasheet=worded)
    printed = prepared(Roster(edition="11e", units=(bearer,))).roster.units[0]
    rich = replace(bearer, models=tuple(replace(model, profile=replace(STATS, W=3)) for model in bearer.models))
    brought = prepared(Roster(edition="11e", units=(rich,))).roster.units[0]
    for unit in (printed, brought):
        assert unit.models[1].profile == replace(STATS, W=3)
        assert unit.abilities[0].told == ("W",)
        assert unit.abilities[0].rule is not None
        assert unit.abilities[0].rule.clauses == ()
    words_only = replace(bearer, datasheet=replace(WARDENS, abilities=(slab,)))
    told = prepared(Roster(edition="11e", units=(words_only,)))
    assert told.roster.units[0].models[1].profile == replace(STATS, W=3)
    assert "Ash Wardens: Slab: W 3 for Warden" in told.notes


def test_an_ability_that_reads_otherwise_with_an_item_and_whom_its_bearer_then_leads() -> None:
    leader, mounted = Ability("Leader", "On foot."), Ability("Leader", "On foot. Or mounted.")
    sheet = replace(
        WARDENS,
        abilities=(leader,),
        leads=("Kiln Guard",),
        changes=(
            WargearChange("Coal rod", "Leader", unit=True, ability=mounted, leads=("Kiln Guard", "Tallow Riders")),
            WargearChange("Wings", "Leader", unit=True, ability=Ability("Leader", "Alone."), leads=("Moths",)),
        ),
    )
    found = filled(replace(squad({"Coal rod": 1}, {}), datasheet=sheet))
    assert found.datasheet is not None
    assert (found.datasheet.leads, found.abilities) == (("Kiln Guard", "Tallow Riders"), (mounted,))
    found = filled(replace(squad({"Wings": 1}, {}), datasheet=sheet))
    assert found.datasheet is not None
    assert found.datasheet.leads == ("Moths",)
    assert filled(replace(squad({"Slab": 1}, {}), datasheet=sheet)).abilities == (leader,)


def test_wargear_of_the_unit_changes_all_weapons() -> None:
    serjeant, warden = filled(squad({"Coal rod": 1, "Soot banner": 1}, {"Coal rod": 4})).models
    for model in (serjeant, warden):
        (rod,) = model.weapons[0].profiles
        assert (rod.strength, [str(one) for one in rod.abilities]) == (6, ["lance"])
    assert filled(squad({"Coal rod": 2}, {"Coal rod": 4})).models[0].weapons[0].profiles[0].attacks == Dice.parse("7")
    assert filled(squad({"Coal rod": 1}, {"Coal rod": 4})).models[0].weapons[0].profiles[0].attacks == ONE


def test_an_enhancement_changes_the_stat_line_of_a_character() -> None:
    bearer = squad({"Coal rod": 1}, {"Coal rod": 4}, enhancement="Old Oath", keywords=("CHARACTER",))
    assert filled(bearer).models[0].profile == replace(STATS, OC=5)


def test_a_stat_line_that_comes_with_the_list_is_not_changed_again() -> None:
    own = ModelTaken("Warden Serjeant", 1, replace(STATS, M=12, Sv=2), (WeaponTaken("Wings"),))
    found = filled(RosterUnit("Ash Wardens", "u1", (own,), datasheet=SHIELDED))
    assert found.models[0].profile == own.profile


GIFTS = CatalogueExtras(
    detachments=(
        Detachment("Kiln Guard", "Emberborn", abilities=(Ability("Banked", "Add 1 to the Hit roll.", "special"),)),
        Detachment("Kiln Guard", "Moths", abilities=(Ability("Flutter", "Add 1 to the Wound roll.", "special"),)),
    ),
    enhancements=(
        Enhancement(
            "Slow Burn", 15, ("Kiln Guard",), "Emberborn", "EMBERBORN model only. Add 2 to the bearer's Attacks."
        ),
        Enhancement("Slow Burn", 10, ("Sootwing",), "Moths", "The bearer flutters."),
        Enhancement("Soot Veil", 10, ("Sootwing",), "Moths", "The bearer is veiled."),
        Enhancement("Twice", 10, (), "", "One text."),
        Enhancement("Twice", 10, (), "", "Another text."),
    ),
)


def army(enhancement: str | None, *, abilities: tuple[Ability, ...] = (), name: str = "Kiln Guard") -> Roster:
    bearer = unit(abilities=abilities, enhancement=enhancement)
    return Roster(edition="11e", faction="Emberborn", detachments=(Chosen(name),), units=(bearer,))


def test_enhancements_and_detachments_bring_their_words_from_the_catalogue(shelf: Shelf) -> None:
    """Those of the list's own detachment and faction, where several have the name; else of the only one of the name."""
    shelf.more = GIFTS
    found = resolve(army("Slow burn"))
    assert [(one.name, one.text[:9]) for one in found.roster.units[0].abilities[-1:]] == [("Slow Burn", "EMBERBORN")]
    assert [one.name for one in found.roster.detachments[0].abilities] == ["Banked"]
    assert not any(said.startswith("rule of") for said in found.missing)
    assert resolve(army("Soot Veil")).roster.units[0].abilities[-1].text == "The bearer is veiled."
    rule = prepared(army("Slow burn")).roster.units[0].abilities[-1].rule
    assert rule is not None
    assert (rule.kind, rule.bearer is not None) == ("enhancement", True)


def test_the_words_a_list_has_itself_stand(shelf: Shelf) -> None:
    shelf.more = GIFTS
    own = Ability("Slow Burn", "Its own words.")
    found = resolve(army("Slow Burn", abilities=(own,)))
    assert [one.text for one in found.roster.units[0].abilities if one.name == "Slow Burn"] == ["Its own words."]


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        (army("Ash Crown"), "rule of Ash Crown (Ash Wardens)"),
        (army("Twice"), "rule of Twice (Ash Wardens)"),
        (army(None, name="Cold Host"), "rule of the detachment Cold Host"),
    ],
)
def test_an_enhancement_or_detachment_without_known_words_is_missing(shelf: Shelf, given: Roster, missing: str) -> None:
    shelf.more = GIFTS
    assert missing in resolve(given).missing


@pytest.mark.parametrize(
    ("name", "count", "points", "found"),
    [
        ("Ash Wardens", 2, 160, [(5, 80), (5, 80)]),
        ("Ash Wardens", 2, 80, [(5, 80), (5, 80)]),
        ("Ash Wardens", 2, 150, [(10, 150), (10, 150)]),
        ("Ash Wardens", 3, None, [(5, 80)] * 3),
        ("Ash Wardens", 5, 80, [(5, 80)]),
        ("Slag Crawler", 2, 180, [(1, 90), (1, 90)]),
        ("Nobody Known", 2, 180, [(2, 180)]),
    ],
)
def test_fewer_models_than_a_unit_has_are_so_many_units(
    name: str, count: int, points: int | None, found: list[tuple[int, int]]
) -> None:
    """ "2x Ash Wardens (160 points)" of which five are the smallest unit."""
    taken = RosterUnit(name, "u1", (ModelTaken(name, count),), points=points)
    units = resolve(Roster(edition="11e", units=(taken,))).roster.units
    assert [(sum(model.count for model in one.models), one.points) for one in units] == found
    assert len({one.id for one in units}) == len(units)
