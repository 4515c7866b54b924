"""From a battle to what a drawing shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from battlewright.battlefield.objectives import area_at
from battlewright.render.picture import SIDES, Field, Group, Marker, Picture, Ring, Ruler, Token

if TYPE_CHECKING:
    from battlewright.battle.table import Table

INCH = 1000
SHOWN = ("advanced", "fell back", "charged", "shot", "fought", "disembarked", "set up")
"""What a unit did that its label tells, in the words a position uses."""


def picture_of(
    table: Table,
    title: str = "",
    *,
    rulers: Sequence[Ruler] = (),
    rings: Sequence[Ring] = (),
    fields: Sequence[Field] = (),
) -> Picture:
    """The table as it stands: every unit, on it or away from it, objectives with who controls them, score and clock."""
    setting, state = table.setting, table.state
    mission = setting.mission
    return Picture(
        board=mission.board,
        title=title or mission.name,
        edition=setting.edition,
        round=state.round,
        turn=SIDES[state.turn] if state.turn in (0, 1) else None,
        phase=state.phase,
        cp=(table.cp(0), table.cp(1)),
        vp=(int(state.player[0, 1]), int(state.player[1, 1])),
        names=army_names(table),
        areas=tuple(mission.terrain),
        zones=mission.zones if mission.scoring else ((), ()),
        objectives=tuple(_marker(table, place) for place in range(len(mission.objectives))),
        groups=tuple(_group(table, unit) for unit in range(len(setting.units)) if state.unit[unit, 0] == unit),
        rulers=tuple(rulers),
        rings=tuple(rings),
        fields=tuple(fields),
    )


def army_names(table: Table) -> tuple[str, str]:
    """What each army is called: its roster's name, its faction, or just A and B; never both alike."""
    setting = table.setting
    found = [setting.factions[place] or SIDES[place] for place in (0, 1)]
    for place, roster in enumerate(setting.rosters[:2]):
        found[place] = roster.name or roster.faction or found[place]
    if found[0] == found[1]:
        found = [f"{name} ({side})" if name != side else name for name, side in zip(found, SIDES, strict=True)]
    return found[0], found[1]


def unit_name(table: Table, unit: int) -> str:
    """A unit's name, its parts joined when it is an attached unit.

    Its id follows where its army has two of the name.
    """
    definition = table.unit(unit)
    parts = [table.unit(part).name for part in table.parts(unit) if part != unit]
    name = " with ".join([definition.name, *parts[:1]]) + "".join(f" and {part}" for part in parts[1:])
    same = [u for u in table.setting.units if u.name == definition.name and u.player == definition.player]
    return f"{name} ({definition.id})" if len(same) > 1 else name


def _marker(table: Table, place: int) -> Marker:
    state = table.state
    holder, at = state.control[place], table.setting.mission.objectives[place].at
    return Marker(
        at,
        SIDES[holder] if holder in (0, 1) else None,
        state.levels[place],
        state.secured[place] in (0, 1),
        area_at(table.setting.terrain, at) if table.setting.field.objective_rule.startswith("11e") else None,
    )


def _group(table: Table, unit: int) -> Group:
    from battlewright.battle.state import Where

    state = table.state
    where = state.where(unit)
    return Group(
        id=table.name(unit),
        name=unit_name(table, unit),
        side=SIDES[table.owner(unit)],
        tokens=tuple(_token(table, model) for model in table.alive(unit)) if where == Where.BATTLEFIELD else (),
        start=int(state.unit[unit, 5]),
        states=_states(table, unit),
        away="" if where == Where.BATTLEFIELD else _away(table, unit, where.name),
    )


def _states(table: Table, unit: int) -> tuple[str, ...]:
    from battlewright.battle.state import WORDS

    did = [word for word in SHOWN if word in WORDS and table.state.did(unit, WORDS[word])]
    return (*(("battle-shocked",) if table.state.shocked(unit) else ()), *did)


def _away(table: Table, unit: int, where: str) -> str:
    carrier = int(table.state.unit[unit, 2])
    if where == "EMBARKED" and carrier >= 0:
        return f"embarked in {unit_name(table, carrier)}"
    return {"RESERVES": "in reserves", "DESTROYED": "destroyed", "UNDEPLOYED": "not yet deployed"}.get(
        where, where.lower()
    )


def _token(table: Table, model: int) -> Token:
    definition = table.model(model)
    x, y, z, facing = (int(value) for value in table.state.model[model, :4])
    wounds = table.wounds(model)
    return Token(
        definition.name,
        (x / INCH, y / INCH),
        definition.base,
        facing % 360,
        wounds,
        definition.profile.W or wounds,
        z / INCH,
    )
