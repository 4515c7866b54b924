"""Positions for tests of the battle: invented units on a bare board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from battlewright.battle.engine import Battle
from battlewright.battle.state import State
from battlewright.effects import Rule

Place = tuple[float, float]


def weapon(name: str, reach: int | str = 24, **profile: Any) -> dict[str, Any]:
    """A weapon of a test unit; melee when ``reach`` is "Melee"."""
    skill = "WS" if reach == "Melee" else "BS"
    shown = {"range": reach, "A": 2, skill: "3+", "S": 4, "AP": 0, "D": 1, "abilities": [], **profile}
    return {"name": name, "count": 1, "profile": shown}


RIFLE, BLADE = weapon("rifle"), weapon("blade", "Melee")


def sheet(name: str = "Test Squad", *, weapons: list[dict[str, Any]] | None = None, **parts: Any) -> dict[str, Any]:
    """A datasheet: infantry with rifle and blade where nothing else is said."""
    profile = {"M": 6, "T": 4, "Sv": "3+", "W": 2, "Ld": "6+", "OC": 2} | parts.pop("profile", {})
    model = {
        "name": name,
        "count": parts.pop("count", 1),
        "profile": profile,
        "base": parts.pop("base", {"shape": "round", "mm": 32}),
        "weapons": [RIFLE, BLADE] if weapons is None else weapons,
    }
    keywords = parts.pop("keywords", ["INFANTRY"])
    return {"name": name, "models": [model], "keywords": keywords, "faction_keywords": [], "abilities": [], **parts}


def unit(name: str, player: str, at: list[Place], given: dict[str, Any] | None = None, **parts: Any) -> dict[str, Any]:
    """A unit of a position, its models at these places."""
    made = given or sheet(count=len(at))
    models = [{"name": made["models"][0]["name"], "at": list(place)} for place in at]
    for model, wounds in zip(models, parts.pop("wounds", ()), strict=False):
        model["wounds"] = wounds
    return {"id": name, "player": player, "datasheet": made, "models": models, **parts}


@pytest.fixture
def table() -> Callable[..., Battle]:
    """A battle from units: ``table("11e", "shooting", [unit(…), …], cp={"A": 1})``."""

    def start(edition: str, phase: str, units: list[dict[str, Any]], **parts: Any) -> Battle:
        position = {"edition": edition, "round": 2, "turn": "A", "phase": phase, "units": units, **parts}
        return Battle.from_position(position, debug=True)

    return start


def with_unit_rule(battle: Battle, rule: Rule, place: int = 0) -> Battle:
    """The battle in which a unit has this rule alone."""
    setting = battle.setting
    units = [replace(u, rules=("own",)) if n == place else u for n, u in enumerate(setting.units)]
    battle.setting = battle.table.setting = replace(setting, rules={**setting.rules, "own": rule}, units=tuple(units))
    return battle


def offered(battle: Battle) -> list[str]:
    """The legal choices as text."""
    return [str(choice) for choice in battle.legal_choices()]


def faces(battle: Battle, purpose: str) -> list[int]:
    """The dice rolled for this purpose so far."""
    return [face for _, e in battle.log if getattr(e, "purpose", "") == purpose for face in e.faces]  # type: ignore[union-attr]


def asked(battle: Battle) -> str:
    """The kind of decision due."""
    return "" if battle.decision is None else battle.decision.kind


def step(battle: Battle, choice: str) -> None:
    """The choice leads to the same state in an independent copy; the state is read back from its data."""
    twin, before = battle.copy(), battle.state.hash()
    twin.play(choice)
    assert battle.state.hash() == before
    battle.play(choice)
    assert twin.state.hash() == battle.state.hash() == State.from_json(battle.state.to_json()).hash()
