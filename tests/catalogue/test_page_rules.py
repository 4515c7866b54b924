"""The rules that ship as records: each can be said in words, and is what its page says where the page can be read."""

from __future__ import annotations

import json
import re
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
#: and of the other target there may be
LOST_OR = {46: "CHAOS KNIGHTS"}
#: and of those to whom it gives an ability
LOST_GIVEN = {25: "CHAOS KNIGHTS"}
LOST_SUBJECT = {41: "CHAOS KNIGHTS", 43: "CHAOS KNIGHTS"}
#: the records that are printed at the end of another's box
PRINTED_IN: dict[int | str, int] = {15: 18}
#: the records that say what others are given as said of them, which battles play
SAID_OF_THEM = {18}
#: the digest reads these as lasting so long, where the page says less
LASTS = {35: "phase", 37: "turn"}
#: a row of the table of orders
ORDER_ROW = re.compile(r"^(\S.*?) ((?:[A-Z]{1,2} \+\d\"? ?)+)\|$", re.M)
#: rules of a detachment that stand in a box of their own
OF_DETACHMENT = {fold("Wretched Thralls"): "Iconoclast Fiefdom"}
#: written by hand: their page says more than the grammar reads
BY_HAND = {
    *(1, 2, 3, 10, 11, 12, 13, 14, 20, 21, 22, 23, 26, 28),
    *(32, 34, 39, 59, 62, 70, 71, 74, 78, 79, 80),
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
                words = box.text or "\n".join(f"{label}: {text}" for label, text in box.parts)
                if box.kind in ("stratagem", "detachment-rule", "enhancement"):
                    title = fold(re.sub(r" \(.*\)$", "", box.title))
                    add((edition, title, box.source.split(" – ")[0]), words, box.kind)
                elif box.kind == "rule":  # of the army or of the detachment: the page does not say of which
                    for row in ORDER_ROW.finditer(box.text):
                        add((edition, fold(row[1]), box.title), row[2], "order")
                    kind = next((one.kind for one in ALL if fold(one.name) == fold(box.title)), None)
                    if kind is not None:
                        add((edition, fold(box.title), OF_DETACHMENT.get(fold(box.title), "")), words, kind)
    return found


def changed(rule: fx.Rule, place: int | str) -> fx.Rule:
    """What the page says, with the keyword it lost and the time the digest gives it."""
    rule = said_of_them(rule) if place in SAID_OF_THEM else rule
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
    or_target = rule.or_target
    if place in LOST_OR and or_target is not None:
        or_target = msgspec.structs.replace(or_target, where=_also(or_target.where, LOST_OR[place]))
    return msgspec.structs.replace(rule, clauses=clauses, target=target, or_target=or_target)


def said_of_them(rule: fx.Rule) -> fx.Rule:
    """The rule with the abilities it gives said of those who have them."""
    clauses: list[fx.Clause] = []
    for clause in rule.clauses:
        given = [effect for effect in clause.do if isinstance(effect, fx.Give)]
        for one in given:
            name = re.sub(r" \(.*\)$", "", one.name)
            clauses += [msgspec.structs.replace(_of(part, one.who), name=name) for part in one.do]
        if rest := tuple(effect for effect in clause.do if effect not in given):
            clauses.append(msgspec.structs.replace(clause, do=rest))
    return msgspec.structs.replace(rule, clauses=tuple(clauses))


def _of(part: Any, who: fx.Select) -> Any:
    """The same, where "this model" is each of these."""
    if part == fx.Select("model", ref="self"):
        return who
    if isinstance(part, tuple):
        return tuple(_of(one, who) for one in part)
    if not isinstance(part, msgspec.Struct):
        return part
    return msgspec.structs.replace(part, **{name: _of(getattr(part, name), who) for name in part.__struct_fields__})


def with_what_follows(rule: fx.Rule, place: int | str) -> fx.Rule:
    """A record with what its box says at the end, which is a record of its own."""
    more = tuple(clause for one in ALL if PRINTED_IN.get(entry(one)) == place for clause in one.clauses)
    return msgspec.structs.replace(rule, clauses=(*rule.clauses, *more))


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
        if words is None and place not in PRINTED_IN:
            assert place in BY_HAND, rule.id
            by_hand.add(place)
            continue
        if place in BY_HAND:
            by_hand.add(place)
            continue
        if place in PRINTED_IN:
            continue
        read_rules = [compile_rule(text, name=rule.name, kind=kind, edition=rule.edition) for text, kind in words]
        assert all(one.status == "full" for one in read_rules), rule.id
        got = [changed(one, place) for one in read_rules]
        fields = ("clauses", "target", "or_target", "also_target", "bearer", "limits", "tags")
        whole = with_what_follows(rule, place)
        wanted = [getattr(whole, name) for name in fields]
        assert wanted in [[getattr(one, name) for name in fields] for one in got], rule.id
    assert by_hand == BY_HAND


def test_no_name_of_a_condition_stays_unread() -> None:
    for rule in ALL:
        assert "Unknown(" not in repr(rule), rule.id
