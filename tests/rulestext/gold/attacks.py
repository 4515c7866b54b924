"""Gold: rules that touch an attack, written by hand from their texts, by corpus id."""

from __future__ import annotations

from typing import Any

from battlewright.effects import (
    About,
    Acted,
    Amount,
    AnyOf,
    ArmyIs,
    AttackIs,
    Build,
    Choose,
    Clause,
    Compare,
    Count,
    CritOn,
    DamageTo,
    Destroyed,
    Duration,
    During,
    Embarked,
    Engaged,
    Event,
    Give,
    Grant,
    HasAbility,
    HasDestroyed,
    HasState,
    HitBy,
    Leading,
    LedBy,
    Limit,
    Located,
    Models,
    Mortal,
    Moved,
    Named,
    Not,
    OnObjective,
    Option,
    Order,
    Outcome,
    PerAttack,
    Permit,
    Pick,
    Remove,
    Reroll,
    RollDice,
    RollMod,
    Round,
    Row,
    Same,
    Select,
    SetState,
    ShockTest,
    StatMod,
    Stratagem,
    StratagemIs,
    Strength,
    Used,
    Visible,
    Was,
    Window,
    Within,
    Wounds,
)
from battlewright.effects import Any as Either
from gold.notation import (
    BATTLE,
    ENEMY,
    LED,
    ME,
    MELEE,
    OURS,
    PHASE,
    PICKED,
    RANGED,
    SUBJECT,
    TARGET,
    THAT,
    TURN,
    UNIT,
    YOUR,
    YOURS,
    all_,
    any_,
    at,
    en,
    fr,
    has,
    kw,
    models,
    n,
    one,
    per,
    stat,
    un,
    wa,
)

ATTACKER = Select("model", ref="attacker")
SCANNED_OR_BATTLELINE = Either((has(TARGET, HasState("auspex scanned")), has(ATTACKER, kw("BATTLELINE"))))
NOT_SHOT = Not(Acted("shoot"))
THIS_WEAPON = Same(Select("weapon", ref="self"))
FURTHER_KLAWS = Amount(per=Select("weapon", where=Named("dread klaw"), of=ME, other=True))
BY_SIZE = Amount(ref="battle size")
SIZES = ((2, "incursion"), (3, "strike force"), (4, "onslaught"))
NOT_FOUGHT = Not(Acted("fight"))
NEITHER = Not(Either((Acted("shoot"), Acted("fight"))))
SHOOTING = Window(("shooting",), "your")
FIGHT = Window(("fight",))
CHARGED = has(SUBJECT, Moved("charge"))
S_OVER_T = Compare("attack.S", ">", "target.T")
DAMAGED_HIT = per(ME, RollMod("hit", n(1), -1))
HIT_PICK = Pick(one("picked", HitBy(None, "hit"), side="enemy"))
NO_COVER = Remove("cover", who=PICKED)
DARK_PACT = Clause((ShockTest("leadership", SUBJECT), Clause((Mortal(n("D3"), SUBJECT),), holds=Outcome("failed"))))

OTHER = Select("unit", ref="bound", name="your other unit")
BOTH = Select("model", of=fr(Either((Same(YOUR), Same(OTHER)))))

GOLD: dict[str, dict[str, Any]] = {
    "d02303": {"clauses": [Clause((Grant("feel_no_pain", amount=n(5), who=UNIT),))]},
    "d00536": {
        "clauses": [
            Clause((stat("subtract", "OC", 4, ME), DAMAGED_HIT), holds=has(ME, Wounds(1, 8))),
        ]
    },
    "d01019": {
        "clauses": [
            Clause(
                (per(models(SUBJECT), stat("add", "A", 1), stat("add", "S", 2), kind="melee"),),
                Event("selected_to_fight", subject=fr(kw("ADEPTUS ASTARTES"))),
                holds=CHARGED,
                lasts=PHASE,
            ),
        ]
    },
    "d00314": {
        "clauses": [
            Clause(
                (DamageTo(0),),
                Event(
                    "test_failed",
                    subject=fr(
                        kw("LEGIO CYBERNETICA", "ADEPTUS MECHANICUS VEHICLE"),
                        Within(n(12), ME),
                        what="model",
                    ),
                    kinds=("save",),
                ),
                may="you",
                limits=(Limit("round"),),
            ),
        ]
    },
    "d01463": {
        "bearer": kw("HERETIC ASTARTES"),
        "clauses": [
            Clause(
                (HIT_PICK, Clause((NO_COVER,), lasts=PHASE)),
                Event("has_shot", subject=ME, edge="after", during=During(("shooting",), "your")),
            ),
        ],
    },
    "d00089": {
        "bearer": kw("PENITENT"),
        "clauses": [
            Clause((Grant("invulnerable", amount=n(5), who=LED),), holds=has(ME, Leading())),
        ],
    },
    "d00085": {
        "bearer": kw("ADEPTA SORORITAS"),
        "clauses": [
            per(ME, stat("add", "A S D", 1), kind="melee"),
            per(ME, stat("add", "A S D", 1), kind="melee", holds=has(ME, Wounds(1, None, lost=True))),
        ],
    },
    "d01401": {
        "clauses": [
            Clause(
                (
                    Pick(one("picked", kw("HERETIC ASTARTES VEHICLE"), Within(n(12), ME))),
                    Clause(
                        (Grant("feel_no_pain", amount=n(6), who=PICKED),),
                        lasts=Duration("phase", "start", "your", True, "command"),
                    ),
                ),
                Window(("command",), "your"),
            ),
        ]
    },
    "d01157": {
        "bearer": kw("WAR DOG"),
        "tags": ("aura",),
        "clauses": [
            per(fr(kw("WAR DOG"), Within(n(6), ME), what="model"), Reroll("wound", "faces", (1,))),
        ],
    },
    "d01442": {
        "bearer": kw("DARK APOSTLE", "DAMNED"),
        "clauses": [
            Clause(
                (
                    per(models(UNIT, kw("DAMNED")), stat("add", "S", 1), kind="melee"),
                    per(
                        models(UNIT, kw("DAMNED")),
                        stat("add", "A", 1),
                        kind="melee",
                        holds=has(UNIT, Strength("below_half")),
                    ),
                ),
                holds=has(UNIT, Strength("below_starting")),
            ),
        ],
    },
    "d01178": {
        "bearer": kw("CHAOS KNIGHTS"),
        "clauses": [
            Clause(
                (
                    Grant("invulnerable", amount=n(4), against=RANGED, who=ME),
                    Grant("invulnerable", amount=n(5), against=MELEE, who=ME),
                )
            ),
        ],
    },
    "d01048": {
        "target": one("your unit", kw("ADEPTUS ASTARTES JUMP PACK"), NOT_FOUGHT),
        "clauses": [
            Clause((per(YOURS, wa("lethal hits"), wa("precision"), kind="melee"),), FIGHT, lasts=PHASE),
        ],
    },
    "d01218": {
        "target": one("your unit", kw("CHAOS KNIGHTS"), HitBy(None, "targeted")),
        "clauses": [
            Clause(
                (Grant("unit_ability", "stealth", who=YOUR), at(YOUR, Grant("cover", who=YOUR))),
                Event("targets_selected", subject=ENEMY, edge="after", during=During(("shooting",), "opponent")),
                lasts=PHASE,
            ),
        ],
    },
    "d01030": {
        "target": one("your unit", kw("ADEPTUS ASTARTES"), NOT_FOUGHT),
        "clauses": [
            Clause(
                (
                    per(YOURS, wa("lethal hits"), kind="melee"),
                    Clause((per(YOURS, wa("lance"), kind="melee"),), holds=has(YOUR, kw("CHARACTER")), lasts=PHASE),
                ),
                FIGHT,
                lasts=PHASE,
            ),
        ],
    },
    "d02876": {
        "target": one("your unit", kw("IMPERIAL KNIGHTS"), NOT_SHOT),
        "clauses": [
            Clause((per(YOURS, wa("lethal hits"), kind="ranged"),), SHOOTING, lasts=PHASE),
        ],
    },
    "d03786": {
        "target": one("your unit", kw("ADEPTUS ASTARTES MOUNTED"), Not(Acted("charge"))),
        "clauses": [
            Clause(
                (Reroll("charge", who=YOUR), per(YOURS, wa("lance"), kind="melee")),
                Window(("charge",), "your"),
                lasts=TURN,
            ),
        ],
    },
    "d03105": {
        "target": THAT,
        "clauses": [
            Clause(
                (per(YOURS, RollMod("wound", n(1)), kind="melee"),),
                Event(
                    "move_ended",
                    subject=fr(kw("SPEED FREEKS")),
                    kinds=("charge",),
                    edge="after",
                    during=During(("charge",), "your"),
                ),
                lasts=TURN,
            ),
        ],
    },
    "d00627": {
        "target": one("your unit", kw("REGIMENT"), NOT_SHOT),
        "also_target": one("your other unit", kw("SQUADRON"), NOT_SHOT),
        "clauses": [
            Clause(
                (
                    Pick(one("picked", side="enemy")),
                    Clause((per(BOTH, stat("improve", "AP", 1), target=PICKED),), lasts=PHASE),
                ),
                SHOOTING,
            ),
        ],
    },
    "d02015": {
        "target": THAT,
        "clauses": [
            Clause(
                (
                    Pick(one("picked", Within(n(12), YOUR), HitBy(None, "targeted"), side="enemy")),
                    Clause((per(models(fr(kw("DEATHWING"))), RollMod("wound", n(1)), target=PICKED),), lasts=PHASE),
                ),
                Event(
                    "targets_selected",
                    subject=fr(kw("RAVENWING")),
                    edge="after",
                    during=During(("shooting",), "your"),
                ),
            ),
        ],
    },
    "d00148": {
        "clauses": [
            Clause(
                (Pick(one("picked", side="enemy")), SetState("quarry", PICKED)),
                Window(("any",), "either", "start", "battle"),
            ),
            per(OURS, wa("precision"), Reroll("hit"), target=un(HasState("quarry"))),
            Clause((Permit("ability", ("embarked",), UNIT),)),
        ]
    },
    "d04346": {
        "clauses": [
            Clause(
                (Pick(one("picked", HitBy(None, "moved_over"), side="enemy")), Clause((NO_COVER,), lasts=TURN)),
                Event("move_ended", subject=ME, kinds=("normal",)),
            ),
        ]
    },
    "d02669": {
        "tags": ("psychic",),
        "clauses": [
            Clause(
                (per(OURS, wa("lethal hits"), kind="melee"),),
                Event("move_started", subject=UNIT, kinds=("charge",)),
                lasts=TURN,
            ),
        ],
    },
    "d02723": {
        "clauses": [
            Clause((HIT_PICK, Clause((NO_COVER,), lasts=PHASE)), Event("has_shot", subject=ME)),
        ]
    },
    "d02680": {
        "tags": ("psychic",),
        "clauses": [
            Clause(
                (
                    Grant("invulnerable", amount=n(6), who=LED),
                    Grant(
                        "invulnerable",
                        amount=n(4),
                        against=Either((AttackIs("psychic"), About(Select("model", ref="attacker"), kw("DAEMON")))),
                        who=LED,
                    ),
                ),
                holds=has(ME, Leading()),
            ),
        ],
    },
    "d03905": {
        "clauses": [
            Clause(
                (per(ME, stat("add", "A", 1), weapon=Named("executioner relic blade")),),
                Event("destroyed", subject=en(kw("CHARACTER"), what="model"), target=ME),
                lasts=BATTLE,
            ),
        ]
    },
    "d04003": {
        "tags": ("aura",),
        "clauses": [
            per(models(fr(kw("ADEPTUS ASTARTES INFANTRY"), Within(n(6), ME))), Reroll("hit", "faces", (1,))),
        ],
    },
    "d03880": {
        "clauses": [
            per(
                ME,
                wa("devastating wounds"),
                kind="ranged",
                target=un(kw("MONSTER", "VEHICLE")),
                weapon=Named("twin falchion volcano cannon"),
            ),
        ]
    },
    "d00764": {
        "clauses": [
            per(OURS, Reroll("hit"), holds=has(models(UNIT, kw("MINKA LESK")), Located("battlefield"))),
        ]
    },
    "d02487": {
        "clauses": [
            Clause(
                (Pick(one("picked", side="enemy")), SetState("prey", PICKED)),
                Window(("any",), "either", "start", "round", round=Round(1, 1)),
            ),
            per(ME, Reroll("hit"), Reroll("wound"), target=un(HasState("prey"))),
        ]
    },
    "d03242": {
        "clauses": [
            per(OURS, RollMod("hit", n(1)), RollMod("wound", n(1)), kind="ranged", target=un(kw("MONSTER", "VEHICLE"))),
        ]
    },
    "d04391": {"clauses": [per(ME, wa("devastating wounds"), kind="melee")]},
    "d00882": {
        "bearer": kw("OFFICER", "MINISTORUM PRIEST"),
        "clauses": [
            Clause(
                (Grant("feel_no_pain", amount=n(4), against=AttackIs("psychic"), who=LED),), holds=has(ME, Leading())
            ),
        ],
    },
    "d01276": {"clauses": [per(ME, stat("add", "S", 2), kind="melee", holds=has(ME, Moved("charge")))]},
    "d04393": {"clauses": [per(OURS, wa("sustained hits", 1))]},
    "d03291": {
        "clauses": [
            Clause(
                (per(OURS, wa("lethal hits"), kind="ranged"),),
                Event("selected_to_shoot", subject=UNIT),
                may="you",
                limits=(Limit("battle", of=Select("weapon", where=Named("ammo runt"), of=UNIT)),),
                lasts=PHASE,
            ),
        ],
    },
    "d03286": {
        "clauses": [
            Clause(
                (per(OURS, wa("lethal hits"), kind="ranged"),),
                Event("selected_to_shoot", subject=UNIT),
                may="you",
                limits=(Limit("battle"),),
                lasts=PHASE,
            ),
        ]
    },
    "d00475": {"clauses": [per(OURS, wa("ignores cover"), kind="ranged")]},
    "d06760": {"clauses": [Clause((Grant("feel_no_pain", amount=n(5), who=UNIT),))]},
    "d04984": {
        "clauses": [
            Clause((stat("subtract", "OC", 4, ME), DAMAGED_HIT), holds=has(ME, Wounds(1, 8))),
        ]
    },
    "d05016": {"open": "an Order given by name", "clauses": []},
    "d05508": {
        "bearer": kw("CHAOS KNIGHTS"),
        "clauses": [Clause((Reroll("advance", who=UNIT), Reroll("charge", who=UNIT)))],
    },
    "d04798": {"clauses": [Clause((Grant("unit_ability", "stealth", who=LED),), holds=has(ME, Leading()))]},
    "d06854": {
        "bearer": kw("GENESTEALER CULTS MOUNTED"),
        "clauses": [
            Clause(
                (
                    Pick(one("picked", HitBy(None, "hit", Named("cult sniper rifle")), side="enemy")),
                    Clause(
                        (per(models(PICKED), RollMod("hit", n(1), -1)),),
                        lasts=Duration("phase", "start", "your", True, "shooting"),
                    ),
                ),
                Event("has_shot", subject=ME, edge="after", during=During(("shooting",), "your")),
            ),
        ],
    },
    "d06623": {
        "bearer": kw("EMPEROR'S CHILDREN"),
        "clauses": [
            at(UNIT, RollMod("wound", n(1), -1), kind="melee", holds=S_OVER_T),
        ],
    },
    "d04827": {
        "bearer": kw("TECH-PRIEST DOMINUS", "TECH-PRIEST MANIPULUS"),
        "clauses": [
            per(ME, stat("add", "A", 3), stat("add", "D", 1), kind="melee"),
        ],
    },
    "d06408": {
        "bearer": kw("ADEPTUS ASTARTES"),
        "clauses": [
            per(ME, stat("add", "S", 2), stat("improve", "AP", 1), stat("add", "D", 1), kind="melee"),
        ],
    },
    "d06565": {
        "clauses": [
            Clause(
                (per(models(SUBJECT), stat("add", "S", 1)),),
                Event(
                    "selected_to_move", subject=fr(kw("EMPEROR'S CHILDREN BATTLELINE")), kinds=("advance", "fall_back")
                ),
                lasts=TURN,
            ),
            Clause((Build("tag", words=("host",)),)),
        ]
    },
    "d07829": {
        "clauses": [
            Clause(
                (
                    per(
                        Select("model", side="friendly", where=HasAbility("oath of moment")),
                        Reroll("wound"),
                        target=un(HasState("oath of moment")),
                    ),
                ),
                Window(("command",), "your"),
                may="you",
                limits=(Limit("battle"),),
                lasts=Duration("phase", "start", "your", True, "command"),
            ),
        ]
    },
    "d07112": {
        "target": one(
            "your unit",
            kw("DEATHWATCH INFANTRY"),
            NOT_SHOT,
            Not(any_(HasState("targeted with kraken rounds"), HasState("targeted with hellfire rounds"))),
        ),
        "clauses": [
            Clause((per(YOURS, wa("assault"), wa("ignores cover"), kind="ranged"),), SHOOTING, lasts=PHASE),
        ],
    },
    "d05542": {
        "target": THAT,
        "clauses": [
            Clause(
                (Grant("feel_no_pain", amount=n(5), against=AttackIs("mortal"), who=YOUR),),
                Event("mortal_wounds", subject=fr(kw("CHAOS KNIGHTS")), edge="after", during=During()),
                lasts=PHASE,
            ),
        ],
    },
    "d04589": {
        "target": one("your unit", kw("ADEPTA SORORITAS"), Moved("disembark"), NOT_SHOT),
        "clauses": [
            Clause(
                (
                    per(YOURS, RollMod("wound", n(1)), kind="ranged", target=un(Within(n(6), ATTACKER), OnObjective())),
                    Clause(
                        (
                            Pick(Select("model", where=Destroyed(), count=Count("one"), bind="picked")),
                            ShockTest("test", Select("unit", of=Select("model", ref="bound", name="picked"))),
                        ),
                        Event("has_attacked", YOUR, edge="after"),
                        holds=About(en(what="model", count=Count("any")), Destroyed(YOUR)),
                    ),
                ),
                SHOOTING,
                lasts=PHASE,
            ),
        ],
    },
    "d07106": {
        "target": one("your unit", kw("INQUISITOR", "INQUISITORIAL AGENTS", "ORDO MALLEUS")),
        "clauses": [
            Clause(
                (
                    Pick(one("picked", kw("DAEMON"), Within(n(12), YOUR), Visible(YOUR), side="enemy")),
                    ShockTest("test", PICKED),
                    Clause(
                        (per(models(fr(kw("AGENTS OF THE IMPERIUM"))), wa("devastating wounds"), target=PICKED),),
                        holds=Outcome("failed"),
                        lasts=PHASE,
                    ),
                ),
                AnyOf((SHOOTING, FIGHT)),
            ),
        ],
    },
    "d07977": {
        "target": one("your unit", kw("ADEPTUS ASTARTES")),
        "clauses": [
            Clause(
                (
                    per(YOURS, wa("lance"), kind="melee"),
                    Clause(
                        (per(YOURS, stat("improve", "AP", 1), kind="melee"),),
                        holds=has(YOUR, HasState("assault doctrine")),
                        lasts=PHASE,
                    ),
                ),
                FIGHT,
                lasts=PHASE,
            ),
        ],
    },
    "d06877": {
        "target": one("your unit", kw("TYRANIDS CHARACTER"), Destroyed(Select("unit", ref="attacker"), "phase")),
        "clauses": [
            Clause(
                (
                    per(
                        Select("model", side="friendly", where=kw("GENESTEALER CULTS")),
                        RollMod("hit", n(1)),
                        RollMod("wound", n(1)),
                        target=SUBJECT,
                    ),
                ),
                AnyOf(
                    (
                        Event("has_attacked", subject=ENEMY, edge="after", during=During(("shooting",), "opponent")),
                        Event("has_attacked", subject=ENEMY, edge="after", during=During(("fight",))),
                    )
                ),
                lasts=BATTLE,
            ),
        ],
    },
    "d08364": {"clauses": [], "open": "equipped with two weapons of a kind"},
    "d06478": {
        "clauses": [
            Clause(
                (per(OURS, wa("anti", 4, "MONSTER"), wa("anti", 4, "VEHICLE"), kind="melee"),),
                Event("selected_to_fight", subject=UNIT),
                holds=has(UNIT, Moved("charge")),
                lasts=PHASE,
            ),
        ]
    },
    "d06463": {"clauses": [per(OURS, RollMod("hit", n(1)), target=un(kw("CHARACTER")))]},
    "d07173": {
        "clauses": [
            Clause(
                (
                    Pick(one("picked", HitBy(None, "hit"), side="enemy"), may=True),
                    Clause(
                        (
                            per(
                                Select(
                                    "model",
                                    side="friendly",
                                    where=kw("AGENTS OF THE IMPERIUM", "IMPERIUM INFANTRY BATTLELINE"),
                                ),
                                Reroll("hit"),
                                target=PICKED,
                            ),
                        ),
                        lasts=PHASE,
                    ),
                ),
                Event("has_shot", subject=UNIT, edge="after"),
            ),
        ]
    },
    "d07366": {
        "clauses": [
            Clause(
                (
                    per(ME, stat("add", "A", 1), weapon=Named("reaper chain-cleaver - strike")),
                    per(ME, stat("add", "A", 2), weapon=Named("reaper chain-cleaver - sweep")),
                ),
                Event("move_started", subject=ME, kinds=("charge",)),
                lasts=TURN,
            ),
        ]
    },
    "d04635": {"clauses": [per(OURS, Reroll("wound"), target=un(kw("CHARACTER")))]},
    "d04914": {
        "clauses": [
            at(UNIT, RollMod("wound", n(1), -1), holds=has(UNIT, LedBy(Select("model", where=kw("CHARACTER"))))),
        ]
    },
    "d05402": {
        "clauses": [
            Clause(
                (per(OURS, wa("devastating wounds"), kind="melee"),),
                Event("move_started", subject=UNIT, kinds=("charge",)),
                lasts=TURN,
            ),
        ]
    },
    "d07698": {"clauses": [per(ME, Reroll("hit"), kind="ranged", target=un(Models(5)))]},
    "d06107": {
        "clauses": [
            Clause(
                (per(ME, stat("add", "A", 1)),),
                Window(("fight",), edge="end"),
                lasts=BATTLE,
                holds=has(ME, HasDestroyed(Select("unit", side="enemy", count=Count("any")))),
            ),
        ]
    },
    "d08086": {
        "tags": ("psychic",),
        "clauses": [
            Clause(
                (
                    at(LED, RollMod("hit", n(1), -1)),
                    Clause(
                        (
                            Stratagem(
                                "set",
                                n(0),
                                which=StratagemIs(
                                    ("counter-offensive", "fire overwatch", "go to ground", "heroic intervention")
                                ),
                                who=LED,
                            ),
                        ),
                        limits=(Limit("round"),),
                    ),
                ),
                holds=has(ME, Leading()),
            ),
        ],
    },
    "n0027": {"clauses": [at(UNIT, stat("worsen", "AP", 1))]},
    "n0001": {
        "clauses": [
            per(ME, stat("add", "A", 3), stat("add", "S", 2), kind="melee", holds=has(UNIT, Moved("charge"))),
        ]
    },
    "d06970": {
        "clauses": [
            Clause((Grant("keyword", keywords=("CROSSFIRE",), who=UNIT),)),
            per(OURS, Reroll("hit"), target=un(HasState("crossfire target"))),
        ],
        "open": "points of planning; every target of a charge",
    },
    "d07777": {
        "clauses": [
            Clause((Pick(Select("weapon", where=MELEE, of=ME, count=Count("one"), bind="picked")),)),
            per(ME, wa("devastating wounds"), weapon=Same(Select("weapon", ref="bound", name="picked"))),
        ]
    },
    "d06115": {
        "clauses": [
            Clause(
                (Grant("unit_ability", "stealth", who=UNIT),),
                Window(("shooting",), "opponent", "start"),
                may="you",
                limits=(Limit("battle"),),
                lasts=PHASE,
            ),
        ]
    },
    "d07774": {
        "clauses": [
            Clause((Grant("invulnerable", amount=n(4), who=ME), stat("add", "W", 1, ME))),
            Clause(
                (
                    Pick(one("picked", Engaged(ME), side="enemy")),
                    RollDice(n("D6"), (Row((Mortal(n("D3"), PICKED),), 2),)),
                ),
                Event("move_ended", subject=UNIT, kinds=("charge",)),
            ),
        ]
    },
    "d07795": {
        "clauses": [
            Clause(
                (Grant("invulnerable", amount=n(5), who=UNIT),),
                Event(
                    "roll_made", subject=UNIT, kinds=("save",), edge="before", during=During(("shooting",), "opponent")
                ),
                may="you",
                limits=(Limit("battle"),),
                lasts=PHASE,
            ),
        ]
    },
    "d05211": {
        "clauses": [
            Clause(
                (per(OURS, wa("lethal hits"), kind="ranged"),),
                Event("selected_to_shoot", subject=UNIT),
                may="you",
                limits=(Limit("battle"),),
                lasts=PHASE,
            ),
        ]
    },
    "d07785": {"clauses": [Clause((stat("add", "T", 2, ME), Remove("unit_ability", "firing deck", who=ME)))]},
    "n0008": {"clauses": [Clause((Grant("invulnerable", amount=n(4), against=RANGED, who=UNIT),))]},
    "d02776": {
        "clauses": [
            Clause(
                (per(ME, StatMod(("A",), "set", n(6), "attack"), weapon=THIS_WEAPON),),
                Event("targets_selected", subject=ME, kinds=("this weapon",)),
                has(TARGET, kw("PSYKER")),
                lasts=Duration("done"),
            ),
        ],
    },
    "d06361": {
        "clauses": [
            per(
                None,
                CritOn("hit", 4),
                target=un(Not(Within(n(12), Select("model", ref="attacker")))),
                weapon=Same(Select("weapon", ref="self")),
            ),
        ]
    },
    "d05231": {
        "clauses": [
            at(fr(kw("ANCIENT")), RollMod("wound", n(1), -1), holds=all_(has(TARGET, OnObjective()), S_OVER_T)),
        ],
        "open": "a surge move towards an objective",
    },
    "d08415": {
        "clauses": [
            per(models(fr(kw("SEKHETAR ROBOTS"))), wa("psychic")),
            Clause(
                (
                    Give(
                        fr(kw("THOUSAND SONS PSYKER")),
                        (
                            per(
                                models(fr(kw("SEKHETAR ROBOTS"), Within(n(12), UNIT))),
                                stat("improve", "WS", 1),
                                kind="melee",
                            ),
                        ),
                        "Infusion (Aura)",
                    ),
                )
            ),
        ],
    },
    "d03714": {
        "target": one("your unit", kw("ADEPTUS ASTARTES"), NEITHER),
        "clauses": [
            Clause(
                (
                    Choose(
                        tuple(
                            Option((per(YOURS, ability, holds=SCANNED_OR_BATTLELINE),))
                            for ability in (wa("lethal hits"), wa("sustained hits", 1))
                        )
                    ),
                ),
                AnyOf((SHOOTING, FIGHT)),
                lasts=PHASE,
            ),
        ],
    },
    "d05866": {
        "target": one("your unit", kw("DAMNED"), NOT_FOUGHT),
        "clauses": [
            Clause(
                (
                    Order("use", "desperate pact", YOUR),
                    Clause(
                        (
                            Mortal(n("D3"), YOUR),
                            Clause(
                                (
                                    per(YOURS, stat("add", "A", 1), kind="melee"),
                                    Clause(
                                        (per(YOURS, stat("add", "S", 1), kind="melee"),),
                                        holds=has(YOUR, Outcome("passed")),
                                        lasts=PHASE,
                                    ),
                                ),
                                lasts=PHASE,
                            ),
                        ),
                        holds=Outcome("done"),
                    ),
                ),
                FIGHT,
            ),
        ],
    },
    "d08510": {
        "target": one("your unit", kw("THOUSAND SONS PSYKER"), NOT_SHOT),
        "clauses": [
            Clause(
                (
                    per(
                        YOURS,
                        wa("psychic"),
                        StatMod(("S",), "set", n(5), "attack"),
                        weapon=Either(
                            (
                                Named("inferno bolt pistols"),
                                Named("inferno boltguns"),
                                Named("inferno combi-bolters"),
                                Named("inferno combi-weapons"),
                            )
                        ),
                    ),
                ),
                SHOOTING,
                lasts=PHASE,
            ),
        ],
    },
    "d06887": {"clauses": [], "open": "a stratagem with two targets"},
    "d06609": {
        "bearer": kw("EMPEROR'S CHILDREN"),
        "clauses": [
            Clause(
                (
                    Pick(Select("weapon", where=MELEE, of=ME, count=Count("one"), bind="picked")),
                    Clause(
                        (stat("add", "A", 1),),
                        PerAttack(attacker=ME, weapon=Same(Select("weapon", ref="bound", name="picked"))),
                    ),
                ),
                Window(("any",), "either", "start", "battle"),
            ),
            Clause(
                (
                    Clause(
                        (stat("add", "D", 1), wa("devastating wounds"), wa("hazardous")),
                        PerAttack(attacker=ME, weapon=Same(Select("weapon", ref="bound", name="picked"))),
                    ),
                ),
                Event("selected_to_fight", subject=ME),
                may="you",
                lasts=Duration("done"),
            ),
        ],
    },
    "d05760": {
        "clauses": [
            Clause((per(OURS, Reroll("hit")),), holds=has(UNIT, Used("default to doctrine", "turn")), lasts=TURN),
        ]
    },
    "d07392": {
        "tags": ("bondsman",),
        "clauses": [
            per(Select("model", where=HasState("this ability")), wa("sustained hits", 1)),
            per(Select("model", where=HasState("this ability")), wa("ignores cover"), kind="ranged"),
        ],
    },
    "d05736": {
        "clauses": [
            Clause(
                (
                    RollMod("leadership", n(1), -1),
                    Clause(
                        (
                            per(models(SUBJECT), RollMod("wound", n(1)), kind="ranged"),
                            per(models(SUBJECT), stat("add", "A", 2), kind="melee"),
                        ),
                        lasts=PHASE,
                    ),
                ),
                Event("ability_used", fr(kw("HERETIC ASTARTES DAEMON VEHICLE"), what="model"), kinds=("dark pact",)),
                may="you",
            ),
        ]
    },
    "d01378": {
        "clauses": [
            Clause(
                (
                    RollMod("leadership", n(1), -1),
                    Clause(
                        (
                            per(models(SUBJECT), RollMod("wound", n(1)), kind="ranged"),
                            per(models(SUBJECT), stat("add", "A", 2), kind="melee"),
                        ),
                        lasts=PHASE,
                    ),
                ),
                Event("ability_used", fr(kw("HERETIC ASTARTES DAEMON VEHICLE")), kinds=("dark pact",)),
                may="you",
            ),
        ]
    },
    "d05860": {
        "clauses": [
            Clause(
                (
                    Order("use", "dark pact", SUBJECT),
                    Clause(
                        (
                            *DARK_PACT.do,
                            Clause(
                                (
                                    Choose(
                                        (
                                            Option((per(models(SUBJECT), wa("lethal hits")),)),
                                            Option((per(models(SUBJECT), wa("sustained hits", 1)),)),
                                        )
                                    ),
                                ),
                                lasts=PHASE,
                            ),
                        ),
                        holds=Outcome("done"),
                    ),
                ),
                AnyOf(
                    (
                        Event("selected_to_shoot", un(HasAbility("this ability"))),
                        Event("selected_to_fight", un(HasAbility("this ability"))),
                    )
                ),
                holds=ArmyIs("HERETIC ASTARTES"),
            ),
        ]
    },
    "d04702": {
        "clauses": [
            Clause(
                (per(ME, StatMod(("S",), "multiply", n(2), "attack"), wa("devastating wounds"), kind="melee"),),
                Event("selected_to_fight", subject=UNIT),
                lasts=PHASE,
            ),
        ],
        "open": "discarding dice of a pool to use it",
    },
    "d03064": {
        "clauses": [
            Clause((Grant("ability", "this ability", who=fr(HasAbility("waaagh!"))),)),
            Clause(
                (
                    Order("use", "void waaagh!", Select("player", ref="you")),
                    Clause(
                        (
                            SetState("void waaagh!", Select("army", ref="you")),
                            per(
                                fr(HasAbility("this ability"), what="model"),
                                stat("add", "S A", 1),
                                kind="melee",
                            ),
                            Grant("invulnerable", amount=n(5), who=fr(HasAbility("this ability"), what="model")),
                        ),
                        holds=Outcome("done"),
                        lasts=Duration("round", "start", "either", True),
                    ),
                ),
                Window(("any",), "either", "start", "round"),
                limits=(Limit("battle"),),
            ),
            Clause((Order("counts", "void waaagh!", to=Select("ability", name="waaagh!")),)),
        ]
    },
    "d07557": {
        "clauses": [
            Clause((Grant("ability", "this ability", who=fr(HasAbility("waaagh!"))),)),
            Clause(
                (
                    Order("use", "void waaagh!", Select("player", ref="you")),
                    Clause(
                        (
                            SetState("void waaagh!", Select("army", ref="you")),
                            per(
                                fr(HasAbility("this ability"), what="model"),
                                stat("add", "S A", 1),
                                kind="melee",
                            ),
                            Grant("invulnerable", amount=n(5), who=fr(HasAbility("this ability"), what="model")),
                        ),
                        holds=Outcome("done"),
                        lasts=Duration("round", "start", "either", True),
                    ),
                ),
                Window(("any",), "either", "start", "round"),
                limits=(Limit("battle"),),
            ),
            Clause((Order("counts", "void waaagh!", to=Select("ability", name="waaagh!")),)),
        ]
    },
    "d00585": {"clauses": [], "open": "an Order given by name"},
    "d01766": {
        "clauses": [
            Clause((Grant("keyword", keywords=("KHORNE",), who=ME),)),
            Clause(
                (per(ME, stat("add", "S", 3), stat("add", "D", 1), kind="melee"),),
                FIGHT,
                holds=has(UNIT, Used("dark pact")),
                lasts=PHASE,
            ),
        ]
    },
    "d03250": {"clauses": [], "open": "a weapon that is changed for longer at each attack"},
    "d03264": {"clauses": [per(ME, StatMod(("A",), "add", FURTHER_KLAWS, "attack"), weapon=THIS_WEAPON)]},
    "d07770": {"clauses": [per(ME, StatMod(("A",), "add", FURTHER_KLAWS, "attack"), weapon=THIS_WEAPON)]},
    "d03508": {
        "clauses": [
            Clause(
                (
                    Choose(
                        tuple(
                            Option((Reroll(roll, "one", who=fr(kw("ADEPTUS ASTARTES"))),))
                            for roll in ("hit", "wound", "damage")
                        )
                    ),
                ),
                limits=(Limit("phase", 1, "unit"),),
            ),
        ],
    },
    "d03512": {
        "clauses": [
            Clause(
                (
                    Pick(
                        fr(kw("ADEPTUS ASTARTES"), Not(kw("TITANIC")), count=Count("up_to", BY_SIZE), bind="picked"),
                    ),
                    Grant("unit_ability", "deep strike", who=PICKED),
                ),
                Window(("any",), "either", "start", step="declare battle formations"),
            ),
            Clause(tuple(Build("limit", amount=k, words=(w,)) for k, w in SIZES)),
            Clause(
                (
                    Clause((Reroll("wound", "faces", (1,)),), holds=has(ATTACKER, Moved("set_up"))),
                    Clause(
                        (Reroll("hit", "faces", (1,)),),
                        holds=all_(
                            has(ATTACKER, Moved("disembark")),
                            has(ATTACKER, Was(Embarked(un(kw("DROP POD"))), "turn_start")),
                        ),
                    ),
                ),
                PerAttack(attacker=fr(kw("ADEPTUS ASTARTES"), what="model")),
            ),
        ],
    },
    "d02999": {"clauses": [], "open": "moving through models of lower Toughness"},
}
