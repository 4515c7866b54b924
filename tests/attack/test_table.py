"""Tables: each cell is the answer to its pair, all faults of all units are told."""

from __future__ import annotations

import csv
import io

import pytest

from battlewright.attack.ask import ask
from battlewright.attack.matchup import Moment
from battlewright.attack.table import table
from battlewright.cli.table_text import show, to_csv
from battlewright.errors import BadInput


def test_each_cell_is_the_answer_to_its_pair() -> None:
    found = table(["Kasrkin", "Canis Rex"], ["Sir Hekhtur", "Kasrkin"], moment=Moment(half_range=True))
    assert [(cell.attacker, cell.target) for cell in found.cells] == [
        ("Kasrkin", "Sir Hekhtur"),
        ("Kasrkin", "Kasrkin"),
        ("Canis Rex", "Sir Hekhtur"),
        ("Canis Rex", "Kasrkin"),
    ]
    for cell in found.cells:
        alone = ask(cell.attacker, cell.target, moment=Moment(half_range=True))
        assert (cell.damage, cell.p_destroyed) == (alone.damage.mean, alone.p_destroyed)
        assert cell.points_per_100 == alone.per_100_points


def test_every_fault_of_every_unit_is_told() -> None:
    with pytest.raises(BadInput) as caught:
        table(["Kasrkn", "Canis Rex"], ["Rex Canis", "nobody"])
    assert len(caught.value.faults) == 3


def test_csv_reads_back() -> None:
    found = table(["Kasrkin"], ["Canis Rex", "Sir Hekhtur"])
    rows = list(csv.DictReader(io.StringIO(to_csv(found))))
    assert [row["target"] for row in rows] == ["Canis Rex", "Sir Hekhtur"]
    assert float(rows[0]["damage"]) == pytest.approx(found.cells[0].damage, rel=1e-5)
    assert rows[1]["points_per_100"] == "", "no price of his own"


def test_progress_is_told_to_the_end() -> None:
    seen = list[tuple[int, int]]()
    table(["Kasrkin"], ["Canis Rex", "Kasrkin"], progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def test_the_newest_edition_that_has_all_is_taken() -> None:
    found = table(["Skitarii Rangers", "Imperial Rhino"], ["Skitarii Rangers"])
    assert found.edition == "10e"
    assert table(["Skitarii Rangers"], ["Kasrkin"]).edition == "11e"


def test_a_table_wider_than_the_terminal_is_a_list(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    show(table(["Kasrkin"], ["Canis Rex", "Sir Hekhtur"]))
    narrow = capsys.readouterr().out
    assert "┃ attacker" in narrow
    show(table(["Kasrkin"], ["Canis Rex", "Sir Hekhtur", "Kasrkin", "Canis Rex", "Kasrkin", "Kasrkin"]))
    wide = capsys.readouterr().out
    assert "┃" not in wide
    assert wide.count("Kasrkin") > 6
    assert "per 100 points" in wide
