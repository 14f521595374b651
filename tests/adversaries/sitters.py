"""Thousands of seats of one process: each answers what it is asked and holds the referee to order.

Every event once and in its place, the same chain for all four seats, one answer an attempt, and a
receipt for whatever is accepted, with the chain's head. What a seat said and heard no answer to it
says again, with the same request_id, when its stream is back.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from google.rpc import code_pb2

from referee.pb.euchre.referee.v1 import events_pb2, match_pb2, play_pb2, table_pb2
from referee.sealing.commit import seat_commit, seat_seed
from referee.sealing.keys import VerifyKey
from referee.sealing.messages import ReceiptItem, receipt_bytes
from referee.sealing.transcript import ZERO_HEAD, event_hash
from tests.adversaries.book import Book

WIRE_SEATS: Final = (
    table_pb2.SEAT_NORTH,
    table_pb2.SEAT_EAST,
    table_pb2.SEAT_SOUTH,
    table_pb2.SEAT_WEST,
)
ILLEGAL: Final = 0.004
SIGNATURES: Final = 16
"""Of so many receipts the signature of one is checked: the crowd shares the referee's machine."""
CUT: Final = 7
Key = tuple[str, int]


@dataclass(slots=True)
class Board:
    """One match, as its four seats see it together."""

    made: match_pb2.CreateMatchResponse
    book: Book
    chance: random.Random
    heads: list[bytes] = field(default_factory=list)
    owed: dict[int, bytes] = field(default_factory=dict)
    cset: tuple[bytes, bytes] = (b"", b"")
    outcome: str = ""
    blamed: list[tuple[int, str]] = field(default_factory=list)
    id: bytes = b""
    secret: bytes = b""

    def __post_init__(self) -> None:
        self.id = bytes.fromhex(self.made.match.match)
        self.secret = self.chance.randbytes(32)

    @property
    def name(self) -> str:
        """The match id in hex."""
        return self.made.match.match

    def event(self, seat: int, head: bytes, event: events_pb2.Event) -> None:
        """An event as a seat was told it; `head` is that seat's head after it."""
        seq = event.seq
        if seq < len(self.heads):
            if self.heads[seq] != head:
                self.book.wrong(f"{self.name}: event {seq} differs for seat {seat}")
            return
        self.heads.append(head)
        self.book.counted["events"] += 1
        if (promised := self.owed.pop(seq, head)) != head:
            self.book.wrong(f"{self.name}: the receipt for {seq} has {promised.hex()[:8]}…")
        match event.WhichOneof("kind"):
            case "commit_set":
                self.cset = (event.commit_set.cset, head)
            case "action" if event.action.fallback:
                self._blame((seq, "action"), event.action.seat, event.action.fallback)
            case "deal_close":
                self.book.counted["deals"] += 1
                for fault in event.deal_close.faults:
                    if (fault.seat, fault.why) in self.blamed:
                        self.blamed.remove((fault.seat, fault.why))
                    else:
                        self._blame((seq, "deal_close"), fault.seat, fault.why)
                self.blamed.clear()
            case "match_close":
                self.outcome = event.match_close.outcome
                self.book.counted[self.outcome] += 1
            case _:
                pass

    def _blame(self, event: tuple[int, str], seat: "table_pb2.Seat", why: str) -> None:
        """A fault, which the close of the deal names once more."""
        self.blamed.append((seat, why))
        self.book.fault(self.name, event, seat - 1, why)

    def receipt(self, item: play_pb2.ReceiptItem) -> None:
        """What the referee has signed that it accepted."""
        if item.seq >= len(self.heads):
            self.owed[item.seq] = item.head
        elif self.heads[item.seq] != item.head:
            self.book.wrong(f"{self.name}: the receipt for {item.seq} has another head")


@dataclass(slots=True)
class Said:
    """An attempt without an answer so far."""

    key: Key
    message: play_pb2.PlayInput
    at: float


class Sitter:
    """One seat."""

    __slots__ = ("_ask", "_given", "_head", "_said", "board", "resume", "seat")

    def __init__(self, board: Board, seat: int) -> None:
        self.board = board
        self.seat = seat
        self.resume = 0
        self._head = ZERO_HEAD
        self._ask: play_pb2.Ask | None = None
        self._given: Key | None = None
        self._said: dict[bytes, Said] = {}

    @property
    def over(self) -> bool:
        """Whether the seat has been told the end of its match."""
        return bool(self.board.outcome) and self.resume >= len(self.board.heads)

    @property
    def quiet(self) -> bool:
        """Whether the seat waits for no answer."""
        return not self._said

    def hello(self) -> play_pb2.SeatHello:
        """The Hello of a new stream."""
        self._ask = None
        return play_pb2.SeatHello(
            token=self.board.made.seat_tokens[self.seat],
            name=f"crowd{self.seat}",
            level=play_pb2.LEVEL_SEEDS,
            own_seeds=True,
            resume=self.resume,
        )

    def again(self) -> list[play_pb2.PlayInput]:
        """What was said on a stream that was lost, word for word."""
        return [said.message for said in self._said.values()]

    def say(self, now: float) -> play_pb2.PlayInput | None:
        """The answer to what is asked, unless it has been given or the time for it is over."""
        ask, self._ask = self._ask, None
        if ask is None:
            return None
        key = _key(ask)
        late = key == self._given or (ask.what == "act" and key[1] < self.resume)
        if late or any(said.key == key for said in self._said.values()):
            return None
        message = self._answer(ask)
        self._said[message.request_id] = Said(key, message, now)
        return message

    def _answer(self, ask: play_pb2.Ask) -> play_pb2.PlayInput:
        board, deal = self.board, ask.deal
        said = play_pb2.PlayInput(
            match=board.name,
            seat=WIRE_SEATS[self.seat],
            request_id=board.chance.randbytes(16),
        )
        if ask.what == "act":
            said.act.seq = ask.view.state_version + 1
            said.act.action = self._choose(list(ask.view.legal))
            return said
        seed = seat_seed(board.secret, board.id, deal * 4 + self.seat)
        if ask.what == "commit":
            cut = CUT if ask.cutter else None
            said.commit.deal = deal
            said.commit.commit = seat_commit(board.id, deal, self.seat, seed, cut)
        else:
            said.reveal.deal, said.reveal.seed = deal, seed
            said.reveal.cset, said.reveal.head = board.cset
            if ask.cutter:
                said.reveal.cut = CUT
        return said

    def _choose(self, legal: list[str]) -> str:
        if self.board.chance.random() < ILLEGAL:
            return "pass" if "pass" not in legal else "play 9C"
        return self.board.chance.choice(legal)

    # What the seat is told.

    def hear(self, item: play_pb2.PlayItem, now: float) -> bool:
        """Take one item in; whether the seat is asked something."""
        match item.WhichOneof("item"):
            case "event":
                self._event(item.event)
            case "ask":
                self._ask = item.ask
                return True
            case "ruling":
                self._ruled(item, now)
            case "status":
                self._refused(item)
            case "superseded":
                self.board.book.wrong(f"{self.board.name}: seat {self.seat} was superseded")
            case _:
                pass
        return False

    def _event(self, event: events_pb2.Event) -> None:
        if event.seq != self.resume:
            self.board.book.wrong(
                f"{self.board.name}: seat {self.seat} was told event {event.seq} where"
                f" {self.resume} was due"
            )
            return
        self.resume += 1
        self._head = event_hash(self._head, event.event)
        self.board.event(self.seat, self._head, event)

    def _ruled(self, item: play_pb2.PlayItem, now: float) -> None:
        board, ruling = self.board, item.ruling
        said = self._said.pop(item.request_id, None)
        if said is None:
            board.book.wrong(f"{board.name}: seat {self.seat} was answered twice, or unasked")
            return
        board.book.answers.add(now - said.at)
        board.book.counted["accepted" if ruling.accepted else "refused"] += 1
        act = said.message.act
        if ruling.accepted:
            self._given = said.key
        if ruling.accepted and said.key[0] == "act":
            board.book.counted["actions"] += 1
            if ruling.seq != act.seq:
                board.book.wrong(f"{board.name}: {act.seq} was accepted as {ruling.seq}")
        self._note(said, "accepted" if ruling.accepted else "refused", ruling.reason, ruling.rule)

    def _refused(self, item: play_pb2.PlayItem) -> None:
        code = code_pb2.Code.Name(item.status.code)
        if not item.request_id:
            self.board.outcome = self.board.outcome or "dropped"
            self.board.book.wrong(f"{self.board.name}: {item.status.message}")
            return
        if item.status.code == code_pb2.UNAVAILABLE:
            return  # it is said again on the next stream
        said = self._said.pop(item.request_id, None)
        self.board.book.counted[code] += 1
        if said is not None:
            self._note(said, code, item.status.message.partition(":")[0], "")

    def _note(self, said: Said, verdict: str, reason: str, rule: str) -> None:
        what, number = said.key
        action = said.message.act.action if what == "act" else what
        rid = said.message.request_id.hex()
        self.board.book.ruling(
            self.board.name, self.seat, rid, verdict, reason, rule, number, action
        )


def _key(ask: play_pb2.Ask) -> Key:
    """What an answer answers: the same question asked again has the same key."""
    return (ask.what, ask.view.state_version + 1 if ask.what == "act" else ask.deal)


class Receipts:
    """The receipts of one stream, held against its rulings and the chains of its matches."""

    def __init__(self, boards: Mapping[bytes, Board], key: VerifyKey, book: Book) -> None:
        self._boards = boards
        self._key = key
        self._book = book
        self._count = 0

    def take(self, receipt: play_pb2.Receipt) -> None:
        """One receipt: every head, and now and then the signature."""
        self._count += 1
        self._book.counted["receipts"] += len(receipt.items)
        for item in receipt.items:
            self._boards[item.match].receipt(item)
        if self._count % SIGNATURES == 0:
            items = [ReceiptItem(i.match, i.deal, i.seq, i.head) for i in receipt.items]
            if not self._key.accepts(receipt.sig, receipt_bytes(items)):
                self._book.wrong("a receipt is not signed by the referee")
