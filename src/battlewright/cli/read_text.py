"""A reading as text for people: what was read, what was not."""

from __future__ import annotations

import click

from battlewright.datasheet import Datasheet, Weapon
from battlewright.formats import Reading


def show(reading: Reading) -> None:
    """Print a reading; long catalogues only as a list of names."""
    click.echo(f"{reading.kind}, {reading.format}, edition {reading.edition or 'unknown'}")
    if len(reading.datasheets) == 1:
        click.echo(sheet_text(reading.datasheets[0]))
    else:
        for sheet in reading.datasheets:
            click.echo(f"  {sheet.name}")
    if reading.roster is not None:
        from battlewright.cli.roster_text import show_list

        show_list(reading.roster, reading.format)
    for missing in reading.missing:
        click.echo(f"missing: {missing}")
    for note in reading.notes:
        click.echo(f"note: {note}")
    for line in reading.unread:
        click.echo(f"not read, line {line.line}: {line.text}")


def sheet_text(sheet: Datasheet) -> str:
    """A datasheet in plain text: profiles, weapons, abilities, composition, points, keywords."""
    lines = [f"{sheet.name or '(no name)'} ({sheet.edition}{', ' + sheet.faction if sheet.faction else ''})"]
    lines += [f"  {_count(model.low, model.high)} {model.name}: {_profile(model.profile)}" for model in sheet.models]
    lines += [f"  {_weapon(weapon)}" for weapon in sheet.weapons]
    lines += [f"  {ability.kind}: {ability.name}{_amount(ability)}" for ability in sheet.abilities]
    lines += [f"  {tier.models} models: {tier.points} points{_copies(tier.first, tier.last)}" for tier in sheet.points]
    lines.append(f"  keywords: {', '.join(sheet.keywords) or '?'}; faction: {', '.join(sheet.faction_keywords) or '?'}")
    return "\n".join(lines)


def _count(low: int, high: int | None) -> str:
    return str(low) if high in (None, low) else f"{low}-{high}"


def _profile(profile: object) -> str:
    suffix = {"M": '"', "Sv": "+", "Ld": "+", "InSv": "+"}
    known = [(name, getattr(profile, name)) for name in ("M", "T", "Sv", "W", "Ld", "OC", "InSv")]
    return ", ".join(f"{name} {value}{suffix.get(name, '')}" for name, value in known if value is not None) or "?"


def _weapon(weapon: Weapon) -> str:
    skill = "N/A" if weapon.skill is None else f"{weapon.skill}+"
    reach = "melee" if weapon.melee else f'{weapon.range}"'
    abilities = f" [{', '.join(map(str, weapon.abilities))}]" if weapon.abilities else ""
    return (
        f"{weapon.title}: {reach} A{weapon.attacks} {skill} S{weapon.strength if weapon.strength is not None else '?'}"
        f" AP{weapon.ap} D{weapon.damage}{abilities}"
    )


def _amount(ability: object) -> str:
    amount = getattr(ability, "amount", None)
    return "" if amount is None else f" {amount}"


def _copies(first: int, last: int | None) -> str:
    if first == 1 and last is None:
        return ""
    return f" (unit {first} and further)" if last is None else f" (units {first} to {last})"
