"""The worked behaviour cases, with the rules written by hand: the fold must give the equivalent plain numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from battlewright.attack.exact import resolve
from battlewright.attack.fold import Given, fold
from battlewright.attack.plan import build
from battlewright.attack.request import read
from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Amount,
    AttackIs,
    BattleShocked,
    Choose,
    Clause,
    Compare,
    CritOn,
    Duration,
    Event,
    Grant,
    HasState,
    If,
    IgnoreMods,
    Keyword,
    LedBy,
    Limit,
    Moved,
    Not,
    OnObjective,
    Option,
    PerAttack,
    Reroll,
    RollMod,
    Rule,
    Select,
    StatMod,
    Strength,
    Window,
    Within,
    Wounds,
)
from battlewright.effects import All as Both

ME = Select("model", ref="self")
UNIT = Select("unit", ref="unit")
OURS = Select("model", of=UNIT)
YOUR = Select("unit", ref="bound", name="your unit")
YOURS = Select("model", of=YOUR)
TARGET = Select("unit", ref="target")
PHASE = Duration("phase")


def n(value: int | str) -> Amount:
    return Amount(Dice.parse(value))


def kw(*groups: str) -> Keyword:
    return Keyword(tuple((group,) for group in groups))


def friendly(*groups: str) -> Select:
    return Select("unit", side="friendly", where=kw(*groups))


def rule(*clauses: Clause, kind: str = "unit-ability", target: Select | None = None) -> Rule:
    return Rule("a rule", clauses, kind=kind, target=target)  # type: ignore[arg-type]


def stratagem(target: Select, *clauses: Clause) -> Rule:
    return rule(*clauses, kind="stratagem", target=target)


def your(*groups: str) -> Select:
    return Select("unit", side="friendly", where=kw(*groups), bind="your unit")


DAMAGED = rule(Clause((RollMod("hit", n(1), -1),), PerAttack(attacker=ME), holds=About(ME, Wounds(1, 4))))
BLACK_WINGS = rule(
    Clause(
        (Grant("weapon_ability", "ignores cover"),),
        PerAttack(attacker=Select("model", of=friendly("RAVENWING FLY")), kind="ranged"),
    )
)
BLURS = stratagem(
    your("SANGUINARY GUARD"),
    Clause(
        (Grant("unit_ability", "stealth", who=YOUR),),
        Event("targeted", subject=YOUR, target=Select("unit", side="enemy")),
    ),
)

RULES: dict[str, list[tuple[str, Rule, str]]] = {
    "d-10e-001": [("attacker", DAMAGED, "")],
    "d-10e-002": [
        (
            "attacker",
            rule(
                Clause(
                    (StatMod(("AP",), "improve", n(1), "attack"),),
                    PerAttack(attacker=OURS, kind="ranged"),
                    holds=AttackIs("closest"),
                )
            ),
            "",
        )
    ],
    "d-10e-003": [
        (
            "attacker",
            rule(
                Clause(
                    (
                        Clause(
                            (RollMod("hit", n(1)),),
                            holds=About(Select("unit", ref="attacker"), Strength("below_starting")),
                        ),
                        Clause(
                            (RollMod("wound", n(1)),),
                            holds=About(Select("unit", ref="attacker"), Strength("below_half")),
                        ),
                    ),
                    PerAttack(attacker=Select("model", side="friendly", where=kw("ADEPTA SORORITAS"))),
                )
            ),
            "",
        )
    ],
    "d-10e-004": [
        (
            "target",
            rule(
                Clause(
                    (RollMod("wound", n(1), -1),),
                    PerAttack(
                        "target",
                        target=Select("unit", side="friendly", where=Both((kw("HERETIC ASTARTES"), Not(kw("DAMNED"))))),
                        kind="ranged",
                    ),
                    holds=Compare("attack.S", ">", "target.T"),
                )
            ),
            "",
        )
    ],
    "d-10e-005": [
        (
            "attacker",
            rule(Clause((Grant("weapon_ability", "anti", n(4), ("VEHICLE",)),), PerAttack(attacker=ME, kind="ranged"))),
            "",
        )
    ],
    "d-10e-006": [
        (
            "attacker",
            rule(
                Clause(
                    (StatMod(("AP",), "improve", n(1), "attack"), Grant("weapon_ability", "precision")),
                    PerAttack(attacker=ME, kind="melee"),
                )
            ),
            "",
        )
    ],
    "d-10e-007": [
        (
            "attacker",
            rule(
                Clause(
                    (
                        If(
                            About(UNIT, Within(n(6), friendly("PLATOON"))),
                            (CritOn("hit", 4, hits=True),),
                            (CritOn("hit", 5, hits=True),),
                        ),
                    ),
                    Event("stratagem_targeted", subject=UNIT, kinds=("fire overwatch",)),
                )
            ),
            "",
        )
    ],
    "d-10e-008": [
        (
            "attacker",
            rule(
                Clause(
                    (
                        Choose(
                            (
                                Option((Grant("weapon_ability", "lethal hits"),)),
                                Option((Grant("weapon_ability", "sustained hits", n(1)),)),
                            )
                        ),
                    ),
                    Event("selected_to_fight", subject=friendly("EMPEROR'S CHILDREN")),
                    holds=About(Select("unit", ref="subject"), Moved("charge")),
                )
            ),
            "[Lethal Hits]",
        )
    ],
    "d-10e-009": [
        (
            "attacker",
            rule(
                Clause(
                    (
                        Clause(
                            (Grant("weapon_ability", "sustained hits", n(1)),),
                            PerAttack(attacker=OURS, kind="ranged"),
                            lasts=PHASE,
                        ),
                    ),
                    Event("selected_to_shoot", subject=UNIT, during=None),
                    holds=About(UNIT, Moved("disembark")),
                )
            ),
            "",
        )
    ],
    "d-10e-010": [
        (
            "attacker",
            rule(
                Clause(
                    (Reroll("wound", "faces", (1,), may=False),),
                    PerAttack(attacker=Select("model", side="friendly", where=Both((kw("WAR DOG"), Within(n(6), ME))))),
                )
            ),
            "",
        )
    ],
    "d-10e-011": [
        (
            "attacker",
            rule(
                Clause(
                    (
                        If(
                            About(ME, BattleShocked()),
                            (StatMod(("A", "S", "D"), "add", n(2), "attack"),),
                            (StatMod(("A", "S", "D"), "add", n(1), "attack"),),
                        ),
                    ),
                    PerAttack(attacker=ME, kind="melee"),
                )
            ),
            "",
        )
    ],
    "d-10e-012": [
        (
            "attacker",
            stratagem(
                your("ADEPTA SORORITAS"),
                Clause(
                    (
                        Clause(
                            (Reroll("hit"), Clause((Reroll("wound"),), holds=About(YOUR, Strength("below_half")))),
                            PerAttack(attacker=YOURS, kind="melee"),
                            lasts=PHASE,
                        ),
                    ),
                    Window(("fight",)),
                ),
            ),
            "",
        )
    ],
    "d-10e-013": [
        (
            "target",
            rule(
                Clause(
                    (RollMod("hit", n(1), -1),),
                    PerAttack(
                        "target",
                        attacker=Select(
                            "model",
                            of=Select(
                                "unit", side="enemy", where=Both((Not(kw("MONSTER", "VEHICLE")), Within(n(6), UNIT)))
                            ),
                        ),
                        kind="melee",
                    ),
                )
            ),
            "",
        )
    ],
    "d-10e-014": [
        (
            "attacker",
            rule(
                Clause(
                    (StatMod(("BS", "WS"), "improve", n(1), "attack"),),
                    PerAttack(attacker=Select("model", where=kw("MUNITORUM SERVITOR"), of=UNIT)),
                    holds=About(UNIT, LedBy(Select("model", side="friendly", where=kw("TECH-PRIEST ENGINSEER")))),
                )
            ),
            "",
        )
    ],
    "d-10e-015": [
        (
            "attacker",
            stratagem(
                your("ADEPTUS ASTARTES INFANTRY"),
                Clause(
                    (
                        Clause(
                            (RollMod("wound", n(1)),),
                            PerAttack(attacker=YOURS),
                            holds=AttackIs("closest", 6),
                            lasts=PHASE,
                        ),
                    ),
                    Window(("shooting", "fight")),
                ),
            ),
            "",
        )
    ],
    "d-10e-016": [
        (
            "attacker",
            rule(
                Clause(
                    (StatMod(("S",), "add", n(2), "attack"),),
                    PerAttack(attacker=ME, kind="melee"),
                    holds=About(ME, Moved("charge")),
                )
            ),
            "",
        )
    ],
    "d-10e-017": [
        ("target", rule(Clause((RollMod("hit", n(1), -1),), PerAttack("target", target=UNIT, kind="melee"))), "")
    ],
    "d-10e-018": [
        (
            "target",
            rule(Clause((Grant("invulnerable", amount=n(5), who=UNIT),), holds=About(UNIT, OnObjective("own")))),
            "",
        )
    ],
    "d-10e-019": [
        (
            "attacker",
            stratagem(
                your("BEAST SNAGGA"),
                Clause(
                    (
                        Clause(
                            (
                                Clause(
                                    (Grant("weapon_ability", "sustained hits", n(1)),),
                                    PerAttack(attacker=YOURS, kind="melee"),
                                ),
                                Clause(
                                    (CritOn("hit", 5),),
                                    PerAttack(
                                        attacker=YOURS, target=Select("unit", where=HasState("prey")), kind="melee"
                                    ),
                                ),
                            ),
                            lasts=PHASE,
                        ),
                    ),
                    Window(("fight",)),
                ),
            ),
            "",
        )
    ],
    "d-10e-020": [
        (
            "target",
            rule(
                Clause(
                    (RollMod("hit", n(1), -1), Grant("cover", who=TARGET)),
                    PerAttack("target", target=friendly("ADEPTUS ASTARTES"), kind="ranged"),
                    holds=Not(About(Select("model", ref="attacker"), Within(n(12), TARGET))),
                )
            ),
            "",
        )
    ],
    "d-10e-021": [
        (
            "target",
            rule(
                Clause(
                    (Clause((RollMod("hit", n(1), -1),), PerAttack("target", target=UNIT), lasts=PHASE),),
                    Window(("fight",), edge="start"),
                    may="you",
                    limits=(Limit("battle"),),
                )
            ),
            "",
        )
    ],
    "d-10e-022": [
        ("attacker", rule(Clause((Grant("weapon_ability", "lance"),), PerAttack(attacker=ME, kind="melee"))), ""),
        ("attacker", rule(Clause((RollMod("wound", n(1)),), PerAttack(attacker=OURS, kind="melee"))), ""),
    ],
    "d-11e-001": [("attacker", DAMAGED, "")],
    "d-11e-002": [
        (
            "attacker",
            rule(
                Clause(
                    (StatMod(("BS", "WS"), "improve", n(1), "attack"),),
                    PerAttack(attacker=Select("model", of=friendly("CELESTIAN SACRESANTS"))),
                )
            ),
            "",
        )
    ],
    "d-11e-003": [
        (
            "target",
            rule(Clause((Grant("invulnerable", amount=n(5), against=AttackIs("ranged"), who=friendly("CHAPLAIN")),))),
            "",
        )
    ],
    "d-11e-004": [
        (
            "attacker",
            rule(
                Clause(
                    (RollMod("hit", n(1)),),
                    PerAttack(
                        attacker=Select("model", of=friendly("KNIGHT TYRANT")),
                        target=Select("unit", where=BattleShocked()),
                    ),
                )
            ),
            "",
        )
    ],
    "d-11e-005": [
        (
            "attacker",
            rule(
                Clause(
                    (Grant("weapon_ability", "heavy"),),
                    PerAttack(attacker=Select("model", of=friendly("HAVOC", "OBLITERATOR")), kind="ranged"),
                )
            ),
            "",
        )
    ],
    "d-11e-006": [("attacker", BLACK_WINGS, "")],
    "d-11e-007": [
        (
            "attacker",
            rule(
                Clause(
                    (
                        Choose(
                            (
                                Option((Grant("weapon_ability", "cleave", n(1)),)),
                                Option((Grant("weapon_ability", "precision"),)),
                            )
                        ),
                    ),
                    Event("selected_to_fight", subject=UNIT),
                )
            ),
            "[Cleave 1]",
        )
    ],
    "d-11e-008": [
        (
            "attacker",
            rule(Clause((Grant("weapon_ability", "devastating wounds"),), PerAttack(attacker=ME, kind="melee"))),
            "",
        )
    ],
    "d-11e-009": [("target", rule(Clause((StatMod(("T",), "add", n(1), who=UNIT),))), "")],
    "d-11e-010": [
        (
            "attacker",
            rule(
                Clause(
                    (RollMod("hit", n(1)),), PerAttack(attacker=OURS, target=Select("unit", where=HasState("hidden")))
                )
            ),
            "",
        )
    ],
    "d-11e-011": [
        (
            "attacker",
            stratagem(
                your("ELECTRO-PRIESTS"),
                Clause(
                    (
                        Clause(
                            (Reroll("hit", "faces", (1,)), Reroll("wound", "faces", (1,))),
                            PerAttack(attacker=YOURS, target=Select("unit", where=OnObjective())),
                        ),
                    ),
                    Event("selected_to_attack", subject=YOUR),
                ),
            ),
            "",
        )
    ],
    "d-11e-012": [
        (
            "target",
            stratagem(
                your("TECH-PRIEST"),
                Clause(
                    (
                        Clause(
                            (StatMod(("AP",), "worsen", n(1), "attack"),),
                            PerAttack("target", target=YOUR),
                            lasts=Duration("done"),
                        ),
                    ),
                    Event("targeted", subject=YOUR, target=Select("unit", side="enemy")),
                ),
            ),
            "",
        )
    ],
    "d-11e-013": [
        (
            "attacker",
            stratagem(
                your("SWORD BRETHREN SQUAD"),
                Clause(
                    (StatMod(("S",), "add", n(2), "attack"),),
                    PerAttack(attacker=YOURS, target=Select("unit", where=kw("MONSTER", "VEHICLE")), kind="melee"),
                ),
            ),
            "",
        )
    ],
    "d-11e-014": [("target", BLURS, "")],
    "d-11e-015": [
        ("attacker", rule(Clause((CritOn("hit", 5, hits=True),), PerAttack(attacker=OURS), holds=AttackIs("snap"))), "")
    ],
    "d-11e-016": [
        (
            "attacker",
            rule(
                Clause(
                    (StatMod(("AP",), "improve", n(1), "attack"), Grant("weapon_ability", "cleave", n(1))),
                    PerAttack(attacker=OURS, kind="melee"),
                )
            ),
            "",
        )
    ],
    "d-11e-017": [("attacker", rule(Clause((IgnoreMods(("BS", "hit")),), PerAttack(attacker=ME, kind="ranged"))), "")],
    "d-11e-018": [("attacker", BLACK_WINGS, ""), ("target", BLURS, "")],
}


def cases() -> list[str]:
    return sorted(RULES)


@pytest.mark.parametrize("name", cases())
def test_the_fold_gives_the_equivalent_numbers(name: str, shared: Path) -> None:
    found = json.loads((shared / "behaviour-dev.json").read_text(encoding="utf-8"))["cases"]
    case = next(one for one in found if one["id"] == name)
    given: dict[Any, list[Given]] = {"attacker": [], "target": []}
    for side, one, choose in RULES[name]:
        given[side].append(Given(one, choose))
    folded = fold(read(case["request"]), given)
    got, wanted = resolve(build(folded.request)), case["exact"]
    assert float(got.damage.mean) == pytest.approx(wanted["damage"], abs=1e-6)
    assert float(got.slain.mean) == pytest.approx(wanted["slain"], abs=1e-6)
    assert float(got.p_destroyed) == pytest.approx(wanted["p_destroyed"], abs=1e-6)
    assert folded.assumed == ()
    assert case["expect"] == "none" or all(answer.applied for answer in folded.answers)
