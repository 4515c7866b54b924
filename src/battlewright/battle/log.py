"""Two logs of a battle: the input log plays it again bit for bit, the event log is for people and statistics.

The input log is JSON lines: a header (armies, mission, edition, seed, versions), one line an answer, and a last line with
what came of it. The event log is JSON lines too: an event each, with the step and rule that caused it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from battlewright.battle.engine import Battle
from battlewright.battle.mission import Mission
from battlewright.codec import from_json, to_json
from battlewright.effects import EditionId
from battlewright.errors import BadInput, IllegalChoice
from battlewright.roster import Roster


class Header(Struct, frozen=True):
    """What a record begins with: everything a battle hangs on."""

    battlewright: str
    edition: EditionId
    mission: Mission
    seed: int
    armies: tuple[Roster, ...]
    record: int = 1


class Ending(Struct, frozen=True):
    """What a record ends with: the number of answers, the score and the hash of the state."""

    answers: int
    winner: int | None
    vp: tuple[int, int]
    hash: str


def record(battle: Battle) -> bytes:
    """The input log of a battle so far, as JSON lines.

    >>> battle = Battle.new(("Ranger post", "Ranger post"), edition="10e", seed=1)
    >>> battle.play(next(iter(battle.legal_choices())))
    >>> replay(record(battle)).hash() == battle.hash()
    True
    """
    setting = battle.setting
    head = Header(version("battlewright"), setting.edition, setting.mission, setting.seed, setting.rosters)
    lines = [to_json(head), *(to_json(answer) for answer in battle.played)]
    lines.append(to_json(Ending(len(battle.played), battle.winner, battle.vp, battle.hash())))
    return b"\n".join(lines) + b"\n"


def replay(source: str | Path | bytes, until: int | None = None) -> Battle:
    """Play a record again, up to ``until`` answers. Raises :class:`BadInput` at the first divergence."""
    data = source if isinstance(source, bytes) else _bytes(Path(source))
    name = "record" if isinstance(source, bytes) else str(source)
    lines = [line for line in data.split(b"\n") if line.strip()]
    if not lines:
        raise BadInput("an empty record", name)
    head = from_json(lines[0], Header, where=f"{name}: line 1")
    battle = Battle.new(head.armies, head.mission, head.edition, head.seed)
    for number, line in enumerate(lines[1:], start=2):
        if line.startswith(b"{"):
            return _checked(battle, from_json(line, Ending, where=f"{name}: line {number}"), f"{name}: line {number}")
        if until is not None and len(battle.played) >= until:
            return battle
        _answer(battle, from_json(line, str, where=f"{name}: line {number}"), f"{name}: line {number}")
    return battle


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror or error}", str(path)) from None


def _answer(battle: Battle, answer: str, where: str) -> None:
    if battle.over:
        raise BadInput("an answer after the end of the battle", where)
    try:
        battle.answer(answer)
    except IllegalChoice as error:
        raise BadInput(f"diverges: {error.reason}", where) from None


def _checked(battle: Battle, ending: Ending, where: str) -> Battle:
    if ending.hash != battle.hash() and ending.answers == len(battle.played):
        raise BadInput(f"diverges: the state's hash is {battle.hash()}, recorded {ending.hash}", where)
    return battle


def event_lines(battle: Battle, log: Iterable[tuple[str, Any]] | None = None) -> Iterator[bytes]:
    """The event log: ``{"cause": …, "event": {"type": …}}`` a line, units and models by name."""
    for cause, event in battle.log if log is None else log:
        yield to_json({"cause": cause, "event": _named(battle, msgspec.to_builtins(event))})


def _named(battle: Battle, event: dict[str, Any]) -> dict[str, Any]:
    """Numbers of units, models and players as the names people know."""
    t = battle.table
    if isinstance(event.get("unit"), int) and event["unit"] >= 0:
        event["unit"] = t.name(event["unit"])
    if isinstance(event.get("model"), int):
        event["model"] = t.model_name(event["model"])
    if isinstance(event.get("player"), int) and event["player"] >= 0:
        event["player"] = t.who(event["player"])
    if "units" in event:
        event["units"] = [t.name(unit) for unit in event["units"]]
    if "poses" in event:
        event["poses"] = [[t.model_name(pose[0]), *pose[1:]] for pose in event["poses"]]
    return event
