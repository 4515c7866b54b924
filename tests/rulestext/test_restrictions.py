"""RESTRICTIONS of a stratagem, and other things only stratagems say: limits, costs, choices, named abilities."""

from __future__ import annotations

import pytest

from battlewright.effects_words import describe, parse, words_of
from battlewright.rulestext import compile as compile_rule

HEAD = "WHEN: Fight phase.\nTARGET: One LAMP unit from your army.\nEFFECT: "
US = "the chosen unit “your unit”"
STEALTH = f"gain unit ability “stealth” for {US}"
TARGET = "one friendly unit (LAMP) as “your unit”"

RESTRICTED = [
    ("Once per battle.", "once per battle · ", TARGET, ""),
    ("This Stratagem can only be used once per battle.", "once per battle · ", TARGET, ""),
    ("You can only use this Stratagem twice per battle.", "2 times once per battle · ", TARGET, ""),
    ("A unit can only be targeted with this Stratagem once per battle.", "once per battle for unit · ", TARGET, ""),
    ("You cannot use this Stratagem in the first battle round.", "", TARGET, "if not round –1 · "),
    (
        "You can only use this Stratagem if your WARLORD is on the battlefield.",
        "",
        TARGET,
        "if <friendly model (the warlord)>: located: battlefield · ",
    ),
    (
        "You cannot use this Stratagem on a unit that is within Engagement Range of one or more enemy units.",
        "",
        "one friendly unit ((LAMP and not engaged)) as “your unit”",
        "",
    ),
    (
        "You can only target a unit that is on the battlefield.",
        "",
        "one friendly unit ((LAMP and located: battlefield)) as “your unit”",
        "",
    ),
    ("That unit must be Battle-shocked.", "", "one friendly unit ((LAMP and battle-shocked)) as “your unit”", ""),
]


@pytest.mark.parametrize(("text", "limits", "target", "condition"), RESTRICTED)
def test_when_it_may_not_be_used(text: str, limits: str, target: str, condition: str) -> None:
    rule = compile_rule(f"{HEAD}Your unit has the Stealth ability.\nRESTRICTIONS: {text}", kind="stratagem")
    assert rule.status == "full", rule.unread
    assert rule.target is not None
    assert words_of(rule.target) == target
    assert [words_of(clause) for clause in rule.clauses] == [f"fight phase · {condition}{STEALTH}"]
    assert "".join(f"{words_of(limit)} · " for limit in rule.limits) == limits


READ = [
    (
        "Your unit has the Stealth ability. If your unit is Below Half-strength, this Stratagem costs 1CP less.",
        f"{STEALTH}; (if {US}: below half strength · stratagem cost less 1 which stratagem is “this stratagem”)",
    ),
    (
        "Until the end of the phase, weapons equipped by models in your unit have your choice of the [LANCE] or [PRECISION] "
        "ability.",
        f"phase · choose of (option ((each attack by model of {US} · gain weapon ability “lance”)); option ((each attack by "
        f"model of {US} · gain weapon ability “precision”)))",
    ),
    (
        "Until the end of the phase, weapons equipped by models in your unit have the [SUSTAINED HITS 1] ability. If your "
        "unit is within range of an objective marker, those weapons have the [SUSTAINED HITS 2] ability instead.",
        f"phase · (each attack by model of {US} · if {US}: on an objective: (gain weapon ability “sustained hits” 2) else "
        "(gain weapon ability “sustained hits” 1))",
    ),
    (
        "Your unit can use its Cinder Storm ability one additional time this turn.",
        f"order: again “cinder storm” on {US} by 1",
    ),
    (
        "Your unit can perform one Sooty Feint without spending an Ash token.",
        f"order: free “sooty feint” on {US}",
    ),
    ("Until the end of the phase, your unit is considered to be within Cinder Range of your army.",
     f"phase · state “within cinder range” on {US}"),
    ("Until the end of the phase, your opponent cannot re-roll the Hit roll or the Wound roll.",
     "phase · cannot “re-roll hit”; cannot “re-roll wound”"),
    ("Until the end of the phase, your opponent cannot target your unit with the Fire Overwatch Stratagem.",
     f"phase · stratagem forbid on {US} which stratagem is “fire overwatch” of opponent"),
    ("Until the end of the phase, your unit can only be targeted by attacks made by units within 14\".",
     f'phase · targeting: only within within 14" with {US}'),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), READ)
def test_what_the_effect_says(text: str, words: str) -> None:
    rule = compile_rule(HEAD + text, kind="stratagem")
    assert rule.status == "full", rule.unread
    assert "; ".join(words_of(clause) for clause in rule.clauses) == f"fight phase · {words}"
    assert parse(describe(rule)) == rule
