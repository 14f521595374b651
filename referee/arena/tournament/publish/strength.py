"""The ratings of teams by Bradley and Terry, from the boards as they were played."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from referee.arena.statistics.ratings import meeting, ratings
from referee.arena.tournament.model import BoardPlayed
from referee.arena.tournament.publish.document import Document, RatingTold
from referee.arena.tournament.publish.figures import signed
from referee.arena.tournament.publish.markup import Markup, element, heading, table, told


def ratings_of(boards: Sequence[BoardPlayed], last: dict[str, str]) -> tuple[RatingTold, ...]:
    """The ratings, best first; `last` says who holds the place of an entry now."""
    met: dict[tuple[str, str], list[Fraction]] = {}
    for board in boards:
        first, second = board.seatings[0][:2]
        pair = (last[first], last[second])
        score = board.scores[first]
        if pair[::-1] in met:
            pair, score = pair[::-1], -score
        met.setdefault(pair, []).append(score)
    if not met:
        return ()
    found = ratings([meeting(a, b, scores) for (a, b), scores in met.items()])
    return tuple(
        RatingTold(
            entry=one.entry,
            rating=round(one.rating, 2),
            low=round(one.low, 2),
            high=round(one.high, 2),
            boards=one.boards,
            group=one.group,
        )
        for one in found.ratings
    )


def strength(document: Document) -> Iterator[Markup]:
    """The table of the ratings."""
    if not document.ratings:
        yield element("p", "None: no two teams have met.")
        return
    rows = []
    for row in document.ratings:
        number = document.number_of(row.entry)
        place = f"rating/{number}"
        low = told(f"{place}/low", signed(row.low, 0))
        high = told(f"{place}/high", signed(row.high, 0))
        rows.append([
            element("th", row.entry, scope="row", class_="name", data_is=f"entry/{number}/name"),
            told(f"{place}/rating", signed(row.rating, 0), "td", "number"),
            element("td", low, " to ", high, class_="number"),
            told(f"{place}/boards", str(row.boards), "td", "number"),
        ])  # fmt: skip
    head = [
        heading("entry"), heading("rating", number=True),
        element("th", told("interval/heading", "95 % interval"), scope="col", class_="number"),
        heading("boards", number=True),
    ]  # fmt: skip
    apart = max(row.group for row in document.ratings) > 0
    yield element(
        "p",
        "By Bradley and Terry with Davidson's ties, from boards as they were won, lost or level:"
        " the mean of the field is nothing, and the scale is that of chess.",
        " Some entries have met nobody who met the others: only the prior tells them apart."
        if apart
        else "",
        class_="quiet",
    )
    yield table(head, rows)
