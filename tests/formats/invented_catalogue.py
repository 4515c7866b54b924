"""An invented game system and catalogue in the form community catalogues have, as a tree, as JSON and as XML."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

Tree = dict[str, Any]
PTS = "51b2-306e-1021-d207"
SYSTEMS = {"10e": "sys-352e-adc2-7639-d6a9", "11e": "sys-352e-adc2-7639-d610"}


def cells(**values: str) -> list[Tree]:
    return [{"name": name, "typeId": f"t-{name}", "$text": text} for name, text in values.items()]


def profile(name: str, kind: str, **values: str) -> Tree:
    return {
        "id": f"p-{name}-{kind}",
        "name": name,
        "typeName": kind,
        "hidden": False,
        "characteristics": cells(**values),
    }


def stats(name: str, **values: str) -> Tree:
    return profile(name, "Unit", **({"M": '6"', "T": "4", "SV": "3+", "W": "2", "LD": "6+", "OC": "2"} | values))


def ability(name: str, text: str) -> Tree:
    return profile(name, "Abilities", Description=text)


def gun(name: str, keywords: str = "-", **values: str) -> Tree:
    row = {"Range": '24"', "A": "2", "BS": "3+", "S": "4", "AP": "-1", "D": "1"} | values | {"Keywords": keywords}
    return profile(name, "Ranged Weapons", **row)


def blade(name: str, keywords: str = "-", **values: str) -> Tree:
    row = {"Range": "Melee", "A": "3", "WS": "3+", "S": "4", "AP": "0", "D": "1"} | values | {"Keywords": keywords}
    return profile(name, "Melee Weapons", **row)


def bound(kind: str, value: float, scope: str = "parent", field: str = "selections", id: str = "") -> Tree:
    return {"type": kind, "value": value, "field": field, "scope": scope, "id": id or f"c-{kind}-{value}-{scope}"}


def exactly(value: int) -> list[Tree]:
    return [bound("min", value), bound("max", value)]


def condition(kind: str, value: float, child: str, scope: str, field: str = "selections") -> Tree:
    return {"type": kind, "value": value, "childId": child, "scope": scope, "field": field}


def change(kind: str, field: str, value: object, *conditions: Tree, **more: Any) -> Tree:
    return {"type": kind, "field": field, "value": value, "conditions": list(conditions), **more}


def category(name: str, primary: bool = False) -> Tree:
    return {"id": f"l-{name}", "name": name, "targetId": f"cat-{name}", "primary": primary}


def points(value: float) -> list[Tree]:
    return [{"name": "pts", "typeId": PTS, "value": value}]


def entry(name: str, kind: str, id: str = "", **parts: Any) -> Tree:
    return {"id": id or f"e-{name}", "name": name, "type": kind, "hidden": False, **parts}


def group(name: str, id: str = "", **parts: Any) -> Tree:
    return {"id": id or f"g-{name}", "name": name, "hidden": False, **parts}


def link(target: str, name: str, kind: str = "selectionEntry", **parts: Any) -> Tree:
    return {"id": f"link-{target}-{name}", "name": name, "targetId": target, "type": kind, "hidden": False, **parts}


def game_system(edition: str) -> Tree:
    rules = [
        {"id": "r-deep", "name": "Deep Strike", "description": "Comes from above."},
        {"id": "r-scouts", "name": "Scouts", "description": "Goes first."},
        {"id": "r-fnp", "name": "Feel No Pain", "description": "May ignore."},
        {"id": "r-leader", "name": "Leader", "description": "May lead."},
    ]
    forces = [{"id": "f-army", "name": "Army"}, {"id": "f-crusade", "name": "Campaign"}]
    return {
        "gameSystem": {
            "id": SYSTEMS[edition],
            "name": "Invented",
            "revision": 3,
            "costTypes": [{"id": PTS, "name": "pts"}, {"id": "dp", "name": "Detachment Points"}],
            "forceEntries": forces,
            "sharedRules": rules,
            "sharedSelectionEntryGroups": [
                group("Force Disposition", selectionEntries=[entry("Hold the line", "upgrade")]),
            ],
        }
    }


CRUSADE = change("set", "hidden", True, condition("lessThan", 1, "f-crusade", "roster", "forces"))


def wardens() -> Tree:
    """Five or ten: a sergeant and walkers, one in five with an ash thrower; dearer from the third unit on (11e)."""
    thrower = entry(
        "Warden w/ ash thrower",
        "model",
        constraints=[bound("max", 1, id="c-thrower")],
        modifiers=[change("set", "c-thrower", 2, condition("atLeast", 10, "model", "e-wardens"))],
        profiles=[stats("Warden")],
        entryLinks=[link("w-thrower", "Ash thrower", constraints=exactly(1))],
    )
    plain = entry(
        "Warden w/ cinder gun",
        "model",
        id="e-plain",
        constraints=[bound("max", 9)],
        profiles=[stats("Warden")],
        entryLinks=[link("w-cinder", "Cinder gun", constraints=exactly(1))],
    )
    sergeant = entry(
        "Warden Sergeant",
        "model",
        constraints=exactly(1),
        profiles=[
            stats("Warden Sergeant", W="3")
            | {"modifiers": [change("set", "t-M", '12"', condition("atLeast", 1, "e-wings", "self"))]}
        ],
        categoryLinks=[category("Officer")],
        selectionEntryGroups=[
            group(
                "Weapon",
                defaultSelectionEntryId="link-w-cinder-Cinder gun",
                constraints=exactly(1),
                entryLinks=[link("w-cinder", "Cinder gun"), link("w-arc", "Arc gun", costs=points(5))],
            )
        ],
        selectionEntries=[
            entry(
                "Ember icon",
                "upgrade",
                constraints=[bound("max", 1)],
                profiles=[ability("Ember icon", "Glows.")],
                infoLinks=[link("r-fnp", "Feel No Pain", "rule")],
            ),
            entry(
                "Wings",
                "upgrade",
                id="e-wings",
                constraints=[bound("max", 1)],
                infoLinks=[link("r-deep", "Deep Strike", "rule")],
            ),
            entry("War story", "upgrade", modifiers=[CRUSADE], profiles=[ability("War story", "Old.")]),
        ],
    )
    later = {
        "type": "atLeast", "value": 2, "scope": "parent", "field": "selections",
        "conditions": [condition("before", 1, "any", "self"), condition("instanceOf", 1, "e-wardens", "self")],
    }  # fmt: skip
    return entry(
        "Ash Wardens",
        "unit",
        id="e-wardens",
        costs=points(90),
        categoryLinks=[category("Infantry"), category("Battleline", True), category("Faction: Emberborn")],
        modifiers=[
            change("set", PTS, 180, condition("greaterThan", 5, "model", "e-wardens")),
            change("increment", PTS, 10, conditionGroups=[{"type": "and", "localConditionGroups": [later]}]),
        ],
        constraints=[bound("max", 6, "roster")],
        profiles=[
            ability("Banked Coals", "While **^^Ember Lord^^** leads it,&amp;nbsp;this unit has it."),
            ability("Invulnerable Save", "Models in this unit have a 5+ invulnerable save."),
        ],
        infoLinks=[
            link("r-scouts", "Scouts", "rule", modifiers=[change("append", "name", '6"')]),
            link("r-coals", "Coal Oath", "rule"),
        ],
        selectionEntries=[sergeant],
        selectionEntryGroups=[
            group(
                "4-9 Wardens",
                defaultSelectionEntryId="e-plain",
                constraints=[bound("min", 4), bound("max", 9)],
                selectionEntries=[plain, thrower],
            ),
            group("Enhancements", id="g-enh-link", entryLinks=[link("g-enh", "Enhancements", "selectionEntryGroup")]),
        ],
    )


def lord() -> Tree:
    """A leader, his stat line behind an infoLink, a save in a name, wargear of two profiles."""
    return entry(
        "Ember Lord [Legends]",
        "model",
        costs=points(75),
        categoryLinks=[category("Character", True), category("Epic Hero"), category("Faction: Emberborn")],
        profiles=[
            ability(
                "Leader", "This model can be attached to the following units:\n■ **^^Ash Wardens^^**\n■ Cinder Guard"
            )
            | {
                "modifiers": [
                    change(
                        "set",
                        "t-Description",
                        "This model can be attached to the following units: - CINDER GUARD - TALLOW RIDERS",
                        condition("atLeast", 1, "e-mount", "self"),
                    )
                ]
            },
            ability("Damaged: 1-3 Wounds Remaining", "Worse."),
            ability("Invulnerable Save (4+*)", "This save is against melee attacks only."),
            profile(
                "Ember Lord", "Transport", Capacity="This model has a transport capacity of 6 ^^Infantry^^ models."
            ),
            profile("Great Song", "Songs", Verse="First.", Chorus="Second."),
            ability("Fall", "While this model is leading a unit, models in that unit have the Deep Strike ability."),
        ],
        infoLinks=[
            link(
                "p-lord",
                "Ember Lord",
                "profile",
                modifiers=[change("increment", "t-W", 1, condition("atLeast", 1, "e-mount", "parent"))],
            ),
            link("r-fnp", "Feel No Pain", "rule", modifiers=[change("append", "name", "5+")]),
            link("r-leader", "Leader", "rule"),
            link("r-deep", "Deep Strike", "rule"),
            link("r-scouts", "Scouts", "rule"),
        ],
        selectionEntries=[
            entry(
                "Kiln mount",
                "upgrade",
                id="e-mount",
                constraints=[bound("max", 1)],
                profiles=[ability("Kiln mount", "Warm.")],
            ),
        ],
        entryLinks=[
            link("w-sunder", "Sunder gun", constraints=exactly(1)),
            link("e-loop", "Loop"),
            link("nowhere", "Lost thing"),
        ],
    )


def horde() -> Tree:
    """Two ways to fill the unit, each an upgrade that holds the models."""

    def way(name: str, guards: int, leaders: int) -> Tree:
        return entry(
            name,
            "upgrade",
            id=f"way-{guards}",
            selectionEntries=[
                entry("Cinder Guard", "model", id=f"guard-{guards}", constraints=exactly(guards)),
                entry("Guard Leader", "model", id=f"leader-{guards}", constraints=exactly(leaders)),
            ],
        )

    return entry(
        "Cinder Guard",
        "unit",
        id="e-horde",
        costs=points(60),
        categoryLinks=[category("Infantry", True), category("Faction: Emberborn")],
        modifiers=[change("set", PTS, 110, condition("greaterThan", 10, "model", "e-horde"))],
        profiles=[stats("Cinder Guard", M='D6"', OC="-")],
        selectionEntryGroups=[
            group("Size", constraints=exactly(1), selectionEntries=[way("Ten", 9, 1), way("Twenty", 18, 2)])
        ],
    )


def catalogue(edition: str = "11e") -> Tree:
    loop = entry("Loop", "upgrade", id="e-loop", entryLinks=[link("e-loop2", "Loop two")])
    back = entry("Loop two", "upgrade", id="e-loop2", entryLinks=[link("e-loop", "Loop")])
    sunder = [gun("➤ Sunder gun - held", "Heavy"), gun("➤ Sunder gun - loosed", "Hazardous, Rapid Fire D3, Sizzling")]
    detachment = entry(
        "Pyre Host",
        "upgrade",
        id="d-pyre",
        costs=[{"name": "Detachment Points", "typeId": "dp", "value": 2}],
        categoryLinks=[category("Hold the line")],
        rules=[{"id": "r-pyre", "name": "All Aflame", "description": "They burn."}],
    )
    bonus = entry(
        "Ash Crown",
        "upgrade",
        costs=points(25),
        constraints=[bound("max", 1, "roster")],
        modifiers=[
            change("set", "hidden", True, condition("lessThan", 1, "d-pyre", "force")),
            change("set", "hidden", True, condition("notInstanceOf", 1, "cat-Character", "ancestor")),
        ],
        profiles=[ability("Ash Crown", "^^Emberborn^^ model only. The bearer shines.")],
    )
    host = group("Detachment", id="g-det", selectionEntries=[detachment])
    keywords = ("Infantry", "Battleline", "Faction: Emberborn", "Officer", "Character", "Epic Hero", "Hold the line")
    return {
        "catalogue": {
            "id": "cat-ember",
            "name": "Invented - Emberborn",
            "revision": 7,
            "library": False,
            "gameSystemId": SYSTEMS[edition],
            "sharedSelectionEntries": [
                wardens(), lord(), horde(), loop, back,
                entry("Cinder gun", "upgrade", id="w-cinder", profiles=[gun("Cinder gun", "Assault, Sustained Hits 1")]),
                entry("Arc gun", "upgrade", id="w-arc", profiles=[gun("Arc gun", "Anti-Vehicle 4+", A="D6", BS="N/A")]),
                entry("Ash thrower", "upgrade", id="w-thrower", profiles=[gun("Ash thrower", "Torrent", S="2D6")]),
                entry("Sunder gun", "upgrade", id="w-sunder", profiles=sunder),
                entry("Detachment", "upgrade", id="e-det", selectionEntryGroups=[host]),
            ],
            "sharedSelectionEntryGroups": [group("Enhancements", id="g-enh", selectionEntries=[bonus])],
            "sharedRules": [{"id": "r-coals", "name": "Coal Oath", "description": "All for the coals."}],
            "sharedProfiles": [stats("Ember Lord", W="6") | {"id": "p-lord"}],
            "categoryEntries": [
                {"id": f"cat-{name}", "name": name} for name in keywords
            ],
            "entryLinks": [
                link("e-wardens", "Ash Wardens"), link("e-horde", "Cinder Guard"),
                link("e-Ember Lord [Legends]", "Ember Lord"), link("e-det", "Detachment"),
                link("e-elsewhere", "Distant Cousins"),
            ],
        }
    }  # fmt: skip


_SINGULAR = {
    "selectionEntries": "selectionEntry", "sharedSelectionEntries": "selectionEntry", "categoryEntries": "categoryEntry",
    "forceEntries": "forceEntry",
}  # fmt: skip


def xml(tree: Tree) -> str:
    """The same tree as XML: lists as containers, plain members as attributes, texts as elements."""
    ((root, value),) = tree.items()
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + _element(root, value)


def _element(tag: str, value: Tree) -> str:
    inside = attributes = ""
    for name, part in value.items():
        if isinstance(part, list):
            single = _SINGULAR.get(name, name.removeprefix("shared")[:-1])
            single = single[0].lower() + single[1:]
            inside += f"<{name}>" + "".join(_element(single, one) for one in part) + f"</{name}>"
        elif name == "description":
            inside += f"<description>{escape(part)}</description>"
        elif name == "$text":
            inside += escape(part)
        else:
            shown = str(part).lower() if isinstance(part, bool) else str(part)
            attributes += f" {name}={quoteattr(shown)}"
    return f"<{tag}{attributes}>{inside}</{tag}>"


def write_xml(folder: Path, edition: str = "10e") -> None:
    """A zipped system and a plain catalogue, as 10e data comes."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Invented.gst", xml(game_system(edition)))
    (folder / "Invented.gstz").write_bytes(data.getvalue())
    (folder / "Emberborn.cat").write_text(xml(catalogue(edition)), encoding="utf-8")


def write_json(folder: Path, edition: str = "11e") -> None:
    """A gzipped system and a plain catalogue, as 11e data comes."""
    (folder / "Invented.json.gz").write_bytes(gzip.compress(json.dumps(game_system(edition)).encode()))
    (folder / "Emberborn.json").write_text(json.dumps(catalogue(edition), indent=1), encoding="utf-8")
