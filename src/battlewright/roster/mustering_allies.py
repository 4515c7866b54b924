"""Who may join an army of another faction, and what a detachment's own rules ask the army to include.

Such rules are texts: of the detachments taken, of armies, of units. A sentence that is understood is checked; a unit that no
known text allows is a fault only where the texts of both factions are at hand, else it is listed as not checked.

Rules: 11e 25.04; 10e T-14.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from battlewright.names import fold, same, singular
from battlewright.roster import RosterUnit
from battlewright.roster.mustering_base import Army, Finding, joined, says

_NUMBERS: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
#: Names and keywords, in capitals or with a capital each: "ASH HULK", "Riders of the Kiln", "Hulk or Crawler".
_WORD: Final = r"[A-Z][\w'’-]*"
_NAME: Final = rf"{_WORD}(?:\s+(?:(?:of|the|in|with|on)\s+){{0,2}}{_WORD})*"
_WHO: Final = rf"(?P<who>{_NAME}(?:(?:\s*[/,;]\s*|\s+(?:or|and)\s+){_NAME})*)"
_THEM: Final = r"(?:units?|models?|datasheets?)"
_ALLOWS: Final = re.compile(
    rf"\b[Yy]ou can include (?:the following )?{_WHO} (?:units?|models?)(?: in your army)?(?:\s*:\s*(?P<list>[^.]+))?"
)
_LISTED: Final = re.compile(
    rf"\b[Yy]ou can include any of the following {_THEM}\b[^:\n]*:(?P<list>(?:\s*[■•□▪-]\s*[^\n]+)+|[^.\n]+)"
)
_EITHER: Final = re.compile(
    rf"\b[Yy]ou can include either (?:up to )?(?P<one>\w+) {_WHO} {_THEM} or (?:up to )?(?P<two>\w+) "
    rf"{_WHO.replace('who', 'other')} {_THEM}"
)
_IF_FACTION: Final = re.compile(rf"\bif your army faction is (?P<no>not )?(?-i:{_WHO})", re.IGNORECASE)
_NO_WARLORD: Final = re.compile(r"\bnone of (?:these|those) (?:models|units) can be your warlord", re.IGNORECASE)
_NO_GIFTS: Final = re.compile(r"\bthey cannot be given enhancements", re.IGNORECASE)
_POINTS: Final = re.compile(r"combined points (?:cost|value)s? of (?:such|those) units cannot exceed (\d+)", re.I)
_BY_SIZE: Final = re.compile(
    r"\b(?P<size>Incursion|Strike Force|Onslaught)\s*:\s*up to (?P<points>\d+)\s*(?:pts|points)", re.I
)
_COUNTS: Final = re.compile(r"\b(?P<size>Incursion|Strike Force|Onslaught)\s*:\s*(?P<list>\d+ [A-Z][^\n.]*)", re.I)
_EVERY: Final = re.compile(rf"every model in your army has the (?P<word>{_NAME}) keyword")
_UNCOUNTED: Final = re.compile(r"\bdoes not count towards the number of\b", re.IGNORECASE)
_MUST: Final = re.compile(
    rf"\b[Yy]our army must include (?P<count>\d+|{'|'.join(_NUMBERS)}) or more {_WHO} (?:units?|models?)"
)
_CANNOT: Final = re.compile(
    r"\b[Yy]our army cannot (?:include|contain) (?:any )?(?:(?:units|models) with the )?"
    rf"{_WHO} (?:units?|models?|keywords?)\b"
)
_NONE_OF: Final = re.compile(rf"\b[Yy]our army cannot include any of the following {_THEM}\s*:\s*(?P<list>[^.\n]+)")
#: What narrows such a sentence in words that are not read here.
_NARROWED: Final = re.compile(
    r"\bwith the exception|\bunless\b|\bexcept\b|\b(?:units?|models?) (?:drawn|that|which|from|with)\b", re.IGNORECASE
)
_OTHERS: Final = re.compile(
    rf"\bcan include {_WHO} units, but (?:it )?cannot include any (?P<of>{_NAME}) units drawn from any other (?P<kind>\w+)"
)


@dataclass(frozen=True)
class Allowance:
    """A sentence that lets units of other factions in, and its limits by battle size ("" is every size)."""

    source: str
    names: tuple[str, ...]
    points: dict[str, int] = field(default_factory=dict)
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    every: str = ""
    either: tuple[tuple[str, int], ...] = ()
    warlord: bool = True
    gifts: bool = True


def allowances(army: Army) -> list[Allowance]:
    """What the texts at hand allow an army of this faction, those of the detachments first."""
    found = []
    for source, text in _texts(army):
        said = [*_EITHER.finditer(text), *_LISTED.finditer(text), *_ALLOWS.finditer(text)]
        found += [_allowance(source, text, one) for one in said if _is_ours(army, _sentence(text, one))]
    return found


def _allowance(source: str, text: str, said: re.Match[str]) -> Allowance:
    rest = text[said.end() :]
    every = _EVERY.search(text[: said.end()])
    points = {one["size"].casefold(): int(one["points"]) for one in _BY_SIZE.finditer(rest)}
    if one := _POINTS.search(rest):
        points[""] = int(one[1])
    counts = {one["size"].casefold(): _counted(one["list"]) for one in _COUNTS.finditer(rest)}
    groups = said.groupdict()
    names = _alternatives(groups.get("list") or said["who"])
    either: tuple[tuple[str, int], ...] = ()
    if said.re is _EITHER:
        either = ((said["who"], _number(said["one"])), (said["other"], _number(said["two"])))
        names = tuple(name for name, _ in either)
    return Allowance(
        source,
        names,
        points,
        counts,
        every["word"] if every else "",
        either,
        warlord=not _NO_WARLORD.search(rest),
        gifts=not _NO_GIFTS.search(rest),
    )


def _sentence(text: str, said: re.Match[str]) -> str:
    """The sentence of a match, as far as it goes before and within it."""
    start = max(text.rfind(mark, 0, said.start()) for mark in (". ", "\n")) + 1
    return text[start : said.end()]


def _is_ours(army: Army, sentence: str) -> bool:
    """Whether a sentence for armies of a faction ("If your Army Faction is X") is for this one."""
    asked = _IF_FACTION.search(sentence)
    if not asked:
        return True
    own = [army.roster.faction, *(word for unit in _at_home(army) for word in unit.faction_keywords)]
    mine = any(same(word, name) for word in own for name in _alternatives(asked["who"]))
    return mine is (asked["no"] is None)


def _at_home(army: Army) -> list[RosterUnit]:
    """The units of the army's own faction, by its name; all that are no allies when none has it."""
    own = [unit for unit in army.roster.units if fold(army.roster.faction) in army.keywords(unit)]
    return own or [unit for unit in army.roster.units if unit.section != "allied"]


def _number(word: str) -> int:
    return _NUMBERS.get(word.casefold()) or (int(word) if word.isdigit() else 1)


def _texts(army: Army) -> Iterator[tuple[str, str]]:
    for taken in army.roster.detachments:
        for text in _detachment_texts(army, taken.name):
            yield taken.name, text
    for ability in army.roster.army_rules:
        yield ability.name, ability.text
    for _, rule in army.known.army_rules if army.known else ():
        yield rule.name, rule.text


def _detachment_texts(army: Army, name: str) -> list[str]:
    """The texts of a detachment taken: those that came with the list, and those of the catalogues."""
    own = [ability.text for one in army.roster.detachments if same(one.name, name) for ability in one.abilities]
    known = [each for each in army.known.detachments if same(each.name, name)] if army.known else []
    own += [ability.text for each in known for ability in each.abilities]
    return list(dict.fromkeys(text for text in own if text))


def _alternatives(text: str) -> tuple[str, ...]:
    """ "A/B", "A, B or C", "A; B", a line each: a name or a row of keywords; remarks in brackets are none."""
    parts = re.split(r"\s*[/;,\n■•□▪]\s*|\s+or\s+|\s+and\s+|\s-\s", re.sub(r"\([^)]*\)", "", text))
    return tuple(part.strip(" -.") for part in parts if part.strip(" -."))


def _counted(text: str) -> dict[str, int]:
    pairs = re.findall(r"(\d+)\s+([A-Za-z][A-Za-z' -]*?)\s*(?=,|$|\band\b)", text)
    return {name.upper(): int(number) for number, name in pairs}


def _is_one(army: Army, unit: RosterUnit, name: str) -> bool:
    """Whether a unit is of a name, or has a row of keywords."""
    own = army.keywords(unit) | {fold(unit.name)}
    if fold(name) in own or singular(fold(name)) in map(singular, own):
        return True
    words = {word for keyword in own for word in keyword.split()}
    return " " in name and all(word in words or singular(word) in words for word in fold(name).split())


def allies(army: Army, strangers: list[RosterUnit], wanted: str) -> Iterator[Finding]:
    """Units without the army's faction keyword: allowed by a text and within its limits, or not."""
    allowed = allowances(army)
    let_in: dict[int, list[RosterUnit]] = {}
    for unit in strangers:
        place = next(
            (at for at, each in enumerate(allowed) if any(_is_one(army, unit, name) for name in each.names)), None
        )
        if place is not None:
            let_in.setdefault(place, []).append(unit)
        elif unit.section == "allied":
            yield army.unseen("faction", f"an ally without {wanted}; the rule that allows it is not known", unit)
        elif not _both_known(army, unit, wanted):
            said = (
                f"no faction keyword {wanted} on the datasheet found; the catalogues may lack that of its own faction"
            )
            yield army.unseen("faction", said, unit)
        else:
            yield army.problem("faction", f"has no faction keyword {wanted}", unit)
    for place, units in let_in.items():
        yield from _within(army, allowed[place], units)


def _both_known(army: Army, unit: RosterUnit, wanted: str) -> bool:
    """Whether the army's faction is in the catalogues in use (with none, the list's own keywords count)."""
    if army.known is None or unit.datasheet is None:
        return True
    known = [name for name, _ in army.known.army_rules]
    known += [one.faction for one in army.known.detachments]
    known += [one.faction for one in army.known.enhancements]
    return not known or any(same(wanted, name) or same(army.roster.faction, name) for name in known)


def _within(army: Army, rule: Allowance, units: list[RosterUnit]) -> Iterator[Finding]:
    """The limits of an allowance: points in all, numbers by keyword, a keyword everyone must have."""
    names = joined(dict.fromkeys(unit.name for unit in units))
    size = army.size.name if army.size else ""
    most = rule.points.get(size.casefold(), rule.points.get(""))
    points = sum(unit.points or 0 for unit in units)
    if most is not None and points > most:
        yield army.problem("faction", f"{points} points of allies ({names}), {rule.source} allows {most}")
    counts = rule.counts.get(size.casefold(), {})
    for keyword, number in counts.items():
        taken = [unit for unit in units if army.has(unit, keyword)]
        if len(taken) > number:
            said = f"{len(taken)} allies with {keyword}, {rule.source} allows {number} in {size}"
            if any(says(unit, _UNCOUNTED) for unit in army.roster.units):
                yield army.unseen("faction", f"{said}; some may not count, by their own rules")
            else:
                yield army.problem("faction", said)
    yield from _either(army, rule, units)
    for unit in units:
        if unit.warlord and not rule.warlord:
            yield army.problem("warlord", f"an ally by {rule.source} cannot be the Warlord", unit)
        if unit.enhancement and not rule.gifts:
            yield army.problem("enhancements", f"an ally by {rule.source} cannot have an enhancement", unit)
    if rule.every:
        without = [unit for unit in army.roster.units if army.has(unit, rule.every) is False]
        if without:
            said = (
                f"{rule.source} asks that every model has {rule.every}; {joined(unit.name for unit in without)} has not"
            )
            yield army.problem("faction", said)
    if most is None and not counts and not rule.either:
        yield army.unseen("faction", f"the limits of {rule.source} for allies", names)


def _either(army: Army, rule: Allowance, units: list[RosterUnit]) -> Iterator[Finding]:
    """Allies of one kind or of another, so many models of each."""
    have = []
    for name, most in rule.either:
        models = sum(model.count for unit in units if _is_one(army, unit, name) for model in unit.models)
        have += [name] if models else []
        if models > most:
            yield army.problem("faction", f"{models} allied {name} models, {rule.source} allows {most}")
    if len(have) > 1:
        yield army.problem("faction", f"allied {joined(have)} models, {rule.source} allows either")


def includes(army: Army) -> Iterator[Finding]:
    """What the detachments say the army must or cannot include (11e 25.04; 10e T-14.1 step 4)."""
    for taken in army.roster.detachments:
        texts = _detachment_texts(army, taken.name)
        if not texts:
            yield army.unseen("detachments", f"what {taken.name} says the army must or cannot include")
        for text in texts:
            for said in _MUST.finditer(text):
                yield from _included(army, taken.name, said)
            for said in [*_CANNOT.finditer(text), *_NONE_OF.finditer(text)]:
                yield from _excluded(army, taken.name, text, said)
            for said in _OTHERS.finditer(text):
                yield from _from_others(army, taken.name, said)


def _excluded(army: Army, source: str, text: str, said: re.Match[str]) -> Iterator[Finding]:
    named = said.groupdict().get("who") or said["list"]
    whole = text[text.rfind("\n", 0, said.start()) + 1 : said.end() + 20]
    if _NARROWED.search(whole):
        yield army.unseen("detachments", f"which {named} units {source} does not allow")
        return
    for unit in army.roster.units:
        if any(_is_one(army, unit, name) for name in _alternatives(named)):
            yield army.problem("detachments", f"{source} cannot include {named} units", unit)


def _from_others(army: Army, source: str, said: re.Match[str]) -> Iterator[Finding]:
    """Units of a faction that belong to another part of it than the one the detachment is for."""
    mine = {fold(name) for name in (*_alternatives(said["who"]), said["of"], army.roster.faction)}
    for unit in army.roster.units:
        held = unit.faction_keywords or (unit.datasheet.faction_keywords if unit.datasheet else ())
        theirs = [word for word in held if fold(word) not in mine]
        if any(same(said["of"], word) for word in held) and theirs:
            words = f"{source} cannot include {said['of']} units of another {said['kind']} ({joined(theirs)})"
            yield army.problem("detachments", words, unit)


def _included(army: Army, source: str, said: re.Match[str]) -> Iterator[Finding]:
    need = _NUMBERS.get(said["count"].casefold()) or int(said["count"])
    names = _alternatives(said["who"])
    have = [unit for unit in army.roster.units if any(_is_one(army, unit, name) for name in names)]
    unknown = [
        unit for unit in _others(army.roster.units, have) if unit.datasheet is None and not unit.faction_keywords
    ]
    if len(have) >= need:
        return
    if len(have) + len(unknown) >= need:
        yield army.unseen("detachments", f"whether there are {need} {said['who']} units for {source}")
    else:
        yield army.problem("detachments", f"{len(have)} {said['who']} units, {source} asks for {need} or more")


def _others(units: Iterable[RosterUnit], have: list[RosterUnit]) -> list[RosterUnit]:
    return [unit for unit in units if not any(unit is one for one in have)]
