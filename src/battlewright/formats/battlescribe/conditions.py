"""Conditions and modifiers of a catalogue, asked for a matched-play army of which only this one unit is known.

The answer is True, False or None: not known from the catalogue alone (it depends on what else is in the army, or on
choices within the unit when no ``counts`` are given).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from battlewright.formats.battlescribe.index import lists
from battlewright.formats.tree import Tree, number

_COMPARE: Final[dict[str, Callable[[float, float], bool]]] = {
    "lessThan": operator.lt,
    "greaterThan": operator.gt,
    "atLeast": operator.ge,
    "atMost": operator.le,
    "equalTo": operator.eq,
    "notEqualTo": operator.ne,
}
_ARMY: Final = frozenset({"force", "roster"})


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the army we stand: the ids (own, link, categories) of every ancestor, outermost first, self last.

    ``loose``: the outermost is a part of some unit, not known which (a group of enhancements). An empty ``catalogue``
    is any: a choice that some army of these files can make.
    """

    catalogue: str = ""
    force: str = ""
    chain: tuple[frozenset[str], ...] = ()
    kinds: tuple[str, ...] = ()
    counts: Mapping[str, float] | None = None
    copies: int = 0
    loose: bool = False

    def below(self, ids: frozenset[str], kind: str) -> Place:
        return replace(self, chain=(*self.chain, ids), kinds=(*self.kinds, kind))

    def given(self, counts: Mapping[str, float], copies: int = 0) -> Place:
        """The same place once the numbers of everything chosen in the unit are known."""
        return replace(self, counts=counts, copies=copies)


@dataclass(frozen=True, slots=True)
class Modifier:
    """One modifier with the conditions of the groups it stands in."""

    raw: Tree
    gates: tuple[Tree, ...] = ()

    @property
    def field(self) -> str:
        return str(self.raw.get("field"))

    @property
    def kind(self) -> str:
        return str(self.raw.get("type"))

    def holds(self, place: Place) -> bool | None:
        return _all(holds(gate, place) for gate in (*self.gates, self.raw))

    def times(self, place: Place) -> float:
        """How often it applies: once, or as its repeats say (0 when their number is not known)."""
        found = 1.0
        for repeat in (entry for gate in (*self.gates, self.raw) for entry in lists(gate, "repeats")):
            value = number(repeat.get("value"), 1) or 1
            counted = _count(repeat, place)
            found *= 0 if counted is None else (counted // value) * number(repeat.get("repeats"), 1)
        return found

    def asks(self) -> Iterator[str]:
        """The ids of everything its conditions ask for."""
        stack = [self.raw, *self.gates]
        while stack:
            holder = stack.pop()
            yield from (str(condition.get("childId")) for condition in lists(holder, "conditions"))
            stack += lists(holder, "conditionGroups", "localConditionGroups")

    def one_item(self, place: Place) -> tuple[str, int, bool] | None:
        """The id of the one thing of the unit it asks for, how many of it, and whether anywhere in the unit; else None."""
        holders = (*self.gates, self.raw)
        if any(lists(each, "conditionGroups", "localConditionGroups", "repeats") for each in holders):
            return None
        asked = {
            (str(one.get("childId")), str(one.get("scope")), str(one.get("type")), number(one.get("value")))
            for each in holders
            for one in lists(each, "conditions")
            if _condition(one, place) is not True
        }
        if len(asked) != 1:
            return None
        ((child, scope, kind, value),) = asked
        least = {"atLeast": value, "equalTo": value, "greaterThan": value + 1}.get(kind, 0)
        if scope in _ARMY or least < 1 or not place.chain:
            return None
        above = max(0, len(place.chain) - 2)  # what holds the unit is the army: there the unit itself is meant
        depth = {"self": len(place.chain) - 1, "parent": above, "root-entry": 0, "unit": 0}.get(scope)
        if depth is None:
            depth = next((at for at, ids in enumerate(place.chain) if scope in ids), -1)
        return (child, int(least), depth == 0) if depth >= 0 else None


def modifiers(*holders: Tree) -> list[Modifier]:
    """The modifiers of elements, those in groups carrying the conditions of their groups."""
    found: list[Modifier] = []
    for holder in holders:
        _collect(holder, (), found, 0)
    return found


def _collect(holder: Tree, gates: tuple[Tree, ...], found: list[Modifier], depth: int) -> None:
    found += [Modifier(raw, gates) for raw in lists(holder, "modifiers")]
    if depth < 20:
        for group in lists(holder, "modifierGroups"):
            _collect(group, (*gates, group), found, depth + 1)


def changed(value: float, field: str, own: list[Modifier], place: Place) -> float:
    """A number (a cost, a constraint) after the modifiers of ``field`` that certainly hold."""
    for modifier in own:
        if modifier.field != field or modifier.holds(place) is not True:
            continue
        amount, times = number(modifier.raw.get("value")), modifier.times(place)
        match modifier.kind:
            case "set" if times:
                value = amount
            case "increment":
                value += amount * times
            case "decrement":
                value -= amount * times
            case "multiply" if times:
                value *= amount
            case "divide" if times and amount:
                value /= amount
    return value


def holds(holder: Tree, place: Place) -> bool | None:
    """Whether all conditions and condition groups of an element hold."""
    return _all(_parts(holder, place))


def _parts(holder: Tree, place: Place) -> Iterator[bool | None]:
    for condition in lists(holder, "conditions"):
        yield _condition(condition, place)
    for group in lists(holder, "conditionGroups"):
        yield _group(group, place)
    for group in lists(holder, "localConditionGroups"):
        yield _local(group, place)


def _group(group: Tree, place: Place) -> bool | None:
    answers = list(_parts(group, place))
    match group.get("type"):
        case "or":
            return True if True in answers else None if None in answers else not answers
        case "count":
            need = number(group.get("min"), 1)
            sure, possible = answers.count(True), answers.count(True) + answers.count(None)
            return True if sure >= need else None if possible >= need else False
        case _:
            return _all(answers)


def _local(group: Tree, place: Place) -> bool | None:
    """How many selections of the army meet the conditions: earlier copies of this unit, when it asks for these."""
    kinds = {condition.get("type") for condition in lists(group, "conditions")}
    compare = _COMPARE.get(str(group.get("type")))
    if compare is None or "before" not in kinds:
        return None
    return compare(place.copies, number(group.get("value")))


def _condition(condition: Tree, place: Place) -> bool | None:
    kind = str(condition.get("type"))
    if kind in ("instanceOf", "notInstanceOf"):
        scope = str(condition.get("scope"))
        found = _instance(scope, str(condition.get("childId")), place)
        if place.loose and found is False and scope not in ("force", "primary-catalogue", "self"):
            found = None
        return None if found is None else found is (kind == "instanceOf")
    compare = _COMPARE.get(kind)
    counted = _count(condition, place)
    return None if compare is None or counted is None else compare(counted, number(condition.get("value")))


def _count(condition: Tree, place: Place) -> float | None:
    scope, child, what = (str(condition.get(name)) for name in ("scope", "childId", "field"))
    if what == "forces":
        return float(child in (place.force, place.catalogue, "any"))
    if place.counts is None or scope in _ARMY or what != "selections":
        return None
    known = scope in ("self", "parent", "unit", "model", "model-or-unit", "root-entry", "upgrade")
    if not known and not any(scope in ids for ids in place.chain):
        return None
    return place.counts.get(child, 0)


def _instance(scope: str, child: str, place: Place) -> bool | None:
    if not place.chain:
        return None
    match scope:
        case "force":
            if child in (place.force, place.catalogue):
                return True
            return None if child in place.chain[0] else False
        case "primary-catalogue":
            return child == place.catalogue if place.catalogue else None
        case "ancestor":
            return any(child in ids for ids in place.chain)
        case "self":
            return child in place.chain[-1]
        case "parent":
            return child in place.chain[-2] if len(place.chain) > 1 else None
        case "root-entry":
            return child in place.chain[0] or child == place.kinds[0]
        case "unit" | "model" | "upgrade" | "model-or-unit":
            wanted = scope.split("-or-")
            nearest = [ids for ids, kind in zip(place.chain, place.kinds, strict=True) if kind in wanted]
            return child in nearest[-1] if nearest else False
        case _:
            inside = [ids for ids in place.chain if scope in ids]
            return child in inside[-1] if inside else None


def _all(answers: Any) -> bool | None:
    unknown = False
    for answer in answers:
        if answer is False:
            return False
        unknown |= answer is None
    return None if unknown else True
