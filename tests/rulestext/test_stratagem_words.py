"""Words of stratagems and enhancements: who leads, where the destroyed stood, how one arrived, other amounts."""

from __future__ import annotations

import pytest

from battlewright.effects_words import describe, parse
from battlewright.rulestext import compile as compile_rule

US = "the chosen unit “your unit”"
TARGET = "One LAMP unit from your army"
READ = [
    (
        "Your Charge phase",
        f"{TARGET} that was set up using the Moth Gate ability of a LANTERN model this turn.",
        "Your unit is eligible to declare a charge this turn.",
        "having used “moth gate” since turn",
    ),
    (
        "Your Movement phase",
        f"{TARGET} that is arriving using the Deep Strike or Moth Gate abilities this phase.",
        'Your unit can be set up more than 6" horizontally away from all enemy models.',
        "either (moved: ingress since phase or having used “moth gate”)",
    ),
    (
        "Any phase, just after a LAMP unit from your army is destroyed by an enemy unit",
        'One LAMP unit from your army within 6" of where that unit was destroyed.',
        "That enemy unit gains 2 Soot tokens, or 1 Soot token if it has one or more Soot tokens.",
        "if the target unit: in state “soot”: (state “soot” counting 1 on the target unit) else (state “soot” counting 2",
    ),
    (
        "Your Command phase",
        f"{TARGET}.",
        "If a LANTERN model is leading your unit, your unit has the Stealth ability.",
        f"if {US}: led by <model (LANTERN)>",
    ),
    (
        "Any phase, just after a LAMP model from your army is destroyed",
        "That LAMP model.",
        'Select one enemy unit within 6" of your model before it is removed from play. That unit suffers D3 mortal wounds.',
        "as “picked”>; D3 mortal wounds to the chosen unit “picked”",
    ),
    (
        "Your opponent's Movement phase, just after an enemy unit ends a move",
        f'{TARGET} within 9" of that enemy unit.',
        "Your unit can shoot at that enemy unit, but each time a model in your unit makes a ranged attack as a result of "
        "this Stratagem, subtract 1 from the Hit roll.",
        f"(each ranged attack by model of {US} · if outcome: done · -1 to hit rolls)",
    ),
    (
        "Fight phase, when a friendly LAMP unit is selected to fight",
        "That LAMP unit.",
        "Your unit's melee attacks have [LANCE], or [LETHAL HITS] if they target a VEHICLE unit.",
        "if the target unit: VEHICLE: (gain weapon ability “lethal hits”) else (gain weapon ability “lance”)",
    ),
    (
        "Fight phase",
        f"{TARGET}.",
        "Add 1 to the Attacks characteristic of melee weapons equipped by models in your unit. If your unit is Below "
        "Half-strength, add 2 to the Attacks characteristic of those melee weapons instead.",
        f"(each melee attack by model of {US} · if {US}: below half strength · add A 1 of the attack)",
    ),
    (
        "Your Movement phase, when a friendly LAMP unit disembarks from a Transport",
        "That LAMP unit.",
        "Your unit can declare a charge this turn, even if that Transport made a normal move.",
        f"may “charge” despite “disembark” with {US}",
    ),
    (
        "Your opponent's Shooting phase, when an enemy unit targets a friendly LAMP unit",
        "That LAMP unit.",
        "Your unit has 5+ FNP against attacks made by that enemy unit.",
        "gain feel no pain 5 against the attacking unit: the same as the attacking unit",
    ),
    (
        "Your Movement phase",
        f"{TARGET}.",
        'If your unit is within 3" of a friendly TRANSPORT, and there is sufficient transport capacity for it, it can '
        "embark within that TRANSPORT.",
        f"move: embark with {US} to the chosen unit “other”",
    ),
    ("Any phase", f"{TARGET}.", "You gain D3CP.", "+D3 CP"),
    (
        "Your Movement phase, when a friendly LAMP unit falls back",
        'One other friendly LAMP unit within 12" of that unit.',
        "Your unit can shoot, targeting only enemy units that were engaged with that unit at the start of the phase.",
        f"shoot with {US} at <enemy unit (earlier, at phase start: engaged with that unit)>",
    ),
    (
        "Your Charge phase",
        "Up to two LAMP units from your army, or up to three LAMP units from your army if it is the first battle round.",
        "You can re-roll Charge rolls made for your units.",
        "or target up to 3 friendly unit ((LAMP and round –1))",
    ),
    (
        "Your Shooting phase, when a friendly LAMP unit is selected to shoot",
        "That LAMP unit.",
        "Your unit's attacks have [PRECISION] and ignore cover.",
        "gain weapon ability “precision”; gain weapon ability “ignores cover”",
    ),
    (
        "Any phase, just after a LAMP model from your army is destroyed",
        "That LAMP model.",
        "Do not roll for your model's Deadly Demise ability. Instead, you gain 1CP.",
        f"deadly demise roll: no roll of {US}; +1 CP",
    ),
    (
        "Your Movement phase, when a friendly LAMP unit ends an advance move",
        "That LAMP unit.",
        "Your unit can shoot and declare a charge this turn, but not both.",
        "choose of (option (may “shoot” despite “that move”",
    ),
    (
        "Start of your Movement phase",
        f"{TARGET}.",
        "Until the end of the turn, your unit must end each Normal, Advance and Charge move closer to the closest enemy "
        "unit.",
        f"moves “end closer” for {US} in “normal”, “advance”, “charge”",
    ),
    (
        "Your opponent's Charge phase, when an enemy unit declares a charge targeting a friendly LAMP unit",
        "That LAMP unit.",
        "Subtract 2 from that charge roll.",
        "-2 to charge rolls of that unit",
    ),
    (
        "Your Charge phase, when a friendly LAMP unit declares a charge",
        "That LAMP unit.",
        "If your unit ends that charge move engaged with a battle-shocked unit, its melee attacks have +1 to hit rolls this "
        "turn.",
        f"(when move ended – {US} kinds “charge” · if {US}: engaged with <unit (battle-shocked)> · turn · ",
    ),
    (
        "Your Shooting phase",
        f"{TARGET}.",
        "You can choose for your unit's ranged attacks to have the [HAZARDOUS] ability.",
        f"you may · (each ranged attack by model of {US} · gain weapon ability “hazardous”)",
    ),
    (
        "Your opponent's Shooting phase, just after an enemy unit has shot",
        f"{TARGET} that was targeted by one or more of those attacks.",
        'Your unit can either shoot, but it can only target that enemy unit, or make a Normal move of up to D6".',
        f"option (act now: shoot with {US} at the attacking unit limits “only at that target”); "
        'option (move: normal up to D6"',
    ),
    (
        "Fight phase, when a friendly LAMP unit has fought",
        "That LAMP unit.",
        'If your unit is unengaged, it can make a normal move of up to 6". If it is engaged, it can make a fall-back move '
        'of up to 6" instead.',
        f'if {US}: engaged: (move: fall back up to 6" with {US}) else (move: normal up to 6" with {US})',
    ),
    (
        "Your opponent's Charge phase, just after an enemy unit makes a Charge roll",
        f'{TARGET} within 9" of that enemy unit.',
        "Your opponent must re-roll that Charge roll.",
        "must re-roll charge rolls of that unit",
    ),
    (
        "Any phase, just after a WICK model from your army is destroyed by an enemy unit",
        "One other WICK model from your army.",
        "Until the end of the battle, each time your model makes an attack against the unit that destroyed that model, add "
        "1 to the Hit roll and 1 to the Wound roll.",
        "on <unit (having destroyed that model)> · +1 to hit rolls; +1 to wound rolls",
    ),
    (
        "Your Command phase",
        f"{TARGET}.",
        "Discard one Soot dice. If you do, each time a friendly WICK unit would take a Battle-shock test, that test is "
        "automatically passed.",
        "(when test taken – <friendly unit (WICK)> kinds “battle_shock” · if outcome: done · battle shock roll: success of "
        "that unit)",
    ),
    (
        "Your Shooting phase",
        f"{TARGET}.",
        "Until the end of the phase, ranged weapons equipped by models in your unit have the [LETHAL HITS] ability while "
        "targeting a MONSTER unit, and the [SUSTAINED HITS 1] ability while targeting a unit containing 6 to 10 models.",
        f"(each ranged attack by model of {US} on <unit (models 6–10)> · gain weapon ability “sustained hits” 1)",
    ),
    (
        "Your Movement phase",
        f"{TARGET}.",
        'If your unit Advances, add 6" to its Move characteristic instead of making an Advance roll.',
        f"advance roll: no roll of {US}; add M 6 for {US}",
    ),
    (
        "Your Command phase",
        f"{TARGET}.",
        "If your unit is a WICK unit, return up to 2 destroyed models to it; otherwise, one model in your unit regains "
        "up to 3 lost wounds.",
        f"(if not {US}: WICK · heal 3 of one model of {US})",
    ),
    (
        "Start of your opponent's Shooting phase",
        f"{TARGET}.",
        "Until the end of the phase, your unit has the Stealth ability and cannot be selected as the target of ranged "
        "attacks unless it is the closest eligible target.",
        f"gain unit ability “stealth” for {US}; targeting: closest only with {US}",
    ),
    (
        "Your opponent's Movement phase, just after an enemy unit is set up on the battlefield from Reserves",
        'One unit from your army within 18" of that enemy unit.',
        "Your unit can shoot that enemy unit, but subtract 1 from Hit rolls made for those attacks.",
        f"(each ranged attack by model of {US} · if outcome: done · until the attacker is done · -1 to hit rolls)",
    ),
    (
        "Your opponent's Charge phase, just after an enemy unit declares a charge",
        f"{TARGET} that is a target of that charge.",
        "Subtract 2 from Charge rolls made for that enemy unit. If that charge fails, that unit must take a Battle-shock "
        "test.",
        "(when test failed – that unit kinds “charge” · battle-shock: test for that unit)",
    ),
    (
        "Your opponent's Charge phase, just after an enemy unit declares a charge",
        f"{TARGET} that is a target of that charge.",
        "Until the end of the phase, each time a Charge roll is made for that enemy unit, your opponent must roll one "
        "additional D6 and discard the highest result.",
        "must roll 1 more dice for charge rolls of that unit, discard highest",
    ),
    (
        "Your Charge phase",
        f"{TARGET} that has not declared a charge this phase.",
        "Until the end of the phase, roll 3D6 when making Charge rolls for your unit and use the two highest results.",
        f"phase · roll 1 more dice for charge rolls of {US}, discard lowest",
    ),
    (
        "Any phase, just after a LAMP model from your army is destroyed",
        "The LAMP unit that model was leading.",
        "You gain 1CP.",
        "earlier, at destroyed: led by that model",
    ),
    (
        "Your Movement phase, when a friendly LAMP unit advances",
        "That LAMP unit.",
        "Your unit can declare a charge this turn.",
        f"may “charge” despite “that move” with {US}",
    ),
    (
        "Fight phase",
        f"{TARGET}.",
        "Until the end of the phase, subtract 1 from the Damage characteristic of attacks allocated to models in your unit.",
        f"(each attack against us on model of {US} · subtract D 1 of the attack)",
    ),
    (
        "Your Shooting phase",
        f"{TARGET}.",
        "Select one enemy unit. Until the end of the phase, that unit is Sooty and has -1 T.",
        "state “sooty” on the chosen unit “picked”; subtract T 1 for the chosen unit “picked”",
    ),
]


@pytest.mark.parametrize(("when", "target", "effect", "words"), READ)
def test_a_stratagem_says(when: str, target: str, effect: str, words: str) -> None:
    rule = compile_rule(f"WHEN: {when}.\nTARGET: {target}\nEFFECT: {effect}", kind="stratagem")
    assert rule.status == "full"
    assert words in describe(rule)
    assert parse(describe(rule)) == rule


ENHANCEMENTS = [
    ("You can spend 1 Soot token to re-roll one hit roll, wound roll or save made for this unit.",
     "spend 1; choose of (option (re-roll hit rolls one die of the bearer's unit); option (re-roll wound rolls"),
    ("After both players have deployed their armies, select up to two LAMP units from your army and redeploy them. You can "
     "set up one of those units in Strategic Reserves.",
     "(you may · reserves: enter with one the chosen unit “picked”)"),
    ("Attacks with D 1 that target this unit have -1 AP.",
     "each attack against us on the bearer's unit · if attack.D = 1 · worsen AP 1 of the attack"),
    ("Enemy models more than 12\" from this unit cannot target it with ranged attacks.",
     "targeting: only within within 12\" with the bearer's unit"),
    ("When this unit declares a charge, it can target units that are not visible to it.",
     "targeting: can with <unit (not visible to the bearer's unit)> by the bearer's unit to charge"),
    ("Once per battle, at the start of any phase, the bearer's unit can stop being Battle-shocked.",
     "you may · battle-shock: clear for the bearer's unit"),
    ("Each time a LAMP unit from your army is set up within 12\" of the bearer using the Moth Gate ability, you gain 1CP.",
     "when set up – <friendly unit (LAMP)> kinds “moth gate” · if that unit: within 12\" of this model · +1 CP"),
    ("Each enemy unit within Soot Range of the bearer has -1 Ld.",
     "worsen Ld 1 for <enemy unit (within 1 × “soot range”\" of this model)>"),
    ("Once per battle round, you can target the bearer's unit with a Stratagem even if that Stratagem has already been used "
     "on a different unit this phase. That use of the Stratagem costs 0CP.",
     "once per round · stratagem again on the bearer's unit; stratagem set 0 on the bearer's unit"),
    ("This model's ranged attacks have [HEAVY]. If this model remained stationary this turn, they also have +1 D.",
     "each ranged attack by this model · if this model: moved: stationary · add D 1 of the attack"),
    ("After an enemy unit targets a unit within 12\" of the bearer with a Stratagem, you gain 1CP.",
     "just after stratagem targeted – <unit (within 12\" of this model)> kinds “opponent” · +1 CP"),
    ("Each time the bearer's unit is selected to fight, if it is within Engagement Range of more than one enemy unit, you "
     "gain 1CP.", "if the bearer's unit: engaged with <any 2 enemy unit>"),
    ("Each time the bearer destroys an enemy model, the bearer regains 1 lost wound, or D3 lost wounds if that model was a "
     "CHARACTER.", "if that model: CHARACTER: (heal D3 of this model) else (heal 1 of this model)"),
    ("At the start of the Fight phase, select one enemy model within Engagement Range of the bearer's unit. That model "
     "suffers 1 mortal wound.", "pick <one enemy model (engaged with the bearer's unit) as “picked”>"),
    ("Each time this unit destroys an enemy unit, it gains 1 Soot token. This unit's melee attacks have +1 S for each Soot "
     "token it has.",
     "each melee attack by model of the bearer's unit · add S 1 for each marker “soot” of the bearer's unit"),
    ("Each time the bearer makes a melee attack, on an unmodified Wound roll of 6, the target suffers 1 mortal wound.",
     "(when roll made – this model kinds “wound”, “unmodified 6” · 1 mortal wounds to the target unit)"),
    ("Each time an enemy unit ends a Charge move, roll one D6 for each model in that enemy unit within Engagement Range of "
     "the bearer's unit. For each 5+, that enemy unit suffers 1 mortal wound.",
     "roll D6 for <model of that unit (engaged with the bearer's unit) as “each”>"),
    ("At the start of your Command phase, roll one D6: on a 4+, you gain 1CP. If the bearer is your WARLORD, add 1 to that "
     "roll.",
     "roll D6 plus (+1 if this model: the warlord): (from 4 → (+1 CP))"),
    ("Add 1 to the Attacks characteristic of the bearer's Psychic weapons and improve the Strength characteristic of those "
     "weapons by 1.", "each attack by this model · if attack: psychic · add A 1 of the attack; add S 1 of the attack"),
    ("Each time the bearer is selected to fight, roll one D6. On a 2-5, until the end of the phase, add 1 to the Attacks "
     "characteristic of the bearer's melee weapons; on a 6, add 3 instead.",
     "from 6 up to 6 → ((phase · (each melee attack by this model · add A 3 of the attack)))"),
    ("In your Command phase, roll a number of D6 equal to the current battle round number. For each 6, you gain 1CP.",
     "roll 1 × “battle round”: (from 6 up to 6 → (+1 CP))"),
    ("Enemy units within 6\" of this model have -1 Ld. Such units' battle-shock rolls have -1.",
     '-1 to battle shock rolls of <enemy unit (within 6" of this model)>'),
    ("At the end of each phase, if this model has lost one or more wounds that phase, it regains 1 lost wound.",
     "end of any phase · if this model: having used “lost wounds” · heal 1 of this model"),
    ("Add 3\" to the Soot Range of the bearer.", "order: range “soot range” on this model by 3"),
    ("The bearer's unit is eligible to declare a charge in a turn in which it was set up using the Moth Gate ability.",
     "may “charge” despite “moth gate” with the bearer's unit"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), ENHANCEMENTS)
def test_an_enhancement_says(text: str, words: str) -> None:
    rule = compile_rule(text, kind="enhancement")
    assert rule.status == "full"
    assert words in describe(rule)
    assert parse(describe(rule)) == rule


def test_an_act_of_its_own_is_not_what_comes_of_a_death() -> None:
    head = "WHEN: Any phase.\nTARGET: One LAMP unit from your army.\nEFFECT: "
    text = "Your unit can make a Normal move before it is removed from play."
    assert compile_rule(head + text, kind="stratagem").status != "full"
