"""Which frames of the grammar only one army's texts use: written for one wording, and likely to miss the next.

    uv run python benchmarks/frames.py ../shared/corpus [--kind effect] [--top 60]

A text of an army that was never seen is read if its frames were written for others. So the share of tuned texts that are
read with frames other armies use as well foretells what unseen armies will score; the frames below it, most used first,
are what to make more general or to merge. Frames that no text read in full uses are counted by their kind.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from battlewright.rulestext import build
from battlewright.rulestext.language import grammar
from battlewright.rulestext.report import HELD_OUT, entries


def frames_used(text: str, kind: str) -> tuple[str, frozenset[int]]:
    """How far a text was read, and the frames asked for while it was."""
    language = grammar()
    used: set[int] = set()
    ask: Callable[[int], Any] = type(language).builder.__get__(language)

    def noted(frame: int) -> Any:
        used.add(frame)
        return ask(frame)

    language.builder = noted  # type: ignore[method-assign]
    try:
        return build.compile(text, kind=kind).status, frozenset(used)  # type: ignore[arg-type]
    finally:
        del language.builder


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    ask.add_argument("folder", type=Path)
    ask.add_argument("--kind", help="only frames of this kind")
    ask.add_argument("--top", type=int, default=60)
    given = ask.parse_args()
    read: list[tuple[str, frozenset[int]]] = []
    texts = 0
    armies: dict[int, set[str]] = defaultdict(set)
    uses: Counter[int] = Counter()
    for entry in entries(given.folder):
        if entry["faction"] in HELD_OUT or entry["kind"] == "crusade":
            continue
        texts += 1
        status, used = frames_used(entry["text"], entry["kind"])
        if status == "full":
            read.append((entry["faction"], used))
            uses.update(used)
            for number in used:
                armies[number].add(entry["faction"])
    frames = grammar().frames
    shared = sum(all(len(armies[number]) > 1 for number in used) for _, used in read)
    print(
        f"{texts} texts, read in full {len(read) / texts:.1%}, with frames of more than one army {shared / texts:.1%}"
    )
    print(f"{len(frames)} frames, used {len(uses)}; by one army {sum(len(one) == 1 for one in armies.values())}")
    unused = Counter(frame.kind for number, frame in enumerate(frames) if number not in uses)
    print("not used: " + ", ".join(f"{kind} {n}" for kind, n in unused.most_common(12)))
    alone = [number for number in uses if len(armies[number]) == 1 and given.kind in (None, frames[number].kind)]
    for number in sorted(alone, key=lambda number: (-uses[number], number))[: given.top]:
        frame = frames[number]
        print(f"{uses[number]:4} {frame.where:24} {frame.kind}: {frame.pattern[:140]}")


if __name__ == "__main__":
    main()
