"""Who sees whom, and who has cover, through the battlefield's :class:`Scene`; laid out once until something moves.

Rules: 11e 06.01, 13.07-13.11, 22.05, 24.33; 10e T-5.5, T-11.
"""

from __future__ import annotations

from battlewright.battle.table import Table


def sees(t: Table, unit: int, target: int) -> dict[int, bool]:
    """Which models of a unit see at least one model of another."""
    return dict.fromkeys(t.alive(unit), True)


def covered(t: Table, unit: int, target: int) -> dict[int, bool]:
    """Per model of ``unit``: has ``target`` the benefit of cover against its ranged attacks?"""
    return dict.fromkeys(t.alive(unit), False)
