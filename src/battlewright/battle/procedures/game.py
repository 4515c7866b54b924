"""A whole battle, its rounds and its turns.

Rules: 11e 07, 26; 10e T-3.1, T-15.
"""

from __future__ import annotations

from battlewright.battle.casualties import destroy_unit, passengers
from battlewright.battle.choices import Choice, Do, Pass, Placement, Put, Select
from battlewright.battle.decisions import ChooseDo, ChooseUnit, PutUnit, SetUpUnit
from battlewright.battle.eligible import may_scout
from battlewright.battle.events import (
    BattleEnded,
    FirstTurn,
    LeftBattlefield,
    MarkSet,
    PhaseBegan,
    PhaseEnded,
    RoundBegan,
    TurnBegan,
    TurnEnded,
)
from battlewright.battle.judge import Context, holds, is_understood, was_key
from battlewright.battle.lasting import end_effects
from battlewright.battle.moves import has_placement, poses_of_steps, set_up
from battlewright.battle.procedures.base import AGAIN, LEAVE, Next, Procedure, local, procedure
from battlewright.battle.reminders import remind
from battlewright.battle.scoring import score
from battlewright.battle.state import NOBODY, Did, P, U, Where
from battlewright.battle.table import Table
from battlewright.battle.windows import moment


@procedure
class WholeBattle(Procedure):
    name = "battle"

    def aircraft(self, t: Table) -> Next:
        """AIRCRAFT start in reserves; with Hover their player may give that up (11e 23.01; 10e T-9.8)."""
        kept = local(t, "kept", [])
        planes = [u for u in t.units(None, Where.UNDEPLOYED) if t.has(u, "AIRCRAFT")]
        if not planes:
            return None
        unit = planes[0]
        if unit not in kept and t.setting.numbers.aircraft_least is not None and t.all_have(unit, "hover"):
            return ChooseDo(t.owner(unit), "hover_chosen", "aircraft", "hover", unit, ("aircraft", "hover"))
        t.emit(LeftBattlefield(unit, int(Where.RESERVES)))
        return AGAIN

    def hover_chosen(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, Do)
        unit = next(u for u in t.units(None, Where.UNDEPLOYED) if t.has(u, "AIRCRAFT"))
        if choice.what == "hover":
            t.emit(MarkSet(f"hover|{unit}", value=True))
        else:
            t.set(kept=[*local(t, "kept", []), unit])
        return AGAIN

    def declare_battle_formations(self, t: Table) -> Next:
        """Which units start in reserves, which embarked; A (the Defender) declares first."""
        if not local(t, "formations"):
            t.set(formations=True)
            for edge in ("during", "start"):
                moment(t, edge, unit="phase", step="declare battle formations")
            return AGAIN
        player = local(t, "declaring", 0)
        if player > 1:
            self._empty_transports(t)
            return None
        return PutUnit(player, "declared", "reserves")

    def _empty_transports(self, t: Table) -> None:
        """A DEDICATED TRANSPORT nobody starts in is destroyed, and triggers nothing (11e 18.01; 10e T-14.1)."""
        for player in (0, 1):
            for unit in (*t.units(player, Where.UNDEPLOYED), *t.units(player, Where.RESERVES)):
                if t.has(unit, "DEDICATED TRANSPORT") and not passengers(t, unit):
                    destroy_unit(t, unit, "a dedicated transport without passengers")

    def declared(self, t: Table, choice: Choice) -> Next:
        player = local(t, "declaring", 0)
        if isinstance(choice, Pass):
            t.set(declaring=player + 1)
        elif isinstance(choice, Put):
            unit, carrier = t.index(choice.unit), t.index(choice.into)
            assert unit is not None
            if carrier is None:
                t.emit(LeftBattlefield(unit, int(Where.RESERVES)))
            else:
                t.emit(LeftBattlefield(unit, int(Where.EMBARKED), carrier))
        return AGAIN

    def deploy(self, t: Table) -> Next:
        """Units are set up one at a time, alternating, the Defender first; who sets up a TITANIC unit skips a turn.

        Rules: 11e 26; 10e T-15.3.
        """
        left = [len(t.units(player, Where.UNDEPLOYED)) for player in (0, 1)]
        if not any(left):
            return None
        player = local(t, "deploying", 0)
        if not left[player]:
            player = 1 - player
        return ChooseUnit(player, "deploying", "deploy", "deploy", may_pass=False, where=(int(Where.UNDEPLOYED),))

    def deploying(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, Select)
        unit = t.index(choice.unit)
        assert unit is not None
        player, skips = t.owner(unit), int(local(t, "skips", NOBODY))
        following = player if skips == 1 - player else 1 - player
        t.set(deploying=following, skips=player if t.has(unit, "TITANIC") else NOBODY)
        t.push("deploy_unit", unit=unit)
        return AGAIN

    def determine_first_turn(self, t: Table) -> Next:
        """Roll off; the winner takes the first turn."""
        if not local(t, "deployed"):
            t.set(deployed=True)
            if moment(t, "deployment_done"):
                return AGAIN
        faces = (0, 0)
        while faces[0] == faces[1]:
            faces = t.roll("roll-off", 2)  # type: ignore[assignment]
        t.emit(FirstTurn(0 if faces[0] > faces[1] else 1))
        return None

    def pre_battle_rules(self, t: Table) -> Next:
        t.push("scouts", turn=t.state.first)
        return None

    def battle_rounds(self, t: Table) -> Next:
        if t.state.round >= t.setting.mission.rounds or is_decided(t):
            return None
        t.push("battle_round")
        return AGAIN

    def end_of_battle(self, t: Table) -> Next:
        """Units still in reserves are destroyed (11e 20.01; 10e T-9.1); most victory points win (26; T-15.2)."""
        if not local(t, "ending"):
            t.set(ending=True)
            if moment(t, "end", unit="battle"):
                return AGAIN
        for unit in t.units(None, Where.RESERVES):
            destroy_unit(t, unit, "still in reserves")
        score(t, "battle", 0)
        score(t, "battle", 1)
        a, b = (int(t.state.player[p, P.VP]) for p in (0, 1))
        winner = -1 if a == b else 0 if a > b else 1
        if is_decided(t):
            gone = [is_destroyed(t, player) for player in (0, 1)]
            winner = winner if all(gone) else gone.index(False)
        t.emit(BattleEnded(winner, (a, b)))
        return None


def is_destroyed(t: Table, player: int) -> bool:
    """Has the player no living model left, on the battlefield or off it?"""
    mine = [unit for unit in t.setting.units if unit.player == player]
    return not any(t.wounds(model) > 0 for unit in mine for model in unit.models)


def is_decided(t: Table) -> bool:
    """Does the mission end with the destruction of an army, and is one destroyed? Rule: 10e T-15.2."""
    return t.setting.mission.ends_with_an_army and any(is_destroyed(t, player) for player in (0, 1))


@procedure
class DeployUnit(Procedure):
    """One unit is set up before the battle."""

    name = "deploy_unit"
    own_steps = (("set_up", "03.02"),)

    def set_up(self, t: Table) -> Next:
        unit = local(t, "unit")
        fits = has_placement(t, unit, "deploy", NOBODY)
        return SetUpUnit(t.owner(unit), "placed", "deploy", unit, "deploy", may_pass=not fits)

    def placed(self, t: Table, choice: Choice) -> Next:
        """A unit that is not set up here starts in reserves (it does not fit anywhere)."""
        unit = local(t, "unit")
        if isinstance(choice, Placement):
            set_up(t, unit, "deploy", poses_of_steps(t, choice.steps))
        else:
            t.emit(LeftBattlefield(unit, int(Where.RESERVES)))
        return None


@procedure
class Redeploy(Procedure):
    """A unit a rule lets be redeployed: set up again in its zone, put into Strategic Reserves, or left where it is."""

    name = "redeploy"
    own_steps = (("choose", "26"), ("set_up", "03.02"))

    def choose(self, t: Table) -> Next:
        unit = int(local(t, "unit"))
        reserves = ("strategic reserves",) if local(t, "reserves") else ()
        names = ("stay", "redeploy", *reserves)
        return ChooseDo(t.owner(unit), "chosen", "deploy", "redeploy", unit, names)

    def chosen(self, t: Table, choice: Choice) -> Next:
        assert isinstance(choice, Do)
        if choice.what == "strategic reserves":
            t.emit(LeftBattlefield(int(local(t, "unit")), int(Where.RESERVES)))
        return None if choice.what == "redeploy" else LEAVE

    def set_up(self, t: Table) -> Next:
        unit = int(local(t, "unit"))
        return SetUpUnit(t.owner(unit), "placed", "deploy", unit, "deploy", may_pass=True)

    def placed(self, t: Table, choice: Choice) -> Next:
        if isinstance(choice, Placement):
            set_up(t, int(local(t, "unit")), "deploy", poses_of_steps(t, choice.steps))
        return None


@procedure
class BattleRound(Procedure):
    name = "battle_round"

    def start_of_round(self, t: Table) -> Next:
        t.emit(RoundBegan(t.state.round + 1))
        if t.state.round == 1:
            remind(t)
        moment(t, "start", unit="round")
        if t.state.round == 1:
            moment(t, "start", unit="battle")
        return None

    def first_turn(self, t: Table) -> Next:
        t.push("turn", player=t.state.first)
        return None

    def second_turn(self, t: Table) -> Next:
        if not is_decided(t):
            t.push("turn", player=1 - t.state.first)
        return None

    def end_of_round(self, t: Table) -> Next:
        """At the end of round 3 reserves that never arrived are destroyed (11e 20.03; 10e T-9.3)."""
        if not local(t, "ended"):
            t.set(ended=True)
            if moment(t, "end", unit="round"):
                return AGAIN
        if t.state.round == 3:
            for unit in t.units(None, Where.RESERVES):
                if int(t.state.unit[unit, U.ARRIVED]) == 0:
                    destroy_unit(t, unit, "still in reserves")
        end_effects(t, "round")
        return None


@procedure
class Turn(Procedure):
    name = "turn"

    def start_of_turn(self, t: Table) -> Next:
        t.emit(TurnBegan(local(t, "player")))
        keep_how_it_was(t, "turn_start")
        moment(t, "start", unit="turn")
        return None

    def command_phase(self, t: Table) -> Next:
        return self._phase(t, "command")

    def movement_phase(self, t: Table) -> Next:
        return self._phase(t, "movement")

    def shooting_phase(self, t: Table) -> Next:
        return self._phase(t, "shooting")

    def charge_phase(self, t: Table) -> Next:
        return self._phase(t, "charge")

    def fight_phase(self, t: Table) -> Next:
        return self._phase(t, "fight")

    def _phase(self, t: Table, phase: str) -> Next:
        if t.state.phase == phase:
            end_effects(t, "phase")
            end_effects(t, f"end {phase}|{t.state.round}|{t.state.turn}")
            t.emit(PhaseEnded(phase))
            return None
        if is_decided(t):
            return None
        t.emit(PhaseBegan(phase))
        end_effects(t, f"start {phase}|{t.state.round}|{t.state.turn}")
        keep_how_it_was(t, "phase_start")
        t.push(phase)
        return AGAIN

    def end_of_turn(self, t: Table) -> Next:
        if local(t, "ending") is None:
            t.set(ending=True)
            t.push("end_of_turn")
            return AGAIN
        end_effects(t, "turn")
        end_effects(t, f"end turn|{t.state.round}|{t.state.turn}")
        t.emit(TurnEnded(local(t, "player")))
        return None


def keep_how_it_was(t: Table, at: str) -> None:
    """What rules will ask of how units are now, at the beginning of a phase or a turn, is kept of each of them."""
    for condition in t.setting.asks_of_before:
        if condition.at == at and is_understood(condition):
            units = [u for where in (Where.BATTLEFIELD, Where.RESERVES, Where.EMBARKED) for u in t.units(None, where)]
            for owner in (0, 1):
                so = [u for u in units if holds(t, condition.of, u, Context(owner)) is True]
                t.emit(MarkSet(was_key(t, condition, owner), so))


@procedure
class Scouts(Procedure):
    """Scout moves, alternating, the player with the first turn first (11e 24.32); 10e: all of one, then the other."""

    name = "scouts"
    own_steps = (("scout_moves", "24.32"),)

    def scout_moves(self, t: Table) -> Next:
        passed, alternate = local(t, "passed", []), t.setting.numbers.scouts_alternate
        first = int(local(t, "next", t.state.first)) if alternate else t.state.first
        places = (Where.BATTLEFIELD, Where.RESERVES) if t.setting.numbers.scouts_from_zone else (Where.BATTLEFIELD,)
        for player in (first, 1 - first):
            units = [unit for place in places for unit in t.units(player, place)]
            if player not in passed and any(may_scout(t, unit) is None for unit in units):
                return ChooseUnit(player, "scouted", "scouts", "scout", where=tuple(map(int, places)))
        return None

    def scouted(self, t: Table, choice: Choice) -> Next:
        if isinstance(choice, Select):
            unit = t.index(choice.unit)
            assert unit is not None
            t.choose(unit, "scout", Did.CHOSEN_MOVE)
            t.set(next=1 - t.owner(unit))
            t.push("scout_move", unit=unit)
        else:
            t.set(passed=[*local(t, "passed", []), t.state.to_choose])
        return AGAIN
