"""A header and the bullets below it: one sentence, a list, a choice, or sentences about the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from battlewright import effects as vocabulary
from battlewright.rulestext import layout
from battlewright.rulestext.blocks import STATIC, Block, Options
from battlewright.rulestext.context import Reject
from battlewright.rulestext.language import grammar
from battlewright.rulestext.layout import Line
from battlewright.rulestext.parse import Parser
from battlewright.rulestext.tokens import Kind, Token
from battlewright.rulestext.words import phrase

if TYPE_CHECKING:
    from battlewright.rulestext.build import Reading


#: verbs whose object may stand in bullets
_HAVING = ("have", "has", "gain", "gains")
#: words that begin a bullet which says something more of what its header speaks of
_POINTING = ("this", "that", "those", "these", "it", "its", "they", "their", "the")


def _of_bearer(tokens: Sequence[Token]) -> bool:
    """Is this said of "this unit" or "this model"?"""
    return any(one.word == "this" and two.word in ("unit", "model") for one, two in pairwise(tokens))


_OR = re.compile(r"\s*or\s*:\s*", re.I)
#: words of a condition that speaks of the attacks just named
_OF_ATTACKS = frozenset(("target", "targets", "attack", "attacks"))


@dataclass
class Bullets:
    """Bullets of a reading."""

    reading: Reading

    def listed(self, header: Line) -> None:
        """A header that its bullets complete; or else a sentence, and the bullets as sentences after it."""
        rows = layout.sentences(self.reading.text.plain, header.start, header.own_end)
        for tokens in rows[:-1]:
            self.reading.sentence(tokens)
        self.complete(rows[-1] if rows else [], header.bullets)

    def complete(self, head: list[Token], lines: list[Line]) -> None:
        """The bullets below a header, which it may need to be whole."""
        if head and head[-1].word == ":":
            head = head[:-1]
        joined = bool(head) and head[-1].word == "and"
        head = head[:-1] if joined else head
        bullets = [layout.sentences(self.reading.text.plain, line.start, line.own_end) for line in lines]
        if (options := self.reading.context.options) is not None and not options.options and head:
            if self.reading.tree(head) is None or any(self.reading.tree([*head, *row[0]]) for row in bullets if row):
                self.completed_options(options, head, bullets)
                return
            self.reading.sentence(head)  # said of the choice before its options are told
            for line in lines:
                self.reading.option(options, line.start, line.end)
            return
        if self.names_list(head, bullets):
            return
        if (
            all(len(row) == 1 for row in bullets)
            and (whole := self.conditions(head, bullets))
            and (self.reading.tree(head) is None or self.reading.tree(whole) is not None)
        ):
            self.reading.sentence(whole)
            return
        if self.each_of_them(head, bullets) or self.alternatives(head, lines) or self.either_way(head, lines):
            return
        if self.given_below(head, lines, bullets):
            return
        if cut := self.hanging(head):
            self.reading.sentence(head[: cut[0]])
            self.complete(head[cut[1] :], lines)
            return
        alone = self.reading.tree(head) is not None
        scoped = bool(head) and self.reading.parser(head).whole("adverbs", 0, len(head)) is not None
        if scoped or (not alone and any(self.reading.tree(self.completed(head, row[0])) for row in bullets if row)):
            act, where, last = self.reading.context.act, self.reading.context.act_block, self.reading.context.last
            for row, line in zip(bullets, lines, strict=True):
                if scoped and act is not None:
                    self.reading.context.act, self.reading.context.act_block = act, where
                if scoped:  # each goes on with what was said before the header, not with the one above it
                    self.reading.context.last = last
                if line.bullets:
                    for tokens in row[:-1]:
                        self.reading.sentence(self.completed(head, tokens))
                    self.complete(self.completed(head, row[-1]), line.bullets)
                    continue
                whole = self.completed(head, row[0])
                self.reading.sentence(
                    row[0] if not scoped and not alone and self.stands_alone(whole, row[0]) else whole
                )
                for tokens in row[1:]:
                    self.reading.sentence(tokens)
            return
        self.reading.context.options = self.reading.context.below = None
        before = len(self.reading.unread)
        self.reading.sentence(head)
        if (options := self.reading.context.options) is not None:
            for line in lines:
                self.reading.option(options, line.start, line.end)
            return
        if len(self.reading.unread) > before:
            self.reading.never(phrase(head), lambda: self.rows(lines))
        elif scope := self.reading.context.below or (self.reading.context.last if joined else None):
            outer, self.reading.context.base = self.reading.context.base, scope
            self.rows(lines)
            self.reading.context.base = outer
        else:
            self.rows(lines)

    def given_below(self, head: list[Token], lines: list[Line], bullets: list[list[list[Token]]]) -> bool:
        """ "These units have:", where each bullet is a sentence about "this unit": they are abilities given."""
        if not head or head[-1].word not in _HAVING or any(not row or not _of_bearer(row[0]) for row in bullets):
            return False
        end = head[-1].end
        named = [Token(word, word, Kind.WORD, end, end) for word in ("the", "following", "abilities")]
        if any(self.reading.tree(row[0]) is None for row in bullets) or self.reading.tree([*head, *named]) is None:
            return False
        self.reading.sentence([*head, *named])
        scope = self.reading.context.follow
        if scope is None:
            return False
        for line in lines:
            self.reading.below(scope, line)
        self.reading.context.follow = None
        return True

    def stands_alone(self, whole: list[Token], bullet: list[Token]) -> bool:
        """A bullet that no header is about, though it is set below one: it names all that it speaks of."""
        return (
            self.reading.tree(whole) is None
            and bullet[0].word not in _POINTING
            and self.reading.tree(bullet) is not None
        )

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
                if enclosing and self.reading.tree(head[:end]) is not None:
                    return end, begin
        return None

    def rows(self, lines: list[Line]) -> None:
        for line in lines:
            self.reading.any_line(line)

    def completed_options(self, options: Options, head: list[Token], bullets: list[list[list[Token]]]) -> None:
        """A choice made before, whose options are the ways in which the bullets complete the header."""
        c = self.reading.context
        outer = c.base
        for row in bullets:
            c.base = self.reading.new_option(options, "", row[0][0].start, row[-1][-1].end)
            for tokens in [self.completed(head, row[0]), *row[1:]]:
                self.reading.sentence(tokens)
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
        start, end = len(words[: found.start(1)].split()), len(words[: found.end(1)].split())
        for row in bullets:
            event, shown = _with_number(row[0])
            whole = [*head[:start], *event, *(head[end:] if shown is None else _numbered(head[end:], shown))]
            if end == len(head) and self.reading.tree(whole) is None:
                whole = self.turned(head[: start - 1], event)
            if self.reading.tree(whole) is None:
                self.reading.skip(row[0])
                continue
            self.reading.sentence(whole)
            for tokens in row[1:]:
                self.reading.sentence(tokens)
        return True

    def turned(self, head: list[Token], event: list[Token]) -> list[Token]:
        """ "A unit is no longer hidden when one of the following occurs", "it shoots": when a unit shoots, it is not."""
        subject = next((tree.end for tree in self.reading.parser(head).all("np", 0) if tree.end < len(head)), 0)
        first, comma = head[0].start, Token(",", ",", Kind.PUNCT, head[-1].end, head[-1].end)
        lead = [Token(word, word, Kind.WORD, first, first) for word in ("each", "time")]
        if not subject or event[0].word != "it":
            return [*lead, *event, comma, *head]
        return [*lead, *head[:subject], *event[1:], comma, event[0], *head[subject:]]

    def completed(self, head: list[Token], bullet: list[Token]) -> list[Token]:
        """The header and the bullet as one sentence; a condition of the bullet goes first, one about its attacks last."""
        if self.reading.tree([*head, *bullet]) is not None:
            return [*head, *bullet]
        if head and self.reading.parser(head).whole("adverbs", 0, len(head)) is not None:
            return [*head, Token(",", ",", Kind.PUNCT, head[-1].end, head[-1].end), *bullet]
        comma = Token(",", ",", Kind.PUNCT, head[-1].end, head[-1].end) if head else None
        if comma is not None and self.reading.tree([*head, comma, *bullet]) is not None:
            return [*head, comma, *bullet]
        parser = self.reading.parser(bullet)
        for tree in parser.all("adverb", 0):
            if tree.end < len(bullet) and bullet[tree.end].word == ",":
                turned = [*bullet[: tree.end + 1], *head, *bullet[tree.end + 1 :]]
                last = [*head, *bullet[tree.end + 1 :], *bullet[: tree.end]]
                of_attacks = any(token.word in _OF_ATTACKS for token in bullet[: tree.end])
                for whole in (last, turned) if of_attacks else (turned,):
                    if self.reading.tree(whole) is not None:
                        return whole
        return [*head, *bullet]

    def alternatives(self, head: list[Token], bullets: list[Line]) -> bool:
        """ "… have: [A]", "Or: [B]": one of the bullets."""
        plain = self.reading.text.plain
        marks = [_OR.match(plain, line.start, line.end) for line in bullets]
        if len(bullets) != 2 or not marks[1] or marks[0]:
            return False
        options = Options()
        c = self.reading.context
        block = Block(c.base)
        block.do.append(options)
        trees = []
        for line, mark in zip(bullets, marks, strict=True):
            rows = layout.sentences(plain, mark.end() if mark else line.start, line.end)
            tree = self.reading.tree([*head, *rows[0]]) if len(rows) == 1 else None
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
            self.reading.reasons.append(str(reason))
            c.restore(saved)
            c.root = None
            return False
        _choose_when(block, options)
        self.reading.attach(block)
        c.root = None
        return True

    def either_way(self, head: list[Token], bullets: list[Line]) -> bool:
        """ "You can: do this", "Or: do that": a choice of what the bullets say."""
        plain = self.reading.text.plain
        marks = [_OR.match(plain, line.start, line.end) for line in bullets]
        if len(bullets) < 2 or marks[0] or not all(marks[1:]) or [token.word for token in head[-2:]] != ["you", "can"]:
            return False
        end = head[-1].end
        whole = [*head, *(Token(word, word, Kind.WORD, end, end) for word in ("do", "one", "of", "the", "following"))]
        if self.reading.tree(whole) is None:
            return False
        self.reading.context.options = None
        self.reading.sentence(whole)
        if (options := self.reading.context.options) is None:
            return False
        for line, mark in zip(bullets, marks, strict=True):
            self.reading.option(options, mark.end() if mark else line.start, line.end)
        return True

    def names_list(self, head: list[Token], bullets: list[list[list[Token]]]) -> bool:
        """A header whose bullets are the items of one list: "can be attached to the following units"."""
        if not head or any(len(row) != 1 or len(row[0]) > 20 for row in bullets):
            return False
        if any(self.reading.tree(row[0]) is not None for row in bullets if len(row[0]) > 1):
            return False
        end = head[-1].end
        colon, comma = Token(":", ":", Kind.PUNCT, end, end), Token(",", ",", Kind.PUNCT, end, end)
        tokens = [*head, colon]
        attaching = any(token.word in ("attached", "join") for token in head)
        for i, row in enumerate(bullets):
            name = layout.as_name(row[0]) if attaching else row[0]
            tokens.extend([comma, *name] if i else name)
        tree = self.reading.tree(tokens)
        return tree is not None and self.reading.attempt(lambda: self.reading.one_list(tree))


def _with_number(row: list[Token]) -> tuple[list[Token], Token | None]:
    """A line of a list without the number that stands with it: "a unit is destroyed: 2", "a unit is destroyed (+2)"."""
    at = next((i for i in range(len(row) - 1, 0, -1) if row[i].kind & (Kind.NUM | Kind.SIGNED | Kind.DICE)), 0)
    if at < 2 or row[at - 1].word not in (":", "=", "-", "(", "|") or len(row) - at > 4:
        return row, None
    return row[: at - 1], row[at]


def _numbered(head: list[Token], number: Token) -> list[Token]:
    """What a header says with the number of a line in its place."""
    words = " ".join(token.word for token in head)
    found = layout.SHOWN.search(words)
    if found is None:
        return head
    start, end = len(words[: found.start()].split()), len(words[: found.end()].split())
    of = len((found["what"] or "").split())
    pool = head[start + 3 : start + 3 + of]
    plain = replace(number, raw=number.raw.lstrip("+"), word=number.word.lstrip("+"), kind=Kind.NUM)
    return [*head[:start], plain if number.kind & Kind.SIGNED else number, *pool, *head[end:]]


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
