"""The community dataset ``wh40kdc`` (11e): stats, points, base sizes, options, detachments; no rules text.

Comes with the extra ``[data]``; its credit line is shown where it is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from battlewright.datasheet import (
    Ability,
    Base,
    CatalogueExtras,
    Choice,
    Datasheet,
    Detachment,
    Enhancement,
    ModelEntry,
    PointsTier,
    Profile,
    RuleBox,
    WargearOption,
    Weapon,
    WeaponAbility,
)
from battlewright.dice import Dice
from battlewright.errors import BadInput, Fault, Unparsed
from battlewright.formats import Reading, Source
from battlewright.formats.tree import parse_json
from battlewright.names import same

Row = dict[str, Any]

CREDIT: Final = "Powered by 40kdc-data, https://40kdc.alpacasoft.dev (data CC BY 4.0, changed in form; code MIT)"
#: The word that stands for the installed package instead of a path.
WORD: Final = "wh40kdc"
_PARTS: Final = ("units", "weapons", "unit_compositions")


def detects(source: Source) -> float:
    """The bundle of the dataset as a JSON file."""
    text = source.text or ""
    if not text.lstrip().startswith("{"):
        return 0.0
    return 0.9 if all(f'"{part}"' in text for part in _PARTS) else 0.0


def read(source: Source) -> Reading:
    """A bundle file; raises :class:`BadInput`."""
    tree = parse_json(source)
    if not isinstance(tree, dict) or not all(isinstance(tree.get(part), list) for part in _PARTS):
        raise BadInput("not a bundle of the dataset", source.name)
    return read_bundle(tree)


def read_installed() -> Reading:
    """The dataset of the installed package; raises :class:`BadInput` when the extra is not installed."""
    try:
        from wh40kdc.data.bundle import raw_data
    except ImportError:
        raise BadInput("the dataset is not installed: pip install battlewright[data]", WORD) from None
    return read_bundle(raw_data())


def read_bundle(tree: dict[str, Any]) -> Reading:
    """Datasheets and extras from the collections of the dataset."""
    bundle = _Bundle(tree)
    sheets = tuple(bundle.sheet(unit) for unit in bundle.rows("units") if _is_matched(unit))
    return Reading(
        "catalogue",
        "wh40kdc",
        "11e",
        faults=tuple(bundle.faults),
        missing=tuple(f"{sheet.name}: {one}" for sheet in sheets for one in sheet.missing),
        datasheets=sheets,
        notes=(f"{len(sheets)} datasheets; the dataset has no rules text",),
        extras=bundle.extras(),
        credit=CREDIT,
    )


def _is_matched(unit: Row) -> bool:
    modes = unit.get("game_modes")
    return isinstance(unit.get("name"), str) and (not modes or any("patrol" not in str(mode) for mode in modes))


class _Bundle:
    """The collections by id; ids of weapons and abilities are unique only within a faction."""

    def __init__(self, tree: dict[str, Any]) -> None:
        self.tree = tree
        self.faults: list[Fault] = []
        self.factions = {one["id"]: str(one.get("name", "")) for one in self.rows("factions") if "id" in one}
        self.weapons = self._by_id("weapons", "id")
        self.abilities = self._by_id("abilities", "ability_id")
        self.wargear = self._by_id("wargear", "id")
        self.names = {one["id"]: str(one.get("name", "")) for one in self.rows("units") if "id" in one}
        self.composition = {str(one.get("unit_id")): one for one in self.rows("unit_compositions")}
        self.leads = {str(one.get("leader_id")): one for one in self.rows("leader_attachments")}
        self.options: dict[str, list[Row]] = {}
        for one in self.rows("wargear_options"):
            self.options.setdefault(str(one.get("unit_id")), []).append(one)

    def rows(self, name: str) -> list[Row]:
        values = self.tree.get(name)
        return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []

    def _by_id(self, name: str, key: str) -> dict[tuple[str, str], Row]:
        found: dict[tuple[str, str], Row] = {}
        for one in self.rows(name):
            found[str(one.get(key)), str(one.get("faction_id", ""))] = one
            found.setdefault((str(one.get(key)), ""), one)
        return found

    def sheet(self, unit: Row) -> Datasheet:
        key, faction = str(unit.get("id")), str(unit.get("faction_id", ""))
        models, missing = self._models(unit)
        weapons: list[Weapon] = []
        used = [*_texts(unit.get("weapon_ids"))]
        used += [one for row in self._composed(key) for one in _texts(row.get("default_weapon_ids"))]
        for one in dict.fromkeys(used):
            weapons += self._weapon(one, faction, str(unit["name"]))
        abilities = [self._ability(one, faction) for one in _texts(unit.get("ability_ids"))]
        attached = self.leads.get(key, {})
        return Datasheet(
            name=str(unit["name"]),
            edition="11e",
            faction=self.factions.get(faction, faction),
            models=models,
            weapons=tuple(dict.fromkeys(weapons)),
            options=tuple(self._options(key, faction)),
            abilities=tuple(abilities),
            keywords=tuple(_texts(unit.get("keywords"))),
            faction_keywords=tuple(_texts(unit.get("faction_keywords"))),
            points=(*_tiers(unit.get("points")), *self._surcharges(unit.get("wargear_costs"), faction)),
            leads=tuple(self.names.get(one, one) for one in _texts(attached.get("eligible_bodyguard_ids"))),
            transport_text=_transport(unit.get("transport_capacity")),
            role=str(unit.get("role", "")),
            legends=unit.get("is_legend") is True,
            unique="Epic Hero" in _texts(unit.get("keywords")),
            missing=("rules text", *missing),
            sources=(("all", f"wh40kdc: {_version(unit)}"),),
        )

    def _composed(self, key: str) -> list[Row]:
        rows = self.composition.get(key, {}).get("models")
        return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []

    def _models(self, unit: Row) -> tuple[tuple[ModelEntry, ...], list[str]]:
        profiles = [one for one in unit.get("profiles") or [] if isinstance(one, dict)]
        counts = unit.get("model_count") if isinstance(unit.get("model_count"), dict) else {}
        rows = self._composed(str(unit.get("id"))) or [
            {"name": unit.get("name"), "min": counts.get("min", 1), "max": counts.get("max")}  # type: ignore[union-attr]
        ]
        faction = str(unit.get("faction_id", ""))
        models, missing = [], []
        for row in rows:
            name = str(row.get("name", unit.get("name")))
            printed = _profile_of(row, profiles)
            profile = _profile(printed) if printed else Profile()
            if profile.missing:
                missing.append(f"stat line of {name}")
            base = _base(row.get("base_size_mm") or unit.get("base_size_mm"))
            if base is None:
                missing.append(f"base of {name}")
            carried = [one for key in _texts(row.get("default_weapon_ids")) for one in self._item(key, faction)]
            low, high = row.get("min"), row.get("max")
            models.append(
                ModelEntry(
                    name=name,
                    low=low if isinstance(low, int) else 1,
                    high=high if isinstance(high, int) else None,
                    profile=profile,
                    base=base,
                    wargear=tuple(carried),
                )
            )
        return tuple(models), missing

    def _item(self, key: str, faction: str) -> list[str]:
        row = self.weapons.get((key, faction)) or self.weapons.get((key, "")) or self.wargear.get((key, ""))
        return [str(row.get("name", key)) if row else key.replace("-", " ")]

    def _weapon(self, key: str, faction: str, where: str) -> list[Weapon]:
        row = self.weapons.get((key, faction)) or self.weapons.get((key, ""))
        if row is None and ((key, "") in self.wargear or (key, faction) in self.wargear):
            return []
        if row is None:
            self.faults.append(Fault(f"no weapon {key}", where))
            return []
        profiles = [one for one in row.get("profiles") or [] if isinstance(one, dict)]
        found = []
        for one in profiles:
            try:
                found.append(_weapon(str(row.get("name", key)), one, alone=len(profiles) == 1))
            except (Unparsed, TypeError, ValueError) as error:
                self.faults.append(Fault(f"weapon {row.get('name')}: {error}", where))
        return found

    def _ability(self, key: str, faction: str) -> Ability:
        row = self.abilities.get((key, faction)) or self.abilities.get((key, "")) or {}
        name = str(row.get("name") or key.replace("-", " ").title())
        core = row.get("ability_type") == "core"
        kind: Any = "core" if core else "faction" if row.get("ability_type") == "faction" else "datasheet"
        last = name.split()[-1].strip('"+″”') if core and " " in name else ""
        try:
            amount = Dice.parse(last.upper()) if last else None
        except Unparsed:
            amount = None
        return Ability(" ".join(name.split()[:-1]) if amount else name, "", kind, amount)

    def _surcharges(self, rows: object, faction: str) -> Iterable[PointsTier]:
        for row in rows if isinstance(rows, list) else []:
            cost = _int(row.get("cost")) if isinstance(row, dict) else None
            if cost:
                yield PointsTier(1, cost, extra=" and ".join(self._item(str(row.get("item_id")), faction)))

    def _options(self, key: str, faction: str) -> Iterable[WargearOption]:
        for row in self.options.get(key, []):
            limits = row.get("model_constraint") if isinstance(row.get("model_constraint"), dict) else {}
            sets = [_texts(one) for one in row.get("replacement_choice") or []] or [_texts(row.get("replacement"))]
            choices = tuple(
                Choice(tuple((name, 1) for one in each for name in self._item(one, faction))) for each in sets if each
            )
            if choices:
                yield WargearOption(
                    choices,
                    model=str(limits.get("model_name", "")),  # type: ignore[union-attr]
                    replaces=tuple(name for one in _texts(row.get("replaces")) for name in self._item(one, faction)),
                    limit=_int(limits.get("max_count")) or (1 if limits.get("per_n_models") else None),  # type: ignore[union-attr]
                    per=_int(limits.get("per_n_models")),  # type: ignore[union-attr]
                )

    def extras(self) -> CatalogueExtras:
        detachments, titles = [], {}
        for row in self.rows("detachments"):
            faction = str(row.get("faction_id", ""))
            titles[str(row.get("id"))] = str(row.get("name", ""))
            rules = _texts(row.get("detachment_rule_ids")) or _texts([row.get("detachment_rule_id")])
            detachments.append(
                Detachment(
                    name=str(row.get("name", "")),
                    faction=self.factions.get(faction, faction),
                    points=_int(row.get("detachment_points")),
                    dispositions=tuple(one.replace("-", " ") for one in _texts(row.get("force_dispositions"))),
                    abilities=tuple(self._ability(one, faction) for one in rules),
                )
            )
        enhancements = [
            Enhancement(
                name=str(row.get("name", "")),
                points=_int(row.get("cost")),
                detachments=tuple(filter(None, [titles.get(str(row.get("detachment_id")))])),
                only=" ".join(_texts(row.get("keyword_restrictions"))),
                limit=_int(row.get("max_targets")) or 1,
            )
            for row in self.rows("enhancements")
        ]
        stratagems = [
            RuleBox(
                title=str(row.get("name", "")),
                kind="stratagem",
                cost=_int(row.get("cp_cost")),
                source=titles.get(str(row.get("detachment_id")), str(row.get("category", ""))),
            )
            for row in self.rows("stratagems")
        ]
        return CatalogueExtras(tuple(detachments), tuple(enhancements), stratagems=tuple(stratagems))


def _profile_of(row: Row, profiles: list[Row]) -> Row | None:
    wanted = str(row.get("profile_name") or row.get("name", ""))
    named = [one for one in profiles if same(str(one.get("name", "")), wanted)]
    return named[0] if named else profiles[0] if len(profiles) == 1 else None


def _profile(row: Row) -> Profile:
    saves = [
        (row.get("invuln_sv"), None),
        (row.get("invuln_sv_ranged"), "ranged"),
        (row.get("invuln_sv_melee"), "melee"),
    ]
    save, against = next(((value, kind) for value, kind in saves if isinstance(value, int)), (None, None))
    known = {name: _int(row.get(name)) for name in ("M", "T", "Sv", "W", "Ld", "OC")}
    return Profile(**known, InSv=save, InSv_against=against)  # type: ignore[arg-type]


def _base(row: object) -> Base | None:
    """Round and oval bases; a hull whose outline the dataset does not have stays unknown."""
    if not isinstance(row, dict):
        return None
    size = (row.get("length"), row.get("width"))
    try:
        match row.get("shape"):
            case "round":
                return Base("round", float(row["diameter"]))
            case "oval" | "flying-base":
                return Base("oval", (float(max(size)), float(min(size))))  # type: ignore[type-var,arg-type]
    except (KeyError, TypeError, ValueError):
        return None
    return None


def _weapon(name: str, row: Row, *, alone: bool) -> Weapon:
    stats = row["stats"]
    melee = row.get("range") == "Melee"
    reach = 0 if melee else int(row["range"])
    skill = stats.get("WS") if melee else stats.get("BS")
    profile = str(row.get("name", ""))
    return Weapon(
        name=name,
        range=reach,
        attacks=Dice.parse(stats["A"]),
        skill=None if skill is None else int(skill),
        strength=_int(stats.get("S")),
        ap=-abs(int(stats.get("AP", 0))),
        damage=Dice.parse(stats["D"]),
        abilities=tuple(_weapon_ability(one) for one in row.get("keywords") or [] if isinstance(one, dict)),
        profile="" if alone or same(profile, name) else profile,
    )


def _weapon_ability(row: Row) -> WeaponAbility:
    key = str(row.get("keyword_id", ""))
    name = key if key in ("twin-linked", "close-quarters") else key.replace("-", " ")
    given = row.get("parameters") if isinstance(row.get("parameters"), dict) else {}
    amount = given.get("threshold", given.get("value"))  # type: ignore[union-attr]
    target = given.get("target_keyword")  # type: ignore[union-attr]
    return WeaponAbility(name, None if amount is None else Dice.parse(amount), str(target).upper() if target else None)


def _tiers(rows: object) -> Iterable[PointsTier]:
    for row in rows if isinstance(rows, list) else []:
        models, cost = _int(row.get("models_max")) or _int(row.get("models")), _int(row.get("cost"))
        if models is not None and cost is not None:
            yield PointsTier(models, cost, _int(row.get("unit_count_min")) or 1, _int(row.get("unit_count_max")))


def _transport(row: object) -> str:
    """Our own short words for the structure."""
    if not isinstance(row, dict) or "capacity" not in row:
        return ""
    left_out = ", ".join(_texts(row.get("exclusion_keywords")))
    return f"capacity {row['capacity']}" + (f"; not {left_out}" if left_out else "")


def _version(unit: Row) -> str:
    version = unit.get("game_version")
    return str(version.get("dataslate", "")) if isinstance(version, dict) else ""


def _texts(values: object) -> list[str]:
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []


def _int(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
