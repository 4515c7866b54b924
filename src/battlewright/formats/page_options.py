"""Wargear options: a page's sentences, and the choices under them, as :class:`WargearOption`."""

from __future__ import annotations

import re
from typing import Final

from battlewright.datasheet import Choice, WargearOption

_COUNTS: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "a": 1, "an": 1}
_N: Final = r"\d+|one|two|three|four|five|six"
_WHO: Final = re.compile(
    rf"""^(?:for\s+every\s+(?P<per>{_N})\s+(?:models?|[\w' -]+?)(?:\s+(?:models?\s+)?in\s+(?:this|the)\s+unit)?,\s*)?
    (?P<who>(?:up\s+to\s+(?P<upto>{_N})|(?P<exact>{_N})|the|this|any\s+number\s+of|each|every|all(?:\s+of\s+the)?|an?)\s+.+?)
    \s+(?:can|may)\s+(?:each\s+)?(?P<rest>.+)$""",
    re.I | re.X,
)
_REPLACED: Final = re.compile(
    r"^(?:each\s+)?(?:have\s+)?(?:(?:its|their)\s+(?P<own>.+?)\s+)?(?:be\s+)?(?:replaced|exchanged|swapped)\s+(?:with|for)\s+(?P<what>.+)$",
    re.I,
)
_ADDED: Final = re.compile(
    r"^(?:each\s+)?(?:also\s+)?(?:be\s+equipped\s+with|have|take|replace\s+nothing\s+with)\s+(?P<what>.+)$", re.I
)
_REPLACES: Final = re.compile(r"^replace\s+(?:its|their|his|her)\s+(?P<own>.+?)\s+with\s+(?P<what>.+)$", re.I)
_LIST: Final = re.compile(r"(?:one|two|any|up to \w+)\s+of\s+the\s+following", re.I)
_SEVERAL: Final = re.compile(rf"(?P<n>{_N})\s+of\s+the\s+following", re.I)
_ITEM: Final = re.compile(rf"^(?:(?P<n>{_N}|an?)\s+)?(?P<item>.+)$", re.I)
_POSSESSED: Final = re.compile(r"^(?P<model>.+?)(?:'s|s')\s+(?P<own>.+)$")
_TWICE: Final = re.compile(r"(?:cannot|can't)\s+select\s+the\s+same\s+.+?more\s+than\s+(once|twice|\w+ times)", re.I)


def is_choice(text: str) -> bool:
    """A line under "one of the following": a number and an item, no sentence.

    >>> is_choice("1 cinder gun and 1 hatchet"), is_choice("1 Warden's rifle can be replaced with 1 cinder gun.")
    (True, False)
    """
    return bool(re.match(rf"(?:{_N})\s", text, re.I)) and not re.search(r"\b(?:can|may|must)\b", text)


def read_choice(text: str) -> Choice:
    """The items of a choice with their numbers.

    >>> read_choice("1 hand cannon and 2 fuse mines.").items
    (('hand cannon', 1), ('fuse mine', 2))
    """
    text = re.sub(r"\s*\([^)]*\)\s*$|[.*]+\s*$", "", text.strip())
    items = []
    for part in re.split(r",\s*(?:and\s+)?|\s+and\s+(?=(?:\d|an?\s|one\s))", text):
        found = _ITEM.match(part.strip(" .*"))
        if found and found["item"].strip():
            count = _count(found["n"]) or 1
            items.append((_singular(found["item"].strip(" .*"), count), count))
    return Choice(tuple(items))


def read_option(sentence: str, choices: list[str], note: str = "") -> WargearOption | None:
    """One option: its sentence, the choices under it, and its footnote; None when the sentence is not of a known form.

    >>> option = read_option("Up to 2 Ash Wardens can each have their rifle replaced with one of the following:", ["1 axe"])
    >>> option.limit, option.model, option.replaces, option.choices[0].items
    (2, 'Ash Wardens', ('rifle',), (('axe', 1),))
    """
    text = re.sub(r"\s*\(([^)]*)\)\s*\.?$", "", sentence.strip().rstrip("*: ")).rstrip(".")
    found = _WHO.match(text)
    if not found:
        return None
    what, own = _what(found["rest"])
    if what is None:
        return None
    model, own_by_name, needs = _model(found["who"])
    listed = bool(_LIST.search(what)) or not what.strip(": ")
    given = tuple(read_choice(choice) for choice in choices) if listed or choices else (read_choice(what),)
    given = tuple(choice for choice in given if choice.items)
    if not given:
        return None
    return WargearOption(
        choices=given,
        model=model,
        replaces=_items(own or own_by_name),
        limit=_limit(found, what),
        per=_count(found["per"]),
        each_limit=_each_limit(note),
        needs=needs,
        words=_rest(sentence, note),
    )


def _what(rest: str) -> tuple[str | None, str]:
    for pattern in (_REPLACES, _REPLACED, _ADDED):
        if found := pattern.match(rest):
            return found["what"], found.groupdict().get("own") or ""
    return None, ""


def _model(who: str) -> tuple[str, str, tuple[str, ...]]:
    """The kind of model, what of it is replaced ("1 Warden's rifle"), what it must have ("equipped with a rifle")."""
    text = re.sub(
        rf"^(?:up\s+to\s+)?(?:{_N}|the|this|any\s+number\s+of|each|every|all(?:\s+of\s+the)?|an?)\s+",
        "",
        who,
        flags=re.I,
    )
    needs: tuple[str, ...] = ()
    if equipped := re.search(r"\s+(?:that\s+(?:is|are)\s+)?equipped\s+with\s+(.+)$", text):
        needs, text = _items(equipped[1]), text[: equipped.start()]
    own = ""
    if possessed := _POSSESSED.match(text):
        text, own = possessed["model"], possessed["own"]
    text = re.sub(r"\s+in\s+(?:this|the|your)\s+unit$", "", text)
    generic = text.casefold() in (
        "model",
        "models",
        "of this unit's models",
        "unit",
        "of these models",
        "of its models",
    )
    return ("" if generic else text), own, needs


def _items(text: str) -> tuple[str, ...]:
    parts = re.split(r",\s*(?:and\s+)?|\s+and\s+(?:(?:its|their)\s+)?|\s+or\s+", text.strip()) if text.strip() else []
    return tuple(re.sub(rf"^(?:{_N}|an?)\s+", "", part.strip(" ."), flags=re.I) for part in parts if part.strip(" ."))


def _limit(found: re.Match[str], what: str) -> int | None:
    """How many may: of several models one each, of one model as many as it may choose."""
    if found["upto"]:
        return _count(found["upto"])
    if found["exact"]:
        return _count(found["exact"])
    if not re.match(r"(?:the|this|an?)\s", found["who"], re.I):
        return None
    several = _SEVERAL.search(what)
    return (_count(several["n"]) if several else None) or 1


def _each_limit(note: str) -> int | None:
    found = _TWICE.search(note)
    if not found:
        return None
    return {"once": 1, "twice": 2}.get(found[1].lower()) or _count(found[1].split()[0])


def _rest(sentence: str, note: str) -> str:
    aside = re.search(r"\(([^)]*)\)\s*\.?$", sentence.strip())
    parts = [aside[1] if aside else "", "" if _each_limit(note) else note]
    return " ".join(filter(None, parts))


def _count(text: str | None) -> int | None:
    if text is None:
        return None
    return int(text) if text.isdigit() else _COUNTS.get(text.lower())


def _singular(item: str, count: int) -> str:
    return item[:-1] if count > 1 and item.endswith("s") and not item.endswith("ss") else item
