"""The best of what a player may choose in an attack, found by asking the exact answer; each with what it gains.

The attacker chooses the firing order, which dice to re-roll, and (11e) whether a critical hit uses [LETHAL HITS]; the
defender the order in which groups are lost. Policies are fixed before the dice: the same for each die of a batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from battlewright.attack.exact import resolve
from battlewright.attack.plan import Plan, build
from battlewright.attack.request import Line, Request

Aim: TypeAlias = Literal["damage", "slain", "p_destroyed"]
Player: TypeAlias = Literal["attacker", "defender"]
Measure: TypeAlias = Callable[[Request], float]

#: Up to so many batches or groups every order is tried; beyond, orders are improved by swaps.
ALL_ORDERS_UP_TO = 5
LEAST_GAIN = 1e-12


class Advice(Struct, frozen=True):
    """One choice: who makes it, what it is about, the best way, the aim's value with it and as asked, and the gain."""

    player: Player
    about: str
    choose: str
    aim: Aim
    best: float
    asked: float
    gain: float


def _advice(player: Player, about: str, choose: str, aim: Aim, best: float, asked: float) -> Advice:
    return Advice(player, about, choose, aim, best, asked, best - asked)


def measure(aim: Aim) -> Measure:
    """The value of a request for that aim."""

    def value(request: Request) -> float:
        found = resolve(build(request))
        return float({"damage": found.damage.mean, "slain": found.slain.mean}.get(aim, found.p_destroyed))

    return value


def settle(request: Request, aim: Aim = "damage") -> Request:
    """The request with every "best" replaced by the best choice; without any it is returned as it is.

    >>> from battlewright.attack.request import read
    >>> gun = {"A": 20, "skill": 3, "S": 4, "lethal": True, "reroll_hits": "best"}
    >>> asked = read({"edition": "10e", "attack": {"weapons": [gun]},
    ...               "target": {"groups": [{"models": 20, "T": 12, "W": 1, "Sv": 7}]}})
    >>> settle(asked).attack.weapons[0].reroll_hits          # everything but the sixes
    (1, 2, 3, 4, 5)
    """
    return _kept(_settled_dice(request, aim), aim)


def _settled_dice(request: Request, aim: Aim) -> Request:
    """Every "best" of a weapon's dice replaced."""
    lines = request.attack.weapons
    if not any("best" in (line.reroll_hits, line.reroll_wounds, line.lethal_auto) for line in lines):
        return request
    wanted = [
        (place, name)
        for place, line in enumerate(lines)
        for name in ("lethal_auto", "reroll_hits", "reroll_wounds")
        if getattr(line, name) == "best"
    ]
    start = _with(request, [(place, name, _plain(name)) for place, name in wanted])
    return _climbed(start, wanted, measure(aim))


def _kept(request: Request, aim: Aim) -> Request:
    """The weapons for which either side keeps what it can use once, where that is left to us: the attacker says first."""
    value = measure(aim)
    if request.attack.reroll_one_from == "best":
        places = [place for place, line in enumerate(request.attack.weapons) if line.reroll_one] or [0]
        request = max((_keeping(request, place) for place in places), key=value)
    if request.target.spare_from == "best":
        request = min((_sparing(request, place) for place in range(len(request.attack.weapons))), key=value)
    return request


def _keeping(request: Request, place: int) -> Request:
    return replace(request, attack=replace(request.attack, reroll_one_from=place))


def _sparing(request: Request, place: int) -> Request:
    return replace(request, target=replace(request.target, spare_from=place))


def _plain(name: str) -> Any:
    return True if name == "lethal_auto" else "fails"


def _climbed(request: Request, wanted: Sequence[tuple[int, str]], value: Measure) -> Request:
    """Improve one batch after the other until nothing gains; all choices of a batch are tried together."""
    best, gained = value(request), True
    while gained:
        gained = False
        for place in dict.fromkeys(place for place, _ in wanted):
            names = [name for at, name in wanted if at == place]
            for candidate in _choices(request, place, names):
                if (found := value(candidate)) > best + LEAST_GAIN:
                    request, best, gained = candidate, found, True
    return request


def _choices(request: Request, place: int, names: Sequence[str]) -> Iterator[Request]:
    """Every combination of the choices of one batch."""
    if not names:
        yield request
        return
    first, *others = names
    for option in _options(request, place, first):
        yield from _choices(_with(request, [(place, first, option)]), place, others)


def _options(request: Request, place: int, name: str) -> list[Any]:
    """The ways worth trying: faces that act alike are re-rolled together or not at all."""
    if name == "lethal_auto":
        return [True, False]
    plan = build(_with(request, [(place, name, "none")]))
    return list(_face_sets(_alike(plan, place, name)))


def _alike(plan: Plan, place: int, name: str) -> list[tuple[int, ...]]:
    """The faces of the roll, in classes of equal outcome (against every Toughness of the target)."""
    batch = plan.batches[place]
    classes: dict[object, list[int]] = {}
    for face in range(1, 7):
        outcome: object = batch.hit[face - 1]
        if name == "reroll_wounds":
            outcome = tuple(wounding.strikes[face - 1] for wounding in batch.woundings.values())
        classes.setdefault(outcome, []).append(face)
    return [tuple(faces) for faces in classes.values()]


def _face_sets(classes: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    for chosen in range(2 ** len(classes)):
        yield tuple(sorted(face for place, faces in enumerate(classes) if chosen >> place & 1 for face in faces))


def _with(request: Request, changes: Iterable[tuple[int, str, Any]]) -> Request:
    lines = list(request.attack.weapons)
    for place, name, value in changes:
        lines[place] = replace(lines[place], **{name: value})
    return replace(request, attack=replace(request.attack, weapons=tuple(lines)))


def advise(request: Request, aim: Aim = "damage") -> tuple[Advice, ...]:
    """Every choice of the two players that gains something, best use first asked of the attacker.

    A choice already left to us ("best") is told with what it gains over not making it.
    """
    value = measure(aim)
    settled = settle(request, aim)
    asked = value(settled)
    found = [
        *left_to_us(request),
        *_firing_order(settled, aim, asked),
        *_lethal(settled, aim, asked),
        *_rerolls(settled, aim, asked),
        *_group_order(settled, aim, asked),
    ]
    return tuple(found)


def left_to_us(request: Request) -> Iterator[Advice]:
    """What was chosen where the request leaves it to us, beside not making that choice at all."""
    settled, aim = settle(request, request.aim), request.aim
    if settled is request:
        return
    value = measure(aim)
    best, lines = value(settled), settled.attack.weapons
    if request.attack.reroll_one_from == "best":
        place = int(settled.attack.reroll_one_from)
        yield _advice(
            "attacker", "re-roll of one die", _for(place, lines), aim, best, value(_keeping(settled, len(lines)))
        )
    if request.target.spare_from == "best":
        place = int(settled.target.spare_from)
        yield _advice(
            "defender", "what is used once", _for(place, lines), aim, best, value(_sparing(settled, len(lines)))
        )
    for place, (before, after) in enumerate(zip(request.attack.weapons, settled.attack.weapons, strict=True)):
        for name, words in (
            ("reroll_hits", "hit rolls"),
            ("reroll_wounds", "wound rolls"),
            ("lethal_auto", "lethal hits"),
        ):
            if getattr(before, name) != "best":
                continue
            plain = False if name == "lethal_auto" else "none"
            without = measure(aim)(_with(settled, [(place, name, plain)]))
            choose = _faces(getattr(after, name)) if name != "lethal_auto" else _used(getattr(after, name))
            yield _advice("attacker", f"{words} of {title(place, after)}", choose, aim, best, without)


def _firing_order(request: Request, aim: Aim, asked: float) -> Iterator[Advice]:
    lines = request.attack.weapons
    value = measure(aim)

    def ordered(places: Sequence[int]) -> Request:
        weapons = tuple(lines[place] for place in places)
        return replace(request, attack=replace(request.attack, weapons=weapons))

    best, places = _best_order(range(len(lines)), lambda order: value(ordered(order)))
    if best > asked + LEAST_GAIN:
        words = ", then ".join(title(place, lines[place]) for place in places)
        yield _advice("attacker", "firing order", words, aim, best, asked)


def _lethal(request: Request, aim: Aim, asked: float) -> Iterator[Advice]:
    """11e 24.23: a critical hit may keep its wound roll, for the sake of devastating wounds."""
    if request.edition != "11e":
        return
    for place, line in enumerate(request.attack.weapons):
        if line.lethal:
            other = not line.lethal_auto
            best = measure(aim)(_with(request, [(place, "lethal_auto", other)]))
            if best > asked + LEAST_GAIN:
                yield _advice("attacker", f"lethal hits of {title(place, line)}", _used(other), aim, best, asked)


def _rerolls(request: Request, aim: Aim, asked: float) -> Iterator[Advice]:
    """Where a batch may re-roll failures, other faces may be worth it as well."""
    for place, line in enumerate(request.attack.weapons):
        free = {"reroll_hits": line.reroll_hits == "fails", "reroll_wounds": line.reroll_wounds == "fails"}
        free["reroll_wounds"] |= line.twin_linked
        for name in (name for name, may in free.items() if may):
            given = replace(line, twin_linked=False) if name == "reroll_wounds" else line
            lines = list(request.attack.weapons)
            lines[place] = given
            base = replace(request, attack=replace(request.attack, weapons=tuple(lines)))
            best = _climbed(_with(base, [(place, name, "fails")]), [(place, name)], measure(aim))
            value = measure(aim)(best)
            if value > asked + LEAST_GAIN:
                roll = "hit rolls" if name == "reroll_hits" else "wound rolls"
                choose = _faces(getattr(best.attack.weapons[place], name))
                yield _advice("attacker", f"{roll} of {title(place, line)}", choose, aim, value, asked)


def _group_order(request: Request, aim: Aim, asked: float) -> Iterator[Advice]:
    groups = request.target.groups
    value = measure(aim)

    def ordered(places: Sequence[int]) -> Request:
        return replace(request, target=replace(request.target, groups=tuple(groups[place] for place in places)))

    best, places = _best_order(range(len(groups)), lambda order: -value(ordered(order)))
    if -best < asked - LEAST_GAIN:
        words = ", then ".join(groups[place].name or f"group {place + 1}" for place in places)
        yield _advice("defender", "order in which groups are lost", words, aim, -best, asked)


def _best_order(places: Iterable[int], value: Callable[[Sequence[int]], float]) -> tuple[float, tuple[int, ...]]:
    """The order of the highest value: all of them when few, else swaps of neighbours and others while they gain."""
    order = tuple(places)
    if len(order) <= ALL_ORDERS_UP_TO:
        return max(((value(each), each) for each in permutations(order)), key=lambda pair: pair[0])
    best, gained = value(order), True
    while gained:
        gained = False
        for left in range(len(order)):
            for right in range(left + 1, len(order)):
                swapped = list(order)
                swapped[left], swapped[right] = swapped[right], swapped[left]
                if (found := value(swapped)) > best + LEAST_GAIN:
                    best, order, gained = found, tuple(swapped), True
    return best, order


def _for(place: int, lines: Sequence[Line]) -> str:
    return f"keep it for {title(place, lines[place])} and what follows" if place else "use it as soon as it helps"


def title(place: int, line: Line) -> str:
    """The weapon's name, or its place in the list."""
    return line.name or f"weapon {place + 1}"


def _faces(faces: str | tuple[int, ...]) -> str:
    if isinstance(faces, str):
        return f"re-roll {faces}"
    return "re-roll " + ", ".join(map(str, faces)) if faces else "re-roll nothing"


def _used(used: object) -> str:
    return "use them" if used else "roll to wound instead"
