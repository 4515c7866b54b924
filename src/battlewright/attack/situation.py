"""What is true at the moment of an attack, as far as the question says: the ``situation`` part of an odds request.

Everything is optional. What is not said is *unknown*, never false, with two exceptions that the form itself makes:
``keywords`` and ``within`` are complete when given, and a state that is not listed does not hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import msgspec

from battlewright.attack.request import Request, Side, Situation
from battlewright.codec import to_json
from battlewright.effects import Phase

#: The two units a question is about.
Party: TypeAlias = Literal["attacker", "target"]
#: Three-valued truth: None is "the question does not say".
Tri: TypeAlias = bool | None

PARTIES: tuple[Party, Party] = ("attacker", "target")
PHASES: tuple[Phase, ...] = ("command", "movement", "shooting", "charge", "fight")


@dataclass(frozen=True)
class Scene:
    """A request (plain dicts in the form of odds requests) as something conditions can be asked of.

    ``strength`` and ``toughness`` are the values after changes, once known (by weapon number); ``covered``: the weapons
    against which the target has cover; ``one_die``: one attack in all, with one hit roll and one wound roll at most.
    """

    edition: str
    attack: Mapping[str, Any]
    target: Mapping[str, Any]
    situation: Situation
    strength: Mapping[int, int] = field(default_factory=dict)
    toughness: Mapping[int, int] = field(default_factory=dict)
    covered: frozenset[int] = frozenset()
    one_die: bool = False

    @classmethod
    def of(cls, request: Request) -> Scene:
        """The scene of a request."""
        plain = as_plain(request)
        return cls(request.edition, plain["attack"], plain["target"], request.situation)

    def facts(self, party: Party) -> Side:
        return self.situation.attacker if party == "attacker" else self.situation.target

    def melee(self, weapon: int) -> bool:
        printed = self.attack["weapons"][weapon].get("melee")
        return self.situation.attack_type == "melee" if printed is None else bool(printed)

    @property
    def snap(self) -> bool:
        return bool(self.attack.get("snap"))

    def phase(self, weapon: int) -> Phase | None:
        """The phase: as said; else the one in which such an attack is made."""
        said = self.situation.phase
        if said:
            return next((phase for phase in PHASES if phase == said.lower()), None)
        if self.snap:
            return None
        return "fight" if self.melee(weapon) else "shooting"

    def turn_of(self, weapon: int) -> Party | None:
        """Whose turn it is: as said; else, in the Shooting phase, the one who shoots."""
        if self.situation.turn:
            return "attacker" if self.situation.turn == "attacker" else "target"
        return "attacker" if not self.melee(weapon) and not self.snap else None

    def keywords(self, party: Party) -> tuple[str, ...] | None:
        """All keywords known of the unit, upper case, and its states; None when no keyword is said."""
        facts = self.facts(party)
        listed = facts.keywords
        if party == "target":
            listed = (*listed, *self.target.get("keywords", ()))
            listed = (*listed, *self.kinds) if listed else listed
        return tuple(map(plain, (*listed, *facts.states, facts.faction or ""))) if listed else None

    @property
    def kinds(self) -> tuple[str, ...]:
        """What the models of the target are, where a character is among them: an attached unit has all its keywords."""
        found = {bool(group.get("character")) for group in self.target["groups"]}
        return () if True not in found else ("CHARACTER",) if found == {True} else ("CHARACTER", "BODYGUARD")

    def models(self, party: Party) -> int | None:
        if self.facts(party).models is not None:
            return self.facts(party).models
        if party == "target":
            return sum(int(group.get("models", 1)) for group in self.target["groups"])
        said = (self.attack.get("attacker") or {}).get("models")
        return None if said is None else int(said)

    def full_wounds(self, party: Party) -> int | None:
        """The W of the unit's models, where it is one number."""
        if party == "target":
            values = {group["W"] for group in self.target["groups"]}
            return int(values.pop()) if len(values) == 1 else None
        said = (self.attack.get("attacker") or {}).get("W")
        return None if said is None else int(said)

    def wounds_lost(self, party: Party) -> int | None:
        said = self.facts(party).wounds_lost
        if said is not None:
            return said
        if party == "target":
            marks = [group.get("wounded") for group in self.target["groups"] if group.get("wounded") is not None]
            return int(sum(marks)) if marks else None
        mark = (self.attack.get("attacker") or {}).get("wounded")
        return None if mark is None else int(mark)

    def distance(self, weapon: int) -> float | None:
        """Inches between the two units: as said; in a fight, no more than the engagement range."""
        if self.situation.range_in is not None:
            return self.situation.range_in
        if self.melee(weapon) or self.facts("attacker").engaged is True:
            return 1.0 if self.edition == "10e" else 2.0
        return None


def as_plain(request: Request) -> dict[str, Any]:
    """The request as a JSON text of it would give it: dicts and lists, defaults left out."""
    plain: dict[str, Any] = msgspec.json.decode(to_json(request))
    return plain


def other(party: Party) -> Party:
    return "target" if party == "attacker" else "attacker"


def plain(words: str) -> str:
    """Upper case, straight apostrophes, single spaces: how names and keywords are compared.

    >>> plain("T’au  Empire")
    "T'AU EMPIRE"
    """
    return " ".join(words.replace("’", "'").replace("‘", "'").upper().split())


def both(*values: Tri) -> Tri:
    """Three-valued *and*.

    >>> both(True, None), both(None, False), both()
    (None, False, True)
    """
    if any(value is False for value in values):
        return False
    return None if any(value is None for value in values) else True


def either(*values: Tri) -> Tri:
    """Three-valued *or*.

    >>> either(None, True), either(False, None), either()
    (True, None, False)
    """
    if any(value is True for value in values):
        return True
    return None if any(value is None for value in values) else False


def negate(value: Tri) -> Tri:
    return None if value is None else not value
