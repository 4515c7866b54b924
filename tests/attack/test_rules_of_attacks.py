"""One line a rule: its id, an attack that turns on it, and the number worked out by hand; the answer must cite the rule."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest

from battlewright.attack.answer import Answer, answer
from battlewright.attack.request import read

BIG = {"models": 30, "T": 4, "W": 1, "Sv": 7}
TANK = {"models": 1, "T": 8, "W": 30, "Sv": 7}
SIX = {"A": 6, "skill": 4, "S": 4}


def ask(
    edition: str, weapon: dict[str, Any], group: dict[str, Any], attack: dict[str, Any], target: dict[str, Any]
) -> Answer:
    asked = {
        "edition": edition,
        "attack": {"weapons": [SIX | weapon]} | attack,
        "target": {"groups": [group]} | target,
    }
    return answer(read(asked))


#: (10e id, 11e id, weapon, group, attack, target, field, 10e value, 11e value)
RULES: list[tuple[str, str, dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any], str, F, F]] = [
    ("T-6.1", "05.01", {}, BIG, {}, {}, "hits", F(3), F(3)),
    ("T-6.1", "05.01", {"skill": 6, "hit_mod": -1}, BIG, {}, {}, "hits", F(1), F(1)),
    ("T-6.1", "05.01", {"skill": 2, "hit_mod": 1}, BIG, {}, {}, "hits", F(5), F(5)),
    ("T-6.2", "05.02", {"S": 8}, BIG, {}, {}, "wounds", F(5, 2), F(5, 2)),
    ("T-6.2", "05.02", {"S": 5}, BIG, {}, {}, "wounds", F(2), F(2)),
    ("T-6.2", "05.02", {"S": 4}, BIG, {}, {}, "wounds", F(3, 2), F(3, 2)),
    ("T-6.2", "05.02", {"S": 3}, BIG, {}, {}, "wounds", F(1), F(1)),
    ("T-6.2", "05.02", {"S": 2}, BIG, {}, {}, "wounds", F(1, 2), F(1, 2)),
    ("T-6.5", "05.03", {"AP": -1}, BIG | {"Sv": 3}, {}, {}, "damage", F(3, 4), F(3, 4)),
    ("T-6.5", "05.03", {"AP": -4}, BIG | {"Sv": 3, "InSv": 5}, {}, {}, "damage", F(1), F(1)),
    ("T-6.6", "05.04", {"D": 3}, BIG, {}, {}, "wasted", F(3), F(3)),
    ("T-6.7", "24.12", {}, BIG | {"FNP": 5}, {}, {}, "damage", F(1), F(1)),
    ("T-1.5", "02.02.01", {"hit_mod": 3}, BIG, {}, {}, "hits", F(4), F(4)),
    ("T-1.5", "02.02.01", {"wound_mod": -3}, BIG, {}, {}, "wounds", F(1), F(1)),
    ("T-1.3", "01.05.02", {"reroll_hits": "ones"}, BIG, {}, {}, "hits", F(7, 2), F(7, 2)),
    ("T-11.1", "13.08", {}, BIG | {"Sv": 4}, {}, {"cover": True}, "damage", F(1, 2), F(1, 2)),
    ("T-11.1", "13.08", {}, BIG | {"Sv": 3}, {}, {"cover": True}, "damage", F(1, 2), F(1, 3)),
    ("T-5.6", "24.33", {"AP": -1}, BIG | {"Sv": 3}, {}, {"stealth": True}, "damage", F(1, 2), F(1, 2)),
    ("W-RAPID", "24.30", {"rapid_fire": 2}, BIG, {"half_range": True}, {}, "attacks", F(8), F(8)),
    ("W-TORRENT", "24.37", {"torrent": True}, BIG, {}, {}, "hits", F(6), F(6)),
    ("W-IGNCOV", "24.18", {"ignores_cover": True}, BIG | {"Sv": 4}, {}, {"cover": True}, "damage", F(3, 4), F(3, 4)),
    ("W-TWIN", "24.38", {"twin_linked": True}, BIG, {}, {}, "wounds", F(9, 4), F(9, 4)),
    ("W-LETHAL", "24.23", {"lethal": True}, BIG, {}, {}, "wounds", F(2), F(2)),
    ("W-LANCE", "24.21", {"lance": True, "melee": True}, BIG, {"charged": True}, {}, "wounds", F(2), F(2)),
    ("W-INDIRECT", "10.07", {"indirect": True}, BIG, {}, {}, "hits", F(2), F(1)),
    ("W-BLAST", "24.05", {"blast": True}, BIG, {}, {}, "attacks", F(12), F(12)),
    ("W-MELTA", "24.25", {"melta": 2}, TANK | {"T": 4}, {"half_range": True}, {}, "damage", F(9, 2), F(9, 2)),
    ("W-HEAVY", "24.16", {"heavy": True}, BIG, {"stationary": True}, {}, "hits", F(4), F(4)),
    ("W-DEV", "24.10", {"devastating": True, "D": 2}, TANK | {"T": 4, "Sv": 2}, {}, {}, "damage", F(4, 3), F(4, 3)),
    ("W-SUST", "24.36", {"sustained": 2}, BIG, {}, {}, "hits", F(5), F(5)),
    ("W-ANTI", "24.03", {"anti": {"FLY": 2}}, TANK, {}, {"keywords": ["fly"]}, "wounds", F(5, 2), F(5, 2)),
    ("S-FO", "15.09", {}, BIG, {"snap": True}, {}, "hits", F(1), F(1)),
    ("S-FO", "15.09", {"reroll_hits": "fails"}, BIG, {"snap": True}, {}, "hits", F(11, 6), F(1)),
]


@pytest.mark.parametrize("place", range(len(RULES)))
@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_rule_and_its_number(place: int, edition: str) -> None:
    tenth, eleventh, weapon, group, attack, target, name, old, new = RULES[place]
    found = ask(edition, weapon, group, attack, target)
    rule, value = (tenth, old) if edition == "10e" else (eleventh, new)
    assert getattr(found, name).mean == pytest.approx(float(value))
    assert rule in found.cites


def test_cleave_is_of_the_eleventh_edition() -> None:
    """11e 24.06."""
    weapon = {"cleave": 2, "melee": True}
    assert ask("11e", weapon, BIG, {}, {}).attacks.mean == 18
    old = ask("10e", weapon, BIG, {}, {})
    assert old.attacks.mean == 6
    assert old.assumed


def test_indirect_fire_with_a_spotter() -> None:
    """11e 10.07: only unmodified 1 to 3 fail, and cover worsens BS 4+ to 5+."""
    found = ask("11e", {"indirect": True}, BIG, {"stationary": True, "spotter": True}, {})
    assert found.hits.mean == pytest.approx(2)


@pytest.mark.parametrize(("edition", "lost"), [("10e", F(1, 2)), ("11e", F(1, 3))])
def test_hazardous(edition: str, lost: F) -> None:
    """10e W-HAZ: 3 mortal wounds on a 1; 11e 24.15, 06.03: 1 on a 1 or 2."""
    attack = {"attacker": {"models": 5, "W": 3}}
    found = ask(edition, {"hazardous": True}, BIG, attack, {})
    assert found.attacker_wounds.mean == pytest.approx(float(lost))


def test_hazardous_monsters() -> None:
    """11e 06.03: 3 mortal wounds where every model is a MONSTER or VEHICLE."""
    found = ask("11e", {"hazardous": True}, BIG, {"attacker": {"models": 1, "W": 12, "monster_vehicle": True}}, {})
    assert found.attacker_wounds.mean == pytest.approx(1.0)


def test_precision_reaches_the_character() -> None:
    """10e W-PRECISION; 11e 24.28: no bodyguard is lost before the character."""
    groups = [BIG | {"models": 5}, {"models": 1, "T": 4, "W": 4, "Sv": 7, "character": True}]
    for edition in ("10e", "11e"):
        asked = {"edition": edition, "target": {"groups": groups}}
        plain = answer(read(asked | {"attack": {"weapons": [SIX]}}))
        sniper = answer(read(asked | {"attack": {"weapons": [SIX | {"precision": True}]}}))
        assert plain.p_character_slain == 0
        assert sniper.p_character_slain == pytest.approx(
            sum(share for n, share in sniper.damage_dist.items() if int(n) >= 4)
        )


def test_order_of_changes_to_damage() -> None:
    """10e T-1.5: divide, add, subtract; 11e 02.02.01: add, divide, subtract. D 4, melta 3, halved."""
    group = TANK | {"T": 4, "halve_damage": True}
    weapon = {"D": 4, "melta": 3}
    tenth = ask("10e", weapon, group, {"half_range": True}, {})
    eleventh = ask("11e", weapon, group, {"half_range": True}, {})
    assert tenth.damage.mean == pytest.approx(1.5 * 5)
    assert eleventh.damage.mean == pytest.approx(1.5 * 4)


def test_a_save_is_improved_by_one_at_most() -> None:
    """10e T-6.5: cover and another +1 are +1 together."""
    both = ask("10e", {}, BIG | {"Sv": 5}, {}, {"cover": True, "save_mod": 1})
    one = ask("10e", {}, BIG | {"Sv": 5}, {}, {"cover": True})
    assert both.damage.mean == pytest.approx(one.damage.mean)
