"""``battlewright understand``: compile rules texts, and say what was not understood."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import click
import msgspec

from battlewright.effects import Rule
from battlewright.errors import BadInput, Fault


class Entry(msgspec.Struct):
    """A line of the input: what ``understand`` reads of it."""

    text: str
    id: str = ""
    edition: str | None = None
    kind: str = "other"
    name: str = ""
    faction: str | None = ""


@click.command("understand")
@click.argument("file", default="-")
@click.option("--json", "as_json", is_flag=True, help="One JSON line a text.")
@click.option(
    "--explain", is_flag=True, help="Show each text: what was read, what was not, and what may be read otherwise."
)
@click.option("--edition", type=click.Choice(["10e", "11e"]), help="Edition of texts that do not say.")
@click.option("--kind", default="other", help="Kind of texts that do not say: stratagem, enhancement, unit-ability …")
def command(file: str, as_json: bool, explain: bool, edition: str | None, kind: str) -> None:
    """Compile rules texts: FILE (or - for standard input) with one text, or JSON Lines of {"id", "edition", "kind", "name",
    "text"}."""
    data = _data(file)
    for entry in _entries(data, file, edition, kind):
        rule = _rule(entry)
        if as_json:
            sys.stdout.write(_json(entry, rule) + "\n")
        elif explain:
            _explain(entry, rule)
        else:
            _print(entry, rule)


def _data(file: str) -> str:
    try:
        if file == "-":
            raw = sys.stdin.buffer.read()
        else:
            with open(file, "rb") as stream:
                raw = stream.read()
    except OSError as error:
        raise BadInput(error.strerror or "cannot be read", file) from None
    return raw.decode("utf-8", errors="replace")


def _entries(data: str, file: str, edition: str | None, kind: str) -> Iterator[Entry]:
    """The texts: JSON Lines when the first line is an object, else one text."""
    if not data.lstrip().startswith("{"):
        yield Entry(data.strip(), edition=edition, kind=kind)
        return
    faults = []
    entries = []
    for number, line in enumerate(data.split("\n"), 1):
        if not line.strip():
            continue
        try:
            entries.append(msgspec.json.decode(line.encode(), type=Entry))
        except (msgspec.MsgspecError, RecursionError) as error:
            faults.append(Fault(str(error), f"{file}:{number}"))
    if faults:
        raise BadInput(faults)
    yield from entries


def _rule(entry: Entry) -> Rule:
    from battlewright.rulestext import compile

    edition: Any = entry.edition if entry.edition in ("10e", "11e") else None
    return compile(entry.text, name=entry.name, kind=_kind(entry), edition=edition, faction=entry.faction or "")


def _kind(entry: Entry) -> Any:
    from battlewright.effects import RuleKind

    return entry.kind if entry.kind in RuleKind.__args__ else "other"  # type: ignore[attr-defined]


def _json(entry: Entry, rule: Rule) -> str:
    from battlewright.codec import to_json
    from battlewright.rulestext.report import families

    answer = {
        "id": entry.id,
        "status": rule.status,
        "families": families(rule),
        "unread": [unread.text for unread in rule.unread],
        "rule": rule,
    }
    return to_json(answer).decode()


def _print(entry: Entry, rule: Rule) -> None:
    from battlewright.rulestext.report import families

    label = " ".join(filter(None, (entry.id, entry.name))) or "text"
    click.echo(f"{label}: {rule.status}; {', '.join(families(rule)) or 'no effects'}")
    for unread in rule.unread:
        click.echo(f"  not understood: {unread.text}")


def _explain(entry: Entry, rule: Rule) -> None:
    """The text: green what was read, red what was not."""
    _print(entry, rule)
    at = 0
    for unread in rule.unread:
        click.secho(entry.text[at : unread.start], fg="green", nl=False)
        click.secho(entry.text[unread.start : unread.end], fg="red", nl=False)
        at = max(at, unread.end)
    click.secho(entry.text[at:], fg="green")
    for words, other in _otherwise(entry, rule):
        click.secho(f"  also readable as: {other} (“{words}”)", fg="yellow")


def _otherwise(entry: Entry, rule: Rule) -> Iterator[tuple[str, str]]:
    """The words that may be read in another way, and what they would say then; a few of them."""
    from battlewright.effects_words import words_of
    from battlewright.rulestext.readings import readings

    seen: set[str] = set()
    for other in readings(entry.text, name=entry.name, kind=_kind(entry), edition=rule.edition):
        new = [words_of(clause) for clause in other.rule.clauses if clause not in rule.clauses]
        if new and other.words not in seen and len(seen) < 3:
            seen.add(other.words)
            yield other.words, "; ".join(new)
