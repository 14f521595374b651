"""Wrong engines, one wrong rule each: the corpus must fail every one of them.

Each is made of the oracle, of which one piece is exchanged; the text of a mutant says what it
gets wrong.
"""

from collections.abc import Mapping
from functools import cache

from conformance.errors import UsageError
from conformance.knobs import RuleSets
from conformance.mutants import alone, answers, calling, house, play, ranking, renege, score
from conformance.mutants.knobs import stuck_knobs
from conformance.mutants.making import Mutant
from conformance.tree import near

__all__ = ["Mutant", "mutant", "mutants"]


def mutants(rulesets: RuleSets) -> Mapping[str, Mutant]:
    """Every named mutant."""
    return {**_engines(), **{one.name: one for one in stuck_knobs(rulesets)}}


def mutant(name: str, rulesets: RuleSets) -> Mutant:
    """The mutant of a name."""
    known = mutants(rulesets)
    if name not in known:
        raise UsageError(f"no mutant {name!r}{near(name, known)} (euchre-conformance prove --list)")
    return known[name]


@cache
def _engines() -> Mapping[str, Mutant]:
    found: dict[str, Mutant] = {}
    for module in (calling, alone, house, play, ranking, score, renege, answers):
        for one in module.MUTANTS:
            if one.name in found:
                raise ValueError(f"two mutants are called {one.name!r}")
            found[one.name] = one
    return found
