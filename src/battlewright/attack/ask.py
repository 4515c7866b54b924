"""A question as people ask it, from names to the exact answer, with who, what, and all that was chosen or left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from battlewright.attack.answer import Answer, answer
from battlewright.attack.matchup import Matchup, Moment, edition_of, matchup
from battlewright.attack.request import read
from battlewright.attack.rulings import Ruled, rule_on
from battlewright.attack.units import Unit, take
from battlewright.effects import EditionId

#: Nothing special: in range, not moved, no cover.
PLAIN = Moment()


class Party(Struct, frozen=True):
    """One side of the answer: who it was, how many, at what price, and where its numbers came from."""

    name: str
    edition: EditionId
    models: int
    points: int | None = None
    keywords: tuple[str, ...] = ()
    weapons: tuple[dict[str, Any], ...] = ()
    groups: tuple[dict[str, Any], ...] = ()


class Reply(Answer, frozen=True, kw_only=True):
    """The answer form, and besides: who, with what, against whom, and every choice and assumption on the way."""

    attacker: Party
    target: Party
    melee: bool
    notes: tuple[str, ...] = ()
    per_100_points: float | None = None
    request: dict[str, Any]


def ask(
    attacker: str | Unit,
    target: str | Unit,
    *,
    edition: EditionId | None = None,
    moment: Moment = PLAIN,
    models: int | None = None,
    target_models: int | None = None,
    stats: str | None = None,
    then: Sequence[str] = (),
) -> Reply:
    """The exact odds of one unit attacking another, by name, page or ``roster-file#Unit name``.

    ``stats`` is the target's stat line where it is not known. ``then`` names further activations against what is left:
    ``melee``, ``ranged``, or another unit. Raises :class:`BadInput`.

    >>> reply = ask("Canis Rex", "Kasrkin", moment=Moment(melee=True))
    >>> reply.attacker.weapons[0]["name"], round(reply.slain.mean, 3)
    ("Freedom's Hand – sweep", 7.782)
    """
    one = take(attacker, edition, models=models) if isinstance(attacker, str) else attacker
    other = take(target, edition, models=target_models, stats=stats) if isinstance(target, str) else target
    rules = edition_of((one, other), edition)
    first = matchup(one, other, moment, rules, judge)
    further = [_further(words, one, other, moment, rules) for words in then]
    return reply(first, further)


def _further(words: str, attacker: Unit, target: Unit, moment: Moment, edition: EditionId) -> Matchup:
    """A later activation: the same unit shooting or fighting, or another unit."""
    kinds = {"melee": True, "fight": True, "ranged": False, "shoot": False}
    if words.casefold() in kinds:
        later = replace(moment, melee=kinds[words.casefold()], with_weapons=())
        return matchup(attacker, target, later, edition, judge)
    return matchup(take(words, edition), target, replace(moment, with_weapons=()), edition, judge)


def judge(request: Mapping[str, Any]) -> float:
    """The mean damage of a request."""
    return answer(read(request)).damage.mean


def reply(first: Matchup, further: Sequence[Matchup] = ()) -> Reply:
    """Answer a question already put together."""
    ruled = rule_on(first)
    request = dict(ruled.request)
    laters = [rule_on(later) for later in further]
    if laters:
        request["then"] = [later.request["attack"] for later in laters]
    found = answer(read(request))
    notes = [note for each in (first, *further) for note in each.notes]
    notes += [f"then: {later.attacker.name} {'fights' if later.melee else 'shoots'}" for later in further]
    notes += _same_target(first, further, ruled, laters)
    plain = {name: value for name, value in asdict(found).items() if name not in ("rules", "assumed")}
    return Reply(
        **plain,
        rules=(*found.rules, *ruled.answers),
        assumed=tuple(dict.fromkeys((*found.assumed, *ruled.assumed))),
        attacker=_party(first.attacker, weapons=request["attack"]["weapons"]),
        target=_party(first.target, groups=request["target"]["groups"]),
        melee=first.melee,
        notes=tuple(dict.fromkeys(notes)),
        per_100_points=_per_100(first, found),
        request=request,
    )


def _same_target(first: Matchup, further: Sequence[Matchup], ruled: Ruled, laters: Sequence[Ruled]) -> list[str]:
    """A later activation meets the target as the first one does; say so where it would not."""
    return [
        f"{later.attacker.name}, later: the target's saves and modifiers are those of the first activation"
        for later, ruling in zip(further, laters, strict=True)
        if ruling.request["target"] != ruled.request["target"] or later.melee != first.melee
    ][:1]


def _party(unit: Unit, *, weapons: Sequence[dict[str, Any]] = (), groups: Sequence[dict[str, Any]] = ()) -> Party:
    return Party(unit.name, unit.edition, unit.models, unit.points, unit.keywords, tuple(weapons), tuple(groups))


def _per_100(first: Matchup, found: Answer) -> float | None:
    """Points of the target slain for each 100 points of the attacker; None where a price is not known."""
    if not first.attacker.points or not first.target.points or not first.target.models:
        return None
    share = found.slain.mean / first.target.models
    return 100 * share * first.target.points / first.attacker.points
