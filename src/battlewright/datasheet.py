"""Datasheets as values: what a page prints, in our own form. Nothing here changes during a battle.

Rules: 11e 02; 10e T-2.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from battlewright.dice import Dice
from battlewright.effects import EditionId, Rule, Status


class Sheet(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What every value of this module is: frozen, compared by value, small in JSON."""


class Base(Sheet, frozen=True):
    """What a model stands on. ``mm``: the diameter (round), length and width (oval), or the corners of a hull."""

    shape: Literal["round", "oval", "hull"]
    mm: float | tuple[float | tuple[float, float], ...]

    def __post_init__(self) -> None:
        size = (self.mm,) if isinstance(self.mm, int | float) else self.mm
        flat = all(isinstance(part, int | float) and 0 < part <= 1000 for part in size)
        fits = {
            "round": flat and not isinstance(self.mm, tuple),
            "oval": flat and len(size) == 2,
            "hull": len(size) >= 3 and all(isinstance(part, tuple) for part in size),
        }
        if not fits[self.shape]:
            raise ValueError(f"base: {self.mm!r} is no {self.shape} base in mm")


class Profile(Sheet, frozen=True):
    """A stat line as printed. None: the page or source does not say (never a guess).

    ``M`` inches; ``Sv``, ``InSv``, ``Ld`` the number in front of "+"; ``OC`` 0 for "-" and for 0.
    ``InSv_against`` narrows the invulnerable save ("ranged", "melee").
    """

    M: int | None = None
    T: int | None = None
    Sv: int | None = None
    W: int | None = None
    Ld: int | None = None
    OC: int | None = None
    InSv: int | None = None
    InSv_against: Literal["ranged", "melee"] | None = None
    M_dice: Dice | None = None

    @property
    def missing(self) -> tuple[str, ...]:
        """The characteristics that are not known. An invulnerable save is optional, so never missing.

        >>> Profile(M=6, T=4).missing
        ('Sv', 'W', 'Ld', 'OC')
        """
        return tuple(name for name in ("M", "T", "Sv", "W", "Ld", "OC") if getattr(self, name) is None)


class WeaponAbility(Sheet, frozen=True):
    """An ability in square brackets: ``name`` lower case ("rapid fire"), its number or dice, its keyword (anti-X).

    >>> str(WeaponAbility("anti", Dice.parse(4), "VEHICLE")), str(WeaponAbility("rapid fire", Dice.parse("D6+3")))
    ('anti-vehicle 4+', 'rapid fire D6+3')
    """

    name: str
    amount: Dice | None = None
    keyword: str | None = None

    def __str__(self) -> str:
        if self.keyword is not None:
            return f"{self.name}-{self.keyword.lower()} {self.amount}+"
        return self.name if self.amount is None else f"{self.name} {self.amount}"


class Weapon(Sheet, frozen=True):
    """A weapon profile as printed. ``range`` in inches, 0 for melee; ``skill`` BS or WS, None for "N/A"; ``ap`` ≤ 0.

    ``name`` is without the profile ("Plasma gun" of "Plasma gun – supercharge"), ``profile`` the rest.
    """

    name: str
    range: int
    attacks: Dice
    skill: int | None
    strength: int | None
    ap: int
    damage: Dice
    abilities: tuple[WeaponAbility, ...] = ()
    profile: str = ""

    @property
    def melee(self) -> bool:
        """A melee weapon: its printed range is 0."""
        return self.range == 0

    @property
    def title(self) -> str:
        """Weapon and profile, as a page prints them."""
        return f"{self.name} – {self.profile}" if self.profile else self.name


class Ability(Sheet, frozen=True):
    """A named ability. ``text`` is what the user brought (empty in what we ship); ``rule`` what it compiles to.

    ``told`` names the characteristics that stand changed in stat lines or weapons already: the rule leaves them be.
    """

    name: str
    text: str = ""
    kind: Literal["core", "faction", "datasheet", "wargear", "special"] = "datasheet"
    amount: Dice | None = None
    rule: Rule | None = None
    status: Status = "none"
    told: tuple[str, ...] = ()


class ModelEntry(Sheet, frozen=True):
    """One kind of model in a unit: how many, its stat line and base, what it carries by default.

    ``variants`` are the names a community catalogue gives it with other wargear ("Warden w/ ash thrower").
    """

    name: str
    low: int = 1
    high: int | None = None
    profile: Profile = Profile()
    base: Base | None = None
    wargear: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    height: float | None = None
    variants: tuple[str, ...] = ()


class Choice(Sheet, frozen=True):
    """One thing an option can give: items with their number."""

    items: tuple[tuple[str, int], ...]


class WargearOption(Sheet, frozen=True):
    """``models`` of the unit (all kinds, or of a name) may replace ``replaces`` by, or add, one of ``choices``.

    ``limit`` is how many may; ``per`` for every so many models; ``each_limit`` how many of each choice in the unit.
    ``words`` are our own short words for what the structure does not say.
    """

    choices: tuple[Choice, ...]
    model: str = ""
    replaces: tuple[str, ...] = ()
    limit: int | None = None
    per: int | None = None
    each_limit: int | None = None
    needs: tuple[str, ...] = ()
    words: str = ""


class WargearChange(Sheet, frozen=True):
    """What an item changes of what is printed: of a model's stat line (``profile``: only what changes), of a weapon, of
    an ability.

    ``of`` is the model, the weapon's title or the ability; ``weapon`` and ``ability`` are these as they then read, with
    the units that a Leader then ``leads``. It holds for models that carry ``least`` of the item each; with ``unit`` for
    all, once the unit has that many. An enhancement is an item too.
    """

    item: str
    of: str
    profile: Profile | None = None
    weapon: Weapon | None = None
    least: int = 1
    unit: bool = False
    ability: Ability | None = None
    leads: tuple[str, ...] = ()


class PointsTier(Sheet, frozen=True):
    """A price: for this many models, for the ``first``-th to ``last``-th such unit in the army (11e).

    With ``extra`` it is no price of the unit but what the named model or item costs more, each time it is taken.
    """

    models: int
    points: int
    first: int = 1
    last: int | None = None
    extra: str = ""


class StratagemListing(Sheet, frozen=True):
    """A stratagem a page lists for this unit: its name, cost, source and category as printed."""

    name: str
    cost: int | None = None
    source: str = ""
    category: str = ""
    code: str = ""


class EnhancementListing(Sheet, frozen=True):
    """An enhancement as a page lists it: its points and the detachment it is of."""

    name: str
    points: int | None = None
    detachment: str = ""


class RuleBox(Sheet, frozen=True):
    """A box of a page: its title, the game's number (11e), cost and source of a stratagem, and its named parts."""

    title: str
    kind: Literal["stratagem", "ability", "move", "shooting", "detachment-rule", "enhancement", "rule", "faq", "errata"]
    number: str = ""
    cost: int | None = None
    source: str = ""
    parts: tuple[tuple[str, str], ...] = ()
    text: str = ""


class UnreadLine(Sheet, frozen=True):
    """A line of the input that was not understood: its number (from 1) and its words."""

    line: int
    text: str


class Datasheet(Sheet, frozen=True):
    """One datasheet as printed, from our catalogue, a page, or a community catalogue.

    ``sources`` names where each part came from ("profile": "catalogue 11e/kasrkin"); ``missing`` lists what the source
    lost ("stat line", "faction keyword" …): never filled by a guess.
    """

    name: str
    edition: EditionId
    faction: str = ""
    models: tuple[ModelEntry, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    options: tuple[WargearOption, ...] = ()
    changes: tuple[WargearChange, ...] = ()
    abilities: tuple[Ability, ...] = ()
    keywords: tuple[str, ...] = ()
    faction_keywords: tuple[str, ...] = ()
    points: tuple[PointsTier, ...] = ()
    leads: tuple[str, ...] = ()
    transport: Rule | None = None
    transport_text: str = ""
    damaged: tuple[int, int] | None = None
    stratagems: tuple[StratagemListing, ...] = ()
    detachment_abilities: tuple[str, ...] = ()
    enhancements: tuple[EnhancementListing, ...] = ()
    boxes: tuple[RuleBox, ...] = ()
    role: str = ""
    legends: bool = False
    unique: bool = False
    missing: tuple[str, ...] = ()
    sources: tuple[tuple[str, str], ...] = ()


class Enhancement(Sheet, frozen=True):
    """An enhancement as a catalogue gives it. ``only`` names what may carry it, as its text begins ("X model only")."""

    name: str
    points: int | None = None
    detachments: tuple[str, ...] = ()
    faction: str = ""
    text: str = ""
    only: str = ""
    limit: int = 1


class Detachment(Sheet, frozen=True):
    """A detachment: what it costs in detachment points (11e), its force disposition (11e), and its rules."""

    name: str
    faction: str = ""
    points: int | None = None
    dispositions: tuple[str, ...] = ()
    abilities: tuple[Ability, ...] = ()
    legends: bool = False


class CatalogueExtras(Sheet, frozen=True):
    """What a catalogue holds besides datasheets, for an army. Stratagems are in few of them."""

    detachments: tuple[Detachment, ...] = ()
    enhancements: tuple[Enhancement, ...] = ()
    army_rules: tuple[tuple[str, Ability], ...] = ()
    stratagems: tuple[RuleBox, ...] = ()


Kind: TypeAlias = Literal["datasheet", "catalogue", "roster"]
