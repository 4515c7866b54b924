"""Rules as short words of our own, and back: what players are shown in place of a publisher's sentence.

One table of templates serves both directions, so ``parse(describe(rule)) == rule`` for every rule. A template is literal
words with ``{field}`` slots; ``[...]`` stands only where its first field differs from the default; ``{field?}`` writes a
flag; ``{field:a=x,b=y}`` writes values as other words; ``{field|; }`` gives the separator of a list. A field that a
template does not name comes at its end by its name.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias, TypeVar

import msgspec

from battlewright import effects as fx
from battlewright.dice import Dice
from battlewright.errors import Unparsed

T = TypeVar("T")
#: what a writer may have read: the value, and where the rest of the text begins
Reading: TypeAlias = tuple[Any, int]

TEMPLATES: dict[type, str] = {
    # amounts and selections
    fx.Amount: "{n}[ × {ref:word}][ every {every}][ for each {per:in}][, at most {maximum}]",
    fx.Count: "{kind:one=one,up_to=up to,n=exactly,each=each,all=all,any=any}[ {n}]",
    fx.Select: (
        "[{count} ][{other?}other ][{ref:self=this,unit=the bearer's,led=the led,target=the target,"
        "attacker=the attacking,subject=that,bound=the chosen,you=your,opponent=the opponent's} ][{side} ]{what}"
        "[ {name}][ of {of:in}][ ({where})][ as {bind}]"
    ),
    # conditions
    fx.All: "({of| and })",
    fx.Any: "either ({of| or })",
    fx.Not: "not {of}",
    fx.About: "{who:in}[{every?}, every one]: {holds}",
    fx.Keyword: "{any_of:keywords}",
    fx.Within: '[{wholly?}wholly ]within {distance}" of {of:in}',
    fx.Visible: "visible to {to:in}",
    fx.Engaged: "engaged[ with {by:in}]",
    fx.Moved: 'moved: {kind}[ since {since}][ more than {over}"]',
    fx.Strength: "{level} strength",
    fx.Models: "models [{low}]–[{high}][ that are {where}]",
    fx.Wounds: "wounds[{lost?} lost] [{low}]–[{high}]",
    fx.BattleShocked: "battle-shocked",
    fx.OnObjective: "on an objective[ {name}][ of control {control}][ in {where}]",
    fx.HasDestroyed: "having destroyed {what:in}[ since {since}]",
    fx.Embarked: "embarked[ within {within:in}]",
    fx.Was: "earlier, at {at}: {of}",
    fx.Used: "having used {name}[ since {since}]",
    fx.NearEdge: '[{wholly?}wholly ]within {distance}" of a battlefield edge[ of {whose}]',
    fx.HasState: "in state {name}[ at least {low}][ at most {high}]",
    fx.HasAbility: "having {name}",
    fx.HasWeapon: "armed with {name}[ at least {low}]",
    fx.Named: "named {name}",
    fx.Unknown: "not understood: {words}",
    fx.Leading: "leading[ {who:in}]",
    fx.LedBy: "led[ by {who:in}]",
    fx.Acted: "done: {act}[ since {since}]",
    fx.Eligible: "eligible to {act}[ against {against:in}]",
    fx.Located: "located: {where}",
    fx.Destroyed: "destroyed[ by {by:in}][ since {since}]",
    fx.AttackIs: 'attack: {kind}[ within {distance}"]',
    fx.Targets: "targeting {who:in}",
    fx.HitBy: "had attacks[ of {by:in}][ so: {how}][ with {weapon}][ since {since}]",
    fx.Compare: "{left:path} {op} {right:path}",
    fx.Same: "the same as {who:in}",
    fx.IsWarlord: "the warlord",
    fx.Round: "round [{low}]–[{high}]",
    fx.During: "it is the {phases|/} phase[ of {whose}]",
    fx.Active: "{name} is active[ for {who:in}]",
    fx.ArmyIs: "own army[ {faction}][ detachment {detachment}]",
    fx.PoolHas: "pool {name} [{low}]–[{high}]",
    fx.Outcome: "outcome: {of}[ of {low} or more]",
    fx.StratagemIs: "stratagem is[ {names}][ of category {category}][ from {source}]",
    # triggers
    fx.Static: "always",
    fx.Window: (
        "[{edge:start=start of ,end=end of }][{whose:your=your ,opponent=the opponent's }]{phases|/} phase"
        "[, unit {unit}][, step {step}][, {round}]"
    ),
    fx.Event: (
        "{edge:before=just before,after=just after,when=when} {name}[ – {subject:in}][ → {target:in}][ kinds {kinds}]"
        "[{first?}, the first time][ while {during}]"
    ),
    fx.PerAttack: (
        "each[ {kind:melee=melee,ranged=ranged}] attack[{role:target= against us}][ by {attacker:in}][ on {target:in}]"
        "[ with {weapon}]"
    ),
    fx.AnyOf: "either ({of| or })",
    fx.Duration: (
        "{until:instant=at once,attack=this attack,done=until the attacker is done,move=this move,spent=until spent}"
        "[ to its {edge}][{next?}, the next][ of {whose}][, {phase} phase][ {holds}]"
    ),
    # effects
    fx.RollMod: "{sign:1=+,-1=-}{amount} to {roll} rolls[ of {who:in}][{cumulative?}, not cumulative]",
    fx.Reroll: (
        "[{may?}must ]re-roll {roll} rolls[ {which:failed=that fail,faces=of,one=one die}][ {faces|/}]"
        "[ of {who:in}]"
    ),
    fx.RollSet: "{roll} roll: {to}[ {value}][{unmodified?} unmodified][ of {who:in}]",
    fx.MoreDice: "[{may?}must ]roll {extra} more dice for {roll:word} rolls[ of {who:in}], discard {discard}",
    fx.CritOn: "{roll} rolls of {n}+ are[{hits?} only hits, not] critical",
    fx.IgnoreMods: "ignore modifiers of {of}[, {only} ones][ for {who:in}]",
    fx.StatMod: "{op} {stats|/} {amount}[ of the {on}][ for {who:in}][, no more than {maximum}][, no less than {minimum}]",
    fx.Grant: "gain {what}[ {name}][ {amount}][ for keywords {keywords}][ against {against}][ for {who:in}]",
    fx.Remove: "lose {what}[ {name}][ for {who:in}]",
    fx.Mortal: "{amount} mortal wounds[ to {who:in}]",
    fx.Heal: "heal {amount}[ of {who:in}]",
    fx.ReturnModels: "return {amount} models[ of {who:in}][ with {wounds} wounds]",
    fx.Revive: "set up again[ {who:in}][ with {wounds} wounds][ place {place}]",
    fx.Destroy: "destroy[ {who:in}]",
    fx.AddUnit: "add unit {unit}[ of {models} models][ place {place}]",
    fx.DamageTo: "damage becomes {n}[ for {who:in}]",
    fx.Move: '[{may?}must ]move: {kind}[ up to {amount}"][ with {who:in}][ to {towards:in}][ limits {limits}]',
    fx.MoveRule: "moves {how}[ for {who:in}][ in {kinds}][ what {what}]",
    fx.Permit: "may {act}[ despite {despite}][ with {who:in}][ towards {towards:in}][ if {limits}]",
    fx.Forbid: "cannot {act}[ with {who:in}][ towards {towards:in}][ unless {unless}]",
    fx.Act: "[{may?}must ]act now: {act}[ with {who:in}][ at {towards:in}][ limits {limits}]",
    fx.FightOrder: "fights {order}[ with {who:in}]",
    fx.Cp: "{sign:1=+,-1=-}{amount} CP[ for {whose}]",
    fx.Stratagem: "stratagem {change}[ {sign:-1=less}][ {amount}][ on {who:in}][ which {which}][ of {whose}]",
    fx.Pool: "pool {name}: {change} {amount}",
    fx.SetState: "state {name}[{clear?} ends][ counting {amount}][ up to {most}][ on {who:in}]",
    fx.Control: "control: {how}[ of {who:in}]",
    fx.ShockTest: "battle-shock: {how}[ for {who:in}][ {sign:-1=less}][ by {mod}]",
    fx.Reserves: "reserves: {how}[{strategic?}, not strategic][ with {who:in}][ place {place}]",
    fx.Setup: "set up[ {kind}][ with {who:in}][ limits {limits}][ where ({where| and })]",
    fx.Transport: "carries[ {capacity}][ models that are {fits}][ but not {bars}][, room ({room|; })]",
    fx.TransportRoom: "{fits} takes {spaces}",
    fx.Targeting: 'targeting: {how}[ within {distance}"][ with {who:in}][ by {by:in}][ to {act}]',
    fx.Order: "order: {how}[ {name}][ on {who:in}][ by {amount}][ given to {to:in}]",
    fx.Build: "building: {how}[ {who:in}][ that is {what}][, number {amount}][ words {words}]",
    fx.RollDice: "roll {dice}[ for {per:in}][{sum?} together][ plus ({plus|; })][, counting up to {maximum}]: ({rows|; })",
    fx.Row: "[from {low} ][up to {high} ]→ ({do|; })",
    fx.RollPlus: "{sign:1=+,-1=-}{amount}[ if {when}]",
    fx.Choose: (
        "[{random?}at random ]choose[{up_to?} up to][ {k}] of ({options|; })[ by {whose}][ as {bind}]"
        "[, or {or_random} at random]"
    ),
    fx.Option: "option[ {name}][ if {when}] ({do|; })",
    fx.If: "if {holds}: ({then|; })[ else ({otherwise|; })]",
    fx.Pick: "[{may?}may ]pick {who:in}[ by {whose}]",
    fx.Give: "give[ {name}] to {who:in}: ({do|; })",
    fx.Procedure: "procedure {name}[ {amount}]",
    # rules
    fx.Limit: "[{count} times ]once per {per}[ {name}][ for {each}][ for each {of:in}]",
    fx.Clause: "[{name}, ][{limits|, } · ][{when} · ][if {holds} · ][{may} may · ][{lasts} · ]{do|; }",
    fx.Unread: "{text}[ from {start}][ to {end}]",
    fx.Rule: (
        "{name}[ · {kind}][ · {edition}][ · {status}][ · id {id}][ · cost {cost}][ · category {category}]"
        "[ · source {source}][ · tags {tags}][ · {limits|, }][ · bearer {bearer}][ · target {target}]"
        "[ · also target {also_target}][ · or target {or_target}]:"
        "[ {clauses|\n}][\nunread {unread|, }]"
    ),
}  # fmt: skip


def describe(rule: fx.Rule) -> str:
    """The rule in our own short words.

    >>> rule = fx.Rule("Steady", (fx.Clause((fx.RollMod("hit", fx.Amount()),), when=fx.PerAttack(kind="ranged")),))
    >>> describe(rule)
    '“Steady”: each ranged attack · +1 to hit rolls'
    >>> parse(describe(rule)) == rule
    True
    """
    return words_of(rule)


def parse(text: str) -> fx.Rule:
    """The rule these words describe; raises :class:`Unparsed` with the place where reading stopped."""
    return read_words(text, fx.Rule)


def words_of(value: object) -> str:
    """Any value of the vocabulary in the same words; raises :class:`ValueError` where a field holds what it may not."""
    return _writer(type(value)).write(value)


def read_words(text: str, kind: type[T]) -> T:
    """A value of the vocabulary from its words; raises :class:`Unparsed`."""
    reader = Reader(text)
    whole = [value for value, end in reader.read(_writer(kind), 0) if end == len(text)]
    if not whole:
        raise Unparsed(text, (reader.furthest, len(text)), f"the words of a {kind.__name__.lower()}")
    value: T = whole[0]
    return value


# ------------------------------------------------------------------------------------------------------- reading


class Reader:
    """Reads a text with writers; what one read at a place is remembered."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.furthest = 0
        self._known: dict[tuple[int, int], list[Reading]] = {}

    def read(self, writer: Writer, at: int) -> list[Reading]:
        key = (id(writer), at)
        if key not in self._known:
            self._known[key] = []
            self._known[key] = list(writer.read(self, at))
        return self._known[key]

    def literal(self, words: str, at: int) -> int | None:
        """Where the text goes on after these words, if they stand here."""
        if not self.text.startswith(words, at):
            return None
        self.furthest = max(self.furthest, at + len(words))
        return at + len(words)


class Writer(typing.Protocol):
    """Writes a value of one type as words, and reads it: all ways in which it may end."""

    def write(self, value: Any) -> str: ...

    def read(self, reader: Reader, at: int) -> Iterator[Reading]: ...


@dataclass(frozen=True, eq=False)
class Pattern:
    """A value written as one word of a regular expression; only the longest reading counts."""

    expression: re.Pattern[str]
    to_words: Any
    to_value: Any

    def write(self, value: Any) -> str:
        return str(self.to_words(value))

    def read(self, reader: Reader, at: int) -> Iterator[Reading]:
        found = self.expression.match(reader.text, at)
        if found:
            reader.furthest = max(reader.furthest, found.end())
            yield self.to_value(found.group()), found.end()


@dataclass(frozen=True, eq=False)
class Words:
    """A closed set of values, each with its words; longer words are tried first."""

    pairs: tuple[tuple[Any, str], ...]

    def write(self, value: Any) -> str:
        for known, words in self.pairs:
            if known == value and type(known) is type(value):
                return words
        raise ValueError(f"{value!r} is not in the vocabulary: {', '.join(words for _, words in self.pairs)}")

    def read(self, reader: Reader, at: int) -> Iterator[Reading]:
        for value, words in sorted(self.pairs, key=lambda pair: -len(pair[1])):
            end = reader.literal(words, at)
            if end is not None:
                yield value, end


@dataclass(frozen=True, eq=False)
class Listing:
    """Values in a row with a separator; an empty row is ``empty``."""

    of: Writer
    separator: str
    empty: str = ""

    def write(self, value: Any) -> str:
        return self.separator.join(self.of.write(one) for one in value) if value else self.empty

    def read(self, reader: Reader, at: int) -> Iterator[Reading]:
        nothing = reader.literal(self.empty, at)
        if nothing is not None:
            yield (), nothing
        open_ends: list[tuple[tuple[Any, ...], int]] = [((), at)]
        while open_ends:
            ahead = []
            for values, end in open_ends:
                start = reader.literal(self.separator, end) if values else end
                if start is not None:
                    ahead += [((*values, value), stop) for value, stop in reader.read(self.of, start)]
            yield from ahead
            open_ends = ahead


@dataclass(frozen=True, eq=False)
class Union:
    """One of several structs. A clause among effects stands in brackets."""

    members: tuple[type, ...]

    def write(self, value: Any) -> str:
        words = words_of(value)
        return f"({words})" if isinstance(value, fx.Clause) else words

    def read(self, reader: Reader, at: int) -> Iterator[Reading]:
        for member in self.members:
            if member is not fx.Clause:
                yield from reader.read(_writer(member), at)
                continue
            start = reader.literal("(", at)
            if start is not None:
                for value, end in reader.read(_writer(member), start):
                    close = reader.literal(")", end)
                    if close is not None:
                        yield value, close


@dataclass(frozen=True, eq=False)
class Inner:
    """A selection inside other words: in angle brackets when it has parts that could be taken for the outer one's."""

    def write(self, value: Any) -> str:
        words = words_of(value)
        return words if _is_short(value) else f"<{words}>"

    def read(self, reader: Reader, at: int) -> Iterator[Reading]:
        start = reader.literal("<", at)
        if start is not None:
            for value, end in reader.read(_writer(fx.Select), start):
                close = reader.literal(">", end)
                if close is not None:
                    yield value, close
        else:
            yield from (found for found in reader.read(_writer(fx.Select), at) if _is_short(found[0]))


def _is_short(select: fx.Select) -> bool:
    of = select.of
    nested = of is None or (of.of is None and _is_short(of))
    return select.where is None and select.bind is None and nested and select.count.n is None


# ----------------------------------------------------------------------------------------------- templates at work


@dataclass(frozen=True)
class Slot:
    """A place of a field in a template; ``flag`` is the value its mere presence gives."""

    field: str
    writer: Writer | None
    default: Any
    flag: Any = None


Piece: TypeAlias = "str | Slot | tuple[Piece, ...]"


@dataclass(frozen=True, eq=False)
class Struct:
    """Writes one struct by its template."""

    kind: type[msgspec.Struct]
    pieces: tuple[Piece, ...]

    def write(self, value: Any) -> str:
        return "".join(self._write(piece, value) for piece in self.pieces)

    def _write(self, piece: Piece, value: Any) -> str:
        if isinstance(piece, str):
            return piece
        if isinstance(piece, Slot):
            return piece.writer.write(getattr(value, piece.field)) if piece.writer else ""
        first = next(part for part in piece if isinstance(part, Slot))
        if getattr(value, first.field) == first.default:
            return ""
        return "".join(self._write(part, value) for part in piece)

    def read(self, reader: Reader, at: int) -> Iterator[Reading]:
        for fields, end in self._row(self.pieces, reader, at, {}):
            yield self.kind(**fields), end

    def _row(
        self, pieces: tuple[Piece, ...], reader: Reader, at: int, fields: dict[str, Any]
    ) -> Iterator[tuple[dict[str, Any], int]]:
        if not pieces:
            yield fields, at
            return
        for read, end in self._piece(pieces[0], reader, at, fields):
            yield from self._row(pieces[1:], reader, end, read)

    def _piece(
        self, piece: Piece, reader: Reader, at: int, fields: dict[str, Any]
    ) -> Iterator[tuple[dict[str, Any], int]]:
        if isinstance(piece, str):
            end = reader.literal(piece, at)
            if end is not None:
                yield fields, end
        elif isinstance(piece, Slot):
            if piece.writer is None:
                yield {**fields, piece.field: piece.flag}, at
                return
            for value, end in reader.read(piece.writer, at):
                yield {**fields, piece.field: value}, end
        else:
            first = next(part for part in piece if isinstance(part, Slot))
            for read, end in self._row(piece, reader, at, fields):
                if read[first.field] != first.default:
                    yield read, end
            yield fields, at


def _writer(kind: Any) -> Writer:
    """The writer of a struct: by its template, else field by field."""
    return _made(kind)


@cache
def _made(kind: Any) -> Writer:
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        raise TypeError(f"no words for {kind!r}")
    return Struct(kind, _pieces(_whole(TEMPLATES.get(kind, kind.__name__.lower()), kind), kind))


def _whole(template: str, kind: type[msgspec.Struct]) -> str:
    """The template, and at its end every field it does not name."""
    named = set(re.findall(r"\{(\w+)", template))
    for one in msgspec.structs.fields(kind):
        if one.name not in named:
            slot = f", {one.name.replace('_', ' ')} {{{one.name}}}"
            template += slot if one.required else f"[{slot}]"
    return template


_SPLIT = re.compile(r"(\[|\]|\{[^{}]*\})")


def _pieces(template: str, kind: type[msgspec.Struct]) -> tuple[Piece, ...]:
    """The template cut into literals, slots and optional parts."""
    rows: list[list[Piece]] = [[]]
    for part in filter(None, _SPLIT.split(template)):
        if part == "[":
            rows.append([])
        elif part == "]":
            done = rows.pop()
            rows[-1].append(tuple(done))
        elif part.startswith("{"):
            rows[-1].append(_slot(part[1:-1], kind))
        else:
            rows[-1].append(part)
    return tuple(rows[0])


def _slot(spec: str, kind: type[msgspec.Struct]) -> Slot:
    name, _, separator = spec.partition("|")
    name, _, style = name.partition(":")
    flag = name.endswith("?")
    name = name.removesuffix("?")
    info = next(one for one in msgspec.structs.fields(kind) if one.name == name)
    default = info.default_factory() if info.default_factory is not msgspec.NODEFAULT else info.default
    if flag:
        return Slot(name, None, default, not default)
    hint = _hints(kind)[name]
    return Slot(name, _for_type(hint, style, separator or ", "), default)


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _quote(text: str) -> str:
    return "“" + text.replace("\\", "\\\\").replace("”", "\\”") + "”"


def _unquote(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)


def _either_way(bare: str) -> Pattern:
    """Words that stand bare when they fit the expression, quoted otherwise."""
    fits = re.compile(bare)
    whole = re.compile(f"{bare}|{QUOTED.expression.pattern}", re.DOTALL)
    return Pattern(
        whole,
        lambda value: value if fits.fullmatch(value) else _quote(value),
        lambda words: _unquote(words) if words.startswith("“") else words,
    )


QUOTED = Pattern(re.compile(r"“(?:[^\\”]|\\.)*”", re.DOTALL), _quote, _unquote)
NUMBER = Pattern(re.compile(r"-?\d+"), str, int)
DICE = Pattern(re.compile(r"\d*D[36](?:\+\d+)?|\d+"), str, Dice.parse)
PATH = _either_way(r"[A-Za-z0-9_.]+")
PHRASE = _either_way(r"[A-Z][A-Z0-9'-]*(?: [A-Z0-9][A-Z0-9'-]*)*")
KEYWORDS = Listing(Listing(PHRASE, " + ", "any keyword"), "/", "no keyword")


def _for_type(hint: Any, style: str, separator: str) -> Writer:
    """The writer of a field by its type; ``style`` says how (``in``, ``word``, ``path``, ``keywords``, or words)."""
    if style in STYLES:
        return STYLES[style]
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        members = [one for one in inner if one is not type(None)]
        if len(members) == 1:
            return _for_type(members[0], style, separator)
        return _union(tuple(members))
    if origin is tuple:
        return Listing(_for_type(inner[0], "", ", "), separator)
    if origin is typing.Literal or hint is bool:
        return _closed(inner or (False, True), style)
    simple: dict[Any, Writer] = {Dice: DICE, int: NUMBER, str: QUOTED}
    return simple[hint] if hint in simple else _later(hint)


STYLES: dict[str, Writer] = {"in": Inner(), "word": PATH, "path": PATH, "keywords": KEYWORDS}


@cache
def _union(members: tuple[type, ...]) -> Writer:
    return Union(members)


@cache
def _later(kind: type) -> Writer:
    """The writer of a struct, looked up when it is needed: the vocabulary is recursive."""
    return Union((kind,)) if kind is not fx.Clause else Bare()


@dataclass(frozen=True, eq=False)
class Bare:
    """A clause of a rule, without brackets."""

    def write(self, value: Any) -> str:
        return words_of(value)

    def read(self, reader: Reader, at: int) -> Iterator[Reading]:
        yield from reader.read(_writer(fx.Clause), at)


def _closed(values: tuple[Any, ...], style: str) -> Writer:
    """A closed set of values; ``style`` ("a=x,b=y") gives some of them other words."""
    given = dict(part.split("=", 1) for part in style.split(",") if "=" in part)
    named = tuple((value, given.get(str(value).lower(), str(value).replace("_", " "))) for value in values)
    return Words(named)
