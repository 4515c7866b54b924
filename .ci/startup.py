"""Importing the package, and starting a command that does not need them, loads no heavy library."""

from __future__ import annotations

import subprocess
import sys

#: what may never be loaded by ``import battlewright`` or ``battlewright --help``
HEAVY = {"lark", "shapely", "numba", "numpy", "rich", "nicegui", "xml.etree.ElementTree", "dask", "joblib", "wh40kdc"}
#: commands, and what of the heavy ones each may load
ALLOWED = {
    "--help": set(),
    "odds --help": {"numpy", "rich"},
    "understand --help": set(),
    "battle --help": {"numpy"},
    "roster --help": set(),
}

CODE = """
import sys
import battlewright
{call}
print("\\n".join(sys.modules))
"""

CALL = """
import contextlib, io
from battlewright.cli import group
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    group.main({arguments!r}, standalone_mode=False)
"""


def loaded(call: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", CODE.format(call=call)], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def main() -> int:
    wrong = [f"import battlewright loads {name}" for name in sorted(loaded("") & HEAVY)]
    for words, allowed in ALLOWED.items():
        over = loaded(CALL.format(arguments=words.split())) & HEAVY - allowed
        wrong += [f"battlewright {words} loads {name}" for name in sorted(over)]
    print("\n".join(wrong) or f"start-up: the import and {len(ALLOWED)} commands load nothing heavy")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
