"""The moves of both editions as data: what each may pass, where it may end, what its models must strive for.

``ELEVENTH_MOVES.charge(targets)`` and ``TENTH_MOVES.charge(targets)`` give a :class:`Move` of the same form; how far models
go comes with the :class:`~battlewright.battlefield.movement.Mover`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from battlewright.battlefield.ending import NO_AIM, Aim, Ending
from battlewright.battlefield.movement import Passage
from battlewright.battlefield.numbers import ELEVENTH, TENTH, FieldNumbers
from battlewright.battlefield.shapes import Poses
from battlewright.battlefield.terrain import Point


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """One kind of move: pass its parts to ``plan`` and ``check``."""

    passage: Passage
    ending: Ending
    aim: Aim = NO_AIM

    def ending_where(self, **changes: Any) -> Move:
        """The same move with other end conditions."""
        return replace(self, ending=replace(self.ending, **changes))

    def passing(self, **changes: Any) -> Move:
        """The same move with another passage (a flight, say)."""
        return replace(self, passage=replace(self.passage, **changes))


@dataclass(frozen=True, slots=True)
class EleventhMoves:
    """11e 03, 09, 11.04, 12.03, 12.08, 18.04, 20.04, 21.02, 24."""

    numbers: FieldNumbers = ELEVENTH

    def _ending(self, rule: str, **parts: Any) -> Ending:
        numbers = self.numbers
        return Ending(
            rule, numbers.coherency, numbers.engagement, numbers.engagement_rule, "11e 03.01", "11e 13.06", **parts
        )

    def normal(self, rule: str = "11e 09.05") -> Move:
        """Normal move; with ``rule="11e 09.06"`` an advance: the same but for its distance. Tanks pass no tanks (17.01)."""
        return Move(Passage(rule, big_through_small=True, big_friends_bar=True), self._ending(rule, unengaged=True))

    def advance(self) -> Move:
        """Advance (11e 09.06)."""
        return self.normal("11e 09.06")

    def fall_back(self, *, desperate: bool = False) -> Move:
        """Fall back; a desperate escape moves through enemy models."""
        return Move(Passage("11e 09.07", through_enemies=desperate), self._ending("11e 09.07", unengaged=True))

    def charge(self, targets: Iterable[int]) -> Move:
        """Charge move: into engagement with every target and nobody else (11e 11.04)."""
        chosen = frozenset(targets)
        aim = Aim("11e 11.04", "target", chosen, tiers=(1.0, self.numbers.engagement[0]), everyone=True)
        return Move(Passage("11e 11.04"), self._ending("11e 11.04", only=chosen, all_of=chosen), aim)

    def pile_in(self, targets: Iterable[int]) -> Move:
        """``targets``: every unit it is engaged with, or the chosen units within 5"."""
        tiers = (self.numbers.engagement[0],)
        aim = Aim("11e 12.03", "closest", frozenset(targets), tiers=tiers, rooted=True, keep=True)
        return Move(Passage("11e 12.03"), self._ending("11e 12.03", some=True), aim)

    def consolidate_ongoing(self, targets: Iterable[int]) -> Move:
        """``targets``: every enemy unit engaged with it."""
        tiers = (self.numbers.engagement[0],)
        aim = Aim("11e 12.08", "closest", frozenset(targets), tiers=tiers, rooted=True, keep=True)
        return Move(Passage("11e 12.08"), self._ending("11e 12.08"), aim)

    def consolidate_engaging(self, targets: Iterable[int]) -> Move:
        """Towards chosen enemies within 3", to engage all of them (11e 12.08)."""
        chosen = frozenset(targets)
        aim = Aim("11e 12.08", "closest", chosen, tiers=(self.numbers.engagement[0],))
        return Move(Passage("11e 12.08"), self._ending("11e 12.08", all_of=chosen), aim)

    def consolidate_objective(self, objective: Poses, inches: float | None = None) -> Move:
        """Towards a marker, or a terrain area (:func:`area_pose`) with ``inches=0``: in range within so far of it."""
        near = self.numbers.objective_range[0] if inches is None else inches
        aim = Aim("11e 12.08", "objective", tiers=(near,), objective=objective)
        ending = self._ending(
            "11e 12.08",
            unengaged=True,
            near_objective=objective,
            objective_range=(near, self.numbers.objective_range[1]),
        )
        return Move(Passage("11e 12.08"), ending, aim)

    def surge(self, target: int) -> Move:
        """Surge move: as near to the target as can be, engaged with nobody else (11e 21.02)."""
        chosen = frozenset({target})
        aim = Aim("11e 21.02", "closest", chosen, tiers=(self.numbers.engagement[0],), everyone=True)
        return Move(Passage("11e 21.02"), self._ending("11e 21.02", only=chosen), aim)

    def scout(self) -> Move:
        """Scout move: a normal move that ends off the enemy (11e 24.32)."""
        return self.normal("11e 24.32").ending_where(from_enemies=self.numbers.set_up_from_enemies)

    def set_up(self, rule: str = "11e 03.02", **parts: Any) -> Ending:
        """Set up unengaged; ``parts`` narrow it (``zone=…``, ``from_enemies=…``)."""
        return self._ending(rule, **{"unengaged": True, **parts})

    def deploy(self, zone: tuple[Point, ...]) -> Ending:
        """Set up wholly within the deployment zone (11e 26)."""
        return self.set_up("11e 26", zone=zone)

    def infiltrate(self, enemy_zone: tuple[Point, ...]) -> Ending:
        """Set up anywhere off the enemy and the enemy zone (11e 24.20)."""
        off = self.numbers.set_up_from_enemies
        return self.set_up("11e 24.20", from_enemies=off, outside=enemy_zone, outside_by=off)

    def ingress(self, enemy_zone: tuple[Point, ...] = ()) -> Ending:
        """From strategic reserves; ``enemy_zone`` before round 3."""
        off = self.numbers.set_up_from_enemies
        return self.set_up("11e 20.04", edge=6.0, from_enemies=off, outside=enemy_zone)

    def deep_strike(self) -> Ending:
        """Set up anywhere off the enemy (11e 24.09)."""
        return self.set_up("11e 24.09", from_enemies=self.numbers.set_up_from_enemies)

    def disembark(self, transport: Poses, inches: float = 3.0, *, engaged_with: Iterable[int] | None = None) -> Ending:
        """``engaged_with``: the units a combat disembark may be set up engaged with."""
        if engaged_with is None:
            return self.set_up("11e 18.04", around=transport, around_in=inches)
        only = frozenset(engaged_with)
        return self.set_up("11e 18.04", around=transport, around_in=inches, unengaged=False, only=only)


@dataclass(frozen=True, slots=True)
class TenthMoves:
    """10e T-4, T-7.2, T-8.2, T-9, T-10.5."""

    numbers: FieldNumbers = TENTH

    def _ending(self, rule: str, **parts: Any) -> Ending:
        numbers = self.numbers
        return Ending(
            rule, numbers.coherency, numbers.engagement, numbers.engagement_rule, "10e T-4.1", "10e T-11.2", **parts
        )

    def normal(self, rule: str = "10e T-4.4") -> Move:
        """Normal move or advance: not within engagement range of any enemy, on the way or at the end."""
        passage = Passage(rule, keep_off=self.numbers.engagement[0], big_friends_bar=True)
        return Move(passage, self._ending(rule, unengaged=True))

    def advance(self) -> Move:
        """Advance: as a normal move, farther (10e T-4.4)."""
        return self.normal()

    def fall_back(self, *, desperate: bool = True) -> Move:
        """Fall back; ``desperate``: models may move over enemy models, each of them with a test."""
        passage = Passage("10e T-4.5", through_enemies=desperate, big_friends_bar=True)
        return Move(passage, self._ending("10e T-4.5", unengaged=True))

    def charge(self, targets: Iterable[int]) -> Move:
        """Charge move: into engagement with every target and nobody else (10e T-7.2)."""
        chosen = frozenset(targets)
        off = self.numbers.engagement[0]
        passage = Passage("10e T-7.2", keep_off=off, targets=chosen, big_friends_bar=True)
        aim = Aim("10e T-7.2", "target", chosen, tiers=(0.0,))
        ending = self._ending("10e T-7.2", only=chosen, all_of=chosen, over_barricades=self.numbers.barricade_reach)
        return Move(passage, ending, aim)

    def pile_in(self, targets: Iterable[int] = ()) -> Move:
        """Towards the nearest enemy model of ``targets``, the units that count (non-FLY models ignore AIRCRAFT)."""
        aim = Aim("10e T-8.2", "model", frozenset(targets), tiers=(0.0,), rooted=True)
        return Move(
            Passage("10e T-8.2", big_friends_bar=True),
            self._ending("10e T-8.2", some=True, over_barricades=self.numbers.barricade_reach),
            aim,
        )

    def consolidate_engaging(self, targets: Iterable[int] = ()) -> Move:
        """Consolidate towards the nearest enemy: as a pile-in (10e T-8.2)."""
        return self.pile_in(targets)

    def consolidate_objective(self, objective: Poses, inches: float | None = None) -> Move:
        """Consolidate towards a marker when no enemy can be reached (10e T-8.2)."""
        near = self.numbers.objective_range[0] if inches is None else inches
        aim = Aim("10e T-8.2", "objective", objective=objective)
        passage = Passage("10e T-8.2", big_friends_bar=True)
        ending = self._ending(
            "10e T-8.2", near_objective=objective, objective_range=(near, self.numbers.objective_range[1])
        )
        return Move(passage, ending, aim)

    def scout(self) -> Move:
        """Scout move: a normal move that ends off the enemy (10e T-9.6)."""
        return self.normal("10e T-9.6").ending_where(from_enemies=self.numbers.set_up_from_enemies)

    def set_up(self, rule: str = "10e T-4.3", **parts: Any) -> Ending:
        """Set up outside engagement range; ``parts`` narrow it (``zone=…``, ``from_enemies=…``)."""
        return self._ending(rule, **{"unengaged": True, **parts})

    def deploy(self, zone: tuple[Point, ...]) -> Ending:
        """Set up wholly within the deployment zone (10e T-15.1)."""
        return self.set_up("10e T-15.1", zone=zone)

    def infiltrate(self, enemy_zone: tuple[Point, ...]) -> Ending:
        """Set up anywhere off the enemy and the enemy zone (10e T-9.5)."""
        off = self.numbers.set_up_from_enemies
        return self.set_up("10e T-9.5", from_enemies=off, outside=enemy_zone, outside_by=off)

    def ingress(self, enemy_zone: tuple[Point, ...] = ()) -> Ending:
        """From strategic reserves; ``enemy_zone`` in round 2."""
        off = self.numbers.set_up_from_enemies
        return self.set_up("10e T-9.2", edge=6.0, one_edge=True, from_enemies=off, outside=enemy_zone)

    def deep_strike(self) -> Ending:
        """Set up anywhere off the enemy (10e T-9.4)."""
        return self.set_up("10e T-9.4", from_enemies=self.numbers.set_up_from_enemies)

    def disembark(self, transport: Poses, inches: float = 3.0, *, engaged_with: Iterable[int] | None = None) -> Ending:
        """Set up wholly within so many inches of the transport (10e T-10.5)."""
        return self.set_up("10e T-10.5", around=transport, around_in=inches)


ELEVENTH_MOVES = EleventhMoves()
TENTH_MOVES = TenthMoves()
