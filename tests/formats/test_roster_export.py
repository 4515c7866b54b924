"""What we write, we read back: ``read(export(x)) == x`` over random rosters, for every form we write."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battlewright.codec import to_json
from battlewright.datasheet import Ability, Profile, Weapon, WeaponAbility
from battlewright.dice import Dice
from battlewright.errors import BadInput
from battlewright.formats import Source
from battlewright.formats.detect import read
from battlewright.formats.export import EXPORTS, plain, to_app_text, to_newrecruit, to_own
from battlewright.roster import (
    Detachment,
    ModelTaken,
    Roster,
    RosterUnit,
    WeaponTaken,
    muster,
    published,
    roster_schema,
)

WORDS = ["Ash", "Cinder", "Kiln", "Soot", "Flint", "Pyre", "Char", "Tallow", "d'Ember", "Über", "Slag-born"]
NOUNS = ["Rider", "Keeper", "Seer", "Hulk", "Crawler", "Stalker", "Drummer", "Mender", "Hauler", "Piper"]
names = st.builds("{} {}".format, st.sampled_from(WORDS), st.sampled_from(NOUNS))
arms = st.builds("{} {}".format, st.sampled_from(WORDS), st.sampled_from(["lance", "gun", "maul", "spear"]))
texts = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=30).map(
    lambda text: read_clean(text)
)
dice = st.sampled_from(["1", "2", "D3", "D6+1", "2D6", "D3+3", "12"]).map(Dice.parse)
abilities_of_weapons = st.lists(
    st.sampled_from(
        [
            WeaponAbility("heavy"), WeaponAbility("rapid fire", Dice.parse(2)), WeaponAbility("lethal hits"),
            WeaponAbility("anti", Dice.parse(4), "VEHICLE"), WeaponAbility("twin-linked"),
        ]
    ),
    unique=True,
    max_size=3,
).map(tuple)  # fmt: skip


def read_clean(text: str) -> str:
    from battlewright.formats.rostertext import clean

    return clean(text).strip()


@st.composite
def weapons(draw: st.DrawFn, name: str) -> tuple[Weapon, ...]:
    reach = draw(st.sampled_from([0, 12, 24, 48]))
    parts = draw(st.sampled_from([[], [""], ["strike", "sweep"]]))
    return tuple(
        Weapon(
            name, reach, draw(dice), draw(st.sampled_from([2, 3, 4, None])), draw(st.integers(1, 16)),
            -draw(st.integers(0, 4)), draw(dice), draw(abilities_of_weapons), part,
        )
        for part in parts
    )  # fmt: skip


@st.composite
def gear(draw: st.DrawFn, count: int, least: int) -> tuple[WeaponTaken, ...]:
    chosen = draw(st.lists(arms, min_size=least, max_size=3, unique=True))
    return tuple(WeaponTaken(name, draw(st.integers(1, 3 * count)), draw(weapons(name))) for name in chosen)


profiles = st.none() | st.builds(
    Profile,
    M=st.integers(1, 20), T=st.integers(2, 14), Sv=st.integers(2, 7), W=st.integers(1, 30), Ld=st.integers(4, 9),
    OC=st.integers(0, 12), InSv=st.none() | st.integers(3, 6),
)  # fmt: skip


@st.composite
def units(draw: st.DrawFn, number: int) -> RosterUnit:
    name = draw(names)
    if draw(st.booleans()):
        taken = [ModelTaken(name, 1, draw(profiles), draw(gear(1, 1)))]
        wargear: tuple[WeaponTaken, ...] = ()
    else:
        others = draw(st.lists(names.filter(lambda other: other != name), min_size=2, max_size=3, unique=True))
        counts = [draw(st.integers(1, 9)) for _ in others]
        profile = draw(profiles)
        taken = [ModelTaken(other, n, profile, draw(gear(n, 1))) for other, n in zip(others, counts, strict=True)]
        wargear = tuple(
            WeaponTaken(item, draw(st.integers(1, 3))) for item in draw(st.sets(st.sampled_from(["Vox horn"])))
        )
    gift = draw(st.none() | st.sampled_from(["Banked Coals", "Crown of Soot", "Slow Burn"]))
    price = draw(st.none() | st.integers(5, 40)) if gift else None
    section = draw(st.sampled_from(["character", "battleline", "dedicated transport", "other", "allied", "epic hero"]))
    known = st.sampled_from(["INFANTRY", "CHARACTER", "FLY", "ASH RIDER"])
    keywords = draw(st.lists(known, unique=True, max_size=3))
    if section not in ("other", "allied") and section.upper() not in keywords:
        keywords.append(section.upper())
    return RosterUnit(
        name=name, id=f"u{number}", models=tuple(taken), keywords=tuple(keywords), faction_keywords=("EMBERBORN",),
        abilities=tuple(draw(abilities())), enhancement=gift, enhancement_points=price, wargear=wargear,
        warlord=draw(st.booleans()), points=draw(st.integers(50, 400)), section=section,
        legends=draw(st.booleans()),
    )  # fmt: skip


@st.composite
def abilities(draw: st.DrawFn) -> list[Ability]:
    found = [Ability(name, draw(texts), "datasheet") for name in draw(st.sets(st.sampled_from(["Hot Iron", "Stoke"])))]
    found += [Ability("Lookout", draw(texts), "special")] if draw(st.booleans()) else []
    found += [Ability("Deadly Demise D3", draw(texts), "core", Dice.parse("D3"))] if draw(st.booleans()) else []
    found += [Ability("Cinder Oath", draw(texts), "faction")] if draw(st.booleans()) else []
    return found


@st.composite
def rosters(draw: st.DrawFn) -> Roster:
    taken = [draw(units(number)) for number in range(1, draw(st.integers(1, 5)) + 1)]
    taken = draw(attached(taken))
    size, limit = draw(st.sampled_from([("", None), ("Strike Force", 2000), ("Incursion", 1000)]))
    chosen = draw(st.lists(st.sampled_from(["Kiln Guard", "Cold Hearth", "Sootwing"]), unique=True, max_size=2))
    points = [draw(st.integers(1, 3)) for _ in chosen]
    return Roster(
        name=draw(st.sampled_from(["Slow burn", "No. 7", "d'Ember (v2)"])), edition=draw(st.sampled_from(["10e", "11e"])),
        faction="Emberborn",
        detachments=tuple(Detachment(name, cost) for name, cost in zip(chosen, points, strict=True)),
        detachment_points=sum(points) if chosen else None,
        dispositions=tuple(draw(st.sets(st.sampled_from(["Purge the Foe", "Disruption"])))), battle_size=size, limit=limit,
        points=sum(unit.points or 0 for unit in taken), units=tuple(taken),
    )  # fmt: skip


@st.composite
def attached(draw: st.DrawFn, taken: list[RosterUnit]) -> list[RosterUnit]:
    """The first may lead the second, where only the first is a CHARACTER."""
    if len(taken) < 2 or not draw(st.booleans()):
        return taken
    lead, body, *rest = taken
    other = tuple(keyword for keyword in body.keywords if keyword != "CHARACTER")
    lead = msgspec.structs.replace(
        lead, keywords=("CHARACTER",), attached_to=body.id, role="leader", section="character"
    )
    other = (*other, "BATTLELINE") if "BATTLELINE" not in other else other
    return [lead, msgspec.structs.replace(body, keywords=other, role="bodyguard", section="battleline"), *rest]


def again(text: str, name: str = "list.txt") -> Roster:
    reading = read(Source(name, text.encode(), text))
    assert reading.roster is not None
    assert reading.unread == ()
    return reading.roster


@settings(max_examples=25, deadline=None)
@given(rosters())
def test_own_form(roster: Roster) -> None:
    assert again(to_own(roster)) == roster


@settings(max_examples=25, deadline=None)
@given(rosters())
def test_newrecruit_tree(roster: Roster) -> None:
    found = again(to_newrecruit(roster))
    for one, other in zip(found.units, roster.units, strict=True):
        assert one == ordered(other)
    assert msgspec.structs.replace(found, units=()) == msgspec.structs.replace(roster, units=())


def ordered(unit: RosterUnit) -> RosterUnit:
    """A tree holds profiles before rules."""
    rank = {"datasheet": 0, "special": 0, "core": 1, "faction": 1}
    return msgspec.structs.replace(unit, abilities=tuple(sorted(unit.abilities, key=lambda found: rank[found.kind])))


@settings(max_examples=40, deadline=None)
@given(rosters())
def test_app_text(roster: Roster) -> None:
    found = again(to_app_text(roster))
    assert msgspec.structs.replace(found, edition=None) == msgspec.structs.replace(plain(roster), edition=None)


def test_a_text_list_needs_points() -> None:
    with pytest.raises(BadInput, match="points unknown"):
        to_app_text(Roster(units=(RosterUnit("Ash Seer"),)))


@pytest.mark.parametrize("form", EXPORTS)
def test_samples_survive(form: str, shared: object) -> None:
    """Every real list, read, written and read again, is the same list."""
    from pathlib import Path

    for path in sorted((Path(str(shared)) / "rosters").iterdir()):
        roster = read(path).roster
        assert roster is not None
        found = again(EXPORTS[form](roster))
        meant = plain(roster) if form == "app" else roster
        for one, other in zip(found.units, meant.units, strict=True):
            assert (one.name, one.points, one.enhancement, one.warlord) == (
                other.name, other.points, other.enhancement, other.warlord,
            ), path.name  # fmt: skip
            assert [(m.name, m.count, [(w.name, w.count) for w in m.weapons]) for m in one.models] == [
                (m.name, m.count, [(w.name, w.count) for w in m.weapons]) for m in other.models
            ], path.name


@settings(max_examples=40, deadline=None)
@given(rosters())
def test_any_list_can_be_checked(roster: Roster) -> None:
    """Mustering never fails, whatever is missing, and says each thing once."""
    found = muster(roster)
    for told in (found.problems, found.not_checked):
        assert len(set(told)) == len(told)
        assert all(each.rule.startswith(roster.edition or "") and each.words for each in told)


@settings(max_examples=20, deadline=None)
@given(rosters())
def test_published_form(roster: Roster) -> None:
    """What ``read --json`` prints has every part the interface promises, and reads back as the same roster."""
    plain_form = published(roster)
    for unit in plain_form["units"]:
        assert {
            "name",
            "models",
            "keywords",
            "faction_keywords",
            "abilities",
            "enhancement",
            "warlord",
            "attached_to",
        } <= set(unit)
        for model in unit["models"]:
            assert {"name", "count", "profile", "weapons"} <= set(model)
            assert all({"name", "count", "profile", "profiles"} <= set(weapon) for weapon in model["weapons"])
        assert all({"name", "text", "status"} <= set(ability) for ability in unit["abilities"])
    assert again(to_json({"kind": "roster", "roster": plain_form}).decode()) == roster


def strangers(value: object, form: dict[str, object], forms: dict[str, object], path: str = "$") -> list[str]:
    """Members of a published value that its JSON Schema does not allow, and members it lacks (a small validator)."""
    if "anyOf" in form:
        found = [strangers(value, option, forms, path) for option in form["anyOf"]]  # type: ignore[attr-defined]
        return min(found, key=len)
    if "$ref" in form:
        return strangers(value, forms[str(form["$ref"]).rpartition("/")[2]], forms, path)  # type: ignore[arg-type]
    kinds = {"array": list, "object": dict, "null": type(None), "string": str, "integer": int, "boolean": bool}
    if "type" in form and not isinstance(value, kinds.get(str(form["type"]), object)):
        return [f"{path}: no {form['type']}"]
    if isinstance(value, list) and isinstance(form.get("items"), dict):
        return [bad for at, each in enumerate(value) for bad in strangers(each, form["items"], forms, f"{path}[{at}]")]
    if isinstance(value, dict) and "properties" in form:
        known: dict[str, dict[str, object]] = form["properties"]  # type: ignore[assignment]
        wrong = [f"{path}.{key}: unknown" for key in value if key not in known]
        inside = [
            bad for key in value if key in known for bad in strangers(value[key], known[key], forms, f"{path}.{key}")
        ]
        return wrong + inside
    return []


@settings(max_examples=20, deadline=None)
@given(rosters())
def test_published_form_keeps_its_schema(roster: Roster) -> None:
    form = roster_schema()
    assert strangers(published(roster), form, form["$defs"]) == []
    assert strangers({**published(roster), "colour": "red"}, form, form["$defs"]) == ["$.colour: unknown"]
