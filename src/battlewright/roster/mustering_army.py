"""Rules of mustering that look at the army as a whole: faction, detachments, points, Warlord, enhancements, leaders."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from battlewright.names import fold, same
from battlewright.roster import RosterUnit
from battlewright.roster.mustering_allies import allies, includes
from battlewright.roster.mustering_base import Army, Finding, joined, says, texts_of

# --- faction and detachments ---------------------------------------------------------------------------------------


def faction(army: Army) -> Iterator[Finding]:
    """Every unit has the army's faction keyword, or a rule makes it available (11e 25.02, 25.04; 10e T-14.1)."""
    wanted = army.roster.faction
    if not wanted:
        yield army.unseen("faction", "the army faction is not stated")
        return
    held = [unit for unit in army.roster.units if _faction_keywords(unit)]
    if held and not any(_is_of(unit, wanted) for unit in held):
        wanted = _shared_faction(held)
        if not wanted:
            said = f"no unit has the faction keyword {army.roster.faction}, and they share none"
            yield army.unseen("faction", said)
            return
    for unit in army.roster.units:
        if not _faction_keywords(unit):
            yield army.unseen("faction", "faction keywords not known", unit)
    strangers = [unit for unit in army.roster.units if _faction_keywords(unit) and not _is_of(unit, wanted)]
    yield from allies(army, strangers, wanted)


def _shared_faction(units: list[RosterUnit]) -> str:
    """The faction keyword that all units but allies have, when the list names a sub-faction; "" when there is none."""
    own = [unit for unit in units if unit.section != "allied"] or units
    shared = [word for word in _faction_keywords(own[0]) if all(_is_of(unit, word) for unit in own)]
    return shared[0] if shared else ""


def _faction_keywords(unit: RosterUnit) -> tuple[str, ...]:
    return unit.faction_keywords or (unit.datasheet.faction_keywords if unit.datasheet else ())


def _is_of(unit: RosterUnit, faction: str) -> bool:
    return any(same(word, faction) for word in _faction_keywords(unit))


def detachment_of_the_tenth(army: Army) -> Iterator[Finding]:
    """Exactly one detachment (10e T-14.1 step 4)."""
    names = [detachment.name for detachment in army.roster.detachments]
    if not names:
        yield army.problem("detachments", "no detachment")
    elif len(names) > 1:
        yield army.problem("detachments", f"{len(names)} detachments ({joined(names)}), an army has one")
    yield from _of_the_faction(army)
    yield from includes(army)


def detachments_of_the_eleventh(army: Army) -> Iterator[Finding]:
    """Detachments within the detachment points of the battle size, none twice (11e 25.03, 25.04).

    An Incursion army may spend 3 points on one detachment if it is its only one.
    """
    names = [detachment.name for detachment in army.roster.detachments]
    if not names:
        yield army.problem("detachments", "no detachment")
        return
    for name, count in Counter(map(fold, names)).items():
        if count > 1:
            twice = next(other for other in names if fold(other) == name)
            yield army.problem("detachments", f"{twice} is taken {count} times; none may be taken twice")
    yield from _of_the_faction(army)
    yield from includes(army)
    yield from _detachment_points(army)


def _detachment_points(army: Army) -> Iterator[Finding]:
    size = army.size
    total = detachment_points(army)
    if size is None or size.detachment_points is None:
        yield army.unseen("detachments", f"detachment points of the battle size {army.roster.battle_size!r} not known")
    elif total is None:
        yield army.unseen("detachments", "detachment points not known")
    elif total > size.detachment_points and not (size.name == "Incursion" and len(army.roster.detachments) == 1):
        yield army.problem("detachments", f"{total} detachment points, {size.name} allows {size.detachment_points}")
    elif total > 3:
        yield army.problem("detachments", f"{total} detachment points for one detachment, at most 3")


def detachment_points(army: Army) -> int | None:
    """What the detachments cost: as stated, else by the catalogue."""
    if army.roster.detachment_points is not None:
        return army.roster.detachment_points
    costs = []
    for taken in army.roster.detachments:
        known = [each.points for each in army.known.detachments if same(each.name, taken.name)] if army.known else []
        costs.append(taken.points if taken.points is not None else next(iter(known), None))
    return sum(filter(None, costs)) if None not in costs else None


def _of_the_faction(army: Army) -> Iterator[Finding]:
    """Only detachments of the army's faction."""
    for taken in army.roster.detachments:
        known = [each for each in army.known.detachments if same(each.name, taken.name)] if army.known else []
        factions = [each.faction for each in known if each.faction]
        ours = [army.roster.faction, *(word for unit in army.roster.units for word in _faction_keywords(unit))]
        if not factions or (not any(same(each, army.roster.faction) for each in factions) and len(ours) < 2):
            yield army.unseen("detachments", f"whose detachment {taken.name} is")
        elif not any(same(each, word) for each in factions for word in ours):
            theirs = joined(dict.fromkeys(factions))
            yield army.problem("detachments", f"{taken.name} is a detachment of {theirs}, not of {army.roster.faction}")


def dispositions(army: Army) -> Iterator[Finding]:
    """The force dispositions are those the detachments grant (11e 25.04)."""
    if not army.roster.dispositions:
        yield army.unseen("dispositions", "no force disposition stated")
        return
    granted: list[str] = []
    for taken in army.roster.detachments:
        known = [each for each in army.known.detachments if same(each.name, taken.name)] if army.known else []
        granted += [name for each in known for name in each.dispositions]
        if not any(each.dispositions for each in known):
            yield army.unseen("dispositions", f"which force dispositions {taken.name} grants")
            return
    for name in army.roster.dispositions:
        if not any(same(name, other) for other in granted):
            yield army.problem("dispositions", f"{name} is granted by none of the detachments")


# --- points --------------------------------------------------------------------------------------------------------


def points(army: Army) -> Iterator[Finding]:
    """The army costs no more than its battle size allows, and the list adds up (11e 25.03, 25.01; 10e T-14.1)."""
    size = army.size
    limit = army.roster.limit or (size.points if size else None)
    name = size.name if size else army.roster.battle_size
    unknown = [unit.name for unit in army.roster.units if unit.points is None]
    if unknown:
        yield army.unseen("points", f"points not known of {joined(dict.fromkeys(unknown))}")
    if limit is None:
        yield army.unseen("size", f"the points limit of the battle size {name!r} is not known")
    elif army.points > limit:
        said = f"{name} allows {limit}" if size and limit == size.points else f"the limit is {limit}"
        yield army.problem("size", f"{army.points} points, {said}")
    if size and not army.roster.battle_size:
        yield army.unseen("size", f"battle size not stated, taken as {size.name}")
    if size is None and army.roster.battle_size:
        yield army.unseen("size", f"no numbers known for the battle size {army.roster.battle_size!r}")
    if army.roster.points is not None and not unknown and army.roster.points != army.points:
        yield army.problem("roster", f"the units cost {army.points} points, the list states {army.roster.points}")


# --- Warlord -------------------------------------------------------------------------------------------------------


def a_character(army: Army) -> Iterator[Finding]:
    """At least one CHARACTER that can be Warlord (10e T-14.1 step 5)."""
    if army.characters:
        return
    if any(army.has(unit, "CHARACTER") is None for unit in army.roster.units):
        yield army.unseen("units", "keywords not known, so whether there is a CHARACTER")
    else:
        yield army.problem("units", "no CHARACTER that could be Warlord")


def warlord(army: Army) -> Iterator[Finding]:
    """One CHARACTER is the Warlord, in a unit of the army's faction (11e 25.04; 10e T-14.1 step 6)."""
    chosen = [unit for unit in army.roster.units if unit.warlord]
    if not chosen:
        yield army.problem("warlord", "no model is marked as Warlord")
    elif len(chosen) > 1:
        yield army.problem("warlord", f"{len(chosen)} Warlords: {joined(unit.name for unit in chosen)}")
    for unit in chosen:
        character = army.has(unit, "CHARACTER")
        if character is None:
            yield army.unseen("warlord", "whether the Warlord is a CHARACTER", unit)
        elif not character:
            yield army.problem("warlord", "the Warlord is no CHARACTER", unit)
        if army.roster.faction and _faction_keywords(unit) and not _is_of(unit, army.roster.faction):
            held = any(_is_of(other, army.roster.faction) for other in army.roster.units)
            if held:
                yield army.problem("warlord", f"the Warlord has no faction keyword {army.roster.faction}", unit)
    yield from _bound_warlords(army, chosen)


def _bound_warlords(army: Army, chosen: list[RosterUnit]) -> Iterator[Finding]:
    """Units whose own rules say they must or cannot be the Warlord; "cannot" beats "must"."""
    bound = [unit for unit in army.roster.units if says(unit, _MUST) and not says(unit, _CANNOT)]
    for unit in army.roster.units:
        if unit.warlord and says(unit, _CANNOT):
            yield army.problem("warlord", "its own rules say it cannot be the Warlord", unit)
    if bound and not any(unit.warlord for unit in bound):
        yield army.problem("warlord", f"{joined(unit.name for unit in bound)} must be the Warlord by its own rules")
    unknown = [unit for unit in army.roster.units if not _is_worded(unit) and army.has(unit, "CHARACTER") is not False]
    if unknown and chosen:
        yield army.unseen("warlord", 'rules that say "must be" or "cannot be" the Warlord', joined(_names(unknown)))


def _is_worded(unit: RosterUnit) -> bool:
    """Whether words of the unit itself are known, and not those of an enhancement alone."""
    own = tuple(ability for ability in unit.abilities if not same(ability.name, unit.enhancement or ""))
    return bool(texts_of(replace(unit, abilities=own)))


_MUST = re.compile(r"\bmust be (?:selected (?:to be |as )?)?your warlord\b", re.IGNORECASE)
_CANNOT = re.compile(r"\bcannot be (?:selected (?:to be |as )?)?your warlord\b", re.IGNORECASE)
_NO_GIFTS = re.compile(r"\bcannot be given (?:any )?enhancements?\b|\bcannot have enhancements?\b", re.IGNORECASE)


def _names(units: Iterable[RosterUnit]) -> list[str]:
    return list(dict.fromkeys(unit.name for unit in units))


# --- enhancements --------------------------------------------------------------------------------------------------


def enhancements_of_the_tenth(army: Army) -> Iterator[Finding]:
    """At most three, each different, one a unit, for CHARACTERS that are no EPIC HEROES (10e T-14.1 step 5)."""
    yield from _enhancement_bearers(army)
    names = [fold(unit.enhancement) for unit in army.roster.units if unit.enhancement]
    limit = army.size.enhancements if army.size else 3
    if len(names) > limit:
        yield army.problem("enhancements", f"{len(names)} enhancements, an army has at most {limit}")
    yield from _twice(army, most=1)


def enhancements_of_the_eleventh(army: Army) -> Iterator[Finding]:
    """For CHARACTERS that are no EPIC HEROES, none twice, one an attached unit, within the slots of the battle size.

    Upgrades may be taken by others, up to three copies; the second and third need no slot (11e 25.03, 25.04).
    """
    yield from _enhancement_bearers(army)
    yield from _twice(army, most=1)
    taken = [unit for unit in army.roster.units if unit.enhancement]
    slots = len({fold(unit.enhancement or "") for unit in taken})
    if army.size is None:
        yield army.unseen("enhancements", f"how many the battle size {army.roster.battle_size!r} allows")
    elif slots > army.size.enhancements:
        yield army.problem(
            "enhancements", f"{slots} different enhancements, {army.size.name} allows {army.size.enhancements}"
        )
    seen: set[str] = set()
    for unit in taken:
        group = [other for other in army.group(unit) if other.enhancement]
        key = ",".join(sorted(other.id for other in group))
        if len(group) > 1 and key not in seen:
            seen.add(key)
            names = joined(other.enhancement or "" for other in group)
            yield army.problem("enhancements", f"{len(group)} enhancements in one attached unit: {names}", unit)


def _enhancement_bearers(army: Army) -> Iterator[Finding]:
    for unit in army.roster.units:
        if unit.enhancement is None:
            continue
        if unit.more_enhancements:
            names = joined([unit.enhancement, *unit.more_enhancements])
            yield army.problem("enhancements", f"more than one enhancement: {names}", unit)
        if says(unit, _NO_GIFTS):
            yield army.problem(
                "enhancements", f"its own rules say it cannot be given enhancements ({unit.enhancement})", unit
            )
        if army.has(unit, "EPIC HERO"):
            yield army.problem("enhancements", f"an EPIC HERO cannot have an enhancement ({unit.enhancement})", unit)
        character = army.has(unit, "CHARACTER")
        if character or is_upgrade(army, unit):
            continue
        if character is None:
            yield army.unseen("enhancements", f"whether the bearer of {unit.enhancement} is a CHARACTER", unit)
        elif army.roster.edition == "11e" and is_upgrade(army, unit) is None:
            yield army.unseen(
                "enhancements", f"whether {unit.enhancement} is an upgrade (the unit is no CHARACTER)", unit
            )
        else:
            yield army.problem("enhancements", f"{unit.enhancement} is for CHARACTERS, this unit is none", unit)


def is_upgrade(army: Army, unit: RosterUnit) -> bool | None:
    """Whether the unit's enhancement is one of those any unit may take; None when nothing says so."""
    if unit.upgrade:
        return True
    known = [each for each in army.known.enhancements if same(each.name, unit.enhancement or "")] if army.known else []
    return any(each.limit > 1 for each in known) if known else None


def _twice(army: Army, *, most: int) -> Iterator[Finding]:
    counts = Counter(fold(unit.enhancement) for unit in army.roster.units if unit.enhancement)
    for name, count in counts.items():
        bearers = [unit for unit in army.roster.units if fold(unit.enhancement or "") == name]
        upgrade = army.roster.edition == "11e" and all(is_upgrade(army, unit) for unit in bearers)
        free = army.roster.edition == "11e" and any(
            is_upgrade(army, unit) is None and army.has(unit, "CHARACTER") is not True for unit in bearers
        )
        limit = 3 if upgrade or free else most
        said = bearers[0].enhancement
        if count > limit:
            yield army.problem("enhancements", f"{said} is taken {count} times, at most {limit}")
        elif count > most and free:
            yield army.unseen("enhancements", f"whether {said} is an upgrade (taken {count} times)")


def enhancements_from_detachments(army: Army) -> Iterator[Finding]:
    """Each enhancement belongs to a detachment of the army, its price is right, its bearer may have it."""
    names = [detachment.name for detachment in army.roster.detachments]
    for unit in army.roster.units:
        if unit.enhancement is None:
            continue
        known = [each for each in army.known.enhancements if same(each.name, unit.enhancement)] if army.known else []
        if not known:
            yield army.unseen("enhancements", f"whose enhancement {unit.enhancement} is, and its price", unit)
            continue
        fitting = [
            each for each in known if not each.detachments or any(same(a, b) for a in each.detachments for b in names)
        ]
        if not fitting:
            theirs = joined(dict.fromkeys(name for each in known for name in each.detachments))
            yield army.problem("enhancements", f"{unit.enhancement} is an enhancement of {theirs}", unit)
            continue
        prices = {each.points for each in fitting if each.points is not None}
        if unit.enhancement_points is not None and prices and unit.enhancement_points not in prices:
            should = joined(map(str, sorted(prices)))
            yield army.problem(
                "points", f"{unit.enhancement} costs {should} points, the list says {unit.enhancement_points}", unit
            )
        only = [each.only for each in fitting if each.only]
        if only and not any(_fits(army, unit, words) for words in only):
            yield army.problem("enhancements", f"{unit.enhancement} is for {only[0]} only", unit)


def _fits(army: Army, unit: RosterUnit, only: str) -> bool:
    """Whether a unit meets "X or Y Z model": all words of one alternative are keywords of it (or its name).

    Without any known keyword of the unit nothing is held against it.
    """
    held = army.keywords(unit) | {fold(unit.name)} | {fold(model.name) for model in unit.models}
    if not army.keywords(unit) or (unit.datasheet is None and not unit.faction_keywords):
        return True
    for part in re.split(r"\bor\b|,|/", only):
        words = re.sub(r"\b(?:models?|units?|only|an?|the)\b", " ", part, flags=re.IGNORECASE)
        if _made_of(fold(words).split(), held):
            return True
    return False


def _made_of(words: list[str], keywords: set[str]) -> bool:
    """Whether words in order can be cut into keywords.

    >>> _made_of(["ash", "guard", "infantry"], {"ash guard", "infantry"}), _made_of(["ash", "rider"], {"ash guard"})
    (True, False)
    """
    if not words:
        return True
    cuts = (" ".join(words[:end]) for end in range(1, len(words) + 1))
    return any(cut in keywords and _made_of(words[end:], keywords) for end, cut in enumerate(cuts, 1))


# --- leaders -------------------------------------------------------------------------------------------------------


def leaders_of_the_tenth(army: Army) -> Iterator[Finding]:
    """A Leader joins a unit of its list; one a unit, a second only where a rule allows, never more (10e T-10.1)."""
    yield from _may_lead(army)
    for body, leaders in _attached(army):
        characters = [unit for unit in leaders if army.has(unit, "CHARACTER") is not False]
        if len(characters) > 2:
            yield army.problem(
                "leaders", f"{len(characters)} Leaders: {joined(unit.name for unit in characters)}", body
            )
        elif len(characters) == 2:
            names = joined(unit.name for unit in characters)
            yield army.unseen("leaders", f"whether a rule allows two Leaders ({names})", body)


def leaders_of_the_eleventh(army: Army) -> Iterator[Finding]:
    """A leader or support unit joins a unit of its list, one of each a bodyguard; support units must join one.

    Rules: 11e 19.01, 24.22, 24.34, 25.04.
    """
    yield from _may_lead(army)
    for body, leaders in _attached(army):
        for role in ("leader", "support"):
            same_role = [unit for unit in leaders if role_of(unit) == role]
            if len(same_role) > 1:
                names = joined(unit.name for unit in same_role)
                yield army.problem(
                    "leaders", f"{len(same_role)} {role} units: {names}; at most one unless stated", body
                )
    for unit in army.roster.units:
        if army.supports_must_attach and unit.attached_to is None and _is_support(unit):
            yield army.problem("attach", "a support unit that is not attached", unit)


def role_of(unit: RosterUnit) -> str:
    """ "support" or "leader": by its core ability, else as the list says."""
    return "support" if _is_support(unit) else unit.role or "leader"


def _is_support(unit: RosterUnit) -> bool:
    abilities = (*unit.abilities, *(unit.datasheet.abilities if unit.datasheet else ()))
    core = {fold(ability.name) for ability in abilities if ability.kind == "core"}
    return "support" in core and "leader" not in core if core else unit.role == "support"


def _attached(army: Army) -> list[tuple[RosterUnit, list[RosterUnit]]]:
    by_id = {unit.id: unit for unit in army.roster.units}
    groups: dict[str, list[RosterUnit]] = {}
    for unit in army.roster.units:
        if unit.attached_to in by_id:
            groups.setdefault(unit.attached_to or "", []).append(unit)
    return [(by_id[body], leaders) for body, leaders in groups.items()]


def _may_lead(army: Army) -> Iterator[Finding]:
    for body, leaders in _attached(army):
        if body.attached_to is not None:
            yield army.problem("leaders", f"is led by {leaders[0].name} and attached to another unit itself", body)
        for unit in leaders:
            listed = unit.datasheet.leads if unit.datasheet else ()
            if not listed:
                yield army.unseen("leaders", f"which units it can lead (it is attached to {body.name})", unit)
            elif not any(same(name, body.name) for name in listed):
                yield army.problem("leaders", f"cannot lead {body.name}; it can lead {joined(listed)}", unit)
