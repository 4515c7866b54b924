"""The request form: every fault in one go, each with its place; defaults; lists; the size of things."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from battlewright.attack.answer import answer
from battlewright.attack.request import read, read_all
from battlewright.errors import BadInput

GUN = {"skill": 3, "S": 4}
BODY = {"models": 5, "T": 4, "W": 2, "Sv": 3}


def asked(weapon: dict[str, Any] | None = None, group: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {
        "edition": "11e",
        "attack": {"weapons": [GUN | (weapon or {})]},
        "target": {"groups": [BODY | (group or {})]},
    } | more


def faults(value: object) -> list[str]:
    with pytest.raises(BadInput) as caught:
        read(value)
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("weapon", "fault"),
    [
        ({"skill": 9}, "skill: expected 2..6, got 9 @ $.attack.weapons[0].skill"),
        ({"skill": True}, "skill: expected 2..6, got true @ $.attack.weapons[0].skill"),
        ({"skill": "3+"}, 'skill: expected 2..6, got "3+" @ $.attack.weapons[0].skill'),
        ({"A": "D7+"}, 'A: expected dice such as D6, 2D3+1 or 4, got "D7+" @ $.attack.weapons[0].A'),
        ({"D": -1}, "D: expected dice such as D6, 2D3+1 or 4, got -1 @ $.attack.weapons[0].D"),
        ({"AP": 1}, "AP: expected -10..0, got 1 @ $.attack.weapons[0].AP"),
        ({"leathal": True}, "leathal: unknown field @ $.attack.weapons[0].leathal"),
        ({"lethal": 1}, "lethal: expected true or false, got 1 @ $.attack.weapons[0].lethal"),
        ({"anti": {"FLY": 7}}, "FLY: expected 2..6, got 7 @ $.attack.weapons[0].anti.FLY"),
        (
            {"reroll_hits": "all"},
            'reroll_hits: expected one of none, ones, fails, noncrit, best, got "all" @ $.attack.weapons[0].reroll_hits',
        ),
        ({"count": 1000, "A": "2D6"}, "count: expected at most 6000 hits @ $.attack.weapons[0].count"),
    ],
)
def test_a_fault_of_a_weapon(weapon: dict[str, Any], fault: str) -> None:
    assert faults(asked(weapon)) == [fault]


@pytest.mark.parametrize(
    ("group", "fault"),
    [
        ({"Sv": 1}, "Sv: expected 2..7, got 1 @ $.target.groups[0].Sv"),
        ({"models": 0}, "models: expected 1..1000, got 0 @ $.target.groups[0].models"),
        ({"wounded": 2}, "wounded: expected less than W (2), got 2 @ $.target.groups[0].wounded"),
        ({"W": 900, "models": 900}, "groups: expected at most 3000 wounds @ $.target.groups"),
    ],
)
def test_a_fault_of_a_group(group: dict[str, Any], fault: str) -> None:
    assert faults(asked(group=group)) == [fault]


def test_every_fault_in_one_go() -> None:
    value = {"edition": "9e", "attack": {"weapons": [{"S": 0}], "half_range": "yes"}, "targets": {}}
    assert faults(value) == [
        "targets: unknown field @ $.targets",
        "target: required @ $.target",
        'edition: expected one of 10e, 11e, got "9e" @ $.edition',
        "S: expected 1..100, got 0 @ $.attack.weapons[0].S",
        "skill: required unless torrent @ $.attack.weapons[0].skill",
        'half_range: expected true or false, got "yes" @ $.attack.half_range',
    ]


@pytest.mark.parametrize("value", [None, 3, "text", [], {}, {"edition": None, "attack": [], "target": 7}])
def test_other_shapes_are_faults_not_crashes(value: object) -> None:
    assert faults(value)


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"[" * 5000, b"nul", b"1" * 17_000_000])
def test_what_is_no_json(data: bytes) -> None:
    with pytest.raises(BadInput):
        read_all(data)


def test_a_list_names_the_request_at_fault() -> None:
    with pytest.raises(BadInput) as caught:
        read_all(json.dumps([asked(), asked({"skill": 7}), asked({"skill": 8})]))
    assert [fault.where for fault in caught.value.faults] == [
        "$[1].attack.weapons[0].skill",
        "$[2].attack.weapons[0].skill",
    ]


def run(text: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "battlewright", "odds", "--request", "-", "--json"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def test_the_command_answers_one_or_a_list() -> None:
    one, several = run(json.dumps(asked())), run(json.dumps([asked(), asked()]))
    assert (one.returncode, several.returncode) == (0, 0)
    assert json.loads(several.stdout) == [json.loads(one.stdout)] * 2


def test_the_answer_has_every_field() -> None:
    found = json.loads(run(json.dumps(asked())).stdout)
    for name in ("attacks", "hits", "wounds", "damage", "slain", "attacker_wounds", "attacker_slain", "wasted"):
        assert set(found[name]) == {"mean"}
    assert set(found) >= {
        "edition", "damage_dist", "slain_dist", "p_destroyed", "p_character_slain", "slain_by_group", "rules", "cites",
        "assumed",
    }  # fmt: skip


def test_the_command_tells_faults_one_a_line() -> None:
    found = run(json.dumps(asked({"skill": 9, "S": "x"})))
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.splitlines() == [
        "skill: expected 2..6, got 9 @ $.attack.weapons[0].skill",
        'S: expected 1..100, got "x" @ $.attack.weapons[0].S',
    ]


def test_readings_of_open_points() -> None:
    torrent = asked({"torrent": True}) | {"readings": {"torrent_hits_in_snap": False}}
    torrent["attack"]["snap"] = True
    del torrent["attack"]["weapons"][0]["skill"]
    assert answer(read(torrent)).hits.mean == pytest.approx(1 / 6)
    torrent["readings"] = {}
    assert answer(read(torrent)).hits.mean == pytest.approx(1.0)
    assert faults(asked() | {"readings": {"torrents": True}}) == ["torrents: unknown field @ $.readings.torrents"]
