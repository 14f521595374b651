"""One board's files verified: the seal, the signatures, the rules replayed over every table."""

from collections.abc import Sequence

from referee.arena.tournament.verify.report import FILE, INCOMPLETE, PUBLISHER, Finding
from referee.journal.boardverify import sort_of, verify_board
from referee.journal.verify import Asked, Report, failure_place
from referee.sealing.keys import VerifyKey


def check_board(
    names: Sequence[str], own: bytes, tables: Sequence[bytes], pinned: VerifyKey | None
) -> Finding | None:
    """What is first wrong with a board's files; `names` are its own, then the tables'."""
    for name, content in zip(names, (own, *tables), strict=True):
        stranger = _stranger(name, content)
        if stranger is not None:
            return stranger
    asked = Asked(pinned=pinned, strict=False, roster=None, receipts=None)
    report, reports = verify_board(own, list(enumerate(tables)), asked)
    for name, each in zip(names[1:], reports, strict=True):
        finding = _finding(name, each)
        if finding is not None and not _for_its_board(report):
            return finding
    return _finding(names[0], report)


def _stranger(name: str, content: bytes) -> Finding | None:
    """Where a file is that of another board or table, which speaks against nobody but its name."""
    sort = sort_of(content)
    board, _, rest = name.rpartition("/")[2].partition(".")
    table = rest.removesuffix(".jsonl")
    due = (board, None if table == "board" else int(table))
    if not sort.board or (sort.board.decode("ascii"), sort.table) == due:
        return None
    what = "" if sort.table is None else f"table {sort.table} of "
    message = f"here stands the file of {what}board {sort.board.decode('ascii')}"
    return Finding(INCOMPLETE, PUBLISHER, name, message)


def _for_its_board(report: Report) -> bool:
    """Whether the board's own file fails, so that no table can be held against it."""
    failure = report.verdict.failure
    return failure is not None and not report.verdict.stands


def _finding(name: str, report: Report) -> Finding | None:
    failure = report.verdict.failure
    if failure is None or report.verdict.stands:
        return None
    place = failure_place(failure)
    message = f"{failure.message} ({place})" if place else failure.message
    return Finding(failure.exit, failure.party or FILE, name, message)
