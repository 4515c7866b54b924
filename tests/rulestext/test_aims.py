"""WHEN and TARGET of a stratagem: each wording of the moment and of whom it may be used on."""

from __future__ import annotations

import pytest

from battlewright.effects_words import words_of
from battlewright.rulestext import compile as compile_rule

EFFECT = "\nEFFECT: Your unit has the Stealth ability."

TARGETS = [
    ('Up to two LAMP units from your army that are within 7" of each other.',
     'up to 2 friendly unit ((LAMP and within 7" of other the chosen unit “your unit”)) as “your unit”', None, None),
    ('One LAMP unit and one WICK unit from your army that are within 4" of each other.',
     "one friendly unit (LAMP) as “your unit”",
     'one friendly unit ((WICK and within 4" of the chosen unit “your unit”)) as “your other unit”', None),
    ("One LAMP unit from your army, or up to three such units if they are BATTLELINE.",
     "one friendly unit (LAMP) as “your unit”", None,
     "up to 3 friendly unit ((BATTLELINE and LAMP)) as “your unit”"),
    ('One LAMP PSYKER model from your army and one enemy unit within 15" of and visible to that model.',
     "one friendly model (LAMP PSYKER) as “your unit”",
     'one enemy unit ((within 15" of the chosen unit “your unit” and visible to the chosen unit “your unit”)) as '
     "“your other unit”", None),
    ("One LAMP unit from your army that is leading or being led by a WICK model.",
     "one friendly unit ((LAMP and either (leading or led by <model (WICK)>))) as “your unit”", None, None),
    ("One LAMP unit from your army that includes a WICK model.",
     "one friendly unit ((LAMP and models 1– that are WICK)) as “your unit”", None, None),
    ("One LAMP unit from your army that is equipped with one or more Torrent weapons.",
     "one friendly unit ((LAMP and having “torrent”)) as “your unit”", None, None),
    ("One LAMP unit from your army that has the Scouts or Deep Strike ability.",
     "one friendly unit ((LAMP and either (having “scouts” or having “deep strike”))) as “your unit”", None, None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "target", "also", "instead"), TARGETS)
def test_whom_it_targets(text: str, target: str, also: str | None, instead: str | None) -> None:
    rule = compile_rule(f"WHEN: Your Command phase.\nTARGET: {text}{EFFECT}", kind="stratagem")
    assert rule.status == "full", rule.unread
    found = [select and words_of(select) for select in (rule.target, rule.also_target, rule.or_target)]
    assert found == [target, also, instead]


MOMENTS = [
    ("First battle round, start of your Movement phase.", "start of your movement phase · if round –1"),
    ("Any phase in your turn.", "your any phase"),
    ("Fight phase, just after a LAMP unit from your army has Consolidated.",
     "just after move ended – <friendly unit (LAMP)> kinds “consolidate” while it is the fight phase"),
    ("Your opponent's Movement phase, just after an enemy unit ends a Normal move or is set up on the battlefield.",
     "either (just after move ended – enemy unit kinds “normal” while it is the movement phase of opponent or just after "
     "set up – enemy unit while it is the movement phase of opponent)"),
    ("Your opponent's Shooting phase or the Fight phase, just after an attack is allocated to a LAMP model from your army.",
     "each attack against us on <model (LAMP)> · if either (it is the shooting phase of opponent or it is the fight phase)"),
    ("Your opponent's Shooting phase, just after an enemy unit has resolved its attacks against a LAMP unit from your army.",
     "just after has attacked – enemy unit → <friendly unit (LAMP)> while it is the shooting phase of opponent"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), MOMENTS)
def test_when_it_is_used(text: str, words: str) -> None:
    rule = compile_rule(f"WHEN: {text}\nTARGET: One LAMP unit from your army.{EFFECT}", kind="stratagem")
    assert rule.status == "full", rule.unread
    gain = "gain unit ability “stealth” for the chosen unit “your unit”"
    assert [words_of(clause) for clause in rule.clauses] == [f"{words} · {gain}"]


SHOCKED = [
    "One LAMP unit from your army. You can use this Stratagem on a Battle-shocked unit.",
    "One LAMP unit from your army (this can be a Battle-shocked unit).",
    "One LAMP unit from your army, even if it is Battle-shocked.",
]


@pytest.mark.parametrize("text", SHOCKED)
def test_that_it_may_be_battle_shocked_is_in_the_rule(text: str) -> None:
    rule = compile_rule(f"WHEN: Your Command phase.\nTARGET: {text}{EFFECT}", kind="stratagem")
    assert rule.status == "full", rule.unread
    assert "may “stratagem” despite “battle_shocked” with the chosen unit “your unit”" in words_of(rule)
