"""Pools of points and dice, tables of results, numbers by the size of the battle, lists of units."""

from __future__ import annotations

import pytest

from battlewright.codec import from_json, to_json
from battlewright.effects import Rule
from battlewright.effects_words import describe, parse
from battlewright.rulestext import compile as read

POOLS = [
    (
        "At the start of your Command phase, you can spend 2 Ember points. If you do, until the end of the "
        "turn, Ash Guard "
        "units from your army have the Stealth ability.",
        "start of your command phase · (you may · pool “ember”: spend 2); (if outcome: done · turn · gain unit ability "
        "“stealth” for <friendly unit (ASH GUARD)>)",
    ),
    (
        "You start the battle with 4 rage tokens. At the end of each battle round, any unspent rage tokens are lost.",
        "start of any phase, unit battle · pool “rage”: set 4 | end of any phase, unit round · pool “rage”: set 0",
    ),
    (
        "Each time an enemy Character unit is destroyed, add 1 to your Hunt tally. While your Hunt tally is 3 "
        "or more, each "
        "time an Ash Guard model from your army makes an attack, re-roll a Hit roll of 1.",
        "when destroyed – <enemy unit (CHARACTER)> · pool “hunt”: add 1 | each attack by <friendly model (ASH "
        "GUARD)> · "
        "if pool “hunt” 3– · re-roll hit rolls of 1",
    ),
    (
        "Ash Guard units from your army gain a bonus depending on how many Ember points you have gained during "
        "the battle, "
        "as shown below (these are all cumulative).\n2+: This unit has the Stealth ability.\n"
        "5+ Ember points: This unit has the Feel No Pain 6+ ability.",
        "give to <friendly unit (ASH GUARD)>: ((if pool “ember” 2– · gain unit ability “stealth” for the "
        "bearer's unit); "
        "(if pool “ember” 5– · gain feel no pain 6 for the bearer's unit))",
    ),
    (
        "At the start of your Command phase, roll one D6 and consult the table below.\nD6 | Result\n1: Nothing "
        "happens.\n"
        "2-5: You gain 1 Ember point.\n6: You gain 2 Ember points. This unit has the Stealth ability.",
        "start of your command phase · roll D6: (from 1 up to 1 → (); from 2 up to 5 → (pool “ember”: add 1); "
        "from 6 up to "
        "6 → (pool “ember”: add 2; gain unit ability “stealth” for the bearer's unit))",
    ),
    (
        "Just before making a Hit roll for a model from your army with this ability, you can use one Fate dice "
        "instead of "
        "making that roll.",
        "just before roll made – <friendly model (having “this ability”)> kinds “hit” · you may · pool “fate”: "
        "spend 1; "
        "any roll: value 1 × fate",
    ),
]
LISTS = [
    (
        "You can include up to two of the following units (duplicates are not allowed):\n- Ash Lord\n- Ember Priest\n"
        "You can include up to one of each of the following units:\n- Ash Guard (5 or 10 models)\n- Ember "
        "Riders (3 models)",
        "building: include <unit (ASH LORD/EMBER PRIEST)>, number 2 words “no duplicates”; building: include <unit (either "
        "((ASH GUARD and either (models 5–5 or models 10–10)) or (EMBER RIDERS and models 3–3)))>, number 1 words “each”",
    ),
    (
        "■ Your army cannot include any of the following models that do not have the Ash keyword: PYRE WAGON; LANCER.\n"
        "■ You cannot include units from more than one Clan in your army.",
        "building: forbid <model ((PYRE WAGON/LANCER and not ASH))>; building: limit, number 1 words “units of "
        "one clan”",
    ),
    (
        "The following ASH GUARD units gain the EMBERWING keyword:\n■ SCOUTS and LANCERS units\n"
        "■ VEHICLE units that can FLY",
        "gain keyword for keywords “EMBERWING” for <friendly unit ((ASH GUARD and SCOUTS/LANCERS))>; gain keyword for "
        "keywords “EMBERWING” for <friendly unit ((ASH GUARD and FLY and VEHICLE))>",
    ),
    (
        "For each Ash Lord unit in your army, you can include one Ember Riders unit in your army.",
        "building: include <one friendly unit (EMBER RIDERS)> that is ASH LORD, number 1 words “for each”",
    ),
    (
        "Select a number of Ash Guard units from your army, based on the battle size, as shown below.\nBattle "
        "Size - Maximum Number of Units\nIncursion - 2\nStrike Force - Up to 3 "
        "units\nOnslaught: 4 units",
        "pick <up to 1 × “battle size” friendly unit (ASH GUARD) as “picked”> | building: limit, number 2 words "
        "“incursion”; building: limit, number 3 words “strike force”; building: limit, number 4 words “onslaught”",
    ),
    (
        "Ash Guard units from your army lose the Old Oath army rule (if they have it), and it is replaced with "
        "the New Oath "
        "army rule.",
        "lose ability “old oath” for <friendly unit (ASH GUARD)>; gain ability “new oath” for <friendly unit "
        "(ASH GUARD)>",
    ),
]


@pytest.mark.parametrize(("text", "words"), POOLS + LISTS, ids=lambda text: text[:50])
def test_the_whole_text_is_in_the_rule(text: str, words: str) -> None:
    rule = read(text)
    assert rule.unread == ()
    assert " | ".join(describe(rule).split(": ", 1)[1].split("\n")) == words
    assert parse(describe(rule)) == rule == from_json(to_json(rule), Rule)


@pytest.mark.parametrize(
    "text",
    [
        "You gain 2 Command points.",  # not a pool of this rule: the game's own
        "At the start of the battle, you gain 3 victory points.",
        "Select a number of Ash Guard units from your army, based on the battle size, as shown below.",  # no table
    ],
)
def test_what_cannot_be_said_is_not_full(text: str) -> None:
    rule = read(text)
    assert rule.status != "full" or "pool" not in describe(rule)
    assert rule.status != "full" or "CP" in describe(rule)


def test_a_die_of_another_table_is_no_row() -> None:
    rule = read("In your Command phase, roll one D6 and consult the table below.\n1: This unit has +1 T.\n"
                "Until the end of the phase, this unit has the Stealth ability.")  # fmt: skip
    assert "stealth" not in describe(rule).split("→")[1].split(")")[0]
