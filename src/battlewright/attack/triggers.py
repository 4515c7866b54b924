"""Does a clause's trigger fit this attack? And whom does it bind?

An attack is one moment; a rule that acts earlier and lasts (``Duration``) still counts if it lasts until now.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from battlewright import effects as fx
from battlewright.attack.situation import PHASES, Party, Tri, both, either, other
from battlewright.attack.truth import View, holds, is_it, said_of, whose_turn
from battlewright.effects import Clause, Duration, Trigger


def acts(clause: Clause, view: View, *, used: bool) -> tuple[Tri, View]:
    """Whether the trigger fits, and the view inside the clause. ``used``: a stratagem, known to have been used."""
    match clause.when:
        case fx.Static():
            return True, view
        case fx.PerAttack():
            return _each_attack(clause.when, view)
        case fx.Window():
            return (True if used else _window(clause.when, view, lasting(clause))), view
        case fx.Event(name="mortal_wounds", subject=who) if _ignores_wounds(clause):
            return is_it(who, "target", view), view
        case fx.Event(name="test_failed", subject=who, kinds=kinds) if _spares(clause, kinds):
            inside = replace(view.binding(who, "target"), attacked=who, unsaved=True, per_attack=True)
            return is_it(who, "target", view), replace(inside, once=view.once or clause.when.first)
        case fx.Event(name="roll_made", subject=who, kinds=kinds) if _modifies_rolls(clause, kinds):
            party: Party = "attacker" if set(kinds) <= {"hit", "wound"} else "target"
            return is_it(who, party, view), replace(view.binding(who, party), rolled=kinds)
        case fx.Event():
            return _event(clause.when, view, lasting(clause), used=used)
        case fx.AnyOf(of=triggers):
            return _any_of(triggers, clause, view, used=used)


def _any_of(triggers: tuple[Trigger, ...], clause: Clause, view: View, *, used: bool) -> tuple[Tri, View]:
    answers = [acts(fx.Clause(clause.do, when=one, lasts=clause.lasts), view, used=used) for one in triggers]
    for met, inside in answers:
        if met:
            return True, inside
    return either(*(met for met, _ in answers)), next((inside for met, inside in answers if met is None), view)


def _ignores_wounds(clause: Clause) -> bool:
    """Feel No Pain that comes with mortal wounds: it is against those of these attacks."""
    inner = [one for effect in clause.do for one in (effect.do if isinstance(effect, Clause) else (effect,))]
    return all(isinstance(one, fx.Grant) and one.what == "feel_no_pain" and one.against is not None for one in inner)


def _spares(clause: Clause, kinds: tuple[str, ...]) -> bool:
    """Is all that happens when a save is failed that the Damage of that attack changes?"""
    saves = set(kinds) <= {"save", "armour_save", "invulnerable_save"} and bool(kinds)
    return saves and all(isinstance(effect, fx.DamageTo) for effect in clause.do)


def _modifies_rolls(clause: Clause, kinds: tuple[str, ...]) -> bool:
    """Is all that happens when such a roll of an attack is made that it is modified or re-rolled?"""
    alike = set(kinds) <= {"save", "armour_save", "invulnerable_save"} or set(kinds) <= {"hit", "wound"}
    saves_again = "invulnerable_save" in kinds and any(isinstance(effect, fx.Reroll) for effect in clause.do)
    return alike and not saves_again and all(isinstance(effect, fx.RollMod | fx.Reroll) for effect in clause.do)


def lasting(clause: Clause) -> list[Duration]:
    """All durations in a clause and the clauses inside it."""
    return [duration for duration in _durations(clause) if duration.until not in ("instant", "attack")]


def _durations(clause: Clause) -> Iterator[Duration]:
    yield clause.lasts
    for effect in clause.do:
        if isinstance(effect, Clause):
            yield from _durations(effect)
        elif isinstance(effect, fx.If):
            yield from _durations(Clause((*effect.then, *effect.otherwise)))
        elif isinstance(effect, fx.Choose):
            yield from _durations(Clause(tuple(part for option in effect.options for part in option.do)))


# -------------------------------------------------------------------------------------------------- each attack


def _each_attack(when: fx.PerAttack, view: View) -> tuple[Tri, View]:
    melee = view.scene.melee(view.weapon)
    if when.kind != "any" and (when.kind == "melee") != melee:
        return False, view
    inside = replace(view, per_attack=True, attacked=when.target)
    parts: list[Tri] = [] if when.weapon is None else [holds(when.weapon, view, "attacker")]
    for select, party in ((when.attacker, "attacker"), (when.target, "target")):
        if select is not None:
            parts.append(is_it(select, _party(party), inside))
            inside = replace(inside.binding(select, _party(party)), subject=inside.subject)
    if when.attacker is None and when.target is None:
        parts.append(view.owner == when.role)
    elif when.role == "attacker" and when.attacker is None:
        parts.append(view.owner == "attacker")
    elif when.role == "target" and when.target is None:
        parts.append(view.owner == "target")
    subject: Party = "attacker" if when.role == "attacker" else "target"
    return both(*parts), replace(inside, subject=subject)


def _party(name: str) -> Party:
    return "attacker" if name == "attacker" else "target"


# ------------------------------------------------------------------------------------------------------- windows


def _window(when: fx.Window, view: View, lasts: list[Duration]) -> Tri:
    if when.unit == "battle":
        return when.edge == "start"
    parts: list[Tri] = [] if when.round is None else [_round(when, view, lasts)]
    if when.step == "battle_formations" or when.unit == "round":
        return both(*parts, when.edge != "end")
    now = _is_now(when, view)
    if now is not True:
        now = either(now, _still_lasts(when, view, lasts))
    return both(now, *parts)


def _round(when: fx.Window, view: View, lasts: list[Duration]) -> Tri:
    """It is such a round; what was done in the first one and lasts for the battle is done in every attack."""
    assert when.round is not None
    first = when.round.low == 1 and when.edge == "start"
    if first and (not lasts or any(one.until == "battle" for one in lasts)):
        return True
    return holds(when.round, view)


def _is_now(when: fx.Window, view: View) -> Tri:
    """It is this very phase (or turn), and the attack comes after the window opened."""
    turn = whose_turn(when.whose, view)
    if when.edge == "end":
        return False
    if when.unit == "turn" or "any" in when.phases:
        return turn
    phase = view.scene.phase(view.weapon)
    return both(turn, None if phase is None else phase in when.phases)


def _still_lasts(when: fx.Window, view: View, lasts: list[Duration]) -> Tri:
    """An earlier window whose effect reaches into this attack."""
    reach = max((_reach(one) for one in lasts), default=0)
    if reach >= 3:
        return True
    phase, turn = view.scene.phase(view.weapon), whose_turn(when.whose, view)
    if reach == 0:
        return False
    if reach == 2 and turn is False:
        return True
    earlier = None if phase is None else _before(when, phase)
    return both(turn, earlier)


def _before(when: fx.Window, phase: str) -> bool:
    order = [*PHASES]
    return any(one != "any" and order.index(one) < order.index(phase) for one in when.phases)  # type: ignore[arg-type]


def _reach(duration: Duration) -> int:
    """How far an effect lasts: 0 this phase, 1 this turn, 2 into the other player's turn, 3 the battle."""
    if duration.until in ("battle", "spent", "while"):
        return 3
    if duration.next:
        return 2
    return {"turn": 1, "round": 2}.get(duration.until, 0)


# -------------------------------------------------------------------------------------------------------- events

MOVES = ("charge_ended", "charge_declared", "move_ended", "move_started", "set_up", "disembarked", "selected_to_move")


def _event(when: fx.Event, view: View, lasts: list[Duration], *, used: bool) -> tuple[Tri, View]:
    party, met = _event_party(when, view)
    if party is None:
        return (True if used else met), view
    inside = view.binding(when.subject, party)
    parts: list[Tri] = [met]
    if when.subject is not None:
        parts.append(is_it(when.subject, party, view))
    if when.target is not None:
        parts.append(is_it(when.target, other(party), inside))
        inside = replace(inside.binding(when.target, other(party)), subject=party)
    if when.during is not None and not used:
        parts.append(_during(when, when.during, inside, lasts))
    if used and None in parts and False not in parts:
        return True, inside
    return both(*parts), inside


def _by_invulnerable(view: View) -> Tri:
    """Are the saving throws made with invulnerable saves? Known where they are the better ones, or there are none."""
    groups, depth = view.scene.target["groups"], -int(view.scene.attack["weapons"][view.weapon].get("AP", 0))
    if not any(group.get("InSv") for group in groups):
        return False
    return all((group.get("InSv") or 7) <= int(group["Sv"]) + depth for group in groups) or None


def _during(when: fx.Event, during: fx.During, view: View, lasts: list[Duration]) -> Tri:
    """It happens in that phase; a move made in an earlier one still counts while what it gave lasts."""
    now = holds(during, view)
    if now is not True and when.name in MOVES:
        return either(now, _still_lasts(fx.Window(during.phases, during.whose), view, lasts))
    return now


def _event_party(when: fx.Event, view: View) -> tuple[Party | None, Tri]:
    """Which of the two units the event is about, and whether it has happened."""
    scene, melee = view.scene, view.scene.melee(view.weapon)
    match when.name:
        case "selected_to_shoot":
            return "attacker", not melee
        case "selected_to_fight":
            return "attacker", melee
        case "selected_to_attack" | "targets_selected":
            return "attacker", True
        case "targeted" | "attack_allocated":
            return _who_of(when, view, first="target"), True
        case name if name in MOVES:
            return _moved(when, view)
        case "roll_made" if set(when.kinds) <= {"save", "armour_save"}:
            return "target", True
        case "roll_made" if when.kinds == ("invulnerable_save",):
            return "target", _by_invulnerable(view)
        case "stratagem_targeted" | "stratagem_used":
            overwatch = any("overwatch" in kind.lower() for kind in when.kinds)
            return "attacker", scene.snap if overwatch else None
        case "battle_formations" | "declare_formations" | "army_mustered" | "deployment_done" | "first_round":
            return None, True
        case "ability_used":
            return None, True
        case "used":
            return None, any(said_of(kind, view) for kind in when.kinds) or None
        case _:
            return None, None


def _who_of(when: fx.Event, view: View, *, first: Party) -> Party:
    """The unit the event's subject is; ``first`` when both could be."""
    for party in (first, other(first)):
        if when.subject is None or is_it(when.subject, party, view):
            return party
    return first


_KINDS: dict[str, Literal["charge", "advance", "fall_back", "set_up", "disembark", "stationary"]] = {
    "stationary": "stationary",
    "charge": "charge",
    "advance": "advance",
    "fall_back": "fall_back",
    "set_up": "set_up",
    "disembark": "disembark",
}


def _moved(when: fx.Event, view: View) -> tuple[Party | None, Tri]:
    kinds = {
        "charge_ended": ("charge",),
        "set_up": ("set_up",),
        "disembarked": ("disembark",),
    }.get(when.name, when.kinds)
    party = _who_of(when, view, first=view.owner)
    answers = [holds(fx.Moved(_KINDS[kind]), view, party) if kind in _KINDS else None for kind in kinds]
    if when.name == "charge_declared":
        return party, None
    return party, either(*answers) if answers else None
