"""A text to a Rule: whole sentences first, their clauses where that fails, and the rest named as unread."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib import import_module
from importlib.resources import files
from itertools import pairwise
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import msgspec

from battlewright import effects as vocabulary
from battlewright.codec import convert, to_builtins
from battlewright.dice import Dice
from battlewright.effects import (
    About,
    Amount,
    Condition,
    EditionId,
    HasState,
    Limit,
    Outcome,
    Pick,
    Rule,
    RuleKind,
    Select,
    Status,
    Unknown,
    Unread,
)
from battlewright.errors import BadInput
from battlewright.rulestext import builders, layout
from battlewright.rulestext.blocks import (
    AT_ONCE,
    STATIC,
    Block,
    Options,
    abilities_named,
    as_clauses,
    conj,
    freeze,
    idle,
    listed,
    named,
    states_named,
    theirs,
    timeless,
    unbound,
    waiting,
)
from battlewright.rulestext.builders import phrases, sentences
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.frames import Grammar, make_grammar, read_frames
from battlewright.rulestext.layout import Line
from battlewright.rulestext.normalise import Text, clean
from battlewright.rulestext.parse import Parser, Tree
from battlewright.rulestext.tokens import Kind, Token, tokenise
from battlewright.rulestext.words import (
    act_words,
    common_noun,
    condition_words,
    deed_words,
    keyword_run,
    mark_words,
    name_run,
    phrase,
    quarry_words,
    sort_words,
    state_word,
    state_words,
    step_run,
    stratagem_run,
    title_word,
    weapon_run,
)

#: in this order: where two frames read the same words as the same kind, the earlier file wins; files not named here
#: come after these, by their name
GRAMMAR_FILES_TEXT = """
    sentence core restrictions choices marks triggers attacks grants dice reactions returns aboard aims
    moments bars powers liberties acts moves building stratagem odds named targets armies bearers numbers
    turns orders tails pools mustering spending declared datasheets joining leaving changes filters weaponry
    systems
"""
GRAMMAR_FILES = tuple(GRAMMAR_FILES_TEXT.split())
LONGEST = 12_000


@cache
def grammar() -> Grammar:
    """The grammar, made once from its files."""
    folder = files("battlewright.rulestext") / "grammar"
    found = {entry.name.removesuffix(".frames") for entry in folder.iterdir() if entry.name.endswith(".frames")}
    listed = [*GRAMMAR_FILES, *sorted(found.difference(GRAMMAR_FILES))]
    frames = [
        frame
        for name in listed
        for frame in read_frames((folder / f"{name}.frames").read_text(encoding="utf-8"), f"{name}.frames")
    ]
    word = Kind.WORD | Kind.CAP
    matchers = {
        "keywords": (keyword_run, Kind.CAP),
        "names": (name_run, Kind.CAP),
        "steps": (step_run, Kind.CAP),
        "stratnames": (stratagem_run, Kind.CAP),
        "weapons": (weapon_run, word),
        "sorts": (sort_words, word),
        "states": (state_word, Kind.WORD),
        "acts": (act_words, Kind.WORD),
        "deeds": (deed_words, word | Kind.NUM),
        "plights": (condition_words, Kind.WORD),
        "marks": (mark_words, Kind.WORD),
        "quarries": (quarry_words, Kind.WORD),
        "titles": (title_word, Kind.CAP),
        "nouns": (common_noun, Kind.WORD),
        "statewords": (state_words, Kind.WORD),
    }
    return make_grammar(frames, _names(), matchers)


def _names() -> dict[str, Any]:
    """What the expressions of the grammar files may use: the vocabulary and the builders."""
    found: dict[str, Any] = {"row": phrases.row, "tuple": tuple, "Options": Options}
    structs = {name: value for name, value in vars(vocabulary).items() if isinstance(value, msgspec.StructMeta)}
    found.update(structs)
    for module in _builders():
        found.update((name, value) for name, value in vars(module).items() if _is_builder(name, value, module.__name__))
    return found


def _builders() -> Iterator[ModuleType]:
    """Every module of builders."""
    for module in iter_modules(builders.__path__):
        yield import_module(f"{builders.__name__}.{module.name}")


def _is_builder(name: str, value: object, module: str) -> bool:
    return name.isupper() or (not name.startswith("_") and getattr(value, "__module__", "") == module)


# ---------------------------------------------------------------------------------------------------------- a rule


def compile(
    text: str, *, name: str = "", kind: RuleKind = "other", edition: EditionId | None = None, faction: str = ""
) -> Rule:
    """The rule these words make. Never raises: what is not understood is in ``unread``, with where it stands.

    >>> rule = compile("Each time this model makes an attack, add 1 to the Hit roll.", name="Aim (Once per battle)")
    >>> rule.status, rule.limits[0].per
    ('full', 'battle')
    >>> compile("Le soleil brille.").status
    'none'
    """
    try:
        return read(text, name=name, kind=kind, edition=edition)[0]
    except (ValueError, TypeError, LookupError, AttributeError, AssertionError, RecursionError) as fault:
        words = Unread(text[:2000] or repr(fault), 0, len(text))
        return Rule(name, kind=kind, edition=edition, status="none", unread=(words,))


def read(
    text: str,
    *,
    name: str = "",
    kind: RuleKind = "other",
    edition: EditionId | None = None,
    parser: Callable[[Sequence[Token]], Parser] | None = None,
) -> tuple[Rule, Reading | None]:
    """The rule, and the reading that made it (None for a text too long to be one); ``parser`` reads rows of tokens."""
    if len(text) > LONGEST:
        return Rule(name, kind=kind, edition=edition, status="none", unread=(Unread(text[:200], 0, len(text)),)), None
    reading = Reading(clean(text), text)
    if parser is not None:
        reading.parser = parser
    reading.context.army_rule = kind in ("detachment-rule", "faction-rule", "core-rule")
    title = read_title(name)
    reading.limits.extend(title.limits)
    if kind == "stratagem" or layout.is_labelled(reading.text.plain):
        reading.stratagem()
    else:
        reading.lines(0, len(reading.text.plain))
    return reading.rule(title, kind, edition), reading


#: rules of units and what they wear: what one of them does at once, it does at some time
_OF_UNITS = ("unit-ability", "wargear-ability", "weapon-ability", "enhancement", "damaged")
#: what stands between two clauses, or before a line of a list
_BETWEEN = re.compile(r"[\s.,;:■•▪◦*–—-]*")
_NAME = r"(?:[A-Z0-9][\w'’-]*|of|the|and|or|with|in|on|de|du|a|an|rolls?|throws?|tests?)"
_NAMES = re.compile(rf"{_NAME}(?:[\s,]+{_NAME})*")


def told_once(raw: str, unread: Iterable[Unread]) -> tuple[Unread, ...]:
    """The unread words in the order of the text, none of them twice; the names of a list are one clause with each other
    and with what they follow, as they are where a list is read.

    >>> raw = "You can juggle: Red Eggs; Blue Balls; then you bow."
    >>> told = told_once(raw, [Unread(raw[:24], 0, 24), Unread(raw[:36], 0, 36), Unread(raw[38:50], 38, 50)])
    >>> [one.text for one in told]
    ['You can juggle: Red Eggs; Blue Balls', 'then you bow']
    """
    found: list[Unread] = []
    for one in sorted(unread, key=lambda one: (one.start, one.end)):
        last = found[-1].end if found else 0
        between = _BETWEEN.match(raw, max(one.start, last), one.end)
        start = between.end() if between and one.start < last else one.start
        if start >= one.end:
            continue
        gap = _BETWEEN.fullmatch(raw, last, start) if found else None
        if gap and _NAMES.fullmatch(raw, start, one.end):
            found[-1] = Unread(raw[found[-1].start : one.end], found[-1].start, one.end)
        else:
            found.append(Unread(raw[start : one.end], start, one.end))
    return tuple(found)


def in_vocabulary(rule: Rule) -> bool:
    """Does every field of the rule hold what it may? Otherwise a frame of the grammar made what no rule can say."""
    try:
        return convert(to_builtins(rule), Rule) == rule
    except BadInput:
        return False


@dataclass
class Title:
    """What the name of a rule says besides the name."""

    name: str
    limits: tuple[Limit, ...] = ()
    tags: tuple[str, ...] = ()


_BRACKET = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]\s*")


def read_title(name: str) -> Title:
    """Limits and tags in the name: "Roar (Aura, Psychic)", "Boom (Once per battle, per unit)".

    >>> read_title("Boom (Aura)").tags
    ('aura',)
    """
    limits: list[Limit] = []
    tags: list[str] = []
    for bracket in _BRACKET.findall(clean(name).plain):
        found = read_limits(bracket)
        limits.extend(found)
        if not found:
            tags.extend(word.strip().lower() for word in bracket.split(",") if word.strip())
    return Title(name, tuple(limits), tuple(tags))


@dataclass
class Price:
    """What the name of an option says besides the name: what it costs, and what the dice must show."""

    name: str
    cost: Amount | None = None
    shown: tuple[Condition, ...] = ()


_PRICE = re.compile(
    r"\s*(?:[(\[]|-\s)\s*(\d{1,2})\s*(?:[A-Z][\w']*\s+){0,3}(?:points?|tokens?|dice|pts)?\s*[)\]]?\s*$", re.I
)
_PRICE_FIRST = re.compile(r"\s*(\d{1,2}) (?:[A-Z][\w']*\s+){0,3}(?:points?|tokens?|dice|pts)\s*[-:]\s*", re.I)
_SHOWN = re.compile(r"\s*(?:[(\[]|-\s)\s*((?:any )?(?:double|triple|pair)s?\b[\w+ ]*)[)\]]?\s*$", re.I)
_SAME_DICE = re.compile(r"(any )?(double|triple|pair)s?(?: (?:of )?((\d)\+|6s?))?$", re.I)


def read_price(name: str) -> Price:
    """The cost, or the dice, in the name of an option.

    >>> read_price("Rite of Ash (2 points)").cost.n.constant
    2
    >>> read_price("Red Path - Triple 3+").shown
    (Outcome(of='triple', low=3),)
    """
    plain = clean(name).plain
    if found := _SHOWN.search(plain):
        same = [_SAME_DICE.match(part.strip()) for part in found[1].split(" or ")]
        shown = tuple(
            Outcome("triple" if one[2].lower() == "triple" else "double", int(one[4] or (6 if one[3] else 1)))
            for one in same
            if one is not None
        )
        if len(shown) == len(same):
            return Price(plain[: found.start()], shown=shown if len(shown) == 1 else (vocabulary.Any(shown),))
    if found := _PRICE_FIRST.match(plain):
        return Price(plain[found.end() :], Amount(Dice(0, 6, int(found[1]))))
    if found := _PRICE.search(plain):
        return Price(plain[: found.start()], Amount(Dice(0, 6, int(found[1]))))
    return Price(name)


def read_limits(text: str) -> tuple[Limit, ...]:
    """Limits, where these words are nothing else; () otherwise."""
    tokens = tokenise(clean(text).plain)
    tree = Parser(grammar(), tokens).whole("limit", 0, len(tokens)) if tokens else None
    if tree is None:
        return ()
    try:
        found: tuple[Limit, ...] = Context(grammar()).build(tree)
    except Reject:
        return ()
    return found


#: verbs whose object may stand in bullets
_HAVING = ("have", "has", "gain", "gains")
#: words that begin a bullet which says something more of what its header speaks of
_POINTING = ("this", "that", "those", "these", "it", "its", "they", "their", "the")


def _of_bearer(tokens: Sequence[Token]) -> bool:
    """Is this said of "this unit" or "this model"?"""
    return any(one.word == "this" and two.word in ("unit", "model") for one, two in pairwise(tokens))


_AFTER_WHAT = "then, after what?"
#: what may follow an act that is optional
_ANSWER = re.compile(
    r"[\s.:;)\]■•▪◦-]*(?:if|when|each time) (?:it|you|they|th(?:is|at) (?:unit|model)|the bearer) do(?:es)?\b", re.I
)


def _answers_itself(tokens: Sequence[Token]) -> bool:
    """ "It can do this: if it does, …": the answer stands in the sentence itself."""
    words = [token.word for token in tokens]
    rows = zip(words, words[1:], words[2:], words[3:], strict=False)
    return any(
        before in (":", ";", ",", "-")
        and if_ in ("if", "when")
        and who in ("it", "you", "they")
        and do in ("do", "does")
        for before, if_, who, do in rows
    )


#: with what a sentence begins that says what an ability does: "you can use this ability. Select one point …"
_DOING = ("until", "select", "roll")
_OR = re.compile(r"\s*or\s*:\s*", re.I)
#: words that begin something else below the abilities someone has: the abilities of others, or of the detachment itself,
#: or whom an army may include
_ENDS_ABILITIES = re.compile(
    r"\bha(?:s|ve) the following abilit(?:y|ies)\W*$|^\W*this detachment\b|^\W*(?:[^.:]{2,60}: )?you can include\b",
    re.I,
)

# ------------------------------------------------------------------------------------------------------- a reading


@dataclass
class Reading:
    """One text on its way to a rule."""

    text: Text
    raw: str
    parser: Callable[[Sequence[Token]], Parser] = field(default=lambda tokens: Parser(grammar(), tokens))
    context: Context = field(default_factory=lambda: Context(grammar()))
    unread: list[Unread] = field(default_factory=list)
    limits: list[Limit] = field(default_factory=list)
    bearer: Condition | None = None
    reasons: list[str] = field(default_factory=list)  # why words that parse were not understood
    asides: int = 0  # designer's notes and examples
    pointers: list[Unread] = field(default_factory=list)  # sentences that only say where a rule stands
    choice: Options | None = None  # a choice whose options stand below headings
    style: str = ""  # how the first heading of those options is written
    begun: int = 0  # what was unread when the last of them began
    gate: str = ""  # unread words on which the lines below depend
    follow_mark: str = ""  # of the bullet that says someone has the ability below
    waiting: Block | None = None  # an event after which nothing was said to happen: the next sentence tells it

    def rule(self, title: Title, kind: RuleKind, edition: EditionId | None) -> Rule:
        clauses = states_named(listed(abilities_named(as_clauses(freeze(self.context.base.do)))))
        c = self.context
        targets = (c.target, c.also_target, c.or_target)
        if c.army_rule:
            clauses = theirs(clauses)
        if c.binds:
            clauses, targets = named(clauses, c.binds), named(targets, c.binds)
        if not self.unread and (
            unbound((clauses, targets)) or idle(clauses) or (kind in _OF_UNITS and timeless(clauses))
        ):
            self.unread.append(Unread(self.raw, 0, len(self.raw)))
        read = bool(clauses or self.bearer or self.limits)
        if not read:
            self.unread.extend(self.pointers)
        if not read and not self.unread and self.asides:
            return Rule(title.name, kind=kind, edition=edition, tags=title.tags)
        status: Status = "none" if not clauses and not self.bearer else "partial" if self.unread else "full"
        if not read and not self.unread:
            self.unread.append(Unread(self.raw, 0, len(self.raw)))
        found = Rule(
            title.name,
            clauses,
            kind,
            edition,
            status,
            told_once(self.raw, self.unread),
            tuple(dict.fromkeys([*self.limits, *c.limits])),
            title.tags,
            self.bearer,
            *targets,
        )
        return (
            found
            if in_vocabulary(found)
            else Rule(
                title.name, kind=kind, edition=edition, status="none", unread=(Unread(self.raw, 0, len(self.raw)),)
            )
        )

    # ------------------------------------------------------------------------------------------------------ lines

    def lines(self, start: int, end: int) -> None:
        found = self.gathered(layout.lines(self.text.plain, start, end))
        under: Block | None = None  # the option a heading began
        done = 0
        for i, line in enumerate(found):
            if i < done:
                continue
            if layout.is_aside(self.text.plain, line):
                self.asides += 1
                continue
            if under is not None and self.dice_asked(line):
                continue
            if i + 1 < len(found) and (name := self.heading(line)):
                if self.over_options(found[i + 1 : i + 3]):
                    continue
                under = self.begin(name, line)
                continue
            if (last := self.last_labelled(found, i)) > i:
                self.labelled_block(under or self.context.base, line.start, found[last].end)
                done = last + 1
                continue
            begin, line.start = line.start, layout.after_label(self.text.plain, line)
            if line.start != begin:
                self.context.follow = None
            outer, self.context.base = self.context.base, under or self.context.base
            self.any_line(line)
            self.context.base = outer

    def last_labelled(self, found: list[Line], first: int) -> int:
        """The last line of a set of labelled parts, "When:", "Effect:", that begins here; -1 where none does."""
        plain = self.text.plain
        if layout.labelled(plain, found[first]) != "when":
            return -1
        last, effect = first, False
        for i in range(first + 1, len(found)):
            label = layout.labelled(plain, found[i])
            if label == "when" or (i + 1 < len(found) and self.heading(found[i])):
                break
            last, effect = i, effect or label == "effect"
        return last if effect else -1

    def labelled_block(self, base: Block, start: int, end: int) -> None:
        """Labelled parts within a rule: what happens when is a clause of its own, and its target is picked there."""
        c = self.context
        outer, c.base = c.base, base
        before = (c.target, c.also_target, c.or_target)
        c.target = c.also_target = c.or_target = None
        self.stratagem(start, end)
        block = base.do[-1]
        if (
            base.option and base.may and isinstance(block, Block) and len(base.do) == 2
        ):  # it is paid for when it happens
            block.do.insert(0, base.do.pop(0))
            block.may, base.may = base.may, None
        if c.also_target is not None or c.or_target is not None:
            self.unread.append(Unread(self.raw[self.text.origin(start) : self.text.origin(end)], start, end))
        c.target, c.also_target, c.or_target = before
        c.base = outer

    def gathered(self, found: list[Line]) -> list[Line]:
        """Bullets below a line that says only when are below a header, though it ends with a full stop."""
        rows: list[Line] = []
        header: Line | None = None
        for line in found:
            if line.bullet and header is not None:
                header.bullets.append(line)
                header.end = line.end
                continue
            rows.append(line)
            plain = not line.bullet and not line.bullets
            header = line if plain and self.says_when(line) else None
        return rows

    def says_when(self, line: Line) -> bool:
        sentences = layout.sentences(self.text.plain, line.start, line.end)
        last = sentences[-1] if sentences else []
        return len(last) > 3 and last[0].word in _ADVERBS and bool(self.parser(last).whole("adverbs", 0, len(last)))

    def heading(self, line: Line) -> str:
        """A line that is only a name: what stands below it is called that."""
        text = self.text.plain[line.start : line.end].strip()
        if line.bullet or line.bullets or not layout.is_heading(text):
            return ""
        rows = layout.sentences(self.text.plain, line.start, line.end)
        return "" if len(rows) != 1 or self.tree(rows[0]) is not None else text.rstrip(":")

    def new_option(self, options: Options, name: str, start: int, end: int) -> Block:
        """Another one of the things to choose from; what it costs, and what the dice must show, is said by its name."""
        block = Block(self.context.options_block, option=True)
        found = read_price(name)
        block.holds.extend(found.shown)
        if options.pool:
            cost = found.cost or options.cost
            block.may, block.name = "you", found.name
            if cost is None:
                self.unread.append(Unread(self.raw[start:end], start, end))
            else:
                block.do.append(vocabulary.Pool(options.pool, "spend", cost))
        options.options.append((found.name if found.shown or options.pool else name, block))
        if not (limits := read_title(name).limits):
            return block
        inner = Block(block, limits=list(limits))  # how often stands in a scope of its own
        block.do.append(inner)
        return inner

    def begin(self, name: str, line: Line) -> Block | None:
        """A heading after a choice is one of the things to choose from, if it is written like the others."""
        c = self.context
        c.heading = name
        if self.choice is None and c.options is not None and c.options.options:
            c.options = None  # its options stood in the lines above
        options = c.options or self.choice
        style = layout.style(name)
        idle = options is not None and options.options and not options.options[-1][1].do
        if options is not None and idle and self.begun == len(self.unread):  # that was a heading over the options
            options.options.pop()
            self.style = self.style if options.options else ""
        if options is None or (self.style and style != self.style):
            self.choice = c.options = None
            return None
        self.choice, c.options, self.style = options, None, style
        self.begun = len(self.unread)
        return self.new_option(options, read_title(name).name, line.start, line.end)

    def over_options(self, lines: list[Line]) -> bool:
        """Does a heading stand over the options of the choice just made, as these lines with names are?"""
        options, plain = self.context.options, self.text.plain
        named = [layout.NAMED.match(plain, line.start, line.end) for line in lines]
        waiting = options is not None and not options.options and len(lines) > 1
        return waiting and all(
            name is not None
            and layout.is_heading(name[1])
            and not layout.OATH.match(plain, name.start(), name.end())
            and not layout.labelled(plain, line)
            for name, line in zip(named, lines, strict=True)
        )

    def dice_asked(self, line: Line) -> bool:
        """A line below the name of an option that says only what the dice must show for it: "Any double 3+"."""
        shown = read_price(f"- {self.text.plain[line.start : line.end].strip()}").shown
        if not shown or self.choice is None or not self.choice.options:
            return False
        self.choice.options[-1][1].holds.extend(shown)
        return True

    def any_line(self, line: Line) -> None:
        if line.bullet and (options := self.context.options) is not None:  # of a choice made some sentences before
            self.option(options, line.start, line.end)
            self.context.options = options
        elif not line.bullets:
            self.line(line)
        elif (scope := self.context.follow) is not None and self.is_ability(line):
            self.below(scope, line)
        elif self.context.follow is not None or not self.named_line(line):
            self.listed(line)

    def is_ability(self, line: Line) -> bool:
        """ "Name: …": one more ability of those spoken of above."""
        plain = self.text.plain
        named = layout.NAMED.match(plain, line.start, line.own_end)
        return bool(named and layout.is_heading(named[1])) and not _ENDS_ABILITIES.search(
            plain, line.start, line.own_end
        )

    def line(self, line: Line) -> None:
        plain = self.text.plain[line.start : line.end]
        beside = bool(self.follow_mark) and line.mark == self.follow_mark
        if (below := self.context.follow) is not None and not beside and not _ENDS_ABILITIES.search(plain):
            self.below(below, line)
            return
        self.context.follow = None
        self.follow_mark = line.mark
        if self.oath_line(line):
            return
        if self.table_row(line) or self.named_line(line):
            return
        if self.gate:
            self.never(self.gate, lambda: self.sentences_of(line))
        else:
            self.sentences_of(line)

    def named_line(self, line: Line) -> bool:
        """ "Name: …" after a choice is one of its options; elsewhere the name only says what follows is called so."""
        plain = self.text.plain
        options = self.context.options or (self.choice if self.gate else None)
        named = layout.NAMED.match(plain, line.start, line.end)
        if named is None and options is not None:
            named = layout.TITLED.match(plain, line.start, line.end)
        if named is None:
            return self.cell_line(line)
        if options is not None and not self.of_round(named[1], line):
            self.option(options, line.start, line.end)
            self.context.options = options
            return True
        if layout.is_heading(named[1]) and self.tree(layout.sentences(plain, line.start, line.end)[0]) is None:
            line.start = named.end()
        return False

    def of_round(self, name: str, line: Line) -> bool:
        """ "Battle round 2: 6"", a row of the numbers of a battle round between a choice and its options."""
        rows = layout.sentences(self.text.plain, line.start, line.end)
        by_round = bool(self.context.number) and name.lower().startswith("battle round")
        return by_round and len(rows) == 1 and self.tree(rows[0]) is not None

    def cell_line(self, line: Line) -> bool:
        """A row of a table below a choice: one of its options, with its name."""
        cells = layout.CELL.match(self.text.plain, line.start, line.end)
        options = self.context.options or self.choice
        if cells is None or options is None:
            return False
        self.option(options, *cells.span(2), cells[1])
        self.context.options = options
        return True

    def oath_line(self, line: Line) -> bool:
        """ "Condition: …" and "Reward: …": what has to happen, and what is had from then on."""
        label = layout.OATH.match(self.text.plain, line.start, line.end)
        c = self.context
        if label is None:
            return False
        if not label[2]:
            c.oath = self.oath_named()
            rows = layout.sentences(self.text.plain, label.end(), line.end)
            if len(rows) == 1 and self.fulfilled(rows[0]):
                return True
            for row in rows:
                self.sentence(row)
            return True
        outer, c.base = c.base, c.open(c.base)
        c.base.holds.append(About(Select("army", ref="you"), HasState(self.oath_named())))
        self.sentences_of(Line(label.end(), line.end))
        c.base = outer
        return True

    def oath_named(self) -> str:
        """The state of having done what the oath asks for, by the name over it."""
        named = next((one.name for one in self.context.base.chain() if one.name), "") or self.context.heading or "oath"
        return f"{read_title(named).name.lower()} fulfilled"

    def fulfilled(self, words: list[Token]) -> bool:
        """Read what has to happen, or hold, for an oath."""
        start = words[0].start
        tree = None
        for lead in (("each", "time"), ("if",)):  # something that happens, or that holds
            said = [*(Token(word, word, Kind.WORD, start, start) for word in lead), *words]
            tree = tree or self.parser(said).whole("adverb", 0, len(said))
        if tree is None:
            return False

        def build() -> None:
            block, said = sentences.open_scope(self.context, tree)
            block.holds.extend(condition for _, condition in said.unless_named)
            with self.context.inside(block):
                self.context.put(vocabulary.SetState(self.context.oath, Select("army", ref="you")))

        return self.attempt(build)

    def table_row(self, line: Line) -> bool:
        """ "2-5: …" below dice, "3+: …" below what a pool gives."""
        row = layout.ROW.match(self.text.plain, layout.numbered(self.text.plain, line), line.end)
        c = self.context
        if row is not None and c.by_rows and c.gate is None:  # what was said of those dice was not read
            self.never("the result of the roll", lambda: self.sentences_of(Line(row.end(), line.end)))
            return True
        if row is None or (c.table is None and c.gate is None) or c.options is not None:
            return False
        low, high = int(row[1]), int(row[2]) if row[2] else None if row[3] else int(row[1])
        if c.table is not None:
            block = c.open(c.table[1])
            block.holds.append(c.table[0](low, high))
        else:
            assert c.gate is not None
            block = Block(c.gate_block)
            c.gate.rows.append((low, high, block))
        gate, outer, c.base = (c.gate, c.gate_block), c.base, block
        self.sentences_of(Line(row.end(), line.end))
        (c.gate, c.gate_block), c.base, c.last = gate, outer, outer
        c.pieces += 1
        return True

    def sentences_of(self, line: Line) -> None:
        self.waiting = None
        for tokens in layout.sentences(self.text.plain, line.start, line.end):
            self.sentence(tokens)

    def never(self, words: str, read: Callable[[], None]) -> None:
        """Read what depends on words that were not read: it is kept, and never holds."""
        c = self.context
        outer, c.base = c.base, c.open(c.base)
        c.base.holds.append(Unknown(words))
        read()
        c.base = outer

    def below(self, scope: Block, line: Line) -> None:
        """A line of "the following ability", in the scope that has it."""
        start, name = line.start, ""
        if named := layout.NAMED.match(self.text.plain, line.start, line.end):
            name, start = named[1].strip(), named.end()
        c = self.context
        block = c.open(scope)
        if c.given is not None and c.given.block is scope:
            c.given.name = c.given.name or read_title(name).name
        else:
            block.name = read_title(name).name
        outer, c.base, c.follow = c.base, block, None
        if line.bullets:
            self.listed(replace(line, start=start))
        else:
            self.sentences_of(Line(start, line.end))
        c.base, c.follow = outer, scope

    def listed(self, header: Line) -> None:
        """A header that its bullets complete; or else a sentence, and the bullets as sentences after it."""
        rows = layout.sentences(self.text.plain, header.start, header.own_end)
        for tokens in rows[:-1]:
            self.sentence(tokens)
        self.complete(rows[-1] if rows else [], header.bullets)

    def complete(self, head: list[Token], lines: list[Line]) -> None:
        """The bullets below a header, which it may need to be whole."""
        if head and head[-1].word == ":":
            head = head[:-1]
        joined = bool(head) and head[-1].word == "and"
        head = head[:-1] if joined else head
        bullets = [layout.sentences(self.text.plain, line.start, line.own_end) for line in lines]
        if (options := self.context.options) is not None and not options.options and head:
            if self.tree(head) is None or any(self.tree([*head, *row[0]]) for row in bullets if row):
                self.completed_options(options, head, bullets)
                return
            self.sentence(head)  # said of the choice before its options are told
            for line in lines:
                self.option(options, line.start, line.end)
            return
        if self.names_list(head, bullets):
            return
        if (
            all(len(row) == 1 for row in bullets)
            and (whole := self.conditions(head, bullets))
            and (self.tree(head) is None or self.tree(whole) is not None)
        ):
            self.sentence(whole)
            return
        if self.each_of_them(head, bullets) or self.alternatives(head, lines) or self.either_way(head, lines):
            return
        if self.given_below(head, lines, bullets):
            return
        if cut := self.hanging(head):
            self.sentence(head[: cut[0]])
            self.complete(head[cut[1] :], lines)
            return
        alone = self.tree(head) is not None
        scoped = bool(head) and self.parser(head).whole("adverbs", 0, len(head)) is not None
        if scoped or (not alone and any(self.tree(self.completed(head, row[0])) for row in bullets if row)):
            act, where, last = self.context.act, self.context.act_block, self.context.last
            for row, line in zip(bullets, lines, strict=True):
                if scoped and act is not None:
                    self.context.act, self.context.act_block = act, where
                if scoped:  # each goes on with what was said before the header, not with the one above it
                    self.context.last = last
                if line.bullets:
                    for tokens in row[:-1]:
                        self.sentence(self.completed(head, tokens))
                    self.complete(self.completed(head, row[-1]), line.bullets)
                    continue
                whole = self.completed(head, row[0])
                self.sentence(row[0] if not scoped and not alone and self.stands_alone(whole, row[0]) else whole)
                for tokens in row[1:]:
                    self.sentence(tokens)
            return
        self.context.options = self.context.below = None
        before = len(self.unread)
        self.sentence(head)
        if (options := self.context.options) is not None:
            for line in lines:
                self.option(options, line.start, line.end)
            return
        if len(self.unread) > before:
            self.never(phrase(head), lambda: self.rows(lines))
        elif scope := self.context.below or (self.context.last if joined else None):
            outer, self.context.base = self.context.base, scope
            self.rows(lines)
            self.context.base = outer
        else:
            self.rows(lines)

    def given_below(self, head: list[Token], lines: list[Line], bullets: list[list[list[Token]]]) -> bool:
        """ "These units have:", where each bullet is a sentence about "this unit": they are abilities given."""
        if not head or head[-1].word not in _HAVING or any(not row or not _of_bearer(row[0]) for row in bullets):
            return False
        end = head[-1].end
        named = [Token(word, word, Kind.WORD, end, end) for word in ("the", "following", "abilities")]
        if any(self.tree(row[0]) is None for row in bullets) or self.tree([*head, *named]) is None:
            return False
        self.sentence([*head, *named])
        scope = self.context.follow
        if scope is None:
            return False
        for line in lines:
            self.below(scope, line)
        self.context.follow = None
        return True

    def stands_alone(self, whole: list[Token], bullet: list[Token]) -> bool:
        """A bullet that no header is about, though it is set below one: it names all that it speaks of."""
        return self.tree(whole) is None and bullet[0].word not in _POINTING and self.tree(bullet) is not None

    def hanging(self, head: list[Token]) -> tuple[int, int] | None:
        """Where a sentence ends and what encloses the bullets begins: "can shoot, but when doing so:"; None if nowhere."""
        for at in range(len(head) - 1, 0, -1):
            if head[at].word in (",", ";", "but", "and"):
                begin = at + 1
                while begin < len(head) and head[begin].word in ("but", "and", "then", ","):
                    begin += 1
                rest = head[begin:]
                enclosing = bool(rest) and Parser(grammar(), rest).whole("adverbs", 0, len(rest)) is not None
                end = at - 1 if head[at - 1].word in ("and", "but", "then") else at
                if enclosing and self.tree(head[:end]) is not None:
                    return end, begin
        return None

    def rows(self, lines: list[Line]) -> None:
        for line in lines:
            self.any_line(line)

    def completed_options(self, options: Options, head: list[Token], bullets: list[list[list[Token]]]) -> None:
        """A choice made before, whose options are the ways in which the bullets complete the header."""
        c = self.context
        outer = c.base
        for row in bullets:
            c.base = self.new_option(options, "", row[0][0].start, row[-1][-1].end)
            for tokens in [self.completed(head, row[0]), *row[1:]]:
                self.sentence(tokens)
        c.base = outer

    def conditions(self, head: list[Token], bullets: list[list[list[Token]]]) -> list[Token] | None:
        """ "… if all of the following are true": the header with its bullets in that place; None if it has none."""
        words = [token.word for token in head]
        for at in range(len(words)):
            if found := layout.ALL_TRUE.match(" ".join(words[at:])):
                end = at + len(found[0].split())
                link = Token("and" if found[1] in ("all", "both", "each") else "or", "", Kind.WORD, head[at].start, 0)
                joined: list[Token] = []
                for row in bullets:
                    joined.extend([*([link] if joined else []), *row[0]])
                return [*head[:at], *joined, *head[end:]]
        return None

    def each_of_them(self, head: list[Token], bullets: list[list[list[Token]]]) -> bool:
        """ "Each time one of the following occurs, …": the header with every bullet in that place."""
        words = " ".join(token.word for token in head)
        found = layout.OCCURS.search(words)
        if found is None or any(not row for row in bullets):
            return False
        start, end = len(words[: found.start()].split()), len(words[: found.end()].split())
        for row in bullets:
            whole = [*head[:start], *row[0], *head[end:]]
            if self.tree(whole) is None:
                self.skip(row[0])
                continue
            self.sentence(whole)
            for tokens in row[1:]:
                self.sentence(tokens)
        return True

    def completed(self, head: list[Token], bullet: list[Token]) -> list[Token]:
        """The header and the bullet as one sentence; a condition of the bullet goes first, one about its attacks last."""
        if self.tree([*head, *bullet]) is not None:
            return [*head, *bullet]
        if head and self.parser(head).whole("adverbs", 0, len(head)) is not None:
            return [*head, Token(",", ",", Kind.PUNCT, head[-1].end, head[-1].end), *bullet]
        parser = self.parser(bullet)
        for tree in parser.all("adverb", 0):
            if tree.end < len(bullet) and bullet[tree.end].word == ",":
                turned = [*bullet[: tree.end + 1], *head, *bullet[tree.end + 1 :]]
                last = [*head, *bullet[tree.end + 1 :], *bullet[: tree.end]]
                of_attacks = any(token.word in _OF_ATTACKS for token in bullet[: tree.end])
                for whole in (last, turned) if of_attacks else (turned,):
                    if self.tree(whole) is not None:
                        return whole
        return [*head, *bullet]

    def option(self, options: Options, start: int, end: int, name: str = "") -> None:
        """One of the things to choose from, with its name if it has one."""
        plain = self.text.plain
        if named := layout.NAMED.match(plain, start, end) or layout.TITLED.match(plain, start, end):
            name, start = named[1].strip(), named.end()
        c = self.context
        block = self.new_option(options, name, start, end)
        outer, c.base, c.options, c.option_of = c.base, block, None, options
        for line in layout.lines(plain, start, end):
            self.any_line(line)
        c.base, c.option_of = outer, None

    def alternatives(self, head: list[Token], bullets: list[Line]) -> bool:
        """ "… have: [A]", "Or: [B]": one of the bullets."""
        plain = self.text.plain
        marks = [_OR.match(plain, line.start, line.end) for line in bullets]
        if len(bullets) != 2 or not marks[1] or marks[0]:
            return False
        options = Options()
        c = self.context
        block = Block(c.base)
        block.do.append(options)
        trees = []
        for line, mark in zip(bullets, marks, strict=True):
            rows = layout.sentences(plain, mark.end() if mark else line.start, line.end)
            tree = self.tree([*head, *rows[0]]) if len(rows) == 1 else None
            if tree is None:
                return False
            trees.append(tree)
        saved, (c.root, c.parent) = c.save(), (block, None)
        try:
            for tree in trees:
                option = Block(block)
                options.options.append(("", option))
                with c.inside(option):
                    c.build(tree)
        except Reject as reason:
            self.reasons.append(str(reason))
            c.restore(saved)
            c.root = None
            return False
        _choose_when(block, options)
        self.attach(block)
        c.root = None
        return True

    def either_way(self, head: list[Token], bullets: list[Line]) -> bool:
        """ "You can: do this", "Or: do that": a choice of what the bullets say."""
        plain = self.text.plain
        marks = [_OR.match(plain, line.start, line.end) for line in bullets]
        if len(bullets) < 2 or marks[0] or not all(marks[1:]) or [token.word for token in head[-2:]] != ["you", "can"]:
            return False
        end = head[-1].end
        whole = [*head, *(Token(word, word, Kind.WORD, end, end) for word in ("do", "one", "of", "the", "following"))]
        if self.tree(whole) is None:
            return False
        self.context.options = None
        self.sentence(whole)
        if (options := self.context.options) is None:
            return False
        for line, mark in zip(bullets, marks, strict=True):
            self.option(options, mark.end() if mark else line.start, line.end)
        return True

    def names_list(self, head: list[Token], bullets: list[list[list[Token]]]) -> bool:
        """A header whose bullets are the items of one list: "can be attached to the following units"."""
        if not head or any(len(row) != 1 or len(row[0]) > 20 for row in bullets):
            return False
        if any(self.tree(row[0]) is not None for row in bullets if len(row[0]) > 1):
            return False
        end = head[-1].end
        colon, comma = Token(":", ":", Kind.PUNCT, end, end), Token(",", ",", Kind.PUNCT, end, end)
        tokens = [*head, colon]
        attaching = any(token.word in ("attached", "join") for token in head)
        for i, row in enumerate(bullets):
            name = layout.as_name(row[0]) if attaching else row[0]
            tokens.extend([comma, *name] if i else name)
        tree = self.tree(tokens)
        return tree is not None and self.attempt(lambda: self.one_list(tree))

    def one_list(self, tree: Tree) -> None:
        """The header and its list in one: no choice whose options the bullets are."""
        self.context.build(tree)
        if self.context.options is not None and not self.context.options.options:
            raise Reject("a choice of what stands below")

    def tree(self, tokens: Sequence[Token]) -> Tree | None:
        return self.parser(tokens).whole("clauses", 0, len(tokens))

    # -------------------------------------------------------------------------------------------------- sentences

    def sentence(self, tokens: list[Token]) -> None:
        """Read a sentence whole, or what can be read of it."""
        if self.context.follow is not None:
            self.of_ability(tokens)
            return
        if layout.only_points_elsewhere(tokens):
            self.pointers.append(self.words(tokens))
            return
        tokens = self.leading_limit(tokens)
        if not tokens or self.bearer_line(tokens):
            return
        if self.waiting is not None and self.waiting.may and tokens[0].word not in _DOING:
            self.waiting = None
        self.context.answered = _ANSWER.match(self.text.plain, tokens[-1].end) is not None or _answers_itself(tokens)
        parser = self.parser(tokens)
        tree = parser.whole("clauses", 0, len(tokens))
        options = self.inline_options(tokens)
        build = self.one_list if options else self.context.build
        if tree is not None and self.attempt(lambda: build(tree), then=any(token.word == "then" for token in tokens)):
            return
        if self.reasons and self.reasons[-1] == _AFTER_WHAT:
            self.skip(tokens)
            return
        if options:
            self.complete(options[0], options[1])
        elif self.with_subjects(tokens):
            return
        else:
            Pieces(self, parser, tokens).read()

    def with_subjects(self, tokens: list[Token]) -> bool:
        """ "Your unit has Stealth and cannot charge": the second half speaks of the same, as if it said "it"."""
        for whole in layout.with_subjects(tokens):
            tree = self.tree(whole)
            if tree is not None and self.attempt(partial(self.context.build, tree)):
                return True
        return False

    def inline_options(self, tokens: list[Token]) -> tuple[list[Token], list[Line]] | None:
        """ "Select one of the following: this; that": the header, and its options as if they stood in lines."""
        colon = next((i for i, token in enumerate(tokens) if token.word == ":"), 0)
        marks = [i for i, token in enumerate(tokens) if token.word == ";" and i > colon]
        if not colon or not marks or all(token.word != "following" for token in tokens[:colon]):
            return None
        starts = [colon, *marks]
        ends = [*marks, len(tokens)]
        lines = []
        for start, end in zip(starts, ends, strict=True):
            first = start + 1 + (start + 1 < end and tokens[start + 1].word in ("or", "and"))
            if first < end:
                lines.append(Line(tokens[first].start, tokens[end - 1].end, "■", own_end=tokens[end - 1].end))
        return tokens[:colon], lines

    def of_ability(self, tokens: list[Token]) -> None:
        """A sentence of "the following ability", with its name before a colon."""
        c = self.context
        scope, c.follow = c.follow, None
        colon = next((i for i, token in enumerate(tokens[:8]) if token.word == ":"), 0)
        if colon and tokens[0].kind & Kind.CAP and tokens[0].word != "or" and colon + 1 < len(tokens):
            if c.given is not None and c.given.block is scope:
                c.given.name = c.given.name or phrase(tokens[:colon])
            tokens = tokens[colon + 1 :]
        outer, c.base = c.base, c.open(scope)
        self.sentence(tokens)
        c.base, c.follow = outer, scope

    def leading_limit(self, tokens: list[Token]) -> list[Token]:
        """A bracket before the first sentence may hold the limits of the rule."""
        if tokens[0].word != "(" or self.context.pieces:
            return tokens
        close = next((i for i, token in enumerate(tokens) if token.word == ")"), 0)
        found = read_limits(self.text.plain[tokens[0].end : tokens[close].start]) if close else ()
        self.limits.extend(found)
        return tokens[close + 1 :] if found else tokens

    def bearer_line(self, tokens: list[Token]) -> bool:
        """ "KW model only", "it cannot be given to such models": who may have this."""
        given = any(token.word in ("given", "taken") for token in tokens)
        if not given and (self.bearer is not None or all(token.word != "only" for token in tokens)):
            return False
        tree = self.parser(tokens).whole("bearer", 0, len(tokens))
        if tree is None:
            return False
        try:
            self.bearer = conj([self.bearer, self.context.build(tree)])
        except Reject:
            return False
        self.context.mentions.clear()
        return True

    def bare(self, own: Block) -> bool:
        """ "This unit is then destroyed": after what, where nothing says when?"""
        c = self.context
        around = [*own.chain(), *(c.parent or self.waiting or c.base).chain()]
        once = (*AT_ONCE, vocabulary.ShockTest)
        return all(block.when == STATIC for block in around) and any(isinstance(item, once) for item in own.do)

    def attempt(self, build: Callable[[], Any], root: Block | None = None, then: bool = False) -> bool:
        """Build in a scope of its own; keep it where the text says, or undo all of it."""
        c = self.context
        saved = c.save()
        own = root or Block()
        c.root, c.parent, c.before, c.objective_block = own, None, c.last, None
        try:
            with c.inside(own):
                build()
            if then and self.bare(own):
                raise Reject(_AFTER_WHAT)
        except Reject as reason:
            c.restore(saved)
            c.root = None
            self.reasons.append(str(reason))
            return False
        if root is None:
            self.attach(own)
            self.waiting = waiting(own)
        c.root = None
        return True

    def attach(self, own: Block) -> None:
        base = self.context.base
        parent = self.context.parent or self.waiting or base
        if base not in parent.chain():
            parent = base
        parent = sentences.out_of_roll(own, parent, base)
        own.parent = parent
        if own.do:
            parent.do.append(own)

    def skip(self, tokens: Sequence[Token]) -> None:
        """These words were not read."""
        self.unread.append(self.words(tokens))
        words = {token.word for token in tokens}
        options = self.context.options
        if options is not None and not options.options:  # what its options mean was not read
            self.choice, self.gate = options, phrase(tokens)
        if words & {"below", "following"} or (
            words & {"select", "choose"} and (words & {"ability", "abilities", "option"} or not words & _SELECTED)
        ):
            self.gate = phrase(tokens)
        if words & {"roll", "d6"} and layout.ROW.match(
            self.text.plain, self.text.plain.find("\n", tokens[-1].end - 1) + 1
        ):
            self.gate = phrase(tokens)  # the results stand in the lines below
        self.context.forget(phrase(tokens))

    def words(self, tokens: Sequence[Token]) -> Unread:
        """The words of the text, and where they stand."""
        start, end = self.text.origin(tokens[0].start), self.text.origin(tokens[-1].end - 1) + 1
        return Unread(self.raw[start:end], start, end)

    # ------------------------------------------------------------------------------------------------- stratagems

    def stratagem(self, start: int = 0, end: int | None = None) -> None:
        """WHEN, TARGET, EFFECT, RESTRICTIONS: one clause about the target; within a rule, the target is picked in it."""
        plain = self.text.plain
        found = layout.parts(plain, start, end)
        block = Block(self.context.base)
        if "when" in found:
            with self.context.inside(block):
                self.part(found["when"], "whenline", lambda trigger: self.when(block, trigger))
        if "target" in found:
            with self.context.inside(block):
                self.part(found["target"], "targetline", self.aim)
        self.context.base.do.append(block)
        if end is not None and self.context.target is not None:
            block.do.append(Pick(self.context.target))
        outer, self.context.base = self.context.base, block
        for part in ("effect", "restriction"):
            if part in found:
                if part == "restriction":
                    self.restrictions(block)
                self.lines(*found[part])
        if not found:
            self.lines(0, len(plain))
        self.context.base = outer

    def restrictions(self, block: Block) -> None:
        """Restrictions speak of the stratagem's target, whatever its effect spoke of last."""
        c = self.context
        c.last, c.attack = block, None
        if c.target is not None:
            c.it, c.it_block = phrases.YOUR, block

    def when(self, block: Block, trigger: Any) -> None:
        block.when = trigger.when if isinstance(trigger, sentences.Scope) else trigger
        if isinstance(trigger, sentences.Scope):
            block.holds.extend(trigger.holds)
        for mention in self.context.mentions:
            mention.block = block
        self.context.last = block
        if isinstance(block.when, vocabulary.PerAttack):
            self.context.attack = block

    def aim(self, target: Select) -> None:
        """The context keeps the target, as later sentences narrow it."""

    def part(self, where: tuple[int, int], kind: str, use: Callable[[Any], None]) -> None:
        rows = layout.sentences(self.text.plain, *where)
        for i, tokens in enumerate(rows):
            tree = self.parser(tokens).whole(kind if i == 0 else "targetline_more", 0, len(tokens))
            read, value = self.value(tree)
            if not read:
                self.skip(tokens)
                self.context.forgot = False
                if i == 0 and kind == "whenline":
                    self.context.block.holds.append(Unknown(phrase(tokens)))
                if i == 0 and kind == "targetline":
                    self.context.target = Select("unit", bind="your unit", where=Unknown(phrase(tokens)))
            elif value is not None:
                use(value)

    def value(self, tree: Tree | None) -> tuple[bool, Any]:
        """Was it read, and what it means."""
        if tree is None:
            return False, None
        saved = self.context.save()
        try:
            return True, self.context.build(tree)
        except Reject as reason:
            self.context.restore(saved)
            self.reasons.append(str(reason))
            return False, None


def _choose_when(block: Block, options: Options) -> None:
    """What happens before every one of the options happens before the choice is made."""
    found = [part for _, option in options.options for part in option.do]
    events = (vocabulary.Event, vocabulary.AnyOf)
    inner = [part for part in found if isinstance(part, Block) and isinstance(part.when, events)]
    if not len(found) == len(inner) == len(options.options):
        return
    first = inner[0]
    if any((one.when, one.holds, one.may) != (first.when, first.holds, first.may) for one in inner):
        return
    block.when, block.holds, block.may, block.limits = first.when, first.holds, first.may, first.limits
    for one in inner:
        one.when, one.holds, one.may, one.limits = STATIC, [], None, []
        one.parent = block


# ----------------------------------------------------------------------------------------- sentences not read whole

_ADVERBS_TEXT = """
    if while when whenever until each after before once at in during unless provided on for the start end just otherwise
"""
_ADVERBS = frozenset(_ADVERBS_TEXT.split())
#: words of a condition that speaks of the attacks just named
_OF_ATTACKS = frozenset(("target", "targets", "attack", "attacks"))

_RESTRICTS_TEXT = """
    but only provided unless if while to except excluding or instead until as up even
"""
_RESTRICTS = frozenset(_RESTRICTS_TEXT.split())


#: what is selected on the battlefield; of anything else that is selected the lines below may tell
_SELECTED_TEXT = """
    unit units model models weapon weapons objective objectives terrain marker markers stratagem dice die point target
    targets
"""
_SELECTED = frozenset(_SELECTED_TEXT.split())

_STARTERS_TEXT = """
    if while when whenever until each after before once at in during unless provided on for you it they this that those your
    roll select add subtract improve worsen re-roll models model can cannot must is are has have does do one its the change
    make set remove place return give take increase reduce halve double enemy friendly all any ranged melee weapons
"""
_STARTERS = frozenset(_STARTERS_TEXT.split())


@dataclass
class Pieces:
    """A sentence read clause by clause; a clause that was not read takes with it all that hangs on it."""

    reading: Reading
    parser: Parser
    tokens: list[Token]
    read_any: bool = False

    def read(self) -> None:
        r, n = self.reading, len(self.tokens)
        marks = layout.cuts(self.tokens)
        root = Block()
        scope, at = root, 0
        before = len(r.unread)
        saved = r.context.save()
        r.context.root = root
        while at < n:
            if self.tokens[at].word in (",", ";", ":", "and", "then"):
                at += 1
                continue
            done, opened = None, self.adverb(scope, at, marks)  # it encloses all that follows in the sentence
            if opened is not None:
                scope, done = opened
            else:
                done = self.clause(scope, at, marks)
            if done is None:
                done = self.clause_end(at, marks)
                if self.read_any and self.tokens[at].word in _RESTRICTS:
                    if self.told_elsewhere(saved):
                        del r.unread[before:]
                        r.context.restore(saved)
                        r.skip(self.tokens)
                        return
                    root.holds.append(Unknown(phrase(self.tokens[at:done])))  # of all that was said before it
                r.skip(self.tokens[at:done])
                scope = self.without(scope, at, done)
            at = done
        r.context.root = root
        r.attach(root)
        r.context.root = None

    def told_elsewhere(self, saved: dict[str, Any]) -> bool:
        """Did the sentence change more of the rule than what stands in its own scope?"""
        c = self.reading.context
        outer = ("target", "also_target", "or_target", "limits", "binds")
        return len(c.undo) > saved["undo"] or any(getattr(c, name) != saved[name] for name in outer)

    def clause_end(self, at: int, marks: list[int]) -> int:
        """Where an unread clause ends: at a mark after which another clause begins."""
        ends = [mark for mark in marks if mark > at]
        for mark in ends[:-1]:
            after = min(mark + 1, len(self.tokens) - 1)
            while after < len(self.tokens) - 1 and self.tokens[after].word in ("and", "then", "or"):
                after += 1
            if self.tokens[mark].word in (";", ":") or self.tokens[after].word in _STARTERS:
                return mark
        return ends[-1]

    def clause(self, scope: Block, at: int, marks: list[int]) -> int | None:
        trees = [tree for tree in self.parser.all("clauses", at) if tree.end in marks]
        for read in (self._in, self.supposed):
            for tree in trees:
                if read(scope, partial(self.reading.context.build, tree)):
                    self.read_any = True
                    return tree.end
        return None

    def supposed(self, scope: Block, build: Callable[[], Any]) -> bool:
        """Read what speaks of words that were not read: it is kept, and never holds."""
        c = self.reading.context
        words, changed = c.not_read(), len(c.undo)
        if not words:
            return False
        block = Block(scope, holds=[Unknown(words)])

        def suppose() -> None:
            scope.do.append(block)
            with c.supposing(block), c.inside(block):
                build()
            if len(c.undo) > changed:
                raise Reject("changes what was read")

        return self._in(scope, suppose)

    def _in(self, scope: Block, build: Callable[[], Any]) -> bool:
        c = self.reading.context
        saved, size = c.save(), len(scope.do)
        try:
            with c.inside(scope):
                build()
        except Reject as reason:
            c.restore(saved)
            self.reading.reasons.append(str(reason))
            del scope.do[size:]
            return False
        return True

    def adverb(self, scope: Block, at: int, marks: list[int]) -> tuple[Block, int] | None:
        c = self.reading.context
        trees = [tree for tree in self.parser.all("adverb", at) if tree.end in marks and tree.end < len(self.tokens)]
        opened: list[Block] = []

        def build(tree: Tree) -> None:
            block, said = sentences.open_scope(c, tree)
            block.holds.extend(condition for _, condition in said.unless_named)
            opened.append(block)

        for read in (self._in, self.supposed):
            for tree in trees:
                if read(scope, partial(build, tree)):
                    return opened[-1], tree.end
        return None

    def without(self, scope: Block, at: int, end: int) -> Block:
        """What follows an unread condition is kept under a condition that never holds."""
        if self.tokens[at].word not in _ADVERBS:
            return scope
        block = self.reading.context.open(scope)
        block.holds.append(Unknown(phrase(self.tokens[at:end])))
        return block
