"""The reference page: everything of the datasheet, and the stratagems that can ever touch the unit."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from battlewright.catalogue.lookup import find
from battlewright.catalogue.reference import reference
from battlewright.cli import main
from battlewright.datasheet import Datasheet
from battlewright.errors import BadInput
from battlewright.formats.detect import read
from battlewright.rulestext.of_page import page_stratagems


def test_what_its_page_lists_and_its_keywords_allow() -> None:
    rhino = reference(find("Imperial Rhino").datasheet)
    assert {"Smokescreen", "Tank Shock", "Emperor's Will", "Command Re-roll"} <= set(rhino.stratagems)
    assert "Heroic Intervention" not in rhino.stratagems, "a VEHICLE only if it is a WALKER"
    assert any(words.startswith("Heroic Intervention (Core)") for words in rhino.excluded)
    knight = reference(find("Chaos Questoris Knight Magaera").datasheet)
    assert "Heroic Intervention" in knight.stratagems
    assert "Fire Overwatch" not in knight.stratagems, "never a TITANIC unit"


def test_core_stratagems_come_without_a_list() -> None:
    rex = reference(find("Canis Rex").datasheet)
    assert {"Command Re-roll", "Heroic Intervention", "Counteroffensive"} <= set(rex.stratagems)
    assert not {"Fire Overwatch", "Smokescreen"} & set(rex.stratagems)


def test_one_detachment_at_a_time() -> None:
    sheet = find("Chaos Questoris Knight Magaera").datasheet
    only = reference(sheet, detachment="Traitoris Lance")
    assert "Pterrorshades" in only.stratagems
    assert "Soul Hunger" not in only.stratagems
    assert "Tank Shock" in only.stratagems
    assert {each.source for each in only.touching} == {"Core", "Traitoris Lance"}


def test_the_words_of_a_page_say_who_may_be_the_target() -> None:
    text = "\n".join(
        """Emberborn – Ash Wardens
MELEE WEAPONS | RANGE | A | WS | S | AP | D | |
| Fire hook | Melee | 3 | 3+ | 5 | -1 | 1 | |
KEYWORDS: INFANTRY, ASH WARDENS
FACTION KEYWORDS:
EMBERBORN
STRATAGEMS
RUN HOT
1CP
Pyre Host – Epic Deed
RIDE DOWN
1CP
Pyre Host – Epic Deed
The EMBER keyword is used in the following datasheets:
RUN HOT
1CP
Pyre Host – Epic Deed Stratagem
WHEN: Your Movement phase.
TARGET: One INFANTRY unit from your army.
EFFECT: Until the end of the turn, your unit has +3" M.
RIDE DOWN
1CP
Pyre Host – Epic Deed Stratagem
WHEN: Your Movement phase.
TARGET: One MOUNTED unit from your army.
EFFECT: Until the end of the turn, your unit has +3" M.""".splitlines()
    )
    sheet = sheet_of(text)
    found = reference(sheet, compiled=page_stratagems(sheet))
    assert "Run Hot" in found.stratagems
    assert "Ride Down" not in found.stratagems


def sheet_of(text: str) -> Datasheet:
    from battlewright.formats import Source

    return read(Source("page.txt", text.encode(), text)).datasheets[0]


@pytest.mark.parametrize("file", ["11e-kasrkin.txt", "11e-sir-hekhtur.txt", "10e-imperial-rhino.txt"])
def test_the_real_pages(shared: Path, file: str) -> None:
    """By name and by page the same, but for what only the page's words can tell."""
    sheet = read(shared / "seeds" / file).datasheets[0]
    by_page = reference(sheet, compiled=page_stratagems(sheet))
    by_name = reference(find(sheet.name, sheet.edition).datasheet)
    assert set(by_page.stratagems) <= set(by_name.stratagems)
    assert {"Command Re-roll", "Insane Bravery", "Rapid Ingress"} <= set(by_page.stratagems)


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["battlewright", "reference", "kasrkin", "--json"])
    main()
    found = json.loads(capsys.readouterr().out)
    assert found["profiles"][0]["T"] == 3
    assert {"weapons", "abilities", "keywords", "points", "stratagems"} <= set(found)
    assert all("status" in ability for ability in found["abilities"])


def test_words_at_hand_are_read_for_their_status(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = tmp_path / "page.txt"
    page.write_text(
        'Emberborn – Ash Walker\nRANGED WEAPONS | RANGE | A | BS | S | AP | D | |\n| Gun | 24" | 1 | 3+ | 4 | 0 | 1 | |\n'
        "ABILITIES\nSteady: Each time this model makes an attack, add 1 to the Hit roll.\nStrange: Unheard-of words.\n"
        "KEYWORDS: VEHICLE; ASH WALKER\nFACTION KEYWORDS:\nEMBERBORN\n",
        "utf-8",
    )
    monkeypatch.setattr(sys, "argv", ["battlewright", "reference", str(page), "--json"])
    main()
    told = {each["name"]: each["status"] for each in json.loads(capsys.readouterr().out)["abilities"]}
    assert told == {"Steady": "full", "Strange": "none"}


def test_a_unit_of_which_only_core_stratagems_may_speak() -> None:
    hero = reference(find("Sir Hekhtur").datasheet)
    assert {each.source for each in hero.touching} == {"Core"}
    assert "Epic Challenge" in hero.stratagems
    assert any("its own rule Using Sir Hekhtur" in words for words in hero.excluded)


def test_a_detachment_without_stratagems_for_the_unit_is_refused() -> None:
    rhino = find("Imperial Rhino").datasheet
    assert {each.source for each in reference(rhino, detachment="purgation force").touching} == {
        "Core",
        "Purgation Force",
    }
    with pytest.raises(BadInput, match=r"no stratagem of that detachment; it has of: .*Purgation Force @ Ash Wake"):
        reference(rhino, detachment="Ash Wake")


def test_a_datasheet_that_lists_no_stratagems_says_so() -> None:
    hero = find("Sir Hekhtur").datasheet
    unlisted = replace(hero, stratagems=())
    assert any("stratagems of Ash Wake" in words for words in reference(unlisted, detachment="Ash Wake").missing)
