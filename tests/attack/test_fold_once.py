"""Rules that act once in an activation, or besides the damage: what they make of the plain numbers."""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.attack.answer import answer
from battlewright.attack.fold import apply_rules
from battlewright.attack.request import Line, Request, read

AXE, GUN = {"A": 4, "skill": 4, "S": 4, "D": "D3", "melee": True}, {"A": 4, "skill": 4, "S": 4, "D": "D3"}


def asked(text: str, side: str, *weapons: dict[str, Any], group: dict[str, Any] | None = None) -> Request:
    groups = [{"models": 3, "T": 4, "W": 3, "Sv": 4} | (group or {})]
    attack = {"weapons": list(weapons or [GUN])}
    rules = {side: [{"name": "a rule", "text": text}]}
    return read({"edition": "10e", "attack": attack, "target": {"groups": groups}, "rules": rules})


def line(text: str, *weapons: dict[str, Any]) -> Line:
    return apply_rules(asked(text, "attacker", *weapons)).request.attack.weapons[0]


@pytest.mark.parametrize(
    ("text", "rolls"),
    [
        ("When this unit is selected to shoot, you can re-roll one Hit roll and one Wound roll.", ("hit", "wound")),
        ("Once per turn, you can re-roll one Damage roll made for a model in this unit.", ("damage",)),
        ("When this unit is selected to fight, you can re-roll one Hit roll.", ()),
    ],
)
def test_one_roll_of_a_kind(text: str, rolls: tuple[str, ...]) -> None:
    assert line(text).reroll_one == rolls


def test_one_roll_of_one_kind_is_the_best_one() -> None:
    found = apply_rules(
        asked("Once per phase, you can re-roll one Hit roll or one Wound roll made for this unit.", "attacker")
    )
    assert found.request.attack.weapons[0].reroll_one == ("wound",)
    assert found.assumed == ("a rule: the best option is taken: re-roll wound rolls one die of the bearer's unit",)


def test_it_is_kept_for_the_weapon_where_it_is_worth_most() -> None:
    text = "When this unit is selected to shoot, you can re-roll one Hit roll."
    weak, strong = GUN | {"S": 2, "D": 1, "name": "weak"}, GUN | {"S": 9, "AP": -3, "D": 3, "name": "strong"}
    found = answer(asked(text, "attacker", weak, strong))
    assert found.advice[0].choose == "keep it for strong and what follows"
    assert found.advice[0].gain > 0
    other = answer(asked(text, "attacker", strong, weak))
    assert other.advice[0].choose == "use it as soon as it helps"


def test_one_save_of_a_unit() -> None:
    text = "Once per turn, you can re-roll one saving throw made for a model in this unit."
    assert apply_rules(asked(text, "target")).request.target.reroll_one_save
    assert not apply_rules(asked(text, "attacker")).request.target.reroll_one_save


@pytest.mark.parametrize(
    ("text", "when"),
    [
        (
            "Once per battle, when an attack is allocated to this model, change the Damage of that attack to 0.",
            "allocated",
        ),
        ("Once per battle, when this model fails a saving throw, the Damage of that attack becomes 0.", "unsaved"),
        (
            "The first time a saving throw is failed for this model each turn, change the Damage of that attack to 0.",
            "unsaved",
        ),
        ("When a saving throw is failed for this model, change the Damage of that attack to 0.", ""),
    ],
)
def test_an_attack_without_damage(text: str, when: str) -> None:
    found = apply_rules(asked(text, "target", group={"models": 1}))
    assert found.request.target.groups[0].no_damage == when
    assert bool(found.assumed) != bool(when)


def test_mortal_wounds_besides() -> None:
    text = (
        "Each time this model makes a melee attack, if a Critical Wound is scored, the target suffers D3 mortal wounds."
    )
    assert str(line(text, AXE).crit_mortal) == "D3"
    assert not line(text, GUN).crit_mortal.high
    assert apply_rules(asked(text, "target", AXE)).request.attack.weapons[0].crit_mortal.high == 0


@pytest.mark.parametrize(
    ("text", "most"),
    [
        (
            "Each time this model makes an attack, a Critical Wound causes 1 mortal wound in addition to any damage.",
            None,
        ),
        ("Each critical wound for this model's attacks also causes 1 mortal wound to the target.", None),
        (
            "When this model scores a Critical Wound, the target suffers 1 mortal wound, to a maximum of 3 mortal wounds.",
            3,
        ),
        (
            "Each Critical Wound by this model's attacks causes 1 mortal wound (to a maximum of 6 mortal wounds per phase).",
            6,
        ),
    ],
)
def test_wordings_of_mortal_wounds_besides(text: str, most: int | None) -> None:
    found = line(text)
    assert (found.crit_mortal.bonus, found.crit_mortal_most) == (1, most)


def test_not_where_the_attack_ends_with_them() -> None:
    text = "Each time this model makes an attack, a Critical Wound causes 2 mortal wounds and the attack sequence ends."
    assert line(text).crit_mortal.high == 0
    assert "not counted" in apply_rules(asked(text, "attacker")).assumed[0]


def test_not_where_critical_wounds_have_a_profile_of_their_own() -> None:
    text = "Each time this model makes a melee attack, on a Critical Wound, the target suffers 1 mortal wound."
    found = apply_rules(asked(text, "attacker", AXE | {"crit_ap": 2}))
    assert "have an AP or Damage of their own" in found.assumed[0]
