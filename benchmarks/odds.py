"""How fast the odds are, side by side with what a user would pick instead; run it yourself:

    uv run --group bench python benchmarks/odds.py

Each line is the best of several runs in this process, the answers beside it. A peer that is not installed, or cannot
express a question, is left out with the reason. Ratios say more than milliseconds: they are of the same run.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from battlewright.attack.answer import answer
from battlewright.attack.exact import resolve
from battlewright.attack.plan import build
from battlewright.attack.request import read

Peer = Callable[[], float]


def body(models: int, T: int, W: int, Sv: int, **more: Any) -> dict[str, Any]:
    return {"models": models, "T": T, "W": W, "Sv": Sv} | more


def request(weapons: list[dict[str, Any]], groups: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    edition, keywords = more.pop("edition", "11e"), more.pop("keywords", [])
    return {
        "edition": edition,
        "attack": {"weapons": weapons} | more,
        "target": {"groups": groups, "keywords": keywords},
    }


GUNS = {"count": 10, "skill": 3, "S": 3, "AP": -1, "rapid_fire": 1}
CANNON = {"A": 12, "skill": 3, "S": 9, "D": 2, "sustained": 2}
BLADE = {"A": 4, "skill": 3, "S": 14, "AP": -4, "D": 6, "melee": True}
BOMB = {"A": "D6+3", "skill": 4, "S": 8, "AP": -1, "D": "D3", "blast": True, "devastating": True, "twin_linked": True}
EVERYTHING = {"lethal": True, "sustained": 1, "devastating": True, "twin_linked": True}

#: name -> (request, milliseconds it should take)
CASES: dict[str, tuple[dict[str, Any], float]] = {
    "10 guns, rapid fire, into 5 W2": (request([GUNS], [body(5, 4, 2, 3)], half_range=True), 0.3),
    "cannon and blade into W12": (request([CANNON, BLADE], [body(1, 10, 12, 3)], edition="10e"), 0.3),
    "blast into 10 and a character": (
        request(
            [BOMB | {"anti": {"INFANTRY": 4}}],
            [body(10, 4, 1, 4, FNP=6), body(1, 4, 4, 3, InSv=4, character=True)],
            edition="10e",
            keywords=["INFANTRY"],
        ),
        0.3,
    ),
    "30 guns A D6, D D3, into 20 W3 FNP": (
        request(
            [{"count": 30, "A": "D6", "skill": 3, "S": 4, "AP": -1, "D": "D3", "sustained": 1}],
            [body(20, 4, 3, 4, FNP=5)],
        ),
        30,
    ),
    "120 attacks, every ability, into 10 W3": (
        request([{"count": 60, "A": 2, "skill": 3, "S": 4, "AP": -1, "D": 2} | EVERYTHING], [body(10, 4, 3, 3)]),
        10,
    ),
    "200 attacks into 20 W2": (
        request([{"count": 100, "A": 2, "skill": 3, "S": 4, "AP": -1}], [body(20, 4, 2, 4)]),
        10,
    ),
    "120 attacks, every ability, with a character": (
        request(
            [{"count": 60, "A": 2, "skill": 3, "S": 4, "AP": -1, "D": 2} | EVERYTHING],
            [body(10, 4, 3, 3), body(1, 4, 5, 2, InSv=4, character=True)],
        ),
        100,
    ),
}


def best_ms(call: Callable[[], Any], times: int = 15) -> float:
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return 1000 * best


def peers() -> dict[str, Peer | str]:
    """The first case (20 attacks, 5 models of W2) asked of others: a call that gives models slain, or why not."""
    return {"icepool, by hand": with_icepool(), "warhammer-stats": with_stats(), "wh40kdc cruncher": with_cruncher()}


def with_icepool() -> Peer | str:
    try:
        import icepool
    except ImportError as error:
        return f"not installed ({error})"

    def call() -> float:
        hit, wound, fail = icepool.d6 >= 3, icepool.d6 >= 5, icepool.d6 < 4
        lost = 20 @ (hit & wound & fail)
        slain = lost.map(lambda wounds: min(5, wounds // 2))
        return float(slain.mean())

    return call


def with_stats() -> Peer | str:
    try:
        from warhammer_stats import Attack, Target, Weapon
        from warhammer_stats.utils.pmf import PMFCollection
    except ImportError as error:
        return f"not installed ({error})"

    def call() -> float:
        gun = Weapon(bs=3, shots=PMFCollection.static(20), strength=3, ap=1, damage=PMFCollection.static(1))
        target = Target(toughness=4, save=3, invuln=7, fnp=7, wounds=2)
        return float(Attack(gun, target).run().kills_dist.mean())

    return call


def with_cruncher() -> Peer | str:
    try:
        from wh40kdc import cruncher
        from wh40kdc.data.dataset import Dataset
    except ImportError as error:
        return f"not installed ({error})"
    stats = {"A": 2, "BS": 3, "WS": 3, "S": 3, "AP": -1, "D": 1}
    weapon = {"id": "gun", "name": "gun", "profiles": [{"name": "gun", "range": 24, "stats": stats, "keywords": []}]}
    profile = {"name": "body", "M": 6, "T": 4, "Sv": 3, "W": 2, "Ld": 6, "OC": 1}
    unit = {"id": "bodies", "name": "bodies", "profiles": [profile], "keywords": []}
    question = {
        "attacker": {"weapon": weapon, "profileIndex": 0},
        "target": {"unit": unit, "profileIndex": 0, "modelCount": 5},
        "modelsFiring": 10,
        "buffs": [],
        "context": {"phase": "shooting"},
    }
    data = Dataset.embedded()

    def call() -> float:
        return float(cruncher.crunch(question, data)["stages"][-1]["expected"])

    return call


def show_ours() -> float:
    print(f"{'':46}{'plan, ms':>9}{'exact, ms':>10}{'answer, ms':>11}{'wanted':>8}{'slain':>10}")
    first = 0.0
    for name, (asked, wanted) in CASES.items():
        question = read(asked)
        plan = build(question)
        exact = best_ms(lambda plan=plan: resolve(plan))
        whole = best_ms(lambda question=question: answer(question))
        first = first or whole
        planned = best_ms(lambda question=question: build(question))
        slain = answer(question).slain.mean
        print(f"{name:46}{planned:9.3f}{exact:10.3f}{whole:11.3f}{wanted:8g}{slain:10.5f}")
    return first


def show_peers(ours: float) -> None:
    print("\nThe first case asked of others; the right answer is 0.86275 models slain (the cruncher gives means only)")
    for name, peer in peers().items():
        if isinstance(peer, str):
            print(f"  {name:24} left out: {peer}")
            continue
        try:
            result, taken = peer(), best_ms(peer, 5)
        except Exception as error:
            print(f"  {name:24} left out: {type(error).__name__}: {error}")
            continue
        print(f"  {name:24}{taken:10.3f} ms  {taken / ours:8.1f} times ours   answer {result:.5f}")


def show_table() -> None:
    start = time.perf_counter()
    for skill in range(30):
        for models in range(30):
            gun = GUNS | {"skill": 2 + skill % 5, "S": 3 + skill % 8, "AP": -(skill % 4)}
            answer(read(request([gun], [body(1 + models % 10, 3 + models % 9, 1 + models % 4, 2 + models % 5)])))
    print(f"\na table of 30 x 30, read and answered: {time.perf_counter() - start:.2f} s")


def show_cold_start() -> None:
    text = json.dumps(request([GUNS], [body(5, 4, 2, 3)])).encode()
    command = [sys.executable, "-m", "battlewright", "odds", "--request", "-", "--json"]
    taken = best_ms(lambda: subprocess.run(command, input=text, capture_output=True, check=True), 5)
    print(f"from a cold start, the whole command: {taken / 1000:.2f} s (wanted 0.5)")


def main() -> None:
    ours = show_ours()
    show_peers(ours)
    show_table()
    show_cold_start()


if __name__ == "__main__":
    main()
