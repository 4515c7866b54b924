"""Imports point upwards only: each room may import the rooms above it in the list of the design."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOMS = [
    "errors", "dice", "codec", "names", "distribution", "effects", "effects_words", "datasheet", "roster", "catalogue",
    "formats", "rulestext", "editions", "attack", "battlefield", "battle", "players", "arena", "gym", "render", "web",
    "cli", "__init__", "__main__",
]  # fmt: skip
ROOT = Path(__file__).parent.parent / "src" / "battlewright"


def room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def main() -> int:
    wrong = []
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
