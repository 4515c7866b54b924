"""The rules texts that come along with a rich list, compiled: abilities of units, of detachments, of the army."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from battlewright.catalogue.resolve import Resolved, resolve
from battlewright.datasheet import Ability
from battlewright.effects import EditionId, RuleKind
from battlewright.names import same
from battlewright.roster import Detachment, Roster, RosterUnit
from battlewright.roster.bearers import as_borne, without_told
from battlewright.rulestext import compile as compile_text

_KINDS: Final[dict[str, RuleKind]] = {
    "datasheet": "unit-ability",
    "wargear": "wargear-ability",
    "faction": "faction-rule",
    "special": "other",
}


def prepared(roster: Roster, edition: EditionId | None = None, *, bare: bool = False) -> Resolved:
    """A list as odds and battles want it: filled from the catalogues in use, and its rules compiled.

    ``bare`` leaves the catalogues out. What came from where and what is missing stays in the answer.
    """
    found = Resolved(replace(roster, edition=roster.edition or edition)) if bare else resolve(roster, edition)
    compiled = compile_roster(found.roster)
    worn = [as_borne(unit) for unit in compiled.units]
    notes = dict.fromkeys((*found.notes, *(note for _, told in worn for note in told)))
    return replace(found, roster=replace(compiled, units=tuple(unit for unit, _ in worn)), notes=tuple(notes))


def compile_roster(roster: Roster) -> Roster:
    """The same list with a rule for every ability that has a text and none yet. Equal texts are compiled once.

    >>> stoke = Ability("Stoke", "Each time this model makes an attack, add 1 to the Hit roll.")
    >>> found = compile_roster(Roster(edition="11e", units=(RosterUnit("Ash Seer", abilities=(stoke,)),)))
    >>> found.units[0].abilities[0].status
    'full'
    """
    made: dict[tuple[str, str, str, tuple[str, ...]], Ability] = {}

    def compiled(ability: Ability) -> Ability:
        key = (ability.kind, ability.name, ability.text, ability.told)
        if key not in made:
            made[key] = compile_ability(ability, roster.edition, roster.faction)
        return made[key]

    def of_unit(unit: RosterUnit) -> RosterUnit:
        gifts = [name for name in (unit.enhancement, *unit.more_enhancements) if name]
        return replace(
            unit,
            abilities=tuple(
                compile_ability(each, roster.edition, roster.faction, kind="enhancement")
                if any(same(each.name, gift) for gift in gifts)
                else compiled(each)
                for each in unit.abilities
            ),
        )

    def of_detachment(detachment: Detachment) -> Detachment:
        return replace(detachment, abilities=tuple(map(compiled, detachment.abilities)))

    return replace(
        roster,
        units=tuple(map(of_unit, roster.units)),
        detachments=tuple(map(of_detachment, roster.detachments)),
        army_rules=tuple(map(compiled, roster.army_rules)),
    )


def compile_ability(
    ability: Ability, edition: EditionId | None = None, faction: str = "", *, kind: RuleKind | None = None
) -> Ability:
    """The ability with its rule and status. Core abilities are known by name and keep no rule of their own."""
    rule = ability.rule
    if rule is None:
        if not ability.text or ability.kind not in _KINDS:
            return ability
        kind = kind or _KINDS[ability.kind]
        rule = compile_text(ability.text, name=ability.name, kind=kind, edition=edition, faction=faction)
    return replace(ability, rule=without_told(rule, ability.told) if ability.told else rule, status=rule.status)
