"""Datasheets in our own form: one, a list of them, or what ``read --json`` prints. Everything wrong with them is told."""

from __future__ import annotations

from typing import Any

import msgspec

from battlewright.catalogue.lookup import check
from battlewright.codec import convert
from battlewright.datasheet import Datasheet
from battlewright.errors import BadInput, Fault
from battlewright.formats import Reading, Source


def detects(source: Source) -> float:
    """How sure this is ours: JSON of a datasheet, with its name, edition and weapons or models.

    >>> detects(Source("a.json", b"", '{"name": "Ash Wardens", "edition": "11e", "weapons": []}'))
    0.9
    """
    text = (source.text or "").lstrip()
    if text[:1] not in ("{", "["):
        return 0.0
    try:
        found = _sheets(msgspec.json.decode(text))
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return 0.0
    return 0.9 if found and all(_is_sheet(each) for each in found) else 0.0


def read(source: Source) -> Reading:
    """The datasheets, with every fault of each: of its form (the first), and of what it says."""
    sheets, faults = list[Datasheet](), list[Fault]()
    found = _sheets(msgspec.json.decode(source.text or ""))
    for place, plain in enumerate(found):
        where = source.name if len(found) == 1 else f"{source.name}[{place}]"
        try:
            sheet = convert(plain, Datasheet, where=where)
        except BadInput as error:
            faults += error.faults
            continue
        faults += [Fault(fault.what, f"{where} {fault.where}") for fault in check(sheet)]
        sheets.append(sheet)
    editions = {sheet.edition for sheet in sheets}
    return Reading(
        kind="datasheet" if len(found) == 1 else "catalogue",
        format="battlewright",
        edition=editions.pop() if len(editions) == 1 else None,
        faults=tuple(faults),
        missing=tuple(dict.fromkeys(words for sheet in sheets for words in sheet.missing)),
        datasheets=tuple(sheets),
    )


def _sheets(value: Any) -> list[Any]:
    if isinstance(value, dict) and isinstance(value.get("datasheets"), list) and value.get("roster") is None:
        return list(value["datasheets"])
    return list(value) if isinstance(value, list) else [value]


def _is_sheet(value: Any) -> bool:
    return isinstance(value, dict) and {"name", "edition"} <= set(value) and bool({"weapons", "models"} & set(value))
