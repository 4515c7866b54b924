"""The package's own surface: what it offers, and that importing it loads nothing heavy."""

from __future__ import annotations

import subprocess
import sys

import pytest

import battlewright as bw
from battlewright.errors import BadInput

HEAVY = ("lark", "shapely", "rich", "numba", "xml.etree", "nicegui", "numpy", "click")


def test_what_the_package_offers() -> None:
    assert bw.odds("Kasrkin", "Canis Rex", range=12, weapons=["hot-shot lasgun"]).attacks.mean == pytest.approx(18)
    assert bw.understand("This unit's melee attacks have [Lethal Hits].").status == "full"
    assert callable(bw.read)
    with pytest.raises(AttributeError, match="no attribute 'spoon'"):
        _ = bw.spoon
    with pytest.raises(BadInput, match="not a condition of an attack @ weather"):
        bw.odds("Kasrkin", "Canis Rex", weather="fine")


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = f"import battlewright, sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_odds_by_name_load_only_what_they_need() -> None:
    code = (
        "import battlewright as bw, sys; bw.odds('Kasrkin', 'Canis Rex');"
        "print([name for name in ('lark', 'shapely', 'rich', 'numba', 'xml.etree', 'nicegui') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
