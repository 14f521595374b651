"""The records of an event: each verified, then held against what was announced and who met."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from referee.arena.formats.model import RoundPlan
from referee.arena.tournament.chunks import Announced, Work
from referee.arena.tournament.games import NO_SCORE
from referee.arena.tournament.model import BoardKey, BoardPlayed, Seating, TableFault
from referee.arena.tournament.publish.facts import Facts
from referee.arena.tournament.scoring import Tally
from referee.arena.tournament.sheet import Sheet
from referee.arena.tournament.verify.logs import Said
from referee.arena.tournament.verify.report import PUBLISHER, REFEREE, RULES, SEAL, Finding
from referee.sealing.boardevents import BoardClose, BoardOpen
from referee.sealing.closing import DealClose
from referee.sealing.events import MatchOpen
from referee.sealing.transcript import read_board_line, read_line, split_line

SIZES: Final = (2, 4)
"""How many meet in an encounter."""


@dataclass(frozen=True, slots=True)
class BoardRead:
    """What a board's files say, once they are verified."""

    opened: BoardOpen
    closed: BoardClose
    tables: tuple[MatchOpen, ...]
    deals: tuple[DealClose, ...]

    def played(self, key: BoardKey) -> BoardPlayed:
        """The board as a tournament counts it."""
        void = self.closed.outcome != "played"
        seatings = tuple(_seating(self.opened, n) for n in range(self.opened.tables))
        return BoardPlayed(
            key=key,
            id=self.opened.board.hex(),
            matches=tuple(table.match.hex() for table in self.tables),
            dealer=self.opened.dealer,
            seatings=seatings,
            outcomes=tuple(deal.outcome for deal in self.deals),
            points=() if void else tuple(deal.points for deal in self.deals),
            faults=tuple(
                TableFault(n, fault.seat, seatings[n][fault.seat], fault.why)
                for n, deal in enumerate(self.deals)
                for fault in deal.faults
            ),
            void=self.closed.reason or "",
        )


def file_names(announced: Announced) -> tuple[str, ...]:
    """The names of a board's files in the site: its own, then one a table."""
    tables = (f"records/{announced.id}.{n}.jsonl" for n in range(len(announced.matches)))
    return f"records/{announced.id}.board.jsonl", *tables


def read_board(own: bytes, tables: Sequence[bytes]) -> BoardRead:
    """A board in its files, which have been verified: what is missing in them is an error."""
    opened: BoardOpen | None = None
    closed: BoardClose | None = None
    for line in own.splitlines():
        event = read_board_line(split_line(line)[0])
        if isinstance(event, BoardOpen):
            opened = event
        elif isinstance(event, BoardClose):
            closed = event
    if opened is None or closed is None:
        raise ValueError("a board without its beginning or its end")
    pairs = [_table(text) for text in tables]
    return BoardRead(opened, closed, tuple(o for o, _ in pairs), tuple(c for _, c in pairs))


def _table(text: bytes) -> tuple[MatchOpen, DealClose]:
    opened: MatchOpen | None = None
    closed: DealClose | None = None
    for line in text.splitlines():
        match read_line(*split_line(line)).event:
            case MatchOpen() as event:
                opened = event
            case DealClose() as event:
                closed = event
            case _:
                pass
    if opened is None or closed is None:
        raise ValueError("a table without its beginning or its end")
    return opened, closed


def _seating(opened: BoardOpen, table: int) -> Seating:
    north, east, south, west = (seat.name for seat in opened.seats_of(table))
    return north, east, south, west


@dataclass(frozen=True, slots=True)
class Due:
    """What every board of an event has to agree with."""

    sheet: Sheet
    referee_key: str
    plans: Sequence[RoundPlan]

    def differences(
        self, announced: Announced, said: Said, board: BoardRead
    ) -> Iterator[tuple[int, str, str]]:
        """What of a board is not as announced and paired: exit code, party and words."""
        played = board.played(announced.key)
        if board.opened.referee_key != self.referee_key:
            yield SEAL, REFEREE, "its key is not that of the event"
        if played.id != announced.id or played.matches != announced.matches:
            yield SEAL, REFEREE, "its ids are not those that were announced for it"
        if played.dealer != announced.dealer:
            yield RULES, REFEREE, "its dealer is not the one that was announced for it"
        if board.opened.opened_at < said.at_ms:
            yield SEAL, REFEREE, "it was opened before it was announced"
        if dict(board.opened.rules) != self.sheet.rules.to_map():
            yield RULES, REFEREE, "its rules are not those of event.yaml"
        if any(table.policy != self.sheet.policy for table in board.tables):
            yield RULES, REFEREE, "its limits are not those of event.yaml"
        against = " against ".join(said.entries)
        if len(said.entries) not in SIZES or played.seatings != Work(said.entries, {}, ()).seatings:
            yield RULES, REFEREE, f"its seats are not those of {against}, who were announced"
        if self._entries(announced.key) != said.entries:
            yield RULES, PUBLISHER, f"event.json does not have {against} meet in its encounter"

    def _entries(self, key: BoardKey) -> tuple[str, ...] | None:
        plan = next((plan for plan in self.plans if plan.number == key.round), None)
        if plan is None or not 1 <= key.encounter <= len(plan.encounters):
            return None
        return plan.encounters[key.encounter - 1].entries


def running_games(facts: Facts, boards: Mapping[str, BoardRead]) -> Iterator[Finding]:
    """Tables whose game does not go on from the boards before.

    An encounter in which the director has ruled is passed over: what counted when it was played is
    not known afterwards.
    """
    if facts.sheet.mode != "games":
        return
    tally = Tally(facts.sheet, facts.results, facts.rulings)
    ruled = {(action.round, action.encounter) for action in facts.taken}
    read = {board.opened.board.hex(): (name, board) for name, board in boards.items()}
    for plan in facts.plans:
        for meeting in tally.meetings(plan):
            if (meeting.round, meeting.number) in ruled:
                continue
            for standing in meeting.boards:
                if standing.played is None:
                    continue
                name, board = read[standing.played.id]
                due = [game.score for game in meeting.games_before(standing.key.board)]
                told = [table.score or NO_SCORE for table in board.tables]
                if due != told:
                    message = "its games do not go on from the boards before it"
                    yield Finding(RULES, REFEREE, name, message)


def repeated(boards: Mapping[str, BoardRead]) -> Iterator[Finding]:
    """Decks and secrets that two boards share: a card that was shown is never played again."""
    for what, values in (
        ("deck", {name: board.closed.deck for name, board in boards.items()}),
        ("secret", {name: board.closed.r.hex() for name, board in boards.items()}),
        ("chain", {name: board.opened.r1.hex() for name, board in boards.items()}),
    ):
        first: dict[str, str] = {}
        for name, value in values.items():
            if value in first:
                text = f"it has the {what} of {first[value]}"
                yield Finding(SEAL, REFEREE, name, text)
            first.setdefault(value, name)
