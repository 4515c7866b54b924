"""A campaign around battles: steps after a battle, experience, tests, purchases; and that no battle enforces them."""

from __future__ import annotations

import pytest

from battlewright.battle.reminders import is_enforced
from battlewright.codec import from_json, to_json
from battlewright.effects import Rule, RuleKind
from battlewright.effects_words import describe, parse
from battlewright.rulestext import compile as read

READ = [
    (
        "Add 1 to the Toughness characteristic of Gizmo models from your Crusade army.",
        "add T 1 for <friendly model (GIZMO)>",
    ),
    (
        "After each battle, in the Update Scrolls step, roll one D6: on a 1, you lose 1RP.",
        "end of any phase, unit battle, step “update scrolls” · roll D6: (from 1 up to 1 → (pool “rp”: spend 1))",
    ),
    (
        "At the end of the battle, if the bearer was in your Crusade army and you won that battle, your Crusade force "
        "gains D3 Lost Gears.",
        "end of any phase, unit battle · if (this model: the same as your army and your player: in state “victor”) · "
        "pool “lost gears”: add D3",
    ),
    (
        "At the end of a battle you won, this unit gains D3+1XP.",
        "end of any phase, unit battle · if your player: in state “victor” · state “xp” counting D3+1 on the bearer's unit",
    ),
    (
        "Each time this unit is Marked for Greatness, it gains an additional 2XP.",
        "when used – the bearer's unit kinds “marked for greatness” · state “xp” counting 2 on the bearer's unit",
    ),
    (
        "Each time this unit is Marked for Greatness, it gains 5XP instead of 3XP.",
        "when used – the bearer's unit kinds “marked for greatness” · state “xp” counting 2 on the bearer's unit",
    ),
    (
        "While you have a deficiency in Grain, Gizmo units from your Crusade army gain 2XP from Hard Fights instead of 1XP.",
        "when used – <friendly unit (GIZMO)> kinds “xp from hard fights” · if your player: in state “deficiency in "
        "grain” · state “xp” counting 1 on that unit",
    ),
    ("This unit cannot be Marked for Greatness.", "cannot “be marked for greatness” with the bearer's unit"),
    (
        "At the end of the battle, you can select one additional Gizmo unit from your army to be Marked for Greatness.",
        "end of any phase, unit battle · may pick <one other friendly unit (GIZMO) as “picked”>; state “marked for "
        "greatness” on the chosen unit “picked”",
    ),
    (
        "Each time this unit takes a Battle-shock, Leadership or Out of Action test, add 1 to that test.",
        "when test taken – the bearer's unit kinds “battle_shock”, “leadership”, “out_of_action” · +1 to battle shock "
        "rolls of the bearer's unit; +1 to leadership rolls of the bearer's unit; +1 to out of action rolls of the "
        "bearer's unit",
    ),
    (
        "At the end of the battle, you can ignore up to two failed Out of Action tests taken for Gizmo units from your "
        "Crusade army - those tests are treated as having been passed instead.",
        "2 times once per battle · end of any phase, unit battle · you may · out of action roll: success of "
        "<friendly unit (GIZMO)>",
    ),
    ("This unit fails Out of Action tests on rolls of 1-3.", "out of action roll: failure 3 of the bearer's unit"),
    (
        "Each time this model fails an Out of Action test, subtract an additional 1 from the result.",
        "when test failed – this model kinds “out_of_action” · -1 to out of action rolls of this model",
    ),
    (
        "The RP cost of the following Requisitions is increased by 1RP: Red Hats, Blue Ties.",
        "stratagem cost 1 which stratagem is “red hats”, “blue ties” of category “requisition”",
    ),
    (
        "After each battle, you can purchase one of the following Requisitions once, and when you do, reduce the cost "
        "by 1RP: Red Hats, Blue Ties.",
        "once per battle · end of any phase, unit battle, step “after the battle” · you may · stratagem cost less 1 "
        "which stratagem is “red hats”, “blue ties” of category “requisition”",
    ),
    (
        "In the Select Gifts step, if you are the Underdog, you gain 1 additional Omen point.",
        "any phase, step “select gifts” · if your player: in state “underdog” · pool “omen”: add 1",
    ),
    (
        "Each time you start a Dark Quest, you gain 1 Omen point.",
        "when used kinds “dark quest started” · pool “omen”: add 1",
    ),
]

BUILT = [
    (
        "Infantry only. Change this model's Move characteristic to 12\", its Toughness characteristic to 6 and its Save "
        "characteristic to 4+. Remove the Infantry and Gizmo keywords, add the Mounted and Red Hat keywords, and it is "
        "equipped with 1 long gun in addition to the weapons you choose in Step 4.",
        " · bearer INFANTRY: set M 12 for this model; set T 6 for this model; set Sv 4 for this model; lose keyword "
        "“INFANTRY” for this model; lose keyword “GIZMO” for this model; gain keyword for keywords “MOUNTED”, “RED "
        "HAT” for this model; building: include this model that is armed with “long gun” words “equipped”",
    ),
    (
        "Replace the list of units this model can be attached to: Red Guard, Blue Guard (excluding Fly and Gravis).",
        ": building: attach this model that is either (RED GUARD or (BLUE GUARD and not FLY/GRAVIS)) words “only”",
    ),
    (
        "Improve this model's Leadership characteristic by 1 and its Objective Control characteristic by 2.",
        ": improve Ld 1 for this model; add OC 2 for this model",
    ),
    (
        "Red Goal: 6+\nBlue Goal: 8+",
        ": building: require, number 6 words “red goal”; building: require, number 8 words “blue goal”",
    ),
    ("Cannot be taken by Psyker models.", " · bearer not PSYKER:"),
    (
        "Unit with the Blooded rank or higher only. Add 1 to the Wounds characteristic of models in this unit.",
        " · bearer in state “blooded rank or better”: add W 1 for the bearer's unit",
    ),
    (
        "If this model gains the Blue keyword for any reason, it immediately loses this Battle Trait and the Red keyword.",
        ": if this model: BLUE · lose ability “this ability” for this model; lose keyword “RED” for this model",
    ),
    (
        "If this model is your Warlord, you can use one Crusade Blessing even if you are not the Underdog.",
        ": if this model: the warlord · may “use 1 crusade blessing” despite “not the underdog” with your player",
    ),
    (
        "When selecting Agendas for a battle, you can select one additional Red Agenda for that battle.",
        ": any phase, step “select agendas” · may “use 1 additional red agenda” with your player",
    ),
    (
        "At the start of the battle, select one Battle Trait. Until the end of the battle, this unit has that Battle Trait.",
        ": start of any phase, unit battle · order: use “battle trait”; (battle · gain ability “battle trait” for the "
        "bearer's unit)",
    ),
    (
        "Each time this unit takes a Battle-shock or Leadership test, you can ignore any or all modifiers to that test.",
        ": when test taken – the bearer's unit kinds “battle_shock”, “leadership” · ignore modifiers of “battle_shock”, "
        "“leadership” for the bearer's unit",
    ),
    (
        "Each time you roll on the Omen table, you can re-roll the result.",
        ": when roll made kinds “omen table” · re-roll any rolls",
    ),
]

GAINED = [
    (
        "At the end of the battle, you can remove one Battle Scar from this unit.",
        "end of any phase, unit battle · you may · state “battle scar” ends counting 1 on the bearer's unit",
    ),
    ("This unit cannot gain XP.", "cannot “gain xp” with the bearer's unit"),
    ("Add 1 to this unit's Crusade points.", "state “crusade points” counting 1 on the bearer's unit"),
    (
        "Each time this unit destroys an enemy unit, add 1 to its Hunter tally.",
        "when destroyed – enemy unit → the bearer's unit · state “hunter tally” counting 1 on the bearer's unit",
    ),
    (
        "At the end of the battle, this unit gains 1XP for each mark on its Hunter tally.",
        "end of any phase, unit battle · state “xp” counting 1 for each marker “hunter tally” of the bearer's unit on the "
        "bearer's unit",
    ),
    (
        "Each time this unit gains a rank, it gains 1 additional Battle Honour.",
        "when used – the bearer's unit kinds “rank gained” · state “battle honour” counting 1 on the bearer's unit",
    ),
    (
        "While this unit has the Red or Blue rank, add 1 to its Leadership characteristic.",
        "if the bearer's unit: either (in state “red rank” or in state “blue rank”) · improve Ld 1 for the bearer's unit",
    ),
    (
        "You can purchase the Red Hats Requisition for 0RP.",
        "you may · stratagem set 0 which stratagem is “red hats” of category “requisition”",
    ),
    ("Increase your Supply Limit by 200 points.", "pool “supply limit”: add 200"),
    ("At the end of the battle, your Crusade force gains 1RP.", "end of any phase, unit battle · pool “rp”: add 1"),
]

AT_THE_END = [
    (
        "If the bearer is on the battlefield at the end of the battle and you won that battle, you gain 1RP.",
        "end of any phase, unit battle · if (this model: located: battlefield and your player: in state “victor”) · "
        "pool “rp”: add 1",
    ),
    (
        "At the end of the battle, if one or more units with this Battle Trait destroyed one or more Red units with a melee "
        "attack during the battle, you gain either 1 Omen point or 1 Grain point.",
        "end of any phase, unit battle · if <any unit (having “this ability”)>: having destroyed <any unit ((RED and had "
        "attacks so: slain with attack: melee))> since battle · choose of (option (pool “omen”: add 1); option (pool "
        "“grain”: add 1))",
    ),
    (
        "At the end of the battle, if one or more enemy models were destroyed by melee attacks during that battle, and this "
        "unit was on the battlefield at the end of the battle, you gain 1 Omen point.",
        "end of any phase, unit battle · if (<any enemy model (had attacks so: slain with attack: melee)>: destroyed since "
        "battle and the bearer's unit: located: battlefield) · pool “omen”: add 1",
    ),
    (
        "For each model with this Battle Trait that is on the battlefield at the end of the battle, roll one D6: for each "
        "6, you gain 1 Omen point.",
        "end of any phase, unit battle · roll D6 for <model ((having “this ability” and located: battlefield)) as “each”>: "
        "(from 6 up to 6 → (pool “omen”: add 1))",
    ),
    (
        "At the end of the battle, you gain 2RP (you cannot gain more than 2RP per battle as a result of this Gift, "
        "no matter how many units have it).",
        "once per battle for army · end of any phase, unit battle · pool “rp”: add 2",
    ),
    (
        "No unit from your Crusade force can gain more than 1 Battle Honour using this Gift.",
        "cannot “gain more than 1 battle honour by this” with friendly unit",
    ),
    (
        "At the Attacker and Defender step, you can re-roll your dice when determining who will be the Attacker.",
        "any phase, step “attacker and defender” · re-roll roll off rolls of your player",
    ),
    (
        "At the start of your first Command phase, you gain 1CP.",
        "start of your command phase · if round –1 · +1 CP",
    ),
]

NAMED = [
    (
        "Each time this model would gain 1XP as a result of Red Hats, it gains 2XP instead.",
        "when used – this model kinds “xp from red hats” · state “xp” counting 1 on this model",
    ),
    (
        "At the end of the battle, this unit must take an Out of Action test (if it was destroyed, subtract 2 from its Out "
        "of Action test).",
        "end of any phase, unit battle · battle-shock: out of action for the bearer's unit; (if the bearer's unit: "
        "destroyed · -2 to out of action rolls of the bearer's unit)",
    ),
    (
        "Each time an Out of Action test is failed for this unit, you can re-roll that test.",
        "when test failed – the bearer's unit kinds “out_of_action” · re-roll out of action rolls of the bearer's unit",
    ),
    (
        "If the bearer is alive at the end of the battle and was part of an Attached unit at the start of the battle, it "
        "gains D3+1XP.",
        "end of any phase, unit battle · if (this model: not destroyed and this model: earlier, at battle start: in state "
        "“attached”) · state “xp” counting D3+1 on this model",
    ),
    (
        "At the end of the battle, select one additional unit to be Marked for Greatness (you cannot use this ability to "
        "select this unit to be Marked for Greatness).",
        "end of any phase, unit battle · pick <one other friendly unit (not the same as the bearer's unit) as “picked”>; "
        "state “marked for greatness” on the chosen unit “picked”",
    ),
    (
        "At the end of the Red Events step, you can choose to increase or decrease the fury of the Red Events by 1 (to a "
        "minimum of 1 and a maximum of 3).",
        "end of any phase, step “red events” · you may · choose of (option if pool “fury of red events” 0–2 (pool “fury of "
        "red events”: add 1); option if pool “fury of red events” 2– (pool “fury of red events”: spend 1))",
    ),
    (
        "Each time an enemy unit performs a Fiery Landing within 9\" of this unit, subtract 1 from that unit's Deep Landing "
        "test result.",
        "when ability used – enemy unit kinds “fiery landing” · if that unit: within 9\" of the bearer's unit · (when test "
        "taken – that unit kinds “deep landing” · -1 to any rolls of that unit)",
    ),
    (
        "Incursion: 1 RED, 2 BLUE\nNote that you can include RED units in such an army as normal.",
        "building: limit <unit (RED)>, number 1 words “incursion”; building: limit <unit (BLUE)>, number 2 words "
        "“incursion”; building: include <unit (RED)>",
    ),
    (
        "If your Army Faction is not RED, but every model in your army has the BLUE keyword, you gain 1CP.",
        "if (not own army “RED” and friendly model, every one: BLUE) · +1 CP",
    ),
]

DEEDS = [
    (
        "This model's Burden is fulfilled if, at the end of the battle, it is engaged.",
        "end of any phase, unit battle · if this model: engaged · state “burden achieved” on this model",
    ),
    (
        "While you are Feared, if this model has fewer than 3 Oath tokens, it gains 1 Oath token.",
        "if (this model: in state “oath” at least 0 at most 2 and your player: in state “feared”) · state “oath” counting 1 "
        "on this model",
    ),
    (
        "If your Omen total is 10+, this model has the Stealth ability.",
        "if pool “omen” 10– · gain unit ability “stealth” for this model",
    ),
    (
        "Once this Vow is fulfilled, this model gains the Stealth ability.",
        "if your army: in state “vow achieved” · gain unit ability “stealth” for this model",
    ),
    (
        "At the end of the battle, this Quest is completed.",
        "end of any phase, unit battle · state “quest achieved” on your army",
    ),
    (
        "If this model's Omen level is 2 or more, it has the Lone Operative ability.",
        "if this model: in state “omen” at least 2 · gain unit ability “lone operative” for this model",
    ),
    (
        "At the end of the battle, if your opponent has no units within your deployment zone, you gain 1 Omen point.",
        "end of any phase, unit battle · if not any enemy unit: located: own zone · pool “omen”: add 1",
    ),
    (
        "You can spend 2 Omen points to give this unit the Deep Strike ability.",
        "you may · pool “omen”: spend 2; gain unit ability “deep strike” for the bearer's unit",
    ),
    ("Requires: 2 Omen points", "building: require, number 2 words “omen”"),
    (
        "Each Gizmo unit from your army that has this upgrade has the Stealth ability.",
        "gain unit ability “stealth” for <friendly unit ((GIZMO and having “this ability”))>",
    ),
    ("A unit can only have one of these upgrades.", "building: limit unit, number 1 words “of these”"),
    (
        "This unit can never be the target of the Red Hats Stratagem.",
        "stratagem forbid on the bearer's unit which stratagem is “red hats”",
    ),
    (
        "If you are the Attacker, this unit has the Stealth ability.",
        "if your player: in state “attacker” · gain unit ability “stealth” for the bearer's unit",
    ),
]

KEPT = [
    (
        "Gizmo model with the Heroic rank or higher only. Add 1 to the bearer's Wounds characteristic.",
        " · bearer (GIZMO and in state “heroic rank or better”): add W 1 for this model",
    ),
    (
        "At the end of the battle, this unit gains 1XP for every 2 marks on its Hunter tally (to a maximum of 3XP).",
        ": end of any phase, unit battle · state “xp” counting 1 every 2 for each marker “hunter tally” of the bearer's "
        "unit, at most 3 on the bearer's unit",
    ),
    (
        "Each time this unit destroys an enemy unit, it gains 2XP (to a maximum of 6XP per battle).",
        ": 3 times once per battle · when destroyed – enemy unit → the bearer's unit · state “xp” counting 2 on the "
        "bearer's unit",
    ),
    (
        "If this unit gains the Heroic rank, this Battle Scar is removed.",
        ": if the bearer's unit: in state “heroic rank” · lose ability “this ability” for this model",
    ),
    (
        "While you have more Omen points than your opponent, add 1 to Advance rolls made for this unit.",
        ": if you.pool.omen > opponent.pool.omen · +1 to advance rolls of the bearer's unit",
    ),
    ("This unit cannot be affected by Stratagems.", ": targeting: cannot with the bearer's unit to stratagem"),
    (
        "This unit can have one additional Battle Trait.",
        ": may “have 1 additional battle trait” with the bearer's unit",
    ),
    (
        "At the end of the battle, you gain 1 Omen point for each enemy unit destroyed by this unit during the battle.",
        ": end of any phase, unit battle · pool “omen”: add 1 for each <enemy unit (destroyed by the bearer's unit since "
        "battle)>",
    ),
]

OTHER_WORDS = [
    (
        "Once per Tour of Honour, when you attempt to Thwart a Plot through Cunning, you can re-roll that test.",
        "once per campaign “tour of honour” · when used kinds “thwart a plot through cunning” · re-roll any rolls",
    ),
    (
        "This unit gains one Battle Trait. It must be one it can have. It "
        "does not count towards the maximum number of Battle Traits a unit can have.",
        "state “battle trait” counting 1 on the bearer's unit; building: limit words “not counted”, “battle trait”",
    ),
    (
        "If the Red Hats Requisition is used on this unit, that Requisition only costs you 1RP.",
        "stratagem set 1 on the bearer's unit which stratagem is “red hats” of category “requisition”",
    ),
    (
        "The maximum number of Red, Blue and Green Character units that can be included in your army is increased by 1.",
        "building: limit <unit (RED)>, number 1 words “more than else”; building: limit <unit (BLUE)>, number 1 words “more "
        "than else”; building: limit <unit (GREEN CHARACTER)>, number 1 words “more than else”",
    ),
    (
        "When the battle ends, if you are victorious, this unit earns 1XP.",
        "end of any phase, unit battle · if your player: in state “victor” · state “xp” counting 1 on the bearer's unit",
    ),
    (
        "If the battle was a draw, you gain 1 Omen point.",
        "if (not your player: in state “defeated” and not your player: in state “victor”) · pool “omen”: add 1",
    ),
    (
        "After a battle, if you did not win, it is too late.",
        None,
    ),
    (
        "When you mark this unit for greatness, it gains an extra 1XP.",
        "when used – the bearer's unit kinds “marked for greatness” · state “xp” counting 1 on the bearer's unit",
    ),
    (
        "If this unit fails its Out of Action test, it gains two Battle Scars.",
        "when test failed – the bearer's unit kinds “out_of_action” · state “battle scar” counting 2 on the bearer's unit",
    ),
    (
        "In the Update Scrolls step of the post-battle sequence, you gain 1 Omen point.",
        "any phase, step “update scrolls” · pool “omen”: add 1",
    ),
    (
        "At the end of the battle, you can award 1XP to one Gizmo unit from your army.",
        "end of any phase, unit battle · may pick <one friendly unit (GIZMO) as “picked”>; state “xp” counting 1 on the "
        "chosen unit “picked”",
    ),
    (
        "This unit starts each battle with D3 Omen tokens.",
        "start of any phase, unit battle · state “omen” counting D3 on the bearer's unit",
    ),
    (
        "You do not receive any Requisition points for playing a battle.",
        "cannot “gain rp for the battle” with your player",
    ),
    ("This unit does not gain XP from Red Hats.", "cannot “gain xp from red hats” with the bearer's unit"),
]


def says(text: str, told: str, kind: RuleKind = "crusade") -> Rule:
    """The rule, which is read whole, says this behind its edition, and reads back as itself."""
    rule = read(text, name="P", kind=kind, edition="10e")
    assert rule.status == "full", rule.unread
    assert describe(rule) == f"“P” · {kind} · 10e{told}"
    assert parse(describe(rule)) == rule
    return rule


@pytest.mark.parametrize(("text", "told"), OTHER_WORDS)
def test_other_words(text: str, told: str | None) -> None:
    rule = read(text, name="P", kind="crusade", edition="10e")
    assert (rule.status == "full") == (told is not None), rule.unread
    if told is not None:
        assert describe(rule) == f"“P” · crusade · 10e: {told}"
        assert parse(describe(rule)) == rule


@pytest.mark.parametrize(("text", "told"), KEPT)
def test_kept(text: str, told: str) -> None:
    says(text, told)


def test_each_counts_its_own_marks() -> None:
    """No amount can say so: it is not the marks of all of them."""
    assert read("Each Gizmo unit from your army gains 1XP for each mark on its Hunter tally.").status == "none"


@pytest.mark.parametrize(("text", "told"), DEEDS)
def test_deeds(text: str, told: str) -> None:
    says(text, f": {told}", kind="upgrade-other")


@pytest.mark.parametrize(("text", "told"), NAMED)
def test_named(text: str, told: str) -> None:
    says(text, f": {told}")


@pytest.mark.parametrize(("text", "told"), AT_THE_END)
def test_at_the_end(text: str, told: str) -> None:
    says(text, f": {told}")


def test_how_they_were_destroyed_is_kept() -> None:
    """Whether they were melee attacks was lost."""
    rule = read(
        "If an enemy unit was destroyed as a result of a melee attack made by this unit this phase, you gain 1CP."
    )
    assert "slain with attack: melee" in describe(rule)


@pytest.mark.parametrize(("text", "told"), GAINED)
def test_gained(text: str, told: str) -> None:
    rule = says(text, f": {told}")
    assert not is_enforced(rule) or "tally" in text


@pytest.mark.parametrize(("text", "told"), BUILT)
def test_built(text: str, told: str) -> None:
    says(text, told)


def test_a_test_of_either_kind_is_taken_again() -> None:
    """It was the first kind only."""
    rule = read("Each time this unit takes a Battle-shock or Leadership test, you can re-roll that test.")
    assert [effect.roll for effect in rule.clauses[0].do] == ["battle_shock", "leadership"]  # type: ignore[union-attr]


def test_a_roll_on_a_table_is_none_of_the_game() -> None:
    assert not is_enforced(read("Each time you roll on the Omen table, you can re-roll the result."))


def test_what_a_campaign_gives_is_no_unit() -> None:
    """ "One additional Crusade Blessing" was picked among the units."""
    assert "pick" not in describe(read("You can select one additional Crusade Blessing."))


@pytest.mark.parametrize(("text", "told"), READ)
def test_read(text: str, told: str) -> None:
    rule = says(text, f": {told}")
    assert from_json(to_json(rule), Rule) == rule


@pytest.mark.parametrize(
    "text",
    [text for text, _ in READ[1:] if "Battle-shock" not in text],
)
def test_no_battle_enforces_it(text: str) -> None:
    assert not is_enforced(read(text, name="P", kind="crusade", edition="10e"))
