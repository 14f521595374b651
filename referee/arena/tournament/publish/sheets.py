"""The figures of an event as CSV: a row a standing, an entry of an encounter or board, a table.

Scores have six places. A text that a spreadsheet would take for a formula begins with an
apostrophe.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

from referee.arena.tournament.model import BoardPlayed
from referee.arena.tournament.publish.document import SEAT_WORDS, Document
from referee.arena.tournament.publish.figures import EXACT_PLACES, decimal, shortest, tie_break

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
_PLACE: Final = ("round", "encounter", "board", "attempt")


def plain(text: str) -> str:
    """A text that no spreadsheet computes.

    >>> plain("=1+1"), plain("ann")
    ("'=1+1", 'ann')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


def csv_bytes(head: Sequence[str], rows: Iterable[Iterable[str | int]]) -> bytes:
    """A CSV file: a line of names, then the rows, each ended by a line feed."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue().encode()


def standings_csv(document: Document) -> bytes:
    """`standings.csv`: a row an entry, in the order of the standings."""
    words = [word for word, _ in document.standings[0].breaks] if document.standings else []
    head = (
        "place", "entry", "match_points", *words, "wins", "draws", "losses", "byes", "boards",
        "mean", "low", "high",
    )  # fmt: skip
    rows: Iterable[tuple[str | int, ...]] = (
        (
            row.place,
            plain(row.entry),
            "" if row.points is None else shortest(row.points),
            *(tie_break(word, value) for word, value in row.breaks),
            row.wins,
            row.draws,
            row.losses,
            row.byes,
            row.boards,
            decimal(row.mean, EXACT_PLACES),
            "" if row.low is None else decimal(row.low, EXACT_PLACES),
            "" if row.high is None else decimal(row.high, EXACT_PLACES),
        )
        for row in document.standings
    )
    return csv_bytes(head, rows)


def results_csv(document: Document) -> bytes:
    """`results.csv`: a row an entry of an encounter; byes have no encounter and no score."""
    head = ("round", "encounter", "entry", "boards", "score", "result")
    return csv_bytes(head, _results(document))


def _results(document: Document) -> Iterator[tuple[str | int, ...]]:
    for told in document.rounds:
        for meeting in told.meetings:
            for name in meeting.entries:
                score = meeting.totals.get(name, Fraction(0))
                result = "" if meeting.winner is None else "loss"
                if meeting.winner == name:
                    result = "win"
                yield (
                    told.number,
                    meeting.encounter,
                    plain(name),
                    meeting.boards,
                    decimal(score, EXACT_PLACES),
                    result,
                )
        for bye in told.byes:
            yield (told.number, "", plain(bye.entry), 0, "", "bye")


def boards_csv(document: Document) -> bytes:
    """`boards.csv`: a row an entry of a board, void ones with the reason and without a score."""
    head = (*_PLACE, "id", "dealer", "entry", "x", "counts", "void")
    return csv_bytes(head, _boards(document))


def _boards(document: Document) -> Iterator[tuple[str | int, ...]]:
    for board in document.boards:
        for name in dict.fromkeys(board.seatings[0]):
            x = board.scores.get(name)
            yield (
                *_place(board),
                board.id,
                SEAT_WORDS[board.dealer],
                plain(name),
                "" if x is None else decimal(x, EXACT_PLACES),
                "yes" if board.id in document.counting else "no",
                plain(board.void),
            )


def tables_csv(document: Document) -> bytes:
    """`tables.csv`: a row a table of a board: its match, its seats and its points."""
    head = (*_PLACE, "id", "table", "match", *SEAT_WORDS, "outcome", "ns", "ew", "faults")
    return csv_bytes(head, _tables(document))


def _tables(document: Document) -> Iterator[tuple[str | int, ...]]:
    for board in document.boards:
        for number, match in enumerate(board.matches):
            pair = board.points[number] if board.points else None
            faults = [f for f in board.faults if f.table == number]
            yield (
                *_place(board),
                board.id,
                number,
                match,
                *(plain(name) for name in board.seatings[number]),
                board.outcomes[number] if board.outcomes else "",
                "" if pair is None else pair.ns,
                "" if pair is None else pair.ew,
                " ".join(f"{SEAT_WORDS[fault.seat]}:{fault.why}" for fault in faults),
            )


def swings_csv(document: Document) -> bytes:
    """`swings.csv`: the boards that counted by how far apart their entries came out of them."""
    head = ("rank", *_PLACE, "id", "swing", "share", "best")
    return csv_bytes(head, _swings(document))


def swings(document: Document) -> tuple[tuple[BoardPlayed, Fraction], ...]:
    """Every board that counted and the largest score any entry has at it, largest first."""
    found = [(board, max(board.scores.values())) for board in document.counted]
    return tuple(sorted(found, key=lambda item: (-item[1], item[0].key)))


def _swings(document: Document) -> Iterator[tuple[str | int, ...]]:
    ranked = swings(document)
    whole = sum((swing for _, swing in ranked), Fraction(0))
    for rank, (board, swing) in enumerate(ranked, start=1):
        best = [name for name, x in board.scores.items() if x == swing and x > 0]
        yield (
            rank,
            *_place(board),
            board.id,
            decimal(swing, EXACT_PLACES),
            decimal(swing / whole if whole else Fraction(0), EXACT_PLACES),
            plain(" ".join(best)),
        )


def _place(board: BoardPlayed) -> tuple[int, int, int, int]:
    key = board.key
    return key.round, key.encounter, key.board, key.attempt
