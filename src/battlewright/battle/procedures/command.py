"""The Command phase and the battle-shock roll.

Rules: 11e 08, 01.07; 10e T-3.2, T-2.3.
"""

from __future__ import annotations

from typing import Literal

from battlewright.battle.choices import Choice, Select
from battlewright.battle.decisions import PREDICATES, ChooseUnit
from battlewright.battle.events import CpChanged, RuleUsed, ShockChanged, Told
from battlewright.battle.lasting import end_effects
from battlewright.battle.procedures.base import AGAIN, Next, Procedure, local, procedure, rolled, unit_of
from battlewright.battle.scoring import determine_control, score
from battlewright.battle.state import Where
from battlewright.battle.table import Table
from battlewright.battle.windows import moment
from battlewright.errors import Reason


@procedure
class Command(Procedure):
    name = "command"

    def start_of_phase(self, t: Table) -> Next:
        """10e: battle-shock of the active player's units ends here; effects that last until now end."""
        if not t.setting.numbers.shock_until_passed:
            for unit, definition in enumerate(t.setting.units):
                if definition.player == t.state.turn and t.state.shocked(unit):
                    t.emit(ShockChanged(unit, False))
        end_effects(t, "command", t.state.turn)
        moment(t, "start", unit="phase")
        return None

    def core_cp(self, t: Table) -> Next:
        """Both players gain 1CP."""
        for player in (0, 1):
            t.emit(CpChanged(player, 1, "Core CP"))
        return None

    def battle_shock(self, t: Table) -> Next:
        """A roll for each unit that must take one (11e 08.03; 10e T-3.2 step 2)."""
        if not local(t, "forced"):
            t.set(forced=True)
            moment(t, "during", unit="phase", step="battle-shock")
            return AGAIN
        queue = local(t, "tests")
        if queue is None:  # who was made to test in this step does not test again (11e 08.03.01; 10e T-3.2)
            left = [u for u in _all_units(t, t.state.turn) if not t.state.uses(*_tested(t, u))]
            t.set(tests=[u for u in left if must_test(t, u)])
            return AGAIN
        if not queue:
            return None
        if len(queue) > 1:
            places = tuple(map(int, (Where.BATTLEFIELD, Where.RESERVES, Where.EMBARKED)))
            return ChooseUnit(t.state.turn, "tested", "shocked", "battle_shock", may_pass=False, where=places)
        return self.tested(t, Select(t.name(queue[0])))

    def tested(self, t: Table, choice: Choice) -> Next:
        """One unit after the other, in the order of their player."""
        assert isinstance(choice, Select)
        unit = t.index(choice.unit)
        assert unit is not None
        t.set(tests=[other for other in local(t, "tests") if other != unit])
        if t.alive(unit):
            t.push("battle_shock_roll", unit=unit, step=True)
        return AGAIN

    def command_abilities(self, t: Table) -> Next:
        moment(t, "during", unit="phase")
        return None

    def end_of_phase(self, t: Table) -> Next:
        if not local(t, "controlled"):
            determine_control(t)
            t.set(controlled=True)
            if moment(t, "end", unit="phase"):
                return AGAIN
        score(t, "command", t.state.turn)
        return None


def why_not_test(t: Table, unit: int) -> Reason | None:
    """Is a battle-shock roll still due for the unit in this step?"""
    due = next((frame.local.get("tests") or [] for frame in t.state.frames if frame.procedure == "command"), [])
    return None if unit in due else t.reason("shocked", f"no battle-shock roll is due for {t.name(unit)}")


PREDICATES.units["battle_shock"] = why_not_test


def _tested(t: Table, unit: int) -> tuple[object, ...]:
    """The key a forced battle-shock roll of a Command phase is counted under."""
    return ("tested", unit, t.state.round, t.state.turn)


def _in_its_step(t: Table) -> bool:
    """Is this the Battle-shock step of the Command phase?"""
    steps = t.setting.numbers.steps["command"]
    at = next((frame.step for frame in t.state.frames if frame.procedure == "command"), len(steps))
    return at < len(steps) and steps[at][0] == "battle_shock"


def _all_units(t: Table, player: int) -> tuple[int, ...]:
    """11e tests units off the battlefield too (01.02.04); 10e only those on it."""
    off = (Where.RESERVES, Where.EMBARKED) if t.setting.numbers.tests_off_battlefield else ()
    return t.units(player) + tuple(u for where in off for u in t.units(player, where))


def must_test(t: Table, unit: int) -> bool:
    """Is a battle-shock roll due for this unit in its Battle-shock step? Rules: 11e 08.03; 10e T-3.2."""
    numbers = t.setting.numbers
    now, start = t.strength(unit)
    if t.rules.forbids("battle-shock test", unit):
        return False
    below = 2 * now < start or (numbers.shock_at_half and 2 * now == start)
    return below or (numbers.shock_until_passed and t.state.shocked(unit))


@procedure
class BattleShockRoll(Procedure):
    """2D6 against the best Leadership. A step of its own because many rules force one."""

    name = "battle_shock_roll"

    def before_roll(self, t: Table) -> Next:
        """Insane Bravery may be used just before the roll."""
        if local(t, "asked"):
            return None
        t.set(asked=True)
        for edge in ("when", "before"):
            moment(t, "test_taken", subject=unit_of(t), edge=edge, kinds=("battle_shock",))
        return AGAIN

    def roll(self, t: Table) -> Next:
        unit = unit_of(t)
        if local(t, "passed"):
            t.emit(Told("battle-shock passed without a roll", unit, t.setting.rule_id("shocked")))
            return self._result(t, unit, True)
        passed = against_leadership(t, unit, "battle_shock")
        return AGAIN if passed is None else self._result(t, unit, passed)

    def _result(self, t: Table, unit: int, passed: bool) -> Next:
        if passed and t.state.shocked(unit) and local(t, "step") and t.setting.numbers.shock_until_passed:
            t.emit(ShockChanged(unit, False))
        elif not passed and not t.state.shocked(unit):
            t.emit(ShockChanged(unit, True))
        if not local(t, "step") and _in_its_step(t):
            t.emit(RuleUsed("battle-shock", t.owner(unit), unit, ("|".join(map(str, _tested(t, unit))),)))
        t.answer("passed" if passed else "failed")
        moment(t, "test_passed" if passed else "test_failed", subject=unit, edge="after", kinds=("battle_shock",))
        return None


def against_leadership(t: Table, unit: int, roll: Literal["battle_shock", "leadership"]) -> bool | None:
    """2D6 with their modifiers against the best Leadership of a unit (11e 01.06; 10e T-2.3); None until they are rolled."""
    target = t.rules.leadership(unit)
    faces = rolled(t, roll, 2, unit, t.setting.rule_id("shocked"), whole=True, needs=target)
    if faces is None:
        return None
    return max(sum(faces) + t.rules.roll_bonus(roll, unit) + int(local(t, "plus", 0)), 1) >= target


@procedure
class LeadershipTest(Procedure):
    """2D6 against the best Leadership, as a battle-shock roll, for whoever calls for it (11e 01.06; 10e T-2.3)."""

    name = "leadership_test"
    own_steps = (("before_roll", "01.06"), ("roll", "01.06"))

    def before_roll(self, t: Table) -> Next:
        for edge in ("when", "before"):
            moment(t, "test_taken", subject=unit_of(t), edge=edge, kinds=("leadership",))
        return None

    def roll(self, t: Table) -> Next:
        unit = unit_of(t)
        if not t.alive(unit):
            return None
        passed = against_leadership(t, unit, "leadership")
        if passed is None:
            return AGAIN
        outcome = "passed" if passed else "failed"
        t.answer(outcome)
        moment(t, f"test_{outcome}", subject=unit, edge="after", kinds=("leadership",))
        return None
