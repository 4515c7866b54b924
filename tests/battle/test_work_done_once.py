"""What a battle works out is worked out once as long as nothing has moved: counts of work, not times."""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.battle import moves
from battlewright.battle.engine import Battle
from battlewright.battlefield.sight import Scene
from battlewright.players import player


def play_until(last: int, armies: tuple[str, str], *, seed: int) -> None:
    """A battle of greedy players until this battle round begins."""
    battle = Battle.new(armies, edition="11e", seed=seed)
    players = [player("greedy", 1), player("greedy", 2)]
    while battle.state.round < last and not battle.over:
        battle.play(players[battle.to_choose].choose(battle))


def test_no_move_is_planned_and_no_line_looked_along_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    planned: list[Any] = []
    looked: list[Any] = []
    plan, look = moves._planned, Scene._look

    def counted_plan(t: Any, decision: Any, intent: Any) -> Any:
        planned.append((decision, intent, t.state.model[:, :4].tobytes(), t.state.model[:, 4:].tobytes()))
        return plan(t, decision, intent)

    def counted_look(scene: Scene, observers: Any, targets: Any, what: Any, *more: Any) -> Any:
        if what == "visible":
            place = scene.table.poses.xy.tobytes()
            looked.extend((place, int(one), int(other)) for one in observers for other in targets)
        return look(scene, observers, targets, what, *more)

    monkeypatch.setattr(moves, "_planned", counted_plan)
    monkeypatch.setattr(Scene, "_look", counted_look)
    play_until(3, ("Forge patrol", "Rolling scrap"), seed=3)
    assert planned
    assert len(planned) == len(set(planned))
    assert looked
    assert len(looked) == len(set(looked))


def test_what_is_planned_is_legal_and_not_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    plan, check = moves._planned, moves._why_not_move
    found: list[Any] = []

    def checked_plan(t: Any, decision: Any, intent: Any) -> Any:
        choice = plan(t, decision, intent)
        if choice is not None:
            assert check(t, decision, choice) is None, f"{choice} was planned"
            found.append((decision, choice))
        return choice

    def counted_check(t: Any, decision: Any, choice: Any) -> Any:
        assert (decision, choice) not in found or any(len(step.way) > 1 for step in choice.steps)
        return check(t, decision, choice)

    monkeypatch.setattr(moves, "_planned", checked_plan)
    monkeypatch.setattr(moves, "_why_not_move", counted_check)
    play_until(4, ("Rolling scrap", "Rolling scrap"), seed=5)
    assert len(found) > 20
