"""Random armies printed in every text dialect come back: names, points, models, weapons, enhancements, attachments."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from invented_armies import DIALECTS, Army, Dialect, army, shape

from battlewright.errors import BadInput
from battlewright.formats import Reading, Source
from battlewright.formats.detect import read
from battlewright.roster import RosterUnit

SEEDS = st.integers(0, 10**6)


def read_text(text: str, name: str = "list.txt") -> Reading:
    return read(Source(name, text.encode(), text))


def shape_read(unit: RosterUnit) -> dict[str, object]:
    counts: Counter[str] = Counter()
    weapons: dict[str, Counter[str]] = {}
    for model in unit.models:
        counts[model.name] += model.count
        for weapon in model.weapons:
            weapons.setdefault(model.name, Counter())[weapon.name] += weapon.count
    return {
        "name": unit.name,
        "points": unit.points,
        "models": dict(counts),
        "weapons": {name: dict(found) for name, found in weapons.items()},
        "gift": unit.enhancement or "",
        "warlord": unit.warlord,
        "legends": unit.legends,
    }


def expected(army: Army, dialect: Dialect) -> list[dict[str, object]]:
    return [_kept(shape(unit), dialect) for unit in army.units]


def _kept(found: dict[str, object], dialect: Dialect) -> dict[str, object]:
    """Without what the dialect loses; where models are lost, their weapons still count for the unit."""
    kept = {key: value for key, value in found.items() if key not in dialect.lost}
    if "models" in dialect.lost and "weapons" in kept:
        total: Counter[str] = Counter()
        for weapons in kept["weapons"].values():  # type: ignore[attr-defined]
            total.update(weapons)
        kept["weapons"] = dict(total)
    return kept


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
@example(seed=7)
@example(seed=33498)
def test_the_army_comes_back(dialect: Dialect, seed: int) -> None:
    meant = army(seed, attached=dialect.attached)
    reading = read_text(dialect.printer(meant))
    assert reading.format == dialect.format
    roster = reading.roster
    assert roster is not None
    found = [_kept(shape_read(unit), dialect) for unit in roster.units]
    assert sorted(found, key=repr) == sorted(expected(meant, dialect), key=repr)
    assert reading.unread == ()


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_header(dialect: Dialect, seed: int) -> None:
    """Points, faction, detachment and battle size, where the dialect has them; the edition where it shows."""
    meant = army(seed, attached=dialect.attached)
    reading = read_text(dialect.printer(meant))
    roster = reading.roster
    assert roster is not None
    assert sum(unit.points or 0 for unit in roster.units) == meant.points
    if dialect.name == "NR short":
        return
    assert (roster.points, roster.faction) == (meant.points, meant.faction)
    names = [detachment.name for detachment in roster.detachments]
    assert names in (meant.detachments, meant.detachments[:1])
    if dialect.name in ("app 10e", "app 11e", "app French", "BattleBase", "markdown", "WarOrgan"):
        assert (roster.battle_size, roster.limit) == (meant.size, meant.limit)
    if dialect.edition:
        assert reading.edition == dialect.edition


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_attached_units(seed: int) -> None:
    meant = army(seed, attached=True)
    for dialect in DIALECTS:
        if not dialect.attached:
            continue
        roster = read_text(dialect.printer(meant)).roster
        assert roster is not None
        by_id = {unit.id: unit for unit in roster.units}
        found = [(unit.name, unit.role, by_id[unit.attached_to].name) for unit in roster.units if unit.attached_to]
        squads = {unit.block: unit.name for unit in meant.units if unit.role == "Bodyguard"}
        leading = [unit for unit in meant.units if unit.role in ("Leader", "Support")]
        assert sorted(found) == sorted((unit.name, unit.role.lower(), squads[unit.block]) for unit in leading)


def test_enhancement_points() -> None:
    """The price of an enhancement, where it is printed."""
    meant = next(
        candidate for candidate in map(army, range(100)) if sum(bool(unit.gift) for unit in candidate.units) > 1
    )
    prices = {unit.gift: unit.gift_points for unit in meant.units if unit.gift}
    for dialect in DIALECTS:
        if dialect.name in ("WTC compact", "WTC full", "NR app-like", "markdown", "WarOrgan", "freeform"):
            roster = read_text(dialect.printer(meant)).roster
            assert roster is not None
            found = {unit.enhancement: unit.enhancement_points for unit in roster.units if unit.enhancement}
            assert found == prices, dialect.name


@pytest.mark.parametrize("written", ["2,000", "2 000", "2000", "2.000", "2\u00a0000", "2\u202f000", "2'000"])
def test_thousands(written: str) -> None:
    text = f"Slow burn ({written} points)\n\nEmberborn\nStrike Force ({written} Points)\n\nCHARACTERS\n\n"
    roster = read_text(f"{text}Ash Seer ({written} points)\n  • 1x Sear blade\n").roster
    assert roster is not None
    assert (roster.points, roster.units[0].points, roster.limit) == (2000, 2000, 2000)


def test_sentences_of_gear() -> None:
    """ "Coal rod and soot banner" is two things where one of them stands alone elsewhere; "Horns and hooves" is one."""
    text = (
        "Slow burn [200 points]\nEmberborn\nBattle Size: Incursion (1000 point limit)\nDetachments: Kiln Guard\n\n"
        "Wardens [100 points]\n\t• 1 Warden with Shield with Coal rod and soot banner\n"
        "\t• 4 Wardens with 2 Hooks and Coal rod\n\nRam [100 points]\n\t• Horns and hooves and Brand\n\n"
        "Created with WarOrgan (https://warorgan.com)\n"
    )
    roster = read_text(text).roster
    assert roster is not None
    found = [(m.name, m.count, {w.name: w.count for w in m.weapons}) for unit in roster.units for m in unit.models]
    assert found == [
        ("Warden with Shield", 1, {"Coal rod": 1, "soot banner": 1}),
        ("Wardens", 4, {"Hook": 8, "Coal rod": 4}),
        ("Ram", 1, {"Horns and hooves": 1, "Brand": 1}),
    ]


def test_an_app_like_body_with_attached_units_under_a_tournament_header() -> None:
    """What some sites make of a list: the header of one tool over the body of another, indentation lost."""
    text = (
        "+++++++++\n+ FACTION KEYWORD: Cinders - Emberborn\n+ DETACHMENT: Kiln Guard, Sootwing (Smoke)\n"
        "+ TOTAL ARMY POINTS: 225pts\n+\n+ WARLORD: Char1: Ash Seer\n"
        "+ ENHANCEMENT: Crown (on Char1: Ash Seer)\n+++++++++\n\n"
        "Attached Units\nAttached Unit 1\n\nAsh Seer (100 pts)\n• Attached as: Leader (Character)\n• 1x Coal rod\n\n"
        "Wardens (125 pts)\n• Attached as: Bodyguard\n• 3x Warden\n• 3x Hook\n\nCreated with newrecruit.eu v35.49\n"
    )
    reading = read_text(text)
    assert (reading.format, reading.edition, reading.unread) == ("newrecruit-gw", "11e", ())
    assert reading.roster is not None
    seer, wardens = reading.roster.units
    assert (seer.attached_to, seer.warlord, seer.enhancement) == (wardens.id, True, "Crown")
    assert reading.roster.points == 225 == (seer.points or 0) + (wardens.points or 0)


def test_weapons_of_two_kinds_keep_their_names() -> None:
    head = "+ FACTION KEYWORD: X\n+ TOTAL ARMY POINTS: 90pts\n\n"
    roster = read_text(head + "1x Rider (90 pts): Spear (ranged), 2x Spear (melee), Kite (Gun)\n").roster
    assert roster is not None
    assert {weapon.name: weapon.count for weapon in roster.units[0].models[0].weapons} == {
        "Spear (ranged)": 1, "Spear (melee)": 2, "Kite": 1, "Gun": 1,
    }  # fmt: skip


def test_lists_typed_by_hand() -> None:
    """What people type: prices behind dashes or bare, counts before or behind, old headings, remarks in brackets."""
    text = (
        "My ember list 2000pts\nFaction: Emberborn\nSeer of Ash - 80 pts (Warlord, Coal rod)\nWardens x20 - 160pts\n"
        "3x Dread Kiln (360pts)\nHauler 70\nGreat Hauler [160 points] - big kiln, 'ard case\nHQ\nOld Ember: 235pts\n"
    )
    reading = read_text(text)
    assert (reading.format, reading.unread) == ("freeform", ())
    assert reading.roster is not None
    found = [(unit.name, unit.points, sum(model.count for model in unit.models)) for unit in reading.roster.units]
    assert found == [
        ("Seer of Ash", 80, 1), ("Wardens", 160, 20), ("Dread Kiln", 360, 3), ("Hauler", 70, 1), ("Great Hauler", 160, 1),
        ("Old Ember", 235, 1),
    ]  # fmt: skip
    assert reading.roster.units[0].warlord
    assert (reading.roster.points, reading.roster.faction) == (2000, "Emberborn")
    assert any("please check it" in note for note in reading.notes)


def test_units_joined_in_one_line() -> None:
    """The short mode of a list site: no points, attached units joined by plus signs, counts are models."""
    text = (
        "Slow (2.000 Points)\n\n2x Old Ember + Drummer + 20x Wardens\n\nBig Seer + 6x Hulks\n  Enhancement: Crown\n\n"
    )
    roster = read_text(text + "10x Riders\n").roster
    assert roster is not None
    bodies = {unit.id: unit.name for unit in roster.units}
    found = [
        (one.name, one.models[0].count, bodies.get(one.attached_to or ""), one.enhancement) for one in roster.units
    ]
    assert found == [
        ("Old Ember", 2, "Wardens", None), ("Drummer", 1, "Wardens", None), ("Wardens", 20, None, None),
        ("Big Seer", 1, "Hulks", "Crown"), ("Hulks", 6, None, None), ("Riders", 10, None, None),
    ]  # fmt: skip


STRANGERS = ["wibble wobble", "  • wibble wobble", "Wibble: wobble", "Wobble", "      wobble"]


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
@settings(max_examples=15, deadline=None)
@given(
    seed=SEEDS,
    place=st.integers(1, 60),
    stranger=st.sampled_from(STRANGERS),
)
def test_nothing_is_dropped_silently(dialect: Dialect, seed: int, place: int, stranger: str) -> None:
    """A line that does not belong is in the reading: unread, noted, or as something somebody has.

    A list so short that the line makes it none of the known forms is refused in words, which is not silence.
    """
    lines = dialect.printer(army(seed, attached=dialect.attached)).split("\n")
    lines.insert(min(place, len(lines)), stranger)
    try:
        reading = read_text("\n".join(lines))
    except BadInput:
        assert len([line for line in lines if line.strip()]) <= 3
        return
    assert "wobble" in f"{reading.unread}{reading.notes}{reading.roster}".casefold()


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_every_word_of_a_list_is_in_the_reading(dialect: Dialect) -> None:
    """Names, gear and enhancements of the text are all somewhere in what was read."""
    for seed in range(8):
        meant = army(seed, attached=dialect.attached)
        text = dialect.printer(meant)
        said = repr(read_text(text)).casefold()
        names = [
            name
            for unit in meant.units
            for model in unit.models
            for name in (unit.name, model.name, *model.gear, unit.gift)
        ]
        lost = [name for name in names if name in text and name.casefold() not in said.replace('\\"', "")]
        assert lost == []


def test_each_detachment_of_the_header_may_name_its_rule() -> None:
    reading = read_text(
        "++++++++++++++++\n+ FACTION KEYWORD: Emberborn\n"
        "+ DETACHMENT: Cinder Host (Slow Burn, Hot Ash), Ash Guard (Embers)\n"
        "+ TOTAL ARMY POINTS: 90pts\n++++++++++++++++\nChar1: 1x Ash Lord (90 pts): Warlord, Cinder gun\n"
    )
    assert reading.roster is not None
    assert [one.name for one in reading.roster.detachments] == ["Cinder Host", "Ash Guard"]


def test_gear_on_lines_of_their_own_is_no_model() -> None:
    reading = read_text(
        "Emberborn - Embers - [90 pts]\n\n# ++ Army Roster ++ [90 pts]\n## Character [90 pts]\n"
        "Ash Lord [90 pts]:\n\u2022 Cinder gun\n\u2022 Hatchet\n\u2022 Banked Coals [15 pts]\n\u2022 Warlord\n"
    )
    assert reading.roster is not None
    (lord,) = reading.roster.units
    assert [(model.name, model.count) for model in lord.models] == [("Ash Lord", 1)]
    assert [weapon.name for weapon in lord.models[0].weapons] == ["Cinder gun", "Hatchet"]
    assert lord.warlord
    assert lord.enhancement == "Banked Coals"


def test_one_model_in_a_sentence_without_its_number() -> None:
    reading = read_text(
        "Embers [210 points]\nEmberborn\nDetachments: Cinder Host\n\nAsh Walker [110 points]\n"
        "\t\u2022 Ash Walker with 2 Cinder guns, Hatchet and Stamping feet\n\nAsh Lord [100 points]\n\t\u2022 Hatchet\n"
        "Created with WarOrgan\n"
    )
    assert reading.roster is not None
    (walker, _) = reading.roster.units
    assert [(model.name, model.count) for model in walker.models] == [("Ash Walker", 1)]
    assert [(weapon.name, weapon.count) for weapon in walker.models[0].weapons] == [
        ("Cinder gun", 2), ("Hatchet", 1), ("Stamping feet", 1),
    ]  # fmt: skip
