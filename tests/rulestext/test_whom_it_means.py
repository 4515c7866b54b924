"""Whom words mean, and what of a condition may not get lost: each of these was once read otherwise."""

from __future__ import annotations

import pytest

from battlewright.effects import Clause, Event, Keyword, Move, MoveRule, NearEdge, Select, Within
from battlewright.effects_words import words_of
from battlewright.rulestext import compile

UNIT = Select("unit", ref="unit")


def told(text: str) -> list[str]:
    """The clauses of a text that must be read in full, in our words."""
    rule = compile(text)
    assert rule.status == "full", rule.unread
    return [words_of(clause) for clause in rule.clauses]


def test_it_that_can_act_is_ours_though_an_enemy_moved() -> None:
    (clause,) = compile(
        'When an enemy unit ends a Normal move within 9" of this unit, it can make a Normal move.'
    ).clauses
    assert isinstance(clause.when, Event)
    assert clause.when.subject == Select("unit", side="enemy")
    assert clause.do == (Move("normal", None, UNIT),)
    assert compile("Each time an enemy unit ends a Normal move, it can make a Normal move.").status != "full"


def test_it_that_suffers_is_the_enemy_that_moved() -> None:
    text = 'Each time an enemy unit ends a Charge move within 3" of this unit, it suffers D3 mortal wounds.'
    assert told(text)[0].endswith("D3 mortal wounds to that unit")


def test_keywords_behind_a_comma_are_the_next_subject() -> None:
    (first,) = told(
        "If a Brave Marshal model from your army is your Warlord, Blue Rider units gain the Battleline keyword."
    )
    assert first == (
        "if <friendly model (BRAVE MARSHAL)>: the warlord · gain keyword for keywords “BATTLELINE” for <unit (BLUE RIDER)>"
    )
    assert told(
        "If this unit is not Battle-shocked, Grey Dog models in it have an Objective Control characteristic of 1."
    ) == ["if the bearer's unit: not battle-shocked · set OC 1 for <model of the bearer's unit (GREY DOG)>"]


TARGET = "WHEN: Your Movement phase.\nTARGET: {}\nEFFECT: Your unit can make a Normal move."


def test_a_list_of_keywords_is_one_target() -> None:
    rule = compile(
        TARGET.format("One BLUE GUARD, GREY GUARD, RED GUARD or RIDERS unit from your army."), kind="stratagem"
    )
    guards = Keyword((("BLUE GUARD",), ("GREY GUARD",), ("RED GUARD",), ("RIDERS",)))
    assert rule.target == Select("unit", side="friendly", where=guards, count=rule.target.count, bind="your unit")
    assert (rule.also_target, rule.or_target) == (None, None)


def test_a_second_target_has_a_number_of_its_own() -> None:
    text = TARGET.format('One BLUE unit from your army, and one RED unit from your army within 3" of it.')
    rule = compile(text, kind="stratagem")
    assert rule.also_target is not None
    assert rule.also_target.count.kind == "one"


def test_wholly_within_of_an_edge_is_not_lost() -> None:
    for words, wholly in {"wholly within": True, "within": False}.items():
        text = TARGET.format(f'One BLUE unit from your army that is {words} 9" of one or more battlefield edges.')
        where = compile(text, kind="stratagem").target.where  # type: ignore[union-attr]
        (edge,) = [part for part in where.of if isinstance(part, NearEdge)]  # type: ignore[union-attr]
        assert edge.wholly is wholly


def test_every_model_near_is_more_than_the_unit_near() -> None:
    near = 'within 3" of this model'
    assert told(f"While each model in a friendly unit is {near}, that unit has the Stealth ability.") != told(
        f"While a friendly unit is {near}, that unit has the Stealth ability."
    )
    (clause,) = compile(f"If every model in this unit is {near}, this unit can make a Normal move.").clauses
    assert words_of(clause.holds) == "model of the bearer's unit, every one: within 3\" of this model"
    (clause,) = compile("If each model in this unit is hidden, this unit can make a Normal move.").clauses
    assert words_of(clause.holds) == "the bearer's unit: in state “hidden”"


@pytest.mark.parametrize(("can", "may"), [("you can change", "you"), ("change", None)])
def test_a_result_that_can_be_changed_is_a_choice(can: str, may: str | None) -> None:
    (clause,) = compile(
        f"Once per battle, after making a Hit roll for this model, {can} that roll to an unmodified 6."
    ).clauses
    assert clause.may == may


def test_a_kind_of_weapon_is_an_ability_not_a_name() -> None:
    text = TARGET.format("One BLUE unit from your army equipped with one or more Torrent weapons.")
    assert "having “torrent”" in words_of(compile(text, kind="stratagem"))
    text = TARGET.format("One BLUE unit from your army equipped with one or more blue lamps.")
    assert "armed with “blue lamps”" in words_of(compile(text, kind="stratagem"))


def test_a_move_that_must_end_engaged_says_with_whom() -> None:
    pick = 'Select one enemy unit within 12" of this unit.'
    text = f"{pick} This unit can make a Charge move, but it must end that move engaged with that enemy unit."
    rules = [one for clause in compile(text).clauses for one in clause.do if isinstance(one, MoveRule)]
    assert [one.towards for one in rules] == [Select("unit", ref="bound", name="picked")]


def test_after_its_attacks_each_time_it_shoots_is_once_it_has_shot() -> None:
    after = "after it has resolved those attacks, select one enemy unit hit by those attacks; it is shaken."
    (clause,) = compile(f"Each time this model shoots, if it is below Half-strength, {after}").clauses
    assert isinstance(clause.when, Event)
    assert (clause.when.name, clause.when.edge) == ("has_shot", "after")
    assert not any(isinstance(effect, Clause) for effect in clause.do)
    assert clause.holds is not None


def test_a_distance_to_several_is_one_condition() -> None:
    (clause,) = compile('If this unit is within 6" of a friendly BLUE or RED unit, it has the Stealth ability.').clauses
    within = clause.holds.holds  # type: ignore[union-attr]
    assert isinstance(within, Within)
    assert within.of.where == Keyword((("BLUE",), ("RED",)))


def test_a_state_the_rule_gave_is_no_keyword() -> None:
    marks = "Select one enemy unit. Until the end of the phase, that enemy unit is Hunted."
    rule = compile(
        f"{marks} Each time a friendly model makes an attack that targets a Hunted unit, add 1 to the Hit roll."
    )
    assert "in state “hunted”" in words_of(rule)
    alone = compile("Each time a friendly model makes an attack that targets a HUNTED unit, add 1 to the Hit roll.")
    assert "on <unit (HUNTED)>" in words_of(alone)


def test_a_move_that_must_end_closer_says_to_whom() -> None:
    pick = 'Select one enemy unit within 12" of this unit.'
    for end in ("closer to", "as close as possible to"):
        rule = compile(f"{pick} This unit can make a Normal move, but it must end that move {end} that enemy unit.")
        assert rule.status == "full", rule.unread
        assert "towards the chosen unit “picked”" in words_of(rule)


def test_each_option_speaks_of_the_objective_it_picked() -> None:
    options = (
        "At the start of your Command phase, select one of the following:\n"
        "- Select one enemy unit. That unit is hunted.\n"
        "- Select one objective marker. Until the end of the turn, while a friendly BLUE unit is within range of that "
        "objective marker, that unit has the Stealth ability."
    )
    said = words_of(compile(options))
    assert "pick <one objective as “picked 2”>" in said
    assert "on an objective “picked 2”" in said


@pytest.mark.parametrize("comma", ["", ","])
@pytest.mark.parametrize("whom", ["them", "such models", "any of them"])
def test_nobody_ends_a_move_engaged_with_those_it_passed(comma: str, whom: str) -> None:
    text = (
        "Each time this model makes a Normal move, it can move through enemy models. When doing so, it can move within "
        f"Engagement Range of enemy models{comma} but cannot end that move within Engagement Range of {whom}."
    )
    assert "moves “end unengaged” for this model" in " || ".join(told(text))


@pytest.mark.parametrize("kind", ["ranged", "melee"])
def test_the_kind_of_attacks_made_is_kept(kind: str) -> None:
    (said,) = told(f"When making {kind} attacks, this unit's attacks have +1 to hit rolls.")
    assert f"attack: {kind}" in said
    (said,) = told(f"When making {kind} attacks, models in this unit can ignore any or all modifiers to the Hit roll.")
    assert f"attack: {kind}" in said
