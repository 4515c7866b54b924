"""Bearers, bounds, times behind their effect: forms of enhancements, wargear and whatever touches an attack."""

from __future__ import annotations

import pytest

from battlewright import effects as fx
from battlewright.dice import Dice
from battlewright.effects import Amount, Keyword, Limit, Rule, Select
from battlewright.rulestext import compile as read

ME = Select("model", ref="self")
UNIT = Select("unit", ref="unit")


def one(text: str) -> fx.Clause:
    """The only clause of a text that is read whole."""
    rule = read(text)
    assert rule.status == "full", [unread.text for unread in rule.unread]
    assert len(rule.clauses) == 1
    return rule.clauses[0]


def n(value: str) -> Amount:
    return Amount(Dice.parse(value))


@pytest.mark.parametrize(
    ("text", "bearer"),
    [
        ("Crab of the Deep, Lobster or Shrimp model only.", (("CRAB OF THE DEEP",), ("LOBSTER",), ("SHRIMP",))),
        ("CRAB model or LOBSTER model only.", (("CRAB",), ("LOBSTER",))),
    ],
)
def test_any_of_several_may_bear_it(text: str, bearer: tuple[tuple[str, ...], ...]) -> None:
    assert read(text + " The bearer has the Stealth ability.").bearer == Keyword(bearer)


def test_some_of_them_may_not_bear_it() -> None:
    rule = read("CRAB model only (excluding MONSTERS). The bearer has the Stealth ability.")
    assert rule.bearer == fx.All((Keyword((("CRAB",),)), fx.Not(Keyword((("MONSTER",),)))))


@pytest.mark.parametrize(
    "words", ["of 1-3 fails", "of 1, 2 or 3 always fails", "of 3 or less fails, irrespective of any abilities"]
)
def test_unmodified_rolls_up_to_a_number_fail(words: str) -> None:
    clause = one(f"Each time an attack targets this unit, an unmodified Wound roll {words}.")
    assert clause.do == (fx.RollSet("wound", "failure", n("3"), True),)


def test_results_in_the_middle_are_not_said_to_fail() -> None:
    assert read("Each time an attack targets this unit, an unmodified Wound roll of 2-3 fails.").status != "full"


def test_a_bound_is_kept_and_left_out_of_what_the_odds_can_say() -> None:
    clause = one("Improve the Save characteristic of the bearer by 1 (to a maximum of 3+).")
    assert clause.do == (fx.StatMod(("Sv",), "improve", n("1"), who=ME, maximum=3),)


def test_the_first_of_each_phase_is_a_limit() -> None:
    clause = one(
        "The first time an attack is allocated to the bearer in each phase, change the Damage of that attack to 0."
    )
    assert clause.limits == (Limit("phase"),)
    assert clause.do == (fx.DamageTo(0),)


def test_a_characteristic_may_equal_a_number_of_things() -> None:
    clause = one(
        "The Attacks characteristic of this model's claw is equal to the number of enemy models within 3\" of it."
    )
    (mod,) = clause.do
    assert isinstance(mod, fx.StatMod)
    assert mod.op == "set"
    assert mod.amount.per == Select("model", side="enemy", where=fx.Within(n("3"), ME))


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("You gain 1CP at the start of your Command phase.", fx.Window(("command",), "your", "start")),
        ("This model regains 1 lost wound in your Command phase.", fx.Window(("command",), "your")),
    ],
)
def test_the_time_may_stand_behind(text: str, when: fx.Window) -> None:
    assert one(text).when == when


def test_from_a_battle_round_on() -> None:
    clause = one("From the third battle round onwards, add 1 to the bearer's Toughness characteristic.")
    assert clause.holds == fx.Round(3, None)


def test_a_unit_or_the_transport_it_is_in() -> None:
    clause = one('If the bearer (or any TRANSPORT it is embarked within) is within 6" of an enemy unit, you gain 1CP.')
    assert isinstance(clause.holds, fx.Any)
    assert isinstance(clause.holds.of[1], fx.About)
    assert isinstance(clause.holds.of[1].holds, fx.Embarked)


def test_one_of_several_rolls_becomes_a_number() -> None:
    clause = one(
        "Once per turn, you can change one Hit roll or one saving throw made for this model to an unmodified 6."
    )
    (choice,) = clause.do
    assert isinstance(choice, fx.Choose)
    assert [option.do for option in choice.options] == [
        (fx.RollSet("hit", "value", n("6"), True, ME),),
        (fx.RollSet("save", "value", n("6"), True, ME),),
    ]


def test_a_list_completes_that_ability() -> None:
    rule = read(
        "Each time this unit is selected to fight, select one of the following abilities. Until the end of the phase, melee "
        "weapons equipped by models in this unit have that ability:\n- [LETHAL HITS]\n- [SUSTAINED HITS 1]"
    )
    assert rule.status == "full"
    (choice,) = rule.clauses[0].do
    assert isinstance(choice, fx.Choose)
    assert len(choice.options) == 2


def test_a_test_not_failed_is_passed() -> None:
    rule: Rule = read(
        "Each time the bearer's unit takes a Leadership test and does not fail the resulting Leadership test, you gain 1CP."
    )
    assert rule.status == "full"
    assert rule.clauses[0].holds == fx.Outcome("passed")


def test_a_mode_is_active() -> None:
    clause = one("If this model's Hunting Tide is Ascendant, this model has the Stealth ability.")
    assert clause.holds == fx.Active("hunting tide ascendant", ME)


def test_either_roll_may_be_rolled_again() -> None:
    (choice,) = one("Each time this model makes an attack, you can re-roll either the Hit roll or the Wound roll.").do
    assert choice == fx.Choose((fx.Option((fx.Reroll("hit"),)), fx.Option((fx.Reroll("wound"),))))


def test_an_ability_of_a_list_in_one_line_is_not_given_outright() -> None:
    rule = read(
        "Select one of the following abilities. This unit's weapons have that ability: [LETHAL HITS]; [PRECISION]."
    )
    assert rule.status != "full"
    assert "lethal hits" not in str(rule.clauses)
