"""A list for people in the terminal: units with models and gear, points, faults, and what could not be checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from battlewright.roster import ModelTaken, Problem, Roster, RosterUnit, WeaponTaken

if TYPE_CHECKING:
    from battlewright.catalogue.resolve import Resolved
    from battlewright.formats import Reading
    from battlewright.roster import Mustered


def show(reading: Reading, resolved: Resolved, mustered: Mustered) -> None:
    """Print a list, its points, its faults with their rules, and everything that was not read or not checked."""
    console = Console(highlight=False)
    show_list(resolved.roster, reading.format)
    _verdict(console, mustered)
    _lines(console, "Not read", [f"line {line.line}: {line.text}" for line in reading.unread], "yellow")
    _lines(console, "Missing", missing_lines(resolved), "yellow")
    _lines(console, "Notes", [*reading.notes, *resolved.notes], "dim")


def missing_lines(resolved: Resolved) -> list[str]:
    """What is missing, the same of several units in one line, and at the end how to give it."""
    found: dict[tuple[str, str], list[str]] = {}
    for said in resolved.missing:
        what, _, rest = said.partition(" of ")
        name, _, why = rest.partition(": ")
        found.setdefault((what, why), []).append(name)
    lines = [
        " of ".join(filter(None, (what, ", ".join(filter(None, names))))) + (f": {why}" if why else "")
        for (what, why), names in found.items()
    ]
    if any(what == "datasheet" for what, _ in found):
        from battlewright.catalogue.lookup import way_to_add

        lines.append(way_to_add(resolved.roster.edition, "them"))
    return lines


def show_list(roster: Roster, form: str) -> None:
    """Print a list: its head, its points, and its units with models and gear."""
    console = Console(highlight=False)
    _head(console, roster, form)
    console.print(_units(roster))


def _head(console: Console, roster: Roster, form: str) -> None:
    console.print(Text(roster.name or "Army", style="bold"))
    parts = [roster.faction, roster.edition or "edition not known", roster.battle_size]
    parts += [", ".join(_detachment(each.name, each.points) for each in roster.detachments)]
    parts += [", ".join(roster.dispositions), form]
    console.print(Text(" · ".join(part for part in parts if part), style="dim"))
    console.print(Text(_points(roster)))
    console.print()


def _detachment(name: str, points: int | None) -> str:
    return name if points is None else f"{name} ({points} DP)"


def _points(roster: Roster) -> str:
    known = [unit.points for unit in roster.units if unit.points is not None]
    total = sum(known)
    said = f"{total} points" + (f" of {roster.limit}" if roster.limit else "")
    unknown = len(roster.units) - len(known)
    if unknown:
        said += f", {unknown} units without points"
    if roster.points is not None and roster.points != total:
        said += f" (the list states {roster.points})"
    models = sum(model.count for unit in roster.units for model in unit.models)
    return f"{said}, {len(roster.units)} units, {models} models"


def _units(roster: Roster) -> Table:
    table = Table(box=None, pad_edge=False, show_header=True, header_style="bold")
    table.add_column("Unit")
    table.add_column("Models and wargear", ratio=1)
    table.add_column("Points", justify="right")
    for unit in _in_order(roster):
        table.add_row(_name(unit, roster), _gear(unit), str(unit.points) if unit.points is not None else "?")
    return table


def _in_order(roster: Roster) -> Iterable[RosterUnit]:
    """Leaders stand above the unit they lead."""
    leaders: dict[str, list[RosterUnit]] = {}
    for unit in roster.units:
        if unit.attached_to:
            leaders.setdefault(unit.attached_to, []).append(unit)
    for unit in roster.units:
        if not unit.attached_to:
            yield from leaders.get(unit.id, ())
            yield unit


def _name(unit: RosterUnit, roster: Roster) -> Text:
    text = Text(unit.name, style="bold" if unit.warlord else "")
    text.append(" [Legends]" if unit.legends else "", style="yellow")
    text.append("\nWarlord" if unit.warlord else "", style="cyan")
    if unit.enhancement:
        price = f" ({unit.enhancement_points})" if unit.enhancement_points is not None else ""
        text.append(f"\n{unit.enhancement}{price}", style="magenta")
    if unit.attached_to:
        body = next((other.name for other in roster.units if other.id == unit.attached_to), unit.attached_to)
        text.append(f"\n{unit.role or 'leader'} of {body}", style="dim")
    return text


def _gear(unit: RosterUnit) -> Text:
    lines = [_model(model, unit) for model in unit.models]
    lines += [_weapons(unit.wargear)] if unit.wargear else []
    return Text("\n".join(line for line in lines if line))


def _model(model: ModelTaken, unit: RosterUnit) -> str:
    carried = _weapons(model.weapons)
    alone = len(unit.models) == 1 and model.count == 1 and model.name == unit.name
    return carried if alone else f"{model.count} {model.name}" + (f": {carried}" if carried else "")


def _weapons(weapons: Iterable[WeaponTaken]) -> str:
    return ", ".join(weapon.name if weapon.count == 1 else f"{weapon.count} {weapon.name}" for weapon in weapons)


def _verdict(console: Console, mustered: Mustered) -> None:
    console.print()
    if mustered.problems:
        console.print(f"[bold red]Not legal[/]: {len(mustered.problems)} faults")
        for problem in mustered.problems:
            console.print(f"  [red]✗[/] {escape(_said(problem))} [dim]{escape(problem.rule)}[/]")
    elif mustered.not_checked:
        console.print("[bold green]No fault found[/] in what could be checked")
    else:
        console.print("[bold green]Legal[/]")
    if mustered.not_checked:
        console.print("[dim]Not checked:[/]")
        for words, rule, places in _gathered(mustered.not_checked):
            console.print(f"  [dim]? {escape(words)}{escape(places)} {escape(rule)}[/]")


def _said(problem: Problem) -> str:
    return f"{problem.where}: {problem.words}" if problem.where else problem.words


def _gathered(problems: Iterable[Problem]) -> list[tuple[str, str, str]]:
    """The same words of several units in one line."""
    found: dict[tuple[str, str], list[str]] = {}
    for problem in problems:
        found.setdefault((problem.words, problem.rule), []).append(problem.where)
    return [(words, rule, _places(places)) for (words, rule), places in found.items()]


def _places(places: list[str]) -> str:
    named = [place for place in places if place]
    if not named:
        return ""
    return f": {named[0]}" if len(named) == 1 else f": {named[0]} and {len(named) - 1} more"


def _lines(console: Console, title: str, lines: Iterable[str], style: str) -> None:
    told = list(dict.fromkeys(lines))
    if told:
        console.print(Text(f"{title}:", style=style))
        for line in told:
            console.print(Text(f"  {line}", style=style))
