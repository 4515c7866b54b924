"""Objectives and victory points.

Rules: 11e 14, 26; 10e T-12, T-15.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from battlewright.battle.events import ControlChanged, PoolChanged, RuleUsed, VpScored
from battlewright.battle.mission import Line
from battlewright.battle.state import MIL, NOBODY, P
from battlewright.battlefield import Poses, area_pose, gaps, in_terrain_objective
from battlewright.datasheet import Base

if TYPE_CHECKING:
    from battlewright.battle.table import Table

MARKER = Base("round", 40)


def objective_pose(t: Table, objective: int) -> Poses:
    """What distances to an objective run to: its terrain area (11e 14.01), else its 40 mm marker."""
    return t.standing((), ("objective", objective), lambda: _objective_pose(t, objective))


def _objective_pose(t: Table, objective: int) -> Poses:
    area = t.setting.objective_area(objective)
    if area is not None:
        return area_pose(t.setting.terrain, area)
    return Poses.of([MARKER], [t.setting.mission.objectives[objective].at])


def models_in_range(t: Table, objective: int, unit: int) -> tuple[int, ...]:
    """The models of a unit within range of an objective: in its terrain area (11e 14.01), else 3" and 5" up (T-12.2)."""
    return t.standing((unit,), ("range", objective, unit), lambda: _in_range(t, objective, unit))


def _in_range(t: Table, objective: int, unit: int) -> tuple[int, ...]:
    poses = t.poses(unit)
    area = t.setting.objective_area(objective)
    if area is not None:
        inside = in_terrain_objective(poses, t.setting.terrain, [area])[:, 0]
        return tuple(m for m, hit in zip(t.alive(unit), inside.tolist(), strict=True) if hit)
    across, up = t.setting.field.objective_range
    near = (gaps(poses, objective_pose(t, objective))[:, 0] <= across + 1e-6) & (np.abs(poses.z) <= up * MIL)
    return tuple(m for m, hit in zip(t.alive(unit), near, strict=True) if hit)


def level_of_control(t: Table, objective: int, player: int) -> int:
    """The sum of OC of a player's models in range (11e 14.02; 10e T-12.2)."""
    return sum(t.rules.stat(m, "OC") for unit in t.units(player) for m in models_in_range(t, objective, unit))


def determine_control(t: Table) -> None:
    """The higher level controls; equal: nobody, unless secured (11e 14.02-14.03; 10e T-12.3)."""
    state = t.state
    for objective in range(len(t.setting.mission.objectives)):
        levels = (level_of_control(t, objective, 0), level_of_control(t, objective, 1))
        secured = state.secured[objective]
        if secured != NOBODY and levels[1 - secured] > levels[secured]:
            secured = NOBODY
        if secured != NOBODY:
            holder = secured
        else:
            holder = NOBODY if levels[0] == levels[1] else int(levels[1] > levels[0])
        now = (holder, levels, secured)
        if now != (state.control[objective], state.levels[objective], state.secured[objective]):
            if holder != state.control[objective] and holder != NOBODY:
                _newly_controlled(t, objective, holder)
            t.emit(ControlChanged(objective, holder, levels, secured))


def _newly_controlled(t: Table, objective: int, player: int) -> None:
    t.emit(RuleUsed("control", player, keys=(f"new|{player}|{t.state.round}|{t.state.turn}|{objective}",)))


def kills(t: Table, player: int, round: int, turn: int) -> int:
    """Enemy units a player's enemy lost in that turn."""
    return t.state.used.get(f"lost|{1 - player}|{round}|{turn}", 0)


def score(t: Table, when: str, player: int) -> None:
    """Score the mission's lines of this moment for a player."""
    mission = t.setting.mission
    if not mission.scoring:
        return
    gained = 0
    for line in mission.lines:
        if _scores_now(t, line, when, player):
            gained += _points(t, line, player)
    gained = _capped(t, gained, player, when)
    if gained:
        t.emit(VpScored(player, gained, f"{mission.name}, {when}"))


def _scores_now(t: Table, line: Line, when: str, player: int) -> bool:
    """The player who goes second scores the Command phase's lines of round 5 at the end of the turn (26; T-15.3)."""
    if when == "battle":
        return line.when == "battle"
    low, high = line.rounds
    if not low <= t.state.round <= high or line.when == "battle":
        return False
    last = t.state.round == t.setting.mission.rounds and t.setting.mission.late_second
    moved = last and (player != t.state.first or t.setting.numbers.both_score_late)
    due = "turn" if line.when == "command" and moved else line.when
    return due == when


def _points(t: Table, line: Line, player: int) -> int:
    mine, theirs = _controlled(t, line, player), _controlled(t, line, 1 - player)
    if line.needs_home and not _holds_home(t, player):
        return 0
    here = (t.state.round, t.state.turn)
    match line.what:
        case "each":
            points = line.vp * mine
        case "at_least":
            points = line.vp if mine >= line.n else 0
        case "more":
            points = line.vp if mine > theirs else 0
        case "kill":
            points = line.vp if kills(t, player, *here) else 0
        case "each_kill":
            points = line.vp * kills(t, player, *here)
        case "more_kills":
            before = (t.state.round - (t.state.turn == t.state.first), 1 - t.state.turn)
            points = line.vp if kills(t, player, *here) > kills(t, 1 - player, *before) else 0
        case "new":
            points = line.vp if _new(t, line, player) else 0
    return points if line.most is None else min(points, line.most)


def _fits(t: Table, line: Line, objective: int, player: int) -> bool:
    kind = t.setting.mission.objectives[objective].kind
    own, enemy = ("home_a", "home_b") if player == 0 else ("home_b", "home_a")
    match line.of:
        case "not_home":
            return kind != own
        case "home":
            return kind == own
        case "enemy_home":
            return kind == enemy
        case "central":
            return kind == "central"
        case "any":
            return True


def _controlled(t: Table, line: Line, player: int) -> int:
    return sum(held == player and _fits(t, line, o, player) for o, held in enumerate(t.state.control))


def _holds_home(t: Table, player: int) -> bool:
    own = ("home_a", "home_b")[player]
    return any(
        h == player and o.kind == own for h, o in zip(t.state.control, t.setting.mission.objectives, strict=True)
    )


def _new(t: Table, line: Line, player: int) -> int:
    """Objectives newly controlled this turn and still held."""
    count = 0
    for objective, held in enumerate(t.state.control):
        key = f"new|{player}|{t.state.round}|{t.state.turn}|{objective}"
        count += held == player and _fits(t, line, objective, player) and key in t.state.used
    return count


def _capped(t: Table, gained: int, player: int, when: str) -> int:
    """No more than the mission allows in a round and in the battle (26: points of the battle's end count to no round)."""
    mission = t.setting.mission
    if mission.round_cap is not None and when != "battle":
        key = f"vp|{player}|{t.state.round}"
        before = t.state.pools.get(key, 0)
        gained = min(gained, mission.round_cap - before)
        if gained > 0:
            t.emit(PoolChanged(key, before + gained))
    if mission.cap is not None:
        gained = min(gained, mission.cap - int(t.state.player[player, P.PRIMARY]))
    return max(gained, 0)
