"""Durations once more, by another parser: an Earley grammar that keeps every reading agrees with ours on all met."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lark import Lark, Token, Transformer, Tree

from battlewright.effects import About, Duration, HasState, Select
from battlewright.rulestext.context import Context, Reject
from battlewright.rulestext.language import grammar
from battlewright.rulestext.normalise import clean
from battlewright.rulestext.parse import Parser
from battlewright.rulestext.report import HELD_OUT, entries
from battlewright.rulestext.tokens import tokenise

GRAMMAR = r"""
start: "until" _the? EDGE "of" _this? UNIT                       -> plain
     | "until" _the? EDGE "of" "the"? "battle"                   -> battle
     | "for" "the" ("rest" | "remainder") "of" "the" SPAN        -> rest
     | "until" _the? EDGE "of" whose "turn"                      -> turn_of
     | "until" _the? EDGE "of" whose PHASE "phase"               -> phase_of
     | "until" _the? EDGE "of" ("the" | "that") PHASE "phase"    -> this_phase
     | "until" _the? EDGE "of" whose "next" "turn"               -> next_turn
     | "until" _the? EDGE "of" whose "next" PHASE "phase"        -> next_phase
     | "until" _the? EDGE "of" "the" "next" PHASE "phase"        -> next_of_any
     | "until" _the? EDGE "of" "the" "next" "turn"               -> next_turn_of_any
     | "until" "that" "attack" "is" "resolved"                   -> attack
     | "until" _the? EDGE "of" "the" "next" "battle" "round"     -> next_round
     | "until" WHO+ _has _attacked                               -> done
     | "until" ("those" | "these") "attacks" _were _made         -> done
     | "until" WHO+ "'s" "attacks" _were _made                   -> done
     | "until" "that" "fight" ("is" | "has" "been") "resolved"   -> done
     | "until" "that" "move" ("ends" | "is" "finished")          -> moved
     | "until" _the? EDGE "of" "your" "next" "battle"            -> next_battle
     | "until" _this STRETCH "ends"                              -> stretch
     | "until" _this ("shooting" | "fight" | "attack") "sequence" "is" ("completed" | "finished") -> done
_the: "the"
_this: "the" | "this" | "that"
_has: "has"
_were: "have" "been" | "are"
_made: "made" | "resolved"
_attacked: "shot" | "fought" | "attacked"
     | ("finished" | "resolved") ("making"? "all" "of" | "making")? "all"? "its" "attacks"
whose: "your" -> yours | "your" "opponent" "'s" -> theirs | "their" -> theirs
EDGE: "start" | "end"
UNIT: "phase" | "turn" | "battle round"
SPAN: "phase" | "turn" | "battle"
PHASE: "command" | "movement" | "shooting" | "charge" | "fight"
STRETCH: "tour of duty"
WHO: /(?!has\b)[\w'-]+/
%ignore " "
"""


class Meaning(Transformer[Token, Duration]):
    """What each form means, from the words of the rulebook."""

    def plain(self, parts: list[Any]) -> Duration:
        unit: Any = {"phase": "phase", "turn": "turn", "battle round": "round"}[str(parts[1])]
        return Duration(unit, parts[0])

    def battle(self, parts: list[Any]) -> Duration:
        return Duration("battle", parts[0])

    def rest(self, parts: list[Any]) -> Duration:
        return Duration(parts[0])

    def turn_of(self, parts: list[Any]) -> Duration:
        return Duration("turn", parts[0], parts[1])

    def phase_of(self, parts: list[Any]) -> Duration:
        return Duration("phase", parts[0], parts[1], False, parts[2])

    def this_phase(self, parts: list[Any]) -> Duration:
        return Duration("phase", parts[0], "either", False, parts[1])

    def next_turn(self, parts: list[Any]) -> Duration:
        return Duration("turn", parts[0], parts[1], True)

    def next_phase(self, parts: list[Any]) -> Duration:
        return Duration("phase", parts[0], parts[1], True, parts[2])

    def next_of_any(self, parts: list[Any]) -> Duration:
        return Duration("phase", parts[0], "either", True, parts[1])

    def next_turn_of_any(self, parts: list[Any]) -> Duration:
        return Duration("turn", parts[0], "either", True)

    def attack(self, parts: list[Any]) -> Duration:
        return Duration("attack")

    def next_round(self, parts: list[Any]) -> Duration:
        return Duration("round", parts[0], "either", True)

    def done(self, parts: list[Any]) -> Duration:
        return Duration("done")

    def moved(self, parts: list[Any]) -> Duration:
        return Duration("move")

    def next_battle(self, parts: list[Any]) -> Duration:
        return Duration("battle", parts[0], "either", True)

    def stretch(self, parts: list[Any]) -> Duration:
        return Duration("while", holds=About(Select("player", ref="you"), HasState(parts[0])))

    def yours(self, parts: list[Any]) -> str:
        return "your"

    def theirs(self, parts: list[Any]) -> str:
        return "opponent"

    def EDGE(self, token: Token) -> str:
        return str(token)

    SPAN = PHASE = STRETCH = EDGE


@cache
def oracle() -> Lark:
    return Lark(GRAMMAR, parser="earley", lexer="dynamic", ambiguity="explicit")


def meanings(words: str) -> set[Duration]:
    """Every meaning the oracle finds."""
    tree = oracle().parse(words)
    trees = tree.children if tree.data == "_ambig" else [tree]
    return {Meaning().transform(one) for one in trees if isinstance(one, Tree)}


def ours(text: str) -> Iterator[tuple[str, Duration]]:
    """The durations our grammar finds in a text, as it takes them: the longest from each place."""
    for line in clean(text).plain.splitlines():
        tokens = tokenise(line)
        parser = Parser(grammar(), tokens)
        for at, token in enumerate(tokens):
            if token.word not in ("until", "for"):
                continue
            for tree in parser.all("duration", at)[:1]:
                try:
                    yield " ".join(one.word for one in tokens[at : tree.end]), Context(grammar()).build(tree)
                except Reject:
                    continue


def test_the_oracle_and_the_grammar_agree_on_all_durations_met(shared: Path) -> None:
    texts = {
        one["text"] for one in entries(shared / "corpus") if one["faction"] not in HELD_OUT and "ntil" in one["text"]
    }
    found: dict[str, Duration] = {}
    for text in sorted(texts):
        found.update(ours(text))
    assert len(found) > 20
    wrong = {words: (mine, meanings(words)) for words, mine in found.items() if meanings(words) != {mine}}
    assert wrong == {}


@pytest.mark.parametrize("edge", ["start", "end"])
@pytest.mark.parametrize(
    "unit", ["phase", "turn", "your next turn", "your opponent's next Fight phase", "the next battle round"]
)
def test_and_on_those_that_may_be_met(edge: str, unit: str) -> None:
    words = f"until the {edge} of {unit if ' ' in unit else 'the ' + unit}"
    for said, mine in ours(words):
        assert meanings(said) == {mine}
