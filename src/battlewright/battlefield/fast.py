"""The two hot loops of the table, compiled by numba where it is installed: the same sums as in plain numpy, only sooner.

Loading numba takes a second or so, so it is loaded only once numpy has had real work (:data:`PATIENCE`), or at once with
the environment variable ``BATTLEWRIGHT_FAST=1``; ``BATTLEWRIGHT_FAST=0`` keeps it away.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

PATIENCE = 100_000
"""So many pairs (of bases measured, of lines looked along) are done in numpy before numba is loaded."""
_state: dict[str, Any] = {"done": 0, "loops": None, "tried": False}


def loops(work: int) -> dict[str, Callable[..., Any]] | None:
    """The compiled loops, or None for plain numpy; ``work`` is how many pairs are to be done."""
    if _state["loops"] is not None or _state["tried"]:
        return _state["loops"]  # type: ignore[no-any-return]
    _state["done"] += work
    wish = os.environ.get("BATTLEWRIGHT_FAST", "")
    if wish == "0" or (wish != "1" and _state["done"] < PATIENCE):
        return None
    return load()


def load() -> dict[str, Callable[..., Any]] | None:
    """Load the compiled loops now; None when numba is not installed."""
    _state["tried"] = True
    try:
        import numba  # noqa: F401
    except ImportError:
        return None
    from battlewright.battlefield.compiled import LOOPS

    _state["loops"] = LOOPS
    return LOOPS


def unload() -> None:
    """Back to plain numpy (for comparisons)."""
    _state.update(done=0, loops=None, tried=False)
