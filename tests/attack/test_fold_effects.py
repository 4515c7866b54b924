"""Every kind of effect on an attack, in both editions and from both sides: the numbers that change, and no others."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from battlewright.attack.answer import answer
from battlewright.attack.fold import Folded, Given, fold
from battlewright.attack.request import read
from battlewright.dice import Dice
from battlewright.effects import (
    Amount,
    AttackIs,
    Choose,
    Clause,
    CritOn,
    DamageTo,
    Duration,
    Effect,
    Give,
    Grant,
    IgnoreMods,
    Keyword,
    Limit,
    Named,
    Option,
    PerAttack,
    Remove,
    Reroll,
    RollMod,
    Rule,
    Select,
    StatMod,
    Window,
)

ME, UNIT, OURS = Select("model", ref="self"), Select("unit", ref="unit"), Select("model", of=Select("unit", ref="unit"))


def n(value: int | str) -> Amount:
    return Amount(Dice.parse(value))


def question(edition: str = "10e", **more: Any) -> dict[str, Any]:
    weapon = {"A": 4, "skill": 4, "S": 4, "AP": -1, "D": 2} | more.pop("weapon", {})
    group = {"models": 5, "T": 4, "W": 3, "Sv": 3} | more.pop("group", {})
    attack = {"weapons": [weapon]} | more.pop("attack", {})
    target = {"groups": [group], "keywords": ["INFANTRY"]} | more.pop("target", {})
    return {"edition": edition, "attack": attack, "target": target, "situation": more}


def ruled(request: dict[str, Any], *clauses: Clause, owner: Any = "attacker", choose: str = "", **parts: Any) -> Folded:
    return fold(read(request), {owner: [Given(Rule("a rule", clauses, **parts), choose)]})


def ours(*effects: Effect, **when: Any) -> Clause:
    return Clause(effects, PerAttack(attacker=OURS, **when))


def theirs(*effects: Effect, **when: Any) -> Clause:
    return Clause(effects, PerAttack("target", target=UNIT, **when))


def wa(name: str, amount: int | str | None = None, *keywords: str) -> Grant:
    return Grant("weapon_ability", name, None if amount is None else n(amount), keywords)


WEAPON: dict[str, tuple[Effect, dict[str, Any]]] = {
    "hit +1": (RollMod("hit", n(1)), {"hit_mod": 1}),
    "hit -1": (RollMod("hit", n(1), -1), {"hit_mod": -1}),
    "wound +1": (RollMod("wound", n(1)), {"wound_mod": 1}),
    "skill": (StatMod(("BS", "WS"), "improve", n(1), "attack"), {"skill_mod": -1}),
    "skill worse": (StatMod(("BS",), "worsen", n(1), "attack"), {"skill_mod": 1}),
    "A": (StatMod(("A",), "add", n(2), "attack"), {"A": Dice.parse(6)}),
    "A dice": (StatMod(("A",), "add", n("D3"), "attack"), {"A": Dice.parse("D3+4")}),
    "A set": (StatMod(("A",), "set", n(6), "attack"), {"A": Dice.parse(6)}),
    "S": (StatMod(("S",), "add", n(2), "attack"), {"S": 6}),
    "S doubled": (StatMod(("S",), "multiply", n(2), "attack"), {"S": 8}),
    "A S D": (StatMod(("A", "S", "D"), "add", n(1), "attack"), {"A": Dice.parse(5), "S": 5, "D": Dice.parse(3)}),
    "A never below 1": (StatMod(("A",), "subtract", n(9), "attack"), {"A": Dice.parse(1)}),
    "AP": (StatMod(("AP",), "improve", n(1), "attack"), {"AP": -2}),
    "AP worse": (StatMod(("AP",), "worsen", n(3), "attack"), {"AP": 0}),
    "D to 1": (DamageTo(1), {"D": Dice.parse(1)}),
    "re-roll hits of 1": (Reroll("hit", "faces", (1,), may=False), {"reroll_hits": "ones"}),
    "re-roll hits": (Reroll("hit"), {"reroll_hits": "fails"}),
    "re-roll failed wounds": (Reroll("wound", "failed"), {"reroll_wounds": "fails"}),
    "re-roll damage": (Reroll("damage"), {"reroll_damage": "fails"}),
    "lethal": (wa("lethal hits"), {"lethal": True}),
    "sustained": (wa("sustained hits", 2), {"sustained": Dice.parse(2)}),
    "sustained D3": (wa("sustained hits", "D3"), {"sustained": Dice.parse("D3")}),
    "devastating": (wa("devastating wounds"), {"devastating": True}),
    "anti": (wa("anti", 4, "INFANTRY"), {"anti": {"INFANTRY": 4}}),
    "precision": (wa("precision"), {"precision": True}),
    "ignores cover": (wa("ignores cover"), {"ignores_cover": True}),
    "heavy": (wa("heavy"), {"heavy": True}),
    "lance": (wa("lance"), {"lance": True}),
    "rapid fire": (wa("rapid fire", 1), {"rapid_fire": Dice.parse(1)}),
    "blast": (wa("blast"), {"blast": 1}),
    "cleave": (wa("cleave", 1), {"cleave": 1}),
    "melta": (wa("melta", 2), {"melta": 2}),
    "twin-linked": (wa("twin-linked"), {"twin_linked": True}),
    "torrent": (wa("torrent"), {"torrent": True}),
    "hazardous": (wa("hazardous"), {"hazardous": True}),
    "only against a keyword it has": (wa("lethal hits", None, "INFANTRY"), {"lethal": True}),
    "only against a keyword it has not": (wa("lethal hits", None, "VEHICLE"), {}),
    "critical hits": (CritOn("hit", 5), {"crit_hit": 5}),
    "critical wounds": (CritOn("wound", 5), {"crit_wound": 5}),
    "no cover": (Remove("cover", who=Select("unit", ref="target")), {"ignores_cover": True}),
    "an ability without numbers": (wa("assault"), {}),
}

TARGET: dict[str, tuple[Effect, dict[str, Any], dict[str, Any]]] = {
    "T": (StatMod(("T",), "add", n(1), who=UNIT), {"T": 5}, {}),
    "W": (StatMod(("W",), "add", n(1), who=UNIT), {"W": 4}, {}),
    "Sv": (StatMod(("Sv",), "improve", n(1), who=UNIT), {"Sv": 2}, {}),
    "Sv never 1+": (StatMod(("Sv",), "improve", n(2), who=UNIT), {"Sv": 2}, {}),
    "invulnerable": (Grant("invulnerable", amount=n(5), who=UNIT), {"InSv": 5}, {}),
    "InSv, ranged": (Grant("invulnerable", amount=n(5), against=AttackIs("ranged"), who=UNIT), {"InSv": 5}, {}),
    "InSv, melee": (Grant("invulnerable", amount=n(5), against=AttackIs("melee"), who=UNIT), {}, {}),
    "feel no pain": (Grant("feel_no_pain", amount=n(5), who=UNIT), {"FNP": 5}, {}),
    "FNP, mortal": (Grant("feel_no_pain", amount=n(4), against=AttackIs("mortal"), who=UNIT), {"FNP_mortal": 4}, {}),
    "FNP, psychic": (Grant("feel_no_pain", amount=n(4), against=AttackIs("psychic"), who=UNIT), {}, {}),
    "cover": (Grant("cover", who=UNIT), {}, {"cover": True}),
    "stealth": (Grant("unit_ability", "stealth", who=UNIT), {}, {"stealth": True}),
    "save roll": (RollMod("save", n(1), who=UNIT), {}, {"save_mod": 1}),
    "re-roll saves": (Reroll("save", "faces", (1,), who=UNIT), {}, {"reroll_saves": "ones"}),
    "deep strike": (Grant("unit_ability", "deep strike", who=UNIT), {}, {}),
}


def differences(before: Any, after: Any) -> dict[str, Any]:
    """The fields in which two structs differ, with the second's values."""
    names = before.__struct_fields__
    return {name: getattr(after, name) for name in names if getattr(after, name) != getattr(before, name)}


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("name", WEAPON)
def test_what_an_attack_gets(name: str, edition: str) -> None:
    effect, wanted = WEAPON[name]
    request = question(edition)
    folded = ruled(request, ours(effect))
    assert differences(read(request).attack.weapons[0], folded.request.attack.weapons[0]) == wanted
    assert folded.request.target == read(request).target
    assert folded.assumed == ()


@pytest.mark.parametrize("name", WEAPON)
def test_the_same_rule_on_the_unit_attacked_does_nothing(name: str) -> None:
    request = question()
    assert ruled(request, ours(WEAPON[name][0]), owner="target").request == read({**request, "situation": {}})


@pytest.mark.parametrize("name", WEAPON)
def test_melee_rules_leave_ranged_attacks_alone(name: str) -> None:
    request = question()
    folded = ruled(request, ours(WEAPON[name][0], kind="melee"))
    assert folded.request == read(request)
    assert folded.answers[0].applied == ()


@pytest.mark.parametrize("edition", ["10e", "11e"])
@pytest.mark.parametrize("name", TARGET)
def test_what_the_unit_attacked_gets(name: str, edition: str) -> None:
    effect, group, target = TARGET[name]
    request = question(edition)
    folded = ruled(request, Clause((effect,)), owner="target")
    before, after = read(request).target, folded.request.target
    assert differences(before.groups[0], after.groups[0]) == group
    assert {name: value for name, value in differences(before, after).items() if name != "groups"} == target
    assert folded.request.attack == read(request).attack
    assert ruled(request, Clause((effect,))).request == read(request)


@pytest.mark.parametrize(
    ("effect", "weapon", "group"),
    [
        (RollMod("hit", n(1), -1), {"hit_mod": -1}, {}),
        (RollMod("wound", n(1), -1), {"wound_mod": -1}, {}),
        (StatMod(("AP",), "worsen", n(1), "attack"), {"AP": 0}, {}),
        (StatMod(("S",), "subtract", n(1), "attack"), {"S": 3}, {}),
        (StatMod(("D",), "subtract", n(1), "attack"), {}, {"minus_damage": 1}),
        (StatMod(("D",), "halve", n(2), "attack"), {}, {"halve_damage": True}),
    ],
)
def test_what_attacks_against_a_unit_lose(effect: Effect, weapon: dict[str, Any], group: dict[str, Any]) -> None:
    request = question()
    folded = ruled(request, theirs(effect), owner="target")
    assert differences(read(request).attack.weapons[0], folded.request.attack.weapons[0]) == weapon
    assert differences(read(request).target.groups[0], folded.request.target.groups[0]) == group
    assert ruled(request, theirs(effect)).request == read(request)
    assert ruled(request, theirs(effect, kind="melee"), owner="target").request == read(request)


def test_damage_to_0_once_is_counted_once() -> None:
    request = question()
    once = Clause((DamageTo(0),), PerAttack("target", target=UNIT), may="you", limits=(Limit("battle"),))
    folded = ruled(request, once, owner="target")
    assert {group.no_damage for group in folded.request.target.groups} == {"allocated"}
    always = ruled(request, msgspec.structs.replace(once, limits=()), owner="target")
    assert always.request == read(request)
    assert len(always.assumed) == 1


def test_abilities_of_one_kind_are_not_added_up() -> None:
    request = question(weapon={"sustained": 1, "anti": {"INFANTRY": 5}, "rapid_fire": 2, "reroll_hits": "fails"})
    folded = ruled(
        request,
        ours(
            wa("sustained hits", "D3"),
            wa("sustained hits", 1),
            wa("anti", 4, "INFANTRY"),
            wa("rapid fire", 1),
            Reroll("hit", "faces", (1,)),
        ),
    )
    weapon = folded.request.attack.weapons[0]
    assert (str(weapon.sustained), weapon.anti, str(weapon.rapid_fire)) == ("D3", {"INFANTRY": 4}, "2")
    assert weapon.reroll_hits == "fails"


def test_the_best_of_several_saves_counts() -> None:
    request = question(group={"InSv": 4, "FNP": 6})
    folded = ruled(
        request,
        Clause((Grant("invulnerable", amount=n(5), who=UNIT), Grant("feel_no_pain", amount=n(5), who=UNIT))),
        owner="target",
    )
    group = folded.request.target.groups[0]
    assert (group.InSv, group.FNP) == (4, 5)


def test_modifiers_are_summed_and_left_to_the_cap() -> None:
    request = question(attack={"charged": True}, weapon={"lance": True, "melee": True})
    folded = ruled(request, ours(RollMod("wound", n(1)), RollMod("wound", n(1))))
    assert folded.request.attack.weapons[0].wound_mod == 2


@pytest.mark.parametrize(("edition", "wanted"), [("10e", 3), ("11e", 4)])
def test_the_edition_orders_changes(edition: str, wanted: int) -> None:
    request = question(edition, weapon={"A": 4})
    folded = ruled(request, ours(StatMod(("A",), "halve", n(1), "attack"), StatMod(("A",), "add", n(1), "attack")))
    assert Dice.parse(3) == folded.request.attack.weapons[0].A
    folded = ruled(
        question(edition, weapon={"A": 6}),
        ours(StatMod(("A",), "halve", n(1), "attack"), StatMod(("A",), "add", n(2), "attack")),
    )
    assert folded.request.attack.weapons[0].A.bonus == {"10e": 5, "11e": 4}[edition]
    assert wanted in (3, 4)


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_bad_modifiers_may_be_ignored_and_good_ones_kept(edition: str) -> None:
    request = question(edition, target={"hit_mod": -1, "cover": True, "stealth": True}, weapon={"hit_mod": 1})
    folded = ruled(request, ours(IgnoreMods(("hit", "BS"))))
    clean = read(question(edition, weapon={"hit_mod": 1}, target={"cover": edition == "10e"}))
    assert answer(folded.request).damage == answer(clean).damage


def test_ignoring_one_roll_leaves_the_other() -> None:
    request = question(target={"hit_mod": -1, "wound_mod": -1})
    weapon = ruled(request, ours(IgnoreMods(("wound",)))).request.attack.weapons[0]
    assert (weapon.hit_mod, weapon.wound_mod) == (0, 1)


def test_a_weapon_may_meet_the_target_differently() -> None:
    request = question(
        attack={
            "weapons": [{"A": 2, "skill": 3, "S": 4, "AP": -3}, {"melee": True, "A": 2, "skill": 3, "S": 4, "AP": -3}]
        }
    )
    folded = ruled(
        request, Clause((Grant("invulnerable", amount=n(4), against=AttackIs("ranged"), who=UNIT),)), owner="target"
    )
    ranged, melee = folded.request.attack.weapons
    assert ranged.meets is not None
    assert (ranged.meets.groups[0].InSv, melee.meets) == (4, None)
    apart = [
        question(weapon={"A": 2, "skill": 3, "AP": -3, "D": 1}, group={"InSv": 4}),
        question(weapon={"A": 2, "skill": 3, "AP": -3, "D": 1, "melee": True}),
    ]
    assert answer(folded.request).damage.mean == pytest.approx(sum(answer(read(one)).damage.mean for one in apart))


def test_a_named_weapon_only() -> None:
    request = question(
        attack={"weapons": [{"name": "Big Gun", "skill": 3, "S": 9}, {"name": "Small gun", "skill": 3, "S": 4}]}
    )
    folded = ruled(request, ours(wa("lethal hits"), weapon=Named("big gun")))
    assert [weapon.lethal for weapon in folded.request.attack.weapons] == [True, False]


CHOICE = Clause((Choose((Option((wa("lethal hits"),)), Option((wa("sustained hits", 1),)))),), PerAttack(attacker=OURS))


@pytest.mark.parametrize(
    ("choose", "wanted"), [("[Lethal Hits]", {"lethal": True}), ("[SUSTAINED HITS 1]", {"sustained": Dice.parse(1)})]
)
def test_the_chosen_option_counts(choose: str, wanted: dict[str, Any]) -> None:
    request = question()
    folded = ruled(request, CHOICE, choose=choose)
    assert differences(read(request).attack.weapons[0], folded.request.attack.weapons[0]) == wanted


def test_without_a_choice_the_option_that_helps_most_is_taken_and_named() -> None:
    folded = ruled(question(weapon={"S": 9}), CHOICE)
    assert differences(read(question(weapon={"S": 9})).attack.weapons[0], folded.request.attack.weapons[0]) == {
        "sustained": Dice.parse(1)
    }
    assert len(folded.assumed) == 1
    assert "the best option is taken" in folded.assumed[0]
    assert ruled(question(), CHOICE, owner="target").request == read(question())


def test_what_hurts_its_owner_is_not_chosen() -> None:
    worse = Clause((RollMod("hit", n(1), -1),), PerAttack(attacker=OURS), may="you")
    assert ruled(question(), worse).request == read(question())
    both = Clause((wa("hazardous"), StatMod(("S",), "add", n(1), "attack")), PerAttack(attacker=OURS), may="you")
    assert ruled(question(), both).request.attack.weapons[0].hazardous


def test_once_per_battle_is_used_in_its_window() -> None:
    aid = Clause(
        (ours(RollMod("hit", n(1))),),
        Window(("shooting",), "your", "start"),
        may="you",
        limits=(Limit("battle"),),
        lasts=Duration("phase"),
    )
    now = {"phase": "shooting", "turn": "attacker"}
    assert ruled(question(**now), aid).request.attack.weapons[0].hit_mod == 1
    for other in ({"phase": "shooting", "turn": "opponent"}, {"phase": "fight", "turn": "attacker"}):
        assert ruled(question(**other), aid).request.attack.weapons[0].hit_mod == 0


@pytest.mark.parametrize(
    ("lasts", "moment", "wanted"),
    [
        (Duration("phase", "start", "your", True, "command"), {"phase": "shooting", "turn": "attacker"}, 1),
        (Duration("phase", "start", "your", True, "command"), {"phase": "fight", "turn": "opponent"}, 1),
        (Duration("turn"), {"phase": "shooting", "turn": "attacker"}, 1),
        (Duration("turn"), {"phase": "fight", "turn": "opponent"}, 0),
        (Duration("phase"), {"phase": "shooting", "turn": "attacker"}, 0),
        (Duration("battle"), {"phase": "fight", "turn": "opponent"}, 1),
    ],
)
def test_an_earlier_window_counts_while_it_lasts(lasts: Duration, moment: dict[str, Any], wanted: int) -> None:
    aid = Clause((ours(RollMod("hit", n(1))),), Window(("command",), "your"), lasts=lasts)
    request = question(weapon={"melee": moment["phase"] == "fight"}, **moment)
    assert ruled(request, aid).request.attack.weapons[0].hit_mod == wanted


def test_the_same_aura_counts_once() -> None:
    aura = Rule("aura", (ours(RollMod("hit", n(1), -1)),), tags=("aura",))
    folded = fold(read(question()), {"attacker": [Given(aura), Given(aura)]})
    assert folded.request.attack.weapons[0].hit_mod == -1


def test_damage_rolls_below_the_mean_are_rolled_again() -> None:
    sure = {"A": 1, "torrent": True, "S": 10, "AP": -6, "D": "D6", "crit_wound": 2}
    request = question(weapon=sure, group={"W": 6, "Sv": 7})
    before = answer(read(request)).damage.mean
    after = answer(ruled(request, ours(Reroll("damage"))).request).damage.mean
    assert after / before == pytest.approx(float(Fraction(17, 14)))


def test_no_condition_of_a_keyword_is_guessed() -> None:
    friends = Select("model", of=Select("unit", side="friendly", where=Keyword((("RED GUARD",),))))
    clause = Clause((RollMod("hit", n(1)),), PerAttack(attacker=friends))
    assert ruled(question(), clause).request.attack.weapons[0].hit_mod == 0
    assert ruled(question(), clause).assumed
    known = question(attacker={"keywords": ["RED GUARD", "INFANTRY"]})
    assert ruled(known, clause).request.attack.weapons[0].hit_mod == 1
    others = ruled(question(attacker={"keywords": ["BLUE GUARD"]}), clause)
    assert (others.request.attack.weapons[0].hit_mod, others.assumed) == (0, ())


def test_an_ability_given_is_that_of_its_unit() -> None:
    gift = Give(
        Select("unit", side="friendly", where=Keyword((("RED GUARD",),))), (ours(RollMod("hit", n(1))),), "zeal"
    )
    red = question(attacker={"keywords": ["RED GUARD"]})
    blue = question(attacker={"keywords": ["BLUE GUARD"]})
    for request, wanted in ((red, 1), (blue, 0)):
        assert ruled(request, Clause((gift,))).request.attack.weapons[0].hit_mod == wanted
    assert ruled(question(), Clause((gift,))).assumed
