"""Whole battles as text. Renewed by ``uv run python tests/battle/playthrough.py``; the difference is read in review."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from battlewright.battle.engine import Battle
from battlewright.battle.events import ControlChanged, CpChanged, Moved, PhaseBegan, Quiet, Rolled, VpScored
from battlewright.players import player

FOLDER = Path(__file__).parent.parent / "playthroughs"
PLAYED = {"10e": ("Ranger post", "Ranger post", 6), "11e": ("Kasrkin patrol", "Kasrkin patrol", 6)}
LONG = 150


def playthrough(edition: str) -> Iterator[str]:
    """Every decision, answer and thing seen of one battle, a line each."""
    first, second, seed = PLAYED[edition]
    battle = Battle.new((first, second), edition=edition, seed=seed, debug=True)
    players = [player("random", seed), player("random", seed + 1)]
    yield f"{edition}: {first} x {second}, seed {seed}"
    told = 0
    while not battle.over:
        yield from seen(battle, told)
        told = len(battle.log)
        decision = battle.decision
        assert decision is not None
        count = "endless" if decision.region else f"{len(list(battle.legal_choices()))} choices"
        choice = players[battle.to_choose].choose(battle)
        yield f"? {decision.prompt(battle.table)} [{count}]"
        yield f"! {short(str(choice))}"
        battle.play(choice)
    yield from seen(battle, told)
    yield f"over: {battle.vp[0]} - {battle.vp[1]}, state {battle.hash()}"


def seen(battle: Battle, since: int) -> Iterator[str]:
    """What became of an answer: dice, moves, points, losses; the rest by kind."""
    t = battle.table
    for cause, event in battle.log[since:]:
        match event:
            case Rolled(purpose=purpose, faces=faces):
                yield f"  {purpose}: {' '.join(map(str, faces))}  ({cause})"
            case Moved(unit=unit, kind=kind, poses=poses):
                yield f"  {t.name(unit)} {kind}, {len(poses)} models  ({cause})"
            case CpChanged(player=who, by=by) | VpScored(player=who, by=by):
                yield f"  {t.who(who)} {type(event).__name__} {by:+d}  ({cause})"
            case ControlChanged(objective=objective, player=who, levels=levels):
                yield f"  objective {objective}: {who} {levels}  ({cause})"
            case PhaseBegan(phase=phase):
                yield f"= round {battle.state.round}, {phase}"
            case Quiet():
                pass
            case _:
                yield f"  {type(event).__name__}  ({cause})"


def short(text: str) -> str:
    """The text itself, or its beginning and a digest of all of it."""
    if len(text) <= LONG:
        return text
    return f"{text[:LONG]}… {blake2b(text.encode(), digest_size=6).hexdigest()}"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for edition in PLAYED:
        (FOLDER / f"{edition}.txt").write_text("\n".join(playthrough(edition)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
