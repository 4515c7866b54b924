"""Lists and wordings that a grammar made of parts reads wherever one of their parts is read."""

from __future__ import annotations

import pytest

from battlewright.effects import All, Forbid, Grant, MoveRule, PerAttack, Permit, Pick, StatMod, Targeting, parts_of
from battlewright.rulestext import compile


def forbidden(text: str) -> list[str]:
    rule = compile(text)
    assert rule.status == "full", [one.text for one in rule.unread]
    return [part.act or "" for part in parts_of(rule.clauses) if isinstance(part, Forbid | Targeting)]


@pytest.mark.parametrize("cannot", ["cannot", "is not eligible to", "is no longer eligible to"])
@pytest.mark.parametrize("link", [" or ", " and "])
def test_what_one_cannot_do_is_a_list(cannot: str, link: str) -> None:
    assert forbidden(f"This unit {cannot} shoot{link}declare a charge.") == ["shoot", "charge"]
    assert forbidden(f"This unit {cannot} move, shoot{link}start to perform an Action.") == ["move", "shoot", "action"]
    assert forbidden("This unit cannot Advance and cannot be selected as the target of a charge.") == [
        "advance",
        "charge",
    ]


@pytest.mark.parametrize(
    ("words", "acts"),
    [
        ("shoot", ["shoot"]),
        ("shoot or declare a charge", ["shoot", "charge"]),
        ("declare a charge, shoot and start to perform an Action", ["charge", "shoot", "action"]),
    ],
)
@pytest.mark.parametrize("did", ["it Advanced", "it Advanced or Fell Back", "this model disembarked"])
def test_what_one_is_eligible_to_do_is_a_list(words: str, acts: list[str], did: str) -> None:
    rule = compile(f"This unit is eligible to {words} in a turn in which {did}.")
    assert rule.status == "full", rule.unread
    permits = [part for part in parts_of(rule.clauses) if isinstance(part, Permit)]
    assert [permit.act for permit in permits] == acts
    assert all(len(permit.despite) == 1 + (" or " in did) for permit in permits)


@pytest.mark.parametrize("how", ["through", "over", "across"])
def test_only_models_with_the_keyword_are_passed_through(how: str) -> None:
    rule = compile(f"This model can move {how} friendly GOBLIN models and terrain features.")
    (passing,) = (part for part in parts_of(rule.clauses) if isinstance(part, MoveRule))
    assert passing.how == "through friendly models, terrain"
    assert passing.what == ("friendly models: only GOBLIN",)


def test_who_can_be_selected_is_selected() -> None:
    one = compile('At the start of the Fight phase, one enemy unit within 6" of this model can be selected.')
    other = compile('At the start of the Fight phase, you can select one enemy unit within 6" of this model.')
    assert any(isinstance(part, Pick) for part in parts_of(one.clauses))
    assert one.clauses == other.clauses


@pytest.mark.parametrize(
    ("other", "usual"),
    [
        (
            "If this unit is below its Starting Strength, return 1 destroyed model to it.",
            "If this unit is below its Starting Strength, return 1 destroyed model to this unit.",
        ),
        (
            "After this model has fought, it can fight again. It can only do this once per battle.",
            "After this model has fought, it can fight again. This ability can only be used once per battle.",
        ),
        (
            "Each time your opponent selects this unit as the target of a Stratagem, you gain 1CP.",
            "Each time your opponent targets this unit with a Stratagem, you gain 1CP.",
        ),
        (
            "This model takes a Leadership test. If it fails, it suffers D3 mortal wounds.",
            "This model takes a Leadership test. If that test is failed, it suffers D3 mortal wounds.",
        ),
    ],
)
def test_other_words_make_the_same_rule(other: str, usual: str) -> None:
    one, two = compile(other), compile(usual)
    assert (one.status, two.status) == ("full", "full"), (one.unread, two.unread)
    assert (one.clauses, one.limits) == (two.clauses, two.limits)


def test_one_model_is_not_those_models() -> None:
    rule = compile(
        "After this model has shot, if one or more enemy models were destroyed, those models' unit is destroyed."
    )
    assert rule.status != "full"


def test_that_unit_is_whom_the_sentence_speaks_of() -> None:
    """Not the one it is near to."""
    near = compile('While a GOBLIN unit is within 6" of another GOBLIN unit, that unit has the Stealth ability.')
    (grant,) = (part for part in parts_of(near.clauses) if isinstance(part, Grant))
    assert grant.who is not None
    assert isinstance(grant.who.where, All)
    enemy = compile('If a GOBLIN unit is within 6" of an enemy unit, that enemy unit cannot Advance.')
    (bar,) = (part for part in parts_of(enemy.clauses) if isinstance(part, Forbid))
    assert bar.who is not None
    assert bar.who.ref == "bound"


def test_what_is_done_after_a_move_is_done_in_spite_of_it() -> None:
    rule = compile("Each time this unit Falls Back, it can shoot and charge that turn.")
    permits = [part for part in parts_of(rule.clauses) if isinstance(part, Permit)]
    assert [(one.act, one.despite) for one in permits] == [("shoot", ("that move",)), ("charge", ("that move",))]
    assert compile("Each time this unit shoots, it can fight and charge that turn.").status != "full"


@pytest.mark.parametrize(
    "change", ["add 2 to their Strength characteristic", "improve their Strength characteristic by 2"]
)
def test_their_strength_is_that_of_the_weapons_spoken_of(change: str) -> None:
    rule = compile(f"The bearer's melee weapons have the [HAZARDOUS] ability and {change}.")
    (clause,) = rule.clauses
    assert isinstance(clause.when, PerAttack)
    assert clause.when.kind == "melee"
    assert [type(effect) for effect in clause.do] == [Grant, StatMod]


def test_whose_ability_it_is_at_a_moment_is_it_in_what_follows() -> None:
    moment, used = "at the start of the Fight phase", "this model can use this ability"
    does = "If it does, add 3 to the Attacks characteristic of its melee weapons."
    one, two = compile(f"At {moment[3:]}, {used}. {does}"), compile(f"T{used[1:]} {moment}. {does}")
    assert (one.status, two.status) == ("full", "full")
    assert one.clauses == two.clauses


@pytest.mark.parametrize("foes", ["enemy units", "one or more enemy units", "an enemy unit", "any enemy models"])
def test_engaged_with_any_of_them_is_engaged(foes: str) -> None:
    rule = compile(
        f"This model does not suffer the penalty to its Hit rolls for being within Engagement Range of {foes}."
    )
    assert rule.status == "full"
    assert rule.clauses == compile(rule_of_many()).clauses


def rule_of_many() -> str:
    return (
        "This model does not suffer the penalty to its Hit rolls for being within Engagement Range of any enemy units."
    )
