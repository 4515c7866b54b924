"""Other equipment than the default, by the datasheet's own options: what is replaced, and how many may."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from battlewright.attack.arms import counted
from battlewright.attack.units import Kind, Unit
from battlewright.datasheet import Choice, WargearOption
from battlewright.errors import BadInput, Fault
from battlewright.names import meant, same


def equip(unit: Unit, wishes: Sequence[str]) -> Unit:
    """The unit with ``2 plasma gun`` and the like taken instead of what the option replaces.

    Raises :class:`BadInput` with every wish no option grants, and every number beyond an option's limit.

    >>> from battlewright.attack.units import take
    >>> dict(equip(take("Kasrkin"), ["2 plasma gun", "2 meltagun"]).kinds[1].weapons)
    {'hot-shot lasgun': 5, 'close combat weapon': 9, 'plasma gun': 2, 'meltagun': 2}
    """
    faults, used = list[Fault](), dict[WargearOption, int]()
    for text in wishes:
        count, name = counted(text)
        try:
            unit = _with(unit, count or 1, name, used)
        except BadInput as error:
            faults += [Fault(fault.what, f"--take {text}") for fault in error.faults]
    if faults:
        raise BadInput(faults)
    return unit


def _with(unit: Unit, count: int, name: str, used: dict[WargearOption, int]) -> Unit:
    option, choice = _option(unit, name)
    most = _most(option, unit)
    taken = used.get(option, 0) + count
    if most is not None and taken > most:
        raise BadInput(f"at most {most} of this option, {taken} wanted")
    if option.each_limit is not None and count > option.each_limit:
        raise BadInput(f"at most {option.each_limit} of the same, {count} wanted")
    place = _bearers(unit, option, count)
    used[option] = taken
    kind = unit.kinds[place]
    gear = any(not unit.profiles(item, kind) for item, _ in choice.items)
    bearers, others = _parted(kind, option, count) if gear and count < kind.count else (kind, ())
    bearers = _changed(bearers, option, choice, count, unit)
    return replace(unit, kinds=(*unit.kinds[:place], bearers, *others, *unit.kinds[place + 1 :]))


def _parted(kind: Kind, option: WargearOption, count: int) -> tuple[Kind, tuple[Kind, ...]]:
    """``count`` of the models, with what the option replaces of them, apart from the others: gear counts for its bearers."""
    weapons = []
    for name, number in kind.weapons:
        replaced = any(same(name, item) for item in option.replaces)
        weapons.append((name, max(number * count // kind.count, min(count, number) if replaced else 0)))
    mine = dict(weapons)
    rest = tuple((name, number - mine[name]) for name, number in kind.weapons)
    return (
        replace(kind, count=count, weapons=tuple((name, number) for name, number in weapons if number)),
        (replace(kind, count=kind.count - count, weapons=tuple((name, number) for name, number in rest if number)),),
    )


def _option(unit: Unit, name: str) -> tuple[WargearOption, Choice]:
    options = unit.sheet.options if unit.sheet else ()
    for option in options:
        for choice in option.choices:
            if any(same(item, name) for item, _ in choice.items):
                return option, choice
    given = dict.fromkeys(item for option in options for choice in option.choices for item, _ in choice.items)
    raise BadInput("no option gives it" + meant(name, given))


def _most(option: WargearOption, unit: Unit) -> int | None:
    """How many may: a number, or so many for every so many models of the unit."""
    if option.limit is None:
        return None
    return option.limit * (unit.models // option.per) if option.per else option.limit


def _bearers(unit: Unit, option: WargearOption, count: int) -> int:
    """The kind of model that may take it and still has what is replaced."""
    for place, kind in enumerate(unit.kinds):
        if option.model and not same(option.model, kind.name):
            continue
        if all(_has(kind, item) >= count for item in (*option.replaces, *option.needs)) and kind.count >= count:
            return place
    asked = " and ".join((*option.replaces, *option.needs)) or option.model or "one"
    raise BadInput(f"not {count} models left with {asked}")


def _has(kind: Kind, item: str) -> int:
    return sum(number for name, number in kind.weapons if same(name, item)) or sum(
        same(item, each) for each in kind.wargear
    )


def _changed(kind: Kind, option: WargearOption, choice: Choice, count: int, unit: Unit) -> Kind:
    weapons = dict(kind.weapons)
    for item in option.replaces:
        held = next(name for name in weapons if same(name, item))
        weapons[held] -= count
    wargear = list(kind.wargear)
    for item, number in choice.items:
        if unit.profiles(item, kind):
            weapons[item] = weapons.get(item, 0) + count * number
        else:
            wargear += [item] * (count * number)
    return replace(
        kind, weapons=tuple((name, number) for name, number in weapons.items() if number), wargear=tuple(wargear)
    )
