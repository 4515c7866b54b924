"""Parts of a datasheet that sources give as words: composition, what is carried, bases, options, prices."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from battlewright.datasheet import Base, ModelEntry, PointsTier, Profile, WargearOption
from battlewright.formats.page_options import is_choice, read_option
from battlewright.names import fold, same, singular

_ROW: Final = re.compile(r"^(\d{1,3})(?:\s*[-–]\s*(\d{1,3}))?\s+(.+)$")
_EQUIPPED: Final = re.compile(r"^(.*?)\s+(?:is|are|comes|has)\s+equipped\s+with\s*:\s*(.+?)\.?$", re.I)
_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(?:mm)?\s*(?:[x×*]\s*(\d+(?:\.\d+)?))?\s*mm", re.I)
_MODELS: Final = re.compile(r"(\d+)\s+models?", re.I)
#: Bullets that stand within a line where a source lost its line ends.
_INLINE: Final = re.compile(r"(?<=\S)\s+(?=[◦■•]\s)")
_BULLET: Final = re.compile(r"^[■•▪◦\-–*]+\s*")


def read_rows(lines: Iterable[str]) -> tuple[list[tuple[str, int, int]], list[str]]:
    """Composition lines as (name, low, high), and the lines that are none.

    >>> read_rows(["1 Warden Sergeant", "■ 4-9 Wardens – EPIC HERO", "and a dog"])
    ([('Warden Sergeant', 1, 1), ('Wardens', 4, 9)], ['and a dog'])
    >>> read_rows(["• 5 Ash Warden with Rod models", "• 1 Sergeant model"])
    ([('Ash Warden with Rod', 5, 5), ('Sergeant', 1, 1)], [])
    """
    rows, rest = [], []
    for line in lines:
        clean = _BULLET.sub("", line.strip()).rstrip("*. ")
        if found := _ROW.match(clean):
            name = re.sub(r"(?<=\w)(?:\s+[-–]\s+EPIC HERO|\s+models?)$", "", found[3], flags=re.I).strip()
            rows.append((name, int(found[1]), int(found[2] or found[1])))
        elif clean:
            rest.append(clean)
    return rows, rest


def read_carried(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Sentences "X is equipped with: a; b." as (X, items); X is empty for every model.

    >>> read_carried("Every model is equipped with: cinder gun; 2 hatchets.")
    [('', ('cinder gun', 'hatchet', 'hatchet'))]
    """
    found = []
    for sentence in re.split(r"\n|(?<=\.)\s+(?=[A-Z])", text):
        if match := _EQUIPPED.match(sentence.strip()):
            who = re.sub(r"^(?:every|each|the|this|all|any)\s+", "", match[1].strip(), flags=re.I)
            who = "" if fold(who) in ("model", "models", "model in this unit", "models in this unit") else who
            items = [item for part in re.split(r";", match[2]) for item in _counted(part)]
            found.append((who, tuple(items)))
    return found


def _counted(text: str) -> list[str]:
    clean = text.strip(" .*")
    if not clean or fold(clean) == "nothing":
        return []
    number = re.match(r"(\d{1,2})\s+(.+)$", clean)
    return [singular(number[2])] * int(number[1]) if number else [clean]


def build_models(
    rows: list[tuple[str, int, int]],
    profiles: dict[str, Profile],
    bases: dict[str, Base | None],
    carried: list[tuple[str, tuple[str, ...]]],
) -> tuple[ModelEntry, ...]:
    """Model entries of composition rows; a stat line is found by name, or it is the only one."""
    only = next(iter(profiles.values())) if len(profiles) == 1 else Profile()
    only_base = next(iter(bases.values())) if len(bases) == 1 else None
    models = []
    for name, low, high in rows or [(name, 1, 1) for name in profiles]:
        key = next((known for known in profiles if same(known, name)), None)
        if key is None:
            key = next((known for known in profiles if fold(singular(fold(known))) in fold(name)), None)
        wargear = [item for who, items in carried if not who or same(who, name) for item in items]
        models.append(
            ModelEntry(
                name=name if high == 1 else _one(name, profiles),
                low=low,
                high=high,
                profile=profiles[key] if key else only,
                base=bases.get(key) if key else only_base,
                wargear=tuple(wargear),
            )
        )
    return tuple(models)


def _one(name: str, profiles: dict[str, Profile]) -> str:
    """The name of one model of "9 Wardens": that of its stat line where there is one."""
    return next((known for known in profiles if same(known, name)), name)


def read_base(text: str) -> Base | None:
    """A base as printed; None for a hull, an unknown one, or nothing.

    >>> read_base("32mm"), read_base("60 x 35mm Oval Base"), read_base("Hull")
    (Base(shape='round', mm=32.0), Base(shape='oval', mm=(60.0, 35.0)), None)
    """
    found = _SIZE.search(text)
    if not found:
        return None
    sizes = sorted((float(one) for one in found.groups() if one), reverse=True)
    if not all(0 < one <= 1000 for one in sizes):
        return None
    return Base("round", sizes[0]) if len(sizes) == 1 or sizes[0] == sizes[1] else Base("oval", (sizes[0], sizes[1]))


def read_options(lines: Iterable[str]) -> tuple[tuple[WargearOption, ...], tuple[str, ...]]:
    """Option sentences with their choices on the lines below, and the sentences that were not understood.

    >>> options, unread = read_options(["This model can be equipped with one of the following:", "■ 1 axe", "Nonsense."])
    >>> options[0].choices[0].items, unread
    ((('axe', 1),), ('Nonsense.',))
    >>> options, unread = read_options(["This model can be equipped with one of the following: ◦ 1 axe ◦ 2 rods"])
    >>> [choice.items for choice in options[0].choices], unread
    ([(('axe', 1),), (('rod', 2),)], ())
    """
    made, unread = [], []
    groups: list[tuple[str, list[str]]] = []
    for line in (part for whole in lines for part in _INLINE.split(whole)):
        clean = _BULLET.sub("", line.strip())
        if not clean or fold(clean) == "none":
            continue
        if groups and is_choice(clean):
            groups[-1][1].append(clean)
        else:
            groups.append((clean, []))
    for sentence, choices in groups:
        option = read_option(sentence, choices)
        if option is None:
            unread += [sentence, *choices]
        else:
            made.append(option)
    return tuple(made), tuple(unread)


def read_price(description: str, cost: str) -> PointsTier | None:
    """A price by its description ("5 models", "Warden and dog") and cost; None when the cost is no number.

    >>> read_price("10 models", "180").models, read_price("War horn", "+15").extra, read_price("Warden", "?")
    (10, 'War horn', None)
    """
    digits = re.fullmatch(r"\s*(\+?)(\d{1,4})\s*(?:pts|points)?\s*", cost)
    if not digits:
        return None
    models = _MODELS.search(description)
    extra = description.strip() if digits[1] else ""
    return PointsTier(int(models[1]) if models and not extra else 1, int(digits[2]), extra=extra)
