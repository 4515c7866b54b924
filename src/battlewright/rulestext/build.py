"""A text to a Rule: whole sentences first, their clauses where that fails, and the rest named as unread."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Any

from battlewright import effects as vocabulary
from battlewright.codec import convert, to_builtins
from battlewright.effects import (
    About,
    Condition,
    EditionId,
    HasState,
    Limit,
    Rule,
    RuleKind,
    Select,
    Status,
    Unknown,
    Unread,
)
from battlewright.errors import BadInput
from battlewright.rulestext import layout
from battlewright.rulestext.blocks import (
    AT_ONCE,
    STATIC,
    Block,
    Options,
    abilities_named,
    as_clauses,
    conj,
    deeds_named,
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
from battlewright.rulestext.builders import sentences
from battlewright.rulestext.bullets import Bullets
from battlewright.rulestext.context import UNIT, Context, Reject
from battlewright.rulestext.language import grammar
from battlewright.rulestext.layout import Line
from battlewright.rulestext.normalise import Text, clean
from battlewright.rulestext.parse import Parser, Tree
from battlewright.rulestext.parts import Parts
from battlewright.rulestext.pieces import ADVERBS, MOMENTS, Pieces
from battlewright.rulestext.titles import Title, read_limits, read_price, read_title
from battlewright.rulestext.tokens import Kind, Token
from battlewright.rulestext.words import (
    phrase,
)

LONGEST = 12_000


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
        Parts(reading).read()
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
#: words that begin something else below the abilities someone has: the abilities of others, or of the detachment itself,
#: or whom an army may include
_ENDS_ABILITIES = re.compile(
    r"\bha(?:s|ve) the following abilit(?:y|ies)\W*$|^\W*this detachment\b|^\W*(?:[^.:]{2,60}: )?you can include\b",
    re.I,
)

#: what is selected on the battlefield; of anything else that is selected the lines below may tell
_SELECTED_TEXT = """
    unit units model models weapon weapons objective objectives terrain marker markers stratagem dice die point target
    targets
"""
_SELECTED = frozenset(_SELECTED_TEXT.split())

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
        clauses = deeds_named(states_named(listed(abilities_named(as_clauses(freeze(self.context.base.do))))))
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
            if under is not None and under.do and layout.of_all_options(self.text.plain, line):
                under = None
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
        Parts(self).read(start, end)
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
        return len(last) > 3 and last[0].word in ADVERBS and bool(self.parser(last).whole("adverbs", 0, len(last)))

    def heading(self, line: Line) -> str:
        """A line that is only a name: what stands below it is called that."""
        text = self.text.plain[line.start : line.end].strip()
        if line.bullet or line.bullets or not layout.is_heading(text):
            return ""
        begin = layout.after_number(self.text.plain, line)
        rows = layout.sentences(self.text.plain, begin, line.end)
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
            Bullets(self).listed(line)

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
        option = self.perhaps_option(line)
        if self.round_line(line) or self.table_row(line) or self.named_line(line):
            return
        if self.gate or option:
            self.never(self.gate or self.unread[-1].text, lambda: self.sentences_of(line))
        else:
            self.sentences_of(line)

    def perhaps_option(self, line: Line) -> bool:
        """Below unread words of an army's rule, what has a name and says what "this unit" does may be one of several."""
        named = layout.NAMED.match(self.text.plain, line.start, line.end)
        if named is None or not self.unread or not self.context.army_rule or not layout.is_heading(named[1]):
            return False
        words = self.text.plain[named.end() : line.end].split()[:40]
        return words[:1] == ["Select"] or any(pair in (("this", "unit"), ("this", "model")) for pair in pairwise(words))

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
        c.base.holds.append(About(self.sworn(), HasState(self.oath_named())))
        self.sentences_of(Line(label.end(), line.end))
        c.base = outer
        return True

    def oath_named(self) -> str:
        """The state of having done what the oath asks for, by the name over it."""
        if self.context.oath_kind:
            return self.context.oath_kind
        options = self.context.options or self.choice
        below = options.options[-1][0] if options is not None and options.options else ""
        named = (
            next((one.name for one in self.context.base.chain() if one.name), below) or self.context.heading or "oath"
        )
        return f"{layout.without_number(read_title(named).name).lower()} fulfilled"

    def sworn(self) -> Select:
        """Whose oath it is: the army's, or that of each of those who chose one."""
        options = self.context.options or self.choice
        return UNIT if options is not None and options.given else Select("army", ref="you")

    def fulfilled(self, words: list[Token]) -> bool:
        """Read what has to happen, or hold, for an oath."""
        start = words[0].start
        first = next((i + 1 for i, token in enumerate(words) if token.word == ","), 0)
        first = first if first and self.parser(words).whole("adverb", 0, first - 1) is not None else 0
        moment = self.parser(words).whole("adverb", 0, first - 1) if first else None
        tree = None
        for lead in (
            ("each", "time"),
            ("if",),
            ("each", "time", "you"),
            ("if", "you"),
        ):  # what happens, holds, or is done
            said = [*(Token(word, word, Kind.WORD, start, start) for word in lead), *words[first:]]
            tree = tree or self.parser(said).whole("adverb", 0, len(said))
        if tree is None:
            return False
        found = tree

        def build() -> None:
            block, said = sentences.open_scope(self.context, moment) if moment else (self.context.block, None)
            with self.context.inside(block):
                block, said = sentences.open_scope(self.context, found)
            block.holds.extend(condition for _, condition in said.unless_named)
            with self.context.inside(block):
                self.context.put(vocabulary.SetState(self.context.oath, self.sworn()))

        return self.attempt(build)

    def round_line(self, line: Line) -> bool:
        """ "Battle round 2: …", where that is no row of numbers and no option: what holds then."""
        c = self.context
        found = layout.round_line(self.text.plain, line)
        if found is None or c.options is not None or c.table is not None or c.number or c.gate is not None:
            return False
        outer, c.base = c.base, c.open(c.base)
        c.base.holds.append(vocabulary.Round(*found[:2]))
        self.sentences_of(Line(self.after_name(found[2], line.end), line.end))
        c.base = outer
        return True

    def after_name(self, start: int, end: int) -> int:
        """Where the words begin, behind a name: "Winter. …", "Winter: …"."""
        plain = self.text.plain
        named = layout.NAMED.match(plain, start, end) or layout.TITLED.match(plain, start, end)
        return named.end() if named and layout.is_heading(named[1]) else start

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
        if c.table is not None and not row[2] and layout.are_cumulative(self.text.plain):
            high = None  # who has more has this, too
        if c.table is not None:
            block = c.open(c.table[1])
            block.holds.append(c.table[0](low, high))
        else:
            assert c.gate is not None
            block = Block(c.gate_block)
            c.gate.rows.append((low, high, block))
        gate, outer, c.base = (c.gate, c.gate_block), c.base, block
        begin = layout.after_lower(self.text.plain, row.end(), line.end)
        self.sentences_of(Line(self.after_name(begin, line.end), line.end))
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
        outer, c.base, c.follow, c.had_by = c.base, block, None, c.follower
        if line.bullets:
            Bullets(self).listed(replace(line, start=start))
        else:
            self.sentences_of(Line(start, line.end))
        c.base, c.follow, c.had_by = outer, scope, None

    def option(self, options: Options, start: int, end: int, name: str = "") -> None:
        """One of the things to choose from, with its name if it has one."""
        plain = self.text.plain
        if named := layout.NAMED.match(plain, start, end) or layout.TITLED.match(plain, start, end):
            name, start = named[1].strip(), named.end()
        c = self.context
        block = self.new_option(options, name, start, end)
        if block.holds:  # the name said what the dice must show: another may follow
            start = self.after_name(start, end)
        outer, c.base, c.options, c.option_of, c.had_by = c.base, block, None, options, options.who
        for line in layout.lines(plain, start, end):
            self.any_line(line)
        c.base, c.option_of, c.had_by = outer, None, None

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
        if self.waiting is not None and tokens[0].word in MOMENTS and not layout.ends_that_time(tokens):
            self.waiting = None  # it says its moment itself
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
            Bullets(self).complete(options[0], options[1])
        elif self.with_subjects(tokens) or self.as_had(tokens):
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

    def as_had(self, tokens: list[Token]) -> bool:
        """A line of an ability, or one of several to choose from, that only says what is had: "+1 to Charge rolls"."""
        who = self.context.had_by
        if who is None or who.what not in ("unit", "model"):
            return False
        start = tokens[0].start
        said = ("this", "model" if who.ref == "self" else "unit", "has")
        tree = self.tree([*(Token(word, word, Kind.WORD, start, start) for word in said), *tokens])
        return tree is not None and self.attempt(partial(self.context.build, tree))

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
        outer, c.base, c.had_by = c.base, c.open(scope), c.follower
        self.sentence(tokens)
        c.base, c.follow, c.had_by = outer, scope, None

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
