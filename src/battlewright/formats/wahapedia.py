"""The Wahapedia export: a folder or zip of CSV files parted by ``|``, columns by header name.

Copies that went through a spreadsheet are mangled (a quote in front, ``"|`` for a comma): they are mended as far as
that goes, with a note that asks for the original.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any, Final, Literal

from battlewright.datasheet import (
    Ability,
    Base,
    CatalogueExtras,
    Datasheet,
    Detachment,
    Enhancement,
    EnhancementListing,
    PointsTier,
    Profile,
    RuleBox,
    StratagemListing,
    Weapon,
    WeaponAbility,
)
from battlewright.dice import Dice
from battlewright.effects import EditionId
from battlewright.errors import BadInput, Fault, Unparsed
from battlewright.formats import Reading, Source
from battlewright.formats.composed import build_models, read_base, read_carried, read_options, read_price, read_rows
from battlewright.formats.markup import plain
from battlewright.formats.stat_line import read_profile
from battlewright.formats.weapon_line import read_abilities, read_weapon

Row = dict[str, str]
Progress = Callable[[str, int, int], None]

#: Name of a file -> columns without which it is of no use.
_NEEDED: Final = {"datasheets": ("id", "name"), "datasheets_models": ("datasheet_id", "name")}
_FILE: Final = re.compile(
    r"^(?:datasheets?(?:_[a-z_]+)?|factions|source|stratagems|abilities|enhancements|detachments?(?:_abilities)?|last_update)"
    r"(?:\s*\(\d+\))?\.csv$",
    re.I,
)
_CSV: Final = re.compile(r"\.csv$", re.I)
_PART: Final = re.compile(r"\b(WHEN|TARGET|EFFECT|RESTRICTIONS):\s*")
_PARTS: Final = 200_000


def detects(source: Source) -> float:
    """One file of the export: its name, and a header parted by bars."""
    head = (source.text or "")[:400].partition("\n")[0]
    return 0.95 if "|" in head and _FILE.match(PurePath(source.name).name) and re.search(r"\bid\b|_id\b", head) else 0.0


def read(source: Source) -> Reading:
    """One file: the export is read from the folder it lies in; alone it says nothing."""
    folder = Path(source.name).parent
    if source.name.lower().endswith(".csv") and (folder / PurePath(source.name).name).is_file():
        return read_folder(folder)
    return read_sources([source], source.name)


def detects_folder(path: Path) -> float:
    """A folder or zip with the file of datasheets."""
    from battlewright.formats.source import member_names

    names = [PurePath(name).name.lower() for name in member_names(path)]
    return 0.9 if any(re.match(r"datasheets(?:\s*\(\d+\))?\.csv$", name) for name in names) else 0.0


def read_folder(path: Path, progress: Progress | None = None) -> Reading:
    """The export in a folder or zip; raises :class:`BadInput` when the file of datasheets is missing."""
    from battlewright.formats.source import open_sources

    wanted = (source for source in open_sources(path, only=_CSV) if _FILE.match(PurePath(source.name).name))
    return read_sources(wanted, str(path), progress)


def read_sources(sources: Iterable[Source], where: str, progress: Progress | None = None) -> Reading:
    """Files of the export together."""
    export = _Export()
    for source in sources:
        export.add(source)
    if not export.rows("datasheets"):
        raise BadInput("the file Datasheets.csv is missing or empty", where)
    sheets = []
    every = export.rows("datasheets")
    for place, row in enumerate(every):
        if progress:
            progress(row.get("name", ""), place, len(every))
        if row.get("virtual", "").lower() != "true":
            sheets.append(export.sheet(row))
    return Reading(
        "catalogue",
        "wahapedia",
        export.edition,
        faults=tuple(export.faults),
        missing=tuple(f"{sheet.name}: {one}" for sheet in sheets for one in sheet.missing),
        datasheets=tuple(sheets),
        notes=tuple(export.notes),
        extras=export.extras(),
    )


class _Export:
    """The tables, each row a dict by column, and an index by datasheet."""

    def __init__(self) -> None:
        self.tables: dict[str, list[Row]] = {}
        self.by_sheet: dict[str, dict[str, list[Row]]] = {}
        self.faults: list[Fault] = []
        self.notes: list[str] = []

    def add(self, source: Source) -> None:
        name = re.sub(r"(?:\s*\(\d+\))?\.csv$", "", PurePath(source.name).name, flags=re.I).lower()
        rows = self._rows(source)
        columns = set(rows[0]) if rows else set()
        for needed in _NEEDED.get(name, ()):
            if rows and needed not in columns:
                raise BadInput(f"no column {needed!r}", source.name)
        self.tables[name] = rows
        index = self.by_sheet.setdefault(name, {})
        for row in rows:
            if key := row.get("datasheet_id") or row.get("leader_id"):
                index.setdefault(key, []).append(row)
        self.notes += [f"{source.name}: {note}" for note in source.notes if "Windows" not in note]

    def _rows(self, source: Source) -> list[Row]:
        lines = (source.text or "").splitlines()
        mangled = bool(lines) and lines[0].startswith('"') and lines[0].rstrip().endswith('|"')
        if mangled:
            self.notes.append(f"{source.name}: mangled by a spreadsheet; commas may be wrong, take the original file")
            lines = [_mended(line) for line in lines]
        header = [cell.strip().lower() for cell in lines[0].split("|")] if lines else []
        header = header[:-1] if header and not header[-1] else header
        rows = []
        for number, line in enumerate(lines[1 : _PARTS + 1], 2):
            if not line.strip():
                continue
            cells = line.split("|")
            if len(cells) not in (len(header), len(header) + 1):
                self.faults.append(
                    Fault(f"{len(cells) - 1} columns, expected {len(header)}", f"{source.name} line {number}")
                )
                continue
            rows.append({name: cell.strip() for name, cell in zip(header, cells, strict=False)})
        return rows

    @cached_property
    def factions(self) -> dict[str, str]:
        return {one.get("id", ""): plain(one.get("name", "")) for one in self.rows("factions")}

    @cached_property
    def names(self) -> dict[str, str]:
        return {one.get("id", ""): plain(one.get("name", "")) for one in self.rows("datasheets")}

    @cached_property
    def shared_abilities(self) -> dict[str, Row]:
        return {one.get("id", ""): one for one in self.rows("abilities")}

    def rows(self, table: str) -> list[Row]:
        return self.tables.get(table, [])

    def of(self, table: str, key: str) -> list[Row]:
        return self.by_sheet.get(table, {}).get(key, [])

    @property
    def edition(self) -> EditionId | None:
        """By the edition most sources name; an export without them is of the 10th."""
        named = [row.get("edition", "") for row in self.rows("source")]
        tenth, eleventh = (sum(name.startswith(number) for name in named) for number in ("10", "11"))
        return "11e" if eleventh > tenth else "10e"

    def sheet(self, row: Row) -> Datasheet:
        key, name = row.get("id", ""), plain(row.get("name", ""))
        missing: list[str] = []
        profiles, bases = self._profiles(key, name, missing)
        rows, rest = read_rows(plain(one.get("description", "")) for one in self.of("datasheets_unit_composition", key))
        carried = read_carried(plain(row.get("loadout", "")))
        lines = [line for one in self.of("datasheets_options", key) for line in self._option_lines(one)]
        options, unread = read_options(lines)
        missing += [f"option not read: {line}" for line in unread] + [f"composition not read: {line}" for line in rest]
        keywords, factions = self._keywords(key)
        damaged = re.match(r"\D*(\d+)\s*[-–]\s*(\d+)", row.get("damaged_w", ""))
        weapons = tuple(self._weapons(key, name, missing))
        leads = (self.names.get(one.get("attached_id", ""), "") for one in self.of("datasheets_leader", key))
        return Datasheet(
            name=re.sub(r"\s*\[legends\]", "", name, flags=re.I),
            edition=self.edition or "10e",
            faction=self.factions.get(row.get("faction_id", ""), ""),
            models=build_models(rows, profiles, bases, carried),
            weapons=weapons,
            options=options,
            abilities=(*self._abilities(key, name, missing), *_damage(row)),
            keywords=keywords,
            faction_keywords=factions,
            points=tuple(self._points(key, name, missing)),
            leads=tuple(filter(None, leads)),
            transport_text=plain(row.get("transport", "")),
            damaged=(int(damaged[1]), int(damaged[2])) if damaged else None,
            stratagems=tuple(self._stratagems(key)),
            enhancements=tuple(self._enhancements(key)),
            detachment_abilities=tuple(self._detachment_abilities(key)),
            role=row.get("role", ""),
            legends="[legends]" in name.lower() or self._is_legends(row.get("source_id", "")),
            unique=any(one.casefold() == "epic hero" for one in keywords),
            missing=tuple(missing),
            sources=(("all", f"wahapedia {self._updated()}".strip()),),
        )

    def _profiles(self, key: str, name: str, missing: list[str]) -> tuple[dict[str, Profile], dict[str, Base | None]]:
        profiles: dict[str, Profile] = {}
        bases: dict[str, Base | None] = {}
        for one in self.of("datasheets_models", key):
            cells = {label: one.get(label.lower(), "") for label in ("M", "T", "Sv", "W", "Ld", "OC")}
            save = f"{one.get('inv_sv', '').rstrip('+*')}+ {plain(one.get('inv_sv_descr', ''))}".strip()
            profile, unread = read_profile(cells | ({"InSv": save} if re.match(r"\d", save) else {}))
            missing += [f"{plain(one.get('name', ''))}: {cell} not read" for cell in unread]
            title = plain(one.get("name", "")) or name
            profiles[title] = profile
            bases[title] = read_base(f"{one.get('base_size', '')} {one.get('base_size_descr', '')}")
        if not profiles:
            missing.append("stat line")
        return profiles, bases

    def _keywords(self, key: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        rows = [one for one in self.of("datasheets_keywords", key) if one.get("keyword")]
        faction = [plain(one["keyword"]) for one in rows if one.get("is_faction_keyword", "").lower() == "true"]
        own = [plain(one["keyword"]) for one in rows if one.get("is_faction_keyword", "").lower() != "true"]
        return tuple(dict.fromkeys(own)), tuple(dict.fromkeys(faction))

    def _weapons(self, key: str, where: str, missing: list[str]) -> Iterable[Weapon]:
        for one in self.of("datasheets_wargear", key):
            title = plain(one.get("name", ""))
            if not title or not one.get("a"):
                continue
            melee = one.get("type", "").lower() == "melee" or one.get("range", "").lower() == "melee"
            known, unknown = read_abilities(plain(one.get("description", "")))
            self.faults += [Fault(f"a weapon ability of its own: {word}", f"{where}: {title}") for word in unknown]
            cells = [one.get(label, "") for label in ("range", "a", "bs_ws", "s", "ap", "d")]
            try:
                abilities = (*known, *(WeaponAbility(word.lower()) for word in unknown))
                yield read_weapon(title, cells, abilities, melee=melee)
            except Unparsed as error:
                self.faults.append(Fault(f"weapon {title}: {error}", where))
                missing.append(f"weapon {title}")

    def _abilities(self, key: str, where: str, missing: list[str]) -> Iterable[Ability]:
        for one in self.of("datasheets_abilities", key):
            common = self.shared_abilities.get(one.get("ability_id", ""), {})
            name = plain(one.get("name") or common.get("name", ""))
            if not name:
                missing.append(f"ability {one.get('ability_id') or 'without a name'}")
                continue
            text = plain(one.get("description") or common.get("description", ""))
            yield Ability(name, text, _kind(one.get("type", "")), _amount(one.get("parameter", "")))

    def _points(self, key: str, where: str, missing: list[str]) -> Iterable[PointsTier]:
        for one in self.of("datasheets_models_cost", key):
            tier = read_price(plain(one.get("description", "")), one.get("cost", ""))
            if tier is None:
                missing.append(f"price {one.get('cost')!r}")
            else:
                yield tier

    def _option_lines(self, row: Row) -> list[str]:
        return plain(row.get("description", "")).split("\n")

    def _linked(self, table: str, key: str, column: str, target: str) -> Iterable[Row]:
        wanted = {one.get(column, "") for one in self.of(table, key)}
        return [one for one in self.rows(target) if one.get("id") in wanted] if wanted else []

    def _stratagems(self, key: str) -> Iterable[StratagemListing]:
        for one in self._linked("datasheets_stratagems", key, "stratagem_id", "stratagems"):
            source, category = plain(one.get("detachment", "")), plain(one.get("type", ""))
            yield StratagemListing(plain(one.get("name", "")), _int(one.get("cp_cost", "")), source, category)

    def _enhancements(self, key: str) -> Iterable[EnhancementListing]:
        for one in self._linked("datasheets_enhancements", key, "enhancement_id", "enhancements"):
            yield EnhancementListing(
                plain(one.get("name", "")), _int(one.get("cost", "")), plain(one.get("detachment", ""))
            )

    def _detachment_abilities(self, key: str) -> Iterable[str]:
        for one in self._linked(
            "datasheets_detachment_abilities", key, "detachment_ability_id", "detachment_abilities"
        ):
            yield plain(one.get("name", ""))

    def _is_legends(self, key: str) -> bool:
        return any("legends" in one.get("name", "").lower() for one in self.rows("source") if one.get("id") == key)

    def _updated(self) -> str:
        rows = self.rows("last_update")
        return rows[0].get("last_update", "") if rows else ""

    def extras(self) -> CatalogueExtras:
        titles = self.factions
        detachments: dict[tuple[str, str], list[Ability]] = {}
        for one in self.rows("detachments"):
            detachments.setdefault((plain(one.get("name", "")), titles.get(one.get("faction_id", ""), "")), [])
        for one in self.rows("detachment_abilities"):
            place = plain(one.get("detachment", "")), titles.get(one.get("faction_id", ""), "")
            detachments.setdefault(place, []).append(_ability(one, "special"))
        enhancements = [
            Enhancement(
                name=plain(one.get("name", "")),
                points=_int(one.get("cost", "")),
                detachments=(plain(one.get("detachment", "")),) if one.get("detachment") else (),
                faction=titles.get(one.get("faction_id", ""), ""),
                text=plain(one.get("description", "")),
            )
            for one in self.rows("enhancements")
        ]
        return CatalogueExtras(
            tuple(Detachment(name, faction, None, (), tuple(found)) for (name, faction), found in detachments.items()),
            tuple(enhancements),
            tuple(
                (titles[one["faction_id"]], _ability(one, "faction"))
                for one in self.rows("abilities")
                if one.get("faction_id") in titles
            ),
            tuple(stratagem(one) for one in self.rows("stratagems")),
        )


def _ability(row: Row, kind: Literal["faction", "special"]) -> Ability:
    return Ability(plain(row.get("name", "")), plain(row.get("description", "")), kind)


def stratagem(row: Row) -> RuleBox:
    """A stratagem with its named parts."""
    text = plain(row.get("description", ""))
    pieces = _PART.split(text)
    parts = tuple((label, words.strip()) for label, words in zip(pieces[1::2], pieces[2::2], strict=True))
    source = " – ".join(filter(None, (plain(row.get("detachment", "")), plain(row.get("type", "")))))
    return RuleBox(
        title=plain(row.get("name", "")),
        kind="stratagem",
        cost=_int(row.get("cp_cost", "")),
        source=source,
        parts=parts,
        text=pieces[0].strip(),
    )


def _mended(line: str) -> str:
    """A line of a mangled copy: the quotes around it gone, ``"|`` and ``|"`` within it commas again."""
    inside = line.strip()
    inside = inside[1:] if inside.startswith('"') else inside
    inside = inside[:-1] if inside.endswith('"') else inside
    return re.sub(r'"\||\|"', ",", inside).replace('""', '"')


def _kind(text: str) -> Literal["core", "faction", "datasheet", "wargear", "special"]:
    """The kind of an ability by how its type begins."""
    starts: tuple[tuple[str, Any], ...] = (
        ("core", "core"), ("faction", "faction"), ("datasheet", "datasheet"), ("wargear", "wargear"),
    )  # fmt: skip
    found: Any = next((kind for start, kind in starts if text.lower().startswith(start)), "special")
    return found  # type: ignore[no-any-return]


def _damage(row: Row) -> Iterable[Ability]:
    if row.get("damaged_description"):
        yield Ability(f"Damaged: {plain(row.get('damaged_w', ''))} Wounds Remaining", plain(row["damaged_description"]))


def _amount(text: str) -> Dice | None:
    try:
        return Dice.parse(text.strip().rstrip('"+″').upper()) if text.strip() else None
    except Unparsed:
        return None


def _int(text: str) -> int | None:
    digits = re.search(r"\d{1,4}", text)
    return int(digits[0]) if digits else None
