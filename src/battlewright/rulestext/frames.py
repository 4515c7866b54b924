"""The notation of the grammar files, and the grammar they make.

A file is a list of sections. A line that starts in the first column and ends with a colon names a *kind* (``effect:``);
the indented lines below are its *frames*, ``pattern => expression``. Several files may add frames to one kind. Earlier
frames win where two read the same words as the same kind.

==================  ==========================================================================================
``word``            that word, in any capitals (also punctuation: ``,`` ``:`` ``'s``)
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
from typing import Any, TypeAlias

from battlewright.rulestext.tokens import Kind, Token

#: the ends of what stands at a token, and the kinds of token it may begin with
Matcher: TypeAlias = tuple[Callable[[Sequence[Token], int], list[int]], Kind]
Step: TypeAlias = tuple[str, str, str]  # ("lit", word, "") | ("nt" | "class" | "match", name, capture)

_ITEM = re.compile(r"\{[^}]*\}\??|\\[(){}|/]\??|\(|\)(?:\[\w+\])?\??|\||[^\s(){}|]+")
_ALLOWED = (
    ast.Expression, ast.Call, ast.Name, ast.Load, ast.Constant, ast.Tuple, ast.keyword, ast.Attribute, ast.Subscript,
    ast.IfExp, ast.Compare, ast.Is, ast.IsNot, ast.Eq, ast.NotEq, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.USub,
    ast.Not, ast.BinOp, ast.Add, ast.Sub, ast.Starred, ast.In,
)  # fmt: skip


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


@dataclass(eq=False)
class Node:
    """A place in the tree of what may come next; frames with the same beginning share it."""

    words: dict[str, Node] = field(default_factory=dict)
    parts: list[tuple[str, int, Node]] = field(default_factory=list)  # (nt|class|match, id, next)
    ends: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)  # (frame, captures)


@dataclass(eq=False)
class Grammar:
    """Frames, ready to parse: a tree of steps a kind, what each kind may start with, and the builders."""

    kinds: dict[str, int]
    roots: list[Node]
    starts: list[frozenset[str]]
    start_kinds: list[int]
    matchers: list[Matcher]
    frames: list[Frame]
    builders: list[Callable[..., Any]]


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
    """Put the frames together; ``names`` is what expressions may use."""
    kinds = {kind: i for i, kind in enumerate(dict.fromkeys(frame.kind for frame in frames))}
    matcher_ids = {name: i for i, name in enumerate(matchers)}
    roots = [Node() for _ in kinds]
    for number, frame in enumerate(frames):
        for steps in _expand(_parse_pattern(frame)):
            _insert(roots[kinds[frame.kind]], steps, number, kinds, matcher_ids, frame.where)
    starts, start_kinds = _starts(roots, list(matchers.values()))
    return Grammar(kinds, roots, starts, start_kinds, list(matchers.values()), list(frames), _builders(frames, names))


# ------------------------------------------------------------------------------------------------------ patterns


@dataclass
class _Group:
    options: list[list[_Group | Step]]
    optional: bool = False


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
            group.options[-1].append(_step(item, where))
    return group, at


def _add_plurals(group: _Group, tail: str) -> None:
    """``(unit|model)[s]``: each of them, and with the tail."""
    if not tail:
        return
    for option in list(group.options):
        form, word, _ = last = option[-1] if option and isinstance(option[-1], tuple) else ("", "", "")
        if form == "lit":
            group.options.append([*option[:-1], (last[0], word + tail, "")])


def _step(item: str, where: str) -> _Group | Step:
    if len(item) > 1 and item.endswith("?"):
        return _Group([[_step(item[:-1], where)]], optional=True)
    if item.startswith("{"):
        capture, _, name = item[1:-1].partition(":")
        name = name or capture
        if name.startswith("+"):
            return ("match", name[1:], capture.lstrip("+"))
        return ("class" if name.isupper() else "nt", name, capture)
    if found := re.fullmatch(r"(\S+)\[(\w+)\]", item):
        stem, tail = found.groups()
        return _Group([[("lit", stem.lower(), "")], [("lit", (stem + tail).lower(), "")]])
    return ("lit", item.removeprefix("\\").lower(), "")


def _expand(group: _Group) -> Iterator[tuple[Step, ...]]:
    """Every row of steps the group may stand for."""
    if group.optional:
        yield ()
    for option in group.options:
        rows: list[tuple[Step, ...]] = [()]
        for item in option:
            tails = [(item,)] if isinstance(item, tuple) else list(_expand(item))
            rows = [row + tail for row in rows for tail in tails]
        yield from rows


def _insert(
    node: Node, steps: tuple[Step, ...], frame: int, kinds: Mapping[str, int], matchers: Mapping[str, int], where: str
) -> None:
    if not steps:
        raise BadGrammar(f"{where}: a frame may not be empty")
    captures = []
    for form, name, capture in steps:
        if form == "lit":
            node = node.words.setdefault(name, Node())
            continue
        captures.append(capture)
        node = _next(node, form, _number(form, name, kinds, matchers, where))
    node.ends.append((frame, tuple(captures)))


def _number(form: str, name: str, kinds: Mapping[str, int], matchers: Mapping[str, int], where: str) -> int:
    try:
        return {"nt": lambda: kinds[name], "class": lambda: int(Kind[name]), "match": lambda: matchers[name]}[form]()
    except KeyError:
        raise BadGrammar(f"{where}: no kind, token or matcher {name!r}") from None


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


def _builders(frames: Sequence[Frame], names: Mapping[str, Any]) -> list[Callable[..., Any]]:
    """One function a frame, all compiled at once; only the calls and names of the notation are let in."""
    rows = []
    for frame in frames:
        captures = dict.fromkeys(
            name for form, _, name in _steps_of(_parse_pattern(frame)) if form != "lit" and name.isidentifier()
        )
        _check(frame, names, set(captures) | {"c"})
        rows.append(f"lambda c, {', '.join(f'{name}=None' for name in captures)}: ({frame.expression})")
    code = compile("[" + ",\n".join(rows) + "]", "<grammar>", "eval")
    found: list[Callable[..., Any]] = eval(code, {"__builtins__": {}, **names})  # checked above, node by node
    return found


def _steps_of(group: _Group) -> Iterator[Step]:
    for option in group.options:
        for item in option:
            if isinstance(item, tuple):
                yield item
            else:
                yield from _steps_of(item)


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
