"""What a reading knows so far: the open scopes, who was named, what "it" and "that unit" mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from battlewright.effects import (
    All,
    Condition,
    Effect,
    Embarked,
    Event,
    Keyword,
    Limit,
    Located,
    PerAttack,
    Pick,
    Same,
    Select,
)
from battlewright.rulestext.blocks import Block, Gate, Given, Item, Options
from battlewright.rulestext.frames import BadGrammar, Grammar
from battlewright.rulestext.parse import Found, Tree
from battlewright.rulestext.tokens import Token

#: what is called so was named, if at all, by words that were not read
NOT_READ = "not read"
_THINGS: tuple[Any, ...] = ("unit", "model", "weapon", "objective")
_SUPPOSED_TEXT = """
    it it_block pronoun attack activation activation_block act act_block last test_block weapons weapons_block forgot
    supposed
"""
_SUPPOSED = tuple(_SUPPOSED_TEXT.split())
ME = Select("model", ref="self")
UNIT = Select("unit", ref="unit")


class Reject(Exception):
    """The words parse, but cannot mean that here (nothing to refer to, a wrong kind of thing)."""


#: What a builder raises when it is handed a value it was not made for. That is a fault of ours: the words stay unread,
#: the fault is noted for the report, and who reads a rule gets an answer.
FAULTS = (AttributeError, TypeError, ValueError, LookupError)


@dataclass(eq=False)
class Mention:
    """Something named, that later words may mean by "that …"; ``refer`` is how the rule then speaks of it."""

    select: Select
    refer: Select | None
    block: Block | None
    fresh: bool = True


@dataclass(eq=False)
class Poison(Mention):
    """Something that was not read, in these words, may have been named here: nothing before it can be meant."""

    words: str = ""


@dataclass(eq=False)
class StandIn(Mention):
    """What words that were not read may have named: whatever later words say of it fits."""


@dataclass(eq=False)
class Context:
    """The state of one reading. ``base`` is where clauses go; ``block`` the scope now open."""

    grammar: Grammar
    base: Block = field(default_factory=Block)
    mentions: list[Mention] = field(default_factory=list)
    it: Select | None = None
    it_block: Block | None = None
    pronoun: Select | None = None  # what "it" was taken for in the effect being read
    attack: Block | None = None
    activation: Select | None = None
    activation_block: Block | None = None  # the scope in which it is spoken of
    gate: Gate | None = None
    gate_block: Block | None = None
    by_rows: bool = False  # the results of dice stand in rows below
    options: Options | None = None
    act: Block | Effect | Options | None = None
    act_block: Block | None = None
    last: Block | None = None
    before: Block | None = None  # what the sentence before this one did last
    picks: int = 0
    limits: list[Limit] = field(default_factory=list)
    target: Select | None = None  # a stratagem's unit
    weapons: PerAttack | None = None
    weapons_block: Block | None = None
    weapons_are: tuple[PerAttack, tuple[Condition, ...]] | None = None  # what else holds of attacks with those weapons
    options_block: Block | None = None
    follow: Block | None = None
    given: Given | None = None
    heading: str = ""  # the last line that was only a name
    below: Block | None = None  # the scope in which the lines below stand
    #: what a row of a table says must hold, from its numbers, and where what it gives is put
    table: tuple[Callable[[int, int | None], Condition], Block] | None = None
    keywords: Keyword | None = None  # of which one was chosen for the army
    short: dict[str, str] = field(default_factory=dict)  # names of pools by the letters that stand for them
    number: str = ""  # what the rows below give a number for each battle round
    priced: tuple[str, Block] | None = None  # of which pool the rows below say how much each sort gives, and where
    binds: list[tuple[Select, str]] = field(default_factory=list)
    test_block: Block | None = None
    objective_block: Block | None = None  # where the objective this sentence speaks of was picked
    choice: tuple[Any, ...] = ()
    choice_block: Block | None = None  # where it is made
    section: str = ""
    named_choice: tuple[str, ...] = ()  # names to choose from: "select the A, B or C"
    forgot: bool = False
    supposed: Block | None = None  # the scope of what is only supposed to have been named by words that were not read
    says_this_unit: bool = False
    yours_in: Block | None = None  # the sentence that says "your unit"
    aimed_at: Select | None = None  # what "it" meant before the one who attacks was named
    counted: Select | None = None  # of which the number was just counted
    counted_block: Block | None = None  # where
    named_number: bool = False  # did the player name a number?
    raised: dict[str, str] = field(default_factory=dict)  # what tokens of a pool make of units
    costing: str = ""  # the pool of which the rows below say how much a unit costs
    ordered: str = ""  # what can be issued to units: one of those that stand below
    discarded: str = ""  # the tokens just discarded
    oath_kind: str = ""  # the state of having fulfilled any of the oaths below
    oath: str = ""  # what is fulfilled by the condition now read
    it_before: Select | None = None  # what "it" meant before the subject now spoken of
    option_of: Options | None = None  # the choice one of whose options is being read
    follower: Select | None = None  # who has the abilities of the lines below
    had_by: Select | None = None  # who has the ability now read
    answered: bool = False  # "if it does" comes next
    also_target: Select | None = None
    or_target: Select | None = None
    leads: bool = False
    army_rule: bool = False  # no unit has this rule: nobody is its bearer
    led_block: Block | None = None
    marks: list[str] = field(default_factory=list)  # words by which someone was marked: "its prey"
    chosen_for: Any = None  # the attacks an option below is for
    ignored_of: Select | None = None  # whose modifiers may be ignored
    among: Select | None = None  # several named together, of which some were just meant: "one of those units"
    history: list[tuple[list[Item], int, Block]] = field(default_factory=list)
    block: Block = field(default_factory=Block)
    root: Block | None = None
    parent: Block | None = None
    pieces: int = 0
    waiting: int = 0  # of the pieces, those that speak of words that were not read
    undo: list[Callable[[], None]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)  # of the grammar, whatever the text

    # ------------------------------------------------------------------------------------------------ building

    def build(self, part: Any) -> Any:
        """The value of a tree: the parts first, in the order of the text (unless the frame asks for them unbuilt)."""
        if not isinstance(part, Tree):
            return part.tokens if isinstance(part, Found) else part
        builder = self.grammar.builder(part.frame)
        try:
            if self.grammar.frames[part.frame].lazy:
                return builder(self, **dict(zip(part.names, part.parts, strict=True)))
            values = {name: self.build(child) for name, child in zip(part.names, part.parts, strict=True)}
            return builder(self, **values)
        except BadGrammar:
            raise
        except FAULTS as fault:
            self.faults.append(f"{self.grammar.frames[part.frame].expression}: {type(fault).__name__}: {fault}")
            raise Reject("a fault of the grammar") from fault

    @contextmanager
    def inside(self, block: Block) -> Iterator[Block]:
        """Build within this scope."""
        before, self.block = self.block, block
        try:
            yield block
        finally:
            self.block = before

    def open(self, parent: Block | None = None) -> Block:
        """A new scope at the end of ``parent`` (of the one now open)."""
        parent = parent or self.block
        block = Block(parent)
        parent.do.append(block)
        return block

    def put(self, item: Item) -> None:
        """Do this in the scope now open."""
        self.block.do.append(item)
        self.history.append((self.block.do, len(self.block.do) - 1, self.block))
        self.last = self.block
        self.pieces += 1
        self.forgot = False

    # ------------------------------------------------------------------------------------------- taking it back

    def add(self, items: list[Any], item: Any) -> None:
        """Append to what an earlier sentence made."""
        items.append(item)
        self.undo.append(items.pop)

    def swap(self, items: list[Item], at: int, item: Item) -> None:
        """Replace what an earlier sentence made."""
        old = items[at]
        items[at] = item
        self.undo.append(lambda: items.__setitem__(at, old))

    def save(self) -> dict[str, Any]:
        """What to restore when the words turn out not to mean this."""
        saved = {name: list(value) if isinstance(value, list) else value for name, value in vars(self).items()}
        return {**saved, "undo": len(self.undo)}

    def restore(self, saved: dict[str, Any]) -> None:
        while len(self.undo) > saved["undo"]:
            self.undo.pop()()
        for name, value in saved.items():
            if name not in ("undo", "faults"):
                setattr(self, name, value)

    # ---------------------------------------------------------------------------------------------- references

    def mention(self, select: Select, refer: Select | None = None) -> Select:
        self.mentions.append(Mention(select, refer, self.block))
        return select

    def named_again(self, select: Select) -> None:
        """Something bound before is named: it stays bound where it was."""
        known = next((one for one in reversed(self.mentions) if one.refer == select and one.block is not None), None)
        self.mentions.append(Mention(select, select, self.block if known is None else known.block))

    def drop(self, select: Select) -> None:
        """What was only named to say what may not be: nothing later means it."""
        self.mentions = [mention for mention in self.mentions if mention.select is not select]

    def refers(self, select: Select, refer: Select) -> None:
        """From now on ``select``, just named, is spoken of as ``refer``."""
        for mention in reversed(self.mentions):
            if mention.select is select:
                mention.refer, mention.block = refer, self.block
                return

    def that(self, what: str, side: str | None = None, keyword: Keyword | None = None, said: bool = True) -> Select:
        """What "that unit" means here (its side ``said`` by the text, or only known); raises :class:`Reject` when nothing
        fits, or what fits was not read.
        """
        for mention in self._candidates(what, side if said else None):
            if isinstance(mention, Poison):
                raise Reject("may mean something unread")
            if self._fits(mention, what, side, keyword):
                if mention.refer is None and mention.select.count.kind == "any":
                    continue
                if mention.refer is None:
                    mention.refer = self.name(mention.select)
                self.use(self._block_of(mention))
                return mention.refer
        raise Reject(f"no {what} was named")

    def _candidates(self, what: str, side: str | None) -> list[Mention]:
        """The last one named first; but where the text says "this unit", "that unit" is another, if one was named; and
        of one side is who was said to be, before one of whom the text does not say it. "That model" is the bearer only
        where no other was named.
        """
        found = self.mentions[::-1]
        known = next((i for i, mention in enumerate(found) if isinstance(mention, Poison)), len(found))
        said = [mention for mention in found[:known] if mention.select.what == what and self._side(mention) == side]
        if side and said:
            bare = [one for one in found[:known] if side == "enemy" or one.select.ref == "attacker"]
            found = [one for one in found[:known] if one in said or one not in bare]
            known = len(found)
        if what == "model":
            ours = [mention for mention in found[:known] if mention.refer == ME or self._called_yours(mention)]
            return [*(mention for mention in found[:known] if mention not in ours), *ours, *found[known:]]
        if self.root is not None and self.yours_in is self.root:  # "your unit" and "that unit" are two
            yours = [mention for mention in found[:known] if self._called_yours(mention)]
            found = [*(mention for mention in found[:known] if mention not in yours), *yours, *found[known:]]
        if what != "unit" or not self.says_this_unit:
            return found
        others = [mention for mention in found[:known] if mention.refer != UNIT]
        return [*others, *(mention for mention in found[:known] if mention.refer == UNIT), *found[known:]]

    def _called_yours(self, mention: Mention) -> bool:
        """Did this sentence call it "your unit", or "your model"?"""
        refer = mention.refer
        yours = refer is not None and "your unit" in (refer.name, refer.of.name if refer.of is not None else None)
        return yours and self.root is not None and self.yours_in is self.root

    def _side(self, mention: Mention) -> str | None:
        """The side of something, as it was said when it was named (of one of several, of those)."""
        select = mention.select
        refer = select.where.who if isinstance(select.where, Same) else select if select.ref is not None else None
        if select.side is not None or refer is None:
            return select.side
        named = (one.select.side for one in self.mentions if one.refer == refer and one.select.side is not None)
        return next(named, None)

    def _block_of(self, mention: Mention) -> Block | None:
        """Where what is meant was bound: the bearer and its unit are always there, the led unit while it is led."""
        ref = None if mention.refer is None else mention.refer.ref
        around = [*self.block.chain(), *(self.parent.chain() if self.parent is not None else [])]
        if ref == "subject" and any(isinstance(block.when, Event) and block.when.subject for block in around):
            return None  # of the event this sentence is about
        return None if ref in ("self", "unit") else self.led_block if ref == "led" else mention.block

    def _fits(self, mention: Mention, what: str, side: str | None, keyword: Keyword | None) -> bool:
        select = self._first_said(mention.select)
        if select.what != what:
            return False
        if isinstance(mention, StandIn):
            return True
        if side and select.side and select.side != side:
            return False
        if side == "enemy" and _ours(select):
            return False
        return keyword is None or echoes(select, keyword)

    def _first_said(self, select: Select) -> Select:
        """What was said of something when it was named."""
        if select.ref not in ("bound", "subject", "target", "attacker"):
            return select
        named = (mention.select for mention in self.mentions if mention.refer == select)
        return next((one for one in named if one.ref is None and one.what == select.what), select)

    def name(self, select: Select) -> Select:
        """Give something named within a condition a name, so that it can be spoken of; all models of a unit need none."""
        if select.what == "model" and select.of is not None and select.where is None and not select.other:
            return Select("model", of=select.of)
        word = "other" if not self.binds else f"other {len(self.binds) + 1}"
        self.binds = [*self.binds, (select, word)]
        return Select(select.what, ref="bound", name=word)

    def use(self, block: Block | None) -> None:
        """The sentence speaks of something bound in this scope: it belongs inside it."""
        if block is None or self.root is None or self.root in block.chain():
            return
        if self.parent is None or block.depth >= self.parent.depth:
            self.parent = block

    def scope_of_attack(self) -> Block:
        """The open "each time … attacks"; raises :class:`Reject` where there is none."""
        if self.attack is None:
            raise Reject("no attack is spoken of")
        self.use(self.attack)
        return self.attack

    def forget(self, words: str) -> None:
        """Words were not read: whatever could refer to them must not bind to something else."""
        self.mentions.append(Poison(Select(), None, None, words=words))
        self.act = self.act_block = self.last = self.test_block = None
        self.gate = self.options = None
        self.forgot = True
        self.it = None

    @contextmanager
    def supposing(self, block: Block) -> Iterator[None]:
        """Build as if the words that were not read had named what the next words speak of, in this scope."""
        before, pieces = {name: getattr(self, name) for name in _SUPPOSED}, self.pieces
        named = {what: Select(what, ref="bound", name=NOT_READ) for what in _THINGS}
        stand_ins = [StandIn(select, select, block) for select in named.values()]
        self.mentions.extend(stand_ins)
        self.it, self.activation = named["unit"], named["unit"]
        self.it_block = self.activation_block = self.weapons_block = block
        self.act = self.act_block = self.last = self.test_block = self.supposed = block
        self.attack = self.open(block)
        self.attack.when = PerAttack()
        self.weapons, self.forgot = PerAttack(), False
        try:
            yield
        finally:
            self.mentions = [mention for mention in self.mentions if mention not in stand_ins]
            for name, value in before.items():
                setattr(self, name, value)
            self.waiting += self.pieces - pieces

    def not_read(self) -> str:
        """The last words that were not read, to which later ones may refer; empty when all was read."""
        return next((one.words for one in reversed(self.mentions) if isinstance(one, Poison)), "")


def _ours(select: Select) -> bool:
    """One of our own; only a rule about a transport of ours speaks of who is in it."""
    if select.ref in ("unit", "self", "led") or select.name == "your unit":
        return True
    parts = select.where.of if isinstance(select.where, All) else (select.where,)
    return any(part == Located("embarked") or isinstance(part, Embarked) for part in parts)


def echoes(select: Select, keyword: Keyword) -> bool:
    """Is "that KW unit" this one: do its own conditions name the keyword?"""
    known = {phrase for group in keywords_of(select.where) for phrase in group}
    return all(any(phrase in have or have in phrase for have in known) for group in keyword.any_of for phrase in group)


def keywords_of(condition: Condition | None) -> list[tuple[str, ...]]:
    """The groups of keywords a condition asks for."""
    if isinstance(condition, Keyword):
        return list(condition.any_of)
    parts = getattr(condition, "of", ())
    if isinstance(parts, tuple):
        return [group for part in parts for group in keywords_of(part)]
    return []


def is_attack(block: Block) -> bool:
    return isinstance(block.when, PerAttack)


def in_option(c: Context) -> bool:
    """Are these words of one of the things to choose from?"""
    return any(block.option for block in (*c.block.chain(), *c.base.chain()))


def picked(effect: object) -> bool:
    return isinstance(effect, Pick)


__all__ = [
    "ME", "UNIT", "Context", "Mention", "Poison", "Reject", "Token", "echoes", "in_option", "is_attack", "keywords_of",
    "picked",
]  # fmt: skip
