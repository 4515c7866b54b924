"""What a model's own wargear makes of its stat line: a shield, a mount, wings.

Such a change holds all battle long for the model that has the item and for no other. So it is put into the stat lines of
those models and leaves the rule: it counts once, and never for the whole unit. Rules: 11e 02.07, 22.04; 10e T-2.0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, TypeAlias, cast

from msgspec.structs import replace

from battlewright import effects as fx
from battlewright.datasheet import Ability, Profile
from battlewright.names import fold
from battlewright.roster import ModelTaken, RosterUnit, WeaponTaken

_LINE: Final = frozenset({"M", "T", "Sv", "W", "Ld", "OC"})
Own: TypeAlias = fx.StatMod | fx.Grant


def stepped(op: str, amount: int, value: int, stat: str) -> int:
    """A characteristic after one change; ``improve`` and ``worsen`` follow its own direction.

    >>> stepped("improve", 1, 4, "Sv"), stepped("add", 1, 4, "W"), stepped("halve", 0, 5, "M")
    (3, 5, 3)
    """
    match op:
        case "set":
            return amount
        case "multiply":
            return value * amount
        case "halve":
            return math.ceil(value / 2)
        case "add":
            return value + amount
        case "subtract":
            return value - amount
        case "improve":
            return value - amount if stat in fx.LOW_IS_GOOD else value + amount
        case _:
            return value + amount if stat in fx.LOW_IS_GOOD else value - amount


# --- of a rule ----------------------------------------------------------------------------------------------------


def own_changes(rule: fx.Rule | None) -> tuple[Own, ...]:
    """What a rule changes of its bearer's stat line, always and unasked."""
    clauses = rule.clauses if rule is not None and not rule.limits else ()
    return tuple(cast(Own, each) for clause in clauses if _always(clause) for each in clause.do if _is_own(each))


def without_own(rule: fx.Rule) -> fx.Rule:
    """The rule without what :func:`own_changes` gives."""
    if not own_changes(rule):
        return rule
    clauses = (
        replace(clause, do=tuple(each for each in clause.do if not _is_own(each))) if _always(clause) else clause
        for clause in rule.clauses
    )
    return replace(rule, clauses=tuple(clause for clause in clauses if clause.do))


def without_told(rule: fx.Rule, told: Iterable[str]) -> fx.Rule:
    """The rule without the changes of characteristics that stand in what is printed already."""
    stats = frozenset(told)

    def kept(effect: fx.Effect) -> bool:
        return not (isinstance(effect, fx.StatMod) and effect.op != "set" and stats.issuperset(effect.stats))

    clauses = (replace(clause, do=tuple(filter(kept, clause.do))) for clause in rule.clauses)
    return replace(rule, clauses=tuple(clause for clause in clauses if clause.do))


def _always(clause: fx.Clause) -> bool:
    plain = clause.holds is None and clause.may is None and not clause.limits
    return plain and isinstance(clause.when, fx.Static) and clause.lasts.until in ("instant", "battle")


def _is_own(effect: fx.Effect) -> bool:
    if not isinstance(effect, fx.StatMod | fx.Grant) or effect.amount is None or effect.amount.n.constant is None:
        return False
    who, amount = effect.who, effect.amount
    if who is None or (who.what, who.ref) != ("model", "self") or who.where is not None or who.of is not None:
        return False
    if amount.per is not None or amount.ref is not None:
        return False
    if isinstance(effect, fx.Grant):
        return effect.what == "invulnerable" and effect.against is None
    return effect.on == "model" and _LINE.issuperset(effect.stats) and effect.maximum is effect.minimum is None


def borne(line: Profile, changes: Iterable[Own]) -> Profile:
    """The stat line after these changes; what replaces a value comes before what adds to it (11e 02.02.01; 10e T-1.5)."""
    for change in sorted(changes, key=lambda each: isinstance(each, fx.StatMod) and each.op != "set"):
        assert change.amount is not None
        number = change.amount.n.constant or 0
        if isinstance(change, fx.Grant):
            better = line.InSv is None or line.InSv_against is not None or number < line.InSv
            line = replace(line, InSv=number, InSv_against=None) if better else line
            continue
        for stat in change.stats:
            value = getattr(line, stat)
            if value is not None or change.op == "set":
                line = replace(line, **{stat: max(0, stepped(change.op, number, value or 0, stat))})
    return line


# --- of a unit of a list --------------------------------------------------------------------------------------------


def as_borne(unit: RosterUnit) -> tuple[RosterUnit, tuple[str, ...]]:
    """The unit with the stat lines its models have by their own wargear, the rules without that, and what changed.

    Of a lone model that is attached to others, what its abilities always change too. Models of which only some carry
    the item are parted from the others, as far as the list says who has it.
    """
    lone = unit.attached_to is not None and sum(model.count for model in unit.models) == 1
    notes: dict[str, None] = {}
    for ability in unit.abilities:
        changes = own_changes(ability.rule)
        everyone = lone and ability.kind != "wargear"
        if ability.rule is None or not changes or not (everyone or ability.kind == "wargear"):
            continue
        item = fold(ability.name)
        parted = tuple(part for model in unit.models for part in ((model,) if everyone else parted_by(model, item)))
        having = [part for part in parted if everyone or carries(part, item)]
        if not having or any(part.profile is None for part in having):
            continue
        models = []
        for part in parted:
            if part in having and part.profile is not None:
                line = borne(part.profile, changes)
                notes[f"{unit.name}: {told_of(ability.name, part.name, part.profile, line)}"] = None
                part = replace(part, profile=line)
            models.append(part)
        left = replace(ability, rule=without_own(ability.rule))
        abilities = tuple(left if each is ability else each for each in unit.abilities)
        unit = replace(unit, models=tuple(models), abilities=abilities)
    return unit, tuple(notes)


def carries(model: ModelTaken, item: str) -> bool:
    """Whether each of these models has an item of that (folded) name."""
    return sum(weapon.count for weapon in model.weapons if fold(weapon.name) == item) >= model.count


def parted_by(model: ModelTaken, item: str) -> tuple[ModelTaken, ...]:
    """The models that carry an item, and those that do not. What all have goes to all, of the rest those without the
    item have first: it came in exchange for something.

    >>> gear = (WeaponTaken("maul", 3), WeaponTaken("slab", 1), WeaponTaken("buckler", 2))
    >>> [(part.count, [w.name for w in part.weapons]) for part in parted_by(ModelTaken("Guard", 3, None, gear), "slab")]
    [(1, ['maul', 'slab']), (2, ['maul', 'buckler'])]
    """
    number = sum(weapon.count for weapon in model.weapons if fold(weapon.name) == item)
    if not 0 < number < model.count:
        return (model,)
    rest = model.count - number
    with_it, without = list[WeaponTaken](), list[WeaponTaken]()
    for weapon in model.weapons:
        if fold(weapon.name) == item:
            with_it.append(weapon)
            continue
        each, left = divmod(weapon.count, model.count)
        mine = each * number + max(0, left - rest)
        with_it += [replace(weapon, count=mine)] if mine else []
        without += [replace(weapon, count=weapon.count - mine)] if weapon.count > mine else []
    return (replace(model, count=number, weapons=tuple(with_it)), replace(model, count=rest, weapons=tuple(without)))


def told_of(item: str, model: str, before: Profile, after: Profile) -> str:
    """What an item made of a stat line, in words.

    >>> told_of("Slab", "Warden", Profile(W=3), Profile(W=4, InSv=5))
    'Slab: W 4, InSv 5 for Warden'
    """
    names = [name for name in Profile.__struct_fields__ if getattr(before, name) != getattr(after, name)]
    return f"{item}: {', '.join(f'{name} {getattr(after, name)}' for name in names) or 'nothing new'} for {model}"


def is_spent(ability: Ability) -> bool:
    """An ability all of whose words stand in numbers already: nothing is left of its rule."""
    return ability.rule is not None and ability.rule.status == "full" and not ability.rule.clauses
