"""Invented armies, and printers of every text dialect of the format guide, written without looking at the readers.

An :class:`Army` is what a player has in mind; a printer writes it the way a tool would. The tests ask whether the reader
gives the army back.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from app_text import ENGLISH, FRENCH, Head, Row, eleventh

FIRST = ["Ash", "Cinder", "Ember", "Slag", "Kiln", "Soot", "Flint", "Smoulder", "Brazier", "Pyre", "Char", "Tallow"]
SECOND = ["Warden", "Rider", "Keeper", "Seer", "Hulk", "Crawler", "Stalker", "Drummer", "Mender", "Hauler", "Piper"]
WEAPON_FIRST = ["Coal", "Furnace", "Hook", "Twin kiln", "Heavy slag", "Sear", "Dross", "Q'arr", "Semi-auto", "Long"]
WEAPON_SECOND = ["rifle", "blade", "cannon", "lance", "pistol", "maul", "spear", "thrower", "carbine", "hammer"]
GIFTS = ["Banked Coals", "Crown of Soot", "The Last Spark", "Keeper's Oath", "Ashen Veil", "Slow Burn", "Kiln-born"]
SECTIONS = ["CHARACTERS", "BATTLELINE", "DEDICATED TRANSPORTS", "OTHER DATASHEETS", "ALLIED UNITS"]


@dataclass
class Model:
    """``count`` equal models; ``gear`` is what *one* of them has."""

    name: str
    count: int
    gear: dict[str, int]


@dataclass
class Unit:
    name: str
    section: str
    points: int
    models: list[Model]
    gift: str = ""
    gift_points: int = 0
    warlord: bool = False
    block: int = 0
    role: str = ""
    legends: bool = False

    @property
    def size(self) -> int:
        return sum(model.count for model in self.models)

    @property
    def single(self) -> bool:
        return self.size == 1


@dataclass
class Army:
    title: str
    faction: str
    detachments: list[str]
    size: str
    limit: int
    units: list[Unit]
    dispositions: list[str] = field(default_factory=list)

    @property
    def points(self) -> int:
        return sum(unit.points for unit in self.units)


def army(seed: int, *, attached: bool = False) -> Army:
    """A random army; the same seed gives the same one."""
    dice = random.Random(seed)
    size, limit = dice.choice([("Incursion", 1000), ("Strike Force", 2000), ("Onslaught", 3000)])
    units = [unit(dice, section) for section in SECTIONS for _ in range(dice.randint(0, 3))] or [
        unit(dice, SECTIONS[0])
    ]
    leaders = [one for one in units if one.section == "CHARACTERS"]
    for one, gift in zip(leaders, dice.sample(GIFTS, len(leaders)), strict=True):
        if dice.random() < 0.5:
            one.gift, one.gift_points = gift, 5 * dice.randint(1, 7)
            one.points += one.gift_points
    if leaders:
        dice.choice(leaders).warlord = True
    if attached:
        attach(dice, units)
    title = dice.choice(["Slow burn", "Ashes 2nd try", "Big one (v3)", "d'Ember", "Ünder Fire!", "No. 7"])
    names = dice.sample(["Kiln Guard", "Emberstorm Host", "Cold Hearth", "Sootwing"], dice.randint(1, 2))
    return Army(title, "Emberborn", names, size, limit, sorted_by_section(units), ["Purge the Foe"])


def sorted_by_section(units: list[Unit]) -> list[Unit]:
    return sorted(
        units, key=lambda one: (one.block == 0, one.block, one.role == "Bodyguard", SECTIONS.index(one.section))
    )


def unit(dice: random.Random, section: str) -> Unit:
    name = f"{dice.choice(FIRST)} {dice.choice(SECOND)}" + dice.choice(["s", "", " Squad", " on Foot", " with Shield"])
    points = 5 * dice.randint(6, 90)
    if section in ("CHARACTERS", "DEDICATED TRANSPORTS") or dice.random() < 0.3:
        models = [Model(name, 1, gear(dice))]
    else:
        trooper, sergeant = f"{dice.choice(FIRST)} {dice.choice(SECOND)}", f"{dice.choice(FIRST)} Serjeant"
        models = [Model(sergeant, 1, gear(dice)), Model(trooper, dice.randint(2, 9), gear(dice))]
        if dice.random() < 0.4:
            models.append(Model(trooper, dice.randint(1, 4), gear(dice)))
    return Unit(name, section, points, models, legends=dice.random() < 0.05)


def gear(dice: random.Random) -> dict[str, int]:
    names = {f"{dice.choice(WEAPON_FIRST)} {dice.choice(WEAPON_SECOND)}" for _ in range(dice.randint(1, 4))}
    return {name: dice.choice([1, 1, 1, 2]) for name in sorted(names)}


def attach(dice: random.Random, units: list[Unit]) -> None:
    leaders = [one for one in units if one.section == "CHARACTERS"]
    squads = [one for one in units if one.section in ("BATTLELINE", "OTHER DATASHEETS")]
    dice.shuffle(squads)
    for block, (leader, squad) in enumerate(zip(leaders, squads, strict=False), 1):
        if dice.random() < 0.7:
            leader.block = squad.block = block
            leader.role, squad.role = dice.choice(["Leader", "Support"]), "Bodyguard"


# --- what is compared ----------------------------------------------------------------------------------------------


def shape(one: Unit, *, merge: bool = True) -> dict[str, object]:
    """What every dialect with models carries. ``merge``: models of one name together, as tools without loadouts do."""
    counts: Counter[str] = Counter()
    weapons: dict[str, Counter[str]] = {}
    for model in one.models:
        counts[model.name] += model.count
        for name, number in model.gear.items():
            weapons.setdefault(model.name, Counter())[name] += number * model.count
    return {
        "name": one.name,
        "points": one.points,
        "models": dict(counts),
        "weapons": {name: dict(found) for name, found in weapons.items()},
        "gift": one.gift,
        "warlord": one.warlord,
        "legends": one.legends,
    }


def totals(model: Model) -> dict[str, int]:
    return {name: number * model.count for name, number in model.gear.items()}


def by_name(models: list[Model]) -> list[tuple[str, int, dict[str, int]]]:
    """Models of one name together with what they carry in all."""
    found: dict[str, tuple[int, Counter[str]]] = {}
    for model in models:
        count, weapons = found.get(model.name, (0, Counter[str]()))
        weapons.update(totals(model))
        found[model.name] = (count + model.count, weapons)
    return [(name, count, dict(weapons)) for name, (count, weapons) in found.items()]


def titled(one: Unit) -> str:
    return one.name + (" [Legends]" if one.legends else "")


def thousands(points: int, mark: str) -> str:
    return f"{points:,}".replace(",", mark) if mark else str(points)


# --- printers ------------------------------------------------------------------------------------------------------


def app_tenth(army: Army) -> str:
    lines = [f"{army.title} ({thousands(army.points, ',')} Points)", "", "Greater Cinders", army.faction]
    lines += [army.detachments[0], f"{army.size} ({thousands(army.limit, ',')} Points)", ""]
    for section in SECTIONS:
        members = [one for one in army.units if one.section == section]
        lines += [section, ""] if members else []
        for one in members:
            lines += [f"{titled(one)} ({one.points} Points)", *_app_body(one, "Enhancements: ", "     ◦ "), ""]
    return "\n".join([*lines, "Exported with App Version: v1.29.0 (2), Data Version: v579"])


def _app_body(one: Unit, gift: str, inner: str) -> list[str]:
    lines = ["  • Warlord"] if one.warlord else []
    if one.single:
        lines += [f"  • {number}x {name}" for name, number in totals(one.models[0]).items()]
    else:
        for name, count, weapons in by_name(one.models):
            lines.append(f"  • {count}x {name}")
            lines += [f"{inner}{number}x {weapon}" for weapon, number in weapons.items()]
    return [*lines, f"  • {gift}{one.gift}"] if one.gift else lines


def app_eleventh(army: Army, words: dict[str, str] = ENGLISH) -> str:
    head = Head(army.title, army.points, army.faction, army.size, army.limit, army.detachments, army.dispositions[0])
    rows = [
        Row(
            titled(one),
            one.points,
            one.section,
            [(name, count, list(weapons.items())) for name, count, weapons in by_name(one.models)],
            one.single,
            one.warlord,
            one.gift,
            one.block,
            one.role,
        )
        for one in army.units
    ]
    return eleventh(head, rows, SECTIONS, words)


def app_french(army: Army) -> str:
    return app_eleventh(army, FRENCH)


def battlebase(army: Army) -> str:
    lines = [f"{army.title} ({army.points} Points)", "", army.faction, f"{army.detachments[0]} (3 Detachment Points)"]
    lines += [f"Force Dispositions: {army.dispositions[0]}", f"{army.size} ({thousands(army.limit, ',')} Points)", ""]
    for section in SECTIONS:
        members = [one for one in army.units if one.section == section]
        lines += [section, ""] if members else []
        for one in members:
            lines.append(f"{titled(one)} ({one.points} Points)")
            lines += ["    • Warlord"] if one.warlord else []
            weapons = Counter[str]()
            for model in one.models:
                weapons.update(totals(model))
            lines += [f"    • {number}x {name}" for name, number in weapons.items()]
            lines += [f"    • Enhancement: {one.gift}", ""] if one.gift else [""]
    return "\n".join([*lines, "Exported with BattleBase, Data Version: v20260812"])


def _tournament_header(army: Army) -> tuple[list[str], dict[int, str]]:
    references, number = dict[int, str](), 0
    for place, one in enumerate(army.units):
        if one.section == "CHARACTERS":
            number += 1
            references[place] = f"Char{number}"
    lines = ["+" * 47, f"+ FACTION KEYWORD: Cinders - {army.faction}"]
    lines += [f"+ DETACHMENT: {', '.join(army.detachments)} (Smoke)"]
    lines += [f"+ TOTAL ARMY POINTS: {army.points}pts", "+"]
    for place, one in enumerate(army.units):
        if one.warlord:
            lines.append(f"+ WARLORD: {references[place]}: {one.name}")
    gifts = [f"{one.gift} (on {references[place]}: {one.name})" for place, one in enumerate(army.units) if one.gift]
    lines += [("+ ENHANCEMENT: " if not place else "& ") + gift for place, gift in enumerate(gifts)]
    lines += [f"+ NUMBER OF UNITS: {len(army.units)}", "+ SECONDARY: - Bring It Down: (4x2)", "+" * 47, ""]
    return lines, references


def _with(model: Model) -> str:
    return f"{model.count} with {_one(model)}"


def _one(model: Model) -> str:
    return ", ".join(f"{number}x {name}" if number > 1 else name for name, number in model.gear.items())


def wtc_compact(army: Army) -> str:
    lines, references = _tournament_header(army)
    for place, one in enumerate(army.units):
        head = f"{references[place]}: " if place in references else ""
        head += f"{one.size}x {titled(one)} ({one.points} pts)"
        gift = [f"Enhancement: {one.gift} (+{one.gift_points} pts)"] if one.gift else []
        if one.single:
            mark = "Warlord, " if one.warlord else ""
            lines += [f"{head}: {mark}{_one(one.models[0])}", *gift]
            continue
        lines += [head + (": Warlord" if one.warlord else ""), *gift]
        for name in dict.fromkeys(model.name for model in one.models):
            same = [model for model in one.models if model.name == name]
            total = sum(model.count for model in same)
            if len(same) > 1:
                lines += [f"• {total}x {name}", *(f"    {_with(model)}" for model in same)]
            elif total > 1:
                lines.append(f"• {total}x {name}: {_with(same[0])}")
            else:
                lines.append(f"• 1x {name}: {_one(same[0])}")
    return "\n".join(lines)


def wtc_full(army: Army) -> str:
    lines, references = _tournament_header(army)
    for section in SECTIONS:
        members = [(place, one) for place, one in enumerate(army.units) if one.section == section]
        lines += [section.removesuffix("S") if section != "OTHER DATASHEETS" else section, ""] if members else []
        for place, one in members:
            head = f"{references[place]}: " if place in references else ""
            lines.append(f"{head}{one.size}x {titled(one)} ({one.points} pts)")
            if one.single:
                lines.append(_with(one.models[0]) + (", Warlord" if one.warlord else ""))
            else:
                for name in dict.fromkeys(model.name for model in one.models):
                    same = [model for model in one.models if model.name == name]
                    lines += [
                        f"• {sum(model.count for model in same)}x {name}",
                        *(f"    {_with(model)}" for model in same),
                    ]
            lines += [f"Enhancement: {one.gift} (+{one.gift_points} pts)", ""] if one.gift else [""]
    return "\n".join(lines)


def newrecruit_app_like(army: Army) -> str:
    lines, _ = _tournament_header(army)
    for section in SECTIONS:
        members = [one for one in army.units if one.section == section]
        lines += [section.removesuffix("S") if section != "OTHER DATASHEETS" else section, ""] if members else []
        for one in members:
            lines.append(f"{titled(one)} ({one.points} pts)")
            if one.single:
                lines += [f"• {number}x {name}" for name, number in totals(one.models[0]).items()]
            else:
                for name, count, weapons in by_name(one.models):
                    lines.append(f"• {count}x {name}")
                    lines += [f"    • {number}x {weapon}" for weapon, number in weapons.items()]
            lines += ["• Warlord"] if one.warlord else []
            lines += [f"• {one.gift} (+{one.gift_points} pts)"] if one.gift else []
            lines.append("")
    return "\n".join(lines)


def markdown(army: Army) -> str:
    lines = [f"Cinders - {army.faction} - {army.title.replace(' - ', ' ')} - [{army.points} pts]", ""]
    lines += [f"# ++ Army Roster ++ [{army.points} pts]", "## Configuration"]
    lines += [f"Battle Size: {army.size} ({army.limit} Point limit)", f"Detachment: {', '.join(army.detachments)}"]
    for section in SECTIONS:
        members = [one for one in army.units if one.section == section]
        if not members:
            continue
        lines += ["", f"## {section.removesuffix('S').title()} [{sum(one.points for one in members)} pts]"]
        for one in members:
            marks = ["Warlord"] if one.warlord else []
            marks += [f"{one.gift} [{one.gift_points} pts]"] if one.gift else []
            if one.single:
                lines.append(f"{titled(one)} [{one.points} pts]: {', '.join([*marks, _one(one.models[0])])}")
            else:
                lines.append(f"{titled(one)} [{one.points} pts]:" + (" " + ", ".join(marks) if marks else ""))
                lines += [f"• {model.count}x {model.name}: {_one(model)}" for model in one.models]
    return "\n".join(lines)


def battlescribe(army: Army) -> str:
    lines = [
        f"++ Army Roster (Cinders - {army.faction}) [{thousands(army.points, ',')}pts] ++",
        "",
        "+ Configuration +",
        "",
    ]
    lines += [f"Battle Size: 2. {army.size} ({army.limit} Point limit)", "", f"Detachment: {army.detachments[0]}", ""]
    for section in SECTIONS:
        members = [one for one in army.units if one.section == section]
        lines += [f"+ {section.removesuffix('S').title()} +", ""] if members else []
        for one in members:
            marks = ["Warlord"] if one.warlord else []
            marks += [f"{one.gift} [{one.gift_points}pts]"] if one.gift else []
            marks += [_one(one.models[0])] if one.single else []
            lines.append(f"{titled(one)} [{one.points}pts]" + (": " + ", ".join(marks) if marks else ""))
            for name, count, weapons in [] if one.single else by_name(one.models):
                gear = ", ".join(_counted(weapon, number) for weapon, number in weapons.items())
                lines.append(f". {_counted(name, count)}: {gear}")
            lines.append("")
    return "\n".join([*lines, f"++ Total: [{thousands(army.points, ',')}pts] ++", "", "Created with BattleScribe"])


def listforge(army: Army) -> str:
    lines = [f"{army.title} - {army.faction} - {army.detachments[0]} ({army.points} Points)", "", ""]
    for section in SECTIONS:
        members = [one for one in army.units if one.section == section]
        heading = "Infantry:" if section == "OTHER DATASHEETS" else f"{section.removesuffix('S').title()}:"
        lines += [heading] if members else []
        for one in members:
            lines.append(f"{titled(one)} ({one.points} pts)")
            if one.single:
                lines += [f"  • {_counted(name, number)}" for name, number in totals(one.models[0]).items()]
            else:
                for model in one.models:
                    lines.append(f"  • {_counted(model.name, model.count)}")
                    lines += [f"    • {_counted(name, number)}" for name, number in totals(model).items()]
            lines += [f"  • E: {one.gift}"] if one.gift else []
            lines += ["  • Warlord", ""] if one.warlord else [""]
        lines.append("")
    return "\n".join(lines)


def _counted(name: str, number: int) -> str:
    return f"{number}x {name}" if number > 1 else name


def warorgan(army: Army) -> str:
    lines = [f"{army.title} [{army.points} points]", army.faction]
    lines += [f"Battle Size: {army.size} ({army.limit} point limit)", ""]
    lines += [f"Detachments: {', '.join(army.detachments)}", ""]
    for one in army.units:
        lines.append(f"{titled(one)} [{one.points} points]")
        lines += ["\t• Warlord"] if one.warlord else []
        if one.single:
            gear = [_plural(name, number) for name, number in one.models[0].gear.items()]
            gear += [f"{one.gift} [+{one.gift_points} points]"] if one.gift else []
            lines.append(f"\t• {_sentence(gear)}")
        else:
            for model in one.models:
                gear = [_plural(name, number) for name, number in model.gear.items()]
                lines.append(f"\t• {model.count} {model.name} with {_sentence(gear)}")
        lines.append("")
    return "\n".join([*lines, "Created with WarOrgan (https://warorgan.com)"])


def _plural(name: str, number: int) -> str:
    return f"{number} {name}s" if number > 1 else name


def _sentence(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def short(army: Army) -> str:
    return "\n".join(f"{one.size}x {titled(one)} ({thousands(one.points, ',')}pts)" for one in army.units)


def freeform(army: Army) -> str:
    lines = [f"=== {army.title} ===", f"Faction: {army.faction}", f"Detachment: {army.detachments[0]}"]
    lines += [f"Points: {army.points} / {army.limit}", ""]
    for one in army.units:
        tag = "[Leader] " if one.section == "CHARACTERS" else ""
        lines.append(f"{tag}{'' if one.single else f'{one.size}x '}{titled(one)} ({one.points} pts)")
        if one.single:
            lines.append(f"  - Wargear: {_one(one.models[0])}")
        else:
            lines.append("  - Models:")
            for name, count, weapons in by_name(one.models):
                gear = ", ".join(f"{number}x {weapon}" for weapon, number in weapons.items())
                lines.append(f"    * {count}x {name}: {gear}")
        lines += [f"  - Enhancement: {one.gift} ({one.gift_points} pts)"] if one.gift else []
        lines += ["  - Warlord"] if one.warlord else []
        lines.append("")
    return "\n".join(lines)


@dataclass(frozen=True)
class Dialect:
    """A printer, the format the reader should name, and what the dialect cannot carry."""

    name: str
    printer: Callable[[Army], str]
    format: str
    edition: str | None = None
    lost: frozenset[str] = frozenset()
    attached: bool = False


DIALECTS = [
    Dialect("app 10e", app_tenth, "gw-app", "10e"),
    Dialect("app 11e", app_eleventh, "gw-app", "11e", attached=True),
    Dialect("app French", app_french, "gw-app", "11e", attached=True),
    Dialect("BattleBase", battlebase, "battlebase", "11e", frozenset({"models"})),
    Dialect("WTC compact", wtc_compact, "newrecruit-wtc-compact"),
    Dialect("WTC full", wtc_full, "newrecruit-wtc"),
    Dialect("NR app-like", newrecruit_app_like, "newrecruit-gw"),
    Dialect("markdown", markdown, "newrecruit-markdown"),
    Dialect("BattleScribe text", battlescribe, "battlescribe-text"),
    Dialect("ListForge text", listforge, "listforge-text"),
    Dialect("WarOrgan", warorgan, "warorgan"),
    Dialect("NR short", short, "newrecruit-short", None, frozenset({"models", "weapons", "gift", "warlord"})),
    Dialect("freeform", freeform, "freeform"),
]
