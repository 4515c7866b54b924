"""Our values to and from JSON, through one door.

Every value of ours that is stored or sent is a ``msgspec.Struct``; what msgspec does not know (dice) is taught here.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from battlewright.dice import Dice
from battlewright.errors import BadInput, Unparsed

T = TypeVar("T")


def _encode(value: Any) -> Any:
    if isinstance(value, Dice):
        return value.constant if value.constant is not None else str(value)
    raise NotImplementedError(f"no JSON form for {type(value).__name__}")


def _decode(kind: type, value: Any) -> Any:
    if kind is Dice:
        try:
            return Dice.parse(value)
        except Unparsed as error:
            raise ValueError(str(error)) from None
    raise NotImplementedError(f"no JSON form for {kind.__name__}")


def _schema(kind: type) -> dict[str, Any]:
    if kind is Dice:
        return {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": Dice.PATTERN}]}
    raise NotImplementedError(f"no JSON Schema for {kind.__name__}")


def to_json(value: object, *, indent: int = 0) -> bytes:
    """Our form of any value, as UTF-8 JSON; ``indent`` spaces for people, 0 for programs.

    >>> to_json({"damage": Dice.parse("D6+2")})
    b'{"damage":"D6+2"}'
    """
    data = msgspec.json.encode(value, enc_hook=_encode)
    return msgspec.json.format(data, indent=indent) if indent else data


def to_builtins(value: object) -> Any:
    """The same as plain dicts, lists, numbers and text.

    >>> to_builtins((Dice.parse("D3"), 2))
    ('D3', 2)
    """
    return msgspec.to_builtins(value, enc_hook=_encode)


def from_json(data: bytes | str, kind: type[T], *, where: str = "") -> T:
    """Read JSON as ``kind``; raises :class:`BadInput` with the path of the fault (``$.weapons[0].damage``).

    >>> from_json('["D6", "2D3+1"]', list[Dice])
    [Dice('D6'), Dice('2D3+1')]
    >>> from_json("[1, 2", list[int], where="army.json")
    Traceback (most recent call last):
    battlewright.errors.BadInput: ...
    """
    try:
        return msgspec.json.decode(data, type=kind, dec_hook=_decode)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise _fault(error, where) from None


def convert(value: object, kind: type[T], *, where: str = "") -> T:
    """Plain dicts and lists as ``kind``; raises :class:`BadInput` likewise."""
    try:
        return msgspec.convert(value, kind, dec_hook=_decode)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise _fault(error, where) from None


def schema(kind: type) -> dict[str, Any]:
    """The JSON Schema of one of our values."""
    return msgspec.json.schema(kind, schema_hook=_schema)


def schema_of_lines(*kinds: type) -> dict[str, Any]:
    """The JSON Schema of one line of a file of JSON lines, each of one of these kinds."""
    found, defs = msgspec.json.schema_components(kinds, schema_hook=_schema, ref_template="#/$defs/{name}")
    return {"description": "one line of a file of JSON lines", "anyOf": list(found), "$defs": defs}


def _fault(error: Exception, where: str) -> BadInput:
    what, _, path = str(error).partition(" - at `")
    path = path.removesuffix("`")
    return BadInput(what or type(error).__name__, " ".join(filter(None, (where, path or "$"))))
