"""`euchre-referee show`: a match to step through in the terminal, deal by deal."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from referee.arena.account import counts_games, result_line
from referee.cli.files import EXISTING, FileError, read_lines
from referee.errors import RefereeError
from referee.rules import RuleSet, positions
from referee.sealing import (
    SEATS,
    ActionTaken,
    DealClose,
    DealerDrawn,
    DealOpen,
    Event,
    MatchClose,
    MatchOpen,
    TurnUp,
    UnreadableError,
    read_line,
    split_line,
)
from referee.sealing.boardevents import BoardClose
from referee.sealing.packs import UPCARD_POSITION
from referee.sealing.parts import Pair
from referee.sealing.transcript import read_board_line

HAND_SIZE = 5


@click.command()
@click.argument("file", type=EXISTING)
@click.option("--deal", "number", type=click.IntRange(0), help="Show this deal alone.")
@click.option(
    "--board", type=EXISTING, help="The file of the sealed board that FILE is a table of."
)
def show(file: Path, number: int | None, board: Path | None) -> None:
    """Show the match in the transcript FILE: hands, calls, tricks and scores.

    Nothing is verified here: `verify` does that. Of a table of a sealed board the hands stand in
    the board's file, which `--board` takes.
    """
    pages = _pages(file, number, None if board is None else _closed_deck(board))
    if sys.stdout.isatty():
        click.echo_via_pager(pages)
    else:
        for page in pages:
            click.echo(page, nl=False)


def _closed_deck(board: Path) -> str:
    """The deck of a board, out of its file."""
    for line in read_lines(board):
        event = read_board_line(split_line(line)[0])
        if isinstance(event, BoardClose):
            return event.deck
    raise FileError(f"the board {str(board)!r} is not closed: its deck is not in its file yet")


def _pages(file: Path, number: int | None, deck: str | None) -> Iterator[str]:
    teller = Teller(deck)
    opened = shown = closed = False
    for line in read_lines(file):
        event = read_line(*split_line(line)).event
        told = teller.tell(event)
        opened = opened or isinstance(event, MatchOpen)
        closed = isinstance(event, MatchClose)
        if isinstance(event, DealClose) and number in {None, event.deal}:
            shown = True
            told = teller.deal
        elif number is not None:
            continue
        yield "".join(f"{text}\n" for text in told)
    if not opened:
        raise UnreadableError("not a transcript: it has no match_open")
    if number is not None and not shown:
        raise FileError(f"the transcript {str(file)!r} holds no closed deal {number}")
    if number is None and not closed:
        yield "The end of the match is missing (verify says where)\n"


class Teller:
    """The lines that tell a match; a deal's lines are whole once it has closed."""

    def __init__(self, deck: str | None = None) -> None:
        self._deck = deck
        self._rules: RuleSet | None = None
        self._games = True
        self._last: Pair | None = None
        self._dealer: int | None = None
        self._actions: list[tuple[int, ActionTaken]] = []
        self._head: list[str] = []
        self.deal: list[str] = []

    def tell(self, event: Event) -> list[str]:
        """What an event adds; nothing for those inside a deal."""
        match event:
            case MatchOpen():
                return self._match_open(event)
            case DealOpen():
                self._dealer, self._actions, self._head = event.dealer, [], []
                if event.dealer is not None:
                    self._head.append(f"Deal {event.deal}, dealer {SEATS[event.dealer]}")
            case DealerDrawn():
                cards = " ".join(card.card for card in event.turned) or "no card turned"
                self._head.append(
                    f"Dealer draw from {SEATS[event.start]}: {cards}; {SEATS[event.dealer]} deals"
                )
            case TurnUp():
                self._head.append(f"  upcard {event.turned.card}")
            case ActionTaken():
                self._actions.append((len(self._actions), event))
            case DealClose():
                self.deal = self._close(event)
                self._last = self._last if event.outcome == "draw" else event.score
            case MatchClose():
                return [f"Match {result_line(event, games=self._games, last=self._last)}"]
            case _:
                pass
        return []

    def _match_open(self, event: MatchOpen) -> list[str]:
        try:
            self._rules = RuleSet.from_map(event.rules)
        except RefereeError:
            self._rules = None
        self._games = counts_games(event.rules)
        seats = ", ".join(
            f"{word} {seat.name}" for word, seat in zip(SEATS, event.seats, strict=True)
        )
        lines = [f"Match {event.match.hex()}", f"  {seats}"]
        if event.board is not None:
            where = "" if self._deck else "; its deck stands in the board's file (--board)"
            lines.append(f"  table {event.table} of the sealed board {event.board.hex()}{where}")
        return lines

    def _close(self, event: DealClose) -> list[str]:
        lines = list(self._head)
        cards = (event.deck or self._deck or "").split()
        lines += self._hands(cards)
        opened = {
            index: " ".join(cards[place] for place in opening.positions if place < len(cards))
            for (index, _), opening in zip(
                ((i, a) for i, a in self._actions if a.commit is not None),
                event.openings,
                strict=False,
            )
        }
        lines += self._told_actions(opened)
        for attempt in event.attempts:
            lines.append(f"  refused: {SEATS[attempt.seat]} {attempt.action!r}, {attempt.reason}")
        for fault in event.faults:
            lines.append(f"  fault: {SEATS[fault.seat]}, {fault.why}")
        if event.outcome != "draw":
            tricks, points, score = event.tricks, event.points, event.score
            lines.append(
                f"  {event.outcome.replace('_', ' ')}: tricks {tricks.ns}-{tricks.ew},"
                f" points {points.ns}-{points.ew}, score {score.ns}-{score.ew}"
            )
        return [*lines, ""]

    def _hands(self, cards: list[str]) -> list[str]:
        if self._rules is None or self._dealer is None or len(cards) <= UPCARD_POSITION:
            return []
        lines = []
        for seat, word in enumerate(SEATS):
            places = positions(self._rules.packets, self._dealer, seat)
            lines.append(f"  {word:<5}  {' '.join(cards[place] for place in places)}")
        return [*lines, f"  kitty  {' '.join(cards[UPCARD_POSITION + 1 :])}"]

    def _told_actions(self, opened: dict[int, str]) -> list[str]:
        lines: list[str] = []
        trick: list[str] = []
        for index, event in self._actions:
            words = f"{event.action} {opened.get(index, '')}".rstrip()
            late = "" if event.fallback is None else f" ({event.fallback})"
            if words.startswith("play "):
                trick.append(f"{SEATS[event.seat]} {words.removeprefix('play ')}{late}")
                continue
            lines.append(f"  {SEATS[event.seat]}: {words}{late}")
        size = len(trick) // HAND_SIZE or 1
        lines += [f"  trick: {', '.join(trick[i : i + size])}" for i in range(0, len(trick), size)]
        return lines
