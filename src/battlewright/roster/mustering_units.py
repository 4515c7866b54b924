"""Rules of mustering about datasheets: copies, prices, composition, wargear, transports."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from battlewright.datasheet import Datasheet, ModelEntry, PointsTier, WargearOption
from battlewright.names import fold, same, singular
from battlewright.roster import ModelTaken, RosterUnit
from battlewright.roster.mustering_base import Army, Finding, texts_of

# --- copies --------------------------------------------------------------------------------------------------------


def by_datasheet(army: Army) -> dict[str, list[RosterUnit]]:
    """The units of each datasheet, in the order of the list."""
    groups: dict[str, list[RosterUnit]] = {}
    for unit in army.roster.units:
        groups.setdefault(fold(unit.datasheet.name if unit.datasheet else unit.name), []).append(unit)
    return groups


def copies(army: Army) -> Iterator[Finding]:
    """Units of one datasheet: the limit of the size, twice that for BATTLELINE and DEDICATED TRANSPORT, one EPIC HERO.

    Rules: 11e 25.03; 10e T-14.1 step 5.
    """
    size = army.size
    for units in by_datasheet(army).values():
        count, first = len(units), units[0]
        if count > 1 and army.has(first, "EPIC HERO"):
            yield army.problem("copies", f"an EPIC HERO taken {count} times; once at most", first.name)
            continue
        if size is None:
            continue
        many = [army.has(first, word) for word in ("BATTLELINE", "DEDICATED TRANSPORT")]
        limit = size.copies * (2 if any(many) else 1)
        if count <= limit:
            continue
        if None in many and not any(many) and count <= 2 * size.copies:
            yield army.unseen(
                "copies", f"taken {count} times; whether it is BATTLELINE or DEDICATED TRANSPORT", first.name
            )
        else:
            yield army.problem("copies", f"taken {count} times, {size.name} allows {limit}", first.name)


_LIMIT = re.compile(
    r"cannot include more than (?P<count>one|two|three|four|\d+) (?P<name>[\w' -]+?) (?:models?|units?)\b",
    re.IGNORECASE,
)
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4}


def own_limits(army: Army) -> Iterator[Finding]:
    """Units whose own rules bound how many of them an army may include."""
    texts = [text for unit in army.roster.units for text in texts_of(unit)]
    told = {(found["name"], found["count"]) for text in texts if (found := _LIMIT.search(text))}
    for name, count in sorted(told):
        most = _NUMBERS.get(count.casefold()) or int(count)
        taken = [unit for unit in army.roster.units if same(unit.name, name) or army.has(unit, name)]
        if len(taken) > most:
            yield army.problem("copies", f"{len(taken)} {name} units; their own rules allow {most}")


# --- prices --------------------------------------------------------------------------------------------------------


def price(tiers: Sequence[PointsTier], models: int, copy: int) -> int | None:
    """What the ``copy``-th unit of so many models costs; None when the tiers do not say.

    >>> tiers = (PointsTier(5, 80, 1, 2), PointsTier(5, 90, 3), PointsTier(10, 160))
    >>> [price(tiers, 5, copy) for copy in (1, 2, 3)], price(tiers, 7, 1), price(tiers, 11, 1)
    ([80, 80, 90], 160, None)
    """
    fitting = [
        tier
        for tier in tiers
        if tier.models >= models
        and tier.first <= copy <= (tier.last if tier.last is not None else copy)
        and not tier.extra
    ]
    return min(fitting, key=lambda tier: tier.models).points if fitting else None


def prices(army: Army) -> Iterator[Finding]:
    """Each unit costs what its datasheet says for its size and its place among its copies (11e 25.04; 10e T-14.1).

    Prices change with the field manual. A price that the datasheet has for another size or copy is a fault; one it does
    not have at all is a fault only where it alone differs from several that agree, else the list may be of another
    version, and then no price is a fault.
    """
    agreed, mistaken, strange = 0, list[tuple[RosterUnit, int, int]](), list[tuple[RosterUnit, int, int]]()
    for units in by_datasheet(army).values():
        sheet = units[0].datasheet
        tiers = [tier for tier in sheet.points if not tier.extra] if sheet else []
        priced = [_priced(army, unit, tiers, place) for place, unit in enumerate(units, 1)]
        gaps = [found for found in priced if not isinstance(found, tuple)]
        if gaps:
            yield army.unseen("points", gaps[0], units[0].name if not tiers else units[priced.index(gaps[0])])
            continue
        pairs = [found for found in priced if isinstance(found, tuple)]
        if sum(own for own, _ in pairs) == sum(should for _, should in pairs):
            agreed += len(units)
            continue
        for unit, (own, should) in zip(units, pairs, strict=True):
            if own == should:
                agreed += 1
            else:
                known = any(own == tier.points for tier in tiers)
                (mistaken if known else strange).append((unit, own, should))
    lonely = len({fold(each.name) for each, _, _ in strange}) == 1 and agreed > 1
    of_now = not strange or lonely or 0 < 5 * len(strange) <= agreed
    for unit, own, should in [*mistaken, *strange]:
        yield (army.problem if of_now else army.unseen)("points", _costs(unit, own, should), unit)


def _costs(unit: RosterUnit, own: int, should: int) -> str:
    size = _models(unit)
    return f"{size} model{'s' if size > 1 else ''} cost{'' if size > 1 else 's'} {should} points, the list says {own}"


def _priced(army: Army, unit: RosterUnit, tiers: Sequence[PointsTier], copy: int) -> tuple[int, int] | str:
    """What the list and what the datasheet says a unit costs, without its enhancement; or why that is not known."""
    if not tiers:
        return "the price by the datasheet is not known"
    own = _without_enhancement(army, unit)
    if own is None:
        return "its own points, without the enhancement, are not known"
    should = price(tiers, _models(unit), copy)
    extra = _surcharge(unit, unit.datasheet.points if unit.datasheet else ())
    return (own, should + extra) if should is not None else f"no price for {_models(unit)} models"


def _surcharge(unit: RosterUnit, tiers: Sequence[PointsTier]) -> int:
    """What the wargear taken costs extra, by the prices of the datasheet that name an item."""
    taken: Counter[str] = Counter()
    for model in unit.models:
        taken[fold(model.name)] += model.count
        for weapon in model.weapons:
            taken[fold(weapon.name)] += weapon.count
    for weapon in unit.wargear:
        taken[fold(weapon.name)] += weapon.count
    total = 0
    for tier in tiers:
        if tier.extra:
            parts = [tier.extra] if fold(tier.extra) in taken else tier.extra.split(" and ")
            total += tier.points * min(taken[fold(part)] for part in parts)
    return total


def _without_enhancement(army: Army, unit: RosterUnit) -> int | None:
    if unit.points is None or unit.enhancement is None:
        return unit.points
    if unit.enhancement_points is not None:
        return unit.points - unit.enhancement_points
    known = [each for each in army.known.enhancements if same(each.name, unit.enhancement)] if army.known else []
    prices = {each.points for each in known if each.points is not None}
    return unit.points - prices.pop() if len(prices) == 1 else None


def _models(unit: RosterUnit) -> int:
    return sum(model.count for model in unit.models)


# --- composition ---------------------------------------------------------------------------------------------------


def composition(army: Army) -> Iterator[Finding]:
    """A unit has the models its datasheet allows: of each kind, and in all (11e 02.06; 10e T-14.1)."""
    for unit in army.roster.units:
        sheet = unit.datasheet
        if sheet is None or not sheet.models or "unit composition" in sheet.missing:
            yield army.unseen("composition", "the unit composition is not known", unit)
            continue
        yield from _total(army, unit, sheet)
        counts: Counter[str] = Counter()
        strangers = []
        for model in unit.models:
            entry = entry_of(sheet, model, unit)
            if entry is None:
                strangers.append(model.name)
            else:
                counts[entry.name] += model.count
        if strangers:
            yield army.unseen("composition", f"no model called {strangers[0]} in the datasheet", unit)
            continue
        if len(unit.models) == 1 and len(sheet.models) > 1 and same(unit.models[0].name, unit.name):
            continue
        yield from _kinds(army, unit, sheet, counts)


def _total(army: Army, unit: RosterUnit, sheet: Datasheet) -> Iterator[Finding]:
    count = _models(unit)
    low = sum(entry.low for entry in sheet.models)
    highs = [entry.high for entry in sheet.models]
    high = sum(filter(None, highs)) if None not in highs else None
    sizes = sorted({tier.models for tier in sheet.points if not tier.extra})
    if sizes:
        high = min(high, sizes[-1]) if high is not None else sizes[-1]
    if count < low or (high is not None and count > high):
        allowed = (
            f"{low} to {high}" if high is not None and high != low else f"{low}" if high == low else f"at least {low}"
        )
        yield army.problem("composition", f"{count} models, the datasheet has {allowed}", unit)


def _kinds(army: Army, unit: RosterUnit, sheet: Datasheet, counts: Counter[str]) -> Iterator[Finding]:
    for entry in sheet.models:
        count = counts[entry.name]
        if count < entry.low:
            yield army.problem("composition", f"{count} {entry.name}, at least {entry.low}", unit)
        elif entry.high is not None and count > entry.high:
            yield army.problem("composition", f"{count} {entry.name}, at most {entry.high}", unit)


def entry_of(sheet: Datasheet, model: ModelTaken, unit: RosterUnit) -> ModelEntry | None:
    """The kind of model of a datasheet that a name means: its own name, a variant, or the only kind there is."""
    plain = fold(model.name)
    for entry in sheet.models:
        variants = getattr(entry, "variants", ())
        if same(entry.name, model.name) or any(same(name, model.name) for name in variants):
            return entry
    for wanted in (plain, plain.partition(" w ")[0].partition(" with ")[0]):
        for entry in sheet.models:
            if _each_singular(fold(entry.name)) == _each_singular(wanted):
                return entry
    lone = len(sheet.models) == 1 and (same(model.name, unit.name) or len(unit.models) == 1)
    return sheet.models[0] if lone or (same(model.name, unit.name) and len(unit.models) == 1) else None


def _each_singular(name: str) -> str:
    return " ".join(singular(word) for word in name.split())


# --- wargear -------------------------------------------------------------------------------------------------------


def wargear(army: Army) -> Iterator[Finding]:
    """No more of an item than the defaults and the options of the datasheet give (11e 02.07; 10e T-2.0)."""
    for unit in army.roster.units:
        sheet = unit.datasheet
        if sheet is None or not sheet.models or not any(entry.wargear for entry in sheet.models):
            yield army.unseen("wargear", "the wargear options are not known", unit)
            continue
        if "wargear options" in sheet.missing:
            yield army.unseen("wargear", "the wargear options are not known", unit)
            continue
        carried = _carried(unit)
        names = {fold(weapon.name): weapon.name for weapon in sheet.weapons}
        for name, count in carried.items():
            if name not in names and singular(name) not in map(singular, names):
                continue
            most = most_of(sheet, unit, name)
            if count > most:
                said = next(item.name for item in _items(unit) if fold(item.name) == name)
                yield army.problem("wargear", f"{count} {said}, its wargear options give at most {most}", unit)


def _items(unit: RosterUnit) -> list[Item]:
    return [Item(item.name, item.count) for model in unit.models for item in model.weapons] + [
        Item(item.name, item.count) for item in unit.wargear
    ]


class Item:
    """A name and a number."""

    __slots__ = ("count", "name")

    def __init__(self, name: str, count: int) -> None:
        self.name, self.count = name, count


def _carried(unit: RosterUnit) -> Counter[str]:
    found: Counter[str] = Counter()
    for item in _items(unit):
        found[fold(item.name)] += item.count
    return found


def most_of(sheet: Datasheet, unit: RosterUnit, item: str) -> int:
    """The most of an item a unit of this size can have: its defaults and every option that gives it, used in full."""
    models = _models(unit)
    total = 0
    for model in unit.models:
        entry = entry_of(sheet, model, unit)
        entries = [entry] if entry is not None else list(sheet.models)
        total += max((sum(_is(name, item) for name in each.wargear) for each in entries), default=0) * model.count
    if len(unit.models) == 1 and len(sheet.models) > 1:
        total = max((sum(_is(name, item) for name in entry.wargear) for entry in sheet.models), default=0) * models
    return total + sum(_given(option, item, models) for option in sheet.options)


def _given(option: WargearOption, item: str, models: int) -> int:
    """How many of an item an option can give to a unit of so many models."""
    each = max((number for choice in option.choices for name, number in choice.items if _is(name, item)), default=0)
    if not each:
        return 0
    times = models if option.limit is None and option.per is None else option.limit or 1
    if option.per is not None:
        times = (models // option.per) * (option.limit or 1)
    if option.each_limit is not None:
        times = min(times, option.each_limit)
    return each * times


def _is(name: str, folded: str) -> bool:
    return fold(name) == folded or singular(fold(name)) == singular(folded)


# --- transports ----------------------------------------------------------------------------------------------------


def transports(army: Army) -> Iterator[Finding]:
    """Every DEDICATED TRANSPORT starts with a unit embarked: an army with more of them than units to embark cannot.

    Rules: 11e 18.01; 10e T-14.1. Who embarks is decided at Declare Battle Formations.
    """
    dedicated = [unit for unit in army.roster.units if army.has(unit, "DEDICATED TRANSPORT")]
    others = [unit for unit in army.roster.units if not army.has(unit, "DEDICATED TRANSPORT")]
    if len(dedicated) > len(others):
        yield army.problem(
            "transports", f"{len(dedicated)} Dedicated Transports for {len(others)} other units to embark"
        )
    elif dedicated:
        yield army.unseen(
            "transports", "which unit starts embarked in each Dedicated Transport (chosen before the battle)"
        )
