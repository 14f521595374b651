"""Our own corpus and its checks, read and played once for all tests; no test may change them."""

from functools import cache

from conformance.check import Check, checks_of
from conformance.corpus import Corpus, load


@cache
def corpus() -> Corpus:
    """Our own corpus."""
    return load()


@cache
def checks() -> tuple[Check, ...]:
    """Every check of it."""
    return tuple(checks_of(corpus()))
