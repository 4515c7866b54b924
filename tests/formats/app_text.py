"""The text of the official app of the 11th edition in its languages, for lists of any making."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Gear = list[tuple[str, int]]

ENGLISH = {
    "Incursion": "Incursion", "Strike Force": "Strike Force", "Onslaught": "Onslaught", "and": "and",
    "dp": "Detachment Points", "dispositions": "Force Dispositions:", "attached units": "Attached Units",
    "attached unit": "Attached Unit {}", "as": "Attached as:", "Leader": "Leader", "Support": "Support",
    "Bodyguard": "Bodyguard", "character": "Character", "warlord": "Warlord", "gift": "Enhancement:",
    "signature": "Exported with App Version: v2.0.5 (128), Data Version: v886",
}  # fmt: skip
FRENCH = {
    "Incursion": "Incursion", "Strike Force": "Force de Frappe", "Onslaught": "Offensive", "and": "et",
    "dp": "Points de Détachement", "dispositions": "Dispositions des Forces :", "attached units": "Unités Attachées",
    "attached unit": "Unité {} Attachée", "as": "Attachée en tant que :", "Leader": "Meneur", "Support": "Soutien",
    "Bodyguard": "Gardes du Corps", "character": "Personnage", "warlord": "Seigneur de Guerre", "gift": "Optimisation :",
    "signature": "Exporté avec la Version de l'Appli : v2.0.0 (121), Version de Données : v867",
}  # fmt: skip


@dataclass(frozen=True)
class Head:
    """What stands above the units."""

    title: str
    points: int
    faction: str
    size: str
    limit: int
    detachments: list[str]
    disposition: str


@dataclass(frozen=True)
class Row:
    """A unit: its heading, its models with what those of a name carry in all; a ``lone`` model is not named again."""

    name: str
    points: int
    heading: str
    models: list[tuple[str, int, Gear]]
    lone: bool
    warlord: bool = False
    gift: str = ""
    block: int = 0
    role: str = ""


def eleventh(head: Head, rows: list[Row], headings: Iterable[str], say: dict[str, str]) -> str:
    """The whole list: attached units first, the others under their headings in that order."""
    lines = [f"{head.title} ({head.points} points)", "", head.faction, f"{say[head.size]} ({head.limit} points)"]
    names = f" {say['and']} ".join(head.detachments)
    lines += [f"{names} (3 {say['dp']})", f"{say['dispositions']} {head.disposition}", ""]
    blocks = sorted({row.block for row in rows} - {0})
    lines += [say["attached units"]] if blocks else []
    for block in blocks:
        lines += [say["attached unit"].format(block), ""]
        for row in (one for one in rows if one.block == block):
            kind = {"CHARACTERS": say["character"], "BATTLELINE": "Battleline"}.get(row.heading)
            role = say[row.role] + (f" ({kind})" if kind else "")
            lines += [f"{row.name} ({row.points} points)", f"• {say['as']} {role}", *_body(row, say), ""]
    for heading in headings:
        free = [row for row in rows if row.heading == heading and not row.block]
        lines += ["", heading, ""] if free else []
        for row in free:
            lines += [f"{row.name} ({row.points} points)", *_body(row, say), ""]
    return "\n".join([*lines, say["signature"]])


def _body(row: Row, say: dict[str, str]) -> list[str]:
    lines = [f"  • {say['warlord']}"] if row.warlord else []
    for name, count, have in row.models:
        lines += _continued("  ", have) if row.lone else [f"  • {count}x {name}", *_continued("    ", have)]
    return [*lines, f"  • {say['gift']} {row.gift}"] if row.gift else lines


def _continued(indent: str, have: Gear) -> list[str]:
    """The first with a bullet, the others only indented."""
    marks = ["• "] + ["  "] * len(have)
    return [f"{indent}{mark}{number}x {name}" for mark, (name, number) in zip(marks, have, strict=False)]
