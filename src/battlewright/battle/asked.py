"""Which effects that last a battle asks about. What nobody asks for would change nothing: it is left to the players.

What a procedure may ask the rules is typed by what stands here: a new question belongs here first, and is told as played.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from battlewright import effects as fx
from battlewright.effects import Effect

#: rolls whose modifiers the procedures ask for
Modified: TypeAlias = Literal["advance", "charge", "battle_shock", "leadership", "desperate_escape"]
MODIFIED: tuple[str, ...] = get_args(Modified)
#: acts a rule may forbid, and rolls it settles, of which the procedures ask
Forbidden: TypeAlias = Literal["battle-shock test", "charge bonus", "normal", "advance", "fall_back", "shoot", "charge"]
Settled: TypeAlias = Literal["desperate_escape", "deadly_demise"]
Permitted: TypeAlias = Literal["shoot", "charge", "stratagem", "fights_first"]
#: rolls of attacks
OF_ATTACKS = ("hit", "wound", "save", "armour_save")
#: rolls that may be re-rolled besides
REROLLED = (*MODIFIED, *OF_ATTACKS, "invulnerable_save", "damage", "attacks", "hazard", "any")
SETTLED = {
    ("hit", "success"), ("hit", "failure"), ("wound", "failure"), ("save", "no_roll"), ("invulnerable_save", "no_roll"),
    ("advance", "no_roll"), ("desperate_escape", "success"), ("deadly_demise", "success"), ("deadly_demise", "failure"),
}  # fmt: skip
FORBIDDEN: tuple[str, ...] = get_args(Forbidden)
DESPITE: dict[Permitted, set[str]] = {
    "shoot": {"advance", "fall_back"},
    "charge": {"advance", "fall_back", "that move"},
    "stratagem": {"battle_shocked"},
    "fights_first": set[str](),
}
#: core abilities of units a battle asks for by name
CORE = (
    "deep strike", "scouts", "infiltrators", "lone operative", "stealth", "feel no pain", "deadly demise", "fights first",
    "firing deck", "super-heavy walker", "hover",
)  # fmt: skip
STATS = ("M", "T", "Sv", "InSv", "W", "Ld", "OC", "detection")


def is_asked(effect: Effect) -> bool:
    """Does a battle ask for what this effect changes?"""
    match effect:
        case fx.RollMod(roll=roll, amount=amount):
            return roll in OF_ATTACKS or (roll in MODIFIED and is_plain(amount) and amount.n.constant is not None)
        case fx.Reroll(roll=roll):
            return roll in REROLLED
        case fx.RollSet(roll=roll, to=to):
            return (roll, to) in SETTLED
        case fx.Permit(act=act, despite=despite, limits=limits):
            return limits is None and act in DESPITE and set(despite) <= DESPITE[act]
        case fx.Forbid(act=act, towards=towards, unless=unless):
            return act in FORBIDDEN and towards is None and unless is None
        case fx.Targeting(how="only_within", act="shoot", who=None, by=fx.Select()):
            return True
        case fx.Targeting(how=how, act=act, by=by):
            if how == "must":
                return act in ("attack", "shoot") and by is not None
            return act == "shoot" and by is None and how in ("cannot", "only_within")
        case fx.StatMod(stats=stats, amount=amount, on="model"):
            return set(stats) <= set(STATS) and is_plain(amount)
        case fx.Pick(who=who):
            one = who.count.kind in ("one", "each") or who.count.n is None
            return one or (who.count.n is not None and is_plain(who.count.n) and who.count.n.n.constant is not None)
        case fx.Remove(what=what, name=name):
            return what in ("cover", "weapon_ability", "keyword") or name.lower() in CORE
        case fx.Grant(what=what):
            return what != "ability"
        case _:
            return True


def is_plain(amount: fx.Amount | None) -> bool:
    """A number or dice that hangs on nothing else."""
    return amount is None or (amount.per is None and amount.ref is None)
