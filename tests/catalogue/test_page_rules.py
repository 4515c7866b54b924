"""The rules that ship as records: each can be said in words, and is what its page says where the page can be read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from battlewright import effects as fx
from battlewright.catalogue.core_rules import core_rules
from battlewright.catalogue.page_rules import page_rules
from battlewright.effects_words import describe, parse
from battlewright.formats.detect import read
from battlewright.names import fold
from battlewright.rulestext import compile as compile_rule

EDITIONS: Final[tuple[fx.EditionId, ...]] = ("10e", "11e")
#: the records whose page lost one keyword of their target, or of the unit that acts
LOST_TARGET = {
    37: "AGENTS OF THE IMPERIUM",
    38: "AGENTS OF THE IMPERIUM",
    40: "CHAOS KNIGHTS",
    42: "CHAOS KNIGHTS",
    44: "CHAOS KNIGHTS",
    47: "CHAOS KNIGHTS",
    48: "CHAOS KNIGHTS",
}
#: and of those to whom it gives an ability
LOST_GIVEN = {25: "CHAOS KNIGHTS"}
LOST_SUBJECT = {41: "CHAOS KNIGHTS", 43: "CHAOS KNIGHTS"}
#: the digest reads these as lasting so long, where the page says less
LASTS = {35: "phase", 37: "turn"}
#: written by hand: their page says more than the grammar reads
BY_HAND = {
    *(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 21, 22, 23, 26, 27, 28),
    *(32, 34, 39, 46, 59, 62, 70, 71, 74, 78, 79, 80),
}


def entry(rule: fx.Rule) -> int | str:
    """The place of a rule in the digest: a number, or a name for an ability of a datasheet."""
    place = rule.id.removeprefix("seed ")
    return int(place) if place.isdigit() else place


ALL = [rule for edition in EDITIONS for rule in page_rules(edition)]


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.id)
def test_a_record_can_be_said_and_read_back(rule: fx.Rule) -> None:
    assert parse(describe(rule)) == rule
    assert rule.status == "full"
    assert not rule.unread


def test_places_are_given_once() -> None:
    assert len({rule.id for rule in ALL}) == len(ALL)


@pytest.mark.parametrize("edition", EDITIONS)
def test_core_rules_can_be_said_and_have_known_numbers(shared: Path, edition: fx.EditionId) -> None:
    known = set(_ids(json.loads((shared / "rules" / "ids.json").read_text())))
    for rule in core_rules(edition):
        assert parse(describe(rule)) == rule
        assert rule.id in known, f"{rule.name}: {rule.id}"


def _ids(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for one in value.values():
            yield from _ids(one)
    elif isinstance(value, list):
        for one in value:
            yield from _ids(one)
    elif isinstance(value, str):
        yield value


def boxes(shared: Path) -> dict[tuple[str, str, str], list[tuple[str, fx.RuleKind]]]:
    """The words of every box and ability of the seed pages, by edition, name and source; pages may differ."""
    found: dict[tuple[str, str, str], list[tuple[str, fx.RuleKind]]] = {}

    def add(key: tuple[str, str, str], words: str, kind: fx.RuleKind) -> None:
        known = found.setdefault(key, [])
        if (words, kind) not in known:
            known.append((words, kind))

    for path in sorted((shared / "seeds").glob("*.txt")):
        edition = path.name[:3]
        for sheet in read(path).datasheets:
            for ability in sheet.abilities:
                if ability.text:
                    add((edition, fold(ability.name), ""), ability.text, "unit-ability")
            for box in sheet.boxes:
                if box.kind in ("stratagem", "detachment-rule", "enhancement"):
                    words = box.text or "\n".join(f"{label}: {text}" for label, text in box.parts)
                    add((edition, fold(box.title), box.source.split(" – ")[0]), words, box.kind)
    return found


def changed(rule: fx.Rule, place: int | str) -> fx.Rule:
    """What the page says, with the keyword it lost and the time the digest gives it."""
    place = place if isinstance(place, int) else 0
    clauses = tuple(
        msgspec.structs.replace(
            clause,
            when=_subject(clause.when, LOST_SUBJECT[place]) if place in LOST_SUBJECT else clause.when,
            lasts=fx.Duration(LASTS[place]) if place in LASTS else clause.lasts,  # type: ignore[arg-type]
        )
        for clause in rule.clauses
    )
    if place in LOST_GIVEN:
        clauses = tuple(
            msgspec.structs.replace(one, do=tuple(_given(e, LOST_GIVEN[place]) for e in one.do)) for one in clauses
        )
    target = rule.target
    if place in LOST_TARGET and isinstance(target, fx.Select):
        target = msgspec.structs.replace(target, where=_also(target.where, LOST_TARGET[place]))
    return msgspec.structs.replace(rule, clauses=clauses, target=target)


def _given(effect: fx.Effect, word: str) -> fx.Effect:
    """To those with the keyword, where the page names another of theirs only."""
    if not isinstance(effect, fx.Give) or effect.who.where == fx.Keyword(((word,),)):
        return effect
    return msgspec.structs.replace(effect, who=msgspec.structs.replace(effect.who, where=_also(effect.who.where, word)))


def _subject(when: fx.Trigger, word: str) -> fx.Trigger:
    assert isinstance(when, fx.Event)
    who = when.subject
    assert isinstance(who, fx.Select)
    return msgspec.structs.replace(when, subject=msgspec.structs.replace(who, where=_also(who.where, word)))


def _also(where: fx.Cond | None, word: str) -> fx.Cond:
    lost = fx.Keyword(((word,),))
    if where is None:
        return lost
    return fx.All((lost, *(where.of if isinstance(where, fx.All) else (where,))))


def test_records_are_what_the_pages_say(shared: Path) -> None:
    found = boxes(shared)
    by_hand = set()
    for rule in ALL:
        place = entry(rule)
        words = found.get((rule.edition, fold(rule.name), rule.source.split(" – ")[0]))
        if words is None:
            assert place in BY_HAND, rule.id
            by_hand.add(place)
            continue
        if place in BY_HAND:
            by_hand.add(place)
            continue
        read_rules = [compile_rule(text, name=rule.name, kind=kind, edition=rule.edition) for text, kind in words]
        assert all(one.status == "full" for one in read_rules), rule.id
        got = [changed(one, place) for one in read_rules]
        fields = ("clauses", "target", "or_target", "also_target", "bearer", "limits", "tags")
        wanted = [getattr(rule, name) for name in fields]
        assert wanted in [[getattr(one, name) for name in fields] for one in got], rule.id
    assert by_hand == BY_HAND


def test_no_name_of_a_condition_stays_unread() -> None:
    for rule in ALL:
        assert "Unknown(" not in repr(rule), rule.id
