"""Units of which nobody lives: what is asked about them is answered, and refused, like anything else."""

from __future__ import annotations

from math import inf

import pytest

from battlewright.battle.events import ModelDestroyed, UnitDestroyed
from battlewright.battle.judge import is_such
from battlewright.battle.targeting import possible_shots
from battlewright.effects import Any, BattleShocked, Keyword, Not
from conftest import sheet, unit, weapon

GUN = weapon("gun", '24"', A=2)


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_destroyed_unit_shoots_nobody_and_is_shot_by_nobody(table, edition: str) -> None:
    units = [unit("a1", "A", [(20, 22)], sheet(weapons=[GUN])), unit("b1", "B", [(26, 22)], sheet(weapons=[GUN]))]
    t = table(edition, "shooting", units).table
    ours, theirs = t.index("a1"), t.index("b1")
    assert list(possible_shots(t, ours, "shoot"))
    for model in t.alive(theirs):
        t.emit(ModelDestroyed(model))
    t.emit(UnitDestroyed(theirs))
    assert t.gap(ours, theirs) == inf
    assert not list(possible_shots(t, theirs, "snap"))
    assert not list(possible_shots(t, ours, "shoot", (theirs,)))


def test_what_hangs_on_another_condition_than_keywords_is_understood_of_no_model(table) -> None:
    t = table("11e", "shooting", [unit("a1", "A", [(20, 22)], sheet(weapons=[GUN]))]).table
    (model,) = t.alive(t.index("a1"))
    assert is_such(t, Not(Keyword((("AIRCRAFT",),))), model)
    assert not is_such(t, Not(BattleShocked()), model)
    assert not is_such(t, Any((Not(BattleShocked()), Keyword((("AIRCRAFT",),)))), model)
