"""Our own form comes back as it went out, and says what is wrong with it."""

from __future__ import annotations

import json

from battlewright.catalogue.lookup import find
from battlewright.codec import to_json
from battlewright.formats import Reading, Source
from battlewright.formats.detect import read

KASRKIN = find("Kasrkin").datasheet


def reading(data: bytes) -> Reading:
    return read(Source("sheet.json", data, data.decode()))


def test_a_datasheet_comes_back() -> None:
    found = reading(to_json(KASRKIN))
    assert found.datasheets == (KASRKIN,)
    assert (found.kind, found.format, found.edition, found.faults) == ("datasheet", "battlewright", "11e", ())


def test_a_list_and_what_read_prints_come_back() -> None:
    rex = find("Canis Rex").datasheet
    assert reading(to_json([KASRKIN, rex])).datasheets == (KASRKIN, rex)
    assert reading(to_json({"kind": "datasheet", "roster": None, "datasheets": [rex]})).datasheets == (rex,)


def test_what_is_wrong_is_told_with_its_place() -> None:
    plain = json.loads(to_json(KASRKIN))
    plain["models"][1]["wargear"] = ["spoon"]
    plain["options"][0]["model"] = "Nobody"
    faults = [str(fault) for fault in reading(to_json(plain)).faults]
    assert faults == [
        "spoon: no weapon of that name @ sheet.json $.models[1].wargear",
        "Nobody: no model of that name @ sheet.json $.options[0].model",
    ]
    plain["weapons"][0]["attacks"] = "D7+"
    (fault,) = reading(to_json(plain)).faults
    assert "got 'D7+'" in fault.what
    assert fault.where == "sheet.json $.weapons[0].attacks"
