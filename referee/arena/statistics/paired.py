"""Two rule sets, or two versions of an entry, on the same decks."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from random import Random

from referee.arena.statistics.bootstrap import RESAMPLES, mean_interval
from referee.arena.statistics.figures import LEVEL, FixedFigure, Number, StatisticsError


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The mean of second - first over the decks that both have, and the two means over them.

    `unpaired` decks were played under one of the two alone and do not count.
    """

    difference: FixedFigure
    first: float
    second: float
    changed: int
    unpaired: int


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
    was played twice, and `TooFewBoardsError` where under eight were.
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
    return Comparison(
        difference=mean_interval(
            differences, rng, clusters=groups, level=level, resamples=resamples
        ),
        first=sum(float(first[deck]) for deck in decks) / len(decks),
        second=sum(float(second[deck]) for deck in decks) / len(decks),
        changed=sum(difference != 0.0 for difference in differences),
        unpaired=len(first) + len(second) - 2 * len(decks),
    )
