"""How much of a collection of rules texts was understood, and what it would pay to learn next.

``python -m battlewright.rulestext.report FOLDER`` reads the JSON Lines (plain or gzip) of a folder of texts.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from battlewright.effects import Rule, parts_of

#: factions whose texts nobody looks at while the grammar grows: what they score is what unseen texts will score
HELD_OUT = frozenset({"thousand-sons", "genestealer-cults", "imperial-knights", "adepta-sororitas"})

_NATIVE = re.compile(
    r"""\bunengaged\b|\bfriendly [A-Z]|[+-]\d"? (?:to|[A-Z])|attacks have|\bheals?\b|is secured|battle-shock roll"""
    r"""|ingress|InSv"""
)
_ATTACK_WORDS = re.compile(
    r"\b(?:hit|wound) rolls?\b|re-roll a (?:hit|wound|damage)|characteristics? of|\[[A-Z]|invulnerable|feel no pain"
    r"|saving throws?|armour penetration|benefit of cover|[+-]\d (?:A|S|AP|D|T|BS|WS|to (?:hit|wound))\b",
    re.I,
)
_TERMS = re.compile(
    r"\b(?:Hit|Wound|Normal|Advanced?|Advances|Fall Back|Falls Back|Fell Back|Charge|Strategic Reserves|Battle-shock(?:ed)?"
    r"|Leadership|Critical|Engagement Range|Stratagems?|Command|Movement|Shooting|Fight|Attacks|Strength|Armour Penetration"
    r"|Damage|Toughness|Move|Ballistic Skill|Weapon Skill|Objective Control|Save|Wounds|Remained Stationary|Deep Strike"
    r"|Benefit of Cover|Starting Strength|Half-strength|Desperate Escape|Feel No Pain|Declare Battle Formations)\b"
)
_FAMILY = {
    "rollmod": "roll_mod", "reroll": "reroll", "rollset": "roll_set", "criton": "crit_on", "ignoremods": "ignore_mods",
    "statmod": "stat_mod", "grant": "grant", "remove": "remove", "mortal": "mortal", "heal": "heal",
    "returnmodels": "return_models", "revive": "revive", "destroy": "destroy", "addunit": "add_unit",
    "damageto": "damage_mod", "move": "move", "moverule": "move_rule", "permit": "permit", "forbid": "forbid",
    "act": "act", "fightorder": "fight_order", "cp": "cp", "stratagem": "stratagem", "pool": "pool",
    "setstate": "state", "control": "control", "shocktest": "battleshock", "reserves": "reserves", "setup": "setup",
    "transport": "transport", "targeting": "targeting", "order": "order", "build": "build", "rolldice": "dice",
    "choose": "choose", "pick": "select", "procedure": "procedure",
}  # fmt: skip


def families(rule: Rule) -> list[str]:
    """The kinds of effect in use, by the names of the vocabulary, in alphabetical order.

    >>> from battlewright.rulestext import compile
    >>> families(compile("Each time this model makes an attack, add 1 to the Hit roll."))
    ['roll_mod']
    """
    names = {type(part).__name__.lower() for part in parts_of(rule.clauses)}
    return sorted(_FAMILY[name] for name in names if name in _FAMILY)


@dataclass
class Score:
    """Texts and clauses of one group."""

    full: int = 0
    partial: int = 0
    none: int = 0
    read: int = 0
    unread: int = 0
    waiting: int = 0  # of those read, what speaks of words that were not

    def add(self, status: str, read: int, unread: int, waiting: int) -> None:
        setattr(self, status, getattr(self, status) + 1)
        self.read += read
        self.unread += unread
        self.waiting += waiting

    def __str__(self) -> str:
        texts = self.full + self.partial + self.none or 1
        clauses = self.read + self.unread or 1
        return (
            f"{texts:5} texts  full {self.full / texts:6.1%}  partial {self.partial / texts:6.1%}  none "
            f"{self.none / texts:6.1%}   clauses read {self.read / clauses:6.1%} "
            f"({self.waiting / clauses:.1%} wait for unread ones)"
        )


@dataclass
class Report:
    """Scores by group, what was not read, and where the grammar itself failed."""

    scores: dict[str, Score] = field(default_factory=lambda: defaultdict(Score))
    patterns: Counter[str] = field(default_factory=Counter)
    only: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


def entries(folder: Path) -> Iterator[dict[str, str]]:
    """The texts of a folder of JSON Lines."""
    for path in sorted(folder.glob("rules-text*.jsonl*")):
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
        yield from (json.loads(line) for line in text.splitlines())


def measure(texts: Iterable[dict[str, str]]) -> Report:
    """Read all texts but those of narrative play; the unread of held-out factions is counted, never listed."""
    from battlewright.rulestext import build
    from battlewright.rulestext.language import grammar

    report = Report()
    grammar()
    start = time.perf_counter()
    for entry in texts:
        if entry["kind"] == "crusade":
            continue
        rule, reading = build.read(entry["text"], name=entry["name"], kind=entry["kind"], edition=entry["edition"])  # type: ignore[arg-type]
        pieces, waiting = (reading.context.pieces, reading.context.waiting) if reading else (0, 0)
        report.faults.update(reading.context.faults if reading else ())
        for group in groups(entry):
            report.scores[group].add(rule.status, pieces, len(rule.unread), waiting)
        if entry["faction"] not in HELD_OUT:
            _note_unread(report, rule, entry)
    report.seconds = time.perf_counter() - start
    return report


def groups(entry: dict[str, str]) -> Iterator[str]:
    """Where a text counts."""
    held = "held out" if entry["faction"] in HELD_OUT else "tuned"
    yield held
    yield f"{held} {entry['edition']}"
    yield f"kind {entry['kind']}"
    yield f"dialect {'native' if _NATIVE.search(entry['text']) else 'older'}"
    yield f"faction {entry['faction']}"
    if _ATTACK_WORDS.search(entry["text"]):
        yield f"{held}, attacks"


def pattern(words: str) -> str:
    """An unread clause with its numbers and names made alike, so that the same frames count together.

    >>> pattern('Select 2 RED GUARD units within 6" of it')
    'select n kw units within d of it'
    """
    text = _TERMS.sub(lambda found: found.group().lower(), re.sub(r"\[[^\]]*\]", "wa", words))
    text = re.sub(r"\b\d*D[36](?:\+\d+)?\"|\b\d+\"", "d", text)
    text = re.sub(r"\b\d*D[36](?:\+\d+)?\b|[+-]?\b\d+\+?", "n", text)
    text = re.sub(r"(?<!^)\b[A-Z][\w'’-]*(?:[ ,/]+(?:(?:of|the|and|or) )?[A-Z][\w'’-]*)*", "kw", text)
    return re.sub(r"\s+", " ", text).strip().lower()


def _note_unread(report: Report, rule: Rule, entry: dict[str, str]) -> None:
    """The first clause that was not read is what to learn; those after it often only refer to it."""
    if not rule.unread:
        return
    first = pattern(rule.unread[0].text)
    report.patterns[first] += 1
    report.examples.setdefault(first, entry["id"])
    report.only[first] += len(rule.unread) == 1


def lines(report: Report, top: int = 60) -> Iterator[str]:
    """The report for people."""
    for group in sorted(report.scores):
        yield f"{group:32} {report.scores[group]}"
    yield f"{report.seconds:.1f} s"
    yield from (f"fault of the grammar: {fault} ({times} times)" for fault, times in report.faults.most_common())
    ranked = sorted(report.patterns, key=lambda one: (-report.patterns[one], one))
    for one in ranked[:top]:
        yield f"{report.patterns[one]:4} {report.only[one]:4} {report.examples[one]} {one[:170]}"


def main(arguments: Sequence[str]) -> int:
    folder = Path(arguments[0])
    top = int(arguments[1]) if len(arguments) > 1 else 60
    print("\n".join(lines(measure(entries(folder)), top)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
