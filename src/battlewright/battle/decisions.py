"""Decisions: what is asked, of whom, and which answers are legal.

Each kind has one predicate, ``why_not``: it checks an answer, and it filters the candidates that are offered. So what is
offered is legal, and what is legal is accepted whether it was offered or not. ``region`` decisions (moves, set-ups,
declarations) have endless or very many legal answers: they test membership and offer a few candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from msgspec import Struct

from battlewright.battle.choices import (
    Choice,
    Declare,
    Die,
    Do,
    MovePlan,
    Order,
    Pass,
    PickModel,
    Placement,
    Put,
    Select,
    Targets,
    Use,
)
from battlewright.battle.state import Where
from battlewright.errors import Reason

if TYPE_CHECKING:
    from battlewright.battle.table import Table


class Region(NamedTuple):
    """Endless answers: a few of them, each worked out when called, and the reason against one."""

    sketches: Callable[[Table, Any], list[Callable[[], Choice | None]]]
    why_not: Callable[[Table, Any, Any], Reason | None]


class Predicates:
    """What decisions ask of the rules above them: each module puts its own in when it is imported."""

    def __init__(self) -> None:
        self.units: dict[str, Callable[[Table, int], Reason | None]] = {}
        self.ways: dict[str, Callable[[Table, int, str], Reason | None]] = {}
        self.targets: dict[str, Callable[[Table, int, int, int], Reason | None]] = {}
        self.regions: dict[str, Region] = {}

    start_in: Callable[[Table, int, str], Reason | None]
    can_attack: Callable[[Table, DeclareAttacks], bool]
    declarations: Callable[[Table, DeclareAttacks], Iterator[Choice]]
    why_not_declare: Callable[[Table, DeclareAttacks, Declare], Reason | None]
    uses_during: Callable[[Table, int], Iterator[Use]]
    why_not_during: Callable[[Table, int, Use], Reason | None]
    uses: Callable[[Table, React], Iterator[Use]]
    why_not_use: Callable[[Table, React, Use], Reason | None]
    why_not_reroll: Callable[[Table, RerollRoll], Reason | None]


PREDICATES = Predicates()


class Decision(Struct, frozen=True, tag=True):
    """``player`` must answer; ``rule`` is why; ``then`` the method of the procedure at work that takes the answer."""

    player: int
    then: str
    rule: str = ""

    region: ClassVar[bool] = False

    @property
    def kind(self) -> str:
        return type(self).__name__

    @property
    def key(self) -> str:
        """What a standing answer is filed under; empty: none is possible."""
        return ""

    def prompt(self, t: Table) -> str:
        raise NotImplementedError

    def candidates(self, t: Table) -> Iterator[Choice]:
        raise NotImplementedError

    def why_not(self, t: Table, choice: Choice) -> Reason | None:
        raise NotImplementedError

    def sketches(self, t: Table) -> list[Callable[[], Choice | None]]:
        """The candidates of a region, each worked out only when called: for players that want one, not all."""
        return [lambda choice=choice: choice for choice in self.candidates(t)]  # type: ignore[misc]

    def options(self, t: Table) -> Iterator[Choice]:
        """The legal ones of the candidates, in a fixed order."""
        for choice in self.candidates(t):
            if self.why_not(t, choice) is None:
                yield choice

    def forced(self, t: Table) -> Choice | None:
        """The only legal answer, when there is only one: it is taken, not asked."""
        options = self.options(t)
        first = next(options, None)
        assert first is not None, f"{self} has no legal answer"
        return first if next(options, None) is None else None

    def wrong_kind(self, t: Table, choice: Choice) -> Reason:
        return t.reason(self.rule, f"{self.prompt(t)}: {type(choice).__name__} is no answer to this")


def _made(sketches: list[Callable[[], Choice | None]]) -> Iterator[Choice]:
    """What the sketches give, each choice once."""
    seen: set[Choice] = set()
    for sketch in sketches:
        choice = sketch()
        if choice is not None and choice not in seen:
            seen.add(choice)
            yield choice


class ChooseUnit(Decision, frozen=True):
    """Which unit acts next (or none: ``may_pass``). ``act`` names the predicate in ``eligible.UNITS``."""

    act: str = ""
    may_pass: bool = True
    where: tuple[int, ...] = (int(Where.BATTLEFIELD),)

    def prompt(self, t: Table) -> str:
        return f"{t.who(self.player)}: a unit to {self.act.replace('_', ' ')}"

    def candidates(self, t: Table) -> Iterator[Choice]:
        if self.may_pass:
            yield Pass()
        for where in self.where:
            for unit in t.units(self.player, Where(where)):
                yield Select(t.name(unit))
        if self.may_pass:
            yield from PREDICATES.uses_during(t, self.player)

    def why_not(self, t: Table, choice: Choice) -> Reason | None:
        if isinstance(choice, Use) and self.may_pass:
            return PREDICATES.why_not_during(t, self.player, choice)

        if isinstance(choice, Pass):
            return None if self.may_pass else t.reason(self.rule, "a unit that can act must be selected")
        if not isinstance(choice, Select):
            return self.wrong_kind(t, choice)
        unit = t.index(choice.unit)
        if unit is None or t.parts(unit) == ():
            return t.reason(self.rule, f"no unit {choice.unit}")
        if t.owner(unit) != self.player:
            return t.reason(self.rule, f"{choice.unit} is not {t.who(self.player)}'s unit")
        if int(t.state.where(unit)) not in self.where:
            return t.reason(self.rule, f"{choice.unit} is {t.state.where(unit).name.lower()}")
        return PREDICATES.units[self.act](t, unit)


class ChooseDo(Decision, frozen=True):
    """Which of a few named ways (a type of move, a mode …). ``topic`` names the predicate in ``eligible.WAYS``."""

    topic: str = ""
    unit: int = -1
    names: tuple[str, ...] = ()

    def prompt(self, t: Table) -> str:
        about = f" of {t.name(self.unit)}" if self.unit >= 0 else ""
        return f"{t.who(self.player)}: {self.topic.replace('_', ' ')}{about}"

    def candidates(self, t: Table) -> Iterator[Choice]:
        return (Do(name) for name in self.names)

    def why_not(self, t: Table, choice: Choice) -> Reason | None:
        if not isinstance(choice, Do):
            return self.wrong_kind(t, choice)
        if choice.what not in self.names:
            return t.reason(self.rule, f"{choice.what} is none of {', '.join(self.names)}")
        return PREDICATES.ways[self.topic](t, self.unit, choice.what)


class PutUnit(Decision, frozen=True):
    """Declare Battle Formations: a unit starts in reserves or in a transport, or no more units do."""

    def prompt(self, t: Table) -> str:
        return f"{t.who(self.player)}: units that start in reserves or embarked"

    def candidates(self, t: Table) -> Iterator[Choice]:
        yield Pass()
        units = t.units(self.player, Where.UNDEPLOYED)
        for unit in units:
            yield Put(t.name(unit))
            for carrier in (*units, *t.units(self.player, Where.RESERVES)):
                if t.unit(carrier).capacity:
                    yield Put(t.name(unit), t.name(carrier))

    def why_not(self, t: Table, choice: Choice) -> Reason | None:
        if isinstance(choice, Pass):
            return None
        if not isinstance(choice, Put):
            return self.wrong_kind(t, choice)
        unit = t.index(choice.unit)
        if unit is None or unit not in t.units(self.player, Where.UNDEPLOYED):
            return t.reason("reserves", f"no undeployed unit {choice.unit} of {t.who(self.player)}")
        return PREDICATES.start_in(t, unit, choice.into)


class MoveModels(Decision, frozen=True):
    """Where the models of a unit go. ``reach`` in 1/1000 inch a model; ``targets``: enemy units the move is about."""

    unit: int = -1
    move: str = ""
    reach: tuple[int, ...] = ()
    targets: tuple[int, ...] = ()
    objective: int = -1
    limits: tuple[str, ...] = ()
    region: ClassVar[bool] = True

    def forced(self, t: Table) -> Choice | None:
        """A move is always asked: it may be given up, and where it may end is endless."""
        return None if self.reach and max(self.reach) > 0 else Pass()

    def prompt(self, t: Table) -> str:
        far = t.inches(max(self.reach, default=0))
        return f"{t.who(self.player)}: {self.move.replace('_', ' ')} of {t.name(self.unit)}, up to {far}"

    def candidates(self, t: Table) -> Iterator[Choice]:
        yield from _made(self.sketches(t))

    def sketches(self, t: Table) -> list[Callable[[], Choice | None]]:
        return [*self._region.sketches(t, self), Pass]

    def why_not(self, t: Table, choice: Choice) -> Reason | None:
        if isinstance(choice, Pass):
            return None
        if not isinstance(choice, MovePlan):
            return self.wrong_kind(t, choice)
        if choice.unit != t.name(self.unit):
            return t.reason(self.rule, f"{t.name(self.unit)} moves now, not {choice.unit}")
        return self._region.why_not(t, self, choice)

    @property
    def _region(self) -> Region:
        return PREDICATES.regions.get(self.move) or PREDICATES.regions["move"]


class SetUpUnit(Decision, frozen=True):
    """Where a unit is set up. ``how``: the conditions (``deploy``, ``reserves``, ``disembark`` …), ``around``: a unit.

    ``models``: only these of it are, the others stand where they stand.
    """

    unit: int = -1
    how: str = ""
    around: int = -1
    may_pass: bool = False
    models: tuple[int, ...] = ()
    region: ClassVar[bool] = True

    def forced(self, t: Table) -> Choice | None:
        return None

    def prompt(self, t: Table) -> str:
        return f"{t.who(self.player)}: set up {t.name(self.unit)} ({self.how.replace('_', ' ')})"

    def candidates(self, t: Table) -> Iterator[Choice]:
        yield from _made(self.sketches(t))

    def sketches(self, t: Table) -> list[Callable[[], Choice | None]]:
        return [*PREDICATES.regions["set_up"].sketches(t, self), *([Pass] if self.may_pass else [])]

    def why_not(self, t: Table, choice: Choice) -> Reason | None:
        if isinstance(choice, Pass):
            return None if self.may_pass else t.reason("set_up", f"{t.name(self.unit)} must be set up")
        if not isinstance(choice, Placement):
            return self.wrong_kind(t, choice)
        if choice.unit != t.name(self.unit):
            return t.reason("set_up", f"{t.name(self.unit)} is set up now, not {choice.unit}")
        return PREDICATES.regions["set_up"].why_not(t, self, choice)


class DeclareAttacks(Decision, frozen=True):
    """Which weapons of a unit attack what. ``way``: the shooting type, or ``fight``; ``only``: units it must target."""

    unit: int = -1
    way: str = ""
    only: tuple[int, ...] = ()
    region: ClassVar[bool] = True

    def forced(self, t: Table) -> Choice | None:
        """With nothing to attack there is nothing to declare."""
        return None if PREDICATES.can_attack(t, self) else Declare()

    def prompt(self, t: Table) -> str:
        return f"{t.who(self.player)}: weapons and targets of {t.name(self.unit)} ({self.way.replace('_', ' ')})"

    def candidates(self, t: Table) -> Iterator[Choice]:
        return PREDICATES.declarations(t, self)

    def why_not(self, t: Table, choice: Choice) -> Reason | None:
        if not isinstance(choice, Declare):
            return self.wrong_kind(t, choice)
        return PREDICATES.why_not_declare(t, self, choice)


class ChooseTargets(Decision, frozen=True):
    """Units as the targets of a charge, a pile-in, a consolidation. ``among``: those that may be chosen; ``reach`` mils."""

    unit: int = -1
    purpose: str = ""
    reach: int = 0
    may_pass: bool = True
    only: tuple[int, ...] = ()
    MOST: ClassVar[int] = 3

    def prompt(self, t: Table) -> str:
        return f"{t.who(self.player)}: targets of the {self.purpose.replace('_', ' ')} of {t.name(self.unit)}"

    def candidates(self, t: Table) -> Iterator[Choice]:
        near = [e for e in t.enemies(self.unit) if self.why_not(t, Targets((t.name(e),))) is None]
        near.sort(key=lambda e: (t.gap(self.unit, e), e))
        for many in range(1, min(len(near), self.MOST) + 1):
            for chosen in combinations(near[:6], many):
                yield Targets(tuple(map(t.name, chosen)))
        if self.may_pass:
            yield Pass()

    def why_not(self, t: Table, choice: Choice) -> Reason | None:
        if isinstance(choice, Pass):
            return None if self.may_pass else t.reason(self.rule, "targets must be chosen")
        if not isinstance(choice, Targets):
            return self.wrong_kind(t, choice)
        if not choice.units or len(set(choice.units)) != len(choice.units):
            return t.reason(self.rule, "choose one or more different units")
        for name in choice.units:
            target = t.index(name)
            if target is None or target not in t.enemies(self.unit):
                return t.reason(self.rule, f"no enemy unit {name} on the battlefield")
            if self.only and target not in self.only:
                return t.reason(self.rule, f"only {', '.join(map(t.name, self.only))} may be the target of this")
            refused = PREDICATES.targets[self.purpose](t, self.unit, target, self.reach)
            if refused is not None:
                return refused
        return None


class React(Decision, frozen=True):
    """A window in which stratagems or abilities may be used: (rule key, unit ids) of those that can be, or pass."""

    moment: dict[str, Any] = {}

    @property
    def key(self) -> str:
        return f"react {self.moment['name']}"

    def prompt(self, t: Table) -> str:
        about = f" of {t.name(self.moment['subject'])}" if self.moment.get("subject", -1) >= 0 else ""
        when = f"{self.moment['edge']} " if self.moment["edge"] != "when" else ""
        return f"{t.who(self.player)}: react, {when}{self.moment['name'].replace('_', ' ')}{about}"

    def candidates(self, t: Table) -> Iterator[Choice]:
        yield Pass()
        yield from PREDICATES.uses(t, self)

    def why_not(self, t: Table, choice: Choice) -> Reason | None:
        if isinstance(choice, Pass):
            return None
        if not isinstance(choice, Use):
            return self.wrong_kind(t, choice)
        return PREDICATES.why_not_use(t, self, choice)


class PickUnit(Decision, frozen=True):
    """A rule lets its player pick one of these units."""

    name: str = ""
    among: tuple[int, ...] = ()
    may_pass: bool = False

    def prompt(self, t: Table) -> str:
        return f"{t.who(self.player)}: a unit for {self.name}"

    def candidates(self, t: Table) -> Iterator[Choice]:
        yield from (Select(t.name(unit)) for unit in self.among)
        if self.may_pass:
            yield Pass()

    def why_not(self, t: Table, choice: Choice) -> Reason | None:
        if isinstance(choice, Pass):
            return None if self.may_pass else t.reason(self.rule, "a unit must be picked")
        if not isinstance(choice, Select):
            return self.wrong_kind(t, choice)
        if t.index(choice.unit) not in self.among:
            return t.reason(self.rule, f"{choice.unit} cannot be picked for {self.name}")
        return None


class RerollRoll(Decision, frozen=True):
    """Re-roll a roll just made, or one of its dice (``whole``: all of them together), or keep it."""

    unit: int = -1
    roll: str = ""
    faces: tuple[int, ...] = ()
    whole: bool = False
    source: str = ""
    barred: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        return f"reroll {self.roll}"

    def prompt(self, t: Table) -> str:
        faces = ", ".join(map(str, self.faces))
        return f"{t.who(self.player)}: re-roll the {self.roll.replace('_', ' ')} roll of {t.name(self.unit)} ({faces})?"

    def candidates(self, t: Table) -> Iterator[Choice]:
        yield Pass()
        yield from (Die(place) for place in range(1 if self.whole else len(self.faces)))

    def why_not(self, t: Table, choice: Choice) -> Reason | None:
        if isinstance(choice, Pass):
            return None
        if not isinstance(choice, Die):
            return self.wrong_kind(t, choice)
        if not 0 <= choice.place < (1 if self.whole else len(self.faces)):
            return t.reason("reroll", f"no die {choice.place} in this roll")
        if choice.place in self.barred:
            return t.reason("reroll", "a die is never re-rolled more than once")
        return PREDICATES.why_not_reroll(t, self)


class LoseModel(Decision, frozen=True):
    """Which model of a unit is lost, or bears the damage. ``among``: those the rule lets choose."""

    unit: int = -1
    why: str = ""
    among: tuple[int, ...] = ()

    def prompt(self, t: Table) -> str:
        return f"{t.who(self.player)}: a model of {t.name(self.unit)} ({self.why})"

    def candidates(self, t: Table) -> Iterator[Choice]:
        return (PickModel(t.model_name(m)) for m in self.among)

    def why_not(self, t: Table, choice: Choice) -> Reason | None:
        if not isinstance(choice, PickModel):
            return self.wrong_kind(t, choice)
        model = t.model_index(choice.model)
        if model not in self.among:
            return t.reason(self.rule, f"{choice.model} cannot be chosen ({self.why})")
        return None


class AimAt(Decision, frozen=True):
    """The CHARACTER model the attacker uses [PRECISION] on, or none (11e 24.28; 10e W-PRECISION)."""

    unit: int = -1
    target: int = -1
    among: tuple[int, ...] = ()

    def prompt(self, t: Table) -> str:
        return f"{t.who(self.player)}: a CHARACTER of {t.name(self.target)} for the [PRECISION] of {t.name(self.unit)}"

    def candidates(self, t: Table) -> Iterator[Choice]:
        yield from (PickModel(t.model_name(m)) for m in self.among)
        yield Pass()

    def why_not(self, t: Table, choice: Choice) -> Reason | None:
        if isinstance(choice, Pass):
            return None
        if not isinstance(choice, PickModel):
            return self.wrong_kind(t, choice)
        if t.model_index(choice.model) not in self.among:
            return t.reason(self.rule, f"{choice.model} is no CHARACTER of {t.name(self.target)} that an attacker sees")
        return None


class OrderGroups(Decision, frozen=True):
    """The defender's order of allocation groups, each named by one of its models (11e 05.03)."""

    unit: int = -1
    groups: tuple[tuple[int, ...], ...] = ()
    orders: tuple[tuple[int, ...], ...] = ()

    def prompt(self, t: Table) -> str:
        return f"{t.who(self.player)}: allocation order of {t.name(self.unit)}"

    def candidates(self, t: Table) -> Iterator[Choice]:
        return (Order(tuple(t.model_name(self.groups[g][0]) for g in order)) for order in self.orders)

    def why_not(self, t: Table, choice: Choice) -> Reason | None:
        if not isinstance(choice, Order):
            return self.wrong_kind(t, choice)
        if choice not in list(self.candidates(t)):
            return t.reason("allocation", "not an order the rules allow (wounded groups first, CHARACTER models last)")
        return None
