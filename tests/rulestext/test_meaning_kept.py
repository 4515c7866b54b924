"""Changes that keep the meaning of a text keep its rule: of texts met, and of invented ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battlewright.effects import Clause, Rule
from battlewright.effects_words import words_of
from battlewright.rulestext import compile as read
from battlewright.rulestext.report import HELD_OUT, entries

CAPITALS = re.compile(r"\b([A-Z]{4,}(?: [A-Z]{4,})*)\b(?!:)")


def _bullets(mark: str) -> Callable[[str], str]:
    return lambda text: re.sub(r"(?m)^\s*(?:[■•▪]|-(?=\s))\s*", mark + " ", text)


#: how the same text may be written: quotes, dashes, marks, spaces, lines
WRITTEN: dict[str, Callable[[str], str]] = {
    "curly apostrophes": lambda text: text.replace("'", "’"),
    "straight quotes": lambda text: re.sub("[’‘]", "'", re.sub("[“”″]", '"', text)),
    "hyphens of their own": lambda text: text.replace("-", "‐"),
    "hyphens that do not break": lambda text: text.replace("-", "\u2011"),
    "dashes in words": lambda text: re.sub(r"(?<=\w)-(?=\w)", "–", text),
    "primes": lambda text: re.sub(r'(?<=\d)["”]', "″", text),
    "inches": lambda text: re.sub(r'(?<=\d)["”]', " inches", text),
    "doubled spaces": lambda text: text.replace(" ", "  "),
    "spaces that do not break": lambda text: text.replace(" ", "\u00a0"),
    "dashes as bullets": _bullets("-"),
    "dots as bullets": _bullets("•"),
    "squares as bullets": _bullets("■"),
    "lines of another system": lambda text: text.replace("\n", "\r\n"),
    "bold keywords": lambda text: CAPITALS.sub(r"<b>\1</b>", text),
    "starred keywords": lambda text: CAPITALS.sub(r"**\1**", text),
    "marked keywords": lambda text: CAPITALS.sub(r"^^**\1**^^", text),
    "abilities in small letters": lambda text: re.sub(r"\[[^\]]*\]", lambda found: found.group().title(), text),
    "no last full stop": lambda text: text.rstrip().rstrip("."),
    "this unit": lambda text: (
        text if "this unit" in text.lower() else re.sub(r"\bthis model['’]s unit\b", "this unit", text)
    ),
    "choose": lambda text: re.sub(r"\bselect\b", "choose", text),
    "whenever": lambda text: text.replace("Each time", "Whenever").replace("each time", "whenever"),
}

INVENTED = [
    "Each time this model’s unit is selected to fight, select one RED GUARD unit within 6\" of it. Until the end of the "
    "phase, that unit’s melee weapons have the [LETHAL HITS] ability.",
    "This unit can make a Normal move of up to D6+1\", and has +2\" M. It can re-roll Battle-shock tests.",
    "Friendly RED GUARD units have:\n■ +1 to hit rolls.\n■ [SUSTAINED HITS 1].",
    "At the start of your Command phase, roll one D6 for each friendly RED GUARD model within 3\" of this model:\n"
    "- On a 4+, that model regains D3 lost wounds.\n- On a 1, that model suffers 1 mortal wound.",
]  # fmt: skip


@pytest.mark.parametrize("way", WRITTEN)
@pytest.mark.parametrize("text", INVENTED, ids=lambda text: text[:30])
def test_a_text_may_be_written_in_many_ways(text: str, way: str) -> None:
    assert meaning(read(WRITTEN[way](text))) == meaning(read(text))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(INVENTED), st.lists(st.sampled_from(sorted(WRITTEN)), max_size=5))
def test_and_in_several_at_once(text: str, ways: list[str]) -> None:
    changed = text
    for way in ways:
        changed = WRITTEN[way](changed)
    assert meaning(read(changed)) == meaning(read(text))


def meaning(rule: Rule) -> tuple[Any, ...]:
    return rule.status, rule.clauses, rule.target, rule.bearer, rule.limits


def met(shared: Path, step: int) -> Iterator[tuple[dict[str, str], Rule]]:
    """Texts read in full, of factions that may be looked at."""
    texts = {one["text"]: one for one in entries(shared / "corpus") if one["faction"] not in HELD_OUT}
    for one in list(texts.values())[::step]:
        rule = read(one["text"], name=one["name"], kind=one["kind"])  # type: ignore[arg-type]
        if one["kind"] != "crusade" and rule.status == "full":
            yield one, rule


def changed_meanings(shared: Path, step: int) -> tuple[int, list[str]]:
    tried, wrong = 0, []
    for one, rule in met(shared, step):
        for way, write in WRITTEN.items():
            text = write(one["text"])
            if text != one["text"]:
                tried += 1
                other = read(text, name=one["name"], kind=one["kind"])  # type: ignore[arg-type]
                if meaning(other) != meaning(rule):
                    wrong.append(f"{one['id']}: {way}")
    return tried, wrong


def test_texts_met_may_be_written_in_many_ways(shared: Path) -> None:
    tried, wrong = changed_meanings(shared, 150)
    assert tried > 120
    assert wrong == []


@pytest.mark.long
def test_all_texts_met_may_be_written_in_many_ways(shared: Path) -> None:
    tried, wrong = changed_meanings(shared, 5)
    assert len(wrong) <= tried / 500, wrong


# ------------------------------------------------------------------------------------------------ order, and dialects

#: words by which a sentence speaks of another one
REFERS = re.compile(
    r"\b(that|those|these|this (?:stratagem|ability|save|invulnerable)|such|it|its|they|them|their|instead|also|addition"
    r"|then|if it does|if you do|otherwise|as well|again|selected|chosen|following|below|above|first|other|remaining"
    r"|either)\b",
    re.I,
)


def said(rule: Rule) -> list[str]:
    """Every effect with all it stands under, in alphabetical order."""
    return sorted(
        words_of(Clause((effect,), one.when, one.holds, one.may, one.lasts, one.limits, one.name))
        for one in rule.clauses
        for effect in one.do
    )


def test_sentences_that_do_not_speak_of_each_other_may_change_places(shared: Path) -> None:
    tried, wrong = 0, []
    for one, rule in met(shared, 9):
        text = one["text"].strip()
        sentences = re.split(r"(?<=\.)\s+(?=[A-Z])", text)
        alone = len(sentences) > 1 and "\n" not in text and not any(REFERS.search(sentence) for sentence in sentences)
        if not alone or text.startswith("WHEN") or " only." in text:
            continue
        tried += 1
        turned = " ".join(sentence.rstrip(".") + "." for sentence in sentences[::-1])
        other = read(turned, name=one["name"], kind=one["kind"])  # type: ignore[arg-type]
        if other.status != "full" or said(other) != said(rule):
            wrong.append(one["id"])
    assert tried > 5
    assert wrong == []


WHO = {
    "this model": "this model's",
    "the bearer": "the bearer's",
    "a model in this unit": "this unit's",
    "a model in the bearer's unit": "the bearer's unit's",
}
WHOM = (
    "",
    " that targets a RED GUARD unit",
    " that targets a unit below Half-strength",
    " that targets the closest enemy unit",
)
OLD_AND_NEW = [
    ("add 1 to the Hit roll", "have +1 to hit rolls"),
    ("subtract 2 from the Wound roll", "have -2 to wound rolls"),
    ("re-roll a Hit roll of 1", "can re-roll hit rolls of 1"),
    ("you can re-roll the Wound roll", "can re-roll wound rolls"),
    ("that attack has the [LETHAL HITS] ability", "have [LETHAL HITS]"),
    ("improve the Armour Penetration characteristic of that attack by 1", "have +1 AP"),
    ("add 1 to the Strength characteristic of that attack", "have +1 S"),
]


@pytest.mark.parametrize(("old", "new"), OLD_AND_NEW)
@pytest.mark.parametrize("kind", ["", "melee ", "ranged "])
@pytest.mark.parametrize("whom", WHOM)
@pytest.mark.parametrize("who", WHO)
def test_the_older_and_the_newer_dialect_mean_the_same(who: str, whom: str, kind: str, old: str, new: str) -> None:
    a = "an" if not kind else "a"
    older = read(f"Each time {who} makes {a} {kind}attack{whom}, {old}.")
    whose = WHO[who][0].upper() + WHO[who][1:]
    newer = read(f"{whose} {kind}attacks{whom.replace('targets', 'target', 1)} {new}.")
    assert older.status == "full"
    assert older.clauses == newer.clauses


ALSO = [
    ("Models in this unit have the Stealth ability.", "This unit has Stealth."),
    ("Models in this unit have a 5+ invulnerable save.", "This unit has 5+ InSv."),
    ("Models in this unit have the Feel No Pain 5+ ability.", "This unit has Feel No Pain 5+."),
    ("Add 1 to Charge rolls made for this unit.", "This unit has +1 to charge rolls."),
    ("You can re-roll Advance rolls made for this unit.", "This unit can re-roll advance rolls."),
    ("The bearer regains up to D3 lost wounds.", "The bearer heals D3 wounds."),
    ("Melee weapons equipped by this model have the [LANCE] ability.", "This model's melee attacks have [LANCE]."),
    (
        "Add 1 to the Attacks characteristic of melee weapons equipped by the bearer.",
        "The bearer's melee attacks have +1 A.",
    ),
    (
        "Each time an attack targets this unit, subtract 1 from the Wound roll.",
        "Attacks that target this unit have -1 to wound rolls.",
    ),
]


@pytest.mark.parametrize(("old", "new"), ALSO, ids=lambda text: text[:40])
def test_what_units_have_may_be_said_in_either_dialect(old: str, new: str) -> None:
    assert read(old).status == "full"
    assert read(old).clauses == read(new).clauses


# ------------------------------------------------------------------------------------------------------------ no rules

ALPHABETS = st.one_of(
    st.text(max_size=400),
    st.text(alphabet="абвгдежзиклмнопрстуфхцчшщъыьэюя ,.", max_size=400),
    st.text(alphabet="あいうえおかきくけこ漢字戦闘。、", max_size=400),
    st.text(alphabet="()[]{}<>«»:;,.-–—■•\n\t \"'", max_size=400),
    st.text(alphabet=st.characters(categories=("So", "Sm", "Mn", "Cf", "Co")), max_size=200),
)


@settings(max_examples=120, deadline=None)
@given(ALPHABETS)
def test_what_is_no_rules_text_is_none_and_never_a_fault(text: str) -> None:
    rule = read(text)
    assert rule.status == "none"
    assert rule.clauses == ()


@pytest.mark.parametrize(
    "text",
    [
        "Chaque fois que cette figurine effectue une attaque, ajoutez 1 au jet de touche.",
        "Jedes Mal, wenn dieses Modell einen Angriff macht, addiere 1 auf den Trefferwurf.",
        "Cada vez que esta miniatura haga un ataque, suma 1 a la tirada para impactar.",
        "Каждый раз, когда эта модель атакует, добавьте 1 к броску на попадание.",
        "このモデルが攻撃を行うたびに、ヒットロールに1を加える。",
    ],
)
def test_other_languages_are_no_rules_yet(text: str) -> None:
    assert read(text).status == "none"


@pytest.mark.parametrize("brackets", ["()", "[]", "{}", "<>", "“”"])
def test_deeply_nested_brackets_are_none_at_once(brackets: str) -> None:
    for depth in (50, 3000):
        assert read(brackets[0] * depth + "Add 1 to" + brackets[1] * depth).status == "none"


@settings(max_examples=20, deadline=None)
@given(st.text(min_size=1, max_size=30), st.integers(20_000, 60_000))
def test_a_megabyte_of_anything_is_none_at_once(piece: str, times: int) -> None:
    assert read(piece * times if len(piece) * times > 12_000 else piece * 12_001).status == "none"
