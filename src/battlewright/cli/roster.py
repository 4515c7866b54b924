"""``battlewright roster FILE``: a clean list, its points, every fault of it with the rule, and what was not checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from battlewright.errors import BadInput

if TYPE_CHECKING:
    from battlewright.catalogue.resolve import Resolved
    from battlewright.effects import EditionId
    from battlewright.formats import Reading
    from battlewright.roster import Mustered


@click.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
@click.option("--edition", type=click.Choice(["10e", "11e"]), help="For lists that do not say their edition.")
@click.option(
    "--to", "form", type=click.Choice(["own", "newrecruit", "app"]), help="Print the list in another form instead."
)
@click.option("--bare", is_flag=True, help="Use nothing but the list: no catalogue.")
def command(file: str, as_json: bool, edition: EditionId | None, form: str | None, bare: bool) -> None:
    """Print a list, its points and every fault of it.

    FILE is a roster in any format: .ros, .rosz, JSON, text of the app and of list builders, a share link in a file, or - for
    standard input.
    """
    from battlewright.formats.detect import read

    reading = read(file)
    if reading.roster is None:
        raise BadInput(f"a {reading.kind}, not a roster", file)
    resolved = _resolved(reading, edition, bare)
    if form is not None:
        from battlewright.formats.export import EXPORTS

        click.echo(EXPORTS[form](resolved.roster if form == "own" else reading.roster))
        return
    mustered = _mustered(resolved)
    if as_json:
        from battlewright.codec import to_json

        click.echo(to_json(as_dict(reading, resolved, mustered), indent=2).decode())
    else:
        from battlewright.cli.roster_text import show

        show(reading, resolved, mustered)
    for fault in reading.faults:
        click.echo(str(fault), err=True)


def _resolved(reading: Reading, edition: EditionId | None, bare: bool) -> Resolved:
    from msgspec.structs import replace

    from battlewright.rulestext.rosters import prepared

    assert reading.roster is not None
    roster = reading.roster if edition is None else replace(reading.roster, edition=edition)
    return prepared(roster, bare=bare)


def _mustered(resolved: Resolved) -> Mustered:
    """The faults by the rules of the list's edition; of the newest one when nothing says which, and that is said."""
    from msgspec.structs import replace

    from battlewright.catalogue.lookup import EDITIONS
    from battlewright.catalogue.resolve import known_extras
    from battlewright.roster import Mustered, Problem, muster

    edition = resolved.roster.edition
    if edition is not None:
        return muster(resolved.roster, known_extras(edition))
    found = muster(replace(resolved.roster, edition=EDITIONS[0]), known_extras(EDITIONS[0]))
    words = f"the edition is not stated; checked by the rules of {EDITIONS[0]} (give --edition to choose)"
    return Mustered(found.problems, (Problem("edition", words, ""), *found.not_checked))


def as_dict(reading: Reading, resolved: Resolved, mustered: Mustered) -> dict[str, Any]:
    """The published form: legal, points, problems, and the units as read and filled."""
    from battlewright.roster import published

    roster = resolved.roster
    plain = published(roster)
    stated = [unit.points for unit in roster.units]
    return {
        "legal": mustered.legal,
        "points": sum(filter(None, stated)) if None not in stated else roster.points,
        "stated_points": roster.points,
        "problems": [_problem(problem) for problem in mustered.problems],
        "not_checked": [_problem(problem) for problem in mustered.not_checked],
        "units": [{key: value for key, value in unit.items() if key != "datasheet"} for unit in plain["units"]],
        **{key: plain[key] for key in ("name", "edition", "faction", "battle_size", "limit", "dispositions")},
        "detachments": plain["detachments"],
        "detachment_points": roster.detachment_points,
        "format": reading.format,
        "unread": [{"line": line.line, "text": line.text} for line in reading.unread],
        "missing": [*reading.missing, *resolved.missing] if not resolved.notes else list(resolved.missing),
        "notes": [*reading.notes, *resolved.notes],
    }


def _problem(problem: Any) -> dict[str, str]:
    return {"rule": problem.rule, "words": problem.words, "where": problem.where}
