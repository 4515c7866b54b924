"""Effects that ask for more than a number: results that always fail, criticals, the number of attacks, limits, choices."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battlewright.attack.exact import resolve
from battlewright.attack.fold import Folded, apply_rules
from battlewright.attack.plan import build
from battlewright.attack.request import Line, Request, read
from battlewright.attack.rolled import resolve as roll
from battlewright.dice import Dice, Scripted
from battlewright.distribution import EXACT


def asked(text: str = "", side: str = "attacker", edition: str = "10e", **more: Any) -> Request:
    weapon = {"A": 4, "skill": 4, "S": 4, "AP": -1, "D": 2} | more.get("weapon", {})
    group = {"models": 5, "T": 4, "W": 3, "Sv": 3} | more.get("group", {})
    request: dict[str, Any] = {"edition": edition, "attack": {"weapons": [weapon]}, "target": {"groups": [group]}}
    if text:
        request["rules"] = {side: [{"name": "a rule", "text": text, **more.get("given", {})}]}
    return read(request | {"situation": more.get("situation", {})})


def folded(text: str, side: str = "attacker", edition: str = "10e", **more: Any) -> Folded:
    return apply_rules(asked(text, side, edition, **more))


def line(text: str, side: str = "attacker", edition: str = "10e", **more: Any) -> Line:
    return folded(text, side, edition, **more).request.attack.weapons[0]


def mean(request: Request) -> Fraction:
    found = resolve(build(request), numbers=EXACT).damage.mean
    assert isinstance(found, Fraction)
    return found


@pytest.mark.parametrize(
    ("text", "edition"),
    [
        ("Each time an attack targets this unit, an unmodified Wound roll of 1-3 always fails.", "10e"),
        ("Each time an attack targets this unit, unmodified Wound rolls of 1, 2 or 3 fail.", "10e"),
        ("Attacks that target this unit fail on unmodified wound rolls of 1-3.", "11e"),
    ],
)
def test_low_wound_rolls_always_fail_even_critical_ones(text: str, edition: str) -> None:
    assert line(text, "target", edition).wound_fails == 3
    assert line(text, "attacker", edition).wound_fails == 0
    sure = {"A": 1, "torrent": True, "S": 9, "crit_wound": 2, "D": 1}
    assert mean(folded(text, "target", edition, weapon=sure, group={"Sv": 7}).request) == Fraction(1, 2)


def test_low_hit_rolls_always_fail() -> None:
    text = "Each time a ranged attack targets this model, an unmodified Hit roll of 1-3 fails."
    gun = {"A": 6, "skill": 2, "S": 9, "AP": -6, "D": 1, "crit_wound": 2, "reroll_hits": "fails"}
    assert line(text, "target", weapon=gun).hit_fails == 3
    assert line(text, "target", weapon={"melee": True}).hit_fails == 0
    assert mean(folded(text, "target", weapon=gun).request) == 6 * Fraction(3, 4) * Fraction(5, 6)


@pytest.mark.parametrize(
    ("text", "edition", "deeper"),
    [
        ("Each time this model makes an attack, on a Critical Wound, improve the Armour Penetration characteristic "
         "of that attack by 2.", "10e", 2),
        ("This unit's attacks have +1 AP on critical wounds.", "11e", 1),
        ("Each time a model in this unit makes an attack, if a Critical Wound is scored, that attack has an Armour "
         "Penetration characteristic of -4.", "10e", 3),
    ],
)  # fmt: skip
def test_criticals_improve_armour_penetration(text: str, edition: str, deeper: int) -> None:
    assert line(text, "attacker", edition).crit_ap == deeper
    assert line(text, "attacker", edition).AP == -1
    assert line(text, "target", edition).crit_ap == 0
    one = {"A": 6, "skill": 2, "D": 1, "crit_wound": 5}
    found = mean(folded(text, "attacker", edition, weapon=one).request)
    wounds = 6 * Fraction(5, 6)
    assert found == wounds * (Fraction(1, 6) * Fraction(3, 6) + Fraction(2, 6) * Fraction(3 + deeper, 6))


def test_criticals_do_more_damage() -> None:
    text = (
        "Each time this model makes an attack, on a Critical Wound, add 2 to the Damage characteristic of that attack."
    )
    assert line(text).crit_D == Dice.parse(4)
    assert Dice.parse(2) == line(text).D
    sure = {"A": 6, "skill": 2, "S": 3, "AP": -6, "D": 1}
    found = mean(folded(text, weapon=sure, group={"models": 1, "W": 99}).request)
    assert found == 6 * Fraction(5, 6) * (Fraction(1, 6) * 1 + Fraction(1, 6) * 3)


def test_what_else_criticals_do_is_named_and_not_counted_for_all_attacks() -> None:
    text = "Each time this model makes an attack, on a Critical Hit, add 2 to the Damage characteristic of that attack."
    found = folded(text)
    assert found.request.attack.weapons[0] == asked().attack.weapons[0]
    assert found.assumed or found.answers[0].unread


@pytest.mark.parametrize(
    ("text", "edition"),
    [
        ("Each time this model is selected to shoot, you can re-roll the dice to determine the number of attacks "
         "made with its ranged weapons.", "10e"),
        ("This unit's attacks can re-roll rolls to determine the number of attacks.", "11e"),
    ],
)  # fmt: skip
def test_the_number_of_attacks_is_rolled_again_below_its_mean(text: str, edition: str) -> None:
    gun = {"count": 2, "A": "D6+1", "skill": 4}
    assert line(text, "attacker", edition, weapon=gun).reroll_attacks
    assert not line(text, "target", edition, weapon=gun).reroll_attacks
    plan = build(folded(text, "attacker", edition, weapon=gun).request)
    assert resolve(plan, numbers=EXACT).means.attacks == 2 * Fraction(21, 4)
    assert roll(plan, Scripted([3, 6, 4] + [1] * 12)).attacks == 7 + 5


def test_a_change_stops_at_its_own_limit() -> None:
    at_me = "Each time an attack targets this unit, "
    text = at_me + "subtract 2 from the Strength characteristic of that attack (to a minimum of 3)."
    assert line(text, "target").S == 3
    assert line(text, "target", weapon={"S": 8}).S == 6
    assert line(text, "target", weapon={"S": 2}).S == 2
    deeper = at_me + "worsen the Armour Penetration characteristic of that attack by 2 (to a minimum of 0)."
    assert line(deeper, "target").AP == 0
    better = "Improve the Save characteristic of models in this unit by 2 (to a maximum of 3+)."
    assert folded(better, "target", group={"Sv": 4}).request.target.groups[0].Sv == 3
    assert folded(better, "target", group={"Sv": 2}).request.target.groups[0].Sv == 2


CHOICE = (
    "Each time this unit is selected to shoot, select either the [LETHAL HITS] or [SUSTAINED HITS 2] ability. Until the "
    "end of the phase, ranged weapons equipped by models in this unit have that ability."
)


def test_the_option_best_for_its_owner_is_taken_and_named() -> None:
    soft, hard = {"S": 9}, {"S": 3}
    assert line(CHOICE, weapon=soft).sustained.constant == 2
    assert not line(CHOICE, weapon=soft).lethal
    assert line(CHOICE, weapon=hard, group={"T": 12}).lethal
    assert any(
        "best option" in words and "lethal" in words.lower()
        for words in folded(CHOICE, weapon=hard, group={"T": 12}).assumed
    )
    told = line(CHOICE, weapon=soft, given={"choose": "[LETHAL HITS]"})
    assert told.lethal
    assert told.sustained.constant == 0
