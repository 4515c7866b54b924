"""The rules of mustering of both editions: an edition is its list of rules and its table of battle sizes.

Rules: 11e 25, 19.01, 24.22, 24.34, 02.06, 02.07; 10e T-14.1, T-10.1, T-2.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from battlewright.errors import BadInput
from battlewright.roster import Mustered, Problem, Roster
from battlewright.roster import mustering_army as army_rules
from battlewright.roster import mustering_units as unit_rules
from battlewright.roster.mustering_base import Army, BattleSize, Finding, NotChecked, Rules

if TYPE_CHECKING:
    from battlewright.datasheet import CatalogueExtras


def muster(roster: Roster, known: CatalogueExtras | None = None, *, supports_must_attach: bool = True) -> Mustered:
    """Check a list. ``supports_must_attach`` is the app's rule that every support unit leads a unit (11e 25.04)."""
    if roster.edition is None:
        raise BadInput("the edition is not known; give --edition 10e or 11e", roster.name)
    army = Army(roster, _rules(roster.edition), known, supports_must_attach)
    found: list[Finding] = [finding for check in army.rules.checks for finding in check(army)]
    problems = dict.fromkeys(finding for finding in found if isinstance(finding, Problem))
    unseen = dict.fromkeys(finding for finding in found if isinstance(finding, NotChecked))
    return Mustered(tuple(problems), tuple(Problem(each.rule, each.words, each.where) for each in unseen))


def _rules(edition: str) -> Rules:
    return {"10e": TENTH, "11e": ELEVENTH}[edition]


ELEVENTH: Final = Rules(
    sizes=(
        BattleSize("Incursion", 1000, 2, 2, 2),
        BattleSize("Strike Force", 2000, 3, 4, 3),
        BattleSize("Onslaught", 3000, 3, 4, 3),
    ),
    ids={
        "roster": "11e 25.01", "faction": "11e 25.02", "size": "11e 25.03", "detachments": "11e 25.04",
        "units": "11e 25.04", "points": "11e 25.04", "warlord": "11e 25.04", "enhancements": "11e 25.04",
        "copies": "11e 25.03", "attach": "11e 25.04", "leaders": "11e 19.01", "composition": "11e 02.06",
        "wargear": "11e 02.07", "transports": "11e 18.01", "dispositions": "11e 25.04",
    },
    checks=(
        army_rules.faction, army_rules.detachments_of_the_eleventh, army_rules.dispositions, army_rules.points,
        unit_rules.prices, unit_rules.copies, unit_rules.own_limits, army_rules.warlord,
        army_rules.enhancements_of_the_eleventh,
        army_rules.enhancements_from_detachments, army_rules.leaders_of_the_eleventh, unit_rules.composition,
        unit_rules.wargear, unit_rules.transports,
    ),
)  # fmt: skip

TENTH: Final = Rules(
    sizes=(
        BattleSize("Incursion", 1000, None, 3, 3),
        BattleSize("Strike Force", 2000, None, 3, 3),
        BattleSize("Onslaught", 3000, None, 3, 3),
    ),
    ids={
        "roster": "10e T-14.1", "faction": "10e T-14.1", "size": "10e T-14.1", "detachments": "10e T-14.1",
        "units": "10e T-14.1", "points": "10e T-14.1", "warlord": "10e T-14.1", "enhancements": "10e T-14.1",
        "copies": "10e T-14.1", "attach": "10e T-10.1", "leaders": "10e T-10.1", "composition": "10e T-14.1",
        "wargear": "10e T-2.0", "transports": "10e T-14.1", "dispositions": "10e T-14.1",
    },
    checks=(
        army_rules.faction, army_rules.detachment_of_the_tenth, army_rules.points, unit_rules.prices,
        unit_rules.copies, unit_rules.own_limits, army_rules.a_character, army_rules.warlord,
        army_rules.enhancements_of_the_tenth,
        army_rules.enhancements_from_detachments, army_rules.leaders_of_the_tenth, unit_rules.composition,
        unit_rules.wargear, unit_rules.transports,
    ),
)  # fmt: skip
