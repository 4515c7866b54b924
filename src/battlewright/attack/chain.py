"""Several activations against one target, one after the other: shoot, charge, fight in one exact answer.

Each begins in every state the one before can leave, with the models then alive (which [BLAST] counts).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from battlewright.attack.exact import Means, Outcome, resolve
from battlewright.attack.plan import Plan, State, build_attack
from battlewright.attack.request import Request
from battlewright.distribution import Distribution, Number
from battlewright.editions import edition as edition_of
from battlewright.errors import BadInput


def unrolled(request: Request) -> list[Request]:
    """The request and its ``then``, each a request of one activation."""
    from msgspec.structs import replace as change

    return [change(request, then=()), *(change(request, attack=attack, then=()) for attack in request.then)]


def chain(requests: Sequence[Request]) -> Outcome:
    """The outcome of all activations together; damage and models are counted from the first one's start.

    Raises :class:`BadInput` when they do not attack the same groups of models.
    """
    first = resolve(_plan(requests[0], None))
    total = first
    for request in requests[1:]:
        total = _after(total, request)
    return total


def _plan(request: Request, start: State | None) -> Plan:
    return build_attack(edition_of(request.edition, request.readings), request.attack, request.target, start)


def _after(before: Outcome, request: Request) -> Outcome:
    """One more activation. Its plan is made once for every number of models left; nobody attacks a destroyed unit."""
    plan = _plan(request, None)
    if [group.full for group in plan.groups] != [group.full for group in before.plan.groups]:
        raise BadInput("expected the same groups of models in every activation", "$.then")
    chances = {state: chance for state, chance in before.states.items() if not any(state)}
    parts = list[tuple[Number, Outcome]]()
    for starts in _by_models(before).values():
        share = sum(starts.values())
        outcome = _part(request, before.plan.start, {state: chance / share for state, chance in starts.items()})
        parts.append((share, outcome))
        for state, chance in outcome.states.items():
            chances[state] = chances.get(state, 0.0) + chance * share
    return _joined(before, plan, parts, chances)


def _by_models(before: Outcome) -> dict[tuple[int, ...], dict[State, Number]]:
    """The states with somebody left, by the models alive in each group."""
    found = dict[tuple[int, ...], dict[State, Number]]()
    for state, chance in before.states.items():
        if any(state):
            alive = tuple(-(-left // group.wounds) for left, group in zip(state, before.plan.groups, strict=True))
            found.setdefault(alive, {})[state] = chance
    return found


def _part(request: Request, whole: State, starts: dict[State, Number]) -> Outcome:
    plan = _plan(request, next(iter(starts)))
    return resolve(replace(plan, start=whole), starts=starts)


def _joined(
    before: Outcome, plan: Plan, parts: Sequence[tuple[Number, Outcome]], chances: dict[State, Number]
) -> Outcome:
    means = before.means
    return Outcome(
        plan=replace(plan, start=before.plan.start),
        after=tuple(chances),
        chances=np.array(list(chances.values()), dtype=float),
        wasted=before.wasted + sum(share * part.wasted for share, part in parts),
        means=Means(
            attacks=means.attacks + sum(share * part.means.attacks for share, part in parts),
            hits=means.hits + sum(share * part.means.hits for share, part in parts),
            wounds=means.wounds + sum(share * part.means.wounds for share, part in parts),
        ),
        attacker=_added(before.attacker, [(share, part.attacker) for share, part in parts]),
        attacker_slain=_added(before.attacker_slain, [(share, part.attacker_slain) for share, part in parts]),
    )


def _added(before: Distribution, parts: Sequence[tuple[Number, Distribution]]) -> Distribution:
    """Own losses of both activations; where the target is already destroyed the later one costs nothing."""
    later = np.zeros(max([1, *(len(found.weights) for _, found in parts)]))
    later[0] = 1.0 - float(sum(share for share, _ in parts))
    for share, found in parts:
        later[: len(found.weights)] += found.weights * float(share)
    return Distribution(np.convolve(before.weights, later))
