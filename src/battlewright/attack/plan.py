"""The plan of one activation: everything rules and situation do, folded into plain numbers for each die face.

``exact`` and ``rolled`` read the same plan, and nothing else. Rules: 10e T-1.5, T-6, W-*; 11e 02.02.01, 04-06, 10, 24.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import msgspec

from battlewright.attack.request import NONE, Attack, Attacker, Group, Line, Request, Target
from battlewright.dice import Dice
from battlewright.distribution import of_dice
from battlewright.editions import edition as edition_of
from battlewright.editions.base import FACES, Damage, Edition, Save, capped, wound_target

State = tuple[int, ...]
"""The wounds left in each group of the target. A group has at most one wounded model."""

NOTHING: frozenset[int] = frozenset()

Once: TypeAlias = frozenset[str]
"""What may be used once in an activation: the attacker's re-roll of one "hit", "wound" or "damage" roll, the target's
re-roll of one "save", and "spare" (the damage of one attack becomes 0)."""
NEVER: Once = frozenset()


class Hit(NamedTuple):
    """What an unmodified hit roll of one face gives: hits that roll to wound, wounds without a roll, extra hits."""

    hits: int = 0
    wounds: int = 0
    extra: Dice = NONE


HIT, MISS = Hit(hits=1), Hit()


class Wounding(NamedTuple):
    """The wound roll against one Toughness: the strike each face leads to (None: no wound), and the faces re-rolled.

    ``criticals``: the faces that inflict the mortal wounds of the batch's ``extra``, where it has one.
    """

    strikes: tuple[int | None, ...]
    reroll: frozenset[int]
    criticals: frozenset[int] = NOTHING


class Strike(NamedTuple):
    """What a wound does: the dice of its damage, what each result costs a model of each group, and the saves.

    ``damage[group][rolled - dice.low]`` wounds; ``fails[group]`` the unmodified save faces that fail; ``mortal``: no
    save, at most one model. ``ignores[group]``: the Feel No Pain roll that ignores a wound of it, None where none does.
    ``again[group][room]``: the results of the dice re-rolled against a model with so many wounds left; empty where no
    result ever is. ``once[group][room]``: likewise those on which a re-roll of one Damage roll is used.
    ``spared[group]``: when "spare" is used on it, if ever: as soon as it is "allocated", or when it is "unsaved".
    """

    dice: Dice
    damage: tuple[tuple[int, ...], ...]
    fails: tuple[frozenset[int], ...]
    reroll: tuple[frozenset[int], ...]
    ignores: tuple[int | None, ...]
    mortal: bool = False
    again: tuple[tuple[frozenset[int], ...], ...] = ()
    once: tuple[tuple[frozenset[int], ...], ...] = ()
    spared: tuple[str, ...] = ()


class Extra(NamedTuple):
    """Mortal wounds in addition: so many for each critical wound, no more than ``most`` in the activation."""

    number: Dice
    most: int | None
    strike: Strike


@dataclass(frozen=True)
class Batch:
    """Identical attacks: ``count`` weapons, each making the attacks of ``attacks`` together.

    ``hit[face - 1]`` is what an unmodified hit roll gives, ``reroll`` the faces re-rolled; ``automatic`` is what an
    attack gives that makes no hit roll, else None. ``woundings`` by Toughness. ``strikes`` in the order in which 11e
    resolves them: normal damage first, mortal wounds last. ``more``: attack dice below their mean are re-rolled.
    ``once``: what may be used on its dice of what can be used once. ``extra``: what its critical wounds do besides.
    """

    name: str
    count: int
    attacks: tuple[Dice, ...]
    automatic: Hit | None
    hit: tuple[Hit, ...]
    reroll: frozenset[int]
    woundings: dict[int, Wounding]
    strikes: tuple[Strike, ...]
    precision: bool
    hazardous: int
    more: bool = False
    once: Once = NEVER
    extra: Extra | None = None

    def __hash__(self) -> int:
        return hash((self.name, self.count, self.attacks, self.hit, self.strikes))


class Models(NamedTuple):
    """One group of the target in plain numbers; ``wounds`` is the W of each model."""

    name: str
    models: int
    wounds: int
    toughness: int
    character: bool

    @property
    def full(self) -> int:
        """The wounds of the whole group."""
        return self.models * self.wounds


@dataclass(frozen=True)
class Bearers:
    """The attacking unit, as far as it can harm itself."""

    models: int
    wounds: int
    wounded: int
    fnp: int | None
    mortal: int


@dataclass(frozen=True)
class Plan:
    """One activation against one unit. ``start``: the wounds left in each group before it.

    ``aim``: the group [PRECISION] is used on while it lives; None: whichever character group comes first.
    """

    edition: Edition
    batches: tuple[Batch, ...]
    groups: tuple[Models, ...]
    start: State
    bearers: Bearers | None = None
    aim: int | None = None

    @property
    def tests(self) -> int:
        """How many hazardous tests follow."""
        return sum(batch.hazardous for batch in self.batches)

    @property
    def once(self) -> Once:
        """All that can be used once, none of it used."""
        return NEVER.union(*(batch.once for batch in self.batches))

    @property
    def plain(self) -> bool:
        """Is nothing used only once, and are there no mortal wounds in addition?"""
        return not any(batch.once or batch.extra for batch in self.batches)

    @property
    def without_once(self) -> Plan:
        """The plan without these: where one use is shared by several activations, a plan does not know what is left."""
        if self.plain:
            return self
        batches = tuple(replace(batch, once=NEVER, extra=None) for batch in self.batches)
        return replace(self, batches=batches)


def order(groups: tuple[Models, ...], state: State) -> list[int]:
    """The living groups in the order in which they take wounds.

    Characters last; within each kind a group with a wounded model first; else as the defender wants.
    Rules: 10e T-6.3, T-10.2; 11e 05.03, 06.02.

    >>> squad, hero = Models("squad", 2, 2, 4, False), Models("hero", 1, 4, 4, True)
    >>> order((hero, squad), (4, 3)), order((hero, squad), (4, 0))
    ([1, 0], [0])
    """
    living = [place for place, left in enumerate(state) if left]
    return sorted(living, key=lambda place: (groups[place].character, state[place] % groups[place].wounds == 0, place))


def first_character(groups: tuple[Models, ...], state: State, aim: int | None = None) -> int | None:
    """The character group that [PRECISION] picks, if one lives: the one aimed at where one is."""
    if aim is not None:
        return aim if state[aim] else None
    return next((place for place in order(groups, state) if groups[place].character), None)


def toughness(groups: tuple[Models, ...], state: State) -> int:
    """The highest Toughness of the living bodyguard models, else of the living models (10e T-6.4; 11e 05.02.01).

    >>> squad, hero = Models("squad", 2, 2, 4, False), Models("hero", 1, 4, 5, True)
    >>> toughness((squad, hero), (4, 4)), toughness((squad, hero), (0, 4))
    (4, 5)
    """
    living = [group for group, left in zip(groups, state, strict=True) if left]
    bodyguards = [group for group in living if not group.character]
    return max(group.toughness for group in bodyguards or living or groups)


def build(request: Request) -> Plan:
    """The plan of the request's first activation."""
    return build_attack(edition_of(request.edition, request.readings), request.attack, request.target)


def build_attack(edition: Edition, attack: Attack, target: Target, start: State | None = None) -> Plan:
    """The plan of an activation against what is left of the target (``start``, else all of it)."""
    groups = tuple(map(models_of, target.groups))
    whole = tuple(group.models * group.W - group.wounded for group in target.groups)
    state = whole if start is None else start
    size = sum(-(-left // group.wounds) for group, left in zip(groups, state, strict=True))
    folder = _Folder(edition, attack, target, groups, size)
    batches = tuple(folder.batch(line, place) for place, line in enumerate(attack.weapons))
    return Plan(edition, batches, groups, state, _bearers(edition, attack.attacker))


def models_of(group: Group) -> Models:
    """A group of the request as a plan keeps it."""

    return Models(group.name, group.models, group.W, group.T, group.character)


def _ignores(group: Group, mortal: bool) -> int | None:
    """The one Feel No Pain used (10e T-6.7; 11e 24.12)."""
    roll = group.FNP_mortal if mortal and group.FNP_mortal is not None else group.FNP
    return roll if roll is not None and roll <= 6 else None


def _bearers(edition: Edition, attacker: Attacker | None) -> Bearers | None:
    if attacker is None:
        return None
    mortal = edition.hazard.mortal_monster if attacker.monster_vehicle else edition.hazard.mortal
    return Bearers(attacker.models, attacker.W, attacker.wounded, attacker.FNP, mortal)


@dataclass(frozen=True)
class _Folder:
    """Folds one weapon after another of the same activation."""

    edition: Edition
    attack: Attack
    target: Target
    groups: tuple[Models, ...]
    size: int

    def batch(self, line: Line, place: int) -> Batch:
        if line.meets is not None:
            met = msgspec.structs.replace(line.meets, spare_from=self.target.spare_from)
            return replace(self, target=met).batch(msgspec.structs.replace(line, meets=None), place)
        faces = self.hits(line)
        return Batch(
            name=line.name,
            count=line.count,
            attacks=self.attacks(line),
            automatic=HIT if line.torrent and self.torrent_hits else None,
            hit=faces,
            reroll=self.hit_rerolls(line, faces),
            woundings={
                group.toughness: self.wounding(line, met.T)
                for group, met in zip(self.groups, self.target.groups, strict=True)
            },
            strikes=self.strikes(line),
            precision=line.precision,
            hazardous=line.count if line.hazardous else 0,
            more=line.reroll_attacks,
            once=self.once(line, place),
            extra=self.extra(line),
        )

    def once(self, line: Line, place: int) -> Once:
        """What can be used on this weapon, the ``place``-th of the list."""
        mine = set(line.reroll_one) if place >= _place(self.attack.reroll_one_from) else set()
        if self.hits_stand(line):
            mine.discard("hit")
        if place >= _place(self.target.spare_from):
            mine |= {"save"} if self.target.reroll_one_save else set()
            mine |= {"spare"} if any(group.no_damage for group in self.target.groups) else set()
        return frozenset(mine)

    def extra(self, line: Line) -> Extra | None:
        """Not where critical wounds have another profile: those are resolved among the others, in their order."""
        if line.crit_mortal == NONE or (_on_critical(line) != line and not line.devastating):
            return None
        nobody = tuple(NOTHING for _ in self.groups)
        ignores = tuple(_ignores(group, True) for group in self.target.groups)
        one = Strike(Dice(0, 6, 1), tuple((1,) for _ in self.groups), nobody, nobody, ignores, mortal=True)
        return Extra(line.crit_mortal, line.crit_mortal_most, one)

    @property
    def torrent_hits(self) -> bool:
        return self.edition.torrent_hits_in_snap or not self.attack.snap

    def attacks(self, line: Line) -> tuple[Dice, ...]:
        """The dice of one weapon: A, rapid fire at half range, blast and cleave for every five models."""
        fives = self.size // 5
        more = line.blast * fives + (line.cleave * fives if self.edition.cleave and line.melee else 0)
        parts = (line.A, line.rapid_fire if self.attack.half_range else NONE, Dice(0, 6, more))
        return tuple(part for part in parts if part != NONE)

    def has_cover(self, line: Line) -> bool:
        if line.melee or line.ignores_cover:
            return False
        return self.target.cover or line.indirect or (self.edition.stealth_is_cover and self.target.stealth)

    def hits(self, line: Line) -> tuple[Hit, ...]:
        floor, skill, modifier = self.hit_floor(line), self.skill(line), self.hit_modifier(line)
        critical = max(line.crit_hit, floor)
        needed = floor if self.attack.snap else max(floor, min(critical, skill - modifier))
        best = self.critical(line)
        return tuple(best if face >= critical else HIT if face >= needed else MISS for face in FACES)

    def critical(self, line: Line) -> Hit:
        """What a critical hit gives: [LETHAL HITS] is an option in 11e and a must in 10e; [SUSTAINED HITS] adds hits."""
        lethal = line.lethal and (bool(line.lethal_auto) or not self.edition.lethal_is_choice)
        return Hit(hits=0 if lethal else 1, wounds=1 if lethal else 0, extra=line.sustained)

    def hit_floor(self, line: Line) -> int:
        """Unmodified rolls below this miss: 1 always, in snap shooting and indirect fire more."""
        spotted = self.attack.spotter and self.attack.stationary
        indirect = self.edition.indirect_spotted_floor if spotted else self.edition.indirect_blind_floor
        return max(2, line.hit_fails + 1, line.snap_on if self.attack.snap else 0, indirect if line.indirect else 0)

    def skill(self, line: Line) -> int:
        cover = self.edition.cover_worsens_skill if self.has_cover(line) else 0
        return self.edition.skill(line.skill or 6, line.skill_mod + cover)

    def hit_modifier(self, line: Line) -> int:
        stealth = self.target.stealth and not self.edition.stealth_is_cover and not line.melee
        return capped(
            line.hit_mod
            + self.attack.hit_mod
            + self.target.hit_mod
            + (line.heavy and self.attack.stationary)
            - stealth
            + (self.edition.indirect_hit_mod if line.indirect else 0)
        )

    def hits_stand(self, line: Line) -> bool:
        """Are there no re-rolls of hit rolls (11e: snap shooting, indirect fire)?"""
        snap = self.attack.snap and self.edition.snap_forbids_rerolls
        return snap or (line.indirect and self.edition.indirect_forbids_rerolls)

    def hit_rerolls(self, line: Line, faces: tuple[Hit, ...]) -> frozenset[int]:
        if self.hits_stand(line):
            return NOTHING
        fails = {face for face in FACES if faces[face - 1] == MISS}
        return _rerolled(line.reroll_hits, fails, fails | set(range(1, line.crit_hit)))

    def wounding(self, line: Line, target: int) -> Wounding:
        keywords = {keyword.upper() for keyword in self.target.keywords}
        critical = min([line.crit_wound, *(roll for keyword, roll in line.anti.items() if keyword.upper() in keywords)])
        lance = line.lance and self.attack.charged
        modifier = capped(line.wound_mod + self.attack.wound_mod + self.target.wound_mod + lance)
        needed = wound_target(line.S, target)
        wounds = {
            face
            for face in FACES
            if face > max(1, line.wound_fails) and (face >= critical or face + modifier >= needed)
        }
        strikes = tuple(self.strike_of(line, face >= critical) if face in wounds else None for face in FACES)
        policy = line.reroll_wounds
        if line.twin_linked and policy in ("none", "ones"):
            policy = "fails"
        fails = set(FACES) - wounds
        criticals = frozenset(face for face in wounds if face >= critical) if line.crit_mortal != NONE else NOTHING
        return Wounding(strikes, _rerolled(policy, fails, fails | set(range(1, critical))), criticals)

    def strike_of(self, line: Line, critical: bool) -> int:
        return 1 if critical and (line.devastating or _on_critical(line) != line) else 0

    def strikes(self, line: Line) -> tuple[Strike, ...]:
        normal, harder = self.strike(line), _on_critical(line)
        if line.devastating:
            return normal, self.strike(harder, mortal=True)
        return (normal,) if harder == line else (normal, self.strike(harder))

    def strike(self, line: Line, *, mortal: bool = False) -> Strike:
        fails = tuple(NOTHING if mortal else self.fails(line, group) for group in self.target.groups)
        reduced = not mortal or self.edition.devastating_reduced
        damage = tuple(self.damage(line, group, reduced) for group in self.target.groups)
        rerolls = tuple(NOTHING if mortal else _rerolled(self.target.reroll_saves, fail, fail) for fail in fails)
        ignores = tuple(_ignores(group, mortal) for group in self.target.groups)
        again = tuple(
            _damage_rerolled(line, values, group.W) for values, group in zip(damage, self.target.groups, strict=True)
        )
        found = Strike(line.D, damage, fails, rerolls, ignores, mortal, again if any(map(any, again)) else ())
        if "damage" in line.reroll_one:
            found = found._replace(once=self.worth_once(line, damage, again))
        if not mortal and any(group.no_damage for group in self.target.groups):
            found = found._replace(spared=tuple(group.no_damage for group in self.target.groups))
        return found

    def worth_once(
        self, line: Line, damage: tuple[tuple[int, ...], ...], again: tuple[tuple[frozenset[int], ...], ...]
    ) -> tuple[tuple[frozenset[int], ...], ...]:
        """The results on which a re-roll of one Damage roll is used: a die is re-rolled once."""
        return tuple(
            tuple(_worth_rerolling(line.D, values, room) - again[place][room] for room in range(group.W + 1))
            for place, (values, group) in enumerate(zip(damage, self.target.groups, strict=True))
        )

    def fails(self, line: Line, group: Group) -> frozenset[int]:
        sheltered = group.cover and not line.melee and not line.ignores_cover
        cover = (sheltered or self.has_cover(line)) and not self.edition.cover_worsens_skill
        return self.edition.fails(Save(group.Sv, group.InSv, line.AP, cover, self.target.save_mod))

    def damage(self, line: Line, group: Group, reduced: bool) -> tuple[int, ...]:
        """What each result of the damage dice costs a model of the group."""
        melta = line.melta if self.attack.half_range else 0
        change = Damage(melta, group.halve_damage, group.minus_damage) if reduced else Damage(melta)
        return tuple(self.edition.damage(rolled, change) for rolled in range(line.D.low, line.D.high + 1))


def _place(first: int | str) -> int:
    """The place of a weapon; one still to be found is that of the first."""
    return first if isinstance(first, int) else 0


def _on_critical(line: Line) -> Line:
    """The weapon as a critical wound strikes with it."""
    return msgspec.structs.replace(line, AP=line.AP - line.crit_ap, D=line.D if line.crit_D is None else line.crit_D)


def _damage_rerolled(line: Line, values: tuple[int, ...], wounds: int) -> tuple[frozenset[int], ...]:
    """The damage results that are rolled again, by the wounds a model has left (10e T-1.3; 11e 01.05.02).

    Ones of a single die; all that are worse than a roll's mean; or ("best") all that take fewer wounds than that.
    """
    results = range(line.D.low, line.D.high + 1)
    if line.reroll_damage == "none" or line.D.constant is not None:
        again = NOTHING
    elif line.reroll_damage == "ones":
        again = frozenset({line.D.low} if line.D.count == 1 else ())
    elif line.reroll_damage == "fails":
        again = frozenset(result for result in results if result < line.D.mean)
    else:
        return tuple(_worth_rerolling(line.D, values, room) for room in range(wounds + 1))
    return (again,) * (wounds + 1)


def _worth_rerolling(dice: Dice, values: tuple[int, ...], room: int) -> frozenset[int]:
    chances = of_dice(dice)[dice.low :]
    mean = sum(chance * min(value, room) for chance, value in zip(chances, values, strict=True))
    results = enumerate(values, start=dice.low)
    return frozenset(result for result, value in results if min(value, room) < mean - 1e-9)


def _rerolled(policy: str | tuple[int, ...], fails: Iterable[int], not_critical: Iterable[int]) -> frozenset[int]:
    """The set of faces a policy re-rolls."""
    if isinstance(policy, tuple):
        return frozenset(policy)
    return {"none": NOTHING, "ones": frozenset({1}), "fails": frozenset(fails), "noncrit": frozenset(not_critical)}[
        policy
    ]
