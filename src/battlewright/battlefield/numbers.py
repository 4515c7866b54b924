"""The numbers in which the editions differ on the table, as values. Nothing below asks which edition it is.

Distances in inches.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Coherency:
    """Unit coherency: each model needs ``mates`` unit-mates within ``near`` (and 5" vertically), all within ``far``.

    ``mates``: (from this many models, so many mates), ascending. ``single``: the unit must be one group.
    Rules: 11e 03.03; 10e T-4.2.
    """

    rule: str
    near: float
    vertical: float
    far: float | None
    mates: tuple[tuple[int, int], ...]
    single: bool


@dataclass(frozen=True, slots=True)
class Sight:
    """How lines of sight work. Rules: 11e 06.01, 13.08-13.11; 10e T-5.5, T-11.

    ``through_target_unit``: other models of the observed unit never block (11e), or only for the unit as a whole (10e).
    ``obscuring``: areas with a light or dense feature hide what is beyond them (11e 13.10); ``ruins``: the 10e way.
    ``detection``: inches at which a hidden model is seen (11e 13.09); None: nothing is hidden.
    """

    rule: str
    through_target_unit: bool
    obscuring: bool
    ruins: bool
    detection: float | None
    line_mm: float = 1.0


@dataclass(frozen=True, slots=True)
class FieldNumbers:
    """One edition's numbers of the table. ``barricade_reach``: inches to fight over a barricade (10e T-11.4); 0: never."""

    board: tuple[float, float]
    engagement: tuple[float, float]
    engagement_rule: str
    coherency: Coherency
    sight: Sight
    objective_range: tuple[float, float]
    objective_rule: str
    pivot_costs: bool
    pass_through_engagement: bool
    set_up_from_enemies: float
    reach_in_charge: float = 12.0
    barricade_reach: float = 0.0


ELEVENTH = FieldNumbers(
    board=(60, 44),
    engagement=(2, 5),
    engagement_rule="11e 03.04",
    coherency=Coherency("11e 03.03", near=2, vertical=5, far=9, mates=((2, 1),), single=False),
    sight=Sight("11e 06.01", through_target_unit=True, obscuring=True, ruins=False, detection=15),
    objective_range=(3, 5),
    objective_rule="11e 14.01.01",
    pivot_costs=False,
    pass_through_engagement=True,
    set_up_from_enemies=8,
)
TENTH = FieldNumbers(
    board=(60, 44),
    engagement=(1, 5),
    engagement_rule="10e T-4.3",
    coherency=Coherency("10e T-4.2", near=2, vertical=5, far=None, mates=((2, 1), (7, 2)), single=True),
    sight=Sight("10e T-5.5", through_target_unit=False, obscuring=False, ruins=True, detection=None),
    objective_range=(3, 5),
    objective_rule="10e T-12.2",
    pivot_costs=True,
    pass_through_engagement=False,
    set_up_from_enemies=9,
    barricade_reach=2,
)
