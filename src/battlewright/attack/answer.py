"""From a request to its answer: rules folded in, plan built, outcome counted, told in the answer form."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from battlewright.attack.advice import Advice, advise, left_to_us, settle
from battlewright.attack.chain import chain, unrolled
from battlewright.attack.exact import Outcome
from battlewright.attack.explain import Worth, cites, worth
from battlewright.attack.request import Attacker, Request, RuleAnswer
from battlewright.distribution import Number


class Mean(Struct, frozen=True):
    mean: float


class Answer(Struct, frozen=True, omit_defaults=True):
    """The answer form. ``damage`` counts wounds really lost, ``wasted`` the damage left over on destroyed models.

    ``worth`` and ``advice`` are there when asked for, and ``advice`` when a choice was left to us ("best").
    """

    edition: str
    attacks: Mean
    hits: Mean
    wounds: Mean
    damage: Mean
    slain: Mean
    damage_dist: dict[str, float]
    slain_dist: dict[str, float]
    p_destroyed: float
    p_character_slain: float
    slain_by_group: tuple[float, ...]
    attacker_wounds: Mean
    attacker_slain: Mean
    wasted: Mean
    rules: tuple[RuleAnswer, ...]
    cites: tuple[str, ...]
    assumed: tuple[str, ...]
    worth: tuple[Worth, ...] = ()
    advice: tuple[Advice, ...] = ()


def answer(request: Request, *, explain: bool = False, advice: bool = False) -> Answer:
    """The exact answer to one request.

    ``explain``: what each modifier is worth; ``advice``: what either player could choose better. Both are about the
    first activation.

    >>> from battlewright.attack.request import read
    >>> weapon = {"count": 10, "A": 2, "skill": 4, "S": 4, "AP": -1}
    >>> found = answer(read({"edition": "10e", "attack": {"weapons": [weapon]},
    ...                      "target": {"groups": [{"models": 10, "T": 4, "W": 2, "Sv": 3}]}}))
    >>> round(found.damage.mean, 6)
    2.5
    """
    found = answer_all(unrolled(request))
    if not explain and not advice:
        return found
    first, _, _ = _folded(unrolled(request)[0])
    return replace(
        found,
        worth=worth(settle(first, first.aim)) if explain else (),
        advice=advise(first, first.aim) if advice else found.advice,
    )


def answer_all(requests: Sequence[Request]) -> Answer:
    """The exact answer to several activations against one target, one after the other (the same groups in each)."""
    folded = [_folded(request) for request in requests]
    settled = [settle(request, request.aim) for request, _, _ in folded]
    chosen = tuple(each for request, _, _ in folded for each in left_to_us(request))
    rules = tuple(dict.fromkeys(rule for _, answers, _ in folded for rule in answers))
    assumed = tuple(dict.fromkeys(words for _, _, left_out in folded for words in left_out))
    return replace(_told(settled, chain(settled), rules, assumed), advice=chosen)


def _folded(request: Request) -> tuple[Request, tuple[RuleAnswer, ...], tuple[str, ...]]:
    """The request with its rules texts turned into plain numbers."""
    texts = (*request.rules.attacker, *request.rules.target)
    if not texts:
        return request, (), ()
    from battlewright.attack.fold import apply_rules

    folded = apply_rules(request)
    return folded.request, folded.answers, folded.assumed


def _told(folded: Sequence[Request], found: Outcome, rules: tuple[RuleAnswer, ...], assumed: tuple[str, ...]) -> Answer:
    cited = [rule for request in folded for rule in cites(request)]
    left_out = [*assumed, *(words for request in folded for words in _assumed(request))]
    return Answer(
        edition=folded[0].edition,
        attacks=_mean(found.means.attacks),
        hits=_mean(found.means.hits),
        wounds=_mean(found.means.wounds),
        damage=_mean(found.damage.mean),
        slain=_mean(found.slain.mean),
        damage_dist=found.damage.to_json(),
        slain_dist=found.slain.to_json(),
        p_destroyed=float(found.p_destroyed),
        p_character_slain=float(found.p_character_slain),
        slain_by_group=tuple(map(float, found.slain_by_group)),
        attacker_wounds=_mean(found.attacker.mean),
        attacker_slain=_mean(found.attacker_slain.mean),
        wasted=_mean(found.wasted),
        rules=rules,
        cites=tuple(dict.fromkeys(cited)),
        assumed=tuple(dict.fromkeys(left_out)),
    )


def _mean(number: Number) -> Mean:
    return Mean(float(number))


def _assumed(request: Request) -> tuple[str, ...]:
    notes = []
    weapons = request.attack.weapons
    bearers = request.attack.attacker
    if bearers is not None and bearers == Attacker() and any(line.hazardous for line in weapons):
        notes.append("hazardous: one attacking model with one wound")
    if request.attack.attacker is None and any(line.hazardous for line in weapons):
        notes.append("hazardous: the attacker is not described, so its own losses are not counted")
    if request.edition == "10e" and any(line.cleave for line in weapons):
        notes.append("cleave: no ability of this edition, so it adds nothing")
    return tuple(notes)
