"""How long catalogues take: importing the samples beside the checkout, and the first look-up of a fresh process.

uv run python benchmarks/catalogues.py [FOLDER ...]
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SHARED = Path(__file__).parent.parent.parent / "shared" / "catalogues"
LOOKUP = """
import time
start = time.perf_counter()
from battlewright.catalogue.lookup import find
loaded = time.perf_counter()
find({name!r}, {edition!r})
print(loaded - start, time.perf_counter() - loaded)
"""


def main() -> None:
    folders = [Path(one) for one in sys.argv[1:]] or sorted(SHARED.glob("1*e"))
    with tempfile.TemporaryDirectory() as data:
        os.environ["XDG_DATA_HOME"] = data
        for folder in folders:
            measure(folder)


def measure(folder: Path) -> None:
    from battlewright.catalogue import store
    from battlewright.formats.detect import read_catalogue

    start = time.perf_counter()
    reading = read_catalogue(folder)
    read = time.perf_counter()
    assert reading.edition is not None
    store.put(folder.name, reading.edition, reading.datasheets, reading.extras)
    stored = time.perf_counter()
    size = sum(file.stat().st_size for file in store.folder().glob(f"{folder.name}*")) / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{folder.name}: {len(reading.datasheets)} datasheets read in {read - start:.2f} s, stored in {stored - read:.2f} s"
    )
    print(f"  {size:.1f} MB on disk, {peak:.0f} MB of memory at most")
    name = reading.datasheets[len(reading.datasheets) // 2].name
    code = LOOKUP.format(name=name, edition=reading.edition)
    times = [subprocess.check_output([sys.executable, "-c", code], text=True).split() for _ in range(9)]
    imports, lookups = (statistics.median(float(one[place]) for one in times) for place in (0, 1))
    print(f"  first look-up in a fresh process: {lookups * 1000:.1f} ms after {imports * 1000:.0f} ms of imports")


if __name__ == "__main__":
    main()
