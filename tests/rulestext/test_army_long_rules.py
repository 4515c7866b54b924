"""What the long rules of armies share: options once each, dice they ask for, numbers by the round, the board."""

from __future__ import annotations

import pytest

from battlewright.codec import from_json, to_json
from battlewright.effects import Rule, RuleKind
from battlewright.effects_words import describe, parse
from battlewright.rulestext import compile as read

WHOLE: list[tuple[RuleKind, str, str]] = [
    (
        "faction-rule",
        "At the start of the battle round, roll six D6. You can use these results to activate up to two "
        "Ember Gifts for your army. To activate an Ember Gift, you must use dice from your roll that "
        "match the requirements of that Ember Gift. Once an Ember Gift is activated, it is active for "
        "your army until the end of the battle round.\n"
        "HOT IRON\n"
        "Any double 4+\n"
        "Melee weapons equipped by Ash Guard models from your army have the [LANCE] ability.\n"
        "SWIFT ASH\n"
        "Double 5+ or any triple\n"
        'Add 1" to the Move characteristic of Ash Guard models from your army.',
        ": start of any phase, unit round · roll 6D6: (); (round · choose up to 2 of (option “HOT IRON” "
        "if outcome: double of 4 or more ((each melee attack by <friendly model (ASH GUARD)> · gain "
        "weapon ability “lance”)); option “SWIFT ASH” if either (outcome: double of 5 or more or outcome:"
        " triple) (add M 1 for <friendly model (ASH GUARD)>)))",
    ),
    (
        "faction-rule",
        "Each time an Ash Guard model from your army makes an attack that targets a unit with one or more"
        " Soot tokens, apply the following:\n"
        "1 Soot token: Add 1 to the Hit roll.\n"
        "2 or more Soot tokens: Add 1 to the Wound roll.",
        ": each attack by <friendly model (ASH GUARD)> on <unit (in state “soot”)> · (if the target unit:"
        " in state “soot” at most 1 · +1 to hit rolls); (if the target unit: in state “soot” at least 2 ·"
        " +1 to wound rolls)",
    ),
    (
        "faction-rule",
        "While an enemy unit is within Smoke Range of one or more Ash Guard units from your army, "
        "subtract 1 from the Toughness characteristic of models in that enemy unit. Smoke Range is "
        "determined by the current battle round, as shown below:\n"
        "BATTLE ROUND: SMOKE RANGE\n"
        '1: 3"\n'
        '2+: 6"',
        ': subtract T 1 for <enemy unit (within 1 × “smoke range”" of <any friendly unit (ASH GUARD)>)> |'
        " if round –1 · pool “smoke range”: set 3 | if round 2– · pool “smoke range”: set 6",
    ),
    (
        "detachment-rule",
        "At the start of your Command phase, select one of the following to be active until the start of "
        "your next Command phase. Each can only be selected once per battle.\n"
        "Sure Steps: Add 1 to Advance rolls made for Ash Guard units from your army.\n"
        "Sure Hands: Each time an Ash Guard model from your army makes an attack, add 1 to the Hit roll.",
        " · once per battle for option: start of your command phase · phase to its start, the next of "
        "your, command phase · choose of (option “Sure Steps” (+1 to advance rolls of <friendly unit (ASH"
        " GUARD)>); option “Sure Hands” ((each attack by <friendly model (ASH GUARD)> · +1 to hit "
        "rolls)))",
    ),
    (
        "faction-rule",
        "In the Declare Battle Formations step, you can select one of the Rots below to apply to your "
        "army until the end of the battle. While a unit is Soiled, that unit is affected by the Rot you "
        "selected.\n"
        "ROTS\n"
        "Dull Eyes: While a unit is Soiled, subtract 1 from Hit rolls made for that unit.\n"
        'Slow Feet: While a unit is Soiled, subtract 1" from the Move characteristic of models in that '
        "unit.",
        ": any phase, step “declare battle formations” · battle · (if unit: in state “soiled” · give to "
        "<unit (in state “soiled”)>: (choose up to of (option “Dull Eyes” (-1 to hit rolls of <unit (in "
        "state “soiled”)>); option “Slow Feet” (subtract M 1 for <unit (in state “soiled”)>))))",
    ),
    (
        "detachment-rule",
        "Your deployment zone is always within your army's Gloom. Your opponent's deployment zone is "
        "within your army's Gloom if you control at least half of the objective markers within it.",
        ": state “within gloom” on point “own zone” | if <any 1 × “half of them” objective (on an "
        "objective in enemy zone)>: on an objective of control own · state “within gloom” on point “enemy"
        " zone”",
    ),
    (
        "crusade",
        "Ash Guard units from your Crusade army have a Trophy tally. At the end of the battle, each unit "
        "with 5 or more on its Trophy tally gains 2XP.",
        ": end of any phase, unit battle · state “xp” counting 2 on <unit (in state “trophy tally” at least 5)>",
    ),
    (
        "detachment-rule",
        "From the third battle round onwards, Ash Guard units from your army are Wakeful. While an Ash "
        "Guard unit is Wakeful, models in that unit have the benefits listed below.\n"
        "Cold Eye: Each time a model in this unit makes a ranged attack, re-roll a Hit roll of 1.",
        ": if round 3– · state “wakeful” on <friendly unit (ASH GUARD)> | if <unit (ASH GUARD)>: in state"
        " “wakeful” · give “Cold Eye” to <unit ((ASH GUARD and in state “wakeful”))>: ((each ranged "
        "attack by model of the bearer's unit · re-roll hit rolls of 1))",
    ),
    (
        "crusade",
        "Purchase this Requisition at the end of a battle. Select one Ash Guard unit from your Crusade "
        "force. That unit gains 3XP.",
        ": end of any phase, unit battle · may “purchase this requisition” with your player | pick <one "
        "friendly unit (ASH GUARD) as “picked”> | state “xp” counting 3 on the chosen unit “picked”",
    ),
    (
        "faction-rule",
        "At the start of the battle, roll four D6 and keep those dice to one side: these are your Ash "
        "dice. Once per phase, before making a dice roll for a unit or model from your army with this "
        "ability, you can use one of your Ash dice. To do so, select one Ash dice to use: the value "
        "showing on that Ash dice is used instead of making that roll. The following rolls can be "
        "substituted:\n"
        "- Advance roll\n"
        "- Hit roll\n"
        "Once an Ash dice has been used it is discarded. Ash dice results count as unmodified rolls.",
        ": start of any phase, unit battle · pool “ash”: set 4 | once per phase · just before roll made –"
        " <friendly unit (having “this ability”)> kinds “advance”, “hit” · (you may · pool “ash”: spend "
        "1); (if outcome: done · any roll: value 1 × ash unmodified)",
    ),
    (
        "detachment-rule",
        "At the start of the first battle round, select a number of enemy units equal to the number shown"
        " below (depending on the battle size). Those units are your Quarry. Each time a model from your "
        "army makes an attack that targets a Quarry unit, you can re-roll the Wound roll.\n"
        "Incursion: 1\n"
        "Strike Force: 2",
        ": start of any phase, unit round, round –1 · pick <up to 1 × “battle size” enemy unit as "
        "“picked”>; state “quarry” on the chosen unit “picked” | each attack by friendly model on <unit "
        "(in state “quarry”)> · re-roll wound rolls | building: limit, number 1 words “incursion”; "
        "building: limit, number 2 words “strike force”",
    ),
    (
        "faction-rule",
        'While an Ash Guard unit from your army is within 6" of one or more friendly Ash Priest models, '
        "that Ash Guard unit and every model in it is said to be within Chant Range of your army and of "
        "that Ash Priest model.",
        ': state “within chant range” on <friendly unit ((ASH GUARD and within 6" of <any friendly model '
        "(ASH PRIEST)>))>",
    ),
    (
        "stratagem",
        "WHEN: Fight phase.\n"
        "TARGET: One Ash Guard unit from your army.\n"
        "EFFECT: Your unit reanimates D3 wounds. If an Ash Priest model is leading your unit, it "
        "reanimates D3+1 wounds instead.",
        " · target one friendly unit (ASH GUARD) as “your unit”: fight phase · if the chosen unit “your "
        "unit”: led by <model (ASH PRIEST)>: (order: use “reanimate” on the chosen unit “your unit” by "
        "D3+1) else (order: use “reanimate” on the chosen unit “your unit” by D3)",
    ),
    (
        "stratagem",
        "WHEN: Start of your opponent's Shooting phase.\n"
        "TARGET: One Ash Guard unit from your army.\n"
        "EFFECT: Until the end of the phase, your unit cannot be selected as the target of ranged attacks"
        ' unless the attacking model is within 18", and models in your unit have the Stealth ability.',
        " · target one friendly unit (ASH GUARD) as “your unit”: start of the opponent's shooting phase ·"
        ' phase · targeting: only within within 18" with the chosen unit “your unit”; gain unit ability '
        "“stealth” for the chosen unit “your unit”",
    ),
    (
        "enhancement",
        "Each time you spend a Soot token to Empower the bearer's unit, roll one D6: on a 4+, you gain 1 Soot token.",
        ": when used – the bearer's unit kinds “soot” · roll D6: (from 4 → (pool “soot”: add 1))",
    ),
]


@pytest.mark.parametrize(("kind", "text", "words"), WHOLE)
def test_it_is_read_whole(kind: RuleKind, text: str, words: str) -> None:
    rule = read(text, name="Probe", kind=kind, edition="10e")
    assert rule.status == "full", rule.unread
    assert describe(rule).split("10e", 1)[1].replace("\n", " | ") == words
    assert parse(describe(rule)) == rule
    assert from_json(to_json(rule), Rule) == rule


@pytest.mark.parametrize(
    "text",
    [
        "Apply the following:\n1 Soot token: Add 1 to the Hit roll.",
        'Add 1 to the Hit roll. 3".',
        "Enemy models can only target this unit if it is the closest eligible target.",
        "Select one Ash Priest model from your army. You can return 1 destroyed model to it.",
        "Each time a model makes an attack with such a weapon, add 1 to the Hit roll.",
        "The entire battlefield is within your army's Gloom if you control half of the objective markers within it.",
    ],
)
def test_what_speaks_of_nothing_is_not_read(text: str) -> None:
    assert read(text, kind="detachment-rule").status != "full"
