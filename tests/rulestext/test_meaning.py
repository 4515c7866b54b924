"""Changes that keep the meaning keep the rule; what is no rule gives none; what was read is never lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battlewright.codec import from_json, to_json
from battlewright.dice import Dice
from battlewright.effects import (
    Amount,
    Choose,
    Clause,
    Effect,
    Give,
    Grant,
    Mortal,
    Outcome,
    Rule,
    Select,
    Unknown,
    parts_of,
)
from battlewright.effects_words import describe, parse
from battlewright.rulestext import compile as read
from battlewright.rulestext.context import NOT_READ
from battlewright.rulestext.normalise import clean
from battlewright.rulestext.report import families

SAME = [
    # who: "this model's unit" is "this unit"
    (
        "Add 1 to the Toughness characteristic of models in this model's unit.",
        "Add 1 to the Toughness characteristic of models in this unit.",
    ),
    ("Models in the bearer's unit have the Stealth ability.", "This unit has the Stealth ability."),
    # dialects
    ("Each time this model makes an attack, add 1 to the Wound roll.", "This model's attacks have +1 to wound rolls."),
    ('Add 3" to the Move characteristic of models in this unit.', 'This unit has +3" M.'),
    ("This unit has a 4+ invulnerable save.", "This unit has 4+ InSv."),
    ("This model regains up to 3 lost wounds.", "This model heals 3 wounds."),
    (
        "Each time an attack targets this unit, worsen the Armour Penetration characteristic of that attack by 3.",
        "Attacks that target this unit have -3 AP.",
    ),
    (
        "While this unit is not within Engagement Range of any enemy units, it has the Stealth ability.",
        "While this unit is unengaged, it has the Stealth ability.",
    ),
    # verbs and nouns for one modifier
    (
        "Each time an attack targets this unit, subtract 1 from the Hit roll.",
        "Attacks made against this unit have a -1 modifier to their Hit rolls.",
    ),
    (
        "Each time an attack targets this unit, subtract 1 from the Hit roll.",
        "Enemy attacks that target this unit subtract 1 from their hit rolls.",
    ),
    ("Add 1 to Hit rolls made for models in this unit.", "Models in this unit add 1 to their Hit rolls."),
    ("Add 1 to Hit rolls made for models in this unit.", "Hit rolls made for models in this unit gain a +1 bonus."),
    (
        'Subtract 1 from Battle-shock tests taken for enemy units within 6" of this model.',
        'Enemy units within 6" of this model subtract 1 from their Battle-shock tests.',
    ),
    (
        "Subtract 1 from the Damage characteristic of attacks allocated to this model.",
        "Subtract 1 from the Damage characteristic of each attack that is allocated to this model.",
    ),
    (
        "Models in this unit have a 4+ invulnerable save.",
        "Models in this unit have an invulnerable save characteristic of 4+.",
    ),
    (
        "While this model is leading a unit, models in that unit have the Feel No Pain 5+ ability.",
        "While this model leads a unit, models in that unit have the Feel No Pain 5+ ability.",
    ),
    # who, of several that were named
    (
        "Select one enemy unit. Until the end of the turn, each time a friendly unit makes an attack that targets that "
        "enemy unit, re-roll a Hit roll of 1.",
        "Select one enemy unit. Until the end of the turn, friendly units can re-roll Hit rolls of 1 when targeting that "
        "unit.",
    ),
    # what attacks did to someone
    (
        "After this unit has shot, one enemy unit hit by one or more of those attacks has the Stealth ability.",
        "After this unit has shot, one enemy unit that was hit by any of its attacks has the Stealth ability.",
    ),
    (
        "After an enemy unit has shot, if this unit was targeted by one or more of those attacks, you gain 1CP.",
        "After an enemy unit has shot, if this unit was selected as the target of any of those attacks, you gain 1CP.",
    ),
    (
        "Each time a model in this unit is destroyed, if it has not fought this phase, it can fight before it is removed.",
        "Each time a model in this unit is destroyed, if it has not yet been selected to fight this phase, it can fight "
        "before it is removed.",
    ),
    ("When this model is destroyed, you gain 1CP.", "If this model is destroyed, you gain 1CP."),
    (
        "In your Command phase, roll one D6: on a 4+, this model regains 1 lost wound.",
        "In your Command phase, on a D6 roll of 4+, this model regains 1 lost wound.",
    ),
    (
        "Each time this model makes an attack that targets a CHARACTER unit, you can re-roll the Hit roll.",
        "Each time this model attacks a CHARACTER unit, you can re-roll the Hit roll.",
    ),
    (
        "This unit cannot be targeted by ranged attacks unless it is the closest eligible target to the attacking model.",
        "Ranged attacks can only target this unit if it is the closest eligible target to the attacking model.",
    ),
    (
        "While this model has 5 or fewer wounds remaining, this model has the Stealth ability.",
        "While this model has 5 wounds or less remaining, this model has the Stealth ability.",
    ),
    # whose characteristic
    (
        "Each time an attack is allocated to this model, subtract 1 from the Damage characteristic of that attack.",
        "Each time an attack is allocated to this model, subtract 1 from its Damage characteristic.",
    ),
    (
        "Once per battle, when an attack is allocated to this unit, change the Damage characteristic of that attack to 0.",
        "Once per battle, when an attack is allocated to this unit, change its Damage characteristic to 0.",
    ),
    # taken away and set up again, or neither
    (
        "At the end of your turn, you can remove this unit from the battlefield and set it up again anywhere that is more "
        'than 9" away from all enemy models.',
        "At the end of your turn, this unit can be removed from the battlefield and set up again anywhere that is more than "
        '9" away from all enemy models.',
    ),
    # what stratagems cost
    (
        "When this unit is targeted with a Stratagem, reduce the CP cost of that use of that Stratagem by 1CP.",
        "When you use a Stratagem on this unit, that use of the Stratagem costs 1CP less.",
    ),
    (
        "When this unit is targeted with a Stratagem, reduce the CP cost of that use of that Stratagem by 1CP.",
        "When a Stratagem is used on this unit, its cost is reduced by 1CP.",
    ),
    (
        'Your opponent must spend 1 additional CP to target an enemy unit within 12" of this model with a Stratagem.',
        'Stratagems that target enemy units within 12" of this model cost 1CP more.',
    ),
    # how far it moves
    (
        'This unit can move up to 6" when it piles in or consolidates, instead of up to 3".',
        'Models in this unit can pile in or consolidate up to 6" instead of up to 3".',
    ),
    (
        'Each time this unit Advances, do not make an Advance roll. Instead, until the end of the phase, add 6" to the Move '
        "characteristic of models in this unit.",
        'Each time this unit Advances, instead of making an Advance roll, until the end of the phase, add 6" to the Move '
        "characteristic of models in this unit.",
    ),
    (
        "You can re-roll Advance and Charge rolls made for this unit.",
        "You can re-roll this unit's Advance and Charge rolls.",
    ),
    # what happens, said as a condition
    (
        'Each time an enemy unit ends a Normal move within 9" of this unit, this unit can make a Normal move of up to 6".',
        'If an enemy unit ends a Normal move within 9" of this unit, this unit can make a Normal move of up to 6".',
    ),
    (
        "The first time this model is destroyed, you gain 1CP.",
        "When this model is destroyed for the first time, you gain 1CP.",
    ),
    # the order of adverbs and of what is listed
    (
        "If this unit made a Charge move this turn, each time it makes a melee attack, re-roll a Hit roll of 1.",
        "Each time this unit makes a melee attack, if it made a Charge move this turn, re-roll a Hit roll of 1.",
    ),
    # quotes, dashes, mark-up, bullets
    ("The bearer’s unit has the Scouts 6” ability.", "The bearer's unit has the <b>Scouts 6\"</b> ability."),
    (
        "This unit's ranged attacks have:\n■ [Assault]\n■ +1 S",
        "This unit's ranged attacks have:\n- [Assault].\n\n- +1 S.",
    ),
]


#: of what has a name, which is known by its capitals
SAME_NAMED = [
    (
        "You can target this unit with the Long Jump Stratagem for 0CP.",
        "The Long Jump Stratagem costs 0CP when targeting this unit.",
    ),
    (
        "You can target this unit with the Long Jump Stratagem for 0CP.",
        "This unit can be targeted by the Long Jump Stratagem for 0CP.",
    ),
]


@pytest.mark.parametrize(("one", "other"), [*SAME, *SAME_NAMED], ids=lambda text: text[:40])
def test_the_same_meaning_is_the_same_rule(one: str, other: str) -> None:
    first, second = read(one), read(other)
    assert first.unread == second.unread == ()
    assert first.clauses == second.clauses


@pytest.mark.parametrize("text", [one for pair in SAME for one in pair], ids=lambda text: text[:40])
def test_capitals_do_not_matter_where_no_keyword_stands(text: str) -> None:
    assert read(text.lower()).clauses == read(text).clauses


DIFFERENT = [
    ("This model has the Stealth ability.", "This unit has the Stealth ability."),
    ("Add 1 to the Advance roll made for this unit.", "Subtract 1 from the Advance roll made for this unit."),
    ("This unit's melee attacks have [Lance].", "This unit's ranged attacks have [Lance]."),
    (
        "Until the end of the phase, this unit has the Stealth ability.",
        "Until the end of the turn, this unit has the Stealth ability.",
    ),
    (
        "At the start of your Command phase, you gain 1CP.",
        "At the end of your Command phase, you gain 1CP.",
    ),
    (
        "Each time an enemy unit ends a Charge move, this unit can fight.",
        "Each time a friendly unit ends a Charge move, this unit can fight.",
    ),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT, ids=lambda text: text[:40])
def test_another_meaning_is_another_rule(one: str, other: str) -> None:
    assert read(one).status == read(other).status == "full"
    assert read(one).clauses != read(other).clauses


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        ".",
        "(",
        "■",
        "Le soleil brille sur la colline.",
        "これは規則ではない。",
        "{}[]()<>",
        "\x00\x01",
        "a" * 5000,
        "the " * 3000,
        "Each time " * 800,
        "(" * 4000,
        "Add 1 to " * 500 + ".",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_what_is_no_rule_gives_none(text: str) -> None:
    rule = read(text)
    assert rule.status == "none"
    assert not rule.clauses


def test_a_megabyte_gives_none_at_once() -> None:
    assert read("Each time this model makes an attack, add 1 to the Hit roll. " * 17_000).status == "none"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_gives_a_rule_and_spans_that_are_its_words(text: str) -> None:
    rule = read(text)
    for unread in rule.unread:
        assert text[unread.start : unread.end] == unread.text or unread.text in text
    assert from_json(to_json(rule), Rule) == rule


WORDS = (
    "each time this model unit makes an attack add 1 to the hit roll , . if until end of phase select one enemy 4+ D6"
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS.split()), max_size=30))
def test_any_row_of_rules_words_gives_the_same_rule_twice(words: list[str]) -> None:
    text = " ".join(words)
    assert read(text) == read(text)


def test_effects_under_a_condition_that_was_not_read_never_hold() -> None:
    rule = read("If the moon is full tonight over there, this unit has the Stealth ability.")
    assert rule.status == "partial"
    assert isinstance(rule.clauses[0].holds, Unknown)
    assert [unread.text for unread in rule.unread] == ["If the moon is full tonight over there"]


def may_act(clauses: Iterable[Clause]) -> Iterator[Effect]:
    """The effects that stand under no condition that was not read."""
    for clause in clauses:
        if any(isinstance(part, Unknown) for part in parts_of(clause.holds)):
            continue
        for effect in clause.do:
            yield effect
            if isinstance(effect, Give):
                yield from may_act(effect.clauses)


def test_what_restricts_an_effect_and_was_not_read_takes_it_along() -> None:
    rule = read("This unit has the Stealth ability, but only while somebody sings about it loudly.")
    assert families(rule) == ["grant"]
    assert not list(may_act(rule.clauses))
    assert [unread.text for unread in rule.unread] == ["but only while somebody sings about it loudly"]


UNREAD_BETWEEN = [
    "At the start of your turn, select one enemy unit. Bake the other unit a cake. That unit has the Stealth ability.",
    "At the start of your turn, select one enemy unit. Bake the other unit a cake. It has the Stealth ability.",
    "At the start of your turn, select one enemy unit. Bake the other unit a cake and that unit has the Stealth ability.",
    "Select one enemy unit. Bake it a cake. If you do, until the end of the turn, that unit has the Stealth ability.",
    "Select one enemy unit. Spin a wheel: on a 4+, that unit has the Stealth ability.",
]


@pytest.mark.parametrize("text", UNREAD_BETWEEN)
def test_what_speaks_of_unread_words_is_kept_and_never_holds(text: str) -> None:
    """Nothing named before those words is meant: not "that unit", "it", what was done or the result of a roll."""
    rule = read(text)
    given = [part for part in parts_of(rule.clauses) if isinstance(part, Grant)]
    assert len(given) == 1
    assert all(part.name in (None, NOT_READ) for grant in given for part in parts_of(grant) if isinstance(part, Select))
    assert not any(isinstance(effect, Grant) for effect in may_act(rule.clauses))
    assert rule.status == "partial"
    assert len(rule.unread) == 1
    assert parse(describe(rule)) == rule


def test_what_changes_the_words_before_unread_ones_is_not_read() -> None:
    rule = read("This unit suffers 3 mortal wounds. Bake it a cake. If it does, it suffers 1 mortal wound instead.")
    assert [mortal.amount for mortal in may_act(rule.clauses) if isinstance(mortal, Mortal)] == [Amount(Dice(0, 6, 3))]
    assert len(rule.unread) == 2


def test_if_it_does_needs_something_optional() -> None:
    rule = read("You gain 1CP. If it does, this unit has the Stealth ability.")
    assert rule.status == "partial"
    assert "grant" not in families(rule) or isinstance(rule.clauses[-1].holds, Unknown)


def test_unread_spans_point_into_the_text_as_it_was() -> None:
    text = "This unit has the Stealth ability. <i>Juggle</i>&nbsp;three “eggs” at dawn."
    unread = read(text).unread
    assert len(unread) == 1
    assert text[unread[0].start : unread[0].end] == unread[0].text
    assert unread[0].text.startswith("Juggle")
    assert "eggs" in unread[0].text


def test_clean_keeps_where_every_character_stood() -> None:
    raw = "a&amp;b<br>c ’d"
    text = clean(raw)
    assert text.plain == "a&b\nc 'd"
    assert raw[text.origin(text.plain.index("d"))] == "d"


def test_names_carry_limits_and_tags() -> None:
    rule = read("You gain 1CP.", name="Big Idea (Aura, Psychic)")
    assert rule.tags == ("aura", "psychic")
    rule = read("You gain 1CP.", name="Big Idea (Once per turn, twice per battle, per unit)")
    assert [(limit.per, limit.count, limit.each) for limit in rule.limits] == [
        ("turn", 1, "unit"),
        ("battle", 2, "unit"),
    ]


WHEN_HIT = (
    'Each time this unit ends an Advance move, select one enemy unit within 7" of it and roll one D6 for each model '
    "in this unit: "
)


def test_that_enemy_unit_is_never_ours() -> None:
    rule = read(WHEN_HIT + "for each 4+, that enemy unit suffers 1 mortal wound.")
    assert rule.status == "full"
    assert "“picked”" in describe(rule).split("mortal wounds to")[1]


def test_both_outcomes_are_of_the_test() -> None:
    rule = read(
        "At the start of your Charge phase, select one enemy unit. That unit must take a Leadership test: if that test is "
        "passed, until the end of the turn, that unit's melee attacks have -3 to hit rolls; "
        "if that test is failed, that unit cannot fight this turn."
    )
    assert rule.status == "full"
    outcomes = [effect.holds for effect in rule.clauses[0].do if isinstance(effect, Clause)]
    assert outcomes == [Outcome("passed"), Outcome("failed")]


def test_a_choice_between_abilities_is_made_once_for_all_attacks() -> None:
    rule = read(
        "Select either the [LETHAL HITS] or [LANCE] ability. This unit's melee attacks have the selected ability."
    )
    assert isinstance(rule.clauses[0].do[0], Choose)


def test_abilities_given_to_others_speak_of_them() -> None:
    rule = read("Friendly RED GUARD units have the following ability:\nWall (Aura): This unit has the Stealth ability.")
    given = rule.clauses[0].do[0]
    assert isinstance(given, Give)
    assert (given.name, given.who.side) == ("Wall (Aura)", "friendly")


def test_one_of_those_units_is_no_weapon() -> None:
    rule = read("Select one of those Red Eggs.")
    assert rule.status == "none"


def test_a_stratagem_whose_when_was_not_read_never_acts() -> None:
    rule = read(
        "WHEN: Tea time.\nTARGET: One RED GUARD unit from your army.\nEFFECT: Your unit has the Stealth ability."
    )
    assert rule.status == "partial"
    assert isinstance(rule.clauses[0].holds, Unknown)


def test_a_stratagem_may_have_two_targets() -> None:
    rule = read(
        "WHEN: Fight phase.\nTARGET: One RED GUARD unit from your army, and one friendly BLUE TRANSPORT.\n"
        "EFFECT: Your RED GUARD unit has the Stealth ability."
    )
    assert rule.also_target is not None
    assert rule.also_target.bind == "your other unit"
