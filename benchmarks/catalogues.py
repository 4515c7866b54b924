"""How long catalogues take: importing a folder and a whole edition, and the first look-up of a fresh process.

uv run python benchmarks/catalogues.py [FOLDER ...]

Without folders those of the samples beside the checkout. A whole edition is made of a folder: its catalogues again under
other ids and names until there are about 1,900 datasheets. Each import runs in a process of its own; CPU seconds count, the
wall clock of a busy machine stands beside them.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

SHARED = Path(__file__).parent.parent.parent / "shared" / "catalogues"
#: Datasheets of a whole edition.
WHOLE = 1_900
_ID = re.compile(r"\b[0-9a-f]{1,4}(?:-[0-9a-f]{1,4}){3}\b")

IMPORT = """
import json, resource, sys, time
from pathlib import Path
from battlewright.catalogue import store
from battlewright.formats.detect import read_catalogue
wall, cpu = time.perf_counter(), time.process_time()
found = read_catalogue(Path(sys.argv[1]))
read = time.process_time() - cpu
store.put(sys.argv[2], found.edition, found.datasheets, found.extras)
print(json.dumps({
    "datasheets": len(found.datasheets), "edition": found.edition, "read": read, "cpu": time.process_time() - cpu,
    "wall": time.perf_counter() - wall, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    "name": found.datasheets[len(found.datasheets) // 2].name,
}))
"""
LOOKUP = """
import sys, time
start = time.process_time()
from battlewright.catalogue.lookup import find
loaded, wall = time.process_time(), time.perf_counter()
find(sys.argv[1], sys.argv[2])
print(loaded - start, time.process_time() - loaded, time.perf_counter() - wall)
"""


def main() -> None:
    folders = [Path(one) for one in sys.argv[1:]] or sorted(SHARED.glob("1*e"))
    with tempfile.TemporaryDirectory() as data:
        os.environ["XDG_DATA_HOME"] = data
        for folder in folders:
            found = measure(folder, folder.name)
            whole = Path(data) / f"whole-{folder.name}"
            make_whole(folder, whole, copies=-(-WHOLE // found["datasheets"]))
            measure(whole, f"whole {folder.name}")


def measure(folder: Path, name: str) -> dict[str, Any]:
    """Import a folder, look a datasheet of it up, print both."""
    found: dict[str, Any] = json.loads(run(IMPORT, str(folder), name))
    file = max(Path(os.environ["XDG_DATA_HOME"]).rglob(f"{name}.*"), key=lambda one: one.stat().st_size)
    print(f"{name}: {found['datasheets']} datasheets, {file.stat().st_size / 1e6:.1f} MB stored")
    print(
        f"  import {found['cpu']:.1f} s CPU ({found['read']:.1f} s of it reading), {found['wall']:.1f} s by the clock, "
        f"{found['memory']:.0f} MB of memory at most"
    )
    rows = [list(map(float, run(LOOKUP, found["name"], found["edition"]).split())) for _ in range(9)]
    imports, lookup, wall = (statistics.median(row[at] for row in rows) * 1000 for at in range(3))
    print(f"  first look-up {lookup:.1f} ms CPU, {wall:.1f} ms by the clock, after {imports:.0f} ms of imports")
    return found


def run(code: str, *words: str) -> str:
    return subprocess.check_output([sys.executable, "-c", code, *words], text=True)


def make_whole(folder: Path, into: Path, copies: int) -> None:
    """The catalogues of a folder so many times: the game system once, all else under other ids and names."""
    into.mkdir()
    texts = {path.name: unpacked(path) for path in sorted(folder.iterdir()) if path.is_file()}
    shared = {word for text in texts.values() if is_system(text) for word in _ID.findall(text)}
    for name, text in texts.items():
        ending = ".cat" if text.lstrip()[:1] == "<" else ".json"
        if is_system(text):
            (into / f"{name}{'.gst' if ending == '.cat' else ending}").write_text(text, encoding="utf-8")
            continue
        for number in range(copies):
            mark = f"-{number:04x}" if number else ""
            other = _ID.sub(lambda found, mark=mark: found[0] + ("" if found[0] in shared else mark), text)  # type: ignore[misc]
            other = renamed(other, f" {number + 1}") if number else other
            (into / f"{name} {number}{ending}").write_text(other, encoding="utf-8")


def is_system(text: str) -> bool:
    return bool(re.search(r'<gameSystem\b|^\s*\{\s*"gameSystem"\s*:', text[:2000]))


def renamed(text: str, mark: str) -> str:
    """The same file with another name for the file and for every unit and model."""
    if text.lstrip()[:1] == "<":
        tags = r"<catalogue\b[^>]*>|<selectionEntry\b(?=[^>]*\btype=\"(?:unit|model)\")[^>]*>"
        return re.sub(tags, lambda tag: re.sub(r'(\bname="[^"]*)', rf"\g<1>{mark}", tag[0], count=1), text)
    tree = json.loads(text)
    stack = list(tree.values())
    tree["catalogue"]["name"] += mark
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            if node.get("type") in ("unit", "model") and "targetId" not in node:
                node["name"] = f"{node['name']}{mark}"
            stack += node.values()
        elif isinstance(node, list):
            stack += node
    return json.dumps(tree)


def unpacked(path: Path) -> str:
    data = path.read_bytes()
    if data[:2] == b"PK":
        with zipfile.ZipFile(path) as archive:
            data = archive.read(archive.namelist()[0])
    elif data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    return data.decode("utf-8-sig")


if __name__ == "__main__":
    main()
