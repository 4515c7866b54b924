"""The rules of both units, compiled and folded into the question: what counted, what did not, and why."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from battlewright.attack.matchup import Matchup
from battlewright.attack.request import Request, RuleAnswer, read
from battlewright.attack.units import Unit
from battlewright.attack.worn import rule_of
from battlewright.datasheet import Ability
from battlewright.effects import Rule
from battlewright.formats.weapon_line import ABILITIES
from battlewright.roster.bearers import is_spent


class Ruled(Struct, frozen=True):
    """The request as the rules leave it, an answer for each rule of each side, and what could not be counted."""

    request: Request
    attacker: tuple[RuleAnswer, ...] = ()
    target: tuple[RuleAnswer, ...] = ()
    assumed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def answers(self) -> tuple[RuleAnswer, ...]:
        return (*self.attacker, *self.target)


def rule_on(question: Matchup) -> Ruled:
    """Fold the abilities of both units into the request."""
    request = read(question.request)
    attacker = list(_in_force(question.attacker, question.moment.attacker_wounded))
    target = list(_in_force(question.target, question.moment.target_wounded))
    ours = [rule for ability in attacker if (rule := rule_of(ability, question.attacker))]
    theirs = [rule for ability in target if (rule := rule_of(ability, question.target))]
    notes = (*_wordless(question.attacker, attacker), *_wordless(question.target, target))
    return _folded(request, ours, theirs, notes) if ours or theirs else Ruled(request, notes=notes)


def _folded(request: Request, ours: list[Rule], theirs: list[Rule], notes: tuple[str, ...]) -> Ruled:
    from battlewright.attack.fold import Given, fold  # loaded only for questions with rules: starting is quicker

    folded = fold(request, {"attacker": [Given(rule) for rule in ours], "target": [Given(rule) for rule in theirs]})
    answers = list(zip(folded.owners, folded.answers, strict=True))
    return Ruled(
        folded.request,
        attacker=tuple(answer for owner, answer in answers if owner == "attacker"),
        target=tuple(answer for owner, answer in answers if owner == "target"),
        assumed=tuple(folded.assumed),
        notes=notes,
    )


def _in_force(unit: Unit, wounds_lost: int) -> Iterator[Ability]:
    """The abilities of a unit that may bear on an attack now: the damaged bracket only once it is reached.

    Not the core ones and what a page says of a weapon's ability: those are in the numbers already.
    """
    carried = {
        name.casefold() for kind in unit.kinds for name, _ in (*kind.weapons, *((item, 1) for item in kind.wargear))
    }
    for ability in unit.abilities:
        name = ability.name.casefold()
        if (
            ability.kind == "core"
            or name in ("leader", "led by", "transport", "supreme commander")
            or name in ABILITIES
            or is_spent(ability)
        ):
            continue
        if name.startswith("damaged") and not _is_damaged(unit, wounds_lost):
            continue
        if ability.kind == "wargear" and unit.sheet is not None and name not in carried:
            continue
        yield ability


def _is_damaged(unit: Unit, wounds_lost: int) -> bool:
    wounds = unit.kinds[0].profile.W if unit.kinds else None
    return bool(unit.damaged and wounds and wounds_lost and wounds - wounds_lost <= unit.damaged[1])


def _wordless(unit: Unit, abilities: list[Ability]) -> list[str]:
    names = [ability.name for ability in abilities if ability.rule is None and not ability.text]
    return [f"{unit.name}: no words at hand, so not counted: {', '.join(names)}"] if names else []
