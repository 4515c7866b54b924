"""The reference page of a datasheet: profiles, weapons, abilities, prices, and every stratagem that can ever touch it.

A stratagem is left out only when its target can be shown never to be this unit: by keywords, which do not change.
Whatever may be true at some moment of a battle (in reserves, engaged, just shot at) is taken as possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from battlewright.catalogue.core_rules import core_rules
from battlewright.catalogue.lookup import find
from battlewright.codec import to_builtins
from battlewright.datasheet import Datasheet, RuleBox, StratagemListing
from battlewright.effects import All as AllOf
from battlewright.effects import Any as AnyCondition
from battlewright.effects import AnyOf, Condition, Event, Keyword, Not, Rule, Select, StratagemIs, Targeting, Trigger
from battlewright.errors import BadInput
from battlewright.names import fold

_CORE: Final = "Core"


class Touching(Struct, frozen=True, omit_defaults=True):
    """A stratagem that can target or affect the unit: where it comes from, and how that is known."""

    name: str
    cost: int | None = None
    source: str = ""
    category: str = ""
    id: str = ""
    known_by: str = ""


class Reference(Struct, frozen=True):
    """A datasheet at a glance. ``excluded``: stratagems listed for it that can never target it, and why."""

    name: str
    edition: str
    faction: str
    profiles: tuple[dict[str, Any], ...]
    weapons: tuple[dict[str, Any], ...]
    abilities: tuple[dict[str, Any], ...]
    keywords: tuple[str, ...]
    faction_keywords: tuple[str, ...]
    points: tuple[dict[str, Any], ...]
    stratagems: tuple[str, ...]
    touching: tuple[Touching, ...]
    excluded: tuple[str, ...] = ()
    detachment_abilities: tuple[str, ...] = ()
    enhancements: tuple[dict[str, Any], ...] = ()
    missing: tuple[str, ...] = ()


def reference(
    sheet: Datasheet, *, army: str | None = None, detachment: str | None = None, compiled: Iterable[Rule] = ()
) -> Reference:
    """The reference of a sheet; with ``detachment`` only that one's stratagems and the core ones.

    ``compiled`` are the stratagems of the sheet's own page as rules (their targets are then known). ``army``: the army's
    faction, a keyword the unit's stratagems may ask of the army.

    >>> from battlewright.catalogue.lookup import find
    >>> page = reference(find("Chaos Questoris Knight Magaera").datasheet)
    >>> "Tank Shock" in page.stratagems, "Fire Overwatch" in page.stratagems
    (True, False)
    """
    sheet = _with_known_rules(sheet)
    unlisted = _unlisted(sheet, detachment)
    rules = list(compiled)
    touching, excluded = list[Touching](), list[str]()
    for listing, rule in _candidates(sheet, rules):
        if detachment and listing.source not in (_CORE, "") and fold(listing.source) != fold(detachment):
            continue
        never = _barred(listing, sheet) or (_never(rule, sheet, army) if rule is not None else "")
        if never:
            excluded.append(f"{listing.name} ({listing.source or _CORE}): {never}")
        elif not any(fold(each.name) == fold(listing.name) and each.source == listing.source for each in touching):
            touching.append(_touching(listing, rule))
    return Reference(
        name=sheet.name,
        edition=sheet.edition,
        faction=sheet.faction,
        profiles=tuple(_profile(model) for model in to_builtins(sheet.models)),
        weapons=tuple(to_builtins(sheet.weapons)),
        abilities=tuple(
            {"name": ability.name, "kind": ability.kind, "amount": str(ability.amount or ""), "status": ability.status}
            for ability in sheet.abilities
        ),
        keywords=sheet.keywords,
        faction_keywords=sheet.faction_keywords,
        points=tuple(to_builtins(sheet.points)),
        stratagems=tuple(dict.fromkeys(each.name for each in touching)),
        touching=tuple(touching),
        excluded=tuple(dict.fromkeys(excluded)),
        detachment_abilities=sheet.detachment_abilities,
        enhancements=tuple(to_builtins(sheet.enhancements)),
        missing=(*sheet.missing, *unlisted),
    )


def _unlisted(sheet: Datasheet, detachment: str | None) -> tuple[str, ...]:
    """What is missing when the sheet knows no detachment's stratagems; a name that is none of those it knows is refused."""
    if detachment is None:
        return ()
    known = {listing.source for listing in sheet.stratagems} - {_CORE, ""}
    if not known:
        return (f"stratagems of {detachment} (the datasheet lists none of any detachment)",)
    if fold(detachment) not in {fold(name) for name in known}:
        raise BadInput(
            f"{sheet.name} has no stratagem of that detachment; it has of: {', '.join(sorted(known))}", detachment
        )
    return ()


def _profile(model: dict[str, Any]) -> dict[str, Any]:
    return {"name": model["name"], "models": [model.get("low", 1), model.get("high")], **model.get("profile", {}),
            "base": model.get("base")}  # fmt: skip


def _candidates(sheet: Datasheet, compiled: list[Rule]) -> Iterator[tuple[StratagemListing, Rule | None]]:
    """The stratagems a page lists, then the core ones of the edition; each with its rule where it is known."""
    core = {fold(rule.name): rule for rule in core_rules(sheet.edition, "stratagem")}
    boxes = {(fold(box.title), fold(_source(box))): rule for box, rule in zip(_boxes(sheet), compiled, strict=False)}
    for listing in sheet.stratagems:
        rule = core.get(fold(listing.name)) if listing.source == _CORE else None
        yield listing, rule or boxes.get((fold(listing.name), fold(listing.source)))
    listed = {fold(listing.name) for listing in sheet.stratagems if listing.source == _CORE}
    for name, rule in core.items():
        if name not in listed:
            yield StratagemListing(rule.name, rule.cost, _CORE, rule.category), rule


def _boxes(sheet: Datasheet) -> list[RuleBox]:
    return [box for box in sheet.boxes if box.kind == "stratagem" and box.parts]


def _source(box: RuleBox) -> str:
    return box.source.partition(" – ")[0]


def _touching(listing: StratagemListing, rule: Rule | None) -> Touching:
    known = "its rule" if rule is not None and rule.target is not None else "the page lists it"
    return Touching(listing.name, listing.cost, listing.source, listing.category, rule.id if rule else "", known)


# ------------------------------------------------------------------------------------------------- can it ever be?


def _barred(listing: StratagemListing, sheet: Datasheet) -> str:
    """The unit's own ability that no such stratagem may target it ("" when none does)."""
    for ability in sheet.abilities:
        clauses = ability.rule.clauses if ability.rule else ()
        effects = [effect for clause in clauses if clause.holds is None for effect in clause.do]
        bars = [
            each for each in effects if isinstance(each, Targeting) and (each.act, each.how) == ("stratagem", "cannot")
        ]
        if any(_is_meant(effect.by, listing) for effect in bars):
            return f"its own rule {ability.name}"
    return ""


def _with_known_rules(sheet: Datasheet) -> Datasheet:
    """A page's abilities with the rules of the same ones of the catalogue, where they have none of their own."""
    if all(ability.rule is not None for ability in sheet.abilities):
        return sheet
    try:
        known = {fold(ability.name): ability for ability in find(sheet.name, sheet.edition).datasheet.abilities}
    except BadInput:
        return sheet
    abilities = tuple(
        replace(ability, rule=known[fold(ability.name)].rule, status=known[fold(ability.name)].status)
        if ability.rule is None and fold(ability.name) in known
        else ability
        for ability in sheet.abilities
    )
    return replace(sheet, abilities=abilities)


def _is_meant(by: Select | None, listing: StratagemListing) -> bool:
    if by is None:
        return True
    if by.side == "enemy":
        return False
    match by.where:
        case None:
            return True
        case StratagemIs(source=source, names=(), category=None) if source is not None:
            return fold(source) == fold(listing.source or _CORE)
        case Not(of=StratagemIs(source=source, names=(), category=None)) if source is not None:
            return fold(source) != fold(listing.source or _CORE)
        case _:
            return False


def _never(rule: Rule, sheet: Datasheet, army: str | None) -> str:
    """Why a stratagem can never target the unit; "" when it may."""
    words = _words(sheet, army)
    wanted = [rule.target, *(_subject(clause.when) for clause in rule.clauses if _is_subject(rule.target))]
    for select in wanted:
        if select is None or select.side == "enemy" or select.where is None:
            continue
        if _may(select.where, words) is False:
            return f"its target can never be this unit ({_asked(select.where)})"
    return ""


def _is_subject(target: Select | None) -> bool:
    """The target is the unit the trigger speaks of ("that unit")."""
    return target is not None and "subject" in str(target.where)


def _subject(trigger: Trigger) -> Select | None:
    if isinstance(trigger, AnyOf):
        found = [_subject(each) for each in trigger.of]
        return found[0] if len(set(found)) == 1 else None
    return trigger.subject if isinstance(trigger, Event) else None


def _words(sheet: Datasheet, army: str | None) -> set[str]:
    words = {*sheet.keywords, *sheet.faction_keywords, sheet.name, *([army] if army else [])}
    return {
        fold(word) for word in (*words, *(word for model in sheet.models for word in (*model.keywords, model.name)))
    }


def _may(condition: Condition, words: set[str]) -> bool | None:
    """Three-valued: keywords are known for good, everything else may be or not."""
    match condition:
        case Keyword(any_of=groups):
            return any(all(_has(word, words) for word in group) for group in groups)
        case Not(of=inner):
            found = _may(inner, words)
            return None if found is None else not found
        case AllOf(of=parts):
            values = [_may(part, words) for part in parts]
            return False if False in values else None if None in values else True
        case AnyCondition(of=parts):
            values = [_may(part, words) for part in parts]
            return True if True in values else None if None in values else False
        case _:
            return None


def _has(word: str, words: set[str]) -> bool:
    folded = fold(word)
    return folded in words or folded.rstrip("s") in words


def _asked(condition: Condition) -> str:
    """The keywords a target asks for or bars, in a few words."""
    match condition:
        case Keyword(any_of=groups):
            return " or ".join(" ".join(group) for group in groups)
        case Not(of=inner):
            inside = _asked(inner)
            return f"not {inside}" if inside else ""
        case AllOf(of=parts) | AnyCondition(of=parts):
            joint = " and " if isinstance(condition, AllOf) else " or "
            return joint.join(filter(None, map(_asked, parts)))
        case _:
            return ""
