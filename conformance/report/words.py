"""The words for what became of a check, beyond what the judge says."""

from typing import Final

from conformance.verdict import EXECUTED, FAILURES, Verdict

KNOWN_FAIL: Final = "known-fail"
FIXED: Final = "fixed"
NOT_SCORED: Final = "not-scored"
DISPUTED: Final = "disputed:"

ORDER: Final = (
    Verdict.PASS.value,
    FIXED,
    KNOWN_FAIL,
    *(verdict.value for verdict in reversed(FAILURES)),
    Verdict.DISPUTED.value,
    Verdict.UNSUPPORTED.value,
    Verdict.NOT_APPLICABLE.value,
    NOT_SCORED,
)
"""The order in which tables name the verdicts."""


def plain(word: str) -> str:
    """The verdict without the name of its alternative."""
    return Verdict.DISPUTED.value if word.startswith(DISPUTED) else word


def executed(word: str) -> bool:
    """Whether a judge's word means that an answer was judged."""
    return plain(word) in {verdict.value for verdict in EXECUTED}


def place(word: str) -> tuple[int, str]:
    """Where a word stands among the others in a table."""
    found = plain(word)
    return (ORDER.index(found) if found in ORDER else len(ORDER), word)
