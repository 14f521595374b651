"""A board played again on paper: the deal once, and every table beside the others."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Final

from referee.arena.tournament.model import BoardPlayed
from referee.arena.tournament.publish.markup import Markup, element, heading, joined, table, told
from referee.records import CannotExpressError, Record, RecordedDeal, judge
from referee.records.transcript import read_transcript
from referee.records.write_egn import write_egn
from referee.rules import SEATS, Card, card_text

SEAT_WORDS: Final = ("north", "east", "south", "west")
_SYMBOLS: Final[Mapping[str, str]] = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_RED: Final = "DH"


@dataclass(frozen=True, slots=True)
class Files:
    """The public files of a board: its own, and one a table."""

    board: bytes
    tables: tuple[bytes, ...]


def records_of(files: Files) -> tuple[Record, ...]:
    """The record of each table; it has no deal where that was not played to its end."""
    return tuple(read_transcript(files.board + text) for text in files.tables)


def egn_of(record: Record) -> str | None:
    """The deal of a table as EGN; None where EGN has no way to say it, or there is none."""
    if not record.deals:
        return None
    try:
        return write_egn(record).text
    except CannotExpressError:
        return None


def replay(board: BoardPlayed, files: Files) -> Markup:
    """The deal, and every table's calls, tricks and points side by side."""
    records = records_of(files)
    deals = [deal for record in records for deal in record.deals]
    parts = [] if not deals else [_deal(board, deals[0])]
    tables = [_table(board, n, record) for n, record in enumerate(records)]
    parts.append(element("div", joined(tables, "\n"), class_="tables"))
    return joined(parts, "\n")


def card(text: str) -> Markup:
    """A card as it is drawn; texts of no card stay themselves."""
    shown = f"{text[0]}{_SYMBOLS[text[1]]}" if text[1:] in _SYMBOLS else text
    red = " red" if text[1:] and text[1] in _RED else ""
    return Markup(f'<span class="card{red}">{escape(shown)}</span>')


def _cards(cards: tuple[Card | None, ...]) -> Markup:
    return joined((card("" if c is None else card_text(c)) for c in cards), " ")


def _deal(board: BoardPlayed, deal: RecordedDeal) -> Markup:
    rows: list[Markup] = []
    for seat in SEATS:
        role = ", dealer" if seat == board.dealer else ""
        rows.append(element("dt", f"{seat.word}{role}"))
        rows.append(
            element("dd", _cards(deal.hands[seat] or ()), data_is=f"deal/{board.id}/{seat.word}")
        )
    up = _cards((deal.upcard,))
    rows += [element("dt", "turned up"), element("dd", up, data_is=f"deal/{board.id}/up")]
    kitty = _cards(deal.kitty or ())
    rows += [element("dt", "kitty"), element("dd", kitty, data_is=f"deal/{board.id}/kitty")]
    return element("dl", *rows, class_="hands")


def _table(board: BoardPlayed, number: int, record: Record) -> Markup:
    match = board.matches[number]
    seating = board.seatings[number]
    who = element("h4", "Table ", told(f"table/{match}/number", str(number + 1)))
    seats = element(
        "p",
        joined(
            (
                joined((f"{word} ", told(f"table/{match}/{word}", name)))
                for word, name in zip(SEAT_WORDS, seating, strict=True)
            ),
            " · ",
        ),
        class_="quiet",
    )
    parts = [who, seats]
    if record.deals:
        parts += _played(match, record)
    else:
        parts.append(element("p", "The deal was not played to its end.", class_="quiet"))
    if board.points:
        pair = board.points[number]
        parts.append(
            element(
                "p",
                "points, north and south first: ",
                told(f"table/{match}/points", f"{pair.ns}-{pair.ew}", "b"),
                f" ({board.outcomes[number]})" if board.outcomes else "",
            )
        )
    return element("div", joined(parts, "\n"))


def _played(match: str, record: Record) -> Iterator[Markup]:
    deal = record.deals[0]
    judged = judge(record).deals[0]
    calls = [
        element(
            "li",
            f"{'' if said.seat is None else said.seat.word}: ",
            told(f"table/{match}/call/{n}", said.words),
        )
        for n, said in enumerate(deal.said)
    ]
    if deal.discard is not None:
        buried = element("span", _cards((deal.discard,)), data_is=f"table/{match}/discard")
        calls.append(element("li", "dealer buries ", buried))
    yield element("ol", *calls, class_="calls")
    if not judged.tricks:
        return
    rows = []
    for trick in judged.tricks:
        number = told(f"table/{match}/trick/{trick.number}", str(trick.number), "td", "number")
        laid = {seat: text for seat, text in trick.plays if seat is not None}
        led = trick.plays[0][0]
        cells = [number]
        for seat in SEATS:
            marks = [
                *(["led"] if seat == led else []),
                *(["won"] if seat == trick.winner else []),
            ]
            shown = card(laid[seat]) if seat in laid else Markup("")
            key = f"table/{match}/trick/{trick.number}/{seat.word}"
            cells.append(element("td", shown, class_=" ".join(marks), data_is=key))
        rows.append(cells)
    head = [heading("trick", number=True), *(heading(seat.word) for seat in SEATS)]
    yield table(head, rows)
