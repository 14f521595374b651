"""How much of each entry's result hangs on a few boards."""

from collections.abc import Iterator
from typing import Final

from referee.arena.statistics.swings import swing_report
from referee.arena.tournament.publish.crosstable import order
from referee.arena.tournament.publish.document import Document
from referee.arena.tournament.publish.encounters import score_cell
from referee.arena.tournament.publish.figures import decimal, signed
from referee.arena.tournament.publish.markup import Markup, element, heading, table, told

TOP: Final = "3"


def robustness(document: Document) -> Iterator[Markup]:
    """A row an entry that has finished a board, as it was played."""
    rows = []
    for name in order(document):
        boards = [b for b in document.counted if name in b.seatings[0]]
        if not boards:
            continue
        report = swing_report(boards, name)
        place = f"robust/{document.number_of(name)}"
        low = told(f"{place}/low", signed(report.without_low))
        high = told(f"{place}/high", signed(report.without_high))
        rows.append([
            element("th", name, scope="row", class_="name",
                    data_is=f"entry/{document.number_of(name)}/name"),
            told(f"{place}/boards", str(report.boards), "td", "number"),
            score_cell(f"{place}/mean", report.mean),
            element("td", low, " to ", high, class_="number"),
            told(f"{place}/turned", str(report.turned_by), "td", "number"),
            told(f"{place}/share", f"{decimal(100 * report.share(int(TOP)), 1)} %", "td", "number"),
        ])  # fmt: skip
    if not rows:
        return
    head = [
        heading("entry"), heading("boards", number=True), heading("points per deal", number=True),
        heading("without any one board", number=True), heading("boards that turn it", number=True),
        element("th", "share of the largest ", told("robust/top", TOP), scope="col",
                class_="number"),
    ]  # fmt: skip
    yield element(
        "p",
        "The mean as it was played; what it becomes when any one board is left out; how many of the"
        " best boards have to be left out until its sign is gone.",
        class_="quiet",
    )
    yield table(head, rows)
