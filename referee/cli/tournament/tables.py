"""The standings of an event as text, CSV and JSON."""

import csv
import io
from collections.abc import Mapping, Sequence

from referee.arena.formats.standings import Row
from referee.arena.tournament.actionlog import ActionLog
from referee.arena.tournament.eventdb import EventDb
from referee.arena.tournament.field import order_of
from referee.arena.tournament.scoring import Tally, standings_of
from referee.arena.tournament.sheet import Sheet
from referee.sealing.keys import VerifyKey


def tally_of(sheet: Sheet, db: EventDb, key: VerifyKey) -> Tally:
    """Everything that counts in an event, as it is now."""
    _last, results = db.results()
    return Tally(sheet, results, ActionLog(db, key).rulings())


def rows_of(sheet: Sheet, db: EventDb, key: VerifyKey) -> tuple[Row, ...]:
    """The standings as they are now."""
    plans = [planned.plan for planned in db.rounds()]
    return standings_of(sheet, plans, tally_of(sheet, db, key))


def standings_text(sheet: Sheet, db: EventDb, key: VerifyKey) -> str:
    """The standings in columns."""
    words = order_of(sheet).tie_breaks
    head = ["", "entry", "points", "W-D-L", "boards", "a deal", *words]
    lines = [head, *(_cells(row, words) for row in rows_of(sheet, db, key))]
    return columns(lines)


def _cells(row: Row, words: Sequence[str]) -> list[str]:
    return [
        f"{row.rank}.", row.name + (" (withdrawn)" if row.withdrawn else ""),
        f"{float(row.points):g}", f"{row.wins}-{row.draws}-{row.losses}",
        str(row.boards), f"{float(row.mean):+.3f}",
        *(
            f"{int(value):012x}" if word == "lots" else f"{float(value):g}"
            for word, value in zip(words, row.tie_breaks, strict=True)
        ),
    ]  # fmt: skip


def columns(lines: Sequence[Sequence[str]]) -> str:
    """Lines of cells in columns; all but the second are set to the right."""
    widths = [max(len(line[at]) for line in lines) for at in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if at == 1 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def row_fields(row: Row, words: Sequence[str]) -> Mapping[str, str | int | bool]:
    """A line of the standings; fractions are exact, as 7/2."""
    return {
        "rank": row.rank, "entry": row.name, "withdrawn": row.withdrawn,
        "points": str(row.points), "played": row.played, "wins": row.wins, "draws": row.draws,
        "losses": row.losses, "byes": row.byes, "boards": row.boards, "score": str(row.score),
        "mean": str(row.mean),
        **{word: str(value) for word, value in zip(words, row.tie_breaks, strict=True)},
    }  # fmt: skip


def as_csv(rows: Sequence[Mapping[str, str | int | bool]]) -> str:
    """Lines of standings as CSV."""
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()
