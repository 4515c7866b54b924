"""Stratagems that offer another way, aim at two units, or say more for some: each kind of sentence, in invented words."""

from __future__ import annotations

import pytest

from battlewright.effects_words import describe, parse, words_of
from battlewright.rulestext import compile as compile_rule

YOUR, OTHER = "the chosen unit “your unit”", "the chosen unit “your other unit”"
BOTH = f"unit (either (the same as {YOUR} or the same as {OTHER}))"


def read(effect: str, target: str = "One LAMP unit from your army.", when: str = "Fight phase.") -> str:
    rule = compile_rule(f"WHEN: {when}\nTARGET: {target}\nEFFECT: {effect}", kind="stratagem")
    assert rule.status == "full", rule.unread
    assert parse(describe(rule)) == rule
    return "\n".join(words_of(clause) for clause in rule.clauses)


EFFECTS = [
    ("Select either the Strength or Attacks characteristic of melee weapons equipped by models in your unit. Until the end "
     "of the phase, add 1 to the selected characteristic.",
     f"phase · choose of (option ((each melee attack by model of {YOUR} · add S 1 of the attack)); option ((each melee "
     f"attack by model of {YOUR} · add A 1 of the attack)))"),
    ("Your unit can make a Normal move of up to 4\". Alternatively, it can shoot.",
     f"choose of (option (move: normal up to 4\" with {YOUR}); option (act now: shoot with {YOUR}))"),
    ("Your unit can make a Normal move of up to 4\". You can instead choose for your unit to open its old scars; if it "
     "does, it becomes Battle-shocked and it can shoot.",
     f"choose of (option (move: normal up to 4\" with {YOUR}); option (battle-shock: fail for {YOUR}; act now: shoot with "
     f"{YOUR}))"),
    ("Each time you use this Stratagem, you can choose to overfill it. Your unit can make a Normal move of up to 4\". If "
     "you chose to overfill it, your unit suffers 1 mortal wound.",
     f"(phase · (you may · state “overfill it” on {YOUR})); move: normal up to 4\" with {YOUR}; (if {YOUR}: in state "
     f"“overfill it” · 1 mortal wounds to {YOUR})"),
    ("Until the end of the phase, each time your unit makes a Consolidation move, it can move up to D3+1\" instead of up to "
     "3\". If it contains a WICK model, it can move up to 5\" instead.",
     f"phase · (when move started – {YOUR} kinds “consolidate” · if {YOUR}: models 1– that are WICK: (moves “up to 5” for "
     f"{YOUR}) else (moves “up to D3+1” for {YOUR}))"),
    ("Your unit can make a Normal move of up to D6\"+2.", f"move: normal up to D6+2\" with {YOUR}"),
    ("Until the end of the phase, models in your unit have the Feel No Pain 6+ ability, which is improved to Feel No Pain "
     "4+ against mortal wounds.",
     f"phase · gain feel no pain 6 for {YOUR}; gain feel no pain 4 against attack: mortal for {YOUR}"),
    ("Until the end of the phase, when targeting an enemy unit within 7\", weapons equipped by models in your unit have the "
     "[LANCE] ability.",
     f"phase · (each attack by model of {YOUR} on <unit (within 7\" of {YOUR})> · gain weapon ability “lance”)"),
]  # fmt: skip


@pytest.mark.parametrize(("effect", "words"), EFFECTS)
def test_what_it_does(effect: str, words: str) -> None:
    assert read(effect) == f"fight phase · {words}"


def test_several_moments_have_an_edge_each() -> None:
    moves = "just after an enemy unit is set up or when an enemy unit starts or ends a Normal move"
    when = f"Your opponent's Movement phase, {moves}."
    found = read(
        "Your unit has the Stealth ability.", 'One LAMP unit from your army within 9" of that enemy unit.', when
    )
    assert found.startswith("either (just after set up – ")
    assert " or when move started – " in found
    assert " or when move ended – " in found


TWO = 'One LAMP unit from your army and one WICK unit from your army within 6" of it.'
BOTH_GAIN = [
    ("Until the end of the phase, both of those units have the Stealth ability.",
     f"phase · gain unit ability “stealth” for <friendly {BOTH}>"),
    ("Until the end of the phase, each time a model in one of those units makes an attack, re-roll a Hit roll of 1.",
     f"phase · (each attack by <model of <friendly {BOTH}>> · re-roll hit rolls of 1)"),
    ("Until the end of the phase, each time an attack targets one of your units, models in that unit have the Benefit of "
     "Cover against that attack.", f"phase · (each attack against us on <{BOTH}> · gain cover for the target unit)"),
    ("Until the end of the phase, each time one of those units Advances, models in that unit have the Stealth ability.",
     f"phase · (when move started – <friendly {BOTH}> kinds “advance” · gain unit ability “stealth” for that unit)"),
]  # fmt: skip


@pytest.mark.parametrize(("effect", "words"), BOTH_GAIN)
def test_those_units_are_both_targets(effect: str, words: str) -> None:
    assert read(effect, TWO) == f"fight phase · {words}"


def test_an_enemy_unit_is_no_unit_of_yours() -> None:
    text = "TARGET: Two LAMP units from your army, and one enemy unit.\nEFFECT: Both of your units have the Stealth ability."
    rule = compile_rule(f"WHEN: Fight phase.\n{text}", kind="stratagem")
    assert "your other unit" not in words_of(rule.clauses[0])


def test_a_second_target_that_may_be_taken() -> None:
    also = 'If that unit is BATTLELINE, you can also target one friendly WICK unit within 6" of it.'
    target = f"One LAMP unit from your army. {also}"
    rule = compile_rule(f"WHEN: Fight phase.\nTARGET: {target}\nEFFECT: Your unit can shoot.", kind="stratagem")
    assert rule.also_target is not None
    found = words_of(rule.also_target)
    assert found.startswith("up to 1 friendly unit ((WICK and ")
    assert f"{YOUR}: BATTLELINE" in found


def test_a_condition_before_doing_so_is_kept() -> None:
    effect = 'Your unit can make a Normal move of up to 4". If it is a VEHICLE, when making this move, it can shoot.'
    assert f"if ({YOUR}: VEHICLE and outcome: done)" in read(effect) or f"if {YOUR}: VEHICLE" in read(effect)


def test_what_lasts_is_not_of_one_attack() -> None:
    effect = (
        "Until the end of the phase, each time a model in your unit makes an attack that targets a MONSTER, add 1 to the "
        "Wound roll. If your unit contains a WICK model, add 1 to the Damage characteristic of that attack and, until the "
        "end of the phase, weapons equipped by models in your unit have the [HAZARDOUS] ability."
    )
    hazardous = read(effect).partition("hazardous")[0]
    assert hazardous.rpartition("(each")[2] == f" attack by model of {YOUR} · gain weapon ability “"


ROLLS = [
    ("Any phase, just after you make a Hit roll, a Charge roll or a Hazardous test for a LAMP unit from your army.",
     "“hit”, “charge”, “hazard”"),
    ("Any phase, just after you make one of the following rolls for a friendly unit or model:\n- Hit roll\n- Charge roll\n"
     "- A roll to determine the number of attacks generated with a weapon.", "“hit”, “charge”, “attacks”"),
    ("Any phase, just after you have made a Wound roll or a saving throw for an attack, model or unit from your army.",
     "“wound”, “save”"),
]  # fmt: skip


@pytest.mark.parametrize(("when", "kinds"), ROLLS)
def test_the_roll_just_made_is_made_again(when: str, kinds: str) -> None:
    found = read("You re-roll that roll.", "That unit.", when)
    assert found.startswith("just after roll made – ")
    assert f"kinds {kinds} while it is the any phase · must re-roll any rolls" in found


def test_of_several_dice_one_is_rolled_again() -> None:
    more = "If you are rolling more than one dice together, select one of those dice to re-roll."
    found = read(
        f"You re-roll that roll. {more}", "That unit.", "Any phase, just after you make a Hit roll for a friendly unit."
    )
    assert found.endswith("must re-roll hit rolls one die")


def test_what_is_given_may_begin_right_behind_the_colon() -> None:
    text = "LAMP units from your army have the following abilities:Glow (Aura): Each time this unit Advances, it can shoot."
    rule = compile_rule(text, kind="detachment-rule")
    assert rule.status == "full"
    assert "give “Glow (Aura)” to <friendly unit (LAMP)>" in describe(rule)


def test_your_unit_is_not_the_one_just_picked() -> None:
    text = (
        'Each time a LAMP unit from your army is selected to shoot, select one friendly WICK unit within 6" of it. That '
        "WICK unit suffers 1 mortal wound. Until the end of the phase, your unit's weapons have the [LANCE] ability."
    )
    rule = compile_rule(text, kind="detachment-rule")
    assert rule.status == "full"
    assert "attack by model of that unit · gain weapon ability “lance”" in describe(rule)


def test_that_enemy_unit_is_never_ours() -> None:
    when = "Fight phase, just after a model in a LAMP unit from your army is destroyed by an enemy unit."
    effect = "For the rest of the phase, attacks made by that enemy unit that target your unit have -1 to hit rolls."
    assert f"attack against us by model of the target unit on {YOUR}" in read(effect, "That LAMP unit.", when)


INSTEAD = [
    ("Select the [LANCE] or [LETHAL HITS] ability. This phase, its weapons have the selected ability. If your unit is "
     "Ringed, this phase, its weapons have the [LANCE] and [LETHAL HITS] abilities instead.",
     f"if {YOUR}: in state “ringed”: ("),
    ("This phase, each time your unit makes an attack, re-roll a Hit roll of 1 and re-roll a Wound roll of 1. Each "
     "time your unit makes an attack, if your unit is Ringed, re-roll a Hit roll of 2 and re-roll a Wound "
     "roll of 2 instead.",
     f"if {YOUR}: in state “ringed”: (re-roll wound rolls of 2) else (re-roll wound rolls of 1)"),
]  # fmt: skip


@pytest.mark.parametrize(("effect", "words"), INSTEAD)
def test_both_instead(effect: str, words: str) -> None:
    assert words in read(effect)


def test_a_marker_that_is_called_something() -> None:
    effect = (
        "That objective marker is said to be Ringed and remains under your control until your opponent controls it at the "
        "end of any turn. While an objective marker is Ringed and under your control, each time an enemy unit ends a Normal "
        "move within range of that objective marker, that enemy unit suffers 1 mortal wound."
    )
    found = read(effect, "One LAMP unit from your army within range of an objective marker you control.")
    assert "state “ringed”; control: secure" in found
    assert "on an objective “ringed”) · 1 mortal wounds to that unit" in found


WORDINGS = [
    ("Your unit can either shoot or make a Normal move of up to 4\".",
     f"choose of (option (act now: shoot with {YOUR}); option (move: normal up to 4\" with {YOUR}))"),
    ("Place your unit in Strategic Reserves.", f"reserves: enter with {YOUR}"),
    ("Add 3 to your unit's Charge rolls.", f"+3 to charge rolls of {YOUR}"),
    ("Your unit's melee attacks have +2 S and can re-roll hit rolls of 1.",
     f"each melee attack by model of {YOUR} · add S 2 of the attack; re-roll hit rolls of 1"),
    ("Your unit cannot fight until all your other eligible units have fought.", f"fights last with {YOUR}"),
]  # fmt: skip


@pytest.mark.parametrize(("effect", "words"), WORDINGS)
def test_acts_and_rolls_in_other_words(effect: str, words: str) -> None:
    assert words in read(effect)


def test_the_dead_are_set_up_again_others_go_to_reserves() -> None:
    died = "Any phase, just after a LAMP unit from your army is destroyed."
    assert "set up again" in read("Set your unit up again in Strategic Reserves.", "That LAMP unit.", died)
    assert "reserves: enter" in read("Set your unit up in Strategic Reserves.")


MOMENTS = [
    ("Fight phase, just after a LAMP unit from your army has fought and destroyed one or more enemy units.",
     "if that unit: having destroyed any enemy unit"),
    ("Your opponent's Charge phase, just after an enemy unit fails a charge that targeted a LAMP unit from your army.",
     "just after test failed – enemy unit → <friendly unit (LAMP)> kinds “charge”"),
    ("Your opponent's turn, end of the Fight phase.", "end of the opponent's fight phase"),
]  # fmt: skip


@pytest.mark.parametrize(("when", "words"), MOMENTS)
def test_moments_in_other_words(when: str, words: str) -> None:
    assert words in read("Your unit can shoot.", "One LAMP unit from your army.", when)


def test_what_is_forbidden_to_the_targets_is_forbidden_to_the_other_ones_too() -> None:
    target = "Up to two LAMP units from your army, or one WICK unit from your army."
    text = f"TARGET: {target}\nEFFECT: Your unit can shoot.\nRESTRICTIONS: You cannot select a VEHICLE unit."
    rule = compile_rule(f"WHEN: Fight phase.\n{text}", kind="stratagem")
    assert [words_of(aimed) for aimed in (rule.target, rule.or_target) if aimed is not None] == [
        "up to 2 friendly unit ((LAMP and not VEHICLE)) as “your unit”",
        "one friendly unit ((WICK and not VEHICLE)) as “your unit”",
    ]


def test_only_some_moves_may_not_end_engaged() -> None:
    effect = (
        "Each time your unit makes a Normal or Charge move, it can move within Engagement Range of enemy models, but cannot "
        "end a Normal move within Engagement Range of them."
    )
    assert f"moves “end unengaged” for {YOUR} in “normal”" in read(effect)


def test_the_destroyed_unit_is_the_one_the_moment_is_about() -> None:
    when = "Your opponent's Shooting phase, when a friendly LAMP unit is destroyed by an enemy unit."
    target = 'One friendly LAMP unit within 9" of the destroyed unit.'
    rule = compile_rule(
        f"WHEN: {when}\nTARGET: {target}\nEFFECT: Your unit can shoot that enemy unit.", kind="stratagem"
    )
    assert rule.status == "full"
    assert rule.target is not None
    assert words_of(rule.target) == 'one friendly unit ((LAMP and within 9" of that unit)) as “your unit”'
    assert "shoot with the chosen unit “your unit” at the target unit" in words_of(rule.clauses[0])
