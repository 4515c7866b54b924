"""Odds as people ask for them: by name, page or roster unit, with all that was chosen and left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from battlewright.attack.answer import answer
from battlewright.attack.ask import Reply, ask
from battlewright.attack.matchup import Moment
from battlewright.attack.request import read
from battlewright.attack.units import from_sheet, read_stats, take
from battlewright.catalogue.lookup import Shipped, find
from battlewright.errors import BadInput

PAGE = """Emberborn – Ash Wardens
RANGED WEAPONS | RANGE | A | BS | S | AP | D | |
| Cinder gun [rapid fire 1] | 24" | 1 | 3+ | 4 | -1 | 1 | |
| Slag lance – bolt [melta 2] | 12" | 1 | 4+ | 9 | -4 | D6 | |
| Slag lance – pool [torrent] | 12" | D6 | N/A | 4 | 0 | 1 | |
| Coal pistol [pistol] | 12" | 1 | 3+ | 4 | 0 | 1 | |
MELEE WEAPONS | RANGE | A | WS | S | AP | D | |
| Fire hook | Melee | 3 | 3+ | 5 | -1 | 1 | |
| Barbed tail [extra attacks] | Melee | 1 | 4+ | 4 | 0 | 1 | |
WARGEAR OPTIONS
- Up to 2 Ash Wardens can each have their cinder gun replaced with 1 slag lance.
ABILITIES
CORE: Feel No Pain 6+
UNIT COMPOSITION
- 1 Ash Leader
- 4-9 Ash Wardens
Every model is equipped with: cinder gun; coal pistol; fire hook; barbed tail.
| 5 models | 80 |
| 10 models | 155 |
KEYWORDS: INFANTRY, ASH WARDENS
FACTION KEYWORDS:
EMBERBORN
"""
STATS = "T 4 Sv 3+ W 2"


@pytest.fixture
def page(tmp_path: Path) -> str:
    file = tmp_path / "wardens.txt"
    file.write_text(PAGE, encoding="utf-8")
    return str(file)


def weapons(reply: Reply) -> list[tuple[str, int]]:
    return [(weapon["name"], weapon["count"]) for weapon in reply.attacker.weapons]


def test_the_default_equipment_shoots() -> None:
    reply = ask("Kasrkin", "Canis Rex")
    assert weapons(reply) == [("Hot-shot laspistol", 1), ("Hot-shot lasgun", 9)]
    assert reply.attacks.mean == pytest.approx(10)
    assert reply.hits.mean == pytest.approx(10 * 4 / 6)
    assert reply.damage.mean == pytest.approx(10 * 4 / 6 * 1 / 6 * 3 / 6)
    assert reply.edition == "11e"


def test_half_range_adds_rapid_fire_only_where_a_weapon_is_in_it() -> None:
    assert ask("Kasrkin", "Canis Rex", moment=Moment(distance=12)).attacks.mean == pytest.approx(19)
    assert ask("Kasrkin", "Canis Rex", moment=Moment(distance=13)).attacks.mean == pytest.approx(9), (
        "no pistol that far"
    )
    assert ask("Kasrkin", "Canis Rex", moment=Moment(half_range=True)).attacks.mean == pytest.approx(19)


def test_an_invulnerable_save_against_ranged_attacks_saves_from_those_only() -> None:
    shot, fought = (ask("Canis Rex", "Canis Rex", moment=Moment(melee=melee)) for melee in (False, True))
    assert shot.target.groups[0]["InSv"] == 5
    assert "InSv" not in fought.target.groups[0]


def test_one_profile_of_a_weapon_the_better_and_it_is_said() -> None:
    soft, hard = ask("Canis Rex", "Kasrkin"), ask("Canis Rex", "Canis Rex")
    assert weapons(soft)[0][0] == "Las-impulsor – low intensity"
    assert weapons(hard)[0][0] == "Las-impulsor – high intensity"
    assert any(note.startswith("Las-impulsor: profile low intensity taken") for note in soft.notes)


def test_weapons_may_be_named_and_counted(page: str) -> None:
    reply = ask(page, "x", stats=STATS, moment=Moment(with_weapons=("2 slag lance – bolt", "Cinder guns"), distance=6))
    assert weapons(reply) == [("Slag lance – bolt", 2), ("Cinder gun", 5)]
    assert reply.attacker.weapons[0]["melta"] == 2


def test_pistols_are_not_fired_beside_other_weapons(page: str) -> None:
    reply = ask(page, "x", stats=STATS)
    assert weapons(reply) == [("Cinder gun", 5)]
    assert any("Coal pistol not fired" in note for note in reply.notes)


def test_extra_attacks_come_beside_the_melee_weapon(page: str) -> None:
    reply = ask(page, "x", stats=STATS, moment=Moment(melee=True))
    assert weapons(reply) == [("Fire hook", 5), ("Barbed tail", 5)]
    assert reply.melee


def test_more_models(page: str) -> None:
    assert weapons(ask(page, "x", stats=STATS, models=10)) == [("Cinder gun", 10)]
    with pytest.raises(BadInput, match="11 models: the unit has 5 to 10"):
        ask(page, "x", stats=STATS, models=11)


def test_a_page_without_a_stat_line_needs_one(page: str) -> None:
    with pytest.raises(BadInput, match=r"its Sv, T, W is not known: give --stats .* or add a catalogue of the 10e"):
        ask("Canis Rex", page, edition="10e")
    reply = ask("Canis Rex", page, stats=STATS, edition="10e")
    assert reply.target.groups == ({"models": 5, "T": 4, "W": 2, "Sv": 3, "FNP": 6},)


def test_a_page_takes_from_the_catalogue_what_it_lost_and_says_so(shared: Path) -> None:
    reply = ask("Canis Rex", str(shared / "seeds" / "11e-kasrkin.txt"))
    assert reply.target.groups == ({"models": 10, "T": 3, "W": 1, "Sv": 4},)
    assert any("stat line from the catalogue (not on the page)" in note for note in reply.notes)


def test_units_of_two_editions_need_it_said() -> None:
    with pytest.raises(BadInput, match=r"two editions \(Kasrkin 11e, Imperial Rhino 10e\)"):
        ask("Kasrkin", "Imperial Rhino")
    reply = ask("Kasrkin", "Imperial Rhino", edition="10e")
    assert any("Kasrkin is a 11e datasheet, used here by the rules of 10e" in note for note in reply.notes)


def test_a_target_may_be_known_by_its_stat_line_only() -> None:
    reply = ask("Kasrkin", "some tank", stats="T 10 Sv 2+ W 12 InSv 5+", target_models=1)
    assert reply.target.groups == ({"models": 1, "T": 10, "W": 12, "Sv": 2, "InSv": 5},)


def test_the_answer_is_that_of_its_own_request() -> None:
    reply = ask("Canis Rex", "Kasrkin", moment=Moment(distance=8, cover=True))
    assert answer(read(reply.request)).damage_dist == reply.damage_dist


def test_then_begins_where_the_first_ended() -> None:
    once = ask("Kasrkin", "Imperial Rhino", edition="11e", moment=Moment(half_range=True))
    twice = ask("Kasrkin", "Imperial Rhino", edition="11e", moment=Moment(half_range=True), then=["ranged"])
    both = ask(
        "Kasrkin",
        "Imperial Rhino",
        edition="11e",
        moment=Moment(half_range=True, with_weapons=("2 hot-shot laspistol", "18 hot-shot lasgun")),
    )
    assert twice.damage.mean > once.damage.mean
    assert twice.damage_dist == pytest.approx(both.damage_dist, abs=1e-12)
    fought = ask("Canis Rex", "Canis Rex", then=["melee"])
    assert [weapon["name"] for weapon in fought.then[0].weapons] == ["Freedom's Hand – strike"]
    assert fought.damage.mean > ask("Canis Rex", "Canis Rex").damage.mean


def test_points_for_points() -> None:
    reply = ask("Canis Rex", "Kasrkin")
    assert reply.per_100_points == pytest.approx(100 * reply.slain.mean / 10 * 105 / 415)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("T 4 Sv 3+", "W is missing"),
        ("T 4 Sv 9+ W 1", "SV: expected 2..7, got 9"),
        ("T 4 Sv 3+ W 1 Zeal 4", "not a characteristic: 'Zeal 4'"),
        ("T x Sv 3+ W 1", "T is missing"),
    ],
)
def test_a_stat_line_that_is_none(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words.replace(".", r"\.").replace("+", r"\+")):
        read_stats(text)


@pytest.mark.parametrize(
    ("attacker", "moment", "words"),
    [
        ("Kasrkn", Moment(), "did you mean Kasrkin"),
        ("Kasrkin", Moment(with_weapons=("lasgn",)), "no weapon of that name; did you mean"),
        ("Kasrkin", Moment(with_weapons=("flamer", "power weapon")), "do not attack together"),
        ("Kasrkin", Moment(distance=40), 'no ranged weapon that reaches 40"'),
        ("no-such-file.txt", Moment(), "no such file"),
    ],
)
def test_questions_at_fault(attacker: str, moment: Moment, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        ask(attacker, "Canis Rex", moment=moment)


def test_a_unit_of_a_roster(shared: Path) -> None:
    file = next((shared / "rosters").glob("*.rosz"))
    with pytest.raises(BadInput, match="a roster: say which unit"):
        take(str(file))
    from battlewright.formats.detect import read as read_file

    roster = read_file(file).roster
    assert roster is not None
    for unit in roster.units:
        taken = take(f"{file}#{unit.name}")
        assert taken.models == sum(model.count for model in unit.models)
        assert any(kind.weapons for kind in taken.kinds)


def test_a_sheet_gives_its_smallest_unit() -> None:
    unit = from_sheet(find("Kasrkin").datasheet)
    assert [(kind.name, kind.count) for kind in unit.kinds] == [("Kasrkin Sergeant", 1), ("Kasrkin Trooper", 9)]
    assert unit.points == 105


def test_an_attached_unit_fights_with_the_weapons_of_each() -> None:
    reply = ask("Kasrkin + Sir Hekhtur", "Canis Rex", moment=Moment(with_weapons=("close combat weapon",)))
    assert [(weapon["count"], weapon["skill"]) for weapon in reply.attacker.weapons] == [(9, 4), (1, 2)]
    led = ask("Canis Rex", "Kasrkin + Sir Hekhtur", moment=Moment(melee=True))
    assert [group.get("character", False) for group in led.target.groups] == [False, True]
    assert (
        0
        < led.p_character_slain
        <= led.p_destroyed
        < ask("Canis Rex", "Kasrkin", moment=Moment(melee=True)).p_destroyed
    )


LIST = """Two Bosses (230 Points)

Orks
War Horde
Incursion (1000 Points)

CHARACTERS

Warboss (85 Points)
  \u2022 1x Big choppa
    1x Sooty unheard-of banner

Warboss (65 Points)
  \u2022 1x Big choppa

OTHER DATASHEETS

Unheard-of Riders (80 Points)
  \u2022 5x Unheard-of Rider
     \u25e6 5x Unheard-of lance
"""


def test_what_of_a_list_is_not_counted_is_told(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text(LIST, encoding="utf-8")
    notes = take(f"{file}#Warboss").notes
    assert any("2 units of that name" in note for note in notes)
    assert any(note.endswith("not counted: Sooty unheard-of banner") for note in notes)
    (other,) = (re.search(r"else: (.+)\)", note) for note in notes if "2 units" in note)
    assert other is not None
    assert take(other[1]).points == 65
    assert any("none of its weapons" in note for note in take(f"{file}#Unheard-of Riders").notes)


def test_the_damaged_bracket_counts_only_once_it_is_reached() -> None:
    fresh, scratched, damaged = (
        ask("Canis Rex", "Kasrkin", moment=Moment(attacker_wounded=lost)) for lost in (0, 16, 17)
    )
    assert fresh.hits.mean == scratched.hits.mean > damaged.hits.mean
    assert ("-1 to hit rolls",) in [rule.applied for rule in damaged.attacker.rules]


def test_words_of_more_rules_count_for_their_side() -> None:
    plain = ask("Kasrkin", "Canis Rex")
    aimed = ask("Kasrkin", "Canis Rex", rules=["This unit's attacks have +1 to hit rolls."])
    assert aimed.hits.mean == pytest.approx(plain.hits.mean * 5 / 4)
    odd = ask("Kasrkin", "Canis Rex", target_rules=["Gibberish of no kind."])
    assert odd.damage_dist == plain.damage_dist
    assert [rule.unread for rule in odd.target.rules if rule.unread]


def test_a_rule_of_the_target_is_never_told_of_the_attacker() -> None:
    reply = ask("Kasrkin", "Canis Rex", rules=["Unheard-of words."], target_rules=["Other unheard-of words."])
    assert [rule.unread for rule in reply.attacker.rules if rule.name == "rule 1"] == [("Unheard-of words",)]
    assert [rule.unread for rule in reply.target.rules if rule.name == "rule 1"] == [("Other unheard-of words",)]


def test_what_is_true_of_either_unit_may_be_said() -> None:
    rule = ["This unit's attacks that target a Battle-shocked unit have +1 to hit rolls."]
    silent = ask("Kasrkin", "Canis Rex", rules=rule)
    told = ask("Kasrkin", "Canis Rex", rules=rule, moment=Moment(target_is=("battle-shocked",)))
    denied = ask("Kasrkin", "Canis Rex", rules=rule, moment=Moment(target_is=("not battle-shocked",)))
    assert silent.assumed == ("rule 1: not told: battle-shocked",)
    assert denied.assumed == told.assumed == ()
    assert told.hits.mean > denied.hits.mean == silent.hits.mean


@pytest.mark.parametrize(
    ("said", "meant"), [("marked", False), ("batle-shocked", True), ("not chrged", True), ("charged", None)]
)
def test_a_state_known_by_its_name_only_is_told(said: str, meant: bool | None) -> None:
    notes = [
        note for note in ask("Kasrkin", "Canis Rex", moment=Moment(attacker_is=(said,))).notes if "names it" in note
    ]
    assert [("did you mean" in note) for note in notes] == ([] if meant is None else [meant])


def test_a_weapon_of_both_tables_shoots_and_fights(tmp_path: Path) -> None:
    file = tmp_path / "lancers.txt"
    text = PAGE.replace("| Fire hook | Melee |", "| Cinder gun | Melee |").replace("fire hook; ", "")
    file.write_text(text, encoding="utf-8")
    shot, fought = (ask(str(file), "x", stats=STATS, moment=Moment(melee=melee)) for melee in (False, True))
    assert weapons(shot) == [("Cinder gun", 5)]
    assert weapons(fought)[0] == ("Cinder gun", 5)
    assert (shot.attacker.weapons[0]["AP"], fought.attacker.weapons[0]["S"]) == (-1, 5)


def test_an_attack_the_rules_would_forbid_is_told_with_its_rule() -> None:
    far = ask("Kasrkin", "Sir Hekhtur", moment=Moment(distance=18))
    near = ask("Kasrkin", "Sir Hekhtur", moment=Moment(distance=12))
    assert any("Lone Operative" in note for note in far.notes)
    assert not any("Lone Operative" in note for note in near.notes)
    snap = ask("Canis Rex", "Kasrkin", moment=Moment(snap=True, distance=30))
    assert sum("Fire Overwatch" in note or "snap shooting" in note for note in snap.notes) == 2


def test_wargear_is_taken_by_the_options() -> None:
    reply = ask(
        "Kasrkin", "Canis Rex", wargear=["2 plasma gun", "2 meltagun", "hot-shot marksman rifle", "power weapon"]
    )
    assert dict(weapons(reply)) == {
        "Hot-shot laspistol": 1,
        "Hot-shot lasgun": 4,
        "Plasma gun – supercharge": 2,
        "Meltagun": 2,
        "Hot-shot marksman rifle": 1,
    }


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (["3 plasma gun"], "at most 2 of the same, 3 wanted"),
        (["2 plasma gun", "2 meltagun", "1 flamer"], "at most 4 of this option, 5 wanted"),
        (["plasma gn"], "no option gives it; did you mean plasma gun"),
        (["2 power weapon"], "at most 1 of this option, 2 wanted"),
    ],
)
def test_wargear_no_option_grants(wish: list[str], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        ask("Kasrkin", "Canis Rex", wargear=wish)


def test_where_no_equipment_is_known_a_named_weapon_is_every_models(tmp_path: Path) -> None:
    file = tmp_path / "wardens.txt"
    file.write_text(
        PAGE.replace("Every model is equipped with: cinder gun; coal pistol; fire hook; barbed tail.\n", "")
    )
    with pytest.raises(BadInput, match="what its models carry is not known"):
        ask(str(file), "x", stats=STATS)
    reply = ask(str(file), "x", stats=STATS, moment=Moment(with_weapons=("cinder gun",)))
    assert weapons(reply) == [("Cinder gun", 5)]
    assert any("one each model" in note for note in reply.notes)


def test_the_newest_edition_that_has_both_is_taken() -> None:
    both = set(Shipped().names("10e")) & set(Shipped().names("11e"))
    newer = min(both)
    reply = ask(newer, "Imperial Rhino")
    assert reply.edition == reply.attacker.edition == reply.target.edition == "10e"
    assert "both of 10e, the newest edition that has both" in reply.notes
    assert ask(newer, "Kasrkin").edition == "11e"
