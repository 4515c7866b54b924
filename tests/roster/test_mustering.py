"""The rules of mustering, one test a rule: a legal list, and the same list broken in one way."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from battlewright.datasheet import (
    Ability,
    CatalogueExtras,
    Choice,
    Datasheet,
    ModelEntry,
    PointsTier,
    Profile,
    WargearOption,
    Weapon,
)
from battlewright.datasheet import Detachment as Offered
from battlewright.dice import Dice
from battlewright.errors import BadInput
from battlewright.roster import Detachment, ModelTaken, Mustered, Roster, RosterUnit, WeaponTaken, muster, problems
from battlewright.roster.mustering import muster as muster_with

EDITIONS = ("10e", "11e")
ONE = Dice.parse(1)


def weapon(name: str) -> Weapon:
    return Weapon(name, 0, ONE, 3, 4, 0, ONE)


def sheet(name: str, *keywords: str, **more: Any) -> Datasheet:
    given: dict[str, Any] = {
        "edition": "11e", "models": (ModelEntry(name, 1, 1, Profile(6, 4, 3, 2, 6, 1), wargear=("Coal rod",)),),
        "weapons": (weapon("Coal rod"), weapon("Hook")), "points": (PointsTier(1, 100),),
        "faction_keywords": ("EMBERBORN",), "keywords": keywords,
    }  # fmt: skip
    return Datasheet(name=name, **{**given, **more})


def unit(name: str, *keywords: str, number: int = 1, **more: Any) -> RosterUnit:
    own = more.pop("datasheet", None) or sheet(name, *keywords)
    given: dict[str, Any] = {
        "models": (ModelTaken(name, 1, weapons=(WeaponTaken("Coal rod"),)),), "points": 100, "keywords": own.keywords,
        "faction_keywords": ("EMBERBORN",),
    }  # fmt: skip
    return RosterUnit(name=name, id=f"u{number}", datasheet=own, **{**given, **more})


def seer(number: int = 1, **more: Any) -> RosterUnit:
    return unit("Ash Seer", "INFANTRY", "CHARACTER", number=number, **{"warlord": True, **more})


def army(edition: str, *others: RosterUnit, **more: Any) -> Roster:
    units = others if any(other.warlord for other in others) or more.pop("bare", False) else (seer(99), *others)
    numbered = tuple(replace(one, id=one.id if one.id != "u1" else f"n{place}") for place, one in enumerate(units))
    given: dict[str, Any] = {
        "name": "Slow burn", "edition": edition, "faction": "Emberborn", "detachments": (Detachment("Kiln Guard", 2),),
        "detachment_points": 2 if edition == "11e" else None, "battle_size": "Strike Force", "limit": 2000,
        "units": numbered,
    }  # fmt: skip
    return Roster(**{**given, **more})


def words(roster: Roster) -> list[str]:
    return [problem.words for problem in problems(roster)]


def unseen(mustered: Mustered) -> list[str]:
    return [problem.words for problem in mustered.not_checked]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_legal_army(edition: str) -> None:
    found = muster(army(edition, unit("Cinder Hulk", "VEHICLE")))
    assert found.problems == ()
    assert found.legal
    assert all(problem.rule.startswith(edition) for problem in found.not_checked)


def test_the_edition_must_be_known() -> None:
    with pytest.raises(BadInput, match="edition is not known"):
        muster(Roster(units=(seer(),)))


# --- faction -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_faction(edition: str) -> None:
    """11e 25.02, 25.04; 10e T-14.1: the army faction's keyword on every unit, allies by a rule of their own."""
    stranger = unit(
        "Drift Eel", datasheet=sheet("Drift Eel", faction_keywords=("DEEP ONES",)), faction_keywords=("DEEP ONES",)
    )
    assert words(army(edition, stranger)) == ["has no faction keyword Emberborn"]
    chapter = army(edition, unit("Hulk"), faction="Emberborn of the North")
    assert words(chapter) == []
    ally = replace(stranger, section="allied")
    found = muster(army(edition, ally))
    assert found.problems == ()
    assert any("ally" in said for said in unseen(found))


DEEP = ("DEEP ONES",)


def eel(number: int = 1, *keywords: str, **more: Any) -> RosterUnit:
    own = sheet("Drift Eel", *keywords, faction_keywords=DEEP)
    return unit("Drift Eel", number=number, datasheet=own, **{"faction_keywords": DEEP, **more})


def both(text: str) -> CatalogueExtras:
    """Catalogues of both factions, with a text of the detachment Kiln Guard."""
    guard = Offered("Kiln Guard", "Emberborn", 2, abilities=(Ability("Old Pacts", text, "special"),))
    return CatalogueExtras(detachments=(guard,), army_rules=(("Deep Ones", Ability("Drift", "Words.", "faction")),))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("You can include DEEP ONES units in your army. The combined points cost of such units cannot exceed 250 points.",
         "300 points of allies (Drift Eel), Kiln Guard allows 250"),
        ("You can include DRIFT EEL/TIDE DRAKE units in your army. The combined points value of such units cannot exceed "
         "500 points.", None),
        ("You can include the following DEEP ONES units in your army: TIDE DRAKE; DRIFT EEL. How much depends:\n"
         "■ Incursion: Up to 900 pts\n■ Strike Force: Up to 200 pts",
         "300 points of allies (Drift Eel), Kiln Guard allows 200"),
        ("If every model in your army has the FIRE keyword, you can include DEEP ONES units in your army.\n"
         "Incursion: 9 SWIMMER\nStrike Force: 2 SWIMMER, 1 CHARACTER",
         "3 allies with SWIMMER, Kiln Guard allows 2 in Strike Force"),
        ("You can include TIDE DRAKE units in your army.", "has no faction keyword Emberborn"),
        ("You can include Drift Eel units in your army. The combined points cost of such units cannot exceed 250 points.",
         "300 points of allies (Drift Eel), Kiln Guard allows 250"),
        ("If your Army Faction is EMBERBORN, you can include any of the following units in your army, and they count:\n"
         "■ TIDE DRAKES (see Deep Ones)\n■ DRIFT EELS (see Deep Ones)\nThe combined points value depends:\n"
         "■ Incursion: Up to 250 pts\n■ Strike Force: Up to 200 pts",
         "300 points of allies (Drift Eel), Kiln Guard allows 200"),
        ("If your Army Faction is DEEP ONES, you can include DRIFT EEL units in your army. The combined points cost of such "
         "units cannot exceed 500 points.", "has no faction keyword Emberborn"),
        ("If your Army Faction is not DEEP ONES, you can include DRIFT EEL units in your army. The combined points cost of "
         "such units cannot exceed 500 points.", None),
        ("You can include either 1 TITANIC DRAKE model or up to 2 Drift Eel models in your army.",
         "3 allied Drift Eel models, Kiln Guard allows 2"),
        ("You can include either one DRAKE model or up to three SWIMMER models in your army.", None),
    ],
)  # fmt: skip
def test_allies_by_a_text(edition: str, text: str, said: str | None) -> None:
    eels = [eel(number, "SWIMMER", "FIRE") for number in (1, 2, 3)]
    own = unit("Hulk", "FIRE", number=4)
    lord = unit("Ash Seer", "CHARACTER", "FIRE", number=5, warlord=True)
    found = [problem.words for problem in muster(army(edition, lord, own, *eels), both(text)).problems]
    assert found == ([] if said is None else [said] * (3 if "keyword" in said else 1))


def test_allies_of_either_kind_and_what_they_cannot_be() -> None:
    text = (
        "You can include either 1 DRAKE model or up to 2 SWIMMER models in your army. None of these models can be your "
        "WARLORD, and they cannot be given Enhancements."
    )
    drake = replace(eel(2, "DRAKE", enhancement="Ash Crown", warlord=True), name="Tide Drake")
    found = [problem.words for problem in muster(army("11e", drake, eel(1, "SWIMMER"), seer(3)), both(text)).problems]
    assert "allied DRAKE and SWIMMER models, Kiln Guard allows either" in found
    assert "an ally by Kiln Guard cannot be the Warlord" in found
    assert "an ally by Kiln Guard cannot have an enhancement" in found


def test_allies_that_may_not_count_are_not_called_too_many() -> None:
    text = "You can include DEEP ONES units in your army.\nStrike Force: 1 SWIMMER"
    free = Ability("Shoal", "You can include one eel that does not count towards the number of SWIMMER units.")
    found = muster(army("11e", eel(1, "SWIMMER"), eel(2, "SWIMMER", abilities=(free,))), both(text))
    assert found.problems == ()
    assert any("2 allies with SWIMMER" in words and "may not count" in words for words in unseen(found))


def test_a_keyword_that_everyone_must_have() -> None:
    text = "If every model in your army has the FIRE keyword, you can include DEEP ONES units in your army."
    found = muster(army("11e", eel(1, "FIRE"), unit("Hulk")), both(text))
    assert [problem.words for problem in found.problems] == [
        "Kiln Guard asks that every model has FIRE; Ash Seer and Hulk has not"
    ]
    assert "the limits of Kiln Guard for allies" in unseen(found)


def test_a_datasheet_of_another_faction_where_the_own_is_not_in_the_catalogues() -> None:
    """The unit may have a datasheet of its own in a file that is not there: not checked, no fault."""
    extras = CatalogueExtras(army_rules=(("Deep Ones", Ability("Drift", "Words.", "faction")),))
    found = muster(army("11e", eel()), extras)
    assert found.problems == ()
    assert any("may lack that of its own faction" in words for words in unseen(found))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Your army must include 3 or more HULK units.", ["2 HULK units, Kiln Guard asks for 3 or more"]),
        ("Your army must include two or more HULK or CRAWLER units.", []),
        ("Your army cannot include any SEER models.", ["Kiln Guard cannot include SEER units"]),
        ("Your army cannot include CRAWLER units.", []),
        ("Your army must include 3 or more Hulk units.", ["2 Hulk units, Kiln Guard asks for 3 or more"]),
        ("Your army cannot include Seer models.", ["Kiln Guard cannot include Seer units"]),
        ("Your army cannot include any of the following units: MOTH; ASH SEER.",
         ["Kiln Guard cannot include MOTH; ASH SEER units"]),
        ("With the exception of ASH SEER, your army cannot include any SEER units.", []),
        ("Your army cannot include any SEER units drawn from another clan.", []),
    ],
)  # fmt: skip
def test_what_a_detachment_asks_an_army_to_include(edition: str, text: str, said: list[str]) -> None:
    lord = unit("Ash Seer", "CHARACTER", "SEER", number=5, warlord=True)
    given = army(edition, lord, unit("Cinder Hulk", "HULK"), unit("Ash Hulk", "HULK", number=2))
    found = muster(given, both(text))
    assert [problem.words for problem in found.problems] == said
    assert not any("must or cannot include" in words for words in unseen(found))
    assert any("must or cannot include" in words for words in unseen(muster(given)))


def test_units_of_another_part_of_the_faction() -> None:
    text = "Your army can include NORTHERN units, but it cannot include any EMBERBORN units drawn from any other Clan."
    north = unit("Ash Hulk", number=2, faction_keywords=("EMBERBORN", "NORTHERN"))
    south = unit("Kiln Hulk", number=3, faction_keywords=("EMBERBORN", "SOUTHERN"))
    found = muster(army("11e", north, south), both(text)).problems
    assert [(problem.words, problem.where) for problem in found] == [
        ("Kiln Guard cannot include EMBERBORN units of another Clan (SOUTHERN)", "Kiln Hulk")
    ]


# --- battle size and points ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("size", "limit"), [("Incursion", 1000), ("Strike Force", 2000), ("Onslaught", 3000)])
def test_points_limit(edition: str, size: str, limit: int) -> None:
    """11e 25.03; 10e T-14.1."""
    dear = sheet("Cinder Hulk", points=(PointsTier(1, limit - 100),))
    legal = army(edition, unit("Cinder Hulk", datasheet=dear, points=limit - 100), battle_size=size, limit=None)
    assert words(legal) == []
    over = sheet("Cinder Hulk", points=(PointsTier(1, limit - 95),))
    broken = army(edition, unit("Cinder Hulk", datasheet=over, points=limit - 95), battle_size=size, limit=None)
    assert words(broken) == [f"{limit + 5} points, {size} allows {limit}"]


def test_stated_total() -> None:
    """11e 25.01: the roster states what the army is."""
    assert words(army("11e", points=100)) == []
    assert words(army("11e", points=95)) == ["the units cost 100 points, the list states 95"]


def test_battle_size_not_stated() -> None:
    found = muster(army("11e", battle_size="", limit=None))
    assert "battle size not stated, taken as Incursion" in unseen(found)
    odd = muster(army("11e", battle_size="Colosseum", limit=None))
    assert any("Colosseum" in said for said in unseen(odd))


@pytest.mark.parametrize("edition", EDITIONS)
def test_price_by_size(edition: str) -> None:
    """11e 25.04; 10e T-14.1: fixed prices by the number of models."""
    own = sheet(
        "Wardens",
        models=(ModelEntry("Warden", 5, 10, wargear=("Coal rod",)),),
        points=(PointsTier(5, 80), PointsTier(10, 150)),
    )
    squad = unit("Wardens", datasheet=own, points=80, models=(ModelTaken("Warden", 5),))
    assert words(army(edition, squad)) == []
    assert words(army(edition, replace(squad, points=75), unit("Hauler", number=9))) == [
        "5 models cost 80 points, the list says 75"
    ]
    assert words(army(edition, replace(squad, models=(ModelTaken("Warden", 7),)))) == [
        "7 models cost 150 points, the list says 80"
    ]


def test_price_by_copy() -> None:
    """11e 25.04: the third copy may cost more, wherever it stands in the list."""
    own = sheet("Hulk", points=(PointsTier(1, 100, 1, 2), PointsTier(1, 120, 3)))
    hulks = [unit("Hulk", datasheet=own, number=n, points=points) for n, points in ((2, 120), (3, 100), (4, 100))]
    assert words(army("11e", *hulks)) == []
    cheap = [*hulks[1:], replace(hulks[0], points=100)]
    assert words(army("11e", *cheap)) == ["1 model costs 120 points, the list says 100"]


def test_prices_of_another_version_are_not_faults() -> None:
    """A price the datasheet never has, in a list where nothing else agrees, may be of another field manual."""
    own = sheet("Hulk", "CHARACTER", points=(PointsTier(1, 100), PointsTier(2, 180)))
    alone = unit("Hulk", datasheet=own, points=95, warlord=True)
    found = muster(army("11e", alone))
    assert found.problems == ()
    assert "1 model costs 100 points, the list says 95" in unseen(found)
    assert words(army("11e", replace(alone, points=180))) == ["1 model costs 100 points, the list says 180"]
    others = [seer(4, warlord=False), unit("Cinder Hauler", number=5)]
    assert words(army("11e", alone, *others)) == ["1 model costs 100 points, the list says 95"]
    old = [unit("Moth", number=7, points=85), unit("Eel", number=8, points=75), replace(alone, points=180)]
    assert words(army("11e", *old)) == [], "the list of another version has a price by chance that is another size's"


def test_price_without_the_enhancement() -> None:
    gifted = seer(points=115, enhancement="Crown of Soot", enhancement_points=15)
    assert words(army("11e", gifted)) == []
    unpriced = muster(army("11e", replace(gifted, enhancement_points=None)))
    assert unpriced.problems == ()
    assert "its own points, without the enhancement, are not known" in unseen(unpriced)


# --- copies --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "size", "keyword", "most"),
    [
        ("10e", "Incursion", "VEHICLE", 3), ("10e", "Strike Force", "BATTLELINE", 6),
        ("11e", "Incursion", "VEHICLE", 2), ("11e", "Incursion", "BATTLELINE", 4),
        ("11e", "Strike Force", "VEHICLE", 3), ("11e", "Strike Force", "BATTLELINE", 6),
        ("11e", "Onslaught", "VEHICLE", 3),
    ],
)  # fmt: skip
def test_copies_of_a_datasheet(edition: str, size: str, keyword: str, most: int) -> None:
    """11e 25.03; 10e T-14.1: so many of one datasheet, twice as many of BATTLELINE."""
    cheap = sheet("Hulk", keyword, points=(PointsTier(1, 10),))
    hulks = [unit("Hulk", keyword, datasheet=cheap, number=n, points=10) for n in range(2, most + 3)]
    assert words(army(edition, *hulks[:most], battle_size=size, limit=None)) == []
    assert words(army(edition, *hulks, battle_size=size, limit=None)) == [
        f"taken {most + 1} times, {size} allows {most}"
    ]


@pytest.mark.parametrize("edition", EDITIONS)
def test_dedicated_transports_count_double(edition: str) -> None:
    cheap = sheet("Hauler", "DEDICATED TRANSPORT", points=(PointsTier(1, 10),))
    many = [unit("Hauler", "DEDICATED TRANSPORT", datasheet=cheap, number=n, points=10) for n in range(2, 8)]
    others = [seer(90), *(seer(number, warlord=False) for number in (91, 92))]
    legal = army(edition, *others, *many)
    assert [said for said in words(legal) if "taken" in said] == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_epic_hero_once(edition: str) -> None:
    hero = unit("Old Ember", "CHARACTER", "EPIC HERO", warlord=True)
    assert words(army(edition, hero)) == []
    twice = army(edition, hero, replace(hero, id="u7", warlord=False))
    assert words(twice) == ["an EPIC HERO taken 2 times; once at most"]


def test_copies_without_keywords_are_not_judged() -> None:
    bare = [RosterUnit("Hulk", f"h{n}", (ModelTaken("Hulk"),), points=10) for n in range(4)]
    found = muster(army("11e", *bare))
    assert found.problems == ()
    assert "taken 4 times; whether it is BATTLELINE or DEDICATED TRANSPORT" in unseen(found)


# --- detachments ---------------------------------------------------------------------------------------------------


def test_one_detachment_in_the_tenth() -> None:
    """10e T-14.1 step 4."""
    assert words(army("10e")) == []
    assert words(army("10e", detachments=())) == ["no detachment"]
    two = (Detachment("Kiln Guard"), Detachment("Sootwing"))
    assert words(army("10e", detachments=two)) == ["2 detachments (Kiln Guard and Sootwing), an army has one"]


def test_detachments_in_the_eleventh() -> None:
    """11e 25.03, 25.04: points of the size, none twice; a lone 3-point detachment in an Incursion."""
    two = (Detachment("Kiln Guard", 2), Detachment("Sootwing", 1))
    assert words(army("11e", detachments=two, detachment_points=None)) == []
    dear = (Detachment("Kiln Guard", 2), Detachment("Sootwing", 2))
    assert words(army("11e", detachments=dear, detachment_points=None)) == [
        "4 detachment points, Strike Force allows 3"
    ]
    assert words(army("11e", detachments=())) == ["no detachment"]
    same = (Detachment("Kiln Guard", 1), Detachment("Kiln guard", 1))
    assert words(army("11e", detachments=same)) == ["Kiln Guard is taken 2 times; none may be taken twice"]
    small: dict[str, Any] = {"battle_size": "Incursion", "limit": 1000, "detachment_points": None}
    assert words(army("11e", detachments=(Detachment("Kiln Guard", 3),), **small)) == []
    assert words(army("11e", detachments=two, **small)) == ["3 detachment points, Incursion allows 2"]
    unknown = muster(army("11e", detachments=(Detachment("Kiln Guard"),), detachment_points=None))
    assert "detachment points not known" in unseen(unknown)


# --- Warlord -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_warlord(edition: str) -> None:
    """11e 25.04; 10e T-14.1 step 6: one CHARACTER."""
    hulk = unit("Cinder Hulk", "VEHICLE", number=5)
    assert words(army(edition, seer(), hulk)) == []
    assert words(army(edition, seer(warlord=False), hulk, bare=True)) == ["no model is marked as Warlord"]
    assert words(army(edition, seer(), seer(2))) == ["2 Warlords: Ash Seer and Ash Seer"]
    assert words(army(edition, seer(warlord=False), replace(hulk, warlord=True))) == ["the Warlord is no CHARACTER"]


def test_a_character_in_the_tenth() -> None:
    """10e T-14.1 step 5: an army without any has no Warlord to choose."""
    found = words(army("10e", unit("Cinder Hulk", "VEHICLE"), bare=True))
    assert "no CHARACTER that could be Warlord" in found


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_warlord_is_of_the_faction(edition: str) -> None:
    own = sheet("Drift Eel", "CHARACTER", faction_keywords=("DEEP ONES",))
    eel = unit("Drift Eel", datasheet=own, faction_keywords=("DEEP ONES",), warlord=True, section="allied")
    assert words(army(edition, eel, seer(3, warlord=False))) == ["the Warlord has no faction keyword Emberborn"]


def ruled(number: int, name: str, text: str, **more: Any) -> RosterUnit:
    return unit(name, "CHARACTER", number=number, abilities=(Ability("Own rule", text),), **more)


@pytest.mark.parametrize("edition", EDITIONS)
def test_units_that_must_or_cannot_be_the_warlord(edition: str) -> None:
    """11e 25.04; 10e T-14.1 step 6: "must be" binds if taken; "cannot be" beats "must be"."""
    must = "If this model is in your army, it must be your Warlord."
    cannot = "This model cannot be selected as your WARLORD."
    assert words(army(edition, ruled(3, "Old Ember", must, warlord=True))) == []
    assert words(army(edition, seer(), ruled(3, "Old Ember", must))) == [
        "Old Ember must be the Warlord by its own rules"
    ]
    assert words(army(edition, ruled(3, "Slag Piper", cannot, warlord=True))) == [
        "its own rules say it cannot be the Warlord"
    ]
    assert words(army(edition, seer(), ruled(3, "Slag Piper", f"{must} {cannot}"))) == []


def test_the_words_of_an_enhancement_are_not_those_of_its_bearer() -> None:
    gift = Ability("Crown", "The bearer shines.")
    bearer = RosterUnit("Ash Seer", "u1", keywords=("CHARACTER",), abilities=(gift,), enhancement="Crown", warlord=True)
    assert any('"must be" or "cannot be" the Warlord' in said for said in unseen(muster(army("11e", bearer))))


@pytest.mark.parametrize("edition", EDITIONS)
def test_own_limits_of_units(edition: str) -> None:
    one = "You cannot include more than one Slag Piper model in your army."
    pipers = [ruled(number, "Slag Piper", one) for number in (3, 4)]
    assert words(army(edition, seer(), pipers[0])) == []
    assert words(army(edition, seer(), *pipers)) == ["2 Slag Piper units; their own rules allow 1"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_units_that_take_no_enhancements(edition: str) -> None:
    never = "This model cannot be given Enhancements."
    gift: dict[str, Any] = {"enhancement": "Crown", "enhancement_points": 10, "points": 110}
    assert words(army(edition, seer(), ruled(3, "Slag Piper", never))) == []
    found = words(army(edition, seer(), ruled(3, "Slag Piper", never, **gift)))
    assert found == ["its own rules say it cannot be given enhancements (Crown)"]


# --- enhancements --------------------------------------------------------------------------------------------------


def gifted(number: int, gift: str, **more: Any) -> RosterUnit:
    return seer(
        number, **{"warlord": number == 2, "enhancement": gift, "enhancement_points": 10, "points": 110, **more}
    )


def seers(edition: str, count: int, **more: Any) -> Roster:
    gifts = ["Crown", "Veil", "Oath", "Spark", "Brand"]
    cheap = sheet("Ash Seer", "CHARACTER", "BATTLELINE")
    return army(edition, *(gifted(n + 2, gifts[n], datasheet=cheap) for n in range(count)), **more)


def test_number_of_enhancements() -> None:
    """10e T-14.1: three. 11e 25.03: two in an Incursion, four in a Strike Force."""
    assert words(seers("10e", 3)) == []
    assert words(seers("10e", 4)) == ["4 enhancements, an army has at most 3"]
    assert words(seers("11e", 4)) == []
    assert words(seers("11e", 5)) == ["5 different enhancements, Strike Force allows 4"]
    assert words(seers("11e", 3, battle_size="Incursion", limit=1000)) == [
        "3 different enhancements, Incursion allows 2"
    ]


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_enhancement_once(edition: str) -> None:
    assert words(army(edition, gifted(2, "Crown"), gifted(3, "Crown"))) == ["Crown is taken 2 times, at most 1"]
    assert words(army(edition, gifted(2, "Crown", more_enhancements=("Veil",)))) == [
        "more than one enhancement: Crown and Veil"
    ]


@pytest.mark.parametrize("edition", EDITIONS)
def test_bearers_of_enhancements(edition: str) -> None:
    """For CHARACTERS, not for EPIC HEROES."""
    hero = unit("Old Ember", "CHARACTER", "EPIC HERO", number=4, enhancement="Crown", enhancement_points=10, points=110)
    assert words(army(edition, hero)) == ["an EPIC HERO cannot have an enhancement (Crown)"]
    hulk = unit("Hulk", "VEHICLE", number=4, enhancement="Crown", enhancement_points=10, points=110)
    found = muster(army(edition, hulk))
    if edition == "10e":
        assert [problem.words for problem in found.problems] == ["Crown is for CHARACTERS, this unit is none"]
    else:
        assert found.problems == ()
        assert "whether Crown is an upgrade (the unit is no CHARACTER)" in unseen(found)


def test_upgrades_in_the_eleventh() -> None:
    """11e 25.04: upgrades for any unit, three copies, the second and third without a slot."""
    hulks = [
        unit("Hulk", "BATTLELINE", number=n, enhancement="Grit", upgrade=True, enhancement_points=10, points=110)
        for n in range(3, 7)
    ]
    assert words(army("11e", *hulks[:3])) == []
    assert words(army("11e", *hulks)) == ["Grit is taken 4 times, at most 3"]
    four = [gifted(2, "Crown"), gifted(8, "Veil"), gifted(9, "Oath", datasheet=sheet("Ash Seer", "CHARACTER"))]
    assert words(army("11e", *four, *hulks[:3])) == []


def test_one_enhancement_an_attached_unit() -> None:
    """11e 25.04: attached units included."""
    body = unit("Wardens", "BATTLELINE", number=20, enhancement="Grit", upgrade=True, enhancement_points=10, points=110)
    able = sheet("Ash Seer", "CHARACTER", leads=("Wardens",))
    lead = gifted(2, "Crown", datasheet=able)
    assert words(army("11e", lead, body)) == []
    together = army("11e", replace(lead, attached_to="u20", role="leader"), body)
    assert words(together) == ["2 enhancements in one attached unit: Crown and Grit"]


# --- leaders -------------------------------------------------------------------------------------------------------


def leader(number: int, name: str = "Ash Seer", *abilities: str, **more: Any) -> RosterUnit:
    core = tuple(Ability(each, kind="core") for each in abilities or ("Leader",))
    own = sheet(name, "CHARACTER", leads=("Wardens",), abilities=core)
    return unit(name, "CHARACTER", number=number, datasheet=own, **more)


@pytest.mark.parametrize("edition", EDITIONS)
def test_whom_a_leader_can_lead(edition: str) -> None:
    """11e 19.01, 24.22; 10e T-10.1."""
    wardens, hulk = unit("Wardens", number=20), unit("Hulk", number=21)
    assert words(army(edition, leader(2, warlord=True, attached_to="u20"), wardens, hulk)) == []
    wrong = army(edition, leader(2, warlord=True, attached_to="u21"), wardens, hulk)
    assert words(wrong) == ["cannot lead Hulk; it can lead Wardens"]


def test_one_leader_and_one_support() -> None:
    """11e 19.01."""
    wardens = unit("Wardens", number=20)
    first = leader(2, warlord=True, attached_to="u20", role="leader")
    support = leader(3, "Bellows Crew", "Support", attached_to="u20", role="support")
    assert words(army("11e", first, support, wardens)) == []
    second = leader(4, "Old Ember", attached_to="u20", role="leader")
    assert words(army("11e", first, second, wardens)) == [
        "2 leader units: Ash Seer and Old Ember; at most one unless stated"
    ]


def test_a_support_unit_must_be_attached() -> None:
    """11e 25.04, with the switch for the seed's "can"."""
    lone = army("11e", leader(3, "Bellows Crew", "Support"))
    assert words(lone) == ["a support unit that is not attached"]
    assert muster_with(lone, supports_must_attach=False).problems == ()


def test_leaders_in_the_tenth() -> None:
    """10e T-10.1: never more than two; a second only where a rule allows."""
    wardens = unit("Wardens", number=20)
    names = ["Ash Seer", "Old Ember", "Bellows"]
    three = [leader(n, name, warlord=n == 2, attached_to="u20") for n, name in enumerate(names, 2)]
    two = muster(army("10e", *three[:2], wardens))
    assert two.problems == ()
    assert any("two Leaders" in said for said in unseen(two))
    assert words(army("10e", *three, wardens)) == ["3 Leaders: Ash Seer, Old Ember and Bellows"]


# --- composition and wargear ---------------------------------------------------------------------------------------

SQUAD = sheet(
    "Wardens",
    models=(
        ModelEntry("Warden Serjeant", 1, 1, wargear=("Coal rod",)),
        ModelEntry("Warden", 4, 9, wargear=("Coal rod",)),
    ),
    points=(PointsTier(5, 100), PointsTier(10, 200)),
    options=(WargearOption((Choice((("Hook", 1),)),), "Warden", ("Coal rod",), limit=1, per=5),),
)


def squad(*models: tuple[str, int, dict[str, int]], points: int = 100) -> RosterUnit:
    taken = tuple(
        ModelTaken(name, count, weapons=tuple(WeaponTaken(item, number) for item, number in gear.items()))
        for name, count, gear in models
    )
    return unit("Wardens", datasheet=SQUAD, models=taken, points=points)


@pytest.mark.parametrize("edition", EDITIONS)
def test_composition(edition: str) -> None:
    """11e 02.06; 10e T-14.1."""
    assert words(army(edition, squad(("Warden Serjeant", 1, {}), ("Wardens", 4, {})))) == []
    assert words(army(edition, squad(("Warden Serjeant", 1, {}), ("Warden", 3, {})))) == [
        "4 models, the datasheet has 5 to 10", "3 Warden, at least 4",
    ]  # fmt: skip
    assert words(army(edition, squad(("Warden Serjeant", 2, {}), ("Warden", 4, {}), points=200))) == [
        "2 Warden Serjeant, at most 1"
    ]
    assert "12 models, the datasheet has 5 to 10" in words(
        army(edition, squad(("Warden Serjeant", 1, {}), ("Warden", 11, {})))
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_wargear_limits(edition: str) -> None:
    """11e 02.07; 10e T-2.0: one Hook for every five models."""
    one = squad(("Warden Serjeant", 1, {"Coal rod": 1}), ("Warden", 4, {"Coal rod": 3, "Hook": 1}))
    assert words(army(edition, one)) == []
    two = squad(("Warden Serjeant", 1, {"Coal rod": 1}), ("Warden", 4, {"Coal rod": 2, "Hook": 2}))
    assert words(army(edition, two)) == ["2 Hook, its wargear options give at most 1"]
    six = squad(("Warden Serjeant", 1, {"Coal rod": 1}), ("Warden", 4, {"Coal rod": 5}))
    assert words(army(edition, six)) == ["6 Coal rod, its wargear options give at most 5"]


# --- transports ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_dedicated_transports_need_passengers(edition: str) -> None:
    """11e 18.01; 10e T-14.1: each starts with a unit embarked."""
    haulers = [unit("Hauler", "DEDICATED TRANSPORT", number=n) for n in (5, 6)]
    found = muster(army(edition, haulers[0]))
    assert found.problems == ()
    assert any("embarked" in said for said in unseen(found))
    assert words(army(edition, *haulers)) == ["2 Dedicated Transports for 1 other units to embark"]
