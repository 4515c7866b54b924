"""A battle told as a readable report, from its event log: round by round, in sentences, with every die.

``report`` gives Markdown; ``plain=True`` the same without marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from battlewright.render.picture import SIDES
from battlewright.render.view import army_names, unit_name

if TYPE_CHECKING:
    from battlewright.battle.events import Event
    from battlewright.battle.table import Table

INCH = 1000
MOVES = {
    "normal": "makes a normal move",
    "advance": "advances",
    "fall_back": "falls back",
    "charge": "charges",
    "pile_in": "piles in",
    "consolidate": "consolidates",
    "scout": "makes a scout move",
}
SET_UPS = {
    "deploy": "deploys",
    "ingress": "arrives from reserves",
    "scouts": "deploys with a scout move",
    "disembark": "disembarks",
    "emergency disembark": "disembarks in an emergency",
}
WHY = {
    "none": "its words were not understood",
    "partial": "its words were understood in part",
    "full": "it was understood, but cannot be played yet",
}


def report(table: Table, log: Sequence[tuple[str, Event]], *, plain: bool = False) -> str:
    """The whole report: who fought, what happened, who won, and which rules the players had to see to themselves."""
    teller = _Teller(table)
    body = [line for _, event in log for line in teller.tell(event)]
    body += teller.flush()
    lines = [*_opening(table), *body, *_closing(table, teller)]
    text = "\n".join(_spaced(lines)) + "\n"
    return _unmarked(text) if plain else text


def _opening(table: Table) -> Iterator[str]:
    setting = table.setting
    names = army_names(table)
    yield f"# {setting.mission.name}: {names[0]} against {names[1]}"
    edition = "10th" if setting.edition == "10e" else "11th"
    yield f"{edition} edition, {len(setting.units)} units, {len(setting.mission.objectives)} objectives."
    for place, side in enumerate(SIDES):
        mine = [unit for unit, definition in enumerate(setting.units) if definition.player == place]
        points = sum(setting.units[unit].points for unit in mine)
        listed = ", ".join(unit_name(table, unit) for unit in mine if setting.units[unit].attached_to is None)
        yield f"- **{side}, {names[place]}**" + (f" ({points} points)" if points else "") + f": {listed}."
    yield "## Before the battle"


def _closing(table: Table, teller: _Teller) -> Iterator[str]:
    rounds = sorted(teller.scored)
    if rounds:
        yield "## Score"
        names = army_names(table)
        yield "| | " + " | ".join(f"round {number}" if number else "before" for number in rounds) + " | total |"
        yield "|---" * (len(rounds) + 2) + "|"
        for place in (0, 1):
            row = [teller.scored[number][place] for number in rounds]
            yield f"| {names[place]} | " + " | ".join(map(str, row)) + f" | {sum(row)} |"
    if teller.reminders:
        yield "## Rules the players saw to"
        for name, who in sorted(teller.reminders.items()):
            yield f"- {name} ({', '.join(sorted(who))})"


@dataclass
class _Teller:
    """Turns events into lines, one after the other; losses of one unit in a row become one line."""

    table: Table
    round: int = 0
    scored: dict[int, list[int]] = field(default_factory=dict)
    reminders: dict[str, set[str]] = field(default_factory=dict)
    _hurt: tuple[int, str] | None = None
    _lost: int = 0
    _slain: int = 0

    def tell(self, event: Event) -> Iterator[str]:
        """The lines of one event, often none."""
        if self._is_loss(event):
            yield from self._lose(event)
            return
        told = getattr(self, f"_{_snake(type(event).__name__)}", None)
        lines = list(told(event)) if told is not None else []
        if lines:
            yield from self.flush()
            yield from lines

    def flush(self) -> list[str]:
        """The losses not told yet."""
        if self._hurt is None or not (self._lost or self._slain):
            return []
        unit, why = self._hurt
        parts = [f"loses {_many(self._lost, 'wound')}"] if self._lost else []
        parts += [f"{_many(self._slain, 'model')} destroyed"] if self._slain else []
        self._hurt, self._lost, self._slain = None, 0, 0
        return [f"- {self.unit(unit)} {', '.join(parts)}{f' ({why})' if why else ''}"]

    def unit(self, unit: int) -> str:
        return unit_name(self.table, unit)

    def who(self, player: int) -> str:
        return army_names(self.table)[player] if player in (0, 1) else "nobody"

    def _is_loss(self, event: Event) -> bool:
        return type(event).__name__ in ("WoundsLost", "ModelDestroyed")

    def _lose(self, event: Any) -> Iterator[str]:
        unit, why = self.table.model(event.model).unit, event.why
        if self._hurt is not None and self._hurt[0] != unit:
            yield from self.flush()
        self._hurt = unit, why or (self._hurt[1] if self._hurt else "")
        if type(event).__name__ == "WoundsLost":
            self._lost += event.lost
        else:
            self._slain += 1

    # -- the clock ----------------------------------------------------------------------------------------------------
    def _round_began(self, event: Any) -> Iterator[str]:
        self.round = event.round
        self.scored.setdefault(event.round, [0, 0])
        yield f"## Battle round {event.round}"

    def _turn_began(self, event: Any) -> Iterator[str]:
        yield f"### {self.who(event.player)}: turn {self.round}"

    def _phase_began(self, event: Any) -> Iterator[str]:
        yield f"**{event.phase.capitalize()} phase**"

    def _first_turn(self, event: Any) -> Iterator[str]:
        yield f"- {self.who(event.player)} takes the first turn"

    def _battle_ended(self, event: Any) -> Iterator[str]:
        yield "## The end"
        score = f"{event.vp[0]} to {event.vp[1]}"
        winner = f"**{self.who(event.winner)} wins**" if event.winner in (0, 1) else "**A draw**"
        yield f"{winner}, {score}{f' ({event.why})' if event.why else ''}."

    # -- dice and deeds -----------------------------------------------------------------------------------------------
    def _rolled(self, event: Any) -> Iterator[str]:
        who = f" for {self.unit(event.unit)}" if event.unit >= 0 else ""
        faces = " ".join(map(str, event.faces))
        needs = ""
        if event.needs:
            hits = sum(face >= event.needs for face in event.faces)
            needs = f" (needs {event.needs}+: {hits} of {len(event.faces)})"
        yield f"- {event.purpose.replace('_', ' ').capitalize()}{who}: {faces}{needs}"

    def _moved(self, event: Any) -> Iterator[str]:
        kind = next(
            (words for name, words in MOVES.items() if event.kind.startswith(name)), event.kind.replace("_", " ")
        )
        far = max(event.travelled, default=0) / INCH
        count = f', {_many(len(event.poses), "model")} up to {far:.1f}"' if event.poses else ", nobody moves"
        yield f"- {self.unit(event.unit)} {kind}{count}"

    def _set_up(self, event: Any) -> Iterator[str]:
        x = sum(pose[1] for pose in event.poses) / max(len(event.poses), 1) / INCH
        y = sum(pose[2] for pose in event.poses) / max(len(event.poses), 1) / INCH
        yield f"- {self.unit(event.unit)} {SET_UPS.get(event.how, 'is set up')} around ({x:.0f}, {y:.0f})"

    def _left_battlefield(self, event: Any) -> Iterator[str]:
        where = f"embarks in {self.unit(event.carrier)}" if event.carrier >= 0 else "goes into reserves"
        yield f"- {self.unit(event.unit)} {where}"

    def _wounds_regained(self, event: Any) -> Iterator[str]:
        unit = self.unit(self.table.model(event.model).unit)
        yield f"- {unit} regains {_many(event.regained, 'wound')}{f' ({event.why})' if event.why else ''}"

    def _unit_destroyed(self, event: Any) -> Iterator[str]:
        by = f" by {self.unit(event.by)}" if event.by >= 0 else ""
        yield f"- **{self.unit(event.unit)} is destroyed**{by}{f' ({event.why})' if event.why and not by else ''}"

    def _shock_changed(self, event: Any) -> Iterator[str]:
        yield f"- {self.unit(event.unit)} {'is battle-shocked' if event.shocked else 'is no longer battle-shocked'}"

    def _chosen(self, event: Any) -> Iterator[str]:
        if event.act in ("shoot", "fight", "charge"):
            yield f"- {self.unit(event.unit)} is selected to {event.act}"

    # -- players and rules --------------------------------------------------------------------------------------------
    def _cp_changed(self, event: Any) -> Iterator[str]:
        verb = "gains" if event.by > 0 else "loses"
        yield f"- {self.who(event.player)} {verb} {abs(event.by)} CP ({event.why})"

    def _vp_scored(self, event: Any) -> Iterator[str]:
        self.scored.setdefault(self.round, [0, 0])[event.player] += event.by
        yield f"- **{self.who(event.player)} scores {event.by} VP** ({event.why})"

    def _control_changed(self, event: Any) -> Iterator[str]:
        held = f"held by {self.who(event.player)}" if event.player in (0, 1) else "contested"
        kept = ", secured" if event.secured in (0, 1) else ""
        yield f"- Objective {event.objective + 1}: {held}{kept} ({event.levels[0]} to {event.levels[1]})"

    def _stratagem_used(self, event: Any) -> Iterator[str]:
        on = f" on {', '.join(self.unit(unit) for unit in event.units)}" if event.units else ""
        yield f"- {self.who(event.player)} uses **{event.name}** ({event.cost} CP){on}"

    def _effect_began(self, event: Any) -> Iterator[str]:
        if event.name:
            on = f" on {self.unit(event.effect.unit)}" if event.effect.unit >= 0 else ""
            yield f"- {event.name} takes effect{on}, until the end of the {event.effect.until}"

    def _reminder(self, event: Any) -> Iterator[str]:
        who = self.who(event.player)
        first = event.name not in self.reminders
        self.reminders.setdefault(event.name, set()).add(who)
        if first:
            on = f" of {self.unit(event.unit)}" if event.unit >= 0 else ""
            why = f": {WHY.get(event.why, event.why)}" if event.why else ""
            yield f"- {who} must see to **{event.name}**{on}{why}"

    def _told(self, event: Any) -> Iterator[str]:
        who = f"{self.unit(event.unit)}: " if event.unit >= 0 else ""
        yield f"- {who}{event.text}{f' ({event.rule})' if event.rule else ''}"


def _snake(name: str) -> str:
    """
    >>> _snake("RoundBegan")
    'round_began'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _many(count: int, word: str) -> str:
    """
    >>> _many(1, "wound"), _many(3, "wound")
    ('1 wound', '3 wounds')
    """
    return f"{count} {word}{'' if count == 1 else 's'}"


def _spaced(lines: Iterable[str]) -> Iterator[str]:
    """A blank line between what Markdown would otherwise run together; headings with nothing below them left out."""
    kept = _without_empty(list(lines))
    before = ""
    for line in kept:
        if before and (_kind(line) != _kind(before) or _kind(line) in ("heading", "text")):
            yield ""
        yield line
        before = line


def _without_empty(lines: list[str]) -> list[str]:
    """Phases in which nothing happened are not told."""
    kept: list[str] = []
    for line in lines:
        if _kind(line) in ("phase", "heading"):
            while kept and _kind(kept[-1]) == "phase":
                kept.pop()
            if line.startswith("## ") and kept and kept[-1].startswith("## "):
                kept.pop()
        kept.append(line)
    while kept and _kind(kept[-1]) == "phase":
        kept.pop()
    return kept


def _kind(line: str) -> str:
    if line.startswith("#"):
        return "heading"
    if line.startswith("**") and line.endswith("phase**"):
        return "phase"
    return {"- ": "list", "| ": "table", "|-": "table"}.get(line[:2], "text")


def _unmarked(text: str) -> str:
    """
    >>> _unmarked("## Round 1\\n- **A scores 5 VP** (held)\\n")
    'ROUND 1\\n- A scores 5 VP (held)\\n'
    """
    lines = [line for line in text.split("\n") if not line.startswith("|---")]
    plain = [re.sub(r"^#+ (.*)$", lambda found: found[1].upper(), line) for line in lines]
    return "\n".join(line.replace("**", "") for line in plain)
