"""The exception tree, and the one form every fault is told in: ``what @ where``.

::

    RulesError
    ├── BadInput        a file, a request, a name: everything wrong with it, one Fault each
    ├── Unparsed        a piece of text that is not what it should be (dice, a rule, a choice)
    └── IllegalChoice   a choice the rules forbid now, with the Reason
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class Fault(msgspec.Struct, frozen=True):
    """One thing wrong with an input: what, and where.

    >>> print(Fault("skill: expected 2..6, got 9", "$.attack.weapons[0].skill"))
    skill: expected 2..6, got 9 @ $.attack.weapons[0].skill
    """

    what: str
    where: str

    def __str__(self) -> str:
        return f"{self.what} @ {self.where}" if self.where else self.what


class Reason(msgspec.Struct, frozen=True):
    """Why a choice is refused: the rule id (``11e 04.02``) and the numbers.

    >>> print(Reason("11e 04.02", 'nearest model 18.4" away, range 18"'))
    nearest model 18.4" away, range 18" (11e 04.02)
    """

    rule: str
    detail: str

    def __str__(self) -> str:
        return f"{self.detail} ({self.rule})"


class RulesError(Exception):
    """Anything Battlewright refuses on purpose."""


class BadInput(RulesError):
    """An input is at fault. Carries *all* its faults, in the order found.

    >>> str(BadInput("no unit of that name", "Kasrkn"))
    'no unit of that name @ Kasrkn'
    """

    def __init__(self, what: str | Iterable[Fault], where: str = "") -> None:
        self.faults: tuple[Fault, ...] = (Fault(what, where),) if isinstance(what, str) else tuple(what)
        super().__init__("\n".join(map(str, self.faults)))


class Unparsed(RulesError):
    """``text`` could not be read: ``span`` is the (start, end) of what stopped us, ``expected`` what would do.

    >>> str(Unparsed("D7+", (0, 3), "dice such as D6, 2D3+1 or 4"))
    "expected dice such as D6, 2D3+1 or 4, got 'D7+'"
    """

    def __init__(self, text: str, span: tuple[int, int], expected: str) -> None:
        self.text, self.span, self.expected = text, span, expected
        super().__init__(f"expected {expected}, got {text[span[0] : span[1]][:60]!r}")


class IllegalChoice(RulesError):
    """A choice the rules forbid at this decision; the battle is unchanged."""

    def __init__(self, choice: object, reason: Reason) -> None:
        self.choice, self.reason = choice, reason
        super().__init__(f"{choice}: {reason}")
