"""Names as people type them: case, accents, apostrophes, dashes and plurals do not matter; near misses are suggested."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache


@lru_cache(maxsize=16384)
def fold(name: str) -> str:
    """The form in which names are compared.

    >>> fold("T’au  Éclaireurs – Élite"), fold("Hot-Shot Lasgun")
    ('tau eclaireurs elite', 'hot shot lasgun')
    """
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))
    kept = "".join(letter if letter.isalnum() else "" if letter in "'’‘`´ʼ" else " " for letter in plain.casefold())
    return " ".join(kept.split())


def slug(name: str) -> str:
    """The folded name as a file name.

    >>> slug("Sir Hekhtur")
    'sir-hekhtur'
    """
    return fold(name).replace(" ", "-")


def singular(folded: str) -> str:
    """A folded name without the plural of its last word: ``kasrkin troopers`` as ``kasrkin trooper``."""
    if folded.endswith("ies"):
        return folded[:-3] + "y"
    if folded.endswith("men"):
        return folded[:-3] + "man"
    return folded[:-1] if folded.endswith("s") and not folded.endswith("ss") else folded


def same(one: str, other: str) -> bool:
    """Two spellings of one name.

    >>> same("Hot-shot lasguns", "hot shot Lasgun"), same("Lasgun", "Laspistol")
    (True, False)
    """
    one, other = fold(one), fold(other)
    return one == other or singular(one) == singular(other)


def near(name: str, names: Iterable[str], count: int = 3) -> list[str]:
    """The names most like this one, best first: those that hold all its words, then those spelt alike.

    >>> near("lasgn", ["Hot-shot lasgun", "Lasgun", "Power fist"])
    ['Lasgun', 'Hot-shot lasgun']
    """
    import difflib

    wanted = fold(name)
    folded = {fold(known): known for known in names}
    words = set(wanted.split())
    holding = sorted((known for known in folded if words and words <= set(known.split())), key=len)
    alike = difflib.get_close_matches(wanted, folded, n=count, cutoff=0.6)
    every = {part for known in folded for part in known.split()}
    close = {
        part for part in every if _may_be(wanted, part) and difflib.SequenceMatcher(None, wanted, part).ratio() > 0.8
    }
    parts = [known for known in folded if not close.isdisjoint(known.split())]
    return [folded[known] for known in dict.fromkeys([*holding, *alike, *parts])][:count]


def _may_be(one: str, other: str) -> bool:
    """Whether two words are near enough in length to be four fifths alike."""
    return 10 * min(len(one), len(other)) > 4 * (len(one) + len(other))


def meant(name: str, names: Iterable[str]) -> str:
    """The names most like this one as the tail of a fault; empty when none is.

    >>> meant("lasgn", ["Lasgun", "Power fist"]), meant("lasgn", ["Power fist"])
    ('; did you mean Lasgun?', '')
    """
    return suggested(near(name, names))


def suggested(close: Sequence[str]) -> str:
    """Names near the one asked for, best first, as the tail of a fault; empty when there are none."""
    return f"; did you mean {' or '.join(close)}?" if close else ""
