"""What the rules in force do to one weapon's attacks, as a tally of plain numbers, and the tally put into the request.

A :class:`Tally` is one weapon and the unit it attacks. Changes are noted first and applied together, in the order of
the edition (10e T-1.5; 11e 02.02.01), because that order does not depend on which rule spoke first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

from battlewright.attack.situation import Party
from battlewright.dice import Dice
from battlewright.errors import Unparsed

Op: TypeAlias = Literal["set", "multiply", "divide", "add", "subtract"]

#: the models of a unit that a character leads, by what they are
Kin: TypeAlias = Literal["character", "bodyguard"]

#: the order in which changes of one value are made
ORDERS: dict[str, tuple[Op, ...]] = {
    "10e": ("set", "divide", "multiply", "add", "subtract"),
    "11e": ("set", "multiply", "add", "divide", "subtract"),
}

#: lowest and highest value after all changes
LIMITS: dict[str, tuple[int, int]] = {
    "T": (1, 999),
    "S": (1, 999),
    "A": (1, 9999),
    "D": (1, 9999),
    "W": (1, 9999),
    "Sv": (2, 7),
    "InSv": (2, 7),
    "AP": (-99, 0),
    "skill": (2, 6),
}


class Change(NamedTuple):
    """One change of a value by a rule of ``by``; ``n`` counts in the value's own numbers (AP -1 is a subtract of 1)."""

    op: Op
    n: Dice
    by: Party
    floor: int | None = None
    ceiling: int | None = None


@dataclass
class Tally:
    """All that the rules do to one weapon (``stats``, ``rolls``, ``abilities``) and to its target (``unit``)."""

    stats: dict[str, list[Change]] = field(default_factory=dict)
    rolls: dict[str, list[tuple[int, Party]]] = field(default_factory=dict)
    abilities: dict[str, Any] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)
    anti: dict[str, int] = field(default_factory=dict)
    unit: dict[str, Any] = field(default_factory=dict)
    unit_lost: set[str] = field(default_factory=set)
    rerolls: dict[str, str] = field(default_factory=dict)
    ignored: list[tuple[str, Party, bool]] = field(default_factory=list)
    barred: set[str] = field(default_factory=set)
    """rolls that cannot be re-rolled"""
    some: dict[Kin, Tally] = field(default_factory=dict)
    """what only some models of the target get"""
    hits_on: int | None = None
    fails: dict[str, int] = field(default_factory=dict)
    critical: dict[str, list[Change]] = field(default_factory=dict)
    """changes of characteristics for critical wounds only"""
    once: list[str] = field(default_factory=list)
    """rolls of which one die may be re-rolled"""
    besides: list[tuple[Dice, int | None]] = field(default_factory=list)
    """mortal wounds of a critical wound in addition, and no more than how many"""
    impossible: list[str] = field(default_factory=list)

    def of(self, kin: Kin | None) -> Tally:
        """What these models of the target get; None: all of it."""
        return self if kin is None else self.some.setdefault(kin, Tally())

    def change(
        self, stat: str, op: Op, n: Dice, by: Party, floor: int | None = None, ceiling: int | None = None
    ) -> None:
        self.stats.setdefault(stat, []).append(Change(op, n, by, floor, ceiling))

    def modify(self, roll: str, n: int, by: Party) -> None:
        self.rolls.setdefault(roll, []).append((n, by))

    def reroll(self, roll: str, how: str) -> None:
        self.rerolls[roll] = wider(how, self.rerolls.get(roll, "none"))


def wider(how: str, other: str) -> str:
    """The wider of two re-rolls: a die is re-rolled once.

    >>> wider("ones", "fails")
    'fails'
    """
    return max(how, other, key=("none", "ones", "fails", "noncrit", "best").index)


# ---------------------------------------------------------------------------------------------- arithmetic of values


def changed(value: Dice, changes: Iterable[Change], order: tuple[Op, ...], limits: tuple[int, int]) -> Dice:
    """The value after all changes in the edition's order, rounded up, held to its limits.

    >>> order = ORDERS["10e"]
    >>> changed(Dice.parse(3), [Change("add", Dice.parse(1), "attacker")], order, (1, 99))
    Dice('4')
    >>> changed(Dice.parse("D6"), [Change("add", Dice.parse(2), "attacker")], order, (1, 99))
    Dice('D6+2')
    """
    changes = list(changes)
    fixed = value.constant
    exact = float(fixed) if fixed is not None else None
    for op in order:
        for change in (one for one in changes if one.op == op):
            before = exact
            value, exact = _step(op, change.n, value, exact)
            if before is not None and exact is not None:
                exact = held(exact, before, change)
    if exact is None:
        return value
    return Dice(0, 6, min(max(math.ceil(exact - 1e-9), limits[0]), limits[1]))


def held(after: float, before: float, change: Change) -> float:
    """The value after a change that cannot take it below its own floor or above its own ceiling.

    >>> held(0, 1, Change("subtract", Dice(0, 6, 1), "target", floor=1)), held(0, 0, Change("add", Dice(0, 6, 1), "target"))
    (1, 0)
    """
    if change.floor is not None and after < before:
        return min(before, max(after, change.floor))
    if change.ceiling is not None and after > before:
        return max(before, min(after, change.ceiling))
    return after


def _step(op: Op, n: Dice, value: Dice, exact: float | None) -> tuple[Dice, float | None]:
    """One change. A random value can be replaced and added to; nothing else is possible with plain dice."""
    if op == "set":
        return n, None if n.constant is None else float(n.constant)
    if exact is not None and n.constant is not None:
        k = n.constant
        exact = {"add": exact + k, "subtract": exact - k, "multiply": exact * k, "divide": exact / k if k else exact}[
            op
        ]
        return value, exact
    if op == "add":
        return _sum(value if exact is None else Dice(0, 6, round(exact)), n), None
    if op == "subtract" and n.constant is not None:
        return Dice(value.count, value.sides, value.bonus - n.constant), None
    raise Unparsed(f"{op} {n}", (0, 0), f"a change that plain dice can show, of {value}")


def _sum(a: Dice, b: Dice) -> Dice:
    if a.count and b.count and a.sides != b.sides:
        raise Unparsed(f"{a}+{b}", (0, 0), "dice of one kind")
    dice = a if a.count else b
    return Dice(a.count + b.count, dice.sides, a.bonus + b.bonus)


def printed(value: Dice) -> int | str:
    """As an odds request writes it."""
    return value.bonus if value.constant is not None else str(value)


# ----------------------------------------------------------------------------------------------- into the request


class Rest(NamedTuple):
    """What the request itself says that rules may cancel: modifiers by side, stealth."""

    attack: Mapping[str, Any]
    target: Mapping[str, Any]
    edition: str


def weapon_after(weapon: Mapping[str, Any], tally: Tally, rest: Rest, *, melee: bool) -> dict[str, Any]:
    """The weapon as the rules in force leave it."""
    new = dict(weapon)
    _put_stats(new, tally, rest, melee=melee)
    _put_abilities(new, tally)
    _put_rolls(new, tally, rest, melee=melee)
    if tally.hits_on:
        new["snap_on"] = tally.hits_on
    _put_once(new, tally)
    return new


def _put_once(new: dict[str, Any], tally: Tally) -> None:
    """What is re-rolled once, and mortal wounds in addition; of several rules that say the same one is counted."""
    once = dict.fromkeys((*new.get("reroll_one", ()), *(roll for roll in tally.once if roll not in tally.barred)))
    if once:
        new["reroll_one"] = list(once)
    for roll in {roll for roll in tally.once if tally.once.count(roll) > 1}:
        tally.impossible.append(f"one {roll} roll is re-rolled, not one for each rule that says so")
    for number, most in tally.besides:
        if new.get("crit_mortal"):
            tally.impossible.append("mortal wounds in addition are counted of one rule, not of each")
            continue
        new["crit_mortal"] = printed(number)
        if most is not None:
            new["crit_mortal_most"] = most
    other = new.get("crit_ap") or new.get("crit_D") not in (None, new.get("D", 1))
    if new.get("crit_mortal") and other and not new.get("devastating"):
        tally.impossible.append(
            "mortal wounds in addition are left out where critical wounds have an AP or Damage of their own"
        )


def _put_stats(new: dict[str, Any], tally: Tally, rest: Rest, *, melee: bool) -> None:
    order = ORDERS[rest.edition]
    for stat, default in (("A", 1), ("S", None), ("D", 1)):
        changes = [change for change in tally.stats.get(stat, []) if not _is_ignored(stat, change.by, tally)]
        value = new.get(stat, default)
        if changes and value is not None:
            try:
                new[stat] = printed(changed(Dice.parse(value), changes, order, LIMITS[stat]))
            except Unparsed:
                tally.impossible.append(f"{stat} {value}: a change that plain dice cannot show is left out")
    deeper = [change for change in tally.stats.get("AP", []) if not _is_ignored("AP", change.by, tally)]
    printed_ap = int(new.get("AP", 0))
    if deeper:
        new["AP"] = _signed(int(new.get("AP", 0)), deeper, order, LIMITS["AP"])
    _put_critical(new, tally, order, printed_ap, deeper)
    _put_skill(new, tally, order, "WS" if melee else "BS")


def _put_critical(
    new: dict[str, Any], tally: Tally, order: tuple[Op, ...], printed_ap: int, deeper: list[Change]
) -> None:
    """What critical wounds have of their own: AP and Damage."""
    changes = {
        stat: [one for one in found if not _is_ignored(stat, one.by, tally)] for stat, found in tally.critical.items()
    }
    if changes.get("AP"):
        critical = _signed(printed_ap, [*deeper, *changes["AP"]], order, LIMITS["AP"])
        new["crit_ap"] = max(int(new.get("crit_ap", 0)), int(new.get("AP", 0)) - critical)
    if changes.get("D"):
        try:
            value = Dice.parse(new.get("crit_D") or new.get("D", 1))
            new["crit_D"] = printed(changed(value, changes["D"], order, LIMITS["D"]))
        except Unparsed:
            tally.impossible.append(f"D {new.get('D', 1)}: a change that plain dice cannot show is left out")


def _signed(value: int, changes: Iterable[Change], order: tuple[Op, ...], limits: tuple[int, int]) -> int:
    """Like :func:`changed` for a value that may be negative."""
    for op in order:
        for change in (one for one in changes if one.op == op):
            n = change.n.constant or 0
            after = {"set": n, "add": value + n, "subtract": value - n}.get(op, value)
            value = round(held(after, value, change))
    return min(max(value, limits[0]), limits[1])


def _put_skill(new: dict[str, Any], tally: Tally, order: tuple[Op, ...], stat: str) -> None:
    if new.get("skill") is None:
        return
    changes = [change for change in tally.stats.get(stat, []) if not _is_ignored(stat, change.by, tally)]
    for change in changes:
        n = change.n.constant or 0
        if change.op == "set":
            new["skill"] = n
        else:
            new["skill_mod"] = new.get("skill_mod", 0) + (n if change.op == "add" else -n)
    own = int(new.get("skill_mod", 0))
    if own > 0 and _is_ignored(stat, "target", tally):
        new["skill_mod"] = 0


def _put_abilities(new: dict[str, Any], tally: Tally) -> None:
    for name, value in tally.abilities.items():
        new[name] = better(new.get(name), value)
    for keyword, n in tally.anti.items():
        anti = dict(new.get("anti") or {})
        anti[keyword] = min(n, anti.get(keyword, 7))
        new["anti"] = anti
    for name in tally.lost:
        new[name] = {} if name == "anti" else 0 if name in ("rapid_fire", "cleave", "sustained", "melta") else False
    for roll, n in tally.fails.items():
        new[f"{roll}_fails"] = max(n, int(new.get(f"{roll}_fails", 0)))
    if "attacks" in tally.rerolls:
        new["reroll_attacks"] = True
    for roll, how in tally.rerolls.items():
        key = {"hit": "reroll_hits", "wound": "reroll_wounds", "damage": "reroll_damage"}.get(roll)
        if key and isinstance(new.get(key, "none"), str):
            new[key] = wider(how, new.get(key, "none"))
    for roll in tally.barred - {"save"}:
        new[f"reroll_{roll}" if roll == "damage" else f"reroll_{roll}s"] = "none"
        if roll == "wound":
            new["twin_linked"] = False


def better(old: Any, new: Any) -> Any:
    """The better of two values of one ability: they are not cumulative (10e T-1.6; 11e 24.02).

    >>> better(1, "D3"), better(False, True), better(2, 1)
    ('D3', True, 2)
    """
    if isinstance(new, bool) or isinstance(old, bool) or not old:
        return old if old and not isinstance(old, bool) else new
    return new if Dice.parse(new).mean > Dice.parse(old).mean else old


def _is_ignored(what: str, by: Party, tally: Tally) -> bool:
    """May the attacker ignore this modifier? Only bad ones (made by the other side) are worth it."""
    return by == "target" and any(what == name and who == "attacker" for name, who, _ in tally.ignored)


def _put_rolls(new: dict[str, Any], tally: Tally, rest: Rest, *, melee: bool) -> None:
    for roll, key in (("hit", "hit_mod"), ("wound", "wound_mod")):
        ignoring = {who for name, who, _ in tally.ignored if name == roll}
        noted = [n for n, _ in tally.rolls.get(roll, [])]
        given = [int(new.get(key, 0)), int(rest.attack.get(key, 0)), int(rest.target.get(key, 0))]
        stealth = rest.edition == "10e" and not melee and bool(rest.target.get("stealth") or tally.unit.get("stealth"))
        if roll == "hit" and stealth:
            given.append(-1)
        kept = [n for n in noted if not ("attacker" in ignoring and n < 0) and not ("target" in ignoring and n > 0)]
        undo = sum(-n for n in given if ("attacker" in ignoring and n < 0) or ("target" in ignoring and n > 0))
        total = sum(kept) + undo
        if total:
            new[key] = int(new.get(key, 0)) + total
    worse = any(name == "BS" and who == "attacker" for name, who, _ in tally.ignored)
    if worse and rest.edition == "11e" and not melee:
        new["ignores_cover"] = True


def target_after(target: Mapping[str, Any], tally: Tally, edition: str) -> dict[str, Any]:
    """The target as this weapon meets it: its groups, cover, saves."""
    new = dict(target)
    new["groups"] = [
        _group_after(_group_after(group, tally, edition), tally.of(_kin(group)), edition) for group in target["groups"]
    ]
    for key in ("cover", "stealth", "reroll_one_save"):
        if tally.unit.get(key):
            new[key] = True
        if key in tally.unit_lost:
            new[key] = False
    save = sum(n for n, _ in tally.rolls.get("save", []))
    if save:
        new["save_mod"] = int(new.get("save_mod", 0)) + save
    if "save" in tally.rerolls:
        new["reroll_saves"] = tally.rerolls["save"]
    if "save" in tally.barred:
        new["reroll_saves"] = "none"
        new["reroll_one_save"] = False
    return new


def _kin(group: Mapping[str, Any]) -> Kin:
    return "character" if group.get("character") else "bodyguard"


def _group_after(group: Mapping[str, Any], tally: Tally, edition: str) -> dict[str, Any]:
    new, order = dict(group), ORDERS[edition]
    for key in ("InSv", "FNP", "FNP_mortal"):
        if key in tally.unit_lost:
            new[key] = None
        if key in tally.unit:
            new[key] = min(tally.unit[key], new.get(key) or 7)
    for stat in ("T", "W", "Sv", "InSv"):
        changes = [c for c in tally.stats.get(stat, []) if not _is_ignored(stat, c.by, tally)]
        if changes and new.get(stat) is not None:
            new[stat] = changed(Dice.parse(new[stat]), changes, order, LIMITS[stat]).bonus
    if tally.unit.get("minus_damage"):
        new["minus_damage"] = int(new.get("minus_damage", 0)) + tally.unit["minus_damage"]
    if tally.unit.get("halve_damage"):
        new["halve_damage"] = True
    if tally.unit.get("no_damage"):
        new["no_damage"] = tally.unit["no_damage"]
    return new
