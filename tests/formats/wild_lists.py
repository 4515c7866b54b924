"""Lists as they are met in the wild: the ways people and tools bend the known forms, written without looking at the readers.

Each is a printer of an invented :class:`~invented_armies.Army`; together they are a sample for counting how much of a
list comes back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

import invented_armies as tools
from invented_armies import SECTIONS, Army, Model, Unit, by_name, titled, totals

Words = Mapping[str, str]

GERMAN: Words = {
    "CHARACTERS": "CHARAKTERMODELLE", "BATTLELINE": "KAMPFLINIE", "DEDICATED TRANSPORTS": "ANGESCHLOSSENE TRANSPORTER",
    "OTHER DATASHEETS": "ANDERE DATENBLÄTTER", "ALLIED UNITS": "VERBÜNDETE EINHEITEN", "points": "Punkte",
    "Strike Force": "Stoßtrupp", "Incursion": "Vorstoß", "Onslaught": "Großoffensive", "warlord": "Kriegsherr",
    "gift": "Verbesserungen", "signature": "Exportiert mit App-Version: v1.38.0 (1), Datenversion: v640",
}  # fmt: skip
SPANISH: Words = {
    "CHARACTERS": "PERSONAJES", "BATTLELINE": "LÍNEA DE BATALLA", "DEDICATED TRANSPORTS": "TRANSPORTES ASIGNADOS",
    "OTHER DATASHEETS": "OTRAS HOJAS DE DATOS", "ALLIED UNITS": "UNIDADES ALIADAS", "points": "puntos",
    "Strike Force": "Fuerza de Ataque", "Incursion": "Incursión", "Onslaught": "Ofensiva",
    "warlord": "Señor de la Guerra", "gift": "Mejoras",
    "signature": "Exportado con la versión de la aplicación: v1.38.0 (1), versión de datos: v640",
}  # fmt: skip
ITALIAN: Words = {
    "CHARACTERS": "PERSONAGGI", "BATTLELINE": "LINEA DI BATTAGLIA", "DEDICATED TRANSPORTS": "TRASPORTI DEDICATI",
    "OTHER DATASHEETS": "ALTRE SCHEDE TECNICHE", "ALLIED UNITS": "UNITÀ ALLEATE", "points": "punti",
    "Strike Force": "Forza d'Attacco", "Incursion": "Incursione", "Onslaught": "Assalto",
    "warlord": "Signore della Guerra", "gift": "Potenziamenti",
    "signature": "Esportato con Versione dell'App: v1.38.0 (1), Versione dei Dati: v640",
}  # fmt: skip


def app_in(words: Words, *, numbers: str = "") -> Callable[[Army], str]:
    """The app of the 10th edition in another language: headings and labels, not the names of units and weapons."""

    def printer(army: Army) -> str:
        points = words["points"]
        lines = [f"{army.title} ({tools.thousands(army.points, numbers)} {points})", "", army.faction]
        lines += [army.detachments[0], f"{words[army.size]} ({tools.thousands(army.limit, numbers)} {points})", ""]
        for section in SECTIONS:
            members = [one for one in army.units if one.section == section]
            lines += [words[section], ""] if members else []
            for one in members:
                lines.append(f"{titled(one)} ({one.points} {points})")
                lines += [f"  • {words['warlord']}"] if one.warlord else []
                if one.single:
                    lines += [f"  • {number}x {name}" for name, number in totals(one.models[0]).items()]
                else:
                    for name, count, weapons in by_name(one.models):
                        lines.append(f"  • {count}x {name}")
                        lines += [f"     ◦ {number}x {weapon}" for weapon, number in weapons.items()]
                lines += [f"  • {words['gift']}: {one.gift}", ""] if one.gift else [""]
        return "\n".join([*lines, words["signature"]])

    return printer


def no_battle_size(army: Army) -> str:
    return "\n".join(line for line in tools.app_tenth(army).split("\n") if not line.startswith(army.size))


def bent(printer: Callable[[Army], str], *swaps: tuple[str, str]) -> Callable[[Army], str]:
    """A printer whose text is changed by (pattern, replacement)."""

    def changed(army: Army) -> str:
        text = printer(army)
        for pattern, other in swaps:
            text = re.sub(pattern, other, text, flags=re.MULTILINE)
        return text

    return changed


def by_hand(army: Army) -> str:
    """Typed into a chat: labels, bold names, gear in brackets."""
    lines = [f"**{army.title}**", f"Faction: {army.faction}", f"Detachment: {army.detachments[0]}"]
    lines += [f"{army.points}/{army.limit} pts", ""]
    for section in SECTIONS:
        members = [one for one in army.units if one.section == section]
        lines += [f"__{section.title()}__"] if members else []
        for one in members:
            lines.append(f"- **{titled(one)}** ({one.points} pts)" + (" - Warlord" if one.warlord else ""))
            lines += [f"  - {one.gift} ({one.gift_points} pts)"] if one.gift else []
            for name, count, weapons in by_name(one.models):
                gear = ", ".join(f"{number}x {weapon}" for weapon, number in weapons.items())
                lines.append(f"  - {count}x {name}: {gear}" if not one.single else f"  - {gear}")
    return "\n".join(lines)


def numbered(army: Army) -> str:
    """A list with places: "1. Unit [90 pts]", models below."""
    lines = [f"{army.faction} - {army.detachments[0]} - {army.points} pts", ""]
    for place, one in enumerate(army.units, 1):
        lines.append(f"{place}. {titled(one)} [{one.points} pts]" + (" (Warlord)" if one.warlord else ""))
        lines += [f"   * Enhancement: {one.gift} [{one.gift_points} pts]"] if one.gift else []
        for name, count, weapons in by_name(one.models):
            gear = ", ".join(f"{number}x {weapon}" for weapon, number in weapons.items())
            lines.append(f"   * {count}x {name}: {gear}" if not one.single else f"   * {gear}")
    return "\n".join(lines)


def counts_behind(army: Army) -> str:
    """Numbers behind the names: "Warden x9"."""
    return bent(tools.app_tenth, (r"^(\s+[•◦] )(\d+)x (.+)$", r"\1\3 x\2"))(army)


def apart(army: Army) -> str:
    """Numbers with a space: "9 x Warden"."""
    return bent(tools.app_tenth, (r"^(\s+[•◦] )(\d+)x ", r"\1\2 x "))(army)


def nicknamed(army: Army) -> str:
    """Units with a name of their own in quotes."""
    text = tools.app_tenth(army)
    for place, one in enumerate(army.units[:3]):
        head = f"{titled(one)} ({one.points} Points)"
        call = f'{titled(one)} "Old {place}" ({one.points} Points)'
        other = f'"Old {place}" {titled(one)} ({one.points} Points)'
        text = text.replace(f"\n{head}", f"\n{call if place % 2 else other}", 1)
    return text


def upper(army: Army) -> str:
    """Names of units in capitals."""
    text = tools.app_tenth(army)
    for one in army.units:
        text = text.replace(f"\n{titled(one)} (", f"\n{titled(one).upper()} (")
    return text


def table_like(army: Army) -> str:
    """One line a unit, gear after a dash."""
    lines = [f"{army.title} ({army.points} pts)", f"{army.faction}, {army.detachments[0]}", ""]
    for one in army.units:
        gear = "; ".join(
            f"{count}x {name} ({', '.join(f'{n}x {w}' for w, n in weapons.items())})"
            for name, count, weapons in by_name(one.models)
        )
        lines.append(f"{titled(one)} ({one.points} pts)" + (": Warlord" if one.warlord else ""))
        lines.append(f"  • {gear}" if one.single else "")
        lines += [f"  • {part}" for part in gear.split("; ")] if not one.single else []
        lines += [f"  • Enhancement: {one.gift}"] if one.gift else []
    return "\n".join(lines)


def price_first(army: Army) -> str:
    """ "90 - Ember Hulk", the price in front."""
    lines = [f"{army.points} - {army.title}", f"Faction: {army.faction}", f"Detachment: {army.detachments[0]}", ""]
    for one in army.units:
        lines.append(f"{one.points} - {titled(one)}")
        lines += ["  • Warlord"] if one.warlord else []
        lines += [f"  • Enhancement: {one.gift}"] if one.gift else []
        for name, count, weapons in by_name(one.models):
            indent = "  " if one.single else "    "
            lines += [] if one.single else [f"  • {count}x {name}"]
            lines += [f"{indent}• {number}x {weapon}" for weapon, number in weapons.items()]
    return "\n".join(lines)


def one_line(army: Army) -> str:
    """A unit a line, its gear behind the price."""
    lines = [f"{army.title} - {army.faction} - {army.detachments[0]} - {army.points} pts", ""]
    for one in army.units:
        marks = ["Warlord"] if one.warlord else []
        marks += [f"{one.gift} (+{one.gift_points} pts)"] if one.gift else []
        gear = [
            ", ".join(f"{number}x {weapon}" for weapon, number in weapons.items())
            if one.single
            else f"{count}x {name} ({', '.join(f'{number}x {weapon}' for weapon, number in weapons.items())})"
            for name, count, weapons in by_name(one.models)
        ]
        lines.append(f"{titled(one)} ({one.points} pts): {', '.join([*marks, *gear])}")
    return "\n".join(lines)


def without_x(army: Army) -> str:
    """Numbers without the x: "9 Wardens"."""
    return bent(tools.app_tenth, (r"^(\s+[•◦] \d+)x ", r"\1 "), (r"^Exported.*$", ""))(army)


def labels_last(army: Army) -> str:
    """Warlord and enhancements in a summary at the end."""
    lines = [
        line for line in tools.app_tenth(army).split("\n") if "Warlord" not in line and "Enhancements:" not in line
    ]
    lords = [one for one in army.units if one.warlord]
    gifts = [one for one in army.units if one.gift]
    lines += [f"Warlord: {one.name}" for one in lords]
    lines += [f"Enhancement: {one.gift} on {one.name}" for one in gifts]
    return "\n".join(lines)


def plus_bullets(army: Army) -> str:
    return bent(tools.app_tenth, (r"^  • ", "  + "), (r"^     ◦ ", "      - "))(army)


def spoiler(army: Army) -> str:
    return "||" + tools.app_eleventh(army) + "||"


def table(army: Army) -> str:
    """A table of a forum, units only."""
    rows = ["| Unit | Models | Points |", "|---|---|---|"]
    rows += [f"| {titled(one)} | {one.size} | {one.points} |" for one in army.units]
    return "\n".join([f"**{army.title}** ({army.points} points)", "", *rows])


def packet(army: Army) -> str:
    """The sheet a tournament asks for: labels above an app list."""
    body = tools.app_tenth(army).split("\n")[2:]
    head = ["Player: A. Keeper", "Team: The Ashes", f"Army: {army.faction}", f"Total: {army.points} points", ""]
    return "\n".join([*head, *body])


WILD: dict[str, Callable[[Army], str]] = {
    "German app": app_in(GERMAN),
    "German app, points with dots": app_in(GERMAN, numbers="."),
    "Spanish app": app_in(SPANISH),
    "Italian app": app_in(ITALIAN),
    "app without battle size": no_battle_size,
    "counts behind": counts_behind,
    "counts apart": apart,
    "capital X": bent(tools.app_tenth, (r"^(\s+[•◦] \d+)x ", r"\1X ")),
    "times sign": bent(tools.app_eleventh, (r"(\d+)x ", r"\1× ")),
    "nicknames": nicknamed,
    "capitals": upper,
    "a line after every line": bent(tools.app_eleventh, (r"\n", "\n\n")),
    "Windows": bent(tools.app_tenth, (r"\n", "\r\n")),
    "Discord": lambda army: "here is mine\n```\n" + tools.app_tenth(army) + "\n```\nthoughts?",
    "Discord, bold": bent(tools.app_tenth, (r"^(\S.*\(\d+ Points\))$", r"**\1**")),
    "Discord quote": bent(tools.app_eleventh, (r"^", "> ")),
    "headings in words": bent(tools.app_tenth, (r"^([A-Z]{4,}[A-Z ]*)$", lambda found: found[1].title() + ":")),  # type: ignore[list-item]
    "headings framed": bent(tools.app_tenth, (r"^([A-Z]{4,}[A-Z ]*)$", r"=== \1 ===")),
    "headings with signs": bent(tools.app_tenth, (r"^([A-Z]{4,}[A-Z ]*)$", "\u2694\ufe0f \\1")),
    "headings as markdown": bent(tools.app_tenth, (r"^([A-Z]{4,}[A-Z ]*)$", r"## \1")),
    "dashes": bent(tools.app_tenth, (r"^  • ", "- "), (r"^     ◦ ", "  - ")),
    "stars": bent(tools.app_tenth, (r"^  • ", "* "), (r"^     ◦ ", "    * ")),
    "arrows": bent(tools.app_tenth, (r"^  • ", "\u279c "), (r"^     ◦ ", "    \u279c ")),
    "diamonds": bent(tools.app_tenth, (r"^  • ", "\U0001f539 "), (r"^     ◦ ", "    \U0001f538 ")),
    "tabs": bent(tools.app_tenth, (r"^  • ", "\t• "), (r"^     ◦ ", "\t\t◦ ")),
    "pts": bent(tools.app_tenth, (r" Points\)", "pts)")),
    "square brackets": bent(tools.app_tenth, (r"\((\d+) Points\)", r"[\1 pts]")),
    "price after a dash": bent(tools.app_tenth, (r" \((\d+) Points\)$", r" - \1 pts")),
    "price after a colon": bent(tools.app_tenth, (r" \((\d+) Points\)$", r": \1 points")),
    "signed and more": lambda army: tools.app_eleventh(army) + "\n\nSent from my phone",
    "by hand": by_hand,
    "numbered": numbered,
    "in brackets": table_like,
    "WTC compact, Windows, blank lines": bent(tools.wtc_compact, (r"\n", "\r\n\r\n")),
    "WTC full, stars": bent(tools.wtc_full, (r"^• ", "* ")),
    "markdown, stars": bent(tools.markdown, (r"^• ", "* ")),
    "markdown, escaped": bent(tools.markdown, (r"'", "&#39;"), (r" and ", " &amp; ")),
    "ListForge, dashes": bent(tools.listforge, (r"• ", "- ")),
    "WarOrgan, spaces": bent(tools.warorgan, (r"^\t• ", "    • ")),
    "price first": price_first,
    "one line": one_line,
    "without x": without_x,
    "plus bullets": plus_bullets,
    "spoiler": spoiler,
    "packet": packet,
    "no signature, no sections": bent(tools.app_tenth, (r"^Exported.*$", ""), (r"^([A-Z]{4,}[A-Z ]*)\n\n", "")),
}


def plain(army: Army) -> Army:
    """The army without what these forms cannot carry: models of one kind together."""
    units = [replace(one, models=merged(one)) for one in army.units]
    return replace(army, units=units)


def merged(one: Unit) -> list[Model]:
    kinds: dict[str, Model] = {}
    for model in one.models:
        kinds.setdefault(model.name, model)
    return list(kinds.values())
