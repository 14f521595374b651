"""A second engine of Euchre: plain, slow, written from the rule book alone.

It knows cards as strings and hands as sets of strings, has no tables, and shares no code with the
referee, so that where the two agree they do not agree by inheritance.
It derives the expected answers of the corpus and the small views that the runner sends.
"""

from conformance.oracle.answer import answer, position
from conformance.oracle.hand import Hand
from conformance.oracle.reasons import RULE_OF
from conformance.oracle.watched import Watched

__all__ = ["RULE_OF", "Hand", "Watched", "answer", "position"]
