"""Who sees whom, and who has cover, through the battlefield's :class:`Scene`; laid out once until something moves.

Rules: 11e 06.01, 13.07-13.11, 24.33; 10e T-5.5, T-11.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from battlewright.battle.state import Did
from battlewright.battlefield import NO_TERRAIN, Scene, Terrain, cover_from, detection, hidden
from battlewright.battlefield import Table as Stand
from battlewright.battlefield import covered as cover_of_models

if TYPE_CHECKING:
    from battlewright.battle.table import Table

Bools = NDArray[np.bool_]
_FOOT = ("INFANTRY", "BEASTS", "BEAST", "SWARM")


def terrain(t: Table) -> Terrain:
    """The terrain of the battle, laid out once."""
    return t.setting.terrain


def scene(t: Table) -> tuple[Scene, dict[int, int]]:
    """The scene as it stands, and each model's row in it."""
    return t.standing(t.units(), ("scene",), lambda: _scene(t))


def _scene(t: Table) -> tuple[Scene, dict[int, int]]:
    models = [m for unit in t.units() for m in t.alive(unit)]
    heads = np.array([t.head(m) for m in models], np.int64)
    words = [t.words(m) for m in models]
    stand = Stand(
        t.poses_of(models),
        heads,
        np.array(["AIRCRAFT" in w for w in words], bool),
        np.array(["TOWERING" in w for w in words], bool),
    )
    return Scene(stand, terrain(t), t.setting.field.sight), {m: row for row, m in enumerate(models)}


def _rows(t: Table, unit: int) -> list[int]:
    rows = scene(t)[1]
    return [rows[m] for m in t.alive(unit)]


def visible(t: Table, unit: int, target: int) -> Bools:
    """Which models of a unit see which models of another."""
    may_hide = not t.state.did(target, Did.SHOT | Did.SHOT_LAST_TURN)
    usual = t.setting.field.sight.detection
    limit = None if usual is None or not may_hide else float(t.rules.detection(target, int(usual)))
    return t.standing(t.units(), ("visible", unit, target, limit), lambda: _visible(t, unit, target, limit))


def _visible(t: Table, unit: int, target: int, limit: float | None) -> Bools:
    """``limit``: the detection range of the target's models that are hidden, None when none can be."""
    seen = _seen(t, unit, (target,))[target]
    if limit is None or not t.setting.terrain.obscuring.any():
        return seen
    stage, _ = scene(t)
    observers, models = _rows(t, unit), _rows(t, target)
    quiet = np.ones(len(models), bool)
    is_hidden = hidden(stage, models, _have(t, target, _FOOT), quiet)
    if not is_hidden.any():
        return seen
    limits = detection(stage, observers, models, is_hidden, np.full(len(models), limit), quiet)
    return seen & stage.detected(observers, models, limits)


def look_at(t: Table, unit: int, targets: Iterable[int]) -> None:
    """Look at several units at one go: sooner than one by one, when they are asked for."""
    _seen(t, unit, tuple(targets))


def _seen(t: Table, unit: int, targets: tuple[int, ...]) -> dict[int, Bools]:
    """Which models of a unit have a free line to which of each target, hidden or not."""
    known: dict[int, Bools] = t.standing(t.units(), ("seen", unit), dict)
    new = [target for target in targets if target not in known]
    if new:
        stage, _ = scene(t)
        rows = [_rows(t, target) for target in new]
        seen = stage.visible(_rows(t, unit), [row for models in rows for row in models])
        ends = np.cumsum([len(models) for models in rows])
        known.update(zip(new, np.split(seen, ends[:-1], axis=1), strict=True))
    return known


def _have(t: Table, unit: int, words: tuple[str, ...]) -> Bools:
    """Which living models of a unit have any of these keywords."""
    return np.array([not t.model(m).keywords.isdisjoint(words) for m in t.alive(unit)], bool)


def sees(t: Table, unit: int, target: int) -> dict[int, bool]:
    """Which models of a unit see at least one model of another."""
    seen = np.asarray(visible(t, unit, target).any(axis=1))
    return dict(zip(t.alive(unit), seen.tolist(), strict=True))


def covered(t: Table, unit: int, target: int) -> dict[int, bool]:
    """Per model of ``unit``: has ``target`` the benefit of cover against its ranged attacks?

    11e 13.08: every model of the target is INFANTRY and the like in an area, or not fully visible because of terrain.
    10e: when every model has it; where some have it only, see :func:`sheltered`.
    """
    return t.cached(("cover", unit, target), lambda: _covered(t, unit, target))


def _covered(t: Table, unit: int, target: int) -> dict[int, bool]:
    shooters = t.alive(unit)
    if t.rules.has_cover(target):
        return dict.fromkeys(shooters, True)
    screened = [_screened(t, unit, target, screen) for screen in t.rules.screens()]
    if terrain(t).areas:
        found = t.standing((unit, target), ("cover", unit, target), lambda: _covered_by_terrain(t, unit, target))
    else:
        found = dict.fromkeys(shooters, False)
    return (
        {m: hit or any(screen.get(m, False) for screen in screened) for m, hit in found.items()} if screened else found
    )


def _screened(t: Table, unit: int, target: int, screen: int) -> dict[int, bool]:
    """Per model of ``unit``: does it not see ``target`` fully because of the models of ``screen`` (11e 15.10)?"""
    if screen in (unit, target) or not t.alive(screen):
        return {}
    models = [m for one in (unit, target, screen) for m in t.alive(one)]
    heads = np.array([t.head(m) for m in models], np.int64)
    stage = Scene(Stand(t.poses_of(models), heads), NO_TERRAIN, t.setting.field.sight)
    mine, theirs = len(t.alive(unit)), len(t.alive(target))
    fully = np.asarray(stage.fully(list(range(mine)), list(range(mine, mine + theirs))).all(axis=1))
    return {m: not whole for m, whole in zip(t.alive(unit), fully.tolist(), strict=True)}


def _covered_by_terrain(t: Table, unit: int, target: int) -> dict[int, bool]:
    shooters = t.alive(unit)
    stage, _ = scene(t)
    observers, models = _rows(t, unit), _rows(t, target)
    if t.setting.field.sight.obscuring:
        against = cover_from(stage, observers, models, _have(t, target, _FOOT))
        return dict(zip(shooters, against.tolist(), strict=True))
    return dict.fromkeys(shooters, len(sheltered(t, unit, target)) == len(models))


def sheltered(t: Table, unit: int, target: int) -> frozenset[int]:
    """Which models of ``target`` have the benefit of cover from terrain against ``unit``, each for itself (10e T-11.1).

    Empty in the 11th edition, where the unit has it or has not (13.08).
    """
    if not terrain(t).areas or t.setting.field.sight.obscuring:
        return frozenset()
    return t.standing((unit, target), ("sheltered", unit, target), lambda: _sheltered(t, unit, target))


def _sheltered(t: Table, unit: int, target: int) -> frozenset[int]:
    stage, _ = scene(t)
    each = cover_of_models(stage, _rows(t, unit), _rows(t, target), _have(t, target, ("INFANTRY",)))
    return frozenset(m for m, hit in zip(t.alive(target), each.tolist(), strict=True) if hit)
