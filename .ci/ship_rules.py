"""Renew the rules of the shipped datasheets: compile the words of the real pages, keep what is read whole.

``python .ci/ship_rules.py [--check]``: needs ``../shared`` beside the checkout. No words are kept, only the compiled form.
The abilities the pages do not have are compiled from our own words below.
"""

from __future__ import annotations

import sys
from pathlib import Path

from msgspec.structs import replace

from battlewright.catalogue.lookup import HERE, find
from battlewright.codec import to_json
from battlewright.datasheet import Ability, Datasheet
from battlewright.effects import Rule
from battlewright.formats.detect import read
from battlewright.names import fold, slug
from battlewright.rulestext import compile as compile_rule

ROOT = Path(__file__).parent.parent
SEEDS = ROOT.parent / "shared" / "seeds"
OWN = {
    "Canis Rex": {
        "Chainbreaker": 'Once per battle, at the start of any phase, select one friendly IMPERIUM unit within 12" of this '
        "model; that unit is no longer Battle-shocked.",
        "Damaged: 1-9 Wounds Remaining": "While this model has 1-9 wounds remaining, it has -5 OC and its attacks have "
        "-1 to hit rolls.",
    },
}


def words_of(sheet: Datasheet) -> dict[str, str]:
    """The words of each ability of a sheet: of the page of that name, and our own."""
    words = dict(OWN.get(sheet.name, {}))
    for path in sorted(SEEDS.glob("*.txt")):
        page = read(path).datasheets[0]
        if fold(page.name) == fold(sheet.name):
            words |= {ability.name: ability.text for ability in page.abilities if ability.text}
    return {fold(name): text for name, text in words.items()}


def rule_of(ability: Ability, sheet: Datasheet, text: str) -> Rule | None:
    """The rule the words make, when all of them were read."""
    kind = "damaged" if fold(ability.name).startswith("damaged") else "unit-ability"
    kind = "wargear-ability" if ability.kind == "wargear" else kind
    faction = sheet.faction_keywords[0] if sheet.faction_keywords else ""
    rule = compile_rule(text, name=ability.name, kind=kind, edition=sheet.edition, faction=faction)
    return rule if rule.status == "full" else None


def renewed(sheet: Datasheet) -> Datasheet:
    """The sheet with the rule of every ability whose words are read whole."""
    words = words_of(sheet)
    abilities = []
    for ability in sheet.abilities:
        text = words.get(fold(ability.name), "")
        if not text or ability.kind in ("core", "faction"):
            abilities.append(ability)
            continue
        rule = rule_of(ability, sheet, text)
        if rule is None and ability.status == "partial":
            abilities.append(ability)  # written by hand until the words are read whole
        else:
            abilities.append(replace(ability, rule=rule, status="full" if rule else "none"))
    return replace(sheet, abilities=tuple(abilities))


def main() -> int:
    stale = []
    for path in sorted(HERE.glob("*/datasheets/*.json")):
        sheet = find(path.stem.replace("-", " "), path.parent.parent.name).datasheet  # type: ignore[arg-type]
        if not words_of(sheet):
            continue
        data = to_json(renewed(sheet), indent=2) + b"\n"
        if data != path.read_bytes():
            stale.append(f"{slug(sheet.name)}: the shipped rules are not what the pages' words compile to")
            if "--check" not in sys.argv:
                path.write_bytes(data)
        known = [ability.name for ability in renewed(sheet).abilities if ability.rule]
        print(f"{sheet.name}: {', '.join(known) or 'no rule read whole'}")
    print("\n".join(stale))
    return int(bool(stale) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main() if SEEDS.is_dir() else 0)
