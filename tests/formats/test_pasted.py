"""Lists as people paste them: quoted, fenced, shifted, with words around, two at once. What is around is shown."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from invented_armies import DIALECTS, Army, Dialect, app_eleventh, army, listforge

from battlewright.errors import BadInput
from battlewright.formats import Reading, Source
from battlewright.formats.detect import read

CHATTER = "First event next week, any ideas for this one?\n\n"
PASTED: dict[str, Callable[[str], str]] = {
    "quoted": lambda text: "\n".join("> " + line for line in text.split("\n")),
    "quoted twice": lambda text: "\n".join(">> " + line for line in text.split("\n")),
    "quoted, said by whom": lambda text: "Max wrote:\n" + "\n".join(">" + line for line in text.split("\n")),
    "fenced": lambda text: f"```text\n{text}\n```",
    "fenced among words": lambda text: f"{CHATTER}```\n{text}\n```\nThanks a lot, cheers",
    "shifted": lambda text: "\n".join("    " + line for line in text.split("\n")),
    "hard spaces": lambda text: text.replace(" ", "\u00a0"),
    "smart quotes": lambda text: text.replace("'", "’"),
    "other line ends": lambda text: text.replace("\n", "\r\n"),
    "blank lines doubled": lambda text: text.replace("\n", "\n\n"),
    "blank lines lost": lambda text: re.sub("\n\n+", "\n", text),
    "spaces at line ends": lambda text: text.replace("\n", "  \n"),
}


def read_text(text: str) -> Reading:
    return read(Source("list.txt", text.encode(), text))


def units(reading: Reading) -> list[tuple[object, ...]]:
    assert reading.roster is not None
    return [
        (unit.name, unit.points, unit.models, unit.wargear, unit.enhancement, unit.warlord)
        for unit in reading.roster.units
    ]


def big_enough(dialect: Dialect, start: int = 0) -> Army:
    found = (army(seed, attached=dialect.attached) for seed in range(start, start + 200))
    return next(one for one in found if len(one.units) > 4)


@pytest.mark.parametrize("how", PASTED)
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_pasted_text_reads_like_the_file(dialect: Dialect, how: str) -> None:
    text = dialect.printer(big_enough(dialect))
    plain, pasted = read_text(text), read_text(PASTED[how](text))
    assert units(pasted) == units(plain)
    assert plain.roster is not None
    assert pasted.roster is not None
    assert (pasted.roster.points, pasted.roster.faction, pasted.roster.limit) == (
        plain.roster.points, plain.roster.faction, plain.roster.limit,
    )  # fmt: skip


@pytest.mark.parametrize("dialect", [one for one in DIALECTS if one.name not in ("NR short", "freeform")],
                         ids=lambda dialect: dialect.name)  # fmt: skip
def test_words_around_a_list_are_shown(dialect: Dialect) -> None:
    text = dialect.printer(big_enough(dialect))
    reading = read_text(f"{CHATTER}{text}\n\nThanks, and sorry for the length")
    assert units(reading) == units(read_text(text))
    said = [(line.line, line.text) for line in reading.unread]
    assert said == [(1, CHATTER.strip()), (text.count("\n") + 5, "Thanks, and sorry for the length")]


@pytest.mark.parametrize("dialect", [one for one in DIALECTS if one.name not in ("NR short", "freeform")],
                         ids=lambda dialect: dialect.name)  # fmt: skip
def test_of_two_lists_the_first_is_read_and_the_second_told(dialect: Dialect) -> None:
    text, other = dialect.printer(big_enough(dialect)), dialect.printer(big_enough(dialect, 500))
    reading = read_text(f"{text}\n\n{other}")
    assert units(reading) == units(read_text(text))
    assert any("a second list begins in line" in note for note in reading.notes)
    assert len(reading.unread) == len([line for line in other.split("\n") if line.strip()])


def test_the_app_without_its_indentation() -> None:
    """Only the first of a model's things has a bullet: models and gear take turns."""
    meant = army(11)
    text = app_eleventh(meant)
    shifted = "\n".join(line.strip() for line in text.split("\n"))
    assert units(read_text(shifted)) == units(read_text(text))


def test_attached_units_under_one_head() -> None:
    text = listforge(army(3)).split("\n")[0] + (
        "\n\nAttached Units:\nAsh Seer + Ash Wardens (190 pts)\n  Ash Seer (90 pts)\n    • Coal rod\n    • E: Crown\n"
        "  Ash Wardens (100 pts)\n    • Ash Serjeant\n      • Hook\n    • 4x Ash Warden\n      • 4x Hook\n\n"
        "Vehicle:\nHauler (80 pts)\n  • Hull\n"
    )
    reading = read_text(text)
    assert (reading.format, reading.unread) == ("listforge-text", ())
    assert reading.roster is not None
    seer, wardens, hauler = reading.roster.units
    assert (seer.attached_to, seer.role, wardens.role, hauler.attached_to) == (wardens.id, "leader", "bodyguard", None)
    assert (seer.enhancement, [model.count for model in wardens.models]) == ("Crown", [1, 4])


def test_a_disposition_in_the_title() -> None:
    text = "Embers - Emberborn - Purge the Foe - Cold Hearth, Sootwing (90 Points)\n\nVehicle:\nHauler (90 pts)\n  • Hull\n"
    roster = read_text(text).roster
    assert roster is not None
    assert (roster.name, roster.faction, roster.dispositions) == ("Embers", "Emberborn", ("Purge the Foe",))
    assert [one.name for one in roster.detachments] == ["Cold Hearth", "Sootwing"]


@pytest.mark.parametrize(
    ("body", "models"),
    [
        ("  • Rod\n  • Hook\n  • 2x Soot Hound\n    • 2x Teeth\n", {"Ash Seer": ["Rod", "Hook"], "Soot Hound": ["Teeth"]}),
        ("  • Coal rod\n  • Soot Hound\n    • Teeth\n", {"Ash Seer": ["Coal rod"], "Soot Hound": ["Teeth"]}),
        ("  • Mark\n  • Ash Seer\n    • Coal rod\n  • Hound\n    • Teeth\n", {"Ash Seer": ["Coal rod"], "Hound": ["Teeth"]}),
        ("  • Mark\n  • Piper\n    • Rod\n  • Drummer\n    • Teeth\n", {"Piper": ["Rod"], "Drummer": ["Teeth"]}),
    ],
)  # fmt: skip
def test_a_hero_with_companions_keeps_his_own_gear(body: str, models: dict[str, list[str]]) -> None:
    roster = read_text(f"E - Emberborn - Sootwing (90 Points)\n\nCharacter:\nAsh Seer (90 pts)\n{body}").roster
    assert roster is not None
    found = {model.name: [weapon.name for weapon in model.weapons] for model in roster.units[0].models}
    assert found == models


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("10x Wardens (80pts)\n  • wibble wobble", [("Wardens", 80, 10)]),
        ("10x Wardens", [("Wardens", None, 10)]),
        ("Seer\nWardens x20\nHauler", [("Seer", None, 1), ("Wardens", None, 20), ("Hauler", None, 1)]),
        ("- Seer\n- 20 Wardens\n- Hauler", [("Seer", None, 1), ("Wardens", None, 20), ("Hauler", None, 1)]),
        ("1. Seer 65pts\n2. Wardens 80pts", [("Seer", 65, 1), ("Wardens", 80, 1)]),
        ("* Seer (65)\n* 10 Wardens (80)", [("Seer", 65, 1), ("Wardens", 80, 10)]),
        ("Seer - 65\nWardens - 80", [("Seer", 65, 1), ("Wardens", 80, 1)]),
        ("Wardens (80pts)\n• wibble", [("Wardens", 80, 1)]),
    ],
)
def test_a_few_lines_are_a_list(text: str, found: list[tuple[str, int | None, int]]) -> None:
    roster = read_text(text).roster
    assert roster is not None
    assert [(one.name, one.points, sum(model.count for model in one.models)) for one in roster.units] == found


@pytest.mark.parametrize("text", ["hello there how are you", "Meet at 8. Bring 2 Friends.", "x = 12\ny = 20"])
def test_words_are_no_list(text: str) -> None:
    with pytest.raises(BadInput):
        read_text(text)


def test_detachments_with_brackets_in_their_names() -> None:
    head = "+ FACTION KEYWORD: X\n+ DETACHMENT: Ash Host (Cold), Kiln (Hot) (Embers)\n+ TOTAL ARMY POINTS: 90pts\n\n"
    roster = read_text(head + "1x Rider (90 pts): Spear\n").roster
    assert roster is not None
    assert [one.name for one in roster.detachments] == ["Ash Host (Cold)", "Kiln (Hot)"]


def test_a_counted_model_with_a_comma_in_its_name() -> None:
    head = "+ FACTION KEYWORD: X\n+ TOTAL ARMY POINTS: 90pts\n\nBATTLELINE\n\n"
    body = "Riders (90 pts)\n• 3x Rider w/ spear, and claw\n    • 3x Spear\n    • Banner, 2x Drum\n"
    roster = read_text(head + body).roster
    assert roster is not None
    (rider,) = roster.units[0].models
    assert (rider.name, rider.count) == ("Rider w/ spear, and claw", 3)
    assert {one.name: one.count for one in rider.weapons} == {"Spear": 3, "Banner": 1, "Drum": 2}


def test_variants_in_sentences() -> None:
    text = (
        "Slow burn [200 points]\nEmberborn\nBattle Size: Incursion (1000 point limit)\nDetachments: Kiln Guard\n\n"
        "Wardens [100 points]\n\t• 7 Warden w/ hook and claw with Claw and Hook\n\t• 1 Serjeant with Claw\n\n"
        "Ram [100 points]\n\t• Horns\n\nCreated with WarOrgan (https://warorgan.com)\n"
    )
    roster = read_text(text).roster
    assert roster is not None
    assert [(one.name, one.count) for one in roster.units[0].models] == [
        ("Warden w/ hook and claw", 7),
        ("Serjeant", 1),
    ]
