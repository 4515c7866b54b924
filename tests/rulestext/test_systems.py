"""Rules of armies that are small games of their own: marks, states, named acts, rounds by number, what stands below."""

from __future__ import annotations

import pytest

from battlewright.codec import from_json, to_json
from battlewright.effects import Rule
from battlewright.effects_words import describe, parse
from battlewright.rulestext import compile as read

WHOLE = [
    (
        "While using the Ash Lance Detachment, the following rules apply:\n- Your army must include 3 or more "
        "Ash Hound "
        "units.\n- Ash Hound units from your army have the Battleline keyword.",
        "building: require <unit (ASH HOUND)>, number 3; gain keyword for keywords “BATTLELINE” for <friendly "
        "unit (ASH "
        "HOUND)>",
    ),
    (
        "Friendly Ash Guard units have the Smoke ability while both of the following conditions are met:\n"
        "- That unit Remained Stationary this turn.\n- That unit is below Half-strength.",
        "gain unit ability “smoke” for <friendly unit ((ASH GUARD and below half strength and moved: stationary))>",
    ),
    (
        "Each time a model in an Ash Guard unit from your army makes an attack, that attack has the [LANCE] ability if "
        "any of the following conditions are met:\n- That attack targets a unit within range of your loot objective.\n"
        "- That model's unit is within range of your loot objective.",
        "each attack by <model of <friendly unit (ASH GUARD)>> · if either (the target unit: on an objective "
        "“loot” or the attacking unit: on an objective “loot”) · gain weapon ability “lance”",
    ),
    (
        "At the start of the first and fifth battle rounds, you gain 1 Dread point.",
        "either (start of any phase, unit round, round –1 or start of any phase, unit round, round 5–5) · pool "
        "“dread”: "
        "add 1",
    ),
    (
        "At the start of your Command phase during the second, third and fourth battle rounds, you gain 1CP.",
        "start of your command phase · if round 2–4 · +1 CP",
    ),
    (
        "At the start of your Command phase, select one enemy unit to be your object of scorn. Each time an Ash "
        "Guard model "
        "from your army makes an attack that targets your object of scorn, re-roll a Wound roll of 1.",
        "start of your command phase · pick <one enemy unit as “picked”>; state “object of scorn” on the chosen unit "
        "“picked” | each attack by <friendly model (ASH GUARD)> on <unit (in state “object of scorn”)> · re-roll wound "
        "rolls of 1",
    ),
    (
        "In your Command phase, select one enemy unit. Until the end of the turn, that enemy unit is rad "
        "scoured. Each time "
        "an Ash Guard model from your army makes an attack that targets a rad scoured unit, re-roll a Hit roll of 1.",
        "your command phase · pick <one enemy unit as “picked”>; (turn · state “rad scoured” on the chosen unit "
        "“picked”) | "
        "each attack by <friendly model (ASH GUARD)> on <unit (in state “rad scoured”)> · re-roll hit rolls of 1",
    ),
    (
        "This unit is eligible to shoot in a turn in which it Fell Back, but when it does so:\n"
        "- Its ranged attacks have [LANCE].\n- It cannot target a unit it was within Engagement Range of at the "
        "start of the turn.",
        "may “shoot” despite “fall_back” with the bearer's unit | each ranged attack by model of the bearer's "
        "unit · if "
        "outcome: done · gain weapon ability “lance” | if outcome: done · targeting: cannot with <unit "
        "(earlier, at turn "
        "start: engaged with the bearer's unit)> by the bearer's unit to attack",
    ),
    (
        "Each time an Ash Guard unit from your army makes a Dark Oath, it can invoke its contract. If it does, "
        "until the end "
        "of the phase:\n• Add 1 to the Toughness characteristic of models in that unit.\n• That unit has the "
        "Stealth ability.",
        "when ability used – <friendly unit (ASH GUARD)> kinds “dark oath” · you may · phase · add T 1 for that "
        "unit; gain "
        "unit ability “stealth” for that unit",
    ),
    (
        "Units from your army with the Hurrah ability retain that ability and gain this one.",
        "gain ability “this ability” for <friendly unit (having “hurrah”)>",
    ),
    (
        "At the end of your turn, if you control two or more objective markers in your opponent's deployment "
        "zone, you gain "
        "1 Ember point for each objective marker you control.",
        "end of your any phase, unit turn · if <any 2 objective>: on an objective of control own in enemy zone · pool "
        "“ember”: add 1 for each <objective (on an objective of control own)>",
    ),
    (
        "Each time this unit is selected to fight, select either the [LETHAL HITS] or [LANCE] ability. Until "
        "the end of the "
        "phase, melee weapons equipped by models in this unit have the selected ability.",
        "when selected to fight – the bearer's unit · phase · choose of (option ((each melee attack by model of "
        "the bearer's "
        "unit · gain weapon ability “lethal hits”)); option ((each melee attack by model of the bearer's unit · "
        "gain weapon "
        "ability “lance”)))",
    ),
    (
        "Your army can include Ash units, but it cannot include any Emberborn units drawn from any other Clan.",
        "building: include <unit (ASH)>; building: forbid <unit (EMBERBORN)> words “of another clan”",
    ),
    (
        "Ash Riders\n5 models = 2 Ember points\n10 models = 4 Ember points",
        "building: limit <unit (ASH RIDERS)> that is models 5–5, number 2 words “costs ember”; building: limit "
        "<unit (ASH "
        "RIDERS)> that is models 10–10, number 4 words “costs ember”",
    ),
]


@pytest.mark.parametrize(("text", "words"), WHOLE, ids=lambda text: text[:50])
def test_the_whole_text_is_in_the_rule(text: str, words: str) -> None:
    rule = read(text)
    assert rule.unread == ()
    assert " | ".join(describe(rule).split(": ", 1)[1].split("\n")) == words
    assert parse(describe(rule)) == rule == from_json(to_json(rule), Rule)


def test_of_every_unit_is_not_of_any() -> None:
    every = read("If every unit from your army has the ASHEN keyword, this unit has the Stealth ability.")
    assert "every one" in describe(every)


def test_an_alternative_bullet_is_not_done_as_well() -> None:
    rule = read(
        "In your Command phase, roll one D6:\n- On a 2+, this unit has the Stealth ability.\n"
        "- Or: On a 2+, this unit has the Smoke ability."
    )
    assert rule.status != "full" or "choose" in describe(rule)


def test_a_sentence_that_only_points_elsewhere_is_no_gap_but_no_rule() -> None:
    text = "The Ash Rites are described in full on page 12."
    assert read(text).status == "none"
    rule = read(f"This unit has the Stealth ability. {text}")
    assert (rule.status, rule.unread) == ("full", ())
