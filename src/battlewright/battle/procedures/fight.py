"""The Fight phase: pile in, fight, consolidate, in each edition's order.

Rules: 11e 12; 10e T-8.
"""

from __future__ import annotations

from battlewright.battle.choices import Choice, Do, MovePlan, Pass, Select, Targets
from battlewright.battle.decisions import ChooseDo, ChooseTargets, ChooseUnit, MoveModels
from battlewright.battle.eligible import may_consolidate, may_fight, may_fight_first, may_pile_in
from battlewright.battle.moves import consolidation, consolidation_mode, consolidation_objectives, make_move
from battlewright.battle.procedures.base import AGAIN, LEAVE, Next, Procedure, begin, local, procedure, unit_of
from battlewright.battle.procedures.movement import PhaseFrame
from battlewright.battle.procedures.shooting import Attacking
from battlewright.battle.state import MIL, NOBODY, Did
from battlewright.battle.table import Table
from battlewright.battle.windows import moment


@procedure
class Fight(PhaseFrame):
    name = "fight"

    def pile_in(self, t: Table) -> Next:
        """11e 12.02: the turn player makes all his pile-in moves, then the opponent."""
        return self._whole_army(t, "pile_in", may_pile_in, "piling_in")

    def piling_in(self, t: Table, choice: Choice) -> Next:
        return self._army_choice(t, choice, "pile_in", Did.PILED_IN)

    def fights_first_combats(self, t: Table) -> Next:
        """Units with Fights First, players alternating (11e 12.04 step 1; 10e T-8.1 step 1)."""
        if not local(t, "begun"):
            self._note_engaged(t)
            return AGAIN
        return self._combats(t, first=True)

    def remaining_combats(self, t: Table) -> Next:
        """All other eligible units, players alternating (11e 12.04 step 2; 10e T-8.1 step 2)."""
        if local(t, "over"):
            return None
        if t.setting.numbers.first_again and any(may_fight_first(t, u) is None for u in t.units()):
            return "fights_first_combats"
        if t.setting.numbers.steps_begin_anew and not local(t, "remaining"):
            t.set(remaining=True, next=NOBODY)  # each step begins with the player whose turn it is not (T-8.1)
            return AGAIN
        return self._combats(t, first=False)

    def _note_engaged(self, t: Table) -> None:
        """11e: who is engaged when the Fight step begins is eligible for all of it (12.04)."""
        for unit in t.units():
            if t.is_engaged(unit):
                t.mark(unit, Did.ENGAGED_AT_START)
        t.set(begun=True)

    def _combats(self, t: Table, *, first: bool) -> Next:
        legal = may_fight_first if first else may_fight
        ready = [[u for u in t.units(player) if legal(t, u) is None] for player in (0, 1)]
        if not ready[0] and not ready[1]:
            return None
        player = int(local(t, "next", NOBODY))
        if player == NOBODY:
            active = t.setting.numbers.first_to_fight == "active"
            player = t.state.turn if active else 1 - t.state.turn
        if not ready[player]:
            player = 1 - player
        must = [u for u in t.units(player) if t.state.did(u, Did.FIGHTS_NEXT) and may_fight(t, u) is None]
        if must:
            return self.fighting(t, Select(t.name(must[0])))
        passed = list(local(t, "passed", []))
        may_pass = t.setting.numbers.may_pass_far_away and all(_far_away(t, u) for u in ready[player])
        if may_pass and passed and (passed[-1] != player or not ready[1 - player]):
            t.set(over=True)
            return None
        act = "fight_first" if first else "fight"
        return ChooseUnit(player, "fighting", "eligible_to_fight", act, may_pass=may_pass)

    def fighting(self, t: Table, choice: Choice) -> Next:
        if isinstance(choice, Pass):
            player = t.state.to_choose
            t.set(passed=[*local(t, "passed", []), player], next=1 - player)
            return AGAIN
        assert isinstance(choice, Select)
        t.set(passed=[])
        player = next(p for p in (0, 1) if t.index(choice.unit) in t.units(p))
        t.set(next=1 - player)
        unit = begin(t, choice, "fight", Did.CHOSEN_FIGHT, "fight_unit")
        for name in ("selected_to_fight", "selected_to_attack"):
            moment(t, name, subject=unit)
        return AGAIN

    def consolidate(self, t: Table) -> Next:
        """11e 12.07: the turn player's consolidation moves first, then the opponent's."""
        return self._whole_army(t, "consolidate", may_consolidate, "consolidating")

    def consolidating(self, t: Table, choice: Choice) -> Next:
        return self._army_choice(t, choice, "consolidate", Did.CONSOLIDATED)

    def _whole_army(self, t: Table, act: str, legal: object, then: str) -> Next:
        done = local(t, f"{act} done", [])
        for player in (t.state.turn, 1 - t.state.turn):
            if player not in done:
                return ChooseUnit(player, then, act, act)
        return None

    def _army_choice(self, t: Table, choice: Choice, act: str, flag: Did) -> Next:
        if isinstance(choice, Select):
            begin(t, choice, act, flag, act)
        else:
            done = local(t, f"{act} done", [])
            player = next(p for p in (t.state.turn, 1 - t.state.turn) if p not in done)
            t.set(**{f"{act} done": [*done, player]})
        return AGAIN


def _far_away(t: Table, unit: int) -> bool:
    """More than 5" from every enemy unit: its player may pass (12.04.01)."""
    nearest = t.nearest_enemy(unit)
    return nearest is None or nearest[1] > FAR_AWAY


FAR_AWAY = 5.0


@procedure
class FightUnit(Attacking):
    """One unit fights."""

    name = "fight_unit"

    def choose_fight_type(self, t: Table) -> Next:
        """11e 12.05, 12.06: a normal fight, or an overrun fight."""
        unit = unit_of(t)
        t_way = local(t, "way")
        if t_way is None:
            t.set(way="fight")
            return AGAIN
        return ChooseDo(t.owner(unit), "type_chosen", "12.05", "fight_type", unit, ("normal", "overrun"))

    def type_chosen(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, Do)
        t.set(type=choice.what)
        return None

    def overrun_move(self, t: Table) -> Next:
        """An overrun fight may begin with one extra pile-in move (12.06)."""
        if local(t, "type") == "overrun" and not local(t, "overran"):
            t.set(overran=True)
            t.mark(unit_of(t), Did.OVERRUN)
            t.push("pile_in", unit=unit_of(t))
        return None

    def pile_in(self, t: Table) -> Next:
        """10e T-8.2: the unit that fights piles in first; AIRCRAFT never do (T-9.8)."""
        t.set(way="fight")
        if not t.has(unit_of(t), "AIRCRAFT"):
            t.push("pile_in", unit=unit_of(t))
        return None

    def after_fighting(self, t: Table) -> Next:
        unit = unit_of(t)
        if local(t, "told") is None:
            t.set(told=True)
            t.mark(unit, Did.FOUGHT, Did.FIGHTS_NEXT)
        return self._after(t, Did.FOUGHT, "has_fought")

    def consolidate(self, t: Table) -> Next:
        """10e T-8.2: the unit that fought consolidates; AIRCRAFT never do (T-9.8)."""
        if t.alive(unit_of(t)) and not t.has(unit_of(t), "AIRCRAFT"):
            t.push("consolidate", unit=unit_of(t))
        return None


def _starts(t: Table, kind: str) -> bool:
    """The move starts now, and rules may act on that first: False once they have."""
    if local(t, "started"):
        return False
    t.set(started=True)
    for edge in ("before", "when"):
        moment(t, "move_started", subject=unit_of(t), edge=edge, kinds=(kind,))
    return True


@procedure
class PileIn(Procedure):
    """A pile-in move of up to 3" (11e 12.03; 10e T-8.2)."""

    name = "pile_in"

    def choose_targets(self, t: Table) -> Next:
        """Every enemy it is engaged with; if none, one or more within 5" (12.03)."""
        unit, foes = unit_of(t), t.foes(unit_of(t))
        engaged = [e for e in t.engaged_with(unit) if e in foes]
        if engaged:
            t.set(targets=engaged)
            return None
        return ChooseTargets(t.owner(unit), "targets_chosen", "pile_in", unit, "pile_in")

    def targets_chosen(self, t: Table, choice: Choice) -> Next:
        if isinstance(choice, Pass):
            return LEAVE
        assert isinstance(choice, Targets)
        t.set(targets=[t.index(name) for name in choice.units])
        return None

    def move_models(self, t: Table) -> Next:
        unit = unit_of(t)
        if not t.alive(unit):
            return LEAVE
        targets = tuple(local(t, "targets") or t.foes(unit))
        if not targets:
            return LEAVE
        if _starts(t, "pile_in"):
            return AGAIN
        far = t.rules.stride(unit, "pile_in", t.setting.numbers.pile_in)
        reach = (round(far * MIL),) * len(t.alive(unit))
        return MoveModels(t.owner(unit), "moved", "pile_in", unit, "pile_in", reach, targets)

    def moved(self, t: Table, choice: Choice) -> Next:
        if isinstance(choice, MovePlan):
            make_move(t, unit_of(t), "pile_in", choice)
            moment(t, "move_ended", subject=unit_of(t), edge="after", kinds=("pile_in",))
        return None


@procedure
class Consolidate(Procedure):
    """A consolidation move of up to 3" (11e 12.08; 10e T-8.2)."""

    name = "consolidate"

    def choose_mode(self, t: Table) -> Next:
        """The first mode that fits; the player names the units of an engaging one, the objective of the last (12.08)."""
        unit = unit_of(t)
        mode = consolidation_mode(t, unit)
        if mode is None:
            return LEAVE
        if mode == "engaging" and not t.setting.numbers.engage_if_possible:
            return ChooseTargets(t.owner(unit), "targets_chosen", "consolidate", unit, "consolidation")
        if mode == "objective":
            names = tuple(f"objective {number}" for number in consolidation_objectives(t, unit))
            return ChooseDo(t.owner(unit), "objective_chosen", "consolidate", "consolidation_objective", unit, names)
        foes = t.foes(unit)
        t.set(mode=mode, targets=[e for e in t.engaged_with(unit) if e in foes] or list(foes))
        return None

    def objective_chosen(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, Do)
        t.set(mode="objective", targets=[], objective=int(choice.what.removeprefix("objective ")))
        return None

    def targets_chosen(self, t: Table, choice: Choice) -> Next:
        if isinstance(choice, Pass):
            return LEAVE
        assert isinstance(choice, Targets)
        t.set(mode="engaging", targets=[t.index(name) for name in choice.units])
        return None

    def move_models(self, t: Table) -> Next:
        if _starts(t, "consolidate"):
            return AGAIN
        targets, objective = tuple(local(t, "targets")), int(local(t, "objective", NOBODY))
        return consolidation(t, unit_of(t), str(local(t, "mode")), targets, objective)

    def moved(self, t: Table, choice: Choice) -> Next:
        unit = unit_of(t)
        before = set(t.engaged_with(unit))
        if isinstance(choice, MovePlan):
            make_move(t, unit, "consolidate", choice)
            moment(t, "move_ended", subject=unit, edge="after", kinds=("consolidate",))
        t.set(met=[e for e in t.engaged_with(unit) if e not in before])
        return None

    def unfought_enemies(self, t: Table) -> Next:
        """Engaging: enemies now engaged that were not selected to fight become eligible and fight (12.08)."""
        if local(t, "mode") != "engaging":
            return None
        unit = unit_of(t)
        waiting = [e for e in t.engaged_with(unit) if not t.state.did(e, Did.CHOSEN_FIGHT)]
        if not waiting:
            return None
        enemy = 1 - t.owner(unit)
        return ChooseUnit(enemy, "answering", "eligible_to_fight", "fight", may_pass=False)

    def answering(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, Select)
        begin(t, choice, "fight", Did.CHOSEN_FIGHT, "fight_unit")
        return AGAIN
