"""Imports point upwards only: each room may import the rooms above it in the list of the design.

Within ``battle`` the same holds, from the state up to the log; what is imported for types alone counts for nothing there.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOMS = [
    "errors", "dice", "codec", "names", "distribution", "effects", "effects_words", "datasheet", "roster", "catalogue",
    "formats", "rulestext", "editions", "attack", "battlefield", "battle", "players", "arena", "gym", "render", "web",
    "cli", "__init__", "__main__",
]  # fmt: skip
#: state <- events <- decisions <- rules <- windows <- procedures <- engine <- log, and what lies between
BATTLE = [
    "armies", "choices", "mission", "state", "clauses", "asked", "events", "decisions", "setting", "orders", "beginning",
    "sight", "scoring", "moves", "aircraft", "targeting", "eligible", "judge", "rules", "position", "table",
    "lasting", "returning", "possible", "windows", "casualties", "attacks", "execute", "reminders", "procedures", "engine",
    "log", "__init__",
]  # fmt: skip
ROOT = Path(__file__).parent.parent / "src" / "battlewright"


def room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def run_time(tree: ast.Module) -> list[ast.stmt]:
    """The statements of a module without those for types alone."""
    return [node for node in tree.body if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")]


def within_battle() -> list[str]:
    """Imports of a battle's modules that point down."""
    wrong = []
    for path in sorted((ROOT / "battle").rglob("*.py")):
        here = path.relative_to(ROOT / "battle").parts[0].removesuffix(".py")
        if here not in BATTLE:
            wrong.append(f"{path}: {here} stands nowhere in the order of the battle's modules")
            continue
        for top in run_time(ast.parse(path.read_text(encoding="utf-8"))):
            for node in ast.walk(top):
                if not isinstance(node, ast.ImportFrom) or not f"{node.module}.".startswith("battlewright.battle."):
                    continue
                assert node.module
                parts = node.module.split(".")
                names = [parts[2]] if len(parts) > 2 else [alias.name for alias in node.names]
                below = [name for name in names if BATTLE.index(name) > BATTLE.index(here)]
                wrong += [f"{path}:{node.lineno}: {here} imports {name}, which is below it" for name in below]
    return wrong


def main() -> int:
    wrong = within_battle()
    for path in sorted(ROOT.rglob("*.py")):
        here = room(path)
        if here not in ROOMS:
            wrong.append(f"{path}: {here} is no room of the design")
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = (
                    [node.module] if node.module != "battlewright" else [f"battlewright.{a.name}" for a in node.names]
                )
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                parts = name.split(".")
                if parts[0] != "battlewright" or len(parts) < 2 or parts[1] not in ROOMS:
                    continue
                if ROOMS.index(parts[1]) > ROOMS.index(here):
                    wrong.append(f"{path}:{node.lineno}: {here} imports {parts[1]}, which is below it")
    print("\n".join(wrong) or f"import direction: {len(ROOMS)} rooms, no import points down")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
