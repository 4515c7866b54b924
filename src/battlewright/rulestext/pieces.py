"""Sentences that are not read whole: what can be read of them, clause by clause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from battlewright.effects import Unknown
from battlewright.rulestext import layout
from battlewright.rulestext.blocks import Block
from battlewright.rulestext.builders import sentences
from battlewright.rulestext.context import Reject
from battlewright.rulestext.parse import Parser, Tree
from battlewright.rulestext.tokens import Token
from battlewright.rulestext.words import phrase

if TYPE_CHECKING:
    from battlewright.rulestext.build import Reading


#: words that begin what says when, how long or on which condition
ADVERBS_TEXT = """
    if while when whenever until each after before once at in during unless provided on for the start end just otherwise
"""
ADVERBS = frozenset(ADVERBS_TEXT.split())
#: words that begin what takes back, or narrows, what stands before them
_RESTRICTS_TEXT = """
    but only provided unless if while to except excluding or instead until as up even
"""
_RESTRICTS = frozenset(_RESTRICTS_TEXT.split())
#: words with which a clause may begin
_STARTERS_TEXT = """
    if while when whenever until each after before once at in during unless provided on for you it they this that those your
    roll select add subtract improve worsen re-roll models model can cannot must is are has have does do one its the change
    make set remove place return give take increase reduce halve double enemy friendly all any ranged melee weapons
"""
_STARTERS = frozenset(_STARTERS_TEXT.split())


#: words that begin a moment of its own
MOMENTS = frozenset(("at", "in", "during", "before"))


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
        if self.tokens[0].word in MOMENTS:  # it does not go on with the sentence before
            r.context.parent = None
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
        if self.tokens[at].word not in ADVERBS:
            return scope
        block = self.reading.context.open(scope)
        block.holds.append(Unknown(phrase(self.tokens[at:end])))
        return block
