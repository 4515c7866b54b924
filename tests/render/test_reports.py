"""A battle drawn and told: every unit in the picture, the score in the report, nothing that happened left out."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

engine = pytest.importorskip("battlewright.battle.engine")
players = pytest.importorskip("battlewright.players")

from battlewright.catalogue.armies import armies  # noqa: E402
from battlewright.render import svg, text  # noqa: E402
from battlewright.render.report import report  # noqa: E402
from battlewright.render.view import picture_of, unit_name  # noqa: E402


@pytest.fixture(scope="module", params=["10e", "11e"])
def battle(request):
    names = [army.name for army in armies() if army.edition == request.param][:2]
    begun = engine.Battle.new(names, None, request.param, 3)
    return players.play_out(begun, [players.player("random", 1), players.player("random", 2)])


def test_the_picture_shows_every_unit_and_model(battle):
    picture = picture_of(battle.table)
    table = battle.table
    heads = [unit for unit in range(len(battle.setting.units)) if table.state.unit[unit, 0] == unit]
    assert {group.id for group in picture.groups} == {table.name(unit) for unit in heads}
    on_table = sum(len(table.alive(unit)) for unit in table.units())
    assert sum(len(group.tokens) for group in picture.groups) == on_table
    assert picture.vp == battle.vp
    assert len(picture.objectives) == len(battle.setting.mission.objectives)


def test_the_picture_is_drawn_and_written(battle):
    picture = picture_of(battle.table)
    drawing = ElementTree.fromstring(svg.draw(picture))
    titles = [title.text or "" for title in drawing.iter("{http://www.w3.org/2000/svg}title")]
    assert sum(" wounds" in title for title in titles) == sum(len(group.tokens) for group in picture.groups)
    drawn = text.draw(picture)
    assert all(group.id in drawn for group in picture.groups)


def test_the_report_tells_the_whole_battle(battle):
    told = report(battle.table, battle.log)
    for number in range(1, battle.state.round + 1):
        assert f"## Battle round {number}" in told
    for side, points in zip((0, 1), battle.vp, strict=True):
        row = next(line for line in told.splitlines() if line.startswith("| ") and line.endswith(f" {points} |"))
        assert row, side
    destroyed = [event.unit for _, event in battle.log if type(event).__name__ == "UnitDestroyed"]
    for unit in destroyed:
        assert f"**{unit_name(battle.table, unit)} is destroyed**" in told
    assert told.rstrip() == told.rstrip("\n")
    assert "\n\n\n" not in told


def test_every_die_is_in_the_report(battle):
    told = report(battle.table, battle.log)
    for _, event in battle.log:
        if type(event).__name__ == "Rolled":
            assert " ".join(map(str, event.faces)) in told


def test_the_plain_report_has_no_marks(battle):
    plain = report(battle.table, battle.log, plain=True)
    assert "**" not in plain
    assert not any(line.startswith("#") for line in plain.splitlines())


def test_a_reminder_says_what_is_to_be_seen_to_and_why(battle):
    told = report(battle.table, battle.log)
    reminders = [event for _, event in battle.log if type(event).__name__ == "Reminder"]
    assert reminders
    for event in reminders:
        line = next(line for line in told.splitlines() if f" must see to **{event.name}**" in line)
        assert event.why not in ("none", "partial", "full") or not line.endswith(event.why)
    assert "(none)" not in told


def test_every_heading_stands_alone(battle):
    lines = report(battle.table, battle.log).splitlines()
    for number, line in enumerate(lines[1:], start=1):
        if line.startswith("#"):
            assert lines[number - 1] == "" == lines[number + 1]


def test_a_unit_set_up_is_told_in_the_words_of_the_rules(battle):
    told = report(battle.table, battle.log)
    assert " deploys around (" in told
    assert "is set up" not in told
