"""Game-datacards JSON, one file a faction, 10e (plain strings) and 11e (``{"en": ...}`` objects)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from battlewright.datasheet import (
    Ability,
    Base,
    CatalogueExtras,
    Datasheet,
    Detachment,
    Enhancement,
    PointsTier,
    Profile,
    RuleBox,
    Weapon,
    WeaponAbility,
)
from battlewright.dice import Dice
from battlewright.effects import EditionId
from battlewright.errors import BadInput, Fault, Unparsed
from battlewright.formats import Reading, Source
from battlewright.formats.composed import build_models, read_base, read_carried, read_options, read_rows
from battlewright.formats.markup import plain
from battlewright.formats.stat_line import read_profile
from battlewright.formats.tree import parse_json
from battlewright.formats.weapon_line import read_abilities, read_weapon

Row = dict[str, Any]
Progress = Callable[[str, int, int], None]
_LOST: Final = ("-", "–", "")
_JSON: Final = re.compile(r"\.json(?:\.gz)?$", re.I)
_CORE: Final = re.compile(r"^(.*?)\s+(\d{1,2}|\d?D[36](?:\+\d+)?)[\"+”″]?$", re.I)
_PARTS: Final = (("WHEN", "when"), ("TARGET", "target"), ("EFFECT", "effect"), ("RESTRICTIONS", "restrictions"))


def detects(source: Source) -> float:
    """A JSON file with datasheets whose weapons stand under their two names.

    >>> detects(Source("a.json", b"", '{"datasheets": [{"rangedWeapons": []}]}')), detects(Source("b.json", b"", "[]"))
    (0.9, 0.0)
    """
    text = source.text or ""
    if not text.lstrip().startswith("{") or '"datasheets"' not in text:
        return 0.0
    return 0.9 if '"rangedWeapons"' in text or '"meleeWeapons"' in text else 0.0


def read(source: Source) -> Reading:
    """One faction; raises :class:`BadInput`."""
    return read_sources([source])


def detects_folder(path: Path) -> float:
    """A folder or zip with at least one such file."""
    from battlewright.formats.source import member_names, open_sources

    if not any(name.lower().endswith((".json", ".json.gz")) for name in member_names(path)):
        return 0.0
    return max(
        (detects(source) for _, source in zip(range(60), open_sources(path, only=_JSON, faults=[]), strict=False)),
        default=0.0,
    )


def read_folder(path: Path, progress: Progress | None = None) -> Reading:
    """Every faction of a folder or zip; one edition only."""
    from battlewright.formats.source import open_sources

    wanted = (source for source in open_sources(path, only=_JSON) if detects(source))
    return read_sources(wanted, progress, str(path))


def read_sources(sources: Iterable[Source], progress: Progress | None = None, where: str = "") -> Reading:
    """The factions of several files together."""
    cards = _Cards()
    for place, source in enumerate(sources):
        if progress:
            progress(source.name, place, 0)
        where = where or source.name
        cards.add(parse_json(source), source.name)
    if len(cards.editions) > 1:
        raise BadInput("files of both editions; add one edition at a time", where)
    return Reading(
        "catalogue",
        "game-datacards",
        next(iter(cards.editions), None),
        faults=tuple(cards.faults),
        missing=tuple(f"{sheet.name}: {one}" for sheet in cards.sheets for one in sheet.missing),
        datasheets=tuple(cards.sheets),
        notes=tuple(cards.notes),
        extras=CatalogueExtras(
            tuple(cards.detachments.values()), tuple(cards.enhancements), tuple(cards.army), tuple(cards.stratagems)
        ),
    )


class _Cards:
    """What the files gave so far."""

    def __init__(self) -> None:
        self.editions: set[EditionId] = set()
        self.sheets: list[Datasheet] = []
        self.detachments: dict[tuple[str, str], Detachment] = {}
        self.enhancements: list[Enhancement] = []
        self.army: list[tuple[str, Ability]] = []
        self.stratagems: list[RuleBox] = []
        self.faults: list[Fault] = []
        self.notes: list[str] = []
        self.where = ""

    def add(self, tree: object, where: str) -> None:
        """One faction's file."""
        if not isinstance(tree, dict) or not isinstance(tree.get("datasheets"), list):
            raise BadInput("no list of datasheets", where)
        self.where = where
        edition: EditionId = "11e" if _is_eleventh(tree) else "10e"
        self.editions.add(edition)
        faction = _text(tree.get("name")) or _text(tree.get("id"))
        for row in _rows(tree.get("datasheets")):
            self.sheets.append(self._sheet(row, edition, faction))
        self._rules(tree, faction)
        for row in _rows(tree.get("stratagems")):
            parts = tuple((label, words) for label, key in _PARTS if (words := _text(row.get(key))))
            kind = " – ".join(filter(None, (_text(row.get("detachment")), _text(row.get("type")))))
            self.stratagems.append(RuleBox(_text(row.get("name")), "stratagem", "", _int(row.get("cost")), kind, parts))
        for row in _rows(tree.get("enhancements")):
            named = _text(row.get("detachment"))
            self.enhancements.append(
                Enhancement(
                    _text(row.get("name")),
                    _int(row.get("cost")),
                    (named,) if named else (),
                    faction,
                    _text(row.get("description")),
                    " ".join(_texts(row.get("keywords"))),
                )
            )

    def _rules(self, tree: Row, faction: str) -> None:
        for row in _rows(tree.get("detachments")):
            name = _text(row.get("name"))
            shown = row.get("forceDisposition")
            found = _texts(shown if isinstance(shown, list) else [shown])
            self.detachments[name, faction] = Detachment(name, faction, _int(row.get("detachmentPoints")), tuple(found))
        rules = tree.get("rules") if isinstance(tree.get("rules"), dict) else {}
        assert isinstance(rules, dict)
        for row in _rows(rules.get("detachment")):
            name = _text(row.get("detachment")) or _text(row.get("name"))
            abilities = tuple(self._rule(one, "special") for one in _rows(row.get("rules")))
            before = self.detachments.get((name, faction), Detachment(name, faction))
            self.detachments[name, faction] = msgspec.structs.replace(before, abilities=(*before.abilities, *abilities))
        self.army += [(faction, self._rule(row, "faction")) for row in _rows(rules.get("army"))]

    def _rule(self, row: Row, kind: Literal["faction", "special"]) -> Ability:
        """A rule of ordered blocks; a block that lost its content is named."""
        name, lines = _text(row.get("name")), []
        for block in _rows(row.get("rules")) or [row]:
            text = _text(block.get("text"))
            if text.strip() in _LOST and block.get("type") in ("bullets", "image"):
                self.notes.append(f"{self.where}: {name}: a part of type {block.get('type')} has no content")
            elif text:
                lines.append(text)
        return Ability(name, "\n".join(lines), kind)

    def _sheet(self, row: Row, edition: EditionId, faction: str) -> Datasheet:
        name = _text(row.get("name"))
        missing: list[str] = []
        told = row.get("abilities")
        abilities: Row = told if isinstance(told, dict) else {}
        profiles, bases = self._profiles(row, abilities, name, missing)
        rows, rest = read_rows(line for one in _texts(row.get("composition")) for line in one.split("\n"))
        lines = [line for one in _texts(row.get("wargear")) for line in one.split("\n")]
        options, unread = read_options(lines)
        missing += [f"option not read: {one}" for one in unread] + [f"composition not read: {one}" for one in rest]
        damaged = abilities.get("damaged") if isinstance(abilities.get("damaged"), dict) else {}
        assert isinstance(damaged, dict)
        bracket = re.search(r"(\d+)\s*[-–]\s*(\d+)", _text(damaged.get("range")))
        keywords = tuple(dict.fromkeys(_texts(row.get("keywords"))))
        return Datasheet(
            name=re.sub(r"\s*\[legends\]", "", name, flags=re.I),
            edition=edition,
            faction=faction,
            models=build_models(rows, profiles, bases, read_carried(_text(row.get("loadout")))),
            weapons=tuple(self._weapons(row, name, missing)),
            options=options,
            abilities=(*_abilities(abilities), *_damage(damaged)),
            keywords=keywords,
            faction_keywords=tuple(_texts(row.get("factions"))),
            points=tuple(_points(row)),
            leads=_leads(_text(row.get("leader"))),
            transport_text=_text(row.get("transport")),
            damaged=(int(bracket[1]), int(bracket[2])) if bracket else None,
            legends=bool(row.get("legends")) or "[legends]" in name.lower(),
            unique=any(one.casefold() == "epic hero" for one in keywords),
            missing=tuple(missing),
            sources=(("all", f"game-datacards {edition}"),),
        )

    def _profiles(
        self, row: Row, abilities: Row, name: str, missing: list[str]
    ) -> tuple[dict[str, Profile], dict[str, Base | None]]:
        save = abilities.get("invul")
        printed = ""
        if isinstance(save, dict) and re.match(r"\d", _text(save.get("value"))):
            printed = f"{_text(save.get('value')).rstrip('+*')}+ {_text(save.get('info'))}".strip()
        profiles: dict[str, Profile] = {}
        bases: dict[str, Base | None] = {}
        for one in _rows(row.get("stats")):
            if one.get("active") is False:
                continue
            cells = {key: _text(one.get(key)) for key in ("m", "t", "sv", "w", "ld", "oc")}
            profile, unread = read_profile(cells | ({"InSv": printed} if printed else {}))
            title = _text(one.get("name")) or name
            missing += [f"{title}: {cell} not read" for cell in unread]
            profiles[title] = profile
            bases[title] = read_base(_text(one.get("baseSize")) or _text(row.get("baseSize")))
        if not profiles:
            missing.append("stat line")
        return profiles, bases

    def _weapons(self, row: Row, where: str, missing: list[str]) -> Iterable[Weapon]:
        for key, melee in (("rangedWeapons", False), ("meleeWeapons", True)):
            for weapon in _rows(row.get(key)):
                for one in _rows(weapon.get("profiles")):
                    if weapon.get("active") is False or one.get("active") is False:
                        continue
                    title = _text(one.get("name"))
                    known, unknown = read_abilities(", ".join(_texts(one.get("keywords"))))
                    cells = [_text(one.get(cell)) for cell in ("range", "attacks", "skill", "strength", "ap", "damage")]
                    self.faults += [
                        Fault(f"a weapon ability of its own: {word}", f"{where}: {title}") for word in unknown
                    ]
                    try:
                        own = tuple(WeaponAbility(word.lower()) for word in unknown)
                        yield read_weapon(title, cells, (*known, *own), melee=melee)
                    except Unparsed as error:
                        self.faults.append(Fault(f"weapon {title}: {error}", where))
                        missing.append(f"weapon {title}")


def _abilities(told: Row) -> Iterable[Ability]:
    for kind in ("core", "faction"):
        for name in _texts(told.get(kind)):
            found = _CORE.match(name) if kind == "core" else None
            amount = Dice.parse(found[2].upper()) if found else None
            yield Ability(found[1] if found else name, "", kind, amount)
    kinds: tuple[tuple[str, Literal["datasheet", "wargear", "special"]], ...] = (
        ("other", "datasheet"), ("wargear", "wargear"), ("special", "special"), ("primarch", "special"),
    )  # fmt: skip
    for key, as_kind in kinds:
        for row in _rows(told.get(key)):
            inner = _rows(row.get("abilities"))
            for one in inner or [row]:
                yield Ability(_text(one.get("name")), _text(one.get("description")), as_kind)


def _damage(row: Row) -> Iterable[Ability]:
    if text := _text(row.get("description")):
        yield Ability(f"Damaged: {_text(row.get('range'))}", text)


def _points(row: Row) -> Iterable[PointsTier]:
    """The prices; with an additional cost after so many, a second price for the further ones (11e)."""
    more = row.get("additionalCost") if isinstance(row.get("additionalCost"), dict) else {}
    assert isinstance(more, dict)
    cost_more, after = _int(more.get("cost")), _int(more.get("afterSelections"))
    for one in _rows(row.get("points")):
        models, cost = _int(one.get("models")) or 1, _int(one.get("cost"))
        extra = " ".join(filter(None, (_text(one.get("keyword")), _text(one.get("detachment")))))
        if cost is None or one.get("active") is False:
            continue
        if cost_more and after and not extra:
            yield PointsTier(models, cost, 1, after)
            yield PointsTier(models, cost + cost_more, after + 1)
        else:
            yield PointsTier(models, cost, extra=extra)


def _leads(text: str) -> tuple[str, ...]:
    found = re.search(r"following units?[^:]*:(.*)", text, re.S | re.I)
    lines = (found[1] if found else "").split("\n")
    return tuple(dict.fromkeys(line.strip(" ■•-*.") for line in lines if line.strip(" ■•-*.")))


def _is_eleventh(tree: Row) -> bool:
    """Names of datasheets are objects by language, or detachments have points."""
    sheets, detachments = _rows(tree.get("datasheets")), _rows(tree.get("detachments"))
    return any(isinstance(one.get("name"), dict) for one in sheets) or any(
        "detachmentPoints" in one for one in detachments
    )


def _text(value: object) -> str:
    """A text, in English where there are several languages; of a thing with a name, its name."""
    if isinstance(value, dict) and "name" in value:
        value = value["name"]
    if isinstance(value, dict):
        value = value.get("en") or next((one for one in value.values() if isinstance(one, str)), "")
    if isinstance(value, bool) or value is None or isinstance(value, list | dict):
        return ""
    return plain(str(value))


def _texts(value: object) -> list[str]:
    if isinstance(value, dict):
        value = value.get("en", value)
    if isinstance(value, list):
        found = [_text(one) for one in value]
        return [one for one in found if one and one not in _LOST]
    text = _text(value)
    return [text] if text else []


def _rows(value: object) -> list[Row]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _int(value: object) -> int | None:
    found = re.search(r"\d{1,5}", _text(value))
    return int(found[0]) if found else None
