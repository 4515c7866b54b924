"""A question as people ask it, from names to the exact answer, with who, what, and all that was chosen or left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from battlewright.attack.answer import Answer, answer, answer_all
from battlewright.attack.equip import equip
from battlewright.attack.matchup import Matchup, Moment, edition_of, matchup
from battlewright.attack.request import Request, RuleAnswer, read
from battlewright.attack.rulings import Ruled, rule_on
from battlewright.attack.units import Unit, take
from battlewright.catalogue.lookup import EDITIONS
from battlewright.codec import to_builtins
from battlewright.datasheet import Ability
from battlewright.effects import EditionId
from battlewright.errors import BadInput, Fault

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
    rules: tuple[RuleAnswer, ...] = ()


class Reply(Answer, frozen=True, kw_only=True):
    """The answer form, and besides: who, with what, against whom, and every choice and assumption on the way."""

    attacker: Party
    target: Party
    then: tuple[Party, ...] = ()
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
    rules: Sequence[str] = (),
    target_rules: Sequence[str] = (),
    explain: bool = False,
    advice: bool = False,
    wargear: Sequence[str] = (),
) -> Reply:
    """The exact odds of one unit attacking another, by name, page or ``roster-file#Unit name``.

    ``stats`` is the target's stat line where it is not known. ``then`` names further activations against what is left:
    ``melee``, ``ranged``, or another unit. ``rules`` and ``target_rules`` are words of rules in force besides those of
    the datasheets (an order, a stratagem, an aura). ``explain``: what each modifier is worth; ``advice``: what either
    player could choose better, both of the first activation. ``wargear``: what the attacker takes instead of its default
    equipment, by its options (``2 plasma gun``). Raises :class:`BadInput`.

    >>> reply = ask("Canis Rex", "Kasrkin", moment=Moment(melee=True))
    >>> reply.attacker.weapons[0]["name"], round(reply.slain.mean, 3)
    ("Freedom's Hand – sweep", 6.898)
    """
    one, other = _taken(attacker, target, edition, models, target_models, stats)
    one = equip(one, wargear)
    one, other = with_rules(one, rules), with_rules(other, target_rules)
    whose = edition_of((one, other), edition)
    first = matchup(one, other, moment, whose, judge)
    further = [_further(words, one, other, moment, whose) for words in then]
    return reply(first, further, explain=explain, advice=advice)


def _taken(
    attacker: str | Unit,
    target: str | Unit,
    edition: EditionId | None,
    models: int | None,
    target_models: int | None,
    stats: str | None,
) -> tuple[Unit, Unit]:
    """Both units; where no edition is said and the newest of each differ, those of the newest edition that has both."""

    def both(each: EditionId | None) -> tuple[Unit, Unit]:
        one = take(attacker, each, models=models) if isinstance(attacker, str) else attacker
        other = take(target, each, models=target_models, stats=stats) if isinstance(target, str) else target
        known = other.sheet is not None or bool(other.weapons)
        return one, other if known else replace(other, edition=one.edition)

    one, other = both(edition)
    if edition is not None or one.edition == other.edition:
        return one, other
    for each in EDITIONS:
        first, second = both(each)
        if first.edition == second.edition == each:
            note = f"both of {each}, the newest edition that has both"
            return replace(first, notes=(*first.notes, note)), second
    return one, other


def odds(
    attacker: str | Unit,
    target: str | Unit,
    *,
    edition: EditionId | None = None,
    range: float | None = None,
    weapons: Sequence[str] = (),
    models: int | None = None,
    target_models: int | None = None,
    stats: str | None = None,
    then: Sequence[str] = (),
    rules: Sequence[str] = (),
    target_rules: Sequence[str] = (),
    explain: bool = False,
    advice: bool = False,
    wargear: Sequence[str] = (),
    **situation: Any,
) -> Reply:
    """The exact odds of one unit attacking another: :func:`ask` in the words of the command line.

    ``range`` in inches; ``weapons`` only these; ``situation``: ``melee``, ``half_range``, ``cover``, ``charged``,
    ``stationary``, ``snap``, ``indirect``, ``attacker_wounded``, ``target_wounded``, ``turn``, ``round``, ``closest``,
    ``attacker_is`` and ``target_is`` (lists of words).
    Raises :class:`BadInput`.

    >>> round(odds("Kasrkin", "Canis Rex", range=12).damage.mean, 4)
    1.0556
    """
    unknown = [
        Fault("not a condition of an attack", name) for name in situation if name not in Moment.__struct_fields__
    ]
    if unknown:
        raise BadInput(unknown)
    for name in {"attacker_is", "target_is", "readings"} & set(situation):
        situation[name] = tuple(situation[name])
    moment = Moment(distance=range, with_weapons=tuple(weapons), **situation)
    return ask(
        attacker,
        target,
        edition=edition,
        moment=moment,
        models=models,
        target_models=target_models,
        stats=stats,
        then=then,
        rules=rules,
        target_rules=target_rules,
        explain=explain,
        advice=advice,
        wargear=wargear,
    )


def with_rules(unit: Unit, words: Sequence[str]) -> Unit:
    """The unit with more rules in force, each named by what stands before its colon, where that is short.

    Raises :class:`BadInput` where one has no words.

    >>> [ability.name for ability in with_rules(take("Kasrkin"), ["Steady: add 1 to the Hit roll"]).abilities][-1]
    'Steady'
    """
    given = []
    for number, text in enumerate(words, 1):
        if not text.strip():
            raise BadInput("expected the words of a rule, got none", f"rule {number}")
        name, colon, rest = text.partition(":")
        named = bool(colon) and len(name) <= 40 and rest.strip() != ""
        given.append(Ability(name=name.strip() if named else f"rule {number}", text=rest.strip() if named else text))
    return replace(unit, abilities=(*unit.abilities, *given)) if given else unit


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


def reply(first: Matchup, further: Sequence[Matchup] = (), *, explain: bool = False, advice: bool = False) -> Reply:
    """Answer a question already put together, with its further activations."""
    questions = (first, *further)
    ruled = [rule_on(question) for question in questions]
    found = answer_all([each.request for each in ruled])
    if explain or advice:
        more = answer(ruled[0].request, explain=explain, advice=advice)
        found = replace(found, worth=more.worth, advice=more.advice)
    notes = [note for question in questions for note in question.notes]
    notes += [note for each in ruled for note in each.notes]
    plain = {name: value for name, value in asdict(found).items() if name not in ("rules", "assumed")}
    weapons = [_weapons(question, each) for question, each in zip(questions, ruled, strict=True)]
    return Reply(
        **plain,
        rules=tuple(dict.fromkeys(answer for each in ruled for answer in each.answers)),
        assumed=tuple(dict.fromkeys([*found.assumed, *(words for each in ruled for words in each.assumed)])),
        attacker=_party(first.attacker, weapons=weapons[0], rules=ruled[0].attacker),
        target=_party(first.target, groups=_plain(ruled[0].request)["target"]["groups"], rules=ruled[0].target),
        then=tuple(
            _party(question.attacker, weapons=used, rules=each.attacker)
            for question, used, each in zip(further, weapons[1:], ruled[1:], strict=True)
        ),
        melee=first.melee,
        notes=tuple(dict.fromkeys(notes)),
        per_100_points=per_100_points(first, found) if not further else None,
        request=first.request,
    )


def _weapons(question: Matchup, ruled: Ruled) -> list[dict[str, Any]]:
    """The weapons as they attack, every rule counted."""
    weapons: list[dict[str, Any]] = _plain(ruled.request)["attack"]["weapons"]
    return [{"count": shot.count, **weapon} for shot, weapon in zip(question.shots, weapons, strict=True)]


def _plain(request: Request) -> dict[str, Any]:
    plain = to_builtins(request)
    assert isinstance(plain, dict)
    return plain


def _party(
    unit: Unit,
    *,
    weapons: Sequence[dict[str, Any]] = (),
    groups: Sequence[dict[str, Any]] = (),
    rules: Sequence[RuleAnswer] = (),
) -> Party:
    return Party(
        unit.name, unit.edition, unit.models, unit.points, unit.keywords, tuple(weapons), tuple(groups), tuple(rules)
    )


def per_100_points(first: Matchup, found: Answer) -> float | None:
    """Points of the target slain for each 100 points of the attacker; None where a price is not known."""
    if not first.attacker.points or not first.target.points or not first.target.models:
        return None
    share = found.slain.mean / first.target.models
    return 100 * share * first.target.points / first.attacker.points
