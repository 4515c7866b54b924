"""The step lists of both editions: every step is a method, every rule id stands in the digests."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import battlewright.battle.procedures
from battlewright.battle.procedures.base import PROCEDURES
from battlewright.editions.battle import ELEVENTH, TENTH, BattleRules

EDITIONS = [pytest.param(TENTH, id="10e"), pytest.param(ELEVENTH, id="11e")]


@pytest.mark.parametrize("numbers", EDITIONS)
def test_every_step_is_a_method_of_its_procedure(numbers: BattleRules) -> None:
    for name, steps in numbers.steps.items():
        for step, rule in steps:
            assert callable(getattr(PROCEDURES[name], step, None)), f"{name}.{step}"
            assert rule


@pytest.mark.parametrize("numbers", EDITIONS)
def test_every_procedure_has_steps_in_the_edition_or_is_never_begun_there(numbers: BattleRules) -> None:
    for name, procedure in PROCEDURES.items():
        assert procedure.own_steps or name in TENTH.steps or name in ELEVENTH.steps, name


@pytest.mark.parametrize("numbers", EDITIONS)
def test_cited_rules_are_rules_of_the_edition(numbers: BattleRules, shared: Path) -> None:
    known = set(json.loads((shared / "rules" / "ids.json").read_text())[numbers.edition])
    cited = {rule for steps in numbers.steps.values() for _, rule in steps} | set(numbers.rules.values())
    cited |= {move.rule for move in numbers.moves}
    strange = {rule for rule in cited if rule not in known and not _section(rule, known)}
    assert not strange, sorted(strange)


def _section(rule: str, known: set[str]) -> bool:
    """A whole section (``08``, ``26.7``: the digest's numbered lines) or a subsection of a known rule."""
    return rule.startswith("26") or any(k.startswith(rule + ".") for k in known) or re.sub(r"\.\d+$", "", rule) in known


def test_the_charge_reads_like_the_rulebook() -> None:
    """11e 11.02: declare, roll, then (11.04) targets and the move; 10e T-7: declare and targets, then the roll."""
    eleventh = [name for name, _ in ELEVENTH.steps["charge_unit"] if name != "take_to_the_skies"]
    assert eleventh == ["declare", "charge_roll", "charge_targets", "charge_move"]
    tenth = [name for name, _ in TENTH.steps["charge_unit"] if not name.startswith("overwatch")]
    assert tenth == ["declare", "charge_targets", "charge_roll", "charge_move"]


def test_every_moment_that_counts_as_told_is_told_by_a_procedure() -> None:
    from battlewright.battle.clauses import MOMENTS

    rooms = Path(battlewright.battle.procedures.__file__).parent
    text = "".join(
        p.read_text() for p in [*rooms.glob("*.py"), rooms.parent / "casualties.py", rooms.parent / "windows.py"]
    )
    assert [name for name in sorted(MOMENTS) if f'"{name}"' not in text] == []


def test_two_passes_in_a_row_end_the_fight_step(table) -> None:
    """11e 12.04.01: a charger whose enemies all fell may pass, and the step ends."""
    import sys

    sys.path.insert(0, str(Path(__file__).parent))
    from conftest import unit

    units = [unit("a1", "A", [(10, 10)], state=["charged"]), unit("b1", "B", [(50, 40)])]
    battle = table("11e", "fight", units)
    asked = []
    while battle.state.phase == "fight" and battle.state.round == 2 and battle.state.turn == 0:
        asked.append(battle.decision.prompt(battle.table))
        battle.play("pass")
    assert any("a unit to fight" in prompt for prompt in asked)
