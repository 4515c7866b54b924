"""Gold: rules that touch no attack, written by hand from their texts, by corpus id."""

from __future__ import annotations

from typing import Any

from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Acted,
    Active,
    All,
    Amount,
    BattleShocked,
    Build,
    Clause,
    Compare,
    Control,
    Count,
    Cp,
    Duration,
    During,
    Embarked,
    Engaged,
    Event,
    Forbid,
    Grant,
    Heal,
    HitBy,
    If,
    Leading,
    Limit,
    Located,
    Models,
    Mortal,
    Move,
    Moved,
    MoveRule,
    Not,
    OnObjective,
    Order,
    Outcome,
    Permit,
    Pick,
    Reroll,
    Reserves,
    ReturnModels,
    RollDice,
    RollMod,
    Row,
    Select,
    Setup,
    StatMod,
    Stratagem,
    StratagemIs,
    Transport,
    TransportRoom,
    Window,
    Within,
)
from gold.notation import (
    BATTLE,
    ENEMY,
    LED,
    ME,
    OURS,
    PHASE,
    PICKED,
    SUBJECT,
    THAT,
    TURN,
    UNIT,
    YOUR,
    all_,
    en,
    fr,
    has,
    kw,
    models,
    n,
    one,
    stat,
)


def leads(*units: str, **more: Any) -> dict[str, Any]:
    """May be attached to these."""
    return {"clauses": [Clause((Build("attach", ME, kw(*units)),))], **more}


GOLD: dict[str, dict[str, Any]] = {
    "d02953": leads("BOYZ", "NOBZ"),
    "d01991": leads(
        "ASSAULT INTERCESSOR SQUAD",
        "BLADEGUARD VETERAN SQUAD",
        "HELLBLASTER SQUAD",
        "INFERNUS SQUAD",
        "INNER CIRCLE COMPANIONS",
        "INTERCESSOR SQUAD",
        "STERNGUARD VETERANS SQUAD",
        "TACTICAL SQUAD",
    ),
    "d02095": leads("INFRACTORS", "TORMENTORS"),
    "d08220": leads("BLOOD CLAWS"),
    "d00061": {"clauses": [], "open": "acts of a named sub-system"},
    "d03526": {
        "clauses": [
            Clause(
                (
                    Pick(
                        fr(
                            kw("ADEPTUS ASTARTES JUMP PACK"),
                            Not(Engaged()),
                            count=Count("up_to", Amount(ref="battle size")),
                            bind="picked",
                        ),
                        may=True,
                    ),
                    Reserves("enter", PICKED),
                    Clause(
                        (Reserves("arrive", PICKED, place=("using deep strike",)),),
                        Window(("movement",), "your", step="next reinforcements"),
                    ),
                ),
                Window(whose="opponent", edge="end", unit="turn"),
            ),
            Clause(
                (
                    Build("limit", amount=1, words=("incursion",)),
                    Build("limit", amount=2, words=("strike force",)),
                    Build("limit", amount=3, words=("onslaught",)),
                )
            ),
        ]
    },
    "d03622": {
        "bearer": kw("ADEPTUS ASTARTES PSYKER"),
        "clauses": [
            Clause((Permit("charge", ("advance",), UNIT),)),
            Clause((Permit("charge", ("fall_back",), UNIT),), holds=Active("biomancy discipline")),
        ],
    },
    "d01384": {
        "clauses": [
            Clause(
                (ReturnModels(n("D3"), Select("model", where=all_(kw("DAMNED"), Not(kw("CHARACTER"))), of=UNIT)),),
                Window(("command",), "your"),
                may="you",
            ),
        ]
    },
    "d02605": {
        "bearer": kw("WATCH MASTER"),
        "clauses": [
            Clause(
                (
                    Grant("unit_ability", "deep strike", who=UNIT),
                    Stratagem("set", n(0), which=StratagemIs(("rapid ingress",)), who=UNIT),
                )
            ),
        ],
    },
    "d03051": {"clauses": [], "open": "hatchways"},
    "d02001": {"clauses": [], "open": "a reference to a book"},
    "d06410": {"clauses": [], "open": "a reference to a book"},
    "d00629": {
        "target": one("your unit", kw("ASTRA MILITARUM OFFICER")),
        "clauses": [
            Clause((Order("issue", who=YOUR, amount=n(1)),), Window(("command",), "opponent")),
        ],
    },
    "d00648": {
        "target": one(
            "your unit", kw("TRANSPORT"), Not(kw("AIRCRAFT", "TITANIC")), Not(Engaged()), Within(n(9), SUBJECT)
        ),
        "clauses": [
            Clause(
                (Move("normal", n(6), YOUR),),
                Event(
                    "move_ended",
                    subject=ENEMY,
                    kinds=("normal", "advance", "fall_back"),
                    edge="after",
                    during=During(("movement",), "opponent"),
                ),
            ),
        ],
    },
    "d00639": {
        "target": THAT,
        "clauses": [
            Clause(
                (Permit("shoot", ("advance",), YOUR),),
                Event(
                    "move_started",
                    subject=fr(kw("SQUADRON")),
                    kinds=("advance",),
                    edge="after",
                    during=During(("movement",), "your"),
                ),
                lasts=TURN,
            ),
        ],
    },
    "d03780": {
        "target": one("your unit", kw("ADEPTUS ASTARTES")),
        "clauses": [
            Clause((Permit("shoot", ("advance", "fall_back"), YOUR),), Window(("movement",), "your"), lasts=TURN),
        ],
    },
    "d04422": {
        "clauses": [
            Clause(
                (
                    Transport(15, kw("INFANTRY")),
                    Transport(room=(TransportRoom(Compare("who.W", ">=", "3"), 2),)),
                    Transport(bars=All((Not(kw("CHARACTER")), Compare("who.W", ">=", "4")))),
                )
            ),
        ]
    },
    "d01093": {
        "clauses": [
            Clause(
                (
                    Pick(one("picked", Moved("charge", "phase"), side="enemy"), may=True),
                    Setup(ME, ("anywhere",), where=(Engaged(PICKED),)),
                ),
                Window(("charge",), "opponent", "end"),
                holds=has(ME, Located("reserves")),
                limits=(Limit("battle"),),
            ),
        ],
    },
    "d04137": {"clauses": [Clause((Cp(n(1)),), Event("destroyed", subject=ENEMY, target=ME))]},
    "d01623": {
        "tags": ("aura",),
        "clauses": [
            Clause((stat("subtract", "OC", 1, en(Not(kw("VEHICLE")), Within(n(3), UNIT))),)),
        ],
    },
    "d02894": {
        "clauses": [
            Clause(
                (stat("add", "M", "D3", ME),),
                Event("selected_to_move", subject=UNIT, kinds=("normal", "advance")),
                lasts=PHASE,
            ),
        ]
    },
    "d03201": {
        "clauses": [
            Clause((StatMod(("Ld",), "improve", Amount(Dice(0, 6, 1), per=OURS, every=5), who=ME),)),
        ]
    },
    "d00893": {
        "bearer": kw("TEMPESTUS SCIONS"),
        "clauses": [
            Clause((Control("secure"),), Event("destroyed", subject=UNIT), holds=About(UNIT, OnObjective("own"))),
        ],
    },
    "d02915": {
        "clauses": [
            Clause((stat("improve", "OC", 2, ME), stat("improve", "Ld", 1, ME))),
        ],
        "open": "a row of a table",
    },
    "d03284": {
        "clauses": [
            Clause(
                (
                    Pick(one("picked", HitBy(None, "moved_over"), side="enemy"), may=True),
                    RollDice(n("6D6"), (Row((Mortal(n(1), PICKED),), 4),)),
                ),
                Event("move_ended", subject=ME, kinds=("normal",), edge="after"),
                limits=(Limit("battle"),),
            ),
        ]
    },
    "d02509": {
        "clauses": [
            Clause(
                (If(has(UNIT, OnObjective("own")), (ReturnModels(n(3), UNIT),), (ReturnModels(n("D3"), UNIT),)),),
                Window(("command",), "your"),
                may="you",
            ),
        ],
        "open": "not for attached characters; one shot weapons",
    },
    "d04473": {
        "clauses": [
            Clause(
                (
                    Build(
                        "attach",
                        ME,
                        kw("BATTLE SISTERS SQUAD", "CELESTIAN SACRESANTS", "DOMINION SQUAD", "RETRIBUTOR SQUAD"),
                    ),
                    Build("attach", ME, kw("BATTLE SISTERS SQUAD")),
                    Build("attach", ME, kw("CANONESS", "PALATINE", "JUNITH ERUITA", "AESTRED THURGA"), words=("also",)),
                    Build("split"),
                )
            )
        ]
    },
    "d06494": {"clauses": [Clause((Build("join", fr(kw("CHARACTER")), kw("FORTIS KILL TEAM")),))]},
    "d05738": {
        "clauses": [
            Clause(
                (
                    Pick(
                        fr(
                            kw("HERETIC ASTARTES TERMINATOR", "OBLITERATORS", "MUTILATORS"),
                            Not(Engaged()),
                            count=Count("up_to", Amount(ref="battle size")),
                            bind="picked",
                        ),
                        may=True,
                    ),
                    Reserves("enter", PICKED),
                ),
                Window(whose="opponent", edge="end", unit="turn"),
            ),
            Clause(
                (
                    Build("limit", amount=1, words=("incursion",)),
                    Build("limit", amount=2, words=("strike force",)),
                    Build("limit", amount=3, words=("onslaught",)),
                )
            ),
        ]
    },
    "d07503": {
        "clauses": [
            Clause((Grant("keyword", keywords=("BATTLELINE",), who=fr(kw("STORMBOYZ"))),)),
            Clause(
                (Permit("action", ("that move",), SUBJECT),),
                Event(
                    "selected_to_move", subject=fr(kw("BOYZ", "KOMMANDOS", "STORMBOYZ")), kinds=("advance", "fall_back")
                ),
            ),
        ]
    },
    "d04563": {"bearer": kw("EXORCIST"), "clauses": [Clause((Reroll("attacks", who=UNIT),))]},
    "d08450": {"clauses": [], "open": "a roll of a named sub-system"},
    "d04787": {
        "clauses": [
            Clause(
                (Move("normal", n(6), UNIT), Clause((Forbid("charge", UNIT),), holds=Outcome("done"), lasts=TURN)),
                Event("has_shot", subject=UNIT, edge="after", during=During(("shooting",), "your")),
                holds=has(UNIT, Not(Engaged())),
            ),
        ]
    },
    "d06859": {
        "bearer": kw("MAGUS", "PRIMUS", "ACOLYTE ICONWARD"),
        "clauses": [Clause((Reroll("battle_shock", who=UNIT),))],
    },
    "d06900": {
        "target": THAT,
        "clauses": [
            Clause(
                (Permit("charge", ("that move",), YOUR),),
                Event(
                    "selected_to_move",
                    subject=fr(kw("PURESTRAIN GENESTEALERS")),
                    kinds=("fall_back",),
                    during=During(("movement",), "your"),
                ),
            ),
        ],
    },
    "d05390": {
        "target": one("your unit", kw("ADEPTUS ASTARTES JUMP PACK"), Moved("ingress", "phase")),
        "clauses": [
            Clause(
                (
                    Setup(YOUR, ("anywhere", "more than 6 from enemies")),
                    Clause((Forbid("charge", YOUR),), lasts=TURN),
                ),
                Window(("movement",), "your"),
            ),
        ],
    },
    "d06868": {
        "target": one("your unit", kw("ABERRANTS", "BIOPHAGUS", "PURESTRAIN GENESTEALERS"), Not(Acted("fight"))),
        "clauses": [],
        "open": "how far and how pile-in moves go",
    },
    "d07617": {
        "target": one("your unit", kw("KOMMANDOS", "STORMBOYZ"), Not(Engaged())),
        "clauses": [
            Clause((Reserves("enter", YOUR),), Window(("fight",), "opponent", "end")),
        ],
    },
    "d05958": {
        "clauses": [
            Clause((Permit("embark", ("counts as TERMINATOR",), Select("model", where=kw("RENEGADE OGRYN BRUTE"))),)),
        ],
    },
    "d06456": {
        "clauses": [
            Clause(
                (
                    RollMod("advance", n(1), who=UNIT),
                    RollMod("charge", n(1), who=UNIT),
                    Stratagem("set", n(0), which=StratagemIs(("heroic intervention",)), who=UNIT),
                ),
                holds=has(UNIT, Models(1, None, kw("COMPANY CHAMPION"))),
            ),
        ]
    },
    "d08126": {
        "clauses": [
            Clause(
                (
                    StatMod(
                        ("OC",),
                        "set",
                        n(2),
                        "model",
                        models(
                            fr(kw("ASSAULT INTERCESSORS WITH JUMP PACKS")), Not(BattleShocked()), Not(kw("CHARACTER"))
                        ),
                    ),
                ),
                lasts=BATTLE,
            ),
        ]
    },
    "d06948": {
        "clauses": [
            Clause(
                (Stratagem("cost", n(1), -1),),
                Event("stratagem_targeted", subject=UNIT),
                may="you",
                limits=(Limit("round", 1, "army"),),
            ),
        ]
    },
    "d07180": {
        "clauses": [
            Clause((Permit("disembark", ("advance",), Select("unit", where=Embarked(ME))),)),
            Clause(
                (
                    MoveRule("counts as a normal move", SUBJECT),
                    Clause((Forbid("charge", SUBJECT),), lasts=Duration("turn")),
                ),
                Event("disembarked", subject=Select("unit"), target=ME),
                has(ME, Moved("advance")),
            ),
        ],
    },
    "d05133": {
        "clauses": [Clause((Build("limit", what=kw("COMMISSAR GRAVES", "COMMISSAR GRAVES ON FOOT"), amount=1),))]
    },
    "n0006": {
        "limits": (Limit("battle", 1, "unit"),),
        "clauses": [Clause((Heal(n(3), UNIT),), Window(("command",), "your"))],
    },
    "d06981": {
        "clauses": [
            Clause((Grant("keyword", keywords=("CROSSFIRE",), who=UNIT),)),
            Clause(
                (Reserves("enter", UNIT),),
                Window(("any",), "opponent", "end", "turn"),
                holds=has(UNIT, Not(Engaged())),
                may="you",
            ),
        ],
        "open": "points of planning",
    },
    "d04710": {"clauses": [], "open": "points of a saga"},
    "d05208": {"clauses": [Clause((Order("count", who=LED, amount=n(2)),), holds=has(ME, Leading()))]},
    "d07253": {
        "clauses": [
            Clause((RollDice(n("D6"), (Row((Cp(n(1)),), 5),)),), Event("stratagem_targeted", subject=UNIT)),
        ]
    },
    "d06367": {
        "clauses": [
            Clause(
                (
                    Pick(one("picked", kw("PLAGUEBEARERS"), Within(n(12), ME)), may=True),
                    ReturnModels(n(1), Select("model", where=kw("PLAGUEBEARER"), of=PICKED)),
                ),
                Event("destroyed", subject=Select("model"), kinds=("this weapon",)),
            ),
        ],
    },
}
