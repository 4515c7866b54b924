"""Many whole battles between computer players: faults, figures, and where the time goes.

    uv run python benchmarks/battles.py --battles 1000 --edition 11e --players random random [--debug] [--profile]
    uv run python benchmarks/battles.py --pairs --battles 10 --players greedy greedy [--edition 11e] [--armies A B]

Every battle must end without an exception, a refused offer or a stall. With ``--check`` also: at every decision a copy
has the same hash; the record, played again, gives the same state and the same events; and at one decision in
:data:`SAMPLED` every option applies on a copy, and answers seen earlier and answers that name nothing are either among
the options or refused, the state unchanged. Exit status 1 when anything went wrong.

With ``--pairs`` every pair of the shipped armies plays so many battles, and a table tells what each pair costs: processor
seconds a battle (the machine may be busy with other things), so that no pair hides behind a mean of all. Below it stands
what a copy, a hash and a position cost on a crowded table (see ``state.py``).
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
import traceback
from collections import Counter
from itertools import combinations_with_replacement, islice
from random import Random
from time import process_time

from state import report

from battlewright.battle.choices import Choice, Declare, Die, Do, PickModel, Select, Targets, Use
from battlewright.battle.engine import Battle
from battlewright.battle.log import record, replay
from battlewright.battlefield.fast import PATIENCE, loops
from battlewright.catalogue.armies import armies
from battlewright.effects import EditionId
from battlewright.errors import IllegalChoice
from battlewright.players import player

EDITIONS: tuple[EditionId, ...] = ("10e", "11e")
SAMPLED, MOST_OPTIONS, MOST_ANSWERS = 25, 12, 2000
NOTHING: tuple[Choice, ...] = (
    Select("nobody"), Do("nothing known"), PickModel("nobody#0"), Targets(("nobody",)), Use("no rule"), Die(99), Declare(),
)  # fmt: skip


def one(pair: tuple[str, str], edition: EditionId, names: list[str], seed: int, *, debug: bool, check: bool) -> Battle:
    """One battle to its end, checked as asked."""
    battle = Battle.new(pair, edition=edition, seed=seed, debug=debug)
    players = [player(name, 2 * seed + place) for place, name in enumerate(names)]
    sample, seen = Random(seed), list[Choice](NOTHING)
    while not battle.over:
        assert len(battle.played) < MOST_ANSWERS, "the battle does not come to its end"
        if check:
            assert battle.copy().hash() == battle.hash(), "a copy differs"
            if sample.randrange(SAMPLED) == 0:
                options_apply(battle)
                others_are_refused(battle, sample.sample(seen, min(len(seen), MOST_OPTIONS)))
        choice = players[battle.to_choose].choose(battle)
        if check:
            seen.append(choice)
        battle.play(choice)
    if check:
        again = replay(record(battle))
        assert again.hash() == battle.hash(), "the replay ends otherwise"
        assert again.log == battle.log, "the replay's events differ"
    return battle


def options_apply(battle: Battle) -> None:
    """Every option is taken as it is offered, on a copy; the battle asked is not changed by it."""
    before = battle.hash()
    for choice in islice(battle.legal_choices(), MOST_OPTIONS):
        battle.copy().play(str(choice))
    assert battle.hash() == before, "asking changed the battle"


def others_are_refused(battle: Battle, answers: list[Choice]) -> None:
    """An answer is refused without a change, or legal; where options can be counted, a legal one is among them."""
    assert battle.decision is not None
    options = None if battle.decision.region else set(battle.legal_choices())
    copy = battle.copy()
    before = copy.hash(), len(copy.log), len(copy.played)
    for answer in answers:
        if copy.why_not(answer) is None:
            assert options is None or answer in options, f"{answer} is legal and was not offered"
            continue
        try:
            copy.play(answer)
        except IllegalChoice:
            assert (copy.hash(), len(copy.log), len(copy.played)) == before, f"{answer}: refused, with a change"
        else:
            raise AssertionError(f"{answer} was refused and taken")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--battles", type=int, default=20)
    parser.add_argument("--pairs", action="store_true", help="a table: what each pair of armies costs")
    parser.add_argument("--edition", choices=["10e", "11e"], help="11e otherwise; both with --pairs")
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
    faults = table_of_pairs(asked) if asked.pairs else play_all(asked)
    if profile:
        profile.disable()
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
    return 1 if faults else 0


def pairs_of(asked: argparse.Namespace, edition: EditionId) -> list[tuple[str, str]]:
    """The pair asked for, or every pair of the armies that ship."""
    names = [army.name for army in armies() if army.edition == edition]
    return [tuple(asked.armies)] if asked.armies else list(combinations_with_replacement(names, 2))


def table_of_pairs(asked: argparse.Namespace) -> int:
    """One line a pair: processor seconds a battle (mean and most), decisions and events a battle."""
    faults, means = 0, []
    print(f"numba: {'yes' if loops(PATIENCE) else 'no'}; {' x '.join(asked.players)}; {asked.battles} battles a pair")
    print(f"{'edition':8}{'pair':36}{'CPU s':>7}{'most':>7}{'decisions':>11}{'events':>8}")
    editions = [asked.edition] if asked.edition else EDITIONS
    one(pairs_of(asked, editions[0])[0], editions[0], asked.players, 0, debug=False, check=False)  # compiled, loaded
    for edition in editions:
        for pair in pairs_of(asked, edition):
            times, decisions, events = [], 0, 0
            for seed in range(asked.first, asked.first + asked.battles):
                start = process_time()
                battle = one(pair, edition, asked.players, seed, debug=asked.debug, check=asked.check)
                times.append(process_time() - start)
                decisions += len(battle.played)
                events += len(battle.log)
                faults += battle.refused > 0
            means.append(sum(times) / len(times))
            counts = f"{decisions / len(times):11.0f}{events / len(times):8.0f}"
            print(f"{edition:8}{' x '.join(pair):36}{means[-1]:7.2f}{max(times):7.2f}{counts}", flush=True)
    print(f"the slowest pair {max(means):.2f}, all of them {sum(means) / len(means):.2f}")
    report(times=500)
    return faults


def play_all(asked: argparse.Namespace) -> int:
    edition: EditionId = asked.edition or "11e"
    pairs = pairs_of(asked, edition)
    faults, times, decisions, events = 0, [], [], []
    winners: Counter[int | None] = Counter()
    for seed in range(asked.first, asked.first + asked.battles):
        pair = pairs[seed % len(pairs)]
        start = process_time()
        try:
            battle = one(pair, edition, asked.players, seed, debug=asked.debug, check=asked.check)
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
        if len(times) % 50 == 0:
            print(f"{len(times)} battles, {faults} faults, {sum(times):.0f} CPU s", file=sys.stderr, flush=True)
    if times:
        times.sort()
        print(
            f"{edition} {' x '.join(asked.players)}: {len(times)} battles, {faults} faults; "
            f"CPU s each: mean {sum(times) / len(times):.2f}, median {times[len(times) // 2]:.2f}, most {times[-1]:.2f}; "
            f"decisions {sum(decisions) / len(decisions):.0f}, events {sum(events) / len(events):.0f}; "
            f"A {winners[0]}, B {winners[1]}, drawn {winners[-1]}"
        )
    return faults


if __name__ == "__main__":
    sys.exit(main())
