"""All readings of a text that differ in what they mean: the judge of the grammar, not used when rules are read.

The grammar resolves what may be read in two ways by three rules: the frame that stands earlier wins, a part takes as many
words as it can, and what a builder rejects is no reading. Where another choice at one place makes another rule, and the
words do not decide which is meant, the grammar is at fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from battlewright.effects import EditionId, Rule, RuleKind
from battlewright.rulestext import build
from battlewright.rulestext.frames import Node
from battlewright.rulestext.language import grammar
from battlewright.rulestext.parse import Found, Parser, Part, Tree
from battlewright.rulestext.tokens import Token

#: trees of one row of tokens that are looked at
MOST = 400


@dataclass(frozen=True)
class Other:
    """A rule the words make where one place is read in another way: these words, by that frame instead of this one."""

    rule: Rule
    words: str
    chosen: str
    instead: str


def readings(text: str, *, name: str = "", kind: RuleKind = "other", edition: EditionId | None = None) -> list[Other]:
    """The other rules a text may make: those of its trees that differ from the chosen one in a single place.

    Only readings in full are compared. Sentences that a text does not read in full have no others.

    >>> readings("Each time this model makes an attack, add 1 to the Hit roll.")
    []
    """
    first = _Choosing()
    rule, _ = build.read(text, name=name, kind=kind, edition=edition, parser=first.parser)
    found: list[Other] = []
    if rule.status != "full":
        return found
    for key, tree in first.chosen.items():
        for other in _variants(first.rows[key], tree):
            second = _Choosing({key: other.tree})
            made, _ = build.read(text, name=name, kind=kind, edition=edition, parser=second.parser)
            if made.status == "full" and made != rule and all(one.rule != made for one in found):
                found.append(Other(made, other.words, other.chosen, other.instead))
    return found


_Key = tuple[str, tuple[int, ...]]


@dataclass
class _Choosing:
    """Parsers that take a given tree for some rows of tokens, and remember what they took for others."""

    given: dict[_Key, Tree] = field(default_factory=dict)
    chosen: dict[_Key, Tree] = field(default_factory=dict)
    rows: dict[_Key, Parser] = field(default_factory=dict)

    def parser(self, tokens: Sequence[Token]) -> Parser:
        return _Parser(self, tokens)


class _Parser(Parser):
    def __init__(self, choosing: _Choosing, tokens: Sequence[Token]) -> None:
        super().__init__(grammar(), tokens)
        self.choosing = choosing

    def whole(self, kind: str, at: int, end: int) -> Tree | None:
        key = (kind, tuple(token.start for token in self.tokens[at:end]))
        if key in self.choosing.given:
            return self.choosing.given[key]
        tree = super().whole(kind, at, end)
        if tree is not None:
            self.choosing.chosen[key], self.choosing.rows[key] = tree, self
        return tree


@dataclass(frozen=True)
class _Variant:
    tree: Tree
    words: str
    chosen: str
    instead: str


def _variants(parser: Parser, tree: Tree) -> Iterator[_Variant]:
    """The tree with one of its places read otherwise."""
    count = 0
    for path in _paths(tree, ()):
        place = path[-1]
        for other in _others(parser, place):
            count += 1
            if count > MOST:
                return
            words = _words(parser, place)
            yield _Variant(_with(path, other), words, _told(parser, place), _told(parser, other))


def _words(parser: Parser, tree: Tree) -> str:
    return " ".join(token.word for token in parser.tokens[tree.start : tree.end])


def _told(parser: Parser, tree: Tree) -> str:
    """The frame, and which words each of its parts takes."""
    named = zip(tree.names, tree.parts, strict=True)
    parts = (f"{name}={_words(parser, part)}" for name, part in named if isinstance(part, Tree))
    return f"{parser.grammar.frames[tree.frame].pattern}  [{'; '.join(parts)}]"


def _paths(tree: Tree, above: tuple[Tree, ...]) -> Iterator[tuple[Tree, ...]]:
    """Every tree within, with those around it."""
    path = (*above, tree)
    yield path
    for part in tree.parts:
        if isinstance(part, Tree):
            yield from _paths(part, path)


def _with(path: tuple[Tree, ...], other: Tree) -> Tree:
    """The outermost tree of the path, with another in the place of the innermost."""
    for outer, inner in zip(path[-2::-1], path[:0:-1], strict=True):
        parts: tuple[Part, ...] = tuple(other if part is inner else part for part in outer.parts)
        other = Tree(outer.frame, outer.names, parts, outer.start, outer.end)
    return other


def _others(parser: Parser, tree: Tree) -> Iterator[Tree]:
    """Other trees of the same kind over the same tokens."""
    kind = parser.grammar.kinds[parser.grammar.frames[tree.frame].kind]
    seen = {_shape(tree)}
    for other in _every(parser, parser.grammar.roots[kind], tree.start, tree.start, tree.end, ()):
        if _shape(other) not in seen:
            seen.add(_shape(other))
            yield other


def trees(parser: Parser, tree: Tree) -> Iterator[Tree]:
    """This tree, and the others of its kind over the same tokens."""
    yield tree
    yield from _others(parser, tree)


def _shape(tree: Tree) -> tuple[object, ...]:
    parts = (
        (part.start, part.end) if isinstance(part, Tree) else part.tokens if isinstance(part, Found) else part
        for part in tree.parts
    )
    return (tree.frame, *parts)


def _every(parser: Parser, node: Node, start: int, at: int, end: int, parts: tuple[Part, ...]) -> Iterator[Tree]:
    """Every way through the frames that ends there."""
    grammar = parser.grammar
    if node.waiting:
        grammar.open(node)
    if at == end:
        for frame, names in node.ends:
            yield Tree(frame, names, parts, start, at)
        return
    token = parser.tokens[at]
    follow = node.words.get(token.word)
    if follow is not None:
        yield from _every(parser, follow, start, at + 1, end, parts)
    for form, which, child in node.parts:
        if form == "nt":
            for tree in parser.of_kind(which, at):
                if tree.end <= end:
                    yield from _every(parser, child, start, tree.end, end, (*parts, tree))
        elif form == "class":
            if token.kind & which:
                yield from _every(parser, child, start, at + 1, end, (*parts, token))
        else:
            for stop in grammar.matchers[which][0](parser.tokens, at):
                if stop <= end:
                    found = Found(tuple(parser.tokens[at:stop]))
                    yield from _every(parser, child, start, stop, end, (*parts, found))
