"""``Battle``: ask, answer, copy, undo. The one loop that runs procedures until a decision is due.

>>> battle = Battle.new(("Ranger post", "Ranger post"), edition="10e", seed=1)
>>> battle.to_choose, battle.decision.prompt(battle.table)
(0, 'A: units that start in reserves or embarked')
>>> battle.play("pass"), battle.play("pass")
(None, None)
>>> print(battle.why_not("select zz"))
no unit zz (10e T-15.1)
>>> battle.play("select a1")
>>> battle.undo()
'select a1'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

import msgspec

from battlewright.battle import aircraft as _aircraft  # noqa: F401  (registers its moves)
from battlewright.battle import procedures as _procedures  # noqa: F401  (registers them)
from battlewright.battle.armies import two_armies
from battlewright.battle.beginning import equip, fresh_state
from battlewright.battle.choices import Choice, Use, read_choice
from battlewright.battle.decisions import ChooseUnit, Decision, React, RerollRoll
from battlewright.battle.events import Asked, Event, FramePopped, FramePushed, FrameSet, StandingSet
from battlewright.battle.mission import Mission
from battlewright.battle.mission import mission as mission_named
from battlewright.battle.position import position_of, read_position
from battlewright.battle.procedures.base import AGAIN, LEAVE, PROCEDURES
from battlewright.battle.reminders import not_enforced
from battlewright.battle.setting import Setting, muster
from battlewright.battle.state import Frame, State
from battlewright.battle.table import Table
from battlewright.battle.windows import DURING, find_armed, use
from battlewright.dice import Scripted
from battlewright.effects import EditionId
from battlewright.errors import BadInput, IllegalChoice, Reason
from battlewright.roster import Roster

#: a battle takes so many steps between two decisions at most; more is a fault of ours, told with the frames
MOST_STEPS = 20_000


class Battle:
    """A battle at its decision. ``log``: (cause, event) of everything seen; ``played``: the answers given so far."""

    def __init__(self, setting: Setting, state: State, *, debug: bool = False) -> None:
        self.setting, self.state, self.debug = setting, state, debug
        self.log: list[tuple[str, Event]] = []
        self.played: list[str] = []
        self.snapshots: list[tuple[int, State, int]] = []
        self.table = Table(setting, state, self.log)
        self._decision: Decision | None = None
        self.windows = 0
        self.refused = 0
        self.out_of_dice = False
        self._since: tuple[int, int, str] = (-1, -1, "")
        if debug:
            state.lock()

    # ------------------------------------------------------------------------------------------------- beginning
    @classmethod
    def new(
        cls,
        armies: Sequence[Roster | str],
        mission: str | Mission | None = None,
        edition: EditionId | None = None,
        seed: int = 0,
        *,
        layout: str | None = None,
        debug: bool = False,
    ) -> Self:
        """A battle about to begin: two rosters (or names of shipped armies), a mission, the edition, a seed.

        ``layout``: terrain of ours by name (:mod:`battlewright.battlefield.layouts`); the mission's own otherwise.
        Raises :class:`BadInput` with every fault of the armies.
        """
        from battlewright.battlefield.layouts import layout as terrain_layout

        rosters, edition = two_armies(armies, edition)
        models, units, rules, notes = muster(rosters, edition)
        chosen = mission if isinstance(mission, Mission) else mission_named(mission, edition)
        if layout is not None:
            chosen = msgspec.structs.replace(chosen, terrain=terrain_layout(edition, layout))
        setting = Setting(edition, models, units, chosen, seed, None, rules, notes=tuple(notes), rosters=tuple(rosters))
        setting = equip(setting, rosters)
        battle = cls(setting, fresh_state(setting), debug=debug)
        battle.state_push("battle")
        battle.advance()
        return battle

    @classmethod
    def from_position(cls, position: Mapping[str, Any] | str, *, debug: bool = False) -> Self:
        """The battle at a moment: plain data (or its JSON text) in the published form. Raises :class:`BadInput`."""
        from battlewright.codec import from_json

        plain = from_json(position, dict) if isinstance(position, str) else position
        battle = cls(*read_position(plain), debug=debug)
        battle.advance()
        return battle

    def position(self) -> dict[str, Any]:
        """This moment as plain data in the published form; reads back to the same battle."""
        return position_of(self)

    def finish(self) -> None:
        """The dice script of a position must be used up: raises :class:`BadInput` when dice are left."""
        if self.setting.script is not None:
            Scripted(self.setting.script, self.state.counter).finish()

    def state_push(self, procedure: str, **local: Any) -> None:
        """Begin a procedure by name."""
        self.table.emit(FramePushed(Frame(procedure, 0, local)))

    # ---------------------------------------------------------------------------------------------------- asking
    @property
    def over(self) -> bool:
        """Nothing is asked any more."""
        return self._decision is None

    @property
    def to_choose(self) -> int:
        """The player whose decision is due (0 or 1); -1 when the battle is over."""
        return self.state.to_choose

    @property
    def decision(self) -> Decision | None:
        """What is asked now; None when the battle is over."""
        return self._decision

    def legal_choices(self) -> LegalChoices:
        """The legal choices in a fixed order: a lazy view that also tests membership."""
        return LegalChoices(self)

    def why_not(self, choice: Choice | str) -> Reason | None:
        """The reason against a choice, None when it is legal. Asking changes nothing."""
        if self._decision is None:
            what = "the dice script is used up" if self.out_of_dice else "the battle is over"
            return self.table.reason("dice", what)
        if isinstance(choice, str):
            choice = read_choice(choice)
        return self._decision.why_not(self.table, choice)

    @property
    def vp(self) -> tuple[int, int]:
        """The victory points of both players."""
        return int(self.state.player[0, 1]), int(self.state.player[1, 1])

    @property
    def winner(self) -> int | None:
        """0, 1, or -1 for a draw; None while the battle goes on."""
        return self.state.marks.get("winner")

    # --------------------------------------------------------------------------------------------------- answering
    def play(self, choice: Choice | str) -> None:
        """Answer the decision. Raises :class:`IllegalChoice`, the battle unchanged."""
        if isinstance(choice, str):
            choice = read_choice(choice)
        reason = self.why_not(choice)
        if reason is not None:
            self.refused += 1
            raise IllegalChoice(choice, reason)
        before = self.state.copy()
        self.snapshots.append((len(self.played), before, len(self.log)))
        del self.snapshots[:-SNAPSHOTS]
        self._since = self._now
        try:
            self._take(choice)
            self.advance()
        except BaseException:
            self._restore(before)
            raise
        self.played.append(str(choice))

    def _restore(self, state: State) -> None:
        _, kept, lines = self.snapshots.pop()
        self.state = kept
        if self.debug:
            self.state.lock()
        del self.log[lines:]
        self.table = Table(self.setting, self.state, self.log)
        self._decision = None
        self.out_of_dice = False
        self.advance()
        del state

    def _take(self, choice: Choice) -> None:
        assert self._decision is not None
        decision, depth = self._decision, len(self.state.frames) - 1
        self.table.at_depth(depth)
        self._decision = None
        if isinstance(decision, React | RerollRoll):
            self.windows += 1
        if isinstance(choice, Use) and isinstance(decision, ChooseUnit):
            use(self.table, find_armed(self.table, DURING, decision.player, choice), DURING, choice)
            return
        procedure = PROCEDURES[self.state.frames[depth].procedure]
        self._follow(depth, getattr(procedure, decision.then)(self.table, choice))

    def standing(self, key: str, answer: str = "") -> None:
        """A standing answer of the player to choose: ``key`` of a decision, ``pass``, or nothing to be asked again."""
        self.snapshots.append((len(self.played), self.state.copy(), len(self.log)))
        self.table.emit(StandingSet(self.to_choose, key, answer))
        self.played.append(f"standing {key} = {answer}".rstrip())
        self._decision = None
        self.advance()

    def answer(self, line: str) -> None:
        """A line of an input log: a choice, or a standing answer. Raises :class:`IllegalChoice`, :class:`Unparsed`."""
        if line.startswith("standing "):
            key, _, answer = line.removeprefix("standing ").partition(" =")
            self.standing(key, answer.strip())
        else:
            self.play(line)

    # ------------------------------------------------------------------------------------------------------ the loop
    def advance(self) -> None:
        """Run procedures until a decision with more than one answer is due, or the battle is over."""
        if self._since[0] < 0:
            self._since = self._now
        for _ in range(MOST_STEPS):
            if self._decision is not None or not self.state.frames or self.out_of_dice:
                return
            if self.setting.script is None:
                self._step()
            else:
                self._scripted_step()
        raise AssertionError(f"no decision after {MOST_STEPS} steps: {[f.procedure for f in self.state.frames]}")

    @property
    def _now(self) -> tuple[int, int, str]:
        return self.state.round, self.state.turn, self.state.phase

    def _scripted_step(self) -> None:
        """A step on scripted dice. A die short in the phase of the last answer is a fault; later the battle rests."""
        before, lines = self.state.copy(), len(self.log)
        try:
            self._step()
        except BadInput:
            if self._now == self._since:
                raise
            self.state = before
            if self.debug:
                self.state.lock()
            del self.log[lines:]
            self.table = Table(self.setting, self.state, self.log)
            self._decision = None
            self.out_of_dice = True

    def _step(self) -> None:
        t = self.table
        depth = len(self.state.frames) - 1
        frame = self.state.frames[depth]
        procedure = PROCEDURES[frame.procedure]
        steps = procedure.step_names(t)
        t.at_depth(depth)
        if frame.step >= len(steps):
            t.emit(FramePopped())
            return
        before = t.changes
        result = getattr(procedure, steps[frame.step])(t)
        if isinstance(result, Decision):
            assert t.changes == before, f"{frame.procedure}.{steps[frame.step]} changed the state before it asked"
            self._ask(result)
            return
        self._follow(depth, result)

    def _follow(self, depth: int, result: object) -> None:
        """What a step said comes next."""
        frame = self.state.frames[depth]
        steps = PROCEDURES[frame.procedure].step_names(self.table)
        if isinstance(result, Decision):
            self._ask(result)
        elif result is None:
            self.table.emit(FrameSet(depth, frame.step + 1, dict(frame.local)))
        elif result == LEAVE:
            self.table.emit(FrameSet(depth, len(steps), dict(frame.local)))
        elif result != AGAIN:
            self.table.emit(FrameSet(depth, steps.index(str(result)), dict(frame.local)))

    def _ask(self, decision: Decision) -> None:
        """A decision with one legal answer is taken, not asked."""
        only = self._forced(decision)
        self._decision = decision
        if only is not None:
            self._take(only)
            return
        if self.state.to_choose != decision.player:
            self.table.emit(Asked(decision.player))

    def _forced(self, decision: Decision) -> Choice | None:
        standing = self.state.standing.get(f"{decision.player}|{decision.key}") if decision.key else None
        if standing:
            choice = read_choice(standing)
            if decision.why_not(self.table, choice) is None:
                return choice
        return decision.forced(self.table)

    # ----------------------------------------------------------------------------------------------- copies and undo
    def copy(self) -> Self:
        """An independent battle at the same decision (definitions shared, logs copied)."""
        new = object.__new__(type(self))
        new.setting, new.debug = self.setting, self.debug
        new.windows, new.refused = self.windows, self.refused
        new.out_of_dice, new._since = self.out_of_dice, self._since
        new.state = self.state.copy()
        new.log, new.played, new.snapshots = list(self.log), list(self.played), []
        new.table = Table(self.setting, new.state, new.log)
        new.table.at_depth(self.table.depth)
        new._decision = self._decision
        return new

    def undo(self) -> str:
        """Take back the last answer, everything that came of it included; returns it. Raises :class:`IllegalChoice`."""
        if not self.snapshots:
            raise IllegalChoice("undo", Reason(f"{self.setting.edition}", "nothing to take back"))
        number, state, lines = self.snapshots.pop()
        taken = self.played[number]
        self.state = state
        if self.debug:
            self.state.lock()
        del self.log[lines:], self.played[number:]
        self.out_of_dice = False
        self._since = self._now
        self.table = Table(self.setting, self.state, self.log)
        self._decision = None
        self.advance()
        return taken

    def hash(self) -> str:
        """A short text that is the same for equal states, on any machine."""
        return self.state.hash()

    def events(self) -> Iterator[Event]:
        """What has happened, in order, without what caused it."""
        return (event for _, event in self.log)

    def not_enforced(self) -> tuple[str, ...]:
        """The rules of both armies that are not, or not wholly, enforced: players are reminded of them."""
        return not_enforced(self.setting)


SNAPSHOTS = 200


class LegalChoices:
    """The legal choices of the decision due: iterate, test membership, or take the list."""

    def __init__(self, battle: Battle) -> None:
        self._battle, self._decision = battle, battle.decision

    def __iter__(self) -> Iterator[Choice]:
        return iter(()) if self._decision is None else self._decision.options(self._battle.table)

    def __contains__(self, choice: object) -> bool:
        return isinstance(choice, Choice) and self._battle.why_not(choice) is None

    def __bool__(self) -> bool:
        return self._decision is not None
