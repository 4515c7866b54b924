"""When: phases and turns, and what happens in them."""

from __future__ import annotations

from typing import Any as Anything

from battlewright.effects import (
    Any,
    AnyOf,
    Condition,
    During,
    Event,
    Phase,
    Select,
    Trigger,
    Used,
    Was,
    Whose,
    Window,
    parts_of,
)
from battlewright.rulestext.builders.phrases import (
    about,
    known,
    lower,
)
from battlewright.rulestext.builders.sentences import (
    Scope,
    event,
)
from battlewright.rulestext.context import ME, UNIT, Context, Reject
from battlewright.rulestext.tokens import Token


def two_windows(c: Context, first: tuple[Phase, Whose | None, str], second: tuple[Phase, Whose | None, str]) -> Trigger:
    """ "your Shooting phase or the Fight phase"."""
    (p, w, g), (q, w2, h) = first, second
    if (w or "either") == (w2 or w or "either") and g == h:
        return Window((p, q), w or "either", g)  # type: ignore[arg-type]
    return AnyOf((Window((p,), w or "either", g), Window((q,), w2 or "either", h)))  # type: ignore[arg-type]


def three_windows(c: Context, *rows: tuple[Phase, Whose | None]) -> Trigger:
    sides = {whose or "either" for _, whose in rows}
    if len(sides) == 1:
        return Window(tuple(phase for phase, _ in rows), sides.pop())
    return AnyOf(tuple(Window((phase,), whose or "either") for phase, whose in rows))


def in_window(c: Context, window: Trigger, events: Anything) -> Anything:
    """An event that counts only in this phase."""
    if isinstance(events, Scope):
        inner = in_window(c, window, events.when)
        if isinstance(inner, Scope):
            return Scope(inner.when, events.holds + inner.holds, events.lasts, events.limits)
        return Scope(inner, events.holds, events.lasts, events.limits)
    if isinstance(events, AnyOf):
        return AnyOf(tuple(in_window(c, window, one) for one in events.of))
    if isinstance(window, AnyOf) and not isinstance(events, Event):
        if any(not isinstance(one, Window) or one.edge != "during" for one in window.of):
            raise Reject("attacks at the edge of a phase")
        times = tuple(During(one.phases, one.whose, one.step) for one in window.of if isinstance(one, Window))
        return Scope(events, [Any(times)])
    if isinstance(window, AnyOf):
        return AnyOf(tuple(in_window(c, one, events) for one in window.of))
    if isinstance(events, Event) and isinstance(window, Window) and window.edge == "during":
        phases: tuple[Phase, ...] = window.phases
        during = During(phases, window.whose, window.step)
        return Event(events.name, events.subject, events.target, events.kinds, events.edge, events.first, during)
    if isinstance(window, Window) and window.edge == "during" and not isinstance(events, Event):
        return Scope(events, [During(window.phases, window.whose, window.step)])
    raise Reject("an event at the edge of a phase")


def same_subject(c: Context, first: Anything, name: Anything, kinds: tuple[str, ...] = ()) -> Event:
    """Another thing that happens to the same: "ends a move or is set up"."""
    if isinstance(first, AnyOf):  # "starts or ends a move, or …"
        first = first.of[-1]
    if not isinstance(first, Event) or first.subject is None:
        raise Reject("to whom?")
    return Event(name, first.subject, None, kinds, first.edge)


def either_event(c: Context, first: Anything, second: Anything) -> Trigger:
    """Any of two events."""
    if isinstance(first, Scope) or isinstance(second, Scope):
        a, b = _trigger(first), _trigger(second)
    else:
        a, b = first, second
    found = (*(a.of if isinstance(a, AnyOf) else (a,)), *(b.of if isinstance(b, AnyOf) else (b,)))
    return AnyOf(found)


def _trigger(events: Anything) -> Trigger:
    if isinstance(events, Scope):
        if events.holds:
            raise Reject("a condition on one of two events")
        return events.when
    found: Trigger = events
    return found


def move_ended_where(c: Context, s: Select, kinds: tuple[str, ...], where: Condition) -> Scope:
    """Ends such a move there."""
    found = event(c, "move_ended", s, kinds=kinds)
    return Scope(found, [about(c, Select(s.what, ref="subject") if s.ref is None else s, where)])


def destroyed_where(c: Context, s: Select, where: Condition) -> Scope:
    """Is destroyed there."""
    itself = [mention.refer for mention in c.mentions if mention.select is s and mention.refer is not None]
    if any(part in itself for part in parts_of(where)):
        raise Reject("near itself")
    found = event(c, "destroyed", s)
    return Scope(found, [about(c, Select(s.what, ref="subject") if s.ref is None else s, where)])


def destroys(c: Context, s: Select, t: Select) -> Event:
    """ "this model destroys an enemy unit": what is said later of "it" is said of this model."""
    found = event(c, "destroyed", t, s)
    if s in (ME, UNIT) and t.what == "unit":  # "that unit", said next, is the one destroyed
        c.mentions.sort(key=lambda mention: mention.select is t)
    c.it, c.it_block = known(c, s), c.block
    c.activation, c.activation_block = c.it, c.block
    return found


def event_and(c: Context, events: Anything, condition: Condition) -> Scope:
    """The event, where that also holds."""
    if isinstance(events, Scope):
        return Scope(events.when, [*events.holds, condition], events.lasts, events.limits)
    return Scope(events, [condition])


def test_for(c: Context, who: Select, test: str, name: tuple[Token, ...]) -> Scope:
    """A test one takes for something it does: it has just done that, which no enemy does of our rules."""
    if who.side == "enemy":
        raise Reject("a test for what?")
    taken = event(c, "test_taken", who, kinds=(test,))
    return event_and(c, taken, about(c, known(c, who), Used(lower(c, name), "phase")))


#: the phase in which such a thing happens
_OF_PHASE: dict[str, Phase] = {
    "selected_to_move": "movement",
    "selected_to_shoot": "shooting",
    "has_shot": "shooting",
    "selected_to_charge": "charge",
    "charge_declared": "charge",
    "charge_ended": "charge",
    "selected_to_fight": "fight",
    "has_fought": "fight",
}


def at_its_start(c: Context, phase: Phase, condition: Condition) -> Was:
    """ "Started the Charge phase …": said in that phase, or it is another that began."""
    for block in c.block.chain():
        when = block.when
        if isinstance(when, Window) and when.phases == (phase,) and when.unit == "phase":
            return Was(condition, "phase_start")
        if isinstance(when, Event) and _OF_PHASE.get(when.name) == phase:
            return Was(condition, "phase_start")
    raise Reject("another phase")


def selected_for(c: Context, who: Select, acts: tuple[Anything, ...]) -> Trigger:
    """Selected to shoot, to fight, to advance …: at each of these."""
    moves = ("advance", "fall_back")
    found = [event(c, "selected_to_move", who, kinds=(act,)) if act in moves else event(c, act, who) for act in acts]
    return found[0] if len(found) == 1 else AnyOf(tuple(found))
