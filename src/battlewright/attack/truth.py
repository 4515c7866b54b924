"""Does a condition hold at the moment of an attack? Yes, no, or the question does not say.

A :class:`View` is one rule looked at for one weapon: who owns the rule, which unit each bound name stands for.
:func:`holds` answers a condition, :func:`is_it` whether one of the two units is what a selection speaks of.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from battlewright import effects as fx
from battlewright.attack.lines import OTHERS
from battlewright.attack.situation import PARTIES, Party, Scene, Tri, both, either, negate, other, plain
from battlewright.effects import Amount, Condition, Select


@dataclass(frozen=True)
class View:
    """One rule seen for one weapon. ``once``: inside something that is used a limited number of times.
    ``critical``: what is said holds for critical hits or wounds only ("critical_hit", "critical_wound").
    ``ended``: the attack does nothing else then.
    ``attacked``: those at whom the attacks spoken of are aimed, or whom they are allocated to.
    ``rolled``: the rolls that "that roll" can be. ``unsaved``: what is said holds for an attack once it is not saved.
    ``unpaid``: what the act just spoken of costs, where the question does not say that it is paid.
    ``leaders``: names bound to the model that leads a unit. ``elsewhere``: names of units that take no part.

    ``doubts`` collects the conditions that could not be answered.
    """

    scene: Scene
    owner: Party
    weapon: int
    bound: Mapping[str, Party] = field(default_factory=dict)
    subject: Party | None = None
    states: frozenset[tuple[Party, str]] = frozenset()
    per_attack: bool = False
    once: bool = False
    critical: str = ""
    ended: bool = False
    attacked: Select | None = None
    rolled: tuple[str, ...] = ()
    unsaved: bool = False
    unpaid: fx.PoolHas | None = None
    leaders: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()
    doubts: list[Condition] = field(default_factory=list, compare=False)

    @classmethod
    def of(cls, scene: Scene, owner: Party, weapon: int, names: Iterable[tuple[str, Party | None]] = ()) -> View:
        """A rule of this unit seen for one weapon, with what is known already of its names."""
        known = dict(names)
        bound = {name: party for name, party in known.items() if party is not None}
        return cls(scene, owner, weapon, bound, elsewhere=frozenset(known) - frozenset(bound))

    def binding(self, select: Select | None, party: Party) -> View:
        """The view in which ``select`` is that unit: the subject, and the name it gives."""
        if select is None:
            return replace(self, subject=party)
        return replace(self, bound={**self.bound, **dict.fromkeys(_names(select), party)}, subject=party)

    def with_leaders(self, condition: Condition | None) -> View:
        """The view that knows the leaders a condition that holds has named: "a CHARACTER leads it, that model …"."""
        view = self
        for part in fx.parts_of(condition) if condition is not None else ():
            if (
                isinstance(part, fx.About)
                and isinstance(part.holds, fx.LedBy)
                and part.holds.who
                and part.holds.who.bind
            ):
                name = part.holds.who.bind
                led = next((party for party in PARTIES if is_it(part.who, party, view)), None)
                if led is not None:
                    bound = {**view.bound, name: led}
                    view = replace(view, bound=bound, leaders=view.leaders | {name})
        return view


def _names(select: Select) -> list[str]:
    here = [select.bind] if select.bind else []
    return here + (_names(select.of) if select.of else [])


# ---------------------------------------------------------------------------------------------------- selections


def is_it(select: Select | None, party: Party, view: View) -> Tri:
    """Is this unit (or are its models, weapons, attacks) what ``select`` speaks of?"""
    if select is None:
        return True
    if select.what in ("weapon", "attack") and select.ref not in ("attacker", "target") and party != "attacker":
        return False
    parts: list[Tri] = [_referred(select, party, view), _on_side(select, party, view)]
    if select.other:
        parts.append(party != view.owner)
    if select.of is not None:
        parts.append(is_it(select.of, party, view))
    if select.where is not None and False not in parts:
        parts.append(_fits_where(select.where, view, party))
    return both(*parts)


def _fits_where(where: Condition, view: View, party: Party) -> Tri:
    """The closest of those that fit need not be the closest of all."""
    closest = fx.AttackIs("closest")
    if isinstance(where, fx.All) and closest in where.of and holds(closest, view, party) is False:
        others = both(*(holds(part, view, party) for part in where.of if part != closest))
        if others is not False:
            view.doubts.append(closest)
            return None
    return holds(where, view, party)


def _referred(select: Select, party: Party, view: View) -> Tri:
    match select.ref:
        case None:
            return True
        case "self" | "unit" | "led":
            return party == view.owner
        case "attacker" | "target":
            return party == select.ref
        case "subject":
            return party == (view.subject or view.owner)
        case "bound" if select.name in view.elsewhere:
            return False
        case "bound":
            known = view.bound.get(select.name or "")
            return None if known is None else party == known
        case "you":
            return party == view.owner
        case "opponent":
            return party != view.owner


def _on_side(select: Select, party: Party, view: View) -> Tri:
    if select.side is None:
        return True
    return (party == view.owner) == (select.side == "friendly")


# ---------------------------------------------------------------------------------------------------- conditions


def holds(condition: Condition, view: View, about: Party | None = None) -> Tri:
    """Yes, no or unknown (None), said of ``about`` (of the trigger's subject, else of the rule's owner)."""
    party = about or view.subject or view.owner
    if condition == fx.Outcome("done") and view.unpaid is not None:
        view.doubts.append(view.unpaid)
        return None
    answer = _answer(condition, view, party)
    if (
        answer is None
        and not isinstance(condition, fx.All | fx.Any | fx.Not | fx.About)
        and condition not in view.doubts
    ):
        view.doubts.append(condition)
    return answer


def _answer(condition: Condition, view: View, party: Party) -> Tri:
    match condition:
        case fx.All(of=parts):
            return both(*(holds(part, view, party) for part in parts))
        case fx.Any(of=parts):
            return either(*(holds(part, view, party) for part in parts))
        case fx.Not(of=part):
            return negate(holds(part, view, party))
        case fx.About():
            return _about(condition, view)
        case fx.Keyword(any_of=groups):
            return _has_keywords(groups, view.scene.keywords(party), view.scene.facts(party).states)
        case fx.Within() | fx.Visible() | fx.Engaged():
            return _place(condition, view, party)
        case fx.Moved() | fx.Strength() | fx.Models() | fx.Wounds() | fx.BattleShocked() | fx.OnObjective():
            return _state_of_unit(condition, view, party)
        case fx.AttackIs():
            return _attack_is(condition, view)
        case fx.Targets(who=who):
            return is_it(who, "target", view)
        case fx.Compare():
            return _compare(condition, view, party)
        case fx.Round() | fx.During():
            return _time(condition, view)
        case _:
            return _told(condition, view, party)


def _told(condition: Condition, view: View, party: Party) -> Tri:
    """What only the question can tell: states, leaders, what has been done before."""
    scene, facts = view.scene, view.scene.facts(party)
    match condition:
        case fx.HasState(name=name, low=low, high=high):
            carried = [key_of(state).removesuffix(" TOKEN") for state in facts.states].count(key_of(name))
            carried = carried or int((party, key_of(name)) in view.states)
            return low <= carried and (high is None or carried <= high)
        case fx.Active(name=name, who=who):
            bearers = [p for p in PARTIES if is_it(who, p, view)] if who else [view.owner]
            return any(key_of(name) in map(key_of, scene.facts(p).states) for p in bearers)
        case fx.Leading(who=who):
            return facts.leading if who is None or not facts.leading else is_it(who, party, view)
        case fx.LedBy(who=who):
            if facts.leading and not facts.led_by and _any_character(who):
                return True
            return _led_by(who, facts.led_by, scene.keywords(party) or ())
        case fx.HasAbility(name="this ability"):
            return party == view.owner or None
        case fx.HasAbility(name=name):
            return _has_ability(name, view, party)
        case fx.Named(name=name):
            said = scene.attack["weapons"][view.weapon].get("name")
            return None if said is None else weapon_named(name, said)
        case fx.Same(who=who):
            return is_it(who, party, view)
        case fx.Outcome(of="done"):
            return True
        case fx.Eligible(act="shoot" | "fight"):
            return True if party == "attacker" else None
        case fx.ArmyIs(faction=faction, detachment=None) if faction:
            known = scene.keywords(view.owner)
            return None if known is None else _has_keywords(((plain(faction),),), known) or None
        case fx.Located(where="battlefield"):
            return True
        case fx.Located(where="cover") if party == "target":
            return bool(scene.target.get("cover")) or view.weapon in scene.covered
        case _:
            return None


def said_of(name: str, view: View) -> bool:
    """Does the question name this (a token, a pool) among the states of the rule's owner?"""
    states = [key_of(state) for state in view.scene.facts(view.owner).states]
    return any(state == key_of(name) or state.startswith(key_of(name) + " ") for state in states)


def weapon_named(name: str, said: str) -> bool | None:
    """Whether a weapon is one "named" so: in the plural too, whichever profile it is; one word may be a family of weapons.

    >>> weapon_named("plasma guns", "Plasma gun – supercharge"), weapon_named("power fist", "Twin power fist")
    (True, False)
    """
    words = _singular(name)
    for whole in (said, re.split(r"\s[-–—]\s", said)[0]):
        if _singular(whole) == words:
            return True
    return None if len(words) == 1 and words[0] in _singular(said) else False


def _singular(name: str) -> list[str]:
    return [word.removesuffix("S") for word in key_of(name).split()]


def key_of(name: str) -> str:
    """A name as it is compared: its words in capitals, without "target" or "active" behind them.

    >>> key_of("Oath of Moment target") == key_of("oath of moment"), key_of("Go!") == key_of("go")
    (True, True)
    """
    words = "".join(c if c.isalnum() or c == "'" else " " for c in plain(name)).split()
    while len(words) > 1 and words[-1] in ("TARGET", "ACTIVE", "IS"):
        words.pop()
    return " ".join(words)


def _about(condition: fx.About, view: View) -> Tri:
    who, claim = condition.who, condition.holds
    if who.what in ("weapon", "attack"):
        return both(is_it(who, "attacker", view), holds(claim, view, "attacker"))
    if who.ref is None and isinstance(claim, fx.Within):
        return _someone_near(who, claim, view)
    if who.ref is None and isinstance(claim, fx.Leading):
        return _is_led(who, claim.who, view)
    answers: list[Tri] = []
    for party in PARTIES:
        member = is_it(who, party, view)
        if member is not False:
            answers.append(both(member, holds(claim, view, party)))
    if who.ref is None and True not in answers:
        answers.append(None)
    return either(*answers) if answers else None


# ------------------------------------------------------------------------------------------------------ keywords


def _has_keywords(
    groups: tuple[tuple[str, ...], ...], owned: tuple[str, ...] | None, states: Collection[str] = ()
) -> Tri:
    """A word in capitals is a keyword, or a state the unit was put into by a rule ("a MARKED unit")."""
    if states and fx.Keyword(groups).fits((*(owned or ()), *states)):
        return True
    return None if owned is None else fx.Keyword(groups).fits(owned)


# --------------------------------------------------------------------------------------------------------- place


def _place(condition: fx.Within | fx.Visible | fx.Engaged, view: View, party: Party) -> Tri:
    match condition:
        case fx.Within():
            return _within(condition, view, party)
        case fx.Visible(to=to):
            return view.scene.situation.visible if is_it(to, other(party), view) else None
        case fx.Engaged(by=by):
            return _engaged(by, view, party)


def _engaged(by: Select | None, view: View, party: Party) -> Tri:
    met = by is None or is_it(by, other(party), view)
    if view.scene.melee(view.weapon) and met:
        return True
    said = view.scene.facts(party).engaged
    return said if by is None or said is False else None


def _within(condition: fx.Within, view: View, party: Party) -> Tri:
    reach = number(condition.distance)
    if reach is None:
        return None
    of = condition.of
    if of.what in ("objective", "terrain", "marker", "point"):
        return None
    answers: list[Tri] = []
    if of.ref is not None and is_it(of, party, view):
        return True
    met = is_it(of, other(party), view)
    if met is not False:
        gap = view.scene.distance(view.weapon)
        answers.append(both(met, None if gap is None else gap <= reach))
        if of.ref is not None and met:
            return either(*answers)
    answers.append(_listed_near(of, reach, view, party))
    return either(*answers)


def _listed_near(of: Select, reach: float, view: View, party: Party) -> Tri:
    """Among the units known to be near ``party``, is there one that fits ``of`` within reach?"""
    near = view.scene.facts(party).within
    if not near:
        return None
    side = of.side if party == view.owner or of.side is None else ("enemy" if of.side == "friendly" else "friendly")
    fitting = [
        _fits_listed(of, tuple(map(plain, keywords)))
        for gap, whose, keywords in near
        if gap <= reach and side in (None, whose)
    ]
    return either(*fitting)


def _fits_listed(of: Select, keywords: tuple[str, ...]) -> Tri:
    parts: list[Tri] = []
    if of.where is not None:
        parts.append(_listed_holds(of.where, keywords))
    if of.of is not None:
        parts.append(_fits_listed(of.of, keywords))
    return both(*parts)


def _listed_holds(condition: Condition, keywords: tuple[str, ...]) -> Tri:
    match condition:
        case fx.All(of=parts):
            return both(*(_listed_holds(part, keywords) for part in parts))
        case fx.Any(of=parts):
            return either(*(_listed_holds(part, keywords) for part in parts))
        case fx.Not(of=part):
            return negate(_listed_holds(part, keywords))
        case fx.Keyword(any_of=groups):
            return _has_keywords(groups, keywords)
        case _:
            return None


def _someone_near(who: Select, claim: fx.Within, view: View) -> Tri:
    """ "One or more such units are within n inches of …": the other unit, or one known to be near."""
    reach = number(claim.distance)
    if reach is None:
        return None
    answers: list[Tri] = []
    for party in PARTIES:
        anchor = is_it(claim.of, party, view)
        if anchor is False:
            continue
        gap = view.scene.distance(view.weapon)
        close = both(is_it(who, other(party), view), None if gap is None else gap <= reach)
        answers.append(both(anchor, either(close, _listed_near(who, reach, view, party))))
    return either(*answers) if answers else None


# ------------------------------------------------------------------------------------------------- state of a unit


def _state_of_unit(condition: Condition, view: View, party: Party) -> Tri:
    scene, facts = view.scene, view.scene.facts(party)
    match condition:
        case fx.Moved(kind=kind, since=since, over=None):
            return _moved(kind, view, party) if since in ("turn", "phase") else None
        case fx.Strength(level=level):
            return _strength(level, view, party)
        case fx.Models(low=low, high=high, where=None):
            return _between(scene.models(party), low, high)
        case fx.Models(low=1, high=None, where=fx.Keyword() as kind):
            return _contains(kind, view, party)
        case fx.Wounds(low=low, high=high, lost=lost):
            return _wounds(low, high, lost, view, party)
        case fx.BattleShocked():
            return facts.battle_shocked
        case fx.OnObjective():
            return _on_objective(condition, facts.on_objective, party == view.owner)
        case _:
            return None


def _contains(kind: fx.Keyword, view: View, party: Party) -> Tri:
    """Does the unit contain such a model? It has the keywords of its models, and its leaders are of it."""
    names = [phrase for name in view.scene.facts(party).led_by for phrase in _phrases(name)]
    return either(_has_keywords(kind.any_of, view.scene.keywords(party)), kind.fits(names))


def _moved(kind: str, view: View, party: Party) -> Tri:
    facts, attack = view.scene.facts(party), view.scene.attack
    charged, stationary = facts.charged, facts.stationary
    if party == "attacker":
        charged = attack.get("charged") if charged is None else charged
        stationary = attack.get("stationary") if stationary is None else stationary
    said: dict[str, Tri] = {
        "charge": charged,
        "advance": facts.advanced,
        "fall_back": facts.fell_back,
        "stationary": stationary,
        "disembark": facts.disembarked,
        "set_up": facts.set_up,
        "ingress": both(facts.set_up, negate(bool(facts.disembarked))),
        "any": negate(stationary),
    }
    answer = said.get(kind)
    if answer is None and stationary and kind in ("charge", "advance", "fall_back", "normal", "surge"):
        return False
    return answer


def _strength(level: str, view: View, party: Party) -> Tri:
    below_start, below_half, at_half = _losses(view, party)
    match level:
        case "below_starting":
            return below_start
        case "at_starting":
            return negate(below_start)
        case "below_half":
            return below_half
        case "at_half":
            return at_half
        case _:
            return either(below_half, at_half)


def _losses(view: View, party: Party) -> tuple[Tri, Tri, Tri]:
    """Below its starting strength, below half of it, at half. Counted in models, in wounds for a single model."""
    facts = view.scene.facts(party)
    below_start, below_half = facts.below_starting_strength, facts.below_half_strength
    left, start = view.scene.models(party), facts.starting_models
    if start == 1 and left == 1:
        wounds, lost = view.scene.full_wounds(party), view.scene.wounds_lost(party)
        left, start = (None, None) if wounds is None or lost is None else (wounds - lost, wounds)
    counted: tuple[Tri, Tri, Tri] = (None, None, None)
    if left is not None and start is not None:
        counted = (left < start, 2 * left < start, 2 * left == start)
    below_start = counted[0] if below_start is None else below_start
    below_half = counted[1] if below_half is None else below_half
    if below_start is None and below_half:
        below_start = True
    if below_half is None and below_start is False:
        below_half = False
    return below_start, below_half, counted[2]


def _wounds(low: int, high: int | None, lost: bool, view: View, party: Party) -> Tri:
    gone = view.scene.wounds_lost(party)
    if lost:
        return _between(gone, low, high)
    full = view.scene.full_wounds(party)
    return None if full is None or gone is None else _between(full - gone, low, high)


def _between(value: int | None, low: int, high: int | None) -> Tri:
    return None if value is None else low <= value and (high is None or value <= high)


def _on_objective(condition: fx.OnObjective, said: str | None, of_owner: bool) -> Tri:
    """``said`` is seen from the unit: the condition speaks for the rule's owner."""
    if said is None:
        return None
    if said == "none":
        return False
    if condition.where != "any":
        return None
    if said in ("own", "enemy") and not of_owner:
        said = "enemy" if said == "own" else "own"
    match condition.control:
        case "any":
            return True
        case "not_own":
            return said != "own"
        case "not_enemy":
            return said != "enemy"
        case control:
            return said == control


def _led_by(who: Select | None, names: tuple[str, ...], unit: tuple[str, ...]) -> Tri:
    """Is one of these leaders meant? A leader is a CHARACTER and shares the unit's keywords; others are not known."""
    if not names:
        return None
    if who is None or (who.where is None and who.of is None):
        return True
    return either(*(_fits_listed(who, (*_phrases(name), *unit, "CHARACTER")) or None for name in names))


def _any_character(who: Select | None) -> bool:
    """Is nothing asked of a leader but that it is one?"""
    return who is None or who.where in (None, fx.Keyword((("CHARACTER",),)))


def _is_led(leader: Select, unit: Select | None, view: View) -> Tri:
    """ "Such a model is leading that unit": one of the two units, with a leader that fits."""
    answers: list[Tri] = []
    for party in PARTIES:
        if unit is None and party != view.owner:
            continue
        meant = True if unit is None else is_it(unit, party, view)
        answers.append(both(meant, holds(fx.LedBy(leader), view, party)) if meant is not False else False)
    return either(*answers)


def _phrases(name: str) -> list[str]:
    """Every row of words of a name: a keyword of its bearer may be any of them."""
    words = plain(name).split()
    return [" ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1)]


def _has_ability(name: str, view: View, party: Party) -> Tri:
    key = key_of(name).lower()
    if party == "attacker":
        field_name = WEAPON_FIELDS.get(key.split(" 1")[0].rstrip("0123456789+ "))
        if field_name:
            return bool(view.scene.attack["weapons"][view.weapon].get(field_name))
        if key in map(_key, OTHERS):
            return _weapon_has(key, view)
    if key == "stealth" and party == "target":
        return bool(view.scene.target.get("stealth"))
    return None


def _weapon_has(ability: str, view: View) -> bool:
    """What a weapon has is all said of it: one that is not named it does not have."""
    weapon = view.scene.attack["weapons"][view.weapon]
    blind = ability == "indirect fire" and bool(weapon.get("indirect"))
    return blind or ability in map(_key, weapon.get("abilities", ()))


def _key(ability: str) -> str:
    return key_of(ability).lower()


#: weapon abilities and where an odds request keeps them
WEAPON_FIELDS = {
    "rapid fire": "rapid_fire",
    "blast": "blast",
    "cleave": "cleave",
    "torrent": "torrent",
    "heavy": "heavy",
    "lance": "lance",
    "twin linked": "twin_linked",
    "lethal hits": "lethal",
    "devastating wounds": "devastating",
    "ignores cover": "ignores_cover",
    "precision": "precision",
    "hazardous": "hazardous",
    "sustained hits": "sustained",
    "anti": "anti",
    "melta": "melta",
}


# -------------------------------------------------------------------------------------------------- attack and time


def _attack_is(condition: fx.AttackIs, view: View) -> Tri:
    scene, melee = view.scene, view.scene.melee(view.weapon)
    match condition.kind:
        case "melee":
            return melee
        case "ranged":
            return not melee
        case "mortal":
            return False
        case "psychic":
            return _weapon_has("psychic", view)
        case "half_range":
            said = scene.attack.get("half_range")
            return None if said is None else bool(said)
        case "closest":
            gap = scene.distance(view.weapon)
            near = True if condition.distance is None else None if gap is None else gap <= condition.distance
            return both(scene.situation.closest, near)
        case "snap":
            return scene.snap
        case "critical_hit" | "critical_wound":
            return True if view.critical == condition.kind else None
        case "indirect":
            return bool(scene.attack["weapons"][view.weapon].get("indirect"))
        case _:
            return None


_TEST = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "=": lambda a, b: a == b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
}


def _compare(condition: fx.Compare, view: View, party: Party) -> Tri:
    left, right = value_of(condition.left, view, party), value_of(condition.right, view, party)
    return None if left is None or right is None else bool(_TEST[condition.op](left, right))


def value_of(name: str, view: View, party: Party) -> float | None:
    """A number named ``who.stat`` ("attack.S", "target.T", "target.wounds"), or written out."""
    if name.replace(".", "", 1).lstrip("-").isdigit():
        return float(name)
    who, _, stat = name.rpartition(".")
    scene, weapon = view.scene, view.weapon
    if stat == "S" and who in ("attack", "weapon", "attacker", ""):
        return scene.strength.get(weapon)
    if stat in ("D", "A", "AP") and who in ("attack", "weapon", ""):
        said = scene.attack["weapons"][weapon].get(stat, 0 if stat == "AP" else 1)
        return float(said) if isinstance(said, int) or str(said).lstrip("-").isdigit() else None
    whom = _party_named(who, view, party)
    if whom == "target" and stat == "T":
        return scene.toughness.get(weapon)
    if stat in ("models", "model"):
        return scene.models(whom) if whom else None
    if stat == "wounds" and whom:
        full, lost = scene.full_wounds(whom), scene.wounds_lost(whom)
        return None if full is None or lost is None else full - lost
    return None


def _party_named(who: str, view: View, party: Party) -> Party | None:
    match who:
        case "target":
            return "target"
        case "attacker":
            return "attacker"
        case "self" | "unit" | "bearer" | "led":
            return view.owner
        case "subject" | "it" | "who" | "":
            return party
        case _:
            return view.bound.get(who)


def _time(condition: fx.Round | fx.During, view: View) -> Tri:
    match condition:
        case fx.Round(low=low, high=high):
            return _between(view.scene.situation.round, low, high)
        case fx.During(phases=phases, whose=whose):
            phase = view.scene.phase(view.weapon)
            fits = True if "any" in phases else None if phase is None else phase in phases
            return both(fits, whose_turn(whose, view))


def whose_turn(whose: str, view: View) -> Tri:
    """Is it the turn of the rule's owner ("your"), or of the other side?"""
    if whose == "either":
        return True
    turn = view.scene.turn_of(view.weapon)
    return None if turn is None else (turn == view.owner) == (whose == "your")


def number(amount: Amount | None, view: View | None = None) -> int | None:
    """A plain number, where the amount is one; with a view also "for each model …" of a unit."""
    if amount is None or amount.ref is not None:
        return None
    value = amount.n.constant
    if value is not None and amount.per is not None:
        count = _counted(amount.per, view) if view else None
        value = None if count is None else value * (count // amount.every)
    if value is not None and amount.maximum is not None:
        value = min(value, amount.maximum)
    return value


def _counted(per: Select, view: View) -> int | None:
    """How many models of one of the two units a "for each" counts."""
    if per.what != "model" or per.where is not None:
        return None
    for party in PARTIES:
        if is_it(per, party, view):
            return view.scene.models(party)
    return None
