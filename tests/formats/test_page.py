"""Datasheet pages in every layout seen, whole, cut and damaged. The texts here are made for the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlewright.datasheet import Datasheet, PointsTier, StratagemListing, WeaponAbility
from battlewright.dice import Dice
from battlewright.formats import Reading, Source
from battlewright.formats.detect import read
from battlewright.formats.page_options import read_option

OLD = """Emberborn – Ash Wardens
RANGED WEAPONS | RANGE | A | BS | S | AP | D | |
| Cinder gun [RAPID FIRE 1] | |||||||
| Cinder gun [RAPID FIRE 1] | 24" | 1 | 3+ | 4 | -1 | 1 | |
| Slag lance – bolt [anti-vehicle 4+, melta D3] | |||||||
| Slag lance – bolt [anti-vehicle 4+, melta D3] | 18" | 1 | 4+ | 9 | -3 | D6+1 | |
| Slag lance – pool [torrent] | |||||||
| Slag lance – pool [torrent] | 12" | D6+1 | N/A | 5 | 0 | 1 | |
MELEE WEAPONS | RANGE | A | WS | S | AP | D | |
| Fire hook | |||||||
| Fire hook | Melee | 3 | 3+ | 5 | -1 | 1 | |
WARGEAR OPTIONS
- For every 5 models in this unit, 1 Ash Warden’s cinder gun can be replaced with 1 slag lance.
- Up to 2 Ash Wardens can each have their fire hook replaced with one of the following:*
- 1 long hook
- 1 hand axe and 1 buckler
- The Ash Leader can be equipped with 1 horn.
* You cannot select the same weapon from this list more than once per unit.
ABILITIES
CORE: Deep Strike, Feel No Pain 6+, Scouts 7"
FACTION: Kindling
Banked Coals: Each time an attack targets this unit, subtract 1 from the Wound roll.Last Spark (Aura): It is brave.
- It stays so.
WARGEAR ABILITIES
Horn: Add 1 to Advance rolls.
LEADER
This model can be attached to the following units:
- ASH WARDENS
- CINDER KIN
LED BY
This unit can be led by the following units:
- ASH PRIEST
UNIT COMPOSITION
- 1 Ash Leader
- 4-9 Ash Wardens
Every Ash Warden is equipped with: cinder gun; fire hook.
The Ash Leader is equipped with: cinder gun.
| 5 models | 80 |
| 10 models | 155 |
DAMAGED: 1-3 WOUNDS REMAINING
While it has 1-3 wounds remaining, subtract 1 from the Hit roll.
KEYWORDS: INFANTRY, SMOKE, ASH WARDENS
FACTION KEYWORDS:
EMBERBORN
EMBERBORN
STRATAGEMS
BURN LOW
2CP
Pyre Host – Epic Deed
SIGNAL FIRE
1CP
Core – Battle Tactic
C
DETACHMENT ABILITY
Banners of Ash
ENHANCEMENTS
Old Brand
15
The WARDEN keyword is used in the following Emberborn datasheets:
Characters
Wound Roll
Each time an attack scores a hit, a roll is made and compared with a table that is not here at all.
| ||||||||
After the table there is a little more to say about how the roll is made and what a six means.BURN LOW
2CP
Pyre Host – Epic Deed Stratagem
Embers wait under ash.
WHEN: Your Shooting phase.
TARGET: One WARDEN unit from your army:
EFFECT: Until the end of the phase, add 1 to the Wound roll.
- of the last kind
TARGET: One WARDEN unit from your army:
EFFECT: Until the end of the phase, add 1 to the Wound roll.
RESTRICTIONS: Once per battle.
Banners of Ash
Pyre Host Detachment
The old banners are never washed.
Each time a unit from your army is selected to fight, add 1 to the Charge roll of that unit until the turn ends.FAQ
| Q: | Does it stack? |
| A: | No. |
Errata
Pyre Host Detachment, Banners of Ash
Change to:
‘Each time a unit is chosen, add 1 to the roll.’
‘Each time a unit is chosen, add 1 to the roll.’
Pyre Host Detachment
A brand carried from the first fire of all.
Model only. The bearer has a 5+ invulnerable save and adds 1 to Leadership tests.
"""


HEADER = "RANGED WEAPONS | RANGE | A | BS | S | AP | D | |"


def page(text: str) -> Reading:
    return read(Source("page.txt", text.encode(), text))


def sheet(text: str) -> Datasheet:
    return page(text).datasheets[0]


def named(datasheet: Datasheet, name: str) -> str:
    return next(ability.text for ability in datasheet.abilities if ability.name == name)


def test_every_line_of_a_full_page_is_read() -> None:
    reading = page(OLD)
    assert reading.unread == ()
    assert reading.faults == ()
    assert reading.edition == "10e"
    assert reading.missing == ("stat line", "invulnerable save", "base", "table: Wound Roll")


def test_weapons_with_profiles_and_abilities() -> None:
    gun, bolt, pool, hook = sheet(OLD).weapons
    assert gun.abilities == (WeaponAbility("rapid fire", Dice.parse(1)),)
    assert (bolt.name, bolt.profile, bolt.damage) == ("Slag lance", "bolt", Dice.parse("D6+1"))
    assert bolt.abilities == (WeaponAbility("anti", Dice.parse(4), "VEHICLE"), WeaponAbility("melta", Dice.parse("D3")))
    assert pool.skill is None
    assert (hook.melee, hook.attacks, hook.ap) == (True, Dice.parse(3), -1)


def test_options_composition_points() -> None:
    one, two, three = sheet(OLD).options
    assert (one.per, one.limit, one.model, one.replaces) == (5, 1, "Ash Warden", ("cinder gun",))
    assert [choice.items for choice in two.choices] == [(("long hook", 1),), (("hand axe", 1), ("buckler", 1))]
    assert (two.limit, two.each_limit) == (2, 1)
    assert (three.model, three.replaces) == ("Ash Leader", ())
    leader, wardens = sheet(OLD).models
    assert (leader.low, leader.high, leader.wargear) == (1, 1, ("cinder gun",))
    assert (wardens.low, wardens.high, wardens.wargear) == (4, 9, ("cinder gun", "fire hook"))
    assert sheet(OLD).points == (PointsTier(5, 80), PointsTier(10, 155))


def test_abilities_glued_and_continued() -> None:
    datasheet = sheet(OLD)
    assert named(datasheet, "Banked Coals").endswith("Wound roll.")
    assert named(datasheet, "Last Spark (Aura)").endswith("\n- It stays so.")
    assert [ability.kind for ability in datasheet.abilities if ability.name == "Horn"] == ["wargear"]
    core = {(ability.name, ability.amount) for ability in datasheet.abilities if ability.kind == "core"}
    assert core == {("Deep Strike", None), ("Feel No Pain", Dice.parse(6)), ("Scouts", Dice.parse(7))}
    assert datasheet.leads == ("ASH WARDENS", "CINDER KIN")
    assert datasheet.damaged == (1, 3)


def test_lists_and_boxes() -> None:
    datasheet = sheet(OLD)
    assert datasheet.stratagems == (
        StratagemListing("Burn Low", 2, "Pyre Host", "Epic Deed"),
        StratagemListing("Signal Fire", 1, "Core", "Battle Tactic", "C"),
    )
    assert datasheet.detachment_abilities == ("Banners of Ash",)
    assert [(each.name, each.points, each.detachment) for each in datasheet.enhancements] == [
        ("Old Brand", 15, "Pyre Host")
    ]
    kinds = {box.kind: box for box in datasheet.boxes}
    stratagem = kinds["stratagem"]
    assert (stratagem.title, stratagem.cost, stratagem.source) == ("BURN LOW", 2, "Pyre Host – Epic Deed")
    assert [label for label, _ in stratagem.parts] == ["WHEN", "TARGET", "EFFECT", "RESTRICTIONS"]
    assert dict(stratagem.parts)["TARGET"].endswith(":\n- of the last kind"), (
        "a bullet belongs to the part it completes"
    )
    assert kinds["detachment-rule"].source == "Pyre Host"
    assert "washed" not in kinds["detachment-rule"].text
    assert kinds["faq"].parts == (("Q", "Does it stack?"), ("A", "No."))
    assert kinds["errata"].text == "Each time a unit is chosen, add 1 to the roll."
    assert kinds["enhancement"].title == "Old Brand"


NEW = """Emberborn – Great Kiln
| RANGED WEAPONS | RANGE | A | BS | S | AP | D | |
| Kiln mouth – flare blast heavy indirect fire | |||||||
| Kiln mouth – flare blast heavy indirect fire | 48" | 2D6 | 4+ | 6 | 0 | 1 | |
| Dawn lance | |||||||
| Dawn lance | 36" | 1 | 3+ | 12 | -3 | D6 | |
| Stoker’s pistol PISTOL | 12" | 1 | 4+ | 3 | 0 | 1
ABILITIES
CORE: Deadly Demise D3
INVULNERABLE SAVE
5+*
* This model has a 5+ invulnerable save against ranged attacks.
UNIT COMPOSITION
- 1 Great Kiln – EPIC HERO
| YOUR 1ST TO 2ND UNITS COST | |
| 1 model | 140 |
| YOUR 3RD + UNIT COSTS | |
| 1 model | 160 |
KEYWORDS: VEHICLE; GREAT KILN
FACTION KEYWORDS:
STRATAGEMS
"""


def test_bare_abilities_and_price_tiers() -> None:
    reading = page(NEW)
    kiln, dawn, pistol = reading.datasheets[0].weapons
    assert reading.edition == "11e"
    assert [str(ability) for ability in kiln.abilities] == ["blast", "heavy", "indirect fire"]
    assert dawn.name == "Dawn lance", "a ranged weapon cannot have [lance]: the word is its name"
    assert (pistol.name, [str(ability) for ability in pistol.abilities]) == ("Stoker's pistol", ["pistol"])
    assert reading.datasheets[0].points == (PointsTier(1, 140, 1, 2), PointsTier(1, 160, 3, None))
    profile = reading.datasheets[0].models[0].profile
    assert (profile.InSv, profile.InSv_against, profile.T) == (5, "ranged", None)
    assert reading.datasheets[0].unique
    assert "faction keyword" in reading.missing


def test_one_cell_a_line() -> None:
    tall = "\n".join(
        """Emberborn – Kin|Kin|M|6"|T|4|Sv|3+|W|2|Ld|6+|OC|1|INVULNERABLE SAVE|5+|RANGED WEAPONS|RANGE|A|BS|S|AP|D
        |Brand [heavy]|Brand [heavy]|24"|2|2+|4|-1|1|MELEE WEAPONS|RANGE|A|WS|S|AP|D|Knife|Knife|Melee|4|3+|4|0|1
        |WARGEAR OPTIONS|  • None|UNIT COMPOSITION|  • 1 Elder|  • 4-9 Kin|5 models|100|10 models|190
        |KEYWORDS – ALL MODELS: INFANTRY, KINELDER: CHARACTER|FACTION KEYWORDS:|EMBERBORN""".replace("\n", "").split(
            "|"
        )
    )
    reading = page(tall)
    datasheet = reading.datasheets[0]
    assert reading.unread == ()
    assert reading.missing == ("base", "abilities", "default equipment")
    assert [weapon.title for weapon in datasheet.weapons] == ["Brand", "Knife"]
    assert [model.profile.W for model in datasheet.models] == [2, 2]
    assert [model.keywords for model in datasheet.models] == [("CHARACTER",), ()]
    assert datasheet.keywords == ("INFANTRY", "KIN")
    assert datasheet.points == (PointsTier(5, 100), PointsTier(10, 190))


def test_a_page_without_title_or_sections() -> None:
    reading = page(
        'RANGED WEAPONS | RANGE | A | BS | S | AP | D | |\nRotor |||||||\nRotor | 30" | 10 | 3+ | 6 | -1 | 1 | |\n'
        "1 model | 150 |\nIf your Army Faction is , units may use the rule that is described further down on this page:\n|\n"
    )
    assert reading.datasheets[0].weapons[0].name == "Rotor"
    assert reading.datasheets[0].points == (PointsTier(1, 150),)
    assert {"unit name", "stat line", "keywords", "edition", "keyword in the text, line 5"} <= set(reading.missing)


@pytest.mark.parametrize("share", [0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95])
def test_a_page_cut_anywhere_gives_what_it_has(share: float) -> None:
    whole = page(OLD)
    part = page(OLD[: int(len(OLD) * share)])
    assert set(part.datasheets[0].weapons) <= set(whole.datasheets[0].weapons)
    assert all("cut off" in fault.what for fault in part.faults)


def test_a_row_cut_off_is_a_fault_with_its_line() -> None:
    (fault,) = page(OLD[: OLD.index("| 4 | -1 | 1 | |")]).faults
    assert str(fault) == "weapon row cut off: expected 6 numbers, got 3 @ page.txt:4"


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ('| Gun [rapid fire 1] | 24" | 1 | 9+ | 4 | 0 | 1 | |', "a skill, 2+ to 6+ or N/A, got '9+'"),
        ('| Gun [rapid fire 1] | 24" | D7+ | 3+ | 4 | 0 | 1 | |', "got 'D7+'"),
        ('| Gun [rapid fire 1] | 24" | 1 | 3+ | x | 0 | 1 | |', "a strength, 1 to 99, got 'x'"),
        ('| Gun [frobnicate 3] | 24" | 1 | 3+ | 4 | 0 | 1 | |', "unknown weapon ability 'frobnicate 3'"),
        ('| Gun [anti-fish 9+] | 24" | 1 | 3+ | 4 | 0 | 1 | |', "unknown weapon ability 'anti-fish 9+'"),
    ],
)
def test_numbers_that_cannot_be_are_faults(row: str, words: str) -> None:
    (fault,) = page(f"RANGED WEAPONS | RANGE | A | BS | S | AP | D | |\n{row}\n").faults
    assert words in fault.what
    assert fault.where == "page.txt:2"


def test_an_ability_the_page_explains_is_no_fault() -> None:
    text = f'{HEADER}\n| Gun [ember tide] | 24" | 1 | 3+ | 4 | 0 | 1 | |\nEmber Tide: It burns.\n'
    assert page(text).faults == ()
    assert named(sheet(text), "Ember Tide") == "It burns."


def test_an_ability_the_page_explains_ends_a_bare_name() -> None:
    text = (
        f'{HEADER}\n| Twin lance – held ember tide melta 2 | 24" | 1 | 3+ | 4 | 0 | 1 | |\n'
        '| Ember tide | 24" | 1 | 3+ | 4 | 0 | 1 | |\nEmber Tide: It burns.\n'
        "KEYWORDS: VEHICLE; ASH WALKER\nFACTION KEYWORDS:\nEMBERBORN\n"
    )
    lance, tide = sheet(text).weapons
    assert (lance.name, lance.profile, [str(ability) for ability in lance.abilities]) == (
        "Twin lance",
        "held",
        ["melta 2"],
    )
    assert tide.name == "Ember tide"


@pytest.mark.parametrize(
    ("said", "limit"), [("one of", 1), ("up to two of", 2), ("two of", 2), ("up to 3 of", 3), ("any of", 1)]
)
def test_as_many_choices_as_one_model_may_take(said: str, limit: int) -> None:
    option = read_option(f"This model can be equipped with {said} the following:", ["1 ash rack", "1 plume"])
    assert option is not None
    assert option.limit == limit


@pytest.mark.parametrize("written", ["BURN LOW[15.07]", "[BURN LOW]15.07", "BURN LOW15.07"])
def test_the_number_of_a_box_is_no_part_of_its_title(written: str) -> None:
    text = f"{NEW}{written}\n1CP\nCore – Epic Deed Stratagem\nWHEN: Any phase.\nTARGET: That unit.\nEFFECT: It burns.\n"
    (box,) = sheet(text).boxes
    assert (box.kind, box.title, box.number) == ("stratagem", "BURN LOW", "15.07")


@pytest.mark.parametrize(
    ("own", "carried"),
    [
        ("ash pistol; hatchet", ("ash pistol", "hatchet")),
        ("ash pistol", ("cinder gun", "hatchet", "ash pistol")),
    ],
)
def test_a_list_of_its_own_says_again_what_all_have_or_adds(own: str, carried: tuple[str, ...]) -> None:
    text = (
        f'{HEADER}\n| Cinder gun | 24" | 1 | 3+ | 4 | 0 | 1 | |\nUNIT COMPOSITION\n- 1 Ash Medic\n- 4 Ash Wardens\n'
        f"Every model is equipped with: cinder gun; hatchet.\nThe Ash Medic is equipped with: {own}.\n"
        "KEYWORDS: INFANTRY, ASH WARDENS\nFACTION KEYWORDS:\nEMBERBORN\n"
    )
    medic, warden = sheet(text).models
    assert medic.wargear == carried
    assert warden.wargear == ("cinder gun", "hatchet")


def test_what_is_not_understood_is_listed_with_its_line() -> None:
    odd = OLD.replace("- 4-9 Ash Wardens", "- as many Ash Wardens as you like")
    (line,) = page(odd).unread
    assert (line.line, line.text) == (odd[: odd.index("as many")].count("\n") + 1, "- as many Ash Wardens as you like")


def test_the_made_pages(shared: Path) -> None:
    for path in sorted((shared / "pages").glob("*.txt")):
        reading = read(path)
        assert reading.faults == (), path.name
        assert reading.unread == (), path.name
        assert reading.edition == ("11e" if "11e" in path.name else "10e"), path.name
        rows = [
            line
            for line in path.read_text(encoding="utf-8").splitlines()
            if line.count("|") > 5 and any(c.isdigit() for c in line)
        ]
        numbers = [line for line in rows if line.split("|")[-4].strip() or line.split("|")[-2].strip()]
        assert len(reading.datasheets[0].weapons) == (len([r for r in numbers if "+" in r or "N/A" in r]) or 4), (
            path.name
        )


def test_a_stat_line_for_each_kind_of_model() -> None:
    tall = 'Kin\nM\n6"\nT\n4\nSv\n3+\nW\n2\nLd\n6+\nOC\n1\nElder\nM\n5"\nT\n4\nSv\n2+\nW\n5\nLd\n6+\nOC\n1\n'
    wide = 'Name | M | T | Sv | W | Ld | OC |\nKin | 6" | 4 | 3+ | 2 | 6+ | 1 |\nElder | 5" | 4 | 2+ | 5 | 6+ | 1 |\n'
    rest = "UNIT COMPOSITION\n- 1 Elder- 4-9 Kin\nEvery model is equipped with: 2 long knives; brand.\n"
    for stats in (tall, wide):
        reading = page(f"Emberborn – Ash Kin\n{stats}{HEADER}\n{rest}")
        elder, kin = reading.datasheets[0].models
        assert reading.unread == ()
        assert (elder.profile.W, elder.profile.M, kin.profile.W, kin.high) == (5, 5, 2, 9)
        assert kin.wargear == ("long knive", "long knive", "brand")
        assert "stat line" not in reading.missing


def test_a_faction_keyword_is_put_back_where_the_hole_is_visible() -> None:
    text = OLD.replace("Banked Coals: Each time an attack", "Banked Coals: Each time an model is hit, an attack")
    reading = page(text)
    assert "an EMBERBORN model is hit" in named(reading.datasheets[0], "Banked Coals")
    assert "keyword in the text, line 22" in reading.missing
    assert reading.notes == ("EMBERBORN put back where the text has a hole",)


@pytest.mark.parametrize(
    "line",
    ["The " + "A " * 4000 + "x", "A'B-" * 5000 + "24.1", "[[[" * 3000, "heavy " * 4000 + "x", "for every 5 " * 2000],
)
def test_a_long_line_of_any_kind_is_read_at_once(line: str) -> None:
    """Patterns that try every split of a long line would never come back; the test would hang."""
    assert len(page(f"{HEADER}\nWARGEAR OPTIONS\n- {line}\n|\n{line}\n{line} keyword is used\n").datasheets) == 1


def test_a_page_that_is_no_page_for_its_size_is_refused() -> None:
    from battlewright.errors import BadInput

    with pytest.raises(BadInput, match=r"too large for a datasheet page: at most 2 MB of text @ page\.txt"):
        page(HEADER + "\n" + "words without end\n" * 150_000)


@pytest.mark.parametrize(
    ("line", "unit", "models"),
    [
        ("KEYWORDS: INFANTRY, ASH KIN", ("INFANTRY", "ASH KIN"), {}),
        (
            "KEYWORDS – ALL MODELS: INFANTRY, ASH KINELDER: CHARACTER",
            ("INFANTRY", "ASH KIN"),
            {"ELDER": ("CHARACTER",)},
        ),
        (
            "KEYWORDS – ALL MODELS: INFANTRY; ASH KIN ELDER: CHARACTER; PSYKER SEER: GRENADES",
            ("INFANTRY", "ASH KIN"),
            {"ELDER": ("CHARACTER", "PSYKER"), "SEER": ("GRENADES",)},
        ),
        ("KEYWORDS – ELDER: INFANTRY, CHARACTER", (), {"ELDER": ("INFANTRY", "CHARACTER")}),
    ],
)
def test_keywords_of_several_models(line: str, unit: tuple[str, ...], models: dict[str, tuple[str, ...]]) -> None:
    composition = "UNIT COMPOSITION\n- 1 Elder\n- 1 Seer\n- 3 Kin\n"
    for between in (composition, "" if len(models) < 2 else composition):
        reading = page(f"Emberborn – Ash Kin\n{HEADER}\n{between}{line}\n")
        datasheet = reading.datasheets[0]
        assert reading.unread == ()
        assert datasheet.keywords == unit
        if not between:
            assert len(reading.notes) == len(models), "kept where everybody sees it"
        if between:
            found = {model.name.upper(): model.keywords for model in datasheet.models if model.keywords}
            assert found == models


UNTITLED = """RANGED WEAPONS | RANGE | A | BS | S | AP | D | |
| Ember pistol [pistol] | |||||||
| Ember pistol [pistol] | 12" | 1 | 3+ | 4 | 0 | 1 | |
ABILITIES
CORE: Leader
FACTION: Coal Oath
Ash Halo: This model has a 4+ invulnerable save against ranged attacks.
LEADER
This model can be attached to the following units:
- Ash Wardens
- Kiln Guard
You can attach this model to one of those units even if a Piper has already been attached to it.
UNIT COMPOSITION
- 1 Ash Seer – EPIC HERO
This model is equipped with: ember pistol.
| 1 model | 85 |
KEYWORDS: INFANTRY, CHARACTER, CINDERS, ASH SEER
FACTION KEYWORDS:
GREATER CINDERS
EMBERBORN
STRATAGEMS
OLD FIRE
1CP
Core – Battle Tactic
"""


def test_what_an_untitled_page_says_elsewhere() -> None:
    """Its name among the keywords, a second faction keyword, a save told by an ability, whom else it may join."""
    reading = read(Source("page.txt", UNTITLED.encode(), UNTITLED))
    (sheet,) = reading.datasheets
    assert (sheet.name, sheet.faction_keywords) == ("Ash Seer", ("GREATER CINDERS", "EMBERBORN"))
    assert reading.unread == ()
    assert sheet.missing == ("stat line", "base")
    assert (sheet.models[0].profile.InSv, sheet.models[0].profile.InSv_against) == (4, "ranged")
    assert sheet.leads == ("Ash Wardens", "Kiln Guard")
    assert any(ability.text.startswith("You can attach this model") for ability in sheet.abilities)
    assert [listing.name for listing in sheet.stratagems] == ["Old Fire"]


@pytest.mark.parametrize(
    "text",
    [
        "While this model leads a unit, models in it have a 4+ invulnerable save.",
        "This model has a 4+ invulnerable save and cannot move.",
        "Once per battle, this model has a 4+ invulnerable save.",
    ],
)
def test_a_save_that_asks_for_more_is_not_in_the_stat_line(text: str) -> None:
    page = UNTITLED.replace("This model has a 4+ invulnerable save against ranged attacks.", text)
    (sheet,) = read(Source("page.txt", page.encode(), page)).datasheets
    assert sheet.models[0].profile.InSv is None
    assert "invulnerable save" in sheet.missing
