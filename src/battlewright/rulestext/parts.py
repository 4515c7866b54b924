"""The labelled parts of a stratagem, or of such a rule within another: WHEN, TARGET, EFFECT, RESTRICTIONS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from battlewright import effects as vocabulary
from battlewright.effects import Pick, Select, Unknown
from battlewright.rulestext import layout
from battlewright.rulestext.blocks import Block
from battlewright.rulestext.builders import phrases, sentences
from battlewright.rulestext.context import Reject
from battlewright.rulestext.parse import Tree
from battlewright.rulestext.words import phrase

if TYPE_CHECKING:
    from battlewright.rulestext.build import Reading


@dataclass
class Parts:
    """The labelled parts of a reading."""

    reading: Reading

    def read(self, start: int = 0, end: int | None = None) -> None:
        """WHEN, TARGET, EFFECT, RESTRICTIONS: one clause about the target; within a rule, the target is picked in it."""
        plain = self.reading.text.plain
        found = layout.parts(plain, start, end)
        block = Block(self.reading.context.base)
        if "when" in found:
            with self.reading.context.inside(block):
                self.part(found["when"], "whenline", lambda trigger: self.when(block, trigger))
        if "target" in found:
            with self.reading.context.inside(block):
                self.part(found["target"], "targetline", self.aim)
        self.reading.context.base.do.append(block)
        if end is not None and self.reading.context.target is not None:
            block.do.append(Pick(self.reading.context.target))
        outer, self.reading.context.base = self.reading.context.base, block
        for part in ("effect", "restriction"):
            if part in found:
                if part == "restriction":
                    self.restrictions(block)
                self.reading.lines(*found[part])
        if not found:
            self.reading.lines(0, len(plain))
        self.reading.context.base = outer

    def restrictions(self, block: Block) -> None:
        """Restrictions speak of the stratagem's target, whatever its effect spoke of last."""
        c = self.reading.context
        c.last, c.attack = block, None
        if c.target is not None:
            c.it, c.it_block = phrases.YOUR, block

    def when(self, block: Block, trigger: Any) -> None:
        block.when = trigger.when if isinstance(trigger, sentences.Scope) else trigger
        if isinstance(trigger, sentences.Scope):
            block.holds.extend(trigger.holds)
        for mention in self.reading.context.mentions:
            mention.block = block
        self.reading.context.last = block
        if isinstance(block.when, vocabulary.PerAttack) or sentences.is_save(block.when):
            self.reading.context.attack = block

    def aim(self, target: Select) -> None:
        """The context keeps the target, as later sentences narrow it."""

    def part(self, where: tuple[int, int], kind: str, use: Callable[[Any], None]) -> None:
        rows = layout.sentences(self.reading.text.plain, *where)
        for i, tokens in enumerate(rows):
            tree = self.reading.parser(tokens).whole(kind if i == 0 else "targetline_more", 0, len(tokens))
            read, value = self.value(tree)
            if not read:
                self.reading.skip(tokens)
                self.reading.context.forgot = False
                if i == 0 and kind == "whenline":
                    self.reading.context.block.holds.append(Unknown(phrase(tokens)))
                if i == 0 and kind == "targetline":
                    self.reading.context.target = Select("unit", bind="your unit", where=Unknown(phrase(tokens)))
            elif value is not None:
                use(value)

    def value(self, tree: Tree | None) -> tuple[bool, Any]:
        """Was it read, and what it means."""
        if tree is None:
            return False, None
        saved = self.reading.context.save()
        try:
            return True, self.reading.context.build(tree)
        except Reject as reason:
            self.reading.context.restore(saved)
            self.reading.reasons.append(str(reason))
            return False, None
