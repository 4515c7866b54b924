"""What the editions differ in when a battle is played: numbers, and the steps of each procedure in the order of the book.

A step is (name, rule id); the name is a method of the procedure of that key in ``battle.procedures``. No rule asks which
edition it is: it asks for a number of :class:`BattleRules`, or it stands in only one edition's list of steps.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from battlewright.effects import EditionId

Steps: TypeAlias = tuple[tuple[str, str], ...]


class MoveKind(Struct, frozen=True):
    """A type of move. ``reach``: "M", "M+D6" or inches; ``engaged``: must the unit be engaged to make it;
    ``through_er``: may models pass through engagement range; ``blocks``: what the unit may not do afterwards.
    """

    name: str
    rule: str
    reach: str
    engaged: bool = False
    through_er: bool = False
    blocks: tuple[str, ...] = ()


class Plunging(Struct, frozen=True):
    """Plunging fire: from so high up it improves the skill or the AP; TOWERING models have it so near.

    Rules: 11e 22.05; 10e T-11.3.
    """

    height: float
    improves: Literal["skill", "ap"]
    towering_within: float = -1.0
    at_all_on_the_ground: bool = False
    from_ruins_only: bool = False


class BattleRules(Struct, frozen=True):
    """The numbers and step lists of one edition (those of the table itself are in ``battlefield.numbers``). Inches.

    * ``engage_if_possible``: a consolidation goes to the enemy only if it can end engaged (10e T-8.2), else whenever one is
      near; ``any_objective``: towards an objective of the player's choice (11e 12.08), else the closest.
    * ``no_strength``: the Strength of a weapon without one (11e 02.04); None: its model's Toughness (10e T-1.5).
    * ``aircraft_least``: so far AIRCRAFT fly at least (10e T-9.8); None: they make no such moves (11e 23.02).
    * ``reserves_share`` of the points limit may start in strategic reserves; ``deep_strikers_apart``: without AIRCRAFT and
      those with Deep Strike (10e T-9.2, T-9.4).
    * ``engaged_at_start_fight``: who was engaged when the Fight step began is eligible for all of it (11e 12.04);
      ``first_again``: who comes to have Fights First later fights before the rest (12.04); ``steps_begin_anew``: each step
      begins with the player whose turn it is not (10e T-8.1); ``may_pass_far_away`` (11e 12.04.01).
    * ``upstairs``: keywords besides those of people and FLY that may end above the ground (11e 13.06).
    * ``falls_back_over_enemies``: in every fall back (10e T-4.5), else in a desperate escape (11e 09.07);
      ``takes_to_the_skies``: FLY is a choice (11e 21.03), else always through the air (10e T-4.7).
    * ``parts_are_units``: the parts of an attached unit are destroyed, and separate, one by one (10e T-10.2; 11e 19.02).
    * ``indirect_any_way``: [INDIRECT FIRE] needs no type of shooting of its own (10e W-INDIRECT; 11e 10.07);
      ``pistols_unhindered``: never worse for a combat (10e T-5.4), else at those the unit is engaged with (11e 10.06);
      ``heavy_move``: so far a unit may have moved for [HEAVY] (11e 24.16); None: it remained stationary (10e W-HEAVY).
    * ``hazards_hurt_the_unit``: a hazard roll is its unit's (11e 06.03), else its bearer's (10e W-HAZ).
    * ``scouts_alternate``: the players take turns (11e 24.32; 10e T-9.6); ``tests_off_battlefield``: battle-shock too (11e
      01.02.04); ``dearer_by_at_most``: CP a stratagem may come to cost more (11e 02.02.01); ``both_score_late``: the last
      round's Command lines are scored at the end of both turns (11e 26), not only of the second (10e T-15.3).
    * ``strides_over``: sections so high do not stop a super-heavy walker (11e 24.35).
    * ``scouts_from_zone``: who scouts starts wholly within its zone, or is set up there (11e 24.31).
    * ``passengers_keep_to_edge``: who leaves a transport that just arrived stands where it could have arrived itself
      (11e 18.04), not only off the enemy (10e T-9.2).
    * ``heals_units``: a unit that heals revives its models (11e 02.02.04).
    * ``all_passengers_barred``: after Firing Deck nobody aboard shoots this turn (11e 24.14), not only who fired (T-10.6).
    """

    edition: EditionId
    reserves_share: float
    reserves_units: float | None
    reserves_edge: float
    charge_within: float
    charge_cap: int | None
    disembark: float
    combat_disembark: float | None
    emergency_disembark: float
    desperate_fails: int
    steps: dict[str, Steps]
    rules: dict[str, str]
    moves: tuple[MoveKind, ...]
    shooting_types: tuple[str, ...]
    shock_at_half: bool
    shock_until_passed: bool
    targets_before_roll: bool
    engage_all_targets: bool
    first_to_fight: str
    pile_in: float
    pile_in_within: float | None
    consolidate: float
    fights_with_chain: bool
    one_stratagem_a_unit: bool
    plunging: Plunging
    terrain_objectives: bool
    engage_if_possible: bool
    any_objective: bool
    no_strength: int | None
    aircraft_least: float | None
    deep_strikers_apart: bool
    strides_over: float | None
    all_passengers_barred: bool
    passengers_keep_to_edge: bool
    scouts_from_zone: bool
    engaged_at_start_fight: bool
    upstairs: tuple[str, ...]
    falls_back_over_enemies: bool
    takes_to_the_skies: bool
    parts_are_units: bool
    indirect_any_way: bool
    pistols_unhindered: bool
    heavy_move: float | None
    hazards_hurt_the_unit: bool
    first_again: bool
    steps_begin_anew: bool
    may_pass_far_away: bool
    scouts_alternate: bool
    tests_off_battlefield: bool
    dearer_by_at_most: int | None
    both_score_late: bool
    heals_units: bool

    def move(self, name: str) -> MoveKind:
        """The type of move of this name.

        >>> ELEVENTH.move("advance").rule
        '09.06'
        """
        return next(kind for kind in self.moves if kind.name == name)


_ROUND: Steps = (
    ("start_of_round", "07.01"),
    ("first_turn", "07.02"),
    ("second_turn", "07.02"),
    ("end_of_round", "07.03"),
)

ELEVENTH = BattleRules(
    edition="11e",
    reserves_share=0.5,
    reserves_units=None,
    reserves_edge=6.0,
    charge_within=12.0,
    charge_cap=12,
    disembark=3.0,
    combat_disembark=6.0,
    emergency_disembark=6.0,
    desperate_fails=2,
    steps={
        "battle": (
            ("aircraft", "23.01"),
            ("declare_battle_formations", "26"),
            ("deploy", "26"),
            ("determine_first_turn", "26"),
            ("pre_battle_rules", "26"),
            ("battle_rounds", "26"),
            ("end_of_battle", "26"),
        ),
        "battle_round": _ROUND,
        "turn": (
            ("start_of_turn", "07.02"),
            ("command_phase", "08"),
            ("movement_phase", "09"),
            ("shooting_phase", "10"),
            ("charge_phase", "11"),
            ("fight_phase", "12"),
            ("end_of_turn", "07.02"),
        ),
        "command": (
            ("start_of_phase", "08.01"),
            ("core_cp", "08.02"),
            ("battle_shock", "08.03"),
            ("command_abilities", "08.04"),
            ("end_of_phase", "08.05"),
        ),
        "battle_shock_roll": (("before_roll", "15.04"), ("roll", "01.07")),
        "movement": (("start_of_phase", "09.01"), ("move_units", "09.02"), ("end_of_phase", "09.03")),
        "move_unit": (
            ("choose_move", "09.02"),
            ("held", "09.04"),
            ("choose_mode", "09.02.02"),
            ("take_to_the_skies", "21.03"),
            ("super_heavy_walker", "24.35"),
            ("before_moving", "09.07"),
            ("advance_roll", "09.06"),
            ("move_models", "03.01"),
            ("after_moving", "09.07"),
            ("embark", "18.02"),
        ),
        "disembark": (
            ("choose_mode", "18.04"),
            ("before_moving", "18.04"),
            ("set_up", "03.02"),
            ("after_moving", "18.04"),
        ),
        "emergency_disembark": (("hazard_rolls", "18.05"), ("set_up", "18.05"), ("after_moving", "18.05")),
        "ingress": (("set_up", "20.04"), ("after_moving", "20.04")),
        "shooting": (("start_of_phase", "10.01"), ("shoot_units", "10.02"), ("end_of_phase", "10.03")),
        "shoot_unit": (
            ("choose_type", "10.02"),
            ("select_weapons_and_targets", "04.01"),
            ("targets_selected", "04.02"),
            ("resolve_attacks", "04.03"),
            ("after_shooting", "24.15"),
        ),
        "charge": (("start_of_phase", "11.01"), ("charge_units", "11.02"), ("end_of_phase", "11.03")),
        "charge_unit": (
            ("declare", "11.02"),
            ("take_to_the_skies", "21.03"),
            ("charge_roll", "11.02"),
            ("charge_targets", "11.04"),
            ("charge_move", "11.04"),
        ),
        "fight": (
            ("start_of_phase", "12.01"),
            ("pile_in", "12.02"),
            ("fights_first_combats", "12.04"),
            ("remaining_combats", "12.04"),
            ("consolidate", "12.07"),
            ("end_of_phase", "12.09"),
        ),
        "fight_unit": (
            ("choose_fight_type", "12.05"),
            ("overrun_move", "12.06"),
            ("select_weapons_and_targets", "04.01"),
            ("targets_selected", "04.02"),
            ("resolve_attacks", "04.03"),
            ("after_fighting", "24.15"),
        ),
        "pile_in": (("choose_targets", "12.03"), ("move_models", "12.03")),
        "consolidate": (("choose_mode", "12.08"), ("move_models", "12.08"), ("unfought_enemies", "12.08")),
        "end_of_turn": (
            ("determine_control", "14.02"),
            ("end_of_turn_rules", "07.02"),
            ("aircraft_leave", "23.02"),
            ("coherency", "03.03"),
            ("score", "07.02"),
        ),
        "aftermath": (
            ("emergency_disembarks", "18.05"),
            ("deadly_demise", "24.08"),
            ("separate", "19.01.01"),
        ),
    },
    rules={
        "coherency": "03.03",
        "engaged": "03.04",
        "set_up": "03.02",
        "eligible_to_move": "09.02",
        "eligible_to_shoot": "10.02",
        "eligible_to_charge": "11.02",
        "eligible_to_fight": "12.04",
        "select_targets": "04.02",
        "select_weapons": "04.01",
        "stratagems": "15.01",
        "shocked": "01.07",
        "deploy": "26",
        "reserves": "20.01",
        "arrive": "20.03",
        "return": "01.02.03",
        "ingress": "20.04",
        "deep_strike": "24.09",
        "infiltrators": "24.20",
        "scouts": "24.32",
        "one_shot": "24.26",
        "lone_operative": "24.24",
        "embark": "18.02",
        "capacity": "18.01",
        "disembark": "18.04",
        "control": "14.02",
        "secured": "14.03",
        "hazard": "06.03",
        "mortal": "06.02",
        "damage": "05.04",
        "blast": "10.06",
        "charge_roll": "11.02",
        "charge_move": "11.04",
        "allocation": "05.03",
        "snap": "15.09",
        "pile_in": "12.03",
        "consolidate": "12.08",
        "hidden": "13.09",
        "dice": "01.05",
        "reroll": "01.05.02",
        "destroyed": "05.04.04",
        "aircraft": "23.02",
        "precision": "24.28",
        "lethal_hits": "24.23",
        "firing_deck": "24.14",
    },
    moves=(
        MoveKind("stationary", "09.04", "0"),
        MoveKind("normal", "09.05", "M", through_er=True),
        MoveKind("advance", "09.06", "M+D6", through_er=True, blocks=("charge", "action")),
        MoveKind("fall_back", "09.07", "M", engaged=True, through_er=True, blocks=("shoot", "charge", "action")),
    ),
    shooting_types=("normal", "assault", "close_quarters", "indirect"),
    shock_at_half=True,
    shock_until_passed=True,
    targets_before_roll=False,
    engage_all_targets=True,
    first_to_fight="active",
    pile_in=3.0,
    pile_in_within=5.0,
    consolidate=3.0,
    fights_with_chain=False,
    one_stratagem_a_unit=True,
    engaged_at_start_fight=True,
    upstairs=("MONSTER",),
    falls_back_over_enemies=False,
    takes_to_the_skies=True,
    parts_are_units=False,
    indirect_any_way=False,
    pistols_unhindered=False,
    heavy_move=3.0,
    hazards_hurt_the_unit=True,
    first_again=True,
    steps_begin_anew=False,
    may_pass_far_away=True,
    scouts_alternate=True,
    tests_off_battlefield=True,
    dearer_by_at_most=1,
    heals_units=True,
    both_score_late=True,
    plunging=Plunging(3.0, "skill", towering_within=12.0),
    terrain_objectives=True,
    engage_if_possible=False,
    any_objective=True,
    no_strength=1,
    aircraft_least=None,
    deep_strikers_apart=False,
    strides_over=4.0,
    all_passengers_barred=True,
    passengers_keep_to_edge=True,
    scouts_from_zone=True,
)

TENTH = BattleRules(
    edition="10e",
    reserves_share=0.25,
    reserves_units=0.5,
    reserves_edge=6.0,
    charge_within=12.0,
    charge_cap=None,
    disembark=3.0,
    combat_disembark=None,
    emergency_disembark=6.0,
    desperate_fails=2,
    steps={
        "battle": (
            ("aircraft", "T-9.8"),
            ("declare_battle_formations", "T-15.1"),
            ("deploy", "T-15.1"),
            ("determine_first_turn", "T-15.1"),
            ("pre_battle_rules", "T-15.1"),
            ("battle_rounds", "T-3.1"),
            ("end_of_battle", "T-15.2"),
        ),
        "battle_round": (
            ("start_of_round", "T-3.1"),
            ("first_turn", "T-3.1"),
            ("second_turn", "T-3.1"),
            ("end_of_round", "T-3.1"),
        ),
        "turn": (
            ("start_of_turn", "T-3.1"),
            ("command_phase", "T-3.2"),
            ("movement_phase", "T-3.3"),
            ("shooting_phase", "T-3.4"),
            ("charge_phase", "T-3.4"),
            ("fight_phase", "T-3.4"),
            ("end_of_turn", "T-3.1"),
        ),
        "command": (
            ("start_of_phase", "T-1.4"),
            ("core_cp", "T-3.2"),
            ("command_abilities", "T-3.2"),
            ("battle_shock", "T-3.2"),
            ("end_of_phase", "T-3.2"),
        ),
        "battle_shock_roll": (("before_roll", "S-IB"), ("roll", "T-2.3")),
        "movement": (
            ("start_of_phase", "T-1.4"),
            ("move_units", "T-3.3"),
            ("reinforcements", "T-3.3"),
            ("end_of_phase", "T-1.4"),
        ),
        "move_unit": (
            ("choose_move", "T-3.3"),
            ("super_heavy_walker", "T-4.1"),
            ("overwatch_at_start", "S-FO"),
            ("held", "T-4.4"),
            ("advance_roll", "T-4.4"),
            ("choose_path", "T-4.1"),
            ("desperate_escape", "T-4.5"),
            ("move_models", "T-4.1"),
            ("overwatch_at_end", "S-FO"),
            ("settle", "T-4.1"),
            ("embark", "T-10.4"),
        ),
        "disembark": (("set_up", "T-10.5"), ("overwatch_at_end", "S-FO"), ("after_moving", "T-10.5")),
        "emergency_disembark": (("set_up", "T-10.7"), ("mortal_wounds", "T-10.7"), ("after_moving", "T-10.7")),
        "ingress": (("set_up", "T-9.2"), ("after_moving", "T-9.1"), ("overwatch_at_end", "S-FO")),
        "shooting": (("start_of_phase", "T-1.4"), ("shoot_units", "T-5.1"), ("end_of_phase", "T-1.4")),
        "shoot_unit": (
            ("choose_type", "T-5.1"),
            ("select_weapons_and_targets", "T-5.2"),
            ("targets_selected", "T-5.2"),
            ("resolve_attacks", "T-5.3"),
            ("after_shooting", "T-6.11"),
        ),
        "charge": (("start_of_phase", "T-1.4"), ("charge_units", "T-7.1"), ("end_of_phase", "T-1.4")),
        "charge_unit": (
            ("declare", "T-7.1"),
            ("charge_targets", "T-7.2"),
            ("overwatch_at_declaration", "S-FO"),
            ("charge_roll", "T-7.2"),
            ("charge_move", "T-7.2"),
            ("overwatch_at_end", "S-FO"),
        ),
        "fight": (
            ("start_of_phase", "T-1.4"),
            ("fights_first_combats", "T-8.1"),
            ("remaining_combats", "T-8.1"),
            ("end_of_phase", "T-1.4"),
        ),
        "fight_unit": (
            ("pile_in", "T-8.2"),
            ("select_weapons_and_targets", "T-8.2"),
            ("targets_selected", "T-8.2"),
            ("resolve_attacks", "T-8.2"),
            ("after_fighting", "T-6.11"),
            ("consolidate", "T-8.2"),
        ),
        "pile_in": (("move_models", "T-8.2"),),
        "consolidate": (("choose_mode", "T-8.2"), ("move_models", "T-8.2")),
        "end_of_turn": (
            ("end_of_turn_rules", "T-3.1"),
            ("coherency", "T-4.2"),
            ("determine_control", "T-12.3"),
            ("score", "T-3.1"),
        ),
        "aftermath": (
            ("deadly_demise", "T-6.9"),
            ("emergency_disembarks", "T-10.7"),
            ("separate", "T-10.2"),
        ),
    },
    rules={
        "coherency": "T-4.2",
        "engaged": "T-4.3",
        "set_up": "T-4.2",
        "eligible_to_move": "T-3.3",
        "eligible_to_shoot": "T-5.1",
        "eligible_to_charge": "T-7.1",
        "eligible_to_fight": "T-8.1",
        "select_targets": "T-5.2",
        "select_weapons": "T-8.2",
        "stratagems": "T-13.1",
        "shocked": "T-2.3",
        "deploy": "T-15.1",
        "reserves": "T-9.2",
        "arrive": "T-9.3",
        "return": "T-9.7",
        "ingress": "T-9.2",
        "deep_strike": "T-9.4",
        "infiltrators": "T-9.5",
        "scouts": "T-9.6",
        "one_shot": "W-ONESHOT",
        "lone_operative": "T-5.6",
        "embark": "T-10.4",
        "capacity": "T-10.3",
        "disembark": "T-10.5",
        "control": "T-12.3",
        "secured": "T-12.3",
        "hazard": "W-HAZ",
        "mortal": "T-6.8",
        "damage": "T-6.6",
        "blast": "W-BLAST",
        "charge_roll": "T-7.2",
        "charge_move": "T-7.2",
        "allocation": "T-6.3",
        "snap": "S-FO",
        "pile_in": "T-8.2",
        "consolidate": "T-8.2",
        "hidden": "T-5.5",
        "dice": "T-1.3",
        "reroll": "T-1.3",
        "destroyed": "T-2.2",
        "aircraft": "T-9.8",
        "precision": "W-PRECISION",
        "lethal_hits": "W-LETHAL",
        "firing_deck": "T-10.6",
    },
    moves=(
        MoveKind("stationary", "T-4.4", "0"),
        MoveKind("normal", "T-4.4", "M"),
        MoveKind("advance", "T-4.4", "M+D6", blocks=("charge",)),
        MoveKind("fall_back", "T-4.4", "M", engaged=True, through_er=True, blocks=("shoot", "charge")),
    ),
    shooting_types=("normal", "assault", "pistol", "big_guns"),
    shock_at_half=False,
    shock_until_passed=False,
    targets_before_roll=True,
    engage_all_targets=True,
    first_to_fight="opponent",
    pile_in=3.0,
    pile_in_within=None,
    consolidate=3.0,
    fights_with_chain=True,
    one_stratagem_a_unit=False,
    engaged_at_start_fight=False,
    upstairs=(),
    falls_back_over_enemies=True,
    takes_to_the_skies=False,
    parts_are_units=True,
    indirect_any_way=True,
    pistols_unhindered=True,
    heavy_move=None,
    hazards_hurt_the_unit=False,
    first_again=False,
    steps_begin_anew=True,
    may_pass_far_away=False,
    scouts_alternate=False,
    tests_off_battlefield=False,
    dearer_by_at_most=None,
    heals_units=False,
    both_score_late=False,
    plunging=Plunging(6.0, "ap", at_all_on_the_ground=True, from_ruins_only=True),
    terrain_objectives=False,
    engage_if_possible=True,
    any_objective=False,
    no_strength=None,
    aircraft_least=20.0,
    deep_strikers_apart=True,
    strides_over=None,
    all_passengers_barred=False,
    passengers_keep_to_edge=False,
    scouts_from_zone=False,
)

_ALL = {"10e": TENTH, "11e": ELEVENTH}


def battle_rules(edition: EditionId) -> BattleRules:
    """The battle numbers and steps of an edition.

    >>> battle_rules("10e").charge_within
    12.0
    """
    return _ALL[edition]
