"""Whole battles under a referee who trusts nobody: see :mod:`referee`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from referee import Foul, Referee

from battlewright.battle.choices import Declare, Do, MovePlan, Pass, PickModel, Put, Select, Shot, Step, Targets, Use
from battlewright.battle.engine import Battle
from battlewright.battle.events import Quiet
from battlewright.battle.table import Table
from battlewright.players import player

ARMIES = {"10e": ("Ranger post", "Strike group"), "11e": ("Kasrkin patrol", "Forge patrol")}
CERTAIN = {"01.05", "03.01", "03.03", "05.04", "07.02", "08.02", "09.02", "09.05", "14.02", "15.01", "26"}


def refereed(edition: str, names: tuple[str, str], seed: int, layout: str | None) -> Referee:
    """A battle played to its end, every event and answer judged."""
    battle = Battle.new(ARMIES[edition], edition=edition, seed=seed, layout=layout)  # type: ignore[arg-type]
    referee = Referee(battle)
    players = [player(name, seed + place) for place, name in enumerate(names)]
    emit = Table.emit

    def watched(table: Table, event: object) -> None:
        quiet = isinstance(event, Quiet)
        before = None if quiet else table.state.copy()
        emit(table, event)  # type: ignore[arg-type]
        if not quiet and table is battle.table:
            referee.see(event, before)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Table, "emit", watched)
        while not battle.over:
            choice = players[battle.to_choose].choose(battle)
            referee.answer(battle, choice)
            referee.t = battle.table
            battle.play(choice)
    return referee


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize(("names", "layout"), [(("greedy", "random"), "ruined town"), (("greedy", "greedy"), None)])
def test_no_rule_is_broken_in_a_whole_battle(edition: str, names: tuple[str, str], layout: str | None) -> None:
    referee = refereed(edition, names, 5, layout)
    assert set(referee.judged) >= CERTAIN


@pytest.mark.long
@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("names", [("random", "random"), ("greedy", "random"), ("greedy", "greedy")])
@pytest.mark.parametrize("layout", [None, "ruined town", "green valley", "storage yard"])
def test_no_rule_is_broken_in_many_battles(edition: str, names: tuple[str, str], layout: str | None) -> None:
    for seed in range(100, 110):
        refereed(edition, names, seed, layout)


def test_the_referee_sees_a_foul() -> None:
    """A wound too many, a model off the board, a point nobody earned: each is called."""
    battle = Battle.new(ARMIES["11e"], edition="11e", seed=1)
    referee = Referee(battle)
    referee.wounds[0] += 1
    with pytest.raises(Foul, match=r"05\.04"):
        referee.books()
    referee.wounds[0] -= 1
    referee.vp[0] = 1
    with pytest.raises(Foul, match="VP"):
        referee.books()


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_every_refusal_cites_a_rule_of_its_edition(shared: Path, edition: str) -> None:
    """At every decision of a battle: what is refused names a rule that the edition has."""
    known = json.loads((shared / "rules" / "ids.json").read_text(encoding="utf-8"))[edition]
    tried = [Pass(), Select("a1"), Select("zz"), Do("advance"), Put("a1"), Targets(("b1",)), Use("15.08", ("a1",))]
    tried += [PickModel("b1#0"), Declare((Shot("a1#0", 0, "b1"),)), MovePlan("a1", (Step("a1#0", ((-5000, 1000),)),))]
    battle = Battle.new(ARMIES[edition], edition=edition, seed=5, layout="ruined town")  # type: ignore[arg-type]
    players = [player("greedy", 1), player("random", 2)]
    cited = set()
    while not battle.over:
        cited |= {reason.rule for reason in map(battle.why_not, tried) if reason is not None}
        battle.play(players[battle.to_choose].choose(battle))
    assert cited
    assert {rule for rule in cited if rule.partition(" ")[0] != edition or rule.partition(" ")[2] not in known} == set()
