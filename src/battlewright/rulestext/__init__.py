"""Rules English to :class:`~battlewright.effects.Rule`: normalise, tokens, language (the grammar), parse, build, report.

``build`` reads a text line by line and sentence by sentence; ``titles`` read its name, ``parts`` a stratagem's WHEN, TARGET
and EFFECT, ``bullets`` a header with what stands below it, ``pieces`` what can be read of a sentence that is not read whole.

Canonical forms, the same for both dialects (``tests/rulestext/test_canonical.py`` shows each):

* "this model", "the bearer": ``Select("model", ref="self")``. "this unit", "this model's unit", "the bearer's unit":
  ``Select("unit", ref="unit")``. The unit this model leads: ``ref="led"``, under ``About(self model, Leading())``.
* Models *in* a unit that all get something are the unit: ``who`` is the unit. Only an attacker is always a model:
  ``Select("model", of=unit)``.
* What a weapon or its attacks get is a ``PerAttack`` clause with the effect (``StatMod(on="attack")``, ``Grant("weapon_
  ability")``) inside; a named weapon or a kind of weapon is ``PerAttack.weapon``. An enemy target is not said again:
  ``PerAttack.target`` has no ``side``.
* Ascending characteristics (A, S, D, M, T, W, OC, Range) are added to or subtracted from; AP, BS, WS, Sv, InSv, Ld improve
  or worsen. "Change the Damage to n": ``DamageTo(n)``.
* A thing near, an aura: ``who`` selects it with ``Within`` in its ``where``; no ``holds`` at the clause.
* ``All`` is flat and sorted by kind of condition (keyword first); keywords of a group are phrases, see ``Keyword.fits``.
* "you can use this ability. If it does, …" is one clause with ``may``; "you can select …" is ``Pick(may=True)``; what was
  picked is ``Select(ref="bound", name="picked")`` (then ``"picked 2"``, …); a stratagem's unit is ``"your unit"``.
* What follows a pick or an event and speaks of it stands in the same clause after it. "Until …" is ``lasts``, of the
  clause itself when nothing was done before, else of a nested one; an "each time" inside it is nested again.
* Others who "have the following ability": ``Give``; inside it, "this unit" is theirs. A second target of a stratagem is
  ``Rule.also_target`` (bound as "your other unit") or ``Rule.or_target``.
* A condition that held before is ``Was``; a named act, mode or pool is only its name (``Used``, ``HasState``, ``Active``,
  ``Pool``, ``Order("use")``): what it means stands in another rule.
* What was not read: ``Rule.unread``; effects whose condition was not read stand under ``Unknown``, which never holds; so
  does what speaks of something that words not read may have named: the bound ``"not read"``.
* "instead" is ``If(condition, then=(new,), otherwise=(old,))``.
* The subject of an event is ``ref="subject"`` when spoken of later, its target ``"target"``; attack: ``"attacker"``,
  ``"target"``; "the attacking unit" is ``"attacker"``.

To teach it a frame: add a line to the file of its family in ``grammar/`` (``frames.py`` says how to write one), with an
expression of vocabulary and builders (``builders/``: its docstring says what lives where);
``python -m battlewright.rulestext.report FOLDER`` lists what is not read, most frequent first; sample what became full
and read it before going on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from battlewright.effects import EditionId, Rule, RuleKind


def compile(
    text: str, *, name: str = "", kind: RuleKind = "other", edition: EditionId | None = None, faction: str = ""
) -> Rule:
    """The rule these words make; see :func:`battlewright.rulestext.build.compile`. The grammar is loaded only now."""
    from battlewright.rulestext import build

    return build.compile(text, name=name, kind=kind, edition=edition, faction=faction)
