"""Which texts of the development corpus the gold set holds: picked by a fixed seed, by edition, kind and dialect.

Two in three touch an attack. Each stratum has a share by the root of its size. Left out: crusade, the rulebook's own
prose on its core rules, and texts of more than 600 characters (a rule of that length is a small game of its own; the
report counts them, the gold set does not). Texts that differ only in numbers or capitals count as one.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

SEED, SIZE, LONGEST = 40_000, 150, 600
ATTACK = re.compile(
    r"hit roll|wound roll|invulnerable|InSv|feel no pain|benefit of cover|stealth|critical|saving throw|re-roll a|"
    r"(strength|attacks|damage|penetration|toughness|skill) characteristic|[+-]\d (A|S|AP|D|T|BS|WS)\b|"
    r"\[?(lethal hits|sustained hits|devastating wounds|ignores cover|rapid fire|twin-linked)|"
    r"\[(lance|heavy|precision|anti)",
    re.IGNORECASE,
)


def corpus(shared: Path) -> list[dict[str, Any]]:
    """The development texts that count here, duplicates of an edition once."""
    folder = shared / "corpus"
    with gzip.open(folder / "rules-text-dev.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    rows += map(json.loads, (folder / "rules-text-dev-11e-native.jsonl").read_text(encoding="utf-8").splitlines())
    seen: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        if row["kind"] not in ("crusade", "core-rule"):
            seen.setdefault((row["edition"], re.sub(r"[\W\d]+", " ", row["text"]).lower()), row)
    return list(seen.values())


def pick(shared: Path) -> list[dict[str, Any]]:
    """The texts of the gold set, in a fixed order: one of each stratum in turn, those that touch attacks first."""
    strata: dict[tuple[bool, str, str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in corpus(shared):
        if len(row["text"]) <= LONGEST:
            touches = bool(ATTACK.search(row["text"]))
            strata[not touches, row["edition"], row["kind"], row.get("dialect") or "10e-style"].append(row)
    chance = random.Random(SEED)
    for key in sorted(strata):
        strata[key].sort(key=lambda row: row["id"])
        chance.shuffle(strata[key])
    return _shares(strata, False, SIZE * 2 // 3) + _shares(strata, True, SIZE - SIZE * 2 // 3)


def _shares(strata: dict[tuple[bool, str, str, str], list[dict[str, Any]]], other: bool, size: int) -> list[Any]:
    """``size`` texts; a stratum gives in proportion to the root of its size, the largest remainders first."""
    mine = {key: rows for key, rows in strata.items() if key[0] == other}
    roots = {key: len(rows) ** 0.5 for key, rows in mine.items()}
    exact = {key: size * root / sum(roots.values()) for key, root in roots.items()}
    order = sorted(exact, key=lambda key: (int(exact[key]) - exact[key], key))
    short = size - sum(map(int, exact.values()))
    take = {key: int(exact[key]) + (place < short) for place, key in enumerate(order)}
    return [row for key in sorted(mine) for row in mine[key][: take[key]]]
