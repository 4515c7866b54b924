"""Units with the stat lines their wargear makes of the printed ones, and the compiled rules of their abilities."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from battlewright.attack.units import Unit
from battlewright.datasheet import Ability
from battlewright.effects import EditionId, Rule, RuleKind
from battlewright.names import same
from battlewright.roster.bearers import borne, own_changes, told_of, without_own, without_told

_KINDS: dict[str, RuleKind] = {"wargear": "wargear-ability", "core": "core-ability", "faction": "faction-rule"}


def worn(unit: Unit) -> Unit:
    """The unit with what wargear changes of its bearers' stat lines in these, and no longer in the rules.

    >>> from battlewright.attack.units import Kind
    >>> from battlewright.datasheet import Profile
    >>> slab = Ability("Slab", "The bearer has a Wounds characteristic of 4.", "wargear")
    >>> kinds = (Kind("Warden", 2, Profile(W=3)), Kind("Sergeant", 1, Profile(W=3), wargear=("slab",)))
    >>> found = worn(Unit("Wardens", "10e", kinds, abilities=(slab,)))
    >>> [kind.profile.W for kind in found.kinds], found.abilities[0].rule.clauses, found.notes
    ([3, 4], (), ('Wardens: Slab: W 4 for Sergeant',))
    """
    for ability in unit.abilities:
        having = [kind for kind in unit.kinds if any(same(item, ability.name) for item in kind.wargear)]
        if ability.kind != "wargear" or not having:
            continue
        rule = rule_of(ability, unit)
        changes = own_changes(rule)
        if rule is None or not changes:
            continue
        kinds, told = list(unit.kinds), dict[str, None]()
        for place, kind in enumerate(kinds):
            if kind in having:
                kinds[place] = replace(kind, profile=borne(kind.profile, changes))
                said = told_of(ability.name, kind.name, kind.profile, kinds[place].profile)
                told[f"{unit.name}: {said}"] = None
        left = replace(ability, rule=without_own(rule), status=rule.status)
        abilities = tuple(left if each is ability else each for each in unit.abilities)
        unit = replace(unit, kinds=tuple(kinds), abilities=abilities, notes=(*unit.notes, *told))
    return unit


def rule_of(ability: Ability, unit: Unit) -> Rule | None:
    """What an ability compiles to; None without words."""
    if ability.rule is not None:
        return ability.rule
    if not ability.text:
        return None
    rule = _compiled(ability, unit.edition, unit.faction_keywords[0] if unit.faction_keywords else "")
    return without_told(rule, ability.told) if ability.told else rule


@lru_cache(maxsize=4096)
def _compiled(ability: Ability, edition: EditionId, faction: str) -> Rule:
    kind = _KINDS.get(ability.kind, "damaged" if ability.name.casefold().startswith("damaged") else "unit-ability")
    from battlewright.rulestext import compile  # only who asks of words loads the grammar

    return compile(ability.text, name=ability.name, kind=kind, edition=edition, faction=faction)
