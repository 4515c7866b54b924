"""Many whole battles between computer players: faults, figures, and where the time goes.

    uv run python benchmarks/battles.py --battles 1000 --edition 11e --players random random [--debug] [--profile]

Every battle must end without an exception, a refused offer or a stall; with ``--check`` its record is replayed, and at
every decision the hash of a copy is compared. Exit status 1 when anything went wrong.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
import traceback
from collections import Counter
from itertools import combinations_with_replacement
from time import process_time

from battlewright.battle.engine import Battle
from battlewright.battle.log import record, replay
from battlewright.catalogue.armies import armies
from battlewright.players import player


def one(pair: tuple[str, str], edition: str, names: list[str], seed: int, *, debug: bool, check: bool) -> Battle:
    """One battle to its end, checked as asked."""
    battle = Battle.new(pair, edition=edition, seed=seed, debug=debug)
    players = [player(name, 2 * seed + place) for place, name in enumerate(names)]
    while not battle.over:
        if check:
            assert battle.copy().hash() == battle.hash(), "a copy differs"
        battle.play(players[battle.to_choose].choose(battle))
    if check:
        assert replay(record(battle)).hash() == battle.hash(), "the replay differs"
    return battle


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--battles", type=int, default=20)
    parser.add_argument("--edition", choices=["10e", "11e"], default="11e")
    parser.add_argument("--players", nargs=2, default=["random", "random"])
    parser.add_argument("--armies", nargs=2)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--debug", action="store_true", help="states locked outside apply")
    parser.add_argument("--check", action="store_true", help="copies and replays compared")
    parser.add_argument("--profile", action="store_true")
    asked = parser.parse_args()
    profile = cProfile.Profile() if asked.profile else None
    if profile:
        profile.enable()
    faults = play_all(asked)
    if profile:
        profile.disable()
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
    return 1 if faults else 0


def play_all(asked: argparse.Namespace) -> int:
    names = [army.name for army in armies() if army.edition == asked.edition]
    pairs = [tuple(asked.armies)] if asked.armies else list(combinations_with_replacement(names, 2))
    faults, times, decisions, events = 0, [], [], []
    winners: Counter[int | None] = Counter()
    for seed in range(asked.first, asked.first + asked.battles):
        pair = pairs[seed % len(pairs)]
        start = process_time()
        try:
            battle = one(pair, asked.edition, asked.players, seed, debug=asked.debug, check=asked.check)
        except Exception:
            faults += 1
            print(f"seed {seed}, {pair}:", file=sys.stderr)
            traceback.print_exc(limit=-6)
            continue
        faults += battle.refused > 0
        times.append(process_time() - start)
        decisions.append(len(battle.played))
        events.append(len(battle.log))
        winners[battle.winner] += 1
        if times[-1] > 20:
            print(f"slow: seed {seed}, {pair}: {times[-1]:.1f} s", file=sys.stderr)
    if times:
        times.sort()
        print(
            f"{asked.edition} {' x '.join(asked.players)}: {len(times)} battles, {faults} faults; "
            f"CPU s each: mean {sum(times) / len(times):.2f}, median {times[len(times) // 2]:.2f}, most {times[-1]:.2f}; "
            f"decisions {sum(decisions) / len(decisions):.0f}, events {sum(events) / len(events):.0f}; "
            f"A {winners[0]}, B {winners[1]}, drawn {winners[-1]}"
        )
    return faults


if __name__ == "__main__":
    sys.exit(main())
