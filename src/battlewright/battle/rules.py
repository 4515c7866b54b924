"""Which rules hold, and what they make of a number: every characteristic, roll and permission is asked here.

A fold is queried, never stored: the state keeps *which* effects are in force, not the numbers they changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Literal, TypeGuard, TypeVar

from msgspec.structs import replace

from battlewright import effects as fx
from battlewright.attack.situation import Party
from battlewright.battle.asked import Forbidden, Modified, Permitted, Settled
from battlewright.battle.clauses import all_effects, always_on, clause_at, each_trigger, in_force_of
from battlewright.battle.judge import Context, chosen_from, fits, holds, is_understood, referred
from battlewright.battle.state import NOBODY, Lasting, U
from battlewright.datasheet import Weapon
from battlewright.dice import Dice
from battlewright.effects import Clause, Effect, Rule, Select
from battlewright.errors import Reason
from battlewright.roster.bearers import stepped

if TYPE_CHECKING:
    from battlewright.attack.fold import Given
    from battlewright.battle.table import Table

StatName = Literal["M", "T", "Sv", "W", "Ld", "OC", "detection"]
E = TypeVar("E", bound=Effect)
_ROLLS_OF_UNITS = ("advance", "charge", "battle_shock", "leadership", "desperate_escape")
#: the Move of a unit that hovers (10e T-9.8)
HOVER = 20
_LIMITS = {
    "M": (1, 999),
    "T": (1, 999),
    "Sv": (2, 7),
    "W": (1, 999),
    "Ld": (5, 8),
    "OC": (0, 999),
    "detection": (9, 30),
}


class Rules:
    """The queries of one table."""

    __slots__ = ("_finding", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        self._finding: list[tuple[Effect, int, Context]] | None = None

    # ------------------------------------------------------------------------------------------------- in force
    def in_force(self, kind: type[E]) -> Iterator[tuple[E, int, Context]]:
        """Every effect of this kind that acts now: (effect, the unit it is on, whose it is and what it may speak of)."""
        found = self.table.cached(("effects",), self._all_effects)
        return ((e, unit, context) for e, unit, context in found if isinstance(e, kind))

    def _all_effects(self) -> list[tuple[Effect, int, Context]]:
        """What is in force; a condition that asks for it while it is being found is told what was found so far."""
        if self._finding is not None:
            return self._finding
        found: list[tuple[Effect, int, Context]] = []
        self._finding = found
        try:
            found.extend(self._passive())
            found.extend(self._lasting())
        finally:
            self._finding = None
        return found

    def _passive(self) -> Iterator[tuple[Effect, int, Context]]:

        t = self.table
        for unit, definition in enumerate(t.setting.units):
            if not definition.rules or not any(t.wounds(m) > 0 for m in definition.models):
                continue
            head = int(t.state.unit[unit, U.HEAD])
            context = Context(definition.player, head)
            for key in definition.rules:
                yield from self._static(t.setting.rules[key].clauses, head, context)
        for player, keys in enumerate(t.setting.army_rules):
            for key in keys:
                if t.setting.rules[key].kind != "stratagem":
                    yield from self._static(t.setting.rules[key].clauses, NOBODY, Context(player))

    def _static(
        self, clauses: tuple[Effect, ...], unit: int, context: Context
    ) -> Iterator[tuple[Effect, int, Context]]:
        """The effects of clauses that are always on, and of those within them."""
        for clause in clauses:
            if not isinstance(clause, Clause) or not isinstance(clause.when, fx.Static) or clause.may or clause.limits:
                continue
            if holds(self.table, clause.holds, unit, context) is True:
                yield from ((effect, unit, context) for effect in clause.do if not isinstance(effect, Clause))
                yield from self._static(clause.do, unit, context)

    def _lasting(self) -> Iterator[tuple[Effect, int, Context]]:

        t = self.table
        for effect in t.state.effects:
            if effect.waits or self._is_void(effect):
                continue
            clause, bound = in_force_of(t.setting.rules[effect.rule], effect), dict(effect.bound)
            bearer, subject = bound.get("bearer", effect.unit), bound.get("subject", NOBODY)
            target, fixed = bound.get("target", effect.unit), effect.place >= 0
            context = Context(effect.owner, bearer, subject, target, bound=bound, fixed=fixed)
            yield from ((e, effect.unit, context) for e in clause.do)

    def _is_void(self, effect: Lasting) -> bool:
        """An order does nothing for a unit that is battle-shocked."""
        t = self.table
        is_order = t.setting.rules[effect.rule].kind == "order"
        return is_order and effect.unit != NOBODY and t.state.shocked(effect.unit)

    def about(self, effect: Effect, on: int, unit: int, context: Context) -> bool:
        """Is this effect about the unit?"""

        who = getattr(effect, "who", None)
        if who is None or context.fixed:
            return on == unit
        return fits(self.table, who, unit, context) is True

    # -------------------------------------------------------------------------------------------------- numbers
    def core(self, unit: int, ability: str) -> Dice | bool:
        """The core ability of this name: its number (or True), False when the unit has none."""
        core = self.table.setting.units[unit].core
        if self.table.setting.takes_abilities and ability in self.lost(int(self.table.state.unit[unit, U.HEAD])):
            return False
        if ability not in core:
            return self._granted_core(unit, ability)
        amount = core[ability]
        return True if amount is None else amount

    def lost(self, unit: int) -> frozenset[str]:
        """The core abilities rules take from a unit."""
        found = self.in_force(fx.Remove)
        return frozenset(
            effect.name.lower()
            for effect, on, context in found
            if effect.what in ("unit_ability", "ability") and self.about(effect, on, unit, context)
        )

    def _granted_core(self, unit: int, ability: str) -> Dice | bool:
        if not self._any_effects:
            return False
        head = int(self.table.state.unit[unit, U.HEAD])
        for effect, on, context in self.in_force(fx.Grant):
            if effect.what == "unit_ability" and effect.name == ability and self.about(effect, on, head, context):
                return effect.amount.n if effect.amount is not None else True
        return False

    @property
    def _any_effects(self) -> bool:
        t = self.table
        return bool(t.state.effects) or t.setting.has_rules

    def stat(self, model: int, name: StatName) -> int:
        """A model's characteristic after every modifier that holds (11e 02.02.01; 10e T-1.5)."""
        t = self.table
        value = int(getattr(t.setting.models[model].profile, name) or 0)
        unit = t.head(model)
        if name == "M" and t.hovers(unit):
            value = HOVER
        if name == "OC" and t.state.shocked(unit):
            value = 0
            if t.setting.numbers.shock_until_passed:
                return 0
        if self._any_effects:
            return t.cached(("stat", model, name), lambda: self._changed(value, name, unit))
        return value

    def _changed(self, value: int, name: StatName, unit: int) -> int:
        low, high = _LIMITS[name]
        total = value
        changes: list[tuple[str, int]] = []
        for effect, on, context in self.in_force(fx.StatMod):
            if name in effect.stats and effect.on == "model" and self.about(effect, on, unit, context):
                amount = effect.amount.n.constant
                if amount is not None and effect.amount.per is None and effect.amount.ref is None:
                    changes.append((effect.op, amount))
        if self.heedless(name, unit):  # its player may ignore modifiers: only the good ones count
            changes = [change for change in changes if self._is_good(change, value, name)]
        order = ("set", "multiply", "halve", "add", "improve", "subtract", "worsen")
        for op, amount in sorted(changes, key=lambda change: order.index(change[0])):
            total = stepped(op, amount, total, name)
        return max(low, min(high, total)) if changes else value

    def _is_good(self, change: tuple[str, int], value: int, name: str) -> bool:
        """A change that improves the number: towards where the characteristic's own direction leads."""
        changed, best = stepped(*change, value, name), stepped("improve", 1, value, name)
        return (changed - value) * (best - value) > 0

    def heedless(self, number: str, unit: int) -> bool:
        """May modifiers to this characteristic or roll of the unit be ignored?"""
        kind = "rolls" if number in _ROLLS_OF_UNITS else "characteristics"
        return self._any_effects and any(
            not {number, kind}.isdisjoint(effect.of) and self.about(effect, on, unit, context)
            for effect, on, context in self.in_force(fx.IgnoreMods)
        )

    def detection(self, unit: int, limit: int) -> int:
        """The detection range of a unit that is hidden, inches (11e 13.09)."""
        return self._changed(limit, "detection", unit) if self._any_effects else limit

    def leadership(self, unit: int) -> int:
        """The best Leadership in a unit (11e 01.06; 10e T-2.3)."""
        return min(self.stat(m, "Ld") for m in self.table.alive(unit))

    def weapon_range(self, model: int, weapon: Weapon) -> int:
        """The Range of a weapon after what rules of its unit make of it, at least 1" (11e 02.02.01; 10e T-1.5)."""
        if weapon.melee or not self._any_effects:
            return weapon.range
        unit = self.table.head(model)
        more = self.table.cached(("range", unit), lambda: self._more_range(unit))
        return max(weapon.range + more, 1) if weapon.range else 0

    def _more_range(self, unit: int) -> int:
        """What rules add to the Range of all ranged weapons of a unit, whatever they are and are aimed at."""
        t = self.table
        own = [
            (always_on(t.setting.rules[key]), Context(t.owner(unit), unit))
            for p in t.parts(unit)
            for key in t.unit(p).rules
        ]
        found = [(clause, context) for rule, context in own if rule is not None for clause in rule.clauses]
        for effect in t.state.effects:
            if not effect.waits and not self._is_void(effect):
                bound = dict(effect.bound)
                context = Context(effect.owner, bound.get("bearer", effect.unit), target=effect.unit, bound=bound)
                clause = in_force_of(t.setting.rules[effect.rule], effect)
                found += [(each, context) for each in (clause, *all_effects(clause)) if isinstance(each, Clause)]
        return sum(
            sum(map(_range_added, clause.do))
            for clause, context in found
            if _is_of_all_shots(clause.when)
            and fits(t, clause.when.attacker, unit, context) is True
            and holds(t, clause.holds, unit, context) is True
        )

    def weapon_has(self, model: int, weapon: Weapon, ability: str) -> bool:
        """The weapon has the ability, as printed or granted to its model's unit."""
        if any(a.name == ability for a in weapon.abilities):
            return True
        if not self._any_effects:
            return False
        unit = self.table.head(model)
        return any(
            effect.what == "weapon_ability" and effect.name == ability and self.about(effect, on, unit, context)
            for effect, on, context in self.in_force(fx.Grant)
        )

    def model_has(self, model: int, ability: str, *, melee: bool) -> bool:
        """A rule gives this very model's weapons an ability (not those of its whole unit)."""
        if not self._any_effects:
            return False
        unit, words = self.table.head(model), tuple(self.table.model(model).keywords)
        for effect, on, _ in self.in_force(fx.Grant):
            if effect.what != "weapon_ability" or effect.name != ability or not _of_one_model(effect) or on != unit:
                continue
            assert effect.who is not None
            where = effect.who.where
            if (melee or effect.against is None) and isinstance(where, fx.Keyword) and where.fits(words):
                return True
        return False

    def feel_no_pain(self, model: int, kind: Literal["normal", "mortal"]) -> int | None:
        """The best Feel No Pain of a model against such wounds."""
        part = self.table.setting.models[model].unit
        amount = self.table.setting.units[part].core.get("feel no pain")
        found = [] if amount is None else [amount.bonus]
        if self._any_effects:
            unit = self.table.head(model)
            for effect, on, context in self.in_force(fx.Grant):
                if (
                    effect.what == "feel_no_pain"
                    and effect.amount is not None
                    and self.about(effect, on, unit, context)
                ) and (effect.against is None or (kind == "mortal" and _is_mortal(effect.against))):
                    found.append(effect.amount.n.bonus)
        return min(found, default=None)

    def granted_keywords(self, unit: int) -> tuple[frozenset[str], frozenset[str]]:
        """The keywords rules give a unit, and those they take from it."""
        given: set[str] = set()
        taken: set[str] = set()
        for effect, on, context in (*self._plain_grants(unit), *self._lasting()) if self._any_effects else ():
            if isinstance(effect, fx.Grant | fx.Remove) and effect.what == "keyword":
                named = None if effect.who is None or context.fixed else effect.who
                if on == unit if named is None else referred(named, context) == unit:
                    given |= {word.upper() for word in effect.keywords} if isinstance(effect, fx.Grant) else set()
                    taken |= {effect.name.upper()} if isinstance(effect, fx.Remove) else set()
        return frozenset(given), frozenset(taken)

    def _plain_grants(self, unit: int) -> Iterator[tuple[Effect, int, Context]]:
        """What a unit's own rules give it without a condition: asking for more would ask for keywords again."""
        t = self.table
        for part in t.parts(unit):
            for key in t.unit(part).rules:
                for clause in t.setting.rules[key].clauses:
                    if isinstance(clause.when, fx.Static) and clause.holds is None and not clause.may:
                        yield from ((e, unit, Context(t.owner(unit), unit)) for e in clause.do)

    def roll_bonus(self, roll: Modified, unit: int) -> int:
        """The sum of modifiers to a roll made for a unit (advance, charge, battle_shock …)."""
        if not self._any_effects:
            return 0
        found = [
            effect.sign * (effect.amount.n.constant or 0)
            for effect, on, context in self.in_force(fx.RollMod)
            if effect.roll == roll and self.about(effect, on, unit, context)
        ]
        return sum(found if not self.heedless(roll, unit) else (n for n in found if n > 0))

    def rerolls(self, roll: str, unit: int) -> tuple[fx.Reroll, ...]:
        """What lets a roll made for a unit (advance, charge, battle_shock, hazard …) be re-rolled."""
        if not self._any_effects:
            return ()
        return tuple(
            effect
            for effect, on, context in self.in_force(fx.Reroll)
            if effect.roll in (roll, "any") and self.about(effect, on, unit, context)
        )

    def settled(self, roll: Settled, unit: int) -> str | None:
        """How a roll for the unit comes out without dice (success or failure), where a rule in force says so."""
        if not self._any_effects:
            return None
        for effect, on, context in self.in_force(fx.RollSet):
            if effect.roll == roll and effect.to in ("success", "failure") and self.about(effect, on, unit, context):
                return effect.to
        return None

    def arrives_early(self, unit: int) -> bool:
        """A rule lets the unit arrive in the first battle round."""
        return self._any_effects and any(
            effect.how == "early" and self.about(effect, on, unit, context)
            for effect, on, context in self.in_force(fx.Reserves)
        )

    def no_roll(self, roll: str, unit: int) -> bool:
        """Is this roll not made for the unit: a rule in force says what it gets instead?"""
        return self._any_effects and any(
            effect.roll == roll and effect.to == "no_roll" and self.about(effect, on, unit, context)
            for effect, on, context in self.in_force(fx.RollSet)
        )

    # -------------------------------------------------------------------------------------------------- allowed
    def permits(self, act: Permitted, unit: int, despite: str) -> bool:
        """A rule lets the unit act despite what would forbid it."""
        return self._any_effects and any(
            effect.act == act and (not despite or despite in effect.despite) and self.about(effect, on, unit, context)
            for effect, on, context in self.in_force(fx.Permit)
        )

    def forbids(self, act: Forbidden, unit: int) -> str | None:
        """What forbids the unit to act."""
        if not self._any_effects:
            return None
        for effect, on, context in self.in_force(fx.Forbid):
            if (
                effect.act == act
                and effect.towards is None
                and effect.unless is None
                and self.about(effect, on, unit, context)
            ):
                return "a rule in force"
        return None

    def must_stand(self, unit: int) -> bool:
        """Does a rule have the unit remain stationary?"""
        return self._any_effects and any(
            stands(effect) and self.about(effect, on, unit, context) for effect, on, context in self.in_force(fx.Move)
        )

    def passes(self, unit: int, kind: str) -> frozenset[tuple[str, float]]:
        """What a unit moves through in a move of this kind, as :func:`passage` says it."""
        if not self._any_effects:
            return frozenset()
        found = set()
        for effect, on, context in self.in_force(fx.MoveRule):
            if (not effect.kinds or kind in effect.kinds) and self.about(effect, on, unit, context):
                found |= passages(effect) or set()
        return frozenset(found)

    def stride(self, unit: int, kind: str, usual: float) -> float:
        """How far its models go in a move of this kind (pile_in, consolidate), which usually is so far.

        What a rule says of each such move holds before it begins: who may make it, and where to, hangs on it.
        """
        if not self._any_effects and "move_started" not in self.table.setting.armed:
            return usual
        return self.table.cached(("stride", unit, kind), lambda: self._stride(unit, kind, usual))

    def _stride(self, unit: int, kind: str, usual: float) -> float:
        each = (*self.in_force(fx.MoveRule), *self._of_each_move(unit, kind))
        found = [
            strides(e) for e, on, context in each if isinstance(e, fx.MoveRule) and self.about(e, on, unit, context)
        ]
        longest = max((far for far, more in filter(None, found) if not more), default=0.0)
        return max(longest, usual) + sum(far for far, more in filter(None, found) if more)

    def _of_each_move(self, unit: int, kind: str) -> Iterator[tuple[Effect, int, Context]]:
        """What clauses do each time the unit makes such a move: those of its own rules, and those in force."""
        t = self.table
        own = (
            (key, number)
            for part in t.parts(unit)
            for key in t.unit(part).rules
            for number in range(len(t.setting.rules[key].clauses))
        )
        for key, number in own:
            clause = t.setting.rules[key].clauses[number]
            if not clause.limits:
                yield from self._if_each_move(clause, unit, kind, Context(t.owner(unit), unit, unit, unit))
        for effect in t.state.effects:
            if effect.waits and not self._is_void(effect):
                bound = dict(effect.bound)
                context = Context(effect.owner, bound.get("bearer", effect.unit), unit, unit, bound=bound)
                yield from self._if_each_move(
                    clause_at(t.setting.rules[effect.rule], effect.clause), unit, kind, context
                )

    def _if_each_move(
        self, clause: Clause, unit: int, kind: str, context: Context
    ) -> Iterator[tuple[Effect, int, Context]]:
        if not is_of_each_move(clause):
            return
        for trigger in each_trigger(clause.when):
            assert isinstance(trigger, fx.Event)
            mine = trigger.subject is None or fits(self.table, trigger.subject, unit, context) is True
            if mine and kind in trigger.kinds and holds(self.table, clause.holds, context.bearer, context) is True:
                yield from ((effect, unit, context) for effect in clause.do)

    def set_up_from(self, unit: int) -> float | None:
        """A rule lets the unit be set up anywhere more than so many inches from all enemies; None: none does."""
        if not self._any_effects:
            return None
        each = self.in_force(fx.Setup)
        found = [anywhere_from(e) for e, on, context in each if self.about(e, on, unit, context)]
        return min((inches for inches in found if inches is not None), default=None)

    def kept_off(self, unit: int) -> tuple[tuple[int, float], ...]:
        """The units so near to which this one cannot be set up, and how near."""
        if not self._any_effects:
            return ()
        each = [(e, context) for e, on, context in self.in_force(fx.Forbid) if e.act == "set_up"]
        named = [(off_whom(e), context) for e, context in each if fits(self.table, e.who, unit, context) is True]
        return tuple(
            (other, off.distance.n.constant or 0)
            for off, context in named
            if off is not None
            for other in chosen_from(self.table, off.of, context)
            if self.table.state.on_battlefield(other)
        )

    def stratagem_forbidden(self, rule: Rule, player: int, target: int) -> bool:
        """A rule forbids a player to use this stratagem, there or then."""
        if not self._any_effects:
            return False
        for effect, on, context in self.in_force(fx.Stratagem):
            mine = (context.owner == player) == (effect.whose == "you")
            if effect.change != "forbid" or not mine or not _is_stratagem(rule, effect.which):
                continue
            if effect.who is None or (target != NOBODY and self.about(effect, on, target, context)):
                return True
        return False

    def screens(self) -> tuple[int, ...]:
        """The units whose models give cover to whoever is not fully seen because of them (11e 15.10)."""
        if not self._any_effects:
            return ()
        return tuple(
            on for effect, on, _ in self.in_force(fx.Grant) if (effect.what, effect.name) == ("cover", "behind")
        )

    def has_cover(self, unit: int) -> bool:
        """A rule gives the unit the benefit of cover."""
        return self._any_effects and any(
            effect.what == "cover" and self.about(effect, on, unit, context)
            for effect, on, context in self.in_force(fx.Grant)
        )

    def why_not_target(self, unit: int, target: int, act: str, away: float) -> Reason | None:
        """A rule says who may be targeted from where."""
        if not self._any_effects:
            return None
        for effect, on, context in self.in_force(fx.Targeting):
            if effect.how == "must" and effect.act in ("attack", act) and fits(self.table, effect.by, unit, context):
                if not self.about(effect, on, target, context):
                    return self.table.reason("select_targets", f"{self.table.name(unit)} must attack another unit")
                continue
            limit = effect.distance.n.constant if effect.distance is not None else None
            if effect.how == "only_within" and effect.by is not None:
                short = limit is not None and effect.who is None and effect.act == act and away > limit
                if short and fits(self.table, effect.by, unit, context):
                    return self.table.reason("select_targets", f'it can only shoot within {limit}", {away:.1f}" away')
                continue
            if effect.act != act or not self.about(effect, on, target, context):
                continue
            if effect.how == "only_within" and limit is not None and away > limit:
                return self.table.reason("select_targets", f'it can only be targeted within {limit}", {away:.1f}" away')
            if effect.how == "cannot" and effect.by is None:
                return self.table.reason("select_targets", "it cannot be targeted")
        return None

    def may_repeat(self, rule: Rule, player: int, target: int) -> bool:
        """A rule lets a stratagem be used on the unit though it was used already this phase."""
        if not self._any_effects or target == NOBODY:
            return False
        return any(
            effect.change == "again"
            and context.owner == player
            and _is_stratagem(rule, effect.which)
            and (effect.who is None or self.about(effect, on, target, context))
            for effect, on, context in self.in_force(fx.Stratagem)
        )

    def stratagem_cost(self, rule: Rule, player: int, target: int) -> int:
        """What a stratagem costs now; 11e: never more than 1CP above its own cost, never below 0."""
        cost = own = rule.cost or 0
        if not self._any_effects or target == NOBODY:
            return cost
        for effect, on, context in self.in_force(fx.Stratagem):
            amount = 1 if effect.amount is None else effect.amount.n.constant
            mine = (context.owner == player) == (effect.whose == "you")
            if amount is None or not mine or not _is_stratagem(rule, effect.which):
                continue
            if effect.who is not None and not self.about(effect, on, target, context):
                continue
            cost = (
                amount if effect.change == "set" else cost + effect.sign * amount if effect.change == "cost" else cost
            )
        most = self.table.setting.numbers.dearer_by_at_most
        return max(0, cost if most is None else min(cost, own + most))

    def states(self, unit: int) -> list[str]:
        """The named states a unit carries."""
        found = list(self.table.state.marks.get(f"state|{unit}", []))
        for effect, on, context in self.table.cached(("states",), self._setting_states):
            if effect.name not in found and self.about(effect, on, unit, context):
                found.append(effect.name)
        return found

    def _setting_states(self) -> list[tuple[fx.SetState, int, Context]]:
        """The effects that give a state while they last: not what is always on, which may itself ask for one."""
        return [(e, on, context) for e, on, context in self._lasting() if isinstance(e, fx.SetState)]

    # ---------------------------------------------------------------------------------------------- transports
    def cannot_carry(self, carrier: int, unit: int) -> str | None:
        """Why a transport cannot carry a unit at all."""

        t = self.table
        definition = t.unit(carrier)
        rule = definition.datasheet.transport if definition.datasheet else None
        if rule is None:
            return None if "INFANTRY" in t.keywords(unit) else f"{t.name(unit)} is not INFANTRY"
        for effect in (e for c in rule.clauses for e in c.do if isinstance(e, fx.Transport)):
            context = Context(definition.player, carrier)
            if effect.fits is not None and holds(t, effect.fits, unit, context) is not True:
                return f"{t.name(unit)} is not what {t.name(carrier)} transports"
            if effect.bars is not None and holds(t, effect.bars, unit, context) is not False:
                return f"{t.name(carrier)} cannot transport {t.name(unit)}"
        return None

    def room(self, carrier: int, model: int) -> int:
        """The spaces a model takes in a transport."""
        definition = self.table.unit(carrier)
        rule = definition.datasheet.transport if definition.datasheet else None
        if rule is None:
            return 1
        words = tuple(self.table.model(model).keywords)
        for effect in (e for c in rule.clauses for e in c.do if isinstance(e, fx.Transport)):
            for room in effect.room:
                if isinstance(room.fits, fx.Keyword) and room.fits.fits(words):
                    return room.spaces
        return 1

    # -------------------------------------------------------------------------------------------------- attacks
    def given(self, unit: int, other: int, party: Party) -> list[Given]:
        """The rules that may change attacks of, or against, this unit: what is always on, and what lasts now.

        ``party``: what it is in these attacks, the ``other`` being the other.

        A clause that waits for a moment acts only once its moment came: then it lasts, and is here as if always on.
        """
        return self.table.cached(("given", unit, other, party), lambda: list(self._given(unit, other, party)))

    def _auras(self, unit: int, other: int, party: Party) -> Iterator[Given]:
        """What rules of other units of its player say of these attacks, judged by where everybody stands."""
        from battlewright.attack.fold import Given

        t = self.table
        attacker, target = (unit, other) if party == "attacker" else (other, unit)
        for bearer, rule, holding, clause in t.setting.auras:
            head = int(t.state.unit[bearer, U.HEAD])
            if head == unit or t.owner(head) != t.owner(unit) or not t.state.on_battlefield(head):
                continue
            context, when = Context(t.owner(head), head), clause.when
            assert isinstance(when, fx.PerAttack)
            if not any(t.wounds(m) > 0 for m in t.unit(bearer).models) or not (
                fits(t, when.attacker, attacker, context) is True
                and fits(t, when.target, target, context) is True
                and all(holds(t, condition, head, context) is True for condition in holding)
            ):
                continue
            plain = replace(clause, when=replace(when, role=party, attacker=ATTACKER, target=TARGET), holds=None)
            yield Given(Rule(rule.name, (plain,), kind=rule.kind, edition=rule.edition, tags=rule.tags))

    def _given(self, unit: int, other: int, party: Party) -> Iterator[Given]:
        from battlewright.attack.fold import Given

        t = self.table
        for part in t.parts(unit):
            if any(t.wounds(m) > 0 for m in t.unit(part).models):
                for key in t.unit(part).rules:
                    rule = always_on(t.setting.rules[key])
                    if rule is not None:
                        yield Given(rule)
        yield from self._auras(unit, other, party)
        for key in t.setting.army_rules[t.owner(unit)]:
            rule = t.setting.rules[key]
            on = None if rule.kind == "stratagem" else always_on(rule)
            if on is not None:
                yield Given(on)
        for effect in t.state.effects:
            mine = effect.unit == unit or (effect.unit == NOBODY and effect.owner == t.owner(unit))
            if mine and not effect.waits and not self._is_void(effect):
                rule = t.setting.rules[effect.rule]
                clause = in_force_of(rule, effect)
                if any(_of_one_model(e) for e in clause.do):
                    continue
                names = tuple(_parties(effect.bound, {unit: party, other: _OTHER[party]}))
                now = _now(_naming_its_subject(clause))
                kept = Rule(rule.name, (now,), kind=rule.kind, edition=rule.edition, status=rule.status)
                yield Given(kept, names=names)


ATTACKER, TARGET = Select(ref="attacker"), Select(ref="target")
_OTHER: dict[Party, Party] = {"attacker": "target", "target": "attacker"}


def _parties(bound: Iterable[tuple[str, int]], units: Mapping[int, Party]) -> Iterator[tuple[str, Party | None]]:
    """Which of the two units each name stands for; of several picked at once, whether one of them is among the two."""
    known: dict[str, Party | None] = {}
    for name, unit in bound:
        plain = name.partition("#")[0]
        known[plain] = known.get(plain) or units.get(unit)
    yield from known.items()


def _naming_its_subject(clause: Clause) -> Clause:
    """The clause in which the unit its moment was about goes by a name: attacks have subjects of their own."""

    def named(who: Select | None) -> Select | None:
        if who is None:
            return None
        if who.of is not None:
            return replace(who, of=named(who.of))
        return replace(who, ref="bound", name="subject") if who.ref == "subject" else who

    def within(effect: Effect) -> Effect:
        return _naming_its_subject(effect) if isinstance(effect, Clause) else effect

    when = clause.when
    if isinstance(when, fx.PerAttack):
        when = replace(when, attacker=named(when.attacker), target=named(when.target))
    return replace(clause, do=tuple(map(within, clause.do)), when=when)


def _now(clause: Clause) -> Clause:
    """A clause whose moment came, as one that is always on while it lasts."""
    when = clause.when if isinstance(clause.when, fx.PerAttack) else fx.Static()
    return Clause(clause.do, when, clause.holds if isinstance(when, fx.PerAttack) else None)


def is_of_each_move(clause: Clause) -> bool:
    """Does the clause act each time a move of some kinds is made, whoever wants it?"""
    each = list(each_trigger(clause.when))
    return clause.may is None and all(isinstance(one, fx.Event) and one.name == "move_started" for one in each)


def stands(effect: Effect) -> bool:
    """Does it say that a unit must remain stationary: as long as it lasts it makes no other move?"""
    return isinstance(effect, fx.Move) and effect.kind == "stationary" and not effect.may


def strides(effect: fx.MoveRule) -> tuple[float, bool] | None:
    """How far a move goes by a rule, and whether that is more than it usually would; None where it says nothing of it.

    >>> strides(fx.MoveRule("up to 6")), strides(fx.MoveRule("more up to 3")), strides(fx.MoveRule("up to D3+3"))
    ((6.0, False), (3.0, True), None)
    """
    found = re.fullmatch(r"(more )?up to (\d+)", effect.how)
    return None if found is None else (float(found[2]), found[1] is not None)


def anywhere_from(effect: fx.Setup) -> float | None:
    """How far from all enemies one is set up, by a rule that says no more than that; None where it says anything else.

    >>> anywhere_from(fx.Setup(limits=("anywhere", "more than 6 from enemies")))
    6.0
    """
    if effect.kind or effect.where or len(effect.limits) != 2 or effect.limits[0] != "anywhere":
        return None
    found = re.fullmatch(r"more than (\d+) from enemies", effect.limits[1])
    return None if found is None else float(found[1])


def off_whom(effect: fx.Forbid) -> fx.Within | None:
    """Near whom others cannot be set up; None where a rule says anything else."""
    towards = effect.towards
    if effect.act != "set_up" or effect.unless is not None or effect.who is None or towards is None:
        return None
    near = towards.where
    plain = towards.what == "point" and towards.name is None and towards.ref is None and towards.of is None
    return near if plain and isinstance(near, fx.Within) and not near.wholly and is_understood(near) else None


def passages(effect: fx.MoveRule) -> set[tuple[str, float]] | None:
    """What a rule of movement lets through, as :func:`passage` says it; None where not all of it is understood.

    >>> sorted(passages(fx.MoveRule("through models, terrain", what=('terrain: up to 4"',))))
    [('models', 0.0), ('terrain', 4.0)]
    >>> passages(fx.MoveRule("end unengaged")), passages(fx.MoveRule("within")), passages(fx.MoveRule("in a straight line"))
    (set(), {('engagement range', 0.0)}, None)
    """
    if effect.how in _SAID_BY_HOW:
        return set(_SAID_BY_HOW[effect.how])
    if effect.how == "through":
        parts = list(effect.what)
    elif effect.how.startswith("through "):
        limits = dict(what.partition(": ")[::2] for what in effect.what)
        named = effect.how.removeprefix("through ").split(", ")
        if not set(limits) <= set(named):
            return None
        parts = [f"{part}: {limits[part]}" if part in limits else part for part in named]
    else:
        return None
    read = [passage(part) for part in parts]
    return None if None in read else {one for one in read if one is not None}


#: what moves may do that is said without naming what they go through; nobody ends a move engaged anyway
_SAID_BY_HOW: dict[str, tuple[tuple[str, float], ...]] = {"within": (("engagement range", 0.0),), "end unengaged": ()}


def passage(what: str) -> tuple[str, float] | None:
    """What is moved through: models, those that are not TITANIC, terrain (so many inches high), engagement range.

    >>> passage("terrain of 4 inches or less"), passage("models"), passage("walls of fire")
    (('terrain', 4.0), ('models', 0.0), None)
    """
    if what in ("models", "models but TITANIC", "enemy models", "engagement range"):
        return what, 0.0
    if what == "models: not TITANIC":
        return "models but TITANIC", 0.0
    found = re.fullmatch(r'terrain(?: of (\d+) inches or less|: up to (\d+)")?', what)
    return None if found is None else ("terrain", float(found[1] or found[2] or 999))


def _is_of_all_shots(when: fx.Trigger) -> TypeGuard[fx.PerAttack]:
    """Every attack of a unit, with whatever weapon and at whatever target?"""
    if not isinstance(when, fx.PerAttack) or when.kind == "melee":
        return False
    return when.role == "attacker" and when.weapon is None and when.target is None


def _range_added(effect: Effect) -> int:
    """How much a change of the Range characteristic adds."""
    if not isinstance(effect, fx.StatMod) or "Range" not in effect.stats or effect.amount.per or effect.amount.ref:
        return 0
    return {"add": 1, "improve": 1, "subtract": -1, "worsen": -1}.get(effect.op, 0) * (effect.amount.n.constant or 0)


def _is_stratagem(rule: Rule, which: fx.StratagemIs | None) -> bool:
    if which is None:
        return True
    if which.names and rule.name.lower() not in {name.lower() for name in which.names}:
        return False
    return which.category is None or which.category.lower() == rule.category.lower()


def _of_one_model(effect: Effect) -> bool:
    """An ability given to some models of a unit, named by keyword: judged model by model, never for the unit."""
    who = effect.who if isinstance(effect, fx.Grant) else None
    return who is not None and who.what == "model" and who.of is not None and isinstance(who.where, fx.Keyword)


def _is_mortal(condition: fx.Condition) -> bool:
    return isinstance(condition, fx.AttackIs) and condition.kind == "mortal"
