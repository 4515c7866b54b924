"""The rules a datasheet page prints in its boxes, compiled."""

from __future__ import annotations

from battlewright.datasheet import Datasheet
from battlewright.effects import Rule
from battlewright.rulestext import compile as compile_rule


def page_stratagems(sheet: Datasheet) -> list[Rule]:
    """The stratagem boxes of a page as rules, when the page has their words."""
    return [
        compile_rule(
            "\n".join(f"{label}: {words}" for label, words in box.parts),
            name=box.title,
            kind="stratagem",
            edition=sheet.edition,
            faction=(*sheet.faction_keywords, "")[0],
        )
        for box in sheet.boxes
        if box.kind == "stratagem" and box.parts
    ]
