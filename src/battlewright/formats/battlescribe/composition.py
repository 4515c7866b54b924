"""Which models a unit has, how many of each, what they carry, what they may carry instead, and what it costs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from battlewright.datasheet import Choice, PointsTier, WargearOption
from battlewright.formats.battlescribe.conditions import changed
from battlewright.formats.battlescribe.index import PTS
from battlewright.formats.battlescribe.nodes import Node, Print
from battlewright.formats.weapon_line import split_profile

WEAPONS: Final = ("Ranged Weapons", "Melee Weapons")
#: A unit without an upper limit is followed up to this size.
SIZES: Final = 60
LAYOUTS: Final = 16
_PER: Final = re.compile(r"max(?:imum)?\s+(?:of\s+)?(\d+).*\bper\s+(\d+)\s+models", re.I)

Items = Counter[str]


@dataclass(frozen=True)
class Spot:
    """A model entry and the groups between it and the unit, outermost first."""

    node: Node
    path: tuple[Node, ...]


@dataclass(frozen=True)
class Kind:
    """All entries that are the same kind of model with other wargear."""

    name: str
    spots: tuple[Spot, ...]
    print: Print | None

    @property
    def default(self) -> Spot:
        """The variant a unit starts with: one it must have, or the default of its group, or the first."""
        for spot in self.spots:
            group = spot.path[-1] if spot.path else None
            if spot.node.low or (group is not None and group.default and group.default in spot.node.ids):
                return spot
        return self.spots[0]


def spots(root: Node) -> list[Spot]:
    """Every model entry of a unit; a unit without any is itself its one model."""
    found: list[Spot] = []
    if root.kind == "model":
        found.append(Spot(root, ()))
    _find_spots(root, (), found)
    return found or [Spot(root, ())]


def _find_spots(node: Node, path: tuple[Node, ...], found: list[Spot]) -> None:
    for child in node.children:
        if child.is_model:
            found.append(Spot(child, path))
        _find_spots(child, (*path, child), found)


def kinds(root: Node) -> list[Kind]:
    """The kinds of models: entries with one base name and one stat line are one kind."""
    found = spots(root)
    prints = {id(spot): stat_print(spot, root) for spot in found}
    stems = Counter(_stem(spot.node.name) for spot in found)
    namesakes = {_stem(spot.node.name): one for spot in found if (one := prints[id(spot)]) is not None}
    for spot in found:
        prints[id(spot)] = prints[id(spot)] or namesakes.get(_stem(spot.node.name))
    grouped: dict[tuple[str, str], list[Spot]] = {}
    for spot in found:
        one = prints[id(spot)]
        stem = _stem(spot.node.name)
        if stems[stem] == 1 and not re.search(r"\bw/", spot.node.name):
            stem = spot.node.name.casefold()
        grouped.setdefault((stem, repr(one.cells) if one else ""), []).append(spot)
    return [
        Kind(_kind_name(members, prints[id(members[0])]), tuple(members), prints[id(members[0])])
        for members in grouped.values()
    ]


def _stem(name: str) -> str:
    stem = re.split(r"\s+(?:w/|with\b|\(|\[|[-–:]\s)", name, maxsplit=1)[0].strip().casefold()
    return stem[:-1] if stem.endswith("s") and not stem.endswith("ss") else stem


def _kind_name(members: list[Spot], one: Print | None) -> str:
    names = [spot.node.name for spot in members]
    if len(names) == 1 and not re.search(r"\bw/", names[0]):
        return names[0]
    short = min((re.split(r"\s+(?:w/|with\b|\(|\[|[-–:]\s)", name, maxsplit=1)[0].strip() for name in names), key=len)
    if one is not None and _stem(one.name) == _stem(short):
        return one.name
    return short


def stat_print(spot: Spot, root: Node) -> Print | None:
    """The stat line of a model: its own, one of what it must carry, one beside it in its groups, or its unit's."""
    own = [one for one in spot.node.prints if one.kind == "Unit"]
    if not own:
        own = [one for node in spot.node.walk() if node.kind != "model" for one in node.prints if one.kind == "Unit"]
    for holder in (*reversed(spot.path), root):
        own = own or [one for one in holder.prints if one.kind == "Unit"]
    if not own:
        return None
    exact = [one for one in own if one.name.casefold() == spot.node.name.casefold()]
    near = [one for one in own if _stem(one.name) == _stem(spot.node.name)]
    return (exact or near or own)[0]


# --- how many ----------------------------------------------------------------------------------------------------

Left = frozenset[Node]


def layouts(root: Node) -> list[Left]:
    """The ways to fill the unit where upgrades hold its models ("5 models" or "10 models"): for each what it leaves out."""
    found: list[Left] = [frozenset()]
    for node in root.walk():
        ways = [child for child in node.children if child.kind == "upgrade" and child.has_models]
        if not ways or (node.kind != "group" and all(way.low for way in ways)):
            continue
        choices = [frozenset(ways) - {way} for way in ways]
        if node.kind != "group" or not node.low:
            choices.insert(0, frozenset(ways))
        found = [one | other for one in found for other in choices][:LAYOUTS]
    return found


@dataclass(frozen=True)
class Size:
    """One size of the unit: the way it is filled, and the numbers of everything chosen, by id."""

    left: Left
    muster: Muster
    counts: Mapping[str, float]

    @property
    def models(self) -> int:
        return round(self.counts.get("model", 1))


def every_size(root: Node, found: list[Kind]) -> list[Size]:
    """Every size the unit can have, the smallest first."""
    musters = [(left, Muster(root, found, left)) for left in layouts(root)]
    sizes = [Size(left, muster, counts) for left, muster in musters for counts in muster.sizes()]
    return sorted(sizes, key=lambda size: size.models)


def ranges(root: Node, found: list[Kind], sizes: list[Size]) -> dict[str, tuple[int, int | None]]:
    """How few and how many of each kind, by name (None: the catalogue sets no limit)."""
    key = {id(spot.node): kind.name for kind in found for spot in kind.spots}
    ways = []
    for left in layouts(root):
        inside = _ranges(root, key, left)
        ways.append(_sum(inside, {key[id(root)]: (1, 1)}) if id(root) in key else inside)
    total: dict[str, tuple[int, int | None]] = {}
    for kind in found:
        each = [way.get(kind.name, (0, 0)) for way in ways]
        most = [high for _, high in each]
        reached = max((sum(size.counts.get(_key(spot.node), 0) for spot in kind.spots) for size in sizes), default=0)
        high = None if None in most else max(round(reached), *(one or 0 for one in most))
        total[kind.name] = (min(low for low, _ in each), high)
    return total


def _ranges(node: Node, key: Mapping[int, str], left: Left) -> dict[str, tuple[int, int | None]]:
    total: dict[str, tuple[int, int | None]] = {}
    for child in node.children:
        if child in left:
            continue
        inside = _ranges(child, key, left)
        if id(child) in key:
            inside = _sum(inside, {key[id(child)]: (child.low, child.high)})
        total = _sum(total, inside)
    if node.kind == "group" and total and _counts_models(node):
        total = _limited(total, node.low, node.high)
    return total


def _counts_models(group: Node) -> bool:
    """Whether the constraints of a group count models: not when it offers ways to fill the unit."""
    return group.kind == "group" and not any(child.kind == "upgrade" and child.has_models for child in group.children)


def _sum(
    one: dict[str, tuple[int, int | None]], other: dict[str, tuple[int, int | None]]
) -> dict[str, tuple[int, int | None]]:
    total = dict(one)
    for name, (low, high) in other.items():
        a, b = total.get(name, (0, 0))
        total[name] = (a + low, None if b is None or high is None else b + high)
    return total


def _limited(total: dict[str, tuple[int, int | None]], low: int, high: int | None) -> dict[str, tuple[int, int | None]]:
    found = {}
    for name, (least, most) in total.items():
        others = [value for other, value in total.items() if other != name]
        if all(value[1] is not None for value in others):
            least = max(least, low - sum(value[1] or 0 for value in others))
        if high is not None:
            room = high - sum(value[0] for value in others)
            most = room if most is None else min(most, room)
        found[name] = (least, most)
    return found


class Muster:
    """A unit filled from its smallest size upwards, one model at a time, so that prices and limits can be asked."""

    def __init__(self, root: Node, found: list[Kind], left: Left) -> None:
        self.root = root
        every = [spot for kind in found for spot in (kind.default, *kind.spots)]
        self.spots = [spot for spot in every if not left.intersection((spot.node, *spot.path))]
        self.number: Counter[int] = Counter()
        if any(spot.node is root for spot in self.spots):
            self.number[id(root)] = 1
        for spot in self.spots:
            self.number[id(spot.node)] = max(self.number[id(spot.node)], spot.node.low)
        self._fill(root)

    def sizes(self) -> list[dict[str, float]]:
        """For each size, smallest first: the number of everything chosen, by id ("model": of models)."""
        found = [self._counts()]
        while len(found) < SIZES and self._grow():
            found.append(self._counts())
        return found

    def _fill(self, node: Node) -> None:
        for child in node.children:
            if not child.is_model:
                self._fill(child)
        if not _counts_models(node) or not any(node in spot.path for spot in self.spots):
            return
        while self._inside(node) < node.low:
            inside = [spot for spot in self.spots if node in spot.path]
            preferred = [spot for spot in inside if node.default and node.default in spot.node.ids]
            fitting = [spot for spot in (*preferred, *inside) if self._room(spot)]
            if not fitting:
                return
            self.number[id(fitting[0].node)] += 1

    def _grow(self) -> bool:
        for spot in self.spots:
            if spot.node is not self.root and self._room(spot):
                self.number[id(spot.node)] += 1
                return True
        return False

    def _room(self, spot: Spot) -> bool:
        moving = any(one.field != "hidden" for node in (spot.node, *spot.path) for one in node.modifiers)
        place = spot.node.place.given(self._counts()) if moving else None
        most = spot.node.bound("max", ("parent", "self"), place)
        unit = spot.node.bound("max", ("unit", "root-entry"), place)
        most = unit if most is None else most if unit is None else min(most, unit)
        if most is not None and self.number[id(spot.node)] >= most:
            return False
        limits = [
            (group, group.bound("max", ("parent", "self"), place and group.place.given(place.counts or {})))
            for group in spot.path
            if _counts_models(group)
        ]
        if most is None and not any(limit is not None for _, limit in limits):
            return False
        return all(limit is None or self._inside(group) < limit for group, limit in limits)

    def _inside(self, group: Node) -> int:
        seen = {id(spot.node): spot for spot in self.spots}
        return sum(self.number[key] for key, spot in seen.items() if group in spot.path)

    def _counts(self) -> dict[str, float]:
        counts: dict[str, float] = {}
        for spot in {id(spot.node): spot for spot in self.spots}.values():
            many = self.number[id(spot.node)]
            for key in (_key(spot.node), *spot.node.ids, "any", *(one for group in spot.path for one in group.ids)):
                counts[key] = counts.get(key, 0) + many
            if spot.node.kind in ("model", "unit", "upgrade"):
                counts["model"] = counts.get("model", 0) + many
        ways = {key for spot in self.spots for node in spot.path if node.kind == "upgrade" for key in node.ids}
        for key in (*self.root.ids, *ways):
            counts[key] = 1 if key in ways else counts.get(key, 1)
        return counts

    def price(self, counts: Mapping[str, float], copies: int = 0) -> int:
        """Points at these numbers: the unit, its models, and what they carry by default."""
        place = self.root.place.given(counts, copies)
        total = changed(self.root.costs.get(PTS, 0), PTS, self.root.modifiers, place)
        total += _gear_price(self.root, counts)
        for spot in {id(spot.node): spot for spot in self.spots}.values():
            if spot.node is not self.root:
                many = counts.get(_key(spot.node), 0)
                total += many * (spot.node.costs.get(PTS, 0) + _gear_price(spot.node, counts))
        return round(total)


def _key(node: Node) -> str:
    """A key of this very node among the counts (an entry may stand in a unit twice)."""
    return f"node {id(node)}"


def _gear_price(node: Node, counts: Mapping[str, float]) -> float:
    total = 0.0
    for child, many in default_children(node):
        own = changed(child.costs.get(PTS, 0), PTS, child.modifiers, child.place.given(counts))
        total += many * (own + _gear_price(child, counts))
    return total


def tiers(sizes: list[Size]) -> tuple[PointsTier, ...]:
    """The prices by size and by copy: only the sizes after which the price changes, and the largest."""
    rows = []
    for copies in range(4):
        prices = {size.models: size.muster.price(size.counts, copies) for size in reversed(sizes)}
        rows.append(_steps(sorted(prices.items())))
    result: list[PointsTier] = []
    first = 0
    for copies in range(1, 5):
        if copies < 4 and rows[copies] == rows[first]:
            continue
        last = copies if copies < 4 else None
        result += [PointsTier(models, points, first + 1, last) for models, points in rows[first]]
        first = copies
    return tuple(result)


def surcharges(root: Node, found: list[Kind]) -> tuple[PointsTier, ...]:
    """What costs extra: wargear of other models of a kind, and what is not carried by default; each named by its items."""
    prices: dict[str, int] = {}
    for kind in found:
        first, start = kind.default.node, carried(kind.default.node)
        own = first.costs.get(PTS, 0) + _gear_price(first, {})
        for spot in kind.spots:
            more = round(spot.node.costs.get(PTS, 0) + _gear_price(spot.node, {}) - own)
            if more and spot.node is not root:
                prices.setdefault(" and ".join(sorted(carried(spot.node) - start)) or spot.node.name, more)
    taken = {id(child) for node in root.walk() for child, _ in default_children(node)}
    for node in root.walk():
        if node is not root and _is_gear(node) and id(node) not in taken and round(node.costs.get(PTS, 0)):
            prices.setdefault(" and ".join(items(node)) or node.name, round(node.costs[PTS]))
    return tuple(PointsTier(1, price, extra=name) for name, price in prices.items())


def _steps(prices: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Of (models, points) by size only those after which the price changes, and the last."""
    return [one for one, after in zip(prices, [*prices[1:], None], strict=True) if not after or one[1] != after[1]]


# --- what they carry ---------------------------------------------------------------------------------------------


def default_children(node: Node) -> list[tuple[Node, int]]:
    """What a model, an upgrade or a group takes by default: what it must, and the defaults of its groups."""
    found: list[tuple[Node, int]] = []
    for child in node.children:
        if child.kind == "group":
            found += _group_default(child)
        elif _is_gear(child) and (many := child.low or round(child.amount or 0)) > 0:
            found.append((child, many))
    return found


def _is_gear(node: Node) -> bool:
    return node.kind == "upgrade" and not node.is_model and not node.has_models


def _group_default(group: Node) -> list[tuple[Node, int]]:
    if group.has_models:
        return []
    must = [(child, child.low) for child in group.children if child.kind == "upgrade" and child.low > 0]
    need = max(group.low, 1 if group.default not in ("", "none") else 0) - sum(many for _, many in must)
    inner = [taken for child in group.children if child.kind == "group" for taken in _group_default(child)]
    need -= sum(many for _, many in inner)
    if need > 0 and not any(group.default in child.ids for child, _ in must):
        chosen = [child for child in group.children if group.default in child.ids]
        chosen = chosen or [child for child in group.children if child.kind == "upgrade"][:1]
        for child in chosen[:1]:
            must += _group_default(child) if child.kind == "group" else [(child, need)]
    return must + inner


def items(node: Node) -> Items:
    """What taking this upgrade puts on the table: its weapons (or itself), and what comes with it."""
    own = dict.fromkeys(split_profile(one.name)[0] for one in node.prints if one.kind in WEAPONS)
    below = carried(node)
    if own:
        return Counter(own.keys()) + below
    abilities = any(one.kind not in WEAPONS for one in node.prints)
    return (Counter([node.name]) + below) if abilities or not below else below


def carried(node: Node) -> Items:
    """The default wargear of a model or a unit."""
    total: Items = Counter()
    for child, many in default_children(node):
        for name, number in items(child).items():
            total[name] += many * number
    return total


def options(root: Node, found: list[Kind], sizes: list[Size]) -> tuple[WargearOption, ...]:
    """Everything that may be taken instead or in addition."""
    made: list[WargearOption] = []
    for kind in found:
        name = kind.name if len(found) > 1 else ""
        made += _variants(kind, name, sizes)
        for spot in kind.spots:
            made += _inner(spot.node, name, sizes)
    if root.kind != "model":
        made += _inner(root, "", sizes)
    return tuple(dict.fromkeys(made))


def _variants(kind: Kind, name: str, sizes: list[Size]) -> list[WargearOption]:
    """The other entries of a kind of model, as exchanges of wargear."""
    start = carried(kind.default.node)
    same: dict[tuple[tuple[tuple[str, int], ...], tuple[str, ...]], list[Spot]] = {}
    for spot in kind.spots:
        own = carried(spot.node)
        gained, lost = own - start, start - own
        if gained or lost:
            same.setdefault((tuple(sorted(gained.items())), tuple(sorted(lost.elements()))), []).append(spot)
    made = []
    for (gain, loss), spots in same.items():
        values = [(size.models, _room_for(spots, size.left, size.counts)) for size in sizes]
        limit, per, words = _limit(values, spots[0].node)
        made.append(WargearOption((Choice(gain),), name, loss, limit, per, words=words))
    return made


def _room_for(spots: list[Spot], left: Left, counts: Mapping[str, float]) -> int | None:
    """How many models the entries allow together at these numbers."""
    total = 0
    for spot in spots:
        if left.intersection((spot.node, *spot.path)):
            continue
        bounds = [_at(spot.node, ("parent", "self", "unit"), counts)]
        bounds += [_at(group, ("parent", "self"), counts) for group in spot.path if _counts_models(group)]
        known = [bound for bound in bounds if bound is not None]
        if not known:
            return None
        total += min(known)
    return total


def _inner(node: Node, name: str, sizes: list[Size]) -> list[WargearOption]:
    made: list[WargearOption] = []
    for child in node.children:
        if child.kind == "group":
            made += _group_option(child, name, sizes)
        elif _is_gear(child):
            if not child.low and not child.amount and child.high != 0:
                made += _addition(child, name, sizes)
            made += _inner(child, name, sizes)
    return made


def _addition(node: Node, name: str, sizes: list[Size]) -> list[WargearOption]:
    limit, per, words = _unit_limit(node, sizes)
    gained = items(node)
    choice = Choice(tuple(sorted(gained.items())))
    each = node.high if (node.high or 0) > 1 else None
    return [WargearOption((choice,), name, (), limit, per, each, words=words)] if gained else []


def _group_option(group: Node, name: str, sizes: list[Size]) -> list[WargearOption]:
    if group.has_models:
        return []
    taken = _group_default(group)
    start: Items = Counter()
    for child, many in taken:
        for item, number in items(child).items():
            start[item] += many * number
    full = group.high is not None and group.high <= sum(many for _, many in taken)
    replaced = start if full else Counter[str]()
    made: list[WargearOption] = []
    choices = []
    for child in group.children:
        if child.kind == "group":
            made += _group_option(child, name, sizes)
        if not _is_gear(child):
            continue
        made += _inner(child, name, sizes)
        gained = items(child)
        if child.high == 0 or not gained or any(child is one for one, _ in taken):
            continue
        alone = group.high is None or child.bound("max", ("unit", "root-entry")) is not None or _messages(child)
        if alone:
            made.append(_capped(child, gained, replaced, name, sizes))
        else:
            choices.append(Choice(tuple(sorted(gained.items()))))
    if choices:
        limit, per, words = _unit_limit(group, sizes)
        free = (group.high or 0) - sum(many for _, many in taken)
        limit = limit if full or limit is not None or free < 2 else free
        replaces = tuple(sorted(replaced.elements()))
        made.insert(0, WargearOption(tuple(dict.fromkeys(choices)), name, replaces, limit, per, words=words))
    return made


def _capped(node: Node, gained: Items, start: Items, name: str, sizes: list[Size]) -> WargearOption:
    limit, per, words = _unit_limit(node, sizes)
    choice = Choice(tuple(sorted(gained.items())))
    each = node.high if (node.high or 0) > 1 else None
    return WargearOption((choice,), name, tuple(sorted(start.elements())), limit, per, each, words=words)


def _at(node: Node, scopes: tuple[str, ...], counts: Mapping[str, float]) -> int | None:
    return node.bound("max", scopes, node.place.given(counts))


def _unit_limit(node: Node, sizes: list[Size]) -> tuple[int | None, int | None, str]:
    values = [(size.models, _at(node, ("unit", "root-entry"), size.counts)) for size in sizes]
    return _limit(values, node)


def _limit(given: list[tuple[int, int | None]], node: Node) -> tuple[int | None, int | None, str]:
    """(limit, per, words): how many at each size, as "so many for every so many models" where that fits."""
    values = [(size, most) for size, most in given if most is not None and most < size - 1]
    words = "; ".join(_messages(node))
    if stated := _PER.search(words):
        return int(stated[1]), int(stated[2]), ""
    if not values:
        return None, None, words
    levels = sorted({value for _, value in values})
    if len(levels) == 1:
        return levels[0], None, words
    for per_models in (5, 10, 20, 3, 6, *range(1, SIZES + 1)):
        for limit in {levels[0], 1}:
            if all(limit * (size // per_models) == value for size, value in values):
                return limit, per_models, words
    steps = ", ".join(f"{value} at {min(size for size, at in values if at == value)} models" for value in levels)
    return levels[-1], None, "; ".join(filter(None, (words, steps)))


def _messages(node: Node) -> list[str]:
    """The faults the catalogue's own checks would report, as they stand there."""
    return [str(one.raw.get("value", "")) for one in node.modifiers if one.field == "error" and one.kind == "add"]
