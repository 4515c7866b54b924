"""The notation of the grammar files, and the grammar they make.

A file is a list of sections. A line that starts in the first column and ends with a colon names a *kind* (``effect:``);
the indented lines below are its *frames*, ``pattern => expression``. Several files may add frames to one kind. Earlier
frames win where two read the same words as the same kind.

==================  ==========================================================================================
``word``            that word, in any capitals and spelling (also punctuation: ``,`` ``:`` ``'s``)
``word?``           optional; ``(a b|c)`` one of, ``(…)?`` optional; ``unit[s]`` is ``(unit|units)``
``(unit|model)[s]`` each of them, singular or plural
``{n:amount}``      something of kind ``amount``, called ``n`` in the expression; ``{amount}`` is ``{amount:amount}``
``{n:NUM}``         a token of that :class:`~battlewright.rulestext.tokens.Kind`; its value is the token
``{k:+keywords}``   what the Python matcher ``keywords`` finds here
==================  ==========================================================================================

The expression is built of calls, names, constants, tuples, attributes, subscripts and comparisons; ``c`` is the context
of the reading, the other names are the captured parts (None when their option was not taken), the vocabulary and the
builders. ``=>>`` hands over the parts unread, so that the builder decides when to build them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from battlewright.rulestext.tokens import Kind, Token, spelled

#: the ends of what stands at a token, and the kinds of token it may begin with
Matcher: TypeAlias = tuple[Callable[[Sequence[Token], int], list[int]], Kind]
Step: TypeAlias = tuple[str, str, str]  # ("lit", word, "") | ("nt" | "class" | "match", name, capture)

_ITEM = re.compile(r"\{[^}]*\}\??|\\[(){}|/]\??|\(|\)(?:\[\w+\])?\??|\||[^\s(){}|]+")
_ALLOWED = (
    ast.Expression, ast.Call, ast.Name, ast.Load, ast.Constant, ast.Tuple, ast.keyword, ast.Attribute, ast.Subscript,
    ast.IfExp, ast.Compare, ast.Is, ast.IsNot, ast.Eq, ast.NotEq, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.USub,
    ast.Not, ast.BinOp, ast.Add, ast.Sub, ast.Starred, ast.In,
)  # fmt: skip


@dataclass(slots=True)
class _Group:
    options: list[list[_Group | Step]]
    optional: bool = False


#: what is left of a frame: the next item, and what is left after that
Rest: TypeAlias = "tuple[_Group | Step, Rest] | None"


class BadGrammar(ValueError):
    """A line of a grammar file does not follow the notation."""


@dataclass(frozen=True)
class Frame:
    """One line of a grammar file."""

    kind: str
    pattern: str
    expression: str
    lazy: bool
    where: str


@dataclass(eq=False, slots=True)
class Node:
    """A place in the tree of what may come next; frames with the same beginning share it.

    It is opened when a reading first comes to it: ``waiting`` holds what is left of each frame that leads here.
    """

    words: dict[str, Node] = field(default_factory=dict)
    parts: list[tuple[str, int, Node]] = field(default_factory=list)  # (nt|class|match, id, next)
    ends: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)  # (frame, captures)
    waiting: list[tuple[Rest, int, tuple[str, ...]]] = field(default_factory=list)  # (what is left, frame, captures)


@dataclass(eq=False)
class Grammar:
    """Frames, ready to parse: a tree of steps a kind, what each kind may start with, and the builders."""

    frames: list[Frame]
    names: Mapping[str, Any]  # what expressions may use
    matchers: list[Matcher]
    kinds: dict[str, int]
    patterns: list[_Group]
    _numbers: dict[tuple[str, str], int]
    _scope: dict[str, Any]  # the same, and nothing built in
    _builders: dict[int, Callable[..., Any]] = field(default_factory=dict)
    roots: list[Node] = field(default_factory=list)
    starts: list[frozenset[str]] = field(default_factory=list)
    start_kinds: list[int] = field(default_factory=list)

    def open(self, node: Node) -> None:
        """Lay out the steps that may come next here."""
        waiting, node.waiting = node.waiting, []
        for rest, frame, captures in waiting:
            for first in _firsts(rest):
                if first is None:
                    node.ends.append((frame, captures))
                    continue
                (form, name, capture), left = first
                if form == "lit":
                    child = node.words.get(name) or node.words.setdefault(name, Node())
                    child.waiting.append((left, frame, captures))
                else:
                    child = _next(node, form, self._number(form, name, frame))
                    child.waiting.append((left, frame, (*captures, capture)))

    def builder(self, frame: int) -> Callable[..., Any]:
        """The function a frame's expression makes; compiled when it is first asked for."""
        known = self._builders.get(frame)
        if known is None:
            known = self._builders[frame] = self._compiled(frame)
        return known

    def check(self) -> None:
        """Open every place and compile every expression; raises :class:`BadGrammar` at the first that is wrong."""
        todo = list(self.roots)
        while todo:
            node = todo.pop()
            self.open(node)
            todo += node.words.values()
            todo += [child for _, _, child in node.parts]
        for frame in range(len(self.frames)):
            self.builder(frame)

    def _compiled(self, number: int) -> Callable[..., Any]:
        """The function of a frame; only the calls and names of the notation are let in."""
        frame, steps = self.frames[number], steps_of(self.patterns[number])
        captures = dict.fromkeys(name for form, _, name in steps if form != "lit" and name.isidentifier())
        _check(frame, self.names, set(captures) | {"c"})
        row = f"lambda c, {', '.join(f'{name}=None' for name in captures)}: ({frame.expression})"
        found: Callable[..., Any] = eval(compile(row, f"<{frame.where}>", "eval"), self._scope)  # checked above
        return found

    def _number(self, form: str, name: str, frame: int) -> int:
        number = self._numbers.get((form, name))
        if number is None:
            raise BadGrammar(f"{self.frames[frame].where}: no kind, token or matcher {name!r}")
        return number


def read_frames(text: str, where: str) -> Iterator[Frame]:
    """The frames of one file; raises :class:`BadGrammar`."""
    kind = ""
    for number, line in enumerate(text.splitlines(), 1):
        place = f"{where}:{number}"
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not line[0].isspace():
            kind = line.split("#")[0].strip().removesuffix(":")
            continue
        pattern, lazy, expression = line.partition(" =>> ")
        if not lazy:
            pattern, arrow, expression = line.partition(" => ")
            if not arrow:
                raise BadGrammar(f"{place}: no '=>' in {line.strip()!r}")
        if not kind:
            raise BadGrammar(f"{place}: a frame before any kind")
        yield Frame(kind, pattern.strip(), expression.strip(), bool(lazy), place)


def make_grammar(frames: Sequence[Frame], names: Mapping[str, Any], matchers: Mapping[str, Matcher]) -> Grammar:
    """Put the frames together; ``names`` is what expressions may use.

    Only what every text needs is made now; :meth:`Grammar.check` makes the rest, to find what is wrong in it.
    """
    kinds = {kind: i for i, kind in enumerate(dict.fromkeys(frame.kind for frame in frames))}
    numbers = {("nt", kind): i for kind, i in kinds.items()}
    numbers |= {("class", kind.name or ""): kind.value for kind in Kind}
    numbers |= {("match", name): i for i, name in enumerate(matchers)}
    patterns = [_parse_pattern(frame) for frame in frames]
    grammar = Grammar(
        list(frames), names, list(matchers.values()), kinds, patterns, numbers, {"__builtins__": {}, **names}
    )
    grammar.roots = [Node() for _ in kinds]
    for number, (frame, pattern) in enumerate(zip(frames, patterns, strict=True)):
        grammar.roots[kinds[frame.kind]].waiting.append(((pattern, None), number, ()))
    for root in grammar.roots:
        grammar.open(root)
        if root.ends:
            raise BadGrammar(f"{frames[root.ends[0][0]].where}: a frame may not be empty")
    grammar.starts, grammar.start_kinds = _starts(grammar.roots, grammar.matchers)
    return grammar


# ------------------------------------------------------------------------------------------------------ patterns


def _parse_pattern(frame: Frame) -> _Group:
    items = _ITEM.findall(frame.pattern)
    group, at = _group(items, 0, frame.where)
    if at != len(items):
        raise BadGrammar(f"{frame.where}: unbalanced brackets")
    return group


def _group(items: list[str], at: int, where: str) -> tuple[_Group, int]:
    group = _Group([[]])
    while at < len(items):
        item = items[at]
        at += 1
        if item == "(":
            inner, at = _group(items, at, where)
            if at >= len(items) or not items[at].startswith(")"):
                raise BadGrammar(f"{where}: a bracket is not closed")
            inner.optional = items[at].endswith("?")
            _add_plurals(inner, items[at].strip(")?[]"))
            at += 1
            group.options[-1].append(inner)
        elif item.startswith(")"):
            return group, at - 1
        elif item == "|":
            group.options.append([])
        else:
            group.options[-1].append(_step(item))
    return group, at


def _add_plurals(group: _Group, tail: str) -> None:
    """``(unit|model)[s]``: each of them, and with the tail."""
    if not tail:
        return
    for option in list(group.options):
        form, word, _ = last = option[-1] if option and isinstance(option[-1], tuple) else ("", "", "")
        if form == "lit":
            group.options.append([*option[:-1], (last[0], word + tail, "")])


@cache
def _step(item: str) -> _Group | Step:
    """What one item of a pattern says; the same items stand in many frames."""
    if len(item) > 1 and item.endswith("?"):
        return _Group([[_step(item[:-1])]], optional=True)
    if item.startswith("{"):
        capture, _, name = item[1:-1].partition(":")
        name = name or capture
        if name.startswith("+"):
            return ("match", name[1:], capture.lstrip("+"))
        return ("class" if name.isupper() else "nt", name, capture)
    if found := re.fullmatch(r"(\S+)\[(\w+)\]", item):
        stem, tail = found.groups()
        return _Group([[("lit", stem.lower(), "")], [("lit", (stem + tail).lower(), "")]])
    words = spelled(item.removeprefix("\\").lower())
    return ("lit", words[0], "") if len(words) == 1 else _Group([[("lit", word, "") for word in words]])


def _firsts(rest: Rest) -> Iterator[tuple[Step, Rest] | None]:
    """Each step that may come first, with what is left after it; None where nothing need come any more."""
    if rest is None:
        yield None
        return
    item, after = rest
    if isinstance(item, tuple):
        yield item, after
        return
    if item.optional:
        yield from _firsts(after)
    for option in item.options:
        left = after
        for part in reversed(option):
            left = (part, left)
        yield from _firsts(left)


def _next(node: Node, form: str, number: int) -> Node:
    for have, which, child in node.parts:
        if (have, which) == (form, number):
            return child
    child = Node()
    node.parts.append((form, number, child))
    return child


def _starts(roots: Sequence[Node], matchers: Sequence[Matcher]) -> tuple[list[frozenset[str]], list[int]]:
    """With which words, and which kinds of token, each kind may begin."""
    words: list[set[str]] = [set(root.words) for root in roots]
    masks = [0] * len(roots)
    changed = True
    while changed:
        changed = False
        for i, root in enumerate(roots):
            before = (len(words[i]), masks[i])
            for form, which, _ in root.parts:
                if form == "nt":
                    words[i] |= words[which]
                    masks[i] |= masks[which]
                else:
                    masks[i] |= which if form == "class" else matchers[which][1]
            changed |= before != (len(words[i]), masks[i])
    return [frozenset(found) for found in words], masks


# --------------------------------------------------------------------------------------------------- expressions


def steps_of(group: _Group) -> Iterator[Step]:
    """Every step of a pattern, taken or not."""
    for option in group.options:
        for item in option:
            if isinstance(item, tuple):
                yield item
            else:
                yield from steps_of(item)


def _check(frame: Frame, names: Mapping[str, Any], captures: set[str]) -> None:
    try:
        tree = ast.parse(frame.expression, mode="eval")
    except SyntaxError as error:
        raise BadGrammar(f"{frame.where}: {error.msg} in {frame.expression!r}") from None
    for node in ast.walk(tree):
        if not isinstance(node, _ALLOWED):
            raise BadGrammar(f"{frame.where}: {type(node).__name__} is not allowed in {frame.expression!r}")
        if isinstance(node, ast.Name) and node.id not in names and node.id not in captures:
            raise BadGrammar(f"{frame.where}: unknown name {node.id!r}")
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            raise BadGrammar(f"{frame.where}: {node.attr!r} is private")
