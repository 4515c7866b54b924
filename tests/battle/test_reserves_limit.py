"""Who counts to the points that may start in Strategic Reserves. Rules: 10e T-9.2, T-9.4."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battlewright.battle.eligible import may_start_in
from battlewright.battle.events import LeftBattlefield
from battlewright.battle.state import Where
from conftest import sheet, unit


@pytest.mark.parametrize("deep", [True, False])
def test_who_is_aboard_what_strikes_deep_is_not_in_strategic_reserves(table, deep: bool) -> None:
    """Neither it nor its passengers count to a quarter of the points; one that comes by the edge counts with them."""
    abilities = [{"name": "Deep Strike", "text": ""}] if deep else []
    carrier = sheet("Pod", keywords=["VEHICLE", "TRANSPORT"], abilities=abilities)
    others = [unit(f"a{n}", "A", [(20, 20 + 3 * n)]) for n in range(2, 7)]
    battle = table("10e", "movement", [unit("a1", "A", [(20, 10)], carrier), *others, unit("b1", "B", [(50, 22)])])
    t = battle.table
    t.setting = replace(t.setting, limits=(1000, 1000), units=tuple(replace(u, points=200) for u in t.setting.units))
    t.emit(LeftBattlefield(1, int(Where.EMBARKED), 0))
    reason = may_start_in(t, 0, "reserves")
    if deep:
        assert reason is None
    else:
        assert reason is not None
        assert (reason.rule, reason.detail) == ("10e T-9.2", "400 points in strategic reserves, at most 250")
