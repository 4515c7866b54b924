"""Battlewright: reads the rules, knows the odds, plays the battle.

Everything here is loaded when it is first used, so importing the package costs nothing:

``odds(attacker, target, **situation)``, ``read(path)``, ``understand(text)``, ``Battle``, ``replay(record)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from battlewright.attack.ask import odds
    from battlewright.battle.engine import Battle
    from battlewright.battle.log import replay
    from battlewright.effects import EditionId, Rule, RuleKind
    from battlewright.formats.detect import read

#: name -> the module that has it.
_WHERE = {
    "odds": "battlewright.attack.ask",
    "read": "battlewright.formats.detect",
    "Battle": "battlewright.battle.engine",
    "replay": "battlewright.battle.log",
}
__all__ = ["Battle", "odds", "read", "replay", "understand"]


def __getattr__(name: str) -> Any:
    """Load what the package offers only when it is asked for."""
    if name not in _WHERE:
        raise AttributeError(f"module 'battlewright' has no attribute {name!r}")
    import importlib

    try:
        return getattr(importlib.import_module(_WHERE[name]), name)
    except ModuleNotFoundError:
        raise AttributeError(f"{name} is not in this version") from None


def __dir__() -> list[str]:
    return sorted({*__all__, *globals()})


def understand(text: str, *, name: str = "", kind: RuleKind = "other", edition: EditionId | None = None) -> Rule:
    """The rule these words make; what was not understood is named in ``unread``. Never raises.

    >>> understand("This unit's melee attacks have [Lethal Hits].").status
    'full'
    """
    from battlewright import rulestext

    return rulestext.compile(text, name=name, kind=kind, edition=edition)
