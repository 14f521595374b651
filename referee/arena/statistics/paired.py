"""Two rule sets, or two versions of an entry, on the same decks."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from math import fsum
from random import Random

from referee.arena.statistics.bootstrap import RESAMPLES, mean_interval
from referee.arena.statistics.figures import (
    LEVEL,
    FixedFigure,
    Number,
    StatisticsError,
    TooFewBoardsError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The two means over the decks that both have, and the mean of second - first.

    `difference` is missing where too few decks came out otherwise for an interval, and `missing`
    then says so; `changed` decks gave another score, and `unpaired` ones, which were played under
    one of the two alone, do not count.
    """

    mean: float
    difference: FixedFigure | None
    missing: str
    first: float
    second: float
    decks: int
    changed: int
    unpaired: int

    @property
    def text(self) -> str:
        """The mean of the difference, then its interval or why there is none."""
        return self.difference.text if self.difference else f"{self.mean:+.3f}, {self.missing}"


def compare(
    first: Mapping[str, Number],
    second: Mapping[str, Number],
    rng: Random,
    *,
    clusters: Mapping[str, Hashable] | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
) -> Comparison:
    """The scores of one entry on decks that were played twice, by the name of the deck.

    What the deck gives to both goes out of the difference. Raises `StatisticsError` where no deck
    was played twice.
    """
    decks = [deck for deck in first if deck in second]
    if not decks:
        raise StatisticsError("no deck was played under both (compare two runs of the same decks)")
    differences = [float(second[deck]) - float(first[deck]) for deck in decks]
    groups = None
    if clusters is not None:
        missing = [deck for deck in decks if deck not in clusters]
        if missing:
            raise StatisticsError(f"no cluster is named for deck {missing[0]!r} (name one a deck)")
        groups = [clusters[deck] for deck in decks]
    figure, why = None, ""
    try:
        figure = mean_interval(differences, rng, clusters=groups, level=level, resamples=resamples)
    except TooFewBoardsError as error:
        why = str(error)
    return Comparison(
        mean=fsum(differences) / len(decks),
        difference=figure,
        missing=why,
        first=fsum(float(first[deck]) for deck in decks) / len(decks),
        second=fsum(float(second[deck]) for deck in decks) / len(decks),
        decks=len(decks),
        changed=sum(difference != 0.0 for difference in differences),
        unpaired=len(first) + len(second) - 2 * len(decks),
    )
