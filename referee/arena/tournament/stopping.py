"""When two entries have played enough: a sequential test after every chunk of a duel."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from referee.arena.statistics.sprt import Sprt, Verdict
from referee.arena.statistics.watch import swing_bounds
from referee.arena.tournament.sheet import Sheet


def sequential_test(sheet: Sheet) -> Sprt | None:
    """The test that a tournament file asks for; StatisticsError where it makes no sense."""
    asked = sheet.sprt
    if asked is None:
        return None
    return Sprt(
        m0=asked.h0,
        m1=asked.h1,
        bounds=swing_bounds(sheet.rules),
        alpha=asked.alpha,
        beta=asked.beta,
    )


def stop_after(test: Sprt, chunk: int, scores: Sequence[Fraction | None]) -> tuple[int, Verdict]:
    """After how many boards the test is decided, and how; all of them where it is not.

    `scores` are those of the first entry, board by board; None where a board is done and does not
    count. They end with the first board that is not done.
    """
    counts: Counter[float] = Counter()
    for number, score in enumerate(scores, 1):
        if score is not None:
            counts[float(score)] += 1
        if number % chunk == 0 and (verdict := test.verdict(counts)) is not Verdict.CONTINUE:
            return number, verdict
    return len(scores), Verdict.CONTINUE
