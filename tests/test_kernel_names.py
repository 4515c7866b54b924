"""The kernel knows no faction and no unit: it reads rules as data, whoever they belong to.

Docstrings may show shipped units in their examples; nothing else may name one.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import msgspec
import pytest

ROOT = Path(__file__).parent.parent / "src" / "battlewright"
KERNEL = [
    path for room in ("attack", "battle", "battlefield", "rulestext") for path in sorted((ROOT / room).rglob("*"))
]
KERNEL += sorted(ROOT.glob("effects*.py"))
#: words of the rulebook that are also the name of a unit
COMMON = {"captain"}


def names() -> set[str]:
    """Every unit and faction of the shipped datasheets, and every faction the game has, in small letters."""
    found = msgspec.json.decode((ROOT / "catalogue" / "factions.json").read_bytes(), type=dict[str, str])
    every = {*found, *found.values()}
    for path in (ROOT / "catalogue").glob("*/datasheets/*.json"):
        sheet = msgspec.json.decode(path.read_bytes())
        every |= {sheet["name"], sheet.get("faction", ""), *sheet.get("faction_keywords", ())}
    return {name.lower() for name in every} - COMMON - {""}


def code_of(path: Path) -> str:
    """What the file says without its docstrings and comments; a grammar file as it stands."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return text
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                first.value.value = ""
    return ast.unparse(tree)


NAMED = re.compile("|".join(rf"\b{re.escape(name)}s?\b" for name in sorted(names(), key=len, reverse=True)))


def test_there_are_names_to_look_for() -> None:
    assert {"kasrkin", "canis rex", "astra militarum", "adeptus astartes", "orks"} <= names()
    assert NAMED.search("while a kasrkin unit")
    assert not NAMED.search("while an infantry unit")


@pytest.mark.parametrize(
    "path",
    [path for path in KERNEL if path.suffix in (".py", ".frames", ".json")],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_the_kernel_names_nobody(path: Path) -> None:
    found = NAMED.findall(code_of(path).lower())
    assert not found
