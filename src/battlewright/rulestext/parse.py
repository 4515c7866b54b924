"""A small parser over tokens that keeps every end: backtracking with memory, earlier frames first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from battlewright.rulestext.frames import Grammar, Node
from battlewright.rulestext.tokens import Token


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """One reading: which frame, the parts it captured by name, and which tokens it covers."""

    frame: int
    names: tuple[str, ...]
    parts: tuple[Part, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Tokens a matcher or a token class took."""

    tokens: tuple[Token, ...]


Part: TypeAlias = Tree | Token | Found


class Parser:
    """Readings of one row of tokens. ``furthest`` is the last token any reading reached."""

    def __init__(self, grammar: Grammar, tokens: Sequence[Token]) -> None:
        self.grammar = grammar
        self.tokens = tokens
        self.furthest = 0
        self._memory: dict[tuple[int, int], list[Tree]] = {}

    def all(self, kind: str, at: int) -> list[Tree]:
        """Every reading as ``kind`` that starts at the token, one an end, longest first."""
        return self.of_kind(self.grammar.kinds[kind], at)

    def whole(self, kind: str, at: int, end: int) -> Tree | None:
        """The reading of exactly these tokens as ``kind``, or None."""
        return next((tree for tree in self.all(kind, at) if tree.end == end), None)

    def of_kind(self, kind: int, at: int) -> list[Tree]:
        key = (kind, at)
        known = self._memory.get(key)
        if known is not None:
            return known
        self._memory[key] = []  # a kind that begins with itself finds nothing
        found: dict[int, Tree] = {}
        self._walk(self.grammar.roots[kind], at, at, (), found)
        trees = sorted(found.values(), key=lambda tree: -tree.end)
        self._memory[key] = trees
        return trees

    def _walk(self, node: Node, start: int, at: int, parts: tuple[Part, ...], found: dict[int, Tree]) -> None:
        if at > self.furthest:
            self.furthest = at
        if node.waiting:
            self.grammar.open(node)
        for frame, names in node.ends:
            best = found.get(at)
            if best is None or frame < best.frame:
                found[at] = Tree(frame, names, parts, start, at)
        if at >= len(self.tokens):
            return
        token = self.tokens[at]
        follow = node.words.get(token.word)
        if follow is not None:
            self._walk(follow, start, at + 1, parts, found)
        for form, which, child in node.parts:
            if form == "nt":
                if token.word in self.grammar.starts[which] or token.kind & self.grammar.start_kinds[which]:
                    for tree in self.of_kind(which, at):
                        self._walk(child, start, tree.end, (*parts, tree), found)
            elif form == "class":
                if token.kind & which:
                    self._walk(child, start, at + 1, (*parts, token), found)
            else:
                for end in self.grammar.matchers[which][0](self.tokens, at):
                    self._walk(child, start, end, (*parts, Found(tuple(self.tokens[at:end]))), found)
