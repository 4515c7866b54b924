"""Abilities given under a name, with bullets or an end; whom armies may include; who is caught in something."""

from __future__ import annotations

import pytest

from battlewright.effects import RuleKind
from battlewright.effects_words import words_of
from battlewright.rulestext import compile as compile_rule

READ: list[tuple[RuleKind, str, str]] = [
    (
        "detachment-rule",
        'Friendly RED GUARD models have the following ability:\nKeen Aim (Aura): While a friendly BLUE unit is within 5" '
        "of this model, that unit's ranged attacks have:\n- +2 BS.\n- [LANCE].",
        "give “Keen Aim (Aura)” to <friendly model (RED GUARD)>: ((each ranged attack by <model of <friendly unit "
        '((BLUE and within 5" of this model))>> · improve BS 2 of the attack; gain weapon ability “lance”))',
    ),
    (  # what the army may include is given to nobody
        "detachment-rule",
        "Friendly RED GUARD models have the following ability:\nKeen Aim: Ranged weapons equipped by this model have "
        "the [LANCE] ability.\nKin: You can include BLUE units in your army.",
        "give “Keen Aim” to <friendly model (RED GUARD)>: ((each ranged attack by this model · gain weapon ability “lance”))"
        "; building: include <friendly unit (BLUE)>",
    ),
    (
        "detachment-rule",
        "While an enemy unit is caught in the nets, each time a RED GUARD model from your army targets that enemy unit "
        "with a ranged attack, add 2 to the Hit roll.",
        "each ranged attack by <friendly model (RED GUARD)> on <unit (in state “caught in nets”)> · +2 to hit rolls",
    ),
    (
        "detachment-rule",
        "You can include BLUE units in your army. The combined points cost of such units depends on your battle size:\n"
        "- Incursion: Up to 150 pts\n- Onslaught: Up to 350 pts\nNo BLUE models from your army can be your WARLORD.",
        "building: include <friendly unit (BLUE)>; building: limit words “points”, “by battle size”; building: limit, "
        "number 150 words “incursion”; building: limit, number 350 words “onslaught”; building: warlord "
        "<friendly model (BLUE)> words “cannot”",
    ),
    (  # a table that lost its lines: the first cell of a row is a name
        "detachment-rule",
        "At the start of your Command phase, you can select one of the following to apply:Seek And Find Select one enemy "
        "unit. Until the end of the turn, each time a BLUE model from your army makes an attack that targets that enemy "
        "unit, add 2 to the Hit roll. |\nStand Fast Until the end of the turn, add 2 to the Toughness characteristic of "
        "BLUE models from your army. |",
        "start of your command phase · choose up to of (option “Seek And Find” (pick <one enemy unit as “picked”>; "
        "(turn · (each attack by <friendly model (BLUE)> on the chosen unit “picked” · +2 to hit rolls))); option "
        "“Stand Fast” ((turn · add T 2 for <friendly model (BLUE)>)))",
    ),
    (
        "faction-rule",
        'When an OFFICER model issues an Order, select one of the Orders below, then select one friendly unit within 5" '
        "of that model.\nUntil the end of the turn, the unit you selected is affected by that Order.\n"
        'Run! Run! M +2" |\nAim, All! BS +1 OC +2 |',
        'when order issued – <model (OFFICER)> kinds “order” · pick <one friendly unit (within 5" of that model) as '
        "“picked”>; (turn · give to the chosen unit “picked”: (choose of (option “Run! Run!” (add M 2 for the bearer's "
        "unit); option “Aim, All!” ((each attack by model of the bearer's unit · improve BS 1 of the attack); "
        "add OC 2 for the bearer's unit))))",
    ),
    (
        "unit-ability",
        'In your Command phase, you can select one friendly BLUE model within 5" of this model that has not been '
        "selected by this ability this turn. If you do, that model heals D3 wounds.",
        "your command phase · may pick <one friendly model ((BLUE and not in state “selected for this ability this turn” "
        'and within 5" of this model)) as “picked”>; heal D3 of the chosen model “picked”',
    ),
]


@pytest.mark.parametrize(("kind", "text", "meaning"), READ, ids=lambda one: one[:40])
def test_what_is_said_below_a_name(kind: RuleKind, text: str, meaning: str) -> None:
    rule = compile_rule(text, name="Probe", kind=kind)
    assert rule.status == "full", rule.unread
    assert "; ".join(words_of(clause) for clause in rule.clauses) == meaning


def test_models_may_be_targeted_or_another() -> None:
    text = "WHEN: Your Movement phase.\nTARGET: Up to two RED models from your army or one BLUE model from your army.\n"
    rule = compile_rule(text + "EFFECT: Add 3 to the Move characteristic of the selected models.", kind="stratagem")
    assert words_of(rule.target) == "up to 2 friendly model (RED) as “your unit”"
    assert words_of(rule.or_target) == "one friendly model (BLUE) as “your unit”"


def test_the_destroyed_is_no_target() -> None:
    """What stands in brackets is said of the target, not of the unit named last."""
    text = "WHEN: Any phase, just after a RED unit from your army is destroyed.\nTARGET: One BLUE unit from your army that "
    text += 'was within 5" of the destroyed unit (you cannot target the destroyed unit with this Stratagem).\n'
    rule = compile_rule(
        text + "EFFECT: Until the end of the phase, your unit has the Stealth ability.", kind="stratagem"
    )
    assert words_of(rule.target) == (
        'one friendly unit ((BLUE and not the same as that unit and within 5" of that unit)) as “your unit”'
    )


def test_who_is_rolled_for_suffers() -> None:
    text = "WHEN: Your Shooting phase.\nTARGET: One BLUE unit from your army.\nEFFECT: Select one enemy unit "
    text += "within Engagement Range of one or more RED units from your army. Roll one D6 for each of those RED units: "
    rule = compile_rule(text + "on a 5+, the unit being rolled for suffers D3+1 mortal wounds.", kind="stratagem")
    assert "D3+1 mortal wounds to the chosen unit “other”" in words_of(rule.clauses[0])
