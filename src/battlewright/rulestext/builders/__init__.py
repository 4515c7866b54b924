"""What the frames of the grammar call to make vocabulary; one module an idea, names unique over all of them.

* What is spoken of: ``phrases`` (noun phrases, references, keywords, simple conditions), ``things`` (marks, some of those
  named, weapons, objectives), ``bearers`` (who may have a rule, and what bearers' rules say), ``conditions``, ``numbers``
  (amounts and their bounds).
* When and under what: ``windows`` (phases and events), ``sentences`` (clauses, adverbs, "instead", events), ``scopes``
  (while, otherwise, when done), ``tails`` (what stands behind an effect).
* What happens: ``attacks`` (each attack, and what it gets), ``odds`` (marks and choices of attacks), ``gains`` (abilities,
  keywords, characteristics), ``rolls`` (modified, re-rolled, set, tests), ``acts`` (moves, shooting, fighting, arriving,
  coming back), ``second_amounts`` ("or 2 instead if …"), ``picks`` (selections and dice), ``choices``, ``orders``,
  ``pools``.
* Whose rule it is: ``stratagems`` (targets, other stratagems), ``building`` (who may join, transports), ``mustering``.

A frame that needs more than a constructor gets a function here, in the module of its idea; it raises ``Reject`` where the
words parse but cannot mean that.
"""
