"""Rules that say how far a unit may shoot."""

from __future__ import annotations

import pytest

from battlewright.battle.reminders import is_enforced
from battlewright.effects import EditionId
from battlewright.rulestext.build import read
from conftest import offered, sheet, unit, weapon, with_unit_rule

GUN = sheet(weapons=[weapon("gun", 24)])


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize(("whose", "legal"), [(0, {"b1"}), (1, {"b1", "b2"})])
def test_a_unit_cannot_shoot_farther_than_a_rule_says(table, edition: EditionId, whose: int, legal: set[str]) -> None:
    """The rule is of those who shoot: the enemy 10" off may be shot, the one 18" off may not."""
    text = 'Models in this unit cannot target units more than 12" away.'
    rule, _ = read(text, name="Fog", kind="unit-ability", edition=edition)
    assert is_enforced(rule)
    units = [unit("a1", "A", [(12, 22)], GUN), unit("b1", "B", [(22, 22)]), unit("b2", "B", [(28, 30)])]
    battle = with_unit_rule(table(edition, "shooting", units), rule, whose)
    battle.play("select a1")
    while not any(choice.startswith("declare") for choice in offered(battle)):
        battle.play(offered(battle)[0])
    assert {name for name in ("b1", "b2") if battle.why_not(f"declare a1#0.0>{name}") is None} == legal
