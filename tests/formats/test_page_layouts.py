"""One page gives one datasheet in every layout: pipes or none, tabs, one cell a line, no title, other line ends."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from battlewright.formats import Reading, Source
from battlewright.formats.detect import read

BARE = """| RANGED WEAPONS | RANGE | A | BS | S | AP | D | |
| Coal pistol pistol | |||||||
| Coal pistol pistol | 12" | 1 | 3+ | 4 | 0 | 1 | |
| Cinder gun ANTI-INFANTRY 4+ DEVASTATING WOUNDS RAPID FIRE 1 | |||||||
| Cinder gun ANTI-INFANTRY 4+ DEVASTATING WOUNDS RAPID FIRE 1 | 24" | 1 | 4+ | 4 | 0 | 1 | |
| MELEE WEAPONS | RANGE | A | WS | S | AP | D | |
| Ember lance lance | |||||||
| Ember lance lance | Melee | 3 | 3+ | 4 | 0 | 1 | |
| 3 models | 75 |
| 6 models | 150 |



Weapons of this kind are known by their smoke.
Weapons with [HAZARDOUS] in their profile are known as Hazardous weapons.
"""


def page(text: str) -> Reading:
    return read(Source("page.txt", text.encode(), text))


def no_pipes(text: str) -> str:
    return re.sub(r"(?m)^\| (?=\S)", "", text)


def more_pipes(text: str) -> str:
    lines = text.splitlines()
    return "\n".join(f"| {line}" if line.count("|") >= 3 and not line.startswith("|") else line for line in lines)


def tabs(text: str) -> str:
    lines = text.splitlines()
    return "\n".join(re.sub(r"\s*\|\s*", "\t", line.strip("| ")) if line.count("|") >= 3 else line for line in lines)


def one_cell_a_line(text: str) -> str:
    found = list[str]()
    for line in text.splitlines():
        if "|" in line and line.strip("| "):
            found += [cell.strip() for cell in line.strip().strip("|").split("|") if cell.strip()]
        else:
            found.append(line)
    return "\n".join(found)


def no_title(text: str) -> str:
    first = text.splitlines()[0]
    return text.split("\n", 1)[1] if "–" in first and "|" not in first else text


def loud(text: str) -> str:
    return re.sub(r"\[([^\]]*)\]", lambda found: found[0].upper(), text)


def windows(text: str) -> str:
    return text.replace("\n", "\r\n")


def airy(text: str) -> str:
    return text.replace("\n", "\n\n")


def once(text: str) -> str:
    return re.sub(r"(?m)^.*\| \|\|\|\|\|\|\|$\n", "", text)


LAYOUTS: list[Callable[[str], str]] = [no_pipes, more_pipes, tabs, one_cell_a_line, no_title, loud, windows, airy, once]


def same_sheet(text: str, layout: Callable[[str], str]) -> list[str]:
    """The parts of the datasheet that another layout changes."""
    one, other = page(text), page(layout(text))
    assert other.faults == ()
    assert other.unread == (), layout.__name__
    left_out = {"missing", "name", "faction", "boxes", "abilities"} if layout is no_title else {"missing", "boxes"}
    names = [name for name in one.datasheets[0].__struct_fields__ if name not in left_out]
    return [name for name in names if getattr(one.datasheets[0], name) != getattr(other.datasheets[0], name)]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_layout_does_not_matter(shared: Path, layout: Callable[[str], str]) -> None:
    for path in sorted([*(shared / "pages").glob("*.txt"), *(shared / "seeds").glob("*.txt")]):
        assert same_sheet(path.read_text(encoding="utf-8"), layout) == [], path.name


@pytest.mark.parametrize("layout", LAYOUTS)
def test_nor_for_bare_abilities_of_an_older_page(layout: Callable[[str], str]) -> None:
    assert same_sheet(BARE, layout) == []


def test_bare_abilities_are_read_in_either_edition() -> None:
    reading = page(BARE)
    assert reading.edition == "10e"
    pistol, gun, lance = reading.datasheets[0].weapons
    assert (pistol.name, [str(ability) for ability in pistol.abilities]) == ("Coal pistol", ["pistol"])
    assert [str(ability) for ability in gun.abilities] == ["anti-infantry 4+", "devastating wounds", "rapid fire 1"]
    assert (lance.name, [str(ability) for ability in lance.abilities]) == ("Ember lance", ["lance"])
    assert [tier.points for tier in reading.datasheets[0].points] == [75, 150]


def test_a_name_that_ends_like_an_ability_stays_a_name_where_no_ability_stands_bare() -> None:
    row = "| Ember lance | Melee | 3 | 3+ | 4 | 0 | 1 | |"
    text = f"MELEE WEAPONS | RANGE | A | WS | S | AP | D | |\n{row}\nKEYWORDS: INFANTRY, KIN\n"
    (lance,) = page(text).datasheets[0].weapons
    assert (lance.name, lance.abilities) == ("Ember lance", ())


@pytest.mark.parametrize("step", range(3, 30, 2))
def test_a_page_cut_anywhere_says_nothing_that_the_whole_does_not(shared: Path, step: int) -> None:
    for path in (shared / "pages" / "made-am-11e-artillery.txt", shared / "seeds" / "11e-kasrkin.txt"):
        text = path.read_text(encoding="utf-8")
        whole, part = page(text), page(text[: len(text) * step // 30])
        assert set(part.datasheets[0].weapons) <= set(whole.datasheets[0].weapons)
        assert {ability.name for ability in part.datasheets[0].abilities if ability.kind == "core"} <= {
            ability.name for ability in whole.datasheets[0].abilities
        }
