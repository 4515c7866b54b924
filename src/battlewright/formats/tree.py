"""XML and JSON trees, bounded: how BattleScribe files (catalogues and rosters) become plain dicts and lists.

Both forms come out in the JSON shape: attributes are plain members, a list of children stands under its plural name
("profiles": [...]), the text of a characteristic is ``"$text"``. DTDs and entities are refused, depth and number of
elements are bounded.
"""

from __future__ import annotations

import re
from typing import Any, Final, NoReturn

import msgspec

from battlewright.errors import BadInput
from battlewright.formats import Source

#: How deep elements or brackets may stand in each other; real catalogues stay below 60.
DEPTH: Final = 200
#: How many elements (XML) or brackets (JSON) a file may have; the largest real file has 190,000.
ELEMENTS: Final = 600_000

Tree = dict[str, Any]
NEWLINE: Final = b"\n"

_TEXT: Final = frozenset({"description", "comment", "readme", "customNotes", "alias", "notes", "name"})
_BOOL: Final = frozenset({
    "hidden", "primary", "import", "shared", "library", "importRootEntries", "collective", "includeChildSelections",
    "includeChildForces", "percentValue", "roundUp", "flatten", "negative",
})  # fmt: skip
_NUMBER: Final = frozenset({"number", "repeats", "revision", "gameSystemRevision"})
_VALUED: Final = frozenset({"cost", "costLimit", "constraint", "condition", "repeat", "localConditionGroup"})


def parse_xml(source: Source) -> Tree:
    """The tree of an XML file in the JSON shape: ``{"roster": {...}}``.

    Raises :class:`BadInput` for anything that is no clean XML, for a DTD, entities, or sizes no real file has.

    >>> text = '<roster name="A"><costs><cost name="pts" value="90.0"/></costs></roster>'
    >>> parse_xml(Source("a.ros", text.encode(), text))
    {'roster': {'name': 'A', 'costs': [{'name': 'pts', 'value': 90}]}}
    """
    from xml.parsers import expat

    if source.text is None:
        raise BadInput("not XML (binary data)", source.name)
    parser = expat.ParserCreate("utf-8", " ")
    build = _Builder(source.name)
    parser.buffer_text = True
    parser.buffer_size = 1 << 16
    parser.StartElementHandler = build.start
    parser.EndElementHandler = build.end
    parser.CharacterDataHandler = build.characters
    parser.StartDoctypeDeclHandler = build.refuse
    parser.EntityDeclHandler = build.refuse
    try:
        parser.Parse(source.text.encode("utf-8", errors="surrogatepass"), True)
    except expat.ExpatError as error:
        raise BadInput(
            f"not clean XML: {expat.ErrorString(error.code)}", f"{source.name} line {error.lineno}"
        ) from None
    return {build.root_name: build.root}


def parse_json(source: Source) -> Any:
    """The plain value of a JSON file. Raises :class:`BadInput` with the place of the fault.

    >>> parse_json(Source("a.json", b"", '{"roster": {}}'))
    {'roster': {}}
    """
    if source.text is None:
        raise BadInput("not JSON (binary data)", source.name)
    text = source.text
    if text.count("[") + text.count("{") > ELEMENTS or text.count(",") > 4 * ELEMENTS:
        raise BadInput(f"more than {ELEMENTS:,} brackets", source.name)
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError) as error:
        place = re.search(r"\(byte (\d+)\)", str(error))
        before = text.encode("utf-8", errors="replace")[: int(place[1])] if place else b""
        what = str(error).removeprefix("JSON is malformed: ").partition(" (byte")[0]
        raise BadInput(f"not clean JSON: {what}", f"{source.name} line {before.count(NEWLINE) + 1}") from None
    except RecursionError:
        raise BadInput("brackets nested too deep", source.name) from None


def number(value: object, default: float = 0) -> float:
    """A number from either form (``"90.0"``, 90), ``default`` when it is none.

    >>> number("90.0"), number(None), number("", -1)
    (90.0, 0, -1)
    """
    if isinstance(value, bool) or value is None:
        return default
    try:
        found = float(str(value))
    except ValueError:
        return default
    return found if abs(found) < 1e9 else default


def truth(value: object) -> bool:
    """A yes or no from either form (``"true"``, True).

    >>> truth("true"), truth(False), truth(None)
    (True, False, False)
    """
    return value is True or value == "true"


class _Builder:
    """The handlers of the parser: a stack of open elements."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.root: Tree = {}
        self.root_name = ""
        self.stack: list[tuple[str, Tree, list[tuple[str, Any]], list[str]]] = []
        self.count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1 + len(attributes) // 8
        if self.count > ELEMENTS:
            raise BadInput(f"more than {ELEMENTS:,} elements", self.name)
        if len(self.stack) >= DEPTH:
            raise BadInput(f"elements nested more than {DEPTH} deep", self.name)
        local = tag.rpartition(" ")[2]
        self.stack.append((local, _attributes(local, attributes), [], []))

    def characters(self, text: str) -> None:
        if self.stack:
            self.stack[-1][3].append(text)

    def end(self, tag: str) -> None:
        local, own, children, text = self.stack.pop()
        value = _value(local, own, children, "".join(text))
        if self.stack:
            self.stack[-1][2].append((local, value))
        else:
            self.root_name, self.root = local, value if isinstance(value, dict) else {"$text": value}

    def refuse(self, *_: object) -> NoReturn:
        raise BadInput("XML with a DTD or entities is not read", self.name)


def _value(tag: str, own: Tree, children: list[tuple[str, Any]], text: str) -> Any:
    if not children:
        if own:
            return {**own, "$text": text} if text.strip() or tag == "characteristic" else own
        return text if tag in _TEXT or text.strip() else []
    names = {name for name, _ in children}
    if not own and len(names) == 1 and tag not in names and _plural(tag, next(iter(names))):
        return [value for _, value in children]
    for name, value in children:
        if name in own and isinstance(own[name], list) and isinstance(value, list):
            own[name].extend(value)
        else:
            own[name] = value
    return own


def _plural(tag: str, name: str) -> bool:
    tag = tag.removeprefix("shared").lower()
    return tag in (name.lower() + "s", name.lower() + "es", name.lower()[:-1] + "ies")


def _attributes(tag: str, attributes: dict[str, str]) -> Tree:
    found: Tree = {}
    for key, value in attributes.items():
        key = key.rpartition(" ")[2]
        if key in _BOOL:
            found[key] = value == "true"
        elif key in _NUMBER or (key == "value" and tag in _VALUED):
            amount = number(value, default=-1e9)
            found[key] = value if amount == -1e9 else int(amount) if amount == int(amount) else amount
        else:
            found[key] = value
    return found
