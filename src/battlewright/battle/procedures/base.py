"""What a procedure is: the steps of the rulebook, one method each, in the order the edition lists them.

A step looks at the table and returns what comes next:

* ``None``: the step is done;
* a :class:`~battlewright.battle.decisions.Decision`: ask first; nothing may have changed before it is returned. The
  answer goes to the method ``decision.then``, which returns like a step;
* :data:`AGAIN`: come back to this step (after whatever it pushed is done);
* :data:`LEAVE`: the procedure ends here;
* ``"name"`` of another step: go on there.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, TypeAlias

from battlewright.battle.choices import Choice, Select
from battlewright.battle.decisions import Decision
from battlewright.battle.state import NOBODY, Did
from battlewright.battle.table import Table
from battlewright.editions.battle import Steps

AGAIN: Final = "(again)"
LEAVE: Final = "(leave)"
Next: TypeAlias = "Decision | str | None"


class Procedure:
    """A sequence of steps. ``name`` is its key in the edition's step lists and in the frames."""

    name: ClassVar[str] = ""
    #: steps of a procedure that is the same everywhere; empty: the edition lists them
    own_steps: ClassVar[Steps] = ()

    def steps(self, t: Table) -> Steps:
        return self.own_steps or t.setting.numbers.steps[self.name]

    def step_names(self, t: Table) -> tuple[str, ...]:
        return tuple(name for name, _ in self.steps(t))


PROCEDURES: dict[str, Procedure] = {}


def procedure(kind: type[Procedure]) -> type[Procedure]:
    """Register a procedure under its name."""
    PROCEDURES[kind.name] = kind()
    return kind


def local(t: Table, name: str, default: Any = None) -> Any:
    """A local of the frame at work."""
    return t.frame.local.get(name, default)


def unit_of(t: Table) -> int:
    """The unit the procedure at work is about."""
    return int(t.frame.local.get("unit", NOBODY))


def begin(t: Table, choice: Choice, act: str, flags: Did, procedure: str) -> int:
    """The unit selected acts now: it is marked, its procedure goes next; the unit."""
    assert isinstance(choice, Select)
    unit = t.index(choice.unit)
    assert unit is not None
    t.choose(unit, act, flags)
    t.push(procedure, unit=unit)
    return unit


def rolled(
    t: Table, purpose: str, dice: int, unit: int, rule: str = "", *, whole: bool = False, needs: int = 0
) -> tuple[int, ...] | None:
    """The faces of a roll, with its re-roll window. First call: None (return AGAIN); the second has the faces."""
    done = t.frame.local.get(f"roll {purpose}")
    if done is not None:
        return tuple(done)
    t.push("roll", purpose=purpose, dice=dice, unit=unit, rule=rule, whole=whole, needs=needs)
    return None
