"""The rules of the shipped datasheets are what the words of the real pages compile to (renew: ``.ci/ship_rules.py``)."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlewright.catalogue.lookup import find
from battlewright.formats.detect import read
from battlewright.names import fold
from battlewright.rulestext import compile as compile_rule

PAGES = ["10e-imperial-rhino.txt", "10e-knight-magaera.txt", "11e-kasrkin.txt", "11e-sir-hekhtur.txt"]


@pytest.mark.parametrize("file", PAGES)
def test_shipped_rules_are_what_the_page_says(shared: Path, file: str) -> None:
    page = read(shared / "seeds" / file).datasheets[0]
    shipped = {fold(ability.name): ability for ability in find(page.name, page.edition).datasheet.abilities}
    for printed in page.abilities:
        ours = shipped.get(fold(printed.name))
        if ours is None or ours.rule is None or ours.status == "partial":
            continue  # partial: written by hand, until the words are read whole
        kind = ours.rule.kind
        faction = (*page.faction_keywords, "")[0] or find(page.name).datasheet.faction_keywords[0]
        rule = compile_rule(printed.text, name=ours.name, kind=kind, edition=page.edition, faction=faction)
        assert rule == ours.rule, f"{ours.name}: renew with .ci/ship_rules.py"
        assert ours.status == "full"


def test_no_words_ship_with_a_rule() -> None:
    for name, edition in (("Imperial Rhino", "10e"), ("Chaos Questoris Knight Magaera", "10e"), ("Canis Rex", "11e")):
        rules = [ability.rule for ability in find(name, edition).datasheet.abilities if ability.rule]  # type: ignore[arg-type]
        assert rules
        assert all(not rule.unread for rule in rules)
